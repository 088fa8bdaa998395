/*
 * skips.c - the list of records that did not become documents.
 *
 * A list in order of place, of at most DPL__SKIPS_MOST records for each reason; a new one
 * replaces the last of its reason when it stands before it. Cost: for the first ones a search
 * in a list of a few hundred, for all others one comparison.
 */
#include "readers/skips.h"

#include "base/ascii.h"

#include "io/lines.h"
#include "io/sealed.h"
#include "io/text_output.h"

#include <stdio.h>
#include <unistd.h>

bool dpl__is_listed(dpl_drop reason)
{
    switch (reason) {
    case DPL_DROP_REDIRECT:
    case DPL_DROP_NAMESPACE:
    case DPL_DROP_STUB:
    case DPL_DROP_DISAMBIGUATION:
    case DPL_DROP_LIST:
    case DPL_DROP_LANGUAGE: return false;
    default: return true;
    }
}

static int compare(const dpl__skip *a, const dpl__skip *b)
{
    if (a->input != b->input)
        return a->input < b->input ? -1 : 1;
    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* The last record of the reason; n: none. */
static size_t last_of(const struct dpl_skip_list *list, dpl_drop reason)
{
    assert(reason < DPL_N_DROPS);
    for (size_t i = list->records.n; i-- > 0;)
        if (list->records.data[i].reason == reason)
            return i;
    return list->records.n;
}

bool dpl__skips_wants(const struct dpl_skip_list *list, const dpl__skip *at)
{
    if (!dpl__is_listed(at->reason))
        return false;
    return list->n_of[at->reason] < DPL__SKIPS_MOST ||
           compare(at, &list->records.data[last_of(list, at->reason)]) < 0;
}

bool dpl__skips_add(struct dpl_skip_list *list, const dpl__skip *skip)
{
    if (!dpl__skips_wants(list, skip))
        return true;
    if (list->n_of[skip->reason] == DPL__SKIPS_MOST) {
        const size_t i = last_of(list, skip->reason);
        memmove(&list->records.data[i], &list->records.data[i + 1],
                (--list->records.n - i) * sizeof *skip);
        list->n_of[skip->reason]--;
    }
    if (!dpl__vec_reserve(list->ctx, &list->records, 1))
        return false;
    size_t at = list->records.n;
    while (at && compare(skip, &list->records.data[at - 1]) < 0)
        at--;
    assert(at <= list->records.n);
    memmove(&list->records.data[at + 1], &list->records.data[at],
            (list->records.n - at) * sizeof *skip);
    list->records.data[at] = *skip;
    list->records.n++;
    list->n_of[skip->reason]++;
    return true;
}

static dpl__skip_input *find_input(const struct dpl_skip_list *list, const char *name)
{
    for (size_t i = 0; i < list->inputs.n; i++)
        if (strncmp(list->inputs.data[i].name, name, sizeof list->inputs.data[i].name - 1) == 0)
            return &list->inputs.data[i];
    return NULL;
}

static dpl__skip_input *add_input(struct dpl_skip_list *list, const char *name, uint32_t number)
{
    for (size_t i = list->inputs.n; i-- > 0;)
        if (list->inputs.data[i].number == number)
            return &list->inputs.data[i];
    dpl__skip_input new = {.number = number};
    snprintf(new.name, sizeof new.name, "%s", name);
    return dpl__vec_push(list->ctx, &list->inputs, new) ? &list->inputs.data[list->inputs.n - 1]
                                                        : NULL;
}

bool dpl__skips_take(struct dpl_skip_list *list, const struct dpl_skip_list *part,
                     const char *input, uint32_t number, const dpl_read_counts *counts)
{
    for (int i = 0; i < DPL_N_DROPS; i++) {
        if (!counts->n_dropped[i] || i == DPL_DROP_LANGUAGE)
            continue;
        dpl__skip_input *in = add_input(list, input, number);
        if (!in)
            return false;
        in->n[i] += counts->n_dropped[i];
    }
    for (size_t i = 0; i < part->records.n; i++) {
        dpl__skip skip = part->records.data[i];
        skip.input = number;
        if (!dpl__skips_add(list, &skip))
            return false;
    }
    return true;
}

bool dpl__skips_merge(struct dpl_skip_list *list, const struct dpl_skip_list *more)
{
    const size_t n_before = list->inputs.n;
    for (size_t i = 0; i < more->inputs.n; i++) {
        const dpl__skip_input *in = &more->inputs.data[i];
        dpl__skip_input *there = find_input(list, in->name);
        if (there && (size_t)(there - list->inputs.data) < n_before)
            continue;
        dpl__skip_input copy = *in;
        copy.number = (uint32_t)list->inputs.n;
        if (!dpl__vec_push(list->ctx, &list->inputs, copy))
            return false;
        for (size_t k = 0; k < more->records.n; k++) {
            dpl__skip skip = more->records.data[k];
            const bool is_of_it = skip.input == in->number;
            skip.input = copy.number;
            if (is_of_it && !dpl__skips_add(list, &skip))
                return false;
        }
    }
    return true;
}

void dpl__skips_reset(struct dpl_skip_list *list)
{
    list->records.n = list->inputs.n = 0;
    memset(list->n_of, 0, sizeof list->n_of);
}

void dpl__skips_clear(struct dpl_skip_list *list)
{
    if (!list->ctx)
        return;
    dpl__vec_clear(list->ctx, &list->records, &list->inputs);
    dpl__skips_reset(list);
}

/* ---- for everybody ---------------------------------------------------------------------- */

dpl_status dpl_skip_list_new(dpl_skip_list **out, dpl_ctx *ctx, dpl_error *err)
{
    *out = dpl__calloc(ctx, 1, sizeof **out);
    DPL_TRY(dpl__need(*out, err));
    (*out)->ctx = ctx;
    return DPL_OK;
}

void dpl_skip_list_free(dpl_skip_list *list)
{
    if (!list)
        return;
    dpl__skips_clear(list);
    dpl__free(list->ctx, list);
}

size_t dpl_skip_list_n(const dpl_skip_list *list)
{
    return list ? list->records.n : 0;
}

dpl_skipped dpl_skip_list_get(const dpl_skip_list *list, size_t i)
{
    assert(i < dpl_skip_list_n(list));
    const dpl__skip *s = &list->records.data[i];
    return (dpl_skipped){.file = s->file,
                         .line = s->line,
                         .reason = s->reason,
                         .text = s->text,
                         .is_numbered = s->is_numbered};
}

uint64_t dpl_skip_list_count(const dpl_skip_list *list, dpl_drop reason)
{
    uint64_t n = 0;
    for (size_t i = 0; list && i < list->inputs.n; i++)
        n += list->inputs.data[i].n[reason];
    return n;
}

void dpl__skip_list_json(const dpl_skip_list *list, dpl_json *j, const char *key)
{
    dpl_json_begin(j, key, '{');
    dpl_json_begin(j, "counts", '{');
    for (int i = 0; i < DPL_N_DROPS; i++) {
        const uint64_t n = dpl_skip_list_count(list, (dpl_drop)i);
        if (n)
            dpl_json_number(j, dpl_drop_name((dpl_drop)i), n);
    }
    dpl_json_end(j, '}');
    dpl_json_begin(j, "records", '[');
    for (size_t i = 0; i < dpl_skip_list_n(list); i++) {
        const dpl_skipped s = dpl_skip_list_get(list, i);
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "file", s.file);
        if (s.line)
            dpl_json_number(j, s.is_numbered ? "document" : "line", s.line);
        dpl_json_cstr(j, "reason", dpl_drop_name(s.reason));
        if (s.text[0])
            dpl_json_cstr(j, "text", s.text);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- as a file ---------------------------------------------------------------------- */

/* A line for each input, an empty one, a line for each record; fields between tabs. */

static void put_numbers(dpl_output *o, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dpl__put(o, "\t%llu", (unsigned long long)numbers[i]);
}

dpl_status dpl__skips_write(const struct dpl_skip_list *list, const char *path, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, list->ctx, path, err));
    for (size_t i = 0; i < list->inputs.n; i++) {
        const dpl__skip_input *in = &list->inputs.data[i];
        dpl__put_field(o, dpl__cstr(in->name), "");
        put_numbers(o, &(uint64_t){in->number}, 1);
        put_numbers(o, in->n, DPL_N_DROPS);
        dpl_output_write(o, "\n", 1);
    }
    dpl_output_write(o, "\n", 1);
    for (size_t i = 0; i < list->records.n; i++) {
        const dpl__skip *s = &list->records.data[i];
        const uint64_t numbers[] = {s->input, s->member, s->line, s->reason, s->is_numbered};
        dpl__put_field(o, dpl__cstr(s->file), "");
        put_numbers(o, numbers, DPL_LEN(numbers));
        dpl__put(o, "\t");
        dpl__put_field(o, dpl__cstr(s->text), "\n");
    }
    dpl__output_seal(o);
    return dpl__output_end(o, DPL_OK, err);
}

