#define _GNU_SOURCE /* memmem */
#include "sentences/beads_writer.h"

#include "base/hash.h"
#include "test.h"
#include "unicode/unicode.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- helpers ------------------------------------------------------------------------ */

static dpl_collection *collection(dpl_ctx *ctx, const char *name, dpl_str jsonl)
{
    char file[32], out[32];
    snprintf(file, sizeof file, "%s.jsonl", name);
    snprintf(out, sizeof out, "%s.dpl", name);
    const char *in = test_write(file, jsonl.data, jsonl.n);
    CHECK_OK(dpl_import(NULL, ctx, test_path(out), &in, 1, NULL, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path(out), &test_err));
    return c;
}

/* Three sentences on lines 0, 2, 3, beside three on lines 0, 1, 1. */
static const char left_doc[] =
    "{\"id\":\"a \\\"1\\\" <&>\",\"lang\":\"de\",\"text\":\"Eins \\\"x\\\" & <y>.\\n"
    "\\nDrei\\tund\\u0001vier\\\\.\\nEnde.\"}\n";
static const char right_doc[] = "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"One \\\"x\\\" & "
                                "<y>.\\nThree and four. End.\\n\"}\n";

static const dpl_bead kept_beads[] = {
    {0, 1, 0, 1, 0.5F, DPL_VERDICT_KEPT},
    {1, 2, 1, 2, 0.9999999F, DPL_VERDICT_KEPT},
};
static const dpl_bead mixed_beads[] = {
    {0, 1, 0, 1, 0.25F, DPL_VERDICT_IDENTICAL},
    {1, 1, 1, 2, 0.75F, DPL_VERDICT_KEPT},
    {2, 1, 3, 0, 0, DPL_VERDICT_ALONE},
};
static const dpl_bead crossing_beads[] = {
    {0, 1, 1, 1, 0.5F, DPL_VERDICT_KEPT},
    {1, 1, 0, 1, 0.5F, DPL_VERDICT_KEPT},
};
static const dpl_bead line_beads[] = {
    {0, 2, 0, 1, 0.25F, DPL_VERDICT_LENGTH},
    {2, 1, 1, 1, 0.75F, DPL_VERDICT_KEPT},
};
static const dpl_bead single_beads[] = {
    {0, 1, 0, 1, 0.25F, DPL_VERDICT_KEPT},
    {1, 1, 1, 1, 0.75F, DPL_VERDICT_KEPT},
    {2, 1, 2, 0, 0, DPL_VERDICT_ALONE},
};

static const uint32_t sentences[] = {0, 1, 2, 3};
static const uint32_t right_lines[] = {0, 1, 3};

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl_aligned_docs docs;
} fixture;

static fixture fixture_new(void)
{
    fixture f = {.ctx = test_ctx(1)};
    f.c[0] = collection(f.ctx, "left", DPL_STR(left_doc));
    f.c[1] = collection(f.ctx, "right", DPL_STR(right_doc));
    f.docs = (dpl_aligned_docs){
        .units = {sentences, sentences}, .n_units = {3, 3}, .beads = kept_beads, .n_beads = 2};
    CHECK_EQ(dpl_collection_n_sentences(f.c[0], 0), 3);
    CHECK_EQ(dpl_collection_n_sentences(f.c[1], 0), 3);
    return f;
}

static void fixture_done(fixture *f)
{
    dpl_collection_close(f->c[0]);
    dpl_collection_close(f->c[1]);
    test_ctx_done(f->ctx);
}

static dpl_status write_docs(const fixture *f, dpl_ctx *ctx, const char *name,
                             const dpl_beads_options *o, uint64_t *n_rows, dpl_error *err)
{
    dpl_beads_writer *w = NULL;
    DPL_TRY(dpl_beads_open(&w, ctx, test_path(name), f->c[0], f->c[1], o, err));
    dpl_status status = dpl_beads_write(w, &f->docs, err);
    if (status == DPL_OK)
        status = dpl_beads_finish(n_rows, w, err);
    dpl_beads_close(w);
    return status;
}

static void check_file(const char *name, const char *expected)
{
    size_t n;
    char *text = test_read(test_path(name), &n);
    CHECK_STR(((dpl_str){text, n}), expected);
    free(text);
}

static void check_written(const fixture *f, const dpl_beads_options *o, const char *expected)
{
    CHECK_OK(write_docs(f, f->ctx, "out", o, NULL, &test_err));
    check_file("out", expected);
}

/* ---- formats ------------------------------------------------------------------------ */

