/*
 * term_match.c - words of a lexicon to terms of a collection.
 *
 * In: frozen collection and lexicon. Out: for each word of the collection's language its term,
 * and the words of the other language in byte order, numbered.
 *
 * Words and terms have to meet, on both sides. A collection that is stemmed holds stems, and so
 * does one of language e that the vectors are to be compared with; a lexicon holds stems or
 * words. So, when the collection is stemmed, a column of words is stemmed, too. A column of
 * stems is taken as it is: a stemmer does not leave all of its own stems alone, and stemming
 * twice loses pairs. Its words f that are no terms go to the term of their stem, where no other
 * word is that term. Whether a column of text holds stems is decided from a sample; a .dpl of
 * stems says so, and its stems are those of our own stemmer.
 *
 * Cost: linear in vocabulary and lexicon, but for the sort of the words e and the lookup of
 * stems.
 */
#include "vectors/term_match.h"

#include "io/sections.h"
#include "lexicon/sort_words.h"
#include "tokens/fold.h"
#include "tokens/stemming.h"

#define NONE DPL__NOT_A_TERM

typedef struct matcher {
    dpl_ctx *ctx;
    const dpl_collection *c;
    const dpl__facts *facts;
    const dpl_lexicon *lexicon;
    const uint32_t *order;       /* terms of the collection in byte order */
    const dpl__strings *fs, *es; /* the lexicon's two columns */
    const char *e_lang;
    uint32_t *f_terms, *e_words;
    dpl__strings words;
    bool is_stemming;
} matcher;

/* ---- vocabularies in byte order ----------------------------------------------------- */

dpl_status dpl__term_order(const uint32_t **out, const dpl_collection *c, dpl_error *err)
{
    return dpl__get_n(dpl__collection_file(c), "term.order", 4, out,
                      dpl_collection_get_sizes(c)->n_terms, err);
}

size_t dpl__match_words(uint32_t *out, const dpl_collection *c, const uint32_t *order,
                        uint32_t n_most, const dpl__strings *words)
{
    size_t n_terms = dpl_collection_get_sizes(c)->n_terms, at = 0, n_found = 0;
    assert(n_most <= n_terms);
    for (size_t i = 0; i < words->n; i++) {
        dpl_str word = dpl__string(words, i);
        int cmp = 1;
        while (at < n_terms &&
               (cmp = dpl__str_cmp(dpl_collection_term(c, order[at]), word)) < 0)
            at++;
        bool is_found = at < n_terms && cmp == 0 && order[at] < n_most;
        out[i] = is_found ? order[at] : NONE;
        n_found += is_found;
    }
    return n_found;
}

/* ---- stems -------------------------------------------------------------------------- */

/* How the words of a column become terms of a stemmed collection. */
typedef struct column {
    dpl__folder *folder; /* stems; NULL: there are no stems, words are terms */
    bool is_stems;       /* the words are stems already */
} column;

/* In a column of stems nearly all words are their own stem (0.93 and more in the tables we have
 * seen), in a column of words about half. A sample decides. */
static dpl_status judge(column *out, const dpl__strings *words, dpl_error *err)
{
    enum { SAMPLE = 4096 };
    size_t n = dpl__min(words->n, SAMPLE), n_same = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str stem, word = dpl__string(words, i * words->n / n);
        DPL_TRY(dpl__fold(out->folder, word, &stem, err));
        n_same += dpl__str_eq(stem, word);
    }
    out->is_stems = n_same * 10 >= n * 8;
    return DPL_OK;
}

static dpl_status column_init(column *out, matcher *b, const dpl__strings *words,
                              const char *lang, dpl_error *err)
{
    *out = (column){0};
    if (!b->facts->is_stemmed || b->lexicon->is_stemmed || !dpl__stem_has(lang))
        return DPL_OK;
    b->is_stemming = true;
    DPL_TRY(dpl__folder_new(&out->folder, b->ctx, &(dpl_tokens_options){.stem = true}, err));
    DPL_TRY(dpl__folder_language(out->folder, lang, err));
    return judge(out, words, err);
}

/* ---- words f ------------------------------------------------------------------------ */

/* claimed: the terms that a word has as it is. */
static dpl_status stem_fs(matcher *b, const column *c, const bool *claimed, dpl_error *err)
{
    for (size_t i = 0; i < b->fs->n; i++) {
        dpl_str stem;
        uint32_t term;
        if (c->is_stems && b->f_terms[i] != NONE)
            continue;
        DPL_TRY(dpl__fold(c->folder, dpl__string(b->fs, i), &stem, err));
        if (dpl_collection_find_term(b->c, stem, &term) && term < b->facts->n_terms &&
            !(c->is_stems && claimed[term]))
            b->f_terms[i] = term;
    }
    return DPL_OK;
}

