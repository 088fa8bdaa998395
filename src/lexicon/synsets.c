/*
 * synsets.c - words of two languages under common meanings become translations.
 */
#include "lexicon/synsets.h"

#include "base/order.h"

dpl_status dpl__synsets_add(dpl__synsets *s, dpl_ctx *ctx, dpl_str synset, int side,
                            dpl_str word, dpl_error *err)
{
    uint32_t number;
    if (!s->is_open) {
        s->ctx = ctx;
        dpl__terms_init(&s->names, ctx);
        s->is_open = true;
    }
    DPL_TRY(dpl__terms_number(&s->names, synset, &number, err));
    dpl__synset_word w = {number, (uint32_t)side, (uint32_t)s->text.n, (uint32_t)word.n};
    if (s->text.n + word.n > UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than 4 GiB of words");
    DPL_TRY(dpl__need(dpl__vec_append(ctx, &s->text, word.data, word.n) &&
                          dpl__vec_push(ctx, &s->words, w),
                      err));
    return DPL_OK;
}

/* By meaning, then the left side first, then in the order of the files. */
DPL__ORDER(compare, dpl__synset_word, DPL__RISING(synset) DPL__RISING(side) DPL__RISING(begin))

static bool add_wording(dpl__article *a, dpl_ctx *ctx, dpl__wordings *to, dpl_str word)
{
    dpl__wording w = {(uint32_t)a->text.n, (uint32_t)(a->text.n + word.n), 1, 1};
    return dpl__vec_append(ctx, &a->text, word.data, word.n) && dpl__vec_push(ctx, to, w);
}

/* The words [from, to) of one meaning. */
static dpl_status add_meaning(dpl__synsets *s, dpl__translations *g, dpl__article *a,
                              const dpl__synset_word *words, size_t n, dpl_error *err)
{
    dpl__article_reset(a);
    for (size_t i = 0; i < n; i++) {
        dpl_str word = {s->text.data + words[i].begin, words[i].n};
        DPL_TRY(dpl__need(add_wording(a, s->ctx,
                                      words[i].side == DPL__LEFT ? &a->heads : &a->translations,
                                      word),
                          err));
    }
    return a->heads.n && a->translations.n ? dpl__translations_add_article(g, a, err) : DPL_OK;
}

dpl_status dpl__synsets_translations(dpl__synsets *s, dpl__translations *g, dpl_error *err)
{
    dpl__article article = {0};
    dpl_status status = DPL_OK;
    g->is_weighted = true;
    dpl__vec_sort(&s->words, compare);
    for (size_t i = 0, end; i < s->words.n; i = end) {
        for (end = i; end < s->words.n && s->words.data[end].synset == s->words.data[i].synset;)
            end++;
        DPL__STEP(add_meaning(s, g, &article, s->words.data + i, end - i, err));
    }
done:
    dpl__article_clear(&article, g->ctx);
    return status;
}

void dpl__synsets_clear(dpl__synsets *s)
{
    if (!s->is_open)
        return;
    dpl__terms_clear(&s->names);
    dpl__vec_clear(s->ctx, &s->text, &s->words);
    *s = (dpl__synsets){0};
}
