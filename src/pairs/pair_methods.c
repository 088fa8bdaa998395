/*
 * pair_methods.c - the table of search methods, by the numbers of dpl_pairs_method.
 */
#include "pairs/method.h"

const char dpl__any_signature[] = "pairs are searched with rp, rp8 or simhash signatures";

static const dpl__method auto_method = {
    .info = {.method = DPL_PAIRS_AUTO,
             .name = "auto",
             .help = "the method that the plan recommends for the recall and the memory",
             .finds = "at least the wanted recall",
             .unit = "comparisons",
             .has_candidates = true},
    .is_planned = true,
    .searched_with = dpl__any_signature,
};

extern const dpl__method dpl__exact_method, dpl__brute_method, dpl__window_method,
    dpl__ngram_method, dpl__hash_method;

static const dpl__method *const methods[] = {
    [DPL_PAIRS_AUTO] = &auto_method,        [DPL_PAIRS_EXACT] = &dpl__exact_method,
    [DPL_PAIRS_BRUTE] = &dpl__brute_method, [DPL_PAIRS_WINDOW] = &dpl__window_method,
    [DPL_PAIRS_NGRAM] = &dpl__ngram_method, [DPL_PAIRS_HASH] = &dpl__hash_method,
};

const dpl__method *dpl__method_of(dpl_pairs_method method)
{
    return (unsigned)method < DPL_LEN(methods) ? methods[method] : NULL;
}

const dpl_pairs_method_info *dpl_pairs_get_method_info(dpl_pairs_method method)
{
    const dpl__method *m = dpl__method_of(method);
    return m ? &m->info : NULL;
}

bool dpl__method_can_search(dpl_pairs_method method, const dpl_sign_method_info *signature)
{
    return signature->has_bits ||
           (signature->has_products && !dpl__method_of(method)->needs_bits);
}

const char *dpl__pairs_method_name(dpl_pairs_method method)
{
    const dpl__method *m = dpl__method_of(method);
    return m ? m->info.name : NULL;
}
