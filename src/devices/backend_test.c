#include "devices/device.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_LEFT = 700, N_RIGHT = 1300, N_WORDS = 4, N_BEST = 3, DIM = 37 };

/* ---- data ------------------------------------------------------------------------------ */

typedef struct data {
    dpl_bit_rows bits[2];
    dpl_number_rows dense[2];
} data;

/* Every seventh right row is like a left row. */
static void make_bits(data *d, dpl__rng *rng)
{
    uint64_t *words[2];
    for (int side = 0; side < 2; side++) {
        uint32_t n = side ? N_RIGHT : N_LEFT;
        words[side] = calloc((size_t)n * N_WORDS, sizeof **words);
        d->bits[side] = (dpl_bit_rows){n, N_WORDS, words[side]};
        for (size_t i = 0; i < (size_t)n * N_WORDS; i++)
            words[side][i] = dpl__rng_next(rng);
    }
    for (size_t i = 0; i + 1 < N_LEFT; i += 10) /* and some within the left side */
        words[0][(i + 1) * N_WORDS + 1] = words[0][i * N_WORDS + 1],
                                     words[0][(i + 1) * N_WORDS] = words[0][i * N_WORDS] ^ 5;
    for (size_t i = 0; i < N_RIGHT; i += 7)
        for (size_t w = 0; w < N_WORDS; w++)
            words[1][i * N_WORDS + w] =
                words[0][i % N_LEFT * N_WORDS + w] ^
                (dpl__rng_next(rng) & dpl__rng_next(rng) & dpl__rng_next(rng));
}

static float weight(dpl__rng *rng)
{
    return (float)dpl__rng_below(rng, 1000) * 0.0123f;
}

static void make_numbers(data *d, dpl__rng *rng)
{
    for (int side = 0; side < 2; side++) {
        uint32_t n = side ? N_RIGHT : N_LEFT;
        float *dense = calloc((size_t)n * DIM, sizeof *dense);
        for (size_t i = 0; i < (size_t)n * DIM; i++)
            dense[i] = weight(rng);
        d->dense[side] = (dpl_number_rows){n, DIM, dense};
    }
}

static void free_data(data *d)
{
    for (int side = 0; side < 2; side++) {
        free((void *)d->bits[side].words);
        free((void *)d->dense[side].weights);
    }
}

/* ---- what the operations should give --------------------------------------------------- */

static unsigned distance(const dpl_bit_rows *a, uint32_t i, const dpl_bit_rows *b, uint32_t j,
                         unsigned n_words)
{
    unsigned n = 0;
    for (unsigned w = 0; w < n_words; w++)
        n += (unsigned)__builtin_popcountll(a->words[(size_t)i * N_WORDS + w] ^
                                            b->words[(size_t)j * N_WORDS + w]);
    return n;
}

typedef struct finds {
    dpl_near_pair pairs[20000];
    size_t n;
    unsigned n_calls, stop_at; /* 0: never */
} finds;

static dpl_status keep(void *user, const dpl_near_pair *pairs, size_t n, dpl_error *err)
{
    finds *f = user;
    if (++f->n_calls == f->stop_at)
        return dpl__fail(err, DPL_E_FORMAT, "enough");
    for (size_t i = 0; i < n && f->n < DPL_LEN(f->pairs); i++)
        f->pairs[f->n++] = pairs[i];
    return DPL_OK;
}

static void check_within(dpl_ctx *ctx, const data *d, bool is_self, unsigned first_words)
{
    static finds found;
    found = (finds){.n = 0};
    const dpl_bit_rows *left = &d->bits[0], *right = &d->bits[!is_self];
    dpl_within task =
        DPL_INIT(dpl_within, .left = *left, .right = *right, .is_self = is_self, .cut = 100,
                 .first_words = first_words, .first_cut = 20, .take = keep, .user = &found);
    CHECK_OK(dpl__within(ctx, &task, &test_err));
    size_t at = 0;
    for (uint32_t i = 0; i < left->n_rows; i++)
        for (uint32_t j = is_self ? i + 1 : 0; j < right->n_rows; j++) {
            unsigned n = distance(left, i, right, j, N_WORDS);
            if (n > 100 || (first_words && distance(left, i, right, j, first_words) > 20))
                continue;
            CHECK(at < found.n && found.pairs[at].left == i && found.pairs[at].right == j &&
                  found.pairs[at].distance == n);
            at++;
        }
    CHECK_EQ(found.n, at);
    CHECK(at > 5);
}

