#include "readers/wiki/dump_test.h"

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

static void add_doc(text *t, const dpl_doc *doc)
{
    add(t, doc->id.data, doc->id.n, "|");
    add(t, doc->title.data, doc->title.n, "|");
    add(t, doc->text.data, doc->text.n, "|");
    add(t, doc->extra.data, doc->extra.n, "\n");
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

dump dump_file(const char *path, const dpl_reader_options *options)
{
    dump d = {0};
    text t = {0};
    add(&t, NULL, 0, "");
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_status status = dpl_reader_open(&reader, ctx, path, options, &d.err);
    while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, &d.err)) == DPL_OK)
        add_doc(&t, &doc);
    if (status < 0)
        add_error(&t, d.err.text);
    if (reader) {
        CHECK_EQ(dpl_reader_next(reader, &doc, NULL), status); /* and it stays at that */
        d.counts = *dpl_reader_counts(reader);
    }
    dpl_reader_close(reader);
    test_ctx_done(ctx);
    d.text = keep(t.data);
    return d;
}

dump dump_bytes(const char *name, const void *data, size_t n, const dpl_reader_options *options)
{
    return dump_file(test_write(name, data, n), options);
}

dump dump_with_all_chunks(const char *path, const dpl_reader_options *options)
{
    dpl_reader_options o =
        options ? *options : (dpl_reader_options)DPL_INIT(dpl_reader_options);
    o.chunk = 0;
    dump whole = dump_file(path, &o);
    for (o.chunk = 1; o.chunk < 100; o.chunk += 1 + o.chunk / 8) {
        dump parts = dump_file(path, &o);
        CHECK_STR(dpl__cstr(parts.text), whole.text);
        if (whole.err.status != DPL_OK) { /* how far it had read ahead is nobody's business */
            parts.counts.n_raw_bytes = whole.counts.n_raw_bytes;
            parts.counts.n_file_bytes = whole.counts.n_file_bytes;
        }
        CHECK(memcmp(&parts.counts, &whole.counts, sizeof whole.counts) == 0);
        CHECK_EQ(parts.err.offset, whole.err.offset);
    }
    return whole;
}

typedef struct job {
    const char *path;
    const dpl_reader_options *options;
} job;

static dpl_status read_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const job *j = user;
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_status status = dpl_reader_open(&reader, ctx, j->path, j->options, err);
    while (status == DPL_OK)
        status = dpl_reader_next(reader, &doc, err);
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

void check_read_allocations(const char *path, const dpl_reader_options *options)
{
    job j = {path, options};
    test_allocation_failures(read_all, &j);
}
