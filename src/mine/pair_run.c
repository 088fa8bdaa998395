/*
 * pair_run.c - a run over two languages: its settings, its folder, its values.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "mine/gold.h"
#include "mine/known_links.h"
#include "mine/sentence_files.h"
#include "sentences/sentences_params.h"

dpl_status dpl__mine_settings_take(dpl__mine_settings *s, const dpl_mine_options *options,
                                   dpl_error *err)
{
    dpl_mine_options *o = &s->options;
    DPL_TRY(DPL__TAKE(o, options, err));
    DPL_TRY(DPL__TAKE(&s->read, o->read, err));
    DPL_TRY(DPL__TAKE(&s->search, o->search, err));
    DPL_TRY(DPL__TAKE(&s->sentences, o->sentences, err));
    o->read = &s->read;
    o->search = &s->search;
    o->sentences = &s->sentences;
    o->unique = o->unique || s->sentences.unique;
    o->drop_frequent = o->drop_frequent || s->sentences.drop_frequent;
    s->sentences.unique = s->sentences.drop_frequent = false;
    s->min_score =
        s->sentences.threshold != 0 ? s->sentences.threshold : DPL__P(sentences, min_score);
    DPL_TRY(dpl__formats_parse(&s->formats, o->to, err));
    o->rounds = o->rounds ? o->rounds : DPL_MINE_MOST_ROUNDS;
    if (o->fdr < 0 || o->fdr >= 1)
        return dpl__fail(err, DPL_E_USAGE, "a share of wrong pairs that is not from 0 to 1");
    o->confidence = o->confidence > 0 ? o->confidence : 0.5;
    if (o->lexicon && o->dictionary)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon and a dictionary to start with: only one can be used");
    if (o->rounds > DPL_MINE_MOST_ROUNDS)
        return dpl__fail(err, DPL_E_USAGE, "more than %d rounds", DPL_MINE_MOST_ROUNDS);
    return DPL_OK;
}

static dpl_status open_run(dpl__pair_run *r, const dpl__pair_run_input *in,
                           const dpl_mine_options *options, dpl_error *err)
{
    const dpl_input inputs[2] = {*in->left, *in->right};
    DPL_TRY(dpl__mine_settings_take(&r->settings, options, err));
    DPL_TRY(dpl__stage_open(&r->stage, r->parent, in->prefix, err));
    r->ctx = r->stage.job;
    r->corpus = (dpl__comparable){.ctx = r->ctx,
                                  .n_implied = in->n_implied,
                                  .options = &r->settings.options,
                                  .stage = &r->stage};
    const dpl__mine_folder_run run = {in->dir, inputs, 2, &r->settings.options};
    DPL_TRY(dpl__run_folder_open(&r->folder, r->ctx, &run, err));
    r->task.dir = r->folder.dir;
    memcpy(r->corpus.work, r->folder.work, sizeof r->corpus.work);
    return DPL_OK;
}

dpl_status dpl__pair_run_new(dpl__pair_run **out, dpl_ctx *ctx, const dpl__pair_run_input *in,
                             const dpl_mine_options *options, dpl_error *err)
{
    dpl__pair_run *r = *out = dpl__calloc(ctx, 1, sizeof *r);
    if (!r) {
        dpl_lexicon_close(in->given);
        return dpl__fail_nomem(err);
    }
    r->parent = ctx;
    r->task = (dpl__run_task){.began = dpl__now(),
                              .inputs = {in->left, in->right},
                              .lexicon_path = in->lexicon_path,
                              .has_no_files = in->has_no_files || !in->dir,
                              .is_of_many = in->prefix != NULL,
                              .langs = {in->langs[0], in->langs[1]}};
    r->given = in->given;
    r->last = &r->rounds[0];
    r->beads.summary.size = sizeof r->beads.summary;
    r->summary = (dpl_mine_run){.left = &r->sides[0],
                                .right = &r->sides[1],
                                .rounds = r->round_list,
                                .recall_check = &r->final.found.receipt,
                                .sentences = &r->beads.summary,
                                .skipped = &r->read.skipped};
    r->read.skipped.ctx = ctx;
    dpl_status status = open_run(r, in, options, err);
    if (status != DPL_OK) {
        dpl__pair_run_free(r);
        *out = NULL;
    }
    return status;
}

void dpl__pair_run_free(dpl__pair_run *r)
{
    if (!r)
        return;
    dpl_ctx *ctx = r->ctx;
    dpl__known_links_clear(r);
    dpl__final_beads_clear(&r->beads, ctx);
    dpl__final_pairs_clear(&r->final, &r->corpus);
    for (size_t i = 0; i < DPL_LEN(r->rounds); i++)
        dpl__rounds_clear(&r->rounds[i], &r->corpus);
    dpl_lexicon_close(r->composed);
    dpl_lexicon_close(r->given);
    dpl__gold_free(r->gold);
    for (int side = 0; side < 2; side++) {
        dpl__vec_clear(ctx, &r->read.langs[side].langs);
        dpl__free(ctx, r->corpus.skip[side], r->corpus.keys[side], r->corpus.groups[side]);
        dpl_collection_close(r->with_parts[side]);
        dpl_collection_close(r->read.owned[side]);
        dpl__doc_numbers_clear(&r->read.numbers[side], ctx);
    }
    dpl__skips_clear(&r->read.skipped);
    dpl__out_folder_close(&r->folder);
    dpl__stage_close(&r->stage);
    dpl__free(r->parent, r);
}
