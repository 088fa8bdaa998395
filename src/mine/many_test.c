#include "mine/many.h"

#include "test.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int look(void *user, const dpl_progress *progress)
{
    bool *is_named = user;
    *is_named = *is_named || strncmp(progress->stage, "fr-de ", 6) == 0;
    return 0;
}

/* Three languages: names and numbers are the same, words are not. */
static const char *write_docs(const char *name)
{
    static char text[1 << 19];
    static const char *const langs[] = {"de", "en", "fr"};
    static const char *const words[][8] = {
        {"Haus", "Baum", "Schiff", "Brot", "Wasser", "Licht", "Stein", "Feuer"},
        {"house", "tree", "ship", "bread", "water", "light", "stone", "fire"},
        {"maison", "arbre", "bateau", "pain", "eau", "lampe", "pierre", "feu"}};
    size_t n = 0;
    for (size_t l = 0; l < 3; l++)
        for (unsigned doc = 0; doc < (l == 2 ? 20 : 30); doc++) {
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "{\"id\": %u, \"lang\": \"%s\", \"text\": \"", doc, langs[l]);
            for (unsigned i = 0; i < 12; i++)
                n +=
                    (size_t)snprintf(text + n, sizeof text - n, "%s %s Werk%u %u %s. ",
                                     words[l][(doc + i) % 8], words[l][(doc * i) % 8], doc * 37,
                                     1000 + doc * 7 + i % 3, words[l][(doc / 2 + i) % 8]);
            n += (size_t)snprintf(text + n, sizeof text - n, "\"}\n");
        }
    return test_write(name, text, n);
}

DPL_TEST(many, pairs_every_two_languages)
{
    bool is_named = false;
    dpl_ctx *ctx;
    dpl_ctx_options options =
        DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = look, .progress_user = &is_named);
    CHECK_OK(dpl_ctx_new(&ctx, &options, &test_err));
    char path[1000], dir[1000];
    snprintf(path, sizeof path, "%s", write_docs("all.jsonl"));
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    dpl_input in = {.path = path};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .pivot = "de", .header = true);
    dpl_mine_result *found = NULL;
    CHECK_OK(dpl_mine(&found, ctx, dir, &in, 1, &o, &test_err));
    const dpl_mine_summary *s = dpl_mine_get_summary(found);
    CHECK(s->is_many && s->n_langs == 3 && s->n_runs == 3 && s->n_left_out == 0);
    CHECK_STR(dpl__cstr(s->pivot->code), "de");
    CHECK_STR(dpl__cstr(s->runs[0]->left->code), "en");
    CHECK_STR(dpl__cstr(s->runs[1]->left->code), "fr");
    CHECK_STR(dpl__cstr(s->runs[2]->left->code), "en");
    CHECK_STR(dpl__cstr(s->runs[2]->right->code), "fr");
    CHECK(s->runs[2]->n_pairs >= 15);
    CHECK_EQ(s->n_groups_by_size[2] + s->n_groups_by_size[3], s->n_groups);
    CHECK(s->pivot->n_paired <= s->n_groups);
    CHECK(s->n_groups_by_size[3] >= 15 && s->pivot->n_paired >= 25);
    CHECK(is_named);
    size_t n;
    char *groups = test_read(test_path("out/groups.tsv"), &n);
    CHECK(strncmp(groups, "de\ten\tfr\n", 9) == 0);
    free(groups);
    uint32_t docs[3];
    dpl_mine_get_group(docs, found, 0);
    CHECK(docs[0] != DPL_MINE_NO_DOC);
    CHECK(dpl_mine_get_collection(found, 2) && dpl_mine_get_lexicon(found, 1));
    dpl_mine_result_free(found);
    test_ctx_done(ctx);
}

DPL_TEST(many, refuses_what_makes_no_sense)
{
    dpl_ctx *ctx = test_ctx(1);
    char path[1000];
    snprintf(path, sizeof path, "%s", write_docs("all.jsonl"));
    dpl_input in[2] = {{.path = path}, {.path = "-"}};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .langs = {"de", NULL});
    dpl_mine_result *s = NULL;
    CHECK_EQ(dpl_mine(&s, ctx, test_path("out"), in, 0, NULL, &test_err), DPL_E_USAGE);
    CHECK_EQ(dpl_mine(&s, ctx, test_path("out"), in, 1, &o, &test_err), DPL_E_USAGE);
    o = (dpl_mine_options)DPL_INIT(dpl_mine_options, .pivot = "ja");
    CHECK_EQ(dpl_mine(&s, ctx, test_path("out"), in, 1, &o, &test_err), DPL_E_USAGE);
    CHECK_EQ(dpl_mine(&s, ctx, test_path("out"), in, 2, &o, &test_err), DPL_E_USAGE);
    o = (dpl_mine_options)DPL_INIT(dpl_mine_options, .lexicon = "a", .dictionary = "b");
    CHECK_EQ(dpl_mine(&s, ctx, test_path("out"), in, 1, &o, &test_err), DPL_E_USAGE);
    CHECK(s == NULL);
    test_ctx_done(ctx);
}

