/*
 * settings_file.c - settings of a run, written and compared byte for byte.
 */
#include "io/settings_file.h"

#include "io/lines.h"
#include "io/text_output.h"

#include <stdio.h>

dpl_status dpl__settings_write(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, path, err));
    dpl__put_str(o, text);
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- comparing ---------------------------------------------------------------------- */

/* The value that holds place `at` of a line, with its key: what lies between two commas or
 * brackets. */
static dpl_str value_at(dpl_str line, size_t at)
{
    size_t from = dpl__min(at, line.n), to = from;
    while (from > 0 && !strchr("{[,", line.data[from - 1]))
        from--;
    while (from < to && line.data[from] == ' ')
        from++;
    while (to < line.n && !strchr("}],", line.data[to]))
        to++;
    return (dpl_str){line.data ? line.data + from : "", dpl__min(to - from, (size_t)80)};
}

/* The key that a line begins with; the line may have none. */
static dpl_str key_of(dpl_str line)
{
    const char *begin = line.n ? memchr(line.data, '"', line.n) : NULL;
    size_t n_rest = begin ? line.n - (size_t)(begin + 1 - line.data) : 0;
    const char *end = n_rest ? memchr(begin + 1, '"', n_rest) : NULL;
    return end ? (dpl_str){begin + 1, (size_t)(end - begin) - 1} : DPL_STR("text");
}

/* Says what differs between a line of the file and this run's; one of them may be empty. */
static dpl_status fail_other(const char *path, dpl_str old, dpl_str new, dpl_error *err)
{
    size_t at = 0;
    while (at < old.n && at < new.n &&old.data[at] == new.data[at])
        at++;
    dpl_str key = key_of(new.n ? new : old), was = value_at(old, at), is = value_at(new, at);
    return dpl__fail_code(err, DPL_E_USAGE, "resume-other-run",
                          "'%s' is of another run: '%.*s' has %.*s, in this run %.*s", path,
                          (int)key.n, key.data, was.n ? (int)was.n : 7,
                          was.n ? was.data : "nothing", is.n ? (int)is.n : 7,
                          is.n ? is.data : "nothing");
}

/* The first line of a text, without its end; the text becomes the rest. */
static dpl_str take_line(dpl_str *text)
{
    const char *end = text->n ? memchr(text->data, '\n', text->n) : NULL;
    dpl_str line = {text->data, end ? (size_t)(end - text->data) : text->n};
    size_t n_taken = line.n + (end != NULL);
    *text = (dpl_str){text->data ? text->data + n_taken : NULL, text->n - n_taken};
    return line;
}

dpl_status dpl__settings_compare(dpl_ctx *ctx, const char *path, dpl_str text, dpl_error *err)
{
    dpl__lines old;
    DPL_TRY(dpl__lines_open(&old, ctx, path, err));
    dpl_str rest = text, line;
    dpl_status status;
    while ((status = dpl__lines_next(&old, &line, err)) == DPL_OK) {
        bool is_more = rest.n > 0;
        dpl_str own = take_line(&rest);
        if (!is_more) {
            dpl__fail(err, DPL_E_USAGE, "'%s' is not as it was written: it has more lines",
                      path);
            status = dpl__code(err, DPL_E_USAGE, "resume-other-run");
            break;
        }
        if (!dpl__str_eq(own, line)) {
            status = fail_other(path, line, own, err);
            break;
        }
    }
    if (status == DPL_END)
        status = rest.n ? fail_other(path, (dpl_str){0}, take_line(&rest), err) : DPL_OK;
    dpl__lines_close(&old);
    return status;
}

bool dpl__settings_are_of(dpl_ctx *ctx, const char *path, const char *first_key)
{
    char begin[80];
    dpl__lines lines;
    dpl_str line = {0};
    snprintf(begin, sizeof begin, "  \"%s\": ", first_key);
    if (dpl__lines_open(&lines, ctx, path, NULL) != DPL_OK)
        return false;
    bool is_ours = dpl__lines_next(&lines, &line, NULL) == DPL_OK &&
                   dpl__str_eq(line, dpl__cstr("{")) &&
                   dpl__lines_next(&lines, &line, NULL) == DPL_OK && line.n >= strlen(begin) &&
                   memcmp(line.data, begin, strlen(begin)) == 0;
    dpl__lines_close(&lines);
    return is_ours;
}
