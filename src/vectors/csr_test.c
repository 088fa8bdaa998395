#include "vectors/vectors.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- documents from an array -------------------------------------------------------- */

typedef struct texts {
    uint32_t n, at;
    uint64_t seed;
    char text[400];
} texts;

static dpl_status next_text(void *user, dpl_doc *doc, dpl_error *err)
{
    texts *t = user;
    (void)err;
    if (t->at == t->n)
        return DPL_END;
    dpl__rng rng = {t->seed + t->at++ / 2}; /* documents in pairs that are nearly the same */
    size_t n = 0;
    for (int i = 0; i < 20; i++)
        n += (size_t)sprintf(t->text + n, "w%llu ",
                             (unsigned long long)dpl__rng_below(&rng, 200));
    n += (size_t)sprintf(t->text + n, "x%u", t->at);
    doc->text = (dpl_str){t->text, n};
    doc->lang = DPL_STR("en");
    return DPL_OK;
}

static dpl_vectors *make(dpl_ctx *ctx)
{
    texts t = {.n = 100, .seed = 5};
    dpl_doc_source source = {next_text, &t, NULL};
    dpl_input input = {.source = &source};
    dpl_collection *c = NULL;
    dpl_vectors *v = NULL, *same = NULL;
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_count = 1);
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &input, 1, NULL, &test_err));
    CHECK_OK(dpl_vectors_from_collection(&v, NULL, ctx, c, NULL, &o, &test_err));
    /* the same bytes as through files */
    CHECK_OK(dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, NULL, &o, &test_err));
    CHECK_OK(dpl_vectors_save(v, test_path("saved.dpl"), &test_err));
    size_t n, m;
    char *a = test_read(test_path("v.dpl"), &n), *b = test_read(test_path("saved.dpl"), &m);
    CHECK(n == m && memcmp(a, b, n) == 0);
    free(a);
    free(b);
    CHECK_OK(dpl_vectors_open(&same, ctx, test_path("v.dpl"), &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(same)->n_entries, dpl_vectors_get_sizes(v)->n_entries);
    dpl_vectors_close(same);
    dpl_collection_close(c);
    return v;
}

/* ---- rows from arrays --------------------------------------------------------------- */

/* The rows of v once more, entries of each row turned round when asked for. */
static dpl_vectors *through_arrays(dpl_ctx *ctx, const dpl_vectors *v, bool is_reversed,
                                   float scale)
{
    const dpl_vectors_sizes *sizes = dpl_vectors_get_sizes(v);
    const uint32_t *terms;
    const float *weights;
    const uint64_t *offsets = dpl_vectors_get_csr(v, &terms, &weights);
    dpl_str *ids = malloc(sizes->n_rows * sizeof *ids),
            *names = malloc(sizes->n_terms * sizeof *names);
    uint32_t *t = malloc(sizes->n_entries * sizeof *t);
    float *w = malloc(sizes->n_entries * sizeof *w);
    CHECK(ids && names && t && w);
    for (uint32_t i = 0; i < sizes->n_rows; i++) {
        ids[i] = dpl_vectors_id(v, i);
        for (uint64_t k = offsets[i]; k < offsets[i + 1]; k++) {
            uint64_t from = is_reversed ? offsets[i + 1] - 1 - (k - offsets[i]) : k;
            t[k] = is_reversed ? sizes->n_terms - 1 - terms[from] : terms[from];
            w[k] = weights[from] * scale;
        }
    }
    for (uint32_t i = 0; i < sizes->n_terms; i++)
        names[i] = dpl_vectors_term(v, is_reversed ? sizes->n_terms - 1 - i : i);
    dpl_csr_array a =
        DPL_INIT(dpl_csr_array, .n_rows = sizes->n_rows, .n_terms = sizes->n_terms,
                 .offsets = offsets, .terms = t, .weights = w, .ids = ids, .term_names = names,
                 .space = "words, bm25 k1=1.2 b=0.75", .name = "rows");
    dpl_vectors *out = NULL;
    CHECK_OK(dpl_vectors_from_csr(&out, ctx, &a, &test_err));
    free(ids);
    free(names);
    free(t);
    free(w);
    return out;
}

