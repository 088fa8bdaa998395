/*
 * input_ids.h - ids of documents of several inputs.
 */
#ifndef DPL_TOKENS_INPUT_IDS_H
#define DPL_TOKENS_INPUT_IDS_H

#include "tokens/documents.h"

/* All ids begin with the number of their input and ':'. They become what they were without it;
 * ids that several inputs have get the name of their input and ':' in front. */
dpl_status dpl__input_ids_tell(dpl__documents *d, const dpl_str *names, dpl_error *err);

#endif
