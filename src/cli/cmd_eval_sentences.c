/*
 * cmd_eval_sentences.c - doppel eval sentences: precision and recall of beads.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/command.h"
#include "cli/notes.h"
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

static const cli_item json_keys[] = {
    {"files", "document pairs"},
    {"gold", "distinct beads in GOLD"},
    {"gold_both", "of these, beads with sentences on both sides"},
    {"found", "distinct beads in FOUND"},
    {"strict", "object: found (beads of FOUND that are in GOLD), gold (beads of GOLD with both "
               "sides that "
               "are in FOUND), precision, recall, f1"},
    {"lax",
     "object: found (beads of FOUND that put two sentences together that are together in "
     "GOLD), gold (beads of GOLD with both sides, likewise), precision, recall, f1"},
    {0},
};

/* ---- what comes out ----------------------------------------------------------------- */

static void print_text(const dpl_eval_sentences *e, size_t n_files)
{
    char remark[100], number[32];
    if (n_files > 1)
        cli_print_count("files", n_files, "");
    snprintf(remark, sizeof remark, "beads, %s of them with both sides",
             cli_grouped(number, e->n_gold_both));
    cli_print_count("gold", e->n_gold, remark);
    cli_print_count("found", e->n_found, "beads");
    cli_print_count("right", e->n_right, "found and gold");
    cli_print_count("near", e->n_near, "found, two of its sentences are together in gold");
    cli_print_share("precision", e->precision, "strict: right / found");
    cli_print_share("recall", e->recall, "strict: right / gold, of those with both sides");
    cli_print_share("F1", e->f1, "strict");
    cli_print_share("precision", e->lax_precision, "lax: near / found");
    cli_print_share("recall", e->lax_recall, "lax: near / gold, of those with both sides");
    cli_print_share("F1", e->lax_f1, "lax");
}

static void put_shares(dpl_json *j, const char *key, const uint64_t counts[2],
                       const double shares[3])
{
    dpl_json_begin(j, key, '{');
    dpl_json_number(j, "found", counts[0]);
    dpl_json_number(j, "gold", counts[1]);
    dpl_json_real(j, "precision", shares[0]);
    dpl_json_real(j, "recall", shares[1]);
    dpl_json_real(j, "f1", shares[2]);
    dpl_json_end(j, '}');
}

static void print_json(const dpl_eval_sentences *e, size_t n_files)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "files", n_files);
    dpl_json_number(&j, "gold", e->n_gold);
    dpl_json_number(&j, "gold_both", e->n_gold_both);
    dpl_json_number(&j, "found", e->n_found);
    put_shares(&j, "strict", (uint64_t[]){e->n_right, e->n_gold_right},
               (double[]){e->precision, e->recall, e->f1});
    put_shares(&j, "lax", (uint64_t[]){e->n_near, e->n_gold_near},
               (double[]){e->lax_precision, e->lax_recall, e->lax_f1});
    cli_summary_end(&j);
}

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

static int work(dpl_ctx *ctx, const char *const *gold, const char *const *found, size_t n)
{
    dpl_error err = {0};
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    if (dpl_eval_sentences_run(&e, ctx, gold, found, n, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    (cli_set.json ? print_json : print_text)(&e, n);
    return CLI_DONE;
}

static int check_usage(char **args)
{
    bool is_gold = cli_is_folder(args[0]);
    if (is_gold != cli_is_folder(args[1])) {
        cli_error("'%s' is a folder and '%s' is not", args[!is_gold], args[is_gold]);
        return CLI_USAGE;
    }
    return cli_check_streams(args, 2);
}

static int run(char **args, size_t n_args)
{
    (void)n_args;
    int code = check_usage(args);
    files f = {0};
    dpl_ctx *ctx = NULL;
    if (code == CLI_DONE && cli_is_folder(args[0]))
        code = list_folders(&f, args[0], args[1]);
    if (code == CLI_DONE)
        code = cli_ctx_new(&ctx, true);
    if (code == CLI_DONE) {
        char **gold = f.n ? f.gold : &args[0], **found = f.n ? f.found : &args[1];
        code = work(ctx, (const char *const *)gold, (const char *const *)found, f.n ? f.n : 1);
    }
    dpl_ctx_free(ctx);
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
    .json = json_keys,
    .see_also = "doppel-align(1), doppel-eval-pairs(1), doppel-eval-words(1)",
    .argument = "GOLD",
    .second = "FOUND",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .run = run,
};
