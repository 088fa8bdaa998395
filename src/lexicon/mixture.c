/*
 * mixture.c - the weighted mean of several dictionaries.
 *
 * Of each dictionary, in this order:
 *   p(right|left)   weights, of whole words and of parts, are scaled to 1 in each row;
 *   p(left|right)   where it has none, by Bayes: p(l|r) = p(r|l) n(l) / sum over l, from whole
 *                   words only; n is how often l occurs, 1 when that is not known;
 *   stems           words that become one: the columns of a row add up, rows become their mean,
 *                   weighted by n where it is known.
 * Then p(y|x) = sum of w p(y|x) over the dictionaries that have a row of x, divided by the sum
 * of their w. So pairs in both directions of a dictionary get more, and a word that only one
 * dictionary has keeps its probabilities. Counts are added.
 *
 * Tables made by others may hold stems already, and a stemmer may change its own stems. A word
 * of such a column is kept when its stem is another word of the column. But a stem of as many
 * letters is only another spelling, and ours is that of the collections: it has no umlauts, the
 * tables of No Free Lunch have them at the beginning of a word ("österreich", 2,715 rows).
 *
 * Cost: linear in words and cells, but for the sort of the words.
 */
#include "lexicon/mixture.h"

#include "base/ctx.h"
#include "lexicon/lexicon_params.h"
#include "unicode/unicode.h"

/* ---- words -------------------------------------------------------------------------- */

/* Whether nearly all words are their own stem; in running text about half of the words are. */
static dpl_status detect_stems(bool *are_stems, const dpl__translations *g, int side,
                               dpl__folder *folder, dpl_error *err)
{
    size_t n = g->words[side].all.n, n_same = 0;
    for (size_t i = 0; g->is_table && n >= (size_t)DPL__P(lexicon, stem_words) && i < n; i++) {
        dpl_str stem, word = dpl__term_text(&g->words[side].all.data[i]);
        DPL_TRY(dpl__fold(folder, word, &stem, err));
        n_same += dpl__str_eq(stem, word);
    }
    *are_stems = g->is_stemmed || (double)n_same > (double)n * DPL__P(lexicon, stem_share);
    return DPL_OK;
}

typedef struct stemmer {
    dpl__folder *folder; /* NULL: words are not stemmed */
    dpl__terms *column;  /* a copy of all words, if they are stems already; else NULL */
} stemmer;

/* The mixture's number of each word. */
static dpl_status number_words(uint32_t *out, dpl__mixture *mix, const dpl__terms *words,
                               int side, const stemmer *s, dpl_error *err)
{
    size_t n = words->all.n;
    for (size_t i = 0; i < n; i++) {
        dpl_str word = dpl__term_text(&words->all.data[i]), stem = word;
        uint32_t number = UINT32_MAX;
        if (s->folder)
            DPL_TRY(dpl__fold(s->folder, word, &stem, err));
        if (s->column && !dpl__str_eq(word, stem))
            DPL_TRY(dpl__terms_number(s->column, stem, &number, err));
        bool is_taken = number < n && dpl__utf8_length(stem) < dpl__utf8_length(word);
        DPL_TRY(dpl__terms_number(&mix->words[side], is_taken ? word : stem, &out[i], err));
    }
    return DPL_OK;
}

static dpl_status map_words(uint32_t *out, dpl__mixture *mix, const dpl__translations *g,
                            int side, dpl__folder *folder, dpl_error *err)
{
    bool are_stems = false;
    if (folder)
        DPL_TRY(detect_stems(&are_stems, g, side, folder, err));
    stemmer s = {.folder = folder};
    if (!are_stems)
        return number_words(out, mix, &g->words[side], side, &s, err);
    dpl__terms column;
    s.column = &column;
    dpl__terms_init(&column, mix->ctx);
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < g->words[side].all.n; i++)
        DPL__STEP(dpl__terms_number(&column, dpl__term_text(&g->words[side].all.data[i]),
                                    &out[i], err));
    status = number_words(out, mix, &g->words[side], side, &s, err);
done:
    dpl__terms_clear(&column);
    return status;
}

static dpl_status make_folder(dpl__folder **out, const dpl__mixture *mix,
                              const dpl__translations *g, int side, dpl_error *err)
{
    *out = NULL;
    if (!mix->stem)
        return DPL_OK;
    DPL_TRY(dpl__folder_new(out, mix->ctx, &(dpl_tokens_options){.stem = true}, err));
    return dpl__folder_language(*out, *g->lang[side] ? g->lang[side] : "und", err);
}

/* Counts and weights have a place for each word of the mix. */
static dpl_status extend_arrays(dpl__mixture *mix, int side, dpl_error *err)
{
    size_t n = mix->words[side].all.n;
    while (mix->counts[side].n < n)
        DPL_TRY(dpl__need(dpl__vec_push(mix->ctx, &mix->counts[side], 0), err));
    while (mix->weights[side].n < n)
        DPL_TRY(dpl__need(dpl__vec_push(mix->ctx, &mix->weights[side], 0), err));
    return DPL_OK;
}

