/*
 * docalign.c - what ParaCrawl's document aligner does, in a tenth of its time and memory.
 *
 * In: two files of documents in base64. Out: pairs. Both files are read twice: to count in how
 * many documents each n-gram occurs, and to weight them. The first file becomes an inverted
 * index, 8 bytes an entry; a document of the second adds products into one number for each
 * document of the first. Cost: two passes over the text and one multiply-add for each n-gram
 * that two documents share.
 *
 * Memory: a quarter of the limit for the counts, and one for the index. Where the first file's
 * does not fit, it is made in blocks of documents, one after the other; the rows of the second
 * file are kept in a temporary file after the first block. Pairs are sorted externally.
 */
#include "base/ctx.h"
#include "base/map.h"
#include "base/maths.h"
#include "base/order.h"
#include "base/sized.h"
#include "io/scratch.h"
#include "io/temporary.h"
#include "pairs/ngram/doc_counts.h"
#include "pairs/ngram/encoded_docs.h"
#include "pairs/ngram/extract.h"
#include "par/pool.h"

#include <math.h>

enum { SLOTS = 3, IDF_TABLE = 1 << 12, AHEAD = 8, ROWS_AT_ONCE = 1 << 15, GROUP = 32 };

/* An n-gram of a document; `number` is that among those counted. */
typedef struct weighted {
    uint32_t number;
    float weight;
} weighted;

/* An entry of the inverted index. */
typedef struct posting {
    uint32_t doc;
    float weight;
} posting;

typedef DPL_VEC(dpl_pair) pair_vec;

/* Weighted rows, one behind the other. */
typedef struct rows {
    dpl__spool spool;
    DPL_VEC(uint32_t) lengths;
} rows;

/* How often an n-gram occurs in one document. */
typedef struct tf_slot {
    uint64_t key; /* the n-gram */
    uint32_t count;
} tf_slot;
DPL_KEY_MAP(tf_map, tf_slot);

typedef struct scratch {
    dpl__words words;
    tf_map counts;          /* empty between documents: who reads a slot frees it */
    DPL_VEC(uint32_t) used; /* slots in the order of the document */
    DPL_VEC(weighted) row;
    float *sums;         /* for each document of the first file, in whole groups */
    uint8_t *is_touched; /* of each GROUP of documents: one of their sums may not be 0 */
    size_t n_groups;
} scratch;

typedef struct slot {
    dpl__chunk chunk;
    dpl__fingerprints ngrams;  /* of the first pass */
    DPL_VEC(weighted) rows;    /* of the first file, or of the second if they are kept */
    DPL_VEC(uint32_t) lengths; /* of these */
    pair_vec pairs;            /* of the second file */
    uint64_t first, n_docs, n_products;
} slot;

/* A pair and the numbers by which it is sorted, rising. */
typedef struct ranked {
    uint32_t keys[3];
    dpl_pair pair;
} ranked;

static bool is_before(const ranked *a, const ranked *b)
{
    return a->keys[0] != b->keys[0]   ? a->keys[0] < b->keys[0]
           : a->keys[1] != b->keys[1] ? a->keys[1] < b->keys[1]
                                      : a->keys[2] < b->keys[2];
}

DPL_EXTERNAL_SORT(pair_sort, ranked, is_before, DPL_KEEP_ALL);

typedef struct aligner {
    dpl_ctx *ctx;
    dpl_docalign_options o;
    const dpl_docalign_input *input;
    dpl_docalign_summary s;
    dpl__spill spill;
    dpl__base64 base64;
    dpl__encoded files[2];
    dpl__doc_counts counts;
    unsigned file; /* being read */
    slot *slots;
    size_t n_slots;
    scratch *scratch;
    size_t share;         /* bytes: a quarter of the memory */
    rows rows[2];         /* of the first file; of the second where there are several blocks */
    uint32_t first, end;  /* documents of the first file in the index */
    uint32_t most_docs;   /* of a block */
    uint64_t first_row;   /* of the block, in the spool */
    size_t most_postings; /* of a block */
    bool has_blocks;
    dpl__scratch starts; /* of each n-gram in the postings */
    posting *postings;
    uint32_t next_doc; /* of the second file's rows */
    uint64_t next_row;
    double idf_of[IDF_TABLE]; /* of low counts */
    pair_sort pairs;
} aligner;

