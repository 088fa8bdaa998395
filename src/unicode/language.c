/*
 * language.c - a text or a name becomes a language code: ISO 639-1 where it exists, else 639-3.
 *
 * Identification uses CLD2 (docs/reference/LANGUAGES.md: why, and how often it is right). Its
 * cost is some 2 us and 40 ns a byte, and nothing is gained by passing it a whole book: 192
 * bytes from three places decide for most texts in the languages of most documents, 1 KiB from
 * four places nearly every other one, and 8 KiB the rest.
 *
 * Names go through CLDR's aliases in ICU, which cost microseconds; the codes of two letters,
 * which is what nearly every file has, are looked up once and kept in a table.
 */
#include "unicode/langid.h"

#include "base/ascii.h"
#include "base/lower_bound.h"
#include "unicode/langwords.h"

#include "base/base.h"
#include "doppel/text.h"
#include "unicode/unicode_params.h"

#include <pthread.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ustring.h>

static const dpl_lang undetermined = {.code = "und"};

/* ---- codes -------------------------------------------------------------------------- */

/* The codes we prefer where CLDR has it otherwise: "two letters where they exist", and texts
 * marked as Norwegian are Bokmål (Nynorsk always says so). */
static const char *preferred(const char *code)
{
    if (strcmp(code, "fil") == 0)
        return "tl";
    if (strcmp(code, "no") == 0)
        return "nb";
    return code;
}

static bool is_no_language(const char *code)
{
    return strcmp(code, "mul") == 0 || strcmp(code, "mis") == 0 || strcmp(code, "zxx") == 0 ||
           strcmp(code, "und") == 0;
}

/* A tag of at least two letters, terminated. ISO 639-3 has thousands of codes that ICU has
 * never heard of; they keep documents apart, so what could be one stays, with less confidence.
 */
static dpl_lang lang_from_tag(const char *tag)
{
    dpl_lang lang = {.confidence = 1};
    if (!dpl__langid_alias(lang.code, tag) || is_no_language(lang.code))
        return undetermined;
    const char *code = preferred(lang.code);
    if (!uloc_getISO3Language(code)[0]) {
        if (strlen(code) != 3)
            return undetermined;
        lang.confidence = 0.5f;
    }
    memmove(lang.code, code, strlen(code) + 1);
    return lang;
}

static pthread_once_t codes_once = PTHREAD_ONCE_INIT;
static dpl_lang two_letters[26][26];
static char cld2_codes[640][12]; /* by CLD2's number */

/* CLD2 answers "xx-Vaii" for a script whose languages it cannot distinguish: the code of the
 * most likely one, as CLDR has it. Its joke languages ("zzp") are none. */
static dpl_lang lang_from_cld2(const char *code)
{
    char script[ULOC_FULLNAME_CAPACITY] = "und_", full[ULOC_FULLNAME_CAPACITY];
    if (strncmp(code, "xx-", 3) == 0) {
        UErrorCode status = U_ZERO_ERROR;
        strncat(script, code + 3, 4);
        uloc_addLikelySubtags(script, full, sizeof full, &status);
        if (U_FAILURE(status) || strcmp(full, script) == 0)
            return undetermined;
        code = full;
    }
    if (strlen(code) < 2 || strncmp(code, "zz", 2) == 0 || strcmp(code, "un") == 0)
        return undetermined;
    return lang_from_tag(code);
}

static void fill_codes(void)
{
    for (int a = 0; a < 26; a++)
        for (int b = 0; b < 26; b++)
            two_letters[a][b] = lang_from_tag((char[]){(char)('a' + a), (char)('a' + b), '\0'});
    assert((size_t)dpl__langid_count() <= DPL_LEN(cld2_codes));
    for (int i = 0; i < dpl__langid_count(); i++)
        memcpy(cld2_codes[i], lang_from_cld2(dpl__langid_code(i)).code, sizeof cld2_codes[i]);
}

/* ---- names -------------------------------------------------------------------------- */

/* What languages are called in English and in themselves, case-folded, in order. Filled when
 * the first name that is no code comes along. */
enum { MAX_NAMES = 1200, MAX_NAME = 64 };

static pthread_once_t names_once = PTHREAD_ONCE_INIT;
static struct name {
    uint16_t at, n; /* in the pool */
    uint16_t order; /* the first of equal names stands */
    char code[4];
} names[MAX_NAMES];
static size_t n_names;
static UChar name_pool[MAX_NAMES * 12];
static size_t n_pool;

static int compare_folded(const UChar *a, size_t n_a, const UChar *b, size_t n_b)
{
    return u_strCompare(a, (int32_t)n_a, b, (int32_t)n_b, false);
}

