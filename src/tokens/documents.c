/*
 * documents.c - fields of documents to sections.
 *
 * Documents arrive in batches whose arrays are already laid out as the sections are, so that
 * taking a batch is a few copies. At the end the size of every section is known: all are
 * reserved, and each is filled by a task of its own, on all threads. The order of ids is
 * sorted in memory if it may be, else through temporary files.
 */
#include "tokens/documents.h"

#include "base/ctx.h"
#include "io/keysort.h"
#include "kernels/kernels.h"
#include "par/pool.h"

/* ---- a batch ------------------------------------------------------------------------ */

dpl_status dpl__doc_batch_make(dpl__doc_batch *b, const dpl__batch *batch,
                               const dpl__tokenized *t, dpl_error *err)
{
    dpl_ctx *ctx = batch->ctx;
    const size_t n = batch->docs.n;
    assert(t->n_tokens.n >= n && t->n_sentences.n >= n);
    b->records.n = b->hashes.n = 0;
    b->ids.n = b->titles.n = b->extras.n = 0;
    DPL_TRY(dpl__need(
        dpl__vec_reserve(ctx, &b->records, n) && dpl__vec_reserve(ctx, &b->hashes, n), err));
    for (size_t i = 0; i < n; i++) {
        const dpl_doc *doc = &batch->docs.data[i];
        b->records.data[b->records.n++] = (dpl__doc_record){
            .text = (uint32_t)doc->text.n,
            .id = (uint32_t)doc->id.n,
            .title = (uint32_t)doc->title.n,
            .extra = (uint32_t)doc->extra.n,
            .tokens = t->n_tokens.data[i],
            .sentences = t->n_sentences.data[i],
        };
        b->hashes.data[b->hashes.n++] = dpl__id_hash_of(doc->id);
        DPL_TRY(dpl__need(dpl__vec_append(ctx, &b->ids, doc->id.data, doc->id.n) &&
                              dpl__vec_append(ctx, &b->titles, doc->title.data, doc->title.n) &&
                              dpl__vec_append(ctx, &b->extras, doc->extra.data, doc->extra.n),
                          err));
    }
    return DPL_OK;
}

void dpl__doc_batch_clear(dpl__doc_batch *b, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &b->records, &b->hashes, &b->ids, &b->titles, &b->extras);
}

void dpl__doc_place_next(dpl__doc_place *at, const dpl__doc_batch *b)
{
    assert(at->doc < b->records.n);
    const dpl__doc_record *r = &b->records.data[at->doc++];
    at->text += r->text;
    at->token += r->tokens;
    at->sentence += r->sentences;
    at->id += r->id;
    at->title += r->title;
    at->extra += r->extra;
}

/* ---- writing down ------------------------------------------------------------------- */

enum { N_SPOOLS = 9 };

static void list_spools(dpl__documents *d, dpl__spool *out[N_SPOOLS])
{
    dpl__spool *const all[N_SPOOLS] = {
        &d->records,        &d->n_tokens,       &d->ids,
        &d->titles,         &d->extras,         &d->sentence_begin,
        &d->sentence_token, &d->sentence_flags, &d->aliases};
    memcpy(out, all, sizeof all);
}

void dpl__documents_init(dpl__documents *d, dpl__spill *spill, size_t share)
{
    *d = (dpl__documents){.ctx = spill->ctx, .spill = spill, .share = 2 * share};
    dpl__terms_init(&d->langs, spill->ctx);
    dpl__spool *spools[N_SPOOLS];
    list_spools(d, spools);
    for (size_t i = 0; i < N_SPOOLS; i++)
        dpl__spool_init(spools[i], spill, share);
}

void dpl__documents_clear(dpl__documents *d)
{
    if (!d->ctx)
        return;
    dpl__spool *spools[N_SPOOLS];
    list_spools(d, spools);
    for (size_t i = 0; i < N_SPOOLS; i++)
        dpl__spool_clear(spools[i]);
    dpl__terms_clear(&d->langs);
}

