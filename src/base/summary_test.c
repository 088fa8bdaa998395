#include "base/json_writer.h"
#include "base/summary.h"
#include "test.h"

typedef struct inner {
    uint32_t depth;
} inner;

/* A struct with a field of every type. */
typedef struct all {
    size_t size;
    uint64_t n;
    uint32_t n_bytes;
    double share;
    float score;
    bool is_on;
    unsigned kind;
    const char *text;
    char lang[12];
    uint64_t reasons[3];
    inner nested;
    const inner *part;
    const inner *list;
    const inner *const *pointers;
    size_t n_list, n_pointers;
    uint64_t n_late;
} all;

static const char *kind_name(unsigned i)
{
    static const char *const names[] = {"first", "second", "third"};
    return i < DPL_LEN(names) ? names[i] : NULL;
}

static double twice(const void *summary)
{
    return 2 * ((const all *)summary)->share;
}

static const dpl_figure inner_rows[] = {
    {.name = "depth", .type = DPL_FIGURE_COUNT, DPL__FIGURE(inner, depth), .help = "depth"}};
static const dpl_summary_table inner_figures = {"inner", sizeof(inner), false, inner_rows,
                                                DPL_LEN(inner_rows)};

static const dpl_figure rows[] = {
    {.name = "n", .type = DPL_FIGURE_COUNT, DPL__FIGURE(all, n), .help = "n"},
    {.name = "bytes", .type = DPL_FIGURE_BYTES, DPL__FIGURE(all, n_bytes), .help = "bytes"},
    {.name = "share", .type = DPL_FIGURE_REAL, DPL__FIGURE(all, share), .help = "share"},
    {.name = "score", .type = DPL_FIGURE_REAL, DPL__FIGURE(all, score), .help = "score"},
    {.name = "twice", .type = DPL_FIGURE_REAL, .compute = twice, .help = "twice"},
    {.name = "on", .type = DPL_FIGURE_FLAG, DPL__FIGURE(all, is_on), .help = "on"},
    {.name = "kind",
     .type = DPL_FIGURE_CHOICE,
     DPL__FIGURE(all, kind),
     .choice = kind_name,
     .help = "kind"},
    {.name = "text", .type = DPL_FIGURE_TEXT, DPL__FIGURE(all, text), .help = "text"},
    {.name = "lang",
     .type = DPL_FIGURE_CHARS,
     DPL__FIGURE(all, lang),
     .only_with = "on",
     .help = "lang"},
    {.name = "reasons",
     .type = DPL_FIGURE_COUNTS,
     DPL__FIGURE(all, reasons),
     .choice = kind_name,
     .help = "reasons"},
    {.name = "nested",
     .type = DPL_FIGURE_GROUP,
     DPL__FIGURE(all, nested),
     .group = &inner_figures,
     .help = "nested"},
    {.name = "part",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(all, part),
     .group = &inner_figures,
     .only = "width depth"},
    {.name = "other",
     .type = DPL_FIGURE_PART,
     DPL__FIGURE(all, part),
     .group = &inner_figures,
     .only = "width"},
    {.name = "list",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(all, list),
     .count = offsetof(all, n_list),
     .n_each = sizeof(inner),
     .group = &inner_figures,
     .help = "list"},
    {.name = "pointers",
     .type = DPL_FIGURE_LIST,
     DPL__FIGURE(all, pointers),
     .count = offsetof(all, n_pointers),
     .group = &inner_figures,
     .help = "pointers"},
    {.name = "words", .type = DPL_FIGURE_WORDS, .value = "said elsewhere"},
    {.name = "hidden", .type = DPL_FIGURE_COUNT, DPL__FIGURE(all, n)},
    {.name = "late", .type = DPL_FIGURE_COUNT, DPL__FIGURE(all, n_late), .help = "late"},
};
static const dpl_summary_table figures = {"all", sizeof(all), true, rows, DPL_LEN(rows)};

static const inner elements[] = {{4}, {5}};
static const inner *const pointers[] = {&elements[1], &elements[0]};

static all sample(void)
{
    return (all){.size = sizeof(all),
                 .n = 3,
                 .n_bytes = 7,
                 .share = 0.25,
                 .score = 0.5f,
                 .is_on = true,
                 .kind = 1,
                 .lang = "de",
                 .reasons = {1, 0, 2},
                 .nested = {8},
                 .part = &elements[0],
                 .list = elements,
                 .pointers = pointers,
                 .n_list = 2,
                 .n_pointers = 2,
                 .n_late = 9};
}

