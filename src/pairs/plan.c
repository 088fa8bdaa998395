/*
 * plan.c - what each search method would find, cost and need.
 *
 * In: sizes, or rows; a threshold and the wanted recall. Out: rows of all methods
 * (<name>_method.c), and which of them is recommended: the fastest that reaches the recall.
 *
 * The loss that the recall allows is shared out. Brute force spends it on the distance cut. The
 * early test, where it pays, takes a tenth; of signatures with more than the usual bits, whose
 * first bits are compared and the others only where those pass, up to a half.
 *
 * Cost: a sample of the rows, if there are any (plan_sample.c), else some milliseconds.
 */
#include "pairs/method.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/sized.h"
#include "signatures/sign_methods.h"

#include <math.h>

/* The early test's share of the loss that the recall allows; with long signatures the best of
 * several is taken. */
static const double first_loss = 0.1, first_losses[] = {0.1, 0.3, 0.5};

/* Brute force has longer signatures than the usual ones where it takes so many core seconds
 * with those, and this many times less with the others. */
static const double LONG_SECONDS = 2, LONG_TIMES = 1.25;

enum { USUAL_BITS = 1024, MOST_BITS = 65536, USUAL_TERMS = 120 };

/* What planning looks at (plan_sample.c). */
enum {
    TABLES_TIMES = 500, /* comparisons that one row of the sample costs in tables and buckets */
    SAMPLED_PAIRS = 1 << 24,
    SAMPLED_RANDOM = 1000000
};

/* Exact first: it misses nothing and needs no recall check, so it may take so many times as
 * long as the fastest method, or so many seconds. */
static const double EXACT_TIMES = 1.5, EXACT_SECONDS = 2;

/* Where a speed was not measured: a core of a server with AVX-512. */
static const dpl_speeds usual_speeds = {.compare_ns = 0.65,
                                        .single_ns = 6,
                                        .permute_ns = 250,
                                        .multiply_ns = 0.17,
                                        .dense_ns = 0.08,
                                        .verify_ns = 200,
                                        .sign_ns = 2000,
                                        .near_ns = 1.1,
                                        .product_ns = 2};

const dpl_speeds dpl__nominal_speeds = DPL_INIT(dpl_speeds, .compare_ns = 0.7);

/* Signatures of rp8: dimensions that product_ns is for; what signing takes beside that of as
 * many bits as say the same. */
enum { USUAL_DIMS = 448 };
static const double SIGN_PRODUCTS = 0.53;

/* The kernel stops early where the cut is far below the distance of any two rows, and counts
 * all bits where it is near: in deviations of that distance. Between the two lies a parabola.
 * Signatures of 61,483 package descriptions, 503 +- 21 bits apart: 0.66 ns at a cut of 350,
 * 0.78 at 400, 0.86 at 430, 1.0 from 449 on, 0.56 for coins at 300. */
static const double FAR = 9, NEAR = 3, NEAR_TIMES = 1.7;

/* What passes the early test is found in a mask and compared by itself: beside the comparison
 * that takes PICKED times one of the usual bits (48,000 x 48,000 rows, 2 % of 2.3e9). In
 * windows its row may lie anywhere in memory: ANYWHERE times as long (50,000 x 50,000 rows, 1.8
 * % of 1.7e9). */
static const double PICKED = 1.5, ANYWHERE = 6;

/* A candidate's distance is counted again and kept: so many times one comparison by itself. */
static const double KEPT = 5.5;

/* Share of the time of a cosine that does not depend on the length of rows. */
static const double FIXED_SHARE = 0.4;

/* multiply_ns of the machine on which the constants of exact_plan.c were measured. */
static const double MULTIPLY_NS = 0.126;

/* ---- options ------------------------------------------------------------------------ */

