/*
 * codes_join.c - pairs of rows that share a code.
 *
 * In: columns of codes. Out: each pair once, by left and right row. A column is sorted rather
 * than put into a hash table: 31 bits of a hash of the code, the side, and the row stand in one
 * word of 64 bits, and four passes of a radix sort bring rows of one code together. Codes are
 * compared themselves where hashes agree. Columns that do not fit into the memory are sorted in
 * slabs, by other bits of the hash. Cost: 16 bytes a row and worker, four passes a column.
 */
#include "base/ctx.h"
#include "base/hash.h"
#include "base/sized.h"
#include "pairs/buckets.h"
#include "pairs/radix.h"
#include "par/pool.h"
#include "signatures/codes.h"

typedef struct side {
    const dpl_codes *codes;
    uint32_t n;
} side;

typedef struct join {
    dpl_ctx *ctx;
    side sides[2];
    unsigned n_sides, n_codes;
    uint32_t most;
    size_t n_slabs;
    dpl__pair_buffer *buffers;
} join;

static const uint64_t side_bit = (uint64_t)1 << 32;

static bool in_slab(const join *j, uint64_t hash, size_t slab)
{
    return j->n_slabs == 1 || (size_t)((hash & UINT32_MAX) * j->n_slabs >> 32) == slab;
}

/* The entries of a slab of a column; counts them with out NULL. */
static size_t gather(const join *j, uint64_t *out, unsigned code, size_t slab)
{
    size_t n = 0;
    for (unsigned s = 0; s < j->n_sides; s++) {
        const uint64_t *column = dpl_codes_column(j->sides[s].codes, code);
        for (uint32_t row = 0; row < j->sides[s].n; row++) {
            if (column[row] == DPL_NO_CODE)
                continue;
            const uint64_t hash = dpl__mix(column[row]);
            if (!in_slab(j, hash, slab))
                continue;
            if (out)
                out[n] = hash >> 33 << 33 | s * side_bit | row;
            n++;
        }
    }
    return n;
}

static uint64_t code_of(const join *j, unsigned code, uint64_t entry)
{
    const side *s = &j->sides[entry >> 32 & 1];
    return dpl_codes_column(s->codes, code)[(uint32_t)entry];
}

/* Brings equal codes together; almost always they are. The order of rows stays. */
static void sort_group(const join *j, uint64_t *entries, size_t n, unsigned code)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t entry = entries[i], c = code_of(j, code, entry);
        size_t at = i;
        for (; at > 0 && code_of(j, code, entries[at - 1]) > c; at--)
            entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

/* Rows of one code: left ones first, each rising. */
static dpl_status put_bucket(const join *j, dpl__pair_buffer *b, const uint64_t *entries,
                             size_t n, dpl_error *err)
{
    size_t n_left = n;
    if (j->n_sides == 2)
        for (n_left = 0; n_left < n && !(entries[n_left] & side_bit);)
            n_left++;
    b->largest = dpl__max(b->largest, n);
    const bool is_self = j->n_sides == 1;
    for (size_t i = is_self ? 1 : n_left; i < n; i++) {
        const size_t n_before = is_self ? i : n_left;
        const size_t n_taken = dpl__min(n_before, j->most);
        b->n_shared += n_before;
        b->n_left_out += n_before - n_taken;
        for (size_t k = n_before - n_taken; k < n_before; k++)
            DPL_TRY(dpl__pair_buffer_put(b, (uint32_t)entries[k], (uint32_t)entries[i], err));
    }
    return DPL_OK;
}

static dpl_status put_group(const join *j, dpl__pair_buffer *b, uint64_t *entries, size_t n,
                            unsigned code, dpl_error *err)
{
    sort_group(j, entries, n, code);
    for (size_t i = 0, end; i < n; i = end) {
        const uint64_t c = code_of(j, code, entries[i]);
        for (end = i + 1; end < n && code_of(j, code, entries[end]) == c;)
            end++;
        if (end - i > 1)
            DPL_TRY(put_bucket(j, b, entries + i, end - i, err));
    }
    return DPL_OK;
}

static dpl_status join_entries(const join *j, dpl__pair_buffer *b, uint64_t *sorted, size_t n,
                               unsigned code, dpl_error *err)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && sorted[end] >> 33 == sorted[i] >> 33;)
            end++;
        if (end - i > 1)
            DPL_TRY(put_group(j, b, sorted + i, end - i, code, err));
    }
    return DPL_OK;
}

static dpl_status join_slab(void *user, size_t job, unsigned worker, dpl_error *err)
{
    const join *j = user;
    const unsigned code = (unsigned)(job / j->n_slabs);
    const size_t slab = job % j->n_slabs;
    if (dpl__is_cancelled(j->ctx))
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    size_t n = (size_t)j->sides[0].n + (j->n_sides == 2 ? j->sides[1].n : 0);
    if (j->n_slabs > 1)
        n = gather(j, NULL, code, slab);
    if (n == 0)
        return DPL_OK;
    uint64_t *entries = dpl__alloc(j->ctx, n * sizeof *entries);
    uint64_t *scratch = dpl__alloc(j->ctx, n * sizeof *scratch);
    dpl_status status;
    DPL__STEP(dpl__need(entries && scratch, err));
    const size_t n_here = gather(j, entries, code, slab);
    uint64_t *sorted = dpl__radix_sort_bytes(entries, scratch, n_here, 4, 8);
    DPL__STEP(join_entries(j, &j->buffers[worker], sorted, n_here, code, err));
done:
    dpl__free(j->ctx, scratch, entries);
    return status;
}

/* Number of slabs such that those of all workers fit into a quarter of the memory. */
static size_t count_slabs(const join *j)
{
    const uint64_t n = (uint64_t)j->sides[0].n + j->sides[1].n;
    const uint64_t share = j->ctx->memory / 4 / j->ctx->n_threads / (2 * sizeof(uint64_t));
    return (size_t)(n / (share ? share : 1) + 1);
}

static dpl_status check(const dpl_codes *left, const dpl_codes *right, unsigned *n_codes,
                        dpl_error *err)
{
    const unsigned n = dpl_codes_get_info(left).n_codes;
    if (right && dpl_codes_get_info(right).n_codes != n)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u codes and of %u: they do not match", n,
                         dpl_codes_get_info(right).n_codes);
    if (right)
        DPL_TRY(dpl__codes_check_match(left, right, err));
    if (*n_codes > n)
        return dpl__fail(err, DPL_E_USAGE, "rows have %u codes, not %u", n, *n_codes);
    *n_codes = *n_codes ? *n_codes : n;
    return DPL_OK;
}

dpl_status dpl_codes_join(dpl_buckets **out, dpl_ctx *ctx, const dpl_codes *left,
                          const dpl_codes *right, const dpl_join_options *options,
                          dpl_error *err)
{
    *out = NULL;
    dpl_join_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(check(left, right, &o.n_codes, err));
    join j = {.ctx = ctx,
              .sides = {{left, dpl_codes_get_info(left).n_rows},
                        {right, right ? dpl_codes_get_info(right).n_rows : 0}},
              .n_sides = right ? 2 : 1,
              .n_codes = o.n_codes,
              .most = o.most ? o.most : UINT32_MAX};
    j.n_slabs = count_slabs(&j);
    const dpl__join_work work = {o.temp, j.n_codes * j.n_slabs, join_slab, &j, &j.buffers};
    return dpl__join_run(out, ctx, &work, err);
}
