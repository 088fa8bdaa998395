/*
 * pocket.h - what an open index holds: pointers into the mapped file. Frozen.
 */
#ifndef DPL_INDEX_POCKET_H
#define DPL_INDEX_POCKET_H

#include "doppel/index.h"

#include "index/index_params.h"
#include "index/mph.h"
#include "index/packed.h"
#include "io/sections.h"
#include "signatures/hash_functions.h"

#define DPL__POCKET_KIND "pocket"

/* The numbers of section `numbers`. */
enum {
    DPL__N_VERSION,
    DPL__N_DOCS,
    DPL__N_TERMS,
    DPL__N_LANGS,
    DPL__N_TRANSLATED, /* languages that the lexicon has: the last ones of the lexicon table */
    DPL__N_FLAGS,
    DPL__N_CHECKSUM,
    DPL__N_ENTRIES, /* numbers of documents in all slots */
    DPL__N_MAX_TOKEN,
    DPL__N_PIVOT,   /* number of the pivot language, or UINT64_MAX */
    DPL__N_AVERAGE, /* bits of a double: mean length of a document */
    DPL__N_UNKNOWN, /* bits of a double: idf of a word that no document has */
    DPL__N_WORDS,
    DPL__N_EMPTY,  /* documents without words */
    DPL__N_AUTO,   /* 1: the length of codes follows from the number of documents */
    DPL__N_SAMPLE, /* documents of the receipt, at most */
    DPL__N_NUMBERS
};

enum { DPL__POCKET_VERSION = 2 };

/* Bits of DPL__N_FLAGS. */
enum {
    DPL__F_VECTORS = 1,
    DPL__F_POSTINGS = 2,
    DPL__F_TEXTS = 4,
    DPL__F_PLAIN = 8, /* texts are not compressed */
    DPL__F_STEM = 16,
    DPL__F_STOP = 32,
    DPL__F_ALL = 63
};

/* In front of a text are its length, 7 bits a byte, and its CRC-32C. Compressed, a byte expands
 * to at most DPL__MOST_RATIO bytes. */
enum { DPL__TEXT_SUM = 4, DPL__MOST_RATIO = 1024, DPL__CONTEXTS = 16 };

/* Weights in postings: code c stands for 2^((c - 255) / DPL__WEIGHT_STEPS), rounded upwards. */
enum { DPL__WEIGHT_STEPS = 24 };

typedef struct dpl__code_table {
    dpl__mph mph;
    dpl__packed checks;
    const uint64_t *starts; /* a bit for each entry: set where a slot begins */
    const uint32_t *select; /* the place of every 64th set bit */
    uint64_t n_entries, n_start_words;
    dpl__packed docs;
} dpl__code_table;

/* p(e|f): translations of each term into the pivot language, by number of terms. */
typedef struct dpl__pocket_lexicon {
    const uint32_t *offsets; /* n_terms + 1 */
    uint32_t lang;           /* its number */
} dpl__pocket_lexicon;

enum { DPL__MOST_LANGS = 250, DPL__LANG_BYTES = 12 };

struct dpl_index {
    dpl_ctx *ctx;
    dpl_file *file;
    void *copy; /* of bytes that were not aligned */
    uint32_t n_docs, n_terms, n_langs, n_translated, n_empty;
    unsigned flags, checksum, max_token, sample;
    bool has_auto_k;
    uint64_t n_words;
    double average, unknown_idf;
    const char *lang_codes;      /* DPL__LANG_BYTES each */
    uint32_t pivot;              /* UINT32_MAX: none */
    const uint64_t *lang_counts; /* documents, words */
    const uint8_t *doc_langs;    /* NULL: one language */
    dpl__packed doc_words;
    dpl__offsets names; /* two for each document: id, title */
    const char *name_bytes;
    dpl__mph ids;
    dpl__packed id_rows;
    dpl_hash hash;
    dpl__code_table codes;
    dpl__mph terms;
    const uint64_t *term_slots; /* low 32 bits: term, high ones: check */
    const float *idf;
    dpl__offsets term_names; /* without vectors: none */
    const char *term_bytes;
    dpl__offsets rows;
    const uint8_t *row_bytes;
    const float *norms;
    const uint64_t *post_lists; /* of each term, and one more */
    const uint8_t *post_bytes;
    dpl__pocket_lexicon *lexicons; /* n_translated */
    const uint32_t *lexicon_terms;
    const float *lexicon_p;
    uint8_t *lexicon_of_lang; /* of each language: number in lexicons, or 255 */
    dpl__offsets texts;
    const uint8_t *text_bytes;
    struct ZSTD_DDict_s *dictionary; /* of texts; NULL: none */
    _Atomic(struct ZSTD_DCtx_s *)
        *contexts; /* DPL__CONTEXTS that unpack no text now, or NULL */
    dpl_index_receipt receipt;
    dpl_str settings;
    float weights[256]; /* of postings */
    dpl_index_lang *langs;
    dpl_index_part *parts;
    size_t n_parts;
};

