/*
 * doppel/doppel.h - all of libdoppel, in pipeline order.
 */
#ifndef DOPPEL_DOPPEL_H
#define DOPPEL_DOPPEL_H

#include "doppel/base.h"
#include "doppel/file.h"
#include "doppel/text.h"
#include "doppel/tokens.h"

#endif
