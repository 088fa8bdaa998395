/*
 * flow.c - white space is owed until the next word shows which kind it was. Cost: one copy.
 */
#include "readers/flow.h"

#include "base/hash.h"

/* Copies up to eight bytes, which can be read and written, as far as they are above a blank;
 * how many are. */
static size_t copy_word(char *out, const char *p)
{
    const uint64_t ones = 0x0101010101010101u, x = dpl__load64(p),
                   low = (x - (' ' + 1) * ones) & ~x & ones << 7;
    memcpy(out, &x, sizeof x);
    return low ? (size_t)__builtin_ctzll(low) / 8 : 8;
}

static void add(dpl__flow *flow, dpl_str s, bool has_lines)
{
    if (flow->is_failed || !dpl__vec_reserve(flow->ctx, &flow->out, s.n + 1 + 8)) {
        flow->is_failed = true;
        return;
    }
    char *out = flow->out.data + flow->out.n;
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.data[i];
        if (!flow->owed && i + 8 <= s.n) {
            const size_t n = copy_word(out, s.data + i);
            out += n;
            i += n - (n > 0);
            if (n)
                continue;
        }
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
