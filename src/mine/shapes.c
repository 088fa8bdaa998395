/*
 * shapes.c - counts of marks, lengths and repetitions; their correlation in pairs.
 *
 * Cost: a pass over the texts; a gain is a sum of DPL__SHAPES products.
 */
#include "mine/shapes.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "unicode/unicode.h"

#include <math.h>
#include <unicode/uchar.h>

enum {
    LETTERS,
    WORDS,
    TYPES,
    RARITY,
    SENTENCES,
    QUESTIONS,
    EXCLAMATIONS,
    COMMAS,
    COLONS,
    QUOTES,
    BRACKETS,
    DIGITS,
    DASHES,
    LINES
};

/* Which sign a mark counts for; -1: none. */
static int sign_of(uint32_t c)
{
    switch (c) {
    case '?':
    case 0x37E:
    case 0x61F:
    case 0x1367:
    case 0xFF1F: return QUESTIONS;
    case '!':
    case 0xFF01: return EXCLAMATIONS;
    case ',':
    case 0x60C:
    case 0x1363:
    case 0x3001:
    case 0xFF0C: return COMMAS;
    case ':':
    case ';':
    case 0x61B:
    case 0x1364:
    case 0x1365:
    case 0xFF1A:
    case 0xFF1B: return COLONS;
    case '"': return QUOTES;
    case '\n': return LINES;
    default: break;
    }
    if (c < 0x80)
        return c >= '0' && c <= '9' ? DIGITS : c == '(' || c == '[' ? BRACKETS : -1;
    switch (u_charType((UChar32)c)) {
    case U_INITIAL_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return c == 0x2019 ? -1 : QUOTES; /* an apostrophe */
    case U_START_PUNCTUATION: return c >= 0x300C && c <= 0x300F ? QUOTES : BRACKETS;
    case U_DASH_PUNCTUATION: return DASHES;
    case U_DECIMAL_DIGIT_NUMBER: return DIGITS;
    default: return -1;
    }
}

static void count_doc(float z[DPL__SHAPES], const dpl__comparable *p, int side, uint32_t doc)
{
    const dpl_collection *c = p->c[side];
    const dpl_str text = dpl_collection_doc(c, doc).text;
    const uint32_t *in_doc;
    size_t n_types, n_words;
    double n[DPL__SHAPES] = {0};
    const uint32_t *row = dpl_collection_row(c, doc, &in_doc, &n_types);
    (void)dpl_collection_tokens(c, doc, &n_words);
    for (size_t i = 0; i < text.n;) {
        uint32_t letter;
        i += dpl__utf8_decode((const uint8_t *)text.data + i, &letter);
        const int sign = sign_of(letter);
        n[LETTERS] += letter >= 'A' && (letter < 0x80 || u_isalpha((UChar32)letter));
        if (sign >= 0)
            n[sign]++;
    }
    n[WORDS] = (double)n_words;
    n[TYPES] = (double)n_types;
    n[SENTENCES] = (double)dpl_collection_n_sentences(c, doc);
    for (int k = 0; k < DPL__SHAPES; k++)
        z[k] = (float)dpl__log(n[k] + 1);
    double sum = 0, all = 0;
    for (size_t i = 0; i < n_types; i++) {
        sum +=
            in_doc[i] * dpl__log((p->n_docs[side] + 1.0) / dpl_collection_doc_count(c, row[i]));
        all += in_doc[i];
    }
    z[RARITY] = (float)(all > 0 ? sum / all : 0);
}

/* Sums do not depend on the order of documents. */
static double sum_of(const dpl__shapes *s, const uint8_t *skip, int side, int a, int b)
{
    int64_t sum = 0;
    for (uint32_t doc = 0; doc < s->n_docs[side]; doc++) {
        const float *z = s->z[side] + (size_t)doc * DPL__SHAPES;
        if (!skip[doc])
            sum += (int64_t)((double)z[a] * (b < 0 ? 1 : (double)z[b]) * 1048576);
    }
    return (double)sum / 1048576;
}

static void add_to(dpl__shapes *s, int side, int k, double times, int from, double plus)
{
    for (uint32_t doc = 0; doc < s->n_docs[side]; doc++) {
        float *z = s->z[side] + (size_t)doc * DPL__SHAPES;
        z[k] += (float)((from < 0 ? 0 : times * (double)z[from]) + plus);
    }
}

/* Each without what those before it explain; mean 0, variance 1. One that hardly varies is 0.
 */
static void standardise(dpl__shapes *s, const uint8_t *skip, int side, double n)
{
    for (int k = 0; k < DPL__SHAPES; k++) {
        add_to(s, side, k, 0, -1, -sum_of(s, skip, side, k, -1) / n);
        const double before = sum_of(s, skip, side, k, k) / n;
        for (int i = 0; i < k; i++)
            add_to(s, side, k, -sum_of(s, skip, side, k, i) / n, i, 0);
        const double variance = sum_of(s, skip, side, k, k) / n;
        const bool varies = variance > 1e-4 && variance > 1e-3 * before;
        const float by = varies ? (float)(1 / sqrt(variance)) : 0;
        for (uint32_t doc = 0; doc < s->n_docs[side]; doc++) {
            float *z = &s->z[side][(size_t)doc * DPL__SHAPES + (size_t)k];
            *z = skip[doc] ? 0 : *z * by;
            *z = *z > 3 ? 3 : *z < -3 ? -3 : *z;
        }
    }
}

