/*
 * clusters.c - clusters as connected components, or as stars around kept documents.
 *
 * Everything goes by rows: documents with the same words are together from the start. Which
 * document is better is decided by the rule alone, ties by ids, so that clusters and their
 * names are the same for any order of the documents (but for keep=first, which is about it).
 * With only_against there are no such clusters: each new document is removed or kept by its own
 * pairs with old ones.
 */
#include "dedup/clusters.h"

#include "base/arena.h"
#include "base/options.h"
#include "doppel/options.h"
#include "readers/json_parser.h"

#include <stdlib.h>

/* ---- better documents --------------------------------------------------------------- */

dpl_str dpl__doc_field(dpl_ctx *ctx, const dpl_doc *doc, const char *name)
{
    dpl_str key, raw = {0}, found = {0};
    if (strcmp(name, "title") == 0)
        return doc->title;
    if (strcmp(name, "lang") == 0)
        return doc->lang;
    if (!doc->extra.n)
        return found;
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__json j = dpl__json_begin(ctx, doc->extra);
    dpl_status status = dpl__json_open(&j, '{');
    while (status == DPL_OK && (status = dpl__json_member(&j, &arena, &key)) == DPL_OK) {
        const bool is_it = dpl__str_eq(key, dpl__cstr(name));
        status = dpl__json_skip(&j, &raw);
        if (is_it && status == DPL_OK)
            found = raw;
    }
    dpl__arena_clear(&arena);
    if (found.n >= 2 && found.data[0] == '"')
        found = (dpl_str){found.data + 1, found.n - 2};
    return dpl__str_eq(found, DPL_STR("null")) ? (dpl_str){0} : found;
}

static double number_of(dpl_str text)
{
    double x;
    return dpl__parse_real(&x, text) ? x : -1e308;
}

typedef struct chooser {
    const dpl__dedup_docs *docs;
    const dpl__cluster_rule *rule;
} chooser;

static int by_id(const dpl__dedup_docs *d, uint32_t a, uint32_t b)
{
    int c = dpl__str_cmp(dpl__dedup_bare_id(d, a), dpl__dedup_bare_id(d, b));
    return c ? c : (a > b) - (a < b);
}

/* Is document a kept rather than b? */
static bool is_better(const chooser *ch, uint32_t a, uint32_t b)
{
    const dpl__dedup_docs *d = ch->docs;
    const bool is_old[2] = {a >= d->n_new, b >= d->n_new};
    if (is_old[0] != is_old[1])
        return is_old[0];
    const dpl_doc x = dpl__dedup_doc(d, a), y = dpl__dedup_doc(d, b);
    switch (ch->rule->keep) {
    case DPL_KEEP_FIRST: return a < b;
    case DPL_KEEP_NEWEST: {
        int c = dpl__str_cmp(dpl__doc_field(d->ctx, &x, ch->rule->field),
                             dpl__doc_field(d->ctx, &y, ch->rule->field));
        return c ? c > 0 : by_id(d, a, b) < 0;
    }
    case DPL_KEEP_HIGHEST: {
        double p = number_of(dpl__doc_field(d->ctx, &x, ch->rule->field)),
               q = number_of(dpl__doc_field(d->ctx, &y, ch->rule->field));
        return p > q || (!(p < q) && by_id(d, a, b) < 0);
    }
    case DPL_KEEP_LONGEST: break;
    }
    return x.text.n != y.text.n ? x.text.n > y.text.n : by_id(d, a, b) < 0;
}

/* *best: of each row the document that is kept rather than its other ones. */
static dpl_status choose_in_rows(uint32_t **best, const chooser *ch, dpl_error *err)
{
    const dpl__dedup_docs *d = ch->docs;
    *best = dpl__alloc(d->ctx, (d->n_rows + 1) * sizeof **best);
    DPL_TRY(dpl__need(*best, err));
    for (uint32_t row = 0; row < d->n_rows; row++)
        (*best)[row] = d->rows[row].doc;
    for (uint32_t doc = 0; doc < d->n_docs; doc++) {
        uint32_t *b = &(*best)[d->row_of[doc]];
        if (*b != doc && is_better(ch, doc, *b))
            *b = doc;
    }
    return DPL_OK;
}

