/*
 * foreign.h - files that are not text: known by their first bytes, and named.
 */
#ifndef DPL_READERS_FOREIGN_H
#define DPL_READERS_FOREIGN_H

#include "doppel/text.h"

typedef struct dpl__foreign {
    const char *what; /* "a PDF file" */
    const char *code; /* of the error, for a hint */
} dpl__foreign;

enum { DPL__FOREIGN_LOOKED_AT = 4096 }; /* bytes */

/* What a file is that begins like this, if it is not text; NULL if it may be text. Static. */
const dpl__foreign *dpl__foreign_of(dpl_str start);
/* The same by its first bytes only: zero bytes may be text. */
const dpl__foreign *dpl__foreign_magic(dpl_str start);

#endif