static int compare_names(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int c = compare_folded(name_pool + x->at, x->n, name_pool + y->at, y->n);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

/* Adds what `language` is called in the language `in`, if ICU knows. */
static void add_name(const char *language, const char *in)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar name[MAX_NAME];
    dpl_lang lang = lang_from_tag(language);
    int32_t n = uloc_getDisplayLanguage(language, in, name, MAX_NAME, &status);
    if (status != U_ZERO_ERROR || lang.confidence < 1 || strlen(lang.code) > 3)
        return;
    size_t room = DPL_LEN(name_pool) - n_pool;
    n = u_strFoldCase(name_pool + n_pool, (int32_t)room, name, n, U_FOLD_CASE_DEFAULT, &status);
    if (U_FAILURE(status) || n_names == MAX_NAMES)
        return;
    struct name *record = &names[n_names];
    *record = (struct name){(uint16_t)n_pool, (uint16_t)n, (uint16_t)n_names, ""};
    memcpy(record->code, lang.code, 4);
    n_pool += (size_t)n;
    n_names++;
}

static void fill_names(void)
{
    for (const char *const *code = uloc_getISOLanguages(); *code; code++)
        add_name(*code, "en");
    for (int32_t i = 0; i < uloc_countAvailable(); i++) {
        const char *locale = uloc_getAvailable(i);
        if (!strchr(locale, '_'))
            add_name(locale, locale);
    }
    qsort(names, n_names, sizeof *names, compare_names);
}

static dpl_lang lang_from_name(dpl_str name)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar wide[MAX_NAME], folded[MAX_NAME];
    int32_t n = 0;
    if (name.n == 0 || name.n > 4 * MAX_NAME)
        return undetermined;
    u_strFromUTF8(wide, MAX_NAME, &n, name.data, (int32_t)name.n, &status);
    if (U_FAILURE(status))
        return undetermined;
    n = u_strFoldCase(folded, MAX_NAME, wide, n, U_FOLD_CASE_DEFAULT, &status);
    if (U_FAILURE(status))
        return undetermined;

    pthread_once(&names_once, fill_names);
    size_t at;
    DPL__LOWER_BOUND(at, n_names,
                     compare_folded(name_pool + names[at].at, names[at].n, folded, (size_t)n) <
                         0);
    const struct name *found = &names[at];
    if (at == n_names ||
        compare_folded(name_pool + found->at, found->n, folded, (size_t)n) != 0)
        return undetermined;
    dpl_lang lang = {.confidence = 1};
    memcpy(lang.code, found->code, sizeof found->code);
    return lang;
}

/* ---- given from outside ------------------------------------------------------------- */

/* The tag that a name like "de-AT", "de_DE.UTF-8" or "de,en;q=0.5" starts with; false when it
 * looks like something else. */
static bool copy_tag(char *tag, size_t size, dpl_str name)
{
    size_t n = 0, n_primary = 0;
    for (; n < name.n; n++) {
        char c = name.data[n];
        if (memchr(".@,;", c, 4))
            break;
        bool is_separator = c == '-' || c == '_';
        if ((!dpl__is_letter(c) && !dpl__is_digit(c) && !is_separator) || n + 1 >= size)
            return false;
        if (is_separator && !n_primary)
            n_primary = n;
        tag[n] = c;
    }
    tag[n] = '\0';
    if (!n_primary)
        n_primary = n;
    /* one letter: "i-klingon" */
    return n >= 2 && n_primary <= 3 && (n_primary >= 2 || n > n_primary) &&
           dpl__is_letter(tag[0]) && (n_primary < 2 || dpl__is_letter(tag[1])) &&
           (n_primary < 3 || dpl__is_letter(tag[2]));
}

dpl_lang dpl_lang_canonical(dpl_str name)
{
    name = dpl__strip(name);
    if (name.n == 2 && dpl__is_letter(name.data[0]) && dpl__is_letter(name.data[1])) {
        pthread_once(&codes_once, fill_codes);
        return two_letters[(name.data[0] | 32) - 'a'][(name.data[1] | 32) - 'a'];
    }
    char tag[64];
    return copy_tag(tag, sizeof tag, name) ? lang_from_tag(tag) : lang_from_name(name);
}

/* ---- identification ----------------------------------------------------------------- */

enum {
    TINY_SAMPLE = 192,
    SMALL_SAMPLE = 1024,
    LARGE_SAMPLE = 8192,
    N_TINY_PIECES = 3,
    N_PIECES = 4,
    N_SCAN = 64,    /* how far to look for a space to start a piece behind */
    N_PADDING = 64, /* zeros behind a sample: CLD2 reads words of several bytes */
};

#define P(name) ((int)DPL__P(unicode, name))

/* The first place from `at` on that is a character's first byte, and behind a space if there is
 * one among the next n_scan bytes. */
static size_t piece_start(dpl_str text, size_t at, size_t n_scan)
{
    assert(at <= text.n);
    size_t end = dpl__min(at + n_scan, text.n);
    for (size_t i = at; i < end; i++)
        if (dpl__is_white(text.data[i]))
            return i;
    while (at < text.n && dpl__is_inner(text.data[at]))
        at++;
    return at;
}

