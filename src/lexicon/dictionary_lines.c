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
#include "kernels/kernels.h"
#include "lexicon/dictionary_xml.h"
#include "lexicon/lexicon.h"
#include "lexicon/parse_number.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

#include <float.h>

/* ---- word lists --------------------------------------------------------------------- */

/* Numbers the translations behind those of the line before if it has the same source. */
static bool continue_places(dpl__dictionary_text *d, dpl_str source)
{
    dpl__wordings *t = &d->article.translations;
    bool is_same = dpl__str_eq((dpl_str){d->last.data, d->last.n}, source);
    for (size_t i = 0; is_same && i < t->n; i++)
        t->data[i].place += d->n_last;
    d->n_last = (is_same ? d->n_last : 0) + (uint32_t)t->n;
    if (is_same)
        return true;
    d->last.n = 0;
    return dpl__vec_append(d->ctx, &d->last, source.data, source.n);
}

static bool is_tsv(dpl_str line)
{
    return memchr(line.data, '\t', line.n) != NULL;
}

static dpl_status read_tsv_pair(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl__article *a = &d->article;
    size_t n = 1;
    for (size_t i = 0; i < line.n; i++)
        n += line.data[i] == '\t';
    if (n != 2)
        return dpl__bad_line(dpl__dictionary_place(d), err, "%zu column%s instead of 2", n,
                             n == 1 ? "" : "s");
    dpl_str target = line, source = dpl__cut_text(&target, "\t");
    if (dpl__trim(source).n == 0 || dpl__trim(target).n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err, "an empty word");
    dpl__article_reset(a);
    DPL_TRY(dpl__need(dpl__article_line(a, d->ctx, &a->heads, source, ",;", 1) &&
                          dpl__article_line(a, d->ctx, &a->translations, target, ",;", 1) &&
                          continue_places(d, source),
                      err));
    return dpl__translations_add_article(d->g, a, err);
}

/* ---- Ding --------------------------------------------------------------------------- */

static bool is_ding(dpl_str line)
{
    return dpl__find_text(line, " :: ") != NULL;
}

static dpl_status read_ding(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl__article *a = &d->article;
    if (line.data[0] == '#')
        return DPL_END;
    if (!dpl__find_text(line, "::"))
        return dpl__bad_line(dpl__dictionary_place(d), err, "no '::' between the languages");
    dpl_str right = line, left = dpl__cut_text(&right, "::");
    while (left.n && right.n) {
        dpl_str source = dpl__cut_text(&left, "|"), target = dpl__cut_text(&right, "|");
        dpl__article_reset(a);
        DPL_TRY(dpl__need(dpl__article_line(a, d->ctx, &a->heads, source, ";", 1) &&
                              dpl__article_line(a, d->ctx, &a->translations, target, ";", 1),
                          err));
        DPL_TRY(dpl__translations_add_article(d->g, a, err));
    }
    return DPL_OK;
}

/* ---- Moses -------------------------------------------------------------------------- */

static bool is_moses(dpl_str line)
{
    dpl_str fields[3];
    double p;
    return dpl__split_blanks(line, fields, 3) == 3 && dpl__parse_number(&p, fields[2]);
}

static dpl_status read_moses(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl_str fields[3], null = DPL_STR("NULL");
    size_t n = dpl__split_blanks(line, fields, 3);
    double p;
    if (n != 3)
        return dpl__bad_line(dpl__dictionary_place(d), err, "%zu column%s instead of 3", n,
                             n == 1 ? "" : "s");
    if (!dpl__parse_number(&p, fields[2]))
        return dpl__bad_line(dpl__dictionary_place(d), err, "'%.*s' is not a number",
                             dpl__shown(fields[2]), fields[2].data);
    if (p < 0 || p > 1)
        return dpl__bad_line(dpl__dictionary_place(d), err, "probability %.*s is not in 0 to 1",
                             dpl__shown(fields[2]), fields[2].data);
    d->g->n_read++;
    if ((float)p < FLT_MIN || dpl__str_eq(fields[0], null) || dpl__str_eq(fields[1], null))
        return DPL_OK;
    return dpl__translations_add_pair(d->g, fields[1], fields[0], (float)p, err);
}

