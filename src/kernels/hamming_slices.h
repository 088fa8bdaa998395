/*
 * hamming_slices.h - the body of hamming_mask, hamming_turn and hamming_turned, included by
 * each level that has vectors.
 *
 * After simd.h. The including file defines hamming(), HAMMING_LANES (64-bit words of a vector),
 * HAMMING_UNIT (tables, 16 or 32), MOST_FIELD, v_majority(a, b, c) and v_full(&sum, a, b),
 * which adds the bits of a and b to sum and returns the carries, and v_spread(p, field) (16
 * bytes to every 128-bit lane, to the upper half of 512 bits those from p + 2 field on); those
 * of hamming_plain.h, where a level has nothing better. It may define make_table, transpose and
 * hamming_few, too (OWN_TABLES, OWN_TRANSPOSE, OWN_FEW).
 *
 * Documents are transposed: a vector holds one bit position of VEC documents, and a distance
 * is counted for all of them at once, in vectors that are the binary digits of VEC counters.
 *
 * Tables. Positions are taken in fields of a few. For each value that the query can have in a
 * field a table holds, as two digits, how many positions of the field differ: no exclusive-or
 * is left to do per pair, and the first additions are done once per tile of queries. Queries
 * become codes, the places of their rows in the tables.
 *
 * Adding. Carry-save: a full adder takes three vectors of one weight and gives one of the same
 * and one of twice the weight, so a table costs two adders. A unit of tables is added for all
 * queries of a tile before the next unit is made; in between counters are in memory.
 *
 * Fields. Two digits count three positions exactly. Larger fields are counted up to three only:
 * the sum may then be too small, never too large, so what is above the cut is out for good,
 * and the few pairs that are left are looked at again. Half of the positions of unlike
 * signatures differ, of four rarely more than three, and the sum stays far above most cuts. A
 * sample of the pairs tells how large the fields may be, and whether the first units will do.
 *
 * Two blocks. Where documents change on the way (hamming_turned), the positions of both blocks
 * are mixed while tables are made, and tables are made for every step of queries.
 *
 * Cost per pair at 1024 bits with VPTERNLOG, where a full adder takes two operations: 2.9
 * operations for fields of three, 2.2 for four, each divided by 512. Per block of documents and
 * tile of queries some 20 operations for every position: worth it from some 16 queries on.
 */
#ifndef DPL_KERNELS_HAMMING_SLICES_H
#define DPL_KERNELS_HAMMING_SLICES_H

#include "kernels/hamming.h"

#include <math.h>

enum {
    VEC = 64 * HAMMING_LANES, /* documents in a vector */
    HALF = 16,                /* tables of a half unit, if not of a whole one */
    EXACT = 3,                /* positions in a field that is counted exactly */
    SPAN = 4 * HAMMING_LANES, /* codes in a vector */
    HAMMING_BATCH = 64,       /* queries whose codes are made together */
    SAMPLE = 64,              /* pairs */
    FEW = 16,                 /* queries that are better compared one by one; so
                                 is an eighth of a vector of documents */
    LOOK_AGAIN = 20, /* costs as much as adding this number of tables; 4 words cost one more */
    FIRST_CACHE = 48 << 10, /* bytes */
};

/* How a call does it. */
typedef struct plan {
    unsigned field; /* positions in a field */
    size_t n_units;
    size_t n_digits; /* of a counter */
    bool is_exact;
    bool has_half; /* the last unit, if not the first, has only HALF tables */
} plan;

/* The documents of a block in this vector. */
typedef struct part {
    const uint64_t *docs;
    size_t n_docs;        /* may be 0 */
    const vec *positions; /* of all words, and zeros for a unit more */
} part;

typedef struct job {
    uint64_t *mask;
    const uint64_t *queries;
    size_t n_queries, n_words, stride;
    unsigned cut;
    part block, next;
    const uint16_t *turns; /* NULL: there is no next */
    size_t step, at;       /* of turns; where this vector begins in the block */
    vec *tables;           /* of a unit */
    vec *counters;         /* of a tile: [query][n_digits] */
} job;

