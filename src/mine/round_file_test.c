#include "mine/round_file.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Two sides of 20 documents. */
static void open_corpus(dpl__comparable *p, dpl_collection *c[2], dpl_ctx *ctx)
{
    char text[4000], path[1000];
    *p = (dpl__comparable){.ctx = ctx};
    for (int side = 0; side < 2; side++) {
        size_t n = 0;
        for (int i = 0; i < 20; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%d\tsome words of %d\n", i, i);
        const char *in = test_write("docs.tsv", text, n);
        dpl_import_options o = DPL_INIT(
            dpl_import_options, .read = &(dpl_reader_options)DPL_INIT(
                                    dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en"));
        snprintf(path, sizeof path, "%s", test_path(side ? "right.dpl" : "left.dpl"));
        CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
        CHECK_OK(dpl_collection_open(&c[side], ctx, path, &test_err));
        p->c[side] = c[side];
    }
}

/* Numbers that mean nothing. */
static void make_up(dpl__doc_candidates *f, dpl_mine_round *r, dpl_ctx *ctx)
{
    dpl__rng rng = {dpl__mix(5)};
    *f = (dpl__doc_candidates){
        .train_confidence = 0.51, .alone = 0.25, .cosine = 0.5, .known = 0.75};
    f->receipt = (dpl_recall_check){.n_rows = 7,
                                    .n_true = 9,
                                    .n_found = 8,
                                    .recall = 8 / 9.0,
                                    .low = 0.5,
                                    .high = 0.99,
                                    .seconds = 0.125};
    for (uint32_t i = 0; i < 12; i++) {
        dpl__doc_candidate m = {
            .docs = {i, 19 - i},
            .match = {.row = {DPL__NO_ROW, DPL__NO_ROW},
                      .score = (float)(1 + dpl__rng_below(&rng, 1000)) / 1001,
                      .margin = 1.5f,
                      .lead = {2, 3}},
            .confidence = i / 11.0};
        CHECK(dpl__vec_push(ctx, &f->pairs, m));
        m.confidence = 0;
        m.match.taken[0] = i;
        m.match.taken[1] = i % 2 ? DPL__NO_ROW : 11 - i;
        m.docs.right = i;
        if (i < 5)
            CHECK(dpl__vec_push(ctx, &f->decoys, m));
    }
    for (int k = 0; k < 2; k++) {
        f->cosines[k] = (dpl__histogram){.low = 0, .high = 1};
        for (int i = 0; i < 50; i++)
            dpl__histogram_add(&f->cosines[k], (double)dpl__rng_below(&rng, 100) / 99);
    }
    *r = (dpl_mine_round){.n_candidates = 12,
                          .n_pairs = 6,
                          .n_new = 2,
                          .n_gone = 1,
                          .mean_cosine = 0.5,
                          .known_words = 0.75,
                          .unpaired = 0.25,
                          .n_sentence_pairs = 77,
                          .n_lexicon_entries = 88,
                          .n_sampled_docs = 9,
                          .n_sampled_pairs = 5,
                          .n_name_links = 40,
                          .n_name_pairs = 30,
                          .n_spelled_pairs = 20,
                          .n_shape_pairs = 10,
                          .least_cosine = 0.125,
                          .align_seconds = 0.5,
                          .train_seconds = 1.5,
                          .search_seconds = 2.5};
}

static void check_mined(const dpl__doc_candidate_vec *a, const dpl__doc_candidate_vec *b)
{
    CHECK_EQ(a->n, b->n);
    CHECK(memcmp(a->data, b->data, a->n * sizeof *a->data) == 0);
}

typedef struct world {
    dpl_ctx *ctx;
    dpl__comparable corpus;
    dpl_collection *c[2];
    dpl__doc_candidates found;
    dpl_mine_round figures;
    char path[1000];
} world;

static void begin(world *w)
{
    *w = (world){.ctx = test_ctx(1)};
    open_corpus(&w->corpus, w->c, w->ctx);
    make_up(&w->found, &w->figures, w->ctx);
    snprintf(w->path, sizeof w->path, "%s", test_path("round-3.dpl"));
    CHECK_OK(dpl__round_save(w->path, &w->corpus, &w->figures, &w->found, &test_err));
}

static void end(world *w)
{
    dpl__doc_candidates_clear(&w->found, w->ctx);
    dpl_collection_close(w->c[0]);
    dpl_collection_close(w->c[1]);
    test_ctx_done(w->ctx);
}

DPL_TEST(round_file, what_is_saved_is_loaded)
{
    world w;
    begin(&w);
    dpl__doc_candidates found;
    dpl_mine_round figures;
    CHECK_OK(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err));
    CHECK(memcmp(&figures, &w.figures, sizeof figures) == 0);
    check_mined(&found.pairs, &w.found.pairs);
    check_mined(&found.decoys, &w.found.decoys);
    CHECK(memcmp(found.cosines, w.found.cosines, sizeof found.cosines) == 0);
    CHECK(found.receipt.n_rows == 7 && found.receipt.recall == w.found.receipt.recall &&
          found.receipt.seconds == 0.125);
    CHECK(found.alone == 0.25 && found.cosine == 0.5 && found.known == 0.75);
    dpl__doc_candidates_clear(&found, w.ctx);
    end(&w);
}

DPL_TEST(round_file, what_is_known_with_the_final_confidence_is_loaded)
{
    world w;
    begin(&w);
    dpl__doc_candidates found;
    dpl_mine_round figures;
    CHECK_OK(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err));
    CHECK(!found.is_final && found.likely == 0.5 && found.aligned == 0);
    dpl__doc_candidates_clear(&found, w.ctx);
    for (int i = 0; i < 2; i++) {
        w.found.is_final = true;
        w.found.aligned = 0.625;
        w.found.likely = 0.375;
        w.found.evidence = -7.5;
        w.found.has_few = i;
        w.found.has_few_docs = !i;
        CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));
        CHECK_OK(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err));
        CHECK(found.is_final && found.aligned == 0.625 && found.likely == 0.375 &&
              found.evidence == -7.5 && found.has_few == i && found.has_few_docs == !i);
        dpl__doc_candidates_clear(&found, w.ctx);
    }
    w.found.evidence = INFINITY;
    CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));
    CHECK_EQ(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err), DPL_E_FORMAT);
    end(&w);
}

