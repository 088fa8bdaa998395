/*
 * mine_folder.h - the folder of a mine run, opened for looking at it: pairs with their
 * documents, sentences and judgements. Frozen, but for the judgements, which are locked.
 *
 * sentences.tsv is mapped, pairs.tsv and the lists of links are copied: their ids are compared
 * under the lock of the judgements, where no page may be missing (watch.h). A pair holds
 * offsets into them. Opening reads all once: about 1 s for 10 million sentences.
 */
#ifndef DPL_SERVE_MINE_FOLDER_H
#define DPL_SERVE_MINE_FOLDER_H

#include "base/base.h"
#include "base/map.h"
#include "base/vec.h"
#include "doppel/tokens.h"
#include "serve/judge_file.h"
#include "serve/watch.h"

#include <stdatomic.h>

/* ---- run.json --------------------------------------------------------------------------- */

typedef struct dpl__run_langs {
    char langs[2][12];
    bool is_sentences; /* the unit was a single sentence */
} dpl__run_langs;

typedef struct dpl__run_json {
    char langs[2][12];
    bool is_sentences;
    char inputs[2][4100]; /* paths of the two inputs, from work/settings.json; or empty */
    dpl__run_langs *runs; /* with a pivot; else none */
    size_t n_runs;
} dpl__run_json;

/* Reads dir/run.json; DPL_E_USAGE ("not-a-run") when there is none. */
dpl_status dpl__run_json_read(dpl__run_json *out, dpl_ctx *ctx, const char *dir,
                              dpl_error *err);
void dpl__run_json_clear(dpl__run_json *r, dpl_ctx *ctx);

enum { DPL__NO_DOC = UINT32_MAX, DPL__NO_RANGE = UINT32_MAX };

/* A file's bytes; data is NULL: empty or not there. */
typedef struct dpl__mapped {
    const char *data;
    size_t n;
    bool is_copy; /* in memory, not mapped */
} dpl__mapped;

/* Two languages. */
typedef struct dpl__served_run {
    char langs[2][12];
    dpl_collection *docs[2];                /* NULL: not there any more */
    dpl__mapped pairs, sentences, links[2]; /* links: missing ones, suspicious ones */
    uint32_t n_pairs;
} dpl__served_run;

/* Lines of sentences.tsv in a row that belong to one pair. */
typedef struct dpl__sentence_lines {
    uint64_t begin;
    uint32_t n_bytes;
    uint32_t next; /* of the pair; DPL__NO_RANGE: none */
} dpl__sentence_lines;

typedef struct dpl__served_pair {
    dpl_str ids[2];
    uint32_t docs[2]; /* DPL__NO_DOC: no text */
    uint32_t run;
    float confidence;
    uint32_t lines; /* first range of sentences; DPL__NO_RANGE: none */
    uint32_t n_sentences;
} dpl__served_pair;

/* What a pair must be. */
typedef struct dpl__wanted_pair {
    dpl_str ids[2];
    dpl_str langs[2]; /* empty: any */
    uint32_t run;     /* UINT32_MAX: any */
} dpl__wanted_pair;

/* Pairs of a folder (user) by their ids. */
uint64_t dpl__served_pair_hash(const void *folder, uint32_t pair);
bool dpl__served_pair_fits(const void *folder, uint32_t pair, const dpl__wanted_pair *wanted);
DPL_NUMBER_MAP(dpl__pair_table, const dpl__wanted_pair *, dpl__served_pair_hash,
               dpl__served_pair_fits);

/* A line of missing-links.tsv or suspicious-links.tsv (mine_links.h). */
typedef struct dpl__served_link {
    dpl_str line;
    uint32_t run;
    uint32_t pair;     /* that has the state; DPL__NO_PAIR_OF_LINK: the link has its own */
    float probability; /* that it is right; of a suspicious one that it is wrong */
    bool is_suspicious;
    uint32_t next; /* number, from 1, of another link with the same ids; 0: none */
} dpl__served_link;

/* Links of a dpl__served_links (user) by their ids: two. */
uint64_t dpl__served_link_hash(const void *links, uint32_t link);
bool dpl__served_link_has(const void *links, uint32_t link, const dpl_str *ids);
DPL_NUMBER_MAP(dpl__link_table, const dpl_str *, dpl__served_link_hash, dpl__served_link_has);

enum { DPL__NO_PAIR_OF_LINK = UINT32_MAX };

typedef struct dpl__served_links {
    DPL_VEC(dpl__served_link) all; /* missing ones first, by probability */
    size_t n_missing;
    dpl__link_table table;   /* of links without a pair, by their ids */
    _Atomic uint8_t *states; /* dpl__verdict_of_pair of each link without a pair */
} dpl__served_links;

typedef struct dpl__mine_folder {
    dpl_ctx *ctx;
    char dir[3900];
    DPL_VEC(dpl__served_run) runs;
    DPL_VEC(dpl__served_pair) pairs;
    DPL_VEC(dpl__sentence_lines) lines;
    uint32_t *by_confidence; /* numbers of pairs, the highest confidence first */
    dpl__pair_table table;   /* of pairs by their ids */
    _Atomic uint8_t *states; /* dpl__verdict_of_pair of each pair */
    dpl__served_links links;
    dpl__watch watch; /* files that all this was read from */
    dpl__judge_file judgements;
} dpl__mine_folder;

dpl_status dpl__mine_folder_open(dpl__mine_folder **out, dpl_ctx *ctx, const char *dir,
                                 bool is_read_only, dpl_error *err);
void dpl__mine_folder_close(dpl__mine_folder *f);

/* Title and text; empty where there is no text. */
dpl_doc dpl__served_doc(const dpl__mine_folder *f, const dpl__served_pair *pair, int side);

/* The next line of *text, without its end, which is taken away. */
bool dpl__next_row(dpl_str *line, dpl_str *text);
uint64_t dpl__hash_ids(const dpl_str ids[2]);
/* The pair of a run with these ids; UINT32_MAX: there is none. */
uint32_t dpl__find_pair(const dpl__mine_folder *f, const dpl_str ids[2], uint32_t run);

/* A line of sentences.tsv. */
typedef struct dpl__sentence_line {
    dpl_str sides[2];
    double score;
} dpl__sentence_line;

/* Takes the next line of `lines` apart, and away from it. False: there is none. */
bool dpl__sentence_line_next(dpl__sentence_line *out, dpl_str *lines);

/* Where a sentence occurs in a text, from *at on or else anywhere; white space of any length is
 * the same as any other. Sets *at behind it. False: nowhere. */
bool dpl__find_sentence(dpl_str text, dpl_str sentence, size_t *at, size_t *begin, size_t *end);

#endif