/* ---- n-grams of a document ------------------------------------------------------------ */

static void clear_scratch(scratch *x, dpl_ctx *ctx)
{
    dpl__words_clear(&x->words, ctx);
    tf_map_clear(&x->counts, ctx);
    dpl__vec_clear(ctx, &x->used, &x->row);
    dpl__free(ctx, x->sums, x->is_touched);
    *x = (scratch){0};
}

/* The n-grams of a line and how often each occurs, in x->used. */
static dpl_status count_ngrams(aligner *a, scratch *x, dpl_str line, uint64_t number,
                               dpl_error *err)
{
    const dpl__line_place place = {a->files[a->file].path, number};
    DPL_TRY(dpl__words_read(&x->words, a->ctx, &a->base64, line, &place, err));
    size_t n = x->words.words.n;
    x->used.n = 0;
    DPL_TRY(dpl__need(
        tf_map_reserve(&x->counts, a->ctx, n) && dpl__vec_reserve(a->ctx, &x->used, n), err));
    dpl__ngram_roll roll = dpl__ngram_roll_begin(a->o.ngram_size);
    for (size_t i = 0; i < n; i++) {
        uint64_t f = dpl__ngram_roll_in(&roll, x->words.words.data, i);
        if (i + 1 < a->o.ngram_size)
            continue;
        f += !f;
        tf_slot *t = tf_map_find(&x->counts, f, f);
        if (!t->key) {
            t->key = f;
            x->used.data[x->used.n++] = (uint32_t)(t - x->counts.slots);
        }
        t->count++;
    }
    return DPL_OK;
}

/* ---- first pass: document frequencies ------------------------------------------------- */

static dpl_status take_chunk(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    return dpl__encoded_next(&a->files[a->file], &a->slots[i].chunk, err);
}

static dpl_status count_chunk(void *user, size_t i, unsigned worker, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    scratch *x = &a->scratch[worker];
    s->ngrams.n = 0;
    s->n_docs = 0;
    dpl_str line;
    for (size_t at = 0; dpl__chunk_line(&s->chunk, &at, &line); s->n_docs++) {
        DPL_TRY(count_ngrams(a, x, line, s->chunk.first + s->n_docs, err));
        DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, &s->ngrams, x->used.n), err));
        for (size_t k = 0; k < x->used.n; k++) {
            tf_slot *t = &x->counts.slots[x->used.data[k]];
            s->ngrams.data[s->ngrams.n++] = t->key;
            *t = (tf_slot){0};
        }
    }
    return DPL_OK;
}

static dpl_status tell(aligner *a, const char *stage, uint64_t n_docs, dpl_error *err)
{
    dpl_progress p = {.stage = stage, .unit = "documents", .done = n_docs};
    return dpl__progress(a->ctx, &p, err);
}

static dpl_status add_counts(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    const slot *s = &a->slots[i];
    uint64_t n = a->s.n_docs[a->file] + s->n_docs;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u documents", UINT32_MAX - 1);
    a->s.n_docs[a->file] = (uint32_t)n;
    DPL_TRY(dpl__doc_counts_add(&a->counts, s->ngrams.data, s->ngrams.n, err));
    return tell(a, "count n-grams", n, err);
}

static dpl_status count_all(aligner *a, dpl_error *err)
{
    dpl__pipeline p = {.user = a,
                       .n_slots = a->n_slots,
                       .produce = take_chunk,
                       .map = count_chunk,
                       .commit = add_counts};
    for (a->file = 0; a->file < 2; a->file++)
        DPL_TRY(dpl__pipeline_run(a->ctx, &p, err));
    DPL_TRY(dpl__doc_counts_end(&a->counts, a->o.min_count, err));
    a->s.n_entries = a->counts.n_entries;
    a->s.n_ngrams = a->counts.n_ngrams;
    a->s.n_rare = a->counts.n_rare;
    for (size_t i = 0; i < a->counts.n; i++)
        a->s.n_frequent += a->counts.counts[i] > a->o.max_count;
    return DPL_OK;
}

/* ---- weights -------------------------------------------------------------------------- */

static double idf(const aligner *a, uint32_t df)
{
    if (df < IDF_TABLE)
        return a->idf_of[df];
    return dpl__log(((double)a->s.n_docs[0] + a->s.n_docs[1]) / (1. + df));
}

