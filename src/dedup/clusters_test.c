#include "dedup/clusters.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "dedup/dedup_search.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- documents and edges made up ------------------------------------------------------ */

enum { MOST_DOCS = 48, MOST_WORDS = 30 };

/* Documents in their rows, as a run has them. */
typedef struct docs {
    dpl_ctx *ctx;
    char json[MOST_DOCS * (MOST_WORDS * 8 + 100)];
    dpl__inputs in;
    dpl_collection *c;
    dpl__sets sets;
    dpl__dedup_docs rows;
    double year[MOST_DOCS]; /* a field */
    size_t n_words[MOST_DOCS];
    uint32_t n;
} docs;

static size_t put_docs(docs *d, char *to, size_t first, size_t end, dpl__rng *rng)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        const size_t of = i && dpl__rng_below(rng, 4) == 0 ? dpl__rng_below(rng, i) : i;
        d->year[i] = (double)(1900 + dpl__rng_below(rng, 9));
        d->n_words[i] = of == i ? 6 + dpl__rng_below(rng, MOST_WORDS - 6) : d->n_words[of];
        n += (size_t)sprintf(to + n,
                             "{\"id\":\"d%02zu\",\"lang\":\"en\",\"year\":%.0f,\"text\":\"",
                             (i * 29) % 97, d->year[i]);
        for (size_t k = 0; k < d->n_words[i]; k++) /* a copy has the words of another one */
            n += (size_t)sprintf(to + n, "%sw%06zu", k ? " " : "", of * 100 + k);
        n += (size_t)sprintf(to + n, "\"}\n");
    }
    return n;
}

/* n_new documents of the first input, the others of a second one. */
static docs *docs_make(uint32_t n, uint32_t n_new, dpl__rng *rng)
{
    docs *d = calloc(1, sizeof *d);
    d->ctx = test_ctx(2);
    d->n = n;
    const size_t n_first = put_docs(d, d->json, 0, n_new, rng),
                 n_more = put_docs(d, d->json + n_first, n_new, n, rng);
    const dpl_input in[] = {{.buffer = {d->json, n_first}, .name = "new"},
                            {.buffer = {d->json + n_first, n_more}, .name = "old"}};
    const dpl_import_options o = DPL_INIT(dpl_import_options, .number_inputs = true);
    CHECK_OK(dpl__inputs_open(&d->in, d->ctx, in, 2, &test_err));
    CHECK_OK(dpl_collection_from_inputs(&d->c, NULL, d->ctx, d->in.data, 2, &o, &test_err));
    CHECK_OK(dpl__sets_init(&d->sets, d->ctx, d->c, 5, &test_err));
    CHECK_OK(dpl__dedup_docs_init(&d->rows, &d->sets, &d->in, 1, &test_err));
    CHECK_EQ(d->rows.n_docs, n);
    CHECK_EQ(d->rows.n_new, n_new);
    return d;
}

static void docs_free(docs *d)
{
    dpl__dedup_docs_clear(&d->rows);
    dpl__sets_clear(&d->sets);
    dpl_collection_close(d->c);
    dpl__inputs_close(&d->in);
    test_ctx_done(d->ctx);
    free(d);
}

static void make_edges(dpl__edges *edges, const docs *d, size_t n, dpl__rng *rng)
{
    edges->n = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = (uint32_t)dpl__rng_below(rng, d->rows.n_rows),
                       b = (uint32_t)dpl__rng_below(rng, d->rows.n_rows);
        const dpl_dedup_edge e = {.left = a < b ? a : b,
                                  .right = a < b ? b : a,
                                  .score = (float)dpl__rng_below(rng, 101) / 100,
                                  .kind = dpl__rng_below(rng, 5) ? DPL_EDGE_NEAR
                                                                 : DPL_EDGE_TRANSLATION};
        if (a != b)
            CHECK(dpl__vec_push(d->ctx, edges, e));
    }
    dpl__edges_sort(edges);
}

/* ---- naive ------------------------------------------------------------------------------ */

static bool joins(const dpl_dedup_edge *e, const dpl__cluster_rule *rule)
{
    return (double)e->score >=
           (e->kind == DPL_EDGE_TRANSLATION ? rule->translation : rule->threshold) - 1e-6;
}

