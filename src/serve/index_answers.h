/*
 * index_answers.h - answers about a pocket index as JSON: from its functions to
 * docs/reference/openapi.yaml.
 *
 * They need neither sockets nor threads, so that the page without a server, where the library
 * runs in the browser, gives the same answers.
 */
#ifndef DPL_SERVE_INDEX_ANSWERS_H
#define DPL_SERVE_INDEX_ANSWERS_H

#include "base/base.h"
#include "doppel/index.h"
#include "serve/message.h"

/* Members of the object that /api/v1/info answers with. */
void dpl__index_put_info(dpl_json *j, const dpl_index *index);

void dpl__answer_documents(dpl__answer *a, const dpl_index *index, const dpl__call *call);
void dpl__answer_document(dpl__answer *a, const dpl_index *index, const dpl__call *call);
void dpl__answer_similar(dpl__answer *a, const dpl_index *index, dpl_query *query,
                         const dpl__call *call);
void dpl__answer_query(dpl__answer *a, const dpl_index *index, dpl_query *query,
                       const dpl__call *call);

/* All of them by method and path, "/api/v1/info" with the name and the largest body as given.
 */
void dpl__answer_index(dpl__answer *a, const dpl_index *index, dpl_query *query,
                       const dpl__request *request, const char *name, uint64_t max_body);

/* The beginning of what /api/v1/info answers with; the object stays open. */
dpl_json dpl__info_begin(dpl__answer *a, const char *kind, const char *name, uint64_t max_body);

/* Stems become words again, as a text writes them, without a tokenizer: for lists of words that
 * people read, also in the page without a server. out[i]: the shortest word of the text that
 * begins like stems[i], whatever case and accents of Latin letters, or stems[i] when there is
 * none. Borrowed from the text. */
void dpl__surface_words(dpl_str *out, const dpl_str *stems, size_t n, dpl_str text);

#endif
