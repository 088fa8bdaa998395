/*
 * show_round.c - what 'doppel show' prints of a round of mining.
 */
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/mine.h"

#include <stdio.h>

static int open_round(void **out, const cli_show_request *request)
{
    dpl_error err = {0};
    dpl_round *round = NULL;
    int code = dpl_round_open(&round, request->ctx, request->path, &err) == DPL_OK
                   ? CLI_DONE
                   : cli_fail(&err);
    *out = round;
    return code;
}

static void close_round(void *object)
{
    dpl_round_close(object);
}

/* ---- text --------------------------------------------------------------------------- */

static void print_seconds(const char *label, double seconds, const char *remark)
{
    char value[32];
    snprintf(value, sizeof value, "%.2f s", seconds);
    cli_print_row(label, value, remark);
}

static void print_found(const dpl_round *round, const dpl_mine_round *r)
{
    const dpl_recall_check *receipt = dpl_round_get_recall_check(round);
    char changes[80], number[32], more[32], interval[80];
    cli_print_count("candidates", r->n_candidates,
                    "documents that are each other's best match");
    snprintf(changes, sizeof changes, "likely enough to train on; %s new, %s gone",
             cli_grouped(number, r->n_new), cli_grouped(more, r->n_gone));
    cli_print_count("pairs", r->n_pairs, changes);
    cli_print_share("mean cosine", r->mean_cosine, "of the pairs");
    cli_print_share("unpaired", r->unpaired,
                    "of the smaller side's documents, without counterpart");
    if (receipt->is_exact)
        snprintf(interval, sizeof interval, "the search finds everything");
    else
        snprintf(interval, sizeof interval, "of the search, %.4f to %.4f", receipt->low,
                 receipt->high);
    cli_print_share("recall", receipt->recall, interval);
}

static void print_text(const void *round, const cli_show_request *request)
{
    (void)request;
    const dpl_mine_round *r = dpl_round_get_summary(round);
    cli_print("\n");
    if (r->n_sentence_pairs)
        cli_print_count("trained on", r->n_sentence_pairs, "sentence pairs");
    if (r->n_lexicon_entries)
        cli_print_count("lexicon", r->n_lexicon_entries, "entries of p(target|source)");
    if (r->n_lexicon_entries)
        cli_print_share("known words", r->known_words,
                        "of all words: the lexicon translates them");
    print_found(round, r);
    print_seconds("align", r->align_seconds, "");
    print_seconds("train", r->train_seconds, "");
    print_seconds("search", r->search_seconds, "");
}

/* ---- JSON --------------------------------------------------------------------------- */

static void put_cosines(dpl_json *j, const char *key, const dpl_round *round, bool of_second)
{
    size_t n;
    const uint64_t *counts = dpl_round_get_cosines(round, of_second, &n);
    dpl_json_begin(j, key, '[');
    for (size_t i = 0; i < n; i++)
        dpl_json_number(j, NULL, counts[i]);
    dpl_json_end(j, ']');
}

static void put_found(dpl_json *j, const dpl_round *round, const dpl_mine_round *r)
{
    const dpl_recall_check *receipt = dpl_round_get_recall_check(round);
    dpl_json_number(j, "candidates", r->n_candidates);
    dpl_json_number(j, "pairs", r->n_pairs);
    dpl_json_number(j, "new", r->n_new);
    dpl_json_number(j, "gone", r->n_gone);
    dpl_json_real(j, "mean_cosine", r->mean_cosine);
    dpl_json_real(j, "unpaired", r->unpaired);
    dpl_json_real(j, "known_words", r->known_words);
    dpl_json_bool(j, "exact", receipt->is_exact);
    dpl_json_real(j, "recall", receipt->recall);
    dpl_json_real(j, "low", receipt->low);
    dpl_json_real(j, "high", receipt->high);
    put_cosines(j, "best_cosines", round, false);
    put_cosines(j, "second_cosines", round, true);
}

static void put_json(dpl_json *j, const void *round, const cli_show_request *request)
{
    (void)request;
    const dpl_mine_round *r = dpl_round_get_summary(round);
    dpl_json_begin(j, "round", '{');
    dpl_json_number(j, "sentence_pairs", r->n_sentence_pairs);
    dpl_json_number(j, "lexicon_entries", r->n_lexicon_entries);
    put_found(j, round, r);
    dpl_json_real(j, "align_seconds", r->align_seconds);
    dpl_json_real(j, "train_seconds", r->train_seconds);
    dpl_json_real(j, "search_seconds", r->search_seconds);
    dpl_json_end(j, '}');
}

const cli_show_kind cli_show_round = {"round",  open_round, print_text,
                                      put_json, NULL,       close_round};
