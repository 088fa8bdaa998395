/*
 * sentence_bounds.c - sentence boundaries of UTF-8 text.
 *
 * Boundaries stand only behind line ends and terminators (. ! ? and their kin), so the text is
 * searched for those, and the rules SB5-SB11 of UAX #29 are applied around each one. The result
 * is that of ICU's sentence iterator (a test compares them), except that a full stop does not
 * end a sentence behind an abbreviation of the language, an initial, the number of a heading
 * or list item, or, in languages that write ordinals with a full stop, a small number. Cost: a
 * byte search plus some 50 ns a sentence.
 */
#include "tokens/sentence_bounds.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "doppel/text.h"
#include "kernels/kernels.h"
#include "tokens/abbreviations_data.h"
#include "tokens/classes.h"
#include "unicode/unicode.h"

#include <pthread.h>
#include <unicode/uchar.h>

static dpl__byteset candidates; /* bytes that a terminator or line end can begin with */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_greek_question_mark(uint32_t c)
{
    return c == ';' || c == 0x37E;
}

static void find_candidates(void)
{
    const dpl__classes *k = dpl__classes_init();
    for (uint32_t c = 0; c < DPL__CLASS_PLANE; c++) {
        uint8_t class = k->sentence[c];
        if (class == DPL__S_ATERM || class == DPL__S_STERM || class == DPL__S_SEP ||
            is_greek_question_mark(c)) {
            char bytes[4];
            dpl__utf8_encode(bytes, c);
            dpl__byteset_add(&candidates, (uint8_t)bytes[0]);
        }
    }
    for (unsigned lead = 0xF0; lead < 0xF5; lead++)
        dpl__byteset_add(&candidates, (uint8_t)lead);
}

typedef struct splitter {
    const dpl__classes *classes;
    const uint8_t *p;
    size_t n;
    const char *lang;
    bool is_greek;
    size_t paragraph; /* start of the paragraph; n: a sentence of it has ended */
} splitter;

/* Class and length of the character at `at`; the end of the text is a separator of length 0. */
static uint8_t class_at(const splitter *s, size_t at, size_t *next, uint32_t *c)
{
    if (at >= s->n) {
        *next = at;
        *c = 0;
        return DPL__S_SEP;
    }
    *next = at + dpl__utf8_decode(s->p + at, c);
    if (s->is_greek && is_greek_question_mark(*c))
        return DPL__S_STERM;
    return dpl__sentence_class(s->classes, *c);
}

/* Skips characters of the class and the marks on them, and marks at `at` itself. */
static size_t skip(const splitter *s, size_t at, uint8_t class)
{
    for (;;) {
        size_t next;
        uint32_t c;
        uint8_t k = class_at(s, at, &next, &c);
        if ((k != class && k != DPL__S_EXTEND) || next == at)
            return at;
        at = next;
    }
}

/* The class of the last character before `at` that is no mark; DPL__S_SEP at the start. */
static uint8_t class_before(const splitter *s, size_t at)
{
    assert(at <= s->n);
    while (at > 0) {
        at = dpl__char_begin(s->p, at - 1);
        size_t next;
        uint32_t c;
        uint8_t k = class_at(s, at, &next, &c);
        if (k != DPL__S_EXTEND)
            return k;
    }
    return DPL__S_SEP;
}

/* SB8: behind a full stop, does a lower-case letter come before any other letter? */
static bool goes_on_in_lower_case(const splitter *s, size_t at)
{
    for (;;) {
        size_t next;
        uint32_t c;
        switch (class_at(s, at, &next, &c)) {
        case DPL__S_LOWER: return true;
        case DPL__S_OLETTER:
        case DPL__S_UPPER:
        case DPL__S_SEP:
        case DPL__S_ATERM:
        case DPL__S_STERM: return false;
        default: at = next;
        }
    }
}

/* ---- what a language adds ----------------------------------------------------------- */

static bool writes_ordinals_with_a_stop(const char *lang)
{
    static const char *const langs[] = {"bs", "cs", "da", "de", "et", "fi", "hr", "hu", "is",
                                        "lv", "nb", "nn", "no", "pl", "sk", "sl", "sr", "tr"};
    for (size_t i = 0; i < DPL_LEN(langs); i++)
        if (strcmp(lang, langs[i]) == 0)
            return true;
    return false;
}

