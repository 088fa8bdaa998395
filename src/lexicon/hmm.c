/*
 * hmm.c - an iteration of the hidden Markov model in one pass over the rows.
 *
 * For each row the probabilities of its links are looked up, forward-backward runs in both
 * directions (src/kernels/chain.h), and a power of the product of both posteriors of a cell is
 * added to the count of its link. Products below least_agreement (params.h) are skipped. All
 * sums are integers, so the order in which threads add does not matter, and a row that occurs
 * several times is processed once. Processes of a shared run count a part of the rows each.
 *
 * The paper takes the product of the posteriors; posterior_exponent (params.h) gives uncertain
 * cells less weight. By AER the mean, the minimum, the plain product and the square are worse.
 */
#include "lexicon/hmm.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "io/shared_run.h"
#include "kernels/kernels.h"
#include "lexicon/divided_step.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/symmetrize.h"
#include "par/pool.h"

#include <math.h>

/* ---- jumps -------------------------------------------------------------------------- */

static double jump_of(const dpl__wordmodel *m, int given, ptrdiff_t d)
{
    ptrdiff_t most = DPL__JUMP_MOST, k = d < -most ? -most : d > most ? most : d;
    return m->jumps[given][most + k];
}

/* leave: (1 - p_empty) / the probability of the jumps from a state that stay within the row. */
static void fill_leave(const dpl__hmm *h, int given, float *leave, size_t n, size_t stride)
{
    const double *sums = h->sums[given];
    double p = 1 - h->model->p_empty[given];
    for (size_t i = 0; i < stride; i++) {
        ptrdiff_t at = (ptrdiff_t)i, last = (ptrdiff_t)n - at;
        leave[i] = i <= n ? (float)(p / (sums[last] - sums[-at])) : 0;
    }
}

/* leave is precomputed for rows of fewer words than this. */
enum { N_PRECOMPUTED = 64 };

static void precompute_leave(dpl__hmm *h, float *out)
{
    for (int given = 0; given < 2; given++) {
        h->leave[given] = out + (size_t)given * N_PRECOMPUTED * N_PRECOMPUTED;
        for (size_t n = 0; n < N_PRECOMPUTED && n <= h->max_tokens; n++)
            fill_leave(h, given, out + ((size_t)given * N_PRECOMPUTED + n) * N_PRECOMPUTED, n,
                       N_PRECOMPUTED);
    }
}

/* Precomputed values for a row of n words; NULL: too many words. */
static const float *precomputed_leave(const dpl__hmm *h, int given, size_t n)
{
    return n < N_PRECOMPUTED ? h->leave[given] + n * N_PRECOMPUTED : NULL;
}

dpl_status dpl__hmm_init(dpl__hmm *h, dpl_ctx *ctx, const dpl__wordmodel *model,
                         size_t max_tokens, dpl_error *err)
{
    ptrdiff_t most = (ptrdiff_t)max_tokens + 2 * DPL__CHAIN_LANES;
    size_t n = 2 * (size_t)most + 1, n_floats = (n + 1) / 2 * 2;
    *h = (dpl__hmm){.ctx = ctx, .model = model, .max_tokens = max_tokens};
    h->n_bytes = 2 * ((2 * n_floats + N_PRECOMPUTED * N_PRECOMPUTED) * sizeof(float) +
                      n * sizeof(double));
    h->buffer = dpl__alloc(ctx, h->n_bytes);
    DPL_TRY(dpl__need(h->buffer, err));
    double *sums =
        (double *)(void *)(h->buffer + 4 * n_floats + 2 * N_PRECOMPUTED * N_PRECOMPUTED);
    for (int given = 0; given < 2; given++) {
        float *jumps = h->buffer + (size_t)(2 * given) * n_floats + most,
              *back = jumps + n_floats;
        double total = 0, sum = 0, *s = sums + (size_t)given * n + most;
        for (size_t k = 0; k < DPL__JUMPS; k++)
            total += model->jumps[given][k];
        assert(total > 0);
        for (ptrdiff_t d = -most; d <= most; d++) {
            jumps[d] = (float)(jump_of(model, given, d) / total);
            back[-d] = jumps[d];
            s[d] = sum += (double)jumps[d];
        }
        h->jumps[given] = jumps;
        h->back[given] = back;
        h->sums[given] = s;
    }
    precompute_leave(h, h->buffer + 4 * n_floats);
    return DPL_OK;
}

