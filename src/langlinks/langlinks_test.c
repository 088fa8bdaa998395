#include "doppel/links.h"

#include "langlinks/link_numbers.h"
#include "langlinks/sql_table.h"
#include "langlinks/titles.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- tables ----------------------------------------------------------------------------- */

static const char page_head[] = "-- MySQL dump 10.19\n--\n-- Host: db    Database: dewiki\n"
                                "/*!40101 SET NAMES utf8 */;\n"
                                "CREATE TABLE `page` (\n  `page_id` int(8) unsigned,\n"
                                "  `page_namespace` int(11),\n  `page_title` varbinary(255),\n"
                                "  `page_is_redirect` tinyint(1),\n  PRIMARY KEY (`page_id`)\n"
                                ") ENGINE=InnoDB;\n";

static void read_rows(char *out, size_t room, const char *head, const char *rows,
                      dpl_status expected)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__sql_table t;
    char text[4000];
    const dpl_str *row;
    snprintf(text, sizeof text, "%s%s", head, rows);
    dpl_status status = dpl__sql_open_memory(&t, ctx, "table", text, strlen(text), &test_err);
    *out = 0;
    while (status == DPL_OK && (status = dpl__sql_next(&t, &row, &test_err)) == DPL_OK) {
        for (size_t i = 0; i < t.n_columns; i++) {
            size_t n = strlen(out);
            snprintf(out + n, room - n, "%.*s%s", row[i].data ? (int)row[i].n : 4,
                     row[i].data ? row[i].data : "NULL", i + 1 < t.n_columns ? "|" : "/");
        }
    }
    CHECK_EQ(status, expected);
    dpl__sql_close(&t);
    test_ctx_done(ctx);
}

#define ROWS(rows, expected)                                                                   \
    do {                                                                                       \
        char out[1000];                                                                        \
        read_rows(out, sizeof out, page_head, rows, DPL_END);                                  \
        CHECK_STR(dpl__cstr(out), expected);                                                   \
    } while (0)

#define BAD(rows)                                                                              \
    do {                                                                                       \
        char out[1000];                                                                        \
        read_rows(out, sizeof out, page_head, rows, DPL_E_FORMAT);                             \
    } while (0)

DPL_TEST(known_links, rows_of_a_dump_are_read_with_their_escapes)
{
    ROWS("", "");
    ROWS("INSERT INTO `page` VALUES (1,0,'A',0),(2,0,'It\\'s (a) \\\\ \"b\", c;',1);\n",
         "1|0|A|0/2|0|It's (a) \\ \"b\", c;|1/");
    ROWS("INSERT INTO `page` VALUES\n(1,0,_binary 'A''B',NULL),\n(2,-1,'',0.5);\nUNLOCK;\n",
         "1|0|A'B|NULL/2|-1||0.5/");
    ROWS("INSERT INTO `page` (`page_id`, `x`) VALUES (1,0,'A',0);\n"
         "INSERT INTO `page` VALUES (2,0,'B',0);",
         "1|0|A|0/2|0|B|0/");
}

DPL_TEST(known_links, damaged_tables_are_refused)
{
    BAD("INSERT INTO `page` VALUES (1,0,'A',0),(2,0,'B");
    BAD("INSERT INTO `page` VALUES (1,0,'A',0)");
    BAD("INSERT INTO `page` VALUES (1,0,'A');\n");
    BAD("INSERT INTO `page` VALUES (1,0,'A',0,5);\n");
    BAD("INSERT INTO `other` VALUES (1,0,'A',0);\n");
    BAD("INSERT INTO `page` VALUES x;\n");
    char out[1000];
    read_rows(out, sizeof out, "", "a\tb\n", DPL_E_FORMAT);
    read_rows(out, sizeof out, "", "CREATE TABLE `page` (\n", DPL_E_FORMAT);
    read_rows(out, sizeof out, "", "CREATE TABLE `page` (\n)\n", DPL_E_FORMAT);
}

DPL_TEST(known_links, every_truncation_of_a_table_is_an_end_or_an_error)
{
    char all[2000];
    snprintf(all, sizeof all, "%s%s", page_head,
             "INSERT INTO `page` VALUES (1,0,'A\\'',0),(2,0,_binary 'B',NULL);\n");
    for (size_t n = 0; n < strlen(all); n++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__sql_table t;
        const dpl_str *row;
        dpl_status status = dpl__sql_open_memory(&t, ctx, "table", all, n, NULL);
        while (status == DPL_OK)
            status = dpl__sql_next(&t, &row, NULL);
        CHECK(status == DPL_END || status == DPL_E_FORMAT);
        dpl__sql_close(&t);
        test_ctx_done(ctx);
    }
}

