/*
 * lunch_table_2.c - "No Free Lunch", Table 2: signatures of several lengths beside vectors.
 *
 * For each length: the time of a comparison, by itself (as the paper's) and in a search of all
 * against all, and precision and recall of the pairs within the distance that stands for the
 * threshold, without verification. Truth and precision are those of the sampled left rows.
 */
#include "lab/lunch.h"

typedef struct row {
    unsigned paper_bits, bits; /* ours: a multiple of 1024 */
    double ns, precision, recall;
} row;

static const row paper[] = {
    {1000, 1024, 28, 0.59, 0.76}, {2000, 2048, 52, 0.74, 0.81}, {3000, 3072, 84, 0.86, 0.78}};
static const double paper_vector_ns = 450;

static void put_paper(dpl__lab_table *t)
{
    for (size_t i = 0; i < DPL_LEN(paper); i++) {
        dpl__lab_text(t, "paper");
        dpl__lab_text(t, "signature");
        dpl__lab_count(t, paper[i].paper_bits);
        dpl__lab_number(t, paper[i].ns, 0);
        dpl__lab_none(t);
        dpl__lab_number(t, paper[i].precision, 2);
        dpl__lab_number(t, paper[i].recall, 2);
    }
    dpl__lab_text(t, "paper document vector");
    dpl__lab_text(t, "document vector");
    dpl__lab_none(t);
    dpl__lab_number(t, paper_vector_ns, 0);
    for (int i = 0; i < 3; i++)
        dpl__lab_none(t);
}

/* What is said in the end. */
typedef struct seen {
    double single[DPL_LEN(paper)], all[DPL_LEN(paper)], recall[DPL_LEN(paper)],
        precision[DPL_LEN(paper)];
    double vector_ns, exact_ns;
    size_t n_truth, n_sample;
} seen;

static dpl_status measure_vectors(dpl__lab_table *t, seen *s, dpl__lunch *l, dpl_error *err)
{
    double seconds;
    DPL_TRY(dpl__lunch_time_exact(&seconds, l, err));
    s->exact_ns = 1e9 * seconds / l->n_pairs;
    dpl__lab_text(t, "measured document vector");
    dpl__lab_text(t, "document vector");
    dpl__lab_none(t);
    dpl__lab_number(t, s->vector_ns, 1);
    dpl__lab_number(t, s->exact_ns, 3);
    dpl__lab_number(t, 1, 4);
    dpl__lab_number(t, 1, 4);
    s->n_truth = l->n_truth;
    s->n_sample = l->n_sample;
    return DPL_OK;
}

static dpl_status measure(dpl__lab_table *t, seen *s, size_t i, dpl__lunch *l, dpl_error *err)
{
    dpl__lunch_brute brute;
    double single, vector;
    DPL_TRY(dpl__lunch_run_brute(&brute, l, l->cut, false, err));
    DPL_TRY(dpl__lunch_time_single(&single, &vector, l, err));
    s->single[i] = 1e9 * single;
    s->vector_ns = 1e9 * vector;
    s->all[i] = 1e9 * brute.seconds / l->n_pairs;
    s->precision[i] = brute.n_sampled ? (double)brute.n_true / (double)brute.n_sampled : 1;
    s->recall[i] = (double)l->n_within / (double)l->n_truth;
    dpl__lab_text(t, "measured");
    dpl__lab_text(t, "signature");
    dpl__lab_count(t, l->bits);
    dpl__lab_number(t, s->single[i], 1);
    dpl__lab_number(t, s->all[i], 3);
    dpl__lab_number(t, s->precision[i], 4);
    dpl__lab_number(t, s->recall[i], 4);
    return i + 1 == DPL_LEN(paper) ? measure_vectors(t, s, l, err) : DPL_OK;
}

static unsigned bits_of(const dpl__lab *lab, size_t i)
{
    return lab->set->as_paper ? paper[i].paper_bits : paper[i].bits;
}

static void say(dpl__lab *lab, const seen *s)
{
    dpl__lab_find(lab,
                  "%u bits find %.0f %% of the pairs with a precision of %.0f %% (paper: 76 %% "
                  "and 59 %%), %u bits %.0f %% with %.0f %% (78 %% and 86 %%)",
                  bits_of(lab, 0), 100 * s->recall[0], 100 * s->precision[0], bits_of(lab, 2),
                  100 * s->recall[2], 100 * s->precision[2]);
    dpl__lab_find(lab,
                  "a comparison of %u bits takes %.1f ns by itself and %.2f ns in a search of "
                  "all against all (paper: 28 ns); one of document vectors %.0f ns (paper: 450 "
                  "ns), but exact search takes %.2f ns for each pair of documents, because an "
                  "inverted index never meets most of them",
                  bits_of(lab, 0), s->single[0], s->all[0], s->vector_ns, s->exact_ns);
    dpl__lab_note(lab,
                  "Truth: the %zu pairs with a cosine of %g or more of %zu left documents. "
                  "Times are processor time of all threads "
                  "for each pair",
                  s->n_truth, lab->set->threshold, s->n_sample);
}

dpl_status dpl__lab_lunch_table_2(dpl__lab *lab, dpl_error *err)
{
    seen s = {0};
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL,
                                           "source\trepresentation\tbits\ttime alone "
                                           "[ns]\ttime in a search [ns]\tprecision\trecall");
    for (size_t i = 0; i < DPL_LEN(paper); i++) {
        dpl__lunch l;
        DPL_TRY(dpl__lunch_open(&l, lab,
                                lab->set->as_paper ? paper[i].paper_bits : paper[i].bits, err));
        const dpl_status status = measure(t, &s, i, &l, err);
        dpl__lunch_close(&l);
        DPL_TRY(status);
    }
    put_paper(t);
    say(lab, &s);
    static const dpl__lab_curve curves[] = {
        {.title = "recall", .rows = "measured", .x = 3, .y = 7, .colour = 1},
        {.title = "recall in the paper", .rows = "paper", .x = 3, .y = 7, .colour = 2},
        {.title = "precision", .rows = "measured", .x = 3, .y = 6, .colour = 3},
        {.title = "precision in the paper", .rows = "paper", .x = 3, .y = 6, .colour = 4}};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "length of the signatures [bits]",
                                        .y_label = "share",
                                        .y_min = 0.4,
                                        .y_max = 1,
                                        .x_min = 800,
                                        .x_max = 3200,
                                        .legend = "bottom right",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
    return dpl__lab_status(lab, err);
}
