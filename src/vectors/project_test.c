#include "vectors/project.h"

#include "lexicon/write_lexicon.h"
#include "test.h"

#include <math.h>

/* ---- helpers ------------------------------------------------------------------------ */

/* One document of German words. */
static dpl_collection *collection(dpl_ctx *ctx, const char *words, bool stem)
{
    const char *in = test_write("in.tsv", words, strlen(words));
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = "de"),
        .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = stem));
    CHECK_OK(dpl_import(NULL, ctx, test_path("in.dpl"), &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("in.dpl"), &test_err));
    return c;
}

static dpl_lexicon *text_lexicon(dpl_ctx *ctx, const char *text)
{
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl__lexicon_open_memory(&l, ctx, "x.tsv", dpl__cstr(text), NULL, &test_err));
    return l;
}

/* How the two tables become one lexicon. */
typedef struct wishes {
    const char *lang[2];
    bool is_stemmed;
    const uint64_t *counts[2];
} wishes;

/* p(y|x) from lines x, y, p; p(x|y) from lines y, x, p, with the same words. */
static dpl_lexicon *file_lexicon(dpl_ctx *ctx, const char *there, const char *back, wishes w)
{
    dpl_lexicon *a = text_lexicon(ctx, there), *b = text_lexicon(ctx, back), *l = NULL;
    CHECK_EQ(a->words[DPL__LEFT].n, b->words[DPL__RIGHT].n);
    CHECK_EQ(a->words[DPL__RIGHT].n, b->words[DPL__LEFT].n);
    dpl_prune tiny = DPL_INIT(dpl_prune, .top = -1, .cumulative = -1, .threshold = 1e-20,
                              .min_count = -1); /* leaves rows empty */
    CHECK_OK(dpl__prune(&a->table[DPL__LEFT], ctx, NULL, &tiny, &test_err));
    CHECK_OK(dpl__prune(&b->table[DPL__LEFT], ctx, NULL, &tiny, &test_err));
    dpl__lexicon_parts parts = {
        .lang = {w.lang[0] ? w.lang[0] : "", w.lang[1] ? w.lang[1] : ""},
        .is_stemmed = w.is_stemmed,
        .words = {a->words[0], a->words[1]},
        .counts = {w.counts[0], w.counts[1]},
        .table = {a->table[DPL__LEFT], b->table[DPL__LEFT]}};
    CHECK_OK(dpl__lexicon_write(NULL, ctx, test_path("l.dpl"), &parts, &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, &test_err));
    dpl_lexicon_close(a);
    dpl_lexicon_close(b);
    return l;
}

static dpl__projection project(dpl_ctx *ctx, const dpl_collection *c, const dpl_lexicon *l,
                               dpl_direction direction)
{
    static dpl__facts facts; /* borrowed by the projection */
    dpl__projection p;
    CHECK_OK(dpl__facts_find(&facts, c, 1, &test_err));
    dpl__projection_input in = {.c = c, .facts = &facts, .lexicon = l, .direction = direction};
    CHECK_OK(dpl__projection_make(&p, ctx, &in, &test_err));
    return p;
}

