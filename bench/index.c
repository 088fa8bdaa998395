/*
 * index.c - figures of the pocket index: perfect hash function beside cmph, bytes of a
 * document, time of a query.
 *
 *     bench/index [--keys N] [--docs N] [--words N] [--queries N] [--size-docs N] [--threads N]
 *                 [--work DIR] [--keep] [--only TEXT] [--smoke]
 *
 * Documents are made up: words of a Zipf distribution, a part of them of one of many topics,
 * titles of a few words; one in ten is an edited copy of another one. Times are of one thread,
 * in processor seconds, so that a busy machine says the same.
 */
#include "doppel/index.h"

#include "base/hash.h"
#include "index/mph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef DPL_HAVE_CMPH
#include <cmph.h>
#endif

static size_t n_keys = 10000000, n_docs = 100000, n_words = 300, n_queries = 1000,
              n_size_docs = 2000000;
static unsigned n_threads;
static const char *work = "/tmp";
static const char *only; /* queries whose name has this */
static bool keeps;       /* the index of the queries, for the next run */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const dpl_error *err)
{
    fprintf(stderr, "bench/index: %s\n", err->text);
    exit(1);
}

static dpl_ctx *new_ctx(unsigned threads)
{
    dpl_error err = {0};
    dpl_ctx *ctx;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = threads);
    if (dpl_ctx_new(&ctx, &o, &err) != DPL_OK)
        fail(&err);
    return ctx;
}

/* ---- perfect hash functions --------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void bench_ours(const uint64_t *keys, const uint64_t *asked, uint64_t *out)
{
    dpl_error err = {0};
    dpl_ctx *ctx = new_ctx(1);
    dpl__mph m;
    uint8_t *bytes;
    size_t n_bytes;
    double began = cpu_seconds();
    if (dpl__mph_make(&bytes, &n_bytes, ctx, keys, n_keys, &err) != DPL_OK ||
        dpl__mph_open(&m, bytes, n_bytes))
        fail(&err);
    const double build = cpu_seconds() - began;
    double one = 1e9, many = 1e9;
    uint64_t sum = 0;
    for (int round = 0; round < 3; round++) {
        began = cpu_seconds();
        for (size_t i = 0; i < n_keys; i++)
            sum += dpl__mph_get(&m, asked[i]);
        one = least(one, cpu_seconds() - began);
        began = cpu_seconds();
        dpl__mph_get_many(&m, asked, n_keys, out);
        many = least(many, cpu_seconds() - began);
    }
    printf("ours        %8.1f ns build  %6.3f bits  %6.1f ns one  %6.1f ns of many%s\n",
           build / (double)n_keys * 1e9, 8.0 * (double)n_bytes / (double)n_keys,
           one / (double)n_keys * 1e9, many / (double)n_keys * 1e9, sum == 1 ? " " : "");
    dpl__free(ctx, bytes);
    dpl_ctx_free(ctx);
}

#ifdef DPL_HAVE_CMPH
static void bench_cmph(const char *name, CMPH_ALGO algo, uint64_t *keys, const uint64_t *asked)
{
    cmph_io_adapter_t *source =
        cmph_io_struct_vector_adapter(keys, sizeof *keys, 0, sizeof *keys, (cmph_uint32)n_keys);
    cmph_config_t *config = cmph_config_new(source);
    cmph_config_set_algo(config, algo);
    double began = cpu_seconds();
    cmph_t *hash = cmph_new(config);
    const double build = cpu_seconds() - began;
    cmph_config_destroy(config);
    if (hash) {
        uint64_t sum = 0;
        double one = 1e9;
        for (int round = 0; round < 2; round++) {
            began = cpu_seconds();
            for (size_t i = 0; i < n_keys; i++)
                sum += cmph_search(hash, (const char *)&asked[i], sizeof *asked);
            one = least(one, cpu_seconds() - began);
        }
        printf("%-11s %8.1f ns build  %6.3f bits  %6.1f ns one%s\n", name,
               build / (double)n_keys * 1e9, 8.0 * cmph_packed_size(hash) / (double)n_keys,
               one / (double)n_keys * 1e9, sum == 1 ? " " : "");
        cmph_destroy(hash);
    }
    cmph_io_struct_vector_adapter_destroy(source);
}
#endif

static void bench_keys(void)
{
    uint64_t *keys = malloc(n_keys * sizeof *keys), *asked = malloc(n_keys * sizeof *asked),
             *out = malloc(n_keys * sizeof *out);
    for (size_t i = 0; i < n_keys; i++)
        keys[i] = dpl__mix(i);
    for (size_t i = 0; i < n_keys; i++)
        asked[i] = keys[dpl__mix(~i) % n_keys];
    printf("perfect hash functions of %zu keys, asked in random order, one thread\n", n_keys);
    bench_ours(keys, asked, out);
#ifdef DPL_HAVE_CMPH
    bench_cmph("cmph bdz", CMPH_BDZ, keys, asked);
    bench_cmph("cmph chd_ph", CMPH_CHD, keys, asked);
#endif
    free(out);
    free(asked);
    free(keys);
}

/* ---- documents ---------------------------------------------------------------------- */

