/*
 * plan_why.c - a plan's choice in a sentence or two.
 */
#include "pairs/plan.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct text {
    char *data;
    size_t n, n_most;
} text;

static void say(text *t, const char *fmt, ...) DPL_PRINTF(2, 3);

static void say(text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->data + t->n, t->n_most - t->n, fmt, args);
    va_end(args);
    if (n > 0)
        t->n = dpl__min(t->n + (size_t)n, t->n_most - 1);
}

static void say_time(text *t, double seconds)
{
    static const struct {
        double from, unit;
        const char *name;
    } units[] = {{3 * 86400, 86400, "days"}, {2 * 3600, 3600, "hours"}, {120, 60, "minutes"}};
    for (size_t i = 0; i < DPL_LEN(units); i++)
        if (seconds >= units[i].from) {
            double x = seconds / units[i].unit;
            say(t, "%.*f %s", x < 9.95, x, units[i].name);
            return;
        }
    if (seconds < 0.00005)
        say(t, "less than 0.1 ms");
    else if (seconds < 0.9995)
        say(t, "%.*f ms", seconds < 0.00995, 1000 * seconds);
    else
        say(t, "%.*f s", seconds < 9.95, seconds);
}

/* "a window of 2000 in 310 tables" */
static void say_way(text *t, const dpl_plan_row *row)
{
    if (row->method == DPL_PAIRS_EXACT)
        say(t, "the exact method");
    else if (row->method == DPL_PAIRS_BRUTE)
        say(t, "brute force");
    else
        say(t, "a window of B = %u in Q = %u tables", row->window, row->n_tables);
}

static void say_best(text *t, const dpl_plan *plan, const dpl_plan_row *row)
{
    say_way(t, row);
    if (t->n)
        t->data[0] = (char)(t->data[0] - 'a' + 'A');
    switch (row->method) {
    case DPL_PAIRS_EXACT:
        say(t, " finds all pairs with %.3g multiply-adds in ", row->comparisons);
        break;
    case DPL_PAIRS_BRUTE: say(t, " compares all %.3g pairs in ", row->comparisons); break;
    default:
        say(t, " makes %.3g comparisons, %.3g %% of brute force's, in ", row->comparisons,
            100 * row->comparisons / plan->n_pairs);
    }
    say_time(t, row->seconds);
    if (row->candidates > 1e-4 * row->comparisons)
        say(t, ", with %.3g candidates to verify", row->candidates);
}

static void say_other(text *t, const dpl_plan *plan, dpl_pairs_method method, double recall,
                      bool *is_first)
{
    const dpl_plan_row *row = dpl__plan_fastest(plan, method, recall), *any = NULL;
    for (size_t i = 0; i < plan->n_rows; i++)
        if (plan->rows[i].method == method)
            any = &plan->rows[i];
    if (!any)
        return;
    say(t, "%s", *is_first ? ". For the same recall, " : "; ");
    *is_first = false;
    if (row) {
        say_way(t, row);
        say(t, " would take ");
        say_time(t, row->seconds);
    } else if (method == DPL_PAIRS_WINDOW) {
        say(t, "no window here is enough");
    } else {
        say_way(t, any);
        say(t, " does not fit into memory");
    }
}

void dpl__plan_say_why(dpl_plan *plan, double recall)
{
    static const dpl_pairs_method methods[] = {DPL_PAIRS_EXACT, DPL_PAIRS_BRUTE,
                                               DPL_PAIRS_WINDOW};
    text t = {plan->why, 0, sizeof plan->why};
    const dpl_plan_row *best = &plan->rows[plan->best];
    if (!dpl__plan_fastest(plan, DPL_PAIRS_AUTO, recall)) {
        say(&t, "Nothing here reaches recall %g within the memory; ", recall);
        say_way(&t, best);
        say(&t, " comes closest with %.3f in ", best->recall);
        say_time(&t, best->seconds);
        say(&t, ".");
        return;
    }
    say_best(&t, plan, best);
    bool is_first = true;
    for (size_t i = 0; i < DPL_LEN(methods); i++)
        if (methods[i] != best->method)
            say_other(&t, plan, methods[i], recall, &is_first);
    if (plan->better_bits) {
        say(&t, ". Brute force with %u bits would take ", plan->better_bits);
        say_time(&t, plan->better_seconds);
    }
    say(&t, ".");
}
