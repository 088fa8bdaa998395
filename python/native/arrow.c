/*
 * arrow.c - values of Arrow columns as texts: every layout of strings, dictionaries, numbers.
 */
#include "arrow.h"

#include <stdio.h>
#include <string.h>

static bool plain_type(arrow_column *out, const char *format)
{
    const char *f = format;
    if (strchr("uz", f[0]) && f[0] && !f[1])
        out->layout = ARROW_UTF8;
    else if (strchr("UZ", f[0]) && f[0] && !f[1])
        out->layout = ARROW_LARGE;
    else if (strcmp(f, "vu") == 0 || strcmp(f, "vz") == 0)
        out->layout = ARROW_VIEW;
    else if (f[0] && strchr("cCsSiIlL", f[0]) && !f[1])
        out->layout = ARROW_INTEGER;
    else if (f[0] && strchr("fg", f[0]) && !f[1])
        out->layout = ARROW_REAL;
    else if (strcmp(f, "b") == 0)
        out->layout = ARROW_BOOL;
    else if (strcmp(f, "n") == 0)
        out->layout = ARROW_EMPTY;
    else
        return false;
    out->type = f[0];
    return true;
}

bool arrow_column_type(arrow_column *out, const struct ArrowSchema *schema)
{
    memset(out, 0, sizeof *out);
    if (!schema->dictionary)
        return plain_type(out, schema->format);
    out->index = schema->format[0];
    return schema->format[0] && strchr("cCsSiIlL", schema->format[0]) && !schema->format[1] &&
           !schema->dictionary->dictionary && plain_type(out, schema->dictionary->format);
}

static void bind_values(arrow_column *c, const struct ArrowArray *a)
{
    c->offset = a->offset;
    c->mask = c->layout == ARROW_EMPTY || a->null_count == 0 || !a->n_buffers
                  ? NULL
                  : (const uint8_t *)a->buffers[0];
    c->values = a->n_buffers > 1 ? a->buffers[1] : NULL;
    c->text = a->n_buffers > 2 ? (const char *)a->buffers[2] : NULL;
    c->buffers = a->n_buffers > 2 ? (const void *const *)a->buffers + 2 : NULL;
}

void arrow_column_bind(arrow_column *c, const struct ArrowArray *a)
{
    if (!c->index) {
        bind_values(c, a);
        return;
    }
    c->index_offset = a->offset;
    c->index_mask = a->null_count == 0 ? NULL : (const uint8_t *)a->buffers[0];
    c->indices = a->buffers[1];
    bind_values(c, a->dictionary);
}

static bool has_bit(const uint8_t *mask, int64_t i)
{
    return mask[i >> 3] >> (i & 7) & 1;
}

static int64_t integer_at(const void *values, char type, int64_t i)
{
    switch (type) {
    case 'c': return ((const int8_t *)values)[i];
    case 'C': return ((const uint8_t *)values)[i];
    case 's': return ((const int16_t *)values)[i];
    case 'S': return ((const uint16_t *)values)[i];
    case 'i': return ((const int32_t *)values)[i];
    case 'I': return ((const uint32_t *)values)[i];
    default: return ((const int64_t *)values)[i];
    }
}

static void print(dpl_str *out, char scratch[ARROW_SCRATCH], const arrow_column *c, int64_t i)
{
    int n;
    if (c->layout == ARROW_BOOL)
        n = snprintf(scratch, ARROW_SCRATCH, "%s",
                     has_bit((const uint8_t *)c->values, i) ? "true" : "false");
    else if (c->layout == ARROW_REAL)
        n = snprintf(scratch, ARROW_SCRATCH, c->type == 'f' ? "%.9g" : "%.17g",
                     c->type == 'f' ? (double)((const float *)c->values)[i]
                                    : ((const double *)c->values)[i]);
    else if (c->type == 'L')
        n = snprintf(scratch, ARROW_SCRATCH, "%llu",
                     (unsigned long long)((const uint64_t *)c->values)[i]);
    else
        n = snprintf(scratch, ARROW_SCRATCH, "%lld",
                     (long long)integer_at(c->values, c->type, i));
    *out = (dpl_str){scratch, (size_t)n};
}

/* A view has its length in 4 bytes, then up to 12 bytes of text; longer texts have 4 bytes of
 * prefix, the number of a buffer, and the offset in it. */
static dpl_str view_at(const arrow_column *c, int64_t i)
{
    const char *view = (const char *)c->values + 16 * i;
    int32_t part[4];
    memcpy(part, view, sizeof part);
    if (part[0] <= 12)
        return (dpl_str){view + 4, (size_t)part[0]};
    return (dpl_str){(const char *)c->buffers[part[2]] + part[3], (size_t)part[0]};
}

bool arrow_column_text(dpl_str *out, const arrow_column *c, int64_t i,
                       char scratch[ARROW_SCRATCH])
{
    *out = (dpl_str){NULL, 0};
    if (c->index) {
        i += c->index_offset;
        if (c->index_mask && !has_bit(c->index_mask, i))
            return false;
        i = integer_at(c->indices, c->index, i);
    }
    i += c->offset;
    if (c->layout == ARROW_EMPTY || (c->mask && !has_bit(c->mask, i)))
        return false;
    switch (c->layout) {
    case ARROW_UTF8: {
        const int32_t *at = (const int32_t *)c->values + i;
        *out = (dpl_str){c->text + at[0], (size_t)(at[1] - at[0])};
        return true;
    }
    case ARROW_LARGE: {
        const int64_t *at = (const int64_t *)c->values + i;
        *out = (dpl_str){c->text + at[0], (size_t)(at[1] - at[0])};
        return true;
    }
    case ARROW_VIEW: *out = view_at(c, i); return true;
    default: print(out, scratch, c, i); return true;
    }
}
