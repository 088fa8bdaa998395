/*
 * within.cu - all pairs of rows that are near enough, by left row, then right row.
 *
 * Left rows come in chunks of their own order; a chunk's pairs are complete when it has met all
 * right rows, and are sorted and given away while the next chunk is compared. Within one set
 * the right rows are the same chunks, and a chunk meets itself above the diagonal only. A chunk
 * with more pairs than there is room for is done again in smaller pieces. Where the rows do not
 * fit into the memory of the device, each chunk meets the right rows slab by slab.
 */
#include "operations.cuh"
#include "rows.cuh"

#include <algorithm>
#include <vector>

namespace dpl
{

enum {
    CHUNK = 1 << 17,      /* left rows */
    PART = 1 << 20,       /* right rows that are copied at a time */
    FEW = 1 << 13,        /* pairs that are sorted on the host */
    MOST_PAIRS = 1 << 25, /* of a chunk */
    FLIGHTS = 3,          /* chunks under way: one is given away, one runs, one waits */
    HEAD = 1 << 17        /* bytes of pinned memory for each */
};

enum meeting {
    TWO_SETS,
    SAME_ROWS,
    ONE_SET
}; /* left and right rows; SAME_ROWS: above the
      diagonal */

/* On the device, for each chunk under way. */
struct counters {
    uint32_t next, is_over;
    unsigned long long n_hits, n_keys;
};

struct finish_job {
    const uint64_t *hits;
    counters *count;
    unsigned long long cap;
    uint64_t *keys;
    const uint32_t *left_order, *right_order;
    const unsigned char *left_tiles, *right_tiles;
    uint32_t n_lines, base, first_words, first_cut;
    int right_bits;
    meeting met;
};

static __device__ bool passes_first(const finish_job &f, uint32_t left, uint32_t right)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < f.first_words; w++)
        n += __popcll(word_at(f.left_tiles, f.n_lines, left, w) ^
                      word_at(f.right_tiles, f.n_lines, right, w));
    return n <= f.first_cut;
}

/* Places of rows to their numbers: left within the chunk, right, steps, from high to low. */
static __global__ void finish(const finish_job f)
{
    const unsigned long long n = min(f.count->n_hits, f.cap);
    if (blockIdx.x == 0 && threadIdx.x == 0 && f.count->n_hits > f.cap)
        f.count->is_over = 1;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
         i - threadIdx.x % 32 < n; i += (unsigned long long)gridDim.x * blockDim.x) {
        const uint64_t hit = i < n ? f.hits[i] : NO_PAIR;
        bool is_pair = hit != NO_PAIR;
        uint64_t key = 0;
        if (is_pair) {
            const uint32_t l = (uint32_t)(hit >> (RIGHT_BITS + STEP_BITS)),
                           r = (uint32_t)(hit >> STEP_BITS) & ((1u << RIGHT_BITS) - 1);
            uint32_t left = f.left_order[l], right = f.right_order[r];
            if (f.met == SAME_ROWS && left > right) {
                const uint32_t x = left;
                left = right;
                right = x;
            }
            is_pair = !(f.met == ONE_SET && left >= right) &&
                      (!f.first_words || passes_first(f, l, r));
            key = (uint64_t)(left - f.base) << (f.right_bits + STEP_BITS) |
                  (uint64_t)right << STEP_BITS | (hit & 0xFFFF);
        }
        const unsigned mask = __ballot_sync(~0u, is_pair), lane = threadIdx.x % 32;
        unsigned long long at = 0;
        if (lane == 0 && mask)
            at = atomicAdd(&f.count->n_keys, (unsigned long long)__popc(mask));
        at = __shfl_sync(~0u, at, 0) + __popc(mask & ((1u << lane) - 1));
        if (is_pair) {
            if (at < f.cap)
                f.keys[at] = key;
            else
                f.count->is_over = 1;
        }
    }
}

static __global__ void expand(dpl_near_pair *out, const uint64_t *keys, size_t n, uint32_t base,
                              int right_bits)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        const uint64_t key = keys[i];
        out[i] = {base + (uint32_t)(key >> (right_bits + STEP_BITS)),
                  (uint32_t)(key >> STEP_BITS & (((uint64_t)1 << right_bits) - 1)),
                  (uint32_t)(key & 0xFFFF)};
    }
}

