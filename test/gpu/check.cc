// check.cc - tests of a device plugin by itself, for a machine that has the device and little
// else: every operation on random rows against a plain loop, at sizes around tiles and with all
// sorts of cuts. Links with nothing of the library.
//
//     c++ -std=c++17 -O2 -march=native -ffp-contract=off -pthread -I include test/gpu/check.cc
//     -o check -ldl
//     ./check build/cuda/libdoppel_cuda.so [SEED [quick]]
#include "doppel/device.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <vector>

static int n_failed, n_checks;
static bool is_quick; // a third of the sizes
static uint64_t state;

static uint64_t next()
{
    uint64_t x = state += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next() % n);
}

// ---- the library's part --------------------------------------------------------------------

static uint64_t memory = (uint64_t)8 << 30;
static int stop_after = -1;

static uint64_t memory_left(dpl_ctx *)
{
    return memory;
}

static void *resize(dpl_ctx *, void *p, size_t, size_t n)
{
    if (n == 0) {
        free(p);
        return nullptr;
    }
    return realloc(p, n);
}

static dpl_status progress(dpl_ctx *, const dpl_progress *, dpl_error *)
{
    return stop_after >= 0 && stop_after-- == 0 ? DPL_E_STOPPED : DPL_OK;
}

static dpl_device_host host_with(uint64_t device_memory)
{
    dpl_device_host h = DPL_INIT(dpl_device_host);
    h.memory_left = memory_left;
    h.resize = resize;
    h.progress = progress;
    h.device_memory = device_memory;
    return h;
}

template <class F>
static void on_all_threads(uint32_t n, F f)
{
    unsigned n_threads = std::max(1u, std::thread::hardware_concurrency());
    std::atomic<uint32_t> at(0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < n_threads; t++)
        threads.emplace_back([&] {
            for (uint32_t i; (i = at++) < n;)
                f(i);
        });
    for (std::thread &t : threads)
        t.join();
}

