/*
 * cmd_plan.c - doppel plan: predicted recall, cost and memory of the search methods.
 */
#include "cli/calibration.h"
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/plan_hash.h"
#include "cli/plan_workers.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/file.h"
#include "doppel/mine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the options set, and what comes of them. */
typedef struct settings {
    uint64_t n_left, n_right;
    dpl_plan_options set;
    dpl_pairs_options search;
    dpl_hash_options hashing;
    dpl_speeds speeds;
    bool calibrates;
    const char *speeds_file;
    dpl_workers_options workers;
} settings;

static const settings defaults = {
    .set = DPL_INIT(dpl_plan_options),
    .search = DPL_INIT(dpl_pairs_options, .threshold = 0.3, .recall = 0.99),
    .hashing = DPL_INIT(dpl_hash_options),
    .speeds = DPL_INIT(dpl_speeds),
    .workers = DPL_INIT(dpl_workers_options, .documents = 1e9, .languages = 100),
};

static const char *const methods[] = {"auto", "window", "hash", NULL};

static const cli_option options[] = {
    CLI_OPTION(pairs, &defaults.search, "method", .choices = methods, .is_common = true,
               .help =
                   "plan all of exact, brute and window (auto), the window method with a "
                   "certain setting, or a search by similarity hash codes: precision against "
                   "code length, recall against the number of codes"),
    {.name = "length",
     .value = "D",
     .count = &defaults.set.length,
     .min = 1,
     .max = 65536,
     .standard = "1024, 448 for rp8, or as the signatures have",
     .knob_of = "method",
     .knob_with = "auto,window",
     .is_signing = true,
     .help = "bits of a signature, dimensions of rp8"},
    CLI_OPTION(pairs, &defaults.search, "signature", .knob_of = "method",
               .knob_with = "auto,window", .only_with = "", .is_signing = true,
               .help = "kind of signature; rp8: brute force only"),
    CLI_OPTION(pairs, &defaults.search, "tables", .standard = "several", .knob_of = "method",
               .knob_with = "window", .only_with = ""),
    CLI_OPTION(pairs, &defaults.search, "width", .standard = "several", .knob_of = "method",
               .knob_with = "window", .only_with = ""),
    CLI_OPTION(hash, &defaults.hashing, "function", .knob_of = "method", .knob_with = "hash"),
    CLI_OPTION(pairs, &defaults.search, "threshold", .letter = 't', .is_common = true),
    CLI_OPTION(pairs, &defaults.search, "recall", .is_common = true, .only_with = ""),
    {.name = "top",
     .letter = 'n',
     .value = "N",
     .count = &defaults.set.nearest,
     .min = 1,
     .max = 100000,
     .standard = "all pairs",
     .only_with = "!method=hash",
     .is_common = true,
     .help = "plan a search for the N nearest of every row and column, at or above the "
             "threshold, instead of one for all pairs"},
    {.name = "terms",
     .value = "N",
     .real = &defaults.set.terms_per_row,
     .least = 1,
     .most = 1e6,
     .standard = "120, or as the vectors have",
     .only_with = "!method=hash",
     .help = "mean number of terms per row, for the cost of the exact method; a document has "
             "1.25 times as many words"},
    {.name = "workers",
     .value = "N",
     .count = &defaults.workers.workers,
     .min = 1,
     .max = 1000000,
     .standard = "no such plan",
     .is_common = true,
     .help = "plan 'doppel dedup' and 'doppel mine' in N parts instead of a search: cost by "
             "stage; --threads and --memory are those of a worker"},
    {.name = "documents",
     .value = "N",
     .real = &defaults.workers.documents,
     .least = 1,
     .most = 1e12,
     .only_with = "workers",
     .help = "documents of all languages"},
    {.name = "languages",
     .value = "N",
     .count = &defaults.workers.languages,
     .min = 1,
     .max = 10000,
     .only_with = "workers",
     .help = "languages, each with as many documents; one of them is mined with each other"},
    {.name = "calibrate",
     .flag = &defaults.calibrates,
     .only_with = "!method=hash",
     .help = "measure the speed of this machine again instead of using the stored figures"},
    {.name = "speeds",
     .value = "FILE",
     .text = &defaults.speeds_file,
     .is_hidden = true,
     .help = "read the speeds from this file, for tests"},
    {0},
};