/* By distance, then row; as far as there are any within the cut. */
static void check_list(const dpl_neighbour *list, const dpl_bit_rows *rows, uint32_t row,
                       const dpl_bit_rows *others, bool is_self, unsigned cut)
{
    unsigned last_distance = 0;
    int64_t last_row = -1;
    for (unsigned k = 0; k < N_BEST; k++) {
        dpl_neighbour best = {DPL_NO_ROW, DPL_NO_ROW};
        for (uint32_t i = 0; i < others->n_rows; i++) {
            unsigned n = distance(rows, row, others, i, N_WORDS);
            bool is_behind = n > last_distance || (n == last_distance && i > last_row);
            if (n <= cut && is_behind && n < best.distance && !(is_self && i == row))
                best = (dpl_neighbour){i, n};
        }
        CHECK(list[k].row == best.row && list[k].distance == best.distance);
        last_distance = best.distance;
        last_row = best.row;
    }
}

static void check_nearest(dpl_ctx *ctx, const data *d, bool is_self, unsigned cut)
{
    static dpl_neighbour of_left[N_LEFT * N_BEST], of_right[N_RIGHT * N_BEST];
    const dpl_bit_rows *left = &d->bits[0], *right = &d->bits[!is_self];
    dpl_nearest task =
        DPL_INIT(dpl_nearest, .left = *left, .right = *right, .is_self = is_self, .cut = cut,
                 .n = N_BEST, .of_left = of_left, .of_right = of_right);
    CHECK_OK(dpl__nearest(ctx, &task, &test_err));
    for (uint32_t row = 0; row < left->n_rows; row += 41)
        check_list(of_left + row * N_BEST, left, row, right, is_self, cut);
    for (uint32_t row = 0; row < right->n_rows; row += 41)
        check_list(of_right + row * N_BEST, right, row, left, is_self, cut);
}

/* Cuts that do not fall: all pairs within the larger cut of their rows, each once. */
typedef struct best_pairs {
    uint8_t seen[N_LEFT][N_RIGHT];
    uint32_t cuts[2][N_RIGHT];
    pthread_mutex_t lock;
    size_t n;
    unsigned stop_at; /* 0: never */
} best_pairs;

static void read_cuts(void *user, int side, uint32_t first, uint32_t n, uint32_t *out)
{
    const best_pairs *b = user;
    memcpy(out, b->cuts[side] + first, n * sizeof *out);
}

static dpl_status take_best(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n,
                            dpl_error *err)
{
    best_pairs *b = user;
    CHECK(worker < 2);
    pthread_mutex_lock(&b->lock);
    for (size_t i = 0; i < n; i++)
        b->seen[pairs[i].left][pairs[i].right] += (uint8_t)(1 + 2 * (pairs[i].distance > 255));
    b->n += n;
    bool is_over = b->stop_at && b->n >= b->stop_at;
    pthread_mutex_unlock(&b->lock);
    return is_over ? dpl__fail(err, DPL_E_FORMAT, "enough") : DPL_OK;
}

static void check_best(dpl_ctx *ctx, const data *d, bool is_self, unsigned spread)
{
    static best_pairs found;
    memset(&found, 0, sizeof found);
    pthread_mutex_init(&found.lock, NULL);
    dpl__rng rng = {spread};
    for (uint32_t i = 0; i < N_RIGHT; i++) {
        /* one row in forty wants all it can get */
        found.cuts[1][i] = i % 40 == 7 ? 120 : 85 + (uint32_t)dpl__rng_below(&rng, spread);
        found.cuts[0][i] = is_self       ? found.cuts[1][i]
                           : i % 40 == 3 ? 125
                                         : 80 + (uint32_t)dpl__rng_below(&rng, spread);
    }
    const dpl_bit_rows *left = &d->bits[0], *right = &d->bits[!is_self];
    dpl_best task =
        DPL_INIT(dpl_best, .left = *left, .right = *right, .is_self = is_self,
                 .read_cuts = read_cuts, .take = take_best, .n_workers = 2, .user = &found);
    CHECK_OK(dpl__best(ctx, &task, &test_err));
    size_t n = 0;
    for (uint32_t i = 0; i < left->n_rows; i++)
        for (uint32_t j = is_self ? i + 1 : 0; j < right->n_rows; j++) {
            unsigned cut = (unsigned)dpl__max(found.cuts[0][i], found.cuts[1][j]);
            bool is_near = distance(left, i, right, j, N_WORDS) <= cut;
            CHECK_EQ(found.seen[i][j], is_near);
            n += is_near;
        }
    CHECK_EQ(found.n, n);
    CHECK(n > 500);
    found.stop_at = 1;
    CHECK_EQ(dpl__best(ctx, &task, &test_err), DPL_E_FORMAT);
    task.n_workers = 0;
    CHECK_EQ(dpl__best(ctx, &task, &test_err), DPL_E_USAGE);
    pthread_mutex_destroy(&found.lock);
}

