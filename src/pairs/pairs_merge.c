/*
 * pairs_merge.c - pairs of all parts of a search: merged, held against the recall check,
 * selected.
 *
 * In: parts, each in the order of left, then right rows. Out: what dpl_pairs_open gives for the
 * whole. A pair that several parts found (windows) is taken once. Cost: one pass over the files
 * through a heap.
 */
#include "pairs/pairs_part_counts.h"

#include "base/ctx.h"
#include "io/merge.h"

enum { AT_ONCE = 4096 };

/* Cosines and their estimates, with what single precision adds to the cosine of equal rows. */
static const float most_score = 1.001f;

typedef struct merging {
    dpl_pairs *p;
    const dpl_parts *parts;
    dpl__run *runs;
    dpl__merge merge;
    uint32_t n;
    DPL_VEC(dpl_pair) held; /* whole left rows, but for the last */
} merging;

/* ---- what the parts say ------------------------------------------------------------- */

static bool is_below(const uint64_t *counts, unsigned i, uint64_t end)
{
    return counts[i] < end;
}

static dpl_status get_numbers(dpl_pairs *p, const dpl_file *f, const uint64_t *n,
                              const double *reals, dpl_error *err)
{
    dpl_pairs_options *o = &p->options;
    dpl_pairs_summary *s = &p->summary;
    if (!is_below(n, DPL__PAIRS_IS_SELF, 2) || !is_below(n, DPL__PAIRS_N_LEFT, UINT32_MAX) ||
        !is_below(n, DPL__PAIRS_N_RIGHT, UINT32_MAX) ||
        !is_below(n, DPL__PAIRS_METHOD, UINT32_MAX) ||
        !dpl__method_of((dpl_pairs_method)n[DPL__PAIRS_METHOD]) ||
        !is_below(n, DPL__PAIRS_SELECT, UINT32_MAX) ||
        !dpl_select_name((dpl_select)n[DPL__PAIRS_SELECT]) ||
        !is_below(n, DPL__PAIRS_N_BEST, UINT32_MAX) ||
        !is_below(n, DPL__PAIRS_ASSIGNMENT, DPL_ASSIGN_OPTIMAL + 1) ||
        !is_below(n, DPL__PAIRS_MARGIN, UINT32_MAX) ||
        (n[DPL__PAIRS_IS_SELF] && n[DPL__PAIRS_N_LEFT] != n[DPL__PAIRS_N_RIGHT]))
        return dpl__damaged(f, "counts", "number out of range", err);
    if (!(reals[DPL__PAIRS_THRESHOLD] >= 0 && reals[DPL__PAIRS_THRESHOLD] <= 1) ||
        !(reals[DPL__PAIRS_NEAR_RATIO] >= 0 && reals[DPL__PAIRS_NEAR_RATIO] <= 1))
        return dpl__damaged(f, "reals", "number out of range", err);
    p->is_self = n[DPL__PAIRS_IS_SELF];
    s->n_left = (uint32_t)n[DPL__PAIRS_N_LEFT];
    s->n_right = (uint32_t)n[DPL__PAIRS_N_RIGHT];
    s->method = o->method = (dpl_pairs_method)n[DPL__PAIRS_METHOD];
    o->select = (dpl_select)n[DPL__PAIRS_SELECT];
    o->top = (unsigned)n[DPL__PAIRS_N_BEST];
    o->assignment = (dpl_assignment)n[DPL__PAIRS_ASSIGNMENT];
    o->margin = (unsigned)n[DPL__PAIRS_MARGIN];
    o->no_verify = n[DPL__PAIRS_NO_VERIFY];
    p->check = n[DPL__PAIRS_HAS_CHECK] ? &p->recall_check : NULL;
    s->signature = (dpl_sign_method)n[DPL__PAIRS_SIGNATURE];
    s->bits = (unsigned)n[DPL__PAIRS_BITS];
    s->cut = (unsigned)n[DPL__PAIRS_CUT];
    s->first_bits = (unsigned)n[DPL__PAIRS_FIRST_BITS];
    s->first_cut = (unsigned)n[DPL__PAIRS_FIRST_CUT];
    s->n_tables = (unsigned)n[DPL__PAIRS_N_TABLES];
    s->width = (unsigned)n[DPL__PAIRS_WINDOW];
    s->hash = (dpl_hash_function)n[DPL__PAIRS_HASH];
    s->code_length = (unsigned)n[DPL__PAIRS_CODE_LENGTH];
    s->n_codes = (unsigned)n[DPL__PAIRS_N_CODES];
    s->radix = (unsigned)n[DPL__PAIRS_RADIX];
    s->threshold = o->threshold = reals[DPL__PAIRS_THRESHOLD];
    s->planned_recall = reals[DPL__PAIRS_PLANNED];
    s->code_width = reals[DPL__PAIRS_WIDTH];
    o->ratio = reals[DPL__PAIRS_NEAR_RATIO];
    return DPL_OK;
}

