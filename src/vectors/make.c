/*
 * make.c - a collection becomes a file of vectors.
 *
 * Rows are made in parallel, in batches of documents: the terms of a document are replaced by
 * what they stand for (project.c), sorted, added up, weighed (weights.c). In order, a batch
 * only gets its place in the output; its weights are written there by the thread that works
 * next on its slot. Terms stay with their batch, or go to a spool when they take too much
 * memory, because which of them are used, and so their numbers, is known at the end only.
 *
 * Average length and df come from the collection's counts, through the same projection as the
 * rows: the average of dl* = sum of tf* is what the sum over all terms gives, divided by the
 * number of documents.
 *
 * Cost: a row of n entries is sorted by counting, three passes for a million terms.
 */
#include "doppel/vectors.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/container.h"
#include "io/target.h"
#include "par/pool.h"
#include "tokens/collection.h"
#include "vectors/project.h"
#include "vectors/vectors.h"
#include "vectors/weights.h"

#include <float.h>
#include <stdatomic.h>
#include <stdio.h>

enum { BATCH_DOCS = 1024, BATCH_ENTRIES = 1 << 15, SOME = 4096 };

enum { WEIGHTS_SECTION = 0 }; /* the first section of the output */

/* Where the weights of a committed batch are. */
typedef enum weights_state {
    NOT_THERE,
    HAS_PLACE, /* in memory; their place in the output is known */
    IS_WRITTEN /* their checksum is not yet joined to that of the section */
} weights_state;

/* A batch of documents and the rows they become. */
typedef struct slot {
    uint32_t first, n_docs;
    DPL_VEC(uint32_t) docs;    /* that became rows */
    DPL_VEC(uint32_t) lengths; /* of their rows */
    DPL_VEC(uint32_t) terms;
    DPL_VEC(float) weights;
    weights_state state;
    uint64_t place; /* of the weights in their section */
    uint32_t crc;
} slot;

/* Terms of a batch that was committed. */
typedef struct batch {
    uint32_t *terms; /* NULL: in the spool, where batches follow in order */
    size_t n;
    uint64_t first, spooled; /* entries before it, of all and of those in the spool */
    uint32_t crc;
} batch;

typedef struct worker {
    DPL_VEC(dpl__part) parts, sorted;
} worker;

typedef struct make {
    dpl_ctx *ctx;
    const dpl_collection *c;
    dpl_vectors_options options;
    dpl__facts facts;
    const char *lang;                   /* of its documents; NULL: the language of most */
    uint32_t *doc_counts, *term_counts; /* of the documents not skipped; NULL: of all */
    uint32_t n_counted;                 /* documents */
    dpl__projection projection;
    double *idf; /* of every text */
    dpl__weigher weigher;
    _Atomic uint64_t *used; /* bit of every text */
    size_t n_used_words;
    slot *slots;
    size_t n_slots;
    worker *workers;
    dpl__spill spill;
    DPL_VEC(batch) batches;
    uint64_t n_held, most_held, n_spooled; /* terms in memory, at the most; in the spool */
    dpl__spool terms, lengths, docs;
    dpl__writer *writer;
    uint32_t next_doc, n_rows, n_terms;
    uint64_t n_entries;
} make;

/* ---- one document ------------------------------------------------------------------- */

/* What the document's terms stand for. Without a lexicon that is one text each, and looking at
 * offsets and shares would be most of the work. */
static dpl_status gather(make *m, worker *w, uint32_t doc, dpl_error *err)
{
    assert(doc < dpl_collection_get_sizes(m->c)->n_docs);
    const uint32_t *counts;
    size_t n;
    const uint32_t *terms = dpl_collection_row(m->c, doc, &counts, &n);
    const dpl__table *t = &m->projection.table;
    bool is_own = m->projection.is_own;
    w->parts.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &w->parts, n), err));
    for (size_t i = 0; i < n && terms[i] < m->facts.n_terms; i++) {
        if (is_own) {
            w->parts.data[w->parts.n++] = (dpl__part){counts[i], t->cols[terms[i]]};
            continue;
        }
        uint64_t at = t->offsets[terms[i]], end = t->offsets[terms[i] + 1];
        DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &w->parts, end - at), err));
        for (; at < end; at++)
            w->parts.data[w->parts.n++] =
                (dpl__part){(double)t->p[at] * counts[i], t->cols[at]};
    }
    return DPL_OK;
}

