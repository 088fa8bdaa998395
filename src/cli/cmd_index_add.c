/*
 * cmd_index_add.c - doppel index add: more documents for an index.
 */
#include "cli/index_file.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include <stdlib.h>

static const cli_item examples[] = {
    {"doppel index add news.pocket monday.jsonl tuesday.jsonl", "documents of two files"},
    {0},
};

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)user;
    dpl_error err = {0};
    dpl_index_summary summary = DPL_INIT(dpl_index_summary);
    dpl_input *inputs = cli_inputs((const char *const *)args + 1, n_args - 1);
    dpl_status status = dpl_index_add(&summary, ctx, args[0], inputs, n_args - 1, &err);
    free(inputs);
    if (status != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_index_summary(&summary, ctx, args[0]);
    return CLI_DONE;
}

const cli_command cli_index_add = {
    .name = "index add",
    .family = "index",
    .summary = "add documents to a pocket index",
    .synopsis = "POCKET IN...",
    .about = "Rewrite POCKET with the documents of all INs behind its own; the bytes are "
             "those of a new build with the same options. A document with a known id replaces "
             "the old one. The old index stays until the new one is complete."
             "\n"
             "\n"
             "The index must have vectors, and where it has texts, the documents need theirs.",
    .examples = examples,
    .figures = &cli_index_figures,
    .see_also = "doppel-index-build(1), doppel-index-delete(1)",
    .argument = "FILE",
    .min_args = 2,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .work = run,
};
