/*
 * json_record.h - a JSON object becomes a document of a batch; for formats whose records are
 * objects.
 */
#ifndef DPL_READERS_JSON_RECORD_H
#define DPL_READERS_JSON_RECORD_H

#include "readers/reader.h"

enum { DPL__JSON_ID, DPL__JSON_LANG, DPL__JSON_TITLE, DPL__JSON_TEXT, DPL__JSON_N_FIELDS };

/* Scratch of one chunk. Owned. */
typedef struct dpl__json_records {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    dpl_str keys[DPL__JSON_N_FIELDS];
    dpl_str values[DPL__JSON_N_FIELDS]; /* of the record at hand; data is NULL: none */
    dpl__bytes extra;                   /* its other members, ",key:value" each */
    dpl__bytes text;                    /* paragraphs found by a path */
    uint64_t n_before; /* bytes in front of the record in its first line, for messages */
} dpl__json_records;

dpl__json_records dpl__json_records_begin(dpl__batch *batch, const dpl__chunk *chunk);
void dpl__json_records_end(dpl__json_records *records);

/* Adds the document of an object, which begins in that line of the file; white space is
 * nothing. `user` is a dpl__json_records, the text valid UTF-8. DPL_END when the policy drops
 * it. */
dpl_status dpl__json_record(void *user, dpl_str text, uint64_t line, dpl_error *err);

/* Options of formats that read objects. */
dpl_status dpl__json_check(const dpl_reader_options *options, dpl_error *err);

/* Does a file begin with an array, or with an object whose first line ends behind its brace?
 * JSON Lines have neither. */
bool dpl__json_is_spread(dpl_str start);

#endif
