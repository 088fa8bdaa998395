#include "readers/chunks.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <unicode/ustring.h>

/* ---- what is not UTF-8 --------------------------------------------------------------------
 */

/* By way of ICU's UTF-16. */
static size_t icu_replace(char *out, size_t size, dpl_str s, int32_t *n_replaced)
{
    UErrorCode code = U_ZERO_ERROR;
    UChar wide[200];
    int32_t n = 0, n_bytes = 0;
    u_strFromUTF8WithSub(wide, 200, &n, s.data, (int32_t)s.n, 0xFFFD, n_replaced, &code);
    u_strToUTF8(out, (int32_t)size, &n_bytes, wide, n, &code);
    CHECK(U_SUCCESS(code));
    return (size_t)n_bytes;
}

/* Borders of the ranges of each place in a sequence, more often than others. */
static char random_byte(dpl__rng *rng)
{
    static const uint8_t borders[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                      0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                      0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFE, 0xFF};
    return (char)(dpl__rng_below(rng, 8) ? borders[dpl__rng_below(rng, sizeof borders)]
                                         : dpl__rng_below(rng, 256));
}

DPL_TEST(record, replaces_what_icu_replaces)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        dpl__rng rng = {seed << 20};
        char bytes[24], expected[100];
        const size_t n = dpl__rng_below(&rng, sizeof bytes + 1);
        for (size_t i = 0; i < n; i++)
            bytes[i] = random_byte(&rng);
        int32_t n_expected;
        uint64_t n_replaced;
        const size_t length =
            icu_replace(expected, sizeof expected, (dpl_str){bytes, n}, &n_expected);
        dpl_str s = {bytes, n};
        CHECK_OK(dpl__utf8_replace(&s, &arena, &n_replaced, &test_err));
        if (!dpl__str_eq(s, (dpl_str){expected, length}) || n_replaced != (uint64_t)n_expected)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %llu replacements, expected %d",
                           (unsigned long long)seed, (unsigned long long)n_replaced,
                           (int)n_expected);
        CHECK((s.data == bytes) == (n_replaced == 0)); /* a copy only where it must be */
        dpl__arena_reset(&arena);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

/* ---- a batch of records -------------------------------------------------------------------
 */

typedef struct batch {
    dpl_ctx *ctx;
    dpl_reader_options options;
    dpl__batch b;
    dpl__chunk chunk;
} batch;

/* text: the bytes of the chunk, which begins in line 7 of the file, 3 bytes into the line. */
static void begin(batch *t, dpl_on_error policy, const char *text)
{
    *t =
        (batch){.ctx = test_ctx(1),
                .options = DPL_INIT(dpl_reader_options, .on_error = policy, .max_record = 100)};
    dpl__batch_init(&t->b, t->ctx, &t->options);
    t->chunk = (dpl__chunk){.file = "f", .line = 7, .offset = 1000, .n_before = 3};
    CHECK(dpl__vec_append(t->ctx, &t->chunk.bytes, text, strlen(text)));
}

static void end(batch *t)
{
    dpl__batch_clear(&t->b);
    dpl__vec_clear(t->ctx, &t->chunk.bytes);
    test_ctx_done(t->ctx);
}

static void check_fault(const batch *t, uint64_t line, uint64_t column, uint64_t offset,
                        const char *text)
{
    CHECK_STR(dpl__cstr(test_err.text), text);
    CHECK_EQ(test_err.line, line);
    CHECK_EQ(test_err.column, column);
    CHECK_EQ(test_err.offset, offset);
    CHECK_EQ(t->b.counts.n_docs, 0);
}

