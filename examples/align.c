/*
 * align.c - the last stage of the road: pairs of documents to pairs of sentences.
 *
 *     align PAIRS.tsv LEFT.dpl RIGHT.dpl OUT.tsv
 *
 * PAIRS.tsv has left id, tab, right id a line, LEFT.dpl and RIGHT.dpl are collections. Prints
 * how many sentence pairs were kept; these are in OUT.tsv.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

typedef struct input {
    dpl_collection *left, *right;
    dpl_doc_pair *pairs;
    size_t n_pairs;
} input;

static dpl_status open_input(input *in, dpl_ctx *ctx, char **paths, dpl_error *err)
{
    dpl_status st = dpl_collection_open(&in->left, ctx, paths[1], err);
    if (st == DPL_OK)
        st = dpl_collection_open(&in->right, ctx, paths[2], err);
    if (st == DPL_OK) /* NULL: ids that are not there are errors, not counted */
        st = dpl_doc_pairs_read(&in->pairs, &in->n_pairs, ctx, paths[0], in->left, in->right,
                                NULL, err);
    return st;
}

static void close_input(input *in, dpl_ctx *ctx)
{
    dpl_doc_pairs_free(ctx, in->pairs, in->n_pairs);
    dpl_collection_close(in->right);
    dpl_collection_close(in->left);
}

/* The writer takes document pair after document pair as they are aligned. */
static dpl_status align(dpl_ctx *ctx, const input *in, const char *path, dpl_error *err)
{
    dpl_beads_writer *writer = NULL;
    dpl_sentences_summary summary = DPL_INIT(dpl_sentences_summary);
    dpl_sentences_input pairs = DPL_INIT(dpl_sentences_input);
    pairs.left = in->left;
    pairs.right = in->right;
    pairs.pairs = in->pairs;
    pairs.n_pairs = in->n_pairs;
    uint64_t n_rows = 0;
    dpl_status st = dpl_beads_open(&writer, ctx, path, in->left, in->right, NULL, err);
    if (st == DPL_OK)
        st = dpl_sentences_align(&summary, ctx, &pairs, NULL, dpl_beads_write, writer, err);
    if (st == DPL_OK)
        st = dpl_beads_finish(&n_rows, writer, err);
    dpl_beads_close(writer);
    if (st == DPL_OK) {
        printf("%llu sentence pairs\n", (unsigned long long)n_rows);
        fprintf(stderr, "of %llu and %llu sentences, %.3f s\n",
                (unsigned long long)summary.n_units[0], (unsigned long long)summary.n_units[1],
                summary.seconds);
    }
    return st;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: align PAIRS.tsv LEFT.dpl RIGHT.dpl OUT.tsv\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    input in;
    memset(&in, 0, sizeof in);
    dpl_ctx *ctx = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = open_input(&in, ctx, argv + 1, &err);
    if (st == DPL_OK)
        st = align(ctx, &in, argv[4], &err);
    if (st != DPL_OK)
        fprintf(stderr, "align: %s\n", err.text);
    if (ctx)
        close_input(&in, ctx);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
