/*
 * zim_file.h - the parts of a ZIM file (openZIM; Kiwix): entries and clusters.
 *
 *     header       80 bytes: magic, version, counts, where the lists are
 *     types        media types, each ended by a zero byte, the list by an empty one
 *     path list    64-bit positions of the directory entries, ordered by namespace and path
 *     entries      type, namespace, cluster and blob (or the entry it redirects to), path,
 * title cluster list 64-bit positions of the clusters clusters     a byte that says how it is
 * packed, then offsets of blobs, then the blobs
 *
 * Every number of the file is checked before it is used: what lies outside of the file is a
 * fault of the entry or of the cluster, not of all of it. Versions 5 and 6 are read; clusters
 * are packed with xz or zstd or not at all (zlib and bzip2, which the format had before 2011,
 * are refused), with offsets of 32 or 64 bits. An opened file is frozen.
 */
#ifndef DPL_READERS_ZIM_ZIM_FILE_H
#define DPL_READERS_ZIM_ZIM_FILE_H

#include "base/mappings.h"
#include "base/vec.h"

typedef struct dpl__zim {
    dpl_ctx *ctx;
    dpl_str bytes; /* all of the file */
    bool is_mapped;
    dpl__mapping mapping;
    uint32_t n_entries, n_clusters;
    uint64_t path_list, cluster_list; /* where they begin; they lie within the file */
    char content;                     /* the namespace of articles: 'A', since 6.1 'C' */
    DPL_VEC(dpl_str) types;
} dpl__zim;

/* Types of entries that have no content. */
enum { DPL__ZIM_REDIRECT = 0xFFFF, DPL__ZIM_LINK = 0xFFFE, DPL__ZIM_DELETED = 0xFFFD };

/* The texts are slices of the file, with a zero byte behind. */
typedef struct dpl__zim_entry {
    unsigned type; /* a number of `types`, or one of the above */
    char space;    /* namespace */
    uint32_t cluster, blob;
    uint32_t target; /* REDIRECT: the entry it leads to */
    dpl_str path;
    dpl_str title; /* the path, unless it has one of its own */
} dpl__zim_entry;

/* A file by its path, or its bytes, which the caller keeps; name is for messages. Closed after
 * a failure, too. */
dpl_status dpl__zim_map(dpl__zim *zim, dpl_ctx *ctx, const char *path, dpl_error *err);
dpl_status dpl__zim_read(dpl__zim *zim, dpl_ctx *ctx, const char *name, dpl_str bytes,
                         dpl_error *err);
void dpl__zim_close(dpl__zim *zim);

bool dpl__is_zim(dpl_str start);
/* False: it lies outside of the file. */
bool dpl__zim_entry_at(const dpl__zim *zim, uint32_t i, dpl__zim_entry *out);
/* The media type, without parameters; empty when there is none. */
dpl_str dpl__zim_type(const dpl__zim *zim, const dpl__zim_entry *entry);
/* The bytes from the cluster's first one to the end of the file; empty: it is outside of the
 * file. */
dpl_str dpl__zim_cluster(const dpl__zim *zim, uint32_t number);

/* The blobs of a cluster. Owned. */
typedef struct dpl__zim_blobs {
    dpl_str data;    /* from the list of offsets on */
    unsigned width;  /* bytes of an offset */
    uint64_t n;      /* blobs */
    dpl__bytes held; /* what was unpacked */
} dpl__zim_blobs;

/* Unpacks as much as the blobs up to `last` take. DPL_E_FORMAT: it is damaged, DPL_E_LIMIT: it
 * takes more than n_most bytes, or more memory than there may be; the text of err says which,
 * without a name. To be closed after a failure, too. */
dpl_status dpl__zim_blobs_open(dpl__zim_blobs *b, dpl_ctx *ctx, dpl_str cluster, uint32_t last,
                               uint64_t n_most, dpl_error *err);
/* False: the cluster has no such blob. */
bool dpl__zim_blob(const dpl__zim_blobs *b, uint32_t i, dpl_str *out);
void dpl__zim_blobs_close(dpl__zim_blobs *b, dpl_ctx *ctx);

#endif
