/*
 * params.c - parameters set from the environment, in builds made to measure their effect.
 */
#include "base/params.h"

#ifdef DPL_TUNABLE

#include <stdlib.h>

static bool is_named(const char *at, const dpl__param *p)
{
    size_t n_stage = strlen(p->stage), n_name = strlen(p->name);
    return strncmp(at, p->stage, n_stage) == 0 && at[n_stage] == '.' &&
           strncmp(at + n_stage + 1, p->name, n_name) == 0 && at[n_stage + 1 + n_name] == '=';
}

void dpl__params_tune(const dpl__param *params, double *const *places)
{
    for (const char *at = getenv("DOPPEL_PARAMS"); at && *at;) {
        for (size_t i = 0; params[i].name; i++)
            if (is_named(at, &params[i]))
                *places[i] = strtod(strchr(at, '=') + 1, NULL);
        at = strchr(at, ',');
        at += at ? 1 : 0;
    }
}

#else
typedef int dpl__params_are_constants;
#endif
