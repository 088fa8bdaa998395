/*
 * doppel/summary.h - one description of every figure of a summary: its name, type, place, help,
 * and its line on a terminal.
 *
 * Each summary struct (dpl_import_summary, dpl_dedup_summary ...) has a table with an entry for
 * each of its figures. The lines that a command prints, its --json object, its page in the
 * manual and run.json come from these tables.
 *
 *     static void print(void *user, const char *data, size_t n)
 *     {
 *         fwrite(data, 1, n, (FILE *)user);
 *     }
 *
 *     dpl_import_summary summary = DPL_INIT(dpl_import_summary);
 *     dpl_figures figures = {&dpl_import_figures, &summary, NULL, NULL};
 *     dpl_json j = {0};
 *     j.put = print;
 *     j.user = stdout;
 *     dpl_json_begin(&j, NULL, '{');
 *     dpl_summary_json(&j, &figures); // "unchanged": 0, ...
 *     dpl_json_end(&j, '}');
 *
 * A line has a label, a value and a remark. Each is a text in which {name} is the value of a
 * figure of this table or of one around it, and [condition?text|text] one of two texts, of
 * which the second may be missing. A leading ", " is dropped when no text precedes it.
 * {name:.2f} has that number of digits, {name:.1%} is a percentage, {name:.1p} the same without
 * its sign, {name:word} is "1 word" or "2 words"; {#} is the position in a list, from 0. A
 * condition is written as that of an option (dpl_option.only_with): "name" holds when the
 * figure is neither 0, false nor empty, "name=text" when it is that text or number.
 */
#ifndef DOPPEL_SUMMARY_H
#define DOPPEL_SUMMARY_H

#include "doppel/json.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_figure_type {
    DPL_FIGURE_COUNT = 0, /* whole number: unsigned of 1, 4 or 8 bytes */
    DPL_FIGURE_BYTES,     /* the same, a size in bytes */
    DPL_FIGURE_REAL,      /* double or float; NaN is null */
    DPL_FIGURE_FLAG,      /* bool */
    DPL_FIGURE_CHOICE,    /* enum; `choice` has the names */
    DPL_FIGURE_TEXT,      /* const char *; NULL is null */
    DPL_FIGURE_CHARS,     /* char[]: a terminated text */
    DPL_FIGURE_COUNTS,    /* uint64_t[] by the names of `choice`: an object. The line's value is
                             their sum; it is shown when that is not 0 */
    DPL_FIGURE_GROUP,     /* a struct, or a pointer to one: an object; `group` is its table */
    DPL_FIGURE_PART,      /* the same, its figures stand among those of this table */
    DPL_FIGURE_LIST,    /* a pointer to `count` structs, or to pointers to them: an array. With
                           a label each element is one line, in its own terms */
    DPL_FIGURE_SKIPPED, /* dpl_skip_list *, written by `put`; its line: the reasons */
    DPL_FIGURE_OTHER,   /* a field, or the struct, that `put` writes */
    DPL_FIGURE_WORDS    /* no field: `value` is a text for the lines of other figures */
} dpl_figure_type;

struct dpl_summary_table;

/* One figure. Static; layout fixed. */
typedef struct dpl_figure {
    const char *name; /* "output_bytes": the key in JSON */
    dpl_figure_type type;
    uint32_t offset, n_bytes; /* of the field */
    const char *help;         /* a noun, lower case, no full stop; NULL: not in JSON */
    const char *only_with;    /* condition of the figure, in JSON and as a line; NULL: none */
    /* The line on a terminal; label NULL: none. */
    const char *label;
    const char *value;      /* NULL: the figure */
    const char *remark;     /* NULL: none */
    const char *shown_with; /* further condition of its line or lines; NULL: none */
    /* The i-th name, NULL behind the last. */
    const char *(*choice)(unsigned i);
    const struct dpl_summary_table *group;
    const char *only; /* PART, GROUP, LIST: names of its figures that stand here, with blanks
                         between; "!a b": all but these; NULL: all */
    uint32_t count;   /* LIST: offset of its size_t */
    uint32_t n_each;  /* LIST: bytes of a struct; 0: pointers to them */
    bool has_zeros;   /* COUNTS: those that are 0 are written, too */
    bool is_any;      /* REAL: of any size; six digits, instead of six behind the point */
    double (*compute)(const void *summary); /* REAL, COUNT: instead of the field */
    void (*put)(dpl_json *j, const char *key, const void *field); /* SKIPPED, OTHER */
    char reserve[16];
} dpl_figure;

