/*
 * mining_growth.c - document mining, section 2.2: is the n-gram search linear in the number of
 * documents?
 *
 * In: two collections, the left one translated. Out: for random subsets of both sides what the
 * search counts (pairs that share an n-gram, pairs that are scored) and its processor seconds,
 * and the power of the number of documents that they grow with. The paper's bound, documents
 * times n-grams of a document times the greatest frequency, holds for candidates.
 */
#include "lab/mining.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <math.h>

enum { SIZES = 5 };
enum { GENERATED = 0, SCORED, SECONDS, MEASURES };
static const char *const measures[MEASURES] = {"pairs that share an n-gram",
                                               "pairs that are scored", "seconds"};

typedef struct growth {
    dpl__lab *lab;
    const dpl__mining_sides *whole;
    double docs[SIZES], values[MEASURES][SIZES];
} growth;

/* A document is in all subsets that are larger than its random number. */
static dpl_status draw(dpl_collection **out, growth *g, unsigned side, double share,
                       dpl_error *err)
{
    const dpl_collection *from = g->whole->c[side];
    const char *lang;
    dpl__mining_docs docs;
    dpl__rng rng = {dpl__mix(g->lab->ctx->seed + side)};
    dpl__mining_docs_init(&docs, g->lab->ctx);
    dpl_status status;
    DPL__STEP(dpl__lab_lang(&lang, g->lab, 1, err));
    for (uint32_t i = 0; i < dpl_collection_get_sizes(from)->n_docs; i++) {
        const dpl_doc doc = dpl_collection_doc(from, i);
        if ((double)(dpl__rng_next(&rng) >> 11) < share * 9007199254740992.0)
            DPL__STEP(dpl__mining_docs_add(&docs, doc.id, doc.text, err));
    }
    status = dpl__mining_docs_collect(out, &docs, g->lab, lang, err);
done:
    dpl__mining_docs_clear(&docs);
    return status;
}

static dpl_status search(growth *g, size_t size, const dpl__mining_sides *sides, dpl_error *err)
{
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_MUTUAL);
    double best = INFINITY;
    dpl__mining_found found = {0};
    dpl_status status = DPL_OK;
    for (unsigned run = 0; run < g->lab->set->repeats && status == DPL_OK; run++) {
        const double began = dpl__lab_cpu_clock();
        status = dpl__mining_find(&found, g->lab, sides, &o, err);
        best = fmin(best, dpl__lab_cpu_clock() - began);
    }
    g->docs[size] = found.counts.n_docs;
    g->values[GENERATED][size] = (double)(found.counts.n_candidates + found.counts.n_capped);
    g->values[SCORED][size] = (double)found.counts.n_candidates;
    g->values[SECONDS][size] = best;
    dpl__mining_found_clear(&found);
    return status;
}

static dpl_status measure(growth *g, size_t size, dpl_error *err)
{
    const double share = 1.0 / (double)(1u << (SIZES - 1 - size));
    dpl__mining_sides some = {0};
    dpl_status status;
    DPL__STEP(dpl__lab_progress(g->lab, size, SIZES, err));
    for (unsigned side = 0; side < 2; side++)
        DPL__STEP(draw(&some.c[side], g, side, share, err));
    status = search(g, size, &some, err);
done:
    dpl__mining_sides_close(&some);
    return status;
}

static void put(growth *g)
{
    dpl__lab_table *t =
        dpl__lab_table_new(g->lab, NULL, "what\tdocuments\tvalue\tof a document [1000 times]");
    dpl__lab_table *powers = dpl__lab_table_new(g->lab, "powers", "what\tpower");
    for (unsigned what = 0; what < MEASURES; what++) {
        for (size_t i = 0; i < SIZES; i++) {
            dpl__lab_text(t, "%s", measures[what]);
            dpl__lab_number(t, g->docs[i], 0);
            dpl__lab_number(t, g->values[what][i], what == SECONDS ? 3 : 0);
            dpl__lab_number(t, 1000 * g->values[what][i] / fmax(1, g->docs[i]), 3);
        }
        dpl__lab_text(powers, "%s", measures[what]);
        dpl__lab_number(powers, dpl__lab_power(g->docs, g->values[what], SIZES), 3);
        dpl__lab_find(g->lab, "%s grow with the power %.2f of the number of documents",
                      measures[what], dpl__lab_power(g->docs, g->values[what], SIZES));
    }
    static const dpl__lab_curve curves[] = {
        {.title = "pairs that share an n-gram",
         .rows = "pairs that share an n-gram",
         .x = 2,
         .y = 3},
        {.title = "pairs that are scored", .rows = "pairs that are scored", .x = 2, .y = 3}};
    dpl__lab_draw(g->lab, &(dpl__lab_plot){.table = t,
                                           .title = "Pairs by the number of documents",
                                           .x_label = "documents",
                                           .y_label = "pairs",
                                           .x_log = true,
                                           .y_log = true,
                                           .legend = "top left",
                                           .curves = curves,
                                           .n_curves = DPL_LEN(curves)});
}

dpl_status dpl__lab_mining_growth(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides sides;
    growth g = {.lab = lab, .whole = &sides};
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    dpl_status status = DPL_OK;
    for (size_t size = 0; size < SIZES && status == DPL_OK; size++)
        status = measure(&g, size, err);
    dpl__mining_sides_close(&sides);
    DPL_TRY(status);
    put(&g);
    dpl__lab_note(lab, "random subsets of both sides, drawn by the seed; n-grams in more than "
                       "50 documents make no candidates; processor seconds of the search from "
                       "words on, without translation; the fastest of the repeats");
    return dpl__lab_status(lab, err);
}
