/*
 * part_files.c - an import in parts, as the tasks of a scheduler do it: each writes a part
 * file, and the collection is merged from them.
 *
 *     part_files DOCS.jsonl FOLDER N
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64 };

int main(int argc, char **argv)
{
    static char paths[MOST_PARTS][1000];
    const char *list[MOST_PARTS];
    char out[1000];
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_parts *parts = NULL;
    dpl_input input;
    memset(&err, 0, sizeof err);
    memset(&input, 0, sizeof input);
    if (argc != 4 || atoi(argv[3]) < 1 || atoi(argv[3]) > MOST_PARTS) {
        fprintf(stderr, "usage: part_files DOCS.jsonl FOLDER N\n");
        return 2;
    }
    input.path = argv[1];
    const uint32_t n = (uint32_t)atoi(argv[3]);
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    for (uint32_t i = 0; i < n && st == DPL_OK; i++) { /* on any machine, in any order */
        dpl_part part;
        part.number = i;
        part.n = n;
        dpl_part_summary made = DPL_INIT(dpl_part_summary);
        snprintf(paths[i], sizeof paths[i], "%s/docs.%u.part", argv[2], i + 1);
        list[i] = paths[i];
        st = dpl_import_part(&made, ctx, paths[i], &input, 1, &part, NULL, &err);
    }
    dpl_part_summary merged = DPL_INIT(dpl_part_summary);
    if (st == DPL_OK)
        st = dpl_parts_open(&parts, ctx, list, n, &err);
    snprintf(out, sizeof out, "%s/docs.dpl", argv[2]);
    if (st == DPL_OK)
        st = dpl_import_merge(&merged, parts, out, NULL, &err);
    if (st == DPL_OK)
        printf("%llu documents of %u parts\n", (unsigned long long)merged.n_items, n);
    else
        fprintf(stderr, "part_files: %s\n", err.text);
    dpl_parts_close(parts);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
