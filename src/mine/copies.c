/*
 * copies.c - near-copies: candidates by their shingles with the lowest hashes, then the share
 * of shingles that both have.
 *
 * Two documents that share most of their shingles, sequences of copy_shingle words, share
 * nearly always one of the SKETCH with the lowest hashes (Broder 1997). Documents with one of
 * these in common are neighbours in a sorted list and are compared with a few before them.
 *
 * A near-copy has most shingles of the shorter document: a word that was changed costs
 * copy_shingle of them, a sentence as many as it has words. Siblings, such as descriptions of
 * packages that are built from one source, have common shingles, too, but are translated each
 * for itself, and taking them for copies is costly: F1 of package descriptions 0.98 -> 0.89.
 * Siblings are in few large groups, on both sides; copies, as when a site was fetched twice,
 * before and after changes, in many small ones. Where both sides have many, only those that
 * hardly differ are taken for copies. There are no groups unless there are many copies.
 *
 * Cost: a hash of every shingle, a sort of SKETCH numbers for each document, SKETCH x
 * copy_compared comparisons of it at most. Memory: 150 bytes for each document.
 */
#include "mine/copies.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/vec.h"
#include "io/parts.h"
#include "io/shared_loop.h"
#include "mine/mine_params.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/collection.h"
#include "tokens/shingles.h"

#define P(name) DPL__P(mine, name)

enum {
    PART = 512, /* documents or candidates that a thread takes at a time */
    SKETCH = 6  /* hashes of a document */
};

typedef struct sketch {
    uint64_t hash, key;
    uint32_t n_shingles; /* of the document; 0: none */
    uint32_t doc;
} sketch;

/* Two documents that may be near-copies. */
typedef struct candidate {
    uint32_t docs[2], n_shingles[2];
} candidate;

typedef struct finder {
    dpl_ctx *ctx;
    const dpl__copies_input *in;
    dpl__sets sets;
    dpl__set_scratch *loaded; /* of each thread: a document that others are compared with */
    DPL_VEC(sketch) sketches;
    DPL_VEC(candidate) candidates;
    double *shares; /* of each: the share of the shingles of the shorter one; 0: no copies */
    float *best;    /* of each document: the highest share of its candidates; 0: none */
} finder;

/* ---- sketches ----------------------------------------------------------------------- */

static uint32_t n_docs(const finder *f)
{
    return dpl_collection_get_sizes(f->in->c)->n_docs;
}

/* Adds a key to the lowest ones, which are in order. */
static size_t add_lowest(uint64_t lowest[SKETCH], size_t n, uint64_t key)
{
    size_t at = n < SKETCH ? n++ : SKETCH;
    for (; at > 0 && lowest[at - 1] > key; at--)
        if (at < SKETCH)
            lowest[at] = lowest[at - 1];
    if (at < SKETCH)
        lowest[at] = key;
    return n;
}

/* Up to SKETCH for the document; those that are left over have no shingles. */
static void make_sketch(sketch out[SKETCH], const finder *f, uint32_t doc, unsigned worker)
{
    uint64_t lowest[SKETCH];
    size_t n, n_lowest = 0;
    dpl_collection_tokens(f->in->c, doc, &n);
    memset(out, 0, SKETCH * sizeof *out);
    if (f->in->skip[doc] || n < P(copy_words))
        return;
    const uint64_t *keys = dpl__sets_distinct(&f->sets, doc, &f->sets.scratch[worker], &n);
    for (size_t i = 0; i < n; i++)
        n_lowest = add_lowest(lowest, n_lowest, keys[i]);
    for (size_t i = 0; i < n_lowest; i++)
        out[i] = (sketch){lowest[i], f->in->keys[doc], (uint32_t)n, doc};
}

static dpl_status sketch_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)err;
    const finder *f = user;
    const uint32_t end = (uint32_t)dpl__min((part + 1) * PART, n_docs(f));
    for (uint32_t doc = (uint32_t)(part * PART); doc < end; doc++)
        make_sketch(&f->sketches.data[(size_t)SKETCH * doc], f, doc, worker);
    return DPL_OK;
}

/* Documents of similar length stand beside each other. */
DPL__ORDER(by_sketch, sketch,
           DPL__RISING(hash) DPL__RISING(n_shingles) DPL__RISING(key) DPL__RISING(doc))

static dpl_status make_sketches(finder *f, dpl_error *err)
{
    const size_t most = (size_t)SKETCH * n_docs(f);
    DPL_TRY(dpl__need(dpl__vec_reserve(f->ctx, &f->sketches, most + 1), err));
    const dpl__shared_loop loop = {.name = "sketches",
                                   .key =
                                       dpl__fingerprint_file(0, dpl__collection_file(f->in->c)),
                                   .user = f,
                                   .run = sketch_part,
                                   .items = f->sketches.data,
                                   .n_items = most,
                                   .size = sizeof *f->sketches.data,
                                   .per_job = (size_t)SKETCH * PART};
    DPL_TRY(dpl__shared_for(f->ctx, &loop, err));
    for (size_t i = 0; i < most; i++)
        if (f->sketches.data[i].n_shingles)
            f->sketches.data[f->sketches.n++] = f->sketches.data[i];
    return dpl__parallel_sort(f->ctx, f->sketches.data, f->sketches.n, sizeof *f->sketches.data,
                              by_sketch, err);
}

