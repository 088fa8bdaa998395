/*
 * show_codes.c - what 'doppel show' prints of similarity hash codes.
 */
#include "cli/notes.h"
#include "cli/show.h"
#include "cli/talk.h"

#include "doppel/codes.h"
#include "doppel/options.h"

#include <stdio.h>
#include <string.h>

static dpl_str id_of(const void *codes, uint32_t row)
{
    return dpl_codes_id(codes, row);
}

static int open_codes(void **out, const cli_show_request *request)
{
    dpl_error err = {0};
    dpl_codes *codes = NULL;
    const dpl_status status = dpl_codes_open(&codes, request->ctx, request->path, &err);
    *out = codes;
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

static void close_codes(void *codes)
{
    dpl_codes_close(codes);
}

static const char *hex(char out[17], const dpl_codes *codes, uint32_t row, unsigned c)
{
    snprintf(out, 17, "%016llx", (unsigned long long)dpl_codes_column(codes, c)[row]);
    return out;
}

static void put_row(dpl_json *j, const char *key, const dpl_codes *codes, uint32_t row)
{
    char digits[17];
    dpl_json_begin(j, key, '{');
    dpl_json_text(j, "id", dpl_codes_id(codes, row));
    dpl_json_begin(j, "codes", '[');
    for (unsigned c = 0; c < dpl_codes_get_info(codes).n_codes; c++)
        dpl_json_cstr(j, NULL, hex(digits, codes, row, c));
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static void print_row(const dpl_codes *codes, uint32_t row)
{
    const dpl_codes_info about = dpl_codes_get_info(codes);
    char digits[17];
    cli_print("  ");
    cli_show_cell(dpl_codes_id(codes, row), 12);
    for (unsigned c = 0; c < about.n_codes && c < 3; c++)
        cli_print(" %s", hex(digits, codes, row, c));
    cli_print("%s\n", about.n_codes > 3 ? " ..." : "");
}

static void print_codes(const void *object, const cli_show_request *request)
{
    const dpl_codes *codes = object;
    const dpl_codes_info about = dpl_codes_get_info(codes);
    const dpl_hash_options *o = dpl_hash_get_info(about.hash).options;
    const dpl_hash_function_info *info = dpl_hash_get_function_info(o->function);
    char remark[100];
    cli_print("\n");
    cli_print_count("rows", about.n_rows, "");
    snprintf(remark, sizeof remark, "of %u %s, %s, seed %llu", o->length, info->unit,
             info->name, (unsigned long long)dpl_hash_get_info(about.hash).seed);
    cli_print_count("codes", o->codes, remark);
    if (about.n_rows)
        cli_print("\nfirst rows\n");
    for (uint32_t row = 0; row < cli_show_most(about.n_rows, request->n_docs); row++)
        print_row(codes, row);
}

static void put_codes(dpl_json *j, const void *object, const cli_show_request *request)
{
    const dpl_codes *codes = object;
    const dpl_codes_info about = dpl_codes_get_info(codes);
    const dpl_hash_options *o = dpl_hash_get_info(about.hash).options;
    dpl_json_begin(j, "codes", '{');
    dpl_json_number(j, "rows", about.n_rows);
    dpl_json_number(j, "seed", dpl_hash_get_info(about.hash).seed);
    dpl_options_json(j, "settings", dpl_option_table_of("hash"), o, true);
    dpl_json_begin(j, "first_rows", '[');
    for (uint32_t row = 0; row < cli_show_most(about.n_rows, request->n_docs); row++)
        put_row(j, NULL, codes, row);
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static int item(void *object, const cli_show_request *request, const char *item, dpl_json *j)
{
    const dpl_codes *codes = object;
    uint32_t row;
    char digits[17];
    if (!cli_show_find(&row, dpl_codes_get_info(codes).n_rows, codes, id_of, item))
        return cli_show_missing(request, "row", item, "'--top N' lists the first N rows");
    if (j) {
        put_row(j, "row", codes, row);
        return CLI_DONE;
    }
    cli_print("id         ");
    cli_print_line(dpl_codes_id(codes, row));
    cli_print("\ncodes\n");
    for (unsigned c = 0; c < dpl_codes_get_info(codes).n_codes; c++)
        cli_print("  %s\n", hex(digits, codes, row, c));
    return CLI_DONE;
}

const cli_show_kind cli_show_codes = {"codes",   open_codes, print_codes,
                                      put_codes, item,       close_codes};
