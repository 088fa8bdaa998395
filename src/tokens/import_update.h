/*
 * import_update.h - an import that takes the tokens of unchanged documents from an earlier one.
 */
#ifndef DPL_TOKENS_IMPORT_UPDATE_H
#define DPL_TOKENS_IMPORT_UPDATE_H

#include "tokens/tokenize.h"

typedef struct dpl__import_update dpl__import_update;

/* The collection must have these settings (as the import writes them): tokens of others are not
 * the ones that tokenizing would give. */
dpl_status dpl__import_update_open(dpl__import_update **out, dpl_ctx *ctx, const char *path,
                                   dpl_str settings, dpl_error *err);
void dpl__import_update_close(dpl__import_update *update);

/* Does the old collection have the document, with the same text and language? Frozen. */
bool dpl__import_update_find(const dpl__import_update *update, const dpl_doc *doc,
                             uint32_t *old);
/* The numbers of old terms among those of a worker, in one of its runs. */
typedef struct dpl__update_table {
    unsigned thread;
    uint32_t run;
} dpl__update_table;

/* What dpl__tokenize does, for such a document. thread: of the worker; run: of its terms, which
 * begin anew with another one. */
dpl_status dpl__import_update_take(dpl__import_update *update, dpl__worker *worker,
                                   dpl__update_table table, dpl__tokenized *out, uint32_t old,
                                   dpl_error *err);
/* Documents taken so far. */
uint64_t dpl__import_update_count(const dpl__import_update *update);

#endif
