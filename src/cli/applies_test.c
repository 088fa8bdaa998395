/*
 * applies_test.c - every option of every command that has a condition is refused where the
 * condition does not hold, and accepted where it does.
 *
 * For each option a command line is made in which all conditions hold, and from it one for each
 * condition in which that one alone does not.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/applies.h"
#include "cli/command.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 12, ROOM = 200 };

static char wrong[4000]; /* what failed: standard error is shut meanwhile */

/* Options of a command line and their values. */
typedef struct line {
    const cli_command *command;
    const cli_option *o[MOST];
    const char *value[MOST];
    size_t n;
} line;

/* ---- values ------------------------------------------------------------------------- */

static const char *copy(const char *text, size_t n)
{
    static char room[100000];
    static size_t used;
    if (used + n + 1 > sizeof room)
        used = 0;
    char *out = memcpy(room + used, text, n);
    out[n] = 0;
    used += n + 1;
    return out;
}

/* A value that the option takes. */
static const char *any_value(const cli_option *o)
{
    static const char *const special[][2] = {
        {"fields", "1,2"}, {"langs", "de,en"}, {"rounds", "1,1"}, {"first", "0,0"}};
    for (size_t i = 0; o->parse && i < DPL_LEN(special); i++)
        if (strcmp(o->name, special[i][0]) == 0)
            return special[i][1];
    cli_described room;
    const cli_option *d = cli_describe(&room, o);
    char number[40] = "x";
    if (d->choices && d->choices[0])
        return copy(d->choices[0], strlen(d->choices[0]));
    const bool is_count = d->count || d->number || d->size || d->type == DPL_OPTION_COUNT ||
                          d->type == DPL_OPTION_SIZE || d->type == DPL_OPTION_INTEGER;
    if (is_count)
        snprintf(number, sizeof number, "%llu", (unsigned long long)(d->min ? d->min : 1));
    else if (d->real || d->type == DPL_OPTION_REAL)
        snprintf(number, sizeof number, "%g", d->least < d->most ? d->most : 1);
    return copy(number, strlen(number));
}

static const char *first_of(dpl_str values)
{
    const char *comma = memchr(values.data, ',', values.n);
    return copy(values.data, comma ? (size_t)(comma - values.data) : values.n);
}

static bool is_in(dpl_str values, const char *value)
{
    return cli_is_listed(copy(values.data, values.n), value);
}

/* A choice of the option that is not among the values; NULL: there is none. */
static const char *another(const cli_option *o, dpl_str values)
{
    cli_described room;
    const cli_option *d = cli_describe(&room, o);
    for (size_t i = 0; d->choices && d->choices[i]; i++)
        if (*d->choices[i] && !is_in(values, d->choices[i]))
            return copy(d->choices[i], strlen(d->choices[i]));
    return NULL;
}

/* ---- lines -------------------------------------------------------------------------- */

static size_t place_of(const line *l, const cli_option *o)
{
    size_t i = 0;
    while (i < l->n && l->o[i] != o)
        i++;
    return i;
}

static const char *value_in(const line *l, const cli_option *o)
{
    const size_t i = place_of(l, o);
    if (i < l->n)
        return l->value[i];
    cli_described room;
    const cli_option *d = cli_describe(&room, o);
    return d->choices && d->choices[0] ? copy(d->choices[0], strlen(d->choices[0])) : "";
}

static const cli_option *owner_of(const line *l, const cli_option *knob)
{
    const cli_option *o = l->command->options;
    while (strcmp(o->name, knob->knob_of) != 0)
        o++;
    return o;
}

static void set(line *l, const cli_option *o, const char *value)
{
    const size_t i = place_of(l, o);
    CHECK(i < MOST);
    l->o[i] = o;
    l->value[i] = value;
    l->n += i == l->n;
    if (!o->knob_of)
        return;
    const cli_option *owner = owner_of(l, o);
    const dpl_str with = {o->knob_with, o->knob_with ? strlen(o->knob_with) : 0};
    if (with.n && !is_in(with, value_in(l, owner)))
        set(l, owner, first_of(with));
    else
        set(l, owner, value_in(l, owner));
}

static void take_out(line *l, const cli_option *o)
{
    const size_t i = place_of(l, o);
    if (i == l->n)
        return;
    memmove(l->o + i, l->o + i + 1, (l->n - i - 1) * sizeof *l->o);
    memmove(l->value + i, l->value + i + 1, (l->n - i - 1) * sizeof *l->value);
    l->n--;
}

