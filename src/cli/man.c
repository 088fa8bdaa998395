/*
 * man.c - the tables as manual pages: doppel(1), doppel-import(1), ...
 */
#include "cli/help.h"

#include "cli/layout.h"
#include "cli/talk.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One line that roff takes as it stands: no macro at its start, dashes and quotes that can be
 * copied, no escapes. */
static void put_line(dpl_str line)
{
    if (line.n && (line.data[0] == '.' || line.data[0] == '\''))
        cli_print("\\&");
    for (size_t i = 0; i < line.n; i++)
        switch (line.data[i]) {
        case '-': cli_print("\\-"); break;
        case '\\': cli_print("\\e"); break;
        case '\'': cli_print("\\(aq"); break;
        default: cli_write(line.data + i, 1);
        }
}

static void put(const char *text)
{
    put_line((dpl_str){text, strlen(text)});
}

/* Text of any length; roff fills the lines anew, short ones are for those who read the source.
 */
static void put_filled(const char *text, const char *end)
{
    dpl_str line;
    while (cli_wrap(&line, &text, 72)) {
        put_line(line);
        cli_print("%s\n", *text ? "" : end);
    }
}

static void put_bold(const char *text)
{
    cli_print("\\fB");
    put(text);
    cli_print("\\fR");
}

/* "doppel-import(1)" */
static void put_page(const cli_command *c)
{
    char name[CLI_PAGE_NAME];
    put_bold(cli_page_name(name, c));
    cli_print("(1)");
}

static void put_title(const char *name)
{
    char upper[64];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof upper; n++)
        upper[n] = (char)toupper((unsigned char)name[n]);
    upper[n] = 0;
    cli_print(".TH %s 1 \"\" \"doppel %s\" \"doppel manual\"\n", upper, dpl_version());
}

/* Paragraphs; indented lines are set as they are. */
static void put_paragraphs(const char *text)
{
    bool is_verbatim = false;
    for (dpl_str line; cli_wrap(&line, &text, 72);) {
        bool is_indented = line.n && line.data[0] == ' ';
        if (is_indented != is_verbatim)
            cli_print(is_indented ? ".PP\n.EX\n" : ".EE\n");
        is_verbatim = is_indented;
        if (!line.n) {
            cli_print("%s", *text == ' ' ? "" : ".PP\n");
            continue;
        }
        put_line(line);
        cli_print("\n");
    }
    if (is_verbatim)
        cli_print(".EE\n");
}

static void put_options(const char *title, const cli_option *table)
{
    if (!cli_shows_any(table))
        return;
    cli_print(".SS %s\n", title);
    for (const cli_option *entry = table; entry->name; entry++) {
        char name[64], text[CLI_OPTION_TEXT];
        cli_described room;
        const cli_option *o = cli_describe(&room, entry);
        if (o->is_hidden)
            continue;
        cli_print(".TP\n");
        if (o->letter) {
            snprintf(name, sizeof name, "-%c", o->letter);
            put_bold(name);
            cli_print(", ");
        }
        snprintf(name, sizeof name, "%s%s%s", o->knob_of ? "" : "--", o->name,
                 o->knob_of && o->value ? "=" : "");
        if (o->knob_of)
            cli_print("\\ \\ \\ ");
        put_bold(name);
        if (o->value)
            cli_print("%s\\fI%s\\fR", o->knob_of ? "" : " ", o->value);
        cli_print("\n");
        put_filled(cli_option_text(text, o, table), ".");
    }
}

static void put_item(const char *name, const char *text)
{
    cli_print(".TP\n");
    put_bold(name);
    cli_print("\n");
    put_filled(text, "");
}

static void put_items(const cli_item *items)
{
    for (; items && items->name; items++)
        put_item(items->name, items->text);
}

