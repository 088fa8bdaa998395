/*
 * fold.c - words to terms.
 *
 * This is the slow and thorough part; callers keep a table from words to terms, so that it runs
 * once per distinct word (surfaces.c).
 */
#include "tokens/fold.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "tokens/stemming.h"
#include "tokens/stopwords.h"
#include "unicode/unicode.h"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>

enum { MOST_MAX_TOKEN = 1000, MOST_NGRAM = 8, LONGEST_RUN = 1 << 20 };

/* A stemmer per language met; few, so a list. */
typedef struct language {
    char code[12];
    dpl__stemmer *stemmer; /* NULL: none for it, or not asked for */
} language;

struct dpl__folder {
    dpl_ctx *ctx;
    dpl_tokens_options options;
    UCaseMap *case_map;        /* full folding */
    UCaseMap *turkic_case_map; /* the same, with dotted and dotless i kept apart */
    DPL_VEC(language) languages;
    size_t current;
    bool is_turkic, has_elisions;
    dpl__arena scratch;
    const dpl__terms *stop_words; /* of a stop file, or NULL; borrowed */
};

/* ---- set-up ------------------------------------------------------------------------- */

static dpl_status check_options(const dpl_tokens_options *o, dpl_error *err)
{
    if (o->ngrams > MOST_NGRAM)
        return dpl__fail(err, DPL_E_USAGE, "character n-grams of %u are not in 1 to %d",
                         o->ngrams, MOST_NGRAM);
    if (o->max_token > MOST_MAX_TOKEN)
        return dpl__fail(err, DPL_E_USAGE, "a token of %u characters is over %d", o->max_token,
                         MOST_MAX_TOKEN);
    return DPL_OK;
}

dpl_status dpl__folder_new(dpl__folder **out, dpl_ctx *ctx, const dpl_tokens_options *options,
                           dpl_error *err)
{
    *out = NULL;
    dpl_tokens_options o = options ? *options : (dpl_tokens_options){0};
    DPL_TRY(check_options(&o, err));
    if (!o.max_token)
        o.max_token = DPL__MAX_TOKEN;
    dpl__folder *f = dpl__calloc(ctx, 1, sizeof *f);
    DPL_TRY(dpl__need(f, err));
    f->ctx = ctx;
    f->options = o;
    dpl__arena_init(&f->scratch, ctx);
    UErrorCode code = U_ZERO_ERROR;
    f->case_map = ucasemap_open("", U_FOLD_CASE_DEFAULT, &code);
    f->turkic_case_map = ucasemap_open("", U_FOLD_CASE_EXCLUDE_SPECIAL_I, &code);
    dpl_status status;
    DPL__STEP(dpl__need(U_SUCCESS(code), err));
    status = dpl__folder_language(f, "und", err);
done:
    if (status != DPL_OK) {
        dpl__folder_free(f);
        return status;
    }
    *out = f;
    return DPL_OK;
}

void dpl__folder_stop(dpl__folder *f, const dpl__terms *words)
{
    f->stop_words = words;
}

void dpl__folder_free(dpl__folder *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->languages.n; i++)
        dpl__stemmer_free(f->languages.data[i].stemmer);
    dpl__vec_clear(f->ctx, &f->languages);
    dpl__arena_clear(&f->scratch);
    if (f->case_map)
        ucasemap_close(f->case_map);
    if (f->turkic_case_map)
        ucasemap_close(f->turkic_case_map);
    dpl__free(f->ctx, f);
}

static bool is_one_of(const char *lang, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(lang, list[i]) == 0)
            return true;
    return false;
}

dpl_status dpl__folder_language(dpl__folder *f, const char *lang, dpl_error *err)
{
    if (f->languages.n && strcmp(f->languages.data[f->current].code, lang) == 0)
        return DPL_OK;
    static const char *const turkic[] = {"tr", "az"};
    static const char *const eliding[] = {"fr", "it", "ca"};
    size_t i = 0;
    while (i < f->languages.n && strcmp(f->languages.data[i].code, lang) != 0)
        i++;
    if (i == f->languages.n) {
        language l = {.code = ""};
        memcpy(l.code, lang, dpl__min(strlen(lang), sizeof l.code - 1));
        DPL_TRY(dpl__need(dpl__vec_push(f->ctx, &f->languages, l), err));
        if (f->options.stem && dpl__stem_has(lang))
            DPL_TRY(dpl__stemmer_new(&f->languages.data[i].stemmer, f->ctx, lang, err));
    }
    f->current = i;
    f->is_turkic = is_one_of(lang, turkic, DPL_LEN(turkic));
    f->has_elisions = is_one_of(lang, eliding, DPL_LEN(eliding));
    return DPL_OK;
}