/* The file's sections become an index; the file is closed with it, or here after a failure.
 * checks: verifies the checksums. */
dpl_status dpl__index_from_file(dpl_index **out, dpl_ctx *ctx, dpl_file *file, bool checks,
                                dpl_error *err);

/* dpl_index_open for an index that is copied: verifies the texts, too, which else would get a
 * right checksum whatever they are. */
dpl_status dpl__index_open_whole(dpl_index **out, dpl_ctx *ctx, const char *path,
                                 dpl_error *err);

/* What dpl_index_describe says of sections and languages. */
dpl_status dpl__index_describe_parts(dpl_index *x, dpl_error *err);

static inline const char *dpl__index_lang(const dpl_index *x, uint32_t lang)
{
    return x->lang_codes + (size_t)lang * DPL__LANG_BYTES;
}

static inline uint32_t dpl__index_doc_lang(const dpl_index *x, uint32_t row)
{
    assert(row < x->n_docs);
    return x->doc_langs ? x->doc_langs[row] : 0;
}

/* Number of a language; UINT32_MAX when the index does not have it. */
uint32_t dpl__index_find_lang(const dpl_index *x, const char *lang);

/* NULL: documents of that language are not translated. */
static inline const dpl__pocket_lexicon *dpl__index_lexicon(const dpl_index *x, uint32_t lang)
{
    const unsigned i = lang < x->n_langs ? x->lexicon_of_lang[lang] : 255;
    return i < x->n_translated ? &x->lexicons[i] : NULL;
}

dpl_str dpl__index_term(const dpl_index *x, uint32_t term);

/* ---- keys --------------------------------------------------------------------------- */

/* The key of code c of a document, of all c together. */
static inline uint64_t dpl__code_key(uint64_t code, unsigned c)
{
    return dpl__mix(code + DPL__K2 * ((uint64_t)c + 1));
}

static inline uint64_t dpl__key_check(uint64_t key, unsigned bits)
{
    return dpl__mix(key ^ DPL__K1) >> (64 - bits);
}

static inline uint64_t dpl__string_key(dpl_str s)
{
    return dpl__hash(s.data, s.n, 1);
}

/* ---- rows --------------------------------------------------------------------------- */

/* A number of 7 bits a byte. False when it runs over the end. */
static inline bool dpl__get_varint(const uint8_t **p, const uint8_t *end, uint32_t *out)
{
    uint32_t x = 0;
    for (unsigned shift = 0; *p < end && shift < 35; shift += 7) {
        const uint8_t b = *(*p)++;
        x |= (uint32_t)(b & 127) << shift;
        if (b < 128) {
            *out = x;
            return true;
        }
    }
    return false;
}

static inline size_t dpl__put_varint(uint8_t *p, uint32_t x)
{
    size_t n = 0;
    for (; x >= 128; x >>= 7)
        p[n++] = (uint8_t)(x | 128);
    p[n++] = (uint8_t)x;
    return n;
}

/* Rows and postings are blocks of numbers of as many bits as the largest of the block needs, so
 * that they are read without branches. Up to DPL__SLACK bytes are read behind a block. */
enum {
    DPL__ROW_BLOCK = 16,
    DPL__POST_BLOCK = 64,
    DPL__COUNT_BITS = 24, /* of an occurrence less one, at most */
    DPL__MOST_COUNT = 1 << DPL__COUNT_BITS,
    DPL__SLACK = 8
};

static inline size_t dpl__block_bytes(size_t n, unsigned width)
{
    return (n * width + 7) / 8;
}

