/*
 * import.h - an import that also counts documents which declare their language.
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

/* dpl_import_inputs; declared gets a record for each language, to be cleared by the caller. */
dpl_status dpl__import_declared(dpl__declared_list *declared, dpl_import_summary *summary,
                                dpl_ctx *ctx, const char *out_path, const dpl_input *inputs,
                                size_t n_inputs, const dpl_import_options *options,
                                dpl_error *err);

#endif
