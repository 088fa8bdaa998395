/*
 * synth_model.c - how often words occur, and how long documents are.
 *
 * Words have ranks r from 0. By default p(r) falls as 1 / (r + q), Zipf's law as Mandelbrot
 * wrote it, down to rank 7,873, and beyond as a power law with the exponent 1.77, so that a
 * text of n words has some n^(1/1.77) different ones (Heaps' law): Gerlach and Altmann,
 * "Stochastic Model for the Vocabulary Growth in Natural Languages", 2013, for English. Of a
 * collection, words that occur at least ten times keep their share, and the exponent of the
 * rest is the one that gives as many different words as it has.
 *
 * The first n_head words are drawn by Walker's alias method, the others by inverting their
 * distribution: both take constant time.
 */
#include "lab/synth_parts.h"

#include "base/maths.h"
#include "base/order.h"
#include "doppel/tokens.h"

#include <math.h>
#include <stdlib.h>

enum {
    HEAD = 7873,       /* words with Zipf's exponent */
    FREQUENT = 10,     /* occurrences of a word that has a share of its own */
    LEAST_HEAD = 1000, /* but so many in any case, */
    MOST_HEAD = 1 << 20,
    SAMPLE = 400 /* documents, to see how many words they repeat */
};
static const double mandelbrot = 2.7;  /* q */
static const double tail_gamma = 1.77; /* beyond HEAD */
static const double most_rank = 0x1p40;
/* Without a collection: means of news articles and the deviation of their logarithm. */
static const double default_words = 200, deviation_words = 0.6;
static const double default_sentence = 18, deviation_sentence = 0.5;
static const double default_repeated = 0.12;

/* ---- probabilities ------------------------------------------------------------------ */

double dpl__synth_p(const dpl__synth_model *m, uint64_t rank)
{
    if (rank < m->n_head)
        return m->p[rank];
    /* The integral from n_head - 1/2 on is m->tail. */
    const double from = m->n_head - 0.5;
    return m->tail * (m->gamma - 1) / from * dpl__pow((double)rank / from, -m->gamma);
}

double dpl__synth_distinct(const dpl__synth_model *m, double n)
{
    double sum = 0;
    for (uint32_t r = 0; r < m->n_head; r++)
        sum += -dpl__expm1(-n * m->p[r]);
    for (double r = m->n_head - 0.5; r < most_rank && m->tail > 0;) {
        const double next = r * 1.02;
        const double seen = -dpl__expm1(-n * dpl__synth_p(m, (uint64_t)(sqrt(r * next) + 0.5)));
        sum += seen * (next - r);
        if (seen * next < 1e-9)
            break;
        r = next;
    }
    return sum;
}

uint64_t dpl__synth_likely(const dpl__synth_model *m, double n)
{
    const double log_2 = 0.6931471805599453;
    uint32_t head = m->n_head;
    while (head > 0 && n * m->p[head - 1] < log_2)
        head--;
    if (head < m->n_head || m->tail <= 0)
        return head;
    const double from = m->n_head - 0.5, c = m->tail * (m->gamma - 1) / from;
    const double last = from * dpl__pow(n * c / log_2, 1 / m->gamma);
    return last < most_rank ? (uint64_t)dpl__max(head, (size_t)last) : (uint64_t)most_rank;
}

/* Walker's tables. Their sums are rounded, which moves shares of 2^-32. */
static dpl_status make_alias(dpl__synth_model *m, dpl_error *err)
{
    const size_t n = m->n_head;
    double *scaled = dpl__alloc(m->ctx, n * sizeof *scaled);
    uint32_t *stack = dpl__alloc(m->ctx, n * sizeof *stack);
    m->alias = dpl__alloc(m->ctx, n * sizeof *m->alias);
    m->keep = dpl__alloc(m->ctx, n * sizeof *m->keep);
    const bool is_there = scaled && stack && m->alias && m->keep;
    if (is_there) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += m->p[i];
        size_t small = 0, large = n; /* two stacks that grow towards each other */
        for (size_t i = 0; i < n; i++) {
            scaled[i] = m->p[i] / sum * (double)n;
            stack[scaled[i] < 1 ? small++ : --large] = (uint32_t)i;
            m->alias[i] = (uint32_t)i;
            m->keep[i] = UINT32_MAX;
        }
        while (small > 0 && large < n) {
            const uint32_t less = stack[--small], more = stack[large];
            m->alias[less] = more;
            m->keep[less] = (uint32_t)(scaled[less] * 0x1p32);
            scaled[more] -= 1 - scaled[less];
            if (scaled[more] < 1) {
                large++;
                stack[small++] = more;
            }
        }
    }
    dpl__free(m->ctx, scaled, stack);
    return dpl__need(is_there, err);
}

