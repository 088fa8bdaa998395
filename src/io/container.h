/*
 * container.h - writing the one file format we have (docs/reference/FORMAT.md); reading is
 * public.
 *
 * Sections follow each other in the file. One of unknown size is appended to; ones of known
 * size are reserved and then filled at any offset from any thread.
 */
#ifndef DPL_IO_CONTAINER_H
#define DPL_IO_CONTAINER_H

#include "base/json_writer.h"
#include "doppel/file.h"

#include "io/spill.h"

enum {
    DPL__CONTAINER_MAJOR = 1,
    DPL__CONTAINER_MINOR = 0,
    DPL__CONTAINER_ALIGN = 64,
    DPL__CONTAINER_HEADER = 64,
    DPL__CONTAINER_ENTRY = 64,
    DPL__CONTAINER_NAME = 32, /* with the terminator */
    DPL__CONTAINER_KIND = DPL_FILE_KIND,
    DPL__CONTAINER_MOST_SECTIONS = 4096,
};

/* The first eight bytes of a file. */
#define DPL__CONTAINER_MAGIC "\x89\x44PL\r\n\x1A\n"
enum { DPL__CONTAINER_N_MAGIC = sizeof DPL__CONTAINER_MAGIC - 1 };

/* The file under construction. Owned, but for dpl__writer_put. */
typedef struct dpl__writer dpl__writer;

/* Opens a temporary file beside path; with path NULL an unnamed one in dpl__unnamed_dir, which
 * only dpl__writer_open can make use of. */
dpl_status dpl__writer_new(dpl__writer **out, dpl_ctx *ctx, const char *path, const char *kind,
                           dpl_error *err);
/* Without a finish before it, removes the temporary file: path stays as it was. */
void dpl__writer_free(dpl__writer *w);

/* Begins a required section that grows; ends when another one begins. element: 1, 2, 4, 8. */
dpl_status dpl__writer_begin(dpl__writer *w, const char *name, unsigned element,
                             dpl_error *err);
dpl_status dpl__writer_append(dpl__writer *w, const void *data, size_t n, dpl_error *err);
/* begin and append in one. */
dpl_status dpl__writer_add(dpl__writer *w, const char *name, unsigned element, const void *data,
                           size_t n, dpl_error *err);
/* The last section is one that readers may do without: those that do not know it skip it. */
void dpl__writer_optional(dpl__writer *w);
/* A JSON text as a section; clears it. If the text ran out of memory, that is reported here. */
dpl_status dpl__writer_add_json(dpl__writer *w, const char *name, dpl__json_text *text,
                                dpl_error *err);

/* The whole spool as a section. */
dpl_status dpl__spool_write(const dpl__spool *spool, dpl__writer *w, const char *name,
                            unsigned element, dpl_error *err);

/* Makes room for n more bytes at the end of the section that grows, instead of appending them:
 * they are to be put at *offset. A section is either appended to or grown. */
void dpl__writer_grow(dpl__writer *w, uint64_t *offset, size_t n);

/* A section of n_bytes, to be filled by put. */
dpl_status dpl__writer_reserve(dpl__writer *w, unsigned *section, const char *name,
                               unsigned element, uint64_t n_bytes, dpl_error *err);
typedef struct dpl__piece {
    unsigned section;
    uint64_t offset; /* in the section */
    const void *data;
    size_t n; /* bytes */
} dpl__piece;
/* Writes a piece; *crc is the piece's own. Locked. */
dpl_status dpl__writer_put(dpl__writer *w, dpl__piece piece, uint32_t *crc, dpl_error *err);
/* Takes note of the pieces in the order of their offsets, without gaps. */
void dpl__writer_join(dpl__writer *w, unsigned section, uint32_t crc, size_t n);

/* A whole section at once, in pieces on all threads. */
dpl_status dpl__writer_add_large(dpl__writer *w, const char *name, unsigned element,
                                 const void *data, size_t n, dpl_error *err);

/* Table, header, flush, rename. *n_bytes (may be NULL) receives the size of the file. */
dpl_status dpl__writer_finish(dpl__writer *w, uint64_t *n_bytes, dpl_error *err);
/* The same, and opens the file, which stays readable when its name is gone or was never there:
 * The path of its dpl_file_info is path, or "(memory)". */
dpl_status dpl__writer_open(dpl__writer *w, dpl_file **out, dpl_error *err);

#endif
