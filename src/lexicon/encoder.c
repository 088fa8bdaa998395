/*
 * encoder.c - rows of text become rows of numbers.
 *
 * Rows are divided into chunks, each of one side. Each worker encodes chunks with numbers of
 * its own: it has a table from surface forms to terms, so that each form is folded once. Then,
 * chunk by chunk in the order of rows, both sides in parallel, these are mapped to the numbers
 * of the corpus by one look-up in an array a token. Cost: about 30 nanoseconds of processor
 * time a token, nearly all of it on all threads.
 */
#include "lexicon/encoder.h"

#include "base/ctx.h"
#include "lexicon/prefix_classes.h"
#include "lexicon/punctuation.h"
#include "par/pool.h"
#include "tokens/fold.h"
#include "tokens/surfaces.h"
#include "unicode/unicode.h"

enum {
    CHUNK_BYTES = 1 << 16,
    PAD = 64,              /* readable bytes behind a text */
    MOST_CACHE = 16 << 20, /* of a worker and side: beyond it the tables are emptied */
    LEAST_CACHE = 1 << 16
};

/* A worker's number that has none in the corpus yet. */
#define NONE UINT32_MAX

/* The vocabulary of a worker on a side. */
typedef struct words {
    dpl__surfaces surfaces; /* to numbers of terms */
    dpl__terms terms;
    DPL_VEC(uint32_t) numbers; /* of each term: its number in the corpus, or NONE */
} words;

typedef struct worker {
    dpl__folder *folder;
    dpl__segmenter *segmenter;
    dpl__spans spans, marked;
    words words[2];
} worker;

/* Some rows of one side. */
typedef struct chunk {
    int side;
    size_t first, end; /* rows among those added */
    unsigned worker;   /* whose numbers tokens are */
    dpl__bytes text;   /* row by row, '\n' behind each */
    DPL_VEC(uint32_t) tokens;
    DPL_VEC(uint32_t) n_tokens; /* of each row */
    dpl__spans places;          /* in the row's text */
    dpl__spans words;           /* in the text of the chunk; has_forms */
} chunk;

/* A word as the text writes it. */
typedef struct form {
    dpl_str text;
    bool is_inside; /* not the first of a row, which may be written large for that */
} form;

typedef struct side {
    char lang[12];
    DPL_VEC(uint64_t) begin;
    DPL_VEC(uint32_t) tokens;
    dpl__spans places;
    dpl__strings known;
    dpl__terms new_words; /* not among the known ones, numbered behind them */
    DPL_VEC(uint32_t) classes;
    DPL_VEC(form) forms; /* of new words; has_forms */
    dpl__arena arena;    /* of their texts */
} side;

struct dpl__encoder {
    dpl_ctx *ctx;
    bool is_pretokenized, has_spans, has_forms;
    size_t cache; /* bytes for the vocabulary of a worker on a side */
    dpl_tokens_options tokens;
    side sides[2];
    dpl__prefixes prefixes;
    worker *workers; /* one for each thread */
    DPL_VEC(chunk) chunks;
    size_t n_chunks; /* in use */
    const dpl_bitext_row *rows;
};

/* ---- made, freed -------------------------------------------------------------------- */

static dpl_status init_worker(dpl__encoder *c, worker *w, dpl_error *err)
{
    for (int s = 0; s < 2; s++) {
        dpl__surfaces_init(&w->words[s].surfaces, c->ctx, true);
        dpl__terms_init(&w->words[s].terms, c->ctx);
    }
    DPL_TRY(dpl__folder_new(&w->folder, c->ctx, &c->tokens, err));
    DPL_TRY(dpl__segmenter_new(&w->segmenter, c->ctx, err));
    for (int s = 0; s < 2; s++)
        DPL_TRY(dpl__surfaces_reserve(&w->words[s].surfaces, 1, c->cache, err));
    return DPL_OK;
}

