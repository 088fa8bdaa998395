#include "base/hash.h"
#include "base/vec.h"
#include "io/bzip2_block.h"
#include "io/input.h"
#include "test.h"

#include <bzlib.h>
#include <stdio.h>

/* ---- making data --------------------------------------------------------------------- */

/* Words, noise or runs: what packs well, badly, and far too well. */
static void append_data(dpl_ctx *ctx, dpl__bytes *to, dpl__rng *rng, size_t n)
{
    CHECK(dpl__vec_reserve(ctx, to, n));
    uint64_t kind = dpl__rng_below(rng, 4);
    for (size_t i = 0; i < n;) {
        uint64_t word = kind < 2 ? dpl__rng_below(rng, 300) : dpl__rng_next(rng);
        size_t times = kind == 3 ? 1 + dpl__rng_below(rng, 2000) : 1;
        for (size_t length = kind == 3 ? 1 : 2 + word % 7; times && i < n; times--)
            for (size_t j = 0; j < length && i < n; j++, i++)
                to->data[to->n++] = (char)(dpl__mix(word + j) & (kind == 2 ? 255 : 15));
    }
}

static void append_stream(dpl_ctx *ctx, dpl__bytes *to, const char *data, size_t n, int level)
{
    unsigned packed = (unsigned)(n + n / 100 + 600);
    CHECK(dpl__vec_reserve(ctx, to, packed));
    CHECK_EQ(BZ2_bzBuffToBuffCompress(to->data + to->n, &packed, (char *)(uintptr_t)data,
                                      (unsigned)n, level, 0, 0),
             BZ_OK);
    to->n += packed;
}

/* A file of several streams, some of them empty or tiny, and what is in it. */
static void make_file(dpl_ctx *ctx, dpl__bytes *file, dpl__bytes *plain, dpl__rng *rng)
{
    size_t n_streams = 1 + dpl__rng_below(rng, 5);
    for (size_t i = 0; i < n_streams; i++) {
        size_t start = plain->n, most[] = {1, 50, 5000, 120000, 400000};
        append_data(ctx, plain, rng, dpl__rng_below(rng, most[dpl__rng_below(rng, 5)]));
        append_stream(ctx, file, plain->data ? plain->data + start : "", plain->n - start,
                      (int)(1 + dpl__rng_below(rng, 3) * dpl__rng_below(rng, 5)));
    }
}

/* ---- two decoders -------------------------------------------------------------------- */

/* The simplest one: libbz2 from front to back, in its thorough way. */
static dpl_status decode_plainly(dpl_ctx *ctx, dpl__bytes *to, const char *p, size_t n)
{
    to->n = 0;
    while (n > 0) {
        bz_stream s = {.next_in = (char *)(uintptr_t)p, .avail_in = (unsigned)n};
        CHECK_EQ(BZ2_bzDecompressInit(&s, 0, 1), BZ_OK);
        int r;
        do {
            CHECK(dpl__vec_reserve(ctx, to, 1 << 16));
            s.next_out = to->data + to->n;
            s.avail_out = 1 << 16;
            r = BZ2_bzDecompress(&s);
            to->n += (1 << 16) - s.avail_out;
        } while (r == BZ_OK && (s.avail_in > 0 || s.avail_out == 0));
        p += n - s.avail_in;
        n = s.avail_in;
        BZ2_bzDecompressEnd(&s);
        if (r != BZ_STREAM_END)
            return DPL_E_FORMAT;
    }
    return DPL_OK;
}

/* Ours. file is NULL for memory. */
static dpl_status decode(dpl_ctx *ctx, dpl__bytes *to, const char *file, const char *p,
                         size_t n, size_t step, dpl_error *err)
{
    to->n = 0;
    dpl__input *in = NULL;
    CHECK_OK(file ? dpl__input_open(&in, ctx, file, &test_err)
                  : dpl__input_open_memory(&in, ctx, "data", p, n, &test_err));
    dpl_status status;
    size_t got;
    do {
        CHECK(dpl__vec_reserve(ctx, to, step));
        status = dpl__input_read(in, to->data + to->n, step, &got, err);
        to->n += got;
    } while (status == DPL_OK && got > 0);
    if (status == DPL_OK)
        CHECK_EQ(dpl__input_position(in), n);
    dpl__input_close(in);
    return status;
}