/* The word that ends at `end`, in lower case, into out; its length, 0 when it is too long to
 * matter. Full stops inside count as part of it: "z.b". */
static size_t word_before(const splitter *s, size_t end, char *out, size_t cap)
{
    assert(end <= s->n && cap > 0);
    size_t begin = end;
    while (begin > 0 && end - begin < cap) {
        const size_t at = dpl__char_begin(s->p, begin - 1);
        uint32_t c;
        dpl__utf8_decode(s->p + at, &c);
        if (!dpl__is_alnum(s->classes, c) && c != '.' &&
            dpl__sentence_class(s->classes, c) != DPL__S_EXTEND)
            break;
        begin = at;
    }
    size_t n = 0;
    for (size_t at = begin; at < end;) {
        uint32_t c;
        at += dpl__utf8_decode(s->p + at, &c);
        if (n + 4 > cap)
            return 0;
        n += dpl__utf8_encode(out + n, (uint32_t)u_tolower((UChar32)c));
    }
    return n;
}

/* A single letter before the full stop at `stop`: a capital ("J. Doe"), or one of several such
 * letters ("z. B."). */
static bool is_initial(const splitter *s, size_t stop, size_t next)
{
    size_t begin = dpl__char_begin(s->p, stop - 1), after, end;
    uint32_t c;
    if (class_at(s, begin, &after, &c) == DPL__S_UPPER)
        return true;
    class_at(s, next, &after, &c);
    return dpl__is_alnum(s->classes, c) && class_at(s, after, &end, &c) == DPL__S_ATERM;
}

/* Behind letters at `at`: "Figure" of "Figure 3. The harbour". */
static size_t skip_letters(const splitter *s, size_t at)
{
    for (;;) {
        size_t next;
        uint32_t c;
        const uint8_t k = class_at(s, at, &next, &c);
        if (k != DPL__S_LOWER && k != DPL__S_UPPER && k != DPL__S_OLETTER && k != DPL__S_EXTEND)
            return at;
        at = next;
    }
}

/* Is what stands between the start of the paragraph and the full stop a number ("2.5. Tides",
 * "II. Tides"), or a word and a number ("Figure 3. The harbour", "A.1. Tides")? */
static bool is_label(const splitter *s, size_t stop)
{
    size_t at = s->paragraph, end = skip_letters(s, at), n_roman = 0, n_digits = 0;
    if (end < stop)
        at = skip(s, end, DPL__S_SPACE);
    while (at + n_roman < stop && memchr("IVXLC", s->p[at + n_roman], 5))
        n_roman++;
    for (at += n_roman; at < stop && (s->p[at] == '.' || dpl__is_digit((char)s->p[at])); at++)
        n_digits += s->p[at] != '.';
    return at == stop && (n_digits || n_roman);
}

/* Does the full stop at `stop` belong to the word before it? next: what follows the blanks. */
static bool is_part_of_word(const splitter *s, size_t stop, size_t next)
{
    if (!s->lang[0] || next >= s->n)
        return false;
    char word[40];
    size_t n = word_before(s, stop, word, sizeof word);
    if (!n)
        return false;
    dpl_str w = {word, n};
    size_t n_digits = 0;
    while (n_digits < n && dpl__is_digit(word[n_digits]))
        n_digits++;
    if (n_digits == n)
        return n <= 2 && writes_ordinals_with_a_stop(s->lang);
    if (dpl__utf8_length(w) == 1)
        return is_initial(s, stop, next);
    return dpl__is_abbreviation(s->lang, w);
}

/* ---- the rules ---------------------------------------------------------------------- */

/* The terminator at [at, next): where the sentence ends, or 0 if it goes on. */
static size_t end_of_sentence(const splitter *s, size_t at, size_t next, uint8_t class)
{
    size_t after, end;
    uint32_t c;
    size_t stop_end = skip(s, next, DPL__S_EXTEND);
    if (class == DPL__S_ATERM) {
        uint8_t k = class_at(s, stop_end, &after, &c);
        if (k == DPL__S_NUMERIC) /* SB6 */
            return 0;
        uint8_t before = class_before(s, at);
        if (k == DPL__S_UPPER && (before == DPL__S_UPPER || before == DPL__S_LOWER)) /* SB7 */
            return 0;
    }
    end = skip(s, skip(s, stop_end, DPL__S_CLOSE), DPL__S_SPACE);
    uint8_t k = class_at(s, end, &after, &c);
    if (k == DPL__S_CONTINUE || k == DPL__S_ATERM || k == DPL__S_STERM) /* SB8a */
        return 0;
    if (k == DPL__S_SEP)
        return end;                                             /* the line end decides */
    if (class == DPL__S_ATERM && goes_on_in_lower_case(s, end)) /* SB8 */
        return 0;
    if (class == DPL__S_ATERM && end > stop_end &&
        (is_part_of_word(s, at, end) || (s->lang[0] && is_label(s, at))))
        return 0;
    return end;
}

