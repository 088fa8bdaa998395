/*
 * term_links.c - a lexicon in the term numbers of two collections.
 *
 * The left collection is projected into the words of the other language (vectors/project.h),
 * and those are looked up among the right collection's terms: one merge of two vocabularies in
 * byte order. A lexicon without counts is adapted to how often the terms occur here. Cost:
 * linear in lexicon and vocabularies, but for the sort of the spellings, and for the spellings
 * themselves. What the lexicon says and what is spelled alike are found at the same time; from
 * then on the two directions are independent, too.
 */
#include "sentences/term_links.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/vec.h"
#include "lexicon/lexicon.h"
#include "par/pool.h"
#include "sentences/cognates.h"
#include "sentences/sentences_params.h"
#include "sentences/variants.h"
#include "tokens/collection.h"
#include "vectors/project.h"

#define NONE UINT32_MAX

typedef struct builder {
    dpl_ctx *ctx;
    const dpl_lexicon *lexicon;
    dpl__cognate_list cognates;
    const dpl_collection *c[2];
    dpl__facts facts[2];
    dpl__cell_list cells[2]; /* left term, right term, p(right|left); and p(left|right) */
    dpl__table table[2];
    dpl__term_links *out;
} builder;

static uint32_t n_terms(const builder *b, int side)
{
    return b->facts[side].n_terms;
}

static bool add_cell(builder *b, int side, uint32_t left, uint32_t right, float p)
{
    dpl__cell cell = {.row = left, .col = right, .p = p};
    return dpl__vec_push(b->ctx, &b->cells[side], cell);
}

/* The terms of a side in byte order. */
static dpl_status get_order(const builder *b, int side, const uint32_t **out, dpl_error *err)
{
    return dpl__get_n(dpl__collection_file(b->c[side]), "term.order", 4, out, n_terms(b, side),
                      err);
}

/* ---- lexicon ------------------------------------------------------------------------ */

/* For each text of the projection, in byte order, the right term of that text, or NONE. */
static dpl_status match_texts(uint32_t *out, const builder *b, const dpl__projection *p,
                              dpl_error *err)
{
    const uint32_t *order;
    size_t n = n_terms(b, DPL__RIGHT), at = 0;
    DPL_TRY(get_order(b, DPL__RIGHT, &order, err));
    for (size_t i = 0; i < p->n_texts; i++) {
        int c = 1;
        while (at < n && (c = dpl__str_cmp(dpl_collection_term(b->c[DPL__RIGHT], order[at]),
                                           p->texts[i])) < 0)
            at++;
        out[i] = at < n && c == 0 ? order[at] : NONE;
    }
    return DPL_OK;
}

/* A term that is projected to itself and nothing else is not in the lexicon. */
static bool is_own(const builder *b, const dpl__projection *p, uint32_t term)
{
    uint64_t at = p->table.offsets[term];
    return p->table.offsets[term + 1] - at == 1 && p->table.p[at] >= 1 &&
           dpl__str_eq(p->texts[p->table.cols[at]], dpl_collection_term(b->c[DPL__LEFT], term));
}

/* Unigram probability of a word that occurs `count` times, smoothed. */
static double smoothed(double count, const dpl_collection *c)
{
    return (count + 1) / ((double)dpl_collection_get_sizes(c)->n_tokens + P(unseen_tokens));
}

static void note_unseen(builder *b, int side, uint32_t term, double p)
{
    double information = dpl__log(p / smoothed(0, b->c[DPL__RIGHT]));
    if (side == DPL__LEFT && information > 0)
        b->out->unseen[term] += (float)(p * information);
}

static dpl_status take_cells(builder *b, const dpl__projection *p, const uint32_t *rights,
                             int side, dpl_error *err)
{
    for (uint32_t term = 0; term < n_terms(b, DPL__LEFT); term++) {
        if (is_own(b, p, term))
            continue;
        for (uint64_t i = p->table.offsets[term]; i < p->table.offsets[term + 1]; i++) {
            uint32_t right = rights[p->table.cols[i]];
            b->out->is_known[DPL__LEFT][term] = true;
            if (right == NONE) {
                note_unseen(b, side, term, (double)p->table.p[i]);
                continue;
            }
            b->out->is_known[DPL__RIGHT][right] = true;
            DPL_TRY(dpl__need(add_cell(b, side, term, right, p->table.p[i]), err));
        }
    }
    return DPL_OK;
}

