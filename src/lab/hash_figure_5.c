/*
 * hash_figure_5.c - recall and precision at a similarity, and runtime at collection sizes, of
 * similarity hash functions (Stein 2007, Figure 5).
 *
 * Documents of a collection ask for those that share a code with them. As in the paper, the
 * functions have parameters such that result sets are small and equally large on average
 * (hash_equal.c): fuzzy-fingerprints with three schemes are set to as many results as there are
 * documents at or above a cosine of 0.7, the others to the size that these have, with at most
 * 20 codes; beside them fuzzy-fingerprints whose classes are of prefixes of two letters,
 * learned from the rows. Recall is the share of the documents at or above a similarity that are
 * results, precision the share of the results that are. Times are those of a query: its codes,
 * the lookups, and the cosines of the results. Beyond the paper: recall against the size of the
 * result.
 */
#include "lab/experiments.h"
#include "lab/hash_equal.h"

#include <math.h>
#include <stdio.h>

enum { BINS = 20, SIZES = 6, TIMED = 200 };
enum { AT_07 = 14, AT_08 = 16, AT_09 = 18 }; /* bins */

/* Results of a query, for the picture of recall against the size. */
static const double swept_sizes[] = {0.1, 0.5, 2, 10};
/* Least size that fuzzy-fingerprints are set to. */
static const double least_size = 0.2;

static const struct function {
    const char *name; /* in the table */
    const char *title;
    dpl_hash_options options;
    dpl__lab_knob knob;
    bool is_cut; /* of the first LETTERS of terms */
} functions[] = {
    {"fuzzy", "fuzzy-fingerprints",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3, .radix = 2),
     DPL_LAB_BY_LENGTH, false},
    {"fuzzy, 2", "fuzzy, prefixes of two letters",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3, .radix = 2),
     DPL_LAB_BY_LENGTH, true},
    {"LSH, sum", "LSH, sum (the paper's)",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 20, .codes = 20,
              .encoding = DPL_ENCODE_SUMMATION),
     DPL_LAB_BY_WIDTH, false},
    {"LSH", "LSH, concatenation",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 20, .codes = 20),
     DPL_LAB_BY_WIDTH, false},
    {"rp", "random hyperplanes",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .codes = 20),
     DPL_LAB_BY_LENGTH_AND_NUMBER, false},
    {"minhash", "minhash",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH, .codes = 20),
     DPL_LAB_BY_LENGTH_AND_NUMBER, false},
};
enum { FUNCTIONS = DPL_LEN(functions), FUZZY = 0, FUZZY_CUT, LSH_SUM, LSH };

/* Counts of documents by cosine: bin i has those from i / BINS on, the last one includes 1. */
typedef uint64_t bins[BINS];

typedef struct figure {
    dpl__lab *lab;
    dpl__lab_asked asked;
    dpl_hash_input cut; /* all rows, of terms that are cut */
    uint32_t n_rows;
    float *spread; /* a query by term */
    bins all;      /* cosines of queries and all other documents */
    bins found[FUNCTIONS];
    dpl_hash_options used[FUNCTIONS];
    double wanted;                      /* results of a query */
    double sizes[FUNCTIONS];            /* that there are */
    double times[FUNCTIONS + 2][SIZES]; /* of a query; 0: not measured; linear, exact */
    double results[FUNCTIONS][SIZES];   /* of a query, on average */
    uint32_t n_docs[SIZES];
    size_t n_sizes;
} figure;
enum { LINEAR = FUNCTIONS, EXACT };

static void add_bin(bins to, double cosine)
{
    const int i = (int)(cosine * BINS);
    to[i < 0 ? 0 : i < BINS ? i : BINS - 1]++;
}

/* From a bin on. */
static uint64_t from_bin(const bins x, size_t i)
{
    uint64_t sum = 0;
    for (; i < BINS; i++)
        sum += x[i];
    return sum;
}

static uint32_t step_of(size_t size, size_t n_sizes)
{
    return (uint32_t)1 << (n_sizes - 1 - size);
}

