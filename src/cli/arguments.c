/*
 * arguments.c - reads the command line by the tables.
 */
#include "cli/arguments.h"

#include "doppel/device.h"

#include "cli/applies.h"
#include "cli/command.h"
#include "cli/layout.h"
#include "cli/talk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_common cli_set;

/* Those that the library finds come behind "auto". */
enum { MOST_DEVICES = 8 };
static const char *devices[MOST_DEVICES + 2] = {"auto", "cpu"};
static const char *const cpu_levels[] = {"auto",   "scalar", "sse4.2", "avx2",
                                         "avx512", "amx",    NULL};

void cli_find_devices(void)
{
    const char *name;
    for (size_t i = 0; i < MOST_DEVICES && dpl_device(i, &name, NULL); i++)
        devices[1 + i] = name;
}

const char *cli_device_name(void)
{
    return devices[cli_set.device];
}

const cli_option cli_common_options[] = {
    {.name = "threads",
     .value = "N",
     .count = &cli_set.threads,
     .min = 1,
     .max = 1024,
     .standard = "one per processor",
     .help = "number of threads"},
    {.name = "memory",
     .value = "SIZE",
     .size = &cli_set.memory,
     .min = 1 << 20,
     .standard = "half of the memory of the machine",
     .help = "memory limit of the process, such as 512M or 1.5G"},
    {.name = "seed",
     .value = "N",
     .number = &cli_set.seed,
     .min = 1,
     .standard = "a fixed number",
     .help = "seed of the random numbers"},
    {.name = "device",
     .value = "DEVICE",
     .choice = &cli_set.device,
     .choices = devices,
     .help = "compute device"},
    {.name = "cpu",
     .value = "LEVEL",
     .choice = &cli_set.cpu,
     .choices = cpu_levels,
     .help = "instruction set; the results are the same"},
    {.name = "quiet",
     .letter = 'q',
     .flag = &cli_set.quiet,
     .help = "print errors only: no progress, no summary"},
    {.name = "json",
     .flag = &cli_set.json,
     .help = "print the summary as one JSON object on standard output, or on standard error "
             "when the data goes to standard output"},
    {.name = "help",
     .letter = 'h',
     .flag = &cli_set.help,
     .help = "print the common options; --help all: all of them"},
    {0},
};

/* ---- what the library says about them ----------------------------------------------- */

static cli_complete completion_of(dpl_option_type type)
{
    return type == DPL_OPTION_FILE_IN || type == DPL_OPTION_FILE_OUT ? CLI_FILES
           : type == DPL_OPTION_FOLDER                               ? CLI_FOLDERS
                                                                     : CLI_NOTHING;
}

const dpl_option_table *cli_table_of(const cli_option *o)
{
    const dpl_option_table *table = dpl_option_table_of(o->table);
    return !table && cli_this && cli_this->table_of ? cli_this->table_of(o->table) : table;
}

const dpl_option *cli_field_of(const cli_option *o)
{
    return o->table ? dpl_option_find(cli_table_of(o), o->of ? o->of : o->name) : NULL;
}

const cli_option *cli_describe(cli_described *room, const cli_option *option)
{
    if (!option->table)
        return option;
    const dpl_option *d = cli_field_of(option);
    cli_option *o = &room->option;
    *o = *option;
    if (!d)
        return o; /* a test walks all tables */
    o->type = d->type;
    o->value = o->value ? o->value : d->value;
    o->help = o->help ? o->help : d->help;
    o->standard = o->standard ? o->standard : d->standard;
    o->min = d->min;
    o->max = d->max;
    o->least = d->least;
    o->most = d->most;
    if (o->complete == CLI_NOTHING)
        o->complete = completion_of(d->type);
    o->is_output = o->is_output || d->type == DPL_OPTION_FILE_OUT;
    const void *field = (const char *)o->options + d->offset;
    if (d->type == DPL_OPTION_FLAG)
        o->flag = field;
    if (d->type >= DPL_OPTION_TEXT && d->type <= DPL_OPTION_FOLDER)
        o->text = field;
    size_t n = 0;
    if (!d->choice || option->choices)
        return o;
    for (unsigned i = 0; d->choice(i) && n < CLI_MOST_CHOICES; i++)
        if (*d->choice(i))
            room->choices[n++] = d->choice(i);
    room->choices[n] = NULL;
    o->choices = room->choices;
    return o;
}

/* ---- words -------------------------------------------------------------------------- */

