/*
 * words.c - passages that share words in a row.
 *
 * Seeds are shingles of a few words of the query, sorted by key; the shingles of every document
 * of the collection are looked up among them, behind a filter of bits. Seeds of a query
 * document and a source that are near each other on both sides make a candidate; it is trimmed
 * to the part that seeds cover well, extended at its ends as long as words match, and verified:
 * long enough, enough words in common, rare ones counting more, so that formulas with other
 * names and numbers are no reuse. Cost: one pass over the collection; memory: that of the
 * query.
 */
#include "reuse/reuse_run.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/maths.h"
#include "base/order.h"
#include "par/pool.h"
#include "reuse/match_groups.h"
#include "reuse/reuse_params.h"
#include "tokens/key_filter.h"

#include <stdlib.h>

/* A shingle of the query. */
typedef struct seed {
    uint64_t key;
    uint32_t doc, at;
} seed;

/* A word of a passage. */
typedef struct word {
    uint64_t key;
    float weight;
} word;

/* Scratch of a thread. */
typedef struct finder {
    struct search *s;
    uint32_t source;
    struct found {
        uint32_t doc;
        dpl__match match;
    } * found;
    size_t n_found, found_cap;
    DPL_VEC(dpl__match) matches;
    DPL_VEC(uint32_t) chain;
    DPL_VEC(word) words[2];
    DPL_VEC(uint8_t) covered;
    dpl__passages passages;
    uint32_t query;
    unsigned n_nested; /* groups of matches that a passage did not hold */
    uint64_t n_seeds;
} finder;

typedef struct search {
    dpl_reuse_result *r;
    DPL_VEC(seed) seeds;
    dpl__key_filter filter; /* of their keys */
    float *weights[2];      /* of the terms of either side: rare in the collection, more */
    finder *finders;
} search;

/* ---- seeds -------------------------------------------------------------------------- */

DPL__ORDER(by_key, seed, DPL__RISING(key) DPL__RISING(doc) DPL__RISING(at))

static dpl_status make_seeds(search *s, dpl_error *err)
{
    dpl_reuse_result *r = s->r;
    const uint32_t n_docs = dpl_collection_get_sizes(r->c[0])->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t n, n_tokens;
        (void)dpl_collection_tokens(r->c[0], doc, &n_tokens);
        const uint64_t *keys = dpl__sets_shingles(&r->sets[0], doc, &r->sets[0].scratch[0], &n);
        for (size_t i = 0; i < n && n_tokens >= r->o.seed_words; i++) {
            const seed one = {keys[i], doc, (uint32_t)i};
            DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &s->seeds, one), err));
        }
    }
    dpl__vec_sort(&s->seeds, by_key);
    DPL_TRY(dpl__need(dpl__key_filter_init(&s->filter, r->ctx, s->seeds.n), err));
    for (size_t i = 0; i < s->seeds.n; i++)
        dpl__key_filter_add(&s->filter, s->seeds.data[i].key);
    return DPL_OK;
}

static size_t first_seed(const search *s, uint64_t key)
{
    size_t at;
    DPL__LOWER_BOUND(at, s->seeds.n, s->seeds.data[at].key < key);
    return at;
}

/* ---- verification ------------------------------------------------------------------- */

/* The words of a passage; out is emptied first. */
static bool get_words(finder *f, int side, const dpl_span *span)
{
    const dpl_reuse_result *r = f->s->r;
    size_t n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(r->c[side], span->doc, &n_tokens);
    const float *weights = f->s->weights[side];
    f->words[side].n = 0;
    for (uint32_t i = 0; i < span->n_tokens; i++) {
        const uint32_t term = tokens[span->first_token + i];
        const word one = {dpl__sets_term_key(&r->sets[side], term), weights[term]};
        if (!dpl__vec_push(r->ctx, &f->words[side], one))
            return false;
    }
    return true;
}

DPL__ORDER(by_word, word, DPL__RISING(key))

/* Share of the words that both sides have: by number, and with rare ones counting more. Sorts
 * them. */
static void common_words(finder *f, double *plain, double *weighted)
{
    size_t n_both = 0;
    const size_t n = f->words[0].n, m = f->words[1].n;
    word *a = f->words[0].data, *b = f->words[1].data;
    double both = 0, all = 0;
    qsort(a, n, sizeof *a, by_word);
    qsort(b, m, sizeof *b, by_word);
    for (size_t i = 0, k = 0; i < n && k < m;) {
        const bool is_left = a[i].key <= b[k].key, is_right = a[i].key >= b[k].key;
        if (is_left && is_right) {
            n_both++;
            both += 2 * (double)b[k].weight;
        }
        i += is_left;
        k += is_right;
    }
    for (size_t i = 0; i < n; i++)
        all += (double)a[i].weight;
    for (size_t i = 0; i < m; i++)
        all += (double)b[i].weight;
    *plain = 2.0 * (double)n_both / (double)(n + m);
    *weighted = all > 0 ? both / all : 0;
}