/* ---- linear search ------------------------------------------------------------------ */

/* Cosines of a query with every step-th row, into the bins; the sum, so that none is left
 * out. */
static double search_linearly(figure *f, uint32_t query, uint32_t step, uint64_t *to)
{
    const uint32_t *terms;
    const float *weights;
    const uint64_t *at = dpl_vectors_get_csr(f->asked.vectors, &terms, &weights);
    double sum = 0;
    for (uint64_t t = at[query]; t < at[query + 1]; t++)
        f->spread[terms[t]] = weights[t];
    for (uint32_t row = 0; row < f->n_rows; row += step) {
        double cosine = 0;
        for (uint64_t t = at[row]; t < at[row + 1]; t++)
            cosine += (double)f->spread[terms[t]] * (double)weights[t];
        sum += cosine;
        if (to && row != query)
            add_bin(to, cosine);
    }
    for (uint64_t t = at[query]; t < at[query + 1]; t++)
        f->spread[terms[t]] = 0;
    return sum;
}

static dpl_status time_linear(figure *f, dpl_error *err)
{
    const size_t n = dpl__min(f->asked.n_queries, TIMED);
    volatile double sum = 0;
    for (size_t size = 0; size < f->n_sizes; size++)
        for (unsigned run = 0; run < f->lab->set->repeats; run++) {
            const double began = dpl__lab_cpu_clock();
            for (size_t i = 0; i < n; i++)
                sum = sum +
                      search_linearly(f, f->asked.queries[i], step_of(size, f->n_sizes), NULL);
            const double took = (dpl__lab_cpu_clock() - began) / (double)n;
            double *best = &f->times[LINEAR][size];
            *best = run == 0 || took < *best ? took : *best;
            DPL_TRY(dpl__lab_progress(f->lab, 0, 0, err));
        }
    return DPL_OK;
}

/* ---- exact search through an inverted index --------------------------------------------- */

static dpl_status time_exact_once(double *seconds, figure *f, const dpl_vectors *queries,
                                  const dpl_vectors *rows, dpl_error *err)
{
    const dpl_pairs_side left = {.vectors = queries}, right = {.vectors = rows};
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                                         .threshold = 0.8, .temp = f->lab->scratch);
    dpl_pairs *pairs = NULL;
    const double began = dpl__lab_cpu_clock();
    DPL_TRY(dpl_pairs_open(&pairs, f->lab->ctx, &left, &right, &o, err));
    *seconds = (dpl__lab_cpu_clock() - began) / (double)f->asked.n_queries;
    dpl_pairs_close(pairs);
    return DPL_OK;
}

static dpl_status time_exact(figure *f, const dpl_vectors *queries, dpl_error *err)
{
    uint32_t *numbers = dpl__arena_alloc(&f->lab->arena, (f->n_rows + 1) * sizeof *numbers);
    DPL_TRY(dpl__need(numbers, err));
    for (size_t size = 0; size < f->n_sizes; size++) {
        dpl_vectors *rows = NULL;
        uint32_t n = 0;
        for (uint32_t i = 0; i < f->n_rows; i += step_of(size, f->n_sizes))
            numbers[n++] = i;
        DPL_TRY(dpl__lab_hash_rows(&rows, f->lab, f->asked.vectors, numbers, n, err));
        dpl_status status = DPL_OK;
        for (unsigned run = 0; run < f->lab->set->repeats && status == DPL_OK; run++) {
            double took = 0, *best = &f->times[EXACT][size];
            status = time_exact_once(&took, f, queries, rows, err);
            *best = run == 0 || took < *best ? took : *best;
        }
        dpl_vectors_close(rows);
        DPL_TRY(status);
    }
    return DPL_OK;
}

/* ---- hash functions ----------------------------------------------------------------- */