/* Fills out (of LARGE_SAMPLE + N_PADDING bytes) with about `limit` bytes of the text: all of
 * it, or pieces from its beginning to its end with a line break behind each. */
static size_t take_sample(char *out, dpl_str text, size_t limit, size_t n_pieces)
{
    size_t n = 0;
    if (text.n <= limit) {
        if (text.n)
            memcpy(out, text.data, text.n);
        n = text.n;
    } else {
        const size_t n_piece = limit / n_pieces;
        for (size_t i = 0; i < n_pieces; i++) {
            size_t at = (text.n - n_piece) / (n_pieces - 1) * i;
            size_t end = at + n_piece - 1;
            at = i ? piece_start(text, at, dpl__min(N_SCAN, n_piece / 2)) : 0;
            end = dpl__max(at, dpl__char_begin(text.data, end));
            memcpy(out + n, text.data + at, end - at);
            n += end - at;
            out[n++] = '\n';
        }
    }
    memset(out + n, 0, N_PADDING);
    return n;
}

static bool is_clear(const dpl__langid *guess, int percent)
{
    return guess->is_reliable && guess->percent >= percent;
}

static inline size_t count_foreign(dpl_str text, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        n += (c >= 0xC3) & (c != 0xE2);
    }
    return n;
}

/* More than one letter in a thousand bytes is not ASCII. Lead bytes C2 and E2 are left out:
 * they are nearly always punctuation. Blocks of ASCII, which is nearly all of an English text,
 * are passed over. */
static bool has_foreign_letters(dpl_str text)
{
    enum { BLOCK = 64 };
    size_t n = 0, i = 0;
    for (; i + BLOCK <= text.n; i += BLOCK) {
        uint64_t words[BLOCK / 8], all = 0;
        memcpy(words, text.data + i, BLOCK);
        for (size_t k = 0; k < DPL_LEN(words); k++)
            all |= words[k];
        if (all & 0x8080808080808080u)
            n += count_foreign(text, i, i + BLOCK);
    }
    return 1000 * (n + count_foreign(text, i, text.n)) > text.n;
}

/* Whether a tiny sample in that language decides for the whole text. Less frequent languages
 * are too easily confused with related ones, and English occurs in texts of all languages. */
static bool can_use_tiny_sample(const char *code, dpl_str text)
{
    static const char frequent[][3] = {"ar", "bg", "cs", "da", "de", "el", "en", "es",
                                       "fi", "fr", "hu", "it", "ja", "ko", "nb", "nl",
                                       "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh"};
    if (strcmp(code, "en") == 0)
        return !has_foreign_letters(text);
    for (size_t i = 0; i < DPL_LEN(frequent); i++)
        if (strcmp(code, frequent[i]) == 0)
            return true;
    return false;
}

static dpl_lang lang_from_guess(const dpl__langid *guess)
{
    pthread_once(&codes_once, fill_codes);
    dpl_lang lang = {.confidence = (float)guess->percent / (guess->is_reliable ? 100 : 200)};
    memcpy(lang.code, cld2_codes[guess->language], sizeof lang.code);
    return strcmp(lang.code, "und") ? lang : undetermined;
}

static dpl_lang lang_from_words(const char *code)
{
    dpl_lang lang = {.confidence = (float)P(tiny_percent) / 100.f};
    memcpy(lang.code, code, strlen(code) + 1);
    return lang;
}

dpl_lang dpl_lang_identify(dpl_str text)
{
    char sample[LARGE_SAMPLE + N_PADDING];
    dpl__langid guess;
    const char *code = dpl__lang_of_words(text);
    if (code && can_use_tiny_sample(code, text))
        return lang_from_words(code);
    if (text.n > (size_t)P(short_text)) {
        size_t n = take_sample(sample, text, TINY_SAMPLE, N_TINY_PIECES);
        if (dpl__langid_guess(&guess, sample, n) && is_clear(&guess, P(tiny_percent))) {
            dpl_lang lang = lang_from_guess(&guess);
            if (can_use_tiny_sample(lang.code, text))
                return lang;
        }
    }
    size_t n = take_sample(sample, text, SMALL_SAMPLE, N_PIECES);
    bool is_known = dpl__langid_guess(&guess, sample, n);
    if (text.n > SMALL_SAMPLE && !(is_known && is_clear(&guess, P(clear_percent)))) {
        n = take_sample(sample, text, LARGE_SAMPLE, N_PIECES);
        is_known = dpl__langid_guess(&guess, sample, n);
    }
    if (!is_known || (!guess.is_reliable && guess.percent < P(least_percent)))
        return undetermined;
    return lang_from_guess(&guess);
}

const char *dpl__lang_identifiable(size_t i)
{
    pthread_once(&codes_once, fill_codes);
    for (int language = 0; language < dpl__langid_count(); language++) {
        const char *code = cld2_codes[language];
        if (strcmp(code, "und") && dpl__langid_knows(language) && i-- == 0)
            return code;
    }
    return NULL;
}
