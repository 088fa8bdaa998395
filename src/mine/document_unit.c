/*
 * document_unit.c - documents: searched by the cosines of their vectors, trained on the beads
 * of their pairs.
 *
 * Very large collections are searched by n-grams in the last round.
 */
#include "mine/unit.h"

#include "doppel/ngram.h"

#include "base/maths.h"
#include "mine/align_sides.h"
#include "mine/mine_params.h"
#include "mine/ranges.h"

/* ---- searching ---------------------------------------------------------------------- */

static double words_per_doc(const dpl__comparable *p)
{
    double n_words = 0, n_docs = 0;
    for (int side = 0; side < 2; side++) {
        n_words += (double)dpl_collection_get_sizes(p->c[side])->n_tokens;
        n_docs += dpl_collection_get_sizes(p->c[side])->n_docs;
    }
    return n_docs > 0 ? n_words / n_docs : 0;
}

bool dpl_mine_prefers_ngrams(uint64_t n_left, uint64_t n_right, double words)
{
    double exact = DPL__P(mine, exact_ns) * (double)n_left * (double)n_right;
    double ngrams = DPL__P(mine, ngram_ns) * words * ((double)n_left + (double)n_right);
    return exact > DPL__P(mine, ngram_times) * ngrams;
}

/* Without a lexicon there is nothing to translate with. By itself only the last search, with
 * all documents of a large collection, is one by n-grams. */
static bool wants_ngrams(const dpl__round_input *in, dpl_vectors *const v[2])
{
    const dpl_pairs_method method = in->corpus->options->search->method;
    if (!in->lexicon)
        return false;
    if (method != DPL_PAIRS_AUTO)
        return method == DPL_PAIRS_NGRAM;
    return in->sample->is_large && !in->sample->is_used &&
           dpl_mine_prefers_ngrams(dpl_vectors_get_sizes(v[0])->n_rows,
                                   dpl_vectors_get_sizes(v[1])->n_rows,
                                   words_per_doc(in->corpus));
}

/* Neighbours by n-grams; not where these find too little and the method was not asked for. */
static dpl_status search_ngrams(dpl__neighbours *c, dpl__doc_candidates *found,
                                dpl__side_vectors *vectors, const dpl__round_input *in,
                                dpl_error *err)
{
    const dpl__row_docs rows = dpl__row_docs_of(in->corpus);
    const dpl_ngram_options ngram =
        DPL_INIT(dpl_ngram_options, .matching = 2, .lexicon = in->lexicon);
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_NGRAM, .threshold = found->least_cosine,
                 .temp = in->corpus->work, .ngram = &ngram);
    DPL_TRY(dpl__neighbours_find(c, in->corpus->ctx, vectors->v, &rows, &o, err));
    found->search = DPL_PAIRS_NGRAM;
    if (in->corpus->options->search->method == DPL_PAIRS_AUTO && !c->recall_check.is_empty &&
        c->recall_check.recall < DPL__P(mine, ngram_recall)) {
        dpl__neighbours_clear(c);
        *c = (dpl__neighbours){.ctx = in->corpus->ctx};
        found->search = DPL_PAIRS_EXACT;
    }
    return DPL_OK;
}

static dpl_status find_neighbours(dpl__neighbours *c, dpl__doc_candidates *found,
                                  dpl__side_vectors *vectors, const dpl__round_input *in,
                                  dpl_error *err)
{
    dpl_pairs_options o;
    const dpl__row_docs rows = dpl__row_docs_of(in->corpus);
    DPL_TRY(dpl__begin_search(&o, found, vectors, in, err));
    if (dpl__is_nothing(&found->why_empty))
        return DPL_OK;
    if (wants_ngrams(in, vectors->v)) {
        DPL_TRY(search_ngrams(c, found, vectors, in, err));
        if (found->search == DPL_PAIRS_NGRAM)
            return DPL_OK;
    }
    return dpl__neighbours_find(c, in->corpus->ctx, vectors->v, &rows, &o, err);
}

/* ---- confidence ----------------------------------------------------------------------- */

static double at_least_cosine(double x)
{
    return x > DPL__P(mine, least_cosine) ? x : DPL__P(mine, least_cosine);
}

