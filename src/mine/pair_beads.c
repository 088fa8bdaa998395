/*
 * pair_beads.c - a table from pairs of documents to their numbers in a dpl__aligned.
 *
 * Cost: the alignment of what is new, with the model of the likely pairs each time.
 */
#include "mine/pair_beads.h"

#include "base/map.h"

enum { SHARE = 64 }; /* of the memory, for beads */

typedef struct place {
    uint64_t key;  /* of the documents */
    size_t number; /* in aligned */
} place;

DPL_KEY_MAP(places, place);

struct dpl__pair_beads {
    dpl__align_input in; /* without pairs */
    dpl__doc_pairs likely;
    dpl__aligned *aligned;
    places places;
};

static place *find(const dpl__pair_beads *b, dpl_doc_pair docs)
{
    const uint64_t key = dpl__mix((uint64_t)docs.left << 32 | docs.right);
    assert(key);
    return places_find(&b->places, key, key);
}

dpl_status dpl__pair_beads_new(dpl__pair_beads **out, const dpl__align_input *in,
                               dpl_error *err)
{
    dpl_ctx *ctx = in->corpus->ctx;
    dpl__pair_beads *b = *out = dpl__calloc(ctx, 1, sizeof *b);
    dpl_status status;
    DPL_TRY(dpl__need(b, err));
    b->in = *in;
    DPL__STEP(dpl__need(dpl__vec_append(ctx, &b->likely, in->learn.data, in->learn.n), err));
    b->in.learn.data = b->likely.data;
    status = dpl__aligned_new(&b->aligned, ctx, in->corpus->work,
                              (size_t)(dpl_ctx_memory(ctx) / SHARE), err);
done:
    if (status != DPL_OK) {
        dpl__pair_beads_free(b);
        *out = NULL;
    }
    return status;
}

void dpl__pair_beads_free(dpl__pair_beads *b)
{
    if (!b)
        return;
    dpl_ctx *ctx = b->in.corpus->ctx;
    dpl__aligned_free(b->aligned);
    places_clear(&b->places, ctx);
    dpl__vec_clear(ctx, &b->likely);
    dpl__free(ctx, b);
}

/* A pair may be among them twice. */
static dpl_status add(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl__pair_beads *b = user;
    place *slot = find(b, docs->docs);
    if (slot->key)
        return DPL_OK;
    DPL_TRY(dpl__aligned_add(b->aligned, docs, err));
    slot->key = dpl__mix((uint64_t)docs->docs.left << 32 | docs->docs.right);
    slot->number = dpl__aligned_size(b->aligned) - 1;
    b->places.n_used++;
    return DPL_OK;
}

dpl_status dpl__pair_beads_align(dpl__pair_beads *b, dpl__pair_list pairs, dpl_error *err)
{
    dpl_ctx *ctx = b->in.corpus->ctx;
    dpl__doc_pairs missing = {0};
    dpl__align_input in = b->in;
    dpl_status status;
    DPL__STEP(dpl__need(places_reserve(&b->places, ctx, pairs.n) &&
                            dpl__vec_reserve(ctx, &missing, pairs.n),
                        err));
    for (size_t i = 0; i < pairs.n; i++)
        if (!find(b, pairs.data[i])->key)
            missing.data[missing.n++] = pairs.data[i];
    in.pairs = (dpl__pair_list){missing.data, missing.n};
    status = missing.n ? dpl__align_sides(&in, add, b, err) : DPL_OK;
done:
    dpl__vec_clear(ctx, &missing);
    return status;
}

dpl_status dpl__pair_beads_read(dpl_aligned_docs *out, dpl__aligned_reader *reader,
                                const dpl__pair_beads *b, dpl_doc_pair docs, dpl_error *err)
{
    const place *slot = find(b, docs);
    assert(slot->key);
    return dpl__aligned_read(out, reader, b->aligned, slot->number, err);
}

dpl_status dpl__pair_beads_each(dpl__pair_beads *b, dpl__pair_list pairs,
                                dpl_aligned_docs_fn *take, void *user, dpl_error *err)
{
    dpl__aligned_reader reader = {0};
    DPL_TRY(dpl__pair_beads_align(b, pairs, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < pairs.n && status == DPL_OK; i++) {
        dpl_aligned_docs docs;
        status = dpl__pair_beads_read(&docs, &reader, b, pairs.data[i], err);
        docs.pair = i;
        if (status == DPL_OK)
            status = take(user, &docs, err);
    }
    dpl__aligned_reader_clear(&reader, b->in.corpus->ctx);
    return status;
}
