#include "cli/applies.h"
#include "cli/command.h"
#include "cli/help.h"
#include "doppel/text.h"
#include "test.h"

#include <stdio.h>

DPL_TEST(cli_options, reals_take_values_up_to_their_bounds)
{
    double share = -1;
    const cli_option options[] = {
        {.name = "share", .value = "X", .real = &share, .most = 1, .help = "a share"}, {0}};
    const cli_command command = {.name = "test", .synopsis = "", .options = options};
    static const struct {
        const char *word;
        double value;
    } cases[] = {{"--share=0.25", 0.25}, {"--share=0", 0}, {"--share=1", 1}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char word[32];
        strcpy(word, cases[i].word);
        char *argv[] = {word};
        size_t n_args;
        CHECK(cli_parse(&command, argv, 1, &n_args) && share == cases[i].value);
    }
    char text[CLI_OPTION_TEXT];
    CHECK_STR(dpl__cstr(cli_option_text(text, &options[0], options)), "a share (0 to 1)");
}

DPL_TEST(cli_options, edit_distance_counts_swaps_once)
{
    CHECK_EQ(cli_edit_distance("", ""), 0);
    CHECK_EQ(cli_edit_distance("lang", "lang"), 0);
    CHECK_EQ(cli_edit_distance("lnag", "lang"), 1);
    CHECK_EQ(cli_edit_distance("imprt", "import"), 1);
    CHECK_EQ(cli_edit_distance("kitten", "sitting"), 3);
    CHECK_EQ(cli_edit_distance("", "abc"), 3);
    CHECK_EQ(cli_edit_distance("ca", "abc"), 3); /* a swapped pair is not edited again */
}

DPL_TEST(cli_options, guesses_take_the_nearest_and_leave_the_far)
{
    cli_guess g = {.word = "sohw"};
    cli_guess_offer(&g, "import");
    CHECK(!g.best);
    cli_guess_offer(&g, "snow");
    cli_guess_offer(&g, "show");
    CHECK_STR(dpl__cstr(g.best), "show");
    g = (cli_guess){.word = "comp"};
    cli_guess_offer(&g, "completion");
    CHECK_STR(dpl__cstr(g.best), "completion");
    g = (cli_guess){.word = "tresh"}; /* an abbreviation with a mistake */
    cli_guess_offer(&g, "tables");
    cli_guess_offer(&g, "threshold");
    cli_guess_offer(&g, "threads");
    CHECK_STR(dpl__cstr(g.best), "threshold");
}

static cli_described room;

static const cli_option *option(const cli_option *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return cli_describe(&room, table);
    dpl__test_fail(__FILE__, __LINE__, "no option '%s'", name);
    return NULL;
}

DPL_TEST(cli_options, values_of_an_option_are_its_choices_and_have_a_text)
{
    const cli_command *const commands[] = {&cli_lexicon_align, &cli_lexicon_import};
    static const char *const names[] = {"symmetrize", "from"};
    for (size_t c = 0; c < DPL_LEN(commands); c++) {
        const cli_values *v = &commands[c]->values;
        const cli_option *o = commands[c]->options;
        while (strcmp(o->name, names[c]) != 0)
            o++;
        o = cli_describe(&room, o);
        CHECK(v->title && strstr(v->title, names[c]));
        unsigned n = 0;
        for (; v->name(n); n++) {
            CHECK(o->choices[n] && strcmp(v->name(n), o->choices[n]) == 0);
            CHECK(v->text(n) && *v->text(n));
        }
        CHECK(n > 0 && !o->choices[n] && !v->text(n));
    }
}

DPL_TEST(cli_options, choices_have_the_order_of_the_librarys_enums)
{
    const cli_option *o = option(cli_common_options, "cpu");
    for (unsigned i = 0; o->choices[i]; i++)
        CHECK_STR(dpl__cstr(o->choices[i]), dpl_cpu_name((dpl_cpu)i));
    CHECK(o->choices[DPL_CPU_AMX] && !o->choices[DPL_CPU_AMX + 1]);
    o = option(cli_import.options, "from");
    for (unsigned i = 0; o->choices[i]; i++)
        CHECK_STR(dpl__cstr(o->choices[i]),
                  dpl_option_find(dpl_option_table_of("reader"), "from")->choice(i));
    CHECK(o->choices[DPL_FORMAT_ZIM] && !o->choices[DPL_FORMAT_ZIM + 1]);
}

static cli_texts several;
static const cli_option several_options[] = {
    {.name = "with", .letter = 'w', .value = "FILE", .texts = &several, .help = "more"}, {0}};
