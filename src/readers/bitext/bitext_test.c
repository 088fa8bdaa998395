#include "readers/bitext/bitext_rows_test.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define W test_write_text
#define REPLACEMENT "\xEF\xBF\xBD"

/* ---- a Moses pair ------------------------------------------------------------------- */

DPL_TEST(bitext, lines_of_a_moses_pair_are_rows)
{
    rows_dump d =
        DUMP_ROWS(NULL, W("a.de", "eins\nzwei zwei\r\n\n vier \n"), W("a.en", "one\n\n\nfour"));
    CHECK_STR(dpl__cstr(d.text), "eins|one\nzwei zwei|\n|\nvier|four\n");
    CHECK_EQ(d.counts.n_rows, 4);
    CHECK_EQ(d.counts.n_empty, 2);
    CHECK_EQ(d.counts.n_file_bytes, 34);
}

DPL_TEST(bitext, pairs_follow_each_other)
{
    CHECK_ROWS("a|1\nb|2\nc|3\n", NULL, W("1.de", "a\n"), W("1.en", "1\n"), W("2.de", "b\nc\n"),
               W("2.en", "2\n3\n"));
}

DPL_TEST(bitext, files_of_different_length_are_refused_by_name)
{
    rows_dump d = DUMP_ROWS(NULL, W("a.de", "1\n2\n3\n"), W("a.en", "1\n2\n"));
    CHECK_STR(dpl__cstr(d.text),
              "1|1\n2|2\n! 'DIR/a.en' ends after line 2, but 'DIR/a.de' has more lines\n");
    CHECK_EQ(d.err.status, DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(d.err.code), "lines-differ");
    d = DUMP_ROWS(NULL, W("a.de", ""), W("a.en", "\n"));
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/a.de' ends after line 0, but 'DIR/a.en' has more lines\n");
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_REPLACE);
    CHECK_EQ(DUMP_ROWS(&o, W("a.de", "1\n2"), W("a.en", "1\n")).err.status, DPL_E_FORMAT);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = DUMP_ROWS(&o, W("a.de", "1\n"), W("a.en", "1\n2\n3\n4"));
    CHECK_STR(dpl__cstr(d.text), "1|1\n");
    CHECK_EQ(d.counts.n_alone, 3);
}

DPL_TEST(bitext, an_odd_number_of_plain_files_is_refused_before_reading)
{
    rows_dump d = DUMP_ROWS(NULL, W("a.de", "1\n"), W("a.en", "1\n"), W("b.de", "2\n"));
    CHECK_STR(dpl__cstr(d.text), "! 'DIR/b.de' has no partner\n");
    CHECK_EQ(d.err.status, DPL_E_USAGE);
    CHECK_STR(dpl__cstr(d.err.code), "no-partner");
    CHECK_EQ(DUMP_ROWS(NULL, W("a.de", "1\n"), W("a.tsv", "1\t2\n")).err.status, DPL_E_USAGE);
}

DPL_TEST(bitext, a_missing_file_is_seen_before_the_first_row)
{
    rows_dump d = DUMP_ROWS(NULL, W("a.tsv", "1\t2\n"), test_path("none.tsv"));
    CHECK_EQ(d.err.status, DPL_E_IO);
    CHECK(strncmp(d.text, "! ", 2) == 0);
    CHECK_EQ(dump_rows(NULL, 0, NULL).err.status, DPL_E_USAGE);
}

/* ---- what all formats share --------------------------------------------------------- */

DPL_TEST(bitext, sides_are_in_nfc_without_breaks_and_blanks_around)
{
    CHECK_ROWS("\xC3\xA4 b c d e|x\n", NULL,
               W("a.tsv", "\xC2\xA0"
                          "a\xCC\x88\fb\rc\xE2\x80\xA8"
                          "d\xC2\x85"
                          "e \tx\n"));
}