/* Makes a condition hold, or not. False: that cannot be. */
static bool decide(line *l, const cli_option *other, const cli_condition *c, bool holds)
{
    if (!c->values.n && c->is_not == holds)
        take_out(l, other);
    else if (!c->values.n && place_of(l, other) == l->n)
        set(l, other, any_value(other));
    else if (c->values.n && is_in(c->values, value_in(l, other)) != (c->is_not != holds)) {
        const char *value =
            c->is_not != holds ? first_of(c->values) : another(other, c->values);
        if (!value)
            return false;
        set(l, other, value);
    }
    return true;
}

/* Of alternatives the first. */
static void make_all_hold(line *l)
{
    for (size_t i = 0; i < l->n; i++) {
        bool is_librarys;
        const cli_option *o = l->o[i];
        const char *text = cli_condition_of(o, &is_librarys);
        for (cli_condition c; cli_next_condition(&c, &text);) {
            const cli_option *other =
                cli_condition_names(l->command->options, o, &c, is_librarys);
            if (other && !c.is_or)
                decide(l, other, &c, true);
        }
    }
}

static bool parses(const line *l)
{
    char words[MOST][ROOM], *argv[MOST + 4], argument[4][2] = {"x", "x", "x", "x"};
    int n = 0;
    for (size_t i = 0; i < l->n; i++) {
        const cli_option *o = l->o[i];
        cli_described room;
        if (o->knob_of)
            continue;
        size_t at = (size_t)snprintf(words[n], ROOM, "--%s", o->name);
        if (!cli_describe(&room, o)->flag)
            at += (size_t)snprintf(words[n] + at, ROOM - at, "=%s", l->value[i]);
        char between = ':';
        for (size_t k = 0; k < l->n; k++)
            if (l->o[k]->knob_of && owner_of(l, l->o[k]) == o) {
                const bool is_flag = cli_describe(&room, l->o[k])->flag;
                at += (size_t)snprintf(words[n] + at, ROOM - at, "%c%s%s%s", between,
                                       l->o[k]->name, is_flag ? "" : "=",
                                       is_flag ? "" : l->value[k]);
                between = ',';
            }
        argv[n] = words[n];
        n++;
    }
    for (size_t i = 0; i < l->command->min_args && i < 4; i++)
        argv[n++] = argument[i];
    size_t n_args;
    return cli_parse(l->command, argv, n, &n_args);
}

static void note(const cli_command *command, const cli_option *o, const char *what)
{
    const size_t n = strlen(wrong);
    snprintf(wrong + n, sizeof wrong - n, "%s --%s: %s; ", command->name, o->name, what);
}

/* The conditions of one option. Returns their number. */
static size_t try_option(const cli_command *command, const cli_option *o)
{
    line good = {.command = command};
    set(&good, o, any_value(o));
    make_all_hold(&good);
    const bool is_fine = parses(&good);
    if (!is_fine)
        note(command, o, "refused where it applies");
    bool is_librarys;
    size_t n = 0;
    const char *text = cli_condition_of(o, &is_librarys);
    for (cli_condition c; cli_next_condition(&c, &text);) {
        const cli_option *other = cli_condition_names(command->options, o, &c, is_librarys);
        line bad = good;
        const char *rest = text;
        cli_condition next;
        if (!other || c.is_or || (cli_next_condition(&next, &rest) && next.is_or) ||
            !decide(&bad, other, &c, false))
            continue;
        n++;
        if (parses(&bad))
            note(command, o, "accepted where it does not apply");
    }
    return n;
}

DPL_TEST(cli_applies, every_option_is_refused_where_its_condition_does_not_hold)
{
    const int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    size_t n = 0;
    cli_use(&cli_doppel);
    wrong[0] = 0;
    dup2(nowhere, STDERR_FILENO); /* hundreds of errors */
    for (size_t i = 0; cli_doppel.commands[i]; i++)
        for (const cli_option *o = cli_doppel.commands[i]->options; o && o->name; o++)
            n += try_option(cli_doppel.commands[i], o);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(nowhere);
    cli_parse_end();
    CHECK_STR(dpl__cstr(wrong), "");
    CHECK(n > 200);
}
