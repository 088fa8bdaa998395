/*
 * morphs.c - words to parts: the shortest description of a vocabulary.
 *
 * Creutz and Lagus, "Unsupervised discovery of morphemes" (2002), the method known as Morfessor
 * Baseline: a lexicon of parts costs the bits that spell it, and each word the bits that name
 * its parts. Words are taken in turn; each is left whole or cut in two where that makes the sum
 * smallest, and so are both halves. A half that several words share is cut the same way in all
 * of them. Every word counts once, however frequent it is.
 *
 * Words are taken in the order of a hash of their bytes, so the order of documents does not
 * matter. Cost: about 4 us for each word and turn; memory: 60 bytes for each word and part.
 */
#include "tokens/morphs.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/maths.h"
#include "base/order.h"
#include "base/vec.h"
#include "tokens/tokens_params.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

#define P(name) DPL__P(tokens, name)

enum { MOST_CHARS = DPL__MOST_MORPHS };

/* ---- strings by number ------------------------------------------------------------------ */

#define NONE UINT32_MAX

/* A word, or a part of words. */
typedef struct construction {
    dpl_str text;
    double spelling; /* nats, without its end */
    uint32_t n_chars;
    uint32_t count;
    uint32_t left, right; /* it is cut into; NONE: it is whole */
} construction;

typedef struct sought {
    dpl_str text;
    uint64_t hash;
} sought;

typedef struct numbered {
    uint64_t hash;
    uint32_t number; /* from 1 */
} numbered;

static bool is_used(const void *user, const numbered *slot)
{
    (void)user;
    return slot->number != 0;
}

static uint64_t hash_of(const void *user, const numbered *slot)
{
    (void)user;
    return slot->hash;
}

typedef DPL_VEC(construction) constructions;

static bool is_text(const void *user, const numbered *slot, sought key)
{
    const constructions *all = user;
    return slot->hash == key.hash && dpl__str_eq(all->data[slot->number - 1].text, key.text);
}

DPL_MAP(by_text, numbered, sought, is_used, hash_of, is_text);

/* ---- the model -------------------------------------------------------------------------- */

/* What the description of the vocabulary is made of. */
typedef struct sums {
    double n_parts, n_types;   /* of all words; different ones */
    double counts;             /* n log n of each type */
    double n_chars, spellings; /* of all types */
} sums;

typedef struct learner {
    dpl_ctx *ctx;
    constructions all;
    by_text map;
    sums now;
    uint32_t *letters; /* occurrences in the words of each character, by its low 16 bits */
    double n_letters, n_words;
} learner;

static double n_log_n(double n)
{
    return n > 1 ? n * dpl__log(n) : 0;
}

/* Stirling's approximation. */
static double log_factorial(double n)
{
    return n > 1 ? n * (dpl__log(n) - 1) + 0.5 * dpl__log(6.283185307179586 * n) : 0;
}

/* Nats of all words and of the lexicon of their parts. */
static double cost_of(const learner *x)
{
    const sums *s = &x->now;
    const double names = n_log_n(s->n_parts + x->n_words) - n_log_n(x->n_words) - s->counts,
                 counts = log_factorial(s->n_parts - 1) - log_factorial(s->n_types - 1) -
                          log_factorial(s->n_parts - s->n_types),
                 ends = n_log_n(s->n_chars + s->n_types) - n_log_n(s->n_chars) -
                        n_log_n(s->n_types);
    return names + counts + ends + s->spellings - log_factorial(s->n_types);
}

static void count_whole(sums *s, const construction *c, uint32_t before)
{
    const double was = before, is = c->count;
    s->n_parts += is - was;
    s->counts += n_log_n(is) - n_log_n(was);
    const double types = (double)(c->count > 0) - (double)(before > 0);
    s->n_types += types;
    s->n_chars += types * c->n_chars;
    s->spellings += types * c->spelling;
}

/* Occurrences that come, or go: those of its halves, too. */
static void count(learner *x, uint32_t number, uint32_t n, bool come)
{
    construction *c = &x->all.data[number];
    const uint32_t before = c->count;
    assert(come || n <= before);
    c->count = come ? before + n : before - n;
    if (c->left == NONE) {
        count_whole(&x->now, c, before);
    } else {
        count(x, c->left, n, come);
        count(x, c->right, n, come);
    }
}

/* ---- learning --------------------------------------------------------------------------- */

static size_t char_end(dpl_str text, size_t at)
{
    for (at++; at < text.n && ((unsigned char)text.data[at] & 0xC0) == 0x80;)
        at++;
    return at;
}

