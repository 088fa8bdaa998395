/*
 * wikitext_fuzz.c - any valid UTF-8 as wikitext.
 *
 * Property: the text is clean (valid UTF-8, no control characters but marks of sections at the
 * beginnings of lines, no empty lines, no blanks at the ends of a line or doubled), links point
 * into the source, and the scalar kernels give the same bytes.
 */
#include "fuzz.h"

#include "readers/wiki/wikifields.h"

#include "base/ctx.h"
#include "doppel/text.h"
#include "kernels/kernels.h"
#include "readers/json_parser.h"

#include <stdint.h>
#include <stdlib.h>

static dpl_ctx *new_ctx(dpl_cpu cpu)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .cpu = cpu);
    REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    return ctx;
}

static void require_clean(dpl_ctx *ctx, dpl_str text)
{
    uint8_t most;
    REQUIRE(ctx->kernels->utf8_prefix((const uint8_t *)text.data, text.n, &most) == text.n);
    for (size_t i = 0; i < text.n; i++) {
        bool is_first = i == 0 || text.data[i - 1] == '\n';
        bool is_last = i + 1 == text.n || text.data[i + 1] == '\n';
        bool is_mark = text.data[i] == DPL_SECTION_MARK && is_first && !is_last;
        REQUIRE((uint8_t)text.data[i] >= ' ' || (text.data[i] == '\n' && !is_first) || is_mark);
        REQUIRE(text.data[i] != ' ' || !(is_first || is_last || text.data[i + 1] == ' ' ||
                                         text.data[i - 1] == DPL_SECTION_MARK));
    }
    REQUIRE(text.n == 0 || text.data[text.n - 1] == '\n');
}

/* Fields are JSON, and their text is UTF-8. */
static void require_fields(dpl_ctx *ctx, const dpl__wikitext *page, dpl_str source)
{
    dpl__wiki_fields f = {.ctx = ctx, .wants = DPL__WIKI_INFOBOX | DPL__WIKI_TABLES};
    uint8_t most;
    REQUIRE(dpl__wiki_fields_find(&f, page, source, NULL) == DPL_OK);
    REQUIRE(ctx->kernels->utf8_prefix((const uint8_t *)f.text.data, f.text.n, &most) ==
            f.text.n);
    if (f.members.n) {
        REQUIRE(f.members.data[0] == ',');
        f.members.data[0] = '{';
        REQUIRE(dpl__vec_push(ctx, &f.members, '}'));
        dpl__json j = dpl__json_begin(ctx, (dpl_str){f.members.data, f.members.n});
        dpl_str raw;
        REQUIRE(dpl__json_skip(&j, &raw) == DPL_OK && dpl__json_end(&j) == DPL_OK);
    }
    dpl__wiki_fields_clear(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx[2];
    if (!ctx[0]) {
        ctx[0] = new_ctx(DPL_CPU_AUTO);
        ctx[1] = new_ctx(DPL_CPU_SCALAR);
    }
    uint8_t most;
    dpl_str source = {(const char *)data, ctx[0]->kernels->utf8_prefix(data, n, &most)};
    dpl_str out[2];
    dpl__wikitext w[2];
    dpl__arena arena[2];
    for (int i = 0; i < 2; i++) {
        w[i] = (dpl__wikitext){.ctx = ctx[i]};
        dpl__arena_init(&arena[i], ctx[i]);
        REQUIRE(dpl__wikitext_plain(&out[i], &w[i], &arena[i], source, NULL) == DPL_OK);
    }
    require_clean(ctx[0], out[0]);
    require_fields(ctx[0], &w[0], source);
    REQUIRE(dpl__str_eq(out[0], out[1]) && w[0].links.n == w[1].links.n);
    for (size_t i = 0; i < w[0].links.n; i++) {
        dpl_str name = w[0].links.data[i].name;
        REQUIRE(name.n && name.data >= source.data &&
                name.data + name.n <= source.data + source.n);
    }
    for (int i = 0; i < 2; i++) {
        dpl__wikitext_clear(&w[i]);
        dpl__arena_clear(&arena[i]);
    }
    return 0;
}
