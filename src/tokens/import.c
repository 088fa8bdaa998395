/*
 * import.c - documents to a collection: read, tokenize in parallel, number the terms, write.
 *
 * Pass 1 runs read -> parse and tokenize (any thread) -> write down in order. In order, a batch
 * only gets its place in the output; its text is written there by the thread that works next on
 * its slot. Token numbers, which are the worker's own at this point, stay in memory or go to a
 * spool, and so does all that belongs to documents (documents.c). Then the workers' terms are
 * merged into one vocabulary (vocabulary.c), and pass 2 (rows.c) turns numbers into ids and
 * rows.
 *
 * Nothing in the output depends on which worker did what, on the size of chunks or on what was
 * spilled. Memory is divided up front by shares of the context's limit; see `share`.
 */
#include "tokens/importer.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/shared_run.h"
#include "io/target.h"
#include "par/pool.h"
#include "tokens/collection.h"
#include "tokens/input_ids.h"
#include "tokens/input_names.h"
#include "tokens/stop_file.h"

#include <stdio.h>
#include <sys/stat.h>

static const uint64_t LEAST_MEMORY = 32u << 20;

/* What is read at a time for parts: the same everywhere, so that all parts cut alike. */
enum { PART_CHUNK = 1 << 17 };

enum { TEXT_SECTION = 0 }; /* the first section of the output */

/* A part of the memory limit. The parts below add up to about nine tenths of it. */
static size_t share(const dpl__importer *im, unsigned of_256)
{
    return (size_t)(im->ctx->memory / 256 * of_256);
}

/* ---- reading ------------------------------------------------------------------------ */

/* Lists what was left out of a part of the source. */
static bool list_skipped(dpl__importer *im, const dpl__import_source *s,
                         const struct dpl_skip_list *skipped, const dpl_read_counts *counts)
{
    return !im->skipped || !s ||
           dpl__skips_take(im->skipped, skipped, dpl_input_name(&im->inputs[s->index]),
                           (uint32_t)s->number, counts);
}

static void close_source(dpl__importer *im, dpl__import_source *s)
{
    if (s->reader) {
        const dpl_read_counts *c = dpl_reader_counts(s->reader);
        list_skipped(im, s, dpl_reader_skipped(s->reader), c);
        dpl__read_counts_add(&im->counts, c);
        im->n_bytes_before += c->n_file_bytes;
    }
    dpl_reader_close(s->reader);
    dpl__free(im->ctx, s);
}

static dpl_status open_source(dpl__importer *im, dpl_error *err)
{
    dpl__import_source *s = dpl__calloc(im->ctx, 1, sizeof *s);
    if (!s || !dpl__vec_push(im->ctx, &im->sources, s)) {
        dpl__free(im->ctx, s);
        return dpl__fail_nomem(err);
    }
    im->current = s;
    s->index = im->next_input;
    s->number = s->index + im->first_input;
    const dpl_input *in = &im->inputs[im->next_input++];
    if (!in->collection)
        return dpl_reader_open_input(&s->reader, im->ctx, in, &im->read, err);
    dpl__collection_source_begin(&s->docs, in->collection, dpl_input_name(in));
    return dpl_reader_open_input(&s->reader, im->ctx, &(dpl_input){.source = &s->docs.source},
                                 &im->read, err);
}

/* Closes the sources that are read to their end and have no chunk in flight. */
static void close_finished(dpl__importer *im)
{
    size_t n = 0;
    for (size_t i = 0; i < im->sources.n; i++) {
        dpl__import_source *s = im->sources.data[i];
        if (s->is_at_end && s->n_in_flight == 0)
            close_source(im, s);
        else
            im->sources.data[n++] = s;
    }
    im->sources.n = n;
    assert(n <= im->sources.n);
}

static dpl_status report(dpl__importer *im, dpl_error *err)
{
    uint64_t done = im->n_bytes_before;
    for (size_t i = 0; i < im->sources.n; i++)
        if (im->sources.data[i]->reader)
            done += dpl_reader_counts(im->sources.data[i]->reader)->n_file_bytes;
    dpl_progress p = {"import", "bytes", done, im->n_bytes_total};
    return dpl__progress(im->ctx, &p, err);
}

/* Chunks go to the parts in turn. All that was read counts for the fingerprint. */
static bool is_of_part(dpl__importer *im, const dpl__chunk *chunk)
{
    if (!im->part || im->is_by_input) {
        im->n_chunks++;
        return true;
    }
    im->mark.decided =
        dpl__fingerprint(im->mark.decided, im->ctx, chunk->bytes.data, chunk->bytes.n);
    return im->n_chunks++ % im->part->n == im->part->number;
}

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    dpl__importer *im = user;
    dpl__import_slot *s = &im->slots[index];
    DPL_TRY(report(im, err));
    for (;;) {
        if (!im->current) {
            if (im->next_input == im->n_inputs)
                return DPL_END;
            DPL_TRY(open_source(im, err));
        }
        dpl_status status = dpl__reader_chunk(im->current->reader, &s->chunk, err);
        if (status < 0)
            return status;
        if (status == DPL_END) {
            im->current->is_at_end = true;
            im->current = NULL;
            close_finished(im);
        } else if (is_of_part(im, &s->chunk)) {
            break;
        }
    }
    s->source = im->current;
    s->source->n_in_flight++;
    return DPL_OK;
}

