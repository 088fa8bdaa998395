/*
 * parts.c - part files: which part of what, whether it is there, and all of them together.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/parts.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PARTS = 16384, PART_VERSION = 1 };
enum { AT_VERSION, AT_NUMBER, AT_N, AT_INPUTS, AT_OPTIONS, AT_DECIDED, N_NUMBERS };

static const char no_part[] = "'%s' is not a part: it is a whole %s file";

/* ---- one part ----------------------------------------------------------------------- */

bool dpl_part_parse(dpl_part *out, const char *text)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long i = strtoul(text, &end, 10);
    if (*end != '/' || end[1] < '0' || end[1] > '9')
        return false;
    unsigned long n = strtoul(end + 1, &end, 10);
    if (*end || i < 1 || i > n || n > MOST_PARTS)
        return false;
    *out = (dpl_part){(uint32_t)i - 1, (uint32_t)n};
    return true;
}

dpl_status dpl__part_check(const dpl_part *part, dpl_error *err)
{
    if (part->n == 0 || part->n > MOST_PARTS || part->number >= part->n)
        return dpl__fail(err, DPL_E_USAGE, "there is no part %u of %u", part->number + 1,
                         part->n);
    return DPL_OK;
}

dpl_status dpl__part_write(dpl__writer *w, const dpl__part_mark *mark, dpl_error *err)
{
    const uint64_t numbers[N_NUMBERS] = {
        [AT_VERSION] = PART_VERSION,  [AT_NUMBER] = mark->part.number,
        [AT_N] = mark->part.n,        [AT_INPUTS] = mark->inputs,
        [AT_OPTIONS] = mark->options, [AT_DECIDED] = mark->decided,
    };
    return dpl__writer_add(w, "part", 8, numbers, sizeof numbers, err);
}

/* DPL_E_USAGE when the file is no part. */
static dpl_status read_mark(dpl__part_mark *out, const dpl_file *file, dpl_error *err)
{
    const dpl_file_info about = dpl_file_get_info(file);
    const uint64_t *n = NULL;
    dpl_section section;
    if (!dpl_file_find(file, "part", &section))
        return dpl__fail_code(err, DPL_E_USAGE, "not-a-part", no_part, about.path, about.kind);
    DPL_TRY(dpl__get_n(file, "part", 8, &n, N_NUMBERS, err));
    if (n[AT_VERSION] != PART_VERSION) {
        DPL_TRY(dpl_file_check(file, err)); /* a damaged number is no version */
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s': parts of version %llu are not known",
                         about.path, (unsigned long long)n[AT_VERSION]);
    }
    if (n[AT_N] > MOST_PARTS || n[AT_NUMBER] >= n[AT_N])
        return dpl__damaged(file, "part", "number out of range", err);
    *out = (dpl__part_mark){{(uint32_t)n[AT_NUMBER], (uint32_t)n[AT_N]},
                            n[AT_INPUTS],
                            n[AT_OPTIONS],
                            n[AT_DECIDED]};
    return DPL_OK;
}

dpl_status dpl__part_find_done(uint64_t *n_bytes, dpl_ctx *ctx, const char *path,
                               const char *kind, const dpl__part_mark *mark, dpl_error *err)
{
    dpl_file *file = NULL;
    dpl__part_mark have;
    struct stat st;
    *n_bytes = 0;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return DPL_OK;
    dpl_status status = dpl_file_open(&file, ctx, path, err);
    if (status == DPL_OK)
        status = read_mark(&have, file, err);
    const bool is_it = status == DPL_OK && strcmp(dpl_file_get_info(file).kind, kind) == 0 &&
                       have.part.number == mark->part.number && have.part.n == mark->part.n &&
                       have.inputs == mark->inputs && have.options == mark->options;
    if (is_it)
        status = dpl_file_check(file, err);
    if (is_it && status == DPL_OK)
        *n_bytes = dpl_file_get_info(file).n_bytes;
    dpl_file_close(file);
    return status == DPL_E_NOMEM ? status : DPL_OK; /* a damaged one is made again */
}

void dpl__part_range(uint64_t *first, uint64_t *end, uint64_t n, const dpl_part *part)
{
    const uint64_t each = n / part->n, rest = n % part->n, i = part->number;
    *first = i * each + (i < rest ? i : rest);
    *end = *first + each + (i < rest);
}

