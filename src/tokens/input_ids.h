/*
 * input_ids.h - ids of documents of several inputs.
 */
#ifndef DPL_TOKENS_INPUT_IDS_H
#define DPL_TOKENS_INPUT_IDS_H

#include "tokens/documents.h"

/* ---- which ids several inputs have -------------------------------------------------- */

typedef struct dpl__doc_id {
    uint64_t hash; /* of the id as its input has it */
    uint32_t doc;
} dpl__doc_id;

uint64_t dpl__doc_id_hash(dpl_str id);

/* Divides "12:id", as an import with number_inputs writes it: *id becomes what follows the
 * colon, and the number of the input is returned. */
size_t dpl__input_number(dpl_str *id);

/* Which of the n documents need the name of their input in front of their id. Ids are unique
 * within an input: the same one twice is of two inputs. Documents below n_new do not care for
 * the ids of the others. Reorders ids; is_repeated is of each document. Returns whether there
 * is any. */
bool dpl__repeated_ids_find(uint8_t *is_repeated, dpl__doc_id *ids, size_t n, size_t n_new);

/* ---- documents of an import --------------------------------------------------------- */

/* All ids begin with the number of their input and ':'. They become what they were without it;
 * ids that several inputs have get the name of their input and ':' in front. */
dpl_status dpl__input_ids_tell(dpl__documents *d, const dpl_str *names, dpl_error *err);

#endif
