/*
 * surface.c - stems become words again, as a text writes them.
 *
 * Stemmers cut endings off, change the last letter (happy: happi), and some take accents away
 * (Häuser: haus). So words are compared without case and accents, by how they begin. It is a
 * guess, and wrong where another word begins in the same way; the shortest is taken for that.
 */
#include "serve/index_answers.h"

enum {
    LONGEST = 64,          /* bytes of a word that is looked at */
    MOST_READ = 256 << 10, /* bytes of a text */
    MOST_STEMS = 64,
    LONGEST_ENDING = 7, /* bytes */
    CHANGED_ENDING = 3  /* of a word whose last letter was changed */
};

/* U+00C0 to U+017F without accents; * where a letter is one of its own. */
static const char plain[] = "aaaaaa*ceeeeiiii*nooooo**uuuuy**aaaaaa*ceeeeiiii*nooooo**uuuuy*y"
                            "aaaaaaccccccccdd**eeeeeeeeeegggggggghh**iiiiiiiii***jjkk*llllll*"
                            "***nnnnnn***oooooo**rrrrrrsssssssstttt**uuuuuuuuuuuuwwyyyzzzzzz*";

/* The code point at text[*at], behind which *at is set. A byte that begins none is taken as it
 * is. */
static uint32_t next_char(dpl_str text, size_t *at)
{
    const uint8_t *p = (const uint8_t *)text.data + *at;
    const size_t left = text.n - *at;
    const size_t n = p[0] < 0xC0 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n > left) { /* cut off in the middle */
        *at = text.n;
        return 0;
    }
    if (n == 1) {
        ++*at;
        return p[0];
    }
    uint32_t c = p[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3F);
    *at += n;
    return c;
}

static bool is_letter(uint32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    return c >= 0xC0 && (c < 0x2000 || c > 0x206F) && (c < 0x3000 || c > 0x303F);
}

static uint32_t fold(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    if (c < 0x180 && c >= 0xC0 && plain[c - 0xC0] != '*')
        return (uint32_t)plain[c - 0xC0];
    if (c >= 0x100 && c < 0x180) /* the lower letter stands behind the upper one */
        return c + (c > 0x138 && c < 0x149 ? c & 1 : c != 0x138 && c % 2 == 0);
    if ((c >= 0xC0 && c < 0xDF) || (c >= 0x391 && c <= 0x3A9) || (c >= 0x410 && c <= 0x42F))
        return c + 0x20;
    return c >= 0x400 && c <= 0x40F ? c + 0x50 : c;
}

typedef struct folded {
    uint32_t letters[LONGEST];
    size_t n;
} folded;

/* The word at *at of the text, or nothing of length 0; *at is set behind it. */
static dpl_str next_word(folded *out, dpl_str text, size_t *at)
{
    const size_t begin = *at;
    size_t end = *at;
    out->n = 0;
    while (*at < text.n) {
        const uint32_t c = next_char(text, at);
        if (!is_letter(c))
            break;
        if (out->n < LONGEST)
            out->letters[out->n++] = fold(c);
        if (c == 0xDF && out->n < LONGEST) { /* ss */
            out->letters[out->n - 1] = 's';
            out->letters[out->n++] = 's';
        }
        end = *at;
    }
    return (dpl_str){text.data + begin, end - begin};
}

static size_t common(const folded *a, const folded *b)
{
    size_t n = 0;
    while (n < a->n && n < b->n && a->letters[n] == b->letters[n])
        n++;
    return n;
}

/* The less, the better; SIZE_MAX: it is another word. */
static size_t distance(const folded *word, const folded *stem)
{
    const size_t n = common(word, stem);
    if (n == stem->n && word->n <= n + LONGEST_ENDING)
        return word->n - n;
    if (n + 1 == stem->n && n >= 3 && word->n > n && word->n <= n + CHANGED_ENDING)
        return LONGEST_ENDING + word->n - n;
    return SIZE_MAX;
}

void dpl__surface_words(dpl_str *out, const dpl_str *stems, size_t n, dpl_str text)
{
    folded all[MOST_STEMS], word;
    size_t best[MOST_STEMS];
    const size_t known = n < MOST_STEMS ? n : MOST_STEMS;
    text.n = text.n < MOST_READ ? text.n : MOST_READ;
    for (size_t i = 0; i < n; i++)
        out[i] = stems[i];
    for (size_t i = 0; i < known; i++) {
        size_t at = 0;
        best[i] = SIZE_MAX;
        if (next_word(&all[i], stems[i], &at).n != stems[i].n)
            all[i].n = 0; /* not one word */
    }
    for (size_t at = 0; at < text.n;) {
        const dpl_str w = next_word(&word, text, &at);
        for (size_t i = 0; w.n && i < known; i++) {
            if (!all[i].n || all[i].letters[0] != word.letters[0])
                continue;
            const size_t d = distance(&word, &all[i]);
            if (d < best[i]) {
                best[i] = d;
                out[i] = w;
            }
        }
    }
}
