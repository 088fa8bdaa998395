/*
 * make_tables.c - writes the Unicode tables of the WebAssembly module as C, from the ICU that
 * the library is built with: so that a page cuts and folds words exactly as the command does.
 *
 * Properties: ranges of code points with the same record, and the records. Mappings: full case
 * folding and simple lower case of the characters that change. Letters of other scripts than
 * Han and Hangul in Latin ones. Runs at build time.
 */
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

#include "icu_record.h"

static icu_record record_of(UChar32 c)
{
    UErrorCode code = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(c, &code);
    icu_record r = {
        .word_break = (uint8_t)u_getIntPropertyValue(c, UCHAR_WORD_BREAK),
        .line_break = (uint8_t)u_getIntPropertyValue(c, UCHAR_LINE_BREAK),
        .sentence_break = (uint8_t)u_getIntPropertyValue(c, UCHAR_SENTENCE_BREAK),
        .category = (uint8_t)u_charType(c),
        .combining_class = u_getCombiningClass(c),
        .nfc_quick_check = (uint8_t)u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK),
        .script = (uint8_t)(script == USCRIPT_HAN        ? 1
                            : script == USCRIPT_HIRAGANA ? 2
                                                         : 0),
    };
    if (u_isUWhiteSpace(c))
        r.flags |= ICU_WHITE_SPACE;
    if (u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC))
        r.flags |= ICU_IDEOGRAPHIC;
    if (u_hasBinaryProperty(c, UCHAR_CASED))
        r.flags |= ICU_CASED;
    return r;
}

static icu_record records[1024];
static int n_records;

static int number_of(icu_record r)
{
    for (int i = 0; i < n_records; i++)
        if (memcmp(&records[i], &r, sizeof r) == 0)
            return i;
    records[n_records] = r;
    return n_records++;
}

static void write_properties(void)
{
    int last = -1, n = 0;
    printf("static const icu_range icu_ranges[] = {\n");
    for (UChar32 c = 0; c <= 0x10FFFF; c++) {
        int number = number_of(record_of(c));
        if (number != last)
            printf("{0x%X,%d},%s", (unsigned)c, number, ++n % 8 ? "" : "\n");
        last = number;
    }
    printf("};\nstatic const icu_record icu_records[] = {\n");
    for (int i = 0; i < n_records; i++) {
        const icu_record *r = &records[i];
        printf("{%d,%d,%d,%d,%d,%d,%d,%d},\n", r->word_break, r->line_break, r->sentence_break,
               r->category, r->combining_class, r->nfc_quick_check, r->script, r->flags);
    }
    printf("};\n");
}

static void write_mappings(void)
{
    printf("static const icu_mapping icu_lower[] = {\n");
    for (UChar32 c = 0; c <= 0x10FFFF; c++)
        if (u_tolower(c) != c)
            printf("{0x%X,{0x%X,0,0}},\n", (unsigned)c, (unsigned)u_tolower(c));
    printf("};\nstatic const icu_mapping icu_fold[] = {\n");
    for (UChar32 c = 0; c <= 0x10FFFF; c++) {
        UErrorCode code = U_ZERO_ERROR;
        UChar from[2], to[16];
        if (U_IS_SURROGATE(c))
            continue;
        int32_t n_from = 0, n_to;
        U16_APPEND_UNSAFE(from, n_from, c);
        n_to = u_strFoldCase(to, 16, from, n_from, U_FOLD_CASE_DEFAULT, &code);
        if (n_to == n_from && memcmp(from, to, (size_t)n_to * sizeof *to) == 0)
            continue;
        printf("{0x%X,{", (unsigned)c);
        for (int32_t at = 0, k = 0; k < 3; k++) {
            UChar32 folded = 0;
            if (at < n_to)
                U16_NEXT(to, at, n_to, folded);
            printf("0x%X,", (unsigned)folded);
        }
        printf("}},\n");
    }
    printf("};\n");
}

/* Words in Latin letters, as src/unicode/romanize.c asks for them, character by character. */
static void write_latin(void)
{
    static const char id[] = "Any-Latin; Latin-ASCII; Lower";
    UChar units[64];
    UErrorCode code = U_ZERO_ERROR;
    u_charsToUChars(id, units, sizeof id);
    UTransliterator *latin = utrans_openU(units, -1, UTRANS_FORWARD, NULL, 0, NULL, &code);
    printf("static const icu_latin icu_latins[] = {\n");
    for (UChar32 c = 'A'; U_SUCCESS(code) && c < 0xA000; c++) {
        if (!u_isalpha(c) && u_charType(c) != U_NON_SPACING_MARK &&
            u_charType(c) != U_COMBINING_SPACING_MARK)
            continue;
        if (c >= 0x3400)
            break; /* Han, Yi, Hangul */
        UChar text[32] = {(UChar)c};
        char out[64];
        int32_t n = 1, limit = 1, n_out = 0;
        utrans_transUChars(latin, text, &n, 32, 0, &limit, &code);
        u_strToUTF8(out, sizeof out, &n_out, text, n, &code);
        int is_ascii = n_out <= ICU_MOST_LATIN;
        for (int32_t i = 0; i < n_out; i++)
            is_ascii &= out[i] > ' ' && out[i] < 0x7F && out[i] != '"' && out[i] != '\\';
        if (is_ascii && !(n == 1 && text[0] == c))
            printf("{0x%X,\"%.*s\"},\n", (unsigned)c, n_out, out);
    }
    printf("};\n");
    utrans_close(latin);
}

int main(void)
{
    printf("/* made by web/wasm/make_tables.c from ICU %s */\n", U_ICU_VERSION);
    write_properties();
    write_mappings();
    write_latin();
    return 0;
}
