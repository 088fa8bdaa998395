#include "readers/bitext/bitext_rows_test.h"
#include "readers/bitext/gettext.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define W test_write_text
#define HEADER                                                                                 \
    "msgid \"\"\nmsgstr \"Language: de\\nContent-Type: text/plain; charset=UTF-8\\n\"\n\n"

static const dpl_bitext_options skip =
    DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_SKIP);
static const dpl_bitext_options replace =
    DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_REPLACE);
static const dpl_bitext_options de_fr =
    DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "fr");

/* Through all sizes of pieces. */
static rows_dump read_po(const char *text, const dpl_bitext_options *o)
{
    return dump_with_all_pieces(&dpl__bitext_gettext, &(dpl_str){text, strlen(text)}, o);
}

#define CHECK_PO(po, options, expected)                                                        \
    CHECK_STR(dpl__cstr(read_po((po), (options)).text), (expected))

/* ---- making a .mo ------------------------------------------------------------------- */

typedef struct mo {
    uint8_t bytes[1 << 16];
    size_t n;
    bool is_big;
} mo;

static void put32(mo *m, size_t at, size_t value)
{
    for (unsigned i = 0; i < 4; i++)
        m->bytes[at + i] = (uint8_t)(value >> (m->is_big ? 24 - 8 * i : 8 * i));
}

/* Strings in pairs, message and translation, in byte order. */
static void make_mo(mo *m, const dpl_str *strings, size_t n, bool is_big)
{
    *m = (mo){.is_big = is_big, .n = 28 + 16 * n};
    put32(m, 0, 0x950412DE);
    put32(m, 8, n);
    put32(m, 12, 28);
    put32(m, 16, 28 + 8 * n);
    put32(m, 24, 28 + 16 * n);
    for (size_t i = 0; i < 2 * n; i++) {
        size_t entry = 28 + 8 * n * (i & 1) + 8 * (i / 2);
        put32(m, entry, strings[i].n);
        put32(m, entry + 4, m->n);
        CHECK(m->n + strings[i].n < sizeof m->bytes);
        memcpy(m->bytes + m->n, strings[i].data, strings[i].n);
        m->n += strings[i].n + 1;
    }
}

static rows_dump read_mo(const mo *m, const dpl_bitext_options *o)
{
    return dump_with_all_pieces(&dpl__bitext_gettext, &(dpl_str){(const char *)m->bytes, m->n},
                                o);
}

/* ---- .po ---------------------------------------------------------------------------- */

DPL_TEST(gettext, messages_and_translations_are_rows)
{
    CHECK_PO(HEADER
             "#: main.c:1\nmsgid \"Open\"\nmsgstr \"\\303\\226ffnen\"\n\n"
             "#. note\n#, c-format\nmsgctxt \"menu\"\nmsgid \"\"\n\"two\\n\"\n\"lines\"\n"
             "msgstr \"zwei\\t\" \"\\x5Ae\\\"ilen\\\\\"\r\n",
             NULL,
             "Open|\xC3\x96"
             "ffnen\ntwo lines|zwei Ze\"ilen\\\n");
}

DPL_TEST(gettext, plurals_give_two_rows)
{
    CHECK_PO(HEADER "msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"%d soubor\"\n"
                    "msgstr[1] \"%d soubory\"\nmsgstr[2] \"%d soubor\xC5\xAF\"\n"
                    "msgid \"a day\"\nmsgid_plural \"%d days\"\nmsgstr[0] \"tag\"\n"
                    "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"\"\n",
             NULL,
             "%d file|%d soubor\n%d files|%d soubor\xC5\xAF\na day|tag\n%d days|tag\na|c\n");
}

DPL_TEST(gettext, doubtful_and_missing_translations_are_counted)
{
    rows_dump d =
        read_po(HEADER "#, fuzzy, c-format\n#| msgid \"old\"\nmsgid \"a\"\nmsgstr \"b\"\n"
                       "msgid \"c\"\nmsgstr \"\"\n"
                       "msgid \"d\"\nmsgid_plural \"e\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
                       "#, fuzzy\n#~ msgid \"f\"\n#~ msgstr \"\"\n#~ \"g\"\n\n"
                       "#~| msgid \"x\"\n#~ msgid \"h\"\n#~ msgstr \"i\"\n"
                       "# last\nmsgid \"j\"\nmsgstr \"k\"\n",
                NULL);
    CHECK_STR(dpl__cstr(d.text), "j|k\n");
    CHECK_EQ(d.counts.n_fuzzy, 3);
    CHECK_EQ(d.counts.n_alone, 2);
    CHECK_EQ(d.counts.n_skipped, 0);
}

