/*
 * final_beads.c - aligns the final pairs; ranges, scores, repeats.
 *
 * Cost: the alignment.
 */
#include "mine/final_beads.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "mine/ranges.h"
#include "mine/run_files.h"
#include "mine/sentence_files.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <unistd.h>

/* ---- beads as they come --------------------------------------------------------------- */

typedef struct taker {
    const dpl__comparable *corpus;
    const dpl__unit *unit;
    const dpl__final_pairs *pairs;
    dpl__final_beads *out;
    double min_score;
    dpl__ranges ranges;
    DPL_VEC(dpl_bead) scored;
    size_t at;      /* pairs so far */
    uint64_t n_low; /* dropped for their score */
} taker;

/* A copy of the beads that can be changed. */
static dpl_status copy_beads(taker *t, dpl_aligned_docs *docs, dpl_error *err)
{
    t->scored.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(t->corpus->ctx, &t->scored, docs->beads, docs->n_beads),
                      err));
    docs->beads = t->scored.data;
    return DPL_OK;
}

/* What single sentences are worth is the confidence of their pair, which looked at competitors,
 * too. */
static void score_sentences(taker *t, const dpl_aligned_docs *docs)
{
    const dpl__doc_pairs *pairs = &t->pairs->docs;
    while (t->at < pairs->n && (pairs->data[t->at].left != docs->docs.left ||
                                pairs->data[t->at].right != docs->docs.right))
        t->at++;
    assert(t->at < pairs->n);
    for (size_t i = 0; i < docs->n_beads; i++)
        t->scored.data[i].score = (float)t->pairs->found.pairs.data[t->at].confidence;
}

/* After the ranges of passages, which count all that has common words. */
static void drop_low_scores(taker *t)
{
    if (t->corpus->options->sentences->no_filter)
        return;
    for (size_t i = 0; i < t->scored.n; i++) {
        dpl_bead *bead = &t->scored.data[i];
        bool is_low = (double)bead->score < t->min_score;
        if (bead->verdict == DPL_VERDICT_KEPT && is_low) {
            bead->verdict = DPL_VERDICT_SCORE;
            t->n_low++;
        }
    }
}

static dpl_status add_ranges(dpl__final_beads *b, dpl_ctx *ctx, const dpl__ranges *ranges,
                             dpl_error *err)
{
    DPL_TRY(dpl__need(dpl__vec_append(ctx, &b->ranges, ranges->ranges.data, ranges->ranges.n),
                      err));
    dpl__coverage c = {.share = {ranges->share[0], ranges->share[1]}, .end = b->ranges.n};
    b->n_outside += ranges->n_outside;
    for (int side = 0; side < 2; side++) {
        b->n_words[side] += ranges->n_words[side];
        b->n_parallel[side] += ranges->n_parallel[side];
    }
    return dpl__need(dpl__vec_push(ctx, &b->coverage, c), err);
}

static dpl_status take_beads(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    taker *t = user;
    const dpl__comparable *p = t->corpus;
    dpl_aligned_docs marked = *docs;
    dpl__sentences_count(&t->out->summary, docs);
    if (t->out->has_ranges) {
        DPL_TRY(dpl__ranges_mark(&t->ranges, p->ctx, p->c, docs, err));
        DPL_TRY(add_ranges(t->out, p->ctx, &t->ranges, err));
        marked.beads = t->ranges.beads.data;
    }
    DPL_TRY(copy_beads(t, &marked, err));
    if (!t->unit->has_alignment && docs->n_beads)
        score_sentences(t, docs);
    else
        drop_low_scores(t);
    return dpl__aligned_add(t->out->aligned, &marked, err);
}

/* ---- alignment ------------------------------------------------------------------------ */

/* Mostly the first documents answer it: a wiki without a heading is rare. */
static bool find_section(const dpl_collection *c)
{
    const uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++)
        for (size_t i = 0, n = dpl_collection_n_sentences(c, doc); i < n; i++)
            if (dpl_collection_sentence(c, doc, i).is_section_start)
                return true;
    return false;
}

static dpl_status align(taker *t, dpl__pair_beads *beads, dpl_error *err)
{
    const dpl__comparable *p = t->corpus;
    const dpl__pair_list docs = {t->pairs->docs.data, t->pairs->docs.n};
    uint64_t *n_verdicts = t->out->summary.n_verdicts;
    DPL_TRY(dpl__pair_beads_each(beads, docs, take_beads, t, err));
    assert(!t->out->has_ranges || t->out->coverage.n == docs.n);
    n_verdicts[DPL_VERDICT_KEPT] -= t->out->n_outside + t->n_low;
    n_verdicts[DPL_VERDICT_OUTSIDE] = t->out->n_outside;
    n_verdicts[DPL_VERDICT_SCORE] = t->n_low;
    return dpl__drop_repeats(t->out, p, docs.n, err);
}

dpl_status dpl__final_beads_align(dpl__final_beads *out, const dpl__final_pairs *pairs,
                                  dpl__rounds *rounds, const dpl__comparable *p,
                                  double min_score, dpl_error *err)
{
    enum { SHARE = 32 }; /* of the memory, for beads */
    const dpl__unit *unit = rounds->unit;
    const bool has_sections =
        unit->has_alignment && (find_section(p->c[0]) || find_section(p->c[1]));
    taker t = {.corpus = p, .unit = unit, .pairs = pairs, .out = out, .min_score = min_score};
    assert(pairs->docs.n == pairs->found.pairs.n);
    out->has_ranges = unit->has_ranges || has_sections;
    DPL_TRY(dpl__rounds_open_beads(rounds, p, err));
    DPL_TRY(dpl__aligned_new(&out->aligned, p->ctx, p->work,
                             (size_t)(dpl_ctx_memory(p->ctx) / SHARE), err));
    dpl_status status = align(&t, rounds->beads, err);
    dpl__ranges_clear(&t.ranges, p->ctx);
    dpl__vec_clear(p->ctx, &t.scored);
    return status;
}

