#include "dedup/dedup_search.h"

#include "dedup/made_rows_test.h"
#include "doppel/signatures.h"

#include <math.h>

/* ---- cosines, one by one ----------------------------------------------------------- */

/* Vectors of the first document of each row; which row each of them is. */
static dpl_vectors *vectors_of(const made_rows *s, uint32_t *rows)
{
    uint8_t skip[MADE_DOCS + 1] = {0};
    uint32_t n = 0;
    for (uint32_t doc = 0; doc < s->docs.n_docs; doc++) {
        const uint32_t row = s->docs.row_of[doc];
        skip[doc] = s->docs.rows[row].doc != doc;
        if (!skip[doc])
            rows[n++] = row;
    }
    const dpl_vectors_options o =
        DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1, .skip = skip);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_collection(&v, NULL, s->ctx, s->c, NULL, &o, &test_err));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, n);
    return v;
}

static bool is_wanted(const made_rows *s, bool only_against, uint32_t a, uint32_t b)
{
    const dpl__dedup_row *x = &s->docs.rows[a], *y = &s->docs.rows[b];
    if (only_against)
        return (x->has_new && y->has_old) || (x->has_old && y->has_new);
    return x->has_new || y->has_new;
}

/* Pairs of rows that are wanted and near by their fingerprints (if there are any) have an edge
 * from the floor on. Returns how many there are. */
static size_t check_edges(const made_rows *s, const dpl__edges *edges,
                          const dpl_dedup_options *o, const dpl_signatures *prints)
{
    static double cosines[MADE_ROWS][MADE_ROWS];
    static bool is_near[MADE_ROWS][MADE_ROWS];
    uint32_t rows[MADE_DOCS];
    dpl_vectors *v = vectors_of(s, rows);
    size_t at = 0;
    for (uint32_t i = 0; i < MADE_ROWS; i++)
        for (uint32_t k = 0; k < MADE_ROWS; k++) {
            cosines[rows[i]][rows[k]] = dpl_vectors_cosine(v, i, v, k);
            is_near[rows[i]][rows[k]] =
                !prints || __builtin_popcountll(*dpl_signatures_row(prints, i) ^
                                                *dpl_signatures_row(prints, k)) <= 3;
        }
    for (uint32_t a = 0; a < MADE_ROWS; a++)
        for (uint32_t b = a + 1; b < MADE_ROWS; b++) {
            const bool is_there =
                at < edges->n && edges->data[at].left == a && edges->data[at].right == b;
            if (!prints && fabs(cosines[a][b] - o->floor) < 1e-6)
                CHECK(is_wanted(s, o->only_against, a, b) || !is_there); /* either */
            else
                CHECK_EQ(is_there, is_near[a][b] && is_wanted(s, o->only_against, a, b) &&
                                       cosines[a][b] >= o->floor);
            CHECK(!is_there || fabs((double)edges->data[at].score - cosines[a][b]) < 1e-6);
            CHECK(!is_there || edges->data[at].kind == DPL_EDGE_NEAR);
            at += is_there;
        }
    CHECK_EQ(at, edges->n);
    dpl_vectors_close(v);
    return at;
}

DPL_TEST(vector_search, cosines_of_rows_are_those_of_all_pairs_of_vectors)
{
    static const double floors[] = {0.2, 0.5, 0.9};
    made_rows *s = made_rows_new(2);
    for (size_t i = 0; i < 2 * DPL_LEN(floors); i++) {
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .floor = floors[i / 2], .only_against = i % 2,
                     .recall = 0.99, .sample = 100);
        const dpl__dedup_query q = {s->ctx, &s->docs, &s->sets, &o, test_dir()};
        dpl__dedup_search found = {0};
        CHECK_OK(dpl__search_vectors(&found, &q, &test_err));
        CHECK(check_edges(s, &found.found.edges, &o, NULL) > 20);
        CHECK(found.found.is_exact && found.found.method == DPL_DEDUP_EXACT);
        CHECK(found.found.n_candidates > 0 && found.check.is_exact);
        dpl__vec_clear(s->ctx, &found.found.edges);
    }
    made_rows_free(s);
}

/* From the smallest cosine of such a pair on, which is the floor then. */
DPL_TEST(vector_search, fingerprints_of_vectors_give_pairs_that_are_near)
{
    made_rows *s = made_rows_new(2);
    uint32_t rows[MADE_DOCS];
    dpl_vectors *v = vectors_of(s, rows);
    dpl_signatures *prints = NULL;
    const dpl_sign_options sign =
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_SIMHASH, .length = 64);
    CHECK_OK(dpl_signatures_make(&prints, s->ctx, v, &sign, &test_err));
    double least = 2;
    for (uint32_t i = 0; i < MADE_ROWS; i++)
        for (uint32_t k = i + 1; k < MADE_ROWS; k++)
            if (is_wanted(s, false, rows[i], rows[k]) &&
                __builtin_popcountll(*dpl_signatures_row(prints, i) ^
                                     *dpl_signatures_row(prints, k)) <= 3)
                least = fmin(least, dpl_vectors_cosine(v, i, v, k));
    CHECK(least <= 1);
    for (int i = 0; i < 3; i++) {
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .floor = i ? least : 0.01, .only_against = i == 2,
                     .method = DPL_DEDUP_SIMHASH);
        const dpl__dedup_query q = {s->ctx, &s->docs, &s->sets, &o, test_dir()};
        dpl__dedup_search found = {0};
        CHECK_OK(dpl__search_vectors(&found, &q, &test_err));
        CHECK(check_edges(s, &found.found.edges, &o, prints) > 0 || i == 2);
        CHECK(!found.found.is_exact && found.found.method == DPL_DEDUP_SIMHASH);
        CHECK(found.found.n_candidates >= found.found.edges.n);
        dpl__vec_clear(s->ctx, &found.found.edges);
    }
    dpl_signatures_close(prints);
    dpl_vectors_close(v);
    made_rows_free(s);
}

