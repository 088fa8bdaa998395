/*
 * synth_vectors.c - rows of length one with planted pairs of exactly known cosine c.
 *
 * Dense: a left row x has a random direction (normal numbers, scaled). Its counterpart is
 * c x + sqrt(1 - c^2) y with a random y orthogonal to x. All other cosines are those of random
 * directions: 0 with the deviation 1 / sqrt(dims).
 *
 * Sparse: terms have the frequencies of words (synth_model.c), weights are their idf times a
 * random number, as those of documents. Both rows of a pair are sqrt(c) s + sqrt(1 - c) y with
 * the same s and another y; no two of these three parts have a term in common, so that the
 * cosine is c. All other rows share terms as documents do that have nothing to do with each
 * other.
 *
 * Rows are made in batches on all threads and written in order.
 */
#include "lab/synth_parts.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "io/container.h"
#include "io/target.h"
#include "par/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 256, PARTS = 3, SHARED = 0, NPY_HEADER = 128, TERM_DIGITS = 10 };
enum { LEFT_ROW = 100, RIGHT_ROW, COMMON }; /* of dpl__synth_rng */

static const char *const names[2] = {"", ""};
static const double deviation_entries = 0.4;

typedef struct entry {
    uint32_t term, part;
    double weight;
} entry;

typedef struct batch {
    uint64_t first, end;
    DPL_VEC(float) values; /* dense rows, or weights */
    DPL_VEC(uint32_t) terms;
    DPL_VEC(uint32_t) lengths; /* entries of each row */
    dpl__bytes gold;
} batch;

typedef struct scratch {
    DPL_VEC(entry) row;
    double *x, *y; /* dims numbers */
} scratch;

typedef struct maker {
    dpl_ctx *ctx;
    const dpl_synth_options *set;
    const dpl__synth_plan *plan;
    dpl__synth_model model; /* sparse */
    dpl_synth_summary *s;
    int side;
    uint64_t next;
    size_t n_slots;
    batch *slots;
    scratch *scratch; /* one for each thread */
    dpl_output *out;  /* dense */
    dpl_output *gold;
    dpl__writer *writer; /* sparse: weights go there, */
    dpl__spill spill;
    dpl__spool terms, offsets; /* these are added behind them */
    uint64_t n_entries;
} maker;

/* ---- dense -------------------------------------------------------------------------- */

static void scale(double *x, unsigned n)
{
    double squares = 0;
    for (unsigned i = 0; i < n; i++)
        squares += x[i] * x[i];
    for (unsigned i = 0; i < n; i++)
        x[i] /= sqrt(squares);
}

static void draw_direction(double *x, unsigned n, dpl__rng rng)
{
    for (unsigned i = 0; i < n; i += 2) {
        double two[2];
        dpl__rng_normal(&rng, two);
        x[i] = two[0];
        if (i + 1 < n)
            x[i + 1] = two[1];
    }
    scale(x, n);
}

/* x becomes its counterpart. */
static void turn(double *x, double *y, unsigned n, double cosine)
{
    double dot = 0;
    for (unsigned i = 0; i < n; i++)
        dot += x[i] * y[i];
    for (unsigned i = 0; i < n; i++)
        y[i] -= dot * x[i];
    scale(y, n);
    const double sine = sqrt(1 - cosine * cosine);
    for (unsigned i = 0; i < n; i++)
        x[i] = cosine * x[i] + sine * y[i];
}

