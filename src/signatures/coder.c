/*
 * coder.c - the codes of one row at a time.
 *
 * As codes.c does with many. Margins are what the kernel of rp adds up before it takes the
 * signs: here in plain C, sixteen bits a sum and four sums a word.
 */
#include "signatures/coder.h"

#include "base/ctx.h"
#include "kernels/sign.h"
#include "vectors/vectors.h"

enum { ALIGN = 64, GROUP = 256 }; /* GROUP: terms whose sums fit into 16 bits */

dpl_status dpl__coder_init(dpl__coder *c, dpl_ctx *ctx, const dpl_hash *hash, dpl_error *err)
{
    *c = (dpl__coder){.ctx = ctx, .hash = hash};
    const dpl__hash_function *f = hash->function;
    size_t own = f->n_scratch ? f->n_scratch(hash) : 0;
    if (f->has_signature) {
        c->method = dpl__signature_method_of(f->signature);
        c->n_sign = f->n_sign(&hash->options);
        c->n_words = c->method->n_words(c->n_sign);
        own = DPL__SIGN_SCRATCH;
    }
    const size_t n_words = (c->n_words + DPL__SIGN_WORDS) * sizeof *c->words;
    c->n_memory = own + n_words + 2 * ALIGN;
    c->memory = dpl__alloc(ctx, c->n_memory);
    DPL_TRY(dpl__need(c->memory, err));
    c->own = c->memory + -(uintptr_t)c->memory % ALIGN;
    c->words = (uint64_t *)(void *)((char *)c->own + (own + ALIGN - 1) / ALIGN * ALIGN);
    return DPL_OK;
}

void dpl__coder_clear(dpl__coder *c)
{
    if (!c->ctx)
        return;
    dpl__free(c->ctx, c->weights, c->memory);
    *c = (dpl__coder){0};
}

uint64_t dpl__coder_mark(const dpl_hash *h, dpl_str term)
{
    return h->function->mark ? h->function->mark(h, term) : dpl__term_key(term);
}

dpl_status dpl__coder_codes(dpl__coder *c, uint64_t *codes, const dpl__hash_row *row,
                            dpl_error *err)
{
    const dpl__kernels *k = c->ctx->kernels;
    if (!c->method) {
        c->hash->function->codes(codes, c->hash, row, c->own);
        return DPL_OK;
    }
    if (row->n > c->n_weights) {
        const size_t n = row->n + row->n / 2;
        uint8_t *weights = dpl__resize(c->ctx, c->weights, n);
        DPL_TRY(dpl__need(weights, err));
        c->weights = weights;
        c->n_weights = n;
    }
    k->sign_weights(c->weights, row->weights, row->n);
    dpl__sign_row ready = {k, {row->marks, c->weights, row->n, c->own}};
    for (size_t word = 0; word < c->n_words; word += DPL__SIGN_WORDS)
        c->method->sign(c->words + word, &ready, c->n_sign, word,
                        dpl__sign_seed(c->hash->seed, c->method->info.method, word));
    c->hash->function->encode(codes, c->hash, c->words);
    return DPL_OK;
}

/* ---- margins ------------------------------------------------------------------------ */

/* Four bits as four numbers of 16 bits. */
static inline uint64_t spread(uint64_t b)
{
    return (b & 1) | (b & 2) << 15 | (b & 4) << 30 | (b & 8) << 45;
}

/* Adds weight times the entries of 64 hyperplanes, 0 to 3. */
static void add_entries(uint64_t sums[16], const dpl__sign_state *s, size_t word,
                        uint64_t weight)
{
    const uint64_t a = dpl__sign_word(s, 0, word), b = dpl__sign_word(s, 1, word),
                   c = dpl__sign_word(s, 2, word);
    const uint64_t one = a ^ b ^ c, two = (a & b) | (c & (a ^ b));
    for (unsigned i = 0; i < 16; i++)
        sums[i] += (spread(one >> 4 * i & 15) + 2 * spread(two >> 4 * i & 15)) * weight;
}

void dpl__coder_margins(dpl__coder *c, float *margins, const dpl__hash_row *row)
{
    const size_t n_bits = (size_t)c->hash->options.length * c->hash->options.codes;
    uint64_t total = 0;
    for (size_t i = 0; i < row->n; i++)
        total += c->weights[i];
    for (size_t word = 0; 64 * word < n_bits; word++) {
        const uint64_t seed = dpl__sign_seed(c->hash->seed, c->method->info.method, word);
        uint64_t all[64] = {0};
        for (size_t first = 0; first < row->n; first += GROUP) {
            uint64_t sums[16] = {0};
            for (size_t i = first; i < dpl__min(row->n, first + GROUP); i++) {
                const dpl__sign_state s = dpl__sign_state_of(row->marks[i], seed);
                add_entries(sums, &s, word % DPL__SIGN_WORDS, c->weights[i]);
            }
            for (unsigned i = 0; i < 64; i++)
                all[i] += sums[i / 4] >> 16 * (i % 4) & 0xFFFF;
        }
        for (unsigned i = 0; i < 64 && 64 * word + i < n_bits; i++)
            margins[64 * word + i] = (float)(2 * (double)all[i] - 3 * (double)total);
    }
}
