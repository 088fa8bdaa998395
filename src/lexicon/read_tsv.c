/*
 * read_tsv.c - text, `source <TAB> target <TAB> probability` a line, becomes a lexicon.
 *
 * Words are numbered as they come, folded as tokens are (once per distinct word), then put into
 * byte order; their cells are sorted by counting. Words that fold to the same text become one:
 * the targets of a source add up, the rows of sources become their mean, because their
 * frequencies are not known. Probabilities below FLT_MIN are left out. Tables that programs
 * wrote have a line here and there that cannot be read: up to one in lines_per_bad is skipped.
 *
 * Cost: one pass over the text, one hash lookup a word; 362k lines take 0.3 s.
 */
#include "lexicon/lexicon.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"
#include "lexicon/bad_line.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/parse_number.h"
#include "tokens/fold.h"
#include "unicode/unicode.h"

#include <float.h>
#include <stdio.h>

enum { BUFFER = 1 << 18 }; /* also the longest line */

enum { SOURCE, TARGET };

typedef struct column {
    const char *lang;
    dpl__terms raw, folded;
    uint32_t *folds; /* raw number to folded number */
    uint32_t *ranks; /* folded number to place in byte order */
    dpl__strings words;
} column;

typedef struct loader {
    dpl_ctx *ctx;
    dpl__input *in;
    const char *name;
    bool skips;
    bool is_valid; /* the text in the buffer is UTF-8 */
    char *buffer;
    uint64_t line; /* number of the current one */
    uint64_t n_skipped;
    dpl_error first; /* the error of the first of them */
    column columns[2];
    DPL_VEC(dpl__cell) cells; /* in raw numbers, later in places */
    dpl__folder *folder;
} loader;

/* ---- faults ------------------------------------------------------------------------- */

/* at: the column in bytes, 0 for none. */
static dpl__line_place place(loader *l, uint64_t line, uint64_t at)
{
    return (dpl__line_place){l->name, line, at, &l->n_skipped, &l->first};
}

/* Perhaps it is no lexicon at all. */
static dpl_status with_hint(loader *l, dpl_status status)
{
    if (l->n_skipped == 1 && l->first.line == l->line)
        dpl__hint(&l->first, "a lexicon is text: source<TAB>target<TAB>probability a line");
    return status;
}

/* Fails with the first bad line when there are too many, of all the lines or of those so far.
 */
static dpl_status check_bad(const loader *l, uint64_t n_lines, dpl_error *err)
{
    if (l->skips || l->n_skipped <= n_lines / (uint64_t)DPL__P(lexicon, lines_per_bad))
        return DPL_OK;
    if (err)
        *err = l->first;
    return DPL_E_FORMAT;
}

/* ---- one line ----------------------------------------------------------------------- */

static dpl_status check_utf8(loader *l, dpl_str line, dpl_error *err)
{
    uint8_t most;
    const uint8_t *p = (const uint8_t *)line.data;
    size_t good = l->is_valid ? line.n : l->ctx->kernels->utf8_prefix(p, line.n, &most);
    if (good == line.n)
        return DPL_OK;
    return with_hint(l, dpl__bad_line(place(l, l->line, good + 1), err,
                                      "invalid UTF-8 (byte 0x%02X at column %zu)", p[good],
                                      good + 1));
}

/* Fields without the white space around them. */
static dpl_status split(loader *l, dpl_str line, dpl_str fields[3], dpl_error *err)
{
    size_t n = 0;
    for (; line.data; n++) {
        const dpl_str field = dpl__next_column(&line);
        if (n < 3)
            fields[n] = dpl__trim(field);
    }
    if (n == 3)
        return DPL_OK;
    return with_hint(l, dpl__bad_line(place(l, l->line, 0), err, "%zu column%s instead of 3", n,
                                      n == 1 ? "" : "s"));
}

/* Folding removes soft hyphens: a word of nothing else does not occur in any text. */
static bool folds_to_nothing(dpl_str word)
{
    while (word.n >= 2 && memcmp(word.data, "\xC2\xAD", 2) == 0)
        word = (dpl_str){word.data + 2, word.n - 2};
    return word.n == 0;
}

/* DPL_END: the line was skipped. */
static dpl_status read_line(loader *l, dpl_str line, dpl_error *err)
{
    if (line.n && line.data[line.n - 1] == '\r')
        line.n--;
    dpl_str fields[3];
    DPL_TRY(check_utf8(l, line, err));
    DPL_TRY(split(l, line, fields, err));
    double p;
    if (!dpl__parse_number(&p, fields[2]))
        return dpl__bad_line(place(l, l->line, 0), err, "'%.*s' is not a number",
                             dpl__shown(fields[2]), fields[2].data);
    if (p < 0 || p > 1)
        return dpl__bad_line(place(l, l->line, 0), err, "probability %.*s is not in 0 to 1",
                             dpl__shown(fields[2]), fields[2].data);
    if (!fields[SOURCE].n || !fields[TARGET].n)
        return dpl__bad_line(place(l, l->line, 0), err, "an empty word");
    if (dpl__has_control(fields[SOURCE]) || dpl__has_control(fields[TARGET]))
        return dpl__bad_line(place(l, l->line, 0), err, "a control character in a word");
    dpl__cell cell = {.p = (float)p, .line = (uint32_t)l->line};
    if (cell.p < FLT_MIN || folds_to_nothing(fields[SOURCE]) ||
        folds_to_nothing(fields[TARGET]))
        return DPL_END;
    DPL_TRY(dpl__terms_number(&l->columns[SOURCE].raw, fields[SOURCE], &cell.row, err));
    DPL_TRY(dpl__terms_number(&l->columns[TARGET].raw, fields[TARGET], &cell.col, err));
    return dpl__need(dpl__vec_push(l->ctx, &l->cells, cell), err);
}

