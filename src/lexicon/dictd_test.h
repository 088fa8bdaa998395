/*
 * dictd_test.h - small dictionaries for dictd, made for tests.
 */
#ifndef DPL_LEXICON_DICTD_TEST_H
#define DPL_LEXICON_DICTD_TEST_H

#include "test.h"

#include <stdio.h>
#include <zlib.h>

typedef struct test_dictd {
    char index[4000], text[4000];
    size_t n_index, n_text;
} test_dictd;

/* A number in dictd's digits. */
static inline const char *test_dictd_number(size_t x)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char out[4][16];
    static unsigned turn;
    char *at = out[turn++ % 4] + 15;
    *at = 0;
    do
        *--at = digits[x % 64];
    while (x /= 64);
    return at;
}

/* Another headword of the article that begins n bytes before the end. */
static inline void test_dictd_also(test_dictd *d, const char *word, size_t n)
{
    d->n_index +=
        (size_t)snprintf(d->index + d->n_index, sizeof d->index - d->n_index, "%s\t%s\t%s\n",
                         word, test_dictd_number(d->n_text - n), test_dictd_number(n));
}

static inline void test_dictd_add(test_dictd *d, const char *word, const char *article)
{
    size_t n = strlen(article);
    CHECK(d->n_text + n < sizeof d->text && d->n_index + 100 < sizeof d->index);
    memcpy(d->text + d->n_text, article, n);
    d->n_text += n;
    test_dictd_also(d, word, n);
}

/* NAME.index and NAME.dict or, packed, NAME.dict.dz; returns the path without an ending. */
static inline const char *test_dictd_write(const test_dictd *d, const char *name,
                                           bool is_packed)
{
    char full[100], packed[8000];
    z_stream s = {.next_in = (Bytef *)(uintptr_t)d->text,
                  .avail_in = (uInt)d->n_text,
                  .next_out = (Bytef *)packed,
                  .avail_out = sizeof packed};
    snprintf(full, sizeof full, "%s.index", name);
    test_write(full, d->index, d->n_index);
    snprintf(full, sizeof full, "%s.dict%s", name, is_packed ? ".dz" : "");
    CHECK_EQ(deflateInit2(&s, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    CHECK_EQ(deflate(&s, Z_FINISH), Z_STREAM_END);
    deflateEnd(&s);
    test_write(full, is_packed ? packed : d->text, is_packed ? s.total_out : d->n_text);
    return test_path(name);
}

#endif
