/*
 * save_model.c - drops weak links, numbers words in byte order, makes the tables, writes the
 * file.
 */
#include "lexicon/save_model.h"

#include "base/ctx.h"
#include "lexicon/mirror.h"
#include "lexicon/model_tables.h"
#include "lexicon/renumber.h"

static dpl_status renumber(dpl__wordmodel *model, const uint32_t *const rank[2], double least,
                           dpl_error *err)
{
    dpl__wordmodel copy;
    DPL_TRY(dpl__wordmodel_renumber(&copy, model, rank, least, err));
    dpl__wordmodel_clear(model);
    *model = copy;
    return DPL_OK;
}

/* The tables may need links that the saved model does not. */
static dpl_status make_tables(dpl__table tables[2], const dpl__save_model_input *in,
                              dpl_error *err)
{
    static const uint32_t *const same[2] = {NULL, NULL};
    const uint32_t *const rank[2] = {in->rank[0], in->rank[1]};
    double for_tables = dpl__prune_defaults(&in->prune).min_count,
           for_model = in->no_model ? for_tables : in->min_link;
    DPL_TRY(renumber(in->model, rank, for_model < for_tables ? for_model : for_tables, err));
    if (in->is_mirrored) /* a few links of all */
        DPL_TRY(dpl__wordmodel_mirror(in->model, err));
    DPL_TRY(dpl__model_tables(tables, in->model, in->parts.words, &in->prune, err));
    return for_model > for_tables ? renumber(in->model, same, for_model, err) : DPL_OK;
}

static void sum_up(dpl_train_summary *s, const dpl__save_model_input *in)
{
    const dpl__model_summary *trained = in->trained;
    const dpl__wordmodel *model = in->model;
    assert(model->n_links < UINT32_MAX - 2);
    s->n_rows = trained->n_rows;
    s->n_empty = trained->n_empty;
    s->n_long = trained->n_long;
    s->n_links = model->n_links;
    s->n_dropped = trained->n_dropped;
    s->n_blocks = trained->n_blocks;
    for (int side = 0; side < 2; side++) {
        const int from = in->is_mirrored ? !side : side;
        s->n_tokens[side] = trained->n_tokens[from];
        s->n_words[side] = model->n_words[from];
        s->perplexity[side] = trained->perplexity[from];
    }
}

dpl_status dpl__save_model(dpl_train_summary *s, const dpl__save_model_input *in,
                           dpl_error *err)
{
    dpl__wordmodel *model = in->model;
    dpl_ctx *ctx = model->ctx;
    dpl__lexicon_parts parts = in->parts;
    double begin = dpl__now();
    sum_up(s, in);
    dpl_status status;
    DPL__STEP(make_tables(parts.table, in, err));
    s->train_seconds += dpl__now() - begin;
    parts.model = in->no_model ? NULL : model;
    parts.prune = &in->prune;
    for (int side = 0; side < 2; side++)
        parts.counts[side] = model->tokens[side];
    DPL__STEP(dpl__lexicon_write_to(&s->n_output_bytes, ctx, &in->to, &parts, err));
    *s->sizes = (dpl_lexicon_sizes){.size = sizeof(dpl_lexicon_sizes),
                                    .n_sources = s->n_words[DPL__LEFT],
                                    .n_targets = s->n_words[DPL__RIGHT],
                                    .n_entries = parts.table[DPL__LEFT].n,
                                    .n_back = parts.table[DPL__RIGHT].n,
                                    .n_links = parts.model ? model->n_links : 0};
done:
    for (int side = 0; side < 2; side++)
        dpl__table_clear(&parts.table[side], ctx);
    return status;
}
