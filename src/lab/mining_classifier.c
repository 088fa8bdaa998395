/*
 * mining_classifier.c - parallel sentences by a classifier, after Munteanu and Marcu (2005),
 * the rival of Table 6 of document mining.
 *
 * In: sentence pairs to train on and a lexicon of them. Out: sentence pairs of the two
 * collections. As in their paper: of each left document the nearest right ones, through the
 * lexicon; all pairs of their sentences that pass a filter (one at most twice as long, half of
 * the words translated on both sides); a maximum-entropy classifier (logistic regression) with
 * features of lengths, translated words and a word alignment, trained on sentence pairs and on
 * wrong pairs of the same sentences that pass the filter. Each sentence is taken once, by the
 * highest probability.
 *
 * Differences: no dates of documents, by which theirs limits the search; identical words are
 * translations of each other; the lexicon is not trained again on what is found.
 */
#include "lab/mining.h"

#include "base/hash.h"
#include "base/maths.h"

#include <math.h>
#include <stdio.h>

enum {
    FEATURES = 19, /* the last is 1 */
    NEAR = 5,
    MOST_WORDS = 100,
    POSITIVE = 5000,
    TRIES = 400,  /* wrong pairs that are tried for each right one */
    NEGATIVE = 5, /* for each right pair, at most */
    ROUNDS = 400,
};

/* A word of the lexicon; UINT32_MAX: it has none. */
typedef struct word {
    uint32_t number;
    uint64_t key; /* of its text */
} word;

typedef struct sentence {
    size_t begin, n; /* words */
    uint32_t doc, place;
} sentence;

/* Sentences of one language, by document. */
typedef struct side {
    DPL_VEC(word) words;
    DPL_VEC(sentence) sentences;
} side;

typedef struct example {
    float x[FEATURES];
    bool is_right;
} example;

typedef struct classifier {
    dpl__lab *lab;
    const dpl_lexicon *lexicon;
    double weights[FEATURES], mean[FEATURES], deviation[FEATURES];
    DPL_VEC(example) examples;
    size_t n_negative;
    /* Of a sentence: where a word of the lexicon stands in it; stamps say which sentence. */
    uint32_t *stamps[2], *places[2], stamp;
} classifier;

/* ---- sentences --------------------------------------------------------------------------- */

static word word_of(const classifier *c, unsigned which, dpl_str text)
{
    word w = {UINT32_MAX, dpl__hash(text.data, text.n, 0)};
    uint32_t number;
    if (which ? dpl_lexicon_find_target(c->lexicon, text, &number)
              : dpl_lexicon_find_source(c->lexicon, text, &number))
        w.number = number;
    return w;
}

/* Tokens of a document from begin to end. */
static dpl_status add_sentence(side *s, classifier *c, unsigned which,
                               const dpl_collection *docs, const sentence *from, dpl_error *err)
{
    dpl_ctx *ctx = c->lab->ctx;
    size_t n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(docs, from->doc, &n_tokens);
    sentence one = *from;
    one.begin = s->words.n;
    one.n = dpl__min(from->n, (size_t)MOST_WORDS);
    for (size_t k = 0; k < one.n; k++)
        DPL_TRY(dpl__need(
            dpl__vec_push(
                ctx, &s->words,
                word_of(c, which, dpl_collection_term(docs, tokens[from->begin + k]))),
            err));
    return dpl__need(dpl__vec_push(ctx, &s->sentences, one), err);
}

static dpl_status add_sentences(side *s, classifier *c, unsigned which,
                                const dpl_collection *docs, dpl_error *err)
{
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(docs)->n_docs; doc++) {
        const size_t n = dpl_collection_n_sentences(docs, doc);
        size_t end;
        dpl_collection_tokens(docs, doc, &end);
        for (size_t i = 0; i < n; i++) {
            const size_t begin = dpl_collection_sentence(docs, doc, i).token,
                         next =
                             i + 1 < n ? dpl_collection_sentence(docs, doc, i + 1).token : end;
            DPL_TRY(add_sentence(s, c, which, docs,
                                 &(sentence){begin, next - begin, doc, (uint32_t)i}, err));
        }
    }
    return DPL_OK;
}

