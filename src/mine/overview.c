/*
 * overview.c - what a run over several languages found, on a page and for programs.
 *
 * The page has the look of the reports (report.c) of the language pairs, and links to them.
 */
#include "base/options.h"
#include "doppel/summary.h"
#include "mine/many.h"
#include "mine/run_files.h"
#include "report/markup.h"
#include "report/report.h"

#include <stdio.h>

static uint64_t sum_of_docs(const dpl_mine_language *const *langs, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += langs[i]->n_docs;
    return sum;
}

/* ---- the page: numbers -------------------------------------------------------------- */

static void put_big_numbers(dpl_output *o, const dpl_mine_summary *s)
{
    uint64_t n_pairs = 0, n_sentences = 0;
    for (size_t i = 0; i < s->n_runs; i++) {
        n_pairs += s->runs[i]->n_pairs;
        n_sentences += s->runs[i]->n_sentence_pairs;
    }
    dpl__markup_put(o,
                    "<dl class=\"big\">\n"
                    "<div><dt>Languages</dt><dd>$</dd>"
                    "<dd class=\"note\">each of them compared with $$</dd></div>\n"
                    "<div><dt>Documents</dt><dd>$</dd>",
                    dpl__as_count(s->n_langs), dpl__as_name(s->pivot->code),
                    dpl__as_name(s->n_runs >= s->n_langs ? ", then with the others" : ""),
                    dpl__as_count(sum_of_docs(s->langs, s->n_langs)));
    if (s->n_left_out)
        dpl__markup_put(o, "<dd class=\"note\">and $ in other languages, left out</dd>",
                        dpl__as_count(sum_of_docs(s->left_out, s->n_left_out)));
    dpl__markup_put(o,
                    "</div>\n"
                    "<div><dt>Groups</dt><dd>$</dd>"
                    "<dd class=\"note\">$ of them with all languages</dd></div>\n"
                    "<div><dt>Document pairs</dt><dd>$</dd></div>\n"
                    "<div><dt>Sentence pairs</dt><dd>$</dd></div>\n"
                    "<div><dt>Time</dt><dd>$</dd></div>\n</dl>\n",
                    dpl__as_count(s->n_groups), dpl__as_count(s->n_groups_by_size[s->n_langs]),
                    dpl__as_count(n_pairs), dpl__as_count(n_sentences),
                    dpl__as_seconds(s->seconds));
}

/* ---- the page: tables --------------------------------------------------------------- */

static void begin_section(dpl_output *o, const char *id, const char *name)
{
    dpl__markup_put(o, "<section aria-labelledby=\"$\"><h2 id=\"$\">$</h2>\n", dpl__as_name(id),
                    dpl__as_name(id), dpl__as_name(name));
}

static const char of_pair[] =
    "<tr><th scope=\"row\">[is_empty?{left.lang}&#160;and&#160;{right.lang}</th>"
    "<td colspan=\"6\" class=\"note\">no pairs found: {why_empty}</td>|"
    "<a "
    "href=\"{left.lang}-{right.lang}/report.html\">{left.lang}&#160;and&#160;{right.lang}</a>"
    "<br/><small>{verdict}</small></th><td class=\"num\">{pairs}</td>"
    "[why_no_estimate?<td colspan=\"2\" class=\"note\">{why_no_estimate}</td>|"
    "<td class=\"num\">{estimated_precision:.1p}%<br/><small>{estimated_precision_low:.1p} to "
    "{estimated_precision_high:.1p}%</small></td>"
    "<td class=\"num\">{estimated_recall:.1p}%<br/><small>{estimated_recall_low:.1p} to "
    "{estimated_recall_high:.1p}%</small></td>]"
    "<td class=\"num\">{sentence_pairs}</td><td class=\"num\">{last_cosine:.2f}</td>"
    "<td class=\"num\">{seconds:s}</td>]</tr>\n";

