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
 * on all threads. Sums are added up in the order of the examples, so they do not depend on the
 * number of threads.
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
    double *centred;       /* of each example: its features less their means */
    double *slope, *curve; /* of each example: what it adds to gradient and Hessian */
    double *terms;         /* of each example, decoy or pair: what is to be added up */
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
    size_t n, block;
} passing;

static dpl_status run_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const passing *p = user;
    p->run(p->f, i * p->block, dpl__min((i + 1) * p->block, p->n));
    return DPL_OK;
}

/* A pass writes what depends on its own examples only: it may be run again. */
static void run_pass(fit *f, pass *run, size_t n, size_t block)
{
    passing p = {f, run, n, block};
    if (f->n_examples <= 2 * BLOCK ||
        dpl__parallel_for(f->ctx, (n + block - 1) / block, &p, run_block, NULL) != DPL_OK)
        run(f, 0, n);
}

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* ---- examples ----------------------------------------------------------------------- */

/* What is to be learnt from: right by the share y, and how much that counts. */
typedef struct example {
    const dpl__features *features;
    double y, weight;
    double times; /* it stands for so many */
} example;

static double decoy_weight(const fit *f, const dpl__decoy *d)
{
    double weight = 1;
    for (int side = 0; side < 2; side++)
        if (f->right && d->taken[side] != DPL__NO_PAIR)
            weight *= f->right[d->taken[side]];
    return weight;
}

/* Decoys come first. */
static example example_at(const fit *f, size_t i)
{
    if (i < f->n_looked[0]) {
        const dpl__decoy *d = &f->decoys[i * f->step[0]];
        return (example){&d->features, 0, decoy_weight(f, d), (double)f->step[0]};
    }
    i = (i - f->n_looked[0]) * f->step[1];
    return (example){&f->pairs[i], f->right ? f->right[i] : 1, 1, (double)f->step[1]};
}

static void scale_features(fit *f)
{
    dpl__confidence *m = f->model;
    double n = (double)f->n_examples;
    for (size_t k = 0; k < m->n_features; k++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < f->n_examples; i++)
            sum += example_at(f, i).features->x[k];
        m->mean[k] = sum / n;
        for (size_t i = 0; i < f->n_examples; i++) {
            double d = example_at(f, i).features->x[k] - m->mean[k];
            f->centred[i * m->n_features + k] = d;
            squares += d * d;
        }
        m->scale[k] = squares > 0 ? 1 / sqrt(squares / n) : 0;
    }
}

/* Of features less their means. */
static double log_odds_centred(const dpl__confidence *m, const double *centred)
{
    double z = m->bias, most = DPL__P(mine, most_log_odds);
    for (size_t k = 0; k < m->n_features; k++)
        z += m->weight[k] * centred[k] * m->scale[k];
    return z < -most ? -most : z > most ? most : z;
}

static double log_odds(const dpl__confidence *m, const dpl__features *x)
{
    double centred[DPL__MOST_FEATURES];
    for (size_t k = 0; k < m->n_features; k++)
        centred[k] = x->x[k] - m->mean[k];
    return log_odds_centred(m, centred);
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
    for (size_t i = begin; i < end; i++) {
        example e = example_at(f, i);
        double z = log_odds_centred(m, f->centred + i * m->n_features);
        f->terms[i] =
            e.times * e.weight * (e.y * z - (z > 0 ? z : 0) - dpl__log1p(dpl__exp(-fabs(z))));
    }
}

/* What is to be made as large as can be: the logarithm of how likely the examples are, less
 * what keeps the weights small. */
static double objective(fit *f)
{
    const dpl__confidence *m = f->model;
    run_pass(f, add_objective, f->n_examples, BLOCK);
    double sum = sum_of(f->terms, f->n_examples);
    for (size_t k = 0; k < m->n_features; k++)
        sum -= f->ridge / 2 * m->weight[k] * m->weight[k];
    return sum - DPL__P(mine, bias_ridge) / 2 * m->bias * m->bias;
}

