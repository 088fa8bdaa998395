/*
 * bzip2_symbols.h - template: decodes the symbols of a bzip2 block to runs.
 *
 * The levels differ in the list: list_type, list_open(list *, symbols *), and
 * list_take(list *, index), which moves the byte at the index to the front and returns it.
 *
 * One table lookup per symbol, and nothing that depends on what the symbol is but indices
 * beyond the beginning of the list: a digit is taken as index 0, which moves nothing. The
 * next lookup waits for the length of the code only, so the processor works on the list
 * meanwhile.
 */
#ifndef DPL_KERNELS_BZIP2_SYMBOLS_H
#define DPL_KERNELS_BZIP2_SYMBOLS_H

typedef struct bit_buffer {
    const uint8_t *p;
    size_t n, next; /* bytes; the next to load, which may be beyond n: zeros */
    uint64_t bits;  /* next bit first */
    unsigned have;  /* of them, at least; only the low six bits count */
} bit_buffer;

static inline uint64_t load_bytes(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static inline uint64_t load_last_bytes(const bit_buffer *b)
{
    uint64_t x = 0;
    for (size_t i = b->next; i < b->next + 8; i++)
        x = x << 8 | (i < b->n ? b->p[i] : 0);
    return x;
}

/* At least 56 bits. */
static inline void refill(bit_buffer *b)
{
    uint64_t more =
        DPL_LIKELY(b->next + 8 <= b->n) ? load_bytes(b->p + b->next) : load_last_bytes(b);
    b->bits |= more >> (b->have & 63);
    b->next += (~b->have & 63) >> 3;
    b->have |= 56;
}

static inline size_t bit_of(const bit_buffer *b)
{
    return 8 * b->next - (b->have & 63);
}

static inline void drop(bit_buffer *b, unsigned code_length)
{
    b->bits <<= code_length & 63;
    b->have -= code_length;
}

/* The entry of a code of more than DPL__BZ_FAST bits. */
static uint16_t long_code(const dpl__bz_code *code, uint64_t bits)
{
    uint32_t next = (uint32_t)(bits >> (64 - DPL__BZ_LONGEST));
    for (unsigned n = DPL__BZ_FAST + 1; n <= DPL__BZ_LONGEST; n++)
        if (next < code->beyond[n])
            return (uint16_t)(code->by_rank[(int32_t)(next >> (DPL__BZ_LONGEST - n)) -
                                            code->base[n]] |
                              DPL__BZ_ENTRY(0, n, 0));
    return DPL__BZ_ENTRY(DPL__BZ_NO_CODE, DPL__BZ_LONGEST, DPL__BZ_SPECIAL);
}

/* The run that is being read. Its byte is the front of the list. */
typedef struct last_run {
    uint32_t *to;
    uint64_t length, all; /* all: the bits of every length there was */
    unsigned place;       /* of the next digit */
} last_run;

static inline void take_symbol(last_run *run, list_type *list, uint16_t entry)
{
    const unsigned kind = entry >> 14;
    const uint64_t is_new = 0 - (uint64_t)(entry < DPL__BZ_ENTRY(0, 0, 1));
    const uint8_t byte = list_take(list, entry & 255);
    run->length = (run->length & ~is_new) + ((uint64_t)kind << (run->place & 63)) - is_new;
    run->place = (run->place + 1) & (unsigned)~is_new;
    run->to -= (ptrdiff_t)is_new;
    run->all |= run->length;
    *run->to = (uint32_t)run->length << 8 | byte;
}

static dpl__bz_outcome decode_symbols(dpl__bz_symbols *s)
{
    enum { AT_ONCE = 5 }; /* short codes in 56 bits */
    list_type list;
    last_run run = {.to = s->runs};
    bit_buffer b = {.p = s->p, .n = s->n, .next = s->bit / 8};
    uint16_t e;
    *run.to = s->list[0];
    list_open(&list, s);
    refill(&b);
    drop(&b, s->bit % 8);
    for (size_t group = 0; group < s->n_selectors && bit_of(&b) <= 8 * s->n; group++) {
        const dpl__bz_code *code = &s->codes[s->selectors[group]];
        for (unsigned step = 0; step < DPL__BZ_GROUP / AT_ONCE; step++) {
            refill(&b);
#pragma GCC unroll 5
            for (unsigned i = 0; i < AT_ONCE; i++) {
                e = code->fast[b.bits >> (64 - DPL__BZ_FAST)];
                if (DPL_UNLIKELY(e >= DPL__BZ_ENTRY(0, 0, DPL__BZ_SPECIAL))) {
                    refill(&b);
                    if ((e & 255) == DPL__BZ_LONG_CODE)
                        e = long_code(code, b.bits);
                    if (e >= DPL__BZ_ENTRY(0, 0, DPL__BZ_SPECIAL))
                        goto stop;
                    drop(&b, e >> 8);
                    refill(&b);
                } else {
                    drop(&b, e >> 8);
                }
                take_symbol(&run, &list, e);
            }
        }
    }
    e = DPL__BZ_ENTRY(DPL__BZ_NO_CODE, 0, DPL__BZ_SPECIAL);
stop:
    s->bit = bit_of(&b) + (e >> 8 & 63);
    s->n_runs = (size_t)(run.to - s->runs) + 1;
    if (s->bit > 8 * s->n)
        return DPL__BZ_SHORT;
    return (e & 255) == DPL__BZ_STOP && run.all >> 22 == 0 ? DPL__BZ_DONE : DPL__BZ_DAMAGED;
}

#endif
