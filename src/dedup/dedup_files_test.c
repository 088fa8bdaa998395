/* Files that a run of dedup writes, against what they should hold. */
#include "dedup/dedup_run.h"

#include "base/hash.h"
#include "dedup/pack.h"
#include "test.h"
#include "tokens/key_filter.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 120, N_WORDS = 30 };

/* Lines of JSON; a third are copies or nearly copies of earlier ones. */
static char *make_lines(uint64_t seed, size_t *n_out)
{
    static unsigned words[N_DOCS][N_WORDS];
    char *out = malloc(N_DOCS * (N_WORDS * 8 + 80));
    dpl__rng rng = {seed};
    size_t n = 0;
    for (size_t d = 0; d < N_DOCS; d++) {
        const size_t of = d && d % 3 == 0 ? dpl__rng_below(&rng, d) : d;
        for (size_t w = 0; w < N_WORDS; w++)
            words[d][w] = of == d ? (unsigned)dpl__rng_below(&rng, 5000) : words[of][w];
        if (of != d && d % 2)
            words[d][dpl__rng_below(&rng, N_WORDS)] = 7;
        n += (size_t)sprintf(out + n, "%s{\"id\": \"d%03zu\", \"lang\": \"en\",\"text\":\"",
                             d % 5 ? "" : "  ", d);
        for (size_t w = 0; w < N_WORDS; w++)
            n += (size_t)sprintf(out + n, "%sw%u", w ? " " : "", words[d][w]);
        n += (size_t)sprintf(out + n, "\"}%s\n", d % 7 ? "" : " ");
    }
    *n_out = n;
    return out;
}

static const char *write_lines(const char *name, uint64_t seed)
{
    size_t n;
    char *lines = make_lines(seed, &n);
    const char *path = test_write(name, lines, n);
    free(lines);
    return path;
}

static dpl_dedup_result *run(dpl_ctx *ctx, const char *dir, const char *const *paths, size_t n,
                             const dpl_dedup_options *o)
{
    dpl_input in[4] = {{0}};
    dpl_dedup_result *r = NULL;
    for (size_t i = 0; i < n; i++)
        in[i].path = paths[i];
    CHECK_OK(dpl_dedup(&r, ctx, dir, in, n, o, &test_err));
    return r;
}

/* ---- kept documents --------------------------------------------------------------------- */

/* The lines of documents that are kept, from document `first` on. */
static void check_kept(const dpl_dedup_result *r, const char *input, const char *kept,
                       uint32_t first)
{
    size_t n, n_kept, at = 0, at_kept = 0;
    char *lines = test_read(input, &n), *found = test_read(kept, &n_kept);
    for (uint32_t doc = first; at < n; doc++) {
        const size_t n_line =
            (size_t)((char *)memchr(lines + at, '\n', n - at) + 1 - lines) - at;
        if (dpl_dedup_get_doc(r, doc).is_kept) {
            CHECK(at_kept + n_line <= n_kept);
            CHECK(memcmp(lines + at, found + at_kept, n_line) == 0);
            at_kept += n_line;
        }
        at += n_line;
    }
    CHECK_EQ(at_kept, n_kept);
    free(lines);
    free(found);
}

DPL_TEST(dedup_files, kept_lines_are_those_of_the_input)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 1)}, *dir = test_path("out");
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.6);
    dpl_dedup_result *r = run(ctx, dir, paths, 1, &o);
    const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
    CHECK(s->n_removed > 20 && s->n_kept + s->n_removed == N_DOCS);
    CHECK_STR(dpl__cstr(s->kept_path), test_path("out/kept.jsonl"));
    check_kept(r, paths[0], s->kept_path, 0);
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

DPL_TEST(dedup_files, kept_lines_of_several_inputs_stay_apart_and_ids_are_told_apart)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 1), write_lines("b.x.jsonl", 2)};
    dpl_dedup_result *r = run(ctx, test_path("out"), paths, 2, NULL);
    check_kept(r, paths[0], test_path("out/kept/a.jsonl"), 0);
    check_kept(r, paths[1], test_path("out/kept/b.x.jsonl"), N_DOCS);
    CHECK_STR(dpl_dedup_get_doc(r, 1).id, "a:d001");
    CHECK_STR(dpl_dedup_get_doc(r, N_DOCS + 1).id, "b:d001");
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

