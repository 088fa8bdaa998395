/*
 * ngram_settings.h - the options with their defaults filled in.
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_SETTINGS_H
#define DPL_PAIRS_NGRAM_NGRAM_SETTINGS_H

#include "doppel/ngram.h"

#include "base/base.h"

enum { DPL__NGRAM_MOST_WORDS = 32, DPL__NGRAM_MOST_BITS = 32 };

typedef dpl_ngram_options dpl__ngram_settings;

/* Checks the options, which may be NULL, and fills in defaults: threshold and max_disorder are
 * what is compared with then. */
dpl_status dpl__ngram_settle(dpl__ngram_settings *out, const dpl_ngram_options *options,
                             dpl_error *err);

#endif
