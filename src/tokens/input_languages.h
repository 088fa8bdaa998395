/*
 * input_languages.h - which languages the inputs are in, and what is read for each of them.
 */
#ifndef DPL_TOKENS_INPUT_LANGUAGES_H
#define DPL_TOKENS_INPUT_LANGUAGES_H

#include "doppel/tokens.h"

#include "base/vec.h"

typedef struct dpl__lang_count {
    char code[12]; /* "und": could not be told */
    uint64_t n_docs;
    uint64_t n_declared; /* of these, by a field of their own or the file's */
} dpl__lang_count;

typedef DPL_VEC(dpl__lang_count) dpl__lang_counts;

/* A file that is given. */
typedef struct dpl__input_langs {
    const char *path;
    bool is_collection;
    bool is_single; /* all of it counts as being in the first of its languages */
    uint64_t n_docs;
    dpl__lang_counts langs; /* most documents first, "und" last */
    size_t own;             /* of langs: the one that the input is there for */
} dpl__input_langs;

/* A language that takes part. */
typedef struct dpl__language {
    char code[12];
    bool is_mixed; /* other languages are in what is to be read: they are dropped */
    DPL_VEC(const char *) paths; /* in the order given */
    const char *collection;      /* the one path, when it is one */
} dpl__language;

typedef struct dpl__census {
    dpl_ctx *ctx;
    dpl__input_langs *inputs;
    size_t n_inputs;
    bool is_one_each; /* each input has a main language of its own, and there is no other */
    DPL_VEC(dpl__language) langs; /* in the order of their codes */
    dpl__lang_counts left_out;    /* what takes no part: most documents first */
    const char *wanted[2];        /* no others take part; NULL: the most frequent ones */
} dpl__census;

/* Reads all inputs, once. Zeroed memory may be cleared. */
dpl_status dpl__census_take(dpl__census *out, dpl_ctx *ctx, const char *const *paths,
                            size_t n_paths, const dpl_reader_options *read, dpl_error *err);
/* Two inputs that are two sides. */
bool dpl__census_is_two_sided(const dpl__census *census);
/* Decides which inputs take part with which languages. DPL_E_USAGE when there are fewer than
 * two languages, or an input cannot be divided. */
dpl_status dpl__census_divide(dpl__census *census, dpl_error *err);
void dpl__census_clear(dpl__census *census);

/* Documents of the collection by language; n_declared is left at 0. */
dpl_status dpl__count_collection(dpl__input_langs *in, dpl_ctx *ctx, const dpl_collection *c,
                                 dpl_error *err);
/* Does the input count as being in one language? One that is alone is there for its several
 * languages. */
bool dpl__is_single(const dpl__input_langs *in, bool is_alone);

/* Inputs in the language of most of their documents; one that is mostly in the language of
 * another input, which is in that alone, in its second one: a manual that is half translated.
 */
void dpl__choose_languages(dpl__input_langs *inputs, size_t n);
/* The language that was chosen; NULL: it cannot be told. */
const char *dpl__main_language(const dpl__input_langs *in);
/* Are two inputs two sides? Each is in one language, or their main languages differ and nearly
 * all documents are in these. */
bool dpl__are_two_sides(const dpl__input_langs inputs[2]);

#endif
