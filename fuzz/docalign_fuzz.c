/*
 * docalign_fuzz.c - two files of documents in base64: they are aligned or refused; the best
 * pairs are among all of them, and each document is in one of them at most.
 */
#define _GNU_SOURCE /* memfd_create */
#include "doppel/ngram.h"

#include "base/vec.h"
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

typedef DPL_VEC(dpl_pair) pairs;

static dpl_ctx *ctx;

static dpl_status take(void *user, const dpl_pair *pair, dpl_error *err)
{
    (void)err;
    REQUIRE(dpl__vec_push(ctx, (pairs *)user, *pair));
    return DPL_OK;
}

static bool align(pairs *out, const char *left, const char *right, bool all)
{
    dpl_error err = {0};
    dpl_docalign_options o =
        DPL_INIT(dpl_docalign_options, .all = all, .min_count = 1, .threshold = 0.01);
    dpl_docalign_input in = DPL_INIT(dpl_docalign_input, .translated = left, .english = right,
                                     .take = take, .user = out);
    dpl_status status = dpl_docalign(NULL, ctx, &in, &o, &err);
    /* DPL_E_LIMIT: compressed data that asks for more memory than is given */
    REQUIRE(status == DPL_OK || status == DPL_E_FORMAT || status == DPL_E_LIMIT);
    REQUIRE(status == DPL_OK || err.text[0]);
    return status == DPL_OK;
}

static bool has(const pairs *all, const dpl_pair *p)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->data[i].left == p->left && all->data[i].right == p->right)
            return all->data[i].score == p->score;
    return false;
}

/* The bytes as a file without a name; path names it. */
static void write_file(char path[40], int *fd, const uint8_t *data, size_t n)
{
    if (*fd < 0)
        REQUIRE((*fd = memfd_create("fuzz", 0)) >= 0);
    REQUIRE(ftruncate(*fd, 0) == 0 && pwrite(*fd, data, n, 0) == (ssize_t)n);
    snprintf(path, 40, "/proc/self/fd/%d", *fd);
}

/* The first zero byte divides the input into two files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, NULL, NULL) == DPL_OK);
    const uint8_t *zero = n ? memchr(data, 0, n) : NULL;
    size_t n_left = zero ? (size_t)(zero - data) : n;
    static int fds[2] = {-1, -1};
    char left[40], right[40];
    write_file(left, &fds[0], data, n_left);
    write_file(right, &fds[1], zero ? zero + 1 : data, zero ? n - n_left - 1 : n);
    pairs all = {0}, best = {0};
    bool is_read = align(&all, left, right, true);
    REQUIRE(align(&best, left, right, false) == is_read);
    for (size_t i = 0; i < best.n; i++) {
        REQUIRE(has(&all, &best.data[i]));
        for (size_t k = 0; k < i; k++)
            REQUIRE(best.data[k].left != best.data[i].left &&
                    best.data[k].right != best.data[i].right);
    }
    dpl__vec_clear(ctx, &all, &best);
    return 0;
}
