/* Files that say what cannot be: each is opened and refused, with the section it is about. */
#include "index/pocket_test.h"

#include "tokens/forge_test.h"

#include <math.h>

static const drawn_docs some = {.n = 80, .n_words = 20, .seed = 61, .is_bilingual = true};

/* An index of two languages with a lexicon and texts; its path. */
static const char *make_whole(dpl_ctx *ctx)
{
    static const char lexicon[] = "w1\tw2\t0.5\nw1\tw3\t0.5\nw4\tw5\t1\nw6\tw7\t0.25\n";
    const char *tsv = test_write("l.tsv", lexicon, sizeof lexicon - 1);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true, .lexicons = &tsv,
                                         .n_lexicons = 1, .lexicon_langs = "de,en");
    dpl_index_close(drawn_pocket(ctx, &some, &o));
    return test_path("index.pocket");
}

/* A section of a file, copied. */
typedef struct copy {
    uint8_t *data;
    size_t n;
} copy;

static copy copy_of(dpl_ctx *ctx, const char *path, const char *section)
{
    dpl_file *f = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&f, ctx, path, &test_err));
    CHECK(dpl_file_find(f, section, &s));
    const copy c = {malloc(s.n_bytes + 16), s.n_bytes};
    memcpy(c.data, s.data, s.n_bytes);
    dpl_file_close(f);
    return c;
}

/* NULL: it can be opened. */
static void check_opens(dpl_ctx *ctx, const char *path, const char *section, const copy *c,
                        const char *refused_for)
{
    dpl_index *x = NULL;
    const char *forged = test_forge(ctx, path, section, c->data, c->n);
    const dpl_status status = dpl_index_open(&x, ctx, forged, &test_err);
    if (!refused_for) {
        CHECK_OK(status);
        dpl_index_close(x);
        return;
    }
    if (status != DPL_E_FORMAT || !strstr(test_err.text, refused_for))
        dpl__test_fail(__FILE__, __LINE__, "%s instead of a damaged '%s': %s",
                       dpl_status_name(status), refused_for, test_err.text);
    CHECK(!x);
}

/* With n bytes of the section at another value. */
static void check_changed(dpl_ctx *ctx, const char *path, const char *section, size_t at,
                          const void *bytes, size_t n, const char *refused_for)
{
    const copy c = copy_of(ctx, path, section);
    CHECK(at + n <= c.n);
    memcpy(c.data + at, bytes, n);
    check_opens(ctx, path, section, &c, refused_for);
    free(c.data);
}

