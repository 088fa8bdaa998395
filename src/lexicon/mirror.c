/*
 * mirror.c - links by right word become links by left word: one pass that counts, one that
 * copies. Memory: a second copy of the links meanwhile.
 */
#include "lexicon/mirror.h"

/* Ends of the words' links; copy_links moves them down to where the links begin. */
static void count_links(uint64_t *begin, const dpl__wordmodel *m)
{
    for (uint64_t k = 0; k < m->n_links; k++)
        begin[m->right[k]]++;
    for (uint32_t w = 0; w < m->n_words[DPL__RIGHT]; w++)
        begin[w + 1] += begin[w];
}

static dpl__link_p swap_link(dpl__link_p link)
{
    return (dpl__link_p){{link.p[DPL__RIGHT], link.p[DPL__LEFT]}};
}

static void copy_links(dpl__wordmodel *out, const dpl__wordmodel *m)
{
    for (uint32_t w = m->n_words[DPL__LEFT]; w-- > 0;)
        for (uint64_t k = m->begin[w + 1]; k-- > m->begin[w];) {
            uint64_t to = --out->begin[m->right[k]];
            assert(to < out->n_links);
            out->right[to] = w;
            out->links[to] = swap_link(m->links[k]);
            out->counts[to] = m->counts[k];
        }
    for (uint64_t i = m->n_links; i < m->n_links + 2; i++)
        out->links[i] = swap_link(m->links[i]);
}

/* Arrays of words change hands; those of links are new. */
static void swap_words(dpl__wordmodel *out, dpl__wordmodel *m)
{
    for (int side = 0; side < 2; side++) {
        out->n_words[side] = m->n_words[!side];
        out->tokens[side] = m->tokens[!side];
        out->empty[side] = m->empty[!side];
        out->n_empty[side] = m->n_empty[!side];
        out->p_empty[side] = m->p_empty[!side];
        memcpy(out->jumps[side], m->jumps[!side], sizeof out->jumps[side]);
    }
    for (int side = 0; side < 2; side++) {
        m->tokens[side] = NULL;
        m->empty[side] = NULL;
    }
}

static void swap_summary(dpl__model_summary *s)
{
    dpl__model_summary was = *s;
    for (int side = 0; side < 2; side++) {
        s->n_tokens[side] = was.n_tokens[!side];
        s->perplexity[side] = was.perplexity[!side];
    }
}

dpl_status dpl__wordmodel_mirror(dpl__wordmodel *m, dpl__model_summary *summary, dpl_error *err)
{
    assert(m->begin[m->n_words[DPL__LEFT]] == m->n_links);
    size_t n = (size_t)m->n_links, n_right = m->n_words[DPL__RIGHT];
    dpl__wordmodel out = {.ctx = m->ctx, .n_links = m->n_links};
    out.begin = dpl__calloc(m->ctx, n_right + 1, sizeof *out.begin);
    out.right = dpl__alloc(m->ctx, n * sizeof *out.right);
    out.links = dpl__alloc(m->ctx, (n + 2) * sizeof *out.links);
    out.counts = dpl__alloc(m->ctx, n * sizeof *out.counts);
    bool has_memory = out.begin && out.links && (!n || (out.right && out.counts));
    if (!has_memory) {
        out.n_words[DPL__LEFT] = (uint32_t)n_right; /* the size of begin */
        dpl__wordmodel_clear(&out);
        return dpl__fail_nomem(err);
    }
    count_links(out.begin, m);
    copy_links(&out, m);
    swap_words(&out, m);
    dpl__wordmodel_clear(m);
    *m = out;
    if (summary)
        swap_summary(summary);
    return DPL_OK;
}