/* The first character from `at` on that is no white space; start: line ends and marks of
 * sections that were passed. */
static size_t skip_blank(const splitter *s, size_t at, dpl__sentence_start *start)
{
    while (at < s->n) {
        uint32_t c;
        size_t next = at + dpl__utf8_decode(s->p + at, &c);
        if (!dpl__is_space(c))
            break;
        if (c == DPL_SECTION_MARK)
            start->is_section = start->is_paragraph = true;
        else if (dpl__sentence_class(s->classes, c) == DPL__S_SEP)
            start->is_paragraph = true;
        at = next;
    }
    return at;
}

static dpl_status begin_sentence(dpl_ctx *ctx, splitter *s, size_t *at, bool is_paragraph,
                                 dpl__sentence_starts *starts, dpl_error *err)
{
    dpl__sentence_start start = {.is_paragraph = is_paragraph};
    *at = skip_blank(s, *at, &start);
    if (*at >= s->n)
        return DPL_OK;
    start.at = (uint32_t)*at;
    s->paragraph = start.is_paragraph ? *at : s->n;
    return dpl__need(dpl__vec_push(ctx, starts, start), err);
}

dpl_status dpl__split_sentences(dpl_ctx *ctx, dpl_str text, const char *lang,
                                dpl__sentence_starts *starts, dpl_error *err)
{
    pthread_once(&once, find_candidates);
    splitter s = {.classes = dpl__classes_init(),
                  .p = (const uint8_t *)text.data,
                  .n = text.n,
                  .lang = lang,
                  .is_greek = strcmp(lang, "el") == 0};
    starts->n = 0;
    size_t at = 0;
    DPL_TRY(begin_sentence(ctx, &s, &at, true, starts, err));
    while ((at += ctx->kernels->find_byte(s.p + at, s.n - at, &candidates)) < s.n) {
        size_t next;
        uint32_t c;
        uint8_t class = class_at(&s, at, &next, &c);
        size_t end = 0;
        if (class == DPL__S_SEP)
            end = next;
        else if (class == DPL__S_ATERM || class == DPL__S_STERM)
            end = end_of_sentence(&s, at, next, class);
        if (!end) {
            at = next;
            continue;
        }
        at = end;
        DPL_TRY(begin_sentence(ctx, &s, &at, class == DPL__S_SEP, starts, err));
    }
    return DPL_OK;
}

/* ---- abbreviations ---------------------------------------------------------------------- */

/* The lists of abbreviations, behind a table filled at the first question.
 *
 * CLDR's own lists, which ICU carries for seven languages (resource exceptions/SentenceBreak),
 * are no help here: they rest on upper and lower case, and hold what is an ordinary word once
 * folded ("Go.", "In.", "Joe."). */

static pthread_once_t abbreviations_once = PTHREAD_ONCE_INIT;
static dpl__word slots[4096];
static dpl__wordset set = {.slots = slots, .n_slots = DPL_LEN(slots)};

static void fill(void)
{
    dpl__wordset_fill(&set, abbreviation_lists, DPL_LEN(abbreviation_lists));
}

/* An initial: one letter of an alphabet with capitals. */
static bool is_letter_alone(dpl_str word)
{
    uint32_t c = 0;
    if (word.n == 0 || word.n > 4 || dpl__utf8_decode((const uint8_t *)word.data, &c) != word.n)
        return false;
    return u_hasBinaryProperty((UChar32)c, UCHAR_CASED);
}

bool dpl__is_abbreviation(const char *lang, dpl_str word)
{
    pthread_once(&abbreviations_once, fill);
    return is_letter_alone(word) || dpl__wordset_has(&set, lang, word);
}
