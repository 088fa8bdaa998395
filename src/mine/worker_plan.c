/*
 * worker_plan.c - cost of dedup and mine in parts, by stage, from measured constants.
 *
 * A stage has work that workers divide, which grows with words or documents, and work that one
 * of them does, or each of them again. Costs (worker_params.h) are scaled by the calibration;
 * searches are those of dpl_plan_make and of the n-gram search. A language has the same number
 * of documents as any other and is mined with one of them; workers are divided among the pairs
 * of languages.
 */
#include "doppel/mine.h"

#include "base/sized.h"
#include "mine/mine_params.h"
#include "mine/worker_params.h"

#include <math.h>

/* What a stage costs beside its constants. */
typedef enum kind { DEDUP, MINE, TRAINING, SEARCH } kind;

typedef struct stage {
    kind kind;
    const char *name;
    double word_ns, doc_ns, doc_bytes, word_bytes;
    const char *instead;
} stage;

/* clang-format off */
#define ROW(kind_, name_, word_ns_, doc_ns_, doc_bytes_, word_bytes_, instead_) \
    {kind_, name_, word_ns_, doc_ns_, doc_bytes_, word_bytes_, instead_},
/* clang-format on */
static const stage stages[] = {DPL__WORKER_STAGES(ROW)};
_Static_assert(DPL_LEN(stages) <= DPL_MOST_STAGES, "room for all stages");

typedef struct planner {
    dpl_ctx *ctx;
    dpl_workers_options o;
    dpl_speeds speeds;
} planner;

/* Core seconds; alone: of one worker of each pair of languages. */
typedef struct work {
    double divided, alone;
} work;

/* Adds the last search of one pair of languages. */
static dpl_status add_search(work *w, const planner *p, double scale, dpl_error *err)
{
    const double n = fmin(p->o.documents / p->o.languages, UINT32_MAX - 1.);
    const dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = (uint64_t)n + 1, .n_right = (uint64_t)n + 1,
                 .speeds = &p->speeds, .method = DPL_PAIRS_EXACT);
    dpl_plan *plan = NULL;
    if (dpl_mine_prefers_ngrams((uint64_t)n, (uint64_t)n, p->o.words)) {
        w->alone += scale * (DPL__P(mine, ngram_ns) * 1e-9 * p->o.words * 2 * n);
        return DPL_OK;
    }
    DPL_TRY(dpl_plan_make(&plan, p->ctx, &o, err));
    w->divided += dpl_plan_get_row(plan, 0)->seconds * dpl_ctx_threads(p->ctx);
    dpl_plan_free(plan);
    return DPL_OK;
}

/* dedup works on all documents with all workers; mine on two languages with some. */
static dpl_status find_cost(dpl_stage_cost *c, const planner *p, const stage *s, dpl_error *err)
{
    const dpl_workers_options *o = &p->o;
    const bool mines = s->kind != DEDUP;
    const double n_pairs = mines ? fmax(1, o->languages - 1.0) : 1,
                 docs = mines ? 2 * o->documents / o->languages : o->documents,
                 workers = mines ? fmax(1, o->workers / n_pairs) : o->workers,
                 waves = mines ? fmax(1, n_pairs / o->workers) : 1,
                 scale = p->speeds.multiply_ns / DPL__WORKER_MULTIPLY_NS;
    const double left = fmax(0, (double)dpl_ctx_memory(p->ctx) - DPL__WORKER_BYTES);
    work w = {scale * s->word_ns * 1e-9 * docs * o->words, scale * s->doc_ns * 1e-9 * docs};
    if (s->kind == TRAINING) {
        w.divided = scale * (DPL__WORKER_TRAINING - DPL__WORKER_TRAINING_ALONE +
                             1e-9 * DPL__WORKER_ROUNDS * DPL__P(mine, exact_ns) *
                                 fmin(DPL__P(mine, sample_docs), docs / 2) * docs / 2);
        w.alone = scale * DPL__WORKER_TRAINING_ALONE;
    }
    if (s->kind == SEARCH)
        DPL_TRY(add_search(&w, p, scale, err));
    const double each = w.divided / workers + w.alone;
    *c = (dpl_stage_cost){
        .command = mines ? "mine" : "dedup",
        .name = s->name,
        .core_seconds = n_pairs * (w.divided + w.alone * (mines ? 1 : o->workers)),
        .seconds = waves * each / dpl_ctx_threads(p->ctx),
        .undivided = each > 0 ? w.alone / each : 0,
        .worker_bytes = DPL__WORKER_BYTES + s->doc_bytes * docs,
        .shared_bytes = n_pairs * s->word_bytes * docs * o->words,
        .most_documents =
            s->doc_bytes > 0 ? left / s->doc_bytes * (mines ? o->languages / 2. : 1) : INFINITY,
        .instead = s->instead};
    return DPL_OK;
}

static dpl_status take_options(planner *p, const dpl_workers_options *options, dpl_error *err)
{
    dpl_workers_options *o = &p->o;
    DPL_TRY(DPL__TAKE(o, options, err));
    o->workers = o->workers ? o->workers : 1;
    o->languages = o->languages ? o->languages : 100;
    o->documents = o->documents > 0 ? o->documents : 1e9;
    o->words = o->words > 0 ? o->words : 150;
    DPL_TRY(DPL__TAKE(&p->speeds, o->speeds, err));
    return o->speeds ? DPL_OK : dpl_speeds_measure(&p->speeds, p->ctx, err);
}

dpl_status dpl_workers_plan_make(dpl_workers_plan *out, dpl_ctx *ctx,
                                 const dpl_workers_options *options, dpl_error *err)
{
    planner p = {.ctx = ctx};
    enum { N = DPL_LEN(stages) };
    dpl_workers_plan made = {.n_stages = N, .first_full = N, .slowest = N};
    double least = INFINITY, alone = 0;
    assert(out);
    DPL_TRY(DPL__CHECK_OUT(out, err));
    DPL_TRY(take_options(&p, options, err));
    for (size_t i = 0; i < N; i++) {
        dpl_stage_cost *c = &made.stages[i];
        DPL_TRY(find_cost(c, &p, &stages[i], err));
        if (c->most_documents < least) {
            least = c->most_documents;
            made.first_full = i;
        }
        if (c->undivided * c->seconds > alone) {
            alone = c->undivided * c->seconds;
            made.slowest = i;
        }
    }
    DPL__GIVE(out, &made);
    return DPL_OK;
}