/* How often it occurs; 1 when that is not known. */
static double count_of(const dpl__translations *g, int side, uint32_t word)
{
    uint64_t count = word < g->counts[side].n ? g->counts[side].data[word] : 0;
    return count ? (double)count : 1;
}

/* ---- the tables of one dictionary --------------------------------------------------- */

/* Rows add up to 1. sums has a place for each row. */
static void scale_rows(dpl__cells *cells, double *sums, size_t n_rows)
{
    memset(sums, 0, n_rows * sizeof *sums);
    for (size_t i = 0; i < cells->n; i++) {
        assert(cells->data[i].row < n_rows);
        sums[cells->data[i].row] += (double)cells->data[i].p;
    }
    for (size_t i = 0; i < cells->n; i++)
        cells->data[i].p = (float)((double)cells->data[i].p / sums[cells->data[i].row]);
}

/* Whole words and parts in one, the whole ones first. */
static dpl_status join_parts(dpl__translations *g, double *sums, dpl_error *err)
{
    dpl__cells *cells = &g->cells[DPL__LEFT];
    DPL_TRY(dpl__need(dpl__vec_append(g->ctx, cells, g->parts.data, g->parts.n), err));
    dpl__vec_clear(g->ctx, &g->parts);
    if (g->is_weighted)
        scale_rows(cells, sums, g->words[DPL__LEFT].all.n);
    return DPL_OK;
}

/* p(left|right) from the first n cells of p(right|left). */
static dpl_status derive_backward(dpl__translations *g, size_t n, double *sums, dpl_error *err)
{
    assert(n <= g->cells[DPL__LEFT].n);
    dpl__cells *to = &g->cells[DPL__RIGHT];
    if (to->n)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(g->ctx, to, n), err));
    for (size_t i = 0; i < n; i++) {
        dpl__cell cell = g->cells[DPL__LEFT].data[i];
        double p = (double)cell.p * count_of(g, DPL__LEFT, cell.row);
        to->data[to->n++] = (dpl__cell){.row = cell.col, .col = cell.row, .p = (float)p};
    }
    scale_rows(to, sums, g->words[DPL__RIGHT].all.n);
    return DPL_OK;
}

/* ---- adding up ---------------------------------------------------------------------- */

/* Scratch for the rows of a side, as many as the dictionary and the mix have. */
typedef struct rows {
    double *shares; /* of each word of the dictionary with a row: its count, or 1; else 0 */
    double *totals; /* the shares of each word of the mix */
} rows;

static void add_cells(dpl__mixture *mix, const dpl__translations *g, int side,
                      uint32_t *const maps[2], const rows *r, double weight)
{
    const dpl__cells *from = &g->cells[side];
    for (size_t i = 0; i < from->n; i++)
        r->shares[from->data[i].row] = count_of(g, side, from->data[i].row);
    for (size_t i = 0; i < g->words[side].all.n; i++)
        if (r->shares[i] > 0)
            r->totals[maps[side][i]] += r->shares[i];
    for (size_t i = 0; i < mix->words[side].all.n; i++)
        if (r->totals[i] > 0)
            mix->weights[side].data[i] += weight;
    for (size_t i = 0; i < from->n; i++) {
        dpl__cell cell = from->data[i];
        uint32_t row = maps[side][cell.row];
        double share = r->shares[cell.row] / r->totals[row];
        cell = (dpl__cell){.row = row,
                           .col = maps[!side][cell.col],
                           .p = (float)((double)cell.p * share * weight)};
        mix->cells[side].data[mix->cells[side].n++] = cell;
    }
}

static dpl_status add_side(dpl__mixture *mix, const dpl__translations *g, int side,
                           uint32_t *const maps[2], double weight, dpl_error *err)
{
    size_t n = g->words[side].all.n + 1, n_mixed = mix->words[side].all.n + 1;
    rows r = {dpl__calloc(mix->ctx, n, sizeof *r.shares),
              dpl__calloc(mix->ctx, n_mixed, sizeof *r.totals)};
    bool has_memory =
        r.shares && r.totals && dpl__vec_reserve(mix->ctx, &mix->cells[side], g->cells[side].n);
    if (has_memory)
        add_cells(mix, g, side, maps, &r, weight);
    dpl__free(mix->ctx, r.totals, r.shares);
    for (uint32_t i = 0; i < g->counts[side].n; i++) {
        mix->counts[side].data[maps[side][i]] += g->counts[side].data[i];
        mix->has_counts[side] = true;
    }
    return dpl__need(has_memory, err);
}

static dpl_status make_tables(dpl__translations *g, dpl_error *err)
{
    size_t n = dpl__max(g->words[0].all.n, g->words[1].all.n) + 1;
    size_t n_whole = g->cells[DPL__LEFT].n;
    double *sums = dpl__alloc(g->ctx, n * sizeof *sums);
    DPL_TRY(dpl__need(sums, err));
    dpl_status status;
    DPL__STEP(join_parts(g, sums, err));
    status = derive_backward(g, n_whole, sums, err);
done:
    dpl__free(g->ctx, sums);
    return status;
}

