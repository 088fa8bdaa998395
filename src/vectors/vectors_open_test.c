#include "vectors/vectors.h"

#include "io/container.h"
#include "test.h"
#include "tokens/forge_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files that are sound, but for one thing ---------------------------------------- */

enum { N_ROWS = 2, N_TERMS = 3, N_ENTRIES = 3 };

/* Everything a file of vectors holds. */
typedef struct contents {
    const char *kind, *missing;
    float weights[N_ENTRIES];
    uint32_t terms[N_ENTRIES];
    uint64_t offsets[N_ROWS + 1];
    uint32_t docs[N_ROWS];
    uint64_t id_offsets[N_ROWS + 1], term_offsets[N_TERMS + 1], n_docs;
    char id_bytes[4], term_bytes[4], space[6], lang[3];
    uint8_t direction;
    size_t n_weights, n_row_offsets;
} contents;

static const contents sound = {
    .kind = "vectors",
    .missing = "",
    .weights = {0.6f, 0.8f, 1},
    .terms = {0, 2, 1},
    .offsets = {0, 2, 3},
    .docs = {0, 2},
    .id_offsets = {0, 1, 3},
    .term_offsets = {0, 1, 2, 3},
    .n_docs = 4,
    .id_bytes = "xyz",
    .term_bytes = "abc",
    .space = "words",
    .lang = "en",
    .n_weights = N_ENTRIES,
    .n_row_offsets = N_ROWS + 1,
};

static void add(dpl__writer *w, const contents *c, const char *name, unsigned element,
                const void *data, size_t n)
{
    if (strcmp(c->missing, name) != 0)
        CHECK_OK(dpl__writer_add(w, name, element, data, n, &test_err));
}

static dpl_status open_contents(dpl_ctx *ctx, const contents *c, dpl_vectors **out)
{
    const char *path = test_path("v.dpl");
    dpl__writer *w = NULL;
    *out = NULL;
    CHECK_OK(dpl__writer_new(&w, ctx, path, c->kind, &test_err));
    add(w, c, "row.weights", 4, c->weights, 4 * c->n_weights);
    add(w, c, "row.terms", 4, c->terms, sizeof c->terms);
    add(w, c, "row.offsets", 8, c->offsets, 8 * c->n_row_offsets);
    add(w, c, "row.docs", 4, c->docs, sizeof c->docs);
    add(w, c, "id.offsets", 8, c->id_offsets, sizeof c->id_offsets);
    add(w, c, "id.bytes", 1, c->id_bytes, 3);
    add(w, c, "term.offsets", 8, c->term_offsets, sizeof c->term_offsets);
    add(w, c, "term.bytes", 1, c->term_bytes, 3);
    add(w, c, "docs", 8, &c->n_docs, 8);
    add(w, c, "direction", 1, &c->direction, 1);
    add(w, c, "space", 1, c->space, 5);
    add(w, c, "lang", 1, c->lang, 2);
    add(w, c, "doc.lang", 1, "de", 2);
    add(w, c, "settings", 1, "{}", 2);
    CHECK_OK(dpl__writer_finish(w, NULL, &test_err));
    dpl__writer_free(w);
    return dpl_vectors_open(out, ctx, path, &test_err);
}

static void check_damaged(const contents *c, const char *why)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    dpl_status status = open_contents(ctx, c, &v);
    CHECK(!v);
    if (status != DPL_E_FORMAT || !strstr(test_err.text, why))
        dpl__test_fail(__FILE__, __LINE__, "%s: '%s', expected '%s'", dpl_status_name(status),
                       test_err.text, why);
    test_ctx_done(ctx);
}

