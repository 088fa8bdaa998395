/*
 * utf8_prefix.h - the vector form of utf8_prefix, included by each level that has one.
 *
 * The idea is that of J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction
 * per byte" (2021): every rule but one speaks about two neighbouring bytes, and is a
 * conjunction of conditions on the nibbles of the first and the high nibble of the second. So
 * each rule is a bit, three lookups say for which rules the nibbles qualify, and a bit that
 * survives the AND is a rule broken. The rule left over says where a continuation byte follows
 * another one: exactly as third byte of three, or third or fourth of four.
 *
 * Pieces of one or four vectors are only taken or refused; where in a refused piece the prefix
 * ends is left to the scalar kernel, which starts one piece earlier. Cost: some 20 instructions
 * per vector, 4 in plain ASCII.
 */

#ifndef DPL_KERNELS_UTF8_PREFIX_H
#define DPL_KERNELS_UTF8_PREFIX_H

#include "kernels/kernels.h"
#include "kernels/simd.h"

/* clang-format off */

/* The rules, by the pair (first byte, second byte). */
enum {
    SHORT = 1,     /* a lead byte, and no continuation */
    LONG = 2,      /* ASCII, then a continuation */
    OVERLONG2 = 4, /* C0, C1 */
    OVERLONG3 = 8, /* E0, then 80..9F */
    SURROGATE = 16,
    OVERLONG4 = 32, /* F0, then 80..8F; and F5..FF, then 80..8F */
    TOO_LARGE = 64, /* F4..FF, then 90..BF */
    TWO = 128,      /* continuation after continuation: broken unless expected */
    ANY_LOW = SHORT | LONG | TWO,
};

/* By the first byte's high nibble, its low nibble, the second byte's high nibble. */
static const uint8_t rules_high[16] = {
    LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO,
    SHORT | OVERLONG2, SHORT, SHORT | OVERLONG3 | SURROGATE, SHORT | OVERLONG4 | TOO_LARGE,
};
static const uint8_t rules_low[16] = {
    [0x0] = ANY_LOW | OVERLONG2 | OVERLONG3 | OVERLONG4,
    [0x1] = ANY_LOW | OVERLONG2,
    [0x2] = ANY_LOW,
    [0x3] = ANY_LOW,
    [0x4] = ANY_LOW | TOO_LARGE,
    [0x5] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0x6] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0x7] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0x8] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0x9] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0xA] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0xB] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0xC] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0xD] = ANY_LOW | TOO_LARGE | OVERLONG4 | SURROGATE,
    [0xE] = ANY_LOW | TOO_LARGE | OVERLONG4,
    [0xF] = ANY_LOW | TOO_LARGE | OVERLONG4,
};
static const uint8_t rules_next[16] = {
    SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
    LONG | TWO | OVERLONG2 | OVERLONG3 | OVERLONG4,
    LONG | TWO | OVERLONG2 | OVERLONG3 | TOO_LARGE,
    LONG | TWO | OVERLONG2 | SURROGATE | TOO_LARGE,
    LONG | TWO | OVERLONG2 | SURROGATE | TOO_LARGE,
    SHORT, SHORT, SHORT, SHORT,
};

/* clang-format on */

/* Not zero where a rule is broken. */
static inline vec broken_rules(vec x, vec before)
{
    vec back1 = V_SHIFT(x, before, 1), back2 = V_SHIFT(x, before, 2);
    vec back3 = V_SHIFT(x, before, 3);
    vec pairs = v_and(v_and(v_lookup(v_repeat16(rules_high), v_high4(back1)),
                            v_lookup(v_repeat16(rules_low), v_low4(back1))),
                      v_lookup(v_repeat16(rules_next), v_high4(x)));
    /* the top bit is set two bytes behind E0..FF and three behind F0..FF */
    vec expected =
        v_or(v_minus8(back2, v_set8(0xE0 - 0x80)), v_minus8(back3, v_set8(0xF0 - 0x80)));
    return v_xor(pairs, v_and(expected, v_set8(TWO)));
}

/* Does the text that ends before p end inside of a sequence? */
static inline bool is_open(const uint8_t *p)
{
    return p[-1] >= 0xC0 || p[-2] >= 0xE0 || p[-3] >= 0xF0;
}

enum {
    UNIT = 4 * V_BYTES
}; /* looked at for being ASCII: less, and the branch is hard to foresee */

typedef struct utf8_state {
    size_t at, last; /* the end of what was taken, and the beginning of its last piece */
    vec before;      /* the last vector taken */
    bool is_plain;   /* the last piece was ASCII */
    vec most, older; /* largest bytes of all pieces, and of all but the last */
} utf8_state;

/* Takes n bytes at p, V_BYTES or UNIT of them, unless a rule is broken there. */
static inline bool take(utf8_state *s, const uint8_t *p, const int n)
{
    vec x[UNIT / V_BYTES], all = v_set8(0), most = s->most;
    for (int i = 0; i < n / V_BYTES; i++) {
        x[i] = v_load(p + V_BYTES * i);
        all = v_or(all, x[i]);
        most = v_max8(most, x[i]);
    }
    bool is_plain = !v_any_top(all);
    if (n == V_BYTES || !is_plain || !s->is_plain) {
        vec broken = broken_rules(x[0], s->before);
        for (int i = 1; i < n / V_BYTES; i++)
            broken = v_or(broken, broken_rules(x[i], x[i - 1]));
        if (DPL_UNLIKELY(v_any(broken)))
            return false;
    }
    *s = (utf8_state){s->at + (size_t)n, s->at, x[n / V_BYTES - 1], is_plain, most, s->most};
    return true;
}

static size_t utf8_prefix(const uint8_t *p, size_t n, uint8_t *most)
{
    utf8_state s = {0, 0, v_set8(0), true, v_set8(0), v_set8(0)};
    bool is_good = true;
    while (is_good && n - s.at >= UNIT)
        is_good = take(&s, p + s.at, UNIT);
    while (is_good && n - s.at >= V_BYTES)
        is_good = take(&s, p + s.at, V_BYTES);
    if (is_good && s.at < n) { /* zeros behind the end: a sequence cut off breaks a rule */
        uint8_t rest[V_BYTES] = {0};
        memcpy(rest, p + s.at, n - s.at);
        is_good = take(&s, rest, V_BYTES);
    } else if (is_good && n > 0) {
        is_good = s.is_plain || !is_open(p + n);
    }
    if (DPL_LIKELY(is_good)) {
        *most = v_most8(s.most);
        return n;
    }
    /* A sequence may have begun in the last good piece and turn out bad in this one; what began
     * before that piece is good. */
    size_t from = s.last;
    while (from > 0 && (p[from] & 0xC0) == 0x80)
        from--;
    uint8_t most_of_rest, most_before = v_most8(s.older);
    size_t good = dpl__utf8_prefix_scalar(p + from, n - from, &most_of_rest);
    *most = most_of_rest > most_before ? most_of_rest : most_before;
    return from + good;
}

#endif
