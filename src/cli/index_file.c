/*
 * index_file.c - the summary of an index that was written.
 */
#include "cli/index_file.h"

#include "cli/outfile.h"

#include <stdio.h>

static void print_json(const dpl_index_summary *s, const dpl_page_summary *page,
                       const dpl_ctx *ctx, const char *path, const char *page_path)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_number(&j, "documents", s->n_docs);
    dpl_json_number(&j, "empty", s->n_empty);
    dpl_json_number(&j, "deleted", s->n_deleted);
    dpl_json_number(&j, "codes", s->n_codes);
    dpl_json_number(&j, "slots", s->n_slots);
    if (path) {
        dpl_json_cstr(&j, "output", path);
        dpl_json_number(&j, "bytes", s->n_bytes);
    }
    if (page_path) {
        dpl_json_cstr(&j, "page", page_path);
        dpl_json_number(&j, "page_bytes", page->n_bytes);
    }
    dpl_json_number(&j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(&j, "seconds", (path ? s->seconds : 0) + (page_path ? page->seconds : 0));
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

void cli_index_summary(const dpl_index_summary *s, const dpl_ctx *ctx, const char *path)
{
    cli_page_summary(s, NULL, ctx, path, NULL);
}

void cli_page_summary(const dpl_index_summary *s, const dpl_page_summary *page,
                      const dpl_ctx *ctx, const char *path, const char *page_path)
{
    char remark[100];
    if (cli_set.json) {
        print_json(s, page, ctx, path, page_path);
        return;
    }
    snprintf(remark, sizeof remark, s->n_deleted ? "%u left out or replaced" : "%.0u",
             s->n_deleted);
    cli_note_count("documents", s->n_docs, remark);
    if (s->n_empty)
        cli_note_count("empty", s->n_empty, "documents without words");
    snprintf(remark, sizeof remark, "of %llu codes", (unsigned long long)s->n_codes);
    cli_note_count("slots", s->n_slots, remark);
    if (path)
        cli_note_output(path, s->n_bytes);
    if (path && s->n_docs) {
        snprintf(remark, sizeof remark, "bytes for each document");
        cli_note_count("", s->n_bytes / s->n_docs, remark);
    }
    if (page_path)
        cli_note_output(page_path, page->n_bytes);
    cli_note_time((path ? s->seconds : 0) + (page_path ? page->seconds : 0), "", ctx);
}