/* Which words of a span seeds cover: marks in f->covered; returns how many. */
static size_t mark_covered(finder *f, const dpl__match *m, size_t n, const dpl_span *span,
                           bool is_source)
{
    size_t n_covered = 0;
    memset(f->covered.data, 0, span->n_tokens);
    for (size_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < f->s->r->o.seed_words; w++) {
            uint8_t *at =
                &f->covered
                     .data[(is_source ? m[i].source : m[i].query) + w - span->first_token];
            n_covered += !*at;
            *at = 1;
        }
    return n_covered;
}

static void swap_matches(dpl__match *a, dpl__match *b)
{
    const dpl__match kept = *a;
    *a = *b;
    *b = kept;
}

/* Drops matches outside of the part of a span that is covered best: the run of words with the
 * largest sum, covered ones counting 1, others less than 0. Seeds that stand near a passage by
 * chance are left out so. Returns how many matches stay, at the front; the others are behind
 * them. */
static size_t trim(finder *f, dpl__match *m, size_t n, const dpl_span *span, bool is_source)
{
    const double other = -DPL__P(reuse, not_covered);
    double sum = 0, best = 0;
    uint32_t begin = 0, low = 0, high = 0;
    size_t n_kept = 0;
    (void)mark_covered(f, m, n, span, is_source);
    for (uint32_t i = 0; i < span->n_tokens; i++) {
        if (sum <= 0) {
            sum = 0;
            begin = i;
        }
        sum += f->covered.data[i] ? 1 : other;
        if (sum > best) {
            best = sum;
            low = begin;
            high = i + 1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = (is_source ? m[i].source : m[i].query) - span->first_token;
        if (at >= low && at + f->s->r->o.seed_words <= high)
            swap_matches(&m[n_kept++], &m[i]);
    }
    return n_kept;
}

/* Word i of the document, counted from a place in a direction; false beyond its ends. */
static bool word_at(const finder *f, int side, uint32_t doc, int64_t at, uint64_t *key)
{
    const dpl_reuse_result *r = f->s->r;
    size_t n;
    const uint32_t *tokens = dpl_collection_tokens(r->c[side], doc, &n);
    if (at < 0 || at >= (int64_t)n)
        return false;
    *key = dpl__sets_term_key(&r->sets[side], tokens[at]);
    return true;
}

/* How far the passage goes on behind (step 1) or before (step -1) these words: to the last two
 * of matching words with few others between them; the same number on both sides. */
static uint32_t extend(const finder *f, const dpl_passage *p, int64_t query, int64_t source,
                       int step)
{
    const uint32_t most_others = (uint32_t)DPL__P(reuse, extend_others);
    uint32_t n_good = 0, n_others = 0, n_run = 1;
    for (uint32_t i = 0; i < (uint32_t)DPL__P(reuse, extend_words) && n_others <= most_others;
         i++) {
        uint64_t a, b;
        if (!word_at(f, 0, p->query.doc, query + step * (int64_t)i, &a) ||
            !word_at(f, 1, p->source.doc, source + step * (int64_t)i, &b))
            break;
        n_others = a == b ? 0 : n_others + 1;
        n_run = a == b ? n_run + 1 : 0;
        if (n_run >= 2)
            n_good = i + 1;
    }
    return n_good;
}

static void extend_both(const finder *f, dpl_passage *p)
{
    dpl_span *q = &p->query, *s = &p->source;
    uint32_t n = extend(f, p, (int64_t)q->first_token - 1, (int64_t)s->first_token - 1, -1);
    q->first_token -= n;
    q->n_tokens += n;
    s->first_token -= n;
    s->n_tokens += n;
    n = extend(f, p, (int64_t)q->first_token + q->n_tokens,
               (int64_t)s->first_token + s->n_tokens, 1);
    q->n_tokens += n;
    s->n_tokens += n;
}

static dpl_passage span_matches(const finder *f, const dpl__match *m, size_t n)
{
    uint32_t low[2], high[2];
    dpl__matches_range(m, n, low, high);
    const uint32_t w = f->s->r->o.seed_words;
    return (dpl_passage){
        .query = {.doc = f->query, .first_token = low[0], .n_tokens = high[0] - low[0] + w},
        .source = {.doc = f->source, .first_token = low[1], .n_tokens = high[1] - low[1] + w}};
}

static bool is_covered(finder *f, const dpl__match *m, size_t n, const dpl_span *span,
                       bool is_source)
{
    return (double)mark_covered(f, m, n, span, is_source) >=
           DPL__P(reuse, least_covered) * span->n_tokens;
}

/* Short passages must be more similar: a few words in common are chance. */
static double least_similarity(double least, const dpl_passage *p)
{
    const double full = DPL__P(reuse, full_words),
                 n = (double)dpl__min(p->query.n_tokens, p->source.n_tokens);
    return n < full ? least + (1 - least) * (full - n) / full : least;
}

/* The words of a passage that the other side has at the same distance from its beginning. */
static uint32_t n_equal(const finder *f, const dpl_passage *p)
{
    uint32_t n = 0;
    uint64_t a, b;
    for (uint32_t i = 0; i < p->query.n_tokens; i++)
        n += word_at(f, 0, p->query.doc, (int64_t)p->query.first_token + i, &a) &&
             word_at(f, 1, p->source.doc, (int64_t)p->source.first_token + i, &b) && a == b;
    return n;
}

/* The part of a passage in which most seeds are equally far apart on both sides: what is left
 * of a verbatim one without the headings, captions or notes at its ends. False: it is not most
 * of the passage, or not verbatim. */
static bool find_run(const finder *f, const dpl__match *m, size_t n, dpl_passage *p)
{
    int64_t distance = 0;
    size_t lead = 0; /* majority vote */
    for (size_t i = 0; i < n; i++) {
        const int64_t d = (int64_t)m[i].source - (int64_t)m[i].query;
        if (!lead)
            distance = d;
        lead = d == distance ? lead + 1 : lead - 1;
    }
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < n; i++)
        if ((int64_t)m[i].source - (int64_t)m[i].query == distance) {
            low = m[i].query < low ? m[i].query : low;
            high = m[i].query > high ? m[i].query : high;
        }
    if (low == UINT32_MAX)
        return false;
    dpl_passage run = *p;
    run.query.first_token = low;
    run.source.first_token = (uint32_t)((int64_t)low + distance);
    run.query.n_tokens = run.source.n_tokens = high - low + f->s->r->o.seed_words;
    extend_both(f, &run);
    const double longest = (double)dpl__max(p->query.n_tokens, p->source.n_tokens);
    if (run.query.n_tokens < DPL__P(reuse, run_share) * longest ||
        n_equal(f, &run) < DPL__P(reuse, verbatim) * run.query.n_tokens)
        return false;
    *p = run;
    return true;
}