/* ---- what is written at the end, of runs that are made up ---------------------------- */

typedef struct made {
    dpl_mine_result result;
    dpl_mine_language langs[4];
    const dpl_mine_language *lang_list[4], *left_out[1];
    dpl__pair_run runs[3];
    dpl__pair_run *run_pointers[3];
    const dpl_mine_run *run_list[3];
    dpl__doc_candidate pairs[3][2];
    const dpl_mine_round *rounds[1];
    dpl_mine_round round;
    uint64_t n_by_size[5];
    dpl_collection *c[4];
    char dir[1000];
    dpl__input_langs input;
    dpl__lang_count counts[2];
} made;

static void make_folder(const char *name, const char *pairs)
{
    char path[100];
    CHECK(mkdir(test_path(name), 0777) == 0);
    snprintf(path, sizeof path, "%s/pairs.tsv", name);
    test_write(path, pairs, strlen(pairs));
}

static void make_run(made *m, dpl_ctx *ctx, size_t i, size_t lang, const dpl_doc_pair *pairs,
                     size_t n)
{
    dpl__pair_run *r = &m->runs[i];
    m->run_pointers[i] = r;
    m->run_list[i] = &r->summary;
    r->summary = (dpl_mine_run){.left = &m->langs[lang],
                                .right = &m->langs[2],
                                .is_empty = n == 0,
                                .rounds = m->rounds,
                                .n_rounds = n > 0,
                                .n_pairs = n};
    r->corpus.c[0] = m->c[lang];
    r->corpus.c[1] = m->c[2];
    r->final.found.pairs.data = m->pairs[i];
    r->final.found.pairs.n = n;
    CHECK_OK(dpl__aligned_new(&r->beads.aligned, ctx, NULL, 0, &test_err));
    for (size_t k = 0; k < n; k++) {
        static const uint32_t units[] = {0, 1};
        const dpl_bead bead = {.n_left = 1, .n_right = 1, .score = 0.5f};
        dpl_aligned_docs docs = {
            .docs = pairs[k], .units = {units, units}, .n_units = {1, 1}, .beads = &bead};
        docs.n_beads = k == 0; /* the second pair has no sentence pairs */
        m->pairs[i][k].docs = pairs[k];
        CHECK_OK(dpl__aligned_add(r->beads.aligned, &docs, &test_err));
        CHECK(dpl__vec_push(ctx, &r->final.docs, pairs[k]));
    }
}

/* cs, de, en and fr; en is the pivot, and nothing was found for cs. */
static void make_up(made *m, dpl_ctx *ctx)
{
    static const char *const codes[] = {"cs", "de", "en", "fr"};
    static const char docs[] = "1\tone\n2\ttwo\n3\tthree\n4\tfour\n";
    static const dpl_doc_pair de[] = {{0, 3}, {1, 1}}, fr[] = {{2, 0}, {3, 1}};
    char in[1000], path[1100];
    *m = (made){.input = {.path = "<a>.jsonl", .n_docs = 16},
                .counts = {{"de", 8, 0}, {"und", 1, 0}}};
    m->input.langs.data = m->counts;
    m->input.langs.n = 2;
    m->rounds[0] = &m->round;
    snprintf(m->dir, sizeof m->dir, "%s", test_dir());
    snprintf(in, sizeof in, "%s", test_write("docs.tsv", docs, sizeof docs - 1));
    for (size_t i = 0; i < 4; i++) {
        const char *from = in;
        dpl_import_options o = DPL_INIT(
            dpl_import_options,
            .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .lang = codes[i]));
        snprintf(path, sizeof path, "%s/%s.dpl", m->dir, codes[i]);
        memcpy(m->langs[i].code, codes[i], 3);
        m->langs[i].n_docs = 4;
        m->lang_list[i] = &m->langs[i];
        CHECK_OK(dpl_import(NULL, ctx, path, &from, 1, &o, &test_err));
        CHECK_OK(dpl_collection_open(&m->c[i], ctx, path, &test_err));
    }
    m->left_out[0] = &m->langs[0];
    make_run(m, ctx, 0, 0, NULL, 0);
    make_run(m, ctx, 1, 1, de, 2);
    make_run(m, ctx, 2, 3, fr, 2);
    make_folder("de-en", "1\t4\t0.9\n2\t2\t0.8\n");
    make_folder("fr-en", "3\t1\t0.9\n4\t2\t0.8\n");
}

static void clear(made *m, dpl_ctx *ctx)
{
    for (size_t i = 0; i < 3; i++) {
        dpl__aligned_free(m->runs[i].beads.aligned);
        dpl__vec_clear(ctx, &m->runs[i].final.docs);
    }
    for (size_t i = 0; i < 4; i++)
        dpl_collection_close(m->c[i]);
    test_ctx_done(ctx);
}

