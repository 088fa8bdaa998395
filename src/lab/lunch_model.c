/*
 * lunch_model.c - the recall that is predicted for tables and windows, before any is made.
 *
 * The paper (section 5) multiplies Equation 4, the pair shares the n first bits in one of Q
 * tables, with Equation 5, its distance stays within the cut; n is log2(C / B), rounded up and
 * down. It does not say which cosine t its Figure 6 was drawn for: here the mean over the
 * cosines of the true pairs is taken, and the value for pairs exactly at the threshold stands
 * beside it. Ours is the model behind dpl_plan_make, with the cut that the paper has.
 */
#include "lab/lunch.h"

/* Cosines are taken together in steps of a hundredth: the middle of each stands for its pairs.
 */
enum { STEPS = 100 };

/* ---- the paper's ------------------------------------------------------------------------- */

typedef struct cosines {
    size_t n[STEPS];
    size_t n_all;
} cosines;

static cosines count_cosines(const dpl__lunch *l)
{
    cosines c = {.n_all = l->n_truth};
    for (size_t i = 0; i < l->n_truth; i++) {
        const double at = (double)l->truth[i].cosine * STEPS;
        c.n[at < 0 ? 0 : at < STEPS ? (size_t)at : STEPS - 1]++;
    }
    return c;
}

/* Equation 4 times Equation 5. */
static double found_at(const dpl__lunch *l, double cosine, unsigned prefix, double n_tables)
{
    return dpl__paper_tables(cosine, prefix, n_tables) *
           dpl__paper_within(cosine, l->bits, prefix, l->cut);
}

static void predict_paper(dpl__lunch_predicted *out, const dpl__lunch *l, const cosines *c,
                          double n_tables, double window)
{
    unsigned low, high;
    dpl__paper_prefix(&low, &high, l->n_rows, window);
    out->low_at = found_at(l, l->threshold, high, n_tables);
    out->high_at = found_at(l, l->threshold, low, n_tables);
    out->low = out->high = 0;
    for (size_t i = 0; i < STEPS; i++) {
        const double share = (double)c->n[i] / (double)c->n_all;
        const double cosine = ((double)i + 0.5) / STEPS;
        out->low += c->n[i] ? share * found_at(l, cosine, high, n_tables) : 0;
        out->high += c->n[i] ? share * found_at(l, cosine, low, n_tables) : 0;
    }
}

/* ---- ours -------------------------------------------------------------------------------- */

typedef struct planned {
    dpl_ctx *ctx;
    dpl__model *model;
    dpl__row_sample sample;
    dpl__prediction prediction;
    double *pass;
    double windows[DPL__PLAN_WINDOWS];
} planned;

static dpl_status begin(planned *p, const dpl__lunch *l, size_t n_windows, dpl_error *err)
{
    const dpl__row_sample_options rows = {.left = &l->sides[0],
                                          .right = l->is_self ? NULL : &l->sides[1],
                                          .bits = l->bits,
                                          .threshold = l->threshold,
                                          .windows = p->windows,
                                          .n_windows = n_windows};
    DPL_TRY(dpl__model_new(&p->model, p->ctx, err));
    DPL_TRY(dpl__row_sample_init(&p->sample, p->ctx, p->model, &rows, err));
    const dpl__prediction_options o = {.model = p->model,
                                       .sample = &p->sample,
                                       .bits = l->bits,
                                       .threshold = l->threshold,
                                       .rows = l->n_rows,
                                       .windows = p->windows,
                                       .n_windows = n_windows};
    DPL_TRY(dpl__predict_init(&p->prediction, p->ctx, &o, err));
    p->pass = dpl__alloc(p->ctx, p->prediction.n * sizeof *p->pass);
    DPL_TRY(dpl__need(p->pass, err));
    dpl__predict_pass(p->pass, &p->prediction, &(dpl__cuts){.cut = l->cut});
    return DPL_OK;
}

static void end(planned *p)
{
    dpl__free(p->ctx, p->pass);
    dpl__predict_clear(&p->prediction, p->ctx);
    dpl__row_sample_clear(&p->sample, p->ctx);
    dpl__model_free(p->model, p->ctx);
}

dpl_status dpl__lunch_predict(dpl__lunch_predicted (*out)[DPL__LUNCH_MOST], dpl__lunch *l,
                              const dpl__lunch_grid *grid, dpl_error *err)
{
    assert(grid->n_windows <= DPL__PLAN_WINDOWS);
    const cosines c = count_cosines(l);
    planned p = {.ctx = l->lab->ctx};
    for (size_t w = 0; w < grid->n_windows; w++)
        p.windows[w] = grid->windows[w];
    const dpl_status status = begin(&p, l, grid->n_windows, err);
    for (size_t q = 0; q < grid->n_tables && status == DPL_OK; q++)
        for (size_t w = 0; w < grid->n_windows; w++) {
            predict_paper(&out[q][w], l, &c, grid->tables[q], grid->windows[w]);
            out[q][w].ours = dpl__predict_recall(&p.prediction, p.pass, w, grid->tables[q]);
        }
    end(&p);
    return status;
}
