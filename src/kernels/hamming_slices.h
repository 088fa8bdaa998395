/*
 * hamming_slices.h - the vector form of hamming_mask, included by each level.
 *
 * The including file defines the vector `vec` of 64 LANES bits, LANES 1 to 8, FIELD, and on
 * vec: v_load(p), v_store(p, x), v_zero(), v_and, v_or, v_xor, v_andnot(a, b) (b without a),
 * v_left(x, k) and v_right(x, k) (within 64 bits), v_any(x), v_lanes(p, step) (LANES words that
 * stand `step` words apart), and v_full(&sum, a, b), which adds the bits of a and b to sum and
 * returns the carries.
 *
 * Documents are transposed: a vector holds one bit position of VEC documents, and a distance
 * is counted for all of them at once, in vectors that are the binary digits of VEC counters.
 *
 * Tables. Positions are taken in fields of a few. For each value that the query can have in a
 * field a table holds, as two vectors, how many positions of the field differ: no exclusive-or
 * is left to do per pair, and the first additions are done once per block of documents. Three
 * positions fill two digits exactly. More positions are counted only up to three: then the sum
 * may be too small, never too large, so pairs above the cut are thrown away for good and what
 * is left is looked at again. Of unlike signatures half of the positions differ, the sum of a
 * field of four or five is rarely more than three, and the sum stays far above the cut; `plan`
 * makes sure of that, for as many fields as it needs, and a call that meets too many survivors
 * goes on with exact fields.
 *
 * Adding. Carry-save: a full adder takes three vectors of one weight and gives one of the same
 * and one of twice the weight, so n table vectors cost about n adders. Eight tables are added
 * at a time for a group of queries: tables and counters stay in the first-level cache, tables
 * come from the second-level cache once per group.
 */
#ifndef DPL_SRC_HAMMING_SLICES_H
#define DPL_SRC_HAMMING_SLICES_H

enum {
    VEC = 64 * LANES, /* documents in a vector */
    VEC_BYTES = 8 * LANES,
    SLAB = 16,                        /* words of a row whose tables are in memory at a time */
    SPAN = LANES > 1 ? LANES / 2 : 1, /* halves whose codes are made at once */
    EIGHT = 8, /* tables that are added at a time; two times make a unit */
    UNIT = 2 * EIGHT,
    GROUP = 64,       /* queries */
    TILE = 256,       /* queries whose counters are in memory, with more than one slab */
    LOW = 6,          /* digits 0 to 3, and what the first half of a unit leaves over */
    MOST_DIGITS = 17, /* 65536 positions */
    HIGH = MOST_DIGITS - 4,
    EXACT = 3, /* positions in a field that is counted exactly */
};

/* How a call does it. */
typedef struct plan {
    unsigned field; /* positions in a field */
    size_t n_words; /* looked at; a slab holds the last one's rest */
    bool is_exact;
} plan;

typedef struct job {
    uint64_t *mask;
    const uint64_t *queries, *docs; /* docs: the first of this vector */
    size_t n_docs, n_words, stride; /* n_docs: of this vector */
    unsigned cut;
    /* scratch */
    vec *positions; /* 64 SLAB, and UNIT fields of zeros */
    vec *tables;
    vec *low, *high; /* counters of a tile: [query][LOW], [query][HIGH] */
    uint16_t *codes; /* of a group: [half unit][query][EIGHT] byte offsets of table rows */
} job;

static size_t tables_of(size_t n_words, unsigned field)
{
    size_t n = (64 * n_words + field - 1) / field;
    return (n + UNIT - 1) / UNIT * UNIT;
}

/* ---- documents to tables ------------------------------------------------------------ */

/* Bit k of word i of a becomes bit i of word k, in every lane. */
static void transpose64(vec a[64])
{
    static const uint64_t masks[6] = {0x00000000FFFFFFFFu, 0x0000FFFF0000FFFFu,
                                      0x00FF00FF00FF00FFu, 0x0F0F0F0F0F0F0F0Fu,
                                      0x3333333333333333u, 0x5555555555555555u};
    for (int level = 0; level < 6; level++) {
        const unsigned step = 32u >> level;
        const vec mask = v_all(masks[level]);
        for (unsigned i = 0; i < 64; i = ((i | step) + 1) & ~step) {
            vec t = v_and(v_xor(v_right(a[i], step), a[i | step]), mask);
            a[i | step] = v_xor(a[i | step], t);
            a[i] = v_xor(a[i], v_left(t, step));
        }
    }
}

