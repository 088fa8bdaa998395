/*
 * import_merge.c - one part of an import, and a collection from all parts.
 *
 * A part is a collection of every n-th chunk of the input, with its own vocabulary; or, where
 * there are as many inputs as parts, of one input, so that no part reads the others. Merging
 * walks the chunks in their order again, each from its part: documents, text and sentences are
 * taken as they are, tokens are numbers of the part's vocabulary until the second pass. So a
 * part stands where a worker stands in an import of one piece, and everything behind the
 * tokenizer (import.c, vocabulary.c, rows.c) is the same code, which gives the same bytes.
 * Document frequencies and counts are sums over the parts; no document is in two of them.
 */
#include "tokens/importer.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "base/sized.h"
#include "io/shared_run.h"
#include "io/target.h"
#include "tokens/collection.h"
#include "tokens/doc_parts.h"

#include <stdio.h>

/* One part, and how far it is taken. */
typedef struct import_part {
    dpl_collection *docs;
    const uint32_t *chunk_sizes; /* documents and aliases of each chunk */
    size_t n_chunks, next_chunk;
    uint32_t next_doc;
    dpl_str aliases; /* lines that were not taken yet */
} import_part;

typedef struct dpl__import_merge {
    const dpl_parts *parts;
    import_part *all;
    uint32_t n;
    uint64_t n_chunks, next_chunk;
    bool is_by_input; /* a part has one input; else chunks are in turn of the parts */
    uint32_t at;      /* is_by_input: part whose chunks are taken */
    bool skips;       /* a repeated id is left out */
    bool stays;       /* documents stay in the parts, which may have no rows */
    dpl__terms minus; /* terms of documents that were left out */
    struct {          /* of each slot: what it has */
        uint32_t part, first, n;
        dpl_str aliases;
    } * slots;
    size_t n_slots;
} dpl__import_merge;

/* ---- one part ----------------------------------------------------------------------- */

/* False where an input cannot be told from others before it is read. */
static bool make_inputs(uint64_t *out, dpl_ctx *ctx, const dpl_input *inputs, size_t n)
{
    bool is_known = true;
    *out = dpl__fingerprint_number(0, n);
    for (size_t i = 0; i < n; i++) {
        if (inputs[i].buffer.data)
            *out = dpl__fingerprint(*out, ctx, inputs[i].buffer.data, inputs[i].buffer.n);
        else if (inputs[i].collection)
            *out = dpl__fingerprint_file(*out, dpl__collection_file(inputs[i].collection));
        else
            is_known &= inputs[i].path && dpl__fingerprint_path(out, inputs[i].path);
    }
    return is_known;
}

static dpl_status make_options(uint64_t *out, dpl_ctx *ctx, const dpl_import_options *o,
                               dpl_error *err)
{
    dpl__json_text text = {.ctx = ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "doppel import", dpl_version());
    dpl_options_json(&j, "options", dpl__import_option_table(), o, true);
    dpl_json_end(&j, '}');
    if (!text.has_failed)
        *out = dpl__hash(text.bytes.data, text.bytes.n, 0);
    dpl__vec_clear(ctx, &text.bytes);
    return text.has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

dpl_status dpl_import_part(dpl_part_summary *summary, dpl_ctx *ctx, const char *out_path,
                           const dpl_input *inputs, size_t n_inputs, const dpl_part *part,
                           const dpl_import_options *options, dpl_error *err)
{
    double began = dpl__now();
    dpl_import_options o;
    dpl__importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs, .part = part};
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    dpl_import_summary imported = DPL_INIT(dpl_import_summary, .sizes = &sizes);
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(dpl__part_check(part, err));
    im.mark.part = *part;
    im.is_by_input = n_inputs == part->n && n_inputs > 1;
    if (im.is_by_input) {
        im.inputs = &inputs[part->number];
        im.n_inputs = 1;
        im.first_input = part->number;
    }
    DPL_TRY(make_options(&im.mark.options, ctx, &o, err));
    if (make_inputs(&im.mark.inputs, ctx, inputs, n_inputs))
        DPL_TRY(dpl__part_find_done(&made.n_output_bytes, ctx, out_path, "collection", &im.mark,
                                    err));
    made.is_kept = made.n_output_bytes > 0;
    if (!made.is_kept) {
        DPL_TRY(dpl__import_run(&im, NULL, &imported, out_path, &o, err));
        made.n_items = sizes.n_docs;
        made.n_unchanged = imported.n_unchanged;
        made.n_output_bytes = imported.n_output_bytes;
    }
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
    return DPL_OK;
}

