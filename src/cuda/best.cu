/*
 * best.cu - pairs that are near enough for one of their rows, while the host lowers the cuts.
 *
 * All rows are on the device. Chunks of left rows meet pieces of right rows; before each
 * meeting the cuts of its rows are read again, and what was found in it is given away. Chunks
 * and pieces begin small and grow, so that cuts fall early. A meeting with more pairs than
 * there is room for is done in two halves, with newer cuts for the second.
 */
#include "operations.cuh"
#include "rows.cuh"

#include <algorithm>
#include <vector>

namespace dpl
{

enum {
    FIRST_CHUNK = 1 << 12, /* left rows; or of both sides, within one set */
    LAST_CHUNK = 1 << 17,
    FIRST_PIECE = 1 << 13, /* right rows */
    LAST_PIECE = 1 << 20,
    MOST_FOUND = 1 << 24
};

struct best_counters {
    uint32_t next, unused;
    unsigned long long n_hits, n_pairs;
};

struct best_finish {
    const uint64_t *hits;
    best_counters *count;
    unsigned long long cap;
    dpl_near_pair *out;
    const uint32_t *left_order, *right_order;
    const unsigned char *left_tiles, *right_tiles; /* BYTES */
    uint32_t n_lines;
    int whole;
    bool is_self;
};

/* Hits to pairs, in any order. */
static __global__ void finish_best(kind k, const best_finish f)
{
    const unsigned long long n = min(f.count->n_hits, f.cap);
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
         i - threadIdx.x % 32 < n; i += (unsigned long long)gridDim.x * blockDim.x) {
        const uint64_t hit = i < n ? f.hits[i] : NO_PAIR;
        const bool is_pair = hit != NO_PAIR;
        const unsigned mask = __ballot_sync(~0u, is_pair), lane = threadIdx.x % 32;
        unsigned long long at = 0;
        if (lane == 0 && mask)
            at = atomicAdd(&f.count->n_pairs, (unsigned long long)__popc(mask));
        at = __shfl_sync(~0u, at, 0) + __popc(mask & ((1u << lane) - 1));
        if (!is_pair)
            continue;
        const uint32_t l = (uint32_t)(hit >> (RIGHT_BITS + STEP_BITS)),
                       r = (uint32_t)(hit >> STEP_BITS) & ((1u << RIGHT_BITS) - 1);
        dpl_near_pair p = {f.left_order[l], f.right_order[r], (uint32_t)(hit & 0xFFFF)};
        if (k == BYTES) {
            const int product = product_of(f.left_tiles, f.right_tiles, f.n_lines, l, r);
            p.distance = product < f.whole ? (uint32_t)(f.whole - product) : 0;
        }
        if (f.is_self && p.left > p.right) {
            const uint32_t x = p.left;
            p.left = p.right;
            p.right = x;
        }
        f.out[at] = p;
    }
}

namespace
{

/* Consecutive rows and their tiles. */
struct part {
    uint32_t begin, end, tile, n_tiles;
};

class best_search
{
  public:
    best_search(kind k, const dpl_device_host *h, const dpl_best *t, dpl_error *e);
    ~best_search();
    void run();

  private:
    kind what;
    const dpl_device_host *host;
    const dpl_best *task;
    dpl_error *err;
    lease engine;
    compare_fn *compare;
    uint32_t n_words;
    int whole;
    rows left, right;
    std::vector<part> left_parts, right_parts;
    unsigned long long cap;
    buffer<uint64_t> hits;
    buffer<dpl_near_pair> found;
    buffer<uint32_t> cuts; /* of left rows, then of right ones */
    uint32_t *read;        /* the same in main memory */
    size_t n_read;
    uint32_t *stop;
    best_counters *count;
    dpl_progress progress;

