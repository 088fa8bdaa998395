/*
 * doc_counts.c - counts n-grams by sorting.
 *
 * Fingerprints wait until there are two million; then they are dealt to 256 parts by their
 * first byte, which threads sort and merge into the counts so far. What is held is the distinct
 * n-grams, 12 bytes each, not their occurrences. Fingerprints are evenly spread, so that in the
 * end a table of their first bits finds each with about one comparison.
 */
#include "ngram/doc_counts.h"

#include "base/ctx.h"
#include "pairs/radix.h"
#include "par/pool.h"

enum { MOST_WAITING = 1 << 21 };

void dpl__doc_counts_init(dpl__doc_counts *c, dpl_ctx *ctx)
{
    *c = (dpl__doc_counts){.ctx = ctx};
}

static void free_part(dpl__doc_counts *c, dpl__count_part *p)
{
    dpl__free(c->ctx, p->ngrams, p->n * sizeof *p->ngrams);
    dpl__free(c->ctx, p->counts, p->n * sizeof *p->counts);
    *p = (dpl__count_part){0};
}

static void free_waiting(dpl__doc_counts *c)
{
    dpl__free(c->ctx, c->dealt, c->n_dealt * sizeof *c->dealt);
    c->dealt = NULL;
    c->n_dealt = 0;
    dpl__vec_clear(c->ctx, &c->waiting);
}

void dpl__doc_counts_clear(dpl__doc_counts *c)
{
    if (!c->ctx)
        return;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++)
        free_part(c, &c->parts[i]);
    free_waiting(c);
    dpl__free(c->ctx, c->ngrams, c->n * sizeof *c->ngrams);
    dpl__free(c->ctx, c->counts, c->n * sizeof *c->counts);
    if (c->starts)
        dpl__free(c->ctx, c->starts, (((size_t)1 << (64 - c->shift)) + 1) * sizeof *c->starts);
    *c = (dpl__doc_counts){0};
}

/* ---- counting ------------------------------------------------------------------------- */

static void deal(dpl__doc_counts *c)
{
    size_t counts[DPL__COUNT_PARTS] = {0}, at = 0;
    for (size_t i = 0; i < c->waiting.n; i++)
        counts[c->waiting.data[i] >> 56]++;
    for (size_t b = 0; b < DPL__COUNT_PARTS; b++) {
        c->begin[b] = at;
        at += counts[b];
        counts[b] = c->begin[b];
    }
    c->begin[DPL__COUNT_PARTS] = at;
    for (size_t i = 0; i < c->waiting.n; i++)
        c->dealt[counts[c->waiting.data[i] >> 56]++] = c->waiting.data[i];
}

/* Merges the counts so far with new fingerprints, sorted; with no output, how many there will
 * be. */
static size_t merge(const dpl__count_part *old, const uint64_t *new, size_t n_new,
                    dpl__count_part *out)
{
    size_t n = 0, i = 0, k = 0;
    while (i < old->n || k < n_new) {
        uint64_t x =
            k == n_new || (i < old->n && old->ngrams[i] < new[k]) ? old->ngrams[i] : new[k];
        uint32_t count = 0;
        if (i < old->n && old->ngrams[i] == x)
            count = old->counts[i++];
        for (; k < n_new && new[k] == x; k++)
            count++;
        if (out) {
            out->ngrams[n] = x;
            out->counts[n] = count;
        }
        n++;
    }
    return n;
}

static dpl_status count_part(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__doc_counts *c = user;
    dpl__count_part *old = &c->parts[i], made = {0};
    size_t n_new = c->begin[i + 1] - c->begin[i];
    if (!n_new)
        return DPL_OK;
    uint64_t *new = c->dealt + c->begin[i];
    dpl__radix_sort(new, c->waiting.data + c->begin[i], n_new); /* dealt: free as scratch */
    made.n = merge(old, new, n_new, NULL);
    made.ngrams = dpl__alloc(c->ctx, made.n * sizeof *made.ngrams);
    made.counts = dpl__alloc(c->ctx, made.n * sizeof *made.counts);
    if (!made.ngrams || !made.counts) {
        free_part(c, &made);
        return dpl__fail_nomem(err);
    }
    merge(old, new, n_new, &made);
    free_part(c, old);
    *old = made;
    return DPL_OK;
}