/* Labels of rows, spread over edges until nothing changes. */
static void label(uint32_t *labels, const docs *d, const dpl__edges *edges,
                  const dpl__cluster_rule *rule)
{
    bool has_changed = true;
    for (uint32_t row = 0; row < d->rows.n_rows; row++)
        labels[row] = row;
    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < edges->n; i++) {
            const dpl_dedup_edge *e = &edges->data[i];
            uint32_t *a = &labels[e->left], *b = &labels[e->right];
            if (!joins(e, rule) || *a == *b)
                continue;
            *a = *b = *a < *b ? *a : *b;
            has_changed = true;
        }
    }
}

/* Is a kept rather than b? Ids have no common order with numbers of documents. */
static bool is_kept_rather(const docs *d, uint32_t a, uint32_t b, dpl_dedup_keep keep)
{
    const dpl_str x = dpl__dedup_bare_id(&d->rows, a), y = dpl__dedup_bare_id(&d->rows, b);
    const int by_id = dpl__str_cmp(x, y);
    if ((a < d->rows.n_new) != (b < d->rows.n_new))
        return a >= d->rows.n_new;
    if (keep == DPL_KEEP_FIRST)
        return a < b;
    if (keep == DPL_KEEP_LONGEST && d->n_words[a] != d->n_words[b])
        return d->n_words[a] > d->n_words[b];
    if (keep != DPL_KEEP_LONGEST && d->year[a] != d->year[b])
        return d->year[a] > d->year[b];
    return by_id ? by_id < 0 : a < b;
}

static void check_components(const docs *d, const dpl__edges *edges,
                             const dpl__cluster_rule *rule, const dpl__clusters *c)
{
    uint32_t labels[MOST_DOCS];
    label(labels, d, edges, rule);
    for (uint32_t a = 0; a < d->n; a++) {
        uint32_t best = a;
        for (uint32_t b = 0; b < d->n; b++)
            if (labels[d->rows.row_of[a]] == labels[d->rows.row_of[b]]) {
                CHECK_EQ(c->root[d->rows.row_of[a]], c->root[d->rows.row_of[b]]);
                best = is_kept_rather(d, b, best, rule->keep) ? b : best;
            } else {
                CHECK(c->root[d->rows.row_of[a]] != c->root[d->rows.row_of[b]]);
            }
        CHECK(a >= d->rows.n_new || c->center[a] == best);
    }
}

/* ---- tests ------------------------------------------------------------------------------ */

DPL_TEST(clusters, components_are_those_of_labels_that_spread)
{
    dpl__rng rng = {5};
    for (int round = 0; round < 60; round++) {
        const uint32_t n = 2 + (uint32_t)dpl__rng_below(&rng, MOST_DOCS - 1),
                       n_new = 1 + (uint32_t)dpl__rng_below(&rng, n);
        docs *d = docs_make(n, n_new, &rng);
        dpl__edges edges = {0};
        make_edges(&edges, d, dpl__rng_below(&rng, 2 * n), &rng);
        for (dpl_dedup_keep keep = DPL_KEEP_LONGEST; keep <= DPL_KEEP_HIGHEST; keep++) {
            const dpl__cluster_rule rule = {
                .threshold = 0.4, .translation = 0.7, .keep = keep, .field = "year"};
            dpl__clusters c = {0};
            CHECK_OK(dpl__clusters_make(&c, &d->rows, &edges, &rule, &test_err));
            check_components(d, &edges, &rule, &c);
            dpl__clusters_clear(&c);
        }
        dpl__vec_clear(d->ctx, &edges);
        docs_free(d);
    }
}

/* The edge between the rows of two documents, if it joins them. */
static const dpl_dedup_edge *edge_of(const docs *d, const dpl__edges *edges, uint32_t a,
                                     uint32_t b, const dpl__cluster_rule *rule)
{
    const uint32_t x = d->rows.row_of[a], y = d->rows.row_of[b];
    for (size_t i = 0; i < edges->n; i++) {
        const dpl_dedup_edge *e = &edges->data[i];
        if (joins(e, rule) && e->left == (x < y ? x : y) && e->right == (x < y ? y : x))
            return e;
    }
    return NULL;
}

