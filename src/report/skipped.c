/*
 * skipped.c - records that were left out: files in work/, and a section of the report.
 */
#include "report/skipped.h"

#include "report/markup.h"

#include <stdio.h>
#include <unistd.h>

enum { SHOWN = 12 }; /* records of a reason */

void dpl__skipped_path(char out[4200], const char *work, const char *name)
{
    snprintf(out, 4200, "%s/skipped-%s.tsv", work, name);
}

void dpl__skipped_remove(const char *work, const char *name)
{
    char path[4200];
    dpl__skipped_path(path, work, name);
    unlink(path);
}

dpl_status dpl__skipped_save(const struct dpl_skip_list *list, const char *work,
                             const char *name, dpl_error *err)
{
    char path[4200];
    dpl__skipped_path(path, work, name);
    if (list->inputs.n)
        return dpl__skips_write(list, path, err);
    unlink(path);
    return DPL_OK;
}

dpl_status dpl__skipped_load(struct dpl_skip_list *list, const char *work, const char *name,
                             dpl_error *err)
{
    char path[4200];
    struct dpl_skip_list more = {.ctx = list->ctx};
    dpl__skipped_path(path, work, name);
    dpl_status status;
    DPL__STEP(dpl__skips_read(&more, path, err));
    DPL__STEP(dpl__need(dpl__skips_merge(list, &more), err));
done:
    dpl__skips_clear(&more);
    return status;
}

/* ---- the report --------------------------------------------------------------------- */

bool dpl__has_skipped(const dpl_skip_list *list)
{
    for (int i = 0; i < DPL_N_DROPS; i++)
        if (dpl__is_listed((dpl_drop)i) && dpl_skip_list_count(list, (dpl_drop)i))
            return true;
    return false;
}

static void put_record(dpl_output *o, const dpl_skipped *s)
{
    dpl__markup_put(o, "<tr><th scope=\"row\"><code>$</code></th><td class=\"num\">",
                    dpl__as_name(s->file));
    if (s->line)
        dpl__markup_put(o, "$", dpl__as_count(s->line));
    dpl__markup_put(o, "</td><td>$</td><td class=\"note\">$</td></tr>\n",
                    dpl__as_name(dpl_drop_name(s->reason)), dpl__as_name(s->text));
}

void dpl__report_skipped(dpl_output *o, const dpl_skip_list *list)
{
    unsigned shown[DPL_MOST_DROPS] = {0};
    dpl__markup_raw(o, "<p>Records of the inputs that did not become documents: ");
    bool is_first = true;
    for (int i = 0; i < DPL_N_DROPS; i++) {
        const uint64_t n = dpl_skip_list_count(list, (dpl_drop)i);
        if (!n)
            continue;
        dpl__markup_put(o, "$$ $", dpl__as_name(is_first ? "" : ", "), dpl__as_count(n),
                        dpl__as_name(dpl_drop_name((dpl_drop)i)));
        is_first = false;
    }
    if (!dpl_skip_list_n(list)) {
        dpl__markup_raw(o, ".</p>\n");
        return;
    }
    dpl__markup_raw(
        o, ". The first ones of each reason:</p>\n<div class=\"scroll\"><table>"
           "<caption class=\"away\">Skipped records</caption><thead><tr>"
           "<th scope=\"col\">file</th><th scope=\"col\" class=\"num\">line</th>"
           "<th scope=\"col\">reason</th><th scope=\"col\"></th></tr></thead><tbody>\n");
    for (size_t i = 0; i < dpl_skip_list_n(list); i++) {
        const dpl_skipped s = dpl_skip_list_get(list, i);
        if (shown[s.reason]++ < SHOWN)
            put_record(o, &s);
    }
    dpl__markup_raw(o, "</tbody></table></div>\n");
}
