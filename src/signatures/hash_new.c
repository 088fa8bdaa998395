/*
 * hash_new.c - a similarity hash function with its parameters, and what it learnt.
 */
#include "base/ctx.h"
#include "base/sized.h"
#include "signatures/code_rows.h"
#include "signatures/hash_functions.h"

dpl_status dpl__hash_check(dpl_hash *h, dpl_error *err)
{
    dpl_hash_options *o = &h->options;
    const dpl_hash_function_info *info = &h->function->info;
    o->length = o->length ? o->length : info->length_default;
    o->codes = o->codes ? o->codes : info->codes_default;
    o->shingle = o->shingle ? o->shingle : 1;
    if (o->length > info->length_most)
        return dpl__fail(err, DPL_E_USAGE, "%s has at most %u %s to a code, not %u", info->name,
                         info->length_most, info->unit, o->length);
    if (o->codes > info->codes_most)
        return dpl__fail(err, DPL_E_USAGE, "%s has at most %u codes, not %u", info->name,
                         info->codes_most, o->codes);
    if (o->shingle > DPL__MOST_SHINGLE)
        return dpl__fail(err, DPL_E_USAGE, "shingles have at most %u words, not %u",
                         DPL__MOST_SHINGLE, o->shingle);
    if (o->shingle > 1 && !info->takes_keys)
        return dpl__fail(err, DPL_E_USAGE, "%s codes are of words, not of shingles",
                         info->name);
    return h->function->check ? h->function->check(o, err) : DPL_OK;
}

static dpl_status prepare(dpl_hash *h, const dpl_hash_input *reference, dpl_error *err)
{
    DPL_TRY(dpl__hash_check(h, err));
    if (!h->function->learn)
        return DPL_OK;
    if (!reference)
        return dpl__fail(err, DPL_E_USAGE, "%s needs a reference", h->function->info.name);
    return h->function->learn(h, reference, err);
}

dpl_status dpl_hash_new(dpl_hash **out, dpl_ctx *ctx, const dpl_hash_options *options,
                        const dpl_hash_input *reference, dpl_error *err)
{
    *out = NULL;
    dpl_hash_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    const dpl__hash_function *function = dpl__hash_function_of(o.function);
    if (!function)
        return dpl__fail(err, DPL_E_USAGE, "no similarity hash function number %d",
                         (int)o.function);
    dpl_hash *h = dpl__calloc(ctx, 1, sizeof *h);
    DPL_TRY(dpl__need(h, err));
    *h = (dpl_hash){.ctx = ctx, .function = function, .options = o, .seed = ctx->seed};
    dpl__arena_init(&h->arena, ctx);
    dpl_status status = prepare(h, reference, err);
    if (status != DPL_OK) {
        dpl_hash_free(h);
        h = NULL;
    }
    *out = h;
    return status;
}

void dpl_hash_free(dpl_hash *h)
{
    if (!h)
        return;
    dpl__arena_clear(&h->arena);
    dpl__free(h->ctx, h);
}

dpl_hash_info dpl_hash_get_info(const dpl_hash *h)
{
    return (dpl_hash_info){&h->options, h->seed};
}
