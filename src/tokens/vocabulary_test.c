#include "tokens/vocabulary.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the vocabulary by adding up in a list, and sorting ------------------------------- */

enum { N_WORDS = 300, MOST_RUNS = 7 };

typedef struct counted {
    char text[40];
    size_t n;
    uint64_t count;
    uint32_t n_docs;
    uint32_t rank;
} counted;

typedef struct naive {
    counted words[N_WORDS]; /* by bytes; then those that are left, by falling count */
    uint32_t n_terms, n_repeated;
    uint32_t id_of[N_WORDS]; /* of each word, before they were sorted */
} naive;

/* A word of its own for every number, some longer than a record of a term holds. */
static dpl_str nth_word(char out[40], uint32_t i)
{
    const int n = snprintf(out, 40, "%s%u", i % 3 ? "w" : "a-word-longer-than-24-bytes-", i);
    return (dpl_str){out, (size_t)n};
}

static int by_bytes(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return dpl__str_cmp((dpl_str){x->text, x->n}, (dpl_str){y->text, y->n});
}

static int by_count(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : by_bytes(a, b);
}

/* ---- runs ------------------------------------------------------------------------------ */

/* Term sets of several runs, and one that is taken away again, with what they come to. */
typedef struct runs {
    dpl__terms sets[MOST_RUNS], minus;
    uint32_t n;
    uint32_t words[MOST_RUNS][N_WORDS]; /* of each number */
    uint64_t sums[N_WORDS];
    uint32_t n_docs[N_WORDS];
    naive expected;
} runs;

static void count_word(dpl__terms *set, uint32_t word, uint64_t count, uint32_t n_docs)
{
    char text[40];
    uint32_t number;
    CHECK_OK(dpl__terms_number(set, nth_word(text, word), &number, &test_err));
    set->counts.data[number].count += count;
    set->counts.data[number].n_docs += n_docs;
}

/* Mostly small counts, equal ones among them; counts about the border between the two ways of
 * sorting (256), and about those of 31 and 32 bits. */
static uint64_t random_count(dpl__rng *rng)
{
    switch (dpl__rng_below(rng, 14)) {
    case 0: return 100 + dpl__rng_below(rng, 300);
    case 1: return 255 + dpl__rng_below(rng, 3);
    case 2: return UINT32_MAX - 2 + dpl__rng_below(rng, 5);
    case 3: return UINT64_C(5) << 32 | dpl__rng_below(rng, 2) << 31 | dpl__rng_below(rng, 2);
    case 4: return (UINT64_C(1) << 31) - 2 + dpl__rng_below(rng, 4);
    default: return 1 + dpl__rng_below(rng, 4);
    }
}

static void make_runs(runs *r, dpl_ctx *ctx, uint64_t seed)
{
    dpl__rng rng = {seed << 20};
    memset(r, 0, sizeof *r);
    r->n = 1 + (uint32_t)dpl__rng_below(&rng, MOST_RUNS);
    dpl__terms_init(&r->minus, ctx);
    for (uint32_t run = 0; run < r->n; run++) {
        dpl__terms_init(&r->sets[run], ctx);
        const size_t n = dpl__rng_below(&rng, seed % 5 ? 200 : 3);
        for (size_t k = 0; k < n; k++) {
            const uint32_t word = (uint32_t)dpl__rng_below(&rng, N_WORDS);
            const uint64_t count = random_count(&rng);
            const uint32_t n_docs = 1 + (uint32_t)dpl__rng_below(&rng, dpl__min(count, 9)),
                           before = (uint32_t)r->sets[run].all.n;
            count_word(&r->sets[run], word, count, n_docs);
            if (r->sets[run].all.n > before)
                r->words[run][before] = word;
            if (dpl__rng_below(&rng, 3) == 0) { /* all of it was dropped after all */
                count_word(&r->minus, word, count, n_docs);
            } else {
                r->sums[word] += count;
                r->n_docs[word] += n_docs;
            }
        }
    }
    naive *e = &r->expected;
    uint32_t ids[N_WORDS];
    for (uint32_t i = 0; i < N_WORDS; i++) {
        counted *c = &e->words[i];
        c->n = nth_word(c->text, i).n;
        c->count = r->sums[i];
        c->n_docs = r->n_docs[i];
        c->rank = i; /* its word, for now */
    }
    qsort(e->words, N_WORDS, sizeof *e->words, by_count);
    for (uint32_t i = 0; i < N_WORDS; i++) {
        ids[e->words[i].rank] = e->words[i].count ? i : UINT32_MAX;
        e->n_terms += e->words[i].count > 0;
        e->n_repeated += e->words[i].count > 1;
    }
    memcpy(e->id_of, ids, sizeof ids);
}

static void clear_runs(runs *r)
{
    for (uint32_t run = 0; run < r->n; run++)
        dpl__terms_clear(&r->sets[run]);
    dpl__terms_clear(&r->minus);
}

/* ---- what is written -------------------------------------------------------------------- */

static const void *column(const dpl_file *file, const char *name, size_t n_bytes)
{
    dpl_section s;
    CHECK(dpl_file_find(file, name, &s));
    CHECK_EQ(s.n_bytes, n_bytes);
    return s.data;
}

