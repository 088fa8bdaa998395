/*
 * plan_why.c - a plan's choice in a sentence or two.
 */
#include "pairs/method.h"

#include <stdarg.h>
#include <stdio.h>

void dpl__say(dpl__text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->data + t->n, t->n_most - t->n, fmt, args);
    va_end(args);
    if (n > 0)
        t->n = dpl__min(t->n + (size_t)n, t->n_most - 1);
}

static void say_time(dpl__text *t, double seconds)
{
    static const struct {
        double from, unit;
        const char *name;
    } units[] = {{3 * 86400, 86400, "days"}, {2 * 3600, 3600, "hours"}, {120, 60, "minutes"}};
    for (size_t i = 0; i < DPL_LEN(units); i++)
        if (seconds >= units[i].from) {
            double x = seconds / units[i].unit;
            dpl__say(t, "%.*f %s", x < 9.95, x, units[i].name);
            return;
        }
    if (seconds < 0.00005)
        dpl__say(t, "less than 0.1 ms");
    else if (seconds < 0.9995)
        dpl__say(t, "%.*f ms", seconds < 0.00995, 1000 * seconds);
    else
        dpl__say(t, "%.*f s", seconds < 9.95, seconds);
}

static void say_best(dpl__text *t, const dpl_plan *plan, const dpl_plan_row *row)
{
    const dpl__method *m = dpl__method_of(row->method);
    m->say_name(t, row);
    if (t->n)
        t->data[0] = (char)(t->data[0] - 'a' + 'A');
    m->say_work(t, row, plan->summary.n_pairs);
    say_time(t, row->seconds);
    if (row->candidates > 1e-4 * row->comparisons)
        dpl__say(t, ", with %.3g candidates to verify", row->candidates);
}

/* What another method would take for the same recall, if the plan has it. */
static void say_other(dpl__text *t, const dpl_plan *plan, const dpl__method *method,
                      double recall, bool *is_first)
{
    dpl_pairs_method id = method->info.method;
    const dpl_plan_row *row = dpl__plan_fastest(plan, id, recall), *any = NULL;
    for (size_t i = 0; i < plan->rows.n; i++)
        if (plan->rows.data[i].method == id)
            any = &plan->rows.data[i];
    if (!any)
        return;
    dpl__say(t, "%s", *is_first ? ". For the same recall, " : "; ");
    *is_first = false;
    if (row) {
        method->say_name(t, row);
        dpl__say(t, " would take ");
        say_time(t, row->seconds);
    } else if (method->not_enough) {
        dpl__say(t, "%s", method->not_enough);
    } else {
        method->say_name(t, any);
        dpl__say(t, " does not fit into memory");
    }
}

void dpl__plan_say_why(dpl_plan *plan, double recall)
{
    dpl__text t = {plan->why, 0, sizeof plan->why};
    const dpl_plan_row *best = &plan->rows.data[plan->summary.best];
    const dpl__method *method;
    if (!dpl__plan_fastest(plan, DPL_PAIRS_AUTO, recall) && best->recall > 0) {
        dpl__say(&t, "Nothing here reaches recall %g within the memory; ", recall);
        dpl__method_of(best->method)->say_name(&t, best);
        dpl__say(&t, " comes closest with %.3f in ", best->recall);
        say_time(&t, best->seconds);
        dpl__say(&t, ".");
        return;
    }
    say_best(&t, plan, best);
    bool is_first = true;
    for (int i = 0; (method = dpl__method_of((dpl_pairs_method)i)) != NULL; i++)
        if (method->plan && method->info.method != best->method)
            say_other(&t, plan, method, recall, &is_first);
    if (plan->summary.better_bits) {
        dpl__say(&t, ". Brute force with %u bits would take ", plan->summary.better_bits);
        say_time(&t, plan->summary.better_seconds);
    }
    dpl__say(&t, ".");
}
