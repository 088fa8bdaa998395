#include "mine/clean.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char english[] = "The old house stands by the river, and nobody has lived in it "
                              "for years because the roof is broken.",
                  german[] = "Das alte Haus steht am Fluss, und seit Jahren hat niemand mehr "
                             "darin gewohnt, weil das Dach kaputt ist.",
                  russian[] = "Дом у реки старый, и в нём никто не живёт. ";

DPL_TEST(clean, a_text_is_foreign_when_its_language_is_clear_and_another)
{
    static const struct {
        const char *text, *own;
        bool is_foreign;
    } cases[] = {
        {english, "en", false},
        {english, "de", true},
        {german, "en", true},
        {german, "de", false},
        {english, "", false}, /* of a side without a language nothing is foreign */
        {english, "und", false},
        {"The old house stands by it.", "de", false}, /* too short to tell */
        {"", "de", false},
        {"12 34 56 78 90 12 34 56 78 90 12 34 56 78 90", "de", false},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        if (dpl__is_foreign(dpl__cstr(cases[i].text), cases[i].own) != cases[i].is_foreign)
            dpl__test_fail(__FILE__, __LINE__, "'%s' is%s foreign to '%s'", cases[i].text,
                           cases[i].is_foreign ? " not" : "", cases[i].own);
}

/* The beginning of a long text is read, which may end within a character. */
DPL_TEST(clean, a_long_text_is_cut_between_characters)
{
    enum { COPIES = 60 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes text = {0};
    for (size_t shift = 0; shift < 4; shift++) {
        text.n = 0;
        for (size_t i = 0; i < shift; i++)
            CHECK(dpl__vec_push(ctx, &text, '\n'));
        for (size_t i = 0; i < COPIES; i++)
            CHECK(dpl__vec_append(ctx, &text, russian, sizeof russian - 1));
        CHECK(text.n > 4000);
        CHECK(dpl__is_foreign((dpl_str){text.data, text.n}, "en"));
        CHECK(!dpl__is_foreign((dpl_str){text.data, text.n}, "ru"));
    }
    dpl__vec_clear(ctx, &text);
    test_ctx_done(ctx);
}

/* ---- boilerplate ------------------------------------------------------------------------ */

static size_t put_words(char *out, dpl__rng *rng, unsigned n)
{
    static const char *const s[] = {"ka", "lo", "mi", "ru", "te", "sa", "vo", "ne"};
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t w = dpl__rng_below(rng, 4096);
        at += (size_t)sprintf(out + at, "%s%s%s%s%s", s[w % 8], s[w / 8 % 8], s[w / 64 % 8],
                              s[w / 512], i + 1 < n ? " " : ". ");
    }
    out[0] = (char)(out[0] - 'a' + 'A');
    return at;
}

/* Documents of two sentences of 12 words; the first n_same have another one of n_words before
 * them, the same in all. */
static const char *write_pages(const char *name, unsigned n_docs, unsigned n_same,
                               unsigned n_words)
{
    char *text = malloc(n_docs * 1200), menu[600];
    dpl__rng rng = {5};
    size_t at = 0;
    CHECK(text != NULL);
    menu[put_words(menu, &rng, n_words)] = 0;
    for (unsigned doc = 0; doc < n_docs; doc++) {
        /* twice in some: it is in as many documents */
        at += (size_t)sprintf(text + at, "d%u\t%s%s", doc, doc < n_same ? menu : "",
                              doc < n_same && doc % 4 == 3 ? menu : "");
        for (unsigned i = 0; i < 2; i++)
            at += put_words(text + at, &rng, 12);
        text[at - 1] = '\n';
    }
    const char *path = test_write(name, text, at);
    free(text);
    return path;
}

/* At least boilerplate_least documents, boilerplate_docs of all, and boilerplate_words of the
 * words (mine_params.h). */
DPL_TEST(clean, a_sentence_is_boilerplate_in_many_documents_and_of_many_words)
{
    static const struct {
        unsigned n_docs, n_same, n_words;
        uint64_t n_left_out;
    } cases[] = {
        {100, 10, 20, 12}, {100, 9, 20, 0},  {60, 9, 40, 0}, /* too few documents */
        {160, 16, 20, 20}, {160, 15, 20, 0},                 /* a tenth of them */
        {100, 10, 8, 0},                                     /* of too few words */
    };
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_ctx *ctx = test_ctx(2);
        const dpl_input in[] = {
            {.path = write_pages("l.tsv", cases[i].n_docs, cases[i].n_same, cases[i].n_words)},
            {.path = write_pages("r.tsv", cases[i].n_docs, 0, 1)}};
        const dpl_mine_options o =
            DPL_INIT(dpl_mine_options, .read = &read, .langs = {"eo", "sw"}, .rounds = 1);
        dpl_mine_result *result = NULL;
        CHECK_OK(dpl_mine(&result, ctx, test_path("out"), in, 2, &o, &test_err));
        const dpl_mine_run *s = dpl_mine_get_summary(result)->runs[0];
        if (s->n_boilerplate[0] != cases[i].n_left_out || s->n_boilerplate[1])
            dpl__test_fail(__FILE__, __LINE__, "case %zu: %llu and %llu sentences", i,
                           (unsigned long long)s->n_boilerplate[0],
                           (unsigned long long)s->n_boilerplate[1]);
        dpl_mine_result_free(result);
        test_ctx_done(ctx);
    }
}

