/*
 * round_file.c - what a round found and how it went, as a file.
 *
 * Numbers go from structs into sections by name, so that no layout of a compiler gets into the
 * file. What the file says twice must agree: a round that opens can be gone on from.
 */
#include "mine/round_file.h"

#include "base/ctx.h"
#include "base/order.h"
#include "io/container.h"
#include "io/sections.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* What is known of a match, each above 0: score, margin, both leads. */
enum { N_KNOWN = 4 };
#define MOST_COSINE 1.001f /* rounded upwards */
enum { N_SECONDS = 4, N_RECEIPT_COUNTS = 5, N_RECEIPT_SHARES = 3, N_FINAL = 5 };

/* A section of figures, each of 8 bytes: counts, or real numbers from 0 to `most`. */
typedef struct figure_section {
    const char *name;
    size_t n, at[6];  /* places in dpl_mine_round */
    double most;      /* 0: counts */
    bool is_optional; /* left out where all are 0 */
} figure_section;

#define AT(field) offsetof(dpl_mine_round, field)
static const figure_section all_figures[] = {
    {"counts",
     6,
     {AT(n_candidates), AT(n_pairs), AT(n_new), AT(n_gone), AT(n_sentence_pairs),
      AT(n_lexicon_entries)},
     0,
     false},
    {"shares", 3, {AT(mean_cosine), AT(known_words), AT(unpaired)}, MOST_COSINE, false},
    {"samples", 2, {AT(n_sampled_docs), AT(n_sampled_pairs)}, 0, true},
    {"least", 1, {AT(least_cosine)}, MOST_COSINE, true},
    {"names", 2, {AT(n_name_links), AT(n_name_pairs)}, 0, true},
    {"seeds", 2, {AT(n_spelled_pairs), AT(n_shape_pairs)}, 0, true}};

/* One of the two lists: pairs, and decoys, which have no confidence. */
typedef struct list {
    size_t n;
    const uint32_t *docs;     /* 2 n */
    const float *known;       /* N_KNOWN n */
    const double *confidence; /* n */
    const uint32_t *taken;    /* 2 n, of decoys */
} list;

struct dpl_round {
    dpl_ctx *ctx;
    dpl_file *file;
    const uint64_t *n_docs;    /* of the two sides */
    const uint64_t *checksums; /* of the two collections; NULL: not there */
    dpl_mine_round figures;
    double train_confidence;
    dpl_recall_check receipt;
    list pairs, decoys;
    const uint64_t *cosines; /* DPL__BINS of the best, then of the second best */
    const double *final;     /* NULL: a round */
};

/* ---- writing ------------------------------------------------------------------------ */

static dpl_status write_list(dpl__writer *w, const dpl__doc_candidate_vec *all,
                             const char *docs, const char *known, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, docs, 4, err));
    for (size_t i = 0; i < all->n; i++) {
        const uint32_t both[2] = {all->data[i].docs.left, all->data[i].docs.right};
        DPL_TRY(dpl__writer_append(w, both, sizeof both, err));
    }
    DPL_TRY(dpl__writer_begin(w, known, 4, err));
    for (size_t i = 0; i < all->n; i++) {
        const dpl__match *m = &all->data[i].match;
        const float numbers[N_KNOWN] = {m->score, m->margin, m->lead[0], m->lead[1]};
        DPL_TRY(dpl__writer_append(w, numbers, sizeof numbers, err));
    }
    return DPL_OK;
}

static dpl_status write_receipt(dpl__writer *w, const dpl_recall_check *r, dpl_error *err)
{
    const uint64_t counts[N_RECEIPT_COUNTS] = {r->is_exact, r->is_empty, r->n_rows, r->n_true,
                                               r->n_found};
    const double shares[N_RECEIPT_SHARES] = {r->recall, r->low, r->high};
    DPL_TRY(dpl__writer_add(w, "receipt.counts", 8, counts, sizeof counts, err));
    return dpl__writer_add(w, "receipt.shares", 8, shares, sizeof shares, err);
}

