/*
 * docalign.c - what ParaCrawl's document aligner does, in a tenth of its time and memory.
 *
 * In: two files of documents in base64. Out: pairs. Both files are read twice: to count in how
 * many documents each n-gram occurs, and to weight them. The first file becomes an inverted
 * index, 8 bytes an entry; a document of the second adds products into one number for each
 * document of the first. Cost: two passes over the text and one multiply-add for each n-gram
 * that two documents share.
 */
#include "base/ctx.h"
#include "base/maths.h"
#include "base/sized.h"
#include "io/temporary.h"
#include "ngram/doc_counts.h"
#include "ngram/encoded_docs.h"
#include "ngram/extract.h"
#include "pairs/radix.h"
#include "par/pool.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = 3, IDF_TABLE = 1 << 12, AHEAD = 8 };

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

/* Counts of the n-grams of one document: open addressing. */
typedef struct tf_slot {
    uint64_t ngram; /* 0: free */
    uint32_t count;
} tf_slot;

typedef struct scratch {
    dpl__words words;
    tf_slot *slots;
    size_t n_slots;
    DPL_VEC(uint32_t) used; /* slots in the order of the document */
    DPL_VEC(weighted) row;
    float *sums;       /* for each document of the first file */
    uint32_t *touched; /* documents whose sum is not 0 */
} scratch;

typedef struct slot {
    dpl__chunk chunk;
    dpl__fingerprints ngrams;  /* of the first pass */
    DPL_VEC(weighted) rows;    /* of the first file */
    DPL_VEC(uint32_t) lengths; /* of these */
    pair_vec pairs;            /* of the second file */
    uint64_t n_docs, n_products;
} slot;

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
    DPL_VEC(weighted) rows; /* of the first file, until they are postings */
    DPL_VEC(uint32_t) lengths;
    uint64_t *starts; /* of each n-gram in the postings */
    posting *postings;
    uint64_t n_postings;
    double idf_of[IDF_TABLE]; /* of low counts */
    pair_vec pairs;
} aligner;

/* ---- n-grams of a document ------------------------------------------------------------ */

static void clear_scratch(scratch *x, dpl_ctx *ctx, size_t n_left)
{
    dpl__words_clear(&x->words, ctx);
    dpl__free(ctx, x->slots, x->n_slots * sizeof *x->slots);
    dpl__vec_clear(ctx, &x->used);
    dpl__vec_clear(ctx, &x->row);
    dpl__free(ctx, x->sums, n_left * sizeof *x->sums);
    dpl__free(ctx, x->touched, n_left * sizeof *x->touched);
    *x = (scratch){0};
}

/* Room for n different n-grams; all slots are free. */
static dpl_status make_slots(scratch *x, dpl_ctx *ctx, size_t n, dpl_error *err)
{
    size_t want = 256;
    while (want < 2 * n)
        want *= 2;
    if (want > x->n_slots) {
        dpl__free(ctx, x->slots, x->n_slots * sizeof *x->slots);
        x->n_slots = 0;
        x->slots = dpl__calloc(ctx, want, sizeof *x->slots);
        if (!x->slots)
            return dpl__fail_nomem(err);
        x->n_slots = want;
    }
    x->used.n = 0;
    return dpl__vec_reserve(ctx, &x->used, n) ? DPL_OK : dpl__fail_nomem(err);
}

