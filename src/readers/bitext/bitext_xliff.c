/*
 * bitext_xliff.c - XLIFF as parallel text: each segment with a translation is a row.
 *
 * The file is fed to the parser piece by piece, and the rows of a piece wait until they are
 * asked for: as much is held as one piece has. With languages given, each <file> in the XLIFF
 * takes its direction from what it says it is in; one between other languages has no rows.
 * After a fault in the XML nothing of the file can be read any more: the policy that skips rows
 * counts one. Cost: Expat's, and two copies of the text.
 */
#include "readers/bitext/bitext.h"
#include "readers/bitext/xliff.h"

typedef struct row {
    size_t begin, n_left, n_right; /* in `texts` */
    uint64_t line;
} row;

typedef struct xliff_rows {
    dpl__rows *rows;
    dpl__textfile *file;
    dpl__xliff xliff;
    bool is_swapped, is_other; /* the <file> at hand */
    DPL_VEC(row) waiting;
    size_t at; /* the next of them */
    dpl__bytes texts;
    bool is_at_end;
    dpl_error fault; /* behind the rows that wait; status is DPL_OK: none */
} xliff_rows;

/* Unknown languages fit. */
static bool fits(const char *asked, const char *lang)
{
    return !asked || !lang[0] || dpl__lang_fits(asked, dpl__cstr(lang));
}

static dpl_status begin_file(void *user, dpl_error *err)
{
    (void)err;
    xliff_rows *x = user;
    const dpl_bitext_options *o = &x->rows->options;
    const char *source = x->xliff.source_lang, *target = x->xliff.target_lang;
    const bool is_straight = fits(o->left_lang, source) && fits(o->right_lang, target);
    x->is_swapped = !is_straight && fits(o->left_lang, target) && fits(o->right_lang, source);
    x->is_other = !is_straight && !x->is_swapped;
    return DPL_OK;
}

static dpl_status add_segment(void *user, const dpl__xliff_segment *s, dpl_error *err)
{
    xliff_rows *x = user;
    if (s->is_ignorable)
        return DPL_OK;
    if (!s->target.n || x->is_other) {
        x->rows->counts.n_alone++;
        return DPL_OK;
    }
    const dpl_str left = x->is_swapped ? s->target : s->source;
    const dpl_str right = x->is_swapped ? s->source : s->target;
    const row r = {x->texts.n, left.n, right.n, s->line};
    dpl_ctx *ctx = x->rows->ctx;
    return dpl__need(dpl__vec_append(ctx, &x->texts, left.data, left.n) &&
                         dpl__vec_append(ctx, &x->texts, right.data, right.n) &&
                         dpl__vec_push(ctx, &x->waiting, r),
                     err);
}

/* What ended the parsing; DPL_END when the policy accepts it. */
static dpl_status fault(xliff_rows *x, dpl_error *err)
{
    const dpl_error *e = &x->fault;
    if (e->status != DPL_E_FORMAT && e->status != DPL_E_LIMIT) {
        if (err)
            *err = *e;
        return e->status;
    }
    const dpl__place place = {.file = dpl__input_name(x->file->input),
                              .line = e->line,
                              .column = e->column,
                              .offset = e->offset};
    return dpl__rows_bad(x->rows, &place, err, "%s", e->text);
}

/* Another piece of the file. */
static dpl_status read_piece(xliff_rows *x, dpl_error *err)
{
    dpl__textfile *f = x->file;
    x->waiting.n = x->at = x->texts.n = 0;
    if (!f->bytes.n && !f->is_at_end)
        DPL_TRY(dpl__textfile_fill(f, x->rows->chunk, err));
    const bool is_last = f->is_at_end;
    dpl_status status =
        dpl__xliff_feed(&x->xliff, (dpl_str){f->bytes.data, f->bytes.n}, is_last, &x->fault);
    dpl__textfile_drop(f, f->bytes.n);
    x->is_at_end = is_last || status != DPL_OK;
    x->fault.status = status;
    return DPL_OK;
}

static dpl_status take_row(xliff_rows *x, dpl_bitext_row *out, dpl_error *err)
{
    const row r = x->waiting.data[x->at++];
    const dpl__place place = {.file = dpl__input_name(x->file->input), .line = r.line};
    const char *p = x->texts.data + r.begin;
    dpl__arena_reset(&x->rows->arena);
    *out = (dpl_bitext_row){{p, r.n_left}, {p + r.n_left, r.n_right}};
    DPL_TRY(dpl__rows_side(x->rows, &out->left, &place, err));
    return dpl__rows_side(x->rows, &out->right, &place, err);
}

static dpl_status next_row(void *state, dpl_bitext_row *out, dpl_error *err)
{
    xliff_rows *x = state;
    for (;;) {
        while (x->at < x->waiting.n) {
            dpl_status status = take_row(x, out, err);
            if (status != DPL_END)
                return status;
        }
        if (x->is_at_end)
            return x->fault.status == DPL_OK ? DPL_END : fault(x, err);
        DPL_TRY(read_piece(x, err));
    }
}

static void close_xliff(void *state)
{
    xliff_rows *x = state;
    dpl_ctx *ctx = x->rows->ctx;
    dpl__xliff_end(&x->xliff);
    dpl__vec_clear(ctx, &x->waiting, &x->texts);
    dpl__free(ctx, x);
}

static dpl_status open_xliff(void **state, dpl__rows *rows, dpl__textfile *const *files,
                             dpl_error *err)
{
    xliff_rows *x = dpl__calloc(rows->ctx, 1, sizeof *x);
    DPL_TRY(dpl__need(x, err));
    x->rows = rows;
    x->file = files[0];
    x->xliff = (dpl__xliff){
        .ctx = rows->ctx,
        .on_file = begin_file,
        .on_segment = add_segment,
        .user = x,
        .max_record = rows->options.max_record,
        .encoding = x->file->n_mark || x->file->encoding != DPL__UTF8 ? "UTF-8" : NULL};
    dpl_status status = dpl__xliff_begin(&x->xliff, err);
    if (status != DPL_OK)
        close_xliff(x);
    else
        *state = x;
    return status;
}

const dpl__bitext_ops dpl__bitext_xliff = {
    .n_files = 1, .open = open_xliff, .next = next_row, .close = close_xliff};
