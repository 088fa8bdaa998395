/*
 * build_rows.c - rows of counts, their vectors, and what follows from them document by
 * document.
 *
 * Documents are worked on in blocks on all threads, and what they become is taken in their
 * order; so sums of real numbers have one order, too.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "par/pool.h"

#include <math.h>
#include <stdio.h>

/* ---- blocks ------------------------------------------------------------------------- */

enum { BLOCK = 128 };

typedef struct block {
    uint32_t first, n;
    dpl__bytes bytes;
    size_t ends[BLOCK];
} block;

typedef struct walking {
    dpl__builder *b;
    const dpl__doc_walk *walk;
    block *blocks;
    size_t n_blocks;
    dpl__row_scratch *scratch;
    uint32_t next;
} walking;

void dpl__row_scratch_clear(dpl__row_scratch *s, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &s->counts, &s->row, &s->order, &s->marks, &s->weights);
    dpl__coder_clear(&s->coder);
}

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    walking *w = user;
    if (w->next >= w->b->n_docs)
        return DPL_END;
    block *k = &w->blocks[slot];
    k->first = w->next;
    k->n = (uint32_t)dpl__min(BLOCK, w->b->n_docs - w->next);
    k->bytes.n = 0;
    w->next += k->n;
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    walking *w = user;
    block *k = &w->blocks[slot];
    for (uint32_t i = 0; i < k->n; i++) {
        DPL_TRY(
            w->walk->make(w->walk->user, k->first + i, &w->scratch[worker], &k->bytes, err));
        k->ends[i] = k->bytes.n;
    }
    return DPL_OK;
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    walking *w = user;
    const block *k = &w->blocks[slot];
    size_t begin = 0;
    for (uint32_t i = 0; i < k->n; begin = k->ends[i++])
        DPL_TRY(w->walk->take(w->walk->user, k->first + i, k->bytes.data + begin,
                              k->ends[i] - begin, err));
    const dpl_progress progress = {w->walk->stage, "documents", k->first + k->n, w->b->n_docs};
    return dpl__progress(w->b->ctx, &progress, err);
}

static dpl_status walk_docs(dpl__builder *b, const dpl__doc_walk *walk, dpl_error *err)
{
    const unsigned n_threads = b->ctx->n_threads;
    walking w = {.b = b, .walk = walk, .n_blocks = 2 * (size_t)n_threads};
    w.blocks = dpl__calloc(b->ctx, w.n_blocks, sizeof *w.blocks);
    w.scratch = dpl__calloc(b->ctx, n_threads, sizeof *w.scratch);
    const dpl__pipeline p = {&w, w.n_blocks, produce, map, commit};
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(w.blocks && w.scratch, err));
    for (unsigned i = 0; b->hash && i < n_threads; i++)
        DPL__STEP(dpl__coder_init(&w.scratch[i].coder, b->ctx, b->hash, err));
    DPL__STEP(dpl__pipeline_run(b->ctx, &p, err));
done:
    for (size_t i = 0; w.blocks && i < w.n_blocks; i++)
        dpl__vec_clear(b->ctx, &w.blocks[i].bytes);
    for (unsigned i = 0; w.scratch && i < n_threads; i++)
        dpl__row_scratch_clear(&w.scratch[i], b->ctx);
    dpl__free(b->ctx, w.scratch, w.blocks);
    return status;
}

dpl_status dpl__build_walk_section(dpl__builder *b, const dpl__doc_walk *walk, const char *name,
                                   size_t slack, dpl__offsets_writer *offsets, dpl_error *err)
{
    static const char zeros[DPL__SLACK];
    char section[32];
    assert(slack <= sizeof zeros);
    snprintf(section, sizeof section, "%s.bytes", name);
    DPL_TRY(dpl__writer_begin(b->writer, section, 1, err));
    DPL_TRY(walk_docs(b, walk, err));
    DPL_TRY(dpl__writer_append(b->writer, zeros, slack, err));
    snprintf(section, sizeof section, "%s.offsets", name);
    return dpl__build_write_offsets(b, section, offsets, err);
}

/* ---- rows --------------------------------------------------------------------------- */

