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
 * Cost: some hundred passes over the features of at most MOST_FITTED pairs and decoys.
 */
#include "mine/confidence.h"

#include "base/maths.h"
#include "mine/params.h"

#include <math.h>

enum { SHARE_STEPS = 100, HALVES = 30, MOST_FITTED = 50000, SIZE = DPL__MOST_FEATURES + 1 };

typedef struct fit {
    dpl__confidence *model;
    const dpl__decoy *decoys;
    const dpl__features *pairs;
    size_t n[2], step[2]; /* of decoys and pairs; every step-th of them is looked at */
    const double *right;  /* share of each pair; NULL: 1 */
    bool is_out[DPL__MOST_FEATURES];
    double ridge;
} fit;

static double at_least(double x, double least)
{
    return x > least ? x : least;
}

/* What is to be learnt from: right by the share y, and how much that counts. */
typedef struct example {
    const dpl__features *features;
    double y, weight;
} example;

static double decoy_weight(const fit *f, const dpl__decoy *d)
{
    double weight = 1;
    for (int side = 0; side < 2; side++)
        if (f->right && d->taken[side] != DPL__NO_PAIR)
            weight *= f->right[d->taken[side]];
    return weight;
}

static example example_at(const fit *f, int c, size_t i)
{
    if (c == 0)
        return (example){&f->decoys[i].features, 0, decoy_weight(f, &f->decoys[i])};
    return (example){&f->pairs[i], f->right ? f->right[i] : 1, 1};
}

static void scale_features(fit *f)
{
    dpl__confidence *m = f->model;
    double n = 0;
    for (int c = 0; c < 2; c++)
        n += (double)((f->n[c] + f->step[c] - 1) / f->step[c]);
    for (size_t k = 0; k < m->n_features; k++) {
        double sum = 0, squares = 0;
        for (int c = 0; c < 2; c++)
            for (size_t i = 0; i < f->n[c]; i += f->step[c])
                sum += example_at(f, c, i).features->x[k];
        m->mean[k] = sum / n;
        for (int c = 0; c < 2; c++)
            for (size_t i = 0; i < f->n[c]; i += f->step[c]) {
                double d = example_at(f, c, i).features->x[k] - m->mean[k];
                squares += d * d;
            }
        m->scale[k] = squares > 0 ? 1 / sqrt(squares / n) : 0;
    }
}

static double log_odds(const dpl__confidence *m, const dpl__features *x)
{
    double z = m->bias;
    for (size_t k = 0; k < m->n_features; k++)
        z += m->weight[k] * (x->x[k] - m->mean[k]) * m->scale[k];
    return z < -DPL__P(mine, most_log_odds)  ? -DPL__P(mine, most_log_odds)
           : z > DPL__P(mine, most_log_odds) ? DPL__P(mine, most_log_odds)
                                             : z;
}

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

/* Adds an example, as often as it stands for others. */
static void add_example(const fit *f, double hessian[SIZE][SIZE], double gradient[SIZE],
                        example e, double times)
{
    const dpl__confidence *m = f->model;
    size_t n = m->n_features + 1;
    double x[SIZE] = {1}, p = 1 / (1 + dpl__exp(-log_odds(m, e.features))), y = e.y;
    double weight = e.weight * times;
    for (size_t k = 1; k < n; k++)
        x[k] = f->is_out[k - 1] ? 0 : (e.features->x[k - 1] - m->mean[k - 1]) * m->scale[k - 1];
    for (size_t k = 0; k < n; k++) {
        gradient[k] += weight * (y - p) * x[k];
        for (size_t j = 0; j < n; j++)
            hessian[k][j] += weight * p * (1 - p) * x[k] * x[j];
    }
}

/* What is to be made as large as can be: the logarithm of how likely the examples are, less
 * what keeps the weights small. */
