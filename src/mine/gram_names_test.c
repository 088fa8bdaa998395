#include "mine/gram_names.h"

#include "test.h"

#include <stdio.h>

static dpl_collection *import(dpl_ctx *ctx, const char *text, const char *lang)
{
    dpl_collection *c = NULL;
    const char *in = test_write("docs.tsv", text, strlen(text));
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = lang);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    CHECK_OK(dpl_import(NULL, ctx, test_path("docs.dpl"), &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("docs.dpl"), &test_err));
    return c;
}

static void find(dpl__gram_names *out, dpl_ctx *ctx, dpl_collection *c, uint32_t n_docs)
{
    static uint8_t skip[200];
    const dpl__comparable p = {
        .ctx = ctx, .c = {c, c}, .skip = {skip, skip}, .n_docs = {n_docs, n_docs}};
    CHECK_OK(dpl__gram_names_find(out, &p, 1, &test_err));
}

DPL_TEST(gram_names, are_those_of_several_documents_and_no_parts)
{
    char text[8000];
    size_t n = 0;
    dpl_ctx *ctx = test_ctx(1);
    dpl__gram_names g;
    for (int i = 0; i < 100; i++) /* the name in four of them, each with other neighbours */
        n += (size_t)snprintf(text + n, sizeof text - n, "%d\t%s\n", i,
                              i == 3    ? "天所罗门"
                              : i == 5  ? "所罗门地"
                              : i == 70 ? "人所罗门大"
                              : i == 99 ? "小所罗门"
                                        : "7");
    dpl_collection *c = import(ctx, text, "zh");
    find(&g, ctx, c, 100);
    CHECK_EQ(g.n, 1); /* neither of its parts */
    CHECK_STR(g.texts[0], "所罗门");
    CHECK_EQ(g.df[0], 4);
    CHECK_EQ(g.n_ids, 4);
    CHECK(g.begin[3] == 0 && g.begin[4] == 1 && g.begin[100] == 4 && g.ids[0] == 0);
    float share = 0;
    const uint32_t chosen = 0;
    CHECK_OK(dpl__gram_names_familiar(&share, &g, &chosen, 1, &test_err));
    CHECK(share == 0); /* it does not know itself */
    dpl__gram_names_clear(&g);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(gram_names, other_scripts_have_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__gram_names g;
    dpl_collection *c =
        import(ctx, "1\tソロモンの 王\n2\tソロモンの 王\n3\tソロモンの 王\n", "ja");
    find(&g, ctx, c, 3);
    CHECK_EQ(g.n, 0);
    dpl__gram_names_clear(&g);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