/* What queries of one step are compared with. */
typedef struct mixture {
    size_t turn; /* documents before it are of the next block */
    vec is_next; /* those */
    vec valid;   /* the documents there are */
} mixture;

/* ---- documents to tables ------------------------------------------------------------ */

#ifndef OWN_TRANSPOSE
/* Bit k of word i becomes bit i of word k, in every lane. */
static void transpose64(vec a[64])
{
    static const uint64_t masks[6] = {0x00000000FFFFFFFFu, 0x0000FFFF0000FFFFu,
                                      0x00FF00FF00FF00FFu, 0x0F0F0F0F0F0F0F0Fu,
                                      0x3333333333333333u, 0x5555555555555555u};
    for (int level = 0; level < 6; level++) {
        const unsigned step = 32u >> level;
        const vec mask = v_set64(masks[level]);
        for (unsigned i = 0; i < 64; i = ((i | step) + 1) & ~step) {
            vec t = v_and(v_xor(v_right64(a[i], step), a[i | step]), mask);
            a[i | step] = v_xor(a[i | step], t);
            a[i] = v_xor(a[i], v_left64(t, step));
        }
    }
}

/* Bit positions of up to VEC documents; missing ones are zero. */
static void transpose(vec *positions, const uint64_t *docs, size_t n_docs, size_t n_words,
                      size_t stride)
{
    for (size_t w = 0; w < n_words; w++) {
        vec *out = positions + 64 * w;
        for (size_t i = 0; i < 64; i++) {
            uint64_t words[HAMMING_LANES];
            for (size_t lane = 0; lane < HAMMING_LANES; lane++) {
                size_t d = 64 * lane + i;
                words[lane] = d < n_docs ? docs[d * stride + w] : 0;
            }
            memcpy(&out[i], words, sizeof words);
        }
        transpose64(out);
    }
}
#endif

/* Bits [0, n). */
static vec first_bits(size_t n)
{
    uint64_t words[HAMMING_LANES];
    for (size_t lane = 0; lane < HAMMING_LANES; lane++)
        words[lane] = n >= 64 * lane + 64 ? ~(uint64_t)0
                      : n > 64 * lane     ? ((uint64_t)1 << n % 64) - 1
                                          : 0;
    vec x;
    memcpy(&x, words, sizeof x);
    return x;
}

INLINE vec v_choose(vec which, vec a, vec b)
{
    return v_or(v_and(which, a), v_andnot(which, b));
}

static mixture mixture_for(const job *j, size_t query)
{
    mixture m = {.is_next = v_zero(), .valid = first_bits(j->block.n_docs)};
    if (j->turns) {
        const size_t turn = j->turns[query / j->step];
        m.turn = turn > j->at ? dpl__min(turn - j->at, VEC) : 0;
        m.is_next = first_bits(m.turn);
        m.valid = v_choose(m.is_next, first_bits(j->next.n_docs), m.valid);
    }
    return m;
}

#ifndef OWN_TABLES
/* For each value of up to three bits, the two digits of how many positions differ. */
INLINE void count_few(vec out[8][2], const vec *positions, unsigned n)
{
    out[0][0] = out[0][1] = v_zero();
    for (unsigned i = 0; i < n; i++) {
        const vec x = positions[i], y = v_not(x);
        for (unsigned v = 0; v < 1u << i; v++) {
            const vec one = out[v][0], two = out[v][1];
            out[v][0] = v_xor(one, x);
            out[v][1] = v_or(two, v_and(one, x));
            out[v | 1u << i][0] = v_xor(one, y);
            out[v | 1u << i][1] = v_or(two, v_and(one, y));
        }
    }
}

/* For each value of a field a row: how many positions differ, three at the most. */
INLINE void make_table(vec *table, const vec *positions, unsigned field)
{
    const unsigned n_low = field == 4 ? 2 : 3, n_high = field - n_low;
    vec low[8][2], high[8][2];
    count_few(low, positions, n_low);
    count_few(high, positions + n_low, n_high);
    for (unsigned h = 0; h < 1u << n_high; h++)
        for (unsigned l = 0; l < 1u << n_low; l++, table += 2) {
            const vec a0 = low[l][0], a1 = low[l][1], b0 = high[h][0], b1 = high[h][1];
            v_store_aligned(table, v_or(v_xor(a0, b0), v_majority(a0, a1, b1)));
            v_store_aligned(table + 1, v_or(v_or(a1, b1), v_and(a0, b0)));
        }
}
#endif