DPL_TEST(gettext, faults_in_an_entry_are_named_or_skipped)
{
    static const char *const broken[][2] = {
        {"msgid \"a\nmsgstr \"b\"\n", "line 4: a string without its closing quote at column 7"},
        {"msgid \"a\\q\"\nmsgstr \"b\"\n", "line 4: unknown escape in a string at column 10"},
        {"msgid a\nmsgstr \"b\"\n", "line 4: no string in quotes at column 7"},
        {"msgid \"a\" b\nmsgstr \"b\"\n", "line 4: no string in quotes at column 11"},
        {"msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"\n",
         "line 6: a keyword that is out of place at column 10"},
        {"msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"\n",
         "line 6: a keyword that is out of place at column 7"},
        {"msgid \"a\"\n", "line 4: the message has no msgstr"},
        {"msgctxt \"a\"\n# comment\n", "line 4: the message has no msgstr"},
        {"msgstr \"a\"\n", "line 4: a keyword that is out of place at column 7"},
        {"# x\n\"a\"\n", "line 5: neither a keyword nor a string of an entry at column 1"},
        {"message \"a\"\n", "line 4: neither a keyword nor a string of an entry at column 1"},
    };
    for (size_t i = 0; i < DPL_LEN(broken); i++) {
        char text[500], expected[200];
        snprintf(text, sizeof text, HEADER "%s\nmsgctxt \"c\"\nmsgid \"x\"\nmsgstr \"y\"\n",
                 broken[i][0]);
        snprintf(expected, sizeof expected, "! 'left' %s\n", broken[i][1]);
        CHECK_PO(text, NULL, expected);
        rows_dump d = read_po(text, &skip);
        CHECK_STR(dpl__cstr(d.text), "x|y\n");
        CHECK_EQ(d.counts.n_skipped, 1);
    }
}

DPL_TEST(gettext, the_charset_of_the_header_is_converted)
{
#define LATIN "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-15\\n\"\n"
    CHECK_PO(LATIN "msgid \"euro\"\nmsgstr \"\xA4\"\n", NULL, "euro|\xE2\x82\xAC\n");
#define GREEK "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-7\\n\"\n"
#define SJIS "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=Shift_JIS\\n\"\n"
    /* whose second byte is a backslash */
    CHECK_PO(SJIS "msgid \"table\"\nmsgstr \"\x95\x5C\"\n", NULL, "table|\xE8\xA1\xA8\n");
    rows_dump d =
        read_po(GREEK "msgid \"a\"\nmsgstr \"\xFF\"\nmsgid \"b\"\nmsgstr \"c\"\n", &skip);
    CHECK_STR(dpl__cstr(d.text), "b|c\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    d = read_po(GREEK "msgid \"a\"\nmsgstr \"\xFF\"\n", &replace);
    CHECK_STR(dpl__cstr(d.text), "a|\xEF\xBF\xBD\n");
    CHECK_EQ(d.counts.n_replaced, 1);
    CHECK_PO(GREEK "msgid \"a\"\nmsgstr \"\xFF\"\n", NULL,
             "! 'left' line 3: bytes that mean nothing in ISO-8859-7\n");
    CHECK_PO("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=KLINGON\\n\"\n", &skip,
             "! 'left': unknown character set 'KLINGON'\n");
    CHECK_PO("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=CHARSET\\n\"\n"
             "msgid \"a\"\nmsgstr \"\xC3\xA4\"\n",
             NULL, "a|\xC3\xA4\n");
    CHECK_PO("msgid \"a\"\nmsgstr \"\xFF\"\n", NULL,
             "! 'left' line 1: invalid UTF-8 (byte 0xFF)\n");
}

/* ---- .mo ---------------------------------------------------------------------------- */

static const dpl_str *some_messages(size_t *n)
{
    static dpl_str strings[10];
    const dpl_str all[] = {
        DPL_STR(""),
        DPL_STR("Language: de\nContent-Type: text/plain; charset=ISO-8859-1\n"),
        DPL_STR("Open"),
        DPL_STR("\xD6"
                "ffnen"),
        DPL_STR("a file\0%d files"),
        DPL_STR("eine\0zwei\0drei"),
        DPL_STR("menu\4Cut"),
        DPL_STR("Ausschneiden"),
        DPL_STR("untranslated"),
        DPL_STR("")};
    memcpy(strings, all, sizeof all);
    *n = DPL_LEN(all) / 2;
    return strings;
}

