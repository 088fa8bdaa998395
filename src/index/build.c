/*
 * build.c - an index from its inputs to its file.
 *
 * Everything is written to an unnamed file first, which is opened and asked: what codes find is
 * measured, and goes into the file that is left, with the sections that were asked for. That
 * one appears under its name when it is complete.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "base/sized.h"
#include "io/shared_run.h"
#include "io/target.h"
#include "signatures/hash_file.h"
#include "unicode/unicode.h"

enum { CHECKSUM = 16, SAMPLE = 200 };

/* ---- options ------------------------------------------------------------------------ */

static dpl_status take_options(dpl__builder *b, const dpl_index_options *options,
                               dpl_error *err)
{
    DPL_TRY(DPL__TAKE(&b->o, options, err));
    DPL_TRY(DPL__TAKE(&b->hash_options, b->o.hash, err));
    dpl_index_options *o = &b->o;
    if (o->checksum > 32)
        return dpl__fail(err, DPL_E_USAGE, "a checksum has 1 to 32 bits, not %u", o->checksum);
    if (o->sample > 100000)
        return dpl__fail(err, DPL_E_USAGE, "a sample has at most 100000 documents, not %u",
                         o->sample);
    if (o->no_vectors && o->n_lexicons)
        return dpl__fail(err, DPL_E_USAGE, "an index with a lexicon has vectors");
    o->checksum = o->checksum ? o->checksum : CHECKSUM;
    o->sample = o->sample ? o->sample : SAMPLE;
    b->is_plain = o->plain_texts;
    o->texts = o->texts || o->plain_texts;
    b->has_auto_k = b->hash_options.function == DPL_HASH_RP && b->hash_options.length == 0;
    b->flags = (o->texts ? DPL__F_TEXTS : 0u) | (o->plain_texts ? DPL__F_PLAIN : 0u) |
               DPL__F_VECTORS | DPL__F_POSTINGS;
    b->pivot = UINT32_MAX;
    b->seed = b->ctx->seed;
    return DPL_OK;
}

/* The options that an index was built with. */
static void options_of(dpl_index_options *out, dpl_hash_options *hash, const dpl_index *x)
{
    *hash = x->hash.options;
    hash->size = sizeof *hash;
    if (x->has_auto_k)
        hash->length = 0;
    *out = (dpl_index_options)DPL_INIT(
        dpl_index_options, .hash = hash, .checksum = x->checksum,
        .texts = x->flags & DPL__F_TEXTS && !(x->flags & DPL__F_PLAIN),
        .plain_texts = x->flags & DPL__F_PLAIN, .no_postings = !(x->flags & DPL__F_POSTINGS),
        .sample = x->sample);
}

/* ---- the file ----------------------------------------------------------------------- */

static void fill_numbers(const dpl__builder *b, uint64_t n[DPL__N_NUMBERS], unsigned flags)
{
    memset(n, 0, DPL__N_NUMBERS * sizeof *n);
    n[DPL__N_VERSION] = DPL__POCKET_VERSION;
    n[DPL__N_DOCS] = b->n_docs;
    n[DPL__N_TERMS] = b->n_terms;
    n[DPL__N_LANGS] = b->n_langs;
    n[DPL__N_TRANSLATED] = b->lexicons.n;
    n[DPL__N_FLAGS] = flags;
    n[DPL__N_CHECKSUM] = b->o.checksum;
    n[DPL__N_ENTRIES] = b->n_codes;
    n[DPL__N_MAX_TOKEN] = b->max_token;
    n[DPL__N_PIVOT] = b->pivot == UINT32_MAX ? UINT64_MAX : b->pivot;
    memcpy(&n[DPL__N_AVERAGE], &b->average, 8);
    memcpy(&n[DPL__N_UNKNOWN], &b->unknown_idf, 8);
    n[DPL__N_WORDS] = b->n_words;
    n[DPL__N_EMPTY] = b->n_empty;
    n[DPL__N_AUTO] = b->has_auto_k;
    n[DPL__N_SAMPLE] = b->o.sample;
}

static dpl_status write_settings(dpl__builder *b, dpl__writer *w, unsigned flags,
                                 dpl_error *err)
{
    dpl__json_text text = {.ctx = b->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "seed", b->hash->seed);
    dpl_json_number(&j, "checksum", b->o.checksum);
    dpl_json_bool(&j, "stem", flags & DPL__F_STEM);
    dpl_json_bool(&j, "stop", flags & DPL__F_STOP);
    dpl_json_bool(&j, "texts", flags & DPL__F_TEXTS);
    dpl_json_bool(&j, "vectors", flags & DPL__F_VECTORS);
    dpl_json_bool(&j, "postings", flags & DPL__F_POSTINGS);
    dpl_options_json(&j, "hash", dpl__hash_option_table(), &b->hash->options, true);
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(w, "settings", &text, err);
}

