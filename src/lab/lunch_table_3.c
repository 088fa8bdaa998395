/*
 * lunch_table_3.c - "No Free Lunch", Table 3 and the analysis of errors of section 6.3.
 *
 * For a sample of left documents with a gold counterpart: the nearest right documents, as the
 * paper's examples show them, and what became of the counterpart: the nearest, among the
 * nearest, further away, below the threshold. The paper gives two reasons for those below it:
 * lengths that differ, and words that the lexicon does not know. For each, how likely it is
 * that a missed document has more of it than one that was found (0.5: no reason at all).
 */
#include "lab/lunch.h"

#include "base/maths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEAR = 5, EXAMPLES = 24, SHOWN = 3 };

enum { FIRST = 0, AMONG, FURTHER, BELOW, NONE, KINDS };
static const char *const kinds[KINDS] = {
    "the counterpart is the nearest", "it is among the five nearest", "it is further away",
    "it is below the threshold, others are above", "no document at or above the threshold"};

enum { LENGTHS = 0, UNKNOWN, BRIEF, REASONS };
static const char *const reasons[REASONS] = {"lengths differ more", "more words are unknown",
                                             "the document is shorter"};

/* A sampled document. */
typedef struct looked {
    unsigned kind;
    double cosine; /* of the counterpart */
    double reason[REASONS];
} looked;

typedef struct table_3 {
    dpl__lab *lab;
    const dpl_vectors *sides[2];
    const dpl_collection *docs[2];
    uint32_t *doc_of[2]; /* of each row */
    const dpl_lexicon *lexicon;
    bool is_source; /* left words are the sources of the lexicon */
    dpl_neighbours *near;
    looked *seen;
    size_t n_seen;
} table_3;

/* ---- data -------------------------------------------------------------------------------- */

static dpl_status number_docs(table_3 *s, unsigned side, dpl_error *err)
{
    const uint32_t *rows, n_docs = dpl_collection_get_sizes(s->docs[side])->n_docs;
    DPL_TRY(dpl__lunch_rows(&rows, s->lab, s->docs[side], s->sides[side], err));
    s->doc_of[side] = dpl__arena_alloc(&s->lab->arena, (n_docs + 1) * sizeof(uint32_t));
    DPL_TRY(dpl__need(s->doc_of[side], err));
    for (uint32_t doc = 0; doc < n_docs; doc++)
        if (rows[doc] != UINT32_MAX)
            s->doc_of[side][rows[doc]] = doc;
    return DPL_OK;
}

static dpl_status open_data(table_3 *s, dpl_error *err)
{
    const char *lang;
    for (unsigned side = 0; side < 2; side++) {
        DPL_TRY(dpl__lab_collection(&s->docs[side], s->lab, side, err));
        DPL_TRY(dpl__lab_vectors(&s->sides[side], s->lab, side, err));
        DPL_TRY(number_docs(s, side, err));
    }
    DPL_TRY(dpl__lab_lexicon(&s->lexicon, s->lab, err));
    DPL_TRY(dpl__lab_lang(&lang, s->lab, 0, err));
    s->is_source = strcmp(dpl_lexicon_get_info(s->lexicon).source_lang, lang) == 0;
    const dpl_pairs_side left = {.vectors = s->sides[0]}, right = {.vectors = s->sides[1]};
    const dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = NEAR, .temp = s->lab->scratch);
    return dpl_neighbours_find(&s->near, s->lab->ctx, &left, &right, &o, err);
}

/* ---- a document -------------------------------------------------------------------------- */

static double length_of(const table_3 *s, unsigned side, uint32_t row)
{
    size_t n;
    dpl_collection_tokens(s->docs[side], s->doc_of[side][row], &n);
    return (double)dpl__max(n, (size_t)1);
}

static double unknown_of(const table_3 *s, uint32_t row)
{
    size_t n, n_unknown = 0;
    uint32_t number;
    const uint32_t *tokens = dpl_collection_tokens(s->docs[0], s->doc_of[0][row], &n);
    for (size_t i = 0; i < n; i++) {
        const dpl_str word = dpl_collection_term(s->docs[0], tokens[i]);
        n_unknown += !(s->is_source ? dpl_lexicon_find_source(s->lexicon, word, &number)
                                    : dpl_lexicon_find_target(s->lexicon, word, &number));
    }
    return n ? (double)n_unknown / (double)n : 0;
}

static unsigned kind_of(const table_3 *s, uint32_t row, uint32_t linked, double cosine)
{
    const dpl_scored_row *near = dpl_neighbours_of(s->near, false, row);
    const double threshold = s->lab->set->threshold;
    if (near[0].row == UINT32_MAX || (double)near[0].score < threshold)
        return NONE;
    if (cosine < threshold)
        return BELOW;
    for (unsigned i = 0; i < NEAR; i++)
        if (near[i].row == linked)
            return i ? AMONG : FIRST;
    return FURTHER;
}

static void look(table_3 *s, uint32_t row, uint32_t linked)
{
    const double cosine = dpl_vectors_cosine(s->sides[0], row, s->sides[1], linked);
    const double a = length_of(s, 0, row), b = length_of(s, 1, linked);
    s->seen[s->n_seen++] = (looked){
        .kind = kind_of(s, row, linked, cosine),
        .cosine = cosine,
        .reason = {
            [LENGTHS] = fabs(dpl__log(a / b)), [UNKNOWN] = unknown_of(s, row), [BRIEF] = -a}};
}

/* ---- examples ---------------------------------------------------------------------------- */

