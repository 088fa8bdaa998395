/*
 * options.h - how the tables of doppel/options.h are written.
 *
 *     static const dpl_option options[] = {
 *         {DPL__OPTION(COUNT, "max-side", dpl_sentences_options, max_side), .value = "N",
 *          .min = 1, .max = 8, .standard = "4", .changes_result = true,
 *          .help = "most sentences on one side of a bead"},
 *     };
 *     DPL__OPTION_TABLE(sentences, dpl_sentences_options, options)
 *
 * Every field has an entry but the `size` that a struct begins with; test/options-test compares
 * the tables with the headers.
 */
#ifndef DPL_BASE_OPTIONS_H
#define DPL_BASE_OPTIONS_H

#include "base/base.h"
#include "doppel/options.h"

#define DPL__FIELD(type, field)                                                                \
    .offset = (uint32_t)offsetof(type, field), .n_bytes = (uint32_t)sizeof(((type *)0)->field)

/* Type, name and field of an option. */
#define DPL__OPTION(type_, name_, struct_, field_)                                             \
    .name = (name_), .type = DPL_OPTION_##type_, DPL__FIELD(struct_, field_)

#define DPL__OPTION_TABLE(name_, type_, options_)                                              \
    const dpl_option_table *dpl_##name_##_option_table(void)                                   \
    {                                                                                          \
        static const dpl_option_table table = {#name_, sizeof(type_), options_,                \
                                               DPL_LEN(options_)};                             \
        return &table;                                                                         \
    }

/* The first option, in the order of the table and into its groups, whose value differs between
 * two structs; NULL when there is none. Options that do not change results are passed over with
 * `only_results`. Either struct may be NULL: all defaults. */
const dpl_option *dpl__options_differ(const dpl_option_table *table, const void *a,
                                      const void *b, bool only_results);

#endif
