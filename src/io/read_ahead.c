/*
 * read_ahead.c - a ring of blocks between the thread that decompresses and the one that reads.
 */
#include "io/read_ahead.h"

#include "base/ctx.h"

#include <pthread.h>

enum { BLOCKS = 16 };

typedef struct block {
    uint8_t *bytes; /* DPL__CODEC_ROOM */
    size_t n;
    uint64_t position;
    dpl_status status;
    dpl_error err;
} block;

struct dpl__read_ahead {
    const dpl__codec *codec;
    void *state;
    dpl__source *src;
    pthread_t thread;
    pthread_mutex_t lock; /* of the three that follow it */
    pthread_cond_t has_moved;
    size_t n_filled, n_emptied; /* blocks ever */
    bool is_closing;
    size_t n_taken; /* by the reader, the last of them still in use */
    bool is_over;   /* that was the last one */
    block blocks[BLOCKS];
};

static bool wait_for_room(dpl__read_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->n_filled - a->n_emptied == BLOCKS && !a->is_closing)
        pthread_cond_wait(&a->has_moved, &a->lock);
    const bool has_room = !a->is_closing;
    pthread_mutex_unlock(&a->lock);
    return has_room;
}

static void *fill(void *user)
{
    dpl__read_ahead *a = user;
    bool is_last = false;
    dpl__is_helper_thread = true; /* it reports no progress */
    while (!is_last && wait_for_room(a)) {
        block *b = &a->blocks[a->n_filled % BLOCKS];
        b->n = 0; /* n_filled changes on this thread only */
        b->status = a->codec->read(a->state, b->bytes, &b->n, &b->err);
        b->position = a->src->offset;
        is_last = b->status != DPL_OK || b->n == 0;
        pthread_mutex_lock(&a->lock);
        a->n_filled++;
        pthread_cond_signal(&a->has_moved);
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}

static void clear(dpl__read_ahead *a)
{
    dpl_ctx *ctx = a->src->ctx;
    for (size_t i = 0; i < BLOCKS; i++)
        dpl__free(ctx, a->blocks[i].bytes);
    pthread_cond_destroy(&a->has_moved);
    pthread_mutex_destroy(&a->lock);
    dpl__free(ctx, a);
}

dpl__read_ahead *dpl__read_ahead_new(const dpl__codec *codec, void *state, dpl__source *src)
{
    dpl__read_ahead *a = dpl__calloc(src->ctx, 1, sizeof *a);
    if (!a)
        return NULL;
    a->codec = codec;
    a->state = state;
    a->src = src;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->has_moved, NULL);
    bool has_memory = true;
    for (size_t i = 0; i < BLOCKS && has_memory; i++)
        has_memory = (a->blocks[i].bytes = dpl__alloc(src->ctx, DPL__CODEC_ROOM)) != NULL;
    if (has_memory && pthread_create(&a->thread, NULL, fill, a) == 0)
        return a;
    clear(a);
    return NULL;
}

void dpl__read_ahead_free(dpl__read_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->is_closing = true;
    pthread_cond_signal(&a->has_moved);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    clear(a);
}

dpl_status dpl__read_ahead_next(dpl__read_ahead *a, const uint8_t **bytes, size_t *n,
                                uint64_t *position, dpl_error *err)
{
    *n = 0;
    if (a->is_over)
        return DPL_OK;
    pthread_mutex_lock(&a->lock);
    if (a->n_emptied < a->n_taken) { /* the block before */
        a->n_emptied++;
        pthread_cond_signal(&a->has_moved);
    }
    while (a->n_filled == a->n_taken)
        pthread_cond_wait(&a->has_moved, &a->lock);
    pthread_mutex_unlock(&a->lock);
    const block *b = &a->blocks[a->n_taken++ % BLOCKS];
    a->is_over = b->status != DPL_OK || b->n == 0;
    *bytes = b->bytes;
    *n = b->n;
    *position = b->position;
    if (b->status != DPL_OK && err)
        *err = b->err;
    return b->status;
}