static bool expect(bool is_true, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool expect(bool is_true, const char *what, const char *format, ...)
{
    n_checks++;
    if (is_true)
        return true;
    n_failed++;
    printf("FAILED %s: ", what);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    return false;
}

// ---- rows ----------------------------------------------------------------------------------

struct bits {
    std::vector<uint64_t> words;
    dpl_bit_rows rows;
};

// Random rows, of different density; some are near others, some equal.
static bits make_bits(uint32_t n, uint32_t n_words, const bits *like)
{
    bits b;
    b.words.resize((size_t)n * n_words);
    for (uint32_t i = 0; i < n; i++) {
        unsigned density = below(10);
        const uint64_t *from = nullptr;
        if (like && like->rows.n_rows && below(5) == 0)
            from = like->words.data() + (size_t)below(like->rows.n_rows) * n_words;
        else if (i > 0 && below(7) == 0)
            from = b.words.data() + (size_t)below(i) * n_words;
        unsigned noise = below(4);
        for (uint32_t w = 0; w < n_words; w++) {
            uint64_t x = next(), y = next() & next() & next();
            if (density == 0)
                x &= next();
            if (density == 1)
                x |= next();
            if (from)
                x = from[w] ^ (noise == 0 ? 0 : noise == 1 ? y & next() & next() : y);
            b.words[(size_t)i * n_words + w] = x;
        }
    }
    b.rows = {n, n_words, b.words.data()};
    return b;
}

static unsigned distance(const dpl_bit_rows &a, uint32_t i, const dpl_bit_rows &b, uint32_t j,
                         uint32_t n_words)
{
    const uint64_t *x = a.words + (size_t)i * a.n_words, *y = b.words + (size_t)j * b.n_words;
    unsigned n = 0;
    for (uint32_t w = 0; w < n_words; w++)
        n += (unsigned)__builtin_popcountll(x[w] ^ y[w]);
    return n;
}

// ---- within --------------------------------------------------------------------------------

struct taken {
    std::vector<dpl_near_pair> pairs;
    int64_t last = -1;
    bool is_ordered = true;
    int n_calls = 0, fail_at = -1;
};

static dpl_status take(void *user, const dpl_near_pair *pairs, size_t n, dpl_error *)
{
    taken *t = (taken *)user;
    if (t->n_calls++ == t->fail_at)
        return DPL_E_FORMAT;
    if (n == 0 || (int64_t)pairs[0].left <= t->last)
        t->is_ordered = false; // left rows rise, all pairs of one come in one call
    t->last = pairs[n - 1].left;
    t->pairs.insert(t->pairs.end(), pairs, pairs + n);
    return DPL_OK;
}

static void check_within(const dpl_device_table *table, const bits &left, const bits &right,
                         bool is_self, unsigned cut, unsigned first_words, unsigned first_cut,
                         uint64_t device_memory, const char *what)
{
    dpl_device_host host = host_with(device_memory);
    dpl_error err = {};
    taken t;
    dpl_within task = DPL_INIT(dpl_within);
    task.left = left.rows;
    task.right = is_self ? left.rows : right.rows;
    task.is_self = is_self;
    task.cut = cut;
    task.first_words = first_words;
    task.first_cut = first_cut;
    task.take = take;
    task.user = &t;
    dpl_status status = table->within(&host, &task, &err);
    const uint32_t n_words = task.left.n_words, n_right = task.right.n_rows;
    if (!expect(status == DPL_OK, what, "status %d: %s", (int)status, err.text))
        return;
    std::vector<std::vector<dpl_near_pair>> wanted(task.left.n_rows);
    on_all_threads(task.left.n_rows, [&](uint32_t i) {
        for (uint32_t j = is_self ? i + 1 : 0; j < n_right; j++) {
            unsigned d = distance(task.left, i, task.right, j, n_words);
            if (d <= cut && (!first_words ||
                             distance(task.left, i, task.right, j, first_words) <= first_cut))
                wanted[i].push_back({i, j, d});
        }
    });
    size_t at = 0, n_wanted = 0, n_wrong = 0;
    for (const std::vector<dpl_near_pair> &row : wanted)
        for (const dpl_near_pair &p : row) {
            n_wanted++;
            if (at < t.pairs.size() && memcmp(&t.pairs[at], &p, sizeof p) == 0)
                at++;
            else
                n_wrong++;
        }
    expect(n_wrong == 0 && t.pairs.size() == n_wanted && t.is_ordered, what,
           "%u x %u rows of %u words, %s, cut %u, first %u/%u, memory %llu: %zu pairs of %zu, "
           "%zu not in place%s",
           task.left.n_rows, n_right, n_words, is_self ? "one set" : "two sets", cut,
           first_words, first_cut, (unsigned long long)device_memory, t.pairs.size(), n_wanted,
           n_wrong, t.is_ordered ? "" : ", calls not in order");
}

static void check_withins(const dpl_device_table *table)
{
    static const uint32_t words[] = {1, 2, 3, 4, 8, 12, 16, 20, 32, 47, 48, 64, 80, 130};
    for (uint32_t n_words : words)
        for (int i = 0; i < 3; i++) {
            if (is_quick && (n_words + (uint32_t)i) % 3)
                continue;
            uint32_t n_left = i == 0 ? 1 + below(300) : 200 + below(3000),
                     n_right = i == 1 ? 1 + below(300) : 100 + below(4000);
            bits left = make_bits(n_left, n_words, nullptr),
                 right = make_bits(n_right, n_words, &left);
            const unsigned d = 64 * n_words;
            const unsigned cuts[] = {d / 2 - d / 12, d / 5, 0, d / 2};
            for (unsigned cut : cuts)
                for (int is_self = 0; is_self < 2; is_self++)
                    check_within(table, left, right, is_self, cut, 0, 0, 0, "within");
            check_within(table, left, right, false, d / 2 - d / 12, (n_words + 1) / 2, d / 5, 0,
                         "within, first words");
            check_within(table, left, right, true, d / 2 - d / 12, 1, 25, 0,
                         "within, first words");
        }
    // everything is accepted: the output overflows
    bits some = make_bits(9000, 4, nullptr), more = make_bits(7001, 4, &some);
    check_within(table, some, more, false, 256, 0, 0, 0, "within, all pairs");
    check_within(table, some, more, true, 256, 0, 0, 0, "within, all pairs");
    check_within(table, some, more, false, ~0u, 0, 0, (uint64_t)160 << 20,
                 "within, all pairs, overflow");
    check_within(table, some, more, true, 1000, 0, 0, (uint64_t)160 << 20,
                 "within, all pairs, overflow");
    // little memory on the device: slabs
    bits many = make_bits(60000, 16, nullptr), others = make_bits(70001, 16, &many);
    check_within(table, many, others, false, 440, 0, 0, (uint64_t)110 << 20, "within, slabs");
    check_within(table, many, others, true, 440, 0, 0, (uint64_t)110 << 20, "within, slabs");
    // several chunks
    bits large = make_bits(300000, 2, nullptr), small = make_bits(5000, 2, &large);
    check_within(table, large, small, false, 30, 0, 0, 0, "within, chunks");
    check_within(table, small, large, false, 30, 0, 0, 0, "within, chunks");
    bits half = make_bits(150000, 2, nullptr);
    check_within(table, half, half, true, 20, 0, 0, 0, "within, chunks of one set");
    // stops
    dpl_device_host host = host_with(0);
    dpl_error err = {};
    taken t;
    t.fail_at = 0;
    dpl_within task = DPL_INIT(dpl_within);
    task.left = some.rows;
    task.right = more.rows;
    task.cut = 100;
    task.take = take;
    task.user = &t;
    expect(table->within(&host, &task, &err) == DPL_E_FORMAT, "within",
           "take's status is lost");
    stop_after = 0;
    t.fail_at = -1;
    expect(table->within(&host, &task, &err) == DPL_E_STOPPED, "within", "does not stop");
    stop_after = -1;
    task.left.n_rows = 0;
    expect(table->within(&host, &task, &err) == DPL_OK, "within", "no rows");
}

// ---- bytes ---------------------------------------------------------------------------------

// Signed bytes, as if projections of vectors; some rows are near others.
static bits make_bytes(uint32_t n, uint32_t n_words, const bits *like)
{
    bits b;
    b.words.resize((size_t)n * n_words);
    int8_t *all = (int8_t *)b.words.data();
    const size_t dim = 8 * n_words;
    for (uint32_t i = 0; i < n; i++) {
        const int8_t *from = nullptr;
        if (like && below(5) == 0)
            from = (const int8_t *)like->words.data() + below(like->rows.n_rows) * dim;
        for (size_t k = 0; k < dim; k++) {
            int x = (int)below(41) + (int)below(41) + (int)below(41) - 60;
            if (from)
                x = std::max(-127, std::min(127, (3 * from[k] + x) / 3));
            all[i * dim + k] = (int8_t)x;
        }
    }
    b.rows = {n, n_words, b.words.data()};
    return b;
}

static unsigned byte_distance(const dpl_bit_rows &a, uint32_t i, const dpl_bit_rows &b,
                              uint32_t j)
{
    const int8_t *x = (const int8_t *)(a.words + (size_t)i * a.n_words),
                 *y = (const int8_t *)(b.words + (size_t)j * b.n_words);
    int sum = 0, whole = 1024 * 8 * (int)a.n_words;
    for (uint32_t k = 0; k < 8 * a.n_words; k++)
        sum += x[k] * y[k];
    return sum < whole ? (unsigned)(whole - sum) : 0;
}

static unsigned any_distance(bool are_bytes, const dpl_bit_rows &a, uint32_t i,
                             const dpl_bit_rows &b, uint32_t j)
{
    return are_bytes ? byte_distance(a, i, b, j) : distance(a, i, b, j, a.n_words);
}

static void check_within_bytes(const dpl_device_table *table, const bits &left,
                               const bits &right, bool is_self, unsigned cut)
{
    dpl_device_host host = host_with(0);
    dpl_error err = {};
    taken t;
    dpl_within task = DPL_INIT(dpl_within);
    task.left = left.rows;
    task.right = is_self ? left.rows : right.rows;
    task.is_self = is_self;
    task.cut = cut;
    task.take = take;
    task.user = &t;
    dpl_status status = table->within_bytes(&host, &task, &err);
    if (!expect(status == DPL_OK, "bytes", "status %d: %s", (int)status, err.text))
        return;
    std::vector<std::vector<dpl_near_pair>> wanted(task.left.n_rows);
    on_all_threads(task.left.n_rows, [&](uint32_t i) {
        for (uint32_t j = is_self ? i + 1 : 0; j < task.right.n_rows; j++) {
            unsigned d = byte_distance(task.left, i, task.right, j);
            if (d <= cut)
                wanted[i].push_back({i, j, d});
        }
    });
    size_t at = 0, n_wanted = 0, n_wrong = 0;
    for (const std::vector<dpl_near_pair> &row : wanted)
        for (const dpl_near_pair &p : row) {
            n_wanted++;
            if (at < t.pairs.size() && memcmp(&t.pairs[at], &p, sizeof p) == 0)
                at++;
            else
                n_wrong++;
        }
    expect(n_wrong == 0 && t.pairs.size() == n_wanted && t.is_ordered, "bytes",
           "%u x %u rows of %u words, %s, cut %u: %zu pairs of %zu, %zu not in place",
           task.left.n_rows, task.right.n_rows, task.left.n_words,
           is_self ? "one set" : "two sets", cut, t.pairs.size(), n_wanted, n_wrong);
}

// ---- best ----------------------------------------------------------------------------------

// Cuts stay, or fall as pairs come: then all that is within the last cuts must have come.
struct best_user {
    std::vector<uint32_t> cuts[2];
    std::vector<dpl_near_pair> pairs;
    bool falls, is_self;
    uint32_t least;
};

static void read_cuts(void *user, int side, uint32_t first, uint32_t n, uint32_t *out)
{
    best_user *b = (best_user *)user;
    const std::vector<uint32_t> &cuts = b->cuts[b->is_self ? 0 : side];
    std::copy(cuts.begin() + first, cuts.begin() + first + n, out);
}

static dpl_status take_best(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n,
                            dpl_error *)
{
    best_user *b = (best_user *)user;
    if (worker != 0)
        return DPL_E_USAGE;
    b->pairs.insert(b->pairs.end(), pairs, pairs + n);
    for (size_t i = 0; b->falls && i < n; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t &cut =
                b->cuts[b->is_self ? 0 : side][side ? pairs[i].right : pairs[i].left];
            cut = std::max(b->least, cut - cut / 50 - 1);
        }
    return DPL_OK;
}

static void check_best(const dpl_device_table *table, bool are_bytes, const bits &left,
                       const bits &right, bool is_self, bool falls, unsigned low, unsigned high,
                       uint64_t device_memory)
{
    dpl_device_host host = host_with(device_memory);
    dpl_error err = {};
    best_user user;
    const bits &other = is_self ? left : right;
    user.falls = falls;
    user.is_self = is_self;
    user.least = low / 2;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < (side ? other : left).rows.n_rows; i++)
            user.cuts[side].push_back(below(40) == 0 ? high
                                                     : low + below((high - low) / 2 + 1));
    dpl_best task = DPL_INIT(dpl_best);
    task.left = left.rows;
    task.right = other.rows;
    task.is_self = is_self;
    task.read_cuts = read_cuts;
    task.take = take_best;
    task.n_workers = 1;
    task.user = &user;
    std::vector<uint32_t> first[2] = {user.cuts[0], user.cuts[is_self ? 0 : 1]};
    dpl_status status = (are_bytes ? table->best_bytes : table->best)(&host, &task, &err);
    const char *what = are_bytes ? "best, bytes" : "best";
    if (!expect(status == DPL_OK, what, "status %d: %s", (int)status, err.text))
        return;
    auto before = [](const dpl_near_pair &a, const dpl_near_pair &b) {
        return a.left != b.left ? a.left < b.left : a.right < b.right;
    };
    std::sort(user.pairs.begin(), user.pairs.end(), before);
    size_t n_twice = 0, n_bad = 0;
    for (size_t i = 0; i < user.pairs.size(); i++) {
        const dpl_near_pair &p = user.pairs[i];
        n_twice += i > 0 && !before(user.pairs[i - 1], p);
        n_bad +=
            (is_self && p.left >= p.right) ||
            p.distance != any_distance(are_bytes, task.left, p.left, task.right, p.right) ||
            p.distance > std::max(first[0][p.left], first[1][p.right]);
    }
    std::atomic<size_t> n_lost(0), n_wanted(0);
    const std::vector<uint32_t> &last = user.cuts[is_self ? 0 : 1];
    on_all_threads(task.left.n_rows, [&](uint32_t i) {
        for (uint32_t j = is_self ? i + 1 : 0; j < task.right.n_rows; j++) {
            unsigned d = any_distance(are_bytes, task.left, i, task.right, j);
            if (d > std::max(user.cuts[0][i], last[j]))
                continue;
            n_wanted++;
            dpl_near_pair p = {i, j, d};
            n_lost += !std::binary_search(user.pairs.begin(), user.pairs.end(), p, before);
        }
    });
    expect(n_twice == 0 && n_bad == 0 && n_lost == 0 &&
               (falls || user.pairs.size() == n_wanted),
           what,
           "%u x %u rows of %u words, %s, cuts %s: %zu pairs, %zu wanted, %zu lost, "
           "%zu twice, %zu bad",
           task.left.n_rows, task.right.n_rows, task.left.n_words,
           is_self ? "one set" : "two sets", falls ? "fall" : "stay", user.pairs.size(),
           n_wanted.load(), n_lost.load(), n_twice, n_bad);
}