DPL_TEST(gettext, compiled_catalogues_are_read_in_both_byte_orders)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        static mo m;
        size_t n;
        const dpl_str *strings = some_messages(&n);
        make_mo(&m, strings, n, is_big);
        rows_dump d = read_mo(&m, NULL);
        CHECK_STR(dpl__cstr(d.text), "Open|\xC3\x96"
                                     "ffnen\na file|eine\n%d files|drei\nCut|Ausschneiden\n");
        CHECK_EQ(d.counts.n_alone, 1);
        CHECK(dpl__is_mo((dpl_str){(const char *)m.bytes, m.n}));
        d = DUMP_ROWS(NULL, test_write("a.bin", m.bytes, m.n));
        CHECK_EQ(d.counts.n_rows, 4);
    }
}

/* One message, "%<PRIu64> bytes", in pieces. */
static void make_pieced(mo *m, bool is_big)
{
    enum { NAMES = 48, IDS = 56, TEXTS = 60, STRINGS = 64, TEXT = STRINGS + 2 * 20 };
    static const char text[] = "PRIu64\0% bytes\0% Bytes";
    *m = (mo){.is_big = is_big, .n = TEXT + sizeof text};
    const size_t numbers[] = {0x950412DE, 1, 0, 48, 48, 0, 48, 1, NAMES, 1, IDS, TEXTS,
                              /* the name, where the strings are */
                              7, TEXT, STRINGS, STRINGS + 20,
                              /* their text, and how long it is before and behind name 0 */
                              TEXT + 7, 1, 0, 7, 0xFFFFFFFF, TEXT + 15, 1, 0, 7, 0xFFFFFFFF};
    for (size_t i = 0; i < DPL_LEN(numbers); i++)
        put32(m, 4 * i, numbers[i]);
    memcpy(m->bytes + TEXT, text, sizeof text);
}

DPL_TEST(gettext, messages_in_pieces_read_as_in_a_po)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        static mo m, damaged;
        make_pieced(&m, is_big);
        CHECK_STR(dpl__cstr(read_mo(&m, NULL).text), "%<PRIu64> bytes|%<PRIu64> Bytes\n");
        for (size_t at = 28; at < 104; at += 4) {
            damaged = m;
            put32(&damaged, at, 0xFFFFFFF0);
            rows_dump d = read_mo(&damaged, NULL);
            CHECK_EQ(d.err.status, DPL_E_FORMAT);
        }
    }
}

DPL_TEST(gettext, no_damage_to_a_compiled_catalogue_is_trusted)
{
    static mo m, damaged;
    size_t n;
    const dpl_str *strings = some_messages(&n);
    make_mo(&m, strings, n, false);
    for (size_t cut = 4; cut < m.n; cut++) {
        damaged = m;
        damaged.n = cut;
        dpl_str s = {(const char *)damaged.bytes, cut};
        CHECK_EQ(dump_texts(&dpl__bitext_gettext, &s, NULL, 0).err.status, DPL_E_FORMAT);
    }
    dpl__rng rng = {1};
    for (int i = 0; i < 2000; i++) {
        damaged = m;
        damaged.bytes[4 + dpl__rng_below(&rng, 28 + 16 * n)] = (uint8_t)dpl__rng_next(&rng);
        dpl_str s = {(const char *)damaged.bytes, m.n};
        dump_texts(&dpl__bitext_gettext, &s, &skip, 0);
    }
    damaged = m;
    put32(&damaged, 28 + 8, 1000000); /* the length of the second message */
    rows_dump d = read_mo(&damaged, &skip);
    CHECK_STR(dpl__cstr(d.text), "a file|eine\n%d files|drei\nCut|Ausschneiden\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    CHECK_STR(dpl__cstr(read_mo(&damaged, NULL).text),
              "! 'left': message 1 lies outside of the file\n");
    damaged = m;
    put32(&damaged, 4, 2 << 16);
    CHECK_EQ(read_mo(&damaged, NULL).err.status, DPL_E_UNSUPPORTED);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* A string as .po has it. */
static char *quote(char *out, const char *text)
{
    static const char *const names[] = {
        ['\n'] = "\\n", ['\t'] = "\\t", ['"'] = "\\\"", ['\\'] = "\\\\"};
    *out++ = '"';
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *name = c < DPL_LEN(names) ? names[c] : NULL;
        out += sprintf(out, name ? "%s" : "%.0s%c", name ? name : "", c);
        if (c == '\n')
            out += sprintf(out, "\"\n\"");
    }
    return out + sprintf(out, "\"\n");
}

