/*
 * dictd.h - dictionaries for dictd: NAME.index, and NAME.dict or NAME.dict.dz beside it.
 */
#ifndef DPL_LEXICON_DICTD_H
#define DPL_LEXICON_DICTD_H

#include "lexicon/translations.h"

/* One of the two files, or both without their endings; decided by the name and by which
 * files exist. */
bool dpl__is_dictd(const char *path);

/* The files of a dictionary, in memory. Owned. */
typedef struct dpl__dictd {
    dpl_ctx *ctx;
    bool skips;                  /* entries that cannot be read are skipped and counted */
    char *index_name, *name;     /* of the index and of the text */
    size_t n_index_name, n_name; /* bytes they take */
    dpl__bytes text;             /* all articles */
    dpl__arena arena;
    DPL_VEC(struct dpl__dictd_entry) entries; /* of the index, by place in the text */
    uint64_t n_skipped;
    /* Its title ("French-English FreeDict Dictionary"); may be empty. */
    dpl_str title;
} dpl__dictd;

/* All of it is held in memory. */
dpl_status dpl__dictd_open(dpl__dictd *d, dpl_ctx *ctx, const char *path, bool skips,
                           dpl_error *err);
/* The same from the contents of both files, which the caller keeps. */
dpl_status dpl__dictd_open_memory(dpl__dictd *d, dpl_ctx *ctx, dpl_str index, dpl_str text,
                                  bool skips, dpl_error *err);
/* After a failure, too. */
void dpl__dictd_close(dpl__dictd *d);

/* Adds all articles. */
dpl_status dpl__translations_add_dictd(dpl__translations *g, dpl__dictd *d, dpl_error *err);

#endif