static void count_found(bins found, figure *f, const dpl__lab_hashed *h)
{
    dpl__lab_lookup first = h->lookup;
    first.l = h->options.codes;
    for (size_t q = 0; q < f->asked.n_queries; q++) {
        const uint32_t query = f->asked.queries[q];
        dpl__lab_lookup_find(&f->asked.found, &first, h->codes, query);
        for (size_t k = 0; k < f->asked.found.n; k++)
            add_bin(found, dpl_vectors_cosine(f->asked.vectors, query, f->asked.vectors,
                                              f->asked.found.rows[k]));
    }
}

/* Rows of the first letters of their terms. */
static dpl_status cut_terms(dpl_hash_input *out, dpl__lab *lab, const dpl_vectors *vectors,
                            dpl_error *err)
{
    enum { LETTERS = 2 };
    const uint32_t *terms;
    const float *weights;
    const uint64_t *at = dpl_vectors_get_csr(vectors, &terms, &weights);
    const dpl_vectors_sizes *sizes = dpl_vectors_get_sizes(vectors);
    dpl_str *cut = dpl__arena_alloc(&lab->arena, (sizes->n_entries + 1) * sizeof *cut);
    DPL_TRY(dpl__need(cut, err));
    for (uint64_t i = 0; i < sizes->n_entries; i++) {
        cut[i] = dpl_vectors_term(vectors, terms[i]);
        size_t n = 0, letters = 0;
        for (; n < cut[i].n; n++) /* UTF-8: 10xxxxxx continues */
            if (((unsigned char)cut[i].data[n] & 0xC0) != 0x80 && letters++ == LETTERS)
                break;
        cut[i].n = n;
    }
    *out = (dpl_hash_input)DPL_INIT(dpl_hash_input, .n_rows = sizes->n_rows, .offsets = at,
                                    .terms = cut, .weights = weights);
    return DPL_OK;
}

/* Seconds of a query for its codes. */
static dpl_status time_codes(double *seconds, figure *f, const dpl__lab_hashed *h,
                             const dpl_vectors *queries, dpl_error *err)
{
    dpl_hash_input rows = DPL_INIT(dpl_hash_input, .vectors = queries);
    if (f->asked.rows)
        DPL_TRY(cut_terms(&rows, f->lab, queries, err));
    for (unsigned run = 0; run < f->lab->set->repeats; run++) {
        dpl_codes *codes = NULL;
        const double began = dpl__lab_cpu_clock();
        DPL_TRY(dpl_codes_make(&codes, f->lab->ctx, h->hash, &rows, err));
        const double took = (dpl__lab_cpu_clock() - began) / (double)f->asked.n_queries;
        dpl_codes_close(codes);
        *seconds = run == 0 || took < *seconds ? took : *seconds;
    }
    return DPL_OK;
}

/* Lookups and cosines of all queries; how many results there are. */
static uint64_t ask_all(figure *f, const dpl__lab_lookup *lookup, const dpl_codes *codes)
{
    volatile double sum = 0;
    uint64_t n_results = 0;
    for (size_t q = 0; q < f->asked.n_queries; q++) {
        const uint32_t query = f->asked.queries[q];
        dpl__lab_lookup_find(&f->asked.found, lookup, codes, query);
        for (size_t k = 0; k < f->asked.found.n; k++)
            sum = sum + dpl_vectors_cosine(f->asked.vectors, query, f->asked.vectors,
                                           f->asked.found.rows[k]);
        n_results += f->asked.found.n;
    }
    return n_results;
}

static dpl_status time_hashed(figure *f, size_t i, const dpl__lab_hashed *h,
                              const dpl_vectors *queries, dpl_error *err)
{
    double codes = 0;
    DPL_TRY(time_codes(&codes, f, h, queries, err));
    for (size_t size = 0; size < f->n_sizes; size++) {
        dpl__lab_lookup lookup;
        double best = INFINITY;
        uint64_t n = 0;
        DPL_TRY(dpl__lab_lookup_new(&lookup, f->lab->ctx, h->codes, h->options.codes,
                                    step_of(size, f->n_sizes), err));
        for (unsigned run = 0; run < f->lab->set->repeats; run++) {
            const double began = dpl__lab_cpu_clock();
            n = ask_all(f, &lookup, h->codes);
            best = fmin(best, dpl__lab_cpu_clock() - began);
        }
        dpl__lab_lookup_clear(&lookup, f->lab->ctx);
        f->times[i][size] = codes + best / (double)f->asked.n_queries;
        f->results[i][size] = (double)n / (double)f->asked.n_queries;
    }
    return DPL_OK;
}