/* ---- detecting the format ----------------------------------------------------------- */

static dpl_status unknown(dpl__dictionary_lines *l, dpl_error *err)
{
    dpl__lines_bad(&l->text.lines, err, "not a dictionary in a format that doppel reads");
    dpl__hint(err, "expected lines of 'word<TAB>word', 'word<TAB>word<TAB>probability' or "
                   "'word word', or a dictionary in one of the other formats");
    return DPL_E_FORMAT;
}

/* "<title>German-English FreeDict Dictionary</title>". */
static void note_title(dpl__dictionary_lines *l, dpl_str line)
{
    dpl_str rest = line;
    if (l->title[0] || !dpl__find_text(line, "<title>"))
        return;
    dpl__cut_text(&rest, "<title>");
    dpl_str title = dpl__cut_text(&rest, "</title>");
    size_t n = dpl__min(title.n, sizeof l->title - 1);
    memcpy(l->title, title.data, n);
    l->title[n] = 0;
}

/* The first line with an entry; XML has a head before it, as has a list of comments. */
static dpl_status find_first(dpl__dictionary_lines *l, dpl_error *err)
{
    dpl_dictionary_format format = l->asked;
    dpl_status status;
    dpl_str line;
    bool is_xml = false;
    while ((status = dpl__lines_next(&l->text.lines, &line, err)) == DPL_OK) {
        bool is_comment = line.n && line.data[0] == '#' && !dpl__find_text(line, "\t");
        if (dpl__trim(line).n == 0 || is_comment)
            continue;
        is_xml = is_xml || line.data[0] == '<';
        note_title(l, line);
        if (format == DPL_DICTIONARY_AUTO)
            format = dpl__dictionary_detect(line, is_xml);
        if (format == DPL_DICTIONARY_AUTO && !is_xml)
            return unknown(l, err);
        if (format == DPL_DICTIONARY_AUTO ||
            (dpl__dictionary_format_of(format)->is_xml && !dpl__find_text(line, "<entry")))
            continue;
        l->first = line;
        l->has_first = true;
        break;
    }
    if (status == DPL_END && is_xml && format == DPL_DICTIONARY_AUTO)
        return unknown(l, err);
    l->format = format;
    return status == DPL_END ? DPL_OK : status;
}

/* Languages that the format has, or the line names. */
static void find_languages(dpl__dictionary_lines *l)
{
    const dpl__dictionary_format *f = dpl__dictionary_format_of(l->format);
    if (f->source_lang)
        memcpy(l->lang[0], f->source_lang, strlen(f->source_lang) + 1);
    if (f->find_languages)
        f->find_languages(l->lang, l->first);
}

/* A line in the other encoding of its format becomes UTF-8. */
static dpl_status convert(dpl__dictionary_lines *l, dpl_str *line, const char *charset,
                          dpl_error *err)
{
    const dpl__charset from = dpl__charset_named(dpl__cstr(charset));
    dpl_str text = *line;
    size_t n_replaced = 0;
    dpl__arena_reset(&l->converted);
    dpl_status status = dpl__charset_convert(&text, &l->converted, &from, &n_replaced, err);
    if (status == DPL_OK && n_replaced == 0)
        *line = text;
    return status == DPL_END ? DPL_OK : status;
}

static size_t count_utf8(const dpl__dictionary_text *d, dpl_str line)
{
    uint8_t most;
    return d->ctx->kernels->utf8_prefix((const uint8_t *)line.data, line.n, &most);
}

static dpl_status read_checked(dpl__dictionary_lines *l, const dpl__dictionary_format *f,
                               dpl_str line, dpl_error *err)
{
    dpl__dictionary_text *d = &l->text;
    if (f->charset && count_utf8(d, line) < line.n)
        DPL_TRY(convert(l, &line, f->charset, err));
    const uint8_t *p = (const uint8_t *)line.data;
    const size_t good = count_utf8(d, line);
    if (good < line.n)
        return dpl__bad_line(dpl__dictionary_place(d), err,
                             "invalid UTF-8 (byte 0x%02X at column %zu)", p[good], good + 1);
    return f->read(d, line, err);
}

