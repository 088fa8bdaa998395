/*
 * zstd.c - frames of Zstandard in one piece, with or without a dictionary (RFC 8878): the texts
 * of pocket indexes.
 *
 * Straight from the document: tables of finite-state entropy and Huffman codes, then literals
 * and sequences of each block. Every read is checked; a frame that does not fit is an error.
 * Checksums of frames are passed over: texts have their own.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define FAILED ((size_t)-1)

enum {
    MOST_LOG = 9, /* of tables of sequences */
    MOST_HUFFMAN = 11,
    BLOCK = 128 << 10,
    WORDS = 3 /* kinds of codes: literal lengths, offsets, match lengths */
};

typedef struct fse {
    unsigned log; /* 0 with one state: always the same symbol */
    uint8_t symbol[1 << MOST_LOG], bits[1 << MOST_LOG];
    uint16_t base[1 << MOST_LOG];
    int is_set;
} fse;

typedef struct huffman {
    unsigned log; /* 0: none yet */
    uint8_t symbol[1 << MOST_HUFFMAN], bits[1 << MOST_HUFFMAN];
} huffman;

typedef struct frame {
    const uint8_t *in, *in_end;
    uint8_t *out_begin, *out, *out_end;
    const uint8_t *dictionary; /* its content */
    size_t n_dictionary;
    fse words[WORDS];
    huffman literals;
    uint32_t offsets[3];
    uint8_t text[BLOCK]; /* literals of a block */
    size_t n_text;
} frame;

static uint32_t load(const uint8_t *p, unsigned n)
{
    uint32_t x = 0;
    for (unsigned i = 0; i < n; i++)
        x |= (uint32_t)p[i] << 8 * i;
    return x;
}

/* ---- bits ------------------------------------------------------------------------------- */

/* Read from the end to the begin; the highest bit set of the last byte ends them. */
typedef struct backward {
    const uint8_t *begin;
    int64_t left; /* bits; below 0: more were read than there are, as zeros */
} backward;

static int begin_backward(backward *b, const uint8_t *p, size_t n)
{
    if (!n || !p[n - 1])
        return 0;
    unsigned high = 7;
    while (!(p[n - 1] >> high))
        high--;
    *b = (backward){p, (int64_t)(n - 1) * 8 + high};
    return 1;
}

static uint32_t take(backward *b, unsigned n)
{
    uint32_t x = 0;
    b->left -= n;
    for (unsigned i = 0; i < n; i++) {
        const int64_t at = b->left + i;
        if (at >= 0)
            x |= (uint32_t)(b->begin[at >> 3] >> (at & 7) & 1) << i;
    }
    return x;
}

/* ---- tables ----------------------------------------------------------------------------- */

static void set_one(fse *t, uint8_t symbol)
{
    t->log = 0;
    t->symbol[0] = symbol;
    t->bits[0] = 0;
    t->base[0] = 0;
    t->is_set = 1;
}

static int build(fse *t, const int16_t *counts, unsigned n, unsigned log)
{
    const unsigned size = 1u << log, step = (size >> 1) + (size >> 3) + 3;
    unsigned next[256], high = size, at = 0;
    for (unsigned s = 0; s < n; s++)
        if (counts[s] == -1)
            t->symbol[--high] = (uint8_t)s;
    for (unsigned s = 0; s < n; s++) {
        next[s] = counts[s] == -1 ? 1u : (unsigned)counts[s];
        for (int i = 0; i < counts[s]; i++) {
            t->symbol[at] = (uint8_t)s;
            do
                at = (at + step) & (size - 1);
            while (at >= high);
        }
    }
    if (at)
        return 0;
    for (unsigned i = 0; i < size; i++) {
        const unsigned x = next[t->symbol[i]]++;
        unsigned bits = log;
        while (bits && x >> (log - bits + 1))
            bits--;
        if (!x)
            return 0;
        t->bits[i] = (uint8_t)bits;
        t->base[i] = (uint16_t)((x << bits) - size);
    }
    t->log = log;
    t->is_set = 1;
    return 1;
}

