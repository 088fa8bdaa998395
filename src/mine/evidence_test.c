#include "mine/evidence.h"

#include "mine/random_sides_test.h"
#include "mine/rescore.h"

#include <math.h>

enum { DOCS = 20, TERMS = 50, MOST_SENTENCES = 8 };
static const side_shape shape = {DOCS, MOST_SENTENCES, 6, TERMS, false, false};

/* A run with aligned pairs of documents of the same number: 1-1 beads of which some were kept,
 * then what is left of the longer one. */
typedef struct world {
    dpl__pair_run r;
    dpl_mine_options options;
    dpl_doc_pair docs[DOCS];
    dpl_bead beads[DOCS][MOST_SENTENCES + 1];
    size_t n_beads[DOCS];
} world;

static void align_doc(world *w, uint32_t doc, dpl__rng *rng)
{
    static uint32_t units[MOST_SENTENCES + 1];
    uint32_t n[2];
    for (uint32_t i = 0; i <= MOST_SENTENCES; i++)
        units[i] = i;
    for (int side = 0; side < 2; side++)
        n[side] = (uint32_t)dpl_collection_n_sentences(w->r.corpus.c[side], doc);
    const uint32_t least = n[0] < n[1] ? n[0] : n[1];
    dpl_bead *beads = w->beads[doc];
    for (uint32_t i = 0; i < least; i++) {
        static const dpl_verdict verdicts[] = {DPL_VERDICT_KEPT, DPL_VERDICT_KEPT,
                                               DPL_VERDICT_SHORT, DPL_VERDICT_WORDS};
        beads[w->n_beads[doc]++] = (dpl_bead){
            .left = i,
            .n_left = 1,
            .right = i,
            .n_right = 1,
            .verdict = doc ? verdicts[dpl__rng_below(rng, DPL_LEN(verdicts))] : verdicts[0]};
    }
    if (n[0] != n[1])
        beads[w->n_beads[doc]++] = (dpl_bead){.left = least,
                                              .n_left = (uint16_t)(n[0] - least),
                                              .right = least,
                                              .n_right = (uint16_t)(n[1] - least),
                                              .verdict = DPL_VERDICT_ALONE};
    w->docs[doc] = (dpl_doc_pair){doc, doc};
    const dpl_aligned_docs docs = {.pair = doc,
                                   .docs = w->docs[doc],
                                   .units = {units, units},
                                   .n_units = {n[0], n[1]},
                                   .beads = beads,
                                   .n_beads = w->n_beads[doc]};
    CHECK_OK(dpl__aligned_add(w->r.beads.aligned, &docs, &test_err));
}

static void begin(world *w, uint64_t seed, int pivot)
{
    dpl__rng rng = {dpl__mix(seed)};
    dpl_ctx *ctx = test_ctx(1);
    *w = (world){.options = DPL_INIT(dpl_mine_options)};
    w->r.ctx = ctx;
    w->r.corpus = make_parallel_sides(ctx, &rng, shape, pivot);
    w->r.corpus.options = &w->options;
    snprintf(w->r.corpus.work, sizeof w->r.corpus.work, "%s", test_dir());
    w->r.lexicon = make_random_lexicon(ctx, TERMS);
    CHECK_OK(dpl__aligned_new(&w->r.beads.aligned, ctx, NULL, 0, &test_err));
    for (uint32_t doc = 0; doc < DOCS; doc++)
        align_doc(w, doc, &rng);
}

static void end(world *w)
{
    dpl_ctx *ctx = w->r.ctx;
    dpl_lexicon_close((dpl_lexicon *)(uintptr_t)w->r.lexicon);
    dpl__aligned_free(w->r.beads.aligned);
    close_sides(&w->r.corpus);
    test_ctx_done(ctx);
}

/* ---- naive evidence -----------------------------------------------------------------------
 */

static size_t n_words(const world *w, int side, uint32_t doc, uint32_t first, uint32_t n)
{
    size_t sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        sum += dpl__sentence_tokens(w->r.corpus.c[side], doc, i, i + 1).n;
    return sum;
}

static void check_sentences(const dpl__evidence *e, const world *w, uint32_t doc)
{
    size_t n_kept = 0, kept[2] = {0, 0};
    for (size_t i = 0; i < w->n_beads[doc]; i++) {
        const dpl_bead *b = &w->beads[doc][i];
        if (b->verdict != DPL_VERDICT_KEPT)
            continue;
        n_kept++;
        kept[0] += n_words(w, 0, doc, b->left, b->n_left);
        kept[1] += n_words(w, 1, doc, b->right, b->n_right);
    }
    CHECK_EQ(e->n_sentences, n_kept);
    for (int side = 0; side < 2; side++) {
        size_t n;
        dpl_collection_tokens(w->r.corpus.c[side], doc, &n);
        CHECK(fabs(e->share[side] - (double)kept[side] / (double)n) < 1e-12);
    }
}

/* What a term of the left vector adds to the cosine of both rows. */
static float product(dpl_vectors *const v[2], const uint32_t rows[2], size_t i)
{
    const float *weights[2];
    size_t n[2];
    const uint32_t *terms[2];
    for (int side = 0; side < 2; side++)
        terms[side] = dpl_vectors_row(v[side], rows[side], &weights[side], &n[side]);
    if (i >= n[0])
        return -1;
    for (size_t k = 0; k < n[1]; k++)
        if (dpl__str_eq(dpl_vectors_term(v[0], terms[0][i]),
                        dpl_vectors_term(v[1], terms[1][k])))
            return weights[0][i] * weights[1][k];
    return 0;
}

