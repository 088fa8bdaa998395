/*
 * parts.h - what all part files share: the section that says which part of what they are.
 *
 * A task of many writes one part. Parts of one whole have the same fingerprints: of the inputs,
 * of the options as given, and of what was decided from both (a plan, say, or the bytes that
 * were read). The first two are known before the work begins, so that a part that is there
 * already need not be made again.
 */
#ifndef DPL_IO_PARTS_H
#define DPL_IO_PARTS_H

#include "doppel/file.h"

#include "base/hash.h"
#include "io/container.h"
#include "io/sections.h"

typedef struct dpl__part_mark {
    dpl_part part;
    uint64_t inputs, options, decided; /* fingerprints */
} dpl__part_mark;

/* DPL_E_USAGE unless number < n, and n is not 0 and not too many. */
dpl_status dpl__part_check(const dpl_part *part, dpl_error *err);

/* Writes the section `part`. */
dpl_status dpl__part_write(dpl__writer *w, const dpl__part_mark *mark, dpl_error *err);

/* The bytes of path if it holds this part already, whole and with right checksums; else 0. What
 * was decided does not count: it is not known yet. */
dpl_status dpl__part_find_done(uint64_t *n_bytes, dpl_ctx *ctx, const char *path,
                               const char *kind, const dpl__part_mark *mark, dpl_error *err);

/* Items [*first, *end) of n in equal parts, which rise with the number of the part. */
void dpl__part_range(uint64_t *first, uint64_t *end, uint64_t n, const dpl_part *part);

/* ---- fingerprints ------------------------------------------------------------------- */

/* Adds bytes to a fingerprint: their number and checksum, at memory speed. */
uint64_t dpl__fingerprint(uint64_t so_far, const dpl_ctx *ctx, const void *data, size_t n);
/* The same of a number. */
static inline uint64_t dpl__fingerprint_number(uint64_t so_far, uint64_t x)
{
    return dpl__mix(so_far ^ dpl__mix(x));
}
/* All sections of a container, by the checksums that its table has. */
uint64_t dpl__fingerprint_file(uint64_t so_far, const dpl_file *file);
/* A file by its size and some blocks of it, wherever it lies; false where that cannot be read
 * (a pipe, a folder). */
bool dpl__fingerprint_path(uint64_t *so_far, const char *path);

/* ---- all parts ---------------------------------------------------------------------- */

/* One part, without the others. */
dpl_status dpl__parts_open_one(dpl_parts **out, dpl_ctx *ctx, const char *path, dpl_error *err);
/* Part i, in the order of their numbers. */
const dpl_file *dpl__parts_file(const dpl_parts *parts, uint32_t i);
dpl_ctx *dpl__parts_ctx(const dpl_parts *parts);
/* DPL_E_USAGE unless they are of that kind. */
dpl_status dpl__parts_check_kind(const dpl_parts *parts, const char *kind, dpl_error *err);

#endif
