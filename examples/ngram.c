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
    const dpl_collection *sides[] = {left, right};
    uint32_t n_left = dpl_collection_get_sizes(left)->n_docs;
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options);
    o.matching = 3;
    dpl_ngram_pairs *pairs = NULL;
    dpl_ngram_pair p;
    DPL_TRY(dpl_ngram_find(&pairs, ctx, sides, 2, &o, err));
    while (dpl_ngram_next(pairs, &p)) {
        dpl_str a = dpl_collection_doc(left, p.left).id;
        dpl_str b = dpl_collection_doc(right, p.right - n_left).id;
        printf("%.*s\t%.*s\t%.2f\n", (int)a.n, a.data, (int)b.n, b.data, (double)p.score);
    }
    dpl_ngram_close(pairs);
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
