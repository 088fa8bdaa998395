#include "vectors/vectors.h"

#include "test.h"

#include <stdio.h>

static dpl_vectors *spelling(dpl_ctx *ctx, const char *lines, const char *lang,
                             const char *name)
{
    const char *in = test_write("in.tsv", lines, strlen(lines));
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = lang));
    CHECK_OK(dpl_import(NULL, ctx, test_path("in.dpl"), &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("in.dpl"), &test_err));
    dpl_vectors_options v = DPL_INIT(dpl_vectors_options, .ngrams = 4, .min_terms = 1);
    CHECK_OK(dpl_vectors_make(NULL, ctx, test_path(name), c, NULL, &v, &test_err));
    dpl_collection_close(c);
    dpl_vectors *out = NULL;
    CHECK_OK(dpl_vectors_open(&out, ctx, test_path(name), &test_err));
    return out;
}

/* All terms, a blank between. */
static const char *terms_of(const dpl_vectors *v)
{
    static char out[1000];
    size_t n = 0;
    for (uint32_t i = 0; i < dpl_vectors_get_sizes(v)->n_terms; i++) {
        dpl_str t = dpl_vectors_term(v, i);
        n +=
            (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", i ? " " : "", (int)t.n, t.data);
    }
    return out;
}

static void check_terms(const char *text, const char *lang, const char *terms)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = spelling(ctx, text, lang, "v.dpl");
    CHECK(strcmp(terms_of(v), terms) == 0);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(spelling, words_are_cut_into_pieces_without_accents)
{
    check_terms("K\xC3\xA4se\n", "de", "_kas _kase_ ase_ kase");
}

/* In two bytes of UTF-8. */
static void put_letter(char *out, unsigned c)
{
    out[0] = (char)(0xC0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3F));
}

DPL_TEST(spelling, latin_letters_are_written_as_icu_does)
{
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned c = 0xDF; c < 0x180; c++) {
        char terms[2][1000], letter[3] = {0};
        put_letter(letter, c);
        if (c == 0xF7 || c == 0x149) /* a sign; two letters, one of them an apostrophe */
            continue;
        /* The same letter at the end, in Latin script and, for which ICU is asked, another. */
        for (int i = 0; i < 2; i++) {
            char line[64];
            snprintf(line, sizeof line, "xy%s%s\n", letter, i ? "\xD0\xBC" : "m");
            dpl_vectors *v = spelling(ctx, line, "cs", "v.dpl");
            snprintf(terms[i], sizeof terms[i], "%s", terms_of(v));
            dpl_vectors_close(v);
        }
        CHECK(strcmp(terms[0], terms[1]) == 0);
    }
    test_ctx_done(ctx);
}

DPL_TEST(spelling, short_words_and_numbers_stay_whole)
{
    check_terms("am 1984\n", "de", "_1984_ _am_");
}

DPL_TEST(spelling, scripts_meet_in_latin_letters)
{
    /* Moskva */
    check_terms("\xD0\x9C\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0\n", "ru",
                "_mos _moskva_ kva_ mosk oskv skva");
}

DPL_TEST(spelling, sides_share_a_space_whatever_their_languages)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *de = spelling(ctx, "Universit\xC3\xA4t\n", "de", "de.dpl");
    dpl_vectors *fr = spelling(ctx, "universit\xC3\xA9\n", "fr", "fr.dpl");
    CHECK_STR(dpl_vectors_get_info(de).space, "spelling 4, bm25 k1=1.2 b=0.75");
    CHECK_STR(dpl_vectors_get_info(de).lang, "");
    CHECK_STR(dpl_vectors_get_info(de).doc_lang, "de");
    uint32_t term;
    CHECK(dpl_vectors_find_term(fr, dpl__cstr("_uni"), &term));
    CHECK(dpl_vectors_find_term(de, dpl__cstr("_uni"), &term));
    dpl_vectors_close(de);
    dpl_vectors_close(fr);
    test_ctx_done(ctx);
}

static dpl_status make_one(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_open(&c, ctx, user, err));
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .ngrams = 4, .min_terms = 1);
    dpl_status status = dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, NULL, &o, err);
    dpl_collection_close(c);
    return status;
}

DPL_TEST(spelling, running_out_of_memory_leaks_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors_close(spelling(ctx,
                               "eins zwei\n\xC3\xBC"
                               "ber drei\n",
                               "de", "v.dpl"));
    test_ctx_done(ctx);
    test_allocation_failures(make_one, (void *)(uintptr_t)test_path("in.dpl"));
}
