/* N-gram mining: parts are the whole, whatever the threads and the memory; filters; bad input.
 */
#include "base/ctx.h"
#include "base/hash.h"
#include "base/vec.h"
#include "doppel/ngram.h"
#include "pairs/ngram/shuffle.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef DPL_VEC(dpl_pair) pairs_vec;

/* ---- collections of random words -------------------------------------------------------- */

enum { N_DOCS = 120, N_WORDS = 80 };

/* Documents k and N_DOCS - 1 - k of the other side are noisy copies. TSV: id, text. */
static dpl_collection *make_side(dpl_ctx *ctx, bool is_right, unsigned noise)
{
    dpl__rng rng = {is_right ? 11 : 5};
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
        DPL_INIT(dpl_reader_options, .format = DPL_FORMAT_TSV, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    dpl_input input = {.buffer = {text, n}};
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &input, 1, &o, &test_err));
    free(text);
    return c;
}

static dpl_status open_pairs(dpl_pairs **out, dpl_ctx *ctx, const dpl_collection *const *sides,
                             size_t n_sides, const dpl_ngram_options *o, dpl_error *err)
{
    const dpl_pairs_options options =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_NGRAM, .ngram = o);
    const dpl_pairs_side left = {.collection = sides[0]}, right = {.collection = sides[1]};
    return dpl_pairs_open(out, ctx, &left, n_sides == 2 ? &right : NULL, &options, err);
}

/* Documents numbered through both sides, as the steps have them. */
static size_t find(dpl_pair *out, dpl_ctx *ctx, const dpl_collection *const *sides,
                   const dpl_ngram_options *o, dpl_ngram_summary *summary)
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
    dpl_collection *left = make_side(ctx, false, 20), *right = make_side(ctx, true, 20);
    const dpl_collection *sides[] = {left, right};
    dpl_pair found[2 * N_DOCS];
    dpl_ngram_summary s;
    size_t n = find(found, ctx, sides, NULL, &s), n_right = 0;
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
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .matching = 2, .threshold = 0.01);
    static dpl_pair first[N_DOCS * N_DOCS], again[N_DOCS * N_DOCS];
    o.symmetry = DPL_NGRAM_ALL;
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

/* ---- parts ------------------------------------------------------------------------------- */

static int by_ngram(const void *a, const void *b)
{
    const dpl_ngram_posting *x = a, *y = b;
    if (x->ngram != y->ngram)
        return x->ngram < y->ngram ? -1 : 1;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

typedef struct engine {
    dpl_ctx *ctx;
    const dpl_ngram_options *o;
    dpl_ngram_extracted x;
    uint32_t groups[2 * N_DOCS];
    dpl_ngram_groups g;
    dpl_ngram_entry *rows[2 * N_DOCS];
    size_t n_rows[2 * N_DOCS];
    dpl_ngram_shared_list candidates;
    dpl_ngram_summary counts;
} engine;

static void extract_all(engine *e, const dpl_collection *const *sides)
{
    for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++) {
        const dpl_collection *c = sides[doc / N_DOCS];
        uint64_t words[N_WORDS];
        size_t n;
        const uint32_t *tokens = dpl_collection_tokens(c, doc % N_DOCS, &n);
        for (size_t i = 0; i < n; i++)
            words[i] = dpl_ngram_word(dpl_collection_term(c, tokens[i]));
        dpl_ngram_doc d = {doc, words, n};
        CHECK_OK(dpl_ngram_extract(&e->x, e->ctx, &d, e->o, &test_err));
        e->groups[doc] = doc / N_DOCS;
    }
    e->g = (dpl_ngram_groups){e->groups, 2 * N_DOCS, 2};
    qsort(e->x.matching.postings, e->x.matching.n, sizeof *e->x.matching.postings, by_ngram);
    qsort(e->x.scoring.postings, e->x.scoring.n, sizeof *e->x.scoring.postings, by_ngram);
}