/* ---- on any thread ------------------------------------------------------------------ */

static void retire_terms(dpl__importer *im, dpl__import_slot *s, unsigned worker)
{
    dpl__worker *w = &im->workers[worker];
    if (dpl__terms_bytes(&w->terms) <= im->terms_memory)
        return;
    s->retired = w->terms;
    s->retired_run = im->worker_runs[worker];
    dpl__terms_init(&w->terms, im->ctx);
    dpl__worker_new_terms(w);
    im->worker_runs[worker] = atomic_fetch_add(&im->n_runs, 1);
}

/* Writes the text of the slot's last batch to its place. */
dpl_status dpl__import_write_text(dpl__importer *im, dpl__import_slot *s, dpl_error *err)
{
    if (s->text != DPL__TEXT_PLACED)
        return DPL_OK;
    DPL_TRY(dpl__writer_put(
        im->writer,
        (dpl__piece){TEXT_SECTION, s->text_place, s->tokenized.text.data, s->n_text},
        &s->text_crc, err));
    s->text = DPL__TEXT_WRITTEN;
    return DPL_OK;
}

/* The texts of all documents in a row, with padding. */
dpl_status dpl__import_gather_text(dpl__importer *im, dpl__import_slot *s, dpl_error *err)
{
    size_t n_text = 0;
    for (size_t i = 0; i < s->batch.docs.n; i++)
        n_text += s->batch.docs.data[i].text.n;
    dpl__bytes *text = &s->tokenized.text;
    DPL_TRY(dpl__need(dpl__vec_reserve(im->ctx, text, n_text + DPL__PAD) &&
                          dpl__vec_reserve(im->ctx, &s->tokenized.tokens, n_text / 6),
                      err));
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        const dpl_doc *doc = &s->batch.docs.data[i];
        memcpy(text->data + text->n, doc->text.data, doc->text.n);
        text->n += doc->text.n;
    }
    memset(text->data + text->n, 0, DPL__PAD);
    return DPL_OK;
}

/* Ids with the number of their input in front. */
static dpl_status number_ids(dpl__import_slot *s, dpl_error *err)
{
    char prefix[24];
    const size_t n = (size_t)snprintf(prefix, sizeof prefix, "%zu:", s->source->number);
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        dpl_str *id = &s->batch.docs.data[i].id;
        char *p = dpl__arena_alloc(&s->batch.arena, n + id->n);
        DPL_TRY(dpl__need(p, err));
        memcpy(p, prefix, n);
        memcpy(p + n, id->data, id->n);
        *id = (dpl_str){p, n + id->n};
    }
    return DPL_OK;
}

/* A document that is as it was in an earlier import has its tokens from there. */
static dpl_status tokenize(dpl__importer *im, dpl__import_slot *s, unsigned worker,
                           const dpl_doc *doc, size_t at, dpl_error *err)
{
    dpl__worker *w = &im->workers[worker];
    uint32_t old;
    if (im->update && dpl__import_update_find(im->update, doc, &old))
        return dpl__import_update_take(im->update, w, (dpl__update_table){worker, s->run},
                                       &s->tokenized, old, err);
    return dpl__tokenize(w, &s->tokenized, at, doc->text.n, doc->lang.data, err);
}

/* The gate that documents of the slot go through, or NULL. */
static const dpl__gate *gate_of(const dpl__importer *im, const dpl__import_slot *s)
{
    return im->gate && s->source->index < im->gate->n_inputs ? im->gate : NULL;
}

/* The texts of documents that a gate leaves out may be dropped: those of others close up. */
static dpl_status tokenize_all(dpl__importer *im, dpl__import_slot *s, unsigned worker,
                               dpl_error *err)
{
    dpl__worker *w = &im->workers[worker];
    dpl__bytes *text = &s->tokenized.text;
    size_t at = 0, to = 0;
    w->gate = gate_of(im, s);
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        dpl_doc *doc = &s->batch.docs.data[i];
        const size_t n = doc->text.n;
        DPL_TRY(tokenize(im, s, worker, doc, at, err));
        if (w->gate && w->is_left_out && w->gate->drops_text)
            doc->text.n = 0;
        else if (to != at)
            memmove(text->data + to, text->data + at, n);
        at += n;
        to += doc->text.n;
    }
    text->n = to;
    return DPL_OK;
}