// ---- nearest -------------------------------------------------------------------------------

static void check_nearest(const dpl_device_table *table, const bits &left, const bits &right,
                          bool is_self, unsigned cut, unsigned n, uint64_t device_memory,
                          int sides)
{
    dpl_device_host host = host_with(device_memory);
    dpl_error err = {};
    const dpl_bit_rows rows[2] = {left.rows, is_self ? left.rows : right.rows};
    const dpl_neighbour junk = {7, 7};
    std::vector<dpl_neighbour> lists[2];
    for (int side = 0; side < 2; side++)
        lists[side].assign((size_t)rows[side].n_rows * n, junk);
    dpl_nearest task = DPL_INIT(dpl_nearest);
    task.left = rows[0];
    task.right = rows[1];
    task.is_self = is_self;
    task.cut = cut;
    task.n = n;
    task.of_left = sides & 1 ? lists[0].data() : nullptr;
    task.of_right = sides & 2 ? lists[1].data() : nullptr;
    dpl_status status = table->nearest(&host, &task, &err);
    if (!expect(status == DPL_OK, "nearest",
                "%u x %u rows of %u words, %s, n %u: status %d: %s", rows[0].n_rows,
                rows[1].n_rows, rows[0].n_words, is_self ? "one set" : "two sets", n,
                (int)status, err.text))
        return;
    for (int side = 0; side < 2; side++) {
        if (!(sides & 1 << side))
            continue;
        const dpl_bit_rows &of = rows[side], &others = rows[!side];
        std::atomic<size_t> n_wrong(0);
        const uint32_t step = of.n_rows > 20000 ? of.n_rows / 5000 : 1;
        on_all_threads((of.n_rows + step - 1) / step, [&](uint32_t k) {
            const uint32_t i = k * step;
            std::vector<dpl_neighbour> all;
            for (uint32_t j = 0; j < others.n_rows; j++) {
                unsigned d = distance(of, i, others, j, of.n_words);
                if (d <= cut && !(is_self && i == j))
                    all.push_back({j, d});
            }
            std::sort(all.begin(), all.end(), [](dpl_neighbour a, dpl_neighbour b) {
                return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
            });
            all.resize(n, {DPL_NO_ROW, DPL_NO_ROW});
            n_wrong += memcmp(all.data(), &lists[side][(size_t)i * n], n * sizeof all[0]) != 0;
        });
        expect(n_wrong == 0, "nearest",
               "%u x %u rows of %u words, %s, cut %u, n %u, sides %d, side %d: %zu lists wrong",
               rows[0].n_rows, rows[1].n_rows, rows[0].n_words,
               is_self ? "one set" : "two sets", cut, n, sides, side, n_wrong.load());
    }
}

