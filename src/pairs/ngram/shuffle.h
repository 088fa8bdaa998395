/*
 * shuffle.h - postings sorted by n-gram, in memory or in runs in a temporary file. Owned.
 */
#ifndef DPL_PAIRS_NGRAM_SHUFFLE_H
#define DPL_PAIRS_NGRAM_SHUFFLE_H

#include "io/spill.h"
#include "pairs/ngram/ngram_settings.h"

typedef struct dpl__shuffle dpl__shuffle;

/* share: bytes it may hold. */
dpl_status dpl__shuffle_new(dpl__shuffle **out, dpl__spill *spill, size_t share,
                            dpl_error *err);
void dpl__shuffle_free(dpl__shuffle *s);
/* About n records will be added; reserving avoids copies. */
dpl_status dpl__shuffle_expect(dpl__shuffle *s, uint64_t n, dpl_error *err);
/* Postings of later calls have higher documents. */
dpl_status dpl__shuffle_add(dpl__shuffle *s, const dpl__ngram_posting *postings, size_t n,
                            dpl_error *err);
/* Postings added. */
uint64_t dpl__shuffle_size(const dpl__shuffle *s);
/* One that is still empty gets the memory of one that was read, which is freed, and the room
 * that it left: new memory must be cleared by the system. */
void dpl__shuffle_follow(dpl__shuffle *s, dpl__shuffle *before, dpl__bytes *room);
/* Ends adding. room: takes the memory that is no longer needed, if all postings are in memory;
 * else, and where it is NULL, that is freed. */
dpl_status dpl__shuffle_sort(dpl__shuffle *s, dpl__bytes *room, dpl_error *err);
/* The postings of the next n-gram, by document: *n_all of them, of which list has all or the
 * first n_most. Borrowed until the next call. DPL_END after the last n-gram. */
dpl_status dpl__shuffle_next(dpl__shuffle *s, const dpl__ngram_posting **list, uint64_t *n_all,
                             size_t n_most, dpl_error *err);
/* Begins with the first n-gram again. False: not all postings are in memory. */
bool dpl__shuffle_rewind(dpl__shuffle *s);

#endif
