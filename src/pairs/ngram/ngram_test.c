/* N-gram mining: pairs are those of a naive version, whatever the threads and the memory;
 * filters; bad input. */
#include "base/ctx.h"
#include "base/hash.h"
#include "pairs/ngram/finder.h"
#include "pairs/ngram/shuffle.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- collections of random words -------------------------------------------------------- */

enum { N_DOCS = 120, N_WORDS = 80 };

/* Documents k and N_DOCS - 1 - k of the other side are noisy copies. TSV: id, text. */
static dpl_collection *make_side(dpl_ctx *ctx, bool is_right, unsigned noise)
{
    dpl__rng rng = {dpl__mix(is_right ? 11 : 5)};
    char *text = malloc((size_t)N_DOCS * (N_WORDS + 2) * 12);
    size_t n = 0;
    for (unsigned doc = 0; doc < N_DOCS; doc++) {
        unsigned source = is_right ? N_DOCS - 1 - doc : doc;
        n += (size_t)sprintf(text + n, "%c%u\t", is_right ? 'r' : 'l', doc);
        for (unsigned w = 0; w < N_WORDS; w++) {
            uint64_t word = dpl__mix(source * 1000 + w) % 900;
            if (dpl__rng_below(&rng, 100) < noise)
                word = dpl__rng_below(&rng, 900);
            n += (size_t)sprintf(text + n, "w%u ", (unsigned)word);
        }
        text[n - 1] = '\n';
    }
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = is_right ? "de" : "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    dpl_input input = {.buffer = {text, n}};
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &input, 1, &o, &test_err));
    free(text);
    return c;
}

static dpl_status open_pairs(dpl_pairs **out, dpl_ctx *ctx, const dpl_collection *const *sides,
                             size_t n_sides, const dpl_pairs_options *o, dpl_error *err)
{
    dpl_pairs_options options = *o;
    options.method = DPL_PAIRS_NGRAM;
    const dpl_pairs_side left = {.collection = sides[0]}, right = {.collection = sides[1]};
    return dpl_pairs_open(out, ctx, &left, n_sides == 2 ? &right : NULL, &options, err);
}

/* Documents numbered through both sides. */
static size_t find(dpl_pair *out, dpl_ctx *ctx, const dpl_collection *const *sides,
                   const dpl_pairs_options *o, dpl_ngram_summary *summary)
{
    dpl_pairs *pairs = NULL;
    CHECK_OK(open_pairs(&pairs, ctx, sides, 2, o, &test_err));
    size_t n = 0;
    while (dpl_pairs_next(pairs, &out[n], &test_err) == DPL_OK) {
        const dpl_str id = dpl_pairs_id(pairs, true, out[n].right);
        CHECK(id.data == dpl_collection_doc(sides[1], out[n].right).id.data);
        out[n++].right += dpl_collection_get_sizes(sides[0])->n_docs;
    }
    if (summary)
        *summary = *dpl_pairs_get_summary(pairs)->ngram;
    dpl_pairs_close(pairs);
    return n;
}

DPL_TEST(ngram, noisy_copies_are_found)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *left = make_side(ctx, false, 10), *right = make_side(ctx, true, 10);
    const dpl_collection *sides[] = {left, right};
    dpl_pair found[2 * N_DOCS];
    dpl_ngram_summary s;
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_NEAR);
    size_t n = find(found, ctx, sides, &o, &s), n_right = 0;
    for (size_t i = 0; i < n; i++)
        n_right += found[i].right - N_DOCS == N_DOCS - 1 - found[i].left;
    CHECK_EQ(n_right, n);
    CHECK(n >= N_DOCS - 2);
    CHECK_EQ(s.n_matching, s.n_single + s.n_one_group + s.n_frequent + s.n_used);
    CHECK_EQ(s.n_candidates, s.n_below + s.n_disordered + s.n_scored);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, pairs_do_not_depend_on_threads_or_memory)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 30), *right = make_side(ctx, true, 30);
    const dpl_collection *sides[] = {left, right};
    const dpl_ngram_options ngram = DPL_INIT(dpl_ngram_options, .matching = 2);
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.01, .ngram = &ngram);
    static dpl_pair first[N_DOCS * N_DOCS], again[N_DOCS * N_DOCS];
    size_t n = find(first, ctx, sides, &o, NULL);
    CHECK(n > 0);
    for (unsigned threads = 1; threads <= 3; threads++)
        for (uint64_t memory = 1 << 14; memory <= 1 << 30; memory <<= 8) {
            dpl_ctx *other = NULL;
            dpl_ctx_options c =
                DPL_INIT(dpl_ctx_options, .n_threads = threads, .memory = memory);
            CHECK_OK(dpl_ctx_new(&other, &c, &test_err));
            CHECK_EQ(find(again, other, sides, &o, NULL), n);
            CHECK(memcmp(first, again, n * sizeof *first) == 0);
            dpl_ctx_free(other);
        }
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

