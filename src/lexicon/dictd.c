/*
 * dictd.c - index and text of a dictd dictionary become articles.
 *
 * The index has one line for each headword: `headword <TAB> offset <TAB> length`, numbers with
 * the digits A-Z a-z 0-9 + /; a fourth column, if there is one, has the headword as it is
 * written. Its first entries, 00database..., describe the dictionary. Several headwords may
 * have one article: entries are sorted by place, and an article is read once, with all its
 * headwords. dictzip's files are gzip's.
 *
 * Cost: the text and some 60 bytes a headword in memory.
 */
#include "lexicon/dictd.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/order.h"
#include "io/lines.h"
#include "lexicon/bad_line.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <unistd.h>

typedef struct dpl__dictd_entry {
    dpl_str word;
    uint64_t offset;
    uint32_t n;    /* bytes of the article */
    uint32_t line; /* of the index */
} dpl__dictd_entry;

enum { LONGEST_ARTICLE = 16 << 20 };

/* ---- names -------------------------------------------------------------------------- */

static bool ends_with(dpl_str s, const char *end)
{
    size_t n = strlen(end);
    return s.n > n && memcmp(s.data + s.n - n, end, n) == 0;
}

/* The path without an ending of dictd's. */
static dpl_str stem_of(const char *path)
{
    static const char *const endings[] = {".index", ".dict.dz", ".dict"};
    dpl_str s = dpl__cstr(path);
    for (size_t i = 0; i < DPL_LEN(endings); i++)
        if (ends_with(s, endings[i]))
            return (dpl_str){s.data, s.n - strlen(endings[i])};
    return s;
}

/* stem and ending; NULL when there is no memory. */
static char *join(dpl_ctx *ctx, dpl_str stem, const char *ending, size_t *n)
{
    *n = stem.n + strlen(ending) + 1;
    char *name = dpl__alloc(ctx, *n);
    if (name) {
        memcpy(name, stem.data, stem.n);
        memcpy(name + stem.n, ending, *n - stem.n);
    }
    return name;
}

bool dpl__is_dictd(const char *path)
{
    dpl_str stem = stem_of(path);
    char name[4096];
    if (stem.n < strlen(path))
        return true;
    int n = snprintf(name, sizeof name, "%s.index", path);
    return n > 0 && (size_t)n < sizeof name && access(path, F_OK) != 0 &&
           access(name, F_OK) == 0;
}

static dpl_status find_names(dpl__dictd *d, const char *path, dpl_error *err)
{
    dpl_str stem = stem_of(path), whole = dpl__cstr(path);
    d->index_name = join(d->ctx, stem, ".index", &d->n_index_name);
    bool is_text = ends_with(whole, ".dict") || ends_with(whole, ".dict.dz");
    d->name = join(d->ctx, is_text ? whole : stem, is_text ? "" : ".dict.dz", &d->n_name);
    DPL_TRY(dpl__need(d->index_name && d->name, err));
    if (access(d->name, F_OK) == 0)
        return DPL_OK;
    size_t n_plain;
    char *plain = join(d->ctx, stem, ".dict", &n_plain);
    DPL_TRY(dpl__need(plain, err));
    bool is_there = !is_text && access(plain, F_OK) == 0;
    char *unused = is_there ? d->name : plain;
    if (is_there) {
        d->name = plain;
        d->n_name = n_plain;
    }
    dpl__free(d->ctx, unused);
    return DPL_OK;
}

/* ---- the text ----------------------------------------------------------------------- */

static dpl_status too_large(const dpl__dictd *d, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                          "'%s' does not fit into %llu MiB of memory", d->name,
                          (unsigned long long)(d->ctx->memory >> 20));
}

static dpl_status read_text(dpl__dictd *d, dpl__input *in, dpl_error *err)
{
    enum { PIECE = 1 << 17 };
    for (size_t got = 1; got;) {
        if (d->text.n > d->ctx->memory)
            return too_large(d, err);
        DPL_TRY(dpl__need(dpl__vec_reserve(d->ctx, &d->text, PIECE), err));
        DPL_TRY(dpl__input_read(in, d->text.data + d->text.n, PIECE, &got, err));
        d->text.n += got;
    }
    return DPL_OK;
}

/* ---- the index ---------------------------------------------------------------------- */

/* Base 64 as dictd has it: a number, the most significant digit first. */
static bool parse_base64(uint64_t *out, dpl_str s)
{
    *out = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.data[i];
        unsigned digit = c >= 'A' && c <= 'Z'   ? (unsigned)(c - 'A')
                         : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 26
                         : c >= '0' && c <= '9' ? (unsigned)(c - '0') + 52
                         : c == '+'             ? 62
                         : c == '/'             ? 63
                                                : 64;
        if (digit == 64 || *out >> 58)
            return false;
        *out = *out << 6 | digit;
    }
    return s.n > 0;
}

