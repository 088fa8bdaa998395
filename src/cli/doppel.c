/*
 * doppel.c - the program doppel: its commands in the order of the pipeline, and what it says
 * about itself.
 */
#include "cli/command.h"

static const char about[] =
    "doppel finds translations and near-duplicates in collections of documents, "
    "in any language, and aligns their sentences.\n"
    "\n"
    "The stages form a pipeline. Each writes a file that 'doppel show' explains:\n"
    "\n"
    "    text -> tokens -> lexicon -> vectors -> signatures -> pairs -> sentences\n"
    "\n"
    "'doppel mine' runs the whole pipeline in one command; it needs no training "
    "data.";

static const cli_item examples[] = {
    {"doppel mine de.jsonl en.jsonl -o de-en",
     "sentence pairs from two collections of documents"},
    {"doppel import news.jsonl.zst -o news.dpl", "read documents and write a collection"},
    {"doppel show news.dpl", "print the contents of the collection"},
    {0},
};

/* What became another program's. */
static const cli_item elsewhere[] = {
    {"lab", "doppel-lab"},
    {"eval stress", "doppel-lab stress"},
    {0},
};

static const cli_command *const commands[] = {
    &cli_mine,
    &cli_import,
    &cli_lexicon_train,
    &cli_lexicon_learn,
    &cli_lexicon_import,
    &cli_lexicon_align,
    &cli_lexicon_phrases,
    &cli_lexicon_show,
    &cli_lexicon_stats,
    &cli_lexicon_export,
    &cli_translate,
    &cli_vectors,
    &cli_sign,
    &cli_hash,
    &cli_pairs,
    &cli_docalign,
    &cli_merge,
    &cli_plan,
    &cli_align,
    &cli_dedup,
    &cli_reuse,
    &cli_index_build,
    &cli_index_info,
    &cli_index_add,
    &cli_index_merge,
    &cli_index_delete,
    &cli_query,
    &cli_serve,
    &cli_eval_pairs,
    &cli_eval_sentences,
    &cli_eval_words,
    &cli_eval_bleu,
    &cli_show,
    &cli_version,
    &cli_help,
    &cli_completion,
    NULL,
};

const cli_program cli_doppel = {
    .name = "doppel",
    .summary = "find translations and near-duplicates in collections of documents",
    .about = about,
    .examples = examples,
    .commands = commands,
    .elsewhere = elsewhere,
};