DPL_TEST(beads_writer, tsv_has_ids_sentences_and_score)
{
    fixture f = fixture_new();
    check_written(&f, NULL,
                  "a \"1\" <&>\tb\tEins \"x\" & <y>.\tOne \"x\" & <y>.\t0.500000\n"
                  "a \"1\" <&>\tb\tDrei und vier\\. Ende.\tThree and four. End.\t1.000000\n");
    fixture_done(&f);
}

DPL_TEST(beads_writer, tsv_has_verdicts_when_all_beads_are_asked_for)
{
    fixture f = fixture_new();
    uint64_t n_rows = 0;
    f.docs.beads = mixed_beads;
    f.docs.n_beads = 3;
    check_written(&f, NULL,
                  "a \"1\" <&>\tb\tDrei und vier\\.\tThree and four. End.\t0.750000\n");
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .all = true);
    CHECK_OK(write_docs(&f, f.ctx, "out", &o, &n_rows, &test_err));
    CHECK_EQ(n_rows, 3);
    check_file("out",
               "a \"1\" <&>\tb\tEins \"x\" & <y>.\tOne \"x\" & <y>.\t0.250000\tidentical\n"
               "a \"1\" <&>\tb\tDrei und vier\\.\tThree and four. End.\t0.750000\tkept\n"
               "a \"1\" <&>\tb\tEnde.\t\t0.000000\talone\n");
    fixture_done(&f);
}

DPL_TEST(beads_writer, jsonl_has_numbers_and_verdicts)
{
    fixture f = fixture_new();
    f.docs.beads = mixed_beads;
    f.docs.n_beads = 3;
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_JSONL, .all = true);
    check_written(
        &f, &o,
        "{\"left_id\":\"a \\\"1\\\" <&>\",\"right_id\":\"b\",\"left\":[0],\"right\":[0],"
        "\"left_sentence\":\"Eins \\\"x\\\" & <y>.\",\"right_sentence\":\"One \\\"x\\\" & "
        "<y>.\",\"score\":0.250000,\"verdict\":\"identical\"}\n"
        "{\"left_id\":\"a \\\"1\\\" <&>\",\"right_id\":\"b\",\"left\":[1],\"right\":[1,2],"
        "\"left_sentence\":\"Drei und vier\\\\.\",\"right_sentence\":\"Three and four. End.\","
        "\"score\":0.750000,\"verdict\":\"kept\"}\n"
        "{\"left_id\":\"a \\\"1\\\" <&>\",\"right_id\":\"b\",\"left\":[2],\"right\":[],"
        "\"left_sentence\":\"Ende.\",\"right_sentence\":\"\",\"score\":0.000000,\"verdict\":"
        "\"alone\"}\n");
    fixture_done(&f);
}

DPL_TEST(beads_writer, moses_has_a_file_for_each_language)
{
    fixture f = fixture_new();
    dpl_beads_options o =
        DPL_INIT(dpl_beads_options, .to = DPL_BEADS_MOSES, .langs = {"de", "en"});
    CHECK_OK(write_docs(&f, f.ctx, "out", &o, NULL, &test_err));
    check_file("out.de", "Eins \"x\" & <y>.\nDrei und vier\\. Ende.\n");
    check_file("out.en", "One \"x\" & <y>.\nThree and four. End.\n");
    o.langs[1] = "de";
    CHECK_EQ(write_docs(&f, f.ctx, "out", &o, NULL, &test_err), DPL_E_USAGE);
    o.langs[1] = NULL;
    CHECK_EQ(write_docs(&f, f.ctx, "out", &o, NULL, &test_err), DPL_E_USAGE);
    o.langs[1] = "../en";
    CHECK_EQ(write_docs(&f, f.ctx, "out", &o, NULL, &test_err), DPL_E_USAGE);
    fixture_done(&f);
}

DPL_TEST(beads_writer, ladders_and_vecalign_have_all_beads)
{
    fixture f = fixture_new();
    f.docs.beads = mixed_beads;
    f.docs.n_beads = 3;
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_LADDER);
    check_written(&f, &o, "0\t0\t0.250000\n1\t1\t0.750000\n2\t3\t0.000000\n3\t3\t0.000000\n");
    o.to = DPL_BEADS_VECALIGN;
    check_written(&f, &o, "[0]:[0]:0.750000\n[1]:[1,2]:0.250000\n[2]:[]:1.000000\n");
    f.docs.beads = crossing_beads;
    f.docs.n_beads = 2;
    check_written(&f, &o, "[0]:[1]:0.500000\n[1]:[0]:0.500000\n");
    o.to = DPL_BEADS_LADDER;
    CHECK_EQ(write_docs(&f, f.ctx, "out", &o, NULL, &test_err), DPL_E_USAGE);
    fixture_done(&f);
}

