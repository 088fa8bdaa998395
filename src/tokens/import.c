/*
 * import.c - documents to a collection: read, tokenize in parallel, number the terms, write.
 *
 * Pass 1 runs read -> parse and tokenize (any thread) -> write down in order. Text goes
 * straight to its place in the output; token numbers, which are the worker's own at this point,
 * and all that belongs to documents go to spools. Then the workers' terms are merged into one
 * vocabulary (vocabulary.c), and pass 2 (rows.c) turns numbers into ids and rows.
 *
 * Nothing in the output depends on which worker did what, on the size of chunks or on what was
 * spilled. Memory is divided up front by shares of the context's limit; see `share`.
 */
#include "doppel/tokens.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/target.h"
#include "par/pool.h"
#include "text/chunks.h"
#include "tokens/collection.h"
#include "tokens/idset.h"
#include "tokens/rows.h"
#include "tokens/stop_file.h"
#include "tokens/tokenize.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

static const uint64_t LEAST_MEMORY = 32u << 20;

/* An input, open as long as one of its chunks is in flight. */
typedef struct source {
    dpl_reader *reader;
    size_t n_in_flight;
    bool is_at_end;
} source;

typedef struct slot {
    source *source;
    dpl__chunk chunk;
    dpl__batch batch;
    dpl__tokenized tokenized;
    uint32_t run;
    dpl__terms retired; /* the worker's terms before this batch, when they had grown too many */
    uint32_t retired_run;
} slot;

/* Sizes of what belongs to one document, in the spool `docs`. */
typedef struct doc_record {
    uint32_t text, id, title, extra, tokens, sentences, lang;
} doc_record;

typedef struct importer {
    dpl_ctx *ctx;
    dpl_reader_options read;
    dpl_tokens_options tokens_options;
    const char *spill_dir;
    const dpl_input *inputs;
    size_t n_inputs, next_input;
    uint64_t n_bytes_before, n_bytes_total; /* of the files, for progress */
    source *current;
    DPL_VEC(source *) sources;
    slot *slots;
    size_t n_slots;
    dpl__worker *workers;
    uint32_t *worker_runs;
    atomic_uint n_runs;
    size_t terms_memory;   /* a worker retires its terms beyond this */
    size_t surface_memory; /* of a worker's word tables */
    dpl__terms stop_words; /* of the stop file */
    dpl__worker
        dropped; /* counts what is to be taken away again; from the first such document */
    dpl__spill spill;
    dpl__writer *writer;
    dpl__vocabulary vocabulary;
    dpl__idset ids;
    dpl__sorter *ids_sorted;
    dpl__spool tokens, docs, doc_tokens, id_bytes, title_bytes, extra_bytes;
    dpl__spool sentence_begin, sentence_token, sentence_flags;
    DPL_VEC(dpl__batch_record) batches;
    dpl__terms langs;
    uint32_t n_docs;
    uint64_t n_sentences, n_text;
    dpl_read_counts counts;
} importer;

/* A part of the memory limit. The parts below add up to about nine tenths of it. */
static size_t share(const importer *im, unsigned of_256)
{
    return (size_t)(im->ctx->memory / 256 * of_256);
}

/* ---- reading ------------------------------------------------------------------------ */

static void close_source(importer *im, source *s)
{
    if (s->reader) {
        const dpl_read_counts *c = dpl_reader_counts(s->reader);
        dpl__read_counts_add(&im->counts, c);
        im->n_bytes_before += c->n_file_bytes;
    }
    dpl_reader_close(s->reader);
    dpl__free(im->ctx, s, sizeof *s);
}

static dpl_status open_source(importer *im, dpl_error *err)
{
    source *s = dpl__calloc(im->ctx, 1, sizeof *s);
    if (!s || !dpl__vec_push(im->ctx, &im->sources, s)) {
        dpl__free(im->ctx, s, sizeof *s);
        return dpl__fail_nomem(err);
    }
    im->current = s;
    return dpl_reader_open_input(&s->reader, im->ctx, &im->inputs[im->next_input++], &im->read,
                                 err);
}

