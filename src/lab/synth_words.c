/*
 * synth_words.c - how the words of two made-up languages are spelled and translated.
 *
 * A left word is its rank in a number system whose digits are syllables, consonants and a
 * vowel; frequent words are short. Ranks are scattered over the words of a length, so that
 * neighbours do not look alike. A right word is made the same way of other syllables and ends
 * in a consonant. Of the left words some are names or numbers, which the right language spells
 * alike, and some have a cognate: the left word with a final n. No two words of a language are
 * spelled alike, since consonants and vowels alternate and the last consonant tells the kind.
 *
 * A left word of rank r has 1 to 3 translations: the right word 2r; the one that is the first
 * translation of a word of similar frequency; and 2r + 1, which is a translation of r alone.
 */
#include "lab/synth_parts.h"

#include <stdio.h>

enum {
    SYLLABLES = 100, /* 20 consonants and 5 vowels */
    MOST_SYLLABLES = 6,
    COGNATES = 15 /* percent of the content words */
};

static const char *const onsets[2][20] = {
    {"b", "c", "d", "f",  "g",  "l",  "m",  "n",  "p",  "r",
     "s", "t", "v", "br", "cl", "pr", "st", "th", "tr", "qu"},
    {"b", "d", "f", "g",  "h",  "k",  "l",  "m",   "p",  "r",
     "s", "w", "z", "gr", "kn", "kr", "pf", "sch", "sp", "zw"}};
static const char *const nuclei[2][5] = {{"a", "e", "i", "o", "u"},
                                         {"a", "au", "e", "ei", "o"}};
static const char codas[] = "rtslm";

/* By the number of syllables: how many there are; how many left words have that many; and what
 * scatters them, near the golden section of the former and without a common divisor. */
static const struct size {
    uint64_t n, n_words, step;
} sizes[MOST_SYLLABLES + 1] = {{0, 0, 0},
                               {100, 50, 61},
                               {10000, 5000, 6181},
                               {1000000, 400000, 618033},
                               {100000000, 40000000, 61803399},
                               {10000000000, 4000000000, 6180339887},
                               {1000000000000, 500000000000, 618033988749}};

static uint64_t of_word(uint64_t word, unsigned what)
{
    return dpl__mix(word ^ (uint64_t)what << 48 ^ 0x5EED);
}
enum { NAME = 1, COGNATE, N_TRANSLATIONS, NEIGHBOUR, CODA };

static size_t put(char *out, size_t at, const char *text)
{
    const size_t n = strlen(text);
    memcpy(out + at, text, n);
    return at + n;
}

/* The word number `number`; factor: how many words there are for each left one. */
static size_t spell(char *out, int lang, uint64_t number, unsigned factor)
{
    unsigned k = 1;
    while (k < MOST_SYLLABLES && number >= factor * sizes[k].n_words)
        number -= factor * sizes[k++].n_words;
    uint64_t code = (uint64_t)((dpl__u128)number * sizes[k].step % sizes[k].n);
    size_t at = 0;
    for (uint64_t place = sizes[k].n / SYLLABLES; k > 0; k--, place /= SYLLABLES) {
        const unsigned syllable = (unsigned)(code / place % SYLLABLES);
        at = put(out, at, onsets[lang][syllable / 5]);
        at = put(out, at, nuclei[lang][syllable % 5]);
    }
    return at;
}

bool dpl__synth_is_name(const dpl__synth_model *m, uint64_t word)
{
    return word >= DPL__SYNTH_FUNCTION && !(word & DPL__SYNTH_NUMBER) &&
           (double)(of_word(word, NAME) >> 11) * 0x1p-53 < m->same;
}

size_t dpl__synth_spell_left(char *out, const dpl__synth_model *m, uint64_t word)
{
    if (word & DPL__SYNTH_NUMBER)
        return (size_t)snprintf(out, DPL__SYNTH_MOST_LETTERS, "%llu",
                                (unsigned long long)(word & ~DPL__SYNTH_NUMBER));
    const size_t n = spell(out, 0, word, 1);
    if (dpl__synth_is_name(m, word))
        out[0] = (char)(out[0] - 'a' + 'A');
    return n;
}

size_t dpl__synth_spell_right(char *out, const dpl__synth_model *m, uint64_t word)
{
    const uint64_t rank = word / 2;
    if (word & DPL__SYNTH_NUMBER)
        return dpl__synth_spell_left(out, m, word);
    const bool is_first = word % 2 == 0;
    if (is_first && dpl__synth_is_name(m, rank))
        return dpl__synth_spell_left(out, m, rank);
    if (is_first && rank >= DPL__SYNTH_FUNCTION && of_word(rank, COGNATE) % 100 < COGNATES) {
        const size_t n = spell(out, 0, rank, 1);
        out[n] = 'n';
        return n + 1;
    }
    const size_t n = spell(out, 1, word, 2);
    out[n] = codas[of_word(word, CODA) % (sizeof codas - 1)];
    return n + 1;
}

size_t dpl__synth_translations(uint64_t *words, double *p, const dpl__synth_model *m,
                               uint64_t word)
{
    static const double shares[DPL__SYNTH_MOST_TRANSLATIONS][DPL__SYNTH_MOST_TRANSLATIONS] = {
        {1, 0, 0}, {0.7, 0.3, 0}, {0.6, 0.25, 0.15}};
    words[0] = word & DPL__SYNTH_NUMBER ? word : 2 * word;
    p[0] = 1;
    if (word & DPL__SYNTH_NUMBER || dpl__synth_is_name(m, word))
        return 1;
    const uint64_t draw = of_word(word, N_TRANSLATIONS) % 100;
    /* Frequent words have several; of the others half have one. */
    const size_t n = word < DPL__SYNTH_FUNCTION ? 3 : draw < 50 ? 1 : draw < 85 ? 2 : 3;
    const uint64_t near = word + 1 + of_word(word, NEIGHBOUR) % (3 + word / 8);
    words[1] = dpl__synth_is_name(m, near) ? 2 * word + 1 : 2 * near;
    words[2] = words[1] == 2 * word + 1 ? 2 * (near + 1) + 1 : 2 * word + 1;
    memcpy(p, shares[n - 1], n * sizeof *p);
    return n;
}
