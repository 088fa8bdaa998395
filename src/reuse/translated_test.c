#include "doppel/reuse.h"

#include "base/hash.h"
#include "base/maths.h"
#include "doppel/lexicon.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Two collections of sentences of random words. A word is a number: on the left it is written
 * "d17", on the right "e17"; multiples of ten are names, "x20" on both sides; every number with
 * a 1 at its end has no entry in the lexicon.
 */
enum { DOCS = 3, SENTENCES = 14, WORDS = 9, FRESH = 100000 };

typedef struct corpus {
    unsigned words[2][DOCS][SENTENCES * WORDS];
    unsigned n_fresh;
} corpus;

static bool is_name(unsigned word)
{
    return word % 10 == 0;
}

static bool is_known(unsigned word)
{
    return word % 10 != 1;
}

static size_t put_word(char *out, unsigned word, int side, bool is_first)
{
    const char c = is_name(word) ? 'x' : side ? 'e' : 'd';
    return (size_t)sprintf(out, "%c%u", is_first ? c - 'a' + 'A' : c, word);
}

static size_t put_side(char *out, const corpus *c, int side)
{
    size_t n = 0;
    for (unsigned doc = 0; doc < DOCS; doc++) {
        n += (size_t)sprintf(out + n, "{\"id\":\"%c%u\",\"lang\":\"%s\",\"text\":\"",
                             side ? 's' : 'q', doc, side ? "en" : "de");
        for (size_t i = 0; i < SENTENCES * WORDS; i++) {
            n += put_word(out + n, c->words[side][doc][i], side, i % WORDS == 0);
            n += (size_t)sprintf(out + n, "%s", i % WORDS == WORDS - 1 ? ". " : " ");
        }
        n += (size_t)sprintf(out + n, "\"}\n");
    }
    return n;
}

/* Sentences that are translated: n of query document q from place a on, of source document s
 * from place b on. */
typedef struct plant {
    unsigned q, a, s, b, n;
} plant;

/* In order of the query; the first two are of the same documents, too far apart for one
 * passage. The last one has a sentence in between that is translated nowhere. */
static const plant plants[] = {{0, 1, 1, 1, 2}, {0, 8, 1, 8, 3}, {2, 4, 0, 9, 4}};

static void fill(corpus *c, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    c->n_fresh = 1;
    for (int side = 0; side < 2; side++)
        for (unsigned doc = 0; doc < DOCS; doc++)
            for (size_t i = 0; i < SENTENCES * WORDS; i++)
                c->words[side][doc][i] = FRESH + c->n_fresh++ * 10 + 2 + doc;
    for (size_t p = 0; p < DPL_LEN(plants); p++)
        for (size_t i = 0; i < plants[p].n * WORDS; i++) {
            const unsigned word = (unsigned)(1000 * (p + 1) + i * 10 + dpl__rng_below(&rng, 6));
            const bool is_gap = p == 2 && i / WORDS == 1;
            unsigned *to = &c->words[1][plants[p].s][plants[p].b * WORDS + i];
            c->words[0][plants[p].q][plants[p].a * WORDS + i] = word;
            if (!is_gap && i % WORDS != dpl__rng_below(&rng, 2 * WORDS))
                *to = word;
            if (i % 5 == 0) /* another document has it, too: it weighs less */
                c->words[1][(plants[p].s + 1) % DOCS][i % SENTENCES * WORDS] = word;
        }
}

/* ---- the naive measure ------------------------------------------------------------------ */

static bool has(const unsigned *words, size_t n, unsigned word)
{
    for (size_t i = 0; i < n; i++)
        if (words[i] == word)
            return true;
    return false;
}

/* Of a word in the source's spelling. */
static double rarity(const corpus *c, int side, unsigned word)
{
    unsigned n = 0;
    for (unsigned doc = 0; doc < DOCS; doc++)
        n += has(c->words[side][doc], SENTENCES * WORDS, word);
    return n ? dpl__log(1 + (double)DOCS / n) : 0;
}

static double mean_rarity(const corpus *c, int side)
{
    const unsigned *all = c->words[side][0];
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < (size_t)DOCS * SENTENCES * WORDS; i++)
        if (!has(all, i, all[i])) {
            sum += rarity(c, side, all[i]);
            n++;
        }
    return sum / (double)n;
}

/* Share of the words of n places of either side that have their translation on the other. */
static double share(const corpus *c, int side, const dpl_passage *p)
{
    const unsigned *q = c->words[side][p->query.doc] + p->query.first_token,
                   *s = c->words[!side][p->source.doc] + p->source.first_token;
    const double unknown = mean_rarity(c, !side);
    double all[2] = {0}, good[2] = {0};
    for (size_t i = 0; i < p->query.n_tokens; i++) {
        const double known = is_known(q[i]) ? rarity(c, !side, q[i]) : 0;
        all[0] += known > 0 ? known : unknown;
        if (is_known(q[i]) && has(s, p->source.n_tokens, q[i]))
            good[0] += known;
    }
    for (size_t i = 0; i < p->source.n_tokens; i++) {
        all[1] += rarity(c, !side, s[i]);
        if (is_known(s[i]) && has(q, p->query.n_tokens, s[i]))
            good[1] += rarity(c, !side, s[i]);
    }
    return (good[0] / all[0] + good[1] / all[1]) / 2;
}

/* ---- tests ------------------------------------------------------------------------------ */

