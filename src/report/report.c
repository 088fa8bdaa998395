/*
 * report.c - what a run found becomes one page of HTML that needs nothing else.
 *
 * The page is written from top to bottom through a buffer; nothing of it is kept in memory. It
 * is HTML and well-formed XML at once, so that tests can parse it strictly, and refers to
 * nothing outside of itself, which a policy in its head makes sure of. Sections without
 * content are left out. Cost: linear in what is shown.
 */
#include "report/report.h"

#include "base/sha256.h"
#include "report/markup.h"
#include "report/report_chart.h"
#include "report/report_pairs.h"
#include "report/report_style.h"
#include "report/skipped.h"

#include <math.h>

/* ---- head --------------------------------------------------------------------------- */

/* The style of the page, and the script at its end: what the policy allows. */
static void put_policy(dpl_output *o, const char *const *style, size_t n_style)
{
    enum { OWN = 1 + DPL_LEN(report_style), MOST_MORE = 8 };
    const char *pieces[OWN + MOST_MORE] = {"\n"}, *script[] = {"\n", report_script};
    char sources[2][DPL__SOURCE_SIZE];
    assert(n_style <= MOST_MORE);
    memcpy(pieces + 1, report_style, sizeof report_style);
    if (n_style)
        memcpy(pieces + OWN, style, n_style * sizeof *style);
    dpl__policy_source(sources[0], pieces, OWN + n_style);
    dpl__policy_source(sources[1], script, DPL_LEN(script));
    dpl__markup_put(
        o,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src $; script-src $; base-uri 'none'; form-action 'none'\"/>\n",
        dpl__as_name(sources[0]), dpl__as_name(sources[1]));
}

void dpl__report_head(dpl_output *o, const char *title, const char *const *style,
                      size_t n_style)
{
    dpl__markup_raw(
        o, "<!DOCTYPE html>\n"
           "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
           "<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    put_policy(o, style, n_style);
    dpl__markup_put(o, "<title>$ &#183; doppel</title>\n<style>\n", dpl__as_name(title));
    for (size_t i = 0; i < DPL_LEN(report_style); i++)
        dpl__markup_raw(o, report_style[i]);
    for (size_t i = 0; i < n_style; i++)
        dpl__markup_raw(o, style[i]);
    dpl__markup_put(o,
                    "</style>\n</head>\n<body>\n<header>\n"
                    "<p class=\"over\">doppel mine</p>\n<h1>$</h1>\n",
                    dpl__as_name(title));
}

static void put_estimate(dpl_output *o, const dpl__report *r)
{
    const double *p = r->estimated_precision, *q = r->estimated_recall;
    if (r->why_no_estimate)
        dpl__markup_put(o,
                        "<div><dt>Estimated precision, recall</dt><dd>\xE2\x80\x93</dd>"
                        "<dd class=\"note\">$</dd></div>\n</dl>\n",
                        dpl__as_name(r->why_no_estimate));
    else
        dpl__markup_put(
            o,
            "<div><dt>Estimated precision</dt><dd>$%</dd>"
            "<dd class=\"note\">$ to $%: share of the pairs that are right</dd></div>\n"
            "<div><dt>Estimated recall</dt><dd>$%</dd>"
            "<dd class=\"note\">$ to $%: of the documents that have a counterpart</dd></div>\n"
            "</dl>\n",
            dpl__as_fixed(100 * p[0], 1), dpl__as_fixed(100 * p[1], 1),
            dpl__as_fixed(100 * p[2], 1), dpl__as_fixed(100 * q[0], 1),
            dpl__as_fixed(100 * q[1], 1), dpl__as_fixed(100 * q[2], 1));
    if (r->verdict)
        dpl__markup_put(o, "<p class=\"verdict\">Verdict: $.</p>\n", dpl__as_name(r->verdict));
}

static void put_side(dpl_output *o, const dpl__report *r, int side)
{
    dpl__markup_put(o,
                    "<div><dt>Documents, $</dt><dd>$</dd><dd class=\"note\"><code>$</code><br/>"
                    "$ sentences",
                    dpl__as_name(r->lang[side]), dpl__as_count(r->n_docs[side]),
                    dpl__as_name(r->path[side]), dpl__as_count(r->n_sentences[side]));
    if (r->n_copies[side])
        dpl__markup_put(o, "<br/>$ near-copies", dpl__as_count(r->n_copies[side]));
    if (r->n_boilerplate[side])
        dpl__markup_put(o, "<br/>left out: $ that repeat in many documents",
                        dpl__as_count(r->n_boilerplate[side]));
    if (r->n_untranslated[side])
        dpl__markup_put(o, "<br/>left out: $ that are not translated",
                        dpl__as_count(r->n_untranslated[side]));
    dpl__markup_raw(o, "</dd></div>\n");
}

static void put_big_numbers(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o, "<dl class=\"big\">\n");
    put_side(o, r, 0);
    put_side(o, r, 1);
    if (!r->n_pairs) {
        dpl__markup_put(o,
                        "<div><dt>Document pairs</dt><dd>0</dd>"
                        "<dd class=\"note\">no pairs found$$</dd></div>\n</dl>\n",
                        dpl__as_name(r->why_empty ? ": " : ""),
                        dpl__as_name(r->why_empty ? r->why_empty : ""));
        return;
    }
    dpl__markup_put(o,
                    "<div><dt>Document pairs</dt><dd>$</dd>"
                    "<dd class=\"note\">with a confidence of $ or more</dd></div>\n"
                    "<div><dt>Sentence pairs</dt><dd>$</dd>"
                    "<dd class=\"note\">$ in each document pair, on average</dd></div>\n",
                    dpl__as_count(r->n_pairs), dpl__as_fixed(r->threshold, 2),
                    dpl__as_count(r->n_sentence_pairs),
                    dpl__as_fixed((double)r->n_sentence_pairs / (double)r->n_pairs, 1));
    put_estimate(o, r);
}