void dpl__hmm_clear(dpl__hmm *h)
{
    if (h->ctx)
        dpl__free(h->ctx, h->buffer);
    *h = (dpl__hmm){0};
}

/* ---- one row ------------------------------------------------------------------------ */

enum { ALIGN = 64 };

size_t dpl__hmm_row_bytes(size_t max_tokens)
{
    size_t lanes = DPL__CHAIN_LANES;
    size_t stride = (max_tokens + lanes) / lanes * lanes, matrix = max_tokens * stride;
    size_t steps = (max_tokens + lanes - 1) / lanes * lanes;
    return 2 * (4 * matrix + 2 * steps + 3 * stride) * sizeof(float) + ALIGN;
}

dpl_status dpl__hmm_row_init(dpl__hmm_row *row, const dpl__hmm *h, dpl_error *err)
{
    *row = (dpl__hmm_row){.hmm = h};
    row->n_bytes = dpl__hmm_row_bytes(h->max_tokens);
    row->buffer = dpl__alloc(h->ctx, row->n_bytes);
    DPL_TRY(dpl__need(row->buffer, err));
    memset(row->buffer, 0, row->n_bytes);
    return DPL_OK;
}

void dpl__hmm_row_clear(dpl__hmm_row *row)
{
    if (row->hmm)
        dpl__free(row->hmm->ctx, row->buffer);
    *row = (dpl__hmm_row){0};
}

/* n floats from the buffer, which begin on a cache line. */
static float *take(char **at, size_t n)
{
    float *p = (float *)(void *)*at;
    *at += n * sizeof *p;
    return p;
}

typedef struct inputs {
    float *emit[2], *empty[2];
} inputs;

/* Divides the buffer for a row, without gaps: short rows use few cache lines. */
static void lay_out(dpl__hmm_row *row, inputs *in)
{
    assert(row->n[0] <= row->hmm->max_tokens && row->n[1] <= row->hmm->max_tokens);
    size_t lanes = DPL__CHAIN_LANES;
    char *at = row->buffer;
    at += (ALIGN - (uintptr_t)at % ALIGN) % ALIGN;
    for (int given = 0; given < 2; given++) {
        size_t n_states = row->n[given] + 1, n_steps = row->n[!given];
        size_t stride = (n_states + lanes - 1) / lanes * lanes, matrix = stride * n_steps;
        size_t steps = (n_steps + lanes - 1) / lanes * lanes;
        in->emit[given] = take(&at, matrix);
        in->empty[given] = take(&at, steps);
        float *leave = take(&at, stride);
        const float *known = precomputed_leave(row->hmm, given, n_states - 1);
        if (!known)
            fill_leave(row->hmm, given, leave, n_states - 1, stride);
        row->chain[given] = (dpl__chain){.n_states = n_states,
                                         .n_steps = n_steps,
                                         .stride = stride,
                                         .emit = in->emit[given],
                                         .empty = in->empty[given],
                                         .leave = known ? known : leave,
                                         .jumps = row->hmm->jumps[given],
                                         .back = row->hmm->back[given],
                                         .posterior = take(&at, matrix),
                                         .scale = take(&at, steps),
                                         .from = take(&at, matrix),
                                         .into = take(&at, matrix),
                                         .row = take(&at, 2 * stride)};
    }
}

static void fill_empty(const dpl__hmm *h, int given, float *empty, const uint32_t *words,
                       size_t n)
{
    const dpl__wordmodel *m = h->model;
    float p = (float)m->p_empty[given];
    for (size_t j = 0; j < n; j++)
        empty[j] = words[j] < m->n_words[!given] ? p * m->empty[given][words[j]] : 0;
}

