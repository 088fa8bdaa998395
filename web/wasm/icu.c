/*
 * icu.c - the part of ICU's interface that the query code calls, without ICU.
 *
 * Properties and case folding come from tables that make_tables.c wrote with the ICU of the
 * build: the same words and sentences as in the command. Two things come from the browser:
 * normalization (String.normalize), and the words of scripts that are cut with dictionaries
 * (Intl.Segmenter), which is ICU in all browsers, of another version. An index of such texts
 * may therefore see other words in a query than `doppel query` does; everything else is equal.
 *
 * Transliteration is by character, from a table, too: rules that look at neighbours are not
 * there. Encodings other than UTF-8 are converted by the page; here they are not known.
 */
#include "icu_record.h"
#include "icu_tables.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utext.h>
#include <unicode/utrans.h>

#define LEN(a) (sizeof(a) / sizeof *(a))
#define IMPORT(name) __attribute__((import_module("page"), import_name(name)))

/* NFC of n units; answers how many `to` (of n_most) has then, or -1. */
IMPORT("normalize")
int32_t page_normalize(const UChar *from, int32_t n, UChar *to, int32_t n_most);
/* Ends of the segments of n bytes of UTF-8: end << 1 | is_word each; answers how many, or -1.
 */
IMPORT("segment")
int32_t page_segment(const char *text, int32_t n, int32_t is_swedish, uint32_t *ends,
                     int32_t n_most);

/* ---- properties ----------------------------------------------------------------------- */

static const icu_record *find(UChar32 c)
{
    size_t low = 0, high = LEN(icu_ranges);
    if (c < 0 || c > 0x10FFFF)
        c = 0xFFFF; /* nothing */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (icu_ranges[middle].first <= (uint32_t)c)
            low = middle;
        else
            high = middle;
    }
    return &icu_records[icu_ranges[low].record];
}

int32_t u_getIntPropertyValue(UChar32 c, UProperty which)
{
    const icu_record *r = find(c);
    switch (which) {
    case UCHAR_WORD_BREAK: return r->word_break;
    case UCHAR_LINE_BREAK: return r->line_break;
    case UCHAR_SENTENCE_BREAK: return r->sentence_break;
    case UCHAR_NFC_QUICK_CHECK: return r->nfc_quick_check;
    default: abort();
    }
}

UBool u_hasBinaryProperty(UChar32 c, UProperty which)
{
    const icu_record *r = find(c);
    switch (which) {
    case UCHAR_IDEOGRAPHIC: return (r->flags & ICU_IDEOGRAPHIC) != 0;
    case UCHAR_CASED: return (r->flags & ICU_CASED) != 0;
    default: abort();
    }
}

int8_t u_charType(UChar32 c)
{
    return (int8_t)find(c)->category;
}

uint8_t u_getCombiningClass(UChar32 c)
{
    return find(c)->combining_class;
}

static UBool is_in(UChar32 c, uint32_t categories)
{
    return (U_MASK(find(c)->category) & categories) != 0;
}

UBool u_isalpha(UChar32 c)
{
    return is_in(c, U_GC_L_MASK);
}

UBool u_isalnum(UChar32 c)
{
    return is_in(c, U_GC_L_MASK | U_GC_ND_MASK);
}

UBool u_islower(UChar32 c)
{
    return is_in(c, U_GC_LL_MASK);
}

UBool u_isupper(UChar32 c)
{
    return is_in(c, U_GC_LU_MASK);
}

/* Digits stand in tens; those next to each other have one range. */
int32_t u_charDigitValue(UChar32 c)
{
    if (!is_in(c, U_GC_ND_MASK))
        return -1;
    UChar32 zero = c;
    while (is_in(zero - 1, U_GC_ND_MASK))
        zero--;
    return (c - zero) % 10;
}

int32_t u_charName(UChar32 c, UCharNameChoice choice, char *to, int32_t n_most,
                   UErrorCode *code)
{
    (void)c, (void)choice, (void)to, (void)n_most, (void)code;
    return 0;
}

UBool u_isUWhiteSpace(UChar32 c)
{
    return (find(c)->flags & ICU_WHITE_SPACE) != 0;
}

