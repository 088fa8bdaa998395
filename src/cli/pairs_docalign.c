/*
 * pairs_docalign.c - doppel pairs --to docalign: input, weights and output of ParaCrawl's
 * document aligner.
 */
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

/* ---- the summary -------------------------------------------------------------------- */

typedef struct said {
    dpl_docalign_summary s;
    cli_machine machine;
} said;

static const char *why(unsigned i)
{
    static const char *const words[] = {"rare", "frequent"};
    return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static const dpl_figure of_ngrams[] = {
    CLI_COUNT_FIGURE(dpl_docalign_summary, "distinct", n_ngrams, .help = "distinct ones",
                     .label = "n-grams", .remark = "distinct"),
    CLI_COUNT_FIGURE(dpl_docalign_summary, "rare", n_rare, .help = "in too few documents"),
    CLI_COUNT_FIGURE(dpl_docalign_summary, "frequent", n_frequent,
                     .help = "in too many documents"),
    {.name = "dropped",
     .type = DPL_FIGURE_COUNTS,
     .offset = (uint32_t)offsetof(dpl_docalign_summary, n_rare),
     .n_bytes = 2 * sizeof(uint64_t),
     .choice = why,
     .label = "dropped"},
};
static const dpl_summary_table ngrams = CLI_SUMMARY(dpl_docalign_summary, of_ngrams);

static const dpl_figure figures[] = {
    CLI_COUNT_FIGURE(said, "translated", s.n_docs[0], .help = "documents of the first file",
                     .label = "translated", .remark = "documents"),
    CLI_COUNT_FIGURE(said, "english", s.n_docs[1], .help = "documents of the second file",
                     .label = "english", .remark = "documents"),
    CLI_COUNT_FIGURE(said, "entries", s.n_entries, .help = "n-grams of all documents"),
    {.name = "ngrams",
     .type = DPL_FIGURE_GROUP,
     CLI_FIELD(said, s),
     .group = &ngrams,
     .help = "object: n-grams"},
    CLI_COUNT_FIGURE(said, "products", s.n_products, .help = "multiply-adds",
                     .label = "products", .remark = "multiply-adds"),
    CLI_COUNT_FIGURE(said, "scored", s.n_scored, .help = "pairs at or above the threshold",
                     .label = "scored", .remark = "pairs at or above the threshold"),
    CLI_COUNT_FIGURE(said, "pairs", s.n_pairs, .help = "pairs written", .label = "pairs"),
    CLI_SECONDS_FIGURE(said, s.seconds),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

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
    said r = {.s = DPL_INIT(dpl_docalign_summary)};
    if (dpl_docalign(&r.s, ctx, &in, &o->docalign, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    code = cli_output_close(&out, code);
    r.machine = cli_machine_of(ctx, false);
    if (code == CLI_DONE)
        cli_say_summary(&summary, &r, cli_is_stdout(o->output));
    return code;
}
