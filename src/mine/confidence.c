/*
 * confidence.c - a logistic model and the number of wrong pairs, by expectation and
 * maximization.
 *
 * Pairs are right ones and wrong ones, and the wrong ones look like decoys. Expectation: how
 * likely each pair is a right one, under the model. Maximization: weights that tell right
 * pairs, by these shares, from decoys and wrong pairs (Newton's method). A decoy counts as much
 * as the pairs that were taken away for it are right. It starts from believing in nothing that
 * decoys could explain, so what cannot be told apart is not believed in. Round by round it goes
 * by its own opinion a little more, and where pairs are few that ends in believing in all of
 * them: the fewer the pairs, the sooner it stops.
 *
 * Cost: some hundred passes over the features of at most MOST_FITTED pairs and as many decoys,
 * on all threads. Sums are those of blocks of examples, added up in their order, so they do not
 * depend on the number of threads.
 */
#include "mine/confidence.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "par/pool.h"

#include <math.h>

enum {
    SHARE_STEPS = 100,
    HALVES = 30,
    MOST_FITTED = 50000,
    SIZE = DPL__MOST_FEATURES + 1,
    BLOCK = 512 /* examples of a task: some ten microseconds */
};

/* A step that loses no more than this has lost it by rounding: it is not halved. */
static const double ROUNDING = 1e-7;

/* What a block of examples adds. */
typedef struct block_sums {
    double objective, gradient[SIZE], hessian[SIZE][SIZE]; /* from the diagonal on */
} block_sums;

typedef struct fit {
    dpl_ctx *ctx;
    dpl__confidence *model;
    const dpl__decoy *decoys;
    const dpl__features *pairs;
    uint32_t n_side[2];
    bool is_cautious;
    size_t n[2], step[2]; /* of decoys and pairs; every step-th of them is looked at */
    const double *right;  /* share of each pair; NULL: 1 */
    bool is_out[DPL__MOST_FEATURES];
    double ridge;
    size_t n_looked[2]; /* decoys and pairs that are looked at, together: */
    size_t n_examples;
    double *scaled;     /* of each example: its features less their means, scaled */
    double *y, *weight; /* of each example: right by this share, and how much that counts */
    double *z;          /* of each example: its log-odds under the model */
    double *terms;      /* of each decoy or pair: its log-odds */
    block_sums *sums;   /* of each block of examples */
    double hessian[SIZE][SIZE], gradient[SIZE];
    double *p, all, wrong; /* see expect() */
} fit;

static double at_least(double x, double least)
{
    return x > least ? x : least;
}

/* ---- passes ------------------------------------------------------------------------- */

/* Work on the examples or rows [begin, end). */
typedef void pass(fit *f, size_t begin, size_t end);

typedef struct passing {
    fit *f;
    pass *run;
    size_t n;
} passing;

static dpl_status run_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const passing *p = user;
    p->run(p->f, i * BLOCK, dpl__min((i + 1) * BLOCK, p->n));
    return DPL_OK;
}

/* Block by block. A pass writes what depends on its own examples only: it may be run again. */
static void run_pass(fit *f, pass *run, size_t n)
{
    passing p = {f, run, n};
    const size_t n_blocks = (n + BLOCK - 1) / BLOCK;
    if (f->n_examples <= 2 * BLOCK ||
        dpl__parallel_for(f->ctx, n_blocks, &p, run_block, NULL) != DPL_OK)
        for (size_t i = 0; i < n_blocks; i++)
            run_block(&p, i, 0, NULL);
}

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* ---- examples ----------------------------------------------------------------------- */

static double decoy_weight(const fit *f, const dpl__decoy *d)
{
    double weight = 1;
    for (int side = 0; side < 2; side++)
        if (f->right && d->taken[side] != DPL__NO_PAIR)
            weight *= f->right[d->taken[side]];
    return weight;
}

/* Decoys come first. */
static const dpl__features *features_at(const fit *f, size_t i)
{
    return i < f->n_looked[0] ? &f->decoys[i * f->step[0]].features
                              : &f->pairs[(i - f->n_looked[0]) * f->step[1]];
}

static void weigh_examples(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const bool is_pair = i >= f->n_looked[0];
        const size_t k = is_pair ? (i - f->n_looked[0]) * f->step[1] : i * f->step[0];
        f->y[i] = !is_pair ? 0 : f->right ? f->right[k] : 1;
        f->weight[i] =
            (double)f->step[is_pair] * (is_pair ? 1 : decoy_weight(f, &f->decoys[k]));
    }
}

static void scale_examples(fit *f, size_t begin, size_t end)
{
    const dpl__confidence *m = f->model;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < m->n_features; k++)
            f->scaled[i * m->n_features + k] =
                (features_at(f, i)->x[k] - m->mean[k]) * m->scale[k];
}

