#include "mine/doc_labels.h"

#include "base/hash.h"
#include "mine/mine_params.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

enum { DOCS = 60 };

/* Documents of different lengths; number[i] is before document i. */
static dpl_collection *make(dpl_ctx *ctx, const char *name, const unsigned *numbers)
{
    static char text[1 << 16];
    char path[1000];
    dpl_collection *c = NULL;
    size_t n = 0;
    for (unsigned i = 0; i < DOCS; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%u\t", i);
        if (numbers)
            n += (size_t)snprintf(text + n, sizeof text - n, "%u ", numbers[i]);
        for (unsigned k = 0; k < 2 + i * 7 % 19; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "word%u ", i * k % 97);
        text[n - 1] = '\n';
    }
    const char *in = test_write("labels.tsv", text, n);
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    snprintf(path, sizeof path, "%s", test_path(name));
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

DPL_TEST(doc_labels, numbers_that_pair_nothing_are_labels)
{
    dpl_ctx *ctx = test_ctx(1);
    unsigned equal[DOCS], other[DOCS], few[DOCS];
    bool are_other;
    for (unsigned i = 0; i < DOCS; i++) {
        equal[i] = i + 1;
        other[i] = 1 + i * 23 % DOCS; /* 23 and 60 have no common factor */
        few[i] = 1 + i % 7;
    }
    dpl_collection *same = make(ctx, "same.dpl", equal),
                   *turned = make(ctx, "other.dpl", other), *none = make(ctx, "none.dpl", NULL),
                   *years = make(ctx, "few.dpl", few);
    const dpl_collection *const agree[] = {same, same}, *const differ[] = {same, turned},
                                *const one[] = {same, none}, *const repeat[] = {years, turned};
    CHECK_OK(dpl__have_other_labels(&are_other, ctx, agree, &test_err));
    CHECK(!are_other);
    CHECK_OK(dpl__have_other_labels(&are_other, ctx, differ, &test_err));
    CHECK(are_other);
    CHECK_OK(dpl__have_other_labels(&are_other, ctx, one, &test_err));
    CHECK(!are_other);
    CHECK_OK(dpl__have_other_labels(&are_other, ctx, repeat, &test_err));
    CHECK(!are_other);
    dpl_collection_close(same);
    dpl_collection_close(turned);
    dpl_collection_close(none);
    dpl_collection_close(years);
    test_ctx_done(ctx);
}

/* ---- against a naive count ------------------------------------------------------------------
 */

enum { MOST_DOCS = 90 };

/* Of each document its number, 0: none, and its words. */
typedef struct made {
    unsigned n, number[MOST_DOCS], n_words[MOST_DOCS];
} made;

static dpl_collection *make_of(dpl_ctx *ctx, const char *name, const made *m)
{
    static char text[MOST_DOCS * 400];
    char path[1000];
    dpl_collection *c = NULL;
    size_t n = 0;
    for (unsigned i = 0; i < m->n; i++) {
        n += (size_t)sprintf(text + n, "%u\t", i);
        if (m->number[i])
            n += (size_t)sprintf(text + n, "%u ", m->number[i]);
        for (unsigned k = 0; k < m->n_words[i]; k++)
            n += (size_t)sprintf(text + n, "word ");
        text[n - 1] = '\n';
    }
    const char *in = test_write("labels.tsv", text, n);
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    snprintf(path, sizeof path, "%s", test_path(name));
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* The document that alone has a number; MOST_DOCS: none, or several. */
static unsigned only_one(const made *m, unsigned number)
{
    unsigned found = MOST_DOCS;
    for (unsigned i = 0; i < m->n; i++)
        if (m->number[i] == number) {
            if (found != MOST_DOCS)
                return MOST_DOCS;
            found = i;
        }
    return found;
}

/* Fifty documents, nine tenths of them with a number of their own. */
static bool has_labels(const made *m)
{
    unsigned n = 0;
    for (unsigned number = 1; number <= MOST_DOCS; number++)
        n += only_one(m, number) != MOST_DOCS;
    return m->n >= DPL__P(mine, label_docs) && 10 * n >= 9 * m->n;
}

/* Lengths of documents with equal numbers correlate by more than some deviations of chance. */
static bool are_alike(const made m[2])
{
    double x[MOST_DOCS], y[MOST_DOCS], mean[2] = {0, 0}, squares[2] = {0, 0}, product = 0;
    size_t n = 0;
    for (unsigned number = 1; number <= MOST_DOCS; number++) {
        const unsigned of[2] = {only_one(&m[0], number), only_one(&m[1], number)};
        if (of[0] == MOST_DOCS || of[1] == MOST_DOCS)
            continue;
        x[n] = log(5.0 * m[0].n_words[of[0]] - 1); /* "word word" */
        y[n] = log(5.0 * m[1].n_words[of[1]] - 1);
        mean[0] += x[n];
        mean[1] += y[n++];
    }
    for (size_t i = 0; i < n; i++) {
        const double d[2] = {x[i] - mean[0] / (double)n, y[i] - mean[1] / (double)n};
        squares[0] += d[0] * d[0];
        squares[1] += d[1] * d[1];
        product += d[0] * d[1];
    }
    return n >= 2 && product / sqrt(squares[0] * squares[1]) * sqrt((double)n) >=
                         DPL__P(mine, label_deviations);
}

DPL_TEST(doc_labels, are_those_of_a_naive_count)
{
    dpl__rng rng = {dpl__mix(151)};
    unsigned n_seen[2] = {0, 0}, n_alike = 0;
    for (int turn = 0; turn < 120; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        made m[2];
        dpl_collection *c[2];
        bool found;
        const unsigned n = 40 + (unsigned)dpl__rng_below(&rng, MOST_DOCS - 40),
                       noise = 1 + (unsigned)dpl__rng_below(&rng, 40);
        for (int side = 0; side < 2; side++) {
            const unsigned bad = (unsigned)dpl__rng_below(&rng, 12);
            m[side].n = n;
            for (unsigned i = 0; i < n; i++) { /* some have none, or that of another one */
                m[side].number[i] = i >= bad ? i + 1 : i % 2 ? 0 : n;
                m[side].n_words[i] = 2 + i * 7 % 23 + (unsigned)dpl__rng_below(&rng, noise);
            }
            c[side] = make_of(ctx, side ? "r.dpl" : "l.dpl", &m[side]);
        }
        const dpl_collection *const both[2] = {c[0], c[1]};
        const bool are = has_labels(&m[0]) && has_labels(&m[1]);
        CHECK_OK(dpl__have_other_labels(&found, ctx, both, &test_err));
        CHECK_EQ(found, are && !are_alike(m));
        n_seen[found]++;
        n_alike += are && are_alike(m);
        for (int side = 0; side < 2; side++)
            dpl_collection_close(c[side]);
        test_ctx_done(ctx);
    }
    CHECK(n_seen[0] > 20 && n_seen[1] > 10 && n_alike > 10);
}
