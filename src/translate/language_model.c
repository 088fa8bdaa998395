/*
 * language_model.c - text to a trigram model, and its probabilities.
 *
 * N-grams are numbers of 63 bits, three words of 21; sorted, equal ones are counted.
 * Interpolated Kneser-Ney with one discount: lower orders count in how many contexts a word
 * occurs (Kneser, Ney 1995; Chen, Goodman 1999). Stored are ln p of each n-gram seen and ln of
 * the weight of the lower order for each context seen. Keys are mixed, so that they are evenly
 * spread.
 */
#include "translate/language_model.h"

#include "base/maths.h"
#include "io/sections.h"
#include "translate/params.h"

#include <stdlib.h>

#define MASK ((1u << DPL__LM_BITS) - 1)

float dpl__lm_score(const dpl__lm *m, uint32_t a, uint32_t b, uint32_t c)
{
    size_t i = dpl__keys_find(&m->trigram_keys, dpl__lm_key3(a, b, c));
    if (i != SIZE_MAX)
        return m->trigrams[i];
    float score = 0;
    i = dpl__keys_find(&m->bigram_keys, dpl__lm_key2(a, b));
    if (i != SIZE_MAX)
        score += m->bigram_backoffs[i];
    i = dpl__keys_find(&m->bigram_keys, dpl__lm_key2(b, c));
    if (i != SIZE_MAX)
        return score + m->bigrams[i];
    return score + m->unigram_backoffs[b] + m->unigrams[c];
}

/* ---- counting ------------------------------------------------------------------------- */

typedef struct counted {
    uint64_t ngram;
    uint32_t count;
} counted;

typedef DPL_VEC(counted) counts;

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The trigrams of the text, each sentence with two begins in front; words too many for 21 bits
 * are unknown. */
static dpl_status list_trigrams(uint64_t **out, size_t *n_out, dpl_ctx *ctx,
                                const dpl__lm_text *text, uint32_t n_words, dpl_error *err)
{
    uint32_t unknown = n_words, begin = n_words + 1, end = n_words + 2;
    uint64_t *list = dpl__alloc(ctx, dpl__max(text->n, 1) * sizeof *list);
    if (!list)
        return dpl__fail_nomem(err);
    uint32_t a = begin, b = begin;
    for (size_t i = 0; i < text->n; i++) {
        uint32_t c = text->data[i];
        c = c == DPL__LM_BREAK ? end : c >= n_words ? unknown : c;
        list[i] = (uint64_t)a << 2 * DPL__LM_BITS | (uint64_t)b << DPL__LM_BITS | c;
        a = c == end ? begin : b;
        b = c == end ? begin : c;
    }
    if (text->n)
        qsort(list, text->n, sizeof *list, by_number);
    *out = list;
    *n_out = text->n;
    return DPL_OK;
}

static bool count_runs(counts *out, dpl_ctx *ctx, const uint64_t *list, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;
        while (k < n && list[k] == list[i])
            k++;
        counted one = {list[i], (uint32_t)(k - i)};
        if (!dpl__vec_push(ctx, out, one))
            return false;
        i = k;
    }
    return true;
}

/* Bigrams: the number of different words in front of each; at the begin of a sentence, how
 * often it is there. */
static dpl_status count_bigrams(counts *out, dpl_ctx *ctx, const counts *trigrams,
                                uint32_t begin, dpl_error *err)
{
    uint64_t low = ((uint64_t)1 << 2 * DPL__LM_BITS) - 1;
    uint64_t *list = dpl__alloc(ctx, dpl__max(trigrams->n, 1) * sizeof *list);
    if (!list)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < trigrams->n; i++)
        list[i] = trigrams->data[i].ngram & low;
    if (trigrams->n)
        qsort(list, trigrams->n, sizeof *list, by_number);
    bool is_done = count_runs(out, ctx, list, trigrams->n);
    dpl__free(ctx, list, dpl__max(trigrams->n, 1) * sizeof *list);
    if (!is_done)
        return dpl__fail_nomem(err);
    for (size_t i = 0, k = 0; i < trigrams->n; i++) { /* "begin begin w": both sorted by w */
        uint64_t x = trigrams->data[i].ngram;
        if (x >> DPL__LM_BITS != ((uint64_t)begin << DPL__LM_BITS | begin))
            continue;
        while (out->data[k].ngram != (x & low))
            k++;
        out->data[k].count = trigrams->data[i].count;
    }
    return DPL_OK;
}

