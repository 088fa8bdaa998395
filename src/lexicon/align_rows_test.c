#include "lexicon/align_rows.h"

#include "lexicon/encoded_test.h"
#include "test.h"

#include <stdio.h>

/* All links of all rows as text. */
typedef struct text {
    char data[40000];
    size_t n, n_rows;
} text;

static dpl_status note(void *user, size_t row, const dpl__row_link *links, size_t n,
                       dpl_error *err)
{
    (void)err;
    text *t = user;
    CHECK_EQ(row, t->n_rows);
    t->n_rows++;
    for (size_t k = 0; k < n; k++)
        t->n += (size_t)snprintf(t->data + t->n, sizeof t->data - t->n, "%s%u-%u", k ? " " : "",
                                 links[k].left, links[k].right);
    t->n += (size_t)snprintf(t->data + t->n, sizeof t->data - t->n, "\n");
    CHECK(t->n < sizeof t->data);
    return DPL_OK;
}

DPL_TEST(align, words_find_their_counterparts)
{
    static corpus c;
    static text t;
    c = (corpus){0};
    for (int i = 0; i < 20; i++) {
        corpus_add(&c, "abc", "abc");
        corpus_add(&c, "cd", "cd");
        corpus_add(&c, "cab", "ab");
        corpus_add(&c, "a", "a");
        corpus_add(&c, "c", "c");
    }
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    c.encoded.n_rows = 4;
    for (int how = -1; how <= DPL__SYMMETRY_GROW_DIAG_FINAL_AND; how++) {
        dpl__align_rows_options o = {.method =
                                         how < 0 ? DPL__ALIGN_POSTERIOR : DPL__ALIGN_SYMMETRIZE,
                                     .symmetry = how < 0 ? 0 : (dpl__symmetry)how};
        t = (text){0};
        CHECK_OK(dpl__align_rows(ctx, &m, &c.encoded, &o, &(dpl__row_links_sink){note, &t},
                                 &test_err));
        CHECK_STR(dpl__cstr(t.data), "0-0 1-1 2-2\n0-0 1-1\n1-0 2-1\n0-0\n");
    }
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

/* "z" and "y" are unknown, on either side; so is the pair of a and d. */
DPL_TEST(align, unknown_words_go_with_their_neighbours)
{
    static corpus c, d;
    static text t;
    c = d = (corpus){0};
    for (int i = 0; i < 20; i++) {
        corpus_add(&c, "abc", "abc");
        corpus_add(&c, "ac", "ac");
        corpus_add(&c, "d", "d");
        corpus_add(&c, "c", "c");
    }
    corpus_add(&d, "azc", "ayc");
    corpus_add(&d, "zz", "y");
    corpus_add(&d, "a", "d");
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    t = (text){0};
    CHECK_OK(dpl__align_rows(ctx, &m, &d.encoded, NULL, &(dpl__row_links_sink){note, &t},
                             &test_err));
    CHECK_EQ(t.n_rows, 3);
    CHECK(strncmp(t.data, "0-0 1-1 2-2\n", 12) == 0);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

/* Words 25 on both sides are unknown, but of one class. */
DPL_TEST(align, unknown_words_that_are_alike_find_each_other)
{
    static corpus c, d;
    static text t;
    c = d = (corpus){0};
    for (int i = 0; i < 20; i++) {
        corpus_add(&c, "ab", "ab");
        corpus_add(&c, "b", "b");
    }
    corpus_add(&d, "abyz", "zxab");
    for (int side = 0; side < 2; side++) {
        for (uint32_t w = 0; w < 26; w++)
            d.classes[side][w] = w == 25 ? 0 : 1 + 26 * (uint32_t)side + w;
        d.encoded.side[side].classes = d.classes[side];
    }
    d.encoded.n_classes = 60;
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    t = (text){0};
    CHECK_OK(dpl__align_rows(ctx, &m, &d.encoded, NULL, &(dpl__row_links_sink){note, &t},
                             &test_err));
    CHECK(strstr(t.data, "3-0"));
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(align, threads_give_the_same_links_and_skipped_rows_have_none)
{
    static corpus c;
    static text one, t;
    corpus_draw(&c, 9, 300, 12);
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    dpl__align_rows_options o = {.max_tokens = 9};
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    one = (text){0};
    CHECK_OK(dpl__align_rows(ctx, &m, &c.encoded, &o, &(dpl__row_links_sink){note, &one},
                             &test_err));
    CHECK_EQ(one.n_rows, 300);
    for (unsigned n_threads = 2; n_threads <= 3; n_threads++) {
        dpl_ctx *other = test_ctx(n_threads);
        t = (text){0};
        CHECK_OK(dpl__align_rows(other, &m, &c.encoded, &o, &(dpl__row_links_sink){note, &t},
                                 &test_err));
        CHECK_STR(dpl__cstr(t.data), one.data);
        test_ctx_done(other);
    }
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

typedef struct job {
    const corpus *c;
    const dpl__wordmodel *m;
} job;

static dpl_status take(void *user, size_t row, const dpl__row_link *links, size_t n,
                       dpl_error *err)
{
    (void)user, (void)row, (void)links, (void)n, (void)err;
    return DPL_OK;
}

static dpl_status align_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const job *j = user;
    return dpl__align_rows(ctx, j->m, &j->c->encoded, NULL,
                           &(dpl__row_links_sink){.take = take}, err);
}

DPL_TEST(align, survives_every_failing_allocation)
{
    static corpus c;
    corpus_draw(&c, 6, 40, 8);
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    job j = {&c, &m};
    test_allocation_failures(align_some, &j);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}