static void check_others(const dpl_device_table *table)
{
    static const uint32_t words[] = {1, 4, 16, 17, 40, 64, 96};
    for (uint32_t n_words : words)
        for (int i = 0; i < 2; i++) {
            if (is_quick && (n_words + (uint32_t)i) % 2)
                continue;
            bits left = make_bits(i ? 1 + below(400) : 3000 + below(3000), n_words, nullptr),
                 right = make_bits(i ? 2000 + below(3000) : 1 + below(9000), n_words, &left);
            const unsigned d = 64 * n_words;
            for (int is_self = 0; is_self < 2; is_self++) {
                for (int falls = 0; table->best && falls < 2; falls++)
                    check_best(table, false, left, right, is_self, falls, d / 3, d / 2 - d / 20,
                               0);
                if (!table->nearest)
                    continue;
                check_nearest(table, left, right, is_self, d, 8, 0, 3);
                check_nearest(table, left, right, is_self, d / 2 - d / 10, 3, 0, 3);
                check_nearest(table, left, right, is_self, d, 1, 0, 1 + is_self);
                check_nearest(table, left, right, is_self, d, 40, 0, 2);
            }
        }
    bits left = make_bits(70000, 16, nullptr), right = make_bits(90000, 16, &left);
    if (table->best) {
        check_best(table, false, left, right, false, true, 400, 500, 0);
        check_best(table, false, left, right, true, true, 400, 490, (uint64_t)200 << 20);
    }
    if (table->nearest) {
        check_nearest(table, left, right, false, 1024, 8, 0, 3);
        check_nearest(table, left, right, true, 1024, 8, 0, 3);
        check_nearest(table, left, right, false, 450, 5, 0, 3);
        check_nearest(table, left, right, false, 1024, 100, 0, 3);
    }
    static const uint32_t bytes[] = {8, 16, 32, 48, 64, 128, 200};
    for (uint32_t n_words : bytes) {
        bits a = make_bytes(100 + below(1500), n_words, nullptr),
             b = make_bytes(100 + below(3000), n_words, &a);
        const unsigned whole = 1024 * 8 * n_words;
        const unsigned cuts[] = {whole / 3 * 2, whole / 100 * 97, 0, 2 * whole, ~0u};
        for (int is_self = 0; is_self < 2; is_self++) {
            for (unsigned cut : cuts)
                if (table->within_bytes)
                    check_within_bytes(table, a, b, is_self, cut);
            for (int falls = 0; table->best_bytes && falls < 2; falls++)
                check_best(table, true, a, b, is_self, falls, whole / 3 * 2, whole / 100 * 95,
                           0);
        }
    }
}

