/*
 * mine.c - how long does a run of mining take, where, and how does it grow?
 *
 *     build/bench/mine --data DIR --work DIR [--rounds N] [--most DOCS]
 *
 * First the help pages en-de with default options, from documents to report, stage by stage,
 * beside what ICU takes to look at every word of them once. Then collections of 1, 2, 4 and 8
 * thousand documents a side: help pages, chapters, news, and pieces of 15 rows of news, talks
 * and stories, in one order that is drawn once, so that each size has the same mixture.
 *
 * Seconds are those of the processor, both threads together, because machines are shared; wall
 * time only in all. The fastest of the rounds counts.
 */
#include "doppel/doppel.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "io/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unicode/ubrk.h>
#include <unistd.h>

enum { PATH_MOST = 4096, PIECE = 15 };

typedef struct settings {
    const char *data, *work;
    unsigned n_rounds;
    size_t most;
} settings;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- documents with their translations ---------------------------------------------- */

typedef struct pair {
    dpl_str text[2];
} pair;

typedef struct mixture {
    dpl_ctx *ctx;
    dpl__arena arena;
    DPL_VEC(pair) pairs;
} mixture;

typedef struct named {
    dpl_str id, text;
} named;

typedef DPL_VEC(named) names;

static int by_id(const void *a, const void *b)
{
    return dpl__str_cmp(((const named *)a)->id, ((const named *)b)->id);
}

