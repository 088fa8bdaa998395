/*
 * result.c - what a run found, handed to the caller: pairs, sentence pairs, lexicon, groups.
 */
#include "mine/many.h"

#include "base/ctx.h"

dpl_status dpl__result_new(dpl_mine_result **out, dpl_ctx *ctx, dpl_error *err)
{
    dpl_mine_result *m = *out = dpl__calloc(ctx, 1, sizeof *m);
    DPL_TRY(dpl__need(m, err));
    m->ctx = ctx;
    m->skipped.ctx = ctx;
    dpl__arena_init(&m->arena, ctx);
    return DPL_OK;
}

static void *zeros(dpl_mine_result *m, size_t n, size_t size)
{
    void *p = dpl__arena_alloc(&m->arena, (n + 1) * size);
    return p ? memset(p, 0, (n + 1) * size) : NULL;
}

dpl_status dpl__result_reserve(dpl_mine_result *m, size_t n_langs, size_t n_runs,
                               dpl_error *err)
{
    m->langs = zeros(m, n_langs, sizeof *m->langs);
    m->runs = zeros(m, n_runs, sizeof *m->runs);
    m->run_list = zeros(m, n_runs, sizeof *m->run_list);
    m->n_by_size = zeros(m, n_langs, sizeof *m->n_by_size);
    const dpl_mine_language **list = zeros(m, n_langs, sizeof *list);
    DPL_TRY(dpl__need(m->langs && m->runs && m->run_list && m->n_by_size && list, err));
    for (size_t i = 0; i < n_langs; i++)
        list[i] = &m->langs[i];
    m->summary = (dpl_mine_summary){.langs = list,
                                    .n_langs = n_langs,
                                    .runs = m->run_list,
                                    .n_groups_by_size = m->n_by_size,
                                    .n_group_sizes = n_langs + 1};
    return DPL_OK;
}

void dpl_mine_result_free(dpl_mine_result *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_runs; i++)
        dpl__pair_run_free(m->runs[i]);
    dpl__free(m->ctx, m->groups);
    dpl__skips_clear(&m->skipped);
    dpl__arena_clear(&m->arena);
    dpl__free(m->ctx, m);
}

/* ---- reading ------------------------------------------------------------------------ */

const dpl_mine_summary *dpl_mine_get_summary(const dpl_mine_result *m)
{
    return &m->summary;
}

/* Runs leave out different documents of the pivot: as read, they are the same for all. */
static const dpl_collection *docs_as_read(const dpl__pair_run *r, int side)
{
    return r->read.numbers[side].read ? r->read.numbers[side].read : r->corpus.c[side];
}

dpl_mine_pair dpl_mine_get_pair(const dpl_mine_result *m, size_t run, size_t i)
{
    assert(run < m->n_runs && i < m->runs[run]->summary.n_pairs);
    const dpl__pair_run *r = m->runs[run];
    const dpl__doc_candidate *c = &r->final.found.pairs.data[i];
    return (dpl_mine_pair){.docs = {dpl__doc_as_read(&r->read.numbers[0], c->docs.left),
                                    dpl__doc_as_read(&r->read.numbers[1], c->docs.right)},
                           .left_id = dpl_collection_doc(r->corpus.c[0], c->docs.left).id,
                           .right_id = dpl_collection_doc(r->corpus.c[1], c->docs.right).id,
                           .cosine = c->match.score,
                           .margin = c->match.margin,
                           .confidence = c->confidence};
}

dpl_mine_coverage dpl_mine_get_coverage(const dpl_mine_result *m, size_t run, size_t i)
{
    assert(run < m->n_runs && i < m->runs[run]->summary.n_pairs);
    const dpl__pair_run *r = m->runs[run];
    if (i >= r->beads.coverage.n)
        return (dpl_mine_coverage){.n_ranges = 0};
    const dpl__coverage *c = &r->beads.coverage.data[i];
    size_t begin = i ? c[-1].end : 0;
    return (dpl_mine_coverage){.share = {c->share[0], c->share[1]},
                               .ranges = r->beads.ranges.data + begin,
                               .n_ranges = c->end - begin};
}

