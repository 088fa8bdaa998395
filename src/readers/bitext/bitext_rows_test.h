/*
 * bitext_rows_test.h - what a reader of parallel text makes of files, as one string to compare.
 *
 *     CHECK_ROWS("left|right\n", NULL, test_write_text("a.tsv", "left\tright\n"));
 *
 * "left|right" and a line end for each row; a failure adds "! " and its text, in which DIR
 * stands for the test's directory.
 */
#ifndef DPL_READERS_BITEXT_BITEXT_ROWS_TEST_H
#define DPL_READERS_BITEXT_BITEXT_ROWS_TEST_H

#include "readers/bitext/bitext.h"

typedef struct rows_dump {
    const char *text; /* until 64 more dumps are made */
    dpl_error err;
    dpl_bitext_counts counts;
} rows_dump;

rows_dump dump_rows(const char *const *paths, size_t n, const dpl_bitext_options *options);

/* The same without files: texts of one group through a format, in pieces of `chunk` bytes; 0:
 * of the usual size. They are called 'left' and 'right' in messages. */
rows_dump dump_texts(const dpl__bitext_ops *ops, const dpl_str *texts,
                     const dpl_bitext_options *options, size_t chunk);
/* Fails the test unless pieces of 1, 2, 3 ... bytes give the same as one piece, which is
 * returned. */
rows_dump dump_with_all_pieces(const dpl__bitext_ops *ops, const dpl_str *texts,
                               const dpl_bitext_options *options);

/* Fails the test unless every allocation of reading the files may fail. */
void check_row_allocations(const char *const *paths, size_t n,
                           const dpl_bitext_options *options);

#define DUMP_ROWS(options, ...)                                                                \
    dump_rows((const char *const[]){__VA_ARGS__},                                              \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (options))

#define CHECK_ROWS(expected, options, ...)                                                     \
    do {                                                                                       \
        rows_dump d_ = DUMP_ROWS(options, __VA_ARGS__);                                        \
        CHECK_STR(dpl__cstr(d_.text), (expected));                                             \
    } while (0)

/* A file of the test with this text; its path. */
const char *test_write_text(const char *name, const char *text);

#endif