/* In id order, against those of the list; term.order are the ids by bytes. */
static void check_columns(const dpl_file *file, naive *e, uint64_t seed)
{
    const size_t n = e->n_terms;
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += e->words[i].n;
    const uint64_t *ends = column(file, "term.offsets", 8 * (n + 1)),
                   *counts = column(file, "term.counts", 8 * n);
    const uint32_t *n_docs = column(file, "term.docs", 4 * n),
                   *order = column(file, "term.order", 4 * n);
    const char *bytes = column(file, "term.bytes", n_bytes);
    for (size_t i = 0; i < n; i++) {
        const counted *c = &e->words[i];
        const dpl_str term = {bytes + ends[i], (size_t)(ends[i + 1] - ends[i])};
        if (!dpl__str_eq(term, (dpl_str){c->text, c->n}) || counts[i] != c->count ||
            n_docs[i] != c->n_docs)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, term %zu: '%.*s', expected '%s'",
                           (unsigned long long)seed, i, (int)term.n, term.data, c->text);
        if (i)
            CHECK(by_bytes(&e->words[order[i - 1]], &e->words[order[i]]) < 0);
    }
}

enum { GIVEN, ADDED, MIXED };

/* From sets in memory, from sets that were written down, and from both; the runs in falling
 * order. */
static void check_runs(dpl_ctx *ctx, uint64_t seed, int how, size_t share)
{
    static runs r;
    make_runs(&r, ctx, seed);
    dpl__spill spill;
    dpl__vocabulary v;
    dpl__writer *w = NULL;
    dpl_file *file = NULL;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__vocabulary_init(&v, &spill, share, &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, NULL, "sample", &test_err));
    size_t n_numbers = 0;
    for (uint32_t run = r.n; run-- > 0;) {
        n_numbers += r.sets[run].all.n;
        const bool is_added = how == ADDED || (how == MIXED && run % 2);
        CHECK_OK((is_added ? dpl__vocabulary_add(&v, &r.sets[run], run, &test_err)
                           : dpl__vocabulary_give(&v, &r.sets[run], run, &test_err)));
    }
    if (r.minus.all.n)
        dpl__vocabulary_subtract(&v, &r.minus);
    if (how == GIVEN)
        CHECK_EQ(dpl__vocabulary_memory_need(&v), 100 * (n_numbers + r.minus.all.n));
    size_t n_terms[MOST_RUNS];
    for (uint32_t run = 0; run < r.n; run++)
        n_terms[run] = r.sets[run].all.n;
    CHECK_OK(dpl__vocabulary_write(&v, w, &test_err));
    CHECK_EQ(v.n_terms, r.expected.n_terms);
    CHECK_EQ(v.n_repeated, r.expected.n_repeated);
    for (uint32_t run = 0; run < r.n; run++) {
        const uint32_t *ids = dpl__vocabulary_ids(&v, run);
        for (size_t i = 0; i < n_terms[run]; i++)
            CHECK_EQ(ids[i], r.expected.id_of[r.words[run][i]]);
    }
    CHECK_OK(dpl__writer_open(w, &file, &test_err));
    check_columns(file, &r.expected, seed);
    dpl_file_close(file);
    dpl__writer_free(w);
    dpl__vocabulary_clear(&v);
    dpl__spill_clear(&spill);
    clear_runs(&r);
}

DPL_TEST(vocabulary, is_what_adding_up_and_sorting_makes_of_all_runs)
{
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        for (uint64_t seed = 0; seed < 40; seed++) {
            check_runs(ctx, seed, GIVEN, 1 << 20); /* in memory */
            check_runs(ctx, seed, GIVEN, 2 << 10); /* not enough for that */
            check_runs(ctx, seed, ADDED, 1 << 20);
            check_runs(ctx, seed, MIXED, 1 << 20);
        }
        test_ctx_done(ctx);
    }
}

static dpl_status write_small(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const bool is_added = *(const bool *)user;
    dpl__spill spill = {0};
    dpl__vocabulary v = {0};
    dpl__writer *w = NULL;
    dpl__terms terms;
    uint32_t number;
    dpl__terms_init(&terms, ctx);
    dpl_status status;
    for (uint32_t i = 0; i < 40; i++) {
        char text[40];
        DPL__STEP(dpl__terms_number(&terms, nth_word(text, i), &number, err));
        terms.counts.data[i].count = terms.counts.data[i].n_docs = 1 + i % 3;
    }
    DPL__STEP(dpl__spill_init(&spill, ctx, test_dir(), err));
    DPL__STEP(dpl__writer_new(&w, ctx, NULL, "sample", err));
    DPL__STEP(dpl__vocabulary_init(&v, &spill, 1 << 20, err));
    DPL__STEP(is_added ? dpl__vocabulary_add(&v, &terms, 0, err)
                       : dpl__vocabulary_give(&v, &terms, 0, err));
    status = dpl__vocabulary_write(&v, w, err);
done:
    dpl__vocabulary_clear(&v);
    dpl__writer_free(w);
    dpl__terms_clear(&terms);
    if (spill.dir)
        dpl__spill_clear(&spill);
    return status;
}

DPL_TEST(vocabulary, every_allocation_may_fail)
{
    test_allocation_failures(write_small, &(bool){false});
    test_allocation_failures(write_small, &(bool){true});
}