static dpl_status write_found(dpl__writer *w, const dpl__doc_candidates *f, dpl_error *err)
{
    const double final[N_FINAL] = {f->aligned, f->likely, f->evidence, f->has_few,
                                   f->has_few_docs};
    DPL_TRY(write_list(w, &f->pairs, "pair.docs", "pair.match", err));
    DPL_TRY(dpl__writer_begin(w, "pair.confidence", 8, err));
    for (size_t i = 0; i < f->pairs.n; i++)
        DPL_TRY(dpl__writer_append(w, &f->pairs.data[i].confidence, sizeof(double), err));
    DPL_TRY(write_list(w, &f->decoys, "decoy.docs", "decoy.match", err));
    DPL_TRY(dpl__writer_begin(w, "decoy.taken", 4, err));
    for (size_t i = 0; i < f->decoys.n; i++) {
        const uint32_t *taken = f->decoys.data[i].match.taken;
        DPL_TRY(dpl__writer_append(w, taken, 2 * sizeof *taken, err));
    }
    DPL_TRY(dpl__writer_begin(w, "cosines", 8, err));
    for (int k = 0; k < 2; k++)
        DPL_TRY(dpl__writer_append(w, f->cosines[k].n, sizeof f->cosines[k].n, err));
    if (f->is_final)
        DPL_TRY(dpl__writer_add(w, "final", 8, final, sizeof final, err));
    return write_receipt(w, &f->receipt, err);
}

static dpl_status write_figures(dpl__writer *w, const dpl_mine_round *r, dpl_error *err)
{
    for (size_t i = 0; i < DPL_LEN(all_figures); i++) {
        const figure_section *f = &all_figures[i];
        uint64_t numbers[DPL_LEN(f->at)], any = 0;
        for (size_t k = 0; k < f->n; k++) {
            memcpy(&numbers[k], (const char *)r + f->at[k], sizeof *numbers);
            any |= numbers[k];
        }
        if (any || !f->is_optional)
            DPL_TRY(dpl__writer_add(w, f->name, 8, numbers, f->n * sizeof *numbers, err));
    }
    return DPL_OK;
}

static dpl_status write_round(dpl__writer *w, const dpl__comparable *p, const dpl_mine_round *r,
                              const dpl__doc_candidates *f, dpl_error *err)
{
    const uint64_t docs[2] = {dpl_collection_get_sizes(p->c[0])->n_docs,
                              dpl_collection_get_sizes(p->c[1])->n_docs};
    const double seconds[N_SECONDS] = {r->align_seconds, r->train_seconds, r->search_seconds,
                                       f->receipt.seconds};
    DPL_TRY(dpl__writer_add(w, "docs", 8, docs, sizeof docs, err));
    DPL_TRY(dpl__writer_add(w, "checksums", 8, p->checksum, sizeof p->checksum, err));
    DPL_TRY(write_figures(w, r, err));
    if (r->search != DPL_PAIRS_EXACT)
        DPL_TRY(dpl__writer_add(w, "search", 8, &(uint64_t){r->search}, 8, err));
    if (f->train_confidence != DPL__P(mine, train_confidence))
        DPL_TRY(dpl__writer_add(w, "likely", 8, &f->train_confidence, sizeof(double), err));
    DPL_TRY(write_found(w, f, err));
    return dpl__writer_add(w, "seconds", 8, seconds, sizeof seconds, err);
}

dpl_status dpl__round_save(const char *path, const dpl__comparable *p,
                           const dpl_mine_round *figures, const dpl__doc_candidates *found,
                           dpl_error *err)
{
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, p->ctx, path, "round", err));
    dpl_status status = write_round(w, p, figures, found, err);
    if (status == DPL_OK)
        status = dpl__writer_finish(w, NULL, err);
    dpl__writer_free(w);
    return status;
}

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status get_numbers(const dpl_round *r, const char *name, const double **out,
                              size_t n, double most, dpl_error *err)
{
    DPL_TRY(dpl__get_n(r->file, name, 8, out, n, err));
    for (size_t i = 0; i < n; i++)
        if (!((*out)[i] >= 0 && (*out)[i] <= most))
            return dpl__damaged(r->file, name, "number out of range", err);
    return DPL_OK;
}

static bool has(const dpl_round *r, const char *name)
{
    dpl_section unused;
    return dpl_file_find(r->file, name, &unused);
}

