/*
 * train.c - parallel text to a phrase model: word alignment, phrase pairs, language model.
 *
 * Words are folded as tokens are; of each target word the spelling that is most frequent within
 * sentences is kept, and whether there is usually a blank before and behind it. Numbers of
 * words follow from the order of rows.
 */
#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "base/sized.h"
#include "io/temporary.h"
#include "translate/cut.h"
#include "translate/language_model.h"
#include "translate/phrases.h"
#include "translate/translate_params.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

#define NONE UINT32_MAX

/* The words of a language: spellings, and the folded words that they are. */
typedef struct words {
    dpl__terms spellings, folded;
    DPL_VEC(uint32_t) folded_of; /* of each spelling */
    DPL_VEC(uint64_t)
    n_within;                     /* how often each spelling is within a sentence, times 1000;
                                     at the begin of one it may be a capital letter by rule */
    DPL_VEC(uint32_t) in_lexicon; /* of each folded word; NONE */
    DPL_VEC(int64_t) before, behind; /* of each folded word: blanks less none */
    dpl__cutter cutter;
} words;

typedef struct trainer {
    dpl_ctx *ctx;
    dpl_phrases_options o;
    const dpl_lexicon *lexicon;
    dpl_lexicon *own;
    dpl__spill spill;
    words words[2]; /* source, target */
    dpl__phrases *phrases;
    dpl__spool text; /* target words for the language model */
    DPL_VEC(uint32_t) row[2];
    DPL_VEC(dpl_link) links;
    dpl_phrases_summary s;
} trainer;

/* ---- words ---------------------------------------------------------------------------- */

static const char *lang_of(const trainer *t, bool is_target)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(t->lexicon);
    return is_target != t->o.to_left ? about.target_lang : about.source_lang;
}

static dpl_status init_words(trainer *t, int side, dpl_error *err)
{
    words *w = &t->words[side];
    dpl__terms_init(&w->spellings, t->ctx);
    dpl__terms_init(&w->folded, t->ctx);
    return dpl__cutter_init(&w->cutter, t->ctx, lang_of(t, side), err);
}

static void clear_words(trainer *t, words *w)
{
    if (!w->spellings.ctx)
        return;
    dpl__terms_clear(&w->spellings);
    dpl__terms_clear(&w->folded);
    dpl__vec_clear(t->ctx, &w->folded_of, &w->n_within, &w->in_lexicon, &w->before, &w->behind);
    dpl__cutter_clear(&w->cutter);
}

static uint32_t look_up(const trainer *t, bool is_target, dpl_str word)
{
    uint32_t number = NONE;
    if (dpl_lexicon_get_info(t->lexicon).is_stemmed)
        return NONE;
    bool is_there = is_target != t->o.to_left
                        ? dpl_lexicon_find_target(t->lexicon, word, &number)
                        : dpl_lexicon_find_source(t->lexicon, word, &number);
    return is_there ? number : NONE;
}

/* The number of a folded word, a new one if need be. */
static dpl_status number_folded(trainer *t, int side, dpl_str folded, uint32_t *number,
                                dpl_error *err)
{
    words *w = &t->words[side];
    DPL_TRY(dpl__terms_number(&w->folded, folded, number, err));
    if (*number < w->in_lexicon.n)
        return DPL_OK;
    bool is_done = dpl__vec_push(t->ctx, &w->in_lexicon, look_up(t, side, folded)) &&
                   dpl__vec_push(t->ctx, &w->before, 0) && dpl__vec_push(t->ctx, &w->behind, 0);
    return dpl__need(is_done, err);
}

static dpl_status number_word(trainer *t, int side, dpl_str word, bool is_first,
                              uint32_t *number, dpl_error *err)
{
    words *w = &t->words[side];
    uint32_t spelling;
    DPL_TRY(dpl__terms_number(&w->spellings, word, &spelling, err));
    if (spelling == w->folded_of.n) {
        dpl_str folded;
        DPL_TRY(dpl__cut_fold(&w->cutter, word, &folded, err));
        DPL_TRY(number_folded(t, side, folded, number, err));
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &w->folded_of, *number) &&
                              dpl__vec_push(t->ctx, &w->n_within, 0),
                          err));
    }
    w->n_within.data[spelling] += is_first ? 1 : 1000;
    *number = w->folded_of.data[spelling];
    return DPL_OK;
}

