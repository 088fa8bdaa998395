/*
 * sections.h - what readers of our files share: finding, measuring and checking sections.
 *
 * A file that opens can be walked without further checks, so everything used as an index is
 * verified here, at memory speed.
 */
#ifndef DPL_IO_SECTIONS_H
#define DPL_IO_SECTIONS_H

#include "doppel/file.h"

#include "base/base.h"

/* The context it was opened with. */
dpl_ctx *dpl__file_ctx(const dpl_file *f);
/* Writes a copy to path, through a temporary name. What was made without a path gets one so. */
dpl_status dpl__file_save(const dpl_file *f, const char *path, dpl_error *err);
/* Gives the pages of the mapping back to the system; what is read later comes from the file
 * again. Any thread may go on reading. */
void dpl__file_forget(const dpl_file *f);
/* The same for a file that is a large part of the memory limit; after each few MiB of one that
 * is read from begin to end. */
void dpl__file_ease(const dpl_file *f);

/* Opens a file by its descriptor, which stays the caller's and may be closed afterwards; name
 * is for messages. */
dpl_status dpl__file_open_fd(dpl_file **out, dpl_ctx *ctx, int fd, const char *name,
                             dpl_error *err);

/* The same of bytes in memory, 64-byte aligned, which stay the caller's until it is closed. */
dpl_status dpl__file_open_memory(dpl_file **out, dpl_ctx *ctx, const void *bytes, size_t n,
                                 const char *name, dpl_error *err);

/* Strings one behind the other. Frozen. */
typedef struct dpl__strings {
    const uint64_t *offsets; /* n + 1 */
    const char *bytes;
    size_t n;
} dpl__strings;

static inline dpl_str dpl__string(const dpl__strings *s, size_t i)
{
    assert(i < s->n);
    return (dpl_str){s->bytes + s->offsets[i], (size_t)(s->offsets[i + 1] - s->offsets[i])};
}

/* Binary search in byte order; order[i] is the number of the i-th string, NULL when the
 * strings themselves are in order. */
bool dpl__find_string(const dpl__strings *s, const uint32_t *order, dpl_str what,
                      uint32_t *number);

/* Do readers of that kind of file know the section? kinds.c has the list. */
bool dpl__is_known_section(const char *kind, const char *name);

/* DPL_E_USAGE when the file holds something else; DPL_E_UNSUPPORTED when it has a section that
 * is required and that readers of this kind do not know. */
dpl_status dpl__check_kind(const dpl_file *f, const char *kind, dpl_error *err);
/* DPL_E_FORMAT with file and section in front. */
DPL_COLD dpl_status dpl__damaged(const dpl_file *f, const char *section, const char *what,
                                 dpl_error *err);

/* The section's data (out points to any pointer) and its number of elements. */
dpl_status dpl__get(const dpl_file *f, const char *name, uint32_t element, const void *out,
                    size_t *n, dpl_error *err);
/* Exactly n elements. */
dpl_status dpl__get_n(const dpl_file *f, const char *name, uint32_t element, const void *out,
                      size_t n, dpl_error *err);
/* n + 1 offsets that rise from 0 to end. */
dpl_status dpl__get_offsets(const dpl_file *f, const char *name, const uint64_t **out, size_t n,
                            uint64_t end, dpl_error *err);
/* Sections `offsets` and `bytes`, valid UTF-8; n strings, or as many as there are when n is
 * SIZE_MAX. */
dpl_status dpl__get_strings(const dpl_file *f, const char *offsets, const char *bytes,
                            dpl__strings *out, size_t n, dpl_error *err);
/* Every number is below the bound. */
dpl_status dpl__check_below(const dpl_file *f, const char *name, const uint32_t *data, size_t n,
                            size_t bound, dpl_error *err);

#endif
