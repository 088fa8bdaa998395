#include "mine/pair_beads.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "mine/made_up_side_test.h"
#include "test.h"

enum { N_DOCS = 12, N_SENTENCES = 9, MOST_TEXT = 900 };

/* Sentences of one number have one length; from document N_DOCS / 2 on the right ones are much
 * longer, and each third one is missing. */
static dpl_collection *make_side(dpl_ctx *ctx, bool is_other)
{
    static char text[N_DOCS * MOST_TEXT];
    size_t n = 0;
    for (unsigned doc = 0; doc < N_DOCS; doc++) {
        dpl__rng rng = {dpl__mix(doc)};
        n += (size_t)sprintf(text + n, "%02u\t", doc);
        for (unsigned i = 0; i < N_SENTENCES; i++) {
            const bool is_long = is_other && doc >= N_DOCS / 2;
            unsigned words = 2 + (unsigned)dpl__rng_below(&rng, 9);
            if (is_long && i % 3 == 2)
                continue;
            for (unsigned k = 0; k < words * (is_long ? 2 : 1); k++)
                n += (size_t)sprintf(text + n, k ? " %cab" : "%cab",
                                     (is_other ? (k ? 'k' : 'K') : (k ? 'b' : 'B')) + doc % 5);
            n += (size_t)sprintf(text + n, ". ");
        }
        text[n++] = '\n';
    }
    CHECK(n < sizeof text);
    return import_side(ctx, text, n, is_other);
}

static dpl__comparable make_sides(dpl_ctx *ctx, const dpl_mine_options *options, int pivot)
{
    dpl__comparable p = {.ctx = ctx, .options = options, .pivot = pivot};
    for (int side = 0; side < 2; side++)
        p.c[side] = make_side(ctx, side != pivot);
    snprintf(p.work, sizeof p.work, "%s", test_path("."));
    return p;
}

typedef struct beads {
    dpl_bead beads[N_DOCS][2 * N_SENTENCES];
    size_t n[N_DOCS], n_taken;
} beads;

/* With the right side first where that is the pivot. */
static dpl_status keep(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    beads *b = user;
    const uint32_t doc = docs->docs.left;
    CHECK_EQ(docs->docs.right, doc);
    CHECK(docs->n_beads <= 2 * N_SENTENCES);
    b->n[doc] = docs->n_beads;
    memcpy(b->beads[doc], docs->beads, docs->n_beads * sizeof *docs->beads);
    b->n_taken++;
    return DPL_OK;
}

/* Pairs [first, end) are asked for; beads of all that were asked for so far stay in out. */
static void ask(beads *out, dpl__pair_beads *b, uint32_t first, uint32_t end)
{
    dpl_doc_pair docs[N_DOCS + 1];
    size_t n = 0;
    for (uint32_t doc = first; doc < end; doc++)
        docs[n++] = (dpl_doc_pair){doc, doc};
    docs[n++] = docs[0]; /* once more */
    const size_t before = out->n_taken;
    CHECK_OK(dpl__pair_beads_each(b, (dpl__pair_list){docs, n}, keep, out, &test_err));
    CHECK_EQ(out->n_taken, before + n);
}

/* Lengths are those of the first documents. */
static void ask_in_parts(beads *out, int pivot, const uint32_t *ends, size_t n)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_mine_options options = DPL_INIT(dpl_mine_options);
    dpl__comparable p = make_sides(ctx, &options, pivot);
    dpl_doc_pair likely[N_DOCS / 2];
    for (uint32_t doc = 0; doc < N_DOCS / 2; doc++)
        likely[doc] = (dpl_doc_pair){doc, doc};
    dpl__align_input in = {.corpus = &p,
                           .options = DPL_INIT(dpl_sentences_options),
                           .learn = {likely, N_DOCS / 2}};
    in.options.no_learning = true;
    dpl__pair_beads *b = NULL;
    CHECK_OK(dpl__pair_beads_new(&b, &in, &test_err));
    memset(likely, 0xFF, sizeof likely); /* they were copied */
    *out = (beads){0};
    for (size_t i = 0; i < n; i++)
        ask(out, b, ends[i], i ? ends[i - 1] : N_DOCS);
    dpl__pair_beads_free(b);
    dpl_collection_close((dpl_collection *)(uintptr_t)p.c[0]);
    dpl_collection_close((dpl_collection *)(uintptr_t)p.c[1]);
    test_ctx_done(ctx);
}

DPL_TEST(pair_beads, do_not_depend_on_what_is_aligned_with_them)
{
    static beads whole, parts, again;
    ask_in_parts(&whole, 0, (const uint32_t[]){0}, 1);
    ask_in_parts(&parts, 0, (const uint32_t[]){9, 6, 1, 0}, 4);
    ask_in_parts(&again, 0, (const uint32_t[]){5, 0}, 2);
    bool has_others = false;
    for (uint32_t doc = 0; doc < N_DOCS; doc++) {
        CHECK_EQ(parts.n[doc], whole.n[doc]);
        CHECK_EQ(again.n[doc], whole.n[doc]);
        const size_t n = whole.n[doc] * sizeof(dpl_bead);
        CHECK(memcmp(parts.beads[doc], whole.beads[doc], n) == 0);
        CHECK(memcmp(again.beads[doc], whole.beads[doc], n) == 0);
        has_others |= whole.n[doc] < N_SENTENCES;
    }
    CHECK(has_others);
}

DPL_TEST(pair_beads, mirror_those_of_swapped_sides)
{
    static beads left, right;
    ask_in_parts(&left, 0, (const uint32_t[]){4, 0}, 2);
    ask_in_parts(&right, 1, (const uint32_t[]){0}, 1);
    for (uint32_t doc = 0; doc < N_DOCS; doc++) {
        CHECK_EQ(right.n[doc], left.n[doc]);
        for (size_t i = 0; i < left.n[doc]; i++) {
            const dpl_bead *l = &left.beads[doc][i], *r = &right.beads[doc][i];
            CHECK(l->left == r->right && l->n_left == r->n_right && l->right == r->left &&
                  l->n_right == r->n_left && l->verdict == r->verdict);
            CHECK(memcmp(&l->score, &r->score, sizeof l->score) == 0);
        }
    }
}
