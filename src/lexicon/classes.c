/*
 * classes.c - words become classes by their first letters.
 *
 * Inflection and derivation mostly happen at the end of a word, and names, numbers and loans
 * begin alike in both languages. One hash table over the beginnings; 64 bits stand for each of
 * them: two that clash would share a class, no more.
 */
#include "lexicon/classes.h"

#include "base/hash.h"

typedef struct slot {
    uint64_t key; /* 0: free */
    uint32_t class;
} slot;

/* Bytes of the first n_letters characters. */
static size_t beginning(dpl_str word, unsigned n_letters)
{
    size_t n = 0;
    for (; n < word.n; n++) {
        bool is_start = ((unsigned char)word.data[n] & 0xC0) != 0x80;
        if (is_start && n_letters-- == 0)
            break;
    }
    return n;
}

static uint32_t class_of(slot *slots, size_t mask, uint64_t key, uint32_t *n_classes)
{
    size_t at = (size_t)key & mask;
    while (slots[at].key && slots[at].key != key)
        at = (at + 1) & mask;
    if (!slots[at].key)
        slots[at] = (slot){key, (*n_classes)++};
    return slots[at].class;
}

dpl_status dpl__word_classes(uint32_t *classes[2], uint32_t *n_classes, dpl_ctx *ctx,
                             const dpl__strings words[2], unsigned n_letters, dpl_error *err)
{
    size_t n_slots = 16;
    while (n_slots < 2 * (words[0].n + words[1].n))
        n_slots *= 2;
    slot *slots = dpl__calloc(ctx, n_slots, sizeof *slots);
    if (!slots)
        return dpl__fail_nomem(err);
    *n_classes = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < words[side].n; i++) {
            dpl_str word = dpl__string(&words[side], i);
            uint64_t key = dpl__hash(word.data, beginning(word, n_letters), 0);
            classes[side][i] = class_of(slots, n_slots - 1, key ? key : 1, n_classes);
        }
    dpl__free(ctx, slots, n_slots * sizeof *slots);
    return DPL_OK;
}