static void random_text(char *out, dpl__rng *rng)
{
    static const char *const parts[] = {"a",  "B",  " ",        "\n", "\t",
                                        "\"", "\\", "\xC3\xA4", "%s"};
    *out = '\0';
    for (uint64_t n = 1 + dpl__rng_below(rng, 6); n--;)
        strcat(out, parts[dpl__rng_below(rng, DPL_LEN(parts))]);
}

DPL_TEST(gettext, a_po_and_its_mo_give_the_same_rows)
{
    enum { N = 60 };
    static char ids[N][32], plurals[N][32], texts[N][2][32], po[N * 400], joined[N][2][80];
    static mo m;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        dpl__rng rng = {seed};
        for (int i = 0; i < N; i++) {
            random_text(ids[i], &rng);
            sprintf(ids[i] + strlen(ids[i]), "%02d", i); /* no two are the same */
        }
        qsort(ids, N, sizeof *ids, compare_texts);
        char *p = po;
        dpl_str strings[2 * N];
        for (int i = 0; i < N; i++) {
            random_text(texts[i][0], &rng);
            random_text(texts[i][1], &rng);
            random_text(plurals[i], &rng);
            const bool has_plural = dpl__rng_below(&rng, 4) == 0;
            p += sprintf(p, "msgid ");
            p = quote(p, ids[i]);
            if (has_plural) {
                p += sprintf(p, "msgid_plural ");
                p = quote(p, plurals[i]);
            }
            p += sprintf(p, has_plural ? "msgstr[0] " : "msgstr ");
            p = quote(p, texts[i][0]);
            if (has_plural) {
                p += sprintf(p, "msgstr[1] ");
                p = quote(p, texts[i][1]);
            }
            const char *const halves[2][2] = {{ids[i], plurals[i]}, {texts[i][0], texts[i][1]}};
            for (int k = 0; k < 2; k++) {
                int n = sprintf(joined[i][k], "%s", halves[k][0]);
                if (has_plural)
                    n += 1 + sprintf(joined[i][k] + n + 1, "%s", halves[k][1]);
                strings[2 * i + k] = (dpl_str){joined[i][k], (size_t)n};
            }
        }
        make_mo(&m, strings, N, seed & 1);
        rows_dump a =
            dump_texts(&dpl__bitext_gettext, &(dpl_str){po, (size_t)(p - po)}, NULL, 0);
        rows_dump b =
            dump_texts(&dpl__bitext_gettext, &(dpl_str){(const char *)m.bytes, m.n}, NULL, 0);
        if (a.err.status != DPL_OK || strcmp(a.text, b.text) != 0 || !a.text[0])
            dpl__test_fail(__FILE__, __LINE__, "seed %d: '%s' and '%s'", (int)seed, a.text,
                           b.text);
    }
}

/* ---- languages ---------------------------------------------------------------------- */

DPL_TEST(gettext, the_message_is_the_english_side)
{
    static const char text[] = HEADER "msgid \"house\"\nmsgstr \"Haus\"\n";
    static const struct {
        const char *left, *right, *expected;
    } cases[] = {{NULL, NULL, "house|Haus\n"},      {"en", "de", "house|Haus\n"},
                 {"de", "en", "Haus|house\n"},      {"de", NULL, "Haus|house\n"},
                 {NULL, "de", "house|Haus\n"},      {NULL, "en", "Haus|house\n"},
                 {"en-US", "de-AT", "house|Haus\n"}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = cases[i].left,
                                        .right_lang = cases[i].right);
        CHECK_PO(text, &o, cases[i].expected);
    }
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "en", .right_lang = "fr");
    rows_dump d = read_po(text, &o);
    CHECK_STR(dpl__cstr(d.text), "! 'left' translates into 'de', not into 'fr'\n");
    CHECK_EQ(d.err.status, DPL_E_USAGE);
}

#define FR "msgid \"\"\nmsgstr \"Language: fr_FR\\n\"\n"

DPL_TEST(gettext, two_catalogues_are_joined_by_the_message)
{
    const char *de =
        W("de.po", HEADER "msgid \"house\"\nmsgstr \"Haus\"\n"
                          "msgctxt \"x\"\nmsgid \"house\"\nmsgstr \"Heim\"\n"
                          "msgid \"a\"\nmsgstr \"nur de\"\n"
                          "msgid \"day\"\nmsgid_plural \"days\"\nmsgstr[0] \"Tag\"\n"
                          "msgstr[1] \"Tage\"\n");
    const char *fr = W("fr.po", FR "msgid \"day\"\nmsgid_plural \"days\"\nmsgstr[0] \"jour\"\n"
                                   "msgstr[1] \"jours\"\nmsgid \"b\"\nmsgstr \"que fr\"\n"
                                   "msgid \"house\"\nmsgstr \"maison\"\n");
    rows_dump d = DUMP_ROWS(&de_fr, de, fr);
    CHECK_STR(dpl__cstr(d.text), "Haus|maison\nTag|jour\nTage|jours\n");
    CHECK_EQ(d.counts.n_alone, 3);
    CHECK_ROWS("! 'DIR/de.po' translates into 'de', not into 'fr'\n", &de_fr, fr, de);
    CHECK_ROWS("! 'DIR/de.po' has no partner\n", &de_fr, de);
    check_row_allocations((const char *const[]){de, fr}, 2, &de_fr);
}

