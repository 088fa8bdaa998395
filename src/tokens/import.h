/*
 * import.h - counts of documents that declare their language; an import through a gate, or with
 * parts of words.
 */
#ifndef DPL_TOKENS_IMPORT_H
#define DPL_TOKENS_IMPORT_H

#include "doppel/tokens.h"

#include "base/vec.h"

/* Documents of a language whose language was given, by a field of theirs or by the file; that
 * of the others was identified. */
typedef struct dpl__declared {
    char code[12];
    uint64_t n_docs;
} dpl__declared;

typedef DPL_VEC(dpl__declared) dpl__declared_list;

/* As dpl_import_inputs, but documents that do not pass the gate (gate.h) have no tokens, and
 * perhaps no text; not in parts, and not with `update`. */
struct dpl__gate;
dpl_status dpl__import_gated(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const dpl_input *inputs, size_t n_inputs,
                             const dpl_import_options *options, const struct dpl__gate *gate,
                             dpl_error *err);

/* As dpl_import_inputs, but each word is followed by its parts (morphs.h), as tokens of the
 * same sentence; not with `update`, and not divided. */
struct dpl__morphs;
dpl_status dpl__import_with_parts(dpl_ctx *ctx, const char *out_path, const dpl_input *input,
                                  const dpl_import_options *options,
                                  const struct dpl__morphs *morphs, dpl_error *err);

#endif