static dpl_status write_end(void *user, dpl_ctx *ctx, dpl_error *err)
{
    made *m = user;
    dpl_mine_result *r = &m->result;
    *r = (dpl_mine_result){.ctx = ctx,
                           .langs = m->langs,
                           .runs = m->run_pointers,
                           .run_list = m->run_list,
                           .n_runs = 3,
                           .n_by_size = m->n_by_size};
    r->summary = (dpl_mine_summary){.is_many = true,
                                    .langs = m->lang_list,
                                    .n_langs = 4,
                                    .pivot = &m->langs[2],
                                    .left_out = m->left_out,
                                    .n_left_out = 1,
                                    .runs = m->run_list,
                                    .n_runs = 3,
                                    .n_groups_by_size = m->n_by_size};
    dpl__many_work w = {
        .ctx = ctx, .dir = m->dir, .result = r, .census = {.inputs = &m->input, .n_inputs = 1}};
    snprintf(w.folder.dir, sizeof w.folder.dir, "%s", m->dir);
    w.settings.options = (dpl_mine_options)DPL_INIT(dpl_mine_options);
    memset(m->n_by_size, 0, sizeof m->n_by_size);
    DPL_TRY(dpl__find_groups(r, err));
    for (size_t i = 0; i < 3; i++)
        m->runs[i].ctx = ctx;
    w.settings.formats = 1u << DPL_BEADS_TSV | 1u << DPL_BEADS_JSONL | 1u << DPL_BEADS_MOSES |
                         1u << DPL_BEADS_TMX;
    dpl_status status = dpl__write_groups(&w, err);
    if (status == DPL_OK)
        status = dpl__join_pairs(&w, err);
    if (status == DPL_OK)
        status = dpl__join_sentences(&w, err);
    if (status == DPL_OK)
        status = dpl__write_overview(&w, err);
    dpl__free(ctx, r->groups);
    return status;
}

static void check_file(const char *name, const char *want)
{
    size_t n;
    char *have = test_read(test_path(name), &n);
    CHECK_STR(dpl__cstr(have), want);
    free(have);
}

DPL_TEST(many, joins_pairs_to_groups_at_the_pivot)
{
    static made m;
    dpl_ctx *ctx = test_ctx(1);
    make_up(&m, ctx);
    CHECK_OK(write_end(&m, ctx, &test_err));
    check_file("groups.tsv", "1\t\t\t3\n2\t\t2\t4\n4\t\t1\t\n");
    check_file("pairs.tsv", "1\t4\t0.9\tde\ten\n2\t2\t0.8\tde\ten\n"
                            "3\t1\t0.9\tfr\ten\n4\t2\t0.8\tfr\ten\n");
    check_file("sentences.tsv", "1\t4\tone\tfour\t0.500000\tde\ten\n"
                                "3\t1\tthree\tone\t0.500000\tfr\ten\n");
    check_file("sentences.jsonl",
               "{\"left_id\":\"1\",\"right_id\":\"4\",\"left\":[0],\"right\":[0],"
               "\"left_sentence\":\"one\",\"right_sentence\":\"four\",\"score\":0.500000,"
               "\"left_lang\":\"de\",\"right_lang\":\"en\"}\n"
               "{\"left_id\":\"3\",\"right_id\":\"1\",\"left\":[0],\"right\":[0],"
               "\"left_sentence\":\"three\",\"right_sentence\":\"one\",\"score\":0.500000,"
               "\"left_lang\":\"fr\",\"right_lang\":\"en\"}\n");
    CHECK(access(test_path("sentences.tmx"), R_OK) == 0);
    CHECK(access(test_path("sentences.de"), R_OK) != 0);
    CHECK(m.n_by_size[2] == 2 && m.n_by_size[3] == 1 && m.n_by_size[4] == 0);
    CHECK(m.langs[0].n_paired == 0 && m.langs[2].n_paired == 3 && m.langs[3].n_paired == 2);
    size_t n;
    char *page = test_read(test_path("report.html"), &n);
    CHECK(strstr(page, "&lt;a&gt;.jsonl") && strstr(page, "href=\"fr-en/report.html\""));
    CHECK(!strstr(page, "cs-en/report.html"));
    XML_Parser parser = XML_ParserCreate("UTF-8");
    CHECK_EQ(XML_Parse(parser, page, (int)n, 1), XML_STATUS_OK);
    XML_ParserFree(parser);
    free(page);
    clear(&m, ctx);
}

DPL_TEST(many, every_allocation_at_the_end_may_fail)
{
    static made m;
    dpl_ctx *ctx = test_ctx(1);
    make_up(&m, ctx);
    test_allocation_failures(write_end, &m);
    clear(&m, ctx);
}
