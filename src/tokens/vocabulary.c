/*
 * vocabulary.c - merges term sets by sorting.
 *
 * First by bytes, which brings equal terms of all runs together and sums their counts; then by
 * count. Both sorts spill. What must stay addressable is one 32-bit number per (run, number)
 * and per term. Cost: O(n log n) for n distinct terms per run, on one thread but for the sorts.
 * Where all sets are in memory and there is room, vocabulary_memory.c does it on all threads.
 */
#include "tokens/vocabulary.h"

#include "base/hash.h"

/* What the first sort carries: counts of one run. A subtraction has run NO_RUN and negative
 * counts. */
typedef struct part {
    int64_t count;
    int64_t n_docs;
    uint64_t place; /* in ids */
} part;

#define NO_PLACE UINT64_MAX

dpl_status dpl__vocabulary_init(dpl__vocabulary *v, dpl__spill *spill, size_t share,
                                dpl_error *err)
{
    *v = (dpl__vocabulary){.ctx = spill->ctx, .spill = spill, .share = share};
    return dpl__sorter_new(&v->by_bytes, spill, share, err);
}

void dpl__vocabulary_clear(dpl__vocabulary *v)
{
    if (!v->ctx)
        return;
    dpl__sorter_free(v->by_bytes);
    dpl__scratch_clear(&v->ids);
    dpl__vec_clear(v->ctx, &v->run_begin, &v->sets);
}

static dpl_status add_parts(dpl__vocabulary *v, const dpl__terms *terms, uint64_t place,
                            int sign, dpl_error *err)
{
    for (size_t i = 0; i < terms->all.n; i++) {
        const dpl__term_count *c = &terms->counts.data[i];
        part p = {sign * (int64_t)c->count, sign * (int64_t)c->n_docs,
                  place == NO_PLACE ? NO_PLACE : place + i};
        dpl_str value = {(const char *)&p, sizeof p};
        DPL_TRY(dpl__sorter_add(v->by_bytes, dpl__term_text(&terms->all.data[i]), value, err));
    }
    return DPL_OK;
}

/* Gives the run's terms their places among the numbers of all runs. */
static dpl_status place_run(dpl__vocabulary *v, uint64_t n_terms, uint32_t run, dpl_error *err)
{
    while (v->run_begin.n <= run)
        DPL_TRY(dpl__need(dpl__vec_push(v->ctx, &v->run_begin, NO_PLACE), err));
    assert(v->run_begin.data[run] == NO_PLACE);
    v->run_begin.data[run] = v->n_numbers;
    v->n_numbers += n_terms;
    return DPL_OK;
}

dpl_status dpl__vocabulary_add(dpl__vocabulary *v, const dpl__terms *terms, uint32_t run,
                               dpl_error *err)
{
    DPL_TRY(place_run(v, terms->all.n, run, err));
    v->has_sorted = true;
    return add_parts(v, terms, v->run_begin.data[run], 1, err);
}

dpl_status dpl__vocabulary_add_collection(dpl__vocabulary *v, const dpl_collection *c,
                                          uint32_t run, dpl_error *err)
{
    const uint32_t n = dpl_collection_get_sizes(c)->n_terms;
    DPL_TRY(place_run(v, n, run, err));
    v->has_sorted = true;
    for (uint32_t term = 0; term < n; term++) {
        const part p = {(int64_t)dpl_collection_term_count(c, term),
                        (int64_t)dpl_collection_doc_count(c, term),
                        v->run_begin.data[run] + term};
        const dpl_str value = {(const char *)&p, sizeof p};
        DPL_TRY(dpl__sorter_add(v->by_bytes, dpl_collection_term(c, term), value, err));
    }
    return DPL_OK;
}

dpl_status dpl__vocabulary_give(dpl__vocabulary *v, dpl__terms *terms, uint32_t run,
                                dpl_error *err)
{
    dpl__vocabulary_set set = {terms, v->n_numbers};
    DPL_TRY(place_run(v, terms->all.n, run, err));
    assert(set.begin == v->run_begin.data[run]);
    return dpl__need(dpl__vec_push(v->ctx, &v->sets, set), err);
}

void dpl__vocabulary_subtract(dpl__vocabulary *v, dpl__terms *terms)
{
    assert(!v->minus);
    v->minus = terms;
}