DPL_TEST(dedup_files, a_second_input_of_the_same_documents_keeps_none)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *from = write_lines("a.jsonl", 1), *made = test_path("b.dpl");
    CHECK_OK(dpl_import(NULL, ctx, made, &from, 1, NULL, &test_err));
    const char *paths[] = {from, made};
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .select = DPL_KEEP_FIRST);
    dpl_dedup_result *r = run(ctx, NULL, paths, 2, &o);
    for (uint32_t doc = 0; doc < N_DOCS; doc++) {
        const dpl_dedup_doc copy = dpl_dedup_get_doc(r, N_DOCS + doc);
        CHECK(!copy.is_kept);
        CHECK(memcmp(copy.cluster.data, "a:", 2) == 0); /* the first input is kept */
    }
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

static void check_ids(dpl_ctx *ctx, const dpl_dedup_result *r, const char *path)
{
    dpl_reader *reader = NULL;
    dpl_doc doc;
    CHECK_OK(dpl_reader_open(&reader, ctx, path, NULL, &test_err));
    for (uint32_t i = 0; i < N_DOCS; i++)
        if (dpl_dedup_get_doc(r, i).is_kept) {
            CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
            CHECK(dpl__str_eq(doc.id, dpl_dedup_get_doc(r, i).id));
        }
    CHECK_EQ(dpl_reader_next(reader, &doc, &test_err), DPL_END);
    dpl_reader_close(reader);
}

DPL_TEST(dedup_files, compressed_output_is_read_back)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 3)};
    static const dpl_dedup_compress how[] = {DPL_COMPRESS_GZIP, DPL_COMPRESS_ZSTD,
                                             DPL_COMPRESS_NONE};
    for (size_t i = 0; i < DPL_LEN(how); i++) {
        const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .compress = how[i]);
        dpl_dedup_result *r = run(ctx, test_path("out"), paths, 1, &o);
        const char *path = dpl_dedup_get_summary(r)->kept_path, *end = dpl__pack_ending(how[i]);
        CHECK_STR(dpl__cstr(path + strlen(path) - strlen(end)), end);
        const dpl_input kept = {.path = path};
        CHECK_EQ(dpl__pack_of(&kept), how[i]);
        check_ids(ctx, r, path);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

/* clusters.tsv: id, cluster, score, keep. */
DPL_TEST(dedup_files, the_table_of_clusters_says_what_the_result_says)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 4)};
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.5);
    dpl_dedup_result *r = run(ctx, test_path("out"), paths, 1, &o);
    size_t n;
    char *table = test_read(test_path("out/clusters.tsv"), &n), *at = table;
    for (uint32_t i = 0; i < N_DOCS; i++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, i);
        char line[200];
        const int n_line =
            snprintf(line, sizeof line, "%.*s\t%.*s\t%.6f\t%d\n", (int)d.id.n, d.id.data,
                     (int)d.cluster.n, d.cluster.data, (double)d.score, d.is_kept);
        CHECK(strncmp(at, line, (size_t)n_line) == 0);
        at += n_line;
    }
    CHECK_EQ((size_t)(at - table), n);
    free(table);
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

/* ---- resume ----------------------------------------------------------------------------- */

static uint64_t digest(const dpl_dedup_result *r)
{
    uint64_t h = 1;
    for (uint32_t i = 0; i < dpl_dedup_get_summary(r)->n_docs; i++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, i);
        h = dpl__hash(d.cluster.data, d.cluster.n, h ^ (uint64_t)(d.score * 1e6f));
    }
    return h;
}