/* The groups of documents, as the first part has them; most searches have none. */
static dpl_status read_groups(dpl_pairs *p, const dpl_file *f, dpl_error *err)
{
    const uint32_t *groups = NULL;
    size_t n = 0;
    DPL_TRY(dpl__get(f, "doc.groups", 4, &groups, &n, err));
    if (n == 0)
        return DPL_OK;
    if (n != p->summary.n_left || !p->is_self)
        return dpl__damaged(f, "doc.groups", "wrong length", err);
    DPL_TRY(dpl__check_below(f, "doc.groups", groups, n, p->summary.n_left, err));
    for (size_t i = 0; i < n; i++)
        p->n_groups = (uint32_t)dpl__max(p->n_groups, groups[i] + 1);
    p->group_of = groups;
    return DPL_OK;
}

static dpl_status read_numbers(merging *m, dpl_error *err)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const dpl_file *f = dpl__parts_file(m->parts, i);
        const uint64_t *counts = NULL;
        const double *reals = NULL;
        DPL_TRY(dpl__get_n(f, "counts", 8, &counts, DPL__N_PAIRS_COUNTS, err));
        DPL_TRY(dpl__get_n(f, "reals", 8, &reals, DPL__N_PAIRS_REALS, err));
        if (i == 0)
            DPL_TRY(get_numbers(m->p, f, counts, reals, err));
        else if (counts[DPL__PAIRS_N_LEFT] != m->p->summary.n_left ||
                 counts[DPL__PAIRS_N_RIGHT] != m->p->summary.n_right)
            return dpl__damaged(f, "counts", "number out of range", err);
        m->p->summary.n_comparisons += counts[DPL__PAIRS_N_COMPARISONS];
        m->p->summary.n_candidates += counts[DPL__PAIRS_N_CANDIDATES];
    }
    return DPL_OK;
}

/* ---- the recall check --------------------------------------------------------------- */

/* The sampled rows of one part, and how far they are taken. */
typedef struct checked_part {
    const uint32_t *rows, *rights;
    const uint64_t *offsets;
    size_t n, i;
} checked_part;

static dpl_status read_check(checked_part *c, const dpl_file *f, const dpl_pairs_summary *s,
                             dpl_error *err)
{
    size_t n_rights = 0;
    DPL_TRY(dpl__get(f, "check.rows", 4, &c->rows, &c->n, err));
    DPL_TRY(dpl__get(f, "check.rights", 4, &c->rights, &n_rights, err));
    DPL_TRY(dpl__get_offsets(f, "check.offsets", &c->offsets, c->n, n_rights, err));
    DPL_TRY(dpl__check_below(f, "check.rights", c->rights, n_rights, s->n_right, err));
    DPL_TRY(dpl__check_below(f, "check.rows", c->rows, c->n, s->n_left, err));
    for (size_t i = 1; i < c->n; i++)
        if (c->rows[i - 1] >= c->rows[i])
            return dpl__damaged(f, "check.rows", "out of order", err);
    return DPL_OK;
}

/* The part whose next row is the lowest; NULL: there are none. */
static checked_part *next_row(checked_part *parts, uint32_t n)
{
    checked_part *best = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (parts[i].i < parts[i].n &&
            (!best || parts[i].rows[parts[i].i] < best->rows[best->i]))
            best = &parts[i];
    return best;
}

