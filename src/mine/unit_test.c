#include "mine/unit.h"

#include "mine/rounds.h"
#include "mine/unit_choice.h"
#include "test.h"

static const dpl_mine_unit numbers[] = {DPL_UNIT_DOCUMENT, DPL_UNIT_SENTENCE, DPL_UNIT_PASSAGE};

DPL_TEST(unit, every_row_stands_at_its_number_and_is_whole)
{
    for (size_t i = 0; i < DPL_LEN(numbers); i++) {
        const dpl__unit *u = dpl__unit_of(numbers[i]);
        CHECK(u && u->number == numbers[i]);
        CHECK(strcmp(u->name, dpl_mine_unit_name(numbers[i])) == 0);
        CHECK(u->things && u->gold_code && u->neighbours && u->features && u->add_rows);
        CHECK(u->most_changed() > 0 && u->most_changed() < 1);
        CHECK(!u->begin == !u->end);
        CHECK(u->n_features > 0 &&
              u->n_features + DPL__ALIGNMENT_FEATURES <= DPL_LEN(((dpl__features *)NULL)->x));
        CHECK(u->has_alignment || !u->has_ranges); /* ranges are made of beads */
    }
    CHECK(!dpl__unit_of(DPL_UNIT_AUTO) && !dpl__unit_of((dpl_mine_unit)77));
    CHECK(strcmp(dpl_mine_unit_name(DPL_UNIT_AUTO), "auto") == 0);
}

/* Candidates of documents, with this confidence each. */
typedef struct result {
    dpl__rounds rounds;
    dpl__doc_candidate pairs[10];
} result;

static void make_result(result *r, const dpl__unit *unit, size_t n, double confidence)
{
    *r = (result){.rounds = {.unit = unit}};
    for (size_t i = 0; i < n; i++)
        r->pairs[i].confidence = confidence;
    r->rounds.found.pairs.data = r->pairs;
    r->rounds.found.pairs.n = n;
    r->rounds.found.aligned = 1;
    r->rounds.found.likely = 0.5;
}

DPL_TEST(unit, passages_are_tried_where_documents_give_little)
{
    result r;
    make_result(&r, &dpl__unit_document, 10, 0.99);
    CHECK(!dpl__needs_passages(&r.rounds, false));
    r.rounds.found.aligned = 0.3; /* translated in part */
    CHECK(dpl__needs_passages(&r.rounds, false));
    CHECK(!dpl__needs_passages(&r.rounds, true)); /* a lexicon there is */
    r.rounds.sample.is_large = true;
    CHECK(!dpl__needs_passages(&r.rounds, false));
    make_result(&r, &dpl__unit_document, 10, 0.55); /* hardly sure */
    CHECK(dpl__needs_passages(&r.rounds, false));
    make_result(&r, &dpl__unit_document, 0, 0);
    dpl__reason_set(&r.rounds.why_empty, NULL, "no words");
    CHECK(dpl__needs_passages(&r.rounds, true));
    r.rounds.unit = &dpl__unit_sentence;
    CHECK(!dpl__needs_passages(&r.rounds, false));
}

DPL_TEST(unit, few_passage_pairs_that_are_aligned_in_part_are_not_trusted)
{
    const dpl__comparable p = {.n_docs = {1000, 900}};
    result r, documents;
    make_result(&documents, &dpl__unit_document, 2, 0.6);
    make_result(&r, &dpl__unit_passage, 2, 0.9);
    r.rounds.found.aligned = 0.01;
    CHECK(dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false));
    CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, true));
    r.rounds.found.aligned = 0.9;
    CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false));
    dpl__reason_set(&r.rounds.why_empty, NULL, "no words");
    CHECK(dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, true));
}

DPL_TEST(unit, passages_that_explain_less_than_documents_are_left)
{
    const dpl__comparable p = {.n_docs = {10, 10}};
    result r, documents;
    make_result(&documents, &dpl__unit_document, 9, 0.6);
    for (size_t n = 4; n <= 8; n++) { /* 3.6 to 7.2 right ones against 5.4 */
        make_result(&r, &dpl__unit_passage, n, 0.9);
        CHECK(dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false) == (n < 6));
        CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, true));
    }
    dpl__reason_set(&documents.rounds.why_empty, NULL, "no words");
    make_result(&r, &dpl__unit_passage, 4, 0.9);
    CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false));
}

DPL_TEST(unit, passages_whose_pairs_do_not_come_back_are_left)
{
    const dpl__comparable p = {.n_docs = {220, 219}};
    result r, documents;
    make_result(&documents, &dpl__unit_document, 4, 0.9);
    make_result(&r, &dpl__unit_passage, 8, 0.95);
    for (int n = 90; n <= 128; n += 19) { /* of 128 wrong and right ones 91 came back */
        r.rounds.hidden = (dpl__hidden_pairs){.n_hidden = 128, .n_back = n};
        CHECK(dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false) == (n < 109));
        CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, true));
    }
    dpl__reason_set(&documents.rounds.why_empty, NULL, "no words");
    r.rounds.hidden.n_back = 90;
    CHECK(!dpl__distrusts_passages(&r.rounds, &documents.rounds, &p, false));
}

DPL_TEST(unit, few_pairs_that_are_aligned_in_part_are_settled_by_hidden_pairs)
{
    result r;
    make_result(&r, &dpl__unit_passage, 2, 0.9);
    dpl__doc_candidates *found = &r.rounds.found;
    found->aligned = 0.3;
    CHECK(!dpl__may_be_parts(found)); /* the model of many pairs knows parts */
    found->has_few = true;
    CHECK(dpl__may_be_parts(found));
    found->aligned = 0.97; /* siblings come back, too, when they are hidden */
    CHECK(!dpl__may_be_parts(found));
    found->aligned = 0; /* none was left */
    CHECK(dpl__may_be_parts(found));
}
