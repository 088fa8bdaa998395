/*
 * platform.h - what the page gives to the module beside the index.
 */
#ifndef DPL_WASM_PLATFORM_H
#define DPL_WASM_PLATFORM_H

#include "base/base.h"

/* The table of stems as src/page/stems.c writes it; it stays where it is. */
void dpl__wasm_set_stems(dpl_str text);

#endif
