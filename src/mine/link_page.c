/*
 * link_page.c - links.html from top to bottom, a link at a time.
 *
 * A comparison is a table of two columns as in the report: leads first, then aligned sentences
 * from elsewhere. Aligned sentences in a lead are underlined and numbered; shared words are
 * marked, and the script of the report shows their counterparts. Nothing depends on colour
 * alone.
 */
#include "mine/link_page.h"

#include "langlinks/link_view.h"
#include "langlinks/page_address.h"
#include "mine/run_files.h"
#include "report/markup.h"
#include "report/report.h"

#include <stdio.h>

/* clang-format off */
static const char *const page_style[] = {
".big{grid-template-columns:repeat(4,minmax(0,1fr))}\n"
".score{width:5.5rem}.link{margin-top:1.6rem}\n"
".link h3{flex:1;display:grid;grid-template-columns:repeat(2,minmax(0,1fr));margin:0;"
"font:400 1.2rem/1.3 var(--serif)}.link h3:first-letter{text-transform:none}\n"
".doc a{text-decoration-thickness:1px}\n"
".facts{color:var(--soft);font-size:.875rem;max-width:none;padding-top:.6rem}\n"
".facts b{color:var(--ink);font-weight:600}\n"
".sharing{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem .9rem;margin:.4rem 0 0;"
"padding:0;font:1rem/1.5 var(--serif)}\n"
".sharing li{white-space:nowrap}.sharing span{color:var(--soft);padding:0 .15em}\n"
".lead td{white-space:pre-line}.beads td.why{white-space:normal}.beads .w{width:5.5rem}\n"
".al{text-decoration:underline 1px;text-decoration-color:rgba(var(--tint),.75);"
"text-underline-offset:.25em}\n"
"sup,td .n{font:600 .68rem/1 var(--sans);color:var(--accent)}\n"
"td .n{padding-inline-end:.5em}header .note:not(dd){margin-top:2.2rem}\n"
".case{margin:1.2rem 0 0;font:600 .95rem/1.4 var(--sans)}\n"
".case small{font-weight:400;color:var(--soft);font-size:.875rem;padding-inline-start:.5em}\n"
".pages{display:grid;grid-template-columns:repeat(2,minmax(0,1fr)) 5.5rem;padding-top:.5rem;"
"font:400 1.05rem/1.35 var(--serif)}\n",
"@media (max-width:600px){.big{grid-template-columns:repeat(2,minmax(0,1fr))}"
".pages,.link h3{grid-template-columns:1fr;gap:.3rem}.sharing li{white-space:normal}}\n",
};
/* clang-format on */

/* ---- open and close --------------------------------------------------------------------- */

static void put_numbers(dpl_output *o, const dpl__pair_run *r)
{
    const dpl_links_agreement *l = &r->known->summary;
    dpl__markup_put(
        o,
        "<dl class=\"big\">\n"
        "<div><dt>Known links</dt><dd>$</dd>"
        "<dd class=\"note\">$% of the pages in $ and $% of those in $ have one</dd></div>\n"
        "<div><dt>Missing links</dt><dd>$</dd>"
        "<dd class=\"note\">pairs of which no page has a link</dd></div>\n"
        "<div><dt>Suspicious links</dt><dd>$</dd>"
        "<dd class=\"note\">links that are more likely wrong than right</dd></div>\n"
        "<div><dt>Agreement</dt><dd>$%</dd>"
        "<dd class=\"note\">of the pairs with a linked page are that link</dd></div>\n</dl>\n",
        dpl__as_count(l->read->n_links), dpl__as_fixed(100 * l->share[0], 1),
        dpl__as_name(r->sides[0].code), dpl__as_fixed(100 * l->share[1], 1),
        dpl__as_name(r->sides[1].code), dpl__as_count(l->n_missing),
        dpl__as_count(l->n_suspicious), dpl__as_fixed(100 * l->precision, 1));
}

