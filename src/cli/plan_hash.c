/*
 * plan_hash.c - "code length controls precision, code multiplicity controls recall".
 */
#include "cli/plan_hash.h"

#include "cli/figure_lines.h"
#include "cli/layout.h"
#include "cli/talk.h"

/* ---- the summary -------------------------------------------------------------------- */

/* What it is about. */
typedef struct said {
    const char *hash;
    double threshold, recall;
    const dpl_tune_summary *s;
    const dpl_hash_point *points;
    size_t n_points;
} said;

static const dpl_figure of_point[] = {
    CLI_COUNT_FIGURE(dpl_hash_point, "code_length", length, .help = "length of a code"),
    CLI_COUNT_FIGURE(dpl_hash_point, "codes", codes, .help = "codes of a row"),
    CLI_COUNT_FIGURE(dpl_hash_point, "radix", radix, .help = "intervals of fuzzy"),
    CLI_REAL_FIGURE(dpl_hash_point, "width", width, .help = "interval of pstable"),
    CLI_REAL_FIGURE(dpl_hash_point, "precision", precision, .help = "precision of candidates"),
    CLI_REAL_FIGURE(dpl_hash_point, "recall", recall, .help = "their recall"),
    CLI_REAL_FIGURE(dpl_hash_point, "candidates", candidates, .help = "candidates of a row"),
};
static const dpl_summary_table point_figures = CLI_SUMMARY(dpl_hash_point, of_point);

static const dpl_figure of_tuning[] = {
    CLI_FLAG_FIGURE(dpl_tune_summary, "sampled", is_sampled, .help = "rows were sampled"),
    CLI_COUNT_FIGURE(dpl_tune_summary, "sample_rows", n_rows, .help = "rows of the sample"),
    CLI_COUNT_FIGURE(dpl_tune_summary, "true_sample", n_true, .help = "their true pairs"),
    CLI_FLAG_FIGURE(dpl_tune_summary, "reached", is_reached,
                    .help = "the best point has the recall"),
    CLI_COUNT_FIGURE(dpl_tune_summary, "best", best, .help = "index of that point"),
};
static const dpl_summary_table tuning_figures = CLI_SUMMARY(dpl_tune_summary, of_tuning);

static const dpl_figure figures[] = {
    CLI_TEXT_FIGURE(said, "hash", hash, .help = "the function"),
    CLI_REAL_FIGURE(said, "threshold", threshold, .help = "lowest cosine"),
    CLI_REAL_FIGURE(said, "recall", recall, .help = "wanted recall"),
    CLI_FIGURES_OF(said, s, tuning_figures),
    CLI_LIST_FIGURE(said, points, n_points, sizeof(dpl_hash_point), point_figures,
                    "array of settings"),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

/* ---- as text ------------------------------------------------------------------------ */

static bool is_like(const dpl_hash_point *a, const dpl_hash_point *b)
{
    return a->radix == b->radix && a->width == b->width;
}

static void print_point(const dpl_hash_point *p, bool is_best)
{
    cli_print("%s %11u  %5u  %9.4f  %7.4f  %18.3g\n", is_best ? " *" : "  ", p->length,
              p->codes, p->precision, p->recall, p->candidates);
}

/* The points that differ from the best in one parameter only. */
static void print_curve(const dpl_tune_summary *s, const char *title, bool by_length)
{
    const dpl_hash_point *best = &s->points[s->best];
    cli_print("\n%s\n   code length  codes  precision   recall  candidates per row\n", title);
    for (const dpl_hash_point *p = s->points; p < s->points + s->n_points; p++)
        if (is_like(p, best) &&
            (by_length ? p->codes == best->codes : p->length == best->length))
            print_point(p, p == best);
}

static void print_text(const said *r)
{
    const dpl_tune_summary *s = r->s;
    const dpl_hash_point *best = &s->points[s->best];
    char number[2][32];
    cli_print("%s, threshold %g, recall %g; ", r->hash, r->threshold, r->recall);
    if (s->is_sampled)
        cli_print("%s pairs of %s sampled rows\n", cli_grouped(number[0], s->n_true),
                  cli_grouped(number[1], s->n_rows));
    else
        cli_print("by the model, of pairs at the threshold\n");
    if (best->radix)
        cli_print("%u intervals\n", best->radix);
    if (best->width > 0)
        cli_print("width %g\n", best->width);
    print_curve(s, "Code length controls precision:", true);
    print_curve(s, "Code multiplicity controls recall:", false);
    if (s->is_reached)
        cli_print("\n* reaches the recall at the least cost.\n");
    else
        cli_print("\n* comes nearest to the recall, which no setting here reaches.\n");
}

int cli_plan_hash(dpl_ctx *ctx, const dpl_vectors *left, const dpl_vectors *right,
                  uint64_t n_rows, const dpl_tune_options *options)
{
    dpl_tuning *t = NULL;
    dpl_error err = {0};
    if (dpl_hash_tune(&t, ctx, left, right, n_rows, options, &err) != DPL_OK)
        return cli_fail(&err);
    const dpl_tune_summary *s = dpl_tuning_get_summary(t);
    const said r = {dpl_hash_get_function_info(options->hash->function)->name,
                    options->threshold,
                    options->recall,
                    s,
                    s->points,
                    s->n_points};
    if (!cli_print_json(&summary, &r))
        print_text(&r);
    dpl_tuning_free(t);
    return CLI_DONE;
}
