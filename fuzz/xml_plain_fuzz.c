/*
 * xml_plain_fuzz.c - any valid UTF-8 as plain XML: what is accepted is accepted by Expat, too,
 * and means the same.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "readers/wiki/xml_plain.h"

#include <expat.h>

enum { MOST = 1 << 16 };

/* What callbacks were told: text in one piece, whatever pieces it came in. */
typedef struct events {
    char bytes[8 * MOST];
    size_t n;
    bool is_text;
} events;

static void note(events *e, char kind, const char *text, size_t n)
{
    if (kind != 't' || !e->is_text)
        e->bytes[e->n++] = kind;
    e->is_text = kind == 't';
    REQUIRE(n <= sizeof e->bytes - e->n);
    memcpy(e->bytes + e->n, text, n);
    e->n += n;
}

static void on_start(void *user, const char *name, const char **attributes)
{
    note(user, 's', name, strlen(name) + 1);
    for (; *attributes; attributes++)
        note(user, 'a', *attributes, strlen(*attributes) + 1);
}

static void on_end(void *user, const char *name)
{
    note(user, 'e', name, strlen(name) + 1);
}

static void on_text(void *user, const char *text, int n)
{
    note(user, 't', text, (size_t)n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static events ours, expat;
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, NULL, NULL) == DPL_OK);
    uint8_t most;
    if (n == 0 || n > MOST || ctx->kernels->utf8_prefix(data, n, &most) != n)
        return 0;
    const dpl__xml_plain xml = {
        .start = on_start, .end = on_end, .text = on_text, .user = &ours};
    ours.n = expat.n = 0;
    ours.is_text = expat.is_text = false;
    if (!dpl__xml_plain_parse(&xml, ctx, (dpl_str){(const char *)data, n}))
        return 0;
    XML_Parser parser = XML_ParserCreate("UTF-8");
    REQUIRE(parser != NULL);
    XML_SetUserData(parser, &expat);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    REQUIRE(XML_Parse(parser, (const char *)data, (int)n, XML_TRUE) == XML_STATUS_OK);
    XML_ParserFree(parser);
    REQUIRE(ours.n == expat.n && memcmp(ours.bytes, expat.bytes, ours.n) == 0);
    return 0;
}
