/*
 * cmd_synth.c - doppel-lab synth: synthetic documents and vectors with planted pairs.
 */
#include "cli/notes.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"
#include "lab/lab_program.h"

#include "doppel-lab/synth.h"

#include <stdio.h>

static dpl_synth_options set = DPL_INIT(dpl_synth_options);
static const char *folder;

static const cli_option options[] = {
    CLI_FOLDER_OPTION(&folder, "write the files to DIR", ),
    CLI_OPTION(synth, &set, "to"),
    CLI_OPTION(synth, &set, "left"),
    CLI_OPTION(synth, &set, "right"),
    CLI_OPTION(synth, &set, "paired"),
    CLI_OPTION(synth, &set, "translated"),
    CLI_OPTION(synth, &set, "translated-to",
               .help = "documents: draw that share for each pair, from --translated to this"),
    CLI_OPTION(synth, &set, "noise"),
    CLI_OPTION(synth, &set, "same"),
    CLI_OPTION(synth, &set, "words"),
    CLI_OPTION(synth, &set, "topics"),
    CLI_OPTION(synth, &set, "like"),
    CLI_OPTION(synth, &set, "cosine"),
    CLI_OPTION(synth, &set, "cosine-to",
               .help = "vectors: draw the cosine for each pair, from --cosine to this"),
    CLI_OPTION(synth, &set, "dims"),
    CLI_OPTION(synth, &set, "entries"),
    CLI_OPTION(synth, &set, "terms"),
    {0},
};

static const cli_item examples[] = {
    {"doppel-lab synth --left 1000 --right 1000 -o made",
     "1,000 documents a side, half of them with a counterpart"},
    {"doppel-lab synth --paired 0.1 --translated 0.3 -o hard",
     "a tenth has a counterpart, of which 0.3 is translated"},
    {"doppel-lab synth --like en.dpl --left 1000000 --right 1000000 -o large",
     "a million documents with the words and lengths of a real collection"},
    {"doppel-lab synth --to npy --dims 384 --cosine 0.5 --cosine-to 0.9 -o vectors",
     "dense vectors with pairs of cosines from 0.5 to 0.9"},
    {0},
};

static const cli_item json_keys[] = {
    {"left", "documents or rows of the left side"},
    {"right", "documents or rows of the right side"},
    {"pairs", "planted pairs"},
    {"words", "documents: words of the left and right text; sparse: entries"},
    {"text_bytes", "documents: bytes of the left and right text"},
    {"lexicon", "documents: entries of the true lexicon"},
    {"mean_words", "documents: mean length of the model's documents"},
    {"mean_sentence", "documents: mean number of words in a sentence of the model"},
    {"heaps", "documents: the vocabulary of n words grows as n to this power"},
    {"repeated", "documents: probability that a content word repeats one of its document"},
    {"head", "documents: words whose probability does not follow the power law of rare ones"},
    {"output_bytes", "bytes of all files"},
    {"seconds", "time it took"},
    CLI_MACHINE_JSON,
    {0},
};

static void print_json(const dpl_synth_summary *s, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "left", s->n_left);
    dpl_json_number(&j, "right", s->n_right);
    dpl_json_number(&j, "pairs", s->n_pairs);
    if (set.to == DPL_SYNTH_JSONL || set.to == DPL_SYNTH_SPARSE) {
        dpl_json_begin(&j, "words", '[');
        dpl_json_number(&j, NULL, s->n_words[0]);
        dpl_json_number(&j, NULL, s->n_words[1]);
        dpl_json_end(&j, ']');
    }
    if (set.to == DPL_SYNTH_JSONL) {
        dpl_json_begin(&j, "text_bytes", '[');
        dpl_json_number(&j, NULL, s->n_text_bytes[0]);
        dpl_json_number(&j, NULL, s->n_text_bytes[1]);
        dpl_json_end(&j, ']');
        dpl_json_number(&j, "lexicon", s->n_lexicon);
        dpl_json_real(&j, "mean_words", s->words);
        dpl_json_real(&j, "mean_sentence", s->sentence_words);
        dpl_json_real(&j, "heaps", s->heaps);
        dpl_json_real(&j, "repeated", s->repeated);
        dpl_json_number(&j, "head", s->n_head);
    }
    dpl_json_number(&j, "output_bytes", s->n_output_bytes);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_summary(const dpl_synth_summary *s, const dpl_ctx *ctx)
{
    const bool is_text = set.to == DPL_SYNTH_JSONL;
    char remark[120];
    cli_note_count("left", s->n_left, is_text ? "documents" : "rows");
    cli_note_count("right", s->n_right, is_text ? "documents" : "rows");
    cli_note_count("pairs", s->n_pairs, "planted");
    if (is_text) {
        snprintf(remark, sizeof remark, "in the left text; vocabulary grows as words^%.2f",
                 s->heaps);
        cli_note_count("words", s->n_words[0], remark);
        cli_note_count("lexicon", s->n_lexicon, "entries, true");
    }
    cli_note_output(folder, s->n_output_bytes);
    cli_note_time(s->seconds, "", ctx);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args, (void)user;
    dpl_error err = {0};
    dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
    if (dpl_synth(&s, ctx, folder, &set, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    (cli_set.json ? print_json : note_summary)(&s, ctx);
    return CLI_DONE;
}

static const char *const files[] = {
    "left.jsonl.zst", "right.jsonl.zst", "gold.tsv", "lexicon.tsv", "left.npy", "right.npy",
    "left.fvecs",     "right.fvecs",     "left.dpl", "right.dpl",   NULL};

const cli_command lab_synth = {
    .name = "synth",
    .summary = "make synthetic documents or vectors with planted pairs",
    .synopsis = "-o DIR",
    .about =
        "Make two collections of any size whose pairs are known. Documents have the term "
        "statistics of natural text: Zipf's and Heaps' laws, topics, words that recur within "
        "a document, log-normal lengths. The right ones are in a second made-up language: a "
        "word has one to three translations, names and numbers are spelled alike. A share of "
        "the documents has a counterpart (--paired), of which a share of the sentences is "
        "translated (--translated) with some noise (--noise)."
        "\n"
        "\n"
        "DIR gets left.jsonl.zst, right.jsonl.zst, gold.tsv (left id, right id, share of "
        "translated sentences) and lexicon.tsv (left word, right word, probability): the true "
        "pairs and translations."
        "\n"
        "\n"
        "With --to npy, fvecs or sparse, rows of length one are made instead: left and "
        "right, and gold.tsv with row, row and cosine, which is exact but for the rounding of "
        "single precision."
        "\n"
        "\n"
        "The same options and --seed give the same bytes, whatever the number of threads.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also =
        "doppel-lab-EXPERIMENT(1), doppel-mine(1), doppel-pairs(1), doppel-eval-pairs(1)",
    .argument = "argument",
    .min_args = 0,
    .max_args = 0,
    .writes = files,
    .work = run,
};