/* All sections; those of one language code, numbers and receipt as far as they are known. */
static dpl_status write_all(dpl__builder *b, dpl_error *err)
{
    uint64_t numbers[DPL__N_NUMBERS];
    const uint32_t receipt[2 + 4 * DPL_INDEX_BINS] = {0};
    DPL_TRY(dpl__build_number_docs(b, err));
    DPL_TRY(dpl__build_vocabulary(b, err));
    DPL_TRY(dpl__build_names(b, err));
    DPL_TRY(dpl__build_rows(b, err));
    DPL_TRY(dpl__build_hash(b, err));
    DPL_TRY(dpl__build_vectors(b, err));
    DPL_TRY(dpl__build_postings(b, err));
    DPL_TRY(dpl__build_codes(b, err));
    DPL_TRY(dpl__hash_write(b->writer, b->hash, "code.function", err));
    DPL_TRY(dpl__build_write_terms(b, err));
    DPL_TRY(dpl__build_write_lexicons(b, err));
    if (b->o.texts)
        DPL_TRY(dpl__build_texts(b, err));
    fill_numbers(b, numbers, b->flags);
    DPL_TRY(dpl__writer_add(b->writer, "numbers", 8, numbers, sizeof numbers, err));
    DPL_TRY(dpl__writer_add(b->writer, "receipt", 4, receipt, sizeof receipt, err));
    return write_settings(b, b->writer, b->flags, err);
}

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Terms of one document are as good as unknown: without rows, nothing needs their number. */
static dpl_status write_few_terms(dpl__builder *b, dpl__writer *w, dpl_error *err)
{
    uint32_t n = b->n_terms;
    while (n > 0 && b->terms.data[b->order[n - 1]].n_docs < 2)
        n--;
    b->n_terms = n;
    DPL_TRY(dpl__build_term_table(w, b->ctx, b->keys, n, err));
    return dpl__writer_add_large(w, "term.idf", 4, b->idf, n * sizeof *b->idf, err);
}

static dpl_status copy_sections(dpl__builder *b, dpl__writer *w, const dpl_index *x,
                                dpl_error *err)
{
    for (size_t i = 0; i < dpl_file_get_info(x->file).n_sections; i++) {
        const dpl_section s = dpl_file_section(x->file, i);
        const bool is_left_out =
            begins(s.name, "numbers") || begins(s.name, "receipt") ||
            begins(s.name, "settings") || (b->o.no_postings && begins(s.name, "post.")) ||
            (b->o.no_vectors &&
             (begins(s.name, "post.") || begins(s.name, "row.") || begins(s.name, "term.")));
        if (!is_left_out)
            DPL_TRY(dpl__writer_add_large(w, s.name, s.element, s.data, s.n_bytes, err));
    }
    return b->o.no_vectors ? write_few_terms(b, w, err) : DPL_OK;
}

static dpl_status write_rest(dpl__builder *b, dpl__writer *w, const dpl_index_receipt *r,
                             dpl_error *err)
{
    uint64_t numbers[DPL__N_NUMBERS];
    uint32_t receipt[2 + 4 * DPL_INDEX_BINS] = {r->n_sampled, r->candidates};
    memcpy(receipt + 2, r->nearest, sizeof r->nearest);
    memcpy(receipt + 2 + DPL_INDEX_BINS, r->pairs, sizeof r->pairs);
    memcpy(receipt + 2 + 2 * DPL_INDEX_BINS, r->found, sizeof r->found);
    memcpy(receipt + 2 + 3 * DPL_INDEX_BINS, r->found_auto, sizeof r->found_auto);
    const unsigned gone = (b->o.no_vectors ? DPL__F_VECTORS | DPL__F_POSTINGS : 0u) |
                          (b->o.no_postings ? DPL__F_POSTINGS : 0u);
    fill_numbers(b, numbers, b->flags & ~gone);
    DPL_TRY(dpl__writer_add(w, "numbers", 8, numbers, sizeof numbers, err));
    DPL_TRY(dpl__writer_add(w, "receipt", 4, receipt, sizeof receipt, err));
    return write_settings(b, w, b->flags & ~gone, err);
}

static dpl_status fill_copy(dpl__builder *b, dpl__writer *w, dpl_index *x, uint64_t *n_bytes,
                            dpl_error *err)
{
    dpl_index_receipt receipt;
    DPL_TRY(dpl__build_receipt(&receipt, x, b->o.sample, err));
    DPL_TRY(copy_sections(b, w, x, err));
    DPL_TRY(write_rest(b, w, &receipt, err));
    /* The sources may be the file that is replaced: they are not needed any more. */
    return dpl__writer_finish(w, n_bytes, err);
}