/* The share of words that both sides have, by number and weighted. */
static bool compare(finder *f, const dpl_passage *p, double *plain, double *weighted)
{
    if (!get_words(f, 0, &p->query) || !get_words(f, 1, &p->source))
        return false;
    common_words(f, plain, weighted);
    return true;
}

static dpl_status add_passage(finder *f, dpl_passage *p, double in_order, bool *is_added,
                              dpl_error *err)
{
    dpl_reuse_result *r = f->s->r;
    double plain, weighted;
    if (p->query.n_tokens < r->o.min_words || p->source.n_tokens < r->o.min_words)
        return DPL_OK;
    DPL_TRY(dpl__need(compare(f, p, &plain, &weighted), err));
    if (weighted < least_similarity(r->o.threshold, p))
        return DPL_OK;
    p->similarity = (float)weighted;
    p->kind = in_order < DPL__P(reuse, in_order) ? DPL_PASSAGE_REORDERED
              : plain >= DPL__P(reuse, verbatim) ? DPL_PASSAGE_VERBATIM
                                                 : DPL_PASSAGE_EDITED;
    *is_added = true;
    return dpl__need(dpl__vec_push(r->ctx, &f->passages, *p), err);
}

/* The passage that these matches make together, if it is one. Changes their order. */
static dpl_status verify(finder *f, dpl__match *m, size_t n, dpl_passage *p, bool *is_added,
                         dpl_error *err)
{
    *is_added = false;
    *p = span_matches(f, m, n);
    const size_t longest = dpl__max(p->query.n_tokens, p->source.n_tokens);
    f->covered.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(f->s->r->ctx, &f->chain, n + 1) &&
                          dpl__vec_reserve(f->s->r->ctx, &f->covered, longest + 1),
                      err));
    n = trim(f, m, n, &p->query, false);
    *p = span_matches(f, m, n);
    n = n ? trim(f, m, n, &p->source, true) : 0;
    if (!n)
        return DPL_OK;
    *p = span_matches(f, m, n);
    if (!is_covered(f, m, n, &p->query, false) || !is_covered(f, m, n, &p->source, true))
        return DPL_OK;
    const double in_order = dpl__matches_in_order(m, n, f->chain.data);
    extend_both(f, p);
    double plain, weighted;
    DPL_TRY(dpl__need(compare(f, p, &plain, &weighted), err));
    if (plain < DPL__P(reuse, verbatim) && in_order >= DPL__P(reuse, in_order))
        (void)find_run(f, m, n, p);
    return add_passage(f, p, in_order, is_added, err);
}

