/*
 * embed_options.c - the options of embeddings.
 */
#include "base/options.h"
#include "lab/lab_option_tables.h"

#include "doppel-lab/embeddings.h"

static const char *embed_method(unsigned i)
{
    return dpl_embed_method_name((dpl_embed_method)i);
}

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "embedding", dpl_embed_options, embedding), .value = "NAME",
     .choice = embed_method, .changes_result = true, .help = "set the embedding"},
    {DPL__OPTION(COUNT, "dims", dpl_embed_options, dims), .value = "K", .min = 1, .max = 1000,
     .standard = "50", .changes_result = true, .help = "numbers of an embedded document"},
    {DPL__OPTION(REAL, "optimum-threshold", dpl_embed_options, optimum_threshold), .value = "T",
     .least = 0.01, .most = 0.99, .standard = "0.8", .changes_result = true,
     .only_with = "embedding=optimum", .help = "optimum: cosine that similar documents exceed"},
    {DPL__OPTION(REAL, "optimum-floor", dpl_embed_options, optimum_floor), .value = "T",
     .least = 0.001, .most = 0.98, .standard = "0.1", .changes_result = true,
     .only_with = "embedding=optimum",
     .help = "optimum: number that lower cosines are moved to"},
    {DPL__OPTION(COUNT, "matrix", dpl_embed_options, matrix), .value = "N", .min = 2,
     .max = 10000, .standard = "2000", .changes_result = true,
     .only_with = "embedding=svd,optimum",
     .help = "svd, optimum: most documents in the matrix of cosines; others are projected"},
    {DPL__OPTION(FLAG, "cosine", dpl_embed_options, cosine), .changes_result = true,
     .only_with = "embedding=svd,optimum",
     .help = "svd, optimum: compare embedded documents by the cosine, not the scalar product"},
    {DPL__OPTION(OTHER, "reference", dpl_embed_options, reference), .changes_result = true,
     .help = "fuzzy: a collection that has the prefix classes"},
};
DPL__OPTION_TABLE(embed, dpl_embed_options, options)
