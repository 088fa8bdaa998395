/*
 * input_print.c - fingerprints of inputs.
 */
#include "tokens/input_print.h"

#include "base/hash.h"
#include "readers/dir.h"
#include "tokens/open_inputs.h"

#include <stdio.h>
#include <sys/stat.h>

static uint64_t add_stat(uint64_t hash, const struct stat *st)
{
    const uint64_t facts[3] = {(uint64_t)st->st_size, (uint64_t)st->st_mtim.tv_sec,
                               (uint64_t)st->st_mtim.tv_nsec};
    return dpl__hash(facts, sizeof facts, hash);
}

/* Names, sizes and times of all files below the folder. */
static dpl_status add_folder(uint64_t *hash, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__dir_list list;
    DPL_TRY(dpl__dir_list_open(&list, ctx, path, true, err));
    for (size_t i = 0; i < list.n; i++) {
        struct stat st = {0};
        (void)stat(list.data[i].path, &st); /* one that is gone is told by whoever opens it */
        *hash = dpl__hash(list.data[i].name, strlen(list.data[i].name), add_stat(*hash, &st));
    }
    dpl__dir_list_close(&list);
    return DPL_OK;
}

dpl_status dpl__input_print(uint64_t *out, dpl_ctx *ctx, const dpl_input *in, dpl_error *err)
{
    struct stat st;
    *out = 0;
    if (!in->path) {
        if (in->buffer.data)
            *out = dpl__hash(in->buffer.data, in->buffer.n, 0);
        return DPL_OK;
    }
    if (dpl__is_stream(in->path) || stat(in->path, &st) != 0)
        return DPL_OK;
    *out = add_stat(0, &st);
    return S_ISDIR(st.st_mode) ? add_folder(out, ctx, in->path, err) : DPL_OK;
}

static uint64_t count_bytes(const dpl_input *in)
{
    struct stat st;
    if (!in->path)
        return in->buffer.n;
    return stat(in->path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

dpl_status dpl__input_describe(dpl_json *j, dpl_ctx *ctx, const char *key, const dpl_input *in,
                               dpl_error *err)
{
    uint64_t hash;
    char print[24];
    DPL_TRY(dpl__input_print(&hash, ctx, in, err));
    snprintf(print, sizeof print, "%016llx", (unsigned long long)hash);
    dpl_json_begin(j, key, '{');
    dpl_json_cstr(j, in->path ? "path" : "name", in->path ? in->path : dpl_input_name(in));
    dpl_json_number(j, "bytes", count_bytes(in));
    dpl_json_cstr(j, "fingerprint", print);
    if (in->collection)
        dpl_json_number(j, "tokens", dpl_collection_get_sizes(in->collection)->n_tokens);
    dpl_json_end(j, '}');
    return DPL_OK;
}

dpl_status dpl__file_describe(dpl_json *j, dpl_ctx *ctx, const char *key, const char *path,
                              dpl_error *err)
{
    const dpl_input none = {.path = ""}, in = {.path = path};
    return dpl__input_describe(j, ctx, key, path ? &in : &none, err);
}
