/*
 * dots.cu - all pairs of dense rows whose dot product is at least a number.
 *
 * Products are computed with float16 first; what is not below the number by more than these may
 * be wrong is computed again as dpl_dots_within says. All rows are on the device. Left rows
 * come in chunks; one with more pairs than there is room for is done in two halves.
 */
#include "operations.cuh"
#include "rows.cuh"

#include <algorithm>
#include <cmath>

namespace dpl
{

enum { DOT_CHUNK = 1 << 17, DOT_PART = 1 << 20, MOST_DOT_PAIRS = 1 << 25 };

struct dot_counters {
    uint32_t next, unused;
    unsigned long long n_hits, n_keys;
    int most;
};

struct dot_finish {
    const uint64_t *hits;
    dot_counters *count;
    unsigned long long cap;
    uint64_t *keys;
    const float *left, *right; /* of the chunk; of all */
    uint32_t dim;
    float least;
};

/* Hits to keys, left << 32 | right, of those that are large enough; 16 lanes for each. */
static __global__ void finish_dots(const dot_finish f)
{
    const unsigned long long n = min(f.count->n_hits, f.cap);
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x / 16;
    for (unsigned long long i =
             (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) / 16;
         i - threadIdx.x % 32 / 16 < n; i += step) {
        const uint64_t hit = i < n ? f.hits[i] : NO_PAIR;
        const bool is_hit = hit != NO_PAIR;
        const uint32_t l = is_hit ? (uint32_t)(hit >> (RIGHT_BITS + STEP_BITS)) : 0,
                       r = is_hit ? (uint32_t)(hit >> STEP_BITS) & ((1u << RIGHT_BITS) - 1) : 0;
        const float dot =
            dot_of(f.left + (size_t)l * f.dim, f.right + (size_t)r * f.dim, f.dim);
        if (is_hit && dot >= f.least && threadIdx.x % 16 == 0)
            f.keys[atomicAdd(&f.count->n_keys, 1ull)] = (uint64_t)l << 32 | r;
    }
}

static __global__ void expand_dots(dpl_dot_pair *out, const uint64_t *keys, size_t n,
                                   uint32_t base, const float *left, const float *right,
                                   uint32_t dim)
{
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 16;
    const uint64_t key = keys[i < n ? i : n - 1];
    const uint32_t l = (uint32_t)(key >> 32), r = (uint32_t)key;
    const float dot = dot_of(left + (size_t)l * dim, right + (size_t)r * dim, dim);
    if (i < n && threadIdx.x % 16 == 0)
        out[i] = {base + l, r, dot};
}

/* One `own` for all rows. */
static __global__ void set_least(float2 *numbers, float2 *least, const uint32_t *order,
                                 uint32_t n, float own)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && order[i] != UINT32_MAX)
        numbers[i] = make_float2(0, own);
    if (i < n && i % TILE == 0)
        least[i / TILE] = make_float2(0, own);
}

namespace
{

class dot_search
{
  public:
    dot_search(const dpl_device_host *h, const dpl_dots_within *t, dpl_error *e)
        : host(h), task(t), err(e), dim(t->left.dim)
    {
    }
    void run();

  private:
    const dpl_device_host *host;
    const dpl_dots_within *task;
    dpl_error *err;
    uint32_t dim;
    lease engine;
    rows left, right;
    buffer<float> left_values, right_values;
    buffer<uint64_t> hits, keys;
    buffer<dpl_dot_pair> found;
    buffer<unsigned char> scratch;
    unsigned long long cap;
    dpl_progress progress;

