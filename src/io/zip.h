/*
 * zip.h - the members of a ZIP file that lies in memory.
 *
 *     dpl__zip zip;
 *     DPL_TRY(dpl__zip_open(&zip, arena, bytes, err));
 *     const dpl__zip_member *m = dpl__zip_find(&zip, DPL_STR("content.xml"));
 *     if (m)
 *         DPL_TRY(dpl__zip_read(&zip, m, max_bytes, &text, err));
 *
 * Nothing is ever written to disk: a member's name is only a name. Stored and deflated members
 * are read; encrypted ones and other methods are refused. Errors have no file name in front:
 * "the member 'x' ...". DPL_E_FORMAT: damaged; DPL_E_LIMIT: longer than allowed. Owned.
 */
#ifndef DPL_IO_ZIP_H
#define DPL_IO_ZIP_H

#include "base/arena.h"

typedef struct dpl__zip_member {
    dpl_str name;      /* bytes as they stand, '/' between parts */
    uint64_t n_packed; /* bytes in the file */
    uint64_t n_bytes;  /* unpacked, as the directory says */
    uint64_t offset;   /* of its local header */
    uint32_t crc;
    uint16_t method, flags;
} dpl__zip_member;

typedef struct dpl__zip {
    dpl__arena *arena; /* of the list and of what is read */
    dpl_str bytes;
    dpl__zip_member *members; /* sorted by name; the first of equal ones counts */
    size_t n;
} dpl__zip;

/* Whether a file that begins like this may be one. */
bool dpl__is_zip(dpl_str start);
/* Reads the directory at the file's end. */
dpl_status dpl__zip_open(dpl__zip *zip, dpl__arena *arena, dpl_str bytes, dpl_error *err);
/* NULL: there is none. */
const dpl__zip_member *dpl__zip_find(const dpl__zip *zip, dpl_str name);
/* Unpacks and checks it; *out is followed by a zero byte and lives in the arena. */
dpl_status dpl__zip_read(const dpl__zip *zip, const dpl__zip_member *member, uint64_t max_bytes,
                         dpl_str *out, dpl_error *err);

#endif
