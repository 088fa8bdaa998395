/*
 * evidence.c - aligned sentences, covered shares and shared terms of pairs.
 *
 * Shared terms are those of both vectors, by the product of their weights: the cosine is the
 * sum of these products.
 */
#include "mine/evidence.h"

#include "mine/rescore.h"

static uint32_t doc_of(dpl_doc_pair docs, int side)
{
    return side ? docs.right : docs.left;
}

/* ---- sentences ------------------------------------------------------------------------ */

static void count_beads(dpl__evidence *e, const dpl__comparable *p, const dpl_aligned_docs *a)
{
    double kept[2] = {0, 0};
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        dpl__token_run sides[2];
        if (b->verdict != DPL_VERDICT_KEPT)
            continue;
        e->n_sentences++;
        dpl__bead_tokens(sides, p->c, a, b);
        for (int side = 0; side < 2; side++)
            kept[side] += (double)sides[side].n;
    }
    for (int side = 0; side < 2; side++) {
        size_t n;
        dpl_collection_tokens(p->c[side], doc_of(a->docs, side), &n);
        e->share[side] = n ? kept[side] / (double)n : 0;
    }
}

static dpl_status count_sentences(dpl__evidence *out, const dpl__pair_run *r,
                                  const size_t *numbers, size_t n, dpl_error *err)
{
    dpl__aligned_reader reader = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        dpl_aligned_docs a;
        if (numbers[i] == SIZE_MAX)
            continue;
        status = dpl__aligned_read(&a, &reader, r->beads.aligned, numbers[i], err);
        if (status == DPL_OK)
            count_beads(&out[i], &r->corpus, &a);
    }
    dpl__aligned_reader_clear(&reader, r->ctx);
    return status;
}

/* ---- terms ---------------------------------------------------------------------------- */

typedef struct term_finder {
    const dpl__pair_run *run;
    dpl__arena *arena;
    dpl__pair_list docs;
    dpl_vectors *v[2];
    uint32_t *right_of; /* number of each left term on the right side */
} term_finder;

typedef struct heavy {
    float weight;
    uint32_t term; /* of the left side */
} heavy;

/* Into a list of the heaviest so far; of equal ones the first in byte order. */
static void insert(heavy *list, size_t *n, heavy new)
{
    size_t at = *n;
    while (at > 0 && list[at - 1].weight < new.weight)
        at--;
    if (at == DPL__EVIDENCE_TERMS)
        return;
    if (*n < DPL__EVIDENCE_TERMS)
        ++*n;
    memmove(list + at + 1, list + at, (*n - 1 - at) * sizeof *list);
    list[at] = new;
}

static dpl_status find_terms(dpl__evidence *e, const term_finder *f, dpl_doc_pair docs,
                             dpl_error *err)
{
    heavy list[DPL__EVIDENCE_TERMS];
    size_t n = 0;
    uint32_t row[2];
    const dpl__rows *a = &f->v[0]->rows, *b = &f->v[1]->rows;
    if (!dpl__rescore_row(&row[0], f->v[0], docs.left) ||
        !dpl__rescore_row(&row[1], f->v[1], docs.right))
        return DPL_OK;
    uint64_t i = a->offsets[row[0]], j = b->offsets[row[1]];
    while (i < a->offsets[row[0] + 1] && j < b->offsets[row[1] + 1]) {
        uint32_t term = f->right_of[a->terms[i]];
        if (term == DPL__NO_TERM || term < b->terms[j]) {
            i++;
        } else if (term > b->terms[j]) {
            j++;
        } else {
            insert(list, &n, (heavy){a->weights[i] * b->weights[j], a->terms[i]});
            i++;
            j++;
        }
    }
    for (size_t k = 0; k < n; k++) {
        e->terms[k] = dpl__arena_copy(f->arena, dpl__string(&f->v[0]->terms, list[k].term));
        DPL_TRY(dpl__need(e->terms[k].data, err));
    }
    e->n_terms = n;
    return DPL_OK;
}

static dpl_status find_all_terms(dpl__evidence *out, term_finder *f, dpl_error *err)
{
    DPL_TRY(dpl__rescore_vectors(f->v, &f->run->corpus, f->docs, f->run->lexicon, err));
    size_t n_terms = f->v[0]->terms.n;
    f->right_of = dpl__alloc(f->run->ctx, (n_terms + 1) * sizeof *f->right_of);
    DPL_TRY(dpl__need(f->right_of, err));
    dpl__match_terms(f->right_of, &f->v[0]->terms, &f->v[1]->terms);
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < f->docs.n && status == DPL_OK; i++)
        status = find_terms(&out[i], f, f->docs.data[i], err);
    dpl__free(f->run->ctx, f->right_of);
    return status;
}

dpl_status dpl__evidence_find(dpl__evidence *out, dpl__arena *arena, const dpl__pair_run *r,
                              dpl__pair_list docs, const size_t *numbers, dpl_error *err)
{
    memset(out, 0, docs.n * sizeof *out);
    DPL_TRY(count_sentences(out, r, numbers, docs.n, err));
    if (docs.n == 0)
        return DPL_OK;
    term_finder f = {.run = r, .arena = arena, .docs = docs};
    dpl_status status = find_all_terms(out, &f, err);
    dpl_vectors_close(f.v[0]);
    dpl_vectors_close(f.v[1]);
    return status;
}