DPL_TEST(beads_writer, lines_keep_their_numbers_when_some_are_empty)
{
    fixture f = fixture_new();
    f.docs.units[1] = right_lines;
    f.docs.n_units[1] = 2;
    f.docs.beads = line_beads;
    dpl_beads_options o =
        DPL_INIT(dpl_beads_options, .to = DPL_BEADS_VECALIGN, .one_per_line = true);
    check_written(&f, &o, "[0,2]:[0]:0.750000\n[3]:[1]:0.250000\n");
    o.to = DPL_BEADS_LADDER;
    check_written(&f, &o, "0\t0\t0.250000\n3\t1\t0.750000\n4\t2\t0.000000\n");
    f.docs.beads = single_beads; /* the empty line is passed over */
    f.docs.n_beads = 3;
    check_written(&f, &o,
                  "0\t0\t0.250000\n1\t1\t0.000000\n2\t1\t0.750000\n3\t2\t0.000000\n"
                  "4\t2\t0.000000\n");
    f.docs.n_beads = 2;
    f.docs.beads = line_beads;
    o.to = DPL_BEADS_TSV;
    check_written(&f, &o, "a \"1\" <&>\tb\tEnde.\tThree and four. End.\t0.750000\n");
    fixture_done(&f);
}

DPL_TEST(beads_writer, what_a_format_cannot_hold_is_refused)
{
    fixture f = fixture_new();
    dpl_beads_writer *w = NULL;
    for (dpl_beads_format x = DPL_BEADS_TSV; x <= DPL_BEADS_EPUB; x++) {
        dpl_beads_options o =
            DPL_INIT(dpl_beads_options, .to = x, .all = true, .langs = {"de", "en"});
        bool fits = x == DPL_BEADS_TSV || x == DPL_BEADS_JSONL;
        CHECK_EQ(write_docs(&f, f.ctx, "out", &o, NULL, &test_err),
                 fits ? DPL_OK : DPL_E_USAGE);
    }
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_VECALIGN);
    CHECK_OK(dpl_beads_open(&w, f.ctx, test_path("two"), f.c[0], f.c[1], &o, &test_err));
    CHECK_OK(dpl_beads_write(w, &f.docs, &test_err));
    CHECK_EQ(dpl_beads_write(w, &f.docs, &test_err), DPL_E_USAGE);
    dpl_beads_close(w);
    CHECK(access(test_path("two"), F_OK) != 0);
    CHECK(dpl__beads_format_name(DPL_BEADS_EPUB + 1) == NULL);
    fixture_done(&f);
}

static void append(void *user, int side, const char *data, size_t n)
{
    char(*text)[400] = user;
    strncat(text[side], data, n);
}

DPL_TEST(beads_writer, text_can_go_elsewhere_instead_of_files)
{
    fixture f = fixture_new();
    char text[2][400] = {"", ""};
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_MOSES,
                                   .langs = {"de", "en"}, .put = append, .user = text);
    CHECK_OK(write_docs(&f, f.ctx, "out", &o, NULL, &test_err));
    CHECK_STR(dpl__cstr(text[0]), "Eins \"x\" & <y>.\nDrei und vier\\. Ende.\n");
    CHECK_STR(dpl__cstr(text[1]), "One \"x\" & <y>.\nThree and four. End.\n");
    CHECK(access(test_path("out.de"), F_OK) != 0);
    fixture_done(&f);
}

/* ---- translation memories ----------------------------------------------------------- */

/* The rules of TMX 1.4b for the elements that we use: where they stand, what they must have. */
typedef struct rule {
    const char *element, *parent, *after; /* after: the one before it; NULL: any or none */
    const char *attributes[8];
} rule;

static const rule rules[] = {
    {"tmx", "", NULL, {"version"}},
    {"header",
     "tmx",
     "",
     {"creationtool", "creationtoolversion", "segtype", "o-tmf", "adminlang", "srclang",
      "datatype"}},
    {"body", "tmx", "header", {NULL}},
    {"tu", "body", NULL, {NULL}},
    {"prop", "tu", "", {"type"}},
    {"tuv", "tu", NULL, {"xml:lang"}},
    {"prop", "tuv", "", {"type"}},
    {"seg", "tuv", "prop", {NULL}},
};

typedef struct reading {
    char open[8][16], last[8][16]; /* elements around, and the last one closed in each */
    int depth;
    unsigned n_units;
    bool is_good;
} reading;

static bool has_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1][0] != 0;
    return false;
}