/* *side: of the probabilities that there are. */
static dpl_status translate(builder *b, const dpl__term_match *match, dpl_direction direction,
                            int *side, dpl_error *err)
{
    dpl__projection p;
    dpl__projection_input in = {.c = match->c,
                                .facts = &b->facts[DPL__LEFT],
                                .lexicon = match->lexicon,
                                .match = match,
                                .direction = direction,
                                .into = b->facts[DPL__RIGHT].lang};
    DPL_TRY(dpl__projection_make(&p, b->ctx, &in, err));
    *side = p.direction == DPL_DIRECTION_SOURCE ? DPL__LEFT : DPL__RIGHT;
    size_t n = (size_t)p.n_texts + 1;
    uint32_t *rights = dpl__alloc(b->ctx, n * sizeof *rights);
    dpl_status status = rights ? match_texts(rights, b, &p, err) : dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = take_cells(b, &p, rights, *side, err);
    dpl__free(b->ctx, rights);
    dpl__projection_clear(&p);
    return status;
}

/* A lexicon without counts of words is adapted to those of the collections. */
static bool is_adapted(const builder *b)
{
    return !b->lexicon->counts[DPL__LEFT] && !b->out->is_paper;
}

/* What the lexicon says of words that occur here, before it is adapted; if there are any, no
 * others are expected. */
static void note_most(builder *b, int side)
{
    float *most = b->out->most[side];
    memset(most, 0, n_terms(b, side) * sizeof *most);
    for (size_t i = 0; i < b->cells[side].n; i++) {
        const dpl__cell *c = &b->cells[side].data[i];
        most[side == DPL__LEFT ? c->row : c->col] += c->p;
    }
    for (uint32_t y = 0; y < n_terms(b, side); y++) {
        if (side == DPL__LEFT && most[y] > 0)
            b->out->unseen[y] = 0;
        most[y] = most[y] > 0 && most[y] < 1 ? most[y] : 1;
    }
}

/* A lexicon without counts of words does not say how often they occur: p(x|y) is weighed by how
 * often x occurs here, and adds up to 1 over these x. From p(y|x) that is Bayes' rule. */
static dpl_status weigh_by_counts(builder *b, int side, dpl_error *err)
{
    double *sums = dpl__calloc(b->ctx, (size_t)n_terms(b, side) + 1, sizeof *sums);
    DPL_TRY(dpl__need(sums, err));
    dpl__cell_list *cells = &b->cells[side];
    for (size_t i = 0; i < cells->n; i++) {
        dpl__cell *c = &cells->data[i];
        const uint32_t x = side == DPL__LEFT ? c->col : c->row;
        c->p *= (float)dpl_collection_term_count(b->c[!side], x);
        sums[side == DPL__LEFT ? c->row : c->col] += (double)c->p;
    }
    for (size_t i = 0; i < cells->n; i++) {
        dpl__cell *c = &cells->data[i];
        c->p = (float)((double)c->p / sums[side == DPL__LEFT ? c->row : c->col]);
    }
    dpl__free(b->ctx, sums);
    return DPL_OK;
}

static dpl_status add_matched(builder *b, const dpl__term_match *match, dpl_error *err)
{
    const bool has_both = dpl_lexicon_get_sizes(match->lexicon)->n_back > 0;
    const dpl_direction directions[] = {has_both ? DPL_DIRECTION_SOURCE : DPL_DIRECTION_AUTO,
                                        DPL_DIRECTION_TARGET};
    int side = DPL__LEFT;
    for (int i = 0; i < 1 + has_both; i++) {
        DPL_TRY(translate(b, match, directions[i], &side, err));
        if (is_adapted(b))
            note_most(b, side);
    }
    const dpl__cell_list *from = &b->cells[side];
    if (!has_both)
        DPL_TRY(dpl__need(dpl__vec_append(b->ctx, &b->cells[!side], from->data, from->n), err));
    if (!has_both || is_adapted(b))
        DPL_TRY(weigh_by_counts(b, !side, err));
    return is_adapted(b) ? weigh_by_counts(b, side, err) : DPL_OK;
}

