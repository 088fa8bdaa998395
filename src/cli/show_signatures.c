/*
 * show_signatures.c - what 'doppel show' prints of signatures.
 */
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/signatures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Signatures and what is to be shown of them. */
typedef struct view {
    dpl_signatures *s;
    uint32_t row; /* the item */
} view;

/* ---- open ------------------------------------------------------------------------------ */

static dpl_str id_of(const void *signatures, uint32_t row)
{
    return dpl_signatures_id(signatures, row);
}

static int open_view(void **out, const cli_show_request *request)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    view *v = *out = calloc(1, sizeof *v);
    if (!v || dpl_signatures_open(&v->s, request->ctx, request->path, &err) != DPL_OK)
        return cli_fail(&err);
    return CLI_DONE;
}

static void close_view(void *object)
{
    view *v = object;
    if (!v)
        return;
    dpl_signatures_close(v->s);
    free(v);
}

/* ---- rows --------------------------------------------------------------------------- */

enum { MOST_ID = 24, MOST_DIGITS = 17 };

static bool is_minhash(const view *v)
{
    return dpl_signatures_get_sizes(v->s)->method == DPL_SIGN_MINHASH;
}

static bool has_numbers(const view *v)
{
    return dpl_sign_get_method_info(dpl_signatures_get_sizes(v->s)->method)->has_products;
}

static const char *unit(const view *v)
{
    return dpl_sign_get_method_info(dpl_signatures_get_sizes(v->s)->method)->unit;
}

/* Pieces of a signature: words of 64 bits, values or numbers. */
static uint32_t n_pieces(const view *v)
{
    const dpl_signatures_sizes *n = dpl_signatures_get_sizes(v->s);
    return is_minhash(v) || has_numbers(v) ? n->length : n->n_words;
}

static unsigned n_digits(const view *v)
{
    return is_minhash(v) ? 8 : has_numbers(v) ? 4 : 16;
}

/* The i-th piece, in hexadecimal if it is not a number. */
static const char *piece(char out[MOST_DIGITS], const view *v, uint32_t row, uint32_t i)
{
    const uint64_t *words = dpl_signatures_row(v->s, row);
    if (is_minhash(v))
        snprintf(out, MOST_DIGITS, "%08x",
                 (unsigned)(words[i / 2] >> 32 * (i % 2) & UINT32_MAX));
    else if (has_numbers(v))
        snprintf(out, MOST_DIGITS, "%4d", (int8_t)(words[i / 8] >> 8 * (i % 8) & 255));
    else
        snprintf(out, MOST_DIGITS, "%016llx", (unsigned long long)words[i]);
    return out;
}

static void print_first(const view *v, uint32_t n_rows)
{
    char digits[MOST_DIGITS];
    unsigned columns = 2;
    for (uint32_t row = 0; row < n_rows; row++)
        columns = cli_show_wider(columns, dpl_signatures_id(v->s, row), MOST_ID);
    unsigned used = 2 + columns + 1;
    unsigned width = cli_width(STDOUT_FILENO), room = width < used + 20 ? 20 : width - used;
    unsigned n_shown = (room - 4) / (n_digits(v) + 1); /* " ..." behind them */
    if (n_rows)
        cli_print("\nfirst rows\n  %-*s  signature\n", (int)columns, "id");
    for (uint32_t row = 0; row < n_rows; row++) {
        cli_print("  ");
        cli_show_cell(dpl_signatures_id(v->s, row), columns);
        for (uint32_t i = 0; i < n_pieces(v) && i < n_shown; i++)
            cli_print("%s%s", i ? " " : "", piece(digits, v, row, i));
        cli_print("%s\n", n_pieces(v) > n_shown ? " ..." : "");
    }
}

static void put_row(dpl_json *j, const char *key, const view *v, uint32_t row)
{
    char digits[MOST_DIGITS];
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "id", dpl_signatures_id(v->s, row));
    dpl_json_begin(j, "signature", '[');
    for (uint32_t i = 0; i < n_pieces(v); i++) {
        const char *text = piece(digits, v, row, i);
        if (has_numbers(v))
            dpl_json_raw(j, NULL,
                         (dpl_str){text + strspn(text, " "), strlen(text + strspn(text, " "))});
        else
            dpl_json_cstr(j, NULL, text);
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- the two views ------------------------------------------------------------------ */

static void print_signatures(const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_signatures_sizes *n = dpl_signatures_get_sizes(v->s);
    dpl_str settings = dpl_signatures_get_info(v->s).settings;
    char remark[100];
    cli_print("\n");
    cli_print_count("rows", n->n_rows, "");
    snprintf(remark, sizeof remark, "%s, seed %llu", dpl_sign_get_method_info(n->method)->name,
             (unsigned long long)n->seed);
    cli_print_count(unit(v), n->length, remark);
    cli_print("\nsettings\n  %.*s\n", (int)settings.n, settings.data);
    print_first(v, (uint32_t)cli_show_most(n->n_rows, request->n_docs));
}

static void put_signatures(dpl_json *j, const void *object, const cli_show_request *request)
{
    const view *v = object;
    const dpl_signatures_sizes *n = dpl_signatures_get_sizes(v->s);
    dpl_json_begin(j, "signatures", '{');
    dpl_json_number(j, "rows", n->n_rows);
    dpl_json_cstr(j, "method", dpl_sign_get_method_info(n->method)->name);
    dpl_json_number(j, unit(v), n->length);
    dpl_json_number(j, "seed", n->seed);
    dpl_json_raw(j, "settings", dpl_signatures_get_info(v->s).settings);
    dpl_json_begin(j, "first_rows", '[');
    for (uint32_t row = 0; row < cli_show_most(n->n_rows, request->n_docs); row++)
        put_row(j, NULL, v, row);
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static void print_one_row(const view *v)
{
    char digits[MOST_DIGITS];
    const uint32_t a_line = 64 / n_digits(v);
    cli_print("id         ");
    cli_print_line(dpl_signatures_id(v->s, v->row));
    cli_print("\nsignature\n");
    for (uint32_t i = 0; i < n_pieces(v); i++)
        cli_print("%s%s%s", i % a_line ? " " : "  ", piece(digits, v, v->row, i),
                  (i + 1) % a_line && i + 1 < n_pieces(v) ? "" : "\n");
}

static int item(void *object, const cli_show_request *request, const char *item, dpl_json *j)
{
    view *v = object;
    if (!cli_show_find(&v->row, dpl_signatures_get_sizes(v->s)->n_rows, v->s, id_of, item))
        return cli_show_missing(request, "row", item, "'--top N' lists the first N rows");
    if (j)
        put_row(j, "row", v, v->row);
    else
        print_one_row(v);
    return CLI_DONE;
}

const cli_show_kind cli_show_signatures = {"signatures",   open_view, print_signatures,
                                           put_signatures, item,      close_view};