UScriptCode uscript_getScript(UChar32 c, UErrorCode *code)
{
    static const UScriptCode scripts[] = {USCRIPT_COMMON, USCRIPT_HAN, USCRIPT_HIRAGANA};
    (void)code;
    return scripts[find(c)->script];
}

const char *u_errorName(UErrorCode code)
{
    return code == U_MEMORY_ALLOCATION_ERROR ? "no memory" : "failed";
}

/* ---- case ----------------------------------------------------------------------------- */

static const icu_mapping *find_mapping(const icu_mapping *table, size_t n, UChar32 c)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle].from < (uint32_t)c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && table[low].from == (uint32_t)c ? &table[low] : NULL;
}

UChar32 u_tolower(UChar32 c)
{
    const icu_mapping *m = find_mapping(icu_lower, LEN(icu_lower), c);
    return m ? (UChar32)m->to[0] : c;
}

struct UCaseMap {
    uint32_t options;
};

UCaseMap *ucasemap_open(const char *locale, uint32_t options, UErrorCode *code)
{
    UCaseMap *map = malloc(sizeof *map);
    (void)locale;
    if (map)
        map->options = options;
    else
        *code = U_MEMORY_ALLOCATION_ERROR;
    return map;
}

void ucasemap_close(UCaseMap *map)
{
    free(map);
}

int32_t ucasemap_utf8FoldCase(const UCaseMap *map, char *to, int32_t n_most, const char *from,
                              int32_t n, UErrorCode *code)
{
    int32_t at = 0, n_to = 0;
    UBool is_full = false;
    while (at < n && !is_full) {
        UChar32 c;
        U8_NEXT((const uint8_t *)from, at, n, c);
        icu_mapping kept = {.to = {(uint32_t)c}};
        const icu_mapping *m = find_mapping(icu_fold, LEN(icu_fold), c);
        if (!m)
            m = &kept;
        if (map->options & U_FOLD_CASE_EXCLUDE_SPECIAL_I && (c == 'I' || c == 0x130)) {
            kept.to[0] = c == 'I' ? 0x131 : 'i';
            m = &kept;
        }
        for (int k = 0; k < 3 && m->to[k] && !is_full; k++)
            U8_APPEND((uint8_t *)to, n_to, n_most, (UChar32)m->to[k], is_full);
    }
    if (is_full)
        *code = U_BUFFER_OVERFLOW_ERROR;
    return n_to;
}

/* Simple case folding. */
UChar32 u_foldCase(UChar32 c, uint32_t options)
{
    const icu_mapping *m = find_mapping(icu_fold, LEN(icu_fold), c);
    (void)options;
    return m && !m->to[1] ? (UChar32)m->to[0] : c;
}

/* ---- UTF-16 --------------------------------------------------------------------------- */

void u_charsToUChars(const char *from, UChar *to, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        to[i] = (UChar)(unsigned char)from[i];
}

UChar *u_strFromUTF8(UChar *to, int32_t n_most, int32_t *n, const char *from, int32_t n_from,
                     UErrorCode *code)
{
    int32_t at = 0, n_to = 0;
    UBool is_full = false;
    while (at < n_from && !is_full) {
        UChar32 c;
        U8_NEXT((const uint8_t *)from, at, n_from, c);
        U16_APPEND(to, n_to, n_most, c < 0 ? 0xFFFD : c, is_full);
    }
    *n = n_to;
    if (is_full)
        *code = U_BUFFER_OVERFLOW_ERROR;
    return to;
}

char *u_strToUTF8(char *to, int32_t n_most, int32_t *n, const UChar *from, int32_t n_from,
                  UErrorCode *code)
{
    int32_t at = 0, n_to = 0;
    UBool is_full = false;
    while (at < n_from && !is_full) {
        UChar32 c;
        U16_NEXT(from, at, n_from, c);
        U8_APPEND((uint8_t *)to, n_to, n_most, U_IS_SURROGATE(c) ? 0xFFFD : c, is_full);
    }
    *n = n_to;
    if (is_full)
        *code = U_BUFFER_OVERFLOW_ERROR;
    else if (n_to < n_most)
        to[n_to] = 0;
    return to;
}