/* The weighted n-grams of a line that are compared, of length one together with those that are
 * too rare to be; x->row. */
static dpl_status weight(aligner *a, scratch *x, dpl_str line, uint64_t number, dpl_error *err)
{
    DPL_TRY(count_ngrams(a, x, line, number, err));
    x->row.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, &x->row, x->used.n), err));
    double sum = 0;
    const uint32_t *used = x->used.data;
    tf_slot *slots = x->counts.slots;
    for (size_t k = 0; k < x->used.n; k++) {
        if (k + 2 * AHEAD < x->used.n)
            dpl__doc_counts_soon(&a->counts, slots[used[k + 2 * AHEAD]].key);
        if (k + AHEAD < x->used.n)
            dpl__doc_counts_next(&a->counts, slots[used[k + AHEAD]].key);
        tf_slot *t = &slots[used[k]];
        size_t at = dpl__doc_counts_find(&a->counts, t->key);
        double tf = t->count == 1 ? 0x1.62e42fefa39efp-1 : dpl__log(t->count + 1.); /* ln 2 */
        *t = (tf_slot){0};
        if (at == SIZE_MAX) {
            double w = tf * idf(a, 1);
            sum += w * w;
        } else if (a->counts.counts[at] <= a->o.max_count) {
            double w = tf * idf(a, a->counts.counts[at]);
            sum += w * w;
            if (w > 0) /* not in all documents; sums of others rise from 0 */
                x->row.data[x->row.n++] = (weighted){(uint32_t)at, (float)w};
        }
    }
    double scale = sum > 0 ? 1 / sqrt(sum) : 0;
    for (size_t k = 0; k < x->row.n; k++)
        x->row.data[k].weight = (float)((double)x->row.data[k].weight * scale);
    return DPL_OK;
}

/* ---- the first file: an inverted index ------------------------------------------------- */

static dpl_status weight_chunk(void *user, size_t i, unsigned worker, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    scratch *x = &a->scratch[worker];
    s->rows.n = s->lengths.n = 0;
    dpl_str line;
    for (size_t at = 0; dpl__chunk_line(&s->chunk, &at, &line);) {
        DPL_TRY(weight(a, x, line, s->chunk.first + s->lengths.n, err));
        DPL_TRY(dpl__need(dpl__vec_append(a->ctx, &s->rows, x->row.data, x->row.n) &&
                              dpl__vec_push(a->ctx, &s->lengths, (uint32_t)x->row.n),
                          err));
    }
    return DPL_OK;
}

static dpl_status add_to(aligner *a, rows *to, const slot *s, dpl_error *err)
{
    DPL_TRY(
        dpl__need(dpl__vec_append(a->ctx, &to->lengths, s->lengths.data, s->lengths.n), err));
    return dpl__spool_append(&to->spool, s->rows.data, s->rows.n * sizeof *s->rows.data, err);
}

static dpl_status add_rows(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    const slot *s = &a->slots[i];
    DPL_TRY(add_to(a, &a->rows[0], s, err));
    return tell(a, "index", a->rows[0].lengths.n, err);
}

/* Documents from a->first on whose postings fit; one at the least. */
static uint64_t cut_block(aligner *a)
{
    const uint32_t *lengths = a->rows[0].lengths.data;
    uint64_t n = 0;
    for (a->end = a->first; a->end < a->s.n_docs[0]; a->end++) {
        if (a->end > a->first && n + lengths[a->end] > a->most_postings)
            break;
        n += lengths[a->end];
    }
    return n;
}

/* The most documents and postings that a block has. */
static dpl_status measure_blocks(aligner *a, dpl_error *err)
{
    a->most_postings = dpl__max(a->share / sizeof(posting), 1);
    size_t most = 1; /* lists of no n-grams have a place, too */
    for (a->first = 0; a->first < a->s.n_docs[0]; a->first = a->end) {
        uint64_t n = cut_block(a);
        if (n >= UINT32_MAX)
            return dpl__fail(err, DPL_E_LIMIT, "more than %u n-grams in the index", UINT32_MAX);
        most = dpl__max(most, (size_t)n);
        a->most_docs = (uint32_t)dpl__max(a->most_docs, a->end - a->first);
    }
    a->first = 0;
    cut_block(a);
    a->has_blocks = a->end < a->s.n_docs[0];
    a->postings = dpl__alloc(a->ctx, most * sizeof *a->postings);
    DPL_TRY(dpl__need(a->postings, err));
    return dpl__scratch_init(&a->starts, &a->spill, a->counts.n + 3, a->share, err);
}