static inline uint64_t dpl__block_get(const uint8_t *p, size_t bit)
{
    return dpl__load64(p + bit / 8) >> bit % 8;
}

/* A document's terms, rising, and how often each occurs. */
typedef struct dpl__row_reader {
    const uint8_t *at, *end;
    uint32_t term, count; /* dpl__row_next: of this one */
    uint32_t n_terms, n_left;
    uint64_t least; /* of the next term */
    uint32_t n, i;  /* the block: how many, and which is next */
    uint32_t terms[DPL__ROW_BLOCK], counts[DPL__ROW_BLOCK];
} dpl__row_reader;

static inline void dpl__row_begin(dpl__row_reader *r, const dpl_index *x, uint32_t row)
{
    r->at = x->row_bytes + dpl__offset(&x->rows, row);
    r->end = x->row_bytes + dpl__offset(&x->rows, row + 1);
    r->n_terms = x->n_terms;
    r->least = r->n = r->i = 0;
    if (!dpl__get_varint(&r->at, r->end, &r->n_left))
        r->n_left = 0;
}

/* The next terms and counts, n of them. False behind the last ones, and where the bytes are
 * damaged. */
static inline bool dpl__row_block(dpl__row_reader *r)
{
    const uint32_t n = r->n_left < DPL__ROW_BLOCK ? r->n_left : DPL__ROW_BLOCK;
    if (n == 0 || r->end - r->at < 2)
        return false;
    const unsigned step_bits = r->at[0], count_bits = r->at[1], width = step_bits + count_bits;
    const uint8_t *p = r->at + 2;
    if (step_bits > 32 || count_bits > DPL__COUNT_BITS ||
        dpl__block_bytes(n, width) > (size_t)(r->end - p))
        return false;
    const uint64_t step_mask = ((uint64_t)1 << step_bits) - 1;
    const uint32_t count_mask = ((uint32_t)1 << count_bits) - 1;
    uint64_t least = r->least;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t x = dpl__block_get(p, (size_t)i * width);
        least += (x & step_mask) + 1;
        r->terms[i] = (uint32_t)least - 1;
        r->counts[i] = ((uint32_t)(x >> step_bits) & count_mask) + 1;
    }
    if (least > r->n_terms)
        return false;
    r->at = p + dpl__block_bytes(n, width);
    r->least = least;
    r->n_left -= n;
    r->n = n;
    r->i = 0;
    return true;
}

/* One by one. */
static inline bool dpl__row_next(dpl__row_reader *r)
{
    if (r->i == r->n && !dpl__row_block(r))
        return false;
    r->term = r->terms[r->i];
    r->count = r->counts[r->i++];
    return true;
}

/* Where the postings of a term are: a number of each term has their place (DPL__PLACE_BITS),
 * the largest weight (8 bits) and how many there are (16 bits). DPL__MANY_POSTS: that number is
 * before them. */
enum { DPL__PLACE_BITS = 40, DPL__MANY_POSTS = 0xFFFF };

typedef struct dpl__post_list {
    uint64_t begin;
    uint32_t n_docs;
    uint8_t most; /* the largest weight */
} dpl__post_list;

/* The place of a term's postings, which ends those of the term before. */
static inline uint64_t dpl__post_place(const dpl_index *x, uint32_t term)
{
    return x->post_lists[term] >> (64 - DPL__PLACE_BITS);
}

static inline dpl__post_list dpl__post_list_get(const dpl_index *x, uint32_t term)
{
    const uint64_t l = x->post_lists[term];
    dpl__post_list out = {dpl__post_place(x, term), (uint16_t)l, (uint8_t)(l >> 16)};
    if (out.n_docs == DPL__MANY_POSTS) {
        out.n_docs = dpl__load32(x->post_bytes + out.begin);
        out.begin += sizeof out.n_docs;
    }
    return out;
}

/* ---- weights ------------------------------------------------------------------------ */

/* BM25: what tf becomes when a document has this length. */
double dpl__bm25_damp(const dpl_index *x, double length);
double dpl__bm25_idf(double n_docs, double df);
/* What each code of a weight stands for. */
void dpl__weight_steps(float out[256]);

static inline double dpl__bm25(double idf, double tf, double damp)
{
    return idf * (tf * (DPL__P(index, k1) + 1) / (tf + damp));
}

#endif
