/*
 * unicode.h - properties of code points, as flat tables filled once from ICU.
 *
 * The tables cover the basic plane; the few code points beyond go to ICU one by one.
 */
#ifndef DPL_UNICODE_UNICODE_H
#define DPL_UNICODE_UNICODE_H

#include "base/arena.h"
#include "base/ascii.h"

/* Decodes the code point at p of valid UTF-8 and returns its length. */
static inline unsigned dpl__utf8_decode(const uint8_t *p, uint32_t *c)
{
    if (p[0] < 0x80) {
        *c = p[0];
        return 1;
    }
    if (p[0] < 0xE0) {
        *c = (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
        return 2;
    }
    if (p[0] < 0xF0) {
        *c = (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
        return 3;
    }
    *c = (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
         (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
    return 4;
}

/* Writes c (a scalar value, or a surrogate, which makes invalid UTF-8) and returns the length.
 */
static inline unsigned dpl__utf8_encode(char *out, uint32_t c)
{
    unsigned char *p = (unsigned char *)out;
    if (c < 0x80) {
        p[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        p[0] = (unsigned char)(0xC0 | c >> 6);
        p[1] = (unsigned char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        p[0] = (unsigned char)(0xE0 | c >> 12);
        p[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        p[2] = (unsigned char)(0x80 | (c & 0x3F));
        return 3;
    }
    p[0] = (unsigned char)(0xF0 | c >> 18);
    p[1] = (unsigned char)(0x80 | (c >> 12 & 0x3F));
    p[2] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
    p[3] = (unsigned char)(0x80 | (c & 0x3F));
    return 4;
}

/* The length of a line break, a tab or another control character at p[0, n); 0: none. */
static inline size_t dpl__break_at(const uint8_t *p, size_t n)
{
    if (DPL_LIKELY(p[0] >= ' ' && p[0] != 0x7F && p[0] != 0xC2 && p[0] != 0xE2))
        return 0;
    if (p[0] < ' ' || p[0] == 0x7F)
        return 1;
    if (p[0] == 0xC2)
        return n >= 2 && p[1] < 0xA0 ? 2 : 0; /* C1 controls, with U+0085 */
    return n >= 3 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9) ? 3 : 0; /* U+2028, 2029 */
}

/* Code points (not bytes) of valid UTF-8. */
size_t dpl__utf8_length(dpl_str s);
/* All of it is valid UTF-8. */
bool dpl__is_utf8(const dpl_ctx *ctx, dpl_str s);

/* White space, as Unicode has it, and DPL_SECTION_MARK. */
bool dpl__is_space(uint32_t c);

/* The text without white space at both ends. */
dpl_str dpl__trim(dpl_str s);

/* *s (valid UTF-8) in NFC: the same slice when it is already, else a copy in the arena. */
dpl_status dpl__nfc(dpl_str *s, dpl__arena *arena, dpl_error *err);

enum { DPL__NFC_ROOM = 3072 };
/* The same of an id that a file of pairs or a caller names, in the buffer; the slice itself
 * when it is NFC already, no valid UTF-8, or over a third of the room. */
dpl_str dpl__nfc_id(char buffer[DPL__NFC_ROOM], dpl_str id);

#endif
