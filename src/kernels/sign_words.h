/*
 * sign_words.h - the vector form of sign_rp and sign_minima, included by each level.
 *
 * After simd.h; sign_scalar.c has a vector of one word and defines what it needs of simd.h
 * itself. SIGN_LANES are the 64-bit words of a vector. V_ADD(sum, carry, a, b) is sum += a + b,
 * bit by bit, with the carries; v_turn(x, pattern) is each word rotated by whole bytes: the
 * pattern says from where in its 16 bytes each byte comes, or (SIGN_LANES 1) by how many bits.
 * A file with V_OWN_LOOPS also has its own form of the loops in the middle of this one.
 *
 * A lane is a word of the signature. Terms are taken in chunks, of which one is enough for
 * most rows and which stay near the processor, and then words in groups of SIGN_LANES:
 *
 * rp: the three streams of a term are added up to two planes, the sums' low and high bits. The
 * planes of a term with weight w have to be counted 2^j times for every bit j of w; so each
 * level j has a list of the planes to be counted there, and takes eight at a time through a
 * tree of full adders (a positional population count). The eighth comes out as one more plane
 * for level j + 3. That is one full adder, two instructions, per plane and vector, which is
 * the floor. The sums start not at 0 but so that the answer is their top bit.
 *
 * minima: a rotation of bytes, an exclusive or and a minimum per term and vector.
 */
#ifdef DPL_KERNELS_SIMD_H
enum { SIGN_LANES = V_BYTES / 8 };
#define v_turn v_lookup
#ifndef V_ADD
#define V_ADD(sum, carry, a, b)                                                                \
    do {                                                                                       \
        const vec a_ = (a), b_ = (b), s_ = (sum), t_ = v_xor(a_, b_);                          \
        (sum) = v_xor(t_, s_);                                                                 \
        (carry) = v_or(v_and(a_, b_), v_and(t_, s_));                                          \
    } while (0)
#endif
#endif

/* clang-format off */

enum {
    CHUNK = 256,          /* terms */
    TURNS = DPL__SIGN_WORDS / 8 + DPL__SIGN_STREAMS - 1,
    WEIGHT_BITS = 6,
    LEVELS = 36,          /* of a sum, with room above */
    FULL_LEVELS = 10,     /* levels that get more than the carries of carries */
    MOST_LISTED = 640,    /* planes at a full level: 2 CHUNK, carries, a vector of numbers */
    MOST_CARRIED = 32,    /* planes at the others */
    MOST_CARRIES = 512,   /* planes that come out of the trees of a chunk */
    SIGN_GROUPS = DPL__SIGN_WORDS / SIGN_LANES,
};

typedef struct work {
    vec planes[2 * CHUNK + 1 + MOST_CARRIES]; /* of the terms, one that is 0, carries */
    vec sums[SIGN_GROUPS][LEVELS];
    uint64_t x[DPL__SIGN_STREAMS][CHUNK], turned[TURNS][CHUNK]; /* turned[k]: rotl(y, k) */
    uint32_t lists[FULL_LEVELS * MOST_LISTED + (LEVELS - FULL_LEVELS) * MOST_CARRIED];
    uint32_t n_listed[LEVELS]; /* of the chunk's terms */
} work;

static_assert(sizeof(work) <= DPL__SIGN_SCRATCH, "scratch is too small");

/* clang-format on */

/* Planes to be counted at a level: where they stand, in bytes. */
static inline uint32_t *list_of(work *w, unsigned level)
{
    return w->lists + (level < FULL_LEVELS
                           ? level * MOST_LISTED
                           : FULL_LEVELS * MOST_LISTED + (level - FULL_LEVELS) * MOST_CARRIED);
}

/* ---- loops that a level may have in its own form -------------------------------------- */

#ifndef V_OWN_LOOPS
static uint64_t sum_of(const uint8_t *weights, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    return sum;
}

static void mix_keys(uint64_t *out, const uint64_t *keys, size_t n, uint64_t constant)
{
    for (size_t i = 0; i < n; i++)
        out[i] = dpl__mix(keys[i] ^ constant);
}

static void turn(uint64_t *out, const uint64_t *in, size_t n, unsigned k)
{
    for (size_t i = 0; i < n; i++)
        out[i] = dpl__rotl(in[i], k);
}