static int64_t distance(const dpl__match *m)
{
    return (int64_t)m->source - (int64_t)m->query;
}

static int by_distance(const void *a, const void *b)
{
    const dpl__match *x = a, *y = b;
    const int64_t p = distance(x), q = distance(y);
    if (p != q)
        return p < q ? -1 : 1;
    return x->query < y->query ? -1 : x->query > y->query;
}

/* Sorts matches so that those of one run of words are in a row: equally far apart on both
 * sides, and no word between them that no seed covers. Returns how many the longest run has;
 * ties: the smallest distance, then the first place. */
static size_t longest_run(dpl__match *m, size_t n, uint32_t seed_words, size_t *first)
{
    size_t most = 0;
    qsort(m, n, sizeof *m, by_distance);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && distance(&m[end]) == distance(&m[i]) &&
                          m[end].query - m[end - 1].query <= seed_words;)
            end++;
        if (end - i > most) {
            most = end - i;
            *first = i;
        }
    }
    return most;
}

/* A dpl__group_fn. Several passages of one source can be near each other on both sides: where
 * the matches make none together, those of the longest run may; and those that a passage does
 * not hold are grouped again. */
static dpl_status verify_group(void *user, dpl__match *m, size_t n, dpl_error *err)
{
    finder *f = user;
    const dpl_reuse_options *o = &f->s->r->o;
    dpl_passage p;
    bool is_added;
    size_t first = 0, n_run, n_left = 0;
    DPL_TRY(verify(f, m, n, &p, &is_added, err));
    if (!is_added && n * o->seed_words >= o->min_words) {
        n_run = longest_run(m, n, o->seed_words, &first);
        if (n_run < n && n_run * o->seed_words >= o->min_words)
            DPL_TRY(verify(f, m + first, n_run, &p, &is_added, err));
    }
    if (!is_added || f->n_nested >= (unsigned)DPL__P(reuse, most_nested))
        return DPL_OK;
    for (size_t i = 0; i < n; i++)
        if (m[i].query < p.query.first_token ||
            m[i].query + o->seed_words > p.query.first_token + p.query.n_tokens)
            swap_matches(&m[n_left++], &m[i]);
    assert(n_left < n);
    f->n_nested++;
    dpl_status status = dpl__group_matches(m, n_left, o->gap, verify_group, f, err);
    f->n_nested--;
    return status;
}

/* ---- a document of the collection ------------------------------------------------------ */

static bool add_found(finder *f, uint32_t doc, uint32_t query, uint32_t source)
{
    if (f->n_found == f->found_cap &&
        !dpl__vec_grow(f->s->r->ctx, (void **)(void *)&f->found, f->n_found, &f->found_cap, 1,
                       sizeof *f->found))
        return false;
    f->found[f->n_found++] = (struct found){doc, {query, source, 1}};
    return true;
}

DPL__ORDER(by_doc, struct found, DPL__RISING(doc))

static dpl_str bare_id(const dpl_reuse_result *r, int side, uint32_t doc)
{
    return dpl__inputs_own_id(&r->in[side], dpl_reuse_doc(r, doc, side == 1).id);
}

/* Seeds that the document has. */
static bool look_up(finder *f, dpl__set_scratch *scratch)
{
    const search *s = f->s;
    const size_t most = (size_t)DPL__P(reuse, most_places);
    size_t n, n_tokens;
    (void)dpl_collection_tokens(s->r->c[1], f->source, &n_tokens);
    const uint64_t *keys = dpl__sets_shingles(&s->r->sets[1], f->source, scratch, &n);
    f->n_found = 0;
    for (size_t i = 0; i < n && n_tokens >= s->r->o.seed_words; i++) {
        if (!dpl__key_filter_may_have(&s->filter, keys[i]))
            continue;
        const size_t first = first_seed(s, keys[i]);
        size_t n_doc = 0;
        for (size_t k = first; k < s->seeds.n && s->seeds.data[k].key == keys[i]; k++) {
            const seed *one = &s->seeds.data[k];
            n_doc = k > first && one->doc == one[-1].doc ? n_doc + 1 : 0;
            if (n_doc < most && !add_found(f, one->doc, one->at, (uint32_t)i))
                return false;
        }
    }
    f->n_seeds += f->n_found;
    return true;
}

