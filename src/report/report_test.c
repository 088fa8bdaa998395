#include "report/report.h"

#include "base/summary.h"
#include "doppel/pairs.h"
#include "test.h"

#include <expat.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a report with something of everything ------------------------------------------- */

/* Breaks out of anything that is not escaped. */
#define HOSTILE                                                                                \
    "</title></style></script><script>alert(1)</script>]]><!--\"' onload=x &lt;\x01\x7F\xFF"

/* A run with the figures that the page shows. */
typedef struct round_figures {
    uint64_t count, n_sampled, n_trained, none;
    double x, least;
} round_figures;

static const dpl_figure of_round[] = {
    {DPL__FIGURE_OF(COUNT, "name_pairs", round_figures, none)},
    {DPL__FIGURE_OF(COUNT, "spelled_pairs", round_figures, none)},
    {DPL__FIGURE_OF(COUNT, "shape_pairs", round_figures, none)},
    {DPL__FIGURE_OF(COUNT, "lexicon_entries", round_figures, count)},
    {DPL__FIGURE_OF(COUNT, "sentence_pairs", round_figures, count)},
    {DPL__FIGURE_OF(COUNT, "pairs", round_figures, count)},
    {DPL__FIGURE_OF(COUNT, "new", round_figures, count)},
    {DPL__FIGURE_OF(COUNT, "gone", round_figures, count)},
    {DPL__FIGURE_OF(COUNT, "sampled_documents", round_figures, n_sampled)},
    {DPL__FIGURE_OF(COUNT, "sampled_pairs", round_figures, n_trained)},
    {DPL__FIGURE_OF(REAL, "least_cosine", round_figures, least)},
    {DPL__FIGURE_OF(REAL, "known_words", round_figures, x)},
    {DPL__FIGURE_OF(REAL, "mean_cosine", round_figures, x)},
    {DPL__FIGURE_OF(REAL, "round_seconds", round_figures, x)},
};
static const dpl_summary_table round_table = {"round", sizeof(round_figures), false, of_round,
                                              DPL_LEN(of_round)};

typedef struct run_figures {
    uint64_t count;
    double x;
    const char *text, *none, *unit;
    const dpl_recall_check *receipt;
    const struct run_figures *links; /* itself; NULL: none */
    const struct run_figures *stages;
    const round_figures *rounds;
    size_t n_rounds, n_stages;
} run_figures;

static const dpl_figure of_side[] = {
    {DPL__FIGURE_OF(TEXT, "lang", run_figures, text)},
    {DPL__FIGURE_OF(COUNT, "documents", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "sentences", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "near_copies", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "boilerplate_sentences", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "untranslated_sentences", run_figures, count)},
};
static const dpl_figure of_links[] = {
    {DPL__FIGURE_OF(COUNT, "links", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "linked", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "matching", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "missing", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "suspicious", run_figures, count)},
    {DPL__FIGURE_OF(REAL, "precision", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "recall", run_figures, x)},
};
static const dpl_figure of_stage[] = {
    {DPL__FIGURE_OF(TEXT, "name", run_figures, text)},
    {DPL__FIGURE_OF(REAL, "seconds", run_figures, x)},
};
static const dpl_summary_table side_table = {"side", sizeof(run_figures), false, of_side,
                                             DPL_LEN(of_side)},
                               links_table = {"links", sizeof(run_figures), false, of_links,
                                              DPL_LEN(of_links)},
                               stage_table = {"stage", sizeof(run_figures), false, of_stage,
                                              DPL_LEN(of_stage)};

