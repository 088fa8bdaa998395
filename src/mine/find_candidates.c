/*
 * find_candidates.c - candidates of a run with the unit that suits it.
 *
 * Rounds with the unit that was asked for or looks right; where these show that another is
 * needed (unit_choice.h), rounds with that. Each stays a value of the run, and one of them is
 * its result.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "mine/gold.h"
#include "mine/hidden_pairs.h"
#include "mine/known_links.h"
#include "mine/mine_params.h"
#include "mine/plain_words.h"
#include "mine/shared_confidence.h"
#include "mine/start.h"
#include "mine/unit_choice.h"

/* What the first round knew about the languages; NULL: how words are spelled. */
static const char *start_of(const dpl__pair_run *r)
{
    const dpl_mine_options *o = &r->settings.options;
    if (r->given)
        return o->lexicon      ? "the lexicon given"
               : o->dictionary ? "the dictionary given"
                               : "a lexicon through other languages";
    if (!r->rounds[0].n || !r->rounds[0].figures[0].n_lexicon_entries)
        return NULL;
    return r->gold && r->gold->n_accepted >= (size_t)DPL__P(mine, known_pairs)
               ? "a lexicon from the accepted pairs"
               : "a lexicon from the known links";
}

/* What the summary says about rounds, so far. */
static void note_rounds(void *user, const dpl__rounds *rounds)
{
    dpl__pair_run *r = user;
    size_t n = 0;
    for (const dpl__rounds *x = r->rounds; x <= rounds; x++)
        for (size_t i = 0; i < x->n; i++)
            r->round_list[n++] = &x->figures[i];
    r->summary.n_rounds = n;
    r->summary.start = start_of(r);
    r->summary.is_stable = rounds->is_stable;
    r->summary.unit = rounds->unit->number;
    r->summary.n_document_rounds = rounds->unit == &dpl__unit_passage ? rounds->first : 0;
}

static void tell_round(void *user, const dpl__rounds *rounds)
{
    dpl__pair_run *r = user;
    note_rounds(r, rounds);
    if (r->settings.options.on_round)
        r->settings.options.on_round(r->settings.options.user, &r->summary);
}

const dpl__histogram *dpl__pair_run_cosines(const dpl__pair_run *r, size_t round)
{
    const dpl__rounds *of = r->last;
    while (!of->n || of->first > round) /* there may be none of passages */
        of--;
    assert(round - of->first < of->n);
    return of->cosines[round - of->first];
}

/* Of a unit. What is known about single sentences is known in each round. before: rounds whose
 * pairs these begin with; NULL: none. */
static dpl__rounds_input input_of(const dpl__rounds *out, dpl__pair_run *r,
                                  const dpl__unit *unit, const dpl__rounds *before)
{
    const bool is_strict = out > r->rounds && unit->has_strict_rounds;
    return (dpl__rounds_input){.corpus = &r->corpus,
                               .unit = unit,
                               .first = out > r->rounds ? out[-1].n : 0,
                               .given = r->given,
                               .is_lexicon_only = r->task.lexicon_path,
                               .is_strict = is_strict,
                               .had_start = is_strict &&
                                            (before || dpl__rounds_had_start(&r->rounds[0])),
                               .before = before,
                               .tell = tell_round,
                               .user = r};
}

/* Candidates, with their final confidence. */
static dpl_status find_candidates(dpl__rounds *out, dpl__pair_run *r, dpl__rounds_input in,
                                  dpl_error *err)
{
    dpl__doc_pairs links = {0};
    dpl_status status = dpl__known_links_train(&links, r, err);
    in.links = (dpl__pair_list){links.data, links.n};
    if (status == DPL_OK)
        status = dpl__rounds_run(out, &in, err);
    dpl__vec_clear(r->ctx, &links);
    DPL_TRY(status);
    note_rounds(r, out);
    if (r->task.lexicon_path || dpl__is_nothing(&out->why_empty))
        return DPL_OK;
    dpl__stage_set(&r->stage, "confidence");
    dpl__stage_time(&r->stage, "confidence");
    return in.unit->has_alignment ? dpl__shared_confidence_estimate(out, &r->corpus, err)
                                  : DPL_OK;
}

