#include "sentences/term_links.h"

#include "base/vec.h"
#include "lexicon/lexicon.h"
#include "sentences/learn_links.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const char *import(const char *name, const char *lang, const char *text, bool stem)
{
    dpl_ctx *ctx = test_ctx(1);
    char file[40], line[1000];
    snprintf(file, sizeof file, "%s.jsonl", name);
    snprintf(line, sizeof line, "{\"id\":\"a\",\"lang\":\"%s\",\"text\":\"%s\"}\n", lang, text);
    const char *in = test_write(file, line, strlen(line));
    snprintf(file, sizeof file, "%s.dpl", name);
    const char *out = test_path(file);
    dpl_import_options o =
        DPL_INIT(dpl_import_options,
                 .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = stem));
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, &o, &test_err));
    test_ctx_done(ctx);
    return out;
}

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl_lexicon *lexicon;
    dpl__term_links links;
} fixture;

static void start(fixture *f, const char *left, const char *right, const char *lexicon,
                  bool stem)
{
    const char *paths[2] = {import("left", "de", left, stem),
                            import("right", "en", right, stem)};
    *f = (fixture){.ctx = test_ctx(1)};
    for (int s = 0; s < 2; s++)
        CHECK_OK(dpl_collection_open(&f->c[s], f->ctx, paths[s], &test_err));
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = "de", .target_lang = "en");
    if (lexicon)
        CHECK_OK(dpl__lexicon_open_memory(&f->lexicon, f->ctx, "lexicon", dpl__cstr(lexicon),
                                          &o, &test_err));
    CHECK_OK(dpl__term_links_make(&f->links, f->ctx, f->c[0], f->c[1], f->lexicon, &test_err));
}

static void stop(fixture *f)
{
    dpl__term_links_clear(&f->links);
    dpl_lexicon_close(f->lexicon);
    dpl_collection_close(f->c[1]);
    dpl_collection_close(f->c[0]);
    test_ctx_done(f->ctx);
}

static uint32_t term(const fixture *f, int side, const char *text)
{
    uint32_t out = 0;
    if (!dpl_collection_find_term(f->c[side], dpl__cstr(text), &out))
        dpl__test_fail(__FILE__, __LINE__, "no term '%s'", text);
    return out;
}

/* All zero when there is none. */
static dpl__bead_link link_of(const fixture *f, const char *left, const char *right)
{
    uint32_t l = term(f, 0, left), r = term(f, 1, right);
    for (uint64_t k = f->links.begin[l]; k < f->links.begin[l + 1]; k++)
        if (f->links.links[k].right == r)
            return f->links.links[k];
    return (dpl__bead_link){0};
}

static bool is_about(float a, double b)
{
    return fabs((double)a - b) < 1e-4;
}

DPL_TEST(term_links, the_lexicon_in_both_directions)
{
    fixture f;
    start(&f, "hund hund hund rüde", "dog dog male",
          "hund\tdog\t0.8\nrüde\tdog\t0.6\nrüde\tmale\t0.3\nhund\twolf\t0.1\n", false);
    /* There is no wolf, and two dogs for a male: 2 * 0.6 of 2 * 0.6 + 1 * 0.3. */
    CHECK(is_about(link_of(&f, "hund", "dog").p[0], 1));
    CHECK(is_about(link_of(&f, "rüde", "dog").p[0], 0.8));
    /* 3 * 0.8 of 3 * 0.8 + 1 * 0.6 */
    CHECK(is_about(link_of(&f, "hund", "dog").p[1], 0.8));
    CHECK(is_about(link_of(&f, "rüde", "dog").p[1], 0.2));
    CHECK(is_about(link_of(&f, "rüde", "male").p[1], 1));
    CHECK(link_of(&f, "hund", "male").p[0] == 0);
    CHECK(f.links.is_known[0][term(&f, 0, "hund")]);
    CHECK(f.links.is_known[1][term(&f, 1, "dog")]);
    stop(&f);
}

/* Its p(de|en) was made without counts: half of "dog" would be "rüde". */
DPL_TEST(term_links, an_imported_lexicon_has_the_links_of_its_text)
{
    const char *text = "hund\tdog\t0.6\nrüde\tdog\t0.6\nrüde\tmale\t0.3\n";
    const char *in = test_write("words.tsv", text, strlen(text)), *out = test_path("words.dpl");
    fixture f;
    start(&f, "hund hund hund rüde", "dog dog male", text, false);
    const dpl__bead_link dog = link_of(&f, "rüde", "dog");
    CHECK(is_about(dog.p[1], 0.25));
    dpl_dictionary d = {.path = in};
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en");
    CHECK_OK(dpl_lexicon_import(NULL, f.ctx, out, &d, 1, &o, &test_err));
    dpl_lexicon_close(f.lexicon);
    CHECK_OK(dpl_lexicon_open(&f.lexicon, f.ctx, out, NULL, &test_err));
    dpl__term_links_clear(&f.links);
    CHECK_OK(dpl__term_links_make(&f.links, f.ctx, f.c[0], f.c[1], f.lexicon, &test_err));
    CHECK(is_about(link_of(&f, "rüde", "dog").p[0], (double)dog.p[0]));
    CHECK(is_about(link_of(&f, "rüde", "dog").p[1], (double)dog.p[1]));
    stop(&f);
}

DPL_TEST(term_links, what_the_lexicon_does_not_know_stands_for_itself)
{
    fixture f;
    start(&f, "1886 zermatt hotel kapitel", "1886 zermatt hotel capital die", "die\tthe\t0.5\n",
          false);
    CHECK(is_about(link_of(&f, "1886", "1886").p[0], 0.5));
    CHECK(is_about(link_of(&f, "zermatt", "zermatt").p[1], 0.5));
    CHECK(!f.links.is_known[0][term(&f, 0, "zermatt")]);
    CHECK(link_of(&f, "kapitel", "capital").p[0] == 0); /* begins with another letter */
    stop(&f);
}

