/*
 * lengths.c - tables over the logarithm of the length.
 */
#include "sentences/lengths.h"

#include "sentences/logarithm.h"

void dpl__lengths_init(dpl__lengths *l, const dpl__bead_shape *shape)
{
    *l = (dpl__lengths){.log_ratio = shape->log_ratio};
    double length = 1.0644944589178593; /* exp(1/16): the middle of the first bin */
    for (size_t i = 0; i < DPL__LENGTH_BINS; i++) {
        double variance = shape->variance / length + shape->floor;
        if (variance > 1) /* that of any two lengths */
            variance = 1;
        l->precision[i] = 1 / variance;
        l->bonus[i] = -0.5 * dpl__log(variance);
        length *= 1.1331484530668263; /* exp(1/8) */
    }
}

dpl_status dpl__lengths_start(dpl__lengths *l, dpl__bags *bags, unsigned max_side,
                              dpl_error *err)
{
    l->max_side = max_side;
    for (int side = 0; side < 2; side++) {
        const dpl__bag_side *s = &bags->side[side];
        double *logs = dpl__arena_alloc(&bags->arena, (size_t)s->n * max_side * sizeof *logs);
        if (!logs)
            return dpl__fail_nomem(err);
        for (uint32_t i = 0; i < s->n; i++) {
            double sum = 0;
            for (unsigned k = 0; k < max_side && k <= i; k++) {
                sum += s->chars[i - k];
                logs[(size_t)i * max_side + k] = dpl__log(sum);
            }
        }
        l->logs[side] = logs;
    }
    return DPL_OK;
}
