/*
 * signatures_options.c - the options of signatures.
 */
#include "base/options.h"

#include "doppel/signatures.h"
#include "signatures/sign_methods.h"

DPL__NAMES_OF(sign_method, dpl__sign_method_name)

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "method", dpl_sign_options, method), .value = "METHOD",
     .choice = sign_method, .changes_result = true, .help = "set the kind of signature"},
    {DPL__OPTION(COUNT, "length", dpl_sign_options, length), .value = "D", .min = 1,
     .max = 65536, .standard = "1024 for rp, 64 for simhash, 128 for minhash, 448 for rp8",
     .changes_result = true,
     .help = "length of a signature: bits of rp (rounded up to a multiple of 64) and"
             " of simhash (64 or 128), values of minhash (at most 4096), dimensions of rp8"
             " (rounded up to a multiple of 64)"},
    {DPL__OPTION(FOLDER, "temp", dpl_sign_options, temp), .value = "DIR",
     .standard = "beside the vectors", .help = "folder for temporary files"},
};
DPL__OPTION_TABLE(sign, dpl_sign_options, options)
