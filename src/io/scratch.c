/*
 * scratch.c - heap or mapped file.
 */
#include "io/scratch.h"

#include "io/temporary.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

dpl_status dpl__scratch_init(dpl__scratch *s, dpl__spill *spill, size_t n, size_t share,
                             dpl_error *err)
{
    *s = (dpl__scratch){.spill = spill, .n = n};
    if (n == 0)
        return DPL_OK;
    if (n <= share / sizeof *s->data) {
        s->data = dpl__calloc(spill->ctx, n, sizeof *s->data);
        return dpl__need(s->data, err);
    }
    int fd;
    DPL_TRY(dpl__temporary_open(&fd, spill, err));
    /* Real blocks, not a hole: a full disk must be an error here, not a signal later. */
    size_t n_bytes = n * sizeof *s->data;
    int e = posix_fallocate(fd, 0, (off_t)n_bytes);
    void *p = e ? MAP_FAILED : mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!e && p == MAP_FAILED)
        e = errno;
    close(fd);
    if (e)
        return dpl__fail_errno(err, e, "cannot make a temporary file of %zu bytes in '%s'",
                               n_bytes, spill->dir);
    atomic_fetch_add_explicit(&spill->n_bytes, n_bytes, memory_order_relaxed);
    s->data = p;
    s->is_mapped = true;
    dpl__mappings_add(spill->ctx, &s->mapping, p, n_bytes);
    return DPL_OK;
}

void dpl__scratch_clear(dpl__scratch *s)
{
    if (!s->data)
        return;
    if (s->is_mapped) {
        dpl__mappings_remove(s->spill->ctx, &s->mapping);
        munmap(s->data, s->n * sizeof *s->data);
    } else {
        dpl__free(s->spill->ctx, s->data);
    }
    s->data = NULL;
}
