/*
 * mutual_pairs.c - nearest documents of both sides from one search; mutual best pairs of them.
 *
 * The exact search finds the neighbours of both sides in one pass (dpl_neighbours_find), and so
 * does brute where there are many pairs; otherwise it compares nearly all of them, once for
 * either side, as a window search does. A pair of which only one side
 * lists the other is a candidate, too: margins are about both. Cost: the search; matching is
 * linear in the lists.
 */
#include "mine/mutual_pairs.h"

#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "par/pool.h"
#include "par/sort.h"
#include "vectors/vectors.h"

#include <math.h>

enum { PART_ROWS = 2048 }; /* of a task */

/* ---- searching ---------------------------------------------------------------------- */

void dpl__near_add(dpl__near *near, const uint64_t *keys, dpl__near one)
{
    size_t at = DPL__NEAREST;
    for (; at > 0; at--) {
        const dpl__near *last = &near[at - 1];
        if (last->row != DPL__NO_ROW &&
            (last->score > one.score ||
             (last->score >= one.score && keys[last->row] <= keys[one.row])))
            break;
        if (at < DPL__NEAREST)
            near[at] = *last;
    }
    if (at < DPL__NEAREST)
        near[at] = one;
}

/* The nearest of both sides from one search. */
static dpl_status search_both(dpl__neighbours *c, dpl_vectors *const v[2],
                              const dpl__row_docs *docs, const dpl_pairs_options *options,
                              dpl_error *err)
{
    dpl_pairs_side left = {.vectors = v[0], .collection = docs->collections[0]},
                   right = {.vectors = v[1], .collection = docs->collections[1]};
    dpl_pairs_options search = *options; /* of brute */
    if (!search.length && search.signature == DPL_SIGN_RP)
        search.length = (unsigned)DPL__P(mine, brute_bits);
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .method = options->method, .k = DPL__NEAREST,
                 .threshold = options->threshold, .temp = options->temp,
                 .search = options->method == DPL_PAIRS_EXACT ? NULL : &search,
                 .left_keys = c->keys[0], .right_keys = c->keys[1]);
    DPL_TRY(dpl_neighbours_find(&c->found, c->ctx, &left, &right, &o, err));
    c->threshold = options->threshold;
    c->recall_check = *dpl_neighbours_get_summary(c->found)->recall_check;
    if (c->n[0] && c->n[1]) {
        c->near[0] = dpl_neighbours_of(c->found, false, 0);
        c->near[1] = dpl_neighbours_of(c->found, true, 0);
    }
    return DPL_OK;
}

