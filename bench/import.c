/*
 * import.c - how fast do documents become a collection?
 *
 *     build/bench/import --data DIR --work DIR [--rounds N] [--only TEXT] [--smoke]
 *
 * The European documents of the data sets (or examples/sample, repeated) are written to the
 * work folder in every format and imported from there, stemmed and not, on one thread and two.
 * In the same run the parts are measured alone: zstd, JSON, ICU's word iterator, Snowball, our
 * own. All rates count bytes of the documents' text, so that rows can be compared. Rounds go
 * through all rows in turn; the fastest and the median are printed. "Core" is the process's CPU
 * time, "wall" the clock's, with the fsync at the end. Then the same import on 1, 2, 4 ...
 * threads
 * (`--only threads` for these alone). At last, imports of one, two and four times the text at a
 * fixed limit show the peak of memory.
 */
#include "doppel/doppel.h"

#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 100, PATH_MOST = 4096, MIB = 1 << 20 };

typedef struct settings {
    const char *data, *work, *sample, *only;
    unsigned n_rounds;
    bool is_smoke;
} settings;

/* ---- rows --------------------------------------------------------------------------- */

/* Their order is that of the table; a heading stands before the first of each kind. */
typedef enum kind { PART, IMPORT, READER, N_KINDS } kind;

typedef struct row {
    kind kind;
    const char *name;
    peer_fn *peer;    /* PART */
    const char *file; /* the others: in the work folder, or below DATA if it begins with '/' */
    dpl_reader_options read;
    dpl_tokens_options tokens;
    unsigned n_threads; /* 0 is 1 */
    uint64_t memory;    /* MiB; 0: plenty */
    const char *than;   /* the row whose wall time this one is compared with */
    double goal, stretch;
    uint64_t n_text;
    double core[MOST_ROUNDS], wall[MOST_ROUNDS]; /* MB/s */
    unsigned n_rounds;
    dpl_status status;
    char problem[sizeof((dpl_error *)NULL)->text];
} row;

#define STEM .tokens.stem = true
#define COLUMNS .read.columns = "id,lang,text"

static row rows[] = {
    {PART, "memcpy", .peer = peer_memcpy},
    {PART, "zstd", .peer = peer_zstd},
    {PART, "simdjson, on demand", .peer = peer_simdjson},
    {PART, "our JSON parser", .peer = peer_json},
    {PART, "our JSONL reader: file, UTF-8, JSON, NFC", .peer = peer_reader},
    {PART, "ICU's word iterator", .peer = peer_icu},
    {PART, "our word segmenter", .peer = peer_segment},
    {PART, "our sentence splitter", .peer = peer_sentences},
    {PART, "our tokenizer: both, terms, stems", .peer = peer_tokenize},
    {PART, "Snowball, every word", .peer = peer_stemmer},
    {IMPORT, "words", .file = "all.jsonl.zst"},
    {IMPORT, "stems", .file = "all.jsonl.zst", STEM, .goal = 120, .stretch = 250},
    {IMPORT, "words, 2 threads", .file = "all.jsonl.zst", .n_threads = 2, .than = "words"},
    {IMPORT, "stems, 2 threads", .file = "all.jsonl.zst", STEM, .n_threads = 2,
     .than = "stems"},
    {IMPORT, "stems, --memory 48M: spills", .file = "all.jsonl.zst", STEM, .memory = 48},
    {IMPORT, "stems, language identified", .file = "all.jsonl.zst", STEM,
     .read.lang_key = "none"},
    {IMPORT, "stems, all text three times", .file = "thrice.jsonl.zst", STEM},
    {IMPORT, "stems, German alone", .file = "de.jsonl.zst", STEM},
    {IMPORT, "words, 380 languages (udhr)", .file = "/mono/udhr.jsonl.zst"},
    {READER, "JSONL, plain", .file = "all.jsonl", STEM},
    {READER, "TSV", .file = "all.tsv", STEM, COLUMNS},
    {READER, "base64 column", .file = "all.docenc", STEM, COLUMNS},
    {READER, "wiki dump, German", .file = "de.xml", STEM},
    {READER, "wiki dump, real excerpt of enwiki, bz2",
     .file = "/wiki/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2", STEM,
     .read.from = DPL_FORMAT_WIKI},
    {READER, "folder of HTML files, German", .file = "html", STEM, .read.lang = "de"},
};