DPL_TEST(bitext, invalid_utf8_meets_the_policy)
{
    static const char text[] = "ab\tc\xC3\n\xFF\xFF\td\ne\tf\n";
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options);
    rows_dump d = DUMP_ROWS(&o, W("a.tsv", text));
    CHECK_STR(dpl__cstr(d.text),
              "! 'DIR/a.tsv' line 1: invalid UTF-8 (byte 0xC3) at column 5\n");
    CHECK_EQ(d.err.offset, 4);
    CHECK_STR(dpl__cstr(d.err.code), "bad-utf8");
    o.on_error = DPL_ON_ERROR_REPLACE;
    d = DUMP_ROWS(&o, W("a.tsv", text));
    CHECK_STR(dpl__cstr(d.text), "ab|c" REPLACEMENT "\n" REPLACEMENT REPLACEMENT "|d\ne|f\n");
    CHECK_EQ(d.counts.n_replaced, 3);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = DUMP_ROWS(&o, W("a.tsv", text));
    CHECK_STR(dpl__cstr(d.text), "e|f\n");
    CHECK_EQ(d.counts.n_skipped, 2);
}

DPL_TEST(bitext, utf16_with_a_mark_is_converted)
{
    static const char text[] = "\xFF\xFE"
                               "a\0\t\0\xE4\0\n\0\0\xD8\t\0b\0";
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_REPLACE);
    const char *path = test_write("a.tsv", text, sizeof text - 1);
    CHECK_ROWS("a|\xC3\xA4\n" REPLACEMENT "|b\n", &o, path);
    CHECK_ROWS("a|\xC3\xA4\n! 'DIR/a.tsv' line 2: invalid UTF-16 at column 1\n", NULL, path);
}

DPL_TEST(bitext, long_rows_meet_the_policy)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .max_record = 5);
    CHECK_ROWS("123|1\n! 'DIR/a.tsv' line 2: longer than 5 bytes\n", &o,
               W("a.tsv", "123\t1\n1234\t1\n"));
    o.on_error = DPL_ON_ERROR_SKIP;
    rows_dump d =
        DUMP_ROWS(&o, W("a.de", "123456\nb\n\nd\n1234567"), W("a.en", "1\n2\n3\n123456\n5"));
    CHECK_STR(dpl__cstr(d.text), "b|2\n|3\n");
    CHECK_EQ(d.counts.n_skipped, 3);
    o.max_record = UINT64_MAX;
    CHECK_EQ(DUMP_ROWS(&o, W("a.tsv", "")).err.status, DPL_E_USAGE);
}

DPL_TEST(bitext, formats_have_names)
{
    for (int i = DPL_BITEXT_AUTO; i <= DPL_BITEXT_XLIFF; i++)
        CHECK(dpl__bitext_format_name((dpl_bitext_format)i) != NULL);
    CHECK(dpl__bitext_format_name((dpl_bitext_format)99) == NULL);
}

DPL_TEST(bitext, the_format_is_told_from_names_and_first_bytes)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    static const char tmx[] = "<tmx><body><tu><tuv xml:lang='de'><seg>x</seg></tuv>"
                              "<tuv xml:lang='en'><seg>y</seg></tuv></tu></body></tmx>";
    CHECK_ROWS("x|y\n", &o, W("a.tmx", tmx));
    CHECK_ROWS("x|y\n", &o, W("a.unknown", tmx));
    CHECK_ROWS("x|y\n", &o, W("a", "# comment\n\nmsgid \"y\"\nmsgstr \"x\"\n"));
    CHECK_ROWS("x|y\n", &o, W("a.PO", "msgid \"y\"\nmsgstr \"x\"\n"));
    CHECK_ROWS("x|y\n", &o, W("a.txt", "x\ty\n"));
    CHECK_ROWS("! 'DIR/a.tsv' line 1: 1 column, but text is to be in column 2\n", &o,
               W("a.tsv", "x\n"));
    o.from = DPL_BITEXT_MOSES;
    CHECK_ROWS("x y|u\n", &o, W("a.txt", "x\ty\n"), W("b.txt", "u\n"));
}