static void clear_worker(dpl__encoder *c, worker *w)
{
    for (int s = 0; s < 2; s++) {
        dpl__surfaces_clear(&w->words[s].surfaces);
        dpl__terms_clear(&w->words[s].terms);
        dpl__vec_clear(c->ctx, &w->words[s].numbers);
    }
    dpl__vec_clear(c->ctx, &w->spans, &w->marked);
    dpl__segmenter_free(w->segmenter);
    dpl__folder_free(w->folder);
}

static dpl_status begin_corpus(dpl__encoder *c, const dpl__encoder_options *o, dpl_error *err)
{
    unsigned n_threads = dpl_ctx_threads(c->ctx);
    c->is_pretokenized = o->is_pretokenized;
    c->has_spans = o->has_spans;
    c->has_forms = o->has_forms;
    c->tokens.stem = o->stem;
    uint64_t share = dpl_ctx_memory(c->ctx) / 64 / n_threads;
    c->cache = share < LEAST_CACHE  ? LEAST_CACHE
               : share > MOST_CACHE ? MOST_CACHE
                                    : (size_t)share;
    c->prefixes.ctx = c->ctx;
    for (int s = 0; s < 2; s++) {
        side *x = &c->sides[s];
        memcpy(x->lang, o->lang[s], dpl__min(strlen(o->lang[s]), sizeof x->lang - 1));
        dpl__terms_init(&x->new_words, c->ctx);
        dpl__arena_init(&x->arena, c->ctx);
        if (o->known[s])
            x->known = *o->known[s];
        /* Arrays that are never missing: there is something to point to. */
        DPL_TRY(dpl__need(dpl__vec_push(c->ctx, &x->begin, 0) &&
                              dpl__vec_reserve(c->ctx, &x->tokens, 1) &&
                              dpl__vec_reserve(c->ctx, &x->places, 1),
                          err));
    }
    c->workers = dpl__calloc(c->ctx, n_threads, sizeof *c->workers);
    DPL_TRY(dpl__need(c->workers, err));
    for (unsigned i = 0; i < n_threads; i++)
        DPL_TRY(init_worker(c, &c->workers[i], err));
    return DPL_OK;
}

dpl_status dpl__encoder_new(dpl__encoder **out, dpl_ctx *ctx,
                            const dpl__encoder_options *options, dpl_error *err)
{
    *out = NULL;
    dpl__encoder *c = dpl__calloc(ctx, 1, sizeof *c);
    DPL_TRY(dpl__need(c, err));
    c->ctx = ctx;
    dpl_status status = begin_corpus(c, options, err);
    if (status != DPL_OK) {
        dpl__encoder_free(c);
        return status;
    }
    *out = c;
    return DPL_OK;
}

static void drop_chunks(dpl__encoder *c)
{
    for (size_t i = 0; i < c->chunks.n; i++) {
        chunk *k = &c->chunks.data[i];
        dpl__vec_clear(c->ctx, &k->text, &k->tokens, &k->n_tokens, &k->places, &k->words);
    }
    dpl__vec_clear(c->ctx, &c->chunks);
}

static void drop_workers(dpl__encoder *c)
{
    unsigned n_threads = dpl_ctx_threads(c->ctx);
    for (unsigned i = 0; c->workers && i < n_threads; i++)
        clear_worker(c, &c->workers[i]);
    dpl__free(c->ctx, c->workers);
    c->workers = NULL;
}

void dpl__encoder_free(dpl__encoder *c)
{
    if (!c)
        return;
    drop_chunks(c);
    drop_workers(c);
    for (int s = 0; s < 2; s++) {
        side *x = &c->sides[s];
        dpl__vec_clear(c->ctx, &x->begin, &x->tokens, &x->places, &x->classes, &x->forms);
        dpl__arena_clear(&x->arena);
        dpl__terms_clear(&x->new_words);
    }
    dpl__prefixes_clear(&c->prefixes);
    dpl__free(c->ctx, c);
}

/* ---- text to a worker's numbers ----------------------------------------------------- */

/* A surface form that is not in the table, or not any more. */
static dpl_status number_new(worker *w, words *in, dpl_str word, uint32_t *number,
                             dpl_error *err)
{
    dpl_str term;
    DPL_TRY(dpl__fold(w->folder, word, &term, err));
    return dpl__terms_number(&in->terms, term.n ? term : word, number, err);
}