/* The nearest of one side. */
static dpl_status search_side(dpl__neighbours *c, int side, dpl_vectors *const v[2],
                              const dpl_pairs_options *options, dpl_error *err)
{
    dpl_pairs_options o = *options;
    o.select = DPL_SELECT_BEST;
    o.top = DPL__NEAREST;
    o.margin = 0;
    dpl_pairs_side sides[2] = {{.vectors = v[side]}, {.vectors = v[!side]}};
    dpl_pairs *pairs = NULL;
    size_t n = (size_t)c->n[side] * DPL__NEAREST;
    dpl__near *all = dpl__alloc(c->ctx, n * sizeof *all);
    if (!all && n)
        return dpl__fail_nomem(err);
    c->near[side] = c->own[side] = all;
    for (size_t i = 0; i < n; i++)
        all[i] = (dpl__near){DPL__NO_ROW, 0};
    DPL_TRY(dpl_pairs_open(&pairs, c->ctx, &sides[0], &sides[1], &o, err));
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        dpl__near_add(all + (size_t)pair.left * DPL__NEAREST, c->keys[!side],
                      (dpl__near){pair.right, pair.score});
    if (side == DPL__LEFT)
        c->recall_check = *dpl_pairs_get_summary(pairs)->recall_check;
    c->threshold = dpl_pairs_get_summary(pairs)->threshold;
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status search(dpl__neighbours *c, dpl_vectors *const v[2], const dpl__row_docs *docs,
                         const dpl_pairs_options *options, dpl_error *err)
{
    bool is_many = (double)c->n[0] * (double)c->n[1] >= DPL__P(mine, brute_pairs);
    if (options->method == DPL_PAIRS_EXACT || options->method == DPL_PAIRS_NGRAM ||
        (options->method == DPL_PAIRS_BRUTE && is_many))
        return search_both(c, v, docs, options, err);
    DPL_TRY(search_side(c, DPL__LEFT, v, options, err));
    return search_side(c, DPL__RIGHT, v, options, err);
}

/* A row in its group. */
typedef struct member {
    uint64_t group, key; /* lowest key of the group, its own */
    uint32_t row;
} member;

DPL__ORDER(by_group, member, DPL__RISING(group) DPL__RISING(key))

/* Groups of documents become groups of rows. */
static dpl_status group_rows(dpl__neighbours *c, int side, const dpl_vectors *v,
                             const dpl__row_docs *docs, dpl_error *err)
{
    size_t n = c->n[side];
    member *members = dpl__alloc(c->ctx, (n + 1) * sizeof *members);
    c->groups[side] = dpl__alloc(c->ctx, (n + 1) * sizeof *c->groups[side]);
    bool has_memory = members && c->groups[side];
    for (uint32_t row = 0; row < n && has_memory; row++) {
        uint32_t group = docs->groups[side][v->docs[row]];
        uint64_t key = c->keys[side][row];
        members[row] = (member){group == UINT32_MAX ? key : docs->keys[side][group], key, row};
    }
    dpl_status status =
        has_memory ? dpl__parallel_sort(c->ctx, members, n, sizeof *members, by_group, err)
                   : dpl__fail_nomem(err);
    for (size_t i = 0, first = 0; i < n && status == DPL_OK; i++) {
        first = members[i].group == members[first].group ? first : i;
        c->groups[side][members[i].row] = members[first].row;
    }
    dpl__free(c->ctx, members);
    return status;
}

dpl_status dpl__neighbours_new(dpl__neighbours *out, dpl_ctx *ctx, dpl_vectors *const v[2],
                               const dpl__row_docs *docs, dpl_error *err)
{
    dpl_status status = DPL_OK;
    *out = (dpl__neighbours){.ctx = ctx};
    for (int side = 0; side < 2; side++) {
        out->n[side] = dpl_vectors_get_sizes(v[side])->n_rows;
        out->keys[side] = dpl__alloc(ctx, out->n[side] * sizeof *out->keys[side]);
        if (out->n[side] && !out->keys[side])
            DPL__STEP(dpl__fail_nomem(err));
        for (uint32_t row = 0; row < out->n[side]; row++)
            out->keys[side][row] = docs->keys[side][v[side]->docs[row]];
        if (docs->groups[side])
            DPL__STEP(group_rows(out, side, v[side], docs, err));
    }
done:
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}

dpl_status dpl__neighbours_find(dpl__neighbours *out, dpl_ctx *ctx, dpl_vectors *const v[2],
                                const dpl__row_docs *docs, const dpl_pairs_options *options,
                                dpl_error *err)
{
    DPL_TRY(dpl__neighbours_new(out, ctx, v, docs, err));
    dpl_status status = search(out, v, docs, options, err);
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}

void dpl__neighbours_clear(dpl__neighbours *c)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(c->ctx, c->own[side], c->keys[side], c->groups[side]);
        c->near[side] = c->own[side] = NULL;
        c->keys[side] = NULL;
        c->groups[side] = NULL;
    }
    dpl_neighbours_free(c->found);
    c->found = NULL;
}

/* ---- matching ----------------------------------------------------------------------- */

typedef struct best {
    uint32_t row; /* of the other side */
    float score;
    double margin;
} best;

typedef struct matcher {
    const dpl__neighbours *c;
    const uint8_t *absent[2];  /* of each row; NULL: all are there */
    double *around[2];         /* of each row: the mean of what is around it */
    best *best[2], *second[2]; /* the second is no near-copy of the best */
    uint8_t *is_taken[2];      /* of each row: it has been matched */
    dpl__matches *matches;
    dpl__rank_decoys *seconds; /* NULL: not wanted; above is a left row */
} matcher;