// ---- dot products --------------------------------------------------------------------------

struct dense {
    std::vector<float> values;
    dpl_number_rows rows;
};

// Rows of length 1; some are near others, some equal.
static dense make_dense(uint32_t n, uint32_t dim, const dense *like)
{
    dense d;
    d.values.resize((size_t)n * dim);
    for (uint32_t i = 0; i < n; i++) {
        float *row = d.values.data() + (size_t)i * dim;
        const float *from = nullptr;
        const unsigned noise = below(3);
        if (like && below(4) == 0)
            from = like->values.data() + (size_t)below(like->rows.n_rows) * dim;
        double sum = 0;
        for (uint32_t k = 0; k < dim; k++) {
            float x = (float)((double)(next() >> 40) / (1 << 23) - 1.0) * 0.1f;
            row[k] = from ? from[k] + (noise == 0 ? 0 : noise == 1 ? 0.1f : 1) * x : x;
            sum += (double)row[k] * row[k];
        }
        for (uint32_t k = 0; k < dim && !(from && noise == 0); k++)
            row[k] = (float)(row[k] / sqrt(sum));
    }
    d.rows = {n, dim, d.values.data()};
    return d;
}

static float dot(const dpl_number_rows &a, uint32_t i, const dpl_number_rows &b, uint32_t j)
{
    const float *x = a.weights + (size_t)i * a.dim, *y = b.weights + (size_t)j * b.dim;
    float sums[16] = {0};
    for (uint32_t k = 0; k < a.dim; k++) {
        float p = x[k] * y[k];
        sums[k % 16] += p;
    }
    for (int half = 8; half; half /= 2)
        for (int k = 0; k < half; k++)
            sums[k] += sums[k + half];
    return sums[0];
}