enum { VOCABULARY = 500000, TOPICS = 5000, TOPIC_WORDS = 500 };

typedef struct maker {
    size_t n, at, n_words;
    dpl__rng rng;
    char *text, id[32], title[200];
} maker;

/* Zipf with exponent 1 of n words, by its inverse. */
static size_t zipf(dpl__rng *rng, size_t n)
{
    const double u = (double)(dpl__rng_next(rng) >> 11) / 9007199254740992.0;
    const size_t k = (size_t)exp(u * log((double)n + 1));
    return k < n ? k : n - 1;
}

static size_t put_word(char *out, uint64_t number)
{
    static const char *const parts[] = {"ba", "ke", "li", "mo", "nu", "ra", "se", "ti",
                                        "vo", "du", "fa", "ge", "hi", "jo", "pu", "za"};
    size_t n = 0;
    uint64_t x = number + 17;
    do {
        memcpy(out + n, parts[x & 15], 2);
        n += 2;
    } while (x >>= 4);
    return n;
}

/* Words of document `doc`; one in ten is a copy of the one 7 before it with a tenth of its
 * words exchanged. swap: so many of 1000 words are others. */
static size_t put_text(char *out, size_t doc, size_t n, unsigned swap)
{
    const bool is_copy = doc % 10 == 9;
    dpl__rng rng = {dpl__mix(is_copy ? doc - 7 : doc) << 20};
    dpl__rng other = {dpl__mix(doc ^ 0xABCDEF) << 20};
    const size_t topic = (size_t)dpl__rng_below(&rng, TOPICS);
    const unsigned changed = (is_copy ? 100 : 0) + swap;
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_topic = dpl__rng_below(&rng, 10) < 4;
        uint64_t word =
            is_topic ? dpl__mix(topic * TOPIC_WORDS + zipf(&rng, TOPIC_WORDS)) % VOCABULARY
                     : zipf(&rng, VOCABULARY);
        if (dpl__rng_below(&other, 1000) < changed)
            word = zipf(&other, VOCABULARY);
        bytes += put_word(out + bytes, word);
        out[bytes++] = i % 15 == 14 ? '.' : ' ';
        if (i % 15 == 14)
            out[bytes++] = ' ';
    }
    return bytes;
}

static dpl_status next(void *user, dpl_doc *doc, dpl_error *err)
{
    maker *m = user;
    (void)err;
    if (m->at == m->n)
        return DPL_END;
    const size_t n = put_text(m->text, m->at, m->n_words, 0);
    dpl__rng rng = {dpl__mix(m->at) ^ 99};
    size_t title = 0;
    for (size_t i = 0, n_title = 2 + dpl__rng_below(&rng, 2); i < n_title; i++) {
        title += put_word(m->title + title, zipf(&rng, VOCABULARY));
        m->title[title++] = ' ';
    }
    snprintf(m->id, sizeof m->id, "%zu", m->at);
    doc->id = (dpl_str){m->id, strlen(m->id)};
    doc->title = (dpl_str){m->title, title - 1};
    doc->text = (dpl_str){m->text, n};
    doc->lang = (dpl_str){"en", 2};
    m->at++;
    return DPL_OK;
}

