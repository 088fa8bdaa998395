/*
 * forward.c - postings by n-gram to rows by document.
 *
 * Postings come in the order of their n-grams, so each document's entries arrive in the order
 * its row needs: no second sort. Postings in memory are walked twice, to count and to place
 * them. Others go to buckets, one for each range of documents whose rows fit into memory; then
 * bucket by bucket to their rows. Cost: every entry is copied once or twice.
 */
#include "pairs/ngram/forward.h"

#include "base/ctx.h"
#include "pairs/ngram/postings.h"

/* An entry on its way to its row. */
typedef struct sent {
    dpl__row_entry entry;
    uint32_t doc;
} sent;

enum {
    BUCKET_BUFFER = 1 << 16,
    MOST_BUCKETS = 256,
    BLOCK = 4096,
    MOST_FETCHED = 1 << 13,
    AT_ONCE = 64
};

typedef struct builder {
    dpl__forward *f;
    dpl__spill *spill;
    const dpl__ngram_settings *s;
    dpl_ngram_summary *counts;
    size_t share;
    dpl__spool *buckets;
    size_t n_buckets;
    uint32_t docs_per_bucket;
    uint32_t n_ngrams; /* numbered so far */
} builder;

static void end_buckets(builder *b)
{
    for (size_t i = 0; i < b->n_buckets; i++)
        dpl__spool_clear(&b->buckets[i]);
    dpl__free(b->f->ctx, b->buckets);
    b->buckets = NULL;
    b->n_buckets = 0;
}

/* n_most: postings that can come at the most. */
static dpl_status begin_buckets(builder *b, uint64_t n_most, dpl_error *err)
{
    uint64_t n = n_most * sizeof(sent) / dpl__max(b->share / 2, 1) + 1;
    n = n > MOST_BUCKETS ? MOST_BUCKETS : n;
    size_t n_docs = dpl__max(b->f->n_docs, 1);
    b->docs_per_bucket = (uint32_t)((n_docs + n - 1) / n);
    b->n_buckets = (n_docs + b->docs_per_bucket - 1) / b->docs_per_bucket;
    b->buckets = dpl__calloc(b->f->ctx, b->n_buckets, sizeof *b->buckets);
    if (!b->buckets) {
        b->n_buckets = 0;
        return dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < b->n_buckets; i++)
        dpl__spool_init(&b->buckets[i], b->spill, b->n_buckets == 1 ? b->share : BUCKET_BUFFER);
    return b->n_buckets == 1 ? dpl__spool_expect(&b->buckets[0], n_most * sizeof(sent), err)
                             : DPL_OK;
}

/* Numbers an n-gram and counts its postings. */
static dpl_status count(builder *b, const dpl__ngram_posting *list, uint32_t n, dpl_error *err)
{
    if (b->n_ngrams == UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u scoring n-grams", UINT32_MAX);
    b->n_ngrams++;
    for (uint32_t i = 0; i < n; i++)
        b->f->offsets[list[i].doc + 1]++;
    if (n > b->f->most_df)
        b->f->most_df = n;
    return DPL_OK;
}

static dpl_status send(builder *b, const dpl__ngram_posting *list, uint32_t n, dpl_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        sent one = {{b->n_ngrams, list[i].place, n}, list[i].doc};
        DPL_TRY(dpl__spool_append(&b->buckets[one.doc / b->docs_per_bucket], &one, sizeof one,
                                  err));
    }
    return DPL_OK;
}