static void fill_emit(const dpl__hmm_row *row, const inputs *in, const uint32_t *numbers)
{
    const dpl__link_p *links = row->hmm->model->links;
    size_t n_left = row->n[DPL__LEFT], n_right = row->n[DPL__RIGHT];
    size_t strides[2] = {row->chain[DPL__LEFT].stride, row->chain[DPL__RIGHT].stride};
    for (size_t j = 0; j < n_right; j++) {
        float *emit = in->emit[DPL__LEFT] + j * strides[DPL__LEFT];
        emit[0] = 0;
        for (size_t i = n_left + 1; i < strides[DPL__LEFT]; i++)
            emit[i] = 0;
    }
    for (size_t i = 0; i < n_left; i++, numbers += n_right) {
        float *emit = in->emit[DPL__RIGHT] + i * strides[DPL__RIGHT],
              *column = in->emit[DPL__LEFT] + i + 1;
        emit[0] = 0;
        for (size_t j = 0; j < n_right; j++) {
            dpl__link_p link = links[numbers[j]];
            emit[j + 1] = link.p[DPL__RIGHT];
            column[j * strides[DPL__LEFT]] = link.p[DPL__LEFT];
        }
        for (size_t j = n_right + 1; j < strides[DPL__RIGHT]; j++)
            emit[j] = 0;
    }
}

void dpl__hmm_row_infer(dpl__hmm_row *row, const uint32_t *left, size_t n_left,
                        const uint32_t *right, size_t n_right, const uint32_t *numbers)
{
    inputs in;
    const uint32_t *words[2] = {left, right};
    row->n[DPL__LEFT] = n_left;
    row->n[DPL__RIGHT] = n_right;
    lay_out(row, &in);
    fill_emit(row, &in, numbers);
    for (int given = 0; given < 2; given++)
        fill_empty(row->hmm, given, in.empty[given], words[!given], row->n[!given]);
    row->hmm->ctx->kernels->chains(row->chain);
}

/* The predecessor of a state at a step: a state, or itself when the word is unaligned. */
enum { FROM_EMPTY = UINT16_MAX };

/* One Viterbi step: the best path into each state, from the best paths of the step before. */
static void best_step(const dpl__chain *c, size_t step, float *best, const float *before,
                      uint16_t *from)
{
    const float *emit = c->emit + step * c->stride;
    for (size_t i = 0; i < c->n_states; i++) {
        best[i] = before[i] * c->empty[step];
        from[i] = FROM_EMPTY;
        for (size_t k = 0; k < c->n_states && i > 0; k++) {
            float p = before[k] * c->leave[k] * c->jumps[(ptrdiff_t)i - (ptrdiff_t)k] * emit[i];
            if (p > best[i]) {
                best[i] = p;
                from[i] = (uint16_t)k;
            }
        }
    }
}

static size_t highest(const float *x, size_t n)
{
    size_t at = 0;
    for (size_t i = 1; i < n; i++)
        if (x[i] > x[at])
            at = i;
    return at;
}

void dpl__hmm_row_viterbi(dpl__hmm_row *row, int given, uint32_t *out)
{
    const dpl__chain *c = &row->chain[given];
    uint16_t *from = (uint16_t *)(void *)c->into;
    float *best = c->row, *before = c->row + c->stride;
    for (size_t i = 0; i < c->n_states; i++)
        before[i] = i == 0;
    for (size_t step = 0; step < c->n_steps; step++) {
        best_step(c, step, best, before, from + step * c->stride);
        float most = best[highest(best, c->n_states)];
        for (size_t i = 0; i < c->n_states; i++)
            before[i] = most > 0 ? best[i] / most : 1;
    }
    size_t state = highest(before, c->n_states);
    for (size_t step = c->n_steps; step-- > 0;) {
        uint16_t k = from[step * c->stride + state];
        out[step] = k == FROM_EMPTY ? DPL__UNALIGNED : (uint32_t)(state - 1);
        state = k == FROM_EMPTY ? state : k;
    }
}

/* ---- all rows ----------------------------------------------------------------------- */

