/*
 * mining_scores.c - section 2.1 and section 6 of document mining: scores with term frequency
 * instead of the sets of bigrams, and the statistics of n-grams.
 *
 * In: two collections, the left one translated, and gold. Out: precision, recall and F1 of
 * mutual best pairs by the cosine of bigrams weighted by idf (the paper's), tf-idf and BM25,
 * each at the threshold that is best for it on gold: its best case. Candidates are the same:
 * pairs that share a matching n-gram. Beside it what the search counted of n-grams.
 */
#include "lab/mining.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

enum { SCHEMES = 3, STEPS = 40 };
static const char *const schemes[SCHEMES] = {"idf (the paper's)", "tf-idf", "BM25"};
static const double k1 = 1.2, b = 0.75;

/* A bigram of a document. */
typedef struct gram {
    uint64_t key;
    uint32_t doc, tf, df;
} gram;

typedef struct grams {
    dpl__lab *lab;
    DPL_VEC(gram) all; /* by document, then key */
    uint64_t *begin;   /* n_docs + 1 */
    uint32_t n_docs, n_left;
    double mean_length;
} grams;

DPL__ORDER(by_key, gram, DPL__RISING(key) DPL__RISING(doc))

DPL__ORDER(by_doc, gram, DPL__RISING(doc) DPL__RISING(key))

static dpl_status extract(grams *g, const dpl_collection *c, uint32_t from, dpl_error *err)
{
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c)->n_docs; doc++) {
        size_t n;
        const uint32_t *tokens = dpl_collection_tokens(c, doc, &n);
        uint64_t before = 0;
        for (size_t i = 0; i < n; i++) {
            const dpl_str word = dpl_collection_term(c, tokens[i]);
            const uint64_t key = dpl__hash(word.data, word.n, 0);
            const gram one = {dpl__mix(before * 3 + key), from + doc, 1, 0};
            if (i && !dpl__vec_push(g->lab->ctx, &g->all, one))
                return dpl__fail_nomem(err);
            before = key;
        }
    }
    return DPL_OK;
}

/* Each bigram of a document once, with its frequencies; those of one document are dropped. */
static void count(grams *g)
{
    gram *x = g->all.data;
    size_t n = 0;
    qsort(x, g->all.n, sizeof *x, by_key);
    for (size_t i = 0; i < g->all.n; i++)
        if (n && x[n - 1].key == x[i].key && x[n - 1].doc == x[i].doc)
            x[n - 1].tf++;
        else
            x[n++] = x[i];
    size_t kept = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && x[end].key == x[i].key;)
            end++;
        for (size_t k = i; k < end && end - i > 1; k++) {
            x[kept] = x[k];
            x[kept++].df = (uint32_t)(end - i);
        }
    }
    g->all.n = kept;
    qsort(x, kept, sizeof *x, by_doc);
}

static dpl_status make(grams *g, dpl__lab *lab, const dpl__mining_sides *sides, dpl_error *err)
{
    g->lab = lab;
    g->n_left = dpl_collection_get_sizes(sides->c[0])->n_docs;
    g->n_docs = g->n_left + dpl_collection_get_sizes(sides->c[1])->n_docs;
    DPL_TRY(extract(g, sides->c[0], 0, err));
    DPL_TRY(extract(g, sides->c[1], g->n_left, err));
    g->mean_length = (double)g->all.n / (double)dpl__max(g->n_docs, 1);
    if (g->all.n)
        count(g);
    g->begin = dpl__arena_alloc(&lab->arena, ((size_t)g->n_docs + 1) * sizeof *g->begin);
    DPL_TRY(dpl__need(g->begin, err));
    size_t at = 0;
    for (uint32_t doc = 0; doc <= g->n_docs; doc++) {
        while (at < g->all.n && g->all.data[at].doc < doc)
            at++;
        g->begin[doc] = at;
    }
    return DPL_OK;
}

static double weight(const grams *g, const gram *x, double length, unsigned scheme)
{
    const double idf = dpl__log((double)g->n_docs / x->df);
    const double tf = x->tf;
    if (scheme == 0)
        return idf;
    return scheme == 1
               ? tf * idf
               : idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / g->mean_length));
}