static dpl_status take_dots(void *user, const dpl_dot_pair *pairs, size_t n, dpl_error *)
{
    std::vector<dpl_dot_pair> *all = (std::vector<dpl_dot_pair> *)user;
    all->insert(all->end(), pairs, pairs + n);
    return DPL_OK;
}

static void check_dots_within(const dpl_device_table *table, const dense &left,
                              const dense &right, bool is_self, float least)
{
    dpl_device_host host = host_with(0);
    dpl_error err = {};
    std::vector<dpl_dot_pair> found;
    dpl_dots_within task = DPL_INIT(dpl_dots_within);
    task.left = left.rows;
    task.right = is_self ? left.rows : right.rows;
    task.is_self = is_self;
    task.least = least;
    task.take = take_dots;
    task.user = &found;
    dpl_status status = table->dots_within(&host, &task, &err);
    if (!expect(status == DPL_OK, "dots", "status %d: %s", (int)status, err.text))
        return;
    std::vector<std::vector<dpl_dot_pair>> all(task.left.n_rows);
    on_all_threads(task.left.n_rows, [&](uint32_t i) {
        for (uint32_t j = is_self ? i + 1 : 0; j < task.right.n_rows; j++) {
            float d = dot(task.left, i, task.right, j);
            if (d >= least)
                all[i].push_back({i, j, d});
        }
    });
    size_t at = 0, n_wanted = 0, n_wrong = 0;
    for (const std::vector<dpl_dot_pair> &row : all)
        for (const dpl_dot_pair &p : row) {
            n_wanted++;
            if (at < found.size() && memcmp(&found[at], &p, sizeof p) == 0)
                at++;
            else
                n_wrong++;
        }
    expect(n_wrong == 0 && found.size() == n_wanted, "dots",
           "%u x %u rows of %u numbers, %s, %g: %zu pairs of %zu, %zu not in place",
           task.left.n_rows, task.right.n_rows, task.left.dim, is_self ? "one set" : "two sets",
           least, found.size(), n_wanted, n_wrong);
}

