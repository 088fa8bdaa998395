/*
 * arguments.h - options as tables, and the parser that fills in what the tables point to.
 *
 *     typedef struct settings {
 *         unsigned ngrams;
 *     } settings;
 *     static const settings defaults;
 *     static const cli_option options[] = {
 *         {.name = "ngrams", .value = "N", .count = &defaults.ngrams, .min = 1, .max = 8,
 *          .help = "character n-grams of N instead of words"},
 *         {0},
 *     };
 *
 * The command (command.h) names both; its run function gets settings of its own, a copy of the
 * defaults with what was given.
 *
 * An option that sets a field of one of the library's structs is described there, once
 * (doppel/options.h), and only named here; what an entry says itself comes first:
 *
 *     CLI_OPTION(tokens, &defaults.tokens, "ngrams"),
 *     CLI_OPTION(tokens, &defaults.tokens, "stem", .help = "raw documents: reduce words to
 * stems"),
 *
 * Help, man pages, completion and range checks come from the same entries. Write `--name VALUE`
 * or `--name=VALUE`; options and arguments mix, `--` ends the options, the last of several
 * wins, unless the option takes texts. Knobs of a value follow it: `--name VALUE:KNOB=X,KNOB`.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "doppel/options.h"

struct cli_command;

/* What a shell offers for a value or an argument. */
typedef enum cli_complete { CLI_NOTHING, CLI_FILES, CLI_FOLDERS, CLI_COMMANDS } cli_complete;

/* The values of an option that may be repeated, in their order. */
enum { CLI_MOST_TEXTS = 64 };
typedef struct cli_texts {
    const char *at[CLI_MOST_TEXTS];
    size_t n;
} cli_texts;

/* Texts are plain ASCII, start in lower case and have no full stop at the end. */
typedef struct cli_option {
    const char *name;     /* without the dashes; NULL ends the table */
    char letter;          /* 0: no short form */
    const char *value;    /* what its value is called: "FILE"; NULL for a flag */
    const char *help;     /* range, choices and default are added to it */
    const char *standard; /* the default in words; NULL: the first choice, or nothing to say */
    /* Where the value goes: a field of the command's `defaults`, of which the parser fills in a
     * copy. One of them is set and decides what is accepted. */
    const bool *flag;
    const unsigned *count;  /* whole number in [min, max] */
    const uint64_t *number; /* the same, wider */
    const uint64_t *size;   /* bytes in [min, max], written as 512M, 1.5GiB */
    const double *real;     /* decimal number in [least, most] */
    const unsigned *choice; /* index into choices; the first is the default */
    const char *const *text;
    const cli_texts *texts; /* all of them, when it is given several times */
    /* Sets place, a field of the settings, from the value; false when it does not fit, which it
     * has printed then. */
    bool (*parse)(const struct cli_option *o, void *place, const char *value);
    const void *place;
    uint64_t min, max;          /* max 0: no bound */
    double least, most;         /* of a real; equal: no bounds */
    const char *const *choices; /* NULL ends; of a field: only these */
    cli_complete complete;      /* text and texts only */
    /* Instead of all that: the field of a struct that the library describes. */
    const char *table;   /* its table: "reader" */
    const void *options; /* the struct, within the defaults */
    const char *of;      /* the option's name in the table, when it is another one */
    const char *(*canonical)(const char *value); /* the choice that another name means */
    dpl_option_type type;                        /* filled in by cli_describe */
    /* Other options of the command that must fit, as dpl_option.only_with says it, by their
     * names on the command line; "": none, whatever the library says. */
    const char *only_with;
    bool is_output; /* a file or folder that is written; others are read */
    /* A knob: written behind a value of another option, --method window:tables=9,width=512.
     * knob_of names that option, and `knob_with` the values that have it ("auto,window"; NULL:
     * all of them). Values may have knobs of the same name with different meanings. */
    const char *knob_of, *knob_with;
    bool is_raw;  /* has no effect where all arguments are files of ours */
    bool is_read; /* the same, unless the command reads the documents of collections again */
    const char *or_with; /* is_read: has an effect with this option, too; NULL: none */
    bool is_words;   /* has no effect where all arguments are vectors, signatures or codes */
    bool is_signing; /* has no effect where an argument is signatures */
    bool takes_one;  /* --langs: a single language is that of both sides */
    bool is_common;  /* shown in the short help */
    bool is_hidden;  /* works, but is not shown anywhere */
} cli_option;

/* clang-format off */
#define CLI_OPTION(table_, struct_, ...) \
    {.table = #table_, .options = (struct_), .name = __VA_ARGS__}
/* clang-format on */

/* An option with what the library says about it. */
enum { CLI_MOST_CHOICES = 30 };
typedef struct cli_described {
    cli_option option;
    const char *choices[CLI_MOST_CHOICES + 1];
} cli_described;

/* The table of the option, which must have one. */
const dpl_option_table *cli_table_of(const cli_option *o);
/* What the library says of it; NULL when it has no table. */
const dpl_option *cli_field_of(const cli_option *o);
/* The option filled in, in `room`; or the option itself, when it says everything. */
const cli_option *cli_describe(cli_described *room, const cli_option *option);

/* The options that every command has; zero means the library's default. */
typedef struct cli_common {
    unsigned threads;
    uint64_t memory, seed;
    unsigned device; /* of the choices of --device */
    unsigned cpu;    /* a dpl_cpu */
    bool quiet, json, help;
    bool help_all; /* --help all */
} cli_common;

extern cli_common cli_set;
extern const cli_option cli_common_options[];

/* Adds the devices of this machine to the choices of --device. */
void cli_find_devices(void);
/* What was chosen, or "auto". */
const char *cli_device_name(void);

/* A copy of a text that lives as long as the settings; NULL, and the error printed, when there
 * is no room. */
char *cli_keep(const char *text);
/* Says that a value does not fit; false. expected: "two languages, such as de,en" */
bool cli_bad_value(const cli_option *o, const char *value, const char *expected);

/* Reads argv[0..argc) and moves the arguments to the front; *n_args is their number, and is
 * checked against the command's. On --help it stops reading, with cli_set.help true. False
 * when something is wrong; it has printed the error then. */
bool cli_parse(const struct cli_command *command, char **argv, int argc, size_t *n_args);

/* The settings of the line that was parsed last: the command's defaults with what was given;
 * NULL when it has none. They are there until cli_parse_end. */
void *cli_settings(void);
/* A place of the defaults within the settings. Others stay what they are: common options, and
 * commands whose options are statics. */
void *cli_place(const void *of_defaults);
void cli_parse_end(void);

/* What was given for an option of the line that was parsed last: the last value, "" for a flag,
 * NULL for nothing. */
const char *cli_given(const char *name);

/* Is there an option in the table that is not hidden? The table may be NULL. */
bool cli_shows_any(const cli_option *table);

/* "a, b or c" */
const char *cli_list(char *out, size_t n_out, const char *const *words, const char *last);

/* ---- did you mean ------------------------------------------------------------------- */

/* Offer it the candidates one by one; best is the nearest so far, NULL if none is near. */
typedef struct cli_guess {
    const char *word;
    const char *best;
    unsigned distance;
} cli_guess;

void cli_guess_offer(cli_guess *guess, const char *candidate);
/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
unsigned cli_edit_distance(const char *a, const char *b);

#endif