INLINE void make_unit(const job *j, const mixture *m, size_t unit, unsigned field,
                      bool is_mixed)
{
    const vec *block = j->block.positions + unit * HAMMING_UNIT * field;
    const vec *next = is_mixed ? j->next.positions + unit * HAMMING_UNIT * field : NULL;
    vec *table = j->tables;
    for (size_t t = 0; t < HAMMING_UNIT; t++, block += field, table += (size_t)2 << field) {
        vec x[MOST_FIELD];
        for (unsigned i = 0; i < field; i++) {
            x[i] = v_load_aligned(block + i);
            if (is_mixed)
                x[i] = v_choose(m->is_next, v_load_aligned(next + t * field + i), x[i]);
        }
        make_table(table, x, field);
    }
}

static void make_tables(const job *j, const mixture *m, unsigned field, size_t unit)
{
    switch (2 * field + (m->turn > 0)) { /* so that the compiler knows both */
    case 6: make_unit(j, m, unit, 3, false); break;
    case 7: make_unit(j, m, unit, 3, true); break;
    case 8: make_unit(j, m, unit, 4, false); break;
    case 9: make_unit(j, m, unit, 4, true); break;
#if MOST_FIELD > 4
    case 10: make_unit(j, m, unit, 5, false); break;
    case 11: make_unit(j, m, unit, 5, true); break;
#endif
    default: assert(false);
    }
}

/* ---- queries to codes --------------------------------------------------------------- */

/* A code is the byte offset of a row among the tables of a unit. It is made from the two bytes
 * that hold its field: multiplied so that the field is at the top, then shifted down. Eight
 * fields are as many bytes as a field has bits. */
typedef struct coder {
    _Alignas(64) uint8_t bytes[2 * SPAN];
    _Alignas(64) uint16_t factors[SPAN], keep[SPAN], tables[HAMMING_UNIT];
    unsigned shift, field;
} coder;

static void coder_init(coder *c, unsigned field)
{
    const unsigned row = 2 * sizeof(vec);
    c->field = field;
    c->shift = 16 - field;
    for (unsigned size = row; size > 1; size /= 2)
        c->shift--;
    for (unsigned i = 0; i < SPAN; i++) {
        unsigned bit = i % 16 * field;
        c->bytes[2 * i] = (uint8_t)(bit / 8 % 16);
        c->bytes[2 * i + 1] = (uint8_t)((bit / 8 + 1) % 16);
        c->factors[i] = (uint16_t)(1u << (16 - field - bit % 8));
        c->keep[i] = (uint16_t)(((1u << field) - 1) * row);
    }
    for (unsigned i = 0; i < HAMMING_UNIT; i++)
        c->tables[i] = (uint16_t)(i * row << field);
}

/* The codes of a unit from n_bytes bytes, zeros after those. */
INLINE void put_codes(uint16_t *out, const uint8_t *bytes, size_t n_bytes, const coder *c)
{
    const unsigned step = SPAN < 16 ? SPAN : 16; /* codes from one load of 16 bytes */
    uint8_t rest[16 + HAMMING_UNIT];
    if (DPL_UNLIKELY(n_bytes < 16 + (HAMMING_UNIT - step) / 8 * c->field)) {
        memset(rest, 0, sizeof rest);
        memcpy(rest, bytes, n_bytes);
        bytes = rest;
    }
    for (unsigned i = 0; i < HAMMING_UNIT; i += SPAN) {
        vec x =
            v_lookup(v_spread(bytes + i / 8 * c->field, c->field), v_load_aligned(c->bytes));
        x = v_right16(v_multiply16(x, v_load_aligned(c->factors)), c->shift);
        x = v_or(v_and(x, v_load_aligned(c->keep)), v_load_aligned(c->tables + i));
        v_store_aligned((vec *)(void *)(out + i), x);
    }
}

/* ---- counting ----------------------------------------------------------------------- */

