#include "tokens/segment.h"

#include "base/hash.h"
#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <stdlib.h>

/* Code points that meet in the rules: letters of several scripts, digits, everything that
 * joins, marks, format characters, blanks and line ends, dictionary scripts, emoji with
 * joiners. */
static const uint32_t alphabet[] = {
    'a',     'b',     'Z',     'x',     '0',     '9',     '_',     '@',     '\'',    '.',
    ',',     ';',     ':',     '"',     '-',     ' ',     ' ',     '\n',    '\r',    '\t',
    0x0B,    '(',     '/',     0xAD,    0xB7,    0xE4,    0xDF,    0xD7,    0xA0,    0x85,
    0x117,   0x24F,   0x437,   0x481,   0x2D7,   0x301,   0x308,   0x387,   0x3B1,   0x416,
    0x55F,   0x58A,   0x5D0,   0x5D1,   0x5F3,   0x5F4,   0x600,   0x627,   0x660,   0x66B,
    0x66C,   0x915,   0x94D,   0x93C,   0xE01,   0xE32,   0xE40,   0x1000,  0x1780,  0x17D2,
    0x200B,  0x200C,  0x200D,  0x2018,  0x2019,  0x2024,  0x2027,  0x2028,  0x203F,  0x2044,
    0x2060,  0x231A,  0x3000,  0x3042,  0x30A2,  0x30FC,  0x3031,  0x4E00,  0x5B57,  0xAC00,
    0xD55C,  0x1100,  0xFE55,  0xFE13,  0xFF0E,  0xFF1A,  0xFF10,  0xFF21,  0xFEFF,  0xFFFD,
    0xFE0F,  0x1F600, 0x1F469, 0x1F1E9, 0x1F1EA, 0x1D400, 0x1D7CE, 0x20000, 0x16FF0, 0xE0101,
    0x17000, 0x1F3FB};

enum { MOST_CHARS = 40 };

static dpl_str random_text(dpl__rng *rng, char *out)
{
    size_t n = 0, n_chars = 1 + dpl__rng_below(rng, MOST_CHARS);
    /* Mostly a few neighbours of the table, so that scripts meet their own kind. */
    size_t centre = dpl__rng_below(rng, DPL_LEN(alphabet)), width = 2 + dpl__rng_below(rng, 40);
    for (size_t i = 0; i < n_chars; i++) {
        size_t k = dpl__rng_below(rng, 3) ? (centre + dpl__rng_below(rng, width))
                                          : dpl__rng_below(rng, 30);
        n += dpl__utf8_encode(out + n, alphabet[k % DPL_LEN(alphabet)]);
    }
    memset(out + n, 'q', 64); /* what stands behind the text must not matter */
    return (dpl_str){out, n};
}

static void check_same(dpl__segmenter *seg, dpl_str text, const char *lang, uint64_t seed)
{
    dpl_ctx *ctx = *(dpl_ctx **)(void *)seg; /* its first member */
    dpl__spans ours = {0}, icus = {0};
    CHECK_OK(dpl__segment(seg, text, lang, &ours, &test_err));
    CHECK_OK(dpl__segment_icu(seg, text, lang, &icus, &test_err));
    bool is_same = ours.n == icus.n && (ours.n == 0 || memcmp(ours.data, icus.data,
                                                              ours.n * sizeof *ours.data) == 0);
    if (!is_same && text.n < 200) {
        printf("    %s:", lang);
        for (size_t i = 0; i < text.n;) {
            uint32_t c;
            i += dpl__utf8_decode((const uint8_t *)text.data + i, &c);
            printf(" %04X", c);
        }
        for (size_t i = 0; i < ours.n; i++)
            printf(" [%u,%u)", ours.data[i].begin, ours.data[i].end);
        printf(" icu:");
        for (size_t i = 0; i < icus.n; i++)
            printf(" [%u,%u)", icus.data[i].begin, icus.data[i].end);
        putchar('\n');
    }
    dpl__vec_clear(ctx, &ours, &icus);
    if (!is_same)
        dpl__test_fail(__FILE__, __LINE__, "differs from ICU, seed %llu",
                       (unsigned long long)seed);
}

DPL_TEST(segment, gives_icus_answer_on_random_text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__segmenter *seg = NULL;
    CHECK_OK(dpl__segmenter_new(&seg, ctx, &test_err));
    static char buffer[4 * MOST_CHARS + 64];
    for (uint64_t seed = 0; seed < 60000; seed++) {
        dpl__rng rng = {seed << 20};
        check_same(seg, random_text(&rng, buffer), seed % 3 ? "en" : "sv", seed);
    }
    dpl__segmenter_free(seg);
    test_ctx_done(ctx);
}

DPL_TEST(segment, gives_icus_answer_on_every_assigned_character_between_letters)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__segmenter *seg = NULL;
    CHECK_OK(dpl__segmenter_new(&seg, ctx, &test_err));
    for (uint32_t c = 1; c < 0x20000; c++) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        char text[128];
        size_t n = 0;
        memcpy(text, "ab", 2), n = 2;
        n += dpl__utf8_encode(text + n, c);
        memcpy(text + n, "cd 12", 5), n += 5;
        n += dpl__utf8_encode(text + n, c);
        memcpy(text + n, "34 ", 3), n += 3;
        n += dpl__utf8_encode(text + n, c);
        memset(text + n, 'q', 64);
        check_same(seg, (dpl_str){text, n}, "de", c);
    }
    dpl__segmenter_free(seg);
    test_ctx_done(ctx);
}

/* Runs longer than a mask window, words across its border. */
DPL_TEST(segment, gives_icus_answer_across_windows)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__segmenter *seg = NULL;
    CHECK_OK(dpl__segmenter_new(&seg, ctx, &test_err));
    static char text[20000 + 64];
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {seed};
        size_t n = 0, size = 3900 + dpl__rng_below(&rng, 400) + (seed % 4) * 4096;
        size_t gap = 1 + dpl__rng_below(&rng, seed % 10 == 0 ? 9000 : 60);
        while (n < size) {
            static const char *const words[] = {"word",  "ä",    "3,14", "don't",
                                                "end. ", "漢字", "x"};
            const char *w = words[dpl__rng_below(&rng, DPL_LEN(words))];
            memcpy(text + n, w, strlen(w));
            n += strlen(w);
            if (dpl__rng_below(&rng, gap) == 0)
                text[n++] = ' ';
        }
        memset(text + n, 'q', 64);
        check_same(seg, (dpl_str){text, n}, "en", seed);
    }
    dpl__segmenter_free(seg);
    test_ctx_done(ctx);
}
