/*
 * comparable.c - the two collections of a run, and what is known about them beforehand.
 *
 * An input is read once. Its languages are counted while it becomes a collection, so that
 * many.c can still divide it.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "io/shared_run.h"
#include "mine/copies.h"
#include "mine/doc_key.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/importer.h"
#include "vectors/project.h"

#include <stdio.h>
#include <unistd.h>

/* ---- import ------------------------------------------------------------------------- */

static const char *side_name(int side)
{
    return side ? "right" : "left";
}

static void name_side(char out[4100], const dpl__pair_run *r, int side)
{
    snprintf(out, 4100, "%s/%s.dpl", r->corpus.work, side_name(side));
}

/* declared: NULL when the collection was there before, and does not say it. */
static dpl_status note_languages(dpl__pair_run *r, int side, const dpl__declared_list *declared,
                                 dpl_error *err)
{
    dpl__input_langs *in = &r->read.langs[side];
    DPL_TRY(dpl__count_collection(in, r->ctx, r->corpus.c[side], err));
    r->read.has_declared[side] = declared != NULL;
    for (size_t i = 0; declared && i < in->langs.n; i++)
        for (size_t k = 0; k < declared->n; k++)
            if (strcmp(in->langs.data[i].code, declared->data[k].code) == 0)
                in->langs.data[i].n_declared = declared->data[k].n_docs;
    in->is_single = dpl__is_single(in, false);
    return DPL_OK;
}

static dpl_status import_documents(dpl__pair_run *r, int side, const char *path,
                                   dpl__declared_list *declared, dpl_error *err)
{
    dpl_reader_options read = r->settings.read;
    read.lang = r->settings.options.langs[side];
    read.only_lang = NULL;
    dpl_tokens_options tokens =
        DPL_INIT(dpl_tokens_options, .stem = !r->settings.options.no_stem);
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens,
                                    .temp = r->corpus.work, .needs_docs = true);
    struct dpl_skip_list skipped = {.ctx = r->ctx};
    dpl_import_summary s = DPL_INIT(dpl_import_summary, .skipped = &skipped);
    dpl__importer im = {
        .ctx = r->ctx, .inputs = r->task.inputs[side], .n_inputs = 1, .declared = declared};
    dpl_status status = dpl__import_run(&im, NULL, &s, path, &o, err);
    if (status == DPL_OK)
        status = dpl__skipped_save(&skipped, r->corpus.work, side_name(side), err);
    dpl__skips_clear(&skipped);
    return status;
}

/* A side is a collection, or becomes one. */
typedef struct side_file {
    char path[4100];
    bool is_new; /* and languages are declared: */
    dpl__declared_list declared;
} side_file;

/* A side that processes share: one of them reads it. */
typedef struct shared_side {
    dpl__pair_run *r;
    int side;
    side_file *f;
    dpl__shared_files file; /* the collection, in the folder of the run */
    bool is_here;
} shared_side;

static dpl_status make_side(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    shared_side *x = user;
    dpl_ctx *ctx = x->r->ctx;
    char shared[4200], skipped[4200];
    DPL_TRY(import_documents(x->r, x->side, x->f->path, &x->f->declared, err));
    dpl__shared_path(shared, ctx, &x->file, chunk);
    DPL_TRY(dpl__shared_link(ctx, x->f->path, shared, err));
    x->is_here = true;
    const uint64_t n = x->f->declared.n;
    DPL_TRY(dpl__need(dpl__vec_append(ctx, out, (const char *)&n, sizeof n) &&
                          dpl__vec_append(ctx, out, (const char *)x->f->declared.data,
                                          n * sizeof *x->f->declared.data),
                      err));
    dpl__skipped_path(skipped, x->r->corpus.work, side_name(x->side));
    return dpl__shared_put_file(out, ctx, skipped, err);
}

