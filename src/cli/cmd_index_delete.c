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

static int run(char **args, size_t n_args)
{
    dpl_ctx *ctx;
    int code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    dpl_str *ids = calloc(n_args, sizeof *ids);
    dpl_error err = {0};
    dpl_index_summary summary = DPL_INIT(dpl_index_summary);
    if (!ids) {
        dpl_ctx_free(ctx);
        return cli_no_memory();
    }
    for (size_t i = 1; i < n_args; i++)
        ids[i - 1] = (dpl_str){args[i], strlen(args[i])};
    if (dpl_index_delete(&summary, ctx, args[0], ids, n_args - 1, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    else
        cli_index_summary(&summary, ctx, args[0]);
    free(ids);
    dpl_ctx_free(ctx);
    return code;
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
    .run = run,
};
