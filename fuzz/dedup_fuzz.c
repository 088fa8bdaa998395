/*
 * dedup_fuzz.c - stored pairs of dedup: what is accepted is in range; and parts of a text:
 * together they are the text.
 */
#include "fuzz.h"

#include "dedup/text_parts.h"
#include "dedup/work.h"

enum { N_DOCS = 1000 };

static void check_edges(dpl_ctx *ctx, const uint8_t *data, size_t n)
{
    dpl__lines lines;
    dpl__found found = {0};
    dpl_error err = {0};
    if (dpl__lines_open_memory(&lines, ctx, "fuzz", data, n, &err) != DPL_OK)
        return;
    dpl_status status = dpl__work_parse_edges(&found, &lines, N_DOCS, &err);
    REQUIRE((status < 0) == (err.text[0] != 0));
    for (size_t i = 0; i < found.edges.n; i++) {
        const dpl_dedup_edge *e = &found.edges.data[i];
        REQUIRE(e->left < e->right && e->right < N_DOCS && dpl_dedup_kind_name(e->kind));
    }
    dpl__vec_clear(ctx, &found.edges);
    dpl__lines_close(&lines);
}

static void check_parts(dpl_dedup_unit unit, const uint8_t *data, size_t n)
{
    dpl__part_walk walk = {.unit = unit, .text = {(const char *)data, n}};
    dpl__part part;
    size_t at = 0;
    while (dpl__part_next(&walk, &part)) {
        REQUIRE(part.begin == at && part.end > part.begin && part.end <= n);
        at = part.end;
    }
    REQUIRE(at == n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    check_edges(ctx, data, n);
    check_parts(DPL_DEDUP_LINE, data, n);
    check_parts(DPL_DEDUP_PARAGRAPH, data, n);
    return 0;
}