/* Both say the same about these bytes, for 1 to 4 threads, from memory and from a file. Returns
 * how many come out. */
static size_t compare(const char *p, size_t n, uint64_t seed)
{
    dpl_ctx *plain_ctx = test_ctx(1);
    dpl__bytes expected = {0};
    dpl_status status = decode_plainly(plain_ctx, &expected, p, n);
    char text[600] = "";
    for (unsigned threads = 1; threads <= 4; threads++) {
        const char *file = threads > 2 ? NULL : test_write("compare.bz2", p, n);
        dpl_ctx *ctx = test_ctx(threads);
        dpl__bytes out = {0};
        dpl_error err = {0};
        dpl_status ours = decode(ctx, &out, file, p, n, threads == 3 ? 7000 : 1 << 20, &err);
        if (ours != status || out.n != expected.n ||
            (out.n && memcmp(out.data, expected.data, out.n) != 0))
            dpl__test_fail(__FILE__, __LINE__,
                           "seed %llu, %u threads: '%s' and %zu bytes, expected '%s' and %zu",
                           (unsigned long long)seed, threads, dpl_status_name(ours), out.n,
                           dpl_status_name(status), expected.n);
        char *place = strstr(err.text, "': ");
        if (threads > 1 && place && strcmp(place, text) != 0)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, %u threads: \"%s\", before \"%s\"",
                           (unsigned long long)seed, threads, place, text);
        strcpy(text, place ? place : "");
        dpl__vec_clear(ctx, &out);
        test_ctx_done(ctx);
    }
    size_t n_out = expected.n;
    dpl__vec_clear(plain_ctx, &expected);
    test_ctx_done(plain_ctx);
    return n_out;
}

/* ---- tests --------------------------------------------------------------------------- */

DPL_TEST(bzip2, any_number_of_threads_gives_the_bytes_of_a_serial_decoder)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        dpl_ctx *ctx = test_ctx(1);
        dpl__bytes file = {0}, plain = {0}, out = {0};
        make_file(ctx, &file, &plain, &rng);
        CHECK_EQ(decode_plainly(ctx, &out, file.data, file.n), DPL_OK);
        CHECK(out.n == plain.n && (out.n == 0 || memcmp(out.data, plain.data, out.n) == 0));
        compare(file.data, file.n, seed);
        dpl__vec_clear(ctx, &out, &plain, &file);
        test_ctx_done(ctx);
    }
}

DPL_TEST(bzip2, damage_is_found_where_a_serial_decoder_finds_it)
{
    for (uint64_t seed = 100; seed < 140; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        dpl_ctx *ctx = test_ctx(1);
        dpl__bytes file = {0}, plain = {0};
        make_file(ctx, &file, &plain, &rng);
        size_t at = 4 + dpl__rng_below(&rng, file.n - 4);
        switch (dpl__rng_below(&rng, 4)) {
        case 0: file.data[at] ^= (char)(1 << dpl__rng_below(&rng, 8)); break;
        case 1: file.n = at; break; /* truncated */
        case 2:                     /* a byte too few */
            memmove(file.data + at, file.data + at + 1, file.n - at - 1);
            file.n--;
            break;
        default: append_data(ctx, &file, &rng, 1 + dpl__rng_below(&rng, 20)); break;
        }
        compare(file.data, file.n, seed);
        dpl__vec_clear(ctx, &plain, &file);
        test_ctx_done(ctx);
    }
}

