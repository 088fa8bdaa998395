/*
 * sounds.h - how alike two words sound, in Latin letters.
 *
 *     dpl__sound_prices prices;
 *     dpl__sound_prices_set(&prices);
 *     dpl__sounds a = dpl__sounds_of(&prices, name), b = dpl__sounds_of(&prices, other);
 *     if (dpl__sounds_bound(&prices, a.kind, b.kind) <= most)
 *         price = dpl__sounds_price(&prices, &a, &b, most);
 *
 * An edit distance in which vowels count less than consonants, and consonants that languages
 * exchange (b p v f, d t, g k, l r, s z) are near. What one word has at its ends beyond the
 * other counts less: languages inflect names.
 */
#ifndef DPL_MINE_SOUNDS_H
#define DPL_MINE_SOUNDS_H

#include "base/base.h"

enum { DPL__MOST_SOUNDS = 20 };

/* Prices of changing a letter into another, and of dropping one. */
typedef struct dpl__sound_prices {
    float change[26][26], drop[26];
    float vowel, near;
    float ends;     /* share of a price at the ends of a word */
    float rounding; /* what sums in another order may differ by, at most */
} dpl__sound_prices;

/* A word as its sounds, 0 to 25. Digits: it is a number. */
typedef struct dpl__sounds {
    uint8_t letters[DPL__MOST_SOUNDS];
    uint8_t n;
    bool is_number;
    float weight;  /* price of dropping all of them */
    uint64_t kind; /* a byte each: consonants of six groups of near ones, vowels, w */
} dpl__sounds;

void dpl__sound_prices_set(dpl__sound_prices *out);
/* A word in the letters a to z, and digits. */
dpl__sounds dpl__sounds_of(const dpl__sound_prices *p, dpl_str word);

/* A lower bound of the price of words of these kinds. */
float dpl__sounds_bound(const dpl__sound_prices *p, uint64_t a, uint64_t b);
/* The price of changing one word into the other; above `most`, up to rounding: something above
 * it. */
float dpl__sounds_price(const dpl__sound_prices *p, const dpl__sounds *a, const dpl__sounds *b,
                        float most);

#endif
