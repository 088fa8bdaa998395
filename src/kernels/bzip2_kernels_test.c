#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "kernels/guarded_test.h"

#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

DPL_TEST(bzip2_kernels, every_level_finds_the_first_four_equal_bytes)
{
    dpl__rng rng = {21};
    uint8_t data[200];
    for (unsigned round = 0; round < 20000; round++) {
        size_t n = dpl__rng_below(&rng, 100), at = dpl__rng_below(&rng, 40), expected = 0;
        uint64_t letters = 1 + dpl__rng_below(&rng, 12);
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)dpl__rng_below(&rng, letters);
        const uint8_t *p = data + at;
        while (expected + 3 < n &&
               (p[expected] != p[expected + 1] || p[expected] != p[expected + 2] ||
                p[expected] != p[expected + 3]))
            expected++;
        expected = expected + 3 < n ? expected : n;
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->bz_four(p, n), expected);
    }
}

DPL_TEST(bzip2_kernels, the_crc_is_that_of_its_definition)
{
    dpl__rng rng = {22};
    uint8_t data[300];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        CHECK_EQ(~k->bz_crc(0xFFFFFFFFu, (const uint8_t *)"123456789", 9), 0xFC891918u);
        for (size_t n = 0; n < sizeof data; n++) {
            uint32_t state = 0xFFFFFFFFu;
            for (size_t i = 0; i < 8 * n; i++) {
                unsigned bit = data[i / 8] >> (7 - i % 8) & 1;
                state = state << 1 ^ ((state >> 31 ^ bit) ? 0x04C11DB7u : 0);
            }
            CHECK_EQ(k->bz_crc(0xFFFFFFFFu, data, n), state);
        }
    }
}

/* ---- symbols ----------------------------------------------------------------------- */

enum { MOST_CODES = 6, MOST_GROUPS = 12, MOST_BITS = MOST_GROUPS * 50 * 20 + 64 };

/* Codes of an alphabet, and what they are looked up in. */
typedef struct alphabet {
    unsigned n; /* symbols; the last one is the end */
    unsigned length[DPL__BZ_SYMBOLS];
    uint32_t bits[DPL__BZ_SYMBOLS]; /* of each code */
    dpl__bz_code code;
} alphabet;

/* Lengths of a complete code: two halves at each step, of which one is divided again; so the
 * longest codes of large alphabets have more bits than are looked up at once. */
static void draw_lengths(alphabet *a, unsigned first, unsigned n, unsigned depth, dpl__rng *rng)
{
    if (n == 1) {
        a->length[first] = depth ? depth : 1;
        return;
    }
    const unsigned left = DPL__BZ_LONGEST - depth - 1; /* bits that are left below */
    unsigned most = left < 9 ? 1u << left : n - 1;
    most = most < n - 1 ? most : n - 1;
    const unsigned least = n > most ? n - most : 1;
    unsigned half = dpl__rng_below(rng, 2) ? n / 2 : 1 + (unsigned)dpl__rng_below(rng, n - 1);
    half = half < least ? least : half > most ? most : half;
    draw_lengths(a, first, half, depth + 1, rng);
    draw_lengths(a, first + half, n - half, depth + 1, rng);
}

static uint16_t entry_of(const alphabet *a, unsigned s, unsigned length)
{
    const unsigned stop = DPL__BZ_STOP, special = DPL__BZ_SPECIAL, move = DPL__BZ_MOVE;
    if (s + 1 == a->n)
        return DPL__BZ_ENTRY(stop, length, special);
    return s < 2 ? DPL__BZ_ENTRY(0u, length, s + 1) : DPL__BZ_ENTRY(s - 1, length, move);
}

/* Canonical: by length, then symbol. */
static void make_code(alphabet *a)
{
    uint32_t next = 0;
    int32_t rank = 0;
    for (size_t i = 0; i < DPL_LEN(a->code.fast); i++)
        a->code.fast[i] = DPL__BZ_ENTRY(DPL__BZ_LONG_CODE, 0, DPL__BZ_SPECIAL);
    for (unsigned n = 1; n <= DPL__BZ_LONGEST; n++) {
        a->code.base[n] = (int32_t)next - rank;
        for (unsigned s = 0; s < a->n; s++) {
            if (a->length[s] != n)
                continue;
            a->bits[s] = next;
            a->code.by_rank[rank++] = entry_of(a, s, 0);
            for (uint32_t i = 0; n <= DPL__BZ_FAST && i < 1u << (DPL__BZ_FAST - n); i++)
                a->code.fast[(next << (DPL__BZ_FAST - n)) + i] = entry_of(a, s, n);
            next++;
        }
        a->code.beyond[n] = next << (DPL__BZ_LONGEST - n);
        next <<= 1;
    }
}

typedef struct block {
    alphabet codes[MOST_CODES];
    dpl__bz_code ready[MOST_CODES];
    unsigned n_codes, first_bit;
    uint8_t selectors[MOST_GROUPS], bytes[MOST_BITS / 8];
    size_t n_groups, n_bits;
    uint8_t list[256];
    uint32_t runs[MOST_GROUPS * 50 + 1]; /* expected */
    size_t n_runs;
} block;

static void put_code(block *b, const alphabet *a, unsigned s)
{
    for (unsigned i = a->length[s]; i-- > 0; b->n_bits++)
        if (a->bits[s] >> i & 1)
            b->bytes[b->n_bits / 8] |= (uint8_t)(128 >> b->n_bits % 8);
}

static uint8_t move_to_front(uint8_t *list, unsigned index)
{
    const uint8_t byte = list[index];
    for (; index > 0; index--)
        list[index] = list[index - 1];
    return list[0] = byte;
}

