#include "tokens/input_names.h"

#include "test.h"

DPL_TEST(input_names, are_short_and_differ)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    static const dpl_input in[] = {{.path = "data/de.jsonl.gz"},
                                   {.path = "site/en/"},
                                   {.path = "de"},
                                   {.path = "/x/de.xml"},
                                   {.path = "/x/.hidden.json"},
                                   {.path = "/"},
                                   {.path = "-"},
                                   {.buffer = {"", 0}, .name = "v1.2"}};
    static const char *const wanted[] = {
        "de", "en", "de-2", "de-3", ".hidden", "/", "(standard input)", "v1.2"};
    const dpl_str *names = dpl__input_names(&arena, in, DPL_LEN(in));
    for (size_t i = 0; i < DPL_LEN(in); i++)
        CHECK_STR(names[i], wanted[i]);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}
