#include "index/pocket_test.h"

#include <math.h>

enum { N_CODES = 3 };

/* ---- which codes are looked up ------------------------------------------------------- */

static double cost_of(const dpl_query *q, unsigned c, unsigned k, unsigned flips)
{
    double cost = 0;
    for (unsigned i = 0; i < k; i++) {
        const double margin = (double)q->margins.data[(size_t)c * k + i];
        cost += flips >> i & 1 ? margin * margin : 0;
    }
    return cost;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The bits in which the code of a probe differs from the query's code c. */
static unsigned flips_of(const dpl_query *q, const dpl__probe *p, unsigned k)
{
    unsigned flips = 0;
    while (flips < 1u << k &&
           dpl__code_key(dpl__some_code(q->codes.data[p->code] ^ flips), p->code) != p->key)
        flips++;
    CHECK(flips < 1u << k);
    return flips;
}

/* Those of code c are the code itself, then the cheapest of all sets of flips. */
static void check_probes_of(const dpl_query *q, unsigned c, unsigned k, size_t n)
{
    const size_t n_sets = (size_t)1 << k;
    double *costs = malloc(n_sets * sizeof *costs);
    uint8_t *is_seen = calloc(n_sets, 1);
    for (unsigned flips = 0; flips < n_sets; flips++)
        costs[flips] = cost_of(q, c, k, flips);
    qsort(costs, n_sets, sizeof *costs, rising);
    for (size_t i = 0; i < n; i++) {
        const dpl__probe *p = &q->probes.data[c * n + i];
        CHECK_EQ(p->code, c);
        const unsigned flips = flips_of(q, p, k);
        CHECK(!is_seen[flips]++);
        CHECK(i > 0 || flips == 0);
        CHECK_EQ(p->n_flips, __builtin_popcount(flips));
        CHECK(fabs(cost_of(q, c, k, flips) - costs[i]) <= 1e-5 * costs[i] + 1e-9);
    }
    free(is_seen);
    free(costs);
}

DPL_TEST(query_codes, codes_that_are_looked_up_have_the_cheapest_flips)
{
    dpl_ctx *ctx = test_ctx(1);
    static const unsigned lengths[] = {2, 8, 11};
    static const int probes[] = {-1, 1, 2, 9, 64, 300, 4096};
    const drawn_docs docs = {.n = 40, .n_words = 30, .seed = 1};
    const char *in = drawn_write(&docs, "docs.jsonl");
    for (size_t i = 0; i < DPL_LEN(lengths); i++) {
        const unsigned k = lengths[i];
        const dpl_hash_options hash = DPL_INIT(dpl_hash_options, .length = k, .codes = N_CODES);
        const dpl_index_options o = DPL_INIT(dpl_index_options, .hash = &hash);
        dpl_index *x = pocket_of(ctx, in, &o);
        for (size_t p = 0; p < DPL_LEN(probes) && (k < 11 || probes[p] <= 300); p++) {
            const dpl_query_options codes =
                DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES, .probes = probes[p]);
            dpl_query *q = new_query(x, &codes);
            for (uint32_t row = 0; row < docs.n; row += 13) {
                const dpl_query_result r = ask_row(q, row);
                const size_t n =
                    1 + (probes[p] < 0 ? 0 : dpl__min((size_t)probes[p], ((size_t)1 << k) - 1));
                CHECK_EQ(q->probes.n, N_CODES * n);
                CHECK_EQ(r.n_lookups, q->probes.n);
                for (unsigned c = 0; c < N_CODES; c++)
                    check_probes_of(q, c, k, n);
            }
            dpl_query_free(q);
        }
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* ---- what they find ------------------------------------------------------------------ */

enum { N_DOCS = 400, N_COPIES = 150 };

static const drawn_docs many = {
    .n = N_DOCS, .n_words = 40, .n_copies = N_COPIES, .seed = 2, .is_bilingual = true};

static uint64_t all_codes[N_DOCS][N_CODES];

static void note_codes(const dpl_index *x)
{
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES, .probes = -1);
    dpl_query *q = new_query(x, &o);
    for (uint32_t row = 0; row < N_DOCS; row++) {
        (void)ask_row(q, row);
        memcpy(all_codes[row], q->codes.data, sizeof all_codes[row]);
    }
    dpl_query_free(q);
}

/* Probes that lead to a document, and the bits that differ in them. */
static unsigned count_probes(const dpl_query *q, uint32_t row, unsigned *n_flips)
{
    unsigned n = 0;
    *n_flips = 0;
    for (size_t i = 0; i < q->probes.n; i++) {
        const dpl__probe *p = &q->probes.data[i];
        if (p->key != dpl__code_key(all_codes[row][p->code], p->code))
            continue;
        n++;
        *n_flips += p->n_flips;
    }
    return n;
}

/* Candidates of the last question are the documents of its probes and no others. */
static void check_candidates(const dpl_query *q, const dpl_query_result *r, uint32_t own,
                             const char *lang)
{
    size_t n_expected = 0;
    for (uint32_t row = 0; row < N_DOCS; row++) {
        unsigned n_flips;
        const unsigned n = count_probes(q, row, &n_flips);
        const bool is_wanted = row != own && (!lang || !strcmp(drawn_lang(&many, row), lang));
        size_t i = 0;
        while (i < q->candidates.n && q->candidates.data[i].row != row)
            i++;
        CHECK_EQ(i<q->candidates.n, n> 0 && is_wanted);
        if (i == q->candidates.n)
            continue;
        CHECK_EQ(q->candidates.data[i].n_codes, n);
        CHECK_EQ(q->candidates.data[i].n_flips, n_flips);
        n_expected++;
    }
    CHECK_EQ(q->candidates.n, n_expected);
    CHECK_EQ(r->n_candidates, n_expected);
    for (size_t i = 0; i < r->n_hits; i++) {
        unsigned n_flips;
        CHECK_EQ(r->hits[i].n_codes, count_probes(q, r->hits[i].row, &n_flips));
    }
}

static size_t count_slots(const dpl_query *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->probes.n; i++) {
        bool is_there = false;
        for (uint32_t row = 0; row < N_DOCS && !is_there; row++)
            is_there =
                q->probes.data[i].key ==
                dpl__code_key(all_codes[row][q->probes.data[i].code], q->probes.data[i].code);
        n += is_there;
    }
    return n;
}