static void put_explanation(dpl_output *o)
{
    dpl__markup_raw(
        o, "<p class=\"note\">Below are the beginnings of both pages. <sup>1</sup>&#8288;"
           "<span class=\"al\">Underlined</span> sentences are aligned: those with the same "
           "number are "
           "translations. <mark class=\"m3\">Marked</mark> words speak most for the pair. "
           "To accept or reject links, run <code>doppel serve</code> with this folder.</p>\n"
           "<nav aria-label=\"Sections\"><a href=\"#missing\">Missing links</a> "
           "<a href=\"#suspicious\">Suspicious links</a> <a href=\"report.html\">Report of the "
           "run</a></nav>\n</header>\n<main>\n");
}

dpl_status dpl__link_page_begin(dpl__link_page *p, const dpl__pair_run *r, dpl_error *err)
{
    char title[64];
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = r->corpus.is_stemmed);
    *p = (dpl__link_page){.run = r};
    dpl__arena_init(&p->arena, r->ctx);
    DPL_TRY(dpl_tokens_new(&p->tokens, r->ctx, &o, err));
    DPL_TRY(dpl__open_output(&p->out, r->ctx, r->task.dir, "links.html", err));
    snprintf(title, sizeof title, "Links between %s and %s", r->sides[0].code,
             r->sides[1].code);
    dpl__report_head(p->out, title, page_style, DPL_LEN(page_style));
    put_numbers(p->out, r);
    put_explanation(p->out);
    return DPL_OK;
}

void dpl__link_page_clear(dpl__link_page *p)
{
    dpl__aligned_reader_clear(&p->reader, p->run->ctx);
    dpl_output_free(p->out);
    dpl_tokens_free(p->tokens);
    dpl__arena_clear(&p->arena);
}

/* ---- texts ------------------------------------------------------------------------------ */

/* Without marks of sections, which no page can hold. */
static void put_text(dpl_output *o, const char *text, size_t n)
{
    while (n) {
        const char *mark = memchr(text, DPL_SECTION_MARK, n);
        const size_t n_before = mark ? (size_t)(mark - text) : n;
        dpl__markup_text(o, (dpl_str){text, n_before});
        text += n_before + (mark ? 1 : 0);
        n -= n_before + (mark ? 1 : 0);
    }
}

/* Marked words of text[from, to); marks never cross the bounds of a sentence. */
static void put_words(dpl_output *o, dpl_str text, size_t from, size_t to, const dpl__mark *w,
                      size_t n)
{
    size_t at = from;
    for (size_t i = 0; i < n; i++) {
        const size_t begin = w[i].begin > at ? w[i].begin : at;
        const size_t end = dpl__min((size_t)w[i].end, to);
        if (begin >= end)
            continue;
        put_text(o, text.data + at, begin - at);
        dpl__markup_put(o, "<mark class=\"m3\" data-k=\"$\">$</mark>",
                        dpl__as_place(w[i].number),
                        dpl__as_text((dpl_str){text.data + begin, end - begin}));
        at = end;
    }
    put_text(o, text.data + at, to - at);
}

static void put_lead(dpl_output *o, const dpl__link_view *v, int side)
{
    const dpl_str text = v->lead[side];
    size_t at = 0;
    for (size_t i = 0; i < v->n_aligned[side]; i++) {
        const dpl__mark *s = &v->aligned[side][i];
        put_words(o, text, at, s->begin, v->words[side], v->n_words[side]);
        dpl__markup_put(o, "<sup>$</sup>&#8288;<span class=\"al\">",
                        dpl__as_place(s->number + 1.0));
        put_words(o, text, s->begin, s->end, v->words[side], v->n_words[side]);
        dpl__markup_raw(o, "</span>");
        at = s->end;
    }
    put_words(o, text, at, text.n, v->words[side], v->n_words[side]);
    if (v->is_cut[side])
        dpl__markup_raw(o, "&#8201;&#8230;");
}

