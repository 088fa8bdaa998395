/*
 * wordset.c - slots of a map (base/map.h) over (language, word). Cost of a question: one hash
 * of the word, as a rule one slot.
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
static dpl__word *find(const dpl__wordset *set, dpl__word word)
{
    return dpl__wordset_find(set, dpl__hash(word.data, word.n, word.lang), word);
}

void dpl__wordset_fill(dpl__wordset *set, const dpl__wordlist *lists, size_t n_lists)
{
    for (size_t i = 0; i < n_lists; i++) {
        uint32_t lang = pack_lang(lists[i].lang);
        assert(lang);
        for (const char *p = lists[i].words; *p;) {
            const dpl__word word = {p, (uint32_t)strcspn(p, " "), lang};
            dpl__word *slot = find(set, word);
            set->n_used += !slot->data;
            *slot = word;
            p += word.n + (p[word.n] == ' ');
        }
    }
    assert(set->n_used * 2 <= set->n_slots);
}

bool dpl__wordset_has(const dpl__wordset *set, const char *lang, dpl_str word)
{
    uint32_t packed = pack_lang(lang);
    return packed && word.n && word.n <= UINT32_MAX &&
           find(set, (dpl__word){word.data, (uint32_t)word.n, packed})->data != NULL;
}