static dpl_status number_word(const dpl__encoder *c, worker *w, words *in, dpl_str word,
                              uint32_t *number, dpl_error *err)
{
    dpl__surface key = dpl__surface_key(&in->surfaces, word.data, word.n);
    dpl__surface *slot = dpl__surfaces_find(&in->surfaces, &key);
    if (DPL_LIKELY(slot->check)) {
        *number = slot->term;
        return DPL_OK;
    }
    DPL_TRY(number_new(w, in, word, number, err));
    key.term = *number;
    *slot = key;
    in->surfaces.map.n_used++;
    return dpl__surfaces_reserve(&in->surfaces, 1, c->cache, err);
}

/* Splits text at blanks. */
static dpl_status find_pieces(dpl_ctx *ctx, dpl__spans *out, dpl_str text, dpl_error *err)
{
    assert(text.n < UINT32_MAX);
    out->n = 0;
    for (size_t i = 0, begin = 0; i <= text.n; i++) {
        if (i < text.n && text.data[i] != ' ' && text.data[i] != '\n')
            continue;
        dpl__span span = {(uint32_t)begin, (uint32_t)i};
        if (i > begin && !dpl__vec_push(ctx, out, span))
            return dpl__fail_nomem(err);
        begin = i + 1;
    }
    return DPL_OK;
}

static dpl_status find_words(const dpl__encoder *c, worker *w, const char *lang, dpl_str text,
                             dpl_error *err)
{
    if (c->is_pretokenized)
        return find_pieces(c->ctx, &w->marked, text, err);
    DPL_TRY(dpl__segment(w->segmenter, text, lang, &w->spans, err));
    return dpl__add_punctuation(&w->marked, c->ctx, text, &w->spans, err);
}

static dpl_str text_of(const dpl__encoder *c, int s, size_t row)
{
    assert(s == DPL__LEFT || s == DPL__RIGHT);
    return s == DPL__LEFT ? c->rows[row].left : c->rows[row].right;
}

/* The text of the chunk. Keys of surface forms end at a zero byte, so there is none. */
static dpl_status copy_text(const dpl__encoder *c, chunk *k, dpl_error *err)
{
    size_t n = PAD;
    for (size_t row = k->first; row < k->end; row++)
        n += text_of(c, k->side, row).n + 1;
    k->text.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(c->ctx, &k->text, n), err));
    char *to = k->text.data;
    for (size_t row = k->first; row < k->end; row++) {
        dpl_str text = text_of(c, k->side, row);
        if (text.n)
            memcpy(to, text.data, text.n);
        to[text.n] = '\n';
        to += text.n + 1;
    }
    assert((size_t)(to - k->text.data) == n - PAD);
    k->text.n = n - PAD;
    for (char *zero = k->text.data; (zero = memchr(zero, 0, (size_t)(to - zero)));)
        *zero = 1;
    memset(to, 0, PAD);
    return DPL_OK;
}

static dpl_status number_row(const dpl__encoder *c, worker *w, chunk *k, dpl__span row,
                             size_t *at, dpl_error *err)
{
    size_t first = k->tokens.n;
    for (; *at < w->marked.n && w->marked.data[*at].begin < row.end; ++*at) {
        assert(w->marked.data[*at].begin >= row.begin); /* spans are in order */
        dpl__span span = w->marked.data[*at];
        dpl_str word = {k->text.data + span.begin, span.end - span.begin};
        uint32_t number;
        DPL_TRY(number_word(c, w, &w->words[k->side], word, &number, err));
        assert(k->tokens.n < k->tokens.cap);
        k->tokens.data[k->tokens.n++] = number;
        if (c->has_forms)
            k->words.data[k->words.n++] = span;
        if (c->has_spans)
            k->places.data[k->places.n++] =
                (dpl__span){span.begin - row.begin, span.end - row.begin};
    }
    k->n_tokens.data[k->n_tokens.n++] = (uint32_t)(k->tokens.n - first);
    return DPL_OK;
}