static dpl_status measure_function(figure *f, size_t i, const dpl_vectors *queries,
                                   dpl_error *err)
{
    dpl__lab_hashed h;
    const dpl__lab_goal goal = {functions[i].options, functions[i].knob,
                                i == FUZZY ? f->wanted : f->sizes[FUZZY], 0};
    f->asked.rows = functions[i].is_cut ? &f->cut : NULL;
    DPL_TRY(dpl__lab_equal(&h, f->lab, &f->asked, &goal, err));
    f->used[i] = h.options;
    f->sizes[i] = h.size;
    count_found(f->found[i], f, &h);
    const dpl_status status = time_hashed(f, i, &h, queries, err);
    dpl__lab_hashed_clear(&h, f->lab->ctx);
    return status;
}

/* ---- recall against the size of the result ------------------------------------------ */

static void put_share(dpl__lab_table *t, uint64_t part, uint64_t whole)
{
    if (whole)
        dpl__lab_text(t, "%.5g", (double)part / (double)whole);
    else
        dpl__lab_none(t);
}

static void put_swept(dpl__lab_table *t, const figure *f, size_t i, const dpl__lab_hashed *h,
                      const bins found)
{
    static const size_t at[] = {AT_07, AT_08, AT_09};
    dpl__lab_text(t, "%s", functions[i].name);
    dpl__lab_number(t, h->size, 3);
    for (size_t k = 0; k < DPL_LEN(at); k++)
        put_share(t, from_bin(found, at[k]), from_bin(f->all, at[k]));
    for (size_t k = 0; k < DPL_LEN(at); k++)
        put_share(t, from_bin(found, at[k]), from_bin(found, 0));
    dpl__lab_count(t, h->options.length);
    dpl__lab_count(t, h->options.codes);
    if (h->options.function == DPL_HASH_PSTABLE)
        dpl__lab_text(t, "%.4g", h->options.width);
    else
        dpl__lab_none(t);
}

/* Function by function; the sizes of the others are those of fuzzy-fingerprints. */
static dpl_status sweep(figure *f, dpl__lab_table *t, dpl_error *err)
{
    double sizes[DPL_LEN(swept_sizes)];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        double near = f->used[i].width;
        f->asked.rows = functions[i].is_cut ? &f->cut : NULL;
        for (size_t k = 0; k < DPL_LEN(swept_sizes); k += f->lab->set->small ? 3 : 1) {
            dpl__lab_hashed h;
            bins found = {0};
            const dpl__lab_goal goal = {functions[i].options, functions[i].knob,
                                        i == FUZZY ? swept_sizes[k] : sizes[k], near};
            DPL_TRY(dpl__lab_equal(&h, f->lab, &f->asked, &goal, err));
            near = h.options.width;
            if (i == FUZZY)
                sizes[k] = h.size;
            count_found(found, f, &h);
            put_swept(t, f, i, &h, found);
            dpl__lab_hashed_clear(&h, f->lab->ctx);
            DPL_TRY(dpl__lab_progress(f->lab, FUNCTIONS + i, 2 * FUNCTIONS + 2, err));
        }
    }
    return DPL_OK;
}

/* ---- tables and pictures ------------------------------------------------------------ */

static void put_parameters(dpl__lab_table *t, const figure *f, size_t i)
{
    const dpl_hash_options *o = &f->used[i];
    dpl__lab_count(t, o->length);
    dpl__lab_count(t, o->codes);
    if (o->function == DPL_HASH_FUZZY)
        dpl__lab_count(t, o->radix);
    else
        dpl__lab_none(t);
    if (o->function == DPL_HASH_PSTABLE)
        dpl__lab_text(t, "%.4g", o->width);
    else
        dpl__lab_none(t);
    dpl__lab_number(t, f->sizes[i], 3);
}

