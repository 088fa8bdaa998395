#include "cli/command.h"
#include "cli/figure_lines.h"
#include "test.h"

#include <stdio.h>

typedef struct sample {
    uint64_t n, n_left, n_one, n_none;
    double share;
    const char *path;
} sample;

static const dpl_figure rows[] = {
    {.name = "rows", .type = DPL_FIGURE_COUNT, CLI_FIELD(sample, n)},
    {.name = "left", .type = DPL_FIGURE_BYTES, CLI_FIELD(sample, n_left)},
    {.name = "one", .type = DPL_FIGURE_COUNT, CLI_FIELD(sample, n_one)},
    {.name = "none", .type = DPL_FIGURE_COUNT, CLI_FIELD(sample, n_none)},
    {.name = "share", .type = DPL_FIGURE_REAL, CLI_FIELD(sample, share)},
    {.name = "path", .type = DPL_FIGURE_TEXT, CLI_FIELD(sample, path)},
    {.name = "both", .type = DPL_FIGURE_WORDS, .value = "{one} and [none?{none}|no] more"},
};
static const dpl_summary_table table = CLI_SUMMARY(sample, rows);

DPL_TEST(cli_figures, texts_are_filled_in)
{
    const sample s = {.n = 1234567, .n_left = 2048, .n_one = 1, .share = 0.12345, .path = "a"};
    const dpl_figures in = {&table, &s, NULL, NULL};
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {NULL, ""},
        {"plain | text", "plain | text"},
        {"{rows} in '{path}'", "1,234,567 in 'a'"},
        {"{left} of it", "2.0 KiB of it"},
        {"{share:.2f}, {share:.1%}, {share:.1p}, {share:+.2f}", "0.12, 12.3 %, 12.3, +0.12"},
        {"word[one=1?|s], word[rows=1?|s], word[none=1,0?|s]", "word, words, word"},
        {"{one:thread}, {rows:word}", "1 thread, 1,234,567 words"},
        {"[none?some|no] rows", "no rows"},
        {"[none?some]", ""},
        {"[one?some|no][none?, a][rows?, b]", "some, b"},
        {"[none?, a][rows?, b][one?, c]", "b, c"},
        {"[one?[none?x|y{one}]|z]", "y1"},
        {"[path=a?equal]", "equal"},
        {"{both}", "1 and no more"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char text[100];
        CHECK_STR(dpl__cstr(cli_expand(text, sizeof text, &in, 0, cases[i].text)),
                  cases[i].expected);
    }
    char narrow[5];
    CHECK_STR(dpl__cstr(cli_expand(narrow, sizeof narrow, &in, 0, "{rows}")), "1,23");
}

/* ---- the tables of all commands -------------------------------------------------------- */

/* A table and those around it. */
typedef struct tables {
    const dpl_summary_table *table;
    const struct tables *outer;
    const char *only; /* figures that stand there */
} tables;

static bool has_name(const dpl_summary_table *t, dpl_str name)
{
    for (size_t i = 0; i < t->n_figures; i++)
        if (t->figures[i].type == DPL_FIGURE_PART
                ? has_name(t->figures[i].group, name)
                : dpl__str_eq(dpl__cstr(t->figures[i].name), name))
            return true;
    return false;
}

/* "name", or "group.name" */
static bool is_figure(const tables *in, dpl_str name)
{
    const char *point = memchr(name.data, '.', name.n);
    const dpl_str first = {name.data, point ? (size_t)(point - name.data) : name.n};
    while (in && !has_name(in->table, first))
        in = in->outer;
    return in;
}

/* "[name?{name}, ]" is there where the figure is. */
static bool is_guarded(const char *text, dpl_str name)
{
    char guard[64];
    snprintf(guard, sizeof guard, "[%.*s?", (int)name.n, name.data);
    return strstr(text, guard) != NULL;
}

/* Names behind '{', and brackets that close. */
static bool is_known_text(const tables *in, const char *text)
{
    int depth = 0;
    for (const char *p = text; p && *p; p++) {
        depth += (*p == '[') - (*p == ']');
        if (*p != '{')
            continue;
        const dpl_str name = {p + 1, strcspn(p + 1, ":}")};
        if (!dpl__str_eq(name, DPL_STR("#")) && !is_figure(in, name) &&
            !is_guarded(text, name)) {
            printf("'%s' in table '%s': no such figure\n", text, in->table->name);
            return false;
        }
    }
    return depth == 0;
}

/* Keys of that name in one object, parts included. */
static unsigned n_keys(const dpl_figures *in, const char *name)
{
    unsigned n = 0;
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        const dpl_figures part = {f->group, NULL, NULL, f->only};
        if (!dpl_figure_is_listed(in, f))
            continue;
        if (f->type == DPL_FIGURE_PART)
            n += n_keys(&part, name);
        else
            n += f->help && strcmp(f->name, name) == 0;
    }
    return n;
}

static void check_table(const dpl_summary_table *object, const tables *in)
{
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        if (!dpl_figure_is_listed(&(dpl_figures){.table = in->table, .only = in->only}, f))
            continue;
        const tables inner = {f->group, in, f->only};
        const tables *of = f->type == DPL_FIGURE_LIST ? &inner : in; /* of each element */
        CHECK(is_known_text(of, f->label) && is_known_text(of, f->value) &&
              is_known_text(of, f->remark));
        CHECK(f->type == DPL_FIGURE_WORDS || f->compute ||
              f->offset + f->n_bytes <= in->table->n_bytes);
        CHECK(!f->help || (f->help[0] && f->help[strlen(f->help) - 1] != '.'));
        CHECK((f->type == DPL_FIGURE_CHOICE || f->type == DPL_FIGURE_COUNTS) == !!f->choice);
        const bool is_part = f->type == DPL_FIGURE_PART;
        const dpl_figures whole = {object, NULL, NULL, NULL};
        if (f->help && n_keys(&whole, f->name) != 1) {
            printf("'%s' is not once in table '%s'\n", f->name, object->name);
            CHECK(false);
        }
        if (f->group)
            check_table(is_part ? object : f->group, &inner);
    }
}

DPL_TEST(cli_figures, every_key_is_there_once_and_every_text_names_figures)
{
    size_t n = 0;
    for (size_t i = 0; cli_doppel.commands[i]; i++) {
        const dpl_summary_table *t = cli_doppel.commands[i]->figures;
        const tables outermost = {t, NULL, NULL};
        if (t)
            check_table(t, &outermost);
        n += t != NULL;
    }
    CHECK(n > 0);
}
