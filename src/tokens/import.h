/*
 * import.h - counts of documents that declare their language.
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

#endif