static bool is_absent(const matcher *m, int side, uint32_t row)
{
    return m->absent[side] && m->absent[side][row];
}

/* The row that stands for it and its near-copies. */
static uint32_t group_of(const dpl__neighbours *c, int side, uint32_t row)
{
    return c->groups[side] ? c->groups[side][row] : row;
}

/* Whether a near-copy of the list's i-th row stands before it and is there. */
static bool is_repeated(const matcher *m, int side, const dpl__near *near, size_t i)
{
    if (!m->c->groups[!side])
        return false;
    uint32_t group = group_of(m->c, !side, near[i].row);
    for (size_t k = 0; k < i; k++)
        if (group_of(m->c, !side, near[k].row) == group && !is_absent(m, !side, near[k].row))
            return true;
    return false;
}

/* The mean of what is around a row, without one group of the other side. */
static double around(const matcher *m, int side, uint32_t row, uint32_t without)
{
    const dpl__neighbours *c = m->c;
    const dpl__near *near = c->near[side] + (size_t)row * DPL__NEAREST;
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < DPL__NEAREST && n < DPL__AROUND; i++)
        if (near[i].row != DPL__NO_ROW && !is_absent(m, !side, near[i].row) &&
            group_of(c, !side, near[i].row) != without && !is_repeated(m, side, near, i)) {
            sum += (double)near[i].score;
            n++;
        }
    return (sum + (double)(DPL__AROUND - n) * c->threshold) / DPL__AROUND;
}

static void measure_around(matcher *m, int side, uint32_t begin, uint32_t end)
{
    for (uint32_t row = begin; row < end; row++)
        m->around[side][row] = around(m, side, row, DPL__NO_ROW);
}

/* Higher margin first; ties: higher cosine, then lower key. */
static bool is_before(const best *a, const best *b, const uint64_t *keys)
{
    if (b->row == DPL__NO_ROW || a->margin > b->margin)
        return true;
    return a->margin >= b->margin &&
           (a->score > b->score || (a->score >= b->score && keys[a->row] < keys[b->row]));
}

/* Offers one of the other side to a row. */
static void offer(matcher *m, int side, uint32_t row, best one)
{
    const uint64_t *keys = m->c->keys[!side];
    best *first = &m->best[side][row], *second = &m->second[side][row];
    uint32_t group = group_of(m->c, !side, one.row);
    bool is_copy = first->row != DPL__NO_ROW && group_of(m->c, !side, first->row) == group;
    if (is_before(&one, first, keys)) {
        if (!is_copy)
            *second = *first;
        *first = one;
    } else if (!is_copy && is_before(&one, second, keys)) {
        *second = one;
    }
}

/* Offers a pair of a row's list to the row, or to the other one. */
static void offer_pair(matcher *m, int side, uint32_t row, dpl__near near, bool to_row)
{
    if (is_absent(m, side, row) || is_absent(m, !side, near.row) || m->is_taken[side][row] ||
        m->is_taken[!side][near.row])
        return;
    double margin =
        (double)near.score * 2 / (m->around[side][row] + m->around[!side][near.row]);
    if (to_row)
        offer(m, side, row, (best){near.row, near.score, margin});
    else
        offer(m, !side, near.row, (best){row, near.score, margin});
}

/* The best of the rows [begin, end) of a side: of their own lists, and of the lists of the
 * other side that they are on. */
static void find_best(matcher *m, int side, uint32_t begin, uint32_t end)
{
    for (uint32_t row = begin; row < end; row++) {
        const dpl__near *near = m->c->near[side] + (size_t)row * DPL__NEAREST;
        m->best[side][row] = m->second[side][row] = (best){.row = DPL__NO_ROW};
        for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++)
            offer_pair(m, side, row, near[i], true);
    }
    for (uint32_t other = 0; other < m->c->n[!side]; other++) {
        const dpl__near *near = m->c->near[!side] + (size_t)other * DPL__NEAREST;
        for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++)
            if (near[i].row - begin < end - begin)
                offer_pair(m, !side, other, near[i], false);
    }
}