static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    dpl__importer *im = user;
    dpl__import_slot *s = &im->slots[index];
    DPL_TRY(dpl__import_write_text(im, s, err));
    dpl__batch_reset(&s->batch);
    dpl__tokenized_reset(&s->tokenized);
    retire_terms(im, s, worker);
    s->run = im->worker_runs[worker];
    s->batch.options = dpl__reader_options(s->source->reader);
    DPL_TRY(dpl__reader_parse(s->source->reader, &s->batch, &s->chunk, err));
    if (im->numbers_inputs)
        DPL_TRY(number_ids(s, err));
    DPL_TRY(dpl__import_gather_text(im, s, err));
    DPL_TRY(tokenize_all(im, s, worker, err));
    return dpl__doc_batch_make(&s->docs, &s->batch, &s->tokenized, err);
}

/* ---- writing down, in order --------------------------------------------------------- */

static dpl_status set_up_worker(dpl__importer *im, dpl__worker *w, dpl_error *err)
{
    DPL_TRY(dpl__worker_init(w, im->ctx, &im->tokens_options, im->surface_memory, err));
    dpl__folder_stop(w->folder, &im->stop_words);
    w->morphs = im->morphs;
    return DPL_OK;
}

/* Without the number of the input. */
static dpl_str own_id(const dpl__importer *im, const dpl_doc *doc)
{
    const char *colon = im->numbers_inputs ? memchr(doc->id.data, ':', doc->id.n) : NULL;
    const size_t n = colon ? (size_t)(colon + 1 - doc->id.data) : 0;
    return (dpl_str){doc->id.data + n, doc->id.n - n};
}

static dpl_status drop_duplicate(dpl__importer *im, const dpl__import_slot *s, size_t i,
                                 dpl_error *err)
{
    dpl__batch one = {.ctx = im->ctx, .skipped = {.ctx = im->ctx}};
    char text[200];
    const dpl_str id = own_id(im, &s->batch.docs.data[i]);
    snprintf(text, sizeof text, "the id '%.*s' was there before", (int)dpl__min(id.n, 150),
             id.data);
    dpl_status status;
    DPL__STEP(dpl__record_drop(&one, &s->chunk, s->batch.lines.data[i], DPL_DROP_DUPLICATE,
                               text, err));
    if (!list_skipped(im, s->source, &one.skipped, &one.counts))
        status = dpl__fail_nomem(err);
done:
    dpl__read_counts_add(&im->counts, &one.counts);
    dpl__skips_clear(&one.skipped);
    return status;
}

static dpl_status duplicate(dpl__importer *im, const dpl__import_slot *s, size_t i,
                            size_t text_at, dpl_error *err)
{
    const dpl_doc *doc = &s->batch.docs.data[i];
    if (im->merge)
        return dpl__import_merge_duplicate(im, s, i, err);
    if (im->read.on_error != DPL_ON_ERROR_SKIP && !s->chunk.keeps_first) {
        const dpl_str id = own_id(im, doc);
        dpl__fail(err, DPL_E_FORMAT, "'%s'%s%s line %llu: duplicate id '%.*s'", s->chunk.file,
                  s->chunk.member ? " file " : "", s->chunk.member ? s->chunk.member : "",
                  (unsigned long long)s->batch.lines.data[i], (int)dpl__min(id.n, 200),
                  id.data);
        dpl__error_place(err, s->batch.lines.data[i], 0, 0);
        return dpl__code(err, DPL_E_FORMAT, "duplicate-id");
    }
    im->counts.n_docs--;
    DPL_TRY(drop_duplicate(im, s, i, err));
    if (!im->dropped.ctx)
        DPL_TRY(set_up_worker(im, &im->dropped, err));
    dpl__tokenized again = {0};
    dpl_status status;
    DPL__STEP(dpl__need(dpl__vec_reserve(im->ctx, &again.text, doc->text.n + DPL__PAD), err));
    memcpy(again.text.data, s->tokenized.text.data + text_at, doc->text.n);
    memset(again.text.data + doc->text.n, 0, DPL__PAD);
    im->dropped.gate = gate_of(im, s); /* what was left out was not counted */
    status = dpl__tokenize(&im->dropped, &again, 0, doc->text.n, doc->lang.data, err);
done:
    dpl__tokenized_clear(&again, im->ctx);
    return status;
}

/* Languages are numbered as they come. */
static dpl_status count_declared(dpl__importer *im, const dpl__import_slot *s, size_t begin,
                                 size_t end, dpl_error *err)
{
    for (size_t i = begin; im->declared && i < end; i++) {
        const uint32_t lang = s->docs.records.data[i].lang;
        while (im->declared->n <= lang) {
            const dpl_str code = dpl__term_text(&im->docs.langs.all.data[im->declared->n]);
            dpl__declared new = {{0}, 0};
            memcpy(new.code, code.data, dpl__min(code.n, sizeof new.code - 1));
            DPL_TRY(dpl__need(dpl__vec_push(im->ctx, im->declared, new), err));
        }
        im->declared->data[lang].n_docs += !s->batch.is_identified.data[i];
    }
    return DPL_OK;
}