static void check_json(const all *s, const char *expected)
{
    dpl__json_text text = {.ctx = test_ctx(1)};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    const dpl_figures in = {&figures, s, NULL, NULL};
    dpl_json_begin(&j, NULL, '{');
    dpl_summary_json(&j, &in);
    dpl_json_end(&j, '}');
    CHECK_STR(((dpl_str){text.bytes.data, text.bytes.n}), expected);
    dpl__vec_clear(text.ctx, &text.bytes);
    test_ctx_done(text.ctx);
}

DPL_TEST(summary, every_type_of_figure_is_written_once)
{
    all s = sample();
    check_json(&s,
               "{\"n\":3,\"bytes\":7,\"share\":0.25,\"score\":0.5,\"twice\":0.5,\"on\":true,"
               "\"kind\":\"second\",\"text\":null,\"lang\":\"de\","
               "\"reasons\":{\"first\":1,\"third\":2},\"nested\":{\"depth\":8},\"depth\":4,"
               "\"list\":[{\"depth\":4},{\"depth\":5}],"
               "\"pointers\":[{\"depth\":5},{\"depth\":4}],\"late\":9}");
}

DPL_TEST(summary, conditions_and_missing_structs_leave_figures_out)
{
    all s = {.size = offsetof(all, n_late), .share = 0. / 0.};
    /* an older struct: the field behind its end is 0 */
    s.n_late = 9;
    check_json(&s,
               "{\"n\":0,\"bytes\":0,\"share\":null,\"score\":0,\"twice\":null,\"on\":false,"
               "\"kind\":\"first\",\"text\":null,\"reasons\":{},\"nested\":{\"depth\":0},"
               "\"list\":[],\"pointers\":[],\"late\":0}");
}

DPL_TEST(summary, names_are_found_inside_out)
{
    all s = sample();
    const dpl_figures outer = {&figures, &s, NULL, NULL},
                      in = {&inner_figures, &elements[1], &outer, NULL};
    dpl_figure_value v;
    CHECK(dpl_figure_find(&v, &in, DPL_STR("depth")) && v.number == 5);
    CHECK(dpl_figure_find(&v, &outer, DPL_STR("depth")) && v.number == 4); /* of the part */
    CHECK(dpl_figure_find(&v, &in, DPL_STR("n")) && v.number == 3);
    CHECK(dpl_figure_find(&v, &in, DPL_STR("nested.depth")) && v.number == 8);
    CHECK(!dpl_figure_find(&v, &in, DPL_STR("nested.n")));
    CHECK(!dpl_figure_find(&v, &in, DPL_STR("nothing")));
}

DPL_TEST(summary, conditions_are_read_as_those_of_options)
{
    all s = sample();
    const dpl_figures in = {&figures, &s, NULL, NULL};
    static const struct {
        const char *text;
        bool holds;
    } cases[] = {{NULL, true},
                 {"", true},
                 {"n", true},
                 {"!n", false},
                 {"text", false},
                 {"lang", true},
                 {"reasons", true},
                 {"share", true},
                 {"nothing", false},
                 {"!nothing", true},
                 {"kind=second", true},
                 {"kind=first,second", true},
                 {"kind=first,third", false},
                 {"!kind=first", true},
                 {"lang=de kind=second", true},
                 {"lang=de kind=first", false},
                 {"text|n", true},
                 {"text|nothing", false},
                 {"text|n kind=first", false},
                 {"kind=first|kind=second on", true}};
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_EQ(dpl_figure_holds(&in, cases[i].text), cases[i].holds);
}

DPL_TEST(summary, all_figures_but_some_may_be_listed)
{
    const dpl_figures but = {&figures, NULL, NULL, "!n late"},
                      only = {&figures, NULL, NULL, "n late"};
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        const bool is_named = i == 0 || i + 1 == DPL_LEN(rows);
        CHECK(dpl_figure_is_listed(&only, &rows[i]) == is_named);
        CHECK(dpl_figure_is_listed(&but, &rows[i]) != is_named);
    }
}

DPL_TEST(summary, a_missing_part_hides_no_figure_of_that_name)
{
    static const dpl_figure both[] = {
        {.name = "none",
         .type = DPL_FIGURE_PART,
         DPL__FIGURE(all, part),
         .group = &inner_figures},
        {.name = "nested",
         .type = DPL_FIGURE_PART,
         DPL__FIGURE(all, nested),
         .group = &inner_figures},
    };
    static const dpl_summary_table table = {"both", sizeof(all), true, both, DPL_LEN(both)};
    all s = sample();
    const dpl_figures in = {&table, &s, NULL, NULL};
    dpl_figure_value v;
    CHECK(dpl_figure_find(&v, &in, DPL_STR("depth")) && v.number == 4);
    s.part = NULL;
    CHECK(dpl_figure_find(&v, &in, DPL_STR("depth")) && v.number == 8);
}