/* What was given goes to the sorter, too. */
static dpl_status add_sets(dpl__vocabulary *v, dpl_error *err)
{
    for (size_t i = 0; i < v->sets.n; i++) {
        DPL_TRY(add_parts(v, v->sets.data[i].terms, v->sets.data[i].begin, 1, err));
        dpl__terms_clear(v->sets.data[i].terms);
    }
    return v->minus ? add_parts(v, v->minus, NO_PLACE, -1, err) : DPL_OK;
}

const uint32_t *dpl__vocabulary_ids(const dpl__vocabulary *v, uint32_t run)
{
    assert(run < v->run_begin.n && v->run_begin.data[run] != NO_PLACE);
    /* no ids at all when every document was dropped */
    return v->ids.data ? v->ids.data + v->run_begin.data[run] : NULL;
}

/* ---- by bytes, then by count -------------------------------------------------------- */

/* One term with the sums of its parts, on its way to the second sort. */
typedef struct group {
    dpl__bytes term;
    DPL_VEC(uint64_t) places;
    int64_t count, n_docs;
    uint32_t rank; /* in byte order */
} group;

static uint64_t big_endian(uint64_t x)
{
    uint64_t y = 0;
    for (int i = 0; i < 8; i++)
        y |= (x >> 8 * i & 255) << (56 - 8 * i);
    return y;
}

/* What the second sort carries: this, the term, its places. */
typedef struct summed {
    uint64_t count;
    uint32_t n_docs, rank, n_bytes, n_places;
} summed;

/* Falling count, then rank, in the eight bytes that the sorter compares at once. Counts too
 * large for that come first, with eight bytes more. */
static dpl_str order_key(uint64_t key[2], uint64_t count, uint32_t rank)
{
    if (count < UINT32_MAX) {
        key[0] = big_endian((uint64_t) ~(uint32_t)count << 32 | rank);
        return (dpl_str){(const char *)key, 8};
    }
    key[0] = big_endian(~count >> 32);
    key[1] = big_endian(~count << 32 | rank);
    return (dpl_str){(const char *)key, 16};
}

static dpl_status end_group(dpl__vocabulary *v, group *g, dpl__sorter *by_count,
                            dpl__bytes *value, dpl_error *err)
{
    assert(g->count >= 0);
    if (g->count == 0) {
        for (size_t i = 0; i < g->places.n; i++)
            v->ids.data[g->places.data[i]] = UINT32_MAX;
        return DPL_OK;
    }
    assert(g->n_docs > 0 && g->n_docs <= g->count);
    summed head = {(uint64_t)g->count, (uint32_t)g->n_docs, g->rank++, (uint32_t)g->term.n,
                   (uint32_t)g->places.n};
    value->n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(v->ctx, value, (const char *)&head, sizeof head) &&
                          dpl__vec_append(v->ctx, value, g->term.data, g->term.n) &&
                          dpl__vec_append(v->ctx, value, (const char *)g->places.data,
                                          g->places.n * sizeof *g->places.data),
                      err));
    uint64_t key[2];
    return dpl__sorter_add(by_count, order_key(key, head.count, head.rank),
                           (dpl_str){value->data, value->n}, err);
}

static dpl_status sort_by_count(dpl__vocabulary *v, dpl__sorter *by_count, uint32_t *n_terms,
                                dpl_error *err)
{
    group g = {0};
    dpl__bytes value = {0};
    dpl_str term, part_bytes;
    bool has_group = false;
    dpl_status status;
    DPL__STEP(dpl__sorter_sort(v->by_bytes, err));
    while ((status = dpl__sorter_next(v->by_bytes, &term, &part_bytes, err)) == DPL_OK) {
        part p;
        memcpy(&p, part_bytes.data, sizeof p);
        if (has_group && !dpl__str_eq(term, (dpl_str){g.term.data, g.term.n})) {
            DPL__STEP(end_group(v, &g, by_count, &value, err));
            has_group = false;
        }
        if (!has_group) {
            g.term.n = g.places.n = 0;
            g.count = g.n_docs = 0;
            has_group = true;
            DPL__STEP(dpl__need(dpl__vec_append(v->ctx, &g.term, term.data, term.n), err));
        }
        g.count += p.count;
        g.n_docs += p.n_docs;
        if (p.place != NO_PLACE && !dpl__vec_push(v->ctx, &g.places, p.place))
            DPL__STEP(dpl__fail_nomem(err));
        if (g.rank == UINT32_MAX)
            DPL__STEP(
                dpl__fail(err, DPL_E_UNSUPPORTED, "more than %u distinct terms", UINT32_MAX));
    }
    if (status == DPL_END)
        status = has_group ? end_group(v, &g, by_count, &value, err) : DPL_OK;
done:
    *n_terms = g.rank;
    dpl__vec_clear(v->ctx, &g.term, &g.places, &value);
    dpl__sorter_free(v->by_bytes);
    v->by_bytes = NULL;
    return status;
}

