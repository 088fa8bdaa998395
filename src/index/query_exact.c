/*
 * query_exact.c - documents through the postings of the query's words.
 *
 * A document's cosine with the query is at most the length of that part of the query's vector
 * whose words the document has (Cauchy and Schwarz: its own vector has length one), and at most
 * the sum of each word's weight times its largest weight in any document. So words are taken in
 * the order of their postings, rare ones first; as soon as what is left of the query is below
 * the threshold, no document can reach it that has none of the words read, and the rest is only
 * read where that is cheaper than comparing the documents found. (Prefix filtering, and
 * MaxScore of Turtle and Flood 1995, term at a time.)
 *
 * Postings have weights rounded upwards, so that sums are upper bounds: only documents whose
 * bound reaches the threshold are compared with the query. The answer is exact.
 */
#include "index/query.h"

#include "pairs/radix.h"

#include <math.h>

/* The postings of one entry. */
typedef struct list {
    const uint8_t *at, *end;
    uint32_t n;   /* documents */
    float weight; /* of the query */
    double rest;  /* the most that this list and those behind it can add */
} list;

typedef struct lists {
    list *data;
    size_t n;
} lists;

/* By length, then in the order of the entries. keys: room for twice as many as entries. */
static void find_lists(const dpl_query *q, lists *out, uint64_t *keys)
{
    const dpl_index *x = q->index;
    for (size_t i = 0; i < q->entries.n; i++)
        if (q->entries.data[i].term != DPL__NO_WORD) {
            const dpl__post_list l = dpl__post_list_get(x, q->entries.data[i].term);
            keys[out->n] = (uint64_t)l.n_docs << 32 | i;
            out->n += l.n_docs > 0;
        }
    keys = dpl__radix_sort_bytes(keys, keys + out->n, out->n, 4, 8);
    double squares = 0, sum = 0;
    for (size_t i = out->n; i-- > 0;) {
        const dpl__query_entry *e = &q->entries.data[(uint32_t)keys[i]];
        const dpl__post_list l = dpl__post_list_get(x, e->term);
        squares += (double)e->weight * (double)e->weight;
        sum += (double)(e->weight * x->weights[l.most]);
        const double length = sqrt(squares);
        out->data[i] = (list){.at = x->post_bytes + l.begin,
                              .end = x->post_bytes + dpl__post_place(x, e->term + 1),
                              .n = l.n_docs,
                              .weight = e->weight,
                              .rest = (length < sum ? length : sum) * 1.000001};
    }
}

/* ---- sums of documents -------------------------------------------------------------- */

/* The sums are a table of the documents met, with as much room as the lists that are read need
 * at most: it stays in the cache, other than a number for each document of the index would. */
static inline dpl__row_sum *find_sum(const dpl__row_sums *sums, uint32_t row)
{
    return dpl__row_sums_find(sums, dpl__place_hash(row + 1), row + 1);
}

/* A list, block by block. */
typedef struct post_reader {
    const uint8_t *at, *end;
    uint32_t n_left, n_docs;
    uint64_t least; /* the next document is at least this one */
    uint32_t n;     /* the block */
    uint32_t docs[DPL__POST_BLOCK];
    uint8_t codes[DPL__POST_BLOCK];
} post_reader;

static void begin_list(post_reader *r, const dpl_query *q, const list *l)
{
    r->at = l->at;
    r->end = l->end;
    r->n_left = l->n;
    r->n_docs = q->index->n_docs;
    r->least = 0;
}

/* The next n documents and the codes of their weights; false at the end, and where bytes are
 * damaged. */
static inline bool next_block(post_reader *r)
{
    const uint32_t n = r->n_left < DPL__POST_BLOCK ? r->n_left : DPL__POST_BLOCK;
    if (n == 0 || r->at >= r->end)
        return false;
    const unsigned width = *r->at++ + 8u;
    if (width > 40 || dpl__block_bytes(n, width) > (size_t)(r->end - r->at))
        return false;
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    uint64_t least = r->least;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t x = dpl__block_get(r->at, (size_t)i * width) & mask;
        least += (x >> 8) + 1;
        r->docs[i] = (uint32_t)least - 1;
        r->codes[i] = (uint8_t)x;
    }
    r->at += dpl__block_bytes(n, width);
    r->least = least;
    r->n_left -= n;
    r->n = n;
    return least <= r->n_docs;
}

/* Adds a list's weights to the documents' sums. */
static void read_list(dpl_query *q, const list *l)
{
    post_reader r;
    const dpl__row_sums sums = q->row_sums;
    const float *const weights = q->index->weights, scale = l->weight;
    size_t n_used = sums.n_used;
    for (begin_list(&r, q, l); next_block(&r);)
        for (uint32_t i = 0; i < r.n; i++) {
            dpl__row_sum *s = find_sum(&sums, r.docs[i]);
            n_used += s->number == 0;
            *s = (dpl__row_sum){r.docs[i] + 1, s->sum + scale * weights[r.codes[i]]};
        }
    q->row_sums.n_used = n_used;
    q->result.n_postings += l->n;
}

