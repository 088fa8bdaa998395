/*
 * zlib.c - the part of zlib's interface that readers call: raw deflate data in one piece, and
 * checksums (RFC 1951). What arrives as gzip is unpacked by the browser before it comes here.
 *
 * Codes are decoded bit by bit, by the counts of their lengths: about 60 MB/s, enough for the
 * members of e-books.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_BITS = 15, MOST_LITERALS = 288, MOST_DISTANCES = 32, END_OF_BLOCK = 256 };

typedef struct inflater {
    z_stream *z;
    const Bytef *in_end;
    Bytef *out_begin, *out_end;
    uint32_t bits;
    unsigned n_bits;
    int fault; /* Z_OK: none yet */
} inflater;

/* A canonical code: how many symbols have each length, and all symbols in order. */
typedef struct code {
    uint16_t counts[MOST_BITS + 1], symbols[MOST_LITERALS];
} code;

static unsigned take_bits(inflater *s, unsigned n)
{
    while (s->n_bits < n) {
        if (s->z->next_in == s->in_end) {
            s->fault = s->fault ? s->fault : Z_BUF_ERROR;
            return 0;
        }
        s->bits |= (uint32_t)*s->z->next_in++ << s->n_bits;
        s->n_bits += 8;
    }
    const unsigned value = s->bits & ((1u << n) - 1);
    s->bits >>= n;
    s->n_bits -= n;
    return value;
}

/* False: more codes than the lengths leave room for. */
static int make_code(code *c, const uint8_t *lengths, unsigned n)
{
    uint16_t offsets[MOST_BITS + 2] = {0};
    int left = 1;
    memset(c->counts, 0, sizeof c->counts);
    for (unsigned i = 0; i < n; i++)
        c->counts[lengths[i]]++;
    for (unsigned bits = 1; bits <= MOST_BITS; bits++) {
        left = 2 * left - c->counts[bits];
        if (left < 0)
            return 0;
        offsets[bits + 1] = (uint16_t)(offsets[bits] + c->counts[bits]);
    }
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            c->symbols[offsets[lengths[i]]++] = (uint16_t)i;
    return 1;
}

static unsigned take_symbol(inflater *s, const code *c)
{
    int value = 0, first = 0, at = 0;
    for (unsigned bits = 1; bits <= MOST_BITS && !s->fault; bits++) {
        value |= (int)take_bits(s, 1);
        const int n = c->counts[bits];
        if (value - n < first)
            return c->symbols[at + value - first];
        at += n;
        first = (first + n) << 1;
        value <<= 1;
    }
    s->fault = s->fault ? s->fault : Z_DATA_ERROR;
    return END_OF_BLOCK;
}

static void put_byte(inflater *s, Bytef byte)
{
    if (s->z->next_out == s->out_end)
        s->fault = Z_BUF_ERROR;
    else
        *s->z->next_out++ = byte;
}

static void copy_match(inflater *s, unsigned length, unsigned distance)
{
    if (distance > (size_t)(s->z->next_out - s->out_begin)) {
        s->fault = Z_DATA_ERROR;
        return;
    }
    for (; length && !s->fault; length--)
        put_byte(s, s->z->next_out[-(ptrdiff_t)distance]);
}

