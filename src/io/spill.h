/*
 * spill.h - what does not fit into memory goes to unnamed temporary files, and comes back.
 *
 * A spool is bytes that are first appended, then read at any offset. A sorter takes records
 * and gives them back in order. Both stay in memory as long as their share lasts. The files
 * are unlinked as soon as they are open: nothing stays behind, whatever happens.
 */
#ifndef DPL_IO_SPILL_H
#define DPL_IO_SPILL_H

#include "base/vec.h"

#include <stdatomic.h>

/* Where temporary files go, and how much went there. Locked. */
typedef struct dpl__spill {
    dpl_ctx *ctx;
    char *dir;
    _Atomic uint64_t n_bytes;
} dpl__spill;

dpl_status dpl__spill_init(dpl__spill *spill, dpl_ctx *ctx, const char *dir, dpl_error *err);
void dpl__spill_clear(dpl__spill *spill);

/* ---- spool -------------------------------------------------------------------------- */

typedef struct dpl__spool {
    dpl__spill *spill;
    dpl__bytes memory; /* the end of the stream, or all of it */
    size_t share;      /* bytes it may hold */
    int fd;            /* -1 until it spills */
    uint64_t n_file;   /* bytes in the file; the rest is in memory */
} dpl__spool;

void dpl__spool_init(dpl__spool *spool, dpl__spill *spill, size_t share);
void dpl__spool_clear(dpl__spool *spool);
dpl_status dpl__spool_append(dpl__spool *spool, const void *data, size_t n, dpl_error *err);
/* About n bytes will be appended: reserves one block of memory if they fit. */
dpl_status dpl__spool_expect(dpl__spool *spool, uint64_t n, dpl_error *err);
uint64_t dpl__spool_size(const dpl__spool *spool);
/* n bytes from the offset, which must be there. Locked, once appending is over. */
dpl_status dpl__spool_read(const dpl__spool *spool, uint64_t offset, void *data, size_t n,
                           dpl_error *err);

/* ---- sorter ------------------------------------------------------------------------- */

/* Records of key and value, given back in the order of their keys (bytewise, a prefix before
 * what it begins); equal keys in the order they came. Owned. */
typedef struct dpl__sorter dpl__sorter;

dpl_status dpl__sorter_new(dpl__sorter **out, dpl__spill *spill, size_t share, dpl_error *err);
void dpl__sorter_free(dpl__sorter *sorter);
/* Keys and values are under 2 GiB. */
dpl_status dpl__sorter_add(dpl__sorter *sorter, dpl_str key, dpl_str value, dpl_error *err);
/* Ends adding. On the caller's thread: sorts on all of them. */
dpl_status dpl__sorter_sort(dpl__sorter *sorter, dpl_error *err);
/* Borrowed until the next call; DPL_END after the last one. */
dpl_status dpl__sorter_next(dpl__sorter *sorter, dpl_str *key, dpl_str *value, dpl_error *err);

#endif