static dpl_status check_side(const dpl_pairs_side *side, dpl_sign_method *method,
                             unsigned *bits, uint64_t *n, dpl_error *err)
{
    if (!side->vectors && !side->signatures && !side->collection)
        return dpl__fail(err, DPL_E_USAGE,
                         "a side has neither vectors, signatures nor documents");
    if (side->collection)
        *n = dpl_collection_get_sizes(side->collection)->n_docs;
    if (side->signatures) {
        const dpl_signatures_sizes *sizes = dpl_signatures_get_sizes(side->signatures);
        const dpl_sign_method_info *sign = dpl_sign_get_method_info(sizes->method);
        if (!sign->has_bits && !sign->has_products)
            return dpl__fail(err, DPL_E_USAGE, "%s signatures have no bits to search by",
                             sign->name);
        *method = sizes->method;
        *bits = sizes->length;
        *n = sizes->n_rows;
    }
    if (side->vectors)
        *n = dpl_vectors_get_sizes(side->vectors)->n_rows;
    return DPL_OK;
}

static dpl_status check_sides(dpl__planner *p, dpl_error *err)
{
    dpl_plan_options *o = &p->o;
    DPL_TRY(check_side(o->left, &o->signature, &o->length, &o->n_left, err));
    o->n_right = 0;
    if (o->right) {
        DPL_TRY(check_side(o->right, &o->signature, &o->length, &o->n_right, err));
        if (o->n_right == 0)
            return dpl__fail(err, DPL_E_USAGE, "the right side is empty");
    }
    const dpl_pairs_side *sides[2] = {o->left, o->right ? o->right : o->left};
    p->has_documents = true;
    for (int i = 0; i < 2; i++)
        p->has_documents &= !sides[i]->vectors && !sides[i]->signatures;
    if (p->has_documents) {
        for (int i = 0; i < (o->right ? 2 : 1); i++)
            p->n_words += (double)dpl_collection_get_sizes(sides[i]->collection)->n_tokens;
        return DPL_OK;
    }
    p->has_sample = true;
    p->has_vectors = o->left->vectors && (!o->right || o->right->vectors);
    p->is_signed = o->left->signatures && (!o->right || o->right->signatures);
    if (p->is_signed && o->right)
        DPL_TRY(dpl__signatures_check_match(o->left->signatures, o->right->signatures, err));
    if (!p->is_signed && !p->has_vectors)
        return dpl__fail(err, DPL_E_USAGE, "one side has vectors, the other only signatures");
    if (p->has_vectors) {
        const dpl_vectors_sizes *sizes = dpl_vectors_get_sizes(o->left->vectors);
        p->is_dense = sizes->dim > 0;
        o->terms_per_row = sizes->n_rows ? (double)sizes->n_entries / sizes->n_rows : 0;
    }
    return DPL_OK;
}

/* Signatures of rp8 are planned as bits that say as much: what pairs and any two rows are like
 * is told by those. Without vectors nothing is looked at. */
static dpl_status take_products(dpl__planner *p, dpl_error *err)
{
    dpl_plan_options *o = &p->o;
    dpl_sign_options sign =
        DPL_INIT(dpl_sign_options, .method = o->signature, .length = o->length);
    DPL_TRY(dpl_sign_check(&p->dims, &sign, err));
    o->length = dpl__bits_like(p->dims);
    p->has_sample = p->has_sample && p->has_vectors;
    const dpl_pairs_side *sides[2] = {o->left, o->right};
    for (int i = 0; i < 2 && p->has_sample; i++)
        if (sides[i])
            p->without_signatures[i].vectors = sides[i]->vectors;
    if (o->left)
        o->left = &p->without_signatures[0];
    if (o->right)
        o->right = &p->without_signatures[1];
    return DPL_OK;
}

