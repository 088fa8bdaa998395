/*
 * sounds.c - words as sounds, an edit distance between them, and a bound of it.
 *
 * The bound goes by counts of letters alone: a consonant that one word has beyond the other in
 * its group is dropped at an end or changed into one of another group, a vowel at least dropped
 * at an end. (In the terms of linear programming: prices of letters whose sum is nowhere above
 * the price of a change.)
 */
#include "mine/sounds.h"

#include "mine/mine_params.h"

#include <stdlib.h>

static const char *const vowels = "aeiouyhwj";
static const char *const alike[] = {"bpvf", "dt", "gkcqx", "lr", "sz", "mn", "vw", "uw", "ijy"};

enum { N_GROUPS = 6 /* the first ones of `alike` */, VOWELS = N_GROUPS, W };

void dpl__sound_prices_set(dpl__sound_prices *p)
{
    p->vowel = (float)DPL__P(mine, sound_vowel);
    p->near = (float)DPL__P(mine, sound_near);
    p->ends = (float)DPL__P(mine, sound_ends);
    p->rounding = 1e-3f;
    for (int i = 0; i < 26; i++)
        p->drop[i] = strchr(vowels, 'a' + i) ? p->vowel : 1;
    for (int i = 0; i < 26; i++)
        for (int k = 0; k < 26; k++) {
            float both = p->drop[i] + p->drop[k];
            p->change[i][k] = i == k ? 0 : both < 1 ? both / 2 : 1;
        }
    for (size_t g = 0; g < sizeof alike / sizeof *alike; g++)
        for (const char *a = alike[g]; *a; a++)
            for (const char *b = alike[g]; *b; b++)
                if (a != b && p->change[*a - 'a'][*b - 'a'] > p->near)
                    p->change[*a - 'a'][*b - 'a'] = p->near;
}

static uint64_t kind_of(char c)
{
    unsigned at = c == 'w' ? W : VOWELS;
    for (unsigned g = 0; g < N_GROUPS; g++)
        if (strchr(alike[g], c))
            at = g;
    return UINT64_C(1) << (8 * at);
}

dpl__sounds dpl__sounds_of(const dpl__sound_prices *p, dpl_str word)
{
    dpl__sounds s = {0};
    for (size_t i = 0; i < word.n && s.n < DPL__MOST_SOUNDS; i++) {
        char c = word.data[i], next = i + 1 < word.n ? word.data[i + 1] : 0;
        if (c >= '0' && c <= '9') {
            s.is_number = true;
            continue;
        }
        if (next == 'h' && strchr("pcstkgd", c)) {
            c = c == 'p' ? 'f' : c == 'c' ? 'k' : c;
            i++;
        }
        uint8_t letter = (uint8_t)(c - 'a');
        if (s.n && s.letters[s.n - 1] == letter)
            continue; /* doubled */
        s.letters[s.n++] = letter;
        s.weight += p->drop[letter];
        s.kind += kind_of(c);
    }
    return s;
}

static float least(float a, float b)
{
    return a < b ? a : b;
}

/* For each group of consonants, how many a has beyond b. Bytes are below 128, so subtraction
 * does not borrow across bytes. */
static uint64_t beyond(uint64_t a, uint64_t b)
{
    const uint64_t high = UINT64_C(0x808080808080), d = (a | high) - b;
    return d & ~high & ((d & high) >> 7) * 0x7F;
}

static int sum_of(uint64_t bytes)
{
    return (int)(bytes * UINT64_C(0x010101010101) >> 40 & 0xFF);
}

static int count_of(uint64_t kind, int at)
{
    return (int)(kind >> (8 * at) & 0xFF);
}

float dpl__sounds_bound(const dpl__sound_prices *p, uint64_t a, uint64_t b)
{
    const uint64_t groups = (UINT64_C(1) << (8 * N_GROUPS)) - 1,
                   of_a = beyond(a & groups, b & groups), of_b = beyond(b & groups, a & groups);
    const int n_a = sum_of(of_a), n_b = sum_of(of_b), n_both = n_a < n_b ? n_a : n_b,
              n_vowels = abs(count_of(a, VOWELS) - count_of(b, VOWELS)),
              v = count_of(of_a | of_b, 0), w = count_of(of_b & 0x7F ? a : b, W);
    /* A v of the first group may have become a w. */
    const float w_less = p->ends > p->near ? p->ends - p->near : 0;
    return (float)n_both * least(1, 2 * p->ends) + p->ends * (float)(n_a + n_b - 2 * n_both) +
           p->ends * p->vowel * (float)n_vowels - w_less * (float)(v < w ? v : w) - p->rounding;
}

float dpl__sounds_price(const dpl__sound_prices *p, const dpl__sounds *a, const dpl__sounds *b,
                        float most)
{
    const float ends = p->ends;
    most += p->rounding;
    float row[DPL__MOST_SOUNDS + 1], best = a->weight + b->weight, rest_a = a->weight, rest = 0;
    row[0] = 0;
    for (size_t j = 0; j < b->n; j++)
        row[j + 1] = row[j] + ends * p->drop[b->letters[j]];
    for (size_t i = 0; i < a->n; i++) {
        const float drop = p->drop[a->letters[i]], *change = p->change[a->letters[i]];
        float before = row[0], lowest;
        rest_a -= drop;
        lowest = row[0] += ends * drop;
        for (size_t j = 0; j < b->n; j++) {
            float price = least(before + change[b->letters[j]],
                                least(row[j + 1] + drop, row[j] + p->drop[b->letters[j]]));
            before = row[j + 1];
            row[j + 1] = price;
            lowest = least(lowest, price);
        }
        best = least(best, row[b->n] + ends * rest_a);
        if (lowest > most && best > most)
            return best;
    }
    for (size_t j = b->n + 1u; j-- > 0;) {
        best = least(best, row[j] + ends * rest);
        rest += j ? p->drop[b->letters[j - 1]] : 0;
    }
    return best;
}
