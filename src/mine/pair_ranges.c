/*
 * pair_ranges.c - the ranges of the final pairs; passages.tsv.
 */
#include "mine/pair_ranges.h"

#include "base/ctx.h"
#include "base/decimal.h"
#include "mine/run_files.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <unistd.h>

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

void dpl__pair_run_find_sections(dpl__pair_run *r)
{
    r->has_sections = r->last->unit->has_alignment &&
                      (find_section(r->corpus.c[0]) || find_section(r->corpus.c[1]));
}

bool dpl__has_ranges(const dpl__pair_run *r)
{
    return r->last->unit->has_ranges || r->has_sections;
}

dpl_status dpl__pair_run_add_ranges(dpl__pair_run *r, const dpl__ranges *ranges, dpl_error *err)
{
    if (!dpl__vec_append(r->ctx, &r->ranges, ranges->ranges.data, ranges->ranges.n))
        return dpl__fail_nomem(err);
    dpl__coverage c = {.share = {ranges->share[0], ranges->share[1]}, .end = r->ranges.n};
    r->n_outside += ranges->n_outside;
    for (int side = 0; side < 2; side++) {
        r->n_words[side] += ranges->n_words[side];
        r->n_parallel[side] += ranges->n_parallel[side];
    }
    return dpl__vec_push(r->ctx, &r->coverage, c) ? DPL_OK : dpl__fail_nomem(err);
}

void dpl__pair_run_count_outside(dpl__pair_run *r)
{
    r->summary.has_ranges = dpl__has_ranges(r);
    for (int side = 0; side < 2; side++)
        r->summary.parallel_share[side] =
            r->n_words[side] ? (double)r->n_parallel[side] / (double)r->n_words[side] : 0;
    r->sentences.n_verdicts[DPL_VERDICT_KEPT] -= r->n_outside;
    r->sentences.n_verdicts[DPL_VERDICT_OUTSIDE] = r->n_outside;
}

static void put(dpl_output *o, dpl_str s)
{
    dpl_output_write(o, s.data, s.n);
}

static void put_numbers(dpl_output *o, const dpl__coverage *c, const dpl_mine_range *range)
{
    char text[200], share[2][32];
    int n = snprintf(text, sizeof text, "\t%s\t%s\t%u\t%u\t%u\t%u",
                     dpl__millionths(share[0], c->share[0]),
                     dpl__millionths(share[1], c->share[1]), range->left,
                     range->left + range->n_left, range->right, range->right + range->n_right);
    dpl_output_write(o, text, (size_t)n);
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

dpl_status dpl__write_ranges(const char *dir, const dpl__pair_run *r, dpl_error *err)
{
    dpl_output *o = NULL;
    char path[4200];
    if (!dpl__has_ranges(r)) { /* that of an earlier run would be misleading */
        snprintf(path, sizeof path, "%s/passages.tsv", dir);
        unlink(path);
        return DPL_OK;
    }
    DPL_TRY(dpl__open_output(&o, r->ctx, dir, "passages.tsv", err));
    for (size_t i = 0; i < r->coverage.n; i++)
        for (size_t k = i ? r->coverage.data[i - 1].end : 0; k < r->coverage.data[i].end; k++) {
            dpl_doc_pair docs = r->pairs.data[i];
            put(o, dpl_collection_doc(r->corpus.c[0], docs.left).id);
            dpl_output_write(o, "\t", 1);
            put(o, dpl_collection_doc(r->corpus.c[1], docs.right).id);
            put_numbers(o, &r->coverage.data[i], &r->ranges.data[k]);
            put_section(o, r->corpus.c[0], docs.left, r->ranges.data[k].left);
            put_section(o, r->corpus.c[1], docs.right, r->ranges.data[k].right);
            dpl_output_write(o, "\n", 1);
        }
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}