static dpl_status read_chunk(void *user, size_t number, unsigned worker_number, dpl_error *err)
{
    const dpl__encoder *c = user;
    chunk *k = &c->chunks.data[number];
    worker *w = &c->workers[worker_number];
    const char *lang = c->sides[k->side].lang;
    k->worker = worker_number;
    k->tokens.n = k->n_tokens.n = k->places.n = k->words.n = 0;
    DPL_TRY(copy_text(c, k, err));
    DPL_TRY(dpl__folder_language(w->folder, lang, err));
    DPL_TRY(find_words(c, w, lang, (dpl_str){k->text.data, k->text.n}, err));
    if (!dpl__vec_reserve(c->ctx, &k->tokens, w->marked.n) ||
        !dpl__vec_reserve(c->ctx, &k->n_tokens, k->end - k->first) ||
        (c->has_forms && !dpl__vec_reserve(c->ctx, &k->words, w->marked.n)) ||
        (c->has_spans && !dpl__vec_reserve(c->ctx, &k->places, w->marked.n)))
        return dpl__fail_nomem(err);
    size_t begin = 0, at = 0;
    for (size_t row = k->first; row < k->end; row++) {
        size_t n = text_of(c, k->side, row).n;
        dpl__span span = {(uint32_t)begin, (uint32_t)(begin + n)};
        DPL_TRY(number_row(c, w, k, span, &at, err));
        begin += n + 1;
    }
    return DPL_OK;
}

/* ---- to the corpus's numbers -------------------------------------------------------- */

static dpl_status number_term(side *x, dpl_str term, uint32_t *number, dpl_error *err)
{
    if (x->known.n && dpl__find_string(&x->known, NULL, term, number))
        return DPL_OK;
    DPL_TRY(dpl__terms_number(&x->new_words, term, number, err));
    *number += (uint32_t)x->known.n;
    return DPL_OK;
}

/* The text becomes the form of a word that has none yet, or only one from the begin of a row.
 */
static dpl_status keep_form(dpl__encoder *c, side *x, uint32_t word, const form *f,
                            dpl_error *err)
{
    if (word < x->known.n)
        return DPL_OK;
    const size_t at = word - x->known.n;
    assert(at <= x->forms.n); /* words are numbered in the order of the text */
    if (at < x->forms.n && (x->forms.data[at].is_inside || !f->is_inside))
        return DPL_OK;
    const form copy = {dpl__arena_copy(&x->arena, f->text), f->is_inside};
    if (!copy.text.data || (at == x->forms.n && !dpl__vec_push(c->ctx, &x->forms, copy)))
        return dpl__fail_nomem(err);
    x->forms.data[at] = copy;
    return DPL_OK;
}

/* Stores the surface forms of a chunk's tokens, which are the last ones of the side. */
static dpl_status keep_forms(dpl__encoder *c, side *x, const chunk *k, dpl_error *err)
{
    const uint32_t *tokens = x->tokens.data + x->tokens.n - k->tokens.n;
    size_t i = 0;
    for (size_t row = 0; row < k->n_tokens.n; row++)
        for (uint32_t at = 0; at < k->n_tokens.data[row]; at++, i++) {
            const dpl__span span = k->words.data[i];
            const form f = {{k->text.data + span.begin, span.end - span.begin}, at > 0};
            DPL_TRY(keep_form(c, x, tokens[i], &f, err));
        }
    return DPL_OK;
}