typedef struct worker {
    dpl__hmm_row row;
    float *sums;  /* of one row: sum of the posteriors of each right word */
    float *jumps; /* of one row and direction; zero but for them */
    int64_t jump_counts[2][DPL__JUMPS]; /* in units of 2^-32 */
    int64_t log_p[2];                   /* in units of 2^-20 */
    uint64_t *empty[2];                 /* the trainer's */
} worker;

typedef struct pass {
    dpl__trainer *t;
    dpl__hmm hmm;
    worker *workers;
    size_t n_jumps; /* floats in a worker's jumps */
    bool has_taken; /* counts of other parts of the rows */
} pass;

/* The count of a cell. The default exponent needs no pow() in the innermost loop. */
static inline float joint_count(float product)
{
    const double exponent = DPL__P(lexicon, posterior_exponent);
    return exponent == 1.5 ? product * sqrtf(product)
                           : (float)dpl__pow((double)product, exponent);
}

/* Adds the joint posterior of each cell to its link, and the rest of each word to the empty
 * word. */
static void add_links(dpl__trainer *t, worker *w, const uint32_t *left, const uint32_t *right,
                      const uint32_t *numbers, uint64_t times)
{
    const dpl__chain *of_left = &w->row.chain[DPL__LEFT], *of_right = &w->row.chain[DPL__RIGHT];
    size_t n_left = w->row.n[DPL__LEFT], n_right = w->row.n[DPL__RIGHT];
    uint64_t n_links = t->model->n_links;
    /* smaller products are skipped: most cells, and a random memory access each */
    const float least_product = (float)DPL__P(lexicon, least_agreement);
    memset(w->sums, 0, n_right * sizeof *w->sums);
    for (size_t i = 0; i < n_left; i++) {
        const float *p = of_left->posterior + i + 1,
                    *q = of_right->posterior + i * of_right->stride + 1;
        float sum = 0;
        for (size_t j = 0; j < n_right; j++, numbers++) {
            float x = p[j * of_left->stride], product = x * q[j];
            w->sums[j] += x;
            sum += q[j];
            if (product >= least_product && *numbers < n_links)
                dpl__count_add(&t->tallies[*numbers].count, joint_count(product), times);
        }
        if (sum < 1)
            w->empty[DPL__RIGHT][left[i]] += times * dpl__count_units(1 - sum);
    }
    for (size_t j = 0; j < n_right; j++)
        if (w->sums[j] < 1)
            w->empty[DPL__LEFT][right[j]] += times * dpl__count_units(1 - w->sums[j]);
}

static void add_jumps(const pass *p, worker *w, int given, int64_t times)
{
    const dpl__chain *c = &w->row.chain[given];
    float *jumps = w->jumps + p->n_jumps / 2;
    ptrdiff_t n = (ptrdiff_t)c->n_states, most = DPL__JUMP_MOST;
    p->t->ctx->kernels->chain_jumps(jumps, c);
    for (ptrdiff_t d = -n; d <= n; d++) {
        ptrdiff_t k = d < -most ? -most : d > most ? most : d;
        w->jump_counts[given][most + k] += times * (int64_t)(jumps[d] * 0x1p32f);
        jumps[d] = 0;
    }
}

static int64_t log_of_scales(const dpl__chain *c)
{
    double sum = 0, product = 1;
    for (size_t j = 0; j < c->n_steps; j++) {
        product *= (double)c->scale[j];
        if (product < 1e-200) {
            sum += dpl__log(product);
            product = 1;
        }
    }
    return (int64_t)((sum + dpl__log(product)) * 0x1p20);
}

static void count_row(const pass *p, worker *w, size_t number, uint32_t times)
{
    dpl__trainer *t = p->t;
    const uint32_t *words[2], *numbers = dpl__link_ids_row(&t->link_ids, number);
    size_t n[2];
    for (int side = 0; side < 2; side++) {
        words[side] = dpl__encoded_tokens(t->corpus, side, number);
        n[side] = dpl__encoded_length(t->corpus, side, number);
    }
    dpl__hmm_row_infer(&w->row, words[DPL__LEFT], n[DPL__LEFT], words[DPL__RIGHT],
                       n[DPL__RIGHT], numbers);
    add_links(t, w, words[DPL__LEFT], words[DPL__RIGHT], numbers, times);
    for (int given = 0; given < 2; given++) {
        add_jumps(p, w, given, times);
        w->log_p[given] += (int64_t)times * log_of_scales(&w->row.chain[given]);
    }
}

