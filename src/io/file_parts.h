/*
 * file_parts.h - what an open container holds.
 */
#ifndef DPL_IO_FILE_PARTS_H
#define DPL_IO_FILE_PARTS_H

#include "base/mappings.h"
#include "io/container.h"
#include "io/sections.h"

struct dpl_file {
    dpl_ctx *ctx;
    char *path;
    const uint8_t *map;
    void (*unmap)(dpl_file *file); /* NULL: the bytes are the caller's */
    size_t n_bytes;
    dpl__mapping mapping; /* of a file */
    size_t table;
    unsigned major, minor;
    char kind[DPL__CONTAINER_KIND];
    dpl_section *sections;
    size_t n_sections;
};

/* An open file without contents. Close it after a failure, too. */
dpl_status dpl__file_new(dpl_file **out, dpl_ctx *ctx, const char *name, dpl_error *err);
/* Header and section table of f->map, whose size is f->n_bytes. */
dpl_status dpl__file_read(dpl_file *f, dpl_error *err);

#endif
