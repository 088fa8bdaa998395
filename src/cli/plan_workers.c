/*
 * plan_workers.c - cost of dedup and mine in parts, by stage, from measured constants.
 *
 * A stage has work that workers divide, which grows with words or documents, and work that one
 * of them does, or each of them again. Constants were measured with `--part 1/8` by one thread:
 * dedup with 200,000 documents of 200 words in 16 files (bench/parts), mine with 24,000 x
 * 24,000 of 150 words (bench/resample). They are for a processor of REFERENCE_NS a multiply-add
 * and are scaled by the calibration. Searches are those of dpl_plan_make and of the n-gram
 * search. A language has the same number of documents as any other and is mined with one of
 * them; workers are divided among the pairs of languages.
 */
#include "cli/plan_workers.h"

#include "cli/command.h"
#include "cli/notes.h"
#include "cli/talk.h"

#include "doppel/mine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double REFERENCE_NS = 0.134;

typedef struct stage {
    const char *command, *name;
    double word_ns;      /* divided, for each word */
    double doc_ns;       /* by one worker, or by each, for each document */
    double doc_bytes;    /* in the memory of a worker, for each document */
    double word_bytes;   /* on shared storage, for each word */
    const char *instead; /* what would be done where it does not fit */
} stage;

static const stage stages[] = {
    {"dedup", "read, tokenize", 74, 800, 8, 12, "more and smaller inputs"},
    {"dedup", "copies, sizes", 22, 500, 40, 0.1,
     "rows by ranges of keys: a worker keeps its own, as a shuffle of keys"},
    {"dedup", "shingles", 92, 1500, 1, 5,
     "counts sent back to the rows that asked, instead of a table in every worker"},
    {"dedup", "verify, clusters", 4, 200, 12, 0, "edges of large clusters only"},
    {"dedup", "write", 56, 500, 0, 2, "kept files stay in parts"},
    {"mine", "read, clean", 0, 33000, 20, 12, "parts that are not merged, as in dedup"},
    {"mine", "vectors", 0, 36000, 10, 8, "rows in ranges of documents"},
    {"mine", "sample, training", 0, 0, 0, 0, "links in ranges of words"},
    {"mine", "last search", 0, 0, 80, 1, "n-gram candidates by ranges of left documents"},
    {"mine", "confidence", 555, 27000, 300, 1,
     "features in ranges of pairs on storage; the model is fitted to a sample"},
    {"mine", "sentences, output", 236, 15000, 0, 2, "shards instead of one file"},
};

enum { N_STAGES = sizeof stages / sizeof *stages };

typedef struct cost {
    double divided, alone; /* core seconds; alone: of one worker of each pair of languages */
    double core_seconds;   /* of all: in dedup, each worker does what is not divided */
    double undivided;      /* share of the time */
    double seconds, worker_bytes, shared_bytes;
} cost;

/* Rounds learn from a sample of one side: core seconds of training, of them undivided; then
 * nanoseconds of a pair of documents that is searched, and of a word of the n-gram search,
 * which one worker does (mine_params.h). Memory of a part beside documents. */
static const double TRAIN_SECONDS = 14, TRAIN_ALONE = 5, PAIR_NS = 1.3, NGRAM_NS = 400,
                    SAMPLE_DOCS = 20000, ROUNDS = 3, PART_BYTES = 200e6;

/* Core seconds of the last search of one pair of languages; *is_alone: one worker does it. */
static int search_seconds(double *out, bool *is_alone, dpl_ctx *ctx, const cli_workers *w,
                          const dpl_speeds *speeds)
{
    const double n = fmin(w->documents / w->languages, 4e9);
    const dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = (uint64_t)n + 1, .n_right = (uint64_t)n + 1,
                 .speeds = speeds, .method = DPL_PAIRS_EXACT);
    dpl_plan *plan = NULL;
    dpl_error err = {0};
    *is_alone = dpl_mine_prefers_ngrams((uint64_t)n, (uint64_t)n, w->words);
    *out = NGRAM_NS * 1e-9 * w->words * 2 * n;
    if (*is_alone)
        return CLI_DONE;
    if (dpl_plan_make(&plan, ctx, &o, &err) != DPL_OK)
        return cli_fail(&err);
    *out = dpl_plan_get_row(plan, 0)->seconds * dpl_ctx_threads(ctx);
    dpl_plan_free(plan);
    return CLI_DONE;
}

