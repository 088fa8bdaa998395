/*
 * doppel/mine.h - mining: parallel documents and sentences of two or more collections, without
 * training data.
 *
 *     dpl_input in[2] = {{.path = "docs.de.jsonl"}, {.path = "docs.en.jsonl"}};
 *     dpl_mine_result *found = NULL;
 *     DPL_TRY(dpl_mine(&found, ctx, "out", in, 2, NULL, err));
 *     const dpl_mine_run *run = dpl_mine_get_summary(found)->runs[0];
 *     for (size_t i = 0; i < run->n_pairs; i++) {
 *         dpl_mine_pair pair = dpl_mine_get_pair(found, 0, i);
 *         printf("%u %u %.3f\n", pair.docs.left, pair.docs.right, pair.confidence);
 *     }
 *     dpl_mine_result_free(found);
 *
 * Words that both languages spell alike give first document pairs; their sentences are aligned;
 * a lexicon is trained on the sentence pairs; the lexicon finds better document pairs; and so
 * on until the pairs no longer change.
 */
#ifndef DOPPEL_MINE_H
#define DOPPEL_MINE_H

#include "doppel/json.h"
#include "doppel/links.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_MINE_MOST_ROUNDS = 20 };

/* What is compared: whole documents, single sentences, or passages. With passages, sentences
 * vote for the pairs of documents that contain them, which finds documents that are
 * translations only in part. */
typedef enum dpl_mine_unit {
    /* Sentences if documents are one sentence long; else documents, and passages if documents
     * give no pairs, or pairs that can only be aligned in part. */
    DPL_UNIT_AUTO = 0,
    DPL_UNIT_DOCUMENT,
    DPL_UNIT_SENTENCE,
    DPL_UNIT_PASSAGE
} dpl_mine_unit;

/* "auto", "document", ...; NULL when out of range. Static text. */
DPL_API const char *dpl_mine_unit_name(dpl_mine_unit unit);

struct dpl_mine_run;

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_mine_options {
    size_t size;
    const dpl_reader_options *read; /* of all inputs; lang and only_lang are not used */
    const char *langs[2];           /* two inputs: their languages; default: detected */
    bool no_stem;                   /* do not reduce words to their stems */
    const char *lexicon;    /* path to start with, .dpl or text; default: similar spelling */
    const char *dictionary; /* the same, in any format that dpl_lexicon_import reads */
    /* Maximum number of rounds; default 20. Mining stops earlier when the pairs no longer
     * change, and after five rounds when their number no longer grows. */
    unsigned rounds;
    /* Lowest probability that a pair is a translation; default 0.5, which is lowered where a
     * lower one has a higher expected F1. */
    double confidence;
    /* Method and signatures; mining sets the other fields. DPL_PAIRS_NGRAM: in rounds that have
     * a lexicon, only documents that share rare words in translation are compared.
     * DPL_PAIRS_AUTO does so in the last search where dpl_mine_prefers_ngrams() holds, if a
     * sample shows that it finds the nearest documents. DPL_PAIRS_HASH is DPL_E_USAGE. */
    const dpl_pairs_options *search;
    const dpl_sentences_options *sentences;
    bool resume; /* continue an interrupted run with the same inputs and options */
    /* More than two languages: the language that all others are paired with first; with more
     * than five languages, others are paired through it only. Default: the one with the most
     * documents; ties: the most characters. */
    const char *pivot;
    bool header;      /* groups.tsv begins with the codes of the languages */
    const char *temp; /* without an output folder: where work files go; default /tmp */
    /* DPL_UNIT_SENTENCE: every sentence of every document is paired by itself, in any order.
     * Collections and pairs of the result then hold sentences in place of documents; the id of
     * a sentence is that of its document, '#', and its number in the document from 1. */
    dpl_mine_unit unit;
    /* What is written beside sentences.tsv: names of dpl_beads_format with commas between them,
     * such as "jsonl,moses,tmx"; only formats that hold any number of document pairs. */
    const char *to;
    bool unique;        /* keep each sentence pair once, as in dpl_sentences_options */
    bool drop_frequent; /* drop those of many document pairs, as there */
    /* Path of a list of pairs that are known to be right or wrong: left id, right id and,
     * optionally, "accept", "reject" or "open", separated by tabs; without the third column the
     * pair is accepted. Accepted pairs are trained on from the start and are always in the
     * result, rejected ones never. With DPL_UNIT_SENTENCE, ids are those of sentences; a
     * document of one sentence may be named by its own id. With two inputs, a list in which no
     * line names documents of both is DPL_E_USAGE ("known-unknown", "known-sentences").
     * docs/guides/mine.md */
    const char *known;
    const char *command; /* as it was typed: for the report and run.json; default: none */
    /* Called on the caller's thread after each round: run->rounds[run->n_rounds - 1]. A round
     * that was taken from an interrupted run counts as well. NULL: not called. */
    void (*on_round)(void *user, const struct dpl_mine_run *run);
    void *user;
    /* Paths of known links between the documents, as dpl_links_read takes them. The pairs are
     * compared with them; missing-links.tsv, suspicious-links.tsv and links.html are written.
     */
    const char *const *links;
    size_t n_links;
    /* Train the first lexicon on linked documents. The documents are still searched for like
     * all others, so that wrong links can be detected. */
    bool use_links;
    bool keep_repeats; /* moses, tmx: write repeated sentence pairs, too, as in
                          dpl_beads_options */
    const char *const *more_dictionaries; /* mixed with `dictionary`, with equal weights */
    size_t n_more_dictionaries;
    double fdr; /* above 0, instead of confidence: keep as many pairs as possible such that the
                   expected share of wrong ones is at most fdr, and at most 2 fdr at the upper
                   end of its interval */
} dpl_mine_options;

