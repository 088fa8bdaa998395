/*
 * translator.c - sentences to translations, by a phrase model, a lexicon or a program.
 */
#include "doppel/translate.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "par/pool.h"
#include "translate/cache.h"
#include "translate/coprocess.h"
#include "translate/cut.h"
#include "translate/decode.h"
#include "translate/translate_params.h"
#include "translate/translator.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

enum { BLOCK = 16, MOST_BEAM = 1000, MOST_REORDERING = 8, MOST_SECONDS = 60 };

/* What one thread needs; kept for the next one. */
typedef struct scratch {
    struct scratch *next;
    dpl__cutter cutter;
    dpl__decoder *decoder;
    DPL_VEC(uint32_t) words;
    dpl__decoded_words decoded;
} scratch;

struct dpl_translator {
    dpl_ctx *ctx;
    dpl_translator_options o;
    char from[12], into[12];
    dpl__phrase_model model; /* or */
    const dpl_lexicon *lexicon;
    bool to_source; /* or */
    char *command;
    dpl__coprocess program;
    dpl__cache cache;
    pthread_mutex_t lock; /* of the scratch, or of the program */
    scratch *free;
    _Atomic uint64_t n_sentences, n_words, n_unknown, n_cached;
};

/* ---- made, closed --------------------------------------------------------------------- */

static dpl_status new_translator(dpl_translator **out, dpl_ctx *ctx,
                                 const dpl_translator_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_translator_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    o.beam = o.beam ? o.beam : (unsigned)DPL__P(translate, beam);
    o.timeout = o.timeout > 0 ? o.timeout : MOST_SECONDS;
    if (o.beam > MOST_BEAM || o.reordering > MOST_REORDERING)
        return dpl__fail(err, DPL_E_USAGE, "beam is at most %d, reordering at most %d",
                         MOST_BEAM, MOST_REORDERING);
    dpl_translator *t = dpl__calloc(ctx, 1, sizeof *t);
    DPL_TRY(dpl__need(t, err));
    t->ctx = ctx;
    t->o = o;
    t->program.fd = t->cache.fd = -1;
    pthread_mutex_init(&t->lock, NULL);
    *out = t;
    return DPL_OK;
}

static dpl_status made(dpl_translator **out, dpl_translator *t, dpl_status status)
{
    assert(status <= DPL_OK);
    *out = status == DPL_OK ? t : NULL;
    if (status != DPL_OK)
        dpl_translator_close(t);
    return status;
}

dpl_status dpl_translator_open(dpl_translator **out, dpl_ctx *ctx, const char *path,
                               const dpl_translator_options *options, dpl_error *err)
{
    dpl_translator *t;
    *out = NULL;
    DPL_TRY(new_translator(&t, ctx, options, err));
    dpl_status status = dpl__model_open(&t->model, ctx, path, err);
    memcpy(t->from, t->model.from, sizeof t->from);
    memcpy(t->into, t->model.into, sizeof t->into);
    return made(out, t, status);
}

dpl_status dpl_translator_from_lexicon(dpl_translator **out, dpl_ctx *ctx,
                                       const dpl_lexicon *lexicon, bool to_source,
                                       dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    dpl_translator *t;
    *out = NULL;
    DPL_TRY(new_translator(&t, ctx, NULL, err));
    t->lexicon = lexicon;
    t->to_source = to_source;
    const char *source = about.source_lang;
    const char *target = about.target_lang;
    memcpy(t->from, to_source ? target : source, strlen(to_source ? target : source) + 1);
    memcpy(t->into, to_source ? source : target, strlen(to_source ? source : target) + 1);
    dpl_status status = DPL_OK;
    if (to_source && dpl_lexicon_get_sizes(lexicon)->n_back == 0)
        status = dpl__fail(err, DPL_E_USAGE, "a lexicon in text translates one way only");
    return made(out, t, status);
}

