/*
 * pairs_ngram.c - doppel pairs --method ngram: its sides, its lexicon and what it counted.
 */
#include "cli/pairs_ngram.h"

#include "cli/notes.h"
#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

/* ---- the summary -------------------------------------------------------------------- */

static void put_counts(dpl_json *j, const dpl_ngram_summary *s)
{
    dpl_json_begin(j, "matching", '{');
    dpl_json_number(j, "postings", s->n_postings);
    dpl_json_number(j, "not_sampled", s->n_unsampled);
    dpl_json_number(j, "distinct", s->n_matching);
    dpl_json_number(j, "single", s->n_single);
    dpl_json_number(j, "one_language", s->n_one_group);
    dpl_json_number(j, "frequent", s->n_frequent);
    dpl_json_number(j, "used", s->n_used);
    dpl_json_end(j, '}');
    dpl_json_begin(j, "scoring", '{');
    dpl_json_number(j, "entries", s->n_entries);
    dpl_json_number(j, "distinct", s->n_scoring);
    dpl_json_number(j, "single", s->n_scoring_single);
    dpl_json_number(j, "frequent", s->n_scoring_frequent);
    dpl_json_number(j, "kept_entries", s->n_kept);
    dpl_json_end(j, '}');
}

void cli_ngram_put(dpl_json *j, const dpl_pairs_summary *p)
{
    const dpl_ngram_summary *s = p->ngram;
    dpl_json_number(j, "documents", s->n_docs);
    dpl_json_number(j, "groups", s->n_groups);
    dpl_json_number(j, "words", s->n_words);
    dpl_json_number(j, "translated", s->n_translated);
    put_counts(j, s);
    dpl_json_number(j, "comparisons", s->n_candidates);
    dpl_json_number(j, "generated", s->n_generated);
    dpl_json_number(j, "capped", s->n_capped);
    dpl_json_number(j, "below", s->n_below);
    dpl_json_number(j, "disordered", s->n_disordered);
    dpl_json_number(j, "found", p->n_found);
    dpl_json_number(j, "pairs", p->n_selected);
    dpl_json_number(j, "spilled_bytes", p->n_spilled_bytes);
    dpl_json_real(j, "extract_seconds", s->extract_seconds);
    dpl_json_real(j, "match_seconds", s->match_seconds);
    dpl_json_real(j, "score_seconds", s->score_seconds);
    dpl_json_real(j, "seconds", p->seconds);
}

static void note_matching(const dpl_ngram_summary *s)
{
    const cli_reason dropped[] = {
        {s->n_single, "in one document"},
        {s->n_one_group, "of one language"},
        {s->n_frequent, "too frequent"},
    };
    char remark[80];
    snprintf(remark, sizeof remark, "distinct n-grams of %llu, %llu of them used",
             (unsigned long long)s->n_postings, (unsigned long long)s->n_used);
    cli_note_count("matching", s->n_matching, remark);
    cli_note_reasons("dropped", dropped, sizeof dropped / sizeof *dropped);
    if (s->n_unsampled)
        cli_note_count("not sampled", s->n_unsampled, "matching n-grams");
}

static void note_scoring(const dpl_ngram_summary *s)
{
    const cli_reason dropped[] = {
        {s->n_scoring_single, "in one document"},
        {s->n_scoring_frequent, "too frequent"},
    };
    char remark[80];
    snprintf(remark, sizeof remark, "distinct n-grams of %llu entries, %llu entries kept",
             (unsigned long long)s->n_entries, (unsigned long long)s->n_kept);
    cli_note_count("scoring", s->n_scoring, remark);
    cli_note_reasons("dropped", dropped, sizeof dropped / sizeof *dropped);
}

void cli_ngram_note(const dpl_pairs_summary *p, dpl_select select)
{
    const dpl_ngram_summary *s = p->ngram;
    const cli_reason dropped[] = {
        {s->n_below, "below the threshold"},
        {s->n_disordered, "in another order"},
    };
    char remark[80];
    cli_note_count("documents", s->n_docs, "");
    if (s->n_translated)
        cli_note_count("translated", s->n_translated, "documents, word by word");
    note_matching(s);
    note_scoring(s);
    snprintf(remark, sizeof remark, "pairs, of %llu generated, %llu different",
             (unsigned long long)s->n_generated,
             (unsigned long long)(s->n_candidates + s->n_capped));
    cli_note_count("compared", s->n_candidates, remark);
    cli_note_reasons("dropped", dropped, sizeof dropped / sizeof *dropped);
    cli_note_count("found", p->n_found, "");
    cli_note_count("selected", p->n_selected, dpl_select_name(select));
}

/* ---- sides and lexicon -------------------------------------------------------------- */

/* Nothing to translate is a mistake: the languages of the lexicon are not those of the sides.
 */
static int check_lexicon(const cli_side sides[2], size_t n_sides, const dpl_lexicon *lexicon,
                         char **args)
{
    const char *from = dpl_lexicon_get_info(lexicon).source_lang;
    for (size_t i = 0; i < n_sides; i++) {
        uint32_t n = dpl_collection_get_sizes(sides[i].collection)->n_docs;
        for (uint32_t doc = 0; doc < n; doc++) {
            dpl_str lang = dpl_collection_doc(sides[i].collection, doc).lang;
            if (lang.n == strlen(from) && memcmp(lang.data, from, lang.n) == 0)
                return CLI_DONE;
        }
    }
    cli_error("no document of '%s' is in '%s', which the lexicon translates", args[0], from);
    cli_hint("set the languages with --langs, those of a lexicon in text "
             "with --lexicon-langs");
    return CLI_USAGE;
}

int cli_ngram_open(dpl_lexicon **lexicon, cli_side sides[2], dpl_ctx *ctx, char **paths,
                   size_t n_paths, cli_side_request *request)
{
    int code = CLI_DONE;
    if (request->lexicon)
        code = cli_lexicon_open(lexicon, ctx, request->lexicon, request->lexicon_langs, false);
    for (unsigned i = 0; code == CLI_DONE && i < n_paths; i++)
        code = cli_collection_open(&sides[i].collection, ctx, paths[i], i, request);
    if (code == CLI_DONE && *lexicon)
        code = check_lexicon(sides, n_paths, *lexicon, paths);
    return code;
}