/* ---- fingerprints ------------------------------------------------------------------- */

uint64_t dpl__fingerprint(uint64_t so_far, const dpl_ctx *ctx, const void *data, size_t n)
{
    so_far = dpl__fingerprint_number(so_far, n);
    return dpl__fingerprint_number(so_far, n ? ctx->kernels->crc32c(0, data, n) : 0);
}

uint64_t dpl__fingerprint_file(uint64_t so_far, const dpl_file *file)
{
    for (size_t i = 0; i < dpl_file_get_info(file).n_sections; i++) {
        const dpl_section s = dpl_file_section(file, i);
        so_far = dpl__fingerprint_number(so_far, dpl__hash(s.name, strlen(s.name), 0));
        so_far = dpl__fingerprint_number(so_far, s.n_bytes);
        so_far = dpl__fingerprint_number(so_far, s.crc);
    }
    return so_far;
}

bool dpl__fingerprint_path(uint64_t *so_far, const char *path)
{
    enum { BLOCK = 4096, N_BLOCKS = 64 };
    struct stat st;
    char block[BLOCK];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (is_good)
        *so_far = dpl__fingerprint_number(*so_far, (uint64_t)st.st_size);
    for (unsigned i = 0; is_good && i < N_BLOCKS; i++) {
        const off_t last = st.st_size > BLOCK ? st.st_size - BLOCK : 0;
        const off_t at = (off_t)((uint64_t)last / (N_BLOCKS - 1) * i);
        const ssize_t n = pread(fd, block, BLOCK, i == N_BLOCKS - 1 ? last : at);
        is_good = n >= 0;
        if (is_good)
            *so_far = dpl__fingerprint_number(*so_far, dpl__hash(block, (size_t)n, i));
    }
    if (fd >= 0)
        close(fd);
    return is_good;
}

/* ---- all of them -------------------------------------------------------------------- */

struct dpl_parts {
    dpl_ctx *ctx;
    dpl_file **files; /* by number of the part */
    uint32_t n;
    char kind[DPL__CONTAINER_KIND];
    dpl__part_mark mark; /* of the first one that was given */
    const char *first;   /* its path */
};

static dpl_status differ(const dpl_parts *p, const dpl_file *file, const char *what,
                         const char *code, dpl_error *err)
{
    dpl__fail(err, DPL_E_USAGE, "'%s' and '%s' are parts of %s", p->first,
              dpl_file_get_info(file).path, what);
    return dpl__code(err, DPL_E_USAGE, code);
}

/* Whether it belongs to the parts so far. */
static dpl_status check_mark(const dpl_parts *p, const dpl_file *file,
                             const dpl__part_mark *mark, dpl_error *err)
{
    const dpl_file_info about = dpl_file_get_info(file);
    if (strcmp(about.kind, p->kind) != 0)
        return differ(p, file, "different kinds", "parts-differ", err);
    if (mark->part.n != p->n)
        return dpl__fail_code(err, DPL_E_USAGE, "parts-differ",
                              "'%s' is a part of %u, '%s' is a part of %u", p->first, p->n,
                              about.path, mark->part.n);
    if (mark->inputs != p->mark.inputs)
        return differ(p, file, "different inputs", "parts-differ", err);
    if (mark->options != p->mark.options)
        return differ(p, file, "the same inputs with different options", "parts-differ", err);
    if (mark->decided != p->mark.decided)
        return differ(p, file,
                      "the same inputs and options, but read or planned in different ways",
                      "parts-decided", err);
    const dpl_file *other = p->files[mark->part.number];
    if (other)
        return dpl__fail_code(
            err, DPL_E_USAGE, "parts-differ", "'%s' and '%s' are both part %u of %u",
            dpl_file_get_info(other).path, about.path, mark->part.number + 1, p->n);
    return DPL_OK;
}

