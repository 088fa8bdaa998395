/*
 * module.h - what the parts of the WebAssembly module share.
 */
#ifndef DPL_WASM_MODULE_H
#define DPL_WASM_MODULE_H

#include "doppel/base.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* The context of the module, made at the first call; NULL: no memory. */
dpl_ctx *dpl__wasm_ctx(void);

#endif