static dpl_status read_docs(names *out, mixture *m, const char *path, dpl_error *err)
{
    dpl_reader *reader = NULL;
    dpl_doc doc;
    DPL_TRY(dpl_reader_open(&reader, m->ctx, path, NULL, err));
    dpl_status status;
    while ((status = dpl_reader_next(reader, &doc, err)) == DPL_OK) {
        named one = {dpl__arena_copy(&m->arena, doc.id), dpl__arena_copy(&m->arena, doc.text)};
        if (!one.text.data || !dpl__vec_push(m->ctx, out, one))
            status = dpl__fail_nomem(err);
        if (status != DPL_OK)
            break;
    }
    dpl_reader_close(reader);
    if (status == DPL_END && out->n)
        qsort(out->data, out->n, sizeof *out->data, by_id);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status add_gold(mixture *m, const names docs[2], const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status = dpl__lines_open(&lines, m->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        const char *tab = memchr(line.data, '\t', line.n);
        size_t n = tab ? (size_t)(tab - line.data) : line.n;
        named ids[2] = {{.id = {line.data, n}},
                        {.id = {line.data + n + 1, tab ? line.n - n - 1 : 0}}};
        const named *found[2];
        for (int s = 0; s < 2; s++)
            found[s] = bsearch(&ids[s], docs[s].data, docs[s].n, sizeof *ids, by_id);
        if (found[0] && found[1] &&
            !dpl__vec_push(m->ctx, &m->pairs, ((pair){{found[0]->text, found[1]->text}})))
            status = dpl__fail_nomem(err);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status add_collection(mixture *m, const settings *s, const char *set, dpl_error *err)
{
    char path[PATH_MOST];
    names docs[2] = {{0}, {0}};
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        snprintf(path, sizeof path, "%s/%s/docs.%s.jsonl.zst", s->data, set,
                 side ? "de" : "en");
        status = read_docs(&docs[side], m, path, err);
    }
    snprintf(path, sizeof path, "%s/%s/pairs.en-de.tsv", s->data, set);
    if (status == DPL_OK)
        status = add_gold(m, docs, path, err);
    dpl__vec_clear(m->ctx, &docs[0], &docs[1]);
    return status;
}

static dpl_str column(dpl_str line, unsigned number)
{
    const char *at = line.data, *end = line.data + line.n;
    for (; number; number--) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        if (!tab)
            return (dpl_str){0};
        at = tab + 1;
    }
    const char *tab = memchr(at, '\t', (size_t)(end - at));
    return (dpl_str){at, (size_t)((tab ? tab : end) - at)};
}

static dpl_status end_piece(mixture *m, dpl__bytes text[2], dpl_error *err)
{
    pair p;
    for (int s = 0; s < 2; s++) {
        p.text[s] = dpl__arena_copy(&m->arena, (dpl_str){text[s].data, text[s].n});
        text[s].n = 0;
    }
    return p.text[0].data && p.text[1].data && dpl__vec_push(m->ctx, &m->pairs, p)
               ? DPL_OK
               : dpl__fail_nomem(err);
}

/* Pieces of a parallel text; left: column of the English text, the German one follows. */
static dpl_status add_pieces(mixture *m, const settings *s, const char *set, unsigned left,
                             dpl_error *err)
{
    char path[PATH_MOST];
    dpl__lines lines;
    dpl_str line;
    dpl__bytes text[2] = {{0}, {0}};
    size_t n = 0;
    snprintf(path, sizeof path, "%s/parallel/%s.tsv.zst", s->data, set);
    dpl_status status = dpl__lines_open(&lines, m->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        for (unsigned side = 0; side < 2; side++) {
            dpl_str part = column(line, left + side);
            if (!dpl__vec_append(m->ctx, &text[side], part.data, part.n) ||
                !dpl__vec_push(m->ctx, &text[side], '\n'))
                status = dpl__fail_nomem(err);
        }
        if (status == DPL_OK && ++n % PIECE == 0)
            status = end_piece(m, text, err);
    }
    dpl__lines_close(&lines);
    dpl__vec_clear(m->ctx, &text[0], &text[1]);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status gather(mixture *m, const settings *s, dpl_error *err)
{
    DPL_TRY(add_collection(m, s, "lohelp", err));
    DPL_TRY(add_collection(m, s, "bible", err));
    DPL_TRY(add_collection(m, s, "newsdocs", err));
    DPL_TRY(add_pieces(m, s, "newstest2008-2013.en-de-fr-es-cs", 2, err));
    DPL_TRY(add_pieces(m, s, "newstest2014-2022.en-de", 2, err));
    DPL_TRY(add_pieces(m, s, "iwslt17-ted.test.en-de", 0, err));
    DPL_TRY(add_pieces(m, s, "wesnoth.en-de", 1, err));
    dpl__rng rng = {dpl__mix(1)};
    for (size_t i = m->pairs.n; i > 1; i--) {
        size_t k = (size_t)dpl__rng_below(&rng, i);
        pair swapped = m->pairs.data[k];
        m->pairs.data[k] = m->pairs.data[i - 1];
        m->pairs.data[i - 1] = swapped;
    }
    return DPL_OK;
}

/* ---- as files ----------------------------------------------------------------------- */

static void put_json(FILE *f, dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.data[i] < 0x20)
            fputs(s.data[i] == '\n' ? "\\n" : " ", f);
        else
            fprintf(f, s.data[i] == '"' || s.data[i] == '\\' ? "\\%c" : "%c", s.data[i]);
}

/* The first n pairs; the right side begins in the middle, so that order tells nothing. */
static bool write_docs(const char *path, const mixture *m, size_t n, int side)
{
    FILE *f = fopen(path, "w");
    for (size_t i = 0; f && i < n; i++) {
        size_t k = side ? (i + n / 2) % n : i;
        fprintf(f, "{\"id\": \"%zu\", \"lang\": \"%s\", \"text\": \"", k, side ? "de" : "en");
        put_json(f, m->pairs.data[k].text[side]);
        fputs("\"}\n", f);
    }
    return f && fclose(f) == 0;
}

static bool write_gold(const char *path, size_t n)
{
    FILE *f = fopen(path, "w");
    for (size_t i = 0; f && i < n; i++)
        fprintf(f, "%zu\t%zu\n", i, i);
    return f && fclose(f) == 0;
}

/* ---- a run -------------------------------------------------------------------------- */

typedef enum stage { IMPORT, SEARCH, ALIGN, TRAIN, FINAL, N_STAGES } stage;

typedef struct measured {
    double core[N_STAGES], core_all, wall;
    uint64_t peak;
    uint64_t n_docs[2];
    size_t n_rounds;
    double mean_cosine;
    dpl_eval_pairs found;
    /* while it runs */
    stage now;
    double since;
} measured;

static void enter(measured *m, stage next)
{
    double now = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    m->core[m->now] += now - m->since;
    m->since = now;
    m->now = next;
}

static int watch(void *user, const dpl_progress *progress)
{
    measured *m = user;
    const char *name = progress->stage;
    enter(m, strstr(name, "searching")  ? SEARCH
             : strstr(name, "aligning") ? ALIGN
             : strstr(name, "training") ? TRAIN
             : strstr(name, "import")   ? IMPORT
                                        : FINAL);
    return 0;
}

static dpl_status run_once(measured *m, const settings *s, const char *const paths[2],
                           const char *gold, dpl_error *err)
{
    char dir[PATH_MOST], pairs[PATH_MOST + 16];
    dpl_ctx *ctx = NULL;
    *m = (measured){.now = IMPORT, .since = seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = watch, .progress_user = m);
    DPL_TRY(dpl_ctx_new(&ctx, &o, err));
    snprintf(dir, sizeof dir, "%s/mine", s->work);
    snprintf(pairs, sizeof pairs, "%s/pairs.tsv", dir);
    double core = m->since, wall = seconds_of(CLOCK_MONOTONIC);
    dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    dpl_mine_result *result = NULL;
    dpl_status status = dpl_mine(&result, ctx, dir, in, 2, NULL, err);
    enter(m, FINAL);
    m->core_all = m->since - core;
    m->wall = seconds_of(CLOCK_MONOTONIC) - wall;
    m->peak = dpl_ctx_peak(ctx);
    if (status == DPL_OK) {
        const dpl_mine_run *run = dpl_mine_get_summary(result)->runs[0];
        m->n_docs[0] = run->left->n_docs;
        m->n_docs[1] = run->right->n_docs;
        m->n_rounds = run->n_rounds;
        m->mean_cosine = run->rounds[run->n_rounds - 1]->mean_cosine;
    }
    dpl_mine_result_free(result);
    dpl_eval_pairs_input eval =
        DPL_INIT(dpl_eval_pairs_input, .gold_path = gold, .found_path = pairs);
    m->found.size = sizeof m->found;
    if (status == DPL_OK)
        status = dpl_eval_pairs_run(&m->found, ctx, &eval, err);
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status run(measured *best, const settings *s, const char *const paths[2],
                      const char *gold, dpl_error *err)
{
    for (unsigned i = 0; i < s->n_rounds; i++) {
        measured m;
        DPL_TRY(run_once(&m, s, paths, gold, err));
        double wall = i ? best->wall : m.wall;
        if (i == 0 || m.core_all < best->core_all)
            *best = m;
        best->wall = wall < m.wall ? wall : m.wall;
    }
    return DPL_OK;
}

/* ---- the help pages ----------------------------------------------------------------- */

/* ICU's word iterator over all texts: nobody who looks at each word once is faster with it. */
static dpl_status run_icu(double *core, size_t *n_words, dpl_ctx *ctx,
                          const char *const paths[2], dpl_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    UText text = UTEXT_INITIALIZER;
    UBreakIterator *words = ubrk_open(UBRK_WORD, "en", NULL, 0, &code);
    dpl_status status = DPL_END;
    double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    *n_words = 0;
    for (int side = 0; side < 2 && status == DPL_END; side++) {
        dpl_reader *reader = NULL;
        dpl_doc doc;
        status = dpl_reader_open(&reader, ctx, paths[side], NULL, err);
        while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, err)) == DPL_OK) {
            utext_openUTF8(&text, doc.text.data, (int64_t)doc.text.n, &code);
            ubrk_setUText(words, &text, &code);
            while (U_SUCCESS(code) && ubrk_next(words) != UBRK_DONE)
                *n_words += ubrk_getRuleStatus(words) != UBRK_WORD_NONE;
        }
        dpl_reader_close(reader);
    }
    *core = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
    utext_close(&text);
    ubrk_close(words);
    return status == DPL_END ? DPL_OK : status;
}

