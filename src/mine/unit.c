/*
 * unit.c - the unit of a run; collections of sentences.
 *
 * A collection of documents becomes one of its sentences, each a document with an id of its
 * own. It is made by importing the sentences, one by one, so that everything after it is the
 * same as for documents of one sentence. Cost: the sentences are tokenized again.
 */
#include "mine/unit.h"

#include "base/ctx.h"
#include "mine/mine_params.h"
#include "vectors/term_match.h"

#include <stdio.h>
#include <unistd.h>

const char *dpl_mine_unit_name(dpl_mine_unit unit)
{
    static const char *const names[] = {
        [DPL_UNIT_AUTO] = "auto",
        [DPL_UNIT_DOCUMENT] = "document",
        [DPL_UNIT_SENTENCE] = "sentence",
        [DPL_UNIT_PASSAGE] = "passage",
    };
    return (unsigned)unit < DPL_LEN(names) ? names[unit] : NULL;
}

/* ---- sentences as documents ----------------------------------------------------------- */

/* The sentences of a collection, as documents. */
typedef struct splitter {
    dpl_ctx *ctx;
    const dpl_collection *c;
    uint32_t doc;
    size_t sentence; /* of the document, the next one */
    dpl__bytes id;
} splitter;

static dpl_status next_sentence(void *user, dpl_doc *out, dpl_error *err)
{
    splitter *s = user;
    uint32_t n_docs = dpl_collection_get_sizes(s->c)->n_docs;
    dpl_str text = {0};
    while (s->doc < n_docs && text.n == 0) {
        if (s->sentence == dpl_collection_n_sentences(s->c, s->doc)) {
            s->doc++;
            s->sentence = 0;
        } else {
            text = dpl_collection_sentence_text(s->c, s->doc, s->sentence++);
        }
    }
    if (text.n == 0)
        return DPL_END;
    char number[24];
    int n = snprintf(number, sizeof number, "#%zu", s->sentence);
    dpl_doc from = dpl_collection_doc(s->c, s->doc);
    s->id.n = 0;
    if (!dpl__vec_append(s->ctx, &s->id, from.id.data, from.id.n) ||
        !dpl__vec_append(s->ctx, &s->id, number, (size_t)n))
        return dpl__fail_nomem(err);
    out->id = (dpl_str){s->id.data, s->id.n};
    out->lang = from.lang;
    out->text = text;
    return DPL_OK;
}

static dpl_status import_sentences(dpl__pair_run *r, int side, const char *path, dpl_error *err)
{
    splitter s = {.ctx = r->ctx, .c = r->corpus.c[side]};
    dpl_doc_source source = {next_sentence, &s, dpl_input_name(r->inputs[side])};
    dpl_input input = {.source = &source};
    dpl__facts facts;
    DPL_TRY(dpl__facts_find(&facts, s.c, 1, err));
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = facts.is_stemmed);
    dpl_import_options o =
        DPL_INIT(dpl_import_options, .tokens = &tokens, .spill_dir = r->corpus.work);
    dpl_status status = dpl_import_inputs(NULL, r->ctx, path, &input, 1, &o, err);
    dpl__vec_clear(r->ctx, &s.id);
    return status;
}

/* The collection of sentences takes the place of that of documents. */
static dpl_status split_side(dpl__pair_run *r, int side, dpl_error *err)
{
    char path[4100];
    dpl_collection *sentences = NULL;
    snprintf(path, sizeof path, "%s/%s-sentences.dpl", r->corpus.work, side ? "right" : "left");
    if (access(path, R_OK) != 0)
        DPL_TRY(import_sentences(r, side, path, err));
    DPL_TRY(dpl_collection_open(&sentences, r->ctx, path, err));
    dpl_collection_close(r->owned[side]);
    dpl__doc_numbers_clear(&r->numbers[side], r->ctx); /* of documents */
    r->corpus.c[side] = r->owned[side] = sentences;
    if (dpl_collection_get_sizes(sentences)->n_docs == 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no sentences",
                         dpl_input_name(r->inputs[side]));
    return DPL_OK;
}

/* ---- choosing ------------------------------------------------------------------------- */

static bool has_single_sentences(const dpl__pair_run *r, int side)
{
    const dpl_mine_language *s = &r->sides[side];
    double n = (double)s->n_docs;
    return (double)s->n_sentences <= DPL__P(mine, single_sentences) * n &&
           (double)s->n_tokens <= DPL__P(mine, single_words) * n;
}

dpl_status dpl__pair_run_choose_unit(dpl__pair_run *r, dpl_error *err)
{
    dpl_mine_unit unit = r->settings.options.unit;
    if (!dpl_mine_unit_name(unit))
        return dpl__fail(err, DPL_E_USAGE, "no unit of mining has the number %d", (int)unit);
    for (int side = 0; side < 2 && unit == DPL_UNIT_SENTENCE; side++)
        DPL_TRY(split_side(r, side, err));
    if (unit == DPL_UNIT_AUTO)
        unit = has_single_sentences(r, 0) && has_single_sentences(r, 1) ? DPL_UNIT_SENTENCE
                                                                        : DPL_UNIT_DOCUMENT;
    r->summary.unit = unit;
    return DPL_OK;
}