/* The next shard: n-grams up to a bound that rises in sevenths of all fingerprints. */
static dpl_ngram_shard cut(const dpl_ngram_list *list, size_t *at, unsigned shard)
{
    uint64_t bound = shard == 6 ? UINT64_MAX : UINT64_MAX / 7 * (shard + 1);
    size_t first = *at;
    while (*at < list->n && list->postings[*at].ngram <= bound)
        ++*at;
    return (dpl_ngram_shard){list->postings + first, *at - first};
}

static void shuffle_all(engine *e)
{
    size_t m = 0, s = 0;
    for (unsigned i = 0; i < 7; i++) {
        dpl_ngram_shard shard = cut(&e->x.matching, &m, i);
        CHECK_OK(dpl_ngram_share(&e->candidates, NULL, e->ctx, &shard, &e->g, e->o, &test_err));
        shard = cut(&e->x.scoring, &s, i);
        size_t n = shard.n;
        dpl_ngram_entry *entries = malloc(n * sizeof *entries + 1);
        uint32_t *docs = malloc(n * sizeof *docs + 1);
        dpl_ngram_entries kept = {entries, docs, 0};
        CHECK_OK(dpl_ngram_fold(&kept, NULL, &shard, e->o, &test_err));
        for (size_t k = 0; k < kept.n; k++) {
            uint32_t doc = docs[k];
            if (!e->rows[doc])
                e->rows[doc] = malloc(N_WORDS * sizeof(dpl_ngram_entry));
            e->rows[doc][e->n_rows[doc]++] = entries[k];
        }
        free(entries);
        free(docs);
    }
    CHECK_OK(dpl_ngram_cap(&e->candidates, &e->counts, e->ctx, &e->g, e->o, &test_err));
}

static void score_all(engine *e, pairs_vec *out, double threshold)
{
    for (size_t i = 0; i < e->candidates.n; i++) {
        uint64_t c = e->candidates.pairs[i].pair;
        CHECK(i == 0 || c > e->candidates.pairs[i - 1].pair);
        dpl_ngram_pair p = {.left = (uint32_t)(c >> 32), .right = (uint32_t)c};
        dpl_ngram_row rows[2] = {{e->rows[p.left], e->n_rows[p.left]},
                                 {e->rows[p.right], e->n_rows[p.right]}};
        CHECK_OK(dpl_ngram_score(&p, e->ctx, rows, 2 * N_DOCS, threshold, &test_err));
        if ((double)p.score >= threshold && (double)p.disorder <= 0.8)
            CHECK(dpl__vec_push(e->ctx, out, ((dpl_pair){p.left, p.right, p.score})));
    }
}

DPL_TEST(ngram, shard_by_shard_is_the_whole)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *left = make_side(ctx, false, 30), *right = make_side(ctx, true, 30);
    const dpl_collection *sides[] = {left, right};
    dpl_ngram_options o =
        DPL_INIT(dpl_ngram_options, .matching = 2, .threshold = 0.05, .max_candidates = 2);
    engine e = {.ctx = ctx, .o = &o};
    pairs_vec pairs = {0};
    extract_all(&e, sides);
    shuffle_all(&e);
    score_all(&e, &pairs, o.threshold);
    dpl_pair_list all = {pairs.data, pairs.n, pairs.n};
    CHECK_OK(dpl_ngram_select(&all, ctx, &e.g, &o, &test_err));
    size_t n = all.n;
    dpl_pair whole[2 * N_DOCS];
    dpl_ngram_summary s;
    CHECK_EQ(find(whole, ctx, sides, &o, &s), n);
    CHECK(s.n_capped > 0 && s.n_capped == e.counts.n_capped);
    CHECK_EQ(s.n_candidates, e.candidates.n);
    CHECK(n > N_DOCS / 2 && memcmp(whole, pairs.data, n * sizeof *whole) == 0);
    for (size_t i = 0; i < 2 * N_DOCS; i++)
        free(e.rows[i]);
    dpl__vec_clear(ctx, &pairs);
    dpl_ngram_shared_list_clear(&e.candidates, ctx);
    dpl_ngram_extracted_clear(&e.x, ctx);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

