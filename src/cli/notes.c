/*
 * notes.c - rows of labels and values, and the object that says the same.
 */
#include "cli/notes.h"

#include "cli/outfile.h"
#include "cli/talk.h"

#include <stdio.h>

/* ---- notes -------------------------------------------------------------------------- */

void cli_note_row(const char *label, const char *value, const char *remark)
{
    char line[600];
    cli_note("%s", cli_row(line, sizeof line, label, value, remark));
}

void cli_note_count(const char *label, uint64_t n, const char *remark)
{
    char number[32];
    cli_note_row(label, cli_grouped(number, n), remark);
}

void cli_note_skipped(const dpl_skip_list *list)
{
    static const dpl_drop reasons[] = {DPL_DROP_UTF8, DPL_DROP_MALFORMED, DPL_DROP_MISSING,
                                       DPL_DROP_LONG, DPL_DROP_DUPLICATE, DPL_DROP_FILE_TYPE};
    enum { MOST_OF_A_REASON = 3 };
    uint64_t n_all = 0, n_shown = 0;
    char remark[560], line[48], number[32];
    for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++) {
        unsigned n = 0;
        n_all += dpl_skip_list_count(list, reasons[r]);
        for (size_t i = 0; i < dpl_skip_list_n(list) && n < MOST_OF_A_REASON; i++) {
            const dpl_skipped s = dpl_skip_list_get(list, i);
            if (s.reason != reasons[r])
                continue;
            line[0] = '\0';
            if (s.line)
                snprintf(line, sizeof line, " %s %llu", s.is_numbered ? "document" : "line",
                         (unsigned long long)s.line);
            snprintf(remark, sizeof remark, "'%s'%s: %s", s.file, line,
                     s.text[0] ? s.text : dpl_drop_name(s.reason));
            cli_note_row(n_shown++ ? "" : "skipped", "", remark);
            n++;
        }
    }
    if (n_all > n_shown) {
        snprintf(remark, sizeof remark, "and %s more", cli_grouped(number, n_all - n_shown));
        cli_note_row("", "", remark);
    }
}

void cli_note_output(const char *path, uint64_t n_bytes)
{
    char value[32] = "", remark[400];
    snprintf(remark, sizeof remark, "'%s'", cli_output_name(path));
    cli_note_row("output", n_bytes ? cli_bytes(value, n_bytes) : "", remark);
}

void cli_note_time(double seconds, const char *remark, const dpl_ctx *ctx)
{
    char value[32], text[200];
    snprintf(value, sizeof value, "%.2f s", seconds);
    if (ctx)
        snprintf(text, sizeof text, "%s%s%u thread%s", remark, *remark ? ", " : "",
                 dpl_ctx_threads(ctx), dpl_ctx_threads(ctx) == 1 ? "" : "s");
    cli_note_row("time", value, ctx ? text : remark);
}

/* ---- data for people --------------------------------------------------------------- */

void cli_print_row(const char *label, const char *value, const char *remark)
{
    char line[1000];
    cli_print("%s\n", cli_row(line, sizeof line, label, value, remark));
}

void cli_print_count(const char *label, uint64_t n, const char *remark)
{
    char number[32];
    cli_print_row(label, cli_grouped(number, n), remark);
}

void cli_print_share(const char *label, double share, const char *remark)
{
    char value[32];
    snprintf(value, sizeof value, "%.4f", share);
    cli_print_row(label, value, remark);
}

/* ---- for programs ------------------------------------------------------------------- */

static void write_json(void *user, const char *data, size_t n)
{
    (void)user;
    cli_write(data, n);
}

dpl_json cli_json(void)
{
    return (dpl_json){.put = write_json};
}

dpl_json cli_summary_begin(bool is_stdout_taken)
{
    dpl_json j = cli_json();
    if (is_stdout_taken)
        cli_print_to_stderr();
    dpl_json_begin(&j, NULL, '{');
    return j;
}

void cli_summary_end(dpl_json *j)
{
    dpl_json_end(j, '}');
    cli_print("\n");
}

void cli_json_machine(dpl_json *j, const dpl_ctx *ctx)
{
    dpl_json_number(j, "peak_bytes", dpl_ctx_peak(ctx));
    dpl_json_number(j, "threads", dpl_ctx_threads(ctx));
    dpl_json_cstr(j, "cpu", dpl_cpu_name(dpl_ctx_cpu(ctx)));
}
