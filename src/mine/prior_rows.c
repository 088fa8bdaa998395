/*
 * prior_rows.c - entries of a lexicon become rows of one word on each side.
 *
 * What a lexicon knows must not be forgotten when the next one is trained on a few pairs that
 * it found. A row of two words counts in expectation-maximisation as a prior count of that
 * translation: it decides where the sentences say little, and is outvoted where they say more.
 * Both directions of the lexicon count alike. Cost: a look-up of each word in both collections,
 * a sort of the entries found.
 */
#include "mine/prior_rows.h"

#include "base/order.h"
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

/* A translation that both collections have. */
typedef struct prior {
    uint32_t term[2]; /* left and right */
    double p;         /* half of p(target|source) and of p(source|target) */
} prior;

typedef DPL_VEC(prior) prior_vec;

DPL__ORDER(by_terms, prior, DPL__RISING(term[0]) DPL__RISING(term[1]))

/* Entries of one direction; a lexicon that has one only counts it twice. */
static bool add_entries(prior_vec *out, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                        const dpl__term_match of[2], int column, int source)
{
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(lexicon);
    const uint32_t n_words = column ? sizes->n_targets : sizes->n_sources;
    bool has_room = true;
    for (uint32_t word = 0; word < n_words && has_room; word++) {
        const float *p;
        size_t n;
        const uint32_t *others = column ? dpl_lexicon_back_row(lexicon, word, &p, &n)
                                        : dpl_lexicon_row(lexicon, word, &p, &n);
        for (size_t i = 0; i < n && has_room; i++) {
            prior one = {.p = (double)p[i] / (sizes->n_back ? 2 : 1)};
            one.term[source != column] = of[column].f_terms[word];
            one.term[source == column] = of[!column].f_terms[others[i]];
            if (one.term[0] != DPL__NOT_A_TERM && one.term[1] != DPL__NOT_A_TERM)
                has_room = dpl__vec_push(ctx, out, one);
        }
    }
    return has_room;
}

/* The entries of a pair of terms are one; sorted, so that the lexicon of the other direction
 * gives the same rows. */
static dpl_status add_rows(dpl__training_rows *rows, prior_vec *priors, dpl_error *err)
{
    dpl__vec_sort(priors, by_terms);
    for (size_t i = 0, end; i < priors->n; i = end) {
        const prior *one = &priors->data[i];
        double n = 0;
        for (end = i; end < priors->n && by_terms(one, &priors->data[end]) == 0; end++)
            n += DPL__P(mine, prior_rows) * priors->data[end].p;
        for (; n >= 0.5; n--)
            DPL_TRY(dpl__training_rows_add(rows, &one->term[0], 1, &one->term[1], 1, err));
    }
    return DPL_OK;
}

dpl_status dpl__prior_rows_add(dpl__training_rows *rows, const dpl_lexicon *lexicon,
                               dpl_error *err)
{
    const int source =
        strcmp(dpl_lexicon_get_info(lexicon).source_lang, rows->lang[0]) == 0 ? 0 : 1;
    dpl__term_match of[2] = {{0}}; /* by column */
    prior_vec priors = {0};
    dpl_status status;
    if ((status = match(&of[0], rows, lexicon, source, 0, err)) != DPL_OK ||
        (status = match(&of[1], rows, lexicon, !source, 1, err)) != DPL_OK)
        goto done;
    if (!add_entries(&priors, rows->ctx, lexicon, of, 0, source) ||
        !add_entries(&priors, rows->ctx, lexicon, of, 1, source))
        status = dpl__fail_nomem(err);
    else
        status = add_rows(rows, &priors, err);
done:
    dpl__vec_clear(rows->ctx, &priors);
    for (int column = 0; column < 2; column++)
        dpl__term_match_clear(&of[column]);
    return status;
}
