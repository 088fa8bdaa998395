/*
 * help.c - the tables as text for a terminal.
 */
#include "cli/help.h"

#include "cli/applies.h"
#include "cli/layout.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const cli_item cli_exit_statuses[] = {
    {"0", "done"},
    {"1", "failed: a file is missing, the disk is full, memory ran out"},
    {"2", "wrong usage"},
    {"3", "damaged input"},
    {"130", "interrupted"},
    {0},
};

const char cli_exit_remark[] = "When the reader of a pipe goes away ('doppel show news.dpl | "
                               "head') the command ends without "
                               "a word and with exit status 1.";

/* "auto,window" -> "auto, window" */
static void put_commas(char *out, size_t n_out, const char *list)
{
    size_t n = 0;
    for (; *list && n + 3 < n_out; list++) {
        out[n++] = *list;
        if (*list == ',')
            out[n++] = ' ';
    }
    out[n] = 0;
}

const char *cli_option_text(char out[CLI_OPTION_TEXT], const cli_option *o,
                            const cli_option *table)
{
    const char *standard = o->standard ? o->standard : o->choices ? o->choices[0] : NULL;
    char with[80] = "";
    if (o->knob_with)
        put_commas(with, sizeof with, o->knob_with);
    size_t n =
        (size_t)snprintf(out, CLI_OPTION_TEXT, "%s%s%s", with, *with ? ": " : "", o->help);
    if (o->choices) {
        char list[256];
        cli_list(list, sizeof list, o->choices, " or ");
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, ": %s", list);
    }
    const char *open = " (";
    if (table && o->max && !o->size && o->type != DPL_OPTION_SIZE) {
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, "%s%llu to %llu", open,
                              (unsigned long long)o->min, (unsigned long long)o->max);
        open = ", ";
    }
    if (table && o->least != o->most) {
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, "%s%g to %g", open, o->least,
                              o->most);
        open = ", ";
    }
    if (standard) {
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, "%sdefault: %s", open, standard);
        open = ", ";
    }
    if (o->texts) {
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, "%smay be repeated", open);
        open = ", ";
    }
    char condition[CLI_CONDITION_TEXT];
    if (table && *cli_condition_text(condition, o, table)) {
        n += (size_t)snprintf(out + n, CLI_OPTION_TEXT - n, "%s%s",
                              open[0] == ',' ? "; " : open, condition);
        open = ", ";
    }
    if (open[0] == ',')
        snprintf(out + n, CLI_OPTION_TEXT - n, ")");
    return out;
}

const char *cli_page_name(char out[CLI_PAGE_NAME], const cli_command *command)
{
    snprintf(out, CLI_PAGE_NAME, "%s-%s", cli_this->name, command->name);
    for (char *p = out; *p; p++)
        *p = *p == ' ' ? '-' : *p;
    return out;
}

const char *cli_example(char out[CLI_EXAMPLE], const char *text)
{
    static const char mark[] = "PROGRAM";
    size_t n = 0;
    *out = 0;
    for (const char *at; n < CLI_EXAMPLE && (at = strstr(text, mark)); text = at + strlen(mark))
        n += (size_t)snprintf(out + n, CLI_EXAMPLE - n, "%.*s%s", (int)(at - text), text,
                              cli_this->name);
    if (n < CLI_EXAMPLE)
        snprintf(out + n, CLI_EXAMPLE - n, "%s", text);
    return out;
}

/* ---- layout ------------------------------------------------------------------------- */

enum { LEFT = 26 }; /* columns of names; what is longer has its text on the next line */

static unsigned width(void)
{
    unsigned n = cli_width(STDOUT_FILENO);
    return n > 96 ? 96 : n < 40 ? 40 : n;
}

static void print_paragraphs(const char *text)
{
    dpl_str line;
    for (unsigned columns = width(); cli_wrap(&line, &text, columns);)
        cli_print("%.*s\n", (int)line.n, line.data);
}

/* A name and its text beside it. */
static void print_item(const char *name, const char *text)
{
    size_t n = strlen(name);
    bool is_beside = n <= LEFT - 2;
    cli_print("%s%s", name, is_beside ? "" : "\n");
    unsigned indent = is_beside ? LEFT - (unsigned)n : LEFT;
    dpl_str line;
    while (cli_wrap(&line, &text, width() - LEFT)) {
        cli_print("%*s%.*s\n", (int)indent, "", (int)line.n, line.data);
        indent = LEFT;
    }
}

static void print_option(const cli_option *entry, const cli_option *table)
{
    char name[64], text[CLI_OPTION_TEXT], letter[] = "-?, ";
    cli_described room;
    const cli_option *o = cli_describe(&room, entry);
    letter[1] = o->letter;
    if (o->knob_of)
        snprintf(name, sizeof name, "          %s%s%s", o->name, o->value ? "=" : "",
                 o->value ? o->value : "");
    else
        snprintf(name, sizeof name, "  %s--%s%s%s", o->letter ? letter : "    ", o->name,
                 o->value ? " " : "", o->value ? o->value : "");
    print_item(name, cli_option_text(text, o, table));
}

static void print_options(const char *title, const cli_option *table)
{
    if (!cli_shows_any(table))
        return;
    cli_print("\n%s:\n", title);
    for (const cli_option *o = table; o->name; o++)
        if (!o->is_hidden)
            print_option(o, table);
}

/* ---- the short page ----------------------------------------------------------------- */

static bool is_of_reader(const cli_option *o)
{
    return (o->table && strcmp(o->table, "reader") == 0) || o->parse == cli_parse_fields;
}

