/*
 * platform.c - what the module has in place of files, devices, Snowball and CLD2.
 *
 * Stemmers: none, so a page cannot be made of a stemmed index. Language of a text: by its function
 * words, as the library does before it asks CLD2; a text that leaves doubt has none, and the reader
 * may say it.
 */
#include "backend/device.h"
#include "base/ctx.h"
#include "doppel/text.h"
#include "text/langwords.h"
#include "tokens/stop_file.h"

#include <libstemmer.h>

dpl_status dpl__device_choose(const dpl_device_table **out, const char *name, dpl_error *err)
{
    (void)name, (void)err;
    *out = NULL;
    return DPL_OK;
}

dpl_status dpl__stop_file_read(dpl__terms *out, dpl_ctx *ctx, const dpl_tokens_options *options,
                               uint64_t most, dpl_error *err)
{
    (void)out, (void)ctx, (void)most;
    return options->stop_file
               ? dpl__fail(err, DPL_E_UNSUPPORTED, "a page has no stop words of a file")
               : DPL_OK;
}

/* Large pages are a wish only. */
int madvise(void *address, size_t n, int advice);
int madvise(void *address, size_t n, int advice)
{
    return (void)address, (void)n, (void)advice, 0;
}

/* ---- languages ------------------------------------------------------------------------ */

dpl_lang dpl_lang_identify(dpl_str text)
{
    const char *code = dpl__lang_of_words(text);
    dpl_lang lang = {.code = "und"};
    if (code) {
        lang.confidence = 0.99f;
        memcpy(lang.code, code, strlen(code) + 1);
    }
    return lang;
}

/* Codes come from the page, which took them from the index: they are canonical. */
dpl_lang dpl_lang_canonical(dpl_str name)
{
    dpl_lang lang = {.code = "und"};
    bool is_code = name.n == 2 || name.n == 3;
    for (size_t i = 0; i < name.n && is_code; i++)
        is_code = name.data[i] >= 'a' && name.data[i] <= 'z';
    if (is_code) {
        lang.confidence = 1;
        memcpy(lang.code, name.data, name.n);
        lang.code[name.n] = '\0';
    }
    return lang;
}

/* ---- Snowball ------------------------------------------------------------------------- */

struct sb_stemmer *sb_stemmer_new(const char *algorithm, const char *encoding)
{
    return (void)algorithm, (void)encoding, NULL;
}

void sb_stemmer_delete(struct sb_stemmer *stemmer)
{
    (void)stemmer;
}

const sb_symbol *sb_stemmer_stem(struct sb_stemmer *stemmer, const sb_symbol *word, int size)
{
    return (void)stemmer, (void)word, (void)size, NULL;
}

int sb_stemmer_length(struct sb_stemmer *stemmer)
{
    return (void)stemmer, 0;
}
