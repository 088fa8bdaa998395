/*
 * flow.c - white space is owed until the next word shows which kind it was. Cost: one copy.
 */
#include "readers/flow.h"

static void add(dpl__flow *flow, dpl_str s, bool has_lines)
{
    if (flow->is_failed || !dpl__vec_reserve(flow->ctx, &flow->out, s.n + 1)) {
        flow->is_failed = true;
        return;
    }
    char *out = flow->out.data + flow->out.n;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.data[i];
        if (c == '\n' && has_lines) {
            flow->owed = DPL__FLOW_BREAK;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
            flow->owed = flow->owed ? flow->owed : DPL__FLOW_SPACE;
        } else if (c) { /* NUL is nothing, as in browsers */
            if (flow->owed && out != flow->out.data)
                *out++ = flow->owed == DPL__FLOW_BREAK ? '\n' : ' ';
            flow->owed = DPL__FLOW_NOTHING;
            *out++ = c;
        }
    }
    assert(out <= flow->out.data + flow->out.cap);
    flow->out.n = (size_t)(out - flow->out.data);
}

void dpl__flow_text(dpl__flow *flow, dpl_str s)
{
    add(flow, s, false);
}

void dpl__flow_lines(dpl__flow *flow, dpl_str s)
{
    add(flow, s, true);
}

void dpl__flow_break(dpl__flow *flow)
{
    flow->owed = DPL__FLOW_BREAK;
}

dpl_status dpl__flow_finish(dpl__flow *flow, dpl__arena *arena, dpl_str *out, dpl_error *err)
{
    *out = (dpl_str){0};
    if (!flow->is_failed)
        *out = dpl__arena_copy(arena, (dpl_str){flow->out.data, flow->out.n});
    dpl__vec_clear(flow->ctx, &flow->out);
    *flow = (dpl__flow){.ctx = flow->ctx};
    return dpl__need(out->data, err);
}