DPL_TEST(vectors_file, opens_and_says_what_it_holds)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(open_contents(ctx, &sound, &v));
    const dpl_vectors_sizes *n = dpl_vectors_get_sizes(v);
    CHECK_EQ(n->n_rows, 2);
    CHECK_EQ(n->n_dropped, 2);
    CHECK_EQ(n->n_terms, 3);
    CHECK_EQ(n->n_entries, 3);
    CHECK_EQ(n->dim, 0);
    CHECK_STR(dpl_vectors_id(v, 0), "x");
    CHECK_STR(dpl_vectors_id(v, 1), "yz");
    CHECK_STR(dpl_vectors_term(v, 2), "c");
    CHECK_STR(dpl_vectors_get_info(v).space, "words");
    CHECK_STR(dpl_vectors_get_info(v).settings, "{}");
    CHECK_STR(dpl_vectors_get_info(v).lang, "en");
    CHECK_STR(dpl_vectors_get_info(v).doc_lang, "de");
    CHECK_STR(dpl__cstr(dpl_vectors_get_info(v).path), test_path("v.dpl"));
    uint32_t term;
    CHECK(dpl_vectors_find_term(v, DPL_STR("b"), &term) && term == 1);
    CHECK(!dpl_vectors_find_term(v, DPL_STR("bb"), &term));
    CHECK(!v->is_projected);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(vectors_file, forged_ids_and_settings_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    static const struct {
        const char *section, *data, *why;
        size_t n;
    } all[] = {
        {"id.bytes", "x\tz", "'id.bytes': a control character", 3},
        {"id.bytes", "x\nz", "'id.bytes': a control character", 3},
        {"id.bytes", "x\0z", "'id.bytes': a control character", 3},
        {"id.bytes", "x\x1Bz", "'id.bytes': a control character", 3},
        {"lang", "\x1B[", "'lang': not the code of a language", 2},
        {"space", "a\nb", "'space': a control character", 3},
        {"settings", "[]", "'settings': not a JSON object", 2},
        {"settings", "{}}", "'settings': not a JSON object", 3},
        {"settings", "{\"a\":\"\x1B\"}", "'settings': a control character", 9},
    };
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        dpl_vectors *v = NULL;
        CHECK_OK(open_contents(ctx, &sound, &v));
        dpl_vectors_close(v);
        const char *path =
            test_forge(ctx, test_path("v.dpl"), all[i].section, all[i].data, all[i].n);
        CHECK_EQ(dpl_vectors_open(&v, ctx, path, &test_err), DPL_E_FORMAT);
        if (!strstr(test_err.text, all[i].why))
            dpl__test_fail(__FILE__, __LINE__, "'%s' without '%s'", test_err.text, all[i].why);
    }
    test_ctx_done(ctx);
    contents c = sound;
    c.id_offsets[1] = 0;
    check_damaged(&c, "'id.bytes': an empty string");
}

DPL_TEST(vectors_file, an_id_that_is_there_twice_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(open_contents(ctx, &sound, &v));
    dpl_vectors_close(v);
    const char *path = test_path("v.dpl"), *old = path;
    path = test_forge(ctx, path, "id.bytes", "xx", 2);
    CHECK(rename(path, old) == 0);
    path = test_forge(ctx, old, "id.offsets", (uint64_t[]){0, 1, 2}, 24);
    CHECK_EQ(dpl_vectors_open(&v, ctx, path, &test_err), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "'id.bytes': a string is there twice") != NULL);
    test_ctx_done(ctx);
}

