/*
 * beads_fuzz.c - files of beads: against itself a file has no errors, and its memory is
 * bounded; the same bytes as ids: different pairs have different file names, which any file
 * system takes.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "sentences/beads_writer.h"

enum { MEMORY = 16 << 20 };

static void check_eval(dpl_ctx *ctx, const uint8_t *data, size_t n)
{
    char path[64];
    dpl_error err = {0};
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file(data, n));
    const char *file = path;
    dpl_status status = dpl_eval_sentences_run(&e, ctx, &file, &file, 1, &err);
    REQUIRE((status < 0) == (err.text[0] != 0));
    REQUIRE(dpl_ctx_peak(ctx) <= 2 * MEMORY);
    if (status != DPL_OK)
        return;
    REQUIRE(e.n_gold == e.n_found && e.n_right == e.n_found && e.n_near == e.n_found);
    REQUIRE(e.n_gold_both <= e.n_gold && e.n_gold_right == e.n_gold_both);
    REQUIRE(e.n_gold_near == e.n_gold_both);
}

static void check_name(const char *name)
{
    size_t n = strlen(name);
    REQUIRE(n > 0 && n < 240 && name[0] != '.');
    for (size_t i = 0; i < n; i++)
        REQUIRE(name[i] != '/' && ((unsigned char)name[i] >= 0x20) && name[i] != 0x7F);
}

/* Two ways to cut the bytes into two ids. */
static void check_names(const uint8_t *data, size_t n)
{
    char names[2][DPL__BEADS_NAME_BYTES];
    const char *text = (const char *)data + 2;
    size_t cuts[2] = {data[0] % (n - 1), data[1] % (n - 1)};
    for (int i = 0; i < 2; i++) {
        dpl_str left = {text, cuts[i]}, right = {text + cuts[i], n - 2 - cuts[i]};
        dpl__beads_file_name(names[i], left, right, DPL_BEADS_VECALIGN);
        check_name(names[i]);
    }
    REQUIRE((cuts[0] == cuts[1]) == (strcmp(names[0], names[1]) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx,
                            &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1,
                                                       .memory = MEMORY),
                            NULL) == DPL_OK);
    check_eval(ctx, data, n);
    if (n > 2)
        check_names(data, n);
    return 0;
}
