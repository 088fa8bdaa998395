/*
 * skips.h - the list of records that did not become documents: bounded, in input order.
 *
 * Of each reason the first SKIPS_MOST are kept, by their place in the input and not by when
 * they were found: the list is the same for any number of threads and any size of chunks.
 * Owned.
 */
#ifndef DPL_READERS_SKIPS_H
#define DPL_READERS_SKIPS_H

#include "doppel/text.h"

#include "base/vec.h"

enum { DPL__SKIPS_MOST = 20 }; /* records listed of each reason */

/* One record. Plain bytes: a list of them is small, and replacing one frees nothing. */
typedef struct dpl__skip {
    uint32_t input;  /* its number */
    uint64_t member; /* its number among the files of a folder */
    uint64_t line;   /* 0: all of the file */
    dpl_drop reason;
    bool is_numbered; /* line is the number of a document */
    char file[256], text[200];
} dpl__skip;

/* What was dropped of one input. */
typedef struct dpl__skip_input {
    uint32_t number;
    char name[256];
    uint64_t n[DPL_MOST_DROPS];
} dpl__skip_input;

struct dpl_skip_list {
    dpl_ctx *ctx;
    DPL_VEC(dpl__skip) records; /* by input, member, line */
    unsigned n_of[DPL_MOST_DROPS];
    DPL_VEC(dpl__skip_input) inputs; /* with something dropped */
};

/* Whether records of the reason are listed: what is dropped by nature (redirects, other
 * languages ...) is only counted. */
bool dpl__is_listed(dpl_drop reason);
/* Whether a record at this place would be kept; cheap, for those who have to make a text. */
bool dpl__skips_wants(const struct dpl_skip_list *list, const dpl__skip *at);
/* False when there is no memory. */
bool dpl__skips_add(struct dpl_skip_list *list, const dpl__skip *skip);
/* Adds the records of a part of an input, and counts. */
bool dpl__skips_take(struct dpl_skip_list *list, const struct dpl_skip_list *part,
                     const char *input, uint32_t number, const dpl_read_counts *counts);
/* Adds what another list has, but for inputs that are here already. */
bool dpl__skips_merge(struct dpl_skip_list *list, const struct dpl_skip_list *more);
void dpl__skips_reset(struct dpl_skip_list *list);
void dpl__skips_clear(struct dpl_skip_list *list);

/* Writes the list to a file, so that a resumed run still has it. read leaves the list empty if
 * there is no such file. */
dpl_status dpl__skips_write(const struct dpl_skip_list *list, const char *path, dpl_error *err);
dpl_status dpl__skips_read(struct dpl_skip_list *list, const char *path, dpl_error *err);

/* {"counts": {reason: number}, "records": [{"file", "line", "reason", "text"}]} */
void dpl__skip_list_json(const dpl_skip_list *list, dpl_json *j, const char *key);

#endif