/* ---- all parts: the pipeline -------------------------------------------------------- */

/* The first n lines, which are taken away. */
static dpl_str take_lines(dpl_str *lines, uint32_t n)
{
    const char *at = lines->data, *end = at ? at + lines->n : at;
    for (; n && at < end; n--) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    const dpl_str taken = {lines->data, (size_t)(at - lines->data)};
    *lines = (dpl_str){at, (size_t)(end - at)};
    return taken;
}

dpl_status dpl__import_merge_produce(void *user, size_t index, dpl_error *err)
{
    dpl__importer *im = user;
    dpl__import_merge *m = im->merge;
    if (m->next_chunk == m->n_chunks)
        return DPL_END;
    while (m->is_by_input && m->all[m->at].next_chunk == m->all[m->at].n_chunks)
        m->at++;
    assert(m->is_by_input ? m->at < m->n : m->n > 0);
    const uint32_t number = m->is_by_input ? m->at : (uint32_t)(m->next_chunk % m->n);
    import_part *part = &m->all[number];
    assert(part->next_chunk < part->n_chunks);
    m->next_chunk++;
    m->slots[index].part = number;
    m->slots[index].first = part->next_doc;
    const uint32_t *sizes = part->chunk_sizes + 2 * part->next_chunk++;
    m->slots[index].n = sizes[0];
    m->slots[index].aliases = take_lines(&part->aliases, sizes[1]);
    part->next_doc += m->slots[index].n;
    const dpl_progress p = {"merge", "chunks", m->next_chunk, m->n_chunks};
    return dpl__progress(im->ctx, &p, err);
}

static bool take_doc(dpl__importer *im, dpl__import_slot *s, const dpl_collection *c,
                     uint32_t doc)
{
    dpl__tokenized *t = &s->tokenized;
    const uint32_t *counts;
    size_t n_tokens, n_entries, n_sentences = dpl_collection_n_sentences(c, doc);
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    dpl_collection_row(c, doc, &counts, &n_entries);
    bool is_good = dpl__vec_append(im->ctx, &t->tokens, tokens, n_tokens) &&
                   dpl__vec_push(im->ctx, &t->n_tokens, (uint32_t)n_tokens) &&
                   dpl__vec_push(im->ctx, &t->n_entries, (uint32_t)n_entries) &&
                   dpl__vec_push(im->ctx, &t->n_sentences, (uint32_t)n_sentences);
    for (size_t i = 0; is_good && i < n_sentences; i++) {
        const dpl_sentence one = dpl_collection_sentence(c, doc, i);
        is_good =
            dpl__vec_push(im->ctx, &t->sentence_begin, one.begin) &&
            dpl__vec_push(im->ctx, &t->sentence_token, one.token) &&
            dpl__vec_push(im->ctx, &t->sentence_flags,
                          dpl__sentence_flags(one.is_paragraph_start, one.is_section_start));
    }
    return is_good;
}

/* Lines of title, tab, target. */
static dpl_status take_aliases(dpl__importer *im, dpl__import_slot *s, dpl_str lines,
                               dpl_error *err)
{
    dpl_str line;
    while (dpl__next_line(&line, &lines)) {
        const dpl_str title = dpl__next_column(&line);
        const dpl__alias alias = {title, line};
        if (!line.data)
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(im->ctx, &s->batch.aliases, alias), err));
    }
    return DPL_OK;
}