static const cli_command several_command = {
    .name = "try", .options = several_options, .synopsis = "", .max_args = CLI_MANY};

DPL_TEST(cli_options, texts_keep_all_values_in_their_order)
{
    char *line[] = {"--with", "a", "x", "--with=", "-wb", "y", "-w", "c"};
    size_t n_args = 0;
    several.n = 0;
    CHECK(cli_parse(&several_command, line, DPL_LEN(line), &n_args));
    CHECK_EQ(n_args, 2);
    CHECK_EQ(several.n, 4);
    CHECK_STR(dpl__cstr(several.at[0]), "a");
    CHECK_STR(dpl__cstr(several.at[1]), "");
    CHECK_STR(dpl__cstr(several.at[2]), "b");
    CHECK_STR(dpl__cstr(several.at[3]), "c");
    char text[CLI_OPTION_TEXT];
    CHECK_STR(dpl__cstr(cli_option_text(text, several_options, several_options)),
              "more (may be repeated)");
}

/* ---- knobs -------------------------------------------------------------------------- */

static unsigned form, n_tables, n_codes, code_width;
static bool is_turned;
static const char *const forms[] = {"auto", "window", "hash", NULL};
static const cli_option knob_options[] = {
    {.name = "method", .value = "M", .choice = &form, .choices = forms, .help = "how"},
    {.name = "tables",
     .value = "Q",
     .count = &n_tables,
     .min = 1,
     .max = 9,
     .knob_of = "method",
     .knob_with = "window",
     .help = "tables"},
    {.name = "width",
     .value = "B",
     .count = &n_codes,
     .max = 9,
     .knob_of = "method",
     .knob_with = "window",
     .help = "places"},
    {.name = "width",
     .value = "X",
     .count = &code_width,
     .max = 9,
     .knob_of = "method",
     .knob_with = "hash",
     .only_with = "turned",
     .help = "of an interval"},
    {.name = "turned", .flag = &is_turned, .knob_of = "method", .help = "turned"},
    {0}};
static const cli_command knob_command = {
    .name = "try", .options = knob_options, .synopsis = ""};

static bool takes_knobs(const char *value)
{
    char *line[] = {"--method", (char *)(uintptr_t)value};
    size_t n_args;
    form = n_tables = n_codes = code_width = 0;
    is_turned = false;
    const bool is_ok = cli_parse(&knob_command, line, DPL_LEN(line), &n_args);
    cli_parse_end();
    return is_ok;
}

DPL_TEST(cli_options, knobs_follow_the_value_that_they_belong_to)
{
    cli_use(&cli_doppel);
    CHECK(takes_knobs("window:tables=3,width=7"));
    CHECK(form == 1 && n_tables == 3 && n_codes == 7 && !code_width);
    CHECK(takes_knobs("hash:turned,width=7"));
    CHECK(form == 2 && code_width == 7 && is_turned && !n_codes);
    CHECK(takes_knobs("auto") && form == 0);
    static const char *const bad[] = {
        "hash:tables=3",    "window:tables",   "window:tables=x", "window:tables=10",
        "window:nothing=1", "window:turned=1", "hash:width=7",    "other:tables=3",
        "window:",          "window:tables=3,"};
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        if (takes_knobs(bad[i]))
            dpl__test_fail(__FILE__, __LINE__, "'%s' was taken", bad[i]);
}

DPL_TEST(cli_options, a_knob_is_no_option_of_its_own)
{
    cli_use(&cli_doppel);
    char *line[] = {"--tables", "3"};
    size_t n_args;
    CHECK(!cli_parse(&knob_command, line, DPL_LEN(line), &n_args));
    cli_parse_end();
}

/* ---- conditions --------------------------------------------------------------------- */

static const char *const shapes[] = {"round", "square", "wavy", NULL};
static unsigned shape;
static bool is_plain, is_filled;
static unsigned waves, edge, colour, depth;
static const cli_option conditional[] = {
    {.name = "shape", .value = "S", .choice = &shape, .choices = shapes, .help = "a shape"},
    {.name = "plain", .flag = &is_plain, .help = "no colour"},
    {.name = "filled", .flag = &is_filled, .help = "filled"},
    {.name = "waves",
     .value = "N",
     .count = &waves,
     .only_with = "shape=wavy",
     .help = "waves"},
    {.name = "edge",
     .value = "N",
     .count = &edge,
     .only_with = "filled !shape=round",
     .help = "edge"},
    {.name = "colour", .value = "N", .count = &colour, .only_with = "!plain", .help = "colour"},
    {.name = "depth",
     .value = "N",
     .count = &depth,
     .only_with = "shape=square|filled",
     .help = "depth"},
    {0}};