static void clear_side(side *s, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &s->sentences);
    dpl__vec_clear(ctx, &s->words);
}

/* ---- alignment and features -------------------------------------------------------------- */

/* Words of both sentences, and the best counterpart of each; -1: none. */
typedef struct pair {
    const word *words[2];
    unsigned n[2];
    int best[2][MOST_WORDS];
} pair;

static void stamp(classifier *c, const pair *p)
{
    c->stamp++;
    for (unsigned which = 0; which < 2; which++)
        for (unsigned i = 0; i < p->n[which]; i++) {
            const uint32_t number = p->words[which][i].number;
            if (number != UINT32_MAX) {
                c->stamps[which][number] = c->stamp;
                c->places[which][number] = i;
            }
        }
}

/* The likeliest translation of a word in the other sentence, or the same word. */
static int find_best(const classifier *c, const pair *p, unsigned which, unsigned i)
{
    const word *w = &p->words[which][i];
    const float *probabilities;
    size_t n = 0;
    int best = -1;
    float most = 0;
    const uint32_t *row = w->number == UINT32_MAX ? NULL
                          : which
                              ? dpl_lexicon_back_row(c->lexicon, w->number, &probabilities, &n)
                              : dpl_lexicon_row(c->lexicon, w->number, &probabilities, &n);
    for (size_t k = 0; k < n; k++)
        if (c->stamps[!which][row[k]] == c->stamp && probabilities[k] > most) {
            most = probabilities[k];
            best = (int)c->places[!which][row[k]];
        }
    for (unsigned k = 0; best < 0 && k < p->n[!which]; k++)
        if (p->words[!which][k].key == w->key)
            best = (int)k;
    return best;
}

/* Whether the pair passes the filter; aligned then. */
static bool align(classifier *c, pair *p)
{
    if (!p->n[0] || !p->n[1] || p->n[0] > 2 * p->n[1] || p->n[1] > 2 * p->n[0])
        return false;
    stamp(c, p);
    for (unsigned which = 0; which < 2; which++) {
        unsigned n_known = 0;
        for (unsigned i = 0; i < p->n[which]; i++) {
            p->best[which][i] = find_best(c, p, which, i);
            n_known += p->best[which][i] >= 0;
        }
        if (2 * n_known < p->n[which])
            return false;
    }
    return true;
}

static bool is_mutual(const pair *p, unsigned which, unsigned i)
{
    const int other = p->best[which][i];
    return other >= 0 && p->best[!which][other] == (int)i;
}

/* Shares of a sentence: words with a translation, with a mutual one; longest run of words with
 * a mutual one, and without; three largest numbers of words that have the same translation. */
static float *put_features(float *x, const pair *p, unsigned which)
{
    const unsigned n = p->n[which];
    unsigned known = 0, mutual = 0, runs[2] = {0}, longest[2] = {0};
    unsigned fertility[MOST_WORDS] = {0}, top[3] = {0};
    for (unsigned i = 0; i < n; i++) {
        const bool is_linked = is_mutual(p, which, i);
        known += p->best[which][i] >= 0;
        mutual += is_linked;
        runs[is_linked]++;
        runs[!is_linked] = 0;
        longest[is_linked] = (unsigned)dpl__max(longest[is_linked], runs[is_linked]);
        if (p->best[which][i] >= 0)
            fertility[p->best[which][i]]++;
    }
    for (unsigned i = 0; i < p->n[!which]; i++)
        for (unsigned k = 0, f = fertility[i]; k < 3; k++)
            if (f > top[k]) {
                const unsigned before = top[k];
                top[k] = f;
                f = before;
            }
    const unsigned all[] = {known, mutual, longest[0], longest[1], top[0], top[1], top[2]};
    for (size_t i = 0; i < DPL_LEN(all); i++)
        *x++ = (float)all[i] / (float)n;
    return x;
}

static void set_features(float x[FEATURES], const pair *p)
{
    const float a = (float)p->n[0], b = (float)p->n[1];
    float *at = put_features(put_features(x, p, 0), p, 1);
    *at++ = (float)dpl__log((double)a);
    *at++ = (float)dpl__log((double)b);
    *at++ = fabsf(a - b) / fmaxf(a, b);
    *at++ = (float)dpl__log((double)(a / b));
    *at++ = 1;
    assert(at == x + FEATURES);
}

