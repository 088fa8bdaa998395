/*
 * sentences.c - sentence pairs from an iterator, and their documents measured in memory.
 *
 *     sentences LEFT.dpl RIGHT.dpl [LEFT_ID RIGHT_ID]...
 *
 * Aligns the documents with these ids and prints the sentence pairs that the filter keeps; then
 * which of the document pairs have one, as precision and recall. No file is written.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl_id_pair *ids;     /* of the arguments */
    dpl_id_pair *aligned; /* those with a sentence pair */
    dpl_doc_pair *docs;
    size_t n, n_aligned;
} program;

static dpl_str to_str(const char *text)
{
    dpl_str s = {text, strlen(text)};
    return s;
}

static dpl_status find_docs(program *p, char **args)
{
    for (size_t i = 0; i < p->n; i++) {
        p->ids[i].left = to_str(args[2 * i]);
        p->ids[i].right = to_str(args[2 * i + 1]);
        if (!dpl_collection_find_doc(p->c[0], p->ids[i].left, &p->docs[i].left) ||
            !dpl_collection_find_doc(p->c[1], p->ids[i].right, &p->docs[i].right)) {
            fprintf(stderr, "sentences: no documents '%s' and '%s'\n", args[2 * i],
                    args[2 * i + 1]);
            return DPL_E_USAGE;
        }
    }
    return DPL_OK;
}

static void print_side(const program *p, const dpl_aligned_docs *docs, int side, uint32_t unit,
                       uint32_t n)
{
    uint32_t first = docs->units[side][unit];
    dpl_str text = dpl_sentences_text(p->c[side], side ? docs->docs.right : docs->docs.left,
                                      first, docs->units[side][unit + n] - first);
    printf("%.*s%c", (int)text.n, text.data, side ? '\n' : '\t');
}

static void print_docs(program *p, const dpl_aligned_docs *docs)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        if (b->verdict != DPL_VERDICT_KEPT)
            continue;
        print_side(p, docs, 0, b->left, b->n_left);
        print_side(p, docs, 1, b->right, b->n_right);
        n_kept++;
    }
    if (n_kept)
        p->aligned[p->n_aligned++] = p->ids[docs->pair];
}

static dpl_status align(program *p, dpl_error *err)
{
    dpl_sentences *sentences = NULL;
    dpl_aligned_docs docs;
    dpl_sentences_input in = DPL_INIT(dpl_sentences_input);
    in.left = p->c[0];
    in.right = p->c[1];
    in.pairs = p->docs;
    in.n_pairs = p->n;
    dpl_status st = dpl_sentences_open(&sentences, p->ctx, &in, NULL, err);
    while (st == DPL_OK && (st = dpl_sentences_next(sentences, &docs, err)) == DPL_OK)
        print_docs(p, &docs);
    dpl_sentences_close(sentences);
    return st == DPL_END ? DPL_OK : st;
}

static dpl_status measure(const program *p, dpl_error *err)
{
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    dpl_eval_pairs_input in = DPL_INIT(dpl_eval_pairs_input);
    in.gold = p->ids;
    in.n_gold = p->n;
    in.found = p->aligned;
    in.n_found = p->n_aligned;
    dpl_status st = dpl_eval_pairs_run(&e, p->ctx, &in, err);
    if (st == DPL_OK)
        printf("precision %.2f, recall %.2f\n", e.precision, e.recall);
    return st;
}

static dpl_status run(program *p, char **args, dpl_error *err)
{
    dpl_status st = dpl_ctx_new(&p->ctx, NULL, err);
    for (int i = 0; i < 2 && st == DPL_OK; i++)
        st = dpl_collection_open(&p->c[i], p->ctx, args[i], err);
    if (st == DPL_OK)
        st = find_docs(p, args + 2);
    if (st == DPL_OK)
        st = align(p, err);
    if (st == DPL_OK)
        st = measure(p, err);
    return st;
}

int main(int argc, char **argv)
{
    dpl_error err;
    program p;
    memset(&err, 0, sizeof err);
    memset(&p, 0, sizeof p);
    if (argc < 5 || argc % 2 == 0) {
        fprintf(stderr, "usage: sentences LEFT.dpl RIGHT.dpl [LEFT_ID RIGHT_ID]...\n");
        return 2;
    }
    p.n = (size_t)(argc - 3) / 2;
    p.ids = (dpl_id_pair *)calloc(p.n, sizeof *p.ids);
    p.aligned = (dpl_id_pair *)calloc(p.n, sizeof *p.aligned);
    p.docs = (dpl_doc_pair *)calloc(p.n, sizeof *p.docs);
    dpl_status st = p.ids && p.aligned && p.docs ? run(&p, argv + 1, &err) : DPL_E_NOMEM;
    if (err.text[0])
        fprintf(stderr, "sentences: %s\n", err.text);
    free(p.docs);
    free(p.aligned);
    free(p.ids);
    dpl_collection_close(p.c[1]);
    dpl_collection_close(p.c[0]);
    dpl_ctx_free(p.ctx);
    return st == DPL_OK ? 0 : 1;
}