/* spelling of a new one; n_chars: of the text. */
static dpl_status number_of(learner *x, uint32_t *out, construction c, dpl_error *err)
{
    const sought key = {c.text, dpl__hash(c.text.data, c.text.n, 0)};
    x->map.user = &x->all;
    DPL_TRY(dpl__need(by_text_reserve(&x->map, x->ctx, 1), err));
    numbered *slot = by_text_find(&x->map, key.hash, key);
    if (!slot->number) {
        c.left = c.right = NONE;
        c.count = 0;
        DPL_TRY(dpl__need(dpl__vec_push(x->ctx, &x->all, c), err));
        *slot = (numbered){key.hash, (uint32_t)x->all.n};
        x->map.n_used++;
    }
    *out = slot->number - 1;
    return DPL_OK;
}

/* What two halves would cost that may not be there yet; all sums are as before afterwards. */
static double cost_of_halves(learner *x, const construction halves[2], uint32_t n)
{
    const sums before = x->now;
    uint32_t there[2];
    construction made[2] = {halves[0], halves[1]};
    const bool are_equal = dpl__str_eq(halves[0].text, halves[1].text);
    for (int i = 0; i < 2; i++) {
        const sought key = {halves[i].text,
                            dpl__hash(halves[i].text.data, halves[i].text.n, 0)};
        const numbered *slot = by_text_find(&x->map, key.hash, key);
        there[i] = slot->number ? slot->number - 1 : NONE;
        if (there[i] != NONE) {
            count(x, there[i], n, true);
        } else if (i == 0 || !are_equal) {
            made[i].count = are_equal ? 2 * n : n;
            count_whole(&x->now, &made[i], 0);
        }
    }
    const double cost = cost_of(x);
    for (int i = 0; i < 2; i++)
        if (there[i] != NONE)
            count(x, there[i], n, false);
    x->now = before;
    return cost;
}

/* Halves of a construction that is cut behind its first characters. */
typedef struct cut {
    construction halves[2];
    double cost;
} cut;

/* The best way to cut it, if that costs less than the whole. */
static bool find_cut(learner *x, cut *best, const construction *whole, const double *spelling,
                     uint32_t n)
{
    bool is_found = false;
    double first = 0;
    size_t at = 0;
    for (uint32_t k = 1; k < whole->n_chars; k++) {
        first += spelling[k - 1];
        at = char_end(whole->text, at);
        const construction halves[2] = {
            {.text = {whole->text.data, at}, .spelling = first, .n_chars = k},
            {.text = {whole->text.data + at, whole->text.n - at},
             .spelling = whole->spelling - first,
             .n_chars = whole->n_chars - k}};
        const double cost = cost_of_halves(x, halves, n);
        if (cost < best->cost) {
            *best = (cut){{halves[0], halves[1]}, cost};
            is_found = true;
        }
    }
    return is_found;
}

/* spelling: of each of its characters. */
static dpl_status resplit(learner *x, uint32_t number, const double *spelling, dpl_error *err)
{
    const uint32_t n = x->all.data[number].count;
    if (x->all.data[number].n_chars < 2 || n == 0)
        return DPL_OK;
    count(x, number, n, false);
    x->all.data[number].left = x->all.data[number].right = NONE;
    const construction whole = x->all.data[number];
    const sums without = x->now;
    count(x, number, n, true);
    cut best = {.cost = cost_of(x)};
    count(x, number, n, false);
    x->now = without;
    DPL_TRY(dpl__need(by_text_reserve(&x->map, x->ctx, 2), err));
    if (!find_cut(x, &best, &whole, spelling, n)) {
        count(x, number, n, true);
        return DPL_OK;
    }
    uint32_t halves[2];
    for (int i = 0; i < 2; i++)
        DPL_TRY(number_of(x, &halves[i], best.halves[i], err));
    x->all.data[number].left = halves[0];
    x->all.data[number].right = halves[1];
    count(x, number, n, true);
    DPL_TRY(resplit(x, halves[0], spelling, err));
    return halves[1] == halves[0]
               ? DPL_OK
               : resplit(x, halves[1], spelling + best.halves[0].n_chars, err);
}

/* ---- the words ----------------------------------------------------------------------------
 */

/* Scripts without blanks, whose words are short: Han, kana, Thai and the like. */
static bool is_without_blanks(uint32_t c)
{
    const int32_t kind = c < 0x0E00 ? -1 : u_getIntPropertyValue((UChar32)c, UCHAR_LINE_BREAK);
    return kind == U_LB_IDEOGRAPHIC || kind == U_LB_COMPLEX_CONTEXT ||
           kind == U_LB_CONDITIONAL_JAPANESE_STARTER;
}