static void print_goal(const char *name, double value, double goal, bool is_least)
{
    bool is_met = is_least ? value >= goal : value <= goal;
    printf("  %-24s %10.4f   goal %s %g %s\n", name, value, is_least ? "at least" : "at most",
           goal, is_met ? "met" : "MISSED");
}

static dpl_status run_help(const settings *s, dpl_error *err)
{
    static const char *const stages[N_STAGES] = {"import", "search, all rounds",
                                                 "align, all rounds", "train, all rounds",
                                                 "judge, write, report"};
    char left[PATH_MOST], right[PATH_MOST], gold[PATH_MOST];
    snprintf(left, sizeof left, "%s/lohelp/docs.en.jsonl.zst", s->data);
    snprintf(right, sizeof right, "%s/lohelp/docs.de.jsonl.zst", s->data);
    snprintf(gold, sizeof gold, "%s/lohelp/pairs.en-de.tsv", s->data);
    const char *const paths[2] = {left, right};
    measured m;
    double icu;
    size_t n_words;
    dpl_ctx *ctx = NULL;
    DPL_TRY(run(&m, s, paths, gold, err));
    DPL_TRY(dpl_ctx_new(&ctx, NULL, err));
    dpl_status status = run_icu(&icu, &n_words, ctx, paths, err);
    dpl_ctx_free(ctx);
    DPL_TRY(status);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("\nhelp pages en-de, %llu and %llu, %zu words, %zu rounds; fastest of %u\n",
           (unsigned long long)m.n_docs[0], (unsigned long long)m.n_docs[1], n_words,
           m.n_rounds - 1, s->n_rounds);
    printf("  %-24s %10s\n", "", "core s");
    for (int i = 0; i < N_STAGES; i++)
        printf("  %-24s %10.2f\n", stages[i], m.core[i]);
    printf("  %-24s %10.2f\n", "in all", m.core_all);
    printf("  %-24s %10.2f\n", "half of it: two cores", m.core_all / 2);
    printf("  %-24s %10.2f   every word looked at once\n", "ICU's words alone", icu);
    printf("  %-24s %10.1f   of the process %.1f, mapped files with it\n", "peak MiB",
           (double)m.peak / (1 << 20), (double)usage.ru_maxrss / 1024);
    print_goal("wall s", m.wall, 20, false);
    print_goal("precision", m.found.strict_precision, 0.99, true);
    print_goal("recall", m.found.recall, 0.985, true);
    print_goal("mean cosine", m.mean_cosine, 0.70, true);
    return DPL_OK;
}