/* The index with its receipt, to where it shall be. */
static dpl_status copy_index(dpl__builder *b, dpl_index *x, const char *path, uint64_t *n_bytes,
                             dpl_error *err)
{
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, b->ctx, path, DPL__POCKET_KIND, err));
    dpl_status status = fill_copy(b, w, x, n_bytes, err);
    dpl__writer_free(w);
    return status;
}

static dpl_status write_file(dpl__builder *b, const char *path, uint64_t *n_bytes,
                             dpl_error *err)
{
    dpl_file *file = NULL;
    dpl_index *x = NULL;
    DPL_TRY(dpl__writer_new(&b->writer, b->ctx, NULL, DPL__POCKET_KIND, err));
    DPL_TRY(write_all(b, err));
    DPL_TRY(dpl__writer_open(b->writer, &file, err));
    DPL_TRY(dpl__index_from_file(&x, b->ctx, file, false, err));
    dpl_status status = copy_index(b, x, path, n_bytes, err);
    dpl_index_close(x);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static void builder_clear(dpl__builder *b)
{
    dpl_ctx *ctx = b->ctx;
    dpl__scratch_clear(&b->codes);
    dpl__free(ctx, b->norms);
    dpl_hash_free(b->hash);
    for (size_t i = 0; i < b->lexicons.n; i++) {
        dpl__free(ctx, b->lexicons.data[i].offsets);
        dpl__vec_clear(ctx, &b->lexicons.data[i].cells);
    }
    dpl__vec_clear(ctx, &b->lexicons);
    dpl__free(ctx, b->lang_lexicon, b->n_posts, b->idf, b->marks, b->keys, b->order);
    dpl__build_numbers_clear(&b->numbers_of, ctx);
    dpl__vec_clear(ctx, &b->terms);
    dpl__free(ctx, b->numbers, b->doc_langs, b->doc_words);
    dpl__writer_free(b->writer);
    dpl__build_close_inputs(b);
    dpl__arena_clear(&b->arena);
    dpl__spill_clear(&b->spill);
}

static void fill_summary(const dpl__builder *b, dpl_index_summary *s, uint64_t n_bytes,
                         double began)
{
    dpl_index_summary full = DPL_INIT(dpl_index_summary);
    full.n_docs = b->n_docs;
    full.n_deleted = b->n_deleted;
    full.n_empty = b->n_empty;
    full.n_codes = b->n_codes;
    full.n_slots = b->n_slots;
    full.n_bytes = n_bytes;
    full.n_spilled_bytes = b->spill.n_bytes;
    full.seconds = dpl__now() - began;
    DPL__GIVE(s, &full);
}

/* What is to be done with the documents of an index that is written again. */
typedef struct change {
    bool replaces; /* documents of later inputs replace those of the first with the same id */
    const dpl_str *deleted;
    size_t n_deleted;
} change;

static dpl_status leave_out(dpl__builder *b, dpl__pocket_source *s, uint32_t row,
                            dpl_error *err)
{
    if (!s->skip)
        s->skip = dpl__calloc(b->ctx, (size_t)s->n_docs + 1, 1);
    DPL_TRY(dpl__need(s->skip, err));
    b->n_deleted += !s->skip[row];
    s->skip[row] = 1;
    return DPL_OK;
}

static dpl_status apply(dpl__builder *b, const change *c, dpl_error *err)
{
    dpl__pocket_source *first = b->sources.data;
    for (size_t i = 0; i < c->n_deleted; i++) {
        uint32_t row;
        char buffer[DPL__NFC_ROOM];
        if (!dpl_index_find(first->index, dpl__nfc_id(buffer, c->deleted[i]), &row))
            return dpl__fail_code(err, DPL_E_USAGE, "no-document",
                                  "'%s' has no document '%.*s'",
                                  dpl_file_get_info(first->index->file).path,
                                  (int)dpl__min(c->deleted[i].n, 200), c->deleted[i].data);
        DPL_TRY(leave_out(b, first, row, err));
    }
    for (size_t i = 1; c->replaces && i < b->sources.n; i++)
        for (uint32_t doc = 0; doc < b->sources.data[i].n_docs; doc++) {
            uint32_t row;
            if (dpl_index_find(first->index, dpl__build_doc(&b->sources.data[i], doc).id, &row))
                DPL_TRY(leave_out(b, first, row, err));
        }
    return DPL_OK;
}

/* What is written from what. */
typedef struct task {
    const char *out;
    const dpl_input *inputs;
    size_t n_inputs;
    const dpl_index_options *options;
    const change *change; /* NULL: inputs are no index that is written again */
} task;

static dpl_status build(dpl__builder *b, const task *t, uint64_t *n_bytes, dpl_error *err)
{
    const change *c = t->change;
    DPL_TRY(dpl__spill_init(&b->spill, b->ctx, b->o.temp ? b->o.temp : "/tmp", err));
    DPL_TRY(dpl__build_open_inputs(b, t->inputs, t->n_inputs, err));
    /* Documents that replace those of an index have the ids of these. */
    DPL_TRY(dpl__build_tell_ids(b, c && c->replaces, err));
    if (c) {
        assert(b->sources.n && b->sources.data[0].index);
        b->lexicon_index = b->sources.data[0].index;
        b->seed = b->lexicon_index->hash.seed;
        DPL_TRY(apply(b, c, err));
    }
    return write_file(b, t->out, n_bytes, err);
}

static dpl_status run(dpl_index_summary *summary, dpl_ctx *ctx, const task *t, dpl_error *err)
{
    const double began = dpl__now();
    uint64_t n_bytes = 0;
    dpl__name_lock lock = {0};
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    dpl__builder *b = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    b->ctx = ctx;
    dpl__arena_init(&b->arena, ctx);
    dpl_status status;
    DPL__STEP(take_options(b, t->options, err));
    /* What is read may be what is replaced: a change that another process makes meanwhile would
     * be lost. */
    if (t->change && (status = dpl__name_lock_take(&lock, t->out, err)) != DPL_OK)
        goto done;
    if ((status = build(b, t, &n_bytes, err)) != DPL_OK)
        goto done;
    fill_summary(b, summary, n_bytes, began);
done:
    dpl__name_lock_release(&lock);
    builder_clear(b);
    dpl__free(ctx, b);
    return status;
}

/* Processes share the import of documents, and one of them does the rest. */
typedef struct shared_task {
    dpl_index_summary *summary;
    dpl_ctx *ctx;
    const task *task;
} shared_task;

static dpl_status run_shared(void *user, dpl_error *err)
{
    const shared_task *x = user;
    return run(x->summary, x->ctx, x->task, err);
}

dpl_status dpl_index_build(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                           const dpl_input *inputs, size_t n_inputs,
                           const dpl_index_options *options, dpl_error *err)
{
    const task t = {path, inputs, n_inputs, options, NULL};
    shared_task x = {summary, ctx, &t};
    return dpl__shared_finish(ctx, &x, run_shared, err);
}

/* ---- an index written again ---------------------------------------------------------- */

/* The task's inputs behind the index at `path`, with its settings. */
static dpl_status again(dpl_index_summary *summary, dpl_ctx *ctx, const char *path, task t,
                        dpl_error *err)
{
    const size_t n = t.n_inputs;
    dpl_index *x = NULL;
    dpl_index_options o;
    dpl_hash_options hash;
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    DPL_TRY(dpl__index_open_whole(&x, ctx, path, err));
    if (!(x->flags & DPL__F_VECTORS)) {
        dpl_index_close(x);
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-vectors",
                              "'%s' was built without vectors", path);
    }
    options_of(&o, &hash, x);
    tokens.stem = x->flags & DPL__F_STEM;
    tokens.stop_words = x->flags & DPL__F_STOP;
    tokens.max_token = x->max_token;
    o.tokens = &tokens;
    dpl_index_close(x);
    dpl_input *all = dpl__calloc(ctx, n + 1, sizeof *all);
    DPL_TRY(dpl__need(all, err));
    all[0].path = path;
    for (size_t i = 0; i < n; i++)
        all[i + 1] = t.inputs[i];
    t.inputs = all;
    t.n_inputs = n + 1;
    t.options = &o;
    dpl_status status = run(summary, ctx, &t, err);
    dpl__free(ctx, all);
    return status;
}

