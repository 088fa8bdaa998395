/*
 * shared_confidence.c - final_features.c as a piece of shared work: figures and confidences are
 * what travels.
 */
#include "mine/shared_confidence.h"

#include "base/ctx.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "mine/final_features.h"

/* The final confidence, of which processes share the alignment. */
typedef struct final_confidence {
    dpl__rounds *rounds;
    const dpl__round_input *in;
    bool is_here;
} final_confidence;

/* What it says beside the confidence of each pair. */
typedef struct final_figures {
    double alone, aligned, cosine, likely, evidence;
    uint64_t has_few, has_few_docs, n_pairs;
} final_figures;

static dpl_status make_confidence(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    final_confidence *x = user;
    dpl__doc_candidates *f = &x->rounds->found;
    dpl_ctx *ctx = x->in->corpus->ctx;
    const dpl__pair_list learnt = {x->rounds->learnt.data, x->rounds->learnt.n};
    (void)chunk;
    DPL_TRY(dpl__estimate_final_confidence(f, x->in, learnt, err));
    x->is_here = true;
    const final_figures figures = {f->alone,    f->aligned, f->cosine,       f->likely,
                                   f->evidence, f->has_few, f->has_few_docs, f->pairs.n};
    bool has_memory = dpl__vec_append(ctx, out, (const char *)&figures, sizeof figures);
    for (size_t i = 0; i < f->pairs.n && has_memory; i++)
        has_memory = dpl__vec_append(ctx, out, (const char *)&f->pairs.data[i].confidence,
                                     sizeof f->pairs.data[i].confidence);
    return dpl__need(has_memory, err);
}

static dpl_status take_confidence(void *user, size_t chunk, const char *data, size_t n,
                                  dpl_error *err)
{
    const final_confidence *x = user;
    dpl__doc_candidates *f = &x->rounds->found;
    final_figures figures = {0};
    (void)chunk;
    if (x->is_here)
        return DPL_OK;
    if (n >= sizeof figures)
        memcpy(&figures, data, sizeof figures);
    if (n != sizeof figures + f->pairs.n * sizeof(double) || figures.n_pairs != f->pairs.n)
        return dpl__fail(err, DPL_E_FORMAT, "the confidence of other pairs");
    for (size_t i = 0; i < f->pairs.n; i++)
        memcpy(&f->pairs.data[i].confidence, data + sizeof figures + i * sizeof(double),
               sizeof(double));
    f->alone = figures.alone;
    f->aligned = figures.aligned;
    f->cosine = figures.cosine;
    f->likely = figures.likely;
    f->evidence = figures.evidence;
    f->has_few = figures.has_few;
    f->has_few_docs = figures.has_few_docs;
    return DPL_OK;
}

dpl_status dpl__shared_confidence_estimate(dpl__rounds *rounds, const dpl__comparable *corpus,
                                           dpl_error *err)
{
    char path[4100];
    const dpl__round_input in = dpl__rounds_as_input(rounds, corpus);
    const dpl__pair_list learnt = {rounds->learnt.data, rounds->learnt.n};
    final_confidence x = {.rounds = rounds, .in = &in};
    if (!dpl__is_shared(corpus->ctx))
        return dpl__estimate_final_confidence(&rounds->found, &in, learnt, err);
    dpl__rounds_file(path, rounds, corpus, "round");
    const dpl__shared_work work = {
        .name = "confidence",
        .key = dpl__fingerprint_number(dpl__shared_key(corpus->ctx, path), rounds->has_many),
        .n = 1,
        .user = &x,
        .make = make_confidence,
        .take = take_confidence,
        .is_divided = true};
    return dpl__shared_work_run(corpus->ctx, &work, err);
}
