/*
 * show_lexicon.h - what 'doppel show' prints of a lexicon: words, and its coverage of
 * collections.
 */
#ifndef CLI_SHOW_LEXICON_H
#define CLI_SHOW_LEXICON_H

#include "cli/show.h"

#include "doppel/lexicon.h"

/* The translations of a word in both directions. The items of cli_show_kind. */
int cli_show_word(const dpl_lexicon *l, const cli_show_request *request, const char *word,
                  dpl_json *j);
/* What the lexicon knows of a collection, which is a file. */
int cli_show_coverage(const dpl_lexicon *l, const cli_show_request *request, const char *path,
                      dpl_json *j);

/* Both directions as a whole: sizes, entropy, probabilities. */
void cli_show_columns(const dpl_lexicon *l);
void cli_put_columns(dpl_json *j, const dpl_lexicon *l);

#endif