static void check_size(dpl_ctx *ctx, const char *path, const char *section, size_t element)
{
    copy c = copy_of(ctx, path, section);
    const size_t n = c.n;
    memset(c.data + n, 0, element);
    for (int i = 0; i < 2; i++) {
        c.n = i ? n + element : n - element;
        check_opens(ctx, path, section, &c, section);
    }
    free(c.data);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- numbers ----------------------------------------------------------------------- */

DPL_TEST(index_open, numbers_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    const copy c = copy_of(ctx, path, "numbers");
    uint64_t *n = (uint64_t *)(void *)c.data;
    const struct {
        size_t number;
        uint64_t bad, good; /* good: as it was where it must fit the other sections */
    } cases[] = {
        {DPL__N_DOCS, UINT32_MAX, n[DPL__N_DOCS]},
        {DPL__N_TERMS, UINT32_MAX, n[DPL__N_TERMS]},
        {DPL__N_LANGS, DPL__MOST_LANGS + 1, n[DPL__N_LANGS]},
        {DPL__N_TRANSLATED, n[DPL__N_LANGS] + 1, n[DPL__N_TRANSLATED]},
        {DPL__N_FLAGS, DPL__F_ALL + 1, n[DPL__N_FLAGS] | DPL__F_STEM | DPL__F_STOP},
        {DPL__N_CHECKSUM, 0, n[DPL__N_CHECKSUM]},
        {DPL__N_CHECKSUM, 33, n[DPL__N_CHECKSUM]},
        {DPL__N_ENTRIES, UINT32_MAX, n[DPL__N_ENTRIES]},
        {DPL__N_MAX_TOKEN, 1001, 1000},
        {DPL__N_PIVOT, n[DPL__N_LANGS], n[DPL__N_PIVOT]},
        {DPL__N_PIVOT, UINT64_MAX - 1, n[DPL__N_PIVOT]},
        {DPL__N_AVERAGE, bits_of(-0.001), bits_of(0)},
        {DPL__N_AVERAGE, bits_of(1.001e12), bits_of(1e12)},
        {DPL__N_AVERAGE, bits_of((double)NAN), bits_of(1)},
        {DPL__N_UNKNOWN, bits_of(0), bits_of(1e-9)},
        {DPL__N_UNKNOWN, bits_of(100.001), bits_of(100)},
        {DPL__N_UNKNOWN, bits_of((double)NAN), bits_of(1)},
        {DPL__N_EMPTY, n[DPL__N_DOCS] + 1, n[DPL__N_DOCS]},
        {DPL__N_AUTO, 2, 0},
        {DPL__N_SAMPLE, 100001, 100000},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const uint64_t before = n[cases[i].number];
        n[cases[i].number] = cases[i].bad;
        check_opens(ctx, path, "numbers", &c, "numbers");
        n[cases[i].number] = cases[i].good;
        check_opens(ctx, path, "numbers", &c, NULL);
        n[cases[i].number] = before;
    }
    for (uint64_t version = 1; version < 4; version += 2) {
        dpl_index *x = NULL;
        n[DPL__N_VERSION] = version;
        const char *forged = test_forge(ctx, path, "numbers", c.data, c.n);
        CHECK_EQ(dpl_index_open(&x, ctx, forged, &test_err), DPL_E_UNSUPPORTED);
    }
    free(c.data);
    test_ctx_done(ctx);
}

/* Flags of sections that are not there, or do not go together. */
DPL_TEST(index_open, postings_or_a_lexicon_need_vectors)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    const size_t at = DPL__N_FLAGS * 8;
    const uint64_t only_postings = DPL__F_POSTINGS, nothing = 0, vectors = DPL__F_VECTORS;
    check_changed(ctx, path, "numbers", at, &only_postings, 8, "numbers");
    check_changed(ctx, path, "numbers", at, &nothing, 8, "numbers"); /* it has a lexicon */
    check_changed(ctx, path, "numbers", at, &vectors, 8, NULL);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .no_vectors = true);
    dpl_index_close(drawn_pocket(ctx, &some, &o));
    check_changed(ctx, path, "numbers", at, &nothing, 8, NULL);
    check_changed(ctx, path, "numbers", at, &vectors, 8, "term");
    test_ctx_done(ctx);
}

DPL_TEST(index_open, sections_of_another_size_are_refused)
{
    static const struct {
        const char *section;
        size_t element;
    } cases[] = {
        {"lang.codes", 1},      {"lang.counts", 8},  {"doc.langs", 1},   {"doc.words", 1},
        {"name.offsets", 1},    {"id.mph", 8},       {"id.rows", 1},     {"code.mph", 8},
        {"code.checks", 1},     {"code.starts", 8},  {"code.select", 4}, {"code.docs", 1},
        {"term.mph", 8},        {"term.slots", 8},   {"term.idf", 4},    {"term.offsets", 1},
        {"row.offsets", 1},     {"row.norms", 4},    {"post.lists", 8},  {"lexicon.langs", 1},
        {"lexicon.offsets", 4}, {"text.offsets", 1}, {"receipt", 4}};
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        check_size(ctx, path, cases[i].section, cases[i].element);
    test_ctx_done(ctx);
}

/* ---- documents --------------------------------------------------------------------- */

DPL_TEST(index_open, languages_and_names_that_cannot_be_shown_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    const uint8_t n_langs = 2, largest = 1;
    check_changed(ctx, path, "lang.codes", DPL__LANG_BYTES - 1, "x", 1, "lang.codes");
    check_changed(ctx, path, "lang.codes", 0, "\"", 1, "lang.codes");
    check_changed(ctx, path, "lang.codes", DPL__LANG_BYTES, "", 1, "lang.codes");
    check_changed(ctx, path, "lang.codes", 0, "fr", 2, NULL);
    for (size_t doc = 0; doc < some.n; doc += some.n - 1) {
        check_changed(ctx, path, "doc.langs", doc, &n_langs, 1, "doc.langs");
        check_changed(ctx, path, "doc.langs", doc, &largest, 1, NULL);
    }
    /* ids are d0, d1 ...: the first two bytes are one */
    check_changed(ctx, path, "name.bytes", 1, "\x1f", 1, "name.bytes");
    check_changed(ctx, path, "name.bytes", 1, "\x7f", 1, "name.bytes");
    check_changed(ctx, path, "name.bytes", 1, "\n", 1, "name.bytes");
    check_changed(ctx, path, "name.bytes", 1, "\xff", 1, "name.bytes");
    check_changed(ctx, path, "name.bytes", 1, "\xc3\xa9", 2, "name.bytes"); /* in two names */
    check_changed(ctx, path, "name.bytes", 0, "\xc3\xa9", 2, NULL);
    check_changed(ctx, path, "name.bytes", 1, " ", 1, NULL);
    test_ctx_done(ctx);
}

