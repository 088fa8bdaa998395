#include "serve/serve_test.h"

static dpl_mcp *open_run(dpl_ctx *ctx)
{
    dpl_mcp *mcp = NULL;
    const dpl_serve_options o = DPL_INIT(dpl_serve_options, .max_record = 500);
    CHECK_OK(dpl_mcp_open(&mcp, ctx, serve_test_folder("run"), &o, &test_err));
    return mcp;
}

static const char *ask(dpl_mcp *mcp, const char *line)
{
    static char text[1 << 15];
    dpl_str reply;
    CHECK_OK(dpl_mcp_answer(mcp, dpl__cstr(line), &reply, &test_err));
    CHECK(reply.n < sizeof text);
    if (reply.n)
        memcpy(text, reply.data, reply.n);
    text[reply.n] = 0;
    return text;
}

DPL_TEST(mcp, messages_have_their_answers)
{
    static const struct {
        const char *line, *part; /* of the answer; "": there is none */
    } cases[] = {
        {"", ""},
        {"\r\n", ""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n", ""},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}",
         "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}"},
        {"{\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"1999\"}}",
         "\"protocolVersion\":\"2025-06-18\""},
        {"{\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\"}}",
         "\"protocolVersion\":\"2024-11-05\""},
        {"{\"id\":1,\"method\":\"tools/list\"}", "\"name\":\"align\""},
        {"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"query\"}}",
         "\\\"left_id\\\":\\\"b\\\""},
        {"{\"id\":1,\"method\":\"tools/"
         "call\",\"params\":{\"name\":\"query\",\"arguments\":{\"q\":"
         "\"c <b>\"}}}",
         "\\\"total\\\":1"},
        {"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"passages\",\"arguments\":{"
         "\"number\":9}}}",
         "\"isError\":true"},
        {"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"passages\",\"arguments\":{"
         "\"number\":\"0/judgement\"}}}",
         "\"isError\":true"},
        {"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"document\"}}", "-32602"},
        {"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"info\",\"arguments\":[]}}",
         "-32602"},
        {"{\"id\":1,\"method\":\"tools/call\"}", "-32602"},
        {"{\"id\":1,\"method\":\"nothing\"}", "-32601"},
        {"{\"id\":1}", "-32600"},
        {"[{\"id\":1,\"method\":\"ping\"}]", "-32600"},
        {"{\"id\":1,\"method\":\"ping\"", "-32700"},
        {"\xFF", "-32700"},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl_mcp *mcp = open_run(ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const char *reply = ask(mcp, cases[i].line);
        CHECK(cases[i].part[0] ? strstr(reply, cases[i].part) != NULL : !reply[0]);
        CHECK(!strchr(reply, '\n'));
    }
    char line[700];
    memset(line, ' ', sizeof line - 1);
    line[sizeof line - 1] = 0;
    CHECK(strstr(ask(mcp, line), "longer than the limit"));
    dpl_mcp_close(mcp);
    test_ctx_done(ctx);
}
