/*
 * input_names.h - short names of inputs, which tell apart documents with the same id.
 */
#ifndef DPL_TOKENS_INPUT_NAMES_H
#define DPL_TOKENS_INPUT_NAMES_H

#include "doppel/text.h"

#include "base/arena.h"

/* "de" of "data/de.jsonl.gz"; the name of what is no file as it is. Borrowed from the input. */
dpl_str dpl__input_short_name(const dpl_input *input);
/* n names, in the arena: of a path what follows the last '/', without suffixes such as
 * ".jsonl.gz"; of others the name that messages use. Names that several inputs have, or one of
 * which is empty, get "-2", "-3" ... behind them from the second one on. NULL: no memory. */
const dpl_str *dpl__input_names(dpl__arena *arena, const dpl_input *inputs, size_t n);

#endif
