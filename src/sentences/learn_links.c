/*
 * learn_links.c - links from co-occurrences in beads (cooccurrence.h), merged into the links.
 *
 * A pair of words that has each other n times, of which one occurred m times, has n - DISCOUNT
 * of m + HOLD: the rarer, the less it counts. Where the bridge had more, that stays. Cost: the
 * product of two sentences' words; so words that add nothing are left out.
 */
#include "sentences/learn_links.h"

#include "base/ctx.h"
#include "par/pool.h"
#include "sentences/sentences_params.h"

void dpl__bead_rows_clear(dpl__bead_rows *rows, dpl_ctx *ctx)
{
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(ctx, &rows->begin[side], &rows->tokens[side]);
}

static bool add_side(dpl__bead_rows *rows, dpl_ctx *ctx, int side, const dpl__bead_doc *doc,
                     uint32_t first, uint32_t n)
{
    uint32_t begin = doc->begin[first], end = doc->begin[first + n];
    if (!rows->begin[side].n && !dpl__vec_push(ctx, &rows->begin[side], 0))
        return false;
    return dpl__vec_append(ctx, &rows->tokens[side], doc->tokens + begin, end - begin) &&
           dpl__vec_push(ctx, &rows->begin[side], rows->tokens[side].n);
}

dpl_status dpl__bead_rows_add(dpl__bead_rows *rows, dpl_ctx *ctx, const dpl__bead_doc docs[2],
                              const dpl_bead *beads, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const dpl_bead *b = &beads[i];
        bool is_taken = rows->step < 2 || rows->n_seen % rows->step == 0;
        rows->n_seen++;
        if (is_taken && b->n_left && b->n_right &&
            (!add_side(rows, ctx, DPL__LEFT, &docs[DPL__LEFT], b->left, b->n_left) ||
             !add_side(rows, ctx, DPL__RIGHT, &docs[DPL__RIGHT], b->right, b->n_right)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

bool dpl__bead_rows_append(dpl__bead_rows *to, dpl_ctx *ctx, const dpl__bead_rows *more)
{
    for (int side = 0; side < 2; side++) {
        const size_t first = to->tokens[side].n, n = more->begin[side].n;
        if (!n)
            continue;
        if ((!to->begin[side].n && !dpl__vec_push(ctx, &to->begin[side], 0)) ||
            !dpl__vec_reserve(ctx, &to->begin[side], n) ||
            !dpl__vec_append(ctx, &to->tokens[side], more->tokens[side].data,
                             more->tokens[side].n))
            return false;
        for (size_t i = 1; i < n; i++)
            to->begin[side].data[to->begin[side].n++] = first + more->begin[side].data[i];
    }
    return true;
}

/* ---- mixing ------------------------------------------------------------------------- */

/* The discounted probability of a link with this count of a word that occurred n times. */
static double learnt(double count, double n)
{
    double p = (count - P(learn_discount)) / (n + P(learn_prior));
    return p > P(learn_least) ? p : 0;
}

typedef struct merger {
    dpl_ctx *ctx;
    dpl__term_links *to;
    const dpl__cooccurrence *model;
    DPL_VEC(dpl__bead_link) links;
    uint64_t *begin;
} merger;

/* Merges link k of the model into a link. */
static void merge_link(const merger *m, dpl__bead_link *link, uint32_t left, uint64_t k)
{
    const dpl__cooccurrence *w = m->model;
    double n[2] = {(double)w->tokens[DPL__LEFT][left],
                   (double)w->tokens[DPL__RIGHT][link->right]};
    double p[2] = {learnt(w->counts.data[k], n[0]), learnt(w->counts.data[k], n[1])};
    if (!(p[0] > 0) || !(p[1] > 0))
        return;
    const uint32_t terms[2] = {left, link->right};
    for (int side = 0; side < 2; side++) {
        link->p[side] = (double)link->p[side] > p[side] ? link->p[side] : (float)p[side];
        m->to->is_known[side][terms[side]] = true;
        m->to->most[side][terms[side]] = 1;
    }
}

/* Both tables have their links by right word. */
static bool merge_row(merger *m, uint32_t left)
{
    const dpl__term_links *b = m->to;
    const dpl__cooccurrence *w = m->model;
    uint64_t i = b->begin[left], i_end = b->begin[left + 1];
    uint64_t k = w->begin[left], k_end = w->begin[left + 1];
    while (i < i_end || k < k_end) {
        dpl__bead_link link = {.right = UINT32_MAX};
        if (i < i_end && (k == k_end || b->links[i].right <= w->right.data[k]))
            link = b->links[i++];
        else
            link.right = w->right.data[k];
        if (k < k_end && w->right.data[k] == link.right)
            merge_link(m, &link, left, k++);
        if (link.p[0] + link.p[1] > 0 && !dpl__vec_push(m->ctx, &m->links, link))
            return false;
    }
    return true;
}

static dpl_status merge(merger *m, dpl_error *err)
{
    dpl__term_links *b = m->to;
    uint32_t n = b->n_terms[DPL__LEFT];
    for (uint32_t left = 0; left < n; left++) {
        m->begin[left] = m->links.n;
        DPL_TRY(dpl__need(merge_row(m, left), err));
    }
    m->begin[n] = m->links.n;
    dpl__free(b->ctx, b->links);
    b->links = m->links.data;
    b->n_links = m->links.n;
    b->most_links = m->links.cap;
    memcpy(b->begin, m->begin, ((size_t)n + 1) * sizeof *b->begin);
    m->links.data = NULL;
    m->links.n = m->links.cap = 0;
    return dpl__term_links_update(b, err);
}

/* ---- thinning ----------------------------------------------------------------------- */

/* A worker's own. */
typedef struct thinning {
    uint32_t *last[2];        /* of each term: the row it was taken from last, from 1 */
    uint32_t *places;         /* of each right term: where it stands in the row + 1; else 0 */
    DPL_VEC(bool) is_sure[2]; /* of each token of the row */
} thinning;

/* Rows without the words that add nothing: those that occur once, frequent ones that were
 * counted often enough, and pairs with probable links. A frequent word is
 * taken from a share of the rows, which is about the same share, and so the same rows, for its
 * counterpart. */
typedef struct thinner {
    dpl_ctx *ctx;
    const dpl__term_links *links;
    const dpl__bead_rows *rows;
    uint32_t *counts[2]; /* of each term, in all rows */
    thinning *own;       /* of each thread */
    dpl__bead_rows *parts;
    size_t n_parts;
} thinner;

enum { THINNED = 512 }; /* rows of a part */

static bool thin_start(thinner *t)
{
    t->n_parts = (t->rows->begin[0].n - 1 + THINNED - 1) / THINNED;
    t->own = dpl__calloc(t->ctx, dpl_ctx_threads(t->ctx), sizeof *t->own);
    t->parts = dpl__calloc(t->ctx, t->n_parts + 1, sizeof *t->parts);
    for (int side = 0; side < 2; side++) {
        t->counts[side] =
            dpl__calloc(t->ctx, (size_t)t->links->n_terms[side] + 1, sizeof(uint32_t));
        if (!t->counts[side])
            return false;
        for (size_t k = 0; k < t->rows->tokens[side].n; k++)
            t->counts[side][t->rows->tokens[side].data[k]]++;
    }
    return t->own && t->parts;
}

static void thin_end(thinner *t)
{
    for (unsigned i = 0; t->own && i < dpl_ctx_threads(t->ctx); i++) {
        thinning *own = &t->own[i];
        dpl__free(t->ctx, own->places);
        for (int side = 0; side < 2; side++) {
            dpl__free(t->ctx, own->last[side]);
            dpl__vec_clear(t->ctx, &own->is_sure[side]);
        }
    }
    for (size_t i = 0; t->parts && i < t->n_parts; i++)
        dpl__bead_rows_clear(&t->parts[i], t->ctx);
    dpl__free(t->ctx, t->parts, t->own);
    for (int side = 0; side < 2; side++)
        dpl__free(t->ctx, t->counts[side]);
}

static bool thinning_start(thinning *own, const thinner *t)
{
    for (int side = 0; side < 2; side++)
        if (!own->last[side])
            own->last[side] =
                dpl__calloc(t->ctx, (size_t)t->links->n_terms[side] + 1, sizeof(uint32_t));
    if (!own->places)
        own->places =
            dpl__calloc(t->ctx, (size_t)t->links->n_terms[DPL__RIGHT] + 1, sizeof(uint32_t));
    return own->last[0] && own->last[1] && own->places;
}

/* The tokens that are linked in the row with high probability. */
static void find_sure(const thinner *t, thinning *own, const uint32_t *const tokens[2],
                      const size_t n[2])
{
    const dpl__term_links *b = t->links;
    memset(own->is_sure[0].data, 0, n[0]);
    memset(own->is_sure[1].data, 0, n[1]);
    for (size_t j = 0; j < n[1]; j++)
        own->places[tokens[1][j]] = (uint32_t)j + 1;
    for (size_t i = 0; i < n[0]; i++)
        for (uint64_t k = b->begin[tokens[0][i]]; k < b->begin[tokens[0][i] + 1]; k++) {
            const dpl__bead_link *l = &b->links[k];
            uint32_t j = own->places[l->right];
            if (j && l->p[0] >= PF(learn_sure) && l->p[1] >= PF(learn_sure))
                own->is_sure[DPL__LEFT].data[i] = own->is_sure[DPL__RIGHT].data[j - 1] = true;
        }
    for (size_t j = 0; j < n[1]; j++)
        own->places[tokens[1][j]] = 0;
}

static bool thin_row(const thinner *t, thinning *own, dpl__bead_rows *out, size_t row)
{
    const uint32_t *tokens[2];
    size_t n[2];
    uint32_t at = (uint32_t)row * 2654435769u; /* spread evenly over all 32 bits */
    for (int side = 0; side < 2; side++) {
        const uint64_t *begin = t->rows->begin[side].data;
        n[side] = begin[row + 1] - begin[row];
        tokens[side] = n[side] ? t->rows->tokens[side].data + begin[row] : NULL;
        if (!dpl__vec_reserve(t->ctx, &own->is_sure[side], n[side] + 1) ||
            !dpl__vec_reserve(t->ctx, &out->tokens[side], n[side]))
            return false;
    }
    find_sure(t, own, tokens, n);
    for (int side = 0; side < 2; side++) {
        for (size_t k = 0; k < n[side]; k++) {
            uint32_t word = tokens[side][k], count = t->counts[side][word];
            if (count > 1 && !own->is_sure[side].data[k] && own->last[side][word] != row + 1 &&
                (uint64_t)count * at < (uint64_t)PN(learn_uses) << 32) {
                own->last[side][word] = (uint32_t)row + 1;
                out->tokens[side].data[out->tokens[side].n++] = word;
            }
        }
        if (!dpl__vec_push(t->ctx, &out->begin[side], out->tokens[side].n))
            return false;
    }
    return true;
}

static dpl_status thin_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const thinner *t = user;
    thinning *own = &t->own[worker];
    const size_t end = dpl__min((part + 1) * THINNED, t->rows->begin[0].n - 1);
    bool is_done = thinning_start(own, t);
    for (int side = 0; side < 2; side++)
        is_done = is_done && dpl__vec_push(t->ctx, &t->parts[part].begin[side], 0);
    for (size_t row = part * THINNED; row < end && is_done; row++)
        is_done = thin_row(t, own, &t->parts[part], row);
    return dpl__need(is_done, err);
}

static dpl_status thin(dpl__bead_rows *out, const dpl__term_links *links,
                       const dpl__bead_rows *rows, dpl_error *err)
{
    thinner t = {.ctx = links->ctx, .links = links, .rows = rows};
    dpl_status status;
    DPL__STEP(dpl__need(thin_start(&t), err));
    DPL__STEP(dpl__parallel_for(t.ctx, t.n_parts, &t, thin_part, err));
    for (size_t i = 0; i < t.n_parts && status == DPL_OK; i++)
        if (!dpl__bead_rows_append(out, t.ctx, &t.parts[i]))
            status = dpl__fail_nomem(err);
done:
    thin_end(&t);
    return status;
}

static dpl_status learn_rows(dpl__term_links *links, const dpl__bead_rows *rows, dpl_error *err)
{
    dpl_ctx *ctx = links->ctx;
    dpl__cooccurrence model;
    DPL_TRY(dpl__cooccurrence_find(&model, ctx, rows, links->n_terms, err));
    size_t n = (size_t)links->n_terms[DPL__LEFT] + 1;
    merger m = {.ctx = ctx, .to = links, .model = &model};
    m.begin = dpl__alloc(ctx, n * sizeof *m.begin);
    dpl_status status = m.begin ? merge(&m, err) : dpl__fail_nomem(err);
    dpl__free(ctx, m.begin);
    dpl__vec_clear(ctx, &m.links);
    dpl__cooccurrence_clear(&model);
    return status;
}

dpl_status dpl__term_links_learn(dpl__term_links *links, const dpl__bead_rows *rows,
                                 dpl_error *err)
{
    dpl__bead_rows thinned = {0};
    if (rows->begin[DPL__LEFT].n < 2)
        return DPL_OK;
    dpl_status status = thin(&thinned, links, rows, err);
    if (status == DPL_OK)
        status = learn_rows(links, &thinned, err);
    dpl__bead_rows_clear(&thinned, links->ctx);
    return status;
}
