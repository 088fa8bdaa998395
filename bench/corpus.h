/*
 * corpus.h - real documents for the benchmarks, and files of every format made from them.
 */
#ifndef DPL_BENCH_CORPUS_H
#define DPL_BENCH_CORPUS_H

#include "doppel/text.h"

#include "base/arena.h"
#include "base/vec.h"

/* Documents in memory. Zeroed memory with a context is an empty one. Owned. */
typedef struct corpus {
    dpl_ctx *ctx;
    dpl__arena arena;
    DPL_VEC(dpl_doc) docs; /* ids are unique; texts are followed by 64 zero bytes */
    uint64_t n_text;       /* bytes of all texts */
    unsigned n_files;
} corpus;

void corpus_init(corpus *c, dpl_ctx *ctx);
void corpus_clear(corpus *c);

/* The documents of the European data sets below `data`, in the order of the files; none when
 * the folder is not there. */
dpl_status corpus_gather(corpus *c, const char *data, dpl_error *err);
/* The documents of examples/sample, repeated (with other letters) up to n_text bytes. */
dpl_status corpus_sample(corpus *c, const char *sample, uint64_t n_text, dpl_error *err);

typedef enum form { FORM_JSONL, FORM_TSV, FORM_DOCENC, FORM_WIKI } form;

typedef struct corpus_part {
    const char *lang;    /* only these; NULL: all */
    unsigned n_copies;   /* 0 is 1; the copies have ids and words of their own ... */
    bool has_same_words; /* ... or only ids */
    bool is_compressed;  /* zstd -3 */
} corpus_part;

/* One file. TSV and DOCENC have the columns id, lang, text; blanks stand for tabs and, in TSV,
 * for line ends. A dump is in the part's language. */
dpl_status corpus_write(const corpus *c, const char *path, form f, corpus_part part,
                        dpl_error *err);
/* One HTML file per document into a folder that is made. */
dpl_status corpus_write_html(const corpus *c, const char *dir, const char *lang,
                             dpl_error *err);

#endif