/* Whether the last search, over n_left and n_right documents of `words` words each, takes at
 * most a quarter of the time with n-grams. Depends on these numbers only, not on the machine.
 */
DPL_API bool dpl_mine_prefers_ngrams(uint64_t n_left, uint64_t n_right, double words);

/* ---- the plan of runs in parts --------------------------------------------------------- */

/* Words of a document for each term of its row, about. */
#define DPL_WORDS_PER_TERM 1.25

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_workers_options {
    size_t size;
    uint32_t workers;   /* processes with the context's threads and memory each; default 1 */
    uint32_t languages; /* with as many documents each; one is mined with every other; default
                           100 */
    double documents;   /* of all languages; default 1e9 */
    double words;       /* of a document; default 150 */
    const dpl_speeds *speeds; /* of a worker; NULL: measured */
} dpl_workers_options;

/* Costs, measured with 200,000 documents and extrapolated. Layout fixed. */
typedef struct dpl_stage_cost {
    const char *command, *name; /* "dedup", "shingles" */
    double core_seconds;        /* of all workers */
    double seconds;
    double undivided;      /* share of the seconds that more workers do not make shorter */
    double worker_bytes;   /* of memory */
    double shared_bytes;   /* of storage that all workers see */
    double most_documents; /* of all languages, that fit into the memory; infinite: any */
    const char *instead;   /* what would be done with more */
} dpl_stage_cost;

enum { DPL_MOST_STAGES = 16 };

/* Begin with DPL_INIT. */
typedef struct dpl_workers_plan {
    size_t size;
    size_t n_stages;
    size_t first_full; /* the stage that first takes all memory; n_stages: none */
    size_t slowest;    /* the stage with most undivided seconds; n_stages: none */
    dpl_stage_cost stages[DPL_MOST_STAGES];
} dpl_workers_plan;

/* What dpl_dedup and then dpl_mine in parts (doppel/file.h) would take, by stage. */
DPL_API dpl_status dpl_workers_plan_make(dpl_workers_plan *out, dpl_ctx *ctx,
                                         const dpl_workers_options *options, dpl_error *err);

/* ---- what was found ----------------------------------------------------------------- */

/* The structs below belong to the library and may grow at their ends: use them by pointer. */

