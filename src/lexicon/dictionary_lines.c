/*
 * dictionary_lines.c - lines of text become pairs of words.
 *
 *     Haus <TAB> house                 a word list; the lines of a source follow each other,
 *                                      its best translation first
 *     Haus <TAB> house <TAB> 0.7       a lexicon (read_tsv.c)
 *     house Haus 0.7                   lex.f2e of Moses: target, source, p(target|source)
 *     Haus {n}; Bau {m} | Häuser {pl} :: house; building | houses      Ding
 *
 * Wordings of a list may have several words and notes, as in articles; the words of tables with
 * probabilities are taken unchanged.
 */
#include "lexicon/dictionary_lines.h"

#include "base/ctx.h"
#include "io/lines.h"
#include "kernels/kernels.h"
#include "lexicon/bad_line.h"
#include "lexicon/lexicon.h"
#include "lexicon/parse_number.h"
#include "unicode/unicode.h"

#include <float.h>

typedef struct list {
    dpl__translations *g;
    dpl_ctx *ctx;
    const char *path;
    bool skips;
    dpl__bytes stdin_bytes; /* all of standard input, which is read twice */
    bool is_stdin;
    dpl__lines lines;
    dpl__article article; /* of the current line */
    dpl__bytes last;      /* source of the line before */
    uint32_t n_last;      /* translations it had so far */
} list;

/* Reads one line; DPL_END: it was skipped. */
typedef dpl_status line_fn(list *l, dpl_str line, dpl_error *err);

static dpl__line_place place(list *l)
{
    return (dpl__line_place){.name = dpl__input_name(l->lines.in),
                             .line = l->lines.number,
                             .n_skipped = l->skips ? &l->g->n_skipped : NULL};
}

/* The first occurrence of s in the text; NULL: none. */
static const char *find(dpl_str text, const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.data + i, s, n) == 0)
            return text.data + i;
    return NULL;
}

/* The text before the mark, which may be missing; *rest is the text behind it. */
static dpl_str cut(dpl_str *rest, const char *mark)
{
    const char *at = find(*rest, mark);
    dpl_str piece = {rest->data, at ? (size_t)(at - rest->data) : rest->n};
    size_t n = piece.n + (at ? strlen(mark) : 0);
    *rest = (dpl_str){rest->data + n, rest->n - n};
    return piece;
}

/* ---- word lists --------------------------------------------------------------------- */

/* Numbers the translations behind those of the line before if it has the same source. */
static bool continue_places(list *l, dpl_str source)
{
    dpl__wordings *t = &l->article.translations;
    bool is_same = dpl__str_eq((dpl_str){l->last.data, l->last.n}, source);
    for (size_t i = 0; is_same && i < t->n; i++)
        t->data[i].place += l->n_last;
    l->n_last = (is_same ? l->n_last : 0) + (uint32_t)t->n;
    if (is_same)
        return true;
    l->last.n = 0;
    return dpl__vec_append(l->ctx, &l->last, source.data, source.n);
}

static dpl_status read_pair(list *l, dpl_str line, dpl_error *err)
{
    dpl__article *a = &l->article;
    size_t n = 1;
    for (size_t i = 0; i < line.n; i++)
        n += line.data[i] == '\t';
    if (n != 2)
        return dpl__bad_line(place(l), err, "%zu column%s instead of 2", n, n == 1 ? "" : "s");
    dpl_str target = line, source = cut(&target, "\t");
    if (dpl__trim(source).n == 0 || dpl__trim(target).n == 0)
        return dpl__bad_line(place(l), err, "an empty word");
    dpl__article_reset(a);
    if (!dpl__article_line(a, l->ctx, &a->heads, source, ",;", 1) ||
        !dpl__article_line(a, l->ctx, &a->translations, target, ",;", 1) ||
        !continue_places(l, source))
        return dpl__fail_nomem(err);
    return dpl__translations_add_article(l->g, a, err);
}

