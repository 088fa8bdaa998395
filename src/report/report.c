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

static void put_side(dpl_output *o, const dpl__report *r, int side)
{
    dpl_figure_value v;
    dpl_figure_find(&v, &r->run, dpl__cstr(side ? "right" : "left"));
    const dpl_figures figures = {v.figure->group, v.field, NULL, NULL};
    dpl__markup_figures(o, &figures, 0,
                        "<div><dt>Documents, {lang}</dt><dd>{documents}</dd>"
                        "<dd class=\"note\"><code>");
    dpl__markup_text(o, dpl__cstr(r->path[side]));
    dpl__markup_figures(
        o, &figures, 0,
        "</code><br/>{sentences} sentences[near_copies?<br/>{near_copies} near-copies]"
        "[boilerplate_sentences?<br/>left out: {boilerplate_sentences} that repeat in many "
        "documents][untranslated_sentences?<br/>left out: {untranslated_sentences} that are "
        "not translated]</dd></div>\n");
}

static void put_big_numbers(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o, "<dl class=\"big\">\n");
    put_side(o, r, 0);
    put_side(o, r, 1);
    dpl__markup_figures(
        o, &r->run, 0,
        "<div><dt>Document pairs</dt><dd>{pairs}</dd><dd class=\"note\">"
        "[pairs?with a confidence of {least_confidence:.2f} or more|"
        "no pairs found[why_empty?: {why_empty}]]</dd></div>\n"
        "[pairs?<div><dt>Sentence pairs</dt><dd>{sentence_pairs}</dd><dd class=\"note\">"
        "{sentences_of_a_pair:.1f} in each document pair, on average</dd></div>\n"
        "[why_no_estimate?"
        "<div><dt>Estimated precision, recall</dt><dd>\xE2\x80\x93</dd>"
        "<dd class=\"note\">{why_no_estimate}</dd></div>\n|"
        "<div><dt>Estimated precision</dt><dd>{estimated_precision:.1p}%</dd>"
        "<dd class=\"note\">{estimated_precision_low:.1p} to {estimated_precision_high:.1p}%: "
        "share of the pairs that are right</dd></div>\n"
        "<div><dt>Estimated recall</dt><dd>{estimated_recall:.1p}%</dd>"
        "<dd class=\"note\">{estimated_recall_low:.1p} to {estimated_recall_high:.1p}%: of the "
        "documents that have a counterpart</dd></div>\n]]</dl>\n"
        "[pairs verdict?<p class=\"verdict\">Verdict: {verdict}.</p>\n]");
}

/* ---- what the run decided ------------------------------------------------------------- */

#define ROW(name_, value_, what_)                                                              \
    "<tr><th scope=\"row\">" name_ "</th><td class=\"num\">" value_                            \
    "</td><td class=\"note\">" what_ "</td></tr>\n"

/* clang-format off */
static const char decisions[] =
    "<div class=\"scroll\"><table><caption class=\"away\">The run in numbers</caption><tbody>\n"
    "[unit=sentence?"
    ROW("Unit", "sentence", "each is paired for itself, and stands for a document below; scores "
        "of word alignment take the place of cosines")
    "][unit=passage?"
    ROW("Unit", "passage", "documents are compared by their sentences, which vote for document "
        "pairs; sums of votes, 1/4096 each, take the place of cosines")
    "][few_pairs?"
    ROW("Few pairs", "yes", "most documents have no counterpart; the weights of the confidence "
        "are those of other collections")
    "]</tbody></table></div>\n";
/* clang-format on */

/* ---- dropped sentence pairs ----------------------------------------------------------- */

static bool has_reasons(const dpl__report *r)
{
    return r->n_reasons > 0;
}

static void put_examples(dpl_output *o, const dpl__report *r, const dpl__report_reason *reason)
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
    dpl__markup_raw(o, "<p>Aligned sentences that were not kept.</p>\n"
                       "<div class=\"scroll\"><table><caption class=\"away\">Sentence pairs "
                       "dropped, by reason</caption><tbody>\n");
    for (size_t i = 0; i < r->n_reasons; i++)
        dpl__markup_put(o, ROW("$", "$", "$"), dpl__as_name(r->reasons[i].name),
                        dpl__as_count(r->reasons[i].n), dpl__as_name(r->reasons[i].what));
    dpl__markup_raw(o, "</tbody></table></div>\n");
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