static void put_leads(dpl_output *o, const dpl__pair_run *r, const dpl__link_view *v)
{
    dpl__markup_raw(o, "<tr class=\"lead\">");
    for (int side = 0; side < 2; side++) {
        if (!v->lead[side].n) {
            dpl__markup_raw(o, "<td class=\"none\">no text</td>");
            continue;
        }
        dpl__markup_put(o, "<td lang=\"$\" dir=\"auto\">", dpl__as_name(r->corpus.lang[side]));
        put_lead(o, v, side);
        dpl__markup_raw(o, "</td>");
    }
    dpl__markup_raw(o, "<td class=\"why\">lead</td></tr>\n");
}

static void put_sentence(dpl_output *o, const dpl__pair_run *r, const dpl__view_sentence *s,
                         size_t number)
{
    dpl__markup_raw(o, "<tr>");
    for (int side = 0; side < 2; side++) {
        dpl__markup_put(o, "<td lang=\"$\" dir=\"auto\"><span class=\"n\">$</span>",
                        dpl__as_name(r->corpus.lang[side]), dpl__as_place((double)number));
        put_words(o, s->text[side], 0, s->text[side].n, s->words[side], s->n_words[side]);
        dpl__markup_raw(o, "</td>");
    }
    dpl__markup_put(o, "<td class=\"why num\">$</td></tr>\n", dpl__as_fixed(s->score, 2));
}

static void put_view(dpl_output *o, const dpl__pair_run *r, const dpl__link_view *v)
{
    dpl__markup_put(
        o,
        "<table class=\"beads\"><caption class=\"away\">Leads and aligned sentences"
        "</caption>\n<colgroup><col/><col/><col class=\"w\"/></colgroup><thead "
        "class=\"away\"><tr><th scope=\"col\">$</th>"
        "<th scope=\"col\">$</th><th scope=\"col\">score</th></tr></thead>\n<tbody>\n",
        dpl__as_name(r->corpus.lang[0]), dpl__as_name(r->corpus.lang[1]));
    put_leads(o, r, v);
    for (size_t i = 0; i < v->n_sentences; i++)
        if (!v->sentences[i].is_in_leads)
            put_sentence(o, r, &v->sentences[i], i + 1);
    dpl__markup_raw(o, "</tbody></table>\n");
}

/* ---- a comparison ----------------------------------------------------------------------- */

/* The sentence pairs that were kept, and where they stand. */
static dpl_status list_sentences(dpl__view_input *in, dpl__link_page *p, size_t number,
                                 dpl_error *err)
{
    const dpl__pair_run *r = p->run;
    dpl_aligned_docs a;
    DPL_TRY(dpl__aligned_read(&a, &p->reader, r->beads.aligned, number, err));
    in->sentences = dpl__arena_alloc(&p->arena, (a.n_beads + 1) * sizeof *in->sentences);
    DPL_TRY(dpl__need(in->sentences, err));
    for (size_t i = 0; i < a.n_beads; i++) {
        const dpl_bead *b = &a.beads[i];
        const uint32_t at[2] = {b->left, b->right}, count[2] = {b->n_left, b->n_right};
        const uint32_t doc[2] = {a.docs.left, a.docs.right};
        if (b->verdict != DPL_VERDICT_KEPT)
            continue;
        dpl__view_sentence *s = &in->sentences[in->n_sentences++];
        *s = (dpl__view_sentence){.score = (double)b->score};
        for (int side = 0; side < 2; side++) {
            const uint32_t first = a.units[side][at[side]];
            s->text[side] = dpl_sentences_text(r->corpus.c[side], doc[side], first,
                                               a.units[side][at[side] + count[side]] - first);
            if (s->text[side].n && in->text[side].n) {
                s->begin[side] = (size_t)(s->text[side].data - in->text[side].data);
                s->end[side] = s->begin[side] + s->text[side].n;
            }
        }
    }
    return DPL_OK;
}

dpl_doc dpl__link_doc(const dpl__pair_run *r, dpl_doc_pair docs, int side)
{
    return dpl_collection_doc(r->corpus.c[side], side ? docs.right : docs.left);
}

