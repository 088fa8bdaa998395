#include "doppel-lab/embeddings.h"

#include "base/hash.h"
#include "doppel/tokens.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 120, TERMS = 20, VOCABULARY = 500 };

/* Rows in pairs of copies (percent 100), or changed ones. */
static dpl_vectors *make_rows(dpl_ctx *ctx, unsigned percent, uint32_t n_rows, uint32_t n_terms)
{
    static uint64_t offsets[ROWS + 1];
    static uint32_t terms[ROWS * TERMS];
    static float weights[ROWS * TERMS];
    static dpl_str names[VOCABULARY];
    static char text[VOCABULARY][8];
    dpl__rng rng = {7};
    for (uint32_t i = 0; i < VOCABULARY; i++)
        names[i] = (dpl_str){
            text[i], (size_t)sprintf(text[i], "%c%c%u", 'a' + i % 26, 'a' + i / 26 % 26, i)};
    uint64_t at = 0;
    for (uint32_t r = 0; r < n_rows; r++) {
        bool is_in[VOCABULARY] = {false};
        offsets[r] = at;
        for (uint32_t i = 0; i < n_terms; i++) {
            const bool is_kept = r % 2 && dpl__rng_below(&rng, 100) < percent;
            const uint32_t term = is_kept && offsets[r - 1] + i < offsets[r]
                                      ? terms[offsets[r - 1] + i]
                                      : (uint32_t)dpl__rng_below(&rng, VOCABULARY);
            if (!is_in[term]) {
                is_in[term] = true;
                terms[at] = term;
                weights[at++] = 1;
            }
        }
    }
    offsets[n_rows] = at;
    dpl_csr_array array =
        DPL_INIT(dpl_csr_array, .n_rows = n_rows, .n_terms = VOCABULARY, .offsets = offsets,
                 .terms = terms, .weights = weights, .term_names = names);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_csr(&v, ctx, &array, &test_err));
    return v;
}

