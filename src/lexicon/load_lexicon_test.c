#include "lexicon/lexicon.h"

#include "io/container.h"
#include "lexicon/lexicon_parts_test.h"

#include <math.h>
#include <stdlib.h>

/* ---- files that are sound, but for one thing ---------------------------------------- */

/* Writes a small lexicon, sound. */
static void write_sound(dpl_ctx *ctx, const char *path)
{
    static test_parts t;
    test_parts_make(&t, ctx, 3, 12);
    CHECK_OK(dpl__lexicon_write(NULL, ctx, path, &t.parts, &test_err));
    test_parts_clear(&t);
}

/* What is done to a section on the way from one file to another: it is left out, or n bytes at
 * a position (from the end when negative) become others, or it loses n bytes. */
typedef struct damage {
    const char *section, *why;
    enum { LEAVE_OUT, CHANGE, CUT } how;
    ptrdiff_t at;
    size_t n;
    union {
        float f;
        double d;
        uint32_t u32;
        uint64_t u64;
        char text[8];
    } to;
} damage;

static void copy_section(dpl__writer *w, dpl_section s, const damage *d)
{
    static char bytes[1 << 16];
    size_t n = s.n_bytes;
    CHECK(n <= sizeof bytes);
    memcpy(bytes, s.data, n);
    if (strcmp(s.name, d->section) == 0) {
        if (d->how == LEAVE_OUT)
            return;
        size_t at = d->at < 0 ? n - (size_t)-d->at : (size_t)d->at;
        CHECK(d->n <= n && (d->how == CUT || at + d->n <= n));
        if (d->how == CUT)
            n -= d->n;
        else
            memcpy(bytes + at, &d->to, d->n);
    }
    CHECK_OK(dpl__writer_add(w, s.name, s.element, bytes, n, &test_err));
}

static dpl_status open_damaged(dpl_ctx *ctx, const char *kind, const damage *d)
{
    dpl_file *sound = NULL;
    dpl__writer *w = NULL;
    CHECK_OK(dpl_file_open(&sound, ctx, test_path("sound.dpl"), &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, test_path("bad.dpl"), kind, &test_err));
    for (size_t i = 0; i < dpl_file_get_info(sound).n_sections; i++)
        copy_section(w, dpl_file_section(sound, i), d);
    CHECK_OK(dpl__writer_finish(w, NULL, &test_err));
    dpl__writer_free(w);
    dpl_file_close(sound);
    dpl_lexicon *l = NULL;
    dpl_status status = dpl_lexicon_open(&l, ctx, test_path("bad.dpl"), NULL, &test_err);
    CHECK((status == DPL_OK) == (l != NULL));
    dpl_lexicon_close(l);
    return status;
}

static void check_damaged(dpl_ctx *ctx, const damage *d)
{
    char why[200];
    snprintf(why, sizeof why, "'%s': section '%s': %s", test_path("bad.dpl"), d->section,
             d->why);
    dpl_status status = open_damaged(ctx, "lexicon", d);
    if (status != DPL_E_FORMAT || strcmp(test_err.text, why) != 0)
        dpl__test_fail(__FILE__, __LINE__, "%s: '%s', expected '%s'", dpl_status_name(status),
                       test_err.text, why);
}