static dpl__lab_table *put_curves(const figure *f)
{
    dpl__lab_table *t = dpl__lab_table_new(
        f->lab, NULL,
        "function\tsimilarity\trecall\tprecision\tdocuments above\tresults above\tcode length\t"
        "codes\tintervals\twidth\tresult size");
    for (size_t i = 0; i < FUNCTIONS; i++)
        for (size_t b = 0; b < BINS; b++) {
            const uint64_t all = from_bin(f->all, b), found = from_bin(f->found[i], b);
            const uint64_t results = from_bin(f->found[i], 0);
            dpl__lab_text(t, "%s", functions[i].name);
            dpl__lab_number(t, (double)b / BINS, 2);
            put_share(t, found, all);
            put_share(t, found, results);
            dpl__lab_count(t, all);
            dpl__lab_count(t, found);
            put_parameters(t, f, i);
        }
    return t;
}

static const char *line_of(size_t i)
{
    return i == LINEAR ? "linear" : i == EXACT ? "exact" : functions[i].name;
}

static dpl__lab_table *put_times(const figure *f)
{
    dpl__lab_table *t = dpl__lab_table_new(
        f->lab, "runtime", "search\tdocuments\ttime of a query [ms]\tresult size");
    for (size_t i = 0; i < FUNCTIONS + 2; i++)
        for (size_t size = 0; size < f->n_sizes; size++) {
            dpl__lab_text(t, "%s", line_of(i));
            dpl__lab_count(t, f->n_docs[size]);
            dpl__lab_text(t, "%.4g", 1e3 * f->times[i][size]);
            if (i < FUNCTIONS)
                dpl__lab_number(t, f->results[i][size], 3);
            else
                dpl__lab_none(t);
        }
    return t;
}

/* The lines of all functions. */
static void set_lines(dpl__lab_curve *lines, unsigned x, unsigned y)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        lines[i] = (dpl__lab_curve){
            .title = functions[i].title, .rows = functions[i].name, .x = x, .y = y};
}

static void draw_curves(const figure *f, const dpl__lab_table *t)
{
    for (unsigned k = 0; k < 2; k++) {
        dpl__lab_curve lines[FUNCTIONS];
        set_lines(lines, 2, 3 + k);
        dpl__lab_draw(f->lab, &(dpl__lab_plot){
                                  .table = t,
                                  .more = k == 0 ? "recall" : "precision",
                                  .title = k == 0 ? "Recall at a similarity, equal result sizes"
                                                  : "Precision at a similarity, equal result "
                                                    "sizes",
                                  .x_label = "similarity",
                                  .y_label = k == 0 ? "recall" : "precision",
                                  .x_min = 0,
                                  .x_max = 1,
                                  .y_min = 0,
                                  .y_max = 1.02,
                                  .legend = k == 0 ? "top left" : "top right",
                                  .curves = lines,
                                  .n_curves = FUNCTIONS,
                              });
    }
}

static void draw_times(const figure *f, const dpl__lab_table *t)
{
    dpl__lab_curve lines[FUNCTIONS + 2];
    set_lines(lines, 2, 3);
    lines[LINEAR] = (dpl__lab_curve){
        .title = "linear search", .rows = "linear", .x = 2, .y = 3, .colour = 7};
    lines[EXACT] = (dpl__lab_curve){
        .title = "exact at 0.8, batch", .rows = "exact", .x = 2, .y = 3, .colour = 8};
    dpl__lab_draw(f->lab, &(dpl__lab_plot){.table = t,
                                           .more = "runtime",
                                           .title = "Runtime at collection sizes",
                                           .x_label = "documents",
                                           .y_label = "time of a query [ms of a core]",
                                           .x_log = true,
                                           .y_log = true,
                                           .legend = "outside right top",
                                           .curves = lines,
                                           .n_curves = FUNCTIONS + 2});
}

