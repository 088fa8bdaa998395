/*
 * show_pocket.h - what an index says about itself: 'doppel index info' and 'doppel show'.
 */
#ifndef CLI_SHOW_POCKET_H
#define CLI_SHOW_POCKET_H

#include "doppel/index.h"
#include "doppel/json.h"

/* As keys of the object that is open. */
void cli_index_put(dpl_json *j, const dpl_index *index);
/* As text on standard output. */
void cli_index_print(const dpl_index *index);

#endif
