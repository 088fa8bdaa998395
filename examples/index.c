/*
 * index.c - a pocket index of a few documents, asked with a text.
 *
 *     cc index.c -ldoppel -o index && ./index [FILE]
 */
#include <doppel/index.h>

#include <stdio.h>
#include <string.h>

static const char documents[] =
    "{\"id\":\"storm\",\"lang\":\"en\",\"text\":\"The storm came in the night. The river rose "
    "and flooded the old mill in the valley.\"}\n"
    "{\"id\":\"bank\",\"lang\":\"en\",\"text\":\"The central bank raised interest rates again "
    "this summer.\"}\n"
    "{\"id\":\"mill\",\"lang\":\"en\",\"text\":\"The old mill by the river grinds corn for the "
    "bakers of the valley.\"}\n";

static const char question[] =
    "A storm flooded the old mill in the valley when the river rose in the night.";

static dpl_status print_hits(const dpl_index *index, dpl_query *query,
                             const dpl_query_result *found, dpl_error *err)
{
    for (size_t i = 0; i < found->n_hits; i++) {
        const dpl_query_term *terms = NULL;
        size_t n = 0;
        dpl_index_doc doc = dpl_index_document(index, found->hits[i].row);
        DPL_TRY(dpl_query_terms(query, i, &terms, &n, err));
        printf("%.*s, of %u common words first", (int)doc.id.n, doc.id.data,
               found->hits[i].n_terms);
        for (size_t k = 0; k < n && k < 3; k++)
            printf(" %.*s", (int)terms[k].query.n, terms[k].query.data);
        printf("\n");
    }
    return DPL_OK;
}

static dpl_status ask(dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_index *index = NULL;
    dpl_query *query = NULL;
    dpl_str text;
    text.data = question;
    text.n = sizeof question - 1;
    dpl_query_options o = DPL_INIT(dpl_query_options);
    dpl_query_result found = DPL_INIT(dpl_query_result);
    o.threshold = 0.02;
    dpl_status status = dpl_index_open(&index, ctx, path, err);
    if (status == DPL_OK)
        status = dpl_query_new(&query, index, &o, err);
    if (status == DPL_OK)
        status = dpl_query_text(query, text, &found, err);
    if (status == DPL_OK)
        status = print_hits(index, query, &found, err);
    if (status == DPL_OK)
        printf("%s answer\n", dpl_query_method_name(found.method));
    dpl_query_free(query);
    dpl_index_close(index);
    return status;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "example.pocket";
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_input input;
    memset(&err, 0, sizeof err);
    memset(&input, 0, sizeof input);
    input.buffer.data = documents;
    input.buffer.n = sizeof documents - 1;
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = dpl_index_build(NULL, ctx, path, &input, 1, NULL, &err);
    if (status == DPL_OK)
        status = ask(ctx, path, &err);
    if (status != DPL_OK)
        fprintf(stderr, "%s\n", err.text);
    dpl_ctx_free(ctx);
    remove(path);
    return status != DPL_OK;
}
