/*
 * dictd_fuzz.c - any bytes as a dictionary for dictd: the index, an empty line, the text.
 *
 * Properties: with faults skipped, everything is read but what is compressed wrongly; what is
 * read without faults is the same with faults skipped; words are words, rows of the mixture are
 * probabilities that sum up to 1 at the most.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "lexicon/dictd.h"
#include "lexicon/mixture.h"

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

static void check_table(const dpl__table *t, size_t n_cols)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double sum = 0;
        for (uint64_t i = t->offsets[r]; i < t->offsets[r + 1]; i++) {
            REQUIRE(t->cols[i] < n_cols && t->p[i] >= 0 && t->p[i] <= 1);
            sum += (double)t->p[i];
        }
        REQUIRE(sum < 1.001);
    }
}

/* DPL_OK and the number of cells, or what went wrong. */
static dpl_status read_it(size_t *n_cells, dpl_str index, dpl_str text, bool skips,
                          const char *left)
{
    dpl__dictd d;
    dpl__translations g;
    dpl__mixture mix;
    REQUIRE(dpl__translations_open(&g, ctx, NULL) == DPL_OK);
    REQUIRE(dpl__translations_languages(&g, left, "en", NULL) == DPL_OK);
    dpl_status status = dpl__dictd_open_memory(&d, ctx, index, text, skips, NULL);
    if (status == DPL_OK)
        status = dpl__translations_add_dictd(&g, &d, NULL);
    if (status == DPL_OK) {
        *n_cells = g.cells[DPL__LEFT].n + g.parts.n;
        dpl__mixture_init(&mix, ctx, index.n & 1);
        REQUIRE(dpl__mixture_add(&mix, &g, text.n & 1, 0.7, NULL) == DPL_OK);
        REQUIRE(dpl__mixture_finish(&mix, NULL) == DPL_OK);
        for (int side = 0; side < 2; side++) {
            check_words(&mix.sorted[side]);
            check_table(&mix.table[side], mix.sorted[!side].n);
        }
        dpl__mixture_clear(&mix);
    }
    dpl__dictd_close(&d);
    dpl__translations_close(&g);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const langs[] = {"de", "fr", "ja", ""};
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    size_t at = 0, n_strict = 0, n_skipping = 0;
    while (at + 1 < n && (data[at] != '\n' || data[at + 1] != '\n'))
        at++;
    dpl_str index = {(const char *)data, at + 1 < n ? at + 1 : n};
    dpl_str text = {(const char *)data + dpl__min(index.n + 1, n),
                    n - dpl__min(index.n + 1, n)};
    const char *lang = langs[n % DPL_LEN(langs)];
    dpl_status strict = read_it(&n_strict, index, text, false, lang);
    dpl_status skipping = read_it(&n_skipping, index, text, true, lang);
    REQUIRE(skipping == DPL_OK || skipping == DPL_E_FORMAT || skipping == DPL_E_LIMIT);
    REQUIRE(strict != DPL_OK || (skipping == DPL_OK && n_strict == n_skipping));
    return 0;
}
