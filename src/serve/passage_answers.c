/*
 * passage_answers.c - answers about passages of a text: where an index has them, whether the
 * text is a copy, and which sentences of two texts are translations of each other.
 */
#include "serve/passage_answers.h"
#include "doppel/index.h"
#include "doppel/sentences.h"
#include "serve/query_body.h"
#include "unicode/unicode.h"

#include "readers/json_parser.h"

enum {
    MOST_PASSAGES = 1000, /* in an answer */
    CONTEXT = 160         /* bytes before and behind a passage of a source, about */
};

/* ---- passages ------------------------------------------------------------------------- */

/* The bytes [begin, end) of the text, moved to where characters begin. */
static dpl_str cut(dpl_str text, size_t begin, size_t end)
{
    while (begin < end && dpl__is_inner(text.data[begin]))
        begin++;
    while (end > begin && end < text.n && dpl__is_inner(text.data[end]))
        end--;
    return (dpl_str){text.data + begin, end - begin};
}

static void put_span(dpl_json *j, const dpl_span *s, dpl_str text)
{
    dpl_json_number(j, "begin", s->begin);
    dpl_json_number(j, "end", s->end);
    dpl_json_number(j, "sentence", s->first_sentence);
    dpl_json_number(j, "sentences", s->n_sentences);
    dpl_json_text(j, "text", text);
}

static void put_passage(dpl_json *j, const dpl_index *index, const dpl_reuse_result *r,
                        const dpl_passage *p)
{
    const dpl_doc doc = dpl_reuse_doc(r, p->source.doc, true);
    uint32_t row = 0;
    const bool is_known = dpl_index_find(index, doc.id, &row);
    const size_t begin = p->source.begin, end = p->source.end;
    dpl_json_begin(j, NULL, '{');
    dpl_json_cstr(j, "kind", dpl_passage_kind_name(p->kind));
    dpl_json_decimal(j, "similarity", (double)p->similarity);
    dpl_json_begin(j, "query", '{');
    put_span(j, &p->query, dpl_reuse_text(r, p, false));
    dpl_json_end(j, '}');
    dpl_json_begin(j, "source", '{');
    if (is_known)
        dpl_json_number(j, "row", row);
    dpl_json_text(j, "id", doc.id);
    put_span(j, &p->source, dpl_reuse_text(r, p, true));
    dpl_json_text(j, "before", cut(doc.text, begin > CONTEXT ? begin - CONTEXT : 0, begin));
    dpl_json_text(j, "after", cut(doc.text, end, dpl__min(end + CONTEXT, doc.text.n)));
    dpl_json_end(j, '}');
    dpl_json_end(j, '}');
}

static void put_sources(dpl_json *j, const dpl_index *index, const dpl_reuse_result *r)
{
    dpl_json_begin(j, "sources", '[');
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_source_docs && i < DPL__MOST_HITS; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(r, i);
        const dpl_doc doc = dpl_reuse_doc(r, s->doc, true);
        uint32_t row;
        dpl_json_begin(j, NULL, '{');
        if (dpl_index_find(index, doc.id, &row))
            dpl_json_number(j, "row", row);
        dpl_json_text(j, "id", doc.id);
        dpl_json_text(j, "title", doc.title);
        dpl_json_text(j, "lang", doc.lang);
        dpl_json_number(j, "n_passages", s->n_passages);
        dpl_json_number(j, "n_words", s->n_words);
        dpl_json_number(j, "n_new_words", s->n_new_words);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static void put_coverage(dpl_json *j, const dpl_reuse_summary *s)
{
    dpl_json_begin(j, "coverage", '{');
    dpl_json_number(j, "n_words", s->n_query_words);
    dpl_json_number(j, "n_reused_words", s->n_reused_words);
    dpl_json_decimal(j, "share",
                     s->n_query_words ? (double)s->n_reused_words / (double)s->n_query_words
                                      : 0);
    dpl_json_end(j, '}');
}

/* The text of the request in the index. NULL: the answer says why not. */
static dpl_reuse_result *find(dpl__answer *a, const dpl_index *index, const dpl__asked *asked)
{
    dpl_error err = {0};
    dpl_reuse_result *r = NULL;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    if (!info.has_texts) {
        dpl__answer_error(a, 404, "no-texts", "the index was built without texts");
        return NULL;
    }
    /* a language that nobody knows is detected, as in a query */
    const dpl_lang lang = dpl_lang_canonical(dpl__cstr(asked->lang));
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options,
                 .lang = asked->lang[0] && strcmp(lang.code, "und") != 0 ? lang.code : NULL);
    const dpl_reuse_options o =
        DPL_INIT(dpl_reuse_options, .read = &read, .threshold = asked->threshold);
    dpl_doc doc = {.id = DPL_STR("query"), .text = asked->text};
    dpl__one_doc one = {doc, false};
    const dpl_doc_source source = {dpl__one_doc_next, &one, "the text"};
    const dpl_input input = {.source = &source};
    const dpl_status status = dpl_index_passages(&r, a->ctx, index, &input, 1, &o, &err);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
    return r;
}

