#include "lab/data.h"
#include "lab/experiment_table.h"
#include "lab/hash_equal.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 90, TERMS = 20, VOCABULARY = 300 };

static const dpl_lab_experiment about = {.name = "test-figure-1"};

/* Rows in pairs: the second has most of the terms of the first. */
static dpl_vectors *make_rows(dpl_ctx *ctx)
{
    static uint64_t offsets[ROWS + 1];
    static uint32_t terms[ROWS * TERMS];
    static float weights[ROWS * TERMS];
    static dpl_str names[VOCABULARY];
    static char text[VOCABULARY][8];
    dpl__rng rng = {11};
    for (uint32_t i = 0; i < VOCABULARY; i++)
        names[i] = (dpl_str){
            text[i], (size_t)sprintf(text[i], "%c%c%u", 'a' + i % 26, 'a' + i / 26 % 26, i)};
    uint64_t at = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        bool is_in[VOCABULARY] = {false};
        offsets[r] = at;
        for (uint32_t i = 0; i < TERMS; i++) {
            const bool is_kept = r % 2 && dpl__rng_below(&rng, 100) < 80 + r % 20;
            const uint32_t term = is_kept && offsets[r - 1] + i < offsets[r]
                                      ? terms[offsets[r - 1] + i]
                                      : (uint32_t)dpl__rng_below(&rng, VOCABULARY);
            if (!is_in[term]) {
                is_in[term] = true;
                terms[at] = term;
                weights[at++] = (float)(1 + term % 3);
            }
        }
    }
    offsets[ROWS] = at;
    dpl_csr_array array =
        DPL_INIT(dpl_csr_array, .n_rows = ROWS, .n_terms = VOCABULARY, .offsets = offsets,
                 .terms = terms, .weights = weights, .term_names = names);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_csr(&v, ctx, &array, &test_err));
    return v;
}

static dpl__lab lab_new(dpl_ctx *ctx, const dpl_lab_options *set)
{
    dpl__lab lab = {.ctx = ctx, .about = &about, .set = set, .scratch = test_dir()};
    dpl__arena_init(&lab.arena, ctx);
    return lab;
}

DPL_TEST(hashlab, cosines_of_all_pairs_are_those_of_the_vectors)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    dpl__lab lab = lab_new(ctx, &set);
    dpl_vectors *v = make_rows(ctx);
    float *cosines = NULL;
    CHECK_OK(dpl__lab_cosines(&cosines, &lab, v, &test_err));
    size_t at = 0, n_high = 0;
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = i + 1; j < ROWS; j++, at++) {
            const double c = dpl_vectors_cosine(v, i, v, j);
            CHECK(fabs((double)cosines[at] - c) < 1e-6);
            n_high += c > 0.5 && c <= 0.9;
        }
    CHECK_EQ(at, dpl__lab_n_pairs(ROWS));
    CHECK(n_high > 5);
    CHECK_EQ(dpl__lab_n_within(cosines, at, 0.5, 0.9), n_high);
    CHECK_EQ(dpl__lab_n_groups(&lab, cosines, ROWS, 0), 1);
    CHECK_EQ(dpl__lab_n_groups(&lab, cosines, ROWS, 1), 0);
    const float chain[10] = {[0] = 0.9f, [4] = 0.9f, [9] = 0.7f}; /* of 5: 0-1-2, 3-4 */
    CHECK_EQ(dpl__lab_n_groups(&lab, chain, 5, 0.5), 2);
    CHECK_EQ(dpl__lab_n_groups(&lab, chain, 5, 0.8), 1);
    dpl_vectors_close(v);
    dpl__arena_clear(&lab.arena);
    test_ctx_done(ctx);
}

/* The rank of a pair is the number of pairs with a higher similarity, or the same one and a
 * higher number. */
