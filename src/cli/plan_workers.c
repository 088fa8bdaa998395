/*
 * plan_workers.c - doppel plan --workers: what dedup and mine in parts cost, by stage.
 */
#include "cli/plan_workers.h"

#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/talk.h"

/* What is said. */
typedef struct said {
    const dpl_workers_options *o;
    const dpl_stage_cost *stages;
    size_t n_stages;
    unsigned threads;
    uint64_t memory;
} said;

static const dpl_figure of_options[] = {
    CLI_COUNT_FIGURE(dpl_workers_options, "workers", workers, .help = "processes"),
    CLI_REAL_FIGURE(dpl_workers_options, "documents", documents,
                    .help = "documents of all languages"),
    CLI_COUNT_FIGURE(dpl_workers_options, "languages", languages, .help = "languages"),
    CLI_REAL_FIGURE(dpl_workers_options, "words", words, .help = NULL),
};
static const dpl_summary_table options_figures = CLI_SUMMARY(dpl_workers_options, of_options);

static const dpl_figure of_stage[] = {
    CLI_TEXT_FIGURE(dpl_stage_cost, "command", command, .help = "dedup or mine"),
    CLI_TEXT_FIGURE(dpl_stage_cost, "name", name, .help = "its stage"),
    CLI_REAL_FIGURE(dpl_stage_cost, "core_seconds", core_seconds, .help = "of all workers"),
    CLI_REAL_FIGURE(dpl_stage_cost, "undivided", undivided, .help = "share of the time"),
    CLI_REAL_FIGURE(dpl_stage_cost, "seconds", seconds, .help = "time"),
    CLI_REAL_FIGURE(dpl_stage_cost, "worker_bytes", worker_bytes, .help = "memory of a worker"),
    CLI_REAL_FIGURE(dpl_stage_cost, "shared_bytes", shared_bytes, .help = "shared storage"),
    CLI_REAL_FIGURE(dpl_stage_cost, "most_documents", most_documents,
                    .help = "that fit into the memory of a worker"),
    CLI_TEXT_FIGURE(dpl_stage_cost, "instead", instead, .help = NULL),
};
static const dpl_summary_table stage_figures = CLI_SUMMARY(dpl_stage_cost, of_stage);

static const dpl_figure figures[] = {
    CLI_FIGURES_OF(said, o, options_figures),
    CLI_LIST_FIGURE(said, stages, n_stages, sizeof(dpl_stage_cost), stage_figures,
                    "array of objects, one for each stage"),
    CLI_COUNT_FIGURE(said, "threads", threads, .help = "threads of a worker"),
    CLI_COUNT_FIGURE(said, "memory", memory, .help = NULL),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

static const cli_column columns[] = {
    {"stage", -6, "{command}"},
    {"", -19, "{name}"},
    {"core hours", 13, "{core_seconds:.3h}"},
    {"hours", 11, "{seconds:.3h}"},
    {"alone", 8, "{undivided:.0p}%"},
    {"worker GB", 11, "{worker_bytes:.3G}"},
    {"shared TB", 11, "{shared_bytes:.3T}"},
    {0},
};

static void print_text(const said *r, const dpl_workers_plan *plan)
{
    const dpl_figures all = {&summary, r, NULL, NULL};
    cli_print_text(&all, "{documents:.3g} documents of {words} words in {languages:.0f} "
                         "languages; {workers:.0f} workers of {threads:.0f} threads and "
                         "{memory:.3G} GB\n\n");
    cli_print_columns(&all, "stages", columns, NULL);
    if (plan->first_full < plan->n_stages)
        cli_print_text(
            &(dpl_figures){&stage_figures, &plan->stages[plan->first_full], NULL, NULL},
            "\nMemory ends first in {command}, {name}: at {most_documents:.2g} documents. "
            "Then: {instead}.\n");
    if (plan->slowest < plan->n_stages)
        cli_print_text(&(dpl_figures){&stage_figures, &plan->stages[plan->slowest], NULL, NULL},
                       "Most is done alone in {command}, {name}. Instead: {instead}.\n");
}

int cli_plan_workers(dpl_ctx *ctx, const dpl_workers_options *options)
{
    dpl_error err = {0};
    dpl_workers_plan plan = DPL_INIT(dpl_workers_plan);
    if (dpl_workers_plan_make(&plan, ctx, options, &err) != DPL_OK)
        return cli_fail(&err);
    const said r = {options, plan.stages, plan.n_stages, dpl_ctx_threads(ctx),
                    dpl_ctx_memory(ctx)};
    if (!cli_print_json(&summary, &r))
        print_text(&r, &plan);
    return CLI_DONE;
}
