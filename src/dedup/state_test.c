/* Files that remember earlier runs: what they say, and what they may not say. */
#include "dedup/state.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "test.h"
#include "tokens/forge_test.h"

#include <stdlib.h>

static dpl_status dedup(dpl_ctx *ctx, const char *state, const char *name, const char *docs,
                        dpl_dedup_result **out)
{
    const dpl_input in = {.buffer = {docs, strlen(docs)}, .name = name};
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .state = state);
    test_err = (dpl_error){0};
    return dpl_dedup(out, ctx, NULL, &in, 1, &o, &test_err);
}

static const char first[] = "{\"id\":\"1\",\"lang\":\"en\",\"text\":\"one two three\"}\n"
                            "{\"id\":\"2\",\"lang\":\"en\",\"text\":\"four five six\"}\n";
static const char second[] = "{\"id\":\"1\",\"lang\":\"en\",\"text\":\"seven eight\"}\n"
                             "{\"id\":\"3\",\"lang\":\"en\",\"text\":\"one two three\"}\n";

static void check_run(dpl_ctx *ctx, const char *state, const char *name, const char *docs,
                      uint64_t n_docs, uint64_t n_seen, uint64_t n_kept)
{
    dpl_dedup_result *r = NULL;
    CHECK_OK(dedup(ctx, state, name, docs, &r));
    const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
    CHECK_EQ(s->n_docs, n_docs);
    CHECK_EQ(s->n_seen, n_seen);
    CHECK_EQ(s->n_kept, n_kept);
    dpl_dedup_result_free(r);
}

/* An input is the one that the file has if its name and its bytes are the same. */
DPL_TEST(state, an_input_counts_once_and_another_one_of_its_name_counts)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *state = test_path("state.dpl");
    check_run(ctx, state, "a.jsonl", first, 2, 0, 2);
    check_run(ctx, state, "a.jsonl", first, 2, 0, 2); /* again: alone */
    check_run(ctx, state, "b.jsonl", second, 4, 2, 3);
    check_run(ctx, state, "a.jsonl", first, 4, 2, 3);  /* the second one came first now */
    check_run(ctx, state, "c.jsonl", first, 6, 4, 3);  /* the same bytes of another name */
    check_run(ctx, state, "a.jsonl", second, 8, 6, 3); /* other bytes of the same name */
    dpl_dedup_result *r = NULL;
    CHECK_OK(dedup(ctx, state, "d.jsonl", second, &r));
    CHECK_STR(dpl_dedup_get_doc(r, 0).id, "b.jsonl:1");
    CHECK_STR(dpl_dedup_get_doc(r, 1).id, "b.jsonl:3");
    CHECK_STR(dpl_dedup_get_doc(r, 9).id, "d.jsonl:3");
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

/* ---- what a file may not say
 * ------------------------------------------------------------------ */

/* A section of the state as it is, with room for a byte more. */
static char *section_of(dpl_ctx *ctx, const char *path, const char *name, size_t *n)
{
    dpl_file *f = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&f, ctx, path, &test_err));
    CHECK(dpl_file_find(f, name, &s));
    char *out = malloc(s.n_bytes + 16);
    memcpy(out, s.data, s.n_bytes);
    *n = s.n_bytes;
    dpl_file_close(f);
    return out;
}

static void check_refused(dpl_ctx *ctx, const char *section, const char *data, size_t n,
                          const char *what)
{
    const char *path = test_forge(ctx, test_path("state.dpl"), section, data, n);
    dpl_dedup_result *r = NULL;
    const dpl_status status = dedup(ctx, path, "c.jsonl", second, &r);
    if (status != DPL_E_FORMAT || !strstr(test_err.text, what))
        dpl__test_fail(__FILE__, __LINE__, "%s: %s instead of '%s'", section, test_err.text,
                       what);
    CHECK(!r);
}

DPL_TEST(state, lists_of_inputs_that_cannot_be_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    size_t n_names, n_prints, n_ids;
    check_run(ctx, test_path("state.dpl"), "a.jsonl", first, 2, 0, 2);
    check_run(ctx, test_path("state.dpl"), "b.jsonl", second, 4, 2, 3);
    const char *path = test_path("state.dpl");
    char *names = section_of(ctx, path, "input.names", &n_names),
         *prints = section_of(ctx, path, "input.prints", &n_prints),
         *ids = section_of(ctx, path, "id.bytes", &n_ids);
    CHECK_EQ(n_names, 16);
    CHECK(memcmp(names, "a.jsonl\0b.jsonl", 16) == 0);
    CHECK_EQ(n_prints, 16);
    static const char what[] = "the list of inputs is impossible";
    check_refused(ctx, "input.names", names, 2, what);     /* a name less */
    check_refused(ctx, "input.names", "a\0b\0c", 6, what); /* one more */
    check_refused(ctx, "input.names", "a\0\0b", 4, what);  /* an open end */
    check_refused(ctx, "input.prints", prints, n_prints - 8, what);
    /* ids: "0:1", "0:2", "1:1", "1:3" */
    CHECK(n_ids >= 12 && memcmp(ids, "0:10:21:11:3", 12) == 0);
    ids[0] = '/'; /* still the first one in order */
    check_refused(ctx, "id.bytes", ids, n_ids, "without the number of its input");
    memcpy(ids, "1:0", 3);
    const uint32_t order[] = {1, 0, 2, 3};
    const char *forged = test_forge(ctx, path, "doc.order", order, sizeof order);
    forged = test_forge(ctx, forged, "id.bytes", ids, n_ids);
    CHECK_EQ(dedup(ctx, forged, "c.jsonl", second, NULL), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "are not together"));
    free(names);
    free(prints);
    free(ids);
    test_ctx_done(ctx);
}

DPL_TEST(state, a_file_that_is_no_state_stays_as_it_is)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *docs = test_write("docs.jsonl", first, sizeof first - 1),
               *collection = test_path("c.dpl");
    dpl_dedup_result *r = NULL;
    CHECK_OK(dpl_import(NULL, ctx, collection, &docs, 1, NULL, &test_err));
    const char *paths[] = {docs, collection};
    for (size_t i = 0; i < DPL_LEN(paths); i++) {
        size_t n, m;
        char *before = test_read(paths[i], &n);
        CHECK_EQ(dedup(ctx, paths[i], "a.jsonl", second, &r), DPL_E_FORMAT);
        CHECK_STR(dpl__cstr(test_err.code), "not-a-state");
        char *after = test_read(paths[i], &m);
        CHECK(n == m && memcmp(before, after, n) == 0);
        free(before);
        free(after);
    }
    test_ctx_done(ctx);
}

/* ---- failing memory ---------------------------------------------------------------- */

static dpl_status dedup_second(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_input in = {.buffer = {second, sizeof second - 1}, .name = "b.jsonl"};
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .state = user, .no_recall_check = true);
    return dpl_dedup(NULL, ctx, NULL, &in, 1, &o, err);
}

DPL_TEST(state, failed_allocations_of_a_later_run_are_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *state = test_path("state.dpl");
    check_run(ctx, state, "a.jsonl", first, 2, 0, 2);
    test_ctx_done(ctx);
    test_allocation_failures(dedup_second, (void *)(uintptr_t)state);
}
