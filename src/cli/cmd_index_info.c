/*
 * cmd_index_info.c - doppel index info: what an index holds, and where its bytes go.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/show_pocket.h"
#include "cli/talk.h"

static const cli_item examples[] = {
    {"doppel index info news.pocket", "documents, languages, bytes, recall of codes"},
    {0},
};

static const cli_item json_keys[] = {
    {"documents, words, terms", "documents, their words, and different ones"},
    {"languages", "array of objects: lang, documents, words, translated"},
    {"pivot", "language of the vectors; null when there is no lexicon"},
    {"function, code_length, codes_of_document, checksum", "similarity hash codes"},
    {"codes, slots, bits_per_slot", "codes of all documents, different ones, and the size of "
                                    "the perfect hash function"},
    {"vectors, postings, texts, lexicon, stem", "what the index holds"},
    {"bytes", "size of the file"},
    {"parts", "array of objects: name, about, bytes"},
    {"receipt",
     "object: sampled (documents asked), candidates (of codes, on average), and for "
     "each twentieth of similarity nearest (documents by their nearest neighbour), "
     "pairs (neighbours), found and found_auto (of these, by codes and by postings)"},
    {0},
};

static int run(char **args, size_t n_args)
{
    dpl_ctx *ctx;
    dpl_index *index = NULL;
    dpl_error err = {0};
    (void)n_args;
    int code = cli_ctx_new(&ctx, false);
    if (code != CLI_DONE)
        return code;
    if (dpl_index_open(&index, ctx, args[0], &err) != DPL_OK) {
        code = cli_fail(&err);
    } else if (cli_set.json) {
        dpl_json j = cli_summary_begin(false);
        cli_index_put(&j, index);
        cli_summary_end(&j);
    } else {
        cli_index_print(index);
    }
    dpl_index_close(index);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_index_info = {
    .name = "index info",
    .family = "index",
    .summary = "show what a pocket index holds and where its bytes go",
    .synopsis = "X.pocket",
    .about =
        "Show documents and languages of an index, its hash function, the size of each of its "
        "parts, and what was measured when it was built: how similar the nearest neighbours of "
        "some documents are, and which share of them similarity hash codes find.",
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-index-build(1), doppel-query(1), doppel-show(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .run = run,
};
