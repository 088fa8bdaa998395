/*
 * signatures.c - signatures opened, walked and compared.
 *
 * Opening verifies every checksum and every number, as for all our files.
 */
#include "signatures/signatures.h"

#include "base/ctx.h"
#include "readers/file_checks.h"
#include "signatures/shape.h"
#include "signatures/sign_methods.h"

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status get_shape(dpl_signatures *s, dpl_error *err)
{
    const uint64_t *shape = NULL;
    DPL_TRY(dpl__get_n(s->file, "shape", 8, &shape, DPL__N_SHAPE, err));
    if (shape[DPL__SHAPE_HASH] != DPL__SIGN_HASH)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "'%s': section 'shape': hyperplanes of kind %llu are not known here",
                         s->path, (unsigned long long)shape[DPL__SHAPE_HASH]);
    dpl_sign_options o = DPL_INIT(dpl_sign_options);
    o.method = (dpl_sign_method)shape[DPL__SHAPE_METHOD];
    o.length = (unsigned)shape[DPL__SHAPE_N];
    unsigned n = 0;
    if (shape[DPL__SHAPE_METHOD] > INT32_MAX || shape[DPL__SHAPE_N] == 0 ||
        shape[DPL__SHAPE_N] > UINT32_MAX || dpl_sign_check(&n, &o, NULL) != DPL_OK ||
        n != shape[DPL__SHAPE_N] || shape[DPL__SHAPE_PROJECTED] > 1)
        return dpl__damaged(s->file, "shape", "number out of range", err);
    s->sizes.method = o.method;
    s->sizes.length = n;
    s->sizes.n_words = dpl__signature_method_of(o.method)->n_words(n);
    s->sizes.seed = shape[DPL__SHAPE_SEED];
    s->is_projected = shape[DPL__SHAPE_PROJECTED];
    return DPL_OK;
}

static dpl_status get_words(dpl_signatures *s, dpl_error *err)
{
    const dpl_signatures_sizes *size = &s->sizes;
    s->bits = (dpl__bits){.n_rows = size->n_rows, .n_words = size->n_words};
    DPL_TRY(dpl__get_n(s->file, "words", 8, &s->bits.words,
                       (size_t)size->n_rows * size->n_words, err));
    const dpl__signature_method *method = dpl__signature_method_of(size->method);
    for (uint32_t row = 0; method->is_valid && row < size->n_rows; row++)
        if (!method->is_valid(dpl__bits_row(&s->bits, row), size->length))
            return dpl__damaged(s->file, "words", method->what_is_wrong, err);
    return DPL_OK;
}

static dpl_status get_everything(dpl_signatures *s, dpl_error *err)
{
    DPL_TRY(dpl__check_kind(s->file, "signatures", err));
    DPL_TRY(dpl_file_check(s->file, err));
    DPL_TRY(get_shape(s, err));
    DPL_TRY(dpl__get_strings(s->file, "id.offsets", "id.bytes", &s->ids, SIZE_MAX, err));
    s->sizes.n_rows = (uint32_t)s->ids.n;
    DPL_TRY(get_words(s, err));
    DPL_TRY(dpl__check_names(s->file, "id.bytes", &s->ids, err));
    DPL_TRY(dpl__check_unique(s->file, "id.bytes", &s->ids, err));
    DPL_TRY(dpl__get_json(s->file, "settings", &s->settings, err));
    DPL_TRY(dpl__get_text(s->file, "space", &s->space, err));
    DPL_TRY(dpl__get_lang(s->file, "lang", &s->lang, err));
    return dpl__get_lang(s->file, "doc.lang", &s->doc_lang, err);
}

dpl_status dpl__signatures_new(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err)
{
    dpl_signatures *s = *out = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = ctx;
    s->path = dpl__alloc(ctx, strlen(path) + 1);
    DPL_TRY(dpl__need(s->path, err));
    memcpy(s->path, path, strlen(path) + 1);
    return DPL_OK;
}

dpl_status dpl_signatures_open(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err)
{
    dpl_signatures *s;
    dpl_status status;
    DPL__STEP(dpl__signatures_new(&s, ctx, path, err));
    DPL__STEP(dpl_file_open(&s->file, ctx, path, err));
    DPL__STEP(get_everything(s, err));
done:
    if (status != DPL_OK) {
        dpl_signatures_close(s);
        s = NULL;
    }
    *out = s;
    return status;
}