namespace
{

/* A chunk on its way. */
struct flight {
    uint32_t begin, end; /* left rows */
    buffer<uint64_t> hits, keys;
    counters *count;
    unsigned char *pinned; /* counters, then the first FEW keys */
    cudaEvent_t event;
    uint64_t n_items; /* of work */
};

class search
{
  public:
    search(kind k, const dpl_device_host *h, const dpl_within *t, dpl_error *e);

    void run();

  private:
    kind what;
    const dpl_device_host *host;
    const dpl_within *task;
    dpl_error *err;
    lease engine;
    compare_fn *compare;
    rows left, right;
    uint32_t n_left, n_right, n_words, chunk, slab_rows, cut;
    int whole;
    int left_bits, right_bits;
    bool is_resident;
    std::vector<uint32_t> left_tiles, right_parts; /* first tiles of chunks and parts */
    uint32_t part;                                 /* right rows of a part */
    unsigned long long cap;
    flight flights[FLIGHTS];
    uint32_t *stop;
    dpl_near_pair *piece; /* pinned */
    size_t n_piece;       /* pairs that it holds */
    buffer<dpl_near_pair> device_piece;
    buffer<unsigned char> scratch;
    dpl_progress progress;

    void choose_sizes();
    void copy_right(uint32_t begin, uint32_t end);
    void copy_all();
    void begin_flight(flight *f, uint32_t begin, uint32_t end);
    void compare_with(flight *f, const rows &of, uint32_t tile, uint32_t n_tiles,
                      uint32_t first, uint32_t end, int64_t diagonal, meeting met);
    void end_flight(flight *f);
    bool is_over(flight *f, double *times);
    void launch(flight *f, size_t i);
    void run_alone(uint32_t begin, uint32_t end);
    void give(flight *f);
    void give_few(flight *f, size_t n);
    void give_many(flight *f, const uint64_t *keys, size_t n);
    void give_row(const uint64_t *keys, size_t n, uint32_t base);
    void copy_pairs(dpl_near_pair *out, const uint64_t *keys, size_t n, uint32_t base);
    void take(dpl_near_pair *pairs, size_t n);
    void count(uint32_t begin, uint32_t end);
};

search::search(kind k, const dpl_device_host *h, const dpl_within *t, dpl_error *e)
    : what(k), host(h), task(t), err(e), compare(compare_for(k)), n_left(t->left.n_rows),
      n_right(t->right.n_rows), n_words(t->left.n_words), part(PART), n_piece(0)
{
    cut = k == BITS ? (uint32_t)std::min<uint64_t>(task->cut, 64ull * n_words) : task->cut;
    whole = k == BITS ? 0 : whole_of(n_words);
    progress = {"compare", "comparisons", 0,
                task->is_self ? (uint64_t)n_left * (n_left - 1) / 2
                              : (uint64_t)n_left * n_right};
    stop = engine->numbers + N_COUNTERS - 1;
    for (int i = 0; i < FLIGHTS; i++) {
        flights[i].count = (counters *)(engine->numbers + 16 * i);
        flights[i].event = engine->events[i];
        flights[i].pinned = engine->pinned + i * HEAD;
    }
    piece = (dpl_near_pair *)(engine->pinned + FLIGHTS * HEAD);
    n_piece = (PINNED - FLIGHTS * HEAD) / sizeof *piece;
}

/* What stays on the device, and how much at a time. */
void search::choose_sizes()
{
    const uint64_t memory = device_memory(host), each = rows::row_bytes(what, n_words);
    const uint64_t n_all = task->is_self ? 0 : aligned(n_left) + CHUNK;
    cap = std::min<uint64_t>(std::max<uint64_t>(memory / 8 / (16 * FLIGHTS), 1 << 20),
                             MOST_PAIRS);
    const uint64_t most = (uint64_t)n_left * n_right + (1 << 19);
    cap = std::min<uint64_t>(cap, most);
    const uint64_t taken = cap * 16 * FLIGHTS + n_piece * sizeof *piece + (32 << 20);
    right_bits = bits_of(n_right);
    chunk = (uint32_t)std::min<uint64_t>(CHUNK, (uint64_t)1 << std::min(20, 48 - right_bits));
    part = task->is_self ? chunk : PART;
    const uint64_t right_bytes = (aligned(n_right) + ALIGN * (n_right / part + 1)) * each;
    const uint64_t parts = rows::part_bytes(std::min<uint64_t>(part, n_right), n_words) +
                           rows::part_bytes(chunk, n_words);
    is_resident = taken + right_bytes + n_all * each + parts <= memory;
    slab_rows = n_right;
    if (!is_resident) {
        if (memory < taken + 8 * ALIGN * (each + n_words * 8ull + 8))
            fail(DPL_E_LIMIT, "%llu MiB of the memory of device 'cuda' are too few",
                 (unsigned long long)(memory >> 20));
        const uint64_t n = (memory - taken) / (each + n_words * 8ull + 8) / 4 / ALIGN * ALIGN;
        chunk = (uint32_t)std::min<uint64_t>(chunk, n);
        slab_rows = (uint32_t)std::min<uint64_t>(n_right, 2 * n);
        part = slab_rows;
    }
    left_bits = bits_of(chunk);
}

/* Right rows [begin, end), in parts. */
void search::copy_right(uint32_t begin, uint32_t end)
{
    right.forget();
    right_parts.clear();
    for (uint32_t at = begin, n; at < end; at += n) {
        n = std::min(part, end - at);
        right_parts.push_back(right.append(task->right.words + (size_t)at * n_words, n, at));
    }
    right.set_cut(cut, whole, 0, right.n_tiles);
}

void search::copy_all()
{
    if (!is_resident) {
        right.make(what, slab_rows + ALIGN, n_words, engine->stream);
        left.make(what, chunk, n_words, engine->stream);
        return;
    }
    right.make(what, aligned(n_right) + ALIGN * (n_right / part + 1ull), n_words,
               engine->stream);
    copy_right(0, n_right);
    if (task->is_self)
        return;
    left.make(what, aligned(n_left) + ALIGN * (n_left / chunk + 1ull), n_words, engine->stream);
    for (uint32_t at = 0, n; at < n_left; at += n) {
        n = std::min(chunk, n_left - at);
        left_tiles.push_back(left.append(task->left.words + (size_t)at * n_words, n, at));
    }
    left.set_cut(cut, whole, 0, left.n_tiles);
}

void search::begin_flight(flight *f, uint32_t begin, uint32_t end)
{
    f->begin = begin;
    f->end = end;
    if (!f->hits.size()) {
        f->hits.make(cap, engine->stream);
        f->keys.make(cap, engine->stream);
    }
    check(cudaMemsetAsync(f->count, 0, sizeof *f->count, engine->stream), "counters");
}

/* Tiles of `of` with tiles [first, end) of right. */
void search::compare_with(flight *f, const rows &of, uint32_t tile, uint32_t n_tiles,
                          uint32_t first, uint32_t end, int64_t diagonal, meeting met)
{
    job j = make_job(of, tile, n_tiles, right, first, end, diagonal);
    f->n_items = items_of(j);
    if (what == BYTES)
        j.whole = whole_of(n_words), j.shift = 16;
    j.next = &f->count->next;
    j.stop = stop;
    j.out = f->hits;
    j.cap = cap;
    j.n_out = &f->count->n_hits;
    check(cudaMemsetAsync(&f->count->next, 0, sizeof(uint32_t), engine->stream), "counters");
    check(cudaMemsetAsync(&f->count->n_hits, 0, sizeof f->count->n_hits, engine->stream),
          "counters");
    check(compare(j, facts().n_processors, engine->stream), "comparison");
    finish_job last = {f->hits,
                       f->count,
                       cap,
                       f->keys,
                       of.order + (size_t)tile * TILE,
                       right.order,
                       of.tiles + (size_t)tile * of.n_lines * SLICE,
                       right.tiles,
                       right.n_lines,
                       f->begin,
                       task->first_words,
                       task->first_cut,
                       right_bits,
                       met};
    finish<<<facts().n_processors * 4, 256, 0, engine->stream>>>(last);
    check(cudaGetLastError(), "pairs");
}

void search::end_flight(flight *f)
{
    check(cudaMemcpyAsync(f->pinned, f->count, sizeof *f->count, cudaMemcpyDeviceToHost,
                          engine->stream),
          "counters");
    check(cudaMemcpyAsync(f->pinned + 64, f->keys, std::min<size_t>(FEW, cap) * 8,
                          cudaMemcpyDeviceToHost, engine->stream),
          "pairs");
    check(cudaEventRecord(f->event, engine->stream), "events");
}

/* Chunk i, which is on the device. */
void search::launch(flight *f, size_t i)
{
    const uint32_t begin = (uint32_t)i * chunk, end = std::min(n_left, begin + chunk);
    begin_flight(f, begin, end);
    const uint32_t n_tiles = (uint32_t)aligned(end - begin) / TILE;
    if (task->is_self)
        compare_with(f, right, right_parts[i], n_tiles, right_parts[i], right.n_tiles,
                     right_parts[i], SAME_ROWS);
    else
        compare_with(f, left, left_tiles[i], n_tiles, 0, right.n_tiles, -1, TWO_SETS);
    end_flight(f);
}

/* Whether pairs were lost; then how many times too many there are, about. */
bool search::is_over(flight *f, double *times)
{
    wait_for(host, f->event, &progress, err, stop, engine->side);
    const counters *c = (const counters *)f->pinned;
    /* the kernel ends early when there is no room */
    const double done = f->n_items ? std::min(1.0, (double)c->next / (double)f->n_items) : 1;
    *times = (double)std::max(c->n_hits, c->n_keys) / (double)cap / std::max(done, 1e-9);
    return c->is_over != 0;
}

/* Left rows that were not done as a chunk, or had too many pairs. */
void search::run_alone(uint32_t begin, uint32_t end)
{
    rows some;
    flight *f = &flights[0];
    const uint32_t n = end - begin;
    some.make(what, n, n_words, engine->stream);
    some.append(task->left.words + (size_t)begin * n_words, n, begin);
    some.set_cut(cut, whole, 0, some.n_tiles);
    begin_flight(f, begin, end);
    const meeting met = task->is_self ? ONE_SET : TWO_SETS;
    if (is_resident)
        compare_with(f, some, 0, some.n_tiles, task->is_self ? right_parts[begin / part] : 0,
                     right.n_tiles, -1, met);
    else
        for (uint32_t at = task->is_self ? begin : 0, m; at < n_right; at += m) {
            m = std::min(slab_rows, n_right - at);
            copy_right(at, at + m);
            compare_with(f, some, 0, some.n_tiles, 0, right.n_tiles, -1, met);
        }
    end_flight(f);
    double times;
    if (!is_over(f, &times)) {
        give(f);
        count(begin, end);
        return;
    }
    if (n == 1)
        fail(DPL_E_LIMIT, "the pairs of one row do not fit into the memory of device 'cuda'");
    const uint32_t step = std::max(1u, std::min(n / 2, (uint32_t)(n / (2 * times + 1))));
    for (uint32_t at = begin; at < end; at += std::min(step, end - at))
        run_alone(at, at + std::min(step, end - at));
}

void search::count(uint32_t begin, uint32_t end)
{
    for (uint64_t i = begin; task->is_self && i < end; i++)
        progress.done += n_left - 1 - i;
    if (!task->is_self)
        progress.done += (uint64_t)(end - begin) * n_right;
    check(host->progress(host->ctx, &progress, err));
}

/* ---- giving pairs away ----------------------------------------------------------------- */

/* Bytes: distances do not fit into a key, and are computed here. */
void search::take(dpl_near_pair *pairs, size_t n)
{
    for (size_t i = 0; what == BYTES && i < n; i++) {
        const int8_t *a = (const int8_t *)(task->left.words + (size_t)pairs[i].left * n_words),
                     *b =
                         (const int8_t *)(task->right.words + (size_t)pairs[i].right * n_words);
        int sum = 0;
        for (uint32_t k = 0; k < 8 * n_words; k++)
            sum += a[k] * b[k];
        pairs[i].distance = sum < whole ? (uint32_t)(whole - sum) : 0;
    }
    check(task->take(task->user, pairs, n, err));
}

void search::give_few(flight *f, size_t n)
{
    uint64_t *keys = (uint64_t *)(f->pinned + 64);
    std::sort(keys, keys + n);
    for (size_t i = 0; i < n; i++)
        piece[i] = {f->begin + (uint32_t)(keys[i] >> (right_bits + STEP_BITS)),
                    (uint32_t)(keys[i] >> STEP_BITS & (((uint64_t)1 << right_bits) - 1)),
                    (uint32_t)(keys[i] & 0xFFFF)};
    take(piece, n);
}

void search::copy_pairs(dpl_near_pair *out, const uint64_t *keys, size_t n, uint32_t base)
{
    if (!device_piece.size())
        device_piece.make(n_piece, engine->side);
    for (size_t at = 0, m; at < n; at += m) {
        m = std::min(n - at, n_piece);
        expand<<<(m + 255) / 256, 256, 0, engine->side>>>(device_piece, keys + at, m, base,
                                                          right_bits);
        check(cudaGetLastError(), "pairs");
        check(cudaMemcpyAsync(out + at, device_piece, m * sizeof *out, cudaMemcpyDeviceToHost,
                              engine->side),
              "pairs");
        check(cudaStreamSynchronize(engine->side), "pairs");
    }
}

/* The first row has more pairs than a piece: as many as it takes. */
void search::give_row(const uint64_t *keys, size_t n, uint32_t base)
{
    const size_t n_bytes = n * sizeof(dpl_near_pair);
    dpl_near_pair *all = n_bytes <= host->memory_left(host->ctx)
                             ? (dpl_near_pair *)host->resize(host->ctx, nullptr, 0, n_bytes)
                             : nullptr;
    if (!all)
        fail(DPL_E_LIMIT, "the pairs of one row do not fit into memory");
    try {
        copy_pairs(all, keys, n, base);
        take(all, n);
    } catch (...) {
        host->resize(host->ctx, all, n_bytes, 0);
        throw;
    }
    host->resize(host->ctx, all, n_bytes, 0);
}

void search::give_many(flight *f, const uint64_t *keys, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t m = std::min(n - at, n_piece), n_whole = m;
        copy_pairs(piece, keys + at, m, f->begin);
        if (at + m < n) { /* the last row may have more */
            while (n_whole > 0 && piece[n_whole - 1].left == piece[m - 1].left)
                n_whole--;
        }
        if (n_whole > 0) {
            take(piece, n_whole);
            at += n_whole;
            continue;
        }
        const uint32_t row = piece[0].left;
        for (; at + m < n; m += std::min(n_piece, n - at - m)) { /* where does it end? */
            const size_t some = std::min(n_piece, n - at - m);
            copy_pairs(piece, keys + at + m, some, f->begin);
            size_t same = 0;
            while (same < some && piece[same].left == row)
                same++;
            if (same < some) {
                m += same;
                break;
            }
        }
        m = std::min(m, n - at);
        give_row(keys + at, m, f->begin);
        at += m;
    }
}