/* Numbers of the words of one side, and what is around each. */
static dpl_status number_row(trainer *t, int side, const dpl_str *in, size_t n, dpl_error *err)
{
    words *w = &t->words[side];
    t->row[side].n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->ctx, &t->row[side], n), err));
    for (size_t i = 0; i < n; i++) {
        uint32_t number;
        DPL_TRY(number_word(t, side, in[i], i == 0, &number, err));
        t->row[side].data[t->row[side].n++] = number;
        if (i > 0) {
            bool is_apart = in[i - 1].data + in[i - 1].n != in[i].data;
            w->before.data[number] += is_apart ? 1 : -1;
            w->behind.data[t->row[side].data[i - 1]] += is_apart ? 1 : -1;
        }
    }
    return DPL_OK;
}

/* ---- probabilities of words ----------------------------------------------------------- */

static double find_p(const uint32_t *row, const float *p, size_t n, uint32_t what)
{
    size_t at;
    DPL__LOWER_BOUND(at, n, row[at] < what);
    return at < n && row[at] == what ? (double)p[at] : 0;
}

static const uint32_t *lexicon_row(const trainer *t, uint32_t word, bool is_target,
                                   const float **p, size_t *n)
{
    return is_target != t->o.to_left ? dpl_lexicon_back_row(t->lexicon, word, p, n)
                                     : dpl_lexicon_row(t->lexicon, word, p, n);
}

static double word_p(void *user, uint32_t source, uint32_t target, bool back)
{
    const trainer *t = user;
    uint32_t s = t->words[0].in_lexicon.data[source], e = t->words[1].in_lexicon.data[target];
    double least = DPL__P(translate, least_lexical);
    if (s != NONE && e != NONE) {
        const float *p;
        size_t n;
        const uint32_t *row = lexicon_row(t, back ? e : s, back, &p, &n);
        double found = find_p(row, p, n, back ? s : e);
        return found > least ? found : least;
    }
    dpl_str a = dpl__term_text(&t->words[0].folded.all.data[source]);
    dpl_str b = dpl__term_text(&t->words[1].folded.all.data[target]);
    return dpl__str_eq(a, b) ? 0.5 : least; /* marks, numbers, names */
}

/* ---- rows ----------------------------------------------------------------------------- */

DPL__ORDER(by_source, dpl_link, DPL__RISING(left) DPL__RISING(right))

static dpl_status turn_links(trainer *t, const dpl_aligned_row *row, dpl_error *err)
{
    t->links.n = 0;
    for (size_t i = 0; i < row->n_links; i++) {
        dpl_link l = row->links[i];
        if (t->o.to_left)
            l = (dpl_link){l.right, l.left};
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &t->links, l), err));
    }
    dpl__vec_sort(&t->links, by_source);
    return DPL_OK;
}

static dpl_status add_sentence(trainer *t, const uint32_t *row, size_t n, dpl_error *err)
{
    const uint32_t end = DPL__LM_BREAK;
    if (!n)
        return DPL_OK;
    DPL_TRY(dpl__spool_append(&t->text, row, n * sizeof *row, err));
    return dpl__spool_append(&t->text, &end, sizeof end, err);
}

static dpl_status take_row(void *user, const dpl_aligned_row *row, dpl_error *err)
{
    trainer *t = user;
    bool turned = t->o.to_left;
    DPL_TRY(number_row(t, 0, turned ? row->right : row->left,
                       turned ? row->n_right : row->n_left, err));
    DPL_TRY(number_row(t, 1, turned ? row->left : row->right,
                       turned ? row->n_left : row->n_right, err));
    DPL_TRY(turn_links(t, row, err));
    dpl__phrase_row r = {t->row[0].data, t->row[1].data, t->row[0].n,
                         t->row[1].n,    t->links.data,  t->links.n};
    t->s.n_rows++;
    t->s.n_words[0] += r.n_source;
    t->s.n_words[1] += r.n_target;
    DPL_TRY(dpl__phrases_extract(t->phrases, &r, &(dpl__word_model){word_p, t}, err));
    return add_sentence(t, r.target, r.n_target, err);
}