/* Lists the low planes of the terms whose weight has bit j at level j; lists are empty. */
static void list_low(work *w, const uint8_t *weights, size_t n)
{
    uint32_t n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0, *lists = w->lists;
    for (uint32_t i = 0; i < n; i++) { /* no branch: it cannot be foretold */
        uint32_t place = 2 * i * (uint32_t)sizeof(vec), weight = weights[i];
        lists[n0] = place;
        lists[MOST_LISTED + n1] = place;
        lists[2 * MOST_LISTED + n2] = place;
        lists[3 * MOST_LISTED + n3] = place;
        lists[4 * MOST_LISTED + n4] = place;
        lists[5 * MOST_LISTED + n5] = place;
        n0 += weight & 1;
        n1 += weight >> 1 & 1;
        n2 += weight >> 2 & 1;
        n3 += weight >> 3 & 1;
        n4 += weight >> 4 & 1;
        n5 += weight >> 5;
    }
    const uint32_t all[] = {n0, n1, n2, n3, n4, n5};
    memcpy(w->n_listed, all, sizeof all);
}

/* The high planes of n terms from their low ones. */
static void list_high(uint32_t *high, const uint32_t *low, size_t n)
{
    for (size_t i = 0; i < n; i++)
        high[i] = low[i] + (uint32_t)sizeof(vec);
}

/* Bit k of byte i becomes bit i of byte k. */
static uint64_t transpose8(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00AA00AA00AA00AAu;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000CCCC0000CCCCu;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000F0F0F0F0u;
    return x ^ t ^ t << 28;
}

/* The 64 numbers whose binary digits are words `step` apart, each doubled, less `total`. */
static void put_numbers(int32_t *out, const uint64_t *digits, size_t step, unsigned n_digits,
                        int32_t total)
{
    for (unsigned i = 0; i < 64; i++)
        out[i] = -total;
    for (unsigned first = 0; first < n_digits; first += 8)
        for (unsigned eight = 0; eight < 64; eight += 8) {
            uint64_t x = 0;
            for (unsigned k = 0; k < 8 && first + k < n_digits; k++)
                x |= (digits[(first + k) * step] >> eight & 255) << 8 * k;
            x = transpose8(x);
            for (unsigned i = 0; i < 8; i++)
                out[eight + i] += (int32_t)(x >> 8 * i & 255) << (first + 1);
        }
}
#else
static uint64_t sum_of(const uint8_t *weights, size_t n);
static void mix_keys(uint64_t *out, const uint64_t *keys, size_t n, uint64_t constant);
static void turn(uint64_t *out, const uint64_t *in, size_t n, unsigned k);
static void list_low(work *w, const uint8_t *weights, size_t n);
static void list_high(uint32_t *high, const uint32_t *low, size_t n);
static void put_numbers(int32_t *out, const uint64_t *digits, size_t step, unsigned n_digits,
                        int32_t total);
#endif

/* ---- the hashes of terms ------------------------------------------------------------- */

/* How the words of eight lanes are turned: lane k by k bytes. */
#define PATTERN(k)                                                                             \
    (SIGN_LANES == 1                                                                           \
         ? (k) << 3                                                                            \
         : ((k) % 2 * 0x0808080808080808u |                                                    \
            (0x0706050403020100u << 8 * (k) | 0x0706050403020100u >> (64 - 8 * (k)) % 64)))
static const uint64_t patterns[8] = {
    PATTERN(0), PATTERN(1), PATTERN(2), PATTERN(3),
    PATTERN(4), PATTERN(5), PATTERN(6), PATTERN(7),
};

/* Hashes of n terms, for the given numbers of streams and turns. */
static void make_states(work *w, const uint64_t *keys, size_t n, uint64_t seed,
                        unsigned n_streams, unsigned n_turns)
{
    for (unsigned i = 0; i < n_streams; i++)
        mix_keys(w->x[i], keys, n, dpl__mix(seed + i));
    mix_keys(w->turned[0], keys, n, dpl__mix(seed + DPL__SIGN_STREAMS));
    for (unsigned k = 1; k < n_turns; k++)
        turn(w->turned[k], w->turned[0], n, k);
}

/* ---- rp ----------------------------------------------------------------------------- */

/* Which planes of the chunk are to be counted at which level: the low planes of a term at the
 * bits of its weight, the high ones, which stand behind them, one level above. */
static void make_lists(work *w, const uint8_t *weights, size_t n)
{
    memset(w->n_listed, 0, sizeof w->n_listed);
    list_low(w, weights, n);
    for (unsigned level = WEIGHT_BITS; level > 0; level--) {
        list_high(list_of(w, level) + w->n_listed[level], list_of(w, level - 1),
                  w->n_listed[level - 1]);
        w->n_listed[level] += w->n_listed[level - 1];
    }
}