dpl_status dpl__final_beads_empty(dpl__final_beads *out, const dpl__rounds *rounds,
                                  const dpl__comparable *p, dpl_error *err)
{
    out->has_ranges = rounds->unit->has_ranges;
    return dpl__aligned_new(&out->aligned, p->ctx, NULL, 0, err);
}

void dpl__final_beads_clear(dpl__final_beads *b, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &b->coverage, &b->ranges);
    dpl__aligned_free(b->aligned);
}

/* ---- sentences as read ---------------------------------------------------------------- */

/* The documents of a side as read, and the number of one of them there. */
static const dpl_collection *docs_as_read(const dpl__comparable *p,
                                          const dpl__doc_numbers *numbers, int side)
{
    return numbers[side].read ? numbers[side].read : p->c[side];
}

/* The sentence of the document as read that sentence `wanted` of the mined one is. Those that
 * are mined are in the same order; what was left out is in none of them. */
static uint32_t sentence_as_read(const dpl_collection *mined, uint32_t mined_doc,
                                 const dpl_collection *read, uint32_t read_doc, uint32_t wanted)
{
    const size_t n = dpl_collection_n_sentences(read, read_doc);
    size_t at = 0;
    for (uint32_t i = 0; at < n; at++)
        if (dpl__str_eq(dpl_collection_sentence_text(mined, mined_doc, i),
                        dpl_collection_sentence_text(read, read_doc, at)) &&
            i++ == wanted)
            return (uint32_t)at;
    return wanted; /* divided otherwise: the number as mined */
}

static void move_range(const dpl_collection *mined, uint32_t mined_doc,
                       const dpl_collection *read, uint32_t read_doc, uint32_t *first,
                       uint32_t *n)
{
    if (mined == read || *n == 0)
        return;
    const uint32_t last = sentence_as_read(mined, mined_doc, read, read_doc, *first + *n - 1);
    *first = sentence_as_read(mined, mined_doc, read, read_doc, *first);
    *n = last >= *first ? last - *first + 1 : *n;
}

void dpl__final_beads_as_read(dpl__final_beads *b, const dpl__final_pairs *pairs,
                              const dpl__comparable *p, const dpl__doc_numbers numbers[2])
{
    for (size_t i = 0, k = 0; i < b->coverage.n; i++)
        for (; k < b->coverage.data[i].end; k++) {
            const dpl_doc_pair docs = pairs->docs.data[i];
            dpl_mine_range *range = &b->ranges.data[k];
            move_range(p->c[0], docs.left, docs_as_read(p, numbers, 0),
                       dpl__doc_as_read(&numbers[0], docs.left), &range->left, &range->n_left);
            move_range(p->c[1], docs.right, docs_as_read(p, numbers, 1),
                       dpl__doc_as_read(&numbers[1], docs.right), &range->right,
                       &range->n_right);
        }
}

/* ---- passages.tsv --------------------------------------------------------------------- */

static void put_numbers(dpl_output *o, const dpl__coverage *c, const dpl_mine_range *range)
{
    char share[2][32];
    dpl__put(o, "\t%s\t%s\t%u\t%u\t%u\t%u", dpl__millionths(share[0], c->share[0]),
             dpl__millionths(share[1], c->share[1]), range->left, range->left + range->n_left,
             range->right, range->right + range->n_right);
}

/* The heading of the section that the sentence is in, as one line. */
static void put_section(dpl_output *o, const dpl_collection *c, uint32_t doc, uint32_t sentence)
{
    const dpl_str title = dpl_sentences_heading(c, doc, sentence);
    dpl_output_write(o, "\t", 1);
    for (size_t i = 0, n_break; i < title.n; i += n_break ? n_break : 1) {
        n_break = dpl__break_at((const uint8_t *)title.data + i, title.n - i);
        dpl_output_write(o, n_break ? " " : title.data + i, 1);
    }
}

dpl_status dpl__write_ranges(const char *dir, const dpl__comparable *p,
                             const dpl__doc_numbers numbers[2], const dpl__final_pairs *pairs,
                             const dpl__final_beads *b, dpl_error *err)
{
    dpl_output *o = NULL;
    char path[4200];
    if (!b->has_ranges) { /* that of an earlier run would be misleading */
        snprintf(path, sizeof path, "%s/passages.tsv", dir);
        unlink(path);
        return DPL_OK;
    }
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, "passages.tsv", err));
    for (size_t i = 0; i < b->coverage.n; i++)
        for (size_t k = i ? b->coverage.data[i - 1].end : 0; k < b->coverage.data[i].end; k++) {
            const dpl_doc_pair docs = pairs->docs.data[i];
            dpl__put_str(o, dpl_collection_doc(p->c[0], docs.left).id);
            dpl_output_write(o, "\t", 1);
            dpl__put_str(o, dpl_collection_doc(p->c[1], docs.right).id);
            put_numbers(o, &b->coverage.data[i], &b->ranges.data[k]);
            put_section(o, docs_as_read(p, numbers, 0),
                        dpl__doc_as_read(&numbers[0], docs.left), b->ranges.data[k].left);
            put_section(o, docs_as_read(p, numbers, 1),
                        dpl__doc_as_read(&numbers[1], docs.right), b->ranges.data[k].right);
            dpl_output_write(o, "\n", 1);
        }
    return dpl__output_end(o, DPL_OK, err);
}