/* ---- Ding --------------------------------------------------------------------------- */

static dpl_status read_ding(list *l, dpl_str line, dpl_error *err)
{
    dpl__article *a = &l->article;
    if (line.data[0] == '#')
        return DPL_END;
    if (!find(line, "::"))
        return dpl__bad_line(place(l), err, "no '::' between the languages");
    dpl_str right = line, left = cut(&right, "::");
    while (left.n && right.n) {
        dpl_str source = cut(&left, "|"), target = cut(&right, "|");
        dpl__article_reset(a);
        if (!dpl__article_line(a, l->ctx, &a->heads, source, ";", 1) ||
            !dpl__article_line(a, l->ctx, &a->translations, target, ";", 1))
            return dpl__fail_nomem(err);
        DPL_TRY(dpl__translations_add_article(l->g, a, err));
    }
    return DPL_OK;
}

/* ---- Moses -------------------------------------------------------------------------- */

static size_t split(dpl_str line, dpl_str fields[3])
{
    size_t n = 0;
    for (size_t at = 0; at < line.n;) {
        size_t begin = at;
        while (at < line.n && line.data[at] != ' ' && line.data[at] != '\t')
            at++;
        if (at > begin && n++ < 3)
            fields[n - 1] = (dpl_str){line.data + begin, at - begin};
        at++;
    }
    return n;
}

static dpl_status read_moses(list *l, dpl_str line, dpl_error *err)
{
    dpl_str fields[3], null = DPL_STR("NULL");
    size_t n = split(line, fields);
    double p;
    if (n != 3)
        return dpl__bad_line(place(l), err, "%zu column%s instead of 3", n, n == 1 ? "" : "s");
    if (!dpl__parse_number(&p, fields[2]))
        return dpl__bad_line(place(l), err, "'%.*s' is not a number", dpl__shown(fields[2]),
                             fields[2].data);
    if (p < 0 || p > 1)
        return dpl__bad_line(place(l), err, "probability %.*s is not in 0 to 1",
                             dpl__shown(fields[2]), fields[2].data);
    l->g->n_read++;
    if ((float)p < FLT_MIN || dpl__str_eq(fields[0], null) || dpl__str_eq(fields[1], null))
        return DPL_OK;
    return dpl__translations_add_pair(l->g, fields[1], fields[0], (float)p, err);
}

/* ---- detecting the format ------------------------------------------------------------------
 */

/* AUTO: not detected. */
static dpl_dictionary_format format_of(dpl_str line)
{
    dpl_str fields[3];
    double p;
    if (memchr(line.data, '\t', line.n))
        return DPL_DICTIONARY_TSV;
    if (find(line, " :: "))
        return DPL_DICTIONARY_DING;
    bool is_moses = split(line, fields) == 3 && dpl__parse_number(&p, fields[2]);
    return is_moses ? DPL_DICTIONARY_MOSES : DPL_DICTIONARY_AUTO;
}

/* By the first line. NULL: a lexicon with probabilities, separated by tabs. */
static dpl_status choose_reader(line_fn **out, list *l, dpl_str line,
                                dpl_dictionary_format *format, dpl_error *err)
{
    if (*format == DPL_DICTIONARY_AUTO)
        *format = format_of(line);
    if (*format == DPL_DICTIONARY_AUTO) {
        dpl__lines_bad(&l->lines, err, "not a dictionary of a form we know");
        dpl__hint(err, "lines of 'word<TAB>word', 'word<TAB>word<TAB>probability' or "
                       "'word word probability', Ding's 'words :: words', or a dictd index");
        return DPL_E_FORMAT;
    }
    dpl_str rest = line;
    cut(&rest, "\t");
    *out = *format == DPL_DICTIONARY_DING    ? read_ding
           : *format == DPL_DICTIONARY_MOSES ? read_moses
           : find(rest, "\t")                ? NULL
                                             : read_pair;
    return DPL_OK;
}

