/*
 * mining_overlap.c - keeps sentences of the test set out of the training data.
 *
 * In: sentence pairs to train on, and the test set. Out: the pairs without those of which a
 * side shares more than 30 % of its runs of six words with a sentence of the test set
 * (section 6.2 of the paper). Sentences of fewer than six words have no such runs and stay. The
 * runs of the test set are sorted by their hash; those of a sentence are looked up, and counted
 * by sentence of the test set. Cost: linear in the training data, times the logarithm of the
 * test set.
 */
#include "lab/mining.h"

#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "pairs/ngram/extract.h"

#include <stdlib.h>

enum { WORDS = 6 };
static const double most_shared = 0.3;

typedef struct place {
    uint64_t hash;
    uint32_t sentence;
} place;

/* One side of the test set, and what a sentence is compared with. */
typedef struct overlap {
    dpl_ctx *ctx;
    const char *lang;
    dpl_tokens *tokens;
    DPL_VEC(uint64_t) words, runs; /* of a sentence */
    DPL_VEC(place) places;         /* by hash, then by sentence, each once */
    DPL_VEC(uint32_t) counts;      /* shared runs, by sentence of the test set */
} overlap;

static void clear(overlap *o)
{
    dpl_tokens_free(o->tokens);
    dpl__vec_clear(o->ctx, &o->words, &o->runs, &o->places, &o->counts);
}

DPL__ORDER(by_hash, place, DPL__RISING(hash) DPL__RISING(sentence))

DPL__RISING_NUMBERS(by_value, uint64_t)

/* The distinct runs of six words of a sentence. */
static dpl_status split(overlap *o, dpl_str text, dpl_error *err)
{
    dpl_token token;
    dpl_status status;
    o->words.n = o->runs.n = 0;
    DPL_TRY(dpl_tokens_start(o->tokens, text, o->lang, err));
    while ((status = dpl_tokens_next(o->tokens, &token, err)) == DPL_OK)
        DPL_TRY(dpl__need(dpl__vec_push(o->ctx, &o->words, dpl__ngram_word(token.term)), err));
    if (status != DPL_END)
        return status;
    for (size_t i = 0; i + WORDS <= o->words.n; i++)
        DPL_TRY(dpl__need(
            dpl__vec_push(o->ctx, &o->runs,
                          dpl__hash(o->words.data + i, WORDS * sizeof *o->words.data, 6)),
            err));
    if (!o->runs.n)
        return DPL_OK;
    qsort(o->runs.data, o->runs.n, sizeof *o->runs.data, by_value);
    size_t n = 1;
    for (size_t i = 1; i < o->runs.n; i++)
        if (o->runs.data[i] != o->runs.data[n - 1])
            o->runs.data[n++] = o->runs.data[i];
    o->runs.n = n;
    return DPL_OK;
}

static dpl_str side_of(const dpl_bitext_row *row, unsigned side)
{
    return side ? row->right : row->left;
}

static dpl_status prepare(overlap *o, const dpl__mining_rows *test, unsigned side,
                          dpl_error *err)
{
    DPL_TRY(dpl_tokens_new(&o->tokens, o->ctx, NULL, err));
    for (uint32_t i = 0; i < test->rows.n; i++) {
        DPL_TRY(split(o, side_of(&test->rows.data[i], side), err));
        for (size_t k = 0; k < o->runs.n; k++)
            DPL_TRY(dpl__need(dpl__vec_push(o->ctx, &o->places, ((place){o->runs.data[k], i})),
                              err));
        DPL_TRY(dpl__need(dpl__vec_push(o->ctx, &o->counts, 0u), err));
    }
    dpl__vec_sort(&o->places, by_hash);
    return DPL_OK;
}

static size_t first_of(const overlap *o, uint64_t hash)
{
    size_t at;
    DPL__LOWER_BOUND(at, o->places.n, o->places.data[at].hash < hash);
    return at;
}

/* Adds `by` to the counts of all sentences that have a run of the sentence; the highest. */
static uint32_t count(overlap *o, int by)
{
    uint32_t most = 0;
    for (size_t i = 0; i < o->runs.n; i++)
        for (size_t k = first_of(o, o->runs.data[i]);
             k < o->places.n && o->places.data[k].hash == o->runs.data[i]; k++) {
            uint32_t *c = &o->counts.data[o->places.data[k].sentence];
            *c += (uint32_t)by;
            most = *c > most ? *c : most;
        }
    return most;
}

static dpl_status is_known(bool *out, overlap *o, dpl_str text, dpl_error *err)
{
    DPL_TRY(split(o, text, err));
    const uint32_t most = count(o, 1);
    count(o, -1);
    *out = (double)most > most_shared * (double)o->runs.n;
    return DPL_OK;
}

dpl_status dpl__mining_rows_without(dpl__mining_rows *r, uint64_t *n_dropped, dpl__lab *lab,
                                    const dpl__mining_rows *test, dpl_error *err)
{
    overlap sides[2] = {{.ctx = lab->ctx}, {.ctx = lab->ctx}};
    dpl_status status;
    size_t n = 0;
    for (unsigned side = 0; side < 2; side++) {
        DPL__STEP(dpl__lab_lang(&sides[side].lang, lab, side, err));
        DPL__STEP(prepare(&sides[side], test, side, err));
    }
    for (size_t i = 0; i < r->rows.n; i++) {
        bool is_left = false, is_right = false;
        DPL__STEP(is_known(&is_left, &sides[0], r->rows.data[i].left, err));
        DPL__STEP(is_known(&is_right, &sides[1], r->rows.data[i].right, err));
        if (!is_left && !is_right)
            r->rows.data[n++] = r->rows.data[i];
    }
    *n_dropped += r->rows.n - n;
    r->rows.n = n;
done:
    clear(&sides[0]);
    clear(&sides[1]);
    return status;
}