dpl_status dpl_translator_run_command(dpl_translator **out, dpl_ctx *ctx, const char *command,
                                      const dpl_translator_options *options, dpl_error *err)
{
    dpl_translator *t;
    *out = NULL;
    DPL_TRY(new_translator(&t, ctx, options, err));
    t->command = dpl__alloc(ctx, strlen(command) + 1);
    dpl_status status;
    DPL__STEP(dpl__need(t->command, err));
    memcpy(t->command, command, strlen(command) + 1);
    dpl__coprocess_init(&t->program, ctx, t->command, t->o.timeout);
    status = dpl__cache_open(&t->cache, ctx, t->o.cache, command, err);
done:
    return made(out, t, status);
}

static void free_scratch(dpl_translator *t, scratch *x)
{
    if (!x)
        return;
    dpl__cutter_clear(&x->cutter);
    dpl__decoder_free(x->decoder);
    dpl__vec_clear(t->ctx, &x->words, &x->decoded);
    dpl__free(t->ctx, x);
}

void dpl_translator_close(dpl_translator *t)
{
    if (!t)
        return;
    for (scratch *x = t->free, *next; x; x = next) {
        next = x->next;
        free_scratch(t, x);
    }
    dpl__cache_close(&t->cache);
    dpl__coprocess_clear(&t->program);
    if (t->command)
        dpl__free(t->ctx, t->command);
    dpl__model_close(&t->model);
    pthread_mutex_destroy(&t->lock);
    dpl__free(t->ctx, t);
}

dpl_ctx *dpl__translator_ctx(const dpl_translator *t)
{
    return t->ctx;
}

const char *dpl__translator_from(const dpl_translator *t)
{
    return t->from;
}

const char *dpl__translator_into(const dpl_translator *t)
{
    return t->into;
}

void dpl_translator_count(const dpl_translator *t, dpl_translator_counts *counts)
{
    dpl_translator_counts c =
        DPL_INIT(dpl_translator_counts, .n_sentences = t->n_sentences, .n_words = t->n_words,
                 .n_unknown = t->n_unknown, .n_cached = t->n_cached,
                 .n_restarts = t->program.n_restarts);
    DPL__GIVE(counts, &c);
}

/* ---- scratch -------------------------------------------------------------------------- */

static dpl_status make_scratch(scratch **out, dpl_translator *t, dpl_error *err)
{
    scratch *x = dpl__calloc(t->ctx, 1, sizeof *x);
    DPL_TRY(dpl__need(x, err));
    dpl_status status;
    DPL__STEP(dpl__cutter_init(&x->cutter, t->ctx, t->from, err));
    DPL__STEP(dpl__decoder_new(&x->decoder, t->ctx, t->o.beam, t->o.reordering, err));
    *out = x;
    x = NULL;
done:
    free_scratch(t, x);
    return status;
}

static dpl_status take_scratch(scratch **out, dpl_translator *t, dpl_error *err)
{
    pthread_mutex_lock(&t->lock);
    *out = t->free;
    if (*out)
        t->free = (*out)->next;
    pthread_mutex_unlock(&t->lock);
    return *out ? DPL_OK : make_scratch(out, t, err);
}

static void give_scratch(dpl_translator *t, scratch *x)
{
    pthread_mutex_lock(&t->lock);
    x->next = t->free;
    t->free = x;
    pthread_mutex_unlock(&t->lock);
}

/* ---- one sentence --------------------------------------------------------------------- */

/* A word behind those in out, with a blank unless one of the two has none there. */
static bool put_word(dpl_ctx *ctx, dpl__bytes *out, size_t first, dpl_str word, unsigned flags,
                     unsigned *last_flags)
{
    if (out->n > first && !(flags & 1) && !(*last_flags & 2) && !dpl__vec_push(ctx, out, ' '))
        return false;
    *last_flags = flags;
    return dpl__vec_append(ctx, out, word.data, word.n);
}

/* A copied mark: no blank before most, none behind opening ones. */
static unsigned mark_flags(dpl_str word)
{
    if (word.n != 1)
        return 0;
    char c = word.data[0];
    return strchr(",.;:!?)]}%", c) ? 1 : strchr("([{", c) ? 2 : strchr("'-/", c) ? 3 : 0;
}

