/*
 * index_file.c - the summary of an index that was written.
 */
#include "cli/index_file.h"

#include "cli/figure_lines.h"

#include "doppel/file.h"

#include <string.h>

bool cli_is_pocket(dpl_ctx *ctx, const char *path)
{
    dpl_file *file = NULL;
    const bool is = strcmp(path, "-") != 0 && dpl_file_open(&file, ctx, path, NULL) == DPL_OK &&
                    strcmp(dpl_file_get_info(file).kind, "pocket") == 0;
    dpl_file_close(file);
    return is;
}

typedef struct result {
    dpl_index_summary s;
    dpl_page_summary page;
    const char *output, *page_path;
    double seconds;
    cli_machine machine;
} result;

static const dpl_figure figures[] = {
    CLI_SOME_FIGURES(result, s, dpl_index_figures, "documents empty deleted codes slots"),
    {.name = "output",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, output),
     .only_with = "output",
     .help = "path of the index"},
    CLI_SOME_FIGURES(result, s, dpl_index_figures, "bytes per_document"),
    {.name = "page",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, page_path),
     .only_with = "page",
     .help = "path of the page, if one was written"},
    {.name = "page_bytes",
     .type = DPL_FIGURE_BYTES,
     CLI_FIELD(result, page.n_bytes),
     .only_with = "page",
     .help = "size of the page",
     .label = "output",
     .remark = "'{page}'"},
    CLI_SOME_FIGURES(result, s, dpl_index_figures, "spilled_bytes"),
    {.name = "seconds",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(result, seconds),
     .help = "time it took"},
    CLI_FIGURES_OF(result, machine, cli_machine_figures),
};
const dpl_summary_table cli_index_figures = CLI_SUMMARY(result, figures);

void cli_index_summary(const dpl_index_summary *s, const dpl_ctx *ctx, const char *path)
{
    cli_page_summary(s, NULL, ctx, path, NULL);
}

void cli_page_summary(const dpl_index_summary *s, const dpl_page_summary *page,
                      const dpl_ctx *ctx, const char *path, const char *page_path)
{
    result r = {.s = *s,
                .output = path,
                .page_path = page_path,
                .seconds = path ? s->seconds : 0,
                .machine = cli_machine_of(ctx, false)};
    if (page_path) {
        r.page = *page;
        r.seconds += page->seconds;
    }
    cli_say_summary(&cli_index_figures, &r, false);
}