/* The bit of a document among those that may reach the threshold. */
static inline uint32_t hopeful_bit(uint32_t row)
{
    return dpl__place_hash(row + 1) >> (32 - DPL__HOPEFUL_BITS);
}

/* The same for documents that may still reach the threshold: nearly all others are told by a
 * bit, which is in the first cache. */
static void read_for_hopeful(dpl_query *q, const list *l)
{
    post_reader r;
    const float *const weights = q->index->weights, scale = l->weight;
    for (begin_list(&r, q, l); next_block(&r);) {
        uint32_t passed[DPL__POST_BLOCK], n = 0;
        for (uint32_t i = 0; i < r.n; i++) {
            const uint32_t bit = hopeful_bit(r.docs[i]);
            passed[n] = i;
            n += q->hopeful[bit / 64] >> bit % 64 & 1;
        }
        for (uint32_t i = 0; i < n; i++) {
            dpl__row_sum *s = find_sum(&q->row_sums, r.docs[passed[i]]);
            if (s->number)
                s->sum += scale * weights[r.codes[passed[i]]];
        }
    }
    q->result.n_postings += l->n;
}

/* The k-th largest sum so far, rounded downwards: what that many documents reach at least. */
static double kth_sum(const dpl__row_sum *sums, size_t n_sums, size_t k)
{
    enum { BINS = 1024, LANES = 4 }; /* lanes: most sums are in few bins */
    uint32_t counts[BINS][LANES] = {0};
    for (size_t i = 0; i < n_sums; i++) {
        const float s = sums[i].sum;
        const int32_t bin = (int32_t)(s * (BINS - 1));
        counts[bin < BINS ? bin : BINS - 1][i % LANES] += sums[i].number != 0;
    }
    size_t n = 0;
    for (size_t b = BINS; b-- > 0;)
        if ((n += counts[b][0] + counts[b][1] + counts[b][2] + counts[b][3]) >= k)
            return (double)b / (BINS - 1);
    return 0;
}

/* Sums are of weights rounded upwards by up to a step: at least so much of them is real. */
static double real_part(void)
{
    return 0.971; /* below 2^(-1 / DPL__WEIGHT_STEPS) */
}

/* Lowest sum of the lists read so far with which a document can still reach the threshold;
 * `rest` is the most that the unread lists can add. */
static float least_sum(double rest, double threshold)
{
    return (float)(threshold - rest) * 0.999999f - 1e-9f;
}

/* Copies the sums of those that can. */
static bool take_hopeful(dpl_query *q, float least)
{
    const dpl__row_sums *all = &q->row_sums;
    q->hopeful_sums.n = 0;
    if (!dpl__vec_reserve(q->ctx, &q->hopeful_sums, all->n_used + 1))
        return false;
    dpl__row_sum *to = q->hopeful_sums.data;
    size_t n = 0;
    for (size_t i = 0; i < all->n_slots; i++) {
        to[n] = all->slots[i];
        n += (all->slots[i].number != 0) & (all->slots[i].sum >= least);
    }
    assert(n <= all->n_used);
    q->hopeful_sums.n = n;
    return true;
}

