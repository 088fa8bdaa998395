/*
 * links_fuzz.c - files of links: against itself a file has no errors, turned round it has as
 * many links, and what is refused is told.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

static dpl_eval_words eval(dpl_ctx *ctx, const char *path, bool is_turned, dpl_status *status)
{
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    dpl_error err = {0};
    dpl_eval_words_options o = DPL_INIT(dpl_eval_words_options, .turned = is_turned);
    *status = dpl_eval_words_run(&w, ctx, path, path, &o, &err);
    REQUIRE((*status < 0) == (err.text[0] != 0));
    return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    dpl_status status, turned_status;
    char path[64];
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file(data, n));
    dpl_eval_words w = eval(ctx, path, false, &status);
    dpl_eval_words turned = eval(ctx, path, true, &turned_status);
    REQUIRE(status == turned_status);
    if (status != DPL_OK)
        return 0;
    REQUIRE(w.n_sure <= w.n_possible && w.n_found == w.n_possible);
    REQUIRE(w.n_found_possible == w.n_found && w.n_found_sure == w.n_sure && w.aer == 0);
    REQUIRE(turned.n_found == w.n_found && turned.n_possible == w.n_possible);
    REQUIRE(turned.n_found_possible <= w.n_found && turned.aer >= 0 && turned.aer <= 1);
    return 0;
}