/* A capital letter where the sentence has one. */
static bool capitalise(dpl_ctx *ctx, dpl__bytes *out, size_t first, dpl_str sentence)
{
    uint32_t c, from;
    if (!sentence.n || out->n == first)
        return true;
    dpl__utf8_decode((const uint8_t *)sentence.data, &from);
    if (!u_isupper((UChar32)from))
        return true;
    unsigned n = dpl__utf8_decode((const uint8_t *)out->data + first, &c);
    char large[4];
    unsigned n_large = dpl__utf8_encode(large, (uint32_t)u_toupper((UChar32)c));
    if (n_large > n && !dpl__vec_reserve(ctx, out, n_large - n))
        return false;
    memmove(out->data + first + n_large, out->data + first + n, out->n - first - n);
    memcpy(out->data + first, large, n_large);
    out->n = out->n - n + n_large;
    return true;
}

static dpl_status decode_all(dpl_translator *t, scratch *x, dpl_error *err)
{
    x->words.n = x->decoded.n = 0;
    size_t n = x->cutter.all.n;
    uint64_t n_unknown = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str folded;
        DPL_TRY(dpl__cut_fold(&x->cutter, dpl__cut_word(&x->cutter, i), &folded, err));
        uint32_t word = dpl__model_find(&t->model, folded);
        n_unknown += word == DPL__NO_WORD;
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &x->words, word), err));
    }
    for (size_t i = 0; i < n; i += DPL__LONGEST_PIECE) {
        size_t first = x->decoded.n;
        DPL_TRY(dpl__decode(x->decoder, &x->decoded, &t->model, x->words.data + i,
                            dpl__min(n - i, DPL__LONGEST_PIECE), err));
        for (size_t k = first; k < x->decoded.n; k++)
            if (x->decoded.data[k].copied)
                x->decoded.data[k].copied += (uint32_t)i;
    }
    t->n_words += n;
    t->n_unknown += n_unknown;
    return DPL_OK;
}

static dpl_status by_phrases(dpl_translator *t, scratch *x, dpl__bytes *out, dpl_error *err)
{
    unsigned last = 0;
    size_t first = out->n;
    DPL_TRY(decode_all(t, x, err));
    for (size_t i = 0; i < x->decoded.n; i++) {
        dpl__decoded w = x->decoded.data[i];
        dpl_str word = w.copied ? dpl__cut_word(&x->cutter, w.copied - 1)
                                : dpl__string(&t->model.shown, w.word);
        unsigned flags = w.copied ? mark_flags(word) : t->model.flags[w.word];
        DPL_TRY(dpl__need(put_word(t->ctx, out, first, word, flags, &last), err));
    }
    return DPL_OK;
}

static bool find_best(const dpl_translator *t, dpl_str folded, dpl_str *best)
{
    uint32_t number;
    const float *p;
    size_t n, at = 0;
    const dpl_lexicon *l = t->lexicon;
    if (!(t->to_source ? dpl_lexicon_find_target(l, folded, &number)
                       : dpl_lexicon_find_source(l, folded, &number)))
        return false;
    const uint32_t *row = t->to_source ? dpl_lexicon_back_row(l, number, &p, &n)
                                       : dpl_lexicon_row(l, number, &p, &n);
    for (size_t i = 1; i < n; i++)
        if (p[i] > p[at])
            at = i;
    if (n)
        *best = t->to_source ? dpl_lexicon_source(l, row[at]) : dpl_lexicon_target(l, row[at]);
    return n > 0;
}

static dpl_status by_lexicon(dpl_translator *t, scratch *x, dpl__bytes *out, dpl_error *err)
{
    unsigned last = 0;
    size_t first = out->n;
    uint64_t n_unknown = 0;
    for (size_t i = 0; i < x->cutter.all.n; i++) {
        dpl_str word = dpl__cut_word(&x->cutter, i), folded, best;
        unsigned flags = mark_flags(word);
        DPL_TRY(dpl__cut_fold(&x->cutter, word, &folded, err));
        if (find_best(t, folded, &best))
            word = best;
        else
            n_unknown++;
        DPL_TRY(dpl__need(put_word(t->ctx, out, first, word, flags, &last), err));
    }
    t->n_words += x->cutter.all.n;
    t->n_unknown += n_unknown;
    return DPL_OK;
}

