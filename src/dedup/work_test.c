#include "dedup/work.h"

#include "test.h"

#include <stdio.h>

enum { N_DOCS = 4 };

static dpl_status parse(dpl_ctx *ctx, const char *head, const char *edges, dpl__found *found)
{
    char text[200];
    dpl__lines lines;
    const int n = snprintf(text, sizeof text, "%s\n%s", head, edges);
    CHECK_OK(dpl__lines_open(&lines, ctx, test_write("edges.tsv", text, (size_t)n), &test_err));
    *found = (dpl__found){0};
    const dpl_status status = dpl__work_parse_edges(found, &lines, N_DOCS, &test_err);
    dpl__lines_close(&lines);
    return status;
}

/* What an earlier run wrote may be damaged: numbers lead nowhere before they are looked at. */
DPL_TEST(work, edges_are_pairs_of_documents_or_refused)
{
    static const struct {
        const char *head, *edges;
        bool is_good;
    } cases[] = {
        {"3\t1\t4\t20\t9\t0", "", true},
        {"3\t1\t4\t20\t9\t2", "0\t3\t1\t0.5\n1\t2\t0\t1\n", true},
        {"0\t0\t4294967295\t4294967295\t9007199254740991\t1", "2\t3\t2\t0\n", true},
        {"", "", false},
        {"3\t1\t4\t20\t9", "", false},                   /* a number too few */
        {"4\t1\t4\t20\t9\t0", "", false},                /* no method */
        {"3\t1\t4294967296\t20\t9\t0", "", false},       /* more than 32 bits */
        {"3\t1\t4\t4294967296\t9\t0", "", false},        /* the same */
        {"3\t1\t-4\t20\t9\t0", "", false},               /* below zero */
        {"3\t1\t4\t20\t9007199254740992\t0", "", false}, /* not exact */
        {"3\t1\t4\t20\tnan\t0", "", false},
        {"3\t1\t4\t20\t9\t1", "", false},               /* fewer edges than it says */
        {"3\t1\t4\t20\t9\t0", "0\t1\t1\t0.5\n", false}, /* more */
        {"3\t1\t4\t20\t9\t1", "0\t4\t1\t0.5\n", false}, /* a document too far */
        {"3\t1\t4\t20\t9\t1", "2\t2\t1\t0.5\n", false}, /* one document */
        {"3\t1\t4\t20\t9\t1", "2\t1\t1\t0.5\n", false}, /* the other way round */
        {"3\t1\t4\t20\t9\t1", "0.5\t1\t1\t0.5\n", false},
        {"3\t1\t4\t20\t9\t1", "0\t1.5\t1\t0.5\n", false},
        {"3\t1\t4\t20\t9\t1", "0\t1\t9\t0.5\n", false}, /* no kind */
        {"3\t1\t4\t20\t9\t1", "0\t1\t1\n", false},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__found found;
        const dpl_status status = parse(ctx, cases[i].head, cases[i].edges, &found);
        if (status != (cases[i].is_good ? DPL_OK : DPL_E_FORMAT))
            dpl__test_fail(__FILE__, __LINE__, "case %zu is %d: %s", i, status, test_err.text);
        dpl__vec_clear(ctx, &found.edges);
    }
    test_ctx_done(ctx);
}

DPL_TEST(work, edges_come_back_as_they_were_written)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__found found;
    CHECK_OK(parse(ctx, "2\t0\t4\t20\t9\t2", "0\t3\t1\t0.5\n1\t2\t0\t1\n", &found));
    CHECK(found.method == 2 && !found.is_exact && found.code_length == 4);
    CHECK(found.n_codes == 20 && found.n_candidates == 9);
    CHECK_EQ(found.edges.n, 2);
    const dpl_dedup_edge *e = found.edges.data;
    CHECK(e[0].left == 0 && e[0].right == 3 && e[0].kind == 1 && e[0].score == 0.5f);
    CHECK(e[1].left == 1 && e[1].right == 2 && e[1].kind == 0 && e[1].score == 1.0f);
    dpl__vec_clear(ctx, &found.edges);
    test_ctx_done(ctx);
}
