/*
 * cmd_index_merge.c - doppel index merge: several indexes become one.
 */
#include "cli/index_file.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

/* What the options set. */
typedef struct settings {
    const char *output;
} settings;

static const settings defaults;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL, "write the index to FILE"),
    {0},
};

static const cli_item examples[] = {
    {"doppel index merge a.pocket b.pocket c.pocket -o all.pocket", "three become one"},
    {0},
};

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_ctx *ctx;
    int code = cli_check_output(o->output, "the index goes", false, args, n_args);
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    dpl_error err = {0};
    dpl_index_summary summary = DPL_INIT(dpl_index_summary);
    if (dpl_index_merge(&summary, ctx, o->output, (const char *const *)args, n_args, &err) !=
        DPL_OK)
        code = cli_fail_or_stop(&err);
    else
        cli_index_summary(&summary, ctx, o->output);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_index_merge = {
    .name = "index merge",
    .family = "index",
    .summary = "merge pocket indexes into one",
    .synopsis = "A.pocket B.pocket... -o X.pocket",
    .about =
        "Write one index with the documents of all, in their order: the bytes are those of an "
        "index that is built anew from the same documents. Options and lexicon are those of "
        "the first one. All must have vectors and been cut into words in the same way; no id "
        "may be in two of them.",
    .options = options,
    .examples = examples,
    .figures = &cli_index_figures,
    .see_also = "doppel-index-build(1), doppel-index-add(1)",
    .argument = "FILE",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