/* Single sentences of which few have a counterpart begin again, strictly. */
static dpl_status find_strictly(dpl__pair_run *r, dpl_error *err)
{
    dpl__rounds *first = &r->rounds[0], *strict = &r->rounds[1];
    DPL_TRY(dpl__hidden_pairs_search(&first->hidden, first, &r->corpus, err));
    const dpl__rounds_input in =
        input_of(strict, r, r->unit, dpl__come_back(&first->hidden) ? first : NULL);
    DPL_TRY(find_candidates(strict, r, in, err));
    strict->trusts_given = r->given && !r->task.lexicon_path && !dpl__rounds_had_start(first) &&
                           first->figures[0].known_words >= DPL__P(mine, trusted_words);
    if (dpl__is_nothing(&strict->why_empty)) {
        r->last = dpl__is_doubtful(first) ? strict : first;
        return DPL_OK;
    }
    r->last = strict;
    if (strict->trusts_given)
        return dpl__hidden_pairs_judge(strict, &r->corpus, err);
    return r->task.lexicon_path ? DPL_OK : dpl__plain_words_find(strict, r, &in, err);
}

/* Documents of few sentences in languages that have little in common are taken as single
 * sentences. */
static dpl_status choose_sentences(dpl__pair_run *r, dpl_error *err)
{
    bool prefers_sentences = false;
    if (r->settings.options.unit != DPL_UNIT_AUTO || r->unit != &dpl__unit_document)
        return DPL_OK;
    DPL_TRY(dpl__start_prefers_sentences(&prefers_sentences, &r->corpus, err));
    if (prefers_sentences) {
        r->unit = r->corpus.unit = &dpl__unit_sentence;
        r->summary.unit = r->unit->number;
    }
    return DPL_OK;
}

/* The model of few pairs knows documents that are translated as wholes. Where it leaves none,
 * or pairs that are aligned in part, parts may be translated: pairs of the other model come
 * back then when they are hidden, and those of unrelated documents do not. */
static dpl_status settle_few(dpl__rounds *passages, const dpl__comparable *p, dpl_error *err)
{
    dpl__doc_candidates few = {0}, *found = &passages->found;
    if (!dpl__may_be_parts(found))
        return DPL_OK;
    DPL_TRY(dpl__doc_candidates_copy(&few, found, p->ctx, err));
    passages->has_many = true;
    found->alone = passages->figures[passages->n - 1].unpaired;
    dpl_status status = dpl__shared_confidence_estimate(passages, p, err);
    if (status == DPL_OK)
        status = dpl__hidden_pairs_search(&passages->hidden, passages, p, err);
    if (status == DPL_OK && !dpl__come_back(&passages->hidden)) {
        dpl__doc_candidates_clear(found, p->ctx);
        *found = few;
        passages->has_many = false;
        passages->hidden = (dpl__hidden_pairs){0}; /* those were others */
    } else {
        dpl__doc_candidates_clear(&few, p->ctx);
    }
    return status;
}

/* Passages take the place of documents unless these are trusted more. Fixed weights of few
 * pairs or documents are not learnt from what they judge. */
static dpl_status choose_passages(dpl__pair_run *r, dpl_error *err)
{
    dpl__rounds *documents = &r->rounds[0], *passages = &r->rounds[1];
    const dpl__doc_candidates *found = &passages->found;
    const bool is_lexicon_only = r->task.lexicon_path,
               is_learnt = !is_lexicon_only && !found->has_few && !found->has_few_docs;
    bool is_left = dpl__distrusts_passages(passages, documents, &r->corpus, is_lexicon_only);
    if (!is_left && is_learnt && passages->hidden.n_hidden <= 0 &&
        !dpl__is_nothing(&documents->why_empty)) {
        DPL_TRY(dpl__hidden_pairs_search(&passages->hidden, passages, &r->corpus, err));
        is_left = dpl__distrusts_passages(passages, documents, &r->corpus, is_lexicon_only);
    }
    r->last = is_left ? documents : passages;
    return DPL_OK;
}

/* Candidates by documents; where these show that passages are needed, by passages. Both stay:
 * where passages find nothing to trust, documents are the result. */