/* Work on rows [begin, end) of a side, which writes to these rows only. */
typedef void part(matcher *m, int side, uint32_t begin, uint32_t end);

typedef struct parts {
    matcher *m;
    part *run;
    uint32_t n; /* of each side */
} parts;

static void run_part(void *user, size_t i)
{
    const parts *p = user;
    int side = i >= p->n;
    uint64_t n = p->m->c->n[side], at = i - (side ? p->n : 0);
    p->run(p->m, side, (uint32_t)(at * n / p->n), (uint32_t)((at + 1) * n / p->n));
}

/* Runs over both sides in parts. Every part of find_best reads all lists of the other side. */
static dpl_status run_parts(matcher *m, part *run, dpl_error *err)
{
    size_t most = dpl__max(m->c->n[0], m->c->n[1]) / PART_ROWS + 1;
    parts p = {m, run, (uint32_t)dpl__min(most, dpl_ctx_threads(m->c->ctx))};
    return dpl__parallel_each(m->c->ctx, (size_t)2 * p.n, &p, run_part, err);
}

/* The score over that of the next best on the row's list, without one group. */
static float lead(const matcher *m, int side, uint32_t row, const best *b, uint32_t without)
{
    const dpl__neighbours *c = m->c;
    const dpl__near *near = c->near[side] + (size_t)row * DPL__NEAREST;
    uint32_t own = group_of(c, !side, b->row);
    for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++) {
        uint32_t group = group_of(c, !side, near[i].row);
        if (group != own && group != without && !is_absent(m, !side, near[i].row))
            return b->score / near[i].score;
    }
    return b->score / (float)c->threshold;
}

/* Whether a row is the best of the one that is its own best. */
static bool is_mutual(const matcher *m, int side, uint32_t row)
{
    const best *b = &m->best[side][row];
    return b->row != DPL__NO_ROW && m->best[!side][b->row].row == row;
}

static dpl_status take_mutual(matcher *m, dpl_error *err)
{
    for (uint32_t left = 0; left < m->c->n[DPL__LEFT]; left++) {
        const best *b = &m->best[DPL__LEFT][left];
        if (!is_mutual(m, DPL__LEFT, left))
            continue;
        dpl__match match = {
            .row = {left, b->row},
            .score = b->score,
            .margin = (float)b->margin,
            .lead = {lead(m, DPL__LEFT, left, b, DPL__NO_ROW),
                     lead(m, DPL__RIGHT, b->row, &m->best[DPL__RIGHT][b->row], DPL__NO_ROW)}};
        DPL_TRY(dpl__need(dpl__vec_push(m->c->ctx, m->matches, match), err));
    }
    return DPL_OK;
}

/* ---- decoys of rank two
 * ------------------------------------------------------------------------- */

/* A pair of one of the two rows of a decoy. Logarithms. */
typedef struct rival {
    double margin, score;
    int side; /* whose list it is on; -1: the decoy */
} rival;

/* The pairs of two rows, by margin, the decoy first, without the pair before it. */
typedef struct rivals {
    rival data[2 * DPL__NEAREST + 1];
    size_t n;
} rivals;

static rival make_rival(const matcher *m, int side, uint32_t row, dpl__near near)
{
    double all = m->around[side][row] + m->around[!side][near.row],
           score = dpl__log((double)near.score);
    return (rival){score + dpl__log(2 / all), score, side};
}