dpl_status dpl__import_merge_map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__importer *im = user;
    dpl__import_merge *m = im->merge;
    dpl__import_slot *s = &im->slots[index];
    const dpl_collection *c = m->all[m->slots[index].part].docs;
    DPL_TRY(dpl__import_write_text(im, s, err));
    dpl__batch_reset(&s->batch);
    dpl__tokenized_reset(&s->tokenized);
    s->run = m->slots[index].part;
    for (uint32_t i = 0; i < m->slots[index].n; i++) {
        const dpl_doc doc = dpl_collection_doc(c, m->slots[index].first + i);
        DPL_TRY(dpl__need(dpl__vec_push(im->ctx, &s->batch.docs, doc) &&
                              dpl__vec_push(im->ctx, &s->batch.lines, 0) &&
                              dpl__vec_push(im->ctx, &s->batch.is_identified, false),
                          err));
    }
    DPL_TRY(take_aliases(im, s, m->slots[index].aliases, err));
    DPL_TRY(dpl__import_gather_text(im, s, err));
    for (uint32_t i = 0; i < m->slots[index].n; i++)
        DPL_TRY(dpl__need(take_doc(im, s, c, m->slots[index].first + i), err));
    s->batch.counts.n_docs = m->slots[index].n;
    return dpl__doc_batch_make(&s->docs, &s->batch, &s->tokenized, err);
}

/* ---- all parts: terms --------------------------------------------------------------- */

dpl_status dpl__import_merge_duplicate(dpl__importer *im, const dpl__import_slot *s, size_t i,
                                       dpl_error *err)
{
    dpl__import_merge *m = im->merge;
    const size_t index = (size_t)(s - im->slots);
    const dpl_str id = s->batch.docs.data[i].id;
    const dpl_collection *c = m->all[m->slots[index].part].docs;
    if (!m->skips)
        return dpl__fail_code(
            err, DPL_E_FORMAT, "duplicate-id",
            "'%s': duplicate id '%.*s', which another part has too",
            dpl_file_get_info(dpl__parts_file(m->parts, m->slots[index].part)).path,
            (int)dpl__min(id.n, 200), id.data);
    im->counts.n_dropped[DPL_DROP_DUPLICATE]++;
    im->counts.n_docs--;
    if (!m->minus.ctx)
        dpl__terms_init(&m->minus, im->ctx);
    const uint32_t *counts;
    size_t n;
    const uint32_t *row =
        dpl_collection_row(c, m->slots[index].first + (uint32_t)i, &counts, &n);
    for (size_t k = 0; k < n; k++) {
        uint32_t number;
        DPL_TRY(dpl__terms_number(&m->minus, dpl_collection_term(c, row[k]), &number, err));
        m->minus.counts.data[number].count += counts[k];
        m->minus.counts.data[number].n_docs++;
    }
    return DPL_OK;
}

dpl_status dpl__import_merge_terms(dpl__importer *im, dpl_error *err)
{
    dpl__import_merge *m = im->merge;
    for (uint32_t i = 0; i < m->n; i++)
        DPL_TRY(dpl__vocabulary_add_collection(&im->vocabulary, m->all[i].docs, i, err));
    if (m->minus.ctx)
        dpl__vocabulary_subtract(&im->vocabulary, &m->minus);
    return DPL_OK;
}

dpl_status dpl__import_merge_settings(dpl__importer *im, dpl_error *err)
{
    const dpl_str settings = dpl_collection_settings(im->merge->all[0].docs);
    return dpl__writer_add(im->writer, "settings", 1, settings.data, settings.n, err);
}

/* ---- all parts: opening ------------------------------------------------------------- */

