#include "readers/bitext/bitext_rows_test.h"

#include "test.h"

#include <stdlib.h>

typedef struct text {
    char *data;
    size_t n;
} text;

static void add(text *t, const char *data, size_t n, const char *end)
{
    t->data = realloc(t->data, t->n + n + strlen(end) + 1);
    CHECK(t->data != NULL);
    if (n)
        memcpy(t->data + t->n, data, n);
    strcpy(t->data + t->n + n, end);
    t->n += n + strlen(end);
}

static void add_row(text *t, const dpl_bitext_row *row)
{
    add(t, row->left.data, row->left.n, "|");
    add(t, row->right.data, row->right.n, "\n");
}

static void add_error(text *t, const char *message)
{
    add(t, NULL, 0, "! ");
    for (const char *at; (at = strstr(message, test_dir())); message = at + strlen(test_dir()))
        add(t, message, (size_t)(at - message), "DIR");
    add(t, message, strlen(message), "\n");
}

static const char *keep(char *data)
{
    static char *kept[64];
    static unsigned n;
    free(kept[n % DPL_LEN(kept)]);
    return kept[n++ % DPL_LEN(kept)] = data;
}

rows_dump dump_rows(const char *const *paths, size_t n, const dpl_bitext_options *options)
{
    rows_dump d = {0};
    text t = {0};
    add(&t, NULL, 0, "");
    dpl_ctx *ctx = test_ctx(1);
    dpl_bitext *b = NULL;
    dpl_bitext_row row;
    dpl_status status = dpl_bitext_open(&b, ctx, paths, n, options, &d.err);
    while (status == DPL_OK && (status = dpl_bitext_next(b, &row, &d.err)) == DPL_OK)
        add_row(&t, &row);
    if (status < 0)
        add_error(&t, d.err.text);
    if (b) {
        CHECK_EQ(dpl_bitext_next(b, &row, NULL), status); /* and it stays at that */
        d.counts = *dpl_bitext_get_counts(b);
    }
    dpl_bitext_close(b);
    test_ctx_done(ctx);
    d.text = keep(t.data);
    return d;
}

rows_dump dump_texts(const dpl__bitext_ops *ops, const dpl_str *texts,
                     const dpl_bitext_options *options, size_t chunk)
{
    static const char *const names[] = {"left", "right"};
    rows_dump d = {0};
    text t = {0};
    add(&t, NULL, 0, "");
    dpl_ctx *ctx = test_ctx(1);
    dpl__rows rows;
    dpl__rows_init(&rows, ctx, options);
    rows.chunk = chunk ? chunk : rows.chunk;
    dpl__textfile files[2] = {{.n_start = chunk}, {.n_start = chunk}};
    dpl__textfile *const both[] = {&files[0], &files[1]};
    for (unsigned i = 0; i < ops->n_files; i++)
        CHECK_OK(dpl__textfile_open_memory(&files[i], ctx, names[i], texts[i].data, texts[i].n,
                                           &test_err));
    void *state = NULL;
    dpl_bitext_row row;
    dpl_status status = ops->open(&state, &rows, both, &d.err);
    while (status == DPL_OK && (status = ops->next(state, &row, &d.err)) == DPL_OK)
        add_row(&t, &row);
    if (status < 0)
        add_error(&t, d.err.text);
    if (state)
        ops->close(state);
    d.counts = rows.counts;
    dpl__textfile_clear(&files[0]);
    dpl__textfile_clear(&files[1]);
    dpl__rows_clear(&rows);
    test_ctx_done(ctx);
    d.text = keep(t.data);
    return d;
}

rows_dump dump_with_all_pieces(const dpl__bitext_ops *ops, const dpl_str *texts,
                               const dpl_bitext_options *options)
{
    rows_dump whole = dump_texts(ops, texts, options, 0);
    for (size_t chunk = 1; chunk < 100; chunk += 1 + chunk / 8) {
        rows_dump parts = dump_texts(ops, texts, options, chunk);
        CHECK_STR(dpl__cstr(parts.text), whole.text);
        if (whole.err.status != DPL_OK) /* how far it had read ahead is nobody's business */
            parts.counts.n_replaced = whole.counts.n_replaced;
        CHECK(memcmp(&parts.counts, &whole.counts, sizeof whole.counts) == 0);
        CHECK_EQ(parts.err.offset, whole.err.offset);
        CHECK_EQ(parts.err.column, whole.err.column);
    }
    return whole;
}

typedef struct job {
    const char *const *paths;
    size_t n;
    const dpl_bitext_options *options;
} job;

static dpl_status read_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const job *j = user;
    dpl_bitext *b = NULL;
    dpl_bitext_row row;
    dpl_status status = dpl_bitext_open(&b, ctx, j->paths, j->n, j->options, err);
    while (status == DPL_OK)
        status = dpl_bitext_next(b, &row, err);
    dpl_bitext_close(b);
    return status == DPL_END ? DPL_OK : status;
}

void check_row_allocations(const char *const *paths, size_t n,
                           const dpl_bitext_options *options)
{
    job j = {paths, n, options};
    test_allocation_failures(read_all, &j);
}

const char *test_write_text(const char *name, const char *text_)
{
    return test_write(name, text_, strlen(text_));
}