/* Of the text in what the term stands for; 0 when there is no such thing. */
static double share(const dpl__projection *p, const dpl_collection *c, const char *term,
                    const char *text)
{
    uint32_t f;
    if (!dpl_collection_find_term(c, dpl__cstr(term), &f))
        return 0;
    for (uint64_t i = p->table.offsets[f]; i < p->table.offsets[f + 1]; i++)
        if (dpl__str_eq(p->texts[p->table.cols[i]], dpl__cstr(text)))
            return (double)p->table.p[i];
    return 0;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

/* Whatever one of them gives, the other does. */
static bool is_same(const dpl__projection *a, const dpl__projection *b)
{
    if (a->direction != b->direction || a->table.n_rows != b->table.n_rows ||
        a->table.n != b->table.n || a->n_known_terms != b->n_known_terms)
        return false;
    for (uint32_t r = 0; r <= a->table.n_rows; r++)
        if (a->table.offsets[r] != b->table.offsets[r])
            return false;
    for (size_t i = 0; i < a->table.n; i++)
        if (a->table.p[i] != b->table.p[i] ||
            !dpl__str_eq(a->texts[a->table.cols[i]], b->texts[b->table.cols[i]]))
            return false;
    return true;
}

/* ---- both tables -------------------------------------------------------------------- */

static const char de_en[] = "haus\thouse\t0.75\nhaus\thome\t0.25\nheim\thome\t1\n"
                            "katze\tcat\t0.5\nnichts\tnothing\t1\n";
static const char en_de[] = "house\thaus\t1\nhome\thaus\t0.125\nhome\theim\t0.75\n"
                            "cat\tkatze\t0.875\nnothing\tnichts\t1\n";

DPL_TEST(projection, with_both_tables_takes_either_whichever_column_is_the_collections)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "haus heim katze xyz\n", false);
    for (int is_back = 0; is_back < 2; is_back++)
        for (int is_told = 0; is_told < 2; is_told++) {
            wishes w = {0};
            if (is_told)
                w = (wishes){.lang = {is_back ? "en" : "de", is_back ? "de" : "en"}};
            dpl_lexicon *l = is_back ? file_lexicon(ctx, en_de, de_en, w)
                                     : file_lexicon(ctx, de_en, en_de, w);
            dpl__projection any = project(ctx, c, l, DPL_DIRECTION_AUTO),
                            source = project(ctx, c, l, DPL_DIRECTION_SOURCE),
                            target = project(ctx, c, l, DPL_DIRECTION_TARGET);
            CHECK_EQ(any.direction, DPL_DIRECTION_SOURCE);
            CHECK_EQ(any.is_target, is_back);
            CHECK_EQ(any.is_counted, !is_told);
            CHECK(is_same(&any, &source));
            CHECK(is_near(share(&source, c, "haus", "house"), 0.75));
            CHECK(is_near(share(&source, c, "katze", "cat"), 0.5));
            CHECK(is_near(share(&target, c, "haus", "house"), 1));
            CHECK(is_near(share(&target, c, "haus", "home"), 0.125));
            CHECK(is_near(share(&target, c, "xyz", "xyz"), 1));
            CHECK_STR(dpl__cstr(target.lang), is_told ? "en" : "");
            /* the same as the table alone, as text */
            dpl_lexicon *there = text_lexicon(ctx, de_en), *back = text_lexicon(ctx, en_de);
            dpl__projection alone = project(ctx, c, there, DPL_DIRECTION_AUTO);
            CHECK(is_same(&source, &alone));
            dpl__projection_clear(&alone);
            alone = project(ctx, c, back, DPL_DIRECTION_AUTO);
            CHECK(is_same(&target, &alone));
            dpl__projection_clear(&alone);
            dpl__projection_clear(&any);
            dpl__projection_clear(&source);
            dpl__projection_clear(&target);
            dpl_lexicon_close(there);
            dpl_lexicon_close(back);
            dpl_lexicon_close(l);
        }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(projection, between_other_languages_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "haus heim katze xyz\n", false);
    dpl_lexicon *l = file_lexicon(ctx, de_en, en_de, (wishes){.lang = {"fr", "en"}});
    dpl__facts facts;
    dpl__projection p;
    CHECK_OK(dpl__facts_find(&facts, c, 1, &test_err));
    dpl__projection_input in = {.c = c, .facts = &facts, .lexicon = l};
    CHECK_EQ(dpl__projection_make(&p, ctx, &in, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text),
              "the collection is in 'de', but the lexicon is between 'fr' and 'en'");
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- stems -------------------------------------------------------------------------- */

/* Of three words with the stem "katz" one has no row; "cat" and "cats" are one stem. Words of
 * other stems keep the columns from being taken for stems. */
static const char words_de_en[] =
    "katze\tcat\t0.75\nkatze\thangover\t0.25\nkatzen\tcats\t0.5\nkatzen\tcat\t0.25\n"
    "wollen\twanted\t1\ngehen\tgoing\t1\nsehen\tseeing\t1\nkatzes\tcatting\t1e-30\n";
static const char words_en_de[] =
    "cat\tkatze\t0.5\ncat\tkatzen\t0.25\ncats\tkatzen\t1\nhangover\tkatze\t0.125\n"
    "wanted\twollen\t1\ngoing\tgehen\t1\nseeing\tsehen\t1\ncatting\tkatzes\t1e-30\n";

