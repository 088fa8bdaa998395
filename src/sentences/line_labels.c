/*
 * line_labels.c - the numbers that lines begin with, and whether they are labels.
 */
#include "sentences/line_labels.h"

#include "sentences/sentences_params.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

enum { MOST_DIGITS = 9 };

typedef struct cursor {
    dpl_str text;
    size_t at;
} cursor;

/* The next character without reading it; -1 at the end. */
static UChar32 peek(const cursor *c)
{
    int32_t at = (int32_t)c->at, n = (int32_t)c->text.n;
    UChar32 x = -1;
    if (at < n)
        U8_NEXT((const uint8_t *)c->text.data, at, n, x);
    return x;
}

static void next(cursor *c)
{
    int32_t at = (int32_t)c->at, n = (int32_t)c->text.n;
    U8_FWD_1((const uint8_t *)c->text.data, at, n);
    c->at = (size_t)at;
}

/* Digits of any script. */
static bool read_number(cursor *c, uint64_t *out)
{
    unsigned n = 0;
    *out = 0;
    for (int digit; n <= MOST_DIGITS && (digit = u_charDigitValue(peek(c))) >= 0; n++) {
        *out = *out * 10 + (uint64_t)digit;
        next(c);
    }
    return n > 0 && n <= MOST_DIGITS;
}

static bool is_one_of(UChar32 x, const char *set)
{
    return x > 0 && x < 128 && strchr(set, (int)x);
}

dpl__line_label dpl__line_label_of(dpl_str line)
{
    cursor c = {.text = {line.data, dpl__min(line.n, 64)}};
    uint64_t number, verse = 0;
    if (is_one_of(peek(&c), "([") || peek(&c) == 0xA7) /* a section sign */
        next(&c);
    while (peek(&c) == ' ')
        next(&c);
    if (!read_number(&c, &number))
        return (dpl__line_label){0};
    if (is_one_of(peek(&c), ":.,")) {
        next(&c);
        read_number(&c, &verse); /* "3:16", or a mark behind the number */
    }
    if (is_one_of(peek(&c), ")]:."))
        next(&c);
    if (c.at < line.n && !u_isUWhiteSpace(peek(&c)))
        return (dpl__line_label){0};
    while (u_isUWhiteSpace(peek(&c)))
        next(&c);
    return (dpl__line_label){.n_bytes = (uint32_t)c.at, .number = (number << 32) + verse};
}

/* How many tokens from here on are numbers of the label. */
static uint32_t count_tokens(const dpl_collection *c, const uint32_t *tokens, size_t n)
{
    enum { MOST = 2 };
    uint32_t found = 0;
    for (; found < n && found < MOST; found++) {
        cursor term = {.text = dpl_collection_term(c, tokens[found])};
        while (term.at < term.text.n &&
               (u_charDigitValue(peek(&term)) >= 0 || is_one_of(peek(&term), ":.,")))
            next(&term);
        if (term.at < term.text.n)
            break;
    }
    return found;
}

static bool are_labels(size_t n_lines, size_t n_labels, size_t n_rising)
{
    return n_lines >= PN(label_lines) && (double)n_labels >= P(label_share) * (double)n_lines &&
           (double)n_rising >= P(label_rising) * (double)(n_labels - 1);
}

dpl_status dpl__line_labels_find(dpl__line_labels *l, dpl_ctx *ctx, const dpl_collection *c,
                                 uint32_t doc, dpl_error *err)
{
    size_t n = dpl_collection_n_sentences(c, doc), n_tokens, n_lines = 0, n_labels = 0;
    size_t n_rising = 0;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    uint64_t last = UINT64_MAX;
    l->all.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &l->all, n + 1), err));
    for (size_t i = 0; i < n; i++) {
        dpl_sentence s = dpl_collection_sentence(c, doc, i);
        dpl__line_label label = {0};
        if (i == 0 || s.is_paragraph_start) {
            label = dpl__line_label_of(dpl_collection_sentence_text(c, doc, i));
            n_lines++;
        }
        if (label.n_bytes) {
            size_t end = i + 1 < n ? dpl_collection_sentence(c, doc, i + 1).token : n_tokens;
            label.n_tokens = count_tokens(c, tokens + s.token, end - s.token);
            n_rising += n_labels && label.number > last;
            n_labels++;
            last = label.number;
        }
        l->all.data[l->all.n++] = label;
        if (n_lines == PN(label_lines) && n_labels * 2 < n_lines)
            break; /* no edition with numbers: most documents */
    }
    if (l->all.n < n || !are_labels(n_lines, n_labels, n_rising))
        l->all.n = 0;
    return DPL_OK;
}

bool dpl__line_labels_agree(const dpl__line_labels *a, const dpl__line_labels *b)
{
    size_t i = 0, j = 0;
    if (!a->all.n || !b->all.n)
        return false;
    for (;; i++, j++) {
        while (i < a->all.n && !a->all.data[i].n_bytes)
            i++;
        while (j < b->all.n && !b->all.data[j].n_bytes)
            j++;
        if (i == a->all.n || j == b->all.n)
            return i == a->all.n && j == b->all.n;
        if (a->all.data[i].number != b->all.data[j].number)
            return false;
    }
}

void dpl__line_labels_clear(dpl__line_labels *l, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &l->all);
}