/* Keys of the JSON object; those of an object or an array in it follow a point. */
static void put_figures(const char *before, const dpl_figures *in)
{
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        const dpl_figures inner = {f->group, NULL, NULL, f->only};
        char name[100];
        if (!dpl_figure_is_listed(in, f))
            continue;
        snprintf(name, sizeof name, "%s%s", before, f->name);
        if (f->type == DPL_FIGURE_PART)
            put_figures(before, &inner);
        else if (f->help)
            put_item(name, f->help);
        if (f->type != DPL_FIGURE_GROUP && f->type != DPL_FIGURE_LIST)
            continue;
        snprintf(name, sizeof name, "%s%s.", before, f->name);
        put_figures(name, &inner);
    }
}

static void put_values(const cli_values *values)
{
    if (!values->title)
        return;
    cli_print(".PP\n");
    put_filled(values->title, ":");
    for (unsigned i = 0; values->name(i); i++) {
        cli_print(".TP\n");
        put_bold(values->name(i));
        cli_print("\n");
        put_filled(values->text(i), "");
    }
}

static void put_examples(const cli_item *examples)
{
    if (!examples)
        return;
    cli_print(".SH EXAMPLES\n");
    for (const cli_item *e = examples; e->name; e++) {
        cli_print("%s", e == examples ? "" : ".PP\n");
        put_filled(e->text, ":");
        char line[CLI_EXAMPLE];
        cli_print(".PP\n.EX\n    ");
        put(cli_example(line, e->name));
        cli_print("\n.EE\n");
    }
}

static void put_end(void)
{
    cli_print(".SH EXIT STATUS\n");
    put_items(cli_exit_statuses);
    cli_print(".PP\n");
    put_filled(cli_exit_remark, "");
    cli_print(".SH SEE ALSO\n");
}

static void overview_page(void)
{
    put_title(cli_this->name);
    cli_print(".SH NAME\n");
    put(cli_this->name);
    cli_print(" \\- ");
    put(cli_this->summary);
    cli_print("\n.SH SYNOPSIS\n");
    put_bold(cli_this->name);
    cli_print(" \\fICOMMAND\\fR [\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n"
              ".SH DESCRIPTION\n");
    put_paragraphs(cli_this->about);
    cli_print(".SH COMMANDS\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print(".TP\n");
        put_page(cli_commands[i]);
        cli_print("\n");
        put(cli_commands[i]->summary);
        cli_print("\n");
    }
    cli_print(".SH OPTIONS\n");
    put_options("Options of every command", cli_common_options);
    put_examples(cli_this->examples);
    put_end();
    for (size_t i = 0; cli_commands[i]; i++) {
        put_page(cli_commands[i]);
        cli_print("%s\n", cli_commands[i + 1] ? "," : "");
    }
}

static void command_page(const cli_command *c)
{
    char name[CLI_PAGE_NAME];
    put_title(cli_page_name(name, c));
    cli_print(".SH NAME\n");
    put(name);
    cli_print(" \\- ");
    put(c->summary);
    cli_print("\n.SH SYNOPSIS\n\\fB");
    put(cli_this->name);
    if (c->synopsis) {
        cli_print(" %s\\fR ", c->name);
        put(c->synopsis);
        cli_print("%s[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n", *c->synopsis ? " " : "");
    } else { /* a topic */
        cli_print(" help %s\\fR\n.SH DESCRIPTION\n", c->name);
    }
    put_paragraphs(c->about);
    put_values(&c->values);
    cli_print(".SH OPTIONS\n");
    put_options("Options of this command", c->options);
    put_options("Options of every command", cli_common_options);
    if (c->figures || c->json)
        cli_print(".SH JSON SUMMARY\n");
    if (c->figures)
        put_figures("", &(dpl_figures){.table = c->figures});
    put_items(c->json);
    put_examples(c->examples);
    put_end();
    put_bold(cli_this->name);
    cli_print("(1)%s", c->see_also ? ", " : "");
    put(c->see_also ? c->see_also : "");
    cli_print("\n");
}

void cli_man_page(const cli_command *command)
{
    if (command)
        command_page(command);
    else
        overview_page();
}