static dpl__line_place place(dpl__dictd *d, uint64_t line)
{
    return (dpl__line_place){
        .name = d->index_name, .line = line, .n_skipped = d->skips ? &d->n_skipped : NULL};
}

/* A line with 3 columns or more. */
static dpl_status read_entry(dpl__dictd *d, dpl__dictd_entry *out, dpl_str line, dpl_error *err)
{
    dpl_str fields[4];
    uint64_t n;
    size_t n_fields = 0;
    for (dpl_str rest = line; rest.data && n_fields < DPL_LEN(fields);)
        fields[n_fields++] = dpl__next_column(&rest);
    if (n_fields < 3)
        return dpl__bad_line(place(d, out->line), err, "%zu column%s instead of 3", n_fields,
                             n_fields == 1 ? "" : "s");
    for (size_t i = 1; i <= 2; i++)
        if (!parse_base64(i == 1 ? &out->offset : &n, fields[i]))
            return dpl__bad_line(place(d, out->line), err,
                                 "'%.*s' is not a number in dictd's base 64",
                                 dpl__shown(fields[i]), fields[i].data);
    if (!dpl__is_utf8(d->ctx, line))
        return dpl__bad_line(place(d, out->line), err, "invalid UTF-8");
    if (out->offset > d->text.n || n > d->text.n - out->offset)
        return dpl__bad_line(place(d, out->line), err,
                             "bytes %llu to %llu, but '%s' has only %zu (is it cut off?)",
                             (unsigned long long)out->offset,
                             (unsigned long long)(out->offset + n), d->name, d->text.n);
    if (n > LONGEST_ARTICLE)
        return dpl__bad_line(place(d, out->line), err, "an article of %llu MiB",
                             (unsigned long long)(n >> 20));
    out->n = (uint32_t)n;
    out->word = fields[n_fields == 4 && fields[3].n ? 3 : 0];
    return DPL_OK;
}

/* "00databaseshort" or "00-database-short". */
static bool is_metadata(dpl_str word, const char *what)
{
    static const char front[] = "00database";
    size_t at = 0, n = sizeof front - 1, n_what = strlen(what);
    for (size_t i = 0; i < word.n && at < n + n_what; i++) {
        if (word.data[i] == '-')
            continue;
        if (word.data[i] != (at < n ? front[at] : what[at - n]))
            return false;
        at++;
    }
    return at == n + n_what;
}

static void read_metadata(dpl__dictd *d, const dpl__dictd_entry *e)
{
    dpl_str text = {d->text.data + e->offset, e->n};
    if (!is_metadata(e->word, "short") || !dpl__is_utf8(d->ctx, text))
        return;
    /* "00-database-short\n     Title" in older ones */
    dpl_str title = dpl__trim(text);
    if (title.n > 2 && memcmp(title.data, "00", 2) == 0) {
        const char *newline = memchr(title.data, '\n', title.n);
        size_t n = newline ? (size_t)(newline - title.data) : title.n;
        title = dpl__trim((dpl_str){title.data + n, title.n - n});
    }
    d->title = title;
}

DPL__ORDER(by_place, dpl__dictd_entry, DPL__RISING(offset) DPL__RISING(n) DPL__RISING(line))

static dpl_status read_index(dpl__dictd *d, dpl__lines *lines, dpl_error *err)
{
    dpl_str line;
    dpl_status status;
    while ((status = dpl__lines_next(lines, &line, err)) == DPL_OK) {
        if (lines->number >= UINT32_MAX)
            return dpl__lines_bad(lines, err, "too many lines");
        if (line.n == 0)
            continue;
        dpl__dictd_entry e = {.line = (uint32_t)lines->number};
        status = read_entry(d, &e, line, err);
        if (status == DPL_END)
            continue;
        if (status != DPL_OK)
            return status;
        if (is_metadata(e.word, "")) {
            read_metadata(d, &e);
            continue;
        }
        e.word = dpl__arena_copy(&d->arena, e.word);
        DPL_TRY(dpl__need(e.word.data && dpl__vec_push(d->ctx, &d->entries, e), err));
        if (d->entries.cap * sizeof e + d->text.cap > d->ctx->memory)
            return too_large(d, err);
    }
    if (status != DPL_END)
        return status;
    dpl__vec_sort(&d->entries, by_place);
    return DPL_OK;
}

/* ---- opening ------------------------------------------------------------------------ */

