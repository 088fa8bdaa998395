/*
 * plan.c - which way to search: what each would find, cost and need.
 *
 * In: sizes, or rows; a threshold and the recall that is wanted. Out: rows for the exact
 * method, for brute force, and for the window method over a grid of Q and B with, for each B,
 * the least Q that reaches the recall; and the fastest of them that reaches it.
 *
 * The loss that the recall allows is shared out. Brute force spends it on the distance cut. The
 * early test, where it pays, takes a tenth. In the window method more tables and a looser cut
 * are two ways to buy recall: the share for the cut is the one with which the fastest window is
 * fastest.
 *
 * Cost: a look at the rows, if there are any (plan_look.c), else some milliseconds.
 */
#include "pairs/plan.h"

#include "base/ctx.h"
#include "base/maths.h"

#include <math.h>

enum { USUAL_BITS = 1024, MOST_BITS = 65536, USUAL_TERMS = 120 };

/* Exact first: it misses nothing and needs no recall check, so it may take so many times as
 * long as the fastest way, or so many seconds. */
static const double EXACT_TIMES = 1.5, EXACT_SECONDS = 2;

static const double first_loss = 0.1; /* of what is allowed, for the early test */
static const double cut_losses[] = {0.1, 0.25, 0.5}; /* for the window's cut */
static const double most_relative = 2; /* what costs more is left out of the grid */
static const double hit_ns = 40; /* a pair that a table lets through: kept, sorted, met again */
/* Shared terms of two rows for each term of one: 10.2 of 120 in English prose. */
static const double shared_terms = 0.085;
/* Where a speed was not measured: a core of a server with AVX-512. */
static const dpl_speeds usual_speeds = {.compare_ns = 0.65,
                                        .single_ns = 6,
                                        .permute_ns = 250,
                                        .multiply_ns = 0.17,
                                        .dense_ns = 0.08,
                                        .verify_ns = 200,
                                        .sign_ns = 2000};

typedef struct planner {
    dpl_ctx *ctx;
    dpl_plan *plan;
    dpl_plan_options o;
    dpl_speeds speeds;
    dpl__model *model;
    dpl__look look;
    bool has_look, has_vectors, is_signed, is_self, is_dense;
    double n_left, n_right, n_rows, n_pairs;
    double terms; /* of a row; numbers of a dense one */
    double windows[DPL__PLAN_WINDOWS];
    size_t n_windows;
    dpl__outlook outlook;
    double *pass;
} planner;

/* ---- options ------------------------------------------------------------------------ */

static dpl_status check_side(const dpl_pairs_side *side, unsigned *bits, uint64_t *n,
                             dpl_error *err)
{
    if (!side->vectors && !side->signatures)
        return dpl__fail(err, DPL_E_USAGE, "a side has neither vectors nor signatures");
    if (side->signatures) {
        const dpl_signatures_sizes *sizes = dpl_signatures_get_sizes(side->signatures);
        if (sizes->method == DPL_SIGN_MINHASH)
            return dpl__fail(err, DPL_E_USAGE, "minhash signatures have no bits to search by");
        *bits = 64 * sizes->n_words;
        *n = sizes->n_rows;
    }
    if (side->vectors)
        *n = dpl_vectors_get_sizes(side->vectors)->n_rows;
    return DPL_OK;
}

static dpl_status check_sides(planner *p, dpl_error *err)
{
    dpl_plan_options *o = &p->o;
    DPL_TRY(check_side(o->left, &o->bits, &o->n_left, err));
    o->n_right = 0;
    if (o->right) {
        DPL_TRY(check_side(o->right, &o->bits, &o->n_right, err));
        if (o->n_right == 0)
            return dpl__fail(err, DPL_E_USAGE, "the right side is empty");
    }
    p->has_look = true;
    p->has_vectors = o->left->vectors && (!o->right || o->right->vectors);
    p->is_signed = o->left->signatures && (!o->right || o->right->signatures);
    if (p->is_signed && o->right)
        DPL_TRY(dpl_signatures_check_match(o->left->signatures, o->right->signatures, err));
    if (!p->is_signed && !p->has_vectors)
        return dpl__fail(err, DPL_E_USAGE, "one side has vectors, the other only signatures");
    if (p->has_vectors) {
        const dpl_vectors_sizes *sizes = dpl_vectors_get_sizes(o->left->vectors);
        p->is_dense = sizes->dim > 0;
        o->terms_per_row = sizes->n_rows ? (double)sizes->n_entries / sizes->n_rows : 0;
    }
    return DPL_OK;
}