void dpl__answer_passages(dpl__answer *a, const dpl_index *index, const dpl__call *call)
{
    dpl__asked asked;
    if (!dpl__asked_by_body(&asked, a, call->request))
        return;
    dpl_reuse_result *r = find(a, index, &asked);
    if (!r)
        return;
    const size_t n = dpl_reuse_get_summary(r)->n_passages;
    dpl_json j = dpl__answer_json(a);
    put_coverage(&j, dpl_reuse_get_summary(r));
    put_sources(&j, index, r);
    dpl_json_begin(&j, "passages", '[');
    for (size_t i = 0; i < n && i < MOST_PASSAGES; i++)
        put_passage(&j, index, r, dpl_reuse_get_passage(r, i));
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "n_passages", n);
    dpl_json_end(&j, '}');
    dpl_reuse_result_free(r);
}

/* ---- copies --------------------------------------------------------------------------- */

/* Default similarity from which a text counts as a copy; a request may set another. */
static const double COPY = 0.8;

/* Documents whose similarity reaches the threshold; *best is the largest one. */
static dpl_status put_copies(dpl_json *j, const dpl_index *index, const dpl__asked *asked,
                             double least, double *best, dpl_error *err)
{
    dpl_query *query = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = (unsigned)asked->top, .threshold = least,
                 .lang = asked->lang[0] ? asked->lang : NULL);
    dpl_status status;
    DPL__STEP(dpl_query_new(&query, index, &o, err));
    DPL__STEP(dpl_query_text(query, asked->text, &r, err));
    dpl_json_begin(j, "documents", '[');
    for (size_t i = 0; i < r.n_hits; i++) {
        const dpl_index_doc doc = dpl_index_document(index, r.hits[i].row);
        dpl_json_begin(j, NULL, '{');
        dpl_json_number(j, "row", r.hits[i].row);
        dpl_json_text(j, "id", doc.id);
        dpl_json_text(j, "title", doc.title);
        dpl_json_cstr(j, "lang", doc.lang);
        dpl_json_decimal(j, "similarity", (double)r.hits[i].score);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    *best = r.n_hits ? (double)r.hits[0].score : 0;
done:
    dpl_query_free(query);
    return status;
}

/* A copy as a whole, or a text most of whose words are in passages of documents. */
void dpl__answer_dedup_check(dpl__answer *a, const dpl_index *index, const dpl__call *call)
{
    dpl__asked asked;
    dpl_error err = {0};
    dpl_index_info info = DPL_INIT(dpl_index_info);
    double best = 0, share = 0;
    if (!dpl__asked_by_body(&asked, a, call->request))
        return;
    const double least = asked.threshold > 0 ? asked.threshold : COPY;
    asked.threshold = 0; /* of passages: the default */
    dpl_index_describe(index, &info);
    dpl_reuse_result *r = info.has_texts ? find(a, index, &asked) : NULL;
    if (info.has_texts && !r)
        return;
    dpl_json j = dpl__answer_json(a);
    const dpl_status status = put_copies(&j, index, &asked, least, &best, &err);
    if (r) {
        const dpl_reuse_summary *s = dpl_reuse_get_summary(r);
        share = s->n_query_words ? (double)s->n_reused_words / (double)s->n_query_words : 0;
        put_coverage(&j, s);
        put_sources(&j, index, r);
    } else {
        dpl_json_null(&j, "coverage");
        dpl_json_begin(&j, "sources", '[');
        dpl_json_end(&j, ']');
    }
    dpl_json_decimal(&j, "threshold", least);
    dpl_json_bool(&j, "is_duplicate", best >= least || share >= least);
    dpl_json_end(&j, '}');
    dpl_reuse_result_free(r);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
}

/* ---- two texts ------------------------------------------------------------------------ */

typedef struct texts {
    dpl_str text[2], lang[2];
} texts;

/* A string of the body; *out stays as it is where there is none. False: it is no string. */
static bool read_string(dpl_str *out, dpl__answer *a, dpl_str body, const char *key)
{
    const dpl_str raw = dpl__json_value(a->ctx, body, key);
    dpl__json json = dpl__json_begin(a->ctx, raw);
    return !raw.n || (raw.data[0] == '"' && dpl__json_string(&json, &a->arena, out) == DPL_OK);
}

