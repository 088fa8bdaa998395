/*
 * copies.c - near-copies: candidates by their sentences with the lowest hashes, then the share
 * of words in sentences that both have.
 *
 * Two documents that share most of their sentences mostly share one of the three with the
 * lowest hashes (Broder 1997). Documents with one of these in common are neighbours in a sorted
 * list and are compared with a few before them.
 *
 * A near-copy has nearly all of the shorter document. Siblings, such as descriptions of
 * packages that are built from one source, have common sentences, too, but are translated each
 * for itself. So there are no groups unless many documents are in them, as when a site was
 * fetched twice.
 *
 * Cost: a hash of every sentence, a sort of three numbers for each document. Memory: 72 bytes
 * for each document.
 */
#include "mine/copies.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/vec.h"
#include "mine/mine_params.h"
#include "mine/sentence_tokens.h"
#include "par/pool.h"
#include "par/sort.h"

#include <stdlib.h>

enum {
    PART = 512,         /* documents that a thread takes at a time */
    SKETCH = 3,         /* hashes of a document */
    COMPARED = 8,       /* documents before it in the list */
    LEAST_TOKENS = 3,   /* of a sentence in a sketch */
    LEAST_SENTENCES = 3 /* of a document that may have copies */
};

typedef struct sketch {
    uint64_t hash, key;
    uint32_t n_tokens, doc;
} sketch;

typedef struct hashed_sentence {
    uint64_t hash;
    uint32_t n_tokens;
} hashed_sentence;

typedef DPL_VEC(hashed_sentence) hashed_doc;

/* Two near-copies. */
typedef struct edge {
    uint32_t docs[2];
    double share; /* of the longer one */
} edge;

typedef DPL_VEC(edge) edge_list;

typedef struct finder {
    dpl_ctx *ctx;
    const dpl__copies_input *in;
    DPL_VEC(sketch) sketches;
    edge_list *parts; /* of edges, in the order of sketches */
    size_t n_parts;
    edge_list edges;
} finder;

/* Compares some of the sketches with those before them. */
typedef struct comparer {
    const finder *f;
    edge_list *edges;
    hashed_doc docs[2];
} comparer;

/* ---- sketches ----------------------------------------------------------------------- */

static int by_sentence_hash(const void *a, const void *b)
{
    const hashed_sentence *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Sentences of a document by their hashes. */
static dpl_status hash_sentences(hashed_doc *out, const finder *f, uint32_t doc, dpl_error *err)
{
    const dpl_collection *c = f->in->c;
    size_t n = dpl_collection_n_sentences(c, doc);
    out->n = 0;
    if (!dpl__vec_reserve(f->ctx, out, n))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        dpl__token_run t = dpl__sentence_tokens(c, doc, i, i + 1);
        if (t.n)
            out->data[out->n++] = (hashed_sentence){
                dpl__hash(t.tokens, t.n * sizeof *t.tokens, t.n), (uint32_t)t.n};
    }
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_sentence_hash);
    return DPL_OK;
}

static uint32_t n_docs(const finder *f)
{
    return dpl_collection_get_sizes(f->in->c)->n_docs;
}

/* Up to SKETCH for the document; those that are left over have no tokens. */
static dpl_status make_sketch(sketch out[SKETCH], const finder *f, hashed_doc *scratch,
                              uint32_t doc, dpl_error *err)
{
    size_t n_tokens, n = 0;
    dpl_collection_tokens(f->in->c, doc, &n_tokens);
    memset(out, 0, SKETCH * sizeof *out);
    if (f->in->skip[doc] || dpl_collection_n_sentences(f->in->c, doc) < LEAST_SENTENCES)
        return DPL_OK;
    DPL_TRY(hash_sentences(scratch, f, doc, err));
    const hashed_sentence *s = scratch->data;
    for (size_t i = 0; i < scratch->n && n < SKETCH; i++)
        if (s[i].n_tokens >= LEAST_TOKENS && !(i && s[i].hash == s[i - 1].hash))
            out[n++] = (sketch){s[i].hash, f->in->keys[doc], (uint32_t)n_tokens, doc};
    return DPL_OK;
}

static dpl_status sketch_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    const finder *f = user;
    const uint32_t end = (uint32_t)dpl__min((part + 1) * PART, n_docs(f));
    hashed_doc scratch = {0};
    dpl_status status = DPL_OK;
    for (uint32_t doc = (uint32_t)(part * PART); doc < end && status == DPL_OK; doc++)
        status = make_sketch(&f->sketches.data[(size_t)SKETCH * doc], f, &scratch, doc, err);
    dpl__vec_clear(f->ctx, &scratch);
    return status;
}

static dpl_status make_sketches(finder *f, dpl_error *err)
{
    const size_t most = (size_t)SKETCH * n_docs(f);
    if (!dpl__vec_reserve(f->ctx, &f->sketches, most))
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__parallel_for(f->ctx, (n_docs(f) + (size_t)PART - 1) / PART, f, sketch_part,
                              err));
    for (size_t i = 0; i < most; i++)
        if (f->sketches.data[i].n_tokens)
            f->sketches.data[f->sketches.n++] = f->sketches.data[i];
    return DPL_OK;
}

/* Documents of similar length stand beside each other. */
static int by_sketch(const void *a, const void *b)
{
    const sketch *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->n_tokens != y->n_tokens)
        return x->n_tokens < y->n_tokens ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* ---- comparing ---------------------------------------------------------------------- */

/* Words in sentences that both have. */
static uint32_t count_shared(const hashed_doc *a, const hashed_doc *b)
{
    uint32_t n = 0;
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        uint64_t x = a->data[i].hash, y = b->data[j].hash;
        n += x == y ? a->data[i].n_tokens : 0;
        i += x <= y;
        j += y <= x;
    }
    return n;
}

