/*
 * ngram.c - pairs of documents in one language that share n-grams of words.
 *
 *     ngram LEFT.jsonl RIGHT.jsonl
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static dpl_status open_side(dpl_collection **out, dpl_ctx *ctx, const char *path,
                            dpl_error *err)
{
    dpl_reader_options read = DPL_INIT(dpl_reader_options);
    dpl_import_options o = DPL_INIT(dpl_import_options);
    dpl_input input;
    memset(&input, 0, sizeof input);
    input.path = path;
    read.lang = "en"; /* after translation */
    o.read = &read;
    return dpl_collection_from_inputs(out, NULL, ctx, &input, 1, &o, err);
}

static dpl_status find(dpl_ctx *ctx, const dpl_collection *left, const dpl_collection *right,
                       dpl_error *err)
{
    dpl_pairs_side a = {NULL, NULL, left}, b = {NULL, NULL, right};
    dpl_ngram_options ngrams = DPL_INIT(dpl_ngram_options);
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options);
    dpl_pairs *pairs = NULL;
    dpl_pair p;
    ngrams.matching = 3;
    o.method = DPL_PAIRS_NGRAM;
    o.ngram = &ngrams;
    DPL_TRY(dpl_pairs_open(&pairs, ctx, &a, &b, &o, err));
    while (dpl_pairs_next(pairs, &p, err) == DPL_OK) {
        dpl_str x = dpl_pairs_id(pairs, false, p.left), y = dpl_pairs_id(pairs, true, p.right);
        printf("%.*s\t%.*s\t%.2f\n", (int)x.n, x.data, (int)y.n, y.data, (double)p.score);
    }
    dpl_pairs_close(pairs);
    return DPL_OK;
}

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_collection *left = NULL, *right = NULL;
    memset(&err, 0, sizeof err);
    if (argc != 3) {
        fprintf(stderr, "usage: ngram LEFT.jsonl RIGHT.jsonl\n");
        return 2;
    }
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = open_side(&left, ctx, argv[1], &err);
    if (st == DPL_OK)
        st = open_side(&right, ctx, argv[2], &err);
    if (st == DPL_OK)
        st = find(ctx, left, right, &err);
    if (st != DPL_OK)
        fprintf(stderr, "ngram: %s\n", err.text);
    dpl_collection_close(right);
    dpl_collection_close(left);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
