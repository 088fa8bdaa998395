/*
 * classes.h - words that begin alike.
 */
#ifndef DPL_SRC_CLASSES_H
#define DPL_SRC_CLASSES_H

#include "io/sections.h"

enum { DPL__CLASS_LETTERS = 5 };

/* Words of both sides, in UTF-8, that have the same first n_letters characters get the same
 * class: classes[side] has room for the side's words. Classes are numbered in the order in
 * which they turn up, left side first. */
dpl_status dpl__word_classes(uint32_t *classes[2], uint32_t *n_classes, dpl_ctx *ctx,
                             const dpl__strings words[2], unsigned n_letters, dpl_error *err);

#endif