static bool has_reader(const cli_command *c)
{
    for (const cli_option *o = c->options; o && o->name; o++)
        if (is_of_reader(o))
            return true;
    return false;
}

/* The options that people need, or all when there are few; not those that are explained once
 * for many commands, nor knobs. */
static void print_common_options(const cli_command *c)
{
    enum { FEW = 8 };
    size_t n = 0, n_all = 0;
    for (const cli_option *o = c->options; o && o->name; o++)
        n_all += !o->is_hidden && !o->knob_of && !is_of_reader(o);
    for (const cli_option *o = c->options; o && o->name; o++) {
        if (o->is_hidden || o->knob_of || (n_all > FEW && !o->is_common))
            continue;
        if (is_of_reader(o) && !o->is_common)
            continue;
        if (n++ == 0)
            cli_print("\nOptions:\n");
        print_option(o, NULL);
    }
}

static void print_examples(const cli_item *examples, size_t most)
{
    if (!examples)
        return;
    cli_print("\nExamples:\n");
    char line[CLI_EXAMPLE];
    for (const cli_item *e = examples; e->name && (size_t)(e - examples) < most; e++)
        cli_print("%s  # %s\n  %s\n", e == examples ? "" : "\n", e->text,
                  cli_example(line, e->name));
}

static void print_name_and_summary(const cli_command *c)
{
    cli_print("  %-15s %s\n", c->name, c->summary);
}

/* ---- the pages ---------------------------------------------------------------------- */

/* The title of the group that a command begins, or NULL. */
static const char *group_of(const cli_command *c)
{
    for (const cli_item *g = cli_this->groups; g && g->name; g++)
        if (strcmp(g->name, c->name) == 0)
            return g->text;
    return NULL;
}

/* A line for each command, one for all of a family. */
static void print_groups(void)
{
    char members[256];
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        if (group_of(c))
            cli_print("\n%s\n", group_of(c));
        if (!c->family)
            print_name_and_summary(c);
        else if (cli_first_word(i))
            cli_print("  %-15s %s\n", c->family,
                      cli_family_list(members, sizeof members, c->family, ", "));
    }
}

void cli_help_overview(void)
{
    print_paragraphs(cli_this->about);
    cli_print("\nUsage: %s COMMAND [ARGUMENT]... [OPTION]...\n", cli_this->name);
    if (cli_this->groups) {
        print_groups();
    } else {
        cli_print("\nCommands:\n");
        for (size_t i = 0; cli_commands[i]; i++)
            print_name_and_summary(cli_commands[i]);
    }
    cli_print("\nExamples:\n");
    for (const cli_item *e = cli_this->examples; e->name; e++)
        cli_print("  # %s\n  %s\n", e->text, e->name);
    cli_print("\n'%s help COMMAND' explains a command%s.\n", cli_this->name,
              cli_this->groups ? ", 'doppel help reading' formats of documents" : "");
}

void cli_help_family(const char *family)
{
    cli_print("Usage: %s %s COMMAND [ARGUMENT]... [OPTION]...\n\nCommands:\n", cli_this->name,
              family);
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_is_in_family(cli_commands[i], family))
            print_name_and_summary(cli_commands[i]);
    cli_print("\n'%s help %s COMMAND' explains a command and its options.\n", cli_this->name,
              family);
}

static void print_values(const cli_values *values)
{
    if (!values->title)
        return;
    cli_print("\n%s:\n", values->title);
    for (unsigned i = 0; values->name(i); i++) {
        char name[64];
        snprintf(name, sizeof name, "  %s", values->name(i));
        print_item(name, values->text(i));
    }
}

static void print_status(const cli_command *c)
{
    char text[256], page[CLI_PAGE_NAME], held[8][96];
    const char *statuses[8];
    size_t n = 0;
    for (; cli_exit_statuses[n].name; n++) {
        snprintf(held[n], sizeof held[n], "%s %.*s", cli_exit_statuses[n].name,
                 (int)strcspn(cli_exit_statuses[n].text, ":"), cli_exit_statuses[n].text);
        statuses[n] = held[n];
    }
    statuses[n] = NULL;
    cli_print("\nExit status: %s\n", cli_list(text, sizeof text, statuses, ", "));
    cli_print("See also: %s(1), %s(1)%s%s\n", cli_this->name, cli_page_name(page, c),
              c->see_also ? ", " : "", c->see_also ? c->see_also : "");
}

/* The first paragraph. */
static void print_first(const char *about)
{
    const char *end = strstr(about, "\n\n");
    char text[1200];
    snprintf(text, sizeof text, "%.*s", end ? (int)(end - about) : (int)strlen(about), about);
    print_paragraphs(text);
}

void cli_help_command(const cli_command *c, bool is_all)
{
    enum { SOME = 3 }; /* examples of the short page */
    char text[256];
    snprintf(text, sizeof text, "%s %s - %s", cli_this->name, c->name, c->summary);
    print_paragraphs(text);
    if (c->synopsis)
        cli_print("\nUsage: %s %s %s%s[OPTION]...\n", cli_this->name, c->name, c->synopsis,
                  *c->synopsis ? " " : "");
    cli_print("\n");
    if (!is_all) {
        print_first(c->about);
        print_common_options(c);
        print_examples(c->examples, SOME);
        cli_print("\n'%s %s --help all' has all options%s.\n", cli_this->name, c->name,
                  has_reader(c) ? ", 'doppel help reading' formats and fields" : "");
        return;
    }
    print_paragraphs(c->about);
    print_values(&c->values);
    print_options("Options", c->options);
    if (c->synopsis)
        print_options("Options of every command", cli_common_options);
    print_examples(c->examples, SIZE_MAX);
    print_status(c);
}
