#include "io/sealed.h"

#include "test.h"

#include <stdlib.h>

DPL_TEST(sealed, every_flipped_bit_and_every_cut_is_noticed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *o = NULL;
    CHECK_OK(dpl_output_new(&o, ctx, test_path("a.tsv"), &test_err));
    for (int i = 0; i < 20; i++)
        dpl_output_write(o, "12\t0.5\n\n", 7 + (size_t)i % 2);
    dpl__output_seal(o);
    CHECK_OK(dpl_output_finish(o, &test_err));
    dpl_output_free(o);
    CHECK_OK(dpl__check_seal(ctx, test_path("a.tsv"), &test_err));
    size_t n;
    char *bytes = test_read(test_path("a.tsv"), &n);
    for (size_t bit = 0; bit < 8 * (n - 1); bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        CHECK_EQ(dpl__check_seal(ctx, test_write("b.tsv", bytes, n), NULL), DPL_E_FORMAT);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t n_cut = 0; n_cut < n - 1; n_cut++)
        CHECK_EQ(dpl__check_seal(ctx, test_write("b.tsv", bytes, n_cut), NULL), DPL_E_FORMAT);
    free(bytes);
    test_ctx_done(ctx);
}