/* All pairs of a chunk. */
void search::give(flight *f)
{
    const size_t n = (size_t)((const counters *)f->pinned)->n_keys;
    if (n == 0)
        return;
    if (n <= FEW)
        return give_few(f, n);
    const uint64_t *keys = sort_numbers(scratch, f->keys, f->hits, n, STEP_BITS,
                                        STEP_BITS + right_bits + left_bits, engine->side);
    check(cudaStreamSynchronize(engine->side), "a sort");
    give_many(f, keys, n);
}

void search::run()
{
    choose_sizes();
    copy_all();
    const size_t n_chunks = (n_left + chunk - 1) / chunk;
    if (!is_resident) {
        for (size_t i = 0; i < n_chunks; i++)
            run_alone((uint32_t)i * chunk, std::min(n_left, (uint32_t)i * chunk + chunk));
        return;
    }
    for (size_t i = 0, n_launched = 0; i < n_chunks; i++) {
        flight *f = &flights[i % FLIGHTS];
        double times;
        for (; n_launched < n_chunks && n_launched < i + FLIGHTS; n_launched++)
            launch(&flights[n_launched % FLIGHTS], n_launched);
        if (!is_over(f, &times)) {
            give(f);
            count(f->begin, f->end);
            continue;
        }
        /* In pieces, which take the places of chunks under way: these are done again. */
        const uint32_t step = std::max(1u, (uint32_t)(chunk / (2 * times + 1)));
        for (uint32_t at = f->begin, end = f->end; at < end; at += std::min(step, end - at))
            run_alone(at, at + std::min(step, end - at));
        n_launched = i + 1;
    }
}

} // namespace

static void run_within(kind k, const dpl_device_host *host, const dpl_within *task,
                       dpl_error *err)
{
    if (task->left.n_rows == 0 || task->right.n_rows == 0)
        return;
    if (task->left.n_words > (k == BITS ? 1023 : 4096))
        fail(DPL_E_UNSUPPORTED, "rows of %u words", task->left.n_words);
    search s(k, host, task, err);
    s.run();
}

void within(const dpl_device_host *host, const dpl_within *task, dpl_error *err)
{
    run_within(BITS, host, task, err);
}

void within_bytes(const dpl_device_host *host, const dpl_within *task, dpl_error *err)
{
    run_within(BYTES, host, task, err);
}

} // namespace dpl