static dpl_status get_section(dpl_round *r, const figure_section *f, dpl_error *err)
{
    const double *numbers = NULL;
    if (f->is_optional && !has(r, f->name))
        return DPL_OK;
    DPL_TRY(f->most > 0 ? get_numbers(r, f->name, &numbers, f->n, f->most, err)
                        : dpl__get_n(r->file, f->name, 8, &numbers, f->n, err));
    for (size_t k = 0; k < f->n; k++)
        memcpy((char *)&r->figures + f->at[k], &numbers[k], sizeof *numbers);
    return DPL_OK;
}

static dpl_status get_figures(dpl_round *r, dpl_error *err)
{
    const uint64_t *search = NULL;
    const double *likely = NULL, *seconds = NULL;
    DPL_TRY(dpl__get_n(r->file, "docs", 8, &r->n_docs, 2, err));
    if (r->n_docs[0] >= UINT32_MAX || r->n_docs[1] >= UINT32_MAX)
        return dpl__damaged(r->file, "docs", "number out of range", err);
    if (has(r, "checksums"))
        DPL_TRY(dpl__get_n(r->file, "checksums", 8, &r->checksums, 2, err));
    for (size_t i = 0; i < DPL_LEN(all_figures); i++)
        DPL_TRY(get_section(r, &all_figures[i], err));
    DPL_TRY(get_numbers(r, "seconds", &seconds, N_SECONDS, 1e12, err));
    r->figures.align_seconds = seconds[0];
    r->figures.train_seconds = seconds[1];
    r->figures.search_seconds = seconds[2];
    r->receipt.seconds = seconds[3];
    r->figures.search = DPL_PAIRS_EXACT;
    if (has(r, "search")) {
        DPL_TRY(dpl__get_n(r->file, "search", 8, &search, 1, err));
        if (*search > UINT32_MAX || !dpl_pairs_get_method_info((dpl_pairs_method)*search))
            return dpl__damaged(r->file, "search", "number out of range", err);
        r->figures.search = (dpl_pairs_method)*search;
    }
    if (has(r, "likely"))
        DPL_TRY(get_numbers(r, "likely", &likely, 1, 1, err));
    r->train_confidence = likely ? *likely : DPL__P(mine, train_confidence);
    return DPL_OK;
}

static dpl_status get_list(const dpl_round *r, list *out, const char *docs, const char *known,
                           dpl_error *err)
{
    size_t n;
    DPL_TRY(dpl__get(r->file, docs, 4, &out->docs, &n, err));
    if (n % 2)
        return dpl__damaged(r->file, docs, "half a pair", err);
    out->n = n / 2;
    DPL_TRY(dpl__get_n(r->file, known, 4, &out->known, N_KNOWN * out->n, err));
    for (size_t i = 0; i < n; i++)
        if (out->docs[i] >= r->n_docs[i % 2])
            return dpl__damaged(r->file, docs, "number out of range", err);
    for (size_t i = 0; i < N_KNOWN * out->n; i++)
        if (!(out->known[i] > 0 && isfinite(out->known[i])) ||
            (i % N_KNOWN == 0 && out->known[i] > MOST_COSINE))
            return dpl__damaged(r->file, known, "number out of range", err);
    return DPL_OK;
}

DPL__RISING_NUMBERS(compare_numbers, uint32_t)

/* Each document is in one pair. Left documents rise; right ones are sorted to find out. */
static dpl_status check_documents(const dpl_round *r, const list *p, dpl_error *err)
{
    size_t n_bytes = (p->n + 1) * sizeof(uint32_t);
    uint32_t *right = dpl__alloc(r->ctx, n_bytes);
    DPL_TRY(dpl__need(right, err));
    bool is_good = true;
    for (size_t i = 0; i < p->n; i++) {
        right[i] = p->docs[2 * i + 1];
        is_good = is_good && (i == 0 || p->docs[2 * i] > p->docs[2 * i - 2]);
    }
    qsort(right, p->n, sizeof *right, compare_numbers);
    bool is_double = false;
    for (size_t i = 1; i < p->n; i++)
        is_double = is_double || right[i] == right[i - 1];
    dpl__free(r->ctx, right);
    if (!is_good)
        return dpl__damaged(r->file, "pair.docs", "not in order", err);
    return is_double ? dpl__damaged(r->file, "pair.docs", "document in two pairs", err)
                     : DPL_OK;
}