dpl_status dpl__shapes_measure(dpl__shapes *out, const dpl__comparable *p, const int sides[2],
                               dpl_error *err)
{
    *out = (dpl__shapes){.ctx = p->ctx};
    for (int at = 0; at < 2; at++) {
        const int side = sides[at];
        const uint32_t n = out->n_docs[at] = dpl_collection_get_sizes(p->c[side])->n_docs;
        const size_t n_padded = (size_t)n + DPL__SHAPES_BLOCK;
        out->z[at] = dpl__calloc(p->ctx, n_padded * DPL__SHAPES, sizeof(float));
        out->base[at] = dpl__calloc(p->ctx, n_padded, sizeof(float));
        out->signs[at] = dpl__calloc(p->ctx, n_padded * DPL__SHAPES, sizeof(float));
        if (!out->z[at] || !out->base[at] || !out->signs[at]) {
            dpl__shapes_clear(out);
            return dpl__fail_nomem(err);
        }
        for (uint32_t doc = 0; doc < n; doc++)
            if (!p->skip[side][doc])
                count_doc(out->z[at] + (size_t)doc * DPL__SHAPES, p, side, doc);
        if (p->n_docs[side])
            standardise(out, p->skip[side], at, p->n_docs[side]);
    }
    dpl__shapes_learn(out, NULL, 0);
    return DPL_OK;
}

void dpl__shapes_clear(dpl__shapes *s)
{
    if (!s->ctx)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(s->ctx, s->z[side], s->base[side], s->signs[side]);
    *s = (dpl__shapes){0};
}

/* The first sign of a document. */
static float *place_of(const dpl__shapes *s, int side, uint32_t doc)
{
    const size_t block = doc / DPL__SHAPES_BLOCK * DPL__SHAPES_BLOCK;
    return s->signs[side] + block * DPL__SHAPES + doc % DPL__SHAPES_BLOCK;
}

/* Log-likelihood ratio of two normal variables with correlation rho against independent
 * ones. */
static void set_gain(dpl__shapes *s)
{
    double sum = 0;
    for (int k = 0; k < DPL__SHAPES; k++) {
        const double r = s->rho[k], rest = 1 - r * r;
        sum -= dpl__log(rest) / 2;
        s->square[k] = (float)(r * r / (2 * rest));
        s->product[k] = (float)(r / rest);
    }
    s->sum = (float)sum;
    for (int side = 0; side < 2; side++)
        for (uint32_t doc = 0; doc < s->n_docs[side]; doc++) {
            const float *z = s->z[side] + (size_t)doc * DPL__SHAPES;
            float base = 0;
            for (int k = 0; k < DPL__SHAPES; k++) {
                base -= s->square[k] * z[k] * z[k];
                place_of(s, side, doc)[k * DPL__SHAPES_BLOCK] =
                    side ? z[k] : s->product[k] * z[k];
            }
            s->base[side][doc] = base;
        }
}

void dpl__shapes_gains(float out[DPL__SHAPES_BLOCK], const dpl__shapes *s, int at, uint32_t doc,
                       uint32_t block)
{
    enum { N = DPL__SHAPES_BLOCK };
    float sums[4][N] = {{0}};
    const float *own = place_of(s, at, doc), *other = place_of(s, !at, block * N);
    for (int k = 0; k < DPL__SHAPES; k++)
        for (int i = 0; i < N; i++)
            sums[k % 4][i] += own[k * N] * other[k * N + i];
    const float *base = s->base[!at] + (size_t)block * N, own_base = s->base[at][doc];
    for (int i = 0; i < N; i++)
        out[i] = s->sum + (at ? base[i] : own_base) + (at ? own_base : base[i]) +
                 (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]);
}

void dpl__shapes_learn(dpl__shapes *s, const dpl_doc_pair *pairs, size_t n)
{
    const double prior = DPL__P(mine, shape_pairs);
    for (int k = 0; k < DPL__SHAPES; k++) {
        const double usual = k > LINES      ? 0
                             : k == LETTERS ? DPL__P(mine, shape_length)
                                            : DPL__P(mine, shape_usual);
        double both = prior * usual, square[2] = {prior, prior};
        for (size_t i = 0; i < n; i++) {
            const double a = (double)s->z[0][(size_t)pairs[i].left * DPL__SHAPES + (size_t)k],
                         b = (double)s->z[1][(size_t)pairs[i].right * DPL__SHAPES + (size_t)k];
            both += a * b;
            square[0] += a * a;
            square[1] += b * b;
        }
        const double rho = both / sqrt(square[0] * square[1]);
        s->rho[k] = rho < 0 ? 0 : rho > 0.995 ? 0.995 : rho;
    }
    set_gain(s);
}
