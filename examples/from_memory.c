/*
 * from_memory.c - near-duplicates among documents that the program holds itself: no file is
 * touched, neither for the documents nor for what is made of them.
 *
 *     from_memory
 *
 * Prints the ids of similar documents with their cosine, then does the same with rows of
 * numbers as a machine learning model would give them.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

/* A real program has them in a database, a queue, a data frame. */
static const char *const docs[][2] = {
    {"harbour", "The ship lies in the harbour. Tomorrow it sails for the islands."},
    {"bakery", "The bread is baked at night, so that it is warm in the morning."},
    {"port", "The ship lies in the port. Tomorrow it sails for the southern islands."},
    {"lock", "A lock lifts ships from one level of a river to the next."},
    {"bread", "Bread is baked at night and is still warm in the early morning."},
};

enum { N_DOCS = sizeof docs / sizeof *docs };

/* Called for one document after the other. */
static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    size_t *at = (size_t *)user;
    (void)err;
    if (*at == N_DOCS)
        return DPL_END;
    doc->id.data = docs[*at][0];
    doc->id.n = strlen(docs[*at][0]);
    doc->text.data = docs[*at][1];
    doc->text.n = strlen(docs[*at][1]);
    doc->lang.data = "en";
    doc->lang.n = 2;
    ++*at;
    return DPL_OK;
}

static dpl_status make_vectors(dpl_vectors **out, dpl_ctx *ctx, dpl_error *err)
{
    size_t at = 0;
    dpl_doc_source source;
    dpl_input input;
    memset(&source, 0, sizeof source);
    memset(&input, 0, sizeof input);
    source.next = next_doc;
    source.user = &at;
    input.source = &source;
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    tokens.stem = true;
    dpl_import_options import = DPL_INIT(dpl_import_options);
    import.tokens = &tokens;
    dpl_collection *collection = NULL;
    dpl_status st = dpl_collection_from_inputs(&collection, NULL, ctx, &input, 1, &import, err);
    if (st == DPL_OK)
        st = dpl_vectors_from_collection(out, NULL, ctx, collection, NULL, NULL, err);
    dpl_collection_close(collection); /* the vectors do not need it */
    return st;
}

static dpl_status print_pairs(dpl_ctx *ctx, const dpl_vectors *vectors, dpl_error *err)
{
    dpl_pairs_side side = {vectors, NULL, NULL};
    dpl_pairs_options options = DPL_INIT(dpl_pairs_options);
    options.method = DPL_PAIRS_EXACT;
    options.threshold = 0.5;
    dpl_pairs *pairs = NULL;
    dpl_status st = dpl_pairs_open(&pairs, ctx, &side, NULL, &options, err);
    if (st != DPL_OK)
        return st;
    dpl_pair pair;
    while ((st = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        dpl_str a = dpl_vectors_id(vectors, pair.left), b = dpl_vectors_id(vectors, pair.right);
        printf("%.*s\t%.*s\t%.2f\n", (int)a.n, a.data, (int)b.n, b.data, (double)pair.score);
    }
    dpl_pairs_close(pairs);
    return st == DPL_END ? DPL_OK : st;
}

/* Rows of numbers: they are copied and scaled to length one. */
static dpl_status make_dense(dpl_vectors **out, dpl_ctx *ctx, dpl_error *err)
{
    static const float values[] = {1, 2, 2, /**/ 9, 0, 1, /**/ 2, 4, 5};
    dpl_dense_array array = DPL_INIT(dpl_dense_array);
    array.n_rows = 3;
    array.dim = 3;
    array.values = values;
    return dpl_vectors_from_dense(out, ctx, &array, err);
}

int main(void)
{
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx *ctx = NULL;
    dpl_vectors *vectors = NULL, *dense = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = make_vectors(&vectors, ctx, &err);
    if (st == DPL_OK)
        st = print_pairs(ctx, vectors, &err);
    if (st == DPL_OK)
        st = make_dense(&dense, ctx, &err);
    if (st == DPL_OK)
        st = print_pairs(ctx, dense, &err);
    if (st != DPL_OK)
        fprintf(stderr, "from_memory: %s\n", err.text);
    dpl_vectors_close(dense);
    dpl_vectors_close(vectors);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