/* ---- translations ------------------------------------------------------------------ */

enum { N_PAIRS = 8, N_WORDS = 6 };

/* Documents of words of their own, in German, English or both; English ones first. */
static char *write_docs(const char *ids, bool has_english, bool has_german)
{
    char *json = malloc(2 * N_PAIRS * 200), *at = json;
    *at = 0;
    for (unsigned d = 0; d < 2 * N_PAIRS; d++) {
        const bool is_german = d >= N_PAIRS;
        if (is_german ? !has_german : !has_english)
            continue;
        at += sprintf(at, "{\"id\":\"%s%u\",\"lang\":\"%s\",\"text\":\"", ids, d,
                      is_german ? "de" : "en");
        for (unsigned i = 0; i < N_WORDS; i++)
            at += sprintf(at, "%c%u ", is_german ? 'v' : 'w', d % N_PAIRS * 10 + i);
        at += sprintf(at, "\"}\n");
    }
    return json;
}

static const char *write_lexicon(void)
{
    char lines[N_PAIRS * N_WORDS * 16], *at = lines;
    for (unsigned d = 0; d < N_PAIRS; d++)
        for (unsigned i = 0; i < N_WORDS; i++)
            at += sprintf(at, "v%u\tw%u\t1\n", d * 10 + i, d * 10 + i);
    return test_write("l.tsv", lines, (size_t)(at - lines));
}

/* As many translations as documents of one language, each with its counterpart. */
static void check_translations(const dpl_dedup_result *r, bool is_against)
{
    size_t n;
    const dpl_dedup_edge *e = dpl_dedup_get_edges(r, &n);
    CHECK_EQ(n, N_PAIRS);
    CHECK_EQ(dpl_dedup_get_summary(r)->n_translations, N_PAIRS);
    CHECK_EQ(dpl_dedup_get_summary(r)->n_near, 0);
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(e[i].kind, DPL_EDGE_TRANSLATION);
        CHECK_EQ(e[i].right, e[i].left + N_PAIRS);
        CHECK(e[i].score > 0.99f);
    }
    CHECK_EQ(dpl_dedup_get_summary(r)->n_removed, N_PAIRS);
    for (uint32_t doc = 0; doc < dpl_dedup_get_summary(r)->n_docs; doc++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, doc);
        CHECK(d.is_kept || d.kind == DPL_EDGE_TRANSLATION);
        CHECK(!is_against || !d.is_kept);
    }
}

DPL_TEST(vector_search, translations_are_found_in_either_direction)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *lexicon = write_lexicon();
    for (int i = 0; i < 3; i++) { /* all new; English against German; German against English */
        char *new = write_docs("n", i < 2, i != 1), *old = write_docs("o", i == 2, i == 1);
        const dpl_input in = {.buffer = {new, strlen(new)}, .name = "new.jsonl"},
                        against = {.buffer = {old, strlen(old)}, .name = "old.jsonl"};
        dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .lexicon = lexicon,
                                       .lexicon_langs = "de,en", .only_against = i > 0);
        o.against = i ? &against : NULL;
        o.n_against = i > 0;
        dpl_dedup_result *r = NULL;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        check_translations(r, i > 0);
        dpl_dedup_result_free(r);
        o.lexicon_langs = NULL;
        CHECK_EQ(dpl_dedup(NULL, ctx, NULL, &in, 1, &o, &test_err), DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.code), "lexicon-languages-unknown");
        free(new);
        free(old);
    }
    test_ctx_done(ctx);
}

/* Where old documents are few, new ones that share no shingle with them are left out while they
 * are read, but for those of a language that is translated from or to one of theirs. */
DPL_TEST(vector_search, translations_pass_where_other_documents_are_left_out)
{
    enum { N_OTHERS = 400 };
    dpl_ctx *ctx = test_ctx(2);
    const char *lexicon = write_lexicon();
    for (int is_german = 0; is_german < 2; is_german++) {
        char *new = write_docs("n", !is_german, is_german),
             *old = write_docs("o", is_german, !is_german), *all = malloc(N_OTHERS * 200),
             *at = all;
        at += sprintf(at, "%s", new);
        for (unsigned i = 0; i < N_OTHERS; i++) {
            at += sprintf(at, "{\"id\":\"x%u\",\"lang\":\"fr\",\"text\":\"", i);
            for (unsigned k = 0; k < 12; k++)
                at += sprintf(at, "x%u ", i * 12 + k);
            at += sprintf(at, "\"}\n");
        }
        const dpl_input in = {.buffer = {all, (size_t)(at - all)}, .name = "new.jsonl"},
                        against = {.buffer = {old, strlen(old)}, .name = "old.jsonl"};
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .lexicon = lexicon, .lexicon_langs = "de,en",
                     .against = &against, .n_against = 1, .only_against = true);
        dpl_dedup_result *r = NULL;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        CHECK_EQ(s->n_docs, N_PAIRS + N_OTHERS);
        CHECK_EQ(s->n_translations, N_PAIRS);
        CHECK_EQ(s->n_removed, N_PAIRS);
        CHECK_EQ(dpl_collection_get_sizes(dpl_dedup_get_collection(r))->n_tokens,
                 2 * N_PAIRS * N_WORDS); /* no words of the others */
        for (uint32_t doc = 0; doc < s->n_docs; doc++)
            CHECK_EQ(dpl_dedup_get_doc(r, doc).is_kept, doc >= N_PAIRS);
        dpl_dedup_result_free(r);
        free(all);
        free(new);
        free(old);
    }
    test_ctx_done(ctx);
}