static float dense_dot(const data *d, uint32_t left, uint32_t right)
{
    float sums[16] = {0};
    for (size_t i = 0; i < DIM; i++) {
        float p = d->dense[0].weights[(size_t)left * DIM + i] *
                  d->dense[1].weights[(size_t)right * DIM + i];
        sums[i % 16] += p;
    }
    for (size_t half = 8; half; half /= 2)
        for (size_t j = 0; j < half; j++)
            sums[j] += sums[j + half];
    return sums[0];
}

/* ---- dense rows, and rows of bytes ------------------------------------------------------ */

typedef struct dot_finds {
    dpl_dot_pair pairs[40000];
    size_t n;
} dot_finds;

static dpl_status keep_dots(void *user, const dpl_dot_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    dot_finds *f = user;
    for (size_t i = 0; i < n && f->n < DPL_LEN(f->pairs); i++)
        f->pairs[f->n++] = pairs[i];
    return DPL_OK;
}

/* Rows of length 1 from those of the data, less their mean. */
static dpl_number_rows unit_rows(const dpl_number_rows *from, float *out)
{
    for (uint32_t row = 0; row < from->n_rows; row++) {
        const float *x = from->weights + (size_t)row * DIM;
        double mean = 0, sum = 0;
        for (size_t i = 0; i < DIM; i++)
            mean += (double)x[i] / DIM;
        for (size_t i = 0; i < DIM; i++)
            sum += ((double)x[i] - mean) * ((double)x[i] - mean);
        for (size_t i = 0; i < DIM; i++)
            out[(size_t)row * DIM + i] = (float)(((double)x[i] - mean) / sqrt(sum));
    }
    return (dpl_number_rows){from->n_rows, DIM, out};
}

static void check_dots_within(dpl_ctx *ctx, data *d, bool is_self)
{
    static dot_finds found;
    found.n = 0;
    dpl_dots_within task =
        DPL_INIT(dpl_dots_within, .left = d->dense[0], .right = d->dense[!is_self],
                 .is_self = is_self, .least = 0.35f, .take = keep_dots, .user = &found);
    CHECK_OK(dpl__dots_within(ctx, &task, &test_err));
    data swapped = *d;
    swapped.dense[1] = task.right;
    size_t at = 0;
    for (uint32_t i = 0; i < task.left.n_rows; i++)
        for (uint32_t j = is_self ? i + 1 : 0; j < task.right.n_rows; j++) {
            float dot = dense_dot(&swapped, i, j);
            if (!(dot >= 0.35f))
                continue;
            CHECK(at < found.n && found.pairs[at].left == i && found.pairs[at].right == j &&
                  found.pairs[at].dot == dot);
            at++;
        }
    CHECK_EQ(found.n, at);
    CHECK(at > 100 && at < DPL_LEN(found.pairs));
}

static void check_dots_list(const dpl_dot_neighbour *list, const data *d, uint32_t row,
                            bool is_self)
{
    float last = 9;
    int64_t last_row = -1;
    for (unsigned k = 0; k < N_BEST; k++) {
        dpl_dot_neighbour best = {DPL_NO_ROW, 0};
        for (uint32_t i = 0; i < d->dense[1].n_rows; i++) {
            float dot = dense_dot(d, row, i);
            bool is_behind = dot < last || (dot == last && i > last_row);
            if (dot >= 0.2f && is_behind && !(is_self && i == row) &&
                (best.row == DPL_NO_ROW || dot > best.dot))
                best = (dpl_dot_neighbour){i, dot};
        }
        CHECK(list[k].row == best.row && list[k].dot == best.dot);
        last = best.dot;
        last_row = best.row;
    }
}

