/*
 * part_option.c - --part i/n: its value; what is said of a part, and of parts that are merged.
 */
#include "cli/part_option.h"

#include "cli/outfile.h"
#include "cli/talk.h"

int cli_part_parse(dpl_part *out, const char *text)
{
    if (dpl_part_parse(out, text))
        return CLI_DONE;
    cli_error("bad value '%s' for --part: expected I/N, such as 3/7 for the third of seven",
              text);
    return CLI_USAGE;
}

/* clang-format off */
#define ITEMS(name_, help_) \
    CLI_COUNT_FIGURE(cli_part_said, name_, made.n_items, .only_with = "what=" name_ " !kept", \
                     .help = help_, .label = name_)
/* clang-format on */

static const dpl_figure figures[] = {
    CLI_TEXT_FIGURE(cli_part_said, "what", what, .help = NULL),
    CLI_OUTPUT_FIGURE(cli_part_said, output),
    CLI_TEXT_FIGURE(cli_part_said, "kind", kind, .only_with = "kind",
     .help = "what the parts hold: collection, signatures or pairs"),
    CLI_COUNT_FIGURE(cli_part_said, "part", number, .only_with = "part", .help = "which part",
                     .label = "part", .value = "{part} of {parts}",
                     .remark = "[kept?was there already: nothing to do]"
                               "[done?others have completed the run: nothing to do]"),
    CLI_COUNT_FIGURE(cli_part_said, "parts", n, .help = "how many there are", .label = "parts",
                     .shown_with = "!part"),
    CLI_FLAG_FIGURE(cli_part_said, "done", is_over, .only_with = "done",
     .help = "others have completed the run"),
    CLI_FLAG_FIGURE(cli_part_said, "kept", made.is_kept, .only_with = "part !done",
     .help = "the part was there already: its items are not counted"},
    ITEMS("documents", "documents in the output"),
    ITEMS("rows", "rows in the output"),
    ITEMS("pairs", "pairs in the output"),
    ITEMS("candidates", "candidates in the output"),
    CLI_COUNT_FIGURE(cli_part_said, "unchanged", made.n_unchanged, .only_with = "unchanged",
                     .help = "documents that were not tokenized again", .label = "unchanged",
                     .remark = "documents, not tokenized again"),
    {.name = "output_bytes",
     .type = DPL_FIGURE_BYTES,
     CLI_FIELD(cli_part_said, made.n_output_bytes),
     .only_with = "!done",
     .help = "bytes of the output's file",
     .label = "output",
     .value = "[output_bytes?{output_bytes}]",
     .remark = "'{output}'"),
    {.name = "seconds",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(cli_part_said, made.seconds),
     .only_with = "!done",
     .help = "time it took"},
    {.name = "machine",
     .type = DPL_FIGURE_PART,
     CLI_FIELD(cli_part_said, machine),
     .group = &cli_machine_figures,
     .only_with = "!done"},
};
const dpl_summary_table cli_part_figures = CLI_SUMMARY(cli_part_said, figures);

void cli_part_say(cli_part_said *said, const char *output, const dpl_ctx *ctx)
{
    said->output = cli_output_name(output);
    if (!said->is_over)
        said->machine = cli_machine_of(ctx, false);
    cli_say_summary(&cli_part_figures, said, !said->is_over && cli_is_stdout(output));
}
