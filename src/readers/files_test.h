/*
 * files_test.h - one file of a folder, read as documents.
 */
#ifndef DPL_READERS_FILES_TEST_H
#define DPL_READERS_FILES_TEST_H

#include "readers/wiki/dump_test.h"

/* Reads a folder with this file only, so that its name is the document's id. */
dump dump_in_folder(const char *name, dpl_str bytes, const dpl_reader_options *options);

#define CHECK_IN_FOLDER(name, bytes, options, expected)                                        \
    do {                                                                                       \
        dump d_ = dump_in_folder(name, bytes, options);                                        \
        CHECK_STR(dpl__cstr(d_.text), (expected));                                             \
    } while (0)

#endif
