/*
 * drawn_text_test.h - small parallel texts and what is done with them, for the tests of
 * training and alignment from files.
 */
#ifndef DPL_LEXICON_DRAWN_TEXT_TEST_H
#define DPL_LEXICON_DRAWN_TEXT_TEST_H

#include "doppel/lexicon.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* Made-up languages: word 7 is "ba7" on the left and "go7" on the right, and right sides are in
 * the opposite order. One row a line, with a full stop. */
static inline const char *rows_draw(const char *name, uint64_t seed, size_t n_rows,
                                    unsigned first_word, unsigned n_words)
{
    dpl__rng rng = {seed};
    const char *path = test_path(name);
    FILE *f = fopen(path, "w");
    CHECK(f);
    for (size_t row = 0; row < n_rows; row++) {
        unsigned words[8], n = 2 + (unsigned)dpl__rng_below(&rng, 6);
        for (unsigned i = 0; i < n; i++) {
            words[i] =
                first_word + (unsigned)dpl__rng_below(&rng, dpl__rng_below(&rng, n_words) + 1);
            fprintf(f, "%sba%u", i ? " " : "", words[i]);
        }
        fputs(".\t", f);
        for (unsigned i = n; i-- > 0;)
            fprintf(f, "Go%u%s", words[i], i ? " " : ".\n");
    }
    CHECK_EQ(fclose(f), 0);
    return path;
}

static inline dpl_train_options rows_options(void)
{
    static const dpl_bitext_options read = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV,
                                                    .left_lang = "de", .right_lang = "en");
    return (dpl_train_options)DPL_INIT(dpl_train_options, .read = &read);
}

static inline dpl_status rows_train(dpl_train_summary *s, dpl_ctx *ctx, const char *out,
                                    const char *path, const dpl_train_options *o)
{
    return dpl_lexicon_train(s, ctx, out, &path, 1, o, &test_err);
}

static inline bool rows_same_bytes(const char *one, const char *other)
{
    size_t n[2];
    char *bytes[2] = {test_read(one, &n[0]), test_read(other, &n[1])};
    bool is_same = n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return is_same;
}

/* p(target|source), or p(source|target); 0 when a word is not there. */
static inline float rows_p(const dpl_lexicon *l, const char *source, const char *target,
                           bool is_back)
{
    uint32_t s, t;
    if (!dpl_lexicon_find_source(l, dpl__cstr(source), &s) ||
        !dpl_lexicon_find_target(l, dpl__cstr(target), &t))
        return 0;
    const float *p;
    size_t n;
    const uint32_t *cols =
        is_back ? dpl_lexicon_back_row(l, t, &p, &n) : dpl_lexicon_row(l, s, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (cols[i] == (is_back ? s : t))
            return p[i];
    return 0;
}

#endif
