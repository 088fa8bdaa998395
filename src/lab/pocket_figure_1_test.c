#include "lab/experiments.h"

#include "lab/cells_test.h"
#include "lab/data.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "doppel/index.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOCS = 130, WORDS = 40, BINS = 20, WAYS = 4 };

static const dpl_lab_experiment about = {.name = "pocket-test"};

typedef struct bench {
    dpl__lab lab;
    dpl_lab_options set;
    dpl_input input;
    dpl__lab_data data;
    char json[DOCS * (WORDS * 6 + 60)];
} bench;

/* Every other document has the words of the one before, but for some. */
static bench *bench_open(void)
{
    bench *b = calloc(1, sizeof *b);
    char *at = b->json;
    for (unsigned d = 0; d < DOCS; d++) {
        dpl__rng rng = {dpl__mix(d / 2)}, other = {dpl__mix(d) ^ 3};
        at += sprintf(at, "{\"id\":\"%u\",\"lang\":\"en\",\"text\":\"", d);
        for (unsigned i = 0; i < WORDS; i++) {
            unsigned word = (unsigned)(dpl__rng_below(&rng, 25) * dpl__rng_below(&rng, 25));
            if (d % 2 && dpl__rng_below(&other, 20) < d % 20)
                word = (unsigned)dpl__rng_below(&other, 600);
            at += sprintf(at, "w%u ", word);
        }
        at += sprintf(at, "\"}\n");
    }
    b->set = (dpl_lab_options)DPL_INIT(dpl_lab_options, .sample = 1000, .repeats = 1);
    b->input = (dpl_input){.buffer = dpl__cstr(b->json), .name = "docs.jsonl"};
    dpl_ctx *ctx = test_ctx(2);
    dpl__lab_data_init(&b->data, ctx);
    b->lab = (dpl__lab){.ctx = ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = &b->input,
                        .n_inputs = 1,
                        .data = &b->data,
                        .folder = test_dir(),
                        .scratch = test_dir()};
    dpl__arena_init(&b->lab.arena, ctx);
    return b;
}

static void bench_close(bench *b)
{
    dpl__lab *lab = &b->lab;
    dpl_ctx *ctx = lab->ctx;
    dpl__lab_tables_clear(lab);
    dpl__vec_clear(ctx, &lab->findings, &lab->notes, &lab->plots, &lab->pictures);
    dpl__arena_clear(&lab->arena);
    dpl__lab_data_clear(&b->data);
    test_ctx_done(ctx);
    free(b);
}

static bool has_line(dpl_ctx *ctx, dpl__bytes *lines, const char *text)
{
    CHECK(dpl__vec_push(ctx, lines, '\0'));
    const bool is_there = strstr(lines->data, text) != NULL;
    lines->n--;
    return is_there;
}

/* ---- answers, asked for once more ------------------------------------------------------- */

static dpl_index *index_of(bench *b, bool is_fuzzy, bool is_bare)
{
    const dpl_hash_options fuzzy =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .hash = is_fuzzy ? &fuzzy : NULL,
                                         .no_vectors = is_bare, .no_postings = is_bare);
    const dpl_collection *docs;
    dpl_index *x = NULL;
    CHECK_OK(dpl__lab_collection(&docs, &b->lab, false, &test_err));
    const dpl_input in = {.collection = docs, .name = "collection"};
    CHECK_OK(dpl_index_build(NULL, b->lab.ctx, test_path("x.pocket"), &in, 1, &o, &test_err));
    CHECK_OK(dpl_index_open(&x, b->lab.ctx, test_path("x.pocket"), &test_err));
    return x;
}

/* Answers of all documents at or above each twentieth. */
static void ask_all(unsigned from[BINS], const dpl_index *x, dpl_query_method method,
                    int probes)
{
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 10000, .method = method, .probes = probes,
                 .threshold = method == DPL_QUERY_CODES ? 0.001 : 0.1);
    dpl_query *q = NULL;
    CHECK_OK(dpl_query_new(&q, x, &o, &test_err));
    memset(from, 0, BINS * sizeof *from);
    for (uint32_t row = 0; row < DOCS; row++) {
        dpl_query_result r = DPL_INIT(dpl_query_result);
        CHECK_OK(dpl_query_row(q, row, &r, &test_err));
        for (size_t i = 0; i < r.n_hits; i++)
            for (unsigned bin = 0; bin < BINS; bin++)
                from[bin] += (double)r.hits[i].score * BINS >= bin;
    }
    dpl_query_free(q);
}

