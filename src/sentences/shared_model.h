/*
 * shared_model.h - what is learnt before sentences are aligned, by one process of a shared run
 * for all of them.
 */
#ifndef DPL_SENTENCES_SHARED_MODEL_H
#define DPL_SENTENCES_SHARED_MODEL_H

#include "sentences/align.h"

/* Links and model of s, from learn, which is called where nobody has learnt them yet. key: of
 * all that decides them. The aligners of the workers are not made. */
dpl_status dpl__shared_model_get(dpl_sentences *s, uint64_t key,
                                 dpl_status (*learn)(dpl_sentences *s, dpl_error *err),
                                 dpl_error *err);

#endif