static dpl_status get_pairs(dpl_round *r, dpl_error *err)
{
    list *p = &r->pairs;
    uint64_t n_likely = 0;
    DPL_TRY(get_list(r, p, "pair.docs", "pair.match", err));
    DPL_TRY(get_numbers(r, "pair.confidence", &p->confidence, p->n, 1, err));
    DPL_TRY(check_documents(r, p, err));
    for (size_t i = 0; i < p->n; i++)
        n_likely += p->confidence[i] >= r->train_confidence;
    if (r->figures.n_candidates != p->n || r->figures.n_pairs != n_likely ||
        r->figures.n_new > n_likely)
        return dpl__damaged(r->file, "counts", "other numbers than there are", err);
    return DPL_OK;
}

/* Each was chosen because a pair was taken away. */
static dpl_status get_decoys(dpl_round *r, dpl_error *err)
{
    list *d = &r->decoys;
    DPL_TRY(get_list(r, d, "decoy.docs", "decoy.match", err));
    DPL_TRY(dpl__get_n(r->file, "decoy.taken", 4, &d->taken, 2 * d->n, err));
    for (size_t i = 0; i < d->n; i++) {
        const uint32_t *taken = d->taken + 2 * i;
        bool is_known = taken[0] != DPL__NO_ROW || taken[1] != DPL__NO_ROW;
        for (int side = 0; side < 2; side++)
            is_known = is_known && (taken[side] < r->pairs.n || taken[side] == DPL__NO_ROW);
        if (!is_known)
            return dpl__damaged(r->file, "decoy.taken", "number out of range", err);
    }
    return DPL_OK;
}

static dpl_status get_receipt(dpl_round *r, dpl_error *err)
{
    const uint64_t *counts = NULL;
    const double *shares = NULL;
    DPL_TRY(dpl__get_n(r->file, "receipt.counts", 8, &counts, N_RECEIPT_COUNTS, err));
    DPL_TRY(get_numbers(r, "receipt.shares", &shares, N_RECEIPT_SHARES, 1, err));
    if (counts[0] > 1 || counts[1] > 1 || counts[2] > UINT32_MAX || counts[4] > counts[3] ||
        shares[1] > shares[2])
        return dpl__damaged(r->file, "receipt.counts", "number out of range", err);
    r->receipt = (dpl_recall_check){.is_exact = counts[0],
                                    .is_empty = counts[1],
                                    .n_rows = (uint32_t)counts[2],
                                    .n_true = counts[3],
                                    .n_found = counts[4],
                                    .recall = shares[0],
                                    .low = shares[1],
                                    .high = shares[2],
                                    .seconds = r->receipt.seconds};
    return DPL_OK;
}

static dpl_status get_final(dpl_round *r, dpl_error *err)
{
    if (!has(r, "final"))
        return DPL_OK;
    DPL_TRY(dpl__get_n(r->file, "final", 8, &r->final, N_FINAL, err));
    for (size_t i = 0; i < N_FINAL; i++)
        if (!isfinite(r->final[i]))
            return dpl__damaged(r->file, "final", "number out of range", err);
    return DPL_OK;
}

static dpl_status get_everything(dpl_round *r, dpl_error *err)
{
    DPL_TRY(dpl__check_kind(r->file, "round", err));
    DPL_TRY(dpl_file_check(r->file, err));
    DPL_TRY(get_figures(r, err));
    DPL_TRY(get_pairs(r, err));
    DPL_TRY(get_decoys(r, err));
    DPL_TRY(get_final(r, err));
    DPL_TRY(dpl__get_n(r->file, "cosines", 8, &r->cosines, (size_t)2 * DPL__BINS, err));
    for (size_t i = 0; i < (size_t)2 * DPL__BINS; i++)
        if (r->cosines[i] > r->n_docs[0])
            return dpl__damaged(r->file, "cosines", "more documents than there are", err);
    return get_receipt(r, err);
}