/* Words and terms are matched once for both directions. */
static dpl_status add_lexicon(builder *b, const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl__term_match match = {.ctx = b->ctx, .c = b->c[DPL__LEFT], .lexicon = lexicon};
    DPL_TRY(dpl__term_match_find(&match, &b->facts[DPL__LEFT], b->facts[DPL__RIGHT].lang, err));
    dpl_status status = add_matched(b, &match, err);
    dpl__term_match_clear(&match);
    return status;
}

/* Words that the lexicon does not have get links of known variants. */
static dpl_status add_variants(builder *b, int direction, int side, dpl_error *err)
{
    dpl__variants v = {.ctx = b->ctx,
                       .collection = b->c[side],
                       .side = side,
                       .n_terms = n_terms(b, side),
                       .is_known = b->out->is_known[side]};
    DPL_TRY(get_order(b, side, &v.order, err));
    return dpl__variants_add(&b->cells[direction], &v, err);
}

/* ---- equal words -------------------------------------------------------------------- */

static float share_of(const builder *b, int side, uint32_t term, float known, float unknown)
{
    return b->out->is_known[side][term] ? known : unknown;
}

/* Links a term to the same text on the other side. */
static dpl_status add_equal(builder *b, int direction, dpl_error *err)
{
    const uint32_t *order[2];
    DPL_TRY(get_order(b, DPL__LEFT, &order[0], err));
    DPL_TRY(get_order(b, DPL__RIGHT, &order[1], err));
    for (size_t i = 0, j = 0; i < n_terms(b, DPL__LEFT) && j < n_terms(b, DPL__RIGHT);) {
        uint32_t terms[2] = {order[0][i], order[1][j]};
        int c = dpl__str_cmp(dpl_collection_term(b->c[0], terms[0]),
                             dpl_collection_term(b->c[1], terms[1]));
        if (c == 0 && !add_cell(b, direction, terms[0], terms[1],
                                share_of(b, direction, terms[direction], PF(same_known),
                                         PF(same_unknown))))
            return dpl__fail_nomem(err);
        i += c <= 0;
        j += c >= 0;
    }
    return DPL_OK;
}

/* ---- cognates ----------------------------------------------------------------------- */

static dpl_status find_cognates(builder *b, dpl_error *err)
{
    dpl__cognates cognates = {
        .ctx = b->ctx, .c = {b->c[0], b->c[1]}, .facts = {b->facts[0], b->facts[1]}};
    return dpl__cognates_find(&b->cognates, &cognates, err);
}

static dpl_status add_cognates(builder *b, int direction, dpl_error *err)
{
    for (size_t i = 0; i < b->cognates.n; i++) {
        const dpl__cognate *c = &b->cognates.data[i];
        const float p = share_of(b, direction, direction ? c->right : c->left,
                                 PF(cognate_known), PF(cognate_unknown));
        DPL_TRY(dpl__need(
            add_cell(b, direction, c->left, c->right, p * c->similarity * c->similarity), err));
    }
    return DPL_OK;
}

/* ---- one direction ------------------------------------------------------------------ */

static dpl_status find_links(void *user, size_t what, unsigned worker, dpl_error *err)
{
    (void)worker;
    builder *b = user;
    if (what == 1)
        return find_cognates(b, err);
    return b->lexicon ? add_lexicon(b, b->lexicon, err) : DPL_OK;
}

/* Everything but the cells of the lexicon, which are there. */
static dpl_status make_direction(void *user, size_t number, unsigned worker, dpl_error *err)
{
    (void)worker;
    builder *b = user;
    const int direction = (int)number;
    for (int side = 0; side < 2 && b->lexicon; side++)
        DPL_TRY(add_variants(b, direction, side, err));
    DPL_TRY(add_equal(b, direction, err));
    DPL_TRY(add_cognates(b, direction, err));
    dpl__cell_list *cells = &b->cells[direction];
    DPL_TRY(dpl__cells_sort(cells->data, b->ctx, cells->n, n_terms(b, DPL__LEFT),
                            n_terms(b, DPL__RIGHT), err));
    return dpl__table_make(&b->table[direction], b->ctx, cells->data, cells->n,
                           n_terms(b, DPL__LEFT), err);
}

