/*
 * parallel.c - reads tab-separated parallel text and gold alignments into numbers.
 */
#include "parallel.h"

#include "base/hash.h"
#include "io/input.h"
#include "lexicon/prefix_classes.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include <unistd.h>

/* ---- words -------------------------------------------------------------------------- */

static dpl_str word_of(const vocabulary *v, uint32_t word)
{
    uint64_t at = v->offsets.data[word];
    return (dpl_str){v->bytes.data + at, (size_t)(v->offsets.data[word + 1] - at)};
}

static size_t n_words(const vocabulary *v)
{
    return v->offsets.n ? v->offsets.n - 1 : 0;
}

static size_t slot_of(const vocabulary *v, dpl_str word)
{
    size_t at = (size_t)dpl__hash(word.data, word.n, 0) & (v->n_slots - 1);
    while (v->slots[at] && !dpl__str_eq(word_of(v, v->slots[at] - 1), word))
        at = (at + 1) & (v->n_slots - 1);
    return at;
}

static bool grow_slots(dpl_ctx *ctx, vocabulary *v)
{
    size_t n = v->n_slots ? 2 * v->n_slots : 1024;
    uint32_t *slots = dpl__calloc(ctx, n, sizeof *slots);
    if (!slots)
        return false;
    dpl__free(ctx, v->slots);
    v->slots = slots;
    v->n_slots = n;
    for (uint32_t w = 0; w < n_words(v); w++)
        v->slots[slot_of(v, word_of(v, w))] = w + 1;
    return true;
}

static bool add_word(dpl_ctx *ctx, vocabulary *v, dpl_str word, uint32_t *out)
{
    if (2 * n_words(v) >= v->n_slots && !grow_slots(ctx, v))
        return false;
    size_t at = slot_of(v, word);
    if (!v->slots[at]) {
        if ((!v->offsets.n && !dpl__vec_push(ctx, &v->offsets, 0)) ||
            !dpl__vec_append(ctx, &v->bytes, word.data, word.n) ||
            !dpl__vec_push(ctx, &v->offsets, v->bytes.n))
            return false;
        v->slots[at] = (uint32_t)n_words(v);
    }
    *out = v->slots[at] - 1;
    return true;
}

dpl_str parallel_word(const parallel *p, int side, uint32_t word)
{
    return word_of(&p->words[side], word);
}

/* ---- rows --------------------------------------------------------------------------- */

static bool add_token(parallel *p, int side, dpl_str word)
{
    uint32_t number;
    return add_word(p->ctx, &p->words[side], word, &number) &&
           dpl__vec_push(p->ctx, &p->tokens[side], number);
}

static bool add_words(parallel *p, int side, dpl_str text)
{
    for (size_t i = 0, from = 0; i <= text.n; i++)
        if (i == text.n || text.data[i] == ' ') {
            dpl_str word = {text.data + from, i - from};
            if (word.n && !add_token(p, side, word))
                return false;
            from = i + 1;
        }
    return true;
}

