/*
 * cache.c - what a translator answered before need not be asked again.
 *
 * The file grows at its end, a line at a time, so that what is there is complete but for the
 * last line of a run that was killed, which is ignored.
 */
#include "translate/cache.h"

#include "base/ascii.h"
#include "io/files.h"
#include "io/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static dpl_status keep(dpl__cache *c, dpl_str sentence, dpl_str answer, dpl_error *err)
{
    uint32_t number;
    dpl_str copy = dpl__arena_copy(&c->arena, answer);
    if (!copy.data || !dpl__vec_reserve(c->ctx, &c->answers, 1)) /* a number has its answer */
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__terms_number(&c->sentences, sentence, &number, err));
    if (number < c->answers.n)
        return DPL_OK; /* the first answer stays */
    assert(number == c->answers.n);
    c->answers.data[c->answers.n++] = copy;
    return DPL_OK;
}

static dpl_status load(dpl__cache *c, const char *path, dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line;
    dpl_status status = dpl__lines_open(&lines, c->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        const dpl_str sentence = dpl__next_column(&line);
        if (line.n && line.data[line.n - 1] == '\t') /* complete */
            status = keep(c, sentence, (dpl_str){line.data, line.n - 1}, err);
        if (status != DPL_OK)
            break;
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__cache_open(dpl__cache *c, dpl_ctx *ctx, const char *folder, const char *command,
                           dpl_error *err)
{
    *c = (dpl__cache){.ctx = ctx, .fd = -1};
    dpl__terms_init(&c->sentences, ctx);
    dpl__arena_init(&c->arena, ctx);
    if (!folder)
        return DPL_OK;
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/translations-%016llx.tsv", folder,
                     (unsigned long long)dpl__hash(command, strlen(command), 0));
    if (n < 0 || (size_t)n >= sizeof path)
        return dpl__fail(err, DPL_E_USAGE, "the name of folder '%.100s...' is too long",
                         folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return dpl__fail_errno(err, errno, "cannot make folder '%s'", folder);
    c->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (c->fd < 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    return load(c, path, err);
}

void dpl__cache_close(dpl__cache *c)
{
    if (!c->ctx)
        return;
    dpl__terms_clear(&c->sentences);
    dpl__vec_clear(c->ctx, &c->answers);
    dpl__arena_clear(&c->arena);
    if (c->fd >= 0)
        close(c->fd);
    *c = (dpl__cache){.fd = -1};
}

const dpl_str *dpl__cache_find(dpl__cache *c, dpl_str sentence)
{
    uint32_t number;
    if (!dpl__terms_has(&c->sentences, sentence) ||
        dpl__terms_number(&c->sentences, sentence, &number, NULL) != DPL_OK)
        return NULL;
    assert(number < c->answers.n);
    return &c->answers.data[number];
}

dpl_status dpl__cache_add(dpl__cache *c, dpl_str sentence, dpl_str answer, dpl_error *err)
{
    if (c->fd < 0 || dpl__terms_has(&c->sentences, sentence))
        return DPL_OK;
    dpl__bytes line = {0};
    bool is_done = dpl__vec_append(c->ctx, &line, sentence.data, sentence.n) &&
                   dpl__vec_push(c->ctx, &line, '\t') &&
                   dpl__vec_append(c->ctx, &line, answer.data, answer.n) &&
                   dpl__vec_append(c->ctx, &line, "\t\n", 2);
    dpl_status status = dpl__need(is_done, err);
    int error = status == DPL_OK ? dpl__write_all(c->fd, line.data, line.n) : 0;
    dpl__vec_clear(c->ctx, &line);
    if (error)
        status = dpl__fail_errno(err, error, "cannot write to the cache of translations");
    return status == DPL_OK ? keep(c, sentence, answer, err) : status;
}