const char *cli_list(char *out, size_t n_out, const char *const *words, const char *last)
{
    size_t n = 0;
    *out = 0;
    for (size_t i = 0; words[i] && n < n_out; i++) {
        const char *between = i == 0 ? "" : words[i + 1] ? ", " : last;
        n += (size_t)snprintf(out + n, n_out - n, "%s%s", between, words[i]);
    }
    return out;
}

/* ---- did you mean ------------------------------------------------------------------- */

enum { LONGEST_GUESS = 40 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned cli_edit_distance(const char *a, const char *b)
{
    size_t n_a = strlen(a), n_b = strlen(b);
    if (n_a > LONGEST_GUESS || n_b > LONGEST_GUESS)
        return UINT_MAX;
    unsigned rows[3][LONGEST_GUESS + 1]; /* row i of the table is rows[i % 3] */
    for (size_t i = 0; i <= n_a; i++)
        for (size_t j = 0; j <= n_b; j++) {
            unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3];
            if (i == 0 || j == 0) {
                row[j] = (unsigned)(i + j);
                continue;
            }
            row[j] = least(least(up[j], row[j - 1]) + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    return rows[n_a % 3][n_b];
}

/* The same from a word to the beginning of another one, about as long: an abbreviation with a
 * mistake. */
static unsigned begin_distance(const char *word, const char *candidate)
{
    char begin[LONGEST_GUESS + 2];
    size_t n = strlen(word), n_candidate = strlen(candidate);
    unsigned distance = UINT_MAX - 1;
    for (size_t k = n - 1; k <= n + 1 && k <= n_candidate && k <= LONGEST_GUESS; k++) {
        snprintf(begin, sizeof begin, "%.*s", (int)k, candidate);
        distance = least(distance, cli_edit_distance(word, begin));
    }
    return distance > 1 ? UINT_MAX - 1 : distance;
}

void cli_guess_offer(cli_guess *guess, const char *candidate)
{
    size_t n = strlen(guess->word);
    unsigned distance = cli_edit_distance(guess->word, candidate);
    if (n >= 2 && strncmp(guess->word, candidate, n) == 0)
        distance = 1; /* an abbreviation */
    else if (n >= 4)
        distance = least(distance, begin_distance(guess->word, candidate) + 1);
    if (distance <= (n + 1) / 3 && (!guess->best || distance < guess->distance)) {
        guess->best = candidate;
        guess->distance = distance;
    }
}

/* ---- the line that is read ----------------------------------------------------------- */

enum { MOST_GIVEN = 200, MOST_KEPT = 64 };
static struct {
    struct {
        const char *name, *value;
    } given[MOST_GIVEN];
    size_t n_given;
    const char *defaults;
    char *settings; /* a copy of them, filled in */
    size_t n_bytes;
    char *kept[MOST_KEPT]; /* texts cut into pieces */
    size_t n_kept;
} line;

static bool begin(const cli_command *command)
{
    cli_parse_end();
    if (!command->defaults)
        return true;
    line.settings = malloc(command->n_defaults);
    if (!line.settings)
        return cli_no_memory() == CLI_DONE;
    line.defaults = command->defaults;
    line.n_bytes = command->n_defaults;
    memcpy(line.settings, line.defaults, line.n_bytes);
    return true;
}

void cli_parse_end(void)
{
    free(line.settings);
    while (line.n_kept)
        free(line.kept[--line.n_kept]);
    line.settings = NULL;
    line.defaults = NULL;
    line.n_bytes = 0;
}

char *cli_keep(const char *text)
{
    char *copy = line.n_kept < MOST_KEPT ? malloc(strlen(text) + 1) : NULL;
    if (!copy) {
        cli_no_memory();
        return NULL;
    }
    return line.kept[line.n_kept++] = strcpy(copy, text);
}

void *cli_settings(void)
{
    return line.settings;
}

void *cli_place(const void *of_defaults)
{
    const uintptr_t at = (uintptr_t)of_defaults, from = (uintptr_t)line.defaults;
    return at - from < line.n_bytes ? (void *)(line.settings + (at - from)) : (void *)at;
}

/* ---- one option --------------------------------------------------------------------- */

/* In front of the name of an option, not of a knob. */
static const char *dashes(const cli_option *o)
{
    return o->knob_of ? "" : "--";
}

bool cli_bad_value(const cli_option *o, const char *value, const char *expected)
{
    cli_error("bad value '%s' for %s%s: expected %s", value, dashes(o), o->name, expected);
    return false;
}

static bool bad_choice(const cli_option *o, const char *value)
{
    char list[256];
    cli_bad_value(o, value, cli_list(list, sizeof list, o->choices, " or "));
    cli_guess guess = {.word = value};
    for (size_t i = 0; o->choices[i]; i++)
        cli_guess_offer(&guess, o->choices[i]);
    if (guess.best)
        cli_hint("did you mean '%s'?", guess.best);
    return false;
}

static bool find_choice(unsigned *out, const cli_option *o, const char *value)
{
    for (*out = 0; o->choices[*out]; ++*out)
        if (strcmp(o->choices[*out], value) == 0)
            return true;
    return bad_choice(o, value);
}

static bool set_choice(const cli_option *o, const char *value)
{
    unsigned i;
    if (!find_choice(&i, o, value))
        return false;
    *(unsigned *)cli_place(o->choice) = i;
    return true;
}

static bool bad_number(const cli_option *o, const char *value)
{
    char range[80], bound[32];
    if (o->real && o->least == o->most)
        snprintf(range, sizeof range, "a number");
    else if (o->real)
        snprintf(range, sizeof range, "a number from %g to %g", o->least, o->most);
    else if (o->size)
        snprintf(range, sizeof range, "a size of %s or more, such as 512M or 1.5G",
                 cli_bytes(bound, o->min));
    else if (o->max)
        snprintf(range, sizeof range, "a number from %llu to %llu", (unsigned long long)o->min,
                 (unsigned long long)o->max);
    else
        snprintf(range, sizeof range, "a number from %llu up", (unsigned long long)o->min);
    return cli_bad_value(o, value, range);
}

static bool set_number(const cli_option *o, const char *value)
{
    uint64_t x, most = o->max ? o->max : o->count ? UINT_MAX : UINT64_MAX;
    bool is_number = o->size ? dpl_parse_size(&x, value) : dpl_parse_number(&x, value);
    if (!is_number || x < o->min || x > most)
        return bad_number(o, value);
    if (o->count)
        *(unsigned *)cli_place(o->count) = (unsigned)x;
    else
        *(uint64_t *)cli_place(o->size ? o->size : o->number) = x;
    return true;
}

static bool set_real(const cli_option *o, const char *value)
{
    double x;
    bool is_bound = o->least != o->most;
    if (!dpl_parse_real(&x, value) || (is_bound && (x < o->least || x > o->most)))
        return bad_number(o, value);
    *(double *)cli_place(o->real) = x;
    return true;
}

static bool add_text(const cli_option *o, const char *value)
{
    cli_texts *texts = cli_place(o->texts);
    if (texts->n == CLI_MOST_TEXTS) {
        cli_error("option '--%s' was given more than %d times", o->name, CLI_MOST_TEXTS);
        return false;
    }
    texts->at[texts->n++] = value;
    return true;
}

/* A field of a struct of the library. */
static bool set_field(const cli_option *o, const char *value)
{
    char expected[300];
    const char *name = o->of ? o->of : o->name;
    unsigned i;
    if (o->canonical)
        value = o->canonical(value);
    if (o->type == DPL_OPTION_CHOICE && !find_choice(&i, o, value))
        return false;
    if (dpl_option_parse(cli_place(o->options), cli_table_of(o), name, value, NULL) == DPL_OK)
        return true;
    return cli_bad_value(o, value,
                         dpl_option_expects(expected, sizeof expected, cli_field_of(o)));
}

static bool set_value(const cli_option *o, const char *value)
{
    if (o->parse)
        return o->parse(o, cli_place(o->place), value);
    if (o->table)
        return set_field(o, value);
    if (o->choice)
        return set_choice(o, value);
    if (o->real)
        return set_real(o, value);
    if (o->texts)
        return add_text(o, value);
    if (!o->text)
        return set_number(o, value);
    *(const char **)cli_place(o->text) = value;
    return true;
}

/* ---- what was given ----------------------------------------------------------------- */

const char *cli_given(const char *name)
{
    for (size_t i = 0; i < line.n_given; i++)
        if (strcmp(line.given[i].name, name) == 0)
            return line.given[i].value;
    return NULL;
}

static void note_given(const cli_option *o, const char *value)
{
    size_t i = 0;
    while (i < line.n_given && strcmp(line.given[i].name, o->name) != 0)
        i++;
    if (i == MOST_GIVEN)
        return; /* no command has so many options */
    line.n_given += i == line.n_given;
    line.given[i].name = o->name;
    line.given[i].value = o->canonical ? o->canonical(value) : value;
}

static bool take(const cli_option *o, const char *value)
{
    note_given(o, value);
    return o->flag ? *(bool *)cli_place(o->flag) = true : set_value(o, value);
}

/* ---- the line ----------------------------------------------------------------------- */

/* The words of the command line that are still to be read. */
typedef struct words {
    const cli_command *command;
    char **at, **end;
} words;

static const cli_option *find_in(const cli_option *table, const char *name, size_t n,
                                 char letter)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (o->knob_of)
            continue;
        else if (letter ? o->letter == letter : strncmp(o->name, name, n) == 0 && !o->name[n])
            return o;
    return NULL;
}

static const cli_option *find(cli_described *room, const cli_command *c, const char *name,
                              size_t n, char letter)
{
    const cli_option *o = find_in(c->options, name, n, letter);
    if (!o)
        o = find_in(cli_common_options, name, n, letter);
    return o ? cli_describe(room, o) : NULL;
}

bool cli_shows_any(const cli_option *table)
{
    while (table && table->name && table->is_hidden)
        table++;
    return table && table->name;
}

static void offer_names(cli_guess *guess, const cli_option *table)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (!o->is_hidden && !o->knob_of)
            cli_guess_offer(guess, o->name);
}

