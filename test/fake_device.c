/*
 * fake_device.c - a device for the tests of the plugin loader: it knows one pair of 42, and
 * its search for the best is the simplest that there is.
 */
#include "doppel/device.h"

static const char *why_not(void)
{
    return NULL;
}

static dpl_status dots_within(const dpl_device_host *host, const dpl_dots_within *task,
                              dpl_error *err)
{
    if (!host->memory_left(host->ctx))
        return DPL_E_LIMIT;
    const dpl_dot_pair pair = {0, 0, 42};
    return task->take(task->user, &pair, 1, err);
}

static unsigned differ(const dpl_bit_rows *a, uint32_t i, const dpl_bit_rows *b, uint32_t j)
{
    unsigned n = 0;
    for (size_t w = 0; w < a->n_words; w++)
        for (uint64_t x =
                 a->words[(size_t)i * a->n_words + w] ^ b->words[(size_t)j * b->n_words + w];
             x; x &= x - 1)
            n++;
    return n;
}

/* Cuts are read once for each left row; what is found comes on the caller's thread. */
static dpl_status best(const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    enum { MOST = 64 };
    dpl_near_pair pairs[MOST];
    size_t n = 0;
    for (uint32_t i = 0; i < task->left.n_rows; i++) {
        uint32_t left_cut;
        task->read_cuts(task->user, 0, i, 1, &left_cut);
        for (uint32_t j = task->is_self ? i + 1 : 0; j < task->right.n_rows; j++) {
            uint32_t cut, distance = differ(&task->left, i, &task->right, j);
            task->read_cuts(task->user, 1, j, 1, &cut);
            if (distance <= (cut > left_cut ? cut : left_cut))
                pairs[n++] = (dpl_near_pair){i, j, distance};
            dpl_status status = n == MOST ? task->take(task->user, 0, pairs, n, err) : DPL_OK;
            if (status != DPL_OK)
                return status;
            n = n == MOST ? 0 : n;
        }
        dpl_progress p = {"compare", "rows", i + 1, task->left.n_rows};
        dpl_status status = host->progress(host->ctx, &p, err);
        if (status != DPL_OK)
            return status;
    }
    return n ? task->take(task->user, 0, pairs, n, err) : DPL_OK;
}

DPL_API const dpl_device_table *dpl_device_entry(unsigned version);

const dpl_device_table *dpl_device_entry(unsigned version)
{
    static const dpl_device_table table =
        DPL_INIT(dpl_device_table, .version = DPL_DEVICE_VERSION, .name = "fake",
                 .why_not = why_not, .best = best, .dots_within = dots_within);
    return version == DPL_DEVICE_VERSION ? &table : NULL;
}
