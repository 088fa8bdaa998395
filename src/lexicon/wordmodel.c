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

uint64_t dpl__wordmodel_find(const dpl__wordmodel *m, uint32_t left, uint32_t right)
{
    if (left >= m->n_words[DPL__LEFT])
        return m->n_links;
    uint64_t low = m->begin[left], high = m->begin[left + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (m->right[middle] < right)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->begin[left + 1] && m->right[low] == right ? low : m->n_links;
}
