#include "doppel/mine.h"

#include "test.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

/* The sample with its gold pairs as links: each tenth is left out, each tenth exchanged with
 * that of the next document. */
enum { MOST = 80 };

static size_t read_gold(char links[MOST][2][16])
{
    char path[400], line[100];
    snprintf(path, sizeof path, "%s/examples/sample/gold.de-en.tsv", DPL_TEST_SOURCE);
    FILE *file = fopen(path, "r");
    size_t n = 0;
    CHECK(file != NULL);
    while (n < MOST && fgets(line, sizeof line, file))
        n += sscanf(line, "%15s %15s", links[n][0], links[n][1]) == 2;
    fclose(file);
    return n;
}

static bool is_in_file(const char *dir, const char *name, const char *left, const char *right)
{
    char path[400], begin[64];
    size_t n_text;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    snprintf(begin, sizeof begin, "\n%s\t%s\t", left, right);
    char *text = test_read(path, &n_text);
    bool is_there = strstr(text, begin) != NULL;
    free(text);
    return is_there;
}

DPL_TEST(known_links, missing_ones_are_found_and_wrong_ones_are_suspected)
{
    char gold[MOST][2][16], text[MOST * 40] = "", paths[2][400];
    size_t n = read_gold(gold), n_left_out = 0, n_suspected = 0, n_missing = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(text), to = i % 10 == 3 ? i + 1 : i % 10 == 4 ? i - 1 : i;
        n_left_out += i % 10 == 7;
        if (i % 10 != 7 && to < n)
            snprintf(text + at, sizeof text - at, "%s\t%s\n", gold[i][0], gold[to][1]);
    }
    dpl_ctx *ctx = test_ctx(2);
    const char *links = test_write("links.tsv", text, strlen(text)),
               *dir = test_path("links.out");
    for (int side = 0; side < 2; side++)
        snprintf(paths[side], sizeof paths[side], "%s/examples/sample/%s.jsonl",
                 DPL_TEST_SOURCE, side ? "en" : "de");
    dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1);
    dpl_mine_result *found = NULL;
    CHECK_OK(dpl_mine(&found, ctx, dir, in, 2, &o, &test_err));
    const dpl_links_agreement *l = dpl_mine_get_summary(found)->runs[0]->links;
    CHECK(l != NULL);
    CHECK_EQ(l->n_missing, n_left_out);
    CHECK(l->recall > 0.75 && l->recall < 0.85);
    for (size_t i = 0; i < n; i++) {
        n_missing +=
            i % 10 == 7 && is_in_file(dir, "missing-links.tsv", gold[i][0], gold[i][1]);
        n_suspected +=
            i % 10 == 3 && is_in_file(dir, "suspicious-links.tsv", gold[i][0], gold[i + 1][1]);
    }
    CHECK_EQ(n_missing, n_left_out);
    CHECK(n_suspected >= n / 10 - 1);
    dpl_mine_result_free(found);
    test_ctx_done(ctx);
}

/* The first document of a language that is in no gold pair. */
static void find_single(char out[16], char gold[MOST][2][16], size_t n, int side)
{
    for (unsigned number = 1;; number++) {
        bool is_in = false;
        snprintf(out, 16, "%s-%04u", side ? "en" : "de", number % 1000);
        for (size_t i = 0; i < n; i++)
            is_in = is_in || strcmp(gold[i][side], out) == 0;
        if (!is_in)
            return;
    }
}

/* Every line of a list has as many columns as its header. */
static void check_columns(const char *path)
{
    size_t n_tabs = 0, n_wanted = 0;
    char *list = test_read(path, NULL);
    for (const char *p = list; *p; p++) {
        n_tabs += *p == '\t';
        if (*p != '\n')
            continue;
        n_wanted = n_wanted ? n_wanted : n_tabs;
        CHECK_EQ(n_tabs, n_wanted);
        n_tabs = 0;
    }
    CHECK_EQ(n_wanted, 18);
    free(list);
}

DPL_TEST(known_links, between_documents_without_counterparts_are_suspected)
{
    char gold[MOST][2][16], text[MOST * 40] = "", paths[2][400], single[2][16];
    size_t n = read_gold(gold);
    for (size_t i = 0; i <= n; i++) {
        const size_t at = strlen(text);
        if (i == n)
            for (int side = 0; side < 2; side++)
                find_single(single[side], gold, n, side);
        snprintf(text + at, sizeof text - at, "%s\t%s\n", i == n ? single[0] : gold[i][0],
                 i == n ? single[1] : gold[i][1]);
    }
    dpl_ctx *ctx = test_ctx(2);
    const char *links = test_write("single.tsv", text, strlen(text)),
               *dir = test_path("single.out");
    for (int side = 0; side < 2; side++)
        snprintf(paths[side], sizeof paths[side], "%s/examples/sample/%s.jsonl",
                 DPL_TEST_SOURCE, side ? "en" : "de");
    dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1);
    dpl_mine_result *found = NULL;
    CHECK_OK(dpl_mine(&found, ctx, dir, in, 2, &o, &test_err));
    CHECK(is_in_file(dir, "suspicious-links.tsv", single[0], single[1]));
    snprintf(paths[0], sizeof paths[0], "%s/suspicious-links.tsv", dir);
    check_columns(paths[0]);
    dpl_mine_result_free(found);
    test_ctx_done(ctx);
}