static void find_rivals(rivals *r, const matcher *m, const dpl__match *decoy, int side_above,
                        uint32_t without)
{
    const dpl__neighbours *c = m->c;
    r->data[0] = make_rival(m, 0, decoy->row[0], (dpl__near){decoy->row[1], decoy->score});
    r->data[0].side = -1;
    r->n = 1;
    for (int side = 0; side < 2; side++) {
        const dpl__near *near = c->near[side] + (size_t)decoy->row[side] * DPL__NEAREST;
        uint32_t own = group_of(c, !side, decoy->row[!side]);
        for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++) {
            uint32_t group = group_of(c, !side, near[i].row);
            if (group == own || (side == side_above && group == without) ||
                is_repeated(m, side, near, i))
                continue;
            rival one = make_rival(m, side, decoy->row[side], near[i]);
            size_t at = r->n++;
            one.margin = fmin(one.margin, r->data[0].margin);
            for (; at > 1 && r->data[at - 1].margin < one.margin; at--)
                r->data[at] = r->data[at - 1];
            r->data[at] = one;
        }
    }
}

/* If margins have an exponential tail, k times the gap below the k-th margin has the same
 * distribution for every k (Renyi 1953). Without the pair itself, rank k + 1 becomes rank k. */
static dpl__match raise_rank(rivals *r, double threshold)
{
    double by = 0, own, sum[2] = {0, 0}, next[2] = {threshold, threshold};
    size_t n[2] = {1, 1};
    for (size_t k = r->n - 1; k-- > 0;) {
        by += (r->data[k].margin - r->data[k + 1].margin) / (double)(k + 1);
        r->data[k].score += by;
    }
    own = dpl__exp(r->data[0].score);
    for (size_t k = 1; k < r->n; k++) {
        int side = r->data[k].side;
        double score = dpl__exp(r->data[k].score);
        next[side] = n[side] == 1 ? score : fmax(next[side], score);
        sum[side] += n[side] < DPL__AROUND ? score : 0;
        n[side] += n[side] < DPL__AROUND;
    }
    double all = 2 * own;
    for (int side = 0; side < 2; side++)
        all += sum[side] + (double)(DPL__AROUND - n[side]) * threshold;
    return (dpl__match){.score = (float)own,
                        .margin = (float)(2 * DPL__AROUND * own / all),
                        .lead = {(float)(own / next[0]), (float)(own / next[1])}};
}