/* The source becomes the target. */
static void swap_sides(dpl__translations *g)
{
    dpl__translations was = *g;
    for (int side = 0; side < 2; side++) {
        g->words[side] = was.words[!side];
        g->cells[side] = was.cells[!side];
        g->counts[side] = was.counts[!side];
        memcpy(g->lang[side], was.lang[!side], sizeof g->lang[side]);
    }
}

static dpl_status map_side(uint32_t *map, dpl__mixture *mix, dpl__translations *g, int side,
                           dpl_error *err)
{
    dpl__folder *folder = NULL;
    dpl_status status;
    DPL__STEP(make_folder(&folder, mix, g, side, err));
    status = map_words(map, mix, g, side, folder, err);
done:
    dpl__folder_free(folder);
    return status == DPL_OK ? extend_arrays(mix, side, err) : status;
}

dpl_status dpl__mixture_add(dpl__mixture *mix, dpl__translations *g, bool is_reversed,
                            double weight, dpl_error *err)
{
    assert(weight > 0);
    DPL_TRY(make_tables(g, err));
    if (is_reversed)
        swap_sides(g);
    size_t n[2] = {g->words[0].all.n + 1, g->words[1].all.n + 1};
    uint32_t *maps[2] = {dpl__alloc(mix->ctx, n[0] * sizeof *maps[0]),
                         dpl__alloc(mix->ctx, n[1] * sizeof *maps[1])};
    dpl_status status = dpl__need(maps[0] && maps[1], err);
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = map_side(maps[side], mix, g, side, err);
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = add_side(mix, g, side, maps, weight, err);
    for (int side = 0; side < 2; side++)
        dpl__free(mix->ctx, maps[side]);
    return status;
}

/* ---- the result --------------------------------------------------------------------- */

static void divide_by_weights(dpl__mixture *mix, int side)
{
    for (size_t i = 0; i < mix->cells[side].n; i++) {
        dpl__cell *cell = &mix->cells[side].data[i];
        cell->p = (float)((double)cell->p / mix->weights[side].data[cell->row]);
    }
}

/* The counts in the order of the sorted words, in place of the weights, which are done with. */
static void sort_counts(dpl__mixture *mix, int side, const uint32_t *rank)
{
    uint64_t *counts = mix->counts[side].data;
    double *sorted = mix->weights[side].data;
    size_t n = mix->words[side].all.n;
    for (size_t i = 0; i < n; i++)
        memcpy(&sorted[rank[i]], &counts[i], sizeof *counts);
    if (n)
        memcpy(counts, sorted, n * sizeof *counts);
}

static dpl_status finish(dpl__mixture *mix, uint32_t *const ranks[2], dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        divide_by_weights(mix, side);
        DPL_TRY(dpl__words_sort(&mix->sorted[side], ranks[side], &mix->words[side], err));
        sort_counts(mix, side, ranks[side]);
    }
    for (int side = 0; side < 2; side++) {
        dpl__cells *cells = &mix->cells[side];
        for (size_t i = 0; i < cells->n; i++) {
            cells->data[i].row = ranks[side][cells->data[i].row];
            cells->data[i].col = ranks[!side][cells->data[i].col];
        }
        uint32_t n_rows = (uint32_t)mix->sorted[side].n,
                 n_cols = (uint32_t)mix->sorted[!side].n;
        DPL_TRY(dpl__cells_sort(cells->data, mix->ctx, cells->n, n_rows, n_cols, err));
        DPL_TRY(
            dpl__table_make(&mix->table[side], mix->ctx, cells->data, cells->n, n_rows, err));
        dpl__vec_clear(mix->ctx, cells);
    }
    return DPL_OK;
}

dpl_status dpl__mixture_finish(dpl__mixture *mix, dpl_error *err)
{
    size_t n[2] = {mix->words[0].all.n + 1, mix->words[1].all.n + 1};
    uint32_t *ranks[2] = {dpl__alloc(mix->ctx, n[0] * sizeof *ranks[0]),
                          dpl__alloc(mix->ctx, n[1] * sizeof *ranks[1])};
    dpl_status status = ranks[0] && ranks[1] ? finish(mix, ranks, err) : dpl__fail_nomem(err);
    for (int side = 0; side < 2; side++)
        dpl__free(mix->ctx, ranks[side]);
    return status;
}

void dpl__mixture_init(dpl__mixture *mix, dpl_ctx *ctx, bool stem)
{
    *mix = (dpl__mixture){.ctx = ctx, .stem = stem};
    for (int side = 0; side < 2; side++)
        dpl__terms_init(&mix->words[side], ctx);
}

void dpl__mixture_clear(dpl__mixture *mix)
{
    for (int side = 0; side < 2; side++) {
        dpl__table_clear(&mix->table[side], mix->ctx);
        dpl__words_free(&mix->sorted[side], mix->ctx);
        dpl__vec_clear(mix->ctx, &mix->counts[side], &mix->weights[side], &mix->cells[side]);
        dpl__terms_clear(&mix->words[side]);
    }
}
