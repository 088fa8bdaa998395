/*
 * lookup.c - queries of a lexicon: a word as typed, similar words, statistics of a column.
 *
 * Similar words are those within a few edits (insertions, deletions, replacements,
 * swaps of neighbours), by code points. The words are in byte order, so they are the leaves of
 * an implicit prefix tree: the distances of a prefix that neighbouring words share are computed
 * once, and all words with a prefix that is too far away are skipped. Cost: 2 to 6 ms for
 * 200,000 words.
 */
#include "lexicon/lexicon.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/sized.h"
#include "kernels/kernels.h"
#include "lexicon/lexicon_params.h"
#include "tokens/fold.h"
#include "unicode/unicode.h"

#include <math.h>

static int side_of(bool is_target)
{
    return is_target ? DPL__RIGHT : DPL__LEFT;
}

/* ---- one word ----------------------------------------------------------------------- */

typedef struct lookup {
    dpl_str word;
    bool is_target, stem;
} lookup;

static dpl_status fold_word(dpl_lexicon_hit *out, dpl__folder *folder, const char *lang,
                            dpl_str word, dpl_error *err)
{
    dpl_str term;
    DPL_TRY(dpl__folder_language(folder, *lang ? lang : "und", err));
    DPL_TRY(dpl__fold(folder, word, &term, err));
    out->n = dpl__min(term.n, sizeof out->text - 1);
    if (out->n)
        memcpy(out->text, term.data, out->n);
    out->text[out->n] = 0;
    return DPL_OK;
}

static dpl_status find_folded(dpl_lexicon_hit *out, dpl_ctx *ctx, const dpl_lexicon *l,
                              const lookup *sought, dpl_error *err)
{
    dpl__folder *folder = NULL;
    const int side = side_of(sought->is_target);
    DPL_TRY(dpl__folder_new(&folder, ctx, &(dpl_tokens_options){.stem = sought->stem}, err));
    dpl_status status;
    DPL__STEP(fold_word(out, folder, l->lang[side], sought->word, err));
    out->is_known =
        dpl__find_string(&l->words[side], NULL, (dpl_str){out->text, out->n}, &out->number);
done:
    dpl__folder_free(folder);
    return status;
}

dpl_status dpl_lexicon_look_up(dpl_lexicon_hit *out, dpl_ctx *ctx, const dpl_lexicon *l,
                               bool is_target, dpl_str word, dpl_error *err)
{
    *out = (dpl_lexicon_hit){0};
    if (!dpl__is_utf8(ctx, word))
        return dpl__fail(err, DPL_E_USAGE, "the word is not valid UTF-8");
    word = dpl__trim(word);
    if (l->is_stemmed)
        DPL_TRY(find_folded(out, ctx, l, &(lookup){word, is_target, true}, err));
    if (out->is_known)
        return DPL_OK;
    /* The word may be a stem itself: a stemmer may change its own stems. */
    dpl_lexicon_hit plain = {0};
    DPL_TRY(find_folded(&plain, ctx, l, &(lookup){word, is_target, false}, err));
    if (plain.is_known || !l->is_stemmed)
        *out = plain;
    return DPL_OK;
}

/* ---- similar words ------------------------------------------------------------------ */

enum {
    MOST_CHARS = 64, /* of a word that are compared */
    MOST_EDITS = 3,
    MOST_NEAR = 256
};

typedef struct search {
    uint32_t word[MOST_CHARS];
    unsigned n_word;
    unsigned limit; /* edits */
    /* The beginning at hand, and edits[i][j]: what turns its first i characters into the first
     * j of the word. */
    uint32_t path[MOST_CHARS + MOST_EDITS];
    uint8_t edits[MOST_CHARS + MOST_EDITS + 1][MOST_CHARS + 1];
    unsigned n_path;
    bool is_far; /* nothing that begins so is near */
} search;