DPL_TEST(round_file, can_be_looked_at)
{
    world w;
    begin(&w);
    dpl_round *round = NULL;
    size_t n;
    CHECK_OK(dpl_round_open(&round, w.ctx, w.path, &test_err));
    CHECK_EQ(dpl_round_get_summary(round)->n_sentence_pairs, 77);
    CHECK_EQ(dpl_round_get_recall_check(round)->n_found, 8);
    dpl_round_pair pair = dpl_round_get_candidate(round, 11);
    CHECK(pair.docs.left == 11 && pair.docs.right == 8 && pair.margin == 1.5f &&
          pair.confidence == 1);
    CHECK(memcmp(dpl_round_get_cosines(round, true, &n), w.found.cosines[1].n,
                 sizeof w.found.cosines[1].n) == 0);
    CHECK_EQ(n, DPL__BINS);
    dpl_round_close(round);
    end(&w);
}

DPL_TEST(round_file, every_truncation_and_every_flipped_byte_is_refused)
{
    world w;
    begin(&w);
    size_t n;
    char *bytes = test_read(w.path, &n);
    dpl_round *round = NULL;
    for (size_t i = 0; i < n; i += 7) {
        CHECK_EQ(dpl_round_open(&round, w.ctx, test_write("cut.dpl", bytes, i), &test_err),
                 DPL_E_FORMAT);
        bytes[i] ^= 0x10;
        CHECK(dpl_round_open(&round, w.ctx, test_write("cut.dpl", bytes, n), &test_err) < 0);
        bytes[i] ^= 0x10;
    }
    free(bytes);
    end(&w);
}