static const row *row_of(const char *name)
{
    size_t i = 0;
    while (strcmp(rows[i].name, name) != 0)
        i++;
    return &rows[i];
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static dpl_status import(dpl_import_summary *sum, uint64_t *peak, const char *in,
                         const char *out, const dpl_import_options *options, unsigned n_threads,
                         uint64_t memory, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .memory = memory);
    DPL_TRY(dpl_ctx_new(&ctx, &o, err));
    dpl_status status = dpl_import(sum, ctx, out, &in, 1, options, err);
    *peak = dpl_ctx_peak(ctx);
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status run_import(row *r, const settings *s, dpl_error *err)
{
    char in[PATH_MOST], out[PATH_MOST];
    snprintf(in, sizeof in, "%s/%s", r->file[0] == '/' ? s->data : s->work, r->file);
    snprintf(out, sizeof out, "%s/out.dpl", s->work);
    if (access(in, R_OK) != 0)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "no data");
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    dpl_import_summary sum = DPL_INIT(dpl_import_summary, .sizes = &sizes);
    dpl_tokens_options tokens = r->tokens;
    tokens.size = sizeof tokens;
    dpl_reader_options read = r->read;
    read.size = sizeof read;
    dpl_import_options options = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens);
    uint64_t peak, memory = (r->memory ? r->memory : 4096) * MIB;
    DPL_TRY(
        import(&sum, &peak, in, out, &options, r->n_threads ? r->n_threads : 1, memory, err));
    r->n_text = sizes.n_text_bytes;
    return DPL_OK;
}

/* One round of one row. What goes wrong is said in the table. */
static void measure(row *r, const settings *s, const peers *p)
{
    dpl_error err = {0};
    double wall = seconds(CLOCK_MONOTONIC), core = seconds(CLOCK_PROCESS_CPUTIME_ID);
    r->status = r->kind == PART ? r->peer(p, &r->n_text, &err) : run_import(r, s, &err);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    core = seconds(CLOCK_PROCESS_CPUTIME_ID) - core;
    if (r->status == DPL_OK) {
        r->core[r->n_rounds] = (double)r->n_text / core * 1e-6;
        r->wall[r->n_rounds++] = (double)r->n_text / wall * 1e-6;
    } else {
        memcpy(r->problem, err.text, sizeof r->problem);
    }
}

/* ---- the table ---------------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void print_ratio(double rate, double of)
{
    if (of > 0)
        printf(" %6.2fx", rate / of);
    else
        printf("%8s", "");
}

static void print_row(const row *r)
{
    printf("  %-42s", r->name);
    if (r->status != DPL_OK) {
        printf("  %s\n", r->problem);
        return;
    }
    double core = r->core[0], icu = row_of("ICU's word iterator")->core[0],
           zstd = row_of("zstd")->core[0];
    printf("%7.0f %7.0f %7.0f", core, r->core[r->n_rounds / 2], r->wall[0]);
    print_ratio(core, icu);
    print_ratio(core, zstd);
    if (r->goal > 0)
        printf("  goal %.0f %s, stretch %.0f %s", r->goal, core >= r->goal ? "met" : "MISSED",
               r->stretch, core >= r->stretch ? "met" : "not met");
    if (r->than && row_of(r->than)->n_rounds) {
        double factor = r->wall[0] / row_of(r->than)->wall[0];
        printf("  %.2fx of one thread, goal 1.80x %s", factor,
               factor >= 1.8 ? "met" : "MISSED");
    }
    putchar('\n');
}

static void print_table(void)
{
    static const char *const headings[N_KINDS] = {
        "parts alone, one thread",
        "import of JSONL in zstd to a finished collection, one thread unless said",
        "import by reader, stems, one thread"};
    printf("\n%-44s%15s %7s%8s%8s\n", "MB of text per second", "core", "wall", "of ICU",
           "of zstd");
    printf("%-44s%7s %7s %7s\n", "", "fastest", "median", "fastest");
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        row *r = &rows[i];
        qsort(r->core, r->n_rounds, sizeof *r->core, falling);
        qsort(r->wall, r->n_rounds, sizeof *r->wall, falling);
    }
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        if (i == 0 || rows[i].kind != rows[i - 1].kind)
            printf("%s\n", headings[rows[i].kind]);
        if (rows[i].n_rounds || rows[i].status != DPL_OK)
            print_row(&rows[i]);
    }
}

static dpl_status measure_rows(const settings *s, const peers *p, dpl_error *err)
{
    for (unsigned round = 0; round < s->n_rounds; round++)
        for (size_t i = 0; i < DPL_LEN(rows); i++)
            if (rows[i].status == DPL_OK && (!s->only || strstr(rows[i].name, s->only)))
                measure(&rows[i], s, p);
    print_table();
    for (size_t i = 0; i < DPL_LEN(rows); i++)
        if (rows[i].status != DPL_OK && rows[i].status != DPL_E_UNSUPPORTED)
            return dpl__fail(err, rows[i].status, "%s: failed", rows[i].name);
    return DPL_OK;
}

/* ---- memory ------------------------------------------------------------------------- */

