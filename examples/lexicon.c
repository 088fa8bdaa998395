/*
 * lexicon.c - which words stand for a word: trains on two files and looks it up.
 *
 *     lexicon LEFT.txt RIGHT.txt L.dpl WORD
 *
 * Line i of one file is the translation of line i of the other. Prints the translations of
 * WORD, as it stands in the left file, with their probabilities; the lexicon stays in L.dpl.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static dpl_status train(dpl_ctx *ctx, const char *out, const char *left, const char *right,
                        dpl_error *err)
{
    const char *paths[2];
    paths[0] = left;
    paths[1] = right;
    dpl_train_options options = DPL_INIT(dpl_train_options);
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options);
    read.from = DPL_BITEXT_MOSES;
    options.read = &read;
    dpl_train_summary summary = DPL_INIT(dpl_train_summary);
    dpl_lexicon_sizes sizes = DPL_INIT(dpl_lexicon_sizes);
    summary.sizes = &sizes;
    dpl_status st = dpl_lexicon_train(&summary, ctx, out, paths, 2, &options, err);
    if (st == DPL_OK)
        fprintf(stderr, "%llu rows, %llu entries, %.3f s\n", (unsigned long long)summary.n_rows,
                (unsigned long long)sizes.n_entries, summary.seconds);
    return st;
}

static dpl_status print_translations(dpl_ctx *ctx, const char *path, const char *word,
                                     dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    dpl_lexicon_hit hit;
    dpl_str text;
    text.data = word;
    text.n = strlen(word);
    dpl_status st = dpl_lexicon_open(&lexicon, ctx, path, NULL, err);
    if (st == DPL_OK) /* folds the word as the lexicon's are */
        st = dpl_lexicon_look_up(&hit, ctx, lexicon, false, text, err);
    if (st == DPL_OK && !hit.is_known)
        fprintf(stderr, "no '%s' in the lexicon\n", hit.text);
    if (st == DPL_OK && hit.is_known) {
        size_t n;
        const float *p;
        const uint32_t *targets = dpl_lexicon_row(lexicon, hit.number, &p, &n);
        for (size_t i = 0; i < n; i++) {
            dpl_str target = dpl_lexicon_target(lexicon, targets[i]);
            printf("%.*s\t%.3f\n", (int)target.n, target.data, (double)p[i]);
        }
    }
    dpl_lexicon_close(lexicon);
    return st;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: lexicon LEFT.txt RIGHT.txt L.dpl WORD\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx *ctx = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = train(ctx, argv[3], argv[1], argv[2], &err);
    if (st == DPL_OK)
        st = print_translations(ctx, argv[3], argv[4], &err);
    if (st != DPL_OK)
        fprintf(stderr, "lexicon: %s\n", err.text);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