/* ---- two processes ------------------------------------------------------------------------
 */

static void put(const char *name, unsigned k, const void *data, size_t n)
{
    char path[40];
    snprintf(path, sizeof path, "%s-%u", name, k);
    FILE *f = fopen(test_path(path), "wb");
    if (!f || (n && fwrite(data, 1, n, f) != n) || fclose(f))
        _exit(1);
}

/* Both files, one behind the other. */
static void *get(const char *name, size_t *n)
{
    char path[40];
    char *all = NULL;
    *n = 0;
    for (unsigned k = 0; k < 2; k++) {
        size_t some;
        snprintf(path, sizeof path, "%s-%u", name, k);
        char *part = test_read(test_path(path), &some);
        all = realloc(all, *n + some + 1);
        memcpy(all + *n, part, some);
        *n += some;
        free(part);
    }
    return all;
}

/* One process: the n-grams of every other document. */
static void map_docs(engine *e, unsigned k, const dpl_collection *const *sides)
{
    for (uint32_t doc = k; doc < 2 * N_DOCS; doc += 2) {
        uint64_t words[N_WORDS];
        size_t n;
        const dpl_collection *c = sides[doc / N_DOCS];
        const uint32_t *tokens = dpl_collection_tokens(c, doc % N_DOCS, &n);
        for (size_t i = 0; i < n; i++)
            words[i] = dpl_ngram_word(dpl_collection_term(c, tokens[i]));
        dpl_ngram_doc d = {doc, words, n};
        if (dpl_ngram_extract(&e->x, e->ctx, &d, e->o, NULL) != DPL_OK)
            _exit(1);
    }
    put("matching", k, e->x.matching.postings, e->x.matching.n * sizeof(dpl_ngram_posting));
    put("scoring", k, e->x.scoring.postings, e->x.scoring.n * sizeof(dpl_ngram_posting));
}

/* One process: n-grams of one parity, from the files of both. */
static dpl_ngram_shard take_shard(const char *name, unsigned k)
{
    size_t n, n_kept = 0;
    dpl_ngram_posting *all = get(name, &n);
    n /= sizeof *all;
    for (size_t i = 0; i < n; i++)
        if (all[i].ngram % 2 == k)
            all[n_kept++] = all[i];
    qsort(all, n_kept, sizeof *all, by_ngram);
    return (dpl_ngram_shard){all, n_kept};
}

static void join_shard(engine *e, unsigned k, const dpl_collection *const *sides)
{
    (void)sides;
    dpl_ngram_shard m = take_shard("matching", k), s = take_shard("scoring", k);
    dpl_ngram_entries kept = {malloc(s.n * sizeof(dpl_ngram_entry) + 1), malloc(s.n * 4 + 1),
                              0};
    if (dpl_ngram_share(&e->candidates, NULL, e->ctx, &m, &e->g, e->o, NULL) != DPL_OK ||
        dpl_ngram_fold(&kept, NULL, &s, e->o, NULL) != DPL_OK)
        _exit(1);
    put("pairs", k, e->candidates.pairs, e->candidates.n * sizeof(dpl_ngram_shared));
    put("entries", k, kept.entries, kept.n * sizeof *kept.entries);
    put("docs", k, kept.docs, kept.n * sizeof *kept.docs);
}

static void in_two_processes(engine *e,
                             void (*work)(engine *, unsigned, const dpl_collection *const *),
                             const dpl_collection *const *sides)
{
    pid_t children[2];
    for (unsigned k = 0; k < 2; k++)
        if ((children[k] = fork()) == 0) {
            work(e, k, sides);
            _exit(0);
        }
    for (unsigned k = 0; k < 2; k++) {
        int status = 1;
        CHECK_EQ(waitpid(children[k], &status, 0), children[k]);
        CHECK_EQ(status, 0);
    }
}

