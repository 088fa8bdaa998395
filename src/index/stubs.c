/*
 * stubs.c - what is declared and not there yet.
 */
#include "doppel/index.h"

#include "base/base.h"

static dpl_status not_yet(dpl_error *err)
{
    return dpl__fail(err, DPL_E_UNSUPPORTED, "this build has no index yet");
}

dpl_status dpl_index_build(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                           const dpl_input *inputs, size_t n_inputs,
                           const dpl_index_options *options, dpl_error *err)
{
    (void)summary, (void)ctx, (void)path, (void)inputs, (void)n_inputs, (void)options;
    return not_yet(err);
}

dpl_status dpl_index_add(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                         const dpl_input *inputs, size_t n_inputs, dpl_error *err)
{
    (void)summary, (void)ctx, (void)path, (void)inputs, (void)n_inputs;
    return not_yet(err);
}

dpl_status dpl_index_merge(dpl_index_summary *summary, dpl_ctx *ctx, const char *out,
                           const char *const *paths, size_t n_paths, dpl_error *err)
{
    (void)summary, (void)ctx, (void)out, (void)paths, (void)n_paths;
    return not_yet(err);
}

dpl_status dpl_index_delete(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                            const dpl_str *ids, size_t n_ids, dpl_error *err)
{
    (void)summary, (void)ctx, (void)path, (void)ids, (void)n_ids;
    return not_yet(err);
}

dpl_status dpl_index_open(dpl_index **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    (void)ctx, (void)path;
    *out = NULL;
    return not_yet(err);
}

dpl_status dpl_index_open_memory(dpl_index **out, dpl_ctx *ctx, const void *bytes,
                                 size_t n_bytes, dpl_error *err)
{
    (void)ctx, (void)bytes, (void)n_bytes;
    *out = NULL;
    return not_yet(err);
}

void dpl_index_close(dpl_index *index)
{
    (void)index;
}

void dpl_index_describe(const dpl_index *index, dpl_index_info *info)
{
    (void)index, (void)info;
}

dpl_index_doc dpl_index_document(const dpl_index *index, uint32_t row)
{
    (void)index, (void)row;
    return (dpl_index_doc){.lang = "und"};
}

bool dpl_index_find(const dpl_index *index, dpl_str id, uint32_t *row)
{
    (void)index, (void)id, (void)row;
    return false;
}

dpl_status dpl_index_text(const dpl_index *index, uint32_t row, dpl_str *text, dpl_error *err)
{
    (void)index, (void)row;
    *text = (dpl_str){0};
    return not_yet(err);
}

void dpl_index_free_text(const dpl_index *index, dpl_str text)
{
    (void)index, (void)text;
}

dpl_status dpl_query_new(dpl_query **out, const dpl_index *index,
                         const dpl_query_options *options, dpl_error *err)
{
    (void)index, (void)options;
    *out = NULL;
    return not_yet(err);
}

void dpl_query_free(dpl_query *query)
{
    (void)query;
}

dpl_status dpl_query_set(dpl_query *query, const dpl_query_options *options, dpl_error *err)
{
    (void)query, (void)options;
    return not_yet(err);
}

dpl_status dpl_query_text(dpl_query *query, dpl_str text, dpl_query_result *out, dpl_error *err)
{
    (void)query, (void)text, (void)out;
    return not_yet(err);
}

dpl_status dpl_query_row(dpl_query *query, uint32_t row, dpl_query_result *out, dpl_error *err)
{
    (void)query, (void)row, (void)out;
    return not_yet(err);
}

dpl_status dpl_query_tokens(dpl_query *query, dpl_str text, const dpl_token *tokens,
                            size_t n_tokens, const char *lang, dpl_query_result *out,
                            dpl_error *err)
{
    (void)query, (void)text, (void)tokens, (void)n_tokens, (void)lang, (void)out;
    return not_yet(err);
}

dpl_status dpl_query_terms(dpl_query *query, size_t hit, const dpl_query_term **terms,
                           size_t *n, dpl_error *err)
{
    (void)query, (void)hit, (void)terms, (void)n;
    return not_yet(err);
}

dpl_status dpl_query_passages(dpl_query *query, size_t hit, const dpl_query_passage **passages,
                              size_t *n, dpl_error *err)
{
    (void)query, (void)hit, (void)passages, (void)n;
    return not_yet(err);
}
