/*
 * align_sides.c - swaps the sides of what goes into an alignment, and of what comes out.
 *
 * Cost: a copy of the pairs, and of the beads of one pair at a time.
 */
#include "mine/align_sides.h"

typedef struct mirror {
    dpl_ctx *ctx;
    dpl_aligned_docs_fn *take;
    void *user;
    DPL_VEC(dpl_bead) beads;
} mirror;

static dpl_doc_pair mirror_pair(dpl_doc_pair docs)
{
    return (dpl_doc_pair){.left = docs.right, .right = docs.left};
}

static dpl_status take_mirrored(void *user, const dpl_aligned_docs *a, dpl_error *err)
{
    mirror *m = user;
    m->beads.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(m->ctx, &m->beads, a->beads, a->n_beads), err));
    for (size_t i = 0; i < m->beads.n; i++) {
        dpl_bead *b = &m->beads.data[i], was = *b;
        b->left = was.right;
        b->n_left = was.n_right;
        b->right = was.left;
        b->n_right = was.n_left;
    }
    dpl_aligned_docs docs = {a->pair,
                             mirror_pair(a->docs),
                             {a->units[1], a->units[0]},
                             {a->n_units[1], a->n_units[0]},
                             m->beads.data,
                             m->beads.n};
    return m->take(m->user, &docs, err);
}

dpl_status dpl__align_sides(const dpl__align_input *in, dpl_aligned_docs_fn *take, void *user,
                            dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const size_t n = in->pairs.n;
    dpl_sentences_options o = in->options;
    o.threshold = -1; /* for sentence pairs that are written only (final_beads.c) */
    dpl_sentences_input input = DPL_INIT(
        dpl_sentences_input, .left = p->c[p->pivot], .right = p->c[!p->pivot],
        .pairs = in->pairs.data, .n_pairs = n, .lexicon = in->lexicon, .are_candidates = true,
        .learn = in->learn.n ? in->learn.data : NULL, .n_learn = in->learn.n);
    if (!p->pivot)
        return dpl_sentences_align(NULL, p->ctx, &input, &o, take, user, err);
    dpl_doc_pair *turned = dpl__alloc(p->ctx, (n + in->learn.n + 1) * sizeof *turned);
    DPL_TRY(dpl__need(turned, err));
    for (size_t i = 0; i < n; i++)
        turned[i] = mirror_pair(in->pairs.data[i]);
    for (size_t i = 0; i < in->learn.n; i++)
        turned[n + i] = mirror_pair(in->learn.data[i]);
    input.pairs = turned;
    input.learn = in->learn.n ? turned + n : NULL;
    mirror m = {.ctx = p->ctx, .take = take, .user = user};
    dpl_status status = dpl_sentences_align(NULL, p->ctx, &input, &o, take_mirrored, &m, err);
    dpl__vec_clear(p->ctx, &m.beads);
    dpl__free(p->ctx, turned);
    return status;
}
