/*
 * judge.c - sentences of pairs and decoys are aligned; what they say goes to the model.
 */
#include "mine/judge.h"

#include "base/ctx.h"

typedef struct judgement {
    const dpl__piles *piles;
    dpl__doubter doubter;
    dpl__pair_evidence *evidence; /* of each pair and decoy */
} judgement;

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
        size_t n_tokens[2];
        dpl__unit_tokens(p->c[0], a->docs.left, a->units[0], b->left, b->n_left, &n_tokens[0]);
        dpl__unit_tokens(p->c[1], a->docs.right, a->units[1], b->right, b->n_right,
                         &n_tokens[1]);
        for (int side = 0; side < 2; side++) {
            all[side] += (double)n_tokens[side];
            kept[side] += is_good ? (double)n_tokens[side] : 0;
        }
    }
    return (kept[0] / all[0] + kept[1] / all[1]) / 2;
}

static dpl_status take_evidence(void *user, const dpl_aligned_docs *a, dpl_error *err)
{
    (void)err;
    judgement *j = user;
    j->evidence[a->pair] = (dpl__pair_evidence){.aligned = share_aligned(j->piles, a),
                                                .words = dpl__doubter_ask(&j->doubter, a)};
    return DPL_OK;
}

static dpl_status judge(judgement *j, dpl__found *f, const dpl_doc_pair *docs, size_t n,
                        const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__piles *p = j->piles;
    dpl_sentences_options o = p->options->sentences;
    o.has_no_learning = true;
    DPL_TRY(dpl__doubter_make(&j->doubter, p->ctx, p->c, lexicon, err));
    DPL_TRY(dpl_sentences_align(NULL, p->ctx, p->c[0], p->c[1], docs, n, lexicon, &o,
                                take_evidence, j, err));
    return dpl__found_judge(f, p, j->evidence, err);
}

dpl_status dpl__judge(dpl__found *f, const dpl__piles *p, const dpl_lexicon *lexicon,
                      dpl_error *err)
{
    size_t n = f->pairs.n + f->decoys.n;
    judgement j = {.piles = p,
                   .doubter = {.ctx = p->ctx},
                   .evidence = dpl__alloc(p->ctx, (n + 1) * sizeof *j.evidence)};
    dpl_doc_pair *docs = dpl__alloc(p->ctx, (n + 1) * sizeof *docs);
    dpl_status status = j.evidence && docs ? DPL_OK : dpl__fail_nomem(err);
    for (size_t i = 0; i < n && status == DPL_OK; i++)
        docs[i] = dpl__found_at(f, i)->docs;
    if (status == DPL_OK)
        status = judge(&j, f, docs, n, lexicon, err);
    dpl__doubter_clear(&j.doubter);
    dpl__free(p->ctx, docs, (n + 1) * sizeof *docs);
    dpl__free(p->ctx, j.evidence, (n + 1) * sizeof *j.evidence);
    return status;
}
