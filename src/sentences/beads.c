/*
 * beads.c - the best sequence of beads, by dynamic programming within a band.
 *
 * A node (i, j) has i left and j right sentences behind it; its value is the best sum of beads
 * that leads there. Beads have up to max_side sentences on a side, and max_side + 1 on both; no
 * bead runs into another section.
 * Values of the last rows are kept, and of every node the bead that led there, in a byte. Where
 * the best path runs along the edge of the band, that segment is done again in a wider one.
 *
 * References: Gale and Church (Computational Linguistics 19, 1993) for lengths and the
 * programme, Moore (AMTA 2002) for Model 1 as a score, Varga et al. (RANLP 2005).
 */
#include "sentences/beads.h"

#include "base/ctx.h"
#include "sentences/band.h"
#include "sentences/bead_model1.h"
#include "sentences/bead_score.h"
#include "sentences/sentences_params.h"
#include "sentences/shape_model.h"
#include "sentences/unordered.h"

enum { MOST_TRIES = 8 }; /* room for P(widen_tries) and twice as many */
#define NEVER (-1e300)

/* Beads [begin, end) of a path. */
typedef struct segment {
    size_t begin, end;
} segment;

/* The best path through an area, and its segments at the edge of the band. */
typedef struct trial {
    DPL_VEC(dpl_bead) path;
    DPL_VEC(segment) segments;
} trial;

struct dpl__bead_aligner {
    dpl_ctx *ctx;
    const dpl__bead_model *model;
    dpl__bow bow;
    dpl__model1 model1;
    dpl__shape_model shape;
    dpl__band band;
    dpl__bead_scorer scorer;
    dpl__unordered unordered;
    unsigned max_side;
    const uint8_t *is_section[2]; /* of the documents being aligned; NULL: no sections */
    dpl__area area;               /* being aligned; what follows counts from its first row */
    DPL_VEC(double) room;
    double *values[DPL__MAX_SIDE + 1]; /* of row i: values[i % (max_side + 1)] */
    DPL_VEC(uint8_t) moves;            /* of each node: left << 4 | right */
    DPL_VEC(uint64_t) move_begin;      /* of each row, and one more */
    trial trials[MOST_TRIES];
    DPL_VEC(dpl_bead) beads;
};

dpl_status dpl__bead_aligner_new(dpl__bead_aligner **out, dpl_ctx *ctx,
                                 const dpl__bead_model *model, dpl_error *err)
{
    *out = NULL;
    dpl__bead_aligner *b = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    b->ctx = ctx;
    b->model = model;
    dpl__model1_init(&b->model1, ctx);
    dpl__band_init(&b->band, ctx);
    dpl__bead_scorer_init(&b->scorer, ctx);
    dpl__shape_model_init(&b->shape, &model->priors);
    dpl_status status = dpl__bow_init(&b->bow, ctx, model, err);
    if (status != DPL_OK) {
        dpl__bead_aligner_free(b);
        return status;
    }
    *out = b;
    return DPL_OK;
}

void dpl__bead_aligner_free(dpl__bead_aligner *b)
{
    if (!b)
        return;
    dpl__vec_clear(b->ctx, &b->beads);
    for (unsigned n = 0; n < MOST_TRIES; n++)
        dpl__vec_clear(b->ctx, &b->trials[n].path, &b->trials[n].segments);
    dpl__vec_clear(b->ctx, &b->move_begin, &b->moves, &b->room);
    dpl__bead_scorer_clear(&b->scorer);
    dpl__band_clear(&b->band);
    dpl__model1_clear(&b->model1);
    dpl__bow_clear(&b->bow);
    dpl__free(b->ctx, b);
}

/* ---- dynamic programming ------------------------------------------------------------ */

typedef struct row {
    uint32_t low, high;            /* right sentences behind its nodes */
    double *values;                /* from low on */
    const dpl__model1_row *model1; /* of its last left sentence */
} row;

/* A row and those before it: at[k] has k left sentences less behind it. */
typedef struct rows {
    uint32_t i; /* left sentences behind at[0] */
    row at[DPL__MAX_SIDE + 1];
} rows;

static void rows_init(rows *r, const dpl__bead_aligner *b, uint32_t i)
{
    r->i = i;
    for (unsigned k = 0; k <= b->max_side && k <= i - b->area.left; k++) {
        uint32_t number = i - k;
        bool has_row = number > b->area.left && k < b->max_side;
        r->at[k] = (row){b->band.low[number], b->band.high[number],
                         b->values[number % (b->max_side + 1)],
                         has_row ? dpl__model1_row_at(&b->model1, number - 1) : NULL};
    }
}

