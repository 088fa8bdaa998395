#include "sentences/bead_repeats.h"

#include "base/hash.h"
#include "doppel/sentences.h"
#include "test.h"

#include <stdio.h>

enum { DOCS = 40, LINES = 6 };

/* Documents of lines from a small set, so that many repeat; number of the line in lines. */
static dpl_collection *make(dpl_ctx *ctx, const char *name, uint64_t seed,
                            uint32_t lines[DOCS][LINES])
{
    static char text[DOCS * LINES * 80];
    char file[40];
    size_t n = 0;
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; i < DOCS; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"id\": \"%zu\", \"text\": \"", i);
        for (size_t k = 0; k < LINES; k++) {
            /* the first line is the same in every other document */
            lines[i][k] = k == 0 && i % 2 ? 99 : (uint32_t)(dpl__rng_next(&rng) % 12);
            const char *blank = dpl__rng_next(&rng) % 2 ? " " : "  ";
            n += (size_t)snprintf(text + n, sizeof text - n, "line%snumber %u\\n", blank,
                                  lines[i][k]);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "\"}\n");
    }
    snprintf(file, sizeof file, "%s.jsonl", name);
    const char *in = test_write(file, text, n);
    snprintf(file, sizeof file, "%s.dpl", name);
    const char *out = test_path(file);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, out, &test_err));
    return c;
}

typedef struct made {
    dpl_collection *c[2];
    uint32_t lines[2][DOCS][LINES];
    dpl_bead beads[DOCS][LINES];
} made;

/* Line k beside line k, with scores that are often equal; some are not kept. */
static dpl__aligned *align(made *m, dpl_ctx *ctx, const char *dir, size_t share)
{
    static const uint32_t units[LINES + 1] = {0, 1, 2, 3, 4, 5, 6};
    dpl__aligned *a = NULL;
    dpl__rng rng = {7};
    CHECK_OK(dpl__aligned_new(&a, ctx, dir, share, &test_err));
    for (uint32_t i = 0; i < DOCS; i++) {
        for (uint32_t k = 0; k < LINES; k++)
            m->beads[i][k] = (dpl_bead){.left = k,
                                        .n_left = 1,
                                        .right = k,
                                        .n_right = 1,
                                        .score = 0.5f + 0.1f * (float)(dpl__rng_next(&rng) % 4),
                                        .verdict = dpl__rng_next(&rng) % 8 ? DPL_VERDICT_KEPT
                                                                           : DPL_VERDICT_WORDS};
        dpl_aligned_docs docs = {.pair = i,
                                 .docs = {i, i},
                                 .units = {units, units},
                                 .n_units = {LINES, LINES},
                                 .beads = m->beads[i],
                                 .n_beads = LINES};
        CHECK_OK(dpl__aligned_add(a, &docs, &test_err));
    }
    return a;
}

static bool are_equal(const made *m, size_t i, size_t k, size_t j, size_t l)
{
    return m->lines[0][i][k] == m->lines[0][j][l] && m->lines[1][i][k] == m->lines[1][j][l] &&
           m->beads[j][l].verdict == DPL_VERDICT_KEPT;
}

/* All with all. */
static dpl_verdict naive(const made *m, size_t i, size_t k, bool is_unique, bool no_frequent)
{
    const dpl_bead *b = &m->beads[i][k];
    size_t n_docs = 0;
    bool is_best = true;
    if (b->verdict != DPL_VERDICT_KEPT)
        return b->verdict;
    for (size_t j = 0; j < DOCS; j++) {
        bool is_here = false;
        for (size_t l = 0; l < LINES; l++) {
            if (!are_equal(m, i, k, j, l))
                continue;
            is_here = true;
            const dpl_bead *other = &m->beads[j][l];
            bool is_earlier = j < i || (j == i && l < k);
            is_best = is_best &&
                      (other->score < b->score || (other->score <= b->score && !is_earlier));
        }
        n_docs += is_here;
    }
    if (no_frequent && n_docs >= 5 && n_docs * 10 >= DOCS)
        return DPL_VERDICT_FREQUENT;
    return is_unique && !is_best ? DPL_VERDICT_REPEATED : DPL_VERDICT_KEPT;
}

static void check(made *m, dpl_ctx *ctx, size_t share, bool is_unique, bool no_frequent)
{
    dpl__aligned *a = align(m, ctx, test_dir(), share);
    dpl__aligned_reader reader = {0};
    dpl__repeats_options o = {.c = {m->c[0], m->c[1]},
                              .dir = test_dir(),
                              .share = share,
                              .is_unique = is_unique,
                              .no_frequent = no_frequent};
    size_t n_dropped = 0;
    CHECK_OK(dpl__repeats_mark(&a, ctx, &o, &test_err));
    for (size_t i = 0; i < DOCS; i++) {
        dpl_aligned_docs docs;
        CHECK_OK(dpl__aligned_read(&docs, &reader, a, i, &test_err));
        for (size_t k = 0; k < LINES; k++) {
            CHECK_EQ(docs.beads[k].verdict, naive(m, i, k, is_unique, no_frequent));
            n_dropped += docs.beads[k].verdict > DPL_VERDICT_OUTSIDE;
        }
    }
    CHECK((n_dropped > 0) == (is_unique || no_frequent));
    dpl__aligned_reader_clear(&reader, ctx);
    dpl__aligned_free(a);
}

DPL_TEST(repeats, are_those_that_a_comparison_of_all_finds)
{
    static made m;
    dpl_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        m.c[0] = make(ctx, "left", seed, m.lines[0]);
        m.c[1] = make(ctx, "right", seed + 10, m.lines[1]);
        for (unsigned how = 0; how < 4; how++) {
            check(&m, ctx, 1 << 20, how & 1, how & 2);
            check(&m, ctx, 64, how & 1, how & 2); /* temporary files */
        }
        dpl_collection_close(m.c[0]);
        dpl_collection_close(m.c[1]);
    }
    test_ctx_done(ctx);
}

static dpl_status mark_again(void *user, dpl_ctx *ctx, dpl_error *err)
{
    made *m = user;
    dpl__aligned *a = NULL;
    static const uint32_t units[] = {0, 1};
    const dpl_bead bead = {.n_left = 1, .n_right = 1, .score = 0.5f};
    dpl__repeats_options o = {
        .c = {m->c[0], m->c[1]}, .dir = test_dir(), .share = 1 << 16, .is_unique = true};
    dpl_status status = dpl__aligned_new(&a, ctx, NULL, 0, err);
    for (uint32_t i = 0; i < 3 && status == DPL_OK; i++) {
        dpl_aligned_docs docs = {.docs = {i, i},
                                 .units = {units, units},
                                 .n_units = {1, 1},
                                 .beads = &bead,
                                 .n_beads = 1};
        status = dpl__aligned_add(a, &docs, err);
    }
    if (status == DPL_OK)
        status = dpl__repeats_mark(&a, ctx, &o, err);
    dpl__aligned_free(a);
    return status;
}

DPL_TEST(repeats, every_allocation_may_fail)
{
    static made m;
    dpl_ctx *ctx = test_ctx(1);
    m.c[0] = make(ctx, "left", 1, m.lines[0]);
    m.c[1] = make(ctx, "right", 2, m.lines[1]);
    test_allocation_failures(mark_again, &m);
    dpl_collection_close(m.c[0]);
    dpl_collection_close(m.c[1]);
    test_ctx_done(ctx);
}
