/*
 * band.c - areas between anchors become ranges of nodes.
 *
 * Areas that are still large are searched for anchors once more: words that are rare there need
 * not be rare in the whole document.
 */
#include "sentences/band.h"

#include "sentences/sentences_params.h"
void dpl__band_init(dpl__band *b, dpl_ctx *ctx)
{
    *b = (dpl__band){0};
    dpl__anchors_init(&b->anchors, ctx);
}

void dpl__band_clear(dpl__band *b)
{
    dpl__vec_clear(b->anchors.ctx, &b->areas);
    dpl__anchors_clear(&b->anchors);
}

static dpl_status make_room(dpl__band *b, dpl_error *err)
{
    dpl__arena *a = &b->bow->arena;
    size_t n = b->bow->side[DPL__LEFT].n;
    b->low = dpl__arena_alloc(a, (n + 1) * sizeof *b->low);
    b->high = dpl__arena_alloc(a, (n + 1) * sizeof *b->high);
    DPL_TRY(dpl__need(b->low && b->high, err));
    for (int side = 0; side < 2; side++) {
        const dpl__bow_side *s = &b->bow->side[side];
        b->lengths[side] = dpl__arena_alloc(a, ((size_t)s->n + 1) * sizeof *b->lengths[side]);
        DPL_TRY(dpl__need(b->lengths[side], err));
        b->lengths[side][0] = 0;
        for (uint32_t i = 0; i < s->n; i++)
            b->lengths[side][i + 1] = b->lengths[side][i] + (uint64_t)s->chars[i];
    }
    return DPL_OK;
}

/* ---- areas -------------------------------------------------------------------------- */

static bool is_large(dpl__area a)
{
    return (uint64_t)a.n_left * a.n_right > PN(band_large);
}

/* Cuts an area at the anchors found in it: each is an area of one sentence pair. */
static dpl_status cut(dpl__band *b, dpl__area area, dpl_error *err)
{
    uint32_t left = area.left, right = area.right;
    uint32_t left_end = area.left + area.n_left, right_end = area.right + area.n_right;
    for (size_t k = 0; k <= b->anchors.found.n; k++) {
        bool is_last = k == b->anchors.found.n;
        uint32_t i = is_last ? left_end : b->anchors.found.data[k].left;
        uint32_t j = is_last ? right_end : b->anchors.found.data[k].right;
        dpl__area between = {left, i - left, right, j - right}, one = {i, 1, j, 1};
        bool is_empty = !between.n_left && !between.n_right;
        if ((!is_empty && !dpl__vec_push(b->anchors.ctx, &b->areas, between)) ||
            (!is_last && !dpl__vec_push(b->anchors.ctx, &b->areas, one)))
            return dpl__fail_nomem(err);
        left = i + 1;
        right = j + 1;
    }
    return DPL_OK;
}

/* Every large area becomes several, where anchors are found in it. */
static dpl_status refine(dpl__band *b, bool *has_changed, dpl_error *err)
{
    size_t n = b->areas.n;
    *has_changed = false;
    for (size_t k = 0; k < n; k++) {
        dpl__area area = b->areas.data[k];
        b->anchors.found.n = 0;
        if (is_large(area))
            DPL_TRY(dpl__anchors_find(&b->anchors, area, err));
        *has_changed |= b->anchors.found.n > 0;
        if (b->anchors.found.n > 0)
            DPL_TRY(cut(b, area, err));
        else if (!dpl__vec_push(b->anchors.ctx, &b->areas, area))
            return dpl__fail_nomem(err);
    }
    b->areas.n -= n;
    memmove(b->areas.data, b->areas.data + n, b->areas.n * sizeof *b->areas.data);
    return DPL_OK;
}

/* ---- ranges ------------------------------------------------------------------------- */

