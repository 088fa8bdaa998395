/*
 * hash.c - candidates for near-duplicates by similarity hash codes, and codes of a document
 * that comes later.
 *
 *     cc hash.c -ldoppel -o hash && ./hash
 */
#include <doppel/codes.h>

#include <stdio.h>
#include <string.h>

/* Documents as words; document i has the words from begins[i] on. */
static const char *const words[] = {
    "ship", "left",  "harbour", "dawn",    "sailors", "salt", "timber", /* 0 */
    "rain", "north", "wind",    "coast",   "evening",                   /* 1 */
    "ship", "left",  "harbour", "dawn",    "sailors", "salt", "copper", /* 2 */
    "ship", "left",  "harbour", "morning", "sailors", "salt", "timber"  /* the query */
};
static const uint64_t begins[] = {0, 7, 12, 19};
static const uint64_t query_begins[] = {19, 26};
enum { N_WORDS = sizeof words / sizeof *words };

static dpl_status find(dpl_ctx *ctx, dpl_codes *documents, dpl_codes *query, dpl_error *err)
{
    dpl_buckets *buckets = NULL;
    dpl_row_pair pairs[8];
    size_t n = 0;
    dpl_status status = dpl_codes_join(&buckets, ctx, documents, query, NULL, err);
    while (status == DPL_OK &&
           (status = dpl_buckets_next(buckets, pairs, &n, 8, err)) == DPL_OK)
        for (size_t i = 0; i < n; i++)
            printf("%s %u is like document %u\n", query ? "query" : "document", pairs[i].right,
                   pairs[i].left);
    dpl_buckets_close(buckets);
    return status == DPL_END ? DPL_OK : status;
}

int main(void)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_hash *hash = NULL;
    dpl_codes *documents = NULL, *query = NULL;
    dpl_str terms[N_WORDS];
    memset(&err, 0, sizeof err);
    for (size_t i = 0; i < N_WORDS; i++) {
        terms[i].data = words[i];
        terms[i].n = strlen(words[i]);
    }
    dpl_hash_input rows = DPL_INIT(dpl_hash_input);
    rows.n_rows = 3;
    rows.offsets = begins;
    rows.terms = terms;
    dpl_hash_input one = rows;
    one.n_rows = 1;
    one.offsets = query_begins;
    dpl_hash_options o = DPL_INIT(dpl_hash_options);
    o.function = DPL_HASH_MINHASH; /* 2 minima to a code, 20 codes: finds half of the words */
    o.length = 2;
    o.codes = 20;
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = dpl_hash_new(&hash, ctx, &o, NULL, &err);
    if (status == DPL_OK)
        status = dpl_codes_make(&documents, ctx, hash, &rows, &err);
    if (status == DPL_OK)
        status = dpl_codes_make(&query, ctx, hash, &one, &err);
    if (status == DPL_OK)
        status = find(ctx, documents, NULL, &err);
    if (status == DPL_OK)
        status = find(ctx, documents, query, &err);
    if (status != DPL_OK)
        fprintf(stderr, "%s\n", err.text);
    dpl_codes_close(query);
    dpl_codes_close(documents);
    dpl_hash_free(hash);
    dpl_ctx_free(ctx);
    return status == DPL_OK ? 0 : 1;
}
