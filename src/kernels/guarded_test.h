/*
 * guarded_test.h - room whose neighbours cannot be read or written: a kernel that goes over its
 * end, or before its beginning, ends the program. Include it first: it needs MAP_ANONYMOUS.
 */
#ifndef DPL_KERNELS_GUARDED_TEST_H
#define DPL_KERNELS_GUARDED_TEST_H

#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

typedef struct guarded {
    uint8_t *pages; /* one that is closed, open ones, and one that is closed */
    size_t page, n_open;
} guarded;

/* Room for n bytes. */
static inline guarded guarded_new(size_t n)
{
    guarded g = {.page = (size_t)sysconf(_SC_PAGESIZE)};
    g.n_open = (n + g.page - 1) / g.page * g.page;
    g.n_open = g.n_open ? g.n_open : g.page;
    g.pages = mmap(NULL, g.n_open + 2 * g.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(g.pages != MAP_FAILED);
    CHECK(mprotect(g.pages + g.page, g.n_open, PROT_READ | PROT_WRITE) == 0);
    return g;
}

static inline void guarded_free(guarded *g)
{
    munmap(g->pages, g->n_open + 2 * g->page);
}

/* n bytes that end where the room does, or begin where it begins. */
static inline void *guarded_bytes(const guarded *g, size_t n, bool at_end)
{
    CHECK(n <= g->n_open);
    return g->pages + g->page + (at_end ? g->n_open - n : 0);
}

/* The same, filled with a copy. */
static inline void *guarded_copy(const guarded *g, const void *from, size_t n, bool at_end)
{
    void *to = guarded_bytes(g, n, at_end);
    if (n)
        memcpy(to, from, n);
    return to;
}

#endif