DPL_TEST(csr, arrays_give_the_same_cosines_as_files)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make(ctx);
    const dpl_vectors_sizes *n = dpl_vectors_get_sizes(v);
    for (int i = 0; i < 3; i++) {
        dpl_vectors *a = through_arrays(ctx, v, i == 1, i == 2 ? 7 : 1);
        CHECK_EQ(dpl_vectors_get_sizes(a)->n_rows, n->n_rows);
        CHECK_STR(dpl__cstr(dpl_vectors_get_info(a).path), "rows");
        CHECK_OK(dpl__vectors_check_match(v, a, &test_err));
        for (uint32_t x = 0; x < n->n_rows; x++) {
            CHECK(dpl__str_eq(dpl_vectors_id(v, x), dpl_vectors_id(a, x)));
            for (uint32_t y = 0; y < n->n_rows; y += 7) {
                double old = dpl_vectors_cosine(v, x, v, y),
                       now = dpl_vectors_cosine(a, x, v, y);
                CHECK(i == 2 ? fabs(old - now) < 1e-6 : old == now);
            }
        }
        dpl_vectors_close(a);
    }
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(csr, rows_without_names_have_numbers)
{
    static const uint64_t offsets[] = {0, 2, 2, 4};
    static const uint32_t terms[] = {3, 1, 1, 2};
    static const float weights[] = {4, 3, 0, 2};
    dpl_csr_array a = DPL_INIT(dpl_csr_array, .n_rows = 3, .n_terms = 4, .offsets = offsets,
                               .terms = terms, .weights = weights);
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_csr(&v, ctx, &a, &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 2);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 1);
    CHECK_STR(dpl_vectors_id(v, 1), "2");
    CHECK_STR(dpl_vectors_term(v, 3), "0000000003");
    const float *w;
    size_t n;
    const uint32_t *t = dpl_vectors_row(v, 0, &w, &n);
    CHECK(n == 2 && t[0] == 1 && t[1] == 3);
    CHECK(w[0] == 0.6f && w[1] == 0.8f);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

static void check_refused(dpl_csr_array a, dpl_status expected, const char *why)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    dpl_status status = dpl_vectors_from_csr(&v, ctx, &a, &test_err);
    if (status != expected || !strstr(test_err.text, why))
        dpl__test_fail(__FILE__, __LINE__, "'%s' instead of '%s'", test_err.text, why);
    test_ctx_done(ctx);
}

DPL_TEST(csr, what_is_no_row_is_refused_with_its_place)
{
    static const uint64_t offsets[] = {0, 1, 3}, fall[] = {0, 4, 3}, late[] = {1, 2, 3};
    static const uint32_t terms[] = {0, 1, 0}, far[] = {0, 1, 2}, twice[] = {0, 1, 1};
    static const float weights[] = {1, 2, 3}, nan[] = {1, 2, NAN}, below[] = {1, -2, 3},
                       inf[] = {INFINITY, 2, 3};
    static const dpl_str ids[] = {{"a", 1}, {"a", 1}}, tab[] = {{"a", 1}, {"\t", 1}};
    dpl_csr_array a = DPL_INIT(dpl_csr_array, .n_rows = 2, .n_terms = 2, .offsets = offsets,
                               .terms = terms, .weights = weights);
    dpl_csr_array b = a;
    b.weights = nan;
    check_refused(b, DPL_E_FORMAT, "'(array)': NaN in row 1, entry 1");
    CHECK_EQ(test_err.line, 2);
    CHECK_EQ(test_err.column, 2);
    b.weights = below;
    check_refused(b, DPL_E_FORMAT, "a negative weight in row 1, entry 0");
    b.weights = inf;
    check_refused(b, DPL_E_FORMAT, "infinity in row 0, entry 0");
    b = a;
    b.offsets = fall;
    check_refused(b, DPL_E_FORMAT, "offsets fall after row 1");
    b.offsets = late;
    check_refused(b, DPL_E_USAGE, "offsets do not begin with 0");
    b = a;
    b.terms = far;
    check_refused(b, DPL_E_FORMAT, "a term out of range in row 1, entry 1");
    b.terms = twice;
    check_refused(b, DPL_E_FORMAT, "a term is twice in row 1");
    b = a;
    b.ids = ids;
    check_refused(b, DPL_E_FORMAT, "a string is there twice");
    b.ids = tab;
    check_refused(b, DPL_E_FORMAT, "a control character");
    b = a;
    b.term_names = ids;
    check_refused(b, DPL_E_FORMAT, "terms 0 and 1 have the same name");
    b = a;
    b.space = "a\nb";
    check_refused(b, DPL_E_FORMAT, "a control character");
}