DPL_TEST(bitext, languages_fit_with_the_regions_asked_for)
{
    static const struct {
        const char *asked, *tag;
        bool fits;
    } cases[] = {
        {"de", "de", true},
        {"de", "de-DE", true},
        {"de", "DE_AT", true},
        {"de-AT", "de_at", true},
        {"de-AT", "de", false},
        {"de-AT", "de-DE", false},
        {"deu", "de", true},
        {"de", "German", true},
        {"de", "en", false},
        {"zh-Hant", "zh-TW", false},
        {"zh-Hant", "zh-Hant-TW", true},
        {"zh-TW", "zh-Hant-TW", true},
        {"de_DE.UTF-8", "de-DE", true},
        {"de-DE", "de_DE@euro", true},
        {"de", "", false},
        {"pt", "pt-BR", true},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        if (dpl__lang_fits(cases[i].asked, dpl__cstr(cases[i].tag)) != cases[i].fits)
            dpl__test_fail(__FILE__, __LINE__, "'%s' for '%s'", cases[i].tag, cases[i].asked);
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "nosuchlanguage");
    CHECK_EQ(DUMP_ROWS(&o, W("a.tsv", "")).err.status, DPL_E_USAGE);
}

/* ---- columns ------------------------------------------------------------------------ */

DPL_TEST(bitext, columns_can_be_chosen)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_column = 4, .right_column = 2);
    CHECK_ROWS("d|b\n|\n|b\n", &o, W("a.tsv", "a\tb\tc\td\te\n\n\tb\t\t\n"));
    CHECK_ROWS("! 'DIR/a.tsv' line 1: 3 columns, but text is to be in column 4\n", &o,
               W("a.tsv", "a\tb\tc\n"));
    o.on_error = DPL_ON_ERROR_SKIP;
    CHECK_EQ(DUMP_ROWS(&o, W("a.tsv", "a\tb\tc\n")).counts.n_skipped, 1);
    o.left_column = 2;
    CHECK_EQ(DUMP_ROWS(&o, W("a.tsv", "")).err.status, DPL_E_USAGE);
}

/* ---- joined by key ------------------------------------------------------------------ */

DPL_TEST(bitext, rows_of_the_same_key_belong_together)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_KEYED);
    rows_dump d = DUMP_ROWS(&o, W("a.de", "k3\tdrei\nk1\teins\n\nk4\tvier\n"),
                            W("a.en", "k1\tone\nk2\ttwo\nk3\t\n"));
    CHECK_STR(dpl__cstr(d.text), "drei|\neins|one\n");
    CHECK_EQ(d.counts.n_alone, 2);
    CHECK_EQ(d.counts.n_empty, 1);
    o.right_column = 3;
    CHECK_ROWS("x|z\n", &o, W("a.de", "k\tx\n"), W("a.en", "k\ty\tz\n"));
    o.right_column = 1;
    CHECK_EQ(DUMP_ROWS(&o, W("a.de", ""), W("a.en", "")).err.status, DPL_E_USAGE);
}

DPL_TEST(bitext, a_key_stands_once_in_a_file)
{
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_KEYED);
    const char *once = W("a", "k\t1\nl\t2\n"), *twice = W("b", "k\t3\nl\t4\nk\t5\n");
    CHECK_ROWS("! 'DIR/b' line 3: the key 'k' is in line 1 already\n", &o, once, twice);
    CHECK_ROWS("3|1\n4|2\n! 'DIR/b' line 3: the key 'k' is in line 1 already\n", &o, twice,
               once);
    o.on_error = DPL_ON_ERROR_SKIP;
    rows_dump d = DUMP_ROWS(&o, once, twice);
    CHECK_STR(dpl__cstr(d.text), "1|3\n2|4\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    CHECK_EQ(d.counts.n_alone, 0);
}

DPL_TEST(bitext, a_side_that_does_not_fit_into_memory_is_refused)
{
    enum { N = 300000 };
    char *text = malloc(N * 12 + 1), *p = text;
    CHECK(text != NULL);
    for (int i = 0; i < N; i++)
        p += snprintf(p, 13, "%08d\tx\n", i);
    const char *paths[2] = {test_write("a.tsv", text, (size_t)(p - text)),
                            test_write("b.tsv", text, (size_t)(p - text))};
    free(text);
    dpl_ctx *ctx;
    dpl_bitext *b;
    dpl_bitext_row row;
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_KEYED);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(dpl_ctx_new(
            &ctx,
            &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .memory = i ? 256 << 20 : 16 << 20),
            &test_err));
        CHECK_OK(dpl_bitext_open(&b, ctx, paths, 2, &o, &test_err));
        CHECK_EQ(dpl_bitext_next(b, &row, &test_err), i ? DPL_OK : DPL_E_LIMIT);
        if (!i)
            CHECK(strstr(test_err.text, "b.tsv' does not fit into 16 MiB") != NULL);
        CHECK(dpl_ctx_peak(ctx) <= dpl_ctx_memory(ctx));
        dpl_bitext_close(b);
        dpl_ctx_free(ctx);
    }
}

