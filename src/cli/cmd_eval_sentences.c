/*
 * cmd_eval_sentences.c - doppel eval sentences: precision and recall of beads.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/talk.h"

#include "doppel/eval.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_item examples[] = {
    {"doppel eval sentences gold.vecalign found.vecalign", "evaluate an alignment"},
    {"doppel align book.de book.en --one-per-line --to ladder | doppel eval sentences "
     "book.gold -",
     "evaluate an alignment directly"},
    {"doppel eval sentences gold/ found/",
     "folders with one file per document pair, of the same name in both"},
    {"doppel eval sentences gold.vecalign found.ladder --json | jq .strict.f1",
     "for a program"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

#define COUNT(name, field, ...) CLI_COUNT_FIGURE(dpl_eval_sentences, name, field, __VA_ARGS__)
#define SHARE(name, field, ...) CLI_SHARE_FIGURE(dpl_eval_sentences, name, field, __VA_ARGS__)

static const dpl_figure of_strict[] = {
    COUNT("found", n_right, .help = "beads of FOUND that are in GOLD"),
    COUNT("gold", n_gold_right, .help = "beads of GOLD with both sides that are in FOUND"),
    SHARE("precision", precision, .label = "precision", .remark = "strict: right / found",
          .help = "share of the beads of FOUND"),
    SHARE("recall", recall, .label = "recall",
          .remark = "strict: right / gold, of those with both sides",
          .help = "share of the beads of GOLD with both sides"),
    SHARE("f1", f1, .label = "F1", .remark = "strict", .help = "harmonic mean of the two"),
};
static const dpl_summary_table strict = CLI_SUMMARY(dpl_eval_sentences, of_strict);

static const dpl_figure of_lax[] = {
    COUNT("found", n_near,
          .help = "beads of FOUND that put two sentences together that are together in GOLD"),
    COUNT("gold", n_gold_near, .help = "beads of GOLD with both sides, likewise"),
    SHARE("precision", lax_precision, .label = "precision", .remark = "lax: near / found",
          .help = "share of the beads of FOUND"),
    SHARE("recall", lax_recall, .label = "recall",
          .remark = "lax: near / gold, of those with both sides",
          .help = "share of the beads of GOLD with both sides"),
    SHARE("f1", lax_f1, .label = "F1", .remark = "lax", .help = "harmonic mean of the two"),
};
static const dpl_summary_table lax = CLI_SUMMARY(dpl_eval_sentences, of_lax);

static const dpl_figure of_all[] = {
    COUNT("gold", n_gold, .label = "gold",
          .remark = "beads, {gold_both} of them with both sides",
          .help = "distinct beads in GOLD"),
    COUNT("gold_both", n_gold_both, .help = "of these, beads with sentences on both sides"),
    COUNT("found", n_found, .label = "found", .remark = "beads",
          .help = "distinct beads in FOUND"),
    COUNT("right", n_right, .label = "right", .remark = "found and gold"),
    COUNT("near", n_near, .label = "near",
          .remark = "found, two of its sentences are together in gold"),
};
static const dpl_summary_table all = CLI_SUMMARY(dpl_eval_sentences, of_all);

typedef struct result {
    uint64_t n_files;
    bool has_several;
    dpl_eval_sentences e;
} result;

static const dpl_figure figures[] = {
    {.name = "several", .type = DPL_FIGURE_FLAG, CLI_FIELD(result, has_several)},
    CLI_COUNT_FIGURE(result, "files", n_files, .label = "files", .shown_with = "several",
                     .help = "document pairs"),
    CLI_FIGURES_OF(result, e, all),
    {.name = "strict",
     .type = DPL_FIGURE_GROUP,
     CLI_FIELD(result, e),
     .group = &strict,
     .help = "a bead is right when the other file has it"},
    {.name = "lax",
     .type = DPL_FIGURE_GROUP,
     CLI_FIELD(result, e),
     .group = &lax,
     .help = "a bead is right when two of its sentences are together in the other file"},
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

/* ---- files -------------------------------------------------------------------------- */

/* Paths of gold and found that belong together. */
typedef struct files {
    char **gold, **found;
    size_t n;
} files;