/* Adds a to sum and returns the carries. */
INLINE vec v_half(vec *sum, vec a)
{
    vec carry = v_and(*sum, a);
    *sum = v_xor(*sum, a);
    return carry;
}

/* Into a register, once: gcc would rather load twice than once when it is used twice. */
INLINE vec v_fetch(const char *p)
{
    vec x = v_load_aligned(p);
    __asm__("" : "+v"(x));
    return x;
}

/* Adds a row of each of eight tables to the digits 0, 1, 2; there are three carries. */
INLINE void add_8(vec digits[3], vec out[3], const char *tables, const uint16_t *codes)
{
#define ONE(k) v_fetch(tables + codes[k])
#define TWO(k) v_fetch(tables + codes[k] + sizeof(vec))
    vec t0 = v_full(&digits[0], ONE(0), ONE(1));
    vec f0 = v_full(&digits[1], TWO(0), TWO(1));
    vec t1 = v_full(&digits[0], ONE(2), ONE(3));
    vec f1 = v_full(&digits[1], TWO(2), TWO(3));
    out[0] = v_full(&digits[2], f0, f1);
    f0 = v_full(&digits[1], t0, t1);
    t0 = v_full(&digits[0], ONE(4), ONE(5));
    f1 = v_full(&digits[1], TWO(4), TWO(5));
    out[1] = v_full(&digits[2], f0, f1);
    t1 = v_full(&digits[0], ONE(6), ONE(7));
    f0 = v_full(&digits[1], TWO(6), TWO(7));
    f1 = v_full(&digits[1], t0, t1);
    out[2] = v_full(&digits[2], f0, f1);
#undef ONE
#undef TWO
}

/* Adds three carries and three more of the same weight to their digit. */
INLINE void add_carries(vec *digit, vec out[3], const vec a[3], const vec b[3])
{
    out[0] = v_full(digit, a[0], a[1]);
    out[1] = v_full(digit, a[2], b[0]);
    out[2] = v_full(digit, b[1], b[2]);
}

INLINE void add_16(vec digits[4], vec out[3], const char *tables, const uint16_t *codes)
{
    vec a[3], b[3];
    add_8(digits, a, tables, codes);
    add_8(digits, b, tables, codes + 8);
    add_carries(&digits[3], out, a, b);
}

INLINE void add_unit(vec digits[5], vec out[3], const char *tables, const uint16_t *codes,
                     unsigned n_tables)
{
    vec a[3], b[3];
    if (n_tables == HALF) {
        add_16(digits, out, tables, codes);
        return;
    }
    add_16(digits, a, tables, codes);
    add_16(digits, b, tables, codes + 16);
    add_carries(&digits[4], out, a, b);
}

/* Adds a unit to the counter of one query. In the first unit that is zero. In the last it is
 * not written: the answer is which counters are above the cut, asked from the lowest digit on.
 */
INLINE vec count_query(vec *counter, size_t n_digits, const char *tables, const uint16_t *codes,
                       bool is_first, bool is_last, unsigned cut, unsigned n_tables)
{
    const unsigned n_low = n_tables == 32 ? 5 : 4; /* digits that add_unit works on */
#define DIGIT(i) (is_first ? v_zero() : v_load_aligned(counter + (i)))
#define PUT(i, x)                                                                              \
    do {                                                                                       \
        if (!is_last)                                                                          \
            v_store_aligned(counter + (i), (x));                                               \
        else                                                                                   \
            above = cut >> (i)&1 ? v_and(above, (x)) : v_or(above, (x));                       \
    } while (0)
    vec above = v_zero(), carries[3];
    vec digits[5] = {DIGIT(0), DIGIT(1), DIGIT(2), DIGIT(3), DIGIT(n_low - 1)};
    add_unit(digits, carries, tables, codes, n_tables);
    PUT(0, digits[0]); /* spelled out: they shall be registers */
    PUT(1, digits[1]);
    PUT(2, digits[2]);
    PUT(3, digits[3]);
    if (n_low == 5)
        PUT(4, digits[4]);
    vec digit = DIGIT(n_low), next = DIGIT(n_low + 1);
    vec a = v_full(&digit, carries[0], carries[1]), b = v_half(&digit, carries[2]);
    vec carry = v_full(&next, a, b);
    PUT(n_low, digit);
    PUT(n_low + 1, next);
    for (size_t i = n_low + 2; i < n_digits; i++) {
        digit = DIGIT(i);
        carry = v_half(&digit, carry);
        PUT(i, digit);
    }
    return above;
#undef DIGIT
#undef PUT
}

