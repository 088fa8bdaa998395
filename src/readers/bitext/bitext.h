/*
 * bitext.h - how a format of parallel text plugs into the reader.
 *
 * A format opens the one or two files that belong together and gives rows until they end. What
 * all formats share is in bitext.c: which format, one group of files behind the other, the
 * policy for bad rows, NFC, blanks.
 */
#ifndef DPL_READERS_BITEXT_BITEXT_H
#define DPL_READERS_BITEXT_BITEXT_H

#include "doppel/text.h"

#include "base/arena.h"
#include "base/map.h"
#include "readers/textfile.h"

/* What a format works with. Owned. */
typedef struct dpl__rows {
    dpl_ctx *ctx;
    dpl_bitext_options options; /* with the defaults filled in */
    size_t chunk;               /* bytes to read at a time; the rows do not depend on it */
    dpl__arena arena;           /* of the row at hand: a format resets it before each */
    dpl_bitext_counts counts;
    /* Told of each row that is skipped; NULL: nobody wants to know. */
    void (*on_skip)(void *user, uint64_t line, const char *what);
    void *user;
} dpl__rows;

typedef struct dpl__bitext_ops {
    unsigned n_files; /* that belong together: 1 or 2, LEFT RIGHT */
    /* Whether the options make sense, once before anything is read. NULL: they always do. */
    dpl_status (*check)(const dpl_bitext_options *options, dpl_error *err);
    /* The files are open and stay so until close; after a failure there is nothing to close. */
    dpl_status (*open)(void **state, dpl__rows *rows, dpl__textfile *const *files,
                       dpl_error *err);
    /* The next row as dpl_bitext_row promises it, by dpl__rows_side; DPL_END after the last
     * one, and then it is not called again. */
    dpl_status (*next)(void *state, dpl_bitext_row *row, dpl_error *err);
    void (*close)(void *state);
} dpl__bitext_ops;

/* One format of parallel text: one file, which exports this, and a row of dpl__bitext_formats.
 */
typedef struct dpl__bitext_format {
    dpl_bitext_format format;
    const char *name;             /* "moses" */
    const char *const *endings;   /* of file names; NULL ends; NULL: none */
    bool (*sniff)(dpl_str start); /* detects it by the first bytes; NULL: not possible */
    const dpl__bitext_ops *ops;
    const dpl__bitext_ops *(*choose)(const dpl_bitext_options *options); /* instead of ops */
} dpl__bitext_format;

/* In the order in which they are detected; the last one takes any file. NULL ends.
 * bitext_formats.c has the list. */
extern const dpl__bitext_format *const dpl__bitext_formats[];

extern const dpl__bitext_ops dpl__bitext_moses, dpl__bitext_tsv, dpl__bitext_keyed,
    dpl__bitext_tmx, dpl__bitext_xliff, dpl__bitext_gettext, dpl__bitext_gettext_joined;

/* A row for a format: by number, or for a file by its name and first bytes. */
/* "moses", "tsv", ...; NULL when out of range. */
const char *dpl__bitext_format_name(dpl_bitext_format format);
const dpl__bitext_format *dpl__bitext_format_find(dpl_bitext_format format);
const dpl__bitext_format *dpl__bitext_format_detect(const char *path, dpl_str start);
/* How files of the format are read with these options. */
const dpl__bitext_ops *dpl__bitext_format_ops(const dpl__bitext_format *format,
                                              const dpl_bitext_options *options);

void dpl__rows_init(dpl__rows *rows, dpl_ctx *ctx, const dpl_bitext_options *options);
void dpl__rows_clear(dpl__rows *rows);

/* ---- for formats -------------------------------------------------------------------- */

/* Where something stands, for messages; 0 in line, column: unknown. */
typedef struct dpl__place {
    const char *file;
    uint64_t line, column, offset;
    bool is_utf16;    /* or rather was */
    bool is_numbered; /* `line` is the number of a row: there is no file with lines */
} dpl__place;

/* Makes a side what dpl_bitext_row promises: the policy for UTF-8, NFC, blanks. The slice, or a
 * copy in the arena. DPL_END: the row is dropped and counted, go on with the next. */
dpl_status dpl__rows_side(dpl__rows *rows, dpl_str *side, const dpl__place *place,
                          dpl_error *err);
/* The parts of it: the policy for what must be UTF-8; and the rest, which cannot drop. */
dpl_status dpl__rows_utf8(dpl__rows *rows, dpl_str *text, const dpl__place *place,
                          dpl_error *err);
dpl_status dpl__rows_clean(dpl__rows *rows, dpl_str *side, dpl_error *err);

/* The policy for a row that cannot be read: DPL_END when it is dropped and counted, else fails
 * with "'file' line N: " and the text. */
DPL_COLD dpl_status dpl__rows_bad(dpl__rows *rows, const dpl__place *place, dpl_error *err,
                                  const char *fmt, ...) DPL_PRINTF(4, 5);
/* The same for one over max_record. */
DPL_COLD dpl_status dpl__rows_long(dpl__rows *rows, const dpl__place *place, dpl_error *err);

/* ---- languages ---------------------------------------------------------------------- */

/* Whether text marked as `tag` is what is wanted: the same language, and every region or
 * script wanted. "de-AT" fits "de", "de" does not fit "de-AT". */
bool dpl__lang_fits(const char *wanted, dpl_str tag);

/* ---- a side held in memory ---------------------------------------------------------- */

typedef struct dpl__held_text {
    uint64_t hash;
    dpl_str key; /* data is NULL: a free slot */
    dpl_str text;
    uint64_t line;     /* where it stands */
    uint64_t taken_by; /* the line that looked it up; 0: none */
} dpl__held_text;

static inline bool dpl__held_is_used(const void *user, const dpl__held_text *slot)
{
    (void)user;
    return slot->key.data != NULL;
}

static inline uint64_t dpl__held_hash(const void *user, const dpl__held_text *slot)
{
    (void)user;
    return slot->hash;
}

static inline bool dpl__held_has(const void *user, const dpl__held_text *slot, dpl_str key)
{
    (void)user;
    return dpl__str_eq(slot->key, key);
}

DPL_MAP(dpl__held_map, dpl__held_text, dpl_str, dpl__held_is_used, dpl__held_hash,
        dpl__held_has);

/* Texts by key. Owned. */
typedef struct dpl__held {
    dpl_ctx *ctx;
    dpl__arena arena;
    dpl__held_map texts;
    size_t n_taken; /* texts that were looked up */
} dpl__held;

void dpl__held_init(dpl__held *held, dpl_ctx *ctx);
void dpl__held_clear(dpl__held *held);
/* Copies both. DPL_END when the key is there already: *there is what it is. DPL_E_LIMIT when
 * it would take more than the context's memory; file is for that message. */
dpl_status dpl__held_add(dpl__held *held, const dpl__held_text *text, const char *file,
                         const dpl__held_text **there, dpl_error *err);
/* NULL when there is none. Until the next add. */
dpl__held_text *dpl__held_find(const dpl__held *held, dpl_str key);

#endif
