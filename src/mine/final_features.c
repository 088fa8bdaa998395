/*
 * final_features.c - sentences of pairs and decoys are aligned; what they say goes to the
 * model.
 *
 * What was learnt from a pair speaks for it, and a lexicon learnt from a few pairs knows them
 * by heart. Then each fold of the pairs is judged by a lexicon that was learnt from the others.
 * Where there are many pairs, words of one are mostly known from others, and one lexicon serves
 * all; unless pairs are in doubt, and a fold shows that they are not.
 */
#include "mine/final_features.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/few_docs.h"
#include "mine/mine_params.h"
#include "mine/ranges.h"
#include "mine/rescore.h"
#include "mine/unit.h"
#include "par/pool.h"

#include <math.h>
#include <stdlib.h>

enum { PART_PAIRS = 64 };                      /* of a task */
static const unsigned ALL_LIKELY = UINT32_MAX; /* instead of a fold */

typedef struct estimate {
    const dpl__round_input *in;
    const dpl__comparable *corpus; /* of in */
    dpl__doc_candidates *found;
    dpl__pair_list learnt;
    unsigned n_folds;
    bool is_again;                      /* all were judged by one lexicon before */
    size_t n_others;                    /* pairs that taught the lexicon of the fold */
    dpl__alignment_features *alignment; /* of each pair and decoy */
    double usual_ratio;                 /* natural logarithm of right words for each left one */
    dpl__untranslated untranslated;
    dpl__pair_beads *shared; /* by the lexicon of in */
    dpl__pair_beads *beads;  /* those, or of the fold alone, of: */
    /* Pairs and decoys of the fold: numbers, documents, cosines. */
    DPL_VEC(size_t) numbers;
    DPL_VEC(dpl_doc_pair) docs;
    DPL_VEC(float) scores;
} estimate;

/* ---- folds -------------------------------------------------------------------------- */

static unsigned fold_of(const estimate *e, dpl_doc_pair docs)
{
    const dpl__comparable *p = e->corpus;
    uint64_t key = p->keys[p->pivot][p->pivot ? docs.right : docs.left];
    return (unsigned)(dpl__mix(key) % e->n_folds);
}

/* A decoy goes with the pair that was taken away for it. */
static unsigned fold_at(const estimate *e, size_t i)
{
    const dpl__doc_candidate *m = dpl__doc_candidates_at(e->found, i);
    const uint32_t *taken = m->match.taken;
    int side = e->corpus->pivot;
    if (i >= e->found->pairs.n)
        m = &e->found->pairs.data[taken[taken[side] == DPL__NO_ROW ? !side : side]];
    return fold_of(e, m->docs);
}

static bool is_likely(const estimate *e, size_t number)
{
    return number < e->found->pairs.n &&
           e->found->pairs.data[number].confidence >= DPL__P(mine, train_confidence);
}