static dpl_status take_chunk(dpl__encoder *c, side *x, const chunk *k, dpl_error *err)
{
    words *w = &c->workers[k->worker].words[k->side];
    size_t n = k->tokens.n, n_rows = k->n_tokens.n, n_terms = w->terms.all.n;
    if (!dpl__vec_reserve(c->ctx, &x->tokens, n) ||
        !dpl__vec_reserve(c->ctx, &x->begin, n_rows) ||
        !dpl__vec_reserve(c->ctx, &w->numbers, n_terms - w->numbers.n) ||
        (c->has_spans && !dpl__vec_append(c->ctx, &x->places, k->places.data, n)))
        return dpl__fail_nomem(err);
    while (w->numbers.n < n_terms)
        w->numbers.data[w->numbers.n++] = NONE;
    for (size_t i = 0; i < n; i++) {
        uint32_t *number = &w->numbers.data[k->tokens.data[i]];
        if (DPL_UNLIKELY(*number == NONE))
            DPL_TRY(number_term(x, dpl__term_text(&w->terms.all.data[k->tokens.data[i]]),
                                number, err));
        x->tokens.data[x->tokens.n++] = *number;
    }
    uint64_t begin = x->begin.data[x->begin.n - 1];
    for (size_t i = 0; i < n_rows; i++)
        x->begin.data[x->begin.n++] = begin += k->n_tokens.data[i];
    return c->has_forms ? keep_forms(c, x, k, err) : DPL_OK;
}

