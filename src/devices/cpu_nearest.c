/*
 * cpu_nearest.c - the n nearest rows of every row and every column.
 *
 * Each row and column keeps a short list of its best, by insertion, and the distance of the
 * last of a full list is its cut: cpu_best.c gives away what is at most so far. Of equally near
 * rows the one with the lower number is better, so a list does not depend on the order in
 * which pairs come. Cost: that of cpu_best.c; the lists are under one lock.
 */
#include "devices/device.h"

#include "base/ctx.h"

#include <pthread.h>

typedef struct lists {
    const dpl_nearest *task;
    pthread_mutex_t lock;
} lists;

static bool is_before(const dpl_neighbour *a, uint32_t row, uint32_t distance)
{
    return a->row != DPL_NO_ROW &&
           (a->distance < distance || (a->distance == distance && a->row < row));
}

static void offer(dpl_neighbour *list, unsigned n, uint32_t row, uint32_t distance)
{
    unsigned i = n;
    while (i > 0 && !is_before(&list[i - 1], row, distance))
        i--;
    if (i == n)
        return;
    memmove(&list[i + 1], &list[i], (n - 1 - i) * sizeof *list);
    list[i] = (dpl_neighbour){row, distance};
}

static dpl_status take(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n_pairs,
                       dpl_error *err)
{
    (void)err, (void)worker;
    lists *l = user;
    const dpl_nearest *t = l->task;
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < n_pairs; i++) {
        const dpl_near_pair p = pairs[i];
        if (t->of_left)
            offer(t->of_left + (size_t)p.left * t->n, t->n, p.right, p.distance);
        if (t->of_right)
            offer(t->of_right + (size_t)p.right * t->n, t->n, p.left, p.distance);
        if (t->is_self && t->of_left)
            offer(t->of_left + (size_t)p.right * t->n, t->n, p.left, p.distance);
        if (t->is_self && t->of_right)
            offer(t->of_right + (size_t)p.left * t->n, t->n, p.right, p.distance);
    }
    pthread_mutex_unlock(&l->lock);
    return DPL_OK;
}

/* The distance of the last of a full list; the task's cut while there is room; 0, so that only
 * equal rows pass, for a side that is not wanted. */
static void read_cuts(void *user, int side, uint32_t first, uint32_t n, uint32_t *out)
{
    lists *l = user;
    const dpl_nearest *t = l->task;
    const dpl_neighbour *all = side ? t->of_right : t->of_left;
    if (t->is_self && !all)
        all = side ? t->of_left : t->of_right;
    pthread_mutex_lock(&l->lock);
    for (uint32_t i = 0; i < n; i++) {
        const dpl_neighbour *last = all ? all + ((size_t)first + i) * t->n + t->n - 1 : NULL;
        out[i] = !last ? 0 : last->row == DPL_NO_ROW ? t->cut : last->distance;
    }
    pthread_mutex_unlock(&l->lock);
}

static void empty(dpl_neighbour *list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        list[i] = (dpl_neighbour){DPL_NO_ROW, DPL_NO_ROW};
}

dpl_status dpl__cpu_nearest(const dpl_device_host *host, const dpl_nearest *task,
                            dpl_error *err)
{
    empty(task->of_left, (size_t)task->left.n_rows * task->n);
    empty(task->of_right, (size_t)task->right.n_rows * task->n);
    if (task->n == 0 || (!task->of_left && !task->of_right))
        return DPL_OK;
    lists l = {.task = task};
    pthread_mutex_init(&l.lock, NULL);
    dpl_best all = DPL_INIT(dpl_best, .left = task->left, .right = task->right,
                            .is_self = task->is_self, .read_cuts = read_cuts, .take = take,
                            .n_workers = host->ctx->n_threads, .user = &l);
    dpl_status status = dpl__cpu_best(host, &all, err);
    pthread_mutex_destroy(&l.lock);
    return status;
}
