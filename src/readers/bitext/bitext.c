/*
 * bitext.c - parallel text: files become rows of two sides.
 *
 * Every file is looked at before the first row is read, so that what is missing, in a wrong
 * format or without its partner is reported at once and not after an hour; what can be opened
 * again is closed until its turn, pipes stay open. Then the groups of files are read one behind
 * the other. Cost: one pass to check UTF-8, NFC and line breaks; nothing is copied that is
 * right.
 */
#include "readers/bitext/bitext.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "kernels/kernels.h"
#include "readers/chunks.h"
#include "unicode/unicode.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

enum { CHUNK = 1 << 16 };
static const uint64_t MAX_RECORD = 16 << 20;

/* ---- for formats -------------------------------------------------------------------- */

static void describe_place(char *out, size_t n, const dpl__place *place)
{
    if (place->line)
        snprintf(out, n, "'%.400s' %s %llu", place->file, place->is_numbered ? "row" : "line",
                 (unsigned long long)place->line);
    else
        snprintf(out, n, "'%.400s'", place->file);
}

dpl_status dpl__rows_bad(dpl__rows *rows, const dpl__place *place, dpl_error *err,
                         const char *fmt, ...)
{
    char what[300], where[450], column[40] = "";
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (rows->options.on_error == DPL_ON_ERROR_SKIP) {
        rows->counts.n_skipped++;
        if (rows->on_skip)
            rows->on_skip(rows->user, place->line, what);
        return DPL_END;
    }
    describe_place(where, sizeof where, place);
    if (place->column)
        snprintf(column, sizeof column, " at column %llu", (unsigned long long)place->column);
    dpl__fail(err, DPL_E_FORMAT, "%s: %s%s", where, what, column);
    dpl__error_place(err, place->line, place->column, place->offset);
    return dpl__code(err, DPL_E_FORMAT, "bad-row");
}

dpl_status dpl__rows_long(dpl__rows *rows, const dpl__place *place, dpl_error *err)
{
    return dpl__rows_bad(rows, place, err, "longer than %llu bytes",
                         (unsigned long long)rows->options.max_record);
}

dpl_status dpl__rows_utf8(dpl__rows *rows, dpl_str *text, const dpl__place *place,
                          dpl_error *err)
{
    uint8_t most;
    const uint8_t *p = (const uint8_t *)text->data;
    size_t good = rows->ctx->kernels->utf8_prefix(p, text->n, &most);
    if (DPL_LIKELY(good == text->n))
        return DPL_OK;
    if (rows->options.on_error == DPL_ON_ERROR_REPLACE) {
        uint64_t n_replaced;
        dpl_status status = dpl__utf8_replace(text, &rows->arena, &n_replaced, err);
        rows->counts.n_replaced += n_replaced;
        return status;
    }
    dpl__place at = *place;
    if (at.column) { /* else nobody knows where exactly */
        at.column += good;
        at.offset += good;
    }
    dpl_status status =
        at.is_utf16 ? dpl__rows_bad(rows, &at, err, "invalid UTF-16")
                    : dpl__rows_bad(rows, &at, err, "invalid UTF-8 (byte 0x%02X)", p[good]);
    return status == DPL_END ? status : dpl__code(err, status, "bad-utf8");
}

static dpl_status breaks_to_blanks(dpl__rows *rows, dpl_str *side, dpl_error *err)
{
    const uint8_t *p = (const uint8_t *)side->data;
    size_t i = 0;
    while (i < side->n && !dpl__break_at(p + i, side->n - i))
        i++;
    if (i == side->n)
        return DPL_OK;
    char *out = dpl__arena_alloc(&rows->arena, side->n);
    DPL_TRY(dpl__need(out, err));
    memcpy(out, p, i);
    size_t n = i;
    while (i < side->n) {
        size_t n_break = dpl__break_at(p + i, side->n - i);
        out[n++] = n_break ? ' ' : (char)p[i];
        i += n_break ? n_break : 1;
    }
    *side = (dpl_str){out, n};
    return DPL_OK;
}

dpl_status dpl__rows_clean(dpl__rows *rows, dpl_str *side, dpl_error *err)
{
    DPL_TRY(breaks_to_blanks(rows, side, err));
    *side = dpl__trim(*side);
    return dpl__nfc(side, &rows->arena, err);
}