static bool holds(const rule *r, const reading *x, const char *name, const char **attributes)
{
    const char *parent = x->depth ? x->open[x->depth - 1] : "";
    if (strcmp(r->element, name) != 0 || strcmp(r->parent, parent) != 0 ||
        (r->after && strcmp(r->after, x->last[x->depth]) != 0))
        return false;
    for (int i = 0; i < 8 && r->attributes[i]; i++)
        if (!has_attribute(attributes, r->attributes[i]))
            return false;
    return true;
}

static void start_element(void *user, const char *name, const char **attributes)
{
    reading *x = user;
    bool is_good = false;
    for (size_t i = 0; i < DPL_LEN(rules); i++)
        is_good = is_good || holds(&rules[i], x, name, attributes);
    x->is_good = x->is_good && is_good && x->depth < 7;
    x->n_units += strcmp(name, "tu") == 0;
    if (!x->is_good)
        return;
    snprintf(x->open[x->depth++], sizeof x->open[0], "%s", name);
    x->last[x->depth][0] = 0;
}

static void end_element(void *user, const char *name)
{
    reading *x = user;
    if (!x->is_good)
        return;
    if (strcmp(name, "tuv") == 0)
        x->is_good = strcmp(x->last[x->depth], "seg") == 0;
    if (strcmp(name, "tu") == 0)
        x->is_good = strcmp(x->last[x->depth], "tuv") == 0;
    snprintf(x->last[--x->depth], sizeof x->last[0], "%s", name);
}

/* Fails unless it is a translation memory; returns the number of its units. */
static unsigned check_tmx(const char *name)
{
    size_t n;
    char *text = test_read(test_path(name), &n);
    reading x = {.is_good = true};
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &x);
    XML_SetElementHandler(parser, start_element, end_element);
    int is_xml = XML_Parse(parser, text, (int)n, 1) == XML_STATUS_OK;
    XML_ParserFree(parser);
    free(text);
    CHECK(is_xml);
    CHECK(x.is_good);
    CHECK_STR(dpl__cstr(x.last[0]), "tmx");
    return x.n_units;
}

DPL_TEST(beads_writer, tmx_follows_the_rules_of_its_dtd)
{
    fixture f = fixture_new();
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_TMX);
    CHECK_OK(write_docs(&f, f.ctx, "out.tmx", &o, NULL, &test_err));
    CHECK_EQ(check_tmx("out.tmx"), 2);
    f.docs.n_beads = 0;
    CHECK_OK(write_docs(&f, f.ctx, "none.tmx", &o, NULL, &test_err));
    CHECK_EQ(check_tmx("none.tmx"), 0);
    fixture_done(&f);
}

/* ---- what is written can be read ---------------------------------------------------- */

static const char *const pieces[] = {"a",
                                     "b",
                                     "Wort",
                                     " ",
                                     "\\t",
                                     "\\n",
                                     "\\u0001",
                                     "\\u0085",
                                     "\\u2028",
                                     "&",
                                     "<",
                                     "]]>",
                                     "\\\"",
                                     "\\\\",
                                     "\\u007f",
                                     "\\ufffe",
                                     "\\uffff",
                                     "\\u00e4",
                                     "\\ud83d\\ude00",
                                     ".",
                                     "&amp;",
                                     "'",
                                     "\\u00a0",
                                     "\\ufeff"};

/* A document of random text that begins and ends with a letter. */
static void random_doc(dpl__bytes *out, dpl_ctx *ctx, dpl__rng *rng, unsigned number)
{
    char head[80];
    int n = snprintf(head, sizeof head, "{\"id\":\"%u&\",\"lang\":\"%s\",\"text\":\"x", number,
                     number % 2 ? "de" : "fr");
    CHECK(dpl__vec_append(ctx, out, head, (size_t)n));
    for (uint64_t k = dpl__rng_below(rng, 60); k > 0; k--) {
        const char *piece = pieces[dpl__rng_below(rng, DPL_LEN(pieces))];
        CHECK(dpl__vec_append(ctx, out, piece, strlen(piece)));
    }
    CHECK(dpl__vec_append(ctx, out, "x\"}\n", 4));
}

static dpl_collection *random_collection(dpl_ctx *ctx, dpl__rng *rng, const char *name)
{
    dpl__bytes text = {0};
    for (unsigned i = 0; i < 40; i++)
        random_doc(&text, ctx, rng, i);
    dpl_collection *c = collection(ctx, name, (dpl_str){text.data, text.n});
    dpl__vec_clear(ctx, &text);
    return c;
}