dpl_status dpl__pair_run_find_candidates(dpl__pair_run *r, dpl_error *err)
{
    dpl__rounds *first = &r->rounds[0], *passages = &r->rounds[1];
    DPL_TRY(choose_sentences(r, err));
    DPL_TRY(find_candidates(first, r, input_of(first, r, r->unit, NULL), err));
    if (dpl__needs_strict_rounds(first, &r->corpus)) {
        DPL_TRY(find_strictly(r, err));
        note_rounds(r, r->last);
    }
    if (r->settings.options.unit == DPL_UNIT_AUTO &&
        dpl__needs_passages(first, r->task.lexicon_path)) {
        dpl__stage_set(&r->stage, "passages");
        const dpl__rounds_input in = input_of(passages, r, &dpl__unit_passage,
                                              dpl__rounds_had_start(first) ? first : NULL);
        DPL_TRY(find_candidates(passages, r, in, err));
        if (!r->task.lexicon_path && !dpl__is_nothing(&passages->why_empty))
            DPL_TRY(settle_few(passages, &r->corpus, err));
        DPL_TRY(choose_passages(r, err));
        note_rounds(r, r->last);
    }
    r->lexicon = r->last->lexicon;
    return DPL_OK;
}

/* The pairs that are likely now, of which others were before. */
static dpl_status take_likely(dpl__rounds *rounds, dpl_ctx *ctx, dpl_error *err)
{
    rounds->pairs.n = 0;
    for (size_t i = 0; i < rounds->found.pairs.n; i++) {
        const dpl__doc_candidate *c = &rounds->found.pairs.data[i];
        if (c->confidence >= DPL__P(mine, train_confidence))
            DPL_TRY(dpl__need(dpl__vec_push(ctx, &rounds->pairs, c->docs), err));
    }
    return DPL_OK;
}

/* Where passages were compared, documents are again, as other languages may show that many are
 * translated whole; where these do not, what was found stays. */
static dpl_status find_again(dpl__pair_run *r, const dpl__rounds *before, dpl_error *err)
{
    dpl__rounds *again = &r->rounds[2];
    const dpl__rounds *last = r->rounds[1].n ? &r->rounds[1] : &r->rounds[0];
    const dpl__rounds_input in = {.corpus = &r->corpus,
                                  .unit = r->rounds[0].unit,
                                  .first = last->first + last->n,
                                  .given = r->composed ? r->composed : r->given,
                                  .before = before,
                                  .is_again = true,
                                  .tell = tell_round,
                                  .user = r};
    DPL_TRY(dpl__rounds_run(again, &in, err));
    if (dpl__is_nothing(&again->why_empty))
        return DPL_OK;
    dpl__stage_set(&r->stage, "confidence");
    dpl__stage_time(&r->stage, "confidence");
    if (again->unit->has_alignment)
        DPL_TRY(dpl__shared_confidence_estimate(again, &r->corpus, err));
    if (r->settings.options.unit == DPL_UNIT_AUTO && dpl__needs_passages(again, false))
        return DPL_OK;
    r->last = again;
    r->lexicon = again->lexicon;
    return DPL_OK;
}

/* Whether other languages may tell more than is known: they imply enough, and it is not sure.
 * Passages seem surer than they are. */
static bool gains_again(const dpl__pair_run *r, const dpl__rounds *before, double n_implied)
{
    const double n = (double)before->pairs.n, doubt = dpl__doc_candidates_doubt(&before->found);
    return n >= DPL__P(mine, gold_pairs) && n_implied >= DPL__P(mine, again_implied) * n &&
           (doubt >= DPL__P(mine, again_doubt) * n || before->unit != r->rounds[0].unit);
}

dpl_status dpl__pair_run_find_again(dpl__pair_run *r, dpl_lexicon *composed, double n_implied,
                                    dpl_error *err)
{
    dpl__rounds *before = r->last;
    r->composed = composed;
    if (dpl__is_nothing(&before->why_empty))
        return DPL_OK;
    DPL_TRY(take_likely(before, r->ctx, err));
    if (!gains_again(r, before, n_implied))
        return DPL_OK;
    r->corpus.n_implied = n_implied;
    dpl_status status = find_again(r, before, err);
    note_rounds(r, r->last);
    dpl__pair_run_end_stages(r);
    return status;
}
