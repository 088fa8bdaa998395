/*
 * shape_model.c - tables over the logarithm of the length; runs of sentences.
 */
#include "sentences/shape_model.h"

#include "base/maths.h"

#include <math.h>

void dpl__shape_model_init(dpl__shape_model *l, const dpl__bead_priors *priors)
{
    *l = (dpl__shape_model){.log_ratio = priors->log_ratio, .priors = priors};
    double length = 1.0644944589178593; /* exp(1/16): the middle of the first bin */
    for (size_t i = 0; i < DPL__LENGTH_BINS; i++) {
        double variance = priors->variance / length + priors->floor;
        if (variance > 1)
            variance = 1;
        l->precision[i] = 1 / variance;
        l->bonus[i] = -0.5 * dpl__log(variance);
        length *= 1.1331484530668263; /* exp(1/8) */
    }
}

/* Half of the log-likelihood of a run of n sentences; the constant of the normal distribution
 * is left out here and in the bonus. */
static double chance_of(const dpl__bead_priors *p, int side, unsigned n, const dpl__run *run,
                        bool has_signs)
{
    const dpl__run_prior *prior = &p->runs[side][n];
    double x = run->log - prior->mean, off = x * x / prior->variance;
    double sum = -0.5 * dpl__log(prior->variance) - 0.5 * off / (1 + off / P(length_flat));
    for (unsigned i = 0; i < DPL__SIGNS && has_signs; i++)
        sum += prior->signs[i][run->signs.at[i]];
    return sum / 2;
}

/* priors->signs is [sign][left][right]. */
static void place_signs(dpl__run *run, int side)
{
    for (unsigned i = 0; i < DPL__SIGNS; i++)
        run->places[i] =
            side == DPL__RIGHT
                ? run->signs.at[i]
                : (uint16_t)((i * DPL__SIGN_VALUES + run->signs.at[i]) * DPL__SIGN_VALUES);
}

dpl_status dpl__shape_model_start(dpl__shape_model *l, dpl__arena *arena,
                                  const dpl__bead_doc docs[2], unsigned max_side,
                                  dpl_error *err)
{
    l->max_side = max_side;
    l->has_signs = docs[0].signs && docs[1].signs && l->priors->has_signs;
    for (int side = 0; side < 2; side++) {
        const dpl__bead_doc *d = &docs[side];
        dpl__run *runs = dpl__arena_alloc(arena, (size_t)d->n * max_side * sizeof *runs);
        DPL_TRY(dpl__need(runs, err));
        for (uint32_t i = 0; i < d->n; i++) {
            double sum = 0;
            dpl__run run = {0};
            for (unsigned k = 0; k < max_side && k <= i; k++) {
                sum += d->chars[i - k] ? d->chars[i - k] : 1;
                run.log = dpl__log(sum);
                if (l->has_signs)
                    run.signs = k ? dpl__signs_join(d->signs[i - k], run.signs) : d->signs[i];
                place_signs(&run, side);
                run.chance = chance_of(l->priors, side, k + 1, &run, l->has_signs);
                runs[(size_t)i * max_side + k] = run;
            }
        }
        l->runs[side] = runs;
    }
    return DPL_OK;
}