/* ---- titles ------------------------------------------------------------------------------ */

DPL_TEST(known_links, titles_are_compared_as_wikis_do)
{
    uint64_t key = dpl__title_key(DPL_STR("Ägypten (Land)"));
    CHECK(key == dpl__title_key(DPL_STR("ägypten_(Land)")));
    CHECK(key == dpl__title_key(DPL_STR(" :Ägypten__(Land) #Klima")));
    CHECK(key != dpl__title_key(DPL_STR("Ägypten (land)")));
    CHECK_EQ(dpl__title_key(DPL_STR("")), 0);
    CHECK_EQ(dpl__title_key(DPL_STR("#a")), dpl__title_key(DPL_STR("#a")));
    CHECK(dpl__title_key(DPL_STR("\xFF\xFE")) != 0);
}

/* ---- links of two small wikis ------------------------------------------------------- */

#define PAGE(title, id, more, text)                                                            \
    "<page><title>" title "</title><ns>0</ns><id>" id "</id>" more "<revision><text>" text     \
    "</text></revision></page>\n"
#define LONG "This page is long enough to be no stub, since it goes on and on about nothing."

static const char left_dump[] = "<mediawiki xml:lang='de'>\n" PAGE("Haus", "1", "", LONG)
    PAGE("Boot", "2", "", LONG "[[en:Boat]]")
        PAGE("Kahn", "3", "<redirect title=\"Boot\"/>", "") PAGE("Baum", "4", "", LONG)
            PAGE("Berg", "5", "", LONG) "</mediawiki>\n";
static const char right_dump[] = "<mediawiki xml:lang='en'>\n" PAGE("House", "11", "", LONG)
    PAGE("Boat", "12", "", LONG) PAGE("Home", "13", "", "#REDIRECT [[House]]")
        PAGE("Tree", "14", "", LONG) PAGE("Hill", "15", "<redirect title=\"Mount\"/>", "")
            PAGE("Mount", "16", "<redirect title=\"Mountain\"/>", "")
                PAGE("Mountain", "17", "", LONG) "</mediawiki>\n";

typedef struct sides {
    dpl_ctx *ctx;
    dpl_collection *c[2];
} sides;

static sides open_sides(void)
{
    sides s = {.ctx = test_ctx(2)};
    const char *const texts[2] = {left_dump, right_dump};
    for (int i = 0; i < 2; i++) {
        dpl_reader_options read = DPL_INIT(dpl_reader_options, .min_chars = 10);
        dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        const char *path = test_write(i ? "en.xml" : "de.xml", texts[i], strlen(texts[i]));
        dpl_input in = {.path = path};
        CHECK_OK(dpl_collection_from_inputs(&s.c[i], NULL, s.ctx, &in, 1, &o, &test_err));
    }
    return s;
}

static void close_sides(sides *s)
{
    dpl_collection_close(s->c[0]);
    dpl_collection_close(s->c[1]);
    test_ctx_done(s->ctx);
}

/* Links as "Haus=House,Boot=Boat", by title. */
static void check_links(const char *file, int line, const char *const *paths, size_t n,
                        const char *expected)
{
    sides s = open_sides();
    dpl_links *links = NULL;
    size_t n_pairs = 0;
    char out[500] = "";
    dpl_status status =
        dpl_links_read(&links, s.ctx, paths, n, s.c[0], s.c[1], NULL, &test_err);
    if (status != DPL_OK)
        dpl__test_fail(file, line, "%s", test_err.text);
    const dpl_doc_pair *pairs = dpl_links_pairs(links, &n_pairs);
    for (size_t i = 0; i < n_pairs; i++) {
        dpl_str a = dpl_collection_doc(s.c[0], pairs[i].left).title,
                b = dpl_collection_doc(s.c[1], pairs[i].right).title;
        size_t at = strlen(out);
        snprintf(out + at, sizeof out - at, "%s%.*s=%.*s", i ? "," : "", (int)a.n, a.data,
                 (int)b.n, b.data);
        CHECK_EQ(dpl__links_of(links, 1, pairs[i].right), pairs[i].left);
    }
    if (strcmp(out, expected) != 0)
        dpl__test_fail(file, line, "'%s', expected '%s'", out, expected);
    dpl_links_free(links);
    close_sides(&s);
}

#define LINKS(expected, ...)                                                                   \
    do {                                                                                       \
        const char *paths[] = {__VA_ARGS__};                                                   \
        check_links(__FILE__, __LINE__, paths, DPL_LEN(paths), expected);                      \
    } while (0)