/* One pass over the rows of a block: counts n-grams, or places postings. */
static dpl_status pass_block(aligner *a, uint32_t *starts, bool is_placing, dpl_error *err)
{
    weighted some[1024];
    const rows *r = &a->rows[0];
    uint64_t at = a->first_row, n_left = 0;
    size_t n = 0, k = 0;
    for (uint32_t doc = a->first; doc < a->end; doc++)
        n_left += r->lengths.data[doc];
    for (uint32_t doc = a->first; doc < a->end; doc++)
        for (uint32_t i = 0; i < r->lengths.data[doc]; i++, k++) {
            if (k == n) {
                n = (size_t)dpl__min(n_left, DPL_LEN(some));
                DPL_TRY(
                    dpl__spool_read(&r->spool, at * sizeof *some, some, n * sizeof *some, err));
                at += n;
                n_left -= n;
                k = 0;
            }
            if (is_placing)
                a->postings[starts[some[k].number]++] =
                    (posting){doc - a->first, some[k].weight};
            else
                starts[some[k].number + 1]++;
        }
    return DPL_OK;
}

static dpl_status invert(aligner *a, dpl_error *err)
{
    size_t n = a->counts.n + 1;
    memset(a->starts.data, 0, a->starts.n * sizeof *a->starts.data);
    uint32_t *starts = a->starts.data + 1; /* where the next one goes, then where it ended */
    DPL_TRY(pass_block(a, starts, false, err));
    for (size_t i = 1; i < n; i++)
        starts[i] += starts[i - 1];
    return pass_block(a, starts, true, err);
}

static dpl_status fail_changed(aligner *a, dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s' changed while it was read",
                     a->files[a->file].path);
}

static dpl_status index_first(aligner *a, dpl_error *err)
{
    dpl__pipeline p = {.user = a,
                       .n_slots = a->n_slots,
                       .produce = take_chunk,
                       .map = weight_chunk,
                       .commit = add_rows};
    a->file = 0;
    DPL_TRY(dpl__encoded_rewind(&a->files[0], err));
    DPL_TRY(dpl__pipeline_run(a->ctx, &p, err));
    if (a->rows[0].lengths.n != a->s.n_docs[0])
        return fail_changed(a, err);
    DPL_TRY(measure_blocks(a, err));
    DPL_TRY(invert(a, err));
    if (!a->has_blocks)
        dpl__spool_clear(&a->rows[0].spool);
    return DPL_OK;
}

/* ---- the second file: scores ----------------------------------------------------------- */

/* The first lines of a list; the processor fetches more by itself. */
static void prefetch_list(const aligner *a, uint32_t number)
{
    enum { LINE = 64, MOST = 16 * LINE };
    const char *p = (const char *)(a->postings + a->starts.data[number]),
               *end = (const char *)(a->postings + a->starts.data[number + 1]);
    end = end - p > MOST ? p + MOST : end;
    for (; p < end; p += LINE)
        DPL_PREFETCH(p);
}

/* A document of the second file. */
typedef struct doc_row {
    const weighted *entries;
    size_t n;
    uint32_t doc;
} doc_row;

/* Adds products to the sums. Whole groups are marked: a document at a time, marking and looking
 * again takes longer than adding. */
static void add_products(const aligner *a, scratch *x, slot *s, const doc_row *of)
{
    const weighted *row = of->entries;
    const size_t n_row = of->n;
    float *sums = x->sums;
    uint8_t *is_touched = x->is_touched;
    const uint32_t *starts = a->starts.data;
    for (size_t k = 0; k < n_row; k++) {
        if (k + 2 * AHEAD < n_row)
            DPL_PREFETCH(&starts[row[k + 2 * AHEAD].number]);
        if (k + AHEAD < n_row)
            prefetch_list(a, row[k + AHEAD].number);
        float w = row[k].weight;
        const posting *p = a->postings + starts[row[k].number];
        const posting *end = a->postings + starts[row[k].number + 1];
        s->n_products += (uint64_t)(end - p);
        for (; p < end; p++) {
            is_touched[p->doc / GROUP] = 1;
            sums[p->doc] += w * p->weight;
        }
    }
}

