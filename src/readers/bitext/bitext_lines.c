/*
 * bitext_lines.c - parallel text in lines: a Moses pair, columns, two files joined by key.
 *
 * Moses: line i of one file stands for line i of the other. TSV: two columns of each line.
 * KEYED: `key <TAB> text` in both files; the right one is held in memory, the left one is read
 * against it, so rows come in the order of the left one. Fields are taken as they stand: a
 * backslash is a backslash. Cost: one search for line ends and tabs.
 */
#include "readers/bitext/bitext.h"

#include "base/ascii.h"

/* ---- lines -------------------------------------------------------------------------- */

typedef struct lines {
    dpl__rows *rows;
    dpl__textfile *file;
    size_t at; /* in the file's bytes: where the next line begins */
    bool is_long;
    dpl__place place; /* of the line given last */
    uint64_t n_bytes; /* from its beginning to the next line */
} lines;

static lines lines_of(dpl__rows *rows, dpl__textfile *file)
{
    return (lines){.rows = rows,
                   .file = file,
                   .place = {.file = dpl__input_name(file->input),
                             .column = 1,
                             .offset = file->n_mark,
                             .is_utf16 = file->encoding != DPL__UTF8}};
}

/* The next line without its "\n" or "\r\n", until the next call; DPL_END after the last one.
 * One over max_record has is_long set instead of its text. */
static dpl_status next_line(lines *l, dpl_str *line, dpl_error *err)
{
    const dpl__bytes *b = &l->file->bytes;
    const char *end = NULL;
    size_t searched = 0; /* bytes of the line that hold no '\n' */
    l->place.offset += l->n_bytes;
    l->n_bytes = 0;
    l->is_long = false;
    for (;;) {
        size_t n = b->n - l->at;
        if (n > searched)
            end = memchr(b->data + l->at + searched, '\n', n - searched);
        if (end || l->file->is_at_end)
            break;
        searched = n;
        if (n > l->rows->options.max_record) { /* its text is not needed any more */
            l->is_long = true;
            l->n_bytes += n;
            l->at += n;
            searched = 0;
        }
        dpl__textfile_drop(l->file, l->at);
        l->at = 0;
        DPL_TRY(dpl__textfile_fill(l->file, l->rows->chunk, err));
    }
    size_t n = end ? (size_t)(end - b->data) - l->at : b->n - l->at;
    if (!end && !n && !l->is_long)
        return DPL_END;
    *line = (dpl_str){b->data + l->at, n};
    l->place.line++;
    l->at += n + (end != NULL);
    l->n_bytes += n + (end != NULL);
    l->is_long |= n > l->rows->options.max_record;
    if (line->n && line->data[line->n - 1] == '\r')
        line->n--;
    return DPL_OK;
}

/* A part of the line given last as a side. */
static dpl_status side(const lines *l, dpl_str line, dpl_str *part, dpl_error *err)
{
    dpl__place place = l->place;
    if (l->is_long)
        return dpl__rows_long(
            l->rows,
            &(dpl__place){.file = place.file, .line = place.line, .offset = place.offset}, err);
    size_t before = part->n ? (size_t)(part->data - line.data) : 0;
    place.column += before;
    place.offset += before;
    return dpl__rows_side(l->rows, part, &place, err);
}

/* ---- a Moses pair ------------------------------------------------------------------- */

typedef struct moses {
    lines left, right;
} moses;

static dpl_status new_state(void **state, dpl__rows *rows, const void *from, size_t n,
                            dpl_error *err)
{
    *state = dpl__alloc(rows->ctx, n);
    DPL_TRY(dpl__need(*state, err));
    memcpy(*state, from, n);
    return DPL_OK;
}

static dpl_status moses_open(void **state, dpl__rows *rows, dpl__textfile *const *files,
                             dpl_error *err)
{
    moses m = {lines_of(rows, files[0]), lines_of(rows, files[1])};
    return new_state(state, rows, &m, sizeof m, err);
}

static void moses_close(void *state)
{
    moses *m = state;
    dpl__free(m->left.rows->ctx, m);
}