DPL_TEST(gettext, a_catalogue_that_does_not_fit_into_memory_is_refused)
{
    enum { N = 40000 };
    char *text = malloc(N * 40), *p = text;
    CHECK(text != NULL);
    for (int i = 0; i < N; i++)
        p += sprintf(p, "msgid \"%05d\"\nmsgstr \"%05d\"\n", i, i);
    const char *path = test_write("a.po", text, (size_t)(p - text));
    const char *const paths[] = {path, path};
    free(text);
    for (uint64_t memory = 1; memory <= 32; memory *= 2) {
        dpl_ctx *ctx;
        dpl_bitext *b;
        dpl_bitext_row row;
        CHECK_OK(dpl_ctx_new(
            &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .memory = memory << 20),
            &test_err));
        CHECK_OK(dpl_bitext_open(&b, ctx, paths, 2, &de_fr, &test_err));
        /* 1 MiB is not enough to read one, 32 are for reading one and holding the other */
        dpl_status status = dpl_bitext_next(b, &row, &test_err);
        CHECK_EQ(status, memory <= 4 ? DPL_E_LIMIT : memory < 32 ? status : DPL_OK);
        CHECK(dpl_ctx_peak(ctx) <= dpl_ctx_memory(ctx));
        dpl_bitext_close(b);
        dpl_ctx_free(ctx);
    }
}

/* ---- accelerators ------------------------------------------------------------------- */

DPL_TEST(gettext, accelerators_are_dropped_where_it_is_safe)
{
    static const char *const cases[][4] = {
        {"_File", "_Datei", "File", "Datei"},
        {"E&xit", "&Beenden", "Exit", "Beenden"},
        {"Save _As...", "Speichern _unter...", "Save As...", "Speichern unter..."},
        {"_File", "\xE6\x96\x87\xE4\xBB\xB6(_F)", "File", "\xE6\x96\x87\xE4\xBB\xB6"},
        {"_Open", "Open (_O)...", "Open", "Open..."},
        {"_File", "Datei", "File", "Datei"},
        {"Pa_ste", "E_inf\xC3\xBCgen", "Paste", "Einf\xC3\xBCgen"},
        {"the file_name", "der file_name", "the file_name", "der file_name"},
        {"R&D costs", "F&E-Kosten", "R&D costs", "F&E-Kosten"},
        {"AT&T", "AT&T", "AT&T", "AT&T"},
        {"Tom & Jerry", "Tom & Jerry", "Tom & Jerry", "Tom & Jerry"},
        {"a&nbsp;b", "c&nbsp;d", "a&nbsp;b", "c&nbsp;d"},
        {"x_y_z", "z_y_x", "x_y_z", "z_y_x"},
        {"a && b", "b && a", "a && b", "b && a"},
        {"_", "&", "_", "&"},
        {"end_", "ende&", "end_", "ende&"},
        {"_", "_a", "_", "a"},
        {"\xE1\x84\x80_\xE1\x85\xA1", "x", "\xE1\x84\x80_\xE1\x85\xA1", "x"},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_bitext_row row = {dpl__cstr(cases[i][0]), dpl__cstr(cases[i][1])};
        CHECK_OK(dpl__drop_accelerators(&row, &arena, &test_err));
        CHECK_STR(row.left, cases[i][2]);
        CHECK_STR(row.right, cases[i][3]);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(gettext, every_allocation_may_fail)
{
    const char *path = W("a.po", LATIN "msgctxt \"m\"\nmsgid \"_a\"\nmsgid_plural \"b\"\n"
                                       "msgstr[0] \"&\xE4\"\nmsgstr[1] \"d\\n\"\n");
    check_row_allocations(&path, 1, NULL);
    static mo m;
    size_t n;
    const dpl_str *strings = some_messages(&n);
    make_mo(&m, strings, n, true);
    path = test_write("a.mo", m.bytes, m.n);
    check_row_allocations(&path, 1, NULL);
}