/* Documents whose words have nothing in common by spelling. */
DPL_TEST(known_links, train_the_first_lexicon_on_request)
{
    char gold[MOST][2][16], text[MOST * 40] = "", paths[2][400];
    size_t n = read_gold(gold);
    for (size_t i = 0; i < n; i += 2) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s\t%s\n", gold[i][0], gold[i][1]);
    }
    dpl_ctx *ctx = test_ctx(2);
    const char *links = test_write("half.tsv", text, strlen(text));
    for (int side = 0; side < 2; side++)
        snprintf(paths[side], sizeof paths[side], "%s/examples/sample/%s.jsonl",
                 DPL_TEST_SOURCE, side ? "en" : "de");
    dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    dpl_mine_options o =
        DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1, .use_links = true);
    dpl_mine_result *found = NULL;
    CHECK_OK(dpl_mine(&found, ctx, NULL, in, 2, &o, &test_err));
    const dpl_mine_run *run = dpl_mine_get_summary(found)->runs[0];
    CHECK(run->rounds[0]->n_lexicon_entries > 0);
    CHECK_EQ(run->n_pairs, n);
    dpl_mine_result_free(found);
    test_ctx_done(ctx);
}

/* Whether a text has the word, however it is written elsewhere. */
static void check_words(const char *line, char *const texts[2])
{
    const char *column = strrchr(line, '\t');
    char words[1000], *rest = words;
    size_t n = 0;
    CHECK(column != NULL && strlen(column) < sizeof words);
    strcpy(words, column + 1);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL; n++) {
        char *bar = strchr(word, '|');
        CHECK(bar != NULL);
        *bar = 0;
        CHECK(strstr(texts[0], word) != NULL && strstr(texts[1], bar + 1) != NULL);
    }
    CHECK(n >= 3 && n <= 8);
}

DPL_TEST(known_links, share_words_that_are_in_the_texts)
{
    char gold[MOST][2][16], text[MOST * 40] = "", paths[2][400], *texts[2];
    size_t n = read_gold(gold), n_lines = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t at = strlen(text);
        if (i % 3)
            snprintf(text + at, sizeof text - at, "%s\t%s\n", gold[i][0], gold[i][1]);
    }
    dpl_ctx *ctx = test_ctx(2);
    const char *links[2] = {test_write("words.tsv", text, strlen(text)), "text"};
    for (int swapped = 0; swapped < 2;
         swapped++) { /* the pivot is the right side, then the left */
        dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links[swapped], .n_links = 1);
        dpl_mine_result *found = NULL;
        char dir[400], path[450];
        for (int side = 0; side < 2; side++) {
            snprintf(paths[side], sizeof paths[side], "%s/examples/sample/%s.jsonl",
                     DPL_TEST_SOURCE, side != swapped ? "en" : "de");
            texts[side] = test_read(paths[side], NULL);
        }
        dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
        snprintf(dir, sizeof dir, "%s", test_path(swapped ? "swapped" : "straight"));
        CHECK_OK(dpl_mine(&found, ctx, dir, in, 2, &o, &test_err));
        snprintf(path, sizeof path, "%s/missing-links.tsv", dir);
        char *list = test_read(path, NULL), *rest = list;
        strtok_r(rest, "\n", &rest);
        for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL; n_lines++)
            check_words(line, texts);
        free(list);
        free(texts[0]);
        free(texts[1]);
        dpl_mine_result_free(found);
    }
    CHECK(n_lines >= n / 3);
    test_ctx_done(ctx);
}