/* Rows of one side whose second best has them for its best. */
static dpl_status take_seconds(matcher *m, int side, dpl_error *err)
{
    const dpl__neighbours *c = m->c;
    for (uint32_t row = 0; row < c->n[side]; row++) {
        const best *b = &m->second[side][row];
        if (b->row == DPL__NO_ROW || m->best[!side][b->row].row != row)
            continue;
        const uint32_t above = m->best[side][row].row, without = group_of(c, !side, above);
        double all = around(m, side, row, without) + m->around[!side][b->row];
        dpl__rank_decoy decoy = {
            .is = {.score = b->score, .margin = (float)((double)b->score * 2 / all)}};
        decoy.is.row[side] = row;
        decoy.is.row[!side] = b->row;
        decoy.is.lead[side] = lead(m, side, row, b, without);
        decoy.is.lead[!side] =
            lead(m, !side, b->row, &(best){row, b->score, b->margin}, DPL__NO_ROW);
        decoy.above = !is_mutual(m, side, row) ? DPL__NO_ROW : side ? above : row;
        rivals r;
        find_rivals(&r, m, &decoy.is, side, without);
        decoy.raised = raise_rank(&r, c->threshold);
        DPL_TRY(dpl__need(dpl__vec_push(c->ctx, m->seconds, decoy), err));
    }
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

DPL__ORDER(by_left, dpl__match, DPL__RISING(row[0]))

/* Rows of the matches from the one at `first` on, and their near-copies. */
static void take_rows(matcher *m, int side, size_t first)
{
    enum { ROW = 1, GROUP = 2 };
    uint8_t *is_taken = m->is_taken[side];
    for (size_t i = first; i < m->matches->n; i++) {
        uint32_t row = m->matches->data[i].row[side];
        is_taken[row] |= ROW;
        if (m->c->groups[side])
            is_taken[m->c->groups[side][row]] |= GROUP;
    }
    for (uint32_t row = 0; m->c->groups[side] && row < m->c->n[side]; row++)
        is_taken[row] |= is_taken[m->c->groups[side][row]] & GROUP;
}

/* Decoys know the left row of the match before them: its number instead. */
static void number_seconds(matcher *m)
{
    for (size_t i = 0; i < m->seconds->n; i++) {
        uint32_t *above = &m->seconds->data[i].above;
        size_t at;
        if (*above == DPL__NO_ROW)
            continue;
        DPL__LOWER_BOUND(at, m->matches->n, m->matches->data[at].row[0] < *above);
        *above = (uint32_t)at;
    }
}

static dpl_status match(matcher *m, unsigned turns, dpl_error *err)
{
    dpl__matches *out = m->matches;
    DPL_TRY(run_parts(m, measure_around, err));
    for (unsigned turn = 0; turn < turns; turn++) {
        size_t before = out->n;
        DPL_TRY(run_parts(m, find_best, err));
        DPL_TRY(take_mutual(m, err));
        for (int side = 0; side < 2 && m->seconds; side++)
            DPL_TRY(take_seconds(m, side, err));
        for (int side = 0; side < 2; side++)
            take_rows(m, side, before);
    }
    if (turns > 1 && out->n) /* one turn has them in order */
        dpl__vec_sort(out, by_left);
    if (m->seconds)
        number_seconds(m);
    return DPL_OK;
}

static dpl_status find_matches(dpl__matches *out, dpl__rank_decoys *seconds,
                               const dpl__neighbours *c, const uint8_t *const absent[2],
                               unsigned turns, dpl_error *err)
{
    dpl_ctx *ctx = c->ctx;
    matcher m = {.c = c, .matches = out, .seconds = seconds};
    bool has_memory = true;
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)c->n[side] + 1;
        m.around[side] = dpl__alloc(ctx, n * sizeof *m.around[side]);
        m.best[side] = dpl__alloc(ctx, n * sizeof *m.best[side]);
        m.second[side] = dpl__alloc(ctx, n * sizeof *m.second[side]);
        m.is_taken[side] = dpl__calloc(ctx, n, 1);
        m.absent[side] = absent ? absent[side] : NULL;
        has_memory =
            has_memory && m.around[side] && m.best[side] && m.second[side] && m.is_taken[side];
    }
    out->n = 0;
    if (seconds)
        seconds->n = 0;
    dpl_status status = has_memory ? match(&m, turns, err) : dpl__fail_nomem(err);
    for (int side = 0; side < 2; side++)
        dpl__free(ctx, m.around[side], m.best[side], m.second[side], m.is_taken[side]);
    return status;
}

dpl_status dpl__matches_find(dpl__matches *out, const dpl__neighbours *c,
                             const uint8_t *const absent[2], unsigned turns, dpl_error *err)
{
    return find_matches(out, NULL, c, absent, turns, err);
}

dpl_status dpl__rank_decoys_find(dpl__rank_decoys *out, const dpl__neighbours *c,
                                 dpl_error *err)
{
    dpl__matches matches = {0};
    dpl_status status = find_matches(&matches, out, c, NULL, 1, err);
    dpl__vec_clear(c->ctx, &matches);
    return status;
}

/* ---- decoys by leaving out
 * ------------------------------------------------------------------------- */

enum { DECOY_ROUNDS = 3 };

/* One round of them. */
typedef struct decoys {
    dpl_ctx *ctx;
    const dpl__neighbours *c;
    const dpl__matches *matches;
    unsigned turns;
    uint8_t *absent[2]; /* of each row */
    uint32_t *taken[2]; /* of each row: the match that it is without in this round */
    dpl__matches found, chosen;
} decoys;

/* The same for near-copies. */
static uint64_t role_key(const dpl__neighbours *c, int side, uint32_t row)
{
    return dpl__mix(c->keys[side][group_of(c, side, row)]);
}

/* Near-copies go with the row of their group, which `absent` and `taken` are set for. */
static void set_copies(decoys *d, const dpl__neighbours *c, int side)
{
    for (uint32_t row = 0; row < c->n[side]; row++) {
        uint32_t group = c->groups[side][row];
        d->absent[side][row] |= d->absent[side][group];
        if (d->taken[side][row] == DPL__NO_ROW)
            d->taken[side][row] = d->taken[side][group];
    }
}