static void check_dots_nearest(dpl_ctx *ctx, const data *d, bool is_self)
{
    static dpl_dot_neighbour of_left[N_LEFT * N_BEST], of_right[N_RIGHT * N_BEST];
    dpl_dots_nearest task = DPL_INIT(
        dpl_dots_nearest, .left = d->dense[0], .right = d->dense[!is_self], .is_self = is_self,
        .least = 0.2f, .n = N_BEST, .of_left = of_left, .of_right = of_right);
    CHECK_OK(dpl__dots_nearest(ctx, &task, &test_err));
    data way = *d;
    way.dense[1] = task.right;
    for (uint32_t row = 0; row < task.left.n_rows; row += 97)
        check_dots_list(of_left + row * N_BEST, &way, row, is_self);
    way.dense[0] = task.right;
    way.dense[1] = task.left;
    for (uint32_t row = 0; row < task.right.n_rows; row += 97)
        check_dots_list(of_right + row * N_BEST, &way, row, is_self);
}

/* Bits as bytes: all within [-127, 127]. */
static void check_bytes(dpl_ctx *ctx, const data *d, bool is_self)
{
    enum { WORDS = 8, N = 300, BYTES = 8 * WORDS };
    static uint64_t words[2][N * WORDS];
    static finds found;
    found = (finds){.n = 0};
    dpl_bit_rows rows[2];
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < N * WORDS; i++)
            words[side][i] =
                (d->bits[side].words[i] | 0x0101010101010101u) & 0x3F3F3F3F3F3F3F3Fu;
        rows[side] = (dpl_bit_rows){N, WORDS, words[side]};
    }
    const unsigned cut = 30000;
    dpl_within task = DPL_INIT(dpl_within, .left = rows[0], .right = rows[!is_self],
                               .is_self = is_self, .cut = cut, .take = keep, .user = &found);
    CHECK_OK(dpl__within_bytes(ctx, &task, &test_err));
    size_t at = 0;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = is_self ? i + 1 : 0; j < N; j++) {
            const int8_t *a = (const int8_t *)(rows[0].words + (size_t)i * WORDS);
            const int8_t *b = (const int8_t *)(task.right.words + (size_t)j * WORDS);
            int sum = 0;
            for (size_t k = 0; k < BYTES; k++)
                sum += a[k] * b[k];
            unsigned far = sum < 1024 * BYTES ? (unsigned)(1024 * BYTES - sum) : 0;
            if (far > cut || at == DPL_LEN(found.pairs))
                continue;
            CHECK(at < found.n && found.pairs[at].left == i && found.pairs[at].right == j &&
                  found.pairs[at].distance == far);
            at++;
        }
    CHECK_EQ(found.n, at);
    CHECK(at > 5);
}

static void check_dense(dpl_ctx *ctx, const data *d)
{
    static float values[2][N_RIGHT * DIM];
    data units = *d;
    for (int side = 0; side < 2; side++)
        units.dense[side] = unit_rows(&d->dense[side], values[side]);
    const dpl_device_table *device = dpl__device_of(ctx);
    for (int is_self = 0; is_self < 2; is_self++) {
        if (device->dots_within)
            check_dots_within(ctx, &units, is_self);
        if (device->dots_nearest)
            check_dots_nearest(ctx, &units, is_self);
        check_bytes(ctx, d, is_self);
    }
}

static void check_device(dpl_ctx *ctx, const data *d)
{
    check_dense(ctx, d);
    for (int is_self = 0; is_self < 2; is_self++) {
        check_within(ctx, d, is_self, 0);
        check_within(ctx, d, is_self, 1);
        check_nearest(ctx, d, is_self, 105);
        check_nearest(ctx, d, is_self, 64 * N_WORDS);
        check_best(ctx, d, is_self, 1);
        check_best(ctx, d, is_self, 30);
    }
}

DPL_TEST(backend, every_operation_on_every_device)
{
    data d;
    dpl__rng rng = {1};
    make_bits(&d, &rng);
    make_numbers(&d, &rng);
    const char *name, *reason;
    for (size_t i = 0; dpl_device(i, &name, &reason); i++) {
        if (reason) {
            printf("         %s: %s\n", name, reason);
            continue;
        }
        dpl_ctx *ctx = NULL;
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .device = name);
        CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
        CHECK_STR(dpl__cstr(dpl_ctx_device(ctx)), name);
        check_device(ctx, &d);
        dpl_ctx_free(ctx);
    }
    free_data(&d);
}

