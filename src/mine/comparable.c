/*
 * comparable.c - the two collections of a run, and what is known about them beforehand.
 *
 * An input is read once. Its languages are counted while it becomes a collection, so that
 * many.c can still divide it.
 */
#include "mine/pair_run.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "io/kept_file.h"
#include "io/lines.h"
#include "io/sealed.h"
#include "io/shared_run.h"
#include "io/text_output.h"
#include "mine/copies.h"
#include "mine/doc_key.h"
#include "mine/part_language.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/importer.h"
#include "vectors/project.h"

#include <stdio.h>
#include <unistd.h>

/* ---- import ------------------------------------------------------------------------- */

/* Name of a side's files; a side that is read again in another language gets another name. */
typedef struct side_name {
    char text[24];
} side_name;

static side_name name_of(const dpl__pair_run *r, int side)
{
    side_name out;
    const char *as = r->read.read_as[side];
    snprintf(out.text, sizeof out.text, "%s%s%s", side ? "right" : "left", *as ? "-" : "", as);
    return out;
}

static void name_side(char out[4100], const dpl__pair_run *r, int side)
{
    snprintf(out, 4100, "%s/%s.dpl", r->corpus.work, name_of(r, side).text);
}

/* How many of its documents declare their language: written behind the collection, which is
 * complete with it. */
static void name_languages(char out[4100], const dpl__pair_run *r, int side)
{
    snprintf(out, 4100, "%s/languages-%s.tsv", r->corpus.work, name_of(r, side).text);
}

static dpl_status write_languages(const dpl__declared_list *declared, dpl_ctx *ctx,
                                  const char *path, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, path, err));
    for (size_t i = 0; i < declared->n; i++)
        dpl__put(o, "%s\t%llu\n", declared->data[i].code,
                 (unsigned long long)declared->data[i].n_docs);
    dpl__output_seal(o);
    return dpl__output_end(o, DPL_OK, err);
}

static dpl_status read_languages(dpl__input_langs *in, dpl_ctx *ctx, const char *path,
                                 dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status;
    DPL_TRY(dpl__check_seal(ctx, path, err));
    DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        const dpl_str code = dpl__next_column(&line);
        for (size_t i = 0; i < in->langs.n; i++)
            if (dpl__str_eq(code, dpl__cstr(in->langs.data[i].code)))
                in->langs.data[i].n_declared = dpl__take_digits(&line);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* A side that becomes a collection. */
typedef struct imported_side {
    dpl__pair_run *r;
    int side;
    char path[4100], languages[4100], skipped[4200];
} imported_side;

static dpl_status import_side(void *user, const char *path, dpl_error *err)
{
    const imported_side *x = user;
    dpl__pair_run *r = x->r;
    dpl_reader_options read = r->settings.read;
    read.lang = *r->read.read_as[x->side] ? r->read.read_as[x->side]
                                          : r->settings.options.langs[x->side];
    read.only_lang = NULL;
    dpl_tokens_options tokens =
        DPL_INIT(dpl_tokens_options, .stem = !r->settings.options.no_stem);
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens,
                                    .temp = r->corpus.work, .needs_docs = true);
    struct dpl_skip_list skipped = {.ctx = r->ctx};
    dpl__declared_list declared = {0};
    dpl_import_summary s = DPL_INIT(dpl_import_summary, .skipped = &skipped);
    dpl__importer im = {
        .ctx = r->ctx, .inputs = r->task.inputs[x->side], .n_inputs = 1, .declared = &declared};
    dpl_status status;
    DPL__STEP(dpl__import_run(&im, NULL, &s, path, &o, err));
    DPL__STEP(dpl__skipped_save(&skipped, r->corpus.work, name_of(r, x->side).text, err));
    status = write_languages(&declared, r->ctx, x->languages, err);
done:
    dpl__vec_clear(r->ctx, &declared);
    dpl__skips_clear(&skipped);
    return status;
}

static dpl_status open_imported(void *user, const char *path, dpl_error *err)
{
    const imported_side *x = user;
    if (access(x->languages, R_OK) != 0)
        return DPL_END;
    return dpl__collection_open_shared(&x->r->read.owned[x->side], x->r->ctx, path,
                                       (size_t)x->side, err);
}

