#include "doppel/mine.h"

#include "test.h"

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
    const dpl_mine_links *l = dpl_mine_get_summary(found)->runs[0]->links;
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

DPL_TEST(known_links, of_sentences_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *links = "text";
    dpl_input in[2] = {{.buffer = DPL_STR("{\"id\":\"a\",\"text\":\"One.\"}\n")},
                       {.buffer = DPL_STR("{\"id\":\"b\",\"text\":\"Eins.\"}\n")}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .links = &links, .n_links = 1,
                                  .unit = DPL_UNIT_SENTENCE, .lang = {"en", "de"});
    CHECK_EQ(dpl_mine(NULL, ctx, NULL, in, 2, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}