/* Elements from..to of an array that has no memory as long as it is empty. */
static dpl_status append(dpl__spool *spool, const void *data, size_t element, size_t from,
                         size_t to, dpl_error *err)
{
    assert(data || from >= to);
    return to > from ? dpl__spool_append(spool, (const char *)data + from * element,
                                         (to - from) * element, err)
                     : DPL_OK;
}

static dpl_status number_langs(dpl__documents *d, const dpl__batch *batch, dpl__doc_batch *b,
                               size_t from, size_t to, dpl_error *err)
{
    for (size_t i = from; i < to; i++) {
        const dpl_str lang = batch->docs.data[i].lang;
        if (i > from && dpl__str_eq(lang, batch->docs.data[i - 1].lang))
            b->records.data[i].lang = b->records.data[i - 1].lang;
        else
            DPL_TRY(dpl__terms_number(&d->langs, lang, &b->records.data[i].lang, err));
    }
    return DPL_OK;
}

dpl_status dpl__documents_append(dpl__documents *d, const dpl__batch *batch, dpl__doc_batch *b,
                                 const dpl__tokenized *t, const dpl__doc_place range[2],
                                 dpl_error *err)
{
    const dpl__doc_place begin = range[0], end = range[1];
    const size_t n = end.doc - begin.doc;
    assert(begin.doc <= end.doc && end.doc <= b->records.n && end.doc <= t->n_tokens.n);
    assert(begin.sentence <= end.sentence && end.sentence <= t->sentence_begin.n);
    if (n >= UINT32_MAX - d->n_docs)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "more than %u documents", UINT32_MAX - 1);
    DPL_TRY(number_langs(d, batch, b, begin.doc, end.doc, err));
    DPL_TRY(
        append(&d->records, b->records.data, sizeof *b->records.data, begin.doc, end.doc, err));
    DPL_TRY(append(&d->n_tokens, t->n_tokens.data, 4, begin.doc, end.doc, err));
    DPL_TRY(append(&d->ids, b->ids.data, 1, begin.id, end.id, err));
    DPL_TRY(append(&d->titles, b->titles.data, 1, begin.title, end.title, err));
    DPL_TRY(append(&d->extras, b->extras.data, 1, begin.extra, end.extra, err));
    DPL_TRY(append(&d->sentence_begin, t->sentence_begin.data, 4, begin.sentence, end.sentence,
                   err));
    DPL_TRY(append(&d->sentence_token, t->sentence_token.data, 4, begin.sentence, end.sentence,
                   err));
    DPL_TRY(append(&d->sentence_flags, t->sentence_flags.data, 1, begin.sentence, end.sentence,
                   err));
    d->n_docs += (uint32_t)n;
    d->n_sentences += end.sentence - begin.sentence;
    d->n_text += end.text - begin.text;
    return DPL_OK;
}

/* A line each: title, tab, target. */
dpl_status dpl__documents_append_aliases(dpl__documents *d, const dpl__batch *batch,
                                         dpl_error *err)
{
    for (size_t i = 0; i < batch->aliases.n; i++) {
        const dpl__alias *a = &batch->aliases.data[i];
        DPL_TRY(dpl__spool_append(&d->aliases, a->title.data, a->title.n, err));
        DPL_TRY(dpl__spool_append(&d->aliases, "\t", 1, err));
        DPL_TRY(dpl__spool_append(&d->aliases, a->target.data, a->target.n, err));
        DPL_TRY(dpl__spool_append(&d->aliases, "\n", 1, err));
    }
    return DPL_OK;
}

/* ---- one section -------------------------------------------------------------------- */

enum { SOME_DOCS = 4096, PIECE = 1 << 20 };

/* A section that is filled from its beginning to its end. */
typedef struct section {
    dpl__writer *w;
    unsigned index;
    uint64_t n; /* bytes so far */
    uint32_t crc;
} section;

static dpl_status put(section *s, const void *data, size_t n, dpl_error *err)
{
    for (size_t at = 0, part; at < n; at += part) {
        uint32_t crc;
        part = dpl__min(PIECE, n - at);
        DPL_TRY(dpl__writer_put(
            s->w, (dpl__piece){s->index, s->n, (const char *)data + at, part}, &crc, err));
        s->crc = dpl__crc32c_join(s->crc, crc, part);
        s->n += part;
    }
    return DPL_OK;
}