/* Sorts by term, stably, by counting bytes. */
static dpl_status sort_parts(make *m, worker *w, dpl_error *err)
{
    size_t n = w->parts.n;
    w->sorted.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &w->sorted, n), err));
    for (unsigned shift = 0; shift < 32 && m->projection.n_texts >> shift; shift += 8) {
        size_t starts[257] = {0};
        const dpl__part *from = w->parts.data;
        dpl__part *to = w->sorted.data;
        for (size_t i = 0; i < n; i++)
            starts[(from[i].term >> shift & 255) + 1]++;
        for (size_t k = 0; k < 256; k++)
            starts[k + 1] += starts[k];
        for (size_t i = 0; i < n; i++)
            to[starts[from[i].term >> shift & 255]++] = from[i];
        size_t cap = w->sorted.cap;
        w->sorted.data = w->parts.data;
        w->sorted.cap = w->parts.cap;
        w->parts.data = to;
        w->parts.cap = cap;
    }
    return DPL_OK;
}

static void add_up(worker *w)
{
    dpl__part *parts = w->parts.data;
    size_t n = 0;
    for (size_t i = 0; i < w->parts.n; i++) {
        if (n && parts[n - 1].term == parts[i].term)
            parts[n - 1].value += parts[i].value;
        else if (parts[i].value > 0)
            parts[n++] = parts[i];
    }
    w->parts.n = n;
}

static void mark_used(make *m, uint32_t term)
{
    _Atomic uint64_t *word = &m->used[term / 64];
    uint64_t bit = (uint64_t)1 << term % 64;
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

static dpl_status emit(make *m, slot *s, const worker *w, uint32_t doc, dpl_error *err)
{
    size_t n = w->parts.n, n_before = s->terms.n;
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &s->terms, n) &&
                          dpl__vec_reserve(m->ctx, &s->weights, n),
                      err));
    for (size_t i = 0; i < n; i++) {
        float weight = (float)w->parts.data[i].value;
        if (weight < FLT_MIN) /* of a probability next to nothing */
            continue;
        s->terms.data[s->terms.n++] = w->parts.data[i].term;
        s->weights.data[s->weights.n++] = weight;
        mark_used(m, w->parts.data[i].term);
    }
    assert(s->terms.n == s->weights.n);
    bool is_noted = dpl__vec_push(m->ctx, &s->docs, doc) &&
                    dpl__vec_push(m->ctx, &s->lengths, (uint32_t)(s->terms.n - n_before));
    return dpl__need(is_noted, err);
}

/* ---- the pipeline ------------------------------------------------------------------- */

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    make *m = user;
    slot *s = &m->slots[index];
    uint32_t n_docs = dpl_collection_get_sizes(m->c)->n_docs;
    dpl_progress p = {"vectors", "documents", m->next_doc, n_docs};
    DPL_TRY(dpl__progress(m->ctx, &p, err));
    if (m->next_doc == n_docs)
        return DPL_END;
    s->first = m->next_doc;
    size_t n_entries = 0;
    do {
        size_t n;
        const uint32_t *counts;
        dpl_collection_row(m->c, m->next_doc++, &counts, &n);
        n_entries += n;
        s->n_docs = m->next_doc - s->first;
    } while (m->next_doc < n_docs && s->n_docs < BATCH_DOCS && n_entries < BATCH_ENTRIES);
    return DPL_OK;
}

/* Writes the weights of the slot's last batch to their place. */
static dpl_status write_weights(make *m, slot *s, dpl_error *err)
{
    if (s->state != HAS_PLACE)
        return DPL_OK;
    DPL_TRY(dpl__writer_put(
        m->writer,
        (dpl__piece){WEIGHTS_SECTION, s->place, s->weights.data, s->weights.n * sizeof(float)},
        &s->crc, err));
    s->state = IS_WRITTEN;
    return DPL_OK;
}