static pair pair_of(const side sides[2], size_t left, size_t right)
{
    const sentence *a = &sides[0].sentences.data[left], *b = &sides[1].sentences.data[right];
    return (pair){.words = {sides[0].words.data + a->begin, sides[1].words.data + b->begin},
                  .n = {(unsigned)a->n, (unsigned)b->n}};
}

/* ---- training ---------------------------------------------------------------------------- */

static dpl_status add_example(classifier *c, const pair *p, bool is_right, dpl_error *err)
{
    example e = {.is_right = is_right};
    set_features(e.x, p);
    return dpl__need(dpl__vec_push(c->lab->ctx, &c->examples, e), err);
}

/* Right pairs stand beside each other; wrong ones are drawn. */
static dpl_status add_examples(classifier *c, const side sides[2], dpl_error *err)
{
    const size_t n = dpl__min(sides[0].sentences.n, sides[1].sentences.n);
    dpl__rng rng = {2005};
    for (size_t i = 0; i < n; i++) {
        pair p = pair_of(sides, i, i);
        if (align(c, &p))
            DPL_TRY(add_example(c, &p, true, err));
        unsigned n_wrong = 0;
        for (unsigned k = 0; k < TRIES && n_wrong < NEGATIVE; k++) {
            const size_t other = (size_t)dpl__rng_below(&rng, n);
            p = pair_of(sides, i, other);
            if (other == i || !align(c, &p))
                continue;
            DPL_TRY(add_example(c, &p, false, err));
            n_wrong++;
        }
        c->n_negative += n_wrong;
    }
    return DPL_OK;
}

static void standardise(classifier *c)
{
    const double n = (double)dpl__max(c->examples.n, (size_t)1);
    for (unsigned f = 0; f < FEATURES; f++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < c->examples.n; i++) {
            const double x = (double)c->examples.data[i].x[f];
            sum += x;
            squares += x * x;
        }
        const double variance = squares / n - sum / n * (sum / n);
        const bool is_bias = f == FEATURES - 1;
        c->mean[f] = is_bias ? 0 : sum / n;
        c->deviation[f] = !is_bias && variance > 1e-12 ? sqrt(variance) : 1;
    }
}

static double probability(const classifier *c, const float x[FEATURES])
{
    double sum = 0;
    for (unsigned f = 0; f < FEATURES; f++)
        sum += c->weights[f] * ((double)x[f] - c->mean[f]) / c->deviation[f];
    return 1 / (1 + dpl__exp(-sum));
}

/* Gradient ascent on the likelihood, with a small penalty of the weights. */
static void fit(classifier *c)
{
    const double step = 1, penalty = 1e-4;
    const double n = (double)dpl__max(c->examples.n, (size_t)1);
    standardise(c);
    for (unsigned round = 0; round < ROUNDS; round++) {
        double gradient[FEATURES] = {0};
        for (size_t i = 0; i < c->examples.n; i++) {
            const example *e = &c->examples.data[i];
            const double off = (e->is_right ? 1 : 0) - probability(c, e->x);
            for (unsigned f = 0; f < FEATURES; f++)
                gradient[f] += off * ((double)e->x[f] - c->mean[f]) / c->deviation[f];
        }
        for (unsigned f = 0; f < FEATURES; f++)
            c->weights[f] += step * (gradient[f] / n - penalty * c->weights[f]);
    }
}

/* A document for each row; its id is the number of the row. */
static dpl_status collect_rows(dpl_collection **out, dpl__lab *lab, unsigned which,
                               const dpl__mining_rows *parallel, dpl_error *err)
{
    const char *lang;
    dpl__mining_docs docs;
    dpl__mining_docs_init(&docs, lab->ctx);
    dpl_status status;
    DPL__STEP(dpl__lab_lang(&lang, lab, which, err));
    for (size_t i = 0; i < parallel->rows.n; i += parallel->rows.n / POSITIVE + 1) {
        const dpl_bitext_row *row = &parallel->rows.data[i];
        char id[24];
        snprintf(id, sizeof id, "%zu", i);
        DPL__STEP(
            dpl__mining_docs_add(&docs, dpl__cstr(id), which ? row->right : row->left, err));
    }
    status = dpl__mining_docs_collect(out, &docs, lab, lang, err);
done:
    dpl__mining_docs_clear(&docs);
    return status;
}

