/*
 * hash_functions.c - the table of similarity hash functions, by the numbers of
 * dpl_hash_function.
 */
#include "signatures/hash_functions.h"

static const dpl__hash_function *const functions[] = {
    [DPL_HASH_RP] = &dpl__rp_codes,           [DPL_HASH_SIMHASH] = &dpl__simhash_codes,
    [DPL_HASH_MINHASH] = &dpl__minhash_codes, [DPL_HASH_FUZZY] = &dpl__fuzzy_codes,
    [DPL_HASH_PSTABLE] = &dpl__pstable_codes,
};

const dpl__hash_function *dpl__hash_function_of(dpl_hash_function function)
{
    return (unsigned)function < DPL_LEN(functions) ? functions[function] : NULL;
}

const dpl_hash_function_info *dpl_hash_get_function_info(dpl_hash_function function)
{
    const dpl__hash_function *f = dpl__hash_function_of(function);
    return f ? &f->info : NULL;
}

const char *dpl__hash_function_name(dpl_hash_function function)
{
    const dpl__hash_function *f = dpl__hash_function_of(function);
    return f ? f->info.name : NULL;
}

const char *dpl__hash_encoding_name(dpl_hash_encoding encoding)
{
    static const char *const names[] = {"concatenation", "summation"};
    return (unsigned)encoding < DPL_LEN(names) ? names[encoding] : NULL;
}
