/*
 * report.h - what a run found, as one page of HTML that needs nothing else.
 *
 * Figures are those of the run's table, by their names; texts and drawings are in these
 * structs. Same content, same bytes. Borrowed arrays and texts.
 */
#ifndef DPL_REPORT_REPORT_H
#define DPL_REPORT_REPORT_H

#include "doppel/file.h"
#include "doppel/summary.h"
#include "doppel/text.h"

#include "report/histogram.h"

/* Cosines of a round: of each document with its best, and with its second best, which is what
 * chance gives. */
typedef struct dpl__report_round {
    dpl__histogram best, second;
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

/* Sentence pairs dropped, by reason. */
typedef struct dpl__report_reason {
    const char *name, *what;
    uint64_t n;
    dpl_str examples[3][2]; /* left and right sentences; empty: fewer */
} dpl__report_reason;

typedef struct dpl__report {
    const char *title; /* "de and en" */
    dpl_figures run;   /* of dpl_mine_run_figures */
    const char *lang[2], *path[2];
    double threshold;                /* of the confidence */
    dpl__histogram confidence;       /* of all candidates */
    const dpl__report_round *rounds; /* as many as the run has */
    const dpl__report_reason *reasons;
    size_t n_reasons;
    const dpl__report_samples *samples;
    size_t n_samples;
    const dpl__report_word *words[2]; /* frequent words of each side, with translations */
    size_t n_words[2];
    const char *command;          /* as it was typed; NULL: not known */
    const dpl_skip_list *skipped; /* records of the inputs that did not become documents */
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

/* ---- drawings --------------------------------------------------------------------------- */

/* Best and second-best cosines of each round, one below the other, all on one scale. rounds:
 * the list of the run; basis: what a round knows, as a text of its figures. */
void dpl__chart_rounds(dpl_output *o, const dpl__report *r, dpl_figure_value rounds,
                       const char *basis);

/* Confidence, with the threshold marked. */
void dpl__chart_confidence(dpl_output *o, const dpl__histogram *h, double threshold);

/* How many things a histogram counts; no more than UINT64_MAX. */
uint64_t dpl__histogram_total(const dpl__histogram *h);

/* ---- document pairs --------------------------------------------------------------------- */

dpl_status dpl__report_pairs(dpl_output *o, dpl_ctx *ctx, const dpl__report *report,
                             dpl_error *err);

#endif
