/*
 * doppel/options.h - one description of every option: its name, type, range, default and help.
 *
 * Each options struct (dpl_reader_options, dpl_mine_options ...) has a table with an entry for
 * each of its fields. The command line's options and help, the comparison of settings when a
 * run is resumed, and run.json come from these tables; so can the options of any other program.
 *
 *     dpl_error err = {0};
 *     dpl_mine_options o = DPL_INIT(dpl_mine_options);
 *     if (dpl_option_parse(&o, dpl_option_table_of("mine"), "rounds", "3", &err) != DPL_OK)
 *         fprintf(stderr, "%s\n", err.text);
 */
#ifndef DOPPEL_OPTIONS_H
#define DOPPEL_OPTIONS_H

#include "doppel/json.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_option_type {
    DPL_OPTION_FLAG = 0, /* bool */
    DPL_OPTION_COUNT,    /* whole number: unsigned of 4 or 8 bytes */
    DPL_OPTION_SIZE,     /* bytes: the same, written as 512M or 1.5G */
    DPL_OPTION_INTEGER,  /* whole number: int; negative: no bound */
    DPL_OPTION_REAL,     /* double */
    DPL_OPTION_CHOICE,   /* enum; `choice` has the names */
    DPL_OPTION_TEXT,     /* const char * */
    DPL_OPTION_FILE_IN,  /* const char *: a file that is read */
    DPL_OPTION_FILE_OUT, /* const char *: a file that is written */
    DPL_OPTION_FOLDER,   /* const char * */
    DPL_OPTION_GROUP,    /* a pointer to another options struct, or one by value; `group` is its
                            table */
    DPL_OPTION_OTHER     /* nothing that a text can set: a callback, an array, the size */
} dpl_option_type;

struct dpl_option_table;

/* One field of an options struct. Zero in the field means the default. Static; layout fixed. */
typedef struct dpl_option {
    const char *name; /* "max-side"; in JSON "max_side" */
    dpl_option_type type;
    uint32_t offset, n_bytes; /* of the field */
    const char *value;        /* what its value is called: "N"; NULL for a flag */
    const char *help;         /* begins with a verb or a noun, lower case, no full stop */
    const char *standard; /* the default in words; NULL: nothing to say, or the first choice */
    uint64_t min, max;    /* COUNT, SIZE, INTEGER: range; max 0: no bound */
    double least, most;   /* REAL: range; equal: no bounds */
    /* The i-th name; NULL behind the last, "" where a number is not offered. */
    const char *(*choice)(unsigned i);
    const struct dpl_option_table *(*group)(void);
    bool has_zero;       /* 0 is a value of its own: the text "0" is stored as -1, and any
                            negative number means 0 */
    bool changes_result; /* the stage computes something else with another value: what must be
                            the same to resume its work. Not: speed, folders, and what only
                            decides when to stop or how to write what was found */
    /* Other options of the table that must fit for this one to have an effect; NULL: none.
     * "method=brute,window": one of these values. "lexicon": set. "!no-filter": not set. Of
     * several with "|" between them one must hold, of several with a space all. */
    const char *only_with;
    char reserve[16];
} dpl_option;

/* The options of one struct, in the order of its fields. Static; layout fixed. */
typedef struct dpl_option_table {
    const char *name; /* "mine" */
    size_t n_bytes;   /* sizeof the struct */
    const dpl_option *options;
    size_t n_options;
} dpl_option_table;

/* The table of that name; NULL when there is none. dpl_mine_options has the table "mine",
 * dpl_prune "prune". */
DPL_API const dpl_option_table *dpl_option_table_of(const char *name);

/* NULL when the table has no option of that name. Groups are not looked into. */
DPL_API const dpl_option *dpl_option_find(const dpl_option_table *table, const char *name);

/* "a number from 1 to 8", "fail, replace or skip": what a value must be. Returns out. */
DPL_API const char *dpl_option_expects(char *out, size_t n_out, const dpl_option *option);

/* Sets an option of a struct from a text: "3", "0.5", "512M", "mutual", "true". Texts are not
 * copied. A value that does not fit, a name that the table does not have, and an option of type
 * GROUP or OTHER are DPL_E_USAGE with the code "bad-option", and change nothing. */
DPL_API dpl_status dpl_option_parse(void *options, const dpl_option_table *table,
                                    const char *name, const char *text, dpl_error *err);

/* Writes all options as one object: numbers, names, null for a default in words. Groups are
 * objects in it. options may be NULL: all defaults. */
DPL_API void dpl_options_json(dpl_json *j, const char *key, const dpl_option_table *table,
                              const void *options, bool only_results);

/* The numbers of options as a text has them; false when it is none. "512M", "1.5GiB", "800000":
 * units are powers of 1024. */
DPL_API bool dpl_parse_size(uint64_t *out, const char *text);
/* Decimal digits and nothing else. */
DPL_API bool dpl_parse_number(uint64_t *out, const char *text);
/* "0.3", "-2", "1e-3", whatever the locale. */
DPL_API bool dpl_parse_real(double *out, const char *text);

#ifdef __cplusplus
}
#endif
#endif