/* dedup works on all documents with all workers; mine on two languages with some. */
static int find_cost(cost *c, dpl_ctx *ctx, const cli_workers *w, const dpl_speeds *speeds,
                     const stage *s)
{
    const bool mines = strcmp(s->command, "mine") == 0;
    const double n_pairs = mines ? fmax(1, w->languages - 1.0) : 1,
                 docs = mines ? 2 * w->documents / w->languages : w->documents,
                 workers = mines ? fmax(1, w->n / n_pairs) : w->n,
                 waves = mines ? fmax(1, n_pairs / w->n) : 1,
                 scale = speeds->multiply_ns / REFERENCE_NS;
    *c = (cost){.divided = scale * s->word_ns * 1e-9 * docs * w->words,
                .alone = scale * s->doc_ns * 1e-9 * docs,
                .worker_bytes = PART_BYTES + s->doc_bytes * docs,
                .shared_bytes = n_pairs * s->word_bytes * docs * w->words};
    if (strcmp(s->name, "sample, training") == 0) {
        c->divided = scale * (TRAIN_SECONDS - TRAIN_ALONE +
                              1e-9 * ROUNDS * PAIR_NS * fmin(SAMPLE_DOCS, docs / 2) * docs / 2);
        c->alone = scale * TRAIN_ALONE;
    }
    if (strcmp(s->name, "last search") == 0) {
        bool is_alone;
        double seconds;
        const int code = search_seconds(&seconds, &is_alone, ctx, w, speeds);
        if (code != CLI_DONE)
            return code;
        *(is_alone ? &c->alone : &c->divided) += (is_alone ? scale : 1) * seconds;
    }
    const double each = c->divided / workers + c->alone;
    c->seconds = waves * each / dpl_ctx_threads(ctx);
    c->undivided = each > 0 ? c->alone / each : 0;
    c->core_seconds = n_pairs * (c->divided + c->alone * (mines ? 1 : w->n));
    return CLI_DONE;
}

/* Documents of all languages at which the stage takes all memory of a worker. */
static double most_documents(dpl_ctx *ctx, const cli_workers *w, const stage *s)
{
    const double left = fmax(0, (double)dpl_ctx_memory(ctx) - PART_BYTES);
    const double docs = s->doc_bytes > 0 ? left / s->doc_bytes : INFINITY;
    return strcmp(s->command, "mine") == 0 ? docs / 2 * w->languages : docs;
}

static void print_text(dpl_ctx *ctx, const cli_workers *w, const cost costs[N_STAGES])
{
    const stage *first = NULL, *slowest = NULL;
    double least = INFINITY, alone = 0;
    cli_print("%.3g documents of %g words in %u languages; %u workers of %u threads and "
              "%.3g GB\n\n",
              w->documents, w->words, w->languages, w->n, dpl_ctx_threads(ctx),
              (double)dpl_ctx_memory(ctx) * 1e-9);
    cli_print("%-25s %12s %10s %7s %10s %10s\n", "stage", "core hours", "hours", "alone",
              "worker GB", "shared TB");
    for (size_t i = 0; i < N_STAGES; i++) {
        const cost *c = &costs[i];
        const double most = most_documents(ctx, w, &stages[i]);
        cli_print("%-6s%-19s %12.3g %10.3g %6.0f%% %10.3g %10.3g\n", stages[i].command,
                  stages[i].name, c->core_seconds / 3600, c->seconds / 3600, 100 * c->undivided,
                  c->worker_bytes * 1e-9, c->shared_bytes * 1e-12);
        if (most < least) {
            least = most;
            first = &stages[i];
        }
        if (c->undivided * c->seconds > alone) {
            alone = c->undivided * c->seconds;
            slowest = &stages[i];
        }
    }
    if (first)
        cli_print("\nMemory ends first in %s, %s: at %.2g documents. Then: %s.\n",
                  first->command, first->name, least, first->instead);
    if (slowest)
        cli_print("Most is done alone in %s, %s. Instead: %s.\n", slowest->command,
                  slowest->name, slowest->instead);
}

static void print_json(dpl_ctx *ctx, const cli_workers *w, const cost costs[N_STAGES])
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "workers", w->n);
    dpl_json_real(&j, "documents", w->documents);
    dpl_json_number(&j, "languages", w->languages);
    dpl_json_begin(&j, "stages", '[');
    for (size_t i = 0; i < N_STAGES; i++) {
        dpl_json_begin(&j, NULL, '{');
        dpl_json_cstr(&j, "command", stages[i].command);
        dpl_json_cstr(&j, "name", stages[i].name);
        dpl_json_real(&j, "core_seconds", costs[i].core_seconds);
        dpl_json_real(&j, "undivided", costs[i].undivided);
        dpl_json_real(&j, "seconds", costs[i].seconds);
        dpl_json_real(&j, "worker_bytes", costs[i].worker_bytes);
        dpl_json_real(&j, "shared_bytes", costs[i].shared_bytes);
        dpl_json_real(&j, "most_documents", most_documents(ctx, w, &stages[i]));
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "threads", dpl_ctx_threads(ctx));
    cli_summary_end(&j);
}

int cli_plan_workers(dpl_ctx *ctx, const cli_workers *w, const dpl_speeds *speeds)
{
    cost costs[N_STAGES];
    for (size_t i = 0; i < N_STAGES; i++) {
        const int code = find_cost(&costs[i], ctx, w, speeds, &stages[i]);
        if (code != CLI_DONE)
            return code;
    }
    (cli_set.json ? print_json : print_text)(ctx, w, costs);
    return CLI_DONE;
}