/* The match with another cosine; the scores around the pair change with it, because they
 * include it. */
static dpl__match with_score(dpl__match m, double score)
{
    double by = score / (double)m.score;
    double around = 2 * (double)m.score / (double)m.margin;
    around += 2 * (score - (double)m.score) / DPL__AROUND;
    m.score = (float)score;
    m.margin = (float)(2 * score / (at_least_cosine(around)));
    for (int side = 0; side < 2; side++)
        m.lead[side] *= (float)by;
    return m;
}

/* alignment NULL: not known. What is added keeps the best from counting without bound. */
dpl__features dpl__document_features(const dpl__round_input *in, const dpl__doc_candidate *c,
                                     const dpl__alignment_features *alignment)
{
    const int pivot = in->corpus->pivot;
    dpl__match m = c->match;
    if (alignment && in->unit->score == DPL__SCORE_COSINE)
        m = with_score(m, at_least_cosine(alignment->score));
    dpl__features f = {{dpl__log((double)m.margin), dpl__log((double)m.score),
                        dpl__log((double)m.lead[!pivot]), dpl__log((double)m.lead[pivot])}};
    if (alignment) {
        double *x = f.x + DPL__MATCH_FEATURES;
        x[0] = -dpl__log(DPL__P(mine, aligned_offset) - alignment->aligned.mean);
        x[1] = -dpl__log(DPL__P(mine, missing_offset) + alignment->words.missing);
        x[2] = -dpl__log(DPL__P(mine, worst_offset) + alignment->words.worst);
    }
    return f;
}

/* ---- training ------------------------------------------------------------------------- */

/* Where parts of documents are translations, only what lies within ranges is learnt from. */
typedef struct rows_taker {
    dpl__training_rows *rows;
    bool has_ranges;
    dpl__ranges ranges;
} rows_taker;

static dpl_status take_rows(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    rows_taker *t = user;
    dpl__training_rows *l = t->rows;
    dpl_aligned_docs within = *docs, *a = &within;
    if (t->has_ranges) {
        DPL_TRY(dpl__ranges_find(&t->ranges, l->ctx, l->collection, docs, err));
        within.beads = t->ranges.beads.data;
        within.n_beads = t->ranges.beads.n;
    }
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        if (b->verdict != DPL_VERDICT_KEPT && b->verdict != DPL_VERDICT_IDENTICAL)
            continue; /* what is left untranslated belongs to a lexicon, too */
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, l->collection, a, b);
        DPL_TRY(dpl__training_rows_add(l, sides[0].tokens, sides[0].n, sides[1].tokens,
                                       sides[1].n, err));
    }
    return DPL_OK;
}

dpl_status dpl__add_aligned_rows(dpl__training_rows *rows, const dpl__round_input *in,
                                 dpl__pair_list pairs, dpl_error *err)
{
    rows_taker taker = {.rows = rows, .has_ranges = in->unit->has_ranges};
    const dpl__align_input align = {.corpus = in->corpus,
                                    .pairs = pairs,
                                    .lexicon = in->lexicon,
                                    .options = *in->corpus->options->sentences};
    dpl_status status = dpl__align_sides(&align, take_rows, &taker, err);
    dpl__ranges_clear(&taker.ranges, in->corpus->ctx);
    return status;
}

static dpl_status add_rows(dpl__training_rows *rows, dpl__reason *why,
                           const dpl__round_input *in, dpl__pair_list pairs, dpl_error *err)
{
    (void)why;
    return dpl__add_aligned_rows(rows, in, pairs, err);
}

static double most_changed(void)
{
    return DPL__P(mine, most_changed);
}

const dpl__unit dpl__unit_document = {
    .number = DPL_UNIT_DOCUMENT,
    .name = "document",
    .things = "documents",
    .gold_code = "known-unknown",
    .is_cleaned = true,
    .has_alignment = true,
    .score = DPL__SCORE_COSINE,
    .has_sample = true,
    .n_features = DPL__MATCH_FEATURES,
    .has_second_turn = true,
    .counts_unpaired = true,
    .neighbours = find_neighbours,
    .features = dpl__document_features,
    .add_rows = add_rows,
    .most_changed = most_changed,
};
