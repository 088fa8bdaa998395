#include "translate/phrases.h"

#include "base/hash.h"
#include "io/sections.h"
#include "test.h"
#include "translate/phrase_keys.h"

enum { MOST = 7, MAX_PHRASE = 3, MAX_OPTIONS = 4 };

typedef struct drawn_row {
    uint32_t words[2][MOST];
    size_t n[2];
    dpl_link links[MOST * MOST];
    size_t n_links;
} drawn_row;

static double half(void *user, uint32_t source, uint32_t target, bool back)
{
    (void)user, (void)source, (void)target, (void)back;
    return 0.5;
}

static const dpl__word_model halves = {.p = half};

static void draw_row(drawn_row *r, dpl__rng *rng)
{
    r->n_links = 0;
    for (int side = 0; side < 2; side++) {
        r->n[side] = 1 + dpl__rng_below(rng, MOST);
        for (size_t i = 0; i < r->n[side]; i++)
            r->words[side][i] = (uint32_t)dpl__rng_below(rng, 5);
    }
    for (uint32_t i = 0; i < r->n[0]; i++)
        for (uint32_t k = 0; k < r->n[1]; k++)
            if (dpl__rng_below(rng, 5) == 0)
                r->links[r->n_links++] = (dpl_link){.left = i, .right = k};
}

/* Spans on either side that have a link between them and none that leads out. */
static bool is_pair(const drawn_row *r, const size_t span[4])
{
    size_t n_inside = 0;
    for (size_t k = 0; k < r->n_links; k++) {
        const bool is_left = r->links[k].left >= span[0] && r->links[k].left < span[1],
                   is_right = r->links[k].right >= span[2] && r->links[k].right < span[3];
        if (is_left != is_right)
            return false;
        n_inside += is_left;
    }
    return n_inside > 0;
}

static size_t count_pairs(const drawn_row *r)
{
    size_t n = 0, s[4];
    for (s[0] = 0; s[0] < r->n[0]; s[0]++)
        for (s[1] = s[0] + 1; s[1] <= r->n[0] && s[1] - s[0] <= MAX_PHRASE; s[1]++)
            for (s[2] = 0; s[2] < r->n[1]; s[2]++)
                for (s[3] = s[2] + 1; s[3] <= r->n[1] && s[3] - s[2] <= MAX_PHRASE; s[3]++)
                    n += is_pair(r, s);
    return n;
}

static dpl__phrase_row row_of(const drawn_row *r)
{
    return (dpl__phrase_row){.source = r->words[0],
                             .target = r->words[1],
                             .n_source = r->n[0],
                             .n_target = r->n[1],
                             .links = r->links,
                             .n_links = r->n_links};
}

/* The file is the caller's. */
static dpl_file *write_table(dpl__phrases *p, dpl_ctx *ctx, dpl_phrases_summary *s)
{
    dpl__writer *w = NULL;
    dpl_file *f = NULL;
    CHECK_OK(dpl__writer_new(&w, ctx, NULL, "sample", &test_err));
    CHECK_OK(dpl__phrases_write(p, w, s, &test_err));
    CHECK_OK(dpl__writer_open(w, &f, &test_err));
    dpl__writer_free(w);
    return f;
}

DPL_TEST(phrases, are_all_spans_that_no_link_leaves)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__spill spill;
    dpl__rng rng = {11};
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    for (int i = 0; i < 300; i++) {
        dpl__phrases *p = NULL;
        drawn_row r;
        draw_row(&r, &rng);
        const dpl__phrase_row row = row_of(&r);
        CHECK_OK(dpl__phrases_new(&p, &spill, MAX_PHRASE, MAX_OPTIONS, &test_err));
        CHECK_OK(dpl__phrases_extract(p, &row, &halves, &test_err));
        dpl_phrases_summary s = DPL_INIT(dpl_phrases_summary);
        dpl_file_close(write_table(p, ctx, &s));
        CHECK_EQ(s.n_extracted, count_pairs(&r));
        dpl__phrases_free(p);
    }
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}

DPL_TEST(phrases, keep_the_best_translations_best_first)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__spill spill;
    dpl__phrases *p = NULL;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__phrases_new(&p, &spill, MAX_PHRASE, MAX_OPTIONS, &test_err));
    /* target 9 is also that of another word, which speaks against it */
    static const double counts[] = {1, 5, 3, 8, 2, 4};
    for (uint32_t t = 0; t < DPL_LEN(counts); t++)
        CHECK_OK(dpl__phrases_add_word(p, 1, t, counts[t], &halves, &test_err));
    CHECK_OK(dpl__phrases_add_word(p, 2, 7, 3, &halves, &test_err));
    CHECK_OK(dpl__phrases_add_word(p, 2, 9, 3, &halves, &test_err));
    CHECK_OK(dpl__phrases_add_word(p, 3, 9, 100, &halves, &test_err));
    dpl_phrases_summary s = DPL_INIT(dpl_phrases_summary);
    dpl_file *f = write_table(p, ctx, &s);
    CHECK_EQ(s.n_phrases, 3);
    CHECK_EQ(s.n_options, MAX_OPTIONS + 2 + 1);
    const uint64_t *keys, *offsets;
    const uint32_t *words;
    const float *scores;
    size_t n;
    CHECK_OK(dpl__get(f, "phrase.keys", 8, &keys, &n, &test_err));
    CHECK_OK(dpl__get(f, "phrase.offsets", 8, &offsets, &n, &test_err));
    CHECK_OK(dpl__get(f, "option.words", 4, &words, &n, &test_err));
    CHECK_OK(dpl__get(f, "option.scores", 4, &scores, &n, &test_err));
    for (size_t i = 0; i < 3; i++) {
        const uint32_t *first = words + offsets[i];
        CHECK(i == 0 || keys[i] > keys[i - 1]);
        if (keys[i] == dpl__phrase_key(0, 1))
            CHECK(first[0] == 3 && first[1] == 1 && first[2] == 5 && first[3] == 2);
        if (keys[i] == dpl__phrase_key(0, 2))
            CHECK(first[0] == 7 && first[1] == 9);
        for (uint64_t k = offsets[i] + 1; k < offsets[i + 1]; k++)
            CHECK(scores[k] <= scores[k - 1]);
    }
    dpl_file_close(f);
    dpl__phrases_free(p);
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}
