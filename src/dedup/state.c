/*
 * state.c - documents that earlier runs have seen.
 *
 * The file is the collection of the last run, with two more sections: short names of the
 * inputs, each with its terminator, and their fingerprints. Its ids begin with numbers of these
 * inputs. A later run reads the documents of each of them as an input of that name, before its
 * own inputs, and so does what one run over all of them would do; words of documents that are
 * as they were are taken from the file (dpl_import_options.update). The file is replaced when
 * everything else is written.
 */
#include "dedup/state.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "tokens/collection.h"
#include "tokens/input_ids.h"
#include "tokens/input_names.h"
#include "tokens/input_print.h"

#include <unistd.h>

/* The documents [next, end) of the collection, with their ids as they were read. */
typedef struct range {
    const dpl_collection *c;
    uint32_t next, end;
    dpl_doc_source source;
} range;

static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    range *r = user;
    (void)err;
    if (r->next == r->end)
        return DPL_END;
    *doc = dpl_collection_doc(r->c, r->next++);
    (void)dpl__input_number(&doc->id);
    return DPL_OK;
}

static dpl_status not_a_state(const dpl__state *s, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_FORMAT, "not-a-state", "'%s' is not a state of dedup",
                          s->path);
}

static bool has_number(dpl_str id)
{
    size_t n = 0;
    while (n < id.n && n < 9 && dpl__is_digit(id.data[n]))
        n++;
    return n > 0 && n < id.n && id.data[n] == ':';
}

/* Where the documents of the input begin and end; those of the next one follow. */
static dpl_status take_range(range *out, const dpl__state *s, uint32_t first, size_t input,
                             dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(s->c)->n_docs;
    *out = (range){.c = s->c, .next = first, .end = first};
    for (; out->end < n_docs; out->end++) {
        dpl_str id = dpl_collection_doc(s->c, out->end).id;
        if (!has_number(id))
            return dpl__fail(err, DPL_E_FORMAT, "'%s': an id without the number of its input",
                             s->path);
        const size_t number = dpl__input_number(&id);
        if (number < input)
            return dpl__fail(err, DPL_E_FORMAT, "'%s': documents of an input are not together",
                             s->path);
        if (number > input)
            break;
    }
    return DPL_OK;
}

static bool is_given_again(const char *name, uint64_t print, const dpl_input *inputs,
                           const uint64_t *prints, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (print && print == prints[i] &&
            dpl__str_eq(dpl__cstr(name), dpl__input_short_name(&inputs[i])))
            return true;
    return false;
}

/* What the file says about its inputs. */
typedef struct listed {
    const char *names; /* n of them, each with its terminator */
    const uint64_t *prints;
    size_t n;
} listed;

static dpl_status read_list(listed *out, const dpl__state *s, const dpl_file *file,
                            dpl_error *err)
{
    dpl_section names, prints;
    size_t n = 0;
    if (strcmp(dpl_file_get_info(file).kind, "collection") != 0 ||
        !dpl_file_find(file, "input.names", &names) ||
        !dpl_file_find(file, "input.prints", &prints))
        return not_a_state(s, err);
    for (size_t i = 0; i < names.n_bytes; i++)
        n += ((const char *)names.data)[i] == '\0';
    *out = (listed){names.data, prints.data, n};
    if (prints.element != 8 || prints.n_bytes != n * sizeof *out->prints ||
        (names.n_bytes && out->names[names.n_bytes - 1] != '\0'))
        return dpl__fail(err, DPL_E_FORMAT, "'%s': the list of inputs is impossible", s->path);
    return DPL_OK;
}

static dpl_status add_earlier(dpl__state *s, const listed *l, const dpl_input *inputs,
                              const uint64_t *prints, size_t n, dpl_error *err)
{
    const char *name = l->names;
    range *ranges = dpl__arena_alloc(&s->arena, (l->n + 1) * sizeof *ranges);
    DPL_TRY(dpl__need(ranges, err));
    uint32_t first = 0;
    for (size_t i = 0; i < l->n; i++, name += strlen(name) + 1) {
        DPL_TRY(take_range(&ranges[i], s, first, i, err));
        first = ranges[i].end;
        if (is_given_again(name, l->prints[i], inputs, prints, n))
            continue;
        ranges[i].source = (dpl_doc_source){next_doc, &ranges[i], name};
        s->prints[s->n_earlier] = l->prints[i];
        s->inputs[s->n_earlier++] = (dpl_input){.source = &ranges[i].source, .name = name};
    }
    return DPL_OK;
}

