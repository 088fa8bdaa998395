/*
 * index_answers.c - answers about a pocket index as JSON.
 */
#include "serve/index_answers.h"

#include "doppel/summary.h"

#include "index/query.h"

#include "serve/passage_answers.h"
#include "serve/query_body.h"

/* ---- what is served ----------------------------------------------------------------- */

dpl_json dpl__info_begin(dpl__answer *a, const char *kind, const char *name, uint64_t max_body)
{
    dpl_json j = dpl__answer_json(a);
    dpl_json_cstr(&j, "kind", kind);
    dpl_json_cstr(&j, "name", name);
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_json_begin(&j, "limits", '{');
    dpl_json_number(&j, "body", max_body);
    dpl_json_number(&j, "top", DPL__MOST_HITS);
    dpl_json_number(&j, "limit", DPL__MOST_LISTED);
    dpl_json_end(&j, '}');
    return j;
}

void dpl__index_put_info(dpl_json *j, const dpl_index *index)
{
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    dpl_summary_json(j, &(dpl_figures){&dpl_index_info_figures, &info, NULL,
                                       "documents languages texts lexicon"});
    dpl_json_begin(j, "index", '{');
    dpl_summary_json(j, &(dpl_figures){&dpl_index_info_figures, &info, NULL,
                                       "!documents languages texts lexicon"});
    dpl_json_end(j, '}');
}

static uint32_t n_docs(const dpl_index *index)
{
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    return info.n_docs;
}

/* ---- documents ---------------------------------------------------------------------- */

/* The object stays open. */
static void put_document(dpl_json *j, const dpl_index *index, uint32_t row)
{
    const dpl_index_doc doc = dpl_index_document(index, row);
    dpl_json_number(j, "row", row);
    dpl_json_text(j, "id", doc.id);
    dpl_json_text(j, "title", doc.title);
    dpl_json_cstr(j, "lang", doc.lang);
    dpl_json_number(j, "n_words", doc.n_words);
}

static bool check_row(dpl__answer *a, const dpl_index *index, uint64_t row)
{
    if (row < n_docs(index))
        return true;
    dpl__answer_error(a, 404, "not-found",
                      "there is no document %llu: they are numbered from 0",
                      (unsigned long long)row);
    return false;
}

void dpl__answer_documents(dpl__answer *a, const dpl_index *index, const dpl__call *call)
{
    const dpl__parameters *p = &call->parameters;
    dpl_str part = {0}, lang = {0};
    uint64_t offset = 0, limit = 50, total = 0;
    if (!dpl__parameter_text(&part, p, "q", 256, a) ||
        !dpl__parameter_text(&lang, p, "lang", 11, a) ||
        !dpl__parameter_count(&offset, p, "offset", 0, UINT32_MAX, a) ||
        !dpl__parameter_count(&limit, p, "limit", 1, DPL__MOST_LISTED, a))
        return;
    dpl_json j = dpl__answer_json(a);
    dpl_json_begin(&j, "documents", '[');
    for (uint32_t row = 0, n = n_docs(index); row < n; row++) {
        const dpl_index_doc doc = dpl_index_document(index, row);
        if ((lang.n && !dpl__str_eq(lang, dpl__cstr(doc.lang))) ||
            !(dpl__has_part(doc.title, part) || dpl__has_part(doc.id, part)))
            continue;
        if (total >= offset && total - offset < limit) {
            dpl_json_begin(&j, NULL, '{');
            put_document(&j, index, row);
            dpl_json_end(&j, '}');
        }
        total++;
    }
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "total", total);
    dpl_json_number(&j, "offset", offset);
    dpl_json_end(&j, '}');
}

void dpl__answer_document(dpl__answer *a, const dpl_index *index, const dpl__call *call)
{
    dpl_error err = {0};
    dpl_str text = {0};
    if (!check_row(a, index, call->number))
        return;
    const uint32_t row = (uint32_t)call->number;
    const dpl_status status = dpl_index_text(index, row, &text, &err);
    if (status != DPL_OK && status != DPL_E_UNSUPPORTED) {
        dpl__answer_failure(a, status, &err);
        return;
    }
    dpl_json j = dpl__answer_json(a);
    put_document(&j, index, row);
    if (text.data)
        dpl_json_text(&j, "text", text);
    else
        dpl_json_null(&j, "text");
    dpl_json_end(&j, '}');
    dpl_index_free_text(index, text);
}

