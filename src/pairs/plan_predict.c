/*
 * plan_predict.c - what a search would find: from a sample of the rows, or from assumptions.
 *
 * True pairs come in kinds. With a sample each of its pair is one; without, a kind is a
 * distance that a pair exactly at the threshold may have, with its binomial probability. Each
 * kind has a probability to be found in one table, which the power of Q turns into that of all
 * tables, and one to stay within the cuts. Recall is the mean of their products.
 *
 * Any two rows differ in a share of bits that is spread around a mean: what they let through
 * is the work of verification.
 */
#include "pairs/plan.h"

#include "base/maths.h"
#include "pairs/rising.h"

/* Cosines of unrelated texts, mean and deviation. With these, 82 million pairs of the paper's
 * collections pass its cut with Q = 300, B = 2000; the paper had 64 million. */
static const double usual_cosine = 0.04, usual_sd = 0.045;

enum { MOST_TABLES = 1000000, FEW_RANDOM = 30, NODES = 33 };

/* ---- any two rows ------------------------------------------------------------------- */

/* The share of differing bits is normal; 33 places within four deviations stand for it. */
static double node_differ(const dpl__prediction *o, int i)
{
    double differ = o->differ + o->differ_sd * (i - NODES / 2) * 8 / (NODES - 1);
    return differ < 0 ? 0 : differ > 1 ? 1 : differ;
}

static double node_weight(int i)
{
    double sum = 0, z = (i - NODES / 2) * 8.0 / (NODES - 1);
    for (int k = 0; k < NODES; k++) {
        double y = (k - NODES / 2) * 8.0 / (NODES - 1);
        sum += dpl__exp(-0.5 * (y * y));
    }
    return dpl__exp(-0.5 * z * z) / sum;
}

static void spread_random(dpl__prediction *o)
{
    for (int i = 0; i < NODES; i++) {
        dpl__spread s;
        dpl__spread_binomial(&s, o->bits, node_differ(o, i));
        for (unsigned k = 0; k < s.n; k++)
            o->random[s.first + k] += node_weight(i) * s.mass[k];
    }
}

/* Where the sample has enough pairs of rows it knows better: below the distance at which
 * there are 30, what is assumed is scaled to meet it; or, where nothing is assumed to be so
 * near, as copies are, the sample itself is taken. */
static void correct_random(dpl__prediction *o, const dpl__row_sample *sample)
{
    uint64_t seen = 0;
    double assumed = 0;
    unsigned h = 0;
    for (; h <= o->bits && seen < FEW_RANDOM; h++) {
        seen += sample->histogram[h];
        assumed += o->random[h];
    }
    if (seen < FEW_RANDOM)
        return;
    double share = (double)seen / (double)sample->n_random;
    for (unsigned k = 0; k < h; k++)
        o->random[k] = assumed > 1e-3 * share
                           ? o->random[k] * (share / assumed)
                           : (double)sample->histogram[k] / (double)sample->n_random;
    for (; h <= o->bits; h++)
        o->random[h] = (double)sample->histogram[h] / (double)sample->n_random;
}

double dpl__predict_first(const dpl__prediction *o, unsigned n_bits, unsigned cut)
{
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        dpl__spread s;
        dpl__spread_binomial(&s, n_bits, node_differ(o, i));
        sum += node_weight(i) * dpl__spread_upto(&s, cut);
    }
    return sum;
}

double dpl__predict_through(const dpl__prediction *o, unsigned cut, size_t window,
                            double n_tables, double *n_times)
{
    double sum = 0, times = 0;
    for (unsigned h = 0; h <= cut && h <= o->bits; h++) {
        double p = n_tables > 0 ? dpl__curve_at(&o->curves[window], h) : 1;
        sum += o->random[h] * (n_tables > 0 ? dpl__any_table(p, n_tables) : 1);
        times += o->random[h] * p * (n_tables > 0 ? n_tables : 1);
    }
    *n_times = times;
    return sum;
}

/* ---- true pairs --------------------------------------------------------------------- */

static void take_sample(dpl__prediction *o, const dpl__row_sample *sample)
{
    for (size_t i = 0; i < o->n; i++)
        o->weight[i] = 1 / (double)o->n;
    if (o->n && o->n_windows)
        memcpy(o->p, sample->p, o->n * o->n_windows * sizeof *o->p);
}

static void take_threshold(dpl__prediction *o, const dpl__spread *s)
{
    for (size_t i = 0; i < o->n; i++) {
        o->weight[i] = s->mass[i];
        o->distance[i] = s->first + (unsigned)i;
        for (size_t w = 0; w < o->n_windows; w++)
            for (int k = 0; k < 2; k++)
                o->p[i * o->n_windows + w][k] = dpl__curve_at(&o->curves[w], o->distance[i]);
    }
}

static dpl_status make_arrays(dpl__prediction *o, dpl_ctx *ctx, dpl_error *err)
{
    o->weight = dpl__alloc(ctx, o->n * sizeof *o->weight);
    o->p = dpl__alloc(ctx, (o->n * o->n_windows + 1) * sizeof *o->p);
    o->distance = dpl__alloc(ctx, o->n * sizeof *o->distance);
    o->random = dpl__calloc(ctx, o->bits + (size_t)1, sizeof *o->random);
    return dpl__need(o->weight && o->p && o->distance && o->random, err);
}

static void choose_random(dpl__prediction *out, const dpl__prediction_options *o)
{
    double usual = dpl__differ(usual_cosine);
    out->differ = o->differ > 0 ? o->differ : o->sample ? o->sample->differ : usual;
    out->differ_sd = o->differ > 0 ? o->differ_sd
                     : o->sample   ? o->sample->differ_sd
                                   : usual - dpl__differ(usual_cosine + usual_sd);
}