/* Terms of the index and their counts, terms rising, of document doc. */
static dpl_status own_row(const dpl__builder *b, dpl__row_scratch *s, uint32_t doc,
                          dpl_error *err)
{
    uint32_t local;
    const dpl__pocket_source *source = dpl__build_source_of(b, doc, &local);
    s->order.n = s->row.n = 0;
    DPL_TRY(dpl__need(dpl__build_counts_of(b->ctx, &s->counts, source, local) &&
                          dpl__vec_reserve(b->ctx, &s->order, s->counts.n) &&
                          dpl__vec_reserve(b->ctx, &s->row, s->counts.n),
                      err));
    const size_t n = s->counts.n;
    for (size_t i = 0; i < n; i++)
        s->order.data[i] =
            (uint64_t)source->terms[s->counts.data[i].term] << 32 | s->counts.data[i].count;
    dpl__sort_words(s->order.data, n);
    for (size_t i = 0; i < n; i++)
        s->row.data[i] = (dpl__build_entry){(uint32_t)(s->order.data[i] >> 32),
                                            (uint32_t)s->order.data[i], 0};
    s->row.n = n;
    return DPL_OK;
}

/* Adds up entries of the same term, in the order they came. */
static dpl_status join_entries(const dpl__builder *b, dpl__row_scratch *s, size_t first,
                               dpl_error *err)
{
    const size_t n = s->row.n - first;
    s->order.n = 0;
    DPL_TRY(dpl__need(
        dpl__vec_reserve(b->ctx, &s->order, n) && dpl__vec_reserve(b->ctx, &s->row, n), err));
    dpl__build_entry *from = s->row.data + first, *to = s->row.data + first + n;
    for (size_t i = 0; i < n; i++)
        s->order.data[i] = (uint64_t)from[i].term << 32 | i;
    dpl__sort_words(s->order.data, n);
    size_t n_joined = 0;
    for (size_t i = 0; i < n; i++) {
        const dpl__build_entry e = from[(uint32_t)s->order.data[i]];
        if (n_joined && to[n_joined - 1].term == e.term)
            to[n_joined - 1].tf += e.tf;
        else
            to[n_joined++] = e;
    }
    memmove(s->row.data, to, n_joined * sizeof *to);
    s->row.n = n_joined;
    return DPL_OK;
}

static dpl_status translate(const dpl__builder *b, dpl__row_scratch *s,
                            const dpl__build_lexicon *l, dpl_error *err)
{
    const size_t n = s->row.n;
    for (size_t i = 0; i < n; i++) {
        const dpl__build_entry e = s->row.data[i];
        const uint32_t begin = l->offsets[e.term], end = l->offsets[e.term + 1];
        DPL_TRY(dpl__need(dpl__vec_reserve(b->ctx, &s->row, end - begin + 1u), err));
        if (begin == end)
            s->row.data[s->row.n++] = e;
        for (uint32_t k = begin; k < end; k++)
            s->row.data[s->row.n++] =
                (dpl__build_entry){l->cells.data[k].to, e.tf * (double)l->cells.data[k].p, 0};
    }
    return join_entries(b, s, n, err);
}

static const dpl__build_lexicon *lexicon_of(const dpl__builder *b, uint32_t doc)
{
    const uint32_t i = b->lang_lexicon[b->doc_langs[doc]];
    return i == UINT32_MAX ? NULL : &b->lexicons.data[i];
}

static double damp_of(const dpl__builder *b, double length)
{
    const dpl_index x = {.average = b->average};
    return dpl__bm25_damp(&x, length);
}

dpl_status dpl__build_vector(const dpl__builder *b, dpl__row_scratch *s, uint32_t doc,
                             double *norm, double *length, dpl_error *err)
{
    const dpl__build_lexicon *l = lexicon_of(b, doc);
    DPL_TRY(own_row(b, s, doc, err));
    if (l)
        DPL_TRY(translate(b, s, l, err));
    double sum = 0, squares = 0;
    for (size_t i = 0; i < s->row.n; i++)
        sum += s->row.data[i].tf;
    const double damp = damp_of(b, sum);
    for (size_t i = 0; i < s->row.n; i++) {
        dpl__build_entry *e = &s->row.data[i];
        const double weight = dpl__bm25((double)b->idf[e->term], e->tf, damp);
        e->weight = (float)weight;
        squares += weight * weight;
    }
    *norm = sqrt(squares);
    *length = sum;
    assert(isfinite(squares));
    return DPL_OK;
}