/* ---- hits --------------------------------------------------------------------------- */

/* A question and what was found. */
typedef struct found {
    const dpl_index *index;
    dpl_query *query;
    const dpl__asked *asked;
    const dpl_query_result *result;
} found;

static void put_term(dpl_json *j, const dpl_query_term *term, dpl_str word)
{
    dpl_json_begin(j, NULL, '{');
    dpl_json_text(j, "query", term->query);
    dpl_json_text(j, "document", term->document);
    dpl_json_text(j, "document_word", word);
    dpl_json_decimal(j, "weight", (double)term->weight);
    dpl_json_end(j, '}');
}

/* Terms as the document's text writes them, where there is a text. */
static dpl_status put_terms(dpl_json *j, const found *f, size_t hit, dpl_error *err)
{
    const dpl_query_term *terms = NULL;
    dpl_str stems[DPL__MOST_TERMS], words[DPL__MOST_TERMS], text = {0};
    size_t n = 0;
    if (f->asked->terms)
        DPL_TRY(dpl_query_terms(f->query, hit, &terms, &n, err));
    n = dpl__min(n, (size_t)f->asked->terms);
    for (size_t i = 0; i < n; i++)
        stems[i] = words[i] = terms[i].document;
    const bool has_text =
        n && dpl_index_text(f->index, f->result->hits[hit].row, &text, NULL) == DPL_OK;
    if (has_text)
        dpl__surface_words(words, stems, n, text);
    dpl_json_begin(j, "terms", '[');
    for (size_t i = 0; i < n; i++)
        put_term(j, &terms[i], words[i]);
    dpl_json_end(j, ']');
    if (has_text)
        dpl_index_free_text(f->index, text);
    return DPL_OK;
}

static void put_span(dpl_json *j, const char *key, uint32_t begin, uint32_t end)
{
    dpl_json_begin(j, key, '[');
    dpl_json_number(j, NULL, begin);
    dpl_json_number(j, NULL, end);
    dpl_json_end(j, ']');
}

