/*
 * experiment.h - what an experiment is made of: the data it looks at, tables, plots, findings.
 *
 * An experiment is one file and one row in experiments.c:
 *
 *     dpl_status dpl__lab_lunch_figure_5(dpl__lab *lab, dpl_error *err)
 *     {
 *         const dpl_vectors *left, *right;
 *         DPL_TRY(dpl__lab_vectors(&left, lab, 0, err));
 *         DPL_TRY(dpl__lab_vectors(&right, lab, 1, err));
 *         dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "source\tB\tQ\tseconds\trecall");
 *         for (...) {
 *             dpl__lab_text(t, "measured");
 *             dpl__lab_count(t, window);
 *             ...
 *         }
 *         dpl__lab_find(lab, "at recall %.2f the window costs %.1f times brute force", r, c);
 *         static const dpl__lab_curve curves[] = {
 *             {.title = "Q = 100", .rows = "measured 100", .x = 2, .y = 4}, ...};
 *         dpl__lab_draw(lab, &(dpl__lab_plot){.table = t, .x_label = "window B", ...});
 *         return dpl__lab_status(lab, err);
 *     }
 *
 * Tables, findings and plots remember their first failure (no memory), which dpl__lab_status
 * returns; so only calls that do work need to be checked.
 */
#ifndef DPL_LAB_EXPERIMENT_H
#define DPL_LAB_EXPERIMENT_H

#include "base/arena.h"
#include "base/vec.h"
#include "doppel-lab/lab.h"

typedef struct dpl__lab dpl__lab;
typedef struct dpl__lab_data dpl__lab_data;
typedef struct dpl__lab_table dpl__lab_table;

typedef dpl_status dpl__lab_fn(dpl__lab *lab, dpl_error *err);

/* A row of the list in experiments.c. */
typedef struct dpl__lab_row {
    dpl_lab_experiment about;
    dpl__lab_fn *run;
} dpl__lab_row;
extern const dpl__lab_row dpl__lab_rows[]; /* a row without a name ends it */

/* What an experiment works with. Everything in it may be used freely. */
struct dpl__lab {
    dpl_ctx *ctx;
    const dpl_lab_experiment *about;
    const dpl_lab_options *set; /* defaults filled in */
    const dpl_input *inputs;
    size_t n_inputs;
    const char *folder;  /* for outputs */
    const char *scratch; /* a folder for temporary files of this run: empty at first, shared by
                            its experiments, removed in the end */
    unsigned seed;       /* which of several runs, from 0: samples are drawn by it */
    dpl__lab_data *data;
    dpl__arena arena;                  /* lives as long as the experiment */
    dpl__lab_table *tables;            /* the newest first */
    dpl__bytes findings, notes, plots; /* texts under construction */
    DPL_VEC(const char *) pictures;    /* names of plots */
    const char *no_picture;
    dpl_status failed;
};

/* DPL_OK, or the first failure of a table, finding or plot. */
dpl_status dpl__lab_status(const dpl__lab *lab, dpl_error *err);

/* ---- data: made once for all experiments of a run (data.c) -------------------------------
 * Side 0 is left, 1 right. Borrowed until the run ends. */

/* Imported with stems (a .dpl as it is). */
dpl_status dpl__lab_collection(const dpl_collection **out, dpl__lab *lab, unsigned side,
                               dpl_error *err);
/* The language of most of its documents; "" when it is not known. */
dpl_status dpl__lab_lang(const char **out, dpl__lab *lab, unsigned side, dpl_error *err);
/* What mining finds in both collections. */
dpl_status dpl__lab_mined(const dpl_mine_result **out, dpl__lab *lab, dpl_error *err);
/* The lexicon that was given, or one learned by mining both collections. */
dpl_status dpl__lab_lexicon(const dpl_lexicon **out, dpl__lab *lab, dpl_error *err);
/* BM25; the left ones projected into the language of the right ones where these differ. An
 * input that is vectors (.dpl, .npy, .fvecs) is taken as it is. */
dpl_status dpl__lab_vectors(const dpl_vectors **out, dpl__lab *lab, unsigned side,
                            dpl_error *err);
/* Random hyperplanes, made anew: closed by the caller. */
dpl_status dpl__lab_sign(dpl_signatures **out, dpl__lab *lab, unsigned side,
                         dpl_sign_method method, unsigned n, dpl_error *err);
/* Bits behind the first n become 0 in all rows, so that they neither count in a distance nor
 * decide an order: signatures of any length, such as the paper's 1000 bits, in padded words. */
void dpl__lab_blank_padding(dpl_signatures *signatures, unsigned n);

/* All pairs of the two sides (or within one collection) at or above a cosine, found exactly, by
 * left row, then score downwards, then right row. The last ones are kept. */
dpl_status dpl__lab_exact(const dpl_pair **out, size_t *n, dpl__lab *lab, double threshold,
                          dpl_error *err);
/* Gold as pairs of document numbers, or of rows of the vectors; ids that are not there are left
 * out. In the order of the left side. */
dpl_status dpl__lab_gold(const dpl_doc_pair **out, size_t *n, dpl__lab *lab, dpl_error *err);
dpl_status dpl__lab_gold_rows(const dpl_doc_pair **out, size_t *n, dpl__lab *lab,
                              dpl_error *err);