/* Characters of a word that may have parts; 0: it has digits, say, or is too long. */
static uint32_t letters_of(dpl_str word, uint32_t chars[MOST_CHARS])
{
    uint32_t n = 0, c;
    for (size_t at = 0; at < word.n; chars[n++] = c) {
        at += dpl__utf8_decode((const uint8_t *)word.data + at, &c);
        if (n == MOST_CHARS || u_charType((UChar32)c) == U_DECIMAL_DIGIT_NUMBER ||
            is_without_blanks(c))
            return 0;
    }
    return n;
}

enum { LETTERS = 1 << 16 };

static dpl_status count_letters(learner *x, const dpl_collection *c, uint32_t n, dpl_error *err)
{
    uint32_t chars[MOST_CHARS];
    x->letters = dpl__calloc(x->ctx, LETTERS, sizeof *x->letters);
    DPL_TRY(dpl__need(x->letters, err));
    for (uint32_t t = 0; t < n; t++) {
        const uint32_t n_chars = letters_of(dpl_collection_term(c, t), chars);
        for (uint32_t i = 0; i < n_chars; i++)
            x->letters[chars[i] % LETTERS]++;
        x->n_letters += n_chars;
    }
    return DPL_OK;
}

static void spell(double spelling[MOST_CHARS], const learner *x, dpl_str word)
{
    uint32_t chars[MOST_CHARS];
    const uint32_t n = letters_of(word, chars);
    for (uint32_t i = 0; i < n; i++)
        spelling[i] = dpl__log(x->n_letters / x->letters[chars[i] % LETTERS]);
}

typedef struct ordered_word {
    uint64_t hash;
    uint32_t number;
} ordered_word;

DPL__ORDER(by_hash, ordered_word, DPL__RISING(hash) DPL__RISING(number))

typedef DPL_VEC(ordered_word) ordered_words;

static dpl_status add_words(ordered_words *out, learner *x, const dpl_collection *c, uint32_t n,
                            dpl_error *err)
{
    uint32_t chars[MOST_CHARS], number;
    double spelling[MOST_CHARS];
    for (uint32_t t = 0; t < n; t++) {
        construction word = {.text = dpl_collection_term(c, t)};
        word.n_chars = letters_of(word.text, chars);
        if (!word.n_chars)
            continue;
        spell(spelling, x, word.text);
        for (uint32_t i = 0; i < word.n_chars; i++)
            word.spelling += spelling[i];
        DPL_TRY(number_of(x, &number, word, err));
        count(x, number, 1, true);
        const ordered_word next = {dpl__hash(word.text.data, word.text.n, 1), number};
        DPL_TRY(dpl__need(dpl__vec_push(x->ctx, out, next), err));
    }
    return DPL_OK;
}

/* Turns, until one gains little. */
static dpl_status take_turns(learner *x, const ordered_words *words, dpl_error *err)
{
    double spelling[MOST_CHARS], before = cost_of(x);
    for (unsigned turn = 0; turn < (unsigned)P(morph_turns); turn++) {
        for (size_t i = 0; i < words->n; i++) {
            const uint32_t number = words->data[i].number;
            spell(spelling, x, x->all.data[number].text);
            DPL_TRY(resplit(x, number, spelling, err));
        }
        const double cost = cost_of(x);
        if (before - cost < P(morph_gain) * x->n_words)
            break;
        before = cost;
    }
    return DPL_OK;
}

/* ---- what was learned ----------------------------------------------------------------- */

struct dpl__morphs {
    dpl_ctx *ctx;
    dpl__arena arena;
    constructions all; /* parts; spelling: what naming one costs; count: documents, about */
    by_text map;
    double unknown;  /* cost of a character that is no part */
    double frequent; /* documents that a part which says little is in */
    bool has_parts;  /* a word was cut */
};

static construction *find_part(const dpl__morphs *m, dpl_str text)
{
    const sought key = {text, dpl__hash(text.data, text.n, 0)};
    const numbered *slot = by_text_find(&m->map, key.hash, key);
    return slot->number ? &m->all.data[slot->number - 1] : NULL;
}