static dpl_status restore_check(merging *m, dpl_error *err)
{
    dpl_pairs *p = m->p;
    checked_part *parts = dpl__calloc(p->ctx, m->n, sizeof *parts), *c;
    dpl_status status = dpl__need(parts, err);
    for (uint32_t i = 0; i < m->n && status == DPL_OK; i++)
        status = read_check(&parts[i], dpl__parts_file(m->parts, i), &p->summary, err);
    dpl__recall_check_begin(&p->recall_check, p->ctx, p->summary.n_left);
    uint32_t last = 0;
    for (bool is_first = true; status == DPL_OK && (c = next_row(parts, m->n)) != NULL;
         is_first = false) {
        const uint64_t at = c->offsets[c->i];
        const uint32_t row = c->rows[c->i];
        if (!is_first && row <= last)
            status = dpl__damaged(dpl__parts_file(m->parts, (uint32_t)(c - parts)),
                                  "check.rows", "a row of another part", err);
        else
            status = dpl__recall_check_row(&p->recall_check, row, c->rights + at,
                                           (size_t)(c->offsets[c->i + 1] - at), err);
        last = row;
        c->i++;
    }
    dpl__recall_check_end(&p->recall_check);
    dpl__free(p->ctx, parts);
    return status;
}

/* ---- pairs -------------------------------------------------------------------------- */

static int compare(const dpl_pair *x, const dpl_pair *y)
{
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return (x->right > y->right) - (x->right < y->right);
}

static bool is_before(const void *user, const void *a, const void *b)
{
    (void)user;
    const int order = compare((const void *)((const dpl__run *)a)->at,
                              (const void *)((const dpl__run *)b)->at);
    return order < 0 || (order == 0 && a < b);
}

static dpl_status check_pair(const merging *m, const dpl_file *f, const dpl_pair *pair,
                             dpl_error *err)
{
    const dpl_pairs_summary *s = &m->p->summary;
    if (pair->left >= s->n_left || pair->right >= s->n_right)
        return dpl__damaged(f, "pairs", "number out of range", err);
    if (m->p->is_self && pair->left >= pair->right)
        return dpl__damaged(f, "pairs", "a pair with itself", err);
    if (m->p->group_of && m->p->group_of[pair->left] == m->p->group_of[pair->right])
        return dpl__damaged(f, "pairs", "a pair within a group", err);
    if (!(pair->score >= 0 && pair->score <= most_score))
        return dpl__damaged(f, "pairs", "a score is not in 0 to 1", err);
    if (!dpl__merged_id(m->p->ids, 0, pair->left).n ||
        !dpl__merged_id(m->p->ids, 1, pair->right).n)
        return dpl__damaged(f, "pairs", "a row without an id", err);
    return DPL_OK;
}

static dpl_status open_run(merging *m, uint32_t i, dpl_error *err)
{
    const dpl_file *f = dpl__parts_file(m->parts, i);
    const uint32_t *data = NULL;
    size_t n = 0;
    DPL_TRY(dpl__get(f, "pairs", 4, &data, &n, err));
    if (n % 3)
        return dpl__damaged(f, "pairs", "wrong length", err);
    const dpl_pair *pairs = (const void *)data;
    for (size_t k = 0; k < n / 3; k++) {
        DPL_TRY(check_pair(m, f, &pairs[k], err));
        if (k > 0 && compare(&pairs[k - 1], &pairs[k]) >= 0)
            return dpl__damaged(f, "pairs", "out of order", err);
    }
    const char *at = (const char *)data;
    m->runs[i] = (dpl__run){.at = at, .end = n ? at + 4 * n : at};
    dpl__merge_add(&m->merge, &m->runs[i], n > 0);
    return DPL_OK;
}

static dpl_status hand_over(merging *m, size_t n, dpl_error *err)
{
    dpl_pairs *p = m->p;
    if (n == 0)
        return DPL_OK;
    p->summary.n_found += n;
    if (p->check)
        dpl__recall_check_add(p->check, m->held.data, n);
    DPL_TRY(dpl__selector_add(p->selector, m->held.data, n, err));
    memmove(m->held.data, m->held.data + n, (m->held.n - n) * sizeof *m->held.data);
    m->held.n -= n;
    return DPL_OK;
}

static dpl_status take(merging *m, const dpl_pair *pair, dpl_error *err)
{
    const dpl_pair *last = m->held.n ? &m->held.data[m->held.n - 1] : NULL;
    if (last && compare(last, pair) == 0)
        return DPL_OK;
    if (m->held.n >= AT_ONCE && last->left != pair->left)
        DPL_TRY(hand_over(m, m->held.n, err));
    return dpl__need(dpl__vec_push(m->p->ctx, &m->held, *pair), err);
}

