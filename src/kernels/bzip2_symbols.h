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
    unsigned have;  /* of them, at least */
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
    b->bits |= more >> b->have;
    b->next += (63 - b->have) >> 3;
    b->have |= 56;
}

static inline size_t bit_of(const bit_buffer *b)
{
    return 8 * b->next - b->have;
}

/* The entry of a code of more than DPL__BZ_FAST bits. */
static uint16_t long_code(const dpl__bz_code *code, uint64_t bits)
{
    uint32_t next = (uint32_t)(bits >> (64 - DPL__BZ_LONGEST));
    for (unsigned n = DPL__BZ_FAST + 1; n <= DPL__BZ_LONGEST; n++)
        if (next < code->beyond[n])
            return (uint16_t)(code->by_rank[(int32_t)(next >> (DPL__BZ_LONGEST - n)) -
                                            code->base[n]] |
                              n << 10);
    return DPL__BZ_ENTRY(DPL__BZ_NO_CODE, DPL__BZ_SPECIAL, DPL__BZ_LONGEST);
}

static dpl__bz_outcome decode_symbols(dpl__bz_symbols *s)
{
    enum { AT_ONCE = 5 }; /* short codes in 56 bits */
    list_type list;
    list_open(&list, s);
    bit_buffer b = {.p = s->p, .n = s->n, .next = s->bit / 8};
    refill(&b);
    b.bits <<= s->bit % 8;
    b.have -= (unsigned)(s->bit % 8);
    uint32_t *runs = s->runs;
    uint64_t unit = 1 << 8, units = 0; /* of the next digit; all there were */
    uint64_t run = s->list[0];
    size_t n = 0;
    uint16_t e;
    runs[0] = (uint32_t)run;
    for (size_t group = 0; group < s->n_selectors; group++) {
        const dpl__bz_code *code = &s->codes[s->selectors[group]];
        for (unsigned step = 0; step < DPL__BZ_GROUP / AT_ONCE; step++) {
            refill(&b);
            for (unsigned i = 0; i < AT_ONCE; i++) {
                e = code->fast[b.bits >> (64 - DPL__BZ_FAST)];
                bool is_long = false;
                if (DPL_UNLIKELY((e >> 8 & 3) == DPL__BZ_SPECIAL)) {
                    refill(&b);
                    is_long = (e & 255) == DPL__BZ_LONG_CODE;
                    if (is_long)
                        e = long_code(code, b.bits);
                    if ((e >> 8 & 3) == DPL__BZ_SPECIAL)
                        goto stop;
                }
                b.bits <<= e >> 10;
                b.have -= e >> 10;
                if (DPL_UNLIKELY(is_long))
                    refill(&b);
                unsigned kind = e >> 8 & 3;
                uint8_t byte = list_take(&list, e & 255);
                uint64_t more = run + (unit << kind >> 1);
                n += kind == DPL__BZ_MOVE;
                run = kind == DPL__BZ_MOVE ? (1u << 8 | byte) : more;
                unit = kind == DPL__BZ_MOVE ? 1u << 8 : unit << 1;
                units |= unit;
                runs[n] = (uint32_t)run;
            }
        }
        if (DPL_UNLIKELY(bit_of(&b) > 8 * s->n))
            break;
    }
    e = DPL__BZ_ENTRY(DPL__BZ_NO_CODE, DPL__BZ_SPECIAL, 0);
stop:
    s->bit = bit_of(&b) + (e >> 10);
    s->n_runs = n + 1;
    if (s->bit > 8 * s->n)
        return DPL__BZ_SHORT;
    return (e & 255) == DPL__BZ_STOP && units >> 29 == 0 ? DPL__BZ_DONE : DPL__BZ_DAMAGED;
}

#endif