/* The counts of a table; answers how many bytes they take, 0: damaged. */
static size_t read_table(fse *t, const uint8_t *p, size_t n, unsigned most_log, unsigned most)
{
    int16_t counts[256] = {0};
    size_t at = 0; /* bits */
#define BIT(i) ((i) >> 3 < n ? p[(i) >> 3] >> ((i)&7) & 1u : 0u)
    unsigned log = 5, s = 0;
    for (unsigned i = 0; i < 4; i++)
        log += BIT(at + i) << i;
    at += 4;
    if (log > most_log)
        return 0;
    int left = (1 << log) + 1;
    while (left > 1 && s < most) {
        unsigned bits = 0;
        for (unsigned x = (unsigned)left; x; x >>= 1)
            bits++;
        unsigned value = 0;
        for (unsigned i = 0; i < bits; i++)
            value |= BIT(at + i) << i;
        const unsigned low = (1u << (bits - 1)) - 1,
                       threshold = (1u << bits) - 1 - (unsigned)left;
        if ((value & low) < threshold) {
            at += bits - 1;
            value &= low;
        } else {
            at += bits;
            if (value > low)
                value -= threshold;
        }
        const int count = (int)value - 1;
        counts[s++] = (int16_t)count;
        left -= count < 0 ? -count : count;
        if (count == 0)
            for (unsigned repeat = 3; repeat == 3;) {
                repeat = BIT(at) | BIT(at + 1) << 1;
                at += 2;
                s += repeat;
                if (s > most)
                    return 0;
            }
        if (at > 8 * n)
            return 0;
    }
#undef BIT
    if (left != 1 || !build(t, counts, s, log))
        return 0;
    return (at + 7) / 8;
}

/* Weights of the symbols become codes. */
static int build_huffman(huffman *h, uint8_t *weights, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        if (weights[i] > MOST_HUFFMAN)
            return 0;
        sum += weights[i] ? 1u << (weights[i] - 1) : 0;
    }
    unsigned log = 0;
    while (1u << log <= sum)
        log++;
    const uint32_t rest = (1u << log) - sum;
    if (!sum || log > MOST_HUFFMAN || rest & (rest - 1))
        return 0;
    unsigned last = 1;
    while (1u << (last - 1) < rest)
        last++;
    weights[n++] = (uint8_t)last;
    unsigned at = 0;
    for (unsigned w = 1; w <= log; w++)
        for (unsigned s = 0; s < n; s++)
            for (unsigned i = 0; weights[s] == w && i < 1u << (w - 1); i++, at++) {
                h->symbol[at] = (uint8_t)s;
                h->bits[at] = (uint8_t)(log + 1 - w);
            }
    h->log = log;
    return 1;
}

/* Weights that are coded themselves, by two states in turn. */
static unsigned read_weights(uint8_t *weights, const uint8_t *p, size_t n)
{
    fse t = {0};
    backward b;
    const size_t head = read_table(&t, p, n, 6, 256);
    if (!head || !begin_backward(&b, p + head, n - head))
        return 0;
    uint32_t state[2];
    unsigned k = 0;
    state[0] = take(&b, t.log);
    state[1] = take(&b, t.log);
    for (unsigned i = 0; k < 254; i ^= 1) {
        weights[k++] = t.symbol[state[i]];
        state[i] = t.base[state[i]] + take(&b, t.bits[state[i]]);
        if (b.left < 0) {
            weights[k++] = t.symbol[state[i ^ 1]];
            return k;
        }
    }
    return 0;
}

static size_t read_huffman(huffman *h, const uint8_t *p, size_t n)
{
    uint8_t weights[256] = {0};
    if (!n)
        return 0;
    if (p[0] < 128)
        return (size_t)p[0] < n && build_huffman(h, weights, read_weights(weights, p + 1, p[0]))
                   ? 1u + p[0]
                   : 0;
    const unsigned n_weights = p[0] - 127u;
    if ((n_weights + 1) / 2 >= n)
        return 0;
    for (unsigned i = 0; i < n_weights; i++)
        weights[i] = i % 2 ? p[1 + i / 2] & 15 : p[1 + i / 2] >> 4;
    return build_huffman(h, weights, n_weights) ? 1 + (n_weights + 1) / 2 : 0;
}

/* ---- literals --------------------------------------------------------------------------- */

