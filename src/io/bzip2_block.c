/*
 * bzip2_block.c - the header of a bzip2 block, its codes, and the way from symbols to text.
 *
 * Header and codes are read here; a kernel decodes the symbols to runs of bytes, which are the
 * last column of the sorted rotations of the text (Burrows and Wheeler, A block-sorting
 * lossless data compression algorithm, 1994). The k-th of the equal bytes of the last column is
 * the k-th of those in the first, so counting them gives the list that bzip2_order.c follows; a
 * run makes neighbours of it.
 *
 * What is accepted is what libbz2 accepts: codes with too few or too many words, more selectors
 * than needed. Cost for text: some 7.5 ns per byte, a third each for symbols and order.
 */
#include "io/bzip2_block.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

/* ---- memory -------------------------------------------------------------------------- */

dpl__bz_decoder *dpl__bz_decoder_new(dpl_ctx *ctx, dpl_error *err)
{
    dpl__bz_decoder *d = dpl__calloc(ctx, 1, sizeof *d);
    if (!d)
        dpl__fail_nomem(err);
    else
        d->ctx = ctx;
    return d;
}

void dpl__bz_decoder_free(dpl__bz_decoder *d)
{
    if (!d)
        return;
    dpl__free(d->ctx, d->runs, d->rows, d->text, d);
}

/* What was there is lost. */
static dpl_status make_room(dpl__bz_decoder *d, void **p, size_t *room, size_t n,
                            dpl_error *err)
{
    if (*room >= n)
        return DPL_OK;
    n = dpl__max(n, dpl__min(2 * *room, 4 * 9 * DPL__BZ_UNIT));
    dpl__free(d->ctx, *p);
    *p = dpl__alloc(d->ctx, n);
    *room = *p ? n : 0;
    return dpl__need(*p, err);
}

/* ---- the header ---------------------------------------------------------------------- */

/* Bits one after the other; behind the last there are zeros. */
typedef struct reader {
    const uint8_t *p;
    size_t n, bit;
} reader;

