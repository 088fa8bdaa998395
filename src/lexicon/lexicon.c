/*
 * lexicon.c - a lexicon, looked at.
 */
#include "lexicon/lexicon.h"

void dpl_lexicon_close(dpl_lexicon *l)
{
    if (!l)
        return;
    dpl__table_clear(&l->table, l->ctx);
    dpl__words_free(&l->sources, l->ctx);
    dpl__words_free(&l->targets, l->ctx);
    dpl__free(l->ctx, l, sizeof *l);
}

const dpl_lexicon_sizes *dpl_lexicon_size(const dpl_lexicon *l)
{
    return &l->sizes;
}

const char *dpl_lexicon_source_lang(const dpl_lexicon *l)
{
    return l->source_lang;
}

const char *dpl_lexicon_target_lang(const dpl_lexicon *l)
{
    return l->target_lang;
}

dpl_str dpl_lexicon_source(const dpl_lexicon *l, uint32_t source)
{
    return dpl__string(&l->sources, source);
}

dpl_str dpl_lexicon_target(const dpl_lexicon *l, uint32_t target)
{
    return dpl__string(&l->targets, target);
}

bool dpl_lexicon_find_source(const dpl_lexicon *l, dpl_str word, uint32_t *out)
{
    return dpl__find_string(&l->sources, NULL, word, out);
}

bool dpl_lexicon_find_target(const dpl_lexicon *l, dpl_str word, uint32_t *out)
{
    return dpl__find_string(&l->targets, NULL, word, out);
}

const uint32_t *dpl_lexicon_row(const dpl_lexicon *l, uint32_t source,
                                const float **probabilities, size_t *n)
{
    assert(source < l->table.n_rows);
    uint64_t at = l->table.offsets[source];
    *n = (size_t)(l->table.offsets[source + 1] - at);
    *probabilities = l->table.p + at;
    return l->table.cols + at;
}