/* The title, or how the text begins; short enough for a table. */
static void put_title(dpl__lab_table *t, const table_3 *s, unsigned side, uint32_t row)
{
    const dpl_doc doc = dpl_collection_doc(s->docs[side], s->doc_of[side][row]);
    const dpl_str text = doc.title.n ? doc.title : doc.text;
    size_t n = 0;
    while (n < text.n && n < 60 && text.data[n] != '\n')
        n++;
    while (n < text.n && n > 0 && ((unsigned char)text.data[n] & 0xc0) == 0x80)
        n--; /* whole characters */
    dpl__lab_text(t, "%.*s", (int)n, text.data);
}

static void put_example(dpl__lab_table *t, const table_3 *s, uint32_t row, uint32_t linked)
{
    const dpl_scored_row *near = dpl_neighbours_of(s->near, false, row);
    for (unsigned i = 0; i < SHOWN; i++) {
        if (near[i].row == UINT32_MAX || (double)near[i].score < s->lab->set->threshold)
            break;
        put_title(t, s, 0, row);
        dpl__lab_count(t, i + 1);
        put_title(t, s, 1, near[i].row);
        dpl__lab_number(t, (double)near[i].score, 3);
        dpl__lab_text(t, "%s", near[i].row == linked ? "yes" : "");
    }
}

/* ---- what is found ----------------------------------------------------------------------- */

/* A reason of those documents whose counterpart is below the threshold, or of the others. */
static size_t list(double *out, const table_3 *s, unsigned reason, bool is_missed)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_seen; i++)
        if ((s->seen[i].cosine < s->lab->set->threshold) == is_missed)
            out[n++] = s->seen[i].reason[reason];
    return n;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : NAN;
}

static void put_number(dpl__lab_table *t, double x)
{
    if (isnan(x))
        dpl__lab_none(t);
    else
        dpl__lab_number(t, x, 3);
}

static dpl_status put_tables(table_3 *s, dpl__lab_table *t, dpl_error *err)
{
    double *missed = dpl__arena_alloc(&s->lab->arena, s->n_seen * sizeof *missed),
           *found = dpl__arena_alloc(&s->lab->arena, s->n_seen * sizeof *found);
    DPL_TRY(dpl__need(missed && found, err));
    size_t counts[KINDS] = {0};
    for (size_t i = 0; i < s->n_seen; i++)
        counts[s->seen[i].kind]++;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const double share = 100 * (double)counts[kind] / (double)s->n_seen;
        dpl__lab_text(t, "%s", kinds[kind]);
        dpl__lab_count(t, counts[kind]);
        dpl__lab_number(t, share, 1);
        dpl__lab_find(s->lab, "%s: %.1f %% of the documents", kinds[kind], share);
    }
    dpl__lab_table *why = dpl__lab_table_new(s->lab, "reasons",
                                             "reason\tlikelier [probability]\tmean of those "
                                             "missed\tmean of those found");
    for (unsigned reason = 0; reason < REASONS; reason++) {
        const size_t n_missed = list(missed, s, reason, true),
                     n_found = list(found, s, reason, false);
        const double p = dpl__lab_likelier(missed, n_missed, found, n_found),
                     sign = reason == BRIEF ? -1 : 1;
        dpl__lab_text(why, "%s", reasons[reason]);
        put_number(why, p);
        put_number(why, sign * mean_of(missed, n_missed));
        put_number(why, sign * mean_of(found, n_found));
        if (!isnan(p))
            dpl__lab_find(s->lab,
                          "%s for a missed document than for a found one with a "
                          "probability of %.2f",
                          reasons[reason], p);
    }
    return DPL_OK;
}

/* ---- the experiment ---------------------------------------------------------------------- */

static dpl_status run(table_3 *s, dpl_error *err)
{
    dpl__lab *lab = s->lab;
    const uint32_t *sample;
    const dpl_doc_pair *gold;
    size_t n_sample, n_gold, at = 0;
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "what\tdocuments\tshare [%]");
    dpl__lab_table *examples = dpl__lab_table_new(
        lab, "examples", "left document\trank\tright document\tcosine\tgold");
    DPL_TRY(open_data(s, err));
    DPL_TRY(dpl__lab_gold_rows(&gold, &n_gold, lab, err));
    DPL_TRY(dpl__lab_sample(&sample, &n_sample, lab, 0, err));
    s->seen = dpl__arena_alloc(&lab->arena, (n_sample + 1) * sizeof *s->seen);
    DPL_TRY(dpl__need(s->seen, err));
    for (size_t i = 0; i < n_sample; i++) {
        while (at < n_gold && gold[at].left < sample[i])
            at++;
        if (at == n_gold || gold[at].left != sample[i])
            continue;
        if (s->n_seen < EXAMPLES)
            put_example(examples, s, sample[i], gold[at].right);
        look(s, sample[i], gold[at].right);
    }
    if (!s->n_seen)
        return dpl__fail(err, DPL_E_NOTHING, "no sampled document has a gold counterpart");
    return put_tables(s, t, err);
}

dpl_status dpl__lab_lunch_table_3(dpl__lab *lab, dpl_error *err)
{
    table_3 s = {.lab = lab};
    const dpl_status status = run(&s, err);
    dpl_neighbours_free(s.near);
    DPL_TRY(status);
    dpl__lab_note(lab, "missed: the counterpart has a cosine below the threshold. Lengths: "
                       "logarithm of their ratio; unknown: share of the left words that the "
                       "lexicon does not have; shorter: words. The paper looked at some cases "
                       "by hand, in articles that are rarely translations");
    return dpl__lab_status(lab, err);
}
