/*
 * build_terms.c - one vocabulary of the words of all sources and lexicons.
 *
 * Terms are numbered by the documents that have them, downwards, then by their bytes, so that
 * numbers in rows are small and depend on the documents alone. Words that no document has are
 * there only if a lexicon has them.
 *
 * Cost: 40 bytes for each word while it runs; texts stay where they are.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "base/order.h"
#include "index/query.h"
#include "par/sort.h"
#include "vectors/vectors.h"

/* ---- words -------------------------------------------------------------------------- */

dpl_status dpl__build_word(dpl__builder *b, dpl_str text, uint32_t *number, dpl_error *err)
{
    const uint64_t key = dpl__term_key(text);
    b->numbers_of.user = &b->terms;
    DPL_TRY(dpl__need(dpl__build_numbers_reserve(&b->numbers_of, b->ctx, 1), err));
    uint32_t *slot = dpl__build_numbers_find(&b->numbers_of, key, key);
    if (*slot) {
        *number = *slot - 1;
        return DPL_OK;
    }
    if (b->terms.n >= UINT32_MAX - 1)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "an index has less than 2^32 words");
    *number = (uint32_t)b->terms.n;
    *slot = *number + 1;
    b->numbers_of.n_used++;
    const dpl__build_term term = {.text = text, .key = key};
    return dpl__need(dpl__vec_push(b->ctx, &b->terms, term), err);
}

/* Documents of each of the source's words, of those that are not left out. */
static dpl_status count_docs(dpl__builder *b, const dpl__pocket_source *s, uint32_t *n_docs,
                             dpl_error *err)
{
    if (s->collection && !s->skip) {
        for (uint32_t t = 0; t < s->n_terms; t++)
            n_docs[t] = dpl_collection_doc_count(s->collection, t);
        return DPL_OK;
    }
    dpl__build_counts counts = {0};
    memset(n_docs, 0, s->n_terms * sizeof *n_docs);
    bool is_done = true;
    for (uint32_t i = 0; i < s->n_docs && is_done; i++) {
        if (s->skip && s->skip[i])
            continue;
        is_done = dpl__build_counts_of(b->ctx, &counts, s, i);
        for (size_t k = 0; k < counts.n; k++)
            n_docs[counts.data[k].term]++;
    }
    dpl__vec_clear(b->ctx, &counts);
    return dpl__need(is_done, err);
}

static dpl_status add_source(dpl__builder *b, dpl__pocket_source *s, dpl_error *err)
{
    const size_t n_bytes = ((size_t)s->n_terms + 1) * sizeof *s->terms;
    uint32_t *n_docs = dpl__alloc(b->ctx, n_bytes);
    s->terms = dpl__alloc(b->ctx, n_bytes);
    dpl_status status;
    DPL__STEP(n_docs && s->terms ? count_docs(b, s, n_docs, err) : dpl__fail_nomem(err));
    for (uint32_t t = 0; t < s->n_terms; t++) {
        s->terms[t] = UINT32_MAX;
        if (n_docs[t] == 0)
            continue;
        const dpl_str text = s->collection ? dpl_collection_term(s->collection, t)
                                           : dpl__index_term(s->index, t);
        DPL__STEP(dpl__build_word(b, text, &s->terms[t], err));
        b->terms.data[s->terms[t]].n_docs += n_docs[t];
    }
done:
    dpl__free(b->ctx, n_docs);
    return status;
}

/* ---- order -------------------------------------------------------------------------- */

DPL__ORDER_POINTERS(by_docs, dpl__build_term, DPL__FALLING(n_docs) DPL__BY_BYTES(text))

