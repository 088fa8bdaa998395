/*
 * doppel-lab/lab.h - libdoppel-lab: the tables and figures of the papers, and a few more, on
 * any collections; synthetic collections to run them on; embeddings. Link libdoppel-lab instead
 * of libdoppel: the shared library has both.
 *
 *     dpl_input in[2] = {{.path = "de.jsonl"}, {.path = "en.jsonl"}};
 *     dpl_lab_options o = DPL_INIT(dpl_lab_options, .gold = "gold.tsv", .renderer = "gnuplot");
 *     const char *names[] = {"lunch-figure-5", "lunch-figure-6"};
 *     dpl_lab_result *done = NULL;
 *     DPL_TRY(dpl_lab_run(&done, ctx, "out", names, 2, in, 2, &o, err));
 *     for (size_t i = 0; i < dpl_lab_n_runs(done); i++)
 *         printf("%s\n", dpl_lab_get_run(done, i)->page);
 *     dpl_lab_result_free(done);
 *
 * An experiment leaves NAME.tsv (all numbers, the paper's beside ours), NAME.gp (a script for
 * gnuplot that draws them), NAME.svg and NAME.png if a renderer is there, and NAME.md: what was
 * asked, the picture, what was found, and the command. More tables and plots of the same
 * experiment are called NAME-MORE.tsv and so on.
 */
#ifndef DOPPEL_LAB_LAB_H
#define DOPPEL_LAB_LAB_H

#include "doppel-lab/embeddings.h"
#include "doppel-lab/synth.h"
#include "doppel/eval.h"
#include "doppel/index.h"
#include "doppel/mine.h"
#include "doppel/ngram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which there are ---------------------------------------------------------------- */

/* What an experiment needs. */
enum {
    DPL_LAB_ONE = 1,          /* a collection */
    DPL_LAB_TWO = 2,          /* two collections, of different languages */
    DPL_LAB_GOLD = 4,         /* the pairs of documents that are right */
    DPL_LAB_TRANSLATED = 8,   /* machine translations of the left documents */
    DPL_LAB_PARALLEL = 16,    /* sentence pairs to train a translator on */
    DPL_LAB_TEST = 32,        /* sentence pairs to test a translator with */
    DPL_LAB_NEEDS_LINKS = 64, /* known links between documents */
    DPL_LAB_MAY_SYNTH = 128   /* without collections it makes synthetic ones */
};

/* One experiment. Static; may get more fields at its end. */
typedef struct dpl_lab_experiment {
    const char *name;  /* "lunch-figure-5" */
    const char *paper; /* "No Free Lunch"; "doppel" for those beyond the papers */
    const char *item;  /* "Figure 5" */
    const char *title; /* one line, begins in lower case */
    const char *claim; /* what the paper found, one or two sentences */
    unsigned needs;    /* of the enum above */
} dpl_lab_experiment;

/* In the order of the papers; NULL behind the last. */
DPL_API const dpl_lab_experiment *dpl_lab_get_experiment(size_t i);
/* NULL when there is none of that name. */
DPL_API const dpl_lab_experiment *dpl_lab_find_experiment(const char *name);
/* "two collections, gold pairs": what it needs, in words. Returns out. */
DPL_API const char *dpl_lab_needs(char *out, size_t n_out, const dpl_lab_experiment *what);

/* ---- running them ------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_lab_options {
    size_t size;
    const dpl_reader_options *read; /* of all inputs */
    const char *gold;               /* path: left id, right id with a tab between */
    const char *lexicon; /* path of a lexicon; default: learned from the two collections */
    const char *lexicon_langs; /* of the columns of a lexicon in text: "de,en" */
    const char *translated;    /* path: the left documents in the language of the right ones */
    const char *parallel;      /* path: sentence pairs, in any format that a lexicon is trained
                                  from */
    const char *test;          /* path: likewise */
    const char *const *links;  /* paths of known links, as dpl_links_read takes them */
    size_t n_links;
    bool small;              /* fewer points and samples: seconds instead of minutes */
    double threshold;        /* least cosine of a pair that counts; default 0.3 */
    unsigned bits;           /* of signatures where the experiment does not vary them; default
                                1024 */
    unsigned sample;         /* documents that are looked at, where not all are; default 1064,
                                as in No Free Lunch */
    unsigned repeats;        /* of every time that is taken: the fastest counts; default 3 */
    const char *renderer;    /* gnuplot, or a path to it; NULL: no pictures */
    const char *command;     /* as it was typed: for the page; NULL: none */
    const char *temp;        /* folder for temporary files; default /tmp */
    bool keep_data;          /* leave the collections that an experiment makes in the folder
                                NAME-data: for other programs to be measured on the same */
    uint32_t most_documents; /* a side, of the largest collection that mine-size makes; default
                                8,000 */
    unsigned seeds; /* run each experiment with this number of seeds, at most 20, and give
                       means with 95 % intervals; default 1 */
    bool as_paper; /* as the papers do it: 1000 bits, distances up to 400 of 1000, projection by
                      p(f|e), every pair of a shared n-gram scored, the paper's filter of
                      sentences */
    const char *reference; /* path: prefix classes of fuzzy-fingerprints come from it, as from
                              the papers' British National Corpus; default: the collection */
    bool resume; /* experiments whose page in the folder was made by the same command are not
                    run again */
} dpl_lab_options;

/* The option tables of the laboratory, as dpl_option_table_of has the library's: "lab",
 * "synth", "embed". */
DPL_API const dpl_option_table *dpl_lab_option_table_of(const char *name);

/* One experiment that was run. Belongs to the result; may get more fields at its end. */
typedef struct dpl_lab_run_info {
    const dpl_lab_experiment *experiment;
    bool is_skipped;    /* what it needs was not given, or is not in the data, or done before */
    const char *reason; /* is_skipped: "needs gold pairs"; else NULL */
    const char *page;   /* path of the Markdown page; NULL when skipped */
    const char *table;  /* path of the first table */
    const char *picture; /* path of the first picture, .svg; NULL: not rendered */
    const char *finding; /* what was found, the first line; "" when there is nothing to say */
    const char *no_picture; /* why not: "cannot run 'gnuplot': ..."; NULL: rendered, or nothing
                               to render */
    double seconds;
} dpl_lab_run_info;

/* Frozen. */
typedef struct dpl_lab_result dpl_lab_result;

/* Runs experiments in the order given; preparations (import, lexicon, vectors) are shared. The
 * folder is made if it is not there. Names: of an experiment, or what the names of some begin
 * with ("lunch"); of several, those that lack something are skipped; of one, that is
 * DPL_E_USAGE with the code "lab-needs". An unknown name is DPL_E_USAGE, "lab-unknown". Besides
 * the times that it measures, the output does not depend on the number of threads. */
DPL_API dpl_status dpl_lab_run(dpl_lab_result **out, dpl_ctx *ctx, const char *folder,
                               const char *const *names, size_t n_names,
                               const dpl_input *inputs, size_t n_inputs,
                               const dpl_lab_options *options, dpl_error *err);
DPL_API void dpl_lab_result_free(dpl_lab_result *result);
DPL_API size_t dpl_lab_n_runs(const dpl_lab_result *result);
/* Borrowed until the result is freed. */
DPL_API const dpl_lab_run_info *dpl_lab_get_run(const dpl_lab_result *result, size_t i);

#ifdef __cplusplus
}
#endif
#endif