static int take_stream(const huffman *h, uint8_t *to, size_t n_to, const uint8_t *p, size_t n)
{
    backward b;
    if (!h->log || !begin_backward(&b, p, n))
        return 0;
    const uint32_t mask = (1u << h->log) - 1;
    uint32_t state = take(&b, h->log);
    for (size_t i = 0; i < n_to; i++) {
        to[i] = h->symbol[state];
        const unsigned bits = h->bits[state];
        state = (state << bits & mask) | take(&b, bits);
    }
    return b.left == -(int64_t)h->log;
}

static int take_streams(frame *f, const uint8_t *p, size_t n, unsigned n_streams)
{
    if (n_streams == 1)
        return take_stream(&f->literals, f->text, f->n_text, p, n);
    if (n < 10)
        return 0;
    const size_t part = (f->n_text + 3) / 4;
    size_t sizes[4] = {load(p, 2), load(p + 2, 2), load(p + 4, 2), 0}, at = 6;
    if (6 + sizes[0] + sizes[1] + sizes[2] > n || 3 * part > f->n_text)
        return 0;
    sizes[3] = n - 6 - sizes[0] - sizes[1] - sizes[2];
    for (unsigned i = 0; i < 4; i++) {
        if (!take_stream(&f->literals, f->text + i * part, i < 3 ? part : f->n_text - 3 * part,
                         p + at, sizes[i]))
            return 0;
        at += sizes[i];
    }
    return 1;
}

/* Answers how many bytes of the block they take, 0: damaged. */
static size_t read_literals(frame *f, const uint8_t *p, size_t n)
{
    const unsigned type = p[0] & 3, format = p[0] >> 2 & 3;
    if (type < 2) { /* as they are, or one byte again and again */
        const unsigned head = format == 1 ? 2 : format == 3 ? 3 : 1;
        if (n < head)
            return 0;
        f->n_text = load(p, head) >> (head == 1 ? 3 : 4);
        const size_t n_bytes = type ? 1 : f->n_text;
        if (f->n_text > BLOCK || head + n_bytes > n)
            return 0;
        if (type)
            memset(f->text, p[head], f->n_text);
        else
            memcpy(f->text, p + head, f->n_text);
        return head + n_bytes;
    }
    const unsigned head = format < 2 ? 3 : format + 2, width = format < 2    ? 10
                                                               : format == 2 ? 14
                                                                             : 18;
    if (n < head)
        return 0;
    const uint64_t sizes = load(p, head > 4 ? 4 : head) | (uint64_t)(head > 4 ? p[4] : 0) << 32;
    const uint32_t mask = (1u << width) - 1;
    f->n_text = (size_t)(sizes >> 4 & mask);
    const size_t n_packed = (size_t)(sizes >> (4 + width) & mask);
    if (f->n_text > BLOCK || head + n_packed > n)
        return 0;
    size_t tree = 0;
    if (type == 2 && !(tree = read_huffman(&f->literals, p + head, n_packed)))
        return 0;
    return take_streams(f, p + head + tree, n_packed - tree, format ? 4 : 1) ? head + n_packed
                                                                             : 0;
}

/* ---- sequences -------------------------------------------------------------------------- */

