/*
 * synth.c - makes dense vectors with planted pairs of known cosine, and looks how many of them
 * a search by signatures finds.
 *
 *     cc synth.c -ldoppel-lab -o synth && ./synth FOLDER
 */
#include <doppel-lab/synth.h>
#include <doppel/pairs.h>

#include <stdio.h>

static dpl_status count(uint64_t *n, dpl_ctx *ctx, const dpl_vectors *left,
                        const dpl_vectors *right, double threshold, dpl_error *err)
{
    dpl_pairs_side sides[2] = {{left, NULL, NULL}, {right, NULL, NULL}};
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options);
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    o.method = DPL_PAIRS_BRUTE;
    o.threshold = threshold;
    *n = 0;
    DPL_TRY(dpl_pairs_open(&pairs, ctx, &sides[0], &sides[1], &o, err));
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        ++*n;
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status run(dpl_ctx *ctx, const char *folder, dpl_error *err)
{
    char path[2][1000];
    dpl_vectors *rows[2] = {NULL, NULL};
    dpl_synth_summary made = DPL_INIT(dpl_synth_summary);
    dpl_synth_options o = DPL_INIT(dpl_synth_options);
    uint64_t n = 0;
    o.to = DPL_SYNTH_NPY;
    o.left = 2000;
    o.right = 3000;
    o.paired = 0.25;
    o.cosine = 0.6;
    DPL_TRY(dpl_synth(&made, ctx, folder, &o, err));
    snprintf(path[0], sizeof path[0], "%s/left.npy", folder);
    snprintf(path[1], sizeof path[1], "%s/right.npy", folder);
    dpl_status status = dpl_vectors_open(&rows[0], ctx, path[0], err);
    if (status == DPL_OK)
        status = dpl_vectors_open(&rows[1], ctx, path[1], err);
    if (status == DPL_OK)
        status = count(&n, ctx, rows[0], rows[1], 0.5, err);
    if (status == DPL_OK)
        printf("%llu of %llu planted pairs\n", (unsigned long long)n,
               (unsigned long long)made.n_pairs);
    dpl_vectors_close(rows[0]);
    dpl_vectors_close(rows[1]);
    return status;
}

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: synth FOLDER\n");
        return 2;
    }
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = run(ctx, argv[1], &err);
    if (status != DPL_OK)
        fprintf(stderr, "synth: %s\n", err.text);
    dpl_ctx_free(ctx);
    return status == DPL_OK ? 0 : 1;
}
