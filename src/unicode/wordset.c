/*
 * wordset.c - open addressing over (language, word). Cost of a question: one hash of the word,
 * as a rule one slot.
 */
#include "unicode/wordset.h"

#include "base/hash.h"

/* The letters of the code in one number; 0 for what is no code of ours. */
static uint32_t pack_lang(const char *lang)
{
    uint32_t packed = 0;
    for (size_t i = 0; lang[i]; i++) {
        if (i == 4)
            return 0;
        packed = packed << 8 | (unsigned char)lang[i];
    }
    return packed;
}

/* Where the word is, or the free slot where it would be. */
static dpl__word *find(const dpl__wordset *set, uint32_t lang, dpl_str word)
{
    size_t at = dpl__hash(word.data, word.n, lang) & (set->n_slots - 1);
    for (;; at = (at + 1) & (set->n_slots - 1)) {
        dpl__word *slot = &set->slots[at];
        if (!slot->data || (slot->lang == lang && slot->n == word.n &&
                            memcmp(slot->data, word.data, word.n) == 0))
            return slot;
    }
}

void dpl__wordset_fill(dpl__wordset *set, const dpl__wordlist *lists, size_t n_lists)
{
    size_t n_words = 0;
    for (size_t i = 0; i < n_lists; i++) {
        uint32_t lang = pack_lang(lists[i].lang);
        assert(lang);
        for (const char *p = lists[i].words; *p;) {
            dpl_str word = {p, strcspn(p, " ")};
            *find(set, lang, word) = (dpl__word){word.data, (uint32_t)word.n, lang};
            n_words++;
            p += word.n + (p[word.n] == ' ');
        }
    }
    (void)n_words;
    assert(n_words * 2 <= set->n_slots);
}

bool dpl__wordset_has(const dpl__wordset *set, const char *lang, dpl_str word)
{
    uint32_t packed = pack_lang(lang);
    return packed && word.n && find(set, packed, word)->data != NULL;
}