/* Closes the sources that are read to their end and have no chunk in flight. */
static void close_finished(importer *im)
{
    size_t n = 0;
    for (size_t i = 0; i < im->sources.n; i++) {
        source *s = im->sources.data[i];
        if (s->is_at_end && s->n_in_flight == 0)
            close_source(im, s);
        else
            im->sources.data[n++] = s;
    }
    im->sources.n = n;
}

static dpl_status report(importer *im, dpl_error *err)
{
    uint64_t done = im->n_bytes_before;
    for (size_t i = 0; i < im->sources.n; i++)
        if (im->sources.data[i]->reader)
            done += dpl_reader_counts(im->sources.data[i]->reader)->n_file_bytes;
    dpl_progress p = {"import", "bytes", done, im->n_bytes_total};
    return dpl__progress(im->ctx, &p, err);
}

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    importer *im = user;
    slot *s = &im->slots[index];
    DPL_TRY(report(im, err));
    for (;;) {
        if (!im->current) {
            if (im->next_input == im->n_inputs)
                return DPL_END;
            DPL_TRY(open_source(im, err));
        }
        dpl_status status = dpl__reader_chunk(im->current->reader, &s->chunk, err);
        if (status == DPL_OK)
            break;
        if (status != DPL_END)
            return status;
        im->current->is_at_end = true;
        im->current = NULL;
        close_finished(im);
    }
    s->source = im->current;
    s->source->n_in_flight++;
    return DPL_OK;
}

/* ---- on any thread ------------------------------------------------------------------ */

static void retire_terms(importer *im, slot *s, unsigned worker)
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

static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    importer *im = user;
    slot *s = &im->slots[index];
    dpl__batch_reset(&s->batch);
    dpl__tokenized_reset(&s->tokenized);
    retire_terms(im, s, worker);
    s->run = im->worker_runs[worker];
    s->batch.options = dpl__reader_options(s->source->reader);
    DPL_TRY(dpl__reader_parse(s->source->reader, &s->batch, &s->chunk, err));
    size_t n_text = 0;
    for (size_t i = 0; i < s->batch.docs.n; i++)
        n_text += s->batch.docs.data[i].text.n;
    dpl__bytes *text = &s->tokenized.text;
    if (!dpl__vec_reserve(im->ctx, text, n_text + DPL__PAD))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        const dpl_doc *doc = &s->batch.docs.data[i];
        memcpy(text->data + text->n, doc->text.data, doc->text.n);
        text->n += doc->text.n;
    }
    memset(text->data + text->n, 0, DPL__PAD);
    size_t at = 0;
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        const dpl_doc *doc = &s->batch.docs.data[i];
        DPL_TRY(dpl__tokenize(&im->workers[worker], &s->tokenized, at, doc->text.n,
                              doc->lang.data, err));
        at += doc->text.n;
    }
    return DPL_OK;
}

/* ---- writing down, in order --------------------------------------------------------- */

static dpl_status set_up_worker(importer *im, dpl__worker *w, dpl_error *err)
{
    DPL_TRY(dpl__worker_init(w, im->ctx, &im->tokens_options, im->surface_memory, err));
    dpl__folder_stop(w->folder, &im->stop_words);
    return DPL_OK;
}

static dpl_status duplicate(importer *im, const slot *s, size_t i, size_t text_at,
                            dpl_error *err)
{
    const dpl_doc *doc = &s->batch.docs.data[i];
    if (im->read.on_error != DPL_ON_ERROR_SKIP) {
        dpl__fail(err, DPL_E_FORMAT, "'%s'%s%s line %llu: duplicate id '%.*s'", s->chunk.file,
                  s->chunk.member ? " file " : "", s->chunk.member ? s->chunk.member : "",
                  (unsigned long long)s->batch.lines.data[i], (int)dpl__min(doc->id.n, 200),
                  doc->id.data);
        dpl__error_place(err, s->batch.lines.data[i], 0, 0);
        return dpl__code(err, DPL_E_FORMAT, "duplicate-id");
    }
    im->counts.n_dropped[DPL_DROP_DUPLICATE]++;
    im->counts.n_docs--;
    if (!im->dropped.ctx)
        DPL_TRY(set_up_worker(im, &im->dropped, err));
    dpl__tokenized again = {0};
    dpl_status status = dpl__vec_reserve(im->ctx, &again.text, doc->text.n + DPL__PAD)
                            ? DPL_OK
                            : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        memcpy(again.text.data, s->tokenized.text.data + text_at, doc->text.n);
        memset(again.text.data + doc->text.n, 0, DPL__PAD);
        status = dpl__tokenize(&im->dropped, &again, 0, doc->text.n, doc->lang.data, err);
    }
    dpl__tokenized_clear(&again, im->ctx);
    return status;
}