/* Keeps the documents from `begin` to `end`; what came between the ones kept before and these
 * is closed up. */
static dpl_status keep(dpl__importer *im, dpl__import_slot *s, dpl__batch_record *record,
                       dpl__doc_place begin, dpl__doc_place end, dpl_error *err)
{
    dpl__tokenized *t = &s->tokenized;
    if (begin.doc == end.doc)
        return DPL_OK;
    DPL_TRY(dpl__documents_append(&im->docs, &s->batch, &s->docs, t,
                                  (dpl__doc_place[]){begin, end}, err));
    DPL_TRY(count_declared(im, s, begin.doc, end.doc, err));
    const size_t n_text = end.text - begin.text, n_tokens = end.token - begin.token;
    if (s->n_text != begin.text)
        memmove(t->text.data + s->n_text, t->text.data + begin.text, n_text);
    if (record->n_tokens != begin.token)
        memmove(t->tokens.data + record->n_tokens, t->tokens.data + begin.token, 4 * n_tokens);
    s->n_text += n_text;
    record->n_tokens += n_tokens;
    for (size_t i = begin.doc; i < end.doc; i++)
        record->n_entries += t->n_entries.data[i];
    record->n_docs += (uint32_t)(end.doc - begin.doc);
    return DPL_OK;
}

/* Documents but for those whose id was there before. */
static dpl_status keep_new(dpl__importer *im, dpl__import_slot *s, dpl__batch_record *record,
                           dpl_error *err)
{
    const dpl__doc_batch *b = &s->docs;
    dpl__doc_place begin = {0}, at = {0};
    s->n_text = 0;
    for (size_t i = 0; i < b->hashes.n; i++)
        dpl__idset_fetch(&im->ids, &b->hashes.data[i]);
    while (at.doc < b->records.n) {
        bool is_new = false;
        const dpl__doc_place here = at;
        DPL_TRY(dpl__idset_add(&im->ids, &b->hashes.data[at.doc], &is_new, err));
        dpl__doc_place_next(&at, b);
        if (is_new)
            continue;
        DPL_TRY(keep(im, s, record, begin, here, err));
        DPL_TRY(duplicate(im, s, here.doc, here.text, err));
        begin = at;
    }
    return keep(im, s, record, begin, at, err);
}

/* The batch takes its tokens along if there is memory for them. */
static dpl_status keep_tokens(dpl__importer *im, dpl__import_slot *s, dpl__batch_record *record,
                              dpl_error *err)
{
    dpl__tokenized *t = &s->tokenized;
    const size_t n = (size_t)record->n_tokens;
    if (!n || im->n_held_tokens + n > im->most_tokens)
        return n ? dpl__spool_append(&im->tokens, t->tokens.data, 4 * n, err) : DPL_OK;
    uint32_t *fitting = dpl__resize(im->ctx, t->tokens.data, 4 * n);
    DPL_TRY(dpl__need(fitting, err));
    t->tokens.data = NULL;
    t->tokens.n = t->tokens.cap = 0;
    record->tokens = fitting;
    im->n_held_tokens += n;
    return DPL_OK;
}

static void join_text(dpl__importer *im, dpl__import_slot *s)
{
    if (s->text == DPL__TEXT_WRITTEN)
        dpl__writer_join(im->writer, TEXT_SECTION, s->text_crc, s->n_text);
    s->text = DPL__TEXT_NONE;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    dpl__importer *im = user;
    dpl__import_slot *s = &im->slots[index];
    dpl__batch_record record = {.run = s->run};
    join_text(im, s); /* of the batch before */
    if (s->retired.ctx) {
        DPL_TRY(dpl__vocabulary_add(&im->vocabulary, &s->retired, s->retired_run, err));
        dpl__terms_clear(&s->retired);
        s->retired = (dpl__terms){0};
    }
    dpl__read_counts_add(&im->counts, &s->batch.counts);
    DPL_TRY(dpl__need(list_skipped(im, s->source, &s->batch.skipped, &s->batch.counts), err));
    DPL_TRY(dpl__need(dpl__vec_reserve(im->ctx, &im->batches, 1), err));
    DPL_TRY(keep_new(im, s, &record, err));
    DPL_TRY(dpl__documents_append_aliases(&im->docs, &s->batch, err));
    DPL_TRY(keep_tokens(im, s, &record, err));
    im->batches.data[im->batches.n++] = record;
    if (im->part && (!dpl__vec_push(im->ctx, &im->chunk_sizes, record.n_docs) ||
                     !dpl__vec_push(im->ctx, &im->chunk_sizes, (uint32_t)s->batch.aliases.n)))
        return dpl__fail_nomem(err);
    dpl__writer_grow(im->writer, &s->text_place, s->n_text);
    s->text = DPL__TEXT_PLACED;
    if (im->ctx->n_threads == 1) /* while it is in the cache */
        DPL_TRY(dpl__import_write_text(im, s, err));
    if (!s->source)
        return DPL_OK;
    s->source->n_in_flight--;
    close_finished(im);
    return DPL_OK;
}

