/*
 * bitext_fuzz.c - parallel text in lines: a pair, columns, keys.
 *
 * Properties: the same for any pieces; the rows, written as columns, parse back. The byte 0x1F
 * stands between the two files; without one, the file is its own partner.
 */
#include "rows.h"

/* Columns 3 and 2; the first one keeps the line from being empty. */
static void print(dpl__bytes *out, const dpl_bitext_row *row)
{
    dpl_ctx *ctx = fuzz_ctx();
    FUZZ_CHECK(dpl__vec_append(ctx, out, "x\t", 2));
    FUZZ_CHECK(dpl__vec_append(ctx, out, row->right.data, row->right.n));
    FUZZ_CHECK(dpl__vec_push(ctx, out, '\t'));
    FUZZ_CHECK(dpl__vec_append(ctx, out, row->left.data, row->left.n));
    FUZZ_CHECK(dpl__vec_push(ctx, out, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const dpl__bitext_ops *const formats[] = {&dpl__bitext_moses, &dpl__bitext_tsv,
                                                     &dpl__bitext_keyed};
    const uint8_t *mark = n ? memchr(data, 0x1F, n) : NULL;
    const size_t n_left = mark ? (size_t)(mark - data) : n;
    char *left = fuzz_copy(data, n_left);
    char *right = fuzz_copy(mark ? mark + 1 : data, mark ? n - n_left - 1 : n);
    const dpl_str texts[] = {{left, n_left}, {right, mark ? n - n_left - 1 : n}};
    for (size_t i = 0; i < DPL_LEN(formats); i++) {
        dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .on_error = DPL_ON_ERROR_SKIP);
        fuzz_rows first = fuzz_read_rows(formats[i], &o, texts, 0, print);
        const dpl_str printed = {first.printed.n ? first.printed.data : "", first.printed.n};
        o = (dpl_bitext_options)DPL_INIT(dpl_bitext_options, .left_column = 3,
                                         .right_column = 2);
        fuzz_rows second = fuzz_read_rows(&dpl__bitext_tsv, &o, &printed, 0, NULL);
        /* with zero bytes it may look like UTF-16 without a mark */
        if (!printed.n || !memchr(printed.data, 0, printed.n)) {
            FUZZ_CHECK(second.status == DPL_END);
            fuzz_check_same_rows(&first, &second);
        }
        fuzz_rows_clear(&first);
        fuzz_rows_clear(&second);
        fuzz_check_pieces(
            formats[i],
            (dpl_bitext_options)DPL_INIT(dpl_bitext_options, .max_record = 10 + n % 100),
            texts);
    }
    free(left);
    free(right);
    return 0;
}
