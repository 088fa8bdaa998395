/*
 * cmd_index_delete.c - doppel index delete: an index without some of its documents.
 */
#include "cli/index_file.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include <stdlib.h>
#include <string.h>

static const cli_item examples[] = {
    {"doppel index delete news.pocket n17 n23", "without these two documents"},
    {0},
};

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)user;
    dpl_str *ids = calloc(n_args, sizeof *ids);
    dpl_error err = {0};
    dpl_index_summary summary = DPL_INIT(dpl_index_summary);
    if (!ids)
        return cli_no_memory();
    for (size_t i = 1; i < n_args; i++)
        ids[i - 1] = (dpl_str){args[i], strlen(args[i])};
    dpl_status status = dpl_index_delete(&summary, ctx, args[0], ids, n_args - 1, &err);
    free(ids);
    if (status != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_index_summary(&summary, ctx, args[0]);
    return CLI_DONE;
}

const cli_command cli_index_delete = {
    .name = "index delete",
    .family = "index",
    .summary = "delete documents from a pocket index",
    .synopsis = "POCKET ID...",
    .about = "Rewrite POCKET without the documents of these ids; the bytes are those of a "
             "new build without them. The old index stays until the new one is "
             "complete; if an id is not found, nothing is written.",
    .examples = examples,
    .figures = &cli_index_figures,
    .see_also = "doppel-index-build(1), doppel-index-add(1)",
    .argument = "FILE",
    .min_args = 2,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .work = run,
};