/* ---- after the last document -------------------------------------------------------- */

static dpl_status write_slot(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__importer *im = user;
    return dpl__import_write_text(im, &im->slots[index], err);
}

/* The text of the batches that were last in their slots. */
static dpl_status write_last_texts(dpl__importer *im, dpl_error *err)
{
    DPL_TRY(dpl__parallel_for(im->ctx, im->n_slots, im, write_slot, err));
    for (size_t i = 0; i < im->n_slots; i++) /* slots are filled in turn */
        join_text(im, &im->slots[(im->batches.n + i) % im->n_slots]);
    return DPL_OK;
}

static void clear_slots(dpl__importer *im)
{
    for (size_t i = 0; im->slots && i < im->n_slots; i++) {
        dpl__import_slot *s = &im->slots[i];
        dpl__chunk_clear(&s->chunk, im->ctx);
        if (s->batch.ctx)
            dpl__batch_clear(&s->batch);
        dpl__tokenized_clear(&s->tokenized, im->ctx);
        dpl__doc_batch_clear(&s->docs, im->ctx);
        dpl__terms_clear(&s->retired);
    }
    dpl__free(im->ctx, im->slots);
    im->slots = NULL;
}

static void describe_settings(dpl__json_text *text, const dpl__importer *im)
{
    const dpl_tokens_options *t = &im->tokens_options;
    dpl_json j = dpl__json_into(text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "tokens", t->ngrams ? "characters" : "words");
    dpl_json_number(&j, "ngram", t->ngrams);
    dpl_json_bool(&j, "stem", t->stem);
    dpl_json_bool(&j, "stop_words", t->stop_words);
    dpl_json_bool(&j, "stop_file", t->stop_file != NULL);
    dpl_json_number(&j, "max_token", t->max_token ? t->max_token : DPL__MAX_TOKEN);
    dpl_json_bool(&j, "with_title", im->read.with_title);
    dpl_json_end(&j, '}');
}

static dpl_status write_settings(dpl__importer *im, dpl_error *err)
{
    dpl__json_text text = {.ctx = im->ctx};
    describe_settings(&text, im);
    return dpl__writer_add_json(im->writer, "settings", &text, err);
}

static dpl_status write_part(dpl__importer *im, dpl_error *err)
{
    const uint64_t counts[] = {im->n_chunks, im->read.on_error == DPL_ON_ERROR_SKIP,
                               im->is_by_input};
    DPL_TRY(dpl__writer_add(im->writer, "part.batches", 4, im->chunk_sizes.data,
                            4 * im->chunk_sizes.n, err));
    DPL_TRY(dpl__writer_add(im->writer, "part.counts", 8, counts, sizeof counts, err));
    return dpl__part_write(im->writer, &im->mark, err);
}

/* Each frees megabytes of word tables, which takes the system a while. */
static void end_worker(void *user, size_t i)
{
    dpl__importer *im = user;
    dpl__worker_end(&im->workers[i]);
}

/* The workers keep nothing but their terms, until these are numbered. */
static dpl_status merge_terms(dpl__importer *im, dpl_error *err)
{
    const unsigned n = im->ctx->n_threads;
    if (im->merge)
        return dpl__import_merge_terms(im, err);
    DPL_TRY(dpl__parallel_each(im->ctx, n, im, end_worker, err));
    dpl__worker_end(&im->dropped);
    if (im->dropped.ctx)
        dpl__vocabulary_subtract(&im->vocabulary, &im->dropped.terms);
    for (unsigned i = 0; i < n; i++)
        DPL_TRY(dpl__vocabulary_give(&im->vocabulary, &im->workers[i].terms, im->worker_runs[i],
                                     err));
    return DPL_OK;
}

static dpl_status tell_inputs(dpl__importer *im, dpl_error *err)
{
    dpl__arena arena;
    dpl__arena_init(&arena, im->ctx);
    const dpl_str *names = dpl__input_names(&arena, im->inputs, im->n_inputs);
    dpl_status status =
        names ? dpl__input_ids_tell(&im->docs, names, err) : dpl__fail_nomem(err);
    dpl__arena_clear(&arena);
    return status;
}

