/*
 * windows.c - text to windows to weights.
 */
#include "windows.h"

#include "doppel/tokens.h"

#include "base/hash.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 170, REPLACED = 30, DROPPED = 10, SYNTHETIC = 5000000, PATH_MOST = 4096 };

/* ---- the stream of tokens ----------------------------------------------------------- */

typedef struct stream {
    dpl_ctx *ctx;
    dpl__arena *arena;
    DPL_VEC(uint32_t) tokens; /* word numbers */
    DPL_VEC(dpl_str) words;
    DPL_VEC(uint32_t) table; /* word number + 1 by hash */
} stream;

static bool grow_table(stream *s)
{
    size_t n = s->table.n ? 2 * s->table.n : 1 << 16;
    dpl__vec_clear(s->ctx, &s->table);
    if (!dpl__vec_reserve(s->ctx, &s->table, n))
        return false;
    s->table.n = n;
    memset(s->table.data, 0, n * sizeof *s->table.data);
    for (uint32_t i = 0; i < s->words.n; i++) {
        size_t at = dpl__hash(s->words.data[i].data, s->words.data[i].n, 0) & (n - 1);
        while (s->table.data[at])
            at = (at + 1) & (n - 1);
        s->table.data[at] = i + 1;
    }
    return true;
}

static bool add_token(stream *s, dpl_str term)
{
    if (2 * s->words.n >= s->table.n && !grow_table(s))
        return false;
    size_t mask = s->table.n - 1, at = dpl__hash(term.data, term.n, 0) & mask;
    while (s->table.data[at] && !dpl__str_eq(s->words.data[s->table.data[at] - 1], term))
        at = (at + 1) & mask;
    if (!s->table.data[at]) {
        dpl_str copy = dpl__arena_copy(s->arena, term);
        if (!copy.data || !dpl__vec_push(s->ctx, &s->words, copy))
            return false;
        s->table.data[at] = (uint32_t)s->words.n;
    }
    return dpl__vec_push(s->ctx, &s->tokens, s->table.data[at] - 1);
}

static dpl_status read_file(stream *s, const char *path, dpl_error *err)
{
    dpl_reader *reader = NULL;
    dpl_tokens *tokens = NULL;
    DPL_TRY(dpl_reader_open(&reader, s->ctx, path, NULL, err));
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options);
    dpl_status status = dpl_tokens_new(&tokens, s->ctx, &o, err);
    dpl_doc doc;
    while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, err)) == DPL_OK) {
        status = dpl_tokens_start(tokens, doc.text, "en", err);
        dpl_token token;
        while (status == DPL_OK && (status = dpl_tokens_next(tokens, &token, err)) == DPL_OK)
            if (token.term.n >= 4 && !add_token(s, token.term))
                status = dpl__fail_nomem(err);
        status = status == DPL_END ? DPL_OK : status;
    }
    dpl_tokens_free(tokens);
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