DPL_TEST(clusters, a_star_removes_only_documents_that_resemble_the_kept_one)
{
    dpl__rng rng = {6};
    for (int round = 0; round < 60; round++) {
        const uint32_t n = 2 + (uint32_t)dpl__rng_below(&rng, MOST_DOCS - 1);
        docs *d = docs_make(n, n, &rng);
        dpl__edges edges = {0};
        const dpl__cluster_rule rule = {
            .threshold = 0.4, .translation = 0.7, .linkage = DPL_LINK_STAR};
        dpl__clusters c = {0};
        make_edges(&edges, d, dpl__rng_below(&rng, 2 * n), &rng);
        CHECK_OK(dpl__clusters_make(&c, &d->rows, &edges, &rule, &test_err));
        for (uint32_t a = 0; a < n; a++) {
            const uint32_t center = c.center[a];
            CHECK_EQ(c.center[center], center);
            if (a == center)
                continue;
            const dpl_dedup_edge *e = edge_of(d, &edges, a, center, &rule);
            const bool is_copy = d->rows.row_of[a] == d->rows.row_of[center];
            CHECK(is_copy || e);
            CHECK_EQ(c.kind[a], is_copy ? DPL_EDGE_COPY : (dpl_dedup_kind)e->kind);
            CHECK(is_copy ? c.score[a] == 1 : c.score[a] == e->score);
        }
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < a; b++)
                if (c.center[a] == a && c.center[b] == b)
                    CHECK(d->rows.row_of[a] != d->rows.row_of[b]);
        dpl__clusters_clear(&c);
        dpl__vec_clear(d->ctx, &edges);
        docs_free(d);
    }
}

DPL_TEST(clusters, only_against_removes_what_resembles_an_old_document_itself)
{
    dpl__rng rng = {7};
    for (int round = 0; round < 60; round++) {
        const uint32_t n = 3 + (uint32_t)dpl__rng_below(&rng, MOST_DOCS - 2),
                       n_new = 1 + (uint32_t)dpl__rng_below(&rng, n - 1);
        docs *d = docs_make(n, n_new, &rng);
        dpl__edges edges = {0};
        const dpl__cluster_rule rule = {
            .threshold = 0.4, .translation = 0.7, .only_against = true};
        dpl__clusters c = {0};
        make_edges(&edges, d, dpl__rng_below(&rng, 2 * n), &rng);
        CHECK_OK(dpl__clusters_make(&c, &d->rows, &edges, &rule, &test_err));
        for (uint32_t a = 0; a < n_new; a++) {
            bool is_removed = false;
            for (uint32_t old = n_new; old < n; old++)
                is_removed |= d->rows.row_of[a] == d->rows.row_of[old] ||
                              edge_of(d, &edges, a, old, &rule) != NULL;
            CHECK_EQ(c.center[a] != a, is_removed);
            CHECK(!is_removed || c.center[a] >= n_new);
        }
        dpl__clusters_clear(&c);
        dpl__vec_clear(d->ctx, &edges);
        docs_free(d);
    }
}

DPL_TEST(clusters, sorted_edges_have_each_pair_once_and_the_best_of_it)
{
    dpl__rng rng = {8};
    dpl_ctx *ctx = test_ctx(1);
    for (int round = 0; round < 100; round++) {
        dpl__edges edges = {0}, sorted = {0};
        for (size_t n = dpl__rng_below(&rng, 60); n > 0; n--) {
            const uint32_t left = (uint32_t)dpl__rng_below(&rng, 6);
            const dpl_dedup_edge e = {.left = left,
                                      .right = left + 1 + (uint32_t)dpl__rng_below(&rng, 3),
                                      .score = (float)dpl__rng_below(&rng, 10) / 10,
                                      .kind = dpl__rng_below(&rng, 2) ? DPL_EDGE_NEAR
                                                                      : DPL_EDGE_TRANSLATION};
            CHECK(dpl__vec_push(ctx, &edges, e) && dpl__vec_push(ctx, &sorted, e));
        }
        dpl__edges_sort(&sorted);
        for (size_t i = 0; i < sorted.n; i++) {
            const dpl_dedup_edge *e = &sorted.data[i], *before = i ? e - 1 : NULL;
            CHECK(!before || before->left < e->left ||
                  (before->left == e->left && before->right < e->right));
        }
        for (size_t i = 0; i < edges.n; i++) {
            const dpl_dedup_edge *e = &edges.data[i], *found = NULL;
            for (size_t k = 0; k < sorted.n; k++)
                if (sorted.data[k].left == e->left && sorted.data[k].right == e->right)
                    found = &sorted.data[k];
            CHECK(found && (found->kind < e->kind ||
                            (found->kind == e->kind && found->score >= e->score)));
        }
        dpl__vec_clear(ctx, &edges, &sorted);
    }
    test_ctx_done(ctx);
}

