/*
 * lexicon_memory.c - trains a lexicon on sentence pairs that the program holds itself and
 * prints its entries: no file is touched.
 *
 *     lexicon_memory
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

/* A real program has them in a database or a data frame. */
static const char *const pairs[][2] = {
    {"das Haus", "the house"},
    {"das Buch", "the book"},
    {"ein Buch", "a book"},
    {"ein Haus", "a house"},
};

enum { N_PAIRS = sizeof pairs / sizeof *pairs };

/* Called for one pair after the other. */
static dpl_status next_pair(void *user, dpl_bitext_row *row, dpl_error *err)
{
    size_t *at = (size_t *)user;
    (void)err;
    if (*at == N_PAIRS)
        return DPL_END;
    row->left.data = pairs[*at][0];
    row->left.n = strlen(pairs[*at][0]);
    row->right.data = pairs[*at][1];
    row->right.n = strlen(pairs[*at][1]);
    ++*at;
    return DPL_OK;
}

static dpl_status train(dpl_lexicon **out, dpl_ctx *ctx, dpl_error *err)
{
    size_t at = 0;
    dpl_bitext_source source;
    dpl_bitext *rows = NULL;
    memset(&source, 0, sizeof source);
    source.next = next_pair;
    source.user = &at;
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options);
    read.left_lang = "de";
    read.right_lang = "en";
    dpl_train_options options = DPL_INIT(dpl_train_options);
    options.read = &read;
    dpl_status st = dpl_bitext_open_source(&rows, ctx, &source, NULL, err);
    if (st == DPL_OK)
        st = dpl_lexicon_train_rows(out, NULL, ctx, rows, &options, err);
    dpl_bitext_close(rows);
    return st;
}

int main(void)
{
    dpl_ctx *ctx = NULL;
    dpl_lexicon *lexicon = NULL;
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = train(&lexicon, ctx, &err);
    if (st == DPL_OK) {
        dpl_lexicon_entry e;
        dpl_lexicon_entries it = dpl_lexicon_entries_begin(lexicon, false);
        while (dpl_lexicon_entries_next(&it, &e))
            if (e.p >= 0.5f)
                printf("%.*s\t%.*s\n", (int)e.source.n, e.source.data, (int)e.target.n,
                       e.target.data);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    dpl_lexicon_close(lexicon);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