/* All parts of a word; 1: it is one itself. Viterbi's algorithm over the characters. */
static size_t split(dpl_str parts[MOST_CHARS], const dpl__morphs *m, dpl_str word)
{
    uint32_t chars[MOST_CHARS], from[MOST_CHARS + 1];
    size_t at[MOST_CHARS + 1] = {0}, n_parts = 0;
    double cost[MOST_CHARS + 1] = {0};
    const uint32_t n = letters_of(word, chars);
    parts[0] = word;
    if (n < 2 || !m->all.n)
        return 1;
    for (uint32_t end = 1; end <= n; end++) {
        at[end] = char_end(word, at[end - 1]);
        from[end] = end - 1;
        cost[end] = cost[end - 1] + m->unknown;
        for (uint32_t begin = 0; begin < end; begin++) {
            const construction *part =
                find_part(m, (dpl_str){word.data + at[begin], at[end] - at[begin]});
            if (part && cost[begin] + part->spelling < cost[end]) {
                cost[end] = cost[begin] + part->spelling;
                from[end] = begin;
            }
        }
    }
    for (uint32_t end = n; end > 0; end = from[end])
        n_parts++;
    size_t i = n_parts;
    for (uint32_t end = n; end > 0; end = from[end])
        parts[--i] = (dpl_str){word.data + at[from[end]], at[end] - at[from[end]]};
    return n_parts;
}

/* The parts of all words, with the cost of their names. */
static dpl_status keep_parts(dpl__morphs *m, const learner *x, dpl_error *err)
{
    learner kept = {.ctx = m->ctx};
    const double all = dpl__log(x->now.n_parts + x->n_words);
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < x->all.n && status == DPL_OK; i++) {
        construction c = x->all.data[i];
        uint32_t number;
        m->has_parts |= c.left != NONE && c.count;
        if (c.left != NONE || !c.count)
            continue;
        char *text = dpl__arena_alloc(&m->arena, c.text.n);
        if (!text) {
            status = dpl__fail_nomem(err);
            break;
        }
        memcpy(text, c.text.data, c.text.n);
        c.text.data = text;
        c.spelling = all - dpl__log(c.count); /* number_of clears the count */
        status = number_of(&kept, &number, c, err);
    }
    m->unknown = 2 * all;
    m->all = kept.all;
    m->map = kept.map;
    m->map.user = &m->all;
    return status;
}

/* Documents of each part, those of its words added up. */
static void count_docs(dpl__morphs *m, const dpl_collection *c)
{
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    dpl_str parts[MOST_CHARS];
    m->frequent = P(morph_docs) * sizes->n_docs;
    for (uint32_t t = 0; t < sizes->n_terms; t++) {
        const size_t n = split(parts, m, dpl_collection_term(c, t));
        for (size_t i = 0; n > 1 && i < n; i++) {
            construction *part = find_part(m, parts[i]);
            if (part)
                part->count += dpl_collection_doc_count(c, t);
        }
    }
}

dpl_status dpl__morphs_learn(dpl__morphs **out, dpl_ctx *ctx, const dpl_collection *c,
                             dpl_error *err)
{
    const uint32_t n =
        (uint32_t)dpl__min(dpl_collection_get_sizes(c)->n_terms, (size_t)P(morph_words));
    learner x = {.ctx = ctx};
    ordered_words words = {0};
    dpl__morphs *m = *out = dpl__calloc(ctx, 1, sizeof *m);
    dpl_status status;
    DPL_TRY(dpl__need(m, err));
    m->ctx = ctx;
    dpl__arena_init(&m->arena, ctx);
    DPL__STEP(count_letters(&x, c, n, err));
    DPL__STEP(add_words(&words, &x, c, n, err));
    x.n_words = (double)words.n;
    dpl__vec_sort(&words, by_hash);
    DPL__STEP(take_turns(&x, &words, err));
    DPL__STEP(keep_parts(m, &x, err));
    count_docs(m, c);
done:
    by_text_clear(&x.map, ctx);
    dpl__vec_clear(ctx, &x.all, &words);
    dpl__free(ctx, x.letters);
    if (status != DPL_OK || !m->has_parts) {
        dpl__morphs_free(m);
        *out = NULL;
    }
    return status;
}

void dpl__morphs_free(dpl__morphs *m)
{
    if (!m)
        return;
    dpl_ctx *ctx = m->ctx;
    by_text_clear(&m->map, ctx);
    dpl__vec_clear(ctx, &m->all);
    dpl__arena_clear(&m->arena);
    dpl__free(ctx, m);
}

size_t dpl__morphs_of(dpl_str parts[DPL__MOST_MORPHS], const dpl__morphs *m, dpl_str word)
{
    dpl_str all[MOST_CHARS];
    const size_t n_all = split(all, m, word);
    size_t n = 0;
    for (size_t i = 0; n_all > 1 && i < n_all; i++) {
        const construction *part = find_part(m, all[i]);
        if (dpl__utf8_length(all[i]) > 1 && (!part || part->count <= m->frequent))
            parts[n++] = all[i];
    }
    return n;
}