DPL_TEST(known_links, of_sentences_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *links = "text";
    dpl_input in[2] = {{.buffer = DPL_STR("{\"id\":\"a\",\"text\":\"One.\"}\n")},
                       {.buffer = DPL_STR("{\"id\":\"b\",\"text\":\"Eins.\"}\n")}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1,
                                  .unit = DPL_UNIT_SENTENCE, .langs = {"en", "de"});
    CHECK_EQ(dpl_mine(NULL, ctx, NULL, in, 2, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- the page of links --------------------------------------------------------------------
 */

/* A file of the sample with `more` in front of each title, as JSON; and lines that are added.
 */
static const char *sample_with(const char *lang, const char *more, const char *lines)
{
    static const char key[] = "\"title\":\"";
    char path[400], name[20];
    size_t n = 0, n_text;
    snprintf(path, sizeof path, "%s/examples/sample/%s.jsonl", DPL_TEST_SOURCE, lang);
    snprintf(name, sizeof name, "%s.jsonl", lang);
    char *text = test_read(path, &n_text), *from = text,
         *out = malloc(2 * n_text + 200 * strlen(more) + strlen(lines));
    CHECK(out != NULL);
    for (char *at; (at = strstr(from, key)) != NULL; from = at + strlen(key)) {
        const size_t n_before = (size_t)(at - from) + strlen(key);
        memcpy(out + n, from, n_before);
        memcpy(out + n + n_before, more, strlen(more));
        n += n_before + strlen(more);
    }
    n += (size_t)sprintf(out + n, "%s%s", from, lines);
    const char *written = test_write(name, out, n);
    free(text);
    free(out);
    return written;
}

typedef struct page_counts {
    unsigned n_links, n_marks, n_aligned, n_addresses;
} page_counts;

static void XMLCALL count_element(void *user, const char *name, const char **attributes)
{
    page_counts *p = user;
    p->n_marks += strcmp(name, "mark") == 0;
    p->n_aligned += strcmp(name, "sup") == 0;
    CHECK(strcmp(name, "img") != 0 && strcmp(name, "i") != 0);
    for (; *attributes; attributes += 2) {
        CHECK(strncmp(attributes[0], "on", 2) != 0 && strcmp(attributes[0], "src") != 0);
        p->n_links += strcmp(attributes[1], "link") == 0;
        p->n_addresses +=
            strcmp(attributes[0], "href") == 0 && strncmp(attributes[1], "http", 4) == 0;
    }
}

/* Parses links.html strictly. */
static page_counts read_page(const char *dir)
{
    char path[420];
    size_t n;
    page_counts counts = {0};
    snprintf(path, sizeof path, "%s/links.html", dir);
    char *page = test_read(path, &n);
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, &counts);
    XML_SetStartElementHandler(parser, count_element);
    if (XML_Parse(parser, page, (int)n, 1) != XML_STATUS_OK)
        dpl__test_fail(__FILE__, __LINE__, "line %lu: %s", XML_GetCurrentLineNumber(parser),
                       XML_ErrorString(XML_GetErrorCode(parser)));
    CHECK(strstr(page, "default-src 'none'") != NULL);
    XML_ParserFree(parser);
    free(page);
    return counts;
}

/* Titles that would be markup, from right to left; a page without text that could be shown. */
DPL_TEST(known_links, are_shown_on_a_page_whatever_the_titles_are)
{
    static const char hostile[] = "</bdi><i>\\u202e\\\"&amp;'<img src=x onerror=1> \\u05d0 ";
    char gold[MOST][2][16], text[MOST * 40] = "";
    size_t n = read_gold(gold);
    for (size_t i = 0; i < n; i++) {
        const size_t at = strlen(text), to = i % 10 == 3 ? i + 1 : i % 10 == 4 ? i - 1 : i;
        if (i % 10 != 7 && to < n)
            snprintf(text + at, sizeof text - at, "%s\t%s\n", gold[i][0], gold[to][1]);
    }
    const char *links = test_write("links.tsv", text, strlen(text));
    const dpl_input in[2] = {{.path = sample_with("de", hostile, "")},
                             {.path = sample_with("en", hostile, "")}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1);
    char *first = NULL;
    for (unsigned n_threads = 1; n_threads <= 3; n_threads += 2) {
        dpl_ctx *ctx = test_ctx(n_threads);
        dpl_mine_result *found = NULL;
        char dir[400], path[420];
        snprintf(dir, sizeof dir, "%s", test_path(n_threads == 1 ? "one" : "three"));
        CHECK_OK(dpl_mine(&found, ctx, dir, in, 2, &o, &test_err));
        const dpl_links_agreement *l = dpl_mine_get_summary(found)->runs[0]->links;
        const page_counts counts = read_page(dir);
        CHECK_EQ(counts.n_links, l->n_missing + l->n_suspicious);
        CHECK(counts.n_marks > 5 * counts.n_links && counts.n_aligned > 2 * l->n_missing);
        CHECK_EQ(counts.n_addresses, 0); /* no dump says where the pages are */
        snprintf(path, sizeof path, "%s/links.html", dir);
        char *page = test_read(path, NULL);
        CHECK(!first || strcmp(first, page) == 0);
        if (first)
            free(page);
        else
            first = page;
        dpl_mine_result_free(found);
        test_ctx_done(ctx);
    }
    free(first);
}