/* ---- facts -------------------------------------------------------------------------- */

static void put_facts(dpl_output *o, const char *caption, const dpl__report_fact *facts,
                      size_t n)
{
    dpl__markup_put(o,
                    "<div class=\"scroll\"><table><caption class=\"away\">$</caption><tbody>\n",
                    dpl__as_name(caption));
    for (size_t i = 0; i < n; i++)
        dpl__markup_put(o,
                        "<tr><th scope=\"row\">$</th><td class=\"num\">$</td>"
                        "<td class=\"note\">$</td></tr>\n",
                        dpl__as_name(facts[i].name), dpl__as_name(facts[i].value),
                        dpl__as_name(facts[i].what));
    dpl__markup_raw(o, "</tbody></table></div>\n");
}

static bool has_facts(const dpl__report *r)
{
    return r->n_facts > 0;
}

static void write_facts(dpl_output *o, const dpl__report *r)
{
    put_facts(o, "The run in numbers", r->facts, r->n_facts);
}

static bool has_reasons(const dpl__report *r)
{
    return r->n_reasons > 0;
}

static void put_examples(dpl_output *o, const dpl__report *r, const dpl__report_fact *reason)
{
    if (!reason->examples[0][0].n && !reason->examples[0][1].n)
        return;
    dpl__markup_put(o, "<table class=\"beads\"><caption>$: $</caption><tbody>\n",
                    dpl__as_name(reason->name), dpl__as_name(reason->what));
    for (size_t k = 0; k < DPL_LEN(reason->examples); k++) {
        const dpl_str *e = reason->examples[k];
        if (!e[0].n && !e[1].n)
            continue;
        dpl__markup_raw(o, "<tr>");
        for (int side = 0; side < 2; side++)
            if (e[side].n)
                dpl__markup_put(o, "<td lang=\"$\" dir=\"auto\">$</td>",
                                dpl__as_name(r->lang[side]), dpl__as_text(e[side]));
            else
                dpl__markup_raw(o, "<td class=\"none\">&#8211;</td>");
        dpl__markup_raw(o, "</tr>\n");
    }
    dpl__markup_raw(o, "</tbody></table>\n");
}

