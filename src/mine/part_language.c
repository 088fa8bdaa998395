/*
 * part_language.c - the language of a side of which most is untranslated.
 *
 * A manual that is Korean in a tenth of its sentences, in headings mostly, is English by every
 * page. Beside the English manual it is there for what is Korean: the language of at least
 * part_percent of its long sentences, and part_ratio times as frequent as on the other side,
 * where it is a mistake of detection. The other side has part_common of the sentences, too:
 * clean.c leaves them out.
 *
 * Cost: every long sentence is identified, only where both sides seem to be in one language.
 */
#include "mine/part_language.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "base/vec.h"
#include "mine/mine_params.h"
#include "tokens/tokens_params.h"

#include <stdlib.h>
#include <string.h>

typedef struct lang_sentences {
    char code[12];
    double share[2]; /* of the long sentences of each side */
} lang_sentences;

typedef struct long_sentences {
    dpl_ctx *ctx;
    DPL_VEC(lang_sentences) langs;
    DPL_VEC(uint64_t) hashes[2]; /* of each side, rising */
} long_sentences;

DPL__RISING_NUMBERS(by_hash, uint64_t)

static dpl_status count(long_sentences *all, int side, dpl_str text, dpl_error *err)
{
    const dpl_lang lang = dpl_lang_identify(text);
    size_t i = 0;
    while (i < all->langs.n && strcmp(all->langs.data[i].code, lang.code) != 0)
        i++;
    if (i == all->langs.n) {
        lang_sentences new = {0};
        memcpy(new.code, lang.code, sizeof new.code);
        DPL_TRY(dpl__need(dpl__vec_push(all->ctx, &all->langs, new), err));
    }
    all->langs.data[i].share[side]++;
    return dpl__need(
        dpl__vec_push(all->ctx, &all->hashes[side], dpl__hash(text.data, text.n, 0)), err);
}

static dpl_status count_side(long_sentences *all, int side, const dpl_collection *c,
                             dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++)
        for (size_t i = 0; i < dpl_collection_n_sentences(c, doc); i++) {
            const dpl_str text = dpl_collection_sentence_text(c, doc, i);
            if (text.n < DPL__P(tokens, sentence_bytes))
                continue;
            DPL_TRY(count(all, side, text, err));
        }
    const size_t n = all->hashes[side].n;
    for (size_t i = 0; i < all->langs.n && n > 0; i++)
        all->langs.data[i].share[side] /= (double)n;
    dpl__vec_sort(&all->hashes[side], by_hash);
    return DPL_OK;
}

/* Does the other side have most of its sentences? */
static bool is_untranslated(const long_sentences *all, int side)
{
    size_t n_common = 0;
    for (size_t i = 0; i < all->hashes[side].n; i++) {
        const uint64_t hash = all->hashes[side].data[i];
        const uint64_t *const others = all->hashes[!side].data;
        const size_t n_others = all->hashes[!side].n;
        size_t at;
        DPL__LOWER_BOUND(at, n_others, others[at] < hash);
        n_common += at < n_others && others[at] == hash;
    }
    return (double)n_common >= DPL__P(mine, part_common) * (double)all->hashes[side].n;
}

/* Is it a language of this side? That of the side as a whole is one of the other side, too. */
static bool is_of_side(const lang_sentences *l, int side)
{
    return strcmp(l->code, "und") != 0 && 100 * l->share[side] >= DPL__P(mine, part_percent) &&
           l->share[side] >= DPL__P(mine, part_ratio) * l->share[!side];
}

dpl_status dpl__part_language_find(dpl__part_language *out, dpl_ctx *ctx,
                                   const dpl_collection *const sides[2], dpl_error *err)
{
    long_sentences all = {.ctx = ctx};
    dpl_status status;
    double best = 0;
    *out = (dpl__part_language){0};
    for (int side = 0; side < 2; side++)
        DPL__STEP(count_side(&all, side, sides[side], err));
    for (size_t i = 0; i < all.langs.n; i++)
        for (int side = 0; side < 2; side++) {
            const lang_sentences *l = &all.langs.data[i];
            const bool is_better = l->share[side] > best ||
                                   (l->share[side] == best && strcmp(l->code, out->code) < 0);
            if (!is_of_side(l, side) || !is_better || !is_untranslated(&all, side))
                continue;
            best = l->share[side];
            out->side = side;
            memcpy(out->code, l->code, sizeof out->code);
        }
done:
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(ctx, &all.hashes[side]);
    dpl__vec_clear(ctx, &all.langs);
    return status;
}