/* ---- rows to the file --------------------------------------------------------------- */

typedef struct rows_pass {
    dpl__builder *b;
    dpl__offsets_writer offsets;
    double length; /* of all documents */
} rows_pass;

/* The numbers become a block. There is room for DPL__SLACK bytes more than it needs. */
static uint8_t *put_block(uint8_t *p, const uint64_t *numbers, size_t n, unsigned width)
{
    const size_t n_bytes = dpl__block_bytes(n, width);
    memset(p, 0, n_bytes + DPL__SLACK);
    for (size_t i = 0, bit = 0; i < n; i++, bit += width) {
        const uint64_t x = dpl__load64(p + bit / 8) | numbers[i] << bit % 8;
        memcpy(p + bit / 8, &x, sizeof x);
    }
    return p + n_bytes;
}

static uint8_t *put_row_block(uint8_t *p, const dpl__build_entry *row, size_t n,
                              uint32_t *before)
{
    uint64_t numbers[DPL__ROW_BLOCK], steps = 0, counts = 0;
    uint32_t last = *before;
    for (size_t i = 0; i < n; i++) {
        steps |= row[i].term - last - 1;
        counts |= (uint32_t)row[i].tf - 1;
        last = row[i].term;
    }
    const unsigned step_bits = dpl__width_of(steps), count_bits = dpl__width_of(counts);
    for (size_t i = 0; i < n; i++) {
        const uint64_t count = (uint32_t)row[i].tf - 1;
        numbers[i] = (row[i].term - *before - 1) | count << step_bits;
        *before = row[i].term;
    }
    *p++ = (uint8_t)step_bits;
    *p++ = (uint8_t)count_bits;
    return put_block(p, numbers, n, step_bits + count_bits);
}

static dpl_status put_row(dpl_ctx *ctx, const dpl__build_row *row, dpl__bytes *out,
                          dpl_error *err)
{
    enum { MOST = 8, HEAD = 2 }; /* bytes of an entry, and of a block and the number of terms */
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, out, row->n * (MOST + HEAD) + 16), err));
    uint8_t *p = (uint8_t *)out->data + out->n;
    uint32_t before = UINT32_MAX;
    if (row->n)
        p += dpl__put_varint(p, (uint32_t)row->n);
    for (size_t i = 0; i < row->n; i += DPL__ROW_BLOCK)
        p = put_row_block(p, row->data + i, dpl__min(DPL__ROW_BLOCK, row->n - i), &before);
    out->n = (size_t)((char *)p - out->data);
    return DPL_OK;
}

static dpl_status make_row(void *user, uint32_t doc, dpl__row_scratch *s, dpl__bytes *out,
                           dpl_error *err)
{
    rows_pass *p = user;
    const dpl__build_lexicon *l = lexicon_of(p->b, doc);
    double length = p->b->doc_words[doc];
    DPL_TRY(own_row(p->b, s, doc, err));
    if (l) {
        length = 0;
        for (size_t i = 0; i < s->row.n; i++) {
            const dpl__build_entry *e = &s->row.data[i];
            const uint32_t begin = l->offsets[e->term], end = l->offsets[e->term + 1];
            double share = begin == end;
            for (uint32_t k = begin; k < end; k++)
                share += (double)l->cells.data[k].p;
            length += e->tf * share;
        }
    }
    DPL_TRY(
        dpl__need(dpl__vec_append(p->b->ctx, out, (const char *)&length, sizeof length), err));
    return put_row(p->b->ctx, &s->row, out, err);
}

static dpl_status take_row(void *user, uint32_t doc, const char *bytes, size_t n,
                           dpl_error *err)
{
    rows_pass *p = user;
    double length;
    (void)doc;
    memcpy(&length, bytes, sizeof length);
    p->length += length;
    DPL_TRY(dpl__writer_append(p->b->writer, bytes + sizeof length, n - sizeof length, err));
    return dpl__offsets_add(&p->offsets, n - sizeof length, err);
}