static dpl_status search_doc(void *user, size_t doc, unsigned worker, dpl_error *err)
{
    search *s = user;
    dpl_reuse_result *r = s->r;
    finder *f = &s->finders[worker];
    const dpl_progress p = {"search", "documents", doc,
                            dpl_collection_get_sizes(r->c[1])->n_docs};
    DPL_TRY(dpl__loop_progress(r->ctx, worker, &p, err));
    f->source = (uint32_t)doc;
    DPL_TRY(dpl__need(look_up(f, &r->sets[1].scratch[worker]), err));
    if (f->n_found)
        qsort(f->found, f->n_found, sizeof *f->found, by_doc);
    for (size_t i = 0, end; i < f->n_found; i = end) {
        f->matches.n = 0;
        f->query = f->found[i].doc;
        for (end = i; end < f->n_found && f->found[end].doc == f->query; end++)
            DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &f->matches, f->found[end].match), err));
        if (r->o.skip_same_id && dpl__str_eq(bare_id(r, 0, f->query), bare_id(r, 1, f->source)))
            continue;
        DPL_TRY(
            dpl__group_matches(f->matches.data, f->matches.n, r->o.gap, verify_group, f, err));
    }
    return DPL_OK;
}

static dpl_status collect(search *s, dpl_error *err)
{
    dpl_reuse_result *r = s->r;
    for (unsigned i = 0; i < r->ctx->n_threads; i++) {
        r->s.n_seeds += s->finders[i].n_seeds;
        DPL_TRY(dpl__need(dpl__vec_append(r->ctx, &r->passages, s->finders[i].passages.data,
                                          s->finders[i].passages.n),
                          err));
    }
    return DPL_OK;
}

/* Rarity of each term in the collection, ln(1 + N/df); words that only the query has are as
 * rare as can be. */
static dpl_status weigh(search *s, dpl_error *err)
{
    const dpl_reuse_result *r = s->r;
    const double n = dpl_collection_get_sizes(r->c[1])->n_docs;
    for (int side = 0; side < 2; side++) {
        const uint32_t n_terms = dpl_collection_get_sizes(r->c[side])->n_terms;
        s->weights[side] = dpl__alloc(r->ctx, ((size_t)n_terms + 1) * sizeof(float));
        DPL_TRY(dpl__need(s->weights[side], err));
        for (uint32_t i = 0; i < n_terms; i++) {
            uint32_t term = i;
            const bool is_known = side || dpl_collection_find_term(
                                              r->c[1], dpl_collection_term(r->c[0], i), &term);
            const double df = is_known ? dpl_collection_doc_count(r->c[1], term) : 1;
            s->weights[side][i] = (float)dpl__log(1 + n / df);
        }
    }
    return DPL_OK;
}

static dpl_status find(search *s, dpl_error *err)
{
    const size_t n_docs = dpl_collection_get_sizes(s->r->c[1])->n_docs;
    DPL_TRY(make_seeds(s, err));
    DPL_TRY(weigh(s, err));
    DPL_TRY(dpl__parallel_for(s->r->ctx, n_docs, s, search_doc, err));
    return collect(s, err);
}

dpl_status dpl__reuse_words(dpl_reuse_result *r, dpl_error *err)
{
    search s = {.r = r};
    dpl_ctx *ctx = r->ctx;
    s.finders = dpl__calloc(ctx, ctx->n_threads, sizeof *s.finders);
    for (unsigned i = 0; s.finders && i < ctx->n_threads; i++)
        s.finders[i].s = &s;
    dpl_status status = s.finders ? find(&s, err) : dpl__fail_nomem(err);
    for (unsigned i = 0; s.finders && i < ctx->n_threads; i++) {
        finder *f = &s.finders[i];
        dpl__free(ctx, f->found);
        dpl__vec_clear(ctx, &f->matches, &f->chain, &f->words[0], &f->words[1], &f->covered,
                       &f->passages);
    }
    dpl__free(ctx, s.finders);
    for (int i = 0; i < 2; i++)
        if (s.weights[i])
            dpl__free(ctx, s.weights[i]);
    dpl__key_filter_clear(&s.filter, ctx);
    dpl__vec_clear(ctx, &s.seeds);
    return status;
}
