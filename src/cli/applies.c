/*
 * applies.c - checks and prints the conditions of options: "method=window,auto !no-verify".
 */
#include "cli/applies.h"

#include "cli/command.h"

#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

/* ---- the text of a condition -------------------------------------------------------- */

bool cli_next_condition(cli_condition *out, const char **text)
{
    const char *p = *text + strspn(*text, " ");
    *out = (cli_condition){.is_or = *p == '|'};
    p += out->is_or;
    out->is_not = *p == '!';
    p += out->is_not;
    out->name = (dpl_str){p, strcspn(p, " =|")};
    p += out->name.n;
    p += *p == '=';
    out->values = (dpl_str){p, strcspn(p, " |")};
    *text = p + out->values.n;
    return out->name.n > 0;
}

static bool is_word(dpl_str text, const char *word)
{
    return strlen(word) == text.n && memcmp(word, text.data, text.n) == 0;
}

/* The next of the values between commas, taken off the front. */
static dpl_str next_value(dpl_str *values)
{
    const char *comma = memchr(values->data, ',', values->n);
    const size_t n = comma ? (size_t)(comma - values->data) : values->n;
    const dpl_str value = {values->data, n};
    values->data += n + (comma != NULL);
    values->n -= n + (comma != NULL);
    return value;
}

static bool is_among(dpl_str values, const char *value)
{
    while (values.n) {
        const dpl_str v = next_value(&values);
        if (is_word(v, value))
            return true;
    }
    return false;
}

bool cli_is_listed(const char *list, const char *value)
{
    return is_among((dpl_str){list, strlen(list)}, value);
}

/* ---- the options of a command ------------------------------------------------------- */

const char *cli_condition_of(const cli_option *o, bool *is_librarys)
{
    *is_librarys = !o->only_with && o->table;
    if (!*is_librarys)
        return o->only_with ? o->only_with : "";
    const dpl_option *d = cli_field_of(o);
    return d && d->only_with ? d->only_with : "";
}

const cli_option *cli_condition_names(const cli_option *table, const cli_option *o,
                                      const cli_condition *c, bool is_librarys)
{
    for (const cli_option *other = table; other->name; other++)
        if (is_librarys ? other->table == o->table && other->options == o->options &&
                              is_word(c->name, other->of ? other->of : other->name)
                        : is_word(c->name, other->name))
            return other;
    return is_librarys || table == cli_common_options
               ? NULL
               : cli_condition_names(cli_common_options, o, c, is_librarys);
}

/* What was given, or the default; NULL: neither. */
static const char *value_of(const cli_option *entry)
{
    cli_described room;
    const cli_option *o = cli_describe(&room, entry);
    const char *value = cli_given(o->name);
    return value ? value : o->choices ? o->choices[0] : o->standard;
}

static bool holds(const cli_condition *c, const cli_option *other)
{
    const char *value = c->values.n ? value_of(other) : cli_given(other->name);
    return (value && (!c->values.n || is_among(c->values, value))) != c->is_not;
}

/* ---- the words ---------------------------------------------------------------------- */

/* "auto,brute,window" -> "auto, brute or window" */
static void put_list(char *out, size_t n_out, dpl_str values)
{
    size_t n = 0;
    const char *between = "";
    *out = 0;
    while (values.n && n < n_out) {
        const dpl_str v = next_value(&values);
        n += (size_t)snprintf(out + n, n_out - n, "%s%.*s", between, (int)v.n, v.data);
        between = memchr(values.data, ',', values.n) ? ", " : " or ";
    }
}

const char *cli_or_list(char *out, size_t n_out, const char *list)
{
    put_list(out, n_out, (dpl_str){list, strlen(list)});
    return out;
}

/* "--method brute or window" */
static void put_wanted(char out[CLI_CONDITION_TEXT], const cli_condition *c,
                       const cli_option *other)
{
    size_t n = strlen(out);
    n += (size_t)snprintf(out + n, CLI_CONDITION_TEXT - n, "%s%s", other->knob_of ? "" : "--",
                          other->name);
    if (c->values.n && n < CLI_CONDITION_TEXT) {
        out[n++] = other->knob_of ? '=' : ' ';
        put_list(out + n, CLI_CONDITION_TEXT - n, c->values);
    }
}

const char *cli_condition_text(char out[CLI_CONDITION_TEXT], const cli_option *o,
                               const cli_option *table)
{
    bool is_librarys;
    const char *text = cli_condition_of(o, &is_librarys),
               *before[2] = {"only with ", "not with "};
    out[0] = '\0';
    for (cli_condition c; cli_next_condition(&c, &text);) {
        const cli_option *other = cli_condition_names(table, o, &c, is_librarys);
        if (!other)
            continue;
        const size_t n = strlen(out);
        snprintf(out + n, CLI_CONDITION_TEXT - n, "%s%s", n && !c.is_or ? ", " : "",
                 !c.is_or   ? before[c.is_not]
                 : c.is_not ? " or without "
                            : " or with ");
        before[c.is_not] = c.is_not ? "nor with " : "and with ";
        put_wanted(out, &c, other);
    }
    return out;
}

/* The first condition that does not hold, with its option; of alternatives the last one. NULL
 * when all do. */
static const cli_option *find_broken(cli_condition *broken, const cli_option *table,
                                     const cli_option *o, const char *text, bool is_librarys)
{
    const cli_option *open = NULL; /* no alternative has held so far */
    for (cli_condition c; cli_next_condition(&c, &text);) {
        const cli_option *other = cli_condition_names(table, o, &c, is_librarys);
        if (!other || (c.is_or && !open))
            continue;
        if (open && !c.is_or)
            return open;
        open = holds(&c, other) ? NULL : other;
        *broken = c;
    }
    return open;
}

static bool refuse(const cli_option *o, const cli_option *table, const cli_condition *c,
                   const cli_option *other)
{
    char wanted[CLI_CONDITION_TEXT] = "";
    const char *dashes = o->knob_of ? "" : "--";
    put_wanted(wanted, c, other);
    const char *value = c->values.n ? value_of(other) : NULL;
    if (c->is_or)
        cli_error("%s%s applies %s", dashes, o->name, cli_condition_text(wanted, o, table));
    else if (c->is_not)
        cli_error("%s%s does not apply with %s", dashes, o->name, wanted);
    else if (value)
        cli_error("%s%s applies only with %s (not '%s'%s)", dashes, o->name, wanted, value,
                  cli_given(other->name) ? "" : ", the default");
    else
        cli_error("%s%s applies only with %s", dashes, o->name, wanted);
    return false;
}

/* A knob that another value of its option has, under the same name. */
static bool is_other_knob(const cli_option *o, const cli_option *table)
{
    if (!o->knob_with)
        return false;
    const cli_option *owner = table;
    while (strcmp(owner->name, o->knob_of) != 0)
        owner++;
    const char *value = value_of(owner);
    return !value || !cli_is_listed(o->knob_with, value);
}

bool cli_check_applies(const cli_command *command)
{
    cli_condition broken;
    const cli_option *table = command->options;
    for (const cli_option *o = table; o && o->name; o++) {
        if (!cli_given(o->name) || is_other_knob(o, table))
            continue;
        bool is_librarys;
        const char *own = cli_condition_of(o, &is_librarys);
        const cli_option *other = find_broken(&broken, table, o, own, is_librarys);
        if (!other && command->raw_with && (o->is_raw || o->is_read))
            other = find_broken(&broken, table, o, command->raw_with, false);
        if (other)
            return refuse(o, table, &broken, other);
    }
    return true;
}