/* Words [first, first + n_words) of the documents; missing documents are zero. */
static void transpose(const job *j, size_t first, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++) {
        vec *out = j->positions + 64 * w;
        const uint64_t *in = j->docs + first + w;
        for (size_t i = 0; i < 64; i++) {
            uint64_t lanes[LANES];
            for (size_t lane = 0; lane < LANES; lane++) {
                size_t d = 64 * lane + i;
                lanes[lane] = d < j->n_docs ? in[d * j->stride] : 0;
            }
            memcpy(&out[i], lanes, sizeof lanes);
        }
        transpose64(out);
    }
    memset(j->positions + 64 * n_words, 0, 8 * UNIT * sizeof(vec));
}

/* The two digits of how many of up to three positions differ from the bits of v. */
static inline void count_few(vec out[2], const vec *positions, unsigned n, unsigned v)
{
    out[0] = out[1] = v_zero();
    for (unsigned i = 0; i < n; i++) {
        vec x = v >> i & 1 ? v_not(positions[i]) : positions[i];
        vec carry = v_and(out[0], x);
        out[0] = v_xor(out[0], x);
        out[1] = v_or(out[1], carry);
    }
}

/* The tables of a field: rows of two vectors. */
static void make_table(vec *table, const vec *positions, unsigned field)
{
    const unsigned n_low = field < 3 ? field : field == 4 ? 2 : 3, n_high = field - n_low;
    vec low[8][2], high[8][2];
    for (unsigned v = 0; v < 1u << n_low; v++)
        count_few(low[v], positions, n_low, v);
    for (unsigned v = 0; v < 1u << n_high; v++)
        count_few(high[v], positions + n_low, n_high, v);
    for (unsigned h = 0; h < 1u << n_high; h++)
        for (unsigned l = 0; l < 1u << n_low; l++, table += 2) { /* the sum, at most 3 */
            const vec a0 = low[l][0], a1 = low[l][1], b0 = high[h][0], b1 = high[h][1];
            vec more = v_or(v_and(a1, b1), v_and(a0, v_or(a1, b1)));
            v_store(table, v_or(v_xor(a0, b0), more));
            v_store(table + 1, v_or(v_or(a1, b1), v_and(a0, b0)));
        }
}

static void make_tables(const job *j, const plan *p, size_t n_words)
{
    const size_t n = tables_of(n_words, p->field),
                 n_used = (64 * n_words + p->field - 1) / p->field;
    const size_t row = (size_t)2 << p->field;
    for (size_t i = 0; i < n_used; i++)
        make_table(j->tables + i * row, j->positions + i * p->field, p->field);
    memset(j->tables + n_used * row, 0, (n - n_used) * row * sizeof(vec));
}

/* ---- queries to codes --------------------------------------------------------------- */

/* Eight fields are as many bytes as a field has bits. Each code is made from the two bytes
 * that hold its field: multiplied so that the field is at the top, shifted down. */
typedef struct coder {
    _Alignas(64) uint8_t bytes[16 * SPAN];
    _Alignas(64) uint16_t factors[EIGHT * SPAN], offsets[EIGHT * SPAN], keep[EIGHT * SPAN];
    unsigned shift;
} coder;

static void coder_init(coder *c, unsigned field)
{
    const unsigned row_bytes = 2 * VEC_BYTES;
    c->shift = 16 - field;
    for (unsigned row = row_bytes; row > 1; row /= 2)
        c->shift--;
    for (unsigned i = 0; i < EIGHT * SPAN; i++) {
        unsigned bit = i * field;
        c->bytes[2 * i] = (uint8_t)(bit / 8 % 16);
        c->bytes[2 * i + 1] = (uint8_t)((bit / 8 + 1) % 16);
        c->factors[i] = (uint16_t)(1u << (16 - field - bit % 8));
        c->keep[i] = (uint16_t)(((1u << field) - 1) * row_bytes);
        c->offsets[i] = (uint16_t)(i % EIGHT * (row_bytes << field));
    }
}

#if SIMD
static inline void put_codes(uint16_t *out, const uint8_t *bytes, const coder *c)
{
    vec x = v_shuffle(v_spread(bytes), v_load(c->bytes));
    x = v_right16(v_multiply16(x, v_load(c->factors)), c->shift);
    v_store((vec *)(void *)out, v_or(v_and(x, v_load(c->keep)), v_load(c->offsets)));
}
#endif

static void make_codes(const job *j, const coder *c, const plan *p, const uint64_t *queries,
                       size_t n, size_t first, size_t n_words)
{
    const size_t n_halves = tables_of(n_words, p->field) / EIGHT;
    for (size_t q = 0; q < n; q++) {
        uint8_t bytes[8 * SLAB + UNIT * EIGHT + 16] = {0};
        memcpy(bytes, queries + q * j->stride + first, 8 * n_words);
        for (size_t h = 0; h < n_halves; h += SPAN)
            put_codes(j->codes + (h * GROUP + q * SPAN) * EIGHT, bytes + h * p->field, c);
    }
}

