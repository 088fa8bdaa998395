/*
 * text_vectors.c - vectors with the statistics of text, slab by slab.
 *
 * Every row has its own random numbers, so rows do not depend on threads or slabs.
 */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include "text_vectors.h"

#include "base/hash.h"
#include "base/maths.h"
#include "par/pool.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    N_TERMS = 100000,
    N_DIGITS = 5,
    N_FIELDS = 20, /* broad subjects: a row has three of them */
    FIELD_WORDS = 150,
    N_TOPICS = 40000, /* narrow ones: a row has one, some are frequent */
    TOPIC_WORDS = 1000,
    LEAST_TOKENS = 60,
    MOST_TOKENS = 640,
    MOST_TERMS = 2 * MOST_TOKENS, /* of a row: a planted one has those of two */
    SLAB = 1024,                  /* rows */
    MOST_SLOTS = 64
};

/* Shares of the tokens of a row; the others are any words. */
static const double FIELD_SHARE = 0.48, TOPIC_SHARE = 0.08;
static const double COSINES[2] = {0.32, 0.6}; /* of planted pairs */
static const double TOKENS = 160;             /* of a typical row */
/* BM25; an idf to the power of 1 would leave too little for words that many rows share. */
static const double K1 = 1.2, B = 0.75, MEAN_TOKENS = 184, IDF_POWER = 0.8;

typedef struct row {
    uint32_t terms[MOST_TERMS];
    float weights[MOST_TERMS];
    size_t n;
} row;

typedef struct slab {
    uint32_t first, n;
    uint32_t *terms;
    float *weights;
    uint32_t lengths[SLAB];
    size_t n_entries;
} slab;

typedef struct maker {
    dpl_ctx *ctx;
    const text_vectors *right; /* NULL: this is the right side */
    const uint32_t *planted;
    const float *idf;
    uint64_t seed;
    uint32_t n_rows, next;
    slab *slots;
    size_t n_slots;
    uint64_t *offsets;
    uint32_t *terms;
    float *weights;
} maker;

static double uniform(dpl__rng *rng)
{
    return (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
}

/* ---- a row -------------------------------------------------------------------------- */

/* Rank by Zipf's law, from 0. */
static uint32_t draw_rank(dpl__rng *rng, double n)
{
    return (uint32_t)(dpl__exp2(uniform(rng) * dpl__log2(n)) - 0.999999);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* By rank, which says in how many rows a term is. */
static void make_idf(float *idf)
{
    for (uint32_t rank = 0; rank < N_TERMS; rank++) {
        double share = (1 - FIELD_SHARE - TOPIC_SHARE) / ((rank + 1.0) * dpl__log(N_TERMS));
        double in = 1 - dpl__exp(-MEAN_TOKENS * share) + 1e-7; /* share of the rows */
        idf[rank] = (float)dpl__pow(dpl__log(1 + (1 - in) / in), IDF_POWER);
    }
}

static void normalise(row *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += (double)r->weights[i] * (double)r->weights[i];
    for (size_t i = 0; i < r->n; i++)
        r->weights[i] = (float)((double)r->weights[i] / sqrt(sum));
}

/* Ranks are spread over the numbers, so that frequent terms do not stand together. */
static uint32_t number_of(uint32_t rank)
{
    return (uint32_t)(rank * (uint64_t)7919 % N_TERMS);
}

/* The rank of a token: of a field, of the topic, or any. */
static uint32_t draw_token(dpl__rng *rng, uint64_t topic, uint64_t field)
{
    double which = uniform(rng);
    if (which < FIELD_SHARE)
        return 60 + (uint32_t)(dpl__mix(field << 32 | draw_rank(rng, FIELD_WORDS)) % 8000);
    if (which < FIELD_SHARE + TOPIC_SHARE)
        return 60 +
               (uint32_t)(dpl__mix((topic + N_FIELDS) << 32 | draw_rank(rng, TOPIC_WORDS)) %
                          (N_TERMS / 2));
    return draw_rank(rng, N_TERMS);
}

static void draw_row(row *r, const float *idf, dpl__rng *rng)
{
    uint32_t tokens[MOST_TOKENS];
    double spread = uniform(rng) + uniform(rng) + uniform(rng) - 1.5; /* about normal */
    double wanted = TOKENS * dpl__exp(0.9 * spread);
    size_t n = wanted < LEAST_TOKENS  ? LEAST_TOKENS
               : wanted > MOST_TOKENS ? MOST_TOKENS
                                      : (size_t)wanted;
    uint64_t topic = draw_rank(rng, N_TOPICS), fields[3];
    for (size_t i = 0; i < DPL_LEN(fields); i++)
        fields[i] = dpl__rng_below(rng, N_FIELDS);
    for (size_t i = 0; i < n; i++)
        tokens[i] = draw_token(rng, topic, fields[i % DPL_LEN(fields)]);
    qsort(tokens, n, sizeof *tokens, by_number);
    r->n = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && tokens[end] == tokens[i];)
            end++;
        double tf = (double)(end - i);
        double rate = tf * (K1 + 1) / (tf + K1 * (1 - B + B * (double)n / MEAN_TOKENS));
        r->terms[r->n] = number_of(tokens[i]);
        r->weights[r->n++] = (float)((double)idf[tokens[i]] * rate);
    }
    normalise(r);
}

