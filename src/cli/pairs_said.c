/*
 * pairs_summary.c - what 'doppel pairs' says when it is done.
 */
#include "cli/figure_lines.h"
#include "cli/notes.h"
#include "cli/pairs_ngram.h"
#include "cli/pairs_settings.h"

#include <stdio.h>

static void print_hash_json(dpl_json *j, const dpl_pairs_summary *s)
{
    if (!s->code_length) {
        dpl_json_null(j, "hash");
        return;
    }
    dpl_json_cstr(j, "hash", dpl_hash_get_function_info(s->hash)->name);
    dpl_json_number(j, "code_length", s->code_length);
    dpl_json_number(j, "codes", s->n_codes);
    dpl_json_number(j, "radix", s->radix);
}

static void put_rows(dpl_json *j, const cli_pairs_settings *o, const dpl_pairs_summary *s,
                     const cli_side sides[2])
{
    dpl_json_number(j, "left", s->n_left);
    dpl_json_number(j, "right", s->n_right);
    dpl_json_number(j, "left_dropped", sides[0].n_dropped);
    dpl_json_number(j, "right_dropped", sides[1].n_dropped);
    dpl_json_real(j, "threshold", s->threshold);
    dpl_json_cstr(j, "select", dpl_select_name(o->set.select));
    dpl_json_number(j, "margin", o->set.margin);
    if (s->bits)
        dpl_json_cstr(j, "signature", dpl_sign_get_method_info(s->signature)->name);
    else
        dpl_json_null(j, "signature");
    dpl_json_number(j, "bits", s->bits);
    dpl_json_number(j, "cut", s->cut);
    dpl_json_number(j, "first_bits", s->first_bits);
    dpl_json_number(j, "first_cut", s->first_cut);
    dpl_json_number(j, "tables", s->n_tables);
    dpl_json_real(j, "width", s->code_length ? s->code_width : s->width);
    dpl_json_number(j, "chunk", s->chunk);
    dpl_json_number(j, "comparisons", s->n_comparisons);
    dpl_json_number(j, "candidates", s->n_candidates);
    dpl_json_number(j, "found", s->n_found);
    dpl_json_number(j, "pairs", s->n_selected);
    dpl_json_real(j, "planned_recall", s->planned_recall > 0 ? s->planned_recall : 0. / 0.);
    cli_put_recall(j, s->recall_check);
    print_hash_json(j, s);
    dpl_json_number(j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(j, "sign_seconds", s->sign_seconds);
    dpl_json_real(j, "search_seconds", s->search_seconds);
    dpl_json_real(j, "verify_seconds", s->verify_seconds);
    dpl_json_real(j, "select_seconds", s->select_seconds);
    dpl_json_real(j, "seconds", s->seconds);
}

static void print_json(const cli_pairs_settings *o, const dpl_pairs_summary *s,
                       const cli_side sides[2], const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(o->output));
    dpl_json_cstr(&j, "method", dpl_pairs_get_method_info(s->method)->name);
    if (s->ngram) {
        cli_ngram_put(&j, s);
        cli_put_recall(&j, s->recall_check);
    } else {
        put_rows(&j, o, s, sides);
    }
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_side(const char *label, uint32_t n_rows, const cli_side *side)
{
    char remark[80] = "", number[32];
    if (side->n_dropped)
        snprintf(remark, sizeof remark, "%s dropped: too few terms",
                 cli_grouped(number, side->n_dropped));
    cli_note_count(label, n_rows, remark);
}

static void note_method(const dpl_pairs_summary *s)
{
    char remark[200] = "";
    size_t n = 0;
    const dpl_sign_method_info *info = dpl_sign_get_method_info(s->signature);
    if (s->code_length)
        n += (size_t)snprintf(remark, sizeof remark, "%s, %u codes of %u %s",
                              dpl_hash_get_function_info(s->hash)->name, s->n_codes,
                              s->code_length, dpl_hash_get_function_info(s->hash)->unit);
    if (s->radix)
        n += (size_t)snprintf(remark + n, sizeof remark - n, " in %u intervals", s->radix);
    if (s->code_width > 0)
        n += (size_t)snprintf(remark + n, sizeof remark - n, ", width %g", s->code_width);
    if (s->n_tables)
        n += (size_t)snprintf(remark, sizeof remark, "%u tables, width %u, ", s->n_tables,
                              s->width);
    if (s->bits)
        n += (size_t)snprintf(remark + n, sizeof remark - n, "%u %s%s%s, distance up to %u",
                              s->bits, info->unit, info->has_products ? " of " : "",
                              info->has_products ? info->name : "", s->cut);
    if (s->first_bits)
        snprintf(remark + n, sizeof remark - n, " (%u in the first %u)", s->first_cut,
                 s->first_bits);
    cli_note_row("method", dpl_pairs_get_method_info(s->method)->name, remark);
}

static void note_rows(const cli_pairs_settings *o, const dpl_pairs_summary *s,
                      const cli_side sides[2], size_t n_sides)
{
    char remark[400];
    const dpl_pairs_method_info *info = dpl_pairs_get_method_info(s->method);
    note_side(n_sides == 2 ? "left" : "documents", s->n_left, &sides[0]);
    if (n_sides == 2)
        note_side("right", s->n_right, &sides[1]);
    note_method(s);
    cli_note_count("compared", s->n_comparisons, info->unit);
    if (info->has_candidates && !o->set.no_verify)
        cli_note_count("verified", s->n_candidates, "candidates: their cosine was computed");
    if (s->threshold > 0)
        snprintf(remark, sizeof remark, "%s %g or more",
                 o->set.no_verify ? "estimated at" : "cosine", s->threshold);
    else
        snprintf(remark, sizeof remark, "cosine above 0");
    cli_note_count("found", s->n_found, remark);
    if (s->n_selected != s->n_found || o->set.select != DPL_SELECT_ALL) {
        snprintf(remark, sizeof remark, "%s%s", dpl_select_name(o->set.select),
                 o->set.margin ? ", by margin" : "");
        cli_note_count("selected", s->n_selected, remark);
    }
}

static void note_summary(const cli_pairs_settings *o, const dpl_pairs_summary *s,
                         const cli_side sides[2], size_t n_sides, const dpl_ctx *ctx)
{
    if (s->ngram)
        cli_ngram_note(s, o->set.select);
    else
        note_rows(o, s, sides, n_sides);
    cli_note_recall(s->recall_check);
    cli_note_output(o->output, 0);
    if (s->n_spilled_bytes)
        cli_note_bytes("spilled", s->n_spilled_bytes, "to temporary files");
    cli_note_time(s->seconds, "", ctx);
}

void cli_pairs_say(const cli_pairs_settings *o, const dpl_pairs_summary *s,
                   const cli_side sides[2], size_t n_sides, const dpl_ctx *ctx)
{
    if (cli_set.json)
        print_json(o, s, sides, ctx);
    else
        note_summary(o, s, sides, n_sides, ctx);
}
