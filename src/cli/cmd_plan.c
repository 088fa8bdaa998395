/*
 * cmd_plan.c - doppel plan: predicted recall, cost and memory of the search methods.
 */
#include "cli/calibration.h"
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/plan_hash.h"
#include "cli/plan_workers.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/file.h"
#include "doppel/mine.h"

#include <stdio.h>
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
    cli_workers workers;
} settings;

static const settings defaults = {
    .set = DPL_INIT(dpl_plan_options),
    .search = DPL_INIT(dpl_pairs_options, .threshold = 0.3, .recall = 0.99),
    .hashing = DPL_INIT(dpl_hash_options),
    .speeds = DPL_INIT(dpl_speeds),
    .workers = {.documents = 1e9, .languages = 100},
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
     .count = &defaults.workers.n,
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
    {"left, right", "rows of the sides; right is null for pairs within left"},
    {"pairs", "pairs of rows: what brute force compares"},
    {"signature, bits, threshold, recall", "what the plan is for"},
    {"nearest", "neighbours of every row and column that are searched for; 0: all pairs"},
    {"sampled", "whether a sample of rows was used"},
    {"random_cosine, random_sd",
     "cosine of two random rows, mean and standard deviation; measured or assumed"},
    {"true_pairs", "pairs at or above the threshold, estimated; null when not known"},
    {"true_sample", "true pairs in the sample; 0: assumed exactly at the threshold"},
    {"speeds", "object: nanoseconds of one thread, as calibrated"},
    {"rows",
     "array of objects: method, tables, width, code_length, comparisons, relative, paper_low, "
     "paper_high, paper_cut, recall, cut, first_bits, first_cut, candidates, seconds, "
     "bytes, fits"},
    {"best", "index of the recommended row"},
    {"why", "the reason, in words"},
    {"mine_search", "how 'doppel mine' would search documents last: exact or ngram; two sides"},
    {"better_bits, better_seconds",
     "bits with which brute force would be faster than the best row by a quarter; 0: none"},
    {"hash, sample_rows, true_sample, reached, points",
     "with --method hash instead of most of them: the function, rows and true pairs of the "
     "sample, "
     "whether the best point has the recall, and the points: code_length, codes, radix, width, "
     "precision, recall, candidates (per row)"},
    {"workers, documents, languages, stages",
     "with --workers instead: stages with command, name, core_seconds, "
     "undivided (share of the time), seconds, worker_bytes, shared_bytes, most_documents "
     "(that fit into the memory of a worker)"},
    {"threads", "threads the times are for"},
    {"cpu", "instruction set the times are for"},
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

/* ---- as JSON ------------------------------------------------------------------------ */

static void json_row(dpl_json *j, const dpl_plan_row *r)
{
    dpl_json_begin(j, NULL, '{');
    dpl_json_cstr(j, "method", dpl_pairs_get_method_info(r->method)->name);
    dpl_json_number(j, "tables", r->n_tables);
    dpl_json_number(j, "width", r->width);
    dpl_json_number(j, "code_length", r->code_length);
    dpl_json_real(j, "comparisons", r->comparisons);
    dpl_json_real(j, "relative", r->relative);
    dpl_json_real(j, "paper_low", r->paper_low);
    dpl_json_real(j, "paper_high", r->paper_high);
    dpl_json_real(j, "paper_cut", r->paper_cut);
    dpl_json_real(j, "recall", r->recall);
    dpl_json_number(j, "cut", r->cut);
    dpl_json_number(j, "first_bits", r->first_bits);
    dpl_json_number(j, "first_cut", r->first_cut);
    dpl_json_real(j, "candidates", r->candidates);
    dpl_json_real(j, "seconds", r->seconds);
    dpl_json_real(j, "bytes", r->bytes);
    dpl_json_bool(j, "fits", r->fits);
    dpl_json_end(j, '}');
}

static void json_speeds(dpl_json *j, const dpl_speeds *s)
{
    dpl_json_begin(j, "speeds", '{');
    dpl_json_real(j, "compare_ns", s->compare_ns);
    dpl_json_real(j, "single_ns", s->single_ns);
    dpl_json_real(j, "permute_ns", s->permute_ns);
    dpl_json_real(j, "multiply_ns", s->multiply_ns);
    dpl_json_real(j, "dense_ns", s->dense_ns);
    dpl_json_real(j, "verify_ns", s->verify_ns);
    dpl_json_real(j, "sign_ns", s->sign_ns);
    dpl_json_real(j, "near_ns", s->near_ns);
    dpl_json_real(j, "product_ns", s->product_ns);
    if (s->device_ns > 0)
        dpl_json_real(j, "device_ns", s->device_ns);
    dpl_json_end(j, '}');
}

/* Of a document: a term of a row stands for about one and a quarter words. */
static double count_words(const settings *o)
{
    return 1.25 * (o->set.terms_per_row > 0 ? o->set.terms_per_row : 120);
}

/* Whether mining documents of these sides ends with a search by n-grams. */
static bool mines_by_ngrams(const settings *o)
{
    return dpl_mine_prefers_ngrams(o->n_left, o->n_right, count_words(o));
}

static void print_json(const settings *o, const dpl_plan *plan, const dpl_ctx *ctx)
{
    const dpl_plan_summary *p = dpl_plan_get_summary(plan);
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "left", o->n_left);
    if (o->n_right)
        dpl_json_number(&j, "right", o->n_right);
    else
        dpl_json_raw(&j, "right", (dpl_str){0});
    dpl_json_real(&j, "pairs", p->n_pairs);
    dpl_json_cstr(&j, "signature", dpl_sign_get_method_info(p->signature)->name);
    dpl_json_number(&j, "bits", p->bits);
    dpl_json_real(&j, "threshold", o->set.threshold);
    dpl_json_real(&j, "recall", o->set.recall);
    dpl_json_number(&j, "nearest", o->set.nearest);
    dpl_json_bool(&j, "sampled", p->is_sampled);
    dpl_json_real(&j, "random_cosine", p->random_cosine);
    dpl_json_real(&j, "random_sd", p->random_sd);
    if (p->is_sampled)
        dpl_json_real(&j, "true_pairs", p->true_pairs);
    else
        dpl_json_raw(&j, "true_pairs", (dpl_str){0});
    dpl_json_number(&j, "true_sample", p->n_true_sample);
    json_speeds(&j, p->speeds);
    dpl_json_begin(&j, "rows", '[');
    for (size_t i = 0; i < p->n_rows; i++)
        json_row(&j, dpl_plan_get_row(plan, i));
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "best", p->best);
    dpl_json_cstr(&j, "why", p->why);
    if (o->n_right)
        dpl_json_cstr(&j, "mine_search", mines_by_ngrams(o) ? "ngram" : "exact");
    dpl_json_number(&j, "better_bits", p->better_bits);
    dpl_json_real(&j, "better_seconds", p->better_seconds);
    dpl_json_number(&j, "threads", dpl_ctx_threads(ctx));
    dpl_json_cstr(&j, "cpu", dpl_cpu_name(dpl_ctx_cpu(ctx)));
    cli_summary_end(&j);
}

