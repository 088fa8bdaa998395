/*
 * lexicon_fuzz.c - any text as a lexicon.
 *
 * Properties: with faults skipped, everything is read; words rise and every source has a row of
 * probabilities above 0 and up to 1; a lexicon without faults is the same whatever the order of
 * its lines.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "kernels/kernels.h"
#include "lexicon/lexicon.h"

#include <math.h>

static dpl_ctx *ctx;

static void check_words(const dpl__strings *words)
{
    for (size_t i = 0; i < words->n; i++) {
        dpl_str word = dpl__string(words, i);
        uint8_t most;
        REQUIRE(word.n > 0);
        REQUIRE(i == 0 || dpl__str_cmp(dpl__string(words, i - 1), word) < 0);
        REQUIRE(ctx->kernels->utf8_prefix((const uint8_t *)word.data, word.n, &most) == word.n);
    }
}

static void check_lexicon(const dpl_lexicon *l)
{
    check_words(&l->words[DPL__LEFT]);
    check_words(&l->words[DPL__RIGHT]);
    for (uint32_t s = 0; s < dpl_lexicon_get_sizes(l)->n_sources; s++) {
        const float *p;
        size_t n;
        const uint32_t *row = dpl_lexicon_row(l, s, &p, &n);
        REQUIRE(n > 0);
        for (size_t i = 0; i < n; i++) {
            REQUIRE(p[i] > 0 && p[i] <= 1 && row[i] < dpl_lexicon_get_sizes(l)->n_targets);
            REQUIRE(i == 0 || row[i] > row[i - 1]);
        }
    }
}

static void check_same(const dpl_lexicon *a, const dpl_lexicon *b)
{
    REQUIRE(a->words[DPL__LEFT].n == b->words[DPL__LEFT].n &&
            a->words[DPL__RIGHT].n == b->words[DPL__RIGHT].n);
    REQUIRE(a->table[DPL__LEFT].n == b->table[DPL__LEFT].n);
    for (size_t i = 0; i < a->words[DPL__LEFT].n; i++) {
        REQUIRE(dpl__str_eq(dpl__string(&a->words[DPL__LEFT], i),
                            dpl__string(&b->words[DPL__LEFT], i)));
        REQUIRE(a->table[DPL__LEFT].offsets[i + 1] == b->table[DPL__LEFT].offsets[i + 1]);
    }
    for (size_t i = 0; i < a->table[DPL__LEFT].n; i++) {
        REQUIRE(dpl__str_eq(dpl__string(&a->words[DPL__RIGHT], a->table[DPL__LEFT].cols[i]),
                            dpl__string(&b->words[DPL__RIGHT], b->table[DPL__LEFT].cols[i])));
        REQUIRE(fabsf(a->table[DPL__LEFT].p[i] - b->table[DPL__LEFT].p[i]) <=
                1e-6f); /* other order of additions */
    }
}

/* A first line that says nothing, so that no text looks compressed or begins with a mark; then
 * the lines, each with its end, perhaps the last one first. */
static void write_lines(dpl__bytes *out, dpl_str text, bool is_reversed)
{
    static const char first[] = "x\ty\t0\n";
    out->n = 0;
    REQUIRE(dpl__vec_append(ctx, out, first, sizeof first - 1));
    size_t begin = out->n, n = text.n + (text.n && text.data[text.n - 1] != '\n');
    REQUIRE(dpl__vec_reserve(ctx, out, n + 1));
    out->n += n;
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.data + at, '\n', text.n - at);
        size_t length = end ? (size_t)(end - text.data) - at : text.n - at;
        char *to = out->data + begin + (is_reversed ? n - at - length - 1 : at);
        memcpy(to, text.data + at, length);
        to[length] = '\n';
        at += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl__bytes bytes;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options, .source_lang = n & 1 ? "tr" : NULL);
    dpl_lexicon *a = NULL, *b = NULL;
    write_lines(&bytes, (dpl_str){(const char *)data, n}, false);
    dpl_str text = {bytes.data, bytes.n};
    if (dpl__lexicon_open_memory(&a, ctx, "x", text, &o, NULL) == DPL_OK) {
        check_lexicon(a);
        write_lines(&bytes, (dpl_str){(const char *)data, n}, true);
        text = (dpl_str){bytes.data, bytes.n};
        REQUIRE(dpl__lexicon_open_memory(&b, ctx, "x", text, &o, NULL) == DPL_OK);
        check_same(a, b);
    }
    dpl_lexicon_close(a);
    dpl_lexicon_close(b);
    o.on_error = DPL_ON_ERROR_SKIP;
    REQUIRE(dpl__lexicon_open_memory(&a, ctx, "x", text, &o, NULL) == DPL_OK);
    check_lexicon(a);
    dpl_lexicon_close(a);
    return 0;
}