/* ---- Latin script --------------------------------------------------------------------- */

UTransliterator *utrans_openU(const UChar *id, int32_t n_id, UTransDirection direction,
                              const UChar *rules, int32_t n_rules, UParseError *fault,
                              UErrorCode *code)
{
    static char only;
    (void)id, (void)n_id, (void)direction, (void)rules, (void)n_rules, (void)fault, (void)code;
    return (UTransliterator *)&only;
}

UTransliterator *utrans_clone(const UTransliterator *t, UErrorCode *code)
{
    (void)code;
    return (UTransliterator *)(uintptr_t)t;
}

void utrans_close(UTransliterator *t)
{
    (void)t;
}

static const icu_latin *find_latin(UChar c)
{
    size_t low = 0, high = LEN(icu_latins);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (icu_latins[middle].from < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < LEN(icu_latins) && icu_latins[low].from == c ? &icu_latins[low] : NULL;
}

/* In place, by way of a copy; as long as there is room. */
void utrans_transUChars(const UTransliterator *t, UChar *text, int32_t *n, int32_t n_most,
                        int32_t start, int32_t *limit, UErrorCode *code)
{
    UChar *copy = malloc((size_t)*n * sizeof *copy + 1);
    int32_t n_to = start;
    (void)t;
    if (!copy) {
        *code = U_MEMORY_ALLOCATION_ERROR;
        return;
    }
    memcpy(copy, text, (size_t)*n * sizeof *copy);
    for (int32_t i = start; i < *limit; i++) {
        const icu_latin *found = find_latin(copy[i]);
        const size_t n_found = found ? strnlen(found->to, sizeof found->to) : 1;
        if (n_to + (int32_t)n_found > n_most) {
            *code = U_BUFFER_OVERFLOW_ERROR;
            break;
        }
        for (size_t k = 0; k < n_found; k++)
            text[n_to++] = found ? (UChar)found->to[k] : copy[i];
    }
    *n = *limit = n_to;
    free(copy);
}

/* ---- encodings: none ------------------------------------------------------------------ */

UConverter *ucnv_open(const char *name, UErrorCode *code)
{
    (void)name;
    *code = U_FILE_ACCESS_ERROR;
    return NULL;
}

void ucnv_close(UConverter *converter)
{
    (void)converter;
}

void ucnv_reset(UConverter *converter)
{
    (void)converter;
}

int8_t ucnv_getMaxCharSize(const UConverter *converter)
{
    return (void)converter, 0;
}

const char *ucnv_getStandardName(const char *name, const char *standard, UErrorCode *code)
{
    return (void)name, (void)standard, (void)code, NULL;
}

int32_t ucnv_toAlgorithmic(UConverterType type, UConverter *converter, char *to, int32_t n_most,
                           const char *from, int32_t n, UErrorCode *code)
{
    (void)type, (void)converter, (void)to, (void)n_most, (void)from, (void)n;
    *code = U_UNSUPPORTED_ERROR;
    return 0;
}

UChar32 ucnv_getNextUChar(UConverter *converter, const char **from, const char *end,
                          UErrorCode *code)
{
    (void)converter, (void)from, (void)end;
    *code = U_UNSUPPORTED_ERROR;
    return 0xFFFF;
}

void ucnv_toUnicode(UConverter *converter, UChar **to, const UChar *to_end, const char **from,
                    const char *from_end, int32_t *offsets, UBool flush, UErrorCode *code)
{
    (void)converter, (void)to, (void)to_end, (void)from, (void)from_end, (void)offsets;
    (void)flush;
    *code = U_UNSUPPORTED_ERROR;
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action,
                         const void *context, UConverterToUCallback *old_action,
                         const void **old_context, UErrorCode *code)
{
    (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
    (void)code;
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *args,
                             const char *units, int32_t n, UConverterCallbackReason reason,
                             UErrorCode *code)
{
    (void)context, (void)args, (void)units, (void)n, (void)reason, (void)code;
}

UCharsetDetector *ucsdet_open(UErrorCode *code)
{
    *code = U_UNSUPPORTED_ERROR;
    return NULL;
}

void ucsdet_close(UCharsetDetector *detector)
{
    (void)detector;
}

void ucsdet_setText(UCharsetDetector *detector, const char *text, int32_t n, UErrorCode *code)
{
    (void)detector, (void)text, (void)n, (void)code;
}

const UCharsetMatch **ucsdet_detectAll(UCharsetDetector *detector, int32_t *n, UErrorCode *code)
{
    (void)detector, (void)code;
    *n = 0;
    return NULL;
}

const char *ucsdet_getName(const UCharsetMatch *match, UErrorCode *code)
{
    return (void)match, (void)code, NULL;
}

int32_t ucsdet_getConfidence(const UCharsetMatch *match, UErrorCode *code)
{
    return (void)match, (void)code, 0;
}

/* ---- normalization -------------------------------------------------------------------- */

const UNormalizer2 *unorm2_getNFCInstance(UErrorCode *code)
{
    (void)code;
    return NULL;
}

UNormalizationCheckResult unorm2_quickCheck(const UNormalizer2 *nfc, const UChar *s, int32_t n,
                                            UErrorCode *code)
{
    (void)nfc, (void)code;
    uint8_t last = 0;
    for (int32_t at = 0; at < n;) {
        UChar32 c;
        U16_NEXT(s, at, n, c);
        const icu_record *r = find(c);
        if (r->nfc_quick_check != UNORM_YES ||
            (r->combining_class && r->combining_class < last))
            return UNORM_NO;
        last = r->combining_class;
    }
    return UNORM_YES;
}

int32_t unorm2_normalize(const UNormalizer2 *nfc, const UChar *from, int32_t n, UChar *to,
                         int32_t n_most, UErrorCode *code)
{
    (void)nfc;
    int32_t n_to = page_normalize(from, n, to, n_most);
    if (n_to < 0)
        *code = U_BUFFER_OVERFLOW_ERROR;
    return n_to;
}

/* ---- words of scripts that need a dictionary ------------------------------------------ */

struct UBreakIterator {
    int32_t is_swedish;
    uint32_t *ends;
    int32_t n_ends, n_room, at;
};

UBreakIterator *ubrk_open(UBreakIteratorType type, const char *locale, const UChar *text,
                          int32_t n, UErrorCode *code)
{
    (void)type, (void)text, (void)n;
    UBreakIterator *words = calloc(1, sizeof *words);
    if (words)
        words->is_swedish = strcmp(locale, "sv") == 0;
    else
        *code = U_MEMORY_ALLOCATION_ERROR;
    return words;
}

void ubrk_close(UBreakIterator *words)
{
    if (words)
        free(words->ends);
    free(words);
}

UText *utext_openUTF8(UText *text, const char *s, int64_t n, UErrorCode *code)
{
    (void)code;
    text->context = s;
    text->a = n;
    return text;
}

UText *utext_close(UText *text)
{
    return text;
}

void ubrk_setUText(UBreakIterator *words, UText *text, UErrorCode *code)
{
    if (words->n_room < text->a) {
        free(words->ends);
        words->n_room = (int32_t)text->a;
        words->ends = malloc((size_t)words->n_room * sizeof *words->ends);
    }
    words->at = 0;
    words->n_ends = words->ends || !text->a
                        ? page_segment(text->context, (int32_t)text->a, words->is_swedish,
                                       words->ends, words->n_room)
                        : -1;
    if (words->n_ends < 0)
        *code = U_MEMORY_ALLOCATION_ERROR;
}

int32_t ubrk_first(UBreakIterator *words)
{
    words->at = 0;
    return 0;
}

int32_t ubrk_next(UBreakIterator *words)
{
    return words->at < words->n_ends ? (int32_t)(words->ends[words->at++] >> 1) : UBRK_DONE;
}

int32_t ubrk_getRuleStatus(UBreakIterator *words)
{
    return words->at && words->ends[words->at - 1] & 1 ? UBRK_WORD_LETTER : UBRK_WORD_NONE;
}
