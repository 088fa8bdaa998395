/*
 * pairs.c - which documents of two files say the same: the road from text to pairs.
 *
 *     pairs LEFT.jsonl RIGHT.jsonl FOLDER
 *
 * Prints left id, right id and cosine of the documents that are each other's best match, and
 * keeps collections and vectors in FOLDER.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

/* Documents to vectors, with both files kept: FOLDER/NAME.dpl and FOLDER/NAME.vectors.dpl. */
static dpl_status make_vectors(dpl_vectors **out, dpl_ctx *ctx, const char *docs,
                               const char *folder, const char *name, dpl_error *err)
{
    char collection_path[1024], vectors_path[1024];
    snprintf(collection_path, sizeof collection_path, "%s/%s.dpl", folder, name);
    snprintf(vectors_path, sizeof vectors_path, "%s/%s.vectors.dpl", folder, name);
    dpl_collection *collection = NULL;
    dpl_status st = dpl_import(NULL, ctx, collection_path, &docs, 1, NULL, err);
    if (st == DPL_OK)
        st = dpl_collection_open(&collection, ctx, collection_path, err);
    if (st == DPL_OK)
        st = dpl_vectors_make(NULL, ctx, vectors_path, collection, NULL, NULL, err);
    dpl_collection_close(collection);
    return st == DPL_OK ? dpl_vectors_open(out, ctx, vectors_path, err) : st;
}

static dpl_status print_pairs(dpl_ctx *ctx, const dpl_vectors *left, const dpl_vectors *right,
                              dpl_error *err)
{
    dpl_pairs_side a = {left, NULL, NULL}, b = {right, NULL, NULL};
    dpl_pairs_options options = DPL_INIT(dpl_pairs_options);
    options.threshold = 0.1;
    options.select = DPL_SELECT_MUTUAL;
    dpl_pairs *pairs = NULL;
    dpl_status st = dpl_pairs_open(&pairs, ctx, &a, &b, &options, err);
    if (st != DPL_OK)
        return st;
    dpl_pair pair;
    while ((st = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        dpl_str l = dpl_vectors_id(left, pair.left), r = dpl_vectors_id(right, pair.right);
        printf("%.*s\t%.*s\t%.6f\n", (int)l.n, l.data, (int)r.n, r.data, (double)pair.score);
    }
    const dpl_pairs_summary *s = dpl_pairs_get_summary(pairs);
    fprintf(stderr, "%llu pairs by %s, %.3f s\n", (unsigned long long)s->n_selected,
            dpl_pairs_get_method_info(s->method)->name, s->seconds);
    dpl_pairs_close(pairs);
    return st == DPL_END ? DPL_OK : st;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: pairs LEFT.jsonl RIGHT.jsonl FOLDER\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx *ctx = NULL;
    dpl_vectors *left = NULL, *right = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = make_vectors(&left, ctx, argv[1], argv[3], "left", &err);
    if (st == DPL_OK)
        st = make_vectors(&right, ctx, argv[2], argv[3], "right", &err);
    if (st == DPL_OK)
        st = print_pairs(ctx, left, right, &err);
    if (st != DPL_OK)
        fprintf(stderr, "pairs: %s\n", err.text);
    dpl_vectors_close(left);
    dpl_vectors_close(right);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