static const dpl_figure of_run[] = {
    {.name = "left",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(run_figures),
     .group = &side_table},
    {.name = "right",
     .type = DPL_FIGURE_GROUP,
     .n_bytes = sizeof(run_figures),
     .group = &side_table},
    {DPL__FIGURE_OF(TEXT, "unit", run_figures, unit)},
    {DPL__FIGURE_OF(COUNT, "few_pairs", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "pairs", run_figures, count)},
    {DPL__FIGURE_OF(COUNT, "sentence_pairs", run_figures, count)},
    {DPL__FIGURE_OF(REAL, "sentences_of_a_pair", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "least_confidence", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_precision", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_precision_low", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_precision_high", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_recall", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_recall_low", run_figures, x)},
    {DPL__FIGURE_OF(REAL, "estimated_recall_high", run_figures, x)},
    {DPL__FIGURE_OF(TEXT, "why_no_estimate", run_figures, none)},
    {DPL__FIGURE_OF(TEXT, "why_empty", run_figures, text)},
    {DPL__FIGURE_OF(TEXT, "verdict", run_figures, text)},
    {DPL__FIGURE_OF(GROUP, "links", run_figures, links), .group = &links_table},
    {DPL__FIGURE_OF(GROUP, "recall_check", run_figures, receipt), .group = &dpl_recall_figures},
    {DPL__FIGURE_OF(LIST, "rounds", run_figures, rounds),
     .count = offsetof(run_figures, n_rounds), .n_each = sizeof(round_figures),
     .group = &round_table},
    {DPL__FIGURE_OF(LIST, "stages", run_figures, stages),
     .count = offsetof(run_figures, n_stages), .n_each = sizeof(run_figures),
     .group = &stage_table},
};
static const dpl_summary_table run_table = {"run", sizeof(run_figures), false, of_run,
                                            DPL_LEN(of_run)};

typedef struct example {
    dpl__report report;
    run_figures run;
    dpl_recall_check receipt;
    round_figures round_values[3];
    dpl__report_reason reasons[2];
    dpl__report_round rounds[3];
    dpl__report_link links[2];
    dpl__report_bead beads[3];
    dpl__report_doc_pair pairs[2];
    dpl__report_samples samples[2];
    dpl__report_word words[2];
} example;

static void fill_rounds(example *e, uint64_t count, double x)
{
    for (unsigned i = 0; i < DPL_LEN(e->rounds); i++) {
        e->round_values[i] = (round_figures){.count = count,
                                             .n_sampled = i ? 0 : count,
                                             .n_trained = i ? count : 0,
                                             .least = 0.125,
                                             .x = x};
        e->rounds[i] = (dpl__report_round){{0, 1, {[30] = count, [31] = count / 2 + 1}},
                                           {0, 1, {[7] = count, [9] = 3}}};
    }
}

static void fill_samples(example *e, const char *text, double x)
{
    dpl_str slice = dpl__cstr(text);
    e->links[0] = (dpl__report_link){{0, 1}, {3, 4}, 0.9f};
    e->links[1] = (dpl__report_link){{2, 4}, {9, 7}, (float)x};
    e->beads[0] = (dpl__report_bead){{slice, slice}, NULL, x, e->links, 2};
    e->beads[1] = (dpl__report_bead){{slice, {NULL, 0}}, text, x, NULL, 0};
    e->beads[2] = (dpl__report_bead){{slice, slice}, text, x, e->links, 2};
    for (size_t i = 0; i < DPL_LEN(e->pairs); i++)
        e->pairs[i] = (dpl__report_doc_pair){{slice, slice}, {slice, {NULL, 0}}, x,       x,
                                             e->beads,       DPL_LEN(e->beads),  i * 1000};
    for (size_t i = 0; i < DPL_LEN(e->samples); i++)
        e->samples[i] = (dpl__report_samples){text, text, e->pairs, DPL_LEN(e->pairs)};
}

/* Every text is text, every count is count, every other number x. */
static void fill(example *e, const char *text, uint64_t count, double x)
{
    *e = (example){.receipt = {.n_rows = 500,
                               .n_true = count,
                               .n_found = count,
                               .recall = x,
                               .low = x,
                               .high = x}};
    e->run = (run_figures){.count = count,
                           .x = x,
                           .text = text,
                           .unit = "passage",
                           .receipt = &e->receipt,
                           .links = &e->run,
                           .stages = &e->run,
                           .rounds = e->round_values,
                           .n_rounds = DPL_LEN(e->rounds),
                           .n_stages = 1};
    fill_rounds(e, count, x);
    fill_samples(e, text, x);
    for (size_t i = 0; i < 2; i++) {
        e->reasons[i] = (dpl__report_reason){.name = text, .what = i ? NULL : text};
        e->reasons[i].n = count;
        e->words[i].word = dpl__cstr(text);
        e->words[i].count = count;
        e->words[i].n_to = i * 5;
        for (size_t j = 0; j < 5; j++) {
            e->words[i].to[j].word = dpl__cstr(text);
            e->words[i].to[j].p = x;
        }
    }
    e->report = (dpl__report){.title = text,
                              .run = {&run_table, &e->run, NULL, NULL},
                              .lang = {text, text},
                              .path = {text, text},
                              .threshold = x,
                              .confidence = {0, 1, {[0] = count, [39] = count}},
                              .rounds = e->rounds,
                              .reasons = e->reasons,
                              .n_reasons = 2,
                              .samples = e->samples,
                              .n_samples = DPL_LEN(e->samples),
                              .words = {e->words, e->words},
                              .n_words = {2, 2},
                              .command = text,
                              .version = text};
}

static dpl_status write_report(void *user, dpl_ctx *ctx, dpl_error *err)
{
    return dpl__report_write(ctx, test_path("report.html"), user, err);
}

/* The page; the caller frees it. */
static char *page_of(const dpl__report *report, size_t *n)
{
    dpl_ctx *ctx = test_ctx(1);
    CHECK_OK(write_report((void *)report, ctx, &test_err));
    test_ctx_done(ctx);
    return test_read(test_path("report.html"), n);
}

/* ---- reading it strictly ------------------------------------------------------------- */

enum { MOST_IDS = 200, ID_BYTES = 40 };

typedef struct ids {
    char names[MOST_IDS][ID_BYTES];
    size_t n;
} ids;

typedef struct structure {
    ids defined, wanted;
    unsigned n_elements, n_scripts, n_headings, n_tables, n_captions, n_charts, n_titles;
    unsigned n_other_pages;
    bool is_in_title;
    char title[1000];
    size_t n_title;
} structure;

static bool has_id(const ids *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}

static void add_id(ids *list, const char *name)
{
    CHECK(list->n < MOST_IDS && strlen(name) < ID_BYTES);
    strcpy(list->names[list->n++], name);
}

static void take_attribute(structure *s, const char *element, const char *name,
                           const char *value)
{
    CHECK(strncmp(name, "on", 2) != 0 && strcmp(name, "src") != 0 &&
          strcmp(name, "style") != 0);
    if (strcmp(name, "id") == 0) {
        CHECK(!has_id(&s->defined, value));
        add_id(&s->defined, value);
    } else if (strcmp(name, "aria-labelledby") == 0) {
        add_id(&s->wanted, value);
    } else if (strcmp(name, "href") == 0 && strcmp(value, "links.html") == 0) {
        s->n_other_pages++;                 /* of the same folder */
    } else if (strcmp(name, "href") == 0) { /* nothing outside of the page */
        CHECK(strcmp(element, "a") == 0 && value[0] == '#');
        add_id(&s->wanted, value + 1);
    }
}

static void XMLCALL on_begin(void *user, const char *name, const char **attributes)
{
    structure *s = user;
    s->n_elements++;
    s->n_scripts += strcmp(name, "script") == 0;
    s->n_headings += strcmp(name, "h2") == 0;
    s->n_tables += strcmp(name, "table") == 0;
    s->n_captions += strcmp(name, "caption") == 0;
    s->n_titles += strcmp(name, "title") == 0;
    s->is_in_title = strcmp(name, "title") == 0 && s->n_titles == 1;
    for (; *attributes; attributes += 2) {
        take_attribute(s, name, attributes[0], attributes[1]);
        s->n_charts += strcmp(attributes[0], "role") == 0 && strcmp(attributes[1], "img") == 0;
    }
}

static void XMLCALL on_end(void *user, const char *name)
{
    structure *s = user;
    s->is_in_title = s->is_in_title && strcmp(name, "title") != 0;
}

static void XMLCALL on_text(void *user, const char *text, int n)
{
    structure *s = user;
    if (!s->is_in_title)
        return;
    CHECK(s->n_title + (size_t)n < sizeof s->title);
    memcpy(s->title + s->n_title, text, (size_t)n);
    s->n_title += (size_t)n;
}

/* Well-formed; ids once; references to ids that are there; one script. */
static void check_page(structure *s, const dpl__report *report)
{
    size_t n;
    char *page = page_of(report, &n);
    *s = (structure){.n_elements = 0};
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, s);
    XML_SetElementHandler(parser, on_begin, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    if (XML_Parse(parser, page, (int)n, 1) != XML_STATUS_OK)
        dpl__test_fail(__FILE__, __LINE__, "line %lu: %s", XML_GetCurrentLineNumber(parser),
                       XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    free(page);
    for (size_t i = 0; i < s->wanted.n; i++)
        CHECK(has_id(&s->defined, s->wanted.names[i]));
    CHECK_EQ(s->n_scripts, 1);
    CHECK_EQ(s->n_tables, s->n_captions);
}

/* ---- tests -------------------------------------------------------------------------- */

DPL_TEST(report, is_well_formed_and_refers_to_nothing_else)
{
    example e;
    structure s;
    fill(&e, "text", 1234, 0.5);
    check_page(&s, &e.report);
    CHECK_EQ(s.n_headings, 10);
    CHECK_EQ(s.n_other_pages, 1);
    CHECK_EQ(s.n_charts, 4); /* three rounds and the confidence */
    CHECK(s.n_titles > s.n_charts);
    CHECK_STR(((dpl_str){s.title, s.n_title}), "text \xC2\xB7 doppel");
}

DPL_TEST(report, hostile_text_stays_text)
{
    example plain, hostile;
    structure s, t;
    fill(&plain, "three plain words", 7, 0.5);
    fill(&hostile, HOSTILE, 7, 0.5);
    check_page(&s, &plain.report);
    check_page(&t, &hostile.report);
    CHECK_EQ(s.n_elements, t.n_elements);
    CHECK_STR(((dpl_str){t.title, t.n_title}),
              "</title></style></script><script>alert(1)</script>]]><!--\"' onload=x &lt;"
              "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD \xC2\xB7 doppel");
}

DPL_TEST(report, of_nothing_is_a_page)
{
    structure s;
    static const run_figures no_figures = {0};
    dpl__report nothing = {.run = {&run_table, &no_figures, NULL, NULL}};
    check_page(&s, &nothing);
    CHECK_EQ(s.n_headings, 0);
    example e; /* everything is there, and empty */
    fill(&e, "", 0, 0);
    check_page(&s, &e.report);
    fill(&e, NULL, 0, 0);
    check_page(&s, &e.report);
    CHECK_EQ(s.n_charts, 3); /* a histogram of no candidates is not shown */
}

DPL_TEST(report, survives_numbers_of_every_size)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -0.5, 1e-300};
    for (size_t i = 0; i < DPL_LEN(numbers); i++) {
        example e;
        structure s;
        fill(&e, "text", UINT64_MAX, numbers[i]);
        e.rounds[1].best.low = numbers[i];
        e.rounds[2].second.high = numbers[i];
        e.report.confidence.high = numbers[i];
        check_page(&s, &e.report);
    }
}

static void check_says(const dpl__report *report, const char *what)
{
    char *page = page_of(report, NULL);
    if (!strstr(page, what))
        dpl__test_fail(__FILE__, __LINE__, "the page does not say '%s'", what);
    free(page);
}

DPL_TEST(report, says_what_was_sampled)
{
    example e;
    fill(&e, "text", 1000, 0.5);
    check_says(&e.report, "Round 0: searched with a sample of 1,000 documents for neighbours "
                          "with a cosine of 0.125 or more.");
    check_says(&e.report, "Round 1: trained on a sample of 1,000 document pairs; searched with "
                          "all documents for");
}

DPL_TEST(report, says_what_the_receipt_means)
{
    example e;
    fill(&e, "text", 1000, 0.5);
    e.receipt.n_found = 995;
    e.receipt.recall = 0.995;
    e.receipt.low = 0.991;
    e.receipt.high = 0.998;
    check_says(&e.report, "found 995 of these: a recall of <strong>99.5%</strong>, with 95% "
                          "confidence between 99.1% and 99.8%");
    e.receipt.is_empty = true;
    check_says(&e.report, "nothing can be said");
    e.receipt.is_exact = true;
    check_says(&e.report, "The search was exact");
}

DPL_TEST(report, has_the_same_bytes_again)
{
    example e;
    size_t n[2];
    fill(&e, "text", 12, 0.25);
    char *first = page_of(&e.report, &n[0]), *again = page_of(&e.report, &n[1]);
    CHECK(n[0] == n[1] && memcmp(first, again, n[0]) == 0);
    free(first);
    free(again);
}

DPL_TEST(report, survives_failing_allocations)
{
    example e;
    fill(&e, "text", 12, 0.25);
    test_allocation_failures(write_report, &e.report);
}

/* A limit on the size of files stands for a disk that is full: writes fail at that place. */
DPL_TEST(report, survives_a_full_disk_and_leaves_the_old_file)
{
    example e;
    fill(&e, "text", 12, 0.25);
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("report.html", "old", 3);
    struct rlimit old;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    struct rlimit full = {5000, old.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
    dpl_status status = write_report(&e.report, ctx, &test_err);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    signal(SIGXFSZ, old_handler);
    CHECK_EQ(status, DPL_E_IO);
    CHECK(test_err.sys_errno == EFBIG && strstr(test_err.text, "cannot write") != NULL);
    size_t n;
    free(test_read(path, &n));
    CHECK_EQ(n, 3);
    CHECK(unlink(path) == 0 && rmdir(test_dir()) == 0 && mkdir(test_dir(), 0700) == 0);
    test_ctx_done(ctx);
}