static void build(const char *path, size_t n, size_t words, const dpl_index_options *o)
{
    dpl_error err = {0};
    dpl_ctx *ctx = new_ctx(n_threads);
    maker m = {.n = n, .n_words = words, .text = malloc(words * 20 + 100)};
    const dpl_doc_source source = {next, &m, "documents"};
    const dpl_input input = {.source = &source};
    dpl_index_summary s = DPL_INIT(dpl_index_summary);
    if (dpl_index_build(&s, ctx, path, &input, 1, o, &err) != DPL_OK)
        fail(&err);
    printf("built %zu documents of %zu words in %.1f s, peak memory %.0f MB\n", n, words,
           s.seconds, (double)dpl_ctx_peak(ctx) / 1e6);
    free(m.text);
    dpl_ctx_free(ctx);
}

static void print_parts(const char *path)
{
    dpl_error err = {0};
    dpl_ctx *ctx = new_ctx(1);
    dpl_index *x;
    if (dpl_index_open(&x, ctx, path, &err) != DPL_OK)
        fail(&err);
    dpl_index_info i = DPL_INIT(dpl_index_info);
    dpl_index_describe(x, &i);
    double core = 0;
    for (size_t k = 0; k < i.n_parts; k++) {
        const double bytes = (double)i.parts[k].n_bytes / i.n_docs;
        printf("  %-12s %9.2f bytes for each document\n", i.parts[k].name, bytes);
        const bool is_more = strcmp(i.parts[k].name, "vectors") == 0 ||
                             strcmp(i.parts[k].name, "postings") == 0 ||
                             strcmp(i.parts[k].name, "texts") == 0;
        core += is_more ? 0 : bytes;
    }
    printf("  %-12s %9.2f without vectors, postings, texts; perfect hash %.2f bits a code\n",
           "all", core, i.bits_per_slot);
    dpl_index_close(x);
    dpl_ctx_free(ctx);
}

static void bench_size(void)
{
    char path[500];
    snprintf(path, sizeof path, "%s/size.pocket", work);
    printf("\nsize: 2 codes of a document, checksum of 16 bits, titles\n");
    const dpl_hash_options hash = DPL_INIT(dpl_hash_options, .codes = 2);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .hash = &hash, .no_vectors = true);
    build(path, n_size_docs, 30, &o);
    print_parts(path);
    remove(path);
}

/* ---- queries ------------------------------------------------------------------------ */

typedef struct totals {
    double seconds, worst, recall, complete;
    uint64_t n_hits, n_exact, n_candidates, n_postings, n_found;
} totals;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Edited copies of documents of the index, swap of 1000 words exchanged. */
static void ask(const dpl_index *x, const char *name, unsigned swap,
                const dpl_query_options *options)
{
    dpl_error err = {0};
    dpl_query *q;
    totals t = {0};
    if (only && !strstr(name, only))
        return;
    char *text = malloc(300 * 20 + 100);
    double *all = malloc(n_queries * sizeof *all);
    if (dpl_query_new(&q, x, options, &err) != DPL_OK)
        fail(&err);
    for (size_t round = 0; round < 2; round++) { /* the first one warms up */
        t = (totals){0};
        for (size_t i = 0; i < n_queries; i++) {
            dpl_query_result r = DPL_INIT(dpl_query_result);
            const size_t doc = (size_t)(dpl__mix(i) % n_docs);
            const dpl_str s = {text, put_text(text, doc, 300, swap)};
            const double began = cpu_seconds();
            if (dpl_query_text(q, s, &r, &err) != DPL_OK)
                fail(&err);
            all[i] = cpu_seconds() - began;
            t.seconds += all[i];
            t.n_hits += r.n_hits;
            t.n_exact += r.method == DPL_QUERY_EXACT;
            t.n_candidates += r.n_candidates;
            t.n_postings += r.n_postings;
            for (size_t h = 0; h < r.n_hits; h++)
                t.n_found += r.hits[h].row == doc;
        }
    }
    qsort(all, n_queries, sizeof *all, by_value);
    const double n = (double)n_queries;
    printf("  %-28s %8.1f us mean %8.1f median %8.1f p99  %5.1f %% exact %7.1f hits %8.0f "
           "candidates %9.0f postings  source found %5.1f %%\n",
           name, t.seconds / n * 1e6, all[n_queries / 2] * 1e6, all[n_queries * 99 / 100] * 1e6,
           100 * (double)t.n_exact / n, (double)t.n_hits / n, (double)t.n_candidates / n,
           (double)t.n_postings / n, 100 * (double)t.n_found / n);
    dpl_query_free(q);
    free(all);
    free(text);
}