DPL_TEST(pocket_figure_1, recall_and_precision_are_those_of_all_answers)
{
    static const char *const names[WAYS] = {"fuzzy", "rp", "rp, probes", "auto"};
    static const char *const titles[WAYS] = {"fuzzy", "rp", "rp, near codes", "postings"};
    bench *b = bench_open();
    unsigned all[BINS], found[WAYS][BINS];
    CHECK_OK(dpl__lab_pocket_figure_1(&b->lab, &test_err));
    dpl_index *fuzzy = index_of(b, true, false), *rp = index_of(b, false, false);
    ask_all(all, fuzzy, DPL_QUERY_EXACT, 0);
    ask_all(found[0], fuzzy, DPL_QUERY_CODES, -1);
    ask_all(found[1], rp, DPL_QUERY_CODES, -1);
    ask_all(found[2], rp, DPL_QUERY_CODES, 0);
    ask_all(found[3], rp, DPL_QUERY_AUTO, 0);
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    CHECK_EQ(t->n_rows, WAYS * (BINS - 2));
    CHECK(all[18] > 0 && found[1][2] < found[2][2]);
    for (unsigned way = 0; way < WAYS; way++) {
        for (unsigned bin = 2; bin < BINS; bin++) {
            const size_t row = test_row(t, names[way], bin - 2);
            const double recall = (double)found[way][bin] / all[bin];
            CHECK(row != SIZE_MAX);
            CHECK(fabs(test_number(t, row, 1) - 0.05 * bin) < 1e-9);
            CHECK_EQ(test_cell(t, row, 2).n > 0, all[bin] > 0);
            CHECK(!all[bin] || fabs(test_number(t, row, 2) - recall) < 5.1e-5);
            CHECK_EQ(test_cell(t, row, 3).n > 0, way < 3);
            CHECK(way == 3 || fabs(test_number(t, row, 3) -
                                   (double)found[way][bin] / found[way][0]) < 5.1e-5);
            CHECK_EQ(test_number(t, row, 4), all[bin]);
            CHECK_EQ(test_number(t, row, 5), found[way][bin]);
            CHECK(fabs(test_number(t, row, 6) - found[way][0] / (double)DOCS) < 5.1e-3);
        }
        char line[200];
        snprintf(line, sizeof line,
                 "- %s: recall at 0.5, 0.8, 0.9: %.3f, %.3f, %.3f; %.2f %s of a query\n",
                 titles[way], (double)found[way][10] / all[10],
                 (double)found[way][16] / all[16], (double)found[way][18] / all[18],
                 found[way][0] / (double)DOCS, way == 3 ? "answers" : "candidates");
        CHECK(has_line(b->lab.ctx, &b->lab.findings, line));
    }
    CHECK(has_line(b->lab.ctx, &b->lab.notes,
                   "130 documents ask for their neighbours among 130, without themselves"));
    dpl_index_close(fuzzy);
    dpl_index_close(rp);
    bench_close(b);
}

DPL_TEST(pocket_figure_1, sizes_are_those_of_the_parts_of_three_indexes)
{
    static const char *const names[] = {"codes, fuzzy", "codes, rp", "full"};
    bench *b = bench_open();
    CHECK_OK(dpl__lab_pocket_figure_1(&b->lab, &test_err));
    const dpl__lab_table *parts = test_table(&b->lab, "parts"),
                         *sizes = test_table(&b->lab, "sizes");
    CHECK_EQ(sizes->n_rows, 4);
    CHECK_EQ(test_number(sizes, test_row(sizes, "paper", 0), 6), 350);
    for (unsigned kind = 0; kind < DPL_LEN(names); kind++) {
        dpl_index *x = index_of(b, kind == 0, kind < 2);
        dpl_index_info info = DPL_INIT(dpl_index_info);
        dpl_index_describe(x, &info);
        const size_t row = test_row(sizes, names[kind], 0);
        CHECK_EQ(test_number(sizes, row, 1), DOCS);
        CHECK_EQ(test_number(sizes, row, 2), info.n_codes);
        CHECK_EQ(test_number(sizes, row, 3), info.n_slots);
        CHECK(fabs(test_number(sizes, row, 4) - info.bits_per_slot) < 5.1e-3);
        CHECK_EQ(test_number(sizes, row, 5), 16);
        CHECK(fabs(test_number(sizes, row, 6) - (double)info.n_bytes / DOCS) < 0.051);
        double sum = 0;
        size_t k = 0;
        for (size_t at; (at = test_row(parts, names[kind], k)) != SIZE_MAX; k++) {
            const bool is_total = dpl__str_eq(test_cell(parts, at, 1), DPL_STR("total"));
            CHECK(fabs(test_number(parts, at, 3) - test_number(parts, at, 2) / DOCS) < 5.1e-3);
            CHECK(!is_total || test_number(parts, at, 2) == sum);
            CHECK(!is_total || sum == (double)info.n_bytes);
            sum += is_total ? 0 : test_number(parts, at, 2);
        }
        CHECK(k > 5);
        char line[100];
        if (kind == 0) {
            const double bytes = info.bits_per_slot / 8 * (double)info.n_slots / DOCS;
            snprintf(
                line, sizeof line,
                "has %.2f bits of a key, %.2f bytes of a document; the paper's 4.6 bytes of "
                "a document, %.1f times",
                info.bits_per_slot, bytes, 4.6 / bytes);
        } else {
            snprintf(line, sizeof line,
                     kind == 1 ? "with hyperplanes %.1f bytes;" : "exact, %.1f\n",
                     (double)info.n_bytes / DOCS);
        }
        CHECK(has_line(b->lab.ctx, &b->lab.findings, line));
        dpl_index_close(x);
    }
    bench_close(b);
}