uint64_t dpl__synth_draw(const dpl__synth_model *m, dpl__rng *rng)
{
    if (dpl__rng_real(rng) >= m->tail) {
        const uint64_t draw = dpl__rng_next(rng);
        const uint32_t at = (uint32_t)((draw >> 32) * m->n_head >> 32);
        return (uint32_t)draw < m->keep[at] ? at : m->alias[at];
    }
    const double u = 1 - dpl__rng_real(rng);
    const double rank = (m->n_head - 0.5) * dpl__pow(u, -1 / (m->gamma - 1)) + 0.5;
    return rank < most_rank ? (uint64_t)dpl__max((size_t)rank, m->n_head) : (uint64_t)most_rank;
}

/* ---- English ------------------------------------------------------------------------ */

static dpl_status set_default(dpl__synth_model *m, dpl_error *err)
{
    m->n_head = HEAD;
    m->gamma = tail_gamma;
    m->p = dpl__alloc(m->ctx, HEAD * sizeof *m->p);
    DPL_TRY(dpl__need(m->p, err));
    double sum = 0;
    for (uint32_t r = 0; r < HEAD; r++)
        sum += m->p[r] = 1 / (r + 1 + mandelbrot);
    /* Continuous at HEAD. */
    const double tail = m->p[HEAD - 1] * (HEAD - 0.5) / (tail_gamma - 1);
    m->tail = tail / (sum + tail);
    for (uint32_t r = 0; r < HEAD; r++)
        m->p[r] /= sum + tail;
    m->log_words[1] = deviation_words;
    m->log_words[0] = dpl__log(default_words) - deviation_words * deviation_words / 2;
    m->log_sentence[1] = deviation_sentence;
    m->log_sentence[0] =
        dpl__log(default_sentence) - deviation_sentence * deviation_sentence / 2;
    m->repeated = default_repeated;
    return DPL_OK;
}

/* ---- a collection ------------------------------------------------------------------- */

static void set_tail(dpl__synth_model *m, const dpl_collection_sizes *sizes)
{
    double low = 1.05, high = 6;
    if (m->tail <= 0)
        return;
    for (unsigned i = 0; i < 50; i++) { /* more slowly falling: more different words */
        m->gamma = (low + high) / 2;
        if (dpl__synth_distinct(m, (double)sizes->n_tokens) > sizes->n_terms)
            low = m->gamma;
        else
            high = m->gamma;
    }
}

static dpl_status measure_words(dpl__synth_model *m, const dpl_collection *c, dpl_error *err)
{
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    uint32_t n = 0;
    uint64_t sum = 0;
    while (n < dpl__min(sizes->n_terms, MOST_HEAD) &&
           (n < LEAST_HEAD || dpl_collection_term_count(c, n) >= FREQUENT))
        sum += dpl_collection_term_count(c, n++);
    m->n_head = n;
    m->tail = (double)(sizes->n_tokens - sum) / (double)sizes->n_tokens;
    m->gamma = 2;
    m->p = dpl__alloc(m->ctx, n * sizeof *m->p);
    DPL_TRY(dpl__need(m->p, err));
    for (uint32_t r = 0; r < n; r++)
        m->p[r] = (double)dpl_collection_term_count(c, r) / (double)sizes->n_tokens;
    set_tail(m, sizes);
    return DPL_OK;
}

/* Mean and deviation of logarithms. */
typedef struct moments {
    double n, sum, squares;
} moments;

static void add(moments *m, double x)
{
    const double log_x = dpl__log(x);
    m->n++;
    m->sum += log_x;
    m->squares += log_x * log_x;
}

static void finish(double out[2], const moments *m)
{
    out[0] = m->n ? m->sum / m->n : 0;
    const double variance = m->n ? m->squares / m->n - out[0] * out[0] : 0;
    out[1] = variance > 0 ? sqrt(variance) : 0;
}