/* ---- the naive version ------------------------------------------------------------------- */

enum { MATCHING = 2, SCORING = 2, MAX_MATCHING = 12 };

typedef struct naive {
    uint64_t grams[2 * N_DOCS][N_WORDS]; /* of two words, each once */
    unsigned df[2 * N_DOCS][N_WORDS];    /* documents that have the n-gram */
    size_t n[2 * N_DOCS];
} naive;

static bool has_gram(const naive *x, uint32_t doc, uint64_t gram)
{
    for (size_t i = 0; i < x->n[doc]; i++)
        if (x->grams[doc][i] == gram)
            return true;
    return false;
}

static unsigned count_docs(const naive *x, uint64_t gram)
{
    unsigned df = 0;
    for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++)
        df += has_gram(x, doc, gram);
    return df;
}

static void read_naive(naive *x, const dpl_collection *const *sides)
{
    for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++) {
        size_t n;
        const dpl_collection *c = sides[doc / N_DOCS];
        const uint32_t *tokens = dpl_collection_tokens(c, doc % N_DOCS, &n);
        for (size_t i = 0; i + 1 < n; i++) {
            dpl_str a = dpl_collection_term(c, tokens[i]),
                    b = dpl_collection_term(c, tokens[i + 1]);
            uint64_t gram = dpl__hash(b.data, b.n, dpl__hash(a.data, a.n, 0));
            if (!has_gram(x, doc, gram))
                x->grams[doc][x->n[doc]++] = gram;
        }
    }
    for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++)
        for (size_t i = 0; i < x->n[doc]; i++)
            x->df[doc][i] = count_docs(x, x->grams[doc][i]);
}

/* The score of two documents; 0 where no n-gram makes them candidates. */
static double score_naive(const naive *x, uint32_t left, uint32_t right)
{
    double dot = 0, norms[2] = {0, 0};
    bool is_candidate = false;
    for (int side = 0; side < 2; side++) {
        const uint32_t doc = side ? right : left;
        for (size_t i = 0; i < x->n[doc]; i++) {
            const uint64_t gram = x->grams[doc][i];
            const unsigned df = x->df[doc][i];
            const double w = df > 1 ? log(2.0 * N_DOCS / df) : 0;
            norms[side] += w * w;
            if (side || !has_gram(x, right, gram))
                continue;
            dot += w * w;
            is_candidate |= df <= MAX_MATCHING;
        }
    }
    return is_candidate ? dot / sqrt(norms[0] * norms[1]) : 0;
}

/* With so much noise that no pair shares eight times as many n-grams as another. */
DPL_TEST(ngram, all_pairs_are_those_of_the_naive_version)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *left = make_side(ctx, false, 60), *right = make_side(ctx, true, 60);
    const dpl_collection *sides[] = {left, right};
    const dpl_ngram_options ngram =
        DPL_INIT(dpl_ngram_options, .matching = MATCHING, .scoring = SCORING,
                 .max_matching = MAX_MATCHING, .max_candidates = 1000, .max_disorder = -1);
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.02, .ngram = &ngram);
    static dpl_pair found[N_DOCS * N_DOCS];
    naive *x = calloc(1, sizeof *x);
    read_naive(x, sides);
    size_t n = find(found, ctx, sides, &o, NULL), n_naive = 0;
    for (size_t i = 0; i < n; i++)
        CHECK(fabs((double)found[i].score - score_naive(x, found[i].left, found[i].right)) <
              1e-6);
    for (uint32_t i = 0; i < N_DOCS; i++)
        for (uint32_t k = N_DOCS; k < 2 * N_DOCS; k += 7) {
            bool is_found = false;
            for (size_t f = 0; f < n; f++)
                is_found |= found[f].left == i && found[f].right == k;
            n_naive += is_found;
            CHECK_EQ(is_found, score_naive(x, i, k) >= 0.02);
        }
    CHECK(n_naive > 0);
    free(x);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

