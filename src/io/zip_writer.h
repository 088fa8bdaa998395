/*
 * zip_writer.h - writes a ZIP file to a callback, member by member.
 *
 *     dpl__zip_writer z = {.ctx = ctx, .put = put, .user = user};
 *     dpl__zip_add(&z, "mimetype", bytes);
 *     dpl__zip_finish(&z);
 *     if (z.has_failed) ...    no memory, or above 4 GiB
 *     dpl__zip_writer_clear(&z);
 *
 * Members are stored, not deflated, and have no date: the same bytes on every machine. Owned.
 */
#ifndef DPL_IO_ZIP_WRITER_H
#define DPL_IO_ZIP_WRITER_H

#include "base/vec.h"

typedef struct dpl__zip_writer {
    dpl_ctx *ctx;
    void (*put)(void *user, const char *data, size_t n);
    void *user;
    uint64_t n_bytes;     /* so far */
    unsigned n_members;   /* likewise */
    dpl__bytes directory; /* of the end of the file */
    bool has_failed;
} dpl__zip_writer;

void dpl__zip_add(dpl__zip_writer *z, const char *name, dpl_str bytes);
void dpl__zip_finish(dpl__zip_writer *z);
void dpl__zip_writer_clear(dpl__zip_writer *z);

#endif
