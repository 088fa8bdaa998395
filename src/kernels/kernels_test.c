#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

static const dpl__kernels *scalar(void)
{
    return dpl__kernels_for(DPL_CPU_SCALAR);
}

DPL_TEST(kernels, crc32c_matches_the_published_check_value)
{
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        CHECK_EQ(k->crc32c(0, "123456789", 9), 0xE3069283u);
        CHECK_EQ(k->crc32c(0, "", 0), 0);
    }
}

DPL_TEST(kernels, every_level_agrees_with_scalar_at_every_length_and_alignment)
{
    dpl__rng rng = {17};
    static uint8_t data[8192];
    dpl__byteset set = {0};
    for (int b = 0; b < 40; b++)
        dpl__byteset_add(&set, (uint8_t)dpl__rng_next(&rng));
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        for (size_t round = 0; round < 3000; round++) {
            size_t at = dpl__rng_below(&rng, 70);
            size_t n = dpl__rng_below(&rng, round % 10 ? 300 : sizeof data - 70);
            uint32_t start = (uint32_t)dpl__rng_next(&rng);
            CHECK_EQ(k->crc32c(start, data + at, n), scalar()->crc32c(start, data + at, n));
            CHECK_EQ(k->find_byte(data + at, n, &set), scalar()->find_byte(data + at, n, &set));
            uint64_t a[64], b[64];
            size_t blocks = dpl__min(n / 64, 64);
            k->mask_bytes(a, data + at, blocks, &set);
            scalar()->mask_bytes(b, data + at, blocks, &set);
            CHECK(blocks == 0 || memcmp(a, b, blocks * sizeof *a) == 0);
        }
        for (int b = 0; b < 256; b++) { /* every byte value, alone in a quiet place */
            uint8_t block[64];
            uint64_t m;
            memset(block, b, sizeof block);
            k->mask_bytes(&m, block, 1, &set);
            CHECK_EQ(m, dpl__byteset_has(&set, (uint8_t)b) ? ~(uint64_t)0 : 0);
        }
    }
}

DPL_TEST(kernels, joined_crcs_are_the_crc_of_the_whole)
{
    dpl__rng rng = {3};
    static uint8_t data[5000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    const dpl__kernels *k = scalar();
    for (int round = 0; round < 200; round++) {
        size_t n = dpl__rng_below(&rng, sizeof data), cut = dpl__rng_below(&rng, n + 1);
        uint32_t a = k->crc32c(0, data, cut), b = k->crc32c(0, data + cut, n - cut);
        CHECK_EQ(dpl__crc32c_join(a, b, n - cut), k->crc32c(0, data, n));
    }
}

DPL_TEST(kernels, utf8_prefix_stops_at_the_first_bad_byte)
{
    static const struct {
        const char *bytes;
        size_t n, good;
    } cases[] = {
        {"plain", 5, 5},
        {"\xC3\xA4", 2, 2},
        {"a\xC3", 2, 1},
        {"\xC0\x80", 2, 0},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xED\xA0\x80", 3, 0},
        {"\xED\x9F\xBF", 3, 3},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF4\x8F\xBF\xBF", 4, 4},
        {"\xF4\x90\x80\x80", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"0123456789abcde\xE2\x82\xAC then \x80", 25, 24},
    };
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        for (size_t i = 0; i < DPL_LEN(cases); i++) {
            uint8_t most;
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            CHECK_EQ(k->utf8_prefix((const uint8_t *)cases[i].bytes, cases[i].n, &most),
                     cases[i].good);
        }
}

/* A code point of 1 to 4 bytes, each length as likely; returns its length. */
static size_t put_code_point(uint8_t *out, dpl__rng *rng)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000},
                          end[] = {0x80, 0x800, 0x10000, 0x110000};
    uint64_t extra = dpl__rng_below(rng, 4);
    uint32_t c;
    do
        c = least[extra] + (uint32_t)dpl__rng_below(rng, end[extra] - least[extra]);
    while (c >= 0xD800 && c < 0xE000);
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (uint8_t)(lead[extra] | c >> 6 * extra);
    for (uint64_t i = 1; i <= extra; i++)
        out[i] = (uint8_t)(0x80 | (c >> 6 * (extra - i) & 0x3F));
    return 1 + extra;
}

