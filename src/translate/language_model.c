/*
 * language_model.c - text to a trigram model, and its probabilities.
 *
 * N-grams are numbers of 63 bits, three words of 21; sorted, in temporary files when they are
 * many, equal ones are counted. Sorted once more as b c a, a trigram meets the probability of
 * its lower order. In memory are the words, and the n-grams of one context.
 * Interpolated Kneser-Ney with one discount: lower orders count in how many contexts a word
 * occurs (Kneser, Ney 1995; Chen, Goodman 1999). Stored are ln p of each n-gram seen and ln of
 * the weight of the lower order for each context seen. Keys are mixed, so that they are evenly
 * spread.
 */
#include "translate/language_model.h"

#include "base/maths.h"
#include "io/external_sort.h"
#include "io/sections.h"
#include "translate/translate_params.h"

enum { WINDOW = 4096 }; /* records of a spool that are read at once */

#define MASK ((1u << DPL__LM_BITS) - 1)

float dpl__lm_score(const dpl__lm *m, uint32_t a, uint32_t b, uint32_t c)
{
    assert(a < m->n_words + 3 && b < m->n_words + 3 && c < m->n_words + 3);
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

/* ---- records ---------------------------------------------------------------------------- */

/* What goes through sorts and spools. */
typedef struct counted {
    uint64_t ngram, count;
} counted;

typedef struct trigram {
    uint64_t ngram;
    double seen, rest; /* p(c | a b) = seen + rest * p(c | b) */
    uint32_t count;    /* in its lower order */
} trigram;

typedef struct bigram { /* or a context and its weight of the lower order */
    uint64_t ngram;
    double value;
} bigram;

typedef struct scored {
    uint64_t key;
    float p, backoff; /* ln */
} scored;

#define IS_LOWER(a, b) ((a)->ngram < (b)->ngram)
#define HAS_LOWER_KEY(a, b) ((a)->key < (b)->key)

static bool add_counts(counted *a, const counted *b)
{
    if (a->ngram != b->ngram)
        return false;
    a->count += b->count;
    return true;
}

DPL_EXTERNAL_SORT(counted_sort, counted, IS_LOWER, add_counts);
DPL_EXTERNAL_SORT(trigram_sort, trigram, IS_LOWER, DPL_KEEP_ALL);
DPL_EXTERNAL_SORT(scored_sort, scored, HAS_LOWER_KEY, DPL_KEEP_ALL);

typedef struct estimate {
    dpl_ctx *ctx;
    dpl__spill *spill;
    size_t share;
    uint32_t n_words, n_all;
    uint64_t n_bigrams, n_trigrams;
    double *p1, *backoff1;   /* of words: as probabilities */
    counted_sort by_context; /* trigrams a b c */
    trigram_sort by_lower;   /* the same as b c a */
    scored_sort sorted[2];   /* bigrams, trigrams by mixed key */
    dpl__spool contexts, bigrams, trigrams;
    DPL_VEC(bigram) group; /* n-grams of the context in hand, with counts */
} estimate;

#define LOW (((uint64_t)1 << 2 * DPL__LM_BITS) - 1)

/* Reads a spool from its begin, through a window of whole records. */
static dpl_status open_run(dpl__run *run, dpl_ctx *ctx, const dpl__spool *spool, size_t record,
                           dpl_error *err)
{
    *run = (dpl__run){.file = spool, .file_end = dpl__spool_size(spool)};
    run->n_window = WINDOW * record;
    run->window = dpl__alloc(ctx, run->n_window);
    return run->window ? dpl__run_fill(run, err) : dpl__fail_nomem(err);
}

static void close_run(dpl__run *run, dpl_ctx *ctx)
{
    dpl__free(ctx, run->window);
}

/* ---- counting --------------------------------------------------------------------------- */

/* The trigrams of the text, each sentence with two begins in front; words too many for 21 bits
 * are unknown. */
static dpl_status list_trigrams(estimate *e, const dpl__spool *text, dpl_error *err)
{
    uint32_t unknown = e->n_words, begin = e->n_words + 1, end = e->n_words + 2;
    assert(end <= MASK); /* a word has DPL__LM_BITS */
    uint32_t a = begin, b = begin;
    dpl__run run;
    dpl_status status;
    DPL__STEP(open_run(&run, e->ctx, text, sizeof(uint32_t), err));
    while (dpl__run_has_one(&run)) {
        uint32_t c;
        memcpy(&c, run.at, sizeof c);
        c = c == DPL__LM_BREAK ? end : c >= e->n_words ? unknown : c;
        const counted one = {(uint64_t)a << 2 * DPL__LM_BITS | (uint64_t)b << DPL__LM_BITS | c,
                             1};
        DPL__STEP(counted_sort_add(&e->by_context, &one, err));
        a = c == end ? begin : b;
        b = c == end ? begin : c;
        DPL__STEP(dpl__run_next(&run, sizeof c, err));
    }
    status = counted_sort_end(&e->by_context, err);
done:
    close_run(&run, e->ctx);
    return status;
}

/* Trigrams of one context, with their counts: what each is without the lower order. */
static dpl_status end_context(estimate *e, dpl_error *err)
{
    assert(e->group.n > 0);
    double total = 0, discount = DPL__P(translate, discount);
    uint64_t begin = e->n_words + 1, context = e->group.data[0].ngram >> DPL__LM_BITS;
    /* "begin begin" is no bigram of the text: left to the bigrams */
    bool is_begin = context == (begin << DPL__LM_BITS | begin);
    for (size_t i = 0; i < e->group.n; i++)
        total += e->group.data[i].value;
    assert(total > 0);
    double rest = is_begin ? 1 : discount * (double)e->group.n / total;
    if (!is_begin)
        DPL_TRY(dpl__spool_append(&e->contexts, &(bigram){context, rest}, sizeof(bigram), err));
    for (size_t i = 0; i < e->group.n; i++) {
        uint64_t x = e->group.data[i].ngram;
        double count = e->group.data[i].value;
        trigram t = {.ngram = (x & LOW) << DPL__LM_BITS | x >> 2 * DPL__LM_BITS,
                     .seen = is_begin ? 0 : (count - discount) / total,
                     .rest = rest};
        /* lower orders count different words in front; at the begin of a sentence, how often */
        t.count = is_begin ? (uint32_t)count : 1;
        DPL_TRY(trigram_sort_add(&e->by_lower, &t, err));
    }
    e->n_trigrams += e->group.n;
    e->group.n = 0;
    return DPL_OK;
}

static dpl_status count_trigrams(estimate *e, dpl_error *err)
{
    counted x;
    dpl_status status;
    while ((status = counted_sort_next(&e->by_context, &x, err)) == DPL_OK) {
        if (e->group.n && e->group.data[0].ngram >> DPL__LM_BITS != x.ngram >> DPL__LM_BITS)
            DPL_TRY(end_context(e, err));
        DPL_TRY(dpl__need(
            dpl__vec_push(e->ctx, &e->group, ((bigram){x.ngram, (double)x.count})), err));
    }
    if (status != DPL_END)
        return status;
    if (e->group.n)
        DPL_TRY(end_context(e, err));
    counted_sort_clear(&e->by_context);
    return trigram_sort_end(&e->by_lower, err);
}

/* Bigrams with their counts, and trigrams in the order of their bigrams; p1 counts bigrams. */
static dpl_status count_bigrams(estimate *e, dpl_error *err)
{
    trigram t;
    dpl_status status;
    bigram now = {0};
    while ((status = trigram_sort_next(&e->by_lower, &t, err)) == DPL_OK) {
        const uint64_t lower = t.ngram >> DPL__LM_BITS;
        if (e->n_bigrams && now.ngram != lower)
            DPL_TRY(dpl__spool_append(&e->bigrams, &now, sizeof now, err));
        if (!e->n_bigrams || now.ngram != lower) {
            now = (bigram){lower, 0};
            e->n_bigrams++;
            e->p1[now.ngram & MASK]++;
        }
        now.value += t.count;
        t.ngram = (t.ngram & MASK) << 2 * DPL__LM_BITS | now.ngram;
        DPL_TRY(dpl__spool_append(&e->trigrams, &t, sizeof t, err));
    }
    if (status != DPL_END)
        return status;
    if (e->n_bigrams)
        DPL_TRY(dpl__spool_append(&e->bigrams, &now, sizeof now, err));
    trigram_sort_clear(&e->by_lower);
    return DPL_OK;
}

/* ---- probabilities ---------------------------------------------------------------------- */

static void estimate_unigrams(estimate *e)
{
    double total = 0, discount = DPL__P(translate, discount);
    size_t n_seen = 0;
    for (uint32_t w = 0; w < e->n_all; w++) {
        n_seen += e->p1[w] > 0;
        total += e->p1[w];
    }
    double rest = total > 0 ? discount * (double)n_seen / total : 1;
    for (uint32_t w = 0; w < e->n_all; w++) {
        double p = e->p1[w] > discount ? (e->p1[w] - discount) / total : 0;
        e->p1[w] = p + rest / e->n_all;
        e->backoff1[w] = 1;
    }
}

typedef struct joined {
    dpl__run bigrams, contexts, trigrams;
} joined;

/* A bigram's scores, and those of the trigrams that end with it. */
static dpl_status add_bigram(estimate *e, joined *j, uint64_t ngram, double p, dpl_error *err)
{
    double backoff = 1;
    bigram context;
    trigram t;
    if (dpl__run_has_one(&j->contexts)) {
        memcpy(&context, j->contexts.at, sizeof context);
        if (context.ngram == ngram) {
            backoff = context.value;
            DPL_TRY(dpl__run_next(&j->contexts, sizeof context, err));
        }
    }
    const scored s = {dpl__mix(ngram), (float)dpl__log(p), (float)dpl__log(backoff)};
    DPL_TRY(scored_sort_add(&e->sorted[0], &s, err));
    while (dpl__run_has_one(&j->trigrams)) {
        memcpy(&t, j->trigrams.at, sizeof t);
        if ((t.ngram & LOW) != ngram)
            break;
        const scored s3 = {dpl__mix(t.ngram), (float)dpl__log(t.seen + t.rest * p), 0};
        DPL_TRY(scored_sort_add(&e->sorted[1], &s3, err));
        DPL_TRY(dpl__run_next(&j->trigrams, sizeof t, err));
    }
    return DPL_OK;
}

static dpl_status end_word(estimate *e, joined *j, dpl_error *err)
{
    double total = 0, discount = DPL__P(translate, discount);
    for (size_t i = 0; i < e->group.n; i++)
        total += e->group.data[i].value;
    double rest = discount * (double)e->group.n / total;
    e->backoff1[e->group.data[0].ngram >> DPL__LM_BITS] = rest;
    for (size_t i = 0; i < e->group.n; i++) {
        const bigram *b = &e->group.data[i];
        double p = (b->value - discount) / total + rest * e->p1[b->ngram & MASK];
        DPL_TRY(add_bigram(e, j, b->ngram, p, err));
    }
    e->group.n = 0;
    return DPL_OK;
}

static dpl_status estimate_joined(estimate *e, joined *j, dpl_error *err)
{
    while (dpl__run_has_one(&j->bigrams)) {
        bigram b;
        memcpy(&b, j->bigrams.at, sizeof b);
        if (e->group.n && e->group.data[0].ngram >> DPL__LM_BITS != b.ngram >> DPL__LM_BITS)
            DPL_TRY(end_word(e, j, err));
        DPL_TRY(dpl__need(dpl__vec_push(e->ctx, &e->group, b), err));
        DPL_TRY(dpl__run_next(&j->bigrams, sizeof b, err));
    }
    return e->group.n ? end_word(e, j, err) : DPL_OK;
}

static dpl_status open_joined(estimate *e, joined *j, dpl_error *err)
{
    DPL_TRY(open_run(&j->bigrams, e->ctx, &e->bigrams, sizeof(bigram), err));
    DPL_TRY(open_run(&j->contexts, e->ctx, &e->contexts, sizeof(bigram), err));
    return open_run(&j->trigrams, e->ctx, &e->trigrams, sizeof(trigram), err);
}

static dpl_status estimate_bigrams(estimate *e, dpl_error *err)
{
    joined j = {0};
    dpl_status status;
    DPL__STEP(open_joined(e, &j, err));
    status = estimate_joined(e, &j, err);
done:
    close_run(&j.bigrams, e->ctx);
    close_run(&j.contexts, e->ctx);
    close_run(&j.trigrams, e->ctx);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------- */

static dpl_status write_run(dpl__writer *w, const char *name, size_t record, dpl__run *run,
                            dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, name, (unsigned)record, err));
    while (dpl__run_has_one(run)) {
        DPL_TRY(dpl__writer_append(w, run->at, (size_t)(run->end - run->at), err));
        run->at = run->end;
        DPL_TRY(dpl__run_fill(run, err));
    }
    return DPL_OK;
}

