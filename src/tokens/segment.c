/*
 * segment.c - words of UTF-8 text.
 *
 * Three methods. (1) Bit masks over 64 bytes at a time find runs of ASCII, Latin and Cyrillic
 * letters and digits; a run with nothing beside it that could join it to something is a word.
 * (2) Runs with anything else in or beside them go through an automaton over code point
 * classes, which is UAX #29 as ICU has it. (3) Text between two blanks that holds a character
 * the automaton does not know (Chinese, Thai, joiners ...) is given to ICU. Blanks are always
 * boundaries and no rule looks across them, so the pieces can be treated one by one.
 *
 * ICU alone does some 50 MB/s, this some 850 (bench/import): the first one finds 9 words in 10
 * of European text. A test compares the result with ICU's on random text and on every
 * character.
 */
#include "tokens/segment.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "tokens/classes.h"
#include "unicode/unicode.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

enum { BLOCKS = 64 }; /* of 64 bytes, masked at a time */

struct dpl__segmenter {
    dpl_ctx *ctx;
    const dpl__classes *classes;
    dpl__byteset wordish; /* bytes that words are made of: alphanumeric, _, @, not ASCII */
    dpl__byteset special; /* of these, the ones that may be no letter or digit */
    dpl__byteset joining; /* between letters or digits: ' . , ; : */
    UBreakIterator *icu[2];
    bool colon_joins; /* the language is Swedish or Finnish */
};

static bool is_ascii_alnum(unsigned c)
{
    return (c | 32) - 'a' < 26 || c - '0' < 10;
}

/* Does this byte begin two-byte characters that are letters, but for very few? */
static bool is_letter_lead(unsigned b)
{
    return (b >= 0xC3 && b <= 0xC9) || b == 0xD0 || b == 0xD1; /* Latin, Cyrillic */
}

static void make_sets(dpl__segmenter *seg)
{
    for (unsigned b = 0; b < 256; b++) {
        bool is_special = b == '_' || b == '@' || (b >= 0xC0 && !is_letter_lead(b));
        if (is_special)
            dpl__byteset_add(&seg->special, (uint8_t)b);
        if (is_special || b >= 0x80 || is_ascii_alnum(b))
            dpl__byteset_add(&seg->wordish, (uint8_t)b);
        if (b && strchr("'.,;:", (int)b))
            dpl__byteset_add(&seg->joining, (uint8_t)b);
    }
    for (unsigned b = 0xC0; b < 0xE0; b++) /* the few: multiplication and division signs */
        for (unsigned rest = 0; is_letter_lead(b) && rest < 64; rest++)
            if (dpl__word_class(seg->classes, (b & 31) << 6 | rest) != DPL__W_LETTER)
                dpl__byteset_add(&seg->special, (uint8_t)(0x80 | rest));
}

dpl_status dpl__segmenter_new(dpl__segmenter **out, dpl_ctx *ctx, dpl_error *err)
{
    *out = NULL;
    dpl__segmenter *seg = dpl__calloc(ctx, 1, sizeof *seg);
    DPL_TRY(dpl__need(seg, err));
    seg->ctx = ctx;
    seg->classes = dpl__classes_init();
    make_sets(seg);
    static const char *const locales[] = {"en", "sv"};
    for (int i = 0; i < 2; i++) {
        UErrorCode code = U_ZERO_ERROR;
        seg->icu[i] = ubrk_open(UBRK_WORD, locales[i], NULL, 0, &code);
        if (U_FAILURE(code)) {
            dpl__segmenter_free(seg);
            return dpl__fail(err, DPL_E_UNSUPPORTED, "ICU has no word rules (%s)",
                             u_errorName(code));
        }
    }
    *out = seg;
    return DPL_OK;
}

void dpl__segmenter_free(dpl__segmenter *seg)
{
    if (!seg)
        return;
    for (int i = 0; i < 2; i++)
        if (seg->icu[i])
            ubrk_close(seg->icu[i]);
    dpl__free(seg->ctx, seg);
}

static void set_language(dpl__segmenter *seg, const char *lang)
{
    seg->colon_joins = strcmp(lang, "sv") == 0 || strcmp(lang, "fi") == 0;
}

static dpl_status add(dpl__segmenter *seg, dpl__spans *spans, size_t begin, size_t end,
                      dpl_error *err)
{
    dpl__span span = {(uint32_t)begin, (uint32_t)end};
    return dpl__need(DPL_LIKELY(dpl__vec_push(seg->ctx, spans, span)), err);
}

/* ---- third method: ICU -------------------------------------------------------------- */