DPL_TEST(hashlab, precision_at_equal_size_is_that_of_a_full_sort)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {5};
    enum { N = 3000 };
    float *c = malloc(N * sizeof *c), *e = malloc(N * sizeof *e);
    uint32_t *ranked = malloc(N * sizeof *ranked);
    for (size_t i = 0; i < N; i++) {
        c[i] = (float)dpl__rng_below(&rng, 1001) / 1000;
        e[i] = c[i] - (float)dpl__rng_below(&rng, 300) / 500; /* some are below 0, many equal */
    }
    const double ends[][2] = {{0.8, 0.9}, {0.85, 1}, {0.95, 1}, {0.999, 1}, {0.3, 0.3}};
    for (size_t k = 0; k < DPL_LEN(ends); k++) {
        const uint64_t n_above = dpl__lab_n_within(c, N, ends[k][0], 2);
        const uint64_t n_higher = dpl__lab_n_within(c, N, ends[k][1], 2);
        uint64_t n_within, n_right = 0;
        CHECK_OK(dpl__lab_rank(ranked, ctx, e, N, n_above, &test_err));
        const uint64_t n_equal =
            dpl__lab_equal_size(&n_within, c, ranked, N, ends[k][0], ends[k][1]);
        for (size_t i = 0; i < N; i++) {
            uint64_t rank = 0;
            for (size_t j = 0; j < N; j++)
                rank += e[j] > e[i] || (!(e[j] < e[i]) && j > i);
            n_right += rank >= n_higher && rank < n_above && (double)c[i] > ends[k][0] &&
                       (double)c[i] <= ends[k][1];
        }
        CHECK_EQ(n_within, n_above - n_higher);
        CHECK_EQ(n_equal, n_right);
    }
    free(ranked);
    free(e);
    free(c);
    test_ctx_done(ctx);
}

DPL_TEST(hashlab, the_first_dimensions_are_the_embedding_in_fewer)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx);
    float *x = malloc(dpl__lab_n_pairs(ROWS) * sizeof *x);
    for (int m = DPL_EMBED_SVD; m <= DPL_EMBED_OPTIMUM; m++)
        for (int is_cosine = 0; is_cosine < 2; is_cosine++) {
            dpl_embed_options o = DPL_INIT(dpl_embed_options, .embedding = (dpl_embed_method)m,
                                           .dims = 30, .cosine = is_cosine != 0);
            dpl_embedding *large = NULL, *few = NULL;
            CHECK_OK(dpl_embed(&large, NULL, ctx, v, &o, &test_err));
            o.dims = 12;
            CHECK_OK(dpl_embed(&few, NULL, ctx, v, &o, &test_err));
            dpl__lab_similarities(x, large, 12, is_cosine != 0);
            size_t at = 0;
            for (uint32_t i = 0; i < ROWS; i++)
                for (uint32_t j = i + 1; j < ROWS; j++)
                    CHECK(fabs((double)x[at++] - dpl_embedding_similarity(few, i, j)) < 1e-3);
            dpl_embedding_free(few);
            dpl_embedding_free(large);
        }
    free(x);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* ---- lookups ------------------------------------------------------------------------ */

/* is_pair[i * ROWS + j]: they share a code. */
static void join_all(bool *is_pair, dpl_ctx *ctx, const dpl_codes *codes)
{
    dpl_buckets *buckets = NULL;
    dpl_row_pair pairs[100];
    size_t n;
    memset(is_pair, 0, (size_t)ROWS * ROWS * sizeof *is_pair);
    CHECK_OK(dpl_codes_join(&buckets, ctx, codes, NULL, NULL, &test_err));
    while (dpl_buckets_next(buckets, pairs, &n, 100, &test_err) == DPL_OK)
        for (size_t i = 0; i < n; i++)
            is_pair[pairs[i].left * ROWS + pairs[i].right] =
                is_pair[pairs[i].right * ROWS + pairs[i].left] = true;
    dpl_buckets_close(buckets);
}

