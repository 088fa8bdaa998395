#include "dedup/place_counts.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_KEYS = 90, N_BITS = 17 };

/* Keys of an item: few places often, most once or never. */
static size_t keys_of(uint32_t keys[MOST_KEYS], size_t item, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed) + item};
    const size_t n = (size_t)(dpl__mix(item + seed) % MOST_KEYS);
    for (size_t i = 0; i < n; i++)
        keys[i] = dpl__rng_below(&rng, 4) ? (uint32_t)dpl__mix(dpl__rng_below(&rng, 1 << 20))
                                          : (uint32_t)dpl__mix(dpl__rng_below(&rng, 40));
    return n;
}

static unsigned *count_all(size_t n_items, uint64_t seed)
{
    unsigned *counts = calloc((size_t)1 << N_BITS, sizeof *counts);
    for (size_t item = 0; item < n_items; item++) {
        uint32_t keys[MOST_KEYS];
        for (size_t n = keys_of(keys, item, seed); n > 0; n--)
            counts[keys[n - 1] >> (32 - N_BITS)]++;
    }
    return counts;
}

static void write_file(const dpl__place_counts *c, size_t file, uint64_t seed)
{
    const dpl__item_range items = dpl__places_items(c, file);
    const size_t n = items.end - items.first;
    uint32_t(*keys)[MOST_KEYS] = malloc((n + 1) * sizeof *keys);
    dpl__named_places *named = malloc((n + 1) * sizeof *named);
    for (size_t i = 0; i < n; i++)
        named[i] = (dpl__named_places){keys[i], keys_of(keys[i], items.first + i, seed)};
    CHECK_OK(dpl__places_write(c, file, named, &test_err));
    free(named);
    free(keys);
}

/* The counts of all items of a file, but for some, which nobody asks for. */
static void check_file(const dpl__place_counts *c, size_t file, uint64_t seed,
                       const unsigned *counts, size_t *n_more, size_t *n_full)
{
    const dpl__item_range items = dpl__places_items(c, file);
    dpl__place_cursor cursors[40];
    dpl__place_reader *reader;
    CHECK(dpl__place_reader_ranges(c) <= DPL_LEN(cursors));
    CHECK_OK(dpl__place_reader_open(&reader, c, file, &test_err));
    for (size_t item = items.first; item < items.end; item++) {
        uint32_t keys[MOST_KEYS];
        const size_t n = keys_of(keys, item, seed);
        size_t n_shared = 0;
        if ((item - items.first) % DPL__PLACE_BLOCK == 0)
            dpl__place_block_begin(cursors, reader, (item - items.first) / DPL__PLACE_BLOCK);
        for (size_t i = 0; i < n; i++)
            n_shared += counts[keys[i] >> (32 - N_BITS)] > 1;
        CHECK_EQ(dpl__place_item_begin(cursors, reader), n_shared);
        for (size_t i = 0; i < n && item % 3; i++) {
            const unsigned expected = counts[keys[i] >> (32 - N_BITS)];
            CHECK_EQ(dpl__place_item_next(cursors, reader, keys[i]),
                     expected > 255 ? 255 : expected);
            *n_more += expected > 2;
            *n_full += expected > 255;
        }
        dpl__place_item_end(cursors, reader);
    }
    dpl__place_reader_close(reader);
}

DPL_TEST(place_counts, counts_come_back_in_the_order_of_keys_for_any_number_of_processes)
{
    static const struct {
        size_t n_items, n_files;
        uint32_t n_parts;
    } cases[] = {{3, 1, 1},   {50, 3, 3},   {64, 1, 2},  {65, 1, 2},  {640, 4, 7},
                 {90, 91, 2}, {400, 5, 40}, {700, 2, 5}, {129, 3, 16}};
    size_t n_more = 0, n_full = 0;
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)i % 3);
        const dpl__place_counts c = {ctx, cases[i].n_items, cases[i].n_files};
        unsigned *counts = count_all(c.n_items, i);
        dpl_shared_run *run = NULL;
        char name[20];
        snprintf(name, sizeof name, "out%zu", i);
        CHECK_OK(dpl_shared_run_open(&run, ctx, test_path(name),
                                     &(dpl_part){0, cases[i].n_parts}, "x", &test_err));
        for (size_t file = 0; file < c.n_files; file++)
            write_file(&c, file, i);
        CHECK_OK(dpl__places_count(&c, N_BITS, &test_err));
        for (size_t file = 0; file < c.n_files; file++)
            check_file(&c, file, i, counts, &n_more, &n_full);
        dpl_shared_run_close(run);
        free(counts);
        test_ctx_done(ctx);
    }
    CHECK(n_more > 500 && n_full > 3);
}

/* Bytes of a file of the run, from its end or of it, that are not as they were written. */
static void damage(const char *path, bool cuts)
{
    FILE *file = fopen(path, "rb+");
    char bytes[1 << 16];
    CHECK(file);
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(n > 64 && n < sizeof bytes);
    memset(bytes, 0xFF, 64);
    file = fopen(path, "wb");
    CHECK_EQ(fwrite(bytes, 1, cuts ? n / 2 : n, file), cuts ? n / 2 : n);
    fclose(file);
}

DPL_TEST(place_counts, damaged_files_are_refused)
{
    for (int k = 0; k < 4; k++) {
        dpl_ctx *ctx = test_ctx(1);
        const dpl__place_counts c = {ctx, 60, 1};
        dpl_shared_run *run = NULL;
        dpl__place_reader *reader;
        char out[300], name[20], path[400];
        snprintf(name, sizeof name, "damaged%d", k);
        snprintf(out, sizeof out, "%s", test_path(name));
        CHECK_OK(dpl_shared_run_open(&run, ctx, out, &(dpl_part){0, 2}, "x", &test_err));
        write_file(&c, 0, 5);
        snprintf(path, sizeof path, "%s.parts/places-%016x-1-1", out, 60);
        if (k < 2) {
            damage(path, k);
            CHECK_EQ(dpl__places_count(&c, N_BITS, &test_err), DPL_E_FORMAT);
        } else {
            CHECK_OK(dpl__places_count(&c, N_BITS, &test_err));
            snprintf(path, sizeof path, "%s.parts/counts-%016x-2-2", out, 60);
            damage(path, k % 2);
            CHECK_EQ(dpl__place_reader_open(&reader, &c, 0, &test_err), DPL_E_FORMAT);
        }
        CHECK(strstr(test_err.text, "is damaged"));
        dpl_shared_run_close(run);
        test_ctx_done(ctx);
    }
}