/* Document i of one side beside i of the other, as one bead each. */
static void write_all(dpl_ctx *ctx, dpl_collection *const c[2], const char *name,
                      dpl_beads_format format)
{
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = format, .langs = {"de", "en"});
    dpl_beads_writer *w = NULL;
    CHECK_OK(dpl_beads_open(&w, ctx, test_path(name), c[0], c[1], &o, &test_err));
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t units[2][2] = {{0, (uint32_t)dpl_collection_n_sentences(c[0], i)},
                                {0, (uint32_t)dpl_collection_n_sentences(c[1], i)}};
        dpl_bead bead = {0, 1, 0, 1, 0.5F, DPL_VERDICT_KEPT};
        dpl_aligned_docs docs = {.pair = i,
                                 .docs = {i, i},
                                 .units = {units[0], units[1]},
                                 .n_units = {1, 1},
                                 .beads = &bead,
                                 .n_beads = 1};
        CHECK_OK(dpl_beads_write(w, &docs, &test_err));
    }
    CHECK_OK(dpl_beads_finish(NULL, w, &test_err));
    dpl_beads_close(w);
}

/* 300 document pairs, on so many threads. */
static void write_many(const fixture *f, unsigned n_threads, const char *name,
                       dpl_beads_format format)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = format, .langs = {"de", "en"});
    dpl__aligned *aligned = NULL;
    dpl_beads_writer *w = NULL;
    uint64_t n_rows = 0;
    CHECK_OK(dpl__aligned_new(&aligned, ctx, NULL, 0, &test_err));
    for (size_t i = 0; i < 300; i++) {
        dpl_aligned_docs docs = f->docs;
        docs.beads = i % 3 ? kept_beads : mixed_beads;
        docs.n_beads = i % 3 ? 2 : 3;
        CHECK_OK(dpl__aligned_add(aligned, &docs, &test_err));
    }
    CHECK_OK(dpl_beads_open(&w, ctx, test_path(name), f->c[0], f->c[1], &o, &test_err));
    CHECK_OK(dpl__beads_write_all(w, aligned, 300, &test_err));
    CHECK_OK(dpl_beads_finish(&n_rows, w, &test_err));
    CHECK(n_rows == 500 || format == DPL_BEADS_TMX);
    dpl_beads_close(w);
    dpl__aligned_free(aligned);
    test_ctx_done(ctx);
}

DPL_TEST(beads_writer, many_document_pairs_have_the_same_bytes_for_any_number_of_threads)
{
    static const dpl_beads_format to[] = {DPL_BEADS_TSV, DPL_BEADS_JSONL, DPL_BEADS_TMX};
    fixture f = fixture_new();
    for (size_t i = 0; i < DPL_LEN(to); i++) {
        size_t n[2];
        write_many(&f, 1, "one", to[i]);
        write_many(&f, 4, "four", to[i]);
        char *one = test_read(test_path("one"), &n[0]),
             *four = test_read(test_path("four"), &n[1]);
        CHECK(n[0] == n[1] && memcmp(one, four, n[0]) == 0);
        free(one);
        free(four);
    }
    fixture_done(&f);
}

static dpl_bitext *open_bitext(dpl_ctx *ctx, const char *a, const char *b,
                               const dpl_bitext_options *o)
{
    const char *paths[2] = {test_path(a), b ? test_path(b) : NULL};
    dpl_bitext *bitext = NULL;
    CHECK_OK(dpl_bitext_open(&bitext, ctx, paths, b ? 2 : 1, o, &test_err));
    return bitext;
}

/* XML cannot hold U+FFFE and U+FFFF. */
static bool is_same_but_for_noncharacters(dpl_str tmx, dpl_str text)
{
    bool is_same = tmx.n == text.n;
    for (size_t i = 0; i < text.n && is_same; i++) {
        bool is_none = i + 3 <= text.n && memcmp(text.data + i, "\xEF\xBF", 2) == 0;
        is_same = is_none ? memcmp(tmx.data + i, "\xEF\xBF\xBD", 3) == 0
                          : tmx.data[i] == text.data[i];
        i += is_none ? 2 : 0;
    }
    return is_same;
}