static void make_planes(work *w, size_t n, size_t group)
{
    const size_t word = group * SIGN_LANES;
    uint64_t(*turned)[CHUNK] = w->turned + word / 8;
    const vec pattern = v_load(patterns + word % 8);
    for (size_t i = 0; i < n; i++) {
        vec carry, sum = v_xor(v_set64(w->x[0][i]), v_turn(v_set64(turned[0][i]), pattern));
        vec b = v_xor(v_set64(w->x[1][i]), v_turn(v_set64(turned[1][i]), pattern));
        vec c = v_xor(v_set64(w->x[2][i]), v_turn(v_set64(turned[2][i]), pattern));
        V_ADD(sum, carry, b, c);
        v_store_aligned(&w->planes[2 * i], sum);
        v_store_aligned(&w->planes[2 * i + 1], carry);
    }
}

/* Adds the listed planes to the sums, which have no more than `top` levels. */
static void count_planes(work *w, vec *sums, unsigned top)
{
    char *const planes = (char *)w->planes;
    uint32_t n_listed[LEVELS], next = (2 * CHUNK + 1) * sizeof(vec);
    memcpy(n_listed, w->n_listed, sizeof n_listed);
    for (unsigned level = 0; level <= top; level++) {
        uint32_t *list = list_of(w, level), n = n_listed[level];
        uint32_t *above = list_of(w, level + 3) + n_listed[level + 3], n_above = 0;
        for (uint32_t i = 0; i < 7; i++)
            list[n + i] = 2 * CHUNK * sizeof(vec);
        vec ones = sums[level], twos = sums[level + 1], fours = sums[level + 2];
        for (const uint32_t *p = list, *end = list + n; p < end; p += 8) {
            vec two[4], four[2], eight;
            V_ADD(ones, two[0], v_load(planes + p[0]), v_load(planes + p[1]));
            V_ADD(ones, two[1], v_load(planes + p[2]), v_load(planes + p[3]));
            V_ADD(ones, two[2], v_load(planes + p[4]), v_load(planes + p[5]));
            V_ADD(ones, two[3], v_load(planes + p[6]), v_load(planes + p[7]));
            V_ADD(twos, four[0], two[0], two[1]);
            V_ADD(twos, four[1], two[2], two[3]);
            V_ADD(fours, eight, four[0], four[1]);
            v_store_aligned((vec *)(void *)(planes + next), eight);
            above[n_above++] = next;
            next += sizeof(vec);
        }
        sums[level] = ones;
        sums[level + 1] = twos;
        sums[level + 2] = fours;
        n_listed[level + 3] += n_above;
    }
}

/* Chunks of a long row are all of a size: a small one costs nearly as much as a large one. */
static size_t chunk_size(size_t n)
{
    size_t n_chunks = (n + CHUNK - 1) / CHUNK;
    return n ? (n + n_chunks - 1) / n_chunks : 1;
}

static void sign_rp(uint64_t *out, size_t n_words, const dpl__sign_terms *terms, uint64_t seed)
{
    work *w = terms->scratch;
    const size_t n = terms->n;
    assert(n < 1 << 23 && n_words <= DPL__SIGN_WORDS);
    const size_t n_groups = (n_words + SIGN_LANES - 1) / SIGN_LANES;
    const uint64_t most = DPL__SIGN_STREAMS * sum_of(terms->weights, n); /* that a sum can be */
    unsigned top = 0;
    while (most >> top)
        top++;
    const uint64_t start = ((uint64_t)1 << top) - 1 - most / 2;
    for (unsigned level = 0; level < top + 3; level++) {
        uint64_t bit = -(start >> level & 1);
        for (size_t group = 0; group < n_groups; group++)
            w->sums[group][level] = v_set64(bit);
    }
    v_store_aligned(&w->planes[2 * CHUNK], v_zero());
    const size_t most_chunk = chunk_size(n);
    for (size_t first = 0; first < n; first += most_chunk) {
        size_t n_chunk = dpl__min(most_chunk, n - first);
        make_states(w, terms->keys + first, n_chunk, seed, DPL__SIGN_STREAMS,
                    (unsigned)((n_words + 7) / 8 + DPL__SIGN_STREAMS - 1));
        make_lists(w, terms->weights + first, n_chunk);
        for (size_t group = 0; group < n_groups; group++) {
            make_planes(w, n_chunk, group);
            count_planes(w, w->sums[group], top);
        }
    }
    for (size_t group = 0; group < n_groups; group++)
        memcpy(out + group * SIGN_LANES, &w->sums[group][top],
               dpl__min(SIGN_LANES, n_words - group * SIGN_LANES) * sizeof *out);
}