/* Counts all, and sends them to the buckets where there are some. */
static dpl_status send_all(builder *b, dpl__shuffle *postings, dpl_error *err)
{
    const dpl__ngram_posting *list;
    uint64_t n_all, n_done = 0;
    dpl_status status;
    while ((status = dpl__shuffle_next(postings, &list, &n_all, b->s->max_scoring, err)) ==
           DPL_OK) {
        if (dpl__ngram_is_kept(b->counts, n_all, b->s)) {
            if (b->buckets)
                DPL_TRY(send(b, list, (uint32_t)n_all, err));
            DPL_TRY(count(b, list, (uint32_t)n_all, err));
        }
        if ((++n_done & 0xFFFFF) == 0)
            DPL_TRY(dpl__progress(
                b->f->ctx, &(dpl_progress){.stage = "index", .unit = "n-grams", .done = n_done},
                err));
    }
    return status == DPL_END ? DPL_OK : status;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* The entries of bucket i to rows[], each behind those of its document before. */
static dpl_status place_entries(builder *b, size_t i, dpl__row_entry *rows, uint64_t *next,
                                dpl_error *err)
{
    const dpl__spool *bucket = &b->buckets[i];
    uint32_t first = (uint32_t)i * b->docs_per_bucket;
    uint64_t size = dpl__spool_size(bucket);
    sent *block = dpl__alloc(b->f->ctx, BLOCK * sizeof *block);
    DPL_TRY(dpl__need(block, err));
    dpl_status status = DPL_OK;
    for (uint64_t at = 0; status == DPL_OK && at < size;) {
        size_t n = BLOCK * sizeof *block;
        if (n > size - at)
            n = (size_t)(size - at);
        status = dpl__spool_read(bucket, at, block, n, err);
        for (size_t k = 0; status == DPL_OK && k < n / sizeof *block; k++)
            rows[next[block[k].doc - first]++] = block[k].entry;
        at += n;
    }
    dpl__free(b->f->ctx, block);
    return status;
}

static void find_norms(dpl__forward *f, const dpl__row_entry *rows, uint32_t first,
                       uint32_t end)
{
    for (uint32_t doc = first; doc < end; doc++) {
        dpl__row row = {rows + (f->offsets[doc] - f->offsets[first]),
                        (size_t)(f->offsets[doc + 1] - f->offsets[doc])};
        f->norms[doc] = dpl__ngram_norm(&row, f->idf_of);
    }
}

static dpl_status write_bucket(builder *b, size_t i, dpl_error *err)
{
    dpl__forward *f = b->f;
    uint32_t first = (uint32_t)i * b->docs_per_bucket;
    uint32_t end = (uint32_t)dpl__min((size_t)first + b->docs_per_bucket, f->n_docs);
    size_t n_docs = end - first;
    size_t n = (size_t)(f->offsets[end] - f->offsets[first]);
    if (!n)
        return DPL_OK;
    dpl__row_entry *rows = dpl__alloc(f->ctx, n * sizeof *rows);
    uint64_t *next = dpl__alloc(f->ctx, n_docs * sizeof *next);
    dpl_status status;
    DPL__STEP(dpl__need(rows && next, err));
    for (size_t k = 0; k < n_docs; k++)
        next[k] = f->offsets[first + k] - f->offsets[first];
    DPL__STEP(place_entries(b, i, rows, next, err));
    status = dpl__spool_append(&f->rows, rows, n * sizeof *rows, err);
    find_norms(f, rows, first, end);
done:
    dpl__free(f->ctx, next, rows);
    return status;
}

static dpl_status begin_rows(builder *b, dpl_error *err)
{
    dpl__forward *f = b->f;
    for (uint32_t doc = 0; doc < f->n_docs; doc++)
        f->offsets[doc + 1] += f->offsets[doc];
    f->idf_of = dpl__calloc(f->ctx, (size_t)f->most_df + 1, sizeof *f->idf_of);
    DPL_TRY(dpl__need(f->idf_of, err));
    for (uint32_t df = 1; df <= f->most_df; df++)
        f->idf_of[df] = dpl__ngram_idf(df, f->n_docs);
    return dpl__spool_expect(&f->rows, f->offsets[f->n_docs] * sizeof(dpl__row_entry), err);
}

static dpl_status write_buckets(builder *b, dpl_error *err)
{
    DPL_TRY(begin_rows(b, err));
    for (size_t i = 0; i < b->n_buckets; i++) {
        DPL_TRY(write_bucket(b, i, err));
        dpl__spool_clear(&b->buckets[i]);
        dpl__spool_init(&b->buckets[i], b->spill, 0);
    }
    return DPL_OK;
}

static dpl_status build_by_buckets(builder *b, dpl__shuffle *postings, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(begin_buckets(b, dpl__shuffle_size(postings), err));
    DPL__STEP(send_all(b, postings, err));
    status = write_buckets(b, err);
done:
    end_buckets(b);
    return status;
}

/* ---- in memory ------------------------------------------------------------------------ */

/* Entries on their way: the places of some are fetched at once. */
typedef struct placer {
    dpl__row_entry *rows;
    uint64_t *next; /* of each document */
    sent some[AT_ONCE];
    size_t n;
} placer;

static void place_some(placer *p)
{
    for (size_t i = 0; i < p->n; i++)
        DPL_PREFETCH(&p->rows[p->next[p->some[i].doc]]);
    for (size_t i = 0; i < p->n; i++)
        p->rows[p->next[p->some[i].doc]++] = p->some[i].entry;
    p->n = 0;
}

static dpl_status place_all(const builder *b, dpl__shuffle *postings, placer *p, dpl_error *err)
{
    const dpl__ngram_posting *list;
    uint64_t n_all;
    uint32_t number = 0;
    dpl_status status;
    while ((status = dpl__shuffle_next(postings, &list, &n_all, b->s->max_scoring, err)) ==
           DPL_OK) {
        if (!dpl__ngram_is_scoring(n_all, b->s))
            continue;
        for (size_t i = 0; i < n_all; i++) {
            p->some[p->n++] = (sent){{number, list[i].place, (uint32_t)n_all}, list[i].doc};
            if (p->n == AT_ONCE)
                place_some(p);
        }
        number++;
    }
    assert(status != DPL_END || number == b->n_ngrams);
    place_some(p);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status build_in_memory(builder *b, dpl__shuffle *postings, dpl_error *err)
{
    dpl__forward *f = b->f;
    DPL_TRY(send_all(b, postings, err));
    DPL_TRY(begin_rows(b, err));
    const size_t n = (size_t)f->offsets[f->n_docs] * sizeof(dpl__row_entry);
    if (!n || !dpl__shuffle_rewind(postings))
        return DPL_OK;
    placer p = {.next = dpl__alloc(f->ctx, f->n_docs * sizeof *p.next)};
    dpl_status status = dpl__need(p.next, err);
    if (status == DPL_OK) {
        p.rows = (dpl__row_entry *)(void *)f->rows.memory.data;
        f->rows.memory.n = n;
        memcpy(p.next, f->offsets, f->n_docs * sizeof *p.next);
        status = place_all(b, postings, &p, err);
        find_norms(f, p.rows, 0, f->n_docs);
    }
    dpl__free(f->ctx, p.next);
    return status;
}

dpl_status dpl__forward_build(dpl__forward *f, dpl_ngram_summary *counts,
                              dpl__forward_plan *plan, dpl__shuffle *postings,
                              const dpl__ngram_settings *s, dpl_error *err)
{
    builder b = {.f = f, .spill = plan->spill, .s = s, .counts = counts, .share = plan->share};
    *f = (dpl__forward){.ctx = plan->spill->ctx, .n_docs = plan->n_docs};
    dpl__spool_init(&f->rows, plan->spill, plan->share);
    f->rows.memory = plan->room;
    plan->room = (dpl__bytes){0};
    f->offsets = dpl__calloc(f->ctx, (size_t)f->n_docs + 1, sizeof *f->offsets);
    f->norms = dpl__calloc(f->ctx, dpl__max(f->n_docs, 1), sizeof *f->norms);
    DPL_TRY(dpl__need(f->offsets && f->norms, err));
    const bool fits = dpl__shuffle_size(postings) <= plan->share / sizeof(dpl__row_entry);
    if (fits && dpl__shuffle_rewind(postings))
        return build_in_memory(&b, postings, err);
    dpl__vec_clear(f->ctx, &f->rows.memory);
    return build_by_buckets(&b, postings, err);
}

void dpl__forward_clear(dpl__forward *f)
{
    if (!f->ctx)
        return;
    dpl__spool_clear(&f->rows);
    if (f->idf_of)
        dpl__free(f->ctx, f->idf_of);
    dpl__free(f->ctx, f->norms, f->offsets);
    *f = (dpl__forward){0};
}

void dpl__forward_fetch(const dpl__forward *f, uint32_t doc)
{
    assert(doc < f->n_docs);
    const char *rows = f->rows.fd < 0 ? f->rows.memory.data : NULL;
    const size_t begin = (size_t)f->offsets[doc] * sizeof(dpl__row_entry),
                 end = (size_t)f->offsets[doc + 1] * sizeof(dpl__row_entry);
    for (size_t at = begin; rows && at < dpl__min(end, begin + MOST_FETCHED); at += 64)
        DPL_PREFETCH(rows + at);
}

dpl_status dpl__forward_row(const dpl__forward *f, uint32_t doc, dpl__row *row,
                            dpl__forward_copy *copy, dpl_error *err)
{
    assert(doc < f->n_docs);
    row->n = (size_t)(f->offsets[doc + 1] - f->offsets[doc]);
    if (f->rows.fd < 0) {
        row->entries = (const dpl__row_entry *)(const void *)f->rows.memory.data;
        if (row->entries)
            row->entries += f->offsets[doc];
        return DPL_OK;
    }
    copy->n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(f->ctx, copy, row->n), err));
    row->entries = copy->data;
    if (!row->n)
        return DPL_OK;
    return dpl__spool_read(&f->rows, f->offsets[doc] * sizeof *copy->data, copy->data,
                           row->n * sizeof *copy->data, err);
}