/* The next SOME_DOCS document records from `first` on, or as many as there are. */
static dpl_status read_records(const dpl__documents *d, size_t first, dpl__doc_record *out,
                               size_t *n, dpl_error *err)
{
    assert(first <= d->n_docs);
    *n = dpl__min(SOME_DOCS, d->n_docs - first);
    return dpl__spool_read(&d->records, first * sizeof *out, out, *n * sizeof *out, err);
}

static uint32_t field_of(const dpl__doc_record *r, size_t field)
{
    assert(field % sizeof(uint32_t) == 0 && field < sizeof *r);
    uint32_t x;
    memcpy(&x, (const char *)r + field, sizeof x);
    return x;
}

/* Rising offsets from the sizes in one field of the document records, 0 first. */
static dpl_status put_offsets(const dpl__documents *d, section *s, size_t field, dpl_error *err)
{
    uint64_t end = 0, offsets[SOME_DOCS];
    dpl__doc_record records[SOME_DOCS];
    DPL_TRY(put(s, &end, sizeof end, err));
    for (size_t first = 0, n; first < d->n_docs; first += n) {
        DPL_TRY(read_records(d, first, records, &n, err));
        for (size_t i = 0; i < n; i++)
            offsets[i] = end += field_of(&records[i], field);
        DPL_TRY(put(s, offsets, n * sizeof *offsets, err));
    }
    return DPL_OK;
}

/* One field of the document records as it is. */
static dpl_status put_field(const dpl__documents *d, section *s, size_t field, dpl_error *err)
{
    uint32_t values[SOME_DOCS];
    dpl__doc_record records[SOME_DOCS];
    for (size_t first = 0, n; first < d->n_docs; first += n) {
        DPL_TRY(read_records(d, first, records, &n, err));
        for (size_t i = 0; i < n; i++)
            values[i] = field_of(&records[i], field);
        DPL_TRY(put(s, values, n * sizeof *values, err));
    }
    return DPL_OK;
}

static dpl_status put_spool(dpl_ctx *ctx, section *s, const dpl__spool *spool, dpl_error *err)
{
    if (!spool->n_file)
        return put(s, spool->memory.data, spool->memory.n, err);
    char *piece = dpl__alloc(ctx, PIECE);
    DPL_TRY(dpl__need(piece, err));
    dpl_status status = DPL_OK;
    for (uint64_t at = 0; at < spool->n_file; at += PIECE) {
        const size_t n = (size_t)dpl__min(PIECE, spool->n_file - at);
        DPL__STEP(dpl__spool_read(spool, at, piece, n, err));
        DPL__STEP(put(s, piece, n, err));
    }
    status = put(s, spool->memory.data, spool->memory.n, err);
done:
    dpl__free(ctx, piece);
    return status;
}

static dpl_status put_lang_offsets(const dpl__documents *d, section *s, dpl_error *err)
{
    uint64_t end = 0;
    DPL_TRY(put(s, &end, sizeof end, err));
    for (size_t i = 0; i < d->langs.all.n; i++) {
        end += d->langs.all.data[i].n;
        DPL_TRY(put(s, &end, sizeof end, err));
    }
    return DPL_OK;
}

static dpl_status put_langs(const dpl__documents *d, section *s, dpl_error *err)
{
    for (size_t i = 0; i < d->langs.all.n; i++) {
        const dpl_str lang = dpl__term_text(&d->langs.all.data[i]);
        DPL_TRY(put(s, lang.data, lang.n, err));
    }
    return DPL_OK;
}

/* ---- documents by id ---------------------------------------------------------------- */

static dpl_status duplicate(dpl_str id, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_FORMAT, "duplicate-id-late", "duplicate id '%.*s'",
                          (int)dpl__min(id.n, 200), id.data);
}

static dpl_status make_keys(const dpl__documents *d, dpl__key *keys, dpl_error *err)
{
    dpl__doc_record records[SOME_DOCS];
    const char *id = d->ids.memory.data;
    for (size_t first = 0, n; first < d->n_docs; first += n) {
        DPL_TRY(read_records(d, first, records, &n, err));
        for (size_t i = 0; i < n; id += records[i++].id)
            keys[first + i] = dpl__key_of((dpl_str){id, records[i].id}, (uint32_t)(first + i));
    }
    return DPL_OK;
}