static void write_reasons(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o, "<p>Aligned sentences that were not kept.</p>\n");
    put_facts(o, "Sentence pairs dropped, by reason", r->reasons, r->n_reasons);
    for (size_t i = 0; i < r->n_reasons; i++)
        put_examples(o, r, &r->reasons[i]);
}

static bool has_skipped(const dpl__report *r)
{
    return dpl__has_skipped(r->skipped);
}

static void write_skipped(dpl_output *o, const dpl__report *r)
{
    dpl__report_skipped(o, r->skipped);
}

/* ---- known links --------------------------------------------------------------------- */

static bool has_links(const dpl__report *r)
{
    return r->links != NULL;
}

static void write_links(dpl_output *o, const dpl__report *r)
{
    const dpl_links_agreement *l = r->links;
    dpl__markup_put(o,
                    "<p>$ links were known. $ document pairs have a document with a link: $ of "
                    "these are the link (precision $%); of the links, $% were found.</p>\n"
                    "<p>$ pairs have no link, and $ links do not fit: <a href=\"links.html\">"
                    "the page of missing and suspicious links</a> shows them with what speaks "
                    "for them.</p>\n",
                    dpl__as_count(l->read->n_links),
                    dpl__as_count(l->n_matching + l->n_touching), dpl__as_count(l->n_matching),
                    dpl__as_fixed(100 * l->precision, 1), dpl__as_fixed(100 * l->recall, 1),
                    dpl__as_count(l->n_missing), dpl__as_count(l->n_suspicious));
}

/* ---- rounds ------------------------------------------------------------------------- */

static bool has_rounds(const dpl__report *r)
{
    return r->n_rounds > 0;
}

/* A number that not every round has. */
static void put_later(dpl_output *o, bool is_there, uint64_t n)
{
    if (is_there)
        dpl__markup_put(o, "<td class=\"num\">$</td>", dpl__as_count(n));
    else
        dpl__markup_raw(o, "<td class=\"num\">&#8211;</td>");
}

static void put_rounds_table(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(
        o, "<div class=\"scroll\" role=\"region\" aria-label=\"Rounds\" tabindex=\"0\">"
           "<table class=\"rounds\"><caption class=\"away\">Rounds of learning</caption>"
           "<thead><tr><th scope=\"col\">round</th><th scope=\"col\">knows</th>"
           "<th scope=\"col\" class=\"num\">trained on<br/>sentences</th>"
           "<th scope=\"col\" class=\"num\">lexicon<br/>entries</th>"
           "<th scope=\"col\" class=\"num\">words<br/>translated</th>"
           "<th scope=\"col\" class=\"num\">document<br/>pairs</th>"
           "<th scope=\"col\" class=\"num\">new</th><th scope=\"col\" class=\"num\">gone</th>"
           "<th scope=\"col\" class=\"num\">mean<br/>cosine</th>"
           "<th scope=\"col\" class=\"num\">time</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_rounds; i++) {
        const dpl__report_round *round = &r->rounds[i];
        dpl__markup_put(o, "<tr><th scope=\"row\">$</th><td>$</td>",
                        dpl__as_count(round->number), dpl__as_name(round->basis));
        put_later(o, round->n_rows > 0, round->n_rows);
        put_later(o, round->n_entries > 0, round->n_entries);
        dpl__markup_put(o, "<td class=\"num\">$%</td><td class=\"num\">$</td>",
                        dpl__as_fixed(100 * round->known, 1), dpl__as_count(round->n_pairs));
        put_later(o, i > 0, round->n_new);
        put_later(o, i > 0, round->n_gone);
        dpl__markup_put(o, "<td class=\"num\">$</td><td class=\"num\">$</td></tr>\n",
                        dpl__as_fixed(round->cosine, 2), dpl__as_seconds(round->seconds));
    }
    dpl__markup_raw(o, "</tbody></table></div>\n");
}