/* Adds a unit to the counters of queries [begin, end), and in the last unit makes masks. */
INLINE void count_unit(const job *j, const plan *p, const coder *c, const mixture *m,
                       size_t unit, vec *counter, size_t begin, size_t end, bool is_first,
                       bool is_last, unsigned n_tables)
{
    const size_t at = unit * HAMMING_UNIT * p->field / 8, n_row = 8 * j->n_words;
    const size_t n_bytes = at < n_row ? n_row - at : 0;
    const char *tables = (const char *)j->tables;
    _Alignas(64)
        uint16_t codes[HAMMING_BATCH][HAMMING_UNIT]; /* read long after they were written */
    for (size_t q = begin; q < end; q++, counter += p->n_digits) {
        const size_t i = (q - begin) % HAMMING_BATCH;
        for (size_t k = q; i == 0 && k < q + HAMMING_BATCH && k < end; k++)
            put_codes(codes[k - q], (const uint8_t *)(j->queries + k * j->stride) + at, n_bytes,
                      c);
        vec above = count_query(counter, p->n_digits, tables, codes[i], is_first, is_last,
                                j->cut, n_tables);
        if (is_last) {
            vec found = v_andnot(above, m->valid);
            memcpy(j->mask + 8 * q, &found, sizeof found);
        }
    }
}

/* Clears the bits of pairs that are above the cut after all. */
static void look_again(const job *j, const mixture *m, size_t begin, size_t end)
{
    for (size_t q = begin; q < end; q++) {
        const uint64_t *query = j->queries + q * j->stride;
        uint64_t *mask = j->mask + 8 * q, any = 0;
        for (size_t lane = 0; lane < HAMMING_LANES; lane++)
            any |= mask[lane];
        for (size_t lane = 0; any && lane < HAMMING_LANES; lane++)
            for (uint64_t left = mask[lane]; left; left &= left - 1) {
                size_t d = 64 * lane + (unsigned)__builtin_ctzll(left);
                const uint64_t *docs = d < m->turn ? j->next.docs : j->block.docs;
                if (hamming(query, docs + d * j->stride, j->n_words) > j->cut)
                    mask[lane] ^= left & -left;
            }
    }
}

/* Queries [begin, end) of one step, whose counters begin at `counter`. */
static void run_step(const job *j, const plan *p, const coder *c, size_t unit, vec *counter,
                     size_t begin, size_t end)
{
    const bool is_first = unit == 0, is_last = unit + 1 == p->n_units;
    const mixture m = mixture_for(j, begin);
    make_tables(j, &m, p->field, unit);
    if (is_first && is_last)
        count_unit(j, p, c, &m, unit, counter, begin, end, true, true, HAMMING_UNIT);
    else if (is_first)
        count_unit(j, p, c, &m, unit, counter, begin, end, true, false, HAMMING_UNIT);
    else if (is_last && p->has_half)
        count_unit(j, p, c, &m, unit, counter, begin, end, false, true, HALF);
    else if (is_last)
        count_unit(j, p, c, &m, unit, counter, begin, end, false, true, HAMMING_UNIT);
    else
        count_unit(j, p, c, &m, unit, counter, begin, end, false, false, HAMMING_UNIT);
    if (is_last && !p->is_exact)
        look_again(j, &m, begin, end);
}

static void run_tile(const job *j, const plan *p, const coder *c, size_t begin, size_t end)
{
    for (size_t unit = 0; unit < p->n_units; unit++)
        for (size_t q = begin; q < end; q += j->step)
            run_step(j, p, c, unit, j->counters + (q - begin) * p->n_digits, q,
                     dpl__min(q + j->step, end));
}

/* ---- the plan ----------------------------------------------------------------------- */