static void draw_block(block *b, dpl__rng *rng)
{
    memset(b, 0, sizeof *b);
    const unsigned n = 4 + (unsigned)dpl__rng_below(rng, dpl__rng_below(rng, 2) ? 255 : 20);
    b->n_codes = 1 + (unsigned)dpl__rng_below(rng, MOST_CODES);
    for (unsigned i = 0; i < b->n_codes; i++) {
        b->codes[i].n = n;
        draw_lengths(&b->codes[i], 0, n, 0, rng);
        make_code(&b->codes[i]);
        b->ready[i] = b->codes[i].code;
    }
    uint8_t list[256];
    for (unsigned i = 0; i < 256; i++) {
        const unsigned k = (unsigned)dpl__rng_below(rng, i + 1);
        list[i] = list[k];
        list[k] = (uint8_t)i;
    }
    memcpy(b->list, list, sizeof list);
    b->n_groups = 1 + dpl__rng_below(rng, MOST_GROUPS);
    b->n_bits = b->first_bit = (unsigned)dpl__rng_below(rng, 30);
    const size_t end = (b->n_groups - 1) * 50 + dpl__rng_below(rng, 50);
    uint32_t length = 0;
    uint8_t byte = list[0];
    unsigned place = 0;
    for (size_t i = 0; i <= end; i++) {
        if (i % 50 == 0)
            b->selectors[i / 50] = (uint8_t)dpl__rng_below(rng, b->n_codes);
        unsigned s = (unsigned)dpl__rng_below(rng, dpl__rng_below(rng, 2) ? n - 1 : 2);
        s = i == end ? n - 1 : s < 2 && place > 12 ? 2 : s; /* runs below 2^22 */
        put_code(b, &b->codes[b->selectors[i / 50]], s);
        if (i == end || s >= 2) {
            b->runs[b->n_runs++] = length << 8 | byte;
            byte = s + 1 < n ? move_to_front(list, s - 1) : byte;
            length = 1;
            place = 0;
        } else {
            length += (s + 1) << place++;
        }
    }
}

/* The symbols of the first n bytes. */
static dpl__bz_outcome decode(dpl__bz_symbols *s, const block *b, int cpu, const uint8_t *p,
                              size_t n, uint32_t *runs)
{
    *s = (dpl__bz_symbols){.p = p,
                           .n = n,
                           .bit = b->first_bit,
                           .codes = b->ready,
                           .selectors = b->selectors,
                           .n_selectors = b->n_groups,
                           .runs = runs};
    memcpy(s->list, b->list, sizeof s->list);
    return dpl__kernels_for((dpl_cpu)cpu)->bz_symbols(s);
}

DPL_TEST(bzip2_kernels, symbols_become_the_runs_that_they_were_made_of)
{
    static block b;
    dpl__rng rng = {23};
    guarded g = guarded_new(sizeof b.bytes), to = guarded_new(sizeof b.runs);
    size_t n_long = 0;
    for (int round = 0; round < 600; round++) {
        draw_block(&b, &rng);
        const size_t n = (b.n_bits + 7) / 8;
        const uint8_t *p = guarded_copy(&g, b.bytes, n, true);
        for (unsigned i = 0; i < b.codes[0].n; i++)
            n_long += b.codes[0].length[i] > DPL__BZ_FAST;
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl__bz_symbols s;
            uint32_t *runs =
                guarded_bytes(&to, (DPL__BZ_GROUP * b.n_groups + 1) * sizeof *runs, true);
            CHECK_EQ(decode(&s, &b, cpu, p, n, runs), DPL__BZ_DONE);
            CHECK_EQ(s.bit, b.n_bits);
            CHECK_EQ(s.n_runs, b.n_runs);
            CHECK(memcmp(runs, b.runs, b.n_runs * sizeof *runs) == 0);
        }
    }
    CHECK(n_long > 1000);
    guarded_free(&g);
    guarded_free(&to);
}

/* Cut anywhere, or without its end: all levels say the same of it. */
DPL_TEST(bzip2_kernels, blocks_that_are_cut_are_short_at_every_level)
{
    static block b;
    dpl__rng rng = {24};
    guarded g = guarded_new(sizeof b.bytes), to = guarded_new(sizeof b.runs);
    size_t n_short = 0;
    for (int round = 0; round < 300; round++) {
        draw_block(&b, &rng);
        const size_t n = (b.n_bits + 7) / 8, cut = dpl__rng_below(&rng, n);
        const bool is_cut = round % 3;
        if (!is_cut && b.n_groups > 1)
            b.n_groups--; /* the end is in the last group */
        const uint8_t *p = guarded_copy(&g, b.bytes, is_cut ? cut : n, true);
        dpl__bz_symbols first;
        static uint32_t expected[DPL_LEN(b.runs)];
        const dpl__bz_outcome outcome =
            decode(&first, &b, DPL_CPU_SCALAR, p, is_cut ? cut : n, expected);
        CHECK(!is_cut || outcome != DPL__BZ_DONE || first.bit <= 8 * cut);
        n_short += outcome == DPL__BZ_SHORT;
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl__bz_symbols s;
            uint32_t *runs =
                guarded_bytes(&to, (DPL__BZ_GROUP * b.n_groups + 1) * sizeof *runs, true);
            CHECK_EQ(decode(&s, &b, cpu, p, is_cut ? cut : n, runs), outcome);
            CHECK_EQ(s.bit, first.bit);
            CHECK_EQ(s.n_runs, first.n_runs);
            CHECK(memcmp(runs, expected, s.n_runs * sizeof *runs) == 0);
        }
    }
    CHECK(n_short > 50);
    guarded_free(&g);
    guarded_free(&to);
}