/* Offsets of another index with an empty id in the place of a title. */
DPL_TEST(index_open, an_id_has_at_least_a_byte)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    for (int is_id = 0; is_id < 2; is_id++) {
        const copy names = copy_of(ctx, path, "name.bytes");
        dpl__offsets_writer w = {.ctx = ctx};
        dpl__bytes bytes = {0};
        for (size_t doc = 0; doc < some.n; doc++) { /* all bytes in the first id or title */
            const bool is_first = doc == 0;
            const size_t n = is_first ? names.n - (some.n - 1) : 1;
            CHECK_OK(dpl__offsets_add(&w, is_id && doc == 3 ? 0 : n, &test_err));
            CHECK_OK(dpl__offsets_add(&w, is_id && doc == 3 ? n : 0, &test_err));
        }
        CHECK_OK(dpl__offsets_finish(&w, &bytes, &test_err));
        const copy c = {(uint8_t *)bytes.data, bytes.n};
        check_opens(ctx, path, "name.offsets", &c, is_id ? "name.bytes" : NULL);
        dpl__vec_clear(ctx, &bytes);
        dpl__offsets_clear(&w);
        free(names.data);
    }
    test_ctx_done(ctx);
}

/* ---- codes
 * ------------------------------------------------------------------------------------ */

DPL_TEST(index_open, slots_of_codes_are_where_the_samples_say)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    const copy starts = copy_of(ctx, path, "code.starts"),
               select = copy_of(ctx, path, "code.select");
    uint64_t *bits = (uint64_t *)(void *)starts.data;
    uint32_t *places = (uint32_t *)(void *)select.data;
    CHECK(select.n >= 8 && starts.n >= 24); /* more than 64 slots */
    for (size_t i = 0; i < select.n / 4; i++) {
        places[i]++;
        check_opens(ctx, path, "code.select", &select, "code.starts");
        places[i]--;
    }
    uint64_t before = bits[0];
    bits[0] &= ~(uint64_t)1; /* the first entry begins no slot */
    check_opens(ctx, path, "code.starts", &starts, "code.starts");
    bits[0] = before & (before - 1); /* one less */
    check_opens(ctx, path, "code.starts", &starts, "code.starts");
    bits[0] = before;
    before = bits[starts.n / 8 - 1];
    bits[starts.n / 8 - 1] |= (uint64_t)1 << 63; /* one more */
    CHECK(bits[starts.n / 8 - 1] != before);
    check_opens(ctx, path, "code.starts", &starts, "code.starts");
    bits[starts.n / 8 - 1] = before;
    check_opens(ctx, path, "code.starts", &starts, NULL);
    free(starts.data);
    free(select.data);
    test_ctx_done(ctx);
}

/* ---- terms, rows, postings
 * -------------------------------------------------------------------- */

DPL_TEST(index_open, weights_are_numbers_in_range_and_terms_are_text)
{
    static const struct {
        const char *section;
        float bad[3], good;
    } cases[] = {{"term.idf", {-0.001f, 100.01f, NAN}, 100},
                 {"row.norms", {-0.001f, 1.001e12f, NAN}, 1e12f},
                 {"lexicon.p", {-0.001f, 1.002f, NAN}, 1.001f}};
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const copy c = copy_of(ctx, path, cases[i].section);
        const float zero = 0;
        for (size_t at = 0; at < c.n; at += c.n - 4) { /* the first and the last one */
            for (size_t k = 0; k < DPL_LEN(cases[i].bad); k++)
                check_changed(ctx, path, cases[i].section, at, &cases[i].bad[k], 4,
                              cases[i].section);
            check_changed(ctx, path, cases[i].section, at, &cases[i].good, 4, NULL);
            check_changed(ctx, path, cases[i].section, at, &zero, 4, NULL);
        }
        free(c.data);
    }
    check_changed(ctx, path, "term.bytes", 0, "\xff", 1, "term.bytes");
    check_changed(ctx, path, "term.bytes", 0, "\x80", 1, "term.bytes");
    const copy slots = copy_of(ctx, path, "term.slots");
    const uint32_t n_terms = (uint32_t)(slots.n / 8), last = n_terms - 1;
    for (size_t at = 0; at < slots.n; at += slots.n - 8) {
        check_changed(ctx, path, "term.slots", at, &n_terms, 4, "term.slots");
        check_changed(ctx, path, "term.slots", at, &last, 4, NULL);
    }
    free(slots.data);
    test_ctx_done(ctx);
}

