/*
 * npy.c - the header of a .npy file: a Python dictionary with type, order and shape.
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 768), }
 */
#include "vectors/dense.h"

#include "base/ascii.h"
/* What is left to read, and of what. */
typedef struct cursor {
    const char *p, *end;
    const char *path;
} cursor;

static dpl_status bad_header(const cursor *c, dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s': the .npy header cannot be read", c->path);
}

static void skip_blanks(cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t'))
        c->p++;
}

static bool take(cursor *c, char what)
{
    skip_blanks(c);
    if (c->p == c->end || *c->p != what)
        return false;
    c->p++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    skip_blanks(c);
    size_t n = strlen(word);
    if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0)
        return false;
    c->p += n;
    return true;
}

static bool take_string(cursor *c, dpl_str *out)
{
    skip_blanks(c);
    char quote = c->p < c->end ? *c->p : 0;
    if (quote != '\'' && quote != '"')
        return false;
    const char *begin = ++c->p, *end = memchr(begin, quote, (size_t)(c->end - begin));
    if (!end)
        return false;
    *out = (dpl_str){begin, (size_t)(end - begin)};
    c->p = end + 1;
    return true;
}

static bool take_number(cursor *c, uint64_t *out)
{
    skip_blanks(c);
    dpl_str rest = {c->p, (size_t)(c->end - c->p)};
    *out = dpl__take_digits(&rest);
    const bool has_digits = rest.data > c->p;
    c->p = rest.data;
    return has_digits && *out < UINT64_MAX;
}

static dpl_status read_type(cursor *c, dpl__layout *out, dpl_error *err)
{
    dpl_str type = {0};
    if (take(c, '['))
        type = DPL_STR("a record");
    else if (!take_string(c, &type))
        return bad_header(c, err);
    if (dpl__str_eq(type, DPL_STR("<f4")) || dpl__str_eq(type, DPL_STR("<f2"))) {
        out->element = (unsigned)(type.data[2] - '0');
        return DPL_OK;
    }
    bool is_big = type.n == 3 && type.data[0] == '>' && type.data[1] == 'f';
    return dpl__fail_code(err, DPL_E_UNSUPPORTED, "npy-type",
                          "'%s' holds %s of type '%.*s', not '<f4' or '<f2'", c->path,
                          is_big ? "big-endian numbers" : "numbers", (int)dpl__min(type.n, 40),
                          type.data);
}

static dpl_status read_order(cursor *c, dpl_error *err)
{
    if (take_word(c, "False"))
        return DPL_OK;
    if (!take_word(c, "True"))
        return bad_header(c, err);
    return dpl__fail_code(err, DPL_E_UNSUPPORTED, "npy-order",
                          "'%s' is in Fortran order: columns, not rows", c->path);
}

static dpl_status read_shape(cursor *c, dpl__layout *out, dpl_error *err)
{
    uint64_t sizes[2] = {0}, size;
    size_t n = 0;
    if (!take(c, '('))
        return bad_header(c, err);
    while (!take(c, ')')) {
        if (!take_number(c, &size))
            return bad_header(c, err);
        if (n < 2)
            sizes[n] = size;
        n++;
        if (!take(c, ',')) {
            if (!take(c, ')'))
                return bad_header(c, err);
            break;
        }
    }
    if (n != 2)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has %zu dimension%s instead of 2",
                         c->path, n, n == 1 ? "" : "s");
    if (sizes[1] == 0 || sizes[1] > DPL__MOST_DIM)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has rows of %llu numbers, not 1 to %d",
                         c->path, (unsigned long long)sizes[1], DPL__MOST_DIM);
    out->n_rows = sizes[0];
    out->dim = (uint32_t)sizes[1];
    return DPL_OK;
}

dpl_status dpl__npy_header(dpl__layout *out, const char *path, dpl_str header, dpl_error *err)
{
    cursor c = {header.data, header.data + header.n, path};
    bool has_type = false, has_order = false, has_shape = false;
    if (!take(&c, '{'))
        return bad_header(&c, err);
    while (!take(&c, '}')) {
        dpl_str key;
        if (!take_string(&c, &key) || !take(&c, ':'))
            return bad_header(&c, err);
        if (dpl__str_eq(key, DPL_STR("descr")) && !has_type) {
            DPL_TRY(read_type(&c, out, err));
            has_type = true;
        } else if (dpl__str_eq(key, DPL_STR("fortran_order")) && !has_order) {
            DPL_TRY(read_order(&c, err));
            has_order = true;
        } else if (dpl__str_eq(key, DPL_STR("shape")) && !has_shape) {
            DPL_TRY(read_shape(&c, out, err));
            has_shape = true;
        } else {
            return bad_header(&c, err);
        }
        if (!take(&c, ',')) {
            if (!take(&c, '}'))
                return bad_header(&c, err);
            break;
        }
    }
    return has_type && has_order && has_shape ? DPL_OK : bad_header(&c, err);
}
