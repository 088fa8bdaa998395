/*
 * dedup.c - near-duplicates among documents that a program holds.
 *
 *     cc dedup.c -ldoppel -o dedup && ./dedup
 */
#include <doppel/dedup.h>

#include <stdio.h>
#include <string.h>

static const char *const texts[] = {
    "The ship left the harbour at dawn with forty sailors and a cargo of salt and timber",
    "Rain is expected in the north tomorrow, with strong winds along the coast in the evening",
    "the ship left the harbour at dawn, with forty sailors and a cargo of salt and timber!",
    "The ship left the harbour at dawn with forty sailors and a cargo of salt and copper",
};

typedef struct list {
    size_t next;
} list;

static dpl_status next_text(void *user, dpl_doc *doc, dpl_error *err)
{
    (void)err;
    list *l = (list *)user;
    if (l->next == sizeof texts / sizeof *texts)
        return DPL_END;
    const char *text = texts[l->next++];
    size_t n = 0;
    while (text[n])
        n++;
    doc->text.data = text;
    doc->text.n = n;
    doc->lang.data = "en";
    doc->lang.n = 2;
    return DPL_OK;
}

int main(void)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_dedup_result *found = NULL;
    list all = {0};
    dpl_doc_source source = {next_text, &all, "texts"};
    dpl_input in;
    dpl_dedup_options o = DPL_INIT(dpl_dedup_options);
    memset(&err, 0, sizeof err);
    memset(&in, 0, sizeof in);
    in.source = &source;
    o.threshold = 0.6;
    o.shingle = 3;
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = dpl_dedup(&found, ctx, NULL, &in, 1, &o, &err);
    if (status != DPL_OK) {
        fprintf(stderr, "%s\n", err.text);
        dpl_ctx_free(ctx);
        return 1;
    }
    for (unsigned i = 0; i < dpl_dedup_get_summary(found)->n_docs; i++) {
        dpl_dedup_doc d = dpl_dedup_get_doc(found, i);
        printf("%.*s is %s %.*s (%.2f)\n", (int)d.id.n, d.id.data,
               d.is_kept ? "kept, cluster" : "like", (int)d.cluster.n, d.cluster.data,
               (double)d.score);
    }
    dpl_dedup_result_free(found);
    dpl_ctx_free(ctx);
    return 0;
}