/* ---- one table ---------------------------------------------------------------------- */

/* The two tables of a left term, both by right term, become one. */
static void join_row(dpl__term_links *out, const builder *b, uint32_t term)
{
    const dpl__table *t = b->table;
    uint64_t i = t[0].offsets[term], j = t[1].offsets[term];
    uint64_t i_end = t[0].offsets[term + 1], j_end = t[1].offsets[term + 1];
    out->begin[term] = out->n_links;
    while (i < i_end || j < j_end) {
        uint32_t col = i < i_end ? t[0].cols[i] : NONE;
        if (j < j_end && t[1].cols[j] < col)
            col = t[1].cols[j];
        dpl__bead_link link = {.right = col};
        if (i < i_end && t[0].cols[i] == col)
            link.p[0] = t[0].p[i++];
        if (j < j_end && t[1].cols[j] == col)
            link.p[1] = t[1].p[j++];
        out->links[out->n_links++] = link;
    }
}

static dpl_status join(builder *b, dpl_error *err)
{
    dpl__term_links *out = b->out;
    uint32_t n = n_terms(b, DPL__LEFT);
    out->most_links = b->table[0].n + b->table[1].n + 1;
    out->begin = dpl__alloc(b->ctx, ((size_t)n + 1) * sizeof *out->begin);
    out->links = dpl__alloc(b->ctx, out->most_links * sizeof *out->links);
    DPL_TRY(dpl__need(out->begin && out->links, err));
    for (uint32_t term = 0; term < n; term++)
        join_row(out, b, term);
    out->begin[n] = out->n_links;
    return DPL_OK;
}

/* ---- terms -------------------------------------------------------------------------- */

static dpl_status start_terms(builder *b, int side, dpl_error *err)
{
    dpl__term_links *out = b->out;
    DPL_TRY(dpl__facts_find(&b->facts[side], b->c[side], 1, err));
    uint32_t n = out->n_terms[side] = n_terms(b, side);
    out->p[side] = dpl__alloc(b->ctx, ((size_t)n + 1) * sizeof *out->p[side]);
    out->expected[side] = dpl__alloc(b->ctx, ((size_t)n + 1) * sizeof *out->expected[side]);
    out->sums[side] = dpl__alloc(b->ctx, ((size_t)n + 1) * sizeof *out->sums[side]);
    out->most[side] = dpl__alloc(b->ctx, ((size_t)n + 1) * sizeof *out->most[side]);
    out->is_known[side] = dpl__calloc(b->ctx, (size_t)n + 1, sizeof *out->is_known[side]);
    DPL_TRY(dpl__need(out->p[side] && out->expected[side] && out->sums[side] &&
                          out->most[side] && out->is_known[side],
                      err));
    for (uint32_t term = 0; term < n; term++) {
        out->most[side][term] = 1;
        double count = (double)dpl_collection_term_count(b->c[side], term);
        out->p[side][term] = (float)smoothed(count, b->c[side]);
    }
    return DPL_OK;
}

/* Pointwise mutual information: the mean of both directions, or the one that there is. */
static float information_of(const dpl__term_links *b, uint32_t left, const dpl__bead_link *l)
{
    double p[2] = {(double)l->p[0] / (double)b->p[DPL__RIGHT][l->right],
                   (double)l->p[1] / (double)b->p[DPL__LEFT][left]};
    if (p[0] > 0 && p[1] > 0)
        return (float)(0.5 * dpl__log(p[0] * p[1]));
    return (float)dpl__log(p[0] > 0 ? p[0] : p[1]);
}

static bool is_weak(const float *const p[2], uint32_t left, const dpl__bead_link *l)
{
    return l->p[0] < PF(least_lift) * p[DPL__RIGHT][l->right] &&
           l->p[1] < PF(least_lift) * p[DPL__LEFT][left];
}

bool dpl__bead_link_is_weak(const dpl__bead_model *m, uint32_t left, const dpl__bead_link *l)
{
    const float *const p[2] = {m->terms[DPL__LEFT].p, m->terms[DPL__RIGHT].p};
    return is_weak(p, left, l);
}

