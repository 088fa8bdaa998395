/*
 * platform.c - what the module has in place of files, devices, Snowball and CLD2.
 *
 * Stems: from a table of the words of the index (src/page/stems.c); other words are kept.
 * Language of a text: by its function words, as the library does before it asks CLD2; a text that
 * leaves doubt has none, and the reader may say it.
 */
#include "backend/device.h"
#include "base/ctx.h"
#include "doppel/text.h"
#include "text/langwords.h"
#include "platform.h"
#include "tokens/stemming.h"
#include "tokens/stop_file.h"

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

/* ---- stems ---------------------------------------------------------------------------- */

static dpl_str table; /* all of it */

void dpl__wasm_set_stems(dpl_str text)
{
    table = text;
}

/* The lines of one language. */
struct dpl__stemmer {
    dpl_ctx *ctx;
    const char *begin, *end;
};

static const char *line_end(const char *p, const char *end)
{
    const char *found = memchr(p, '\n', (size_t)(end - p));
    return found ? found + 1 : end;
}

static bool find_language(struct dpl__stemmer *out, const char *lang)
{
    const char *end = table.data + table.n;
    const size_t n = strlen(lang);
    bool is_inside = false;
    for (const char *p = table.data; p && p < end; p = line_end(p, end)) {
        if (*p != '=')
            continue;
        if (is_inside) {
            out->end = p;
            return true;
        }
        is_inside = (size_t)(end - p) > n + 1 && memcmp(p + 1, lang, n) == 0 && p[n + 1] == '\n';
        if (is_inside)
            *out = (struct dpl__stemmer){.begin = line_end(p, end), .end = end};
    }
    return is_inside;
}

bool dpl__stem_has(const char *lang)
{
    struct dpl__stemmer found;
    return find_language(&found, lang);
}

const char *dpl_stem_language(size_t i)
{
    return (void)i, NULL;
}

dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err)
{
    *out = dpl__calloc(ctx, 1, sizeof **out);
    if (!*out)
        return dpl__fail_nomem(err);
    if (!find_language(*out, lang)) {
        dpl__free(ctx, *out, sizeof **out);
        *out = NULL;
        return dpl__fail(err, DPL_E_UNSUPPORTED, "there is no stemmer for language '%s'", lang);
    }
    (*out)->ctx = ctx;
    return DPL_OK;
}

void dpl__stemmer_free(dpl__stemmer *stemmer)
{
    if (stemmer)
        dpl__free(stemmer->ctx, stemmer, sizeof *stemmer);
}

static int compare(dpl_str a, dpl_str b)
{
    const int order = memcmp(a.data, b.data, dpl__min(a.n, b.n));
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

dpl_str dpl__stem(dpl__stemmer *stemmer, dpl_str word)
{
    const char *low = stemmer->begin, *high = stemmer->end; /* both begin lines */
    while (low < high) {
        const char *line = low + (high - low) / 2;
        while (line > low && line[-1] != '\n')
            line--;
        const char *next = line_end(line, high), *tab = memchr(line, '\t', (size_t)(next - line));
        if (!tab)
            return word;
        const int order = compare((dpl_str){line, (size_t)(tab - line)}, word);
        if (order == 0)
            return (dpl_str){tab + 1, (size_t)(next - tab - 2)};
        if (order < 0)
            low = next;
        else
            high = line;
    }
    return word;
}