static void check_round_trip(dpl_ctx *ctx, dpl_collection *const c[2], uint64_t seed)
{
    write_all(ctx, c, "x.tsv", DPL_BEADS_TSV);
    write_all(ctx, c, "x", DPL_BEADS_MOSES);
    write_all(ctx, c, "x.tmx", DPL_BEADS_TMX);
    CHECK_EQ(check_tmx("x.tmx"), 40);
    write_all(ctx, c, "x.xliff", DPL_BEADS_XLIFF);
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_column = 3, .right_column = 4,
                                    .left_lang = "de", .right_lang = "en");
    dpl_bitext *tsv = open_bitext(ctx, "x.tsv", NULL, &o);
    dpl_bitext *moses = open_bitext(ctx, "x.de", "x.en", &o);
    dpl_bitext *tmx = open_bitext(ctx, "x.tmx", NULL, &o);
    dpl_bitext *xliff = open_bitext(ctx, "x.xliff", NULL, &o);
    for (uint32_t i = 0; i < 40; i++) {
        dpl_bitext_row a, b, z, y;
        CHECK_OK(dpl_bitext_next(tsv, &a, &test_err));
        CHECK_OK(dpl_bitext_next(moses, &b, &test_err));
        CHECK_OK(dpl_bitext_next(tmx, &z, &test_err));
        CHECK_OK(dpl_bitext_next(xliff, &y, &test_err));
        if (!dpl__str_eq(a.left, b.left) || !dpl__str_eq(a.right, b.right) ||
            !is_same_but_for_noncharacters(z.left, a.left) ||
            !is_same_but_for_noncharacters(z.right, a.right) || !dpl__str_eq(z.left, y.left) ||
            !dpl__str_eq(z.right, y.right))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, row %u", (unsigned long long)seed,
                           i);
    }
    dpl_bitext_close(xliff);
    dpl_bitext_close(tmx);
    dpl_bitext_close(moses);
    dpl_bitext_close(tsv);
}

DPL_TEST(beads_writer, xliff_has_a_file_for_each_document_pair)
{
    fixture f = fixture_new();
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_XLIFF);
    CHECK_OK(write_docs(&f, f.ctx, "out.xliff", &o, NULL, &test_err));
    size_t n;
    char *text = test_read(test_path("out.xliff"), &n);
    CHECK(strstr(text, "<file original=\"a &quot;1&quot; &lt;&amp;&gt;\" product-name=\"b\" "
                       "source-language=\"de\" target-language=\"en\""));
    CHECK(strstr(text, "<source>Eins &quot;x&quot; &amp; &lt;y&gt;.</source>"));
    CHECK(strstr(text, "<trans-unit id=\"2\"") && strstr(text, "</body>\n</file>\n</xliff>\n"));
    free(text);
    f.docs.n_beads = 0;
    CHECK_OK(write_docs(&f, f.ctx, "none.xliff", &o, NULL, &test_err));
    check_file("none.xliff",
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"1.2\" "
               "xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n</xliff>\n");
    fixture_done(&f);
}

DPL_TEST(beads_writer, a_book_has_every_sentence_of_both_sides)
{
    fixture f = fixture_new();
    f.docs.beads = mixed_beads;
    f.docs.n_beads = 3;
    uint64_t n_rows = 0;
    size_t n;
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_HTML);
    CHECK_OK(write_docs(&f, f.ctx, "out.html", &o, &n_rows, &test_err));
    CHECK_EQ(n_rows, 3);
    char *text = test_read(test_path("out.html"), &n);
    CHECK(strstr(text, "<p lang=\"de\">Drei und vier\\.</p><p lang=\"en\">Three and four. "
                       "End.</p>"));
    CHECK(strstr(text, "class=\"alone\"") && !strstr(text, "<y>") && !strstr(text, "<script"));
    free(text);
    o.to = DPL_BEADS_EPUB;
    CHECK_OK(write_docs(&f, f.ctx, "out.epub", &o, &n_rows, &test_err));
    dpl_reader *reader = NULL;
    dpl_doc doc;
    CHECK_OK(dpl_reader_open(&reader, f.ctx, test_path("out.epub"), NULL, &test_err));
    CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
    CHECK_STR(doc.lang, "de");
    CHECK(memmem(doc.text.data, doc.text.n, "Three and four. End.", 20) != NULL);
    CHECK(memmem(doc.text.data, doc.text.n, "Drei und vier", 13) != NULL);
    dpl_reader_close(reader);
    fixture_done(&f);
}

DPL_TEST(beads_writer, parallel_text_comes_back_from_every_format)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        dpl__rng rng = {seed};
        dpl_collection *c[2] = {random_collection(ctx, &rng, "l"),
                                random_collection(ctx, &rng, "r")};
        check_round_trip(ctx, c, seed);
        dpl_collection_close(c[0]);
        dpl_collection_close(c[1]);
    }
    test_ctx_done(ctx);
}