DPL_TEST(hashlab, lookups_find_what_a_join_finds)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx);
    bool *is_pair = malloc((size_t)ROWS * ROWS * sizeof *is_pair);
    const dpl_hash_options o =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .length = 6, .codes = 4);
    const dpl_hash_input rows = DPL_INIT(dpl_hash_input, .vectors = v);
    dpl_hash *hash = NULL;
    dpl_codes *codes = NULL;
    CHECK_OK(dpl_hash_new(&hash, ctx, &o, NULL, &test_err));
    CHECK_OK(dpl_codes_make(&codes, ctx, hash, &rows, &test_err));
    join_all(is_pair, ctx, codes);
    uint32_t numbers[ROWS], seen[ROWS] = {0};
    dpl__lab_found found = {.rows = numbers, .seen = seen};
    for (uint32_t step = 1; step < 8; step += 3) {
        dpl__lab_lookup lookup;
        CHECK_OK(dpl__lab_lookup_new(&lookup, ctx, codes, 4, step, &test_err));
        size_t n_all = 0;
        for (uint32_t i = 0; i < ROWS; i++) {
            size_t n_right = 0;
            dpl__lab_lookup_find(&found, &lookup, codes, i);
            for (uint32_t j = 0; j < ROWS; j += step)
                n_right += is_pair[i * ROWS + j];
            for (size_t k = 0; k < found.n; k++)
                CHECK(is_pair[i * ROWS + numbers[k]] && numbers[k] % step == 0);
            CHECK_EQ(found.n, n_right);
            n_all += found.n;
        }
        CHECK(n_all > 20);
        dpl__lab_lookup_clear(&lookup, ctx);
    }
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    free(is_pair);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(hashlab, functions_are_set_to_the_wanted_size_of_the_result)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    dpl__lab lab = lab_new(ctx, &set);
    dpl_vectors *v = make_rows(ctx);
    uint32_t queries[ROWS], numbers[ROWS], seen[ROWS] = {0};
    for (uint32_t i = 0; i < ROWS; i++)
        queries[i] = i;
    dpl__lab_asked asked = {.vectors = v,
                            .queries = queries,
                            .n_queries = ROWS,
                            .found = {.rows = numbers, .seen = seen}};
    static const struct {
        dpl_hash_options options;
        dpl__lab_knob knob;
        double off;
    } cases[] = {
        {DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 10, .codes = 10),
         DPL_LAB_BY_WIDTH, 0.1},
        {DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 10, .codes = 10,
                  .encoding = DPL_ENCODE_SUMMATION),
         DPL_LAB_BY_WIDTH, 0.1},
        {DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .codes = 20),
         DPL_LAB_BY_LENGTH_AND_NUMBER, 0.5},
        {DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3, .radix = 3),
         DPL_LAB_BY_LENGTH, 2.5},
    };
    bool *is_pair = malloc((size_t)ROWS * ROWS * sizeof *is_pair);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__lab_hashed h;
        const dpl__lab_goal goal = {cases[i].options, cases[i].knob, 4, 0};
        CHECK_OK(dpl__lab_equal(&h, &lab, &asked, &goal, &test_err));
        CHECK(fabs(h.size - 4) <= cases[i].off);
        if (h.options.codes == h.lookup.l) { /* all codes are used: what a join finds */
            size_t n = 0;
            join_all(is_pair, ctx, h.codes);
            for (size_t k = 0; k < (size_t)ROWS * ROWS; k++)
                n += is_pair[k];
            CHECK(fabs(h.size - (double)n / ROWS) < 1e-9);
        }
        CHECK(fabs(dpl__lab_result_size(&h, &asked, h.options.codes) - h.size) < 1e-9);
        dpl__lab_hashed_clear(&h, ctx);
    }
    free(is_pair);
    dpl_vectors_close(v);
    dpl__arena_clear(&lab.arena);
    test_ctx_done(ctx);
}

DPL_TEST(hashlab, codes_of_a_found_width_are_those_of_the_function)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    dpl__lab lab = lab_new(ctx, &set);
    dpl_vectors *v = make_rows(ctx);
    uint32_t queries[ROWS], numbers[ROWS], seen[ROWS] = {0};
    for (uint32_t i = 0; i < ROWS; i++)
        queries[i] = i;
    dpl__lab_asked asked = {.vectors = v,
                            .queries = queries,
                            .n_queries = ROWS,
                            .found = {.rows = numbers, .seen = seen}};
    for (unsigned encoding = 0; encoding < 2; encoding++) {
        const dpl__lab_goal goal = {
            .options = DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 7,
                                .codes = 5, .encoding = (dpl_hash_encoding)encoding),
            .knob = DPL_LAB_BY_WIDTH,
            .size = 3};
        dpl__lab_hashed h, plain;
        CHECK_OK(dpl__lab_equal(&h, &lab, &asked, &goal, &test_err));
        CHECK_OK(dpl__lab_hashed_new(&plain, &lab, &asked, &h.options, &test_err));
        CHECK(fabs(h.size - plain.size) < 1e-12);
        for (unsigned c = 0; c < 5; c++)
            CHECK(memcmp(dpl_codes_column(h.codes, c), dpl_codes_column(plain.codes, c),
                         ROWS * sizeof(uint64_t)) == 0);
        dpl__lab_hashed_clear(&plain, ctx);
        const double size = h.size, width = h.options.width;
        const uint64_t memory = ctx->memory;
        dpl__lab_hashed_clear(&h, ctx);
        ctx->memory = 1 << 14; /* too little to keep projections: the same is found */
        CHECK_OK(dpl__lab_equal(&h, &lab, &asked, &goal, &test_err));
        CHECK(!h.words && h.size == size && h.options.width == width);
        ctx->memory = memory;
        dpl__lab_hashed_clear(&h, ctx);
    }
    dpl_vectors_close(v);
    dpl__arena_clear(&lab.arena);
    test_ctx_done(ctx);
}

