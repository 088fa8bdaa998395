/*
 * own_language.c - leaves out documents of a side that are in the language of the other side.
 *
 * Two inputs are two sides. Of a folder of German pages some are still in English: they belong
 * to the German side, where they have no counterpart in another language, and not to the
 * English one, which has its own pages of the same names. A side that is nearly all in one
 * language (dpl__is_single) stays as it is, since detecting languages is sometimes wrong; what
 * is untranslated in it is found by clean.c. Cost: another import where there are such
 * documents.
 */
#include "mine/own_language.h"

#include "mine/derived_docs.h"
#include "vectors/term_match.h"

/* Documents that are in the language of the other side; 0: the side stays as it is. */
static uint64_t n_other(const dpl__pair_run *r, int side)
{
    const dpl__input_langs *in = &r->read.langs[side], *opposite = &r->read.langs[!side];
    if (in->is_single || !dpl__main_language(in) || !dpl__main_language(opposite))
        return 0;
    const char *other = dpl__main_language(opposite);
    for (size_t i = 0; i < in->langs.n; i++)
        if (strcmp(in->langs.data[i].code, other) == 0)
            return in->langs.data[i].n_docs;
    return 0;
}

static dpl_status drop(dpl__pair_run *r, int side, dpl_error *err)
{
    dpl__facts facts;
    dpl_collection *rest = NULL;
    dpl__doc_walk w = {.c = r->corpus.c[side],
                       .but = dpl__main_language(&r->read.langs[!side])};
    DPL_TRY(dpl__facts_find(&facts, w.c, 1, err));
    const dpl__derived_docs docs = {
        .side = side,
        .what = "own",
        .source = {dpl__doc_walk_next, &w, dpl_input_name(r->task.inputs[side])},
        .is_stemmed = facts.is_stemmed};
    DPL_TRY(dpl__derived_docs_open(&rest, &r->corpus, &docs, err));
    r->summary.n_other_language[side] = n_other(r, side);
    return dpl__pair_run_replace(r, side, rest, err);
}

dpl_status dpl__pair_run_keep_own(dpl__pair_run *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        if (n_other(r, side))
            DPL_TRY(drop(r, side, err));
    return DPL_OK;
}