static double length_of(const grams *g, uint32_t doc)
{
    double sum = 0;
    for (uint64_t i = g->begin[doc]; i < g->begin[doc + 1]; i++)
        sum += g->all.data[i].tf;
    return sum;
}

static double score(const grams *g, uint32_t left, uint32_t right, unsigned scheme)
{
    const double lengths[2] = {length_of(g, left), length_of(g, right)};
    double dot = 0, norms[2] = {0, 0};
    uint64_t i = g->begin[left], k = g->begin[right];
    const uint64_t ends[2] = {g->begin[left + 1], g->begin[right + 1]};
    while (i < ends[0] || k < ends[1]) {
        const gram *x = i < ends[0] ? &g->all.data[i] : NULL,
                   *y = k < ends[1] ? &g->all.data[k] : NULL;
        const bool has_left = x && (!y || x->key <= y->key),
                   has_right = y && (!x || y->key <= x->key);
        const double w = has_left ? weight(g, x, lengths[0], scheme) : 0,
                     v = has_right ? weight(g, y, lengths[1], scheme) : 0;
        dot += w * v;
        norms[0] += w * w;
        norms[1] += v * v;
        i += has_left;
        k += has_right;
    }
    return dot > 0 ? dot / sqrt(norms[0] * norms[1]) : 0;
}

