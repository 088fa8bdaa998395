/*
 * offline.h - the parts of a page that holds a whole index: HTML before and after the data, and
 * the query code as WebAssembly.
 */
#ifndef DPL_PAGE_OFFLINE_H
#define DPL_PAGE_OFFLINE_H

#include <stddef.h>

extern const unsigned char dpl__offline_head[];
extern const size_t dpl__offline_head_size;
extern const unsigned char dpl__offline_tail[];
extern const size_t dpl__offline_tail_size;
/* Size 0: built without a compiler for WebAssembly. */
extern const unsigned char dpl__offline_wasm[];
extern const size_t dpl__offline_wasm_size;

#endif