/* The n-grams of a line and how often each occurs, in x->used. */
static dpl_status count_ngrams(aligner *a, scratch *x, dpl_str line, uint64_t number,
                               dpl_error *err)
{
    DPL_TRY(dpl__words_read(&x->words, a->ctx, &a->base64, line, number, a->files[a->file].path,
                            err));
    size_t n = x->words.words.n;
    DPL_TRY(make_slots(x, a->ctx, n, err));
    size_t mask = x->n_slots - 1;
    dpl__ngram_roll roll = dpl__ngram_roll_begin(a->o.ngram_size);
    for (size_t i = 0; i < n; i++) {
        uint64_t f = dpl__ngram_roll_in(&roll, x->words.words.data, i);
        if (i + 1 < a->o.ngram_size)
            continue;
        f += !f;
        size_t k = f & mask;
        while (x->slots[k].ngram && x->slots[k].ngram != f)
            k = (k + 1) & mask;
        if (!x->slots[k].ngram) {
            x->slots[k].ngram = f;
            x->used.data[x->used.n++] = (uint32_t)k;
        }
        x->slots[k].count++;
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
        if (!dpl__vec_reserve(a->ctx, &s->ngrams, x->used.n))
            return dpl__fail_nomem(err);
        for (size_t k = 0; k < x->used.n; k++) {
            tf_slot *t = &x->slots[x->used.data[k]];
            s->ngrams.data[s->ngrams.n++] = t->ngram;
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
    if (!dpl__vec_reserve(a->ctx, &x->row, x->used.n))
        return dpl__fail_nomem(err);
    double sum = 0;
    const uint32_t *used = x->used.data;
    for (size_t k = 0; k < x->used.n; k++) {
        if (k + 2 * AHEAD < x->used.n)
            dpl__doc_counts_soon(&a->counts, x->slots[used[k + 2 * AHEAD]].ngram);
        if (k + AHEAD < x->used.n)
            dpl__doc_counts_next(&a->counts, x->slots[used[k + AHEAD]].ngram);
        tf_slot *t = &x->slots[used[k]];
        size_t at = dpl__doc_counts_find(&a->counts, t->ngram);
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
        if (!dpl__vec_append(a->ctx, &s->rows, x->row.data, x->row.n) ||
            !dpl__vec_push(a->ctx, &s->lengths, (uint32_t)x->row.n))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status add_rows(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    const slot *s = &a->slots[i];
    if (!dpl__vec_append(a->ctx, &a->rows, s->rows.data, s->rows.n) ||
        !dpl__vec_append(a->ctx, &a->lengths, s->lengths.data, s->lengths.n))
        return dpl__fail_nomem(err);
    return tell(a, "index", a->lengths.n, err);
}

static dpl_status invert(aligner *a, dpl_error *err)
{
    size_t n = a->counts.n + 1;
    a->n_postings = a->rows.n;
    a->starts = dpl__calloc(a->ctx, n + 1, sizeof *a->starts);
    a->postings =
        a->n_postings ? dpl__alloc(a->ctx, a->n_postings * sizeof *a->postings) : NULL;
    if (!a->starts || (a->n_postings && !a->postings))
        return dpl__fail_nomem(err);
    uint64_t *starts = a->starts + 1; /* becomes where the next one goes, then where it ended */
    for (size_t i = 0; i < a->rows.n; i++)
        starts[a->rows.data[i].number + 1]++;
    for (size_t i = 1; i < n; i++)
        starts[i] += starts[i - 1];
    const weighted *w = a->rows.data;
    for (uint32_t doc = 0; doc < a->lengths.n; doc++)
        for (uint32_t k = 0; k < a->lengths.data[doc]; k++, w++)
            a->postings[starts[w->number]++] = (posting){doc, w->weight};
    dpl__vec_clear(a->ctx, &a->rows);
    dpl__vec_clear(a->ctx, &a->lengths);
    return DPL_OK;
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
    return a->lengths.n == a->s.n_docs[0] ? invert(a, err) : fail_changed(a, err);
}

/* ---- the second file: scores ----------------------------------------------------------- */

/* The first lines of a list; the processor fetches more by itself. */
static void prefetch_list(const aligner *a, uint32_t number)
{
    const char *p = (const char *)(a->postings + a->starts[number]);
    DPL_PREFETCH(p);
    DPL_PREFETCH(p + 64);
    DPL_PREFETCH(p + 128);
}

/* Pairs of the document in x->row with those of the first file. */
static dpl_status score_doc(aligner *a, scratch *x, slot *s, uint32_t doc, dpl_error *err)
{
    float *sums = x->sums;
    uint32_t *touched = x->touched;
    size_t n = 0;
    for (size_t k = 0; k < x->row.n; k++) {
        if (k + 2 * AHEAD < x->row.n)
            DPL_PREFETCH(&a->starts[x->row.data[k + 2 * AHEAD].number]);
        if (k + AHEAD < x->row.n)
            prefetch_list(a, x->row.data[k + AHEAD].number);
        float w = x->row.data[k].weight;
        const posting *p = a->postings + a->starts[x->row.data[k].number];
        const posting *end = a->postings + a->starts[x->row.data[k].number + 1];
        s->n_products += (uint64_t)(end - p);
        for (; p < end; p++) {
            float sum = sums[p->doc];
            touched[n] = p->doc;
            n += sum == 0;
            sums[p->doc] = sum + w * p->weight;
        }
    }
    for (size_t i = 0; i < n; i++) {
        float sum = sums[touched[i]];
        sums[touched[i]] = 0;
        dpl_pair pair = {touched[i], doc, sum};
        if ((double)sum >= a->o.threshold && sum != 0 &&
            !dpl__vec_push(a->ctx, &s->pairs, pair))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static int by_left(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->right != y->right)
        return x->right < y->right ? -1 : 1;
    return x->left < y->left ? -1 : x->left > y->left;
}

static dpl_status score_chunk(void *user, size_t i, unsigned worker, dpl_error *err)
{
    aligner *a = user;
    slot *s = &a->slots[i];
    scratch *x = &a->scratch[worker];
    s->pairs.n = 0;
    s->n_docs = s->n_products = 0;
    dpl_str line;
    for (size_t at = 0; dpl__chunk_line(&s->chunk, &at, &line); s->n_docs++) {
        uint64_t doc = s->chunk.first + s->n_docs;
        DPL_TRY(weight(a, x, line, doc, err));
        DPL_TRY(score_doc(a, x, s, (uint32_t)doc, err));
    }
    if (a->o.all && s->pairs.n)
        qsort(s->pairs.data, s->pairs.n, sizeof *s->pairs.data, by_left);
    return DPL_OK;
}

static dpl_status give(aligner *a, const dpl_pair *pair, dpl_error *err)
{
    a->s.n_pairs++;
    return a->input->take(a->input->user, pair, err);
}

static dpl_status add_pairs(void *user, size_t i, dpl_error *err)
{
    aligner *a = user;
    const slot *s = &a->slots[i];
    a->s.n_scored += s->pairs.n;
    a->s.n_products += s->n_products;
    if (a->o.all)
        for (size_t k = 0; k < s->pairs.n; k++)
            DPL_TRY(give(a, &s->pairs.data[k], err));
    else if (!dpl__vec_append(a->ctx, &a->pairs, s->pairs.data, s->pairs.n))
        return dpl__fail_nomem(err);
    return tell(a, "score", s->chunk.first + s->n_docs, err);
}

static dpl_status make_sums(aligner *a, dpl_error *err)
{
    size_t n = (size_t)a->s.n_docs[0] + 1;
    for (unsigned i = 0; i < dpl_ctx_threads(a->ctx); i++) {
        a->scratch[i].sums = dpl__calloc(a->ctx, n, sizeof *a->scratch[i].sums);
        a->scratch[i].touched = dpl__alloc(a->ctx, n * sizeof *a->scratch[i].touched);
        if (!a->scratch[i].sums || !a->scratch[i].touched)
            return dpl__fail_nomem(err);
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
    return a->files[1].n_lines == a->s.n_docs[1] ? DPL_OK : fail_changed(a, err);
}

/* ---- selection ------------------------------------------------------------------------ */

/* Score downwards, then higher left, then higher right document. */
static int by_score(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->left != y->left)
        return x->left > y->left ? -1 : 1;
    return x->right > y->right ? -1 : x->right < y->right;
}

static dpl_status select_best(aligner *a, dpl_error *err)
{
    if (!a->pairs.n)
        return DPL_OK;
    qsort(a->pairs.data, a->pairs.n, sizeof *a->pairs.data, by_score);
    size_t n[2] = {(size_t)a->s.n_docs[0], (size_t)a->s.n_docs[1]};
    bool *is_taken = dpl__calloc(a->ctx, n[0] + n[1], sizeof *is_taken);
    if (!is_taken)
        return dpl__fail_nomem(err);
    dpl_status status = DPL_OK;
    for (size_t i = 0; status == DPL_OK && i < a->pairs.n; i++) {
        const dpl_pair *p = &a->pairs.data[i];
        if (is_taken[p->left] || is_taken[n[0] + p->right])
            continue;
        is_taken[p->left] = is_taken[n[0] + p->right] = true;
        status = give(a, p, err);
    }
    dpl__free(a->ctx, is_taken, (n[0] + n[1]) * sizeof *is_taken);
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
    dpl__doc_counts_init(&a->counts, a->ctx);
    DPL_TRY(dpl__spill_init(&a->spill, a->ctx,
                            a->o.spill_dir ? a->o.spill_dir : dpl__unnamed_dir, err));
    DPL_TRY(dpl__encoded_open(&a->files[0], &a->spill, a->input->translated, err));
    DPL_TRY(dpl__encoded_open(&a->files[1], &a->spill, a->input->english, err));
    a->n_slots = (size_t)dpl_ctx_threads(a->ctx) * SLOTS;
    a->slots = dpl__calloc(a->ctx, a->n_slots, sizeof *a->slots);
    a->scratch = dpl__calloc(a->ctx, dpl_ctx_threads(a->ctx), sizeof *a->scratch);
    return a->slots && a->scratch ? DPL_OK : dpl__fail_nomem(err);
}

static void end(aligner *a)
{
    dpl_ctx *ctx = a->ctx;
    dpl__vec_clear(ctx, &a->pairs);
    dpl__free(ctx, a->postings, a->n_postings * sizeof *a->postings);
    if (a->starts)
        dpl__free(ctx, a->starts, (a->counts.n + 2) * sizeof *a->starts);
    dpl__vec_clear(ctx, &a->rows);
    dpl__vec_clear(ctx, &a->lengths);
    for (unsigned i = 0; a->scratch && i < dpl_ctx_threads(ctx); i++)
        clear_scratch(&a->scratch[i], ctx, (size_t)a->s.n_docs[0] + 1);
    dpl__free(ctx, a->scratch, dpl_ctx_threads(ctx) * sizeof *a->scratch);
    for (size_t i = 0; a->slots && i < a->n_slots; i++) {
        slot *s = &a->slots[i];
        dpl__vec_clear(ctx, &s->chunk.text);
        dpl__vec_clear(ctx, &s->ngrams);
        dpl__vec_clear(ctx, &s->rows);
        dpl__vec_clear(ctx, &s->lengths);
        dpl__vec_clear(ctx, &s->pairs);
    }
    dpl__free(ctx, a->slots, a->n_slots * sizeof *a->slots);
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
    return a->o.all ? DPL_OK : select_best(a, err);
}

dpl_status dpl_docalign(dpl_docalign_summary *summary, dpl_ctx *ctx,
                        const dpl_docalign_input *input, const dpl_docalign_options *options,
                        dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    dpl_docalign_input in;
    DPL_TRY(DPL__TAKE(&in, input, err));
    aligner *a = dpl__calloc(ctx, 1, sizeof *a);
    if (!a)
        return dpl__fail_nomem(err);
    double start = dpl__now();
    a->ctx = ctx;
    a->input = &in;
    dpl_status status = settle(&a->o, options, err);
    if (status == DPL_OK)
        status = run(a, err);
    end(a);
    a->s.seconds = dpl__now() - start;
    if (status == DPL_OK)
        DPL__GIVE(summary, &a->s);
    dpl__free(ctx, a, sizeof *a);
    return status;
}