/* Mean and scale of a feature: sums in the order of the examples. */
static void scale_feature(void *user, size_t k)
{
    const fit *f = user;
    const double n = (double)f->n_examples;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < f->n_examples; i++)
        sum += features_at(f, i)->x[k];
    const double mean = f->model->mean[k] = sum / n;
    for (size_t i = 0; i < f->n_examples; i++) {
        const double d = features_at(f, i)->x[k] - mean;
        squares += d * d;
    }
    f->model->scale[k] = squares > 0 ? 1 / sqrt(squares / n) : 0;
}

static void scale_features(fit *f)
{
    const size_t n = f->model->n_features;
    if (f->n_examples <= 2 * BLOCK ||
        dpl__parallel_each(f->ctx, n, f, scale_feature, NULL) != DPL_OK)
        for (size_t k = 0; k < n; k++)
            scale_feature(f, k);
    run_pass(f, scale_examples, f->n_examples);
}

/* Of features less their means, scaled. */
static double log_odds_scaled(const dpl__confidence *m, const double *scaled)
{
    double z = m->bias, most = DPL__P(mine, most_log_odds);
    for (size_t k = 0; k < m->n_features; k++)
        z += m->weight[k] * scaled[k];
    return z < -most ? -most : z > most ? most : z;
}

static double log_odds(const dpl__confidence *m, const dpl__features *x)
{
    double scaled[DPL__MOST_FEATURES];
    for (size_t k = 0; k < m->n_features; k++)
        scaled[k] = (x->x[k] - m->mean[k]) * m->scale[k];
    return log_odds_scaled(m, scaled);
}

/* ---- maximisation ------------------------------------------------------------------- */

/* Solves a x = b for a positive definite matrix, in place; b becomes x. */
static void solve(double a[SIZE][SIZE], double b[SIZE], size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double factor = a[j][i] / a[i][i];
            for (size_t k = i; k < n; k++)
                a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
        }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

static void add_objective(fit *f, size_t begin, size_t end)
{
    const dpl__confidence *m = f->model;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        const double z = log_odds_scaled(m, f->scaled + i * m->n_features);
        f->z[i] = z;
        sum += f->weight[i] * (f->y[i] * z - (z > 0 ? z : 0) - dpl__log1p(dpl__exp(-fabs(z))));
    }
    f->sums[begin / BLOCK].objective = sum;
}

/* What is to be made as large as can be: the logarithm of how likely the examples are, less
 * what keeps the weights small. */
static double objective(fit *f)
{
    const dpl__confidence *m = f->model;
    double sum = 0;
    run_pass(f, add_objective, f->n_examples);
    for (size_t i = 0; i * BLOCK < f->n_examples; i++)
        sum += f->sums[i].objective;
    for (size_t k = 0; k < m->n_features; k++)
        sum -= f->ridge / 2 * m->weight[k] * m->weight[k];
    return sum - DPL__P(mine, bias_ridge) / 2 * m->bias * m->bias;
}

/* Gradient and Hessian of the examples, at the log-odds of the last objective. */
static void add_slopes(fit *f, size_t begin, size_t end)
{
    const size_t n = f->model->n_features + 1;
    block_sums *sums = &f->sums[begin / BLOCK];
    double x[SIZE] = {1};
    memset(sums->gradient, 0, sizeof sums->gradient);
    memset(sums->hessian, 0, sizeof sums->hessian);
    for (size_t i = begin; i < end; i++) {
        const double p = 1 / (1 + dpl__exp(-f->z[i])), slope = f->weight[i] * (f->y[i] - p),
                     curve = f->weight[i] * p * (1 - p);
        for (size_t k = 1; k < n; k++)
            x[k] = f->is_out[k - 1] ? 0 : f->scaled[i * (n - 1) + k - 1];
        for (size_t row = 0; row < n; row++) {
            const double weighted = curve * x[row];
            sums->gradient[row] += slope * x[row];
            for (size_t k = row; k < n; k++)
                sums->hessian[row][k] += weighted * x[k];
        }
    }
}

static void find_slopes(fit *f)
{
    const size_t n = f->model->n_features + 1;
    memset(f->gradient, 0, sizeof f->gradient);
    memset(f->hessian, 0, sizeof f->hessian);
    run_pass(f, add_slopes, f->n_examples);
    for (size_t i = 0; i * BLOCK < f->n_examples; i++)
        for (size_t row = 0; row < n; row++) {
            f->gradient[row] += f->sums[i].gradient[row];
            for (size_t k = row; k < n; k++)
                f->hessian[row][k] += f->sums[i].hessian[row][k];
        }
    for (size_t row = 0; row < n; row++)
        for (size_t k = 0; k < row; k++)
            f->hessian[row][k] = f->hessian[k][row];
}