/* Mean and variance of what a field counts when each position differs with probability r. */
static void field_moments(double *mean, double *variance, unsigned field, double r)
{
    double m1 = 0, m2 = 0;
    for (unsigned v = 0; v < 1u << field; v++) {
        unsigned n = 0;
        double probability = 1;
        for (unsigned i = 0; i < field; i++) {
            n += v >> i & 1;
            probability *= v >> i & 1 ? r : 1 - r;
        }
        n = n < 3 ? n : 3;
        m1 += n * probability;
        m2 += n * n * probability;
    }
    *mean = m1;
    *variance = m2 - m1 * m1;
}

/* Mean and variance of the distances of a few pairs. */
static void sample_moments(double *mean, double *variance, const job *j)
{
    double m1 = 0, m2 = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        const part *from = i % 2 && j->next.n_docs ? &j->next : &j->block;
        size_t q = i * j->n_queries / SAMPLE, d = (i * 37 + 11) % from->n_docs;
        double x = hamming(j->queries + q * j->stride, from->docs + d * j->stride, j->n_words);
        m1 += x / SAMPLE;
        m2 += x * x / SAMPLE;
    }
    *mean = m1;
    *variance = m2 - m1 * m1;
}

/* Of adding a table for one query: more where a unit's tables do not stay in the first-level
 * cache. They are made for j->step queries, a store for each vector. */
static double table_cost(const job *j, unsigned field)
{
    const bool stays = (HAMMING_UNIT * sizeof(vec) << (field + 1)) < FIRST_CACHE;
    const double n_stores = (double)(2u << field), n = (double)dpl__min(j->n_queries, j->step);
    return stays ? 1 + n_stores / n : 1.25 + 2 * n_stores / n;
}

/* The cheapest, weighing units against the pairs that they let through. */
static plan make_plan(const job *j)
{
    const double n_bits = 64 * (double)j->n_words;
    const double look_again_cost = LOOK_AGAIN + (double)j->n_words / 4;
    double distance, spread, best = INFINITY;
    sample_moments(&distance, &spread, j);
    const double r = distance / n_bits;
    spread = fmax(spread - n_bits * r * (1 - r), 0); /* more than that of independent bits */
    plan p = {.n_digits = dpl__hamming_digits(j->n_words)};
    for (unsigned field = EXACT; field <= MOST_FIELD; field++) {
        const size_t half = HALF * field, n_all = (64 * j->n_words + half - 1) / half;
        double mean, variance;
        field_moments(&mean, &variance, field, r);
        for (size_t n = n_all; n > 0; n--) { /* half units */
            const bool is_exact = field == EXACT && n == n_all;
            const double n_fields = fmin((double)(n * half), n_bits) / field;
            const double scale = n_fields * mean / fmax(distance, 1);
            const double deviation = sqrt(n_fields * variance + spread * scale * scale);
            const double above = (n_fields * mean - j->cut - 0.5) / fmax(deviation, 0.5);
            const double again = is_exact ? 0 : 0.5 * erfc(above * 0.7071);
            const double cost =
                (double)(n * HALF) * table_cost(j, field) + again * VEC * look_again_cost;
            if (cost >= best)
                continue;
            best = cost;
            p.field = field;
            p.n_units = (n * HALF + HAMMING_UNIT - 1) / HAMMING_UNIT;
            p.has_half = (int)HAMMING_UNIT > HALF && n > 1 && n % 2;
            p.is_exact = is_exact;
        }
    }
    return p;
}

/* ---- the whole ---------------------------------------------------------------------- */

static void compare_each(const job *j)
{
    for (size_t q = 0; q < j->n_queries; q++) {
        const mixture m = mixture_for(j, q);
        memcpy(j->mask + 8 * q, &m.valid, sizeof m.valid);
        look_again(j, &m, q, q + 1);
    }
}

static void compare_sliced(const job *j)
{
    const plan p = make_plan(j);
    const size_t tile = DPL__HAMMING_TILE / j->step * j->step;
    coder c;
    coder_init(&c, p.field);
    for (size_t q = 0; q < j->n_queries; q += tile)
        run_tile(j, &p, &c, q, dpl__min(q + tile, j->n_queries));
}

static size_t vecs_turned(size_t n_words)
{
    return 64 * n_words + DPL__HAMMING_PAD;
}

