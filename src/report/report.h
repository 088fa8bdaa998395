/*
 * report.h - what a run found, as one page of HTML that needs nothing else.
 *
 * Everything a reader sees is in these structs; the caller fills them, the page is a
 * function of them: same content, same bytes. Borrowed arrays and texts.
 */
#ifndef DPL_REPORT_REPORT_H
#define DPL_REPORT_REPORT_H

#include "doppel/file.h"
#include "doppel/links.h"
#include "doppel/pairs.h"
#include "doppel/text.h"

#include "report/histogram.h"

/* A round of learning; the first one knows spelling only (or a given lexicon). */
typedef struct dpl__report_round {
    unsigned number;
    const char *basis; /* "spelling", "the given lexicon", "lexicon of 57,876 sentence pairs" */
    uint64_t n_pairs;  /* of documents, mutual best */
    uint64_t n_new, n_gone; /* against the round before */
    uint64_t n_rows;        /* sentence pairs trained on; 0 in the first round */
    uint64_t n_entries;     /* of the lexicon */
    uint64_t n_sampled;     /* documents that were searched with; 0: all */
    uint64_t n_trained;     /* document pairs that were trained on; 0: all */
    double least;           /* lowest cosine that was looked for, in large collections; or 0 */
    double cosine;          /* of the pairs: the mean */
    double known;           /* share of words the lexicon translates, 0 to 1 */
    double seconds;
    dpl__histogram best;   /* cosine of each document with its best */
    dpl__histogram second; /* and with its second best: what chance gives */
} dpl__report_round;

/* A bead: text of both sides, and which words of it stand for each other. */
typedef struct dpl__report_link {
    uint32_t begin[2], end[2]; /* bytes in left and right text */
    float weight;              /* 0 to 1: how much it carried the match */
} dpl__report_link;

typedef struct dpl__report_bead {
    dpl_str text[2];    /* one may be empty */
    const char *reason; /* why it was not kept ("identical", ...); NULL: it was */
    double score;
    const dpl__report_link *links;
    size_t n_links;
} dpl__report_bead;

typedef struct dpl__report_doc_pair {
    dpl_str id[2], title[2];
    double confidence, cosine;
    const dpl__report_bead *beads;
    size_t n_beads, n_more; /* shown, and left out at the end */
} dpl__report_doc_pair;

/* "best", "median", "doubtful" */
typedef struct dpl__report_samples {
    const char *name, *what;
    const dpl__report_doc_pair *pairs;
    size_t n_pairs;
} dpl__report_samples;

typedef struct dpl__report_word {
    dpl_str word;
    uint64_t count;
    struct {
        dpl_str word;
        double p;
    } to[5];
    size_t n_to;
} dpl__report_word;

/* A number with its name, such as "documents" "2,454": rows of a small table. */
typedef struct dpl__report_fact {
    const char *name, *value, *what; /* what may be NULL */
    dpl_str examples[3][2];          /* of a reason: left and right sentences; empty: fewer */
} dpl__report_fact;

typedef struct dpl__report_stage {
    const char *name;
    double seconds;
} dpl__report_stage;

typedef struct dpl__report {
    const char *title; /* "de and en" */
    const char *lang[2], *path[2];
    uint64_t n_docs[2], n_sentences[2];
    uint64_t n_copies[2];                         /* near-copies among the documents */
    uint64_t n_boilerplate[2], n_untranslated[2]; /* sentences left out */
    uint64_t n_pairs, n_sentence_pairs;
    const char *why_no_estimate; /* in place of the next two; NULL: they are numbers */
    /* Share of the pairs that are right, and of the documents with a counterpart that were
     * paired: value, lower and upper end of the interval. */
    double estimated_precision[3], estimated_recall[3];
    const char *verdict;       /* what these mean, in words; NULL: none */
    double threshold;          /* of the confidence */
    dpl__histogram confidence; /* of all candidates */
    const dpl__report_fact *facts;
    size_t n_facts;
    const dpl__report_round *rounds;
    size_t n_rounds;
    const dpl_recall_check *receipt;
    const dpl__report_fact *reasons; /* sentence pairs dropped, by reason */
    size_t n_reasons;
    const dpl__report_samples *samples;
    size_t n_samples;
    const dpl__report_word *words[2]; /* frequent words of each side, with translations */
    size_t n_words[2];
    const dpl__report_stage *stages;
    size_t n_stages;
    const char *command;              /* as it was typed; NULL: not known */
    const char *why_empty;            /* why nothing could be learned; else NULL */
    const dpl_skip_list *skipped;     /* records of the inputs that did not become documents */
    const dpl_links_agreement *links; /* known ones beside the pairs; NULL: none were given */
    const char *version;
} dpl__report;

/* Up to the title, inside of <header>, with more style than that of the report; and from
 * </main> on. */
void dpl__report_head(dpl_output *o, const char *title, const char *const *style,
                      size_t n_style);
void dpl__report_foot(dpl_output *o, const char *version);
/* The command as it was typed. */
void dpl__report_command(dpl_output *o, const char *command);

/* Through a temporary name. */
dpl_status dpl__report_write(dpl_ctx *ctx, const char *path, const dpl__report *report,
                             dpl_error *err);

#endif
