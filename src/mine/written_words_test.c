#include "mine/written_words.h"
#include "test.h"

#include "doppel/text.h"

#include <stdio.h>

DPL_TEST(written_words, a_stem_becomes_its_most_frequent_word)
{
    static const char docs[] =
        "{\"id\": \"a\", \"text\": \"Always a volcano. Volcanoes erupt always.\"}\n"
        "{\"id\": \"b\", \"text\": \"The volcanoes, and other volcanoes, are always quiet.\"}\n"
        "{\"id\": \"c\", \"text\": \"Nothing of that, but happy people.\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = NULL;
    const char *in = test_write("d.jsonl", docs, sizeof docs - 1);
    char out[600];
    snprintf(out, sizeof out, "%s", test_path("d.dpl"));
    dpl_tokens_options t = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &t);
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, out, &test_err));
    const dpl__writing w = {ctx, c, &t, "en"};
    dpl_str words[] = {DPL_STR("volcano"), DPL_STR("alway"), DPL_STR("unknown"),
                       DPL_STR("happi"), DPL_STR("alway")};
    CHECK_OK(dpl__words_as_written(&w, words, DPL_LEN(words), &test_err));
    CHECK_STR(words[0], "volcanoes");
    CHECK_STR(words[1], "always");
    CHECK_STR(words[2], "unknown");
    CHECK_STR(words[3], "happy");
    CHECK_STR(words[4], "always");
    CHECK_OK(dpl__words_as_written(&w, words, 0, &test_err));
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
