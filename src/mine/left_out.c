/*
 * left_out.c - why a document of the inputs was not mined, told from what the stages left.
 *
 * In: the documents as read and as mined (doc_numbers.h), and what was skipped of these. Out:
 * left-out.tsv, the left side first, each in the order of its documents. Cost: one pass over
 * the documents; the language of those that cleaning left out is identified.
 */
#include "mine/left_out.h"

#include "mine/clean.h"
#include "mine/mine_params.h"
#include "mine/run_files.h"

typedef struct writing {
    const dpl__pair_run *run;
    dpl_output *out; /* NULL: nothing was left out yet */
} writing;

/* Reason for a document that is not in the mined collection. */
static const char *why_not_kept(const dpl__pair_run *r, int side, const dpl_doc *doc)
{
    if (r->summary.n_other_language[side] &&
        dpl__str_eq(doc->lang, dpl__cstr(r->corpus.lang[!side])))
        return "language";
    return dpl__is_foreign(doc->text, r->corpus.lang[side]) ? "untranslated" : "boilerplate";
}

/* NULL: it was mined. */
static const char *why_left_out(const dpl__pair_run *r, int side, const dpl_collection *read,
                                uint32_t number)
{
    const uint32_t doc = dpl__doc_as_mined(&r->read.numbers[side], number);
    size_t n_tokens;
    if (doc == DPL_MINE_NO_DOC) {
        const dpl_doc as_read = dpl_collection_doc(read, number);
        return why_not_kept(r, side, &as_read);
    }
    dpl_collection_tokens(r->corpus.c[side], doc, &n_tokens);
    if (n_tokens < (size_t)DPL__P(mine, sentence_terms))
        return "short";
    return r->corpus.skip[side] && r->corpus.skip[side][doc] ? "duplicate" : NULL;
}

static dpl_status put(writing *w, int side, dpl_str id, const char *why, dpl_error *err)
{
    const dpl__pair_run *r = w->run;
    if (!w->out)
        DPL_TRY(dpl__open_output(&w->out, r->ctx, r->task.dir, "left-out.tsv", err));
    dpl__put_field(w->out, dpl__cstr(r->corpus.lang[side]), "\t");
    dpl__put_field(w->out, id, "\t");
    dpl__put_field(w->out, dpl__cstr(why), "\n");
    return DPL_OK;
}

dpl_status dpl__write_left_out(const dpl__pair_run *r, dpl_error *err)
{
    writing w = {.run = r};
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2; side++) {
        const dpl_collection *read =
            r->read.numbers[side].read ? r->read.numbers[side].read : r->corpus.c[side];
        const uint32_t n = dpl_collection_get_sizes(read)->n_docs;
        for (uint32_t doc = 0; doc < n; doc++) {
            const char *why = why_left_out(r, side, read, doc);
            if (why &&
                (status = put(&w, side, dpl_collection_doc(read, doc).id, why, err)) != DPL_OK)
                goto done;
        }
    }
done:
    return dpl__output_end(w.out, status, err);
}