static void put_pairs(dpl_output *o, const dpl_mine_summary *s)
{
    begin_section(o, "pairs", "Language pairs");
    dpl__markup_raw(o, "<p>Each has a report of its own: rounds, and documents side by "
                       "side. Precision and recall are estimated, with intervals of 95 %.</p>\n"
                       "<div class=\"scroll\" role=\"region\" aria-label=\"Language pairs\" "
                       "tabindex=\"0\"><table class=\"rounds\">"
                       "<caption class=\"away\">Language pairs</caption><thead><tr>"
                       "<th scope=\"col\">languages</th>"
                       "<th scope=\"col\" class=\"num\">document<br/>pairs</th>"
                       "<th scope=\"col\" class=\"num\">estimated<br/>precision</th>"
                       "<th scope=\"col\" class=\"num\">estimated<br/>recall</th>"
                       "<th scope=\"col\" class=\"num\">sentence<br/>pairs</th>"
                       "<th scope=\"col\" class=\"num\">mean<br/>cosine</th>"
                       "<th scope=\"col\" class=\"num\">time</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < s->n_runs; i++)
        dpl__markup_figures(o, &(dpl_figures){&dpl_mine_run_figures, s->runs[i], NULL, NULL}, 0,
                            of_pair);
    dpl__markup_raw(o, "</tbody></table></div>\n</section>\n");
}

static const char *language_name(const char *code)
{
    return strcmp(code, "und") == 0 ? "not told" : code;
}

static void put_languages(dpl_output *o, const dpl_mine_summary *s)
{
    begin_section(o, "languages", "Languages");
    dpl__markup_raw(
        o, "<div class=\"scroll\" role=\"region\" aria-label=\"Languages\" tabindex=\"0\">"
           "<table class=\"rounds\"><caption class=\"away\">Languages</caption><thead><tr>"
           "<th scope=\"col\">language</th><th scope=\"col\" class=\"num\">documents</th>"
           "<th scope=\"col\" class=\"num\">sentences</th>"
           "<th scope=\"col\" class=\"num\">words</th>"
           "<th scope=\"col\" class=\"num\">in groups</th>"
           "<th scope=\"col\"></th></tr></thead><tbody>\n");
    for (size_t i = 0; i < s->n_langs; i++) {
        const dpl_mine_language *l = s->langs[i];
        dpl__markup_put(
            o,
            "<tr><th scope=\"row\">$</th><td class=\"num\">$</td>"
            "<td class=\"num\">$</td><td class=\"num\">$</td><td class=\"num\">$</td>"
            "<td class=\"note\">$</td></tr>\n",
            dpl__as_name(l->code), dpl__as_count(l->n_docs), dpl__as_count(l->n_sentences),
            dpl__as_count(l->n_tokens), dpl__as_count(l->n_paired),
            dpl__as_name(l == s->pivot ? "pivot" : ""));
    }
    for (size_t i = 0; i < s->n_left_out; i++) {
        const dpl_mine_language *l = s->left_out[i];
        dpl__markup_put(o,
                        "<tr><th scope=\"row\">$</th><td class=\"num\">$</td><td></td><td></td>"
                        "<td></td><td class=\"note\">left out</td></tr>\n",
                        dpl__as_name(language_name(l->code)), dpl__as_count(l->n_docs));
    }
    dpl__markup_raw(o, "</tbody></table></div>\n</section>\n");
}

static void put_groups(dpl_output *o, const dpl_mine_summary *s)
{
    uint64_t most = 1;
    for (size_t i = 2; i <= s->n_langs; i++)
        most = s->n_groups_by_size[i] > most ? s->n_groups_by_size[i] : most;
    begin_section(o, "groups", "Groups");
    dpl__markup_put(
        o,
        "<p>Documents that are paired with each other, those with one in $ first, by the "
        "number "
        "of languages they are in: <code>groups.tsv</code>.</p>\n"
        "<div class=\"scroll\"><table class=\"time\"><caption class=\"away\">Groups "
        "by number of languages</caption><tbody>\n",
        dpl__as_name(s->pivot->code));
    for (size_t i = s->n_langs; i >= 2; i--)
        dpl__markup_put(o,
                        "<tr><th scope=\"row\">$ languages</th><td><svg aria-hidden=\"true\">"
                        "<rect width=\"$%\" height=\"100%\"/></svg></td>"
                        "<td class=\"num\">$</td></tr>\n",
                        dpl__as_count(i),
                        dpl__as_place(100 * (double)s->n_groups_by_size[i] / (double)most),
                        dpl__as_count(s->n_groups_by_size[i]));
    dpl__markup_put(o,
                    "</tbody><tfoot><tr><th scope=\"row\">together</th><td></td>"
                    "<td class=\"num\">$</td></tr></tfoot></table></div>\n</section>\n",
                    dpl__as_count(s->n_groups));
}

static void put_inputs(dpl_output *o, const dpl__many_work *w)
{
    begin_section(o, "inputs", "Inputs");
    dpl__markup_raw(o, "<div class=\"scroll\"><table><caption class=\"away\">Inputs</caption>"
                       "<tbody>\n");
    for (size_t i = 0; i < w->census.n_inputs; i++) {
        const dpl__input_langs *in = &w->census.inputs[i];
        dpl__markup_put(o,
                        "<tr><th scope=\"row\"><code>$</code></th><td class=\"num\">$</td>"
                        "<td class=\"note\">documents in $",
                        dpl__as_name(in->path), dpl__as_count(in->n_docs),
                        dpl__as_name(in->langs.data[0].code));
        for (size_t k = 1; k < in->langs.n && !in->is_single; k++)
            dpl__markup_put(o, ", $", dpl__as_name(language_name(in->langs.data[k].code)));
        dpl__markup_raw(o, "</td></tr>\n");
    }
    dpl__markup_raw(o, "</tbody></table></div>\n</section>\n");
}

/* "de, en and fr" */
static const char *title(char out[400], const dpl_mine_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_langs && n < 400; i++)
        n += (size_t)snprintf(out + n, 400 - n, "%s%s",
                              i == 0               ? ""
                              : i + 1 < s->n_langs ? ", "
                                                   : " and ",
                              s->langs[i]->code);
    return out;
}

