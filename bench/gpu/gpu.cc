// gpu.cc - operations of a device plugin from rows in main memory to results in main memory.
// Random rows, every thousandth right row near a left one. Links with nothing of the library.
//
//     gpu PLUGIN.so [small]      a table: job, milliseconds (fastest, median, slowest), results
#include "doppel/device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <vector>

static uint64_t memory_left(dpl_ctx *)
{
    return (uint64_t)32 << 30;
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
    return DPL_OK;
}

static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

static std::vector<uint64_t> make_rows(uint32_t n, uint32_t n_words, uint64_t seed,
                                       const std::vector<uint64_t> *like)
{
    std::vector<uint64_t> v((size_t)n * n_words);
    std::vector<std::thread> threads;
    const unsigned n_threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned t = 0; t < n_threads; t++)
        threads.emplace_back([&, t] {
            for (uint64_t r = t; r < n; r += n_threads)
                for (uint32_t w = 0; w < n_words; w++) {
                    uint64_t x = mix(seed * 1000003 + r * n_words + w);
                    if (like && r % 1000 == 0)
                        x = (*like)[r / 1000 * n_words % like->size() + w] ^ (x & mix(x));
                    v[r * n_words + w] = x;
                }
        });
    for (std::thread &t : threads)
        t.join();
    return v;
}

/* Random rows of length 1. */
static std::vector<float> make_numbers(uint32_t n, uint32_t dim, uint64_t seed)
{
    std::vector<float> v((size_t)n * dim);
    std::vector<std::thread> threads;
    const unsigned n_threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned t = 0; t < n_threads; t++)
        threads.emplace_back([&, t] {
            for (uint64_t r = t; r < n; r += n_threads) {
                double sum = 0;
                for (uint32_t k = 0; k < dim; k++) {
                    uint64_t x = mix(seed * 1000003 + r * dim + k);
                    float f = 0; /* about normal */
                    for (int i = 0; i < 4; i++)
                        f += (float)(x >> 16 * i & 0xFFFF) - 32767.5f;
                    v[r * dim + k] = f;
                    sum += (double)f * f;
                }
                for (uint32_t k = 0; k < dim; k++)
                    v[r * dim + k] = (float)(v[r * dim + k] / sqrt(sum));
            }
        });
    for (std::thread &t : threads)
        t.join();
    return v;
}

template <class F>
static void time_of(const char *what, int n, F f)
{
    std::vector<double> all;
    size_t n_results = 0;
    for (int i = 0; i <= n; i++) {
        auto begin = std::chrono::steady_clock::now();
        n_results = f();
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (i > 0 || n == 0)
            all.push_back(took.count() * 1e3);
    }
    std::sort(all.begin(), all.end());
    printf("%-52s %9.2f %9.2f %9.2f ms  %zu results\n", what, all[0], all[all.size() / 2],
           all.back(), n_results);
    fflush(stdout);
}

static const dpl_device_table *table;
static dpl_device_host host;

static void expect(dpl_status status, const dpl_error &err)
{
    if (status == DPL_OK)
        return;
    printf("status %d: %s\n", (int)status, err.text);
    exit(1);
}

static dpl_status take(void *user, const dpl_near_pair *, size_t n, dpl_error *)
{
    *(size_t *)user += n;
    return DPL_OK;
}

static size_t within(const dpl_bit_rows &left, const dpl_bit_rows &right, unsigned cut)
{
    dpl_error err = {};
    size_t n = 0;
    dpl_within task = DPL_INIT(dpl_within);
    task.left = left;
    task.right = right;
    task.is_self = left.words == right.words;
    task.cut = cut;
    task.take = take;
    task.user = &n;
    expect(table->within(&host, &task, &err), err);
    return n;
}