/* One round: a search for document pairs, with a lexicon from the pairs of the round before. */
typedef struct dpl_mine_round {
    uint64_t n_candidates;      /* document pairs that are each other's best match */
    uint64_t n_pairs;           /* of these, likely enough to train on */
    uint64_t n_new, n_gone;     /* pairs, compared with the round before */
    double mean_cosine;         /* of the pairs */
    double known_words;         /* share of the words that the lexicon translates, 0 to 1 */
    double unpaired;            /* share of the smaller side's documents without counterpart */
    uint64_t n_sentence_pairs;  /* that the lexicon was trained on; 0 in the first round */
    uint64_t n_lexicon_entries; /* 0 in the first round without a lexicon */
    double align_seconds, train_seconds, search_seconds;
    uint64_t n_sampled_docs;  /* documents of one side that were searched with; 0: all */
    uint64_t n_sampled_pairs; /* pairs of the round before that were trained on; 0: all */
    /* Large collections: neighbours with a lower cosine were not searched for; 0: no bound. */
    double least_cosine;
    dpl_pairs_method search; /* method that found the neighbours; DPL_PAIRS_AUTO: not known */
    dpl_mine_unit unit;      /* that was compared; in the file of a round: 0 */
    /* First round, when spelling gives too few pairs: names of both sides that were matched,
     * and pairs that share them; 0: names were not needed, or gave no more pairs. */
    uint64_t n_name_links, n_name_pairs;
    /* The other pairs that the first round started from: by spelling, and by shape (lengths,
     * punctuation, digits). */
    uint64_t n_spelled_pairs, n_shape_pairs;
} dpl_mine_round;

typedef struct dpl_mine_language {
    char code[12]; /* "und": not detected */
    uint64_t n_docs, n_sentences, n_tokens;
    uint64_t n_paired; /* documents that are in a pair or group */
} dpl_mine_language;

/* Cost of a stage of a run, summed over all rounds. */
typedef struct dpl_mine_stage {
    const char *name;
    double seconds;
    double core_seconds; /* of the whole process, other jobs in it included */
    uint64_t peak_bytes; /* most that the job held by the end of the stage */
} dpl_mine_stage;

/* Two languages: left and right input, a language and the pivot, or two others. */
typedef struct dpl_mine_run {
    const dpl_mine_language *left, *right;
    bool is_empty; /* no pairs and no lexicon, because there was nothing to learn from */
    uint64_t n_duplicates[2]; /* documents with the words of an earlier one: left out */
    const dpl_mine_round *const *rounds;
    size_t n_rounds;
    bool is_stable; /* the last two rounds found the same pairs */
    uint64_t n_pairs, n_sentence_pairs;
    /* From the confidences; NaN: cannot be estimated (why_no_estimate). */
    double estimated_precision, estimated_recall;
    const dpl_recall_check *recall_check; /* of the last search */
    const dpl_sentences_summary *sentences;
    double import_seconds, final_seconds, seconds;
    dpl_mine_unit unit;       /* that was used: not DPL_UNIT_AUTO */
    uint64_t n_copies[2];     /* near-copies within each side beyond the first of each group */
    double aligned_share;     /* of the text of the pairs, mean of both sides, 0 to 1 */
    size_t n_document_rounds; /* unit passage, chosen by auto: rounds that compared documents,
                                 before those with passages; else 0 */
    /* Sentences left out: boilerplate, which repeats in many documents of the side; and
     * untranslated ones, which both sides have and which are in another language. Then
     * documents in another language. */
    uint64_t n_boilerplate[2], n_untranslated[2], n_untranslated_docs[2];
    bool has_few_pairs; /* few documents have a counterpart: confidence is estimated with
                           weights of other collections */
    bool has_known;     /* a list of known pairs was given */
    uint64_t n_accepted, n_rejected;  /* pairs of the list */
    uint64_t n_known_absent;          /* lines about documents that are not here */
    const char *why_empty;            /* is_empty: the reason, in one line; else NULL */
    const dpl_links_agreement *links; /* NULL: none were given */
    const dpl_skip_list *skipped;     /* records of the inputs that did not become documents */
    /* In the order in which they began: "import", "links read", "prepare", "sample search",
     * "search", "round alignment", "training", "confidence", "sentences", "links", "outputs".
     * A resumed run has only the stages that it ran itself. */
    const dpl_mine_stage *stages;
    size_t n_stages;
    bool has_ranges; /* pairs say which parts match: unit passage, or documents have sections */
    /* Share of the words of paired documents in these parts, 0 to 1. */
    double parallel_share[2];
    uint64_t n_known_left_out;    /* lines about documents that were left out of mining */
    uint64_t n_other_language[2]; /* documents left out: in the language of the other side */
    const char
        *known_absent; /* the first ids of n_known_absent: "'a', 'b', 'c' ..."; or NULL */
    const char *why_no_estimate; /* of precision and recall, in one line; NULL: there is one */
    /* Intervals of the estimates: they contain the truth in 95 of 100 runs. */
    double estimated_precision_low, estimated_precision_high;
    double estimated_recall_low, estimated_recall_high;
    const char *verdict; /* what the estimates mean, in one sentence; NULL: no pairs */
    double hidden_back;  /* share of hidden pairs found again, 0 to 1; unit sentence, else 0 */
    double least_confidence; /* the cut: pairs of a lower confidence were left out, 0 to 1 */
    const char *why_cut;     /* why it is not the confidence of the options; NULL: it is */
    const char *start; /* "the lexicon given": what the first round knew; NULL: spelling */
} dpl_mine_run;