static bool parses(const char *a, const char *b, const char *c)
{
    const cli_command command = {.name = "draw", .synopsis = "", .options = conditional};
    char words[3][40], *argv[3];
    const char *const from[] = {a, b, c};
    int n = 0;
    for (; n < 3 && from[n]; n++) {
        snprintf(words[n], sizeof words[n], "%s", from[n]);
        argv[n] = words[n];
    }
    size_t n_args;
    return cli_parse(&command, argv, n, &n_args);
}

DPL_TEST(cli_options, that_do_not_apply_are_refused)
{
    CHECK(!parses("--waves=3", NULL, NULL)); /* the default is another shape */
    CHECK(parses("--waves=3", "--shape=wavy", NULL));
    CHECK(parses("--shape=round", "--waves=3", "--shape=wavy")); /* the last one counts */
    CHECK(!parses("--shape=wavy", "--waves=3", "--shape=round"));
    CHECK(parses("--colour=1", NULL, NULL));
    CHECK(!parses("--colour=1", "--plain", NULL));
    CHECK(!parses("--edge=1", "--filled", NULL)); /* all must hold */
    CHECK(!parses("--edge=1", "--shape=wavy", NULL));
    CHECK(parses("--edge=1", "--shape=wavy", "--filled"));
    CHECK(!parses("--depth=1", NULL, NULL)); /* one of them must hold */
    CHECK(parses("--depth=1", "--filled", NULL));
    CHECK(parses("--depth=1", "--shape=square", NULL));
}

DPL_TEST(cli_options, help_says_when_they_apply)
{
    char text[CLI_OPTION_TEXT];
    CHECK_STR(dpl__cstr(cli_option_text(text, &conditional[3], conditional)),
              "waves (only with --shape wavy)");
    CHECK_STR(dpl__cstr(cli_option_text(text, &conditional[4], conditional)),
              "edge (only with --filled, not with --shape round)");
    CHECK_STR(dpl__cstr(cli_option_text(text, &conditional[6], conditional)),
              "depth (only with --shape square or with --filled)");
}

/* A condition that names an option or a value which there is not would refuse everything, or
 * nothing. */
static void check_names(const char *condition, const dpl_option_table *fields,
                        const cli_option *table, const char *of)
{
    cli_described held;
    for (cli_condition c; cli_next_condition(&c, &condition);) {
        char name[40], values[200];
        snprintf(name, sizeof name, "%.*s", (int)c.name.n, c.name.data);
        snprintf(values, sizeof values, "%.*s", (int)c.values.n, c.values.data);
        const dpl_option *field = fields ? dpl_option_find(fields, name) : NULL;
        const cli_option *o = table;
        while (o && o->name && strcmp(o->name, name) != 0)
            o++;
        if (!field && !(o && o->name) && !(table && strcmp(name, "json") == 0))
            dpl__test_fail(__FILE__, __LINE__, "--%s: no option '%s'", of, name);
        const cli_option *described = !field && o && o->name ? cli_describe(&held, o) : NULL;
        for (char *v = strtok(values, ","); v; v = strtok(NULL, ",")) {
            bool is_there = false;
            for (unsigned i = 0; described && described->choices && described->choices[i]; i++)
                is_there |= strcmp(described->choices[i], v) == 0;
            for (unsigned i = 0; field && field->choice && field->choice(i); i++)
                is_there |= strcmp(field->choice(i), v) == 0;
            if (!is_there)
                dpl__test_fail(__FILE__, __LINE__, "--%s: '%s' has no value '%s'", of, name, v);
        }
    }
}

DPL_TEST(cli_options, conditions_name_options_and_values_that_there_are)
{
    size_t n = 0;
    for (size_t i = 0; cli_commands[i]; i++)
        for (const cli_option *o = cli_commands[i]->options; o && o->name; o++) {
            const dpl_option *d = cli_field_of(o);
            if (o->only_with)
                check_names(o->only_with, NULL, cli_commands[i]->options, o->name);
            if (d && d->only_with)
                check_names(d->only_with, cli_table_of(o), NULL, d->name);
            n += o->only_with || (d && d->only_with);
        }
    CHECK(n > 100);
}

/* ---- the tables themselves ---------------------------------------------------------- */

