/*
 * derived_docs.c - imports documents that are made from others, once.
 */
#include "mine/derived_docs.h"

#include "io/kept_file.h"
#include "tokens/import.h"
#include "tokens/morphs.h"

#include <stdio.h>

dpl_status dpl__doc_walk_next(void *user, dpl_doc *out, dpl_error *err)
{
    (void)err;
    dpl__doc_walk *w = user;
    while (w->doc < dpl_collection_get_sizes(w->c)->n_docs) {
        *out = dpl_collection_doc(w->c, w->doc++);
        if (!w->but || !dpl__str_eq(out->lang, dpl__cstr(w->but)))
            return DPL_OK;
    }
    return DPL_END;
}

typedef struct deriving {
    dpl_collection **out;
    const dpl__comparable *corpus;
    const dpl__derived_docs *docs;
} deriving;

static dpl_status import_docs(void *user, const char *path, dpl_error *err)
{
    const deriving *x = user;
    const dpl_input input = {.source = &x->docs->source};
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = x->docs->is_stemmed);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .tokens = &tokens, .temp = x->corpus->work);
    dpl_ctx *ctx = x->corpus->ctx;
    dpl__morphs *morphs;
    if (!x->docs->parts_of)
        return dpl_import_inputs(NULL, ctx, path, &input, 1, &o, err);
    DPL_TRY(dpl__morphs_learn(&morphs, ctx, x->docs->parts_of, err));
    const dpl_status status = dpl__import_with_parts(ctx, path, &input, &o, morphs, err);
    dpl__morphs_free(morphs);
    return status;
}

static dpl_status open_docs(void *user, const char *path, dpl_error *err)
{
    const deriving *x = user;
    return dpl_collection_open(x->out, x->corpus->ctx, path, err);
}

dpl_status dpl__derived_docs_open(dpl_collection **out, const dpl__comparable *p,
                                  const dpl__derived_docs *docs, dpl_error *err)
{
    char path[4100];
    deriving x = {out, p, docs};
    *out = NULL;
    snprintf(path, sizeof path, "%s/%s-%s.dpl", p->work, docs->side ? "right" : "left",
             docs->what);
    const dpl__kept_file file = {.name = "collection",
                                 .path = path,
                                 .user = &x,
                                 .make = import_docs,
                                 .read = open_docs,
                                 .is_for_all = true};
    return dpl__kept_file_get(p->ctx, &file, err);
}
