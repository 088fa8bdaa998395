/*
 * pairs_said.c - what 'doppel pairs' and 'doppel merge' write and say of a search.
 */
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/pairs_settings.h"
#include "cli/talk.h"

static const char *select_name(unsigned i)
{
    return dpl_select_name((dpl_select)i);
}

static const dpl_figure figures[] = {
    CLI_FLAG_FIGURE(cli_pairs_said, "is_self", is_self, .help = NULL),
    CLI_FLAG_FIGURE(cli_pairs_said, "no_verify", no_verify, .help = NULL),
    {.name = "select",
     .type = DPL_FIGURE_CHOICE,
     CLI_FIELD(cli_pairs_said, select),
     .choice = select_name,
     .help = "how pairs were selected"},
    CLI_COUNT_FIGURE(cli_pairs_said, "margin", margin,
                     .help = "neighbours of the margin; 0: by score"),
    CLI_COUNT_FIGURE(cli_pairs_said, "left_dropped", n_dropped[0], .only_with = "!parts",
                     .help = "documents with too few terms on the left"),
    CLI_COUNT_FIGURE(cli_pairs_said, "right_dropped", n_dropped[1], .only_with = "!parts",
                     .help = "the same on the right"),
    CLI_FIGURES_OF(cli_pairs_said, s, dpl_pairs_figures),
    CLI_OUTPUT_LINE(cli_pairs_said, output),
    CLI_FIGURES_OF(cli_pairs_said, machine, cli_machine_figures),
};
const dpl_summary_table cli_pairs_figures = CLI_SUMMARY(cli_pairs_said, figures);

cli_pairs_said cli_pairs_said_of(const dpl_pairs *pairs, const char *output, const dpl_ctx *ctx)
{
    const dpl_pairs_options *o = dpl_pairs_get_options(pairs);
    return (cli_pairs_said){.s = dpl_pairs_get_summary(pairs),
                            .no_verify = o->no_verify,
                            .select = (unsigned)o->select,
                            .margin = o->margin,
                            .output = cli_output_name(output),
                            .machine = cli_machine_of(ctx, false)};
}

int cli_write_pairs(const char *path, dpl_ctx *ctx, dpl_pairs *pairs, bool has_header)
{
    cli_output out;
    int code = cli_output_open(&out, ctx, path);
    if (code != CLI_DONE)
        return code;
    if (has_header)
        cli_output_pairs_header(&out);
    dpl_error err = {0};
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, &err)) == DPL_OK)
        cli_output_pair(&out, dpl_pairs_id(pairs, false, pair.left),
                        dpl_pairs_id(pairs, true, pair.right), (double)pair.score);
    return cli_output_close(&out, status == DPL_END ? CLI_DONE : cli_fail(&err));
}