DPL_TEST(stress, an_embedding_of_full_rank_has_none)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make_rows(ctx, 80, ROWS, TERMS);
    dpl_embed_options o = DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_SVD, .dims = ROWS);
    dpl_embed_summary made = DPL_INIT(dpl_embed_summary);
    dpl_embedding *e = NULL;
    CHECK_OK(dpl_embed(&e, &made, ctx, v, &o, &test_err));
    CHECK(made.n_dense == ROWS && made.kept > 0.9999);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < ROWS; j++)
            CHECK(fabs(dpl_embedding_similarity(e, i, j) - dpl_vectors_cosine(v, i, v, j)) <
                  1e-4);
    dpl_stress_point points[2] = {{.threshold = 0.07}, {.threshold = 0.52}};
    dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = v, .embedding = e);
    CHECK_OK(dpl_eval_stress_run(points, 2, ctx, &in, &test_err));
    for (int i = 0; i < 2; i++) {
        CHECK(points[i].n_true > 10 && points[i].precision_stress < 1e-6 &&
              points[i].recall_stress < 1e-6);
        CHECK(points[i].precision > 0.99 && points[i].recall > 0.99);
    }
    dpl_embedding_free(e);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(stress, the_optimum_separates_pairs_at_its_threshold)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make_rows(ctx, 95, ROWS, TERMS);
    dpl_stress_point point[2] = {{.threshold = 0.7}, {.threshold = 0.7}};
    for (int i = 0; i < 2; i++) {
        dpl_embed_options o = DPL_INIT(dpl_embed_options, .dims = 45, .optimum_threshold = 0.7);
        o.embedding = i ? DPL_EMBED_OPTIMUM : DPL_EMBED_SVD;
        dpl_embedding *e = NULL;
        CHECK_OK(dpl_embed(&e, NULL, ctx, v, &o, &test_err));
        dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = v, .embedding = e);
        CHECK_OK(dpl_eval_stress_run(&point[i], 1, ctx, &in, &test_err));
        dpl_embedding_free(e);
    }
    CHECK(point[0].n_true == point[1].n_true && point[0].n_true > 20);
    CHECK(point[1].recall > 0.8 && point[1].precision > 0.9);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(stress, lengths_of_embedded_rows_do_not_count_with_the_cosine)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 60, ROWS, TERMS);
    dpl_embed_options o = DPL_INIT(dpl_embed_options, .dims = 8);
    dpl_embedding *scalar = NULL, *cosine = NULL;
    CHECK_OK(dpl_embed(&scalar, NULL, ctx, v, &o, &test_err));
    o.cosine = true;
    CHECK_OK(dpl_embed(&cosine, NULL, ctx, v, &o, &test_err));
    for (uint32_t i = 0; i < ROWS; i++) {
        CHECK(dpl_embedding_similarity(scalar, i, i) < 1.001);
        CHECK(fabs(dpl_embedding_similarity(cosine, i, i) - 1) < 1e-9);
        const double lengths =
            dpl_embedding_similarity(scalar, 0, 0) * dpl_embedding_similarity(scalar, i, i);
        CHECK(fabs(dpl_embedding_similarity(cosine, 0, i) * sqrt(lengths) -
                   dpl_embedding_similarity(scalar, 0, i)) < 1e-9);
    }
    dpl_embedding_free(cosine);
    dpl_embedding_free(scalar);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(stress, unseen_documents_are_projected_to_where_equal_ones_are)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 60, ROWS, TERMS);
    for (int m = DPL_EMBED_SVD; dpl_embed_method_name((dpl_embed_method)m); m++) {
        dpl_embed_options o =
            DPL_INIT(dpl_embed_options, .embedding = (dpl_embed_method)m, .dims = 16);
        dpl_embedding *e = NULL;
        CHECK_OK(dpl_embed(&e, NULL, ctx, v, &o, &test_err));
        float *y = malloc(ROWS * 16 * sizeof *y);
        CHECK_OK(dpl_embedding_project(y, ctx, e, v, &test_err));
        for (size_t i = 0; i < ROWS * 16; i++)
            CHECK(fabsf(y[i] - dpl_embedding_values(e)[i]) < 1e-3f);
        free(y);
        dpl_embedding_free(e);
    }
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* Equal documents make a singular matrix; so do documents of one word. */
DPL_TEST(stress, a_singular_matrix_is_decomposed)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint32_t n_terms = 1; n_terms <= TERMS; n_terms += TERMS - 1) {
        dpl_vectors *v = make_rows(ctx, 100, 40, n_terms);
        for (int m = DPL_EMBED_SVD; m <= DPL_EMBED_OPTIMUM; m++) {
            dpl_embed_options o =
                DPL_INIT(dpl_embed_options, .embedding = (dpl_embed_method)m, .dims = 40);
            dpl_embed_summary made = DPL_INIT(dpl_embed_summary);
            dpl_embedding *e = NULL;
            CHECK_OK(dpl_embed(&e, &made, ctx, v, &o, &test_err));
            CHECK(made.n_dims > 0 && made.n_dims <= 40);
            for (size_t i = 0; i < 40 * 40; i++)
                CHECK(isfinite(dpl_embedding_values(e)[i]));
            CHECK(fabs(dpl_embedding_similarity(e, 0, 1) - 1) < 0.05);
            dpl_embedding_free(e);
        }
        dpl_vectors_close(v);
    }
    test_ctx_done(ctx);
}

DPL_TEST(stress, more_rows_than_the_matrix_are_projected)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 90, ROWS, TERMS);
    dpl_embed_options o = DPL_INIT(dpl_embed_options, .dims = 10, .matrix = 30);
    dpl_embed_summary made = DPL_INIT(dpl_embed_summary);
    dpl_embedding *e = NULL;
    CHECK_OK(dpl_embed(&e, &made, ctx, v, &o, &test_err));
    CHECK_EQ(made.n_dense, 30);
    CHECK_EQ(made.n_rows, ROWS);
    CHECK_EQ(dpl_embedding_n_rows(e), ROWS);
    dpl_embedding_free(e);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(stress, signatures_have_it_and_threads_do_not_change_it)
{
    dpl_stress_point points[3][2];
    for (unsigned i = 0; i < 3; i++) {
        dpl_ctx *ctx = test_ctx(1 + i);
        dpl_vectors *v = make_rows(ctx, 90, ROWS, TERMS);
        dpl_signatures *s = NULL;
        dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = 1024);
        CHECK_OK(dpl_signatures_make(&s, ctx, v, &o, &test_err));
        memset(points[i], 0, sizeof points[i]);
        points[i][0].threshold = 0.1;
        points[i][1].threshold = 0.6;
        dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = v, .signatures = s);
        CHECK_OK(dpl_eval_stress_run(points[i], 2, ctx, &in, &test_err));
        CHECK(points[i][1].recall_stress > 0 && points[i][1].recall_stress < 0.05);
        CHECK(memcmp(points[i], points[0], sizeof points[0]) == 0);
        dpl_signatures_close(s);
        dpl_vectors_close(v);
        test_ctx_done(ctx);
    }
}