static dpl_status report(dpl__dictionary_lines *l, dpl_error *err)
{
    dpl__dictionary_text *d = &l->text;
    if (d->lines.number % 4096)
        return DPL_OK;
    dpl_progress p = {"import", "bytes", dpl__input_position(d->lines.in),
                      dpl__input_size(d->lines.in)};
    DPL_TRY(dpl__progress(d->ctx, &p, err));
    return dpl__translations_check_memory(d->g, l->stdin_bytes.cap, l->path, err);
}

static dpl_status read_lines(dpl__dictionary_lines *l, dpl_error *err)
{
    const dpl__dictionary_format *f = dpl__dictionary_format_of(l->format);
    dpl__dictionary_text *d = &l->text;
    dpl_str line = l->first;
    dpl_status status = DPL_OK;
    d->g->is_weighted = !f->is_table;
    d->g->is_table = f->is_table;
    for (; status == DPL_OK; status = dpl__lines_next(&d->lines, &line, err)) {
        if (dpl__trim(line).n == 0)
            continue;
        uint64_t n_skipped = d->g->n_skipped;
        status = read_checked(l, f, line, err);
        d->g->n_read += d->g->n_skipped - n_skipped;
        if (status != DPL_OK && status != DPL_END)
            return status;
        DPL_TRY(report(l, err));
    }
    if (status == DPL_END && f->is_xml)
        status = dpl__finish_entries(d, err);
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
        DPL_TRY(dpl__need(dpl__vec_reserve(g->ctx, &g->cells[side], n), err));
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
    return dpl__need(dpl__vec_push(g->ctx, &g->counts[side], count), err);
}

dpl_status dpl__translations_add_lexicon(dpl__translations *g, const dpl_lexicon *l,
                                         dpl_error *err)
{
    const dpl_lexicon_sizes *size = dpl_lexicon_get_sizes(l);
    uint64_t totals[2] = {0};
    for (uint32_t s = 0; s < size->n_sources; s++) {
        totals[DPL__LEFT] += dpl_lexicon_count(l, false, s);
        DPL_TRY(add_word(g, DPL__LEFT, dpl_lexicon_source(l, s), dpl_lexicon_count(l, false, s),
                         err));
    }
    for (uint32_t t = 0; t < size->n_targets; t++) {
        totals[DPL__RIGHT] += dpl_lexicon_count(l, true, t);
        DPL_TRY(add_word(g, DPL__RIGHT, dpl_lexicon_target(l, t), dpl_lexicon_count(l, true, t),
                         err));
    }
    for (int side = 0; side < 2; side++)
        if (totals[side] == 0)
            dpl__vec_clear(g->ctx, &g->counts[side]);
    DPL_TRY(add_rows(g, l, DPL__LEFT, size->n_sources, dpl_lexicon_row, err));
    if (size->n_back)
        DPL_TRY(add_rows(g, l, DPL__RIGHT, size->n_targets, dpl_lexicon_back_row, err));
    g->is_table = true;
    g->is_stemmed = dpl_lexicon_get_info(l).is_stemmed;
    g->n_read += size->n_entries + size->n_skipped;
    g->n_used += size->n_entries;
    g->n_skipped += size->n_skipped;
    return DPL_OK;
}

