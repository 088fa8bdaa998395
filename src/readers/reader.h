/*
 * reader.h - how a format plugs into the reader.
 *
 * Work flows read -> map in parallel -> write in order. A format therefore has two halves:
 * `cut` finds where a buffer may be divided between records (one thread, sequential, must be
 * cheap), and `parse` turns the records of one chunk into documents (any thread). Everything
 * that all formats share is in reader.c (decompression, chunks) and record.c (policy for bad
 * records, NFC, language).
 */
#ifndef DPL_READERS_READER_H
#define DPL_READERS_READER_H

#include "doppel/text.h"

#include "base/arena.h"
#include "base/vec.h"
#include "readers/skips.h"

/* What the beginning of a file says about all of it. */
typedef struct dpl__header {
    dpl_lang lang;       /* WIKI, ZIM: what the file says; code is "" when unknown */
    char separator;      /* CSV; 0 before the beginning was seen */
    dpl_str record;      /* CSV: the first record; WIKI: the siteinfo element */
    bool is_array;       /* JSON: the objects are in an array, which must end */
    bool is_here;        /* the chunk begins with it */
    bool no_boilerplate; /* WARC, DIR, ZIM: drop it from pages */
    const struct dpl__blocks *blocks; /* the same: lines that come again; NULL: not known */
    struct dpl__blocks *learning;     /* pages are only learnt from; NULL: they are read */
} dpl__header;

/* Whole records of one file. The bytes are followed by DPL__PAD zero bytes. */
typedef struct dpl__chunk {
    dpl__bytes bytes;    /* n is without the padding */
    const char *file;    /* for messages; "(standard input)" for "-" */
    const char *member;  /* DIR: path below the directory, which is the document's id */
    uint64_t number;     /* of the member */
    uint64_t line;       /* number of the first line, from 1 */
    uint64_t n_before;   /* bytes of that line in front of the chunk */
    uint64_t offset;     /* of the first byte, after decompression, in UTF-8 */
    bool is_utf16;       /* or rather was; 0xFF stands for what is no character in it */
    const char *charset; /* the one it was converted from, as with UTF-16; NULL: none */
    const char *likely;  /* the encoding that it may be in, if it is not UTF-8; NULL: unknown */
    dpl__header header;
    bool is_last;     /* nothing comes behind it */
    bool keeps_first; /* a document with the id of an earlier one is dropped under any policy */
    bool is_numbered; /* `line` is the number of a document: there is no file with lines */
    dpl_str mapped;   /* formats with `mapped`: the part of the file that the records lie in,
                         borrowed from the reader */
} dpl__chunk;

enum { DPL__PAD = 64 };

/* A title that leads to another one. Slices of the batch's arena. */
typedef struct dpl__alias {
    dpl_str title, target;
} dpl__alias;

/* What parsing one chunk leaves behind. Owned; reset by the reader between chunks. */
typedef struct dpl__batch {
    dpl_ctx *ctx;
    const dpl_reader_options *options; /* with the defaults filled in */
    dpl__arena arena;                  /* of the documents' text */
    DPL_VEC(dpl_doc) docs;
    DPL_VEC(uint64_t) lines;     /* of each document, for messages about it later */
    DPL_VEC(bool) is_identified; /* the language of each was detected from its text */
    DPL_VEC(dpl__alias) aliases; /* WIKI: redirects */
    dpl_read_counts counts;
    struct dpl_skip_list skipped;
    char tag[16]; /* the last language as it was given, short and not empty; and what it is */
    dpl_lang tagged;
} dpl__batch;

/* How a format reads a file whose records lie anywhere in it, instead of `cut`. */
typedef struct dpl__mapped_ops {
    /* bytes.data is NULL: the file of that name. Nothing to close after a failure. */
    dpl_status (*open)(void **state, dpl_ctx *ctx, const char *name, dpl_str bytes,
                       dpl_error *err);
    /* Fills the chunk, whose bytes are used again; sequentially. DPL_END after the last one. */
    dpl_status (*next)(void *state, dpl__chunk *chunk, dpl_error *err);
    uint64_t (*size)(const void *state);     /* bytes of the file */
    uint64_t (*position)(const void *state); /* how far it is read, of these */
    void (*close)(void *state);
} dpl__mapped_ops;

/* One format of documents: one file, which exports this, and a row of dpl__formats. */
typedef struct dpl__format {
    dpl_format format;
    const char *name;              /* "jsonl" */
    const char *const *endings;    /* of file names, ".jsonl"; NULL ends; NULL: none */
    bool (*is_ours)(dpl_str path); /* more names of files; NULL: none */
    bool is_binary;   /* records have encodings of their own: nothing is converted before */
    bool keeps_first; /* ids may come again: the first document stays */
    bool has_pages;   /* of web sites, which may have boilerplate to be dropped: */
    bool drops_boilerplate; /* unless it is to be kept; else where it is to be dropped */
    /* Does a file that begins like this (bytes not known to be UTF-8) belong to it? NULL: its
     * first bytes do not tell. */
    bool (*sniff)(dpl_str start);
    /* Whether the options make sense, once before anything is read. NULL: they always do. */
    dpl_status (*check)(const dpl_reader_options *options, dpl_error *err);
    /* Looks at the first chunk, before any is parsed, for what holds for the whole file. record
     * is part of the chunk. NULL: nothing does. */
    void (*begin)(dpl__header *header, dpl_str start);
    /* NULL, and no `mapped`: every file is one document, and a path may be a folder. Else:
     * length of the longest prefix of p[0, n) that ends between two records; 0 when there is
     * none. from: what ends at or before it was looked at by an earlier call and is no
     * boundary (one that ends behind it may begin before it). At the end of the input it is
     * only asked when more than max_record is left: what is left is the last chunk. */
    size_t (*cut)(const dpl__header *header, const uint8_t *p, size_t n, size_t from);
    /* Instead of `cut`; NULL: the file is a stream. */
    const dpl__mapped_ops *mapped;
    /* A record at p[0, n) that does not end there: its length, if no document can come of it,
     * and why; else 0. NULL: every record is read. */
    uint64_t (*unwanted)(const uint8_t *p, size_t n, dpl_drop *drop);
    /* Adds the documents of the chunk to the batch. May change the chunk's bytes in place. */
    dpl_status (*parse)(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err);
} dpl__format;