static dpl_status take_side(void *user, size_t chunk, const char *data, size_t n,
                            dpl_error *err)
{
    shared_side *x = user;
    dpl_ctx *ctx = x->r->ctx;
    char shared[4200], skipped[4200];
    uint64_t n_declared = 0;
    if (x->is_here)
        return DPL_OK;
    if (n >= sizeof n_declared)
        memcpy(&n_declared, data, sizeof n_declared);
    data += sizeof n_declared;
    if (n < sizeof n_declared ||
        n_declared > (n - sizeof n_declared) / sizeof *x->f->declared.data)
        return dpl__fail(err, DPL_E_FORMAT, "languages of another size");
    n -= sizeof n_declared + n_declared * sizeof *x->f->declared.data;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &x->f->declared, n_declared + 1), err));
    if (n_declared)
        memcpy(x->f->declared.data, data, n_declared * sizeof *x->f->declared.data);
    x->f->declared.n = n_declared;
    data += n_declared * sizeof *x->f->declared.data;
    dpl__skipped_path(skipped, x->r->corpus.work, side_name(x->side));
    DPL_TRY(dpl__shared_get_file(&data, &n, ctx, skipped, err));
    dpl__shared_path(shared, ctx, &x->file, chunk);
    return dpl__shared_link(ctx, shared, x->f->path, err);
}

static dpl_status import_once(dpl__pair_run *r, int side, side_file *f, dpl_error *err)
{
    if (!dpl__is_shared(r->ctx))
        return import_documents(r, side, f->path, &f->declared, err);
    shared_side x = {.r = r, .side = side, .f = f, .file = {.name = "collection", .n = 1}};
    x.file.key = dpl__shared_key(r->ctx, f->path);
    const dpl__shared_work work = {.name = "import",
                                   .key = x.file.key,
                                   .n = 1,
                                   .user = &x,
                                   .make = make_side,
                                   .take = take_side};
    return dpl__shared_work_run(r->ctx, &work, err);
}

static dpl_status read_side(side_file *f, dpl__pair_run *r, int side, dpl_error *err)
{
    const dpl_input *in = r->task.inputs[side];
    r->read.langs[side].path = dpl_input_name(in);
    DPL_TRY(dpl__is_collection(&r->read.langs[side].is_collection, r->ctx, in->path, err));
    if (in->collection)
        return DPL_OK;
    name_side(f->path, r, side);
    if (r->read.langs[side].is_collection)
        snprintf(f->path, sizeof f->path, "%s", in->path);
    f->is_new = access(f->path, R_OK) != 0;
    return f->is_new ? import_once(r, side, f, err) : DPL_OK;
}

static dpl_status open_side(const side_file *f, dpl__pair_run *r, int side, dpl_error *err)
{
    const dpl_input *in = r->task.inputs[side];
    if (in->collection) {
        r->read.langs[side].is_collection = true;
        r->corpus.c[side] = in->collection;
    } else {
        if (!r->read.langs[side].is_collection)
            DPL_TRY(dpl__skipped_load(&r->read.skipped, r->corpus.work, side_name(side), err));
        DPL_TRY(f->is_new && dpl__is_shared(r->ctx)
                    ? dpl__collection_open_shared(&r->read.owned[side], r->ctx, f->path,
                                                  (size_t)side, err)
                    : dpl_collection_open(&r->read.owned[side], r->ctx, f->path, err));
        r->corpus.c[side] = r->read.owned[side];
    }
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(r->corpus.c[side]);
    if (sizes->n_docs == 0)
        return dpl__fail_code(err, DPL_E_USAGE, "no-documents", "'%s' has no documents",
                              dpl_input_name(in));
    r->sides[side] = (dpl_mine_language){.n_docs = sizes->n_docs,
                                         .n_sentences = sizes->n_sentences,
                                         .n_tokens = sizes->n_tokens};
    return note_languages(r, side, f->is_new ? &f->declared : NULL, err);
}

