/*
 * judge.c - sentences of pairs and decoys are aligned; what they say goes to the model.
 *
 * What was learnt from a pair speaks for it, and a lexicon learnt from a few pairs knows them
 * by heart. Then each tenth of the pairs is judged by a lexicon that was learnt from the
 * others. Where there are many pairs, words of one are known from others, and one lexicon
 * serves all.
 */
#include "mine/judge.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "mine/rescore.h"

#include <stdio.h>
#include <unistd.h>

enum { FEW_PAIRS = 64, FOLDS = 20 };

typedef struct judgement {
    const dpl__piles *piles;
    dpl__found *found;
    const dpl_doc_pair *learnt;
    size_t n_learnt;
    unsigned n_folds;
    dpl__pair_evidence *evidence; /* of each pair and decoy */
    dpl__doubter doubter;
    /* Pairs and decoys of the fold: numbers, documents, cosines. */
    DPL_VEC(size_t) numbers;
    DPL_VEC(dpl_doc_pair) docs;
    DPL_VEC(float) scores;
} judgement;

/* ---- folds -------------------------------------------------------------------------- */

static unsigned fold_of(const judgement *j, uint32_t left)
{
    return (unsigned)(dpl__mix(left) % j->n_folds);
}

/* A decoy goes with the pair that was taken away for it. */
static unsigned fold_at(const judgement *j, size_t i)
{
    const dpl__mined *m = dpl__found_at(j->found, i);
    const uint32_t *taken = m->match.taken;
    if (i >= j->found->pairs.n)
        m = &j->found->pairs.data[taken[taken[0] == DPL__NO_ROW]];
    return fold_of(j, m->docs.left);
}

static dpl_status gather(judgement *j, unsigned fold, dpl_error *err)
{
    dpl_ctx *ctx = j->piles->ctx;
    j->numbers.n = j->docs.n = j->scores.n = 0;
    for (size_t i = 0; i < j->found->pairs.n + j->found->decoys.n; i++) {
        const dpl__mined *m = dpl__found_at(j->found, i);
        if (fold_at(j, i) == fold &&
            (!dpl__vec_push(ctx, &j->numbers, i) || !dpl__vec_push(ctx, &j->docs, m->docs) ||
             !dpl__vec_push(ctx, &j->scores, m->match.score)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* A lexicon of all that was learnt from but the fold. */
static dpl_status learn_others(dpl_lexicon **out, const judgement *j, unsigned fold,
                               const dpl_lexicon *all, dpl_error *err)
{
    const dpl__piles *p = j->piles;
    char path[4100];
    snprintf(path, sizeof path, "%s/fold.dpl", p->work);
    DPL_VEC(dpl_doc_pair) others = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < j->n_learnt && status == DPL_OK; i++)
        if (fold_of(j, j->learnt[i].left) != fold &&
            !dpl__vec_push(p->ctx, &others, j->learnt[i]))
            status = dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = dpl__round_learn(NULL, p, others.data, others.n, all, path, err);
    if (status == DPL_OK)
        status = dpl_lexicon_open(out, p->ctx, path, NULL, err);
    unlink(path); /* it stays as long as it is open */
    dpl__vec_clear(p->ctx, &others);
    return status;
}

/* ---- evidence ----------------------------------------------------------------------- */

/* How much of either document is in beads that were kept, by words; what is too short to say
 * anything does not count. */
static double share_aligned(const dpl__piles *p, const dpl_aligned_docs *a)
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
    return (kept[0] / all[0] + kept[1] / all[1]) / 2;
}

static dpl_status take_evidence(void *user, const dpl_aligned_docs *a, dpl_error *err)
{
    (void)err;
    judgement *j = user;
    j->evidence[j->numbers.data[a->pair]] =
        (dpl__pair_evidence){.score = (double)j->scores.data[a->pair],
                             .aligned = share_aligned(j->piles, a),
                             .words = dpl__doubter_ask(&j->doubter, a)};
    return DPL_OK;
}

static dpl_status hear(judgement *j, const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__piles *p = j->piles;
    dpl_sentences_options o = p->options->sentences;
    dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = p->c[0], .right = p->c[1], .pairs = j->docs.data,
                 .n_pairs = j->docs.n, .lexicon = lexicon);
    o.size = sizeof o;
    o.no_learning = true;
    DPL_TRY(dpl__doubter_make(&j->doubter, p->ctx, p->c, lexicon, err));
    dpl_status status = dpl_sentences_align(NULL, p->ctx, &in, &o, take_evidence, j, err);
    dpl__doubter_clear(&j->doubter);
    return status;
}

static dpl_status hear_fold(judgement *j, unsigned fold, const dpl_lexicon *all, dpl_error *err)
{
    dpl_lexicon *others = NULL;
    DPL_TRY(gather(j, fold, err));
    if (j->docs.n == 0)
        return DPL_OK;
    if (j->n_folds == 1)
        return hear(j, all, err);
    dpl_status status = learn_others(&others, j, fold, all, err);
    if (status == DPL_E_USAGE) { /* the others teach nothing */
        if (err)
            *err = (dpl_error){0};
        return hear(j, all, err);
    }
    if (status == DPL_OK)
        status = dpl__rescore(j->scores.data, j->piles, j->docs.data, j->docs.n, others, err);
    if (status == DPL_OK)
        status = hear(j, others, err);
    dpl_lexicon_close(others);
    return status;
}

static unsigned count_folds(size_t n_learnt)
{
    return n_learnt < 2 || n_learnt >= FEW_PAIRS ? 1 : (unsigned)dpl__min(n_learnt, FOLDS);
}

dpl_status dpl__judge(dpl__found *f, const dpl__piles *p, const dpl_lexicon *lexicon,
                      const dpl_doc_pair *learnt, size_t n_learnt, dpl_error *err)
{
    size_t n = f->pairs.n + f->decoys.n + 1;
    judgement j = {.piles = p,
                   .found = f,
                   .learnt = learnt,
                   .n_learnt = n_learnt,
                   .n_folds = count_folds(n_learnt),
                   .evidence = dpl__alloc(p->ctx, n * sizeof *j.evidence)};
    dpl_status status = j.evidence ? DPL_OK : dpl__fail_nomem(err);
    for (unsigned fold = 0; fold < j.n_folds && status == DPL_OK; fold++)
        status = hear_fold(&j, fold, lexicon, err);
    if (status == DPL_OK)
        status = dpl__found_judge(f, p, j.evidence, err);
    dpl__vec_clear(p->ctx, &j.scores);
    dpl__vec_clear(p->ctx, &j.docs);
    dpl__vec_clear(p->ctx, &j.numbers);
    dpl__free(p->ctx, j.evidence, n * sizeof *j.evidence);
    return status;
}
