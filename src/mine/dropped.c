/*
 * dropped.c - sentence pairs that a run leaves out: how many, why, and some examples.
 *
 * In: the beads of the run with their verdicts, and what a writer for a corpus left out. Out:
 * dropped.tsv, and the table of the report. Examples are of different document pairs where
 * there are such. Cost: one pass over the beads.
 */
#include "mine/dropped.h"

#include "mine/pair_run.h"
#include "mine/run_files.h"

#include <inttypes.h>

static const char *const why[DPL__N_DROPPED] = {
    [DPL_VERDICT_ALONE] = "no counterpart",
    [DPL_VERDICT_SHORT] = "too few words to tell",
    [DPL_VERDICT_IDENTICAL] = "both sides are the same text",
    [DPL_VERDICT_LENGTH] = "one side is much longer",
    [DPL_VERDICT_WORDS] = "too few words stand for each other",
    [DPL_VERDICT_LANGUAGE] = "in another language than its document",
    [DPL_VERDICT_OUTSIDE] = "outside of the parts that match",
    [DPL_VERDICT_REPEATED] = "the same sentence pair occurs elsewhere",
    [DPL_VERDICT_FREQUENT] = "occurs in many document pairs",
    [DPL_VERDICT_SCORE] = "probably not a complete translation",
    [DPL__DROPPED_LOW] = "kept, but not in moses, tmx, xliff: a low score",
    [DPL__DROPPED_SAME] = "kept, but once in moses, tmx, xliff: the same but for numbers"};

typedef struct collecting {
    dpl__dropped *out;
    const dpl__pair_run *run;
} collecting;

/* A dpl_aligned_docs_fn. */
static dpl_status take(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    collecting *c = user;
    const uint32_t doc[2] = {docs->docs.left, docs->docs.right};
    (void)err;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        assert((unsigned)b->verdict < DPL_N_VERDICTS);
        dpl__dropped_reason *reason = &c->out->reasons[b->verdict];
        reason->n++;
        if (b->verdict == DPL_VERDICT_KEPT ||
            !dpl__bead_examples_wants(&reason->examples, docs->pair))
            continue;
        dpl__bead_example e = {.pair = docs->pair};
        for (int side = 0; side < 2; side++) {
            const dpl_collection *from = c->run->corpus.c[side];
            const uint32_t *units = docs->units[side];
            const uint32_t first = side ? b->right : b->left, n = side ? b->n_right : b->n_left;
            e.id[side] = dpl_collection_doc(from, doc[side]).id;
            if (n)
                e.text[side] = dpl_sentences_text(from, doc[side], units[first],
                                                  units[first + n] - units[first]);
        }
        dpl__bead_examples_add(&reason->examples, &e);
    }
    return DPL_OK;
}

dpl_status dpl__dropped_collect(dpl__dropped *out, const dpl__pair_run *run,
                                const dpl_beads_writer *corpus, dpl_error *err)
{
    *out = (dpl__dropped){0};
    for (unsigned i = 1; i < DPL__N_DROPPED; i++) {
        out->reasons[i].what = why[i];
        out->reasons[i].name = i == DPL__DROPPED_LOW    ? "low score"
                               : i == DPL__DROPPED_SAME ? "same but for numbers"
                                                        : dpl_verdict_name((dpl_verdict)i);
    }
    if (corpus) {
        out->reasons[DPL__DROPPED_LOW].n = corpus->n_low;
        out->reasons[DPL__DROPPED_LOW].examples = corpus->low;
        out->reasons[DPL__DROPPED_SAME].n = corpus->n_same;
        out->reasons[DPL__DROPPED_SAME].examples = corpus->same;
    }
    collecting c = {out, run};
    return dpl__aligned_each(run->beads.aligned, NULL, run->final.docs.n, take, &c, err);
}

dpl_status dpl__dropped_write(const dpl__dropped *dropped, const dpl__pair_run *run,
                              dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl__open_output(&o, run->ctx, run->task.dir, "dropped.tsv", err));
    for (unsigned i = 1; i < DPL__N_DROPPED; i++) {
        const dpl__dropped_reason *r = &dropped->reasons[i];
        for (size_t k = 0; k < r->examples.n; k++) {
            const dpl__bead_example *e = &r->examples.at[k];
            dpl__put(o, "%s\t%" PRIu64 "\t", r->name, r->n);
            for (int side = 0; side < 2; side++)
                dpl__put_field(o, e->id[side], "\t");
            for (int side = 0; side < 2; side++)
                dpl__put_field(o, e->text[side], side ? "\n" : "\t");
        }
    }
    return dpl__output_end(o, DPL_OK, err);
}