static const cli_item examples[] = {
    {"doppel plan 1470000 3440000 --threshold 0.3",
     "German and English Wikipedia of 2011, from their sizes alone"},
    {"doppel plan de.vectors.dpl en.vectors.dpl --recall 0.95",
     "two sets of vectors, from a sample of their rows"},
    {"doppel plan de.vectors.dpl en.vectors.dpl --top 8",
     "the 8 nearest of every row on both sides"},
    {"doppel plan news.vectors.dpl --method hash:function=fuzzy --threshold 0.9",
     "codes of fuzzy-fingerprints: length, number and radix, measured on a sample"},
    {"doppel plan --workers 1000 --documents 1e9 --languages 100 --terms 400 --threads 8 "
     "--memory 16G",
     "a crawl in 100 languages, deduplicated and mined"},
    {"doppel plan news.signatures.dpl --method window:tables=300,width=2000",
     "pairs within one set, with one setting of the window method"},
    {0},
};

static const cli_item json_keys[] = {
    {"hash, sample_rows, true_sample, reached, points",
     "with --method hash instead of most of them: the function, rows and true pairs of the "
     "sample, "
     "whether the best point has the recall, and the points: code_length, codes, radix, width, "
     "precision, recall, candidates (per row)"},
    {"workers, documents, languages, stages",
     "with --workers instead: stages with command, name, core_seconds, "
     "undivided (share of the time), seconds, worker_bytes, shared_bytes, most_documents "
     "(that fit into the memory of a worker)"},
    {0},
};

/* ---- one plan ----------------------------------------------------------------------- */

/* A side read from a file. */
typedef struct side {
    dpl_vectors *vectors;
    dpl_signatures *signatures;
    dpl_pairs_side side;
} side;

typedef struct planned {
    side sides[2];
    dpl_plan *plan;
} planned;

