#include "doppel/reuse.h"

#include "base/hash.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Queries of different words, and sources that have a run of words of one of them each, among
 * words of their own. Runs begin and end at multiples of ten: many have just half in common. */
enum { QUERIES = 2, SOURCES = 14, QUERY_WORDS = 120, AROUND = 20 };

typedef struct plan {
    unsigned query[SOURCES], begin[SOURCES], n[SOURCES];
} plan;

static size_t put_words(char *out, unsigned first, unsigned n)
{
    size_t at = 0;
    for (unsigned i = 0; i < n; i++)
        at += (size_t)sprintf(out + at, "w%u ", first + i);
    return at;
}

static size_t put_head(char *out, char side, unsigned number)
{
    return (size_t)sprintf(out, "{\"id\":\"%c%02u\",\"lang\":\"en\",\"text\":\"", side, number);
}

static size_t put_source(char *out, const plan *p, unsigned i)
{
    size_t n = put_head(out, 's', i);
    n += put_words(out + n, 10000 + i * 100, AROUND);
    n += put_words(out + n, 1000 * p->query[i] + p->begin[i], p->n[i]);
    n += put_words(out + n, 10050 + i * 100, AROUND);
    return n + (size_t)sprintf(out + n, "\"}\n");
}

static dpl_reuse_result *search(dpl_ctx *ctx, const plan *p, unsigned top)
{
    enum { ROOM = 1 << 15 };
    char *text = malloc(2 * ROOM);
    size_t n = 0, m = 0;
    CHECK(text != NULL);
    for (unsigned i = 0; i < QUERIES; i++) {
        n += put_head(text + n, 'q', i);
        n += put_words(text + n, 1000 * i, QUERY_WORDS);
        n += (size_t)sprintf(text + n, "\"}\n");
    }
    for (unsigned i = 0; i < SOURCES; i++)
        m += put_source(text + ROOM + m, p, i);
    const dpl_input q = {.buffer = {text, n}, .name = "q.jsonl"},
                    c = {.buffer = {text + ROOM, m}, .name = "c.jsonl"};
    const dpl_reuse_options o = DPL_INIT(dpl_reuse_options, .top = top);
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, &o, &test_err));
    free(text);
    return r;
}

static void choose(plan *p, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; i < SOURCES; i++) {
        p->query[i] = (unsigned)dpl__rng_below(&rng, QUERIES);
        p->n[i] = 20 + 10 * (unsigned)dpl__rng_below(&rng, 6);
        p->begin[i] = 10 * (unsigned)dpl__rng_below(&rng, (QUERY_WORDS - p->n[i]) / 10 + 1);
    }
}

/* ---- naively ---------------------------------------------------------------------------- */

static double words_of(const dpl_passage *p)
{
    return (double)(p->similarity * (float)p->query.n_tokens);
}

/* Longer ones first, then by source. */
static bool is_better(const dpl_passage *a, const dpl_passage *b)
{
    return words_of(a) != words_of(b) ? words_of(a) > words_of(b)
                                      : a->source.doc < b->source.doc;
}

static unsigned n_common(const dpl_passage *a, const dpl_passage *b)
{
    unsigned n = 0;
    for (unsigned i = 0; i < a->query.n_tokens; i++) {
        const unsigned at = a->query.first_token + i;
        n += a->query.doc == b->query.doc && at >= b->query.first_token &&
             at < b->query.first_token + b->query.n_tokens;
    }
    return n;
}

/* Which of all passages stay: the best of the rest, unless `top` better ones that stay have
 * half of its words. */
static size_t select_naively(bool *is_kept, const dpl_reuse_result *all, unsigned top)
{
    bool is_done[SOURCES] = {0};
    size_t n_kept = 0;
    for (size_t turn = 0; turn < SOURCES; turn++) {
        size_t best = SOURCES;
        unsigned n = 0;
        for (size_t i = 0; i < SOURCES; i++)
            if (!is_done[i] && (best == SOURCES || is_better(dpl_reuse_get_passage(all, i),
                                                             dpl_reuse_get_passage(all, best))))
                best = i;
        const dpl_passage *p = dpl_reuse_get_passage(all, best);
        for (size_t i = 0; i < SOURCES; i++)
            n += is_kept[i] &&
                 2 * n_common(dpl_reuse_get_passage(all, i), p) >= p->query.n_tokens;
        is_done[best] = true;
        is_kept[best] = n < top;
        n_kept += n < top;
    }
    return n_kept;
}