static dpl_status put_comparison(dpl__link_page *p, const dpl__link_comparison *c,
                                 dpl_error *err)
{
    const dpl__pair_run *r = p->run;
    dpl__view_input in = {.words = c->words->words, .n_words = c->words->n};
    dpl__link_view view;
    for (int side = 0; side < 2; side++) {
        in.text[side] = dpl__link_doc(r, c->docs, side).text;
        in.lang[side] = r->corpus.lang[side];
    }
    if (c->number != SIZE_MAX)
        DPL_TRY(list_sentences(&in, p, c->number, err));
    DPL_TRY(dpl__link_view_make(&view, &p->arena, r->ctx, p->tokens, &in, err));
    if (c->words->n) {
        dpl__markup_raw(p->out, "<ul class=\"sharing\" aria-label=\"Shared words\">");
        for (size_t i = 0; i < c->words->n; i++)
            dpl__markup_put(
                p->out,
                "<li><bdi lang=\"$\">$</bdi><span>&#8211;</span><bdi lang=\"$\">$</bdi></li>",
                dpl__as_name(r->corpus.lang[0]), dpl__as_text(c->words->words[i].side[0]),
                dpl__as_name(r->corpus.lang[1]), dpl__as_text(c->words->words[i].side[1]));
        dpl__markup_raw(p->out, "</ul>\n");
    }
    put_view(p->out, r, &view);
    dpl__arena_reset(&p->arena);
    return DPL_OK;
}

/* Title, with the address where it is known, and id. */
static dpl_status put_title(dpl__link_page *p, dpl_doc_pair docs, int side, dpl_error *err)
{
    const dpl__pair_run *r = p->run;
    const dpl_doc d = dpl__link_doc(r, docs, side);
    const dpl_str title = d.title.n ? d.title : d.id;
    const dpl_str address =
        dpl__page_address(&p->arena, dpl__cstr(r->known->site[side]), d.title);
    DPL_TRY(dpl__need(address.data, err));
    dpl__markup_raw(p->out, "<span class=\"doc\">");
    if (address.n)
        dpl__markup_put(
            p->out, "<a href=\"$\" rel=\"noreferrer noopener\"><bdi lang=\"$\">$</bdi></a>",
            dpl__as_text(address), dpl__as_name(r->corpus.lang[side]), dpl__as_text(title));
    else
        dpl__markup_put(p->out, "<bdi lang=\"$\">$</bdi>", dpl__as_name(r->corpus.lang[side]),
                        dpl__as_text(title));
    dpl__markup_put(p->out, " <code>$ <bdi>$</bdi></code></span>",
                    dpl__as_name(r->corpus.lang[side]), dpl__as_text(d.id));
    return DPL_OK;
}

static dpl_status begin_link(dpl__link_page *p, dpl_doc_pair docs, const char *what, double x,
                             dpl_error *err)
{
    dpl__markup_raw(p->out, "<details class=\"link\" open=\"open\"><summary><h3>");
    DPL_TRY(put_title(p, docs, 0, err));
    DPL_TRY(put_title(p, docs, 1, err));
    dpl__markup_put(p->out,
                    "</h3><span class=\"score\">$ <b class=\"num\">$</b></span></summary>\n",
                    dpl__as_name(what), dpl__as_fixed(x, 3));
    return DPL_OK;
}

static void put_facts(dpl_output *o, const dpl__evidence *e)
{
    dpl__markup_put(o,
                    "<p class=\"facts\"><b>$</b> aligned sentence$, which cover <b>$%</b> and "
                    "<b>$%</b> of the words</p>\n",
                    dpl__as_count(e->n_sentences), dpl__as_name(e->n_sentences == 1 ? "" : "s"),
                    dpl__as_fixed(100 * e->share[0], 0), dpl__as_fixed(100 * e->share[1], 0));
}

/* ---- sections --------------------------------------------------------------------------- */

static void put_rest(dpl_output *o, uint64_t n, size_t n_shown, const char *file)
{
    if (n > n_shown)
        dpl__markup_put(o, "<p class=\"note\">$ more in <code>$</code></p>\n",
                        dpl__as_count(n - n_shown), dpl__as_name(file));
}

