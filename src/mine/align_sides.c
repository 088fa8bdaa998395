/*
 * align_sides.c - swaps the sides of what goes into an alignment, and of what comes out.
 *
 * Cost: a copy of the pairs, and of the beads of one pair at a time.
 */
#include "mine/align_sides.h"

#include "base/ctx.h"

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

static void mirror_summary(dpl_sentences_summary *s)
{
    dpl_sentences_summary was = *s;
    for (int side = 0; side < 2; side++)
        s->n_units[side] = was.n_units[!side];
    for (size_t i = 0; i <= DPL_MAX_SIDE; i++)
        for (size_t j = 0; j <= DPL_MAX_SIDE; j++)
            s->n_kinds[i][j] = was.n_kinds[j][i];
    if (was.length_ratio > 0)
        s->length_ratio = 1 / was.length_ratio;
}

dpl_status dpl__align_sides(dpl_sentences_summary *summary, const dpl__align_input *in,
                            dpl_aligned_docs_fn *take, void *user, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const size_t n = in->pairs.n;
    dpl_sentences_options o = in->options;
    o.threshold = -1; /* for sentence pairs that are written only (final_beads.c) */
    dpl_sentences_input input = DPL_INIT(
        dpl_sentences_input, .left = p->c[p->pivot], .right = p->c[!p->pivot],
        .pairs = in->pairs.data, .n_pairs = n, .lexicon = in->lexicon, .are_candidates = true);
    if (!p->pivot)
        return dpl_sentences_align(summary, p->ctx, &input, &o, take, user, err);
    dpl_doc_pair *turned = dpl__alloc(p->ctx, (n + 1) * sizeof *turned);
    DPL_TRY(dpl__need(turned, err));
    for (size_t i = 0; i < n; i++)
        turned[i] = mirror_pair(in->pairs.data[i]);
    input.pairs = turned;
    mirror m = {.ctx = p->ctx, .take = take, .user = user};
    dpl_status status =
        dpl_sentences_align(summary, p->ctx, &input, &o, take_mirrored, &m, err);
    if (status == DPL_OK && summary)
        mirror_summary(summary);
    dpl__vec_clear(p->ctx, &m.beads);
    dpl__free(p->ctx, turned);
    return status;
}