/* ---- components --------------------------------------------------------------------- */

static uint32_t find_root(uint32_t *root, uint32_t row)
{
    while (root[row] != row)
        row = root[row] = root[root[row]];
    return row;
}

/* The lowest row of a component is its root. */
static void join_rows(dpl__clusters *c, const dpl__edges *edges, const dpl__cluster_rule *rule)
{
    for (uint32_t row = 0; row < c->n_rows; row++)
        c->root[row] = row;
    for (size_t i = 0; i < edges->n; i++) {
        assert(edges->data[i].left < c->n_rows && edges->data[i].right < c->n_rows);
        if (!dpl__edge_joins(&edges->data[i], rule))
            continue;
        uint32_t a = find_root(c->root, edges->data[i].left),
                 b = find_root(c->root, edges->data[i].right);
        c->root[a > b ? a : b] = a > b ? b : a;
    }
    for (uint32_t row = 0; row < c->n_rows; row++) {
        c->root[row] = find_root(c->root, row);
        assert(c->root[row] <= row);
    }
}

/* center_row: of each row the one whose best document is kept. */
static void center_components(uint32_t *center_row, const dpl__clusters *c, const chooser *ch,
                              const uint32_t *best)
{
    for (uint32_t row = 0; row < c->n_rows; row++)
        center_row[row] = row;
    for (uint32_t row = 0; row < c->n_rows; row++) { /* roots come before the others */
        uint32_t *b = &center_row[c->root[row]];
        if (*b != row && is_better(ch, best[row], best[*b]))
            *b = row;
    }
    for (uint32_t row = c->n_rows; row-- > 0;) {
        assert(c->root[row] <= row); /* its center is not overwritten yet */
        center_row[row] = center_row[c->root[row]];
    }
}

/* ---- stars -------------------------------------------------------------------------- */

typedef struct ranked {
    const chooser *ch;
    uint32_t row, best;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->row == y->row ? 0 : is_better(x->ch, x->best, y->best) ? -1 : 1;
}

/* Neighbours of a row: others[first[row]] to others[first[row + 1] - 1]. */
typedef struct neighbours {
    uint32_t *first, *others;
} neighbours;

static void fill_neighbours(neighbours *n, const dpl__edges *edges, uint32_t n_rows,
                            const dpl__cluster_rule *rule)
{
    memset(n->first, 0, (n_rows + 2) * sizeof *n->first);
    for (size_t i = 0; i < edges->n; i++)
        if (dpl__edge_joins(&edges->data[i], rule)) {
            n->first[edges->data[i].left + 2]++;
            n->first[edges->data[i].right + 2]++;
        }
    for (uint32_t row = 0; row < n_rows; row++)
        n->first[row + 2] += n->first[row + 1];
    for (size_t i = 0; i < edges->n; i++)
        if (dpl__edge_joins(&edges->data[i], rule)) {
            n->others[n->first[edges->data[i].left + 1]++] = edges->data[i].right;
            n->others[n->first[edges->data[i].right + 1]++] = edges->data[i].left;
        }
    assert(n->first[0] == 0 && n->first[n_rows] <= 2 * edges->n);
}

/* Rows without neighbours are not in the order. */
static void center_stars(uint32_t *center_row, const dpl__dedup_docs *d, const ranked *order,
                         size_t n_order, const neighbours *n)
{
    for (uint32_t row = 0; row < d->n_rows; row++)
        center_row[row] = n->first[row] < n->first[row + 1] ? UINT32_MAX : row;
    for (size_t i = 0; i < n_order; i++) {
        const uint32_t row = order[i].row;
        if (center_row[row] != UINT32_MAX && !d->rows[row].has_old)
            continue;
        center_row[row] = row;
        for (uint32_t k = n->first[row]; k < n->first[row + 1]; k++)
            if (center_row[n->others[k]] == UINT32_MAX)
                center_row[n->others[k]] = row;
    }
}