DPL_TEST(query_codes, candidates_are_the_documents_that_have_a_code_looked_up)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_hash_options hash = DPL_INIT(dpl_hash_options, .length = 14, .codes = N_CODES);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .hash = &hash, .checksum = 32);
    dpl_index *x = drawn_pocket(ctx, &many, &o);
    note_codes(x);
    static const char *const langs[] = {NULL, "de", "en"};
    size_t n_found = 0, n_most = 0;
    for (size_t l = 0; l < DPL_LEN(langs); l++) {
        const dpl_query_options codes =
            DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES, .probes = 40,
                     .only_lang = langs[l], .top = 1000, .threshold = 0.01);
        dpl_query *q = new_query(x, &codes);
        for (uint32_t row = 0; row < N_DOCS; row += 7) {
            const dpl_query_result r = ask_row(q, row);
            check_candidates(q, &r, row, langs[l]);
            CHECK_EQ(r.n_slots, count_slots(q));
            n_found += r.n_candidates;
            n_most = dpl__max(n_most, (size_t)r.n_candidates);
        }
        dpl_query_free(q);
    }
    CHECK(n_found > 1000 && n_most > N_COPIES / 2);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* As a text the document is not left out of its own answer. */
DPL_TEST(query_codes, a_text_without_words_looks_up_nothing_and_a_copy_finds_all_copies)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &many, NULL);
    const dpl_query_options codes = DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES,
                                             .probes = -1, .top = 1000, .lang = "en");
    dpl_query *q = new_query(x, &codes);
    dpl_query_result r = ask_text(q, " . ");
    CHECK_EQ(r.n_lookups, 0);
    CHECK_EQ(r.n_hits, 0);
    char *text = drawn_text(&many, N_DOCS - 1);
    r = ask_text(q, text);
    CHECK_EQ(r.n_lookups, x->hash.options.codes);
    CHECK_EQ(r.n_slots, x->hash.options.codes);
    size_t n_copies = 0;
    for (size_t i = 0; i < r.n_hits; i++)
        if (r.hits[i].row >= N_DOCS - N_COPIES) {
            CHECK_EQ(r.hits[i].n_codes, x->hash.options.codes);
            n_copies++;
        }
    CHECK_EQ(n_copies, N_COPIES);
    free(text);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- estimates ------------------------------------------------------------------------- */

/* rp: the angle from the bits that differ, at least four of a code that was not found. */
DPL_TEST(query_codes, without_vectors_scores_follow_from_codes_alone)
{
    dpl_ctx *ctx = test_ctx(1);
    static const dpl_hash_function functions[] = {DPL_HASH_RP, DPL_HASH_MINHASH};
    for (size_t f = 0; f < DPL_LEN(functions); f++) {
        const dpl_hash_options hash = DPL_INIT(dpl_hash_options, .function = functions[f],
                                               .length = f ? 1 : 12, .codes = N_CODES);
        const dpl_index_options o =
            DPL_INIT(dpl_index_options, .hash = &hash, .no_vectors = true);
        dpl_index *x = drawn_pocket(ctx, &many, &o);
        const dpl_query_options all = DPL_INIT(dpl_query_options, .threshold = 0.001,
                                               .top = 1000, .lang = "en", .probes = 90);
        dpl_query *q = new_query(x, &all);
        size_t n_partial = 0, n_hits = 0;
        for (size_t doc = 0; doc < N_DOCS; doc += 9) {
            char *text = drawn_text(&many, doc);
            const dpl_query_result r = ask_text(q, text);
            n_hits = 0;
            for (size_t i = 0; i < q->candidates.n; i++) {
                const dpl__candidate *c = &q->candidates.data[i];
                const double n_bits = 12.0 * N_CODES,
                             differ = c->n_flips + 4.0 * (N_CODES - c->n_codes);
                const double expected = f ? c->n_codes / (double)N_CODES
                                          : cos(3.14159265358979 * fmin(differ / n_bits, 0.5));
                size_t k = 0;
                while (k < r.n_hits && r.hits[k].row != c->row)
                    k++;
                CHECK_EQ(k<r.n_hits, expected> 0.001);
                if (k == r.n_hits)
                    continue;
                CHECK(fabs((double)r.hits[k].score - expected) < 1e-6);
                CHECK(!r.hits[k].is_verified);
                n_partial += c->n_codes < N_CODES;
                n_hits++;
            }
            CHECK_EQ(r.n_hits, n_hits);
            CHECK_EQ(r.n_verified, 0);
            free(text);
        }
        CHECK(n_partial > 50);
        dpl_query_free(q);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}