dpl_status dpl__write_spool(dpl__writer *w, dpl_ctx *ctx, const char *name, size_t record,
                            const dpl__spool *spool, dpl_error *err)
{
    dpl__run run;
    dpl_status status;
    DPL__STEP(open_run(&run, ctx, spool, record, err));
    status = write_run(w, name, record, &run, err);
done:
    close_run(&run, ctx);
    return status;
}

/* An order above the first, by mixed key: its keys to the file, its scores to spools. */
static dpl_status write_keys(dpl__writer *w, scored_sort *sort, const char *name,
                             dpl__spool scores[2], dpl_error *err)
{
    scored x;
    dpl_status status;
    DPL_TRY(scored_sort_end(sort, err));
    DPL_TRY(dpl__writer_begin(w, name, 8, err));
    while ((status = scored_sort_next(sort, &x, err)) == DPL_OK) {
        DPL_TRY(dpl__writer_append(w, &x.key, 8, err));
        DPL_TRY(dpl__spool_append(&scores[0], &x.p, 4, err));
        DPL_TRY(dpl__spool_append(&scores[1], &x.backoff, 4, err));
    }
    return status == DPL_END ? DPL_OK : status;
}

/* Names of keys, p and backoffs, or NULL. */
static dpl_status write_order(dpl__writer *w, estimate *e, scored_sort *sort,
                              const char *const names[3], dpl_error *err)
{
    dpl__spool scores[2];
    for (int i = 0; i < 2; i++)
        dpl__spool_init(&scores[i], e->spill, e->share / 4);
    dpl_status status = write_keys(w, sort, names[0], scores, err);
    for (int i = 0; i < 2 && names[i + 1] && status == DPL_OK; i++)
        status = dpl__write_spool(w, e->ctx, names[i + 1], 4, &scores[i], err);
    for (int i = 0; i < 2; i++)
        dpl__spool_clear(&scores[i]);
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

static dpl_status estimate_all(estimate *e, dpl__writer *w, const dpl__spool *text,
                               dpl_error *err)
{
    static const char *const bigrams[] = {"lm.bigram.keys", "lm.bigrams", "lm.bigram.backoffs"};
    static const char *const trigrams[] = {"lm.trigram.keys", "lm.trigrams", NULL};
    e->p1 = dpl__calloc(e->ctx, e->n_all, sizeof *e->p1);
    e->backoff1 = dpl__calloc(e->ctx, e->n_all, sizeof *e->backoff1);
    DPL_TRY(dpl__need(e->p1 && e->backoff1, err));
    counted_sort_init(&e->by_context, e->spill, e->share);
    trigram_sort_init(&e->by_lower, e->spill, e->share);
    DPL_TRY(list_trigrams(e, text, err));
    DPL_TRY(count_trigrams(e, err));
    DPL_TRY(count_bigrams(e, err));
    estimate_unigrams(e);
    for (int i = 0; i < 2; i++)
        scored_sort_init(&e->sorted[i], e->spill, e->share);
    DPL_TRY(estimate_bigrams(e, err));
    DPL_TRY(write_unigrams(w, e, err));
    DPL_TRY(write_order(w, e, &e->sorted[0], bigrams, err));
    return write_order(w, e, &e->sorted[1], trigrams, err);
}

dpl_status dpl__lm_write(dpl__writer *w, dpl__spill *spill, const dpl__spool *text,
                         uint32_t n_words, uint64_t n_ngrams[2], dpl_error *err)
{
    dpl_ctx *ctx = spill->ctx;
    assert(n_words <= DPL__LM_MOST);
    estimate e = {.ctx = ctx, .spill = spill, .n_words = n_words, .n_all = n_words + 3};
    e.share = (size_t)(dpl_ctx_memory(ctx) / 8);
    dpl__spool_init(&e.contexts, spill, e.share / 2);
    dpl__spool_init(&e.bigrams, spill, e.share / 2);
    dpl__spool_init(&e.trigrams, spill, e.share);
    dpl_status status = estimate_all(&e, w, text, err);
    n_ngrams[0] = e.n_bigrams;
    n_ngrams[1] = e.n_trigrams;
    dpl__free(ctx, e.p1, e.backoff1);
    counted_sort_clear(&e.by_context);
    trigram_sort_clear(&e.by_lower);
    for (int i = 0; i < 2; i++)
        scored_sort_clear(&e.sorted[i]);
    dpl__spool_clear(&e.contexts);
    dpl__spool_clear(&e.bigrams);
    dpl__spool_clear(&e.trigrams);
    dpl__vec_clear(ctx, &e.group);
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
        return dpl__fail(err, DPL_E_LIMIT, "'%s': too many n-grams", dpl_file_get_info(f).path);
    DPL_TRY(dpl__need(dpl__keys_init(&m->bigram_keys, ctx, keys2, n2) &&
                          dpl__keys_init(&m->trigram_keys, ctx, keys3, n3),
                      err));
    return DPL_OK;
}

void dpl__lm_close(dpl__lm *m, dpl_ctx *ctx)
{
    dpl__keys_clear(&m->bigram_keys, ctx);
    dpl__keys_clear(&m->trigram_keys, ctx);
}