DPL_TEST(vectors_file, weights_that_are_none_are_refused)
{
    static const float bad[] = {0, -0.6f, NAN, INFINITY, -INFINITY, 3};
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        contents c = sound;
        c.weights[0] = bad[i];
        check_damaged(&c, "'row.weights': weight out of range");
    }
    contents c = sound;
    c.weights[2] = 0.99f;
    check_damaged(&c, "'row.weights': a row's length is not 1");
    c.weights[2] = 0.9995f; /* near enough */
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(open_contents(ctx, &c, &v));
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(vectors_file, numbers_that_point_elsewhere_are_refused)
{
    contents c = sound;
    c.terms[2] = 3;
    check_damaged(&c, "'row.terms': number out of range");
    c = sound;
    c.terms[1] = 0;
    check_damaged(&c, "'row.terms': terms out of order");
    c = sound;
    c.offsets[1] = 4;
    check_damaged(&c, "'row.offsets'");
    c = sound;
    c.offsets[1] = 3; /* a row of nothing has no length */
    c.weights[1] = 0.1f;
    check_damaged(&c, "'row.terms': terms out of order");
    c = sound;
    c.docs[0] = 2;
    check_damaged(&c, "'row.docs': documents out of order");
    c = sound;
    c.docs[1] = 4;
    check_damaged(&c, "'row.docs': number out of range");
    c = sound;
    c.n_docs = 1;
    check_damaged(&c, "'docs': number out of range");
    c = sound;
    c.n_docs = (uint64_t)1 << 40;
    check_damaged(&c, "'docs': number out of range");
    c = sound;
    c.direction = 3;
    check_damaged(&c, "'direction': number out of range");
}

DPL_TEST(vectors_file, terms_that_do_not_rise_are_refused)
{
    contents c = sound;
    memcpy(c.term_bytes, "acb", 3);
    check_damaged(&c, "'term.bytes': terms out of order");
    memcpy(c.term_bytes, "abb", 3);
    check_damaged(&c, "'term.bytes': terms out of order");
    memcpy(c.term_bytes, "ab\xFF", 3);
    check_damaged(&c, "'term.bytes': invalid UTF-8");
    c = sound;
    c.lang[0] = '\xC3';
    check_damaged(&c, "'lang': not the code of a language");
}

DPL_TEST(vectors_file, sections_that_are_missing_or_short_are_refused)
{
    static const char *const names[] = {
        "row.weights", "row.terms", "row.offsets",  "row.docs",   "id.offsets",
        "id.bytes",    "docs",      "term.offsets", "term.bytes", "direction",
        "space",       "lang",      "doc.lang",     "settings"};
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        contents c = sound;
        c.missing = names[i];
        check_damaged(&c, "missing");
    }
    contents c = sound;
    c.n_weights = 2;
    check_damaged(&c, "'row.weights': wrong length");
    c = sound;
    c.n_row_offsets = 2;
    check_damaged(&c, "'row.offsets': wrong length");
}

DPL_TEST(vectors_file, every_flipped_byte_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(open_contents(ctx, &sound, &v));
    dpl_vectors_close(v);
    size_t n;
    char *bytes = test_read(test_path("v.dpl"), &n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (char)(bytes[i] ^ 0x10);
        dpl_status s = dpl_vectors_open(&v, ctx, test_write("b.dpl", bytes, n), &test_err);
        bytes[i] = (char)(bytes[i] ^ 0x10);
        if (s != DPL_E_FORMAT && s != DPL_E_UNSUPPORTED)
            dpl__test_fail(__FILE__, __LINE__, "byte %zu flipped: %s", i, dpl_status_name(s));
    }
    free(bytes);
    test_ctx_done(ctx);
}

DPL_TEST(vectors_file, of_another_kind_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    contents c = sound;
    c.kind = "collection";
    CHECK_EQ(open_contents(ctx, &c, &v), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "is a collection file, not a vectors file") != NULL);
    CHECK_STR(dpl__cstr(test_err.code), "not-vectors");
    CHECK_EQ(dpl_vectors_open(&v, ctx, test_write("x.jsonl", "{}\n", 3), &test_err),
             DPL_E_FORMAT);
    CHECK_EQ(dpl_vectors_open(&v, ctx, test_path("none"), &test_err), DPL_E_IO);
    CHECK(strstr(test_err.text, "cannot open") != NULL);
    CHECK_EQ(dpl_vectors_open(&v, ctx, test_dir(), &test_err), DPL_E_IO);
    test_ctx_done(ctx);
}
