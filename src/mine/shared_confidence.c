/*
 * shared_confidence.c - final_features.c as a stage whose value is kept: a round file of the
 * same candidates.
 */
#include "mine/shared_confidence.h"

#include "base/ctx.h"
#include "io/kept_file.h"
#include "mine/final_features.h"
#include "mine/round_file.h"

typedef struct final_confidence {
    dpl__rounds *rounds;
    const dpl__round_input *in;
} final_confidence;

static dpl_status estimate(void *user, const char *path, dpl_error *err)
{
    const final_confidence *x = user;
    const dpl__rounds *r = x->rounds;
    dpl__doc_candidates *f = &x->rounds->found;
    const dpl__pair_list learnt = {r->learnt.data, r->learnt.n};
    dpl_mine_round figures = r->figures[r->n - 1];
    DPL_TRY(dpl__estimate_final_confidence(f, x->in, learnt, r->beads, err));
    f->is_final = true;
    figures.n_pairs = figures.n_new = figures.n_gone = 0;
    for (size_t i = 0; i < f->pairs.n; i++)
        figures.n_pairs += f->pairs.data[i].confidence >= f->train_confidence;
    figures.mean_cosine = f->cosine;
    figures.unpaired = f->alone;
    return dpl__round_save(path, x->in->corpus, &figures, f, err);
}

static bool are_same(const dpl__doc_candidate_vec *a, const dpl__doc_candidate_vec *b)
{
    bool is_same = a->n == b->n;
    for (size_t i = 0; i < a->n && is_same; i++)
        is_same = a->data[i].docs.left == b->data[i].docs.left &&
                  a->data[i].docs.right == b->data[i].docs.right;
    return is_same;
}

/* A run of fewer rounds had other candidates. */
static dpl_status read_final(void *user, const char *path, dpl_error *err)
{
    const final_confidence *x = user;
    const dpl__comparable *p = x->in->corpus;
    dpl__doc_candidates final, *f = &x->rounds->found;
    dpl_mine_round figures;
    DPL_TRY(dpl__round_load(&figures, &final, path, p, err));
    const bool is_same = are_same(&final.pairs, &f->pairs) && final.is_final;
    dpl__doc_candidates_clear(is_same ? f : &final, p->ctx);
    if (is_same)
        *f = final;
    return is_same ? DPL_OK : DPL_END;
}

dpl_status dpl__shared_confidence_estimate(dpl__rounds *rounds, const dpl__comparable *corpus,
                                           dpl_error *err)
{
    char path[4100];
    const dpl__round_input in = dpl__rounds_as_input(rounds, corpus);
    final_confidence x = {.rounds = rounds, .in = &in};
    DPL_TRY(dpl__rounds_open_beads(rounds, corpus, err));
    dpl__rounds_file(path, rounds, corpus, rounds->has_many ? "confidence-many" : "confidence");
    const dpl__kept_file file = {.name = "confidence",
                                 .path = path,
                                 .user = &x,
                                 .make = estimate,
                                 .read = read_final,
                                 .is_divided = true};
    return dpl__kept_file_get(corpus->ctx, &file, err);
}