/* ---- untranslated text ------------------------------------------------------------------ */

/* Pages in a language; the first n_other of them are those of the other side. */
static const char *write_side(const char *name, bool is_right, unsigned n_docs,
                              unsigned n_other)
{
    static const char *const page[] = {
        "The old house number %u stands by the river, and nobody has lived there for years. "
        "Its garden of %u trees belongs to the children of the village.",
        "Das alte Haus Nummer %u steht am Fluss, und seit Jahren hat niemand dort gewohnt. "
        "Sein Garten mit %u Bäumen gehört den Kindern des Dorfes."};
    char *text = malloc(n_docs * 400);
    size_t at = 0;
    CHECK(text != NULL);
    for (unsigned doc = 0; doc < n_docs; doc++) {
        at += (size_t)sprintf(text + at, "d%u\t", doc);
        at += (size_t)sprintf(text + at, page[is_right && doc >= n_other], 10 + doc, 300 + doc);
        text[at++] = '\n';
    }
    const char *path = test_write(name, text, at);
    free(text);
    return path;
}

DPL_TEST(clean, pages_that_are_not_translated_are_left_out)
{
    static const struct {
        unsigned n_other;
        uint64_t n_sentences, n_docs; /* left out */
    } cases[] = {{0, 0, 0}, {3, 6, 3}, {12, 24, 12}, {70, 140, 70}};
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_ctx *ctx = test_ctx(2);
        const dpl_input in[] = {{.path = write_side("l.tsv", false, 100, 0)},
                                {.path = write_side("r.tsv", true, 100, cases[i].n_other)}};
        const dpl_mine_options o =
            DPL_INIT(dpl_mine_options, .read = &read, .langs = {"en", "de"}, .rounds = 1);
        dpl_mine_result *result = NULL;
        CHECK_OK(dpl_mine(&result, ctx, test_path("out"), in, 2, &o, &test_err));
        const dpl_mine_run *s = dpl_mine_get_summary(result)->runs[0];
        if (s->n_untranslated[1] != cases[i].n_sentences ||
            s->n_untranslated_docs[1] != cases[i].n_docs || s->n_untranslated_docs[0])
            dpl__test_fail(__FILE__, __LINE__, "case %zu: %llu sentences, %llu and %llu pages",
                           i, (unsigned long long)s->n_untranslated[1],
                           (unsigned long long)s->n_untranslated_docs[0],
                           (unsigned long long)s->n_untranslated_docs[1]);
        dpl_mine_result_free(result);
        test_ctx_done(ctx);
    }
}
