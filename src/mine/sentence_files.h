/*
 * sentence_files.h - the sentence pairs of a run as files, in one or more formats.
 */
#ifndef DPL_MINE_SENTENCE_FILES_H
#define DPL_MINE_SENTENCE_FILES_H

#include "mine/pair_run.h"

/* Formats of options->formats as bits of dpl_beads_format, always with tsv. A name that is
 * none, or of a format that holds a single document pair, is DPL_E_USAGE, code
 * "sentence-format". */
dpl_status dpl__formats_parse(unsigned *formats, const char *text, dpl_error *err);

/* "sentences.tsv", or "sentences" of a format that has an ending for each language. */
const char *dpl__sentence_file(char out[40], dpl_beads_format format);

/* Sentence pairs that repeat get their verdicts, as the options have it; counts follow. */
dpl_status dpl__drop_repeats(dpl__final_beads *beads, const dpl__comparable *corpus,
                             size_t n_pairs, dpl_error *err);
/* Writes all kept sentence pairs, one pass for all formats, and dropped.tsv. */
dpl_status dpl__write_sentences(dpl__pair_run *run, dpl_error *err);

#endif
