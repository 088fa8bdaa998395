/*
 * with_parts.c - the documents of a side once more, each word followed by its parts.
 *
 * Forms of words that are too rare to be learned share parts that are not: a lexicon of both
 * translates what one of words alone does not know. A language that has a stemmer needs none.
 * Cost: the side is tokenized again; learning takes about a second for 50,000 words.
 */
#include "mine/with_parts.h"

#include "base/ctx.h"
#include "io/shared_run.h"
#include "mine/derived_docs.h"
#include "tokens/stemming.h"

static dpl_status add_parts(dpl__pair_run *r, int side, dpl_error *err)
{
    dpl__doc_walk s = {.c = r->corpus.c[side]};
    const dpl__derived_docs docs = {
        .side = side,
        .what = "parts",
        .source = {dpl__doc_walk_next, &s, dpl_input_name(r->task.inputs[side])},
        .is_stemmed = true,
        .parts_of = s.c};
    DPL_TRY(dpl__derived_docs_open(&r->with_parts[side], &r->corpus, &docs, err));
    assert(dpl_collection_get_sizes(r->with_parts[side])->n_docs ==
           dpl_collection_get_sizes(s.c)->n_docs);
    r->corpus.words[side] = s.c;
    r->corpus.c[side] = r->with_parts[side];
    return DPL_OK;
}

dpl_status dpl__pair_run_add_parts(dpl__pair_run *r, dpl_error *err)
{
    const int first = (int)(dpl__shared_number(r->ctx) % 2); /* two processes, one side each */
    for (int i = 0; i < 2; i++) {
        const int side = first ^ i;
        if (r->corpus.is_stemmed && !dpl__stem_has(r->corpus.lang[side]) &&
            dpl_collection_get_sizes(r->corpus.c[side])->n_docs)
            DPL_TRY(add_parts(r, side, err));
    }
    return DPL_OK;
}