/* A knob that was written as an option of its own: where it belongs. */
static bool hint_at_knob(const cli_command *c, const char *name)
{
    for (const cli_option *o = c->options; o && o->name; o++)
        if (o->knob_of && strcmp(o->name, name) == 0) {
            cli_described room;
            const cli_option *d = cli_describe(&room, o);
            const char *with = o->knob_with ? o->knob_with : "";
            const char *last = strrchr(with, ',');
            cli_hint("write --%s %s:%s%s%s", o->knob_of,
                     last    ? last + 1
                     : *with ? with
                             : "VALUE",
                     o->name, d->value ? "=" : "", d->value ? d->value : "");
            return true;
        }
    return false;
}

static bool unknown_option(const cli_command *c, const char *word, size_t n)
{
    char name[LONGEST_GUESS + 1];
    cli_error("unknown option '%.*s'", (int)n, word);
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    cli_guess guess = {.word = name + strspn(name, "-")};
    if (hint_at_knob(c, guess.word))
        return false;
    offer_names(&guess, c->options);
    offer_names(&guess, cli_common_options);
    if (guess.best)
        cli_hint("did you mean '--%s'?", guess.best);
    else
        cli_hint("'%s %s --help all' lists the options", cli_this->name, c->name);
    return false;
}

/* ---- knobs -------------------------------------------------------------------------- */

