#include "lab/mine_data.h"

#include "lab/data.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { DOCS = 12, PAIRS = 10, LINES = 10 };

/* Twelve documents a side, ten lines each; document i of one is the translation of document i
 * of the other, for i < 10. */
static const char *write_docs(const char *name, const char *lang, char side)
{
    static char text[2][20000];
    char *at = text[side == 'b'];
    for (unsigned d = 0; d < DOCS; d++) {
        at += sprintf(at, "{\"id\":\"%c%u\",\"lang\":\"%s\",\"text\":\"", side, d, lang);
        for (unsigned l = 0; l < LINES; l++)
            at += sprintf(at, "%s%c%u line %u with words", l ? "\\n" : "", side, d, l);
        at += sprintf(at, "\"}\n");
    }
    return test_write(name, text[side == 'b'], (size_t)(at - text[side == 'b']));
}

typedef struct setting {
    dpl_input inputs[2];
    dpl_lab_options set;
    dpl__mine_wanted wanted;
    dpl__mine_data made;
    uint32_t most;
} setting;

static const dpl_lab_experiment about = {.name = "test"};

static void prepare(setting *s)
{
    char gold[PAIRS * 10], *at = gold;
    for (unsigned i = 0; i < PAIRS; i++)
        at += sprintf(at, "a%u\tb%u\n", i, i);
    *s = (setting){.set = DPL_INIT(dpl_lab_options)};
    s->inputs[0].path = write_docs("a.jsonl", "de", 'a');
    s->inputs[1].path = write_docs("b.jsonl", "en", 'b');
    s->set.gold = test_write("gold.tsv", gold, (size_t)(at - gold));
}

static dpl_status make(void *user, dpl_ctx *ctx, dpl_error *err)
{
    setting *s = user;
    dpl__lab_data data;
    dpl__lab_data_init(&data, ctx);
    dpl__lab lab = {.ctx = ctx,
                    .about = &about,
                    .set = &s->set,
                    .inputs = s->inputs,
                    .n_inputs = 2,
                    .folder = test_dir(),
                    .scratch = test_dir(),
                    .data = &data};
    dpl__mine_pool pool;
    dpl_status status = dpl__mine_pool_make(&pool, &lab, 0, err);
    if (status == DPL_OK) {
        s->most = dpl__mine_pool_most(&pool);
        status = dpl__mine_data_make(&s->made, &pool, &s->wanted, "point", err);
        dpl__mine_pool_clear(&pool);
    }
    dpl__lab_data_clear(&data);
    return status;
}

/* How often a text stands in a file. */
static unsigned count(const char *path, const char *what)
{
    char *text = test_read(path, NULL);
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    free(text);
    return n;
}

DPL_TEST(mine_data, a_subset_has_the_share_of_pairs)
{
    setting s;
    dpl_ctx *ctx = test_ctx(1);
    prepare(&s);
    s.wanted = (dpl__mine_wanted){.n_docs = 7, .paired = 3 / 7.0, .translated = 1};
    CHECK_OK(make(&s, ctx, &test_err));
    CHECK_EQ(s.most, 7); /* 10 pairs and 2 + 2 others */
    CHECK_EQ(s.made.n_pairs, 3);
    CHECK_EQ(count(s.made.gold, "\n"), 3);
    CHECK_EQ(count(s.made.left, "\"id\""), 7);
    CHECK_EQ(count(s.made.right, "\"id\""), 7);
    unsigned n_both = 0;
    for (unsigned d = 0; d < PAIRS; d++) {
        char id[2][16];
        for (unsigned side = 0; side < 2; side++)
            sprintf(id[side], "\"%c%u\"", "ab"[side], d);
        n_both += count(s.made.left, id[0]) && count(s.made.right, id[1]);
    }
    CHECK_EQ(n_both, 3);
    test_ctx_done(ctx);
}

DPL_TEST(mine_data, of_a_right_document_a_piece_stays)
{
    setting s;
    dpl_ctx *ctx = test_ctx(1);
    prepare(&s);
    s.wanted = (dpl__mine_wanted){.n_docs = 1, .paired = 1, .translated = 0.4};
    CHECK_OK(make(&s, ctx, &test_err));
    CHECK_EQ(s.made.n_pairs, 1);
    CHECK_EQ(count(s.made.right, " with words"), LINES);
    char *gold = test_read(s.made.gold, NULL), own[20];
    snprintf(own, sizeof own, "%.*s line", (int)strcspn(strchr(gold, '\t') + 1, "\n"),
             strchr(gold, '\t') + 1);
    const unsigned n_own = count(s.made.right, own);
    CHECK(n_own >= 4 && n_own < LINES);
    free(gold);
    test_ctx_done(ctx);
}

DPL_TEST(mine_data, running_out_of_memory_is_reported)
{
    setting s;
    prepare(&s);
    s.wanted = (dpl__mine_wanted){.n_docs = 4, .paired = 0.5, .translated = 0.5};
    test_allocation_failures(make, &s);
}