static dpl_status read_checked(list *l, line_fn *read, dpl_str line, dpl_error *err)
{
    uint8_t most;
    const uint8_t *p = (const uint8_t *)line.data;
    size_t good = l->ctx->kernels->utf8_prefix(p, line.n, &most);
    if (good < line.n)
        return dpl__bad_line(place(l), err, "invalid UTF-8 (byte 0x%02X at column %zu)",
                             p[good], good + 1);
    return read(l, line, err);
}

static dpl_status report(list *l, dpl_error *err)
{
    if (l->lines.number % 4096)
        return DPL_OK;
    dpl_progress p = {"import", "bytes", dpl__input_position(l->lines.in),
                      dpl__input_size(l->lines.in)};
    DPL_TRY(dpl__progress(l->ctx, &p, err));
    return dpl__translations_check_memory(l->g, l->stdin_bytes.cap, l->path, err);
}

/* *is_lexicon: there was a first line, and it is one of a lexicon with probabilities. */
static dpl_status read_lines(list *l, dpl_dictionary_format *format, bool *is_lexicon,
                             dpl_error *err)
{
    dpl_str line;
    dpl_status status;
    line_fn *read = NULL;
    *is_lexicon = false;
    while ((status = dpl__lines_next(&l->lines, &line, err)) == DPL_OK) {
        if (dpl__trim(line).n == 0 || (!read && line.data[0] == '#' && !find(line, "\t")))
            continue;
        if (!read) {
            DPL_TRY(choose_reader(&read, l, line, format, err));
            *is_lexicon = !read;
            if (!read)
                return DPL_OK;
            l->g->is_weighted = read != read_moses;
            l->g->is_table = read == read_moses;
        }
        uint64_t n_skipped = l->g->n_skipped;
        status = read_checked(l, read, line, err);
        l->g->n_read += l->g->n_skipped - n_skipped;
        if (status != DPL_OK && status != DPL_END)
            return status;
        DPL_TRY(report(l, err));
    }
    return status == DPL_END ? DPL_OK : status;
}

/* ---- lexicons ----------------------------------------------------------------------- */

typedef const uint32_t *row_fn(const dpl_lexicon *l, uint32_t row, const float **p, size_t *n);

static dpl_status add_rows(dpl__translations *g, const dpl_lexicon *l, int side,
                           uint32_t n_rows, row_fn *get, dpl_error *err)
{
    for (uint32_t r = 0; r < n_rows; r++) {
        const float *p;
        size_t n;
        const uint32_t *cols = get(l, r, &p, &n);
        if (!dpl__vec_reserve(g->ctx, &g->cells[side], n))
            return dpl__fail_nomem(err);
        for (size_t i = 0; i < n; i++)
            g->cells[side].data[g->cells[side].n++] =
                (dpl__cell){.row = r, .col = cols[i], .p = p[i]};
    }
    return DPL_OK;
}

