/*
 * summary.h - how the tables of doppel/summary.h are written.
 *
 *     static const dpl_figure figures[] = {
 *         {DPL__FIGURE_OF(COUNT, "rows", dpl_sign_summary, n_rows), .label = "rows",
 *          .help = "rows that were signed"},
 *     };
 *     DPL__SUMMARY_TABLE(sign, dpl_sign_summary, figures)
 */
#ifndef DPL_BASE_SUMMARY_H
#define DPL_BASE_SUMMARY_H

#include "base/base.h"
#include "doppel/summary.h"

/* Version of run.json, which docs/reference/run.schema.json describes. */
enum { DPL__RUN_SCHEMA = 1 };

#define DPL__FIGURE(type, field)                                                               \
    .offset = (uint32_t)offsetof(type, field), .n_bytes = (uint32_t)sizeof(((type *)0)->field)

/* Type, name and field of a figure. */
#define DPL__FIGURE_OF(type_, name_, struct_, field_)                                          \
    .name = (name_), .type = DPL_FIGURE_##type_, DPL__FIGURE(struct_, field_)

/* Figures that many summaries have. The path is the figure "output" of a table around it.
 * clang-format off */
#define DPL__OUTPUT_BYTES(type_, help_)                                                        \
    {                                                                                          \
        .name = "output_bytes", .type = DPL_FIGURE_BYTES, DPL__FIGURE(type_, n_output_bytes),  \
        .help = help_, .label = "output", .value = "[output_bytes?{output_bytes}]",            \
        .remark = "'{output}'"                                                                 \
    }
#define DPL__SPILLED_BYTES(type_)                                                              \
    {                                                                                          \
        .name = "spilled_bytes", .type = DPL_FIGURE_BYTES,                                     \
        DPL__FIGURE(type_, n_spilled_bytes), .help = "bytes written to temporary files",       \
        .label = "spilled", .remark = "to temporary files", .shown_with = "spilled_bytes"      \
    }
#define DPL__SECONDS(type_, help_)                                                             \
    {                                                                                          \
        .name = "seconds", .type = DPL_FIGURE_REAL, DPL__FIGURE(type_, seconds), .help = help_ \
    }
/* clang-format on */

/* The table of a struct that begins with its size. */
#define DPL__SUMMARY_TABLE(name_, type_, figures_)                                             \
    const dpl_summary_table dpl_##name_##_figures = {#name_, sizeof(type_), true, figures_,    \
                                                     DPL_LEN(figures_)};

#endif