static dpl_status write_rest(dpl__importer *im, dpl_error *err)
{
    DPL_TRY(write_last_texts(im, err));
    clear_slots(im);
    dpl__idset_clear(&im->ids);
    if (im->tells_inputs)
        DPL_TRY(tell_inputs(im, err));
    DPL_TRY(dpl__documents_write(&im->docs, im->writer, err));
    DPL_TRY(merge_terms(im, err));
    DPL_TRY(dpl__vocabulary_write(&im->vocabulary, im->writer, err));
    dpl__first_pass in = {.vocabulary = &im->vocabulary,
                          .tokens = &im->tokens,
                          .doc_tokens = &im->docs.n_tokens,
                          .batches = im->batches.data,
                          .n_batches = im->batches.n,
                          .no_rows = im->no_rows};
    DPL_TRY(dpl__rows_write(im->ctx, im->writer, &in, err));
    DPL_TRY((im->merge ? dpl__import_merge_settings : write_settings)(im, err));
    return im->part ? write_part(im, err) : DPL_OK;
}

/* Ends the file; with `out`, opens it as a collection at once. */
static dpl_status finish(dpl__importer *im, dpl_collection **out, uint64_t *n_output,
                         dpl_error *err)
{
    DPL_TRY(write_rest(im, err));
    if (!out)
        return dpl__writer_finish(im->writer, n_output, err);
    dpl_file *file = NULL;
    DPL_TRY(dpl__writer_open(im->writer, &file, err));
    *n_output = dpl_file_get_info(file).n_bytes;
    return dpl__collection_from_file(out, im->ctx, file, err);
}

/* ---- setting up --------------------------------------------------------------------- */

static uint64_t sum_of_sizes(const dpl_input *inputs, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct stat st;
        const char *path = inputs[i].path;
        if (inputs[i].buffer.data)
            sum += inputs[i].buffer.n;
        else if (path && strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
            sum += (uint64_t)st.st_size;
        else
            return 0; /* unknown: no total, no estimate of the time left */
    }
    return sum;
}

/* The output must not replace what it is made from. */
static dpl_status check_output(const dpl__importer *im, const char *out_path, dpl_error *err)
{
    if (!out_path)
        return DPL_OK;
    for (size_t i = 0; i < im->n_inputs; i++)
        DPL_TRY(dpl__check_overwrite(out_path, &im->inputs[i].path, 1, err));
    return dpl__check_overwrite(out_path, &im->tokens_options.stop_file, 1, err);
}

static size_t chunk_size(const dpl__importer *im)
{
    /* A chunk, its documents, their text and tokens: about eight times its size in flight. With
     * many threads smaller ones, so that none is left alone with the last of them. */
    const size_t n = share(im, 40) / (8 * im->n_slots),
                 most = im->ctx->n_threads > 2 ? 1 << 18 : 1 << 20;
    return n > most ? most : n < 1 << 14 ? 1 << 14 : n;
}

static dpl_status set_up_workers(dpl__importer *im, dpl_error *err)
{
    unsigned n = im->ctx->n_threads;
    im->slots = dpl__calloc(im->ctx, im->n_slots, sizeof *im->slots);
    im->workers = dpl__calloc(im->ctx, n, sizeof *im->workers);
    im->worker_runs = dpl__calloc(im->ctx, n, sizeof *im->worker_runs);
    DPL_TRY(dpl__need(im->slots && im->workers && im->worker_runs, err));
    for (size_t i = 0; i < im->n_slots; i++)
        dpl__batch_init(&im->slots[i].batch, im->ctx, &im->read);
    if (im->merge) /* nothing is tokenized */
        return DPL_OK;
    DPL_TRY(
        dpl__stop_file_read(&im->stop_words, im->ctx, &im->tokens_options, share(im, 16), err));
    im->terms_memory = share(im, 48) / n;
    im->surface_memory = share(im, 16) / n;
    for (unsigned i = 0; i < n; i++) {
        im->worker_runs[i] = atomic_fetch_add(&im->n_runs, 1);
        DPL_TRY(set_up_worker(im, &im->workers[i], err));
    }
    return DPL_OK;
}

/* A record is held several times over while it is worked on. */
static dpl_status limit_records(dpl__importer *im, dpl_error *err)
{
    uint64_t most = im->ctx->memory / 8, *limit = &im->read.max_record;
    if (*limit > most)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory-records",
                              "records of %llu bytes need %llu MiB of memory",
                              (unsigned long long)*limit, (unsigned long long)(*limit >> 17));
    if (!*limit && most < DPL__MAX_RECORD)
        *limit = most;
    return DPL_OK;
}

/* Tokens of a stop file that may have changed are not taken. */
static dpl_status open_old(dpl__importer *im, dpl_error *err)
{
    dpl__json_text text = {.ctx = im->ctx};
    if (!im->old_path)
        return DPL_OK;
    if (im->tokens_options.stop_file)
        return dpl__fail_code(err, DPL_E_USAGE, "update-options",
                              "an update takes no list of stop words");
    describe_settings(&text, im);
    dpl_status status;
    DPL__STEP(text.has_failed ? dpl__fail_nomem(err) : DPL_OK);
    status = dpl__import_update_open(&im->update, im->ctx, im->old_path,
                                     (dpl_str){text.bytes.data, text.bytes.n}, err);
done:
    dpl__vec_clear(im->ctx, &text.bytes);
    return status;
}