static dpl_status make_dense(maker *m, batch *b, scratch *s, uint64_t row, dpl_error *err)
{
    const unsigned n = m->set->dims;
    const uint64_t pair = dpl__synth_pair_of(m->plan, m->side, row);
    const bool is_paired = pair < m->plan->n_pairs;
    if (m->side == 0 || !is_paired) {
        draw_direction(s->x, n, dpl__synth_rng(m->plan, m->side ? RIGHT_ROW : LEFT_ROW, row));
    } else {
        const uint64_t left = dpl__permute(&m->plan->order[0], pair);
        draw_direction(s->x, n, dpl__synth_rng(m->plan, LEFT_ROW, left));
        draw_direction(s->y, n, dpl__synth_rng(m->plan, RIGHT_ROW, row));
        turn(s->x, s->y, n, dpl__synth_similarity(m->plan, pair));
    }
    const uint32_t dim = n;
    float prefix;
    memcpy(&prefix, &dim, sizeof prefix); /* .fvecs has the length before each row */
    if (m->set->to == DPL_SYNTH_FVECS && !dpl__vec_push(m->ctx, &b->values, prefix))
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, &b->values, n), err));
    for (unsigned i = 0; i < n; i++)
        b->values.data[b->values.n++] = (float)s->x[i];
    return DPL_OK;
}

/* ---- sparse ------------------------------------------------------------------------- */

static bool has_term(const scratch *s, uint32_t term)
{
    for (size_t i = 0; i < s->row.n; i++)
        if (s->row.data[i].term == term)
            return true;
    return false;
}

/* n more terms that the row does not have, as a part of length one. */
static dpl_status add_part(maker *m, scratch *s, uint32_t part, size_t n, dpl__rng rng,
                           dpl_error *err)
{
    const size_t first = s->row.n;
    double squares = 0;
    while (s->row.n < first + n) {
        const uint64_t term = dpl__synth_draw(&m->model, &rng);
        if (term >= m->set->terms || has_term(s, (uint32_t)term))
            continue;
        const double p = dpl__synth_p(&m->model, term);
        const double idf = dpl__log(1 + 1 / -dpl__expm1(-p * m->set->entries));
        const double weight = idf * (0.5 + dpl__rng_real(&rng));
        squares += weight * weight;
        DPL_TRY(dpl__need(
            dpl__vec_push(m->ctx, &s->row, ((entry){(uint32_t)term, part, weight})), err));
    }
    for (size_t i = first; i < s->row.n; i++)
        s->row.data[i].weight /= sqrt(squares);
    return DPL_OK;
}

DPL__ORDER(by_term, entry, DPL__RISING(term))

/* Terms of a row: at least three, and few enough that all of a pair differ. */
static size_t draw_entries(const maker *m, dpl__rng *rng)
{
    double two[2];
    dpl__rng_normal(rng, two);
    const double mean = dpl__log(m->set->entries) - deviation_entries * deviation_entries / 2;
    const size_t n = (size_t)(dpl__exp(mean + deviation_entries * two[0]) + 0.5);
    return n < PARTS ? PARTS : dpl__min(n, m->set->terms / 8);
}

/* Of a pair both rows are made up to the part that is theirs: what is drawn for the right one
 * avoids the terms of the left one. */
static dpl_status make_parts(maker *m, scratch *s, uint64_t row, uint64_t pair, dpl_error *err)
{
    dpl__rng rng = dpl__synth_rng(m->plan, m->side ? RIGHT_ROW : LEFT_ROW, row);
    if (pair >= m->plan->n_pairs) {
        const size_t n = draw_entries(m, &rng);
        return add_part(m, s, 1 + (uint32_t)m->side, n, rng, err);
    }
    rng = dpl__synth_rng(m->plan, COMMON, pair);
    const double cosine = dpl__synth_similarity(m->plan, pair);
    const size_t n = draw_entries(m, &rng);
    size_t n_shared = cosine > 0 ? (size_t)(cosine * (double)n + 0.5) : 0;
    n_shared = dpl__max(cosine > 0, dpl__min(n_shared, n - (cosine < 1)));
    DPL_TRY(add_part(m, s, SHARED, n_shared, (dpl__rng){dpl__rng_next(&rng)}, err));
    for (uint32_t part = 1; part < PARTS; part++) {
        const dpl__rng own = {dpl__rng_next(&rng)};
        if (cosine < 1 && part <= (uint32_t)m->side + 1)
            DPL_TRY(add_part(m, s, part, n - n_shared, own, err));
    }
    for (size_t i = 0; i < s->row.n; i++)
        s->row.data[i].weight *= sqrt(s->row.data[i].part == SHARED ? cosine : 1 - cosine);
    return DPL_OK;
}