/* ---- writing ------------------------------------------------------------------------ */

typedef struct columns {
    dpl__spool bytes, ends, counts, n_docs;
    dpl__scratch by_rank; /* id of the term at each place of the byte order */
    uint64_t end;
} columns;

static dpl_status take_term(dpl__vocabulary *v, columns *c, uint32_t id, dpl_str value,
                            dpl_error *err)
{
    summed t;
    memcpy(&t, value.data, sizeof t);
    const char *term = value.data + sizeof t, *places = term + t.n_bytes;
    for (uint32_t i = 0; i < t.n_places; i++)
        v->ids.data[dpl__load64(places + 8 * i)] = id;
    c->by_rank.data[t.rank] = id;
    c->end += t.n_bytes;
    v->n_repeated += t.count > 1;
    DPL_TRY(dpl__spool_append(&c->bytes, term, t.n_bytes, err));
    DPL_TRY(dpl__spool_append(&c->ends, &c->end, sizeof c->end, err));
    DPL_TRY(dpl__spool_append(&c->counts, &t.count, sizeof t.count, err));
    return dpl__spool_append(&c->n_docs, &t.n_docs, sizeof t.n_docs, err);
}

static dpl_status give_ids(dpl__vocabulary *v, columns *c, dpl__sorter *by_count,
                           dpl_error *err)
{
    DPL_TRY(dpl__sorter_sort(by_count, err));
    DPL_TRY(dpl__spool_append(&c->ends, &c->end, sizeof c->end, err));
    dpl_str key, value;
    dpl_status status;
    uint32_t id = 0;
    while ((status = dpl__sorter_next(by_count, &key, &value, err)) == DPL_OK)
        DPL_TRY(take_term(v, c, id++, value, err));
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status write_columns(const columns *c, dpl__writer *w, dpl_error *err)
{
    DPL_TRY(dpl__spool_write(&c->ends, w, "term.offsets", 8, err));
    DPL_TRY(dpl__spool_write(&c->bytes, w, "term.bytes", 1, err));
    DPL_TRY(dpl__spool_write(&c->counts, w, "term.counts", 8, err));
    DPL_TRY(dpl__spool_write(&c->n_docs, w, "term.docs", 4, err));
    return dpl__writer_add(w, "term.order", 4, c->by_rank.data, 4 * c->by_rank.n, err);
}

dpl_status dpl__vocabulary_write(dpl__vocabulary *v, dpl__writer *w, dpl_error *err)
{
    dpl__sorter *by_count = NULL;
    columns c = {0};
    DPL_TRY(dpl__scratch_init(&v->ids, v->spill, v->n_numbers, v->share, err));
    if (!v->has_sorted && dpl__vocabulary_memory_need(v) <= 2 * (uint64_t)v->share)
        return dpl__vocabulary_write_in_memory(v, w, err);
    dpl__spool *const spools[] = {&c.bytes, &c.ends, &c.counts, &c.n_docs};
    for (size_t i = 0; i < DPL_LEN(spools); i++)
        dpl__spool_init(spools[i], v->spill, v->share / 4);
    dpl_status status;
    DPL__STEP(add_sets(v, err));
    DPL__STEP(dpl__sorter_new(&by_count, v->spill, v->share, err));
    DPL__STEP(sort_by_count(v, by_count, &v->n_terms, err));
    DPL__STEP(dpl__scratch_init(&c.by_rank, v->spill, v->n_terms, v->share, err));
    DPL__STEP(give_ids(v, &c, by_count, err));
    dpl__sorter_free(by_count); /* its memory is for the columns now */
    by_count = NULL;
    status = write_columns(&c, w, err);
done:
    dpl__sorter_free(by_count);
    dpl__scratch_clear(&c.by_rank);
    for (size_t i = 0; i < DPL_LEN(spools); i++)
        dpl__spool_clear(spools[i]);
    return status;
}