static bool has_alnum(const dpl__segmenter *seg, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t c;
        i += dpl__utf8_decode(p + i, &c);
        if (dpl__is_alnum(seg->classes, c))
            return true;
    }
    return false;
}

/* The words of text[begin, end). */
static dpl_status segment_with_icu(dpl__segmenter *seg, dpl_str text, size_t begin, size_t end,
                                   dpl__spans *spans, dpl_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *words = seg->icu[seg->colon_joins];
    UText piece = UTEXT_INITIALIZER;
    utext_openUTF8(&piece, text.data + begin, (int64_t)(end - begin), &code);
    ubrk_setUText(words, &piece, &code);
    if (U_FAILURE(code)) {
        utext_close(&piece);
        return dpl__fail(err, DPL_E_NOMEM, "ICU cannot segment text (%s)", u_errorName(code));
    }
    dpl_status status = DPL_OK;
    const uint8_t *p = (const uint8_t *)text.data + begin;
    int32_t from = ubrk_first(words);
    for (int32_t to; status == DPL_OK && (to = ubrk_next(words)) != UBRK_DONE; from = to)
        if (ubrk_getRuleStatus(words) >= UBRK_WORD_NUMBER &&
            has_alnum(seg, p + from, (size_t)(to - from)))
            status = add(seg, spans, begin + (size_t)from, begin + (size_t)to, err);
    utext_close(&piece);
    return status;
}

dpl_status dpl__segment_icu(dpl__segmenter *seg, dpl_str text, const char *lang,
                            dpl__spans *spans, dpl_error *err)
{
    set_language(seg, lang);
    spans->n = 0;
    return segment_with_icu(seg, text, 0, text.n, spans, err);
}

/* ---- second method: the automaton --------------------------------------------------- */

/* A position in the text and what stands there. */
typedef struct cursor {
    size_t at, next;
    uint32_t c;
    uint8_t class;
} cursor;

static inline cursor look(const dpl__segmenter *seg, dpl_str text, size_t at)
{
    cursor k = {.at = at, .next = at, .class = DPL__W_NEWLINE};
    if (at < text.n) {
        k.next = at + dpl__utf8_decode((const uint8_t *)text.data + at, &k.c);
        k.class = dpl__word_class(seg->classes, k.c);
        if (k.class == DPL__W_COLON)
            k.class = seg->colon_joins ? DPL__W_MIDLETTER : DPL__W_OTHER;
    }
    return k;
}

/* What comes after k and the marks that belong to it. */
static inline cursor look_past(const dpl__segmenter *seg, dpl_str text, cursor k)
{
    do
        k = look(seg, text, k.next);
    while (k.class == DPL__W_EXTEND);
    return k;
}

static inline bool is_letter(uint8_t class)
{
    return class == DPL__W_LETTER || class == DPL__W_HEBREW;
}

static inline bool joins(uint8_t left, uint8_t right)
{
    bool left_is_word = is_letter(left) || left == DPL__W_NUMERIC || left == DPL__W_CONNECT;
    bool right_is_word = is_letter(right) || right == DPL__W_NUMERIC || right == DPL__W_CONNECT;
    return left_is_word && right_is_word; /* WB5, 8, 9, 10, 13a, 13b */
}

/* Does `mid` hold left and right together? WB6, 7, 7b, 7c, 11, 12. */
static inline bool bridges(uint8_t left, uint8_t mid, uint8_t right)
{
    if (mid == DPL__W_QUOTE || mid == DPL__W_MIDBOTH)
        return (is_letter(left) && is_letter(right)) ||
               (left == DPL__W_NUMERIC && right == DPL__W_NUMERIC);
    if (mid == DPL__W_MIDLETTER)
        return is_letter(left) && is_letter(right);
    if (mid == DPL__W_MIDNUM)
        return left == DPL__W_NUMERIC && right == DPL__W_NUMERIC;
    return mid == DPL__W_DQUOTE && left == DPL__W_HEBREW && right == DPL__W_HEBREW;
}

/* The segment that begins at `at`: where it ends, and whether it is a word. *is_complex: it met
 * a character that ICU must judge. */