static dpl_status put_sorted(const dpl__documents *d, section *s, dpl__key *keys,
                             dpl_error *err)
{
    const size_t n = d->n_docs;
    DPL_TRY(make_keys(d, keys, err));
    DPL_TRY(dpl__sort_keys(d->ctx, keys, keys + n, n, err));
    for (size_t i = 1; i < n; i++)
        if (dpl__key_equal(&keys[i - 1], &keys[i]))
            return duplicate((dpl_str){keys[i].data, keys[i].n}, err);
    uint32_t *order = (uint32_t *)(void *)(keys + n);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].index;
    return put(s, order, n * sizeof *order, err);
}

static dpl_status put_order_in_memory(const dpl__documents *d, section *s, dpl_error *err)
{
    const size_t n_bytes = 2 * (size_t)d->n_docs * sizeof(dpl__key);
    dpl__key *keys = dpl__alloc(d->ctx, n_bytes);
    DPL_TRY(dpl__need(keys, err));
    dpl_status status = put_sorted(d, s, keys, err);
    dpl__free(d->ctx, keys);
    return status;
}

/* All ids to the sorter. */
static dpl_status add_ids(const dpl__documents *d, dpl__sorter *sorter, dpl_error *err)
{
    dpl__doc_record records[SOME_DOCS];
    dpl__bytes id = {0};
    uint64_t at = 0;
    dpl_status status = DPL_OK;
    for (size_t first = 0, n = 0; first < d->n_docs; first += n) {
        DPL__STEP(read_records(d, first, records, &n, err));
        for (size_t i = 0; i < n; at += records[i++].id) {
            const uint32_t doc = (uint32_t)(first + i);
            id.n = 0;
            DPL__STEP(dpl__need(dpl__vec_reserve(d->ctx, &id, records[i].id + 1), err));
            DPL__STEP(dpl__spool_read(&d->ids, at, id.data, records[i].id, err));
            DPL__STEP(dpl__sorter_add(sorter, (dpl_str){id.data, records[i].id},
                                      (dpl_str){(const char *)&doc, sizeof doc}, err));
        }
    }
done:
    dpl__vec_clear(d->ctx, &id);
    return status;
}

static dpl_status put_from_sorter(const dpl__documents *d, section *s, dpl__sorter *sorter,
                                  dpl_error *err)
{
    uint32_t order[SOME_DOCS];
    size_t n = 0;
    dpl_str id, number;
    dpl__bytes last = {0};
    dpl_status status;
    for (bool is_first = true; (status = dpl__sorter_next(sorter, &id, &number, err)) == DPL_OK;
         is_first = false) {
        if (!is_first && dpl__str_eq(id, (dpl_str){last.data, last.n}))
            DPL__STEP(duplicate(id, err));
        last.n = 0;
        DPL__STEP(dpl__need(dpl__vec_append(d->ctx, &last, id.data, id.n), err));
        if (n == SOME_DOCS) {
            DPL__STEP(put(s, order, sizeof order, err));
            n = 0;
        }
        assert(number.n == sizeof *order);
        memcpy(&order[n++], number.data, sizeof *order);
    }
done:
    dpl__vec_clear(d->ctx, &last);
    return status == DPL_END ? put(s, order, n * sizeof *order, err) : status;
}

/* Duplicates that the set of ids had no room to see come together here. */
static dpl_status put_order(const dpl__documents *d, section *s, dpl_error *err)
{
    if (!d->n_docs)
        return DPL_OK;
    if (!d->ids.n_file && d->n_docs <= d->share / (2 * sizeof(dpl__key)))
        return put_order_in_memory(d, s, err);
    dpl__sorter *sorter = NULL;
    dpl_status status;
    DPL__STEP(dpl__sorter_new(&sorter, d->spill, d->share, err));
    DPL__STEP(add_ids(d, sorter, err));
    DPL__STEP(dpl__sorter_sort(sorter, err));
    status = put_from_sorter(d, s, sorter, err);
done:
    dpl__sorter_free(sorter);
    return status;
}

