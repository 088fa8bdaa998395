/*
 * report_pairs.c - document pairs become tables of two columns with marks on their words.
 *
 * Links may share words: one word on the left stands for two on the right, or ranges overlap.
 * Links that touch a word in common become one group, found by union over the sorted ranges of
 * both sides; ranges that overlap become one mark, so marks never nest. All marks of a group
 * carry its number, which is what the script of the page looks for. Ranges outside of the text
 * are cut, and none ends inside of a character.
 *
 * Cost: O(l log l) for the l links of a bead; memory for one bead at a time.
 */
#include "report/report.h"

#include "base/ascii.h"
#include "base/order.h"
#include "base/vec.h"
#include "report/markup.h"

#include <stdlib.h>

/* A range of one side's text. */
typedef struct span {
    size_t begin, end;
    uint32_t link; /* the first one it belongs to: stands for its group */
    float weight;
} span;

typedef struct marks {
    dpl_ctx *ctx;
    DPL_VEC(span) spans[2];
    DPL_VEC(uint32_t) parent; /* of links, towards the one that stands for the group */
    DPL_VEC(uint32_t) number; /* of groups, by that link, from 1 */
} marks;

static void marks_clear(marks *m)
{
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(m->ctx, &m->spans[side]);
    dpl__vec_clear(m->ctx, &m->parent, &m->number);
}

/* ---- links to marks ----------------------------------------------------------------- */

static uint32_t group_of(marks *m, uint32_t link)
{
    assert(link < m->parent.n);
    uint32_t *parent = m->parent.data;
    while (parent[link] != link)
        link = parent[link] = parent[parent[link]];
    return link;
}

static void join(marks *m, uint32_t a, uint32_t b)
{
    a = group_of(m, a);
    b = group_of(m, b);
    m->parent.data[a > b ? a : b] = a > b ? b : a;
}

/* The range within the text, in whole characters; false when nothing is left of it. */
static bool clamp(span *s, dpl_str text, uint32_t begin, uint32_t end)
{
    size_t from = dpl__min(begin, text.n), to = dpl__min(end, text.n);
    if (from >= to)
        return false;
    while (to < text.n && dpl__is_inner(text.data[to]))
        to++;
    *s = (span){.begin = dpl__char_begin(text.data, from), .end = to};
    return true;
}

DPL__ORDER(compare_spans, span, DPL__RISING(begin) DPL__RISING(link))

/* Sorted, and without overlaps. */
static void merge_spans(marks *m, int side)
{
    span *s = m->spans[side].data;
    size_t n = 0, n_all = m->spans[side].n;
    if (n_all > 1)
        qsort(s, n_all, sizeof *s, compare_spans);
    for (size_t i = 0; i < n_all; i++) {
        if (n == 0 || s[i].begin >= s[n - 1].end) {
            s[n++] = s[i];
            continue;
        }
        span *last = &s[n - 1];
        join(m, last->link, s[i].link);
        last->end = s[i].end > last->end ? s[i].end : last->end;
        last->weight = s[i].weight > last->weight ? s[i].weight : last->weight;
    }
    m->spans[side].n = n;
}

static dpl_status make_marks(marks *m, const dpl__report_bead *bead, dpl_error *err)
{
    m->spans[0].n = m->spans[1].n = m->parent.n = m->number.n = 0;
    for (size_t i = 0; i < bead->n_links; i++) {
        const dpl__report_link *link = &bead->links[i];
        span s[2];
        if (!clamp(&s[0], bead->text[0], link->begin[0], link->end[0]) ||
            !clamp(&s[1], bead->text[1], link->begin[1], link->end[1]))
            continue;
        for (int side = 0; side < 2; side++) {
            s[side].link = (uint32_t)m->parent.n;
            s[side].weight = link->weight;
            DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &m->spans[side], s[side]), err));
        }
        DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &m->parent, s[0].link) &&
                              dpl__vec_push(m->ctx, &m->number, 0u),
                          err));
    }
    for (int side = 0; side < 2; side++)
        merge_spans(m, side);
    uint32_t n_groups = 0;
    for (size_t i = 0; i < m->spans[0].n; i++) {
        uint32_t *number = &m->number.data[group_of(m, m->spans[0].data[i].link)];
        *number = *number ? *number : ++n_groups;
    }
    return DPL_OK;
}

/* ---- a bead ------------------------------------------------------------------------- */

/* Four shades; anything that is no weight is the faintest. */
static unsigned shade(float weight)
{
    return weight >= 0.75f ? 4 : weight >= 0.5f ? 3 : weight >= 0.25f ? 2 : 1;
}