dpl_status dpl__pair_run_import(dpl__pair_run *r, dpl_error *err)
{
    double began = dpl__now();
    const int first = (int)(dpl__shared_number(r->ctx) % 2); /* two processes, one side each */
    side_file files[2] = {0};
    dpl_status status;
    dpl__stage_time(&r->stage, "import");
    for (int i = 0; i < 2; i++)
        DPL__STEP(read_side(&files[first ^ i], r, first ^ i, err));
    for (int side = 0; side < 2; side++)
        DPL__STEP(open_side(&files[side], r, side, err));
    dpl__choose_languages(r->read.langs, 2);
    r->summary.import_seconds = dpl__now() - began;
done:
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(r->ctx, &files[side].declared);
    return status;
}

/* The documents as read stay open: their numbers are those of the caller. */
dpl_status dpl__pair_run_replace(dpl__pair_run *r, int side, dpl_collection *rest,
                                 dpl_error *err)
{
    dpl__doc_numbers *numbers = &r->read.numbers[side], before = *numbers;
    const dpl_collection *read = before.read ? before.read : r->corpus.c[side];
    dpl_status status = dpl__doc_numbers_init(numbers, r->ctx, read, rest, err);
    numbers->owned = before.read ? before.owned : r->read.owned[side];
    if (before.read)
        dpl_collection_close(r->read.owned[side]); /* neither read nor mined */
    before.owned = NULL;
    dpl__doc_numbers_clear(&before, r->ctx);
    r->corpus.c[side] = r->read.owned[side] = rest;
    r->read.is_clean[side] = true;
    return status;
}

void dpl__pair_run_discard(dpl__pair_run *r)
{
    for (int side = 0; side < 2; side++) {
        char path[4100];
        name_side(path, r, side);
        unlink(path);
        dpl__skipped_remove(r->corpus.work, side_name(side));
    }
}

/* ---- duplicates, languages ------------------------------------------------------------ */

typedef struct stream {
    uint64_t key, id; /* hashes of words and of the id */
    uint32_t doc;
} stream;

DPL__ORDER(by_key, stream, DPL__RISING(key) DPL__RISING(id) DPL__RISING(doc))

typedef struct keying {
    const dpl_collection *c;
    uint32_t n_docs;
    uint64_t *keys;
    stream *all;
} keying;

enum { PART = 512 }; /* documents that a thread takes at a time */

static void key_part(void *user, size_t part)
{
    const keying *k = user;
    const uint32_t end = (uint32_t)dpl__min((part + 1) * PART, k->n_docs);
    for (uint32_t doc = (uint32_t)(part * PART); doc < end; doc++) {
        const dpl_str id = dpl_collection_doc(k->c, doc).id;
        k->keys[doc] = dpl__doc_key(k->c, doc);
        k->all[doc] = (stream){k->keys[doc], dpl__hash(id.data, id.n, 0), doc};
    }
}

/* Of documents with the same words one takes part: which of the duplicates is paired would be
 * chance, and each would lower the margin of the others. */