/* ---- properties --------------------------------------------------------------------- */

/* A side as a reader gives it: any words, perhaps none. */
static void random_side(char *out, dpl__rng *rng)
{
    static const char *const words[] = {
        "a",   "Haus", "\xC3\xA4\xC3\xB6", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "x.y",
        "\\n", "\"q\""};
    out[0] = '\0';
    for (uint64_t n = dpl__rng_below(rng, 5); n--;) {
        strcat(out, words[dpl__rng_below(rng, DPL_LEN(words))]);
        strcat(out, n ? " " : "");
    }
}

static void check_printed(const dpl__bitext_ops *ops, const char *left, const char *right,
                          const char *rows, uint64_t seed)
{
    const dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .left_column = 3, .right_column = 2);
    const dpl_str texts[] = {dpl__cstr(left), dpl__cstr(right)};
    rows_dump d = dump_with_all_pieces(ops, texts, &o);
    if (strcmp(d.text, rows) != 0)
        dpl__test_fail(__FILE__, __LINE__, "seed %d", (int)seed);
}

DPL_TEST(bitext, what_is_printed_is_read_again_in_every_format)
{
    enum { N = 200 };
    static char left[N][64], right[N][64], rows[N * 140], moses[2][N * 70], tsv[N * 140],
        keyed[2][N * 80];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dpl__rng rng = {seed};
        char *r = rows, *l0 = moses[0], *l1 = moses[1], *t = tsv, *k0 = keyed[0],
             *k1 = keyed[1];
        for (int i = 0; i < N; i++) {
            random_side(left[i], &rng);
            random_side(right[i], &rng);
            r += sprintf(r, "%s|%s\n", left[i], right[i]);
            l0 += sprintf(l0, "%s\n", left[i]);
            l1 += sprintf(l1, "%s\r\n", right[i]);
            t += sprintf(t, "%d\t%s\t%s\n", i, right[i], left[i]);
            k0 += sprintf(k0, "k%d\t-\t%s\n", i, left[i]);
        }
        for (int i = N; i-- > 0;)
            k1 += sprintf(k1, "k%d\t%s\n", i, right[i]);
        check_printed(&dpl__bitext_moses, moses[0], moses[1], rows, seed);
        check_printed(&dpl__bitext_tsv, tsv, "", rows, seed);
        check_printed(&dpl__bitext_keyed, keyed[0], keyed[1], rows, seed);
    }
}

DPL_TEST(bitext, damaged_lines_read_the_same_in_any_pieces)
{
    const dpl_str texts[] = {DPL_STR("1\ta\xC3\nlonger than ten\n\n4\td\r\n5\xE2\x80\n7"),
                             DPL_STR("1\ta\n2\tb\n3\tc\n4\t\xFF\n5\te\n1\tf\n")};
    static const dpl__bitext_ops *const ops[] = {&dpl__bitext_moses, &dpl__bitext_tsv,
                                                 &dpl__bitext_keyed};
    for (size_t i = 0; i < DPL_LEN(ops); i++)
        for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
            dpl_bitext_options o = DPL_INIT(dpl_bitext_options,
                                            .on_error = (dpl_on_error)policy, .max_record = 10);
            dump_with_all_pieces(ops[i], texts, &o);
        }
}

DPL_TEST(bitext, every_allocation_may_fail)
{
    const char *pair[] = {W("a.de", "a\xCC\x88\tb\n"), W("a.en", "k\tv\n")};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_MOSES);
    check_row_allocations(pair, 2, &o);
    o.from = DPL_BITEXT_KEYED;
    check_row_allocations(pair, 2, &o);
}
