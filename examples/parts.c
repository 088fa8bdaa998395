/*
 * parts.c - a search in parts, as an engine on many machines does it: four tasks, each with a
 * part of the left rows, their pairs merged; the same bytes as one search of everything.
 *
 *     parts
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

enum { N_ROWS = 1000, N_TERMS = 500, TERMS_PER_ROW = 16, N_PARTS = 4 };

static uint64_t offsets[N_ROWS + 1];
static uint32_t terms[N_ROWS * TERMS_PER_ROW];
static float weights[N_ROWS * TERMS_PER_ROW];

/* Rows of equal weights, with terms of their own; every tenth row repeats the one before. */
static void make_rows(void)
{
    uint32_t random = 1;
    for (uint32_t row = 0; row < N_ROWS; row++) {
        uint32_t term = 0, *to = terms + row * TERMS_PER_ROW;
        for (uint32_t i = 0; i < TERMS_PER_ROW; i++) {
            random = random * 1664525u + 1013904223u;
            term += 1 + random % 7919u % (N_TERMS / TERMS_PER_ROW - 1);
            to[i] = term;
            weights[row * TERMS_PER_ROW + i] = 0.25f; /* length one */
        }
        if (row % 10 == 9)
            memcpy(to, to - TERMS_PER_ROW, TERMS_PER_ROW * sizeof *to);
        offsets[row + 1] = (uint64_t)(row + 1) * TERMS_PER_ROW;
    }
}

static dpl_part_rows part_of(uint32_t first, uint32_t end)
{
    dpl_part_rows part;
    memset(&part, 0, sizeof part);
    part.first = first;
    part.n_rows = end - first;
    part.offsets = offsets + first;
    part.terms = terms;
    part.weights = weights;
    part.n_terms = N_TERMS;
    return part;
}

int main(void)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_pair_list lists[N_PARTS], merged, whole;
    memset(&err, 0, sizeof err);
    memset(lists, 0, sizeof lists);
    memset(&merged, 0, sizeof merged);
    memset(&whole, 0, sizeof whole);
    make_rows();
    dpl_part_rows all = part_of(0, N_ROWS);
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    for (uint32_t i = 0; i < N_PARTS && st == DPL_OK; i++) {
        dpl_part_rows part = part_of(N_ROWS / N_PARTS * i, N_ROWS / N_PARTS * (i + 1));
        st = dpl_part_exact(&lists[i], ctx, &part, &all, 0.5, &err);
    }
    if (st == DPL_OK)
        st = dpl_pairs_merge(&merged, ctx, lists, N_PARTS, 0, &err);
    if (st == DPL_OK)
        st = dpl_part_exact(&whole, ctx, &all, &all, 0.5, &err);
    int is_same = st == DPL_OK && merged.n == whole.n &&
                  memcmp(merged.pairs, whole.pairs, whole.n * sizeof *whole.pairs) == 0;
    if (st == DPL_OK)
        printf("%zu pairs of %d parts, %s as of the whole\n", merged.n, N_PARTS,
               is_same ? "the same" : "NOT the same");
    else
        fprintf(stderr, "parts: %s\n", err.text);
    for (uint32_t i = 0; i < N_PARTS; i++)
        dpl_pair_list_clear(&lists[i], ctx);
    dpl_pair_list_clear(&merged, ctx);
    dpl_pair_list_clear(&whole, ctx);
    dpl_ctx_free(ctx);
    return is_same ? 0 : 1;
}
