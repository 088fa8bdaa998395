/*
 * caller_source.c - documents from the caller, in the two halves that all formats have.
 *
 * In: a callback. Out: documents. The sequential half fetches documents and copies them one
 * behind the other into a chunk: five lengths, then the five fields. The parallel half takes
 * them apart again, checks UTF-8 and the extra fields, and hands them over like those of any
 * file. Cost: one copy of the input.
 */
#include "readers/chunks.h"
#include "readers/json_parser.h"

enum { N_FIELDS = 5 };

static void list_fields(dpl_str *fields[N_FIELDS], dpl_doc *doc)
{
    fields[0] = &doc->id;
    fields[1] = &doc->lang;
    fields[2] = &doc->title;
    fields[3] = &doc->text;
    fields[4] = &doc->extra;
}

dpl_status dpl__source_failed(dpl_error *err, dpl_status status, const char *name,
                              const char *no_name)
{
    if (!err->text[0])
        dpl__fail(err, status, "'%s': the caller's source failed", name ? name : no_name);
    err->status = status;
    /* The one status that readers act upon themselves. */
    return status == DPL_E_LIMIT ? dpl__fail(err, DPL_E_NOMEM, "%s", err->text) : status;
}

/* ---- the sequential half ------------------------------------------------------------ */

static bool append_doc(dpl_ctx *ctx, dpl__bytes *bytes, dpl_str *const fields[N_FIELDS],
                       size_t n_text)
{
    if (!dpl__vec_reserve(ctx, bytes, N_FIELDS * sizeof(uint64_t) + n_text + DPL__PAD))
        return false;
    for (int i = 0; i < N_FIELDS; i++) {
        uint64_t n = fields[i]->n;
        memcpy(bytes->data + bytes->n, &n, sizeof n);
        bytes->n += sizeof n;
    }
    for (int i = 0; i < N_FIELDS; i++) {
        if (fields[i]->n)
            memcpy(bytes->data + bytes->n, fields[i]->data, fields[i]->n);
        bytes->n += fields[i]->n;
    }
    return true;
}

static dpl_status next_doc(const dpl_doc_source *source, dpl_doc *doc, dpl_error *err)
{
    *doc = (dpl_doc){0};
    *err = (dpl_error){0};
    dpl_status status = source->next(source->user, doc, err);
    return status < 0 ? dpl__source_failed(err, status, source->name, "(documents)") : status;
}

/* Adds the next document to the chunk, unless it is over the limit: DPL_E_LIMIT. */
static dpl_status add_doc(dpl__doc_feed *feed, dpl__chunk *chunk, dpl_ctx *ctx, uint64_t n_most)
{
    dpl_doc doc;
    dpl_str *fields[N_FIELDS];
    DPL_TRY(next_doc(feed->source, &doc, &feed->fault));
    feed->n_docs++;
    list_fields(fields, &doc);
    uint64_t n = 0;
    for (int i = 0; i < N_FIELDS; i++)
        n = fields[i]->n > n_most - n ? n_most + 1 : n + fields[i]->n;
    if (n > n_most)
        return DPL_E_LIMIT;
    return append_doc(ctx, &chunk->bytes, fields, (size_t)n) ? DPL_OK
                                                             : dpl__fail_nomem(&feed->fault);
}

dpl_status dpl__doc_feed_chunk(dpl__doc_feed *feed, dpl__chunk *chunk, dpl_ctx *ctx,
                               const dpl_reader_options *options, dpl_error *err)
{
    chunk->bytes.n = 0;
    chunk->line = feed->n_docs + 1;
    while (feed->status == DPL_OK && chunk->bytes.n < options->chunk)
        feed->status = add_doc(feed, chunk, ctx, options->max_record);
    if (chunk->bytes.n) { /* first the documents, then the failure behind them */
        memset(chunk->bytes.data + chunk->bytes.n, 0, DPL__PAD);
        feed->n_bytes += chunk->bytes.n;
        return DPL_OK;
    }
    dpl_status status = feed->status;
    if (err && status < 0)
        *err = feed->fault;
    if (status == DPL_E_LIMIT) /* once; what follows can be read */
        feed->status = DPL_OK;
    return status;
}

/* ---- the parallel half -------------------------------------------------------------- */

static size_t take_doc(const char *p, dpl_str *const fields[N_FIELDS])
{
    size_t at = N_FIELDS * sizeof(uint64_t);
    for (int i = 0; i < N_FIELDS; i++) {
        uint64_t n;
        memcpy(&n, p + (size_t)i * sizeof n, sizeof n);
        *fields[i] = (dpl_str){p + at, (size_t)n};
        at += (size_t)n;
    }
    return at;
}

static dpl_status check_extra(dpl__batch *batch, const dpl__chunk *chunk, uint64_t number,
                              dpl_str extra, dpl_error *err)
{
    dpl__json j = dpl__json_begin(batch->ctx, extra);
    dpl_str raw;
    if (!extra.n)
        return DPL_OK;
    dpl_status status = dpl__json_peek(&j) == '{' ? dpl__json_skip(&j, &raw) : DPL_E_FORMAT;
    if (status == DPL_OK)
        status = dpl__json_end(&j);
    if (status == DPL_E_NOMEM)
        return dpl__fail_nomem(err);
    return status == DPL_OK
               ? DPL_OK
               : dpl__record_bad(batch, DPL__AT(chunk, number, 0), DPL_DROP_MALFORMED, err,
                                 "the extra fields are not a JSON object");
}

/* DPL_END when the policy drops it. */
static dpl_status check_doc(dpl__batch *batch, const dpl__chunk *chunk, uint64_t number,
                            dpl_doc *doc, dpl_error *err)
{
    dpl_str *fields[N_FIELDS];
    list_fields(fields, doc);
    for (int i = 0; i < N_FIELDS; i++)
        DPL_TRY(dpl__record_utf8(batch, chunk, number, 1, fields[i], err));
    DPL_TRY(check_extra(batch, chunk, number, doc->extra, err));
    return doc->id.n ? DPL_OK : dpl__line_id(batch, number, &doc->id, err);
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    uint64_t number = chunk->line;
    for (size_t at = 0; at < chunk->bytes.n; number++) {
        dpl_doc doc;
        dpl_str *fields[N_FIELDS];
        list_fields(fields, &doc);
        at += take_doc(chunk->bytes.data + at, fields);
        dpl_status status = check_doc(batch, chunk, number, &doc, err);
        if (status == DPL_OK)
            status = dpl__batch_add(batch, chunk, number, &doc, err);
        if (status != DPL_OK && status != DPL_END)
            return status;
    }
    return DPL_OK;
}

const dpl__format dpl__format_source = {.format = DPL_FORMAT_AUTO, .parse = parse};
