/*
 * walk.c - walks a collection: its documents, their first sentence and their rarest term.
 *
 *     walk COLLECTION.dpl
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static void print_doc(const dpl_collection *c, uint32_t doc)
{
    dpl_doc d = dpl_collection_doc(c, doc);
    size_t n_tokens, n_terms;
    const uint32_t *counts;
    (void)dpl_collection_tokens(c, doc, &n_tokens);
    const uint32_t *terms = dpl_collection_row(c, doc, &counts, &n_terms);
    printf("%.*s\t%.*s\t%zu tokens\t%zu terms", (int)d.id.n, d.id.data, (int)d.lang.n,
           d.lang.data, n_tokens, n_terms);
    if (n_terms) { /* ids rise as terms get rarer */
        dpl_str rare = dpl_collection_term(c, terms[n_terms - 1]);
        printf("\t%.*s", (int)rare.n, rare.data);
    }
    if (dpl_collection_n_sentences(c, doc)) {
        dpl_str s = dpl_collection_sentence_text(c, doc, 0);
        printf("\t%.*s", (int)s.n, s.data);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: walk COLLECTION.dpl\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx *ctx = NULL;
    dpl_collection *c = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = dpl_collection_open(&c, ctx, argv[1], &err);
    if (st == DPL_OK) {
        for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c)->n_docs; doc++)
            print_doc(c, doc);
    } else {
        fprintf(stderr, "walk: %s\n", err.text);
    }
    dpl_collection_close(c);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
