/*
 * show.h - what 'doppel show' prints of each kind of file, beyond the sections they all have.
 */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "doppel/file.h"
#include "doppel/json.h"

/* What the user wants to see of which file. */
typedef struct cli_show_request {
    dpl_ctx *ctx;
    const char *path;
    unsigned n_docs, n_terms;  /* how many of the first documents, most frequent terms */
    unsigned n_in_row;         /* terms of each row of a list, whatever --top says */
    const char *lexicon_langs; /* "de,en", of a lexicon in text; NULL: not said */
} cli_show_request;

/* A kind of file. open reads and checks. print prints all of it, put adds it to the object that
 * is open; item does so for one document or word, the latter with a JSON writer. open and item
 * return an exit code, having printed the reason when it is not 0. */
typedef struct cli_show_kind {
    const char *kind;
    int (*open)(void **out, const cli_show_request *request);
    void (*print)(const void *object, const cli_show_request *request);
    void (*put)(dpl_json *j, const void *object, const cli_show_request *request);
    int (*item)(void *object, const cli_show_request *request, const char *item, dpl_json *j);
    void (*close)(void *object);
} cli_show_kind;

/* ---- for them ----------------------------------------------------------------------- */

/* The columns of s, at most `most` of them, or `columns` when these are more. */
unsigned cli_show_wider(unsigned columns, dpl_str s, unsigned most);
/* Prints text in a column, cut or filled up, and two blanks behind it. */
void cli_show_cell(dpl_str s, unsigned columns);
/* Prints the last column: as much as fits on a line of which so much is used, and its end. */
void cli_show_rest(dpl_str s, unsigned used);
/* The smaller one. */
size_t cli_show_most(size_t n, unsigned most);

/* Says that the file has no such item, with a hint. Returns CLI_FAILED. */
int cli_show_missing(const cli_show_request *request, const char *what, const char *item,
                     const char *hint);

/* The row of an id; false when there is none. id_of(object, row) is the id of a row. */
bool cli_show_find(uint32_t *row, uint32_t n_rows, const void *object,
                   dpl_str (*id_of)(const void *object, uint32_t row), const char *id);

/* Why two documents are a pair in the folder of a mine run. Returns the exit code. */
int cli_show_pair(const cli_show_request *request, char **ids, size_t n_ids);

extern const cli_show_kind cli_show_collection, cli_show_lexicon, cli_show_vectors,
    cli_show_signatures, cli_show_round, cli_show_codes, cli_show_pocket;

#endif
