/*
 * dump_test.h - what a reader makes of a file, as one string to compare.
 *
 *     CHECK_DUMP("a.jsonl", "{\"id\":1,\"text\":\"x\"}\n", NULL, "1||x|\n");
 *
 * "id|title|text|extra" and a line end for each document; a failure adds "! " and its text, in
 * which DIR stands for the test's directory.
 */
#ifndef DPL_READERS_WIKI_DUMP_TEST_H
#define DPL_READERS_WIKI_DUMP_TEST_H

#include "doppel/text.h"

typedef struct dump {
    const char *text; /* until 64 more dumps are made */
    dpl_error err;
    dpl_read_counts counts;
} dump;

dump dump_file(const char *path, const dpl_reader_options *options);
/* Writes the bytes under that name first. */
dump dump_bytes(const char *name, const void *data, size_t n,
                const dpl_reader_options *options);

/* Fails the test unless chunks of 1, 2, 3 ... bytes give the same documents, counts and failure
 * as one chunk, which is returned. */
dump dump_with_all_chunks(const char *path, const dpl_reader_options *options);

/* Fails the test unless every allocation of reading the file may fail. */
void check_read_allocations(const char *path, const dpl_reader_options *options);

#define DUMP_TEXT(name, literal, options)                                                      \
    dump_bytes((name), (literal), sizeof(literal) - 1, (options))

#define CHECK_DUMP(name, literal, options, expected)                                           \
    do {                                                                                       \
        dump d_ = DUMP_TEXT(name, literal, options);                                           \
        CHECK_STR(dpl__cstr(d_.text), (expected));                                             \
    } while (0)

/* CHECK_DROPPED(d, EMPTY, 1) */
#define CHECK_DROPPED(d, drop, n) CHECK_EQ((d).counts.n_dropped[DPL_DROP_##drop], (n))

#endif