static dpl_status open_part(dpl__import_merge *m, uint32_t i, dpl_error *err)
{
    const dpl_file *file = dpl__parts_file(m->parts, i);
    import_part *part = &m->all[i];
    const uint64_t *counts = NULL;
    uint64_t sum = 0;
    DPL_TRY(dpl__get_n(file, "part.counts", 8, &counts, 3, err));
    DPL_TRY(dpl__get(file, "part.batches", 4, &part->chunk_sizes, &part->n_chunks, err));
    part->n_chunks /= 2;
    if (i == 0) {
        m->skips = counts[1];
        m->is_by_input = counts[2];
    }
    if (m->is_by_input)
        m->n_chunks += counts[0];
    else if (i == 0)
        m->n_chunks = counts[0];
    for (size_t k = 0; k < part->n_chunks; k++)
        sum += part->chunk_sizes[2 * k];
    dpl_ctx *ctx = dpl__parts_ctx(m->parts);
    const char *path = dpl_file_get_info(file).path;
    DPL_TRY(m->stays ? dpl__collection_open_shared(&part->docs, ctx, path, i, err)
                     : dpl_collection_open(&part->docs, ctx, path, err));
    const uint64_t n_own =
        m->is_by_input ? counts[0] : m->n_chunks / m->n + (i < m->n_chunks % m->n);
    if ((!m->is_by_input && counts[0] != m->n_chunks) || counts[2] != m->is_by_input ||
        part->n_chunks != n_own || sum != dpl_collection_get_sizes(part->docs)->n_docs)
        return dpl__damaged(file, "part.batches", "wrong numbers of documents", err);
    part->aliases = dpl__collection_aliases(part->docs);
    return DPL_OK;
}

static dpl_status begin(dpl__import_merge *m, dpl_ctx *ctx, dpl_error *err)
{
    m->n_slots = 2 * (size_t)ctx->n_threads + 1; /* as the importer has */
    m->all = dpl__calloc(ctx, m->n, sizeof *m->all);
    m->slots = dpl__calloc(ctx, m->n_slots, sizeof *m->slots);
    DPL_TRY(dpl__need(m->all && m->slots, err));
    for (uint32_t i = 0; i < m->n; i++)
        DPL_TRY(open_part(m, i, err));
    return DPL_OK;
}

static void end(dpl__import_merge *m, dpl_ctx *ctx)
{
    for (uint32_t i = 0; m->all && i < m->n; i++)
        dpl_collection_close(m->all[i].docs);
    if (m->minus.ctx)
        dpl__terms_clear(&m->minus);
    dpl__free(ctx, m->slots, m->all);
}

dpl_status dpl_import_merge(dpl_part_summary *summary, const dpl_parts *parts,
                            const char *out_path, const dpl_import_options *options,
                            dpl_error *err)
{
    double began = dpl__now();
    dpl_ctx *ctx = dpl__parts_ctx(parts);
    dpl__import_merge m = {.parts = parts, .n = dpl_parts_get_info(parts).n};
    dpl__importer im = {.ctx = ctx, .merge = &m};
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    dpl_import_summary imported = DPL_INIT(dpl_import_summary, .sizes = &sizes);
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl__parts_check_kind(parts, "collection", err));
    for (uint32_t i = 0; i < m.n; i++) {
        const char *path = dpl_file_get_info(dpl__parts_file(parts, i)).path;
        DPL_TRY(dpl__check_overwrite(out_path, &path, 1, err));
    }
    dpl_status status;
    DPL__STEP(begin(&m, ctx, err));
    status = dpl__import_run(&im, NULL, &imported, out_path, options, err);
done:
    end(&m, ctx);
    if (status != DPL_OK)
        return status;
    made.n_items = sizes.n_docs;
    made.n_output_bytes = imported.n_output_bytes;
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
    return DPL_OK;
}

/* ---- shared with other processes ------------------------------------------------------ */