static void check_dots_nearest(const dpl_device_table *table, const dense &left,
                               const dense &right, bool is_self, float least, unsigned n)
{
    dpl_device_host host = host_with(0);
    dpl_error err = {};
    const dpl_number_rows rows[2] = {left.rows, is_self ? left.rows : right.rows};
    std::vector<dpl_dot_neighbour> lists[2];
    for (int side = 0; side < 2; side++)
        lists[side].assign((size_t)rows[side].n_rows * n, {7, 7});
    dpl_dots_nearest task = DPL_INIT(dpl_dots_nearest);
    task.left = rows[0];
    task.right = rows[1];
    task.is_self = is_self;
    task.least = least;
    task.n = n;
    task.of_left = lists[0].data();
    task.of_right = lists[1].data();
    dpl_status status = table->dots_nearest(&host, &task, &err);
    if (!expect(status == DPL_OK, "dots, nearest", "%u x %u of %u: status %d: %s",
                rows[0].n_rows, rows[1].n_rows, rows[0].dim, (int)status, err.text))
        return;
    for (int side = 0; side < 2; side++) {
        const dpl_number_rows &of = rows[side], &others = rows[!side];
        std::atomic<size_t> n_wrong(0);
        const uint32_t step = of.n_rows > 5000 ? of.n_rows / 1000 : 1;
        on_all_threads((of.n_rows + step - 1) / step, [&](uint32_t k) {
            const uint32_t i = k * step;
            std::vector<dpl_dot_neighbour> all;
            for (uint32_t j = 0; j < others.n_rows; j++) {
                float d = dot(of, i, others, j);
                if (d >= least && !(is_self && i == j))
                    all.push_back({j, d});
            }
            std::sort(all.begin(), all.end(), [](dpl_dot_neighbour a, dpl_dot_neighbour b) {
                return a.dot != b.dot ? a.dot > b.dot : a.row < b.row;
            });
            all.resize(n, {DPL_NO_ROW, 0});
            n_wrong += memcmp(all.data(), &lists[side][(size_t)i * n], n * sizeof all[0]) != 0;
        });
        expect(n_wrong == 0, "dots, nearest",
               "%u x %u rows of %u numbers, %s, %g, n %u, side %d: %zu lists wrong",
               rows[0].n_rows, rows[1].n_rows, rows[0].dim, is_self ? "one set" : "two sets",
               least, n, side, n_wrong.load());
    }
}

