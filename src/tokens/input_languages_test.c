#include "tokens/input_languages.h"

#include "test.h"

#include <stdio.h>

/* Lines of a file: so many documents in a language, declared or told from the text. */
typedef struct part {
    const char *lang;
    unsigned n;
    bool is_declared;
} part;

static const char *sentence(const char *lang)
{
    static const char *const texts[][2] = {
        {"de",
         "Der Zug kommt heute wieder viel zu spät am Bahnhof an, und niemand weiß warum."},
        {"en", "The train is far too late at the station again today, and nobody knows why."},
        {"fr", "Le train arrive encore beaucoup trop tard à la gare, et personne ne sait "
               "pourquoi."},
        {"it", "Il treno arriva di nuovo troppo tardi alla stazione e nessuno sa perché."},
        {"und", "1 2 3"}};
    for (size_t i = 0; i < DPL_LEN(texts); i++)
        if (strcmp(texts[i][0], lang) == 0)
            return texts[i][1];
    return "";
}

static const char *write_parts(const char *name, const part *parts)
{
    static char text[1 << 20];
    size_t n = 0, id = 0;
    for (; parts->lang; parts++)
        for (unsigned i = 0; i < parts->n; i++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "{\"id\": %zu, \"lang\": \"%s\", \"text\": \"%s\"}\n", id++,
                                  parts->is_declared ? parts->lang : "", sentence(parts->lang));
    return test_write(name, text, n);
}

/* "de+fr" when these take part, "two" when it is left to two sides, or the error. */
static const char *divide(const part a[], const part b[], const part c[])
{
    static char out[700];
    dpl_ctx *ctx = test_ctx(2);
    const part *const all[] = {a, b, c};
    char stored[3][1000];
    const char *paths[3];
    size_t n_paths = 0, n = 0;
    for (; n_paths < 3 && all[n_paths]; n_paths++) {
        char name[20];
        snprintf(name, sizeof name, "%zu.jsonl", n_paths);
        snprintf(stored[n_paths], 1000, "%s", write_parts(name, all[n_paths]));
        paths[n_paths] = stored[n_paths];
    }
    dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_JSONL);
    dpl__census census = {0};
    CHECK_OK(dpl__census_take(&census, ctx, paths, n_paths, &read, &test_err));
    out[0] = 0;
    if (dpl__census_is_two_sided(&census))
        snprintf(out, sizeof out, "two");
    else if (dpl__census_divide(&census, &test_err) != DPL_OK)
        snprintf(out, sizeof out, "%s", test_err.text);
    else {
        for (size_t i = 0; i < census.langs.n; i++)
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s", i ? "+" : "",
                                  census.langs.data[i].code,
                                  census.langs.data[i].is_mixed ? "*" : "");
        for (size_t i = 0; i < census.left_out.n; i++)
            n += (size_t)snprintf(out + n, sizeof out - n, " -%s %llu",
                                  census.left_out.data[i].code,
                                  (unsigned long long)census.left_out.data[i].n_docs);
    }
    dpl__census_clear(&census);
    test_ctx_done(ctx);
    return out;
}

#define PARTS(...) ((const part[]){__VA_ARGS__, {NULL, 0, false}})
#define CHECK_DIVIDE(a, b, c, want) CHECK_STR(dpl__cstr(divide(a, b, c)), want)

DPL_TEST(languages, two_files_of_one_language_each_are_two_sides)
{
    CHECK_DIVIDE(PARTS({"de", 50, true}), PARTS({"en", 50, false}), NULL, "two");
    /* whatever is told wrong, or was left untranslated */
    CHECK_DIVIDE(PARTS({"de", 80, false}, {"it", 19, false}), PARTS({"en", 50, false}), NULL,
                 "two");
    CHECK_DIVIDE(PARTS({"de", 97, true}, {"en", 4, true}), PARTS({"en", 50, false}), NULL,
                 "two");
    /* some pages are in the language of the other side, declared or not */
    CHECK_DIVIDE(PARTS({"de", 60, false}, {"en", 40, false}), PARTS({"en", 50, false}), NULL,
                 "two");
    CHECK_DIVIDE(PARTS({"de", 60, true}, {"en", 40, true}),
                 PARTS({"en", 50, true}, {"de", 20, true}, {"it", 2, true}), NULL, "two");
    /* in a language that cannot be told */
    CHECK_DIVIDE(PARTS({"und", 60, false}, {"de", 20, false}, {"it", 20, false}),
                 PARTS({"en", 50, false}), NULL, "two");
    CHECK_DIVIDE(PARTS({"und", 9, false}), PARTS({"und", 9, false}), NULL, "two");
}