bool dpl__folder_is_turkic(const dpl__folder *f)
{
    return f->is_turkic;
}

/* ---- one word ----------------------------------------------------------------------- */

/* Soft hyphens go, typographic apostrophes become plain; in place. */
static size_t tidy(char *s, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        if (i + 1 < n && s[i] == '\xC2' && s[i + 1] == '\xAD') {
            i += 2;
        } else if (i + 2 < n && s[i] == '\xE2' && s[i + 1] == '\x80' && s[i + 2] == '\x99') {
            s[to++] = '\'';
            i += 3;
        } else {
            s[to++] = s[i++];
        }
    }
    return to;
}

/* "l'eau" -> "eau": the article or pronoun before an apostrophe, when it is a short one. */
static dpl_str without_elision(dpl_str term)
{
    static const char *const heads[] = {
        "l",     "d",      "c",      "j",    "m",    "n",    "s",     "t",    "qu",
        "jusqu", "lorsqu", "puisqu", "un",   "dell", "nell", "all",   "dall", "sull",
        "coll",  "quell",  "quest",  "bell", "sant", "degl", "nient", "tutt"};
    const char *quote = memchr(term.data, '\'', term.n);
    if (!quote || quote + 1 == term.data + term.n)
        return term;
    dpl_str head = {term.data, (size_t)(quote - term.data)};
    for (size_t i = 0; i < DPL_LEN(heads); i++)
        if (dpl__str_eq(head, dpl__cstr(heads[i])))
            return (dpl_str){quote + 1, term.n - head.n - 1};
    return term;
}

static bool is_stop_word(const dpl__folder *f, dpl_str term)
{
    if (f->stop_words && dpl__terms_has(f->stop_words, term))
        return true;
    return f->options.stop_words && dpl__stop_has(f->languages.data[f->current].code, term);
}

/* Lower-cases ASCII; false when the word is more than that. */
static bool lower_ascii(char *out, dpl_str word)
{
    unsigned all = 0;
    for (size_t i = 0; i < word.n; i++) {
        unsigned c = (unsigned char)word.data[i];
        all |= c;
        out[i] = (char)(c - 'A' < 26 ? c | 32 : c);
    }
    return all < 0x80;
}

/* The word folded and in NFC. Most are ASCII, for which ICU does too much. */
static dpl_status fold_case(dpl__folder *f, dpl_str word, dpl_str *term, dpl_error *err)
{
    /* Folding triples a string at the most. */
    size_t cap = 3 * word.n + 1;
    char *out = dpl__arena_alloc(&f->scratch, cap);
    DPL_TRY(dpl__need(out, err));
    if (!f->is_turkic && lower_ascii(out, word)) {
        *term = (dpl_str){out, word.n};
        return DPL_OK;
    }
    UErrorCode code = U_ZERO_ERROR;
    int32_t n = ucasemap_utf8FoldCase(f->is_turkic ? f->turkic_case_map : f->case_map, out,
                                      (int32_t)cap, word.data, (int32_t)word.n, &code);
    if (U_FAILURE(code))
        return dpl__fail(err, DPL_E_NOMEM, "ICU cannot fold a word (%s)", u_errorName(code));
    *term = (dpl_str){out, tidy(out, (size_t)n)};
    return dpl__nfc(term, &f->scratch, err);
}

dpl_status dpl__fold(dpl__folder *f, dpl_str word, dpl_str *term, dpl_error *err)
{
    dpl__arena_reset(&f->scratch);
    /* Nobody needs more of a word than this to tell that it will be cut; it bounds the work.
     * N-grams are taken from whole runs, which in some scripts have no end for long. */
    word = dpl__first_chars(word, f->options.ngrams ? LONGEST_RUN
                                                    : 2 * (size_t)f->options.max_token + 16);
    DPL_TRY(fold_case(f, word, term, err));
    if (f->options.ngrams)
        return DPL_OK;
    if (is_stop_word(f, *term)) {
        term->n = 0;
        return DPL_OK;
    }
    if (f->options.stem) {
        dpl__stemmer *stemmer = f->languages.data[f->current].stemmer;
        if (f->has_elisions)
            *term = without_elision(*term);
        if (stemmer)
            *term = dpl__stem(stemmer, *term);
    }
    *term = dpl__first_chars(*term, f->options.max_token);
    return DPL_OK;
}