/* An index without texts has none. */
static dpl_status put_passages(dpl_json *j, const found *f, size_t hit, dpl_error *err)
{
    const dpl_query_passage *passages = NULL;
    size_t n = 0;
    const dpl_status status =
        f->asked->has_passages ? dpl_query_passages(f->query, hit, &passages, &n, err) : DPL_OK;
    if (status != DPL_OK && status != DPL_E_UNSUPPORTED)
        return status;
    dpl_json_begin(j, "passages", '[');
    for (size_t i = 0; status == DPL_OK && i < n; i++) {
        dpl_json_begin(j, NULL, '{');
        put_span(j, "query", passages[i].query_begin, passages[i].query_end);
        put_span(j, "document", passages[i].begin, passages[i].end);
        dpl_json_decimal(j, "score", (double)passages[i].score);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    return DPL_OK;
}

static dpl_status put_hits(dpl_json *j, const found *f, dpl_error *err)
{
    dpl_json_begin(j, "hits", '[');
    for (size_t i = 0; i < f->result->n_hits; i++) {
        const dpl_query_hit *hit = &f->result->hits[i];
        if (f->asked->has_only && f->asked->only != hit->row)
            continue;
        dpl_json_begin(j, NULL, '{');
        put_document(j, f->index, hit->row);
        dpl_json_decimal(j, "score", (double)hit->score);
        dpl_json_bool(j, "is_verified", hit->is_verified);
        DPL_TRY(put_terms(j, f, i, err));
        DPL_TRY(put_passages(j, f, i, err));
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    return DPL_OK;
}

static void put_query(dpl_json *j, const dpl_query_result *r)
{
    dpl_json_begin(j, "query", '{');
    dpl_json_cstr(j, "lang", r->lang[0] ? r->lang : "und");
    dpl_json_bool(j, "is_translated", r->is_translated);
    dpl_json_number(j, "n_words", r->n_words);
    dpl_json_number(j, "n_terms", r->n_terms);
    dpl_json_number(j, "n_known", r->n_known);
    dpl_json_cstr(j, "method", dpl_query_method_name((unsigned)r->method));
    dpl_json_number(j, "n_codes", r->n_lookups);
    dpl_json_number(j, "n_candidates", r->n_candidates);
    dpl_json_decimal(j, "recall", r->recall);
    dpl_json_end(j, '}');
}

/* Asks: with a text, or else a row. */
static void answer_hits(dpl__answer *a, const dpl_index *index, dpl_query *query,
                        const dpl__asked *asked, const dpl_str *text, uint32_t row)
{
    dpl_error err = {0};
    dpl_query_result r = DPL_INIT(dpl_query_result);
    dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = (unsigned)asked->top, .threshold = asked->threshold,
                 .lang = asked->lang[0] ? asked->lang : NULL,
                 .terms = (unsigned)(asked->terms ? asked->terms : 1));
    dpl_status status = dpl__query_set(query, &o, &err);
    if (status == DPL_OK)
        status =
            text ? dpl_query_text(query, *text, &r, &err) : dpl_query_row(query, row, &r, &err);
    if (status == DPL_OK) {
        dpl_json j = dpl__answer_json(a);
        put_query(&j, &r);
        dpl_json_number(&j, "micros", r.micros > 0 ? (uint64_t)r.micros : 0);
        status = put_hits(&j, &(found){index, query, asked, &r}, &err);
        dpl_json_end(&j, '}');
    }
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
}

void dpl__answer_similar(dpl__answer *a, const dpl_index *index, dpl_query *query,
                         const dpl__call *call)
{
    dpl__asked asked;
    if (check_row(a, index, call->number) && dpl__asked_by_parameters(&asked, a, call))
        answer_hits(a, index, query, &asked, NULL, (uint32_t)call->number);
}

void dpl__answer_query(dpl__answer *a, const dpl_index *index, dpl_query *query,
                       const dpl__call *call)
{
    dpl__asked asked;
    if (dpl__asked_by_body(&asked, a, call->request))
        answer_hits(a, index, query, &asked, &asked.text, 0);
}

/* ---- all of them -------------------------------------------------------------------- */

void dpl__answer_index(dpl__answer *a, const dpl_index *index, dpl_query *query,
                       const dpl__request *request, const char *name, uint64_t max_body)
{
    dpl__call call = {.request = request};
    dpl_str path, part;
    if (!dpl__target_parse(&path, &call.parameters, request->target, a))
        return;
    if (dpl__path_matches("/api/v1/info", path, &part)) {
        dpl_json j = dpl__info_begin(a, "index", name, max_body);
        dpl__index_put_info(&j, index);
        dpl_json_end(&j, '}');
    } else if (dpl__path_matches("/api/v1/documents", path, &part)) {
        dpl__answer_documents(a, index, &call);
    } else if (dpl__path_matches("/api/v1/query", path, &part)) {
        dpl__answer_query(a, index, query, &call);
    } else if (dpl__path_matches("/api/v1/passages", path, &part)) {
        dpl__answer_passages(a, index, &call);
    } else if (dpl__path_matches("/api/v1/dedup-check", path, &part)) {
        dpl__answer_dedup_check(a, index, &call);
    } else if (dpl__path_matches("/api/v1/align", path, &part)) {
        dpl__answer_align(a, &call);
    } else if (dpl__path_matches("/api/v1/documents/#/similar", path, &part) &&
               dpl__digits(&call.number, part)) {
        dpl__answer_similar(a, index, query, &call);
    } else if (dpl__path_matches("/api/v1/documents/#", path, &part) &&
               dpl__digits(&call.number, part)) {
        dpl__answer_document(a, index, &call);
    } else {
        dpl__answer_error(a, 404, "not-found", "there is no such path");
    }
}