/* ---- comparing ---------------------------------------------------------------------- */

static bool may_be_copies(const sketch *a, const sketch *b)
{
    return a->n_shingles >= DPL__P(mine, copy_longer) * b->n_shingles;
}

/* The lower number first, so that what comes from several lists is found to be the same. */
static candidate make_candidate(const sketch *a, const sketch *b)
{
    if (a->doc > b->doc)
        return make_candidate(b, a);
    return (candidate){.docs = {a->doc, b->doc}, .n_shingles = {a->n_shingles, b->n_shingles}};
}

DPL__ORDER(by_docs, candidate, DPL__RISING(docs[0]) DPL__RISING(docs[1]))

/* Each document and those before it with the same hash; every two once. */
static dpl_status find_candidates(finder *f, dpl_error *err)
{
    const sketch *s = f->sketches.data;
    for (size_t i = 1; i < f->sketches.n; i++)
        for (size_t k = 1;
             k <= dpl__min(i, (size_t)P(copy_compared)) && s[i - k].hash == s[i].hash; k++)
            if (may_be_copies(&s[i - k], &s[i]) &&
                !dpl__vec_push(f->ctx, &f->candidates, make_candidate(&s[i - k], &s[i])))
                return dpl__fail_nomem(err);
    DPL_TRY(dpl__parallel_sort(f->ctx, f->candidates.data, f->candidates.n,
                               sizeof *f->candidates.data, by_docs, err));
    dpl__vec_distinct(&f->candidates, by_docs);
    return DPL_OK;
}

static dpl_status compare_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)err;
    const finder *f = user;
    const size_t begin = part * PART, end = dpl__min(begin + PART, f->candidates.n);
    for (size_t i = begin; i < end; i++) {
        const candidate *c = &f->candidates.data[i];
        size_t n;
        if (i == begin || c->docs[0] != c[-1].docs[0])
            dpl__sets_load(&f->sets, c->docs[0], &f->loaded[worker], &n);
        double shared = (double)dpl__sets_overlap(&f->sets, &f->loaded[worker], c->docs[1],
                                                  &f->sets.scratch[worker]),
               shorter = (double)dpl__min(c->n_shingles[0], c->n_shingles[1]),
               longer = (double)dpl__max(c->n_shingles[0], c->n_shingles[1]);
        f->shares[i] = shared >= DPL__P(mine, copy_longer) * longer ? shared / shorter : 0;
    }
    return DPL_OK;
}