static int by_entry(const void *a, const void *b)
{
    const dpl_ngram_entry *x = a, *y = b;
    return x->ngram < y->ngram ? -1 : x->ngram > y->ngram;
}

/* The shuffle by document, and what follows it. */
static void join_all(engine *e, pairs_vec *out, double threshold)
{
    size_t n, n_docs;
    dpl_ngram_shared *shared = get("pairs", &n);
    for (size_t i = 0; i < 2 * N_DOCS; i++)
        e->rows[i] = malloc(N_WORDS * sizeof(dpl_ngram_entry));
    dpl_ngram_shared_list list = {shared, n / sizeof *shared, n / sizeof *shared};
    CHECK_OK(dpl_ngram_cap(&list, NULL, e->ctx, &e->g, e->o, &test_err));
    e->candidates = list;
    dpl_ngram_entry *entries = get("entries", &n);
    uint32_t *docs = get("docs", &n_docs);
    for (size_t i = 0; i < n_docs / sizeof *docs; i++)
        e->rows[docs[i]][e->n_rows[docs[i]]++] = entries[i];
    for (size_t i = 0; i < 2 * N_DOCS; i++)
        qsort(e->rows[i], e->n_rows[i], sizeof **e->rows, by_entry);
    score_all(e, out, threshold);
    free(docs);
    free(entries);
    free(shared);
    e->candidates = (dpl_ngram_shared_list){0};
}

DPL_TEST(ngram, two_processes_find_the_pairs_of_one)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 30), *right = make_side(ctx, true, 30);
    const dpl_collection *sides[] = {left, right};
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .matching = 2, .threshold = 0.05);
    engine e = {.ctx = ctx, .o = &o};
    pairs_vec pairs = {0};
    for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++)
        e.groups[doc] = doc / N_DOCS;
    e.g = (dpl_ngram_groups){e.groups, 2 * N_DOCS, 2};
    in_two_processes(&e, map_docs, sides);
    in_two_processes(&e, join_shard, sides);
    join_all(&e, &pairs, o.threshold);
    dpl_pair_list all = {pairs.data, pairs.n, pairs.n};
    CHECK_OK(dpl_ngram_select(&all, ctx, &e.g, &o, &test_err));
    dpl_pair whole[2 * N_DOCS];
    CHECK_EQ(find(whole, ctx, sides, &o, NULL), all.n);
    CHECK(all.n > N_DOCS / 2 && memcmp(whole, all.pairs, all.n * sizeof *whole) == 0);
    for (size_t i = 0; i < 2 * N_DOCS; i++)
        free(e.rows[i]);
    dpl__vec_clear(ctx, &pairs);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

