/*
 * stemming.c - Snowball's algorithms by ISO code.
 *
 * Cost: 100 to 700 ns a word, more than 1 us in Turkish (words of running text, one core).
 * So callers stem each distinct word once. Snowball has its own allocator. Where it has the
 * algorithm for Latin-1 as well, words in ASCII go through that one, which takes 0.65 to 0.9 of
 * the time and has the same results (stemming_test.c). Others would not: Snowball's Dutch
 * counts bytes where it means letters.
 */
#include "tokens/stemming.h"

#include "base/ascii.h"

#include <libstemmer.h>

/* In the order of the codes. "english" is Porter's second algorithm; his first one, which
 * Snowball calls "porter", is left out. */
static const struct {
    const char *lang, *algorithm;
} stemmers[] = {
    {"ar", "arabic"},     {"ca", "catalan"},   {"da", "danish"},     {"de", "german"},
    {"el", "greek"},      {"en", "english"},   {"es", "spanish"},    {"eu", "basque"},
    {"fi", "finnish"},    {"fr", "french"},    {"ga", "irish"},      {"hi", "hindi"},
    {"hu", "hungarian"},  {"hy", "armenian"},  {"id", "indonesian"}, {"it", "italian"},
    {"lt", "lithuanian"}, {"nb", "norwegian"}, {"ne", "nepali"},     {"nl", "dutch"},
    {"pt", "portuguese"}, {"ro", "romanian"},  {"ru", "russian"},    {"sr", "serbian"},
    {"sv", "swedish"},    {"ta", "tamil"},     {"tr", "turkish"},    {"yi", "yiddish"},
};

struct dpl__stemmer {
    dpl_ctx *ctx;
    struct sb_stemmer *snowball;
    struct sb_stemmer *latin1; /* NULL: there is none */
};

const char *dpl__stem_language(size_t i)
{
    return i < DPL_LEN(stemmers) ? stemmers[i].lang : NULL;
}

static const char *find_algorithm(const char *lang)
{
    for (size_t i = 0; i < DPL_LEN(stemmers); i++)
        if (strcmp(stemmers[i].lang, lang) == 0)
            return stemmers[i].algorithm;
    return NULL;
}

bool dpl__stem_has(const char *lang)
{
    return find_algorithm(lang) != NULL;
}

dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err)
{
    *out = NULL;
    const char *algorithm = find_algorithm(lang);
    if (!algorithm)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "there is no stemmer for language '%s'", lang);
    dpl__stemmer *stemmer = dpl__alloc(ctx, sizeof *stemmer);
    DPL_TRY(dpl__need(stemmer, err));
    *stemmer = (dpl__stemmer){.ctx = ctx,
                              .snowball = sb_stemmer_new(algorithm, "UTF_8"),
                              .latin1 = sb_stemmer_new(algorithm, "ISO_8859_1")};
    if (!stemmer->snowball) {
        dpl__stemmer_free(stemmer);
        return dpl__fail_nomem(err);
    }
    *out = stemmer;
    return DPL_OK;
}

void dpl__stemmer_free(dpl__stemmer *stemmer)
{
    if (!stemmer)
        return;
    sb_stemmer_delete(stemmer->snowball);
    if (stemmer->latin1)
        sb_stemmer_delete(stemmer->latin1);
    dpl__free(stemmer->ctx, stemmer);
}

static dpl_str stem_with(struct sb_stemmer *snowball, dpl_str word)
{
    const sb_symbol *stem =
        sb_stemmer_stem(snowball, (const sb_symbol *)word.data, (int)word.n);
    const int n = stem ? sb_stemmer_length(snowball) : 0;
    return n > 0 ? (dpl_str){(const char *)stem, (size_t)n} : word;
}

dpl_str dpl__stem(dpl__stemmer *stemmer, dpl_str word)
{
    assert(word.n <= INT32_MAX);
    if (word.n == 0)
        return word;
    if (stemmer->latin1 && dpl__is_ascii(word)) {
        const dpl_str stem = stem_with(stemmer->latin1, word);
        if (dpl__is_ascii(stem))
            return stem;
    }
    return stem_with(stemmer->snowball, word);
}
