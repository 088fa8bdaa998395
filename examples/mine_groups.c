/*
 * mine_groups.c - the whole road in one call, for documents in any number of languages.
 *
 *     mine_groups FOLDER FILE...
 *
 * Prints how many pairs each two languages have, and how many documents there are in how many
 * languages. The rest is in FOLDER: groups.tsv, pairs.tsv, sentences.tsv, report.html.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static void print_summary(const dpl_mine_many_summary *s)
{
    for (size_t i = 0; i < s->n_runs; i++) {
        const dpl_mine_many_run *run = &s->runs[i];
        printf("%s-%s\t%llu pairs\n", run->left->code, run->right->code,
               (unsigned long long)run->summary.n_pairs);
    }
    if (!s->is_many) /* two files, each in one language: there are no groups */
        return;
    for (size_t n = s->n_langs; n >= 2; n--)
        printf("%zu languages\t%llu groups\n", n, (unsigned long long)s->n_groups[n]);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: mine_groups FOLDER FILE...\n");
        return 2;
    }
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_mine_many_summary *summary = NULL;
    dpl_mine_options options;
    memset(&err, 0, sizeof err);
    memset(&options, 0, sizeof options);
    options.has_header = true; /* groups.tsv begins with the languages */
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = dpl_mine_many(&summary, ctx, argv[1], (const char *const *)(argv + 2),
                           (size_t)argc - 2, &options, &err);
    if (st == DPL_OK)
        print_summary(summary);
    else
        fprintf(stderr, "mine_groups: %s\n", err.text);
    dpl_mine_many_free(summary);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