static dpl_status count_waiting(dpl__doc_counts *c, dpl_error *err)
{
    if (!c->waiting.n)
        return DPL_OK;
    if (c->waiting.n > c->n_dealt) {
        dpl__free(c->ctx, c->dealt, c->n_dealt * sizeof *c->dealt);
        c->n_dealt = 0;
        c->dealt = dpl__alloc(c->ctx, c->waiting.n * sizeof *c->dealt);
        if (!c->dealt)
            return dpl__fail_nomem(err);
        c->n_dealt = c->waiting.n;
    }
    deal(c);
    DPL_TRY(dpl__parallel_for(c->ctx, DPL__COUNT_PARTS, c, count_part, err));
    c->waiting.n = 0;
    if (dpl__ctx_used(c->ctx) > dpl_ctx_memory(c->ctx)) {
        dpl__fail(err, DPL_E_LIMIT, "the counts of n-grams do not fit into memory");
        return dpl__code(err, DPL_E_LIMIT, "memory");
    }
    return DPL_OK;
}

dpl_status dpl__doc_counts_add(dpl__doc_counts *c, const uint64_t *ngrams, size_t n,
                               dpl_error *err)
{
    c->n_entries += n;
    while (n) {
        size_t some = dpl__min(n, MOST_WAITING - c->waiting.n);
        if (!dpl__vec_append(c->ctx, &c->waiting, ngrams, some))
            return dpl__fail_nomem(err);
        ngrams += some;
        n -= some;
        if (c->waiting.n == MOST_WAITING)
            DPL_TRY(count_waiting(c, err));
    }
    return DPL_OK;
}

/* ---- the table ------------------------------------------------------------------------ */

static size_t count_kept(const dpl__doc_counts *c, unsigned min_count)
{
    size_t n = 0;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++)
        for (size_t k = 0; k < c->parts[i].n; k++)
            n += c->parts[i].counts[k] >= min_count;
    return n;
}

static dpl_status make_table(dpl__doc_counts *c, dpl_error *err)
{
    unsigned bits = 8;
    while (bits < 30 && ((size_t)1 << bits) < c->n)
        bits++;
    c->shift = 64 - bits;
    size_t n_starts = ((size_t)1 << bits) + 1;
    c->starts = dpl__calloc(c->ctx, n_starts, sizeof *c->starts);
    if (c->n) {
        c->ngrams = dpl__alloc(c->ctx, c->n * sizeof *c->ngrams);
        c->counts = dpl__alloc(c->ctx, c->n * sizeof *c->counts);
    }
    return c->starts && (!c->n || (c->ngrams && c->counts)) ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__doc_counts_end(dpl__doc_counts *c, unsigned min_count, dpl_error *err)
{
    DPL_TRY(count_waiting(c, err));
    free_waiting(c);
    c->n = count_kept(c, min_count);
    if (c->n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u different n-grams", UINT32_MAX - 1);
    DPL_TRY(make_table(c, err));
    size_t at = 0;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++) {
        dpl__count_part *p = &c->parts[i];
        c->n_ngrams += p->n;
        for (size_t k = 0; k < p->n; k++)
            if (p->counts[k] >= min_count) {
                c->ngrams[at] = p->ngrams[k];
                c->counts[at++] = p->counts[k];
                c->starts[(p->ngrams[k] >> c->shift) + 1]++;
            }
        free_part(c, p);
    }
    c->n_rare = c->n_ngrams - c->n;
    for (size_t i = 0; i < (size_t)1 << (64 - c->shift); i++)
        c->starts[i + 1] += c->starts[i];
    return DPL_OK;
}
