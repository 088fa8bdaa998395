/*
 * index_passages.c - passages of documents that also occur in documents of an index.
 *
 * In: documents. Each is asked with in parts of some sentences: what answers a part may be the
 * source of it, although the document as a whole is like nothing. The texts of all answers are
 * a small collection, in which src/reuse finds passages; the lexicon of the index serves for
 * translated ones. Cost: a query for each part, and reading the texts of the answers.
 */
#include "index/query.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/sized.h"
#include "doppel/lexicon.h"
#include "reuse/reuse_run.h"
#include "tokens/open_inputs.h"

#define P(name) DPL__P(index, name)

typedef struct job {
    dpl_ctx *ctx;
    const dpl_index *index;
    dpl_query *query;
    dpl_collection *asked;  /* the inputs */
    DPL_VEC(uint32_t) rows; /* answers, rising */
    size_t n_read;          /* of them */
    dpl_str text;           /* of the last one that was read */
    dpl_lexicon *lexicons[DPL__MOST_LANGS];
    size_t n_lexicons;
} job;

/* ---- answers -------------------------------------------------------------------------- */

/* Queries in the language that the document declares, or else in the identified one. */
static dpl_status ask(job *j, dpl_str text, dpl_str declared, dpl_error *err)
{
    const dpl_lang lang = dpl_lang_canonical(declared);
    const char *given = strcmp(lang.code, "und") != 0 ? lang.code : NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    DPL_TRY(dpl__query_ask(j->query, text, given, &r, err));
    for (size_t i = 0; i < r.n_hits; i++)
        DPL_TRY(dpl__need(dpl__vec_push(j->ctx, &j->rows, r.hits[i].row), err));
    return DPL_OK;
}

/* Parts end with a sentence; the last one has at least as many words, too. */
static dpl_status ask_in_parts(job *j, uint32_t doc, dpl_error *err)
{
    const dpl_doc d = dpl_collection_doc(j->asked, doc);
    const size_t n = dpl_collection_n_sentences(j->asked, doc);
    size_t n_tokens, first = 0;
    (void)dpl_collection_tokens(j->asked, doc, &n_tokens);
    for (size_t i = 1; i <= n; i++) {
        const size_t from = dpl_collection_sentence(j->asked, doc, first).token;
        const size_t to = i < n ? dpl_collection_sentence(j->asked, doc, i).token : n_tokens;
        if (i < n && (to - from < P(part_words) || n_tokens - to < P(part_words)))
            continue;
        const char *begin = dpl_collection_sentence_text(j->asked, doc, first).data;
        const char *end = i < n ? dpl_collection_sentence_text(j->asked, doc, i).data
                                : d.text.data + d.text.n;
        DPL_TRY(ask(j, (dpl_str){begin, (size_t)(end - begin)}, d.lang, err));
        first = i;
    }
    return DPL_OK;
}

DPL__RISING_NUMBERS(by_row, uint32_t)

static dpl_status find_answers(job *j, dpl_error *err)
{
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = (unsigned)P(part_hits), .threshold = P(part_cosine));
    DPL_TRY(dpl_query_new(&j->query, j->index, &o, err));
    const uint32_t n_docs = dpl_collection_get_sizes(j->asked)->n_docs;
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        DPL_TRY(ask_in_parts(j, doc, err));
        if (dpl__is_cancelled(j->ctx))
            return dpl__fail(err, DPL_E_STOPPED, "stopped");
    }
    size_t n = 0;
    dpl__vec_sort(&j->rows, by_row);
    for (size_t i = 0; i < j->rows.n; i++)
        if (!n || j->rows.data[n - 1] != j->rows.data[i])
            j->rows.data[n++] = j->rows.data[i];
    j->rows.n = n;
    return DPL_OK;
}

/* ---- their texts ---------------------------------------------------------------------- */

static dpl_status next_text(void *user, dpl_doc *out, dpl_error *err)
{
    job *j = user;
    dpl_index_free_text(j->index, j->text);
    j->text = (dpl_str){0};
    if (j->n_read == j->rows.n)
        return DPL_END;
    const uint32_t row = j->rows.data[j->n_read++];
    const dpl_index_doc doc = dpl_index_document(j->index, row);
    DPL_TRY(dpl_index_text(j->index, row, &j->text, err));
    *out = (dpl_doc){
        .id = doc.id, .title = doc.title, .lang = dpl__cstr(doc.lang), .text = j->text};
    return DPL_OK;
}

