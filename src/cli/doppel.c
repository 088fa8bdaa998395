/*
 * doppel.c - the program doppel: its commands by what people do, and what it says about
 * itself.
 */
#include "cli/command.h"

static const char about[] =
    "doppel finds translations and near-duplicates in collections of documents, "
    "in any language, and aligns their sentences.";

static const cli_item examples[] = {
    {"doppel mine de.jsonl en.jsonl -o de-en",
     "parallel documents and sentences of two collections, without training data"},
    {"doppel align book.de.txt book.en.txt -o sentences.tsv", "the sentences of two texts"},
    {"doppel dedup crawl.jsonl.zst -o clean", "remove copies and near-duplicates"},
    {0},
};

static const cli_item groups[] = {
    {"mine", "Find"}, {"import", "Prepare"}, {"align", "Use"}, {"plan", "Check"}, {0},
};

/* What became another program's. */
static const cli_item elsewhere[] = {
    {"lab", "doppel-lab"},
    {"eval stress", "doppel-lab stress"},
    {"version", "doppel --version"},
    {"hash", "doppel sign --method minhash"},
    {"docalign", "doppel pairs A B --from docenc --method ngram --to docalign"},
    {"lexicon show", "doppel show LEXICON WORD"},
    {"lexicon stats", "doppel show LEXICON COLLECTION"},
    {"index info", "doppel show INDEX"},
    {"index merge", "doppel merge INDEX..."},
    {0},
};

static const cli_command *const commands[] = {
    /* find */
    &cli_mine,
    &cli_pairs,
    &cli_dedup,
    &cli_reuse,
    &cli_query,
    /* prepare */
    &cli_import,
    &cli_lexicon_train,
    &cli_lexicon_learn,
    &cli_lexicon_import,
    &cli_lexicon_align,
    &cli_lexicon_phrases,
    &cli_lexicon_export,
    &cli_translate,
    &cli_vectors,
    &cli_sign,
    &cli_index_build,
    &cli_index_add,
    &cli_index_delete,
    /* use */
    &cli_align,
    &cli_serve,
    &cli_show,
    &cli_merge,
    /* check */
    &cli_plan,
    &cli_eval_pairs,
    &cli_eval_sentences,
    &cli_eval_words,
    &cli_eval_clusters,
    &cli_eval_bleu,
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
    .groups = groups,
    .elsewhere = elsewhere,
};
