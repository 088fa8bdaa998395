/*
 * model1.c - an iteration of Model 1 in two passes over the cells.
 *
 * In a row, every right word comes from one of the left words, all equally likely before one
 * looks, or from none; and the other way round. With s = sum over the row's left words of
 * p(right|left), a cell of a right token adds p(right|left) / s to its link's count. As
 * p(right|left) is the same for all cells of a link, its count is p times the sum of 1 / s:
 *
 *   rows   (threads share the rows): s for each token, of both sides
 *   words  (threads share the left words): for each link the sum of 1 / s over its cells
 *
 * No two threads write to the same occurrence, and every sum has its fixed order. Three to five
 * nanoseconds a cell for both directions.
 */
#include "lexicon/model1.h"

#include "base/maths.h"
#include "par/pool.h"

typedef struct pass {
    dpl__trainer *t;
    float *inverse[2];        /* of the block's tokens: their 1 / s */
    _Atomic int64_t log_p[2]; /* in units of 2^-20 */
} pass;

/* A product of many small numbers, as its logarithm. */
typedef struct log_sum {
    double product, sum;
} log_sum;

static inline void log_add(log_sum *l, float p)
{
    l->product *= p;
    if (l->product < 1e-200) {
        l->sum += dpl__log(l->product);
        l->product = 1;
    }
}

static void log_end(const log_sum *l, _Atomic int64_t *out)
{
    double sum = l->sum + dpl__log(l->product);
    atomic_fetch_add_explicit(out, (int64_t)(sum * 0x1p20), memory_order_relaxed);
}

/* What a worker needs for rows; a direction's part by the side that is given. */
typedef struct summer {
    log_sum log_p[2];
    float p_empty[2];
    const float *of_empty[2]; /* p(word | empty word) */
    uint64_t *empty[2];       /* the trainer's */
    float *sums;              /* of one row: for its right words */
} summer;

/* 1 / s of a token, times the weight of the words that share it, from the sum over its row; and
 * what the empty word had of it. */
static inline float invert(summer *u, int given, uint32_t word, float sum, float weight)
{
    float of_empty = u->p_empty[given] * u->of_empty[given][word];
    float s = sum * weight + of_empty, inverse = 1 / s;
    log_add(&u->log_p[given], s);
    u->empty[given][word] += dpl__count_units(of_empty * inverse);
    return weight * inverse;
}

static void sum_row(const pass *p, size_t row, summer *u)
{
    const dpl__trainer *t = p->t;
    const dpl__encoded *b = t->corpus;
    const dpl__link_p *links = t->model->links;
    const uint32_t *numbers = dpl__link_ids_row(&t->link_ids, row);
    const uint32_t *left = dpl__encoded_tokens(b, DPL__LEFT, row),
                   *right = dpl__encoded_tokens(b, DPL__RIGHT, row);
    size_t n_left = dpl__encoded_length(b, DPL__LEFT, row),
           n_right = dpl__encoded_length(b, DPL__RIGHT, row);
    float *inverse[2];
    for (int side = 0; side < 2; side++)
        inverse[side] = p->inverse[side] + b->side[side].begin[row] -
                        b->side[side].begin[t->link_ids.first];
    float of_left = (float)((1 - t->model->p_empty[DPL__LEFT]) / (double)n_left),
          of_right = (float)((1 - t->model->p_empty[DPL__RIGHT]) / (double)n_right);
    float *sums = u->sums;
    memset(sums, 0, n_right * sizeof *sums);
    for (size_t i = 0; i < n_left; i++, numbers += n_right) {
        float sum = 0;
        for (size_t j = 0; j < n_right; j++) {
            const dpl__link_p *link = &links[numbers[j]];
            sums[j] += link->p[DPL__LEFT];
            sum += link->p[DPL__RIGHT];
        }
        inverse[DPL__LEFT][i] = invert(u, DPL__RIGHT, left[i], sum, of_right);
    }
    for (size_t j = 0; j < n_right; j++)
        inverse[DPL__RIGHT][j] = invert(u, DPL__LEFT, right[j], sums[j], of_left);
}