/* ---- all lines ---------------------------------------------------------------------- */

static dpl_status next_line(loader *l, dpl_str line, dpl_error *err)
{
    if (++l->line == UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has more than %u lines", l->name,
                         UINT32_MAX - 1);
    if (l->line == 1)
        line = dpl__without_mark(line);
    dpl_status status = read_line(l, line, err);
    return status == DPL_END ? DPL_OK : status;
}

/* The complete lines of n bytes; *rest is where the incomplete one begins. */
static dpl_status read_lines(loader *l, size_t n, size_t *rest, dpl_error *err)
{
    size_t end = n;
    while (end && l->buffer[end - 1] != '\n')
        end--;
    l->is_valid = dpl__is_utf8(l->ctx, (dpl_str){l->buffer, end});
    for (size_t at = 0; at < end;) {
        const char *p = l->buffer + at, *newline = memchr(p, '\n', end - at);
        dpl_str line = {p, (size_t)(newline - p)};
        DPL_TRY(next_line(l, line, err));
        at += line.n + 1;
    }
    *rest = end;
    return DPL_OK;
}

static dpl_status check_memory(const loader *l, dpl_error *err)
{
    uint64_t n = l->cells.cap * sizeof *l->cells.data +
                 dpl__terms_bytes(&l->columns[SOURCE].raw) +
                 dpl__terms_bytes(&l->columns[TARGET].raw);
    if (n <= l->ctx->memory)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory-lexicon",
                          "'%s' does not fit into %llu MiB of memory", l->name,
                          (unsigned long long)(l->ctx->memory >> 20));
}

static dpl_status report(const loader *l, dpl_error *err)
{
    dpl_progress p = {"lexicon", "bytes", dpl__input_position(l->in), dpl__input_size(l->in)};
    return dpl__progress(l->ctx, &p, err);
}

static dpl_status read_all(loader *l, dpl_error *err)
{
    size_t n = 0, got = 1, rest = 0;
    bool is_long = false; /* inside a line that is being dropped */
    while (got) {
        DPL_TRY(report(l, err));
        DPL_TRY(dpl__input_read(l->in, l->buffer + n, BUFFER - n, &got, err));
        n += got;
        if (!got && n && !is_long) /* the last line may lack its end; there is room for it */
            l->buffer[n++] = '\n';
        if (is_long) {
            const char *newline = memchr(l->buffer, '\n', n);
            size_t n_drop = newline ? (size_t)(newline - l->buffer) + 1 : n;
            memmove(l->buffer, l->buffer + n_drop, n -= n_drop);
            is_long = !newline;
        }
        DPL_TRY(read_lines(l, n, &rest, err));
        DPL_TRY(check_memory(l, err));
        DPL_TRY(check_bad(l, l->line + (uint64_t)DPL__P(lexicon, fewest_lines),
                          err)); /* no need to read all of it */
        memmove(l->buffer, l->buffer + rest, n -= rest);
        if (n == BUFFER) {
            dpl__bad_line(place(l, ++l->line, 0), err, "longer than %d KiB", BUFFER >> 10);
            is_long = true;
            n = 0;
        }
    }
    return check_bad(l, l->line, err);
}

/* ---- from raw words to folded ones -------------------------------------------------- */

/* A pair that occurs twice is an error, or the first one is kept. The cells are sorted. */
static dpl_status drop_duplicates(loader *l, dpl_error *err)
{
    dpl__cell *cells = l->cells.data, worst = {.line = UINT32_MAX};
    uint32_t first_line = 0;
    size_t n = 0;
    for (size_t i = 0; i < l->cells.n; i++) {
        const dpl__cell *last = n ? &cells[n - 1] : NULL;
        if (!last || last->row != cells[i].row || last->col != cells[i].col) {
            cells[n++] = cells[i];
        } else if (cells[i].line < worst.line) {
            worst = cells[i];
            first_line = last->line;
        }
    }
    if (n < l->cells.n && !l->skips) {
        dpl_str source = dpl__term_text(&l->columns[SOURCE].raw.all.data[worst.row]);
        dpl_str target = dpl__term_text(&l->columns[TARGET].raw.all.data[worst.col]);
        return dpl__bad_line((dpl__line_place){.name = l->name, .line = worst.line}, err,
                             "the pair '%.*s' '%.*s' is in line %u, too", dpl__shown(source),
                             source.data, dpl__shown(target), target.data, first_line);
    }
    l->n_skipped += l->cells.n - n;
    l->cells.n = n;
    return DPL_OK;
}