typedef struct entry {
    uint32_t term;
    float weight;
} entry;

static int by_term(const void *a, const void *b)
{
    return by_number(&((const entry *)a)->term, &((const entry *)b)->term);
}

static void sort_row(row *r)
{
    entry all[MOST_TERMS];
    for (size_t i = 0; i < r->n; i++)
        all[i] = (entry){r->terms[i], r->weights[i]};
    qsort(all, r->n, sizeof *all, by_term);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (n && r->terms[n - 1] == all[i].term) {
            r->weights[n - 1] += all[i].weight;
            continue;
        }
        r->terms[n] = all[i].term;
        r->weights[n++] = all[i].weight;
    }
    r->n = n;
}

/* A part of the other row with this sum of squares, which is then their cosine, about. */
static void plant(row *r, const float *idf, dpl__rng *rng, const dpl__rows *rows,
                  uint32_t other, double cosine)
{
    uint64_t begin = rows->offsets[other], n = rows->offsets[other + 1] - begin;
    uint64_t at = dpl__rng_below(rng, n);
    double kept = 0;
    row fresh;
    draw_row(&fresh, idf, rng);
    r->n = 0;
    for (uint64_t i = 0; i < n && kept < cosine; i++) {
        uint64_t from = begin + (at + i) % n;
        kept += (double)rows->weights[from] * (double)rows->weights[from];
        r->terms[r->n] = rows->terms[from];
        r->weights[r->n++] = rows->weights[from];
    }
    double rest = kept < 1 ? sqrt(1 - kept) : 0;
    for (size_t k = 0; k < fresh.n && r->n < MOST_TERMS; k++) {
        r->terms[r->n] = fresh.terms[k];
        r->weights[r->n++] = (float)((double)fresh.weights[k] * rest);
    }
}

static void make_row(row *r, const maker *m, uint32_t number)
{
    dpl__rng rng = {dpl__mix(m->seed ^ number)};
    if (m->planted && m->planted[number] != UINT32_MAX)
        plant(r, m->idf, &rng, &m->right->vectors.rows, m->planted[number],
              COSINES[0] + (COSINES[1] - COSINES[0]) * uniform(&rng));
    else
        draw_row(r, m->idf, &rng);
    sort_row(r);
    normalise(r);
}

/* ---- slabs -------------------------------------------------------------------------- */

static dpl_status next_slab(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    maker *m = user;
    if (m->next == m->n_rows)
        return DPL_END;
    slab *s = &m->slots[slot];
    s->first = m->next;
    s->n = (uint32_t)dpl__min(SLAB, m->n_rows - m->next);
    m->next += s->n;
    return DPL_OK;
}

static dpl_status fill_slab(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    maker *m = user;
    slab *s = &m->slots[slot];
    row r;
    s->n_entries = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        make_row(&r, m, s->first + i);
        memcpy(s->terms + s->n_entries, r.terms, r.n * sizeof *r.terms);
        memcpy(s->weights + s->n_entries, r.weights, r.n * sizeof *r.weights);
        s->n_entries += r.n;
        s->lengths[i] = (uint32_t)r.n;
    }
    return DPL_OK;
}

static dpl_status store_slab(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    maker *m = user;
    const slab *s = &m->slots[slot];
    uint64_t at = m->offsets[s->first];
    memcpy(m->terms + at, s->terms, s->n_entries * sizeof *s->terms);
    memcpy(m->weights + at, s->weights, s->n_entries * sizeof *s->weights);
    for (uint32_t i = 0; i < s->n; i++)
        m->offsets[s->first + i + 1] = m->offsets[s->first + i] + s->lengths[i];
    return DPL_OK;
}

static dpl_status run_slabs(maker *m, dpl_error *err)
{
    size_t n = (size_t)SLAB * MOST_TERMS;
    m->n_slots = dpl__min(MOST_SLOTS, 2 * (size_t)m->ctx->n_threads);
    m->slots = dpl__calloc(m->ctx, m->n_slots, sizeof *m->slots);
    bool has_memory = m->slots != NULL;
    for (size_t i = 0; has_memory && i < m->n_slots; i++) {
        m->slots[i].terms = dpl__alloc(m->ctx, n * sizeof(uint32_t));
        m->slots[i].weights = dpl__alloc(m->ctx, n * sizeof(float));
        has_memory = m->slots[i].terms && m->slots[i].weights;
    }
    dpl__pipeline p = {m, m->n_slots, next_slab, fill_slab, store_slab};
    dpl_status status = has_memory ? dpl__pipeline_run(m->ctx, &p, err) : dpl__fail_nomem(err);
    for (size_t i = 0; m->slots && i < m->n_slots; i++)
        dpl__free(m->ctx, m->slots[i].terms, m->slots[i].weights);
    dpl__free(m->ctx, m->slots);
    return status;
}