/* Room for all inputs, and those of the file. */
static dpl_status list_inputs(dpl__state *s, const listed *l, const dpl_input *inputs, size_t n,
                              dpl_error *err)
{
    uint64_t *prints = dpl__arena_alloc(&s->arena, (n + 1) * sizeof *prints);
    s->inputs = dpl__arena_alloc(&s->arena, (n + l->n + 1) * sizeof *s->inputs);
    s->prints = dpl__arena_alloc(&s->arena, (n + l->n + 1) * sizeof *s->prints);
    DPL_TRY(dpl__need(prints && s->inputs && s->prints, err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(dpl__input_print(&prints[i], s->ctx, &inputs[i], err));
    if (s->c)
        DPL_TRY(add_earlier(s, l, inputs, prints, n, err));
    for (size_t i = 0; i < n; i++) {
        s->inputs[s->n_earlier + i] = inputs[i];
        s->prints[s->n_earlier + i] = prints[i];
    }
    s->n = s->n_earlier + n;
    return DPL_OK;
}

dpl_status dpl__state_open(dpl__state *s, dpl_ctx *ctx, const char *path,
                           const dpl_input *inputs, size_t n, dpl_error *err)
{
    listed l = {0};
    char kind[DPL_FILE_KIND];
    *s = (dpl__state){.ctx = ctx, .path = path};
    dpl__arena_init(&s->arena, ctx);
    DPL_TRY(dpl__name_lock_take(&s->lock, path, err));
    if (access(path, F_OK) == 0) {
        DPL_TRY(dpl_file_detect(kind, ctx, path, err));
        if (strcmp(kind, "collection") != 0)
            return not_a_state(s, err);
        DPL_TRY(dpl_collection_open(&s->c, ctx, path, err));
        DPL_TRY(dpl_file_check(dpl__collection_file(s->c), err));
        DPL_TRY(read_list(&l, s, dpl__collection_file(s->c), err));
    }
    return list_inputs(s, &l, inputs, n, err);
}

static dpl_status write_sections(const dpl__state *s, dpl__writer *w, const dpl_file *docs,
                                 dpl_error *err)
{
    const size_t n_sections = dpl_file_get_info(docs).n_sections;
    for (size_t i = 0; i < n_sections; i++) {
        const dpl_section from = dpl_file_section(docs, i);
        DPL_TRY(
            dpl__writer_add_large(w, from.name, from.element, from.data, from.n_bytes, err));
        if (!from.is_required)
            dpl__writer_optional(w);
    }
    DPL_TRY(dpl__writer_begin(w, "input.names", 1, err));
    dpl__writer_optional(w);
    for (size_t i = 0; i < s->n; i++) {
        const dpl_str name = dpl__input_short_name(&s->inputs[i]);
        DPL_TRY(dpl__writer_append(w, name.data, name.n, err));
        DPL_TRY(dpl__writer_append(w, "", 1, err));
    }
    DPL_TRY(dpl__writer_add(w, "input.prints", 8, s->prints, s->n * sizeof *s->prints, err));
    dpl__writer_optional(w);
    return DPL_OK;
}

dpl_status dpl__state_write(dpl__state *s, const char *docs, dpl_error *err)
{
    dpl_file *file = NULL;
    dpl__writer *w = NULL;
    DPL_TRY(dpl_file_open(&file, s->ctx, docs, err));
    dpl_status status;
    DPL__STEP(dpl__writer_new(&w, s->ctx, s->path, "collection", err));
    DPL__STEP(write_sections(s, w, file, err));
    status = dpl__writer_finish(w, NULL, err);
done:
    dpl__writer_free(w);
    dpl_file_close(file);
    return status;
}

void dpl__state_close(dpl__state *s)
{
    if (!s->ctx)
        return;
    dpl_collection_close(s->c);
    dpl__arena_clear(&s->arena);
    dpl__name_lock_release(&s->lock);
    *s = (dpl__state){0};
}
