/*
 * plan.c - how well the plan predicts the recall of windows: predicted beside measured, over a
 * grid of Q and B, for synthetic pairs of known angle and for real collections.
 *
 *     plan --work DIR [--data DIR] [--only TEXT] [--smoke]
 *
 * Measured is by naive tables (pairs/tables_test.h) with the permutations that a search would
 * use: the true pairs, all or 20,000 of them, of which those count that stand within B places
 * in one of Q tables and within the plan's cut. A thousand tables are made: the first ten are
 * what a search with Q = 10 makes, and all together are a hundred runs of ten, ten of a hundred
 * and so on, which shows how much runs differ.
 */
#include "doppel/doppel.h"

#include "base/ctx.h"
#include "pairs/searches.h"
#include "pairs/tables_test.h"
#include "pairs/window_model.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_WINDOWS = 6, N_TABLES = 5, N_CELLS = N_WINDOWS * N_TABLES, MOST_PAIRS = 20000 };

static const unsigned windows[N_WINDOWS] = {50, 100, 200, 500, 1000, 2000};
static const unsigned tables[N_TABLES] = {10, 30, 100, 300, 1000};

typedef struct settings {
    const char *data, *work, *only;
    bool is_smoke;
} settings;

/* Largest differences: from the search's own run, from the mean of all runs. */
typedef struct tally {
    double run, mean, paper;
} tally;

/* ---- printing ----------------------------------------------------------------------- */

typedef struct cell {
    double predicted, low, high; /* ours; the paper's bounds */
    tables_recall measured;
} cell;

static double beyond(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0;
}

static void print_tally(const char *name, const tally *t)
{
    printf("%s: predicted within %.3f of the run, %.3f of the mean of runs; the paper's bounds "
           "miss the run by %.3f\n\n",
           name, t->run, t->mean, t->paper);
}

static void print_cells(const cell *cells, tally *t)
{
    tally own = {0};
    printf("  %6s %6s %9s %9s %7s   %-17s %s\n", "B", "Q", "measured", "predicted", "",
           "other runs", "paper's bounds");
    for (size_t i = 0; i < N_CELLS; i++) {
        const cell *c = &cells[i];
        const tables_recall *m = &c->measured;
        if (m->n_runs == 0)
            continue;
        double error = c->predicted - m->first;
        own.run = fmax(own.run, fabs(error));
        own.mean = fmax(own.mean, fabs(c->predicted - m->mean));
        own.paper = fmax(own.paper, beyond(m->first, c->low, c->high));
        printf("  %6u %6u %9.3f %9.3f %+7.3f   %.3f to %.3f    %.3f to %.3f\n",
               windows[i / N_TABLES], tables[i % N_TABLES], m->first, c->predicted, error,
               m->least, m->most, c->low, c->high);
    }
    print_tally("  largest", &own);
    t->run = fmax(t->run, own.run);
    t->mean = fmax(t->mean, own.mean);
    t->paper = fmax(t->paper, own.paper);
}

/* ---- the plan's side ---------------------------------------------------------------- */

/* One plan for each window; it has a row for each Q. */
static dpl_status predict(cell *cells, unsigned *cut, dpl_ctx *ctx, dpl_plan_options o,
                          double n_rows, dpl_error *err)
{
    dpl_speeds speeds = DPL_INIT(dpl_speeds, .compare_ns = 0.7); /* no matter here */
    dpl_plan *plan;
    const dpl_plan_row *row;
    o.speeds = &speeds;
    for (size_t w = 0; w < N_WINDOWS; w++) {
        if (windows[w] >= n_rows)
            continue;
        o.width = windows[w];
        DPL_TRY(dpl_plan_make(&plan, ctx, &o, err));
        for (size_t i = 0; (row = dpl_plan_get_row(plan, i)) != NULL; i++)
            for (size_t q = 0; q < N_TABLES; q++)
                if (row->n_tables == tables[q]) {
                    cell *c = &cells[w * N_TABLES + q];
                    c->predicted = row->recall;
                    c->low = row->paper_low;
                    c->high = row->paper_high;
                    *cut = row->cut;
                }
        dpl_plan_free(plan);
    }
    return DPL_OK;
}

/* ---- the tables' side --------------------------------------------------------------- */