static dpl_status check_options(dpl__planner *p, dpl_error *err)
{
    dpl_plan_options *o = &p->o;
    if (o->left)
        DPL_TRY(check_sides(p, err));
    else
        p->has_vectors = true;
    const dpl_sign_method_info *sign = dpl_sign_get_method_info(o->signature);
    if (!sign)
        return dpl__fail(err, DPL_E_USAGE, "no signature method number %d", (int)o->signature);
    if (sign->has_products)
        DPL_TRY(take_products(p, err));
    o->length = o->length ? (o->length + 63) / 64 * 64 : USUAL_BITS;
    o->threshold = o->threshold == 0 ? 0.3 : o->threshold < 0 ? 0 : o->threshold;
    o->recall = o->recall == 0 ? 0.99 : o->recall;
    p->is_self = o->n_right == 0;
    p->n_left = (double)o->n_left;
    p->n_right = p->is_self ? p->n_left : (double)o->n_right;
    p->n_rows = p->n_left + (p->is_self ? 0 : p->n_right);
    p->n_pairs = p->is_self ? p->n_left * (p->n_left - 1) / 2 : p->n_left * p->n_right;
    p->terms = o->terms_per_row > 0 ? o->terms_per_row : USUAL_TERMS;
    if (o->n_left == 0)
        return dpl__fail(err, DPL_E_USAGE, "the left side is empty");
    if (o->length > MOST_BITS)
        return dpl__fail(err, DPL_E_USAGE, "signatures have at most %d bits", MOST_BITS);
    if (!(o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "the threshold must be between 0 and 1");
    if (!(o->recall > 0 && o->recall < 1))
        return dpl__fail(err, DPL_E_USAGE, "the recall must be above 0 and below 1");
    if (o->width && o->width >= p->n_rows)
        return dpl__fail(err, DPL_E_USAGE,
                         "a window of %u is larger than the table of %.0f rows", o->width,
                         p->n_rows);
    return DPL_OK;
}

static double known(double measured, double usual)
{
    return measured > 0 ? measured : usual;
}

/* Adapts the speeds to this length of signatures and rows. */
static void set_speeds(dpl__planner *p, const dpl_speeds *s)
{
    dpl_speeds *to = &p->speeds;
    const dpl_speeds *usual = &usual_speeds;
    *to = (dpl_speeds)DPL_INIT(
        dpl_speeds, .compare_ns = known(s->compare_ns, usual->compare_ns),
        .single_ns = known(s->single_ns, usual->single_ns),
        .permute_ns = known(s->permute_ns, usual->permute_ns),
        .multiply_ns = known(s->multiply_ns, usual->multiply_ns),
        .dense_ns = known(s->dense_ns, usual->dense_ns),
        .verify_ns = known(s->verify_ns, usual->verify_ns),
        .sign_ns = known(s->sign_ns, usual->sign_ns),
        .near_ns = known(s->near_ns, NEAR_TIMES * s->compare_ns),
        .product_ns = known(s->product_ns, usual->product_ns), .device_ns = s->device_ns);
    double scale = p->o.length / (double)USUAL_BITS, length = p->terms / USUAL_TERMS;
    to->compare_ns *= scale;
    to->near_ns *= scale;
    to->device_ns *= scale;
    to->single_ns *= scale;
    to->sign_ns *= scale * length * (p->dims ? SIGN_PRODUCTS : 1);
    to->product_ns *= p->dims / (double)USUAL_DIMS;
    to->verify_ns = p->is_dense ? to->dense_ns * p->terms + 50
                                : to->verify_ns * (FIXED_SHARE + (1 - FIXED_SHARE) * length);
    if (p->is_dense)
        to->multiply_ns = to->dense_ns;
}

static dpl_status take_speeds(dpl__planner *p, dpl_error *err)
{
    dpl_speeds *s = &p->plan->speeds;
    DPL_TRY(DPL__TAKE(s, p->o.speeds, err));
    if (!(s->compare_ns > 0))
        DPL_TRY(dpl_speeds_measure(s, p->ctx, err));
    set_speeds(p, s);
    return DPL_OK;
}

static bool has_method(const dpl__planner *p, dpl_pairs_method method)
{
    if (p->dims && dpl__method_of(method)->needs_bits)
        return false;
    if (p->has_documents != dpl__method_of(method)->info.has_documents)
        return false;
    return p->o.method == DPL_PAIRS_AUTO || p->o.method == method;
}

/* Windows up to a sixteenth of the table, six of them. */
static void take_windows(dpl__planner *p)
{
    static const double ladder[] = {10,   20,   50,   100,   200,   500,
                                    1000, 2000, 5000, 10000, 20000, 50000};
    if (!has_method(p, DPL_PAIRS_WINDOW))
        return;
    if (p->o.width) {
        p->windows[p->n_windows++] = p->o.width;
        return;
    }
    if (p->n_rows < 160) { /* all of them are too large */
        p->windows[0] = floor(p->n_rows / 2);
        p->n_windows = p->n_rows >= 2;
        return;
    }
    size_t end = 0, most = 6;
    while (end < 10 && ladder[end] <= p->n_rows / 16)
        end++;
    for (size_t i = end > most ? end - most : 0; i < end; i++)
        p->windows[p->n_windows++] = ladder[i];
}

/* ---- one row ------------------------------------------------------------------------ */

double dpl__planner_seconds(const dpl__planner *p, double ns)
{
    return ns * 1e-9 / p->ctx->n_threads;
}

double dpl__planner_sign_ns(const dpl__planner *p)
{
    return p->is_signed ? 0 : p->n_rows * p->speeds.sign_ns;
}

/* Rows of the sample are signed, some are searched exactly, any two compared. */
double dpl__planner_sample_ns(const dpl__planner *p)
{
    if (!p->has_sample)
        return 0;
    double n_rows = fmin(p->n_rows, DPL__SAMPLE_ROWS),
           n_pairs = fmin(p->n_pairs, SAMPLED_PAIRS);
    return (p->is_signed ? 0 : n_rows * p->speeds.sign_ns) +
           n_pairs * p->sample.products * p->speeds.multiply_ns +
           fmin(p->n_pairs, SAMPLED_RANDOM) * p->speeds.single_ns +
           (p->o.nearest ? dpl__planner_nearest_ns(p) : 0);
}

double dpl__planner_tables_ns(const dpl__planner *p)
{
    return p->has_sample
               ? fmin(p->n_rows, DPL__SAMPLE_ROWS) * TABLES_TIMES * p->speeds.single_ns
               : 0;
}

double dpl__planner_candidate_ns(const dpl__planner *p)
{
    return KEPT * p->speeds.single_ns + p->speeds.verify_ns;
}

double dpl__planner_exact_ns(const dpl__planner *p, double ns)
{
    return ns * p->speeds.multiply_ns / MULTIPLY_NS;
}

/* One comparison of so many bits. */
static double count_ns(const dpl__planner *p, double n_bits, double cut)
{
    double differ = p->prediction.differ, sd = n_bits * p->prediction.differ_sd;
    double deviation = sqrt(n_bits * differ * (1 - differ) + sd * sd);
    double away = deviation > 0 ? (n_bits * differ - cut) / deviation : 0;
    double near = fmin(1, fmax(0, (FAR - away) / (FAR - NEAR)));
    near *= near;
    return n_bits / p->o.length *
           (p->speeds.compare_ns + near * (p->speeds.near_ns - p->speeds.compare_ns));
}

double dpl__planner_compare_ns(const dpl__planner *p, const dpl__cuts *cuts, bool is_window)
{
    if (p->dims)
        return p->speeds.product_ns;
    if (!cuts->first_words)
        return count_ns(p, p->o.length, cuts->cut);
    const double first = 64.0 * cuts->first_words, single = p->speeds.single_ns;
    const double picked = PICKED * single * USUAL_BITS / p->o.length;
    return count_ns(p, first, cuts->first_cut) +
           dpl__predict_first(&p->prediction, 64 * cuts->first_words, cuts->first_cut) *
               (is_window ? ANYWHERE * single : picked + single);
}

double dpl__planner_candidates(const dpl__planner *p, double share, double recall)
{
    double least = p->has_sample ? p->sample.found * recall : 0;
    return p->n_pairs * (share > least ? share : least);
}

double dpl__planner_relative(const dpl__planner *p, double comparisons)
{
    return p->n_pairs > 0 ? comparisons / p->n_pairs : 0;
}

void dpl__planner_put(dpl__planner *p, dpl_plan_row row)
{
    assert(row.seconds >= 0 && row.bytes >= 0 && row.recall >= 0 && row.recall <= 1);
    row.fits = row.bytes <= (double)p->ctx->memory;
    if (!dpl__vec_push(p->ctx, &p->plan->rows, row))
        p->has_no_memory = true;
}

double dpl__planner_first_loss(void)
{
    return first_loss;
}

/* ---- cuts --------------------------------------------------------------------------- */

/* Early tests of all lengths, with this loss of their own. */
static void try_first(dpl__cuts *best, double *best_ns, const dpl__planner *p, double loss,
                      double loss_first, bool is_window)
{
    if (loss <= loss_first)
        return;
    const double threshold = p->o.threshold;
    dpl__cuts cuts = {.cut = dpl__bits_cut(p->o.length, threshold, 1 - (loss - loss_first))};
    for (unsigned words = 1; words < p->o.length / 64; words += 1 + words / 16) {
        cuts.first_words = words;
        cuts.first_cut = dpl__bits_cut(64 * words, threshold, 1 - loss_first);
        double ns = dpl__planner_compare_ns(p, &cuts, is_window);
        if (ns < *best_ns) {
            *best = cuts;
            *best_ns = ns;
        }
    }
}

dpl__cuts dpl__planner_cuts(const dpl__planner *p, double loss, bool has_first, bool is_window)
{
    dpl__cuts best = {.cut = dpl__bits_cut(p->o.length, p->o.threshold, 1 - loss)};
    if (!has_first || p->dims)
        return best;
    const double most = 0.9 * count_ns(p, p->o.length, best.cut);
    double best_ns = fmin(most, dpl__planner_compare_ns(p, &best, is_window));
    size_t n = !is_window && p->o.length > USUAL_BITS ? DPL_LEN(first_losses) : 1;
    for (size_t i = 0; i < n; i++)
        try_first(&best, &best_ns, p, loss, first_losses[i] * (1 - p->o.recall), is_window);
    return best;
}

/* ---- the choice --------------------------------------------------------------------- */

/* Predicted recall is not known to the last digit. */
static bool reaches(const dpl_plan_row *row, double recall)
{
    return row->recall >= recall - 5e-4;
}

const dpl_plan_row *dpl__plan_fastest(const dpl_plan *plan, dpl_pairs_method method,
                                      double recall)
{
    const dpl_plan_row *best = NULL;
    for (size_t i = 0; i < plan->rows.n; i++) {
        const dpl_plan_row *row = &plan->rows.data[i];
        if ((method == DPL_PAIRS_AUTO || row->method == method) && row->fits &&
            reaches(row, recall) && (!best || row->seconds < best->seconds))
            best = row;
    }
    return best;
}

const dpl_plan_row *dpl__plan_pick(const dpl_plan *plan, double recall,
                                   bool (*may_take)(const void *user, const dpl_plan_row *row),
                                   const void *user)
{
    const dpl_plan_row *best = NULL;
    for (size_t i = 0; i < plan->rows.n; i++) {
        const dpl_plan_row *row = &plan->rows.data[i];
        if (!may_take(user, row))
            continue;
        const bool is_enough = row->recall >= recall,
                   is_best_enough = best && best->recall >= recall;
        if (!best || (is_enough && (!is_best_enough || row->seconds < best->seconds)) ||
            (!is_enough && !is_best_enough && row->recall > best->recall))
            best = row;
    }
    return best;
}

/* Where nothing reaches the recall and fits: the highest recall, what fits first. */
static size_t closest(const dpl_plan *plan)
{
    size_t best = 0;
    for (size_t i = 1; i < plan->rows.n; i++) {
        const dpl_plan_row *a = &plan->rows.data[i], *b = &plan->rows.data[best];
        if (a->fits != b->fits ? a->fits : a->recall > b->recall)
            best = i;
    }
    return best;
}

/* Brute force by itself. */
static dpl_status plan_brute(dpl__planner *p, dpl_plan_row *row, dpl_error *err)
{
    dpl__planner brute = *p;
    dpl_plan plan = {.ctx = p->ctx};
    brute.plan = &plan;
    dpl__method_of(DPL_PAIRS_BRUTE)->plan(&brute);
    dpl_status status;
    DPL__STEP(dpl__need(plan.rows.n, err));
    *row = plan.rows.data[0];
done:
    dpl__vec_clear(p->ctx, &plan.rows);
    return status;
}

/* Brute force with signatures of another length. */
static dpl_status other_bits(dpl__planner *p, unsigned bits, dpl_plan_row *row, dpl_error *err)
{
    dpl__planner other = *p;
    double scale = (double)bits / p->o.length;
    other.o.length = bits;
    other.speeds.compare_ns *= scale;
    other.speeds.near_ns *= scale;
    other.speeds.device_ns *= scale;
    other.speeds.single_ns *= scale;
    other.speeds.sign_ns *= scale;
    dpl__prediction_options o = {.bits = bits,
                                 .threshold = p->o.threshold,
                                 .rows = p->n_rows,
                                 .differ = p->prediction.differ,
                                 .differ_sd = p->prediction.differ_sd};
    DPL_TRY(dpl__predict_init(&other.prediction, p->ctx, &o, err));
    size_t n_bytes = other.prediction.n * sizeof *other.pass;
    other.pass = dpl__alloc(p->ctx, n_bytes);
    dpl_status status = other.pass ? plan_brute(&other, row, err) : dpl__fail_nomem(err);
    dpl__free(p->ctx, other.pass);
    dpl__predict_clear(&other.prediction, p->ctx);
    return status;
}

/* Longer signatures take longer to compare and let fewer pairs through to verification. */
static dpl_status try_other_bits(dpl__planner *p, dpl_error *err)
{
    static const unsigned bits[] = {256, 512, 1024, 2048, 4096, 8192};
    dpl_plan *plan = p->plan;
    double best = plan->rows.data[plan->summary.best].seconds / 1.25;
    dpl_plan_row row;
    for (size_t i = 0; i < plan->rows.n; i++)
        if (dpl__method_of(plan->rows.data[i].method)->chooses_bits)
            best = fmin(best, plan->rows.data[i].seconds / 1.25);
    if (p->is_signed || p->o.nearest || p->dims || p->has_documents)
        return DPL_OK;
    for (size_t i = 0; i < DPL_LEN(bits); i++) {
        if (bits[i] == p->o.length || best < 1) /* a second is not worth the trouble */
            continue;
        DPL_TRY(other_bits(p, bits[i], &row, err));
        if (row.fits && row.seconds < best) {
            best = plan->summary.better_seconds = row.seconds;
            plan->summary.better_bits = bits[i];
        }
    }
    return DPL_OK;
}

/* The length that a brute-force search has when none is given. It decides which pairs are
 * found: neither the machine nor threads nor memory must matter. */
static dpl_status choose_bits(dpl__planner *p, dpl_error *err)
{
    static const unsigned bits[] = {2048, 3072};
    dpl_plan *plan = p->plan;
    dpl__planner usual = *p;
    dpl_plan_row row;
    plan->long_bits = p->o.length;
    if (!has_method(p, DPL_PAIRS_BRUTE) || p->has_documents || p->is_signed || p->o.nearest ||
        p->o.signature != DPL_SIGN_RP || p->o.length != USUAL_BITS)
        return DPL_OK;
    set_speeds(&usual, &dpl__nominal_speeds);
    DPL_TRY(plan_brute(&usual, &row, err));
    if (row.seconds * p->ctx->n_threads < LONG_SECONDS)
        return DPL_OK;
    double best = row.seconds / LONG_TIMES;
    for (size_t i = 0; i < DPL_LEN(bits); i++) {
        DPL_TRY(other_bits(&usual, bits[i], &row, err));
        if (row.seconds < best) {
            best = row.seconds;
            plan->long_bits = bits[i];
        }
    }
    return DPL_OK;
}

static dpl_status put_rows(dpl__planner *p, dpl_error *err)
{
    dpl_plan *plan = p->plan;
    const dpl__method *method;
    for (int i = 0; (method = dpl__method_of((dpl_pairs_method)i)) != NULL; i++)
        if (method->plan && has_method(p, (dpl_pairs_method)i))
            method->plan(p);
    if (p->has_no_memory)
        return dpl__fail_nomem(err);
    if (!plan->rows.n)
        return dpl__fail(err, DPL_E_USAGE, "no plan for '%s'",
                         dpl__pairs_method_name(p->o.method));
    const dpl_plan_row *best = dpl__plan_fastest(plan, DPL_PAIRS_AUTO, p->o.recall);
    const dpl_plan_row *exact = dpl__plan_fastest(plan, DPL_PAIRS_EXACT, p->o.recall);
    if (best && exact && exact->seconds <= fmax(EXACT_SECONDS, EXACT_TIMES * best->seconds))
        best = exact;
    plan->summary = (dpl_plan_summary){
        .n_rows = plan->rows.n,
        .best = best ? (size_t)(best - plan->rows.data) : closest(plan),
        .why = plan->why,
        .speeds = &plan->speeds,
        .bits = p->dims ? p->dims : p->o.length,
        .signature = p->o.signature,
        .n_pairs = p->n_pairs,
        .is_sampled = p->has_sample,
        .random_cosine = dpl__cos(dpl__acos(-1) * p->prediction.differ),
        .random_sd = dpl__acos(-1) * p->prediction.differ_sd *
                     dpl__sin(dpl__acos(-1) * p->prediction.differ),
        .true_pairs = p->has_sample ? p->sample.found * p->n_pairs : 0,
        .n_true_sample = p->has_sample && !p->sample.is_made_up ? p->sample.n_pairs : 0,
    };
    DPL_TRY(try_other_bits(p, err));
    DPL_TRY(choose_bits(p, err));
    dpl__plan_say_why(plan, p->o.recall);
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status look_at_rows(dpl__planner *p, dpl_error *err)
{
    dpl__row_sample_options o = {.left = p->o.left,
                                 .right = p->o.right,
                                 .bits = p->o.length,
                                 .threshold = p->o.threshold,
                                 .windows = p->windows,
                                 .n_windows = p->n_windows,
                                 .n_nearest = p->o.nearest};
    return dpl__row_sample_init(&p->sample, p->ctx, p->model, &o, err);
}

static dpl_status make(dpl__planner *p, dpl_error *err)
{
    DPL_TRY(take_speeds(p, err));
    take_windows(p);
    DPL_TRY(dpl__model_new(&p->model, p->ctx, err));
    if (p->o.nearest)
        DPL_TRY(dpl__planner_nearest(p, err));
    if (p->has_sample)
        DPL_TRY(look_at_rows(p, err));
    dpl__prediction_options o = {.model = p->model,
                                 .sample = p->has_sample ? &p->sample : NULL,
                                 .bits = p->o.length,
                                 .threshold = p->o.threshold,
                                 .rows = p->n_rows,
                                 .windows = p->windows,
                                 .n_windows = p->n_windows,
                                 .score_cuts = p->o.nearest ? &p->near.cuts : NULL};
    DPL_TRY(dpl__predict_init(&p->prediction, p->ctx, &o, err));
    p->pass = dpl__alloc(p->ctx, p->prediction.n * sizeof *p->pass);
    DPL_TRY(dpl__need(p->pass, err));
    return put_rows(p, err);
}

static dpl_status make_plan(dpl_plan **out, dpl__planner *p, dpl_error *err)
{
    dpl_ctx *ctx = p->ctx;
    DPL_TRY(check_options(p, err));
    p->plan = dpl__calloc(ctx, 1, sizeof *p->plan);
    DPL_TRY(dpl__need(p->plan, err));
    p->plan->ctx = ctx;
    dpl_status status = make(p, err);
    dpl__free(ctx, p->pass);
    dpl__predict_clear(&p->prediction, ctx);
    dpl__row_sample_clear(&p->sample, ctx);
    dpl__model_free(p->model, ctx);
    if (status == DPL_OK)
        *out = p->plan;
    else
        dpl_plan_free(p->plan);
    return status;
}

/* A plan for brute force alone may choose how long signatures are. */
dpl_status dpl_plan_make(dpl_plan **out, dpl_ctx *ctx, const dpl_plan_options *options,
                         dpl_error *err)
{
    *out = NULL;
    dpl__planner p = {.ctx = ctx};
    DPL_TRY(DPL__TAKE(&p.o, options, err));
    const dpl_plan_options given = p.o;
    const dpl__method *method = dpl__method_of(given.method);
    if (!method)
        return dpl__fail(err, DPL_E_USAGE, "no search method number %d", (int)given.method);
    DPL_TRY(make_plan(out, &p, err));
    const unsigned bits = (*out)->long_bits;
    if (given.length || !method->chooses_bits || bits == p.o.length)
        return DPL_OK;
    p = (dpl__planner){.ctx = ctx, .o = given};
    p.o.length = bits;
    dpl_plan_free(*out);
    *out = NULL;
    return make_plan(out, &p, err);
}

void dpl_plan_free(dpl_plan *plan)
{
    if (!plan)
        return;
    dpl__vec_clear(plan->ctx, &plan->rows);
    dpl__free(plan->ctx, plan);
}

const dpl_plan_summary *dpl_plan_get_summary(const dpl_plan *plan)
{
    return &plan->summary;
}

const dpl_plan_row *dpl_plan_get_row(const dpl_plan *plan, size_t i)
{
    return i < plan->rows.n ? &plan->rows.data[i] : NULL;
}
