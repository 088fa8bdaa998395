/*
 * cognates.c - spellings in Latin script, sorted; those with a common prefix are compared.
 *
 * Cost: a sort of the spellings, and the pairs of words with the same first letters.
 */
#include "sentences/cognates.h"

#include "base/lower_bound.h"
#include "par/pool.h"
#include "sentences/sentences_params.h"

/* Terms in the order of their spelling, in Latin script and without marks: "_kase_". */
typedef struct spellings {
    dpl__projection p;
    uint32_t n;      /* terms */
    uint32_t *terms; /* of each text: ... */
    uint64_t *begin; /* ... the terms spelled like it */
} spellings;

static void spellings_clear(spellings *s, dpl_ctx *ctx)
{
    dpl__free(ctx, s->terms, s->begin);
    dpl__projection_clear(&s->p);
}

static dpl_status spellings_make(spellings *s, const dpl__cognates *c, int side, dpl_error *err)
{
    enum { WHOLE = 1000 }; /* no pieces: words are shorter */
    dpl__facts facts = c->facts[side];
    facts.n_terms = facts.n_terms < PN(cognate_terms) ? facts.n_terms : PN(cognate_terms);
    DPL_TRY(dpl__spelling_make(&s->p, c->ctx, c->c[side], &facts, WHOLE, err));
    s->n = facts.n_terms;
    size_t n_begin = (size_t)s->p.n_texts + 2;
    s->terms = dpl__alloc(c->ctx, ((size_t)s->n + 1) * sizeof *s->terms);
    s->begin = dpl__calloc(c->ctx, n_begin, sizeof *s->begin);
    DPL_TRY(dpl__need(s->terms && s->begin, err));
    for (uint32_t t = 0; t < s->n; t++)
        s->begin[s->p.table.cols[t] + 2]++;
    for (size_t i = 2; i < n_begin; i++)
        s->begin[i] += s->begin[i - 1];
    for (uint32_t t = 0; t < s->n; t++)
        s->terms[s->begin[s->p.table.cols[t] + 1]++] = t;
    return DPL_OK;
}

static size_t common(dpl_str a, dpl_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.data[n] == b.data[n])
        n++;
    return n;
}

/* Bytes of a word's beginning, with the border in front. */
static dpl_str head(dpl_str s)
{
    return (dpl_str){s.data, dpl__min(s.n, PN(cognate_letters) + 1)};
}

static bool has_digit(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.data[i] >= '0' && s.data[i] <= '9')
            return true;
    return false;
}

/* The similarity of two spellings, in [0, 1]: the share of the common prefix; 0 when it is too
 * small. */
static float similarity(dpl_str a, dpl_str b)
{
    if (dpl__str_eq(a, b))
        return 1;
    size_t n = common(a, b) - 1, longest = dpl__max(a.n, b.n) - 2;
    if (n < PN(cognate_letters) || has_digit(a) ||
        (double)n < P(cognate_share) * (double)longest)
        return 0;
    return (float)n / (float)longest;
}

/* Groups of texts that begin in a range of the left ones. */
typedef struct comparing {
    const dpl__cognates *c;
    const spellings *s;
    dpl__cognate_list *found; /* of each part */
} comparing;

enum { PART_TEXTS = 1 << 10 };

static dpl_status compare(const comparing *x, size_t part, size_t l, size_t r, dpl_error *err)
{
    const spellings *left = &x->s[0], *right = &x->s[1];
    float alike = similarity(left->p.texts[l], right->p.texts[r]);
    if (alike <= 0)
        return DPL_OK;
    for (uint64_t i = left->begin[l]; i < left->begin[l + 1]; i++)
        for (uint64_t j = right->begin[r]; j < right->begin[r + 1]; j++) {
            const dpl__cognate one = {left->terms[i], right->terms[j], alike};
            if (!dpl__str_eq(dpl_collection_term(x->c->c[0], one.left),
                             dpl_collection_term(x->c->c[1], one.right)))
                DPL_TRY(dpl__need(dpl__vec_push(x->c->ctx, &x->found[part], one), err));
        }
    return DPL_OK;
}

