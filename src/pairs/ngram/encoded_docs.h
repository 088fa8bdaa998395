/*
 * encoded_docs.h - the lines of a file in chunks, as often as they are wanted; and the words of
 * a document in base64. Owned.
 */
#ifndef DPL_PAIRS_NGRAM_ENCODED_DOCS_H
#define DPL_PAIRS_NGRAM_ENCODED_DOCS_H

#include "base/base64.h"
#include "io/input.h"
#include "io/spill.h"

typedef struct dpl__encoded {
    dpl_ctx *ctx;
    const char *path;
    dpl__input *in; /* while it is read */
    bool is_kept;   /* cannot be read again: what is read is kept in the spool */
    bool is_again;  /* reading from the spool */
    dpl__spool spool;
    uint64_t spool_at;
    dpl__bytes rest; /* begin of the line that the last chunk ended in */
    uint64_t n_lines;
} dpl__encoded;

/* Lines of a file; text ends in "\n" unless the file does not. */
typedef struct dpl__chunk {
    dpl__bytes text;
    uint64_t first; /* number of the first line, from 0 */
} dpl__chunk;

dpl_status dpl__encoded_open(dpl__encoded *e, dpl__spill *spill, const char *path,
                             dpl_error *err);
void dpl__encoded_close(dpl__encoded *e);
/* Begins at the first line again. */
dpl_status dpl__encoded_rewind(dpl__encoded *e, dpl_error *err);
/* DPL_END after the last line. */
dpl_status dpl__encoded_next(dpl__encoded *e, dpl__chunk *chunk, dpl_error *err);

/* The next line of a chunk without its end; *at is where it begins, and moves on. */
bool dpl__chunk_line(const dpl__chunk *chunk, size_t *at, dpl_str *line);

/* Scratch of one thread for the words of a document. Zeroed memory is ready. */
typedef struct dpl__words {
    dpl__bytes text;
    DPL_VEC(uint64_t) words;
} dpl__words;

void dpl__words_clear(dpl__words *w, dpl_ctx *ctx);
/* Where a line stands, for messages. */
typedef struct dpl__line_place {
    const char *path;
    uint64_t number; /* from 0 */
} dpl__line_place;

/* Decodes a line and hashes its words. */
dpl_status dpl__words_read(dpl__words *w, dpl_ctx *ctx, const dpl__base64 *b, dpl_str line,
                           const dpl__line_place *place, dpl_error *err);

#endif