static int open_side(side *out, dpl_ctx *ctx, const char *path)
{
    dpl_error err = {0};
    char kind[DPL_FILE_KIND];
    dpl_status status = dpl_file_detect(kind, ctx, path, &err);
    if (status == DPL_OK)
        status = strcmp(kind, "signatures") == 0
                     ? dpl_signatures_open(&out->signatures, ctx, path, &err)
                     : dpl_vectors_open(&out->vectors, ctx, path, &err);
    out->side = (dpl_pairs_side){.vectors = out->vectors, .signatures = out->signatures};
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

static int open_sides(settings *o, planned *p, dpl_ctx *ctx, char **args, size_t n_args)
{
    for (size_t i = 0; i < n_args; i++) {
        int code = open_side(&p->sides[i], ctx, args[i]);
        if (code != CLI_DONE)
            return code;
    }
    o->set.left = n_args > 0 ? &p->sides[0].side : NULL;
    o->set.right = n_args > 1 ? &p->sides[1].side : NULL;
    return CLI_DONE;
}

static void close_sides(planned *p)
{
    for (int i = 0; i < 2; i++) {
        dpl_signatures_close(p->sides[i].signatures);
        dpl_vectors_close(p->sides[i].vectors);
    }
}

static uint64_t rows_of(const side *s)
{
    return s->signatures ? dpl_signatures_get_sizes(s->signatures)->n_rows
           : s->vectors  ? dpl_vectors_get_sizes(s->vectors)->n_rows
                         : 0;
}

/* Of a document. */
static double count_words(const settings *o)
{
    return DPL_WORDS_PER_TERM * (o->set.terms_per_row > 0 ? o->set.terms_per_row : 120);
}

/* Whether mining documents of these sides ends with a search by n-grams. */
static bool mines_by_ngrams(const settings *o)
{
    return dpl_mine_prefers_ngrams(o->n_left, o->n_right, count_words(o));
}

/* ---- its figures ---------------------------------------------------------------------- */

typedef struct said {
    const settings *o;
    const dpl_plan_summary *s;
    const dpl_plan_row **rows;
    size_t n_rows;
    const char *mine_search;
    unsigned threads;
    const char *cpu;
} said;

static const char *method_name(unsigned i)
{
    return dpl_pairs_get_method_info((dpl_pairs_method)i)->name;
}

static const char *signature_name(unsigned i)
{
    return dpl_sign_get_method_info((dpl_sign_method)i)->name;
}

static double right_rows(const void *o)
{
    const settings *set = o;
    return set->n_right ? (double)set->n_right : NAN;
}

static const char *signature_unit(unsigned i)
{
    return dpl_sign_get_method_info((dpl_sign_method)i)->unit;
}

static double has_products(const void *summary)
{
    const dpl_plan_summary *s = summary;
    return dpl_sign_get_method_info(s->signature)->has_products;
}

static double verifies(const void *row)
{
    return ((const dpl_plan_row *)row)->candidates >= 1;
}

static double true_pairs(const void *summary)
{
    const dpl_plan_summary *s = summary;
    return s->is_sampled ? s->true_pairs : NAN;
}

/* clang-format off */
#define OF_ROW(name_, field_, help_) CLI_REAL_FIGURE(dpl_plan_row, name_, field_, .help = help_)
#define COUNT_OF_ROW(name_, field_, help_) \
    CLI_COUNT_FIGURE(dpl_plan_row, name_, field_, .help = help_)
#define SPEED(field_, help_) CLI_REAL_FIGURE(dpl_speeds, #field_, field_, .help = help_)
/* clang-format on */

static const dpl_figure of_row[] = {
    {.name = "method",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(dpl_plan_row, method),
     .choice = method_name,
     .help = "the method"},
    COUNT_OF_ROW("tables", n_tables, "tables of the window method, codes of hash"),
    COUNT_OF_ROW("width", width, "width of the window method"),
    COUNT_OF_ROW("code_length", code_length, "bits of a code of hash"),
    OF_ROW("comparisons", comparisons, "of signatures; multiply-adds of exact"),
    OF_ROW("relative", relative, "cost against brute force"),
    OF_ROW("paper_low", paper_low, "recall by the paper's model, lower bound"),
    OF_ROW("paper_high", paper_high, "its upper bound"),
    OF_ROW("paper_cut", paper_cut, "recall without verification, by that model"),
    OF_ROW("recall", recall, "predicted recall"),
    COUNT_OF_ROW("cut", cut, "largest distance of a candidate"),
    COUNT_OF_ROW("first_bits", first_bits, "bits of the early test"),
    COUNT_OF_ROW("first_cut", first_cut, "its largest distance"),
    OF_ROW("candidates", candidates, "pairs to verify"),
    OF_ROW("seconds", seconds, "time on this machine"),
    OF_ROW("bytes", bytes, "memory"),
    CLI_FLAG_FIGURE(dpl_plan_row, "fits", fits, .help = "into --memory"),
    {.name = "verifies", .type = DPL_FIGURE_REAL, .compute = verifies},
};
static const dpl_summary_table row_figures = CLI_SUMMARY(dpl_plan_row, of_row);

static const dpl_figure of_speeds[] = {
    SPEED(compare_ns, "a comparison of signatures, many against many"),
    SPEED(single_ns, "the same, one against many"),
    SPEED(permute_ns, "a row of a sorted table"),
    SPEED(multiply_ns, "a multiply-add of exact"),
    SPEED(dense_ns, "the same of dense rows"),
    SPEED(verify_ns, "a cosine of a candidate"),
    SPEED(sign_ns, "a signature"),
    SPEED(near_ns, "a comparison with a cut near random rows"),
    SPEED(product_ns, "a product of rp8 signatures"),
    CLI_REAL_FIGURE(dpl_speeds, "device_ns", device_ns, .only_with = "device_ns",
                    .help = "a comparison on the device"),
};
static const dpl_summary_table speed_figures = CLI_SUMMARY(dpl_speeds, of_speeds);

static const dpl_figure of_settings[] = {
    CLI_COUNT_FIGURE(settings, "left", n_left, .help = "rows on the left"),
    {.name = "right",
     .type = DPL_FIGURE_REAL,
     .compute = right_rows,
     .help = "rows on the right; null for pairs within left"},
    CLI_COUNT_FIGURE(settings, "right_rows", n_right, .help = NULL),
    CLI_REAL_FIGURE(settings, "threshold", set.threshold, .help = "lowest cosine"),
    CLI_REAL_FIGURE(settings, "recall", set.recall, .help = "wanted recall"),
    CLI_COUNT_FIGURE(settings, "nearest", set.nearest,
                     .help = "neighbours of every row and column that are searched for; 0: all "
                             "pairs"),
};
static const dpl_summary_table settings_figures = CLI_SUMMARY(settings, of_settings);

static const dpl_figure of_plan[] = {
    CLI_REAL_FIGURE(dpl_plan_summary, "pairs", n_pairs,
                    .help = "pairs of rows: what brute force compares"),
    {.name = "signature",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(dpl_plan_summary, signature),
     .choice = signature_name,
     .help = "kind of signature"},
    {.name = "unit",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(dpl_plan_summary, signature),
     .choice = signature_unit},
    {.name = "has_products", .type = DPL_FIGURE_REAL, .compute = has_products},
    CLI_COUNT_FIGURE(dpl_plan_summary, "bits", bits, .help = "its bits, dimensions of rp8"),
    CLI_FLAG_FIGURE(dpl_plan_summary, "sampled", is_sampled,
                    .help = "a sample of rows was used"),
    CLI_REAL_FIGURE(dpl_plan_summary, "random_cosine", random_cosine,
                    .help = "mean cosine of two random rows; measured or assumed"),
    CLI_REAL_FIGURE(dpl_plan_summary, "random_sd", random_sd, .help = "its standard deviation"),
    CLI_REAL_FIGURE(dpl_plan_summary, "true_pairs", true_pairs, .compute = true_pairs,
                    .help = "pairs at or above the threshold, estimated; null when not known"),
    CLI_COUNT_FIGURE(dpl_plan_summary, "true_sample", n_true_sample,
                     .help = "true pairs in the sample; 0: assumed exactly at the threshold"),
    CLI_GROUP_FIGURE(dpl_plan_summary, speeds, speed_figures,
                     "object: nanoseconds of one thread, as calibrated"),
    CLI_COUNT_FIGURE(dpl_plan_summary, "best", best, .help = "index of the recommended row"),
    CLI_TEXT_FIGURE(dpl_plan_summary, "why", why, .help = "the reason, in words"),
    CLI_COUNT_FIGURE(dpl_plan_summary, "better_bits", better_bits,
                     .help = "bits with which brute force would be faster than the best row by "
                             "a quarter; 0: none"),
    CLI_REAL_FIGURE(dpl_plan_summary, "better_seconds", better_seconds,
                    .help = "its time with these bits"),
};
static const dpl_summary_table plan_figures = CLI_SUMMARY(dpl_plan_summary, of_plan);

static const dpl_figure figures[] = {
    CLI_FIGURES_OF(said, o, settings_figures),
    CLI_FIGURES_OF(said, s, plan_figures),
    CLI_LIST_FIGURE(said, rows, n_rows, 0, row_figures, "array of objects"),
    CLI_TEXT_FIGURE(said, "mine_search", mine_search, .only_with = "mine_search",
                    .help = "two sides: how 'doppel mine' would search documents last, exact "
                            "or ngram"),
    CLI_COUNT_FIGURE(said, "threads", threads, .help = "threads the times are for"),
    CLI_TEXT_FIGURE(said, "cpu", cpu, .help = "instruction set the times are for"),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

/* ---- as a table --------------------------------------------------------------------- */

static const cli_column columns[] = {
    {"method", -7, "{method}"},
    {"tables", 7, "[tables?{tables:.0f}|-]"},
    {"width", 7, "[width?{width:.0f}|-]"},
    {"comparisons", 13, "{comparisons:.2e}"},
    {"cost", 10, "{relative:.2p}%"},
    {"recall", 8, "{recall:.3f}"},
    {"paper", 13, "[tables?{paper_low:.3f}-{paper_high:.3f}]"},
    {"candidates", 12, "[verifies?{candidates:.2e}|-]"},
    {"time", 9, "{seconds:s}"},
    {"memory", 11, "{bytes:b}"},
    {"", 0, "[fits?|  does not fit]"},
    {0},
};

static const char facts[] =
    "{left}[right_rows? x {right_rows} rows| rows among themselves], {pairs:.3g} pairs; "
    "[nearest?{nearest} nearest; ]{bits:.0f} {unit}[has_products? of {signature}], "
    "threshold {threshold}, recall {recall}\n"
    "[sampled?seen in a sample|assumed]: cosine of any two rows {random_cosine:.3f} +- "
    "{random_sd:.3f}; [true_sample?about {true_pairs:.2g} true pairs, {true_sample:.0f} looked "
    "at|true pairs [sampled?are too few, assumed ]exactly at the threshold]\n\n";

static void print_wrapped(const char *text)
{
    dpl_str line;
    while (cli_wrap(&line, &text, cli_width(STDOUT_FILENO)))
        cli_print("%.*s\n", (int)line.n, line.data);
}

/* With signatures. */
static const char verified[] =
    "Pairs within {cut:.0f} of {bits:.0f} bits are verified"
    "[first_bits?, of those within {first_cut:.0f} of the first {first_bits:.0f}].\n";

static void print_table(const said *r)
{
    const dpl_figures all = {&summary, r, NULL, NULL};
    const dpl_plan_row *best = r->rows[r->s->best];
    cli_print_text(&all, facts);
    cli_print_columns(&all, "rows", columns, "best");
    cli_print("\n");
    print_wrapped(r->s->why);
    if (r->mine_search && strcmp(r->mine_search, "ngram") == 0)
        print_wrapped("'doppel mine' would search such collections by n-grams, in less than a "
                      "quarter of the time of the exact method.");
    if (dpl_pairs_get_method_info(best->method)->has_signatures)
        cli_print_text(&(dpl_figures){&row_figures, best, &all, NULL}, verified);
}

static int print(const settings *o, const dpl_plan *plan, const dpl_ctx *ctx)
{
    said r = {.o = o,
              .s = dpl_plan_get_summary(plan),
              .mine_search = !o->n_right          ? NULL
                             : mines_by_ngrams(o) ? "ngram"
                                                  : "exact",
              .threads = dpl_ctx_threads(ctx),
              .cpu = dpl_cpu_name(dpl_ctx_cpu(ctx))};
    r.n_rows = r.s->n_rows;
    r.rows = calloc(r.n_rows, sizeof *r.rows);
    if (!r.rows) {
        cli_error("out of memory");
        return CLI_FAILED;
    }
    for (size_t i = 0; i < r.n_rows; i++)
        r.rows[i] = dpl_plan_get_row(plan, i);
    if (!cli_print_json(&summary, &r))
        print_table(&r);
    free(r.rows);
    return CLI_DONE;
}

/* ---- the work ----------------------------------------------------------------------- */

static bool is_number(uint64_t *out, const char *text)
{
    return access(text, F_OK) != 0 && dpl_parse_number(out, text);
}

/* Numbers of rows instead of files. */
static int read_sizes(settings *o, char **args, size_t n_args)
{
    uint64_t *sizes[] = {&o->n_left, &o->n_right};
    for (size_t i = 0; i < n_args; i++)
        if (!is_number(sizes[i], args[i])) {
            cli_error("'%s' is no number of rows, as '%s' is", args[i], args[0]);
            cli_hint("usage: doppel plan %s", cli_plan.synopsis);
            return CLI_USAGE;
        } else if (!*sizes[i] || *sizes[i] > UINT32_MAX) {
            cli_error("bad number of rows '%s': expected one from 1 to %u", args[i],
                      UINT32_MAX);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

/* What is measured on files cannot be given. */
static int check_measured(const planned *p, char **args, size_t n_args)
{
    for (size_t i = 0; i < n_args && cli_given("terms"); i++)
        if (p->sides[i].vectors) {
            cli_error("--terms does not apply: '%s' has vectors, whose terms are counted",
                      args[i]);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

static int find_speeds(settings *o, dpl_ctx *ctx)
{
    return o->speeds_file ? cli_read_speeds(&o->speeds, o->speeds_file)
                          : cli_calibrate(&o->speeds, ctx, o->calibrates);
}

static int make(settings *o, planned *p, dpl_ctx *ctx, char **args, size_t n_args)
{
    int code = open_sides(o, p, ctx, args, n_args);
    if (code == CLI_DONE)
        code = check_measured(p, args, n_args);
    if (code == CLI_DONE)
        code = find_speeds(o, ctx);
    if (code != CLI_DONE)
        return code;
    if (o->set.length % 64 && o->set.length)
        cli_note("note: length=%u is rounded up to %u", o->set.length,
                 (o->set.length + 63) / 64 * 64);
    o->set.threshold = o->search.threshold;
    o->set.recall = o->search.recall;
    o->set.tables = o->search.tables;
    o->set.width = o->search.width;
    o->set.signature = o->search.signature;
    o->set.speeds = &o->speeds;
    dpl_error err = {0};
    o->set.n_left = o->n_left;
    o->set.n_right = o->n_right;
    if (dpl_plan_make(&p->plan, ctx, &o->set, &err) != DPL_OK)
        return cli_fail(&err);
    if (n_args) {
        o->n_left = rows_of(&p->sides[0]);
        o->n_right = rows_of(&p->sides[1]);
    }
    if (o->set.threshold < 0)
        o->set.threshold = 0;
    return CLI_DONE;
}

/* Curves of a hash function, of vectors or of the model. */
static int plan_codes(settings *o, planned *p, dpl_ctx *ctx, char **args, size_t n_args)
{
    int code = open_sides(o, p, ctx, args, n_args);
    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i < n_args; i++)
        if (!p->sides[i].vectors) {
            cli_error("'%s' has no vectors to hash", args[i]);
            return CLI_USAGE;
        }
    dpl_tune_options t = DPL_INIT(dpl_tune_options, .hash = &o->hashing,
                                  .threshold = o->search.threshold, .recall = o->search.recall);
    return cli_plan_hash(ctx, p->sides[0].vectors, p->sides[1].vectors, o->n_left, &t);
}

/* Without files or numbers of rows. */
static int plan_workers(settings *o, dpl_ctx *ctx)
{
    o->workers.words = count_words(o);
    o->workers.speeds = &o->speeds;
    int code = find_speeds(o, ctx);
    return code == CLI_DONE ? cli_plan_workers(ctx, &o->workers) : code;
}

static int check(char **args, size_t n_args, void *user)
{
    settings *o = user;
    uint64_t n;
    if (!n_args == !o->workers.workers) {
        cli_error(n_args ? "--workers plans for numbers of documents, not for '%s'"
                         : "no LEFT given",
                  n_args ? args[0] : "");
        cli_hint("usage: doppel plan %s", cli_plan.synopsis);
        return CLI_USAGE;
    }
    return n_args && is_number(&n, args[0]) ? read_sizes(o, args, n_args) : CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    planned p = {0};
    uint64_t n;
    const bool is_hash = o->search.method == DPL_PAIRS_HASH;
    if (o->workers.workers)
        return plan_workers(o, ctx);
    if (is_number(&n, args[0]))
        n_args = 0;
    int code = (is_hash ? plan_codes : make)(o, &p, ctx, args, n_args);
    if (code == CLI_DONE && !is_hash)
        code = print(o, p.plan, ctx);
    dpl_plan_free(p.plan);
    close_sides(&p);
    return code;
}

const cli_command cli_plan = {
    .name = "plan",
    .summary = "predict the cost and the recall of the search methods",
    .synopsis = "LEFT [RIGHT] | --workers N",
    .about = "Print, for the exact method, brute force over signatures, and the window "
             "method over a grid of tables (Q) and window sizes (B): comparisons, cost "
             "relative to brute force, predicted recall beside the bounds of the model in "
             "the paper, candidates to verify, time on this machine, and memory. A star "
             "marks the recommended row: the fastest that reaches --recall and fits into "
             "--memory; the reason follows."
             "\n"
             "\n"
             "LEFT and RIGHT are files of vectors or signatures, or numbers of rows. Sizes "
             "alone are enough; true pairs are then assumed to lie exactly at the "
             "threshold, and the bits of other rows to be independent. With files of "
             "vectors or signatures a sample of the rows is used instead, which predicts "
             "much better. LEFT alone is for pairs within one set."
             "\n"
             "\n"
             "Comparisons of the exact method are multiply-adds. The cost is in "
             "comparisons of signatures, with sorting and multiply-adds converted into as "
             "many as take the same time."
             "\n"
             "\n"
             "Times rest on a calibration that takes about a second, once: it is stored in"
             " $XDG_CACHE_HOME/doppel, or ~/.cache/doppel, for this processor, instruction"
             " set, number of threads and version."
             "\n"
             "\n"
             "With --workers N, print what 'doppel dedup' and 'doppel mine' would cost in N "
             "parts, by stage: core hours, hours, the share of the time that is not divided, "
             "memory of a worker, bytes on shared storage; and which stage runs out of memory "
             "first. The costs were measured with 200,000 documents and are extrapolated.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .json = json_keys,
    .see_also = "doppel-show(1)",
    .argument = "LEFT",
    .min_args = 0,
    .max_args = 2,
    .complete = CLI_FILES,
    .check = check,
    .ends_at_once = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