/* ---- probabilities -------------------------------------------------------------------- */

typedef struct estimate {
    dpl_ctx *ctx;
    uint32_t n_words, n_all;
    counts trigrams, bigrams;
    double *p1, *backoff1; /* of words: as probabilities */
    double *p2, *backoff2; /* of bigrams */
    double *p3;
} estimate;

static size_t find_bigram(const estimate *e, uint64_t bigram)
{
    size_t low = 0, high = e->bigrams.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->bigrams.data[middle].ngram < bigram)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->bigrams.n && e->bigrams.data[low].ngram == bigram ? low : SIZE_MAX;
}

static void estimate_unigrams(estimate *e)
{
    double total = 0, discount = DPL__P(translate, discount);
    size_t n_seen = 0;
    for (size_t i = 0; i < e->bigrams.n; i++) {
        e->p1[e->bigrams.data[i].ngram & MASK]++;
        total++;
    }
    for (uint32_t w = 0; w < e->n_all; w++)
        n_seen += e->p1[w] > 0;
    double rest = total > 0 ? discount * (double)n_seen / total : 1;
    for (uint32_t w = 0; w < e->n_all; w++) {
        double p = e->p1[w] > discount ? (e->p1[w] - discount) / total : 0;
        e->p1[w] = p + rest / e->n_all;
        e->backoff1[w] = 1;
    }
}

static void estimate_bigrams(estimate *e)
{
    double discount = DPL__P(translate, discount);
    for (size_t i = 0, k; i < e->bigrams.n; i = k) {
        uint64_t context = e->bigrams.data[i].ngram >> DPL__LM_BITS;
        double total = 0;
        for (k = i; k < e->bigrams.n && e->bigrams.data[k].ngram >> DPL__LM_BITS == context;
             k++)
            total += e->bigrams.data[k].count;
        double rest = discount * (double)(k - i) / total;
        e->backoff1[context] = rest;
        for (size_t j = i; j < k; j++)
            e->p2[j] = (e->bigrams.data[j].count - discount) / total +
                       rest * e->p1[e->bigrams.data[j].ngram & MASK];
    }
}

static void estimate_trigrams(estimate *e)
{
    double discount = DPL__P(translate, discount);
    uint64_t low = ((uint64_t)1 << 2 * DPL__LM_BITS) - 1;
    for (size_t i = 0; i < e->bigrams.n; i++)
        e->backoff2[i] = 1;
    for (size_t i = 0, k; i < e->trigrams.n; i = k) {
        uint64_t context = e->trigrams.data[i].ngram >> DPL__LM_BITS;
        double total = 0;
        for (k = i; k < e->trigrams.n && e->trigrams.data[k].ngram >> DPL__LM_BITS == context;
             k++)
            total += e->trigrams.data[k].count;
        double rest = discount * (double)(k - i) / total;
        size_t at = find_bigram(e, context);
        if (at != SIZE_MAX)
            e->backoff2[at] = rest;
        else /* "begin begin" is no bigram of the text: leave it to the bigrams */
            rest = 1;
        for (size_t j = i; j < k; j++) {
            double seen = (e->trigrams.data[j].count - discount) / total;
            double lower = e->p2[find_bigram(e, e->trigrams.data[j].ngram & low)];
            e->p3[j] = at != SIZE_MAX ? seen + rest * lower : lower;
        }
    }
}

