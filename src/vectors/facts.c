/*
 * facts.c - what a collection says about itself: language, stems, how many terms count.
 */
#include "vectors/project.h"

#include "base/lower_bound.h"
#include "base/vec.h"
#include "readers/json_parser.h"
#include "tokens/collection.h"

typedef struct share {
    dpl_str lang;
    uint32_t n_docs;
} share;

/* The language of most documents; of several the first one in byte order. */
static dpl_status find_language(char out[12], const dpl_collection *c, dpl_ctx *ctx,
                                dpl_error *err)
{
    DPL_VEC(share) all = {0};
    size_t at = 0; /* stays: the next document often has the same language */
    dpl_status status = DPL_OK;
    for (uint32_t doc = 0; status == DPL_OK && doc < dpl_collection_get_sizes(c)->n_docs;
         doc++) {
        dpl_str lang = dpl_collection_doc(c, doc).lang;
        if (at >= all.n || !dpl__str_eq(all.data[at].lang, lang))
            for (at = 0; at < all.n && !dpl__str_eq(all.data[at].lang, lang);)
                at++;
        if (at == all.n && !dpl__vec_push(ctx, &all, ((share){lang, 0})))
            status = dpl__fail_nomem(err);
        else
            all.data[at].n_docs++;
    }
    share best = {0};
    for (size_t i = 0; i < all.n; i++)
        if (all.data[i].n_docs > best.n_docs || (all.data[i].n_docs == best.n_docs &&
                                                 dpl__str_cmp(all.data[i].lang, best.lang) < 0))
            best = all.data[i];
    dpl__vec_clear(ctx, &all);
    out[0] = 0;
    if (best.lang.n < 12 && !dpl__str_eq(best.lang, DPL_STR("und"))) {
        if (best.lang.n)
            memcpy(out, best.lang.data, best.lang.n);
        out[best.lang.n] = 0;
    }
    return status;
}

dpl_status dpl__facts_find(dpl__facts *out, const dpl_collection *c, unsigned min_count,
                           dpl_error *err)
{
    dpl_ctx *ctx = dpl__file_ctx(dpl__collection_file(c));
    dpl_str settings = dpl_collection_settings(c);
    *out = (dpl__facts){.is_stemmed = dpl__setting_is_true(ctx, settings, "stem"),
                        .ngram = dpl__setting_number(ctx, settings, "ngram")};
    /* Counts never rise from one id to the next. */
    size_t at;
    DPL__LOWER_BOUND(at, dpl_collection_get_sizes(c)->n_terms,
                     dpl_collection_term_count(c, (uint32_t)at) >= min_count);
    out->n_terms = (uint32_t)at;
    return find_language(out->lang, c, ctx, err);
}
