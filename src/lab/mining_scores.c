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

enum { SCHEMES = 3, STEPS = 40 };
static const char *const schemes[SCHEMES] = {[DPL__MINING_IDF] = "idf (the paper's)",
                                             [DPL__MINING_TF_IDF] = "tf-idf",
                                             [DPL__MINING_BM25] = "BM25"};

typedef dpl__mining_grams grams;

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
        p.score = (float)dpl__mining_grams_score(g, p.left, g->n_left + p.right, scheme);
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

/* ---- F1 with intervals -------------------------------------------------------------- */

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
    DPL__STEP(dpl__mining_grams_make(&g, lab, sides, err));
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
