/*
 * rows.h - what the fuzz targets of parallel text share: texts through a format, in pieces.
 */
#ifndef DPL_FUZZ_ROWS_H
#define DPL_FUZZ_ROWS_H

#include "readers.h"

#include "io/codec.h"
#include "readers/bitext/bitext.h"
#include "unicode/unicode.h"

/* What a format made of some texts, and how it ended. */
typedef struct fuzz_rows {
    dpl__bytes sides; /* all of them, each with its length */
    dpl__bytes printed;
    dpl_bitext_counts counts;
    dpl_status status;
    dpl_error err;
} fuzz_rows;

/* How a target writes a row in the format it tests. */
typedef void (*fuzz_print_row)(dpl__bytes *out, const dpl_bitext_row *row);

/* That a side is what the header promises. */
static inline void fuzz_check_side(dpl__rows *rows, dpl_str side)
{
    FUZZ_CHECK(fuzz_is_utf8(side));
    for (size_t i = 0; i < side.n; i++)
        FUZZ_CHECK((unsigned char)side.data[i] >= ' ');
    dpl_str again = dpl__trim(side);
    FUZZ_CHECK(again.n == side.n);
    FUZZ_CHECK(dpl__nfc(&again, &rows->arena, NULL) == DPL_OK && dpl__str_eq(again, side));
}

/* Reads the texts, `step` bytes at a time (0: as usual). */
static inline fuzz_rows fuzz_read_rows(const dpl__bitext_ops *ops, const dpl_bitext_options *o,
                                       const dpl_str *texts, size_t step, fuzz_print_row print)
{
    fuzz_rows result = {0};
    dpl__rows rows;
    dpl__rows_init(&rows, fuzz_ctx(), o);
    rows.chunk = step ? step : rows.chunk;
    dpl__textfile files[2] = {{.n_start = step}, {.n_start = step}};
    dpl__textfile *const both[2] = {&files[0], &files[1]};
    for (unsigned i = 0; i < ops->n_files && result.status == DPL_OK; i++)
        result.status = dpl__textfile_open_memory(&files[i], rows.ctx, "fuzz", texts[i].data,
                                                  texts[i].n, &result.err);
    void *state = NULL;
    dpl_bitext_row row;
    if (result.status == DPL_OK)
        result.status = ops->open(&state, &rows, both, &result.err);
    while (result.status == DPL_OK &&
           (result.status = ops->next(state, &row, &result.err)) == DPL_OK) {
        fuzz_check_side(&rows, row.left);
        fuzz_check_side(&rows, row.right);
        fuzz_add(&result.sides, row.left);
        fuzz_add(&result.sides, row.right);
        if (print)
            print(&result.printed, &row);
    }
    if (state)
        ops->close(state);
    result.counts = rows.counts;
    dpl__textfile_clear(&files[0]);
    dpl__textfile_clear(&files[1]);
    dpl__rows_clear(&rows);
    return result;
}

static inline void fuzz_rows_clear(fuzz_rows *r)
{
    dpl__vec_clear(fuzz_ctx(), &r->sides, &r->printed);
}

static inline void fuzz_check_same_rows(const fuzz_rows *a, const fuzz_rows *b)
{
    FUZZ_CHECK(a->sides.n == b->sides.n);
    FUZZ_CHECK(a->sides.n == 0 || memcmp(a->sides.data, b->sides.data, a->sides.n) == 0);
}

/* Damage to compressed data is found when it is read, which is another matter. */
static inline bool fuzz_is_packed(dpl_str text)
{
    for (size_t i = 0; dpl__codecs[i]; i++)
        if (dpl__codecs[i]->matches((const uint8_t *)text.data, text.n))
            return true;
    return false;
}

/* Pieces of any size give the same rows, counts and failure, under every policy. */
static inline void fuzz_check_pieces(const dpl__bitext_ops *ops, dpl_bitext_options o,
                                     const dpl_str *texts)
{
    if (fuzz_is_packed(texts[0]) || (ops->n_files == 2 && fuzz_is_packed(texts[1])))
        return;
    for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
        o.on_error = (dpl_on_error)policy;
        fuzz_rows whole = fuzz_read_rows(ops, &o, texts, 0, NULL);
        fuzz_rows parts = fuzz_read_rows(ops, &o, texts, 1 + texts[0].n % 7, NULL);
        fuzz_check_same_rows(&whole, &parts);
        FUZZ_CHECK(whole.status == parts.status);
        if (whole.status != DPL_END) /* how far it had read ahead is nobody's business */
            parts.counts.n_replaced = whole.counts.n_replaced;
        FUZZ_CHECK(memcmp(&whole.counts, &parts.counts, sizeof whole.counts) == 0);
        FUZZ_CHECK(strcmp(whole.err.text, parts.err.text) == 0);
        FUZZ_CHECK(whole.err.offset == parts.err.offset);
        fuzz_rows_clear(&whole);
        fuzz_rows_clear(&parts);
    }
}

#endif