/* ---- as a table --------------------------------------------------------------------- */

static const char *duration(char out[32], double s)
{
    if (s < 0.00005)
        snprintf(out, 32, "< 0.1 ms");
    else if (s < 0.9995)
        snprintf(out, 32, "%.*f ms", s < 0.00995, 1000 * s);
    else if (s < 120)
        snprintf(out, 32, "%.*f s", s < 9.95, s);
    else if (s < 2 * 3600)
        snprintf(out, 32, "%.0f min", s / 60);
    else if (s < 3 * 86400)
        snprintf(out, 32, "%.1f h", s / 3600);
    else
        snprintf(out, 32, "%.0f days", s / 86400);
    return out;
}

static const char *count_or_dash(char out[32], unsigned n)
{
    snprintf(out, 32, n ? "%u" : "-", n);
    return out;
}

static void print_row(const dpl_plan_row *r, bool is_best)
{
    char tables[32], window[32], paper[32] = "", candidates[32] = "-", time[32], memory[32];
    if (r->n_tables)
        snprintf(paper, sizeof paper, "%.3f-%.3f", r->paper_low, r->paper_high);
    if (r->candidates >= 1)
        snprintf(candidates, sizeof candidates, "%.2e", r->candidates);
    cli_print("%c %-7s%7s%7s  %11.2e %8.2f%%   %.3f  %11s  %10s %8s %10s%s\n",
              is_best ? '*' : ' ', dpl_pairs_get_method_info(r->method)->name,
              count_or_dash(tables, r->n_tables), count_or_dash(window, r->width),
              r->comparisons, 100 * r->relative, r->recall, paper, candidates,
              duration(time, r->seconds), cli_bytes(memory, (uint64_t)r->bytes),
              r->fits ? "" : "  does not fit");
}