/* Numbers are anything that a caption may have; what differs in a word stays. */
DPL_TEST(beads_writer, a_corpus_has_one_of_pairs_that_differ_in_numbers_alone)
{
    static const char left[] = "{\"id\":\"a\",\"lang\":\"de\",\"text\":\"Abbildung "
                               "14.175.\\nAbbildung 3.\\nTabelle 3.\\n"
                               "Abbildung 9:30-11.\\nAbbildung 3a.\"}\n";
    static const char right[] =
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"Figure 14,175.\\nFigure 3.\\nTable 3.\\n"
        "Figure 9/11.\\nFigure 3a.\"}\n";
    static const uint32_t units[] = {0, 1, 2, 3, 4, 5};
    dpl_bead beads[5];
    fixture f = {.ctx = test_ctx(1)};
    f.c[0] = collection(f.ctx, "left", DPL_STR(left));
    f.c[1] = collection(f.ctx, "right", DPL_STR(right));
    for (uint32_t i = 0; i < 5; i++)
        beads[i] = (dpl_bead){i, 1, i, 1, i == 2 ? 0.2F : 0.9F, DPL_VERDICT_KEPT};
    f.docs = (dpl_aligned_docs){
        .units = {units, units}, .n_units = {5, 5}, .beads = beads, .n_beads = 5};
    dpl_beads_options o =
        DPL_INIT(dpl_beads_options, .to = DPL_BEADS_MOSES, .langs = {"de", "en"});
    dpl_beads_writer *w = NULL;
    CHECK_OK(dpl_beads_open(&w, f.ctx, test_path("x"), f.c[0], f.c[1], &o, &test_err));
    CHECK_OK(dpl_beads_write(w, &f.docs, &test_err));
    CHECK_OK(dpl_beads_finish(NULL, w, &test_err));
    CHECK_EQ(w->n_low, 1);
    CHECK_STR(w->low.at[0].text[0], "Tabelle 3.");
    CHECK_EQ(w->n_same, 2);
    CHECK_EQ(w->same.n, 2);
    CHECK_STR(w->same.at[0].text[1], "Figure 3.");
    CHECK_STR(w->same.at[1].id[0], "a");
    dpl_beads_close(w);
    check_file("x.de", "Abbildung 14.175.\nAbbildung 3a.\n");
    o.keep_repeats = true;
    uint64_t n_rows;
    CHECK_OK(write_docs(&f, f.ctx, "x", &o, &n_rows, &test_err));
    CHECK_EQ(n_rows, 4);
    fixture_done(&f);
}

DPL_TEST(beads_writer, examples_are_of_different_document_pairs_where_there_are_such)
{
    static const size_t pairs[] = {0, 0, 0, 0, 4, 4, 5, 6};
    dpl__bead_examples e = {.n = 0};
    for (size_t i = 0; i < DPL_LEN(pairs); i++) {
        const dpl__bead_example new = {.pair = pairs[i]};
        if (dpl__bead_examples_wants(&e, new.pair))
            dpl__bead_examples_add(&e, &new);
    }
    CHECK_EQ(e.n, 3);
    CHECK(e.at[0].pair == 0 && e.at[1].pair + e.at[2].pair == 9);
}

DPL_TEST(beads_writer, json_comes_back_as_documents)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {5};
    dpl_collection *c[2] = {random_collection(ctx, &rng, "l"),
                            random_collection(ctx, &rng, "r")};
    write_all(ctx, c, "x.jsonl", DPL_BEADS_JSONL);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .id_key = "left_id",
                                    .text_key = "right_sentence", .lang = "en");
    dpl_reader *reader = NULL;
    CHECK_OK(dpl_reader_open(&reader, ctx, test_path("x.jsonl"), &o, &test_err));
    for (uint32_t i = 0; i < 40; i++) {
        dpl_doc d;
        CHECK_OK(dpl_reader_next(reader, &d, &test_err));
        CHECK(dpl__str_eq(d.id, dpl_collection_doc(c[0], i).id));
        dpl_str text = dpl_collection_doc(c[1], i).text;
        for (size_t k = 0, j = 0; k < d.text.n; k++) {
            size_t n = dpl__break_at((const uint8_t *)text.data + j, text.n - j);
            CHECK_EQ(d.text.data[k], n ? ' ' : text.data[j]);
            j += n ? n : 1;
        }
    }
    dpl_reader_close(reader);
    dpl_collection_close(c[0]);
    dpl_collection_close(c[1]);
    test_ctx_done(ctx);
}

/* ---- failures ----------------------------------------------------------------------- */

static dpl_status write_numbers(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_JSONL);
    return write_docs(user, ctx, "out", &o, NULL, err);
}

DPL_TEST(beads_writer, survives_failing_allocations)
{
    fixture f = fixture_new();
    test_allocation_failures(write_numbers, &f);
    fixture_done(&f);
}

DPL_TEST(beads_writer, a_file_that_cannot_be_made_is_named)
{
    fixture f = fixture_new();
    dpl_beads_options o =
        DPL_INIT(dpl_beads_options, .to = DPL_BEADS_MOSES, .langs = {"de", "en"});
    CHECK(write_docs(&f, f.ctx, "no/out", &o, NULL, &test_err) == DPL_E_IO);
    CHECK(strstr(test_err.text, "out.de'") != NULL);
    fixture_done(&f);
}