/* ---- lexicons of the index ------------------------------------------------------------ */

/* Words of one language and their translations, as dpl_lexicon has them. */
static dpl_status make_lexicon(dpl_lexicon **out, job *j, const dpl__pocket_lexicon *from,
                               dpl_error *err)
{
    const dpl_index *x = j->index;
    DPL_VEC(dpl_lexicon_entry) entries = {0};
    dpl_status status = DPL_OK;
    for (uint32_t term = 0; term < x->n_terms; term++)
        for (uint32_t k = from->offsets[term]; k < from->offsets[term + 1]; k++) {
            const dpl_lexicon_entry e = {dpl__index_term(x, term),
                                         dpl__index_term(x, x->lexicon_terms[k]),
                                         x->lexicon_p[k] < 1 ? x->lexicon_p[k] : 1};
            if (e.source.n && e.target.n && !dpl__vec_push(j->ctx, &entries, e))
                DPL__STEP(dpl__fail_nomem(err));
        }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = dpl__index_lang(x, from->lang),
                 .target_lang = dpl__index_lang(x, x->pivot),
                 .stem = (x->flags & DPL__F_STEM) != 0, .on_error = DPL_ON_ERROR_SKIP);
    status = entries.n ? dpl_lexicon_from_entries(out, j->ctx, entries.data, entries.n, &o, err)
                       : DPL_OK;
done:
    dpl__vec_clear(j->ctx, &entries);
    return status;
}

/* Opens lexicons for the languages of the answers only; others would find nothing. */
static dpl_status open_lexicons(job *j, dpl_error *err)
{
    const dpl_index *x = j->index;
    if (!x->term_bytes)
        return DPL_OK;
    for (uint32_t i = 0; i < x->n_translated; i++) {
        dpl_lexicon *made = NULL;
        DPL_TRY(make_lexicon(&made, j, &x->lexicons[i], err));
        if (made)
            j->lexicons[j->n_lexicons++] = made;
    }
    return DPL_OK;
}

/* ---- the call ------------------------------------------------------------------------- */

static dpl_status find_passages(dpl_reuse_result **out, job *j,
                                const dpl_reuse_options *options, dpl_error *err)
{
    dpl_reuse_options o = *options;
    dpl__collection_source asked;
    dpl__collection_source_begin(&asked, j->asked, "(query)");
    const dpl_doc_source texts = {next_text, j, "(index)"};
    const dpl_input query = {.source = &asked.source}, sources = {.source = &texts};
    o.read = NULL; /* they were read */
    if (!o.n_lexicons && !o.lexicon) {
        DPL_TRY(open_lexicons(j, err));
        o.lexicons = (const dpl_lexicon *const *)j->lexicons;
        o.n_lexicons = j->n_lexicons;
    }
    DPL_TRY(dpl_reuse(out, j->ctx, &query, 1, &sources, 1, &o, err));
    (*out)->s.n_docs = j->index->n_docs;
    (*out)->s.n_candidates = j->rows.n;
    return DPL_OK;
}

dpl_status dpl_index_passages(dpl_reuse_result **out, dpl_ctx *ctx, const dpl_index *index,
                              const dpl_input *inputs, size_t n_inputs,
                              const dpl_reuse_options *options, dpl_error *err)
{
    job j = {.ctx = ctx, .index = index};
    dpl__inputs in = {0};
    dpl_reuse_options o;
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (!(index->flags & DPL__F_TEXTS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-texts", "'%s' has no texts",
                              dpl_file_get_info(index->file).path);
    const dpl_import_options import =
        DPL_INIT(dpl_import_options, .read = o.read, .temp = o.temp);
    dpl_status status;
    DPL__STEP(dpl__inputs_open(&in, ctx, inputs, n_inputs, err));
    DPL__STEP(dpl__inputs_collection(&j.asked, &in, &import, err));
    DPL__STEP(find_answers(&j, err));
    status = find_passages(out, &j, &o, err);
done:
    dpl_index_free_text(index, j.text);
    for (size_t i = 0; i < j.n_lexicons; i++)
        dpl_lexicon_close(j.lexicons[i]);
    dpl_query_free(j.query);
    dpl__vec_clear(ctx, &j.rows);
    dpl_collection_close(j.asked);
    dpl__inputs_close(&in);
    return status;
}