/* ---- sums --------------------------------------------------------------------------- */

/* As make_planes, with one stream: only the low plane of each term. */
static void make_signs(work *w, size_t n, size_t group)
{
    const size_t word = group * SIGN_LANES;
    const uint64_t *turned = w->turned[word / 8];
    const vec pattern = v_load(patterns + word % 8);
    for (size_t i = 0; i < n; i++)
        v_store_aligned(&w->planes[2 * i],
                        v_xor(v_set64(w->x[0][i]), v_turn(v_set64(turned[i]), pattern)));
}

static void sign_sums(int32_t *out, size_t n_words, const dpl__sign_terms *terms, uint64_t seed)
{
    work *w = terms->scratch;
    const size_t n = terms->n;
    assert(n < 1 << 23 && n_words <= DPL__SIGN_WORDS);
    const size_t n_groups = (n_words + SIGN_LANES - 1) / SIGN_LANES, most_chunk = chunk_size(n);
    const uint64_t total = sum_of(terms->weights, n);
    unsigned top = 0;
    while (total >> top)
        top++;
    for (size_t group = 0; group < n_groups; group++)
        for (unsigned level = 0; level < top + 3; level++)
            w->sums[group][level] = v_zero();
    v_store_aligned(&w->planes[2 * CHUNK], v_zero());
    for (size_t first = 0; first < n; first += most_chunk) {
        size_t n_chunk = dpl__min(most_chunk, n - first);
        make_states(w, terms->keys + first, n_chunk, seed, 1, (unsigned)((n_words + 7) / 8));
        memset(w->n_listed, 0, sizeof w->n_listed);
        list_low(w, terms->weights + first, n_chunk);
        for (size_t group = 0; group < n_groups; group++) {
            make_signs(w, n_chunk, group);
            count_planes(w, w->sums[group], top);
        }
    }
    for (size_t word = 0; word < n_words; word++)
        put_numbers(out + 64 * word,
                    (const uint64_t *)(const void *)w->sums[word / SIGN_LANES] +
                        word % SIGN_LANES,
                    SIGN_LANES, top, (int32_t)total);
}

/* ---- minima ------------------------------------------------------------------------- */

enum { AT_ONCE = 4 }; /* vectors of minima in registers */

#define V_LEAST(m, g)                                                                          \
    (m) = v_min32((m), v_xor(x, v_turn(v_set64(w->turned[(group + (g)) * SIGN_LANES / 8][i]),  \
                                       pattern##g)))
#define V_PATTERN(g) v_load(patterns + (group + (g)) * SIGN_LANES % 8)

/* The minima of some groups of words. */
static void take_minima(const work *w, size_t n, vec *least, size_t group)
{
    const vec pattern0 = V_PATTERN(0), pattern1 = V_PATTERN(1), pattern2 = V_PATTERN(2),
              pattern3 = V_PATTERN(3);
    vec m0 = least[0], m1 = least[1], m2 = least[2], m3 = least[3];
    for (size_t i = 0; i < n; i++) {
        const vec x = v_set64(w->x[0][i]);
        V_LEAST(m0, 0);
        V_LEAST(m1, 1);
        V_LEAST(m2, 2);
        V_LEAST(m3, 3);
    }
    least[0] = m0;
    least[1] = m1;
    least[2] = m2;
    least[3] = m3;
}

static void sign_minima(uint32_t *out, size_t n_values, const uint64_t *keys, size_t n,
                        uint64_t seed, void *scratch)
{
    work *w = scratch;
    vec least[SIGN_GROUPS];
    /* As many as are taken at once, or some times that. */
    const size_t n_step = 2 * SIGN_LANES * AT_ONCE;
    const size_t n_groups = (n_values + n_step - 1) / n_step * AT_ONCE;
    for (size_t group = 0; group < n_groups; group++)
        least[group] = v_set64(-1);
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t n_chunk = dpl__min(CHUNK, n - first);
        make_states(w, keys + first, n_chunk, seed, 1,
                    (unsigned)(n_groups * SIGN_LANES + 7) / 8);
        for (size_t group = 0; group < n_groups; group += AT_ONCE)
            take_minima(w, n_chunk, least + group, group);
    }
    memcpy(out, least, n_values * sizeof *out);
}
