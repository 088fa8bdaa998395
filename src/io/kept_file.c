/*
 * kept_file.c - a file that is there, that another process makes, or that is made here.
 *
 * Processes pass a file on as a chunk of shared work that is a link to it: no bytes are copied.
 * An empty chunk says that the stage has no value; each process comes to this by itself.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/kept_file.h"

#include "io/parts.h"
#include "io/shared_run.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct keeping {
    dpl_ctx *ctx;
    const dpl__kept_file *file;
    bool is_here; /* made by this process */
} keeping;

static bool has_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

static dpl_status make(keeping *x, dpl_error *err)
{
    DPL_TRY(x->file->make(x->file->user, x->file->path, err));
    x->is_here = true;
    return DPL_OK;
}

/* Files that go with it are beside the chunk. */
static dpl_status link_more(const keeping *x, const char *chunk_path, bool is_back,
                            dpl_error *err)
{
    char beside[4300];
    for (size_t i = 0; x->file->more && x->file->more[i]; i++) {
        snprintf(beside, sizeof beside, "%s.%zu", chunk_path, i + 1);
        const char *from = is_back ? beside : x->file->more[i],
                   *to = is_back ? x->file->more[i] : beside;
        if (has_bytes(from))
            DPL_TRY(dpl__shared_link(x->ctx, from, to, err));
        else
            unlink(to);
    }
    return DPL_OK;
}

static dpl_status make_chunk(const char *chunk_path, void *user, size_t chunk, dpl_error *err)
{
    keeping *x = user;
    (void)chunk;
    DPL_TRY(make(x, err));
    DPL_TRY(link_more(x, chunk_path, false, err));
    return has_bytes(x->file->path)
               ? dpl__shared_link(x->ctx, x->file->path, chunk_path, err)
               : dpl__shared_write(x->ctx, chunk_path, (dpl_str){"", 0}, err);
}

/* By one process, for all. A chunk that is gone again is made here, too. */
static dpl_status make_once(keeping *x, dpl_error *err)
{
    char path[4200];
    const uint64_t name = dpl__shared_key(x->ctx, x->file->path);
    const dpl__shared_files files = {.name = x->file->name,
                                     .key = dpl__fingerprint_number(name, x->file->key),
                                     .n = 1,
                                     .user = x,
                                     .make = make_chunk,
                                     .is_divided = x->file->is_divided,
                                     .is_for_all = x->file->is_for_all};
    DPL_TRY(dpl__shared_files_make(x->ctx, &files, err));
    dpl__shared_path(path, x->ctx, &files, 0);
    if (x->is_here || (has_bytes(path) && link_more(x, path, true, NULL) == DPL_OK &&
                       dpl__shared_link(x->ctx, path, x->file->path, NULL) == DPL_OK))
        return DPL_OK;
    return make(x, err);
}

/* Answers DPL_END where there is no file. */
static dpl_status read_file(const dpl__kept_file *f, dpl_error *err)
{
    if (!has_bytes(f->path))
        return DPL_END;
    const dpl_status status = f->read(f->user, f->path, err);
    if (f->is_passing)
        unlink(f->path); /* it stays as long as it is open */
    return status;
}

dpl_status dpl__kept_file_get(dpl_ctx *ctx, const dpl__kept_file *f, dpl_error *err)
{
    keeping x = {.ctx = ctx, .file = f};
    dpl_status status = DPL_END;
    if (f->is_passing)
        unlink(f->path); /* of a run that was killed */
    else if ((status = read_file(f, err)) < 0)
        return dpl__code(err, status, "resume-damaged");
    if (status == DPL_OK)
        return DPL_OK;
    DPL_TRY(dpl__is_shared(ctx) ? make_once(&x, err) : make(&x, err));
    status = read_file(f, err);
    if (!x.is_here && (status == DPL_END || status == DPL_E_FORMAT)) {
        unlink(f->path); /* of no use here, or damaged by a crash of the system */
        DPL_TRY(make(&x, err));
        status = read_file(f, err);
    }
    return status == DPL_END ? DPL_OK : status;
}