static dpl_lexicon *make_lexicon(dpl_ctx *ctx, const corpus *c)
{
    enum { MOST = DOCS * SENTENCES * WORDS };
    static char text[MOST][2][16];
    static dpl_lexicon_entry entries[MOST];
    dpl_lexicon *lexicon = NULL;
    size_t n = 0;
    const unsigned *all = c->words[0][0];
    for (size_t i = 0; i < MOST; i++) {
        if (has(all, i, all[i]) || !is_known(all[i]) || is_name(all[i]))
            continue;
        for (int side = 0; side < 2; side++)
            put_word(text[n][side], all[i], side, false);
        entries[n] = (dpl_lexicon_entry){dpl__cstr(text[n][0]), dpl__cstr(text[n][1]), 1};
        n++;
    }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en");
    CHECK_OK(dpl_lexicon_from_entries(&lexicon, ctx, entries, n, &o, &test_err));
    return lexicon;
}

static void check_plants(const corpus *c, const dpl_reuse_result *r, int side)
{
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, DPL_LEN(plants));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_kinds[DPL_PASSAGE_TRANSLATED], DPL_LEN(plants));
    for (size_t i = 0; i < DPL_LEN(plants); i++) {
        /* ordered by query document: the last is the first when the sides are swapped */
        const plant x = plants[side ? (i + 2) % 3 : i];
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        const dpl_span *left = side ? &p->source : &p->query,
                       *right = side ? &p->query : &p->source;
        CHECK_EQ(p->kind, DPL_PASSAGE_TRANSLATED);
        CHECK_EQ(left->doc, x.q);
        CHECK_EQ(right->doc, x.s);
        CHECK_EQ(left->first_sentence, x.a);
        CHECK_EQ(right->first_sentence, x.b);
        CHECK_EQ(left->n_sentences, x.n);
        CHECK_EQ(right->n_sentences, x.n);
        CHECK_EQ(left->first_token, x.a * WORDS);
        CHECK_EQ(left->n_tokens, x.n * WORDS);
        CHECK_EQ(right->n_tokens, x.n * WORDS);
        CHECK(fabs((double)p->similarity - share(c, side, p)) < 1e-6);
    }
}

static dpl_reuse_result *search(dpl_ctx *ctx, const corpus *c, const dpl_lexicon *lexicon,
                                int side, dpl_reuse_options o)
{
    char *text[2] = {malloc(1 << 17), malloc(1 << 17)};
    dpl_input in[2];
    dpl_reuse_result *r = NULL;
    for (int k = 0; k < 2; k++) {
        CHECK(text[k] != NULL);
        in[k] = (dpl_input){.buffer = {text[k], put_side(text[k], c, k)}, .name = "c.jsonl"};
    }
    o.lexicons = &lexicon;
    o.n_lexicons = 1;
    CHECK_OK(dpl_reuse(&r, ctx, &in[side], 1, &in[!side], 1, &o, &test_err));
    free(text[0]);
    free(text[1]);
    return r;
}

DPL_TEST(reuse, translated_passages_have_the_places_and_the_share_of_a_naive_count)
{
    static corpus c;
    const dpl_reuse_options o = DPL_INIT(dpl_reuse_options, .min_words = WORDS);
    for (uint64_t seed = 0; seed < 6; seed++)
        for (int side = 0; side < 2; side++) { /* with the lexicon, and against it */
            dpl_ctx *ctx = test_ctx(1 + (unsigned)seed % 2);
            fill(&c, seed);
            dpl_lexicon *lexicon = make_lexicon(ctx, &c);
            dpl_reuse_result *r = search(ctx, &c, lexicon, side, o);
            check_plants(&c, r, side);
            dpl_reuse_result_free(r);
            dpl_lexicon_close(lexicon);
            test_ctx_done(ctx);
        }
}

DPL_TEST(reuse, translated_passages_are_as_long_and_as_similar_as_wanted)
{
    static corpus c;
    dpl_ctx *ctx = test_ctx(1);
    fill(&c, 1);
    dpl_lexicon *lexicon = make_lexicon(ctx, &c);
    for (unsigned n = 2; n <= 5; n++) /* of plants of two to four sentences */
        for (unsigned over = 0; over < 2; over++) {
            const dpl_reuse_options o =
                DPL_INIT(dpl_reuse_options, .min_words = n * WORDS + over);
            dpl_reuse_result *r = search(ctx, &c, lexicon, 0, o);
            size_t expected = 0;
            for (size_t i = 0; i < DPL_LEN(plants); i++)
                expected += plants[i].n * WORDS >= n * WORDS + over;
            CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, expected);
            dpl_reuse_result_free(r);
        }
    dpl_reuse_options o = DPL_INIT(dpl_reuse_options, .min_words = WORDS);
    dpl_reuse_result *all = search(ctx, &c, lexicon, 0, o);
    CHECK_EQ(dpl_reuse_get_summary(all)->n_passages, DPL_LEN(plants));
    for (size_t i = 0; i < DPL_LEN(plants); i++) {
        const float least = dpl_reuse_get_passage(all, i)->similarity;
        size_t n = 0;
        for (size_t k = 0; k < DPL_LEN(plants); k++)
            n += dpl_reuse_get_passage(all, k)->similarity >= least;
        o.translation = (double)least;
        dpl_reuse_result *r = search(ctx, &c, lexicon, 0, o);
        CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, n);
        dpl_reuse_result_free(r);
    }
    dpl_reuse_result_free(all);
    dpl_lexicon_close(lexicon);
    test_ctx_done(ctx);
}