static dpl_status fold_column(loader *l, column *c, dpl_error *err)
{
    size_t n = c->raw.all.n;
    c->folds = dpl__alloc(l->ctx, (n + 1) * sizeof *c->folds);
    c->ranks = dpl__alloc(l->ctx, (n + 1) * sizeof *c->ranks);
    DPL_TRY(dpl__need(c->folds && c->ranks, err));
    DPL_TRY(dpl__folder_language(l->folder, *c->lang ? c->lang : "und", err));
    for (size_t i = 0; i < n; i++) {
        dpl_str term;
        DPL_TRY(dpl__fold(l->folder, dpl__term_text(&c->raw.all.data[i]), &term, err));
        assert(term.n > 0);
        DPL_TRY(dpl__terms_number(&c->folded, term, &c->folds[i], err));
    }
    return dpl__words_sort(&c->words, c->ranks, &c->folded, err);
}

/* Cells in places; a row that is one of several for its source counts for its part. */
static dpl_status place_cells(loader *l, dpl_error *err)
{
    const column *s = &l->columns[SOURCE], *t = &l->columns[TARGET];
    uint32_t *n_rows = dpl__calloc(l->ctx, s->folded.all.n + 1, sizeof *n_rows);
    DPL_TRY(dpl__need(n_rows, err));
    dpl__cell *cells = l->cells.data;
    for (size_t i = 0; i < l->cells.n; i++)
        n_rows[s->folds[cells[i].row]] += i == 0 || cells[i].row != cells[i - 1].row;
    for (size_t i = 0; i < l->cells.n; i++) {
        uint32_t source = s->folds[cells[i].row];
        cells[i].p /= (float)n_rows[source];
        cells[i].row = s->ranks[source];
        cells[i].col = t->ranks[t->folds[cells[i].col]];
    }
    dpl__free(l->ctx, n_rows);
    return dpl__cells_sort(cells, l->ctx, l->cells.n, (uint32_t)s->words.n,
                           (uint32_t)t->words.n, err);
}

static dpl_status finish(loader *l, dpl_lexicon *out, dpl_error *err)
{
    column *s = &l->columns[SOURCE], *t = &l->columns[TARGET];
    DPL_TRY(dpl__cells_sort(l->cells.data, l->ctx, l->cells.n, (uint32_t)s->raw.all.n,
                            (uint32_t)t->raw.all.n, err));
    DPL_TRY(drop_duplicates(l, err));
    DPL_TRY(dpl__folder_new(&l->folder, l->ctx, NULL, err));
    DPL_TRY(fold_column(l, s, err));
    DPL_TRY(fold_column(l, t, err));
    DPL_TRY(place_cells(l, err));
    DPL_TRY(dpl__table_make(&out->table[DPL__LEFT], l->ctx, l->cells.data, l->cells.n,
                            (uint32_t)s->words.n, err));
    out->words[DPL__LEFT] = s->words;
    out->words[DPL__RIGHT] = t->words;
    s->words = t->words = (dpl__strings){0};
    out->sizes = (dpl_lexicon_sizes){.size = sizeof(dpl_lexicon_sizes),
                                     .n_sources = (uint32_t)out->words[DPL__LEFT].n,
                                     .n_targets = (uint32_t)out->words[DPL__RIGHT].n,
                                     .n_entries = out->table[DPL__LEFT].n,
                                     .n_skipped = l->n_skipped};
    if (l->n_skipped)
        snprintf(out->first_skipped, sizeof out->first_skipped, "%.599s", l->first.text);
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

dpl_status dpl__lexicon_read(dpl_lexicon *out, dpl__input *in, bool skips, dpl_error *err)
{
    dpl_ctx *ctx = out->ctx;
    loader l = {.ctx = ctx,
                .in = in,
                .name = dpl__input_name(in),
                .skips = skips,
                .columns = {{.lang = out->lang[DPL__LEFT]}, {.lang = out->lang[DPL__RIGHT]}}};
    l.buffer = dpl__alloc(ctx, BUFFER + 1);
    for (int i = SOURCE; i <= TARGET; i++) {
        dpl__terms_init(&l.columns[i].raw, ctx);
        dpl__terms_init(&l.columns[i].folded, ctx);
    }
    dpl_status status;
    DPL__STEP(l.buffer ? read_all(&l, err) : dpl__fail_nomem(err));
    status = finish(&l, out, err);
done:
    dpl__folder_free(l.folder);
    dpl__vec_clear(ctx, &l.cells);
    for (int i = SOURCE; i <= TARGET; i++) {
        column *c = &l.columns[i];
        dpl__words_free(&c->words, ctx);
        dpl__free(ctx, c->ranks, c->folds);
        dpl__terms_clear(&c->folded);
        dpl__terms_clear(&c->raw);
    }
    dpl__free(ctx, l.buffer);
    return status;
}