/* Where one document's parts begin in the arrays of its batch. */
typedef struct place {
    size_t text, token, sentence;
} place;

/* Elements from..from + n of an array that has no memory as long as it is empty. */
static dpl_status append(dpl__spool *to, const void *data, size_t element, size_t from,
                         size_t n, dpl_error *err)
{
    return n ? dpl__spool_append(to, (const char *)data + from * element, n * element, err)
             : DPL_OK;
}

static dpl_status keep_doc(importer *im, const slot *s, size_t i, place at, dpl_error *err)
{
    const dpl_doc *doc = &s->batch.docs.data[i];
    const dpl__tokenized *t = &s->tokenized;
    size_t n_tokens = t->n_tokens.data[i], n_sentences = t->n_sentences.data[i];
    uint32_t lang;
    DPL_TRY(dpl__terms_number(&im->langs, doc->lang, &lang, err));
    doc_record r = {(uint32_t)doc->text.n,
                    (uint32_t)doc->id.n,
                    (uint32_t)doc->title.n,
                    (uint32_t)doc->extra.n,
                    (uint32_t)n_tokens,
                    (uint32_t)n_sentences,
                    lang};
    DPL_TRY(dpl__writer_append(im->writer, t->text.data + at.text, doc->text.n, err));
    DPL_TRY(dpl__spool_append(&im->docs, &r, sizeof r, err));
    DPL_TRY(dpl__spool_append(&im->doc_tokens, &r.tokens, sizeof r.tokens, err));
    DPL_TRY(dpl__spool_append(&im->id_bytes, doc->id.data, doc->id.n, err));
    DPL_TRY(dpl__spool_append(&im->title_bytes, doc->title.data, doc->title.n, err));
    DPL_TRY(dpl__spool_append(&im->extra_bytes, doc->extra.data, doc->extra.n, err));
    DPL_TRY(append(&im->tokens, t->tokens.data, 4, at.token, n_tokens, err));
    DPL_TRY(
        append(&im->sentence_begin, t->sentence_begin.data, 4, at.sentence, n_sentences, err));
    DPL_TRY(
        append(&im->sentence_token, t->sentence_token.data, 4, at.sentence, n_sentences, err));
    DPL_TRY(
        append(&im->sentence_flags, t->sentence_flags.data, 1, at.sentence, n_sentences, err));
    dpl_str number = {(const char *)&im->n_docs, sizeof im->n_docs};
    DPL_TRY(dpl__sorter_add(im->ids_sorted, doc->id, number, err));
    dpl__batch_record *b = &im->batches.data[im->batches.n - 1];
    b->n_tokens += n_tokens;
    b->n_entries += t->n_entries.data[i];
    b->n_docs++;
    im->n_sentences += n_sentences;
    im->n_text += doc->text.n;
    if (++im->n_docs == UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "more than %u documents", UINT32_MAX - 1);
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    importer *im = user;
    slot *s = &im->slots[index];
    const dpl__tokenized *t = &s->tokenized;
    dpl__batch_record record = {.run = s->run};
    if (s->retired.ctx) {
        DPL_TRY(dpl__vocabulary_add(&im->vocabulary, &s->retired, s->retired_run, err));
        dpl__terms_clear(&s->retired);
        s->retired = (dpl__terms){0};
    }
    dpl__read_counts_add(&im->counts, &s->batch.counts);
    if (!dpl__vec_push(im->ctx, &im->batches, record))
        return dpl__fail_nomem(err);
    place at = {0};
    for (size_t i = 0; i < s->batch.docs.n; i++) {
        bool is_new = false;
        DPL_TRY(dpl__idset_add(&im->ids, s->batch.docs.data[i].id, &is_new, err));
        DPL_TRY(is_new ? keep_doc(im, s, i, at, err) : duplicate(im, s, i, at.text, err));
        at.text += s->batch.docs.data[i].text.n;
        at.token += t->n_tokens.data[i];
        at.sentence += t->n_sentences.data[i];
    }
    s->source->n_in_flight--;
    close_finished(im);
    return DPL_OK;
}

