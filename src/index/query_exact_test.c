#include "index/pocket_test.h"

#include <math.h>

/* ---- all documents, one by one ----------------------------------------------------------- */

static int by_score(const void *a, const void *b)
{
    const dpl_query_hit *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* Scores of all documents but the question itself, best first; of score 0 none. */
static size_t all_scores(dpl_query *q, dpl_query_hit *out)
{
    size_t n = 0;
    for (uint32_t row = 0; row < q->index->n_docs; row++) {
        uint32_t n_shared;
        const float score = dpl__query_score(q, row, &n_shared);
        if (row != q->own_row && score > 0)
            out[n++] = (dpl_query_hit){.row = row, .score = score, .n_terms = n_shared};
    }
    qsort(out, n, sizeof *out, by_score);
    return n;
}

/* Every hit has its score, and all documents at or above `complete` are hits, unless there are
 * as many hits that are better. */
static void check_answer(dpl_query *q, const dpl_query_result *r, double threshold)
{
    dpl_query_hit *all = malloc((q->index->n_docs + 1) * sizeof *all);
    const size_t n = all_scores(q, all);
    CHECK(r->n_hits <= q->o.top && r->n_hits <= r->n_candidates);
    for (size_t i = 0; i < r->n_hits; i++) {
        size_t k = 0;
        while (k < n && all[k].row != r->hits[i].row)
            k++;
        CHECK(k < n && all[k].score == r->hits[i].score);
        CHECK_EQ(all[k].n_terms, r->hits[i].n_terms);
        CHECK((double)r->hits[i].score >= threshold);
    }
    const double least = fmax(r->complete, threshold);
    for (size_t i = 0; i < n && i < q->o.top && (double)all[i].score >= least; i++)
        CHECK(i < r->n_hits && r->hits[i].row == all[i].row);
    free(all);
}

/* ---- budgets ----------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Documents of each word of the question, rising, and all of them. */
static size_t list_sizes(const dpl_query *q, uint64_t *sizes, uint64_t *sum)
{
    size_t n = 0;
    *sum = 0;
    for (size_t i = 0; i < q->words.n; i++) {
        if (q->words.data[i].term == DPL__NO_WORD)
            continue;
        sizes[n] = dpl__post_list_get(q->index, q->words.data[i].term).n_docs;
        *sum += sizes[n++];
    }
    qsort(sizes, n, sizeof *sizes, by_size);
    return n;
}

DPL_TEST(query_exact, postings_are_read_of_rare_words_first_and_within_the_budget)
{
    static const uint64_t budgets[] = {1, 2, 10, 40, 160, 640, 2560, 1000000};
    static const unsigned tops[] = {1, 4, 10, 1000};
    dpl_ctx *ctx = test_ctx(2);
    const drawn_docs docs = {.n = 500, .n_words = 40, .seed = 21};
    const dpl_index_options build = DPL_INIT(dpl_index_options, .sample = 1);
    dpl_index *x = drawn_pocket(ctx, &docs, &build);
    size_t n_partial = 0, n_complete = 0;
    for (size_t k = 0; k < DPL_LEN(budgets) * DPL_LEN(tops); k++) {
        const uint64_t budget = budgets[k / DPL_LEN(tops)];
        const dpl_query_options o =
            DPL_INIT(dpl_query_options, .method = k % 2 ? DPL_QUERY_POSTINGS : DPL_QUERY_AUTO,
                     .budget = budget, .top = tops[k % DPL_LEN(tops)], .threshold = 0.05);
        dpl_query *q = new_query(x, &o);
        for (uint32_t row = 0; row < docs.n; row += 41) {
            uint64_t sizes[64], sum, prefix = 0;
            const dpl_query_result r = ask_row(q, row);
            const size_t n = list_sizes(q, sizes, &sum);
            size_t n_read = 0;
            while (n_read < n && prefix < r.n_postings)
                prefix += sizes[n_read++];
            CHECK_EQ(prefix, r.n_postings);
            CHECK(n_read > 0 && (n_read == 1 || r.n_postings <= 2 * budget));
            CHECK(budget < 1000000 || o.top < 1000 || r.method == DPL_QUERY_EXACT);
            CHECK((r.method == DPL_QUERY_EXACT) == (r.complete == 0));
            check_answer(q, &r, 0.05);
            n_partial += n_read < n;
            n_complete += n_read == n;
        }
        dpl_query_free(q);
    }
    CHECK(n_partial > 50 && n_complete > 50);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* So many postings that the threshold rises while they are read, and documents are
 * forgotten. */
DPL_TEST(query_exact, the_best_of_many_documents_are_those_of_all_comparisons)
{
    static const unsigned tops[] = {1, 5, 40};
    static const double thresholds[] = {0.02, 0.3, 0.6};
    dpl_ctx *ctx = test_ctx(2);
    const drawn_docs docs = {.n = 3000, .n_words = 30, .n_copies = 9, .seed = 22};
    const dpl_index_options build = DPL_INIT(dpl_index_options, .sample = 1);
    dpl_index *x = drawn_pocket(ctx, &docs, &build);
    size_t n_early = 0, n_all = 0;
    for (size_t k = 0; k < DPL_LEN(tops) * DPL_LEN(thresholds); k++) {
        const double threshold = thresholds[k / DPL_LEN(tops)];
        const dpl_query_options o =
            DPL_INIT(dpl_query_options, .method = DPL_QUERY_EXACT,
                     .top = tops[k % DPL_LEN(tops)], .threshold = threshold);
        dpl_query *q = new_query(x, &o);
        for (uint32_t row = 1; row < docs.n; row += 600) {
            uint64_t sizes[64], sum;
            const dpl_query_result r = ask_row(q, row);
            CHECK_EQ(r.method, DPL_QUERY_EXACT);
            (void)list_sizes(q, sizes, &sum);
            CHECK(r.n_postings <= sum);
            CHECK(r.n_verified <= r.n_candidates && r.n_candidates < docs.n / 2);
            check_answer(q, &r, threshold);
            n_early += r.n_postings < sum;
            n_all += sum > 4096;
        }
        dpl_query_free(q);
    }
    CHECK(n_early > 10 && n_all > 30);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- damage ------------------------------------------------------------------------ */

/* What a file says of a list is read as far as it can be: widths beyond 32 bits and documents
 * beyond the last one end it. */
DPL_TEST(query_exact, lists_of_impossible_bytes_end_where_they_are_impossible)
{
    dpl_ctx *ctx = test_ctx(1);
    const drawn_docs docs = {.n = 90, .n_words = 30, .seed = 23};
    dpl_index *x = drawn_pocket(ctx, &docs, NULL);
    const size_t n_bytes = (size_t)dpl__post_place(x, x->n_terms) + DPL__SLACK;
    const uint8_t *good = x->post_bytes;
    uint8_t *bad = malloc(n_bytes); /* of its own, so that sanitizers see the end */
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .method = DPL_QUERY_EXACT, .threshold = 0.01, .top = 1000);
    dpl_query *q = new_query(x, &o);
    static const uint8_t widths[] = {33, 40, 200, 255, 32, 31};
    for (size_t w = 0; w < DPL_LEN(widths); w++) {
        memcpy(bad, good, n_bytes);
        for (uint32_t t = 0; t < x->n_terms; t++) /* the width is the first byte of a list */
            if (dpl__post_place(x, t) < dpl__post_place(x, t + 1))
                bad[dpl__post_place(x, t)] = widths[w];
        x->post_bytes = bad;
        const dpl_query_result r = ask_row(q, 3);
        x->post_bytes = good;
        CHECK_EQ(r.n_hits, 0); /* wider than the list is long */
    }
    dpl_query_free(q);
    free(bad);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- many words -------------------------------------------------------------------- */

/* More words than bits of the filter of a question's words: some share a bit. */
DPL_TEST(query_exact, words_of_a_long_document_are_told_from_those_of_the_question)
{
    enum { N = 40000, N_SHARED = 12, N_OTHER = 300 };
    dpl_ctx *ctx = test_ctx(1);
    char *json = malloc(N * 10), *at = json;
    at += sprintf(at, "{\"id\":\"long\",\"lang\":\"en\",\"text\":\"");
    for (unsigned i = 0; i < N; i++)
        at += sprintf(at, "a%u ", i);
    at += sprintf(at, "\"}\n{\"id\":\"other\",\"lang\":\"en\",\"text\":\"");
    for (unsigned i = 0; i < N_OTHER; i++)
        at += i < N_SHARED ? sprintf(at, "a%u ", i * 3000) : sprintf(at, "b%u ", i);
    at += sprintf(at, "\"}\n");
    dpl_index *x = pocket_of(ctx, test_write("l.jsonl", json, (size_t)(at - json)), NULL);
    free(json);
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .threshold = 1e-6, .method = DPL_QUERY_EXACT);
    dpl_query *q = new_query(x, &o);
    for (uint32_t row = 0; row < 2; row++) {
        const dpl_query_result r = ask_row(q, row);
        CHECK_EQ(r.n_hits, 1);
        CHECK_EQ(r.hits[0].n_terms, N_SHARED);
        CHECK(r.n_known == (row ? N_OTHER : N));
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}