static dpl_status make_sparse(maker *m, batch *b, scratch *s, uint64_t row, dpl_error *err)
{
    s->row.n = 0;
    DPL_TRY(make_parts(m, s, row, dpl__synth_pair_of(m->plan, m->side, row), err));
    qsort(s->row.data, s->row.n, sizeof *s->row.data, by_term);
    uint32_t n = 0;
    for (size_t i = 0; i < s->row.n; i++) {
        const entry *e = &s->row.data[i];
        if (e->part != SHARED && e->part != (uint32_t)m->side + 1)
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &b->terms, e->term) &&
                              dpl__vec_push(m->ctx, &b->values, (float)e->weight),
                          err));
        n++;
    }
    return dpl__need(dpl__vec_push(m->ctx, &b->lengths, n), err);
}

/* ---- batches ------------------------------------------------------------------------ */

static bool is_sparse(const maker *m)
{
    return m->set->to == DPL_SYNTH_SPARSE;
}

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    maker *m = user;
    const uint64_t n = m->plan->n[m->side];
    if (m->next == n)
        return DPL_END;
    DPL_TRY(dpl__progress(
        m->ctx, &(dpl_progress){m->side ? "right" : "left", "rows", m->next, n}, err));
    batch *b = &m->slots[slot];
    b->first = m->next;
    b->end = m->next += dpl__min(BATCH, n - m->next);
    b->values.n = b->terms.n = b->lengths.n = b->gold.n = 0;
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    maker *m = user;
    batch *b = &m->slots[slot];
    for (uint64_t row = b->first; row < b->end; row++) {
        DPL_TRY((is_sparse(m) ? make_sparse : make_dense)(m, b, &m->scratch[worker], row, err));
        if (m->side)
            continue;
        const double cosine =
            dpl__synth_similarity(m->plan, dpl__synth_pair_of(m->plan, 0, row));
        DPL_TRY(dpl__need(dpl__synth_gold(&b->gold, m->ctx, m->plan, names, row, cosine), err));
    }
    return DPL_OK;
}

static dpl_status commit_sparse(maker *m, const batch *b, dpl_error *err)
{
    DPL_TRY(dpl__writer_append(m->writer, b->values.data, 4 * b->values.n, err));
    DPL_TRY(dpl__spool_append(&m->terms, b->terms.data, 4 * b->terms.n, err));
    for (size_t i = 0; i < b->lengths.n; i++) {
        m->n_entries += b->lengths.data[i];
        DPL_TRY(dpl__spool_append(&m->offsets, &m->n_entries, sizeof m->n_entries, err));
    }
    return DPL_OK;
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    maker *m = user;
    const batch *b = &m->slots[slot];
    if (m->side == 0) {
        dpl_output_write(m->gold, b->gold.data, b->gold.n);
        m->s->n_output_bytes += b->gold.n;
    }
    if (is_sparse(m))
        return commit_sparse(m, b, err);
    dpl_output_write(m->out, b->values.data, 4 * b->values.n);
    m->s->n_output_bytes += 4 * b->values.n;
    return DPL_OK;
}

static dpl_status run(maker *m, dpl_error *err)
{
    dpl__pipeline p = {m, m->n_slots, produce, map, commit};
    m->next = 0;
    return dpl__pipeline_run(m->ctx, &p, err);
}

/* ---- files -------------------------------------------------------------------------- */

static void write_npy_header(maker *m)
{
    char text[NPY_HEADER + 1];
    const int n =
        snprintf(text, sizeof text,
                 "\x93NUMPY\x01%c%c%c{'descr': '<f4', 'fortran_order': False, 'shape': (%llu, "
                 "%u), }",
                 0, NPY_HEADER - 10, 0, (unsigned long long)m->plan->n[m->side], m->set->dims);
    memset(text + n, ' ', (size_t)(NPY_HEADER - n));
    text[NPY_HEADER - 1] = '\n';
    dpl_output_write(m->out, text, NPY_HEADER);
    m->s->n_output_bytes += NPY_HEADER;
}

