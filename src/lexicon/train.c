/*
 * train.c - the order of things: links, Model 1, then the hidden Markov model.
 */
#include "lexicon/train.h"

#include "base/ctx.h"
#include "lexicon/hmm.h"
#include "lexicon/links.h"
#include "lexicon/model1.h"

#include <math.h>
#include <stdlib.h>

/* ---- options, sizes ----------------------------------------------------------------- */

enum { LINK_BYTES = sizeof(uint32_t) + sizeof(dpl__link) + sizeof(dpl__tally) + sizeof(float) };

static void fill_in(dpl__train_options *o, const dpl__train_options *given, const dpl_ctx *ctx)
{
    *o = given ? *given : (dpl__train_options){0};
    uint64_t all = dpl_ctx_memory(ctx), used = dpl__ctx_used(ctx);
    o->n_model1 = o->n_model1 ? o->n_model1 : 5;
    o->n_hmm = o->n_hmm ? o->n_hmm : 5;
    o->max_tokens = o->max_tokens ? o->max_tokens : 200;
    o->memory = o->memory ? o->memory : all > used ? all - used : 0;
    o->prior = o->prior > 0 ? o->prior : 0.01;
    o->p_empty = o->p_empty > 0 ? o->p_empty : 0.2;
}

static void count_rows(dpl__train_summary *s, const dpl__bitext *b, size_t max_tokens)
{
    *s = (dpl__train_summary){0};
    for (size_t row = 0; row < b->n_rows; row++) {
        size_t n_cells = dpl__bitext_cells(b, row, max_tokens);
        bool is_empty =
            !dpl__bitext_length(b, DPL__LEFT, row) || !dpl__bitext_length(b, DPL__RIGHT, row);
        s->n_rows += n_cells > 0;
        s->n_empty += is_empty;
        s->n_long += n_cells == 0 && !is_empty;
        s->n_cells += n_cells;
    }
}

/* The cells of a block are counted in 32 bits, and a row may be the one too many. */
#define MOST_CELLS ((uint64_t)UINT32_MAX / 2)

/* ---- the trainer -------------------------------------------------------------------- */

enum { TASK_LINKS = 1 << 15 };

static dpl_status make_tasks(dpl__trainer *t, dpl_error *err)
{
    const dpl__wordmodel *m = t->model;
    size_t n = m->n_words[DPL__LEFT], first = 0;
    bool has_room = dpl__vec_push(t->ctx, &t->tasks, 0);
    for (size_t w = 0; w < n && has_room; w++)
        if (m->begin[w + 1] - m->begin[first] >= TASK_LINKS || w + 1 == n) {
            has_room = dpl__vec_push(t->ctx, &t->tasks, w + 1);
            first = w + 1;
        }
    return has_room ? DPL_OK : dpl__fail_nomem(err);
}

static void clear_trainer(dpl__trainer *t)
{
    const dpl__wordmodel *m = t->model;
    size_t n_right = m->n_words[DPL__RIGHT];
    dpl__cells_clear(&t->cells);
    dpl__vec_clear(t->ctx, &t->tasks);
    dpl__free(t->ctx, t->inverses, n_right * sizeof *t->inverses);
    dpl__free(t->ctx, t->n_partners, n_right * sizeof *t->n_partners);
    for (int side = 0; side < 2; side++)
        dpl__free(t->ctx, t->empty[side], m->n_words[!side] * sizeof *t->empty[side]);
    dpl__free(t->ctx, t->totals, n_right * sizeof *t->totals);
    dpl__free(t->ctx, t->tallies, (size_t)m->n_links * sizeof *t->tallies);
}