/* The log-likelihood ratio of the words of a bead of k-l sentences that ends at (i, j). */
static double words(dpl__bead_aligner *b, uint32_t i, unsigned k, uint32_t j, unsigned l)
{
    double sum = 0;
    for (unsigned n = 0; n < l; n++)
        sum += dpl__model1_forward(&b->model1, i - 1, k, j - 1 - n);
    for (unsigned n = 0; n < k; n++)
        sum += dpl__model1_backward(&b->model1, i - 1 - n, j - 1, l);
    return sum;
}

/* Log-probability of the shape of a bead: k left sentences that end with i - 1 and l right ones
 * that end with j - 1: lengths, punctuation and the type of the bead. */
static double shape_of(const dpl__bead_aligner *b, uint32_t i, unsigned k, uint32_t j,
                       unsigned l)
{
    return dpl__shape_score(&b->shape, dpl__run_at(&b->shape, DPL__LEFT, i - 1, k),
                            dpl__run_at(&b->shape, DPL__RIGHT, j - 1, l)) +
           b->model->priors.log_p[k][l];
}

/* The best path to a node so far. */
typedef struct best {
    double value;
    unsigned move;
} best;

static void take(best *b, double value, unsigned k, unsigned l)
{
    if (value > b->value)
        *b = (best){value, k << 4 | l};
}

/* Sentences without counterpart, and one beside one. */
static best try_single(dpl__bead_aligner *b, const rows *r, uint32_t j)
{
    const row *at = &r->at[0], *above = &r->at[1];
    bool is_first = r->i == b->area.left;
    best to = {is_first && j == b->area.right ? 0 : NEVER, 0};
    if (!is_first) {
        if (j > above->low && j - 1 <= above->high &&
            above->values[j - 1 - above->low] > NEVER) {
            double words_value = b->model->weight * words(b, r->i, 1, j, 1);
            take(&to,
                 above->values[j - 1 - above->low] + words_value + shape_of(b, r->i, 1, j, 1),
                 1, 1);
        }
        if (j >= above->low && j <= above->high)
            take(&to, above->values[j - above->low] + b->model->priors.log_p[1][0], 1, 0);
    }
    if (j > at->low)
        take(&to, at->values[j - 1 - at->low] + b->model->priors.log_p[0][1], 0, 1);
    return to;
}

/* Whether a run of sentences cannot go on before `at`: a section begins there. */
static bool is_cut(const dpl__bead_aligner *b, int side, uint32_t at)
{
    return b->is_section[side] && b->is_section[side][at];
}

/* Beads of k left sentences and one or several right ones. bound: upper bound of the
 * score of their words, since a run explains no more than its sentences do one by one. */
static void try_several(dpl__bead_aligner *b, const rows *r, uint32_t j, unsigned k,
                        double bound, best *to)
{
    const double *base = b->bow.side[DPL__RIGHT].base;
    const row *from = &r->at[k];
    const dpl__model1_row *last = r->at[0].model1;
    const double *gains = last->gains.data + k - 1;
    unsigned most = k == 2 && b->max_side < 4 ? 2 : b->max_side + 1 - k;
    uint32_t low = last->low > from->low ? last->low : from->low;
    double weight = b->model->weight;
    for (unsigned l = 1; l <= most && l <= j && j - l >= low; l++) {
        bound += base[j - l] + gains[(size_t)(j - l - last->low) * b->max_side];
        if (l > 1 && is_cut(b, DPL__RIGHT, j - l + 1))
            break;
        if (k + l == 2 || j - l > from->high)
            continue;
        double value = from->values[j - l - from->low];
        if (value <= NEVER)
            continue;
        value += shape_of(b, r->i, k, j, l);
        if (value + weight * bound > to->value)
            take(to, value + weight * words(b, r->i, k, j, l), k, l);
    }
}

static void fill_row(dpl__bead_aligner *b, uint32_t i)
{
    rows r;
    rows_init(&r, b, i);
    row *at = &r.at[0];
    uint8_t *moves = b->moves.data + b->move_begin.data[i - b->area.left];
    for (uint32_t j = at->low; j <= at->high; j++) {
        best to = try_single(b, &r, j);
        double bound = 0;
        for (unsigned k = 1; k <= b->max_side && k <= i - b->area.left && j > 0; k++) {
            if (j > r.at[k - 1].model1->high || (k > 1 && is_cut(b, DPL__LEFT, i - k + 1)))
                break;
            bound += b->bow.side[DPL__LEFT].base[i - k];
            try_several(b, &r, j, k, bound, &to);
        }
        at->values[j - at->low] = to.value;
        moves[j - at->low] = (uint8_t)to.move;
    }
}