static bool has_knobs(const cli_command *c, const cli_option *o)
{
    for (const cli_option *k = c->options; k && k->name; k++)
        if (k->knob_of && strcmp(k->knob_of, o->name) == 0)
            return true;
    return false;
}

static bool is_knob_of(const cli_option *k, const char *option, const char *value)
{
    return k->knob_of && strcmp(k->knob_of, option) == 0 &&
           (!k->knob_with || cli_is_listed(k->knob_with, value));
}

static bool unknown_knob(const cli_command *c, const char *option, const char *value,
                         const char *name)
{
    char list[300] = "", with[100];
    size_t n = 0;
    const cli_option *elsewhere = NULL;
    cli_guess guess = {.word = name};
    for (const cli_option *k = c->options; k->name; k++) {
        if (!elsewhere && k->knob_of && strcmp(k->name, name) == 0 &&
            strcmp(k->knob_of, option) == 0)
            elsewhere = k;
        if (!is_knob_of(k, option, value))
            continue;
        cli_guess_offer(&guess, k->name);
        if (n < sizeof list)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", k->name);
    }
    if (elsewhere)
        cli_error("'%s' applies only with --%s %s (not '%s')", name, option,
                  cli_or_list(with, sizeof with, elsewhere->knob_with), value);
    else
        cli_error("unknown knob '%s' of --%s %s", name, option, value);
    if (guess.best && !elsewhere)
        cli_hint("did you mean '%s'?", guess.best);
    else if (n)
        cli_hint("the knobs of %s: %s", value, list);
    else
        cli_hint("%s has no knobs", value);
    return false;
}