const dpl_lexicon *dpl_mine_get_lexicon(const dpl_mine_result *m, size_t run)
{
    assert(run < m->n_runs);
    return m->runs[run]->summary.is_empty ? NULL : m->runs[run]->lexicon;
}

uint32_t dpl_mine_get_copy_of(const dpl_mine_result *m, size_t run, int side, uint32_t doc)
{
    assert(run < m->n_runs && (side == 0 || side == 1));
    const dpl__pair_run *r = m->runs[run];
    assert(doc < dpl_collection_get_sizes(docs_as_read(r, side))->n_docs);
    const uint32_t mined = dpl__doc_as_mined(&r->read.numbers[side], doc);
    return r->final.copy_of[side] && mined != DPL_MINE_NO_DOC
               ? dpl__doc_as_read(&r->read.numbers[side], r->final.copy_of[side][mined])
               : DPL_MINE_NO_DOC;
}

const dpl_collection *dpl__result_collection(const dpl_mine_result *m, size_t lang)
{
    for (size_t i = 0; i < m->n_runs; i++)
        for (int side = 0; side < 2; side++) {
            const dpl_mine_run *s = &m->runs[i]->summary;
            if ((side ? s->right : s->left) == &m->langs[lang])
                return docs_as_read(m->runs[i], side);
        }
    return NULL;
}

const dpl_collection *dpl_mine_get_collection(const dpl_mine_result *m, size_t lang)
{
    assert(lang < m->summary.n_langs);
    return dpl__result_collection(m, lang);
}

void dpl_mine_get_group(uint32_t *docs, const dpl_mine_result *m, size_t i)
{
    size_t n = m->summary.n_langs;
    assert(i < m->summary.n_groups);
    memcpy(docs, m->groups + i * n, n * sizeof *docs);
}

/* ---- sentence pairs ------------------------------------------------------------------- */

struct dpl_mine_sentences {
    const dpl__pair_run *run;
    dpl__aligned_reader reader;
    dpl_aligned_docs docs; /* the document pair at hand */
    size_t next, bead;     /* document pair to come, bead of the one at hand */
};

dpl_status dpl_mine_sentences_open(dpl_mine_sentences **out, const dpl_mine_result *m,
                                   size_t run, dpl_error *err)
{
    assert(run < m->n_runs);
    *out = dpl__calloc(m->ctx, 1, sizeof **out);
    DPL_TRY(dpl__need(*out, err));
    (*out)->run = m->runs[run];
    return DPL_OK;
}

static dpl_str side_text(const dpl_mine_sentences *s, int side, const dpl_bead *b)
{
    const dpl_aligned_docs *d = &s->docs;
    uint32_t unit = side ? b->right : b->left, n = side ? b->n_right : b->n_left;
    uint32_t first = d->units[side][unit];
    return dpl_sentences_text(s->run->corpus.c[side], side ? d->docs.right : d->docs.left,
                              first, d->units[side][unit + n] - first);
}

dpl_status dpl_mine_sentences_next(dpl_mine_sentences *s, dpl_sentence_pair *out,
                                   dpl_error *err)
{
    for (;;) {
        while (s->bead < s->docs.n_beads) {
            const dpl_bead *b = &s->docs.beads[s->bead++];
            if (b->verdict != DPL_VERDICT_KEPT)
                continue;
            *out = (dpl_sentence_pair){.pair = s->next - 1,
                                       .left = side_text(s, 0, b),
                                       .right = side_text(s, 1, b),
                                       .score = b->score};
            return DPL_OK;
        }
        if (!s->run->beads.aligned || s->next == s->run->final.docs.n)
            return DPL_END;
        DPL_TRY(dpl__aligned_read(&s->docs, &s->reader, s->run->beads.aligned, s->next++, err));
        s->bead = 0;
    }
}

void dpl_mine_sentences_close(dpl_mine_sentences *s)
{
    if (!s)
        return;
    dpl__aligned_reader_clear(&s->reader, s->run->ctx);
    dpl__free(s->run->parent, s);
}