enum { LIMIT = 64 * MIB, PEAK_THREADS = 2 };

static unsigned long peak_of_process(void)
{
    unsigned long kib = 0;
    char line[200];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %lu kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

/* What `import --peak IN OUT` does: the process's peak must not hold the benchmark itself. */
static dpl_status print_peak(const char *in, const char *out, dpl_error *err)
{
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    dpl_import_summary sum = DPL_INIT(dpl_import_summary, .sizes = &sizes);
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl_import_options options = DPL_INIT(dpl_import_options, .tokens = &tokens);
    uint64_t peak;
    DPL_TRY(import(&sum, &peak, in, out, &options, PEAK_THREADS, LIMIT, err));
    printf("  %8.1f %10u %12.1f %12.1f %12.1f %8.2f\n", (double)sizes.n_text_bytes * 1e-6,
           sizes.n_terms, (double)sum.n_spilled_bytes * 1e-6, (double)peak / MIB,
           (double)peak_of_process() / 1024, sum.seconds);
    return DPL_OK;
}

static dpl_status run_peak(const char *in, const char *out, dpl_error *err)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "import", "--peak", in, out, (char *)NULL);
        _exit(1);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        return dpl__fail(err, DPL_E_IO, "the import in a process of its own failed");
    return DPL_OK;
}

static dpl_status measure_memory(const settings *s, const corpus *c, dpl_error *err)
{
    printf("\npeak of memory with --memory 64M, %d threads; more text has more words\n"
           "  %8s %10s %12s %12s %12s %8s\n",
           PEAK_THREADS, "text MB", "terms", "spilled MB", "ours MiB", "process MiB",
           "seconds");
    char in[PATH_MOST], out[PATH_MOST];
    snprintf(in, sizeof in, "%s/peak.jsonl.zst", s->work);
    snprintf(out, sizeof out, "%s/out.dpl", s->work);
    for (unsigned n = 1; n <= (s->is_smoke ? 1 : 4); n *= 2) {
        corpus_part part = {.n_copies = n, .is_compressed = true};
        DPL_TRY(corpus_write(c, in, FORM_JSONL, part, err));
        DPL_TRY(run_peak(in, out, err));
    }
    return DPL_OK;
}

/* ---- threads ------------------------------------------------------------------------ */

enum { MOST_STEPS = 12 };

/* Fastest wall and core seconds of an import with stems on n threads. */
static dpl_status time_threads(const settings *s, const char *file, unsigned n, double *wall,
                               double *core, uint64_t *n_text, dpl_error *err)
{
    row r = {IMPORT, file, .file = file, STEM, .n_threads = n};
    const double wall_before = seconds(CLOCK_MONOTONIC),
                 core_before = seconds(CLOCK_PROCESS_CPUTIME_ID);
    DPL_TRY(run_import(&r, s, err));
    const double w = seconds(CLOCK_MONOTONIC) - wall_before,
                 c = seconds(CLOCK_PROCESS_CPUTIME_ID) - core_before;
    *wall = *wall > 0 && *wall < w ? *wall : w;
    *core = *core > 0 && *core < c ? *core : c;
    *n_text = r.n_text;
    return DPL_OK;
}

/* 1, 2, 4 ... threads, and as many as there are processors. */
static dpl_status measure_threads(const settings *s, dpl_error *err)
{
    static const char *const files[] = {"all.jsonl.zst", "all.jsonl"};
    const long n_online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n_most = n_online > 0 ? (unsigned)n_online : 1, n[MOST_STEPS], n_steps = 0;
    for (unsigned k = 1; k < n_most && n_steps + 1 < MOST_STEPS; k *= 2)
        n[n_steps++] = k;
    n[n_steps++] = n_most;
    double wall[DPL_LEN(files)][MOST_STEPS] = {{0}}, core[DPL_LEN(files)][MOST_STEPS] = {{0}};
    uint64_t n_text = 0;
    for (unsigned round = 0; round < s->n_rounds; round++)
        for (size_t f = 0; f < DPL_LEN(files); f++)
            for (unsigned i = 0; i < n_steps; i++)
                DPL_TRY(
                    time_threads(s, files[f], n[i], &wall[f][i], &core[f][i], &n_text, err));
    printf("\nimport with stems by threads, fastest of %u\n  %-16s %8s %8s %8s %10s %8s\n",
           s->n_rounds, "file", "threads", "wall s", "core s", "MB/s", "faster");
    for (size_t f = 0; f < DPL_LEN(files); f++)
        for (unsigned i = 0; i < n_steps; i++)
            printf("  %-16s %8u %8.3f %8.3f %10.0f %7.2fx\n", files[f], n[i], wall[f][i],
                   core[f][i], (double)n_text / wall[f][i] * 1e-6, wall[f][0] / wall[f][i]);
    return DPL_OK;
}

