/*
 * embed_options.c - the options of embeddings.
 */
#include "base/options.h"

#include "doppel-lab/embeddings.h"

static const char *embed_method(unsigned i)
{
    return dpl_embed_method_name((dpl_embed_method)i);
}

static const dpl_option options[] = {
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
     .only_with = "embedding=optimum",
     .help = "optimum: cosine that similar documents exceed"},
    {.name = "optimum-floor",
     .type = DPL_OPTION_REAL,
     DPL__FIELD(dpl_embed_options, floor),
     .value = "T",
     .least = 0.001,
     .most = 0.98,
     .standard = "0.1",
     .changes_result = true,
     .only_with = "embedding=optimum",
     .help = "optimum: number that lower cosines are moved to"},
    {.name = "matrix",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_embed_options, sample),
     .value = "N",
     .min = 2,
     .max = 10000,
     .standard = "2000",
     .changes_result = true,
     .only_with = "embedding=svd,optimum",
     .help = "svd, optimum: most documents in the matrix of cosines; others are projected"},
    {.name = "cosine",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_embed_options, cosine),
     .changes_result = true,
     .only_with = "embedding=svd,optimum",
     .help = "svd, optimum: compare embedded documents by the cosine, not the scalar product"},
};
DPL__OPTION_TABLE(embed, dpl_embed_options, options)