static void turn_part(vec *turned, const uint64_t *docs, size_t n_docs, size_t n_words,
                      size_t stride)
{
    transpose(turned, docs, n_docs, n_words, stride);
    memset(turned + 64 * n_words, 0, DPL__HAMMING_PAD * sizeof(vec));
}

static void hamming_turn(void *turned, const uint64_t *docs, size_t n_docs, size_t n_words,
                         size_t stride)
{
    assert(n_docs <= DPL__HAMMING_DOCS);
    for (size_t at = 0; at < n_docs; at += VEC)
        turn_part((vec *)turned + at / VEC * vecs_turned(n_words), docs + at * stride,
                  dpl__min(n_docs - at, VEC), n_words, stride);
}

static part part_of(const dpl__hamming_block *b, size_t at, size_t n_words, size_t stride)
{
    if (!b || b->n_docs <= at)
        return (part){0};
    return (part){.docs = b->docs + at * stride,
                  .n_docs = dpl__min(b->n_docs - at, VEC),
                  .positions = (const vec *)b->turned + at / VEC * vecs_turned(n_words)};
}

static void hamming_turned(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                           const dpl__hamming_turns *docs, unsigned cut)
{
    const dpl__hamming_block *block = docs->block, *next = docs->next;
    const size_t n_queries = rows->n_queries, n_words = rows->n_words, stride = rows->stride;
    assert(!next || (docs->turns && docs->step > 0 && docs->step <= DPL__HAMMING_TILE));
    job j = {
        .queries = rows->queries, .n_queries = n_queries, .n_words = n_words, .stride = stride};
    j.cut = (unsigned)dpl__min(cut, 64 * n_words);
    j.turns = next ? docs->turns : NULL;
    j.step = next ? docs->step : DPL__HAMMING_TILE;
    j.tables = scratch;
    j.counters = j.tables + DPL__HAMMING_ROWS;
    const size_t n_docs = next ? dpl__max(block->n_docs, next->n_docs) : block->n_docs;
    if (n_docs < DPL__HAMMING_DOCS)
        memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    for (j.at = 0; j.at < n_docs; j.at += VEC) {
        j.mask = mask + j.at / 64;
        j.block = part_of(block, j.at, n_words, stride);
        j.next = part_of(next, j.at, n_words, stride);
        const size_t n_few = next ? 1 : VEC / 8;
        if (n_queries < FEW || j.block.n_docs < n_few || (next && j.next.n_docs == 0))
            compare_each(&j);
        else
            compare_sliced(&j);
    }
}

static void hamming_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                         unsigned cut)
{
    assert(rows->n_docs <= DPL__HAMMING_DOCS && rows->n_words <= rows->stride);
    vec *turned = (vec *)scratch + DPL__HAMMING_ROWS +
                  DPL__HAMMING_TILE * dpl__hamming_digits(rows->n_words);
    const dpl__hamming_block block = {rows->docs, rows->n_docs, turned};
    const dpl__hamming_turns docs = {.block = &block};
    if (rows->n_queries >= FEW)
        hamming_turn(turned, rows->docs, rows->n_docs, rows->n_words, rows->stride);
    hamming_turned(mask, scratch, rows, &docs, cut);
}

#ifndef OWN_FEW
static uint64_t hamming_few(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t n_words, size_t stride, unsigned cut)
{
    assert(n_docs <= 64);
    uint64_t mask = 0;
    for (size_t d = 0; d < n_docs; d++)
        mask |= (uint64_t)(hamming(query, docs + d * stride, n_words) <= cut) << d;
    return mask;
}
#endif

_Static_assert((HAMMING_UNIT << (MOST_FIELD + 1)) <= DPL__HAMMING_ROWS &&
                   HAMMING_UNIT * MOST_FIELD <= DPL__HAMMING_PAD && MOST_FIELD <= 5,
               "the scratch is too small");

static void set_hamming(dpl__kernels *k)
{
    k->hamming = hamming;
    k->hamming_mask = hamming_mask;
    k->hamming_few = hamming_few;
    k->hamming_turn = hamming_turn;
    k->hamming_turned = hamming_turned;
}

#endif