/* What was left out of a large collection, and of training. */
static void put_samples(dpl_output *o, const dpl__report *r)
{
    for (size_t i = 0; i < r->n_rounds; i++) {
        const dpl__report_round *round = &r->rounds[i];
        if (!round->n_sampled && !round->n_trained && round->least <= 0)
            continue;
        dpl__markup_put(o, "<p class=\"note\">Round $:", dpl__as_count(round->number));
        if (round->n_trained)
            dpl__markup_put(o, " trained on a sample of $ document pairs;",
                            dpl__as_count(round->n_trained));
        if (round->n_sampled)
            dpl__markup_put(o, " searched with a sample of $ documents",
                            dpl__as_count(round->n_sampled));
        else
            dpl__markup_raw(o, " searched with all documents");
        if (round->least > 0)
            dpl__markup_put(o, " for neighbours with a cosine of $ or more",
                            dpl__as_fixed(round->least, 3));
        dpl__markup_raw(o, ".</p>\n");
    }
}

static void write_rounds(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o,
                    "<p>Each round pairs the documents by what it knows, aligns the sentences "
                    "of the pairs and learns word translations from them.");
    if (r->n_rounds > 1)
        dpl__markup_put(o, " The mean cosine of the pairs went from $ to $.",
                        dpl__as_fixed(r->rounds[0].cosine, 2),
                        dpl__as_fixed(r->rounds[r->n_rounds - 1].cosine, 2));
    dpl__markup_raw(o, "</p>\n");
    put_rounds_table(o, r);
    put_samples(o, r);
    dpl__markup_raw(
        o,
        "<h3>Cosines of documents</h3>\n<p class=\"note\">Number of documents by cosine with "
        "<svg class=\"key signal\" aria-hidden=\"true\"><rect width=\"100%\" "
        "height=\"100%\"/></svg> their best counterpart and with "
        "<svg class=\"key chance\" aria-hidden=\"true\"><rect width=\"100%\" "
        "height=\"100%\"/></svg> their second best, which is what chance gives. The further "
        "the two stand apart, the safer the choice.</p>\n");
    dpl__chart_rounds(o, r->rounds, r->n_rounds);
}

/* ---- confidence and recall ----------------------------------------------------------- */

static bool has_confidence(const dpl__report *r)
{
    return dpl__histogram_total(&r->confidence) > 0;
}

static void write_confidence(dpl_output *o, const dpl__report *r)
{
    dpl__markup_put(
        o,
        "<p>The estimated probability that a candidate is a translation, for $ "
        "candidates. Those at $ or above are the document pairs. Heights grow with "
        "the square root of the number, so that the few in between can be seen.</p>\n"
        "<figure class=\"wide\">",
        dpl__as_count(dpl__histogram_total(&r->confidence)), dpl__as_fixed(r->threshold, 2));
    dpl__chart_confidence(o, &r->confidence, r->threshold);
    dpl__markup_raw(o, "</figure>\n");
}

static bool has_receipt(const dpl__report *r)
{
    return r->receipt != NULL;
}