static size_t nearest(const dpl_bit_rows &left, const dpl_bit_rows &right, unsigned n,
                      std::vector<dpl_neighbour> &of_left, std::vector<dpl_neighbour> &of_right)
{
    dpl_error err = {};
    dpl_nearest task = DPL_INIT(dpl_nearest);
    task.left = left;
    task.right = right;
    task.is_self = left.words == right.words;
    task.cut = 64 * left.n_words;
    task.n = n;
    task.of_left = of_left.data();
    task.of_right = of_right.data();
    expect(table->nearest(&host, &task, &err), err);
    return of_left.size() + of_right.size();
}

int main(int argc, char **argv)
{
    void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    dpl_device_entry_fn *entry =
        object ? (dpl_device_entry_fn *)dlsym(object, "dpl_device_entry") : nullptr;
    table = entry ? entry(DPL_DEVICE_VERSION) : nullptr;
    if (!table || table->why_not()) {
        printf("%s\n", table ? table->why_not() : "usage: gpu PLUGIN.so [small]");
        return table ? 77 : 2;
    }
    const bool is_small = argc > 2;
    host = DPL_INIT(dpl_device_host);
    host.memory_left = memory_left;
    host.resize = resize;
    host.progress = progress;
    {
        std::vector<uint64_t> x = make_rows(100000, 16, 7, nullptr),
                              y = make_rows(100000, 16, 11, &x);
        dpl_bit_rows left = {100000, 16, x.data()}, right = {100000, 16, y.data()};
        time_of("within, 100000 x 100000, 1024 bits, cut 412", 21,
                [&] { return within(left, right, 412); });
        std::vector<dpl_neighbour> of_left(800000), of_right(800000);
        time_of("8 nearest, 100000 x 100000, 1024 bits", 5,
                [&] { return nearest(left, right, 8, of_left, of_right); });
    }
    if (is_small)
        return 0;
    {
        const uint32_t n_left = 1470000, n_right = 3440000;
        std::vector<uint64_t> x = make_rows(n_left, 16, 7, nullptr),
                              y = make_rows(n_right, 16, 11, &x);
        dpl_bit_rows left = {n_left, 16, x.data()}, right = {n_right, 16, y.data()};
        time_of("within, 1470000 x 3440000, 1024 bits, cut 412", 5,
                [&] { return within(left, right, 412); });
        time_of("within, 3440000 (one set), 1024 bits, cut 412", 3,
                [&] { return within(right, right, 412); });
        std::vector<dpl_neighbour> of_left((size_t)n_left * 8), of_right((size_t)n_right * 8);
        time_of("8 nearest, 1470000 x 3440000, 1024 bits", 3,
                [&] { return nearest(left, right, 8, of_left, of_right); });
    }
    if (table->dots_nearest) {
        const uint32_t n = 1000000, dim = 768;
        std::vector<float> x = make_numbers(n, dim, 7), y = make_numbers(n, dim, 11);
        std::vector<dpl_dot_neighbour> of_left((size_t)n * 8), of_right((size_t)n * 8);
        time_of("8 largest dot products, 1000000 x 1000000, 768 dims", 1, [&] {
            dpl_error err = {};
            dpl_dots_nearest task = DPL_INIT(dpl_dots_nearest);
            task.left = {n, dim, x.data()};
            task.right = {n, dim, y.data()};
            task.least = -1;
            task.n = 8;
            task.of_left = of_left.data();
            task.of_right = of_right.data();
            expect(table->dots_nearest(&host, &task, &err), err);
            return of_left.size() + of_right.size();
        });
    }
    {
        const uint32_t n_left = 1470000, n_right = 3440000;
        std::vector<uint64_t> x = make_rows(n_left, 64, 7, nullptr),
                              y = make_rows(n_right, 64, 11, &x);
        dpl_bit_rows left = {n_left, 64, x.data()}, right = {n_right, 64, y.data()};
        time_of("within, 1470000 x 3440000, 4096 bits, cut 1648", 3,
                [&] { return within(left, right, 1648); });
    }
    return 0;
}