static bool has_sum(const float *sums, float least)
{
    int has = 0;
    for (size_t i = 0; i < GROUP; i++)
        has |= sums[i] >= least;
    return has;
}

/* Pairs of a row with the documents of the first file that are in the index. */
static dpl_status score_doc(aligner *a, scratch *x, slot *s, const doc_row *of, dpl_error *err)
{
    const float least = (float)(a->o.threshold * 0.999999);
    add_products(a, x, s, of);
    for (size_t g = 0; g < x->n_groups; g++) {
        float *sums = x->sums + g * GROUP;
        if (!x->is_touched[g])
            continue;
        x->is_touched[g] = 0;
        for (size_t i = has_sum(sums, least) ? 0 : GROUP; i < GROUP; i++) {
            const dpl_pair pair = {a->first + (uint32_t)(g * GROUP + i), of->doc, sums[i]};
            if ((double)sums[i] >= a->o.threshold && sums[i] != 0 &&
                !dpl__vec_push(a->ctx, &s->pairs, pair))
                return dpl__fail_nomem(err);
        }
        memset(sums, 0, GROUP * sizeof *sums);
    }
    return DPL_OK;
}

DPL__ORDER(by_left, dpl_pair, DPL__RISING(right) DPL__RISING(left))

static void sort_chunk(const aligner *a, slot *s)
{
    if (a->o.all && !a->has_blocks && s->pairs.n)
        dpl__vec_sort(&s->pairs, by_left);
}

static dpl_status score_chunk(void *user, size_t i, unsigned worker, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    scratch *x = &a->scratch[worker];
    s->pairs.n = s->rows.n = s->lengths.n = 0;
    s->n_docs = s->n_products = 0;
    s->first = s->chunk.first;
    dpl_str line;
    for (size_t at = 0; dpl__chunk_line(&s->chunk, &at, &line); s->n_docs++) {
        uint64_t doc = s->chunk.first + s->n_docs;
        DPL_TRY(weight(a, x, line, doc, err));
        const doc_row row = {x->row.data, x->row.n, (uint32_t)doc};
        DPL_TRY(score_doc(a, x, s, &row, err));
        if (a->has_blocks && (!dpl__vec_append(a->ctx, &s->rows, x->row.data, x->row.n) ||
                              !dpl__vec_push(a->ctx, &s->lengths, (uint32_t)x->row.n)))
            return dpl__fail_nomem(err);
    }
    sort_chunk(a, s);
    return DPL_OK;
}

static dpl_status give(aligner *a, const dpl_pair *pair, dpl_error *err)
{
    a->s.n_pairs++;
    return a->input->take(a->input->user, pair, err);
}

/* All: by right, then left document. Else score downwards, then higher left, then higher right
 * document; the bits of scores, which are positive, are in their order. */
static dpl_status sort_pair(aligner *a, const dpl_pair *p, dpl_error *err)
{
    uint32_t bits;
    memcpy(&bits, &p->score, sizeof bits);
    const ranked r = a->o.all ? (ranked){{p->right, p->left, 0}, *p}
                              : (ranked){{~bits, ~p->left, ~p->right}, *p};
    return pair_sort_add(&a->pairs, &r, err);
}

static dpl_status add_pairs(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    const slot *s = &a->slots[i];
    a->s.n_scored += s->pairs.n;
    a->s.n_products += s->n_products;
    for (size_t k = 0; k < s->pairs.n; k++)
        DPL_TRY(a->o.all && !a->has_blocks ? give(a, &s->pairs.data[k], err)
                                           : sort_pair(a, &s->pairs.data[k], err));
    if (s->lengths.n && a->first == 0)
        DPL_TRY(add_to(a, &a->rows[1], s, err));
    return tell(a, "score", s->first + s->n_docs, err);
}

/* ---- the second file again, for the next block ------------------------------------------ */

