/*
 * stop_file.h - the words of a stop file: one a line, dropped in every language.
 *
 * Read once, and shared by all workers, which only look words up: frozen.
 */
#ifndef DPL_TOKENS_STOP_FILE_H
#define DPL_TOKENS_STOP_FILE_H

#include "tokens/fold.h"
#include "tokens/terms.h"

/* The file options->stop_file, or none. The set takes at most `most` bytes (more is
 * DPL_E_LIMIT), however often a word is there. Words are folded, not stemmed. A cleared or
 * zeroed set may be cleared. */
dpl_status dpl__stop_file_read(dpl__terms *out, dpl_ctx *ctx, const dpl_tokens_options *options,
                               uint64_t most, dpl_error *err);

#endif
