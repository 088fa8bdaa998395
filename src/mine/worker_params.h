/*
 * worker_params.h - what stages of dedup and mine in parts cost: for plans, not for results.
 *
 * Measured with `--part 1/8` by one thread: dedup with 200,000 documents of 200 words in 16
 * files (bench/parts), mine with 24,000 x 24,000 of 150 words (bench/resample).
 */
#ifndef DPL_MINE_WORKER_PARAMS_H
#define DPL_MINE_WORKER_PARAMS_H

/* Nanoseconds of a multiply-add (dpl_speeds) on the processor of these costs. */
static const double DPL__WORKER_MULTIPLY_NS = 0.134;
/* Memory of a part beside its documents. */
static const double DPL__WORKER_BYTES = 200e6;
/* Rounds that learn from a sample; core seconds of their training, and of these undivided. */
static const double DPL__WORKER_ROUNDS = 3, DPL__WORKER_TRAINING = 14,
                    DPL__WORKER_TRAINING_ALONE = 5;

/* STAGE(command, name, nanoseconds of a word, divided; nanoseconds of a document, by one worker
 * or by each; bytes of a document in the memory of a worker; bytes of a word on shared storage;
 * what would be done where it does not fit). clang-format off */
#define DPL__WORKER_STAGES(STAGE)                                                              \
    STAGE(DEDUP, "read, tokenize", 74, 800, 8, 12, "more and smaller inputs")                  \
    STAGE(DEDUP, "copies, sizes", 22, 500, 40, 0.1,                                            \
          "rows by ranges of keys: a worker keeps its own, as a shuffle of keys")              \
    STAGE(DEDUP, "shingles", 92, 1500, 1, 5, "more ranges of shingles, of less memory each")   \
    STAGE(DEDUP, "verify, clusters", 4, 200, 12, 0, "edges of large clusters only")            \
    STAGE(DEDUP, "write", 56, 500, 0, 2, "kept files stay in parts")                           \
    STAGE(MINE, "read, clean", 0, 33000, 20, 12, "parts that are not merged, as in dedup")     \
    STAGE(MINE, "vectors", 0, 36000, 10, 8, "rows in ranges of documents")                     \
    STAGE(TRAINING, "sample, training", 0, 0, 0, 0, "links in ranges of words")                \
    STAGE(SEARCH, "last search", 0, 0, 80, 1, "n-gram candidates by ranges of left documents") \
    STAGE(MINE, "confidence", 555, 27000, 300, 1,                                              \
          "features in ranges of pairs on storage; the model is fitted to a sample")           \
    STAGE(MINE, "sentences, output", 236, 15000, 0, 2, "shards instead of one file")
/* clang-format on */

#endif