/* ---- counting ----------------------------------------------------------------------- */

/* Adds a to sum and returns the carries. */
DPL__INLINE vec v_half(vec *sum, vec a)
{
    vec carry = v_and(*sum, a);
    *sum = v_xor(*sum, a);
    return carry;
}

/* Adds a row of each of eight tables to the digits 0, 1, 2; eights[3] receives the carries. */
DPL__INLINE void add_eight(vec digits[3], vec eights[3], const char *tables,
                           const uint16_t *codes)
{
#define ONE(k) v_load(tables + codes[k])
#define TWO(k) v_load(tables + codes[k] + VEC_BYTES)
    vec a0 = digits[0], a1 = digits[1], a2 = digits[2];
    vec t0 = v_full(&a0, ONE(0), ONE(1));
    vec f0 = v_full(&a1, TWO(0), TWO(1));
    vec t1 = v_full(&a0, ONE(2), ONE(3));
    vec f1 = v_full(&a1, TWO(2), TWO(3));
    eights[0] = v_full(&a2, f0, f1);
    f0 = v_full(&a1, t0, t1);
    t0 = v_full(&a0, ONE(4), ONE(5));
    f1 = v_full(&a1, TWO(4), TWO(5));
    eights[1] = v_full(&a2, f0, f1);
    t1 = v_full(&a0, ONE(6), ONE(7));
    f0 = v_full(&a1, TWO(6), TWO(7));
    f1 = v_full(&a1, t0, t1);
    eights[2] = v_full(&a2, f0, f1);
    digits[0] = a0;
    digits[1] = a1;
    digits[2] = a2;
#undef ONE
#undef TWO
}

/* The first half of a unit leaves an eight and a sixteen over for the second. */
static void add_first_half(vec *low, size_t n, const char *tables, const uint16_t *codes)
{
    for (size_t q = 0; q < n; q++, low += LOW, codes += EIGHT * SPAN) {
        vec a[3] = {v_load(low), v_load(low + 1), v_load(low + 2)}, a3 = v_load(low + 3), e[3];
        add_eight(a, e, tables, codes);
        vec sixteen = v_full(&a3, e[0], e[1]);
        v_store(low, a[0]);
        v_store(low + 1, a[1]);
        v_store(low + 2, a[2]);
        v_store(low + 3, a3);
        v_store(low + 4, e[2]);
        v_store(low + 5, sixteen);
    }
}

static void add_second_half(vec *low, vec *high, size_t n_high, size_t n, const char *tables,
                            const uint16_t *codes)
{
    for (size_t q = 0; q < n; q++, low += LOW, high += HIGH, codes += EIGHT * SPAN) {
        vec a[3] = {v_load(low), v_load(low + 1), v_load(low + 2)}, a3 = v_load(low + 3), e[3];
        add_eight(a, e, tables, codes);
        vec s0 = v_full(&a3, e[0], e[1]);
        vec s1 = v_full(&a3, e[2], v_load(low + 4));
        v_store(low, a[0]);
        v_store(low + 1, a[1]);
        v_store(low + 2, a[2]);
        v_store(low + 3, a3);
        vec a4 = v_load(high), a5 = v_load(high + 1);
        vec c0 = v_full(&a4, s0, v_load(low + 5)), c1 = v_half(&a4, s1);
        vec carry = v_full(&a5, c0, c1);
        v_store(high, a4);
        v_store(high + 1, a5);
        for (size_t i = 2; i < n_high; i++) {
            vec digit = v_load(high + i);
            carry = v_half(&digit, carry);
            v_store(high + i, digit);
        }
    }
}

/* Adds a slab to the counters of n queries. */
static void add_slab(const job *j, const plan *p, size_t n_high, size_t at, size_t n,
                     size_t n_words)
{
    const size_t half = (size_t)(2 * EIGHT) << p->field;
    const size_t n_halves = tables_of(n_words, p->field) / EIGHT;
    for (size_t h = 0; h < n_halves; h += 2) {
        add_first_half(j->low + at * LOW, n, (const char *)(j->tables + h * half),
                       j->codes + (h / SPAN * SPAN * GROUP + h % SPAN) * EIGHT);
        add_second_half(j->low + at * LOW, j->high + at * HIGH, n_high, n,
                        (const char *)(j->tables + (h + 1) * half),
                        j->codes + ((h + 1) / SPAN * SPAN * GROUP + (h + 1) % SPAN) * EIGHT);
    }
}

