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

#include <math.h>

/* The postings of one entry. */
typedef struct list {
    const uint8_t *at, *end;
    uint32_t n;         /* documents */
    uint32_t entry;     /* of the query */
    float weight, most; /* of the query; the most that it can add */
    double rest;        /* the most that this list and those behind it can add */
} list;

typedef struct lists {
    list *data;
    size_t n;
} lists;

/* By length, then in the order of the entries: Shell's sort of a few hundred. */
static void sort_lists(list *data, size_t n)
{
    static const size_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < DPL_LEN(gaps); g++)
        for (size_t i = gaps[g]; i < n; i++) {
            const list l = data[i];
            size_t k = i;
            for (; k >= gaps[g] &&
                   (data[k - gaps[g]].n > l.n ||
                    (data[k - gaps[g]].n == l.n && data[k - gaps[g]].entry > l.entry));
                 k -= gaps[g])
                data[k] = data[k - gaps[g]];
            data[k] = l;
        }
}

/* Behind the number of documents: the largest weight, and two bytes at least for each. */
static bool can_hold(const list *l)
{
    return l->at < l->end && l->n <= (size_t)(l->end - l->at - 1) / 2;
}

static void find_lists(dpl_query *q, lists *out)
{
    const dpl_index *x = q->index;
    for (size_t i = 0; i < q->entries.n; i++)
        if (q->entries.data[i].term != DPL__NO_WORD) {
            DPL_PREFETCH(&x->posts.bases[q->entries.data[i].term / DPL__OFFSET_BLOCK]);
            dpl__packed_prefetch(&x->posts.rest, q->entries.data[i].term);
        }
    for (size_t i = 0; i < q->entries.n; i++) {
        const dpl__query_entry *e = &q->entries.data[i];
        if (e->term == DPL__NO_WORD)
            continue;
        list l = {.at = x->post_bytes + dpl__offset(&x->posts, e->term),
                  .end = x->post_bytes + dpl__offset(&x->posts, e->term + 1),
                  .weight = e->weight,
                  .entry = (uint32_t)i};
        DPL_PREFETCH(l.at);
        out->data[out->n++] = l;
    }
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        list l = out->data[i];
        if (!dpl__get_varint(&l.at, l.end, &l.n) || l.n == 0 || !can_hold(&l))
            continue;
        l.most = l.weight * x->weights[*l.at++];
        out->data[n++] = l;
    }
    out->n = n;
    sort_lists(out->data, n);
    double squares = 0, sum = 0;
    for (size_t i = n; i-- > 0;) {
        squares += (double)out->data[i].weight * (double)out->data[i].weight;
        sum += (double)out->data[i].most;
        const double length = sqrt(squares);
        out->data[i].rest = (length < sum ? length : sum) * 1.000001;
    }
}

/* ---- sums of documents -------------------------------------------------------------- */

/* A table of the documents met, with as much room as the lists that are read need at most: it
 * stays in the cache, other than a number for each document of the index would. */
static bool new_sums(dpl_query *q, size_t n)
{
    return dpl__places_begin(&q->sum_places, q->ctx, n);
}

static inline dpl__place *find_sum(const dpl__places *places, uint32_t row)
{
    return dpl__places_find(places, dpl__place_hash(row + 1), row + 1);
}

/* The next document of a list and its weight; false at the end, and where bytes are damaged. */
static inline bool next_posting(const dpl_query *q, const uint8_t **p, const uint8_t *end,
                                uint32_t *doc, uint8_t *weight)
{
    uint32_t step;
    if (*p >= end)
        return false;
    step = **p;
    if (step < 128)
        ++*p;
    else if (!dpl__get_varint(p, end, &step))
        return false;
    *doc += step + 1;
    if (*p >= end || *doc >= q->index->n_docs)
        return false;
    *weight = *(*p)++;
    return true;
}

/* Adds a list's weights to the documents' sums. */
static bool read_list(dpl_query *q, const list *l)
{
    if (!dpl__vec_reserve(q->ctx, &q->row_sums, l->n))
        return false;
    const uint8_t *p = l->at;
    const dpl__places places = q->sum_places;
    dpl__row_sum *const sums = q->row_sums.data;
    const float *const weights = q->index->weights, scale = l->weight;
    uint32_t doc = UINT32_MAX, n_sums = (uint32_t)q->row_sums.n;
    uint8_t code;
    for (uint32_t n = l->n; n > 0 && next_posting(q, &p, l->end, &doc, &code); n--) {
        const float weight = scale * weights[code];
        dpl__place *s = find_sum(&places, doc);
        if (s->number) {
            sums[s->at].sum += weight;
        } else {
            *s = (dpl__place){doc + 1, n_sums};
            sums[n_sums++] = (dpl__row_sum){doc, weight};
        }
    }
    q->row_sums.n = q->sum_places.n_used = n_sums;
    q->result.n_postings += l->n;
    return true;
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
    const uint8_t *p = l->at;
    const float *const weights = q->index->weights, scale = l->weight;
    uint32_t doc = UINT32_MAX;
    uint8_t code;
    for (uint32_t n = l->n; n > 0 && next_posting(q, &p, l->end, &doc, &code); n--) {
        const uint32_t bit = hopeful_bit(doc);
        if (!(q->hopeful[bit / 64] >> bit % 64 & 1))
            continue;
        const dpl__place *s = find_sum(&q->sum_places, doc);
        if (s->number)
            q->row_sums.data[s->at].sum += scale * weights[code];
    }
    q->result.n_postings += l->n;
}

