/*
 * nearest.cu - the n nearest rows of every row and every column, all on the device.
 *
 * Every row has a cut, and a pair is kept when it is within the cut of one of its rows. Cuts
 * begin with the n-th nearest of a sample of the other side, or with the distance at which a
 * normal distribution with the mean and deviation of the sample has a few times n of all rows
 * (rows that find fewer are searched again, with the former). They are held beside counts of
 * what was found, by distance: where n were found, the cut falls (compare.cuh). Left rows read
 * theirs with each slab of right rows, right rows between launches: chunks of left rows begin
 * small and double. So a row keeps about n ln(rows / n) pairs. What a launch kept is filtered
 * by the new cuts. Lists are the first n of a row's pairs in order of distance, then number.
 *
 * Counts are of different pairs, so a cut is never too low. The distance of bits is exact. Dot
 * products of numbers are computed with float16 and may be wrong by a known margin: cuts are so
 * much higher, and the products of what is left are computed again as the CPU does.
 */
#include "operations.cuh"
#include "rows.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dpl
{

enum {
    SAMPLE = 2048, /* rows; a multiple of TILE */
    MOST_LIST = 1024,
    SMALL_CHUNK = 2048, /* left rows of the first launch */
    LARGE_CHUNK = 1 << 17,
    EARLY = 16,      /* right tiles that a chunk meets before its cuts are read again */
    EARLY_SLABS = 8, /* as many, in slabs of EARLY */
    COPY = 1 << 20,  /* right rows that are copied at a time */
    MOST_HITS = 1 << 26
};

/* First cuts that most rows keep: lists of n expect n + SPARE sqrt(n) + SPARE of all rows. */
static const float SPARE = 4, TOLERANCE = 0.4f;

/* Deviations above the mean that a normal number exceeds so often. */
static double deviations_of(double share)
{
    double low = 0, high = 38;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::sqrt(2.0)) / 2 > share ? low : high) = middle;
    }
    return low;
}

struct near_counters {
    uint32_t next, unused;
    unsigned long long n_hits, n_left, n_right, n_kept;
};

/* ---- first cuts ------------------------------------------------------------------------- */

static __global__ void find_places(uint32_t *places, const uint32_t *order, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && order[i] != UINT32_MAX)
        places[order[i]] = i;
}

/* Tiles of n_sample rows of others, a multiple of TILE, evenly spread over their numbers. */
static __global__ void gather(unsigned char *tiles, int2 *numbers, uint32_t n_sample,
                              const unsigned char *others, const int2 *other_numbers,
                              const uint32_t *places, uint32_t n_others, uint32_t n_lines)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 8, c = i % 8;
    if (row >= n_sample)
        return;
    const uint32_t from = places[(uint64_t)row * n_others / n_sample];
    const uint32_t r = row % TILE, q = from % TILE;
    for (uint32_t line = 0; line < n_lines; line++)
        *(uint4 *)(tiles + ((size_t)(row / TILE) * n_lines + line) * SLICE + (size_t)r * LINE +
                   ((c ^ (r & 7)) << 4)) =
            *(const uint4 *)(others + ((size_t)(from / TILE) * n_lines + line) * SLICE +
                             (size_t)q * LINE + ((c ^ (q & 7)) << 4));
    if (c == 0)
        numbers[row] = other_numbers[from];
}

/* How first cuts come from a sample. */
struct first_cuts {
    uint32_t n_sample, rank, cut, slack;
    /* Deviations below the mean at which normal distances have that rank in the sample, and
     * at which all rows have a few times as many as a list wants; 0: as in the sample. */
    float z_rank, z_all;
};

/* base: the rank-th smallest of each row's distances, at most cut; a warp for a row. Where the
 * near end of the distances is at least as heavy as that of a normal distribution, what such
 * a one has at z_all, if that is less: most rows have a full list within it. */
static __global__ void choose_base(uint16_t *base, const uint16_t *distances, uint32_t n,
                                   const first_cuts f)
{
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    uint32_t two[SAMPLE / 64]; /* distances of this lane, two in a word */
    const uint32_t *all = (const uint32_t *)(distances + (size_t)row * SAMPLE);
#pragma unroll
    for (uint32_t i = 0; i < SAMPLE / 64; i++)
        two[i] = i * 64 + lane * 2 < f.n_sample ? all[i * 32 + lane] : ~0u;
    uint32_t low = 0, high = f.cut;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        uint32_t count = 0;
#pragma unroll
        for (uint32_t i = 0; i < SAMPLE / 64; i++)
            count += ((two[i] & 0xFFFF) <= middle) + (two[i] >> 16 <= middle);
        for (int i = 16; i; i /= 2)
            count += __shfl_xor_sync(~0u, count, i);
        if (count >= f.rank)
            high = middle;
        else
            low = middle + 1;
    }
    float sum = 0, squares = 0; /* of what is above the cut of that rank */