DPL_TEST(bzip2, a_flipped_bit_is_found_where_a_serial_decoder_finds_it)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes file = {0};
    append_stream(ctx, &file, "text", 4, 1);
    append_stream(ctx, &file, "", 0, 2);
    for (size_t bit = 32; bit < 8 * file.n; bit++) { /* behind the header */
        file.data[bit / 8] ^= (char)(1 << bit % 8);
        compare(file.data, file.n, bit);
        file.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    dpl__vec_clear(ctx, &file);
    test_ctx_done(ctx);
}

DPL_TEST(bzip2, every_truncation_of_small_streams_is_refused_except_between_them)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes file = {0}, out = {0};
    append_stream(ctx, &file, "first", 5, 1);
    size_t between = file.n;
    append_stream(ctx, &file, "", 0, 9);
    size_t also_between = file.n;
    append_stream(ctx, &file, "third", 5, 5);
    for (size_t n = 4; n <= file.n; n++) {
        dpl_error err = {0};
        bool is_whole = n == between || n == also_between || n == file.n;
        CHECK_EQ(decode(ctx, &out, NULL, file.data, n, 100, &err),
                 is_whole ? DPL_OK : DPL_E_FORMAT);
        char expected[100];
        snprintf(expected, sizeof expected,
                 "'data': truncated bzip2 data at byte %zu of the file", n);
        CHECK_STR(dpl__cstr(err.text), is_whole ? "" : expected);
        CHECK_EQ(err.offset, is_whole ? 0 : n);
    }
    dpl__vec_clear(ctx, &out, &file);
    test_ctx_done(ctx);
}

/* ---- blocks written by hand ----------------------------------------------------------- */

typedef struct bits {
    uint8_t *data; /* zeroed */
    size_t n, cap; /* bits */
} bits;

static bits new_bits(size_t n_bytes)
{
    static uint8_t room[3 << 20];
    CHECK(n_bytes <= sizeof room);
    memset(room, 0, sizeof room);
    return (bits){room, 0, 8 * n_bytes};
}

static void put(bits *w, uint64_t value, unsigned n)
{
    while (n-- > 0) {
        CHECK(w->n < w->cap);
        w->data[w->n / 8] |= (uint8_t)((value >> n & 1) << (7 - w->n % 8));
        w->n++;
    }
}

/* A block over 14 letters whose codes have four bits each, so that its data is the symbols as
 * they stand: anything but 15, which ends it. `detours` make it longer, four bits each. */
static void put_block(bits *w, uint32_t crc, const uint8_t *symbols, size_t n, size_t detours)
{
    put(w, DPL__BZ_BLOCK, 48);
    put(w, crc, 32);
    put(w, 0, 25);      /* not randomised; row 0 */
    put(w, 0x0200, 16); /* letters of row 6 only: */
    put(w, 0x7FFE, 16); /* 'a' to 'n' */
    put(w, 2, 3);       /* tables */
    put(w, n / 50 + 1, 15);
    for (size_t i = 0; i < n / 50 + 1; i++)
        put(w, 0, 1);
    put(w, 4, 5); /* code length of the first symbol: 4, up to 5 and down again */
    for (; detours; detours--)
        put(w, 0xB, 4);
    put(w, 0, 16);
    put(w, (uint64_t)4 << 16, 5 + 16); /* the other table */
    for (size_t i = 0; i < n; i++)
        put(w, symbols[i], 4);
    put(w, 15, 4);
}

/* What a stream of just this block decodes to, as a CRC: libbz2 puts the bytes out before it
 * finds the CRC to be wrong. */
static uint32_t crc_of_block(const uint8_t *symbols, size_t n)
{
    uint8_t data[4096] = {0};
    bits w = {data, 0, 8 * sizeof data};
    put(&w, 0x425A6839, 32);
    put_block(&w, 0, symbols, n, 0);
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    decode_plainly(ctx, &out, (char *)w.data, w.n / 8 + 1);
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < out.n; i++)
        for (unsigned bit = 8; bit-- > 0;)
            crc =
                crc << 1 ^ ((crc >> 31 ^ ((uint8_t)out.data[i] >> bit & 1)) ? 0x04C11DB7u : 0);
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
    return ~crc;
}

