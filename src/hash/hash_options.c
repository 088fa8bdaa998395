/*
 * hash_options.c - the options of similarity hash functions.
 */
#include "base/options.h"

#include "doppel/hash.h"

static const char *function(unsigned i)
{
    return dpl_hash_function_name((dpl_hash_function)i);
}

static const char *encoding(unsigned i)
{
    return dpl_hash_encoding_name((dpl_hash_encoding)i);
}

static const dpl_option options[] = {
    {.name = "function",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(dpl_hash_options, function),
     .value = "NAME",
     .choice = function,
     .changes_result = true,
     .help = "set the similarity hash function"},
    {.name = "code-length",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_hash_options, k),
     .value = "K",
     .min = 1,
     .max = 100,
     .standard = "16 bits for rp and simhash, 5 minima, 26 prefix classes, 8 projections",
     .changes_result = true,
     .help = "numbers that a code is made of: longer codes find fewer wrong candidates"},
    {.name = "codes",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_hash_options, l),
     .value = "L",
     .min = 1,
     .max = 1024,
     .standard = "32 for rp, 4 for simhash, 25 for minhash, 3 for fuzzy, 20 for pstable",
     .changes_result = true,
     .help = "codes of a document: more codes find more of the similar pairs"},
    {.name = "shingle",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_hash_options, shingle),
     .value = "W",
     .min = 1,
     .max = 64,
     .standard = "1",
     .changes_result = true,
     .help = "minhash: hash sequences of W words instead of single words"},
    {.name = "radix",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_hash_options, r),
     .value = "R",
     .min = 2,
     .max = 16,
     .standard = "3",
     .changes_result = true,
     .help = "fuzzy: intervals of the deviation of a prefix class from its expectation"},
    {.name = "width",
     .type = DPL_OPTION_REAL,
     DPL__FIELD(dpl_hash_options, width),
     .value = "X",
     .least = 0.0000001,
     .most = 1000,
     .standard = "0.5",
     .changes_result = true,
     .help = "pstable: width of the intervals of a projection"},
    {.name = "encoding",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(dpl_hash_options, encoding),
     .value = "NAME",
     .choice = encoding,
     .changes_result = true,
     .help = "pstable: how the numbers of a code become one"},
    {.name = "temp",
     .type = DPL_OPTION_FOLDER,
     DPL__FIELD(dpl_hash_options, spill_dir),
     .value = "DIR",
     .standard = "/tmp",
     .help = "folder for temporary files"},
};
DPL__OPTION_TABLE(hash, dpl_hash_options, options)

static const char *embed_method(unsigned i)
{
    return dpl_embed_method_name((dpl_embed_method)i);
}

static const dpl_option embed_options[] = {
    {.name = "embedding",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(dpl_embed_options, method),
     .value = "NAME",
     .choice = embed_method,
     .changes_result = true,
     .help = "set the embedding"},
    {.name = "dims",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_embed_options, dims),
     .value = "K",
     .min = 1,
     .max = 1000,
     .standard = "50",
     .changes_result = true,
     .help = "numbers of an embedded document"},
    {.name = "optimum-threshold",
     .type = DPL_OPTION_REAL,
     DPL__FIELD(dpl_embed_options, threshold),
     .value = "T",
     .least = 0.01,
     .most = 0.99,
     .standard = "0.8",
     .changes_result = true,
     .help = "optimum: cosine that similar documents exceed"},
    {.name = "optimum-floor",
     .type = DPL_OPTION_REAL,
     DPL__FIELD(dpl_embed_options, floor),
     .value = "T",
     .least = 0.001,
     .most = 0.98,
     .standard = "0.1",
     .changes_result = true,
     .help = "optimum: number that lower cosines are moved to"},
    {.name = "matrix",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_embed_options, sample),
     .value = "N",
     .min = 2,
     .max = 10000,
     .standard = "2000",
     .changes_result = true,
     .help = "svd, optimum: most documents in the matrix of cosines; others are projected"},
    {.name = "cosine",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_embed_options, cosine),
     .changes_result = true,
     .help = "svd, optimum: compare embedded documents by the cosine, not the scalar product"},
};
DPL__OPTION_TABLE(embed, dpl_embed_options, embed_options)
