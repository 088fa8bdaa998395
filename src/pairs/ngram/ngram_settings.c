/*
 * ngram_settings.c - defaults and ranges of the options of n-gram mining.
 */
#include "pairs/ngram/ngram_settings.h"

#include "base/sized.h"
#include "lexicon/lexicon.h"
#include "pairs/ngram/ngram_params.h"

static void fill(unsigned *field, double standard)
{
    if (*field == 0)
        *field = (unsigned)standard;
}

static dpl_status check(const dpl__ngram_settings *s, dpl_error *err)
{
    if (s->matching > DPL__NGRAM_MOST_WORDS || s->scoring > DPL__NGRAM_MOST_WORDS)
        return dpl__fail(err, DPL_E_USAGE, "an n-gram has at most %d words",
                         DPL__NGRAM_MOST_WORDS);
    if (s->sample_bits > DPL__NGRAM_MOST_BITS)
        return dpl__fail(err, DPL_E_USAGE, "n-grams are sampled by at most %d bits",
                         DPL__NGRAM_MOST_BITS);
    if (!(s->max_disorder <= 1))
        return dpl__fail(err, DPL_E_USAGE, "disorder %g: not between 0 and 1", s->max_disorder);
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
    if (out->max_disorder == 0)
        out->max_disorder = DPL__P(ngram, max_disorder);
    else if (out->max_disorder < 0)
        out->max_disorder = 1;
    return check(out, err);
}

void dpl__ngram_put_settings(dpl_json *j, const dpl_ngram_options *o)
{
    dpl_json_begin(j, "ngram", '{');
    dpl_json_number(j, "matching", o->matching);
    dpl_json_number(j, "scoring", o->scoring);
    dpl_json_number(j, "max_matching", o->max_matching);
    dpl_json_number(j, "max_scoring", o->max_scoring);
    dpl_json_number(j, "sample_bits", o->sample_bits);
    dpl_json_number(j, "max_per_doc", o->max_per_doc);
    dpl_json_number(j, "max_candidates", o->max_candidates);
    dpl_json_bool(j, "all_candidates", o->all_candidates);
    dpl_json_real(j, "max_disorder", o->max_disorder);
    dpl_json_bool(j, "by_language", o->by_language);
    dpl_json_number(j, "lexicon", o->lexicon ? dpl__lexicon_content(o->lexicon) : 0);
    dpl_json_end(j, '}');
}
