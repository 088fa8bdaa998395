/*
 * show_pocket.c - what an index says about itself.
 */
#include "cli/figure_lines.h"
#include "cli/layout.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/index.h"

#include <stdio.h>
#include <string.h>

/* ---- all of it ---------------------------------------------------------------------- */

static void print_parts(const dpl_index_info *i)
{
    cli_print("\nbytes\n");
    for (size_t k = 0; k < i->n_parts; k++) {
        char per[64], bytes[32];
        if (i->parts[k].n_bytes == 0)
            continue;
        snprintf(per, sizeof per, "%8.2f for each document",
                 i->n_docs ? (double)i->parts[k].n_bytes / i->n_docs : 0.0);
        cli_print("  %-12s %14s  %s  %s\n", i->parts[k].name,
                  cli_grouped(bytes, i->parts[k].n_bytes), per, i->parts[k].about);
    }
    char all[32];
    cli_print("  %-12s %14s  %8.2f for each document\n", "all", cli_grouped(all, i->n_bytes),
              i->n_docs ? (double)i->n_bytes / i->n_docs : 0.0);
}

static void print_receipt(const dpl_index_receipt *r)
{
    if (r->n_sampled == 0)
        return;
    cli_print(
        "\nneighbours of %u documents, and the share that queries find of them: by codes (%u "
        "candidates each), by default\n",
        r->n_sampled, r->candidates);
    cli_print("  similarity   nearest     pairs     codes    default\n");
    for (int b = DPL_INDEX_BINS - 1; b >= 0; b--)
        if (r->nearest[b] || r->pairs[b]) {
            char share[40] = "";
            if (r->pairs[b])
                snprintf(share, sizeof share, "%5.1f %%    %5.1f %%",
                         100.0 * r->found[b] / r->pairs[b],
                         100.0 * r->found_auto[b] / r->pairs[b]);
            cli_print("  %.2f - %.2f  %7u  %8u  %s\n", b / (double)DPL_INDEX_BINS,
                      (b + 1) / (double)DPL_INDEX_BINS, r->nearest[b], r->pairs[b], share);
        }
}

static void print_index(const dpl_index *index)
{
    dpl_index_info i = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &i);
    cli_print_summary(&dpl_index_info_figures, &i);
    print_parts(&i);
    print_receipt(i.receipt);
}

/* ---- of 'doppel show' --------------------------------------------------------------- */

static int open_index(void **out, const cli_show_request *request)
{
    dpl_error err = {0};
    dpl_index *index = NULL;
    int code = dpl_index_open(&index, request->ctx, request->path, &err) == DPL_OK
                   ? CLI_DONE
                   : cli_fail(&err);
    *out = index;
    return code;
}

static void close_index(void *object)
{
    dpl_index_close(object);
}

static void put_doc(dpl_json *j, const char *key, const dpl_index *index, uint32_t row)
{
    const dpl_index_doc d = dpl_index_document(index, row);
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "id", d.id);
    dpl_json_text(j, "title", d.title);
    dpl_json_cstr(j, "lang", d.lang);
    dpl_json_number(j, "words", d.n_words);
    dpl_json_end(j, '}');
}

static void print_doc(const dpl_index *index, uint32_t row)
{
    const dpl_index_doc d = dpl_index_document(index, row);
    dpl_str text = {0};
    cli_print("id         ");
    cli_print_line(d.id);
    cli_print("title      ");
    cli_print_line(d.title);
    cli_print("language   %s\nwords      %u\n", d.lang, d.n_words);
    if (dpl_index_text(index, row, &text, NULL) == DPL_OK) {
        cli_print("\n");
        cli_write(text.data, text.n);
        cli_print("\n");
    }
    dpl_index_free_text(index, text);
}

static uint32_t n_docs_of(const dpl_index *index)
{
    dpl_index_info i = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &i);
    return i.n_docs;
}

static void print_all(const void *index, const cli_show_request *request)
{
    const uint32_t n = n_docs_of(index);
    cli_print("\n");
    print_index(index);
    if (n)
        cli_print("\nfirst documents\n");
    for (uint32_t i = 0; i < cli_show_most(n, request->n_docs); i++) {
        const dpl_index_doc d = dpl_index_document(index, i);
        cli_print("  ");
        cli_show_cell(d.id, 16);
        cli_show_rest(d.title, 20);
    }
}

static void put_all(dpl_json *j, const void *index, const cli_show_request *request)
{
    dpl_index_info i = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &i);
    dpl_json_begin(j, "index", '{');
    dpl_summary_json(j, &(dpl_figures){.table = &dpl_index_info_figures, .summary = &i});
    dpl_json_begin(j, "first_documents", '[');
    for (uint32_t row = 0; row < cli_show_most(i.n_docs, request->n_docs); row++)
        put_doc(j, NULL, index, row);
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static int item(void *index, const cli_show_request *request, const char *item, dpl_json *j)
{
    uint32_t row;
    if (!dpl_index_find(index, (dpl_str){item, strlen(item)}, &row))
        return cli_show_missing(request, "document", item,
                                "'--top N' lists the first N documents");
    if (j)
        put_doc(j, "document", index, row);
    else
        print_doc(index, row);
    return CLI_DONE;
}

const cli_show_kind cli_show_pocket = {"pocket", open_index, print_all,
                                       put_all,  item,       close_index};
