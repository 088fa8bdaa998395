/*
 * show_pocket.c - what an index says about itself.
 */
#include "cli/layout.h"
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/index.h"

#include <stdio.h>
#include <string.h>

/* ---- all of it ---------------------------------------------------------------------- */

static void put_parts(dpl_json *j, const dpl_index_info *i)
{
    dpl_json_begin(j, "parts", '[');
    for (size_t k = 0; k < i->n_parts; k++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "name", i->parts[k].name);
        dpl_json_cstr(j, "about", i->parts[k].about);
        dpl_json_number(j, "bytes", i->parts[k].n_bytes);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static void put_bins(dpl_json *j, const char *key, const uint32_t *bins)
{
    dpl_json_begin(j, key, '[');
    for (int b = 0; b < DPL_INDEX_BINS; b++)
        dpl_json_number(j, NULL, bins[b]);
    dpl_json_end(j, ']');
}

static void put_receipt(dpl_json *j, const dpl_index_receipt *r)
{
    dpl_json_begin(j, "receipt", '{');
    dpl_json_number(j, "sampled", r->n_sampled);
    dpl_json_number(j, "candidates", r->candidates);
    put_bins(j, "nearest", r->nearest);
    put_bins(j, "pairs", r->pairs);
    put_bins(j, "found", r->found);
    put_bins(j, "found_auto", r->found_auto);
    dpl_json_end(j, '}');
}

static void put_index(dpl_json *j, const dpl_index *index)
{
    dpl_index_info i = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &i);
    dpl_json_number(j, "documents", i.n_docs);
    dpl_json_number(j, "words", i.n_words);
    dpl_json_number(j, "terms", i.n_terms);
    dpl_json_begin(j, "languages", '[');
    for (size_t k = 0; k < i.n_langs; k++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "lang", i.langs[k].lang);
        dpl_json_number(j, "documents", i.langs[k].n_docs);
        dpl_json_number(j, "words", i.langs[k].n_words);
        dpl_json_bool(j, "translated", i.langs[k].is_translated);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_cstr(j, "pivot", *i.pivot ? i.pivot : NULL);
    dpl_json_cstr(j, "function", dpl_hash_get_function_info(i.function)->name);
    dpl_json_number(j, "code_length", i.code_length);
    dpl_json_number(j, "codes_of_document", i.codes_per_doc);
    dpl_json_number(j, "checksum", i.checksum);
    dpl_json_number(j, "codes", i.n_codes);
    dpl_json_number(j, "slots", i.n_slots);
    dpl_json_decimal(j, "bits_per_slot", i.bits_per_slot);
    dpl_json_bool(j, "vectors", i.has_vectors);
    dpl_json_bool(j, "postings", i.has_postings);
    dpl_json_bool(j, "texts", i.has_texts);
    dpl_json_bool(j, "lexicon", i.has_lexicon);
    dpl_json_bool(j, "stem", i.is_stemmed);
    dpl_json_number(j, "bytes", i.n_bytes);
    put_parts(j, &i);
    put_receipt(j, i.receipt);
}

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
    char remark[160];
    dpl_index_describe(index, &i);
    const dpl_hash_function_info *function = dpl_hash_get_function_info(i.function);
    cli_print_count("documents", i.n_docs, "");
    for (size_t k = 0; k < i.n_langs && k < 20; k++) {
        snprintf(remark, sizeof remark, "documents%s%s",
                 i.langs[k].is_translated ? ", translated into " : "",
                 i.langs[k].is_translated ? i.pivot : "");
        cli_print_count(i.langs[k].lang, i.langs[k].n_docs, remark);
    }
    snprintf(remark, sizeof remark, "different ones: %u", i.n_terms);
    cli_print_count("words", i.n_words, remark);
    snprintf(remark, sizeof remark, "for each document, of %u %s, %s", i.code_length,
             function->unit, function->name);
    cli_print_count("codes", i.codes_per_doc, remark);
    snprintf(remark, sizeof remark, "of %llu codes, %.2f bits each, checksum of %u bits",
             (unsigned long long)i.n_codes, i.bits_per_slot, i.checksum);
    cli_print_count("slots", i.n_slots, remark);
    snprintf(remark, sizeof remark, "%s%s%s%s%s", i.has_vectors ? "vectors" : "no vectors",
             i.has_postings ? ", postings" : "", i.has_texts ? ", texts" : "",
             i.has_lexicon ? ", lexicon" : "", i.is_stemmed ? ", stems" : "");
    cli_print_row("holds", remark, "");
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
    dpl_json_begin(j, "index", '{');
    put_index(j, index);
    dpl_json_begin(j, "first_documents", '[');
    for (uint32_t i = 0; i < cli_show_most(n_docs_of(index), request->n_docs); i++)
        put_doc(j, NULL, index, i);
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