static dpl_status skip_duplicates(void *user, size_t side, unsigned worker, dpl_error *err)
{
    dpl__pair_run *r = user;
    const dpl_collection *c = r->corpus.c[side];
    (void)worker;
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    uint64_t checksum = n;
    stream *all =
        dpl__alloc(r->ctx, ((size_t)n + 1) * sizeof *all); /* cleaning may leave none */
    r->corpus.skip[side] = dpl__calloc(r->ctx, (size_t)n + 1, 1);
    uint64_t *keys = r->corpus.keys[side] = dpl__alloc(r->ctx, ((size_t)n + 1) * sizeof *keys);
    if (!all || !r->corpus.skip[side] || !keys) {
        dpl__free(r->ctx, all);
        return dpl__fail_nomem(err);
    }
    keying k = {c, n, keys, all};
    dpl_status status =
        dpl__parallel_each(r->ctx, ((size_t)n + PART - 1) / PART, &k, key_part, err);
    for (uint32_t doc = 0; doc < n && status == DPL_OK; doc++) {
        dpl_str id = dpl_collection_doc(c, doc).id;
        checksum = dpl__hash(id.data, id.n, checksum ^ keys[doc]);
    }
    for (uint32_t t = 0; t < dpl_collection_get_sizes(c)->n_terms; t++) {
        dpl_str term = dpl_collection_term(c, t);
        checksum = dpl__hash(term.data, term.n, checksum);
    }
    r->corpus.checksum[side] = checksum;
    if (status == DPL_OK)
        status = dpl__parallel_sort(r->ctx, all, n, sizeof *all, by_key, err);
    r->corpus.n_docs[side] = n;
    for (uint32_t i = 1; i < n && status == DPL_OK; i++)
        if (all[i].key == all[i - 1].key) {
            size_t n_tokens;
            dpl_collection_tokens(c, all[i].doc, &n_tokens);
            r->corpus.skip[side][all[i].doc] = 1;
            r->corpus.n_docs[side]--;
            r->corpus.n_duplicates[side] += n_tokens || !r->read.is_clean[side];
        }
    dpl__free(r->ctx, all);
    return status;
}

/* What the collections say of themselves must fit. */
static dpl_status check_sides(dpl__pair_run *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        dpl__facts facts;
        DPL_TRY(dpl__facts_find(&facts, r->corpus.c[side], 1, err));
        memcpy(r->corpus.lang[side], facts.lang, sizeof facts.lang);
        const char *read = dpl__main_language(&r->read.langs[side]);
        if (!dpl_collection_get_sizes(r->corpus.c[side])->n_docs && read)
            snprintf(r->corpus.lang[side], sizeof facts.lang, "%s", read);
        if (facts.ngram)
            return dpl__fail(err, DPL_E_USAGE, "'%s' holds character n-grams, not words",
                             dpl_input_name(r->task.inputs[side]));
        if (side && facts.is_stemmed != r->corpus.is_stemmed)
            return dpl__fail_code(
                err, DPL_E_USAGE, "sides-stemmed",
                "the words of one side are stems, those of the other are not");
        r->corpus.is_stemmed = facts.is_stemmed;
    }
    const char *left = r->corpus.lang[0], *right = r->corpus.lang[1];
    if (*left && strcmp(left, right) == 0)
        return dpl__fail_code(err, DPL_E_USAGE, "both-one-language", "both sides are in '%s'",
                              left);
    return DPL_OK;
}

/* The side with more words; of equals the one that comes first by language, whichever is left.
 */
static bool is_pivot(const dpl__pair_run *r, int side)
{
    uint64_t n[2] = {r->sides[0].n_tokens, r->sides[1].n_tokens};
    return n[side] != n[!side] ? n[side] > n[!side]
                               : strcmp(r->corpus.lang[side], r->corpus.lang[!side]) < 0;
}

static dpl_status find_copies(dpl__pair_run *r, dpl_error *err)
{
    dpl__comparable *p = &r->corpus;
    dpl__copies_input in[2];
    for (int side = 0; side < 2; side++)
        in[side] = (dpl__copies_input){p->c[side], p->skip[side], p->keys[side]};
    DPL_TRY(dpl__copies_find(p->groups, p->n_copies, r->ctx, in, err));
    for (int side = 0; side < 2; side++) {
        r->summary.n_copies[side] = p->n_copies[side];
        r->summary.n_duplicates[side] = p->n_duplicates[side];
    }
    return DPL_OK;
}

dpl_status dpl__pair_run_prepare(dpl__pair_run *r, dpl_error *err)
{
    DPL_TRY(dpl__parallel_for(r->ctx, 2, r, skip_duplicates, err));
    DPL_TRY(check_sides(r, err));
    for (int side = 0; side < 2; side++)
        memcpy(r->sides[side].code, r->corpus.lang[side], sizeof r->sides[side].code);
    r->corpus.pivot = is_pivot(r, 1);
    return find_copies(r, err);
}
