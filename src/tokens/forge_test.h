/*
 * forge_test.h - a copy of one of our files with one section replaced and all checksums right.
 */
#ifndef DPL_TOKENS_FORGE_TEST_H
#define DPL_TOKENS_FORGE_TEST_H

#include "doppel/file.h"

#include "io/container.h"
#include "test.h"

static inline const char *test_forge(dpl_ctx *ctx, const char *from, const char *section,
                                     const void *data, size_t n)
{
    const char *to = test_path("forged.dpl");
    dpl_file *file = NULL;
    dpl__writer *w = NULL;
    CHECK_OK(dpl_file_open(&file, ctx, from, &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, to, dpl_file_get_info(file).kind, &test_err));
    bool is_there = false;
    for (size_t i = 0; i < dpl_file_get_info(file).n_sections; i++) {
        dpl_section s = dpl_file_section(file, i);
        bool is_it = strcmp(s.name, section) == 0;
        is_there |= is_it;
        CHECK_OK(dpl__writer_add(w, s.name, s.element, is_it ? data : s.data,
                                 is_it ? n : s.n_bytes, &test_err));
        if (!s.is_required)
            dpl__writer_optional(w);
    }
    CHECK(is_there);
    CHECK_OK(dpl__writer_finish(w, NULL, &test_err));
    dpl__writer_free(w);
    dpl_file_close(file);
    return to;
}

#endif