/* ---- the recall check -------------------------------------------------------------------- */

static dpl_recall_check check_recall(uint64_t *n_found, dpl_ctx *ctx,
                                     const dpl_collection *const *sides,
                                     const dpl_ngram_options *ngram)
{
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .threshold = 0.05, .sample = 4 * N_DOCS, .ngram = ngram);
    dpl_pairs *pairs = NULL;
    CHECK_OK(open_pairs(&pairs, ctx, sides, 2, &o, &test_err));
    const dpl_recall_check checked = *dpl_pairs_get_summary(pairs)->recall_check;
    *n_found = dpl_pairs_get_summary(pairs)->n_found;
    dpl_pairs_close(pairs);
    return checked;
}

/* All documents are drawn. With every scoring n-gram matching, and no cap, nothing is missed;
 * with long matching n-grams the true pairs stay the same, and what is found of them is what
 * the search found. */
DPL_TEST(ngram, true_pairs_do_not_depend_on_what_matches)
{
    for (int by_language = 0; by_language < 2; by_language++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            dpl_ctx *ctx = test_ctx(threads);
            dpl_collection *left = make_side(ctx, false, 60), *right = make_side(ctx, true, 60);
            const dpl_collection *sides[] = {left, right};
            dpl_ngram_options ngram = DPL_INIT(
                dpl_ngram_options, .matching = SCORING, .scoring = SCORING,
                .max_matching = 1000, .all_candidates = true, .by_language = by_language != 0);
            uint64_t n_all, n_some;
            const dpl_recall_check all = check_recall(&n_all, ctx, sides, &ngram);
            ngram.matching = 3;
            const dpl_recall_check some = check_recall(&n_some, ctx, sides, &ngram);
            CHECK_EQ(all.n_rows, by_language ? 2 * N_DOCS : N_DOCS);
            CHECK_EQ(all.n_found, all.n_true);
            CHECK_EQ(all.n_true, n_all);
            CHECK(n_some > 0 && n_some < n_all);
            CHECK_EQ(some.n_true, n_all);
            CHECK_EQ(some.n_found, n_some);
            CHECK(fabs(some.recall - (double)n_some / (double)n_all) < 1e-12);
            dpl_collection_close(right);
            dpl_collection_close(left);
            test_ctx_done(ctx);
        }
}

/* ---- candidates -------------------------------------------------------------------------- */

enum { N_CAP = 30 };

/* Of pairs of each document with all of the other side: how many are scored. */
static size_t cap_pairs(dpl_ctx *ctx, const dpl__ngram_shared *all, unsigned max,
                        uint32_t *least_shared)
{
    uint32_t group_of[2 * N_CAP];
    for (uint32_t i = 0; i < 2 * N_CAP; i++)
        group_of[i] = i / N_CAP;
    const dpl__ngram_groups g = {group_of, 2 * N_CAP, 2};
    dpl__shared_cap cap;
    size_t n = 0;
    *least_shared = UINT32_MAX;
    CHECK_OK(dpl__shared_cap_init(&cap, ctx, &g, max, &test_err));
    dpl__shared_cap_count(&cap, all, N_CAP * N_CAP);
    for (size_t i = 0; i < N_CAP * N_CAP; i++)
        if (dpl__shared_cap_keeps(&cap, &all[i])) {
            *least_shared = (uint32_t)dpl__min(*least_shared, all[i].n_shared);
            n++;
        }
    dpl__shared_cap_clear(&cap, ctx);
    return n;
}

/* Every document shares 40 n-grams with its translation, and one with all others. */
DPL_TEST(ngram, candidates_that_share_little_are_not_scored)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__ngram_shared all[N_CAP * N_CAP];
    uint32_t least;
    for (uint64_t i = 0; i < DPL_LEN(all); i++)
        all[i] = (dpl__ngram_shared){i / N_CAP << 32 | (N_CAP + i % N_CAP),
                                     i / N_CAP == i % N_CAP ? 40 : 1, 0};
    CHECK_EQ(cap_pairs(ctx, all, 20, &least), N_CAP);
    CHECK_EQ(least, 40);
    /* Among equals some stay, about as many as are wanted. */
    for (uint64_t i = 0; i < DPL_LEN(all); i++)
        all[i].n_shared = 1;
    size_t n = cap_pairs(ctx, all, 10, &least);
    CHECK(n > 6 * N_CAP && n < 20 * N_CAP);
    test_ctx_done(ctx);
}

