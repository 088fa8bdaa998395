/*
 * import.c - turns files into a collection, with stemming and a progress line.
 *
 *     import OUT.dpl FILE...
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static int show_progress(void *user, const dpl_progress *p)
{
    (void)user;
    fprintf(stderr, "\r%s: %llu %s", p->stage, (unsigned long long)p->done, p->unit);
    return 0; /* anything else stops the import */
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: import OUT.dpl FILE...\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx_options context = DPL_INIT(dpl_ctx_options);
    context.progress = show_progress;
    context.memory = (uint64_t)1 << 30;
    dpl_ctx *ctx = NULL;
    dpl_status st = dpl_ctx_new(&ctx, &context, &err);

    dpl_reader_options read = DPL_INIT(dpl_reader_options);
    read.on_error = DPL_ON_ERROR_SKIP;
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    tokens.stem = true;
    dpl_import_options options = DPL_INIT(dpl_import_options);
    options.read = &read;
    options.tokens = &tokens;
    dpl_read_counts counts = DPL_INIT(dpl_read_counts);
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    dpl_import_summary sum = DPL_INIT(dpl_import_summary);
    sum.read = &counts;
    sum.sizes = &sizes;
    if (st == DPL_OK)
        st = dpl_import(&sum, ctx, argv[1], (const char *const *)argv + 2, (size_t)argc - 2,
                        &options, &err);
    fputc('\n', stderr);
    dpl_ctx_free(ctx);
    if (st != DPL_OK) {
        fprintf(stderr, "import: %s\n", err.text);
        return 1;
    }
    printf("%u documents, %llu tokens, %u terms\n", sizes.n_docs,
           (unsigned long long)sizes.n_tokens, sizes.n_terms);
    for (int i = 0; i < DPL_N_DROPS; i++)
        if (counts.n_dropped[i])
            printf("%llu dropped: %s\n", (unsigned long long)counts.n_dropped[i],
                   dpl_drop_name((dpl_drop)i));
    return 0;
}