/* ---- after the last document -------------------------------------------------------- */

enum { SOME_DOCS = 256 };

/* The next SOME_DOCS document records from `first` on, or as many as there are. */
static dpl_status read_records(const importer *im, size_t first, doc_record *out, size_t *n,
                               dpl_error *err)
{
    *n = dpl__min(SOME_DOCS, im->n_docs - first);
    return dpl__spool_read(&im->docs, first * sizeof *out, out, *n * sizeof *out, err);
}

/* Rising offsets from the sizes in one field of the document records, 0 first. */
static dpl_status write_offsets(importer *im, const char *name, size_t field, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(im->writer, name, 8, err));
    uint64_t end = 0;
    DPL_TRY(dpl__writer_append(im->writer, &end, sizeof end, err));
    doc_record records[SOME_DOCS];
    uint64_t offsets[SOME_DOCS];
    for (size_t first = 0, n; first < im->n_docs; first += n) {
        DPL_TRY(read_records(im, first, records, &n, err));
        for (size_t i = 0; i < n; i++) {
            uint32_t size;
            memcpy(&size, (const char *)&records[i] + field, sizeof size);
            offsets[i] = end += size;
        }
        DPL_TRY(dpl__writer_append(im->writer, offsets, n * sizeof *offsets, err));
    }
    return DPL_OK;
}

static dpl_status write_languages(importer *im, dpl_error *err)
{
    dpl__writer *w = im->writer;
    DPL_TRY(dpl__writer_begin(w, "lang.offsets", 8, err));
    uint64_t end = 0;
    DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
    for (size_t i = 0; i < im->langs.all.n; i++) {
        end += im->langs.all.data[i].n;
        DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
    }
    DPL_TRY(dpl__writer_begin(w, "lang.bytes", 1, err));
    for (size_t i = 0; i < im->langs.all.n; i++) {
        dpl_str lang = dpl__term_text(&im->langs.all.data[i]);
        DPL_TRY(dpl__writer_append(w, lang.data, lang.n, err));
    }
    DPL_TRY(dpl__writer_begin(w, "doc.langs", 4, err));
    doc_record records[SOME_DOCS];
    for (size_t first = 0, n; first < im->n_docs; first += n) {
        DPL_TRY(read_records(im, first, records, &n, err));
        for (size_t i = 0; i < n; i++)
            DPL_TRY(dpl__writer_append(w, &records[i].lang, sizeof records[i].lang, err));
    }
    return DPL_OK;
}

/* Documents by id. Duplicates that the set of ids had no room to see come together here. */
static dpl_status write_order(importer *im, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(im->writer, "doc.order", 4, err));
    DPL_TRY(dpl__sorter_sort(im->ids_sorted, err));
    dpl_str id, number;
    dpl__bytes last = {0};
    dpl_status status;
    for (bool is_first = true;
         (status = dpl__sorter_next(im->ids_sorted, &id, &number, err)) == DPL_OK;
         is_first = false) {
        if (!is_first && dpl__str_eq(id, (dpl_str){last.data, last.n})) {
            status = dpl__fail(err, DPL_E_FORMAT, "duplicate id '%.*s'",
                               (int)dpl__min(id.n, 200), id.data);
            dpl__code(err, status, "duplicate-id-late");
            break;
        }
        last.n = 0;
        if (!dpl__vec_append(im->ctx, &last, id.data, id.n))
            status = dpl__fail_nomem(err);
        if (status == DPL_OK)
            status = dpl__writer_append(im->writer, number.data, number.n, err);
        if (status != DPL_OK)
            break;
    }
    dpl__vec_clear(im->ctx, &last);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status write_documents(importer *im, dpl_error *err)
{
    dpl__writer *w = im->writer;
    DPL_TRY(write_offsets(im, "text.offsets", offsetof(doc_record, text), err));
    DPL_TRY(write_offsets(im, "id.offsets", offsetof(doc_record, id), err));
    DPL_TRY(dpl__spool_write(&im->id_bytes, w, "id.bytes", 1, err));
    DPL_TRY(write_offsets(im, "title.offsets", offsetof(doc_record, title), err));
    DPL_TRY(dpl__spool_write(&im->title_bytes, w, "title.bytes", 1, err));
    DPL_TRY(write_offsets(im, "extra.offsets", offsetof(doc_record, extra), err));
    DPL_TRY(dpl__spool_write(&im->extra_bytes, w, "extra.bytes", 1, err));
    DPL_TRY(write_languages(im, err));
    DPL_TRY(write_order(im, err));
    DPL_TRY(write_offsets(im, "sentence.offsets", offsetof(doc_record, sentences), err));
    DPL_TRY(dpl__spool_write(&im->sentence_begin, w, "sentence.begins", 4, err));
    DPL_TRY(dpl__spool_write(&im->sentence_token, w, "sentence.tokens", 4, err));
    DPL_TRY(dpl__spool_write(&im->sentence_flags, w, "sentence.flags", 1, err));
    return write_offsets(im, "token.offsets", offsetof(doc_record, tokens), err);
}