/* ---- growth ------------------------------------------------------------------------- */

static void print_size(const measured *m, size_t n, const measured *first, size_t n_first)
{
    double searches = (double)m->n_rounds, trainings = searches - 1;
    double round = m->core[SEARCH] / searches + (m->core[ALIGN] + m->core[TRAIN]) / trainings;
    double first_searches = (double)first->n_rounds;
    double first_round = first->core[SEARCH] / first_searches +
                         (first->core[ALIGN] + first->core[TRAIN]) / (first_searches - 1);
    printf("  %6zu %7zu %8.2f %8.2f %8.2f %8.2f %8.2f %9.0f %8.2f %9.4f %8.4f\n", n,
           m->n_rounds - 1, m->core[IMPORT], m->core[SEARCH] / searches,
           m->core[ALIGN] / trainings, m->core[TRAIN] / trainings, round, 2 * (double)n / round,
           round / (double)n / (first_round / (double)n_first), m->found.strict_precision,
           m->found.recall);
    fflush(stdout);
}

static dpl_status run_sizes(mixture *m, const settings *s, dpl_error *err)
{
    char left[PATH_MOST], right[PATH_MOST], gold[PATH_MOST];
    snprintf(left, sizeof left, "%s/left.jsonl", s->work);
    snprintf(right, sizeof right, "%s/right.jsonl", s->work);
    snprintf(gold, sizeof gold, "%s/gold.tsv", s->work);
    const char *const paths[2] = {left, right};
    static measured first, now;
    printf("\ngrowth: help, chapters, news, talks, stories en-de; core seconds\n");
    printf("  %6s %7s %8s %8s %8s %8s %8s %9s %8s %9s %8s\n", "docs", "rounds", "import",
           "search", "align", "train", "a round", "docs/s", "per doc", "precision", "recall");
    for (size_t n = 1000; n <= s->most && n <= m->pairs.n; n *= 2) {
        if (!write_docs(left, m, n, 0) || !write_docs(right, m, n, 1) || !write_gold(gold, n))
            return dpl__fail(err, DPL_E_IO, "cannot write to '%s'", s->work);
        DPL_TRY(run(&now, s, paths, gold, err));
        if (n == 1000)
            first = now;
        print_size(&now, n, &first, 1000);
    }
    return DPL_OK;
}

static dpl_status run_growth(const settings *s, dpl_error *err)
{
    mixture m = {0};
    DPL_TRY(dpl_ctx_new(&m.ctx, NULL, err));
    dpl__arena_init(&m.arena, m.ctx);
    dpl_status status = gather(&m, s, err);
    if (status == DPL_OK)
        status = run_sizes(&m, s, err);
    dpl__vec_clear(m.ctx, &m.pairs);
    dpl__arena_clear(&m.arena);
    dpl_ctx_free(m.ctx);
    return status;
}

int main(int argc, char **argv)
{
    settings s = {.data = "../shared/data", .work = "/tmp", .n_rounds = 3, .most = 8000};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "--data") == 0)
            s.data = argv[++i];
        else if (has_value && strcmp(argv[i], "--work") == 0)
            s.work = argv[++i];
        else if (has_value && strcmp(argv[i], "--rounds") == 0)
            s.n_rounds = (unsigned)atoi(argv[++i]);
        else if (has_value && strcmp(argv[i], "--most") == 0)
            s.most = (size_t)atol(argv[++i]);
        else
            return fprintf(stderr, "mine: what is '%s'?\n", argv[i]), 2;
    }
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/lohelp/docs.en.jsonl.zst", s.data);
    if (access(path, R_OK) != 0)
        return printf("mine: skipped, there is no '%s'\n", path), 0;
    dpl_error err = {0};
    if (run_help(&s, &err) == DPL_OK && run_growth(&s, &err) == DPL_OK)
        return 0;
    fprintf(stderr, "mine: %s\n", err.text);
    return 1;
}