static void begin_missing(dpl__link_page *p)
{
    dpl__markup_raw(p->out,
                    "<section aria-labelledby=\"missing\"><h2 id=\"missing\">Missing links</h2>"
                    "\n<p>Pages that look like counterparts and have no link, by confidence: "
                    "the estimated probability that the pair is right.</p>\n");
    if (!p->run->known->missing.n)
        dpl__markup_raw(p->out, "<p class=\"note\">None was found.</p>\n");
}

static void begin_suspicious(dpl__link_page *p)
{
    if (!p->n_missing)
        begin_missing(p);
    put_rest(p->out, p->run->known->missing.n, p->n_missing, "missing-links.tsv");
    dpl__markup_raw(p->out,
                    "</section>\n<section aria-labelledby=\"suspicious\">"
                    "<h2 id=\"suspicious\">Suspicious links</h2>\n<p>Linked pages that do not "
                    "look alike, by the estimated probability that the link is wrong, and the "
                    "pages that look better.</p>\n");
    if (!p->run->known->suspects.n)
        dpl__markup_raw(p->out, "<p class=\"note\">None was found.</p>\n");
}

dpl_status dpl__link_page_missing(dpl__link_page *p, const dpl__link_comparison *c,
                                  dpl_error *err)
{
    if (p->n_missing++ == 0)
        begin_missing(p);
    DPL_TRY(begin_link(p, c->docs, "confidence", dpl__known_links_confidence(p->run, c->number),
                       err));
    put_facts(p->out, c->evidence);
    DPL_TRY(put_comparison(p, c, err));
    dpl__markup_raw(p->out, "</details>\n");
    return DPL_OK;
}

/* What a page looks like a counterpart of, instead. */
static dpl_status put_better(dpl__link_page *p, const dpl__link_comparison *c, int side,
                             dpl_error *err)
{
    const dpl_doc d = dpl__link_doc(p->run, c->docs, side);
    if (c->number == SIZE_MAX)
        return DPL_OK;
    dpl__markup_put(p->out,
                    "<h4 class=\"case\">Looks better for <bdi lang=\"$\">$</bdi>"
                    "<small>confidence <b class=\"num\">$</b></small></h4>\n"
                    "<div class=\"pages\">",
                    dpl__as_name(p->run->corpus.lang[side]),
                    dpl__as_text(d.title.n ? d.title : d.id),
                    dpl__as_fixed(dpl__known_links_confidence(p->run, c->number), 3));
    DPL_TRY(put_title(p, c->docs, 0, err));
    DPL_TRY(put_title(p, c->docs, 1, err));
    dpl__markup_raw(p->out, "</div>\n");
    put_facts(p->out, c->evidence);
    return put_comparison(p, c, err);
}

dpl_status dpl__link_page_suspicious(dpl__link_page *p, const dpl__suspect *suspect,
                                     const dpl__link_comparison link[3], dpl_error *err)
{
    if (p->n_suspicious++ == 0)
        begin_suspicious(p);
    DPL_TRY(begin_link(p, suspect->docs, "probably wrong", suspect->probability, err));
    dpl__markup_put(p->out,
                    "<h4 class=\"case\">Linked now<small>cosine <b class=\"num\">$</b></small>"
                    "</h4>\n",
                    dpl__as_fixed(suspect->cosine, 2));
    DPL_TRY(put_comparison(p, &link[0], err));
    DPL_TRY(put_better(p, &link[1], 0, err));
    DPL_TRY(put_better(p, &link[2], 1, err));
    dpl__markup_raw(p->out, "</details>\n");
    return DPL_OK;
}

dpl_status dpl__link_page_end(dpl__link_page *p, dpl_error *err)
{
    if (!p->n_suspicious)
        begin_suspicious(p);
    put_rest(p->out, p->run->known->suspects.n, p->n_suspicious, "suspicious-links.tsv");
    dpl__markup_raw(p->out, "</section>\n");
    dpl__report_foot(p->out, dpl_version());
    return dpl_output_finish(p->out, err);
}