static dpl_status write_settings(importer *im, dpl_error *err)
{
    const dpl_tokens_options *t = &im->tokens_options;
    dpl__json_text text = {.ctx = im->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "tokens", t->ngram ? "characters" : "words");
    dpl_json_number(&j, "ngram", t->ngram);
    dpl_json_bool(&j, "stem", t->stem);
    dpl_json_bool(&j, "stop_words", t->stop);
    dpl_json_bool(&j, "stop_file", t->stop_file != NULL);
    dpl_json_number(&j, "max_token", t->max_token ? t->max_token : DPL__MAX_TOKEN);
    dpl_json_bool(&j, "with_title", im->read.with_title);
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(im->writer, "settings", &text, err);
}

static dpl_status merge_terms(importer *im, dpl_error *err)
{
    for (unsigned i = 0; i < im->ctx->n_threads; i++) {
        DPL_TRY(dpl__vocabulary_add(&im->vocabulary, &im->workers[i].terms, im->worker_runs[i],
                                    err));
        dpl__worker_clear(&im->workers[i]);
        im->workers[i] = (dpl__worker){0};
    }
    return dpl__vocabulary_subtract(&im->vocabulary, &im->dropped.terms, err);
}

static dpl_status write_rest(importer *im, dpl_error *err)
{
    DPL_TRY(write_documents(im, err));
    DPL_TRY(merge_terms(im, err));
    DPL_TRY(dpl__vocabulary_write(&im->vocabulary, im->writer, err));
    dpl__first_pass in = {.vocabulary = &im->vocabulary,
                          .tokens = &im->tokens,
                          .doc_tokens = &im->doc_tokens,
                          .batches = im->batches.data,
                          .n_batches = im->batches.n};
    DPL_TRY(dpl__rows_write(im->ctx, im->writer, &in, err));
    return write_settings(im, err);
}