/* Equation 3 of the paper: ln p(s, t) / (p(s) p(t)) is ln p(t|s) / p(t), not smoothed: p(t) is
 * the share of the right collection's tokens. */
static float paper_information_of(const dpl__term_links *b, const dpl__bead_link *l)
{
    const double n = b->n_right_tokens;
    const double count = (double)b->p[DPL__RIGHT][l->right] * (n + P(unseen_tokens)) - 1;
    return l->p[0] > 0 ? (float)dpl__log((double)l->p[0] * n / (count > 0.5 ? count : 0.5)) : 0;
}

/* Adds the information of a link to what is expected of its two terms. */
static void expect(dpl__term_links *b, uint32_t left, const dpl__bead_link *l)
{
    uint32_t terms[2] = {left, l->right};
    for (int side = 0; side < 2 && (l->information > 0 || b->is_paper); side++) {
        b->expected[side][terms[side]] += l->p[side] * l->information;
        b->sums[side][terms[side]] += l->p[side];
    }
}

enum { PART = 512 }; /* left terms of a part */

/* Information of links; weak ones are marked by p[0] below 0. */
static void inform_part(void *user, size_t part)
{
    const dpl__term_links *b = user;
    const size_t end = dpl__min((part + 1) * PART, b->n_terms[DPL__LEFT]);
    for (size_t left = part * PART; left < end; left++)
        for (uint64_t k = b->begin[left]; k < b->begin[left + 1]; k++) {
            dpl__bead_link *link = &b->links[k];
            if (b->is_paper)
                link->information = paper_information_of(b, link);
            else if (is_weak((const float *const *)b->p, (uint32_t)left, link))
                link->p[0] = -1;
            else
                link->information = information_of(b, (uint32_t)left, link);
        }
}

dpl_status dpl__term_links_update(dpl__term_links *b, dpl_error *err)
{
    uint64_t n = 0, begin = 0;
    const size_t n_left = b->n_terms[DPL__LEFT];
    DPL_TRY(dpl__parallel_each(b->ctx, (n_left + PART - 1) / PART, b, inform_part, err));
    for (int side = 0; side < 2; side++) {
        memset(b->expected[side], 0, b->n_terms[side] * sizeof(float));
        memset(b->sums[side], 0, b->n_terms[side] * sizeof(float));
    }
    for (uint32_t left = 0; left < n_left; left++) {
        uint64_t end = b->begin[left + 1];
        for (uint64_t k = begin; k < end; k++) {
            const dpl__bead_link link = b->links[k];
            if (link.p[0] < 0)
                continue;
            expect(b, left, &link);
            b->links[n++] = link;
        }
        begin = end;
        b->begin[left + 1] = n;
    }
    b->n_links = n;
    /* Links that come from several sources may add up to more than one counterpart. */
    for (int side = 0; side < 2; side++)
        for (uint32_t term = 0; term < b->n_terms[side]; term++)
            if (b->sums[side][term] > b->most[side][term])
                b->expected[side][term] *= b->most[side][term] / b->sums[side][term];
    for (uint32_t left = 0; left < n_left; left++)
        b->expected[DPL__LEFT][left] += b->unseen[left];
    return DPL_OK;
}

static dpl_status build(builder *b, dpl_error *err)
{
    DPL_TRY(start_terms(b, DPL__LEFT, err));
    DPL_TRY(start_terms(b, DPL__RIGHT, err));
    b->out->unseen = dpl__calloc(b->ctx, (size_t)n_terms(b, DPL__LEFT) + 1, sizeof(float));
    DPL_TRY(dpl__need(b->out->unseen, err));
    DPL_TRY(dpl__parallel_for(b->ctx, 2, b, find_links, err));
    DPL_TRY(dpl__parallel_for(b->ctx, 2, b, make_direction, err));
    DPL_TRY(join(b, err));
    return dpl__term_links_update(b->out, err);
}