DPL_TEST(dedup_files, a_run_that_is_resumed_equals_a_new_one)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 5)}, *dir = test_path("out");
    const dpl_dedup_options first = DPL_INIT(dpl_dedup_options, .threshold = 0.9, .floor = 0.3);
    dpl_dedup_result_free(run(ctx, dir, paths, 1, &first));
    for (int i = 0; i < 4; i++) {
        dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.35 + 0.15 * i,
                                       .floor = 0.3, .linkage = (dpl_dedup_linkage)(i % 2));
        dpl_dedup_result *new = run(ctx, NULL, paths, 1, &o);
        o.resume = true;
        dpl_dedup_result *resumed = run(ctx, dir, paths, 1, &o);
        CHECK(dpl_dedup_get_summary(resumed)->is_resumed);
        CHECK(digest(new) == digest(resumed));
        dpl_dedup_result_free(resumed);
        dpl_dedup_result_free(new);
    }
    /* what is compared in another way is compared again */
    dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.5, .shingle = 3);
    dpl_dedup_result *new = run(ctx, NULL, paths, 1, &o);
    o.resume = true;
    dpl_dedup_result *resumed = run(ctx, dir, paths, 1, &o);
    CHECK(digest(new) == digest(resumed));
    dpl_dedup_result_free(resumed);
    dpl_dedup_result_free(new);
    /* documents read in another way, or others under the same name */
    o.stem = true;
    const dpl_input same = {.path = paths[0]};
    CHECK_EQ(dpl_dedup(NULL, ctx, dir, &same, 1, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "resume-other-run");
    o.stem = false;
    const dpl_input in = {.path = write_lines("a.jsonl", 6)};
    CHECK_EQ(dpl_dedup(NULL, ctx, dir, &in, 1, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "resume-other-run");
    test_ctx_done(ctx);
}

/* Two days with a state are one run over both; what is given again counts once. */
DPL_TEST(dedup_files, runs_that_follow_each_other_are_one)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *paths[] = {write_lines("a.jsonl", 5), write_lines("b.jsonl", 6)};
    for (int i = 0; i < 2; i++) {
        const double threshold = i ? 0.9 : 0.5;
        const char *state = test_path(i ? "1.dpl" : "0.dpl");
        const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = threshold),
                                day = DPL_INIT(dpl_dedup_options, .threshold = threshold,
                                               .state = state);
        dpl_dedup_result *both = run(ctx, NULL, paths, 2, &o);
        dpl_dedup_result_free(run(ctx, test_path("day"), &paths[0], 1, &day));
        for (int again = 0; again < 2; again++) {
            dpl_dedup_result *second = run(ctx, test_path("day"), &paths[1], 1, &day);
            CHECK_EQ(dpl_dedup_get_summary(second)->n_docs, 2 * N_DOCS);
            CHECK_EQ(dpl_dedup_get_summary(second)->n_seen, N_DOCS);
            CHECK(digest(second) == digest(both));
            dpl_dedup_result_free(second);
        }
        dpl_dedup_result_free(both);
    }
    test_ctx_done(ctx);
}

/* ---- lines and paragraphs ---------------------------------------------------------------- */

enum { PART_DOCS = 60, PARTS = 8 };

/* Lines of a few words each from a small stock, so that many recur. */
static void make_parts(unsigned parts[PART_DOCS][PARTS], dpl__rng *rng)
{
    for (size_t i = 0; i < PART_DOCS; i++)
        for (size_t k = 0; k < PARTS; k++)
            parts[i][k] = (unsigned)(dpl__rng_below(rng, 3) ? 1000 + dpl__rng_below(rng, 100000)
                                                            : dpl__rng_below(rng, 40));
}

/* A line of a number: of few words where it is divisible by 10; case and punctuation vary. */
static size_t put_part(char *out, unsigned part, size_t i)
{
    if (part % 10 == 0)
        return (size_t)sprintf(out, "few%u words", part);
    return (size_t)sprintf(out, i % 2 ? "Line %u, of some words!" : "line %u of some words",
                           part);
}

static const char *write_parts(unsigned parts[PART_DOCS][PARTS], const char *between)
{
    char *text = malloc(PART_DOCS * PARTS * 60), *at = text;
    for (size_t i = 0; i < PART_DOCS; i++) {
        at += sprintf(at, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"", i);
        for (size_t k = 0; k < PARTS; k++) {
            at += put_part(at, parts[i][k], i + k);
            at += sprintf(at, "%s", k + 1 < PARTS ? between : "");
        }
        at += sprintf(at, "\"}\n");
    }
    const char *path = test_write("parts.jsonl", text, (size_t)(at - text));
    free(text);
    return path;
}

static size_t count_part(unsigned parts[PART_DOCS][PARTS], size_t end, unsigned part)
{
    size_t n = 0;
    for (size_t i = 0; i < end; i++)
        n += parts[i / PARTS][i % PARTS] == part;
    return n;
}

/* Texts without what occurs often enough, by counting each part among all. Returns how many
 * parts were removed. */