/* A chunk is a part: a file in the folder of the run, and the counts of its documents. */
typedef struct sharing {
    dpl_ctx *ctx;
    const dpl_input *inputs;
    size_t n_inputs;
    const dpl_import_options *options;
    bool stays;                    /* in parts, which nobody merges */
    bool is_by_input;              /* of whole inputs, which no other part reads */
    dpl__shared_files files;       /* names of the parts */
    dpl_read_counts counts;        /* of all */
    struct dpl_skip_list *skipped; /* is_by_input: what was left out of all; or NULL */
} sharing;

/* What was left out of a part is a file beside it. */
static void skips_path(char out[4300], const sharing *x, size_t chunk)
{
    char path[4200];
    dpl__shared_path(path, x->ctx, &x->files, chunk);
    snprintf(out, 4300, "%s.skipped", path);
}

static dpl_status take_skips(const sharing *x, size_t chunk, dpl_error *err)
{
    char path[4300];
    struct dpl_skip_list list = {.ctx = x->ctx};
    skips_path(path, x, chunk);
    dpl_status status = dpl__skips_read(&list, path, err);
    if (status == DPL_OK && x->is_by_input && x->skipped)
        status = dpl__need(dpl__skips_merge(x->skipped, &list), err);
    dpl__skips_clear(&list);
    return status;
}

static dpl_status make_shared(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    sharing *x = user;
    char path[4200], beside[4300];
    struct dpl_skip_list skipped = {.ctx = x->ctx};
    const dpl_part part = {(uint32_t)chunk, (uint32_t)x->files.n};
    dpl_read_counts counts = DPL_INIT(dpl_read_counts);
    dpl_import_summary s = DPL_INIT(dpl_import_summary, .read = &counts, .skipped = &skipped);
    dpl__importer im = {.ctx = x->ctx,
                        .inputs = x->inputs,
                        .n_inputs = x->n_inputs,
                        .part = &part,
                        .stays = x->stays,
                        .is_by_input = x->is_by_input,
                        .mark = {.part = part, .inputs = x->files.key}};
    if (x->is_by_input) {
        uint64_t first, last;
        dpl__part_range(&first, &last, x->n_inputs, &part);
        im.inputs += first;
        im.n_inputs = (size_t)(last - first);
        im.first_input = (size_t)first;
    }
    dpl__shared_path(path, x->ctx, &x->files, chunk);
    skips_path(beside, x, chunk);
    dpl_status status;
    DPL__STEP(dpl__import_run(&im, NULL, &s, path, x->options, err));
    DPL__STEP(dpl__skips_write(&skipped, beside, err));
    status = dpl__need(dpl__vec_append(x->ctx, out, (const char *)&counts, sizeof counts), err);
done:
    dpl__skips_clear(&skipped);
    return status;
}

/* Every part reads all bytes, unless it has inputs of its own. */
static dpl_status take_shared(void *user, size_t chunk, const char *data, size_t n,
                              dpl_error *err)
{
    sharing *x = user;
    dpl_read_counts one, *all = &x->counts;
    if (n != sizeof one)
        return dpl__fail(err, DPL_E_FORMAT, "counts of another size");
    memcpy(&one, data, sizeof one);
    DPL_TRY(take_skips(x, chunk, err));
    all->n_docs += one.n_docs;
    all->n_replaced += one.n_replaced;
    all->n_identified += one.n_identified;
    all->n_boilerplate += one.n_boilerplate;
    if (x->is_by_input) {
        one.n_file_bytes += all->n_file_bytes;
        one.n_raw_bytes += all->n_raw_bytes;
    }
    all->n_file_bytes = dpl__max(all->n_file_bytes, one.n_file_bytes);
    all->n_raw_bytes = dpl__max(all->n_raw_bytes, one.n_raw_bytes);
    for (size_t i = 0; i < DPL_LEN(one.n_dropped); i++)
        all->n_dropped[i] += one.n_dropped[i];
    for (size_t i = 0; i < DPL_LEN(one.n_converted); i++)
        all->n_converted[i] += one.n_converted[i];
    return DPL_OK;
}