static void check_text(const char *text)
{
    CHECK(text && *text);
    for (const char *p = text; *p; p++)
        CHECK((*p >= ' ' && *p <= '~') || *p == '\n');
}

/* A struct that begins with its size has it from the start. */
static void check_size(const cli_option *o)
{
    const dpl_option_table *t = cli_table_of(o);
    size_t size = t->n_bytes;
    if (t->options[0].offset >= sizeof size)
        memcpy(&size, o->options, sizeof size);
    CHECK_EQ(size, t->n_bytes);
    if (!cli_field_of(o))
        dpl__test_fail(__FILE__, __LINE__, "'%s' is not in the table '%s'", o->name, t->name);
}

static void check_option(const cli_option *entry, const cli_option *table)
{
    char text[CLI_OPTION_TEXT];
    const cli_option *o = cli_describe(&room, entry);
    check_text(o->help);
    CHECK(strlen(cli_option_text(text, o, table)) < CLI_OPTION_TEXT / 2);
    int n_targets = !!o->flag + !!o->count + !!o->number + !!o->size + !!o->real + !!o->choice +
                    !!o->text + !!o->texts + !!o->parse;
    if (o->table)
        check_size(o);
    else
        CHECK_EQ(n_targets, 1);
    CHECK(o->flag ? !o->value : o->value != NULL);
    CHECK(o->table || !o->choice == !o->choices);
    CHECK(!o->max || o->min <= o->max);
    CHECK(o->least <= o->most && (o->table || o->real || o->least == o->most));
}

static size_t n_of_name(const cli_option *table, const cli_option *like)
{
    size_t n = 0;
    for (const cli_option *o = table; o && o->name; o++)
        n += !o->knob_of &&
             (strcmp(o->name, like->name) == 0 || (o->letter && o->letter == like->letter));
    return n;
}

/* A knob belongs to an option of the command, and to values that this one has; of two of the
 * same name at most one belongs to a value. */
static void check_knob(const cli_option *k, const cli_option *table)
{
    const cli_option *owner = table;
    while (owner->name && (owner->knob_of || strcmp(owner->name, k->knob_of) != 0))
        owner++;
    CHECK(owner->name && !k->letter);
    owner = cli_describe(&room, owner);
    CHECK(owner->choices != NULL);
    size_t n_with = 0, n_commas = 0;
    for (size_t i = 0; owner->choices[i]; i++) {
        size_t n = 0;
        n_with += k->knob_with && cli_is_listed(k->knob_with, owner->choices[i]);
        for (const cli_option *o = table; o->name; o++)
            n += o->knob_of && strcmp(o->knob_of, k->knob_of) == 0 &&
                 strcmp(o->name, k->name) == 0 &&
                 (!o->knob_with || cli_is_listed(o->knob_with, owner->choices[i]));
        CHECK(n <= 1);
    }
    for (const char *p = k->knob_with; p && *p; p++)
        n_commas += *p == ',';
    CHECK(!k->knob_with || n_with == n_commas + 1);
}

DPL_TEST(cli_options, families_stand_together_and_are_no_commands)
{
    cli_use(&cli_doppel);
    for (size_t i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name, *family = cli_commands[i]->family;
        size_t n = strcspn(name, " "), n_first = 0;
        CHECK(!family == !name[n]);
        CHECK(!family || (strlen(family) == n && strncmp(family, name, n) == 0));
        for (size_t j = 0; family && cli_commands[j]; j++) {
            CHECK(strcmp(cli_commands[j]->name, family) != 0);
            n_first += cli_is_in_family(cli_commands[j], family) && cli_first_word(j);
        }
        CHECK_EQ(n_first, family ? 1 : 0);
    }
}

DPL_TEST(cli_options, every_table_is_complete_and_without_doubles)
{
    cli_use(&cli_doppel);
    for (const cli_option *o = cli_common_options; o->name; o++)
        check_option(o, cli_common_options);
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        check_text(c->name);
        check_text(c->summary);
        check_text(c->about);
        CHECK(!c->run == !!c->work && !(c->run && c->check));
        CHECK(!c->defaults == !c->n_defaults);
        CHECK(c->synopsis && c->argument && c->examples && c->examples[0].name);
        CHECK(c->min_args <= c->max_args);
        for (const cli_option *o = c->options; o && o->name; o++) {
            check_option(o, c->options);
            if (o->knob_of)
                check_knob(o, c->options);
            else
                CHECK_EQ(n_of_name(c->options, o) + n_of_name(cli_common_options, o), 1);
        }
    }
}