static dpl_status map(void *user, size_t index, unsigned number, dpl_error *err)
{
    make *m = user;
    slot *s = &m->slots[index];
    worker *w = &m->workers[number];
    DPL_TRY(write_weights(m, s, err));
    s->docs.n = s->lengths.n = s->terms.n = s->weights.n = 0;
    for (uint32_t doc = s->first; doc < s->first + s->n_docs; doc++) {
        if (m->options.skip && m->options.skip[doc])
            continue;
        DPL_TRY(gather(m, w, doc, err));
        DPL_TRY(sort_parts(m, w, err));
        add_up(w);
        if (w->parts.n < m->options.min_terms)
            continue;
        dpl__weigh(&m->weigher, w->parts.data, w->parts.n);
        DPL_TRY(emit(m, s, w, doc, err));
    }
    return DPL_OK;
}

static void join_weights(make *m, slot *s, size_t n)
{
    if (s->state == IS_WRITTEN)
        dpl__writer_join(m->writer, WEIGHTS_SECTION, s->crc, n * sizeof(float));
    s->state = NOT_THERE;
}

/* The batch takes its terms along if there is memory for them. */
static dpl_status keep_terms(make *m, slot *s, dpl_error *err)
{
    batch b = {.n = s->terms.n, .first = m->n_entries, .spooled = m->n_spooled};
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &m->batches, 1), err));
    if (b.n && m->n_held + b.n <= m->most_held) {
        b.terms = dpl__resize(m->ctx, s->terms.data, 4 * b.n);
        DPL_TRY(dpl__need(b.terms, err));
        s->terms.data = NULL;
        s->terms.n = s->terms.cap = 0;
        m->n_held += b.n;
    } else {
        DPL_TRY(dpl__spool_append(&m->terms, s->terms.data, b.n * 4, err));
        m->n_spooled += b.n;
    }
    m->batches.data[m->batches.n++] = b;
    m->n_entries += b.n;
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    make *m = user;
    slot *s = &m->slots[index];
    m->n_rows += (uint32_t)s->docs.n;
    if (m->batches.n >= m->n_slots) /* of the slot's batch before this one */
        join_weights(m, s, m->batches.data[m->batches.n - m->n_slots].n);
    DPL_TRY(keep_terms(m, s, err));
    DPL_TRY(dpl__spool_append(&m->lengths, s->lengths.data, s->lengths.n * 4, err));
    DPL_TRY(dpl__spool_append(&m->docs, s->docs.data, s->docs.n * 4, err));
    dpl__writer_grow(m->writer, &s->place, s->weights.n * sizeof(float));
    s->state = HAS_PLACE;
    return m->ctx->n_threads == 1 ? write_weights(m, s, err) : DPL_OK;
}

/* ---- after the last row ------------------------------------------------------------- */

static dpl_status write_slot(void *user, size_t index, unsigned number, dpl_error *err)
{
    (void)number;
    make *m = user;
    return write_weights(m, &m->slots[index], err);
}

/* The weights of the batches that were last in their slots, which are filled in turn. */
static dpl_status write_last_weights(make *m, dpl_error *err)
{
    DPL_TRY(dpl__parallel_for(m->ctx, m->n_slots, m, write_slot, err));
    const size_t n = m->batches.n;
    for (size_t i = n > m->n_slots ? n - m->n_slots : 0; i < n; i++)
        join_weights(m, &m->slots[i % m->n_slots], m->batches.data[i].n);
    return DPL_OK;
}

/* Calls put(m, numbers, n) with all numbers of the spool, some at a time. */
static dpl_status each(make *m, const dpl__spool *spool,
                       dpl_status (*put)(make *m, uint32_t *numbers, size_t n, void *state,
                                         dpl_error *err),
                       void *state, dpl_error *err)
{
    uint32_t numbers[SOME];
    uint64_t size = dpl__spool_size(spool);
    for (uint64_t at = 0, n; at < size; at += n) {
        n = size - at < sizeof numbers ? size - at : sizeof numbers;
        DPL_TRY(dpl__spool_read(spool, at, numbers, (size_t)n, err));
        DPL_TRY(put(m, numbers, (size_t)n / 4, state, err));
    }
    return DPL_OK;
}