DPL_TEST(languages, two_files_of_several_are_divided)
{
    CHECK_DIVIDE(PARTS({"de", 50, false}, {"fr", 50, false}), PARTS({"en", 50, false}), NULL,
                 "de*+en+fr*");
    CHECK_DIVIDE(PARTS({"de", 90, true}, {"fr", 6, true}), PARTS({"en", 50, false}), NULL,
                 "de*+en+fr*");
    /* most of both is in English, and both have German: parts of one collection */
    CHECK_DIVIDE(PARTS({"de", 40, false}, {"en", 50, false}),
                 PARTS({"en", 50, false}, {"de", 20, false}, {"it", 1, false}), NULL,
                 "de*+en* -it 1");
    /* a few German pages do not make a German side */
    CHECK_DIVIDE(PARTS({"de", 4, true}, {"en", 50, false}, {"fr", 20, true}, {"it", 9, true}),
                 PARTS({"en", 50, false}), NULL, "en*+fr*+it* -de 4");
}

DPL_TEST(languages, a_side_may_be_mostly_untranslated)
{
    CHECK_DIVIDE(PARTS({"de", 40, false}, {"en", 50, false}),
                 PARTS({"en", 50, false}, {"it", 2, false}), NULL, "two");
    CHECK_DIVIDE(PARTS({"de", 40, true}, {"en", 50, true}), PARTS({"en", 50, true}), NULL,
                 "two");
    /* pages that are told wrong */
    CHECK_DIVIDE(PARTS({"de", 40, false}, {"en", 50, false}, {"it", 9, false}),
                 PARTS({"en", 50, false}), NULL, "two");
    CHECK_DIVIDE(PARTS({"de", 40, false}, {"en", 50, false}),
                 PARTS({"fr", 20, false}, {"en", 60, false}), PARTS({"en", 50, false}),
                 "de*+en+fr* -en 110");
}

DPL_TEST(languages, documents_do_not_move_to_an_input_that_has_its_own)
{
    CHECK_DIVIDE(PARTS({"de", 60, false}, {"en", 40, false}), PARTS({"en", 50, false}),
                 PARTS({"fr", 50, false}), "de*+en+fr -en 40");
    /* with another language, or two inputs of one, they are parts of one collection */
    CHECK_DIVIDE(PARTS({"de", 60, true}, {"fr", 30, true}, {"it", 10, true}),
                 PARTS({"en", 50, true}, {"it", 20, true}), PARTS({"fr", 50, false}),
                 "de*+en*+fr*+it*");
    CHECK_DIVIDE(PARTS({"de", 60, false}, {"en", 40, false}), PARTS({"en", 50, false}),
                 PARTS({"en", 50, false}), "de*+en*");
}

DPL_TEST(languages, one_file_is_taken_by_document)
{
    CHECK_DIVIDE(PARTS({"de", 900, false}, {"en", 20, false}), NULL, NULL, "de*+en*");
    CHECK_DIVIDE(PARTS({"de", 900, false}, {"en", 20, false}, {"fr", 9, false}), NULL, NULL,
                 "de*+en* -fr 9");
    CHECK_DIVIDE(PARTS({"de", 900, false}, {"en", 20, false}, {"fr", 9, true}), NULL, NULL,
                 "de*+en*+fr*");
    CHECK_DIVIDE(PARTS({"de", 10, true}, {"en", 10, true}, {"fr", 4, true}, {"und", 7, false}),
                 NULL, NULL, "de*+en* -fr 4 -und 7");
}

DPL_TEST(languages, several_files_of_one_language_are_taken_together)
{
    CHECK_DIVIDE(PARTS({"de", 3, true}), PARTS({"de", 50, false}, {"it", 3, false}),
                 PARTS({"en", 9, true}), "de+en");
}

DPL_TEST(languages, one_language_is_not_enough)
{
    CHECK_DIVIDE(PARTS({"de", 9, true}), NULL, NULL, "all documents are in 'de'");
    CHECK_DIVIDE(PARTS({"de", 9, true}, {"en", 2, true}), NULL, NULL,
                 "all documents but 2 are in 'de'");
    CHECK_DIVIDE(PARTS({"de", 4, true}, {"en", 2, true}), NULL, NULL,
                 "no language has 5 documents or more");
    const char *unknown =
        divide(PARTS({"und", 9, false}), PARTS({"de", 9, true}), PARTS({"en", 9, true}));
    CHECK(strncmp(unknown, "the language of '", 17) == 0);
}

static dpl_status census_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__census census = {0};
    dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_JSONL);
    const char *path = user;
    dpl_status status = dpl__census_take(&census, ctx, &path, 1, &read, err);
    if (status == DPL_OK)
        status = dpl__census_divide(&census, err);
    dpl__census_clear(&census);
    return status;
}

DPL_TEST(languages, every_allocation_may_fail)
{
    char path[1000];
    snprintf(path, sizeof path, "%s",
             write_parts("a.jsonl", PARTS({"de", 9, true}, {"en", 9, false}, {"fr", 1, true})));
    test_allocation_failures(census_body, path);
}