/* Pairs and decoys of a fold, or the likely pairs. */
static dpl_status gather(estimate *e, unsigned fold, dpl_error *err)
{
    dpl_ctx *ctx = e->corpus->ctx;
    e->numbers.n = e->docs.n = e->scores.n = 0;
    for (size_t i = 0; i < e->found->pairs.n + e->found->decoys.n; i++) {
        const dpl__doc_candidate *m = dpl__doc_candidates_at(e->found, i);
        const bool is_wanted = fold == ALL_LIKELY ? is_likely(e, i) : fold_at(e, i) == fold;
        if (is_wanted &&
            (!dpl__vec_push(ctx, &e->numbers, i) || !dpl__vec_push(ctx, &e->docs, m->docs) ||
             !dpl__vec_push(ctx, &e->scores, m->match.score)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* A lexicon of all that was learnt from but the fold; NULL: nothing can be learnt from these.
 */
static dpl_status learn_others(dpl_lexicon **out, estimate *e, unsigned fold, dpl_error *err)
{
    const dpl__comparable *p = e->corpus;
    DPL_VEC(dpl_doc_pair) others = {0};
    dpl__learnt learnt = {0};
    dpl__round_input in = *e->in;
    dpl_status status = DPL_OK;
    in.is_trial = true;
    for (size_t i = 0; i < e->learnt.n && status == DPL_OK; i++)
        if (fold_of(e, e->learnt.data[i]) != fold &&
            !dpl__vec_push(p->ctx, &others, e->learnt.data[i]))
            status = dpl__fail_nomem(err);
    e->n_others = others.n;
    if (status == DPL_OK)
        status = dpl__round_learn(&learnt, &in, (dpl__pair_list){others.data, others.n}, "fold",
                                  err);
    *out = learnt.lexicon;
    dpl__vec_clear(p->ctx, &others);
    return status;
}

/* ---- alignment ----------------------------------------------------------------------- */

/* How much of either document is in beads that were kept, by words; what is too short to say
 * anything does not count. */
dpl__aligned_share dpl__share_aligned(const dpl__comparable *p, const dpl_aligned_docs *a)
{
    double kept[2] = {0, 0}, all[2] = {1, 1};
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        if (b->verdict == DPL_VERDICT_SHORT)
            continue;
        bool is_good = b->verdict == DPL_VERDICT_KEPT || b->verdict == DPL_VERDICT_IDENTICAL;
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, p->c, a, b);
        for (int side = 0; side < 2; side++) {
            all[side] += (double)sides[side].n;
            kept[side] += is_good ? (double)sides[side].n : 0;
        }
    }
    const double left = kept[0] / all[0], right = kept[1] / all[1];
    return (dpl__aligned_share){(left + right) / 2, fmax(left, right)};
}

static double log_ratio(double left, double right)
{
    return dpl__log(right) - dpl__log(left);
}

DPL__RISING_NUMBERS(rising, double)

/* Of the words that two documents have in sentences of both. */
static double ratio_of(const estimate *e, const dpl_aligned_docs *a)
{
    double n[2] = {DPL__P(mine, length_words), DPL__P(mine, length_words)};
    for (size_t i = 0; i < a->n_beads; i++) {
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, e->corpus->c, a, &a->beads[i]);
        for (int side = 0; side < 2 && sides[0].n && sides[1].n; side++)
            n[side] += (double)sides[side].n;
    }
    return log_ratio(n[0], n[1]);
}

/* The median of the likely pairs, or of all that were aligned. Whole documents would not do:
 * of many, a part is left out on one side. */
static dpl_status find_usual_ratio(estimate *e, dpl_error *err)
{
    dpl_ctx *ctx = e->corpus->ctx;
    dpl__aligned_reader reader = {0};
    double *ratios = dpl__alloc(ctx, (e->docs.n + 1) * sizeof *ratios);
    size_t n = 0;
    dpl_status status = ratios ? DPL_OK : dpl__fail_nomem(err);
    for (int all = 0; all < 2 && n == 0 && status == DPL_OK; all++)
        for (size_t i = 0; i < e->docs.n && status == DPL_OK; i++) {
            dpl_aligned_docs a;
            if (!all && !is_likely(e, e->numbers.data[i]))
                continue;
            status = dpl__pair_beads_read(&a, &reader, e->beads, e->docs.data[i], err);
            if (status == DPL_OK)
                ratios[n++] = ratio_of(e, &a);
        }
    if (n)
        qsort(ratios, n, sizeof *ratios, rising);
    e->usual_ratio = n ? (ratios[n / 2] + ratios[(n - 1) / 2]) / 2 : 0;
    dpl__aligned_reader_clear(&reader, ctx);
    dpl__free(ctx, ratios);
    return status;
}

/* How much the lengths of aligned sentences differ from what is usual, by words; what is not
 * aligned counts as one. */
static double length_difference(const estimate *e, const dpl_aligned_docs *a)
{
    const double offset = DPL__P(mine, length_bead_words);
    double sum = 0, all = DPL__P(mine, length_words);
    for (size_t i = 0; i < a->n_beads; i++) {
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, e->corpus->c, a, &a->beads[i]);
        double n = (double)(sides[0].n + sides[1].n);
        double ratio = log_ratio((double)sides[0].n + offset, (double)sides[1].n + offset);
        sum += n * (sides[0].n && sides[1].n ? fabs(ratio - e->usual_ratio) : 1);
        all += n;
    }
    return sum / all;
}