DPL_TEST(clusters, rows_are_documents_with_the_same_words)
{
    dpl__rng rng = {9};
    for (int round = 0; round < 20; round++) {
        docs *d = docs_make(MOST_DOCS, MOST_DOCS / 2, &rng);
        uint32_t n_docs = 0;
        for (uint32_t a = 0; a < d->n; a++)
            for (uint32_t b = 0; b < d->n; b++) {
                size_t n, m;
                const uint32_t *x = dpl_collection_tokens(d->c, a, &n),
                               *y = dpl_collection_tokens(d->c, b, &m);
                CHECK_EQ(d->rows.row_of[a] == d->rows.row_of[b],
                         n == m && memcmp(x, y, n * sizeof *x) == 0);
            }
        for (uint32_t row = 0; row < d->rows.n_rows; row++) {
            const dpl__dedup_row *r = &d->rows.rows[row];
            CHECK(r->has_new || r->has_old);
            CHECK(row == 0 || d->rows.rows[row - 1].key <= r->key);
            n_docs += r->n_docs;
        }
        CHECK_EQ(n_docs, d->n);
        docs_free(d);
    }
}

/* ---- search within little memory -------------------------------------------------------- */

/* Pairs of rows of at least the similarity, found in as many passes as the memory needs. */
static dpl_dedup_edge *search(const docs *d, uint64_t memory, size_t *n)
{
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .threshold = 0.3, .floor = 0.3, .shingle = 5,
                 .recall = 0.99, .sample = 100, .method = DPL_DEDUP_EXACT);
    const uint64_t before = d->ctx->memory;
    dpl__dedup_search s = {0};
    uint32_t *n_set = NULL;
    double own;
    CHECK_OK(dpl__set_sizes(&n_set, &own, &d->rows, &d->sets, false, &test_err));
    d->ctx->memory = memory;
    const dpl__dedup_query q = {d->ctx, &d->rows, &d->sets, &o, test_dir()};
    CHECK_OK(dpl__search_sets(&s, &q, n_set, own, &test_err));
    d->ctx->memory = before;
    dpl_dedup_edge *edges = malloc((s.found.edges.n + 1) * sizeof *edges);
    *n = s.found.edges.n;
    if (*n)
        memcpy(edges, s.found.edges.data, *n * sizeof *edges);
    dpl__vec_clear(d->ctx, &s.found.edges);
    dpl__free(d->ctx, n_set);
    return edges;
}

DPL_TEST(clusters, the_join_finds_the_same_pairs_in_any_memory)
{
    static char json[400 * 500];
    docs *d = calloc(1, sizeof *d);
    dpl__rng rng = {10};
    size_t n = 0, n_all, n_few;
    for (size_t i = 0; i < 400; i++) { /* windows of one long text */
        const size_t first = dpl__rng_below(&rng, 2000);
        n += (size_t)sprintf(json + n, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"", i);
        for (size_t k = 0; k < 40; k++)
            n += (size_t)sprintf(json + n, "w%zu ", first + k);
        n += (size_t)sprintf(json + n, "\"}\n");
    }
    const dpl_input in = {.buffer = {json, n}, .name = "x"};
    const dpl_import_options o = DPL_INIT(dpl_import_options, .number_inputs = true);
    d->ctx = test_ctx(2);
    CHECK_OK(dpl__inputs_open(&d->in, d->ctx, &in, 1, &test_err));
    CHECK_OK(dpl_collection_from_inputs(&d->c, NULL, d->ctx, &in, 1, &o, &test_err));
    CHECK_OK(dpl__sets_init(&d->sets, d->ctx, d->c, 5, &test_err));
    CHECK_OK(dpl__dedup_docs_init(&d->rows, &d->sets, &d->in, 1, &test_err));
    dpl_dedup_edge *all = search(d, (uint64_t)1 << 30, &n_all),
                   *few = search(d, (uint64_t)1 << 14, &n_few);
    CHECK(n_all > 500);
    CHECK_EQ(n_few, n_all);
    for (size_t i = 0; i < n_all; i++)
        CHECK(all[i].left == few[i].left && all[i].right == few[i].right &&
              all[i].score == few[i].score);
    free(all);
    free(few);
    docs_free(d);
}