static size_t check_parts(dpl_ctx *ctx, unsigned parts[PART_DOCS][PARTS],
                          const dpl_dedup_options *o, const char *between, const char *path)
{
    dpl_reader *reader = NULL;
    dpl_doc doc;
    size_t n_removed = 0;
    CHECK_OK(dpl_reader_open(&reader, ctx, path, NULL, &test_err));
    for (size_t i = 0; i < PART_DOCS; i++) {
        char expected[PARTS * 60];
        size_t n = 0, n_kept = 0;
        for (size_t k = 0; k < PARTS; k++) {
            const unsigned part = parts[i][k];
            const bool is_first = count_part(parts, i * PARTS + k, part) == 0,
                       is_removed =
                           part % 10 &&
                           count_part(parts, PART_DOCS * PARTS, part) >= o->min_count &&
                           (o->drop_first || !is_first);
            n_removed += is_removed;
            if (is_removed)
                continue;
            n_kept++;
            n += put_part(expected + n, part, i + k);
            n += k + 1 < PARTS ? (size_t)sprintf(expected + n, "%s", between) : 0;
        }
        if (!n_kept)
            continue; /* a document without text is no document */
        CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
        while (n && expected[n - 1] == '\n') /* texts are read without the end */
            n--;
        while (doc.text.n && doc.text.data[doc.text.n - 1] == '\n')
            doc.text.n--;
        CHECK(dpl__str_eq(doc.text, (dpl_str){expected, n}));
    }
    CHECK(n_removed > 50);
    CHECK_EQ(dpl_reader_next(reader, &doc, &test_err), DPL_END);
    dpl_reader_close(reader);
    return n_removed;
}

DPL_TEST(dedup_files, parts_that_recur_are_removed_as_counting_says)
{
    dpl_ctx *ctx = test_ctx(2);
    unsigned parts[PART_DOCS][PARTS];
    dpl__rng rng = {12};
    for (int round = 0; round < 8; round++) {
        const bool is_line = round % 2;
        const dpl_dedup_options o = DPL_INIT(
            dpl_dedup_options, .unit = is_line ? DPL_DEDUP_LINE : DPL_DEDUP_PARAGRAPH,
            .min_words = 3, .min_count = 2 + (unsigned)round / 4, .drop_first = round / 2 % 2);
        make_parts(parts, &rng);
        const char *paths[] = {write_parts(parts, is_line ? "\\n" : "\\n\\n")};
        dpl_dedup_result *r = run(ctx, test_path("out"), paths, 1, &o);
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        const char *between = is_line ? "\n" : "\n\n";
        CHECK_EQ(s->n_parts_removed, check_parts(ctx, parts, &o, between, s->kept_path));
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

/* ---- small things ------------------------------------------------------------------------ */

DPL_TEST(dedup_files, a_filter_of_keys_loses_none_and_passes_few_others)
{
    dpl_ctx *ctx = test_ctx(1);
    static const size_t sizes[] = {1, 100, 3000, 40000};
    for (size_t i = 0; i < DPL_LEN(sizes); i++) {
        dpl__key_filter f;
        size_t n_passed = 0;
        CHECK(dpl__key_filter_init(&f, ctx, sizes[i]));
        for (uint64_t k = 0; k < sizes[i]; k++)
            dpl__key_filter_add(&f, dpl__mix(k + 1));
        for (uint64_t k = 0; k < sizes[i]; k++)
            CHECK(dpl__key_filter_may_have(&f, dpl__mix(k + 1)));
        for (uint64_t k = 0; k < 10000; k++)
            n_passed += dpl__key_filter_may_have(&f, dpl__mix(k + 1000001));
        CHECK(n_passed < 1000);
        dpl__key_filter_clear(&f, ctx);
    }
    test_ctx_done(ctx);
}

DPL_TEST(dedup_files, fields_are_found_and_null_is_none)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_doc doc = {.extra =
                             DPL_STR("{\"a\":1.5,\"b\":\"x y\",\"c\":null,\"d\":{\"a\":2}}")};
    CHECK_STR(dpl__doc_field(ctx, &doc, "a"), "1.5");
    CHECK_STR(dpl__doc_field(ctx, &doc, "b"), "x y");
    CHECK_STR(dpl__doc_field(ctx, &doc, "c"), "");
    CHECK_STR(dpl__doc_field(ctx, &doc, "e"), "");
    test_ctx_done(ctx);
}