/* One file has ended, of the other one more line was read. */
static dpl_status ends_early(lines *shorter, lines *longer, dpl_error *err)
{
    dpl__rows *rows = shorter->rows;
    if (rows->options.on_error != DPL_ON_ERROR_SKIP) {
        dpl__fail(
            err, DPL_E_FORMAT, "'%.250s' ends after line %llu, but '%.250s' has more lines",
            shorter->place.file, (unsigned long long)shorter->place.line, longer->place.file);
        dpl__error_place(err, longer->place.line, 0, longer->place.offset);
        return dpl__code(err, DPL_E_FORMAT, "lines-differ");
    }
    dpl_str line;
    dpl_status status;
    do
        rows->counts.n_alone++;
    while ((status = next_line(longer, &line, err)) == DPL_OK);
    return status;
}

static dpl_status moses_next(void *state, dpl_bitext_row *row, dpl_error *err)
{
    moses *m = state;
    dpl_status status;
    do {
        dpl__arena_reset(&m->left.rows->arena);
        dpl_status left = next_line(&m->left, &row->left, err);
        if (left < 0)
            return left;
        dpl_status right = next_line(&m->right, &row->right, err);
        if (right < 0)
            return right;
        if (left == DPL_END && right == DPL_END)
            return DPL_END;
        if (left != right)
            return left == DPL_END ? ends_early(&m->left, &m->right, err)
                                   : ends_early(&m->right, &m->left, err);
        status = side(&m->left, row->left, &row->left, err);
        if (status == DPL_OK)
            status = side(&m->right, row->right, &row->right, err);
    } while (status == DPL_END);
    return status;
}

const dpl__bitext_ops dpl__bitext_moses = {
    .n_files = 2, .open = moses_open, .next = moses_next, .close = moses_close};

/* ---- columns ------------------------------------------------------------------------ */

/* The column-th field of a line, from 1; false when there are fewer. */
static bool field(dpl_str *out, dpl_str line, unsigned column)
{
    for (unsigned i = 1; i < column && line.data; i++)
        dpl__next_column(&line);
    *out = dpl__next_column(&line);
    return out->data != NULL;
}

/* The field as a side; DPL_END when the policy drops the row. */
static dpl_status column_side(lines *l, dpl_str line, unsigned column, dpl_str *out,
                              dpl_error *err)
{
    if (!l->is_long && !field(out, line, column)) {
        size_t n = 1;
        for (size_t i = 0; i < line.n; i++)
            n += line.data[i] == '\t';
        dpl__place place = l->place;
        place.column = 0;
        return dpl__rows_bad(l->rows, &place, err,
                             "%zu column%s, but text is to be in column %u", n,
                             n == 1 ? "" : "s", column);
    }
    return side(l, line, out, err);
}

static dpl_status tsv_check(const dpl_bitext_options *o, dpl_error *err)
{
    unsigned left = o->left_column ? o->left_column : 1;
    unsigned right = o->right_column ? o->right_column : 2;
    if (left == right)
        return dpl__fail(err, DPL_E_USAGE, "both sides in column %u", left);
    return DPL_OK;
}

static dpl_status tsv_open(void **state, dpl__rows *rows, dpl__textfile *const *files,
                           dpl_error *err)
{
    lines l = lines_of(rows, files[0]);
    return new_state(state, rows, &l, sizeof l, err);
}

static void tsv_close(void *state)
{
    lines *l = state;
    dpl__free(l->rows->ctx, l);
}

static dpl_status tsv_next(void *state, dpl_bitext_row *row, dpl_error *err)
{
    lines *l = state;
    const dpl_bitext_options *o = &l->rows->options;
    dpl_status status;
    do {
        dpl__arena_reset(&l->rows->arena);
        dpl_str line;
        status = next_line(l, &line, err);
        if (status != DPL_OK)
            return status;
        *row = (dpl_bitext_row){0};
        if (!line.n && !l->is_long) /* a row of nothing, as in a Moses pair */
            return DPL_OK;
        status = column_side(l, line, o->left_column ? o->left_column : 1, &row->left, err);
        if (status == DPL_OK)
            status =
                column_side(l, line, o->right_column ? o->right_column : 2, &row->right, err);
    } while (status == DPL_END);
    return status;
}