static dpl_status make_stars(uint32_t *center_row, const chooser *ch, const dpl__edges *edges,
                             const uint32_t *best, dpl_error *err)
{
    const dpl__dedup_docs *d = ch->docs;
    const size_t n = d->n_rows, n_others = 2 * edges->n + 1;
    ranked *order = dpl__alloc(d->ctx, (n + 1) * sizeof *order);
    neighbours near = {dpl__alloc(d->ctx, (n + 2) * sizeof *near.first),
                       dpl__alloc(d->ctx, n_others * sizeof *near.others)};
    size_t n_order = 0;
    dpl_status status;
    DPL__STEP(dpl__need(order && near.first && near.others, err));
    fill_neighbours(&near, edges, d->n_rows, ch->rule);
    for (uint32_t row = 0; row < n; row++)
        if (near.first[row] < near.first[row + 1])
            order[n_order++] = (ranked){ch, row, best[row]};
    qsort(order, n_order, sizeof *order, by_rank);
    center_stars(center_row, d, order, n_order, &near);
done:
    dpl__free(d->ctx, near.others, near.first, order);
    return status;
}

/* ---- only against old documents ----------------------------------------------------- */

/* Kinds in their order, then the higher score, then the better old document. */
static bool is_nearer(const chooser *ch, const dpl_dedup_edge *a, const dpl_dedup_edge *b,
                      uint32_t row, const uint32_t *best)
{
    if (a->kind != b->kind)
        return a->kind < b->kind;
    if (a->score != b->score)
        return a->score > b->score;
    return is_better(ch, best[a->left == row ? a->right : a->left],
                     best[b->left == row ? b->right : b->left]);
}

/* nearest: of each row without old documents its best pair with one that has some, or NULL. */
static void find_nearest(const dpl_dedup_edge **nearest, const chooser *ch,
                         const dpl__edges *edges, const uint32_t *best)
{
    const dpl__dedup_row *rows = ch->docs->rows;
    for (size_t i = 0; i < edges->n; i++) {
        const dpl_dedup_edge *e = &edges->data[i];
        if (!dpl__edge_joins(e, ch->rule) || rows[e->left].has_old == rows[e->right].has_old)
            continue;
        const uint32_t row = rows[e->left].has_old ? e->right : e->left;
        if (!nearest[row] || is_nearer(ch, e, nearest[row], row, best))
            nearest[row] = e;
    }
}

/* Each row by itself: its center is the old row that it is most similar to, or itself. */
static dpl_status center_on_old(uint32_t *center_row, dpl__clusters *c, const chooser *ch,
                                const dpl__edges *edges, const uint32_t *best, dpl_error *err)
{
    const dpl__dedup_row *rows = ch->docs->rows;
    const size_t n = (size_t)c->n_rows + 1;
    uint32_t first_old = 0;
    const dpl_dedup_edge **nearest = dpl__calloc(c->ctx, n, sizeof *nearest);
    DPL_TRY(dpl__need(nearest, err));
    find_nearest(nearest, ch, edges, best);
    while (first_old < c->n_rows && !rows[first_old].has_old)
        first_old++;
    for (uint32_t row = 0; row < c->n_rows; row++) {
        const dpl_dedup_edge *e = nearest[row];
        assert(!e || !rows[row].has_old);
        center_row[row] = !e ? row : e->left == row ? e->right : e->left;
        c->root[row] = e || rows[row].has_old ? first_old : row;
    }
    dpl__free(c->ctx, nearest);
    return DPL_OK;
}

/* ---- documents ---------------------------------------------------------------------- */

enum { DIRECT = 0x80 }; /* of a kind: of the pair with the kept row */