typedef struct dpl_mine_summary {
    const dpl_mine_language *const *langs; /* by code; two sides: left, right */
    size_t n_langs;
    const dpl_mine_run *const
        *runs; /* of each language and the pivot, then of others; two sides: one */
    size_t n_runs;
    double seconds;
    bool is_many; /* more than two languages, or a pivot; else what follows is 0 */
    const dpl_mine_language *pivot;           /* one of langs */
    const dpl_mine_language *const *left_out; /* with too few documents: code, n_docs */
    size_t n_left_out;
    size_t n_groups;
    const uint64_t *n_groups_by_size; /* groups in 0, 1 ... n_langs languages */
    const dpl_skip_list *skipped;     /* records of the inputs that did not become documents */
    size_t n_group_sizes;             /* of n_groups_by_size: 0, or n_langs + 1 */
} dpl_mine_summary;

/* A document pair. Layout fixed. */
typedef struct dpl_mine_pair {
    dpl_doc_pair docs;         /* numbers of the documents as read: dpl_mine_get_collection */
    dpl_str left_id, right_id; /* borrowed from the result */
    float cosine, margin; /* of the last search. Instead of the cosine, passages have votes, and
                             single sentences the score of their word alignment, 0 to 1 */
    double confidence;    /* estimated probability that it is a translation */
} dpl_mine_pair;

/* Sentences [left, left + n_left) of one document beside [right, right + n_right) of another:
 * parts that are translations. Layout fixed. */
typedef struct dpl_mine_range {
    uint32_t left, n_left;
    uint32_t right, n_right;
} dpl_mine_range;

/* The parts of a document pair that are translations. Layout fixed. */
typedef struct dpl_mine_coverage {
    double share[2];              /* of the words of the left and right document in ranges */
    const dpl_mine_range *ranges; /* rising on both sides; borrowed from the result */
    size_t n_ranges;
} dpl_mine_coverage;

/* All results of a run, until it is freed. Frozen, except for its iterators. */
typedef struct dpl_mine_result dpl_mine_result;

/* Inputs are documents in any form that dpl_reader_open_input reads, or collections.
 *
 * Two inputs, each mostly in a language of its own (or lang given): one run, left and right;
 * documents in the language of the other side are left out. Otherwise the documents are divided
 * by language, declared or detected. With up to five languages, every two of them are paired,
 * and pairs that two runs imply for a third one are evidence there. With more, each language is
 * paired with the pivot, and pairs.tsv also has the implied pairs of the other languages, with
 * the product of both confidences. If each input has a main language of its own and there are
 * no other languages, documents of an input in the main language of another input are left out.
 * Ids need only be unique within an input and language; where documents of a language come from
 * several inputs, ids that occur in more than one of them get the name of their input and ':'
 * in front (dpl_import_options.tell_inputs). An input to be divided by language is read more
 * than once: documents from the caller or a pipe cannot be, and a collection must be in one
 * language. A lexicon or dictionary is used for the languages that it has.
 *
 * dir is the output folder, made if it is missing; NULL: no files, only the result. It receives
 * pairs.tsv (left id, right id, confidence), sentences.tsv (left id, right id, left sentence,
 * right sentence, score), lexicon.tsv.zst, report.html, run.json and work/, which resume
 * continues from; copies.tsv (language, id, id of the document it is a copy of) where there are
 * copies; where passages were compared, or documents have sections (DPL_SECTION_MARK),
 * passages.tsv has the ranges: left id, right id, share of the left and of the right document
 * that is in ranges, then the range, in sentences counted from 0: the first one of the left
 * document, the one behind the last, and the same of the right document; then the headings of
 * their sections. With a pivot it receives a folder such as LANG-PIVOT with these for every
 * run, pairs.tsv and sentences.tsv of all of them, groups.tsv, report.html and run.json. The
 * folder is locked while the call lasts ("folder-in-use").
 *
 * pairs, sentences and lexicon are the same for any number of threads, and whether the run was
 * interrupted and resumed or not. Finding no pairs is not an error: inputs with nothing in
 * common give a run that is_empty. Results of an earlier run in the folder are removed at the
 * beginning; run.json is written last. out may be NULL. */
