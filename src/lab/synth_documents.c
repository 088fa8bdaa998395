/*
 * synth_documents.c - left.jsonl.zst, right.jsonl.zst, gold.tsv and lexicon.tsv.
 *
 * Batches of documents are made and compressed on all threads, each to a zstd frame of its own,
 * and written in order. Cost: two to three microseconds per kilobyte of text and thread; a left
 * document with a counterpart is made twice.
 */
#include "lab/synth_parts.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "par/pool.h"

#include <stdio.h>
#include <zstd.h>

enum { BATCH = 256, WORDS = 4096 /* in a batch of the lexicon */, LEVEL = 3, LINE = 160 };

static const char *const names[2] = {"l", "r"}, *const langs[2] = {"qaa", "qab"};

typedef struct batch {
    uint64_t first, end;
    dpl__bytes text, packed, gold;
    uint64_t n_words, n_text_bytes;
} batch;

typedef enum output { LEFT, RIGHT, LEXICON } output;

typedef struct maker {
    dpl_ctx *ctx;
    const dpl_synth_options *set;
    const dpl__synth_plan *plan;
    const dpl__synth_model *model;
    dpl_synth_summary *s;
    output what;
    uint64_t next, n; /* documents, or ranks */
    size_t n_slots;
    batch *slots;
    dpl__synth_scratch *scratch; /* one for each thread */
    dpl_output *out, *gold;
} maker;

/* ---- a batch ------------------------------------------------------------------------ */

static bool add_text(dpl__bytes *out, dpl_ctx *ctx, const char *text)
{
    return dpl__vec_append(ctx, out, text, strlen(text));
}

static dpl_status add_document(maker *m, batch *b, dpl__synth_scratch *s, uint64_t doc,
                               dpl_error *err)
{
    const int side = m->what == RIGHT;
    char head[LINE];
    snprintf(head, sizeof head, "{\"id\":\"%s%llu\",\"lang\":\"%s\",\"text\":\"", names[side],
             (unsigned long long)doc, langs[side]);
    DPL_TRY(dpl__need(add_text(&b->text, m->ctx, head), err));
    const size_t before = b->text.n;
    DPL_TRY(side ? dpl__synth_right(&b->text, s, m->model, m->plan, m->set, doc, err)
                 : dpl__synth_left(&b->text, s, m->model, m->plan, doc, err));
    b->n_text_bytes += b->text.n - before;
    return add_text(&b->text, m->ctx, "\"}\n") ? DPL_OK : dpl__fail_nomem(err);
}

/* The share of sentences, whose number the scratch still has. */
static dpl_status add_gold(maker *m, batch *b, const dpl__synth_scratch *s, uint64_t doc,
                           dpl_error *err)
{
    const uint64_t pair = dpl__synth_pair_of(m->plan, 0, doc);
    const uint32_t n = (uint32_t)s->source.ends.n;
    uint32_t first;
    if (pair >= m->plan->n_pairs)
        return DPL_OK;
    const double share = (double)dpl__synth_piece(&first, m->plan, pair, n) / n;
    return dpl__need(dpl__synth_gold(&b->gold, m->ctx, m->plan, names, doc, share), err);
}

static dpl_status pack(maker *m, batch *b, dpl_error *err)
{
    b->packed.n = 0;
    DPL_TRY(
        dpl__need(dpl__vec_reserve(m->ctx, &b->packed, ZSTD_compressBound(b->text.n)), err));
    const size_t n =
        ZSTD_compress(b->packed.data, b->packed.cap, b->text.data, b->text.n, LEVEL);
    b->packed.n = ZSTD_isError(n) ? 0 : n;
    return ZSTD_isError(n) ? dpl__fail_nomem(err) : DPL_OK;
}

/* As tokens are: names begin with a small letter. */
static void fold(char *word)
{
    if (word[0] >= 'A' && word[0] <= 'Z')
        word[0] = (char)(word[0] - 'A' + 'a');
}