static void files_free(files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->gold[i]);
        free(f->found[i]);
    }
    free(f->gold);
    free(f->found);
}

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path)
        snprintf(path, n, "%s/%s", folder, name);
    return path;
}

static bool files_fill(files *f, const char *gold, const char *found,
                       struct dirent *const *entries, size_t n)
{
    f->gold = calloc(n, sizeof *f->gold);
    f->found = calloc(n, sizeof *f->found);
    if (!f->gold || !f->found)
        return false;
    for (; f->n < n; f->n++) {
        f->gold[f->n] = join(gold, entries[f->n]->d_name);
        f->found[f->n] = join(found, entries[f->n]->d_name);
        if (!f->gold[f->n] || !f->found[f->n])
            return ++f->n, false;
    }
    return true;
}

/* Neither hidden nor the index that 'doppel align' writes. */
static int is_alignment(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "index.tsv") != 0;
}

/* Every file of gold must have one of its name in found. */
static int list_folders(files *f, const char *gold, const char *found)
{
    struct dirent **entries = NULL;
    int n = scandir(gold, &entries, is_alignment, alphasort), code = CLI_FAILED;
    if (n < 0)
        cli_error("cannot open '%s': %s", gold, strerror(errno));
    else if (n == 0)
        cli_error("'%s' has no files", gold);
    else if (!files_fill(f, gold, found, entries, (size_t)n))
        code = cli_no_memory();
    else
        code = CLI_DONE;
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return code;
}

/* ---- the work ----------------------------------------------------------------------- */

static int compare(dpl_ctx *ctx, const char *const *gold, const char *const *found, size_t n)
{
    dpl_error err = {0};
    result r = {.n_files = n, .has_several = n > 1, .e = DPL_INIT(dpl_eval_sentences)};
    if (dpl_eval_sentences_run(&r.e, ctx, gold, found, n, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    cli_print_summary(&summary, &r);
    return CLI_DONE;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)n_args, (void)user;
    bool is_gold = cli_is_folder(args[0]);
    if (is_gold != cli_is_folder(args[1])) {
        cli_error("'%s' is a folder and '%s' is not", args[!is_gold], args[is_gold]);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args, (void)user;
    files f = {0};
    int code = cli_is_folder(args[0]) ? list_folders(&f, args[0], args[1]) : CLI_DONE;
    char **gold = f.n ? f.gold : &args[0], **found = f.n ? f.found : &args[1];
    if (code == CLI_DONE)
        code =
            compare(ctx, (const char *const *)gold, (const char *const *)found, f.n ? f.n : 1);
    files_free(&f);
    return code;
}

const cli_command cli_eval_sentences = {
    .name = "eval sentences",
    .family = "eval",
    .summary = "compute precision and recall of sentence alignments",
    .synopsis = "GOLD FOUND",
    .about = "Compare the sentence alignments in FOUND with the true ones in GOLD. Each "
             "file has one of two formats, detected from its first line. [3,4]:[5] is one "
             "bead per line, as vecalign writes them, sentences counted from 0; [3]:[] has"
             " no counterpart, and what follows a second colon is ignored. A ladder, as "
             "hunalign writes it, has left number, tab, right number on each line: where a"
             " bead begins and the one before it ends. 'doppel align' writes both. Files "
             "compressed with gzip, zstd, bzip2 or xz are read as they are; - is standard "
             "input."
             "\n"
             "\n"
             "GOLD and FOUND may be folders with one file per document pair, of the same "
             "name in both: the counts are summed."
             "\n"
             "\n"
             "Strict: a bead is right when the other file has the same bead. Lax: a bead "
             "is right when it puts any left and right sentence together that are together"
             " there, so that a bead 2-1 is not all wrong when GOLD has 1-1 and 1-0. Beads"
             " without counterpart count for the precision, not for the recall:"
             "\n"
             "\n"
             "    precision = right beads of FOUND / beads of FOUND\n"
             "    recall    = right beads of GOLD / beads of GOLD with both sides",
    .options = NULL,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-align(1), doppel-eval-pairs(1), doppel-eval-words(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .check = check,
    .work = run,
};
