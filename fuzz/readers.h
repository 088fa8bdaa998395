/*
 * readers.h - what the fuzz targets of the readers share.
 *
 * A target is int LLVMFuzzerTestOneInput(data, n). It looks for crashes and checks a property:
 * a broken one ends the program with the line that says so.
 */
#ifndef DPL_FUZZ_READERS_H
#define DPL_FUZZ_READERS_H

#include "fuzz.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "kernels/kernels.h"
#include "readers/chunks.h"

#include <stdio.h>
#include <stdlib.h>

#define FUZZ_CHECK(what)                                                                       \
    do {                                                                                       \
        if (!(what)) {                                                                         \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #what);               \
            abort();                                                                           \
        }                                                                                      \
    } while (0)

/* One context for the whole run. */
static inline dpl_ctx *fuzz_ctx(void)
{
    static dpl_ctx *ctx;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (!ctx)
        FUZZ_CHECK(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    return ctx;
}

static inline bool fuzz_is_utf8(dpl_str s)
{
    uint8_t most;
    return fuzz_ctx()->kernels->utf8_prefix((const uint8_t *)s.data, s.n, &most) == s.n;
}

/* Text of its own length in memory, so that a read past its end is seen. */
static inline char *fuzz_copy(const void *data, size_t n)
{
    char *copy = malloc(n ? n : 1);
    FUZZ_CHECK(copy != NULL);
    if (n)
        memcpy(copy, data, n);
    return copy;
}

/* That a text is made of lines with a word in them, single spaces and nothing at the ends. */
static inline void fuzz_check_text(dpl_str text)
{
    FUZZ_CHECK(fuzz_is_utf8(text));
    for (size_t i = 0; i < text.n; i++) {
        char c = text.data[i], before = i ? text.data[i - 1] : '\n';
        FUZZ_CHECK(c != '\t' && c != '\r' && c != '\f' && c != 0);
        FUZZ_CHECK(!((c == ' ' || c == '\n') && (before == ' ' || before == '\n')));
        FUZZ_CHECK(i + 1 < text.n || (c != ' ' && c != '\n'));
    }
}

/* ---- formats of lines --------------------------------------------------------------- */

/* What a format made of some bytes: documents and counts, and how it ended. */
typedef struct fuzz_result {
    dpl__bytes documents; /* all fields, each with its length */
    dpl__bytes printed;
    dpl_read_counts counts;
    dpl_status status;
    dpl_error err;
} fuzz_result;

static inline void fuzz_add(dpl__bytes *out, dpl_str s)
{
    dpl_ctx *ctx = fuzz_ctx();
    FUZZ_CHECK(dpl__vec_append(ctx, out, (const char *)&s.n, sizeof s.n));
    FUZZ_CHECK(dpl__vec_append(ctx, out, s.data, s.n));
}

/* How a target writes a document in the format it tests. */
typedef void (*fuzz_print)(dpl__bytes *out, const dpl_doc *doc);

static inline void fuzz_take(fuzz_result *result, const dpl__batch *batch, fuzz_print print)
{
    for (size_t i = 0; i < batch->docs.n; i++) {
        const dpl_doc *doc = &batch->docs.data[i];
        const dpl_str fields[] = {doc->id, doc->lang, doc->title, doc->text, doc->extra};
        for (size_t k = 0; k < DPL_LEN(fields); k++) {
            FUZZ_CHECK(fuzz_is_utf8(fields[k]));
            fuzz_add(&result->documents, fields[k]);
        }
        if (print)
            print(&result->printed, doc);
    }
    dpl__read_counts_add(&result->counts, &batch->counts);
}

/* Parses the bytes in chunks of about `step`. */
static inline fuzz_result fuzz_parse(const dpl__format *ops, const dpl_reader_options *o,
                                     const uint8_t *data, size_t n, size_t step,
                                     fuzz_print print)
{
    dpl__batch batch;
    dpl__batch_init(&batch, fuzz_ctx(), o);
    fuzz_result result = {0};
    uint64_t line = 1, n_before = 0;
    dpl__header header = {0};
    dpl__bytes record = {0};
    for (size_t at = 0; at < n && result.status == DPL_OK;) {
        size_t n_chunk = 0;
        for (size_t want = step; !n_chunk; want *= 2)
            n_chunk = at + want >= n ? n - at : ops->cut(&header, data + at, want, 0);
        dpl__chunk chunk = {.file = "fuzz",
                            .line = line,
                            .n_before = n_before,
                            .offset = at,
                            .is_last = at + n_chunk == n};
        chunk.bytes.data = calloc(1, n_chunk + DPL__PAD);
        chunk.bytes.n = n_chunk;
        FUZZ_CHECK(chunk.bytes.data != NULL);
        memcpy(chunk.bytes.data, data + at, n_chunk);
        if (at == 0 && ops->begin) {
            ops->begin(&header, (dpl_str){chunk.bytes.data, n_chunk});
            FUZZ_CHECK(
                dpl__vec_append(batch.ctx, &record, header.record.data, header.record.n));
            header.record.data = record.data;
        }
        chunk.header = header;
        chunk.header.is_here = at == 0;
        dpl__batch_reset(&batch);
        result.status = ops->parse(&batch, &chunk, &result.err);
        fuzz_take(&result, &batch, print);
        for (size_t i = 0; i < n_chunk; i++) {
            line += data[at + i] == '\n';
            n_before = data[at + i] == '\n' ? 0 : n_before + 1;
        }
        at += n_chunk;
        free(chunk.bytes.data);
    }
    dpl__vec_clear(batch.ctx, &record);
    dpl__batch_clear(&batch);
    return result;
}

static inline void fuzz_clear(fuzz_result *result)
{
    dpl__vec_clear(fuzz_ctx(), &result->documents, &result->printed);
}

static inline void fuzz_check_same_documents(const fuzz_result *a, const fuzz_result *b)
{
    FUZZ_CHECK(a->documents.n == b->documents.n);
    FUZZ_CHECK(a->documents.n == 0 ||
               memcmp(a->documents.data, b->documents.data, a->documents.n) == 0);
}

/* Every division into chunks gives the same documents, counts and failure. */
static inline void fuzz_check_chunks(const dpl__format *ops, dpl_reader_options o,
                                     const uint8_t *data, size_t n)
{
    o.from = ops->format;
    for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
        o.on_error = (dpl_on_error)policy;
        fuzz_result whole = fuzz_parse(ops, &o, data, n, n + 1, NULL);
        fuzz_result parts = fuzz_parse(ops, &o, data, n, 1 + n % 7, NULL);
        fuzz_check_same_documents(&whole, &parts);
        FUZZ_CHECK(whole.status == parts.status);
        FUZZ_CHECK(whole.err.offset == parts.err.offset &&
                   whole.err.column == parts.err.column);
        FUZZ_CHECK(strcmp(whole.err.text, parts.err.text) == 0);
        FUZZ_CHECK(memcmp(&whole.counts, &parts.counts, sizeof whole.counts) == 0);
        fuzz_clear(&whole);
        fuzz_clear(&parts);
    }
}

/* What `print` writes of each document parses back to the same documents. */
static inline void fuzz_check_printed(const dpl__format *ops, dpl_reader_options o,
                                      dpl_reader_options printed_options, const uint8_t *data,
                                      size_t n, fuzz_print print)
{
    o.from = printed_options.from = ops->format;
    o.on_error = DPL_ON_ERROR_SKIP;
    fuzz_result first = fuzz_parse(ops, &o, data, n, n + 1, print);
    fuzz_result second = fuzz_parse(ops, &printed_options, (const uint8_t *)first.printed.data,
                                    first.printed.n, first.printed.n + 1, NULL);
    FUZZ_CHECK(second.status == DPL_OK);
    fuzz_check_same_documents(&first, &second);
    fuzz_clear(&first);
    fuzz_clear(&second);
}

#endif