dpl_status dpl_index_add(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                         const dpl_input *inputs, size_t n_inputs, dpl_error *err)
{
    const change c = {.replaces = true};
    return again(summary, ctx, path, (task){path, inputs, n_inputs, NULL, &c}, err);
}

dpl_status dpl_index_merge(dpl_index_summary *summary, dpl_ctx *ctx, const char *out,
                           const char *const *paths, size_t n_paths, dpl_error *err)
{
    const change c = {0};
    if (n_paths == 0)
        return dpl__fail(err, DPL_E_USAGE, "no index to merge");
    dpl_input *inputs = dpl__calloc(ctx, n_paths, sizeof *inputs);
    DPL_TRY(dpl__need(inputs, err));
    for (size_t i = 1; i < n_paths; i++)
        inputs[i - 1].path = paths[i];
    dpl_status status =
        again(summary, ctx, paths[0], (task){out, inputs, n_paths - 1, NULL, &c}, err);
    dpl__free(ctx, inputs);
    return status;
}

dpl_status dpl_index_delete(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                            const dpl_str *ids, size_t n_ids, dpl_error *err)
{
    const change c = {.deleted = ids, .n_deleted = n_ids};
    return again(summary, ctx, path, (task){path, NULL, 0, NULL, &c}, err);
}
