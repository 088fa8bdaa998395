/*
 * state.h - documents that earlier runs have seen: a collection with the names of their inputs.
 */
#ifndef DPL_DEDUP_STATE_H
#define DPL_DEDUP_STATE_H

#include "doppel/dedup.h"

#include "base/arena.h"
#include "io/target.h"

/* Owned. Zeroed memory may be closed. */
typedef struct dpl__state {
    dpl_ctx *ctx;
    const char *path;
    dpl__name_lock lock; /* until it is closed: nobody else reads what will be replaced */
    dpl__arena arena;
    dpl_collection *c; /* NULL: there is no file yet */
    /* Earlier inputs, then the new ones; as one run over all of them would have them. */
    dpl_input *inputs;
    uint64_t *prints; /* of each */
    size_t n, n_earlier;
} dpl__state;

/* Opens the file, if there is one, and checks all of it ("not-a-state" if it is a collection
 * that is no state). An earlier input with the name and fingerprint of a new one, as of a run
 * that was repeated, is left out. */
dpl_status dpl__state_open(dpl__state *s, dpl_ctx *ctx, const char *path,
                           const dpl_input *inputs, size_t n, dpl_error *err);
/* Replaces the file: the collection at docs, whose ids have numbers of these inputs. Documents
 * of further inputs may follow. */
dpl_status dpl__state_write(dpl__state *s, const char *docs, dpl_error *err);
void dpl__state_close(dpl__state *s);

#endif
