/*
 * hash_options.c - the options of similarity hash functions.
 */
#include "base/options.h"

#include "signatures/hash_functions.h"

DPL__NAMES_OF(function, dpl__hash_function_name)
DPL__NAMES_OF(encoding, dpl__hash_encoding_name)

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "function", dpl_hash_options, function), .value = "NAME",
     .choice = function, .changes_result = true, .help = "set the similarity hash function"},
    {DPL__OPTION(COUNT, "length", dpl_hash_options, length), .value = "K", .min = 1, .max = 100,
     .standard = "16 bits for rp and simhash, 5 minima, 26 prefix classes, 8 projections",
     .changes_result = true,
     .help = "numbers that a code is made of: longer codes find fewer wrong candidates"},
    {DPL__OPTION(COUNT, "codes", dpl_hash_options, codes), .value = "L", .min = 1, .max = 1024,
     .standard = "32 for rp, 4 for simhash, 25 for minhash, 3 for fuzzy, 20 for pstable",
     .changes_result = true,
     .help = "codes of a document: more codes find more of the similar pairs"},
    {DPL__OPTION(COUNT, "shingle", dpl_hash_options, shingle), .value = "W", .min = 1,
     .max = 64, .standard = "1", .changes_result = true, .only_with = "function=minhash",
     .help = "hash sequences of W words instead of single words"},
    {DPL__OPTION(COUNT, "radix", dpl_hash_options, radix), .value = "R", .min = 2, .max = 16,
     .standard = "3", .changes_result = true, .only_with = "function=fuzzy",
     .help = "intervals of the deviation of a prefix class from its expectation"},
    {DPL__OPTION(REAL, "width", dpl_hash_options, width), .value = "X", .least = 0.0000001,
     .most = 1000, .standard = "0.5", .changes_result = true, .only_with = "function=pstable",
     .help = "width of the intervals of a projection"},
    {DPL__OPTION(CHOICE, "encoding", dpl_hash_options, encoding), .value = "NAME",
     .choice = encoding, .changes_result = true, .only_with = "function=pstable",
     .help = "how the numbers of a code become one"},
    {DPL__OPTION(FOLDER, "temp", dpl_hash_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "folder for temporary files"},
};
DPL__OPTION_TABLE(hash, dpl_hash_options, options)
