/*
 * query_body.h - what a request asks an index for: from parameters, or from a body.
 */
#ifndef DPL_SERVE_QUERY_BODY_H
#define DPL_SERVE_QUERY_BODY_H

#include "doppel/text.h"
#include "serve/message.h"

typedef struct dpl__asked {
    dpl_str text;
    char lang[12]; /* empty: detected */
    uint64_t top, terms;
    double threshold; /* 0: the default */
    bool has_passages;
    bool has_only;
    uint64_t only; /* the hit of this row, and no other */
} dpl__asked;

/* One document as a source of documents. */
typedef struct dpl__one_doc {
    dpl_doc doc;
    bool is_given;
} dpl__one_doc;

dpl_status dpl__one_doc_next(void *one_doc, dpl_doc *out, dpl_error *err);

/* False: something is not what it must be, and the answer says so. */
bool dpl__asked_by_parameters(dpl__asked *out, dpl__answer *a, const dpl__call *call);
/* JSON or plain text; the text is the request's, or in the answer's arena. */
bool dpl__asked_by_body(dpl__asked *out, dpl__answer *a, const dpl__request *request);

#endif