/* ---- documents ---------------------------------------------------------------------- */

DPL_TEST(hashlab, rows_that_are_drawn_keep_their_cosines_and_ids)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options, .small = true);
    dpl__lab lab = lab_new(ctx, &set);
    dpl__lab_data data;
    dpl__lab_data_init(&data, ctx);
    dpl_vectors *v = make_rows(ctx);
    const dpl_input input = {.path = test_path("rows.dpl")};
    CHECK_OK(dpl_vectors_save(v, input.path, &test_err));
    lab.inputs = &input;
    lab.n_inputs = 1;
    lab.data = &data;
    for (int kind = DPL_LAB_DRAWN; kind <= DPL_LAB_COMPILED; kind++) {
        dpl_vectors *some = NULL;
        CHECK_OK(dpl__lab_hash_draw(&some, &lab, (dpl__lab_draw_kind)kind, 0, &test_err));
        CHECK_EQ(dpl_vectors_get_sizes(some)->n_rows, ROWS); /* fewer than 200: all */
        CHECK(fabs(dpl_vectors_cosine(some, 0, some, 1) - dpl_vectors_cosine(v, 0, v, 1)) <
              1e-6);
        dpl_vectors_close(some);
    }
    const uint32_t rows[3] = {7, 2, 80};
    dpl_vectors *some = NULL;
    CHECK_OK(dpl__lab_hash_rows(&some, &lab, v, rows, 3, &test_err));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            CHECK(fabs(dpl_vectors_cosine(some, i, some, j) -
                       dpl_vectors_cosine(v, rows[i], v, rows[j])) < 1e-6);
    CHECK_STR(dpl_vectors_id(some, 2), "80");
    dpl_vectors_close(some);
    dpl_vectors_close(v);
    dpl__lab_data_clear(&data);
    dpl__arena_clear(&lab.arena);
    test_ctx_done(ctx);
}

enum { MANY = 900, SMALL_DRAW = 200, TERMS_EACH = 5 };

/* Rows of their own terms, every third like the one before it; the weights tell them apart. */
static dpl_vectors *make_many(dpl_ctx *ctx)
{
    static uint64_t offsets[MANY + 1];
    static uint32_t terms[MANY * TERMS_EACH];
    static float weights[MANY * TERMS_EACH];
    for (uint32_t r = 0; r < MANY; r++)
        for (uint32_t i = 0; i < TERMS_EACH; i++) {
            terms[r * TERMS_EACH + i] = (r - (r % 3 == 2)) * TERMS_EACH + i;
            weights[r * TERMS_EACH + i] = (float)(1 + (r + i) % 4);
            offsets[r + 1] = (uint64_t)(r + 1) * TERMS_EACH;
        }
    dpl_csr_array array = DPL_INIT(dpl_csr_array, .n_rows = MANY, .n_terms = MANY * TERMS_EACH,
                                   .offsets = offsets, .terms = terms, .weights = weights);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_csr(&v, ctx, &array, &test_err));
    return v;
}