/* Opens all parts. */
static dpl_status open_shared(dpl_parts **out, dpl__import_merge *m, const sharing *x,
                              dpl_error *err)
{
    const uint32_t n = (uint32_t)x->files.n;
    char(*names)[4200] = dpl__alloc(x->ctx, n * sizeof *names);
    const char **paths = dpl__alloc(x->ctx, n * sizeof *paths);
    dpl_status status = dpl__need(names && paths, err);
    for (uint32_t i = 0; i < n && status == DPL_OK; i++) {
        dpl__shared_path(names[i], x->ctx, &x->files, i);
        paths[i] = names[i];
    }
    DPL__STEP(status);
    DPL__STEP(dpl_parts_open(out, x->ctx, paths, n, err));
    m->parts = *out;
    status = begin(m, x->ctx, err);
done:
    dpl__free(x->ctx, paths, names);
    return status;
}

static dpl_status merge_shared(dpl_import_summary *summary, sharing *x, const char *out_path,
                               dpl_error *err)
{
    dpl__import_merge m = {.n = (uint32_t)x->files.n};
    dpl__importer im = {.ctx = x->ctx, .merge = &m};
    dpl_parts *parts = NULL;
    dpl_status status;
    DPL__STEP(open_shared(&parts, &m, x, err));
    DPL__STEP(dpl__import_run(&im, NULL, summary, out_path, x->options, err));
    if (summary && summary->read)
        DPL__GIVE(summary->read, &x->counts);
done:
    end(&m, x->ctx);
    dpl_parts_close(parts);
    return status;
}

/* All processes make the parts. DPL_END: see dpl__import_shared. */
static dpl_status make_parts(sharing *x, dpl_error *err)
{
    const dpl_import_options *o = x->options;
    uint64_t options = 0, n_dropped = 0;
    if (!dpl__is_shared(x->ctx) || dpl__shared_n(x->ctx) < 2 || o->update ||
        (o->tell_inputs && x->n_inputs > 1) ||
        !make_inputs(&x->files.key, x->ctx, x->inputs, x->n_inputs))
        return DPL_END;
    DPL_TRY(make_options(&options, x->ctx, o, err));
    x->files.name = "part";
    x->files.n = dpl__shared_n(x->ctx);
    x->files.key = dpl__fingerprint_number(x->files.key, options + x->stays);
    x->is_by_input = x->stays && x->n_inputs >= x->files.n;
    const dpl__shared_work work = {.name = "import",
                                   .key = x->files.key,
                                   .n = x->files.n,
                                   .user = x,
                                   .make = make_shared,
                                   .take = take_shared,
                                   .is_for_all = x->stays};
    DPL_TRY(dpl__shared_work_run(x->ctx, &work, err));
    for (size_t i = 0; i < DPL_LEN(x->counts.n_dropped); i++)
        n_dropped += x->counts.n_dropped[i];
    return (n_dropped && !x->is_by_input) || !x->counts.n_docs ? DPL_END : DPL_OK;
}

dpl_status dpl__import_shared(dpl_import_summary *summary, const dpl__importer *im,
                              const char *out_path, const dpl_import_options *o, dpl_error *err)
{
    sharing x = {.ctx = im->ctx,
                 .inputs = im->inputs,
                 .n_inputs = im->n_inputs,
                 .options = o,
                 .counts = DPL_INIT(dpl_read_counts)};
    const dpl_status status = make_parts(&x, err);
    return status == DPL_OK ? merge_shared(summary, &x, out_path, err) : status;
}

/* ---- documents that stay in their parts ------------------------------------------------- */

dpl_status dpl__doc_parts_of_one(dpl__doc_parts *out, dpl_ctx *ctx, const dpl_collection *c,
                                 dpl_error *err)
{
    *out = (dpl__doc_parts){.ctx = ctx, .n = 1, .n_docs = dpl_collection_get_sizes(c)->n_docs};
    out->all = dpl__alloc(ctx, sizeof *out->all);
    DPL_TRY(dpl__need(out->all, err));
    out->all[0] = c;
    return DPL_OK;
}