static dpl_status count_rows(void *user, size_t task, unsigned number, dpl_error *err)
{
    (void)err;
    pass *p = user;
    const dpl__link_ids *c = &p->t->link_ids;
    for (size_t k = c->tasks.data[task]; k < c->tasks.data[task + 1]; k++) {
        uint32_t times = p->t->times ? p->t->times[c->first + k] : 1;
        if (times && c->begin[k + 1] > c->begin[k])
            count_row(p, &p->workers[number], c->first + k, times);
    }
    return DPL_OK;
}

/* ---- shared with other processes ------------------------------------------------------ */

/* Counts of all workers become those of the first. */
static void gather_counts(pass *p)
{
    const dpl__trainer *t = p->t;
    worker *first = &p->workers[0];
    for (unsigned i = 1; i < dpl_ctx_threads(t->ctx); i++) {
        worker *w = &p->workers[i];
        for (int side = 0; side < 2; side++) {
            for (size_t k = 0; k < DPL__JUMPS; k++)
                first->jump_counts[side][k] += w->jump_counts[side][k];
            first->log_p[side] += w->log_p[side];
            for (uint32_t k = 0; k < t->model->n_words[!side]; k++)
                first->empty[side][k] += w->empty[side][k];
            memset(w->empty[side], 0, t->model->n_words[!side] * sizeof *w->empty[side]);
        }
        memset(w->jump_counts, 0, sizeof w->jump_counts);
        memset(w->log_p, 0, sizeof w->log_p);
    }
}

typedef struct counted {
    uint32_t number[2]; /* of a word or a link, then zero */
    uint64_t count;
} counted;

static bool put_count(const pass *p, dpl__bytes *out, size_t number, uint64_t count)
{
    const counted c = {{(uint32_t)number, 0}, count};
    return !count || dpl__vec_append(p->t->ctx, out, (const char *)&c, sizeof c);
}

static bool put_end(const pass *p, dpl__bytes *out)
{
    const counted c = {{UINT32_MAX, 0}, 0};
    return dpl__vec_append(p->t->ctx, out, (const char *)&c, sizeof c);
}

static bool put_link(const pass *p, dpl__bytes *out, uint64_t link)
{
    dpl__count *count = &p->t->tallies[link].count;
    const uint64_t n = atomic_load_explicit(count, memory_order_relaxed);
    if (n)
        atomic_store_explicit(count, 0, memory_order_relaxed);
    return put_count(p, out, link, n);
}

/* All counts, which are zero then; of n links, or NULL: of all. */
static bool put_counts(pass *p, dpl__bytes *out, const uint32_t *links, size_t n)
{
    dpl__trainer *t = p->t;
    worker *w = &p->workers[0];
    gather_counts(p);
    bool has_room =
        dpl__vec_append(t->ctx, out, (const char *)w->jump_counts, sizeof w->jump_counts) &&
        dpl__vec_append(t->ctx, out, (const char *)w->log_p, sizeof w->log_p);
    memset(w->jump_counts, 0, sizeof w->jump_counts);
    memset(w->log_p, 0, sizeof w->log_p);
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k < t->model->n_words[!side]; k++) {
            has_room = has_room && put_count(p, out, k, w->empty[side][k]);
            w->empty[side][k] = 0;
        }
        has_room = has_room && put_end(p, out);
    }
    const uint64_t n_links = links ? n : t->model->n_links;
    for (uint64_t k = 0; k < n_links && has_room; k++)
        has_room = put_link(p, out, links ? links[k] : k);
    return has_room && put_end(p, out);
}

