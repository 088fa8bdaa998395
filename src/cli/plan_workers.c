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
} said;

static const dpl_figure of_options[] = {
    CLI_COUNT_FIGURE(dpl_workers_options, "workers", workers, .help = "processes"),
    CLI_REAL_FIGURE(dpl_workers_options, "documents", documents,
                    .help = "documents of all languages"),
    CLI_COUNT_FIGURE(dpl_workers_options, "languages", languages, .help = "languages"),
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
};
static const dpl_summary_table stage_figures = CLI_SUMMARY(dpl_stage_cost, of_stage);

static const dpl_figure figures[] = {
    CLI_FIGURES_OF(said, o, options_figures),
    CLI_LIST_FIGURE(said, stages, n_stages, sizeof(dpl_stage_cost), stage_figures,
                    "array of objects, one for each stage"),
    CLI_COUNT_FIGURE(said, "threads", threads, .help = "threads of a worker"),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

static void print_text(const dpl_ctx *ctx, const dpl_workers_options *o,
                       const dpl_workers_plan *plan)
{
    cli_print("%.3g documents of %g words in %u languages; %u workers of %u threads and "
              "%.3g GB\n\n",
              o->documents, o->words, o->languages, o->workers, dpl_ctx_threads(ctx),
              (double)dpl_ctx_memory(ctx) * 1e-9);
    cli_print("%-25s %12s %10s %7s %10s %10s\n", "stage", "core hours", "hours", "alone",
              "worker GB", "shared TB");
    for (size_t i = 0; i < plan->n_stages; i++) {
        const dpl_stage_cost *c = &plan->stages[i];
        cli_print("%-6s%-19s %12.3g %10.3g %6.0f%% %10.3g %10.3g\n", c->command, c->name,
                  c->core_seconds / 3600, c->seconds / 3600, 100 * c->undivided,
                  c->worker_bytes * 1e-9, c->shared_bytes * 1e-12);
    }
    if (plan->first_full < plan->n_stages) {
        const dpl_stage_cost *c = &plan->stages[plan->first_full];
        cli_print("\nMemory ends first in %s, %s: at %.2g documents. Then: %s.\n", c->command,
                  c->name, c->most_documents, c->instead);
    }
    if (plan->slowest < plan->n_stages) {
        const dpl_stage_cost *c = &plan->stages[plan->slowest];
        cli_print("Most is done alone in %s, %s. Instead: %s.\n", c->command, c->name,
                  c->instead);
    }
}

int cli_plan_workers(dpl_ctx *ctx, const dpl_workers_options *options)
{
    dpl_error err = {0};
    dpl_workers_plan plan = DPL_INIT(dpl_workers_plan);
    if (dpl_workers_plan_make(&plan, ctx, options, &err) != DPL_OK)
        return cli_fail(&err);
    const said r = {options, plan.stages, plan.n_stages, dpl_ctx_threads(ctx)};
    if (!cli_print_json(&summary, &r))
        print_text(ctx, options, &plan);
    return CLI_DONE;
}