/* A thread's own. */
typedef struct asker {
    dpl__untranslated words;
    dpl__aligned_reader reader;
    dpl__ranges ranges;
} asker;

typedef struct asking {
    estimate *e;
    asker *own; /* of each thread */
} asking;

/* Where documents are compared by passages, what lies outside of ranges is no translation: it
 * is not aligned, and its words say nothing. */
static dpl_status ask_ranges(dpl__alignment_features *out, asker *own, const dpl__comparable *p,
                             const dpl_aligned_docs *a, dpl_error *err)
{
    dpl_aligned_docs within = *a;
    DPL_TRY(dpl__ranges_mark(&own->ranges, p->ctx, p->c, a, err));
    within.beads = own->ranges.beads.data;
    out->aligned = dpl__share_aligned(p, &within);
    DPL_TRY(dpl__ranges_find(&own->ranges, p->ctx, p->c, a, err));
    within.beads = own->ranges.beads.data;
    within.n_beads = own->ranges.beads.n;
    out->words = dpl__untranslated_measure(&own->words, &within);
    return DPL_OK;
}

/* None where a lexicon of hardly another pair judges these. */
static double count_words(const estimate *e, dpl_doc_pair docs)
{
    const dpl__comparable *p = e->corpus;
    size_t n[2];
    if ((double)e->n_others < DPL__P(mine, few_docs_others) && !e->in->prior)
        return 0;
    dpl_collection_tokens(p->c[0], docs.left, &n[0]);
    dpl_collection_tokens(p->c[1], docs.right, &n[1]);
    return (double)n[0] + (double)n[1];
}

/* Features of some of the pairs. */
static dpl_status find_features(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const asking *all = user;
    estimate *e = all->e;
    asker *own = &all->own[worker];
    if (!own->words.ctx)
        DPL_TRY(dpl__untranslated_share(&own->words, &e->untranslated, err));
    size_t end = dpl__min((part + 1) * PART_PAIRS, e->docs.n);
    for (size_t i = part * PART_PAIRS; i < end; i++) {
        dpl_aligned_docs a;
        DPL_TRY(dpl__pair_beads_read(&a, &own->reader, e->beads, e->docs.data[i], err));
        dpl__alignment_features f = {.score = (double)e->scores.data[i],
                                     .n_words = count_words(e, e->docs.data[i]),
                                     .length = length_difference(e, &a)};
        if (e->in->unit->has_ranges) {
            DPL_TRY(ask_ranges(&f, own, e->corpus, &a, err));
        } else {
            f.aligned = dpl__share_aligned(e->corpus, &a);
            f.words = dpl__untranslated_measure(&own->words, &a);
        }
        e->alignment[e->numbers.data[i]] = f;
    }
    return DPL_OK;
}

/* Features of all pairs, on all threads. */
static dpl_status ask(estimate *e, dpl_error *err)
{
    dpl_ctx *ctx = e->corpus->ctx;
    size_t n = dpl_ctx_threads(ctx);
    asking all = {e, dpl__calloc(ctx, n, sizeof *all.own)};
    if (!all.own)
        return dpl__fail_nomem(err);
    dpl_status status = dpl__parallel_for(ctx, (e->docs.n + PART_PAIRS - 1) / PART_PAIRS, &all,
                                          find_features, err);
    for (size_t i = 0; i < n; i++) {
        dpl__untranslated_clear(&all.own[i].words);
        dpl__aligned_reader_clear(&all.own[i].reader, ctx);
        dpl__ranges_clear(&all.own[i].ranges, ctx);
    }
    dpl__free(ctx, all.own);
    return status;
}

/* Beads of what was gathered. Of few documents labels may be wrong, and little else is there.
 */