static bool is_used(const make *m, uint32_t text)
{
    return atomic_load_explicit(&m->used[text / 64], memory_order_relaxed) >> text % 64 & 1;
}

typedef struct numbering {
    make *m;
    const uint32_t *final;
    unsigned section;
} numbering;

static dpl_status number_terms(const numbering *x, batch *b, uint32_t *terms, dpl_error *err)
{
    if (!b->terms)
        DPL_TRY(dpl__spool_read(&x->m->terms, 4 * b->spooled, terms, 4 * b->n, err));
    for (size_t i = 0; i < b->n; i++)
        terms[i] = x->final[terms[i]];
    return dpl__writer_put(
        x->m->writer, (dpl__piece){x->section, 4 * b->first, terms, 4 * b->n}, &b->crc, err);
}

static dpl_status put_batch(void *user, size_t i, unsigned number, dpl_error *err)
{
    (void)number;
    const numbering *x = user;
    batch *b = &x->m->batches.data[i];
    if (!b->n)
        return DPL_OK;
    uint32_t *terms = b->terms ? b->terms : dpl__alloc(x->m->ctx, 4 * b->n);
    DPL_TRY(dpl__need(terms, err));
    dpl_status status = number_terms(x, b, terms, err);
    dpl__free(x->m->ctx, terms);
    b->terms = NULL;
    return status;
}

/* Numbers of texts become numbers of those that are used. */
static dpl_status write_row_terms(make *m, dpl_error *err)
{
    uint32_t n = m->projection.n_texts;
    uint32_t *final = dpl__alloc(m->ctx, ((size_t)n + 1) * sizeof *final);
    DPL_TRY(dpl__need(final, err));
    for (uint32_t i = 0; i < n; i++) {
        final[i] = m->n_terms;
        m->n_terms += is_used(m, i);
    }
    numbering x = {.m = m, .final = final};
    dpl_status status;
    DPL__STEP(
        dpl__writer_reserve(m->writer, &x.section, "row.terms", 4, 4 * m->n_entries, err));
    DPL__STEP(dpl__parallel_for(m->ctx, m->batches.n, &x, put_batch, err));
    for (size_t i = 0; i < m->batches.n; i++)
        dpl__writer_join(m->writer, x.section, m->batches.data[i].crc,
                         4 * m->batches.data[i].n);
done:
    dpl__free(m->ctx, final);
    return status;
}

static dpl_status put_offsets(make *m, uint32_t *numbers, size_t n, void *state, dpl_error *err)
{
    uint64_t *end = state, offsets[SOME];
    assert(n <= SOME);
    for (size_t i = 0; i < n; i++)
        offsets[i] = *end += numbers[i];
    return dpl__writer_append(m->writer, offsets, n * sizeof *offsets, err);
}

static dpl_status put_id_offsets(make *m, uint32_t *numbers, size_t n, void *state,
                                 dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = (uint32_t)dpl_collection_doc(m->c, numbers[i]).id.n;
    return put_offsets(m, numbers, n, state, err);
}

static dpl_status put_ids(make *m, uint32_t *numbers, size_t n, void *state, dpl_error *err)
{
    (void)state;
    for (size_t i = 0; i < n; i++) {
        dpl_str id = dpl_collection_doc(m->c, numbers[i]).id;
        DPL_TRY(dpl__writer_append(m->writer, id.data, id.n, err));
    }
    return DPL_OK;
}

static dpl_status begin_offsets(make *m, const char *name, dpl_error *err)
{
    static const uint64_t zero = 0;
    return dpl__writer_add(m->writer, name, 8, &zero, sizeof zero, err);
}

static dpl_status write_ids(make *m, dpl_error *err)
{
    uint64_t end = 0;
    DPL_TRY(begin_offsets(m, "id.offsets", err));
    DPL_TRY(each(m, &m->docs, put_id_offsets, &end, err));
    DPL_TRY(dpl__writer_begin(m->writer, "id.bytes", 1, err));
    return each(m, &m->docs, put_ids, NULL, err);
}