    void append(rows &to, std::vector<part> &parts, const dpl_bit_rows &from, uint32_t first,
                uint32_t last);
    void send_cuts(rows &to, int side, const part &p, size_t at);
    void meet(const part &l, uint32_t tile, uint32_t n_tiles, const part *r, size_t n_parts,
              uint32_t first, uint32_t end);
    void give(size_t n);
};

best_search::best_search(kind k, const dpl_device_host *h, const dpl_best *t, dpl_error *e)
    : what(k), host(h), task(t), err(e), compare(compare_for(k)), n_words(t->left.n_words),
      whole(k == BYTES ? whole_of(n_words) : 0), read(nullptr), n_read(0)
{
    stop = engine->numbers + N_COUNTERS - 1;
    count = (best_counters *)engine->numbers;
    const uint64_t n_left = task->left.n_rows, n_right = task->right.n_rows;
    progress = {"compare", "comparisons", 0,
                task->is_self ? n_left * (n_left - 1) / 2 : n_left * n_right};
}

best_search::~best_search()
{
    if (read)
        host->resize(host->ctx, read, n_read * sizeof *read, 0);
}

void best_search::append(rows &to, std::vector<part> &parts, const dpl_bit_rows &from,
                         uint32_t first, uint32_t last)
{
    uint32_t size = first;
    for (uint32_t at = 0, n; at < from.n_rows; at += n, size = std::min(4 * size, last)) {
        n = std::min(size, from.n_rows - at);
        const uint32_t tile = to.append(from.words + (size_t)at * n_words, n, at);
        parts.push_back({at, at + n, tile, to.n_tiles - tile});
    }
}

/* Reads the cuts of a part's rows; `at` is their place in `cuts`. */
void best_search::send_cuts(rows &to, int side, const part &p, size_t at)
{
    const uint32_t n = p.end - p.begin;
    task->read_cuts(task->user, side, p.begin, n, read + at);
    check(cudaMemcpyAsync(cuts + at, read + at, n * sizeof *read, cudaMemcpyHostToDevice,
                          engine->stream),
          "cuts");
    to.set_cuts(cuts + at, p.begin, whole, p.tile, p.n_tiles);
}

void best_search::give(size_t n)
{
    const size_t n_piece = PINNED / 2 / sizeof(dpl_near_pair);
    dpl_near_pair *piece = (dpl_near_pair *)(engine->pinned + PINNED / 2);
    for (size_t at = 0, m; at < n; at += m) {
        m = std::min(n - at, n_piece);
        check(cudaMemcpyAsync(piece, found + at, m * sizeof *piece, cudaMemcpyDeviceToHost,
                              engine->stream),
              "pairs");
        check(cudaStreamSynchronize(engine->stream), "pairs");
        check(task->take(task->user, 0, piece, m, err));
    }
}

/* Tiles of left part l with tiles [first, end) of right, which are of the given parts. */
void best_search::meet(const part &l, uint32_t tile, uint32_t n_tiles, const part *r,
                       size_t n_parts, uint32_t first, uint32_t end)
{
    const bool is_self = task->is_self;
    rows &lefts = is_self ? right : left;
    send_cuts(lefts, 0, l, 0);
    size_t at = l.end - l.begin;
    for (size_t i = 0; i < n_parts; at += r[i].end - r[i].begin, i++)
        if (!is_self || r[i].tile != l.tile)
            send_cuts(right, 1, r[i], at);
    const bool is_same = is_self && r[0].tile == l.tile;
    job j = make_job(lefts, tile, n_tiles, right, first, end, is_same ? (int64_t)tile : -1);
    if (what == BYTES)
        j.whole = whole, j.shift = 16;
    j.next = &count->next;
    j.stop = stop;
    j.out = hits;
    j.cap = cap;
    j.n_out = &count->n_hits;
    check(cudaMemsetAsync(count, 0, sizeof *count, engine->stream), "counters");
    check(compare(j, facts().n_processors, engine->stream), "comparison");
    const best_finish f = {hits,
                           count,
                           cap,
                           found,
                           lefts.order + (size_t)tile * TILE,
                           right.order,
                           lefts.tiles + (size_t)tile * lefts.n_lines * SLICE,
                           right.tiles,
                           right.n_lines,
                           whole,
                           is_self};
    finish_best<<<facts().n_processors * 4, 256, 0, engine->stream>>>(what, f);
    check(cudaGetLastError(), "pairs");
    best_counters *counted = (best_counters *)engine->pinned;
    check(
        cudaMemcpyAsync(counted, count, sizeof *count, cudaMemcpyDeviceToHost, engine->stream),
        "counters");
    check(cudaEventRecord(engine->events[0], engine->stream), "events");
    wait_for(host, engine->events[0], &progress, err, stop, engine->side);
    if (counted->n_hits <= cap)
        return give((size_t)counted->n_pairs);
    if (end - first > 2) {
        const uint32_t half = first + std::max(2u, (end - first) / 4 * 2);
        meet(l, tile, n_tiles, r, n_parts, first, half);
        meet(l, tile, n_tiles, r, n_parts, half, end);
    } else if (n_tiles > 2) {
        const uint32_t half = n_tiles / 4 * 2 > 0 ? n_tiles / 4 * 2 : 2;
        meet(l, tile, half, r, n_parts, first, end);
        meet(l, tile + half, n_tiles - half, r, n_parts, first, end);
    } else
        fail(DPL_E_LIMIT, "the memory of device 'cuda' is too small for the pairs of a tile");
}

void best_search::run()
{
    const uint32_t n_left = task->left.n_rows, n_right = task->right.n_rows;
    const uint64_t memory = device_memory(host), each = rows::row_bytes(what, n_words) + 8;
    const uint64_t n_rows = (task->is_self ? 0 : n_left + 16ull * ALIGN) + n_right +
                            16ull * ALIGN + 2ull * (n_left + n_right) / LAST_CHUNK * ALIGN;
    cap = std::min<uint64_t>(std::max<uint64_t>(memory / 8 / 20, 1 << 20), MOST_FOUND);
    const uint64_t needed =
        n_rows * each + cap * 20 +
        2 * rows::part_bytes(std::min<uint64_t>(LAST_PIECE, n_right), n_words);
    if (needed > memory)
        fail(DPL_E_UNSUPPORTED, "rows that do not fit into the memory of device 'cuda'");
    n_read = (size_t)n_right + std::min<size_t>(n_left, LAST_CHUNK);
    read = (uint32_t *)host->resize(host->ctx, nullptr, 0, n_read * sizeof *read);
    if (!read)
        fail(DPL_E_NOMEM, "no memory");
    cuts.make(n_read, engine->stream);
    hits.make(cap, engine->stream);
    found.make(cap, engine->stream);
    right.make(what, n_right + (16ull + n_right / LAST_CHUNK) * ALIGN, n_words, engine->stream);
    if (task->is_self) {
        append(right, right_parts, task->right, FIRST_CHUNK, LAST_CHUNK);
        left_parts = right_parts;
    } else {
        append(right, right_parts, task->right, FIRST_PIECE, LAST_PIECE);
        left.make(what, n_left + (16ull + n_left / LAST_CHUNK) * ALIGN, n_words,
                  engine->stream);
        append(left, left_parts, task->left, FIRST_CHUNK, LAST_CHUNK);
    }
    for (size_t i = 0; i < left_parts.size(); i++) {
        const part &l = left_parts[i];
        size_t n = 1;
        /* Within one set a chunk meets itself first, by itself; then more and more others. */
        for (size_t at = task->is_self ? i : 0; at < right_parts.size(); at += n) {
            n = task->is_self && at > i ? std::min(at - i, right_parts.size() - at) : 1;
            const part *r = &right_parts[at];
            meet(l, l.tile, l.n_tiles, r, n, r->tile, r[n - 1].tile + r[n - 1].n_tiles);
            uint64_t n_rows_met = r[n - 1].end - r->begin, n_here = l.end - l.begin;
            progress.done +=
                task->is_self && at == i ? n_here * (n_here - 1) / 2 : n_here * n_rows_met;
            check(host->progress(host->ctx, &progress, err));
        }
    }
}

void run_best(kind k, const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    if (task->left.n_rows == 0 || task->right.n_rows == 0)
        return;
    if (task->left.n_words > (k == BITS ? 1023 : 4096))
        fail(DPL_E_UNSUPPORTED, "rows of %u words", task->left.n_words);
    best_search s(k, host, task, err);
    s.run();
}

} // namespace

void best(const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    run_best(BITS, host, task, err);
}

void best_bytes(const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    run_best(BYTES, host, task, err);
}

} // namespace dpl