DPL_API dpl_status dpl_mine(dpl_mine_result **out, dpl_ctx *ctx, const char *dir,
                            const dpl_input *inputs, size_t n_inputs,
                            const dpl_mine_options *options, dpl_error *err);
DPL_API void dpl_mine_result_free(dpl_mine_result *result);

/* Results of the following functions are borrowed until the result is freed. run counts the
 * summary's runs from 0, lang its languages. */
DPL_API const dpl_mine_summary *dpl_mine_get_summary(const dpl_mine_result *result);
/* i < n_pairs of the run; in the order of left documents. */
DPL_API dpl_mine_pair dpl_mine_get_pair(const dpl_mine_result *result, size_t run, size_t i);
/* Which parts of pair i are translations of each other, where the run has_ranges; otherwise
 * there are none, and the shares are 0. No range runs into another section. Sentences have
 * their numbers in dpl_mine_get_collection. */
DPL_API dpl_mine_coverage dpl_mine_get_coverage(const dpl_mine_result *result, size_t run,
                                                size_t i);
/* The lexicon of the last round: words and probabilities by doppel/lexicon.h. NULL for a run
 * that is empty. */
DPL_API const dpl_lexicon *dpl_mine_get_lexicon(const dpl_mine_result *result, size_t run);
/* The documents of a language as they were read, or their sentences where these were paired.
 * Numbers of documents are numbers in it unless it is said otherwise. NULL after
 * dpl_lexicon_learn. */
DPL_API const dpl_collection *dpl_mine_get_collection(const dpl_mine_result *result,
                                                      size_t lang);
/* Group i < n_groups: docs[lang] is the document of each language, DPL_MINE_NO_DOC where there
 * is none. docs has room for n_langs numbers. Groups are in the order of the pivot's documents,
 * then those without a document of the pivot. */
#define DPL_MINE_NO_DOC UINT32_MAX
DPL_API void dpl_mine_get_group(uint32_t *docs, const dpl_mine_result *result, size_t i);
/* The document that doc of a side (0 left, 1 right) is a copy of: one with the same words, or
 * nearly the same sentences; a paired one if there is one, else one that was compared.
 * DPL_MINE_NO_DOC: none. */
DPL_API uint32_t dpl_mine_get_copy_of(const dpl_mine_result *result, size_t run, int side,
                                      uint32_t doc);

/* The sentence pairs of a run, one by one. Owned. */
typedef struct dpl_mine_sentences dpl_mine_sentences;

/* Borrowed until the next call. Layout fixed. */
typedef struct dpl_sentence_pair {
    size_t pair;         /* document pair of the run */
    dpl_str left, right; /* may hold line ends */
    float score;         /* of the bead (doppel/sentences.h); of single sentences the confidence
                            of their pair */
} dpl_sentence_pair;

DPL_API dpl_status dpl_mine_sentences_open(dpl_mine_sentences **out,
                                           const dpl_mine_result *result, size_t run,
                                           dpl_error *err);
/* DPL_END after the last one. */
DPL_API dpl_status dpl_mine_sentences_next(dpl_mine_sentences *sentences,
                                           dpl_sentence_pair *out, dpl_error *err);
DPL_API void dpl_mine_sentences_close(dpl_mine_sentences *sentences);

/* ---- the lexicon alone -------------------------------------------------------------- */

/* Runs the rounds of dpl_mine with two inputs and writes only the last lexicon, to out_path as
 * a .dpl (doppel/lexicon.h). Work files are in the folder out_path.work during the call. resume
 * is DPL_E_USAGE. The result has a summary only; out may be NULL. */