/* Rows that have words on both sides, each as one sentence. */
static dpl_status add_rows(side sides[2], classifier *c, dpl_collection *const rows[2],
                           dpl_error *err)
{
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(rows[0])->n_docs; doc++) {
        sentence both[2] = {{.doc = doc}, {0}};
        if (!dpl_collection_find_doc(rows[1], dpl_collection_doc(rows[0], doc).id,
                                     &both[1].doc))
            continue;
        for (unsigned which = 0; which < 2; which++) {
            dpl_collection_tokens(rows[which], both[which].doc, &both[which].n);
            DPL_TRY(add_sentence(&sides[which], c, which, rows[which], &both[which], err));
        }
    }
    return DPL_OK;
}

/* ---- application ------------------------------------------------------------------------- */

/* The best so far of a sentence. */
typedef struct choice {
    float probability;
    uint32_t other;
} choice;

typedef struct search {
    classifier *c;
    const dpl_collection *docs[2];
    side sides[2];
    size_t *begin[2]; /* of a document: its first sentence */
    choice *best[2];
    uint64_t n_compared, n_passed;
} search;

static dpl_status index_docs(search *s, unsigned which, dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(s->docs[which])->n_docs;
    const size_t n = s->sides[which].sentences.n;
    dpl__arena *arena = &s->c->lab->arena;
    s->begin[which] = dpl__arena_alloc(arena, ((size_t)n_docs + 1) * sizeof(size_t));
    s->best[which] = dpl__arena_alloc(arena, (n + 1) * sizeof(choice));
    DPL_TRY(dpl__need(s->begin[which] && s->best[which], err));
    memset(s->best[which], 0, (n + 1) * sizeof(choice));
    size_t at = 0;
    for (uint32_t doc = 0; doc <= n_docs; doc++) {
        while (at < n && s->sides[which].sentences.data[at].doc < doc)
            at++;
        s->begin[which][doc] = at;
    }
    return DPL_OK;
}

static void keep(search *s, size_t left, size_t right, float p)
{
    const size_t numbers[2] = {left, right};
    for (unsigned which = 0; which < 2; which++) {
        choice *best = &s->best[which][numbers[which]];
        if (p > best->probability)
            *best = (choice){p, (uint32_t)numbers[!which]};
    }
}

static void compare_docs(search *s, uint32_t left, uint32_t right)
{
    for (size_t i = s->begin[0][left]; i < s->begin[0][left + 1]; i++)
        for (size_t k = s->begin[1][right]; k < s->begin[1][right + 1]; k++) {
            pair p = pair_of(s->sides, i, k);
            float x[FEATURES];
            s->n_compared++;
            if (!align(s->c, &p))
                continue;
            s->n_passed++;
            set_features(x, &p);
            keep(s, i, k, (float)probability(s->c, x));
        }
}

/* Documents that have a row, in the order of the rows. */
static dpl_status compare_near(search *s, dpl_error *err)
{
    dpl__lab *lab = s->c->lab;
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_neighbours *near = NULL;
    const dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .temp = lab->scratch);
    const dpl_neighbours_options by =
        DPL_INIT(dpl_neighbours_options, .k = NEAR, .temp = lab->scratch);
    dpl_status status;
    for (unsigned which = 0; which < 2; which++)
        DPL__STEP(dpl_vectors_from_collection(&v[which], NULL, lab->ctx, s->docs[which],
                                              which ? NULL : s->c->lexicon, &o, err));
    const dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    DPL__STEP(dpl_neighbours_find(&near, lab->ctx, &left, &right, &by, err));
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(v[0])->n_rows; row++) {
        const dpl_scored_row *best = dpl_neighbours_of(near, false, row);
        uint32_t docs[2];
        for (unsigned k = 0; k < NEAR && best[k].row != UINT32_MAX; k++)
            if (dpl_collection_find_doc(s->docs[0], dpl_vectors_id(v[0], row), &docs[0]) &&
                dpl_collection_find_doc(s->docs[1], dpl_vectors_id(v[1], best[k].row),
                                        &docs[1]))
                compare_docs(s, docs[0], docs[1]);
    }
