/*
 * plan_hash.c - "code length controls precision, code multiplicity controls recall".
 */
#include "cli/plan_hash.h"

#include "cli/arguments.h"
#include "cli/notes.h"
#include "cli/talk.h"

static void put_point(dpl_json *j, const char *key, const dpl_hash_point *p)
{
    dpl_json_begin(j, key, '{');
    dpl_json_number(j, "code_length", p->length);
    dpl_json_number(j, "codes", p->codes);
    dpl_json_number(j, "radix", p->radix);
    dpl_json_real(j, "width", p->width);
    dpl_json_real(j, "precision", p->precision);
    dpl_json_real(j, "recall", p->recall);
    dpl_json_real(j, "candidates", p->candidates);
    dpl_json_end(j, '}');
}

static void print_json(const dpl_tuning *t, dpl_hash_function function,
                       const dpl_tune_options *o)
{
    const dpl_tune_summary *s = dpl_tuning_get_summary(t);
    const dpl_hash_point *p;
    dpl_json j = cli_summary_begin(false);
    dpl_json_cstr(&j, "hash", dpl_hash_get_function_info(function)->name);
    dpl_json_real(&j, "threshold", o->threshold);
    dpl_json_real(&j, "recall", o->recall);
    dpl_json_bool(&j, "sampled", s->is_sampled);
    dpl_json_number(&j, "sample_rows", s->n_rows);
    dpl_json_number(&j, "true_sample", s->n_true);
    dpl_json_bool(&j, "reached", s->is_reached);
    dpl_json_number(&j, "best", s->best);
    dpl_json_begin(&j, "points", '[');
    for (size_t i = 0; (p = dpl_tuning_get_point(t, i)) != NULL; i++)
        put_point(&j, NULL, p);
    dpl_json_end(&j, ']');
    cli_summary_end(&j);
}

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
static void print_curve(const dpl_tuning *t, const char *title, bool by_length)
{
    const dpl_tune_summary *s = dpl_tuning_get_summary(t);
    const dpl_hash_point *best = dpl_tuning_get_point(t, s->best), *p;
    cli_print("\n%s\n   code length  codes  precision   recall  candidates per row\n", title);
    for (size_t i = 0; (p = dpl_tuning_get_point(t, i)) != NULL; i++)
        if (is_like(p, best) &&
            (by_length ? p->codes == best->codes : p->length == best->length))
            print_point(p, i == s->best);
}

static void print_text(const dpl_tuning *t, dpl_hash_function function,
                       const dpl_tune_options *o)
{
    const dpl_tune_summary *s = dpl_tuning_get_summary(t);
    const dpl_hash_point *best = dpl_tuning_get_point(t, s->best);
    char number[2][32];
    cli_print("%s, threshold %g, recall %g; ", dpl_hash_get_function_info(function)->name,
              o->threshold, o->recall);
    if (s->is_sampled)
        cli_print("%s pairs of %s sampled rows\n", cli_grouped(number[0], s->n_true),
                  cli_grouped(number[1], s->n_rows));
    else
        cli_print("by the model, of pairs at the threshold\n");
    if (best->radix)
        cli_print("%u intervals\n", best->radix);
    if (best->width > 0)
        cli_print("width %g\n", best->width);
    print_curve(t, "Code length controls precision:", true);
    print_curve(t, "Code multiplicity controls recall:", false);
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
    const dpl_hash_function function = options->hash->function;
    (cli_set.json ? print_json : print_text)(t, function, options);
    dpl_tuning_free(t);
    return CLI_DONE;
}
