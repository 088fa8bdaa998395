/*
 * ngram_method.c - the row of n-gram mining in the table of methods.
 *
 * Vectors have no order of words, and so no n-grams: the search itself takes collections and is
 * dpl_ngram_find (doppel/ngram.h, src/pairs/ngram). The row is its name; the plan of vectors
 * has none.
 */
#include "pairs/method.h"

static dpl_status run(dpl__search *s, dpl_error *err)
{
    (void)s;
    dpl__fail(err, DPL_E_USAGE, "n-grams are found in documents, not in vectors");
    return dpl__code(err, DPL_E_USAGE, "ngram-vectors");
}

const dpl__method dpl__ngram_method = {
    .info = {.method = DPL_PAIRS_NGRAM,
             .name = "ngram",
             .help = "documents in one language that share rare word n-grams",
             .finds = "pairs that share a matching n-gram and score above the threshold",
             .unit = "pairs"},
    .searched_with = dpl__any_signature,
    .run = run,
};
