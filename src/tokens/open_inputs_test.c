#include "tokens/open_inputs.h"

#include "base/hash.h"
#include "test.h"
#include "tokens/input_ids.h"

#include <stdio.h>
#include <stdlib.h>

static const char docs_a[] = "{\"id\":\"x\",\"text\":\"The houses of the town\"}\n"
                             "{\"id\":\"y\",\"text\":\"Ships and trains\"}\n";
static const char docs_b[] = "{\"id\":\"x\",\"text\":\"Bread and milk\"}\n";

static const char *write_a(void)
{
    return test_write("a.jsonl", docs_a, sizeof docs_a - 1);
}

static const char *import_a(dpl_ctx *ctx, const dpl_tokens_options *tokens)
{
    const char *from = write_a(), *path = test_path("a.dpl");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .tokens = tokens);
    CHECK_OK(dpl_import(NULL, ctx, path, &from, 1, &o, &test_err));
    return path;
}

DPL_TEST(open_inputs, kinds_are_those_of_our_files_only)
{
    dpl_ctx *ctx = test_ctx(1);
    char kind[DPL_FILE_KIND];
    bool is_collection;
    CHECK_OK(dpl_file_detect(kind, ctx, import_a(ctx, NULL), &test_err));
    CHECK_STR(dpl__cstr(kind), "collection");
    const char *others[] = {write_a(), test_path("missing"), "-", NULL, test_path(".")};
    for (size_t i = 0; i < DPL_LEN(others); i++) {
        CHECK_OK(dpl_file_detect(kind, ctx, others[i], &test_err));
        CHECK_STR(dpl__cstr(kind), "");
        CHECK_OK(dpl__is_collection(&is_collection, ctx, others[i], &test_err));
        CHECK(!is_collection);
    }
    test_ctx_done(ctx);
}

DPL_TEST(open_inputs, one_file_of_a_collection_is_opened_as_it_is)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_tokens_options stems = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .tokens = &stems);
    const dpl_input in = {.path = import_a(ctx, NULL)};
    dpl__inputs inputs;
    dpl_collection *c = NULL;
    uint32_t term;
    CHECK_OK(dpl__inputs_open(&inputs, ctx, &in, 1, &test_err));
    CHECK_OK(dpl__inputs_collection(&c, &inputs, &o, &test_err));
    CHECK(dpl_collection_find_term(c, DPL_STR("houses"), &term)); /* not stemmed */
    dpl_collection_close(c);
    dpl__inputs_close(&inputs);
    test_ctx_done(ctx);
}

DPL_TEST(open_inputs, inputs_of_all_kinds_are_joined)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_import_options o = DPL_INIT(dpl_import_options);
    const dpl_input in[] = {{.path = import_a(ctx, NULL)},
                            {.buffer = {docs_b, sizeof docs_b - 1}, .name = "b"}};
    static const char *const ids[] = {"a:x", "y", "b:x"};
    dpl__inputs inputs;
    dpl_collection *c = NULL;
    CHECK_OK(dpl__inputs_open(&inputs, ctx, in, 2, &test_err));
    CHECK_OK(dpl__inputs_collection(&c, &inputs, &o, &test_err));
    CHECK_EQ(dpl_collection_get_sizes(c)->n_docs, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const dpl_str id = dpl_collection_doc(c, i).id;
        CHECK_STR(id, ids[i]);
        CHECK_STR(dpl__inputs_own_id(&inputs, id), i == 1 ? "y" : "x");
    }
    CHECK_STR(dpl__inputs_own_id(&inputs, DPL_STR("c:x")), "c:x");
    dpl_collection_close(c);
    dpl__inputs_close(&inputs);
    test_ctx_done(ctx);
}

DPL_TEST(open_inputs, settings_of_words_come_back)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *stop_file = test_write("stop", "town\n", 5);
    const dpl_tokens_options all[] = {
        DPL_INIT(dpl_tokens_options), DPL_INIT(dpl_tokens_options, .stem = true),
        DPL_INIT(dpl_tokens_options, .stop_words = true, .max_token = 17),
        DPL_INIT(dpl_tokens_options, .stop_file = stop_file),
        DPL_INIT(dpl_tokens_options, .ngrams = 3)};
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        bool has_stop_file;
        dpl_collection *c = NULL;
        CHECK_OK(dpl_collection_open(&c, ctx, import_a(ctx, &all[i]), &test_err));
        const dpl_tokens_options words = dpl__collection_words(c, &has_stop_file);
        CHECK_EQ(words.stem, all[i].stem);
        CHECK_EQ(words.stop_words, all[i].stop_words);
        CHECK_EQ(words.ngrams, all[i].ngrams);
        CHECK_EQ(words.max_token, all[i].max_token ? all[i].max_token : 40);
        CHECK_EQ(has_stop_file, all[i].stop_file != NULL);
        dpl_collection_close(c);
    }
    test_ctx_done(ctx);
}

/* Against all pairs of documents. */
DPL_TEST(open_inputs, repeated_ids_are_those_of_two_documents)
{
    enum { N = 40 };
    dpl__rng rng = {1};
    for (int round = 0; round < 200; round++) {
        const size_t n = dpl__rng_below(&rng, N + 1), n_new = dpl__rng_below(&rng, n + 1);
        dpl__doc_id ids[N];
        uint64_t hashes[N];
        uint8_t is_repeated[N];
        bool has_any = false;
        for (size_t i = 0; i < n; i++) {
            hashes[i] = dpl__rng_below(&rng, 30);
            if (round % 2) /* as hashes are: in all buckets */
                hashes[i] = dpl__mix(hashes[i]);
            ids[i] = (dpl__doc_id){hashes[i], (uint32_t)i};
        }
        const bool is_any = dpl__repeated_ids_find(is_repeated, ids, n, n_new);
        for (size_t i = 0; i < n; i++) {
            bool is_told = false;
            for (size_t k = 0; k < n; k++)
                is_told |= k != i && hashes[k] == hashes[i] && (i >= n_new || k < n_new);
            CHECK_EQ(is_repeated[i], is_told);
            has_any |= is_told;
        }
        CHECK_EQ(is_any, has_any);
    }
}

static dpl_status join(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_import_options o = DPL_INIT(dpl_import_options);
    dpl__inputs inputs;
    dpl_collection *c = NULL;
    dpl_status status = dpl__inputs_open(&inputs, ctx, user, 2, err);
    if (status == DPL_OK)
        status = dpl__inputs_collection(&c, &inputs, &o, err);
    dpl_collection_close(c);
    dpl__inputs_close(&inputs);
    return status;
}

DPL_TEST(open_inputs, every_allocation_may_fail)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_input in[] = {{.path = import_a(ctx, NULL)}, {.path = write_a()}};
    test_ctx_done(ctx);
    test_allocation_failures(join, in);
}