/* With as little noise as here, most pairs share less than an eighth of what the best do. */
DPL_TEST(ngram, all_candidates_are_scored_when_asked_for)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 10), *right = make_side(ctx, true, 10);
    const dpl_collection *sides[] = {left, right};
    static dpl_pair found[N_DOCS * N_DOCS];
    dpl_ngram_summary s[2];
    for (int all = 0; all < 2; all++) {
        const dpl_ngram_options ngram = DPL_INIT(dpl_ngram_options, .matching = 1,
                                                 .max_candidates = 1000, .all_candidates = all);
        const dpl_pairs_options o =
            DPL_INIT(dpl_pairs_options, .threshold = 0.01, .ngram = &ngram);
        find(found, ctx, sides, &o, &s[all]);
    }
    CHECK(s[0].n_capped > 0);
    CHECK_EQ(s[1].n_capped, 0);
    CHECK_EQ(s[1].n_candidates, s[0].n_candidates + s[0].n_capped);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

/* The paper's 21 % of the n-grams that "only occur in a single language" are of any frequency.
 */
DPL_TEST(ngram, a_frequent_ngram_of_one_group_is_counted_as_such)
{
    enum { N_LIST = 20 };
    dpl_ctx *ctx = test_ctx(1);
    const dpl__ngram_settings set = DPL_INIT(dpl_ngram_options, .max_matching = 5);
    uint32_t group_of[N_LIST] = {0};
    dpl__ngram_posting list[N_LIST];
    dpl_ngram_summary s = {0};
    dpl__ngram_candidates out = {0};
    const dpl__matcher m = {.ctx = ctx, .s = &set, .group_of = group_of, .counts = &s};
    for (uint32_t i = 0; i < N_LIST; i++)
        list[i] = (dpl__ngram_posting){.ngram = 1, .doc = i};
    CHECK_OK(dpl__ngram_pairs_of(&out, &m, list, N_LIST, &test_err));
    CHECK_EQ(s.n_one_group, 1);
    CHECK_EQ(s.n_frequent, 0);
    group_of[N_LIST - 1] = 1; /* now the last one is of another group */
    CHECK_OK(dpl__ngram_pairs_of(&out, &m, list, N_LIST, &test_err));
    CHECK_EQ(s.n_one_group, 1);
    CHECK_EQ(s.n_frequent, 1);
    CHECK_EQ(out.n, 0);
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

/* ---- filters ------------------------------------------------------------------------ */

/* Both kinds of n-grams of one document. Returns how many matching ones were left out. */
static uint64_t extract(dpl__ngram_postings out[2], dpl_ctx *ctx, const uint64_t *words,
                        size_t n, const dpl_ngram_options *o)
{
    dpl__ngram_settings s;
    CHECK_OK(dpl__ngram_settle(&s, o, &test_err));
    dpl__extractor x = {.ctx = ctx, .s = &s};
    const dpl__ngram_doc doc = {0, words, n};
    CHECK_OK(dpl__extract_matching(&x, &out[0], &doc, &test_err));
    CHECK_OK(dpl__extract_scoring(&x, &out[1], &doc, &test_err));
    dpl__extractor_clear(&x);
    return x.n_unsampled;
}

static void clear(dpl__ngram_postings out[2], dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &out[0], &out[1]);
}

DPL_TEST(ngram, one_word_a_million_times_is_one_ngram)
{
    dpl_ctx *ctx = test_ctx(1);
    enum { MILLION = 1000000 };
    uint64_t *words = malloc(MILLION * sizeof *words);
    for (size_t i = 0; i < MILLION; i++)
        words[i] = dpl__ngram_word(DPL_STR("word"));
    dpl__ngram_postings x[2] = {{0}};
    extract(x, ctx, words, MILLION, NULL);
    CHECK_EQ(x[0].n, 1);
    CHECK_EQ(x[1].n, 1);
    CHECK_EQ(x[1].data[0].place, 0);
    free(words);
    clear(x, ctx);
    test_ctx_done(ctx);
}

static int by_ngram(const void *a, const void *b)
{
    const dpl__ngram_posting *x = a, *y = b;
    return x->ngram < y->ngram ? -1 : x->ngram > y->ngram;
}