static void take_coded_block(inflater *s, const code *literals, const code *distances)
{
    static const uint16_t base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                    15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                    67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far_base[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (!s->fault) {
        const unsigned symbol = take_symbol(s, literals);
        if (symbol < END_OF_BLOCK) {
            put_byte(s, (Bytef)symbol);
            continue;
        }
        if (symbol == END_OF_BLOCK || s->fault)
            return;
        if (symbol - 257 >= sizeof extra) {
            s->fault = Z_DATA_ERROR;
            return;
        }
        const unsigned length = base[symbol - 257] + take_bits(s, extra[symbol - 257]);
        const unsigned far = take_symbol(s, distances);
        if (s->fault || far >= 30) {
            s->fault = Z_DATA_ERROR;
            return;
        }
        const unsigned distance = far_base[far] + take_bits(s, far < 4 ? 0 : far / 2 - 1);
        if (!s->fault)
            copy_match(s, length, distance);
    }
}

static void take_stored_block(inflater *s)
{
    s->bits = s->n_bits = 0;
    const unsigned n = take_bits(s, 16), check = take_bits(s, 16);
    if (!s->fault && n != (~check & 0xFFFF))
        s->fault = Z_DATA_ERROR;
    for (unsigned i = 0; i < n && !s->fault; i++)
        put_byte(s, (Bytef)take_bits(s, 8));
}

static void take_fixed_block(inflater *s)
{
    uint8_t lengths[MOST_LITERALS];
    code literals, distances;
    for (unsigned i = 0; i < MOST_LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(&literals, lengths, MOST_LITERALS);
    memset(lengths, 5, 30);
    make_code(&distances, lengths, 30);
    take_coded_block(s, &literals, &distances);
}

static void take_dynamic_block(inflater *s)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    const unsigned n_literals = take_bits(s, 5) + 257, n_distances = take_bits(s, 5) + 1,
                   n_order = take_bits(s, 4) + 4, n = n_literals + n_distances;
    uint8_t lengths[MOST_LITERALS + MOST_DISTANCES] = {0};
    code literals, distances;
    for (unsigned i = 0; i < n_order; i++)
        lengths[order[i]] = (uint8_t)take_bits(s, 3);
    if (s->fault || n_literals > 286 || n_distances > 30 ||
        !make_code(&literals, lengths, 19)) {
        s->fault = s->fault ? s->fault : Z_DATA_ERROR;
        return;
    }
    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < n && !s->fault;) {
        const unsigned symbol = take_symbol(s, &literals);
        unsigned times = 1;
        uint8_t length = (uint8_t)symbol;
        if (symbol >= 16) {
            length = symbol == 16 && i ? lengths[i - 1] : 0;
            times = symbol == 16   ? 3 + take_bits(s, 2)
                    : symbol == 17 ? 3 + take_bits(s, 3)
                                   : 11 + take_bits(s, 7);
        }
        if (symbol > 18 || (symbol == 16 && !i) || i + times > n) {
            s->fault = Z_DATA_ERROR;
            return;
        }
        while (times--)
            lengths[i++] = length;
    }
    if (s->fault || !make_code(&literals, lengths, n_literals) ||
        !make_code(&distances, lengths + n_literals, n_distances)) {
        s->fault = s->fault ? s->fault : Z_DATA_ERROR;
        return;
    }
    take_coded_block(s, &literals, &distances);
}

int inflateInit2_(z_streamp z, int window, const char *version, int size)
{
    (void)z, (void)version, (void)size;
    return window < 0 ? Z_OK : Z_VERSION_ERROR; /* without a header only */
}

int inflate(z_streamp z, int flush)
{
    inflater s = {.z = z,
                  .in_end = z->next_in + z->avail_in,
                  .out_begin = z->next_out,
                  .out_end = z->next_out + z->avail_out};
    int is_last = 0;
    (void)flush;
    while (!is_last && !s.fault) {
        is_last = (int)take_bits(&s, 1);
        switch (take_bits(&s, 2)) {
        case 0: take_stored_block(&s); break;
        case 1: take_fixed_block(&s); break;
        case 2: take_dynamic_block(&s); break;
        default: s.fault = s.fault ? s.fault : Z_DATA_ERROR;
        }
    }
    z->avail_in = (uInt)(s.in_end - z->next_in);
    z->avail_out = (uInt)(s.out_end - z->next_out);
    return s.fault ? s.fault : Z_STREAM_END;
}

int inflateEnd(z_streamp z)
{
    return (void)z, Z_OK;
}

int inflateReset(z_streamp z)
{
    return (void)z, Z_STREAM_ERROR;
}

uLong crc32(uLong crc, const Bytef *data, uInt n)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t x = i;
            for (int k = 0; k < 8; k++)
                x = x & 1 ? x >> 1 ^ 0xEDB88320u : x >> 1;
            table[i] = x;
        }
    uint32_t c = ~(uint32_t)crc;
    for (uInt i = 0; i < n; i++)
        c = table[(c ^ data[i]) & 255] ^ c >> 8;
    return (uLong)(~c);
}