/* Makes room for the values and moves of the area, unless they exceed `most`. */
static dpl_status make_room(dpl__bead_aligner *b, uint64_t most, bool *has_room, dpl_error *err)
{
    uint32_t n = b->area.n_left, widest = 0;
    uint64_t n_nodes = 0;
    b->move_begin.n = b->moves.n = b->room.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(b->ctx, &b->move_begin, (size_t)n + 2), err));
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t width = b->band.high[b->area.left + i] - b->band.low[b->area.left + i] + 1;
        b->move_begin.data[i] = n_nodes;
        widest = width > widest ? width : widest;
        n_nodes += width;
    }
    *has_room = n_nodes <= most;
    if (!*has_room)
        return DPL_OK;
    DPL_TRY(
        dpl__need(dpl__vec_reserve(b->ctx, &b->moves, n_nodes) &&
                      dpl__vec_reserve(b->ctx, &b->room, (size_t)widest * (b->max_side + 1)),
                  err));
    for (unsigned k = 0; k <= b->max_side; k++)
        b->values[k] = b->room.data + (size_t)widest * k;
    return DPL_OK;
}

static dpl_status fill(dpl__bead_aligner *b, dpl_error *err)
{
    uint32_t first = b->area.left, last = first + b->area.n_left;
    dpl__model1_begin(&b->model1, first);
    fill_row(b, first);
    for (uint32_t i = first + 1; i <= last; i++) {
        uint32_t low = b->band.low[i];
        DPL_TRY(dpl__model1_next(&b->model1, low > b->area.right ? low - 1 : b->area.right,
                                 b->band.high[i], err));
        fill_row(b, i);
    }
    return DPL_OK;
}

static dpl_status trace_back(dpl__bead_aligner *b, trial *t, dpl_error *err)
{
    uint32_t i = b->area.left + b->area.n_left, j = b->area.right + b->area.n_right;
    t->path.n = 0;
    while (i > b->area.left || j > b->area.right) {
        uint64_t at = b->move_begin.data[i - b->area.left] + (j - b->band.low[i]);
        unsigned move = b->moves.data[at], k = move >> 4, l = move & 15;
        assert(move && k <= i - b->area.left && l <= j - b->area.right);
        i -= k;
        j -= l;
        dpl_bead bead = {.left = i, .n_left = k, .right = j, .n_right = l};
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &t->path, bead), err));
    }
    for (size_t first = 0, last = t->path.n; first + 1 < last; first++) {
        dpl_bead bead = t->path.data[first];
        t->path.data[first] = t->path.data[--last];
        t->path.data[last] = bead;
    }
    return DPL_OK;
}

/* ---- segments ---------------------------------------------------------------------- */

/* Whether the path is at an edge of the band here, and a better one may be outside. */
static bool is_at_edge(const dpl__bead_aligner *b, uint32_t i, uint32_t j)
{
    return (j == b->band.low[i] && j > b->area.right) ||
           (j == b->band.high[i] && j < b->area.right + b->area.n_right);
}

/* The segments of the path at the edges, with `around` beads on both sides; the whole path, if
 * they are a large share of it: then the rest is unreliable, too. */
static dpl_status find_segments(dpl__bead_aligner *b, trial *t, size_t around, dpl_error *err)
{
    size_t n_beads = 0;
    t->segments.n = 0;
    for (size_t k = 0; k < t->path.n; k++) {
        if (!is_at_edge(b, t->path.data[k].left, t->path.data[k].right))
            continue;
        segment s = {k > around ? k - around : 0, dpl__min(k + around, t->path.n)};
        segment *last = t->segments.n ? &t->segments.data[t->segments.n - 1] : NULL;
        if (last && s.begin <= last->end)
            last->end = s.end;
        else if (!dpl__vec_push(b->ctx, &t->segments, s))
            return dpl__fail_nomem(err);
    }
    for (size_t k = 0; k < t->segments.n; k++)
        n_beads += t->segments.data[k].end - t->segments.data[k].begin;
    if (n_beads > (size_t)((double)t->path.n * P(widen_all))) {
        t->segments.n = 1;
        t->segments.data[0] = (segment){0, t->path.n};
    }
    return DPL_OK;
}

static dpl__area area_of(const trial *t, segment s)
{
    const dpl_bead *first = &t->path.data[s.begin], *last = &t->path.data[s.end - 1];
    return (dpl__area){first->left, last->left + last->n_left - first->left, first->right,
                       last->right + last->n_right - first->right};
}