/* ---- folders ------------------------------------------------------------------------ */

static void check_name(const char *left, const char *right, const char *expected)
{
    char name[DPL__BEADS_NAME_BYTES];
    dpl__beads_file_name(name, dpl__cstr(left), dpl__cstr(right), DPL_BEADS_LADDER);
    CHECK_STR(dpl__cstr(name), expected);
}

DPL_TEST(beads_writer, names_of_files_tell_the_pair)
{
    check_name("de-0001", "en-0050", "de-0001--en-0050.ladder");
    check_name("a/b%", "\xC3\xBC\n", "a%2Fb%25--\xC3\xBC%0A.ladder");
    check_name("a", "b--c", "a--b-%2Dc.ladder");
    check_name("a--b", "c", "a-%2Db--c.ladder");
    check_name("a-", "b", "a%2D--b.ladder");
    check_name("a", "-b", "a--%2Db.ladder");
    check_name("..", "-", "%2E.--%2D.ladder");
    check_name("", "", "--.ladder");
}

/* All pairs of ids of up to three characters of "-", "a", "%". */
DPL_TEST(beads_writer, different_pairs_have_different_names)
{
    enum { N = 40 };
    static char ids[N][4];
    static char names[N * N][DPL__BEADS_NAME_BYTES];
    size_t n = 1;
    for (size_t i = 0; n < N; i++)
        for (int k = 0; k < 3 && strlen(ids[i]) < 3; k++) {
            memcpy(ids[n], ids[i], strlen(ids[i]));
            ids[n++][strlen(ids[i])] = "-a%"[k];
        }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            dpl__beads_file_name(names[i * N + j], dpl__cstr(ids[i]), dpl__cstr(ids[j]),
                                 DPL_BEADS_TSV);
    for (size_t i = 0; i < N * N; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(names[i], names[j]) != 0);
}

DPL_TEST(beads_writer, long_ids_have_short_names_with_a_hash)
{
    char left[3000], name[DPL__BEADS_NAME_BYTES], other[DPL__BEADS_NAME_BYTES];
    memset(left, '/', sizeof left);
    left[0] = 'x';
    for (size_t n = 1; n <= sizeof left; n += 1 + n / 8) {
        dpl__beads_file_name(name, (dpl_str){left, n}, DPL_STR("b"), DPL_BEADS_VECALIGN);
        CHECK(strlen(name) <= 220);
        dpl__beads_file_name(other, (dpl_str){left, n - 1}, DPL_STR("/b"), DPL_BEADS_VECALIGN);
        CHECK(strcmp(name, other) != 0);
    }
}

static void long_folder(char out[3000])
{
    size_t n = (size_t)snprintf(out, 3000, "%s", test_path("folder"));
    CHECK(mkdir(out, 0777) == 0 || errno == EEXIST);
    for (int i = 0; i < 6; i++) {
        n += (size_t)snprintf(out + n, 3000 - n, "/%0200d", i);
        if (i < 5)
            CHECK(mkdir(out, 0777) == 0 || errno == EEXIST);
    }
}

DPL_TEST(beads_writer, a_folder_has_a_file_for_each_pair_and_an_index)
{
    fixture f = fixture_new();
    dpl_beads_writer *w = NULL;
    dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = DPL_BEADS_VECALIGN, .folder = true);
    char folder[3000], path[3100];
    long_folder(folder);
    CHECK_OK(dpl_beads_open(&w, f.ctx, folder, f.c[0], f.c[1], &o, &test_err));
    CHECK_OK(dpl_beads_write(w, &f.docs, &test_err));
    CHECK_OK(dpl_beads_write(w, &f.docs, &test_err));
    CHECK_OK(dpl_beads_finish(NULL, w, &test_err));
    dpl_beads_close(w);
    size_t n;
    snprintf(path, sizeof path, "%s/index.tsv", folder);
    char *text = test_read(path, &n);
    CHECK_STR(((dpl_str){text, n}), "a \"1\" <&>\tb\ta \"1\" <&>--b.vecalign\n"
                                    "a \"1\" <&>\tb\ta \"1\" <&>--b.vecalign\n");
    free(text);
    snprintf(path, sizeof path, "%s/a \"1\" <&>--b.vecalign", folder);
    CHECK(access(path, F_OK) == 0);
    o.to = DPL_BEADS_TSV;
    CHECK_EQ(dpl_beads_open(&w, f.ctx, folder, f.c[0], f.c[1], &o, NULL), DPL_E_USAGE);
    fixture_done(&f);
}