/* The heaviest terms of both rows, one after the other; of equal ones the first in byte order,
 * which is that of the rows. */
static void check_terms(const dpl__evidence *e, dpl_vectors *const v[2], const uint32_t rows[2])
{
    bool is_used[200] = {false};
    for (size_t at = 0; at < DPL__EVIDENCE_TERMS; at++) {
        size_t best = SIZE_MAX, n;
        const float *unused;
        const uint32_t *terms = dpl_vectors_row(v[0], rows[0], &unused, &n);
        for (size_t i = 0; i < n; i++)
            if (!is_used[i] && product(v, rows, i) > 0 &&
                (best == SIZE_MAX || product(v, rows, i) > product(v, rows, best)))
                best = i;
        if (best == SIZE_MAX) {
            CHECK_EQ(e->n_terms, at);
            return;
        }
        is_used[best] = true;
        CHECK(at < e->n_terms &&
              dpl__str_eq(e->terms[at], dpl_vectors_term(v[0], terms[best])));
    }
    CHECK_EQ(e->n_terms, DPL__EVIDENCE_TERMS);
}

DPL_TEST(evidence, is_what_two_documents_have_in_common)
{
    static world w;
    static dpl__evidence found[DOCS];
    for (unsigned turn = 0; turn < 4; turn++) {
        dpl__arena arena;
        dpl_vectors *v[2];
        size_t numbers[DOCS], n_full = 0;
        begin(&w, 1100 + turn, turn % 2);
        dpl__arena_init(&arena, w.r.ctx);
        for (size_t i = 0; i < DOCS; i++)
            numbers[i] = i % 5 == 4 ? SIZE_MAX : i;
        const dpl__pair_list docs = {w.docs, DOCS};
        memset(found, 0xff, sizeof found);
        CHECK_OK(dpl__evidence_find(found, &arena, &w.r, docs, numbers, &test_err));
        CHECK_OK(dpl__rescore_vectors(v, &w.r.corpus, docs, w.r.lexicon, &test_err));
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            uint32_t rows[2];
            if (doc % 5 == 4)
                CHECK(!found[doc].n_sentences && !(found[doc].share[0] > 0));
            else
                check_sentences(&found[doc], &w, doc);
            if (dpl__rescore_row(&rows[0], v[0], doc) && dpl__rescore_row(&rows[1], v[1], doc))
                check_terms(&found[doc], v, rows);
            else
                CHECK_EQ(found[doc].n_terms, 0);
            n_full += found[doc].n_terms == DPL__EVIDENCE_TERMS;
        }
        CHECK(n_full > 2 && n_full < DOCS);
        CHECK(fabs(found[0].share[0] - 1) < 1e-12 || w.beads[0][w.n_beads[0] - 1].verdict);
        for (int side = 0; side < 2; side++)
            dpl_vectors_close(v[side]);
        dpl__arena_clear(&arena);
        end(&w);
    }
}

/* Cosines of pairs are those of these products. */
DPL_TEST(rescore, a_cosine_is_the_sum_of_what_terms_have_in_common)
{
    static world w;
    float scores[DOCS];
    dpl_vectors *v[2];
    size_t n_there = 0;
    begin(&w, 1200, 1);
    const dpl__pair_list docs = {w.docs, DOCS};
    for (uint32_t i = 0; i < DOCS; i++)
        w.docs[i].right = i % 3 ? i : (i + 7) % DOCS; /* some have little in common */
    CHECK_OK(dpl__rescore(scores, &w.r.corpus, docs, w.r.lexicon, &test_err));
    CHECK_OK(dpl__rescore_vectors(v, &w.r.corpus, docs, w.r.lexicon, &test_err));
    for (uint32_t i = 0; i < DOCS; i++) {
        uint32_t rows[2];
        double sum = 0;
        const bool is_there = dpl__rescore_row(&rows[0], v[0], w.docs[i].left) &&
                              dpl__rescore_row(&rows[1], v[1], w.docs[i].right);
        for (size_t k = 0; is_there && product(v, rows, k) >= 0; k++)
            sum += (double)product(v, rows, k);
        CHECK(fabs((double)scores[i] - sum) < 1e-5);
        n_there += is_there && sum > 0.1;
    }
    CHECK(n_there > DOCS / 2);
    for (int side = 0; side < 2; side++)
        dpl_vectors_close(v[side]);
    end(&w);
}

static dpl_status find_again(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    dpl__evidence found[2];
    const size_t numbers[2] = {SIZE_MAX, SIZE_MAX}; /* sentences are read by another one */
    dpl__arena arena;
    dpl_ctx *before = w->r.ctx;
    dpl__arena_init(&arena, ctx);
    w->r.ctx = w->r.corpus.ctx = ctx;
    const dpl_status status =
        dpl__evidence_find(found, &arena, &w->r, (dpl__pair_list){w->docs, 2}, numbers, err);
    dpl__arena_clear(&arena);
    w->r.ctx = w->r.corpus.ctx = before;
    return status;
}

DPL_TEST(evidence, survives_every_failing_allocation)
{
    static world w;
    begin(&w, 1300, 0);
    test_allocation_failures(find_again, &w);
    end(&w);
}
