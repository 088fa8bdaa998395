/*
 * doppel/doppel.h - all of libdoppel, in pipeline order.
 */
#ifndef DOPPEL_DOPPEL_H
#define DOPPEL_DOPPEL_H

/* clang-format off */
#include "doppel/base.h"
#include "doppel/device.h"
#include "doppel/json.h"
#include "doppel/options.h"
#include "doppel/summary.h"
#include "doppel/file.h"
#include "doppel/text.h"
#include "doppel/tokens.h"
#include "doppel/lexicon.h"
#include "doppel/translate.h"
#include "doppel/vectors.h"
#include "doppel/signatures.h"
#include "doppel/codes.h"
#include "doppel/pairs.h"
#include "doppel/ngram.h"
#include "doppel/sentences.h"
#include "doppel/links.h"
#include "doppel/mine.h"
#include "doppel/dedup.h"
#include "doppel/reuse.h"
#include "doppel/index.h"
#include "doppel/page.h"
#include "doppel/serve.h"
#include "doppel/eval.h"
/* clang-format on */

#endif