static void write_receipt(dpl_output *o, const dpl__report *r)
{
    const dpl_recall_check *receipt = r->receipt;
    if (receipt->is_exact) {
        dpl__markup_raw(o,
                        "<p>The search was exact: it compared everything that could reach the "
                        "threshold of the cosine, so nothing at or above it was missed.</p>\n");
        return;
    }
    if (receipt->is_empty) {
        dpl__markup_raw(o,
                        "<p>The search is not exact, and nothing can be said about what it "
                        "missed: none of the documents looked at has a counterpart at or above "
                        "the threshold of the cosine.</p>\n");
        return;
    }
    dpl__markup_put(
        o,
        "<p>The search looks at promising candidates only. To know what it misses, $ "
        "documents were drawn by chance and compared with all others. They have $ "
        "pairs at or above the threshold of the cosine; the search found $ of these: "
        "a recall of <strong>$%</strong>, with 95% confidence between $% and $%.</p>\n",
        dpl__as_count(receipt->n_rows), dpl__as_count(receipt->n_true),
        dpl__as_count(receipt->n_found), dpl__as_fixed(100 * receipt->recall, 1),
        dpl__as_fixed(100 * receipt->low, 1), dpl__as_fixed(100 * receipt->high, 1));
}

/* ---- lexicon ------------------------------------------------------------------------ */

static bool has_words(const dpl__report *r)
{
    return r->n_words[0] + r->n_words[1] > 0;
}

static void put_word(dpl_output *o, const dpl__report *r, const dpl__report_word *w, int side)
{
    dpl__markup_put(o,
                    "<tr><th scope=\"row\" lang=\"$\" dir=\"auto\">$</th>"
                    "<td class=\"num\">$</td><td><ul>",
                    dpl__as_name(r->lang[side]), dpl__as_text(w->word),
                    dpl__as_count(w->count));
    for (size_t i = 0; i < dpl__min(w->n_to, DPL_LEN(w->to)); i++)
        dpl__markup_put(o, "<li><bdi lang=\"$\">$</bdi> <small class=\"num\">$</small></li>",
                        dpl__as_name(r->lang[!side]), dpl__as_text(w->to[i].word),
                        dpl__as_fixed(w->to[i].p, 2));
    dpl__markup_raw(o, w->n_to ? "</ul></td></tr>\n" : "<li>&#8211;</li></ul></td></tr>\n");
}

static void write_words(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o, "<p>Words of both sides, how often they occur, and what they stand for "
                       "with which probability.</p>\n<div class=\"words\">\n");
    for (int side = 0; side < 2; side++) {
        dpl__markup_put(o,
                        "<table><caption>$ to $</caption><thead><tr><th scope=\"col\">word</th>"
                        "<th scope=\"col\" class=\"num\">times</th>"
                        "<th scope=\"col\">stands for</th></tr></thead><tbody>\n",
                        dpl__as_name(r->lang[side]), dpl__as_name(r->lang[!side]));
        for (size_t i = 0; i < r->n_words[side]; i++)
            put_word(o, r, &r->words[side][i], side);
        dpl__markup_raw(o, "</tbody></table>\n");
    }
    dpl__markup_raw(o, "</div>\n");
}

/* ---- time, command ------------------------------------------------------------------- */

static bool has_stages(const dpl__report *r)
{
    return r->n_stages > 0;
}

static void write_stages(dpl_output *o, const dpl__report *r)
{
    double total = 0, most = 0;
    for (size_t i = 0; i < r->n_stages; i++) {
        total += r->stages[i].seconds;
        most = fmax(most, r->stages[i].seconds);
    }
    dpl__markup_raw(o,
                    "<div class=\"scroll\"><table class=\"time\"><caption class=\"away\">Time "
                    "of each stage</caption><tbody>\n");
    for (size_t i = 0; i < r->n_stages; i++) {
        double share = most > 0 ? fmax(r->stages[i].seconds / most, 0) : 0;
        dpl__markup_put(o,
                        "<tr><th scope=\"row\">$</th><td><svg aria-hidden=\"true\">"
                        "<rect width=\"$%\" height=\"100%\"/></svg></td>"
                        "<td class=\"num\">$</td></tr>\n",
                        dpl__as_name(r->stages[i].name), dpl__as_place(100 * share),
                        dpl__as_seconds(r->stages[i].seconds));
    }
    dpl__markup_put(o,
                    "</tbody><tfoot><tr><th scope=\"row\">together</th><td></td>"
                    "<td class=\"num\">$</td></tr></tfoot></table></div>\n",
                    dpl__as_seconds(total));
}

