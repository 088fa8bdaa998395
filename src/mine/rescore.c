/*
 * rescore.c - vectors of the documents that are asked for, and nothing else; true cosines.
 *
 * Weights are those of all documents, whichever are asked for.
 */
#include "mine/rescore.h"

#include "base/lower_bound.h"
#include "pairs/searches.h"

typedef struct rescoring {
    const dpl__comparable *corpus;
    dpl__pair_list docs;
    dpl_vectors *v[2];
    dpl__candidate *asked;
    size_t *number; /* of each that is asked for, in docs */
    dpl_pair *scored;
} rescoring;

static uint32_t doc_of(const dpl_doc_pair *docs, int side)
{
    return side ? docs->right : docs->left;
}

static dpl_status make_vectors(dpl_vectors **out, const dpl__comparable *p, int side,
                               dpl__pair_list docs, const dpl_lexicon *lexicon, dpl_error *err)
{
    size_t n_docs = dpl_collection_get_sizes(p->c[side])->n_docs;
    double known = 0;
    uint8_t *skip = dpl__alloc(p->ctx, n_docs + 1);
    DPL_TRY(dpl__need(skip, err));
    memset(skip, 1, n_docs);
    for (size_t i = 0; i < docs.n; i++)
        skip[doc_of(&docs.data[i], side)] = 0;
    dpl_status status =
        dpl__make_vectors(out, &known, p, (dpl__vector_docs){side, skip}, lexicon, err);
    dpl__free(p->ctx, skip);
    return status;
}

dpl_status dpl__rescore_vectors(dpl_vectors *out[2], const dpl__comparable *p,
                                dpl__pair_list docs, const dpl_lexicon *lexicon, dpl_error *err)
{
    out[0] = out[1] = NULL;
    for (int side = 0; side < 2; side++)
        DPL_TRY(make_vectors(&out[side], p, side, docs, lexicon, err));
    return DPL_OK;
}

bool dpl__rescore_row(uint32_t *row, const dpl_vectors *v, uint32_t doc)
{
    size_t at;
    DPL__LOWER_BOUND(at, v->rows.n_rows, v->docs[at] < doc);
    *row = (uint32_t)at;
    return at < v->rows.n_rows && v->docs[at] == doc;
}

static dpl_status score(rescoring *r, float *out, dpl_error *err)
{
    dpl_ctx *ctx = r->corpus->ctx;
    size_t n = 0;
    for (size_t i = 0; i < r->docs.n; i++) {
        uint32_t left, right;
        out[i] = 0;
        if (dpl__rescore_row(&left, r->v[0], r->docs.data[i].left) &&
            dpl__rescore_row(&right, r->v[1], r->docs.data[i].right)) {
            r->asked[n] = (dpl__candidate){.left = left, .right = right};
            r->number[n++] = i;
        }
    }
    dpl__sides sides;
    DPL_TRY(dpl__sides_init(&sides, ctx, r->v[0], r->v[1], err));
    dpl_status status = n ? dpl__verify(ctx, &sides, r->scored, r->asked, n, err) : DPL_OK;
    for (size_t i = 0; i < n && status == DPL_OK; i++)
        out[r->number[i]] = r->scored[i].score;
    dpl__sides_clear(&sides, ctx);
    return status;
}

dpl_status dpl__rescore(float *out, const dpl__comparable *p, dpl__pair_list docs,
                        const dpl_lexicon *lexicon, dpl_error *err)
{
    const size_t n = docs.n + 1;
    rescoring r = {.corpus = p,
                   .docs = docs,
                   .asked = dpl__alloc(p->ctx, n * sizeof *r.asked),
                   .number = dpl__alloc(p->ctx, n * sizeof *r.number),
                   .scored = dpl__alloc(p->ctx, n * sizeof *r.scored)};
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(r.asked && r.number && r.scored, err));
    status = dpl__rescore_vectors(r.v, p, docs, lexicon, err);
    if (status == DPL_OK)
        status = score(&r, out, err);
done:
    dpl_vectors_close(r.v[0]);
    dpl_vectors_close(r.v[1]);
    dpl__free(p->ctx, r.scored, r.number, r.asked);
    return status;
}