static dpl_status set_up(dpl__importer *im, const char *out_path, dpl_error *err)
{
    char dir[4096];
    if (im->ctx->memory < LEAST_MEMORY)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                              "import needs at least %u MiB of memory",
                              (unsigned)(LEAST_MEMORY >> 20));
    DPL_TRY(limit_records(im, err));
    DPL_TRY(check_output(im, out_path, err));
    DPL_TRY(open_old(im, err));
    if (!dpl__spill_dir(dir, sizeof dir, out_path))
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", out_path);
    im->n_slots = 2 * (size_t)im->ctx->n_threads + 1;
    if (im->part)
        im->read.chunk = PART_CHUNK;
    if (!im->read.chunk)
        im->read.chunk = chunk_size(im);
    im->n_bytes_total = sum_of_sizes(im->inputs, im->n_inputs);
    DPL_TRY(dpl__spill_init(&im->spill, im->ctx, im->spill_dir ? im->spill_dir : dir, err));
    DPL_TRY(set_up_workers(im, err));
    dpl__idset_init(&im->ids, im->ctx, share(im, 24));
    im->most_tokens = share(im, 36) / 4;
    dpl__spool_init(&im->tokens, &im->spill, share(im, 4));
    dpl__documents_init(&im->docs, &im->spill, share(im, 3));
    DPL_TRY(dpl__vocabulary_init(&im->vocabulary, &im->spill, share(im, 24), err));
    DPL_TRY(dpl__writer_new(&im->writer, im->ctx, out_path, "collection", err));
    return dpl__writer_begin(im->writer, "text.bytes", 1, err);
}

static void tear_down(dpl__importer *im)
{
    for (size_t i = 0; i < im->sources.n; i++)
        close_source(im, im->sources.data[i]);
    dpl__vec_clear(im->ctx, &im->sources);
    dpl__import_update_close(im->update);
    clear_slots(im);
    for (unsigned i = 0; im->workers && i < im->ctx->n_threads; i++)
        dpl__worker_clear(&im->workers[i]);
    dpl__worker_clear(&im->dropped);
    dpl__terms_clear(&im->stop_words);
    dpl__free(im->ctx, im->workers, im->worker_runs);
    dpl__writer_free(im->writer);
    dpl__vocabulary_clear(&im->vocabulary);
    dpl__spool_clear(&im->tokens);
    dpl__documents_clear(&im->docs);
    dpl__idset_clear(&im->ids);
    for (size_t i = 0; i < im->batches.n; i++)
        dpl__free(im->ctx, im->batches.data[i].tokens);
    dpl__vec_clear(im->ctx, &im->batches, &im->chunk_sizes);
    dpl__spill_clear(&im->spill);
}

static dpl_status set_options(dpl__importer *im, const dpl_import_options *options,
                              dpl_error *err)
{
    dpl_import_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__TAKE(&im->tokens_options, o.tokens, err));
    DPL_TRY(DPL__TAKE(&im->read, o.read, err));
    im->spill_dir = o.temp;
    im->no_rows = o.no_rows && (!im->part || im->stays) && !o.update;
    im->tells_inputs = o.tell_inputs && !o.number_inputs && im->n_inputs > 1 && !im->part;
    im->numbers_inputs = o.number_inputs || im->tells_inputs;
    im->needs_docs = o.needs_docs && !im->part;
    im->old_path = o.update;
    return DPL_OK;
}

static dpl_status check_summary(dpl_import_summary *s, const dpl_import_summary *summary,
                                dpl_error *err)
{
    DPL_TRY(DPL__TAKE(s, summary, err));
    DPL_TRY(DPL__CHECK_OUT(s->read, err));
    return DPL__CHECK_OUT(s->sizes, err);
}

static void summarize(dpl_import_summary *s, const dpl__importer *im)
{
    dpl_collection_sizes sizes =
        DPL_INIT(dpl_collection_sizes, .n_docs = im->docs.n_docs,
                 .n_terms = im->vocabulary.n_terms, .n_repeated = im->vocabulary.n_repeated,
                 .n_sentences = im->docs.n_sentences, .n_text_bytes = im->docs.n_text);
    for (size_t i = 0; i < im->batches.n; i++) {
        sizes.n_tokens += im->batches.data[i].n_tokens;
        sizes.n_entries += im->batches.data[i].n_entries;
    }
    DPL__GIVE(s->sizes, &sizes);
    DPL__GIVE(s->read, &im->counts);
    s->n_spilled_bytes = atomic_load(&im->spill.n_bytes);
    s->n_unchanged = dpl__import_update_count(im->update);
}

