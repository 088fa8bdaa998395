/*
 * mine_groups.c - mines documents in any number of languages, in one call.
 *
 *     mine_groups FOLDER FILE...
 *
 * Prints the number of document pairs of each two languages, and of groups by the number of
 * their languages. The rest is in FOLDER: groups.tsv, pairs.tsv, sentences.tsv, report.html.
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_summary(const dpl_mine_summary *s)
{
    for (size_t i = 0; i < s->n_runs; i++) {
        const dpl_mine_run *run = s->runs[i];
        printf("%s-%s\t%llu pairs\n", run->left->code, run->right->code,
               (unsigned long long)run->n_pairs);
    }
    if (!s->is_many) /* two files, each in one language: there are no groups */
        return;
    for (size_t n = s->n_langs; n >= 2; n--)
        printf("%zu languages\t%llu groups\n", n, (unsigned long long)s->n_groups_by_size[n]);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: mine_groups FOLDER FILE...\n");
        return 2;
    }
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_mine_result *result = NULL;
    dpl_mine_options options = DPL_INIT(dpl_mine_options);
    size_t n = (size_t)argc - 2;
    dpl_input *inputs = (dpl_input *)calloc(n, sizeof *inputs);
    memset(&err, 0, sizeof err);
    for (size_t i = 0; inputs && i < n; i++)
        inputs[i].path = argv[i + 2];
    options.header = true; /* groups.tsv begins with the languages */
    dpl_status st = inputs ? dpl_ctx_new(&ctx, NULL, &err) : DPL_E_NOMEM;
    if (st == DPL_OK)
        st = dpl_mine(&result, ctx, argv[1], inputs, n, &options, &err);
    if (st == DPL_OK)
        print_summary(dpl_mine_get_summary(result));
    else
        fprintf(stderr, "mine_groups: %s\n", err.text);
    dpl_mine_result_free(result);
    dpl_ctx_free(ctx);
    free(inputs);
    return st == DPL_OK ? 0 : 1;
}