dpl_status dpl__rows_side(dpl__rows *rows, dpl_str *side, const dpl__place *place,
                          dpl_error *err)
{
    DPL_TRY(dpl__rows_utf8(rows, side, place, err));
    return dpl__rows_clean(rows, side, err);
}

void dpl__rows_init(dpl__rows *rows, dpl_ctx *ctx, const dpl_bitext_options *options)
{
    *rows = (dpl__rows){.ctx = ctx, .chunk = CHUNK, .counts = DPL_INIT(dpl_bitext_counts)};
    if (options)
        rows->options = *options;
    if (!rows->options.max_record)
        rows->options.max_record = MAX_RECORD;
    dpl__arena_init(&rows->arena, ctx);
}

void dpl__rows_clear(dpl__rows *rows)
{
    dpl__arena_clear(&rows->arena);
}

/* ---- languages ---------------------------------------------------------------------- */

/* Cuts the next subtag off. */
static dpl_str next_subtag(dpl_str *tag)
{
    size_t n = 0;
    while (n < tag->n && tag->data[n] != '-' && tag->data[n] != '_')
        n++;
    dpl_str subtag = {tag->data, n};
    n += n < tag->n;
    *tag = (dpl_str){tag->data + n, tag->n - n};
    return subtag;
}

/* "de_DE.UTF-8", "sr@latin" */
static dpl_str without_modifiers(dpl_str tag)
{
    size_t n = 0;
    while (n < tag.n && tag.data[n] != '.' && tag.data[n] != '@')
        n++;
    return (dpl_str){tag.data, n};
}

bool dpl__lang_fits(const char *asked, dpl_str tag)
{
    dpl_lang a = dpl_lang_canonical(dpl__cstr(asked)), b = dpl_lang_canonical(tag);
    if (strcmp(a.code, b.code) != 0 || strcmp(a.code, "und") == 0)
        return false;
    dpl_str want = without_modifiers(dpl__cstr(asked));
    tag = without_modifiers(tag);
    next_subtag(&want);
    while (want.n) {
        dpl_str subtag = next_subtag(&want), rest = tag;
        bool is_there = !subtag.n;
        next_subtag(&rest);
        while (rest.n && !is_there) {
            dpl_str other = next_subtag(&rest);
            is_there =
                other.n == subtag.n && strncasecmp(other.data, subtag.data, other.n) == 0;
        }
        if (!is_there)
            return false;
    }
    return true;
}

/* ---- the reader --------------------------------------------------------------------- */

typedef struct file {
    const char *path;
    dpl_bitext_format format;
    dpl__textfile in; /* open: a pipe that was looked at, or at its turn */
} file;

struct dpl_bitext {
    dpl__rows rows;
    dpl__arena arena;         /* of the names */
    dpl_bitext_source source; /* the caller's rows; next is NULL: files */
    uint64_t n_asked;         /* of them */
    file *files;
    size_t n_files;
    size_t at; /* the group at hand begins here */
    const dpl__bitext_ops *ops;
    void *state;           /* of ops; NULL: the group is not open */
    uint64_t n_bytes_done; /* of the files before */
    dpl_status status;     /* of the last call, once it failed or ended */
    dpl_error fault;
};

static dpl_status check_lang(const char **lang, dpl_error *err)
{
    if (*lang && !**lang)
        *lang = NULL;
    if (*lang && strcmp(dpl_lang_canonical(dpl__cstr(*lang)).code, "und") == 0)
        return dpl__fail(err, DPL_E_USAGE, "unknown language '%s'", *lang);
    return DPL_OK;
}

static dpl_status check_options(dpl_bitext_options *o, dpl_error *err)
{
    if (!dpl__bitext_format_name(o->from) || (unsigned)o->on_error > DPL_ON_ERROR_SKIP)
        return dpl__fail(err, DPL_E_USAGE, "no such format or policy");
    if (o->max_record > INT32_MAX / 4)
        return dpl__fail(err, DPL_E_USAGE, "rows are limited to %d MiB", INT32_MAX / 4 >> 20);
    DPL_TRY(check_lang(&o->left_lang, err));
    return check_lang(&o->right_lang, err);
}

