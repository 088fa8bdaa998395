/*
 * ngram_settings.c - defaults and ranges of the options of n-gram mining.
 */
#include "pairs/ngram/ngram_settings.h"

#include "base/sized.h"
#include "pairs/ngram/ngram_params.h"

static void fill(unsigned *field, double standard)
{
    if (*field == 0)
        *field = (unsigned)standard;
}

static void fill_real(double *field, double standard, double none)
{
    if (*field == 0)
        *field = standard;
    else if (*field < 0)
        *field = none;
}

static dpl_status check(const dpl__ngram_settings *s, dpl_error *err)
{
    if (s->matching > DPL__NGRAM_MOST_WORDS || s->scoring > DPL__NGRAM_MOST_WORDS)
        return dpl__fail(err, DPL_E_USAGE, "an n-gram has at most %d words",
                         DPL__NGRAM_MOST_WORDS);
    if (s->sample_bits > DPL__NGRAM_MOST_BITS)
        return dpl__fail(err, DPL_E_USAGE, "n-grams are sampled by at most %d bits",
                         DPL__NGRAM_MOST_BITS);
    if (!(s->threshold <= 1) || !(s->near_ratio <= 1) || !(s->max_disorder <= 1))
        return dpl__fail(err, DPL_E_USAGE, "threshold, near ratio and disorder are at most 1");
    if (!dpl_ngram_symmetry_name(s->symmetry))
        return dpl__fail(err, DPL_E_USAGE, "unknown symmetrisation %d", (int)s->symmetry);
    return DPL_OK;
}

dpl_status dpl__ngram_settle(dpl__ngram_settings *out, const dpl_ngram_options *options,
                             dpl_error *err)
{
    DPL_TRY(DPL__TAKE(out, options, err));
    fill(&out->matching, DPL__P(ngram, matching));
    fill(&out->scoring, DPL__P(ngram, scoring));
    fill(&out->max_matching, DPL__P(ngram, max_matching));
    fill(&out->max_scoring, DPL__P(ngram, max_scoring));
    fill(&out->max_per_doc, DPL__P(ngram, max_per_doc));
    fill(&out->max_candidates, DPL__P(ngram, max_candidates));
    fill(&out->n_best, 1);
    fill_real(&out->threshold, DPL__P(ngram, threshold), 0);
    fill_real(&out->max_disorder, DPL__P(ngram, max_disorder), 1);
    fill_real(&out->near_ratio, DPL__P(ngram, near_ratio), 0);
    return check(out, err);
}

const char *dpl_ngram_symmetry_name(dpl_ngram_symmetry symmetry)
{
    static const char *const names[] = {"near", "plain", "one", "all"};
    return (unsigned)symmetry < DPL_LEN(names) ? names[symmetry] : NULL;
}