static int set_default(fse *t, unsigned kind)
{
    static const int16_t lengths[] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                      2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
    static const int16_t offsets[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
    static const int16_t matches[] = {
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
    return kind == 0   ? build(t, lengths, 36, 6)
           : kind == 1 ? build(t, offsets, 29, 5)
                       : build(t, matches, 53, 6);
}

static const unsigned most_logs[WORDS] = {9, 8, 9}, most_symbols[WORDS] = {36, 32, 53};

/* Answers the bytes that the table takes, FAILED: damaged. */
static size_t read_mode(fse *t, unsigned kind, unsigned mode, const uint8_t *p, size_t n)
{
    if (mode == 0)
        return set_default(t, kind) ? 0 : FAILED;
    if (mode == 1) {
        if (!n || p[0] >= most_symbols[kind])
            return FAILED;
        set_one(t, p[0]);
        return 1;
    }
    if (mode == 3)
        return t->is_set ? 0 : FAILED;
    const size_t used = read_table(t, p, n, most_logs[kind], most_symbols[kind]);
    return used ? used : FAILED;
}

static uint32_t length_of(unsigned code, backward *b)
{
    static const uint32_t base[] = {16,  18,  20,  22,   24,   28,   32,   40,    48,    64,
                                    128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
    static const uint8_t extra[] = {1, 1, 1, 1,  2,  2,  3,  3,  4,  6,
                                    7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    return code < 16 ? code : base[code - 16] + take(b, extra[code - 16]);
}

static uint32_t match_of(unsigned code, backward *b)
{
    static const uint32_t base[] = {35,   37,   39,   41,   43,    47,    51,
                                    59,   67,   83,   99,   131,   259,   515,
                                    1027, 2051, 4099, 8195, 16387, 32771, 65539};
    static const uint8_t extra[] = {1, 1, 1, 1,  2,  2,  3,  3,  4,  4, 5,
                                    7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    return code < 32 ? code + 3 : base[code - 32] + take(b, extra[code - 32]);
}

/* One of the last three offsets, or a new one. */
static uint32_t offset_of(frame *f, uint32_t value, uint32_t n_literals)
{
    uint32_t *r = f->offsets;
    if (value > 3) {
        r[2] = r[1];
        r[1] = r[0];
        return r[0] = value - 3;
    }
    const unsigned which = value - 1 + (n_literals == 0);
    if (which == 0)
        return r[0];
    const uint32_t offset = which == 3 ? r[0] - 1 : r[which];
    if (which != 1)
        r[2] = r[1];
    r[1] = r[0];
    return r[0] = offset;
}

static int put(frame *f, const uint8_t *p, size_t n)
{
    if (n > (size_t)(f->out_end - f->out))
        return 0;
    memcpy(f->out, p, n);
    f->out += n;
    return 1;
}

static int copy(frame *f, uint32_t offset, size_t n)
{
    size_t made = (size_t)(f->out - f->out_begin);
    if (!offset || n > (size_t)(f->out_end - f->out) || offset > made + f->n_dictionary)
        return 0;
    for (; n; n--, made++)
        *f->out++ = offset <= made ? f->out_begin[made - offset]
                                   : f->dictionary[f->n_dictionary - (offset - made)];
    return 1;
}

static int run_sequences(frame *f, uint32_t n, backward *b)
{
    const uint8_t *text = f->text;
    size_t left = f->n_text;
    uint32_t state[WORDS];
    for (unsigned k = 0; k < WORDS; k++)
        state[k] = take(b, f->words[k].log);
    for (uint32_t i = 0; i < n; i++) {
        const unsigned far = f->words[1].symbol[state[1]];
        if (far > 31)
            return 0;
        const uint32_t value = (1u << far) + take(b, far);
        const uint32_t n_match = match_of(f->words[2].symbol[state[2]], b);
        const uint32_t n_literals = length_of(f->words[0].symbol[state[0]], b);
        const uint32_t offset = offset_of(f, value, n_literals);
        if (n_literals > left || !put(f, text, n_literals) || !copy(f, offset, n_match))
            return 0;
        text += n_literals;
        left -= n_literals;
        static const unsigned order[WORDS] = {0, 2, 1};
        for (unsigned k = 0; k < WORDS && i + 1 < n; k++) {
            const fse *t = &f->words[order[k]];
            uint32_t *s = &state[order[k]];
            *s = t->base[*s] + take(b, t->bits[*s]);
        }
    }
    return b->left == 0 && put(f, text, left);
}

static int read_sequences(frame *f, const uint8_t *p, size_t n)
{
    if (!n)
        return 0;
    uint32_t n_sequences = p[0];
    size_t at = 1;
    if (n_sequences == 0)
        return put(f, f->text, f->n_text);
    if (n_sequences == 255 && n >= 3) {
        n_sequences = load(p + 1, 2) + 0x7F00;
        at = 3;
    } else if (n_sequences >= 128 && n >= 2) {
        n_sequences = ((n_sequences - 128) << 8) + p[1];
        at = 2;
    }
    if (at >= n)
        return 0;
    const unsigned modes = p[at++];
    for (unsigned k = 0; k < WORDS; k++) {
        const size_t used =
            read_mode(&f->words[k], k, modes >> (6 - 2 * k) & 3, p + at, n - at);
        if (used == FAILED)
            return 0;
        at += used;
    }
    backward b;
    return begin_backward(&b, p + at, n - at) && run_sequences(f, n_sequences, &b);
}

/* ---- frames ----------------------------------------------------------------------------- */

static int read_blocks(frame *f)
{
    for (int is_last = 0; !is_last;) {
        if (f->in_end - f->in < 3)
            return 0;
        const uint32_t head = load(f->in, 3), type = head >> 1 & 3;
        const size_t size = head >> 3, n = type == 1 ? 1 : size;
        is_last = head & 1;
        f->in += 3;
        if (n > (size_t)(f->in_end - f->in) || type == 3)
            return 0;
        if (type == 0 && !put(f, f->in, n))
            return 0;
        for (size_t i = 0; type == 1 && i < size; i++)
            if (!put(f, f->in, 1))
                return 0;
        if (type == 2) {
            const size_t used = n ? read_literals(f, f->in, n) : 0;
            if (!used || !read_sequences(f, f->in + used, n - used))
                return 0;
        }
        f->in += n;
    }
    return 1;
}

/* Magic, window, dictionary's number and size; 0: damaged. */
static int read_head(frame *f)
{
    static const unsigned id_sizes[] = {0, 1, 2, 4}, content_sizes[] = {0, 2, 4, 8};
    const size_t n = (size_t)(f->in_end - f->in);
    if (n < 6 || load(f->in, 4) != 0xFD2FB528u)
        return 0;
    const unsigned flags = f->in[4], is_single = flags >> 5 & 1;
    const unsigned n_content = flags >> 6 ? content_sizes[flags >> 6] : is_single;
    const size_t head = 5 + !is_single + id_sizes[flags & 3] + n_content;
    if (head > n)
        return 0;
    f->in += head;
    return 1;
}

/* A dictionary that was trained begins with tables; any other bytes are content. */
static int read_dictionary(frame *f, const uint8_t *p, size_t n)
{
    f->dictionary = p;
    f->n_dictionary = n;
    if (n < 8 || load(p, 4) != 0xEC30A437u)
        return 1;
    static const unsigned order[WORDS] = {1, 2, 0};
    size_t at = 8, used = read_huffman(&f->literals, p + at, n - at);
    at += used;
    for (unsigned k = 0; k < WORDS && used; k++) {
        used = read_table(&f->words[order[k]], p + at, n - at, most_logs[order[k]],
                          most_symbols[order[k]]);
        at += used;
    }
    if (!used || n - at < 12)
        return 0;
    for (unsigned k = 0; k < 3; k++)
        f->offsets[k] = load(p + at + 4 * k, 4);
    f->dictionary = p + at + 12;
    f->n_dictionary = n - at - 12;
    return 1;
}

struct ZSTD_DDict_s {
    const void *data;
    size_t n;
};

/* Its bytes stay where they are. */
ZSTD_DDict *ZSTD_createDDict(const void *data, size_t n)
{
    ZSTD_DDict *d = malloc(sizeof *d);
    if (d)
        *d = (ZSTD_DDict){data, n};
    return d;
}

size_t ZSTD_freeDDict(ZSTD_DDict *d)
{
    free(d);
    return 0;
}

size_t ZSTD_decompress_usingDDict(ZSTD_DCtx *d, void *to, size_t room, const void *from,
                                  size_t n, const ZSTD_DDict *dictionary)
{
    (void)d;
    frame *f = calloc(1, sizeof *f);
    if (!f)
        return FAILED;
    f->in = from;
    f->in_end = f->in + n;
    f->out = f->out_begin = to;
    f->out_end = f->out + room;
    f->offsets[0] = 1;
    f->offsets[1] = 4;
    f->offsets[2] = 8;
    const int is_good = (!dictionary || read_dictionary(f, dictionary->data, dictionary->n)) &&
                        read_head(f) && read_blocks(f);
    const size_t made = (size_t)(f->out - f->out_begin);
    free(f);
    return is_good ? made : FAILED;
}