/* The figures of one struct, in the order of lines and keys. Static; layout fixed. */
typedef struct dpl_summary_table {
    const char *name;
    size_t n_bytes; /* sizeof the struct */
    bool is_sized;  /* the struct begins with its size, as the library's do */
    const dpl_figure *figures;
    size_t n_figures;
} dpl_summary_table;

/* A summary with its table, and those that it is part of. */
typedef struct dpl_figures {
    const dpl_summary_table *table;
    const void *summary;
    const struct dpl_figures *outer; /* NULL: none */
    const char *only;                /* as in a figure; NULL: all figures */
} dpl_figures;

DPL_API extern const dpl_summary_table dpl_read_figures;   /* dpl_read_counts */
DPL_API extern const dpl_summary_table dpl_bitext_figures; /* dpl_bitext_counts */
DPL_API extern const dpl_summary_table dpl_import_figures; /* dpl_import_summary */
DPL_API extern const dpl_summary_table dpl_align_figures;  /* dpl_align_summary */
DPL_API extern const dpl_summary_table dpl_train_figures;  /* dpl_train_summary */
DPL_API extern const dpl_summary_table
    dpl_lexicon_import_figures;                                /* dpl_lexicon_import_summary */
DPL_API extern const dpl_summary_table dpl_vectors_figures;    /* dpl_vectors_summary */
DPL_API extern const dpl_summary_table dpl_sign_figures;       /* dpl_sign_summary */
DPL_API extern const dpl_summary_table dpl_translator_figures; /* dpl_translator_counts */
DPL_API extern const dpl_summary_table dpl_sentences_figures;  /* dpl_sentences_summary */
DPL_API extern const dpl_summary_table dpl_recall_figures;     /* dpl_recall_check */
DPL_API extern const dpl_summary_table dpl_pairs_figures;      /* dpl_pairs_summary */
DPL_API extern const dpl_summary_table dpl_mine_run_figures;   /* dpl_mine_run */
DPL_API extern const dpl_summary_table dpl_mine_figures;       /* dpl_mine_summary */
DPL_API extern const dpl_summary_table dpl_dedup_figures;      /* dpl_dedup_summary */
DPL_API extern const dpl_summary_table dpl_reuse_figures;      /* dpl_reuse_summary */
DPL_API extern const dpl_summary_table dpl_index_figures;      /* dpl_index_summary */
DPL_API extern const dpl_summary_table dpl_index_info_figures; /* dpl_index_info */

typedef struct dpl_figure_value {
    const dpl_figure *figure;
    uint64_t number;  /* COUNT, BYTES, FLAG, CHOICE; COUNTS: their sum; LIST: elements */
    double real;      /* COUNT, BYTES, REAL */
    const char *text; /* CHOICE, TEXT, CHARS; WORDS: as in the table */
    /* COUNTS, SKIPPED, OTHER; GROUP, PART: the struct; LIST: the first element. */
    const void *field;
} dpl_figure_value;

/* The value of a figure of the table. */
DPL_API dpl_figure_value dpl_figure_get(const dpl_figures *in, const dpl_figure *figure);
/* The value of the figure of that name: of the table and its parts, then of those around it.
 * False when there is none. */
DPL_API bool dpl_figure_find(dpl_figure_value *out, const dpl_figures *in, dpl_str name);
/* Whether the condition holds; NULL does. */
DPL_API bool dpl_figure_holds(const dpl_figures *in, const char *condition);
/* The i-th element of a list. */
DPL_API dpl_figures dpl_figure_element(const dpl_figures *in, dpl_figure_value list, size_t i);

/* Whether the figure is one of `only`. */
DPL_API bool dpl_figure_is_listed(const dpl_figures *in, const dpl_figure *figure);

/* Takes a text in pieces: words of the table, and values with what is behind their colon. */
typedef struct dpl_figure_sink {
    void *user;
    void (*put)(void *user, const char *data, size_t n);
    void (*put_value)(void *user, const dpl_figure_value *value, dpl_str how);
} dpl_figure_sink;

/* Writes a text; position: {#}. */
DPL_API void dpl_figure_text(const dpl_figure_sink *to, const dpl_figures *in, size_t position,
                             const char *text);

/* Writes the figures into the object that is open. */
DPL_API void dpl_summary_json(dpl_json *j, const dpl_figures *figures);

#ifdef __cplusplus
}
#endif
#endif