/* Letters, digits and '-', as in "de" or "zh-Hant"; may be empty. */
static bool is_code(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!dpl__is_letter_or_digit(s.data[i]) && s.data[i] != '-')
            return false;
    return s.n < 12;
}

static bool read_texts(texts *t, dpl__answer *a, const dpl__request *request)
{
    static const char *const names[2][2] = {{"left", "right"}, {"left_lang", "right_lang"}};
    const dpl_str body = request->body;
    dpl__json json = dpl__json_begin(a->ctx, body);
    dpl_str raw;
    *t = (texts){0};
    const bool is_object = dpl__has_type(request->content_type, "application/json") &&
                           dpl__is_utf8(a->ctx, body) && dpl__json_peek(&json) == '{' &&
                           dpl__json_skip(&json, &raw) == DPL_OK &&
                           dpl__json_end(&json) == DPL_OK;
    bool is_good = is_object;
    for (int i = 0; i < 2 && is_good; i++)
        is_good = read_string(&t->text[i], a, body, names[0][i]) &&
                  read_string(&t->lang[i], a, body, names[1][i]) && t->text[i].n &&
                  is_code(t->lang[i]);
    if (!is_good)
        dpl__answer_error(a, 400, "bad-request",
                          "the body must be a JSON object (application/json) with the texts "
                          "'left' and 'right', and may have 'left_lang' and 'right_lang'");
    return is_good;
}

static dpl_status import_text(dpl_collection **out, dpl_ctx *ctx, const texts *t, int side,
                              dpl_error *err)
{
    dpl__one_doc one = {{.id = side ? DPL_STR("right") : DPL_STR("left"),
                         .text = t->text[side],
                         .lang = t->lang[side]},
                        false};
    const dpl_doc_source source = {dpl__one_doc_next, &one, side ? "right" : "left"};
    const dpl_input input = {.source = &source};
    return dpl_collection_from_inputs(out, NULL, ctx, &input, 1, NULL, err);
}

typedef struct beads {
    dpl_json *json;
    dpl_collection *c[2];
} beads;

/* A dpl_aligned_docs_fn. */
static dpl_status put_beads(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    const beads *b = user;
    (void)err;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *bead = &docs->beads[i];
        dpl_json_begin(b->json, NULL, '{');
        dpl_json_text(b->json, "left",
                      dpl_sentences_text(b->c[0], docs->docs.left, bead->left, bead->n_left));
        dpl_json_text(
            b->json, "right",
            dpl_sentences_text(b->c[1], docs->docs.right, bead->right, bead->n_right));
        dpl_json_decimal(b->json, "score", (double)bead->score);
        dpl_json_cstr(b->json, "verdict", dpl_verdict_name(bead->verdict));
        dpl_json_end(b->json, '}');
    }
    return DPL_OK;
}

static void put_lang(dpl_json *j, const char *key, const dpl_collection *c)
{
    dpl_json_text(j, key, dpl_collection_doc(c, 0).lang);
}

static dpl_status align(dpl__answer *a, beads *b, const texts *t, dpl_error *err)
{
    static const dpl_doc_pair pair = {0, 0};
    for (int side = 0; side < 2; side++) {
        DPL_TRY(import_text(&b->c[side], a->ctx, t, side, err));
        if (!dpl_collection_get_sizes(b->c[side])->n_docs)
            return dpl__fail(err, DPL_E_USAGE, "'%s' has no text", side ? "right" : "left");
    }
    const dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = b->c[0],
                                            .right = b->c[1], .pairs = &pair, .n_pairs = 1);
    dpl_json j = dpl__answer_json(a);
    put_lang(&j, "left_lang", b->c[0]);
    put_lang(&j, "right_lang", b->c[1]);
    dpl_json_begin(&j, "beads", '[');
    b->json = &j;
    const dpl_status status = dpl_sentences_align(NULL, a->ctx, &in, NULL, put_beads, b, err);
    dpl_json_end(&j, ']');
    dpl_json_end(&j, '}');
    return status;
}

void dpl__answer_align(dpl__answer *a, const dpl__call *call)
{
    texts t;
    beads b = {0};
    dpl_error err = {0};
    if (!read_texts(&t, a, call->request))
        return;
    const dpl_status status = align(a, &b, &t, &err);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
    dpl_collection_close(b.c[0]);
    dpl_collection_close(b.c[1]);
}
