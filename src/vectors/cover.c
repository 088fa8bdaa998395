/*
 * cover.c - how much of a collection a lexicon can translate.
 *
 * Asks the projection, so that the answer is about what dpl_vectors_make does. Cost: that of a
 * projection, without the documents.
 */
#include "vectors/project.h"

#include "base/sized.h"

dpl_status dpl_lexicon_cover(dpl_lexicon_coverage *out, uint32_t *unknown, size_t *n_unknown,
                             dpl_ctx *ctx, const dpl_lexicon *lexicon,
                             const dpl_collection *collection, dpl_error *err)
{
    dpl__facts facts;
    dpl__projection p;
    size_t most = n_unknown ? *n_unknown : 0, n = 0;
    dpl_lexicon_coverage found = DPL_INIT(dpl_lexicon_coverage);
    DPL_TRY(DPL__CHECK_OUT(out, err));
    DPL__GIVE(out, &found);
    DPL_TRY(dpl__facts_find(&facts, collection, 1, err));
    dpl__projection_input in = {.c = collection, .facts = &facts, .lexicon = lexicon};
    DPL_TRY(dpl__projection_make(&p, ctx, &in, err));
    found.is_target = p.is_target;
    found.is_counted = p.is_counted;
    found.n_terms = facts.n_terms;
    found.n_known_terms = p.n_known_terms;
    found.n_tokens = dpl_collection_get_sizes(collection)->n_tokens;
    found.n_known_tokens = p.n_known_tokens;
    DPL__GIVE(out, &found);
    for (uint32_t term = 0; term < facts.n_terms && n < most; term++)
        if (!p.is_known[term]) /* numbers of terms follow their frequency */
            unknown[n++] = term;
    if (n_unknown)
        *n_unknown = n;
    dpl__projection_clear(&p);
    return DPL_OK;
}