DPL_TEST(index_open, lists_of_postings_rise_from_the_first_byte_to_the_last)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    const copy c = copy_of(ctx, path, "post.lists");
    uint64_t *lists = (uint64_t *)(void *)c.data;
    const size_t n = c.n / 8;
    const uint64_t one = (uint64_t)1 << (64 - DPL__PLACE_BITS);
    static const int64_t steps[] = {1, -1};
    for (size_t i = 0; i < n; i += i ? n - 2 : 1) /* the first, the second and the last one */
        for (size_t k = 0; k < DPL_LEN(steps); k++) {
            const uint64_t before = lists[i];
            const bool is_inside = i == 1; /* between two others */
            lists[i] += (uint64_t)steps[k] * one;
            check_opens(ctx, path, "post.lists", &c, is_inside ? NULL : "post.lists");
            lists[i] = before;
        }
    const uint64_t before = lists[1];
    lists[1] = lists[2] + one; /* behind the next one */
    check_opens(ctx, path, "post.lists", &c, "post.lists");
    lists[1] = (before & ~(uint64_t)0xFFFF) | some.n;
    check_opens(ctx, path, "post.lists", &c, NULL);
    lists[1]++; /* more documents than there are */
    check_opens(ctx, path, "post.lists", &c, "post.lists");
    free(c.data);
    test_ctx_done(ctx);
}

/* ---- lexicons
 * ----------------------------------------------------------------------------------- */

DPL_TEST(index_open, a_lexicon_leads_to_terms_and_from_another_language_than_the_pivot)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_whole(ctx);
    dpl_index *x = NULL;
    CHECK_OK(dpl_index_open(&x, ctx, path, &test_err));
    const uint8_t pivot = (uint8_t)x->pivot, n_langs = (uint8_t)x->n_langs;
    const uint32_t n_terms = x->n_terms, last = n_terms - 1;
    const uint64_t no_pivot = UINT64_MAX;
    dpl_index_close(x);
    const copy terms = copy_of(ctx, path, "lexicon.terms");
    for (size_t at = 0; at < terms.n; at += terms.n - 4) {
        check_changed(ctx, path, "lexicon.terms", at, &n_terms, 4, "lexicon.terms");
        check_changed(ctx, path, "lexicon.terms", at, &last, 4, NULL);
    }
    check_changed(ctx, path, "lexicon.langs", 0, &pivot, 1, "lexicon.offsets");
    check_changed(ctx, path, "lexicon.langs", 0, &n_langs, 1, "lexicon.offsets");
    check_changed(ctx, path, "numbers", DPL__N_PIVOT * 8, &no_pivot, 8, "lexicon.offsets");
    const copy offsets = copy_of(ctx, path, "lexicon.offsets");
    const uint32_t n = (uint32_t)(terms.n / 4), beyond = n + 1, zero = 0;
    check_changed(ctx, path, "lexicon.offsets", offsets.n - 4, &beyond, 4, "lexicon.offsets");
    check_changed(ctx, path, "lexicon.offsets", offsets.n - 4, &n, 4, NULL);
    check_changed(ctx, path, "lexicon.offsets", offsets.n - 4, &zero, 4, "lexicon.offsets");
    free(offsets.data);
    free(terms.data);
    test_ctx_done(ctx);
}

/* ---- other files
 * -------------------------------------------------------------------------------- */

DPL_TEST(index_open, a_file_that_is_no_index_is_said_to_be_none)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *docs = drawn_write(&some, "drawn.jsonl"), *made = test_path("c.dpl");
    dpl_index *x = NULL;
    CHECK_OK(dpl_import(NULL, ctx, made, &docs, 1, NULL, &test_err));
    CHECK(dpl_index_open(&x, ctx, made, &test_err) != DPL_OK && !x);
    CHECK_STR(dpl__cstr(test_err.code), "not-an-index");
    CHECK_EQ(dpl_index_open(&x, ctx, docs, &test_err), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.code), "not-an-index");
    CHECK_EQ(dpl_index_open(&x, ctx, test_path("none"), &test_err), DPL_E_IO);
    CHECK(!x);
    test_ctx_done(ctx);
}