static const char langlinks[] =
    "-- Host: db    Database: dewiki\nCREATE TABLE `langlinks` (\n  `ll_from` int,\n  "
    "`ll_lang` "
    "varbinary(20),\n  `ll_title` varbinary(255)\n);\nINSERT INTO `langlinks` VALUES "
    "(1,'en','Home'),(1,'fr','Maison'),(2,'en','Boat'),(4,'en','Gone'),(5,'en','Hill'),"
    "(99,'en','Tree');\n";

static const char items[] =
    "CREATE TABLE `wb_items_per_site` (\n  `ips_row_id` bigint,\n  `ips_item_id` int,\n"
    "  `ips_site_id` varbinary(32),\n  `ips_site_page` varbinary(310)\n);\n"
    "INSERT INTO `wb_items_per_site` VALUES (1,7,'enwiki','Tree'),(2,8,'dewiki','Kahn'),"
    "(3,7,'dewiki','Baum'),(4,7,'frwiki','Arbre'),(5,8,'enwiki','Boat'),"
    "(6,9,'enwikivoyage','House');\n";

DPL_TEST(known_links, come_from_langlinks_through_redirects)
{
    LINKS("Haus=House,Boot=Boat,Berg=Mountain",
          test_write("dewiki-langlinks.sql", langlinks, strlen(langlinks)));
}

DPL_TEST(known_links, come_from_items_of_wikidata)
{
    LINKS("Boot=Boat,Baum=Tree", test_write("wb_items_per_site.sql", items, strlen(items)));
}

DPL_TEST(known_links, come_from_lines_of_ids_or_titles_and_from_the_pages)
{
    static const char lines[] = "1\t11\nBaum\tTree\t0.5\nx\ty\n";
    LINKS("Haus=House,Baum=Tree", test_write("links.tsv", lines, strlen(lines)));
    LINKS("Boot=Boat", DPL_LINKS_IN_TEXT);
}

DPL_TEST(known_links, of_a_document_the_first_one_counts)
{
    static const char lines[] = "1\t11\n1\t12\n2\t11\n1\t11\n";
    LINKS("Haus=House", test_write("links.tsv", lines, strlen(lines)));
}

DPL_TEST(known_links, tables_of_other_wikis_and_other_tables_are_refused)
{
    static const char other[] = "CREATE TABLE `user` (\n  `user_id` int\n);\n";
    char french[1000];
    snprintf(french, sizeof french, "%s", langlinks);
    memcpy(strstr(french, "dewiki"), "frwiki", 6);
    const char *texts[] = {french, other, "no tab\n"};
    dpl_status expected[] = {DPL_E_USAGE, DPL_E_USAGE, DPL_E_FORMAT};
    sides s = open_sides();
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        dpl_links *links = NULL;
        const char *path = test_write("other.sql", texts[i], strlen(texts[i]));
        CHECK_EQ(dpl_links_read(&links, s.ctx, &path, 1, s.c[0], s.c[1], NULL, &test_err),
                 expected[i]);
        CHECK(links == NULL);
    }
    close_sides(&s);
}

DPL_TEST(known_links, documents_that_are_gone_have_none)
{
    sides s = open_sides();
    dpl_links *links = NULL;
    size_t n;
    /* the first line contradicts the second one only as long as its document is there */
    static const char lines[] = "Haus\tBoat\nBoot\tBoat\nBerg\tMountain\n";
    static const uint32_t now[] = {DPL__LINKS_NONE, 0, 1, 2}, n_docs[] = {3, 3};
    const uint32_t *const both[] = {now, now};
    const char *path = test_write("links.tsv", lines, sizeof lines - 1);
    CHECK_OK(dpl_links_read(&links, s.ctx, &path, 1, s.c[0], s.c[1], NULL, &test_err));
    CHECK_EQ(dpl__links_get_summary(links)->n_contradicted, 1);
    CHECK_OK(dpl__links_renumber(links, both, n_docs, &test_err));
    const dpl_doc_pair *pairs = dpl_links_pairs(links, &n);
    CHECK(n == 2 && pairs[0].left == 0 && pairs[0].right == 0);
    CHECK(pairs[1].left == 2 && pairs[1].right == 2);
    CHECK_EQ(dpl__links_of(links, 1, 2), 2);
    CHECK_EQ(dpl__links_of(links, 0, 1), DPL__LINKS_NONE);
    const dpl_links_summary *summary = dpl__links_get_summary(links);
    CHECK(summary->n_links == 2 && summary->n_contradicted == 0 && summary->n_absent[0] == 1);
    dpl_links_free(links);
    close_sides(&s);
}