static dpl_status write_terms(make *m, dpl_error *err)
{
    const dpl__projection *p = &m->projection;
    uint64_t end = 0;
    uint32_t lengths[SOME];
    size_t n = 0;
    DPL_TRY(begin_offsets(m, "term.offsets", err));
    for (uint32_t i = 0; i < p->n_texts; i++) {
        if (is_used(m, i))
            lengths[n++] = (uint32_t)p->texts[i].n;
        if (n == SOME) {
            DPL_TRY(put_offsets(m, lengths, n, &end, err));
            n = 0;
        }
    }
    DPL_TRY(put_offsets(m, lengths, n, &end, err));
    DPL_TRY(dpl__writer_begin(m->writer, "term.bytes", 1, err));
    for (uint32_t i = 0; i < p->n_texts; i++)
        if (is_used(m, i))
            DPL_TRY(dpl__writer_append(m->writer, p->texts[i].data, p->texts[i].n, err));
    return DPL_OK;
}

/* ---- what it is --------------------------------------------------------------------- */

static dpl_status write_text(make *m, const char *name, const char *text, dpl_error *err)
{
    return dpl__writer_add(m->writer, name, 1, text, strlen(text), err);
}

static dpl_status write_space(make *m, dpl_error *err)
{
    const dpl_vectors_options *o = &m->options;
    const dpl__weighting_ops *ops = m->weigher.ops;
    char text[200], unit[32], settings[80] = "";
    if (o->ngrams)
        snprintf(unit, sizeof unit, "spelling %u", o->ngrams);
    else
        snprintf(unit, sizeof unit, m->facts.ngram ? "characters %u" : "words", m->facts.ngram);
    if (ops->describe)
        ops->describe(settings, sizeof settings, o);
    snprintf(text, sizeof text, "%s%s, %s%s", unit, m->facts.is_stemmed ? ", stem" : "",
             ops->name, settings);
    return write_text(m, "space", text, err);
}

static dpl_status write_settings(make *m, const dpl_lexicon *lexicon, dpl_error *err)
{
    static const char *const directions[] = {"none", "target", "source"};
    const dpl_vectors_options *o = &m->options;
    dpl__json_text text = {.ctx = m->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "weighting", dpl__weighting_name(o->weighting));
    dpl_json_decimal(&j, "k1", o->k1);
    dpl_json_decimal(&j, "b", o->b);
    dpl_json_number(&j, "min_count", o->min_count);
    dpl_json_number(&j, "min_terms", o->min_terms);
    if (o->ngrams)
        dpl_json_number(&j, "spelling", o->ngrams);
    dpl_json_cstr(&j, "direction", directions[m->projection.direction]);
    dpl_json_cstr(&j, "source_lang", lexicon ? lexicon->lang[DPL__LEFT] : "");
    dpl_json_cstr(&j, "target_lang", lexicon ? lexicon->lang[DPL__RIGHT] : "");
    dpl_json_number(&j, "known_terms", m->projection.n_known_terms);
    dpl_json_raw(&j, "collection", dpl_collection_settings(m->c));
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(m->writer, "settings", &text, err);
}

static dpl_status write_rest(make *m, const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl__writer *w = m->writer;
    uint64_t end = 0, n_docs = dpl_collection_get_sizes(m->c)->n_docs;
    uint8_t direction = (uint8_t)m->projection.direction;
    DPL_TRY(write_last_weights(m, err));
    DPL_TRY(write_row_terms(m, err));
    DPL_TRY(begin_offsets(m, "row.offsets", err));
    DPL_TRY(each(m, &m->lengths, put_offsets, &end, err));
    DPL_TRY(dpl__spool_write(&m->docs, w, "row.docs", 4, err));
    DPL_TRY(write_ids(m, err));
    DPL_TRY(write_terms(m, err));
    DPL_TRY(dpl__writer_add(w, "docs", 8, &n_docs, sizeof n_docs, err));
    DPL_TRY(dpl__writer_add(w, "direction", 1, &direction, sizeof direction, err));
    DPL_TRY(write_space(m, err));
    DPL_TRY(write_text(m, "lang", m->projection.lang, err));
    DPL_TRY(write_text(m, "doc.lang", m->facts.lang, err));
    return write_settings(m, lexicon, err);
}

