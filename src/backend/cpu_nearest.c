/*
 * cpu_nearest.c - the n nearest rows of every row and every column.
 *
 * All pairs within the cut pass by in order of left rows; each row and column keeps a short
 * list of its best, by insertion. Cost: that of cpu_within.c, and a comparison or two for each
 * pair within the cut, so the cut should be as small as the purpose allows.
 */
#include "backend/device.h"

typedef struct lists {
    const dpl_nearest *task;
} lists;

/* Rows are offered in rising order, so that of equally near ones the first stays. Of a search
 * within one set, left rows rise over all calls and right rows within one: a row is offered its
 * lower neighbours, as right, before its higher ones, as left. */
static void offer(dpl_neighbour *list, unsigned n, uint32_t row, uint32_t distance)
{
    unsigned i = n;
    while (i > 0 && (list[i - 1].row == DPL_NO_ROW || list[i - 1].distance > distance))
        i--;
    if (i == n)
        return;
    memmove(&list[i + 1], &list[i], (n - 1 - i) * sizeof *list);
    list[i] = (dpl_neighbour){row, distance};
}

static dpl_status take(void *user, const dpl_near_pair *pairs, size_t n_pairs, dpl_error *err)
{
    (void)err;
    const dpl_nearest *t = ((lists *)user)->task;
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
    return DPL_OK;
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
    lists l = {task};
    dpl_within all =
        DPL_INIT(dpl_within, .left = task->left, .right = task->right, .is_self = task->is_self,
                 .cut = task->cut, .take = take, .user = &l);
    return task->n ? dpl__cpu_within(host, &all, err) : DPL_OK;
}