DPL_TEST(round_file, numbers_that_cannot_be_are_refused)
{
    world w;
    begin(&w);
    dpl_round *round = NULL;
    dpl__doc_candidates found;
    dpl_mine_round figures;
#define REFUSED(place, value)                                                                  \
    do {                                                                                       \
        world saved = w;                                                                       \
        dpl__doc_candidate pair = w.found.pairs.data[3];                                       \
        (place) = (value);                                                                     \
        CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));         \
        CHECK_EQ(dpl_round_open(&round, w.ctx, w.path, &test_err), DPL_E_FORMAT);              \
        w = saved;                                                                             \
        w.found.pairs.data[3] = pair;                                                          \
    } while (0)
    REFUSED(w.figures.n_pairs, 7);
    REFUSED(w.figures.n_candidates, 13);
    REFUSED(w.figures.mean_cosine, -0.1);
    REFUSED(w.figures.search_seconds, -1);
    REFUSED(w.found.receipt.recall, 1.5);
    REFUSED(w.found.pairs.data[3].docs.left, 20);
    REFUSED(w.found.pairs.data[3].docs.left, 2);
    REFUSED(w.found.pairs.data[3].docs.right, 17); /* in another pair, too */
    REFUSED(w.found.pairs.data[3].match.score, 1.1f);
    REFUSED(w.figures.n_new, 7);
    REFUSED(w.found.receipt.n_found, 10);
    REFUSED(w.found.receipt.low, 1);
    REFUSED(w.found.cosines[1].n[4], 21);
    REFUSED(w.found.pairs.data[3].match.score, 0);
    REFUSED(w.found.pairs.data[3].confidence, 1.1);
#undef REFUSED
    w.found.decoys.data[2].match.taken[0] = 12; /* there is no such pair */
    CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));
    CHECK_EQ(dpl_round_open(&round, w.ctx, w.path, &test_err), DPL_E_FORMAT);
    w.found.decoys.data[2].match.taken[0] = DPL__NO_ROW;
    w.found.decoys.data[2].match.taken[1] = DPL__NO_ROW;
    CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));
    CHECK_EQ(dpl_round_open(&round, w.ctx, w.path, &test_err), DPL_E_FORMAT);
    w.found.decoys.data[2].match.taken[0] = 2;
    /* documents of another run, as many as there are here */
    CHECK_OK(dpl__round_save(w.path, &w.corpus, &w.figures, &w.found, &test_err));
    w.corpus.checksum[1]++;
    CHECK_EQ(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err), DPL_E_FORMAT);
    w.corpus.checksum[1]--;
    /* and fewer */
    dpl_collection *c = w.c[1];
    const char *one = test_write("one.tsv", "1\tsome words\n", 13);
    dpl_import_options o = DPL_INIT(
        dpl_import_options, .read = &(dpl_reader_options)DPL_INIT(
                                dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en"));
    char path[1000];
    snprintf(path, sizeof path, "%s", test_path("one.dpl"));
    CHECK_OK(dpl_import(NULL, w.ctx, path, &one, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&w.c[1], w.ctx, path, &test_err));
    w.corpus.c[1] = w.c[1];
    CHECK_OK(dpl__round_save(w.path, &(dpl__comparable){.ctx = w.ctx, .c = {w.c[0], c}},
                             &w.figures, &w.found, &test_err));
    CHECK_EQ(dpl__round_load(&figures, &found, w.path, &w.corpus, &test_err), DPL_E_FORMAT);
    dpl_collection_close(c);
    end(&w);
}

static dpl_status save_and_load(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    dpl__comparable p = w->corpus;
    dpl__doc_candidates found;
    dpl_mine_round figures;
    p.ctx = ctx;
    DPL_TRY(dpl__round_save(w->path, &p, &w->figures, &w->found, err));
    DPL_TRY(dpl__round_load(&figures, &found, w->path, &p, err));
    dpl__doc_candidates_clear(&found, ctx);
    return DPL_OK;
}

DPL_TEST(round_file, failing_allocations_leave_nothing_behind)
{
    world w;
    begin(&w);
    test_allocation_failures(save_and_load, &w);
    end(&w);
}