/* The next count; false: there is none of an array of n. */
static bool get_count(counted *out, const char **data, size_t *n_bytes, uint64_t n)
{
    *out = (counted){{UINT32_MAX, 0}, 0};
    if (*n_bytes < sizeof *out)
        return false;
    memcpy(out, *data, sizeof *out);
    *data += sizeof *out;
    *n_bytes -= sizeof *out;
    return out->number[0] < n;
}

/* Adds them. */
static dpl_status get_counts(const pass *p, const char *data, size_t n, dpl_error *err)
{
    dpl__trainer *t = p->t;
    worker *w = &p->workers[0];
    int64_t jumps[2][DPL__JUMPS], log_p[2];
    counted c;
    if (n < sizeof jumps + sizeof log_p)
        return dpl__fail(err, DPL_E_FORMAT, "counts of another size");
    memcpy(jumps, data, sizeof jumps);
    memcpy(log_p, data + sizeof jumps, sizeof log_p);
    data += sizeof jumps + sizeof log_p;
    n -= sizeof jumps + sizeof log_p;
    for (int side = 0; side < 2; side++) {
        for (size_t k = 0; k < DPL__JUMPS; k++)
            w->jump_counts[side][k] += jumps[side][k];
        w->log_p[side] += log_p[side];
        while (get_count(&c, &data, &n, t->model->n_words[!side]))
            w->empty[side][c.number[0]] += c.count;
    }
    while (get_count(&c, &data, &n, t->model->n_links)) {
        dpl__divided_note_count(t->divided, c.number[0]);
        atomic_fetch_add_explicit(&t->tallies[c.number[0]].count, c.count,
                                  memory_order_relaxed);
    }
    return n == 0 ? DPL_OK : dpl__fail(err, DPL_E_FORMAT, "counts of another size");
}

/* Counts a part of the rows, beside what was taken of others. */
static dpl_status make_counts(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    pass *p = user;
    dpl_ctx *ctx = p->t->ctx;
    dpl__link_ids *ids = &p->t->link_ids;
    dpl__bytes taken = {0};
    const uint32_t *links;
    size_t n_links;
    dpl_status status = DPL_OK;
    if (p->has_taken && !put_counts(p, &taken, NULL, 0))
        DPL__STEP(dpl__fail_nomem(err));
    DPL__STEP(dpl__link_ids_load_rows(ids, dpl__trainer_part(p->t, chunk),
                                      dpl__trainer_part(p->t, chunk + 1), err));
    DPL__STEP(dpl__divided_links(&links, &n_links, p->t->divided, chunk, err));
    DPL__STEP(dpl__parallel_for(ctx, dpl__tasks_n(&ids->tasks), p, count_rows, err));
    DPL__STEP(dpl__need(put_counts(p, out, links, n_links), err));
    status = p->has_taken ? get_counts(p, taken.data, taken.n, err) : DPL_OK;
done:
    dpl__vec_clear(ctx, &taken);
    return status;
}

static dpl_status take_counts(void *user, size_t chunk, const char *data, size_t n,
                              dpl_error *err)
{
    pass *p = user;
    (void)chunk;
    p->has_taken = true;
    return get_counts(p, data, n, err);
}

/* Processes that help need the counts for the next iteration. */
static dpl_status count_shared(pass *p, dpl_error *err)
{
    const dpl__trainer *t = p->t;
    const dpl__shared_work work = {.name = "counts",
                                   .key = dpl__divided_key(t->divided),
                                   .n = dpl__shared_n(t->ctx),
                                   .user = p,
                                   .make = make_counts,
                                   .take = take_counts,
                                   .is_for_all = t->n_left > 0,
                                   .has_owners = true};
    return dpl__shared_work_run(t->ctx, &work, err);
}

/* ---- all rows, once --------------------------------------------------------------------- */

/* Both directions get the joint counts. */
static void store_links(dpl__trainer *t, uint64_t first, uint64_t end)
{
    for (uint64_t k = first; k < end; k++) {
        float count = (float)dpl__count_value(&t->tallies[k].count);
        t->tallies[k].p[DPL__LEFT] = t->tallies[k].p[DPL__RIGHT] = count;
    }
}

