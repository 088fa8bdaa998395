/*
 * floor.c - the cosine below which the neighbours of a large collection are not looked for.
 *
 * Two documents that have nothing to do with each other have a cosine, too, and the more
 * documents there are, the higher is the eighth best of them. Neighbours below that of a
 * typical document are chance; to find them exactly takes most of the time of a search. They
 * count as a cosine of the floor, as neighbours below mine.least_cosine do elsewhere.
 *
 * The last search knows more: a search with a sample had pairs and decoys. The floor is at most
 * what half of the decoys reach, so that wrong matches are still there to be compared with, and
 * at most what all but mine.floor_lost of the pairs reach.
 *
 * Cost: FLOOR_QUERIES x FLOOR_ROWS cosines on all threads, some hundred milliseconds.
 */
#include "mine/floor.h"

#include "base/ctx.h"
#include "base/order.h"
#include "io/shared_loop.h"
#include "mine/mine_params.h"
#include "pairs/exact.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

enum { FLOOR_QUERIES = 64, FLOOR_ROWS = 8192 };

typedef struct floor_run {
    const dpl__comparable *corpus;
    const dpl_vectors *v[2]; /* queries: not the pivot, whichever side that is; rows */
    const uint64_t *keys[2]; /* of their documents */
    dpl__sides sides;
    dpl__keyed *rows[2]; /* the first are the sample */
    size_t n[2];
    float kth[FLOOR_QUERIES];
} floor_run;

DPL__RISING_NUMBERS(rising, float)

static int falling(const void *a, const void *b)
{
    return rising(b, a);
}

static void hash_side(void *user, size_t side)
{
    floor_run *f = user;
    for (uint32_t row = 0; row < f->n[side]; row++)
        f->rows[side][row] = (dpl__keyed){f->keys[side][f->v[side]->docs[row]], row};
    qsort(f->rows[side], f->n[side], sizeof *f->rows[side], dpl__by_key);
}

/* The k-th best cosine of one query, from the rows of the sample. */
static dpl_status score_query(void *user, size_t q, unsigned worker, dpl_error *err)
{
    (void)worker;
    floor_run *f = user;
    dpl_ctx *ctx = f->corpus->ctx;
    size_t n = dpl__min(f->n[1], FLOOR_ROWS);
    size_t rank = (DPL__NEAREST * n + f->n[1] - 1) / f->n[1];
    dpl__scorer scorer = {0};
    float *scores = dpl__alloc(ctx, n * sizeof *scores);
    bool has_memory = scores && dpl__scorer_init(&scorer, ctx, &f->sides);
    if (has_memory) {
        dpl__scorer_set(&scorer, (uint32_t)f->rows[0][q].number);
        for (size_t i = 0; i < n; i++)
            scores[i] = dpl__score(&scorer, (uint32_t)f->rows[1][i].number,
                                   (uint32_t)f->rows[1][dpl__min(i + 2, n - 1)].number);
        qsort(scores, n, sizeof *scores, falling);
        f->kth[q] = scores[dpl__min(rank, n) - 1];
        dpl__scorer_clear(&scorer, ctx);
    }
    dpl__free(ctx, scores);
    return dpl__need(has_memory, err);
}

dpl_status dpl__floor_of_rows(double *out, const dpl__comparable *p, dpl_vectors *const v[2],
                              dpl_error *err)
{
    floor_run f = {.corpus = p,
                   .v = {v[!p->pivot], v[p->pivot]},
                   .keys = {p->keys[!p->pivot], p->keys[p->pivot]}};
    *out = 0;
    for (int side = 0; side < 2; side++)
        f.n[side] = f.v[side]->sizes.n_rows;
    if (f.n[0] == 0 || f.n[1] == 0)
        return DPL_OK;
    for (int side = 0; side < 2; side++)
        f.rows[side] = dpl__alloc(p->ctx, f.n[side] * sizeof *f.rows[side]);
    const size_t n = dpl__min(f.n[0], FLOOR_QUERIES);
    dpl_status status;
    DPL__STEP(dpl__need(f.rows[0] && f.rows[1], err));
    DPL__STEP(dpl__sides_init(&f.sides, p->ctx, f.v[0], f.v[1], err));
    DPL__STEP(dpl__parallel_each(p->ctx, 2, &f, hash_side, err));
    const dpl__shared_loop loop = {
        .name = "floor",
        .key = dpl__vectors_fingerprint(dpl__vectors_fingerprint(0, f.v[0]), f.v[1]),
        .user = &f,
        .run = score_query,
        .items = f.kth,
        .n_items = n,
        .size = sizeof *f.kth,
        .per_job = 1};
    DPL__STEP(dpl__shared_for(p->ctx, &loop, err));
    qsort(f.kth, n, sizeof *f.kth, rising);
    *out = (double)f.kth[n / 2];
done:
    dpl__sides_clear(&f.sides, p->ctx);
    for (int side = 0; side < 2; side++)
        dpl__free(p->ctx, f.rows[side]);
    return status;
}

/* What all but this share of the candidates' cosines reach. */
static dpl_status reached(double *out, const dpl__doc_candidate_vec *all, double share,
                          double least_confidence, dpl_ctx *ctx, dpl_error *err)
{
    size_t n = 0, n_bytes = (all->n + 1) * sizeof(float);
    float *scores = dpl__alloc(ctx, n_bytes);
    DPL_TRY(dpl__need(scores, err));
    for (size_t i = 0; i < all->n; i++)
        if (all->data[i].confidence >= least_confidence)
            scores[n++] = all->data[i].match.score;
    qsort(scores, n, sizeof *scores, rising);
    *out = n ? (double)scores[(size_t)(share * (double)(n - 1))] : 0;
    dpl__free(ctx, scores);
    return DPL_OK;
}

dpl_status dpl__floor_of_found(double *out, const dpl__doc_candidates *f, dpl_ctx *ctx,
                               dpl_error *err)
{
    double pairs = 0, decoys = 0;
    *out = 0;
    DPL_TRY(reached(&pairs, &f->pairs, DPL__P(mine, floor_lost), DPL__P(mine, train_confidence),
                    ctx, err));
    DPL_TRY(reached(&decoys, &f->decoys, 0.5, 0, ctx, err));
    *out = fmin(pairs, decoys);
    return DPL_OK;
}