static void print_facts(const settings *o, const dpl_plan_summary *p)
{
    char a[32], b[32];
    cli_print("%s", cli_grouped(a, o->n_left));
    if (o->n_right)
        cli_print(" x %s rows", cli_grouped(b, o->n_right));
    else
        cli_print(" rows among themselves");
    cli_print(", %.3g pairs; ", p->n_pairs);
    if (o->set.nearest)
        cli_print("%u nearest; ", o->set.nearest);
    const dpl_sign_method_info *sign = dpl_sign_get_method_info(p->signature);
    cli_print("%u %s%s%s, threshold %g, recall %g\n", p->bits, sign->unit,
              sign->has_products ? " of " : "", sign->has_products ? sign->name : "",
              o->set.threshold, o->set.recall);
    cli_print("%s: cosine of any two rows %.3f +- %.3f; ",
              p->is_sampled ? "seen in a sample" : "assumed", p->random_cosine, p->random_sd);
    if (p->n_true_sample)
        cli_print("about %.2g true pairs, %llu looked at\n", p->true_pairs,
                  (unsigned long long)p->n_true_sample);
    else
        cli_print("true pairs %sexactly at the threshold\n",
                  p->is_sampled ? "are too few, assumed " : "");
}

static void print_wrapped(const char *text)
{
    dpl_str line;
    while (cli_wrap(&line, &text, cli_width(STDOUT_FILENO)))
        cli_print("%.*s\n", (int)line.n, line.data);
}

static void print_table(const settings *o, const dpl_plan *plan)
{
    const dpl_plan_summary *p = dpl_plan_get_summary(plan);
    print_facts(o, p);
    cli_print("\n  %-7s%7s%7s  %11s %9s %7s  %11s  %10s %8s %10s\n", "method", "tables",
              "width", "comparisons", "cost", "recall", "paper", "candidates", "time",
              "memory");
    for (size_t i = 0; i < p->n_rows; i++)
        print_row(dpl_plan_get_row(plan, i), i == p->best);
    cli_print("\n");
    print_wrapped(p->why);
    if (o->n_right && mines_by_ngrams(o))
        print_wrapped("'doppel mine' would search such collections by n-grams, in less than a "
                      "quarter of the time of the exact method.");
    const dpl_plan_row *best = dpl_plan_get_row(plan, p->best);
    bool has_signatures = dpl_pairs_get_method_info(best->method)->has_signatures;
    if (has_signatures && best->first_bits)
        cli_print("Pairs within %u of %u bits are verified, of those within %u of the first "
                  "%u.\n",
                  best->cut, p->bits, best->first_cut, best->first_bits);
    else if (has_signatures)
        cli_print("Pairs within %u of %u bits are verified.\n", best->cut, p->bits);
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
    int code = find_speeds(o, ctx);
    return code == CLI_DONE ? cli_plan_workers(ctx, &o->workers, &o->speeds) : code;
}

static int check(char **args, size_t n_args, void *user)
{
    settings *o = user;
    uint64_t n;
    if (!n_args == !o->workers.n) {
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
    if (o->workers.n)
        return plan_workers(o, ctx);
    if (is_number(&n, args[0]))
        n_args = 0;
    int code = (is_hash ? plan_codes : make)(o, &p, ctx, args, n_args);
    if (code == CLI_DONE && !is_hash && cli_set.json)
        print_json(o, p.plan, ctx);
    else if (code == CLI_DONE && !is_hash)
        print_table(o, p.plan);
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
