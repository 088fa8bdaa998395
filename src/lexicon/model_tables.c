/*
 * model_tables.c - links become p(right|left) and p(left|right).
 *
 * Links are in the order of p(right|left) already; for p(left|right) they are put in order by
 * counting. Twelve bytes an entry of each direction, of which four are for its count.
 */
#include "lexicon/model_tables.h"

#include "par/pool.h"
#include "tokens/classes.h"
#include "unicode/unicode.h"

typedef struct maker {
    dpl_ctx *ctx;
    const dpl__wordmodel *model;
    float least;      /* count: links below it would be pruned anyway */
    uint8_t *mark[2]; /* of each word: it is one */
    size_t n;         /* entries of a table, before it is pruned */
    const dpl_prune *prune;
    dpl__table *tables;
} maker;

static bool is_mark(const dpl__classes *classes, dpl_str word)
{
    for (size_t i = 0; i < word.n;) {
        uint32_t c;
        i += dpl__utf8_decode((const uint8_t *)word.data + i, &c);
        if (dpl__is_alnum(classes, c))
            return false;
    }
    return true;
}

static bool is_taken(const maker *m, uint32_t left, uint64_t link)
{
    return m->model->counts[link] >= m->least && !m->mark[DPL__LEFT][left] &&
           !m->mark[DPL__RIGHT][m->model->right[link]];
}

/* Rows are filled from the last entry to the first: offsets[row] moves down to where it
 * belongs. */
static void fill(const maker *m, dpl__table *t, float *counts, int given)
{
    const dpl__wordmodel *model = m->model;
    for (uint32_t w = 0; w < model->n_words[DPL__LEFT]; w++)
        for (uint64_t k = model->begin[w]; k < model->begin[w + 1]; k++)
            if (is_taken(m, w, k))
                t->offsets[given == DPL__LEFT ? w : model->right[k]]++;
    for (uint32_t row = 0; row < t->n_rows; row++)
        t->offsets[row + 1] += t->offsets[row];
    for (uint32_t w = model->n_words[DPL__LEFT]; w-- > 0;)
        for (uint64_t k = model->begin[w + 1]; k-- > model->begin[w];)
            if (is_taken(m, w, k)) {
                const uint32_t words[2] = {w, model->right[k]};
                const uint64_t i = --t->offsets[words[given]];
                t->cols[i] = words[!given];
                t->p[i] = model->links[k].p[given] < 1 ? model->links[k].p[given] : 1;
                counts[i] = model->counts[k];
            }
    t->n = (size_t)t->offsets[t->n_rows];
}

static dpl_status make_table(void *user, size_t given, unsigned worker, dpl_error *err)
{
    const maker *m = user;
    dpl__table *t = &m->tables[given];
    (void)worker;
    *t = (dpl__table){.n_rows = m->model->n_words[given], .cap = m->n + 1};
    t->offsets = dpl__calloc(m->ctx, (size_t)t->n_rows + 1, sizeof *t->offsets);
    t->cols = dpl__alloc(m->ctx, t->cap * sizeof *t->cols);
    t->p = dpl__alloc(m->ctx, t->cap * sizeof *t->p);
    float *counts = dpl__alloc(m->ctx, t->cap * sizeof *counts);
    dpl_status status;
    DPL__STEP(dpl__need(t->offsets && t->cols && t->p && counts, err));
    fill(m, t, counts, (int)given);
    status = dpl__prune(t, m->ctx, counts, m->prune, err);
done:
    dpl__free(m->ctx, counts);
    return status;
}

static dpl_status find_marks(maker *m, const dpl__strings words[2], dpl_error *err)
{
    const dpl__classes *classes = dpl__classes_init();
    for (int side = 0; side < 2; side++) {
        m->mark[side] = dpl__alloc(m->ctx, words[side].n);
        if (!m->mark[side] && words[side].n)
            return dpl__fail_nomem(err);
        for (size_t w = 0; w < words[side].n; w++)
            m->mark[side][w] = is_mark(classes, dpl__string(&words[side], w));
    }
    return DPL_OK;
}

dpl_status dpl__model_tables(dpl__table out[2], const dpl__wordmodel *model,
                             const dpl__strings words[2], const dpl_prune *prune,
                             dpl_error *err)
{
    maker m = {.ctx = model->ctx,
               .model = model,
               .prune = prune,
               .tables = out,
               .least = (float)dpl__prune_defaults(prune).min_count};
    out[0] = out[1] = (dpl__table){0};
    dpl_status status;
    DPL__STEP(find_marks(&m, words, err));
    for (uint32_t w = 0; w < model->n_words[DPL__LEFT]; w++)
        for (uint64_t k = model->begin[w]; k < model->begin[w + 1]; k++)
            m.n += is_taken(&m, w, k);
    status = dpl__parallel_for(m.ctx, 2, &m, make_table, err);
done:
    for (int side = 0; side < 2; side++)
        dpl__free(m.ctx, m.mark[side]);
    return status;
}
