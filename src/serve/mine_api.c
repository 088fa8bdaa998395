/*
 * mine_api.c - requests about the folder of a mine run: pairs and judgements.
 */
#include "readers/json_parser.h"
#include "serve/app.h"
#include "unicode/unicode.h"

#include <math.h>

/* The names that answers use. */
static const char *const state_names[] = {"open", "accepted", "rejected", NULL};

const char *dpl__state_name(unsigned verdict)
{
    return state_names[verdict % 3];
}

bool dpl__refresh(dpl__answer *a, dpl__mine_folder *f)
{
    dpl_error err = {0};
    const dpl_status status = dpl__judge_file_refresh(&f->judgements, &err);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
    return status == DPL_OK;
}

/* ---- what is served ----------------------------------------------------------------- */

enum { STEPS = 20 };

static void put_confidence(dpl_json *j, const dpl__mine_folder *f)
{
    uint64_t counts[STEPS] = {0};
    for (size_t i = 0; i < f->pairs.n; i++) {
        const double c = (double)f->pairs.data[i].confidence;
        counts[c >= 1 ? STEPS - 1 : c > 0 ? (unsigned)(c * STEPS) : 0]++;
    }
    dpl_json_begin(j, "confidence", '{');
    dpl_json_number(j, "from", 0);
    dpl_json_number(j, "to", 1);
    dpl_json_begin(j, "counts", '[');
    for (unsigned i = 0; i < STEPS; i++)
        dpl_json_number(j, NULL, counts[i]);
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

static uint64_t n_docs(const dpl__served_run *r, int side)
{
    return r->docs[side] ? dpl_collection_get_sizes(r->docs[side])->n_docs : r->n_pairs;
}

/* Each language once: the pivot is a side of every run. */
static uint64_t put_languages(dpl_json *j, const dpl__mine_folder *f)
{
    uint64_t total = 0;
    dpl_json_begin(j, "languages", '[');
    for (size_t i = 0; i < 2 * f->runs.n; i++) {
        const char *lang = f->runs.data[i / 2].langs[i % 2];
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new = is_new && strcmp(f->runs.data[k / 2].langs[k % 2], lang) != 0;
        if (!is_new)
            continue;
        const uint64_t n = n_docs(&f->runs.data[i / 2], (int)(i % 2));
        total += n;
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "lang", lang);
        dpl_json_number(j, "documents", n);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    return total;
}

static void put_runs(dpl_json *j, const dpl__mine_folder *f)
{
    dpl_json_begin(j, "language_pairs", '[');
    for (size_t i = 0; i < f->runs.n; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_cstr(j, "left_lang", f->runs.data[i].langs[0]);
        dpl_json_cstr(j, "right_lang", f->runs.data[i].langs[1]);
        dpl_json_number(j, "n_pairs", f->runs.data[i].n_pairs);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

void dpl__mine_put_info(dpl_json *j, dpl__mine_folder *f)
{
    uint64_t n[3] = {0};
    bool has_texts = false;
    (void)dpl__judge_file_refresh(&f->judgements, NULL);
    for (size_t i = 0; i < f->pairs.n; i++)
        n[f->states[i] % 3]++;
    for (size_t i = 0; i < f->runs.n; i++)
        has_texts = has_texts || (f->runs.data[i].docs[0] && f->runs.data[i].docs[1]);
    dpl_json_number(j, "documents", put_languages(j, f));
    dpl_json_bool(j, "texts", has_texts);
    dpl_json_bool(j, "lexicon", false);
    dpl_json_begin(j, "mine", '{');
    dpl_json_number(j, "n_pairs", f->pairs.n);
    dpl_json_number(j, "n_accepted", n[DPL__JUDGED_ACCEPT]);
    dpl_json_number(j, "n_rejected", n[DPL__JUDGED_REJECT]);
    dpl_json_bool(j, "can_judge", !f->judgements.is_read_only);
    dpl_json_cstr(j, "judgements", "judgements.tsv");
    put_runs(j, f);
    put_confidence(j, f);
    dpl__links_put_info(j, f);
    dpl_json_end(j, '}');
}

/* ---- one pair ----------------------------------------------------------------------- */

static void put_side(dpl_json *j, const dpl__mine_folder *f, const dpl__served_pair *p,
                     int side)
{
    static const char *const keys[2][3] = {{"left_id", "left_lang", "left_title"},
                                           {"right_id", "right_lang", "right_title"}};
    dpl_json_text(j, keys[side][0], p->ids[side]);
    dpl_json_cstr(j, keys[side][1], f->runs.data[p->run].langs[side]);
    dpl_json_text(j, keys[side][2], dpl__served_doc(f, p, side).title);
}

/* Everything but texts and sentences; the object stays open. */
static void put_pair(dpl_json *j, const dpl__mine_folder *f, uint32_t pair)
{
    assert(pair < f->pairs.n);
    const dpl__served_pair *p = &f->pairs.data[pair];
    dpl_json_number(j, "pair", pair);
    put_side(j, f, p, 0);
    put_side(j, f, p, 1);
    dpl_json_decimal(j, "confidence", (double)p->confidence);
    dpl_json_cstr(j, "state", dpl__state_name(f->states[pair]));
    dpl_json_number(j, "n_sentences", p->n_sentences);
}

static void put_span(dpl_json *j, const char *key, dpl_str text, dpl_str sentence, size_t *at)
{
    size_t begin, end;
    if (!dpl__find_sentence(text, sentence, at, &begin, &end))
        return;
    dpl_json_begin(j, key, '[');
    dpl_json_number(j, NULL, begin);
    dpl_json_number(j, NULL, end);
    dpl_json_end(j, ']');
}

static void put_sentences(dpl_json *j, const dpl__mine_folder *f, const dpl__served_pair *p)
{
    const dpl__mapped *m = &f->runs.data[p->run].sentences;
    const dpl_str texts[2] = {dpl__served_doc(f, p, 0).text, dpl__served_doc(f, p, 1).text};
    size_t at[2] = {0};
    dpl__sentence_line line;
    dpl_json_begin(j, "sentences", '[');
    for (uint32_t r = p->lines; r != DPL__NO_RANGE; r = f->lines.data[r].next) {
        dpl_str lines = {m->data + f->lines.data[r].begin, f->lines.data[r].n_bytes};
        while (dpl__sentence_line_next(&line, &lines)) {
            dpl_json_begin(j, NULL, '{');
            dpl_json_text(j, "left", line.sides[0]);
            dpl_json_text(j, "right", line.sides[1]);
            dpl_json_decimal(j, "score", line.score);
            put_span(j, "left_span", texts[0], line.sides[0], &at[0]);
            put_span(j, "right_span", texts[1], line.sides[1], &at[1]);
            dpl_json_end(j, '}');
        }
    }
    dpl_json_end(j, ']');
}

static void put_text(dpl_json *j, const char *key, const dpl__mine_folder *f,
                     const dpl__served_pair *p, int side)
{
    if (p->docs[side] == DPL__NO_DOC)
        dpl_json_null(j, key);
    else
        dpl_json_text(j, key, dpl__served_doc(f, p, side).text);
}

static bool check_pair(dpl__answer *a, const dpl__mine_folder *f, uint64_t number)
{
    if (number < f->pairs.n)
        return true;
    dpl__answer_error(a, 404, "not-found", "there is no pair %llu: they are numbered from 0",
                      (unsigned long long)number);
    return false;
}

void dpl__get_pair(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__mine_folder *f = call->site->mine;
    if (!check_pair(a, f, call->number) || !dpl__refresh(a, f))
        return;
    const dpl__served_pair *p = &f->pairs.data[call->number];
    dpl_json j = dpl__answer_json(a);
    put_pair(&j, f, (uint32_t)call->number);
    put_text(&j, "left_text", f, p, 0);
    put_text(&j, "right_text", f, p, 1);
    put_sentences(&j, f, p);
    dpl_json_end(&j, '}');
}

/* ---- a list of pairs ---------------------------------------------------------------- */

typedef struct filter {
    dpl_str langs[2], part;
    double least, most; /* confidence */
    unsigned state;     /* 0: any; else one more than dpl__verdict_of_pair */
    unsigned order;
    uint64_t offset, limit;
} filter;

/* The first is the default: what is to be judged. */
enum { ORDER_DOUBT, ORDER_CONFIDENCE, ORDER_FILE };

static bool read_filter(filter *out, const dpl__parameters *p, dpl__answer *a)
{
    static const char *const states[] = {"all", "open", "accepted", "rejected", NULL};
    static const char *const orders[] = {"doubt", "confidence", "file", NULL};
    *out = (filter){.most = 1, .limit = 50};
    return dpl__parameter_text(&out->langs[0], p, "left_lang", 11, a) &&
           dpl__parameter_text(&out->langs[1], p, "right_lang", 11, a) &&
           dpl__parameter_text(&out->part, p, "q", 256, a) &&
           dpl__parameter_share(&out->least, p, "min_confidence", a) &&
           dpl__parameter_share(&out->most, p, "max_confidence", a) &&
           dpl__parameter_choice(&out->state, p, "state", states, a) &&
           dpl__parameter_choice(&out->order, p, "order", orders, a) &&
           dpl__parameter_count(&out->offset, p, "offset", 0, UINT32_MAX, a) &&
           dpl__parameter_count(&out->limit, p, "limit", 1, DPL__MOST_LISTED, a);
}

static bool passes(const dpl__mine_folder *f, uint32_t pair, const filter *w)
{
    const dpl__served_pair *p = &f->pairs.data[pair];
    /* six digits are all that the file has */
    const double confidence = floor((double)p->confidence * 1e6 + 0.5) / 1e6;
    if (confidence < w->least || confidence > w->most)
        return false;
    if (w->state && f->states[pair] + 1u != w->state)
        return false;
    bool has_part = !w->part.n;
    for (int side = 0; side < 2; side++) {
        if (w->langs[side].n &&
            !dpl__str_eq(w->langs[side], dpl__cstr(f->runs.data[p->run].langs[side])))
            return false;
        has_part = has_part || dpl__has_part(p->ids[side], w->part) ||
                   dpl__has_part(dpl__served_doc(f, p, side).title, w->part);
    }
    return has_part;
}

static uint32_t nth_pair(const dpl__mine_folder *f, unsigned order, size_t i)
{
    assert(i < f->pairs.n);
    return order == ORDER_FILE         ? (uint32_t)i
           : order == ORDER_CONFIDENCE ? f->by_confidence[i]
                                       : f->by_confidence[f->pairs.n - 1 - i];
}

void dpl__get_pairs(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__mine_folder *f = call->site->mine;
    filter w;
    if (!read_filter(&w, &call->parameters, a) || !dpl__refresh(a, f))
        return;
    dpl_json j = dpl__answer_json(a);
    uint64_t total = 0;
    dpl_json_begin(&j, "pairs", '[');
    for (size_t i = 0; i < f->pairs.n; i++) {
        const uint32_t pair = nth_pair(f, w.order, i);
        if (!passes(f, pair, &w))
            continue;
        if (total >= w.offset && total - w.offset < w.limit) {
            dpl_json_begin(&j, NULL, '{');
            put_pair(&j, f, pair);
            dpl_json_end(&j, '}');
        }
        total++;
    }
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "total", total);
    dpl_json_number(&j, "offset", w.offset);
    dpl_json_end(&j, '}');
}

/* ---- judgements --------------------------------------------------------------------- */

/* The member "judgement" of the body; false: the answer says what is wrong. */
static bool read_judgement(dpl__verdict_of_pair *out, dpl__answer *a, dpl_str body)
{
    dpl_str key, value = {0};
    bool has_one = false;
    dpl__json j = dpl__json_begin(a->ctx, body);
    dpl_status status = dpl__is_utf8(a->ctx, body) ? dpl__json_open(&j, '{') : DPL_E_FORMAT;
    while (status == DPL_OK && (status = dpl__json_member(&j, &a->arena, &key)) == DPL_OK) {
        if (dpl__str_eq(key, DPL_STR("judgement")) && dpl__json_peek(&j) == '"') {
            status = dpl__json_string(&j, &a->arena, &value);
            has_one = true;
        } else {
            dpl_str raw;
            status = dpl__json_skip(&j, &raw);
        }
    }
    if (status == DPL_END && dpl__json_end(&j) == DPL_OK && has_one)
        for (unsigned v = 0; dpl__verdict_of_pair_name(v); v++)
            if (dpl__str_eq(value, dpl__cstr(dpl__verdict_of_pair_name(v)))) {
                *out = (dpl__verdict_of_pair)v;
                return true;
            }
    dpl__answer_error(
        a, 400, "bad-request",
        "the body must be JSON: {\"judgement\": \"accept\", \"reject\" or \"open\"}");
    return false;
}

static bool can_judge(dpl__answer *a, const dpl__mine_folder *f, const dpl__call *call)
{
    if (!dpl__has_type(call->request->content_type, "application/json")) {
        dpl__answer_error(a, 415, "media-type", "the body must be application/json");
        return false;
    }
    if (f->judgements.is_read_only) {
        dpl__answer_error(a, 403, "read-only", "judgements cannot be written here");
        return false;
    }
    return true;
}

bool dpl__judge(dpl__answer *a, dpl__app *app, const dpl__call *call, const dpl_str ids[2],
                uint32_t run)
{
    dpl__mine_folder *f = call->site->mine;
    dpl__verdict_of_pair verdict;
    if (!can_judge(a, f, call) || !read_judgement(&verdict, a, call->request->body))
        return false;
    const dpl__served_run *r = &f->runs.data[run];
    const dpl__judgement judgement = {.left_id = ids[0],
                                      .right_id = ids[1],
                                      .left_lang = dpl__cstr(r->langs[0]),
                                      .right_lang = dpl__cstr(r->langs[1]),
                                      .verdict = verdict};
    dpl_error err = {0};
    const dpl_status status =
        dpl__judge_file_append(&f->judgements, &judgement, call->request->until, &err);
    if (status != DPL_OK) {
        dpl__answer_failure(a, status, &err);
        return false;
    }
    app->metrics.n_judgements++;
    return true;
}

void dpl__put_judgement(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    dpl__mine_folder *f = call->site->mine;
    if (!check_pair(a, f, call->number))
        return;
    const dpl__served_pair *p = &f->pairs.data[call->number];
    if (!dpl__judge(a, app, call, p->ids, p->run))
        return;
    dpl_json j = dpl__answer_json(a);
    put_pair(&j, f, (uint32_t)call->number);
    dpl_json_end(&j, '}');
}