/* Symbols that spell magics now and then. */
static size_t make_symbols(uint8_t *symbols, dpl__rng *rng)
{
    size_t n = 0;
    for (uint64_t pieces = 1 + dpl__rng_below(rng, 6); pieces; pieces--) {
        uint64_t magic = dpl__rng_below(rng, 2) ? DPL__BZ_BLOCK : DPL__BZ_END;
        for (uint64_t noise = dpl__rng_below(rng, 25); noise; noise--)
            symbols[n++] = (uint8_t)(2 + dpl__rng_below(rng, 13));
        for (unsigned nibble = 12; nibble-- > 0;)
            symbols[n++] = (uint8_t)(magic >> 4 * nibble & 15);
    }
    return n;
}

DPL_TEST(bzip2, magics_inside_of_blocks_do_not_confuse_it)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        bits w = new_bits(1 << 14);
        for (uint64_t streams = 1 + dpl__rng_below(&rng, 3); streams; streams--) {
            put(&w, 0x425A6831, 32);
            uint32_t combined = 0;
            for (uint64_t blocks = dpl__rng_below(&rng, 4); blocks; blocks--) {
                uint8_t symbols[300];
                size_t n = make_symbols(symbols, &rng);
                uint32_t crc = crc_of_block(symbols, n) ^ (dpl__rng_below(&rng, 20) == 0);
                put_block(&w, crc, symbols, n, 0);
                combined = dpl__bz_combine(combined, crc);
            }
            put(&w, DPL__BZ_END, 48);
            put(&w, combined ^ (dpl__rng_below(&rng, 20) == 0), 32);
            w.n = (w.n + 7) / 8 * 8;
        }
        compare((char *)w.data, w.n / 8 - (dpl__rng_below(&rng, 10) == 0), seed);
    }
}

DPL_TEST(bzip2, a_block_may_be_longer_than_the_window)
{
    static const uint8_t symbols[] = {2, 3, 4, 5, 6};
    uint32_t crc = crc_of_block(symbols, sizeof symbols);
    bits w = new_bits(3 << 20);
    put(&w, 0x425A6831, 32);
    put_block(&w, crc, symbols, sizeof symbols, 0);
    put_block(&w, crc, symbols, sizeof symbols, 5 << 20);
    put(&w, DPL__BZ_END, 48);
    put(&w, dpl__bz_combine(crc, crc), 32);
    compare((char *)w.data, (w.n + 7) / 8, 0);
}

