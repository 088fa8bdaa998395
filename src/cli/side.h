/*
 * side.h - LEFT and RIGHT of a command: raw documents, a collection, vectors or signatures,
 * made into what the search takes.
 */
#ifndef CLI_SIDE_H
#define CLI_SIDE_H

#include "cli/options.h"
#include "cli/output.h"

#include "doppel/pairs.h"

/* How a collection becomes vectors. Start with CLI_VECTOR_WISHES_INIT. */
typedef struct cli_vector_wishes {
    unsigned weighting, direction; /* indices */
    double b;                      /* 0 is a value of its own, below 0 was not given */
    dpl_vectors_options set;       /* the rest of it: cli_vectors_ready */
} cli_vector_wishes;

/* clang-format off */
#define CLI_VECTOR_WISHES_INIT {.b = -1}

/* Entries of an option table; w is a cli_vector_wishes, of says what they are for: "" or
 * "collections: ". */
#define CLI_VECTORS_OPTIONS(w, of) \
    {.name = "direction", .value = "WHICH", .choice = &(w).direction, \
     .choices = cli_directions, \
     .help = "source is p(e|f), target p(f|e), f being the words to translate; text has one " \
             "of them, as its columns are"}, \
    {.name = "spelling", .value = "N", .count = &(w).set.spelling, .min = 2, .max = 8, \
     .help = of "compare spelling instead of words: n-grams of N letters, in Latin script; 4 " \
             "finds names and cognates across languages without a lexicon"}, \
    {.name = "weighting", .value = "NAME", .choice = &(w).weighting, \
     .choices = cli_weightings, \
     .help = of "what a term weighs"}, \
    {.name = "k1", .value = "X", .real = &(w).set.k1, .least = 0.001, .most = 1000, \
     .standard = "1.2", \
     .help = "bm25: how late more occurrences of a term stop to matter"}, \
    {.name = "b", .value = "X", .real = &(w).b, .least = 0, .most = 1, .standard = "0.75", \
     .help = "bm25: how much the length of a document matters"}
/* clang-format on */

/* In the order of the library's enums. */
extern const char *const cli_directions[], *const cli_weightings[];

/* Completes set. */
void cli_vectors_ready(cli_vector_wishes *w);

/* How raw documents become collections, and these vectors. */
typedef struct cli_side_wishes {
    bool stem;             /* raw documents */
    dpl_on_error on_error; /* raw documents: a record that cannot be read */
    bool takes_text;       /* raw documents: a file whose form cannot be told is a text */
    const char *lang[2];   /* raw documents: of LEFT, of RIGHT; NULL: told from the text */
    const char *lexicon, *lexicon_langs;
    unsigned project; /* CLI_PROJECT_... */
    cli_vector_wishes vectors;
    cli_folder folder; /* for what is made on the way */
} cli_side_wishes;

enum { CLI_PROJECT_LEFT, CLI_PROJECT_RIGHT };

typedef struct cli_side {
    dpl_vectors *vectors;
    dpl_signatures *signatures;
    uint32_t n_dropped; /* documents with too few terms */
} cli_side;

/* The sides of paths[0] and, when n_paths is 2, paths[1]. Returns the exit code; when it is not
 * 0 the reason has been told. Close them in any case. */
int cli_sides_open(cli_side sides[2], dpl_ctx *ctx, char **paths, size_t n_paths,
                   cli_side_wishes *wishes);
void cli_sides_close(cli_side sides[2], cli_side_wishes *wishes);

/* LEFT (number 0) or RIGHT (1) as a collection: imported, or one made before. What is made on
 * the way stays in the wishes' folder until that is removed. Returns the exit code. */
int cli_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path, unsigned number,
                        cli_side_wishes *wishes);

/* A lexicon whose columns are in the languages "de-en" (NULL: not said); `skips` drops lines
 * that cannot be read. Returns the exit code. */
int cli_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path, const char *langs,
                     bool skips);

/* The side's rows, whatever it is made of. */
dpl_str cli_side_id(const cli_side *side, uint32_t row);

#endif