/* Ends the file; with `out`, opens it as vectors at once. */
static dpl_status finish(make *m, dpl_vectors **out, const dpl_lexicon *lexicon,
                         uint64_t *n_output, dpl_error *err)
{
    DPL_TRY(write_rest(m, lexicon, err));
    if (!out)
        return dpl__writer_finish(m->writer, n_output, err);
    dpl_file *file = NULL;
    DPL_TRY(dpl__writer_open(m->writer, &file, err));
    *n_output = dpl_file_get_info(file).n_bytes;
    return dpl__vectors_from_file(out, m->ctx, file, NULL, err);
}

/* ---- setting up --------------------------------------------------------------------- */

static dpl_status set_options(make *m, const dpl_vectors_options *options, dpl_error *err)
{
    dpl_vectors_options *o = &m->options;
    DPL_TRY(DPL__TAKE(o, options, err));
    o->k1 = o->k1 == 0 ? 1.2 : o->k1;
    o->b = o->b == 0 ? 0.75 : o->b < 0 ? 0 : o->b;
    o->min_count = o->min_count ? o->min_count : o->ngrams ? 1 : 2;
    o->min_terms = o->min_terms ? o->min_terms : 5;
    if (!dpl__weighting_name(o->weighting) || (unsigned)o->direction > DPL_DIRECTION_SOURCE)
        return dpl__fail(err, DPL_E_USAGE, "no such weighting or direction");
    if (o->ngrams && (o->ngrams < 2 || o->ngrams > 8))
        return dpl__fail(err, DPL_E_USAGE, "spelling is not 2 to 8 letters");
    if (!(o->k1 > 0 && o->k1 <= 1000))
        return dpl__fail(err, DPL_E_USAGE, "k1 is not above 0 and up to 1000");
    if (!(o->b >= 0 && o->b <= 1))
        return dpl__fail(err, DPL_E_USAGE, "b is not in 0 to 1");
    return DPL_OK;
}

/* What the collection says of all documents, for those of one language that are not skipped. */
static dpl_status count_own(make *m, dpl_error *err)
{
    const size_t n = dpl_collection_get_sizes(m->c)->n_terms + 1;
    snprintf(m->facts.lang, sizeof m->facts.lang, "%s", m->lang);
    m->doc_counts = dpl__calloc(m->ctx, n, sizeof *m->doc_counts);
    m->term_counts = dpl__calloc(m->ctx, n, sizeof *m->term_counts);
    DPL_TRY(dpl__need(m->doc_counts && m->term_counts, err));
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(m->c)->n_docs; doc++) {
        const uint32_t *counts;
        size_t n_row;
        if (m->options.skip[doc])
            continue;
        const uint32_t *terms = dpl_collection_row(m->c, doc, &counts, &n_row);
        m->n_counted++;
        for (size_t i = 0; i < n_row; i++) {
            m->doc_counts[terms[i]]++;
            m->term_counts[terms[i]] += counts[i];
        }
    }
    return DPL_OK;
}

/* df* and average length from the counts. */
static dpl_status set_weights(make *m, dpl_error *err)
{
    const dpl__projection *p = &m->projection;
    const dpl__weighting_ops *ops = dpl__weighting(m->options.weighting);
    const double n_docs = m->lang ? m->n_counted : dpl_collection_get_sizes(m->c)->n_docs;
    double length = 0;
    m->idf = dpl__calloc(m->ctx, (size_t)p->n_texts + 1, sizeof *m->idf);
    DPL_TRY(dpl__need(m->idf, err));
    for (uint32_t f = 0; f < m->facts.n_terms; f++)
        for (uint64_t i = p->table.offsets[f]; i < p->table.offsets[f + 1]; i++) {
            const double share = (double)p->table.p[i];
            const uint32_t df = m->lang ? m->doc_counts[f] : dpl_collection_doc_count(m->c, f);
            const uint64_t tf =
                m->lang ? m->term_counts[f] : dpl_collection_term_count(m->c, f);
            m->idf[p->table.cols[i]] += share * df;
            length += share * (double)tf;
        }
    for (uint32_t i = 0; i < p->n_texts; i++)
        m->idf[i] = ops->idf(n_docs, m->idf[i]);
    m->weigher = (dpl__weigher){.ops = ops,
                                .k1 = m->options.k1,
                                .b = m->options.b,
                                .average = n_docs > 0 ? length / n_docs : 0,
                                .idf = m->idf};
    return DPL_OK;
}

