/*
 * input_fuzz.c - any bytes as a file: one thread and two, reads of 1, 7 and 200000 bytes give
 * the same output and the same status.
 */
#include "fuzz.h"

#include "io/input.h"

#include <stdlib.h>

enum { MOST = 300000 }; /* bytes of output looked at: small files may unpack to any size */

typedef struct result {
    uint8_t out[MOST];
    size_t n;
    dpl_status status;
    dpl_error err;
} result;

static void read_all(result *r, dpl_ctx *ctx, size_t step, const uint8_t *data, size_t n)
{
    dpl__input *in = NULL;
    size_t got = 0;
    r->n = 0;
    r->err = (dpl_error){0};
    r->status = dpl__input_open_memory(&in, ctx, "fuzz", data, n, &r->err);
    while (r->status == DPL_OK && r->n < MOST) {
        size_t want = dpl__min(step, MOST - r->n);
        r->status = dpl__input_read(in, r->out + r->n, want, &got, &r->err);
        if (r->status == DPL_OK && got == 0)
            break;
        r->n += got;
    }
    if ((r->status != DPL_OK) != (r->err.text[0] != 0))
        abort();
    if (in && dpl__input_position(in) > n)
        abort();
    dpl__input_close(in);
}

static dpl_ctx *new_ctx(unsigned n_threads)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .memory = 64 << 20);
    if (dpl_ctx_new(&ctx, &o, NULL) != DPL_OK)
        abort();
    return ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *one, *two;
    static result expected, other;
    if (!one) {
        one = new_ctx(1);
        two = new_ctx(2);
    }
    read_all(&expected, one, 200000, data, n);
    const struct {
        dpl_ctx *ctx;
        size_t step;
    } ways[] = {{two, 200000}, {one, 7}, {two, 1}};
    for (size_t i = 0; i < DPL_LEN(ways); i++) {
        read_all(&other, ways[i].ctx, ways[i].step, data, n);
        if (other.status != expected.status || other.n != expected.n ||
            memcmp(other.out, expected.out, other.n) != 0 ||
            strcmp(other.err.text, expected.err.text) != 0)
            abort();
    }
    return 0;
}