static dpl_status find_fs(matcher *b, dpl_error *err)
{
    column c = {0};
    size_t n = (size_t)b->facts->n_terms + 1;
    dpl__match_words(b->f_terms, b->c, b->order, b->facts->n_terms, b->fs);
    bool *claimed = dpl__calloc(b->ctx, n, sizeof *claimed);
    dpl_status status;
    DPL__STEP(claimed ? column_init(&c, b, b->fs, b->facts->lang, err) : dpl__fail_nomem(err));
    for (size_t i = 0; i < b->fs->n; i++)
        if (b->f_terms[i] != NONE)
            claimed[b->f_terms[i]] = true;
    if (c.folder)
        status = stem_fs(b, &c, claimed, err);
done:
    dpl__folder_free(c.folder);
    dpl__free(b->ctx, claimed);
    return status;
}

/* ---- words e ------------------------------------------------------------------------ */

/* Numbers them as terms; several may become one. */
static dpl_status number_es(matcher *b, dpl__terms *es, dpl_error *err)
{
    column c;
    dpl_status status;
    DPL__STEP(column_init(&c, b, b->es, b->e_lang, err));
    for (size_t i = 0; i < b->es->n; i++) {
        dpl_str word = dpl__string(b->es, i);
        if (c.folder && !c.is_stems)
            DPL__STEP(dpl__fold(c.folder, word, &word, err));
        DPL__STEP(dpl__terms_number(es, word, &b->e_words[i], err));
    }
done:
    dpl__folder_free(c.folder);
    return status;
}

static dpl_status find_es(matcher *b, dpl_error *err)
{
    dpl__terms es;
    dpl__terms_init(&es, b->ctx);
    size_t n = b->es->n;
    uint32_t *ranks = dpl__alloc(b->ctx, (n + 1) * sizeof *ranks);
    dpl_status status;
    DPL__STEP(ranks ? number_es(b, &es, err) : dpl__fail_nomem(err));
    DPL__STEP(dpl__words_sort(&b->words, ranks, &es, err));
    for (size_t i = 0; i < n; i++)
        b->e_words[i] = ranks[b->e_words[i]];
done:
    dpl__free(b->ctx, ranks);
    dpl__terms_clear(&es);
    return status;
}

/* ---- both --------------------------------------------------------------------------- */

static dpl_status find(matcher *b, dpl_error *err)
{
    DPL_TRY(dpl__term_order(&b->order, b->c, err));
    b->f_terms = dpl__alloc(b->ctx, (b->fs->n + 1) * sizeof *b->f_terms);
    b->e_words = dpl__alloc(b->ctx, (b->es->n + 1) * sizeof *b->e_words);
    DPL_TRY(dpl__need(b->f_terms && b->e_words, err));
    DPL_TRY(find_fs(b, err));
    return find_es(b, err);
}

dpl_status dpl__term_match_make(dpl__term_match *m, const dpl__facts *facts, dpl_error *err)
{
    matcher b = {.ctx = m->ctx,
                 .c = m->c,
                 .facts = facts,
                 .lexicon = m->lexicon,
                 .fs = &m->lexicon->words[m->f_side],
                 .es = &m->lexicon->words[!m->f_side],
                 .e_lang = m->e_lang};
    dpl_status status = find(&b, err);
    m->n_terms = facts->n_terms;
    m->is_stemming = b.is_stemming;
    m->f_terms = b.f_terms;
    m->e_words = b.e_words;
    m->words = b.words;
    if (status != DPL_OK)
        dpl__term_match_clear(m);
    return status;
}

void dpl__term_match_clear(dpl__term_match *m)
{
    if (!m->ctx)
        return;
    dpl__free(m->ctx, m->f_terms, m->e_words);
    dpl__words_free(&m->words, m->ctx);
    *m = (dpl__term_match){0};
}

bool dpl__term_match_fits(const dpl__term_match *m, const dpl__facts *facts, int f_side,
                          const char *e_lang)
{
    return m->f_side == f_side && strcmp(m->e_lang, e_lang) == 0 &&
           (m->n_terms == facts->n_terms || (m->n_terms > facts->n_terms && !m->is_stemming));
}