const dpl__bitext_ops dpl__bitext_tsv = {
    .n_files = 1, .check = tsv_check, .open = tsv_open, .next = tsv_next, .close = tsv_close};

/* ---- two files joined by key -------------------------------------------------------- */

typedef struct keyed {
    lines left;
    dpl__held right;
} keyed;

static dpl_status keyed_check(const dpl_bitext_options *o, dpl_error *err)
{
    if (o->left_column == 1 || o->right_column == 1)
        return dpl__fail(err, DPL_E_USAGE, "column 1 is the key and cannot be a side");
    return DPL_OK;
}

static dpl_status twice(lines *l, dpl_str key, uint64_t line, dpl_error *err)
{
    dpl__place place = l->place;
    place.column = 0;
    return dpl__rows_bad(l->rows, &place, err, "the key '%.*s' is in line %llu already",
                         (int)dpl__min(key.n, 100), key.data, (unsigned long long)line);
}

/* The next line with key and text; a line of nothing is passed over. DPL_END at the end. */
static dpl_status next_pair(lines *l, unsigned column, dpl_str *key, dpl_str *text,
                            dpl_error *err)
{
    dpl_status status;
    do {
        dpl__arena_reset(&l->rows->arena);
        dpl_str line;
        do {
            status = next_line(l, &line, err);
            if (status != DPL_OK)
                return status;
        } while (!line.n && !l->is_long);
        status = column_side(l, line, 1, key, err);
        if (status == DPL_OK)
            status = column_side(l, line, column ? column : 2, text, err);
    } while (status == DPL_END);
    return status;
}

static dpl_status hold_right(keyed *k, dpl__rows *rows, dpl__textfile *file, dpl_error *err)
{
    lines l = lines_of(rows, file);
    dpl__held_text t = {0};
    const dpl__held_text *there;
    dpl_status status;
    while ((status = next_pair(&l, rows->options.right_column, &t.key, &t.text, err)) ==
           DPL_OK) {
        t.line = l.place.line;
        status = dpl__held_add(&k->right, &t, l.place.file, &there, err);
        if (status == DPL_END)
            status = twice(&l, t.key, there->line, err);
        if (status < 0)
            return status;
    }
    return status == DPL_END ? DPL_OK : status;
}

static void keyed_close(void *state)
{
    keyed *k = state;
    dpl__held_clear(&k->right);
    dpl__free(k->left.rows->ctx, k);
}

static dpl_status keyed_open(void **state, dpl__rows *rows, dpl__textfile *const *files,
                             dpl_error *err)
{
    keyed k = {.left = lines_of(rows, files[0])};
    dpl__held_init(&k.right, rows->ctx);
    dpl_status status;
    DPL__STEP(hold_right(&k, rows, files[1], err));
    status = new_state(state, rows, &k, sizeof k, err);
done:
    if (status != DPL_OK)
        dpl__held_clear(&k.right);
    return status;
}

static dpl_status keyed_next(void *state, dpl_bitext_row *row, dpl_error *err)
{
    keyed *k = state;
    lines *l = &k->left;
    dpl__rows *rows = l->rows;
    dpl_str key;
    dpl_status status;
    while ((status = next_pair(l, rows->options.left_column, &key, &row->left, err)) ==
           DPL_OK) {
        dpl__held_text *t = dpl__held_find(&k->right, key);
        if (!t) {
            rows->counts.n_alone++;
        } else if (t->taken_by) {
            status = twice(l, key, t->taken_by, err);
            if (status != DPL_END)
                return status;
        } else {
            t->taken_by = l->place.line;
            k->right.n_taken++;
            row->right = t->text;
            return DPL_OK;
        }
    }
    if (status == DPL_END)
        rows->counts.n_alone += k->right.texts.n_used - k->right.n_taken;
    return status;
}

const dpl__bitext_ops dpl__bitext_keyed = {.n_files = 2,
                                           .check = keyed_check,
                                           .open = keyed_open,
                                           .next = keyed_next,
                                           .close = keyed_close};
