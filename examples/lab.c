/*
 * lab.c - list the experiments of the papers, and run one of them on two collections.
 *
 *     cc lab.c -ldoppel-lab -o lab && ./lab de.jsonl en.jsonl FOLDER
 */
#include <doppel-lab/lab.h>

#include <stdio.h>
#include <string.h>

static void list(void)
{
    const dpl_lab_experiment *e;
    size_t i = 0;
    while ((e = dpl_lab_get_experiment(i++)) != NULL)
        if (strcmp(e->paper, "No Free Lunch") == 0)
            printf("%s: %s\n", e->name, e->item);
}

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_lab_result *done = NULL;
    const char *names[] = {"lunch-figure-7"};
    dpl_input inputs[2];
    memset(&err, 0, sizeof err);
    memset(inputs, 0, sizeof inputs);
    if (argc != 4) {
        fprintf(stderr, "usage: lab LEFT RIGHT FOLDER\n");
        return 2;
    }
    inputs[0].path = argv[1];
    inputs[1].path = argv[2];
    list();
    dpl_lab_options o = DPL_INIT(dpl_lab_options);
    o.small = true;
    o.renderer = NULL; /* "gnuplot" draws the pictures, too */
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = dpl_lab_run(&done, ctx, argv[3], names, 1, inputs, 2, &o, &err);
    if (status == DPL_OK)
        printf("%s\n", dpl_lab_get_run(done, 0)->page);
    else
        fprintf(stderr, "%s\n", err.text);
    dpl_lab_result_free(done);
    dpl_ctx_free(ctx);
    return status != DPL_OK;
}