static uint32_t minus(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

static void cover(dpl__band *b, uint32_t row, uint32_t low, uint32_t high)
{
    uint32_t n_right = b->bow->side[DPL__RIGHT].n;
    if (low < b->low[row])
        b->low[row] = low;
    if (high > b->high[row])
        b->high[row] = high < n_right ? high : n_right;
}

static void cover_whole(dpl__band *b, dpl__area a)
{
    uint32_t n_left = b->bow->side[DPL__LEFT].n;
    uint32_t more = a.n_left > 1 || a.n_right > 1 ? PN(band_margin) : 0;
    uint32_t last = a.left + a.n_left + more;
    for (uint32_t row = minus(a.left, more); row <= last && row <= n_left; row++)
        cover(b, row, minus(a.right, PN(band_margin)), a.right + a.n_right + PN(band_margin));
}

/* Around the diagonal, on which both sides are equally far, by characters. */
static void cover_diagonal(dpl__band *b, dpl__area a)
{
    const uint64_t *left = b->lengths[DPL__LEFT] + a.left, *right = b->lengths[1] + a.right;
    uint32_t shorter = a.n_left < a.n_right ? a.n_left : a.n_right;
    uint32_t wide = (uint32_t)(shorter * P(diagonal_share));
    wide = wide < PN(diagonal) ? PN(diagonal) : wide;
    wide = wide < PN(diagonal_most) ? wide : PN(diagonal_most);
    double ratio = (double)(right[a.n_right] - right[0]) / (double)(left[a.n_left] - left[0]);
    for (uint32_t i = 0, j = 0; i <= a.n_left; i++) {
        double at = (double)(left[i] - left[0]) * ratio;
        uint32_t from = j;
        while (j < a.n_right && (double)(right[j] - right[0]) < at)
            j++;
        cover(b, a.left + i, minus(a.right + from, wide), a.right + j + wide);
    }
    /* As before and behind any other area. */
    cover_whole(b, (dpl__area){a.left, 1, a.right, 1});
    cover_whole(b, (dpl__area){a.left + a.n_left - 1, 1, a.right + a.n_right - 1, 1});
}

static void cover_areas(dpl__band *b)
{
    uint32_t n_left = b->bow->side[DPL__LEFT].n, n_right = b->bow->side[DPL__RIGHT].n;
    for (uint32_t i = 0; i <= n_left; i++) {
        b->low[i] = n_right;
        b->high[i] = 0;
    }
    for (size_t k = 0; k < b->areas.n; k++) {
        dpl__area a = b->areas.data[k];
        if ((uint64_t)a.n_left * a.n_right > 4 * (uint64_t)PN(band_large))
            cover_diagonal(b, a);
        else
            cover_whole(b, a);
    }
    b->low[0] = 0;
    b->high[n_left] = n_right;
    for (uint32_t i = 0; i < n_left; i++)
        if (b->high[i + 1] < b->high[i])
            b->high[i + 1] = b->high[i];
    for (uint32_t i = n_left; i > 0; i--)
        if (b->low[i - 1] > b->low[i])
            b->low[i - 1] = b->low[i];
}

static void cover_all(dpl__band *b)
{
    for (uint32_t i = 0; i <= b->bow->side[DPL__LEFT].n; i++) {
        b->low[i] = 0;
        b->high[i] = b->bow->side[DPL__RIGHT].n;
    }
}

dpl_status dpl__band_find(dpl__band *b, dpl__bow *bow, size_t max_cells, dpl_error *err)
{
    dpl__area all = {0, bow->side[DPL__LEFT].n, 0, bow->side[DPL__RIGHT].n};
    bool has_changed;
    b->bow = bow;
    b->areas.n = 0;
    DPL_TRY(make_room(b, err));
    if ((uint64_t)all.n_left * all.n_right <= max_cells) {
        cover_all(b);
        return DPL_OK;
    }
    DPL_TRY(dpl__anchors_start(&b->anchors, bow, err));
    b->anchors.found.n = 0;
    has_changed = bow->model->weight > 0;
    if (has_changed)
        DPL_TRY(dpl__anchors_find(&b->anchors, all, err));
    DPL_TRY(cut(b, all, err));
    for (unsigned depth = 0; depth < PN(band_depth) && has_changed; depth++)
        DPL_TRY(refine(b, &has_changed, err));
    cover_areas(b);
    return DPL_OK;
}

void dpl__band_clip(dpl__band *b, dpl__area area)
{
    dpl__band_widen(b, area, 0);
}

void dpl__band_widen(dpl__band *b, dpl__area area, uint32_t by)
{
    uint32_t first = area.left, last = area.left + area.n_left;
    uint32_t right_end = area.right + area.n_right;
    for (uint32_t i = last + 1; i-- > first;) {
        uint32_t low = minus(b->low[i - first > by ? i - by : first], by);
        b->low[i] = low > area.right ? low : area.right;
    }
    for (uint32_t i = first; i <= last; i++) {
        uint32_t high = b->high[last - i > by ? i + by : last] + by;
        b->high[i] = high < right_end ? high : right_end;
    }
    b->low[first] = area.right;
    b->high[last] = right_end;
}