static dpl_status add_lexicon(dpl__dictionary_lines *l, dpl_error *err)
{
    dpl__translations *g = l->text.g;
    dpl_lexicon_options o = DPL_INIT(
        dpl_lexicon_options, .on_error = l->text.skips ? DPL_ON_ERROR_SKIP : DPL_ON_ERROR_FAIL);
    o.source_lang = *g->lang[DPL__LEFT] ? g->lang[DPL__LEFT] : NULL;
    o.target_lang = *g->lang[DPL__RIGHT] ? g->lang[DPL__RIGHT] : NULL;
    dpl_lexicon *lexicon = NULL;
    dpl_str stdin_bytes = {l->stdin_bytes.data, l->stdin_bytes.n};
    DPL_TRY(l->is_stdin ? dpl__lexicon_open_memory(&lexicon, l->text.ctx, "(standard input)",
                                                   stdin_bytes, &o, err)
                        : dpl__lexicon_open(&lexicon, l->text.ctx, l->path, &o, err));
    dpl_status status;
    if (!l->text.skips && lexicon->sizes.n_skipped) {
        /* A lexicon may have a few bad lines; a dictionary may not. */
        status = dpl__fail(err, DPL_E_FORMAT, "%s", lexicon->first_skipped);
    } else {
        dpl__lexicon_note_skipped(lexicon);
        status = dpl__translations_add_lexicon(g, lexicon, err);
    }
    dpl_lexicon_close(lexicon);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

/* Keeps standard input in memory: it cannot be read twice. */
static dpl_status read_stdin(dpl__dictionary_lines *l, dpl_error *err)
{
    enum { PIECE = 1 << 16 };
    dpl_ctx *ctx = l->text.ctx;
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open(&in, ctx, l->path, err));
    dpl_status status = DPL_OK;
    for (size_t got = 1; got; l->stdin_bytes.n += got) {
        DPL__STEP(dpl__need(dpl__vec_reserve(ctx, &l->stdin_bytes, PIECE), err));
        DPL__STEP(dpl__translations_check_memory(l->text.g, l->stdin_bytes.cap,
                                                 "(standard input)", err));
        DPL__STEP(
            dpl__input_read(in, l->stdin_bytes.data + l->stdin_bytes.n, PIECE, &got, err));
    }
done:
    dpl__input_close(in);
    return status;
}

dpl_status dpl__dictionary_lines_open(dpl__dictionary_lines *l, dpl__translations *g,
                                      const char *path, dpl_dictionary_format format,
                                      dpl_error *err)
{
    *l = (dpl__dictionary_lines){.text = {.g = g, .ctx = g->ctx},
                                 .path = path,
                                 .asked = format,
                                 .is_stdin = strcmp(path, "-") == 0};
    dpl__arena_init(&l->converted, g->ctx);
    if (l->is_stdin)
        DPL_TRY(read_stdin(l, err));
    DPL_TRY(l->is_stdin ? dpl__lines_open_memory(&l->text.lines, g->ctx, "(standard input)",
                                                 l->stdin_bytes.data, l->stdin_bytes.n, err)
                        : dpl__lines_open(&l->text.lines, g->ctx, path, err));
    DPL_TRY(find_first(l, err));
    find_languages(l);
    return DPL_OK;
}

dpl_status dpl__dictionary_lines_read(dpl__dictionary_lines *l, dpl__synsets *synsets,
                                      bool skips, dpl_error *err)
{
    l->text.synsets = synsets;
    l->text.skips = skips;
    if (!l->has_first) {
        l->text.g->is_weighted = true;
        return DPL_OK;
    }
    dpl_str rest = l->first;
    dpl__cut_text(&rest, "\t");
    if (l->format == DPL_DICTIONARY_TSV && dpl__find_text(rest, "\t"))
        return add_lexicon(l, err);
    return read_lines(l, err);
}

void dpl__dictionary_lines_close(dpl__dictionary_lines *l)
{
    dpl_ctx *ctx = l->text.ctx;
    if (!ctx)
        return;
    dpl__lines_close(&l->text.lines);
    dpl__article_clear(&l->text.article, ctx);
    dpl__vec_clear(ctx, &l->text.last, &l->text.entry, &l->stdin_bytes);
    dpl__arena_clear(&l->converted);
}

const dpl__dictionary_format dpl__dictionary_tsv = {
    .info = {"tsv", "text: source, tab, target, and optionally tab and probability; GATITOS"},
    .looks_like = is_tsv,
    .read = read_tsv_pair};

const dpl__dictionary_format dpl__dictionary_moses = {
    .info = {"moses",
             "lexical table of Moses: target, source and probability, separated by blanks"},
    .looks_like = is_moses,
    .read = read_moses,
    .is_table = true};

const dpl__dictionary_format dpl__dictionary_ding = {
    .info = {"ding",
             "dictionary of Ding and trans-de-en: words :: words, with bars between forms"},
    .looks_like = is_ding,
    .read = read_ding};
