/*
 * mirror.c - links by right word become links by left word: one pass that counts, one that
 * copies, in which each thread looks at all links and copies those of some right words. Memory:
 * a second copy of the links meanwhile.
 */
#include "lexicon/mirror.h"

#include "par/pool.h"

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

typedef struct copying {
    dpl__wordmodel *out;
    const dpl__wordmodel *m;
    uint32_t *bounds; /* right words of task i: [bounds[i], bounds[i + 1]) */
} copying;

/* Right words in tasks of about as many links; begin: ends of their links. */
static void divide_words(const copying *c, uint32_t n_tasks)
{
    const dpl__wordmodel *m = c->m;
    uint32_t word = 0;
    for (uint32_t i = 0; i < n_tasks; i++) {
        const uint64_t first = m->n_links / n_tasks * i;
        while (word < m->n_words[DPL__RIGHT] && c->out->begin[word] <= first && i)
            word++;
        c->bounds[i] = word;
    }
    c->bounds[n_tasks] = m->n_words[DPL__RIGHT];
}

static dpl_status copy_links(void *user, size_t task, unsigned worker, dpl_error *err)
{
    const copying *c = user;
    const dpl__wordmodel *m = c->m;
    dpl__wordmodel *out = c->out;
    const uint32_t first = c->bounds[task], n = c->bounds[task + 1] - first;
    (void)worker, (void)err;
    for (uint32_t w = m->n_words[DPL__LEFT]; w-- > 0;)
        for (uint64_t k = m->begin[w + 1]; k-- > m->begin[w];) {
            if (m->right[k] - first >= n)
                continue;
            uint64_t to = --out->begin[m->right[k]];
            assert(to < out->n_links);
            out->right[to] = w;
            out->links[to] = swap_link(m->links[k]);
            out->counts[to] = m->counts[k];
        }
    return DPL_OK;
}

static dpl_status copy_all(dpl__wordmodel *out, const dpl__wordmodel *m, dpl_error *err)
{
    const uint32_t n_tasks = dpl_ctx_threads(m->ctx);
    copying c = {out, m, dpl__alloc(m->ctx, ((size_t)n_tasks + 1) * sizeof *c.bounds)};
    DPL_TRY(dpl__need(c.bounds, err));
    divide_words(&c, n_tasks);
    const dpl_status status = dpl__parallel_for(m->ctx, n_tasks, &c, copy_links, err);
    dpl__free(m->ctx, c.bounds);
    for (uint64_t i = m->n_links; i < m->n_links + 2; i++)
        out->links[i] = swap_link(m->links[i]);
    return status;
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

dpl_status dpl__wordmodel_mirror(dpl__wordmodel *m, dpl_error *err)
{
    assert(m->begin[m->n_words[DPL__LEFT]] == m->n_links);
    size_t n = (size_t)m->n_links, n_right = m->n_words[DPL__RIGHT];
    dpl__wordmodel out = {.ctx = m->ctx, .n_links = m->n_links};
    out.begin = dpl__calloc(m->ctx, n_right + 1, sizeof *out.begin);
    out.right = dpl__alloc(m->ctx, n * sizeof *out.right);
    out.links = dpl__alloc(m->ctx, (n + 2) * sizeof *out.links);
    out.counts = dpl__alloc(m->ctx, n * sizeof *out.counts);
    bool has_memory = out.begin && out.links && (!n || (out.right && out.counts));
    if (has_memory)
        count_links(out.begin, m);
    const dpl_status status = has_memory ? copy_all(&out, m, err) : dpl__fail_nomem(err);
    if (status != DPL_OK) {
        out.n_words[DPL__LEFT] = (uint32_t)n_right; /* the size of begin */
        dpl__wordmodel_clear(&out);
        return status;
    }
    swap_words(&out, m);
    dpl__wordmodel_clear(m);
    *m = out;
    return DPL_OK;
}