/* ---- all sections ------------------------------------------------------------------- */

typedef enum kind { OFFSETS, FIELD, SPOOL, LANG_OFFSETS, LANGS, ORDER } kind;

typedef struct task {
    const char *name;
    unsigned element;
    kind kind;
    size_t field;            /* OFFSETS, FIELD: of the record */
    const dpl__spool *spool; /* SPOOL */
    section section;
} task;

typedef struct tasks {
    const dpl__documents *d;
    task *all;
} tasks;

static uint64_t size_of(const dpl__documents *d, const task *t)
{
    uint64_t sum = 0;
    switch (t->kind) {
    case OFFSETS: return 8 * ((uint64_t)d->n_docs + 1);
    case FIELD:
    case ORDER: return 4 * (uint64_t)d->n_docs;
    case SPOOL: return dpl__spool_size(t->spool);
    case LANG_OFFSETS: return 8 * ((uint64_t)d->langs.all.n + 1);
    case LANGS: break;
    }
    for (size_t i = 0; i < d->langs.all.n; i++)
        sum += d->langs.all.data[i].n;
    return sum;
}

static dpl_status fill(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    const tasks *all = user;
    const dpl__documents *d = all->d;
    task *t = &all->all[i];
    switch (t->kind) {
    case OFFSETS: return put_offsets(d, &t->section, t->field, err);
    case FIELD: return put_field(d, &t->section, t->field, err);
    case SPOOL: return put_spool(d->ctx, &t->section, t->spool, err);
    case LANG_OFFSETS: return put_lang_offsets(d, &t->section, err);
    case LANGS: return put_langs(d, &t->section, err);
    case ORDER: break;
    }
    return put_order(d, &t->section, err);
}

#define FIELD_OF(name) offsetof(dpl__doc_record, name)

dpl_status dpl__documents_write(const dpl__documents *d, dpl__writer *w, dpl_error *err)
{
    task all[] = {
        {"text.offsets", 8, OFFSETS, .field = FIELD_OF(text)},
        {"id.offsets", 8, OFFSETS, .field = FIELD_OF(id)},
        {"id.bytes", 1, SPOOL, .spool = &d->ids},
        {"title.offsets", 8, OFFSETS, .field = FIELD_OF(title)},
        {"title.bytes", 1, SPOOL, .spool = &d->titles},
        {"extra.offsets", 8, OFFSETS, .field = FIELD_OF(extra)},
        {"extra.bytes", 1, SPOOL, .spool = &d->extras},
        {"lang.offsets", 8, LANG_OFFSETS, .field = 0},
        {"lang.bytes", 1, LANGS, .field = 0},
        {"doc.langs", 4, FIELD, .field = FIELD_OF(lang)},
        {"doc.order", 4, ORDER, .field = 0},
        {"sentence.offsets", 8, OFFSETS, .field = FIELD_OF(sentences)},
        {"sentence.begins", 4, SPOOL, .spool = &d->sentence_begin},
        {"sentence.tokens", 4, SPOOL, .spool = &d->sentence_token},
        {"sentence.flags", 1, SPOOL, .spool = &d->sentence_flags},
        {"token.offsets", 8, OFFSETS, .field = FIELD_OF(tokens)},
    };
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        task *t = &all[i];
        t->section.w = w;
        DPL_TRY(
            dpl__writer_reserve(w, &t->section.index, t->name, t->element, size_of(d, t), err));
    }
    tasks user = {d, all};
    DPL_TRY(dpl__parallel_for(d->ctx, DPL_LEN(all), &user, fill, err));
    for (size_t i = 0; i < DPL_LEN(all); i++)
        dpl__writer_join(w, all[i].section.index, all[i].section.crc, (size_t)all[i].section.n);
    if (dpl__spool_size(&d->aliases) == 0)
        return DPL_OK;
    DPL_TRY(dpl__spool_write(&d->aliases, w, "alias.bytes", 1, err));
    dpl__writer_optional(w);
    return DPL_OK;
}