static dpl_status compare_candidates(finder *f, dpl_error *err)
{
    const size_t n = f->candidates.n;
    f->shares = dpl__alloc(f->ctx, (n + 1) * sizeof *f->shares);
    DPL_TRY(dpl__need(f->shares, err));
    const dpl__shared_loop loop = {.name = "copies",
                                   .key =
                                       dpl__fingerprint_file(0, dpl__collection_file(f->in->c)),
                                   .user = f,
                                   .run = compare_part,
                                   .items = f->shares,
                                   .n_items = n,
                                   .size = sizeof *f->shares,
                                   .per_job = PART};
    return dpl__shared_for(f->ctx, &loop, err);
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
static void join(finder *f, uint32_t *groups, const candidate *e)
{
    uint32_t a = touch(groups, e->docs[0]), b = touch(groups, e->docs[1]);
    if (f->in->keys[a] <= f->in->keys[b])
        groups[b] = a;
    else
        groups[a] = b;
}

/* Whether they differ little, and not much more than either differs from its nearest copy: a
 * sibling of two copies differs more from both of them. */
static bool are_copies(const finder *f, size_t number, double least)
{
    const candidate *c = &f->candidates.data[number];
    const double share = f->shares[number];
    for (int i = 0; i < 2; i++)
        if (1 - share > DPL__P(mine, copy_times) * (1 - (double)f->best[c->docs[i]]) +
                            DPL__P(mine, copy_offset))
            return false;
    return share >= least;
}

/* Returns the number of documents in groups, less the number of groups. */
static uint32_t make_groups(finder *f, uint32_t *groups, double least)
{
    const uint32_t n_all = n_docs(f);
    uint32_t n = 0;
    for (uint32_t doc = 0; doc < n_all; doc++)
        groups[doc] = DPL__NO_DOC;
    for (size_t i = 0; i < f->candidates.n; i++)
        if (are_copies(f, i, least))
            join(f, groups, &f->candidates.data[i]);
    for (uint32_t doc = 0; doc < n_all; doc++)
        if (groups[doc] != DPL__NO_DOC)
            n += find_group(groups, doc) != doc;
    for (uint32_t doc = 0; doc < n_all; doc++)
        if (groups[doc] != DPL__NO_DOC)
            groups[doc] = find_group(groups, doc);
    return n;
}

/* ---- one side ----------------------------------------------------------------------- */

static dpl_status set_up(finder *f, dpl_error *err)
{
    DPL_TRY(dpl__sets_init(&f->sets, f->ctx, f->in->c, (uint32_t)P(copy_shingle), err));
    f->loaded = dpl__calloc(f->ctx, f->ctx->n_threads, sizeof *f->loaded);
    DPL_TRY(dpl__need(f->loaded, err));
    for (unsigned i = 0; i < f->ctx->n_threads; i++)
        DPL_TRY(dpl__set_scratch_init(&f->loaded[i], f->ctx, f->sets.longest, err));
    return DPL_OK;
}

static dpl_status compare_all(finder *f, dpl_error *err)
{
    DPL_TRY(set_up(f, err));
    DPL_TRY(make_sketches(f, err));
    DPL_TRY(find_candidates(f, err));
    DPL_TRY(compare_candidates(f, err));
    f->best = dpl__calloc(f->ctx, n_docs(f) + (size_t)1, sizeof *f->best);
    DPL_TRY(dpl__need(f->best, err));
    for (size_t i = 0; i < f->candidates.n; i++)
        for (int k = 0; k < 2; k++) {
            const uint32_t doc = f->candidates.data[i].docs[k];
            if (f->shares[i] > (double)f->best[doc])
                f->best[doc] = (float)f->shares[i];
        }
    return DPL_OK;
}

/* Keeps the candidates and nothing that they were found by. */
static dpl_status find(void *user, size_t side, unsigned worker, dpl_error *err)
{
    finder *f = (finder *)user + side;
    (void)worker;
    dpl_status status = compare_all(f, err);
    for (unsigned i = 0; f->loaded && i < f->ctx->n_threads; i++)
        dpl__set_scratch_clear(&f->loaded[i], f->ctx);
    dpl__free(f->ctx, f->loaded);
    dpl__sets_clear(&f->sets);
    dpl__vec_clear(f->ctx, &f->sketches);
    return status;
}

/* ---- both sides --------------------------------------------------------------------- */

static double share_of_docs(const finder *f, uint32_t n)
{
    uint32_t n_all = 0;
    for (uint32_t doc = 0; doc < n_docs(f); doc++)
        n_all += !f->in->skip[doc];
    return n_all ? (double)n / n_all : 0;
}

static uint32_t count_groups(const finder *f, const uint32_t *groups)
{
    uint32_t n = 0;
    for (uint32_t doc = 0; doc < n_docs(f); doc++)
        n += groups[doc] == doc;
    return n;
}

/* Siblings are few large groups, and are translated, so that the other side has about as many:
 * where a side has many more groups, they are copies. Otherwise those that hardly differ are,
 * where there are many. */
static void decide(uint32_t *groups[2], uint32_t n_copies[2], finder f[2])
{
    double share[2];
    for (int side = 0; side < 2; side++) {
        n_copies[side] = make_groups(&f[side], groups[side], DPL__P(mine, copy_shorter));
        share[side] = share_of_docs(&f[side], count_groups(&f[side], groups[side]));
    }
    for (int side = 0; side < 2; side++) {
        const double siblings = DPL__P(mine, most_siblings) < share[!side]
                                    ? DPL__P(mine, most_siblings)
                                    : share[!side];
        if (share[side] >= DPL__P(mine, many_copies) + siblings)
            continue;
        n_copies[side] = make_groups(&f[side], groups[side], DPL__P(mine, copy_sure));
        if (share_of_docs(&f[side], n_copies[side]) < DPL__P(mine, many_copies))
            n_copies[side] = 0;
    }
}

dpl_status dpl__copies_find(uint32_t *groups[2], uint32_t n_copies[2], dpl_ctx *ctx,
                            const dpl__copies_input in[2], dpl_error *err)
{
    finder f[2] = {{.ctx = ctx, .in = &in[0]}, {.ctx = ctx, .in = &in[1]}};
    for (int side = 0; side < 2; side++)
        groups[side] = dpl__alloc(ctx, (n_docs(&f[side]) + 1) * sizeof *groups[side]);
    dpl_status status =
        groups[0] && groups[1] ? dpl__shared_sides(ctx, f, find, err) : dpl__fail_nomem(err);
    if (status == DPL_OK)
        decide(groups, n_copies, f);
    for (int side = 0; side < 2; side++) {
        dpl__vec_clear(ctx, &f[side].candidates);
        dpl__free(ctx, f[side].best, f[side].shares);
        if (status == DPL_OK && n_copies[side])
            continue;
        dpl__free(ctx, groups[side]);
        groups[side] = NULL;
    }
    return status;
}