static void store_counts(void *user, size_t task)
{
    dpl__trainer *t = user;
    const uint64_t *begin = t->model->begin;
    store_links(t, begin[t->tasks.data[task]], begin[t->tasks.data[task + 1]]);
}

/* Expected counts of jumps, with a prior. */
static void count_jumps(const pass *p, int given)
{
    const double prior = DPL__P(lexicon, jump_prior);
    const dpl__wordmodel *start = p->t->options.start;
    for (size_t k = 0; k < DPL__JUMPS; k++) {
        int64_t count = 0;
        for (unsigned i = 0; i < dpl_ctx_threads(p->t->ctx); i++)
            count += p->workers[i].jump_counts[given][k];
        p->t->model->jumps[given][k] =
            (double)count * 0x1p-32 + (start ? start->jumps[given][k] : prior);
    }
}

static void end_pass(pass *p)
{
    dpl_ctx *ctx = p->t->ctx;
    for (unsigned i = 0; p->workers && i < dpl_ctx_threads(ctx); i++) {
        dpl__hmm_row_clear(&p->workers[i].row);
        dpl__free(ctx, p->workers[i].jumps, p->workers[i].sums);
    }
    dpl__free(ctx, p->workers);
    dpl__hmm_clear(&p->hmm);
}

/* The memory of a worker: many small tables, which are touched on all threads. */
static dpl_status begin_worker(void *user, size_t i, unsigned thread, dpl_error *err)
{
    const pass *p = user;
    const dpl__trainer *t = p->t;
    worker *w = &p->workers[i];
    (void)thread;
    for (int side = 0; side < 2; side++)
        w->empty[side] = dpl__trainer_empty(t, side, (unsigned)i);
    DPL_TRY(dpl__hmm_row_init(&w->row, &p->hmm, err));
    w->jumps = dpl__calloc(t->ctx, p->n_jumps, sizeof(float));
    w->sums = dpl__alloc(t->ctx, t->longest * sizeof(float));
    return dpl__need(w->jumps && (w->sums || !t->longest), err);
}

static dpl_status begin_pass(pass *p, dpl__trainer *t, dpl_error *err)
{
    size_t most = t->longest;
    *p = (pass){.t = t, .n_jumps = 2 * (most + 2 * DPL__CHAIN_LANES) + 1};
    DPL_TRY(dpl__hmm_init(&p->hmm, t->ctx, t->model, most, err));
    p->workers = dpl__calloc(t->ctx, dpl_ctx_threads(t->ctx), sizeof *p->workers);
    DPL_TRY(dpl__need(p->workers, err));
    return dpl__parallel_for(t->ctx, dpl_ctx_threads(t->ctx), p, begin_worker, err);
}

static dpl_status run_pass(pass *p, double log_p[2], dpl_error *err)
{
    dpl__trainer *t = p->t;
    size_t row = 0;
    dpl_status status;
    if (t->key) {
        DPL_TRY(dpl__divided_begin_counts(t->divided, err));
        DPL_TRY(count_shared(p, err));
    } else {
        while ((status = dpl__trainer_next(t, &row, err)) == DPL_OK)
            DPL_TRY(dpl__parallel_for(t->ctx, dpl__tasks_n(&t->link_ids.tasks), p, count_rows,
                                      err));
        if (status != DPL_END)
            return status;
    }
    for (int given = 0; given < 2; given++) {
        count_jumps(p, given);
        log_p[given] = 0;
        for (unsigned i = 0; i < dpl_ctx_threads(t->ctx); i++)
            log_p[given] += (double)p->workers[i].log_p[given] * 0x1p-20;
    }
    if (dpl__trainer_divides(t)) {
        DPL_TRY(dpl__trainer_normalize_empty(t, err));
        return dpl__divided_end_counts(t->divided, err);
    }
    return dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, store_counts, err);
}

dpl_status dpl__hmm_expect(dpl__trainer *t, double log_p[2], dpl_error *err)
{
    pass p;
    dpl_status status;
    DPL__STEP(begin_pass(&p, t, err));
    status = run_pass(&p, log_p, err);
done:
    end_pass(&p);
    return status;
}