DPL_TEST(ngram, a_book_keeps_the_lowest_fingerprints)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t words[2000];
    for (size_t i = 0; i < DPL_LEN(words); i++)
        words[i] = dpl__mix(i);
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .max_per_doc = 10);
    dpl__ngram_postings few[2] = {{0}}, all[2] = {{0}}, sampled[2] = {{0}};
    CHECK_EQ(extract(few, ctx, words, DPL_LEN(words), &o), DPL_LEN(words) - 4 - 10);
    CHECK_EQ(extract(all, ctx, words, DPL_LEN(words), NULL), 0);
    CHECK_EQ(few[0].n, 10);
    qsort(all[0].data, all[0].n, sizeof *all[0].data, by_ngram);
    for (size_t i = 0; i < few[0].n; i++)
        CHECK(few[0].data[i].ngram == all[0].data[i].ngram);
    o = (dpl_ngram_options)DPL_INIT(dpl_ngram_options, .sample_bits = 4);
    extract(sampled, ctx, words, DPL_LEN(words), &o);
    CHECK(sampled[0].n > 80 && sampled[0].n < 180); /* one in 16 of 1996 */
    clear(few, ctx);
    clear(all, ctx);
    clear(sampled, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, postings_of_a_million_documents_take_little_memory)
{
    dpl_ctx *ctx = test_ctx(2);
    enum { MILLION = 1000000, SHARE = 1 << 20 };
    dpl__spill spill = {0};
    dpl__shuffle *s = NULL;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__shuffle_new(&s, &spill, SHARE, &test_err));
    for (uint32_t doc = 0; doc < MILLION; doc++) {
        const dpl__ngram_posting two[] = {{(uint64_t)7 << 56, doc, 0}, {dpl__mix(doc), doc, 0}};
        CHECK_OK(dpl__shuffle_add(s, two, 2, &test_err));
    }
    CHECK_OK(dpl__shuffle_sort(s, NULL, &test_err));
    const dpl__ngram_posting *list;
    uint64_t n_all, most = 0, n_ngrams = 0, last = 0;
    dpl_status status;
    while ((status = dpl__shuffle_next(s, &list, &n_all, 51, &test_err)) == DPL_OK) {
        CHECK(n_ngrams == 0 || list->ngram > last);
        last = list->ngram;
        n_ngrams++;
        if (n_all > 1) {
            most = n_all;
            CHECK_EQ(list[50].doc, 50);
        }
    }
    CHECK_EQ(status, DPL_END);
    CHECK_EQ(most, MILLION);
    CHECK_EQ(n_ngrams, MILLION + 1);
    dpl__shuffle_free(s);
    CHECK(dpl_ctx_peak(ctx) < 3 * SHARE);
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, order_filter_measures_moves)
{
    dpl_ctx *ctx = test_ctx(1);
    enum { N = 100 };
    const double idf_of[] = {0, 0, 1};
    dpl__row_entry left[N], same[N], turned[N];
    for (uint32_t i = 0; i < N; i++) {
        left[i] = (dpl__row_entry){i, i, 2};
        same[i] = (dpl__row_entry){i, 3 * i, 2};
        turned[i] = (dpl__row_entry){i, N - i, 2};
    }
    const dpl__row ordered[] = {{left, N}, {same, N}}, reversed[] = {{left, N}, {turned, N}};
    const double norms[2] = {dpl__ngram_norm(&ordered[0], idf_of), sqrt(N)};
    dpl__ngram_places places;
    dpl__ngram_places_of(&places, &ordered[0]);
    const dpl__ngram_scorer scorer = {ctx, idf_of, 0.1, &places};
    dpl__ngram_scratch scratch = {0};
    dpl__ngram_pair p = {0};
    CHECK_OK(dpl__ngram_score_rows(&p, &scratch, &scorer, ordered, norms, &test_err));
    CHECK(fabs((double)p.score - 1) < 1e-6 && p.disorder == 0);
    CHECK_OK(dpl__ngram_score_rows(&p, &scratch, &scorer, reversed, norms, &test_err));
    CHECK(fabs((double)p.disorder - 0.99) < 1e-6);
    dpl__vec_clear(ctx, &scratch);
    test_ctx_done(ctx);
}

/* A row of n entries; numbers rise by up to `step`. */
static dpl__row_entry *make_row(size_t n, uint64_t step, uint64_t seed)
{
    dpl__row_entry *row = malloc((n + 1) * sizeof *row);
    CHECK(row);
    dpl__rng rng = {dpl__mix(seed)};
    uint32_t ngram = 0;
    for (size_t i = 0; i < n; i++) {
        ngram += 1 + (uint32_t)dpl__rng_below(&rng, step);
        row[i] = (dpl__row_entry){ngram, (uint32_t)i, 1 + ngram % 4};
    }
    return row;
}