/* A block of any code lengths, selectors and bits: few are what an encoder writes. */
static void put_any_block(bits *w, dpl__rng *rng)
{
    put(w, DPL__BZ_BLOCK, 48);
    put(w, 0, 32);
    put(w, dpl__rng_below(rng, 4) == 0, 1); /* randomised */
    put(w, dpl__rng_below(rng, 1 + dpl__rng_below(rng, 12)), 24);
    unsigned n_used = 0;
    uint16_t columns = dpl__rng_below(rng, 2) ? 0xFFFF : (uint16_t)dpl__rng_next(rng);
    uint16_t rows = (uint16_t)(dpl__rng_next(rng) & dpl__rng_next(rng));
    put(w, rows, 16);
    for (unsigned i = 0; i < 16; i++)
        if (rows & 0x8000u >> i) {
            put(w, columns, 16);
            for (unsigned j = 0; j < 16; j++)
                n_used += columns >> j & 1;
        }
    unsigned n_codes = 2 + (unsigned)dpl__rng_below(rng, 5);
    unsigned n_selectors = (unsigned)dpl__rng_below(rng, 1 + dpl__rng_below(rng, 1000));
    put(w, n_codes, 3);
    put(w, n_selectors, 15);
    for (unsigned i = 0; i < n_selectors; i++) {
        unsigned index = (unsigned)dpl__rng_below(rng, n_codes);
        put(w, ((1u << index) - 1) << 1, index + 1);
    }
    unsigned steady = (unsigned)dpl__rng_below(rng, 30), enough = 1;
    while (1u << enough < n_used + 2)
        enough++;
    for (unsigned c = 0; c < n_codes; c++) {
        unsigned length =
            dpl__rng_below(rng, 4) ? enough : 1 + (unsigned)dpl__rng_below(rng, 12);
        put(w, length, 5);
        for (unsigned i = 0; i < n_used + 2; i++) {
            bool is_end = i == n_used + 1; /* is often short, so that it is reached */
            while (is_end ? length > 4 : dpl__rng_below(rng, 2 + steady) == 0) {
                bool is_less =
                    is_end || (length > 1 && (length == 20 || dpl__rng_below(rng, 2)));
                put(w, 2 + is_less, 2);
                length = is_less ? length - 1 : length + 1;
            }
            put(w, 0, 1);
        }
    }
    for (unsigned i = 0; i < n_selectors; i++)
        for (unsigned j = 0; j < 4; j++)
            put(w, dpl__rng_next(rng) >> 8, 56);
}

DPL_TEST(bzip2, any_codes_and_bits_give_what_libbz2_gives)
{
    size_t n_with_output = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {dpl__mix(seed + 1000)};
        bits w = new_bits(1 << 16);
        put(&w, 0x425A6831, 32);
        put_any_block(&w, &rng);
        n_with_output += compare((char *)w.data, w.n / 8, seed) > 0;
    }
    CHECK(n_with_output > 50);
}

/* Bytes of any kind, and texts that repeat themselves: their rotations are in several cycles.
 */
static void make_text(dpl_ctx *ctx, dpl__bytes *plain, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    size_t n = 1 + dpl__rng_below(&rng, 1200000);
    size_t period = seed % 2 ? n : 1 + dpl__rng_below(&rng, seed % 4 ? 20 : 40000);
    append_data(ctx, plain, &rng, dpl__min(period, n));
    CHECK(dpl__vec_reserve(ctx, plain, n));
    for (; plain->n < n; plain->n++)
        plain->data[plain->n] = plain->data[plain->n - period];
}

DPL_TEST(bzip2, every_instruction_set_gives_the_bytes_that_were_packed)
{
    dpl_ctx *maker = test_ctx(1);
    for (uint64_t seed = 0; seed < 10; seed++) {
        dpl__bytes file = {0}, plain = {0};
        make_text(maker, &plain, seed);
        append_stream(maker, &file, plain.data, plain.n, 9);
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl_ctx *ctx = NULL;
            dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .cpu = (dpl_cpu)cpu);
            CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
            dpl__bytes out = {0};
            CHECK_OK(decode(ctx, &out, NULL, file.data, file.n, 1 << 20, &test_err));
            if (out.n != plain.n || memcmp(out.data, plain.data, out.n) != 0)
                dpl__test_fail(__FILE__, __LINE__, "seed %llu, %s: other bytes",
                               (unsigned long long)seed, dpl_cpu_name((dpl_cpu)cpu));
            dpl__vec_clear(ctx, &out);
            test_ctx_done(ctx);
        }
        dpl__vec_clear(maker, &plain, &file);
    }
    test_ctx_done(maker);
}

static dpl_status read_packed(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl__bytes *file = user;
    dpl__input *in = NULL;
    char buffer[5000];
    size_t got = 0;
    dpl_status status = dpl__input_open_memory(&in, ctx, "data", file->data, file->n, err);
    do
        status =
            status == DPL_OK ? dpl__input_read(in, buffer, sizeof buffer, &got, err) : status;
    while (status == DPL_OK && got > 0);
    dpl__input_close(in);
    return status;
}