/* Valid text of n bytes with stretches of ASCII. */
static void fill_text(uint8_t *out, size_t n, dpl__rng *rng)
{
    for (size_t i = 0; i < n;) {
        for (uint64_t plain = dpl__rng_below(rng, 3) ? 0 : dpl__rng_below(rng, 150);
             plain && i < n; plain--)
            out[i++] = (uint8_t)dpl__rng_below(rng, 128);
        uint8_t sequence[4];
        size_t length = put_code_point(sequence, rng);
        if (length <= n - i) {
            memcpy(out + i, sequence, length);
            i += length;
        }
    }
}

static void check_utf8(const uint8_t *p, size_t n, uint64_t seed)
{
    uint8_t expected_most, most;
    size_t expected = scalar()->utf8_prefix(p, n, &expected_most);
    for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
        size_t good = dpl__kernels_for((dpl_cpu)cpu)->utf8_prefix(p, n, &most);
        if (good != expected || most != expected_most)
            dpl__test_fail(__FILE__, __LINE__,
                           "%s, seed %llu: %zu of %zu bytes, most %02X; expected %zu, %02X",
                           dpl_cpu_name((dpl_cpu)cpu), (unsigned long long)seed, good, n, most,
                           expected, expected_most);
    }
}

DPL_TEST(kernels, utf8_prefix_agrees_with_scalar_at_every_length_and_alignment)
{
    static uint8_t room[1024];
    for (uint64_t seed = 0; seed < 20; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        for (size_t n = 0; n <= 400; n++) { /* also right before the end of what may be read */
            uint8_t *text = room + (seed % 2 ? sizeof room - n : dpl__rng_below(&rng, 64));
            fill_text(text, n, &rng);
            CHECK_EQ(scalar()->utf8_prefix(text, n, &(uint8_t){0}), n);
            check_utf8(text, n, seed);
        }
    }
}

DPL_TEST(kernels, utf8_prefix_agrees_with_scalar_on_damaged_text)
{
    static uint8_t text[400];
    for (uint64_t seed = 0; seed < 40000; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = dpl__rng_below(&rng, sizeof text);
        fill_text(text, n, &rng);
        for (uint64_t i = dpl__rng_below(&rng, 3); i && n; i--)
            text[dpl__rng_below(&rng, n)] = (uint8_t)dpl__rng_next(&rng);
        if (seed % 3 == 0 && n) /* cut off anywhere */
            n = dpl__rng_below(&rng, n);
        check_utf8(text, n, seed);
    }
}

/* Every pair of bytes, and every kind of longer sequence, before, over and behind each border
 * between vectors. */