/* The lexicon's own translations, for words that few phrases have. */
static dpl_status add_lexicon(trainer *t, dpl_error *err)
{
    if (dpl_lexicon_get_info(t->lexicon).is_stemmed)
        return DPL_OK;
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(t->lexicon);
    uint32_t n = t->o.to_left ? sizes->n_targets : sizes->n_sources;
    for (uint32_t word = 0; word < n; word++) {
        const float *p;
        size_t n_row;
        const uint32_t *row = lexicon_row(t, word, false, &p, &n_row);
        dpl_str text = t->o.to_left ? dpl_lexicon_target(t->lexicon, word)
                                    : dpl_lexicon_source(t->lexicon, word);
        uint32_t source = 0, target;
        DPL_TRY(number_folded(t, 0, text, &source, err));
        for (unsigned k = 0; k < DPL__P(translate, lexicon_entries) && k < n_row; k++) {
            size_t best = n_row;
            for (size_t i = 0; i < n_row; i++) { /* the k-th most probable */
                unsigned n_above = 0;
                for (size_t j = 0; j < n_row; j++)
                    n_above += p[j] > p[i] || (p[j] == p[i] && j < i);
                if (n_above == k)
                    best = i;
            }
            dpl_str other = t->o.to_left ? dpl_lexicon_source(t->lexicon, row[best])
                                         : dpl_lexicon_target(t->lexicon, row[best]);
            DPL_TRY(number_word(t, 1, other, true, &target, err));
            DPL_TRY(dpl__phrases_add_word(t->phrases, source, target,
                                          DPL__P(translate, lexicon_count) * (double)p[best],
                                          &(dpl__word_model){word_p, t}, err));
        }
    }
    return DPL_OK;
}

/* ---- more text ------------------------------------------------------------------------ */

static dpl_status add_text(trainer *t, dpl_str sentence, dpl_error *err)
{
    words *w = &t->words[1];
    DPL_VEC(dpl_str) list = {0};
    DPL_TRY(dpl__cut(&w->cutter, sentence, err));
    dpl_status status;
    DPL__STEP(dpl__need(dpl__vec_reserve(t->ctx, &list, w->cutter.all.n), err));
    for (size_t i = 0; i < w->cutter.all.n; i++)
        list.data[list.n++] = dpl__cut_word(&w->cutter, i);
    DPL__STEP(number_row(t, 1, list.data, list.n, err));
    t->s.n_pivot_words += list.n;
    status = add_sentence(t, t->row[1].data, t->row[1].n, err);
done:
    dpl__vec_clear(t->ctx, &list);
    return status;
}

static dpl_status add_doc(trainer *t, dpl_tokens *tokens, dpl_str text, dpl_error *err)
{
    size_t n;
    DPL_TRY(dpl_tokens_start(tokens, text, lang_of(t, true), err));
    const dpl_sentence *s = dpl_tokens_sentences(tokens, &n);
    for (size_t i = 0; i < n; i++) {
        size_t end = i + 1 < n ? s[i + 1].begin : text.n;
        DPL_TRY(add_text(t, (dpl_str){text.data + s[i].begin, end - s[i].begin}, err));
    }
    return DPL_OK;
}

static dpl_status add_collection(trainer *t, dpl_tokens *tokens, const dpl_collection *c,
                                 dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n; doc++)
        DPL_TRY(add_doc(t, tokens, dpl_collection_doc(c, doc).text, err));
    return DPL_OK;
}

static dpl_status add_input(trainer *t, dpl_tokens *tokens, const dpl_input *input,
                            dpl_error *err)
{
    if (input->collection)
        return add_collection(t, tokens, input->collection, err);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_status status = dpl_reader_open_input(&reader, t->ctx, input, NULL, err);
    while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, err)) == DPL_OK)
        status = add_doc(t, tokens, doc.text, err);
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status add_pivot(trainer *t, dpl_error *err)
{
    dpl_tokens *tokens = NULL;
    dpl_status status = dpl_tokens_new(&tokens, t->ctx, NULL, err);
    for (size_t i = 0; status == DPL_OK && i < t->o.n_pivot; i++)
        status = add_input(t, tokens, &t->o.pivot[i], err);
    dpl_tokens_free(tokens);
    return status;
}

/* ---- the file ------------------------------------------------------------------------- */

