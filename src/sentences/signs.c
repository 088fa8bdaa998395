/*
 * signs.c - characters become kinds of punctuation; one pass over the text.
 */
#include "sentences/signs.h"

#include "unicode/unicode.h"

#include <unicode/uchar.h>

/* What a character is; also what a sentence begins and ends with. */
typedef enum kind {
    OTHER,
    STOP,
    QUESTION,
    EXCLAMATION,
    QUOTE,
    DASH,
    COLON,
    DIGIT,
    IGNORED,
} kind;

static kind punctuation_kind(uint32_t c)
{
    switch (c) {
    case '.':
    case 0x3002:
    case 0xFF0E:
    case 0xFF61:
    case 0x0964:
    case 0x06D4:
    case 0x1362:
    case 0x104B:
    case 0x17D4:
    case 0xABEB: return STOP;
    case '?':
    case 0xFF1F:
    case 0x061F:
    case 0x037E:
    case 0x1367:
    case 0x203D:
    case 0x2047: return QUESTION;
    case '!':
    case 0xFF01:
    case 0x203C:
    case 0x1944:
    case 0x055C: return EXCLAMATION;
    case ':':
    case ';':
    case 0xFF1A:
    case 0xFF1B:
    case 0x061B:
    case 0x1364:
    case 0x1365: return COLON;
    case '"':
    case 0x300C:
    case 0x300D:
    case 0x300E:
    case 0x300F:
    case 0xFF02:
    case 0x201E: return QUOTE;
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2026:
    case 0x22EF:
    case 0x30FB: return DASH;
    default: return IGNORED;
    }
}

static bool is_ascii_letter(uint32_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static kind kind_of(uint32_t c)
{
    if (is_ascii_letter(c) || (c >= 0x4E00 && c < 0xA000)) /* ideographs */
        return OTHER;
    if (c >= '0' && c <= '9')
        return DIGIT;
    kind k = punctuation_kind(c);
    if (k != IGNORED || c < 0x80)
        return k;
    uint32_t type = U_MASK(u_charType((UChar32)c));
    if (type & (U_GC_PI_MASK | U_GC_PF_MASK))
        return c == 0x2019 ? IGNORED : QUOTE; /* U+2019 is an apostrophe, too */
    if (type & U_GC_ND_MASK)
        return DIGIT;
    return type & U_GC_L_MASK ? OTHER : IGNORED;
}

static void count(dpl__signs *s, unsigned sign)
{
    s->at[sign] = (uint8_t)(s->at[sign] + (s->at[sign] < DPL__SIGN_MOST));
}

void dpl__signs_add(dpl__signs *s, dpl_str text)
{
    static const uint8_t signs[IGNORED + 1] = {
        [QUESTION] = DPL__SIGN_QUESTION, [EXCLAMATION] = DPL__SIGN_EXCLAMATION,
        [QUOTE] = DPL__SIGN_QUOTE,       [DASH] = DPL__SIGN_DASH,
        [COLON] = DPL__SIGN_COLON,       [DIGIT] = DPL__SIGN_NUMBER};
    const uint8_t *at = (const uint8_t *)text.data, *end = at + text.n;
    kind before = IGNORED;
    bool is_first = s->at[DPL__SIGN_FIRST] == 0;
    while (at < end) {
        uint32_t c;
        at += dpl__utf8_decode(at, &c);
        kind k = kind_of(c);
        while (k == OTHER && at < end && is_ascii_letter(*at)) /* they say the same */
            at++;
        if (k == STOP && (before == STOP || before == DASH)) /* "..." */
            k = DASH;
        if (signs[k] && k != before)
            count(s, signs[k]);
        before = c == ' ' ? IGNORED : k == IGNORED ? before : k;
        if (k == IGNORED)
            continue;
        /* 0 is of a sentence without letters, numbers and marks. */
        if (is_first)
            s->at[DPL__SIGN_FIRST] = (uint8_t)(k == OTHER ? 1 : k == STOP ? 1 : k);
        is_first = false;
        s->at[DPL__SIGN_LAST] = (uint8_t)(k == OTHER || k == DIGIT ? DIGIT : k);
    }
}

dpl__signs dpl__signs_join(dpl__signs a, dpl__signs b)
{
    dpl__signs out = a;
    if (!out.at[DPL__SIGN_FIRST])
        out.at[DPL__SIGN_FIRST] = b.at[DPL__SIGN_FIRST];
    if (b.at[DPL__SIGN_LAST])
        out.at[DPL__SIGN_LAST] = b.at[DPL__SIGN_LAST];
    for (unsigned i = DPL__SIGN_QUESTION; i < DPL__SIGNS; i++) {
        unsigned sum = (unsigned)a.at[i] + b.at[i];
        out.at[i] = (uint8_t)(sum < DPL__SIGN_MOST ? sum : DPL__SIGN_MOST);
    }
    return out;
}