static void find_slopes(fit *f, size_t begin, size_t end)
{
    const dpl__confidence *m = f->model;
    for (size_t i = begin; i < end; i++) {
        example e = example_at(f, i);
        double z = log_odds_centred(m, f->centred + i * m->n_features);
        double p = 1 / (1 + dpl__exp(-z)), weight = e.weight * e.times;
        f->slope[i] = weight * (e.y - p);
        f->curve[i] = weight * p * (1 - p);
    }
}

/* Rows [begin, end) of the Hessian, and as many of the gradient. */
static void add_rows(fit *f, size_t begin, size_t end)
{
    const dpl__confidence *m = f->model;
    size_t n = m->n_features;
    double scale[SIZE];
    for (size_t k = 0; k < n; k++)
        scale[k] = f->is_out[k] ? 0 : m->scale[k];
    for (size_t row = begin; row < end; row++) {
        double sums[SIZE] = {0}, slope = 0;
        for (size_t i = 0; i < f->n_examples; i++) {
            const double *centred = f->centred + i * n;
            double x = row ? centred[row - 1] * scale[row - 1] : 1, weighted = f->curve[i] * x;
            slope += f->slope[i] * x;
            sums[0] += weighted;
            for (size_t k = 0; k < n; k++)
                sums[k + 1] += weighted * (centred[k] * scale[k]);
        }
        f->gradient[row] = slope;
        memcpy(f->hessian[row], sums, sizeof sums);
    }
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
    run_pass(f, find_slopes, f->n_examples, BLOCK);
    run_pass(f, add_rows, n, 1);
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
    for (int half = 0; half < HALVES && after < before; half++) {
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

/* The odds are of right pairs against decoys and wrong pairs together; of these `wrong` are
 * pairs. Returns how many are right. */
static double expect(fit *f, double wrong)
{
    f->all = f->wrong = wrong;
    for (size_t i = 0; i < f->n[0]; i++)
        f->all += decoy_weight(f, &f->decoys[i]);
    run_pass(f, expect_pairs, f->n[1], BLOCK);
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
    run_pass(f, find_decoy_odds, f->n[0], BLOCK);
    for (int step = 0; step < SHARE_STEPS; step++) {
        double middle = (low + high) / 2;
        if (2 * count_up_to(f, f->n[0], middle) >= n_decoys)
            high = middle;
        else
            low = middle;
    }
    run_pass(f, find_pair_odds, f->n[1], BLOCK);
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
    run_pass(f, find_odds_against, f->n[1], BLOCK);
    double share = share_left(f, n_docs);
    if (f->n[0])
        share = at_least(share, share_below(f));
    for (size_t i = 0; i < f->n[1]; i++)
        f->p[i] = at_least(1 - share * f->p[i], 0);
    return sum_of(f->p, f->n[1]);
}

/* How many pairs are wrong when `right` are right: see above. */
static double count_wrong(const fit *f, double right)
{
    double decoys = 0, q = 1, n_pairs = (double)f->n[1];
    for (size_t i = 0; i < f->n[0]; i++) {
        const dpl__decoy *d = &f->decoys[i];
        bool is_known = d->taken[0] != DPL__NO_PAIR || d->taken[1] != DPL__NO_PAIR;
        decoys += is_known && f->right ? decoy_weight(f, d) : right / n_pairs;
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
    size_t n = f.n_examples, n_centred = n * in->n_features, n_terms = f.n[0] + f.n[1];
    f.centred = dpl__alloc(ctx, n_centred * sizeof *f.centred);
    f.slope = dpl__alloc(ctx, n * sizeof *f.slope);
    f.curve = dpl__alloc(ctx, n * sizeof *f.curve);
    f.terms = dpl__alloc(ctx, n_terms * sizeof *f.terms);
    bool has_memory = f.centred && f.slope && f.curve && f.terms;
    if (has_memory)
        find_model(&f, in->n_docs);
    dpl__free(ctx, f.terms, n_terms * sizeof *f.terms);
    dpl__free(ctx, f.curve, n * sizeof *f.curve);
    dpl__free(ctx, f.slope, n * sizeof *f.slope);
    dpl__free(ctx, f.centred, n_centred * sizeof *f.centred);
    return has_memory ? DPL_OK : dpl__fail_nomem(err);
}