static void measure(cell *cells, tables_input in, size_t n_true, dpl_ctx *ctx,
                    const settings *s)
{
    tables_recall out[N_CELLS];
    in.windows = windows;
    in.n_windows = N_WINDOWS;
    in.tables = tables;
    in.n_tables = N_TABLES - (s->is_smoke ? 2 : 0);
    in.seed = ctx->seed;
    tables_run(out, &in);
    double scale = n_true ? (double)in.n_pairs / (double)n_true : 0;
    for (size_t w = 0; w < N_WINDOWS; w++)
        for (size_t q = 0; q < in.n_tables && windows[w] < in.n_rows; q++) {
            tables_recall *m = &cells[w * N_TABLES + q].measured;
            *m = out[w * in.n_tables + q];
            m->first *= scale;
            m->mean *= scale;
            m->least *= scale;
            m->most *= scale;
        }
}

static unsigned distance(const uint64_t *words, tables_pair p, unsigned n_bits)
{
    unsigned n_words = n_bits / 64, h = 0;
    for (unsigned j = 0; j < n_words; j++)
        for (uint64_t x = words[p.a * n_words + j] ^ words[p.b * n_words + j]; x; x &= x - 1)
            h++;
    return h;
}

/* Pairs within the cut, to the front. */
static size_t within_cut(tables_pair *pairs, size_t n, const uint64_t *words, unsigned n_bits,
                         unsigned cut)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (distance(words, pairs[i], n_bits) <= cut)
            pairs[n_kept++] = pairs[i];
    return n_kept;
}

/* ---- synthetic ---------------------------------------------------------------------- */

static dpl_status run_synthetic(double cosine, unsigned n_bits, const settings *s, dpl_ctx *ctx,
                                tally *t, dpl_error *err)
{
    size_t n_pairs = s->is_smoke ? 1500 : 10000, n_words = n_bits / 64;
    uint64_t *words = malloc(2 * n_pairs * n_words * sizeof *words);
    tables_pair *pairs = malloc(n_pairs * sizeof *pairs);
    dpl__rng rng = {7};
    uint64_t limit = (uint64_t)(dpl__differ(cosine) * 0x1p64);
    for (uint32_t i = 0; words && pairs && i < n_pairs; i++) {
        pairs[i] = (tables_pair){i, (uint32_t)n_pairs + i};
        for (size_t j = 0; j < n_words; j++) {
            uint64_t mask = 0;
            for (int bit = 0; bit < 64; bit++)
                mask = mask << 1 | (dpl__rng_next(&rng) < limit);
            words[i * n_words + j] = dpl__rng_next(&rng);
            words[(n_pairs + i) * n_words + j] = words[i * n_words + j] ^ mask;
        }
    }
    printf("synthetic: %zu pairs of cosine %.2f, %u bits\n", n_pairs, cosine, n_bits);
    cell cells[N_CELLS] = {0};
    unsigned cut = 0;
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = n_pairs, .n_right = n_pairs,
                                  .length = n_bits, .threshold = cosine);
    dpl_status status = words && pairs ? predict(cells, &cut, ctx, o, 2 * (double)n_pairs, err)
                                       : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        size_t n = within_cut(pairs, n_pairs, words, n_bits, cut);
        measure(cells,
                (tables_input){.words = words,
                               .n_rows = 2 * n_pairs,
                               .n_bits = n_bits,
                               .pairs = pairs,
                               .n_pairs = n},
                n_pairs, ctx, s);
        print_cells(cells, t);
    }
    free(pairs);
    free(words);
    return status;
}

/* ---- real --------------------------------------------------------------------------- */

typedef struct real {
    const char *name, *left, *right; /* below DATA; right NULL: within left */
    const char *lexicon;             /* for the left side */
    double threshold;
    unsigned bits;
} real;

static const real reals[] = {
    {"lohelp de-en", "lohelp/docs.de.jsonl.zst", "lohelp/docs.en.jsonl.zst",
     "ttable-de-en/de-en.wmt10.tsv.zst", 0.3, 1024},
    {"lohelp de-en, threshold 0.5", "lohelp/docs.de.jsonl.zst", "lohelp/docs.en.jsonl.zst",
     "ttable-de-en/de-en.wmt10.tsv.zst", 0.5, 1024},
    {"bible de-en", "bible/docs.de.jsonl.zst", "bible/docs.en.jsonl.zst",
     "ttable-de-en/de-en.wmt10.tsv.zst", 0.3, 1024},
    {"bible, two English versions, 256 bits", "bible/docs.en.jsonl.zst",
     "bible/docs.enw.jsonl.zst", NULL, 0.3, 256},
    {"Reuters, within", "mono/reuters21578.jsonl.zst", NULL, NULL, 0.3, 1024},
    {"Reuters, within, threshold 0.7", "mono/reuters21578.jsonl.zst", NULL, NULL, 0.7, 1024},
};

