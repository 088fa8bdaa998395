/*
 * guess.c - the encoding of a text that is not UTF-8, and whether the guess is sure.
 *
 * ICU's detector names candidates by the frequency of byte sequences in languages. It is given
 * only the words that hold a byte beyond ASCII: in manuals with much English, the rest would
 * decide for windows-1252. Each candidate is then read, and what no writing has counts against
 * it: control characters, a capital behind a small letter, letters of two scripts in a word,
 * symbols inside of words, three accented Latin letters in a row. UTF-16 without a mark is
 * looked for first: one byte order gives text, the other does not.
 * Cost: some milliseconds for 64 KiB, once for each file that is not UTF-8.
 */
#include "readers/guess.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "readers/readers_params.h"

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/uscript.h>

enum {
    MOST_WORDS = 16 << 10, /* bytes of words beyond ASCII */
    MOST_CANDIDATES = 8
};

#define P(name) DPL__P(readers, name)

/* ---- UTF-16 --------------------------------------------------------------------------- */

/* Shares of the units read in one byte order. */
typedef struct units {
    size_t n, n_odd, n_common; /* impossible ones; blanks, line ends, full stops */
} units;

static units count_units(const uint8_t *p, size_t n, unsigned high)
{
    units u = {0};
    uint32_t waiting = 0;
    for (size_t i = 0; i + 1 < n; i += 2, u.n++) {
        const uint32_t c = (uint32_t)p[i + high] << 8 | p[i + 1 - high];
        const bool is_low = c >= 0xDC00 && c < 0xE000;
        u.n_odd += is_low != (waiting != 0);
        waiting = c >= 0xD800 && c < 0xDC00 ? c : 0;
        if (waiting || is_low)
            continue;
        const int8_t type = u_charType((UChar32)c);
        u.n_odd += type == U_UNASSIGNED || type == U_PRIVATE_USE_CHAR ||
                   (type == U_CONTROL_CHAR && c != '\n' && c != '\r' && c != '\t');
        u.n_common += c == ' ' || c == '\n' || c == 0x3002 || c == 0x3001 || c == 0xFF0C;
    }
    return u;
}

bool dpl__is_utf16(dpl_str text, bool *is_little_endian)
{
    const uint8_t *p = (const uint8_t *)text.data;
    const size_t n = dpl__min(text.n, DPL__GUESS_SAMPLE) & ~(size_t)1;
    if (n < 8)
        return false;
    const units little = count_units(p, n, 1), big = count_units(p, n, 0);
    *is_little_endian = little.n_common > big.n_common;
    const units *is = *is_little_endian ? &little : &big;
    const units *other = *is_little_endian ? &big : &little;
    return is->n_odd == 0 && is->n_common * 100 >= is->n && other->n_common * 10 < is->n_common;
}

/* ---- candidates ----------------------------------------------------------------------- */

typedef struct candidate {
    dpl__charset charset;
    int confidence;
    double odd;      /* share of the characters beyond ASCII that no writing has so */
    size_t n_beyond; /* characters beyond ASCII */
    uint64_t hash;   /* of the text it gives */
} candidate;

/* A character as the check of a text sees it. */
typedef struct seen {
    UChar32 c;
    bool is_letter, is_lower, is_upper, is_symbol;
    UScriptCode script;
} seen;

static seen look_at(UChar32 c)
{
    UErrorCode code = U_ZERO_ERROR;
    seen s = {.c = c, .is_letter = u_isalpha(c)};
    if (s.is_letter) {
        s.is_lower = u_islower(c);
        s.is_upper = u_isupper(c);
        s.script = uscript_getScript(c, &code);
        return s;
    }
    const int8_t type = u_charType(c);
    s.is_symbol = c > 0x7F && (type == U_OTHER_SYMBOL || type == U_MATH_SYMBOL ||
                               type == U_CURRENCY_SYMBOL || type == U_OTHER_NUMBER ||
                               type == U_MODIFIER_SYMBOL || c == 0xA1 || c == 0xBF);
    return s;
}

