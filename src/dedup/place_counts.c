/*
 * place_counts.c - a shuffle by ranges of places.
 *
 * Each process runs some of the jobs and writes the places that they name to a file, sorted by
 * range; then it counts some of the ranges, of each of which it reads a piece of every file,
 * and hands on the places that were named twice or more. Cost: four bytes of shared disk for
 * each place that is named, written and read once; five for each that is handed on, read by
 * all.
 */
#define _POSIX_C_SOURCE 200809L
#include "dedup/place_counts.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "io/files.h"
#include "io/shared_run.h"
#include "par/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
    FILES = 3, /* for each process */
    ENTRY = sizeof(uint32_t) + 1
};

typedef struct counting {
    const dpl__place_counts *c;
    size_t n_ranges;
    size_t first_job;        /* of the file that is made */
    dpl__places *named;      /* of each thread */
    dpl__shared_files files; /* begin with how many places of each range they have */
} counting;

static size_t first_place(const counting *x, size_t range)
{
    return range == x->n_ranges ? x->c->n : x->c->n / x->n_ranges * range;
}

static size_t range_of(const counting *x, uint32_t place)
{
    return dpl__min(place / (x->c->n / x->n_ranges), x->n_ranges - 1);
}

/* ---- files ------------------------------------------------------------------------------ */

static dpl_status run_job(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const counting *x = user;
    return x->c->run(x->c->user, x->first_job + i, worker, &x->named[worker], err);
}

/* By range. sizes: of the ranges, and room for as many numbers; both are 0. */
static void sort_places(uint32_t *to, uint64_t *sizes, const counting *x)
{
    uint64_t *at = sizes + x->n_ranges, sum = 0;
    for (unsigned w = 0; w < x->c->ctx->n_threads; w++)
        for (size_t i = 0; i < x->named[w].n; i++)
            sizes[range_of(x, x->named[w].data[i])]++;
    for (size_t r = 0; r < x->n_ranges; sum += sizes[r++])
        at[r] = sum;
    for (unsigned w = 0; w < x->c->ctx->n_threads; w++)
        for (size_t i = 0; i < x->named[w].n; i++)
            to[at[range_of(x, x->named[w].data[i])]++] = x->named[w].data[i];
}

static dpl_status make_file(const char *path, void *user, size_t file, dpl_error *err)
{
    counting *x = user;
    dpl_ctx *ctx = x->c->ctx;
    dpl_output *output = NULL;
    uint64_t *sizes = NULL;
    uint32_t *sorted = NULL;
    size_t n = 0;
    x->first_job = x->c->n_jobs * file / x->files.n;
    for (unsigned w = 0; w < ctx->n_threads; w++)
        x->named[w].n = 0;
    DPL_TRY(dpl__parallel_for(ctx, x->c->n_jobs * (file + 1) / x->files.n - x->first_job, x,
                              run_job, err));
    for (unsigned w = 0; w < ctx->n_threads; w++)
        n += x->named[w].n;
    dpl_status status;
    DPL__STEP((sizes = dpl__calloc(ctx, 2 * x->n_ranges, sizeof *sizes)) &&
                      (sorted = dpl__alloc(ctx, (n + 1) * sizeof *sorted))
                  ? dpl_output_new(&output, ctx, path, err)
                  : dpl__fail_nomem(err));
    sort_places(sorted, sizes, x);
    dpl_output_write(output, (const char *)sizes, x->n_ranges * sizeof *sizes);
    dpl_output_write(output, (const char *)sorted, n * sizeof *sorted);
    status = dpl_output_finish(output, err);
done:
    dpl_output_free(output);
    dpl__free(ctx, sorted, sizes);
    return status;
}

/* ---- ranges ----------------------------------------------------------------------------- */

/* The places of a range that one file has, to the vector of the first thread. */
static int read_places(const counting *x, int fd, size_t range)
{
    dpl__places *to = &x->named[0];
    uint64_t before = 0, n = 0;
    int code = 0;
    for (size_t r = 0; r <= range && !code; r++) {
        before += n;
        code = dpl__pread_all(fd, &n, sizeof n, r * sizeof n);
    }
    to->n = 0;
    if (!code && !dpl__vec_reserve(x->c->ctx, to, n + 1))
        code = ENOMEM;
    if (!code)
        code = dpl__pread_all(fd, to->data, n * sizeof *to->data,
                              x->n_ranges * sizeof n + before * sizeof *to->data);
    to->n = code ? 0 : n;
    return code;
}