/* What fuzzy-fingerprints learn their classes from; NULL: the rows themselves. */
dpl_status dpl__lab_reference(const dpl_collection **out, dpl__lab *lab, dpl_error *err);
/* Rows of a side drawn by the seed, rising: n, or fewer where there are fewer. */
dpl_status dpl__lab_sample(const uint32_t **out, size_t *n, dpl__lab *lab, unsigned side,
                           dpl_error *err);

/* Seconds of wall clock, for differences; and processor seconds of all threads of the process.
 */
double dpl__lab_clock(void);
double dpl__lab_cpu_clock(void);
/* Progress with the experiment's name as its stage; DPL_E_STOPPED when it was asked to stop. */
dpl_status dpl__lab_progress(dpl__lab *lab, uint64_t done, uint64_t total, dpl_error *err);

/* ---- tables (experiment_table.c) --------------------------------------------------------
 * Columns are named in a text with tabs between; a name may have its unit in brackets,
 * "time [s]". The first column says which line of the picture a row belongs to. By custom the
 * paper's numbers are in rows that begin with "paper". Cells are put one after the other, a
 * row is full when all columns are. */

/* NAME.tsv, or NAME-more.tsv with more. Lives in the lab. */
dpl__lab_table *dpl__lab_table_new(dpl__lab *lab, const char *more, const char *columns);
void dpl__lab_text(dpl__lab_table *t, const char *fmt, ...) DPL_PRINTF(2, 3);
void dpl__lab_number(dpl__lab_table *t, double value, unsigned decimals);
void dpl__lab_count(dpl__lab_table *t, uint64_t value);
void dpl__lab_none(dpl__lab_table *t); /* an empty cell: not known */

/* ---- findings and notes (experiment_page.c) --------------------------------------------- */

/* A sentence of the page's "Found": what the numbers say, with numbers. No full stop needed. */
void dpl__lab_find(dpl__lab *lab, const char *fmt, ...) DPL_PRINTF(2, 3);
/* A sentence of its "How": data, definitions, what differs from the paper. */
void dpl__lab_note(dpl__lab *lab, const char *fmt, ...) DPL_PRINTF(2, 3);

/* ---- plots (plot.c) --------------------------------------------------------------------- */

typedef enum dpl__lab_style {
    DPL_LAB_LINES_POINTS = 0,
    DPL_LAB_LINES,
    DPL_LAB_DASHED,
    DPL_LAB_POINTS,
    DPL_LAB_BARS, /* histogram, beside each other; x are the names of the groups */
    DPL_LAB_STEPS
} dpl__lab_style;

/* Columns are numbered from 1. */
typedef struct dpl__lab_curve {
    const char *title; /* for the legend; NULL: none */
    const char *rows;  /* the text in the first column of its rows; NULL: all rows */
    unsigned x, y;
    unsigned low, high; /* ends of error bars; 0: none */
    unsigned label;     /* text beside each point; 0: none */
    bool label_below;   /* below it, where the curve rises */
    dpl__lab_style style;
    unsigned colour; /* 1, 2 ...: same number, same colour and mark; 0: a new one */
} dpl__lab_curve;

typedef struct dpl__lab_plot {
    const dpl__lab_table *table;
    const char *more;              /* name of the picture behind the experiment's; NULL: none */
    const char *title;             /* default: paper and item */
    const char *x_label, *y_label; /* with units */
    bool x_log, y_log;
    double x_min, x_max, y_min, y_max; /* equal: as the numbers are */
    double x_step;      /* between marks of the axis; a factor with x_log; 0: any */
    const char *legend; /* gnuplot's words: "top left"; default "top right" */
    const dpl__lab_curve *curves;
    size_t n_curves;
    /* A horizontal line with its label: the paper's or a brute force's value. label NULL: none
     */
    double line;
    const char *line_label;
} dpl__lab_plot;

/* Writes the script; pictures are rendered when the experiment has ended. */
void dpl__lab_draw(dpl__lab *lab, const dpl__lab_plot *plot);

/* ---- numbers (fit.c) -------------------------------------------------------------------- */

/* Least squares y = intercept + slope x; r2 is the share of the variance explained. */
typedef struct dpl__lab_fit {
    double intercept, slope, r2;
} dpl__lab_fit;
dpl__lab_fit dpl__lab_line(const double *x, const double *y, size_t n);
/* The power of x that y grows with, over the points where both are above 0, 64 at most; 0 of
 * fewer than two. */
double dpl__lab_power(const double *x, const double *y, size_t n);
/* Up to which x, rising, there is a gain: where it becomes 0, by a straight line between the
 * points; 0: nowhere. A gain that is not known (NaN) ends it. */
double dpl__lab_border(const double *x, const double *gains, size_t n);
/* How likely one of x is above one of y; ties count half. NaN of none. */
double dpl__lab_likelier(const double *x, size_t n_x, const double *y, size_t n_y);
/* Wilson's 95 % interval of a share; 0 to 1 of nothing. */
void dpl__lab_wilson(double ends[2], uint64_t part, uint64_t whole);

#endif