/* The terms are held in memory, whatever it takes: say so before, not by running out of it. */
static dpl_status check_memory(const make *m, const dpl_lexicon *lexicon, dpl_error *err)
{
    uint64_t n_cells = lexicon ? dpl__max(lexicon->sizes.n_entries, lexicon->sizes.n_back) : 0;
    uint64_t n_words = lexicon ? lexicon->words[DPL__LEFT].n + lexicon->words[DPL__RIGHT].n : 0;
    uint64_t n = 64 * (m->facts.n_terms + n_words) + 40 * (n_cells + m->facts.n_terms);
    if (n <= m->ctx->memory / 4 * 3)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory-terms",
                          "vectors of %u terms need %llu MiB of memory", m->facts.n_terms,
                          (unsigned long long)(n / 3 * 4 >> 20) + 1);
}

static dpl_status set_up(make *m, const char *out_path, const dpl_lexicon *lexicon,
                         dpl_error *err)
{
    char dir[4096];
    const char *inputs[] = {dpl_file_get_info(dpl__collection_file(m->c)).path,
                            lexicon ? dpl__lexicon_path(lexicon) : NULL};
    DPL_TRY(dpl__check_overwrite(out_path, inputs, DPL_LEN(inputs), err));
    if (!dpl__spill_dir(dir, sizeof dir, out_path))
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", out_path);
    DPL_TRY(dpl__facts_find(&m->facts, m->c, m->options.min_count, err));
    if (m->lang)
        DPL_TRY(count_own(m, err));
    DPL_TRY(check_memory(m, lexicon, err));
    dpl__projection_input in = {.c = m->c,
                                .facts = &m->facts,
                                .lexicon = lexicon,
                                .direction = m->options.direction,
                                .into = m->options.into};
    if (m->options.ngrams)
        DPL_TRY(dpl__spelling_make(&m->projection, m->ctx, m->c, &m->facts, m->options.ngrams,
                                   err));
    else
        DPL_TRY(dpl__projection_make(&m->projection, m->ctx, &in, err));
    DPL_TRY(set_weights(m, err));
    m->n_used_words = m->projection.n_texts / 64 + 1;
    m->n_slots = 2 * (size_t)m->ctx->n_threads + 1;
    m->used = dpl__calloc(m->ctx, m->n_used_words, sizeof *m->used);
    m->slots = dpl__calloc(m->ctx, m->n_slots, sizeof *m->slots);
    m->workers = dpl__calloc(m->ctx, m->ctx->n_threads, sizeof *m->workers);
    DPL_TRY(dpl__need(m->used && m->slots && m->workers, err));
    const char *spill_dir = m->options.temp ? m->options.temp : dir;
    DPL_TRY(dpl__spill_init(&m->spill, m->ctx, spill_dir, err));
    m->most_held = m->ctx->memory / 8 / 4;
    dpl__spool_init(&m->terms, &m->spill, (size_t)(m->ctx->memory / 64));
    dpl__spool_init(&m->lengths, &m->spill, (size_t)(m->ctx->memory / 64));
    dpl__spool_init(&m->docs, &m->spill, (size_t)(m->ctx->memory / 64));
    DPL_TRY(dpl__writer_new(&m->writer, m->ctx, out_path, "vectors", err));
    return dpl__writer_begin(m->writer, "row.weights", 4, err);
}

static void tear_down(make *m)
{
    dpl_ctx *ctx = m->ctx;
    dpl__writer_free(m->writer);
    for (size_t i = 0; i < m->batches.n; i++)
        dpl__free(ctx, m->batches.data[i].terms);
    dpl__vec_clear(ctx, &m->batches);
    dpl__spool_clear(&m->terms);
    dpl__spool_clear(&m->lengths);
    dpl__spool_clear(&m->docs);
    dpl__spill_clear(&m->spill);
    for (size_t i = 0; m->slots && i < m->n_slots; i++)
        dpl__vec_clear(ctx, &m->slots[i].docs, &m->slots[i].lengths, &m->slots[i].terms,
                       &m->slots[i].weights);
    for (unsigned i = 0; m->workers && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &m->workers[i].parts, &m->workers[i].sorted);
    dpl__free(ctx, m->workers, m->slots, m->used, m->idf);
    dpl__free(ctx, m->doc_counts, m->term_counts);
    dpl__projection_clear(&m->projection);
}

