/*
 * translate_docs.c - documents to translated documents, in batches: sentences of all documents
 * of a batch are translated together, on all threads.
 */
#include "doppel/translate.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/vec.h"
#include "tokens/sentence_bounds.h"
#include "translate/translator.h"

enum { BATCH_DOCS = 1024, BATCH_BYTES = 1 << 20 };

typedef struct batch {
    dpl_ctx *ctx;
    dpl_translator *t;
    dpl__arena arena;
    DPL_VEC(dpl_doc) docs;
    DPL_VEC(size_t) first;      /* sentence of each document */
    DPL_VEC(dpl_str) sentences; /* trimmed */
    DPL_VEC(bool) begins;       /* a paragraph */
    dpl__sentence_starts starts;
    dpl__bytes text;
    size_t n_bytes;
    uint64_t n_docs;
} batch;

static dpl_str trim(dpl_str s)
{
    while (s.n && (unsigned char)s.data[s.n - 1] <= ' ')
        s.n--;
    while (s.n && (unsigned char)s.data[0] <= ' ')
        s.data++, s.n--;
    return s;
}

static bool is_translated(const batch *b, const dpl_doc *doc)
{
    return !dpl__str_eq(doc->lang, dpl__cstr(dpl__translator_into(b->t)));
}

/* One that is in the target language already has no sentences to translate. */
static dpl_status add_doc(batch *b, const dpl_doc *in, dpl_error *err)
{
    dpl_doc doc = {dpl__arena_copy(&b->arena, in->id), dpl__arena_copy(&b->arena, in->lang),
                   dpl__arena_copy(&b->arena, in->title), dpl__arena_copy(&b->arena, in->text),
                   dpl__arena_copy(&b->arena, in->extra)};
    bool is_done = doc.id.data && doc.lang.data && doc.title.data && doc.text.data &&
                   doc.extra.data && dpl__vec_push(b->ctx, &b->docs, doc) &&
                   dpl__vec_push(b->ctx, &b->first, b->sentences.n);
    DPL_TRY(dpl__need(is_done, err));
    b->n_bytes += doc.text.n;
    b->starts.n = 0;
    if (is_translated(b, &doc))
        DPL_TRY(dpl__split_sentences(b->ctx, doc.text, dpl__translator_from(b->t), &b->starts,
                                     err));
    for (size_t i = 0; i < b->starts.n; i++) {
        size_t at = b->starts.data[i].at;
        size_t end = i + 1 < b->starts.n ? b->starts.data[i + 1].at : doc.text.n;
        dpl_str s = trim((dpl_str){doc.text.data + at, end - at});
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->sentences, s) &&
                              dpl__vec_push(b->ctx, &b->begins, b->starts.data[i].is_paragraph),
                          err));
    }
    return DPL_OK;
}

static dpl_status give_doc(batch *b, size_t i, const dpl_translations *made,
                           dpl_translated_fn *take, void *user, dpl_error *err)
{
    size_t first = b->first.data[i];
    size_t end = i + 1 < b->docs.n ? b->first.data[i + 1] : b->sentences.n;
    if (!is_translated(b, &b->docs.data[i]))
        return take(user, &b->docs.data[i], b->docs.data[i].text, err);
    b->text.n = 0;
    for (size_t k = first; k < end; k++) {
        char between = b->begins.data[k] ? '\n' : ' ';
        if ((k > first && !dpl__vec_push(b->ctx, &b->text, between)) ||
            !dpl__vec_append(b->ctx, &b->text, made->texts[k].data, made->texts[k].n))
            return dpl__fail_nomem(err);
    }
    return take(user, &b->docs.data[i], (dpl_str){b->text.data, b->text.n}, err);
}

static dpl_status flush(batch *b, dpl_translated_fn *take, void *user, dpl_error *err)
{
    dpl_translations made = {0};
    dpl_status status = dpl_translator_run(&made, b->t, b->sentences.data, b->sentences.n, err);
    for (size_t i = 0; status == DPL_OK && i < b->docs.n; i++)
        status = give_doc(b, i, &made, take, user, err);
    dpl_translations_clear(&made, b->t);
    b->n_docs += b->docs.n;
    b->docs.n = b->first.n = b->sentences.n = b->begins.n = b->n_bytes = 0;
    dpl__arena_reset(&b->arena);
    if (status != DPL_OK)
        return status;
    dpl_progress now = {.stage = "translate", .unit = "documents", .done = b->n_docs};
    return dpl__progress(b->ctx, &now, err);
}

/* Adds a document; translates all of a full batch. */
static dpl_status translate_doc(batch *b, const dpl_doc *doc, dpl_translated_fn *take,
                                void *user, dpl_error *err)
{
    DPL_TRY(add_doc(b, doc, err));
    return b->docs.n >= BATCH_DOCS || b->n_bytes >= BATCH_BYTES ? flush(b, take, user, err)
                                                                : DPL_OK;
}

static dpl_status translate_all(batch *b, dpl_reader *reader, dpl_translated_fn *take,
                                void *user, dpl_error *err)
{
    dpl_doc doc;
    dpl_status status;
    while ((status = dpl_reader_next(reader, &doc, err)) == DPL_OK)
        DPL_TRY(translate_doc(b, &doc, take, user, err));
    return status == DPL_END ? flush(b, take, user, err) : status;
}

static dpl_status translate_collection(batch *b, const dpl_collection *c,
                                       dpl_translated_fn *take, void *user, dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t i = 0; i < n; i++) {
        dpl_doc doc = dpl_collection_doc(c, i);
        DPL_TRY(translate_doc(b, &doc, take, user, err));
    }
    return flush(b, take, user, err);
}

dpl_status dpl_translate_docs(uint64_t *n_docs, dpl_translator *translator,
                              const dpl_input *input, const dpl_reader_options *read,
                              dpl_translated_fn *take, void *user, dpl_error *err)
{
    dpl_ctx *ctx = dpl__translator_ctx(translator);
    batch b = {.ctx = ctx, .t = translator};
    dpl__arena_init(&b.arena, ctx);
    dpl_reader *reader = NULL;
    dpl_status status;
    if (input->collection) {
        status = translate_collection(&b, input->collection, take, user, err);
    } else {
        DPL__STEP(dpl_reader_open_input(&reader, ctx, input, read, err));
        status = translate_all(&b, reader, take, user, err);
    }
done:
    dpl_reader_close(reader);
    if (n_docs)
        *n_docs = b.n_docs;
    dpl__vec_clear(ctx, &b.docs, &b.first, &b.sentences, &b.begins, &b.starts, &b.text);
    dpl__arena_clear(&b.arena);
    return status;
}
