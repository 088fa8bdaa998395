/*
 * pass.c - read -> parse on any thread -> take in order.
 */
#include "dedup/pass.h"

#include "base/ctx.h"
#include "par/pool.h"

static dpl_status open_reader(dpl_reader **out, dpl_ctx *ctx, dpl__collection_source *walk,
                              const dpl_input *input, const dpl_reader_options *options,
                              dpl_error *err)
{
    if (input->source)
        return dpl__fail(err, DPL_E_USAGE, "'%s' cannot be read a second time",
                         dpl_input_name(input));
    if (!input->collection)
        return dpl_reader_open_input(out, ctx, input, options, err);
    dpl__collection_source_begin(walk, input->collection, dpl_input_name(input));
    const dpl_input docs = {.source = &walk->source};
    return dpl_reader_open_input(out, ctx, &docs, NULL, err);
}

dpl_status dpl__pass_format(dpl_format *out, dpl_ctx *ctx, const dpl_input *input,
                            const dpl_reader_options *options, dpl_error *err)
{
    dpl__collection_source walk;
    dpl_reader *reader = NULL;
    *out = DPL_FORMAT_AUTO;
    if (input->collection || input->source)
        return DPL_OK;
    DPL_TRY(open_reader(&reader, ctx, &walk, input, options, err));
    *out = dpl__reader_options(reader)->from;
    dpl_reader_close(reader);
    return DPL_OK;
}

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    dpl__pass *p = user;
    dpl__pass_slot *s = &p->slots[slot];
    dpl_progress progress = {"write", "bytes", dpl_reader_counts(p->reader)->n_file_bytes,
                             dpl__reader_size(p->reader)};
    DPL_TRY(dpl__progress(p->ctx, &progress, err));
    if (p->is_over && p->is_over(p->user))
        return DPL_END;
    DPL_TRY(dpl__reader_chunk(p->reader, &s->chunk, err));
    s->raw.n = s->out.n = s->keys.n = 0;
    memset(s->counts, 0, sizeof s->counts);
    const bool has_lines = dpl__format_has_lines(dpl__reader_options(p->reader)->from);
    if (has_lines && p->no_parse) { /* nobody else wants them */
        const dpl__bytes bytes = s->raw;
        s->raw = s->chunk.bytes;
        s->chunk.bytes = bytes;
    } else if (has_lines &&
               !dpl__vec_append(p->ctx, &s->raw, s->chunk.bytes.data, s->chunk.bytes.n))
        return dpl__fail_nomem(err);
    if (p->begin)
        p->begin(p->user, s);
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    dpl__pass *p = user;
    dpl__pass_slot *s = &p->slots[slot];
    if (!p->no_parse) {
        dpl__batch_reset(&s->batch);
        s->batch.options = dpl__reader_options(p->reader);
        DPL_TRY(dpl__reader_parse(p->reader, &s->batch, &s->chunk, err));
    }
    return p->map ? p->map(p->user, s, worker, err) : DPL_OK;
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    dpl__pass *p = user;
    return p->commit ? p->commit(p->user, &p->slots[slot], err) : DPL_OK;
}

/* Two for each thread and one, as far as a quarter of the memory holds them: a chunk, its
 * lines, documents and output. Chunks keep their size, because frames of compressed output do.
 */
static size_t n_slots_of(const dpl__pass *p)
{
    const uint64_t each = 4 * (uint64_t)dpl__reader_options(p->reader)->chunk;
    const uint64_t n = p->ctx->memory / 4 / each;
    return (size_t)dpl__max(2, dpl__min(n, 2 * (uint64_t)p->ctx->n_threads + 1));
}

dpl_status dpl__pass_run(dpl__pass *p, const dpl_input *input,
                         const dpl_reader_options *options, dpl_error *err)
{
    dpl__collection_source walk;
    DPL_TRY(open_reader(&p->reader, p->ctx, &walk, input, options, err));
    p->n_slots = n_slots_of(p);
    dpl_status status = DPL_OK;
    p->slots = dpl__calloc(p->ctx, p->n_slots, sizeof *p->slots);
    for (size_t i = 0; p->slots && i < p->n_slots; i++)
        dpl__batch_init(&p->slots[i].batch, p->ctx, dpl__reader_options(p->reader));
    const dpl__pipeline line = {p, p->n_slots, produce, map, commit};
    status = p->slots ? dpl__pipeline_run(p->ctx, &line, err) : dpl__fail_nomem(err);
    for (size_t i = 0; p->slots && i < p->n_slots; i++) {
        dpl__pass_slot *s = &p->slots[i];
        dpl__chunk_clear(&s->chunk, p->ctx);
        dpl__batch_clear(&s->batch);
        dpl__vec_clear(p->ctx, &s->raw, &s->out, &s->keys);
    }
    dpl__free(p->ctx, p->slots);
    dpl_reader_close(p->reader);
    p->reader = NULL;
    return status;
}

dpl_str dpl__pass_line(const dpl__pass_slot *slot, uint64_t number, size_t *at, uint64_t *line)
{
    const char *data = slot->raw.data;
    for (;;) {
        const char *end =
            *at < slot->raw.n ? memchr(data + *at, '\n', slot->raw.n - *at) : NULL;
        const size_t next = end ? (size_t)(end + 1 - data) : slot->raw.n;
        if (*line == number)
            return (dpl_str){data + *at, next - *at};
        *at = next;
        ++*line;
    }
}