static dpl_status solve(dpl__bead_aligner *b, dpl__area area, uint64_t most, trial *t,
                        bool *is_done, dpl_error *err)
{
    b->area = area;
    DPL_TRY(make_room(b, most, is_done, err));
    if (!*is_done)
        return DPL_OK;
    DPL_TRY(fill(b, err));
    return trace_back(b, t, err);
}

/* Adds the beads of an area. Segments at the edge of the band are done again in a wider one,
 * within a bound of the time. */
static dpl_status find_path(dpl__bead_aligner *b, dpl__area area, unsigned n_tries,
                            uint64_t memory, bool *is_done, dpl_error *err)
{
    uint64_t most =
        PN(widen_nodes) + PN(widen_nodes_each) * ((uint64_t)area.n_left + area.n_right);
    trial *t = &b->trials[n_tries];
    uint32_t by = PN(widen) << (2 * n_tries);
    DPL_TRY(solve(b, area, n_tries ? most : memory, t, is_done, err));
    if (!*is_done)
        return DPL_OK;
    t->segments.n = 0;
    if (n_tries + 1 < PN(widen_tries))
        DPL_TRY(find_segments(b, t, 4 * (size_t)by, err));
    size_t at = 0;
    for (size_t k = 0; k < t->segments.n; k++) {
        segment s = t->segments.data[k];
        dpl__area part = area_of(t, s);
        bool is_better;
        DPL_TRY(dpl__need(dpl__vec_append(b->ctx, &b->beads, t->path.data + at, s.begin - at),
                          err));
        dpl__band_widen(&b->band, part, by);
        DPL_TRY(find_path(b, part, n_tries + 1, memory, &is_better, err));
        at = is_better ? s.end : s.begin;
    }
    return dpl__need(dpl__vec_append(b->ctx, &b->beads, t->path.data + at, t->path.n - at),
                     err);
}

/* Aligns only some pieces, at equal distances, each from anchor to anchor. */
static dpl_status find_pieces(dpl__bead_aligner *b, size_t n_sentences, uint64_t memory,
                              dpl_error *err)
{
    size_t n_pieces = n_sentences / PN(piece) + 1, n_done = 0;
    const dpl__area *areas = b->band.areas.data, *begin = NULL;
    for (size_t k = 0; k < b->band.areas.n; k++) {
        const dpl__area *a = &areas[k];
        bool is_done;
        if (a->n_left != 1 || a->n_right != 1)
            continue;
        if (!begin && a->left >= (uint64_t)b->bow.side[DPL__LEFT].n * n_done / n_pieces)
            begin = a;
        if (!begin || a->left - begin->left < PN(piece))
            continue;
        dpl__area piece = {begin->left, a->left - begin->left, begin->right,
                           a->right - begin->right};
        dpl__band_clip(&b->band, piece);
        DPL_TRY(find_path(b, piece, 0, memory, &is_done, err));
        begin = NULL;
        n_done++;
    }
    return DPL_OK;
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status find_beads(dpl__bead_aligner *b, const dpl__bead_options *o, dpl_error *err)
{
    uint32_t n[2] = {b->bow.side[DPL__LEFT].n, b->bow.side[DPL__RIGHT].n};
    uint64_t memory = o->memory ? o->memory : b->ctx->memory / 4;
    bool is_done;
    DPL_TRY(
        dpl__band_find(&b->band, &b->bow, o->max_cells ? o->max_cells : PN(full_cells), err));
    DPL_TRY(dpl__model1_start(&b->model1, &b->bow, b->max_side, err));
    b->beads.n = 0;
    if (o->sample && o->sample < n[DPL__LEFT])
        DPL_TRY(find_pieces(b, o->sample, memory, err));
    if (b->beads.n)
        return DPL_OK;
    DPL_TRY(find_path(b, (dpl__area){0, n[0], 0, n[1]}, 0, memory, &is_done, err));
    return is_done ? DPL_OK
                   : dpl__fail(err, DPL_E_LIMIT,
                               "documents of %u and %u sentences do not fit into the memory",
                               (unsigned)n[0], (unsigned)n[1]);
}

dpl_status dpl__bead_aligner_align(dpl__bead_aligner *b, const dpl__bead_doc docs[2],
                                   const dpl__bead_options *options, dpl_error *err)
{
    dpl__bead_options o = options ? *options : (dpl__bead_options){0};
    b->max_side = o.max_side ? o.max_side : PN(max_side);
    assert(b->max_side <= DPL__MAX_SIDE);
    for (int side = 0; side < 2; side++)
        b->is_section[side] = docs[side].is_section;
    DPL_TRY(dpl__bow_load(&b->bow, docs, err));
    DPL_TRY(dpl__shape_model_start(&b->shape, &b->bow.arena, docs, b->max_side, err));
    DPL_TRY(dpl__bead_scorer_start(&b->scorer, &b->bow, err));
    return find_beads(b, &o, err);
}

/* ---- in any order ------------------------------------------------------------------- */

/* Beads of the pairs that were matched, and of the sentences that were not. */
static dpl_status take_matches(dpl__bead_aligner *b, dpl_error *err)
{
    const uint32_t *partners[2] = {b->unordered.partners[0], b->unordered.partners[1]};
    uint32_t n_left = b->bow.side[DPL__LEFT].n, n_right = b->bow.side[DPL__RIGHT].n;
    b->beads.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(b->ctx, &b->beads, (size_t)n_left + n_right), err));
    for (uint32_t i = 0; i < n_left; i++) {
        bool is_alone = partners[DPL__LEFT][i] == DPL__NO_PARTNER;
        b->beads.data[b->beads.n++] = (dpl_bead){.left = i,
                                                 .n_left = 1,
                                                 .right = is_alone ? 0 : partners[0][i],
                                                 .n_right = is_alone ? 0 : 1};
    }
    for (uint32_t j = 0; j < n_right; j++)
        if (partners[DPL__RIGHT][j] == DPL__NO_PARTNER)
            b->beads.data[b->beads.n++] = (dpl_bead){.left = n_left, .right = j, .n_right = 1};
    return DPL_OK;
}