/* Words that are written: those of a set, all or some of them in another order. */
typedef struct listed_words {
    const dpl__terms *terms;
    const uint32_t *which; /* NULL: all */
    size_t n;
} listed_words;

static dpl_status write_bytes(dpl__writer *w, const listed_words *l, uint64_t *offsets,
                              dpl_error *err)
{
    offsets[0] = 0;
    for (size_t i = 0; i < l->n; i++) {
        const dpl_str s = dpl__term_text(&l->terms->all.data[l->which ? l->which[i] : i]);
        DPL_TRY(dpl__writer_append(w, s.data, s.n, err));
        offsets[i + 1] = offsets[i] + s.n;
    }
    return DPL_OK;
}

/* Names of bytes and offsets. */
static dpl_status write_strings(trainer *t, dpl__writer *w, const char *const names[2],
                                const listed_words *l, dpl_error *err)
{
    const size_t n_bytes = (l->n + 1) * sizeof(uint64_t);
    DPL_TRY(dpl__writer_begin(w, names[0], 1, err));
    uint64_t *offsets = dpl__alloc(t->ctx, n_bytes);
    DPL_TRY(dpl__need(offsets, err));
    dpl_status status;
    DPL__STEP(write_bytes(w, l, offsets, err));
    status = dpl__writer_add(w, names[1], 8, offsets, n_bytes, err);
done:
    dpl__free(t->ctx, offsets);
    return status;
}

static bool is_mark(dpl_str word)
{
    uint32_t c;
    dpl__utf8_decode((const uint8_t *)word.data, &c);
    return !u_isalnum((UChar32)c);
}

/* The most frequent spelling of each target word, the first one of several. */
static dpl_status write_shown(trainer *t, dpl__writer *w, dpl_error *err)
{
    words *x = &t->words[1];
    size_t n = x->folded.all.n;
    uint32_t *shown = dpl__alloc(t->ctx, dpl__max(n, 1) * sizeof *shown);
    uint8_t *flags = dpl__calloc(t->ctx, dpl__max(n, 1), 1);
    dpl_status status;
    DPL__STEP(dpl__need(shown && flags, err));
    for (size_t i = 0; i < n; i++)
        shown[i] = NONE;
    for (uint32_t s = 0; s < x->spellings.all.n; s++) {
        uint32_t *at = &shown[x->folded_of.data[s]];
        if (*at == NONE || x->n_within.data[s] > x->n_within.data[*at])
            *at = s;
    }
    for (size_t i = 0; i < n; i++) /* of marks; that a word is before a comma says nothing */
        if (is_mark(dpl__term_text(&x->folded.all.data[i])))
            flags[i] = (uint8_t)((x->before.data[i] < 0) | (x->behind.data[i] < 0) << 1);
    const char *names[] = {"shown.bytes", "shown.offsets"};
    DPL__STEP(write_strings(t, w, names, &(listed_words){&x->spellings, shown, n}, err));
    status = dpl__writer_add(w, "shown.flags", 1, flags, n, err);
done:
    dpl__free(t->ctx, flags, shown);
    return status;
}

static dpl_status write_settings(trainer *t, dpl__writer *w, dpl_error *err)
{
    dpl__json_text text = {.ctx = t->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "max_phrase", t->o.max_phrase);
    dpl_json_number(&j, "max_options", t->o.top);
    dpl_json_cstr(&j, "symmetrize", dpl_symmetry_get_info(t->o.symmetrize)->name);
    dpl_json_number(&j, "rows", t->s.n_rows);
    dpl_json_number(&j, "pivot_words", t->s.n_pivot_words);
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(w, "settings", &text, err);
}

