/*
 * place_counts.c - a shuffle by ranges of places.
 *
 * Each process runs some of the jobs and writes the places that they name to a file, sorted by
 * range; then it counts some of the ranges, of each of which it reads a piece of every file,
 * and hands on how often its places were named. Cost: four bytes of shared disk for each place
 * that is named, written and read once; two bits for each place, and a byte for each that was
 * named more than twice, read by all.
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

enum { FILES = 3 }; /* for each process */

typedef struct counting {
    const dpl__place_counts *c;
    dpl__place_table *out;
    size_t n_ranges;
    size_t first_job;        /* of the file that is made */
    dpl__places *named;      /* of each thread */
    dpl__shared_files files; /* begin with how many places of each range they have */
} counting;

/* Places of a range; the last one has the rest, too. */
static size_t range_size(const counting *x)
{
    return x->c->n / x->n_ranges / 64 * 64;
}

static size_t first_place(const counting *x, size_t range)
{
    return range == x->n_ranges ? x->c->n : range_size(x) * range;
}

static size_t range_of(const counting *x, uint32_t place)
{
    return dpl__min(place / range_size(x), x->n_ranges - 1);
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

/* How often all files name each place of a range. */
static dpl_status count_places(uint8_t *counts, const counting *x, size_t range, dpl_error *err)
{
    const size_t first = first_place(x, range), n = first_place(x, range + 1) - first;
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
            const size_t place = x->named[0].data[i] - first;
            if (place >= n)
                return dpl__fail(err, DPL_E_FORMAT, "'%s' is damaged", path);
            counts[place] = (uint8_t)(counts[place] + (counts[place] < UINT8_MAX));
        }
    }
    return DPL_OK;
}

/* Of 64 places; counts above 2 go to `more`. */
static bool gather_bits(dpl__place_bits *out, dpl__bytes *more, dpl_ctx *ctx,
                        const uint8_t counts[64])
{
    static const uint64_t ABOVE_1 = 0xFEFEFEFEFEFEFEFE;
    bool has_room = true;
    *out = (dpl__place_bits){0, 0};
    for (size_t i = 0; i < 64 && has_room; i++) {
        if (i % 8 == 0 && !(dpl__load64(counts + i) & ABOVE_1)) {
            i += 7;
            continue;
        }
        out->two |= (uint64_t)(counts[i] > 1) << i;
        out->three |= (uint64_t)(counts[i] > 2) << i;
        has_room = counts[i] < 3 || dpl__vec_push(ctx, more, (char)counts[i]);
    }
    return has_room;
}

/* Bits of the places, then the counts above 2. */
static dpl_status count_range(dpl__bytes *out, void *user, size_t range, dpl_error *err)
{
    const counting *x = user;
    dpl_ctx *ctx = x->c->ctx;
    const size_t n = first_place(x, range + 1) - first_place(x, range);
    uint8_t *counts = dpl__calloc(ctx, n, 1);
    dpl__bytes more = {0};
    dpl_status status;
    DPL__STEP(dpl__need(counts, err));
    DPL__STEP(count_places(counts, x, range, err));
    DPL__STEP(dpl__need(dpl__vec_reserve(ctx, out, n / 4), err));
    for (size_t i = 0; i < n; i += 64) {
        dpl__place_bits bits;
        DPL__STEP(dpl__need(gather_bits(&bits, &more, ctx, counts + i) &&
                                dpl__vec_append(ctx, out, (const char *)&bits, sizeof bits),
                            err));
    }
    status = dpl__need(dpl__vec_append(ctx, out, more.data, more.n), err);
done:
    dpl__free(ctx, counts);
    dpl__vec_clear(ctx, &more);
    return status;
}

static dpl_status take_range(void *user, size_t range, const char *data, size_t n,
                             dpl_error *err)
{
    const counting *x = user;
    dpl__place_table *t = x->out;
    const size_t first = first_place(x, range) / 64, end = first_place(x, range + 1) / 64,
                 n_bits = (end - first) * sizeof *t->bits, before = t->counts.n;
    if (n < n_bits)
        return dpl__fail(err, DPL_E_FORMAT, "counts of another size");
    memcpy(t->bits + first, data, n_bits);
    DPL_TRY(dpl__need(
        dpl__vec_append(x->c->ctx, &t->counts, (const uint8_t *)data + n_bits, n - n_bits),
        err));
    size_t sum = before;
    for (size_t i = first; i < end; i++) {
        t->before[i] = (uint32_t)sum;
        sum += dpl__n_ones(t->bits[i].three);
    }
    return sum == t->counts.n ? DPL_OK : dpl__fail(err, DPL_E_FORMAT, "counts of other places");
}

void dpl__place_table_clear(dpl__place_table *t, dpl_ctx *ctx)
{
    dpl__free(ctx, t->bits, t->before);
    dpl__vec_clear(ctx, &t->counts);
}

dpl_status dpl__places_count(dpl__place_table *out, const dpl__place_counts *c, dpl_error *err)
{
    dpl_ctx *ctx = c->ctx;
    counting x = {.c = c, .out = out, .n_ranges = dpl__min(dpl__shared_n(ctx), c->n / 64)};
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
    assert(c->n && c->n % 64 == 0);
    x.named = dpl__calloc(ctx, ctx->n_threads, sizeof *x.named);
    out->bits = dpl__alloc(ctx, c->n / 64 * sizeof *out->bits);
    out->before = dpl__alloc(ctx, c->n / 64 * sizeof *out->before);
    dpl_status status;
    DPL__STEP(dpl__need(x.named && out->bits && out->before, err));
    DPL__STEP(dpl__shared_files_make(ctx, &x.files, err));
    status = dpl__shared_work_run(ctx, &work, err);
done:
    for (unsigned i = 0; x.named && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &x.named[i]);
    dpl__free(ctx, x.named);
    return status;
}