/* The translations of a word. */
static dpl_status add_word(maker *m, batch *b, uint64_t word, dpl_error *err)
{
    uint64_t words[DPL__SYNTH_MOST_TRANSLATIONS];
    double p[DPL__SYNTH_MOST_TRANSLATIONS];
    const size_t n = dpl__synth_translations(words, p, m->model, word);
    char from[DPL__SYNTH_MOST_LETTERS], to[DPL__SYNTH_MOST_LETTERS], line[LINE];
    const int n_from = (int)dpl__synth_spell_left(from, m->model, word);
    fold(from);
    for (size_t i = 0; i < n; i++) {
        const int n_to = (int)dpl__synth_spell_right(to, m->model, words[i]);
        fold(to);
        const unsigned percent = (unsigned)(p[i] * 100 + 0.5);
        snprintf(line, sizeof line, "%.*s\t%.*s\t%u.%02u\n", n_from, from, n_to, to,
                 percent / 100, percent % 100);
        DPL_TRY(dpl__need(add_text(&b->text, m->ctx, line), err));
        b->n_words++;
    }
    return DPL_OK;
}

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    maker *m = user;
    if (m->next == m->n)
        return DPL_END;
    const bool is_lexicon = m->what == LEXICON;
    DPL_TRY(dpl__progress(m->ctx,
                          &(dpl_progress){is_lexicon ? "lexicon"
                                          : m->what  ? "right"
                                                     : "left",
                                          is_lexicon ? "words" : "documents", m->next, m->n},
                          err));
    batch *b = &m->slots[slot];
    b->first = m->next;
    b->end = m->next += dpl__min(is_lexicon ? WORDS : BATCH, m->n - m->next);
    b->text.n = b->gold.n = 0;
    b->n_words = b->n_text_bytes = 0;
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    maker *m = user;
    batch *b = &m->slots[slot];
    dpl__synth_scratch *s = &m->scratch[worker];
    s->n_words = 0;
    for (uint64_t i = b->first; i < b->end; i++) {
        if (m->what == LEXICON) {
            DPL_TRY(add_word(m, b, i, err));
            continue;
        }
        DPL_TRY(add_document(m, b, s, i, err));
        if (m->what == LEFT)
            DPL_TRY(add_gold(m, b, s, i, err));
    }
    if (m->what == LEXICON)
        return DPL_OK;
    b->n_words = s->n_words;
    return pack(m, b, err);
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    maker *m = user;
    const batch *b = &m->slots[slot];
    const dpl__bytes *bytes = m->what == LEXICON ? &b->text : &b->packed;
    dpl_output_write(m->out, bytes->data, bytes->n);
    m->s->n_output_bytes += bytes->n;
    if (m->what == LEFT) {
        dpl_output_write(m->gold, b->gold.data, b->gold.n);
        m->s->n_output_bytes += b->gold.n;
    }
    if (m->what == LEXICON) {
        m->s->n_lexicon += b->n_words;
    } else {
        m->s->n_words[m->what] += b->n_words;
        m->s->n_text_bytes[m->what] += b->n_text_bytes;
    }
    return DPL_OK;
}

/* ---- a file ------------------------------------------------------------------------- */

static dpl_status make(maker *m, const char *folder, output what, uint64_t n, dpl_error *err)
{
    static const char *const files[] = {"left.jsonl.zst", "right.jsonl.zst", "lexicon.tsv"};
    m->what = what;
    m->next = 0;
    m->n = n;
    DPL_TRY(dpl__open_output(&m->out, m->ctx, folder, files[what], err));
    dpl__pipeline p = {m, m->n_slots, produce, map, commit};
    dpl_status status;
    DPL__STEP(dpl__pipeline_run(m->ctx, &p, err));
    status = dpl_output_finish(m->out, err);
done:
    dpl_output_free(m->out);
    m->out = NULL;
    return status;
}

static dpl_status make_all(maker *m, const char *folder, dpl_error *err)
{
    DPL_TRY(dpl__need(m->slots && m->scratch, err));
    for (unsigned i = 0; i < dpl_ctx_threads(m->ctx); i++)
        m->scratch[i].ctx = m->ctx;
    DPL_TRY(dpl__open_output(&m->gold, m->ctx, folder, "gold.tsv", err));
    DPL_TRY(make(m, folder, LEFT, m->plan->n[0], err));
    DPL_TRY(dpl_output_finish(m->gold, err));
    DPL_TRY(make(m, folder, RIGHT, m->plan->n[1], err));
    return make(m, folder, LEXICON, dpl__synth_likely(m->model, (double)m->s->n_words[0]), err);
}

static void clear(maker *m)
{
    const unsigned n_threads = dpl_ctx_threads(m->ctx);
    for (size_t i = 0; m->slots && i < m->n_slots; i++)
        dpl__vec_clear(m->ctx, &m->slots[i].text, &m->slots[i].packed, &m->slots[i].gold);
    for (unsigned i = 0; m->scratch && i < n_threads; i++)
        dpl__synth_scratch_clear(&m->scratch[i]);
    dpl__free(m->ctx, m->slots, m->scratch);
    dpl_output_free(m->gold);
}

static void describe(dpl_synth_summary *s, const dpl__synth_model *m)
{
    s->words = dpl__exp(m->log_words[0] + m->log_words[1] * m->log_words[1] / 2);
    s->sentence_words =
        dpl__exp(m->log_sentence[0] + m->log_sentence[1] * m->log_sentence[1] / 2);
    s->heaps = m->tail > 0 ? 1 / m->gamma : 0;
    s->repeated = m->repeated;
    s->n_head = m->n_head;
}

dpl_status dpl__synth_documents(dpl_synth_summary *s, dpl_ctx *ctx, const char *folder,
                                const dpl_synth_options *set, const dpl__synth_plan *plan,
                                dpl_error *err)
{
    const unsigned n_threads = dpl_ctx_threads(ctx);
    dpl__synth_model model;
    maker m = {.ctx = ctx,
               .set = set,
               .plan = plan,
               .model = &model,
               .s = s,
               .n_slots = 2 * (size_t)n_threads};
    dpl_status status = dpl__synth_model_make(&model, ctx, set, plan, err);
    if (status == DPL_OK) {
        m.slots = dpl__calloc(ctx, m.n_slots, sizeof *m.slots);
        m.scratch = dpl__calloc(ctx, n_threads, sizeof *m.scratch);
        status = make_all(&m, folder, err);
        clear(&m);
        describe(s, &model);
    }
    dpl__synth_model_clear(&model);
    return status;
}
