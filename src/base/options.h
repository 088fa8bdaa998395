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
    const dpl_option_table *dpl__##name_##_option_table(void)                                  \
    {                                                                                          \
        static const dpl_option_table table = {#name_, sizeof(type_), options_,                \
                                               DPL_LEN(options_)};                             \
        return &table;                                                                         \
    }

/* The tables of the stages, each in its folder's *_options.c; src/tables lists them. */
const dpl_option_table *dpl__reader_option_table(void);
const dpl_option_table *dpl__bitext_option_table(void);
const dpl_option_table *dpl__tokens_option_table(void);
const dpl_option_table *dpl__links_option_table(void);
const dpl_option_table *dpl__import_option_table(void);
const dpl_option_table *dpl__lexicon_option_table(void);
const dpl_option_table *dpl__prune_option_table(void);
const dpl_option_table *dpl__train_option_table(void);
const dpl_option_table *dpl__align_option_table(void);
const dpl_option_table *dpl__lexicon_import_option_table(void);
const dpl_option_table *dpl__phrases_option_table(void);
const dpl_option_table *dpl__translator_option_table(void);
const dpl_option_table *dpl__vectors_option_table(void);
const dpl_option_table *dpl__sign_option_table(void);
const dpl_option_table *dpl__hash_option_table(void);
const dpl_option_table *dpl__pairs_option_table(void);
const dpl_option_table *dpl__ngram_option_table(void);
const dpl_option_table *dpl__docalign_option_table(void);
const dpl_option_table *dpl__sentences_option_table(void);
const dpl_option_table *dpl__beads_option_table(void);
const dpl_option_table *dpl__mine_option_table(void);
const dpl_option_table *dpl__dedup_option_table(void);
const dpl_option_table *dpl__reuse_option_table(void);
const dpl_option_table *dpl__index_option_table(void);
const dpl_option_table *dpl__query_option_table(void);
const dpl_option_table *dpl__serve_option_table(void);
const dpl_option_table *dpl__eval_words_option_table(void);
const dpl_option_table *dpl__eval_bleu_option_table(void);
/* dpl_parse_real of a slice. */
bool dpl__parse_real(double *out, dpl_str text);
/* The i-th of all tables; NULL behind the last. */
const dpl_option_table *dpl__option_table_at(size_t i);

/* The first option, in the order of the table and into its groups, whose value differs between
 * two structs; NULL when there is none. Options that do not change results are passed over with
 * `only_results`. Either struct may be NULL: all defaults. */
const dpl_option *dpl__options_differ(const dpl_option_table *table, const void *a,
                                      const void *b, bool only_results);

#endif
