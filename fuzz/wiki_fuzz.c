/*
 * wiki_fuzz.c - any bytes as a MediaWiki dump.
 *
 * Property: the documents, counts and the error are the same whether the dump is parsed in one
 * piece or cut into chunks, and what comes out is valid UTF-8. The last byte chooses the policy
 * and how many bytes are read at a time.
 */
#include "fuzz.h"

#include "readers/chunks.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"

#include <stdint.h>
#include <stdlib.h>

extern const dpl__format dpl__format_wiki;

typedef struct outcome {
    dpl_status status;
    uint64_t line;
    uint64_t hash; /* of all documents */
    dpl_read_counts counts;
} outcome;

static void take_slice(outcome *o, dpl_ctx *ctx, dpl_str s)
{
    uint8_t most;
    REQUIRE(ctx->kernels->utf8_prefix((const uint8_t *)s.data, s.n, &most) == s.n);
    o->hash = dpl__hash(s.data, s.n, o->hash);
}

static void take_batch(outcome *o, const dpl__batch *batch)
{
    for (size_t i = 0; i < batch->docs.n; i++) {
        const dpl_doc *doc = &batch->docs.data[i];
        take_slice(o, batch->ctx, doc->id);
        take_slice(o, batch->ctx, doc->lang);
        take_slice(o, batch->ctx, doc->title);
        take_slice(o, batch->ctx, doc->text);
        take_slice(o, batch->ctx, doc->extra);
        o->hash = dpl__mix(o->hash ^ batch->lines.data[i]);
    }
    dpl__read_counts_add(&o->counts, &batch->counts);
}

/* Parses data as the reader would that reads `step` bytes at a time. */
static outcome parse(dpl_ctx *ctx, const uint8_t *data, size_t n, size_t step,
                     const dpl_reader_options *options)
{
    outcome o = {.hash = 1};
    dpl_error err = {0};
    dpl__chunk chunk = {.file = "fuzz", .line = 1};
    dpl__batch batch;
    dpl__batch_init(&batch, ctx, options);
    size_t have = 0, looked = 0;
    while (n > 0 && o.status == DPL_OK) {
        have = dpl__min(n, have + step);
        size_t cut = have == n ? n : dpl__format_wiki.cut(&chunk.header, data, have, looked);
        looked = have;
        if (cut == 0)
            continue;
        REQUIRE(cut <= have);
        chunk.bytes.n = 0;
        REQUIRE(dpl__vec_append(ctx, &chunk.bytes, data, cut));
        REQUIRE(dpl__vec_reserve(ctx, &chunk.bytes, DPL__PAD));
        memset(chunk.bytes.data + cut, 0, DPL__PAD);
        if (chunk.offset == 0)
            dpl__wiki_header(&chunk.header.lang, (dpl_str){chunk.bytes.data, cut});
        dpl__batch_reset(&batch);
        o.status = dpl__format_wiki.parse(&batch, &chunk, &err);
        take_batch(&o, &batch);
        for (size_t i = 0; i < cut; i++)
            chunk.line += data[i] == '\n';
        chunk.offset += cut;
        data += cut;
        n -= cut;
        have -= cut;
        looked = 0;
    }
    o.line = err.line;
    dpl__batch_clear(&batch);
    dpl__chunk_clear(&chunk, ctx);
    return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &c, NULL) == DPL_OK);
    unsigned choice = n ? data[n - 1] : 0;
    dpl_reader_options options =
        DPL_INIT(dpl_reader_options, .on_error = (dpl_on_error)(choice % 3), .min_chars = 5,
                 .lang = choice & 64 ? "de" : NULL);
    outcome whole = parse(ctx, data, n, n, &options);
    outcome cut = parse(ctx, data, n, 1 + choice / 3, &options);
    REQUIRE(whole.status == cut.status && whole.line == cut.line && whole.hash == cut.hash);
    REQUIRE(memcmp(&whole.counts, &cut.counts, sizeof cut.counts) == 0);
    return 0;
}