static void move(dpl__confidence *m, const double step[SIZE], double by)
{
    m->bias += by * step[0];
    for (size_t k = 0; k < m->n_features; k++)
        m->weight[k] += by * step[k + 1];
}

/* One step towards the weights under which the examples are likeliest, as far as it is one
 * upwards from the objective `before`; returns the new one. */
static double newton_step(fit *f, double before)
{
    dpl__confidence *m = f->model;
    size_t n = m->n_features + 1;
    double *step = f->gradient;
    find_slopes(f);
    for (size_t k = 0; k < n; k++) {
        f->hessian[k][k] += k ? f->ridge : DPL__P(mine, bias_ridge);
        step[k] -= k ? f->ridge * m->weight[k - 1] : DPL__P(mine, bias_ridge) * m->bias;
    }
    solve(f->hessian, step, n);
    for (size_t k = 1; k < n; k++)
        if (f->is_out[k - 1])
            step[k] = 0;
    double by = 1;
    move(m, step, by);
    double after = objective(f);
    for (int half = 0; half < HALVES && after < before - ROUNDING; half++) {
        move(m, step, -by / 2);
        by /= 2;
        after = objective(f);
    }
    return after;
}

/* A feature that would count against a pair is left out from now on. */
static void find_weights(fit *f, int n_steps)
{
    dpl__confidence *m = f->model;
    run_pass(f, weigh_examples, f->n_examples);
    for (;;) {
        double before = objective(f), gain = 1;
        for (int i = 0; i < n_steps && gain > 1e-6; i++) {
            double after = newton_step(f, before);
            gain = after - before;
            before = after;
        }
        size_t worst = m->n_features;
        for (size_t k = 0; k < m->n_features; k++)
            if (m->weight[k] < 0 && (worst == m->n_features || m->weight[k] < m->weight[worst]))
                worst = k;
        if (worst == m->n_features)
            return;
        f->is_out[worst] = true;
        m->weight[worst] = 0;
    }
}

/* ---- expectation -------------------------------------------------------------------- */

static void expect_pairs(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        double odds = dpl__exp(log_odds(f->model, &f->pairs[i])) * f->all;
        f->p[i] = odds / (odds + f->wrong);
    }
}

static void weigh_decoys(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        f->terms[i] = decoy_weight(f, &f->decoys[i]);
}

/* The odds are of right pairs against decoys and wrong pairs together; of these `wrong` are
 * pairs. Returns how many are right. */
static double expect(fit *f, double wrong)
{
    f->all = f->wrong = wrong;
    run_pass(f, weigh_decoys, f->n[0]);
    for (size_t i = 0; i < f->n[0]; i++)
        f->all += f->terms[i];
    run_pass(f, expect_pairs, f->n[1]);
    return sum_of(f->p, f->n[1]);
}

static void find_decoy_odds(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        f->terms[i] = log_odds(f->model, &f->decoys[i].features);
}

static void find_pair_odds(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        f->terms[i] = log_odds(f->model, &f->pairs[i]);
}

/* How many of the terms are at most z. */
static double count_up_to(const fit *f, size_t n, double z)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += f->terms[i] <= z;
    return (double)count;
}

/* Half of the wrong pairs are where half of the decoys are, and hardly a right one is there
 * (Storey 2002). Returns how many wrong pairs there are for each decoy. */
static double share_below(fit *f)
{
    double low = -DPL__P(mine, most_log_odds) - 1, high = DPL__P(mine, most_log_odds),
           n_decoys = (double)f->n[0];
    run_pass(f, find_decoy_odds, f->n[0]);
    for (int step = 0; step < SHARE_STEPS; step++) {
        double middle = (low + high) / 2;
        if (2 * count_up_to(f, f->n[0], middle) >= n_decoys)
            high = middle;
        else
            low = middle;
    }
    run_pass(f, find_pair_odds, f->n[1]);
    return 2 * count_up_to(f, f->n[1], high) / n_decoys;
}

/* Odds against each pair, for the next two. */
static void find_odds_against(fit *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        f->p[i] = dpl__exp(-log_odds(f->model, &f->pairs[i]));
}

/* Decoys were chosen for all documents, wrong pairs for the share that has no counterpart only,
 * and that share is what right pairs leave over. Of the shares that fit, the largest. */
static double share_left(const fit *f, uint32_t n_docs)
{
    double alone = 1;
    for (int step = 0; step < SHARE_STEPS; step++) {
        double right = 0, before = alone;
        for (size_t i = 0; i < f->n[1]; i++)
            right += at_least(1 - alone * f->p[i], 0);
        alone = at_least(1 - right / n_docs, 0);
        if (alone >= before && alone <= before)
            break; /* and so would be all that follow */
    }
    return alone;
}