/* ---- writing -------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t key;
    float p, backoff;
} entry;

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const entry *)a)->key, y = ((const entry *)b)->key;
    return x < y ? -1 : x > y;
}

static dpl_status write_floats(dpl__writer *w, const char *name, const entry *entries, size_t n,
                               bool is_backoff, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, name, 4, err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(
            dpl__writer_append(w, is_backoff ? &entries[i].backoff : &entries[i].p, 4, err));
    return DPL_OK;
}

/* An order above the first: sorted by mixed key. */
static dpl_status write_order(dpl__writer *w, dpl_ctx *ctx, const counts *c, const double *p,
                              const double *backoff, const char *const names[3], dpl_error *err)
{
    entry *entries = dpl__alloc(ctx, dpl__max(c->n, 1) * sizeof *entries);
    if (!entries)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < c->n; i++)
        entries[i] = (entry){dpl__mix(c->data[i].ngram), (float)dpl__log(p[i]),
                             backoff ? (float)dpl__log(backoff[i]) : 0};
    if (c->n)
        qsort(entries, c->n, sizeof *entries, by_key);
    dpl_status status = dpl__writer_begin(w, names[0], 8, err);
    for (size_t i = 0; status == DPL_OK && i < c->n; i++)
        status = dpl__writer_append(w, &entries[i].key, 8, err);
    if (status == DPL_OK)
        status = write_floats(w, names[1], entries, c->n, false, err);
    if (status == DPL_OK && backoff)
        status = write_floats(w, names[2], entries, c->n, true, err);
    dpl__free(ctx, entries, dpl__max(c->n, 1) * sizeof *entries);
    return status;
}

static dpl_status write_unigrams(dpl__writer *w, const estimate *e, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, "lm.unigrams", 4, err));
    for (uint32_t i = 0; i < e->n_all; i++) {
        float x = (float)dpl__log(e->p1[i]);
        DPL_TRY(dpl__writer_append(w, &x, 4, err));
    }
    DPL_TRY(dpl__writer_begin(w, "lm.unigram.backoffs", 4, err));
    for (uint32_t i = 0; i < e->n_all; i++) {
        float x = (float)dpl__log(e->backoff1[i]);
        DPL_TRY(dpl__writer_append(w, &x, 4, err));
    }
    return DPL_OK;
}

static dpl_status estimate_all(estimate *e, dpl__writer *w, dpl_error *err)
{
    static const char *const bigrams[] = {"lm.bigram.keys", "lm.bigrams", "lm.bigram.backoffs"};
    static const char *const trigrams[] = {"lm.trigram.keys", "lm.trigrams", NULL};
    dpl_ctx *ctx = e->ctx;
    e->p1 = dpl__calloc(ctx, e->n_all, sizeof *e->p1);
    e->backoff1 = dpl__calloc(ctx, e->n_all, sizeof *e->backoff1);
    e->p2 = dpl__calloc(ctx, e->bigrams.n + 1, sizeof *e->p2);
    e->backoff2 = dpl__calloc(ctx, e->bigrams.n + 1, sizeof *e->backoff2);
    e->p3 = dpl__calloc(ctx, e->trigrams.n + 1, sizeof *e->p3);
    if (!e->p1 || !e->backoff1 || !e->p2 || !e->backoff2 || !e->p3)
        return dpl__fail_nomem(err);
    estimate_unigrams(e);
    estimate_bigrams(e);
    estimate_trigrams(e);
    DPL_TRY(write_unigrams(w, e, err));
    DPL_TRY(write_order(w, ctx, &e->bigrams, e->p2, e->backoff2, bigrams, err));
    return write_order(w, ctx, &e->trigrams, e->p3, NULL, trigrams, err);
}