/* All of them but the last, in the order of dpl_format; NULL ends. formats.c has the list. */
extern const dpl__format *const dpl__formats[];
/* NULL: not one of them. */
const dpl__format *dpl__format_of(dpl_format format);
extern const dpl__format dpl__format_dir;
/* Documents from the caller; no format that has a name. */
extern const dpl__format dpl__format_source;

/* ---- for formats -------------------------------------------------------------------- */

/* `cut` of every format whose records are lines. */
size_t dpl__cut_lines(const dpl__header *header, const uint8_t *p, size_t n, size_t from);

/* `parse` of such formats: calls parse_line for each line, without its "\n" or "\r\n", unless
 * it is too long or not UTF-8 and the policy drops it. DPL_END from parse_line goes on as well.
 */
dpl_status dpl__each_line(dpl__batch *batch, const dpl__chunk *chunk, void *user,
                          dpl_status (*parse_line)(void *user, dpl_str line, uint64_t number,
                                                   dpl_error *err),
                          dpl_error *err);

/* The id of a record that has none of its own: the number of its line, from 1. */
dpl_status dpl__line_id(dpl__batch *batch, uint64_t line, dpl_str *id, dpl_error *err);
/* Adds a field to members, as ",key:value". */
dpl_status dpl__members_add(dpl__batch *batch, dpl__bytes *members, dpl_str key, dpl_str value,
                            dpl_error *err);
/* Members collected as ",key:value,key:value" become a document's `extra`. */
dpl_status dpl__members_to_extra(dpl__batch *batch, dpl__bytes *members, dpl_str *extra,
                                 dpl_error *err);

/* Makes *s valid UTF-8: the same slice when it is already, else a copy in the arena with U+FFFD
 * for each sequence that is ill-formed. */
dpl_status dpl__utf8_replace(dpl_str *s, dpl__arena *arena, uint64_t *n_replaced,
                             dpl_error *err);

/* Counts a record that is left out, and lists it. */
dpl_status dpl__record_drop(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                            dpl_drop drop, const char *text, dpl_error *err);
/* Applies the policy to bytes that must be UTF-8. DPL_OK: *s is valid now (perhaps a copy with
 * replacements, in the arena). DPL_END: the record is dropped and counted, go on with the
 * next. line and column are those of the first byte. */
dpl_status dpl__record_utf8(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                            uint64_t column, dpl_str *s, dpl_error *err);
/* Where a record is: of `chunk`, the line of the file (0: all of it) and the column (0: not
 * known). */
typedef struct dpl__record_at {
    const dpl__chunk *chunk;
    uint64_t line, column;
} dpl__record_at;
#define DPL__AT(chunk, line, column) ((dpl__record_at){(chunk), (line), (column)})

/* Applies the policy to a record that cannot be read: DPL_END when it is dropped (counted under
 * `drop`), else fails with "'file' line N: " and the text (column 0: unknown, not printed). */
DPL_COLD dpl_status dpl__record_bad(dpl__batch *batch, dpl__record_at at, dpl_drop drop,
                                    dpl_error *err, const char *fmt, ...) DPL_PRINTF(5, 6);
/* The same for one over max_record; line 0: a whole file. Chunks may hold such records: a limit
 * below the chunk's size is for `parse` to keep. */
DPL_COLD dpl_status dpl__record_long(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                                     dpl_error *err);
/* The name of the file as messages have it, without quotes. */
void dpl__record_place(char *out, size_t n, const dpl__chunk *chunk);
/* Adds an alias: NFC, no control characters. One that is empty is left out. */
dpl_status dpl__batch_add_alias(dpl__batch *batch, dpl_str title, dpl_str target,
                                dpl_error *err);
/* Adds what stands before a title in the address of a page: an alias without a title. One that
 * is no address is left out. */
dpl_status dpl__batch_add_site(dpl__batch *batch, dpl_str address, dpl_error *err);
/* Adds a document: slices of the chunk's bytes or the arena, valid UTF-8. Normalises to
 * NFC, determines the language, drops empty ones and those of other languages than the options
 * ask for. doc->lang may be empty or any spelling. */
dpl_status dpl__batch_add(dpl__batch *batch, const dpl__chunk *chunk, uint64_t line,
                          const dpl_doc *doc, dpl_error *err);

/* "jsonl", "csv" ...; NULL when out of range. */
const char *dpl__format_name(dpl_format format);

#endif