/* Before right and wrong pairs are told apart. Of two estimates of how many are wrong the
 * larger one: what cannot be told apart is not believed in. Returns how many are right. */
static double expect_first(fit *f, uint32_t n_docs)
{
    run_pass(f, find_odds_against, f->n[1]);
    double share = share_left(f, n_docs);
    if (f->n[0])
        share = at_least(share, share_below(f));
    for (size_t i = 0; i < f->n[1]; i++)
        f->p[i] = at_least(1 - share * f->p[i], 0);
    return sum_of(f->p, f->n[1]);
}

/* How many pairs are wrong when `right` are right: see above. */
static double count_wrong(fit *f, double right)
{
    double decoys = 0, q = 1, n_pairs = (double)f->n[1];
    run_pass(f, weigh_decoys, f->n[0]);
    for (size_t i = 0; i < f->n[0]; i++) {
        const dpl__decoy *d = &f->decoys[i];
        bool is_known = d->taken[0] != DPL__NO_PAIR || d->taken[1] != DPL__NO_PAIR;
        decoys += is_known && f->right ? f->terms[i] : right / n_pairs;
    }
    for (int side = 0; side < 2; side++) {
        double n = (double)f->n_side[side];
        q *= at_least(n - right, 0) / at_least(n - right * 2 / 3, 1);
    }
    double wrong = q < 1 ? decoys / 3 * q / (1 - q) : n_pairs;
    return wrong < n_pairs ? wrong : n_pairs;
}

/* ---- fitting ------------------------------------------------------------------------ */

static void find_model(fit *f, uint32_t n_docs)
{
    size_t n_pairs = f->n[1], n_decoys = f->n[0];
    scale_features(f);
    f->ridge = DPL__P(mine, first_ridge) * (double)(n_pairs + n_decoys);
    find_weights(f, (int)DPL__P(mine, first_steps));
    double right = expect_first(f, n_docs);
    f->right = f->p;
    f->ridge = DPL__P(mine, next_ridge);
    size_t n_rounds = dpl__min(n_pairs / (size_t)DPL__P(mine, pairs_per_em_round),
                               (size_t)DPL__P(mine, em_rounds));
    for (size_t round = 0; round < n_rounds; round++) {
        find_weights(f, (int)DPL__P(mine, next_steps));
        double wrong = f->n_side[0] && !f->is_cautious ? 0 : (double)n_pairs - right;
        if (f->n_side[0])
            wrong = at_least(wrong, count_wrong(f, right));
        right = expect(f, at_least(wrong, 0.5));
    }
    f->model->alone = at_least(1 - right / n_docs, 0);
    for (size_t i = 0; i < n_pairs; i++) /* no surer than so many examples allow (Laplace) */
        f->p[i] = (f->p[i] * (double)n_decoys + 0.5) / ((double)n_decoys + 1);
}

dpl_status dpl__confidence_fit(dpl__confidence *out, double *p, dpl_ctx *ctx,
                               const dpl__confidence_input *in, dpl_error *err)
{
    assert(in->n_features <= DPL__MOST_FEATURES && in->n_docs > 0);
    *out = (dpl__confidence){.n_features = in->n_features};
    fit f = {.ctx = ctx,
             .model = out,
             .decoys = in->decoys,
             .pairs = in->pairs,
             .n = {in->n_decoys, in->n_pairs},
             .n_side = {in->n_side[0], in->n_side[1]},
             .is_cautious = in->is_cautious,
             .p = p};
    if (in->n_pairs == 0)
        return DPL_OK;
    for (int c = 0; c < 2; c++) {
        f.step[c] = f.n[c] / MOST_FITTED + 1;
        f.n_looked[c] = (f.n[c] + f.step[c] - 1) / f.step[c];
    }
    f.n_examples = f.n_looked[0] + f.n_looked[1];
    const size_t n = f.n_examples, n_scaled = n * in->n_features, n_terms = f.n[0] + f.n[1],
                 n_blocks = (n + BLOCK - 1) / BLOCK;
    f.scaled = dpl__alloc(ctx, n_scaled * sizeof *f.scaled);
    f.y = dpl__alloc(ctx, n * sizeof *f.y);
    f.weight = dpl__alloc(ctx, n * sizeof *f.weight);
    f.z = dpl__alloc(ctx, n * sizeof *f.z);
    f.terms = dpl__alloc(ctx, n_terms * sizeof *f.terms);
    f.sums = dpl__alloc(ctx, n_blocks * sizeof *f.sums);
    bool has_memory = f.scaled && f.y && f.weight && f.z && f.terms && f.sums;
    if (has_memory)
        find_model(&f, in->n_docs);
    dpl__free(ctx, f.sums, f.terms, f.z, f.weight, f.y, f.scaled);
    return has_memory ? DPL_OK : dpl__fail_nomem(err);
}
