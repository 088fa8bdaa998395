/*
 * sized.c - copies between the caller's structs and ours, whichever is larger.
 */
#include "base/sized.h"

static size_t size_of(const void *sized)
{
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

static dpl_status check_size(const void *sized, dpl_error *err)
{
    if (size_of(sized) < sizeof(size_t))
        return dpl__fail(err, DPL_E_USAGE,
                         "a struct of options or a summary has no size: begin with DPL_INIT");
    return DPL_OK;
}

dpl_status dpl__take(void *to, size_t n_known, const void *from, dpl_error *err)
{
    assert(n_known >= sizeof(size_t));
    memset(to, 0, n_known);
    if (from) {
        DPL_TRY(check_size(from, err));
        size_t n = size_of(from);
        const unsigned char *bytes = from;
        for (size_t i = n_known; i < n; i++)
            if (bytes[i])
                return dpl__fail(err, DPL_E_UNSUPPORTED,
                                 "an option is set that this version of libdoppel (%s) does "
                                 "not have",
                                 dpl_version());
        memcpy(to, from, dpl__min(n, n_known));
    }
    memcpy(to, &n_known, sizeof n_known);
    return DPL_OK;
}

dpl_status dpl__check_out(const void *out, dpl_error *err)
{
    return out ? check_size(out, err) : DPL_OK;
}

void dpl__give(void *to, const void *from, size_t n_known)
{
    assert(n_known >= sizeof(size_t));
    if (!to)
        return;
    size_t n = size_of(to);
    memcpy(to, from, dpl__min(n, n_known));
    memcpy(to, &n, sizeof n);
}
