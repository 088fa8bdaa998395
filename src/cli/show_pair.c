/*
 * show_pair.c - why two documents are a pair in the folder of a mine run.
 */
#include "cli/arguments.h"
#include "cli/layout.h"
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/mine.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WORD = 24 };

static const char *const sides[] = {"left", "right"};

static void print_rival(const dpl_pair_rival *rival, int side)
{
    char remark[1100], value[32], name[CLI_FIT_BYTES(60)];
    if (!rival->id.n)
        return;
    cli_fit(name, sizeof name, rival->id, 60);
    snprintf(value, sizeof value, "%.4f", rival->cosine);
    snprintf(remark, sizeof remark,
             "cosine of the %s document with '%s', the best of the others", sides[side], name);
    cli_print_row("next best", value, remark);
}

/* Terms to print: all that there are, unless --top says fewer. */
static size_t count_terms(const dpl_pair_reasons_summary *s, const cli_show_request *request)
{
    return cli_given("top") ? cli_show_most(s->n_terms, request->n_terms) : s->n_terms;
}

static void print_terms(const dpl_pair_reasons *r, size_t n)
{
    const dpl_pair_reasons_summary *s = dpl_pair_reasons_get_summary(r);
    char number[32];
    unsigned columns = 0;
    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        columns = cli_show_wider(columns, s->words[0][i], MOST_WORD);
    cli_print("\nshared words, by what each adds to the cosine\n");
    for (size_t i = 0; i < n; i++) {
        const dpl_shared_term t = dpl_pair_reasons_get_term(r, i);
        cli_print("  %8.4f  ", t.weight);
        cli_show_cell(s->words[0][i], columns);
        cli_print_line(s->words[1][i].n ? s->words[1][i] : t.term);
    }
    if (n < s->n_shared)
        cli_print("  and %s more\n", cli_grouped(number, s->n_shared - n));
}

static void print_aligned(const dpl_pair_reasons_summary *s, int side)
{
    char value[32], remark[100];
    const double share =
        s->n_sentences[side] ? (double)s->n_aligned[side] / s->n_sentences[side] : 0;
    snprintf(value, sizeof value, "%.1f %%", 100 * share);
    snprintf(remark, sizeof remark, "%u of %u sentences of the %s document", s->n_aligned[side],
             s->n_sentences[side], sides[side]);
    cli_print_row("aligned", value, remark);
}

static void print(const dpl_pair_reasons *r, size_t n_terms)
{
    const dpl_pair_reasons_summary *s = dpl_pair_reasons_get_summary(r);
    char remark[200];
    if (s->is_pair)
        cli_print_share("confidence", s->confidence,
                        "probability that the pair is a translation");
    else
        cli_print_row("confidence", "-", "not a pair: pairs.tsv does not have it");
    print_aligned(s, 0);
    print_aligned(s, 1);
    if (!s->has_vectors) {
        cli_print_row("cosine", "-", "a document has too few words to be compared");
        return;
    }
    snprintf(remark, sizeof remark, "each document is the nearest of the other");
    if (s->rivals[0].rank > 1 || s->rivals[1].rank > 1)
        snprintf(remark, sizeof remark,
                 "%u right documents are nearer to the left one, %u left ones to the right one",
                 s->rivals[0].rank - 1, s->rivals[1].rank - 1);
    cli_print_share("cosine", s->cosine, remark);
    print_rival(&s->rivals[0], 0);
    print_rival(&s->rivals[1], 1);
    print_terms(r, n_terms);
}

static void put_rival(dpl_json *j, const char *key, const dpl_pair_rival *rival)
{
    dpl_json_begin(j, key, '{');
    dpl_json_number(j, "rank", rival->rank);
    dpl_json_text(j, "second", rival->id);
    dpl_json_real(j, "second_cosine", rival->cosine);
    dpl_json_end(j, '}');
}

static void put(const dpl_pair_reasons *r, char **ids, size_t n_terms)
{
    const dpl_pair_reasons_summary *s = dpl_pair_reasons_get_summary(r);
    const double nothing = 0. / 0.; /* null */
    dpl_json j = cli_summary_begin(false);
    dpl_json_cstr(&j, "left", ids[0]);
    dpl_json_cstr(&j, "right", ids[1]);
    dpl_json_bool(&j, "is_pair", s->is_pair);
    dpl_json_real(&j, "confidence", s->is_pair ? s->confidence : nothing);
    dpl_json_begin(&j, "sentences", '[');
    dpl_json_number(&j, NULL, s->n_sentences[0]);
    dpl_json_number(&j, NULL, s->n_sentences[1]);
    dpl_json_end(&j, ']');
    dpl_json_begin(&j, "aligned", '[');
    dpl_json_number(&j, NULL, s->n_aligned[0]);
    dpl_json_number(&j, NULL, s->n_aligned[1]);
    dpl_json_end(&j, ']');
    dpl_json_real(&j, "cosine", s->has_vectors ? s->cosine : nothing);
    if (s->has_vectors) {
        put_rival(&j, "of_left", &s->rivals[0]);
        put_rival(&j, "of_right", &s->rivals[1]);
    }
    dpl_json_number(&j, "shared", s->n_shared);
    dpl_json_begin(&j, "words", '[');
    for (size_t i = 0; i < n_terms; i++) {
        const dpl_shared_term t = dpl_pair_reasons_get_term(r, i);
        dpl_json_begin(&j, NULL, '{');
        dpl_json_text(&j, "term", t.term);
        dpl_json_text(&j, "left", s->words[0][i]);
        dpl_json_text(&j, "right", s->words[1][i]);
        dpl_json_real(&j, "weight", t.weight);
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    cli_summary_end(&j);
}

int cli_show_pair(const cli_show_request *request, char **ids, size_t n_ids)
{
    dpl_pair_reasons *r = NULL;
    dpl_error err = {0};
    if (n_ids != 2) {
        cli_error("'%s' is a folder: name two documents of it, or a file in it", request->path);
        cli_hint(
            "'doppel show DIR LEFT RIGHT' says why two documents of a mine run are a pair, "
            "'doppel serve DIR' shows all pairs");
        return CLI_USAGE;
    }
    if (dpl_pair_reasons_open(&r, request->ctx, request->path,
                              (dpl_str){ids[0], strlen(ids[0])},
                              (dpl_str){ids[1], strlen(ids[1])}, &err) != DPL_OK)
        return cli_fail(&err);
    const size_t n_terms = count_terms(dpl_pair_reasons_get_summary(r), request);
    if (cli_set.json)
        put(r, ids, n_terms);
    else
        print(r, n_terms);
    dpl_pair_reasons_close(r);
    return CLI_DONE;
}
