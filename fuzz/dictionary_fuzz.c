/*
 * dictionary_fuzz.c - any text as a dictionary, in the format that it looks like or in each.
 *
 * Properties: with faults skipped, everything is read, unless it looks like no dictionary; what
 * is read without faults is the same with faults skipped; words are words, rows of the mixture
 * are probabilities that sum up to 1 at the most.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "lexicon/dictionary_lines.h"
#include "lexicon/mixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dpl_ctx *ctx;
static char path[64];

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

static dpl_status add_all(dpl__translations *g, dpl_dictionary_format format, bool skips)
{
    dpl__dictionary_lines l;
    dpl__synsets synsets = {0};
    dpl_status status = dpl__dictionary_lines_open(&l, g, path, format, NULL);
    if (status == DPL_OK)
        status = dpl__dictionary_lines_read(&l, &synsets, skips, NULL);
    if (status == DPL_OK && synsets.words.n)
        status = dpl__synsets_translations(&synsets, g, NULL);
    dpl__synsets_clear(&synsets);
    dpl__dictionary_lines_close(&l);
    return status;
}

/* DPL_OK and the number of cells, or what went wrong. */
static dpl_status read_it(size_t *n_cells, dpl_dictionary_format format, bool skips)
{
    dpl__translations g;
    dpl__mixture mix;
    REQUIRE(dpl__translations_open(&g, ctx, NULL) == DPL_OK);
    REQUIRE(dpl__translations_languages(&g, "de", "en", NULL) == DPL_OK);
    dpl_status status = add_all(&g, format, skips);
    if (status == DPL_OK && g.is_weighted) {
        *n_cells = g.cells[DPL__LEFT].n + g.parts.n;
        dpl__mixture_init(&mix, ctx, *n_cells & 1);
        REQUIRE(dpl__mixture_add(&mix, &g, *n_cells & 2, 0.7, NULL) == DPL_OK);
        REQUIRE(dpl__mixture_finish(&mix, NULL) == DPL_OK);
        for (int side = 0; side < 2; side++) {
            check_words(&mix.sorted[side]);
            check_table(&mix.table[side], mix.sorted[!side].n);
        }
        dpl__mixture_clear(&mix);
    }
    dpl__translations_close(&g);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!ctx) {
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
        snprintf(path, sizeof path, "/tmp/dictionary_fuzz.%ld", (long)getpid());
    }
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
    for (int i = DPL_DICTIONARY_AUTO; i <= DPL_DICTIONARY_TEI; i++) {
        size_t n_strict = 0, n_skipping = 0;
        if (i == DPL_DICTIONARY_LEXICON || i == DPL_DICTIONARY_DICTD)
            continue;
        dpl_status strict = read_it(&n_strict, (dpl_dictionary_format)i, false);
        dpl_status skipping = read_it(&n_skipping, (dpl_dictionary_format)i, true);
        REQUIRE(skipping == DPL_OK || skipping == DPL_E_FORMAT || skipping == DPL_E_LIMIT);
        REQUIRE(strict != DPL_OK || (skipping == DPL_OK && n_strict == n_skipping));
    }
    remove(path);
    return 0;
}
