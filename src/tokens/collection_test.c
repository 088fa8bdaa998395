#include "doppel/tokens.h"

#include "tokens/forge_test.h"

#include <stdio.h>

static const char docs[] = "{\"id\":\"aa\",\"lang\":\"en\",\"text\":\"one two two\"}\n"
                           "{\"id\":\"bb\",\"lang\":\"de\",\"text\":\"two three\"}\n";

static const char *make(dpl_ctx *ctx)
{
    const char *in = test_write("in.jsonl", docs, sizeof docs - 1), *out = test_path("a.dpl");
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    return out;
}

/* The file with that section instead of its own is refused, and the message says why. */
static void check_refused(const char *section, const void *data, size_t n, const char *why)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_forge(ctx, make(ctx), section, data, n);
    dpl_collection *c = NULL;
    char text[200];
    snprintf(text, sizeof text, "section '%s': %s", section, why);
    CHECK_EQ(dpl_collection_open(&c, ctx, path, &test_err), DPL_E_FORMAT);
    if (!strstr(test_err.text, text))
        dpl__test_fail(__FILE__, __LINE__, "'%s' without '%s'", test_err.text, text);
    test_ctx_done(ctx);
}

DPL_TEST(collection, forged_ids_are_refused)
{
    check_refused("id.bytes", "a\tbb", 4, "a control character");
    check_refused("id.bytes", "a\nbb", 4, "a control character");
    check_refused("id.bytes", "a\0bb", 4, "a control character");
    check_refused("id.bytes",
                  "a\x1B"
                  "bb",
                  4, "a control character");
    check_refused("id.bytes",
                  "a\x7F"
                  "bb",
                  4, "a control character");
}

DPL_TEST(collection, forged_ids_that_are_empty_doubled_or_out_of_order_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_forge(ctx, make(ctx), "id.bytes", "aaaa", 4);
    dpl_collection *c = NULL;
    CHECK_EQ(dpl_collection_open(&c, ctx, path, &test_err), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "'doc.order': a string is there twice") != NULL);
    path = test_forge(ctx, make(ctx), "id.offsets", (uint64_t[]){0, 4, 4}, 24);
    CHECK_EQ(dpl_collection_open(&c, ctx, path, &test_err), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "'id.bytes': an empty string") != NULL);
    test_ctx_done(ctx);
    check_refused("doc.order", (uint32_t[]){0, 0}, 8, "a string is there twice");
    check_refused("doc.order", (uint32_t[]){1, 0}, 8, "strings out of order");
}

DPL_TEST(collection, forged_languages_are_refused)
{
    static const char *const bad[] = {"..de", "e/de", "en.d", "enDE", "en\tt", "--de", "e de"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_refused("lang.bytes", bad[i], 4, "not the code of a language");
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_forge(ctx, make(ctx), "lang.bytes", "qqde", 4),
                                 &test_err));
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(collection, forged_extra_fields_are_refused)
{
    static const char doc[] = "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"one\",\"x\":1234}\n";
    static const char *const bad[] = {"{\"x\":1}  {}", "\"xxxxxxxx\"",   "{\"x\":0123}",
                                      "[1,2,3,4,5]",   "{\"x\":\"\n\"}", "{\"x\":1},{}"};
    dpl_ctx *ctx = test_ctx(1);
    const char *in = test_write("in.jsonl", doc, sizeof doc - 1);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, test_path("x.dpl"), &in, 1, NULL, &test_err));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = test_forge(ctx, test_path("x.dpl"), "extra.bytes", bad[i], 10);
        CHECK_EQ(dpl_collection_open(&c, ctx, path, &test_err), DPL_E_FORMAT);
        CHECK(strstr(test_err.text, "section 'extra.bytes': not a JSON object") != NULL);
    }
    test_ctx_done(ctx);
}

/* Terms by number: "two" 3 times in 2 documents, "one" and "three" once. */
DPL_TEST(collection, forged_counts_are_refused)
{
    check_refused("term.docs", (uint32_t[]){0, 1, 1}, 12, "number out of range");
    check_refused("term.docs", (uint32_t[]){2, 0, 1}, 12, "number out of range");
    check_refused("term.docs", (uint32_t[]){3, 1, 1}, 12, "number out of range");
    check_refused("term.docs", (uint32_t[]){1, 1, 1}, 12, "not the number of entries");
    check_refused("term.counts", (uint64_t[]){2, 1, 1}, 24, "not the number of tokens");
    check_refused("term.counts", (uint64_t[]){UINT64_MAX, 3, 3}, 24, "number out of range");
    check_refused("row.counts", (uint32_t[]){3, 0, 1, 1}, 16, "not the counts of the tokens");
    check_refused("row.counts", (uint32_t[]){1, 1, 1, 1}, 16, "not the counts of the tokens");
    check_refused("term.order", (uint32_t[]){1, 2, 2}, 12, "a string is there twice");
}

DPL_TEST(collection, forged_terms_are_refused)
{
    check_refused("term.bytes", "tw\nonethree", 11, "a control character");
}

DPL_TEST(collection, forged_settings_are_refused)
{
    static const char *const bad[] = {"", "[]", "1", "{", "{\"a\":1}x", "{\"a\":01}"};
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        check_refused("settings", bad[i], strlen(bad[i]), "not a JSON object");
    check_refused("settings", "{\"a\":\"\x1B[31m\"}", 12, "a control character");
    check_refused("settings", "{\n}", 3, "a control character");
    check_refused("settings", "{\"a\":\"\xC3\"}", 9, "invalid UTF-8");
}

/* What import writes is never what opening refuses. */
DPL_TEST(collection, of_text_with_control_characters_opens)
{
    char in[2000];
    size_t at = 0;
    at += (size_t)sprintf(in, "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"x");
    for (unsigned c = 0; c < 0xA0; c = c == 0x1F ? 0x7F : c + 1)
        at += (size_t)sprintf(in + at, "a\\u%04xb. %u\\u%04x7", c, c, c);
    at += (size_t)sprintf(in + at, "\"}\n");
    const char *path = test_write("in.jsonl", in, at), *out = test_path("a.dpl");
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned ngram = 0; ngram < 4; ngram += 3) {
        dpl_import_options o = DPL_INIT(
            dpl_import_options,
            .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .ngrams = ngram));
        dpl_collection *c = NULL;
        CHECK_OK(dpl_import(NULL, ctx, out, &path, 1, &o, &test_err));
        CHECK_OK(dpl_collection_open(&c, ctx, out, &test_err));
        dpl_collection_close(c);
    }
    test_ctx_done(ctx);
}