/* ---- files -------------------------------------------------------------------------- */

/* A file of holes, of which only what is written takes space. */
static void *map_file(text_vectors *v, const char *dir, size_t n_bytes, dpl_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/text-vectors-XXXXXX", dir);
    int fd = mkstemp(path);
    void *data = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)n_bytes) == 0)
        data = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (fd >= 0) {
        unlink(path);
        close(fd);
    }
    if (data == MAP_FAILED) {
        dpl__fail(err, DPL_E_IO, "cannot make a file of %zu bytes in '%s'", n_bytes, dir);
        return NULL;
    }
    v->maps[v->n_maps].data = data;
    v->maps[v->n_maps++].n_bytes = n_bytes;
    return data;
}

static dpl_status make_names(text_vectors *v, const char *dir, dpl_error *err)
{
    uint64_t *offsets = map_file(v, dir, (N_TERMS + 1) * sizeof *offsets, err);
    char *bytes = offsets ? map_file(v, dir, (size_t)N_TERMS * N_DIGITS, err) : NULL;
    if (!bytes)
        return DPL_E_IO;
    for (uint32_t i = 0; i <= N_TERMS; i++) {
        offsets[i] = (uint64_t)i * N_DIGITS;
        for (uint32_t k = N_DIGITS, x = i; i < N_TERMS && k-- > 0; x /= 10)
            bytes[(size_t)i * N_DIGITS + k] = (char)('0' + x % 10);
    }
    v->vectors.terms = v->vectors.ids = (dpl__strings){offsets, bytes, N_TERMS};
    return DPL_OK;
}

/* Each planted left row has a right row of its own. */
static dpl_status choose_planted(text_vectors *v, const char *dir, uint32_t n_left,
                                 uint32_t n_right, uint32_t n, dpl_error *err)
{
    v->planted = map_file(v, dir, n_left * sizeof *v->planted, err);
    if (!v->planted)
        return DPL_E_IO;
    v->n_planted = (uint32_t)dpl__min(n, dpl__min(n_left, n_right));
    memset(v->planted, 0xFF, n_left * sizeof *v->planted);
    for (uint64_t i = 0; i < v->n_planted; i++)
        v->planted[i * n_left / v->n_planted] =
            (uint32_t)((i * 2654435761u + 12345) % v->n_planted * n_right / v->n_planted);
    return DPL_OK;
}

dpl_status text_vectors_make(text_vectors *out, dpl_ctx *ctx, const char *dir, uint32_t n_rows,
                             const text_vectors *right, uint32_t n_planted, dpl_error *err)
{
    *out = (text_vectors){.vectors = {.ctx = ctx, .path = (char *)"text"}};
    maker m = {.ctx = ctx, .right = right, .n_rows = n_rows, .seed = dpl__mix(right ? 1 : 2)};
    size_t most = (size_t)n_rows * MOST_TERMS;
    if (right)
        DPL_TRY(choose_planted(out, dir, n_rows, right->vectors.sizes.n_rows, n_planted, err));
    m.planted = out->planted;
    float *idf = map_file(out, dir, N_TERMS * sizeof *idf, err);
    if (!idf)
        return DPL_E_IO;
    make_idf(idf);
    m.idf = idf;
    m.offsets = map_file(out, dir, ((size_t)n_rows + 1) * sizeof *m.offsets, err);
    m.terms = m.offsets ? map_file(out, dir, most * sizeof *m.terms, err) : NULL;
    m.weights = m.terms ? map_file(out, dir, most * sizeof *m.weights, err) : NULL;
    if (!m.weights)
        return DPL_E_IO;
    DPL_TRY(run_slabs(&m, err));
    if (right)
        out->vectors.terms = out->vectors.ids = right->vectors.terms;
    else
        DPL_TRY(make_names(out, dir, err));
    out->vectors.sizes = (dpl_vectors_sizes){
        .n_rows = n_rows, .n_terms = N_TERMS, .n_entries = m.offsets[n_rows]};
    out->vectors.rows = (dpl__rows){n_rows, N_TERMS, m.offsets, m.terms, m.weights};
    return DPL_OK;
}

void text_vectors_free(text_vectors *v)
{
    while (v->n_maps) {
        v->n_maps--;
        munmap(v->maps[v->n_maps].data, v->maps[v->n_maps].n_bytes);
    }
}