dpl_status dpl__fail_no_documents(const char *name, const dpl_read_counts *counts,
                                  dpl_error *err)
{
    char why[400] = "";
    size_t n = 0;
    for (int i = 0; i < DPL_N_DROPS && n < sizeof why; i++)
        if (counts->n_dropped[i])
            n += (size_t)snprintf(why + n, sizeof why - n, "%s%llu %s", n ? ", " : ": ",
                                  (unsigned long long)counts->n_dropped[i],
                                  dpl_drop_name((dpl_drop)i));
    const bool is_folder =
        counts->n_dropped[DPL_DROP_FILE_TYPE] || counts->n_dropped[DPL_DROP_LINK];
    return dpl__fail_code(err, DPL_E_NOTHING, is_folder ? "no-files" : "no-documents",
                          "no documents in %s%s", name, why);
}

/* An import of nothing, if that is a failure; the counts say why. */
static dpl_status check_docs(dpl__importer *im, dpl_import_summary *s, dpl_error *err)
{
    if (!im->needs_docs || im->docs.n_docs)
        return DPL_OK;
    char name[4200];
    DPL__GIVE(s->read, &im->counts);
    if (im->n_inputs == 1)
        snprintf(name, sizeof name, "'%s'", dpl_input_name(&im->inputs[0]));
    else
        snprintf(name, sizeof name, "%zu inputs", im->n_inputs);
    return dpl__fail_no_documents(name, &im->counts, err);
}

static dpl_status run(dpl__importer *im, dpl_collection **out, dpl_import_summary *s,
                      const char *out_path, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(set_up(im, out_path, err));
    const dpl__pipeline p = {im, im->n_slots, im->merge ? dpl__import_merge_produce : produce,
                             im->merge ? dpl__import_merge_map : map, commit};
    DPL__STEP(dpl__pipeline_run(im->ctx, &p, err));
    DPL__STEP(check_docs(im, s, err));
    DPL__STEP(finish(im, out, &s->n_output_bytes, err));
    summarize(s, im);
done:
    tear_down(im);
    return status;
}

dpl_status dpl__import_run(dpl__importer *im, dpl_collection **out, dpl_import_summary *summary,
                           const char *out_path, const dpl_import_options *options,
                           dpl_error *err)
{
    double began = dpl__now();
    dpl_import_summary s;
    DPL_TRY(check_summary(&s, summary, err));
    im->skipped = s.skipped;
    DPL_TRY(set_options(im, options, err));
    DPL_TRY(run(im, out, &s, out_path, err));
    s.seconds = dpl__now() - began;
    DPL__GIVE(summary, &s);
    return DPL_OK;
}

dpl_status dpl_import_inputs(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const dpl_input *inputs, size_t n_inputs,
                             const dpl_import_options *options, dpl_error *err)
{
    dpl__importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs};
    dpl_import_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    dpl_status status = dpl__import_shared(summary, &im, out_path, &o, err);
    return status == DPL_END ? dpl__import_run(&im, NULL, summary, out_path, options, err)
                             : status;
}

dpl_status dpl__import_gated(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const dpl_input *inputs, size_t n_inputs,
                             const dpl_import_options *options, const dpl__gate *gate,
                             dpl_error *err)
{
    dpl__importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs, .gate = gate};
    assert(!options->update && !dpl__is_shared(ctx));
    return dpl__import_run(&im, NULL, summary, out_path, options, err);
}

dpl_status dpl__import_with_parts(dpl_ctx *ctx, const char *out_path, const dpl_input *input,
                                  const dpl_import_options *options, const dpl__morphs *morphs,
                                  dpl_error *err)
{
    dpl__importer im = {.ctx = ctx, .inputs = input, .n_inputs = 1, .morphs = morphs};
    assert(!options->update);
    return dpl__import_run(&im, NULL, NULL, out_path, options, err);
}

dpl_status dpl_collection_from_inputs(dpl_collection **out, dpl_import_summary *summary,
                                      dpl_ctx *ctx, const dpl_input *inputs, size_t n_inputs,
                                      const dpl_import_options *options, dpl_error *err)
{
    dpl__importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs};
    dpl_import_options o;
    char path[4200];
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (dpl__is_shared(ctx)) { /* a file of this process, until it ends */
        dpl__shared_own_path(path, ctx, "import");
        dpl_status status = dpl__import_shared(summary, &im, path, &o, err);
        if (status == DPL_OK)
            status = dpl_collection_open(out, ctx, path, err);
        if (status != DPL_END)
            return status;
    }
    return dpl__import_run(&im, out, summary, NULL, options, err);
}

dpl_status dpl_import(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                      const char *const *paths, size_t n_paths,
                      const dpl_import_options *options, dpl_error *err)
{
    dpl_input *inputs = dpl__calloc(ctx, n_paths + 1, sizeof *inputs);
    DPL_TRY(dpl__need(inputs, err));
    for (size_t i = 0; i < n_paths; i++)
        inputs[i].path = paths[i];
    dpl_status status =
        dpl_import_inputs(summary, ctx, out_path, inputs, n_paths, options, err);
    dpl__free(ctx, inputs);
    return status;
}