dpl_status dpl__predict_init(dpl__prediction *out, dpl_ctx *ctx,
                             const dpl__prediction_options *o, dpl_error *err)
{
    dpl__spread at_threshold;
    dpl__spread_binomial(&at_threshold, o->bits, dpl__differ(o->threshold));
    *out = (dpl__prediction){.bits = o->bits,
                             .windows = o->windows,
                             .n_windows = o->n_windows,
                             .n = o->sample ? o->sample->n_pairs : at_threshold.n,
                             .threshold = o->threshold,
                             .score_cuts = o->score_cuts,
                             .sample = o->sample};
    dpl_status status = make_arrays(out, ctx, err);
    if (status != DPL_OK) {
        dpl__predict_clear(out, ctx);
        return status;
    }
    for (size_t w = 0; w < o->n_windows; w++)
        dpl__model_curve(&out->curves[w], o->model, o->bits, o->rows, o->windows[w],
                         o->sample ? o->sample->share : NULL);
    choose_random(out, o);
    spread_random(out);
    if (o->sample) {
        correct_random(out, o->sample);
        take_sample(out, o->sample);
    } else {
        take_threshold(out, &at_threshold);
    }
    return DPL_OK;
}

void dpl__predict_clear(dpl__prediction *o, dpl_ctx *ctx)
{
    dpl__free(ctx, o->weight, o->p, o->distance, o->random);
    o->weight = o->random = NULL;
    o->p = NULL;
    o->distance = NULL;
}

/* ---- recall ------------------------------------------------------------------------- */

void dpl__predict_pass(double *pass, const dpl__prediction *o, const dpl__cuts *cuts)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->sample) {
            const uint32_t *d = o->sample->distances + i * o->sample->n_words;
            double score =
                o->sample->scores[i] > 0 ? (double)o->sample->scores[i] : o->threshold;
            unsigned cut = o->score_cuts ? dpl__score_cut(o->score_cuts, score) : cuts->cut;
            pass[i] = d[o->sample->n_words - 1] <= cut &&
                      (!cuts->first_words || d[cuts->first_words - 1] <= cuts->first_cut);
            continue;
        }
        pass[i] = o->distance[i] <= cuts->cut;
        if (pass[i] > 0 && cuts->first_words) {
            dpl__spread s;
            dpl__spread_first(&s, o->bits, o->distance[i], 64 * cuts->first_words);
            pass[i] = dpl__spread_upto(&s, cuts->first_cut);
        }
    }
}

/* Noise in p makes the mean of 1 - (1 - p)^Q smaller than it is, by an amount that doubles when
 * half of the measurements are taken: what half of them lose on top is added. */
double dpl__any_table_of(const double p[2], double n_tables)
{
    double both = dpl__any_table((p[0] + p[1]) / 2, n_tables);
    if (p[0] == p[1])
        return both;
    return 2 * both - (dpl__any_table(p[0], n_tables) + dpl__any_table(p[1], n_tables)) / 2;
}

/* Kind i is found in one of n_tables: by the first ones, which are known, or by the rest. */
static double found_in_tables(const dpl__prediction *o, size_t i, size_t window,
                              double n_tables)
{
    assert(i < o->n && window < o->n_windows);
    unsigned n = o->sample ? o->sample->n_tables : 0;
    const uint32_t *gaps = n ? o->sample->gaps + i * n : NULL;
    for (unsigned t = 0; t < n && t < n_tables; t++)
        if (gaps[t] <= o->windows[window])
            return 1;
    return n_tables > n ? dpl__any_table_of(o->p[i * o->n_windows + window], n_tables - n) : 0;
}

double dpl__predict_recall(const dpl__prediction *o, const double *pass, size_t window,
                           double n_tables)
{
    double sum = 0;
    for (size_t i = 0; i < o->n; i++)
        if (pass[i] > 0)
            sum += o->weight[i] * pass[i] *
                   (n_tables > 0 ? found_in_tables(o, i, window, n_tables) : 1);
    return sum < 1 ? sum : 1;
}

unsigned dpl__predict_tables(const dpl__prediction *o, const double *pass, size_t window,
                             double recall)
{
    unsigned low = 0, high = 1; /* too few; perhaps enough */
    while (dpl__predict_recall(o, pass, window, high) < recall) {
        if (high >= MOST_TABLES)
            return 0;
        low = high;
        high = high * 2 < MOST_TABLES ? high * 2 : MOST_TABLES;
    }
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (dpl__predict_recall(o, pass, window, middle) < recall)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- codes -------------------------------------------------------------------------- */

/* All k bits are the same, where this many of all bits differ. */
static double same_code(const dpl__prediction *o, double distance, unsigned k)
{
    assert(distance >= 0 && distance <= o->bits);
    const double same = 1 - distance / o->bits;
    return same > 0 ? dpl__exp(k * dpl__log(same)) : 0;
}

double dpl__predict_codes(const dpl__prediction *o, unsigned k, double n_codes)
{
    assert(k <= o->bits && n_codes >= 0);
    double sum = 0;
    for (size_t i = 0; i < o->n; i++) {
        const uint32_t distance =
            o->sample ? o->sample->distances[(i + 1) * o->sample->n_words - 1] : o->distance[i];
        sum += o->weight[i] * dpl__any_table(same_code(o, distance, k), n_codes);
    }
    assert(sum >= 0);
    return sum < 1 ? sum : 1;
}

double dpl__predict_bucket(const dpl__prediction *o, unsigned k)
{
    assert(k <= o->bits);
    double sum = 0;
    for (unsigned h = 0; h <= o->bits; h++)
        sum += o->random[h] * same_code(o, h, k);
    return sum;
}
