/*
 * place_counts.h - how often the keys of all items name each place of a table, counted by
 * several processes, and told to who works on the items.
 *
 * Items are divided into files, a range of items each. Who makes a file knows the keys of its
 * items; who asks for the counts of a file gets them in the order of these keys.
 */
#ifndef DPL_DEDUP_PLACE_COUNTS_H
#define DPL_DEDUP_PLACE_COUNTS_H

#include "base/hash.h"
#include "base/vec.h"

typedef DPL_VEC(uint32_t) dpl__places;

/* Of a shared run. A place is the first bits of a key. */
typedef struct dpl__place_counts {
    dpl_ctx *ctx;
    size_t n_items, n_files;
} dpl__place_counts;

enum { DPL__PLACE_BITS = 32, DPL__PLACE_LEAST_BITS = 16, DPL__PLACE_BLOCK = 64 };

/* Items of a file: [first, end). */
typedef struct dpl__item_range {
    size_t first, end;
} dpl__item_range;
dpl__item_range dpl__places_items(const dpl__place_counts *c, size_t file);

/* The first DPL__PLACE_BITS bits of the keys of an item. */
typedef struct dpl__named_places {
    const uint32_t *places;
    size_t n;
} dpl__named_places;

/* Writes a file, which only the process that makes it has to do: items, as many as it has. */
dpl_status dpl__places_write(const dpl__place_counts *c, size_t file,
                             const dpl__named_places *items, dpl_error *err);

/* When all files are written: places of n_bits bits, from DPL__PLACE_LEAST_BITS on, are
 * counted, up to 255. All processes count some. */
dpl_status dpl__places_count(const dpl__place_counts *c, unsigned n_bits, dpl_error *err);

/* ---- the counts of a file ------------------------------------------------------------- */

/* Where the next item begins in a range of places. */
typedef struct dpl__place_cursor {
    uint64_t bit, key, more;
    uint64_t end; /* of the keys of an item that was begun */
} dpl__place_cursor;

typedef struct dpl__place_reader dpl__place_reader;

dpl_status dpl__place_reader_open(dpl__place_reader **out, const dpl__place_counts *c,
                                  size_t file, dpl_error *err);
void dpl__place_reader_close(dpl__place_reader *reader);
size_t dpl__place_reader_ranges(const dpl__place_counts *c);

/* Cursors, one for each range of places, to the first item of a block of DPL__PLACE_BLOCK. */
void dpl__place_block_begin(dpl__place_cursor *cursors, const dpl__place_reader *reader,
                            size_t block);
/* How many keys of the next item have a place that was named more than once. */
size_t dpl__place_item_begin(dpl__place_cursor *cursors, const dpl__place_reader *reader);
/* The count of the item's next key; in their order. */
unsigned dpl__place_item_next(dpl__place_cursor *cursors, const dpl__place_reader *reader,
                              uint32_t place);
/* Behind its last key, or before. */
void dpl__place_item_end(dpl__place_cursor *cursors, const dpl__place_reader *reader);

#endif