/* Mutual best pairs of the candidates by a score. */
static dpl_status select_best(dpl__mining_found *out, const grams *g,
                              const dpl__mining_found *candidates, unsigned scheme,
                              dpl_error *err)
{
    dpl_pair *best = dpl__arena_alloc(&g->lab->arena, ((size_t)g->n_docs + 1) * sizeof *best);
    DPL_TRY(dpl__need(best, err));
    memset(best, 0, ((size_t)g->n_docs + 1) * sizeof *best);
    for (size_t i = 0; i < candidates->pairs.n; i++) {
        dpl_pair p = candidates->pairs.data[i];
        p.score = (float)score(g, p.left, g->n_left + p.right, scheme);
        if (p.score > best[p.left].score)
            best[p.left] = p;
        if (p.score > best[g->n_left + p.right].score)
            best[g->n_left + p.right] = p;
    }
    out->ctx = g->lab->ctx;
    out->sides = candidates->sides;
    out->pairs.n = 0;
    for (uint32_t doc = 0; doc < g->n_left; doc++) {
        const dpl_pair *p = &best[doc];
        if (p->score > 0 && best[g->n_left + p->right].left == doc &&
            best[g->n_left + p->right].score > 0 && !dpl__vec_push(out->ctx, &out->pairs, *p))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* ---- F1 with intervals --------------------------------------------------------------------
 */

/* Outcomes of all left documents at each score's own threshold. */
typedef struct outcomes {
    dpl__mining_outcomes of;
    double f1[SCHEMES], at[SCHEMES];
} outcomes;

static dpl_status put_differences(dpl__lab *lab, const outcomes *o, dpl_error *err)
{
    dpl__lab_table *t = dpl__lab_table_new(
        lab, "differences", "score\tdifference of F1\tdifference, low\tdifference, high");
    for (unsigned scheme = 1; scheme < SCHEMES; scheme++) {
        double bounds[2] = {0, 0};
        DPL_TRY(dpl__mining_difference(bounds, lab, &o->of, 0, scheme, err));
        dpl__lab_text(t, "%s", schemes[scheme]);
        dpl__lab_number(t, o->f1[scheme] - o->f1[0], 4);
        dpl__lab_number(t, bounds[0], 4);
        dpl__lab_number(t, bounds[1], 4);
        dpl__lab_find(lab, "F1 of %s is %+.3f from that of idf alone (95 %%: %+.3f to %+.3f)",
                      schemes[scheme], o->f1[scheme] - o->f1[0], bounds[0], bounds[1]);
    }
    return DPL_OK;
}

static dpl_status measure(dpl__lab_table *t, dpl__lab *lab, const dpl__mining_found *found,
                          const dpl__mining_gold *gold, unsigned scheme, outcomes *o,
                          dpl_error *err)
{
    dpl_eval_pairs best = DPL_INIT(dpl_eval_pairs);
    double at = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        dpl_eval_pairs e;
        DPL_TRY(dpl__mining_measure(&e, lab, found, gold, 0.005 * i, err));
        if (i == 0 || e.f1 > best.f1) {
            best = e;
            at = 0.005 * i;
        }
    }
    dpl__lab_text(t, "%s", schemes[scheme]);
    dpl__lab_number(t, at, 3);
    dpl__lab_number(t, best.precision, 4);
    dpl__lab_number(t, best.recall, 4);
    dpl__lab_number(t, best.f1, 4);
    o->f1[scheme] = best.f1;
    o->at[scheme] = at;
    dpl__mining_outcomes_add(&o->of, found, scheme, at);
    return DPL_OK;
}

static void put_share(dpl__lab_table *t, const char *what, uint64_t part, uint64_t whole,
                      double paper)
{
    dpl__lab_text(t, "%s", what);
    dpl__lab_number(t, whole ? 100 * (double)part / (double)whole : 0, 2);
    dpl__lab_number(t, paper, 1);
}

static void put_statistics(dpl__lab *lab, const dpl_ngram_summary *s)
{
    dpl__lab_table *t = dpl__lab_table_new(lab, "statistics", "what\there [%]\tpaper [%]");
    put_share(t, "matching n-grams of one document", s->n_single, s->n_matching, 78);
    put_share(t, "matching n-grams of one language", s->n_one_group, s->n_matching, 21);
    put_share(t, "matching n-grams in more than 50 documents", s->n_frequent, s->n_matching,
              0.8);
    put_share(t, "scoring n-grams kept, by occurrences", s->n_kept, s->n_entries, 40);
    dpl__lab_find(
        lab,
        "of %llu distinct matching n-grams (%.0f of a document; paper: 250) %.1f %% are "
        "in one document, %.1f %% in one language, %.2f %% too frequent (paper: 78, "
        "21, 0.8 %%)",
        (unsigned long long)s->n_matching,
        (double)s->n_postings / (double)dpl__max(s->n_docs, 1),
        100 * (double)s->n_single / (double)dpl__max(s->n_matching, 1),
        100 * (double)s->n_one_group / (double)dpl__max(s->n_matching, 1),
        100 * (double)s->n_frequent / (double)dpl__max(s->n_matching, 1));
}

static dpl_status run(dpl__lab *lab, const dpl__mining_sides *sides, dpl_error *err)
{
    const dpl_ngram_options ngram =
        DPL_INIT(dpl_ngram_options, .max_disorder = -1, .all_candidates = true);
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.001,
                                         .select = DPL_SELECT_ALL, .ngram = &ngram);
    dpl__mining_found candidates = {0}, found = {0};
    dpl__mining_gold gold;
    grams g = {0};
    outcomes out = {0};
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL, "score\tbest threshold\tprecision\trecall\tF1");
    dpl_status status;
    DPL__STEP(dpl__mining_gold_get(&gold, lab, err));
    DPL__STEP(dpl__mining_find(&candidates, lab, sides, &o, err));
    DPL__STEP(make(&g, lab, sides, err));
    DPL__STEP(dpl__mining_outcomes_begin(&out.of, lab, SCHEMES, err));
    for (unsigned scheme = 0; scheme < SCHEMES; scheme++) {
        DPL__STEP(select_best(&found, &g, &candidates, scheme, err));
        DPL__STEP(measure(t, lab, &found, &gold, scheme, &out, err));
    }
    dpl__lab_find(lab,
                  "F1 of mutual best pairs: %.4f by idf alone, %.4f by tf-idf, %.4f by BM25",
                  out.f1[0], out.f1[1], out.f1[2]);
    DPL__STEP(put_differences(lab, &out, err));
    put_statistics(lab, &candidates.counts);
    dpl__lab_note(lab, "all pairs that share a matching n-gram, without the order filter; each "
                       "score at the threshold that is best for it on gold; intervals: left "
                       "documents drawn with replacement, the same for both scores");
done:
    dpl__vec_clear(lab->ctx, &g.all);
    dpl__mining_found_clear(&found);
    dpl__mining_found_clear(&candidates);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}

dpl_status dpl__lab_mining_scores(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides sides;
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    const dpl_status status = run(lab, &sides, err);
    dpl__mining_sides_close(&sides);
    return status;
}