static dpl_status align(estimate *e, const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__pair_list docs = {e->docs.data, e->docs.n};
    dpl__align_input in = {.corpus = e->corpus,
                           .lexicon = lexicon,
                           .options = *e->corpus->options->sentences,
                           .learn = docs};
    in.options.no_learning = true;
    in.options.no_lang_check |= dpl__are_few_docs(e->found);
    if (lexicon && lexicon == e->in->lexicon && !dpl__are_few_docs(e->found))
        e->beads = e->shared;
    else
        DPL_TRY(dpl__pair_beads_new(&e->beads, &in, err));
    return dpl__pair_beads_align(e->beads, docs, err);
}

static void forget(estimate *e)
{
    if (e->beads != e->shared)
        dpl__pair_beads_free(e->beads);
    e->beads = NULL;
}

static dpl_status align_and_ask(estimate *e, const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__comparable *p = e->corpus;
    DPL_TRY(align(e, lexicon, err));
    if (e->n_folds == 1)
        DPL_TRY(find_usual_ratio(e, err));
    DPL_TRY(dpl__untranslated_init(&e->untranslated, p->ctx, p->c, lexicon, err));
    return ask(e, err);
}

static dpl_status measure(estimate *e, const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl_status status = align_and_ask(e, lexicon, err);
    dpl__untranslated_clear(&e->untranslated);
    forget(e);
    return status;
}

/* The usual ratio of all folds comes from pairs with the lexicon that these taught. */
static dpl_status begin_folds(estimate *e, dpl_error *err)
{
    if (e->n_folds == 1 || e->is_again)
        return DPL_OK;
    DPL_TRY(gather(e, ALL_LIKELY, err));
    dpl_status status = align(e, e->in->lexicon, err);
    if (status == DPL_OK)
        status = find_usual_ratio(e, err);
    forget(e);
    return status;
}

/* Whether likely pairs of the fold have kept most of their cosines: their words are known from
 * other pairs. */
static bool is_known_from_others(const estimate *e)
{
    double own = 0, by_others = 0;
    for (size_t i = 0; i < e->docs.n; i++)
        if (is_likely(e, e->numbers.data[i])) {
            own += (double)e->found->pairs.data[e->numbers.data[i]].match.score;
            by_others += (double)e->scores.data[i];
        }
    return by_others >= (1 - DPL__P(mine, fold_loss)) * own;
}

static dpl_status measure_fold(estimate *e, unsigned fold, dpl_error *err)
{
    const dpl_lexicon *all = e->in->lexicon;
    dpl_lexicon *others = NULL;
    DPL_TRY(gather(e, fold, err));
    if (e->docs.n == 0)
        return DPL_OK;
    if (e->n_folds == 1)
        return measure(e, all, err);
    dpl_status status = learn_others(&others, e, fold, err);
    if (status == DPL_OK && others)
        status = dpl__rescore(e->scores.data, e->corpus,
                              (dpl__pair_list){e->docs.data, e->docs.n}, others, err);
    if (status == DPL_OK && e->is_again && fold == 0 && others && is_known_from_others(e))
        e->n_folds = 1;
    else if (status == DPL_OK)
        status = measure(e, others ? others : all, err);
    dpl_lexicon_close(others);
    return status;
}

/* Words of the pivot's documents. */
static double count_words_of(const dpl__comparable *p, dpl__pair_list learnt)
{
    double sum = 0;
    for (size_t i = 0; i < learnt.n; i++) {
        const dpl_doc_pair *docs = &learnt.data[i];
        size_t n;
        dpl_collection_tokens(p->c[p->pivot], p->pivot ? docs->right : docs->left, &n);
        sum += (double)n;
    }
    return sum;
}

unsigned dpl__count_folds(double alone, size_t n_pairs, double n_words)
{
    size_t n = 1;
    if (n_pairs < (size_t)DPL__P(mine, few_pairs))
        n = (size_t)DPL__P(mine, folds);
    else if (alone > DPL__P(mine, few_folds_unpaired) &&
             n_pairs < (size_t)DPL__P(mine, few_folds_pairs))
        n = (size_t)DPL__P(mine, few_folds);
    const size_t least = (size_t)DPL__P(mine, long_folds);
    if (n > least && n_pairs >= 2 * least && n_words > DPL__P(mine, long_fold_words))
        n = least;
    return (unsigned)(n_pairs > 1 ? n : 1);
}