/* The counts of places [first, end) that are not 1, as places, then counts. */
static dpl_status put_counts(dpl__bytes *out, const counting *x, size_t first, size_t end,
                             dpl_error *err)
{
    const uint8_t *counts = x->c->counts;
    size_t n = 0;
    for (size_t i = first; i < end; i++)
        n += counts[i] > 1;
    DPL_TRY(dpl__need(dpl__vec_reserve(x->c->ctx, out, n * ENTRY), err));
    char *place = out->data, *count = place + n * sizeof(uint32_t);
    for (size_t i = first; i < end; i++)
        if (counts[i] > 1) {
            const uint32_t at = (uint32_t)i;
            memcpy(place, &at, sizeof at);
            place += sizeof at;
            *count++ = (char)counts[i];
        }
    out->n = n * ENTRY;
    return DPL_OK;
}

static dpl_status count_range(dpl__bytes *out, void *user, size_t range, dpl_error *err)
{
    const counting *x = user;
    const size_t first = first_place(x, range), end = first_place(x, range + 1);
    uint8_t *counts = x->c->counts;
    memset(counts + first, 0, end - first); /* of a range that was damaged */
    for (size_t file = 0; file < x->files.n; file++) {
        char path[4200];
        dpl__shared_path(path, x->c->ctx, &x->files, file);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        const int code = fd < 0 ? errno : read_places(x, fd, range);
        if (fd >= 0)
            close(fd);
        if (code)
            return dpl__fail_errno(err, code, "cannot read '%s'", path);
        for (size_t i = 0; i < x->named[0].n; i++) {
            const size_t place = x->named[0].data[i];
            if (place < first || place >= end)
                return dpl__fail(err, DPL_E_FORMAT, "'%s' is damaged", path);
            counts[place] = (uint8_t)(counts[place] + (counts[place] < UINT8_MAX));
        }
    }
    return put_counts(out, x, first, end, err);
}

static dpl_status take_range(void *user, size_t range, const char *data, size_t n,
                             dpl_error *err)
{
    const counting *x = user;
    const size_t first = first_place(x, range), end = first_place(x, range + 1),
                 n_places = n / ENTRY;
    for (size_t i = 0; i < n_places; i++) {
        uint32_t place;
        memcpy(&place, data + i * sizeof place, sizeof place);
        if (place < first || place >= end)
            return dpl__fail(err, DPL_E_FORMAT, "counts of other places");
        x->c->counts[place] = (uint8_t)data[n_places * sizeof place + i];
    }
    return n % ENTRY ? dpl__fail(err, DPL_E_FORMAT, "counts of another size") : DPL_OK;
}

dpl_status dpl__places_count(const dpl__place_counts *c, dpl_error *err)
{
    dpl_ctx *ctx = c->ctx;
    counting x = {.c = c, .n_ranges = dpl__min(dpl__shared_n(ctx), c->n)};
    x.files = (dpl__shared_files){.name = "places",
                                  .key = c->n,
                                  .n = FILES * (size_t)dpl__shared_n(ctx),
                                  .user = &x,
                                  .make = make_file,
                                  .is_for_all = true};
    const dpl__shared_work work = {.name = "counts",
                                   .key = c->n,
                                   .n = x.n_ranges,
                                   .user = &x,
                                   .make = count_range,
                                   .take = take_range,
                                   .is_for_all = true};
    x.named = dpl__calloc(ctx, ctx->n_threads, sizeof *x.named);
    dpl_status status;
    DPL__STEP(x.named ? dpl__shared_files_make(ctx, &x.files, err) : dpl__fail_nomem(err));
    status = dpl__shared_work_run(ctx, &work, err);
done:
    for (unsigned i = 0; x.named && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &x.named[i]);
    dpl__free(ctx, x.named);
    return status;
}