#pragma unroll
    for (uint32_t i = 0; i < SAMPLE / 64; i++)
        if (i * 64 + lane * 2 < f.n_sample) {
            const float a = (float)(int)((two[i] & 0xFFFF) - low),
                        b = (float)(int)((two[i] >> 16) - low);
            sum += a + b;
            squares += a * a + b * b;
        }
    for (int i = 16; i; i /= 2) {
        sum += __shfl_xor_sync(~0u, sum, i);
        squares += __shfl_xor_sync(~0u, squares, i);
    }
    const float mean = sum / f.n_sample,
                deviation = sqrtf(fmaxf(squares / f.n_sample - mean * mean, 0.f));
    uint32_t here = low + f.slack;
    if (f.z_all > 0 && mean >= (f.z_rank - TOLERANCE) * deviation) {
        const float far = ceilf(low + mean - f.z_all * deviation) + f.slack;
        here = min(here, (uint32_t)fmaxf(far, 0.f));
    }
    if (lane == 0)
        base[row] = (uint16_t)min(here, f.cut);
}

static __global__ void fill(uint16_t *base, uint32_t n, uint16_t value)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        base[i] = value;
}

/* ---- cuts from counts ------------------------------------------------------------------- */

/* Cuts by number of the row, `own` and the least of each tile; a warp for a tile. */
template <kind K>
static __global__ void refresh(numbers<K> *all, numbers<K> *least, const uint32_t *order,
                               const uint32_t *counts, const uint16_t *base, uint16_t *cuts,
                               uint8_t *is_short, uint32_t most, uint32_t n_tiles, uint32_t n,
                               uint32_t width, uint32_t margin)
{
    const uint32_t tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (tile >= n_tiles)
        return;
    typedef typename kind_of<K>::sum sum;
    const job none = {};
    numbers<K> lowest = {(sum)FAR, (sum)FAR};
    for (uint32_t i = lane; i < TILE; i += 32) {
        const uint32_t at = tile * TILE + i, row = order[at];
        numbers<K> two = {(sum)FAR, (sum)FAR};
        if (row != UINT32_MAX) {
            const uint4 *fours = (const uint4 *)(counts + (size_t)at * BINS);
            uint32_t found = 0, bin = 0;
            for (int i = BINS / 4 - 1; i >= 0 && found < n; i--) {
                const uint4 f = fours[i];
                const uint32_t c[4] = {f.x, f.y, f.z, f.w};
                for (int k = 3; k >= 0 && found < n; k--) {
                    found += c[k];
                    bin = found >= n ? 4 * i + k : 0;
                }
            }
            const uint32_t cut = min(base[at] - bin * width + margin, 65535u);
            cuts[row] = (uint16_t)cut;
            is_short[row] = found < n && base[at] < most;
            two.with = all[at].with;
            two.own = own_of<K>(none, two.with, cut);
        }
        all[at] = two;
        lowest.with = min(lowest.with, two.with);
        lowest.own = min(lowest.own, two.own);
    }
    for (int i = 16; i; i /= 2) {
        lowest.with = min(lowest.with, __shfl_xor_sync(~0u, lowest.with, i));
        lowest.own = min(lowest.own, __shfl_xor_sync(~0u, lowest.own, i));
    }
    if (lane == 0)
        least[tile] = lowest;
}

/* ---- pairs to lists ---------------------------------------------------------------------- */

struct filter_job {
    const uint64_t *hits;
    near_counters *count;
    unsigned long long cap;
    const uint32_t *left_order, *right_order;
    const uint16_t *left_cuts, *right_cuts; /* by number of the row; NULL: not wanted */
    uint64_t *to_left, *to_right;           /* keys: row, distance, partner */
    unsigned long long cap_left, cap_right;
    uint32_t base;             /* of left rows */
    int left_bits, right_bits; /* of partners */
    bool is_self;
};

/* Keeps what is within the new cut, for each side. */
static __global__ void filter(const filter_job f)
{
    const unsigned long long n = min(f.count->n_hits, f.cap);
    const unsigned lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
         i - lane < n; i += (unsigned long long)gridDim.x * blockDim.x) {
        const uint64_t hit = i < n ? f.hits[i] : NO_PAIR;
        bool to_left = false, to_right = false;
        uint32_t left = 0, right = 0, steps = (uint32_t)(hit & 0xFFFF);
        if (hit != NO_PAIR) {
            left = f.left_order[hit >> (RIGHT_BITS + STEP_BITS)];
            right = f.right_order[(uint32_t)(hit >> STEP_BITS) & ((1u << RIGHT_BITS) - 1)];
            to_left = f.left_cuts && steps <= f.left_cuts[left - f.base];
            to_right = f.right_cuts && steps <= f.right_cuts[right];
        }
        unsigned long long at[2] = {0, 0};
        const unsigned masks[2] = {__ballot_sync(~0u, to_left), __ballot_sync(~0u, to_right)};
        unsigned long long *const counters[2] = {
            f.is_self ? &f.count->n_right : &f.count->n_left, &f.count->n_right};
#pragma unroll
        for (int side = 0; side < 2; side++) {
            if (lane == 0 && masks[side])
                at[side] = atomicAdd(counters[side], (unsigned long long)__popc(masks[side]));
            at[side] = __shfl_sync(~0u, at[side], 0) + __popc(masks[side] & ((1u << lane) - 1));
        }
        if (to_left && at[0] < (f.is_self ? f.cap_right : f.cap_left))
            (f.is_self ? f.to_right : f.to_left)[at[0]] =
                (uint64_t)(left - f.base) << (STEP_BITS + f.right_bits) |
                (uint64_t)steps << f.right_bits | right;
        if (to_right && at[1] < f.cap_right)
            f.to_right[at[1]] = (uint64_t)right << (STEP_BITS + f.left_bits) |
                                (uint64_t)steps << f.left_bits | left;
    }
}

