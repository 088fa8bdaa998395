/*
 * prefix_classes.c - words become classes by their first letters.
 *
 * Inflection and derivation mostly happen at the end of a word, and names, numbers and loans
 * begin alike in both languages. One hash table over the prefixes; 64 bits stand for each of
 * them: two that clash would share a class, no more.
 */
#include "lexicon/prefix_classes.h"

#include "base/ascii.h"
#include "base/hash.h"

dpl_status dpl__prefix_class(uint32_t *class, dpl__prefixes *b, dpl_str word,
                             unsigned n_letters, dpl_error *err)
{
    DPL_TRY(dpl__need(dpl__prefix_map_reserve(&b->map, b->ctx, 1), err));
    uint64_t key = dpl__hash(word.data, dpl__first_chars(word, n_letters).n, 0);
    key = key ? key : 1;
    dpl__prefix_slot *slot = dpl__prefix_map_find(&b->map, key, key);
    if (!slot->key)
        *slot = (dpl__prefix_slot){key, (uint32_t)b->map.n_used++};
    assert(slot->class < b->map.n_used);
    *class = slot->class;
    return DPL_OK;
}

void dpl__prefixes_clear(dpl__prefixes *b)
{
    if (b->ctx)
        dpl__prefix_map_clear(&b->map, b->ctx);
    *b = (dpl__prefixes){.ctx = b->ctx};
}

dpl_status dpl__prefix_classes(uint32_t *classes[2], uint32_t *n_classes, dpl_ctx *ctx,
                               const dpl__strings words[2], unsigned n_letters, dpl_error *err)
{
    dpl__prefixes b = {.ctx = ctx};
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < words[side].n && status == DPL_OK; i++)
            status = dpl__prefix_class(&classes[side][i], &b, dpl__string(&words[side], i),
                                       n_letters, err);
    *n_classes = (uint32_t)b.map.n_used;
    dpl__prefixes_clear(&b);
    return status;
}
