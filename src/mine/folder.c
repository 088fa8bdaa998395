/*
 * folder.c - the output folder of mining: its names, and the settings that a run is known by.
 */
#include "mine/folder.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "tokens/input_print.h"

#include <stdio.h>

static const char *const results[] = {"pairs.tsv",
                                      "sentences.tsv",
                                      "sentences.jsonl",
                                      "sentences.tmx",
                                      "sentences.xliff",
                                      "sentences.[a-z][a-z]",
                                      "sentences.[a-z][a-z][a-z]",
                                      "sentences.left",
                                      "sentences.right",
                                      "lexicon.tsv.zst",
                                      "report.html",
                                      "run.json",
                                      "groups.tsv",
                                      "copies.tsv",
                                      "dropped.tsv",
                                      "left-out.tsv",
                                      "passages.tsv",
                                      "missing-links.tsv",
                                      "suspicious-links.tsv",
                                      "links.html",
                                      NULL};
/* "left-x.dpl": what is left of a side, with parts of words, or read in another language. */
static const char *const work_files[] = {"settings.json",
                                         "left.dpl",
                                         "right.dpl",
                                         "skipped-[a-z]*.tsv",
                                         "languages-[a-z]*.tsv",
                                         "left-[a-z]*.dpl",
                                         "right-[a-z]*.dpl",
                                         "dictionary.dpl",
                                         "[a-z][a-z].dpl",
                                         "lexicon-[0-9].dpl",
                                         "lexicon-[0-9][0-9].dpl",
                                         "[a-z][a-z][a-z].dpl",
                                         "round-[0-9].dpl",
                                         "round-[0-9][0-9].dpl",
                                         "confidence-*[0-9].dpl",
                                         "pairs-[0-9].tsv",
                                         "pairs-[0-9][0-9].tsv",
                                         NULL};
/* Made and removed while a run is at work. */
static const char *const passing_files[] = {"vectors-left.dpl", "vectors-right.dpl", "fold.dpl",
                                            "hidden.dpl", NULL};

const dpl__folder_names dpl__mine_names = {"doppel mine", "settings.json", results, work_files,
                                           passing_files};

/* ---- what a run is known by ------------------------------------------------------------- */

static dpl_status describe(dpl__json_text *text, const dpl__mine_folder_run *run,
                           dpl_error *err)
{
    const dpl_mine_options *o = run->options;
    dpl_ctx *ctx = text->ctx;
    dpl_json j = dpl__json_into(text, DPL_JSON_LINES);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, dpl__mine_names.command, dpl_version());
    dpl_json_number(&j, "seed", ctx->seed);
    for (size_t i = 0; i < run->n_inputs; i++) {
        char key[40];
        snprintf(key, sizeof key, "input_%zu", i + 1);
        DPL_TRY(dpl__input_describe(&j, ctx, key, &run->inputs[i], err));
    }
    DPL_TRY(dpl__file_describe(&j, ctx, "lexicon", o->lexicon, err));
    DPL_TRY(dpl__file_describe(&j, ctx, "dictionary", o->dictionary, err));
    for (size_t i = 0; i < o->n_more_dictionaries; i++)
        DPL_TRY(dpl__file_describe(&j, ctx, "dictionary", o->more_dictionaries[i], err));
    if (o->known)
        DPL_TRY(dpl__file_describe(&j, ctx, "known", o->known, err));
    for (size_t i = 0; i < o->n_links; i++)
        DPL_TRY(dpl__file_describe(&j, ctx, "links", o->links[i], err));
    dpl_options_json(&j, "options", dpl__mine_option_table(), o, true);
    dpl_json_end(&j, '}');
    DPL_TRY(dpl__need(dpl__vec_push(ctx, &text->bytes, '\n'), err));
    return text->has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

/* ---- opening ---------------------------------------------------------------------------- */

static dpl_status check_inputs(const dpl__out_folder *f, const dpl__mine_folder_run *run,
                               dpl_error *err)
{
    const dpl_mine_options *o = run->options;
    const char *const files[] = {o->lexicon, o->dictionary, o->known};
    for (size_t i = 0; i < run->n_inputs; i++) {
        DPL_TRY(dpl__out_folder_check_input(f, run->inputs[i].path, err));
        if (o->resume && run->inputs[i].source)
            return dpl__fail(err, DPL_E_USAGE,
                             "'%s': documents from the caller cannot be recognised to resume",
                             dpl_input_name(&run->inputs[i]));
    }
    for (size_t i = 0; i < DPL_LEN(files); i++)
        DPL_TRY(dpl__out_folder_check_input(f, files[i], err));
    for (size_t i = 0; i < o->n_more_dictionaries; i++)
        DPL_TRY(dpl__out_folder_check_input(f, o->more_dictionaries[i], err));
    return DPL_OK;
}

dpl_status dpl__run_folder_open(dpl__out_folder *f, dpl_ctx *ctx,
                                const dpl__mine_folder_run *run, dpl_error *err)
{
    dpl__json_text text = {.ctx = ctx};
    bool is_resumed = run->options->resume;
    dpl_status status;
    DPL_TRY(dpl__out_folder_open(f, &dpl__mine_names, run->dir, run->options->temp, err));
    DPL__STEP(check_inputs(f, run, err));
    DPL__STEP(describe(&text, run, err));
    DPL__STEP(dpl__out_folder_begin(f, ctx, (dpl_str){text.bytes.data, text.bytes.n},
                                    &is_resumed, err));
done:
    dpl__vec_clear(ctx, &text.bytes);
    if (status != DPL_OK)
        dpl__out_folder_close(f);
    return status;
}
