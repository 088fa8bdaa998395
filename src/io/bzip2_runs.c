/*
 * bzip2_runs.c - writes out runs of bytes and computes the checksum of bzip2 blocks.
 */
#include "io/bzip2_runs.h"

/* The place behind the next four equal bytes, or n + 1. */
static size_t find_run(const dpl__bz_runs *r)
{
    size_t rest = r->n - r->at, i = r->kernels->bz_four(r->text + r->at, rest);
    return i < rest ? r->at + i + 4 : r->n + 1;
}

void dpl__bz_runs_init(dpl__bz_runs *r, const dpl__kernels *kernels, const uint8_t *text,
                       size_t n)
{
    *r = (dpl__bz_runs){.kernels = kernels, .text = text, .n = n, .state = 0xFFFFFFFFu};
    r->run = find_run(r);
}

/* At the place of a count. */
static void begin_run(dpl__bz_runs *r)
{
    r->byte = r->text[r->at - 1];
    r->n_more = r->text[r->at];
    r->lacks_count = r->at == r->n;
    r->at = dpl__min(r->at + 1, r->n);
    r->run = r->lacks_count ? r->n + 1 : find_run(r);
}

size_t dpl__bz_runs_read(dpl__bz_runs *r, uint8_t *out, size_t room)
{
    assert(r->at <= r->n);
    size_t n = 0;
    for (;;) {
        size_t more = dpl__min(r->n_more, room - n);
        memset(out + n, r->byte, more);
        r->n_more -= more;
        n += more;
        if (r->n_more || (r->at == r->n && r->run > r->n) || (n == room && r->at != r->run))
            break;
        size_t piece = dpl__min(dpl__min(r->run, r->n) - r->at, room - n);
        memcpy(out + n, r->text + r->at, piece);
        r->at += piece;
        n += piece;
        if (r->at == r->run)
            begin_run(r);
    }
    r->state = r->kernels->bz_crc(r->state, out, n);
    return n;
}