static dpl_status write_page(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_summary *s = &w->result->summary;
    char name[400];
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, w->ctx, w->dir, "report.html", err));
    dpl__report_head(o, title(name, s), NULL, 0);
    put_big_numbers(o, s);
    dpl__markup_raw(o, "<nav aria-label=\"Sections\"><a href=\"#pairs\">Language pairs</a> "
                       "<a href=\"#groups\">Groups</a> <a href=\"#languages\">Languages</a> "
                       "<a href=\"#inputs\">Inputs</a></nav>\n</header>\n<main>\n");
    put_pairs(o, s);
    put_groups(o, s);
    put_languages(o, s);
    put_inputs(o, w);
    if (w->settings.options.command) {
        begin_section(o, "command", "Command");
        dpl__report_command(o, w->settings.options.command);
        dpl__markup_raw(o, "</section>\n");
    }
    if (dpl__has_skipped(s->skipped)) {
        begin_section(o, "skipped", "Skipped records");
        dpl__report_skipped(o, s->skipped);
        dpl__markup_raw(o, "</section>\n");
    }
    dpl__report_foot(o, dpl_version());
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- run.json ------------------------------------------------------------------------- */

/* The rest is in the run.json of its folder. */
static const char of_a_run[] =
    "unit document_rounds aligned_share parallel_share few_pairs known stable pairs "
    "sentence_pairs "
    "estimated_precision estimated_precision_low estimated_precision_high estimated_recall "
    "estimated_recall_low estimated_recall_high why_no_estimate verdict why_empty links "
    "seconds";

static void put_runs_json(dpl_json *j, const dpl_mine_summary *s)
{
    dpl_json_begin(j, "runs", '[');
    for (size_t i = 0; i < s->n_runs; i++) {
        const dpl_mine_run *r = s->runs[i];
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "left", r->left->code);
        dpl_json_cstr(j, "right", r->right->code);
        dpl_json_number(j, "rounds", r->n_rounds);
        const dpl_figures figures = {&dpl_mine_run_figures, r, NULL, of_a_run};
        dpl_summary_json(j, &figures);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static dpl_status write_run(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_summary *s = &w->result->summary;
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, w->ctx, w->dir, "run.json", err));
    dpl_json j = dpl__run_json(o);
    if (w->settings.options.command)
        dpl_json_cstr(&j, "command", w->settings.options.command);
    dpl_options_json(&j, "options", dpl__mine_option_table(), &w->settings.options, true);
    put_runs_json(&j, s);
    const dpl_figures figures = {&dpl_mine_figures, s, NULL,
                                 "languages pivot_language left_out groups skipped seconds"};
    dpl_summary_json(&j, &figures);
    dpl__run_json_end(&j, w->ctx);
    return dpl__output_end(o, DPL_OK, err);
}

dpl_status dpl__write_overview(const dpl__many_work *w, dpl_error *err)
{
    DPL_TRY(write_page(w, err));
    return write_run(w, err);
}
