/*
 * bleu_words.c - the words that BLEU counts.
 *
 * In: a sentence. Out: its words, as hashes. The rules are those of mteval-v13a.pl, which
 * sacrebleu calls 13a: some entities are resolved, ASCII punctuation stands alone, periods and
 * commas do unless they are between digits, a dash does behind a digit. Each rule is a pass
 * over the text that takes matches from left to right without overlap, as a regular expression
 * would; all that is looked for is ASCII, so bytes are as good as characters. Words are
 * separated by white space of any kind that Unicode has. Cost: linear.
 */
#include "eval/bleu_words.h"

#include "base/ascii.h"
#include "base/hash.h"

#include <unicode/ucasemap.h>

void dpl__bleu_words_clear(dpl__bleu_words *w)
{
    if (w->case_map)
        ucasemap_close(w->case_map);
    w->case_map = NULL;
    dpl__vec_clear(w->ctx, &w->text, &w->other);
}

/* ---- characters --------------------------------------------------------------------- */

static bool is_point(char c)
{
    return c == '.' || c == ',';
}

/* ASCII punctuation but for ' , - and . */
static bool is_mark(char c)
{
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' ||
           (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/* Bytes of the white space at p, of n bytes; 0: there is none. */
static size_t space_at(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    if ((u[0] >= 9 && u[0] <= 13) || (u[0] >= 28 && u[0] <= 32))
        return 1;
    if (n >= 2 && u[0] == 0xC2 && (u[1] == 0x85 || u[1] == 0xA0))
        return 2;
    if (n < 3 || u[0] < 0xE1 || u[0] > 0xE3)
        return 0;
    unsigned c = (unsigned)(u[0] & 15) << 12 | (unsigned)(u[1] & 63) << 6 | (u[2] & 63u);
    bool is_space = c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
                    c == 0x202F || c == 0x205F || c == 0x3000;
    return is_space ? 3 : 0;
}

/* ---- steps -------------------------------------------------------------------------- */

/* Every `from` in the text becomes `to`, which is not longer. */
static void replace(dpl__bytes *text, const char *from, const char *to)
{
    size_t n_from = strlen(from), n_to = strlen(to), n = 0;
    for (size_t i = 0; i < text->n;) {
        if (text->n - i >= n_from && memcmp(text->data + i, from, n_from) == 0) {
            memcpy(text->data + n, to, n_to);
            n += n_to;
            i += n_from;
        } else {
            text->data[n++] = text->data[i++];
        }
    }
    text->n = n;
}

static void resolve(dpl__bytes *text)
{
    replace(text, "<skipped>", "");
    replace(text, "-\n", "");
    replace(text, "\n", " ");
    if (!memchr(text->data, '&', text->n))
        return;
    replace(text, "&quot;", "\"");
    replace(text, "&amp;", "&");
    replace(text, "&lt;", "<");
    replace(text, "&gt;", ">");
}

/* A rule writes what it makes of the text at p, of which n bytes are left, to `to`, and returns
 * how many bytes it has used up; at most four bytes become of two, three of one. */
typedef size_t rule(char **to, const char *p, size_t n);

static void put(char **to, const char *bytes, size_t n)
{
    memcpy(*to, bytes, n);
    *to += n;
}

static size_t copy(char **to, const char *p)
{
    *(*to)++ = *p;
    return 1;
}

static size_t split_marks(char **to, const char *p, size_t n)
{
    (void)n;
    if (!is_mark(*p))
        return copy(to, p);
    put(to, (char[]){' ', *p, ' '}, 3);
    return 1;
}

static size_t split_behind_no_digit(char **to, const char *p, size_t n)
{
    if (n < 2 || dpl__is_digit(p[0]) || !is_point(p[1]))
        return copy(to, p);
    put(to, (char[]){p[0], ' ', p[1], ' '}, 4);
    return 2;
}

static size_t split_before_no_digit(char **to, const char *p, size_t n)
{
    if (n < 2 || !is_point(p[0]) || dpl__is_digit(p[1]))
        return copy(to, p);
    put(to, (char[]){' ', p[0], ' ', p[1]}, 4);
    return 2;
}

static size_t split_dash_behind_digit(char **to, const char *p, size_t n)
{
    if (n < 2 || !dpl__is_digit(p[0]) || p[1] != '-')
        return copy(to, p);
    put(to, (char[]){p[0], ' ', '-', ' '}, 4);
    return 2;
}

/* Text to other, which then change places. */
static dpl_status apply(dpl__bleu_words *w, rule *step, dpl_error *err)
{
    w->other.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &w->other, 3 * w->text.n + 4), err));
    char *to = w->other.data;
    for (size_t i = 0; i < w->text.n;)
        i += step(&to, w->text.data + i, w->text.n - i);
    w->other.n = (size_t)(to - w->other.data);
    dpl__bytes done = w->other;
    w->other = w->text;
    w->text = done;
    return DPL_OK;
}

