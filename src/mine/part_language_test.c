#include "mine/part_language.h"

#include "doppel/mine.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_PAGES = 20, PER_PAGE = 10, MOST_TEXT = 2000 };

static const char *const sentences[][2] = {
    {"The old house number %u stands by the river, and nobody has lived in it for years.",
     "Das alte Haus Nummer %u steht am Fluss, und seit Jahren hat niemand darin gewohnt."},
    {"Open the menu of window %u and choose the file that you would like to print.",
     "Öffnen Sie das Menü des Fensters %u und wählen Sie die Datei, die gedruckt werden soll."},
    {"In winter the road to the village of %u people is covered with snow.",
     "Im Winter ist die Straße zum Dorf mit seinen %u Einwohnern mit Schnee bedeckt."}};

/* Pages of English sentences, of which every step-th is in German and n_own per page are those
 * of no other text. */
typedef struct side_shape {
    unsigned step, n_own, n_pages;
} side_shape;

static const char *write_pages(const char *name, side_shape is)
{
    char *text = malloc(N_PAGES * MOST_TEXT);
    size_t n = 0;
    CHECK(text != NULL);
    for (unsigned page = 0; page < is.n_pages; page++) {
        n += (size_t)sprintf(text + n, "page%u\t", page);
        for (unsigned i = 0; i < PER_PAGE; i++) {
            const unsigned number = page * PER_PAGE + i;
            n += (size_t)sprintf(text + n, sentences[i % 3][is.step && number % is.step == 0],
                                 number + (i < is.n_own ? 5000 : 0));
            text[n++] = ' ';
        }
        text[n - 1] = '\n';
    }
    const char *path = test_write(name, text, n);
    free(text);
    return path;
}

static const dpl_reader_options tsv = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);

static dpl_collection *make(dpl_ctx *ctx, const char *name, side_shape is)
{
    char path[1000], tsv_path[1000];
    dpl_collection *c = NULL;
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &tsv);
    snprintf(tsv_path, sizeof tsv_path, "%s", write_pages("pages.tsv", is));
    snprintf(path, sizeof path, "%s", test_path(name));
    const char *in = tsv_path;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* The same of swapped sides. */
static dpl__part_language find(side_shape left, side_shape right)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c[2] = {make(ctx, "l.dpl", left), make(ctx, "r.dpl", right)};
    dpl__part_language found, mirrored;
    CHECK_OK(dpl__part_language_find(&found, ctx, (const dpl_collection *[]){c[0], c[1]},
                                     &test_err));
    CHECK_OK(dpl__part_language_find(&mirrored, ctx, (const dpl_collection *[]){c[1], c[0]},
                                     &test_err));
    CHECK_STR(dpl__cstr(found.code), mirrored.code);
    CHECK(!*found.code || found.side == !mirrored.side);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(c[side]);
    test_ctx_done(ctx);
    return found;
}

DPL_TEST(part_language, is_one_that_some_sentences_of_one_side_are_in)
{
    const side_shape english = {0, 0, N_PAGES};
    dpl__part_language x = find(english, (side_shape){10, 0, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), "de");
    CHECK_EQ(x.side, 1);
    x = find((side_shape){50, 0, N_PAGES}, english); /* two per cent of them */
    CHECK_STR(dpl__cstr(x.code), "de");
    CHECK_EQ(x.side, 0);
    x = find(english, (side_shape){150, 0, N_PAGES}); /* two of 200 are just enough */
    CHECK_STR(dpl__cstr(x.code), "de");
    x = find(english, (side_shape){199, 0, N_PAGES - 1}); /* one of 190 is not */
    CHECK_STR(dpl__cstr(x.code), "");
    x = find(english, english);
    CHECK_STR(dpl__cstr(x.code), "");
}

DPL_TEST(part_language, is_much_more_frequent_than_on_the_other_side)
{
    dpl__part_language x = find((side_shape){51, 0, N_PAGES}, (side_shape){10, 0, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), "de"); /* 4 and 20 */
    x = find((side_shape){40, 0, N_PAGES}, (side_shape){10, 0, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), ""); /* 5 and 20 */
}

DPL_TEST(part_language, is_that_of_a_side_of_which_the_other_has_most)
{
    const side_shape english = {0, 0, N_PAGES};
    dpl__part_language x = find(english, (side_shape){10, 4, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), "de"); /* German ones are first of each page */
    x = find(english, (side_shape){10, 5, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), "de"); /* half of them */
    x = find(english, (side_shape){10, 6, N_PAGES});
    CHECK_STR(dpl__cstr(x.code), "");
}