/* With `out`, what was written becomes a collection at once. */
static dpl_status finish(importer *im, dpl_collection **out, uint64_t *n_output, dpl_error *err)
{
    DPL_TRY(write_rest(im, err));
    if (!out)
        return dpl__writer_finish(im->writer, n_output, err);
    dpl_file *file = NULL;
    DPL_TRY(dpl__writer_open(im->writer, &file, err));
    *n_output = dpl_file_n_bytes(file);
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
static dpl_status check_output(const importer *im, const char *out_path, dpl_error *err)
{
    if (!out_path)
        return DPL_OK;
    for (size_t i = 0; i < im->n_inputs; i++)
        DPL_TRY(dpl__check_overwrite(out_path, &im->inputs[i].path, 1, err));
    return dpl__check_overwrite(out_path, &im->tokens_options.stop_file, 1, err);
}

static size_t chunk_size(const importer *im)
{
    /* A chunk, its documents, their text and tokens: about eight times its size in flight. */
    size_t n = share(im, 40) / (8 * im->n_slots);
    return n > 1 << 20 ? 1 << 20 : n < 1 << 14 ? 1 << 14 : n;
}

static dpl_status set_up_workers(importer *im, dpl_error *err)
{
    unsigned n = im->ctx->n_threads;
    im->slots = dpl__calloc(im->ctx, im->n_slots, sizeof *im->slots);
    im->workers = dpl__calloc(im->ctx, n, sizeof *im->workers);
    im->worker_runs = dpl__calloc(im->ctx, n, sizeof *im->worker_runs);
    if (!im->slots || !im->workers || !im->worker_runs)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < im->n_slots; i++)
        dpl__batch_init(&im->slots[i].batch, im->ctx, &im->read);
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
static dpl_status limit_records(importer *im, dpl_error *err)
{
    uint64_t most = im->ctx->memory / 8, *limit = &im->read.max_record;
    if (*limit > most) {
        dpl__fail(err, DPL_E_LIMIT, "records of %llu bytes need %llu MiB of memory",
                  (unsigned long long)*limit, (unsigned long long)(*limit >> 17));
        return dpl__code(err, DPL_E_LIMIT, "memory-records");
    }
    if (!*limit && most < DPL__MAX_RECORD)
        *limit = most;
    return DPL_OK;
}

static dpl_status set_up(importer *im, const char *out_path, dpl_error *err)
{
    char dir[4096];
    if (im->ctx->memory < LEAST_MEMORY)
        return dpl__fail(err, DPL_E_LIMIT, "import needs at least %u MiB of memory",
                         (unsigned)(LEAST_MEMORY >> 20));
    DPL_TRY(limit_records(im, err));
    DPL_TRY(check_output(im, out_path, err));
    if (!dpl__spill_dir(dir, sizeof dir, out_path))
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", out_path);
    im->n_slots = 2 * (size_t)im->ctx->n_threads + 1;
    if (!im->read.chunk)
        im->read.chunk = chunk_size(im);
    im->n_bytes_total = sum_of_sizes(im->inputs, im->n_inputs);
    DPL_TRY(dpl__spill_init(&im->spill, im->ctx, im->spill_dir ? im->spill_dir : dir, err));
    DPL_TRY(set_up_workers(im, err));
    dpl__terms_init(&im->langs, im->ctx);
    dpl__idset_init(&im->ids, im->ctx, share(im, 24));
    dpl__spool_init(&im->tokens, &im->spill, share(im, 40));
    dpl__spool *const small[] = {&im->docs,           &im->doc_tokens,    &im->id_bytes,
                                 &im->title_bytes,    &im->extra_bytes,   &im->sentence_begin,
                                 &im->sentence_token, &im->sentence_flags};
    for (size_t i = 0; i < DPL_LEN(small); i++)
        dpl__spool_init(small[i], &im->spill, share(im, 3));
    DPL_TRY(dpl__sorter_new(&im->ids_sorted, &im->spill, share(im, 8), err));
    DPL_TRY(dpl__vocabulary_init(&im->vocabulary, &im->spill, share(im, 24), err));
    DPL_TRY(dpl__writer_new(&im->writer, im->ctx, out_path, "collection", err));
    return dpl__writer_begin(im->writer, "text.bytes", 1, err);
}

static void tear_down(importer *im)
{
    for (size_t i = 0; i < im->sources.n; i++)
        close_source(im, im->sources.data[i]);
    dpl__vec_clear(im->ctx, &im->sources);
    for (size_t i = 0; im->slots && i < im->n_slots; i++) {
        slot *s = &im->slots[i];
        dpl__chunk_clear(&s->chunk, im->ctx);
        if (s->batch.ctx)
            dpl__batch_clear(&s->batch);
        dpl__tokenized_clear(&s->tokenized, im->ctx);
        dpl__terms_clear(&s->retired);
    }
    for (unsigned i = 0; im->workers && i < im->ctx->n_threads; i++)
        dpl__worker_clear(&im->workers[i]);
    dpl__worker_clear(&im->dropped);
    dpl__terms_clear(&im->stop_words);
    dpl__free(im->ctx, im->slots, im->n_slots * sizeof *im->slots);
    dpl__free(im->ctx, im->workers, im->ctx->n_threads * sizeof *im->workers);
    dpl__free(im->ctx, im->worker_runs, im->ctx->n_threads * sizeof *im->worker_runs);
    dpl__writer_free(im->writer);
    dpl__vocabulary_clear(&im->vocabulary);
    dpl__sorter_free(im->ids_sorted);
    dpl__spool *const spools[] = {
        &im->tokens,         &im->docs,           &im->doc_tokens,
        &im->id_bytes,       &im->title_bytes,    &im->extra_bytes,
        &im->sentence_begin, &im->sentence_token, &im->sentence_flags};
    for (size_t i = 0; i < DPL_LEN(spools); i++)
        dpl__spool_clear(spools[i]);
    dpl__idset_clear(&im->ids);
    dpl__terms_clear(&im->langs);
    dpl__vec_clear(im->ctx, &im->batches);
    dpl__spill_clear(&im->spill);
}

static dpl_status set_options(importer *im, const dpl_import_options *options, dpl_error *err)
{
    dpl_import_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__TAKE(&im->tokens_options, o.tokens, err));
    DPL_TRY(DPL__TAKE(&im->read, o.read, err));
    im->spill_dir = o.spill_dir;
    return DPL_OK;
}