static void summarize(dpl_vectors_summary *s, const make *m)
{
    uint32_t n_docs = dpl_collection_get_sizes(m->c)->n_docs;
    s->n_docs = n_docs;
    s->n_rows = m->n_rows;
    s->n_dropped = n_docs - m->n_rows;
    s->n_terms = m->n_terms;
    s->n_entries = m->n_entries;
    s->direction = m->projection.direction;
    s->is_target = m->projection.is_target;
    s->is_counted = m->projection.is_counted;
    s->n_source_terms = m->facts.n_terms;
    s->n_known_terms = m->projection.n_known_terms;
    s->n_known_tokens = m->projection.n_known_tokens;
    s->n_spilled_bytes = atomic_load(&m->spill.n_bytes);
    snprintf(s->lang, sizeof s->lang, "%s", m->projection.lang);
    snprintf(s->doc_lang, sizeof s->doc_lang, "%s", m->facts.lang);
    for (uint32_t f = 0; f < m->facts.n_terms; f++)
        s->n_source_tokens += dpl_collection_term_count(m->c, f);
}

static dpl_status run(make *m, dpl_vectors **out, dpl_vectors_summary *s, const char *out_path,
                      const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(set_up(m, out_path, lexicon, err));
    const dpl__pipeline p = {m, m->n_slots, produce, map, commit};
    DPL__STEP(dpl__pipeline_run(m->ctx, &p, err));
    DPL__STEP(finish(m, out, lexicon, &s->n_output_bytes, err));
    summarize(s, m);
done:
    tear_down(m);
    return status;
}

/* Makes vectors to out_path, or to *out. */
static dpl_status make_any(make *m, dpl_vectors **out, dpl_vectors_summary *summary,
                           const char *out_path, const dpl_lexicon *lexicon, dpl_error *err)
{
    double began = dpl__now();
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    if (lexicon && m->options.ngrams)
        return dpl__fail(err, DPL_E_USAGE, "vectors of spelling need no lexicon");
    DPL_TRY(run(m, out, &s, out_path, lexicon, err));
    s.seconds = dpl__now() - began;
    DPL__GIVE(summary, &s);
    return DPL_OK;
}

dpl_status dpl_vectors_make(dpl_vectors_summary *summary, dpl_ctx *ctx, const char *out_path,
                            const dpl_collection *collection, const dpl_lexicon *lexicon,
                            const dpl_vectors_options *options, dpl_error *err)
{
    make m = {.ctx = ctx, .c = collection};
    DPL_TRY(set_options(&m, options, err));
    return make_any(&m, NULL, summary, out_path, lexicon, err);
}

dpl_status dpl_vectors_from_collection(dpl_vectors **out, dpl_vectors_summary *summary,
                                       dpl_ctx *ctx, const dpl_collection *collection,
                                       const dpl_lexicon *lexicon,
                                       const dpl_vectors_options *options, dpl_error *err)
{
    make m = {.ctx = ctx, .c = collection};
    *out = NULL;
    DPL_TRY(set_options(&m, options, err));
    return make_any(&m, out, summary, NULL, lexicon, err);
}

dpl_status dpl__vectors_of_language(dpl_vectors **out, const dpl_collection *collection,
                                    const char *lang, const dpl_lexicon *lexicon,
                                    const dpl_vectors_options *options, dpl_error *err)
{
    make m = {
        .ctx = dpl__file_ctx(dpl__collection_file(collection)), .c = collection, .lang = lang};
    *out = NULL;
    DPL_TRY(set_options(&m, options, err));
    assert(m.options.skip && m.options.min_count == 1);
    return make_any(&m, out, NULL, NULL, lexicon, err);
}
