/*
 * codec.h - how a compression format plugs into the input.
 *
 * A codec turns the bytes of a source into the bytes they stand for; concatenated members,
 * frames or streams are one stream. It lives in one file, which
 * exports one table; to add one, write that file and a row of dpl__codecs in codec.c.
 */
#ifndef DPL_IO_CODEC_H
#define DPL_IO_CODEC_H

#include "io/source.h"

/* Room for output that every read has. How much a library writes before it finds damage may
 * depend on the room, so it is always the same, however much the caller of the input reads. */
enum { DPL__CODEC_ROOM = 128 << 10 };

typedef struct dpl__codec {
    const char *name;   /* "gzip" */
    const char *ending; /* of file names: ".gz" */
    /* Does a file that begins like this (n may be short of any magic) belong to it? */
    bool (*matches)(const uint8_t *p, size_t n);
    /* The source outlives the state. */
    dpl_status (*open)(void **state, dpl__source *src, dpl_error *err);
    /* Up to DPL__CODEC_ROOM bytes; *got, which is 0 before, stays so at the end only. A failure
     * may come with bytes that stand before the damage; there is no call after it. */
    dpl_status (*read)(void *state, uint8_t *out, size_t *got, dpl_error *err);
    void (*close)(void *state);
    bool has_threads; /* it reads on all threads of the context */
} dpl__codec;

/* All of them; NULL ends. codec.c has the list. */
extern const dpl__codec *const dpl__codecs[];

/* Does a path end like that, in any case of letters? ".HTML" is ".html". */
bool dpl__has_ending(dpl_str path, const char *ending);
/* The name without the ending of a compression. */
dpl_str dpl__unpacked_name(dpl_str path);

/* A frame of zstd with a checksum, at to, which has room for *n_to bytes: ZSTD_compressBound.
 * Its length in *n_to; false without memory. */
bool dpl__zstd_pack(char *to, size_t *n_to, dpl_str from, int level);

/* The context's memory as zlib calls for it. */
void *dpl__zlib_alloc(void *ctx, unsigned n, unsigned size);
void dpl__zlib_free(void *ctx, void *p);

#endif
