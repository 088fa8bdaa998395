/*
 * query.h - what a question holds while it is answered. Owned.
 *
 * Words of the query (query_words.c) become entries of a vector in the pivot language
 * (query_vector.c). Candidates come from postings (query_exact.c) and codes (query_codes.c);
 * query_verify.c compares them with the query.
 */
#ifndef DPL_INDEX_QUERY_H
#define DPL_INDEX_QUERY_H

#include "base/map.h"
#include "index/pocket.h"
#include "signatures/coder.h"

#define DPL__NO_WORD UINT32_MAX

/* A word of the query, each once. */
typedef struct dpl__query_word {
    dpl_str text;
    uint64_t key;  /* dpl__term_key */
    uint32_t term; /* of the index; DPL__NO_WORD: it does not have it */
    float count;
} dpl__query_word;

typedef DPL_VEC(dpl__query_word) dpl__query_words;

static inline uint64_t dpl__query_word_key(const void *words, uint32_t i)
{
    assert(i < ((const dpl__query_words *)words)->n);
    return ((const dpl__query_words *)words)->data[i].key;
}

static inline bool dpl__query_word_is(const void *words, uint32_t i, uint64_t key)
{
    return dpl__query_word_key(words, i) == key;
}

DPL_NUMBER_MAP(dpl__query_numbers, uint64_t, dpl__query_word_key, dpl__query_word_is);

/* A term of the query's vector. */
typedef struct dpl__query_entry {
    uint32_t term; /* DPL__NO_WORD: no document has it */
    uint32_t word; /* the first of the words that stand for it */
    double tf;
    float idf, weight; /* of length one all together */
} dpl__query_entry;

/* Where something about a term, or a row, is: a place in an array. */
typedef struct dpl__place {
    uint32_t number; /* of the term or the row, from 1; 0: free */
    uint32_t at;
} dpl__place;

static inline bool dpl__place_is_used(const void *user, const dpl__place *p)
{
    (void)user;
    return p->number != 0;
}

/* Low bits of the product are a permutation of those of the number; mixing in high ones made
 * exact queries 15 % slower. */
static inline uint32_t dpl__place_hash(uint32_t number)
{
    return number * 0x9E3779B1u;
}

static inline uint64_t dpl__place_hash_of(const void *user, const dpl__place *p)
{
    (void)user;
    return dpl__place_hash(p->number);
}

static inline bool dpl__place_has(const void *user, const dpl__place *p, uint32_t number)
{
    (void)user;
    return p->number == number;
}

DPL_MAP(dpl__places, dpl__place, uint32_t, dpl__place_is_used, dpl__place_hash_of,
        dpl__place_has);

enum { DPL__FILTER_BITS = 14, DPL__FILTER_WORDS = 1 << (DPL__FILTER_BITS - 6) };

/* A document that may be a hit. */
typedef struct dpl__candidate {
    uint32_t row;
    uint16_t n_codes, n_flips; /* found by codes: how many, and bits that differ in them */
    float bound;               /* of its score, from postings */
} dpl__candidate;

/* What postings add up to for a document. */
typedef struct dpl__row_sum {
    uint32_t number; /* of the row, from 1; 0: free */
    float sum;
} dpl__row_sum;

static inline bool dpl__row_sum_is_used(const void *user, const dpl__row_sum *s)
{
    (void)user;
    return s->number != 0;
}

static inline uint64_t dpl__row_sum_hash(const void *user, const dpl__row_sum *s)
{
    (void)user;
    return dpl__place_hash(s->number);
}

static inline bool dpl__row_sum_has(const void *user, const dpl__row_sum *s, uint32_t number)
{
    (void)user;
    return s->number == number;
}

DPL_MAP(dpl__row_sums, dpl__row_sum, uint32_t, dpl__row_sum_is_used, dpl__row_sum_hash,
        dpl__row_sum_has);

enum { DPL__HOPEFUL_BITS = 16 };

/* A code that is looked up. */
typedef struct dpl__probe {
    uint64_t key;
    uint32_t code, n_flips;
} dpl__probe;

struct dpl_query {
    dpl_ctx *ctx;
    const dpl_index *index;
    dpl_query_options o; /* complete */
    bool has_threshold;  /* of the caller */
    uint32_t only_lang;  /* UINT32_MAX: all */

    /* of the question */
    dpl_str text;
    const dpl_token *tokens;
    size_t n_tokens;
    uint32_t lang;    /* number; UINT32_MAX: not known */
    uint32_t own_row; /* not to be found; DPL__NO_WORD: none */
    bool is_short, is_exact;
    double threshold; /* that scores must reach; rises when there are enough hits */
    double missed;    /* the most similar document that postings may have missed; 0: none */
    dpl_query_result result;

    dpl__query_words words;
    dpl__query_numbers word_numbers; /* by their keys */
    DPL_VEC(dpl__query_entry) entries;
    dpl__places entry_places; /* of terms, in entries */
    uint64_t
        filter[DPL__FILTER_WORDS]; /* a bit for each term, and for some that are not there */