static dpl_status sort_terms(dpl__builder *b, dpl_error *err)
{
    const size_t n = b->terms.n;
    dpl__build_term **sorted = dpl__alloc(b->ctx, (n + 1) * sizeof *sorted);
    DPL_TRY(dpl__need(sorted, err));
    for (size_t i = 0; i < n; i++)
        sorted[i] = &b->terms.data[i];
    dpl_status status = dpl__parallel_sort(b->ctx, sorted, n, sizeof *sorted, by_docs, err);
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        sorted[i]->number = (uint32_t)i;
        b->order[i] = (uint32_t)(sorted[i] - b->terms.data);
        b->keys[i] = sorted[i]->key;
    }
    dpl__free(b->ctx, sorted);
    return status;
}

dpl_status dpl__build_vocabulary(dpl__builder *b, dpl_error *err)
{
    for (size_t i = 0; i < b->sources.n; i++)
        DPL_TRY(add_source(b, &b->sources.data[i], err));
    DPL_TRY(dpl__build_read_lexicons(b, err));
    b->n_terms = (uint32_t)b->terms.n;
    const size_t n = (size_t)b->n_terms + 1;
    b->order = dpl__alloc(b->ctx, n * sizeof *b->order);
    b->keys = dpl__alloc(b->ctx, n * sizeof *b->keys);
    b->idf = dpl__alloc(b->ctx, n * sizeof *b->idf);
    b->n_posts = dpl__calloc(b->ctx, n, sizeof *b->n_posts);
    DPL_TRY(dpl__need(b->order && b->keys && b->idf && b->n_posts, err));
    DPL_TRY(sort_terms(b, err));
    for (size_t i = 0; i < b->sources.n; i++) {
        dpl__pocket_source *s = &b->sources.data[i];
        for (uint32_t t = 0; t < s->n_terms; t++)
            if (s->terms[t] != UINT32_MAX)
                s->terms[t] = b->terms.data[s->terms[t]].number;
    }
    return dpl__build_renumber_lexicons(b, err);
}

/* ---- sections ----------------------------------------------------------------------- */

dpl_status dpl__build_term_table(dpl__writer *w, dpl_ctx *ctx, const uint64_t *keys,
                                 uint32_t n_terms, dpl_error *err)
{
    uint8_t *bytes = NULL;
    size_t n_bytes = 0;
    dpl__mph mph;
    DPL_TRY(dpl__mph_make(&bytes, &n_bytes, ctx, keys, n_terms, err));
    const char *wrong = dpl__mph_open(&mph, bytes, n_bytes);
    assert(!wrong);
    (void)wrong;
    uint64_t *slots = dpl__alloc(ctx, ((size_t)n_terms + 1) * sizeof *slots);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(slots, err));
    for (uint32_t t = 0; t < n_terms; t++)
        slots[dpl__mph_get(&mph, keys[t])] = dpl__key_check(keys[t], 32) << 32 | t;
    DPL__STEP(dpl__writer_add_large(w, "term.mph", 8, bytes, n_bytes, err));
    DPL__STEP(dpl__writer_add_large(w, "term.slots", 8, slots, n_terms * sizeof *slots, err));
done:
    dpl__free(ctx, slots, bytes);
    return status;
}

dpl_status dpl__build_write_terms(dpl__builder *b, dpl_error *err)
{
    dpl__offsets_writer offsets = {.ctx = b->ctx};
    DPL_TRY(dpl__build_term_table(b->writer, b->ctx, b->keys, b->n_terms, err));
    DPL_TRY(dpl__writer_add_large(b->writer, "term.idf", 4, b->idf, b->n_terms * sizeof *b->idf,
                                  err));
    dpl_status status;
    DPL__STEP(dpl__writer_begin(b->writer, "term.bytes", 1, err));
    for (uint32_t t = 0; t < b->n_terms; t++) {
        const dpl_str text = b->terms.data[b->order[t]].text;
        DPL__STEP(dpl__writer_append(b->writer, text.data, text.n, err));
        DPL__STEP(dpl__offsets_add(&offsets, text.n, err));
    }
    DPL__STEP(dpl__build_write_offsets(b, "term.offsets", &offsets, err));
done:
    dpl__offsets_clear(&offsets);
    return status;
}
