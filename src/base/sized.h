/*
 * sized.h - options and summaries that begin with their size (doppel/base.h, DPL_INIT).
 *
 *     dpl_status dpl_thing_make(dpl_thing_summary *summary, ..., const dpl_thing_options
 * *options, dpl_error *err)
 *     {
 *         dpl_thing_options o;
 *         DPL_TRY(DPL__TAKE(&o, options, err));
 *         DPL_TRY(DPL__CHECK_OUT(summary, err));
 *         ...
 *         DPL__GIVE(summary, &s);
 *
 * A caller that was compiled with a smaller struct gets defaults for what it does not know, and
 * of a summary as much as it has room for. A larger one is welcome as long as what this library
 * does not know is zero.
 */
#ifndef DPL_BASE_SIZED_H
#define DPL_BASE_SIZED_H

#include "base/base.h"

/* A copy of *from with the size that we know; from may be NULL: all defaults. No size is
 * DPL_E_USAGE, unknown fields that are set DPL_E_UNSUPPORTED. */
#define DPL__TAKE(to, from, err) dpl__take((to), sizeof *(to), (from), (err))
/* A summary that may be NULL has its size. */
#define DPL__CHECK_OUT(out, err) dpl__check_out((out), (err))
/* Fills *to, which may be NULL, as far as the caller has room. */
#define DPL__GIVE(to, from) dpl__give((to), (from), sizeof *(from))

dpl_status dpl__take(void *to, size_t n_known, const void *from, dpl_error *err);
dpl_status dpl__check_out(const void *out, dpl_error *err);
void dpl__give(void *to, const void *from, size_t n_known);

#endif