/* ---- the run ------------------------------------------------------------------------ */

static dpl_status write_files(const settings *s, const corpus *c, dpl_error *err)
{
    static const struct {
        const char *name;
        form form;
        corpus_part part;
    } files[] = {
        {"all.jsonl.zst", FORM_JSONL, {.is_compressed = true}},
        {"de.jsonl.zst", FORM_JSONL, {.lang = "de", .is_compressed = true}},
        {"thrice.jsonl.zst",
         FORM_JSONL,
         {.n_copies = 3, .has_same_words = true, .is_compressed = true}},
        {"all.jsonl", FORM_JSONL, {0}},
        {"all.tsv", FORM_TSV, {0}},
        {"all.docenc", FORM_DOCENC, {0}},
        {"de.xml", FORM_WIKI, {.lang = "de"}},
    };
    char path[PATH_MOST];
    if (mkdir(s->work, 0777) != 0 && errno != EEXIST)
        return dpl__fail_errno(err, errno, "cannot make '%s'", s->work);
    for (size_t i = 0; i < DPL_LEN(files); i++) {
        snprintf(path, sizeof path, "%s/%s", s->work, files[i].name);
        DPL_TRY(corpus_write(c, path, files[i].form, files[i].part, err));
    }
    snprintf(path, sizeof path, "%s/html", s->work);
    return corpus_write_html(c, path, "de", err);
}

static dpl_status gather(corpus *c, const settings *s, dpl_error *err)
{
    if (!s->is_smoke)
        DPL_TRY(corpus_gather(c, s->data, err));
    bool has_data = c->docs.n > 0;
    if (!has_data)
        DPL_TRY(corpus_sample(c, s->sample, s->is_smoke ? 0 : 40u * MIB, err));
    printf("%s: %zu documents, %.1f MB of text; %u rounds; %s; %s\n",
           has_data ? s->data : "examples/sample, repeated", c->docs.n,
           (double)c->n_text * 1e-6, s->n_rounds, dpl_compiler(), dpl_cpu_name(dpl_cpu_best()));
    return DPL_OK;
}

static dpl_status run(const settings *s, dpl_ctx *ctx, dpl_error *err)
{
    corpus c;
    peers p = {0};
    corpus_init(&c, ctx);
    char zst[PATH_MOST], jsonl[PATH_MOST];
    snprintf(zst, sizeof zst, "%s/all.jsonl.zst", s->work);
    snprintf(jsonl, sizeof jsonl, "%s/all.jsonl", s->work);
    dpl_status status = gather(&c, s, err);
    if (status == DPL_OK)
        status = write_files(s, &c, err);
    if (status == DPL_OK)
        status = peers_init(&p, &c, zst, jsonl, err);
    if (status == DPL_OK)
        status = measure_rows(s, &p, err);
    if (status == DPL_OK && (!s->only || strcmp(s->only, "threads") == 0))
        status = measure_threads(s, err);
    if (status == DPL_OK && !s->only)
        status = measure_memory(s, &c, err);
    peers_clear(&p);
    corpus_clear(&c);
    return status;
}

static bool read_settings(settings *s, int argc, char **argv)
{
    *s = (settings){.data = "../shared/data", .sample = "examples/sample", .n_rounds = 5};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--smoke") == 0) {
            s->is_smoke = true;
            s->n_rounds = 1;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            s->data = value;
        else if (strcmp(argv[i], "--work") == 0)
            s->work = value;
        else if (strcmp(argv[i], "--sample") == 0)
            s->sample = value;
        else if (strcmp(argv[i], "--only") == 0)
            s->only = value;
        else if (strcmp(argv[i], "--rounds") == 0)
            s->n_rounds = (unsigned)atoi(value);
        else
            return false;
        i++;
    }
    return s->work && s->n_rounds >= 1 && s->n_rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    settings s;
    dpl_status status;
    if (argc == 4 && strcmp(argv[1], "--peak") == 0) {
        status = print_peak(argv[2], argv[3], &err);
    } else if (!read_settings(&s, argc, argv)) {
        fprintf(stderr, "usage: import --work DIR [--data DIR] [--sample DIR] [--rounds N] "
                        "[--only TEXT] [--smoke]\n");
        return 2;
    } else {
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
        status = dpl_ctx_new(&ctx, &o, &err);
        if (status == DPL_OK)
            status = run(&s, ctx, &err);
        dpl_ctx_free(ctx);
    }
    if (status != DPL_OK)
        fprintf(stderr, "import: %s\n", err.text);
    return status != DPL_OK;
}
