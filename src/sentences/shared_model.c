/*
 * shared_model.c - links between terms and a bead model as bytes, and back.
 *
 * Of processes of one program on one kind of machine: arrays as they are in memory. Cost:
 * linear in vocabularies and links.
 */
#include "sentences/shared_model.h"

#include "io/shared_run.h"

/* What is not an array. */
typedef struct facts {
    uint32_t n_terms[2];
    uint64_t n_links, n_known, n_sampled;
    double n_right_tokens, weight, null_known;
    uint64_t is_paper;
    dpl__bead_priors priors;
} facts;

typedef struct sharing {
    dpl_sentences *s;
    dpl_status (*learn)(dpl_sentences *s, dpl_error *err);
    bool is_here; /* learnt by this process */
} sharing;

static dpl_status make(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    sharing *x = user;
    dpl_sentences *s = x->s;
    dpl__link_array arrays[DPL__LINK_ARRAYS];
    facts f;
    (void)chunk;
    DPL_TRY(x->learn(s, err));
    x->is_here = true;
    dpl__term_links l = s->links;
    memset(&f, 0, sizeof f); /* padding, too */
    f.n_terms[0] = l.n_terms[0];
    f.n_terms[1] = l.n_terms[1];
    f.n_links = l.n_links;
    f.n_known = s->summary.n_links;
    f.n_sampled = s->n_sampled;
    f.n_right_tokens = l.n_right_tokens;
    f.weight = s->model.weight;
    f.null_known = s->model.null_known;
    f.is_paper = l.is_paper;
    f.priors = s->model.priors;
    bool has_memory = dpl__vec_append(s->ctx, out, (const char *)&f, sizeof f);
    l.most_links = l.n_links;
    dpl__term_links_arrays(arrays, &l);
    for (size_t i = 0; i < DPL__LINK_ARRAYS && has_memory; i++)
        has_memory = *arrays[i].at ? dpl__vec_append(s->ctx, out, (const char *)*arrays[i].at,
                                                     arrays[i].n_bytes)
                                   : !arrays[i].n_bytes;
    return dpl__need(has_memory, err);
}

static dpl_status take(void *user, size_t chunk, const char *data, size_t n, dpl_error *err)
{
    const sharing *x = user;
    dpl_sentences *s = x->s;
    facts f = {0};
    dpl__link_array arrays[DPL__LINK_ARRAYS];
    size_t n_needed = sizeof f;
    (void)chunk;
    if (x->is_here)
        return DPL_OK;
    if (n >= sizeof f)
        memcpy(&f, data, sizeof f);
    dpl__term_links l = {.ctx = s->ctx,
                         .n_terms = {f.n_terms[0], f.n_terms[1]},
                         .n_links = f.n_links,
                         .most_links = f.n_links,
                         .n_right_tokens = f.n_right_tokens,
                         .is_paper = f.is_paper};
    dpl__term_links_arrays(arrays, &l);
    for (size_t i = 0; i < DPL__LINK_ARRAYS; i++)
        n_needed += arrays[i].n_bytes;
    if (n != n_needed)
        return dpl__fail(err, DPL_E_FORMAT, "a model of another size");
    data += sizeof f;
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < DPL__LINK_ARRAYS && status == DPL_OK;
         data += arrays[i].n_bytes, i++) {
        *arrays[i].at = arrays[i].n_bytes ? dpl__alloc(s->ctx, arrays[i].n_bytes) : NULL;
        if (*arrays[i].at)
            memcpy(*arrays[i].at, data, arrays[i].n_bytes);
        else if (arrays[i].n_bytes)
            status = dpl__fail_nomem(err);
    }
    s->links = l; /* to be cleared, also when something is missing */
    DPL_TRY(status);
    s->model = dpl__term_links_model(&s->links);
    s->model.priors = f.priors;
    s->model.weight = f.weight;
    s->model.filters_words = s->options.evidence == DPL_EVIDENCE_ALL;
    s->model.null_known = f.null_known;
    s->n_sampled = f.n_sampled;
    s->summary.n_links = f.n_known;
    return DPL_OK;
}

dpl_status dpl__shared_model_get(dpl_sentences *s, uint64_t key,
                                 dpl_status (*learn)(dpl_sentences *s, dpl_error *err),
                                 dpl_error *err)
{
    sharing x = {s, learn, false};
    if (!dpl__is_shared(s->ctx))
        return learn(s, err);
    const dpl__shared_work work = {.name = "model",
                                   .key = key,
                                   .n = 1,
                                   .user = &x,
                                   .make = make,
                                   .take = take,
                                   .is_for_all = true};
    return dpl__shared_work_run(s->ctx, &work, err);
}
