/*
 * dir.h - the files below a directory that we can read.
 */
#ifndef DPL_READERS_DIR_H
#define DPL_READERS_DIR_H

#include "doppel/text.h"

#include "base/arena.h"

struct dpl__batch;
struct dpl__chunk;

typedef struct dpl__dir_member {
    const char *path; /* to open */
    const char *name; /* below the directory, '/' between parts: the document's id */
} dpl__dir_member;

/* A file that is not listed. */
typedef struct dpl__dir_left_out {
    const char *name;
    bool is_link; /* else it is of another type */
} dpl__dir_left_out;

enum { DPL__DIR_LEFT_OUT = 40 };

typedef struct dpl__dir_list {
    dpl__dir_member *data; /* sorted by name, bytewise: the order does not depend on the disk */
    size_t n;
    size_t n_other;                                /* regular files of other types, left out */
    size_t n_links;                                /* links to files of our types, left out */
    uint64_t n_bytes;                              /* of the files listed */
    dpl__dir_left_out left_out[DPL__DIR_LEFT_OUT]; /* the first ones by name, sorted */
    size_t n_left_out;
    dpl__arena arena; /* owns the above */
} dpl__dir_list;

/* A directory (recursively, hidden files left out, links to directories not followed, those to
 * files with follow_links) or a single file, which is its own only member under the path it was
 * given by. */
dpl_status dpl__dir_list_open(dpl__dir_list *out, dpl_ctx *ctx, const char *path,
                              bool follow_links, dpl_error *err);
/* The same of a file of n_bytes that is in memory. */
dpl_status dpl__dir_list_one(dpl__dir_list *out, dpl_ctx *ctx, const char *name,
                             uint64_t n_bytes, dpl_error *err);
void dpl__dir_list_close(dpl__dir_list *list);

/* A type of file that is one document. To add one: its own .c file with such a row, the row in
 * dir.c's table, and its endings in that of the format below it. */
typedef struct dpl__filetype {
    const char *const *endings; /* of names, ".html"; NULL ends */
    bool can_declare_charset;   /* in its first bytes, as HTML does */
    bool is_binary;             /* it is no text: the bytes are given as they are */
    const char *program;        /* that reads it; where it is missing, folders leave it out */
    /* Whether a file that begins like this is one, if its name does not say; a binary one is
     * detected before its name is asked. NULL: its first bytes do not tell. */
    bool (*sniff)(dpl_str start);
    /* Fills title, lang and text of the document from valid UTF-8, which lies in the chunk or
     * in the arena and may be changed in place. With err left alone: DPL_E_FORMAT when it is
     * nested too deeply, DPL_E_LIMIT when it takes too much memory. */
    dpl_status (*read)(dpl_doc *doc, dpl__arena *arena, dpl_str text,
                       const dpl_reader_options *options, dpl_error *err);
    /* Or instead: adds any number of documents; DPL_END when the policy dropped the file. */
    dpl_status (*parse)(struct dpl__batch *batch, const struct dpl__chunk *chunk, dpl_str id,
                        dpl_str text, dpl_error *err);
} dpl__filetype;

extern const dpl__filetype dpl__filetype_plain;

/* Makes text UTF-8: from the encoding of the options, from the one that it declares, if it can,
 * from the one it looks like beyond doubt, or else by the policy. DPL_END: the record is
 * dropped. */
dpl_status dpl__file_to_utf8(struct dpl__batch *batch, const struct dpl__chunk *chunk,
                             bool can_declare, dpl_str *s, dpl_error *err);

/* Whether the name has a known ending, possibly followed by one of a compression. */
bool dpl__dir_is_ours(dpl_str path);

#endif
