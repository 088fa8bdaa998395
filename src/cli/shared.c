/*
 * shared.c - what options of several commands offer.
 */
#include "cli/shared.h"

const char *const cli_formats[] = {"auto", "jsonl", "wiki", "dir", "tsv", "docenc", NULL};
const char *const cli_policies[] = {"fail", "replace", "skip", NULL};
const char *const cli_lexicon_policies[] = {"fail", "skip", NULL};
