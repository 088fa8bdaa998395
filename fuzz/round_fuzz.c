/*
 * round_fuzz.c - hostile files of rounds.
 *
 * Each input is opened as it is, and with all checksums made right. Property: a round that
 * opens can be walked, and what it says about itself agrees.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

static void walk(const dpl_round *r)
{
    const dpl_mine_round *figures = dpl_round_get_summary(r);
    size_t n_bins;
    uint64_t n_likely = 0;
    REQUIRE(figures->search_seconds >= 0 && figures->mean_cosine >= 0);
    for (int k = 0; k < 2; k++) {
        const uint64_t *bins = dpl_round_get_cosines(r, k, &n_bins);
        REQUIRE(bins);
        fuzz_touch((dpl_str){(const char *)bins, n_bins * sizeof *bins});
    }
    for (size_t i = 0; i < figures->n_candidates; i++) {
        dpl_round_pair p = dpl_round_get_candidate(r, i);
        REQUIRE(p.cosine > 0 && p.confidence >= 0 && p.confidence <= 1);
        REQUIRE(i == 0 || p.docs.left > dpl_round_get_candidate(r, i - 1).docs.left);
        n_likely += p.confidence >= 0.5;
    }
    REQUIRE(n_likely == figures->n_pairs);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_round *r = NULL;
    if (dpl_round_open(&r, ctx, path, NULL) == DPL_OK)
        walk(r);
    dpl_round_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
