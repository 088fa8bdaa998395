/*
 * peers.h - the parts of an import alone, ours and those of others, over the same text.
 *
 * Each call runs once over everything and leaves in *n_text how many bytes of text that was.
 */
#ifndef DPL_BENCH_PEERS_H
#define DPL_BENCH_PEERS_H

#include "corpus.h"

typedef struct sampled_doc {
    const char *lang;
    size_t words_end; /* in `words` */
} sampled_doc;

/* What they work on, in memory. Owned. */
typedef struct peers {
    const corpus *corpus;
    const char *jsonl_path;
    dpl__bytes zst, jsonl; /* the corpus as files; 64 zero bytes follow */
    char *copy;            /* room for one 1 MiB piece */
    dpl__bytes words;      /* of a sample of the documents, folded; each after its length */
    DPL_VEC(sampled_doc) sample;
    uint64_t n_sample_text;
} peers;

dpl_status peers_init(peers *p, const corpus *c, const char *zst, const char *jsonl,
                      dpl_error *err);
void peers_clear(peers *p);

typedef dpl_status peer_fn(const peers *p, uint64_t *n_text, dpl_error *err);

peer_fn peer_memcpy;
peer_fn peer_zstd;
peer_fn peer_simdjson; /* DPL_E_UNSUPPORTED when it was not there to build with */
peer_fn peer_json;
peer_fn peer_reader;
peer_fn peer_icu;
peer_fn peer_stemmer;
peer_fn peer_segment;
peer_fn peer_sentences;
peer_fn peer_tokenize;

#endif
