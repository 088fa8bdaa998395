#include "io/text_output.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_text(const char *path, const char *wanted)
{
    size_t n;
    char *text = test_read(path, &n);
    CHECK_EQ(n, strlen(wanted));
    CHECK(memcmp(text, wanted, n) == 0);
    free(text);
}

DPL_TEST(text_output, columns_stay_on_their_line)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *o = NULL;
    CHECK_OK(dpl__open_output(&o, ctx, test_path(""), "columns.tsv", &test_err));
    dpl__put_field(o, (dpl_str){"a\tb\nc\0d\x01", 8}, "\t");
    dpl__put_field(o, (dpl_str){NULL, 0}, "\t");
    dpl__put_field(o, DPL_STR("\r"), "");
    dpl__put(o, "\t%u%s", 7u, "\n");
    dpl__put_str(o, DPL_STR("\tas it is\n"));
    CHECK_OK(dpl__output_end(o, DPL_OK, &test_err));
    check_text(test_path("columns.tsv"), "a b c d \t\t \t7\n\tas it is\n");
    dpl_ctx_free(ctx);
}

DPL_TEST(text_output, after_a_failure_there_is_no_file)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *o = NULL;
    CHECK_OK(dpl__open_output(&o, ctx, test_path(""), "failed.tsv", &test_err));
    dpl__put(o, "half of it");
    CHECK_EQ(dpl__output_end(o, DPL_E_LIMIT, &test_err), DPL_E_LIMIT);
    CHECK(access(test_path("failed.tsv"), F_OK) != 0);
    CHECK_EQ(dpl__output_end(NULL, DPL_OK, &test_err), DPL_OK);
    dpl_ctx_free(ctx);
}

DPL_TEST(text_output, json_and_long_texts)
{
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *o = NULL;
    CHECK_OK(dpl__open_output(&o, ctx, test_path(""), "long.json", &test_err));
    dpl_json j = dpl__output_json(o, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "a", "b");
    dpl_json_end(&j, '}');
    CHECK_OK(dpl__output_end(o, DPL_OK, &test_err));
    check_text(test_path("long.json"), "{\"a\":\"b\"}");
    CHECK_OK(dpl__open_output(&o, ctx, test_path(""), "long", &test_err));
    dpl__put(o, "%s", text);
    CHECK_OK(dpl__output_end(o, DPL_OK, &test_err));
    text[4095] = '\0'; /* what does not fit is cut */
    check_text(test_path("long"), text);
    dpl_ctx_free(ctx);
}