DPL_TEST(record, faults_say_where_in_the_file_they_are)
{
    batch t;
    begin(&t, DPL_ON_ERROR_FAIL, "line 7\nline 8\nline 9");
    const dpl__chunk *c = &t.chunk;
    CHECK_EQ(
        dpl__record_bad(&t.b, DPL__AT(c, 7, 5), DPL_DROP_MALFORMED, &test_err, "no %s", "good"),
        DPL_E_FORMAT);
    check_fault(&t, 7, 5, 1000 + 4 - 3, "'f' line 7: no good at column 5");
    CHECK_EQ(dpl__record_bad(&t.b, DPL__AT(c, 8, 2), DPL_DROP_MALFORMED, &test_err, "no"),
             DPL_E_FORMAT);
    check_fault(&t, 8, 2, 1000 + 7 + 1, "'f' line 8: no at column 2");
    CHECK_EQ(dpl__record_bad(&t.b, DPL__AT(c, 9, 1), DPL_DROP_MALFORMED, &test_err, "no"),
             DPL_E_FORMAT);
    check_fault(&t, 9, 1, 1000 + 14, "'f' line 9: no at column 1");
    CHECK_EQ(dpl__record_bad(&t.b, DPL__AT(c, 8, 0), DPL_DROP_MALFORMED, &test_err, "no"),
             DPL_E_FORMAT);
    check_fault(&t, 8, 0, 1000 + 7, "'f' line 8: no");
    CHECK_EQ(dpl__record_bad(&t.b, DPL__AT(c, 12, 1), DPL_DROP_MALFORMED, &test_err, "no"),
             DPL_E_FORMAT); /* there is no such line: the end */
    check_fault(&t, 12, 1, 1000 + 20, "'f' line 12: no at column 1");
    CHECK_EQ(dpl__record_long(&t.b, c, 9, &test_err), DPL_E_FORMAT);
    check_fault(&t, 9, 0, 1000 + 14, "'f' line 9: longer than 100 bytes");
    t.chunk.member = "f"; /* a file is its own member */
    t.chunk.is_numbered = true;
    CHECK_EQ(dpl__record_long(&t.b, c, 9, &test_err), DPL_E_FORMAT);
    check_fault(&t, 9, 0, 1000 + 14, "'f' document 9: longer than 100 bytes");
    end(&t);
}

DPL_TEST(record, a_member_is_named_behind_its_folder)
{
    static const char *const cases[][3] = {{"dir", "a/b", "dir/a/b"}, {"dir/", "a", "dir/a"},
                                           {"f", "f", "f"},           {"f", NULL, "f"},
                                           {"/", "a", "/a"},          {"", "a", "/a"}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char place[20];
        const dpl__chunk c = {.file = cases[i][0], .member = cases[i][1]};
        dpl__record_place(place, sizeof place, &c);
        CHECK_STR(dpl__cstr(place), cases[i][2]);
    }
    char place[5];
    dpl__record_place(place, sizeof place, &(dpl__chunk){.file = "long", .member = "name"});
    CHECK_STR(dpl__cstr(place), "long"); /* what is too long is cut */
}

/* One text of three lines, whose fourth character of the second line is wrong. */
static dpl_status check_utf8(batch *t, dpl_str *s)
{
    *s = DPL_STR("abc\nde\xC3(\nf");
    return dpl__record_utf8(&t->b, &t->chunk, 7, 4, s, &test_err);
}

DPL_TEST(record, bytes_that_are_no_text_meet_the_policy)
{
    batch t;
    dpl_str s;
    begin(&t, DPL_ON_ERROR_FAIL, "xyzabc\nde\xC3(\nf");
    CHECK_EQ(check_utf8(&t, &s), DPL_E_FORMAT);
    check_fault(&t, 8, 3, 1000 + 7 + 2, "'f' line 8: invalid UTF-8 (byte 0xC3 at column 3)");
    t.chunk.likely = "latin1";
    CHECK_EQ(check_utf8(&t, &s), DPL_E_FORMAT);
    check_fault(&t, 8, 3, 1000 + 7 + 2,
                "'f' line 8: invalid UTF-8 (byte 0xC3 at column 3), it may be latin1");
    t.chunk.charset = "koi8-r";
    CHECK_EQ(check_utf8(&t, &s), DPL_E_FORMAT);
    check_fault(&t, 8, 3, 1000 + 7 + 2, "'f' line 8: invalid koi8-r at column 3");
    t.chunk.is_utf16 = true;
    CHECK_EQ(check_utf8(&t, &s), DPL_E_FORMAT);
    check_fault(&t, 8, 3, 1000 + 7 + 2, "'f' line 8: invalid UTF-16 at column 3");
    s = DPL_STR("a\xFF"); /* on the first line the column counts from where the record begins */
    CHECK_EQ(dpl__record_utf8(&t.b, &t.chunk, 7, 4, &s, &test_err), DPL_E_FORMAT);
    check_fault(&t, 7, 5, 1000 + 4 - 3, "'f' line 7: invalid UTF-16 at column 5");
    end(&t);
    begin(&t, DPL_ON_ERROR_SKIP, "");
    CHECK_EQ(check_utf8(&t, &s), DPL_END);
    CHECK_EQ(t.b.counts.n_dropped[DPL_DROP_UTF8], 1);
    end(&t);
    begin(&t, DPL_ON_ERROR_REPLACE, "");
    CHECK_OK(check_utf8(&t, &s));
    CHECK_STR(s, "abc\nde\xEF\xBF\xBD(\nf");
    CHECK_EQ(t.b.counts.n_replaced, 1);
    CHECK_OK(check_utf8(&t, &s));
    CHECK_EQ(t.b.counts.n_replaced, 2);
    end(&t);
}

