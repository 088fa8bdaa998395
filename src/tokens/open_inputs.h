/*
 * open_inputs.h - from what a user names to collections.
 *
 * An input is a file or a folder of documents, a stream, a buffer, documents of the caller, or
 * a collection, which may be named by its file. All stages that join inputs do it here.
 */
#ifndef DPL_TOKENS_OPEN_INPUTS_H
#define DPL_TOKENS_OPEN_INPUTS_H

#include "doppel/tokens.h"

#include "base/arena.h"
#include "io/container.h"

/* ---- what a path names -------------------------------------------------------------- */

/* A file of ours that is damaged is DPL_E_FORMAT. */
dpl_status dpl__is_collection(bool *out, dpl_ctx *ctx, const char *path, dpl_error *err);
/* A stream is gone when it has been read. False for NULL. */
bool dpl__is_stream(const char *path);

/* ---- inputs ------------------------------------------------------------------------- */

typedef struct dpl__inputs {
    dpl__arena arena;
    dpl_input *data; /* as they were given, and files of collections with their collection: an
                        import takes them as they are */
    size_t n;
    dpl_collection **opened; /* of each input: was opened here; NULL: was not */
    const dpl_str *names;    /* of each input, short (input_names.h) */
} dpl__inputs;

/* Opens files of collections. What is given must outlive it. Zeroed memory may be closed. */
dpl_status dpl__inputs_open(dpl__inputs *out, dpl_ctx *ctx, const dpl_input *inputs, size_t n,
                            dpl_error *err);
void dpl__inputs_close(dpl__inputs *inputs);

/* The inputs as one collection, the caller's to close: a single file of one as it is, whatever
 * the options say of tokens; else all documents are imported, and ids that several inputs have
 * get their names in front. */
dpl_status dpl__inputs_collection(dpl_collection **out, dpl__inputs *inputs,
                                  const dpl_import_options *options, dpl_error *err);
/* The id without the name of an input in front of it. An id that an input has in this form is
 * mistaken for one. */
dpl_str dpl__inputs_own_id(const dpl__inputs *inputs, dpl_str id);

/* ---- collections -------------------------------------------------------------------- */

/* A collection's documents as a source, one by one. Stays where it is until it was read. */
typedef struct dpl__collection_source {
    const dpl_collection *c;
    uint32_t next;
    dpl_doc_source source;
} dpl__collection_source;

void dpl__collection_source_begin(dpl__collection_source *s, const dpl_collection *c,
                                  const char *name);

/* How its documents were cut into words; has_stop_file: also without the words of a file, the
 * name of which is not known. */
dpl_tokens_options dpl__collection_words(const dpl_collection *c, bool *has_stop_file);

#endif