static dpl_status take_side(void *user, size_t s, unsigned worker_number, dpl_error *err)
{
    (void)worker_number;
    dpl__encoder *c = user;
    for (size_t i = 0; i < c->n_chunks; i++)
        if (c->chunks.data[i].side == (int)s)
            DPL_TRY(take_chunk(c, &c->sides[s], &c->chunks.data[i], err));
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static dpl_status add_chunk(dpl__encoder *c, int s, size_t first, size_t end, dpl_error *err)
{
    if (c->n_chunks == c->chunks.n && !dpl__vec_push(c->ctx, &c->chunks, (chunk){0}))
        return dpl__fail_nomem(err);
    chunk *k = &c->chunks.data[c->n_chunks++];
    k->side = s;
    k->first = first;
    k->end = end;
    return DPL_OK;
}

static dpl_status cut_rows(dpl__encoder *c, int s, size_t n, dpl_error *err)
{
    size_t n_bytes = 0;
    for (size_t row = 0, first = 0; row < n; row++) {
        size_t in_row = text_of(c, s, row).n;
        if (in_row > INT32_MAX - PAD)
            return dpl__fail(err, DPL_E_UNSUPPORTED, "a row of %zu bytes is over 2 GiB",
                             in_row);
        if (n_bytes + in_row > CHUNK_BYTES && row > first) {
            DPL_TRY(add_chunk(c, s, first, row, err));
            first = row;
            n_bytes = 0;
        }
        n_bytes += in_row + 1;
        if (row + 1 == n)
            DPL_TRY(add_chunk(c, s, first, n, err));
    }
    return DPL_OK;
}

/* Empties the vocabularies of workers that have outgrown their caches. */
static void trim_caches(dpl__encoder *c)
{
    for (unsigned i = 0; i < dpl_ctx_threads(c->ctx); i++)
        for (int s = 0; s < 2; s++) {
            words *w = &c->workers[i].words[s];
            if (dpl__terms_bytes(&w->terms) <= c->cache)
                continue;
            dpl__surfaces_forget(&w->surfaces);
            dpl__terms_clear(&w->terms);
            dpl__terms_init(&w->terms, c->ctx);
            w->numbers.n = 0;
        }
}

dpl_status dpl__encoder_add(dpl__encoder *c, const dpl_bitext_row *rows, size_t n,
                            dpl_error *err)
{
    assert(c->workers);
    c->rows = rows;
    c->n_chunks = 0;
    trim_caches(c);
    for (int s = 0; s < 2; s++)
        DPL_TRY(cut_rows(c, s, n, err));
    DPL_TRY(dpl__parallel_for(c->ctx, c->n_chunks, c, read_chunk, err));
    return dpl__parallel_for(c->ctx, 2, c, take_side, err);
}

void dpl__encoder_reset(dpl__encoder *c)
{
    for (int s = 0; s < 2; s++) {
        c->sides[s].begin.n = 1;
        c->sides[s].tokens.n = c->sides[s].places.n = 0;
    }
}

void dpl__encoder_end_reading(dpl__encoder *c)
{
    drop_chunks(c);
    drop_workers(c);
}

/* ---- the corpus --------------------------------------------------------------------- */

uint64_t dpl__encoder_bytes(const dpl__encoder *c)
{
    uint64_t n = 0;
    for (int s = 0; s < 2; s++) {
        const side *x = &c->sides[s];
        n += x->begin.n * sizeof *x->begin.data + x->tokens.n * sizeof *x->tokens.data +
             x->places.n * sizeof *x->places.data + dpl__terms_bytes(&x->new_words);
    }
    return n;
}

static size_t n_words(const side *x)
{
    return x->known.n + x->new_words.all.n;
}

dpl_str dpl__encoder_word(const dpl__encoder *c, int s, uint32_t word)
{
    const side *x = &c->sides[s];
    assert(word < x->known.n + x->new_words.all.n);
    return word < x->known.n ? dpl__string(&x->known, word)
                             : dpl__term_text(&x->new_words.all.data[word - x->known.n]);
}

dpl_status dpl__encoder_rows(dpl__encoded *out, dpl__encoder *c, dpl_error *err)
{
    *out = (dpl__encoded){.n_rows = c->sides[DPL__LEFT].begin.n - 1};
    for (int s = 0; s < 2; s++) {
        side *x = &c->sides[s];
        size_t n = n_words(x);
        DPL_TRY(dpl__need(dpl__vec_reserve(c->ctx, &x->classes, n - x->classes.n), err));
        for (; x->classes.n < n; x->classes.n++)
            DPL_TRY(dpl__prefix_class(&x->classes.data[x->classes.n], &c->prefixes,
                                      dpl__encoder_word(c, s, (uint32_t)x->classes.n),
                                      DPL__CLASS_LETTERS, err));
        out->side[s] =
            (dpl__encoded_side){x->begin.data, x->tokens.data, (uint32_t)n, x->classes.data};
    }
    out->n_classes = (uint32_t)c->prefixes.map.n_used;
    return DPL_OK;
}

/* Into one set of terms, as dpl__words_sort wants them. */
static dpl_status sort_all(dpl__strings *out, uint32_t *rank, dpl__terms *terms,
                           const dpl__encoder *c, int s, dpl_error *err)
{
    for (uint32_t w = 0; w < n_words(&c->sides[s]); w++) {
        uint32_t number;
        DPL_TRY(dpl__terms_number(terms, dpl__encoder_word(c, s, w), &number, err));
        assert(number == w);
    }
    return dpl__words_sort(out, rank, terms, err);
}

dpl_status dpl__encoder_words(dpl__strings *out, uint32_t *rank, const dpl__encoder *c, int s,
                              dpl_error *err)
{
    const side *x = &c->sides[s];
    if (!x->known.n)
        return dpl__words_sort(out, rank, &x->new_words, err);
    dpl__terms terms;
    dpl__terms_init(&terms, c->ctx);
    dpl_status status = sort_all(out, rank, &terms, c, s, err);
    dpl__terms_clear(&terms);
    return status;
}

dpl_status dpl__encoder_written(dpl__strings *out, const dpl__encoder *c, int s,
                                const uint32_t *rank, const dpl__strings *known, dpl_error *err)
{
    const side *x = &c->sides[s];
    const size_t n = n_words(x);
    assert(c->has_forms && x->forms.n == x->new_words.all.n);
    dpl_str *texts = dpl__alloc(c->ctx, (n + 1) * sizeof *texts);
    DPL_TRY(dpl__need(texts, err));
    for (uint32_t w = 0; w < n; w++) {
        dpl_str *text = &texts[rank[w]];
        *text = dpl__encoder_word(c, s, w);
        if (w >= x->known.n && !dpl__has_control(x->forms.data[w - x->known.n].text))
            *text = x->forms.data[w - x->known.n].text;
        else if (w < known->n)
            *text = dpl__string(known, w);
    }
    dpl_status status = dpl__words_pack(out, c->ctx, texts, n, err);
    dpl__free(c->ctx, texts);
    return status;
}

const dpl__span *dpl__encoder_spans(const dpl__encoder *c, int s)
{
    assert(c->has_spans);
    return c->sides[s].places.data;
}