/* Keys that are within the newest cut. */
static __global__ void keep(uint64_t *out, unsigned long long *n_out, const uint64_t *keys,
                            unsigned long long n, const uint16_t *cuts, int partner_bits)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
         i - lane < n; i += (unsigned long long)gridDim.x * blockDim.x) {
        const uint64_t key = i < n ? keys[i] : 0;
        const bool is_kept =
            i < n && (key >> partner_bits & 0xFFFF) <= cuts[key >> (STEP_BITS + partner_bits)];
        const unsigned mask = __ballot_sync(~0u, is_kept);
        unsigned long long at = 0;
        if (lane == 0 && mask)
            at = atomicAdd(n_out, (unsigned long long)__popc(mask));
        at = __shfl_sync(~0u, at, 0) + __popc(mask & ((1u << lane) - 1));
        if (is_kept)
            out[at] = key;
    }
}

/* The first n of each row, of keys in order; lists are empty before. */
static __global__ void fill_lists(dpl_neighbour *lists, const uint64_t *keys,
                                  unsigned long long n_keys, uint32_t n, int partner_bits)
{
    const unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i >= n_keys)
        return;
    const uint64_t key = keys[i], row = key >> (STEP_BITS + partner_bits);
    if (i >= n && keys[i - n] >> (STEP_BITS + partner_bits) == row)
        return;
    uint32_t rank = 0;
    while (rank < i && keys[i - rank - 1] >> (STEP_BITS + partner_bits) == row)
        rank++;
    dpl_neighbour found = {(uint32_t)(key & (((uint64_t)1 << partner_bits) - 1)),
                           (uint32_t)(key >> partner_bits & 0xFFFF)};
    lists[row * n + rank] = found;
}

/* ---- dot products ------------------------------------------------------------------------ */