static dpl_status take_rows(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    const rows *r = &a->rows[1];
    size_t n = 0;
    s->lengths.n = s->rows.n = 0;
    s->first = a->next_doc;
    while (a->next_doc < r->lengths.n && n < ROWS_AT_ONCE) {
        uint32_t length = r->lengths.data[a->next_doc++];
        n += length;
        DPL_TRY(dpl__need(dpl__vec_push(a->ctx, &s->lengths, length), err));
    }
    if (!s->lengths.n)
        return DPL_END;
    DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, &s->rows, n + 1), err));
    if (n)
        DPL_TRY(dpl__spool_read(&r->spool, a->next_row * sizeof *s->rows.data, s->rows.data,
                                n * sizeof *s->rows.data, err));
    s->rows.n = n;
    a->next_row += n;
    return DPL_OK;
}

static dpl_status score_rows(void *user, size_t i, unsigned worker, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    s->pairs.n = 0;
    s->n_products = 0;
    s->n_docs = s->lengths.n;
    const weighted *row = s->rows.data;
    for (size_t k = 0; k < s->lengths.n; row += s->lengths.data[k++]) {
        const doc_row of = {row, s->lengths.data[k], (uint32_t)(s->first + k)};
        DPL_TRY(score_doc(a, &a->scratch[worker], s, &of, err));
    }
    return DPL_OK;
}

static dpl_status score_blocks(aligner *a, dpl_error *err)
{
    dpl__pipeline p = {.user = a,
                       .n_slots = a->n_slots,
                       .produce = take_rows,
                       .map = score_rows,
                       .commit = add_pairs};
    while (a->end < a->s.n_docs[0]) {
        for (uint32_t doc = a->first; doc < a->end; doc++)
            a->first_row += a->rows[0].lengths.data[doc];
        a->first = a->end;
        cut_block(a);
        DPL_TRY(invert(a, err));
        a->next_doc = 0;
        a->next_row = 0;
        DPL_TRY(dpl__pipeline_run(a->ctx, &p, err));
    }
    return DPL_OK;
}

static dpl_status make_sums(aligner *a, dpl_error *err)
{
    for (unsigned i = 0; i < dpl_ctx_threads(a->ctx); i++) {
        scratch *x = &a->scratch[i];
        x->n_groups = (size_t)a->most_docs / GROUP + 1;
        x->sums = dpl__calloc(a->ctx, x->n_groups * GROUP, sizeof *x->sums);
        x->is_touched = dpl__calloc(a->ctx, x->n_groups, 1);
        DPL_TRY(dpl__need(x->sums && x->is_touched, err));
    }
    return DPL_OK;
}

static dpl_status score_second(aligner *a, dpl_error *err)
{
    dpl__pipeline p = {.user = a,
                       .n_slots = a->n_slots,
                       .produce = take_chunk,
                       .map = score_chunk,
                       .commit = add_pairs};
    a->file = 1;
    DPL_TRY(make_sums(a, err));
    DPL_TRY(dpl__encoded_rewind(&a->files[1], err));
    DPL_TRY(dpl__pipeline_run(a->ctx, &p, err));
    if (a->files[1].n_lines != a->s.n_docs[1])
        return fail_changed(a, err);
    return score_blocks(a, err);
}

/* ---- selection ------------------------------------------------------------------------ */