/* Rows, their signatures, and the true pairs. */
typedef struct side {
    dpl_vectors *vectors;
    dpl_signatures *signatures;
} side;

typedef struct found {
    dpl__rng rng;
    uint64_t n_seen;
    tables_pair pairs[MOST_PAIRS];
    uint32_t right_from; /* number of the first right row */
} found;

static dpl_status open_side(side *out, dpl_ctx *ctx, const settings *s, const char *file,
                            const char *lexicon, unsigned bits, dpl_error *err)
{
    char in[1024], collection[1024], vectors[1024], table[1024];
    const char *const inputs[] = {in};
    snprintf(in, sizeof in, "%s/%s", s->data, file);
    snprintf(table, sizeof table, "%s/%s", s->data, lexicon ? lexicon : "");
    snprintf(collection, sizeof collection, "%s/plan-collection.dpl", s->work);
    snprintf(vectors, sizeof vectors, "%s/plan-vectors-%s.dpl", s->work, lexicon ? "x" : "y");
    dpl_import_options io =
        DPL_INIT(dpl_import_options,
                 .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
    dpl_lexicon_options lo =
        DPL_INIT(dpl_lexicon_options, .source_lang = "de", .target_lang = "en");
    dpl_collection *c = NULL;
    dpl_lexicon *l = NULL;
    dpl_status status = dpl_import(NULL, ctx, collection, inputs, 1, &io, err);
    if (status == DPL_OK)
        status = dpl_collection_open(&c, ctx, collection, err);
    if (status == DPL_OK && lexicon)
        status = dpl_lexicon_open(&l, ctx, table, &lo, err);
    if (status == DPL_OK)
        status = dpl_vectors_make(NULL, ctx, vectors, c, l, NULL, err);
    if (status == DPL_OK)
        status = dpl_vectors_open(&out->vectors, ctx, vectors, err);
    dpl_sign_options so = DPL_INIT(dpl_sign_options, .length = bits);
    if (status == DPL_OK)
        status = dpl_signatures_make(&out->signatures, ctx, out->vectors, &so, err);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    return status;
}

static void close_side(side *x)
{
    dpl_signatures_close(x->signatures);
    dpl_vectors_close(x->vectors);
}

static dpl_status take_pairs(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    found *f = user;
    for (size_t i = 0; i < n; i++) {
        uint64_t at = f->n_seen++;
        if (at >= MOST_PAIRS)
            at = dpl__rng_below(&f->rng, f->n_seen);
        if (at < MOST_PAIRS)
            f->pairs[at] = (tables_pair){pairs[i].left, f->right_from + pairs[i].right};
    }
    return DPL_OK;
}

static dpl_status find_true(found *f, dpl_ctx *ctx, const side *left, const side *right,
                            double threshold, const settings *s, dpl_error *err)
{
    dpl__sides sides;
    dpl__spill spill;
    dpl__pair_sink sink = {f, take_pairs};
    DPL_TRY(dpl__sides_init(&sides, ctx, left->vectors, right ? right->vectors : NULL, err));
    dpl_status status = dpl__spill_init(&spill, ctx, s->work, err);
    if (status == DPL_OK) {
        status = dpl__exact(
            ctx, &(dpl__exact_search){.sides = &sides, .threshold = threshold, .sink = &sink},
            &spill, err);
        dpl__spill_clear(&spill);
    }
    dpl__sides_clear(&sides, ctx);
    return status;
}

/* Signatures of both sides, one behind the other. */
static uint64_t *all_words(const side *left, const side *right, size_t *n_rows)
{
    size_t n_words = dpl_signatures_get_sizes(left->signatures)->n_words;
    size_t n_left = dpl_signatures_get_sizes(left->signatures)->n_rows;
    size_t n_right = right ? dpl_signatures_get_sizes(right->signatures)->n_rows : 0;
    *n_rows = n_left + n_right;
    uint64_t *words = malloc(*n_rows * n_words * sizeof *words);
    for (uint32_t i = 0; words && i < *n_rows; i++)
        memcpy(words + i * n_words,
               i < n_left ? dpl_signatures_row(left->signatures, i)
                          : dpl_signatures_row(right->signatures, i - (uint32_t)n_left),
               n_words * sizeof *words);
    return words;
}

static dpl_status compare_real(const real *r, const settings *s, dpl_ctx *ctx, const side *left,
                               const side *right, tally *t, dpl_error *err)
{
    static found f;
    size_t n_rows = 0;
    unsigned cut = 0;
    f = (found){.rng = {11}};
    f.right_from = right ? dpl_vectors_get_sizes(left->vectors)->n_rows : 0;
    DPL_TRY(find_true(&f, ctx, left, right, r->threshold, s, err));
    dpl_pairs_side a = {.vectors = left->vectors, .signatures = left->signatures}, b = {0};
    if (right)
        b = (dpl_pairs_side){.vectors = right->vectors, .signatures = right->signatures};
    uint64_t *words = all_words(left, right, &n_rows);
    if (!words)
        return dpl__fail_nomem(err);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .threshold = r->threshold, .left = &a,
                                  .right = right ? &b : NULL, .length = r->bits);
    cell cells[N_CELLS] = {0};
    dpl_status status = predict(cells, &cut, ctx, o, (double)n_rows, err);
    if (status == DPL_OK) {
        size_t n_true = dpl__min(f.n_seen, MOST_PAIRS);
        size_t n = within_cut(f.pairs, n_true, words, r->bits, cut);
        printf("%s: %zu rows, %llu pairs of cosine %.1f and more, %u bits\n", r->name, n_rows,
               (unsigned long long)f.n_seen, r->threshold, r->bits);
        measure(cells,
                (tables_input){.words = words,
                               .n_rows = n_rows,
                               .n_bits = r->bits,
                               .pairs = f.pairs,
                               .n_pairs = n},
                n_true, ctx, s);
        print_cells(cells, t);
    }
    free(words);
    return status;
}