static dpl_status from_csr_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_vectors *v = NULL;
    DPL_TRY(dpl_vectors_from_csr(&v, ctx, user, err));
    dpl_vectors_close(v);
    return DPL_OK;
}

DPL_TEST(csr, survives_every_failing_allocation)
{
    static const uint64_t offsets[] = {0, 1, 3};
    static const uint32_t terms[] = {0, 1, 0};
    static const float weights[] = {1, 2, 3};
    static const dpl_str names[] = {{"b", 1}, {"a", 1}};
    dpl_csr_array a = DPL_INIT(dpl_csr_array, .n_rows = 2, .n_terms = 2, .offsets = offsets,
                               .terms = terms, .weights = weights);
    test_allocation_failures(from_csr_body, &a);
    a.term_names = names;
    test_allocation_failures(from_csr_body, &a);
}

/* ---- dense rows --------------------------------------------------------------------- */

DPL_TEST(csr, dense_arrays_are_rows_as_from_a_file)
{
    static const float values[] = {3, 4, 9, 0, 0, 9, 0, 2, 9};
    static const dpl_str ids[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    dpl_dense_array a = DPL_INIT(dpl_dense_array, .n_rows = 3, .dim = 2, .values = values,
                                 .stride = 3, .ids = ids);
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL, *file = NULL;
    CHECK_OK(dpl_vectors_from_dense(&v, ctx, &a, &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 2);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 1);
    CHECK_STR(dpl_vectors_id(v, 1), "c");
    CHECK(dpl_vectors_dense(v, 0)[0] == 0.6f && dpl_vectors_dense(v, 0)[1] == 0.8f);
    static const float rows[] = {0, 3, 4, 0, 0, 0, 0, 0, 2};
    uint8_t bytes[sizeof rows];
    memcpy(bytes, rows, sizeof rows);
    for (size_t i = 0; i < 3; i++)
        memcpy(bytes + 12 * i, &(uint32_t){2}, 4);
    CHECK_OK(
        dpl_vectors_open(&file, ctx, test_write("x.fvecs", bytes, sizeof bytes), &test_err));
    CHECK_OK(dpl__vectors_check_match(v, file, &test_err));
    CHECK(dpl_vectors_cosine(v, 0, file, 1) == dpl_vectors_cosine(file, 0, file, 1));
    CHECK_EQ(dpl_vectors_save(v, test_path("v.dpl"), &test_err), DPL_E_UNSUPPORTED);
    dpl_vectors_close(file);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(csr, dense_arrays_that_are_none_are_refused)
{
    static const float values[] = {3, 4, 9, NAN};
    static const dpl_str twice[] = {{"a", 1}, {"a", 1}};
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    dpl_dense_array a = DPL_INIT(dpl_dense_array, .n_rows = 2, .dim = 2, .values = values);
    CHECK_EQ(dpl_vectors_from_dense(&v, ctx, &a, &test_err), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "NaN in row 1, column 1") != NULL);
    CHECK(test_err.line == 2 && test_err.column == 2);
    a.n_rows = 1;
    a.stride = 1;
    CHECK_EQ(dpl_vectors_from_dense(&v, ctx, &a, &test_err), DPL_E_USAGE);
    a.stride = 0;
    a.dim = 0;
    CHECK_EQ(dpl_vectors_from_dense(&v, ctx, &a, &test_err), DPL_E_USAGE);
    a.dim = 1;
    a.n_rows = 2;
    a.ids = twice;
    CHECK_EQ(dpl_vectors_from_dense(&v, ctx, &a, &test_err), DPL_E_FORMAT);
    a.n_rows = 0;
    a.ids = NULL;
    CHECK_OK(dpl_vectors_from_dense(&v, ctx, &a, &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 0);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}
