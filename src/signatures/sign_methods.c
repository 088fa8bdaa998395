/*
 * sign_methods.c - the table of signature methods, by the numbers of dpl_sign_method.
 */
#include "signatures/sign_methods.h"

#include "base/sized.h"

#include <string.h>

extern const dpl__signature_method dpl__rp, dpl__simhash, dpl__minhash, dpl__rp8;

static const dpl__signature_method *const methods[] = {
    [DPL_SIGN_RP] = &dpl__rp,
    [DPL_SIGN_SIMHASH] = &dpl__simhash,
    [DPL_SIGN_MINHASH] = &dpl__minhash,
    [DPL_SIGN_RP8] = &dpl__rp8,
};

const dpl__signature_method *dpl__signature_method_of(dpl_sign_method method)
{
    return (unsigned)method < DPL_LEN(methods) ? methods[method] : NULL;
}

const dpl_sign_method_info *dpl_sign_get_method_info(dpl_sign_method method)
{
    const dpl__signature_method *m = dpl__signature_method_of(method);
    return m ? &m->info : NULL;
}

const char *dpl__sign_method_name(dpl_sign_method method)
{
    const dpl__signature_method *m = dpl__signature_method_of(method);
    return m ? m->info.name : NULL;
}

dpl_status dpl_sign_check(unsigned *n, const dpl_sign_options *options, dpl_error *err)
{
    dpl_sign_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    const dpl__signature_method *m = dpl__signature_method_of(o.method);
    if (!m)
        return dpl__fail(err, DPL_E_USAGE, "no signature method number %d", (int)o.method);
    *n = o.length ? o.length : m->info.length_default;
    if (*n > m->info.length_most)
        return dpl__fail(err, DPL_E_USAGE, "%s signatures have at most %u %s, not %u",
                         m->info.name, m->info.length_most, m->info.unit, *n);
    return m->check ? m->check(n, err) : DPL_OK;
}
