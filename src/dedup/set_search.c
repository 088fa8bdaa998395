/*
 * set_search.c - near-duplicates by their shingles: which method, and its candidates.
 *
 * exact is set_join.c. minhash makes codes of all documents (doppel/codes.h), of which only
 * those of the first document of each row are joined. simhash makes a fingerprint of each row:
 * bit i says whether more than half of its shingles have bit i in their keys.
 */
#include "dedup/dedup_search.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "dedup/dedup_params.h"
#include "doppel/codes.h"
#include "io/shared_run.h"
#include "par/pool.h"
#include "signatures/codes.h"

enum { ROWS_PER_JOB = 64, SOME_PAIRS = 4096 };

/* ---- candidates --------------------------------------------------------------------- */

/* left, right: rows that the numbers of the buckets stand for; NULL: they are rows. */
static dpl_status take_candidates(dpl__verifier *to, dpl_buckets *buckets, const uint32_t *left,
                                  const uint32_t *right, dpl_error *err)
{
    dpl_row_pair pairs[SOME_PAIRS];
    size_t n;
    dpl_status status;
    while ((status = dpl_buckets_next(buckets, pairs, &n, SOME_PAIRS, err)) == DPL_OK)
        for (size_t i = 0; i < n; i++)
            DPL_TRY(dpl__verifier_add(to, left ? left[pairs[i].left] : pairs[i].left,
                                      right ? right[pairs[i].right] : pairs[i].right, err));
    return status == DPL_END ? DPL_OK : status;
}

static dpl_join_options join_options(const dpl__dedup_query *q)
{
    return (dpl_join_options)DPL_INIT(
        dpl_join_options, .most = (uint32_t)DPL__P(dedup, most_in_group), .temp = q->spill_dir);
}

/* ---- minhash ------------------------------------------------------------------------ */

/* Codes of length k that reach the recall at this Jaccard similarity. */
static double codes_for(double jaccard, double recall, unsigned k)
{
    double one = 1;
    for (unsigned i = 0; i < k; i++)
        one *= jaccard;
    return one < 1 ? dpl__log1p(-recall) / dpl__log1p(-one) : 1;
}

static void plan_codes(dpl_hash_options *h, double jaccard, double recall)
{
    enum { MOST = 64 };
    unsigned k = (unsigned)DPL__P(dedup, minhash_length);
    while (k > 1 && codes_for(jaccard, recall, k) > MOST)
        k--;
    const double l = codes_for(jaccard, recall, k);
    h->length = k;
    h->codes = l >= 1024 ? 1024 : (unsigned)l + ((double)(unsigned)l < l);
    h->codes = h->codes ? h->codes : 1;
}

/* Rows that are joined, and their codes. */
typedef struct code_side {
    const dpl__dedup_docs *docs;
    const dpl_hash *hash;
    uint32_t *rows, n;
    uint64_t *words;
    size_t n_words;
    unsigned n_codes;
    dpl_codes *codes; /* of the words */
} code_side;

typedef enum side_rows { ALL_ROWS, NEW_ROWS, OLD_ROWS } side_rows;

/* Which of the rows are in a part of the documents: their places in the side; NULL: no memory.
 */
static uint32_t *places_in(const code_side *s, uint32_t part, uint32_t *n)
{
    const dpl__dedup_docs *d = s->docs;
    uint32_t *places = dpl__alloc(d->ctx, (s->n + 1) * sizeof *places);
    *n = 0;
    for (uint32_t i = 0; places && i < s->n; i++)
        if (dpl__doc_part(d->sets->docs, d->rows[s->rows[i]].doc) == part)
            places[(*n)++] = i;
    return places;
}

/* Codes of the rows of a part, column by column. */
static dpl_status make_codes(dpl__bytes *out, void *user, size_t part, dpl_error *err)
{
    const code_side *s = user;
    const dpl__doc_parts *docs = s->docs->sets->docs;
    dpl_ctx *ctx = s->docs->ctx;
    const dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = docs->all[part]);
    uint32_t n, *numbers = places_in(s, (uint32_t)part, &n);
    const size_t n_bytes = (size_t)n * s->n_codes * sizeof(uint64_t);
    const dpl__some_rows rows = {numbers, n};
    dpl_status status;
    DPL__STEP(dpl__need(numbers && dpl__vec_reserve(ctx, out, n_bytes + 1), err));
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = dpl__doc_number(docs, s->docs->rows[s->rows[numbers[i]]].doc);
    status =
        dpl__codes_of_rows((uint64_t *)(void *)out->data, ctx, s->hash, &input, &rows, err);
    out->n = n_bytes;
done:
    dpl__free(ctx, numbers);
    return status;
}

static dpl_status take_codes(void *user, size_t part, const char *data, size_t n_bytes,
                             dpl_error *err)
{
    const code_side *s = user;
    uint32_t n, *places = places_in(s, (uint32_t)part, &n);
    dpl_status status = dpl__need(places, err);
    if (places && n_bytes != (size_t)n * s->n_codes * sizeof(uint64_t))
        status = dpl__fail(err, DPL_E_FORMAT, "codes of another size");
    for (size_t c = 0; c < s->n_codes && status == DPL_OK; c++)
        for (uint32_t i = 0; i < n; i++)
            memcpy(&s->words[c * s->n + places[i]], data + (c * n + i) * sizeof(uint64_t),
                   sizeof(uint64_t));
    dpl__free(s->docs->ctx, places);
    return status;
}

