/*
 * length_model.c - tables over the logarithm of the length.
 */
#include "sentences/length_model.h"

#include "base/maths.h"

void dpl__length_model_init(dpl__length_model *l, const dpl__bead_priors *priors)
{
    *l = (dpl__length_model){.log_ratio = priors->log_ratio};
    double length = 1.0644944589178593; /* exp(1/16): the middle of the first bin */
    for (size_t i = 0; i < DPL__LENGTH_BINS; i++) {
        double variance = priors->variance / length + priors->floor;
        if (variance > 1) /* that of any two lengths */
            variance = 1;
        l->precision[i] = 1 / variance;
        l->bonus[i] = -0.5 * dpl__log(variance);
        length *= 1.1331484530668263; /* exp(1/8) */
    }
}

dpl_status dpl__length_model_start(dpl__length_model *l, dpl__bow *bow, unsigned max_side,
                                   dpl_error *err)
{
    l->max_side = max_side;
    for (int side = 0; side < 2; side++) {
        const dpl__bow_side *s = &bow->side[side];
        double *logs = dpl__arena_alloc(&bow->arena, (size_t)s->n * max_side * sizeof *logs);
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