static dpl_status write_dense(maker *m, const char *folder, dpl_error *err)
{
    static const char *const files[2][2] = {{"left.npy", "right.npy"},
                                            {"left.fvecs", "right.fvecs"}};
    const bool is_fvecs = m->set->to == DPL_SYNTH_FVECS;
    DPL_TRY(dpl__open_output(&m->out, m->ctx, folder, files[is_fvecs][m->side], err));
    if (!is_fvecs)
        write_npy_header(m);
    dpl_status status;
    DPL__STEP(run(m, err));
    status = dpl_output_finish(m->out, err);
done:
    dpl_output_free(m->out);
    m->out = NULL;
    return status;
}

/* n numbers from 0, as texts with their offsets; digits 0: as short as they are. */
static dpl_status write_numbers(maker *m, const char *offsets, const char *bytes, uint64_t n,
                                int digits, dpl_error *err)
{
    char text[32];
    uint64_t at = 0;
    DPL_TRY(dpl__writer_begin(m->writer, offsets, 8, err));
    DPL_TRY(dpl__writer_append(m->writer, &at, sizeof at, err));
    for (uint64_t i = 0; i < n; i++) {
        at += (uint64_t)snprintf(text, sizeof text, "%0*llu", digits, (unsigned long long)i);
        DPL_TRY(dpl__writer_append(m->writer, &at, sizeof at, err));
    }
    DPL_TRY(dpl__writer_begin(m->writer, bytes, 1, err));
    for (uint64_t i = 0; i < n; i++) {
        const int length = snprintf(text, sizeof text, "%0*llu", digits, (unsigned long long)i);
        DPL_TRY(dpl__writer_append(m->writer, text, (size_t)length, err));
    }
    return DPL_OK;
}

static dpl_status write_text(maker *m, const char *section, const char *text, dpl_error *err)
{
    return dpl__writer_add(m->writer, section, 1, text, strlen(text), err);
}

/* What stands behind the weights: the sections of vectors/csr.c. */
static dpl_status write_rest(maker *m, dpl_error *err)
{
    const uint64_t n = m->plan->n[m->side];
    const uint8_t direction = DPL_DIRECTION_AUTO;
    DPL_TRY(dpl__spool_write(&m->terms, m->writer, "row.terms", 4, err));
    DPL_TRY(dpl__spool_write(&m->offsets, m->writer, "row.offsets", 8, err));
    DPL_TRY(dpl__writer_begin(m->writer, "row.docs", 4, err));
    for (uint32_t row = 0; row < n; row++)
        DPL_TRY(dpl__writer_append(m->writer, &row, sizeof row, err));
    DPL_TRY(write_numbers(m, "id.offsets", "id.bytes", n, 0, err));
    DPL_TRY(write_numbers(m, "term.offsets", "term.bytes", m->set->terms, TERM_DIGITS, err));
    DPL_TRY(dpl__writer_add(m->writer, "docs", 8, &n, sizeof n, err));
    DPL_TRY(dpl__writer_add(m->writer, "direction", 1, &direction, sizeof direction, err));
    DPL_TRY(write_text(m, "space", "synthetic", err));
    DPL_TRY(write_text(m, "lang", "", err));
    DPL_TRY(write_text(m, "doc.lang", "", err));
    return write_text(m, "settings", "{\"format\":\"synthetic\"}", err);
}

static dpl_status write_rows(maker *m, dpl_error *err)
{
    const uint64_t zero = 0;
    m->n_entries = 0;
    DPL_TRY(dpl__spool_append(&m->offsets, &zero, sizeof zero, err));
    DPL_TRY(dpl__writer_begin(m->writer, "row.weights", 4, err));
    DPL_TRY(run(m, err));
    m->s->n_words[m->side] = m->n_entries;
    return write_rest(m, err);
}