/* Takes the input. */
static dpl_status open_text(dpl__dictd *d, dpl__input *in, dpl_error *err)
{
    dpl_status status = read_text(d, in, err);
    dpl__input_close(in);
    return status;
}

static dpl_status with_hint(dpl_status status, dpl_error *err)
{
    if (status == DPL_E_IO)
        dpl__hint(err, "a dictionary is NAME.index with NAME.dict or NAME.dict.dz beside it");
    return status;
}

dpl_status dpl__dictd_open(dpl__dictd *d, dpl_ctx *ctx, const char *path, bool skips,
                           dpl_error *err)
{
    *d = (dpl__dictd){.ctx = ctx, .skips = skips};
    dpl__arena_init(&d->arena, ctx);
    dpl__input *in = NULL;
    dpl__lines lines = {0};
    DPL_TRY(find_names(d, path, err));
    DPL_TRY(with_hint(dpl__lines_open(&lines, ctx, d->index_name, err), err));
    dpl_status status;
    DPL__STEP(with_hint(dpl__input_open(&in, ctx, d->name, err), err));
    DPL__STEP(open_text(d, in, err));
    status = read_index(d, &lines, err);
done:
    dpl__lines_close(&lines);
    return status;
}

dpl_status dpl__dictd_open_memory(dpl__dictd *d, dpl_ctx *ctx, dpl_str index, dpl_str text,
                                  bool skips, dpl_error *err)
{
    *d = (dpl__dictd){.ctx = ctx, .skips = skips};
    dpl__arena_init(&d->arena, ctx);
    dpl__input *in = NULL;
    dpl__lines lines = {0};
    DPL_TRY(find_names(d, "x.index", err));
    DPL_TRY(dpl__input_open_memory(&in, ctx, d->name, text.data, text.n, err));
    DPL_TRY(open_text(d, in, err));
    DPL_TRY(dpl__lines_open_memory(&lines, ctx, d->index_name, index.data, index.n, err));
    dpl_status status = read_index(d, &lines, err);
    dpl__lines_close(&lines);
    return status;
}

void dpl__dictd_close(dpl__dictd *d)
{
    if (!d->ctx)
        return;
    dpl__vec_clear(d->ctx, &d->entries, &d->text);
    dpl__arena_clear(&d->arena);
    dpl__free(d->ctx, d->name, d->index_name);
    *d = (dpl__dictd){0};
}

/* ---- articles ----------------------------------------------------------------------- */

/* The n entries of one article. */
static dpl_status add_article(dpl__translations *g, dpl__dictd *d, dpl__article *a,
                              const dpl__dictd_entry *e, size_t n, dpl_error *err)
{
    enum { MOST_HEADS = 64 };
    dpl_str heads[MOST_HEADS], text = {d->text.data + e->offset, e->n};
    if (!dpl__is_utf8(d->ctx, text)) {
        dpl_status status =
            dpl__bad_line(place(d, e->line), err, "the article '%.*s' is invalid UTF-8",
                          dpl__shown(e->word), e->word.data);
        return status == DPL_END ? DPL_OK : status;
    }
    size_t n_heads = 0;
    for (size_t i = 0; i < n && n_heads < MOST_HEADS; i++)
        if (e[i].word.n)
            heads[n_heads++] = e[i].word;
    DPL_TRY(dpl__need(dpl__article_parse(a, d->ctx, text, heads, n_heads), err));
    return dpl__translations_add_article(g, a, err);
}

static dpl_status add_articles(dpl__translations *g, dpl__dictd *d, dpl__article *a,
                               dpl_error *err)
{
    const dpl__dictd_entry *e = d->entries.data;
    for (size_t i = 0, n; i < d->entries.n; i += n) {
        for (n = 1;
             i + n < d->entries.n && e[i + n].offset == e[i].offset && e[i + n].n == e[i].n;)
            n++;
        if (i >> 12 != (i + n) >> 12) {
            dpl_progress p = {"import", "headwords", i, d->entries.n};
            DPL_TRY(dpl__progress(d->ctx, &p, err));
            DPL_TRY(dpl__translations_check_memory(g, d->text.cap, d->name, err));
        }
        DPL_TRY(add_article(g, d, a, &e[i], n, err));
    }
    return DPL_OK;
}

dpl_status dpl__translations_add_dictd(dpl__translations *g, dpl__dictd *d, dpl_error *err)
{
    dpl__article article = {0};
    g->is_weighted = true;
    dpl_status status = add_articles(g, d, &article, err);
    g->n_skipped += d->n_skipped;
    g->n_read += d->n_skipped;
    dpl__article_clear(&article, d->ctx);
    return status;
}
