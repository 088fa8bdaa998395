/*
 * sign_summary.c - the figures of signing vectors.
 */
#include "base/summary.h"
#include "doppel/signatures.h"

/* Around it: method, unit. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "rows", dpl_sign_summary, n_rows), .help = "rows that were signed",
     .label = "rows"},
    {DPL__FIGURE_OF(COUNT, "bits", dpl_sign_summary, length), .only_with = "unit=bits",
     .help = "length of a signature; with rp and simhash", .label = "bits",
     .remark = "for each row, by {method}"},
    {DPL__FIGURE_OF(COUNT, "values", dpl_sign_summary, length), .only_with = "unit=values",
     .help = "length of a signature; with minhash only", .label = "values",
     .remark = "of 32 bits for each row, by {method}"},
    {DPL__FIGURE_OF(COUNT, "dims", dpl_sign_summary, length), .only_with = "unit=dims",
     .help = "length of a signature; with rp8 only", .label = "dims",
     .remark = "for each row, by {method}"},
    {DPL__FIGURE_OF(COUNT, "seed", dpl_sign_summary, seed),
     .help = "of the hyperplanes, or of the orders of terms"},
    DPL__OUTPUT_BYTES(dpl_sign_summary, "bytes of the signatures' file"),
    DPL__SECONDS(dpl_sign_summary, "time it took, without reading the vectors"),
};
DPL__SUMMARY_TABLE(sign, dpl_sign_summary, figures)