/* Computes the codes of each part's documents; in a shared run the processes divide them. */
static dpl_status fill_codes(code_side *s, side_rows which, dpl_error *err)
{
    dpl_ctx *ctx = s->docs->ctx;
    dpl__bytes bytes = {0};
    const dpl__shared_work work = {.name = "codes",
                                   .key = which,
                                   .n = s->docs->sets->docs->n,
                                   .user = s,
                                   .make = make_codes,
                                   .take = take_codes,
                                   .is_for_all = true};
    if (dpl__is_shared(ctx))
        return dpl__shared_work_run(ctx, &work, err);
    dpl_status status;
    DPL__STEP(make_codes(&bytes, s, 0, err));
    status = take_codes(s, 0, bytes.data, bytes.n, err);
done:
    dpl__vec_clear(ctx, &bytes);
    return status;
}

static dpl_status code_side_init(code_side *s, const dpl__dedup_docs *d, const dpl_hash *hash,
                                 unsigned n_codes, side_rows which, dpl_error *err)
{
    *s = (code_side){.docs = d, .hash = hash, .n_codes = n_codes};
    s->rows = dpl__alloc(d->ctx, ((size_t)d->n_rows + 1) * sizeof *s->rows);
    DPL_TRY(dpl__need(s->rows, err));
    for (uint32_t row = 0; row < d->n_rows; row++)
        if (which == ALL_ROWS ||
            (which == NEW_ROWS ? d->rows[row].has_new : d->rows[row].has_old))
            s->rows[s->n++] = row;
    s->n_words = (size_t)n_codes * s->n + 1;
    s->words = dpl__alloc(d->ctx, s->n_words * sizeof *s->words);
    DPL_TRY(dpl__need(s->words, err));
    DPL_TRY(fill_codes(s, which, err));
    return dpl_codes_from_buffer(&s->codes, d->ctx, s->words, s->n, n_codes, err);
}

static void code_side_clear(code_side *s, const dpl__dedup_docs *d)
{
    dpl_codes_close(s->codes);
    dpl__free(d->ctx, s->words, s->rows);
}

/* Within all rows, or of new rows (right) with old ones (left). */
static dpl_status join_codes(dpl__verifier *to, const dpl__dedup_query *q,
                             const code_side sides[2], dpl_error *err)
{
    const bool is_one = !q->options->only_against;
    const dpl_join_options o = join_options(q);
    dpl_buckets *buckets = NULL;
    if (!sides[0].n || (!is_one && !sides[1].n))
        return DPL_OK;
    DPL_TRY(dpl_codes_join(&buckets, q->ctx, sides[0].codes, is_one ? NULL : sides[1].codes, &o,
                           err));
    const dpl_status status =
        take_candidates(to, buckets, sides[0].rows, sides[is_one ? 0 : 1].rows, err);
    dpl_buckets_close(buckets);
    return status;
}

/* The rows that are joined: all, or old ones with new ones. */
static dpl_status make_sides(code_side sides[2], const dpl__dedup_query *q,
                             const dpl_hash *hash, unsigned n_codes, dpl_error *err)
{
    const bool only_against = q->options->only_against;
    DPL_TRY(code_side_init(&sides[0], q->docs, hash, n_codes,
                           only_against ? OLD_ROWS : ALL_ROWS, err));
    return only_against ? code_side_init(&sides[1], q->docs, hash, n_codes, NEW_ROWS, err)
                        : DPL_OK;
}

static dpl_status by_minhash(dpl__dedup_search *out, dpl__verifier *to,
                             const dpl__dedup_query *q, dpl_error *err)
{
    dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH,
                                  .shingle = q->options->shingle, .temp = q->spill_dir);
    dpl_hash *hash = NULL;
    code_side sides[2] = {{0}, {0}};
    plan_codes(&o, q->options->floor, q->options->recall);
    out->found.code_length = o.length;
    out->found.n_codes = o.codes;
    DPL_TRY(dpl_hash_new(&hash, q->ctx, &o, NULL, err));
    dpl_status status;
    DPL__STEP(make_sides(sides, q, hash, o.codes, err));
    status = join_codes(to, q, sides, err);
done:
    dpl_hash_free(hash);
    code_side_clear(&sides[1], q->docs);
    code_side_clear(&sides[0], q->docs);
    return status;
}

/* ---- simhash ------------------------------------------------------------------------ */

typedef struct printing {
    const dpl__dedup_query *q;
    uint64_t *prints;
} printing;

static uint64_t fingerprint(const uint64_t *keys, size_t n)
{
    uint32_t counts[64] = {0};
    uint64_t print = 0;
    for (size_t i = 0; i < n; i++)
        for (unsigned b = 0; b < 64; b++) {
            /* the lowest bits of keys are fixed */
            counts[b] += (uint32_t)((keys[i] * 0x9E3779B97F4A7C15u) >> b & 1);
        }
    for (unsigned b = 0; b < 64; b++)
        print |= (uint64_t)(2 * (size_t)counts[b] > n) << b;
    return print;
}

