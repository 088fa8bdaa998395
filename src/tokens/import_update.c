/*
 * import_update.c - tokens and sentences of documents that did not change.
 *
 * A document is the same when its text and language are. Its tokens are numbers of the old
 * vocabulary; each worker keeps a table from these to the numbers of its own terms, filled as
 * they are met. Everything behind the tokenizer is that of any import, so the result has the
 * same bytes. Cost: the table has 4 bytes for each old term and thread.
 */
#include "tokens/importer.h"

#include "base/ctx.h"

#include <stdatomic.h>

typedef struct worker_table {
    uint32_t *numbers; /* of each old term; UNKNOWN: not met yet. NULL: none was */
    uint32_t run;
} worker_table;

struct dpl__import_update {
    dpl_ctx *ctx;
    dpl_collection *old;
    worker_table *tables; /* of each thread */
    uint32_t n_terms;
    atomic_ullong n_taken;
};

#define UNKNOWN UINT32_MAX

dpl_status dpl__import_update_open(dpl__import_update **out, dpl_ctx *ctx, const char *path,
                                   dpl_str settings, dpl_error *err)
{
    dpl__import_update *u = *out = dpl__calloc(ctx, 1, sizeof *u);
    DPL_TRY(dpl__need(u, err));
    u->ctx = ctx;
    u->tables = dpl__calloc(ctx, ctx->n_threads, sizeof *u->tables);
    DPL_TRY(dpl__need(u->tables, err));
    DPL_TRY(dpl_collection_open(&u->old, ctx, path, err));
    u->n_terms = dpl_collection_get_sizes(u->old)->n_terms;
    if (dpl__str_eq(dpl_collection_settings(u->old), settings))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "update-options",
                          "'%s' was imported with other options", path);
}

void dpl__import_update_close(dpl__import_update *u)
{
    if (!u)
        return;
    for (unsigned i = 0; u->tables && i < u->ctx->n_threads; i++)
        dpl__free(u->ctx, u->tables[i].numbers);
    dpl__free(u->ctx, u->tables);
    dpl_collection_close(u->old);
    dpl__free(u->ctx, u);
}

bool dpl__import_update_find(const dpl__import_update *u, const dpl_doc *doc, uint32_t *old)
{
    if (!dpl_collection_find_doc(u->old, doc->id, old))
        return false;
    const dpl_doc before = dpl_collection_doc(u->old, *old);
    return dpl__str_eq(before.text, doc->text) && dpl__str_eq(before.lang, doc->lang);
}

/* The thread's table for the terms that its worker has now. */
static uint32_t *table_of(dpl__import_update *u, dpl__update_table table)
{
    const uint32_t run = table.run;
    worker_table *t = &u->tables[table.thread];
    if (t->numbers && t->run == run)
        return t->numbers;
    if (!t->numbers)
        t->numbers = dpl__alloc(u->ctx, u->n_terms * sizeof *t->numbers);
    if (t->numbers)
        memset(t->numbers, 0xFF, u->n_terms * sizeof *t->numbers);
    t->run = run;
    return t->numbers;
}

/* A term that this worker has not met before. */
static dpl_status number_term(uint32_t *number, dpl__import_update *u, dpl__worker *w,
                              uint32_t term, dpl_error *err)
{
    return dpl__terms_number(&w->terms, dpl_collection_term(u->old, term), number, err);
}

static bool take_sentences(dpl__import_update *u, dpl__tokenized *out, uint32_t old)
{
    const size_t n = dpl_collection_n_sentences(u->old, old);
    bool is_good = dpl__vec_push(u->ctx, &out->n_sentences, (uint32_t)n);
    for (size_t i = 0; is_good && i < n; i++) {
        const dpl_sentence one = dpl_collection_sentence(u->old, old, i);
        is_good =
            dpl__vec_push(u->ctx, &out->sentence_begin, one.begin) &&
            dpl__vec_push(u->ctx, &out->sentence_token, one.token) &&
            dpl__vec_push(u->ctx, &out->sentence_flags,
                          dpl__sentence_flags(one.is_paragraph_start, one.is_section_start));
    }
    return is_good;
}

dpl_status dpl__import_update_take(dpl__import_update *u, dpl__worker *w,
                                   dpl__update_table table, dpl__tokenized *out, uint32_t old,
                                   dpl_error *err)
{
    size_t n, n_entries;
    const uint32_t *counts;
    const uint32_t *tokens = dpl_collection_tokens(u->old, old, &n);
    const uint32_t *row = dpl_collection_row(u->old, old, &counts, &n_entries);
    uint32_t *numbers = u->n_terms ? table_of(u, table) : NULL;
    if ((u->n_terms && !numbers) || !dpl__vec_reserve(w->ctx, &out->tokens, n) ||
        !dpl__vec_push(w->ctx, &out->n_tokens, (uint32_t)n) ||
        !dpl__vec_push(w->ctx, &out->n_entries, (uint32_t)n_entries) ||
        !take_sentences(u, out, old))
        return dpl__fail_nomem(err);
    w->n_docs++;
    for (size_t i = 0; i < n_entries; i++) {
        uint32_t *number = &numbers[row[i]];
        if (*number == UNKNOWN)
            DPL_TRY(number_term(number, u, w, row[i], err));
        dpl__term_count *c = &w->terms.counts.data[*number];
        c->count += counts[i];
        c->n_docs++;
        c->last_doc = w->n_docs;
    }
    for (size_t i = 0; i < n; i++)
        out->tokens.data[out->tokens.n++] = numbers[tokens[i]];
    atomic_fetch_add(&u->n_taken, 1);
    return DPL_OK;
}

uint64_t dpl__import_update_count(const dpl__import_update *u)
{
    return u ? (uint64_t)atomic_load(&u->n_taken) : 0;
}