/* Score and kind of each row that is not kept: of its pair with the kept one, or of its best
 * pair. In score and kind of documents, at the place of the row's first one. */
static void score_rows(dpl__clusters *c, const dpl__dedup_docs *d, const dpl__edges *edges,
                       const dpl__cluster_rule *rule, const uint32_t *center_row)
{
    for (size_t i = 0; i < 2 * edges->n; i++) {
        const dpl_dedup_edge *e = &edges->data[i / 2];
        const uint32_t row = i % 2 ? e->left : e->right, other = i % 2 ? e->right : e->left;
        float *score = &c->score[d->rows[row].doc];
        uint8_t *kind = &c->kind[d->rows[row].doc];
        const bool is_direct = other == center_row[row];
        if (!dpl__edge_joins(e, rule) || (*kind & DIRECT) || (!is_direct && *score >= e->score))
            continue;
        *score = e->score;
        *kind = (uint8_t)(e->kind | (is_direct ? DIRECT : 0));
    }
}

static void place_docs(dpl__clusters *c, const chooser *ch, const uint32_t *center_row,
                       const uint32_t *best)
{
    const dpl__dedup_docs *d = ch->docs;
    for (uint32_t doc = d->n_docs; doc-- > 0;) { /* a row's first document comes last */
        assert(center_row[d->row_of[doc]] < c->n_rows);
        const uint32_t row = d->row_of[doc], first = d->rows[row].doc,
                       center = best[center_row[row]];
        const bool is_kept =
            doc == center || doc >= d->n_new ||
            (ch->rule->only_against && !d->rows[center_row[row]].has_old); /* all copies */
        const bool is_copy = row == center_row[row];
        c->center[doc] = is_kept ? doc : center;
        c->kind[doc] = is_copy ? DPL_EDGE_COPY : c->kind[first] & (uint8_t)~DIRECT;
        c->score[doc] = is_kept || is_copy ? 1 : c->score[first];
    }
}

static dpl_status allocate(dpl__clusters *c, dpl_error *err)
{
    c->root = dpl__alloc(c->ctx, (c->n_rows + 1) * sizeof *c->root);
    c->center = dpl__alloc(c->ctx, (c->n_docs + 1) * sizeof *c->center);
    c->score = dpl__calloc(c->ctx, c->n_docs + 1, sizeof *c->score);
    c->kind = dpl__calloc(c->ctx, c->n_docs + 1, sizeof *c->kind);
    return dpl__need(c->root && c->center && c->score && c->kind, err);
}

dpl_status dpl__clusters_make(dpl__clusters *c, const dpl__dedup_docs *docs,
                              const dpl__edges *edges, const dpl__cluster_rule *rule,
                              dpl_error *err)
{
    const chooser ch = {docs, rule};
    uint32_t *best = NULL;
    *c = (dpl__clusters){.ctx = docs->ctx, .n_docs = docs->n_docs, .n_rows = docs->n_rows};
    DPL_TRY(allocate(c, err));
    uint32_t *center_row = dpl__alloc(c->ctx, (c->n_rows + 1) * sizeof *center_row);
    dpl_status status;
    DPL__STEP(center_row ? choose_in_rows(&best, &ch, err) : dpl__fail_nomem(err));
    if (rule->only_against) {
        DPL__STEP(center_on_old(center_row, c, &ch, edges, best, err));
    } else {
        join_rows(c, edges, rule);
        if (rule->linkage == DPL_LINK_STAR)
            DPL__STEP(make_stars(center_row, &ch, edges, best, err));
        else
            center_components(center_row, c, &ch, best);
    }
    score_rows(c, docs, edges, rule, center_row);
    place_docs(c, &ch, center_row, best);
done:
    dpl__free(c->ctx, best, center_row);
    return status;
}

void dpl__clusters_clear(dpl__clusters *c)
{
    if (!c->ctx)
        return;
    dpl__free(c->ctx, c->root, c->center, c->score, c->kind);
    *c = (dpl__clusters){0};
}