static void measure_lengths(dpl__synth_model *m, const dpl_collection *c)
{
    moments words = {0, 0, 0}, sentences = {0, 0, 0};
    const uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t n;
        dpl_collection_tokens(c, doc, &n);
        if (n)
            add(&words, (double)n);
        const size_t n_sentences = dpl_collection_n_sentences(c, doc);
        for (size_t i = 0; i < n_sentences; i++) {
            const size_t from = dpl_collection_sentence(c, doc, i).token;
            const size_t to =
                i + 1 < n_sentences ? dpl_collection_sentence(c, doc, i + 1).token : n;
            if (to > from)
                add(&sentences, (double)(to - from));
        }
    }
    finish(m->log_words, &words);
    finish(m->log_sentence, &sentences);
}

/* The share of content words that the same document had before. */
static double repeated_in(const dpl_collection *c)
{
    uint64_t n_entries = 0, n_tokens = 0;
    const uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        const uint32_t *counts;
        size_t n;
        const uint32_t *terms = dpl_collection_row(c, doc, &counts, &n);
        for (size_t i = 0; i < n; i++)
            if (terms[i] >= DPL__SYNTH_FUNCTION) {
                n_entries++;
                n_tokens += counts[i];
            }
    }
    return n_tokens ? 1 - (double)n_entries / (double)n_tokens : 0;
}

DPL__RISING_NUMBERS(by_number, uint64_t)

/* The same of documents of the model, as long as it does not repeat words on purpose. */
static dpl_status repeated_by_chance(double *out, dpl__synth_model *m,
                                     const dpl__synth_plan *plan, dpl_error *err)
{
    dpl__synth_scratch s = {.ctx = m->ctx};
    uint64_t n_distinct = 0, n_words = 0;
    dpl_status status = DPL_OK;
    m->repeated = 0;
    for (uint64_t i = 0; i < SAMPLE && status == DPL_OK; i++) {
        s.source.words.n = s.source.ends.n = 0;
        status =
            dpl__synth_source(&s.source, &s, m, dpl__synth_rng(plan, DPL__SYNTH_TRY, i), err);
        qsort(s.source.words.data, s.source.words.n, sizeof(uint64_t), by_number);
        for (size_t w = 0; w < s.source.words.n; w++)
            if (s.source.words.data[w] >= DPL__SYNTH_FUNCTION) {
                n_words++;
                n_distinct += !w || s.source.words.data[w] != s.source.words.data[w - 1];
            }
    }
    dpl__synth_scratch_clear(&s);
    *out = n_words ? 1 - (double)n_distinct / (double)n_words : 0;
    return status;
}

static dpl_status measure(dpl__synth_model *m, const dpl__synth_plan *plan,
                          const dpl_collection *c, double log_words, dpl_error *err)
{
    if (dpl_collection_get_sizes(c)->n_tokens == 0)
        return dpl__fail(err, DPL_E_USAGE, "the collection to be like has no words");
    DPL_TRY(measure_words(m, c, err));
    DPL_TRY(make_alias(m, err));
    measure_lengths(m, c);
    /* A mean that was asked for counts from here on. */
    if (log_words != 0)
        m->log_words[0] = log_words - m->log_words[1] * m->log_words[1] / 2;
    double by_chance;
    DPL_TRY(repeated_by_chance(&by_chance, m, plan, err));
    const double measured = repeated_in(c);
    m->repeated = measured > by_chance ? (measured - by_chance) / (1 - by_chance) : 0;
    return DPL_OK;
}

/* ---- both --------------------------------------------------------------------------- */

dpl_status dpl__synth_model_make(dpl__synth_model *out, dpl_ctx *ctx,
                                 const dpl_synth_options *set, const dpl__synth_plan *plan,
                                 dpl_error *err)
{
    *out = (dpl__synth_model){.ctx = ctx, .same = set->same, .n_topics = set->topics};
    const double log_words = set->words ? dpl__log(set->words) : 0;
    if (!set->like) {
        DPL_TRY(set_default(out, err));
        if (set->words)
            out->log_words[0] = log_words - deviation_words * deviation_words / 2;
        return make_alias(out, err);
    }
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_open(&c, ctx, set->like, err));
    dpl_status status = measure(out, plan, c, log_words, err);
    dpl_collection_close(c);
    return status;
}

void dpl__synth_model_clear(dpl__synth_model *m)
{
    dpl__free(m->ctx, m->p, m->alias, m->keep);
    m->p = NULL;
    m->alias = m->keep = NULL;
}