static dpl_status check_summary(dpl_import_summary *s, const dpl_import_summary *summary,
                                dpl_error *err)
{
    DPL_TRY(DPL__TAKE(s, summary, err));
    DPL_TRY(DPL__CHECK_OUT(s->read, err));
    return DPL__CHECK_OUT(s->sizes, err);
}

static void summarize(dpl_import_summary *s, const importer *im)
{
    dpl_collection_sizes sizes = DPL_INIT(
        dpl_collection_sizes, .n_docs = im->n_docs, .n_terms = im->vocabulary.n_terms,
        .n_repeated = im->vocabulary.n_repeated, .n_tokens = dpl__spool_size(&im->tokens) / 4,
        .n_sentences = im->n_sentences, .n_text_bytes = im->n_text);
    for (size_t i = 0; i < im->batches.n; i++)
        sizes.n_entries += im->batches.data[i].n_entries;
    DPL__GIVE(s->sizes, &sizes);
    DPL__GIVE(s->read, &im->counts);
    s->n_spilled_bytes = atomic_load(&im->spill.n_bytes);
}

static dpl_status run(importer *im, dpl_collection **out, dpl_import_summary *s,
                      const char *out_path, dpl_error *err)
{
    dpl_status status = set_up(im, out_path, err);
    dpl__pipeline p = {im, im->n_slots, produce, map, commit};
    if (status == DPL_OK)
        status = dpl__pipeline_run(im->ctx, &p, err);
    if (status == DPL_OK)
        status = finish(im, out, &s->n_output_bytes, err);
    if (status == DPL_OK)
        summarize(s, im);
    tear_down(im);
    return status;
}

/* To out_path, or to *out. */
static dpl_status import_inputs(importer *im, dpl_collection **out, dpl_import_summary *summary,
                                const char *out_path, const dpl_import_options *options,
                                dpl_error *err)
{
    double began = dpl__now();
    dpl_import_summary s;
    DPL_TRY(check_summary(&s, summary, err));
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
    importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs};
    return import_inputs(&im, NULL, summary, out_path, options, err);
}

dpl_status dpl_collection_from_inputs(dpl_collection **out, dpl_import_summary *summary,
                                      dpl_ctx *ctx, const dpl_input *inputs, size_t n_inputs,
                                      const dpl_import_options *options, dpl_error *err)
{
    importer im = {.ctx = ctx, .inputs = inputs, .n_inputs = n_inputs};
    *out = NULL;
    return import_inputs(&im, out, summary, NULL, options, err);
}

dpl_status dpl_import(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                      const char *const *paths, size_t n_paths,
                      const dpl_import_options *options, dpl_error *err)
{
    dpl_input *inputs = dpl__calloc(ctx, n_paths + 1, sizeof *inputs);
    if (!inputs)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n_paths; i++)
        inputs[i].path = paths[i];
    dpl_status status =
        dpl_import_inputs(summary, ctx, out_path, inputs, n_paths, options, err);
    dpl__free(ctx, inputs, (n_paths + 1) * sizeof *inputs);
    return status;
}