/* ---- many ----------------------------------------------------------------------------- */

typedef struct block {
    dpl__bytes bytes;
    size_t ends[BLOCK];
} block;

typedef struct work {
    dpl_translator *t;
    const dpl_str *sentences;
    size_t n;
    block *blocks;
} work;

static dpl_status translate_one(dpl_translator *t, scratch *x, dpl__bytes *out,
                                dpl_str sentence, dpl_error *err)
{
    size_t first = out->n;
    DPL_TRY(dpl__cut(&x->cutter, sentence, err));
    DPL_TRY((t->lexicon ? by_lexicon : by_phrases)(t, x, out, err));
    const dpl_str text = {x->cutter.text.data, x->cutter.text.n};
    return dpl__need(capitalise(t->ctx, out, first, text), err);
}

static dpl_status translate_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    work *w = user;
    block *b = &w->blocks[i];
    scratch *x;
    DPL_TRY(take_scratch(&x, w->t, err));
    size_t first = i * BLOCK, n = dpl__min(BLOCK, w->n - first);
    dpl_status status = DPL_OK;
    for (size_t k = 0; status == DPL_OK && k < n; k++) {
        status = translate_one(w->t, x, &b->bytes, w->sentences[first + k], err);
        b->ends[k] = b->bytes.n;
    }
    give_scratch(w->t, x);
    return status;
}

static dpl_status make_room(dpl_translations *out, dpl_ctx *ctx, size_t n, size_t n_bytes,
                            dpl_error *err)
{
    out->n = n;
    out->texts = dpl__calloc(ctx, dpl__max(n, 1), sizeof *out->texts);
    out->bytes = dpl__alloc(ctx, dpl__max(n_bytes, 1));
    out->n_bytes = n_bytes;
    out->n_room = dpl__max(n_bytes, 1);
    return dpl__need(out->texts && out->bytes, err);
}

static dpl_status gather(dpl_translations *out, const work *w, dpl_error *err)
{
    size_t n_blocks = (w->n + BLOCK - 1) / BLOCK, n_bytes = 0, at = 0;
    for (size_t i = 0; i < n_blocks; i++)
        n_bytes += w->blocks[i].bytes.n;
    DPL_TRY(make_room(out, w->t->ctx, w->n, n_bytes, err));
    for (size_t i = 0; i < w->n; i++) {
        const block *b = &w->blocks[i / BLOCK];
        size_t begin = i % BLOCK ? b->ends[i % BLOCK - 1] : 0, end = b->ends[i % BLOCK];
        if (end > begin)
            memcpy(out->bytes + at, b->bytes.data + begin, end - begin);
        out->texts[i] = (dpl_str){out->bytes + at, end - begin};
        at += end - begin;
    }
    return DPL_OK;
}

static dpl_status run_blocks(dpl_translations *out, work *w, dpl_error *err)
{
    dpl_ctx *ctx = w->t->ctx;
    size_t n_blocks = (w->n + BLOCK - 1) / BLOCK;
    w->blocks = dpl__calloc(ctx, dpl__max(n_blocks, 1), sizeof *w->blocks);
    DPL_TRY(dpl__need(w->blocks, err));
    dpl_status status;
    DPL__STEP(dpl__parallel_for(ctx, n_blocks, w, translate_block, err));
    status = gather(out, w, err);
done:
    for (size_t i = 0; i < n_blocks; i++)
        dpl__vec_clear(ctx, &w->blocks[i].bytes);
    dpl__free(ctx, w->blocks);
    return status;
}

/* ---- a program ------------------------------------------------------------------------ */

typedef struct asked {
    dpl_translator *t;
    DPL_VEC(dpl_str) lines; /* to be sent: sentences without line breaks */
    DPL_VEC(size_t) which;  /* sentence of each */
    dpl__bytes text;        /* of all sentences */
    dpl__bytes answers;
    dpl_str *places; /* of each answer: an offset as data */
} asked;