DPL_TEST(term_links, forms_and_compounds_of_known_words_have_a_share_in_their_links)
{
    fixture f;
    start(&f, "gletscher gletschers gletscherspalte gletsch spalte",
          "glacier glaciers crevasse", "gletscher\tglacier\t0.8\nspalte\tcrevasse\t0.8\n",
          false);
    float form = link_of(&f, "gletschers", "glacier").p[0];
    float compound = link_of(&f, "gletscherspalte", "glacier").p[0];
    CHECK(form > 0.15f && form < 0.3f);
    CHECK(compound > 0.05f && compound < form);
    CHECK(link_of(&f, "gletscher", "glaciers").p[1] > 0.1f);
    CHECK(link_of(&f, "spalte", "glacier").p[0] == 0);
    CHECK(!f.links.is_known[0][term(&f, 0, "gletschers")]);
    stop(&f);
}

DPL_TEST(term_links, words_that_begin_alike_are_linked_a_little)
{
    fixture f;
    start(&f, "expeditionen alpinist 1886 hôtel", "expedition alpinists 1887 hotel", NULL,
          false);
    float p = link_of(&f, "expeditionen", "expedition").p[0];
    CHECK(p > 0.1f && p < 0.3f);
    CHECK(link_of(&f, "alpinist", "alpinists").p[1] > 0.2f);
    CHECK(
        is_about(link_of(&f, "hôtel", "hotel").p[0], 0.3)); /* spelt the same, but for marks */
    CHECK(link_of(&f, "1886", "1887").p[0] == 0);
    stop(&f);
}

DPL_TEST(term_links, stems_meet_the_words_of_the_lexicon)
{
    fixture f;
    start(&f, "Die Hunde liefen", "The dogs ran", "hunde\tdogs\t0.9\n", true);
    CHECK(is_about(link_of(&f, "hund", "dog").p[0], 1));
    stop(&f);
}

DPL_TEST(term_links, information_is_against_chance)
{
    fixture f;
    start(&f, "der hund und der baum", "the dog and the tree",
          "hund\tdog\t0.9\nbaum\ttree\t0.9\nder\tthe\t0.9\nund\tund\t0.1\n", false);
    dpl__bead_link rare = link_of(&f, "hund", "dog"), frequent = link_of(&f, "der", "the");
    CHECK(rare.information > frequent.information);
    CHECK(is_about(rare.information, log(1 / (2.0 / 1005))));
    CHECK(is_about(f.links.expected[0][term(&f, 0, "hund")], 0.9 * rare.information));
    /* What the right side lacks is expected all the same. */
    CHECK(f.links.expected[0][term(&f, 0, "und")] > 0.3f);
    stop(&f);
}

/* Equation 3 of Uszkoreit et al. (2010): of one direction, not smoothed, with weak links. */
DPL_TEST(term_links, the_papers_information_is_that_of_one_direction_without_smoothing)
{
    fixture f;
    start(&f, "der hund und der baum", "the dog and the tree",
          "hund\tdog\t0.9\nder\tthe\t0.3\nund\ttree\t0.1\n", false);
    dpl__term_links_clear(&f.links);
    CHECK_OK(dpl__term_links_make_paper(&f.links, f.ctx, f.c[0], f.c[1], f.lexicon, &test_err));
    CHECK(is_about(link_of(&f, "hund", "dog").information, log(0.9 / (1 / 5.0))));
    CHECK(is_about(link_of(&f, "der", "the").information, log(0.3 / (2 / 5.0))));
    CHECK(is_about(f.links.expected[0][term(&f, 0, "und")], 0.1 * log(0.1 / (1 / 5.0))));
    stop(&f);
}

DPL_TEST(term_links, beads_teach_words_that_are_seen_together_again_and_again)
{
    fixture f;
    start(&f, "aa bb|aa cc|aa dd|aa ee|zz yy", "pp qq|pp rr|pp ss|pp tt|xx ww", NULL, false);
    dpl__bead_rows rows = {0};
    size_t n[2];
    uint32_t begin[6] = {0, 2, 4, 6, 8, 10}, chars[5] = {5, 5, 5, 5, 5};
    dpl__bead_doc docs[2];
    dpl_bead beads[6];
    for (int s = 0; s < 2; s++)
        docs[s] = (dpl__bead_doc){
            dpl_collection_tokens(f.c[s], 0, &n[s]), begin, chars, 5, NULL, NULL};
    for (uint32_t i = 0; i < 5; i++)
        beads[i] = (dpl_bead){.left = i, .n_left = 1, .right = i, .n_right = 1};
    beads[5] = (dpl_bead){.left = 0, .n_left = 1};
    CHECK_EQ(n[0], 10);
    CHECK_OK(dpl__bead_rows_add(&rows, f.ctx, docs, beads, 6, &test_err));
    CHECK_EQ(rows.begin[0].n, 6);
    CHECK_OK(dpl__term_links_learn(&f.links, &rows, &test_err));
    CHECK(link_of(&f, "aa", "pp").p[0] > 0.3f && link_of(&f, "aa", "pp").p[1] > 0.3f);
    CHECK(link_of(&f, "aa", "pp").information > 3);
    CHECK(f.links.is_known[0][term(&f, 0, "aa")]);
    CHECK(link_of(&f, "zz", "xx").p[0] == 0); /* once is not enough */
    dpl__bead_rows_clear(&rows, f.ctx);
    stop(&f);
}