static bool has_command(const dpl__report *r)
{
    return r->command && *r->command;
}

/* Lines break between words, not behind the dash of an option. */
void dpl__report_command(dpl_output *o, const char *command)
{
    dpl__markup_raw(o, "<pre><code>");
    for (const char *at = command; *at;) {
        size_t n_spaces = strspn(at, " "), n = strcspn(at + n_spaces, " ");
        dpl__markup_put(o, "$<span>$</span>", dpl__as_text((dpl_str){at, n_spaces}),
                        dpl__as_text((dpl_str){at + n_spaces, n}));
        at += n_spaces + n;
    }
    dpl__markup_raw(o, "</code></pre>\n");
}

static void write_command(dpl_output *o, const dpl__report *r)
{
    dpl__report_command(o, r->command);
}

/* ---- the page ----------------------------------------------------------------------- */

static bool has_samples(const dpl__report *r)
{
    return r->n_samples > 0;
}

typedef struct section {
    const char *id, *name;
    bool (*is_there)(const dpl__report *r);
    void (*write)(dpl_output *o, const dpl__report *r); /* NULL: the document pairs */
} section;

static const section sections[] = {
    {"numbers", "In numbers", has_facts, write_facts},
    {"links", "Links", has_links, write_links},
    {"pairs", "Document pairs", has_samples, NULL},
    {"rounds", "Learning", has_rounds, write_rounds},
    {"confidence", "Confidence", has_confidence, write_confidence},
    {"recall", "Recall of the search", has_receipt, write_receipt},
    {"lexicon", "Lexicon", has_words, write_words},
    {"dropped", "Dropped sentence pairs", has_reasons, write_reasons},
    {"skipped", "Skipped records", has_skipped, write_skipped},
    {"time", "Time", has_stages, write_stages},
    {"command", "Command", has_command, write_command},
};

static void put_header(dpl_output *o, const dpl__report *r)
{
    put_big_numbers(o, r);
    dpl__markup_raw(o, "<nav aria-label=\"Sections\">");
    for (size_t i = 0; i < DPL_LEN(sections); i++)
        if (sections[i].is_there(r))
            dpl__markup_put(o, "<a href=\"#$\">$</a> ", dpl__as_name(sections[i].id),
                            dpl__as_name(sections[i].name));
    dpl__markup_raw(o, "</nav>\n</header>\n<main>\n");
}

void dpl__report_foot(dpl_output *o, const char *version)
{
    dpl__markup_put(o, "</main>\n<footer>doppel $</footer>\n<script>\n", dpl__as_name(version));
    dpl__markup_raw(o, report_script);
    dpl__markup_raw(o, "</script>\n</body>\n</html>\n");
}

static dpl_status put_page(dpl_output *o, dpl_ctx *ctx, const dpl__report *r, dpl_error *err)
{
    dpl__report_head(o, r->title, NULL, 0);
    put_header(o, r);
    for (size_t i = 0; i < DPL_LEN(sections); i++) {
        const section *s = &sections[i];
        if (!s->is_there(r))
            continue;
        dpl__markup_put(o, "<section aria-labelledby=\"$\"><h2 id=\"$\">$</h2>\n",
                        dpl__as_name(s->id), dpl__as_name(s->id), dpl__as_name(s->name));
        if (s->write)
            s->write(o, r);
        else
            DPL_TRY(dpl__report_pairs(o, ctx, r, err));
        dpl__markup_raw(o, "</section>\n");
    }
    dpl__report_foot(o, r->version);
    return dpl_output_finish(o, err);
}

dpl_status dpl__report_write(dpl_ctx *ctx, const char *path, const dpl__report *report,
                             dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, path, err));
    dpl_status status = put_page(o, ctx, report, err);
    dpl_output_free(o);
    return status;
}
