/*
 * merge.c - k sorted runs in memory become one, through a heap of the runs' heads.
 *
 * Cost: log k comparisons for each element.
 */
#include "pairs/merge.h"

static bool is_before(const dpl__merge *m, const dpl__run *a, const dpl__run *b)
{
    int order = m->compare(a->at, b->at);
    return order < 0 || (order == 0 && a < b);
}

static void sift_down(const dpl__merge *m, size_t n, size_t i)
{
    dpl__run **heap = m->heap, *moved = heap[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && is_before(m, heap[child + 1], heap[child]);
        if (!is_before(m, heap[child], moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

void dpl__merge_runs(const dpl__merge *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_runs; i++)
        if (m->runs[i].at < m->runs[i].end)
            m->heap[n++] = &m->runs[i];
    for (size_t i = n / 2; i-- > 0;)
        sift_down(m, n, i);
    while (n) {
        dpl__run *first = m->heap[0];
        m->take(m->user, first->at);
        first->at += m->n_bytes;
        if (first->at == first->end)
            m->heap[0] = m->heap[--n];
        if (n)
            sift_down(m, n, 0);
    }
}
