/*
 * token_places.c - where the tokens of a document stand in its text.
 */
#include "tokens/token_places.h"

#include "base/ctx.h"

dpl_status dpl__token_places_init(dpl__token_places *p, dpl_ctx *ctx, bool has_stems,
                                  dpl_error *err)
{
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = has_stems);
    *p = (dpl__token_places){.ctx = ctx};
    return dpl_tokens_new(&p->tokens, ctx, &o, err);
}

void dpl__token_places_clear(dpl__token_places *p)
{
    if (!p->ctx)
        return;
    dpl__vec_clear(p->ctx, &p->begins, &p->ends);
    dpl_tokens_free(p->tokens);
    *p = (dpl__token_places){0};
}

dpl_status dpl__token_places_read(dpl__token_places *p, const dpl_doc *doc, dpl_error *err)
{
    dpl_token token;
    char lang[16] = "";
    memcpy(lang, doc->lang.data, dpl__min(doc->lang.n, sizeof lang - 1));
    p->begins.n = p->ends.n = 0;
    DPL_TRY(dpl_tokens_start(p->tokens, doc->text, lang, err));
    dpl_status status;
    while ((status = dpl_tokens_next(p->tokens, &token, err)) == DPL_OK)
        DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->begins, token.begin) &&
                              dpl__vec_push(p->ctx, &p->ends, token.end),
                          err));
    return status == DPL_END ? DPL_OK : status;
}

void dpl__token_places_span(const dpl__token_places *p, const dpl_doc *doc, size_t first,
                            size_t n, uint32_t *begin, uint32_t *end)
{
    assert(n > 0);
    const size_t last = first + n - 1;
    *begin = first < p->begins.n ? p->begins.data[first] : 0;
    *end = last < p->ends.n ? p->ends.data[last] : (uint32_t)doc->text.n;
}