static dpl_status import_once(dpl__pair_run *r, int side, dpl_error *err)
{
    imported_side x = {.r = r, .side = side};
    name_side(x.path, r, side);
    name_languages(x.languages, r, side);
    dpl__skipped_path(x.skipped, r->corpus.work, name_of(r, side).text);
    const char *const more[] = {x.skipped, x.languages, NULL};
    const dpl__kept_file file = {.name = "collection",
                                 .path = x.path,
                                 .more = more,
                                 .user = &x,
                                 .make = import_side,
                                 .read = open_imported};
    return dpl__kept_file_get(r->ctx, &file, err);
}

static dpl_status read_side(dpl__pair_run *r, int side, dpl_error *err)
{
    const dpl_input *in = r->task.inputs[side];
    dpl__input_langs *langs = &r->read.langs[side];
    langs->path = dpl_input_name(in);
    DPL_TRY(dpl__is_collection(&langs->is_collection, r->ctx, in->path, err));
    if (!in->collection && !langs->is_collection)
        return import_once(r, side, err);
    langs->is_collection = true;
    return in->collection ? DPL_OK
                          : dpl_collection_open(&r->read.owned[side], r->ctx, in->path, err);
}

static dpl_status note_side(dpl__pair_run *r, int side, dpl_error *err)
{
    const dpl_input *in = r->task.inputs[side];
    dpl__input_langs *langs = &r->read.langs[side];
    char path[4100];
    r->corpus.c[side] = in->collection ? in->collection : r->read.owned[side];
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(r->corpus.c[side]);
    if (sizes->n_docs == 0)
        return dpl__fail_code(err, DPL_E_USAGE, "no-documents", "'%s' has no documents",
                              dpl_input_name(in));
    r->sides[side] = (dpl_mine_language){.n_docs = sizes->n_docs,
                                         .n_sentences = sizes->n_sentences,
                                         .n_tokens = sizes->n_tokens};
    DPL_TRY(dpl__count_collection(langs, r->ctx, r->corpus.c[side], err));
    name_languages(path, r, side);
    if (!langs->is_collection)
        DPL_TRY(read_languages(langs, r->ctx, path, err));
    langs->is_single = dpl__is_single(langs, false);
    return DPL_OK;
}

/* Are both in the same language, and neither because the user says so? */
static bool is_one_language(const dpl__pair_run *r)
{
    const char *left = dpl__main_language(&r->read.langs[0]),
               *right = dpl__main_language(&r->read.langs[1]);
    return left && right && strcmp(left, right) == 0 && !r->settings.options.langs[0] &&
           !r->settings.options.langs[1];
}

/* A side that is mostly untranslated is read again, in the language of the rest. */
static dpl_status read_part(dpl__pair_run *r, dpl_error *err)
{
    dpl__part_language part;
    const dpl_collection *const sides[2] = {r->corpus.c[0], r->corpus.c[1]};
    DPL_TRY(dpl__part_language_find(&part, r->ctx, sides, err));
    if (!*part.code || r->read.langs[part.side].is_collection)
        return DPL_OK;
    memcpy(r->read.read_as[part.side], part.code, sizeof part.code);
    dpl__vec_clear(r->ctx, &r->read.langs[part.side].langs);
    dpl_collection_close(r->read.owned[part.side]);
    r->read.owned[part.side] = NULL;
    DPL_TRY(read_side(r, part.side, err));
    return note_side(r, part.side, err);
}

dpl_status dpl__pair_run_import(dpl__pair_run *r, dpl_error *err)
{
    const double began = dpl__now();
    const int first = (int)(dpl__shared_number(r->ctx) % 2); /* two processes, one side each */
    dpl__stage_time(&r->stage, "import");
    for (int i = 0; i < 2; i++)
        DPL_TRY(read_side(r, first ^ i, err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(note_side(r, side, err));
    dpl__choose_languages(r->read.langs, 2);
    if (is_one_language(r))
        DPL_TRY(read_part(r, err));
    for (int side = 0; side < 2; side++)
        if (!r->read.langs[side].is_collection)
            DPL_TRY(dpl__skipped_load(&r->read.skipped, r->corpus.work, name_of(r, side).text,
                                      err));
    r->summary.import_seconds = dpl__now() - began;
    return DPL_OK;
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
        name_languages(path, r, side);
        unlink(path);
        dpl__skipped_remove(r->corpus.work, name_of(r, side).text);
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

/* Only one of several documents with the same words takes part: which of them is paired would
 * be arbitrary, and each would lower the margin of the others. */
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