static void draw_swept(const figure *f, const dpl__lab_table *t)
{
    dpl__lab_curve lines[FUNCTIONS];
    set_lines(lines, 2, 4);
    dpl__lab_draw(f->lab, &(dpl__lab_plot){.table = t,
                                           .more = "sizes",
                                           .title = "Recall at 0.8 against the size of the "
                                                    "result",
                                           .x_label = "results of a query, on average",
                                           .y_label = "recall at 0.8",
                                           .x_log = true,
                                           .x_min = 0.05,
                                           .x_max = 20,
                                           .y_min = 0,
                                           .y_max = 1.02,
                                           .legend = "top left",
                                           .curves = lines,
                                           .n_curves = FUNCTIONS});
}

/* ---- what is found ------------------------------------------------------------------ */

static double recall_at(const figure *f, size_t i, size_t bin)
{
    const uint64_t all = from_bin(f->all, bin);
    return all ? (double)from_bin(f->found[i], bin) / (double)all : NAN;
}

static double precision_at(const figure *f, size_t i, size_t bin)
{
    const uint64_t results = from_bin(f->found[i], 0);
    return results ? (double)from_bin(f->found[i], bin) / (double)results : NAN;
}

static void find(figure *f)
{
    dpl__lab *lab = f->lab;
    const size_t last = f->n_sizes - 1;
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (from_bin(f->found[i], 0) && from_bin(f->all, AT_09))
            dpl__lab_find(lab,
                          "%s, %.2f results of a query: recall at 0.7, 0.8, 0.9: %.3f, %.3f, "
                          "%.3f; precision %.3f, %.3f, %.3f",
                          functions[i].title, f->sizes[i], recall_at(f, i, AT_07),
                          recall_at(f, i, AT_08), recall_at(f, i, AT_09),
                          precision_at(f, i, AT_07), precision_at(f, i, AT_08),
                          precision_at(f, i, AT_09));
    if (from_bin(f->found[FUZZY], AT_08) && from_bin(f->found[LSH_SUM], AT_08))
        dpl__lab_find(lab,
                      "precision at 0.8 of fuzzy-fingerprints is %.1f times that of LSH with "
                      "the paper's encoding (the sum), and %.2f times that of LSH with "
                      "concatenation",
                      precision_at(f, FUZZY, AT_08) / precision_at(f, LSH_SUM, AT_08),
                      precision_at(f, FUZZY, AT_08) / precision_at(f, LSH, AT_08));
    if (from_bin(f->found[FUZZY_CUT], AT_07) && from_bin(f->found[LSH], AT_07))
        dpl__lab_find(lab,
                      "recall of fuzzy-fingerprints with classes of two letters is %.2f times "
                      "that of LSH with concatenation at 0.7, %.2f times at 0.8, %.2f times at "
                      "0.9; with three letters %.2f, %.2f and %.2f times",
                      recall_at(f, FUZZY_CUT, AT_07) / recall_at(f, LSH, AT_07),
                      recall_at(f, FUZZY_CUT, AT_08) / recall_at(f, LSH, AT_08),
                      recall_at(f, FUZZY_CUT, AT_09) / recall_at(f, LSH, AT_09),
                      recall_at(f, FUZZY, AT_07) / recall_at(f, LSH, AT_07),
                      recall_at(f, FUZZY, AT_08) / recall_at(f, LSH, AT_08),
                      recall_at(f, FUZZY, AT_09) / recall_at(f, LSH, AT_09));
    for (size_t i = 0; i < FUNCTIONS; i++)
        dpl__lab_find(lab,
                      "a query of %s among %u documents takes %.4f ms, a linear search %.3f "
                      "ms: %.0f times as long",
                      functions[i].title, f->n_docs[last], 1e3 * f->times[i][last],
                      1e3 * f->times[LINEAR][last], f->times[LINEAR][last] / f->times[i][last]);
    dpl__lab_find(lab,
                  "an exact search at 0.8 through an inverted index, all queries together and "
                  "the index built anew, takes %.4f ms of a query, with recall 1",
                  1e3 * f->times[EXACT][last]);
    dpl__lab_note(lab,
                  "%zu documents ask for their neighbours among all %u; the document itself "
                  "does not count. Size of the results that fuzzy-fingerprints (%u schemes, %u "
                  "intervals) were set to: %g; the others were set to the size that these "
                  "have, LSH by its width (20 projections, 20 codes), hyperplanes and minhash "
                  "by length and number of codes, 20 at most",
                  f->asked.n_queries, f->n_rows, f->used[FUZZY].codes, f->used[FUZZY].radix,
                  f->wanted);
    dpl__lab_note(lab, "times are of one core and contain the codes of the query, the lookups "
                       "(bisection in sorted tables) and the cosines of the results; smaller "
                       "collections are every 2nd, 4th ... document, with the same parameters");
}