static void put_marked(dpl_output *o, marks *m, const dpl__report_bead *bead, int side)
{
    dpl_str text = bead->text[side];
    size_t at = 0;
    for (size_t i = 0; i < m->spans[side].n; i++) {
        const span *s = &m->spans[side].data[i];
        dpl__markup_text(o, (dpl_str){text.data + at, s->begin - at});
        dpl__markup_put(o, "<mark class=\"m$\" data-k=\"$\">$</mark>",
                        dpl__as_place(shade(s->weight)),
                        dpl__as_place(m->number.data[group_of(m, s->link)]),
                        dpl__as_text((dpl_str){text.data + s->begin, s->end - s->begin}));
        at = s->end;
    }
    dpl__markup_text(o, (dpl_str){text.data + at, text.n - at});
}

static dpl_status put_bead(dpl_output *o, marks *m, const dpl__report *r,
                           const dpl__report_bead *bead, dpl_error *err)
{
    DPL_TRY(make_marks(m, bead, err));
    dpl__markup_raw(o, bead->reason ? "<tr class=\"dropped\">" : "<tr>");
    for (int side = 0; side < 2; side++) {
        if (bead->text[side].n == 0) {
            dpl__markup_raw(o, "<td class=\"none\">&#8211;</td>");
            continue;
        }
        dpl__markup_put(o, "<td lang=\"$\" dir=\"auto\">", dpl__as_name(r->lang[side]));
        put_marked(o, m, bead, side);
        dpl__markup_raw(o, "</td>");
    }
    if (bead->reason)
        dpl__markup_put(o, "<td class=\"why\">$</td></tr>\n", dpl__as_name(bead->reason));
    else
        dpl__markup_put(o, "<td class=\"why num\">$</td></tr>\n",
                        dpl__as_fixed(bead->score, 2));
    return DPL_OK;
}

/* ---- a pair of documents ------------------------------------------------------------- */

static void put_title(dpl_output *o, const dpl__report *r, const dpl__report_doc_pair *p,
                      int side)
{
    dpl_str title = p->title[side].n ? p->title[side] : p->id[side];
    dpl__markup_put(o,
                    "<span class=\"doc\"><bdi lang=\"$\">$</bdi> "
                    "<code><bdi>$</bdi></code></span>",
                    dpl__as_name(r->lang[side]), dpl__as_text(title),
                    dpl__as_text(p->id[side]));
}

static void begin_pair(dpl_output *o, const dpl__report *r, const dpl__report_doc_pair *p,
                       bool is_open)
{
    dpl__markup_raw(o, is_open ? "<details open=\"open\">" : "<details>");
    dpl__markup_raw(o, "<summary><h4>");
    put_title(o, r, p, 0);
    put_title(o, r, p, 1);
    dpl__markup_put(o,
                    "</h4><span class=\"score\">confidence <b class=\"num\">$</b> "
                    "cosine <b class=\"num\">$</b></span></summary>\n",
                    dpl__as_fixed(p->confidence, 3), dpl__as_fixed(p->cosine, 2));
}

static dpl_status put_pair(dpl_output *o, marks *m, const dpl__report *r,
                           const dpl__report_doc_pair *p, bool is_open, dpl_error *err)
{
    begin_pair(o, r, p, is_open);
    dpl__markup_put(o,
                    "<table class=\"beads\"><caption class=\"away\">Aligned sentences of $ and "
                    "$</caption>\n<thead><tr><th scope=\"col\">$</th><th scope=\"col\">$</th>"
                    "<th scope=\"col\">score</th></tr></thead>\n<tbody>\n",
                    dpl__as_text(p->id[0]), dpl__as_text(p->id[1]), dpl__as_name(r->lang[0]),
                    dpl__as_name(r->lang[1]));
    for (size_t i = 0; i < p->n_beads; i++)
        DPL_TRY(put_bead(o, m, r, &p->beads[i], err));
    dpl__markup_raw(o, "</tbody></table>\n");
    if (p->n_more)
        dpl__markup_put(o, "<p class=\"note\">$ more not shown</p>\n",
                        dpl__as_count(p->n_more));
    dpl__markup_raw(o, "</details>\n");
    return DPL_OK;
}

/* The first pair of a group is open, the others are a click away. */
static dpl_status put_samples(dpl_output *o, marks *m, const dpl__report *r,
                              const dpl__report_samples *s, dpl_error *err)
{
    dpl__markup_put(o, "<h3>$</h3>\n<p class=\"note\">$</p>\n", dpl__as_name(s->name),
                    dpl__as_name(s->what));
    for (size_t i = 0; i < s->n_pairs; i++)
        DPL_TRY(put_pair(o, m, r, &s->pairs[i], i == 0, err));
    return DPL_OK;
}

dpl_status dpl__report_pairs(dpl_output *o, dpl_ctx *ctx, const dpl__report *report,
                             dpl_error *err)
{
    marks m = {.ctx = ctx};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < report->n_samples && status == DPL_OK; i++)
        status = put_samples(o, &m, report, &report->samples[i], err);
    marks_clear(&m);
    return status;
}