static bool is_one_script(UScriptCode a, UScriptCode b)
{
    const bool has_han = a == USCRIPT_HAN || b == USCRIPT_HAN || a == USCRIPT_HIRAGANA ||
                         b == USCRIPT_HIRAGANA || a == USCRIPT_KATAKANA ||
                         b == USCRIPT_KATAKANA || a == USCRIPT_HANGUL || b == USCRIPT_HANGUL;
    return a == b || a <= USCRIPT_INHERITED || b <= USCRIPT_INHERITED || has_han;
}

/* How odd is the character behind those two? */
static double oddness(const seen *before, const seen *last, const seen *now,
                      unsigned *n_accented)
{
    const UChar32 c = now->c;
    const int8_t type = u_charType(c);
    if ((c >= 0x80 && c < 0xA0) || c == 0xFFFD || type == U_UNASSIGNED ||
        type == U_PRIVATE_USE_CHAR || (c >= 0xFF61 && c <= 0xFF9F))
        return 1;
    double odd = 0;
    const bool is_beyond = c > 0x7F || last->c > 0x7F;
    if (last->is_letter && now->is_letter && is_beyond) {
        odd += last->is_lower && now->is_upper;
        odd += !is_one_script(last->script, now->script);
    }
    odd += before->is_letter && last->is_symbol && now->is_letter;
    /* Greek: an accented capital of windows-1253 is a quotation mark in ISO-8859-7, and the
     * other way round a pilcrow */
    odd += now->is_letter && now->script == USCRIPT_GREEK &&
           ((last->c == 0x2019 && !before->is_letter) || last->c == 0xB6);
    const bool is_accented = now->is_letter && now->script == USCRIPT_LATIN && c > 0x7F;
    *n_accented = is_accented ? *n_accented + 1 : 0;
    return odd + (*n_accented > 2);
}

static void examine(candidate *to, const UChar *text, size_t n)
{
    seen before = {0}, last = {0};
    unsigned n_accented = 0;
    double odd = 0;
    uint64_t hash = 0;
    to->n_beyond = 0;
    for (size_t i = 0; i < n;) {
        UChar32 c = text[i++];
        if (U16_IS_LEAD(text[i - 1]) && i < n)
            c = 0x10000 + ((c & 0x3FF) << 10 | (text[i++] & 0x3FF));
        if (c == 0x7F || (c < ' ' && c != '\n' && c != '\r' && c != '\t'))
            odd += 1;
        const seen now = look_at(c);
        odd += oddness(&before, &last, &now, &n_accented);
        to->n_beyond += c > 0x7F;
        hash = (hash ^ (uint64_t)c) * 0x100000001B3u;
        before = last;
        last = now;
    }
    to->hash = hash;
    to->odd = odd / (double)(to->n_beyond ? to->n_beyond : 1);
}

/* Reads the text as the candidate; false when bytes of it have no meaning, but for a character
 * that is cut at its end. */
static bool read_as(candidate *to, dpl_str text, UChar *out)
{
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(to->charset.name, &code);
    if (U_FAILURE(code))
        return false;
    ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    UChar *at = out;
    const char *from = text.data;
    ucnv_toUnicode(converter, &at, out + text.n, &from, text.data + text.n, NULL, false, &code);
    ucnv_close(converter);
    if (U_FAILURE(code) && code != U_TRUNCATED_CHAR_FOUND)
        return false;
    examine(to, out, (size_t)(at - out));
    return true;
}

/* ---- words beyond ASCII --------------------------------------------------------------- */

/* The text from the first line with a byte beyond ASCII (or an escape, as in ISO-2022) on. */
static dpl_str part_that_counts(dpl_str text)
{
    size_t i = 0;
    while (i < text.n && !((unsigned char)text.data[i] & 0x80) && text.data[i] != 0x1B)
        i++;
    size_t begin = i;
    while (begin > 0 && i - begin < 1024 && text.data[begin - 1] != '\n')
        begin--;
    return (dpl_str){text.data + begin, dpl__min(text.n - begin, DPL__GUESS_SAMPLE)};
}