void dpl__doc_parts_clear(dpl__doc_parts *d)
{
    for (uint32_t i = 0; d->all && d->is_owned && i < d->n; i++)
        dpl_collection_close((dpl_collection *)(uintptr_t)d->all[i]);
    if (d->places)
        dpl__free(d->ctx, d->places);
    if (d->all)
        dpl__free(d->ctx, d->all);
    *d = (dpl__doc_parts){0};
}

/* Takes the collections, and puts their documents in the order of the chunks, which are in turn
 * of the parts, or of one part after another. */
static dpl_status take_parts(dpl__doc_parts *out, dpl__import_merge *m, dpl_error *err)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->n; i++)
        out->n_docs += dpl_collection_get_sizes(m->all[i].docs)->n_docs;
    out->all = dpl__calloc(out->ctx, m->n, sizeof *out->all);
    out->places = dpl__alloc(out->ctx, (out->n_docs + 1) * sizeof *out->places);
    DPL_TRY(dpl__need(out->all && out->places, err));
    for (uint64_t chunk = 0; chunk < m->n_chunks; chunk++) {
        while (m->is_by_input && m->all[m->at].next_chunk == m->all[m->at].n_chunks)
            m->at++;
        const uint32_t number = m->is_by_input ? m->at : (uint32_t)(chunk % m->n);
        import_part *part = &m->all[number];
        const uint32_t n = part->chunk_sizes[2 * part->next_chunk++];
        for (uint32_t i = 0; i < n; i++)
            out->places[at++] = (uint64_t)number << 32 | part->next_doc++;
    }
    assert(at == out->n_docs);
    out->n = m->n;
    for (uint32_t i = 0; i < m->n; i++) {
        out->all[i] = m->all[i].docs;
        m->all[i].docs = NULL;
    }
    return DPL_OK;
}

/* DPL_END: an id is there twice. */
static dpl_status check_ids(const dpl__doc_parts *d, dpl_error *err)
{
    dpl__idset ids;
    bool is_new = true;
    dpl_status status;
    dpl__idset_init(&ids, d->ctx, (size_t)(d->ctx->memory / 10));
    for (uint32_t doc = 0; doc < d->n_docs && is_new; doc++) {
        const dpl__id_hash hash = dpl__id_hash_of(dpl__doc_parts_doc(d, doc).id);
        DPL__STEP(dpl__idset_add(&ids, &hash, &is_new, err));
    }
    status = is_new ? DPL_OK : DPL_END;
done:
    dpl__idset_clear(&ids);
    return status;
}

dpl_status dpl__import_parts(dpl__doc_parts *out, dpl_import_summary *summary,
                             const dpl__importer *im, const dpl_import_options *o,
                             dpl_error *err)
{
    sharing x = {.ctx = im->ctx,
                 .inputs = im->inputs,
                 .n_inputs = im->n_inputs,
                 .options = o,
                 .stays = true,
                 .counts = DPL_INIT(dpl_read_counts),
                 .skipped = summary->skipped};
    dpl__import_merge m = {.stays = true};
    dpl_parts *parts = NULL;
    *out = (dpl__doc_parts){.ctx = im->ctx, .is_owned = true};
    dpl_status status = make_parts(&x, err);
    if (status == DPL_END && x.skipped) /* one process lists them anew */
        dpl__skips_reset(x.skipped);
    DPL_TRY(status);
    m.n = (uint32_t)x.files.n;
    DPL__STEP(open_shared(&parts, &m, &x, err));
    DPL__STEP(take_parts(out, &m, err));
    if (!x.is_by_input || !o->number_inputs) /* ids of other inputs are others */
        DPL__STEP(check_ids(out, err));
    DPL__GIVE(summary->read, &x.counts);
done:
    end(&m, x.ctx);
    dpl_parts_close(parts);
    if (status != DPL_OK)
        dpl__doc_parts_clear(out);
    return status;
}