/* A document that is many times as long as another is no translation of it, whatever few words
 * of that say; where parts of documents are compared, it may hold one. */
static void distrust_lopsided(dpl__doc_candidates *f, const dpl__round_input *in)
{
    if (in->unit->has_ranges)
        return;
    for (size_t i = 0; i < f->pairs.n; i++) {
        dpl__doc_candidate *c = &f->pairs.data[i];
        size_t n[2];
        dpl_collection_tokens(in->corpus->c[0], c->docs.left, &n[0]);
        dpl_collection_tokens(in->corpus->c[1], c->docs.right, &n[1]);
        const double least = (double)dpl__min(n[0], n[1]) + DPL__P(mine, length_words);
        if ((double)dpl__max(n[0], n[1]) > DPL__P(mine, lopsided_docs) * least)
            c->confidence = 0;
    }
}

/* Of likely pairs. */
static void note_aligned(estimate *e)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < e->found->pairs.n; i++) {
        double confidence = e->found->pairs.data[i].confidence;
        if (confidence < e->found->likely)
            continue;
        sum += e->alignment[i].aligned.mean;
        weight++;
    }
    e->found->aligned = weight > 0 ? sum / weight : 0;
}

/* Confidence by features of e->n_folds. Where these show that words are known from others, what
 * was judged by one lexicon stays. */
static dpl_status judge(estimate *e, const dpl__round_input *in, dpl_error *err)
{
    DPL_TRY(begin_folds(e, err));
    for (unsigned fold = 0; fold < e->n_folds; fold++)
        DPL_TRY(measure_fold(e, fold, err));
    if (e->is_again && e->n_folds == 1)
        return DPL_OK;
    return dpl__estimate_confidence(e->found, in, e->alignment, err);
}

bool dpl__may_be_overfit(const dpl__doc_candidates *f, size_t n_learnt, double n_words)
{
    return (double)n_learnt >= DPL__P(mine, doubt_pairs) &&
           n_words <= DPL__P(mine, doubt_words) && !f->has_few && !f->has_few_docs &&
           dpl__doc_candidates_doubt(f) >
               DPL__P(mine, fold_doubt) * dpl__doc_candidates_n_likely(f);
}

static dpl_status judge_again(estimate *e, dpl_error *err)
{
    dpl__round_input in = *e->in;
    in.has_many = true;
    e->is_again = true;
    e->n_folds = (unsigned)DPL__P(mine, doubt_folds);
    return judge(e, &in, err);
}

dpl_status dpl__estimate_final_confidence(dpl__doc_candidates *f, const dpl__round_input *in,
                                          dpl__pair_list learnt, dpl__pair_beads *beads,
                                          dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    assert(in->unit->has_alignment && !in->sample->is_used);
    const size_t n = f->pairs.n + f->decoys.n + 1;
    const double n_words = count_words_of(p, learnt);
    estimate e = {.in = in,
                  .corpus = p,
                  .found = f,
                  .learnt = learnt,
                  .shared = beads,
                  .n_folds = dpl__count_folds(f->alone, learnt.n, n_words),
                  .n_others = learnt.n,
                  .alignment = dpl__alloc(p->ctx, n * sizeof *e.alignment)};
    dpl_status status = e.alignment ? judge(&e, in, err) : dpl__fail_nomem(err);
    if (status == DPL_OK && e.n_folds == 1 && in->unit->score == DPL__SCORE_COSINE &&
        dpl__may_be_overfit(f, learnt.n, n_words))
        status = judge_again(&e, err);
    if (status == DPL_OK) {
        distrust_lopsided(f, in);
        note_aligned(&e);
    }
    dpl__vec_clear(p->ctx, &e.scores, &e.docs, &e.numbers);
    dpl__free(p->ctx, e.alignment);
    return status;
}
