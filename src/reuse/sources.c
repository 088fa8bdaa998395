/*
 * sources.c - documents of the collection by what they explain of the query.
 *
 * Greedy cover: the source with the most words of the query that no source before it has comes
 * next; of equal ones that with more words, then that of the smaller number. A word of the
 * query is explained once, however many sources have it. Cost: sources times passages.
 */
#include "reuse/reuse_run.h"

#include "base/order.h"

#include <stdlib.h>

DPL__ORDER(by_doc, dpl_reuse_source, DPL__RISING(doc))

/* One source for each document with passages, by number. */
static bool list_sources(dpl_reuse_result *r)
{
    for (size_t i = 0; i < r->passages.n; i++) {
        const dpl_reuse_source s = {.doc = r->passages.data[i].source.doc};
        if (!dpl__vec_push(r->ctx, &r->sources, s))
            return false;
    }
    size_t n = 0;
    dpl__vec_sort(&r->sources, by_doc);
    for (size_t i = 0; i < r->sources.n; i++)
        if (!n || r->sources.data[n - 1].doc != r->sources.data[i].doc)
            r->sources.data[n++] = r->sources.data[i];
    r->sources.n = n;
    return true;
}

/* Words of the query in passages of the document that are marked less than `mark`; they get it
 * with `sets`. Passages are ordered by place, so that overlaps count once. */
static uint64_t count_words(const dpl_reuse_result *r, const uint64_t *starts, uint8_t *marks,
                            uint32_t doc, bool sets)
{
    uint64_t n = 0;
    uint32_t query = UINT32_MAX, end = 0;
    for (size_t i = 0; i < r->passages.n; i++) {
        const dpl_passage *p = &r->passages.data[i];
        if (p->source.doc != doc)
            continue;
        end = query == p->query.doc ? end : 0;
        query = p->query.doc;
        const uint32_t stop = p->query.first_token + p->query.n_tokens;
        for (uint32_t t = p->query.first_token > end ? p->query.first_token : end; t < stop;
             t++) {
            n += !marks[starts[query] + t];
            if (sets)
                marks[starts[query] + t] = 1;
        }
        end = stop > end ? stop : end;
    }
    return n;
}

static void rank(dpl_reuse_result *r, const uint64_t *starts, uint8_t *marks)
{
    dpl_reuse_source *s = r->sources.data;
    const size_t n = r->sources.n;
    for (size_t i = 0; i < n; i++)
        s[i].n_words = s[i].n_new_words = count_words(r, starts, marks, s[i].doc, false);
    for (size_t i = 0; i < r->passages.n; i++) {
        const dpl_reuse_source key = {.doc = r->passages.data[i].source.doc};
        dpl_reuse_source *of = bsearch(&key, s, n, sizeof *s, by_doc);
        assert(of); /* list_sources has them all */
        of->n_passages++;
    }
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++) {
            if (k)
                s[i].n_new_words = count_words(r, starts, marks, s[i].doc, false);
            const bool is_better =
                s[i].n_new_words != s[best].n_new_words ? s[i].n_new_words > s[best].n_new_words
                : s[i].n_words != s[best].n_words       ? s[i].n_words > s[best].n_words
                                                        : s[i].doc < s[best].doc;
            best = is_better ? i : best;
        }
        const dpl_reuse_source chosen = s[best];
        assert(chosen.n_new_words <= chosen.n_words);
        s[best] = s[k];
        s[k] = chosen;
        (void)count_words(r, starts, marks, chosen.doc, true);
    }
}

dpl_status dpl__reuse_sources(dpl_reuse_result *r, dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(r->c[0])->n_docs;
    const uint64_t n_tokens = dpl_collection_get_sizes(r->c[0])->n_tokens;
    uint64_t *starts = dpl__alloc(r->ctx, ((size_t)n_docs + 1) * sizeof *starts);
    uint8_t *marks = dpl__calloc(r->ctx, n_tokens + 1, 1);
    dpl_status status;
    DPL__STEP(dpl__need(starts && marks && list_sources(r), err));
    uint64_t at = 0;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t n;
        starts[doc] = at;
        (void)dpl_collection_tokens(r->c[0], doc, &n);
        at += n;
    }
    rank(r, starts, marks);
done:
    dpl__free(r->ctx, marks, starts);
    return status;
}

const dpl_reuse_source *dpl_reuse_get_source(const dpl_reuse_result *r, size_t i)
{
    assert(i < r->sources.n);
    return &r->sources.data[i];
}
