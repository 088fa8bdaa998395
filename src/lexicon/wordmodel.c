/*
 * wordmodel.c - the arrays of a model.
 */
#include "lexicon/wordmodel.h"

void dpl__wordmodel_clear(dpl__wordmodel *m)
{
    if (!m->ctx)
        return;
    size_t n_links = (size_t)m->n_links, n_left = m->n_words[DPL__LEFT];
    dpl__free(m->ctx, m->begin, (n_left + 1) * sizeof *m->begin);
    dpl__free(m->ctx, m->right, n_links * sizeof *m->right);
    dpl__free(m->ctx, m->links, (n_links + 2) * sizeof *m->links);
    dpl__free(m->ctx, m->counts, n_links * sizeof *m->counts);
    for (int side = 0; side < 2; side++) {
        dpl__free(m->ctx, m->tokens[side], m->n_words[side] * sizeof *m->tokens[side]);
        dpl__free(m->ctx, m->empty[side], m->n_words[!side] * sizeof *m->empty[side]);
    }
    *m = (dpl__wordmodel){.ctx = m->ctx};
}