static dpl_status add_word(dpl__translations *g, int side, dpl_str word, uint64_t count,
                           dpl_error *err)
{
    uint32_t number;
    DPL_TRY(dpl__terms_number(&g->words[side], word, &number, err));
    return dpl__vec_push(g->ctx, &g->counts[side], count) ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__translations_add_lexicon(dpl__translations *g, const dpl_lexicon *l,
                                         dpl_error *err)
{
    const dpl_lexicon_sizes *size = dpl_lexicon_get_sizes(l);
    uint64_t totals[2] = {0};
    for (uint32_t s = 0; s < size->n_sources; s++) {
        totals[DPL__LEFT] += dpl_lexicon_source_count(l, s);
        DPL_TRY(add_word(g, DPL__LEFT, dpl_lexicon_source(l, s), dpl_lexicon_source_count(l, s),
                         err));
    }
    for (uint32_t t = 0; t < size->n_targets; t++) {
        totals[DPL__RIGHT] += dpl_lexicon_target_count(l, t);
        DPL_TRY(add_word(g, DPL__RIGHT, dpl_lexicon_target(l, t),
                         dpl_lexicon_target_count(l, t), err));
    }
    for (int side = 0; side < 2; side++)
        if (totals[side] == 0)
            dpl__vec_clear(g->ctx, &g->counts[side]);
    DPL_TRY(add_rows(g, l, DPL__LEFT, size->n_sources, dpl_lexicon_row, err));
    if (size->n_back)
        DPL_TRY(add_rows(g, l, DPL__RIGHT, size->n_targets, dpl_lexicon_back_row, err));
    g->is_table = true;
    g->is_stemmed = dpl_lexicon_is_stemmed(l);
    g->n_read += size->n_entries + size->n_skipped;
    g->n_used += size->n_entries;
    g->n_skipped += size->n_skipped;
    return DPL_OK;
}

static dpl_status add_lexicon(list *l, dpl_error *err)
{
    dpl_lexicon_options o = DPL_INIT(
        dpl_lexicon_options, .on_error = l->skips ? DPL_ON_ERROR_SKIP : DPL_ON_ERROR_FAIL);
    o.source_lang = *l->g->lang[DPL__LEFT] ? l->g->lang[DPL__LEFT] : NULL;
    o.target_lang = *l->g->lang[DPL__RIGHT] ? l->g->lang[DPL__RIGHT] : NULL;
    dpl_lexicon *lexicon = NULL;
    dpl_str stdin_bytes = {l->stdin_bytes.data, l->stdin_bytes.n};
    DPL_TRY(l->is_stdin ? dpl__lexicon_open_memory(&lexicon, l->ctx, "(standard input)",
                                                   stdin_bytes, &o, err)
                        : dpl_lexicon_open(&lexicon, l->ctx, l->path, &o, err));
    dpl_status status = dpl__translations_add_lexicon(l->g, lexicon, err);
    dpl_lexicon_close(lexicon);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

/* Keeps standard input in memory: it cannot be read twice. */
static dpl_status read_stdin(list *l, dpl_error *err)
{
    enum { PIECE = 1 << 16 };
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open(&in, l->ctx, l->path, err));
    dpl_status status = DPL_OK;
    for (size_t got = 1; got; l->stdin_bytes.n += got) {
        if (!dpl__vec_reserve(l->ctx, &l->stdin_bytes, PIECE))
            DPL__STEP(dpl__fail_nomem(err));
        DPL__STEP(
            dpl__translations_check_memory(l->g, l->stdin_bytes.cap, "(standard input)", err));
        DPL__STEP(
            dpl__input_read(in, l->stdin_bytes.data + l->stdin_bytes.n, PIECE, &got, err));
    }
done:
    dpl__input_close(in);
    return status;
}

static dpl_status add_list(list *l, dpl_dictionary_format *format, dpl_error *err)
{
    bool is_lexicon;
    if (l->is_stdin)
        DPL_TRY(read_stdin(l, err));
    DPL_TRY(l->is_stdin ? dpl__lines_open_memory(&l->lines, l->ctx, "(standard input)",
                                                 l->stdin_bytes.data, l->stdin_bytes.n, err)
                        : dpl__lines_open(&l->lines, l->ctx, l->path, err));
    dpl_status status = read_lines(l, format, &is_lexicon, err);
    dpl__lines_close(&l->lines);
    return status == DPL_OK && is_lexicon ? add_lexicon(l, err) : status;
}

dpl_status dpl__translations_add_lines(dpl__translations *g, const char *path,
                                       dpl_dictionary_format *format, bool skips,
                                       dpl_error *err)
{
    list l = {.g = g,
              .ctx = g->ctx,
              .path = path,
              .skips = skips,
              .is_stdin = strcmp(path, "-") == 0};
    dpl_status status = add_list(&l, format, err);
    dpl__article_clear(&l.article, l.ctx);
    dpl__vec_clear(l.ctx, &l.last);
    dpl__vec_clear(l.ctx, &l.stdin_bytes);
    return status;
}
