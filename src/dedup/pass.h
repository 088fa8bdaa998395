/*
 * pass.h - one more pass over the records of an input: chunks, parsed on all threads, in order.
 */
#ifndef DPL_DEDUP_PASS_H
#define DPL_DEDUP_PASS_H

#include "base/vec.h"
#include "doppel/dedup.h"
#include "readers/chunks.h"
#include "tokens/open_inputs.h"

/* A chunk on its way. */
typedef struct dpl__pass_slot {
    dpl__chunk chunk;
    dpl__bytes raw;   /* its bytes as they were read, of formats whose records are lines */
    dpl__batch batch; /* its documents, unless the pass does not parse */
    uint64_t first;   /* for `begin` to set */
    dpl__bytes out;   /* for `map` and `commit` to fill */
    DPL_VEC(uint64_t) keys; /* likewise */
    uint64_t counts[6];     /* likewise */
} dpl__pass_slot;

/* Callbacks may be NULL. */
typedef struct dpl__pass {
    dpl_ctx *ctx;
    void *user;
    bool no_parse;
    bool (*is_over)(void *user);                     /* no further chunk is needed */
    void (*begin)(void *user, dpl__pass_slot *slot); /* in order, before the chunk is parsed */
    dpl_status (*map)(void *user, dpl__pass_slot *slot, unsigned worker, dpl_error *err);
    dpl_status (*commit)(void *user, dpl__pass_slot *slot, dpl_error *err); /* in order */
    /* The following are the pass's own. */
    dpl_reader *reader;
    dpl__pass_slot *slots;
    size_t n_slots;
} dpl__pass;

/* Runs over a path or a buffer, or over a collection's documents; a source of the caller's
 * cannot be read again: DPL_E_USAGE. */
dpl_status dpl__pass_run(dpl__pass *pass, const dpl_input *input,
                         const dpl_reader_options *options, dpl_error *err);

/* The format of an input once it is open; a collection's documents are DPL_FORMAT_AUTO. */
dpl_status dpl__pass_format(dpl_format *out, dpl_ctx *ctx, const dpl_input *input,
                            const dpl_reader_options *options, dpl_error *err);
static inline bool dpl__format_has_lines(dpl_format format)
{
    return format == DPL_FORMAT_JSONL || format == DPL_FORMAT_TSV ||
           format == DPL_FORMAT_DOCENC;
}

/* Line `number` of the chunk's raw bytes with its line end; they are asked for in rising
 * order: *at and *line are where the last one began, 0 and chunk.line at first. */
dpl_str dpl__pass_line(const dpl__pass_slot *slot, uint64_t number, size_t *at, uint64_t *line);

#endif