/* Each document once, best first; or all of them. */
static dpl_status take_sorted(aligner *a, bool *is_taken, dpl_error *err)
{
    ranked r;
    dpl_status status;
    DPL_TRY(pair_sort_end(&a->pairs, err));
    while ((status = pair_sort_next(&a->pairs, &r, err)) == DPL_OK) {
        bool *left = &is_taken[r.pair.left],
             *right = &is_taken[(size_t)a->s.n_docs[0] + r.pair.right];
        if (!a->o.all && (*left || *right))
            continue;
        *left = *right = true;
        DPL_TRY(give(a, &r.pair, err));
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status select_best(aligner *a, dpl_error *err)
{
    size_t n = (size_t)a->s.n_docs[0] + a->s.n_docs[1] + 1;
    bool *is_taken = dpl__calloc(a->ctx, n, sizeof *is_taken);
    dpl_status status = is_taken ? take_sorted(a, is_taken, err) : dpl__fail_nomem(err);
    dpl__free(a->ctx, is_taken);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------ */

static dpl_status settle(dpl_docalign_options *o, const dpl_docalign_options *options,
                         dpl_error *err)
{
    DPL_TRY(DPL__TAKE(o, options, err));
    o->ngram_size = o->ngram_size ? o->ngram_size : 2;
    o->min_count = o->min_count ? o->min_count : 2;
    o->max_count = o->max_count ? o->max_count : 1000;
    o->threshold = o->threshold == 0 ? 0.1 : o->threshold < 0 ? 0 : o->threshold;
    if (o->ngram_size > DPL__NGRAM_MOST_WORDS)
        return dpl__fail(err, DPL_E_USAGE, "an n-gram has at most %d words",
                         DPL__NGRAM_MOST_WORDS);
    return DPL_OK;
}

static dpl_status begin(aligner *a, dpl_error *err)
{
    a->base64 = dpl__base64_make();
    DPL_TRY(dpl__spill_init(&a->spill, a->ctx, a->o.temp ? a->o.temp : dpl__unnamed_dir, err));
    a->share = (size_t)(dpl_ctx_memory(a->ctx) / 4);
    dpl__doc_counts_init(&a->counts, &a->spill, a->share);
    for (size_t i = 0; i < 2; i++)
        dpl__spool_init(&a->rows[i].spool, &a->spill, a->share / 2);
    pair_sort_init(&a->pairs, &a->spill, a->share / 4);
    DPL_TRY(dpl__encoded_open(&a->files[0], &a->spill, a->input->translated, err));
    DPL_TRY(dpl__encoded_open(&a->files[1], &a->spill, a->input->english, err));
    a->n_slots = (size_t)dpl_ctx_threads(a->ctx) * SLOTS;
    a->slots = dpl__calloc(a->ctx, a->n_slots, sizeof *a->slots);
    a->scratch = dpl__calloc(a->ctx, dpl_ctx_threads(a->ctx), sizeof *a->scratch);
    return dpl__need(a->slots && a->scratch, err);
}

static void end(aligner *a)
{
    dpl_ctx *ctx = a->ctx;
    pair_sort_clear(&a->pairs);
    dpl__free(ctx, a->postings);
    dpl__scratch_clear(&a->starts);
    for (size_t i = 0; i < 2; i++) {
        dpl__spool_clear(&a->rows[i].spool);
        dpl__vec_clear(ctx, &a->rows[i].lengths);
    }
    for (unsigned i = 0; a->scratch && i < dpl_ctx_threads(ctx); i++)
        clear_scratch(&a->scratch[i], ctx);
    dpl__free(ctx, a->scratch);
    for (size_t i = 0; a->slots && i < a->n_slots; i++) {
        slot *s = &a->slots[i];
        dpl__vec_clear(ctx, &s->chunk.text, &s->ngrams, &s->rows, &s->lengths, &s->pairs);
    }
    dpl__free(ctx, a->slots);
    dpl__doc_counts_clear(&a->counts);
    dpl__encoded_close(&a->files[1]);
    dpl__encoded_close(&a->files[0]);
    dpl__spill_clear(&a->spill);
}

static dpl_status run(aligner *a, dpl_error *err)
{
    DPL_TRY(begin(a, err));
    DPL_TRY(count_all(a, err));
    for (size_t i = 0; i < a->n_slots; i++)
        dpl__vec_clear(a->ctx, &a->slots[i].ngrams);
    double n_docs = (double)a->s.n_docs[0] + a->s.n_docs[1];
    for (size_t df = 0; df < IDF_TABLE; df++)
        a->idf_of[df] = dpl__log(n_docs / (1. + (double)df));
    DPL_TRY(index_first(a, err));
    for (size_t i = 0; i < a->n_slots; i++)
        dpl__vec_clear(a->ctx, &a->slots[i].rows);
    DPL_TRY(score_second(a, err));
    return a->o.all && !a->has_blocks ? DPL_OK : select_best(a, err);
}

dpl_status dpl_docalign(dpl_docalign_summary *summary, dpl_ctx *ctx,
                        const dpl_docalign_input *input, const dpl_docalign_options *options,
                        dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    dpl_docalign_input in;
    DPL_TRY(DPL__TAKE(&in, input, err));
    aligner *a = dpl__calloc(ctx, 1, sizeof *a);
    DPL_TRY(dpl__need(a, err));
    double start = dpl__now();
    a->ctx = ctx;
    a->input = &in;
    dpl_status status;
    DPL__STEP(settle(&a->o, options, err));
    DPL__STEP(run(a, err));
    a->s.seconds = dpl__now() - start;
    DPL__GIVE(summary, &a->s);
done:
    end(a);
    dpl__free(ctx, a);
    return status;
}
