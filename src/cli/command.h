/*
 * command.h - what a command is.
 *
 * To add one: write cmd_<name>.c with its options, its cli_command and its run function,
 * declare it below and list it in doppel.c in the order of the pipeline. Help, man page (CMake
 * takes the name from the file's), completion and checks follow from the table.
 *
 * A name may have two words: "eval pairs" is in cmd_eval_pairs.c and of the family "eval". The
 * commands of a family stand together in the list; its name alone is no command.
 *
 * A program is a table of commands; doppel is in doppel.c, doppel-lab in src/lab.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/arguments.h"

#include "doppel/summary.h"

/* A thing and what is to be said about it: an example, a key of the JSON summary. */
typedef struct cli_item {
    const char *name; /* NULL ends a list */
    const char *text;
} cli_item;

enum { CLI_MANY = 1000000 };

/* The values of an option, described by a table of the library. */
typedef struct cli_values {
    const char *title;               /* "Formats of dictionaries (--from)"; NULL: none */
    const char *(*name)(unsigned i); /* NULL behind the last */
    const char *(*text)(unsigned i);
} cli_values;

/* Texts are plain ASCII. */
typedef struct cli_command {
    const char *name;
    const char *family;   /* the first word of a name that has two; NULL: it has one */
    bool is_default;      /* of its family or program: meant when the word is no command's */
    const char *summary;  /* one line, lower case, no full stop */
    const char *synopsis; /* what follows the name: "FILE... -o C.dpl" */
    const char
        *about; /* paragraphs with a blank line between; indented lines stay as they are */
    cli_values values; /* follow it */
    const cli_option *options;
    const cli_item *examples;
    const dpl_summary_table *figures; /* of its summary; NULL: none */
    const cli_item *json;             /* further keys of the --json object; NULL: none */
    const char *see_also;             /* "doppel-show(1), zstd(1)" */
    const char *argument;             /* what an argument is called: "FILE" */
    const char *second;               /* the same of the second one, when there must be two */
    size_t min_args, max_args;
    size_t n_documents;         /* the last arguments, which name documents; 0: all of them */
    bool rereads;               /* documents of collections are read as those of raw files */
    const char *raw_with;       /* condition of all options that are_raw; NULL: none */
    const char *const *choices; /* of an argument; NULL: complete says what fits */
    cli_complete complete;
    const char *const *writes; /* when the output is a folder: names of the files in it */
    /* What -o FILE must be given for, "the pairs go"; NULL: it may be missing. A folder must be
     * given in any case. */
    const char *output_goes;
    bool is_text; /* what goes there, which a terminal may show */
    /* All return the exit code. `run` alone is the whole command; or there is `work`, which
     * gets a context, and `check`, if there is usage to check before that is made. With options
     * of its own, a command has defaults, and gets a copy of them as settings, filled in. */
    int (*run)(char **args, size_t n_args, void *settings);
    int (*check)(char **args, size_t n_args, void *settings);
    int (*work)(dpl_ctx *ctx, char **args, size_t n_args, void *settings);
    bool ends_at_once; /* at a signal, instead of stopping the library's work cleanly */
    const void *defaults;
    size_t n_defaults; /* bytes */
} cli_command;

#define CLI_DEFAULTS(settings) .defaults = &(settings), .n_defaults = sizeof(settings)

extern const cli_command cli_mine, cli_pairs, cli_dedup, cli_reuse, cli_query, cli_import,
    cli_lexicon_train, cli_lexicon_learn, cli_lexicon_import, cli_lexicon_align,
    cli_lexicon_phrases, cli_lexicon_export, cli_translate, cli_vectors, cli_sign,
    cli_index_build, cli_index_add, cli_index_delete, cli_align, cli_serve, cli_show, cli_merge,
    cli_plan, cli_eval_pairs, cli_eval_sentences, cli_eval_words, cli_eval_clusters,
    cli_eval_bleu, cli_eval_stress, cli_lab_list, cli_lab_run, cli_lab_synth, cli_help,
    cli_completion;

/* --version, which has options as a command does, and 'help reading', a page about the options
 * of many commands. */
extern const cli_command cli_version, cli_reading;

/* ---- programs ----------------------------------------------------------------------- */

typedef struct cli_program {
    const char *name;    /* "doppel" */
    const char *summary; /* one line, lower case, no full stop */
    const char *about;   /* as a command's */
    const cli_item *examples;
    const cli_command *const *commands; /* NULL ends */
    /* Groups of the overview: the name of the first command of each, its title; NULL: one */
    const cli_item *groups;
    const cli_item *hints;     /* as the rows of hints.c: code of an error, hint; NULL: none */
    const cli_item *elsewhere; /* commands that another program has: as typed, as it is there */
    /* Option tables besides the library's, by name; NULL: none */
    const dpl_option_table *(*table_of)(const char *name);
} cli_program;

extern const cli_program cli_doppel;

/* The program that runs, and its commands. */
extern const cli_program *cli_this;
extern const cli_command *const *cli_commands;
void cli_use(const cli_program *program);

/* What main does. Returns the exit code. */
int cli_main(const cli_program *program, int argc, char **argv);

/* ---- finding them ------------------------------------------------------------------- */

typedef struct cli_found {
    const cli_command *command;
    const char *family; /* no second word follows its name */
    size_t n_words;     /* that name it */
} cli_found;

/* The command line as it was typed, as a shell would take it again; cut where it is very long.
 */
const char *cli_typed(void);
/* The same without options that change nothing in the result, such as --threads. */
const char *cli_typed_result(void);
void cli_keep_typed(int argc, char **argv);

/* What the first of n > 0 words name: a command or a family. False when there is none of that
 * name; it has printed the error then. */
bool cli_find_command(cli_found *out, char *const *words, size_t n);

bool cli_is_in_family(const cli_command *command, const char *family);
/* The first word of the i-th command's name when no command before it begins with that word,
 * else NULL: what may follow the program's name. */
const char *cli_first_word(size_t i);
/* The second words of a family: "pairs|sentences|words" with "|" between. Returns out. */
const char *cli_family_list(char *out, size_t n_out, const char *family, const char *between);

/* What the work may hold of a memory limit of the process: the rest is for the program with its
 * libraries (some 20 MB resident once languages are identified) and for stacks and free memory
 * of threads. Of a large limit that is too little to matter; a small limit is of the work
 * alone, up to what is left of one that is not. A larger limit never leaves less. */
uint64_t cli_memory_for_work(uint64_t limit, unsigned n_threads);

/* The context for a command, with the common options. Returns the exit code; when it is not 0
 * the reason has been printed. The first SIGINT, SIGTERM or SIGHUP stops the library's work
 * cleanly if `stops_cleanly`, else (and the second time) it ends the process at once. */
int cli_ctx_new(dpl_ctx **out, bool stops_cleanly);

#endif
