/*
 * fuzzy.h - what fuzzy-fingerprints learn from a reference.
 */
#ifndef DPL_SIGNATURES_FUZZY_H
#define DPL_SIGNATURES_FUZZY_H

#include "io/sections.h"
#include "signatures/hash_functions.h"

/* The first characters of a term. */
dpl_str dpl__fuzzy_prefix(dpl_str term);
/* Of a prefix that the reference lacks: by its hash. */
unsigned dpl__fuzzy_class(const dpl_hash *h, dpl_str term);
/* k normalised deviations of the row: (share - mean) / sd. */
void dpl__fuzzy_embed(float *out, const dpl_hash *h, const dpl__hash_row *row);
/* fuzzy_learn.c: from a reference. */
dpl_status dpl__fuzzy_learn(dpl_hash *h, const dpl_hash_input *reference, dpl_error *err);

#endif