DPL_TEST(bzip2, every_failed_allocation_is_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes file = {0}, plain = {0};
    make_text(ctx, &plain, 1);
    append_stream(ctx, &file, plain.data, plain.n, 9);
    append_stream(ctx, &file, "text", 4, 1);
    test_allocation_failures(read_packed, &file);
    dpl__vec_clear(ctx, &plain, &file);
    test_ctx_done(ctx);
}

DPL_TEST(bzip2, a_file_may_be_longer_than_the_window)
{
    dpl__rng rng = {8};
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes plain = {0}, file = {0}, out = {0};
    for (int i = 0; i < 850000; i++)
        CHECK(dpl__vec_push(ctx, &plain, (char)dpl__rng_next(&rng)));
    append_stream(ctx, &file, plain.data, plain.n, 9);
    size_t n = file.n, n_streams = 4;
    CHECK(dpl__vec_reserve(ctx, &file, (n_streams - 1) * n));
    while (file.n < n_streams * n)
        CHECK(dpl__vec_append(ctx, &file, file.data, n));
    const char *path = test_write("long.bz2", file.data, file.n);
    CHECK_OK(decode(ctx, &out, path, NULL, file.n, 1 << 20, &test_err));
    CHECK_EQ(out.n, n_streams * plain.n);
    for (size_t i = 0; i < n_streams; i++)
        CHECK(memcmp(out.data + i * plain.n, plain.data, plain.n) == 0);
    dpl__vec_clear(ctx, &out, &file, &plain);
    test_ctx_done(ctx);
}

DPL_TEST(bzip2, a_block_of_long_runs_streams)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes plain = {0}, file = {0};
    size_t n = 12 << 20; /* one block: 255 bytes of a run become 5 */
    CHECK(dpl__vec_reserve(ctx, &plain, n));
    memset(plain.data, 'x', n);
    append_stream(ctx, &file, plain.data, n, 9);
    append_stream(ctx, &file, "end", 3, 9);
    compare(file.data, file.n, 0);
    uint64_t before = dpl_ctx_peak(ctx);
    dpl__input *in = NULL;
    CHECK_OK(dpl__input_open_memory(&in, ctx, "runs", file.data, file.n, &test_err));
    char buffer[1000];
    size_t got, total = 0;
    do {
        CHECK_OK(dpl__input_read(in, buffer, sizeof buffer, &got, &test_err));
        total += got;
    } while (got);
    CHECK_EQ(total, n + 3);
    CHECK(dpl_ctx_peak(ctx) < before + (16 << 20));
    dpl__input_close(in);
    dpl__vec_clear(ctx, &file, &plain);
    test_ctx_done(ctx);
}

DPL_TEST(bzip2, magics_are_found_at_every_bit_and_nowhere_else)
{
    dpl__bz_finder finder;
    dpl__bz_finder_init(&finder);
    dpl__rng rng = {6};
    for (unsigned round = 0; round < 3000; round++) {
        uint8_t data[40];
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)dpl__rng_next(&rng);
        size_t at = dpl__rng_below(&rng, 8 * sizeof data - 48);
        uint64_t magic = round % 2 ? DPL__BZ_BLOCK : DPL__BZ_END;
        for (unsigned i = 0; i < 48; i++) {
            uint8_t mask = (uint8_t)(0x80 >> (at + i) % 8);
            data[(at + i) / 8] &= (uint8_t)~mask;
            data[(at + i) / 8] |= magic >> (47 - i) & 1 ? mask : 0;
        }
        size_t found = 0, to = 8 * sizeof data - 47;
        CHECK(dpl__bz_find(&found, &finder, data, dpl__rng_below(&rng, at + 1), to));
        CHECK_EQ(found, at);
        CHECK(!dpl__bz_find(&found, &finder, data, at + 1, to));
        CHECK(!dpl__bz_find(&found, &finder, data, 0, at));
    }
}