static size_t segment_at(const dpl__segmenter *seg, dpl_str text, size_t at, bool *is_word,
                         bool *is_complex)
{
    cursor k = look(seg, text, at);
    bool is_wordish =
        is_letter(k.class) || k.class == DPL__W_NUMERIC || k.class == DPL__W_CONNECT;
    *is_word = is_wordish && dpl__is_alnum(seg->classes, k.c);
    *is_complex = k.class == DPL__W_COMPLEX;
    size_t end = k.next;
    if (k.class == DPL__W_NEWLINE)
        return end;
    for (;;) {
        cursor r = look(seg, text, end);
        bool has_marks = r.class == DPL__W_EXTEND;
        while (r.class == DPL__W_EXTEND) {
            end = r.next;
            r = look(seg, text, end);
        }
        if (r.class == DPL__W_COMPLEX)
            *is_complex = true;
        if (joins(k.class, r.class)) {
            *is_word = *is_word || dpl__is_alnum(seg->classes, r.c);
            end = r.next;
            k = r;
            continue;
        }
        cursor past = r;
        if (r.class >= DPL__W_QUOTE && r.class <= DPL__W_MIDNUM) {
            past = look_past(seg, text, r);
            if (past.class == DPL__W_COMPLEX)
                *is_complex = true;
            if (bridges(k.class, r.class, past.class)) {
                *is_word = *is_word || dpl__is_alnum(seg->classes, past.c);
                end = past.next;
                k = past;
                continue;
            }
        }
        if (k.class == DPL__W_HEBREW && r.class == DPL__W_QUOTE) { /* WB7a */
            end = r.next;
            k = r;
            continue;
        }
        /* ICU's tags: marks behind a last underscore or quote make the segment none. */
        if (has_marks && (k.class == DPL__W_CONNECT || k.class == DPL__W_QUOTE))
            *is_word = false;
        return end;
    }
}

/* ---- first method, and the choice between them -------------------------------------- */

static bool is_blank(uint8_t b)
{
    return b == ' ' || b == '\n';
}

/* One text on its way to spans. */
typedef struct pass {
    dpl__segmenter *seg;
    dpl_str text;
    dpl__spans *spans;
    dpl_status status; /* DPL_OK until something fails */
    dpl_error *err;
} pass;

/* Gives the piece around `at` to ICU: back to the blank before it, forward over all pieces that
 * are not plain ASCII either. Returns where it ends. */
static size_t hand_to_icu(pass *s, size_t at)
{
    dpl_str text = s->text;
    dpl__spans *spans = s->spans;
    const uint8_t *p = (const uint8_t *)text.data;
    size_t begin = at, end = at;
    while (begin > 0 && !is_blank(p[begin - 1]))
        begin--;
    while (spans->n && spans->data[spans->n - 1].begin >= begin)
        spans->n--;
    for (bool is_ascii = false; end < text.n && !is_ascii;) {
        while (end < text.n && !is_blank(p[end]))
            end++;
        size_t piece = end;
        while (piece < text.n && is_blank(p[piece]))
            piece++;
        is_ascii = true;
        size_t piece_end = piece;
        for (; piece_end < text.n && !is_blank(p[piece_end]); piece_end++)
            is_ascii = is_ascii && p[piece_end] < 0x80;
        if (!is_ascii)
            end = piece_end;
    }
    s->status = segment_with_icu(s->seg, text, begin, end, spans, s->err);
    return end;
}

/* Runs the automaton from `at` on until a blank or plain run could begin; returns the place. */
static size_t run_automaton(pass *s, size_t at)
{
    bool is_word, is_complex;
    size_t end = segment_at(s->seg, s->text, at, &is_word, &is_complex);
    if (is_complex)
        return hand_to_icu(s, at);
    if (is_word)
        s->status = add(s->seg, s->spans, at, end, s->err);
    return end;
}

/* A window of the text: its masks, with room for one block more, and its runs. */
typedef struct window {
    size_t n; /* bytes */
    uint64_t wordish[BLOCKS + 2];
    uint64_t special[BLOCKS + 2];
    uint64_t joining[BLOCKS + 2];
    uint64_t not_plain[BLOCKS + 2];  /* set where a run ends that is not one plain word */
    uint16_t edges[64 * BLOCKS + 1]; /* begin and end of each run of wordish bytes in turn */
    size_t n_runs;
} window;

static void make_masks(const dpl__segmenter *seg, window *w, const uint8_t *p, size_t n)
{
    const dpl__kernels *k = seg->ctx->kernels;
    size_t n_blocks = (n + 63) / 64;
    k->mask_bytes(w->wordish, p, n_blocks, &seg->wordish);
    k->mask_bytes(w->special, p, n_blocks, &seg->special);
    k->mask_bytes(w->joining, p, n_blocks, &seg->joining);
    w->n = n;
    if (n % 64) { /* nothing stands behind the end */
        uint64_t valid = ~(uint64_t)0 >> (64 - n % 64);
        w->wordish[n_blocks - 1] &= valid;
        w->special[n_blocks - 1] &= valid;
        w->joining[n_blocks - 1] &= valid;
    }
    for (size_t i = n_blocks; i < n_blocks + 2; i++)
        w->wordish[i] = w->special[i] = w->joining[i] = 0;
}

