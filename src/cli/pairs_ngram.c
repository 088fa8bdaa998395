/*
 * pairs_ngram.c - doppel pairs --method ngram: documents by the n-grams they share.
 */
#include "cli/pairs_ngram.h"

#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

typedef struct docs {
    dpl_collection *sides[2];
    size_t n_sides;
} docs;

static dpl_str id_of(const docs *d, uint32_t doc)
{
    uint32_t n_first = dpl_collection_get_sizes(d->sides[0])->n_docs;
    return doc < n_first ? dpl_collection_doc(d->sides[0], doc).id
                         : dpl_collection_doc(d->sides[1], doc - n_first).id;
}

static int write_pairs(dpl_ctx *ctx, dpl_ngram_pairs *pairs, const docs *d,
                       const cli_ngram_request *r)
{
    cli_output out;
    int code = cli_output_open(&out, ctx, r->output);
    if (code != CLI_DONE)
        return code;
    if (r->has_header)
        cli_output_pairs_header(&out);
    dpl_error err = {0};
    dpl_ngram_pair pair;
    dpl_status status;
    while ((status = dpl_ngram_take(pairs, &pair, &err)) == DPL_OK)
        cli_output_pair(&out, id_of(d, pair.left), id_of(d, pair.right), (double)pair.score);
    return cli_output_close(&out, status == DPL_END ? CLI_DONE : cli_fail(&err));
}

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

static void print_json(const dpl_ngram_summary *s, const cli_ngram_request *r,
                       const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(r->output));
    dpl_json_cstr(&j, "method", "ngram");
    dpl_json_number(&j, "documents", s->n_docs);
    dpl_json_number(&j, "groups", s->n_groups);
    dpl_json_number(&j, "words", s->n_words);
    dpl_json_number(&j, "translated", s->n_translated);
    put_counts(&j, s);
    dpl_json_number(&j, "comparisons", s->n_candidates);
    dpl_json_number(&j, "generated", s->n_generated);
    dpl_json_number(&j, "capped", s->n_capped);
    dpl_json_number(&j, "below", s->n_below);
    dpl_json_number(&j, "disordered", s->n_disordered);
    dpl_json_number(&j, "found", s->n_scored);
    dpl_json_number(&j, "pairs", s->n_selected);
    dpl_json_number(&j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(&j, "extract_seconds", s->extract_seconds);
    dpl_json_real(&j, "match_seconds", s->match_seconds);
    dpl_json_real(&j, "score_seconds", s->score_seconds);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
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

static void note_summary(const dpl_ngram_summary *s, const cli_ngram_request *r,
                         const dpl_ctx *ctx)
{
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
    cli_note_count("found", s->n_scored, "");
    cli_note_count("selected", s->n_selected, dpl_ngram_symmetry_name(r->options->symmetry));
    cli_note_output(r->output, 0);
    if (s->n_spilled_bytes)
        cli_note_bytes("spilled", s->n_spilled_bytes, "to temporary files");
    cli_note_time(s->seconds, "", ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

/* What a part is made of. */
typedef struct part_job {
    dpl_ctx *ctx;
    const docs *d;
    const cli_ngram_request *r;
    dpl_part_summary made;
} part_job;

static int write_part(void *user, const char *path)
{
    part_job *j = user;
    dpl_error err = {0};
    const dpl_collection *sides[2] = {j->d->sides[0], j->d->sides[1]};
    return dpl_ngram_part(&j->made, j->ctx, path, sides, j->d->n_sides, j->r->part,
                          j->r->options, &err) == DPL_OK
               ? CLI_DONE
               : cli_fail_or_stop(&err);
}

static int find_part(dpl_ctx *ctx, const docs *d, const cli_ngram_request *r)
{
    part_job j = {ctx, d, r, DPL_INIT(dpl_part_summary)};
    int code = cli_write_container(r->output, ctx, r->options->spill_dir, write_part, &j);
    if (code == CLI_DONE)
        cli_part_say(&j.made, r->part, "candidates", r->output, ctx);
    return code;
}

static int find(dpl_ctx *ctx, const docs *d, const cli_ngram_request *r)
{
    if (r->part)
        return find_part(ctx, d, r);
    dpl_error err = {0};
    dpl_ngram_pairs *pairs = NULL;
    const dpl_collection *sides[2] = {d->sides[0], d->sides[1]};
    if (dpl_ngram_find(&pairs, ctx, sides, d->n_sides, r->options, &err) != DPL_OK)
        return cli_fail(&err);
    int code = write_pairs(ctx, pairs, d, r);
    if (code == CLI_DONE)
        (cli_set.json ? print_json : note_summary)(dpl_ngram_get_summary(pairs), r, ctx);
    dpl_ngram_close(pairs);
    return code;
}

/* Nothing to translate is a mistake: the languages of the lexicon are not those of the sides.
 */
static int check_lexicon(const docs *d, const dpl_lexicon *lexicon, char **args)
{
    const char *from = dpl_lexicon_source_lang(lexicon);
    for (size_t i = 0; i < d->n_sides; i++) {
        uint32_t n = dpl_collection_get_sizes(d->sides[i])->n_docs;
        for (uint32_t doc = 0; doc < n; doc++) {
            dpl_str lang = dpl_collection_doc(d->sides[i], doc).lang;
            if (lang.n == strlen(from) && memcmp(lang.data, from, lang.n) == 0)
                return CLI_DONE;
        }
    }
    cli_error("no document of '%s' is in '%s', which the lexicon translates", args[0], from);
    cli_hint("set the languages with --left-lang and --right-lang, those of a lexicon in text "
             "with --lexicon-langs");
    return CLI_USAGE;
}

int cli_pairs_by_ngram(dpl_ctx *ctx, char **args, size_t n_args, cli_ngram_request *request)
{
    docs d = {.n_sides = n_args};
    dpl_lexicon *lexicon = NULL;
    int code = CLI_DONE;
    if (request->side->lexicon)
        code = cli_lexicon_open(&lexicon, ctx, request->side->lexicon,
                                request->side->lexicon_langs, false);
    request->options->lexicon = lexicon;
    for (unsigned i = 0; code == CLI_DONE && i < n_args; i++)
        code = cli_collection_open(&d.sides[i], ctx, args[i], i, request->side);
    if (code == CLI_DONE && lexicon)
        code = check_lexicon(&d, lexicon, args);
    if (code == CLI_DONE)
        code = find(ctx, &d, request);
    dpl_lexicon_close(lexicon);
    for (size_t i = 0; i < n_args; i++)
        dpl_collection_close(d.sides[i]);
    return code;
}