DPL_TEST(backend, the_cpu_comes_first)
{
    const char *name, *reason;
    CHECK(dpl_device(0, &name, &reason) && !reason);
    CHECK_STR(dpl__cstr(name), "cpu");
    CHECK(!dpl_device(1000, &name, &reason));
}

DPL_TEST(backend, refuses_devices_that_are_not_there)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .device = "abacus");
    CHECK_EQ(dpl_ctx_new(&ctx, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "no device 'abacus'");
    CHECK(!ctx);
    const char *name, *reason = NULL;
    bool has_cuda = false;
    for (size_t i = 0; dpl_device(i, &name, &reason); i++)
        has_cuda = has_cuda || strcmp(name, "cuda") == 0;
    if (has_cuda)
        return;
    o.device = "cuda";
    CHECK_EQ(dpl_ctx_new(&ctx, &o, &test_err), DPL_E_UNSUPPORTED);
    CHECK_STR(dpl__cstr(test_err.text),
              "no device 'cuda': there is no 'libdoppel_cuda.so' beside the library");
}

DPL_TEST(backend, refuses_tasks_that_do_not_match)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t words[8] = {0};
    static finds found;
    dpl_within task = DPL_INIT(dpl_within, .left = {4, 2, words}, .right = {8, 1, words},
                               .take = keep, .user = &found);
    CHECK_EQ(dpl__within(ctx, &task, &test_err), DPL_E_USAGE);
    task.right = (dpl_bit_rows){4, 2, words};
    task.first_words = 3;
    CHECK_EQ(dpl__within(ctx, &task, &test_err), DPL_E_USAGE);
    task.first_words = 0;
    found = (finds){.stop_at = 1};
    CHECK_EQ(dpl__within(ctx, &task, &test_err), DPL_E_FORMAT);
    test_ctx_done(ctx);
}

/* ---- plugins --------------------------------------------------------------------------- */

/* test/fake_device.c has two operations. */
DPL_TEST(plugin, what_it_lacks_is_done_on_the_cpu)
{
    const dpl_device_table *fake = dpl__plugin_load(DPL_TEST_FAKE_DEVICE, "fake");
    CHECK(fake && !fake->why_not() && !fake->within && fake->dots_within && fake->best);
    data d;
    dpl__rng rng = {1};
    make_bits(&d, &rng);
    make_numbers(&d, &rng);
    dpl_ctx *ctx = test_ctx(2);
    ctx->device = fake;
    check_within(ctx, &d, false, 0);
    check_nearest(ctx, &d, false, 105);
    check_best(ctx, &d, false, 20);
    check_best(ctx, &d, true, 20);
    static dot_finds found;
    dpl_dots_within task = DPL_INIT(dpl_dots_within, .left = d.dense[0], .right = d.dense[1],
                                    .take = keep_dots, .user = &found);
    CHECK_OK(dpl__dots_within(ctx, &task, &test_err));
    CHECK(found.n == 1 && found.pairs[0].dot == 42);
    dpl_dots_nearest nearest = /* the CPU lacks it, too */
        DPL_INIT(dpl_dots_nearest, .left = d.dense[0], .right = d.dense[1]);
    CHECK_EQ(dpl__dots_nearest(ctx, &nearest, &test_err), DPL_E_UNSUPPORTED);
    free_data(&d);
    test_ctx_done(ctx);
}

DPL_TEST(plugin, says_why_it_cannot_be_used)
{
    CHECK(!dpl__plugin_load(test_path("libdoppel_none.so"), "none"));
    const dpl_device_table *bad = dpl__plugin_load(test_write("x.so", "text", 4), "x");
    CHECK(bad && bad->name && bad->why_not());
    CHECK_STR(dpl__cstr(bad->why_not()), "its plugin cannot be loaded");
    free((void *)bad);
    bad = dpl__plugin_load(DPL_TEST_FAKE_DEVICE, "other");
    CHECK(bad && bad->why_not());
    CHECK_STR(dpl__cstr(bad->why_not()), "its plugin was made for another version of doppel");
    free((void *)bad);
}