/* Marks the rows that a draw holds; how many were marked before. */
static unsigned mark_draw(bool *is_in, dpl__lab *lab, dpl__lab_draw_kind kind, unsigned draw)
{
    dpl_vectors *some = NULL;
    unsigned n_again = 0;
    CHECK_OK(dpl__lab_hash_draw(&some, lab, kind, draw, &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(some)->n_rows, SMALL_DRAW);
    for (uint32_t i = 0; i < SMALL_DRAW; i++) {
        const dpl_str id = dpl_vectors_id(some, i);
        uint32_t row = 0;
        for (size_t k = 0; k < id.n; k++)
            row = 10 * row + (uint32_t)(id.data[k] - '0');
        n_again += is_in[row];
        is_in[row] = true;
    }
    dpl_vectors_close(some);
    return n_again;
}

DPL_TEST(hashlab, draws_are_by_the_seed_and_compiled_ones_are_of_the_other_half)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options, .small = true, .sample = 100);
    dpl__lab lab = lab_new(ctx, &set);
    dpl__lab_data data;
    dpl__lab_data_init(&data, ctx);
    dpl_vectors *v = make_many(ctx);
    const dpl_input input = {.path = test_path("many.dpl")};
    CHECK_OK(dpl_vectors_save(v, input.path, &test_err));
    lab.inputs = &input;
    lab.n_inputs = 1;
    lab.data = &data;
    bool is_in[MANY] = {false}, is_compiled[MANY] = {false};
    CHECK_EQ(mark_draw(is_in, &lab, DPL_LAB_DRAWN, 0), 0);
    CHECK_EQ(mark_draw(is_in, &lab, DPL_LAB_DRAWN, 0), SMALL_DRAW); /* the same again */
    CHECK_EQ(mark_draw(is_in, &lab, DPL_LAB_DRAWN, 1), 0);          /* other ones */
    CHECK_EQ(mark_draw(is_in, &lab, DPL_LAB_DRAWN, 2),
             SMALL_DRAW); /* half a collection has two */
    CHECK_EQ(mark_draw(is_in, &lab, DPL_LAB_COMPILED, 0), 0);
    CHECK_EQ(mark_draw(is_compiled, &lab, DPL_LAB_COMPILED, 0), 0);
    CHECK_STR(dpl__cstr(dpl__lab_draw_name(DPL_LAB_DRAWN)), "drawn");
    CHECK_STR(dpl__cstr(dpl__lab_draw_name(DPL_LAB_COMPILED)), "compiled");
    unsigned n_alike = 0; /* some 75 pairs are in one half: compiled are all of them */
    for (uint32_t r = 2; r < MANY; r += 3)
        n_alike += is_compiled[r] && is_compiled[r - 1];
    CHECK(n_alike > 55);
    lab.ctx->seed++;
    lab.seed++;
    const unsigned n_again = mark_draw(is_in, &lab, DPL_LAB_DRAWN, 0);
    CHECK(n_again > SMALL_DRAW / 3 && n_again < SMALL_DRAW);

    const uint32_t *sample;
    size_t n;
    CHECK_OK(dpl__lab_sample(&sample, &n, &lab, 0, &test_err));
    CHECK_EQ(n, 100);
    uint64_t sum = sample[0];
    for (size_t i = 1; i < n; i++) {
        CHECK(sample[i] > sample[i - 1] && sample[i] < MANY);
        sum += sample[i];
    }
    CHECK(sum > 100 * (MANY / 2 - 50) && sum < 100 * (MANY / 2 + 50)); /* from all parts */
    lab.ctx->seed++;
    lab.seed++;
    const uint32_t first = sample[0], middle = sample[50], last = sample[99];
    CHECK_OK(dpl__lab_sample(&sample, &n, &lab, 0, &test_err));
    CHECK(sample[0] != first || sample[50] != middle || sample[99] != last);
    dpl_vectors_close(v);
    dpl__lab_data_clear(&data);
    dpl__arena_clear(&lab.arena);
    test_ctx_done(ctx);
}

/* ---- failures ----------------------------------------------------------------------- */

static dpl_status use_memory(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    static const float x[6] = {0.9f, 0.1f, 0.5f, 0.3f, 0.95f, 0.2f};
    static const uint64_t words[8] = {1, 2, 1, 2, 3, 3, 3, 4};
    uint32_t ranked[3], numbers[4], seen[4] = {0};
    dpl_codes *codes = NULL;
    dpl__lab_lookup lookup = {0};
    dpl__lab_found found = {.rows = numbers, .seen = seen};
    DPL_TRY(dpl__lab_rank(ranked, ctx, x, 6, 3, err));
    CHECK(ranked[0] == 4 && ranked[1] == 0 && ranked[2] == 2);
    DPL_TRY(dpl_codes_from_buffer(&codes, ctx, words, 4, 2, err));
    const dpl_status status = dpl__lab_lookup_new(&lookup, ctx, codes, 2, 1, err);
    if (status == DPL_OK) {
        dpl__lab_lookup_find(&found, &lookup, codes, 0);
        CHECK(found.n == 2 && numbers[0] == 2 && numbers[1] == 1);
        dpl__lab_lookup_clear(&lookup, ctx);
    }
    dpl_codes_close(codes);
    return status;
}

DPL_TEST(hashlab, no_memory_is_an_error_and_leaks_nothing)
{
    test_allocation_failures(use_memory, NULL);
}