/* Zipf-Mandelbrot over 100,000 words: about as frequent as English ones. */
static dpl_status synthesize(stream *s, dpl_error *err)
{
    dpl__rng rng = {1};
    for (size_t i = 0; i < SYNTHETIC; i++) {
        double u = (double)(dpl__rng_next(&rng) >> 11) * 0x1p-53;
        char word[16];
        int n = snprintf(word, sizeof word, "w%06.0f", 3 * pow(100000.0 / 3, u) - 3);
        if (!add_token(s, (dpl_str){word, (size_t)n}))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Tokens of a window, changed for the right side, sorted. */
static size_t take_window(uint32_t *out, const stream *s, size_t at, int side, dpl__rng *rng)
{
    size_t n = 0;
    for (size_t i = at; i < at + LENGTH; i++) {
        uint64_t chance = side ? dpl__rng_below(rng, 100) : 100;
        if (chance >= REPLACED + DROPPED)
            out[n++] = s->tokens.data[i];
        else if (chance < REPLACED)
            out[n++] = s->tokens.data[dpl__rng_below(rng, s->tokens.n)];
    }
    qsort(out, n, sizeof *out, compare_numbers);
    return n;
}

static void weigh(float *weights, const uint32_t *terms, size_t n, size_t length,
                  double mean_length, const uint32_t *df, uint32_t n_rows)
{
    const double k1 = 1.2, b = 0.75;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double tf = (double)weights[i];
        double idf = log(1 + (n_rows - df[terms[i]] + 0.5) / (df[terms[i]] + 0.5));
        tf = tf * (k1 + 1) / (tf + k1 * (1 - b + b * (double)length / mean_length));
        weights[i] = (float)(tf * idf);
        sum += (double)weights[i] * (double)weights[i];
    }
    for (size_t i = 0; i < n; i++)
        weights[i] = (float)((double)weights[i] / sqrt(sum));
}

/* Numbers of the terms that occur, packed; names of them. */
static dpl_status make_terms(windows *w, int side, const stream *s, const uint32_t *df,
                             uint32_t *terms, uint64_t n_entries, dpl_error *err)
{
    uint32_t n_words = (uint32_t)s->words.n, n = 0;
    uint32_t *numbers = dpl__arena_alloc(&w->arena, n_words * sizeof *numbers);
    uint32_t *packed = dpl__arena_alloc(&w->arena, n_words * sizeof *packed);
    uint64_t *offsets = dpl__arena_alloc(&w->arena, (n_words + 1) * sizeof *offsets);
    dpl__bytes bytes = {0};
    bool is_ok = numbers && packed && offsets;
    for (uint32_t t = 0; is_ok && t < n_words; t++)
        if (df[t]) {
            packed[t] = n;
            numbers[n] = t;
            offsets[n++] = bytes.n;
            is_ok = dpl__vec_append(s->ctx, &bytes, s->words.data[t].data, s->words.data[t].n);
        }
    char *names = is_ok ? dpl__arena_alloc(&w->arena, bytes.n) : NULL;
    if (names) {
        memcpy(names, bytes.data, bytes.n);
        offsets[n] = bytes.n;
        for (uint64_t i = 0; i < n_entries; i++)
            terms[i] = packed[terms[i]];
        dpl_vectors *v = side ? &w->right : &w->left;
        v->terms = (dpl__strings){offsets, names, n};
        v->rows.n_terms = v->sizes.n_terms = n;
        w->numbers[side] = numbers;
    }
    dpl__vec_clear(s->ctx, &bytes);
    return names ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status make_side(windows *w, int side, const stream *s, uint32_t n_rows,
                            dpl_error *err)
{
    uint64_t *offsets = dpl__arena_alloc(&w->arena, (n_rows + 1) * sizeof *offsets);
    uint32_t *terms = dpl__arena_alloc(&w->arena, (size_t)n_rows * LENGTH * sizeof *terms);
    float *weights = dpl__arena_alloc(&w->arena, (size_t)n_rows * LENGTH * sizeof *weights);
    uint32_t *lengths = dpl__arena_alloc(&w->arena, n_rows * sizeof *lengths);
    uint32_t *df = dpl__arena_alloc(&w->arena, s->words.n * sizeof *df);
    if (!offsets || !terms || !weights || !lengths || !df)
        return dpl__fail_nomem(err);
    memset(df, 0, s->words.n * sizeof *df);
    dpl__rng rng = {(uint64_t)side << 32};
    uint64_t n_entries = 0, n_tokens = 0;
    offsets[0] = 0;
    for (uint32_t r = 0; r < n_rows; r++) {
        uint32_t window[LENGTH];
        size_t at = (size_t)((double)r / n_rows * (double)(s->tokens.n - LENGTH));
        size_t n = take_window(window, s, at, side, &rng);
        for (size_t i = 0; i < n; i++) {
            if (i == 0 || window[i] != window[i - 1]) {
                terms[n_entries] = window[i];
                weights[n_entries++] = 0;
                df[window[i]]++;
            }
            weights[n_entries - 1]++;
        }
        offsets[r + 1] = n_entries;
        lengths[r] = (uint32_t)n;
        n_tokens += n;
    }
    for (uint32_t r = 0; r < n_rows; r++)
        weigh(weights + offsets[r], terms + offsets[r], offsets[r + 1] - offsets[r], lengths[r],
              (double)n_tokens / n_rows, df, n_rows);
    DPL_TRY(make_terms(w, side, s, df, terms, n_entries, err));
    dpl_vectors *v = side ? &w->right : &w->left;
    v->sizes.n_rows = n_rows;
    v->sizes.n_entries = n_entries;
    v->rows = (dpl__rows){n_rows, v->rows.n_terms, offsets, terms, weights};
    return DPL_OK;
}

/* ---- both --------------------------------------------------------------------------- */

typedef struct named {
    dpl_str word;
    uint32_t number;
} named;

static int compare_words(const void *a, const void *b)
{
    return dpl__str_cmp(((const named *)a)->word, ((const named *)b)->word);
}

/* Word numbers in byte order. */
static dpl_status sort_words(stream *s, dpl_error *err)
{
    named *order = dpl__arena_alloc(s->arena, s->words.n * sizeof *order);
    uint32_t *rank = dpl__arena_alloc(s->arena, s->words.n * sizeof *rank);
    if (!order || !rank)
        return dpl__fail_nomem(err);
    for (uint32_t i = 0; i < s->words.n; i++)
        order[i] = (named){s->words.data[i], i};
    qsort(order, s->words.n, sizeof *order, compare_words);
    for (uint32_t i = 0; i < s->words.n; i++) {
        rank[order[i].number] = i;
        s->words.data[i] = order[i].word;
    }
    for (size_t i = 0; i < s->tokens.n; i++)
        s->tokens.data[i] = rank[s->tokens.data[i]];
    return DPL_OK;
}

dpl_status windows_make(windows *w, dpl_ctx *ctx, const char *data, uint32_t n_rows,
                        dpl_error *err)
{
    static const char *const files[] = {"mono/brown.jsonl.zst", "lohelp/docs.en.jsonl.zst",
                                        "mono/speeches.jsonl.zst",
                                        "mono/reuters21578.jsonl.zst"};
    *w = (windows){0};
    dpl__arena_init(&w->arena, ctx);
    stream s = {.ctx = ctx, .arena = &w->arena};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < DPL_LEN(files) && status == DPL_OK && data; i++) {
        char path[PATH_MOST];
        snprintf(path, sizeof path, "%s/%s", data, files[i]);
        status = read_file(&s, path, err);
    }
    if (!data || status == DPL_E_IO) {
        w->is_synthetic = true;
        s.tokens.n = 0;
        status = synthesize(&s, err);
    }
    if (status == DPL_OK)
        status = sort_words(&s, err);
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = make_side(w, side, &s, n_rows, err);
    w->n_numbers = (uint32_t)s.words.n;
    dpl__vec_clear(ctx, &s.tokens, &s.words, &s.table);
    return status;
}

void windows_clear(windows *w)
{
    if (w->arena.ctx)
        dpl__arena_clear(&w->arena);
}

dpl_status windows_write(const windows *w, int side, const char *path, dpl_error *err)
{
    const dpl__rows *rows = side ? &w->right.rows : &w->left.rows;
    uint64_t n = rows->offsets[rows->n_rows];
    uint64_t head[3] = {rows->n_rows, w->n_numbers, n};
    FILE *f = fopen(path, "wb");
    if (!f)
        return dpl__fail_errno(err, errno, "cannot write '%s'", path);
    fwrite(head, sizeof head, 1, f);
    fwrite(rows->offsets, sizeof *rows->offsets, rows->n_rows + (size_t)1, f);
    for (uint64_t i = 0; i < n; i++)
        fwrite(&w->numbers[side][rows->terms[i]], sizeof *rows->terms, 1, f);
    fwrite(rows->weights, sizeof *rows->weights, n, f);
    if (ferror(f) | fclose(f))
        return dpl__fail_errno(err, errno, "cannot write '%s'", path);
    return DPL_OK;
}