done:
    dpl_neighbours_free(near);
    dpl_vectors_close(v[1]);
    dpl_vectors_close(v[0]);
    return status;
}

static dpl_status take(dpl__mining_rows *rows, const search *s, dpl_error *err)
{
    for (size_t i = 0; i < s->sides[0].sentences.n; i++) {
        const choice *best = &s->best[0][i];
        if (best->probability <= 0.5f || s->best[1][best->other].other != i)
            continue;
        const sentence *a = &s->sides[0].sentences.data[i],
                       *b = &s->sides[1].sentences.data[best->other];
        DPL_TRY(dpl__mining_rows_add(
            rows, dpl_collection_sentence_text(s->docs[0], a->doc, a->place),
            dpl_collection_sentence_text(s->docs[1], b->doc, b->place), err));
    }
    return DPL_OK;
}

/* ---- all of it --------------------------------------------------------------------------- */

static dpl_status begin(classifier *c, dpl_error *err)
{
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(c->lexicon);
    const size_t n[2] = {sizes->n_sources, sizes->n_targets};
    for (unsigned which = 0; which < 2; which++) {
        const size_t n_bytes = (n[which] + 1) * sizeof(uint32_t);
        c->stamps[which] = dpl__arena_alloc(&c->lab->arena, n_bytes);
        c->places[which] = dpl__arena_alloc(&c->lab->arena, n_bytes);
        DPL_TRY(dpl__need(c->stamps[which] && c->places[which], err));
        memset(c->stamps[which], 0, n_bytes);
    }
    return DPL_OK;
}

static dpl_status train(classifier *c, const dpl__mining_rows *parallel, dpl_error *err)
{
    dpl_collection *rows[2] = {NULL, NULL};
    side sides[2] = {{{0}, {0}}, {{0}, {0}}};
    dpl_status status;
    for (unsigned which = 0; which < 2; which++)
        DPL__STEP(collect_rows(&rows[which], c->lab, which, parallel, err));
    DPL__STEP(add_rows(sides, c, rows, err));
    DPL__STEP(add_examples(c, sides, err));
    fit(c);
done:
    for (unsigned which = 0; which < 2; which++) {
        clear_side(&sides[which], c->lab->ctx);
        dpl_collection_close(rows[which]);
    }
    return status;
}

static dpl_status apply(dpl__mining_rows *rows, classifier *c, dpl_error *err)
{
    dpl_collection *docs[2] = {NULL, NULL};
    search s = {.c = c};
    dpl_status status;
    for (unsigned which = 0; which < 2; which++) {
        DPL__STEP(dpl__mining_words(&docs[which], c->lab, which, err));
        s.docs[which] = docs[which];
        DPL__STEP(add_sentences(&s.sides[which], c, which, docs[which], err));
        DPL__STEP(index_docs(&s, which, err));
    }
    DPL__STEP(compare_near(&s, err));
    status = take(rows, &s, err);
    dpl__lab_note(c->lab,
                  "classifier: trained on %zu right and %zu wrong pairs that pass the filter; "
                  "%llu pairs of sentences of the %d nearest documents, %llu pass, %zu are "
                  "taken",
                  c->examples.n - c->n_negative, c->n_negative,
                  (unsigned long long)s.n_compared, (int)NEAR, (unsigned long long)s.n_passed,
                  rows->rows.n);
done:
    for (unsigned which = 0; which < 2; which++) {
        clear_side(&s.sides[which], c->lab->ctx);
        dpl_collection_close(docs[which]);
    }
    return status;
}

dpl_status dpl__mining_rows_classified(dpl__mining_rows *rows, dpl__lab *lab,
                                       const dpl_lexicon *lexicon,
                                       const dpl__mining_rows *parallel, dpl_error *err)
{
    classifier c = {.lab = lab, .lexicon = lexicon};
    dpl_status status;
    if (!lexicon)
        return DPL_OK;
    DPL__STEP(begin(&c, err));
    DPL__STEP(train(&c, parallel, err));
    status = apply(rows, &c, err);
done:
    dpl__vec_clear(lab->ctx, &c.examples);
    return status;
}