void dpl_signatures_close(dpl_signatures *s)
{
    if (!s)
        return;
    dpl__vec_clear(s->ctx, &s->made_settings);
    dpl__scratch_clear(&s->words);
    dpl__spill_clear(&s->spill);
    dpl_file_close(s->file);
    if (s->path)
        dpl__free(s->ctx, s->path);
    dpl__free(s->ctx, s);
}

/* ---- walking ------------------------------------------------------------------------ */

const dpl_signatures_sizes *dpl_signatures_get_sizes(const dpl_signatures *s)
{
    return &s->sizes;
}

dpl_signatures_info dpl_signatures_get_info(const dpl_signatures *s)
{
    return (dpl_signatures_info){s->path, s->settings};
}

dpl_str dpl_signatures_id(const dpl_signatures *s, uint32_t row)
{
    assert(row < s->sizes.n_rows);
    if (s->vectors)
        return dpl_vectors_id(s->vectors, row);
    return dpl__string(&s->ids, row);
}

const dpl__bits *dpl__signatures_bits(const dpl_signatures *s)
{
    return &s->bits;
}

const uint64_t *dpl_signatures_row(const dpl_signatures *s, uint32_t row)
{
    assert(row < s->sizes.n_rows);
    return dpl__bits_row(&s->bits, row);
}

/* ---- comparing ---------------------------------------------------------------------- */

/* A length for %.*s; what is shown is short but in damaged files. */
static int shown(dpl_str s)
{
    return (int)dpl__min(s.n, 100);
}

static dpl_status other_options(const dpl_signatures *l, const dpl_signatures *r,
                                dpl_error *err)
{
    const dpl_signatures_sizes *a = &l->sizes, *b = &r->sizes;
    if (a->method != b->method)
        dpl__fail(err, DPL_E_USAGE, "'%s' has %s signatures, '%s' %s: they cannot be compared",
                  l->path, dpl__sign_method_name(a->method), r->path,
                  dpl__sign_method_name(b->method));
    else if (a->length != b->length)
        dpl__fail(err, DPL_E_USAGE,
                  "'%s' has signatures of %u %s, '%s' of %u: they cannot be compared", l->path,
                  a->length, dpl_sign_get_method_info(a->method)->unit, r->path, b->length);
    else
        dpl__fail(err, DPL_E_USAGE,
                  "'%s' has signatures of seed %llu, '%s' of %llu: they cannot be compared",
                  l->path, (unsigned long long)a->seed, r->path, (unsigned long long)b->seed);
    return dpl__code(err, DPL_E_USAGE, "other-signatures");
}

static dpl_status other_vectors(const dpl_signatures *l, const dpl_signatures *r, dpl_str left,
                                dpl_str right, dpl_error *err)
{
    dpl__fail(err, DPL_E_USAGE,
              "'%s' and '%s' are signatures of vectors that cannot be compared: '%.*s' against "
              "'%.*s'",
              l->path, r->path, shown(left), left.data, shown(right), right.data);
    dpl__hint(err, "make the vectors of both sides with the same options, in one language");
    return DPL_E_USAGE;
}

dpl_status dpl__signatures_check_match(const dpl_signatures *l, const dpl_signatures *r,
                                       dpl_error *err)
{
    if (l->sizes.method != r->sizes.method || l->sizes.length != r->sizes.length ||
        l->sizes.seed != r->sizes.seed)
        return other_options(l, r, err);
    if (!dpl__str_eq(l->space, r->space))
        return other_vectors(l, r, l->space, r->space, err);
    bool is_known = l->lang.n && r->lang.n;
    if ((l->is_projected || r->is_projected) && is_known && !dpl__str_eq(l->lang, r->lang))
        return other_vectors(l, r, l->lang, r->lang, err);
    return DPL_OK;
}

unsigned dpl_signatures_distance(const dpl_signatures *l, uint32_t left_row,
                                 const dpl_signatures *r, uint32_t right_row)
{
    assert(l->sizes.method == r->sizes.method && l->sizes.length == r->sizes.length);
    const uint64_t *a = dpl_signatures_row(l, left_row), *b = dpl_signatures_row(r, right_row);
    return dpl__signature_method_of(l->sizes.method)
        ->distance(l->ctx->kernels, a, b, l->sizes.n_words);
}