/* Documents of each term, by language: those that are not translated, then each other one. */
static dpl_status count_docs(dpl__builder *b, double *df, dpl_error *err)
{
    dpl__row_scratch s = {0};
    dpl_status status = DPL_OK;
    for (uint32_t doc = 0; doc < b->n_docs && status == DPL_OK; doc++) {
        const dpl__build_lexicon *l = lexicon_of(b, doc);
        status = own_row(b, &s, doc, err);
        for (size_t i = 0; i < s.row.n && status == DPL_OK; i++) {
            const uint32_t term = s.row.data[i].term;
            const uint32_t begin = l ? l->offsets[term] : 0, end = l ? l->offsets[term + 1] : 0;
            if (begin == end)
                df[term]++;
            for (uint32_t k = begin; k < end; k++)
                df[l->cells.data[k].to] += (double)l->cells.data[k].p;
        }
    }
    dpl__row_scratch_clear(&s, b->ctx);
    return status;
}

static dpl_status make_idf(dpl__builder *b, dpl_error *err)
{
    double *df = dpl__calloc(b->ctx, (size_t)b->n_terms + 1, sizeof *df);
    DPL_TRY(dpl__need(df, err));
    dpl_status status = DPL_OK;
    if (b->lexicons.n)
        status = count_docs(b, df, err);
    else
        for (uint32_t t = 0; t < b->n_terms; t++)
            df[t] = b->terms.data[b->order[t]].n_docs;
    for (uint32_t t = 0; t < b->n_terms && status == DPL_OK; t++)
        b->idf[t] = (float)dpl__bm25_idf(b->n_docs, df[t] > 1 ? df[t] : 1);
    b->unknown_idf = dpl__bm25_idf(b->n_docs ? b->n_docs : 1, 1);
    dpl__free(b->ctx, df);
    return status;
}

dpl_status dpl__build_rows(dpl__builder *b, dpl_error *err)
{
    rows_pass p = {.b = b, .offsets = {.ctx = b->ctx}};
    const dpl__doc_walk walk = {&p, "rows", make_row, take_row};
    DPL_TRY(make_idf(b, err));
    dpl_status status = dpl__build_walk_section(b, &walk, "row", DPL__SLACK, &p.offsets, err);
    b->average = b->n_docs ? p.length / b->n_docs : 0;
    dpl__offsets_clear(&p.offsets);
    return status;
}

/* ---- norms, codes ------------------------------------------------------------------- */

static uint64_t *codes_of(const dpl__builder *b, uint32_t doc)
{
    return (uint64_t *)(void *)b->codes.data + (size_t)doc * b->hash->options.codes;
}

static dpl_status make_codes(void *user, uint32_t doc, dpl__row_scratch *s, dpl__bytes *out,
                             dpl_error *err)
{
    dpl__builder *b = user;
    double norm, length;
    DPL_TRY(dpl__build_vector(b, s, doc, &norm, &length, err));
    b->norms[doc] = (float)norm;
    uint64_t *codes = codes_of(b, doc);
    s->marks.n = s->weights.n = 0;
    const size_t n = s->row.n;
    DPL_TRY(dpl__need(dpl__vec_reserve(b->ctx, &s->marks, n + 1) &&
                          dpl__vec_reserve(b->ctx, &s->weights, n + 1) &&
                          dpl__vec_reserve(b->ctx, out, n * sizeof(uint32_t) + 1),
                      err));
    for (size_t i = 0; i < n; i++) {
        s->marks.data[i] =
            b->marks ? b->marks[s->row.data[i].term] : b->keys[s->row.data[i].term];
        s->weights.data[i] = (float)((double)s->row.data[i].weight / norm);
        memcpy(out->data + out->n + i * sizeof(uint32_t), &s->row.data[i].term,
               sizeof(uint32_t));
    }
    out->n += n * sizeof(uint32_t);
    if (n == 0) {
        for (unsigned c = 0; c < b->hash->options.codes; c++)
            codes[c] = DPL_NO_CODE;
        return DPL_OK;
    }
    const dpl__hash_row row = {.marks = s->marks.data, .weights = s->weights.data, .n = n};
    return dpl__coder_codes(&s->coder, codes, &row, err);
}