static void bench_queries(void)
{
    char path[500];
    dpl_error err = {0};
    dpl_index *x;
    dpl_query_options o = DPL_INIT(dpl_query_options);
    snprintf(path, sizeof path, "%s/query.pocket", work);
    printf("\nqueries of 300 words\n");
    FILE *old = keeps ? fopen(path, "rb") : NULL;
    if (old)
        fclose(old);
    else
        build(path, n_docs, n_words, NULL);
    print_parts(path);
    dpl_ctx *ctx = new_ctx(1);
    const double began = cpu_seconds();
    if (dpl_index_open(&x, ctx, path, &err) != DPL_OK)
        fail(&err);
    printf("  opened in %.3f s\n", cpu_seconds() - began);
    for (uint64_t budget = 500; budget <= 8000; budget *= 2) {
        char name[64];
        o.budget = budget;
        snprintf(name, sizeof name, "30 %% others, budget %llu", (unsigned long long)budget);
        ask(x, name, 300, &o);
    }
    for (unsigned swap = 100; swap <= 500; swap += 200) {
        char name[64];
        o = (dpl_query_options)DPL_INIT(dpl_query_options);
        snprintf(name, sizeof name, "%u %% others", swap / 10);
        ask(x, name, swap, &o);
        o.method = DPL_QUERY_CODES;
        snprintf(name, sizeof name, "%u %% others, codes", swap / 10);
        ask(x, name, swap, &o);
        o.method = DPL_QUERY_EXACT;
        snprintf(name, sizeof name, "%u %% others, exact", swap / 10);
        ask(x, name, swap, &o);
        o.threshold = 0.5;
        snprintf(name, sizeof name, "%u %% others, exact >= 0.5", swap / 10);
        ask(x, name, swap, &o);
    }
    dpl_index_close(x);
    dpl_ctx_free(ctx);
    if (!keeps)
        remove(path);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--smoke") == 0) {
            n_keys = 20000;
            n_docs = n_size_docs = 500;
            n_queries = 20;
            continue;
        }
        if (strcmp(argv[i], "--keep") == 0) {
            keeps = true;
            continue;
        }
        const size_t number = (size_t)strtoull(value, NULL, 10);
        if (strcmp(argv[i], "--keys") == 0)
            n_keys = number;
        else if (strcmp(argv[i], "--docs") == 0)
            n_docs = number;
        else if (strcmp(argv[i], "--words") == 0)
            n_words = number;
        else if (strcmp(argv[i], "--queries") == 0)
            n_queries = number;
        else if (strcmp(argv[i], "--size-docs") == 0)
            n_size_docs = number;
        else if (strcmp(argv[i], "--threads") == 0)
            n_threads = (unsigned)number;
        else if (strcmp(argv[i], "--only") == 0)
            only = value;
        else if (strcmp(argv[i], "--work") == 0)
            work = value;
        else {
            fprintf(stderr, "bench/index: unknown option '%s'\n", argv[i]);
            return 2;
        }
        i++;
    }
    if (n_keys)
        bench_keys();
    if (n_size_docs)
        bench_size();
    if (n_docs)
        bench_queries();
    return 0;
}
