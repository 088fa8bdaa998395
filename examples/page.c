/*
 * page.c - documents become a web page that searches them in the browser, without a server.
 *
 *     cc page.c -ldoppel -o page && ./page docs.jsonl docs.html
 */
#include <doppel/page.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_input input;
    memset(&err, 0, sizeof err);
    memset(&input, 0, sizeof input);
    if (argc != 3) {
        fprintf(stderr, "usage: page DOCUMENTS PAGE.html\n");
        return 2;
    }
    if (!dpl_page_is_supported()) {
        printf("this library was built without WebAssembly\n");
        return 0;
    }
    input.path = argv[1];
    dpl_index_summary index = DPL_INIT(dpl_index_summary);
    dpl_page_summary summary = DPL_INIT(dpl_page_summary);
    dpl_index_options options = DPL_INIT(dpl_index_options);
    summary.index = &index;
    options.texts = true; /* for passages side by side */
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status =
            dpl_page_build(&summary, ctx, argv[2], "my documents", &input, 1, &options, &err);
    if (status == DPL_OK)
        printf("%u documents in a page\n", index.n_docs);
    else
        fprintf(stderr, "page: %s\n", err.text);
    dpl_ctx_free(ctx);
    return status != DPL_OK;
}