    void send(rows &to, buffer<float> &values, const dpl_number_rows &from);
    void meet(uint32_t tile, uint32_t n_tiles);
    void give(uint32_t base, const float *values, size_t n);
};

void dot_search::send(rows &to, buffer<float> &values, const dpl_number_rows &from)
{
    dot_counters *count = (dot_counters *)engine->numbers;
    send_numbers(values, from.weights, from.n_rows, dim, &count->most, engine->stream);
    to.make(HALVES, from.n_rows, (dim + 3) / 4, engine->stream);
    to.append_numbers(values, dim, from.n_rows, 0);
    const float own = task->least - 1.1e-3f - 1.2e-7f * (float)dim;
    const uint32_t n = to.n_tiles * TILE;
    set_least<<<(n + 255) / 256, 256, 0, engine->stream>>>(
        (float2 *)to.all_numbers.get(), (float2 *)to.all_least.get(), to.order, n, own);
    check(cudaGetLastError(), "cuts");
}

void dot_search::give(uint32_t base, const float *values, size_t n)
{
    const size_t n_piece = PINNED / 2 / sizeof(dpl_dot_pair);
    dpl_dot_pair *piece = (dpl_dot_pair *)(engine->pinned + PINNED / 2);
    const uint64_t *sorted =
        n ? sort_numbers(scratch, keys, hits, n, 0, 64, engine->stream) : nullptr;
    for (size_t at = 0, m; at < n; at += m) {
        m = std::min(n - at, n_piece);
        expand_dots<<<(unsigned)((m + 15) / 16), 256, 0, engine->stream>>>(
            found, sorted + at, m, base, values, right_values, dim);
        check(cudaGetLastError(), "pairs");
        check(cudaMemcpyAsync(piece, found, m * sizeof *piece, cudaMemcpyDeviceToHost,
                              engine->stream),
              "pairs");
        check(cudaStreamSynchronize(engine->stream), "pairs");
        check(task->take(task->user, piece, m, err));
    }
}

/* Left tiles with all right ones, within one set from the diagonal on. */
void dot_search::meet(uint32_t tile, uint32_t n_tiles)
{
    dot_counters *count = (dot_counters *)engine->numbers,
                 *counted = (dot_counters *)engine->pinned;
    uint32_t *stop = engine->numbers + N_COUNTERS - 1;
    const rows &lefts = task->is_self ? right : left;
    const uint32_t base = tile * TILE;
    const float *values = (task->is_self ? right_values : left_values) + (size_t)base * dim;
    job j = make_job(lefts, tile, n_tiles, right, task->is_self ? tile : 0, right.n_tiles,
                     task->is_self ? (int64_t)tile : -1);
    j.next = &count->next;
    j.stop = stop;
    j.out = hits;
    j.cap = cap;
    j.n_out = &count->n_hits;
    check(cudaMemsetAsync(count, 0, sizeof *count, engine->stream), "counters");
    check(compare_for(HALVES)(j, facts().n_processors, engine->stream), "products");
    const dot_finish f = {hits, count, cap, keys, values, right_values, dim, task->least};
    finish_dots<<<facts().n_processors * 8, 256, 0, engine->stream>>>(f);
    check(cudaGetLastError(), "pairs");
    check(
        cudaMemcpyAsync(counted, count, sizeof *count, cudaMemcpyDeviceToHost, engine->stream),
        "counters");
    check(cudaEventRecord(engine->events[0], engine->stream), "events");
    wait_for(host, engine->events[0], &progress, err, stop, engine->side);
    if (counted->n_hits <= cap)
        return give(base, values, (size_t)counted->n_keys);
    if (n_tiles <= 2)
        fail(DPL_E_LIMIT, "the pairs of %u rows do not fit into the memory of device 'cuda'",
             2 * TILE);
    const uint32_t half = std::max(2u, n_tiles / 4 * 2);
    meet(tile, half);
    meet(tile + half, n_tiles - half);
}

void dot_search::run()
{
    const uint64_t n_left = task->left.n_rows, n_right = task->right.n_rows;
    const uint64_t each = rows::row_bytes(HALVES, (dim + 3) / 4) + 4ull * dim;
    const uint64_t memory = device_memory(host),
                   used = ((task->is_self ? 0 : n_left) + n_right + 4 * ALIGN) * each +
                          (64ull << 20);
    /* 256 rows with all others must fit */
    cap = std::max<uint64_t>(MOST_DOT_PAIRS, 2 * TILE * n_right + (1 << 20));
    cap = std::min<uint64_t>(cap, n_left * n_right + (1 << 19));
    if (used + cap * 24 > memory || n_right >= 1u << RIGHT_BITS)
        fail(DPL_E_UNSUPPORTED, "rows that do not fit into the memory of device 'cuda'");
    progress = {"compare", "products", 0,
                task->is_self ? n_left * (n_left - 1) / 2 : n_left * n_right};
    send(right, right_values, task->right);
    if (!task->is_self)
        send(left, left_values, task->left);
    hits.make(cap, engine->stream);
    keys.make(cap, engine->stream);
    found.make(PINNED / 2 / sizeof(dpl_dot_pair), engine->stream);
    const uint32_t n_tiles = (task->is_self ? right : left).n_tiles, step = DOT_CHUNK / TILE;
    for (uint32_t at = 0; at < n_tiles; at += step) {
        meet(at, std::min(step, n_tiles - at));
        const uint64_t begin = (uint64_t)at * TILE, end = std::min(n_left, begin + DOT_CHUNK);
        for (uint64_t i = begin; i < end; i++)
            progress.done += task->is_self ? n_right - 1 - i : n_right;
        check(host->progress(host->ctx, &progress, err));
    }
}

} // namespace

void dots_within(const dpl_device_host *host, const dpl_dots_within *task, dpl_error *err)
{
    if (task->left.dim == 0 || task->left.dim > 1 << 16)
        fail(DPL_E_UNSUPPORTED, "rows of %u numbers", task->left.dim);
    if (task->left.n_rows == 0 || task->right.n_rows == 0)
        return;
    dot_search s(host, task, err);
    s.run();
}

} // namespace dpl