dpl_status dpl__lm_write(dpl__writer *w, dpl_ctx *ctx, const dpl__lm_text *text,
                         uint32_t n_words, uint64_t n_ngrams[2], dpl_error *err)
{
    estimate e = {.ctx = ctx, .n_words = n_words, .n_all = n_words + 3};
    uint64_t *list = NULL;
    size_t n_list = 0;
    dpl_status status = list_trigrams(&list, &n_list, ctx, text, n_words, err);
    if (status == DPL_OK && !count_runs(&e.trigrams, ctx, list, n_list))
        status = dpl__fail_nomem(err);
    if (list)
        dpl__free(ctx, list, dpl__max(text->n, 1) * sizeof *list);
    if (status == DPL_OK)
        status = count_bigrams(&e.bigrams, ctx, &e.trigrams, n_words + 1, err);
    if (status == DPL_OK)
        status = estimate_all(&e, w, err);
    n_ngrams[0] = e.bigrams.n;
    n_ngrams[1] = e.trigrams.n;
    dpl__free(ctx, e.p1, e.n_all * sizeof *e.p1);
    dpl__free(ctx, e.backoff1, e.n_all * sizeof *e.backoff1);
    dpl__free(ctx, e.p2, (e.bigrams.n + 1) * sizeof *e.p2);
    dpl__free(ctx, e.backoff2, (e.bigrams.n + 1) * sizeof *e.backoff2);
    dpl__free(ctx, e.p3, (e.trigrams.n + 1) * sizeof *e.p3);
    dpl__vec_clear(ctx, &e.trigrams);
    dpl__vec_clear(ctx, &e.bigrams);
    return status;
}

/* ---- reading -------------------------------------------------------------------------- */

static dpl_status check_keys(const dpl_file *f, const char *name, const uint64_t *keys,
                             size_t n, dpl_error *err)
{
    for (size_t i = 1; i < n; i++)
        if (keys[i] <= keys[i - 1])
            return dpl__damaged(f, name, "keys do not rise", err);
    return DPL_OK;
}

static dpl_status check_logs(const dpl_file *f, const char *name, const float *p, size_t n,
                             dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] > -1e6f && p[i] < 1e6f))
            return dpl__damaged(f, name, "a probability out of range", err);
    return DPL_OK;
}

static dpl_status check_all(const dpl__lm *m, const dpl_file *f, size_t n2, size_t n3,
                            dpl_error *err)
{
    size_t n1 = (size_t)m->n_words + 3;
    DPL_TRY(check_logs(f, "lm.unigrams", m->unigrams, n1, err));
    DPL_TRY(check_logs(f, "lm.unigram.backoffs", m->unigram_backoffs, n1, err));
    DPL_TRY(check_logs(f, "lm.bigrams", m->bigrams, n2, err));
    DPL_TRY(check_logs(f, "lm.bigram.backoffs", m->bigram_backoffs, n2, err));
    return check_logs(f, "lm.trigrams", m->trigrams, n3, err);
}

dpl_status dpl__lm_open(dpl__lm *m, dpl_ctx *ctx, const dpl_file *f, uint32_t n_words,
                        dpl_error *err)
{
    const uint64_t *keys2, *keys3;
    size_t n2, n3;
    m->n_words = n_words;
    DPL_TRY(dpl__get_n(f, "lm.unigrams", 4, &m->unigrams, (size_t)n_words + 3, err));
    DPL_TRY(dpl__get_n(f, "lm.unigram.backoffs", 4, &m->unigram_backoffs, (size_t)n_words + 3,
                       err));
    DPL_TRY(dpl__get(f, "lm.bigram.keys", 8, &keys2, &n2, err));
    DPL_TRY(dpl__get_n(f, "lm.bigrams", 4, &m->bigrams, n2, err));
    DPL_TRY(dpl__get_n(f, "lm.bigram.backoffs", 4, &m->bigram_backoffs, n2, err));
    DPL_TRY(dpl__get(f, "lm.trigram.keys", 8, &keys3, &n3, err));
    DPL_TRY(dpl__get_n(f, "lm.trigrams", 4, &m->trigrams, n3, err));
    DPL_TRY(check_keys(f, "lm.bigram.keys", keys2, n2, err));
    DPL_TRY(check_keys(f, "lm.trigram.keys", keys3, n3, err));
    DPL_TRY(check_all(m, f, n2, n3, err));
    if (n2 >= UINT32_MAX || n3 >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "'%s': too many n-grams", dpl_file_path(f));
    if (!dpl__keys_init(&m->bigram_keys, ctx, keys2, n2) ||
        !dpl__keys_init(&m->trigram_keys, ctx, keys3, n3))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

void dpl__lm_close(dpl__lm *m, dpl_ctx *ctx)
{
    dpl__keys_clear(&m->bigram_keys, ctx);
    dpl__keys_clear(&m->trigram_keys, ctx);
}