static dpl_status compare_docs(comparer *x, const sketch *a, const sketch *b, dpl_error *err)
{
    double shorter = a->n_tokens, longer = b->n_tokens;
    if (shorter < DPL__P(mine, copy_longer) * longer)
        return DPL_OK;
    DPL_TRY(hash_sentences(&x->docs[0], x->f, a->doc, err));
    double shared = count_shared(&x->docs[0], &x->docs[1]);
    edge e = {{a->doc, b->doc}, shared / longer};
    bool is_copy =
        shared >= DPL__P(mine, copy_shorter) * shorter && e.share >= DPL__P(mine, copy_longer);
    return !is_copy || dpl__vec_push(x->f->ctx, x->edges, e) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status compare_one(comparer *x, size_t i, dpl_error *err)
{
    const sketch *s = x->f->sketches.data;
    if (i == 0 || s[i].hash != s[i - 1].hash)
        return DPL_OK;
    DPL_TRY(hash_sentences(&x->docs[1], x->f, s[i].doc, err));
    for (size_t k = 1; k <= dpl__min(i, COMPARED) && s[i - k].hash == s[i].hash; k++)
        DPL_TRY(compare_docs(x, &s[i - k], &s[i], err));
    return DPL_OK;
}

static dpl_status compare_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    const finder *f = user;
    comparer x = {.f = f, .edges = &f->parts[part]};
    const size_t end = dpl__min((part + 1) * PART, f->sketches.n);
    dpl_status status = DPL_OK;
    for (size_t i = part * PART; i < end && status == DPL_OK; i++)
        status = compare_one(&x, i, err);
    dpl__vec_clear(f->ctx, &x.docs[0]);
    dpl__vec_clear(f->ctx, &x.docs[1]);
    return status;
}

static dpl_status compare_all(finder *f, dpl_error *err)
{
    const size_t n = f->sketches.n / PART + 1;
    f->parts = dpl__calloc(f->ctx, n, sizeof *f->parts);
    if (!f->parts)
        return dpl__fail_nomem(err);
    f->n_parts = n;
    DPL_TRY(dpl__parallel_for(f->ctx, n, f, compare_part, err));
    for (size_t i = 0; i < n; i++)
        if (!dpl__vec_append(f->ctx, &f->edges, f->parts[i].data, f->parts[i].n))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* ---- groups ------------------------------------------------------------------------- */

static uint32_t find_group(uint32_t *groups, uint32_t doc)
{
    while (groups[doc] != doc) {
        groups[doc] = groups[groups[doc]];
        doc = groups[doc];
    }
    return doc;
}

static uint32_t touch(uint32_t *groups, uint32_t doc)
{
    if (groups[doc] == DPL__NO_DOC)
        groups[doc] = doc;
    return find_group(groups, doc);
}

/* The document with the lower key stands for both. */
static void join(finder *f, uint32_t *groups, const edge *e)
{
    uint32_t a = touch(groups, e->docs[0]), b = touch(groups, e->docs[1]);
    if (f->in->keys[a] <= f->in->keys[b])
        groups[b] = a;
    else
        groups[a] = b;
}

/* Returns the number of documents in groups, less the number of groups. */
static uint32_t make_groups(finder *f, uint32_t *groups, double least)
{
    const uint32_t n_all = n_docs(f);
    uint32_t n = 0;
    for (uint32_t doc = 0; doc < n_all; doc++)
        groups[doc] = DPL__NO_DOC;
    for (size_t i = 0; i < f->edges.n; i++)
        if (f->edges.data[i].share >= least)
            join(f, groups, &f->edges.data[i]);
    for (uint32_t doc = 0; doc < n_all; doc++)
        if (groups[doc] != DPL__NO_DOC)
            n += find_group(groups, doc) != doc;
    for (uint32_t doc = 0; doc < n_all; doc++)
        if (groups[doc] != DPL__NO_DOC)
            groups[doc] = find_group(groups, doc);
    return n;
}

static dpl_status find(finder *f, uint32_t *groups, uint32_t *n_copies, dpl_error *err)
{
    uint32_t n = 0;
    for (uint32_t doc = 0; doc < n_docs(f); doc++)
        n += !f->in->skip[doc];
    DPL_TRY(make_sketches(f, err));
    DPL_TRY(dpl__parallel_sort(f->ctx, f->sketches.data, f->sketches.n,
                               sizeof *f->sketches.data, by_sketch, err));
    DPL_TRY(compare_all(f, err));
    *n_copies = make_groups(f, groups, 0);
    if (*n_copies < DPL__P(mine, many_copies) * n)
        *n_copies = 0;
    return DPL_OK;
}

dpl_status dpl__copies_find(uint32_t **groups, uint32_t *n_copies, dpl_ctx *ctx,
                            const dpl__copies_input *in, dpl_error *err)
{
    finder f = {.ctx = ctx, .in = in};
    size_t n = dpl_collection_get_sizes(in->c)->n_docs;
    *groups = dpl__alloc(ctx, n * sizeof **groups);
    dpl_status status = *groups || !n ? find(&f, *groups, n_copies, err) : dpl__fail_nomem(err);
    dpl__vec_clear(ctx, &f.sketches);
    dpl__vec_clear(ctx, &f.edges);
    for (size_t i = 0; i < f.n_parts; i++)
        dpl__vec_clear(ctx, &f.parts[i]);
    dpl__free(ctx, f.parts, f.n_parts * sizeof *f.parts);
    if (status != DPL_OK || *n_copies == 0) {
        dpl__free(ctx, *groups, n * sizeof **groups);
        *groups = NULL;
    }
    return status;
}