static dpl_status run_real(const real *r, const settings *s, dpl_ctx *ctx, tally *t,
                           dpl_error *err)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", s->data, r->left);
    if (access(path, R_OK) != 0) {
        printf("%s: no data\n\n", r->name);
        return DPL_OK;
    }
    side left = {0}, right = {0};
    dpl_status status = open_side(&left, ctx, s, r->left, r->lexicon, r->bits, err);
    if (status == DPL_OK && r->right)
        status = open_side(&right, ctx, s, r->right, NULL, r->bits, err);
    if (status == DPL_OK)
        status = compare_real(r, s, ctx, &left, r->right ? &right : NULL, t, err);
    close_side(&right);
    close_side(&left);
    return status;
}

/* ---- the run ------------------------------------------------------------------------ */

static bool is_wanted(const settings *s, const char *name)
{
    return !s->only || strstr(name, s->only);
}

static dpl_status run(const settings *s, dpl_ctx *ctx, dpl_error *err)
{
    static const struct {
        double cosine;
        unsigned bits;
    } synthetic[] = {{0.3, 1024}, {0.5, 1024}, {0.8, 1024}, {0.3, 256}, {0.1, 1024}};
    tally made = {0}, met = {0};
    if (is_wanted(s, "synthetic"))
        for (size_t i = 0; i < (s->is_smoke ? 1 : DPL_LEN(synthetic)); i++)
            DPL_TRY(run_synthetic(synthetic[i].cosine, synthetic[i].bits, s, ctx, &made, err));
    print_tally("synthetic, all together", &made);
    if (s->is_smoke)
        return DPL_OK;
    for (size_t i = 0; i < DPL_LEN(reals); i++)
        if (is_wanted(s, reals[i].name))
            DPL_TRY(run_real(&reals[i], s, ctx, &met, err));
    print_tally("real, all together", &met);
    return DPL_OK;
}

static bool read_settings(settings *s, int argc, char **argv)
{
    *s = (settings){.data = "../shared/data"};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--smoke") == 0) {
            s->is_smoke = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            s->data = value;
        else if (strcmp(argv[i], "--work") == 0)
            s->work = value;
        else if (strcmp(argv[i], "--only") == 0)
            s->only = value;
        else
            return false;
        i++;
    }
    return s->work != NULL;
}

int main(int argc, char **argv)
{
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    settings s;
    if (!read_settings(&s, argc, argv)) {
        fprintf(stderr, "usage: plan --work DIR [--data DIR] [--only TEXT] [--smoke]\n");
        return 2;
    }
    mkdir(s.work, 0777);
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = run(&s, ctx, &err);
    dpl_ctx_free(ctx);
    if (status != DPL_OK)
        fprintf(stderr, "plan: %s\n", err.text);
    return status != DPL_OK;
}