dpl_status dpl_round_open(dpl_round **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_round *r = *out = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    dpl_status status = dpl_file_open(&r->file, ctx, path, err);
    if (status == DPL_OK)
        status = get_everything(r, err);
    if (status != DPL_OK) {
        dpl_round_close(r);
        *out = NULL;
    }
    return status;
}

void dpl_round_close(dpl_round *r)
{
    if (!r)
        return;
    dpl_file_close(r->file);
    dpl__free(r->ctx, r);
}

/* ---- walking ------------------------------------------------------------------------ */

const dpl_mine_round *dpl_round_get_summary(const dpl_round *r)
{
    return &r->figures;
}

const dpl_recall_check *dpl_round_get_recall_check(const dpl_round *r)
{
    return &r->receipt;
}

dpl_round_pair dpl_round_get_candidate(const dpl_round *r, size_t i)
{
    const list *p = &r->pairs;
    assert(i < p->n);
    const float *known = p->known + N_KNOWN * i;
    return (dpl_round_pair){.docs = {p->docs[2 * i], p->docs[2 * i + 1]},
                            .cosine = known[0],
                            .margin = known[1],
                            .confidence = p->confidence[i]};
}

const uint64_t *dpl_round_get_cosines(const dpl_round *r, bool of_second, size_t *n)
{
    *n = DPL__BINS;
    return r->cosines + (of_second ? DPL__BINS : 0);
}

/* ---- taking up again ---------------------------------------------------------------- */

static dpl_status load_list(dpl__doc_candidate_vec *out, dpl_ctx *ctx, const list *l,
                            dpl_error *err)
{
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, out, l->n), err));
    for (size_t i = 0; i < l->n; i++) {
        const float *known = l->known + N_KNOWN * i;
        out->data[out->n++] =
            (dpl__doc_candidate){.docs = {l->docs[2 * i], l->docs[2 * i + 1]},
                                 .match = {.row = {DPL__NO_ROW, DPL__NO_ROW},
                                           .score = known[0],
                                           .margin = known[1],
                                           .lead = {known[2], known[3]}},
                                 .confidence = l->confidence ? l->confidence[i] : 0};
        if (l->taken)
            memcpy(out->data[out->n - 1].match.taken, l->taken + 2 * i, 2 * sizeof *l->taken);
    }
    return DPL_OK;
}

static dpl_status load(dpl__doc_candidates *f, const dpl_round *r, const dpl__comparable *p,
                       dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        if (!r->checksums || r->checksums[side] != p->checksum[side] ||
            r->n_docs[side] != dpl_collection_get_sizes(p->c[side])->n_docs)
            return dpl__damaged(r->file, "docs", "other documents than in this run", err);
    f->train_confidence = r->train_confidence;
    f->likely = DPL__P(mine, train_confidence);
    f->is_final = r->final;
    if (r->final) {
        f->aligned = r->final[0];
        f->likely = r->final[1];
        f->evidence = r->final[2];
        f->has_few = r->final[3] > 0;
        f->has_few_docs = r->final[4] > 0;
    }
    f->alone = r->figures.unpaired;
    f->cosine = r->figures.mean_cosine;
    f->known = r->figures.known_words;
    f->receipt = r->receipt;
    for (int k = 0; k < 2; k++) {
        f->cosines[k] = (dpl__histogram){.low = 0, .high = 1};
        memcpy(f->cosines[k].n, r->cosines + (size_t)k * DPL__BINS, sizeof f->cosines[k].n);
    }
    DPL_TRY(load_list(&f->pairs, p->ctx, &r->pairs, err));
    return load_list(&f->decoys, p->ctx, &r->decoys, err);
}

dpl_status dpl__round_load(dpl_mine_round *figures, dpl__doc_candidates *found,
                           const char *path, const dpl__comparable *p, dpl_error *err)
{
    dpl_round *r = NULL;
    *found = (dpl__doc_candidates){0};
    DPL_TRY(dpl_round_open(&r, p->ctx, path, err));
    dpl_status status = load(found, r, p, err);
    *figures = r->figures;
    dpl_round_close(r);
    if (status != DPL_OK)
        dpl__doc_candidates_clear(found, p->ctx);
    return status;
}
