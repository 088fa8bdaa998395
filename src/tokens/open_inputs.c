/*
 * open_inputs.c - inputs opened, joined to one collection, walked through again.
 */
#include "tokens/open_inputs.h"

#include "doppel/file.h"
#include "io/sections.h"
#include "readers/json_parser.h"
#include "tokens/collection.h"
#include "tokens/input_names.h"

#include <sys/stat.h>

/* ---- what a path names -------------------------------------------------------------- */

bool dpl__is_stream(const char *path)
{
    struct stat st;
    if (!path)
        return false;
    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

dpl_status dpl__is_collection(bool *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    char kind[DPL_FILE_KIND];
    *out = false;
    DPL_TRY(dpl_file_detect(kind, ctx, path, err));
    *out = strcmp(kind, "collection") == 0;
    return DPL_OK;
}

/* ---- inputs ------------------------------------------------------------------------- */

static dpl_status open_one(dpl__inputs *in, dpl_ctx *ctx, size_t i, dpl_error *err)
{
    bool is_collection;
    if (in->data[i].collection)
        return DPL_OK;
    DPL_TRY(dpl__is_collection(&is_collection, ctx, in->data[i].path, err));
    if (!is_collection)
        return DPL_OK;
    DPL_TRY(dpl_collection_open(&in->opened[i], ctx, in->data[i].path, err));
    in->data[i].collection = in->opened[i];
    return DPL_OK;
}

dpl_status dpl__inputs_open(dpl__inputs *out, dpl_ctx *ctx, const dpl_input *inputs, size_t n,
                            dpl_error *err)
{
    *out = (dpl__inputs){.n = n};
    dpl__arena_init(&out->arena, ctx);
    out->data = dpl__arena_alloc(&out->arena, (n + 1) * sizeof *out->data);
    out->opened = dpl__arena_alloc(&out->arena, (n + 1) * sizeof(dpl_collection *));
    if (out->opened)
        memset(out->opened, 0, (n + 1) * sizeof(dpl_collection *));
    out->names = dpl__input_names(&out->arena, inputs, n);
    DPL_TRY(dpl__need(out->data && out->opened && out->names, err));
    for (size_t i = 0; i < n; i++) {
        out->data[i] = inputs[i];
        DPL_TRY(open_one(out, ctx, i, err));
    }
    return DPL_OK;
}

void dpl__inputs_close(dpl__inputs *in)
{
    for (size_t i = 0; in->opened && i < in->n; i++)
        dpl_collection_close(in->opened[i]);
    if (in->arena.ctx)
        dpl__arena_clear(&in->arena);
    *in = (dpl__inputs){0};
}

dpl_status dpl__inputs_collection(dpl_collection **out, dpl__inputs *in,
                                  const dpl_import_options *options, dpl_error *err)
{
    assert(in->n > 0);
    dpl_import_options o = *options;
    if (in->n == 1 && in->opened[0]) {
        *out = in->opened[0];
        in->opened[0] = NULL;
        return DPL_OK;
    }
    o.tell_inputs = true;
    return dpl_collection_from_inputs(out, NULL, in->arena.ctx, in->data, in->n, &o, err);
}

dpl_str dpl__inputs_own_id(const dpl__inputs *in, dpl_str id)
{
    for (size_t i = 0; i < in->n && in->n > 1; i++) {
        const size_t n = in->names[i].n;
        if (id.n > n && id.data[n] == ':' && memcmp(id.data, in->names[i].data, n) == 0)
            return (dpl_str){id.data + n + 1, id.n - n - 1};
    }
    return id;
}

/* ---- collections -------------------------------------------------------------------- */

static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    (void)err;
    dpl__collection_source *s = user;
    assert(s->next <= dpl_collection_get_sizes(s->c)->n_docs);
    if (s->next == dpl_collection_get_sizes(s->c)->n_docs)
        return DPL_END;
    *doc = dpl_collection_doc(s->c, s->next++);
    return DPL_OK;
}

void dpl__collection_source_begin(dpl__collection_source *s, const dpl_collection *c,
                                  const char *name)
{
    assert(c);
    *s = (dpl__collection_source){.c = c, .source = {next_doc, s, name}};
}

dpl_tokens_options dpl__collection_words(const dpl_collection *c, bool *has_stop_file)
{
    enum { MOST = 1000 }; /* what a forged file may ask for */
    dpl_ctx *ctx = dpl__file_ctx(dpl__collection_file(c));
    const dpl_str settings = dpl_collection_settings(c);
    const size_t ngram = dpl__setting_number(ctx, settings, "ngram");
    const size_t max_token = dpl__setting_number(ctx, settings, "max_token");
    *has_stop_file = dpl__setting_is_true(ctx, settings, "stop_file");
    return (dpl_tokens_options)DPL_INIT(
        dpl_tokens_options, .stem = dpl__setting_is_true(ctx, settings, "stem"),
        .stop_words = dpl__setting_is_true(ctx, settings, "stop_words"),
        .ngrams = (unsigned)dpl__min(ngram, MOST),
        .max_token = (unsigned)dpl__min(max_token, MOST));
}
