/*
 * prior_rows.c - entries of a lexicon become rows of one word on each side.
 *
 * What a lexicon knows must not be forgotten when the next one is trained on a few pairs that
 * it found. A row of two words counts in expectation-maximisation as a prior count of that
 * translation: it decides where the sentences say little, and is outvoted where they say more.
 * Cost: a look-up of each word of the lexicon in both collections.
 */
#include "mine/prior_rows.h"

#include "base/ctx.h"
#include "mine/mine_params.h"
#include "vectors/term_match.h"

/* The terms of a collection that the words of a column are. */
static dpl_status match(dpl__term_match *m, const dpl__training_rows *rows,
                        const dpl_lexicon *prior, int side, int column, dpl_error *err)
{
    dpl__facts facts;
    *m = (dpl__term_match){.ctx = rows->ctx,
                           .c = rows->collection[side],
                           .lexicon = prior,
                           .f_side = column,
                           .e_lang = rows->lang[!side]};
    DPL_TRY(dpl__facts_find(&facts, m->c, 1, err));
    return dpl__term_match_make(m, &facts, err);
}

static dpl_status add_row(dpl__training_rows *rows, uint32_t left, uint32_t right, double p,
                          dpl_error *err)
{
    if (left == DPL__NOT_A_TERM || right == DPL__NOT_A_TERM)
        return DPL_OK;
    for (double n = DPL__P(mine, prior_rows) * p; n >= 0.5; n--)
        DPL_TRY(dpl__training_rows_add(rows, &left, 1, &right, 1, err));
    return DPL_OK;
}

dpl_status dpl__prior_rows_add(dpl__training_rows *rows, const dpl_lexicon *prior,
                               dpl_error *err)
{
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(prior);
    const int source =
        strcmp(dpl_lexicon_get_info(prior).source_lang, rows->lang[0]) == 0 ? 0 : 1;
    dpl__term_match of[2] = {{0}}; /* by column */
    dpl_status status;
    if ((status = match(&of[0], rows, prior, source, 0, err)) != DPL_OK ||
        (status = match(&of[1], rows, prior, !source, 1, err)) != DPL_OK)
        goto done;
    for (uint32_t s = 0; s < sizes->n_sources && status == DPL_OK; s++) {
        const float *p;
        size_t n;
        const uint32_t *targets = dpl_lexicon_row(prior, s, &p, &n);
        for (size_t i = 0; i < n && status == DPL_OK; i++) {
            const uint32_t pair[2] = {of[0].f_terms[s], of[1].f_terms[targets[i]]};
            status = add_row(rows, pair[source], pair[!source], (double)p[i], err);
        }
    }
done:
    for (int column = 0; column < 2; column++)
        dpl__term_match_clear(&of[column]);
    return status;
}