static void write_links(dpl_output *o, const dpl__report *r)
{
    dpl_figure_value v;
    dpl_figure_find(&v, &r->run, dpl__cstr("links"));
    const dpl_figures links = {v.figure->group, v.field, NULL, NULL};
    dpl__markup_figures(
        o, &links, 0,
        "<p>{links} links were known. {linked} document pairs have a document with a link: "
        "{matching} of these are the link (precision {precision:.1p}%); of the links, "
        "{recall:.1p}% were found.</p>\n"
        "<p>{missing} pairs have no link, and {suspicious} links do not fit: "
        "<a href=\"links.html\">the page of missing and suspicious links</a> shows them with "
        "what speaks for them.</p>\n");
}

/* ---- rounds ------------------------------------------------------------------------- */

#define NUMBER(text_) "<td class=\"num\">" text_ "</td>"
#define NONE NUMBER("&#8211;")

static const char basis[] =
    "[name_pairs?names|[spelled_pairs?spelling|[shape_pairs?lengths and "
    "marks|[lexicon_entries?lexicon|spelling]]]]";

/* clang-format off */
static const char trained[] =
    "</td>[sentence_pairs?" NUMBER("{sentence_pairs}") "|" NONE "]"
    "[lexicon_entries?" NUMBER("{lexicon_entries}") "|" NONE "]"
    NUMBER("{known_words:.1p}%") NUMBER("{pairs}");
/* clang-format on */

static void put_rounds_table(dpl_output *o, const dpl__report *r, dpl_figure_value rounds)
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
    for (size_t i = 0; i < rounds.number; i++) {
        const dpl_figures round = dpl_figure_element(&r->run, rounds, i);
        dpl__markup_figures(o, &round, i, "<tr><th scope=\"row\">{#}</th><td>");
        dpl__markup_figures(o, &round, i, basis);
        dpl__markup_figures(o, &round, i, trained);
        dpl__markup_figures(o, &round, i, i ? NUMBER("{new}") NUMBER("{gone}") : NONE NONE);
        dpl__markup_figures(o, &round, i,
                            NUMBER("{mean_cosine:.2f}") NUMBER("{round_seconds:s}") "</tr>\n");
    }
    dpl__markup_raw(o, "</tbody></table></div>\n");
}

/* What was left out of a large collection, and of training. */
static const char sample[] =
    "[sampled_documents|sampled_pairs|least_cosine?<p class=\"note\">Round {#}:"
    "[sampled_pairs? trained on a sample of {sampled_pairs} document pairs;] searched with "
    "[sampled_documents?a sample of {sampled_documents} documents|all documents]"
    "[least_cosine? for neighbours with a cosine of {least_cosine:.3f} or more].</p>\n]";