/* The words with a byte beyond ASCII, with a blank behind each. */
static size_t copy_words(char *out, dpl_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n;) {
        while (i < text.n && dpl__is_blank(text.data[i]))
            i++;
        const size_t from = i;
        bool is_beyond = false;
        for (; i < text.n && !dpl__is_blank(text.data[i]); i++)
            is_beyond = is_beyond || (unsigned char)text.data[i] & 0x80;
        if (!is_beyond)
            continue;
        if (n + i - from + 1 > MOST_WORDS)
            break;
        memcpy(out + n, text.data + from, i - from);
        n += i - from;
        out[n++] = ' ';
    }
    return n;
}

/* ---- all of it ------------------------------------------------------------------------ */

/* Chooses between the two encodings of Greek by which text is less implausible. */
static void choose_greek(candidate *c, dpl_str text, UChar *room)
{
    candidate other = *c;
    if (strcmp(c->charset.name, "ISO-8859-7") != 0)
        return;
    strcpy(other.charset.name, "windows-1253");
    if (read_as(&other, text, room) && other.odd < c->odd)
        *c = other;
}

static size_t detect(candidate *all, dpl_str words, dpl_str text, UChar *room)
{
    UErrorCode code = U_ZERO_ERROR;
    UCharsetDetector *detector = ucsdet_open(&code);
    int32_t n_found = 0;
    ucsdet_setText(detector, words.data, (int32_t)words.n, &code);
    const UCharsetMatch **found = ucsdet_detectAll(detector, &n_found, &code);
    size_t n = 0;
    for (int32_t i = 0; U_SUCCESS(code) && i < n_found && n < MOST_CANDIDATES; i++) {
        const char *name = ucsdet_getName(found[i], &code);
        candidate c = {.charset = dpl__charset_named(dpl__cstr(name ? name : "")),
                       .confidence = ucsdet_getConfidence(found[i], &code)};
        const bool is_ebcdic = strncmp(c.charset.name, "IBM", 3) == 0;
        if (!c.charset.name[0] || is_ebcdic || !read_as(&c, text, room))
            continue;
        choose_greek(&c, text, room);
        all[n++] = c;
    }
    ucsdet_close(detector);
    return n;
}

static double score_of(const candidate *c)
{
    return c->confidence * (1 - P(odd_weight) * c->odd);
}

static void decide(dpl__guess *out, const candidate *all, size_t n)
{
    const candidate *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (!best || score_of(&all[i]) > score_of(best))
            best = &all[i];
    if (!best || score_of(best) <= 0 || best->n_beyond < P(named_beyond))
        return;
    out->charset = best->charset;
    double next = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].hash != best->hash && score_of(&all[i]) > next)
            next = score_of(&all[i]);
    out->is_sure = best->n_beyond >= P(sure_beyond) && best->confidence >= P(sure_confidence) &&
                   best->odd <= P(sure_odd) && score_of(best) - next >= P(sure_lead);
}

dpl_status dpl__charset_guess(dpl__guess *out, dpl_ctx *ctx, dpl_str text, dpl_error *err)
{
    *out = (dpl__guess){0};
    text = part_that_counts(text);
    char *words = dpl__alloc(ctx, MOST_WORDS);
    UChar *room = dpl__alloc(ctx, DPL__GUESS_SAMPLE * sizeof *room);
    candidate all[MOST_CANDIDATES];
    dpl_status status;
    DPL__STEP(dpl__need(words && room, err));
    size_t n = copy_words(words, text);
    dpl_str counted = n ? (dpl_str){words, n} : text; /* ISO-2022: all of it is ASCII */
    decide(out, all, detect(all, counted, text, room));
done:
    dpl__free(ctx, room, words);
    return status;
}
