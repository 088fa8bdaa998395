/*
 * stubs.c - what is declared and not there yet.
 */
#include "doppel/index.h"

#include "base/base.h"

static dpl_status not_yet(dpl_error *err)
{
    return dpl__fail(err, DPL_E_UNSUPPORTED, "this build has no index yet");
}

dpl_status dpl_query_passages(dpl_query *query, size_t hit, const dpl_query_passage **passages,
                              size_t *n, dpl_error *err)
{
    (void)query, (void)hit, (void)passages, (void)n;
    return not_yet(err);
}
