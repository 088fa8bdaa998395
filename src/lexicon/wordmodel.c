/*
 * wordmodel.c - the arrays of a model.
 */
#include "lexicon/wordmodel.h"

void dpl__wordmodel_clear(dpl__wordmodel *m)
{
    if (!m->ctx)
        return;
    dpl__free(m->ctx, m->begin, m->right, m->links, m->counts);
    for (int side = 0; side < 2; side++)
        dpl__free(m->ctx, m->tokens[side], m->empty[side]);
    *m = (dpl__wordmodel){.ctx = m->ctx};
}