static void write_rounds(dpl_output *o, const dpl__report *r)
{
    dpl__markup_raw(o,
                    "<p>Each round pairs the documents by what it knows, aligns the sentences "
                    "of the pairs and learns word translations from them.");
    dpl_figure_value rounds;
    dpl_figure_find(&rounds, &r->run, dpl__cstr("rounds"));
    const dpl_figures first = dpl_figure_element(&r->run, rounds, 0),
                      last = dpl_figure_element(&r->run, rounds, (size_t)rounds.number - 1);
    if (rounds.number > 1) {
        dpl__markup_figures(o, &first, 0,
                            " The mean cosine of the pairs went from "
                            "{mean_cosine:.2f} to ");
        dpl__markup_figures(o, &last, 0, "{mean_cosine:.2f}.");
    }
    dpl__markup_raw(o, "</p>\n");
    put_rounds_table(o, r, rounds);
    for (size_t i = 0; i < rounds.number; i++) {
        const dpl_figures round = dpl_figure_element(&r->run, rounds, i);
        dpl__markup_figures(o, &round, i, sample);
    }
    dpl__markup_raw(
        o,
        "<h3>Cosines of documents</h3>\n<p class=\"note\">Number of documents by cosine with "
        "<svg class=\"key signal\" aria-hidden=\"true\"><rect width=\"100%\" "
        "height=\"100%\"/></svg> their best counterpart and with "
        "<svg class=\"key chance\" aria-hidden=\"true\"><rect width=\"100%\" "
        "height=\"100%\"/></svg> their second best, which is what chance gives. The further "
        "the two stand apart, the safer the choice.</p>\n");
    dpl__chart_rounds(o, r, rounds, basis);
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

static const char recall[] =
    "[recall_check.exact?<p>The search was exact: it compared everything that could reach the "
    "threshold of the cosine, so nothing at or above it was missed.</p>\n|"
    "[recall_check.empty?<p>The search is not exact, and nothing can be said about what it "
    "missed: none of the documents looked at has a counterpart at or above the threshold of "
    "the cosine.</p>\n|"
    "<p>The search looks at promising candidates only. To know what it misses, "
    "{recall_check.rows} documents were drawn by chance and compared with all others. They "
    "have {recall_check.true} pairs at or above the threshold of the cosine; the search found "
    "{recall_check.found} of these: a recall of <strong>{recall_check.recall:.1p}%</strong>, "
    "with 95% confidence between {recall_check.low:.1p}% and {recall_check.high:.1p}%.</p>\n]]";

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

static void write_stages(dpl_output *o, const dpl__report *r)
{
    double total = 0, most = 0;
    dpl_figure_value stages, seconds;
    dpl_figure_find(&stages, &r->run, dpl__cstr("stages"));
    for (size_t i = 0; i < stages.number; i++) {
        const dpl_figures stage = dpl_figure_element(&r->run, stages, i);
        dpl_figure_find(&seconds, &stage, dpl__cstr("seconds"));
        total += seconds.real;
        most = fmax(most, seconds.real);
    }
    dpl__markup_raw(o,
                    "<div class=\"scroll\"><table class=\"time\"><caption class=\"away\">Time "
                    "of each stage</caption><tbody>\n");
    for (size_t i = 0; i < stages.number; i++) {
        const dpl_figures stage = dpl_figure_element(&r->run, stages, i);
        dpl_figure_find(&seconds, &stage, dpl__cstr("seconds"));
        dpl__markup_figures(o, &stage, i,
                            "<tr><th scope=\"row\">{name}</th><td><svg aria-hidden=\"true\">");
        dpl__markup_put(o, "<rect width=\"$%\" height=\"100%\"/></svg></td>",
                        dpl__as_place(most > 0 ? fmax(100 * seconds.real / most, 0) : 0));
        dpl__markup_figures(o, &stage, i, NUMBER("{seconds:s}") "</tr>\n");
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
    const char *condition; /* of the figures; NULL: is_there says it */
    const char *markup;    /* text of the figures; NULL: write does */
    bool (*is_there)(const dpl__report *r);
    void (*write)(dpl_output *o, const dpl__report *r); /* NULL: the document pairs */
} section;

static const section sections[] = {
    {"numbers", "In numbers", "few_pairs|unit=sentence,passage", decisions, NULL, NULL},
    {"links", "Links", "links", NULL, NULL, write_links},
    {"pairs", "Document pairs", NULL, NULL, has_samples, NULL},
    {"rounds", "Learning", "rounds", NULL, NULL, write_rounds},
    {"confidence", "Confidence", NULL, NULL, has_confidence, write_confidence},
    {"recall", "Recall of the search", "recall_check", recall, NULL, NULL},
    {"lexicon", "Lexicon", NULL, NULL, has_words, write_words},
    {"dropped", "Dropped sentence pairs", NULL, NULL, has_reasons, write_reasons},
    {"skipped", "Skipped records", NULL, NULL, has_skipped, write_skipped},
    {"time", "Time", "stages", NULL, NULL, write_stages},
    {"command", "Command", NULL, NULL, has_command, write_command},
};

static bool is_there(const section *s, const dpl__report *r)
{
    return s->is_there ? s->is_there(r) : dpl_figure_holds(&r->run, s->condition);
}

static void put_header(dpl_output *o, const dpl__report *r)
{
    put_big_numbers(o, r);
    dpl__markup_raw(o, "<nav aria-label=\"Sections\">");
    for (size_t i = 0; i < DPL_LEN(sections); i++)
        if (is_there(&sections[i], r))
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
        if (!is_there(s, r))
            continue;
        dpl__markup_put(o, "<section aria-labelledby=\"$\"><h2 id=\"$\">$</h2>\n",
                        dpl__as_name(s->id), dpl__as_name(s->id), dpl__as_name(s->name));
        if (s->markup)
            dpl__markup_figures(o, &r->run, 0, s->markup);
        else if (s->write)
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
