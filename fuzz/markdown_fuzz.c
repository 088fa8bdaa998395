/*
 * markdown_fuzz.c - Markdown: whatever comes in, valid text in clean lines comes out, and that
 * text as a block of code gives itself.
 */
#include "readers.h"

#include "readers/markdown.h"

static void print(dpl__bytes *out, dpl_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (i == 0 || text.data[i - 1] == '\n')
            FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), out, "    ", 4));
        FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out, text.data[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!fuzz_is_utf8((dpl_str){(const char *)data, n}))
        return 0;
    dpl__arena arena;
    dpl__arena_init(&arena, fuzz_ctx());
    char *copy = fuzz_copy(data, n);
    dpl_doc doc, again;
    FUZZ_CHECK(dpl__markdown_read(&doc, &arena, (dpl_str){copy, n}, NULL) == DPL_OK);
    fuzz_check_text(doc.text);
    FUZZ_CHECK(fuzz_is_utf8(doc.title) && fuzz_is_utf8(doc.lang));
    if (!memchr(data, '\v', n)) { /* white space to MD4C, which HTML does not think */
        dpl__bytes block = {0};
        print(&block, doc.text);
        const dpl_str printed = {block.data, block.n};
        FUZZ_CHECK(dpl__markdown_read(&again, &arena, printed, NULL) == DPL_OK);
        FUZZ_CHECK(dpl__str_eq(doc.text, again.text));
        dpl__vec_clear(fuzz_ctx(), &block);
    }
    free(copy);
    dpl__arena_clear(&arena);
    return 0;
}