static dpl_status write_all(trainer *t, dpl__writer *w, dpl_error *err)
{
    const char *sources[] = {"source.bytes", "source.offsets"};
    const char *targets[] = {"target.bytes", "target.offsets"};
    const char *from = lang_of(t, false), *into = lang_of(t, true);
    size_t n = t->words[1].folded.all.n;
    uint64_t n_ngrams[2];
    const listed_words from_words = {.terms = &t->words[0].folded,
                                     .n = t->words[0].folded.all.n};
    const listed_words into_words = {.terms = &t->words[1].folded, .n = n};
    DPL_TRY(write_strings(t, w, sources, &from_words, err));
    DPL_TRY(write_strings(t, w, targets, &into_words, err));
    DPL_TRY(write_shown(t, w, err));
    DPL_TRY(dpl__writer_add(w, "source.lang", 1, from, strlen(from), err));
    DPL_TRY(dpl__writer_add(w, "target.lang", 1, into, strlen(into), err));
    DPL_TRY(dpl__phrases_write(t->phrases, w, &t->s, err));
    uint32_t n_lm = (uint32_t)dpl__min(n, DPL__LM_MOST);
    DPL_TRY(dpl__lm_write(w, &t->spill, &t->text, n_lm, n_ngrams, err));
    t->s.n_bigrams = n_ngrams[0];
    t->s.n_trigrams = n_ngrams[1];
    DPL_TRY(write_settings(t, w, err));
    return dpl__writer_finish(w, &t->s.n_output_bytes, err);
}

/* ---- the whole ------------------------------------------------------------------------ */

static dpl_status train_lexicon(trainer *t, const char *const *paths, size_t n_paths,
                                dpl_error *err)
{
    dpl_bitext *rows = NULL;
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = t->o.read);
    DPL_TRY(dpl_bitext_open(&rows, t->ctx, paths, n_paths, t->o.read, err));
    dpl_status status = dpl_lexicon_train_rows(&t->own, NULL, t->ctx, rows, &o, err);
    dpl_bitext_close(rows);
    t->lexicon = t->own;
    return status;
}

static dpl_status train(trainer *t, const char *out_path, const char *const *paths,
                        size_t n_paths, dpl_error *err)
{
    if (!t->lexicon)
        DPL_TRY(train_lexicon(t, paths, n_paths, err));
    DPL_TRY(dpl__spill_init(&t->spill, t->ctx, t->o.temp ? t->o.temp : dpl__unnamed_dir, err));
    dpl__spool_init(&t->text, &t->spill, (size_t)(dpl_ctx_memory(t->ctx) / 16));
    DPL_TRY(init_words(t, 0, err));
    DPL_TRY(init_words(t, 1, err));
    DPL_TRY(dpl__phrases_new(&t->phrases, &t->spill, t->o.max_phrase, t->o.top, err));
    dpl_align_options align =
        DPL_INIT(dpl_align_options, .read = t->o.read, .symmetrize = t->o.symmetrize);
    dpl_align_input in = DPL_INIT(dpl_align_input, .lexicon = t->lexicon, .paths = paths,
                                  .n_paths = n_paths, .take = take_row, .user = t);
    DPL_TRY(dpl_lexicon_align(NULL, t->ctx, &in, &align, err));
    DPL_TRY(add_lexicon(t, err));
    DPL_TRY(add_pivot(t, err));
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, t->ctx, out_path, "phrases", err));
    dpl_status status = write_all(t, w, err);
    dpl__writer_free(w);
    return status;
}

static dpl_status settle(dpl_phrases_options *o, const dpl_phrases_options *options,
                         dpl_error *err)
{
    DPL_TRY(DPL__TAKE(o, options, err));
    o->max_phrase = o->max_phrase ? o->max_phrase : 4;
    o->top = o->top ? o->top : 10;
    if (o->max_phrase > DPL__MOST_PHRASE || o->top > 100)
        return dpl__fail(err, DPL_E_USAGE,
                         "a phrase has at most %d words, and 100 translations",
                         DPL__MOST_PHRASE);
    return DPL_OK;
}

dpl_status dpl_phrases_train(dpl_phrases_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const char *const *paths, size_t n_paths,
                             const dpl_phrases_options *options, dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    trainer t = {.ctx = ctx};
    DPL_TRY(settle(&t.o, options, err));
    double start = dpl__now();
    t.lexicon = t.o.lexicon;
    dpl_status status;
    DPL__STEP(train(&t, out_path, paths, n_paths, err));
    t.s.seconds = dpl__now() - start;
    DPL__GIVE(summary, &t.s);
done:
    dpl__phrases_free(t.phrases);
    clear_words(&t, &t.words[0]);
    clear_words(&t, &t.words[1]);
    dpl__spool_clear(&t.text);
    dpl__vec_clear(ctx, &t.row[0], &t.row[1], &t.links);
    dpl__spill_clear(&t.spill);
    dpl_lexicon_close(t.own);
    return status;
}
