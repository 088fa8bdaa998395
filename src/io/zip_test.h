/*
 * zip_test.h - ZIP files made in memory, whole or broken, for tests.
 *
 *     zip_file z = {0};
 *     zip_add(&z, "mimetype", "application/epub+zip", false);
 *     dpl_str bytes = zip_end(&z);
 */
#ifndef DPL_ZIP_TEST_H
#define DPL_ZIP_TEST_H

#include "doppel/base.h"

typedef struct zip_file {
    char data[1 << 16]; /* members, then the directory */
    size_t n;
    char directory[1 << 13];
    size_t n_directory;
    unsigned n_members;
} zip_file;

void zip_add_bytes(zip_file *z, const char *name, dpl_str bytes, bool is_deflated);
void zip_add(zip_file *z, const char *name, const char *text, bool is_deflated);
/* Puts the directory behind the members. */
dpl_str zip_end(zip_file *z);
/* Changes a number of 32 bits in the directory's entry of the last member: 20 is the packed
 * length, 24 the other one, 42 the offset, 8 the flags with the method. */
void zip_set(zip_file *z, size_t at, uint32_t value);

#endif
