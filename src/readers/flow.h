/*
 * flow.h - running text as a browser lays it out: white space collapses, blocks end lines.
 * Owned.
 *
 *     dpl__flow flow = {.ctx = ctx};
 *     dpl__flow_text(&flow, DPL_STR(" two \n words "));
 *     dpl__flow_break(&flow);
 *     DPL_TRY(dpl__flow_finish(&flow, arena, &text, err));
 *
 * A failed allocation is remembered and reported by the finish.
 */
#ifndef DPL_READERS_FLOW_H
#define DPL_READERS_FLOW_H

#include "base/arena.h"
#include "base/vec.h"

typedef struct dpl__flow {
    dpl_ctx *ctx;
    dpl__bytes out;
    enum {
        DPL__FLOW_NOTHING,
        DPL__FLOW_SPACE,
        DPL__FLOW_BREAK
    } owed; /* before the next word */
    bool is_failed;
} dpl__flow;

/* HTML white space becomes one space, none at the ends of lines. */
void dpl__flow_text(dpl__flow *flow, dpl_str s);
/* The same, but '\n' ends a line. */
void dpl__flow_lines(dpl__flow *flow, dpl_str s);
/* Ends the line; empty ones do not come out. */
void dpl__flow_break(dpl__flow *flow);

/* The text so far, in the arena; the flow is empty again and holds nothing. */
dpl_status dpl__flow_finish(dpl__flow *flow, dpl__arena *arena, dpl_str *out, dpl_error *err);

#endif