static dpl_status make(dpl__term_links *out, dpl_ctx *ctx, const dpl_collection *left,
                       const dpl_collection *right, const dpl_lexicon *lexicon, dpl_error *err)
{
    out->ctx = ctx;
    out->n_right_tokens = (double)dpl_collection_get_sizes(right)->n_tokens;
    builder b = {.ctx = ctx, .lexicon = lexicon, .c = {left, right}, .out = out};
    dpl_status status = build(&b, err);
    dpl__vec_clear(ctx, &b.cognates);
    for (int side = 0; side < 2; side++) {
        dpl__table_clear(&b.table[side], ctx);
        dpl__vec_clear(ctx, &b.cells[side]);
    }
    if (status != DPL_OK)
        dpl__term_links_clear(out);
    return status;
}

dpl_status dpl__term_links_make(dpl__term_links *out, dpl_ctx *ctx, const dpl_collection *left,
                                const dpl_collection *right, const dpl_lexicon *lexicon,
                                dpl_error *err)
{
    *out = (dpl__term_links){0};
    return make(out, ctx, left, right, lexicon, err);
}

dpl_status dpl__term_links_make_paper(dpl__term_links *out, dpl_ctx *ctx,
                                      const dpl_collection *left, const dpl_collection *right,
                                      const dpl_lexicon *lexicon, dpl_error *err)
{
    *out = (dpl__term_links){.is_paper = true};
    return make(out, ctx, left, right, lexicon, err);
}

void dpl__term_links_arrays(dpl__link_array out[DPL__LINK_ARRAYS], dpl__term_links *l)
{
    const size_t n[2] = {(size_t)l->n_terms[0] + 1, (size_t)l->n_terms[1] + 1};
    size_t k = 0;
    out[k++] = (dpl__link_array){(void **)&l->begin, n[0] * sizeof *l->begin};
    out[k++] = (dpl__link_array){(void **)&l->links, l->most_links * sizeof *l->links};
    out[k++] = (dpl__link_array){(void **)&l->unseen, n[0] * sizeof *l->unseen};
    for (int side = 0; side < 2; side++) {
        const size_t n_floats = n[side] * sizeof(float), n_bools = n[side] * sizeof(bool);
        out[k++] = (dpl__link_array){(void **)&l->p[side], n_floats};
        out[k++] = (dpl__link_array){(void **)&l->expected[side], n_floats};
        out[k++] = (dpl__link_array){(void **)&l->sums[side], n_floats};
        out[k++] = (dpl__link_array){(void **)&l->most[side], n_floats};
        out[k++] = (dpl__link_array){(void **)&l->is_known[side], n_bools};
    }
    assert(k == DPL__LINK_ARRAYS);
}

void dpl__term_links_clear(dpl__term_links *b)
{
    dpl__link_array arrays[DPL__LINK_ARRAYS];
    if (!b->ctx)
        return;
    dpl__term_links_arrays(arrays, b);
    for (size_t i = 0; i < DPL__LINK_ARRAYS; i++)
        dpl__free(b->ctx, *arrays[i].at);
    *b = (dpl__term_links){0};
}

dpl_status dpl__term_links_copy(dpl__term_links *out, const dpl__term_links *links,
                                dpl_error *err)
{
    dpl__link_array to[DPL__LINK_ARRAYS];
    bool has_memory = true;
    *out = *links;
    dpl__term_links_arrays(to, out);
    for (size_t i = 0; i < DPL__LINK_ARRAYS; i++) {
        const void *from = *to[i].at;
        *to[i].at = dpl__alloc(links->ctx, to[i].n_bytes);
        if (*to[i].at && from)
            memcpy(*to[i].at, from, to[i].n_bytes);
        has_memory = has_memory && *to[i].at;
    }
    if (has_memory)
        return DPL_OK;
    dpl__term_links_clear(out);
    return dpl__fail_nomem(err);
}

dpl__bead_model dpl__term_links_model(const dpl__term_links *b)
{
    dpl__bead_model m = {.begin = b->begin,
                         .links = b->links,
                         .weight = P(words_weight),
                         .filters_words = true,
                         .null_known = P(null_known),
                         .is_paper = b->is_paper};
    for (int side = 0; side < 2; side++)
        m.terms[side] = (dpl__bead_terms){b->n_terms[side], b->p[side], b->is_known[side],
                                          b->expected[side]};
    dpl__bead_priors_init(&m.priors);
    return m;
}
