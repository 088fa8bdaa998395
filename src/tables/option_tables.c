/*
 * option_tables.c - the option tables of all stages by name: for a program that lists options
 * or sets them from texts (the command line, Python). The library itself calls its tables
 * directly.
 */
#include <string.h>

#include "base/options.h"

typedef const dpl_option_table *table_fn(void);

static table_fn *const tables[] = {
    dpl__reader_option_table,         dpl__bitext_option_table,  dpl__tokens_option_table,
    dpl__links_option_table,          dpl__import_option_table,  dpl__lexicon_option_table,
    dpl__prune_option_table,          dpl__train_option_table,   dpl__align_option_table,
    dpl__lexicon_import_option_table, dpl__phrases_option_table, dpl__translator_option_table,
    dpl__vectors_option_table,        dpl__sign_option_table,    dpl__hash_option_table,
    dpl__pairs_option_table,          dpl__ngram_option_table,   dpl__docalign_option_table,
    dpl__sentences_option_table,      dpl__beads_option_table,   dpl__mine_option_table,
    dpl__dedup_option_table,          dpl__reuse_option_table,   dpl__index_option_table,
    dpl__query_option_table,          dpl__serve_option_table,   dpl__eval_words_option_table,
    dpl__eval_bleu_option_table,
};

const dpl_option_table *dpl__option_table_at(size_t i)
{
    return i < DPL_LEN(tables) ? tables[i]() : NULL;
}

const dpl_option_table *dpl_option_table_of(const char *name)
{
    for (size_t i = 0; i < DPL_LEN(tables); i++)
        if (strcmp(tables[i]()->name, name) == 0)
            return tables[i]();
    return NULL;
}
