#include "lexicon/write_lexicon.h"

#include "lexicon/lexicon.h"
#include "lexicon/lexicon_parts_test.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is written can be read ---------------------------------------------------- */

static bool same_tables(const dpl__table *a, const dpl__table *b)
{
    return a->n_rows == b->n_rows && a->n == b->n &&
           memcmp(a->offsets, b->offsets, (a->n_rows + 1) * sizeof *a->offsets) == 0 &&
           memcmp(a->cols, b->cols, a->n * sizeof *a->cols) == 0 &&
           memcmp(a->p, b->p, a->n * sizeof *a->p) == 0;
}

DPL_TEST(lexicon_file, holds_what_was_written)
{
    dpl_ctx *ctx = test_ctx(2);
    static test_parts t;
    test_parts_make(&t, ctx, 1, 40);
    dpl_prune prune = DPL_INIT(dpl_prune, .top = -1, .threshold = 0.25);
    t.parts.prune = &prune;
    t.parts.is_stemmed = true;
    uint64_t n_bytes = 0;
    CHECK_OK(dpl__lexicon_write(&n_bytes, ctx, test_path("l.dpl"), &t.parts, &test_err));
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, &test_err));
    CHECK_EQ(n_bytes, dpl_file_get_info(l->file).n_bytes);
    const dpl_lexicon_sizes *n = dpl_lexicon_get_sizes(l);
    CHECK_EQ(n->n_sources, CORPUS_WORDS);
    CHECK_EQ(n->n_targets, CORPUS_WORDS);
    CHECK_EQ(n->n_links, t.model.n_links);
    CHECK_EQ(n->n_entries, t.parts.table[DPL__LEFT].n);
    CHECK_EQ(n->n_back, t.parts.table[DPL__RIGHT].n);
    for (int side = 0; side < 2; side++) {
        CHECK(same_tables(&l->table[side], &t.parts.table[side]));
        CHECK_STR(dpl__string(&l->words[side], 7), side ? "r07!" : "l07!");
    }
    CHECK(l->has_model && same_models(&l->model, &t.model));
    CHECK(memcmp(l->model.counts, t.model.counts, t.model.n_links * sizeof(float)) == 0);
    CHECK(memcmp(l->model.links, t.model.links, (t.model.n_links + 2) * sizeof(dpl__link_p)) ==
          0);
    CHECK(memcmp(l->model.n_empty, t.model.n_empty, sizeof t.model.n_empty) == 0);
    CHECK(memcmp(l->model.p_empty, t.model.p_empty, sizeof t.model.p_empty) == 0);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "en");
    CHECK(dpl_lexicon_get_info(l).is_stemmed && !l->is_pretokenized);
    CHECK_EQ(dpl_lexicon_count(l, false, 3), t.model.tokens[DPL__LEFT][3]);
    CHECK_EQ(dpl_lexicon_count(l, true, 3), t.model.tokens[DPL__RIGHT][3]);
    CHECK_STR(dpl_lexicon_get_info(l).settings,
              "{\"source_lang\":\"de\",\"target_lang\":\"en\",\"stemmed\":true,"
              "\"pretokenized\":false,\"rows\":7,\"max_entries\":null,\"cumulative\":0.95,"
              "\"min_p\":0.25,\"min_count\":0.1}");
    dpl_lexicon_close(l);
    test_parts_clear(&t);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_file, may_lack_model_counts_and_languages)
{
    dpl_ctx *ctx = test_ctx(1);
    static test_parts t;
    test_parts_make(&t, ctx, 2, 40);
    t.parts.model = NULL;
    t.parts.lang[DPL__LEFT] = t.parts.lang[DPL__RIGHT] = "";
    t.parts.made = (dpl_str){0};
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl__lexicon_write(NULL, ctx, test_path("l.dpl"), &t.parts, &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, &test_err));
    CHECK(!l->has_model && !l->counts[DPL__LEFT] && !l->counts[DPL__RIGHT]);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_links, 0);
    CHECK_EQ(dpl_lexicon_count(l, false, 0), 0);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "");
    dpl_lexicon_close(l);
    /* then they can be told */
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options, .target_lang = "eng");
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), &o, &test_err));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "en");
    dpl_lexicon_close(l);
    test_parts_clear(&t);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_file, may_be_empty)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t zero[1] = {0};
    dpl__lexicon_parts parts = {.lang = {"de", ""}};
    for (int side = 0; side < 2; side++) {
        parts.words[side] = (dpl__strings){zero, "", 0};
        parts.table[side] = (dpl__table){.offsets = zero};
    }
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl__lexicon_write(NULL, ctx, test_path("l.dpl"), &parts, &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, &test_err));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 0);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- the same again ----------------------------------------------------------------- */

DPL_TEST(lexicon_file, of_the_same_parts_has_the_same_bytes)
{
    static test_parts t;
    size_t n[2];
    char *bytes[2];
    for (unsigned i = 0; i < 2; i++) {
        dpl_ctx *ctx = test_ctx(i + 1);
        test_parts_make(&t, ctx, 4, 40);
        CHECK_OK(dpl__lexicon_write(NULL, ctx, test_path("l.dpl"), &t.parts, &test_err));
        test_parts_clear(&t);
        test_ctx_done(ctx);
        bytes[i] = test_read(test_path("l.dpl"), &n[i]);
    }
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(bytes[0], bytes[1], n[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
}

static dpl_status write_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    return dpl__lexicon_write(NULL, ctx, test_path("l.dpl"), user, err);
}

DPL_TEST(lexicon_file, survives_every_failing_allocation_when_it_is_written)
{
    dpl_ctx *ctx = test_ctx(1);
    static test_parts t;
    test_parts_make(&t, ctx, 5, 10);
    test_allocation_failures(write_body, &t.parts);
    test_parts_clear(&t);
    test_ctx_done(ctx);
}