static dpl_status take_answer(void *user, size_t i, dpl_str answer, dpl_error *err)
{
    asked *a = user;
    a->places[a->which.data[i]] = (dpl_str){(const char *)(uintptr_t)a->answers.n, answer.n};
    for (size_t k = 0; k < answer.n; k++) {
        char c = answer.data[k];
        DPL_TRY(dpl__need(
            dpl__vec_push(a->t->ctx, &a->answers, (unsigned char)c < ' ' ? ' ' : c), err));
    }
    dpl_str clean = {a->answers.data ? a->answers.data + a->answers.n - answer.n : NULL,
                     answer.n};
    return dpl__cache_add(&a->t->cache, a->lines.data[i], clean, err);
}

/* Sentences that are not in the cache become lines; an empty one answers itself. */
static dpl_status list_lines(asked *a, const dpl_str *sentences, size_t n, dpl_error *err)
{
    dpl_ctx *ctx = a->t->ctx;
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += sentences[i].n;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &a->text, n_bytes + 1), err));
    for (size_t i = 0; i < n; i++) {
        char *to = a->text.data + a->text.n;
        for (size_t k = 0; k < sentences[i].n; k++)
            to[k] = (unsigned char)sentences[i].data[k] < ' ' ? ' ' : sentences[i].data[k];
        dpl_str line = {to, sentences[i].n};
        a->text.n += line.n;
        const dpl_str *known = line.n ? dpl__cache_find(&a->t->cache, line) : NULL;
        a->places[i] = (dpl_str){(const char *)(uintptr_t)a->answers.n, known ? known->n : 0};
        if (known) {
            a->t->n_cached++;
            DPL_TRY(dpl__need(dpl__vec_append(ctx, &a->answers, known->data, known->n), err));
        } else if (line.n &&
                   (!dpl__vec_push(ctx, &a->lines, line) || !dpl__vec_push(ctx, &a->which, i)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status run_program(dpl_translations *out, dpl_translator *t,
                              const dpl_str *sentences, size_t n, dpl_error *err)
{
    asked a = {.t = t};
    a.places = dpl__calloc(t->ctx, dpl__max(n, 1), sizeof *a.places);
    DPL_TRY(dpl__need(a.places, err));
    dpl_status status;
    DPL__STEP(list_lines(&a, sentences, n, err));
    DPL__STEP(dpl__coprocess_ask(&t->program, a.lines.data, a.lines.n, take_answer, &a, err));
    DPL__STEP(make_room(out, t->ctx, n, a.answers.n, err));
    if (a.answers.n)
        memcpy(out->bytes, a.answers.data, a.answers.n);
    for (size_t i = 0; i < n; i++)
        out->texts[i] = (dpl_str){out->bytes + (uintptr_t)a.places[i].data, a.places[i].n};
done:
    dpl__free(t->ctx, a.places);
    dpl__vec_clear(t->ctx, &a.lines, &a.which, &a.text, &a.answers);
    return status;
}

dpl_status dpl_translator_run(dpl_translations *out, dpl_translator *t,
                              const dpl_str *sentences, size_t n, dpl_error *err)
{
    dpl_translations_clear(out, t);
    dpl_status status;
    if (t->command) {
        pthread_mutex_lock(&t->lock);
        status = run_program(out, t, sentences, n, err);
        pthread_mutex_unlock(&t->lock);
    } else {
        work w = {.t = t, .sentences = sentences, .n = n};
        status = run_blocks(out, &w, err);
    }
    t->n_sentences += n;
    if (status != DPL_OK)
        dpl_translations_clear(out, t);
    return status;
}

void dpl_translations_clear(dpl_translations *out, dpl_translator *t)
{
    if (out->texts)
        dpl__free(t->ctx, out->texts);
    if (out->bytes)
        dpl__free(t->ctx, out->bytes);
    *out = (dpl_translations){0};
}
