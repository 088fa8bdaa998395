/*
 * match.c - rows of two sets: may they be compared, and how alike are they.
 */
#include "vectors/vectors.h"

#include "base/hash.h"

void dpl__match_terms(uint32_t *out, const dpl__strings *from, const dpl__strings *to)
{
    size_t at = 0;
    for (size_t i = 0; i < from->n; i++) {
        dpl_str term = dpl__string(from, i);
        int c = 1;
        while (at < to->n && (c = dpl__str_cmp(dpl__string(to, at), term)) < 0)
            at++;
        out[i] = at < to->n && c == 0 ? (uint32_t)at : DPL__NO_TERM;
    }
}

uint64_t dpl__term_key(dpl_str term)
{
    return dpl__hash(term.data, term.n, 0x646F7070656Cu); /* "doppel" */
}

/* ---- may they be compared ----------------------------------------------------------- */

/* A length for %.*s; what is shown is short but in damaged files. */
static int shown(dpl_str s)
{
    return (int)dpl__min(s.n, 100);
}

static dpl_status other_kind(const dpl_vectors *a, const dpl_vectors *b, dpl_error *err)
{
    const dpl_vectors *dense = a->dense.dim ? a : b, *sparse = a->dense.dim ? b : a;
    return dpl__fail(err, DPL_E_USAGE,
                     "'%s' has dense rows and '%s' rows of terms: they cannot be compared",
                     dense->path, sparse->path);
}

static dpl_status other_space(const dpl_vectors *a, const dpl_vectors *b, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_USAGE, "other-space",
                          "'%s' and '%s' cannot be compared: '%.*s' against '%.*s'", a->path,
                          b->path, shown(a->space), a->space.data, shown(b->space),
                          b->space.data);
}

static dpl_status other_language(const dpl_vectors *a, const dpl_vectors *b, dpl_error *err)
{
    const dpl_vectors *p = a->is_projected ? a : b, *other = a->is_projected ? b : a;
    dpl__fail(
        err, DPL_E_USAGE, "'%s' is projected into '%.*s', the other side '%s' is %s'%.*s'",
        p->path, shown(p->lang), p->lang.data, other->path,
        other->is_projected ? "projected into " : "in ", shown(other->lang), other->lang.data);
    return dpl__code(err, DPL_E_USAGE, "other-language");
}

dpl_status dpl__vectors_check_match(const dpl_vectors *a, const dpl_vectors *b, dpl_error *err)
{
    if (!a->dense.dim != !b->dense.dim)
        return other_kind(a, b, err);
    if (a->dense.dim != b->dense.dim)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' has rows of %u numbers, '%s' of %u: they cannot be compared",
                         a->path, a->dense.dim, b->path, b->dense.dim);
    if (!dpl__str_eq(a->space, b->space))
        return other_space(a, b, err);
    bool is_known = a->lang.n && b->lang.n;
    if ((a->is_projected || b->is_projected) && is_known && !dpl__str_eq(a->lang, b->lang))
        return other_language(a, b, err);
    return DPL_OK;
}

/* ---- how alike are they ------------------------------------------------------------- */

/* Where terms stand in the order of both vocabularies. */
static int compare(const dpl_vectors *a, uint32_t x, const dpl_vectors *b, uint32_t y)
{
    return a == b ? (x > y) - (x < y)
                  : dpl__str_cmp(dpl__string(&a->terms, x), dpl__string(&b->terms, y));
}

double dpl_vectors_cosine(const dpl_vectors *a, uint32_t a_row, const dpl_vectors *b,
                          uint32_t b_row)
{
    assert(a->dense.dim == b->dense.dim); /* what dpl__vectors_check_match accepts */
    if (a->dense.dim)
        return (double)dpl__dot(a->ctx, dpl_vectors_dense(a, a_row),
                                dpl_vectors_dense(b, b_row), a->dense.dim);
    const float *u, *v;
    size_t n, m, i = 0, j = 0;
    const uint32_t *x = dpl_vectors_row(a, a_row, &u, &n);
    const uint32_t *y = dpl_vectors_row(b, b_row, &v, &m);
    double sum = 0;
    while (i < n && j < m) {
        int c = compare(a, x[i], b, y[j]);
        if (c == 0)
            sum += (double)u[i] * (double)v[j];
        i += c <= 0;
        j += c >= 0;
    }
    return sum;
}