DPL_TEST(ngram, score_is_that_of_a_merge)
{
    static const double idf_of[] = {0, 1.5, 1.25, 0.5, 0.1};
    static const size_t sizes[] = {0, 1, 30, 300, 20000, 70000};
    dpl_ctx *ctx = test_ctx(1);
    dpl__ngram_scratch scratch = {0};
    dpl__ngram_places places;
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        for (size_t k = 0; k < DPL_LEN(sizes); k++) {
            const dpl__row rows[2] = {{make_row(sizes[i], 4, 10 + i), sizes[i]},
                                      {make_row(sizes[k], 7, 20 + k), sizes[k]}};
            double dot = 0;
            for (size_t a = 0, b = 0; a < rows[0].n && b < rows[1].n;) {
                const uint32_t x = rows[0].entries[a].ngram, y = rows[1].entries[b].ngram;
                const double w = idf_of[rows[0].entries[a].df];
                dot += x == y ? w * w : 0;
                a += x <= y;
                b += y <= x;
            }
            const double norms[2] = {1, 1};
            dpl__ngram_places_of(&places, &rows[0]);
            const dpl__ngram_scorer scorer = {ctx, idf_of, 1e9, &places};
            dpl__ngram_pair p = {0};
            CHECK_OK(dpl__ngram_score_rows(&p, &scratch, &scorer, rows, norms, &test_err));
            CHECK(p.score == (float)dot);
            CHECK(sizes[i] < 30 || sizes[k] < 30 || dot > 0);
            free((void *)(uintptr_t)rows[0].entries);
            free((void *)(uintptr_t)rows[1].entries);
        }
    dpl__vec_clear(ctx, &scratch);
    test_ctx_done(ctx);
}

static size_t select_pairs(dpl_pair *out, dpl_ctx *ctx, const dpl_pair *in, size_t n,
                           dpl_select select)
{
    const dpl__select_options o = {
        .select = select, .n_best = 1, .near_ratio = 0.7, .n_left = 2, .n_right = 2};
    dpl__spill spill = {0};
    dpl__selector *s = NULL;
    uint64_t n_selected = 0;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__selector_new(&s, ctx, &o, &spill, &test_err));
    CHECK_OK(dpl__selector_add(s, in, n, &test_err));
    CHECK_OK(dpl__selector_finish(s, &n_selected, &test_err));
    for (size_t i = 0; i < n_selected; i++)
        CHECK_OK(dpl__selector_next(s, &out[i], &test_err));
    dpl__selector_free(s);
    dpl__spill_clear(&spill);
    return (size_t)n_selected;
}

/* Two near-duplicates on either side, each nearest to the wrong one in a circle. */
DPL_TEST(ngram, near_duplicates_keep_a_partner)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_pair circle[] = {{0, 0, 0.50f}, {0, 1, 0.52f}, {1, 0, 0.53f}, {1, 1, 0.51f}};
    dpl_pair pairs[4];
    CHECK_EQ(select_pairs(pairs, ctx, circle, 4, DPL_SELECT_NEAR), 2);
    CHECK(pairs[0].right == 1 && pairs[1].right == 0);
    /* One of them is nearest to the same document as the other: mutual drops it. */
    const dpl_pair star[] = {{0, 0, 0.50f}, {0, 1, 0.49f}, {1, 0, 0.51f}, {1, 1, 0.48f}};
    CHECK_EQ(select_pairs(pairs, ctx, star, 4, DPL_SELECT_MUTUAL), 1);
    CHECK_EQ(select_pairs(pairs, ctx, star, 4, DPL_SELECT_NEAR), 2);
    /* A second best that is far behind stays out. */
    const dpl_pair behind[] = {{0, 0, 0.50f}, {0, 1, 0.2f}, {1, 0, 0.51f}};
    CHECK_EQ(select_pairs(pairs, ctx, behind, 3, DPL_SELECT_NEAR), 1);
    test_ctx_done(ctx);
}

/* The nearest by cosine among candidates by n-grams: the counterpart, as the exact search has
 * it.
 */