/* ---- documents ----------------------------------------------------------------------------
 */

static void add(batch *t, const char *id, const char *title, const char *text, const char *lang)
{
    const dpl_doc doc = {.id = dpl__cstr(id),
                         .title = dpl__cstr(title),
                         .text = dpl__cstr(text),
                         .lang = dpl__cstr(lang)};
    CHECK_OK(dpl__batch_add(&t->b, &t->chunk, 7, &doc, &test_err));
}

static const dpl_doc *last(const batch *t)
{
    CHECK(t->b.docs.n > 0);
    return &t->b.docs.data[t->b.docs.n - 1];
}

static const char *const english = "The train is far too late at the station again today.";

/* Tags of neighbours are looked up once: one that begins like the last one is another. */
DPL_TEST(record, the_language_is_that_of_the_tag_whatever_came_before)
{
    static const char *const tags[][2] = {{"gsw", "gsw"},
                                          {"gs", "en"},
                                          {"gsw", "gsw"},
                                          {"deu", "de"},
                                          {"de", "de"},
                                          {"deu", "de"},
                                          {"d", "en"},
                                          {"fra", "fr"},
                                          {"fr", "fr"},
                                          {"fr-CA", "fr"},
                                          {"fr", "fr"},
                                          {"und", "en"},
                                          {"", "en"},
                                          {"gsw", "gsw"},
                                          {"sr-Latn", "sr"},
                                          {"zh-Hant-TW", "zh"},
                                          {"de-Latn-DE-1996", "de"},
                                          {"de-Latn-DE-1901x", "de"},
                                          {"fr", "fr"}};
    batch t;
    begin(&t, DPL_ON_ERROR_FAIL, "");
    for (size_t k = 0; k < DPL_LEN(tags); k++) {
        dpl_lang alone = dpl_lang_canonical(dpl__cstr(tags[k][0]));
        if (!alone.code[0] || strcmp(alone.code, "und") == 0)
            snprintf(alone.code, sizeof alone.code, "en"); /* told from the text */
        const uint64_t n_identified = t.b.counts.n_identified;
        add(&t, "a", "", english, tags[k][0]);
        CHECK_STR(last(&t)->lang, alone.code);
        CHECK_STR(last(&t)->lang, tags[k][1]);
        const bool is_told = strcmp(tags[k][1], "en") == 0;
        CHECK_EQ(t.b.is_identified.data[t.b.docs.n - 1], is_told);
        CHECK_EQ(t.b.counts.n_identified, n_identified + is_told);
    }
    CHECK_EQ(t.b.counts.n_docs, DPL_LEN(tags));
    const uint64_t n_identified = t.b.counts.n_identified;
    add(&t, "a", "", "1 2 3", ""); /* nothing was told */
    CHECK_STR(last(&t)->lang, "und");
    CHECK(t.b.is_identified.data[t.b.docs.n - 1]);
    CHECK_EQ(t.b.counts.n_identified, n_identified);
    dpl__batch_reset(&t.b);
    CHECK(t.b.docs.n == 0 && t.b.lines.n == 0 && t.b.is_identified.n == 0);
    CHECK_EQ(t.b.counts.n_docs, 0);
    end(&t);
}

DPL_TEST(record, documents_in_another_language_than_the_one_wanted_are_counted)
{
    batch t;
    begin(&t, DPL_ON_ERROR_FAIL, "");
    t.options.only_lang = "de";
    add(&t, "a", "", english, "");
    add(&t, "b", "", english, "de");
    add(&t, "c", "", english, "deu");
    CHECK_EQ(t.b.docs.n, 2);
    CHECK_EQ(t.b.counts.n_dropped[DPL_DROP_LANGUAGE], 1);
    t.options.lang = "fr";
    add(&t, "d", "", english, "de");
    CHECK_EQ(t.b.counts.n_dropped[DPL_DROP_LANGUAGE], 2);
    end(&t);
}