static double objective(const fit *f)
{
    const dpl__confidence *m = f->model;
    double sum = 0;
    for (int c = 0; c < 2; c++)
        for (size_t i = 0; i < f->n[c]; i += f->step[c]) {
            example e = example_at(f, c, i);
            double z = log_odds(m, e.features);
            sum += (double)f->step[c] * e.weight *
                   (e.y * z - (z > 0 ? z : 0) - dpl__log1p(dpl__exp(-fabs(z))));
        }
    for (size_t k = 0; k < m->n_features; k++)
        sum -= f->ridge / 2 * m->weight[k] * m->weight[k];
    return sum - DPL__P(mine, bias_ridge) / 2 * m->bias * m->bias;
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
    double hessian[SIZE][SIZE] = {{0}}, step[SIZE] = {0};
    for (int c = 0; c < 2; c++)
        for (size_t i = 0; i < f->n[c]; i += f->step[c])
            add_example(f, hessian, step, example_at(f, c, i), (double)f->step[c]);
    for (size_t k = 0; k < n; k++) {
        hessian[k][k] += k ? f->ridge : DPL__P(mine, bias_ridge);
        step[k] -= k ? f->ridge * m->weight[k - 1] : DPL__P(mine, bias_ridge) * m->bias;
    }
    solve(hessian, step, n);
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

/* The odds are of right pairs against decoys and wrong pairs together; of these `wrong` are
 * pairs. Returns how many are right. */
static double expect(const fit *f, double *p, double wrong)
{
    double sum = 0, all = wrong;
    for (size_t i = 0; i < f->n[0]; i++)
        all += decoy_weight(f, &f->decoys[i]);
    for (size_t i = 0; i < f->n[1]; i++) {
        double odds = dpl__exp(log_odds(f->model, &f->pairs[i])) * all;
        p[i] = odds / (odds + wrong);
        sum += p[i];
    }
    return sum;
}

/* How many decoys, or pairs, have log odds up to z. */
static double count_up_to(const fit *f, int c, double z)
{
    double n = 0;
    for (size_t i = 0; i < f->n[c]; i++)
        n += log_odds(f->model, example_at(f, c, i).features) <= z;
    return n;
}

/* Half of the wrong pairs are where half of the decoys are, and hardly a right one is there
 * (Storey 2002). Returns how many wrong pairs there are for each decoy. */
static double share_below(const fit *f)
{
    double low = -DPL__P(mine, most_log_odds) - 1, high = DPL__P(mine, most_log_odds),
           n_decoys = (double)f->n[0];
    for (int step = 0; step < SHARE_STEPS; step++) {
        double middle = (low + high) / 2;
        if (2 * count_up_to(f, 0, middle) >= n_decoys)
            high = middle;
        else
            low = middle;
    }
    return 2 * count_up_to(f, 1, high) / n_decoys;
}

/* Decoys were chosen for all documents, wrong pairs for the share that has no counterpart only,
 * and that share is what right pairs leave over. Of the shares that fit, the largest. */
static double share_left(const fit *f, uint32_t n_docs)
{
    double alone = 1;
    for (int step = 0; step < SHARE_STEPS; step++) {
        double right = 0;
        for (size_t i = 0; i < f->n[1]; i++)
            right += at_least(1 - alone * dpl__exp(-log_odds(f->model, &f->pairs[i])), 0);
        alone = at_least(1 - right / n_docs, 0);
    }
    return alone;
}

/* Before right and wrong pairs are told apart. Of two estimates of how many are wrong the
 * larger one: what cannot be told apart is not believed in. Returns how many are right. */
static double expect_first(const fit *f, double *p, uint32_t n_docs)
{
    double share = share_left(f, n_docs), sum = 0;
    if (f->n[0])
        share = at_least(share, share_below(f));
    for (size_t i = 0; i < f->n[1]; i++) {
        p[i] = at_least(1 - share * dpl__exp(-log_odds(f->model, &f->pairs[i])), 0);
        sum += p[i];
    }
    return sum;
}

void dpl__confidence_fit(dpl__confidence *out, double *p, const dpl__features *pairs,
                         size_t n_pairs, const dpl__decoy *decoys, size_t n_decoys,
                         size_t n_features, uint32_t n_docs)
{
    assert(n_features <= DPL__MOST_FEATURES && n_docs > 0);
    *out = (dpl__confidence){.n_features = n_features};
    fit f = {.model = out, .decoys = decoys, .pairs = pairs, .n = {n_decoys, n_pairs}};
    if (n_pairs == 0)
        return;
    for (int c = 0; c < 2; c++)
        f.step[c] = f.n[c] / MOST_FITTED + 1;
    scale_features(&f);
    f.ridge = DPL__P(mine, first_ridge) * (double)(n_pairs + n_decoys);
    find_weights(&f, (int)DPL__P(mine, first_steps));
    double right = expect_first(&f, p, n_docs);
    f.right = p;
    f.ridge = DPL__P(mine, next_ridge);
    size_t n_rounds = dpl__min(n_pairs / (size_t)DPL__P(mine, pairs_per_em_round),
                               (size_t)DPL__P(mine, em_rounds));
    for (size_t round = 0; round < n_rounds; round++) {
        find_weights(&f, (int)DPL__P(mine, next_steps));
        right = expect(&f, p, at_least((double)n_pairs - right, 0.5));
    }
    out->alone = at_least(1 - right / n_docs, 0);
    for (size_t i = 0; i < n_pairs; i++) /* no surer than so many examples allow (Laplace) */
        p[i] = (p[i] * (double)n_decoys + 0.5) / ((double)n_decoys + 1);
}