static void search_init(search *s, dpl_str word)
{
    const uint8_t *p = (const uint8_t *)word.data, *end = p + word.n;
    *s = (search){0};
    while (p < end && s->n_word < MOST_CHARS)
        p += dpl__utf8_decode(p, &s->word[s->n_word++]);
    s->limit = s->n_word <= 3 ? 1 : s->n_word <= 7 ? 2 : MOST_EDITS;
    for (unsigned j = 0; j <= s->n_word; j++)
        s->edits[0][j] = (uint8_t)j;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Appends a character to the path. */
static void extend(search *s, uint32_t c)
{
    unsigned i = ++s->n_path, nearest = i;
    s->path[i - 1] = c;
    s->edits[i][0] = (uint8_t)i;
    for (unsigned j = 1; j <= s->n_word; j++) {
        unsigned e = s->edits[i - 1][j - 1] + (s->word[j - 1] != c ? 1u : 0u);
        e = least(e, 1 + least(s->edits[i - 1][j], s->edits[i][j - 1]));
        bool is_swap =
            i > 1 && j > 1 && s->word[j - 2] == c && s->word[j - 1] == s->path[i - 2];
        if (is_swap)
            e = least(e, s->edits[i - 2][j - 2] + 1u);
        s->edits[i][j] = (uint8_t)e;
        nearest = least(nearest, e);
    }
    bool is_longer = i > s->n_word && s->edits[s->n_word][s->n_word] == 0;
    s->is_far = nearest > s->limit && !is_longer;
}

/* Is one of the word and the path with the rest the other one with an ending, which is not the
 * longer part? */
static bool is_inflected(const search *s, dpl_str rest)
{
    unsigned shared = least(s->n_path, s->n_word);
    if (shared < (size_t)DPL__P(lexicon, near_stem) || s->edits[shared][shared] != 0)
        return false;
    return dpl__max(s->n_word, s->n_path + dpl__utf8_length(rest)) <= 2 * (size_t)shared;
}

/* How far away the candidate is; above the limit: too far. */
static unsigned distance(search *s, dpl_str candidate)
{
    const uint8_t *p = (const uint8_t *)candidate.data, *end = p + candidate.n;
    unsigned i = 0, most = s->n_word + s->limit;
    uint32_t c;
    while (p < end && i < s->n_path) { /* what it has in common with the one before */
        unsigned n = dpl__utf8_decode(p, &c);
        if (c != s->path[i])
            break;
        p += n;
        i++;
    }
    if (i < s->n_path) {
        s->n_path = i;
        s->is_far = false;
    }
    while (p < end && s->n_path < most && !s->is_far) {
        p += dpl__utf8_decode(p, &c);
        extend(s, c);
    }
    if (s->is_far)
        return s->limit + 1;
    unsigned e = p < end ? s->limit + 1 : s->edits[s->n_path][s->n_word];
    dpl_str rest = {(const char *)p, (size_t)(end - p)};
    return is_inflected(s, rest) ? least(e, (unsigned)DPL__P(lexicon, near_ending)) : e;
}

/* How often a word occurs; words that occur often have many translations, if nothing else. */
static uint64_t frequency(const dpl_lexicon *l, int side, uint32_t word)
{
    if (l->counts[side])
        return l->counts[side][word];
    const uint64_t *offsets = l->table[side].offsets;
    return offsets ? offsets[word + 1] - offsets[word] : 0;
}

size_t dpl_lexicon_near(const dpl_lexicon *l, bool is_target, dpl_str word, uint32_t *out,
                        size_t n)
{
    int side = side_of(is_target);
    const dpl__strings *words = &l->words[side];
    uint8_t distances[MOST_NEAR];
    size_t n_out = 0;
    search s;
    search_init(&s, word);
    n = dpl__min(n, MOST_NEAR);
    for (uint32_t i = 0; i < words->n; i++) {
        unsigned d = distance(&s, dpl__string(words, i));
        if (d == 0 || d > s.limit)
            continue;
        size_t at = n_out;
        while (at && (d < distances[at - 1] ||
                      (d == distances[at - 1] &&
                       frequency(l, side, i) > frequency(l, side, out[at - 1]))))
            at--;
        if (at == n)
            continue;
        n_out = dpl__min(n_out + 1, n);
        memmove(out + at + 1, out + at, (n_out - 1 - at) * sizeof *out);
        memmove(distances + at + 1, distances + at, n_out - 1 - at);
        out[at] = i;
        distances[at] = (uint8_t)d;
    }
    return n_out;
}

/* ---- a column ----------------------------------------------------------------------- */

/* Entropy, in bits, of the row's shares of its sum. */
static double entropy(const float *p, size_t n, double sum)
{
    double bits = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0)
            bits -= (double)p[i] / sum * dpl__log2((double)p[i] / sum);
    return bits;
}

dpl_status dpl_lexicon_measure(dpl_lexicon_column *out, const dpl_lexicon *l, bool is_target,
                               dpl_error *err)
{
    const dpl__table *t = &l->table[side_of(is_target)];
    dpl_lexicon_column c =
        DPL_INIT(dpl_lexicon_column, .n_words = (uint32_t)l->words[side_of(is_target)].n);
    DPL_TRY(DPL__CHECK_OUT(out, err));
    for (uint32_t row = 0; row < t->n_rows; row++) {
        const float *p = t->p + t->offsets[row];
        size_t n = (size_t)(t->offsets[row + 1] - t->offsets[row]);
        double sum = 0, best = 0;
        for (size_t i = 0; i < n; i++) {
            sum += (double)p[i];
            best = fmax(best, (double)p[i]);
        }
        if (sum <= 0)
            continue;
        c.n_translated++;
        c.n_entries += n;
        c.n_certain += best >= 0.5;
        c.entropy += entropy(p, n, sum);
        c.mass += sum;
        c.top += best;
    }
    double n = c.n_translated ? c.n_translated : 1;
    c.entropy /= n;
    c.mass /= n;
    c.top /= n;
    c.perplexity = dpl__exp2(c.entropy);
    DPL__GIVE(out, &c);
    return DPL_OK;
}