static dpl_status tokenize(dpl__bleu_words *w, dpl_error *err)
{
    static rule *const steps[] = {split_marks, split_behind_no_digit, split_before_no_digit,
                                  split_dash_behind_digit};
    resolve(&w->text);
    for (size_t i = 0; i < DPL_LEN(steps); i++)
        DPL_TRY(apply(w, steps[i], err));
    return DPL_OK;
}

static dpl_status lowercase(dpl__bleu_words *w, dpl_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    if (!w->case_map)
        w->case_map = ucasemap_open("", 0, &code);
    w->other.n = 0;
    if (U_FAILURE(code) || !dpl__vec_reserve(w->ctx, &w->other, 3 * w->text.n + 4))
        return dpl__fail_nomem(err);
    int32_t n = ucasemap_utf8ToLower(w->case_map, w->other.data, (int32_t)w->other.cap,
                                     w->text.data, (int32_t)w->text.n, &code);
    if (U_FAILURE(code))
        return dpl__fail_nomem(err);
    w->other.n = (size_t)n;
    dpl__bytes done = w->other;
    w->other = w->text;
    w->text = done;
    return DPL_OK;
}

/* ---- a sentence --------------------------------------------------------------------- */

static dpl_status prepare(dpl__bleu_words *w, dpl_str sentence, dpl_error *err)
{
    w->text.n = 0;
    if (sentence.n > INT32_MAX / 8)
        return dpl__fail(err, DPL_E_LIMIT, "a sentence of %zu bytes is too long", sentence.n);
    bool is_put = dpl__vec_push(w->ctx, &w->text, ' ') &&
                  dpl__vec_append(w->ctx, &w->text, sentence.data, sentence.n) &&
                  dpl__vec_push(w->ctx, &w->text, ' ');
    DPL_TRY(dpl__need(is_put, err));
    if (w->is_lowercase)
        DPL_TRY(lowercase(w, err));
    return w->is_pretokenized ? DPL_OK : tokenize(w, err);
}

/* The next word of the text from *at on; empty at the end. */
static dpl_str next_word(const dpl__bytes *text, size_t *at)
{
    size_t begin = *at, end, n;
    while (begin < text->n && (n = space_at(text->data + begin, text->n - begin)) > 0)
        begin += n;
    for (end = begin; end < text->n && !space_at(text->data + end, text->n - end);)
        end++;
    *at = end;
    return (dpl_str){text->data + begin, end - begin};
}

dpl_status dpl__bleu_words_split(dpl__hashes *out, dpl__bleu_words *w, dpl_str sentence,
                                 dpl_error *err)
{
    DPL_TRY(prepare(w, sentence, err));
    out->n = 0;
    size_t at = 0;
    for (dpl_str word; (word = next_word(&w->text, &at)).n;)
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, out, dpl__hash(word.data, word.n, 1)), err));
    return DPL_OK;
}

dpl_status dpl__bleu_words_text(dpl_str *out, dpl__bleu_words *w, dpl_str sentence,
                                dpl_error *err)
{
    DPL_TRY(prepare(w, sentence, err));
    w->other.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &w->other, w->text.n + 1), err));
    size_t at = 0;
    for (dpl_str word; (word = next_word(&w->text, &at)).n;) {
        if (w->other.n)
            w->other.data[w->other.n++] = ' ';
        memcpy(w->other.data + w->other.n, word.data, word.n);
        w->other.n += word.n;
    }
    *out = (dpl_str){w->other.data, w->other.n};
    return DPL_OK;
}
