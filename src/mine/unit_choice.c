/*
 * unit_choice.c - the unit of a run; collections of sentences.
 *
 * A collection of documents becomes one of its sentences, each a document with an id of its
 * own. It is made by importing the sentences, one by one, so that everything after it is the
 * same as for documents of one sentence. Cost: the sentences are tokenized again.
 *
 * Rounds with passages cost several times those with documents. They are made where documents
 * give nothing, or next to nothing that is sure, and where the pairs they give can only be
 * aligned in part.
 */
#include "mine/unit_choice.h"

#include "base/ctx.h"
#include "mine/derived_docs.h"
#include "mine/final_pairs.h"
#include "mine/mine_params.h"
#include "vectors/term_match.h"

#include <stdio.h>

/* ---- sentences as documents ----------------------------------------------------------- */

/* The sentences of a collection, as documents. */
typedef struct splitter {
    dpl_ctx *ctx;
    const dpl_collection *c;
    uint32_t doc;
    size_t sentence; /* of the document, the next one */
    dpl__bytes id;
} splitter;

static dpl_status next_sentence(void *user, dpl_doc *out, dpl_error *err)
{
    splitter *s = user;
    uint32_t n_docs = dpl_collection_get_sizes(s->c)->n_docs;
    dpl_str text = {0};
    while (s->doc < n_docs && text.n == 0) {
        if (s->sentence == dpl_collection_n_sentences(s->c, s->doc)) {
            s->doc++;
            s->sentence = 0;
        } else {
            text = dpl_collection_sentence_text(s->c, s->doc, s->sentence++);
        }
    }
    if (text.n == 0)
        return DPL_END;
    char number[24];
    int n = snprintf(number, sizeof number, "#%zu", s->sentence);
    dpl_doc from = dpl_collection_doc(s->c, s->doc);
    s->id.n = 0;
    if (!dpl__vec_append(s->ctx, &s->id, from.id.data, from.id.n) ||
        !dpl__vec_append(s->ctx, &s->id, number, (size_t)n))
        return dpl__fail_nomem(err);
    out->id = (dpl_str){s->id.data, s->id.n};
    out->lang = from.lang;
    out->text = text;
    return DPL_OK;
}

/* The collection of sentences takes the place of that of documents. */
static dpl_status split_side(dpl__pair_run *r, int side, dpl_error *err)
{
    splitter s = {.ctx = r->ctx, .c = r->corpus.c[side]};
    dpl_collection *sentences = NULL;
    dpl__facts facts;
    DPL_TRY(dpl__facts_find(&facts, s.c, 1, err));
    const dpl__derived_docs docs = {
        .side = side,
        .what = "sentences",
        .source = {next_sentence, &s, dpl_input_name(r->task.inputs[side])},
        .is_stemmed = facts.is_stemmed};
    const dpl_status status = dpl__derived_docs_open(&sentences, &r->corpus, &docs, err);
    dpl__vec_clear(r->ctx, &s.id);
    DPL_TRY(status);
    dpl_collection_close(r->read.owned[side]);
    dpl__doc_numbers_clear(&r->read.numbers[side], r->ctx); /* of documents */
    r->corpus.c[side] = r->read.owned[side] = sentences;
    if (dpl_collection_get_sizes(sentences)->n_docs == 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no sentences",
                         dpl_input_name(r->task.inputs[side]));
    return DPL_OK;
}

/* ---- choosing ------------------------------------------------------------------------- */

static bool has_single_sentences(const dpl__pair_run *r, int side)
{
    const dpl_mine_language *s = &r->sides[side];
    double n = (double)s->n_docs;
    return (double)s->n_sentences <= DPL__P(mine, single_sentences) * n &&
           (double)s->n_tokens <= DPL__P(mine, single_words) * n;
}

dpl_status dpl__pair_run_choose_unit(dpl__pair_run *r, dpl_error *err)
{
    const dpl_mine_unit number = r->settings.options.unit;
    if (!dpl_mine_unit_name(number))
        return dpl__fail(err, DPL_E_USAGE, "no unit of mining has the number %d", (int)number);
    const bool are_sentences = has_single_sentences(r, 0) && has_single_sentences(r, 1);
    r->unit = number != DPL_UNIT_AUTO ? dpl__unit_of(number)
              : are_sentences         ? &dpl__unit_sentence
                                      : &dpl__unit_document;
    r->corpus.unit = r->unit->score == DPL__SCORE_ALIGNMENT ? r->unit : &dpl__unit_document;
    for (int side = 0; side < 2 && number == DPL_UNIT_SENTENCE; side++)
        DPL_TRY(split_side(r, side, err));
    r->summary.unit = r->unit->number;
    return DPL_OK;
}

