/*
 * query_text.h - tokenizers of a question: of its text, and of the documents it is compared
 * with.
 */
#ifndef DPL_INDEX_QUERY_TEXT_H
#define DPL_INDEX_QUERY_TEXT_H

#include "index/query.h"

typedef struct dpl__text_words {
    dpl_tokens *tokenizers[2];
    DPL_VEC(dpl_token) tokens[2];
} dpl__text_words;

/* The words of a text: which 0 is the query's, 1 a document's. Borrowed until the next call
 * with the same. */
dpl_status dpl__query_cut(dpl_query *q, dpl__text_words **out, int which, dpl_str text,
                          const char *lang, dpl_error *err);

/* dpl_query_text in a language that is known; NULL: it is not. */
dpl_status dpl__query_ask(dpl_query *q, dpl_str text, const char *given, dpl_query_result *out,
                          dpl_error *err);

#endif
