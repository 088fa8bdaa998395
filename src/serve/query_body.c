/*
 * query_body.c - what a request asks an index for.
 */
#include "serve/query_body.h"

#include "base/options.h"
#include "readers/json_parser.h"
#include "unicode/unicode.h"

dpl_status dpl__one_doc_next(void *user, dpl_doc *out, dpl_error *err)
{
    dpl__one_doc *one = user;
    (void)err;
    if (one->is_given)
        return DPL_END;
    one->is_given = true;
    *out = one->doc;
    return DPL_OK;
}

static const dpl__asked standard = {.top = 10, .terms = 8};

/* Least similarity above 0: a query takes 0 for its default. */
static double least(double threshold)
{
    return threshold > 1e-6 ? threshold : 1e-6;
}

bool dpl__asked_by_parameters(dpl__asked *out, dpl__answer *a, const dpl__call *call)
{
    const dpl__parameters *p = &call->parameters;
    double threshold = -1;
    *out = standard;
    out->only = UINT64_MAX;
    if (!dpl__parameter_count(&out->top, p, "top", 1, DPL__MOST_HITS, a) ||
        !dpl__parameter_count(&out->terms, p, "terms", 0, DPL__MOST_TERMS, a) ||
        !dpl__parameter_count(&out->only, p, "only", 0, UINT32_MAX, a) ||
        !dpl__parameter_share(&threshold, p, "threshold", a) ||
        !dpl__parameter_bool(&out->has_passages, p, "passages", a))
        return false;
    out->has_only = out->only != UINT64_MAX;
    out->threshold = threshold < 0 ? 0 : least(threshold);
    return true;
}

/* ---- the body ----------------------------------------------------------------------- */

typedef struct body {
    dpl__json json;
    dpl__asked *asked;
    dpl__answer *answer;
    bool has_text;
    const char *problem; /* static text */
} body;

static dpl_status bad(body *b, const char *problem)
{
    b->problem = problem;
    return DPL_E_FORMAT;
}

/* A number in [from, to]. */
static dpl_status read_real(body *b, double *out, double from, double to, const char *problem)
{
    dpl_str raw;
    const char c = dpl__json_peek(&b->json);
    if (c != '-' && !dpl__is_digit(c))
        return bad(b, problem);
    DPL_TRY(dpl__json_number(&b->json, &raw));
    return dpl__parse_real(out, raw) && *out >= from && *out <= to ? DPL_OK : bad(b, problem);
}

/* A whole number in [from, to], written in any way that is one: 10, 1e1, 10.0. */
static dpl_status read_count(body *b, uint64_t *out, uint64_t from, uint64_t to,
                             const char *problem)
{
    double value;
    DPL_TRY(read_real(b, &value, (double)from, (double)to, problem));
    *out = (uint64_t)value;
    return value == (double)*out ? DPL_OK : bad(b, problem);
}

static dpl_status read_threshold(body *b)
{
    double value;
    DPL_TRY(read_real(b, &value, 0, 1, "'threshold' must be a number from 0 to 1"));
    b->asked->threshold = least(value);
    return DPL_OK;
}

/* A code such as "de" or "zh-Hant". */
static dpl_status read_lang(body *b)
{
    static const char problem[] = "'lang' must be the code of a language, such as \"de\"";
    dpl_str s;
    if (dpl__json_peek(&b->json) == 'n')
        return dpl__json_skip(&b->json, &s);
    if (dpl__json_peek(&b->json) != '"')
        return bad(b, problem);
    DPL_TRY(dpl__json_string(&b->json, &b->answer->arena, &s));
    if (s.n < 2 || s.n >= sizeof b->asked->lang)
        return bad(b, problem);
    for (size_t i = 0; i < s.n; i++)
        if (!dpl__is_letter_or_digit(s.data[i]) && (i < 2 || i == s.n - 1 || s.data[i] != '-'))
            return bad(b, problem);
    memcpy(b->asked->lang, s.data, s.n);
    b->asked->lang[s.n] = 0;
    return DPL_OK;
}

static dpl_status read_passages(body *b)
{
    dpl_str raw;
    const char c = dpl__json_peek(&b->json);
    if (c != 't' && c != 'f')
        return bad(b, "'passages' must be true or false");
    b->asked->has_passages = c == 't';
    return dpl__json_skip(&b->json, &raw);
}

static dpl_status read_text(body *b)
{
    if (dpl__json_peek(&b->json) != '"')
        return bad(b, "'text' must be a string");
    b->has_text = true;
    return dpl__json_string(&b->json, &b->answer->arena, &b->asked->text);
}

static dpl_status read_member(body *b, dpl_str key)
{
    dpl_str raw;
    if (dpl__str_eq(key, DPL_STR("text")))
        return read_text(b);
    if (dpl__str_eq(key, DPL_STR("lang")))
        return read_lang(b);
    if (dpl__str_eq(key, DPL_STR("top")))
        return read_count(b, &b->asked->top, 1, DPL__MOST_HITS,
                          "'top' must be a whole number from 1 to 100");
    if (dpl__str_eq(key, DPL_STR("terms")))
        return read_count(b, &b->asked->terms, 0, DPL__MOST_TERMS,
                          "'terms' must be a whole number from 0 to 50");
    if (dpl__str_eq(key, DPL_STR("only"))) {
        b->asked->has_only = true;
        return read_count(b, &b->asked->only, 0, UINT32_MAX,
                          "'only' must be the row of a document");
    }
    if (dpl__str_eq(key, DPL_STR("threshold")))
        return read_threshold(b);
    if (dpl__str_eq(key, DPL_STR("passages")))
        return read_passages(b);
    return dpl__json_skip(&b->json, &raw);
}

static bool read_json(dpl__asked *out, dpl__answer *a, dpl_str text)
{
    dpl_str key;
    body b = {dpl__json_begin(a->ctx, text), out, a, false, NULL};
    dpl_status status = dpl__json_peek(&b.json) == '{'
                            ? dpl__json_open(&b.json, '{')
                            : bad(&b, "the body must be a JSON object");
    while (status == DPL_OK && (status = dpl__json_member(&b.json, &a->arena, &key)) == DPL_OK)
        status = read_member(&b, key);
    if (status == DPL_END)
        status = dpl__json_end(&b.json);
    if (status == DPL_OK && !b.has_text)
        status = bad(&b, "the body must have a 'text'");
    if (status == DPL_OK)
        return true;
    if (status == DPL_E_NOMEM)
        dpl__answer_error(a, 503, "busy", "out of memory");
    else
        dpl__answer_error(a, 400, "bad-request", "%s%s",
                          b.problem ? "" : "the body is not JSON: ",
                          b.problem        ? b.problem
                          : b.json.problem ? b.json.problem
                                           : "it ends too early");
    return false;
}

bool dpl__asked_by_body(dpl__asked *out, dpl__answer *a, const dpl__request *request)
{
    *out = standard;
    const bool is_json = dpl__has_type(request->content_type, "application/json");
    if (!is_json && !dpl__has_type(request->content_type, "text/plain")) {
        dpl__answer_error(a, 415, "media-type",
                          "the body must be application/json or text/plain");
        return false;
    }
    if (!dpl__is_utf8(a->ctx, request->body)) {
        dpl__answer_error(a, 400, "bad-request", "the body is not UTF-8");
        return false;
    }
    if (is_json)
        return read_json(out, a, request->body);
    out->text = request->body;
    return true;
}