/* ---- passages ------------------------------------------------------------------------- */

/* Expected numbers, as the selection counts them. */
static bool finds_little(const dpl__doc_candidates *found)
{
    double all = 0, taken = 0, n = 0;
    for (size_t i = 0; i < found->pairs.n; i++) {
        double confidence = found->pairs.data[i].confidence;
        all += confidence;
        if (confidence >= found->likely) {
            taken += confidence;
            n++;
        }
    }
    return found->has_few || taken <= DPL__P(mine, little_precision) * n ||
           taken <= DPL__P(mine, little_recall) * all;
}

bool dpl__needs_passages(const dpl__rounds *documents, bool is_lexicon_only)
{
    if (documents->unit != &dpl__unit_document || documents->sample.is_large)
        return false;
    if (dpl__is_nothing(&documents->why_empty))
        return true;
    const dpl__doc_candidates *found = &documents->found;
    return !is_lexicon_only &&
           (finds_little(found) || found->aligned < DPL__P(mine, partly_aligned));
}

bool dpl__may_be_parts(const dpl__doc_candidates *found)
{
    return found->has_few && !found->has_few_docs &&
           found->aligned < DPL__P(mine, partly_aligned);
}

/* Pairs that are expected to be right. */
static double count_right(const dpl__rounds *rounds)
{
    double right = 0;
    for (size_t i = 0; i < rounds->found.pairs.n; i++)
        right += rounds->found.pairs.data[i].confidence;
    return right;
}

bool dpl__come_back(const dpl__hidden_pairs *hidden)
{
    return hidden->n_back > 0 &&
           hidden->n_back >= DPL__P(mine, confirmed_back) * hidden->n_hidden;
}

bool dpl__distrusts_passages(const dpl__rounds *passages, const dpl__rounds *documents,
                             const dpl__comparable *p, bool is_lexicon_only)
{
    if (dpl__is_nothing(&passages->why_empty))
        return true;
    if (!is_lexicon_only && !dpl__is_nothing(&documents->why_empty) &&
        (count_right(passages) < count_right(documents) ||
         (passages->hidden.n_hidden > 0 && !dpl__come_back(&passages->hidden))))
        return true;
    const dpl__doc_candidates *found = &passages->found;
    const double n = dpl__doc_candidates_n_likely(found),
                 smaller = (double)dpl__min(p->n_docs[0], p->n_docs[1]);
    return !is_lexicon_only &&
           (dpl__are_chance(found, n) || (n < DPL__P(mine, passage_pairs) * smaller &&
                                          found->aligned < DPL__P(mine, passage_aligned)));
}

/* ---- single sentences ------------------------------------------------------------------- */

/* Mean confidence of the pairs that train. */
static double mean_confidence(const dpl__doc_candidates *found)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < found->pairs.n; i++)
        if (found->pairs.data[i].confidence >= DPL__P(mine, train_confidence)) {
            sum += found->pairs.data[i].confidence;
            n++;
        }
    return n > 0 ? sum / n : 0;
}

bool dpl__is_doubtful(const dpl__rounds *sentences)
{
    return mean_confidence(&sentences->found) < DPL__P(mine, strict_precision);
}

bool dpl__needs_strict_rounds(const dpl__rounds *sentences, const dpl__comparable *p)
{
    if (!sentences->unit->has_strict_rounds || sentences->sample.is_large ||
        dpl__is_nothing(&sentences->why_empty))
        return false;
    const double first = (double)sentences->figures[0].n_pairs,
                 last = (double)sentences->figures[sentences->n - 1].n_pairs,
                 smaller = (double)dpl__min(p->n_docs[0], p->n_docs[1]);
    return dpl__is_doubtful(sentences) || (last < DPL__P(mine, strict_pairs) * smaller &&
                                           last < DPL__P(mine, strict_growth) * first);
}