static dpl_status sum_rows(void *user, size_t task, unsigned worker, dpl_error *err)
{
    pass *p = user;
    const dpl__link_ids *c = &p->t->link_ids;
    summer u = {.log_p = {{1, 0}, {1, 0}},
                .sums = dpl__alloc(c->ctx, c->max_tokens * sizeof *u.sums)};
    if (!u.sums)
        return dpl__fail_nomem(err);
    for (int side = 0; side < 2; side++) {
        u.p_empty[side] = (float)c->model->p_empty[side];
        u.of_empty[side] = c->model->empty[side];
        u.empty[side] = dpl__trainer_empty(p->t, side, worker);
    }
    for (size_t k = c->tasks.data[task]; k < c->tasks.data[task + 1]; k++)
        if (c->begin[k + 1] > c->begin[k])
            sum_row(p, c->first + k, &u);
    for (int side = 0; side < 2; side++)
        log_end(&u.log_p[side], &p->log_p[side]);
    dpl__free(c->ctx, u.sums, c->max_tokens * sizeof *u.sums);
    return DPL_OK;
}

static void sum_word(const pass *p, uint32_t word)
{
    const dpl__link_ids *c = &p->t->link_ids;
    dpl__tally *tallies = p->t->tallies;
    uint32_t n_links = (uint32_t)p->t->model->n_links, end = c->occurrences.begin[word + 1];
    for (uint32_t k = c->occurrences.begin[word]; k < end; k++) {
        dpl__occurrence occurrence = c->occurrences.all[k];
        const dpl__occurrence *ahead = dpl__occurrences_ahead(&c->occurrences, k, end);
        DPL_PREFETCH(c->numbers + ahead->cell);
        DPL_PREFETCH(c->numbers + ahead->cell + ahead->n_right);
        DPL_PREFETCH(p->inverse[DPL__RIGHT] + ahead->right);
        DPL_PREFETCH(p->inverse[DPL__LEFT] + ahead->token);
        const uint32_t *numbers = c->numbers + occurrence.cell;
        const float *of_right = p->inverse[DPL__RIGHT] + occurrence.right;
        float of_left = p->inverse[DPL__LEFT][occurrence.token];
        for (uint32_t j = 0; j < occurrence.n_right; j++) {
            if (numbers[j] >= n_links)
                continue;
            tallies[numbers[j]].p[DPL__LEFT] += of_right[j];
            tallies[numbers[j]].p[DPL__RIGHT] += of_left;
        }
    }
}

static dpl_status sum_words(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const pass *p = user;
    const dpl__tasks *tasks = &p->t->link_ids.occurrences.tasks;
    for (size_t w = tasks->data[task]; w < tasks->data[task + 1]; w++)
        sum_word(p, (uint32_t)w);
    return DPL_OK;
}

static dpl_status run_block(pass *p, dpl_error *err)
{
    const dpl__link_ids *c = &p->t->link_ids;
    size_t n[2];
    for (int side = 0; side < 2; side++) {
        const uint64_t *begin = p->t->corpus->side[side].begin;
        n[side] = (size_t)(begin[c->end] - begin[c->first]) * sizeof *p->inverse[side];
        p->inverse[side] = dpl__alloc(c->ctx, n[side]);
    }
    dpl_status status = DPL_OK;
    if ((n[DPL__LEFT] && !p->inverse[DPL__LEFT]) || (n[DPL__RIGHT] && !p->inverse[DPL__RIGHT]))
        status = dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = dpl__parallel_for(c->ctx, dpl__tasks_n(&c->tasks), p, sum_rows, err);
    if (status == DPL_OK)
        status =
            dpl__parallel_for(c->ctx, dpl__tasks_n(&c->occurrences.tasks), p, sum_words, err);
    for (int side = 0; side < 2; side++)
        dpl__free(c->ctx, p->inverse[side], n[side]);
    return status;
}

/* Sums become counts. */
static dpl_status multiply(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    dpl__trainer *t = user;
    const dpl__wordmodel *m = t->model;
    for (uint64_t k = m->begin[t->tasks.data[task]]; k < m->begin[t->tasks.data[task + 1]]; k++)
        for (int side = 0; side < 2; side++)
            t->tallies[k].p[side] *= m->links[k].p[side];
    return DPL_OK;
}

dpl_status dpl__model1_expect(dpl__trainer *t, double log_p[2], dpl_error *err)
{
    pass p = {.t = t};
    size_t row = 0;
    dpl_status status;
    while ((status = dpl__trainer_next(t, &row, err)) == DPL_OK)
        DPL_TRY(run_block(&p, err));
    if (status != DPL_END)
        return status;
    for (int side = 0; side < 2; side++)
        log_p[side] = (double)p.log_p[side] * 0x1p-20;
    return dpl__parallel_for(t->ctx, dpl__tasks_n(&t->tasks), t, multiply, err);
}