static dpl_status check_options(planner *p, dpl_error *err)
{
    dpl_plan_options *o = &p->o;
    if (o->left)
        DPL_TRY(check_sides(p, err));
    else
        p->has_vectors = true;
    o->bits = o->bits ? (o->bits + 63) / 64 * 64 : USUAL_BITS;
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
    if (o->bits > MOST_BITS)
        return dpl__fail(err, DPL_E_USAGE, "signatures have at most %d bits", MOST_BITS);
    if (!(o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "the threshold must be between 0 and 1");
    if (!(o->recall > 0 && o->recall < 1))
        return dpl__fail(err, DPL_E_USAGE, "the recall must be above 0 and below 1");
    if (o->window.size && o->window.size >= p->n_rows)
        return dpl__fail(err, DPL_E_USAGE,
                         "a window of %u is larger than the table of %.0f rows", o->window.size,
                         p->n_rows);
    return DPL_OK;
}

static double known(double measured, double usual)
{
    return measured > 0 ? measured : usual;
}

static dpl_status take_speeds(planner *p, dpl_error *err)
{
    dpl_speeds *s = &p->o.speeds, *to = &p->speeds;
    const dpl_speeds *usual = &usual_speeds;
    if (!(s->compare_ns > 0))
        DPL_TRY(dpl_speeds_measure(s, p->ctx, err));
    p->plan->speeds = *s;
    *to = (dpl_speeds){
        known(s->compare_ns, usual->compare_ns), known(s->single_ns, usual->single_ns),
        known(s->permute_ns, usual->permute_ns), known(s->multiply_ns, usual->multiply_ns),
        known(s->dense_ns, usual->dense_ns),     known(s->verify_ns, usual->verify_ns),
        known(s->sign_ns, usual->sign_ns)};
    double scale = p->o.bits / (double)USUAL_BITS, length = p->terms / USUAL_TERMS;
    to->compare_ns *= scale;
    to->single_ns *= scale;
    to->sign_ns *= scale * length;
    to->verify_ns = p->is_dense ? to->dense_ns * p->terms + 50 : to->verify_ns * length;
    if (p->is_dense)
        to->multiply_ns = to->dense_ns;
    return DPL_OK;
}

/* Windows up to a sixteenth of the table, six of them. */
static void take_windows(planner *p)
{
    static const double ladder[] = {10,   20,   50,   100,   200,   500,
                                    1000, 2000, 5000, 10000, 20000, 50000};
    if (p->o.window.size) {
        p->windows[p->n_windows++] = p->o.window.size;
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

static double seconds(const planner *p, double ns)
{
    return ns * 1e-9 / p->ctx->n_threads;
}

static double signing(const planner *p)
{
    return p->is_signed ? 0 : p->n_rows * p->speeds.sign_ns;
}

static double signature_bytes(const planner *p)
{
    return p->n_rows * p->o.bits / 8;
}

/* Nanoseconds of one comparison with these cuts. */
static double compare_ns(const planner *p, const dpl__cuts *cuts)
{
    if (!cuts->first_words)
        return p->speeds.compare_ns;
    double first = 64.0 * cuts->first_words;
    return p->speeds.compare_ns * first / p->o.bits +
           dpl__outlook_first(&p->outlook, 64 * cuts->first_words, cuts->first_cut) *
               p->speeds.single_ns;
}

/* Pairs that pass a cut: what the sample's distances say, and at least the true ones. */
static double candidates(const planner *p, double share, double recall)
{
    double least = p->has_look ? p->look.found * recall : 0;
    return p->n_pairs * (share > least ? share : least);
}

static double against_brute(const planner *p, double comparisons)
{
    return p->n_pairs > 0 ? comparisons / p->n_pairs : 0;
}

static void put_row(planner *p, dpl_plan_row row)
{
    row.fits = row.bytes <= (double)p->ctx->memory;
    assert(p->plan->n_rows < DPL_LEN(p->plan->rows));
    p->plan->rows[p->plan->n_rows++] = row;
}

static void put_exact(planner *p)
{
    if (!p->has_vectors)
        return;
    double products = p->is_dense                           ? p->terms
                      : p->has_look && p->look.products > 0 ? p->look.products
                                                            : shared_terms * p->terms;
    double ns = products * p->n_pairs * p->speeds.multiply_ns;
    double index = p->n_right * p->terms * 8, half = (double)p->ctx->memory / 2;
    put_row(p, (dpl_plan_row){.method = DPL_PAIRS_EXACT,
                              .comparisons = products * p->n_pairs,
                              .relative = against_brute(p, ns / p->speeds.compare_ns),
                              .paper_low = 1,
                              .paper_high = 1,
                              .paper_cut = 1,
                              .recall = 1,
                              .seconds = seconds(p, ns),
                              .bytes = index < half ? index : half});
}

static dpl_plan_row brute_row(planner *p, const dpl__cuts *cuts)
{
    double times;
    dpl__outlook_pass(p->pass, &p->outlook, cuts);
    dpl_plan_row row = {.method = DPL_PAIRS_BRUTE,
                        .comparisons = p->n_pairs,
                        .relative = 1,
                        .paper_low = 1,
                        .paper_high = 1,
                        .paper_cut = dpl__paper_cut(p->o.threshold, p->o.bits, 0),
                        .recall = dpl__outlook_recall(&p->outlook, p->pass, 0, 0),
                        .cut = cuts->cut,
                        .first_bits = 64 * cuts->first_words,
                        .first_cut = cuts->first_cut,
                        .bytes = signature_bytes(p)};
    row.candidates =
        candidates(p, dpl__outlook_through(&p->outlook, cuts->cut, 0, 0, &times), row.recall);
    row.seconds = seconds(p, signing(p) + p->n_pairs * compare_ns(p, cuts) +
                                 row.candidates * p->speeds.verify_ns);
    return row;
}

/* Pairs of rows that stand at most B places apart in a table and are to be compared. */
static double count_in_window(const planner *p, double window)
{
    double n = window * (p->n_rows - (window + 1) / 2);
    return p->is_self ? n : n * 2 * p->n_left * p->n_right / (p->n_rows * (p->n_rows - 1));
}

/* p->pass is that of the cuts. */
static dpl_plan_row window_row(const planner *p, size_t window, unsigned n_tables,
                               const dpl__cuts *cuts)
{
    double hits, size = p->windows[window], q = n_tables;
    unsigned low, high;
    dpl__paper_prefix(&low, &high, p->n_rows, size);
    dpl_plan_row row = {.method = DPL_PAIRS_WINDOW,
                        .n_tables = n_tables,
                        .window = (unsigned)size,
                        .comparisons = q * count_in_window(p, size),
                        .paper_low = dpl__paper_tables(p->o.threshold, high, q),
                        .paper_high = dpl__paper_tables(p->o.threshold, low, q),
                        .paper_cut = dpl__paper_cut(p->o.threshold, p->o.bits, low),
                        .recall = dpl__outlook_recall(&p->outlook, p->pass, window, q),
                        .cut = cuts->cut,
                        .first_bits = 64 * cuts->first_words,
                        .first_cut = cuts->first_cut};
    double sorting = q * p->n_rows * p->speeds.permute_ns;
    double through = dpl__outlook_through(&p->outlook, cuts->cut, window, q, &hits);
    row.candidates = candidates(p, through, row.recall);
    row.relative = against_brute(p, row.comparisons + sorting / p->speeds.compare_ns);
    row.seconds =
        seconds(p, signing(p) + sorting + row.comparisons * compare_ns(p, cuts) +
                       hits * p->n_pairs * hit_ns + row.candidates * p->speeds.verify_ns);
    row.bytes = signature_bytes(p) + 16 * p->n_rows; /* what is found is spilled */
    return row;
}

/* ---- cuts --------------------------------------------------------------------------- */

/* The cuts that lose this share of the pairs at the threshold, with and without an early test;
 * the cheaper ones of the two for each comparison. */
static dpl__cuts choose_cuts(const planner *p, double loss, bool has_first)
{
    double threshold = p->o.threshold, loss_first = first_loss * (1 - p->o.recall);
    dpl__cuts best = {.cut = dpl_sign_cut(p->o.bits, threshold, 1 - loss)};
    if (!has_first || loss <= loss_first)
        return best;
    double best_ns = compare_ns(p, &best);
    dpl__cuts cuts = {.cut = dpl_sign_cut(p->o.bits, threshold, 1 - (loss - loss_first))};
    for (unsigned words = 1; words < p->o.bits / 64; words += 1 + words / 16) {
        cuts.first_words = words;
        cuts.first_cut = dpl_sign_cut(64 * words, threshold, 1 - loss_first);
        double ns = compare_ns(p, &cuts);
        if (ns < 0.9 * p->speeds.compare_ns && ns < best_ns) {
            best = cuts;
            best_ns = ns;
        }
    }
    return best;
}

static void put_brute(planner *p)
{
    dpl__cuts plain = choose_cuts(p, 1 - p->o.recall, false);
    dpl__cuts early = choose_cuts(p, 1 - p->o.recall, true);
    dpl_plan_row row = brute_row(p, &plain);
    if (early.first_words) {
        dpl_plan_row other = brute_row(p, &early);
        if (other.seconds < row.seconds)
            row = other;
    }
    put_row(p, row);
}

/* ---- the window's grid -------------------------------------------------------------- */

/* Seconds of the fastest window that reaches the recall with these cuts; fills in p->pass. */
static double fastest_window(planner *p, const dpl__cuts *cuts)
{
    double best = INFINITY;
    dpl__outlook_pass(p->pass, &p->outlook, cuts);
    for (size_t w = 0; w < p->n_windows; w++) {
        unsigned n = p->o.window.n_tables;
        if (!n)
            n = dpl__outlook_tables(&p->outlook, p->pass, w, p->o.recall);
        if (n)
            best = fmin(best, window_row(p, w, n, cuts).seconds);
    }
    return best;
}

static dpl__cuts choose_window_cuts(planner *p)
{
    dpl__cuts best = {0};
    double best_seconds = INFINITY, loss = 1 - p->o.recall;
    for (size_t i = 0; i < DPL_LEN(cut_losses); i++)
        for (int has_first = 0; has_first < 2; has_first++) {
            dpl__cuts cuts =
                choose_cuts(p, loss * (cut_losses[i] + has_first * first_loss), has_first);
            double s = fastest_window(p, &cuts);
            if (s < best_seconds || (i == 0 && !has_first)) {
                best = cuts;
                best_seconds = s;
            }
        }
    return best;
}

/* By Q, then B; the least Q that reaches the recall stands where it belongs. */
static int by_tables(const dpl_plan_row *a, const dpl_plan_row *b)
{
    if (a->n_tables != b->n_tables)
        return a->n_tables < b->n_tables ? -1 : 1;
    return (a->window > b->window) - (a->window < b->window);
}

static void put_in_order(planner *p, size_t first, dpl_plan_row row)
{
    dpl_plan *plan = p->plan;
    for (size_t i = first; i < plan->n_rows; i++)
        if (by_tables(&plan->rows[i], &row) == 0)
            return;
    put_row(p, row);
    for (size_t i = plan->n_rows - 1; i > first; i--) {
        dpl_plan_row *a = &plan->rows[i - 1], *b = &plan->rows[i], swap = *a;
        if (by_tables(a, b) < 0)
            break;
        *a = *b;
        *b = swap;
    }
}

static void put_windows(planner *p)
{
    static const unsigned tables[] = {10, 30, 100, 300, 1000};
    if (p->n_windows == 0)
        return;
    dpl__cuts cuts = choose_window_cuts(p);
    dpl__outlook_pass(p->pass, &p->outlook, &cuts);
    size_t first = p->plan->n_rows;
    for (size_t w = 0; w < p->n_windows; w++) {
        unsigned n = p->o.window.n_tables;
        if (n) {
            put_in_order(p, first, window_row(p, w, n, &cuts));
            continue;
        }
        for (size_t i = 0; i < DPL_LEN(tables); i++) {
            dpl_plan_row row = window_row(p, w, tables[i], &cuts);
            if (row.relative <= most_relative || p->o.window.size)
                put_in_order(p, first, row);
        }
        n = dpl__outlook_tables(&p->outlook, p->pass, w, p->o.recall);
        if (n)
            put_in_order(p, first, window_row(p, w, n, &cuts));
    }
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
    for (size_t i = 0; i < plan->n_rows; i++) {
        const dpl_plan_row *row = &plan->rows[i];
        if ((method == DPL_PAIRS_AUTO || row->method == method) && row->fits &&
            reaches(row, recall) && (!best || row->seconds < best->seconds))
            best = row;
    }
    return best;
}

/* Where nothing reaches the recall and fits: the highest recall, what fits first. */
static size_t closest(const dpl_plan *plan)
{
    size_t best = 0;
    for (size_t i = 1; i < plan->n_rows; i++) {
        const dpl_plan_row *a = &plan->rows[i], *b = &plan->rows[best];
        if (a->fits != b->fits ? a->fits : a->recall > b->recall)
            best = i;
    }
    return best;
}

/* Brute force with signatures of another length. */
static dpl_status other_bits(planner *p, unsigned bits, double *s, dpl_error *err)
{
    planner other = *p;
    dpl_plan plan = {0};
    double scale = (double)bits / p->o.bits;
    other.plan = &plan;
    other.o.bits = bits;
    other.speeds.compare_ns *= scale;
    other.speeds.single_ns *= scale;
    other.speeds.sign_ns *= scale;
    dpl__outlook_options o = {.bits = bits,
                              .threshold = p->o.threshold,
                              .rows = p->n_rows,
                              .differ = p->outlook.differ,
                              .differ_sd = p->outlook.differ_sd};
    DPL_TRY(dpl__outlook_init(&other.outlook, p->ctx, &o, err));
    size_t n_bytes = other.outlook.n * sizeof *other.pass;
    other.pass = dpl__alloc(p->ctx, n_bytes);
    if (other.pass) {
        put_brute(&other);
        *s = plan.rows[0].fits ? plan.rows[0].seconds : INFINITY;
    }
    dpl_status status = other.pass ? DPL_OK : dpl__fail_nomem(err);
    dpl__free(p->ctx, other.pass, n_bytes);
    dpl__outlook_clear(&other.outlook, p->ctx);
    return status;
}

/* Longer signatures take longer to compare and let fewer pairs through to verification. */
static dpl_status try_other_bits(planner *p, dpl_error *err)
{
    static const unsigned bits[] = {256, 512, 1024, 2048, 4096, 8192};
    dpl_plan *plan = p->plan;
    double best = plan->rows[plan->best].seconds / 1.25, s = INFINITY;
    for (size_t i = 0; i < DPL_LEN(bits) && !p->is_signed; i++) {
        if (bits[i] == p->o.bits || best < 1) /* a second is not worth the trouble */
            continue;
        DPL_TRY(other_bits(p, bits[i], &s, err));
        if (s < best) {
            best = plan->better_seconds = s;
            plan->better_bits = bits[i];
        }
    }
    return DPL_OK;
}

static dpl_status put_rows(planner *p, dpl_error *err)
{
    dpl_plan *plan = p->plan;
    put_exact(p);
    put_brute(p);
    put_windows(p);
    const dpl_plan_row *best = dpl__plan_fastest(plan, DPL_PAIRS_AUTO, p->o.recall);
    const dpl_plan_row *exact = dpl__plan_fastest(plan, DPL_PAIRS_EXACT, p->o.recall);
    if (exact && exact->seconds <= fmax(EXACT_SECONDS, EXACT_TIMES * best->seconds))
        best = exact;
    plan->best = best ? (size_t)(best - plan->rows) : closest(plan);
    plan->bits = p->o.bits;
    plan->n_pairs = p->n_pairs;
    plan->is_sampled = p->has_look;
    plan->random_cosine = dpl__cos(dpl__acos(-1) * p->outlook.differ);
    plan->random_sd =
        dpl__acos(-1) * p->outlook.differ_sd * dpl__sin(dpl__acos(-1) * p->outlook.differ);
    plan->true_pairs = p->has_look ? p->look.found * p->n_pairs : 0;
    plan->n_true_sample = p->has_look && !p->look.is_made_up ? p->look.n_pairs : 0;
    DPL_TRY(try_other_bits(p, err));
    dpl__plan_say_why(plan, p->o.recall);
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status look_at_rows(planner *p, dpl_error *err)
{
    dpl__look_options o = {.left = p->o.left,
                           .right = p->o.right,
                           .bits = p->o.bits,
                           .threshold = p->o.threshold,
                           .windows = p->windows,
                           .n_windows = p->n_windows};
    return dpl__look_init(&p->look, p->ctx, p->model, &o, err);
}

static dpl_status make(planner *p, dpl_error *err)
{
    DPL_TRY(take_speeds(p, err));
    take_windows(p);
    DPL_TRY(dpl__model_new(&p->model, p->ctx, err));
    if (p->has_look)
        DPL_TRY(look_at_rows(p, err));
    dpl__outlook_options o = {.model = p->model,
                              .look = p->has_look ? &p->look : NULL,
                              .bits = p->o.bits,
                              .threshold = p->o.threshold,
                              .rows = p->n_rows,
                              .windows = p->windows,
                              .n_windows = p->n_windows};
    DPL_TRY(dpl__outlook_init(&p->outlook, p->ctx, &o, err));
    p->pass = dpl__alloc(p->ctx, p->outlook.n * sizeof *p->pass);
    if (!p->pass)
        return dpl__fail_nomem(err);
    return put_rows(p, err);
}

dpl_status dpl_plan_make(dpl_plan *out, dpl_ctx *ctx, const dpl_plan_options *options,
                         dpl_error *err)
{
    *out = (dpl_plan){0};
    planner p = {.ctx = ctx, .plan = out, .o = *options};
    DPL_TRY(check_options(&p, err));
    dpl_status status = make(&p, err);
    dpl__free(ctx, p.pass, p.outlook.n * sizeof *p.pass);
    dpl__outlook_clear(&p.outlook, ctx);
    dpl__look_clear(&p.look, ctx);
    dpl__model_free(p.model, ctx);
    return status;
}