static dpl_status write_sparse(maker *m, const char *folder, dpl_error *err)
{
    char path[DPL__PATH_MOST];
    uint64_t n_bytes = 0;
    snprintf(path, sizeof path, "%s/%s.dpl", folder, m->side ? "right" : "left");
    DPL_TRY(dpl__writer_new(&m->writer, m->ctx, path, "vectors", err));
    dpl__spool_init(&m->terms, &m->spill, (size_t)(dpl_ctx_memory(m->ctx) / 8));
    dpl__spool_init(&m->offsets, &m->spill, (size_t)(dpl_ctx_memory(m->ctx) / 8));
    dpl_status status;
    DPL__STEP(write_rows(m, err));
    status = dpl__writer_finish(m->writer, &n_bytes, err);
done:
    m->s->n_output_bytes += n_bytes;
    dpl__spool_clear(&m->terms);
    dpl__spool_clear(&m->offsets);
    dpl__writer_free(m->writer);
    m->writer = NULL;
    return status;
}

/* ---- all ---------------------------------------------------------------------------- */

static dpl_status prepare(maker *m, const char *folder, dpl_error *err)
{
    const unsigned n_threads = dpl_ctx_threads(m->ctx);
    DPL_TRY(dpl__spill_init(&m->spill, m->ctx, folder, err));
    if (is_sparse(m))
        DPL_TRY(dpl__synth_model_make(&m->model, m->ctx, m->set, m->plan, err));
    m->slots = dpl__calloc(m->ctx, m->n_slots, sizeof *m->slots);
    m->scratch = dpl__calloc(m->ctx, n_threads, sizeof *m->scratch);
    DPL_TRY(dpl__need(m->slots && m->scratch, err));
    for (unsigned i = 0; i < n_threads && !is_sparse(m); i++) {
        m->scratch[i].x = dpl__alloc(m->ctx, m->set->dims * sizeof(double));
        m->scratch[i].y = dpl__alloc(m->ctx, m->set->dims * sizeof(double));
        DPL_TRY(dpl__need(m->scratch[i].x && m->scratch[i].y, err));
    }
    return dpl__open_output(&m->gold, m->ctx, folder, "gold.tsv", err);
}

static dpl_status make_all(maker *m, const char *folder, dpl_error *err)
{
    DPL_TRY(prepare(m, folder, err));
    for (m->side = 0; m->side < 2; m->side++)
        DPL_TRY((is_sparse(m) ? write_sparse : write_dense)(m, folder, err));
    return dpl_output_finish(m->gold, err);
}

static void clear(maker *m)
{
    const unsigned n_threads = dpl_ctx_threads(m->ctx);
    for (size_t i = 0; m->slots && i < m->n_slots; i++)
        dpl__vec_clear(m->ctx, &m->slots[i].values, &m->slots[i].terms, &m->slots[i].lengths,
                       &m->slots[i].gold);
    for (unsigned i = 0; m->scratch && i < n_threads; i++) {
        dpl__vec_clear(m->ctx, &m->scratch[i].row);
        dpl__free(m->ctx, m->scratch[i].x, m->scratch[i].y);
    }
    dpl__free(m->ctx, m->slots, m->scratch);
    if (is_sparse(m) && m->model.ctx)
        dpl__synth_model_clear(&m->model);
    dpl__spill_clear(&m->spill);
    dpl_output_free(m->gold);
}

dpl_status dpl__synth_vectors(dpl_synth_summary *s, dpl_ctx *ctx, const char *folder,
                              const dpl_synth_options *set, const dpl__synth_plan *plan,
                              dpl_error *err)
{
    maker m = {.ctx = ctx,
               .set = set,
               .plan = plan,
               .s = s,
               .n_slots = 2 * (size_t)dpl_ctx_threads(ctx)};
    dpl_status status = make_all(&m, folder, err);
    clear(&m);
    return status;
}