static uint64_t next_number(dpl_str *line)
{
    dpl_str field = dpl__next_column(line);
    return dpl__take_digits(&field);
}

static void next_text(dpl_str *line, char *out, size_t room)
{
    const dpl_str field = dpl__next_column(line);
    const size_t n = dpl__min(field.n, room - 1);
    if (n)
        memcpy(out, field.data, n);
    out[n] = '\0';
}

static bool take_input(struct dpl_skip_list *list, dpl_str line)
{
    dpl__skip_input in = {.n = {0}};
    next_text(&line, in.name, sizeof in.name);
    in.number = (uint32_t)next_number(&line);
    for (int i = 0; i < DPL_N_DROPS; i++)
        in.n[i] = next_number(&line);
    return dpl__vec_push(list->ctx, &list->inputs, in);
}

static bool take_record(struct dpl_skip_list *list, dpl_str line)
{
    dpl__skip s = {0};
    next_text(&line, s.file, sizeof s.file);
    s.input = (uint32_t)next_number(&line);
    s.member = next_number(&line);
    s.line = next_number(&line);
    const uint64_t reason = next_number(&line);
    s.is_numbered = next_number(&line) != 0;
    next_text(&line, s.text, sizeof s.text);
    if (reason >= DPL_N_DROPS) /* of a newer version */
        return true;
    s.reason = (dpl_drop)reason;
    return dpl__skips_add(list, &s);
}

dpl_status dpl__skips_read(struct dpl_skip_list *list, const char *path, dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line;
    dpl__skips_reset(list);
    if (access(path, R_OK) != 0)
        return DPL_OK;
    bool is_record = false;
    dpl_status status;
    DPL__STEP(dpl__check_seal(list->ctx, path, err));
    DPL__STEP(dpl__lines_open(&lines, list->ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK && !dpl__is_seal(line)) {
        const bool is_ok = !line.n     ? true
                           : is_record ? take_record(list, line)
                                       : take_input(list, line);
        is_record |= !line.n;
        DPL__STEP(dpl__need(is_ok, err));
    }
done:
    dpl__lines_close(&lines);
    return status < 0 ? status : DPL_OK;
}
