/*
 * pairs_docalign.c - doppel pairs --to docalign: input, weights and output of ParaCrawl's
 * document aligner.
 */
#include "cli/notes.h"
#include "cli/pairs_settings.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include <stdio.h>

static dpl_status write_pair(void *user, const dpl_pair *pair, dpl_error *err)
{
    (void)err;
    char line[80];
    int n = snprintf(line, sizeof line, "%.5f\t%llu\t%llu\n", (double)pair->score,
                     pair->left + 1ULL, pair->right + 1ULL);
    cli_output_write(user, line, (size_t)n);
    return DPL_OK;
}

static void print_json(const dpl_docalign_summary *s, const char *output, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_number(&j, "translated", s->n_docs[0]);
    dpl_json_number(&j, "english", s->n_docs[1]);
    dpl_json_number(&j, "entries", s->n_entries);
    dpl_json_begin(&j, "ngrams", '{');
    dpl_json_number(&j, "distinct", s->n_ngrams);
    dpl_json_number(&j, "rare", s->n_rare);
    dpl_json_number(&j, "frequent", s->n_frequent);
    dpl_json_end(&j, '}');
    dpl_json_number(&j, "products", s->n_products);
    dpl_json_number(&j, "scored", s->n_scored);
    dpl_json_number(&j, "pairs", s->n_pairs);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_summary(const dpl_docalign_summary *s, const dpl_ctx *ctx)
{
    const cli_reason dropped[] = {
        {s->n_rare, "rare"},
        {s->n_frequent, "frequent"},
    };
    cli_note_count("translated", s->n_docs[0], "documents");
    cli_note_count("english", s->n_docs[1], "documents");
    cli_note_count("n-grams", s->n_ngrams, "distinct");
    cli_note_reasons("dropped", dropped, sizeof dropped / sizeof *dropped);
    cli_note_count("products", s->n_products, "multiply-adds");
    cli_note_count("scored", s->n_scored, "pairs at or above the threshold");
    cli_note_count("pairs", s->n_pairs, "");
    cli_note_time(s->seconds, "", ctx);
}

int cli_docalign(const cli_pairs_settings *o, dpl_ctx *ctx, char **args)
{
    static const char header[] = "mt_doc_aligner_score\tidx_translated\tidx_trg\n";
    cli_output out;
    dpl_error err = {0};
    int code = cli_output_open(&out, ctx, o->output);
    if (code != CLI_DONE)
        return code;
    cli_output_write(&out, header, sizeof header - 1);
    dpl_docalign_input in = DPL_INIT(dpl_docalign_input, .translated = args[0],
                                     .english = args[1], .take = write_pair, .user = &out);
    dpl_docalign_summary s = DPL_INIT(dpl_docalign_summary);
    if (dpl_docalign(&s, ctx, &in, &o->docalign, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    code = cli_output_close(&out, code);
    if (code == CLI_DONE && cli_set.json)
        print_json(&s, o->output, ctx);
    else if (code == CLI_DONE)
        note_summary(&s, ctx);
    return code;
}