static bool allocate(dpl__trainer *t)
{
    dpl__wordmodel *m = t->model;
    size_t n_links = (size_t)m->n_links, n_right = m->n_words[DPL__RIGHT];
    t->tallies = dpl__alloc(t->ctx, n_links * sizeof *t->tallies);
    t->totals = dpl__calloc(t->ctx, n_right, sizeof *t->totals);
    t->n_partners = dpl__calloc(t->ctx, n_right, sizeof *t->n_partners);
    t->inverses = dpl__alloc(t->ctx, n_right * sizeof *t->inverses);
    bool has_room =
        (t->tallies || !n_links) && ((t->totals && t->n_partners && t->inverses) || !n_right);
    for (int side = 0; side < 2; side++) {
        size_t n = m->n_words[!side];
        t->empty[side] = dpl__calloc(t->ctx, n, sizeof *t->empty[side]);
        m->empty[side] = dpl__alloc(t->ctx, n * sizeof *m->empty[side]);
        has_room = has_room && ((t->empty[side] && m->empty[side]) || !n);
    }
    return has_room;
}

static dpl_status begin(dpl__trainer *t, dpl_error *err)
{
    dpl__wordmodel *m = t->model;
    if (!allocate(t))
        return dpl__fail_nomem(err);
    DPL_TRY(make_tasks(t, err));
    for (uint64_t k = 0; k < m->n_links; k++) {
        t->n_partners[m->right[k]]++;
        for (int side = 0; side < 2; side++)
            m->links[k].p[side] = 1 / (float)m->n_words[!side];
    }
    for (int side = 0; side < 2; side++) {
        m->links[m->n_links].p[side] = 1e-12f;
        m->p_empty[side] = (float)t->options.p_empty;
        for (int d = -DPL__JUMP_MOST; d <= DPL__JUMP_MOST; d++)
            m->jumps[side][DPL__JUMP_MOST + d] = (float)exp(-0.3 * abs(d - 1));
        for (uint32_t w = 0; w < m->n_words[!side]; w++)
            m->empty[side][w] = 1 / (float)m->n_words[!side];
    }
    return DPL_OK;
}

static dpl_status iterate(dpl__trainer *t, dpl__train_summary *s, dpl_error *err)
{
    double log_p[2] = {0, 0};
    for (unsigned i = 0; i < t->options.n_model1; i++)
        DPL_TRY(dpl__model1_iterate(t, log_p, err));
    if (t->options.has_no_hmm)
        t->options.n_hmm = 0;
    for (unsigned i = 0; i < t->options.n_hmm; i++)
        DPL_TRY(dpl__hmm_iterate(t, log_p, err));
    for (int side = 0; side < 2; side++) {
        const uint64_t *tokens = t->bitext->side[!side].begin;
        s->perplexity[side] = exp(-log_p[side] / (double)tokens[t->bitext->n_rows]);
    }
    return DPL_OK;
}

dpl_status dpl__train(dpl__wordmodel *out, dpl__train_summary *summary, dpl_ctx *ctx,
                      const dpl__bitext *bitext, const dpl__train_options *options,
                      dpl_error *err)
{
    dpl__train_summary unwanted, *s = summary ? summary : &unwanted;
    dpl__trainer t = {.ctx = ctx, .bitext = bitext, .model = out};
    fill_in(&t.options, options, ctx);
    count_rows(s, bitext, t.options.max_tokens);
    t.longest = t.options.max_tokens;
    /* Links first: they take what they need, but not the last quarter of the memory. */
    uint64_t for_links = t.options.memory - t.options.memory / 4;
    dpl__links_limits limits = {.max_tokens = t.options.max_tokens,
                                .max_links = for_links / LINK_BYTES,
                                .max_places = t.options.memory / 16};
    DPL_TRY(dpl__links_find(out, ctx, bitext, NULL, &limits, err));
    uint64_t held = out->n_links * LINK_BYTES;
    t.cells = (dpl__cells){.ctx = ctx,
                           .bitext = bitext,
                           .model = out,
                           .max_tokens = t.options.max_tokens,
                           .max_cells = (t.options.memory - held) / 6};
    if (t.cells.max_cells > MOST_CELLS)
        t.cells.max_cells = MOST_CELLS;
    dpl_status status = begin(&t, err);
    if (status == DPL_OK)
        status = iterate(&t, s, err);
    clear_trainer(&t);
    if (status != DPL_OK)
        dpl__wordmodel_clear(out);
    return status;
}