static double weigh(const dpl__bead_aligner *b, const dpl_bead *bead, dpl__bead_score *e)
{
    unsigned bin;
    const dpl__run *left = dpl__run_at(&b->shape, DPL__LEFT, bead->left + bead->n_left - 1,
                                       bead->n_left),
                   *right = dpl__run_at(&b->shape, DPL__RIGHT, bead->right + bead->n_right - 1,
                                        bead->n_right);
    e->off = dpl__shape_off(&b->shape, left, right, &bin);
    return b->model->weight * e->words + dpl__shape_score(&b->shape, left, right);
}

static dpl_status value_pair(void *user, uint32_t left, uint32_t right, double *value,
                             dpl_error *err)
{
    dpl__bead_aligner *b = user;
    dpl_bead bead = {.left = left, .n_left = 1, .right = right, .n_right = 1};
    dpl__bead_score e;
    DPL_TRY(dpl__bead_scorer_words(&b->scorer, &bead, &e, err));
    *value = weigh(b, &bead, &e);
    return DPL_OK;
}

dpl_status dpl__bead_aligner_match(dpl__bead_aligner *b, const dpl__bead_doc docs[2],
                                   double margin, dpl_error *err)
{
    DPL_TRY(dpl__bow_load(&b->bow, docs, err));
    DPL_TRY(dpl__shape_model_start(&b->shape, &b->bow.arena, docs, 1, err));
    DPL_TRY(dpl__bead_scorer_start(&b->scorer, &b->bow, err));
    DPL_TRY(dpl__unordered_match(&b->unordered, &b->bow, value_pair, b, margin, err));
    return take_matches(b, err);
}

/* ---- results ------------------------------------------------------------------------ */

dpl_bead *dpl__bead_aligner_beads(dpl__bead_aligner *b, size_t *n)
{
    *n = b->beads.n;
    return b->beads.data;
}

dpl_status dpl__bead_aligner_score(dpl__bead_aligner *b, const dpl_bead *bead,
                                   dpl__bead_score *out, dpl_error *err)
{
    DPL_TRY(dpl__bead_scorer_words(&b->scorer, bead, out, err));
    out->value = weigh(b, bead, out);
    dpl__bead_scorer_pmi(&b->scorer, out);
    dpl__bead_scorer_coverage(&b->scorer, bead, out);
    return DPL_OK;
}

dpl_status dpl__bead_aligner_words(dpl__bead_aligner *b, const dpl__bead_doc docs[2],
                                   const dpl_bead *beads, size_t n, double *out, dpl_error *err)
{
    DPL_TRY(dpl__bow_load(&b->bow, docs, err));
    DPL_TRY(dpl__bead_scorer_start(&b->scorer, &b->bow, err));
    for (size_t i = 0; i < n; i++) {
        dpl__bead_score score;
        assert(beads[i].n_left && beads[i].n_right);
        DPL_TRY(dpl__bead_scorer_words(&b->scorer, &beads[i], &score, err));
        out[i] = score.words;
    }
    return DPL_OK;
}
