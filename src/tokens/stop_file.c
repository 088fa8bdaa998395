/*
 * stop_file.c - a file of words to a set of terms.
 */
#include "tokens/stop_file.h"

#include "base/ctx.h"
#include "io/lines.h"
#include "kernels/kernels.h"
#include "unicode/unicode.h"

typedef struct stop_file {
    const char *path;
    uint64_t most; /* bytes the words may take */
    dpl__folder *folder;
    dpl__lines lines;
    dpl__terms *words;
} stop_file;

static dpl_status bad_utf8(const stop_file *f, const uint8_t *p, size_t at, dpl_error *err)
{
    dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: invalid UTF-8 (byte 0x%02X at column %zu)",
              f->path, (unsigned long long)f->lines.number, p[at], at + 1);
    dpl__error_place(err, f->lines.number, at + 1, 0);
    return DPL_E_FORMAT;
}

static dpl_status too_many(const stop_file *f, dpl_error *err)
{
    dpl__fail(
        err, DPL_E_LIMIT,
        "'%s' line %llu: stop words may take %llu KiB of memory, a sixteenth of the limit",
        f->path, (unsigned long long)f->lines.number, (unsigned long long)f->most >> 10);
    dpl__error_place(err, f->lines.number, 0, 0);
    return dpl__code(err, DPL_E_LIMIT, "memory");
}

static dpl_status add_line(stop_file *f, dpl_str line, dpl_error *err)
{
    uint8_t most;
    uint32_t number;
    const uint8_t *p = (const uint8_t *)line.data;
    size_t good = f->lines.ctx->kernels->utf8_prefix(p, line.n, &most);
    if (good < line.n)
        return bad_utf8(f, p, good, err);
    dpl_str term = dpl__trim(line);
    if (!term.n)
        return DPL_OK;
    DPL_TRY(dpl__fold(f->folder, term, &term, err));
    DPL_TRY(dpl__terms_number(f->words, term, &number, err));
    return dpl__terms_bytes(f->words) <= f->most ? DPL_OK : too_many(f, err);
}

dpl_status dpl__stop_file_read(dpl__terms *out, dpl_ctx *ctx, const dpl_tokens_options *options,
                               uint64_t most, dpl_error *err)
{
    dpl__terms_init(out, ctx);
    if (!options->stop_file)
        return DPL_OK;
    dpl_tokens_options plain = *options; /* folded as any other word, but nothing else */
    plain.stem = plain.stop_words = false;
    plain.stop_file = NULL;
    stop_file f = {.path = options->stop_file, .most = most, .words = out};
    dpl_str line;
    dpl_status status;
    DPL__STEP(dpl__folder_new(&f.folder, ctx, &plain, err));
    DPL__STEP(dpl__lines_open(&f.lines, ctx, f.path, err));
    while ((status = dpl__lines_next(&f.lines, &line, err)) == DPL_OK)
        DPL__STEP(add_line(&f, line, err));
done:
    dpl__lines_close(&f.lines);
    dpl__folder_free(f.folder);
    return status == DPL_END ? DPL_OK : status;
}