/* "tables=9", "by-language" */
static bool take_knob(const cli_command *c, const char *option, const char *value, char *text)
{
    char *equals = strchr(text, '=');
    if (equals)
        *equals = 0;
    const cli_option *k = c->options;
    while (k->name && !(is_knob_of(k, option, value) && strcmp(k->name, text) == 0))
        k++;
    if (!k->name)
        return unknown_knob(c, option, value, text);
    cli_described room;
    const cli_option *o = cli_describe(&room, k);
    if (!o->flag && !equals)
        cli_error("knob '%s' needs a value: %s=%s", o->name, o->name, o->value);
    else if (o->flag && equals)
        cli_error("knob '%s' takes no value", o->name);
    else
        return take(o, equals ? equals + 1 : "");
    return false;
}

/* A value and its knobs: "window:tables=9,width=512". */
static bool take_all(const cli_command *c, const cli_option *o, const char *value)
{
    if (!strchr(value, ':') || !has_knobs(c, o))
        return take(o, value);
    char *text = cli_keep(value);
    if (!text)
        return false;
    char *knob = strchr(text, ':');
    *knob++ = 0;
    if (!take(o, text))
        return false;
    for (char *next; knob; knob = next) {
        next = strchr(knob, ',');
        if (next)
            *next++ = 0;
        if (!take_knob(c, o->name, text, knob))
            return false;
    }
    return true;
}

/* The value of an option that has none behind "=": the next word. Something that looks like an
 * option is more likely one, and a forgotten value, than a strange value. */
static bool take_value(words *w, const cli_option *o, const char *spelled)
{
    if (w->at == w->end) {
        cli_error("option '%s' needs a value: %s %s", spelled, spelled, o->value);
        return false;
    }
    const char *next = *w->at;
    if (strncmp(next, "--", 2) == 0) {
        cli_error("option '%s' needs a value: %s %s", spelled, spelled, o->value);
        cli_hint("if '%s' is the value, write --%s=%s", next, o->name, next);
        return false;
    }
    w->at++;
    return take_all(w->command, o, next);
}

/* "--name", "--name=value" */
static bool read_long(words *w, const char *word)
{
    size_t n = strcspn(word, "=");
    cli_described room;
    const cli_option *o = n > 2 ? find(&room, w->command, word + 2, n - 2, 0) : NULL;
    if (!o)
        return unknown_option(w->command, word, n);
    if (o->flag) {
        if (word[n] == '=') {
            cli_error("option '--%s' takes no value", o->name);
            return false;
        }
        return take(o, "");
    }
    return word[n] == '=' ? take_all(w->command, o, word + n + 1) : take_value(w, o, word);
}

/* "-q", "-ovalue", "-qo value" */
static bool read_short(words *w, const char *word)
{
    for (const char *p = word + 1; *p; p++) {
        cli_described room;
        const cli_option *o = find(&room, w->command, NULL, 0, *p);
        char spelled[] = {'-', *p, 0};
        if (!o)
            return unknown_option(w->command, p == word + 1 ? word : spelled, strlen(word));
        if (!o->flag)
            return p[1] ? take_all(w->command, o, p + 1) : take_value(w, o, spelled);
        take(o, "");
    }
    return true;
}

static bool check_arguments(const cli_command *c, char **args, size_t n)
{
    if (n < c->min_args)
        cli_error("no %s given", n == 0 ? c->argument : c->second);
    else if (n > c->max_args)
        cli_error("unexpected argument '%s'", args[c->max_args]);
    else
        return true;
    cli_hint("usage: %s %s%s%s", cli_this->name, c->name, *c->synopsis ? " " : "", c->synopsis);
    return false;
}

bool cli_parse(const cli_command *command, char **argv, int argc, size_t *n_args)
{
    words w = {command, argv, argv + argc};
    bool options_ended = false;
    *n_args = line.n_given = 0;
    if (!begin(command))
        return false;
    while (w.at < w.end) {
        char *word = *w.at++;
        if (options_ended || word[0] != '-' || !word[1])
            argv[(*n_args)++] = word; /* never past w.at */
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-' ? !read_long(&w, word) : !read_short(&w, word))
            return false;
        if (cli_set.help) {
            cli_set.help_all = w.at < w.end && strcmp(*w.at, "all") == 0;
            return true;
        }
    }
    return check_arguments(command, argv, *n_args) && cli_check_applies(command);
}
