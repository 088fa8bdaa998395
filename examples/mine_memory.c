/*
 * mine_memory.c - mines documents that the program holds, and reads the result without files.
 *
 *     mine_memory LEFT.tsv RIGHT.tsv
 *
 * The two files, id and text in each line, stand for any place that documents come from: a
 * database, a crawler, another library. Prints the document pairs with their confidence, the
 * sentence pairs of the first one, and the words that the lexicon has for the first word.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    FILE *file;
    char line[65536];
} table;

/* Called for each document; what it points to stays until the following call. */
static dpl_status next(void *user, dpl_doc *doc, dpl_error *err)
{
    table *t = (table *)user;
    (void)err;
    if (!fgets(t->line, sizeof t->line, t->file))
        return DPL_END;
    char *tab = strchr(t->line, '\t');
    if (!tab)
        return DPL_END;
    doc->id.data = t->line;
    doc->id.n = (size_t)(tab - t->line);
    doc->text.data = tab + 1;
    doc->text.n = strcspn(tab + 1, "\n");
    return DPL_OK;
}

static void print_pairs(const dpl_mine_result *result)
{
    const dpl_mine_run *run = dpl_mine_get_summary(result)->runs[0];
    for (size_t i = 0; i < run->n_pairs; i++) {
        dpl_mine_pair p = dpl_mine_get_pair(result, 0, i);
        printf("%.*s\t%.*s\t%.3f\n", (int)p.left_id.n, p.left_id.data, (int)p.right_id.n,
               p.right_id.data, p.confidence);
    }
}

static dpl_status print_sentences(const dpl_mine_result *result, dpl_error *err)
{
    dpl_mine_sentences *sentences = NULL;
    dpl_sentence_pair p;
    dpl_status st = dpl_mine_sentences_open(&sentences, result, 0, err);
    while (st == DPL_OK && (st = dpl_mine_sentences_next(sentences, &p, err)) == DPL_OK)
        if (p.pair == 0)
            printf("%.*s | %.*s\n", (int)p.left.n, p.left.data, (int)p.right.n, p.right.data);
    dpl_mine_sentences_close(sentences);
    return st == DPL_END ? DPL_OK : st;
}

static void print_word(const dpl_lexicon *lexicon)
{
    size_t n;
    const float *p;
    dpl_str word = dpl_lexicon_source(lexicon, 0);
    const uint32_t *targets = dpl_lexicon_row(lexicon, 0, &p, &n);
    printf("%.*s:", (int)word.n, word.data);
    for (size_t i = 0; i < n; i++) {
        dpl_str target = dpl_lexicon_target(lexicon, targets[i]);
        printf(" %.*s", (int)target.n, target.data);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static table tables[2];
    dpl_doc_source sources[2];
    dpl_input inputs[2];
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_mine_result *result = NULL;
    memset(&err, 0, sizeof err);
    memset(sources, 0, sizeof sources);
    memset(inputs, 0, sizeof inputs);
    if (argc != 3) {
        fprintf(stderr, "usage: mine_memory LEFT.tsv RIGHT.tsv\n");
        return 2;
    }
    for (int side = 0; side < 2; side++) {
        tables[side].file = fopen(argv[side + 1], "r");
        if (!tables[side].file) {
            fprintf(stderr, "mine_memory: cannot open '%s'\n", argv[side + 1]);
            return 1;
        }
        sources[side].next = next;
        sources[side].user = &tables[side];
        inputs[side].source = &sources[side];
    }
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = dpl_mine(&result, ctx, NULL, inputs, 2, NULL, &err);
    if (st == DPL_OK) {
        print_pairs(result);
        st = print_sentences(result, &err);
        print_word(dpl_mine_get_lexicon(result, 0));
    }
    if (st != DPL_OK)
        fprintf(stderr, "mine_memory: %s\n", err.text);
    dpl_mine_result_free(result);
    dpl_ctx_free(ctx);
    for (int side = 0; side < 2; side++)
        fclose(tables[side].file);
    return st == DPL_OK ? 0 : 1;
}