static bool can_open_again(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static dpl_status look_at(dpl_bitext *b, file *f, dpl_error *err)
{
    DPL_TRY(dpl__textfile_open(&f->in, b->rows.ctx, f->path, err));
    f->format = b->rows.options.from;
    if (f->format == DPL_BITEXT_AUTO)
        f->format =
            dpl__bitext_format_detect(f->path, (dpl_str){f->in.bytes.data, f->in.bytes.n})
                ->format;
    if (strcmp(f->path, "-") != 0 && can_open_again(f->path))
        dpl__textfile_clear(&f->in);
    return DPL_OK;
}

static dpl_status look_at_files(dpl_bitext *b, const char *const *paths, dpl_error *err)
{
    bool has_stream = false;
    for (size_t i = 0; i < b->n_files; i++) {
        bool is_stream = strcmp(paths[i], "-") == 0;
        if (is_stream && has_stream)
            return dpl__fail(err, DPL_E_USAGE, "standard input can be read only once");
        has_stream |= is_stream;
        b->files[i].path = dpl__arena_copy(&b->arena, dpl__cstr(paths[i])).data;
        DPL_TRY(dpl__need(b->files[i].path, err));
        DPL_TRY(look_at(b, &b->files[i], err));
    }
    return DPL_OK;
}

static dpl_status no_partner(const file *f, dpl_error *err)
{
    dpl__fail(err, DPL_E_USAGE, "'%s' has no partner", f->path);
    return dpl__code(err, DPL_E_USAGE,
                     f->format == DPL_BITEXT_GETTEXT ? "no-partner-catalogue" : "no-partner");
}

/* Checks that every group is complete and of one format, and that its options make sense. */
static dpl_status check_groups(const dpl_bitext *b, dpl_error *err)
{
    const dpl_bitext_options *o = &b->rows.options;
    for (size_t i = 0; i < b->n_files;) {
        const file *f = &b->files[i];
        const dpl__bitext_ops *ops =
            dpl__bitext_format_ops(dpl__bitext_format_find(f->format), o);
        if (i + ops->n_files > b->n_files || f[ops->n_files - 1].format != f->format)
            return no_partner(f, err);
        if (ops->check)
            DPL_TRY(ops->check(o, err));
        i += ops->n_files;
    }
    return DPL_OK;
}

static dpl_status open_files(dpl_bitext *b, const char *const *paths, size_t n_paths,
                             dpl_error *err)
{
    b->files = dpl__calloc(b->rows.ctx, n_paths, sizeof *b->files);
    DPL_TRY(dpl__need(b->files, err));
    b->n_files = n_paths;
    DPL_TRY(look_at_files(b, paths, err));
    return check_groups(b, err);
}

/* Without files. */
static dpl_status make_bitext(dpl_bitext **out, dpl_ctx *ctx, const dpl_bitext_options *options,
                              dpl_error *err)
{
    *out = NULL;
    dpl_bitext_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(check_options(&o, err));
    dpl_bitext *b = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    dpl__rows_init(&b->rows, ctx, &o);
    dpl__arena_init(&b->arena, ctx);
    *out = b;
    return DPL_OK;
}

dpl_status dpl_bitext_open(dpl_bitext **out, dpl_ctx *ctx, const char *const *paths,
                           size_t n_paths, const dpl_bitext_options *options, dpl_error *err)
{
    *out = NULL;
    if (!n_paths)
        return dpl__fail(err, DPL_E_USAGE, "no files of parallel text");
    dpl_bitext *b = NULL;
    DPL_TRY(make_bitext(&b, ctx, options, err));
    dpl_status status;
    DPL__STEP(open_files(b, paths, n_paths, err));
    *out = b;
    b = NULL;
done:
    dpl_bitext_close(b);
    return status;
}

dpl_status dpl_bitext_open_source(dpl_bitext **out, dpl_ctx *ctx,
                                  const dpl_bitext_source *source,
                                  const dpl_bitext_options *options, dpl_error *err)
{
    DPL_TRY(make_bitext(out, ctx, options, err));
    (*out)->source = *source;
    return DPL_OK;
}

static void close_group(dpl_bitext *b)
{
    if (b->state)
        b->ops->close(b->state);
    b->state = NULL;
}

void dpl_bitext_close(dpl_bitext *b)
{
    if (!b)
        return;
    dpl_ctx *ctx = b->rows.ctx;
    close_group(b);
    for (size_t i = 0; i < b->n_files; i++)
        dpl__textfile_clear(&b->files[i].in);
    dpl__free(ctx, b->files);
    dpl__arena_clear(&b->arena);
    dpl__rows_clear(&b->rows);
    dpl__free(ctx, b);
}

static dpl_status open_group(dpl_bitext *b, dpl_error *err)
{
    dpl__textfile *in[2] = {0};
    b->ops = dpl__bitext_format_ops(dpl__bitext_format_find(b->files[b->at].format),
                                    &b->rows.options);
    for (unsigned i = 0; i < b->ops->n_files; i++) {
        file *f = &b->files[b->at + i];
        if (!f->in.input)
            DPL_TRY(dpl__textfile_open(&f->in, b->rows.ctx, f->path, err));
        in[i] = &f->in;
    }
    return b->ops->open(&b->state, &b->rows, in, err);
}

/* Bytes of the files of the current group. */
static uint64_t bytes_at_hand(const dpl_bitext *b)
{
    uint64_t n = 0;
    for (unsigned i = 0; b->ops && i < b->ops->n_files && b->at < b->n_files; i++) {
        const dpl__input *input = b->files[b->at + i].in.input;
        n += input ? dpl__input_position(input) : 0;
    }
    return n;
}

/* DPL_END: dropped. */
static dpl_status take_row(dpl_bitext *b, dpl_bitext_row *row, const dpl__place *place,
                           dpl_error *err)
{
    if (row->left.n + row->right.n > b->rows.options.max_record)
        return dpl__rows_long(&b->rows, place, err);
    DPL_TRY(dpl__rows_side(&b->rows, &row->left, place, err));
    return dpl__rows_side(&b->rows, &row->right, place, err);
}

static dpl_status next_source_row(dpl_bitext *b, dpl_bitext_row *row, dpl_error *err)
{
    dpl__place place = {.file = b->source.name ? b->source.name : "(rows)",
                        .is_numbered = true};
    for (;;) {
        *row = (dpl_bitext_row){0};
        *err = (dpl_error){0};
        dpl__arena_reset(&b->rows.arena);
        dpl_status status = b->source.next(b->source.user, row, err);
        if (status < 0)
            return dpl__source_failed(err, status, b->source.name, place.file);
        if (status > 0)
            return DPL_END;
        b->n_bytes_done += row->left.n + row->right.n;
        place.line = ++b->n_asked;
        status = take_row(b, row, &place, err);
        if (status != DPL_END)
            return status;
    }
}

static dpl_status next_row(dpl_bitext *b, dpl_bitext_row *row, dpl_error *err)
{
    if (b->source.next)
        return next_source_row(b, row, err);
    while (b->at < b->n_files) {
        if (!b->state)
            DPL_TRY(open_group(b, err));
        dpl_status status = b->ops->next(b->state, row, err);
        if (status != DPL_END)
            return status;
        b->n_bytes_done += bytes_at_hand(b);
        close_group(b);
        for (unsigned i = 0; i < b->ops->n_files; i++)
            dpl__textfile_clear(&b->files[b->at + i].in);
        b->at += b->ops->n_files;
    }
    return DPL_END;
}

dpl_status dpl_bitext_next(dpl_bitext *b, dpl_bitext_row *row, dpl_error *err)
{
    if (b->status == DPL_OK) {
        b->status = next_row(b, row, &b->fault);
        b->rows.counts.n_file_bytes = b->n_bytes_done + bytes_at_hand(b);
    }
    if (b->status != DPL_OK) { /* for good */
        if (err && b->status != DPL_END)
            *err = b->fault;
        return b->status;
    }
    b->rows.counts.n_rows++;
    b->rows.counts.n_empty += !row->left.n || !row->right.n;
    return DPL_OK;
}

const dpl_bitext_counts *dpl_bitext_get_counts(const dpl_bitext *b)
{
    return &b->rows.counts;
}