static dpl_status merge_pairs(merging *m, dpl_error *err)
{
    for (uint32_t i = 0; i < m->n; i++)
        DPL_TRY(open_run(m, i, err));
    dpl__merge_begin(&m->merge, is_before, NULL);
    while (m->merge.n) {
        dpl__run *first = m->merge.heap[0];
        DPL_TRY(take(m, (const void *)first->at, err));
        first->at += sizeof(dpl_pair);
        dpl__merge_next(&m->merge, dpl__run_has_one(first), is_before, NULL);
    }
    return hand_over(m, m->held.n, err);
}

static dpl_status read_rows(merging *m, dpl_error *err)
{
    static const char *const names[2] = {"left", "right"};
    dpl_pairs *p = m->p;
    DPL_TRY(read_numbers(m, err));
    DPL_TRY(read_groups(p, dpl__parts_file(m->parts, 0), err));
    const uint32_t n_rows[2] = {p->summary.n_left, p->summary.n_right};
    return dpl__merged_ids_new(&p->ids, m->parts, names, n_rows, err);
}

static dpl_status merge(merging *m, dpl_error *err)
{
    dpl_pairs *p = m->p;
    double began = dpl__now();
    DPL_TRY(read_rows(m, err));
    if (dpl__method_of(p->options.method)->info.is_exact)
        p->checked = (dpl_recall_check){.is_exact = true, .recall = 1, .low = 1, .high = 1};
    else if (p->check)
        DPL_TRY(restore_check(m, err));
    DPL_TRY(dpl__pairs_selector(p, err));
    DPL_TRY(merge_pairs(m, err));
    return dpl__pairs_finish(p, began, err);
}

/* The same without merging. */
static dpl_status check(merging *m, dpl_error *err)
{
    const dpl_pairs *p = m->p;
    checked_part sampled;
    DPL_TRY(read_rows(m, err));
    if (p->check && !dpl__method_of(p->options.method)->info.is_exact)
        DPL_TRY(read_check(&sampled, dpl__parts_file(m->parts, 0), &p->summary, err));
    return open_run(m, 0, err);
}

typedef dpl_status step_fn(merging *m, dpl_error *err);

static dpl_status merge_rows(dpl_pairs *p, const dpl_parts *parts, step_fn *step,
                             dpl_error *err)
{
    merging m = {.p = p, .parts = parts, .n = dpl_parts_get_info(parts).n};
    dpl_ctx *ctx = p->ctx;
    DPL_TRY(dpl__parts_check_kind(parts, "pairs", err));
    m.runs = dpl__calloc(ctx, m.n, sizeof *m.runs);
    m.merge.heap = dpl__calloc(ctx, m.n, sizeof *m.merge.heap);
    dpl_status status = m.runs && m.merge.heap ? step(&m, err) : dpl__fail_nomem(err);
    dpl__vec_clear(ctx, &m.held);
    dpl__free(ctx, m.merge.heap, m.runs);
    return status;
}

dpl_status dpl_pairs_merge_open(dpl_pairs **out, const dpl_parts *parts, const char *spill_dir,
                                dpl_error *err)
{
    dpl_pairs *p = NULL;
    *out = NULL;
    dpl_status status;
    DPL__STEP(dpl__pairs_new(&p, dpl__parts_ctx(parts), false, NULL, err));
    DPL__STEP(dpl__spill_init(&p->spill, p->ctx, spill_dir ? spill_dir : "/tmp", err));
    DPL__STEP(merge_rows(p, parts, merge, err));
    *out = p;
    p = NULL;
done:
    dpl_pairs_close(p);
    return status;
}

dpl_status dpl_pairs_check_part(dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_parts *parts = NULL;
    dpl_pairs *p = NULL;
    dpl_status status;
    DPL__STEP(dpl__parts_open_one(&parts, ctx, path, err));
    DPL__STEP(dpl__pairs_new(&p, ctx, false, NULL, err));
    status = merge_rows(p, parts, check, err);
done:
    dpl_pairs_close(p);
    dpl_parts_close(parts);
    return status;
}

const dpl_pairs_options *dpl_pairs_get_options(const dpl_pairs *p)
{
    return &p->options;
}
