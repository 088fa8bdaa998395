/*
 * pairs_fuzz.c - files of pairs: what was read and is printed again reads the same, and a line
 * that is refused is the one behind those that were read.
 */
#include "fuzz.h"

#include "base/vec.h"
#include "pairs/pairs_tsv.h"

enum { MOST = 10000 }; /* pairs looked at: small files may unpack to any size */

/* Appends the pairs as they are printed: under a header, with an end of line that protects a
 * '\r' in front of it. */
static dpl_status print_pairs(dpl__bytes *out, dpl_ctx *ctx, const void *data, size_t n)
{
    dpl__lines lines;
    dpl__pair_line p;
    dpl_error err = {0};
    static const char header[] = "left_id\tright_id\r\n";
    dpl_status status = dpl__lines_open_memory(&lines, ctx, "fuzz", data, n, &err);
    REQUIRE(dpl__vec_append(ctx, out, header, sizeof header - 1));
    for (int i = 0; i < MOST && status == DPL_OK; i++) {
        uint64_t before = lines.number;
        status = dpl__pairs_tsv_next(&lines, &p, &err);
        REQUIRE((status < 0) == (err.text[0] != 0));
        REQUIRE(status != DPL_E_FORMAT || err.line == 0 || err.line > before);
        if (status != DPL_OK)
            break;
        const dpl_str columns[] = {p.left, p.right, p.rest};
        for (size_t k = 0; k < DPL_LEN(columns); k++) {
            REQUIRE(k == 2 || (columns[k].n && !memchr(columns[k].data, '\t', columns[k].n)));
            REQUIRE(dpl__vec_append(ctx, out, columns[k].data, columns[k].n));
            REQUIRE(dpl__vec_append(ctx, out, k < 2 ? "\t" : "\r\n", k < 2 ? 1u : 2u));
        }
    }
    dpl__lines_close(&lines);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    dpl__bytes once = {0}, twice = {0};
    print_pairs(&once, ctx, data, n);
    REQUIRE(print_pairs(&twice, ctx, once.data, once.n) >= 0);
    REQUIRE(once.n == twice.n && memcmp(once.data, twice.data, once.n) == 0);
    dpl__vec_clear(ctx, &twice, &once);
    return 0;
}