static uint64_t load(const reader *r)
{
    size_t at = r->bit / 8;
    uint64_t x = 0;
    if (DPL_LIKELY(at + 8 <= r->n)) {
        const uint8_t *p = r->p + at;
        x = (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
            (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
            (uint64_t)p[6] << 8 | p[7];
    } else {
        for (size_t i = at; i < at + 8; i++)
            x = x << 8 | (i < r->n ? r->p[i] : 0);
    }
    return x << r->bit % 8;
}

/* 0 < n <= 56 */
static inline uint32_t take(reader *r, unsigned n)
{
    assert(n >= 1 && n <= 32);
    uint32_t x = (uint32_t)(load(r) >> (64 - n));
    r->bit += n;
    return x;
}

/* How many ones there are before a zero: at most `most`, else SIZE_MAX. */
static inline unsigned take_ones(reader *r, unsigned most)
{
    uint64_t x = load(r);
    unsigned n = 0;
    while (n <= most && x >> 63) {
        x <<= 1;
        n++;
    }
    r->bit += n + 1;
    return n;
}

typedef struct header {
    bool is_random;
    uint32_t row;
    uint8_t used[256]; /* bytes that occur */
    unsigned n_used, n_codes;
    size_t n_selectors;
} header;

static void read_used(header *h, reader *r)
{
    uint32_t rows = take(r, 16);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t columns = rows & 0x8000u >> i ? take(r, 16) : 0;
        for (unsigned j = 0; j < 16; j++)
            if (columns & 0x8000u >> j)
                h->used[h->n_used++] = (uint8_t)(16 * i + j);
    }
}

/* Indices in a list of codes that moves the one used to the front. */
static bool read_selectors(dpl__bz_decoder *d, header *h, reader *r)
{
    uint8_t list[DPL__BZ_CODES] = {0, 1, 2, 3, 4, 5};
    size_t n = take(r, 15);
    for (size_t i = 0; i < n; i++) {
        unsigned index = take_ones(r, h->n_codes);
        if (index >= h->n_codes)
            return false;
        if (i >= DPL__BZ_SELECTORS) /* nobody can need them */
            continue;
        uint8_t code = list[index];
        for (; index; index--)
            list[index] = list[index - 1];
        d->selectors[i] = list[0] = code;
    }
    h->n_selectors = dpl__min(n, DPL__BZ_SELECTORS);
    return n > 0;
}

/* The lengths of a code's words: the first, and for each symbol the steps up and down. */
static bool read_lengths(uint8_t lengths[DPL__BZ_SYMBOLS], unsigned n_symbols, reader *r)
{
    unsigned length = take(r, 5);
    for (unsigned i = 0; i < n_symbols; i++) {
        for (;;) {
            if (length < 1 || length > DPL__BZ_LONGEST)
                return false;
            if (!take(r, 1))
                break;
            length = take(r, 1) ? length - 1 : length + 1;
        }
        lengths[i] = (uint8_t)length;
    }
    return true;
}

static uint16_t entry_of(unsigned symbol, unsigned n_used)
{
    assert(symbol < n_used + 2 && n_used <= 256);
    if (symbol < 2)
        return DPL__BZ_ENTRY(0, 0, symbol ? DPL__BZ_DIGIT_2 : DPL__BZ_DIGIT_1);
    if (symbol == n_used + 1)
        return DPL__BZ_ENTRY(DPL__BZ_STOP, 0, DPL__BZ_SPECIAL);
    return DPL__BZ_ENTRY(symbol - 1, 0, DPL__BZ_MOVE);
}

/* Canonical: words of one length follow each other, in the order of their symbols. When there
 * are too many, the shorter ones count. */
static void make_code(dpl__bz_code *code, const uint8_t *lengths, unsigned n_used)
{
    unsigned count[DPL__BZ_LONGEST + 1] = {0}, n = 0;
    for (unsigned i = 0; i < n_used + 2; i++)
        count[lengths[i]]++;
    unsigned from[DPL__BZ_LONGEST + 1], longest = 0;
    uint64_t word = 0;
    code->beyond[0] = 0;
    for (unsigned length = 1; length <= DPL__BZ_LONGEST; length++) {
        word <<= 1;
        from[length] = n;
        code->base[length] = (int32_t)word - (int32_t)n;
        n += count[length];
        word += count[length];
        code->beyond[length] = (uint32_t)dpl__min(word << (DPL__BZ_LONGEST - length),
                                                  (uint64_t)1 << DPL__BZ_LONGEST);
        longest = count[length] ? length : longest;
    }
    for (unsigned i = 0; i < n_used + 2; i++)
        code->by_rank[from[lengths[i]]++] = entry_of(i, n_used);

    unsigned at = 0;
    for (unsigned length = 1; length <= dpl__min(longest, DPL__BZ_FAST); length++)
        for (; at < code->beyond[length] >> (DPL__BZ_LONGEST - DPL__BZ_FAST); at++) {
            int32_t rank = (int32_t)(at >> (DPL__BZ_FAST - length)) - code->base[length];
            code->fast[at] = (uint16_t)(code->by_rank[rank] | DPL__BZ_ENTRY(0, length, 0));
        }
    for (; at < 1 << DPL__BZ_FAST; at++)
        code->fast[at] = DPL__BZ_ENTRY(DPL__BZ_LONG_CODE, 0, DPL__BZ_SPECIAL);
}

static bool read_header(dpl__bz_decoder *d, header *h, reader *r)
{
    h->is_random = take(r, 1);
    h->row = take(r, 24);
    read_used(h, r);
    h->n_codes = take(r, 3);
    if (h->n_used == 0 || h->n_codes < 2 || h->n_codes > DPL__BZ_CODES ||
        !read_selectors(d, h, r))
        return false;
    for (unsigned i = 0; i < h->n_codes; i++) {
        uint8_t lengths[DPL__BZ_SYMBOLS];
        if (!read_lengths(lengths, h->n_used + 2, r))
            return false;
        make_code(&d->codes[i], lengths, h->n_used);
    }
    return true;
}

/* ---- from runs to text ----------------------------------------------------------------- */

/* Where the rows of a byte are filled next, and where they end. */
typedef struct part {
    uint32_t next, end;
} part;

static size_t count_bytes(part parts[256], const uint32_t *runs, size_t n_runs)
{
    uint32_t counts[2][256] = {{0}}; /* two, because the same byte comes again and again */
    uint64_t n = 0;
    for (size_t i = 0; i < n_runs; i++) {
        counts[i % 2][runs[i] & 255] += runs[i] >> 8;
        n += runs[i] >> 8;
    }
    uint32_t at = 0;
    for (unsigned b = 0; b < 256; b++) {
        parts[b].next = at;
        parts[b].end = at += counts[0][b] + counts[1][b];
    }
    return n;
}

static void fill_rows(uint32_t *rows, part parts[256], const uint32_t *runs, size_t n_runs)
{
    enum { AT_ONCE = 8 };
    uint32_t row = 0; /* << 8 */
    for (size_t i = 0; i < n_runs; i++) {
        uint32_t byte = runs[i] & 255, n = runs[i] >> 8, x = row | byte;
        part *p = &parts[byte];
        uint32_t *to = rows + p->next, n_left = p->end - p->next;
        row += n << 8;
        p->next += n;
        if (DPL_LIKELY(n <= AT_ONCE && n_left >= AT_ONCE)) {
            /* more than there are: the next run of this byte replaces them */
            for (uint32_t k = 0; k < AT_ONCE; k++)
                to[k] = x + (k << 8);
        } else {
            for (uint32_t k = 0; k < n; k++)
                to[k] = x + (k << 8);
        }
    }
}

/* Blocks of bzip2 before 0.9.5 that would have been hard to sort have single bits changed, at
 * distances which are those of randtable.c there. */
static void remove_changes(uint8_t *text, size_t n)
{
    static const uint16_t distances[512] = {
        619, 720, 127, 481, 931, 816, 813, 233, 566, 247, 985, 724, 205, 454, 863, 491, 741,
        242, 949, 214, 733, 859, 335, 708, 621, 574, 73,  654, 730, 472, 419, 436, 278, 496,
        867, 210, 399, 680, 480, 51,  878, 465, 811, 169, 869, 675, 611, 697, 867, 561, 862,
        687, 507, 283, 482, 129, 807, 591, 733, 623, 150, 238, 59,  379, 684, 877, 625, 169,
        643, 105, 170, 607, 520, 932, 727, 476, 693, 425, 174, 647, 73,  122, 335, 530, 442,
        853, 695, 249, 445, 515, 909, 545, 703, 919, 874, 474, 882, 500, 594, 612, 641, 801,
        220, 162, 819, 984, 589, 513, 495, 799, 161, 604, 958, 533, 221, 400, 386, 867, 600,
        782, 382, 596, 414, 171, 516, 375, 682, 485, 911, 276, 98,  553, 163, 354, 666, 933,
        424, 341, 533, 870, 227, 730, 475, 186, 263, 647, 537, 686, 600, 224, 469, 68,  770,
        919, 190, 373, 294, 822, 808, 206, 184, 943, 795, 384, 383, 461, 404, 758, 839, 887,
        715, 67,  618, 276, 204, 918, 873, 777, 604, 560, 951, 160, 578, 722, 79,  804, 96,
        409, 713, 940, 652, 934, 970, 447, 318, 353, 859, 672, 112, 785, 645, 863, 803, 350,
        139, 93,  354, 99,  820, 908, 609, 772, 154, 274, 580, 184, 79,  626, 630, 742, 653,
        282, 762, 623, 680, 81,  927, 626, 789, 125, 411, 521, 938, 300, 821, 78,  343, 175,
        128, 250, 170, 774, 972, 275, 999, 639, 495, 78,  352, 126, 857, 956, 358, 619, 580,
        124, 737, 594, 701, 612, 669, 112, 134, 694, 363, 992, 809, 743, 168, 974, 944, 375,
        748, 52,  600, 747, 642, 182, 862, 81,  344, 805, 988, 739, 511, 655, 814, 334, 249,
        515, 897, 955, 664, 981, 649, 113, 974, 459, 893, 228, 433, 837, 553, 268, 926, 240,
        102, 654, 459, 51,  686, 754, 806, 760, 493, 403, 415, 394, 687, 700, 946, 670, 656,
        610, 738, 392, 760, 799, 887, 653, 978, 321, 576, 617, 626, 502, 894, 679, 243, 440,
        680, 879, 194, 572, 640, 724, 926, 56,  204, 700, 707, 151, 457, 449, 797, 195, 791,
        558, 945, 679, 297, 59,  87,  824, 713, 663, 412, 693, 342, 606, 134, 108, 571, 364,
        631, 212, 174, 643, 304, 329, 343, 97,  430, 751, 497, 314, 983, 374, 822, 928, 140,
        206, 73,  263, 980, 736, 876, 478, 430, 305, 170, 514, 364, 692, 829, 82,  855, 953,
        676, 246, 369, 970, 294, 750, 807, 827, 150, 790, 288, 923, 804, 378, 215, 828, 592,
        281, 565, 555, 710, 82,  896, 831, 547, 261, 524, 462, 293, 465, 502, 56,  661, 821,
        976, 991, 658, 869, 905, 758, 745, 193, 768, 550, 608, 933, 378, 286, 215, 979, 792,
        961, 61,  688, 793, 644, 986, 403, 106, 366, 905, 644, 372, 567, 466, 434, 645, 210,
        389, 550, 919, 135, 780, 773, 635, 389, 707, 100, 626, 958, 165, 504, 920, 176, 193,
        713, 857, 265, 203, 50,  668, 108, 645, 990, 626, 197, 510, 357, 358, 850, 858, 364,
        936, 638,
    };
    size_t at = 0;
    for (unsigned i = 0;; i = (i + 1) % DPL_LEN(distances)) {
        at += distances[i];
        if (at - 2 > n)
            return;
        text[at - 2] ^= 1;
    }
}

/* Header and symbols: d->runs receives *n_runs runs, unless the outcome says otherwise. */
static dpl_status read_runs(dpl__bz_block *b, header *h, size_t *n_runs, dpl__bz_decoder *d,
                            reader *r, dpl_error *err)
{
    r->bit = b->bit + 48;
    b->crc = take(r, 32);
    bool is_good = read_header(d, h, r);
    b->end = r->bit;
    b->outcome = r->bit > 8 * r->n ? DPL__BZ_SHORT : is_good ? DPL__BZ_DONE : DPL__BZ_DAMAGED;
    if (b->outcome != DPL__BZ_DONE)
        return DPL_OK;
    size_t room = (h->n_selectors * DPL__BZ_GROUP + 1) * sizeof *d->runs;
    DPL_TRY(make_room(d, (void **)(void *)&d->runs, &d->room_runs, room, err));
    dpl__bz_symbols s = {.p = r->p,
                         .n = r->n,
                         .bit = r->bit,
                         .codes = d->codes,
                         .selectors = d->selectors,
                         .n_selectors = h->n_selectors,
                         .runs = d->runs};
    memcpy(s.list, h->used, sizeof s.list);
    b->outcome = d->ctx->kernels->bz_symbols(&s);
    b->end = s.bit;
    *n_runs = s.n_runs;
    return DPL_OK;
}

dpl_status dpl__bz_decode(dpl__bz_block *b, dpl__bz_decoder *d, const uint8_t *p, size_t n,
                          dpl_error *err)
{
    reader r = {.p = p, .n = n};
    header h = {0};
    size_t n_runs = 0;
    DPL_TRY(read_runs(b, &h, &n_runs, d, &r, err));
    if (b->outcome != DPL__BZ_DONE)
        return DPL_OK;
    part parts[256];
    b->n = count_bytes(parts, d->runs, n_runs);
    if (b->n > (size_t)b->level * DPL__BZ_UNIT || h.row >= b->n) {
        b->outcome = DPL__BZ_DAMAGED;
        return DPL_OK;
    }
    size_t room = (b->n + 1) * sizeof *d->rows;
    DPL_TRY(make_room(d, (void **)(void *)&d->rows, &d->room_rows, room, err));
    fill_rows(d->rows, parts, d->runs, n_runs);
    room = dpl__bz_order_scratch(b->n); /* the runs are not needed any more */
    DPL_TRY(make_room(d, (void **)(void *)&d->runs, &d->room_runs, room, err));
    DPL_TRY(make_room(d, (void **)(void *)&d->text, &d->room_text, b->n + 1, err));
    dpl__bz_order(d->text, d->rows, b->n, h.row, d->runs);
    if (h.is_random)
        remove_changes(d->text, b->n);
    return DPL_OK;
}

/* ---- marks between blocks --------------------------------------------------------------- */

uint64_t dpl__bz_bits(const uint8_t *p, size_t bit, unsigned n)
{
    assert(n > 0 && n <= 56);
    size_t last = (bit + n - 1) / 8;
    uint64_t x = 0;
    for (size_t i = bit / 8; i <= last; i++)
        x = x << 8 | p[i];
    return x >> (8 * (last + 1) - bit - n) & (((uint64_t)1 << n) - 1);
}

/* A magic that begins at bit s of a byte has the next two bytes for itself. Bit s of
 * first[b] & second[c] says that b and c may be those of a block's magic, bit 8 + s that they
 * may be those of the end mark. */
void dpl__bz_finder_init(dpl__bz_finder *f)
{
    static const uint64_t magics[] = {DPL__BZ_BLOCK, DPL__BZ_END};
    memset(f, 0, sizeof *f);
    for (unsigned m = 0; m < 2; m++)
        for (unsigned s = 0; s < 8; s++) {
            f->first[magics[m] >> (32 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
            f->second[magics[m] >> (24 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
        }
}

bool dpl__bz_find(size_t *bit, const dpl__bz_finder *f, const uint8_t *p, size_t from,
                  size_t to)
{
    for (size_t i = from / 8; 8 * i < to; i++) {
        if (DPL_LIKELY(!(f->first[p[i + 1]] & f->second[p[i + 2]])))
            continue;
        for (size_t b = dpl__max(8 * i, from); b < dpl__min(8 * i + 8, to); b++) {
            uint64_t x = dpl__bz_bits(p, b, 48);
            if (x == DPL__BZ_BLOCK || x == DPL__BZ_END) {
                *bit = b;
                return true;
            }
        }
    }
    return false;
}