DPL_TEST(stress, bad_options_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 90, ROWS, TERMS);
    dpl_embedding *e = NULL;
    dpl_embed_options bad[] = {
        DPL_INIT(dpl_embed_options, .embedding = (dpl_embed_method)9),
        DPL_INIT(dpl_embed_options, .dims = 1001),
        DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_FUZZY, .dims = 101),
        DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_OPTIMUM, .optimum_threshold = 1.2),
        DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_OPTIMUM, .optimum_threshold = -0.5),
        DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_OPTIMUM, .optimum_floor = 0.9),
        DPL_INIT(dpl_embed_options, .matrix = 1),
    };
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        CHECK_EQ(dpl_embed(&e, NULL, ctx, v, &bad[i], &test_err), DPL_E_USAGE);
    dpl_embed_options o = DPL_INIT(dpl_embed_options, .dims = 4);
    CHECK_OK(dpl_embed(&e, NULL, ctx, v, &o, &test_err));
    dpl_stress_point point = {.threshold = 1.01};
    dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = v, .embedding = e);
    CHECK_EQ(dpl_eval_stress_run(&point, 1, ctx, &in, &test_err), DPL_E_USAGE);
    in.embedding = NULL;
    CHECK_EQ(dpl_eval_stress_run(&point, 1, ctx, &in, &test_err), DPL_E_USAGE);
    dpl_embedding_free(e);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

static dpl_collection *make_reference(dpl_ctx *ctx)
{
    char text[6000] = "{\"id\":\"1\",\"lang\":\"en\",\"text\":\"";
    size_t n = strlen(text);
    for (unsigned i = 0; i < VOCABULARY; i++)
        n += (size_t)sprintf(text + n, "%c%c%u ", 'a' + i % 26, 'a' + i % 3, i);
    sprintf(text + n, "\"}\n");
    const char *path = test_write("reference.jsonl", text, strlen(text));
    const dpl_input input = {.path = path};
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &input, 1, NULL, &test_err));
    return c;
}

/* Whether the first rows are embedded alike among fewer and among more rows. */
static bool are_alike(dpl_ctx *ctx, const dpl_collection *reference)
{
    const dpl_embed_options o = DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_FUZZY,
                                         .dims = 20, .reference = reference);
    dpl_vectors *v[2] = {make_rows(ctx, 80, ROWS / 2, TERMS)};
    dpl_embedding *e[2] = {NULL, NULL};
    CHECK_OK(dpl_embed(&e[0], NULL, ctx, v[0], &o, &test_err));
    v[1] = make_rows(ctx, 80, ROWS, TERMS);
    CHECK_OK(dpl_embed(&e[1], NULL, ctx, v[1], &o, &test_err));
    const bool same = memcmp(dpl_embedding_values(e[0]), dpl_embedding_values(e[1]),
                             (size_t)(ROWS / 2) * 20 * sizeof(float)) == 0;
    for (int i = 0; i < 2; i++) {
        dpl_embedding_free(e[i]);
        dpl_vectors_close(v[i]);
    }
    return same;
}

DPL_TEST(stress, prefix_classes_of_a_reference_do_not_depend_on_the_rows)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *reference = make_reference(ctx);
    CHECK(are_alike(ctx, reference));
    CHECK(!are_alike(ctx, NULL));
    dpl_collection_close(reference);
    test_ctx_done(ctx);
}

static dpl_status embed_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_embed_options *o = user;
    const uint64_t offsets[] = {0, 2, 4};
    const uint32_t terms[] = {0, 1, 1, 2};
    const float weights[] = {1, 2, 2, 1};
    dpl_csr_array array = DPL_INIT(dpl_csr_array, .n_rows = 2, .n_terms = 3, .offsets = offsets,
                                   .terms = terms, .weights = weights);
    dpl_vectors *v = NULL;
    dpl_embedding *e = NULL;
    dpl_status status = dpl_vectors_from_csr(&v, ctx, &array, err);
    if (status == DPL_OK)
        status = dpl_embed(&e, NULL, ctx, v, o, err);
    dpl_stress_point point = {.threshold = 0.5};
    dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = v, .embedding = e);
    if (status == DPL_OK)
        status = dpl_eval_stress_run(&point, 1, ctx, &in, err);
    dpl_embedding_free(e);
    dpl_vectors_close(v);
    return status;
}

DPL_TEST(stress, failed_allocations_are_reported)
{
    for (int m = DPL_EMBED_SVD; dpl_embed_method_name((dpl_embed_method)m); m++) {
        dpl_embed_options o =
            DPL_INIT(dpl_embed_options, .embedding = (dpl_embed_method)m, .dims = 2);
        test_allocation_failures(embed_some, &o);
    }
}