static dpl_status begin(dpl_parts *p, const dpl_file *file, const dpl__part_mark *mark,
                        dpl_error *err)
{
    p->n = mark->part.n;
    p->mark = *mark;
    snprintf(p->kind, sizeof p->kind, "%s", dpl_file_get_info(file).kind);
    p->files = dpl__calloc(p->ctx, p->n, sizeof *p->files);
    return p->files ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status add(dpl_parts *p, const char *path, dpl_error *err)
{
    dpl_file *file = NULL;
    dpl__part_mark mark;
    DPL_TRY(dpl_file_open(&file, p->ctx, path, err));
    dpl_status status;
    DPL__STEP(read_mark(&mark, file, err));
    DPL__STEP(dpl_file_check(file, err)); /* before the mark is believed */
    if (!p->files) {
        p->first = path;
        DPL__STEP(begin(p, file, &mark, err));
    }
    DPL__STEP(check_mark(p, file, &mark, err));
    DPL__STEP(dpl__check_kind(file, p->kind, err));
    assert(mark.part.number < p->n && !p->files[mark.part.number]);
    p->files[mark.part.number] = file;
    file = NULL;
done:
    dpl_file_close(file);
    return status;
}

dpl_status dpl__parts_open_one(dpl_parts **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_file *file = NULL;
    dpl__part_mark mark = {.part.n = 1};
    dpl_parts *p = dpl__calloc(ctx, 1, sizeof *p);
    dpl_status status;
    *out = NULL;
    DPL__STEP(p ? DPL_OK : dpl__fail_nomem(err));
    p->ctx = ctx;
    DPL__STEP(dpl_file_open(&file, ctx, path, err));
    DPL__STEP(dpl_file_check(file, err));
    DPL__STEP(read_mark(&mark, file, err));
    mark.part = (dpl_part){0, 1};
    DPL__STEP(begin(p, file, &mark, err));
    p->files[0] = file;
    file = NULL;
    DPL__STEP(dpl__check_kind(p->files[0], p->kind, err));
    *out = p;
    p = NULL;
done:
    dpl_file_close(file);
    dpl_parts_close(p);
    return status;
}

static dpl_status check_complete(const dpl_parts *p, dpl_error *err)
{
    uint32_t n_missing = 0, first = 0;
    for (uint32_t i = p->n; i-- > 0;)
        if (!p->files[i]) {
            n_missing++;
            first = i;
        }
    if (!n_missing)
        return DPL_OK;
    if (n_missing == 1)
        dpl__fail(err, DPL_E_USAGE, "part %u of %u is missing", first + 1, p->n);
    else
        dpl__fail(err, DPL_E_USAGE, "%u of %u parts are missing, part %u is the first of them",
                  n_missing, p->n, first + 1);
    return dpl__code(err, DPL_E_USAGE, "part-missing");
}

dpl_status dpl_parts_open(dpl_parts **out, dpl_ctx *ctx, const char *const *paths,
                          size_t n_paths, dpl_error *err)
{
    *out = NULL;
    if (n_paths == 0)
        return dpl__fail(err, DPL_E_USAGE, "no parts");
    dpl_parts *p = dpl__calloc(ctx, 1, sizeof *p);
    if (!p)
        return dpl__fail_nomem(err);
    p->ctx = ctx;
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n_paths; i++)
        DPL__STEP(add(p, paths[i], err));
    DPL__STEP(check_complete(p, err));
    p->first = NULL; /* the caller's text */
    *out = p;
    p = NULL;
done:
    dpl_parts_close(p);
    return status;
}

void dpl_parts_close(dpl_parts *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; p->files && i < p->n; i++)
        dpl_file_close(p->files[i]);
    dpl__free(p->ctx, p->files, p);
}

dpl_parts_info dpl_parts_get_info(const dpl_parts *p)
{
    return (dpl_parts_info){p->kind, p->n};
}

const dpl_file *dpl__parts_file(const dpl_parts *p, uint32_t i)
{
    assert(i < p->n);
    return p->files[i];
}

dpl_ctx *dpl__parts_ctx(const dpl_parts *p)
{
    return p->ctx;
}

dpl_status dpl__parts_check_kind(const dpl_parts *p, const char *kind, dpl_error *err)
{
    if (strcmp(p->kind, kind) == 0)
        return DPL_OK;
    return dpl__fail(err, DPL_E_USAGE, "'%s' is a %s file, not a %s file",
                     dpl_file_get_info(p->files[0]).path, p->kind, kind);
}
