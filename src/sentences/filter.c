/*
 * filter.c - the checks after "Large Scale Parallel Document Mining for Machine Translation"
 * (Uszkoreit et al. 2010), section 2.3, the cheap ones first. Ours differ from the paper's:
 * mutual information is the mean of both directions, smoothed, and of links that chance does
 * not explain; lengths count; and what is expected of few words decides nothing. With
 * paper_filter they are the paper's.
 *
 * Language identification takes longer than all the rest, and is often wrong for single
 * sentences. It is used only for sides that are long enough and when there is a reason: many
 * words are the same on both sides, and then only the other document's language counts, or the
 * words are too few to decide. Script and function words are looked at in every pair: text in a
 * third language is often on both sides of untranslated documents, with the same translation.
 */
#include "sentences/filter.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"
#include "unicode/langwords.h"

void dpl__filter_init(dpl__filter *f, const dpl_sentences_options *o, double log_ratio)
{
    *f = (dpl__filter){.is_off = o->no_filter,
                       .min_tokens = o->min_words ? o->min_words : 1,
                       .max_length_ratio =
                           o->length_ratio > 0 ? o->length_ratio : P(max_length_ratio),
                       .min_information = o->min_ratio != 0 ? o->min_ratio : P(min_information),
                       .checks_language = !o->no_lang_check,
                       .is_paper = o->paper_filter,
                       .log_ratio = log_ratio};
}

/* Compares texts, then words: equal words may have different stems in two languages. */
static bool are_identical(const dpl__filter_side *a, const dpl__filter_side *b)
{
    if (dpl__str_eq(a->text, b->text))
        return true;
    if (a->n_tokens != b->n_tokens)
        return false;
    for (uint32_t i = 0; i < a->n_tokens; i++)
        if (!dpl__str_eq(dpl_collection_term(a->collection, a->tokens[i]),
                         dpl_collection_term(b->collection, b->tokens[i])))
            return false;
    return true;
}

static bool is_length_off(const dpl__filter *f, double left, double right)
{
    double x = dpl__log((right + P(length_slack)) / (left + P(length_slack))) - f->log_ratio;
    double most = dpl__log(f->max_length_ratio);
    return x > most || x < -most;
}

/* Whether many of the shorter side's words occur on the other side, too. */
static bool are_alike(const dpl__filter_side *a, const dpl__filter_side *b)
{
    if (a->n_tokens > b->n_tokens)
        return are_alike(b, a);
    if (b->n_tokens > PN(lang_tokens))
        return false;
    uint32_t n_same = 0;
    for (uint32_t i = 0; i < a->n_tokens; i++) {
        dpl_str term = dpl_collection_term(a->collection, a->tokens[i]);
        uint32_t j = 0;
        while (j < b->n_tokens &&
               !dpl__str_eq(term, dpl_collection_term(b->collection, b->tokens[j])))
            j++;
        n_same += j < b->n_tokens;
    }
    return n_same >= P(lang_same) * a->n_tokens;
}

/* into: the only other language that counts; empty: any. */
static bool is_other_language(const dpl__filter_side *s, dpl_str into)
{
    static const dpl_str unknown = {"und", 3};
    if (s->text.n < PN(lang_bytes) || !s->lang.n || dpl__str_eq(s->lang, unknown) ||
        dpl__str_eq(s->lang, into))
        return false;
    dpl_lang lang = dpl_lang_identify(s->text);
    dpl_str code = dpl__cstr(lang.code);
    return lang.confidence >= PF(lang_confidence) && !dpl__str_eq(code, s->lang) &&
           (!into.n || dpl__str_eq(code, into));
}

/* Languages that are not written in Latin letters. */
static bool has_own_script(dpl_str lang)
{
    static const char codes[] =
        " am ar be bg bn el fa gu he hi hy ja ka kk km kn ko ky lo mk ml "
        "mn mr my ne pa ps ru si ta te tg th ti ug uk ur yi zh ";
    char word[8] = {' ', lang.n == 2 ? lang.data[0] : '-', lang.n == 2 ? lang.data[1] : '-',
                    ' '};
    return strstr(codes, word) != NULL;
}

/* Text in Latin letters alone, in a document whose language has a script of its own. Names and
 * code are shorter. The first byte of a letter above U+0340 is 0xCD or more; 0xE2 is
 * punctuation and signs. */
static bool is_other_script(const dpl__filter_side *s)
{
    if (s->n_tokens < PN(latin_tokens) || !has_own_script(s->lang))
        return false;
    size_t n_letters = 0;
    for (size_t i = 0; i < s->text.n; i++) {
        unsigned char c = (unsigned char)s->text.data[i];
        if (c >= 0xCD && c != 0xE2)
            return false;
        n_letters += (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }
    return n_letters >= PN(latin_letters);
}

static bool is_foreign(const dpl__filter_side *s)
{
    return is_other_script(s) || dpl__lang_is_other(s->text, s->lang);
}

static bool is_wrong_language(const dpl__filter_side sides[2], const dpl__bead_score *e)
{
    bool is_unclear = e->expected < P(least_expected);
    if (!is_unclear && !are_alike(&sides[0], &sides[1]))
        return false;
    dpl_str any = {0};
    return is_other_language(&sides[0], is_unclear ? any : sides[1].lang) ||
           is_other_language(&sides[1], is_unclear ? any : sides[0].lang);
}

/* The three checks of section 2.3, and no other. */
static dpl_verdict paper_verdict(const dpl__filter *f, const dpl__filter_side sides[2],
                                 const dpl__bead_score *e)
{
    static const dpl_str any = {0};
    if (are_identical(&sides[DPL__LEFT], &sides[DPL__RIGHT]))
        return DPL_VERDICT_IDENTICAL;
    if (e->information < f->min_information * e->expected)
        return DPL_VERDICT_WORDS;
    if (f->checks_language && (is_other_language(&sides[DPL__LEFT], any) ||
                               is_other_language(&sides[DPL__RIGHT], any)))
        return DPL_VERDICT_LANGUAGE;
    return DPL_VERDICT_KEPT;
}

dpl_verdict dpl__filter_verdict(const dpl__filter *f, const dpl__filter_side sides[2],
                                const dpl__bead_score *e)
{
    const dpl__filter_side *left = &sides[DPL__LEFT], *right = &sides[DPL__RIGHT];
    if (f->is_off)
        return DPL_VERDICT_KEPT;
    if (f->is_paper)
        return paper_verdict(f, sides, e);
    if (left->n_tokens < f->min_tokens || right->n_tokens < f->min_tokens)
        return DPL_VERDICT_SHORT;
    if (are_identical(left, right))
        return DPL_VERDICT_IDENTICAL;
    if (f->checks_language && (is_foreign(left) || is_foreign(right)))
        return DPL_VERDICT_LANGUAGE;
    if (is_length_off(f, left->chars, right->chars))
        return DPL_VERDICT_LENGTH;
    if (e->expected >= P(least_expected) && e->information < f->min_information * e->expected)
        return DPL_VERDICT_WORDS;
    if (f->checks_language && is_wrong_language(sides, e))
        return DPL_VERDICT_LANGUAGE;
    return DPL_VERDICT_KEPT;
}

const char *dpl_verdict_name(dpl_verdict verdict)
{
    static const char *const names[DPL_N_VERDICTS] = {
        "kept",     "alone",   "short",    "identical", "length", "words",
        "language", "outside", "repeated", "frequent",  "score"};
    return (unsigned)verdict < DPL_N_VERDICTS ? names[verdict] : NULL;
}