static size_t end_of_group(const spellings *s, size_t at)
{
    size_t end = at + 1;
    while (end < s->p.n_texts && dpl__str_eq(head(s->p.texts[end]), head(s->p.texts[at])))
        end++;
    return end;
}

/* Texts with the same first letters: all pairs, or if those are too many, equal ones. */
static dpl_status compare_group(const comparing *x, size_t part, const size_t begin[2],
                                const size_t end[2], dpl_error *err)
{
    const spellings *s = x->s;
    bool are_few = (end[0] - begin[0]) * (end[1] - begin[1]) <= PN(cognate_pairs);
    for (size_t l = begin[0], r = begin[1]; l < end[0]; l++)
        if (are_few) {
            for (r = begin[1]; r < end[1]; r++)
                DPL_TRY(compare(x, part, l, r, err));
        } else {
            while (r < end[1] && dpl__str_cmp(s[1].p.texts[r], s[0].p.texts[l]) < 0)
                r++;
            if (r < end[1])
                DPL_TRY(compare(x, part, l, r, err));
        }
    return DPL_OK;
}

static dpl_status compare_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const comparing *x = user;
    const spellings *s = x->s;
    const size_t n_left = s[0].p.n_texts, last = dpl__min((part + 1) * PART_TEXTS, n_left);
    size_t at[2] = {part * PART_TEXTS, 0};
    (void)worker;
    while (part && at[0] < last &&
           dpl__str_eq(head(s[0].p.texts[at[0]]), head(s[0].p.texts[at[0] - 1])))
        at[0]++; /* a group of the part before */
    if (at[0] < last)
        DPL__LOWER_BOUND(at[1], s[1].p.n_texts,
                         dpl__str_cmp(head(s[1].p.texts[at[1]]), head(s[0].p.texts[at[0]])) <
                             0);
    while (at[0] < last && at[1] < s[1].p.n_texts) {
        int order = dpl__str_cmp(head(s[0].p.texts[at[0]]), head(s[1].p.texts[at[1]]));
        if (order != 0) {
            at[order > 0]++;
            continue;
        }
        size_t end[2] = {end_of_group(&s[0], at[0]), end_of_group(&s[1], at[1])};
        DPL_TRY(compare_group(x, part, at, end, err));
        memcpy(at, end, sizeof at);
    }
    return DPL_OK;
}

static dpl_status compare_all(dpl__cognate_list *out, const dpl__cognates *c,
                              const spellings s[2], dpl_error *err)
{
    const size_t n_parts = ((size_t)s[0].p.n_texts + PART_TEXTS - 1) / PART_TEXTS;
    comparing x = {c, s, dpl__calloc(c->ctx, n_parts + 1, sizeof *x.found)};
    DPL_TRY(dpl__need(x.found, err));
    dpl_status status = dpl__parallel_for(c->ctx, n_parts, &x, compare_part, err);
    for (size_t i = 0; i < n_parts; i++) {
        if (status == DPL_OK && x.found[i].n &&
            !dpl__vec_append(c->ctx, out, x.found[i].data, x.found[i].n))
            status = dpl__fail_nomem(err);
        dpl__vec_clear(c->ctx, &x.found[i]);
    }
    dpl__free(c->ctx, x.found);
    return status;
}

typedef struct spelling_run {
    const dpl__cognates *c;
    spellings *s;
} spelling_run;

static dpl_status make_side(void *user, size_t side, unsigned worker, dpl_error *err)
{
    (void)worker;
    spelling_run *r = user;
    return spellings_make(&r->s[side], r->c, (int)side, err);
}

dpl_status dpl__cognates_find(dpl__cognate_list *out, const dpl__cognates *c, dpl_error *err)
{
    spellings s[2] = {0};
    spelling_run r = {c, s};
    dpl_status status = dpl__parallel_for(c->ctx, 2, &r, make_side, err);
    if (status == DPL_OK)
        status = compare_all(out, c, s, err);
    for (int side = 1; side >= 0; side--)
        spellings_clear(&s[side], c->ctx);
    return status;
}