DPL_API dpl_status dpl_lexicon_learn(dpl_mine_result **out, dpl_ctx *ctx, const char *out_path,
                                     const dpl_input *left, const dpl_input *right,
                                     const dpl_mine_options *options, dpl_error *err);

/* ---- files of a run ------------------------------------------------------------------- */

/* One round as it stays in work/round-N.dpl. Frozen. */
typedef struct dpl_round dpl_round;

/* Two documents that are each other's best match. Layout fixed. */
typedef struct dpl_round_pair {
    dpl_doc_pair docs; /* numbers in the collections of work/: in left-clean.dpl,
                          right-clean.dpl where they are there */
    float cosine, margin;
    double confidence; /* estimated probability that it is a translation, in this round */
} dpl_round_pair;

/* Verifies everything; damage is DPL_E_FORMAT. */
DPL_API dpl_status dpl_round_open(dpl_round **out, dpl_ctx *ctx, const char *path,
                                  dpl_error *err);
DPL_API void dpl_round_close(dpl_round *round);

/* Borrowed until the round is closed. */
DPL_API const dpl_mine_round *dpl_round_get_summary(const dpl_round *round);
DPL_API const dpl_recall_check *dpl_round_get_recall_check(const dpl_round *round);
/* i < n_candidates, in the order of left documents. */
DPL_API dpl_round_pair dpl_round_get_candidate(const dpl_round *round, size_t i);
/* How many left documents have a best (or second best) match with a cosine in each of *n equal
 * steps from 0 to 1. */
DPL_API const uint64_t *dpl_round_get_cosines(const dpl_round *round, bool of_second,
                                              size_t *n);

/* ---- why two documents are a pair ------------------------------------------------------ */

/* Two documents of a run of two languages, compared with each other and with all documents of
 * the other side. Frozen. */
typedef struct dpl_pair_reasons dpl_pair_reasons;

/* The document of the other side that is nearest to one of the two, apart from its partner. */
typedef struct dpl_pair_rival {
    dpl_str id;    /* empty: there is none */
    double cosine; /* with it */
    uint32_t rank; /* of the partner among the other side's documents, by the cosine, from 1 */
} dpl_pair_rival;

/* May get more fields at its end. */
typedef struct dpl_pair_reasons_summary {
    bool is_pair;      /* pairs.tsv has it */
    double confidence; /* if is_pair: its confidence there */
    bool has_vectors; /* both have enough terms to be compared; if not, cosine, rivals and terms
                         are empty */
    double cosine;    /* of their vectors, with the last lexicon of the run */
    dpl_pair_rival rivals[2]; /* of the left, of the right document */
    size_t n_shared;          /* terms that both have, in the language of the right side */
    size_t n_terms;           /* of these the heaviest: dpl_pair_reasons_get_term */
    uint32_t n_sentences[2];  /* of the left, of the right document */
    uint32_t n_aligned[2];    /* of these in beads that the filter keeps */
    /* For each of the n_terms: the word of the left and of the right document that it comes
     * from, as written there; both empty: not found. */
    const dpl_str *words[2];
} dpl_pair_reasons_summary;

/* The weights of all shared terms sum to the cosine. Layout fixed. */
typedef struct dpl_shared_term {
    dpl_str term;
    double weight; /* product of its weights in both rows */
} dpl_shared_term;

enum { DPL_REASON_TERMS = 20 };

/* dir is the folder of a run of two languages (such as de-en/ in that of many), with its work/.
 * Without that: DPL_E_USAGE ("no-work-files"); an id that is not there is DPL_E_USAGE
 * ("no-such-document"). Makes the vectors of all documents. */
DPL_API dpl_status dpl_pair_reasons_open(dpl_pair_reasons **out, dpl_ctx *ctx, const char *dir,
                                         dpl_str left, dpl_str right, dpl_error *err);
DPL_API void dpl_pair_reasons_close(dpl_pair_reasons *reasons);
/* Borrowed until they are closed. */
DPL_API const dpl_pair_reasons_summary *
dpl_pair_reasons_get_summary(const dpl_pair_reasons *reasons);
/* i < n_terms, the heaviest first. */
DPL_API dpl_shared_term dpl_pair_reasons_get_term(const dpl_pair_reasons *reasons, size_t i);

#ifdef __cplusplus
}
#endif
#endif
