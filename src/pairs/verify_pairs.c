/*
 * verify_pairs.c - candidates to true cosines, on all threads.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "par/pool.h"

enum {
    CHUNK = 4096, /* candidates */
    AHEAD = 2     /* rows asked for beforehand */
};

typedef struct job {
    const dpl__sides *sides;
    dpl_ctx *ctx;
    dpl_pair *out;
    const dpl__candidate *in;
    size_t n;
    dpl__scorer *scorers; /* of each thread */
} job;

static dpl_status verify_chunk(void *user, size_t chunk, unsigned worker, dpl_error *err)
{
    job *j = user;
    dpl__scorer *s = &j->scorers[worker];
    if (!s->sides && !dpl__scorer_init(s, j->ctx, j->sides))
        return dpl__fail_nomem(err);
    size_t end = dpl__min((chunk + 1) * CHUNK, j->n);
    for (size_t i = chunk * CHUNK; i < end; i++) {
        dpl__mappings_ease_in_loop(j->ctx, i);
        dpl__scorer_set(s, j->in[i].left);
        uint32_t next = j->in[dpl__min(i + AHEAD, j->n - 1)].right;
        j->out[i] =
            (dpl_pair){j->in[i].left, j->in[i].right, dpl__score(s, j->in[i].right, next)};
    }
    return DPL_OK;
}

dpl_status dpl__verify(dpl_ctx *ctx, const dpl__sides *sides, dpl_pair *out,
                       const dpl__candidate *in, size_t n, dpl_error *err)
{
    job j = {.sides = sides, .ctx = ctx, .out = out, .in = in, .n = n};
    j.scorers = dpl__calloc(ctx, ctx->n_threads, sizeof *j.scorers);
    DPL_TRY(dpl__need(j.scorers, err));
    dpl_status status = dpl__parallel_for(ctx, (n + CHUNK - 1) / CHUNK, &j, verify_chunk, err);
    for (unsigned i = 0; i < ctx->n_threads; i++)
        if (j.scorers[i].sides)
            dpl__scorer_clear(&j.scorers[i], ctx);
    dpl__free(ctx, j.scorers);
    return status;
}
