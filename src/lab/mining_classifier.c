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
#include "lab/mining_features.h"

#include "base/hash.h"
#include "base/maths.h"

#include <math.h>
#include <stdio.h>

enum {
    FEATURES = DPL__MINING_FEATURES,
    NEAR = 5,
    MOST_WORDS = DPL__MINING_WORDS,
    POSITIVE = 5000,
    TRIES = 400,  /* wrong pairs that are tried for each right one */
    NEGATIVE = 5, /* for each right pair, at most */
    ROUNDS = 400,
};

typedef dpl__mining_word word;
typedef dpl__mining_pair pair;

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
    dpl__mining_aligner aligner;
    double weights[FEATURES], mean[FEATURES], deviation[FEATURES];
    DPL_VEC(example) examples;
    size_t n_negative;
} classifier;

/* ---- sentences --------------------------------------------------------------------------- */

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
        DPL_TRY(
            dpl__need(dpl__vec_push(ctx, &s->words,
                                    dpl__mining_word_of(
                                        &c->aligner, which,
                                        dpl_collection_term(docs, tokens[from->begin + k]))),
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
    dpl__vec_clear(ctx, &s->sentences, &s->words);
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
    dpl__mining_pair_features(e.x, p);
    return dpl__need(dpl__vec_push(c->lab->ctx, &c->examples, e), err);
}

/* Right pairs stand beside each other; wrong ones are drawn. */
static dpl_status add_examples(classifier *c, const side sides[2], dpl_error *err)
{
    const size_t n = dpl__min(sides[0].sentences.n, sides[1].sentences.n);
    dpl__rng rng = {2005};
    for (size_t i = 0; i < n; i++) {
        pair p = pair_of(sides, i, i);
        if (dpl__mining_pair_align(&c->aligner, &p))
            DPL_TRY(add_example(c, &p, true, err));
        unsigned n_wrong = 0;
        for (unsigned k = 0; k < TRIES && n_wrong < NEGATIVE; k++) {
            const size_t other = (size_t)dpl__rng_below(&rng, n);
            p = pair_of(sides, i, other);
            if (other == i || !dpl__mining_pair_align(&c->aligner, &p))
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
            if (!dpl__mining_pair_align(&s->c->aligner, &p))
                continue;
            s->n_passed++;
            dpl__mining_pair_features(x, &p);
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
                                              which ? NULL : s->c->aligner.lexicon, &o, err));
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
    classifier c = {.lab = lab};
    dpl_status status;
    if (!lexicon)
        return DPL_OK;
    DPL__STEP(dpl__mining_aligner_init(&c.aligner, lab, lexicon, err));
    DPL__STEP(train(&c, parallel, err));
    status = apply(rows, &c, err);
done:
    dpl__vec_clear(lab->ctx, &c.examples);
    return status;
}