/* The k-th largest sum so far, rounded downwards: what that many documents reach at least. */
static double kth_sum(const dpl_query *q, size_t k)
{
    enum { BINS = 1024 };
    uint32_t counts[BINS] = {0};
    for (size_t i = 0; i < q->row_sums.n; i++) {
        const float s = q->row_sums.data[i].sum;
        const size_t bin = s > 0 ? (size_t)(s * (BINS - 1)) : 0;
        counts[bin < BINS ? bin : BINS - 1]++;
    }
    size_t n = 0;
    for (size_t b = BINS; b-- > 0;)
        if ((n += counts[b]) >= k)
            return (double)b / (BINS - 1);
    return 0;
}

/* Sums are of weights rounded upwards by up to a step: at least so much of them is real. */
static double real_part(void)
{
    return 0.971; /* below 2^(-1 / DPL__WEIGHT_STEPS) */
}

/* Of a document that can reach the threshold, whatever the lists that were not read have. */
static float least_sum(double rest, double threshold)
{
    return (float)(threshold - rest) * 0.999999f - 1e-9f;
}

/* Forgets the others. */
static void drop_hopeless(dpl_query *q, double rest, double threshold)
{
    const float least = least_sum(rest, threshold);
    dpl__row_sum *sums = q->row_sums.data;
    size_t n = 0;
    for (size_t i = 0; i < q->row_sums.n; i++) {
        sums[n] = sums[i];
        n += sums[i].sum >= least;
    }
    q->row_sums.n = n;
}

/* Marks the documents that can, in *n; the others are forgotten once they are most. */
static bool mark_hopeful(dpl_query *q, double rest, double threshold, size_t *n)
{
    const float least = least_sum(rest, threshold);
    memset(q->hopeful, 0, sizeof q->hopeful);
    *n = 0;
    for (size_t i = 0; i < q->row_sums.n; i++) {
        const bool is_hopeful = q->row_sums.data[i].sum >= least;
        const uint32_t bit = hopeful_bit(q->row_sums.data[i].row);
        q->hopeful[bit / 64] |= (uint64_t)is_hopeful << bit % 64;
        *n += is_hopeful;
    }
    if (2 * *n >= q->row_sums.n)
        return true;
    drop_hopeless(q, rest, threshold);
    if (!new_sums(q, 2 * *n))
        return false;
    for (size_t i = 0; i < *n; i++)
        *find_sum(&q->sum_places, q->row_sums.data[i].row) =
            (dpl__place){q->row_sums.data[i].row + 1, (uint32_t)i};
    q->sum_places.n_used = *n;
    return true;
}

static bool is_wanted(const dpl_query *q, uint32_t row)
{
    return row != q->own_row &&
           (q->only_lang == UINT32_MAX || dpl__index_doc_lang(q->index, row) == q->only_lang);
}

/* The most likely ones of the documents that are left become candidates. Returns the largest
 * bound of those that did not, 0: none. */
static double take_candidates(dpl_query *q, double rest, bool *has_memory)
{
    const size_t least = (size_t)DPL__P(index, most_verified);
    const size_t room = q->is_exact ? SIZE_MAX : dpl__max(least, 3 * (size_t)q->o.top);
    const double cut = q->row_sums.n > room ? kth_sum(q, room) : 0;
    double lost = 0;
    *has_memory = true;
    for (size_t i = 0; i < q->row_sums.n; i++) {
        const uint32_t row = q->row_sums.data[i].row;
        const double sum = (double)q->row_sums.data[i].sum, bound = (sum + rest) * 1.000001;
        if (!is_wanted(q, row))
            continue;
        if (sum < cut) {
            lost = bound > lost ? bound : lost;
            continue;
        }
        dpl__candidate *c = dpl__query_candidate(q, row);
        *has_memory = *has_memory && c;
        if (c)
            c->bound = (float)bound;
    }
    q->row_sums.n = 0;
    return lost;
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
    *has_memory = new_sums(q, (size_t)dpl__min(n_room, q->index->n_docs));
    for (i = 0; i < all->n && all->data[i].rest >= *threshold && *has_memory; i++) {
        if (i > 0 && q->result.n_postings + all->data[i].n > budget)
            break;
        *has_memory = read_list(q, &all->data[i]);
        if (q->result.n_postings > 2 * n_checked + 4096 && q->only_lang == UINT32_MAX) {
            const double kth = kth_sum(q, q->o.top + 1u) * real_part();
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
    size_t n_left = 0;
    for (; i < all->n && *has_memory; i++) {
        const list *l = &all->data[i];
        if (n_marked == 0 || q->result.n_postings - n_marked > n_left / 2) {
            *has_memory = mark_hopeful(q, l->rest, threshold, &n_left);
            n_marked = q->result.n_postings;
        }
        if ((double)l->n > (double)n_left * DPL__P(index, verify_cost) ||
            q->result.n_postings + l->n > 2 * budget || n_left <= q->o.top || !*has_memory)
            break;
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
    all.data = dpl__alloc(q->ctx, n_lists * sizeof *all.data);
    DPL_TRY(dpl__need(all.data, err));
    find_lists(q, &all);
    double threshold = q->threshold;
    const size_t n_rare = read_rare(q, &all, budget, &threshold, &has_memory);
    const double unseen = n_rare < all.n ? all.data[n_rare].rest : 0;
    const size_t n_read = read_more(q, &all, n_rare, budget, threshold, &has_memory);
    const double rest = n_read < all.n ? all.data[n_read].rest : 0;
    drop_hopeless(q, rest, threshold);
    const double lost = take_candidates(q, rest, &has_room);
    q->missed = lost > unseen ? lost : unseen;
    *is_complete = q->missed < threshold || (n_rare == all.n && lost == 0);
    dpl__free(q->ctx, all.data, n_lists * sizeof *all.data);
    return dpl__need(has_memory && has_room, err);
}
