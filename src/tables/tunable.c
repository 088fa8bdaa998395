/*
 * tunable.c - the parameters of all stages as variables that the environment sets, in builds
 * made to measure their effect (DOPPEL_TUNABLE); otherwise nothing.
 */
#include "base/params.h"

#ifdef DPL_TUNABLE

#include "dedup/dedup_params.h"
#include "index/index_params.h"
#include "lexicon/lexicon_params.h"
#include "mine/mine_params.h"
#include "pairs/ngram/ngram_params.h"
#include "readers/readers_params.h"
#include "reuse/reuse_params.h"
#include "sentences/sentences_params.h"
#include "signatures/hash_params.h"
#include "tokens/tokens_params.h"
#include "translate/translate_params.h"
#include "unicode/unicode_params.h"

#include <stdlib.h>

#define ALL(PARAM)                                                                             \
    DPL__UNICODE_PARAMS(PARAM)                                                                 \
    DPL__READERS_PARAMS(PARAM)                                                                 \
    DPL__TOKENS_PARAMS(PARAM)                                                                  \
    DPL__LEXICON_PARAMS(PARAM)                                                                 \
    DPL__HASH_PARAMS(PARAM)                                                                    \
    DPL__NGRAM_PARAMS(PARAM)                                                                   \
    DPL__SENTENCES_PARAMS(PARAM)                                                               \
    DPL__TRANSLATE_PARAMS(PARAM)                                                               \
    DPL__DEDUP_PARAMS(PARAM)                                                                   \
    DPL__REUSE_PARAMS(PARAM)                                                                   \
    DPL__MINE_PARAMS(PARAM)                                                                    \
    DPL__INDEX_PARAMS(PARAM)
#define VARIABLE(stage, name, value, unit, note) double DPL__P(stage, name) = (value);
#define PLACE(stage, name, value, unit, note) {#stage "." #name "=", &DPL__P(stage, name)},

ALL(VARIABLE)

static const struct {
    const char *name;
    double *place;
} places[] = {ALL(PLACE)};

DPL_CONSTRUCTOR static void tune(void)
{
    for (const char *at = getenv("DOPPEL_PARAMS"); at && *at;) {
        for (size_t i = 0; i < DPL_LEN(places); i++)
            if (strncmp(at, places[i].name, strlen(places[i].name)) == 0)
                *places[i].place = strtod(strchr(at, '=') + 1, NULL);
        at = strchr(at, ',');
        at += at ? 1 : 0;
    }
}

#endif