static dpl_status print_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    (void)err;
    const printing *p = user;
    const dpl__dedup_docs *d = p->q->docs;
    const size_t end = dpl__min(d->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++) {
        size_t n;
        const uint64_t *keys =
            dpl__sets_distinct(p->q->sets, d->rows[row].doc, &p->q->sets->scratch[worker], &n);
        p->prints[row] = fingerprint(keys, n);
    }
    return DPL_OK;
}

static dpl_status by_simhash(dpl__verifier *to, const dpl__dedup_query *q, dpl_error *err)
{
    const uint32_t n = q->docs->n_rows;
    const dpl_join_options o = join_options(q);
    dpl_buckets *buckets = NULL;
    printing p = {q, dpl__alloc(q->ctx, ((size_t)n + 1) * sizeof *p.prints)};
    DPL_TRY(dpl__need(p.prints, err));
    dpl_status status =
        dpl__parallel_for(q->ctx, (n + ROWS_PER_JOB - 1) / ROWS_PER_JOB, &p, print_rows, err);
    if (status == DPL_OK)
        status = dpl_fingerprints_join(&buckets, q->ctx, p.prints, n, NULL, 0,
                                       (unsigned)DPL__P(dedup, radius), &o, err);
    dpl__free(q->ctx, p.prints);
    if (status == DPL_OK)
        status = take_candidates(to, buckets, NULL, NULL, err);
    dpl_buckets_close(buckets);
    return status;
}

/* ---- the search --------------------------------------------------------------------- */

/* auto is exact: against old documents alone, and unless most shingles are in several of many
 * documents, as of documents drawn from the same sentences: then nearly all would be candidates
 * of some others, and codes are faster. */
static dpl_dedup_method choose_method(const dpl__set_query *q, const dpl_dedup_options *o)
{
    if (o->method != DPL_DEDUP_AUTO || o->only_against)
        return o->method ? o->method : DPL_DEDUP_EXACT;
    return q->measure == DPL_DEDUP_JACCARD && q->own < DPL__P(dedup, own_shingles) &&
                   q->docs->n_rows > DPL__P(dedup, few_rows)
               ? DPL_DEDUP_MINHASH
               : DPL_DEDUP_EXACT;
}

static dpl_status by_join(dpl__dedup_search *out, dpl__verifier *to, const dpl__set_query *sets,
                          dpl_error *err)
{
    bool is_cut;
    DPL_TRY(dpl__set_join(&is_cut, to, sets, err));
    out->found.is_exact = !is_cut;
    return DPL_OK;
}

static dpl_status search(dpl__dedup_search *out, dpl__verifier *to, const dpl__dedup_query *q,
                         const dpl__set_query *sets, dpl_error *err)
{
    dpl_status status = out->found.method == DPL_DEDUP_MINHASH   ? by_minhash(out, to, q, err)
                        : out->found.method == DPL_DEDUP_SIMHASH ? by_simhash(to, q, err)
                                                                 : by_join(out, to, sets, err);
    return status == DPL_OK ? dpl__verifier_finish(to, err) : status;
}

dpl_status dpl__search_items(dpl__dedup_search *out, const dpl__dedup_query *q, dpl_error *err)
{
    const dpl__set_query sets = {q->docs,           q->sets, NULL, q->options->measure,
                                 q->options->floor, 1};
    out->found.method = DPL_DEDUP_EXACT;
    out->found.is_exact = true;
    return dpl__item_search(&out->found.edges, &out->found.n_candidates, &sets, err);
}

dpl_status dpl__search_sets(dpl__dedup_search *out, const dpl__dedup_query *q,
                            const uint32_t *n_set, double own, dpl_error *err)
{
    const dpl_dedup_options *o = q->options;
    const dpl__set_query sets = {q->docs, q->sets, n_set, o->measure, o->floor, own};
    dpl__set_scorer scorer = {0};
    dpl__verifier verifier = {.docs = q->docs,
                              .score = dpl__set_scorer_score,
                              .user = &scorer,
                              .least = o->floor,
                              .only_against = o->only_against};
    const double began = dpl__now();
    out->found.method = choose_method(&sets, o);
    dpl__verifier_begin(&verifier);
    dpl_status status;
    DPL__STEP(dpl__set_scorer_init(&scorer, &sets, err));
    if (q->docs->n_rows > 1)
        status = search(out, &verifier, q, &sets, err);
    else
        out->found.is_exact = true;
    if (status != DPL_OK)
        goto done;
    out->found.edges = verifier.edges;
    verifier.edges = (dpl__edges){0};
    out->found.n_candidates = verifier.n_verified;
    out->verify_seconds = verifier.seconds;
    out->search_seconds = dpl__now() - began - verifier.seconds;
done:
    dpl__verifier_clear(&verifier);
    dpl__set_scorer_clear(&scorer);
    return status;
}
