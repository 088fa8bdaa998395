/*
 * romanize.c - ICU's transliteration to Latin, then ASCII; names of letters for the rest.
 *
 * Cost: ICU takes some microseconds for a word, and a tenth of a second to get ready; it is
 * opened when the first word that is not ASCII comes.
 */
#include "unicode/romanize.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

enum { MOST_UNITS = 256 }; /* UTF-16 of a word, and room to grow */

struct dpl__romanizer {
    dpl_ctx *ctx;
    UTransliterator *latin; /* NULL: not needed yet */
    bool has_failed;        /* ICU has no such rules: letters go by their names */
};

dpl_status dpl__romanizer_new(dpl__romanizer **out, dpl_ctx *ctx, dpl_error *err)
{
    dpl__romanizer *r = *out = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    return DPL_OK;
}

void dpl__romanizer_free(dpl__romanizer *r)
{
    if (!r)
        return;
    utrans_close(r->latin);
    dpl__free(r->ctx, r);
}

static bool open_latin(dpl__romanizer *r)
{
    static const char id[] = "Any-Latin; Latin-ASCII; Lower";
    UChar units[sizeof id];
    UErrorCode code = U_ZERO_ERROR;
    if (r->latin || r->has_failed)
        return r->latin;
    u_charsToUChars(id, units, sizeof id);
    r->latin = utrans_openU(units, -1, UTRANS_FORWARD, NULL, 0, NULL, &code);
    r->has_failed = U_FAILURE(code);
    return !r->has_failed;
}

static void push(char out[DPL__ROMANIZED], size_t *n, char c)
{
    if (*n < DPL__ROMANIZED)
        out[(*n)++] = c;
}

/* "ETHIOPIC SYLLABLE MAA" is maa, "CHEROKEE LETTER GA" is ga; other names of letters stand for
 * the sound they begin with: "COPTIC SMALL LETTER DALDA" is d. */
static void push_named(char out[DPL__ROMANIZED], size_t *n, UChar32 c)
{
    enum { WHOLE = 3 };
    char name[128];
    UErrorCode code = U_ZERO_ERROR;
    int32_t n_name = u_charName(c, U_UNICODE_CHAR_NAME, name, sizeof name, &code);
    if (U_FAILURE(code) || n_name <= 0 || !u_isalpha(c))
        return;
    const char *last = strrchr(name, ' ');
    if (!last || strstr(name, "IDEOGRAPH"))
        return;
    size_t end = strlen(++last);
    const bool is_open = strchr("AEIOU", last[end - 1]) && end <= WHOLE;
    if (!strstr(name, "SYLLABLE") && !strstr(name, "VOWEL") && !is_open)
        end = 1;
    for (size_t i = 0; i < end; i++)
        if (last[i] >= 'A' && last[i] <= 'Z')
            push(out, n, (char)(last[i] - 'A' + 'a'));
}

/* One character of what ICU wrote. */
static void push_char(char out[DPL__ROMANIZED], size_t *n, UChar32 c)
{
    int32_t digit = u_charDigitValue(c);
    if (c >= 'A' && c <= 'Z')
        c += 'a' - 'A';
    if (c >= 'a' && c <= 'z')
        push(out, n, (char)c);
    else if (digit >= 0)
        push(out, n, (char)('0' + digit));
    else if (c >= 0x80)
        push_named(out, n, c);
}

size_t dpl__romanize(dpl__romanizer *r, char out[DPL__ROMANIZED], dpl_str word)
{
    UChar units[MOST_UNITS];
    char latin[3 * MOST_UNITS];
    int32_t n_units = 0, n_latin = 0, limit;
    size_t n = 0;
    UErrorCode code = U_ZERO_ERROR;
    if (dpl__is_ascii(word)) {
        for (size_t i = 0; i < word.n; i++)
            push_char(out, &n, word.data[i]);
        return n;
    }
    u_strFromUTF8(units, MOST_UNITS / 4, &n_units, word.data, (int32_t)word.n, &code);
    if (U_FAILURE(code))
        return 0;
    limit = n_units;
    if (open_latin(r))
        utrans_transUChars(r->latin, units, &n_units, MOST_UNITS, 0, &limit, &code);
    if (U_FAILURE(code))
        return 0;
    u_strToUTF8(latin, (int32_t)sizeof latin, &n_latin, units, n_units, &code);
    for (int32_t i = 0; U_SUCCESS(code) && i < n_latin;) {
        uint32_t c;
        i += (int32_t)dpl__utf8_decode((const uint8_t *)latin + i, &c);
        push_char(out, &n, (UChar32)c);
    }
    return n;
}
