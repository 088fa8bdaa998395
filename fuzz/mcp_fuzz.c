/*
 * mcp_fuzz.c - hostile messages of the Model Context Protocol to an index. Properties: an
 * answer is one line of JSON in UTF-8, an object with the version of the protocol; nothing
 * fails.
 */
#include "readers.h"

#include "doppel/doppel.h"
#include "readers/json_parser.h"

#include <unistd.h>

static dpl_mcp *open_mcp(void)
{
    static const char docs[] =
        "{\"id\": \"a\", \"lang\": \"en\", \"title\": \"A house\", \"text\": \"The old house "
        "stands by the river. It is empty, and nobody lives there, but for some mice.\"}\n"
        "{\"id\": \"b\", \"lang\": \"de\", \"title\": \"\", \"text\": \"Das Haus am "
        "Fluss.\"}\n";
    char path[] = "/tmp/doppel-fuzz.XXXXXX";
    const int fd = mkstemp(path);
    const dpl_input in = {.buffer = {docs, sizeof docs - 1}, .name = "docs.jsonl"};
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true);
    const dpl_serve_options s = DPL_INIT(dpl_serve_options, .max_record = 1 << 16);
    dpl_mcp *mcp = NULL;
    FUZZ_CHECK(fd >= 0 && close(fd) == 0);
    FUZZ_CHECK(dpl_index_build(NULL, fuzz_ctx(), path, &in, 1, &o, NULL) == DPL_OK);
    FUZZ_CHECK(dpl_mcp_open(&mcp, fuzz_ctx(), path, &s, NULL) == DPL_OK);
    unlink(path);
    return mcp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_mcp *mcp;
    if (!mcp)
        mcp = open_mcp();
    dpl_str reply, raw;
    char *line = fuzz_copy(data, n);
    FUZZ_CHECK(dpl_mcp_answer(mcp, (dpl_str){line, n}, &reply, NULL) == DPL_OK);
    if (reply.n) {
        dpl__json j = dpl__json_begin(fuzz_ctx(), reply);
        FUZZ_CHECK(fuzz_is_utf8(reply) && !memchr(reply.data, '\n', reply.n));
        FUZZ_CHECK(dpl__json_skip(&j, &raw) == DPL_OK && dpl__json_end(&j) == DPL_OK);
        FUZZ_CHECK(
            dpl__str_eq(dpl__json_value(fuzz_ctx(), reply, "jsonrpc"), DPL_STR("\"2.0\"")));
    }
    free(line);
    return 0;
}