DPL_TEST(projection, merged_rows_are_a_mean_weighted_by_how_often_words_occurred)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "Katzen\n", true);
    /* gehen katze katzen katzes ...; cat cats catting ... */
    static const uint64_t of_de[] = {5, 30, 10, 500, 5, 5}, of_en[] = {3, 9, 500, 1, 1, 1, 1};
    for (int is_counted = 0; is_counted < 2; is_counted++) {
        wishes w = {.lang = {"de", "en"}};
        if (is_counted)
            w = (wishes){.lang = {"de", "en"}, .counts = {of_de, of_en}};
        dpl_lexicon *l = file_lexicon(ctx, words_de_en, words_en_de, w);
        dpl__projection p = project(ctx, c, l, DPL_DIRECTION_SOURCE);
        double a = is_counted ? 30 : 1, b = is_counted ? 10 : 1;
        CHECK(is_near(share(&p, c, "katz", "cat"), (a * 0.75 + b * 0.75) / (a + b)));
        CHECK(is_near(share(&p, c, "katz", "hangov"), a * 0.25 / (a + b)));
        dpl__projection_clear(&p);
        /* words f of one term add up, words e of one stem become their mean */
        p = project(ctx, c, l, DPL_DIRECTION_TARGET);
        a = is_counted ? 3 : 1, b = is_counted ? 9 : 1;
        CHECK(is_near(share(&p, c, "katz", "cat"), (a * 0.75 + b * 1) / (a + b)));
        CHECK(is_near(share(&p, c, "katz", "hangov"), 0.125));
        dpl__projection_clear(&p);
        dpl_lexicon_close(l);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(projection, a_lexicon_of_stems_is_taken_as_it_is)
{
    dpl_ctx *ctx = test_ctx(1);
    /* half of the words are not their own stems: a column of text would be stemmed */
    static const char there[] = "bitt\tpleas\t1\nkatzen\tcats\t1\nwollen\twanted\t1\n";
    static const char back[] = "pleas\tbitt\t1\ncats\tkatzen\t1\nwanted\twollen\t1\n";
    dpl_collection *c = collection(ctx, "Bitte Katzen\n", true);
    dpl_lexicon *l =
        file_lexicon(ctx, there, back, (wishes){.lang = {"de", "en"}, .is_stemmed = true});
    dpl__projection p = project(ctx, c, l, DPL_DIRECTION_AUTO);
    CHECK(is_near(share(&p, c, "bitt", "pleas"), 1));
    CHECK(is_near(share(&p, c, "katz", "katz"), 1)); /* "katzen" is no stem of ours */
    CHECK_EQ(p.n_known_terms, 1);
    dpl__projection_clear(&p);
    dpl_collection_close(c);
    c = collection(ctx, "Bitte Katzen\n", false);
    dpl__facts facts;
    CHECK_OK(dpl__facts_find(&facts, c, 1, &test_err));
    dpl__projection_input in = {.c = c, .facts = &facts, .lexicon = l};
    CHECK_EQ(dpl__projection_make(&p, ctx, &in, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "the lexicon holds stems, but the collection words");
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* One match serves both directions and fewer terms, and what does not fit is made anew. */
DPL_TEST(projection, with_a_match_made_before_is_the_same)
{
    dpl_ctx *ctx = test_ctx(1);
    for (int stem = 0; stem < 2; stem++) {
        dpl_collection *c = collection(ctx, "haus haus heim katze katze katzen xyz\n", stem);
        dpl_lexicon *all[] = {
            file_lexicon(ctx, de_en, en_de, (wishes){.lang = {"de", "en"}}),
            file_lexicon(ctx, words_de_en, words_en_de, (wishes){.lang = {"de", "en"}}),
            text_lexicon(ctx, words_de_en)};
        for (size_t i = 0; i < DPL_LEN(all); i++) {
            dpl__facts facts, few;
            dpl__term_match match = {.ctx = ctx, .c = c, .lexicon = all[i]};
            CHECK_OK(dpl__facts_find(&facts, c, 1, &test_err));
            CHECK_OK(dpl__facts_find(&few, c, 2, &test_err));
            dpl_status found = dpl__term_match_find(&match, &facts, NULL, &test_err);
            CHECK_EQ(found, i == 2 && stem ? DPL_E_USAGE : DPL_OK); /* no word is a term */
            for (int d = DPL_DIRECTION_AUTO; d <= DPL_DIRECTION_SOURCE && found == DPL_OK; d++)
                for (int k = 0; k < 2; k++) {
                    dpl__projection_input in = {.c = c,
                                                .facts = k ? &few : &facts,
                                                .lexicon = all[i],
                                                .direction = (dpl_direction)d};
                    dpl__projection a, b;
                    dpl_status made = dpl__projection_make(&a, ctx, &in, &test_err);
                    in.match = &match;
                    CHECK_EQ(dpl__projection_make(&b, ctx, &in, &test_err), made);
                    if (made != DPL_OK)
                        continue;
                    CHECK(is_same(&a, &b));
                    CHECK_EQ(a.n_known_tokens, b.n_known_tokens);
                    dpl__projection_clear(&a);
                    dpl__projection_clear(&b);
                }
            dpl__term_match_clear(&match);
            dpl_lexicon_close(all[i]);
        }
        dpl_collection_close(c);
    }
    test_ctx_done(ctx);
}

static dpl_status project_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl_collection *c = NULL;
    dpl_lexicon *l = NULL;
    dpl__facts facts;
    dpl__projection p = {0};
    dpl_status status = dpl_collection_open(&c, ctx, test_path("in.dpl"), err);
    if (status == DPL_OK)
        status = dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, err);
    if (status == DPL_OK)
        status = dpl__facts_find(&facts, c, 1, err);
    dpl__projection_input in = {
        .c = c, .facts = &facts, .lexicon = l, .direction = DPL_DIRECTION_TARGET};
    if (status == DPL_OK)
        status = dpl__projection_make(&p, ctx, &in, err);
    dpl__projection_clear(&p);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    return status;
}

DPL_TEST(projection, survives_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection_close(collection(ctx, "Katzen sehen\n", true));
    dpl_lexicon_close(
        file_lexicon(ctx, words_de_en, words_en_de, (wishes){.lang = {"de", "en"}}));
    test_ctx_done(ctx);
    test_allocation_failures(project_body, NULL);
}