static void set_role(decoys *d, int side, uint32_t row, unsigned role, uint32_t match)
{
    if (role == (side == DPL__RIGHT ? 1 : 2))
        d->absent[side][row] = 1;
    if (role != 0)
        d->taken[side][row] = match;
}

/* The match's part in this round: 0 keeps both, 1 leaves the right row out, 2 the left one. */
static void set_roles(decoys *d, const dpl__neighbours *c, const dpl__matches *matches,
                      unsigned round)
{
    for (int side = 0; side < 2; side++) {
        memset(d->absent[side], 0, c->n[side]);
        for (uint32_t row = 0; row < c->n[side]; row++)
            d->taken[side][row] = DPL__NO_ROW;
    }
    for (uint32_t i = 0; i < matches->n; i++) {
        const uint32_t *row = matches->data[i].row;
        uint64_t left = role_key(c, DPL__LEFT, row[DPL__LEFT]) % 3,
                 right = role_key(c, DPL__RIGHT, row[DPL__RIGHT]) % 3;
        unsigned role = (unsigned)((left + 3 - right + round) % 3);
        for (int side = 0; side < 2; side++) {
            set_role(d, side, row[side], role, i);
            if (c->groups[side])
                set_role(d, side, c->groups[side][row[side]], role, i);
        }
    }
    for (int side = 0; side < 2; side++)
        if (c->groups[side])
            set_copies(d, c, side);
}

/* Takes the matches of rows that are without their own match in this round. */
static dpl_status take_decoys(dpl__matches *out, decoys *d, dpl_error *err)
{
    for (size_t i = 0; i < d->found.n; i++) {
        dpl__match m = d->found.data[i];
        for (int side = 0; side < 2; side++)
            m.taken[side] = d->taken[side][m.row[side]];
        bool is_wrong = m.taken[0] != DPL__NO_ROW || m.taken[1] != DPL__NO_ROW;
        if (is_wrong && !dpl__vec_push(d->ctx, out, m))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status find_round(void *user, size_t round, unsigned worker, dpl_error *err)
{
    (void)worker;
    decoys *d = &((decoys *)user)[round];
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)d->c->n[side] + 1;
        d->absent[side] = dpl__alloc(d->ctx, n);
        d->taken[side] = dpl__alloc(d->ctx, n * sizeof *d->taken[side]);
        DPL_TRY(dpl__need(d->absent[side] && d->taken[side], err));
    }
    const uint8_t *const absent[2] = {d->absent[0], d->absent[1]};
    set_roles(d, d->c, d->matches, (unsigned)round);
    DPL_TRY(dpl__matches_find(&d->found, d->c, absent, d->turns, err));
    return take_decoys(&d->chosen, d, err);
}

static void clear_round(decoys *d)
{
    dpl__vec_clear(d->ctx, &d->found, &d->chosen);
    for (int side = 0; side < 2; side++)
        dpl__free(d->ctx, d->absent[side], d->taken[side]);
}

/* The rounds do not depend on each other. */
dpl_status dpl__decoys_find(dpl__matches *out, const dpl__neighbours *c,
                            const dpl__matches *matches, unsigned turns, dpl_error *err)
{
    decoys all[DECOY_ROUNDS];
    for (size_t i = 0; i < DECOY_ROUNDS; i++)
        all[i] = (decoys){.ctx = c->ctx, .c = c, .matches = matches, .turns = turns};
    dpl_status status = dpl__parallel_for(c->ctx, DECOY_ROUNDS, all, find_round, err);
    out->n = 0;
    for (size_t i = 0; i < DECOY_ROUNDS; i++) {
        if (status == DPL_OK &&
            !dpl__vec_append(c->ctx, out, all[i].chosen.data, all[i].chosen.n))
            status = dpl__fail_nomem(err);
        clear_round(&all[i]);
    }
    return status;
}