static void check_selection(const dpl_reuse_result *r, const dpl_reuse_result *all,
                            unsigned top)
{
    bool is_kept[SOURCES] = {0};
    size_t at = 0;
    const size_t n = select_naively(is_kept, all, top);
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, n);
    for (size_t i = 0; i < SOURCES; i++) { /* both are in the same order */
        if (!is_kept[i])
            continue;
        const dpl_passage *p = dpl_reuse_get_passage(r, at++),
                          *q = dpl_reuse_get_passage(all, i);
        CHECK_EQ(p->source.doc, q->source.doc);
        CHECK_EQ(p->query.first_token, q->query.first_token);
    }
}

/* By query, place, and what is better. */
static void check_order(const dpl_reuse_result *r)
{
    for (size_t i = 1; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *a = dpl_reuse_get_passage(r, i - 1),
                          *b = dpl_reuse_get_passage(r, i);
        CHECK(a->query.doc != b->query.doc ? a->query.doc < b->query.doc
              : a->query.first_token != b->query.first_token
                  ? a->query.first_token < b->query.first_token
                  : is_better(a, b));
    }
}

/* Words of the queries that the document's passages (any document's: UINT32_MAX) have and that
 * are not marked. */
static unsigned mark(bool marks[QUERIES][QUERY_WORDS], const dpl_reuse_result *r, uint32_t doc)
{
    unsigned n = 0;
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        for (unsigned k = 0; k < p->query.n_tokens; k++) {
            bool *at = &marks[p->query.doc][p->query.first_token + k];
            if (*at || (doc != UINT32_MAX && doc != p->source.doc))
                continue;
            *at = true;
            n++;
        }
    }
    return n;
}

static unsigned n_new(bool marks[QUERIES][QUERY_WORDS], const dpl_reuse_result *r, uint32_t doc)
{
    bool copy[QUERIES][QUERY_WORDS];
    memcpy(copy, marks, sizeof copy);
    return mark(copy, r, doc);
}

static void check_sources(const dpl_reuse_result *r)
{
    bool marks[QUERIES][QUERY_WORDS] = {{0}}, none[QUERIES][QUERY_WORDS] = {{0}};
    const size_t n = dpl_reuse_get_summary(r)->n_source_docs;
    CHECK_EQ(n, dpl_reuse_get_summary(r)->n_passages); /* each has one */
    for (size_t i = 0; i < n; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(r, i);
        CHECK_EQ(s->n_passages, 1);
        CHECK_EQ(s->n_words, n_new(none, r, s->doc));
        CHECK_EQ(s->n_new_words, n_new(marks, r, s->doc));
        for (size_t k = i + 1; k < n; k++) {
            const dpl_reuse_source *t = dpl_reuse_get_source(r, k);
            const unsigned other = n_new(marks, r, t->doc);
            CHECK(s->n_new_words != other    ? s->n_new_words > other
                  : s->n_words != t->n_words ? s->n_words > t->n_words
                                             : s->doc < t->doc);
        }
        (void)mark(marks, r, s->doc);
    }
    CHECK_EQ(dpl_reuse_get_summary(r)->n_reused_words, n_new(none, r, UINT32_MAX));
}

DPL_TEST(reuse, passages_and_sources_are_chosen_as_by_a_naive_selection)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        dpl_ctx *ctx = test_ctx(1);
        plan p;
        choose(&p, seed);
        dpl_reuse_result *all = search(ctx, &p, SOURCES);
        CHECK_EQ(dpl_reuse_get_summary(all)->n_passages, SOURCES);
        for (unsigned top = 1; top <= 4; top++) {
            dpl_reuse_result *r = search(ctx, &p, top);
            check_selection(r, all, top);
            check_order(r);
            check_sources(r);
            dpl_reuse_result_free(r);
        }
        dpl_reuse_result_free(all);
        test_ctx_done(ctx);
    }
}

DPL_TEST(reuse, options_out_of_range_are_refused)
{
    static const struct {
        unsigned seed_words;
        double threshold, translation;
        bool is_good;
    } cases[] = {{2, 1, 1, true},     {16, 1e-9, 1e-9, true}, {1, 1, 1, false},
                 {17, 1, 1, false},   {3, 1.01, 1, false},    {3, -0.01, 1, false},
                 {3, 1, 1.01, false}, {3, 1, -0.01, false},   {0, 0, 0, true},
                 {3, NAN, 1, false},  {3, 1, NAN, false}};
    static const char text[] = "{\"id\":\"x\",\"lang\":\"en\",\"text\":\"one two three\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "c.jsonl"};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_reuse_options o =
            DPL_INIT(dpl_reuse_options, .seed_words = cases[i].seed_words,
                     .threshold = cases[i].threshold, .translation = cases[i].translation);
        dpl_reuse_result *r = NULL;
        const dpl_status status = dpl_reuse(&r, ctx, &in, 1, &in, 1, &o, &test_err);
        CHECK_EQ(status, cases[i].is_good ? DPL_OK : DPL_E_USAGE);
        dpl_reuse_result_free(r);
    }
    test_ctx_done(ctx);
}