    dpl__coder coder;
    DPL_VEC(uint64_t) codes, marks;
    DPL_VEC(float) margins, code_weights;
    DPL_VEC(dpl__probe) probes;
    DPL_VEC(dpl__candidate) candidates;
    dpl__row_sums row_sums;                         /* of documents that postings led to */
    DPL_VEC(dpl__row_sum) hopeful_sums;             /* of those that may reach the threshold */
    uint64_t hopeful[1 << (DPL__HOPEFUL_BITS - 6)]; /* a bit for each of them */
    uint32_t *stamps; /* of each document: the question that met it last, and where */
    uint32_t *places;
    uint32_t stamp;
    DPL_VEC(double) sums; /* of a translated document: occurrences of each entry */

    DPL_VEC(dpl_query_hit) hits;
    DPL_VEC(dpl_query_term) terms;
    DPL_VEC(dpl_query_term) shown; /* terms as texts write them, in written */
    dpl__bytes written;
    DPL_VEC(dpl_query_passage) passages;
    void *matching;  /* query_match.c */
    bool is_matched; /* the sentences of the question are in it */
    void (*free_matching)(dpl_query *query);
    void *tokenizer; /* query_text.c */
    void (*free_tokenizer)(dpl_query *query);
};

/* ---- words and vector --------------------------------------------------------------- */

/* The words of the tokens, each once, with their numbers in the index. */
dpl_status dpl__query_find_words(dpl_query *q, dpl_error *err);
/* Takes the words of a document of the index. */
dpl_status dpl__query_take_row(dpl_query *q, uint32_t row, dpl_error *err);
/* Entries and their weights. */
dpl_status dpl__query_make_vector(dpl_query *q, dpl_error *err);

/* The bit of a term in the filter. */
static inline uint32_t dpl__query_filter_bit(uint32_t term)
{
    return term * 0x9E3779B1u >> (32 - DPL__FILTER_BITS);
}

/* False: the query does not have the term. */
static inline bool dpl__query_may_have(const dpl_query *q, uint32_t term)
{
    const uint32_t bit = dpl__query_filter_bit(term);
    return q->filter[bit / 64] >> bit % 64 & 1;
}

/* The entry of a term; NULL when the query does not have it. */
static inline const dpl__query_entry *dpl__query_find_entry(const dpl_query *q, uint32_t term)
{
    const dpl__place *p =
        dpl__places_find(&q->entry_places, dpl__place_hash(term + 1), term + 1);
    return p->number ? &q->entries.data[p->at] : NULL;
}

/* The same where most terms are none of the query's. */
static inline const dpl__query_entry *dpl__query_entry_of(const dpl_query *q, uint32_t term)
{
    return dpl__query_may_have(q, term) ? dpl__query_find_entry(q, term) : NULL;
}

/* Numbers of terms that the index has for these keys; DPL__NO_WORD for the others. stride:
 * bytes from one to the next. */
void dpl__index_find_terms(const dpl_index *x, const uint64_t *keys, size_t n, uint32_t *out);

/* Other options for the questions to come. */
dpl_status dpl__query_set(dpl_query *query, const dpl_query_options *options, dpl_error *err);
/* A text and its words: folded as dpl_tokens does, with their places in the text; sentences are
 * counted by dpl_token.sentence. */
typedef struct dpl__cut_text {
    dpl_str text;
    const dpl_token *tokens;
    size_t n_tokens;
} dpl__cut_text;

/* dpl_query_text of a text that is cut already. Needs no tokenizer. lang may be NULL. */
dpl_status dpl__query_tokens(dpl_query *query, const dpl__cut_text *cut, const char *lang,
                             dpl_query_result *out, dpl_error *err);

/* ---- answers ------------------------------------------------------------------------ */

/* Everything from words on: fills q->result. */
dpl_status dpl__query_answer(dpl_query *q, dpl_query_result *out, dpl_error *err);

/* The document is one more candidate, unless it is one already; NULL when there is no memory.
 */
dpl__candidate *dpl__query_candidate(dpl_query *q, uint32_t row);

/* Documents that share a code with the query, or one near it. */
dpl_status dpl__query_by_codes(dpl_query *q, dpl_error *err);
/* Documents with words of the query, rare words first, within the budget of postings; true in
 * *is_complete when all documents at or above the threshold are candidates. */
dpl_status dpl__query_by_postings(dpl_query *q, uint64_t budget, bool *is_complete,
                                  dpl_error *err);

/* The cosine of the query and a document, and how many terms they share. */
float dpl__query_score(dpl_query *q, uint32_t row, uint32_t *n_shared);
/* Candidates become hits: verified, or by their codes. */
dpl_status dpl__query_verify(dpl_query *q, dpl_error *err);

/* dpl_query_passages of a document's text that is cut already. Needs no tokenizer. */
dpl_status dpl__query_match(dpl_query *query, size_t hit, const dpl__cut_text *cut,
                            const dpl_query_passage **passages, size_t *n, dpl_error *err);

/* ---- texts ------------------------------------------------------------------------------ */

typedef struct dpl__text_words {
    dpl_tokens *tokenizers[2];
    DPL_VEC(dpl_token) tokens[2];
} dpl__text_words;

/* dpl_query_text in a language that is known; NULL: it is not. */
dpl_status dpl__query_ask(dpl_query *q, dpl_str text, const char *given, dpl_query_result *out,
                          dpl_error *err);

#endif