DPL_TEST(ngram, the_nearest_are_those_of_the_exact_search)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c[2] = {make_side(ctx, false, 30), make_side(ctx, true, 30)};
    dpl_pairs_side sides[2];
    dpl_neighbours *exact = NULL, *found = NULL;
    for (int side = 0; side < 2; side++) {
        dpl_vectors *v = NULL;
        CHECK_OK(dpl_vectors_from_collection(&v, NULL, ctx, c[side], NULL, NULL, &test_err));
        CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, N_DOCS);
        sides[side] = (dpl_pairs_side){.vectors = v, .collection = c[side]};
    }
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = 1);
    CHECK_OK(dpl_neighbours_find(&exact, ctx, &sides[0], &sides[1], &o, &test_err));
    o.method = DPL_PAIRS_NGRAM;
    CHECK_OK(dpl_neighbours_find(&found, ctx, &sides[0], &sides[1], &o, &test_err));
    for (uint32_t row = 0; row < N_DOCS; row++) {
        CHECK_EQ(dpl_neighbours_of(found, false, row)->row, N_DOCS - 1 - row);
        CHECK(memcmp(dpl_neighbours_of(found, false, row), dpl_neighbours_of(exact, false, row),
                     sizeof(dpl_scored_row)) == 0);
        CHECK(memcmp(dpl_neighbours_of(found, true, row), dpl_neighbours_of(exact, true, row),
                     sizeof(dpl_scored_row)) == 0);
    }
    CHECK(dpl_neighbours_get_summary(found)->recall_check->recall == 1);
    CHECK(dpl_neighbours_get_summary(found)->n_scored < N_DOCS * N_DOCS / 2);
    dpl_neighbours_free(found);
    found = NULL;
    sides[1].collection = NULL;
    CHECK_EQ(dpl_neighbours_find(&found, ctx, &sides[0], &sides[1], &o, &test_err),
             DPL_E_USAGE);
    dpl_neighbours_free(exact);
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close((dpl_vectors *)sides[side].vectors);
        dpl_collection_close(c[side]);
    }
    test_ctx_done(ctx);
}

DPL_TEST(ngram, auto_takes_it_for_documents_alone)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 20), *right = make_side(ctx, true, 20);
    const dpl_pairs_side sides[2] = {{.collection = left}, {.collection = right}};
    const dpl_plan_options wanted =
        DPL_INIT(dpl_plan_options, .left = &sides[0], .right = &sides[1]);
    dpl_plan *plan = NULL;
    dpl_pairs *pairs = NULL;
    CHECK_OK(dpl_plan_make(&plan, ctx, &wanted, &test_err));
    CHECK_EQ(dpl_plan_get_summary(plan)->n_rows, 1);
    CHECK_EQ(dpl_plan_get_row(plan, 0)->method, DPL_PAIRS_NGRAM);
    CHECK(dpl_plan_get_row(plan, 0)->comparisons == 2.0 * N_DOCS * N_WORDS);
    CHECK_OK(dpl_pairs_open(&pairs, ctx, &sides[0], &sides[1], NULL, &test_err));
    CHECK_EQ(dpl_pairs_get_summary(pairs)->method, DPL_PAIRS_NGRAM);
    dpl_pairs_close(pairs);
    dpl_plan_free(plan);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, options_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 20);
    const dpl_collection *sides[] = {left, left};
    dpl_pairs *pairs = NULL;
    dpl_ngram_options ngram = DPL_INIT(dpl_ngram_options, .matching = 33);
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .ngram = &ngram);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 2, &o, &test_err), DPL_E_USAGE);
    o = (dpl_pairs_options)DPL_INIT(dpl_pairs_options, .threshold = 1.5);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 2, &o, &test_err), DPL_E_USAGE);
    o = (dpl_pairs_options)DPL_INIT(dpl_pairs_options, .ratio = 1.5);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 2, &o, &test_err), DPL_E_USAGE);
    o = (dpl_pairs_options)DPL_INIT(dpl_pairs_options);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 1, &o, &test_err), DPL_E_USAGE);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

static dpl_status find_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_collection *const *sides = user;
    dpl_pairs *pairs = NULL;
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_NEAR);
    dpl_status status = open_pairs(&pairs, ctx, sides, 2, &o, err);
    dpl_pairs_close(pairs);
    return status;
}

DPL_TEST(ngram, every_failed_allocation_is_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 20), *right = make_side(ctx, true, 20);
    const dpl_collection *sides[] = {left, right};
    test_allocation_failures(find_all, sides);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}