DPL_TEST(lexicon_file, every_number_is_checked)
{
    static const char range[] = "number out of range", order[] = "numbers out of order";
    static const damage all[] = {
        {"source.bytes", "words out of order", CHANGE, 0, 1, {.text = "z"}},
        {"source.bytes", "invalid UTF-8", CHANGE, 1, 1, {.text = "\xFF"}},
        {"source.bytes", "a control character", CHANGE, 1, 1, {.text = "\t"}},
        {"target.bytes", "a control character", CHANGE, 1, 1, {.text = "\x1B"}},
        {"source.offsets", "offsets out of order", CHANGE, 8, 8, {.u64 = 1000}},
        {"source.offsets", "offsets out of order", CUT, 0, 8, {.u64 = 0}},
        {"source.lang", "unknown language", CHANGE, 0, 2, {.text = "qq"}},
        {"target.counts", range, CHANGE, 8, 8, {.u64 = (uint64_t)1 << 48}},
        {"target.counts", "wrong length", CUT, 0, 8, {.u64 = 0}},
        {"table.offsets", "offsets out of order", CHANGE, 8, 8, {.u64 = 1 << 30}},
        {"table.offsets", "wrong length", CUT, 0, 8, {.u64 = 0}},
        {"table.cols", range, CHANGE, 0, 4, {.u32 = CORPUS_WORDS}},
        {"table.cols", order, CHANGE, 4, 4, {.u32 = 0}},
        {"table.p", "wrong length", CUT, 0, 4, {.u64 = 0}},
        {"table.p", range, CHANGE, 0, 4, {.f = 0}},
        {"table.p", range, CHANGE, 0, 4, {.f = -0.5f}},
        {"table.p", range, CHANGE, 0, 4, {.f = 1.0001f}},
        {"table.p", range, CHANGE, 0, 4, {.f = NAN}},
        {"back.cols", range, CHANGE, 0, 4, {.u32 = UINT32_MAX}},
        {"back.p", range, CHANGE, -4, 4, {.f = INFINITY}},
        {"flags", range, CHANGE, 0, 1, {.text = "\4"}},
        {"flags", "wrong length", CUT, 0, 1, {.u64 = 0}},
        {"settings", "invalid UTF-8", CHANGE, 0, 1, {.text = "\xC3"}},
        {"model.begin", "offsets out of order", CHANGE, 0, 8, {.u64 = 1}},
        {"model.right", range, CHANGE, 0, 4, {.u32 = CORPUS_WORDS}},
        {"model.right", order, CHANGE, 4, 4, {.u32 = 0}},
        {"model.p", range, CHANGE, 0, 4, {.f = 0}},
        {"model.p", range, CHANGE, -4, 4, {.f = NAN}},
        {"model.p", "wrong length", CUT, 0, 8, {.u64 = 0}},
        {"model.counts", range, CHANGE, 0, 4, {.f = -1}},
        {"model.counts", range, CHANGE, 0, 4, {.f = 1e10f}},
        {"model.empty.target", range, CHANGE, 0, 4, {.f = NAN}},
        {"model.empty.source", range, CHANGE, 0, 4, {.f = 2}},
        {"model.n_empty", range, CHANGE, 0, 8, {.d = -1}},
        {"model.n_empty", "wrong length", CUT, 0, 8, {.u64 = 0}},
        {"model.p_empty", range, CHANGE, 8, 8, {.d = 1}},
        {"model.p_empty", range, CHANGE, 0, 8, {.d = 0}},
        {"model.jumps", range, CHANGE, 0, 8, {.d = 0}},
        {"model.jumps", range, CHANGE, 0, 8, {.d = 1e-20}},
        {"model.jumps", range, CHANGE, -8, 8, {.d = INFINITY}},
    };
    dpl_ctx *ctx = test_ctx(1);
    write_sound(ctx, test_path("sound.dpl"));
    for (size_t i = 0; i < DPL_LEN(all); i++)
        check_damaged(ctx, &all[i]);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_file, sections_may_be_missing_only_where_the_format_says_so)
{
    dpl_ctx *ctx = test_ctx(1);
    write_sound(ctx, test_path("sound.dpl"));
    dpl_file *f = NULL;
    CHECK_OK(dpl_file_open(&f, ctx, test_path("sound.dpl"), &test_err));
    for (size_t i = 0; i < dpl_file_get_info(f).n_sections; i++) {
        damage d = {dpl_file_section(f, i).name, "missing", LEAVE_OUT, 0, 0, {.u64 = 0}};
        if (strcmp(d.section, "model.begin") == 0) /* then there is no model */
            CHECK_OK(open_damaged(ctx, "lexicon", &d));
        else if (strstr(d.section, "e.counts") || strstr(d.section, "t.counts"))
            CHECK_EQ(open_damaged(ctx, "lexicon", &d), DPL_E_FORMAT); /* the model has them */
        else
            check_damaged(ctx, &d);
    }
    dpl_file_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_file, of_another_kind_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    write_sound(ctx, test_path("sound.dpl"));
    damage none = {.section = ""};
    CHECK_EQ(open_damaged(ctx, "vectors", &none), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "is a vectors file, not a lexicon file") != NULL);
    test_ctx_done(ctx);
}

/* ---- any damage --------------------------------------------------------------------- */

static void check_refused(dpl_ctx *ctx, const char *bytes, size_t n, const char *what,
                          size_t at)
{
    dpl_lexicon *l = NULL;
    const char *path = test_write("x.dpl", bytes, n);
    dpl_status status = dpl_lexicon_open(&l, ctx, path, NULL, &test_err);
    if (status != DPL_E_FORMAT && status != DPL_E_UNSUPPORTED)
        dpl__test_fail(__FILE__, __LINE__, "%s at %zu: %s", what, at, dpl_status_name(status));
    CHECK(!l);
}

DPL_TEST(lexicon_file, every_truncation_and_flipped_bit_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    write_sound(ctx, test_path("sound.dpl"));
    size_t n;
    char *bytes = test_read(test_path("sound.dpl"), &n);
    for (size_t at = 1; at < n; at++) /* nothing at all is text without lines */
        check_refused(ctx, bytes, at, "cut", at);
    for (size_t at = 0; at < n; at++) {
        char was = bytes[at];
        bytes[at] = (char)(was ^ 1 << at % 8);
        check_refused(ctx, bytes, n, "flipped", at);
        bytes[at] = was;
    }
    free(bytes);
    test_ctx_done(ctx);
}

/* ---- languages ---------------------------------------------------------------------- */

DPL_TEST(lexicon_file, languages_that_are_not_its_own_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    const char *path = test_path("sound.dpl");
    write_sound(ctx, path);
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = "German", .target_lang = "eng");
    CHECK_OK(dpl_lexicon_open(&l, ctx, path, &o, &test_err));
    dpl_lexicon_close(l);
    o = (dpl_lexicon_options)DPL_INIT(dpl_lexicon_options, .source_lang = "en",
                                      .target_lang = "de");
    CHECK_EQ(dpl_lexicon_open(&l, ctx, path, &o, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "is from 'de' to 'en': its source is not 'en'") != NULL);
    o = (dpl_lexicon_options)DPL_INIT(dpl_lexicon_options, .target_lang = "none of this world");
    CHECK_EQ(dpl_lexicon_open(&l, ctx, path, &o, &test_err), DPL_E_USAGE);
    CHECK(!l);
    test_ctx_done(ctx);
}

/* ---- failing memory ----------------------------------------------------------------- */

static dpl_status open_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_lexicon *l = NULL;
    DPL_TRY(dpl_lexicon_open(&l, ctx, user, NULL, err));
    dpl_lexicon_close(l);
    return DPL_OK;
}

DPL_TEST(lexicon_file, survives_every_failing_allocation_when_it_is_opened)
{
    dpl_ctx *ctx = test_ctx(1);
    write_sound(ctx, test_path("sound.dpl"));
    test_ctx_done(ctx);
    test_allocation_failures(open_body, (void *)(uintptr_t)test_path("sound.dpl"));
}