/* A sum tells which runs hold something special: added to the ones of its run, a bit is carried
 * out at the run's end, once, however many there are. */
static void find_runs(window *w)
{
    size_t n = 0;
    uint64_t before = 0, carry = 0; /* from block to block */
    for (size_t k = 0; 64 * k <= w->n; k++) {
        uint64_t m = w->wordish[k], shifted = m << 1 | before;
        uint64_t part = m + w->special[k], sum = part + carry;
        uint64_t joins_next = w->joining[k] & (m >> 1 | w->wordish[k + 1] << 63);
        w->not_plain[k] = ~m & shifted & (sum | joins_next);
        for (uint64_t edges = m ^ shifted; edges; edges &= edges - 1)
            w->edges[n++] = (uint16_t)(64 * k + (size_t)__builtin_ctzll(edges));
        carry = part < m || sum < part;
        before = m >> 63;
    }
    w->n_runs = n / 2;
}

/* 64 bits from place i on. */
static inline uint64_t bits_at(const uint64_t *mask, size_t i)
{
    size_t word = i / 64, bit = i % 64;
    uint64_t low = mask[word] >> bit;
    return bit ? low | mask[word + 1] << (64 - bit) : low;
}

/* Is a run's rest from `at` on a plain word? Long ones are not worth finding out. */
static bool is_plain(const window *w, size_t at, size_t end)
{
    return end - at < 64 && !(bits_at(w->special, at) & ~(~(uint64_t)0 << (end - at))) &&
           !(bits_at(w->joining, end) & bits_at(w->wordish, end) >> 1 & 1);
}

/* The words of a run from `at` on, where base is the place of the window; returns where the
 * automaton stopped, at the run's end or behind it. */
static size_t segment_run(pass *s, size_t base, const window *w, size_t at, size_t end)
{
    while (at < end && s->status == DPL_OK)
        if (is_plain(w, at, end)) {
            s->status = add(s->seg, s->spans, base + at, base + end, s->err);
            at = end;
        } else {
            at = run_automaton(s, base + at) - base;
        }
    return at;
}

/* The words of one window; returns where the next one begins: at a run that may go on behind
 * this one, or where a word that began here ends. */
static size_t segment_window(pass *s, size_t base, window *w)
{
    dpl__spans *spans = s->spans;
    size_t n_runs = w->n_runs, stop = w->n, done = 0;
    size_t last = n_runs ? w->edges[2 * n_runs - 1] : 0;
    if (last + 1 >= w->n && base + w->n < s->text.n) { /* what follows it is not in sight */
        if (w->edges[2 * n_runs - 2] > 0)
            stop = w->edges[2 * --n_runs];
        else
            w->not_plain[last / 64] |= (uint64_t)1 << last % 64;
    }
    if (!dpl__vec_reserve(s->seg->ctx, spans, n_runs))
        s->status = dpl__fail_nomem(s->err);
    for (size_t i = 0; i < n_runs && s->status == DPL_OK; i++) {
        size_t begin = w->edges[2 * i], end = w->edges[2 * i + 1];
        if (DPL_LIKELY(begin >= done && !(w->not_plain[end / 64] >> end % 64 & 1))) {
            spans->data[spans->n++] =
                (dpl__span){(uint32_t)(base + begin), (uint32_t)(base + end)};
            continue;
        }
        done = segment_run(s, base, w, dpl__max(begin, done), end);
        if (s->status == DPL_OK && !dpl__vec_reserve(s->seg->ctx, spans, n_runs - i))
            s->status = dpl__fail_nomem(s->err);
    }
    return base + dpl__max(done, stop);
}

dpl_status dpl__segment(dpl__segmenter *seg, dpl_str text, const char *lang, dpl__spans *spans,
                        dpl_error *err)
{
    set_language(seg, lang);
    spans->n = 0;
    pass s = {.seg = seg, .text = text, .spans = spans, .status = DPL_OK, .err = err};
    window w;
    for (size_t at = 0; at < text.n && s.status == DPL_OK;) {
        make_masks(seg, &w, (const uint8_t *)text.data + at,
                   dpl__min(text.n - at, BLOCKS * 64));
        find_runs(&w);
        at = segment_window(&s, at, &w);
    }
    return s.status;
}