DPL_TEST(record, the_title_comes_first_unless_the_text_begins_with_it)
{
    static const char *const cases[][3] = {
        {"T", "text", "T\ntext"},      {"T", "T\ntext", "T\ntext"},
        {"T", "Ttext", "T\nTtext"},    {"T", "T", "T"},
        {"", "text", "text"},          {"Title", "Tit", "Title\nTit"},
        {"T", "t\ntext", "T\nt\ntext"}};
    batch t;
    begin(&t, DPL_ON_ERROR_FAIL, "");
    t.options.with_title = true;
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        add(&t, "a", cases[i][0], cases[i][1], "en");
        CHECK_STR(last(&t)->text, cases[i][2]);
        CHECK_STR(last(&t)->title, cases[i][0]);
    }
    end(&t);
}

DPL_TEST(record, ids_have_no_control_characters)
{
    for (unsigned c = 1; c < 0x80; c++) {
        batch t;
        begin(&t, DPL_ON_ERROR_FAIL, "");
        const char id[] = {'a', (char)c, 'b', 0};
        const dpl_doc doc = {
            .id = dpl__cstr(c == 0x7E ? "~" : id), .text = DPL_STR("x"), .lang = DPL_STR("en")};
        const bool is_bad = c < 0x20 || c == 0x7F;
        CHECK_EQ(dpl__batch_add(&t.b, &t.chunk, 7, &doc, &test_err),
                 is_bad ? DPL_E_FORMAT : DPL_OK);
        char text[100];
        snprintf(text, sizeof text, "'f' line 7: the id holds a control character (0x%02X)", c);
        CHECK(!is_bad || strcmp(test_err.text, text) == 0);
        CHECK_EQ(t.b.docs.n, !is_bad);
        t.options.on_error = DPL_ON_ERROR_SKIP;
        add(&t, is_bad ? id : "", "", "x", "en");
        CHECK_EQ(t.b.docs.n, !is_bad);
        CHECK_EQ(t.b.counts.n_dropped[is_bad ? DPL_DROP_MALFORMED : DPL_DROP_MISSING], 1);
        end(&t);
    }
}

DPL_TEST(record, documents_of_white_space_are_counted_before_their_id_is_looked_at)
{
    batch t;
    begin(&t, DPL_ON_ERROR_FAIL, "");
    add(&t, "", "title", " \n\t ", "en");
    CHECK_EQ(t.b.counts.n_dropped[DPL_DROP_EMPTY], 1);
    CHECK_EQ(t.b.docs.n, 0);
    end(&t);
}

/* ---- redirects ----------------------------------------------------------------------------
 */

static void check_alias(const char *title, const char *target, const char *expected)
{
    batch t;
    char got[100] = "";
    begin(&t, DPL_ON_ERROR_FAIL, "");
    CHECK_OK(dpl__batch_add_alias(&t.b, dpl__cstr(title), dpl__cstr(target), &test_err));
    CHECK(t.b.aliases.n <= 1);
    if (t.b.aliases.n) {
        const dpl__alias a = t.b.aliases.data[0];
        snprintf(got, sizeof got, "%.*s>%.*s", (int)a.title.n, a.title.data, (int)a.target.n,
                 a.target.data);
    }
    CHECK_STR(dpl__cstr(got), expected);
    end(&t);
}

DPL_TEST(record, aliases_are_two_titles_of_one_line)
{
    check_alias("a", "b", "a>b");
    check_alias(" a b ", "\tc ", "a b>c");
    check_alias("", "b", "");
    check_alias("a", " ", "");
    check_alias("a\nb", "c", "");
    check_alias("a", "b\tc", "");
    check_alias("a\x1F", "c", "");
    check_alias("a ", "c\x7F", "a>c\x7F");
    check_alias("e\xCC\x81", "o\xCC\x88", "\xC3\xA9>\xC3\xB6"); /* as ids are: in NFC */
}

/* ---- counts -------------------------------------------------------------------------------
 */

/* All fields but the size, and drops that have no name yet, are numbers to be added up. */
DPL_TEST(record, all_counts_are_added)
{
    enum {
        N = sizeof(dpl_read_counts) / sizeof(uint64_t),
        DROPS = offsetof(dpl_read_counts, n_dropped) / sizeof(uint64_t)
    };
    uint64_t sum[N], more[N];
    for (uint64_t i = 0; i < N; i++) {
        sum[i] = 1000 * i;
        more[i] = i + 1;
    }
    dpl__read_counts_add((dpl_read_counts *)(void *)sum, (const dpl_read_counts *)(void *)more);
    for (uint64_t i = 1; i < N; i++) {
        const bool is_unnamed = i >= DROPS + DPL_N_DROPS && i < DROPS + DPL_MOST_DROPS;
        CHECK_EQ(sum[i], 1000 * i + (is_unnamed ? 0 : i + 1));
    }
}