/* The first place of keys in order whose row is at least this. */
static __device__ unsigned long long first_of(const uint64_t *keys, unsigned long long n,
                                              uint64_t row, int shift)
{
    unsigned long long low = 0, high = n;
    while (low < high) {
        const unsigned long long middle = (low + high) / 2;
        if (keys[middle] >> shift < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The n best of a row's candidates by their true products; a warp for a row. */
static __global__ void score_lists(dpl_dot_neighbour *lists, uint32_t n_rows,
                                   const uint64_t *keys, unsigned long long n_keys, uint32_t n,
                                   int partner_bits, const float *values, uint32_t first,
                                   const float *others, uint32_t dim, float least)
{
    extern __shared__ dpl_dot_neighbour shared_lists[];
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n_rows)
        return;
    dpl_dot_neighbour *own = shared_lists + threadIdx.x / 32 * n;
    const int shift = STEP_BITS + partner_bits;
    const unsigned long long begin = first_of(keys, n_keys, row, shift),
                             end = first_of(keys, n_keys, (uint64_t)row + 1, shift);
    uint32_t n_own = 0; /* in lane 0 */
    for (unsigned long long i = begin; i < end; i += 2) {
        const unsigned long long mine = min(i + lane / 16, end - 1);
        const uint32_t partner = (uint32_t)(keys[mine] & (((uint64_t)1 << partner_bits) - 1));
        const float dot =
            dot_of(values + (size_t)(first + row) * dim, others + (size_t)partner * dim, dim);
        for (int k = 0; k < 2 && i + k < end; k++) {
            const dpl_dot_neighbour x = {__shfl_sync(~0u, partner, 16 * k),
                                         __shfl_sync(~0u, dot, 16 * k)};
            if (lane != 0 || !(x.dot >= least))
                continue;
            uint32_t at = n_own < n ? n_own++ : n;
            if (at == n) {
                const dpl_dot_neighbour last = own[n - 1];
                if (last.dot > x.dot || (last.dot == x.dot && last.row < x.row))
                    continue;
                at = n - 1;
            }
            for (; at > 0 && (own[at - 1].dot < x.dot ||
                              (own[at - 1].dot == x.dot && own[at - 1].row > x.row));
                 at--)
                own[at] = own[at - 1];
            own[at] = x;
        }
    }
    if (lane == 0)
        for (uint32_t i = 0; i < n; i++) {
            const dpl_dot_neighbour none = {DPL_NO_ROW, 0};
            lists[(size_t)row * n + i] = i < n_own ? own[i] : none;
        }
}

namespace
{

/* What is searched, of either kind of rows. */
struct wanted {
    uint32_t n_left, n_right, n_words, n;
    bool is_self;
    bool is_whole; /* first cuts are those of the sample: no list is short */
    uint32_t cut;  /* steps */
    const uint64_t *left, *right;
    dpl_neighbour *of_left, *of_right;
    /* HALVES; lists are dpl_dot_neighbour */
    const float *left_values, *right_values;
    uint32_t dim;
    float least;
};

struct chunk {
    uint32_t begin, end, tile, n_tiles;
};

/* Cuts and counts of the rows of one side. */
struct cuts_of {
    buffer<uint32_t> counts;     /* by place */
    buffer<uint16_t> base, cuts; /* by place, by number */
    buffer<uint8_t> is_short;    /* by number: fewer than n within a first cut */
};

template <kind K>
class nearest_search
{
  public:
    nearest_search(const dpl_device_host *h, const wanted *t, dpl_error *e);
    void run();
    /* Numbers of the rows of a side whose lists may lack some: their first cut was too low. */
    std::vector<uint32_t> short_rows(int side);

  private:
    const dpl_device_host *host;
    const wanted *task;
    dpl_error *err;
    lease engine;
    cudaStream_t stream;
    compare_fn *compare;
    uint32_t n_words, n_left, n_right, n, cut, width, margin;
    bool is_self;
    int left_bits, right_bits;
    rows left, right;
    cuts_of left_cuts, right_cuts;
    std::vector<chunk> chunks;
    unsigned long long cap, cap_left, cap_right, n_kept;
    buffer<uint64_t> hits, keys_left[2], keys_right[2];
    buffer<dpl_neighbour> lists;
    buffer<float> left_values, right_values; /* HALVES */
    buffer<unsigned char> scratch;
    uint32_t *stop;
    near_counters *count, *counted;
    dpl_progress progress;

    void take_memory();
    void copy_rows();
    void estimate(rows &of, uint32_t n_rows, cuts_of &c, const rows &others, uint32_t n_others,
                  bool is_wanted);
    void refresh_cuts(rows &of, cuts_of &c, uint32_t tile, uint32_t n_tiles);
    void meet(const chunk &l, uint32_t first, uint32_t end, uint32_t slab, bool counts);
    void prune();
    void give(dpl_neighbour *out, uint32_t first, size_t n_rows, int side, uint64_t *a,
              uint64_t *b, unsigned long long n_keys);
    void copy_values(buffer<float> &to, const float *from, uint32_t n_rows);
    uint32_t append(rows &to, int side, uint32_t at, uint32_t n_rows);
    void wait();
};

template <kind K>
nearest_search<K>::nearest_search(const dpl_device_host *h, const wanted *t, dpl_error *e)
    : host(h), task(t), err(e), stream(engine->stream), compare(compare_for(K)),
      n_words(t->n_words), n_left(t->n_left), n_right(t->n_right), n(t->n), cut(t->cut),
      margin(0), is_self(t->is_self), n_kept(0)
{
    const double d = 64.0 * n_words;
    width = K == BITS ? (uint32_t)std::ceil(2.8 * std::sqrt(d) / 2 / (BINS - 2)) : 64;
    if (K == HALVES) /* rounding of both factors, and of sums; and of steps */
        margin = (uint32_t)std::ceil(2 * (1.0e-3 + 1.2e-7 * task->dim) * HALF_STEPS) + 2;
    stop = engine->numbers + N_COUNTERS - 1;
    count = (near_counters *)engine->numbers;
    counted = (near_counters *)engine->pinned;
    left_bits = bits_of(n_left);
    right_bits = bits_of(n_right);
    progress = {"compare", "comparisons", 0,
                is_self ? (uint64_t)n_left * (n_left - 1) / 2 : (uint64_t)n_left * n_right};
}

template <kind K>
void nearest_search<K>::wait()
{
    check(cudaMemcpyAsync(counted, count, sizeof *count, cudaMemcpyDeviceToHost, stream),
          "counters");
    check(cudaEventRecord(engine->events[0], stream), "events");
    wait_for(host, engine->events[0], &progress, err, stop, engine->side);
}

template <kind K>
void nearest_search<K>::take_memory()
{
    const uint64_t memory = device_memory(host);
    const uint64_t n_rows = (is_self ? 0 : aligned(n_left)) + aligned(n_right) + 64ull * ALIGN +
                            (n_left + n_right) / (LARGE_CHUNK / ALIGN);
    uint64_t used = n_rows * (rows::row_bytes(K, n_words) + 4 * BINS + 8) +
                    2 * rows::part_bytes(std::min<uint64_t>(COPY, n_right), n_words) +
                    (K == HALVES ? ((is_self ? 0ull : n_left) + n_right) * task->dim * 4 : 0) +
                    (512ull << 20);
    if (used > memory)
        fail(DPL_E_UNSUPPORTED, "rows that do not fit into the memory of device 'cuda'");
    const uint64_t lists_bytes =
        std::max<uint64_t>(std::min<uint64_t>(n_left, LARGE_CHUNK), n_right) * n * 8;
    used += lists_bytes;
    cap_left = is_self ? 1 : (uint64_t)LARGE_CHUNK * n * 2 + (1 << 22);
    cap = std::min<uint64_t>(MOST_HITS, (uint64_t)n_left * n_right + (1 << 19));
    for (;; cap /= 2) { /* hits of a launch; all of them may stay */
        cap_left = is_self ? 1 : (uint64_t)LARGE_CHUNK * n * 2 + 2 * cap;
        cap_right = 3ull * n_right * n + 3 * cap;
        if (used + 8 * cap + 16 * (cap_left + cap_right) + 32 * cap <= memory)
            break;
        if (cap < 1 << 21)
            fail(DPL_E_UNSUPPORTED, "lists that do not fit into the memory of device 'cuda'");
    }
    hits.make(cap, stream);
    for (int i = 0; i < 2; i++) {
        keys_left[i].make(cap_left, stream);
        keys_right[i].make(cap_right, stream);
    }
    lists.make((size_t)(lists_bytes / 8), stream);
}

template <kind K>
void nearest_search<K>::copy_values(buffer<float> &to, const float *from, uint32_t n_rows)
{
    send_numbers(to, from, n_rows, task->dim, (int *)(count + 1), stream);
}

template <kind K>
uint32_t nearest_search<K>::append(rows &to, int side, uint32_t at, uint32_t n_rows)
{
    if (K == HALVES)
        return to.append_numbers((side ? right_values : left_values) + (size_t)at * task->dim,
                                 task->dim, n_rows, at);
    return to.append((side ? task->right : task->left) + (size_t)at * n_words, n_rows, at);
}

template <kind K>
void nearest_search<K>::copy_rows()
{
    if (K == HALVES) {
        copy_values(right_values, task->right_values, n_right);
        if (!is_self)
            copy_values(left_values, task->left_values, n_left);
    }
    rows &lefts = is_self ? right : left;
    const uint64_t n_chunks = 64 + n_left / LARGE_CHUNK;
    right.make(K, n_right + (is_self ? n_chunks : n_right / COPY + 2ull) * ALIGN, n_words,
               stream);
    if (!is_self) {
        left.make(K, n_left + n_chunks * ALIGN, n_words, stream);
        for (uint32_t at = 0, m; at < n_right; at += m) {
            m = std::min<uint32_t>(COPY, n_right - at);
            append(right, 1, at, m);
        }
    }
    uint32_t size = SMALL_CHUNK;
    for (uint32_t at = 0, m; at < n_left; at += m) {
        m = std::min(size, n_left - at);
        const uint32_t tile = append(lefts, is_self ? 1 : 0, at, m);
        chunks.push_back({at, at + m, tile, lefts.n_tiles - tile});
        size = at == 0 ? size : std::min<uint32_t>(2 * size, LARGE_CHUNK);
    }
}

/* First cuts: of n_others rows, some; a row may be among them itself. Rows that want no lists
 * have cuts of 0. */
template <kind K>
void nearest_search<K>::estimate(rows &of, uint32_t n_rows, cuts_of &c, const rows &others,
                                 uint32_t n_others, bool is_wanted)
{
    const uint32_t n_places = of.n_tiles * TILE, rank = n + is_self;
    c.counts.make((size_t)n_places * BINS, stream);
    c.base.make(n_places, stream);
    c.cuts.make(n_rows, stream);
    c.is_short.make(n_rows, stream);
    check(cudaMemsetAsync(c.counts, 0, c.counts.size() * 4, stream), "counts");
    const uint32_t n_sample = std::min<uint32_t>(SAMPLE, n_others / TILE * TILE);
    if (!is_wanted || n_sample < 2 * rank) { /* or lists take many of the rows */
        fill<<<(n_places + 255) / 256, 256, 0, stream>>>(c.base, n_places,
                                                         (uint16_t)(is_wanted ? cut : 0));
    } else {
        enum { AT_ONCE = 1 << 16 };
        buffer<uint32_t> places;
        buffer<uint16_t> distances;
        rows sample;
        const double all = (n + SPARE * std::sqrt((double)n) + SPARE) / n_others,
                     some = (double)rank / n_sample;
        const first_cuts f = {n_sample,
                              rank,
                              cut,
                              K == HALVES ? 8u : 0u,
                              (float)deviations_of(some),
                              !task->is_whole && all < some ? (float)deviations_of(all) : 0.f};
        places.make(n_others, stream);
        distances.make((size_t)AT_ONCE * SAMPLE, stream);
        sample.make(K, n_sample, n_words, stream);
        sample.n_tiles = n_sample / TILE;
        find_places<<<(others.n_tiles * TILE + 255) / 256, 256, 0, stream>>>(
            places, others.order, others.n_tiles * TILE);
        gather<<<(n_sample * 8 + 255) / 256, 256, 0, stream>>>(
            sample.tiles, sample.all_numbers, n_sample, others.tiles, others.all_numbers,
            places, n_others, of.n_lines);
        for (uint32_t at = 0; at < n_places; at += AT_ONCE) {
            const uint32_t m = std::min<uint32_t>(AT_ONCE, n_places - at);
            job j = make_job(of, at / TILE, m / TILE, sample, 0, sample.n_tiles, -1);
            j.next = &count->next;
            j.stop = stop;
            j.n_out = &count->n_hits;
            check(cudaMemsetAsync(count, 0, 16, stream), "counters");
            check(write_steps(K, j, distances, SAMPLE, facts().n_processors, stream),
                  "first cuts");
            choose_base<<<(m + 7) / 8, 256, 0, stream>>>(c.base + at, distances, m, f);
        }
    }
    check(cudaGetLastError(), "first cuts");
    refresh_cuts(of, c, 0, of.n_tiles);
}

template <kind K>
void nearest_search<K>::refresh_cuts(rows &of, cuts_of &c, uint32_t tile, uint32_t n_tiles)
{
    const size_t at = (size_t)tile * TILE;
    refresh<K><<<(n_tiles + 7) / 8, 256, 0, stream>>>(
        (numbers<K> *)(of.all_numbers + at), (numbers<K> *)(of.all_least + tile), of.order + at,
        c.counts + at * BINS, c.base + at, c.cuts, c.is_short, cut, n_tiles, n, width, margin);
    check(cudaGetLastError(), "cuts");
}

/* Keys of right rows beyond their cuts go. */
template <kind K>
void nearest_search<K>::prune()
{
    check(cudaMemsetAsync(&count->n_kept, 0, sizeof count->n_kept, stream), "counters");
    keep<<<facts().n_processors * 8, 256, 0, stream>>>(
        keys_right[1], &count->n_kept, keys_right[0], n_kept, right_cuts.cuts, left_bits);
    check(cudaGetLastError(), "pairs");
    wait();
    n_kept = counted->n_kept;
    check(cudaMemcpyAsync(keys_right[0], keys_right[1], n_kept * 8, cudaMemcpyDeviceToDevice,
                          stream),
          "pairs");
    check(cudaMemcpyAsync(&count->n_right, &count->n_kept, 8, cudaMemcpyDeviceToDevice, stream),
          "counters");
}

/* A chunk with right tiles [first, end). */
template <kind K>
void nearest_search<K>::meet(const chunk &l, uint32_t first, uint32_t end, uint32_t slab,
                             bool counts)
{
    if (first >= end)
        return;
    if (n_kept + 2 * cap > cap_right) {
        prune();
        if (n_kept + 2 * cap > cap_right)
            fail(DPL_E_UNSUPPORTED, "too many rows are equally near");
    }
    rows &lefts = is_self ? right : left;
    cuts_of &c = is_self ? right_cuts : left_cuts;
    const size_t at = (size_t)l.tile * TILE;
    job j =
        make_job(lefts, l.tile, l.n_tiles, right, first, end, is_self ? (int64_t)l.tile : -1);
    j.slab = slab ? std::min(slab, j.slab) : j.slab;
    j.left.counts = c.counts + at * BINS;
    j.left.base = c.base + at;
    j.right.counts = right_cuts.counts;
    j.right.base = right_cuts.base;
    j.refreshes = true;
    j.counts = counts;
    j.n = n;
    j.width = width;
    j.margin = margin;
    j.next = &count->next;
    j.stop = stop;
    j.out = hits;
    j.cap = cap;
    j.n_out = &count->n_hits;
    check(cudaMemsetAsync(count, 0, 16, stream), "counters"); /* next and n_hits */
    check(compare(j, facts().n_processors, stream), "comparison");
    refresh_cuts(right, right_cuts, first, end - first);
    refresh_cuts(lefts, c, l.tile, l.n_tiles);
    const filter_job f = {hits,
                          count,
                          cap,
                          lefts.order + at,
                          right.order,
                          is_self         ? right_cuts.cuts.get()
                          : task->of_left ? left_cuts.cuts + l.begin
                                          : nullptr,
                          is_self || task->of_right ? right_cuts.cuts.get() : nullptr,
                          keys_left[0],
                          keys_right[0],
                          cap_left,
                          cap_right,
                          is_self ? 0 : l.begin,
                          left_bits,
                          right_bits,
                          is_self};
    wait();
    if (counted->n_hits <= cap) {
        filter<<<facts().n_processors * 8, 256, 0, stream>>>(f);
        check(cudaGetLastError(), "pairs");
        wait();
        n_kept = counted->n_right;
        if (n_kept > cap_right || counted->n_left > cap_left)
            fail(DPL_E_UNSUPPORTED, "too many rows are equally near");
        return;
    }
    if (counts) /* the cuts are lower now */
        return meet(l, first, end, slab, false);
    if (end - first <= 2)
        fail(DPL_E_UNSUPPORTED, "too many rows are equally near");
    const uint32_t half = first + std::max(2u, (end - first) / 4 * 2);
    meet(l, first, half, slab, false);
    meet(l, half, end, slab, false);
}

/* Keys in any order to the lists of rows [first, first + n_rows) of a side. */
template <kind K>
void nearest_search<K>::give(dpl_neighbour *out, uint32_t first, size_t n_rows, int side,
                             uint64_t *a, uint64_t *b, unsigned long long n_keys)
{
    static_assert(sizeof(dpl_neighbour) == sizeof(dpl_dot_neighbour), "lists of either kind");
    const int partner_bits = side ? left_bits : right_bits, row_bits = bits_of(n_rows);
    const uint64_t *keys = a;
    if (n_keys)
        keys = sort_numbers(scratch, a, b, (size_t)n_keys, 0,
                            partner_bits + STEP_BITS + row_bits, stream);
    if (K == HALVES) {
        const float *own = side || is_self ? right_values.get() : left_values.get(),
                    *others = side && !is_self ? left_values.get() : right_values.get();
        score_lists<<<(unsigned)((n_rows + 7) / 8), 256, 8 * n * sizeof(dpl_dot_neighbour),
                      stream>>>((dpl_dot_neighbour *)lists.get(), (uint32_t)n_rows, keys,
                                n_keys, n, partner_bits, own, first, others, task->dim,
                                task->least);
    } else {
        check(cudaMemsetAsync(lists, 0xFF, n_rows * n * sizeof *out, stream), "lists");
        if (n_keys)
            fill_lists<<<(unsigned)((n_keys + 255) / 256), 256, 0, stream>>>(
                lists, keys, n_keys, n, partner_bits);
    }
    check(cudaGetLastError(), "lists");
    fetch(out, lists, n_rows * n * sizeof *out, stream);
}

template <kind K>
void nearest_search<K>::run()
{
    if (left_bits + right_bits + STEP_BITS > 64)
        fail(DPL_E_UNSUPPORTED, "so many rows");
    take_memory();
    copy_rows();
    if (!is_self)
        estimate(left, n_left, left_cuts, right, n_right, task->of_left != nullptr);
    estimate(right, n_right, right_cuts, is_self ? right : left, is_self ? n_right : n_left,
             is_self || task->of_right);
    for (const chunk &l : chunks) {
        const uint32_t first = is_self ? l.tile : 0, end = right.n_tiles;
        const uint32_t one = std::min<uint32_t>(end, first + EARLY),
                       two = std::min<uint32_t>(end, one + EARLY * EARLY_SLABS);
        check(cudaMemsetAsync(&count->n_left, 0, sizeof count->n_left, stream), "counters");
        meet(l, first, one, 2, true);
        meet(l, one, two, EARLY, true);
        meet(l, two, end, 0, true);
        if (!is_self && task->of_left) {
            give(task->of_left + (size_t)l.begin * n, l.begin, l.end - l.begin, 0, keys_left[0],
                 keys_left[1], counted->n_left);
        }
        const uint64_t n_here = l.end - l.begin;
        progress.done +=
            is_self ? n_here * (n_right - l.end) + n_here * (n_here - 1) / 2 : n_here * n_right;
        check(host->progress(host->ctx, &progress, err));
    }
    if (is_self || task->of_right) {
        prune();
        check(cudaStreamSynchronize(stream), "lists");
        dpl_neighbour *out = task->of_right ? task->of_right : task->of_left;
        give(out, 0, n_right, 1, keys_right[0], keys_right[1], n_kept);
    }
    check(cudaStreamSynchronize(stream), "lists");
}

template <kind K>
std::vector<uint32_t> nearest_search<K>::short_rows(int side)
{
    const cuts_of &c = side || is_self ? right_cuts : left_cuts;
    std::vector<uint8_t> is_short(c.is_short.size());
    fetch(is_short.data(), c.is_short, is_short.size(), stream);
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < is_short.size(); i++)
        if (is_short[i])
            numbers.push_back(i);
    return numbers;
}

/* Lists of some rows of a side by a search of their own. */
template <kind K>
void search_again(const dpl_device_host *host, const wanted *task, int side,
                  const std::vector<uint32_t> &numbers, dpl_error *err)
{
    wanted w = *task;
    const uint32_t n_extra = task->is_self; /* a row finds itself */
    const size_t n_rows = numbers.size(), n_words = K == HALVES ? 0 : task->n_words,
                 dim = K == HALVES ? task->dim : 0;
    std::vector<uint64_t> words(n_rows * n_words);
    std::vector<float> values(n_rows * dim);
    const uint64_t *own_words = side ? task->right : task->left;
    const float *own_values = side ? task->right_values : task->left_values;
    for (size_t i = 0; i < n_rows; i++) {
        if (K == HALVES)
            std::copy_n(own_values + numbers[i] * dim, dim, &values[i * dim]);
        else
            std::copy_n(own_words + numbers[i] * n_words, n_words, &words[i * n_words]);
    }
    w.is_whole = true;
    w.is_self = false;
    w.n = task->n + n_extra;
    w.n_left = (uint32_t)n_rows;
    w.left = words.data();
    w.left_values = values.data();
    if (side && !task->is_self) {
        w.n_right = task->n_left;
        w.right = task->left;
        w.right_values = task->left_values;
    }
    std::vector<dpl_neighbour> lists(n_rows * w.n);
    w.of_left = lists.data();
    w.of_right = nullptr;
    {
        nearest_search<K> s(host, &w, err);
        s.run();
    }
    for (size_t i = 0; i < n_rows; i++) {
        const dpl_neighbour *from = &lists[i * w.n];
        dpl_neighbour *to =
            (side ? task->of_right : task->of_left) + (size_t)numbers[i] * task->n;
        for (uint32_t k = 0, n = 0; n < task->n; k++)
            if (!task->is_self || from[k].row != numbers[i])
                to[n++] = from[k];
    }
}

/* Most rows find their lists within cuts from a sample; the others are searched again. */
template <kind K>
void search(const dpl_device_host *host, const wanted *task, dpl_error *err)
{
    const bool has[2] = {task->of_left != nullptr, task->of_right != nullptr};
    std::vector<uint32_t> again[2];
    {
        nearest_search<K> s(host, task, err);
        s.run();
        for (int side = 0; side < 2; side++)
            if (has[side])
                again[side] = s.short_rows(side);
    }
    const bool is_both = task->is_self && has[0] && has[1];
    for (int side = is_both; side < 2; side++)
        if (!again[side].empty())
            search_again<K>(host, task, side, again[side], err);
    if (is_both)
        std::copy_n(task->of_right, (size_t)task->n_right * task->n, task->of_left);
}

} // namespace

void nearest(const dpl_device_host *host, const dpl_nearest *task, dpl_error *err)
{
    const uint32_t n_words = task->left.n_words;
    if (n_words > 767 || task->n > MOST_LIST)
        fail(DPL_E_UNSUPPORTED, "rows of %u words, lists of %u", n_words, task->n);
    if (task->n == 0 || (!task->of_left && !task->of_right))
        return;
    if (task->left.n_rows == 0 || task->right.n_rows == 0) {
        const dpl_neighbour none = {DPL_NO_ROW, DPL_NO_ROW};
        if (task->of_left)
            std::fill_n(task->of_left, (size_t)task->left.n_rows * task->n, none);
        if (task->of_right)
            std::fill_n(task->of_right, (size_t)task->right.n_rows * task->n, none);
        return;
    }
    wanted w = {};
    w.n_left = task->left.n_rows;
    w.n_right = task->right.n_rows;
    w.n_words = n_words;
    w.n = task->n;
    w.is_self = task->is_self;
    w.cut = std::min(task->cut, 64 * n_words);
    w.left = task->left.words;
    w.right = task->right.words;
    w.of_left = task->of_left;
    w.of_right = task->of_right;
    search<BITS>(host, &w, err);
}

void dots_nearest(const dpl_device_host *host, const dpl_dots_nearest *task, dpl_error *err)
{
    enum { MOST_DIM = 1536, MOST_DOTS = 256 };
    const uint32_t dim = task->left.dim;
    if (dim == 0 || dim > MOST_DIM || task->n > MOST_DOTS)
        fail(DPL_E_UNSUPPORTED, "rows of %u numbers, lists of %u", dim, task->n);
    if (task->n == 0 || (!task->of_left && !task->of_right))
        return;
    if (task->left.n_rows == 0 || task->right.n_rows == 0)
        fail(DPL_E_UNSUPPORTED, "no rows");
    wanted w = {};
    w.n_left = task->left.n_rows;
    w.n_right = task->right.n_rows;
    w.n_words = (dim + 3) / 4;
    w.n = task->n;
    w.is_self = task->is_self;
    w.cut = (uint32_t)std::min(
        65000.0, std::max(0.0, std::ceil((1.0 - (double)task->least + 2e-3) * HALF_STEPS)));
    w.left_values = task->left.weights;
    w.right_values = task->right.weights;
    w.of_left = (dpl_neighbour *)task->of_left;
    w.of_right = (dpl_neighbour *)task->of_right;
    w.dim = dim;
    w.least = task->least;
    search<HALVES>(host, &w, err);
}

} // namespace dpl