/* Which counters are at most cut: digits compared from the top. */
static vec at_most(const vec *low, const vec *high, size_t n_high, unsigned cut)
{
    vec less = v_zero(), equal = v_not(v_zero());
    for (size_t i = n_high + 4; i-- > 0;) {
        vec digit = i < 4 ? v_load(low + i) : v_load(high + i - 4);
        if (cut >> i & 1) {
            less = v_or(less, v_andnot(digit, equal));
            equal = v_and(equal, digit);
        } else {
            equal = v_andnot(digit, equal);
        }
    }
    return v_or(less, equal);
}

/* ---- the whole ---------------------------------------------------------------------- */

static size_t digits_above(size_t n_words)
{
    size_t n = 0;
    for (size_t most = 64 * n_words + 3 * UNIT; most >> (n + 4); n++)
        ;
    return n < 2 ? 2 : n;
}

/* Clears the bits of pairs that are above the cut after all; returns how many those were. */
static size_t look_again(const job *j, const uint64_t *query, uint64_t *mask)
{
    size_t n = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        for (uint64_t left = mask[lane]; left; left &= left - 1) {
            size_t d = 64 * lane + (unsigned)__builtin_ctzll(left);
            if (hamming(query, j->docs + d * j->stride, j->n_words) > j->cut) {
                mask[lane] ^= left & -left;
                n++;
            }
        }
    return n;
}

/* Queries [begin, end), in one vector of documents; returns how many pairs had to be cleared.
 */
static size_t run_tile(const job *j, const plan *p, size_t begin, size_t end, bool make)
{
    const size_t n = end - begin, n_high = digits_above(p->n_words);
    coder c;
    coder_init(&c, p->field);
    memset(j->low, 0, n * LOW * sizeof(vec));
    memset(j->high, 0, n * HIGH * sizeof(vec));
    for (size_t first = 0; first < p->n_words; first += SLAB) {
        size_t n_words = dpl__min(SLAB, p->n_words - first);
        if (make) {
            transpose(j, first, n_words);
            make_tables(j, p, n_words);
        }
        for (size_t at = 0; at < n; at += GROUP) {
            size_t n_group = dpl__min(GROUP, n - at);
            make_codes(j, &c, p, j->queries + (begin + at) * j->stride, n_group, first,
                       n_words);
            add_slab(j, p, n_high, at, n_group, n_words);
        }
    }
    size_t n_cleared = 0;
    for (size_t q = 0; q < n; q++) {
        vec found = j->cut >> (n_high + 4)
                        ? v_not(v_zero())
                        : at_most(j->low + q * LOW, j->high + q * HIGH, n_high, j->cut);
        uint64_t *mask = j->mask + 8 * (begin + q);
        memcpy(mask, &found, sizeof found);
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t left = j->n_docs > 64 * lane ? j->n_docs - 64 * lane : 0;
            if (left < 64)
                mask[lane] &= ((uint64_t)1 << left) - 1;
        }
        if (!p->is_exact)
            n_cleared += look_again(j, j->queries + (begin + q) * j->stride, mask);
    }
    return n_cleared;
}

#ifndef FORCE
#define FORCE 3
#endif
static plan make_plan(size_t n_words, unsigned cut)
{
    (void)cut;
    return (plan){.field = FORCE, .n_words = n_words, .is_exact = FORCE == 3};
}

static void hamming_mask(uint64_t *mask, void *scratch, const uint64_t *queries,
                         size_t n_queries, const uint64_t *docs, size_t n_docs, size_t n_words,
                         size_t stride, unsigned cut)
{
    const size_t slab = dpl__min(n_words, SLAB);
    job j = {.queries = queries, .n_words = n_words, .stride = stride, .cut = cut};
    j.positions = scratch;
    j.low = j.positions + 64 * slab + 8 * UNIT;
    j.high = j.low + TILE * LOW;
    j.codes = (uint16_t *)(j.high + TILE * HIGH);
    j.tables = (vec *)(j.codes + GROUP * (tables_of(slab, EXACT) + SPAN * EIGHT));
    for (size_t at = 0; at < DPL__HAMMING_DOCS; at += VEC) {
        j.mask = mask + at / 64;
        j.docs = docs + at * stride;
        j.n_docs = n_docs > at ? dpl__min(n_docs - at, VEC) : 0;
        plan p = make_plan(n_words, cut);
        const bool is_one = p.n_words <= SLAB;
        const size_t tile = is_one ? GROUP : TILE;
        for (size_t q = 0; q < n_queries; q += tile)
            run_tile(&j, &p, q, dpl__min(q + tile, n_queries), !is_one || q == 0);
    }
}

#endif