/* ---- the experiment ----------------------------------------------------------------- */

static dpl_status begin(figure *f, dpl_error *err)
{
    dpl__lab *lab = f->lab;
    DPL_TRY(dpl__lab_hash_vectors(&f->asked.vectors, lab, err));
    DPL_TRY(
        dpl__lab_sample(&f->asked.queries, &f->asked.n_queries, lab, lab->n_inputs > 1, err));
    const dpl_vectors_sizes *size = dpl_vectors_get_sizes(f->asked.vectors);
    f->n_rows = size->n_rows;
    const size_t n_bytes = ((size_t)f->n_rows + 1) * sizeof(uint32_t);
    f->asked.found.rows = dpl__arena_alloc(&lab->arena, n_bytes);
    f->asked.found.seen = dpl__arena_alloc(&lab->arena, n_bytes);
    f->spread = dpl__arena_alloc(&lab->arena, (size->n_terms + 1) * sizeof *f->spread);
    DPL_TRY(dpl__need(f->asked.found.rows && f->asked.found.seen && f->spread, err));
    memset(f->asked.found.seen, 0, n_bytes);
    DPL_TRY(cut_terms(&f->cut, lab, f->asked.vectors, err));
    memset(f->spread, 0, (size->n_terms + 1) * sizeof *f->spread);
    f->n_sizes = lab->set->small ? 3 : SIZES;
    for (size_t i = 0; i < f->n_sizes; i++) {
        const uint32_t step = step_of(i, f->n_sizes);
        f->n_docs[i] = (f->n_rows + step - 1) / step;
    }
    return DPL_OK;
}

static dpl_status measure(figure *f, const dpl_vectors *queries, dpl_error *err)
{
    for (size_t i = 0; i < f->asked.n_queries; i++)
        search_linearly(f, f->asked.queries[i], 1, f->all);
    f->wanted = fmax(least_size, (double)from_bin(f->all, AT_07) / (double)f->asked.n_queries);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        DPL_TRY(dpl__lab_progress(f->lab, i, 2 * FUNCTIONS + 2, err));
        DPL_TRY(measure_function(f, i, queries, err));
    }
    DPL_TRY(time_linear(f, err));
    return time_exact(f, queries, err);
}

dpl_status dpl__lab_hash_figure_5(dpl__lab *lab, dpl_error *err)
{
    figure f = {.lab = lab};
    dpl_vectors *queries = NULL;
    DPL_TRY(begin(&f, err));
    DPL_TRY(dpl__lab_hash_rows(&queries, lab, f.asked.vectors, f.asked.queries,
                               (uint32_t)f.asked.n_queries, err));
    const dpl_status status = measure(&f, queries, err);
    dpl_vectors_close(queries);
    DPL_TRY(status);
    const dpl__lab_table *curves = put_curves(&f);
    const dpl__lab_table *times = put_times(&f);
    dpl__lab_table *swept = dpl__lab_table_new(
        lab, "sizes",
        "function\tresult size\trecall at 0.7\trecall at 0.8\trecall at 0.9\tprecision at 0.7\t"
        "precision at 0.8\tprecision at 0.9\tcode length\tcodes\twidth");
    DPL_TRY(sweep(&f, swept, err));
    find(&f);
    draw_curves(&f, curves);
    draw_times(&f, times);
    draw_swept(&f, swept);
    return dpl__lab_status(lab, err);
}