DPL_TEST(kernels, utf8_prefix_agrees_with_scalar_over_borders)
{
    static const uint8_t bytes[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
                                    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
                                    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
    uint8_t text[140];
    memset(text, 'a', sizeof text);
    for (uint32_t pair = 0; pair < 1 << 16; pair++)
        for (size_t at = 14; at < 17; at++) {
            text[at] = (uint8_t)(pair >> 8);
            text[at + 1] = (uint8_t)pair;
            check_utf8(text, 64, pair);
            memset(text + at, 'a', 2);
        }
    for (size_t border = 16; border <= 128; border += border < 64 ? 16 : 64)
        for (size_t at = border - 4; at <= border; at++)
            for (uint64_t i = 0; i < DPL_LEN(bytes) * DPL_LEN(bytes) * 16 * 16; i++) {
                text[at] = bytes[i % DPL_LEN(bytes)];
                text[at + 1] = bytes[i / DPL_LEN(bytes) % DPL_LEN(bytes)];
                text[at + 2] = bytes[i / DPL_LEN(bytes) / DPL_LEN(bytes) % 16];
                text[at + 3] = bytes[i / DPL_LEN(bytes) / DPL_LEN(bytes) / 16];
                check_utf8(text, i % 2 ? sizeof text : border, i);
                memset(text + at, 'a', 4);
            }
}

/* ---- levels
 * ---------------------------------------------------------------------------------- */

#define ENTRY(name)                                                                            \
    {                                                                                          \
#name, offsetof(dpl__kernels, name)                                                    \
    }

/* What a level does better than the one below; without it, it would only be slower. */
DPL_TEST(kernels, every_level_has_the_loops_that_are_its_own)
{
    static const struct {
        const char *name;
        size_t offset;
    } entries[] = {ENTRY(crc32c),       ENTRY(find_byte),    ENTRY(mask_bytes),
                   ENTRY(utf8_prefix),  ENTRY(hamming),      ENTRY(hamming_mask),
                   ENTRY(hamming_few),  ENTRY(hamming_turn), ENTRY(hamming_turned),
                   ENTRY(dot8),         ENTRY(dot8_mask),    ENTRY(quantise8),
                   ENTRY(dot),          ENTRY(dots),         ENTRY(sign_weights),
                   ENTRY(sign_rp),      ENTRY(sign_votes),   ENTRY(sign_minima),
                   ENTRY(sign_sums),    ENTRY(sign_dots),    ENTRY(sparse_dot),
                   ENTRY(sparse_bound), ENTRY(sparse_add),   ENTRY(sparse_sweep),
                   ENTRY(sparse_pass),  ENTRY(column_turn),  ENTRY(column_keys),
                   ENTRY(chains),       ENTRY(chain_jumps),  ENTRY(bz_symbols),
                   ENTRY(bz_four),      ENTRY(bz_crc)};
    static const char *const own[] = {
        [DPL_CPU_SCALAR] = "",
        [DPL_CPU_SSE42] = "crc32c find_byte mask_bytes utf8_prefix hamming hamming_mask "
                          "hamming_few hamming_turn hamming_turned dot8 dot8_mask sign_rp "
                          "sign_minima sign_sums bz_symbols bz_four",
        [DPL_CPU_AVX2] =
            "find_byte mask_bytes utf8_prefix hamming hamming_mask hamming_few hamming_turn "
            "hamming_turned dot8 dot8_mask quantise8 dot dots sign_rp sign_minima sign_sums "
            "sign_dots sparse_bound sparse_add sparse_sweep sparse_pass column_turn "
            "column_keys chains "
            "chain_jumps bz_symbols bz_four",
        [DPL_CPU_AVX512] =
            "find_byte mask_bytes utf8_prefix hamming hamming_mask hamming_few hamming_turn "
            "hamming_turned dot8 dot8_mask quantise8 dot dots sign_weights sign_rp sign_votes "
            "sign_minima sign_sums sign_dots sparse_dot sparse_bound sparse_add sparse_sweep "
            "sparse_pass column_turn column_keys chains chain_jumps"};
    CHECK_EQ(sizeof(dpl__kernels), DPL_LEN(entries) * sizeof(void (*)(void))); /* all of them */
    for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best() && cpu <= DPL_CPU_AVX512; cpu++) {
        const char *k = (const char *)dpl__kernels_for((dpl_cpu)cpu),
                   *below = (const char *)dpl__kernels_for((dpl_cpu)(cpu - 1));
        char found[1000] = "";
        for (size_t i = 0; i < DPL_LEN(entries); i++) {
            if (memcmp(k + entries[i].offset, below + entries[i].offset,
                       sizeof(void (*)(void))) == 0)
                continue;
            strcat(found, *found ? " " : "");
            strcat(found, entries[i].name);
        }
        CHECK_STR(dpl__cstr(found), own[cpu]);
    }
}