/* Ends the row that add_words made, or takes it back if a side is empty. */
static dpl_status end_row(parallel *p, dpl_error *err)
{
    bool is_empty = false;
    for (int side = 0; side < 2; side++) {
        if (p->begin[side].n == 0 && !dpl__vec_push(p->ctx, &p->begin[side], 0))
            return dpl__fail_nomem(err);
        is_empty |= p->begin[side].data[p->begin[side].n - 1] == p->tokens[side].n;
    }
    for (int side = 0; side < 2; side++) {
        if (is_empty)
            p->tokens[side].n = (size_t)p->begin[side].data[p->begin[side].n - 1];
        else if (!dpl__vec_push(p->ctx, &p->begin[side], p->tokens[side].n))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

dpl_status parallel_add_row(parallel *p, dpl_str left, dpl_str right, dpl_error *err)
{
    if (!add_words(p, DPL__LEFT, left) || !add_words(p, DPL__RIGHT, right))
        return dpl__fail_nomem(err);
    return end_row(p, err);
}

dpl_status parallel_add_shifted(parallel *p, size_t n_rows, size_t by, dpl_error *err)
{
    for (size_t row = 0; row < n_rows; row++) {
        for (int side = 0; side < 2; side++) {
            size_t from = side == DPL__LEFT ? row : (row + by) % n_rows;
            for (uint64_t k = p->begin[side].data[from]; k < p->begin[side].data[from + 1]; k++)
                if (!dpl__vec_push(p->ctx, &p->tokens[side], p->tokens[side].data[k]))
                    return dpl__fail_nomem(err);
        }
        DPL_TRY(end_row(p, err));
    }
    return DPL_OK;
}

/* Lower-cased, with a blank between words. */
static bool tokenize(dpl_ctx *ctx, dpl__bytes *out, dpl_str text, bool is_tokenized)
{
    out->n = 0;
    bool was_word = false;
    for (size_t i = 0; i < text.n;) {
        UChar32 c;
        U8_NEXT((const uint8_t *)text.data, i, text.n, c);
        c = c < 0 ? 0xFFFD : u_tolower(c);
        bool is_space = u_isUWhiteSpace(c);
        bool is_word = is_tokenized ? !is_space
                                    : u_isalnum(c) || u_getCombiningClass(c) > 0 ||
                                          u_charType(c) == U_COMBINING_SPACING_MARK;
        char bytes[U8_MAX_LENGTH + 1] = " ";
        int n = is_word && was_word ? 0 : 1;
        if (!is_space)
            U8_APPEND_UNSAFE((uint8_t *)bytes, n, (uint32_t)c);
        if (!dpl__vec_append(ctx, out, bytes, (size_t)n))
            return false;
        was_word = is_word;
    }
    return true;
}

/* ---- files -------------------------------------------------------------------------- */

static dpl_status read_all(dpl__bytes *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    if (access(path, R_OK) != 0)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' is not there", path);
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open(&in, ctx, path, err));
    size_t got = 1;
    dpl_status status = DPL_OK;
    while (status == DPL_OK && got > 0) {
        if (!dpl__vec_reserve(ctx, out, 1 << 20))
            status = dpl__fail_nomem(err);
        else
            status = dpl__input_read(in, out->data + out->n, 1 << 20, &got, err);
        out->n += status == DPL_OK ? got : 0;
    }
    dpl__input_close(in);
    return status;
}

/* Cuts a piece off up to the separator. */
static dpl_str cut(dpl_str *rest, char separator)
{
    const char *end = rest->n ? memchr(rest->data, separator, rest->n) : NULL;
    dpl_str piece = {rest->data, end ? (size_t)(end - rest->data) : rest->n};
    rest->data += piece.n + (end != NULL);
    rest->n -= piece.n + (end != NULL);
    return piece;
}

static dpl_str column(dpl_str line, unsigned number)
{
    dpl_str piece = cut(&line, '\t');
    while (number-- > 0)
        piece = cut(&line, '\t');
    return piece;
}

typedef struct file {
    parallel *p;
    unsigned columns[2];
    bool is_tokenized, is_gold;
    unsigned set;
    dpl__bytes tokens[2]; /* of a line */
} file;

static dpl_status add_links(file *f, dpl_str text, dpl_error *err)
{
    parallel *p = f->p;
    gold_row row = {.row = p->begin[DPL__LEFT].n - 2,
                    .begin = p->links.n,
                    .end = p->links.n,
                    .set = f->set};
    while (text.n) {
        dpl_str piece = cut(&text, ' ');
        char number[40] = {0};
        memcpy(number, piece.data, dpl__min(piece.n, sizeof number - 1));
        char *end;
        gold_link link = {.left = (uint32_t)strtoul(number, &end, 10)};
        if (end == number || (*end != '-' && *end != 'p'))
            continue;
        link.is_sure = *end == '-';
        link.right = (uint32_t)strtoul(end + 1, NULL, 10);
        if (!dpl__vec_push(p->ctx, &p->links, link))
            return dpl__fail_nomem(err);
        row.end++;
    }
    return dpl__vec_push(p->ctx, &p->gold, row) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status add_line(file *f, dpl_str line, dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        if (!tokenize(f->p->ctx, &f->tokens[side], column(line, f->columns[side]),
                      f->is_tokenized))
            return dpl__fail_nomem(err);
    DPL_TRY(parallel_add_row(f->p, (dpl_str){f->tokens[0].data, f->tokens[0].n},
                             (dpl_str){f->tokens[1].data, f->tokens[1].n}, err));
    return f->is_gold ? add_links(f, column(line, 2), err) : DPL_OK;
}

static dpl_status add_lines(file *f, const char *path, dpl_error *err)
{
    dpl__bytes bytes = {0};
    dpl_status status = read_all(&bytes, f->p->ctx, path, err);
    dpl_str rest = {bytes.data, bytes.n};
    while (status == DPL_OK && rest.n)
        status = add_line(f, cut(&rest, '\n'), err);
    dpl__vec_clear(f->p->ctx, &bytes);
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(f->p->ctx, &f->tokens[side]);
    return status;
}

dpl_status parallel_add_file(parallel *p, const char *path, unsigned left, unsigned right,
                             bool is_tokenized, dpl_error *err)
{
    file f = {.p = p, .columns = {left, right}, .is_tokenized = is_tokenized};
    return add_lines(&f, path, err);
}

dpl_status parallel_add_gold(parallel *p, const char *path, unsigned set, dpl_error *err)
{
    file f = {.p = p, .columns = {0, 1}, .is_tokenized = true, .is_gold = true, .set = set};
    return add_lines(&f, path, err);
}

/* ---- the corpus --------------------------------------------------------------------- */

void parallel_clear(parallel *p)
{
    for (int side = 0; side < 2; side++) {
        vocabulary *v = &p->words[side];
        dpl__free(p->ctx, p->classes[side], v->slots);
        dpl__vec_clear(p->ctx, &v->bytes, &v->offsets, &p->begin[side], &p->tokens[side]);
    }
    dpl__vec_clear(p->ctx, &p->gold, &p->links);
    *p = (parallel){.ctx = p->ctx};
}

dpl_status parallel_corpus(dpl__encoded *out, parallel *p, dpl_error *err)
{
    dpl__strings words[2];
    *out = (dpl__encoded){.n_rows = p->begin[DPL__LEFT].n - 1};
    for (int side = 0; side < 2; side++) {
        const vocabulary *v = &p->words[side];
        words[side] = (dpl__strings){v->offsets.data, v->bytes.data, n_words(v)};
        p->classes[side] = dpl__alloc(p->ctx, n_words(v) * sizeof *p->classes[side]);
        if (!p->classes[side])
            return dpl__fail_nomem(err);
        out->side[side] = (dpl__encoded_side){p->begin[side].data, p->tokens[side].data,
                                              (uint32_t)n_words(v), p->classes[side]};
    }
    DPL_TRY(
        dpl__prefix_classes(p->classes, &p->n_classes, p->ctx, words, DPL__CLASS_LETTERS, err));
    out->n_classes = p->n_classes;
    return DPL_OK;
}

/* ---- scores ------------------------------------------------------------------------- */

static const gold_row *gold_of(const parallel *p, size_t row)
{
    size_t low = 0, high = p->gold.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->gold.data[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->gold.n && p->gold.data[low].row == row ? &p->gold.data[low] : NULL;
}

void parallel_score(score *scores, const parallel *p, size_t row, const dpl__row_link *links,
                    size_t n)
{
    const gold_row *gold = gold_of(p, row);
    if (!gold)
        return;
    score *s = &scores[gold->set];
    s->n_links += (double)n;
    for (size_t k = gold->begin; k < gold->end; k++) {
        const gold_link *g = &p->links.data[k];
        s->n_sure += g->is_sure;
        for (size_t i = 0; i < n; i++)
            if (links[i].left == g->left && links[i].right == g->right) {
                s->n_right++;
                s->n_sure_right += g->is_sure;
            }
    }
}