static void check_dots(const dpl_device_table *table)
{
    static const uint32_t dims[] = {16, 37, 64, 128, 300, 384, 768, 1024};
    for (uint32_t dim : dims) {
        dense a = make_dense(100 + below(600), dim, nullptr),
              b = make_dense(100 + below(900), dim, &a);
        for (int is_self = 0; is_self < 2; is_self++) {
            for (float least : {0.3f, 0.9f, -1.5f, 1.01f})
                if (table->dots_within)
                    check_dots_within(table, a, b, is_self, least);
            if (!table->dots_nearest)
                continue;
            check_dots_nearest(table, a, b, is_self, -1, 8);
            check_dots_nearest(table, a, b, is_self, 0.5f, 3);
        }
    }
    dense a = make_dense(12000, 256, nullptr), b = make_dense(17000, 256, &a);
    if (table->dots_within)
        check_dots_within(table, a, b, false, 0.5f);
    if (table->dots_nearest) {
        check_dots_nearest(table, a, b, false, -1, 8);
        check_dots_nearest(table, a, b, true, -1, 8);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("usage: check PLUGIN.so [SEED]\n");
        return 2;
    }
    is_quick = argc > 3;
    state = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    void *object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        printf("%s\n", dlerror());
        return 1;
    }
    dpl_device_entry_fn *entry = (dpl_device_entry_fn *)dlsym(object, "dpl_device_entry");
    const dpl_device_table *table = entry ? entry(DPL_DEVICE_VERSION) : nullptr;
    if (!table) {
        printf("no table of version %d\n", DPL_DEVICE_VERSION);
        return 1;
    }
    if (table->why_not()) {
        printf("not on this hardware: %s: %s\n", table->name, table->why_not());
        return 77;
    }
    auto begin = std::chrono::steady_clock::now();
    void (*const parts[])(const dpl_device_table *) = {check_withins, check_others, check_dots};
    static const char *const names[] = {"pairs within a distance", "best and nearest, bytes",
                                        "dot products"};
    for (int i = 0; i < 3; i++) {
        parts[i](table);
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        printf("%s: %s: %d checks, %d failed, %.1f s so far\n", table->name, names[i], n_checks,
               n_failed, took.count());
        fflush(stdout);
    }
    return n_failed != 0;
}