static dpl_status count_posts(void *user, uint32_t doc, const char *bytes, size_t n,
                              dpl_error *err)
{
    dpl__builder *b = user;
    (void)doc, (void)err;
    for (size_t i = 0; i < n; i += sizeof(uint32_t))
        b->n_posts[dpl__load32(bytes + i)]++;
    return DPL_OK;
}

dpl_status dpl__build_vectors(dpl__builder *b, dpl_error *err)
{
    b->norms = dpl__calloc(b->ctx, (size_t)b->n_docs + 1, sizeof *b->norms);
    DPL_TRY(dpl__need(b->norms, err));
    DPL_TRY(dpl__scratch_init(&b->codes, &b->spill,
                              2 * ((size_t)b->n_docs * b->hash->options.codes + 1),
                              (size_t)(b->ctx->memory / 4), err));
    const dpl__doc_walk walk = {b, "codes", make_codes, count_posts};
    DPL_TRY(walk_docs(b, &walk, err));
    return dpl__writer_add_large(b->writer, "row.norms", 4, b->norms,
                                 b->n_docs * sizeof *b->norms, err);
}

/* ---- postings ----------------------------------------------------------------------- */

typedef DPL_VEC(uint64_t) post_places;

/* A range of terms whose postings are in memory. */
typedef struct posts_pass {
    dpl__builder *b;
    uint32_t first, end;
    uint64_t *at; /* of each term of the range: where its next posting goes */
    uint32_t *docs;
    uint8_t *weights;
    float steps[256];
    post_places places; /* of all terms so far */
    uint64_t n_bytes;
} posts_pass;

static dpl_status make_posts(void *user, uint32_t doc, dpl__row_scratch *s, dpl__bytes *out,
                             dpl_error *err)
{
    const posts_pass *p = user;
    double norm, length;
    DPL_TRY(dpl__build_vector(p->b, s, doc, &norm, &length, err));
    DPL_TRY(dpl__need(dpl__vec_reserve(p->b->ctx, out, s->row.n * 5 + 1), err));
    for (size_t i = 0; i < s->row.n; i++) {
        const dpl__build_entry *e = &s->row.data[i];
        if (e->term < p->first || e->term >= p->end)
            continue;
        const float weight = (float)((double)e->weight / norm);
        size_t step; /* the smallest one that is not below it */
        DPL__LOWER_BOUND(step, 255, p->steps[step] < weight);
        memcpy(out->data + out->n, &e->term, 4);
        out->data[out->n + 4] = (char)(uint8_t)step;
        out->n += 5;
    }
    return DPL_OK;
}

static dpl_status take_posts(void *user, uint32_t doc, const char *bytes, size_t n,
                             dpl_error *err)
{
    posts_pass *p = user;
    (void)err;
    for (size_t i = 0; i < n; i += 5) {
        const uint64_t at = p->at[dpl__load32(bytes + i) - p->first]++;
        p->docs[at] = doc;
        p->weights[at] = (uint8_t)bytes[i + 4];
    }
    return DPL_OK;
}

/* The postings of a term. There is room for DPL__SLACK bytes more than they need. */
static size_t put_list(uint8_t *out, const uint32_t *docs, const uint8_t *weights, size_t n)
{
    uint64_t numbers[DPL__POST_BLOCK];
    uint8_t *p = out;
    uint32_t before = UINT32_MAX;
    const uint32_t n_docs = (uint32_t)n;
    if (n >= DPL__MANY_POSTS) {
        memcpy(p, &n_docs, sizeof n_docs);
        p += sizeof n_docs;
    }
    for (size_t first = 0; first < n; first += DPL__POST_BLOCK) {
        const size_t n_now = dpl__min(DPL__POST_BLOCK, n - first);
        uint64_t steps = 0;
        for (size_t i = 0; i < n_now; i++) {
            const uint32_t step = docs[first + i] - before - 1;
            numbers[i] = (uint64_t)step << 8 | weights[first + i];
            steps |= step;
            before = docs[first + i];
        }
        const unsigned width = dpl__width_of(steps);
        *p++ = (uint8_t)width;
        p = put_block(p, numbers, n_now, width + 8);
    }
    return (size_t)(p - out);
}