/* Lines "id <TAB> text". */
static dpl_collection *make_of(dpl_ctx *ctx, const char *name, const char *text)
{
    char path[1000], tsv_path[1000];
    dpl_collection *c = NULL;
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &tsv);
    snprintf(tsv_path, sizeof tsv_path, "%s", test_write("lines.tsv", text, strlen(text)));
    snprintf(path, sizeof path, "%s", test_path(name));
    const char *in = tsv_path;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

#define ENGLISH "The old house stands by the river, and nobody has lived in it for years. "
#define GERMAN "Das alte Haus steht am Fluss, und seit Jahren hat niemand darin gewohnt. "
#define FRENCH "La vieille maison se trouve au bord de la rivière et personne n'y habite plus. "
#define SPANISH "La casa vieja está junto al río y nadie ha vivido en ella desde hace años. "

static void check_of(const char *left, const char *right, const char *want)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c[2] = {make_of(ctx, "l.dpl", left), make_of(ctx, "r.dpl", right)};
    dpl__part_language found;
    CHECK_OK(dpl__part_language_find(&found, ctx, (const dpl_collection *[]){c[0], c[1]},
                                     &test_err));
    CHECK_STR(dpl__cstr(found.code), want);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(c[side]);
    test_ctx_done(ctx);
}

DPL_TEST(part_language, of_several_is_the_most_frequent_one)
{
    static const char english[] = "a\t" ENGLISH ENGLISH ENGLISH "\n";
    check_of(english, "a\t" ENGLISH ENGLISH ENGLISH GERMAN FRENCH FRENCH "\n", "fr");
    check_of(english, "a\t" ENGLISH ENGLISH ENGLISH FRENCH GERMAN GERMAN "\n", "de");
    check_of(english, "a\t" ENGLISH ENGLISH ENGLISH FRENCH FRENCH GERMAN "\n", "fr");
    /* of equal ones the first code */
    check_of(english, "a\t" ENGLISH ENGLISH ENGLISH FRENCH SPANISH "\n", "es");
    check_of(english, "a\t" ENGLISH ENGLISH ENGLISH SPANISH FRENCH "\n", "es");
    /* of either side, of which the other has most */
    check_of("a\t" ENGLISH ENGLISH ENGLISH FRENCH "\n",
             "a\t" ENGLISH ENGLISH ENGLISH ENGLISH GERMAN "\n", "fr");
}

DPL_TEST(part_language, short_sentences_and_empty_sides_say_nothing)
{
    check_of("a\t" ENGLISH ENGLISH "\n", "a\t" ENGLISH ENGLISH "Das ist alt. Ein Haus. \n", "");
    check_of("a\tOld. New.\n", "a\tAlt. Neu.\n", "");
}

static dpl_status find_again(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_collection *const *c = user;
    dpl__part_language x;
    return dpl__part_language_find(&x, ctx, c, err);
}

DPL_TEST(part_language, survives_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c[2] = {make(ctx, "l.dpl", (side_shape){0, 0, 3}),
                            make(ctx, "r.dpl", (side_shape){10, 0, 3})};
    test_allocation_failures(find_again, c);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(c[side]);
    test_ctx_done(ctx);
}

/* ---- in a run ------------------------------------------------------------------------- */

/* A German side, of which all pages or a part of the sentences are in German. */
static uint64_t n_mined(const char *dir, side_shape right)
{
    dpl_ctx *ctx = test_ctx(2);
    char paths[2][1000];
    dpl_mine_result *result = NULL;
    const dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .rounds = 1);
    snprintf(paths[0], sizeof paths[0], "%s",
             write_pages("l.tsv", (side_shape){0, 0, N_PAGES}));
    snprintf(paths[1], sizeof paths[1], "%s", write_pages("r.tsv", right));
    const dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    CHECK_OK(dpl_mine(&result, ctx, dir, in, 2, &o, &test_err));
    const dpl_mine_run *r = dpl_mine_get_summary(result)->runs[0];
    CHECK_STR(dpl__cstr(r->left->code), "en");
    CHECK_STR(dpl__cstr(r->right->code), "de");
    const uint64_t n = r->right->n_docs;
    dpl_mine_result_free(result);
    test_ctx_done(ctx);
    return n;
}

/* Whatever the next run in the folder is about. */
DPL_TEST(part_language, its_documents_are_removed_from_a_folder_that_is_used_again)
{
    char dir[1000], path[1000];
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    snprintf(path, sizeof path, "%s", test_path("out/work/right-de.dpl"));
    CHECK_EQ(n_mined(dir, (side_shape){10, 0, N_PAGES}), N_PAGES);
    CHECK(access(path, F_OK) == 0);
    CHECK_EQ(n_mined(dir, (side_shape){10, 0, N_PAGES / 2}), N_PAGES / 2);
    CHECK(access(path, F_OK) == 0);
    CHECK_EQ(n_mined(dir, (side_shape){1, 0, N_PAGES}), N_PAGES);
    CHECK(access(path, F_OK) != 0);
}