/* Marks the documents that can; the others are forgotten once they are most. */
static bool mark_hopeful(dpl_query *q, float least)
{
    if (!take_hopeful(q, least))
        return false;
    const dpl__row_sum *sums = q->hopeful_sums.data;
    const size_t n = q->hopeful_sums.n;
    memset(q->hopeful, 0, sizeof q->hopeful);
    for (size_t i = 0; i < n; i++) {
        const uint32_t bit = hopeful_bit(sums[i].number - 1);
        q->hopeful[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    if (2 * n >= q->row_sums.n_used)
        return true;
    if (!dpl__row_sums_begin(&q->row_sums, q->ctx, 2 * n))
        return false;
    for (size_t i = 0; i < n; i++)
        *find_sum(&q->row_sums, sums[i].number - 1) = sums[i];
    q->row_sums.n_used = n;
    return true;
}

static bool is_wanted(const dpl_query *q, uint32_t row)
{
    return row != q->own_row &&
           (q->only_lang == UINT32_MAX || dpl__index_doc_lang(q->index, row) == q->only_lang);
}

/* The most likely ones of the documents that can reach the threshold become candidates. Returns
 * the largest bound of those that did not, 0: none. */
static double take_candidates(dpl_query *q, double rest, double threshold, bool *has_memory)
{
    const size_t least = (size_t)DPL__P(index, most_verified);
    const size_t room = q->is_exact ? SIZE_MAX : dpl__max(least, 3 * (size_t)q->o.top);
    *has_memory = take_hopeful(q, least_sum(rest, threshold));
    const dpl__row_sum *sums = q->hopeful_sums.data;
    const size_t n = q->hopeful_sums.n;
    const double cut = n > room ? kth_sum(sums, n, room) : 0;
    double lost = 0;
    for (size_t i = 0; i < n && *has_memory; i++) {
        const uint32_t row = sums[i].number - 1;
        const double sum = (double)sums[i].sum, bound = (sum + rest) * 1.000001;
        if (!is_wanted(q, row))
            continue;
        if (sum < cut) {
            lost = bound > lost ? bound : lost;
            continue;
        }
        const dpl__candidate c = {.row = row, .bound = (float)bound};
        *has_memory = dpl__vec_push(q->ctx, &q->candidates, c);
    }
    return lost;
}

enum { AHEAD = 8 };

/* The beginning of a list comes from memory while others are read. */
static void prefetch_list(const lists *all, size_t i)
{
    enum { LINE = 64, LINES = 8 };
    if (i >= all->n)
        return;
    const list *l = &all->data[i];
    for (const uint8_t *at = l->at; at < l->end && at < l->at + LINES * LINE; at += LINE)
        DPL_PREFETCH(at);
}

/* Reads lists until nothing that is in none of them can reach the threshold, or the budget is
 * spent. The threshold rises to what enough documents reach. Returns how many lists. */
static size_t read_rare(dpl_query *q, const lists *all, uint64_t budget, double *threshold,
                        bool *has_memory)
{
    uint64_t n_checked = 0, n_room = 0;
    size_t i = 0;
    for (; i < all->n && all->data[i].rest >= *threshold &&
           (i == 0 || n_room + all->data[i].n <= budget);
         i++)
        n_room += all->data[i].n;
    *has_memory =
        dpl__row_sums_begin(&q->row_sums, q->ctx, (size_t)dpl__min(n_room, q->index->n_docs));
    for (i = 0; i < all->n && all->data[i].rest >= *threshold && *has_memory; i++) {
        if (i > 0 && q->result.n_postings + all->data[i].n > budget)
            break;
        prefetch_list(all, i + AHEAD);
        read_list(q, &all->data[i]);
        if (q->result.n_postings > 2 * n_checked + 4096 && q->only_lang == UINT32_MAX) {
            const double kth =
                kth_sum(q->row_sums.slots, q->row_sums.n_slots, q->o.top + 1u) * real_part();
            *threshold = kth > *threshold ? kth : *threshold;
            n_checked = q->result.n_postings;
        }
    }
    return i;
}

/* Reads on, for the documents found, as long as that costs less than comparing them. */
static size_t read_more(dpl_query *q, const lists *all, size_t i, uint64_t budget,
                        double threshold, bool *has_memory)
{
    uint64_t n_marked = 0; /* postings read when documents were marked last */
    for (; i < all->n && *has_memory; i++) {
        const list *l = &all->data[i];
        const float least = least_sum(l->rest, threshold);
        /* while the least sum is not above 0, all can reach the threshold */
        if (n_marked == 0 ||
            (least > 0 && q->result.n_postings - n_marked > q->hopeful_sums.n / 2)) {
            *has_memory = mark_hopeful(q, least);
            n_marked = q->result.n_postings;
        }
        const size_t n_left = q->hopeful_sums.n;
        if ((double)l->n > (double)n_left * DPL__P(index, verify_cost) ||
            q->result.n_postings + l->n > 2 * budget || n_left <= q->o.top || !*has_memory)
            break;
        prefetch_list(all, i + AHEAD);
        read_for_hopeful(q, l);
    }
    return i;
}

dpl_status dpl__query_by_postings(dpl_query *q, uint64_t budget, bool *is_complete,
                                  dpl_error *err)
{
    lists all = {0};
    bool has_memory = true, has_room = true;
    *is_complete = false;
    const size_t n_lists = q->entries.n + 1;
    all.data = dpl__alloc(q->ctx, n_lists * (sizeof *all.data + 2 * sizeof(uint64_t)));
    DPL_TRY(dpl__need(all.data, err));
    find_lists(q, &all, (uint64_t *)(void *)(all.data + n_lists));
    double threshold = q->threshold;
    const size_t n_rare = read_rare(q, &all, budget, &threshold, &has_memory);
    const double unseen = n_rare < all.n ? all.data[n_rare].rest : 0;
    const size_t n_read = read_more(q, &all, n_rare, budget, threshold, &has_memory);
    const double rest = n_read < all.n ? all.data[n_read].rest : 0;
    const double lost = take_candidates(q, rest, threshold, &has_room);
    q->missed = lost > unseen ? lost : unseen;
    *is_complete = q->missed < threshold || (n_rare == all.n && lost == 0);
    dpl__free(q->ctx, all.data);
    return dpl__need(has_memory && has_room, err);
}
