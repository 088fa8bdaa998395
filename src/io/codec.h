/*
 * codec.h - how a compression format plugs into the input.
 *
 * A codec turns the bytes of a source into the bytes they stand for; concatenated members,
 * frames or streams are one stream. It lives in one file and exports one table.
 */
#ifndef DPL_SRC_CODEC_H
#define DPL_SRC_CODEC_H

#include "io/source.h"

/* Room for output that every read has. How much a library hands out before it finds damage may
 * depend on the room, so it is always the same, whatever the caller of the input asks for. */
enum { DPL__CODEC_ROOM = 128 << 10 };

typedef struct dpl__codec {
    /* Does a file that begins like this (n may be short of any magic) belong to it? */
    bool (*matches)(const uint8_t *p, size_t n);
    /* The source outlives the state. */
    dpl_status (*open)(void **state, dpl__source *src, dpl_error *err);
    /* Up to DPL__CODEC_ROOM bytes; *got, which is 0 before, stays so at the end only. A failure
     * may come with bytes that stand before the damage; there is no call after it. */
    dpl_status (*read)(void *state, uint8_t *out, size_t *got, dpl_error *err);
    void (*close)(void *state);
} dpl__codec;

extern const dpl__codec dpl__codec_gzip;
extern const dpl__codec dpl__codec_zstd;
extern const dpl__codec dpl__codec_xz;
extern const dpl__codec dpl__codec_bzip2;

/* The context's memory for libraries that do not name the size again when they free. */
void *dpl__sized_alloc(dpl_ctx *ctx, size_t n, size_t size);
void dpl__sized_free(dpl_ctx *ctx, void *p);

#endif
