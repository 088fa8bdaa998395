/*
 * token.c - reads a token, and compares what requests have with it.
 */
#include "serve/token.h"

#include "base/ascii.h"
#include "base/sha256.h"
#include "io/lines.h"
#include "readers/base64.h"

static void sum_of(uint8_t out[32], dpl_str s)
{
    dpl__sha256 sum = dpl__sha256_begin();
    dpl__sha256_add(&sum, s.data, s.n);
    dpl__sha256_end(&sum, out);
}

static dpl_status check(const char *path, dpl_str token, dpl_error *err)
{
    bool is_good = token.n >= DPL__LEAST_TOKEN && token.n <= DPL__MOST_TOKEN;
    for (size_t i = 0; is_good && i < token.n; i++)
        is_good = token.data[i] > ' ' && token.data[i] < 0x7F;
    if (is_good)
        return DPL_OK;
    dpl__fail(
        err, DPL_E_FORMAT,
        "'%s': the first line must be a token of %d to %d ASCII characters without blanks",
        path, DPL__LEAST_TOKEN, DPL__MOST_TOKEN);
    return dpl__code(err, DPL_E_FORMAT, "bad-token");
}

dpl_status dpl__token_read(dpl__token *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line = {"", 0};
    *out = (dpl__token){0};
    DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
    dpl_status status = dpl__lines_next(&lines, &line, err);
    if (status < 0)
        goto done;
    if (status == DPL_END)
        line = (dpl_str){"", 0};
    DPL__STEP(check(path, line, err));
    out->is_wanted = true;
    sum_of(out->sum, line);
done:
    dpl__lines_close(&lines);
    return status;
}

/* The password of "Basic": what follows the first colon of the decoded text. */
static dpl_str password(dpl__arena *arena, dpl_str packed)
{
    const dpl__base64 table = dpl__base64_make();
    char *text = dpl__arena_alloc(arena, packed.n + 4);
    size_t n;
    if (!text || !dpl__base64_decode(&table, text, &n, packed))
        return (dpl_str){"", 0};
    const char *colon = memchr(text, ':', n);
    return colon ? (dpl_str){colon + 1, (size_t)(text + n - colon - 1)} : (dpl_str){"", 0};
}

bool dpl__token_fits(const dpl__token *token, dpl__arena *arena, dpl_str authorization)
{
    dpl_str given = {"", 0};
    uint8_t sum[32];
    unsigned differences = 0;
    if (!token->is_wanted)
        return true;
    if (dpl__begins_with_word(authorization, "bearer "))
        given = (dpl_str){authorization.data + 7, authorization.n - 7};
    else if (dpl__begins_with_word(authorization, "basic "))
        given = password(arena, (dpl_str){authorization.data + 6, authorization.n - 6});
    sum_of(sum, given);
    for (size_t i = 0; i < sizeof sum; i++) /* all of them, whatever the first ones are */
        differences |= (unsigned)(sum[i] ^ token->sum[i]);
    return differences == 0;
}
