/*
 * doppel/page.h - a pocket index as a web page: one HTML file with the index and the query code
 * in it, which is opened from disk and needs no server and no network.
 *
 *     dpl_input news = {.path = "news.jsonl"};
 *     DPL_TRY(dpl_page_build(NULL, ctx, "news.html", NULL, &news, 1, NULL, err));
 *
 * The page searches as dpl_query_text does, in WebAssembly. It shows what the page of the
 * server shows (doppel/serve.h).
 */
#ifndef DOPPEL_PAGE_H
#define DOPPEL_PAGE_H

#include "doppel/index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with DPL_INIT. */
typedef struct dpl_page_summary {
    size_t size;
    dpl_index_summary *index; /* filled in when it is given; NULL: not wanted */
    uint64_t n_index_bytes;   /* of the index in the page, before compression */
    uint64_t n_bytes;         /* of the page */
    double seconds;
} dpl_page_summary;

/* Whether the library was built with the query code as WebAssembly. Without it, the functions
 * below are DPL_E_UNSUPPORTED, with the code "no-wasm". */
DPL_API bool dpl_page_is_supported(void);

/* Builds an index of the inputs as dpl_index_build does, in a temporary file, and writes the
 * page with it. name: what the page calls the collection; NULL: the name of the page without
 * ".html". A page of an index with stems stems words of queries by a table of the words in its
 * texts, so without texts it is DPL_E_UNSUPPORTED (code "page-stems"), as stop words of a file
 * are; an index of more than 256 MiB is DPL_E_LIMIT (code "page-size"). summary may be NULL. */
DPL_API dpl_status dpl_page_build(dpl_page_summary *summary, dpl_ctx *ctx, const char *path,
                                  const char *name, const dpl_input *inputs, size_t n_inputs,
                                  const dpl_index_options *options, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
