/*
 * synth_run.c - synthetic collections: options become files.
 */
#include "lab/synth_parts.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "io/files.h"
#include "io/target.h"

#include <stdio.h>

enum { DEFAULT_DOCS = 10000, DEFAULT_TOPICS = 100, DEFAULT_DIMS = 256, DEFAULT_ENTRIES = 120 };
enum { DEFAULT_TERMS = 100000, LEAST_TERMS = 1000, MOST_DIMS = 1 << 16 };

/* 0 is the default, below it 0 is meant. */
static void set_share(double *share, double standard)
{
    *share = *share == 0 ? standard : *share < 0 ? 0 : *share;
}

static void set_count(uint32_t *n, uint32_t standard)
{
    *n = *n ? *n : standard;
}

static void set_defaults(dpl_synth_options *o)
{
    set_count(&o->left, DEFAULT_DOCS);
    set_count(&o->right, DEFAULT_DOCS);
    set_count(&o->topics, DEFAULT_TOPICS);
    set_count(&o->dims, DEFAULT_DIMS);
    set_count(&o->entries, DEFAULT_ENTRIES);
    set_count(&o->terms, DEFAULT_TERMS);
    set_share(&o->paired, 0.5);
    set_share(&o->noise, 0.05);
    set_share(&o->same, 0.1);
    o->translated = o->translated == 0 ? 1 : o->translated;
    o->cosine = o->cosine == 0 ? 0.7 : o->cosine;
}

static bool is_share(double x, double least)
{
    return x >= least && x <= 1; /* false for NaN */
}

/* A cosine below 0 is for dense rows. */
static dpl_status check(const dpl_synth_options *o, dpl_error *err)
{
    const double least = o->to == DPL_SYNTH_SPARSE ? 0 : -1;
    if (!dpl_synth_format_name(o->to))
        return dpl__fail(err, DPL_E_USAGE, "unknown format %u", (unsigned)o->to);
    if (!is_share(o->paired, 0) || !is_share(o->noise, 0) || !is_share(o->same, 0) ||
        !is_share(o->translated, 0) || !is_share(o->translated_to, 0))
        return dpl__fail(err, DPL_E_USAGE, "a share is not between 0 and 1");
    if (!is_share(o->cosine, least) || !is_share(o->cosine_to, least))
        return dpl__fail(err, DPL_E_USAGE, "cosines are not between %d and 1", (int)least);
    if (o->dims < 2 || o->dims > MOST_DIMS)
        return dpl__fail(err, DPL_E_USAGE, "%u dimensions are not between 2 and %d", o->dims,
                         MOST_DIMS);
    if (o->terms < LEAST_TERMS || o->entries > o->terms / 16)
        return dpl__fail(err, DPL_E_USAGE,
                         "%u terms are too few: at least %d, and 16 for each entry of a row",
                         o->terms, LEAST_TERMS);
    return DPL_OK;
}

dpl_status dpl_synth(dpl_synth_summary *summary, dpl_ctx *ctx, const char *folder,
                     const dpl_synth_options *options, dpl_error *err)
{
    const double began = dpl__now();
    dpl_synth_options o;
    dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    set_defaults(&o);
    DPL_TRY(check(&o, err));
    DPL_TRY(dpl__folder_make(folder, err));
    dpl__synth_plan plan;
    dpl__synth_plan_make(&plan, ctx->seed, &o);
    s.n_left = o.left;
    s.n_right = o.right;
    s.n_pairs = plan.n_pairs;
    DPL_TRY(o.to == DPL_SYNTH_JSONL ? dpl__synth_documents(&s, ctx, folder, &o, &plan, err)
                                    : dpl__synth_vectors(&s, ctx, folder, &o, &plan, err));
    s.seconds = dpl__now() - began;
    DPL__GIVE(summary, &s);
    return DPL_OK;
}
