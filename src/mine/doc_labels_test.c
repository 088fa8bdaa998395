#include "mine/doc_labels.h"

#include "test.h"

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