/* Every document shares 40 n-grams with its translation, and one with all others. */
DPL_TEST(ngram, candidates_that_share_little_are_not_scored)
{
    dpl_ctx *ctx = test_ctx(1);
    enum { N = 30 };
    uint32_t group_of[2 * N];
    dpl_ngram_shared all[N * N];
    for (uint32_t i = 0; i < 2 * N; i++)
        group_of[i] = i / N;
    dpl_ngram_groups g = {group_of, 2 * N, 2};
    for (uint64_t i = 0; i < N * N; i++)
        all[i] = (dpl_ngram_shared){i / N << 32 | (N + i % N), i / N == i % N ? 40 : 1, 0};
    dpl_ngram_shared_list list = {all, N * N, N * N};
    dpl_ngram_summary counts = {0};
    CHECK_OK(dpl_ngram_cap(&list, &counts, ctx, &g, NULL, &test_err));
    CHECK(list.n == N && counts.n_capped == N * N - N);
    for (size_t i = 0; i < N; i++)
        CHECK(all[i].n_shared == 40);
    /* Among equals some stay, about as many as are wanted. */
    dpl_ngram_options ten = DPL_INIT(dpl_ngram_options, .max_candidates = 10);
    for (uint64_t i = 0; i < N * N; i++)
        all[i] = (dpl_ngram_shared){i / N << 32 | (N + i % N), 1, 0};
    list.n = N * N;
    CHECK_OK(dpl_ngram_cap(&list, NULL, ctx, &g, &ten, &test_err));
    CHECK(list.n > 6 * N && list.n < 20 * N);
    all[0].n_shared = 0;
    CHECK_EQ(dpl_ngram_cap(&list, NULL, ctx, &g, NULL, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, postings_out_of_order_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_ngram_posting postings[] = {{5, 1, 0}, {5, 0, 0}},
                            other[] = {{5, 0, 0}, {5, 9, 0}};
    const uint32_t group_of[2] = {0, 1};
    dpl_ngram_groups g = {group_of, 2, 2};
    dpl_ngram_shared_list out = {0};
    dpl_ngram_shard shard = {postings, 2};
    CHECK_EQ(dpl_ngram_share(&out, NULL, ctx, &shard, &g, NULL, &test_err), DPL_E_USAGE);
    shard.postings = other;
    CHECK_EQ(dpl_ngram_share(&out, NULL, ctx, &shard, &g, NULL, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- filters ------------------------------------------------------------------------------
 */

DPL_TEST(ngram, one_word_a_million_times_is_one_ngram)
{
    dpl_ctx *ctx = test_ctx(1);
    enum { MILLION = 1000000 };
    uint64_t *words = malloc(MILLION * sizeof *words);
    for (size_t i = 0; i < MILLION; i++)
        words[i] = dpl_ngram_word(DPL_STR("word"));
    dpl_ngram_extracted x = {0};
    dpl_ngram_doc doc = {0, words, MILLION};
    CHECK_OK(dpl_ngram_extract(&x, ctx, &doc, NULL, &test_err));
    CHECK_EQ(x.matching.n, 1);
    CHECK_EQ(x.scoring.n, 1);
    CHECK_EQ(x.scoring.postings[0].place, 0);
    free(words);
    dpl_ngram_extracted_clear(&x, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, a_book_keeps_the_lowest_fingerprints)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t words[2000];
    for (size_t i = 0; i < DPL_LEN(words); i++)
        words[i] = dpl__mix(i);
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .max_per_doc = 10);
    dpl_ngram_extracted few = {0}, all = {0}, sampled = {0};
    dpl_ngram_doc doc = {0, words, DPL_LEN(words)};
    CHECK_OK(dpl_ngram_extract(&few, ctx, &doc, &o, &test_err));
    CHECK_OK(dpl_ngram_extract(&all, ctx, &doc, NULL, &test_err));
    CHECK_EQ(few.matching.n, 10);
    CHECK_EQ(few.n_unsampled, DPL_LEN(words) - 4 - 10);
    qsort(all.matching.postings, all.matching.n, sizeof *all.matching.postings, by_ngram);
    for (size_t i = 0; i < few.matching.n; i++)
        CHECK(few.matching.postings[i].ngram == all.matching.postings[i].ngram);
    o = (dpl_ngram_options)DPL_INIT(dpl_ngram_options, .sample_bits = 4);
    CHECK_OK(dpl_ngram_extract(&sampled, ctx, &doc, &o, &test_err));
    CHECK(sampled.matching.n > 80 && sampled.matching.n < 180); /* one in 16 of 1996 */
    dpl_ngram_extracted_clear(&few, ctx);
    dpl_ngram_extracted_clear(&all, ctx);
    dpl_ngram_extracted_clear(&sampled, ctx);
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
        const dpl_ngram_posting two[] = {{(uint64_t)7 << 56, doc, 0}, {dpl__mix(doc), doc, 0}};
        CHECK_OK(dpl__shuffle_add(s, two, 2, &test_err));
    }
    CHECK_OK(dpl__shuffle_sort(s, &test_err));
    const dpl_ngram_posting *list;
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
    dpl_ngram_entry left[N], same[N], turned[N];
    for (uint32_t i = 0; i < N; i++) {
        left[i] = (dpl_ngram_entry){i, i, 2};
        same[i] = (dpl_ngram_entry){i, 3 * i, 2};
        turned[i] = (dpl_ngram_entry){i, N - i, 2};
    }
    dpl_ngram_row ordered[] = {{left, N}, {same, N}}, reversed[] = {{left, N}, {turned, N}};
    dpl_ngram_pair p = {0};
    CHECK_OK(dpl_ngram_score(&p, ctx, ordered, 1000, 0.1, &test_err));
    CHECK(fabs((double)p.score - 1) < 1e-6 && p.disorder == 0);
    CHECK_OK(dpl_ngram_score(&p, ctx, reversed, 1000, 0.1, &test_err));
    CHECK(fabs((double)p.disorder - 0.99) < 1e-6);
    test_ctx_done(ctx);
}

static size_t select_pairs(dpl_pair *pairs, size_t n, dpl_ctx *ctx, const dpl_ngram_groups *g,
                           const dpl_ngram_options *o)
{
    dpl_pair_list all = {pairs, n, n};
    CHECK_OK(dpl_ngram_select(&all, ctx, g, o, &test_err));
    return all.n;
}

/* Two near-duplicates on either side, each nearest to the wrong one in a circle. */
DPL_TEST(ngram, near_duplicates_keep_a_partner)
{
    dpl_ctx *ctx = test_ctx(1);
    const uint32_t group_of[] = {0, 0, 1, 1};
    dpl_ngram_groups g = {group_of, 4, 2};
    const dpl_pair circle[] = {{0, 2, 0.50f}, {0, 3, 0.52f}, {1, 2, 0.53f}, {1, 3, 0.51f}};
    dpl_pair pairs[4];
    dpl_ngram_options plain = DPL_INIT(dpl_ngram_options, .symmetry = DPL_NGRAM_PLAIN);
    size_t n;
    memcpy(pairs, circle, sizeof pairs);
    n = select_pairs(pairs, 4, ctx, &g, NULL);
    CHECK_EQ(n, 2);
    CHECK(pairs[0].right == 3 && pairs[1].right == 2);
    /* One of them is nearest to the same document as the other: plain drops it. */
    const dpl_pair star[] = {{0, 2, 0.50f}, {0, 3, 0.49f}, {1, 2, 0.51f}, {1, 3, 0.48f}};
    memcpy(pairs, star, sizeof pairs);
    n = select_pairs(pairs, 4, ctx, &g, &plain);
    CHECK_EQ(n, 1);
    memcpy(pairs, star, sizeof pairs);
    n = select_pairs(pairs, 4, ctx, &g, NULL);
    CHECK_EQ(n, 2);
    /* A second best that is far behind stays out. */
    memcpy(pairs, star, sizeof pairs);
    pairs[1].score = 0.2f;
    n = select_pairs(pairs, 3, ctx, &g, NULL);
    CHECK_EQ(n, 1);
    test_ctx_done(ctx);
}

DPL_TEST(ngram, options_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *left = make_side(ctx, false, 20);
    const dpl_collection *sides[] = {left, left};
    dpl_pairs *pairs = NULL;
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .matching = 33);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 2, &o, &test_err), DPL_E_USAGE);
    o = (dpl_ngram_options)DPL_INIT(dpl_ngram_options, .threshold = 1.5);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 2, &o, &test_err), DPL_E_USAGE);
    CHECK_EQ(open_pairs(&pairs, ctx, sides, 1, NULL, &test_err), DPL_E_USAGE);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

static dpl_status find_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_collection *const *sides = user;
    dpl_pairs *pairs = NULL;
    dpl_status status = open_pairs(&pairs, ctx, sides, 2, NULL, err);
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