/* The list's place in the file, as dpl__post_list_get reads it. */
static dpl_status add_place(posts_pass *p, const uint8_t *weights, size_t n, dpl_error *err)
{
    uint8_t most = 0;
    if (p->n_bytes >> DPL__PLACE_BITS)
        return dpl__fail(err, DPL_E_LIMIT, "more than 1 TiB of postings");
    for (size_t i = 0; i < n; i++)
        most = weights[i] > most ? weights[i] : most;
    const uint64_t place = p->n_bytes << (64 - DPL__PLACE_BITS) | (uint64_t)most << 16 |
                           dpl__min(n, DPL__MANY_POSTS);
    return dpl__need(dpl__vec_push(p->b->ctx, &p->places, place), err);
}

static dpl_status write_posts(posts_pass *p, dpl_error *err)
{
    dpl__builder *b = p->b;
    dpl__bytes bytes = {0};
    dpl_status status = DPL_OK;
    uint64_t begin = 0;
    for (uint32_t t = p->first; t < p->end; t++) {
        const size_t n = b->n_posts[t];
        bytes.n = 0;
        DPL__STEP(dpl__need(dpl__vec_reserve(b->ctx, &bytes, 6 * n + 20), err));
        DPL__STEP(add_place(p, p->weights + begin, n, err));
        bytes.n = put_list((uint8_t *)bytes.data, p->docs + begin, p->weights + begin, n);
        begin += n;
        p->n_bytes += bytes.n;
        DPL__STEP(dpl__writer_append(b->writer, bytes.data, bytes.n, err));
    }
done:
    dpl__vec_clear(b->ctx, &bytes);
    return status;
}

static dpl_status posts_of_range(posts_pass *p, uint64_t n, dpl_error *err)
{
    dpl_ctx *ctx = p->b->ctx;
    const size_t n_terms = p->end - p->first;
    p->at = dpl__alloc(ctx, (n_terms + 1) * sizeof *p->at);
    p->docs = dpl__alloc(ctx, (size_t)(n + 1) * sizeof *p->docs);
    p->weights = dpl__alloc(ctx, (size_t)n + 1);
    dpl_status status;
    DPL__STEP(dpl__need(p->at && p->docs && p->weights, err));
    uint64_t at = 0;
    for (size_t i = 0; i < n_terms; i++) {
        p->at[i] = at;
        at += p->b->n_posts[p->first + i];
    }
    const dpl__doc_walk walk = {p, "postings", make_posts, take_posts};
    DPL__STEP(walk_docs(p->b, &walk, err));
    DPL__STEP(write_posts(p, err));
done:
    dpl__free(ctx, p->weights, p->docs, p->at);
    return status;
}

dpl_status dpl__build_postings(dpl__builder *b, dpl_error *err)
{
    enum { POSTING = 5 }; /* bytes of one in memory */
    posts_pass p = {.b = b};
    static const char zeros[DPL__SLACK];
    const uint64_t room = b->ctx->memory / 4 / POSTING + 1;
    dpl__weight_steps(p.steps);
    dpl_status status;
    DPL__STEP(dpl__writer_begin(b->writer, "post.bytes", 1, err));
    while (p.end < b->n_terms) {
        uint64_t n = 0;
        p.first = p.end;
        while (p.end < b->n_terms && (p.end == p.first || n + b->n_posts[p.end] <= room))
            n += b->n_posts[p.end++];
        DPL__STEP(posts_of_range(&p, n, err));
    }
    DPL__STEP(dpl__writer_append(b->writer, zeros, sizeof zeros, err));
    DPL__STEP(add_place(&p, NULL, 0, err));
    DPL__STEP(dpl__writer_add_large(b->writer, "post.lists", 8, p.places.data,
                                    p.places.n * sizeof *p.places.data, err));
done:
    dpl__vec_clear(b->ctx, &p.places);
    return status;
}
