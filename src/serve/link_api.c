/*
 * link_api.c - requests about the links of a mine run: what is missing, what is suspicious.
 *
 * A link is shown as comparisons of two pages (langlinks/link_view.h): the link itself, and of
 * a suspicious one the pairs that its pages are in instead.
 */
#include "langlinks/link_view.h"
#include "langlinks/page_address.h"
#include "serve/app.h"
#include "serve/mine_links.h"
#include "tokens/collection.h"
#include "unicode/unicode.h"

#include <math.h>

void dpl__links_put_info(dpl_json *j, const dpl__mine_folder *f)
{
    const dpl__served_links *l = &f->links;
    uint64_t n[3] = {0};
    bool has_lists = false;
    for (size_t i = 0; i < f->runs.n; i++)
        has_lists = has_lists || f->runs.data[i].links[0].data || f->runs.data[i].links[1].data;
    if (!has_lists)
        return;
    for (uint32_t i = 0; i < l->all.n; i++)
        n[dpl__served_link_state(f, i)]++;
    dpl_json_begin(j, "links", '{');
    dpl_json_number(j, "n_missing", l->n_missing);
    dpl_json_number(j, "n_suspicious", l->all.n - l->n_missing);
    dpl_json_number(j, "n_accepted", n[DPL__JUDGED_ACCEPT]);
    dpl_json_number(j, "n_rejected", n[DPL__JUDGED_REJECT]);
    dpl_json_end(j, '}');
}

/* ---- one link, in short ------------------------------------------------------------- */

static const char *kind_of(const dpl__served_link *link)
{
    return link->is_suspicious ? "suspicious" : "missing";
}

/* The object stays open. */
static void put_link(dpl_json *j, const dpl__mine_folder *f, uint32_t number)
{
    const dpl__served_link *link = &f->links.all.data[number];
    const dpl__link_line line = dpl__link_line_of(link);
    const dpl__served_run *r = &f->runs.data[link->run];
    dpl_json_number(j, "link", number);
    dpl_json_cstr(j, "kind", kind_of(link));
    dpl_json_text(j, "left_id", line.ids[0]);
    dpl_json_text(j, "right_id", line.ids[1]);
    dpl_json_cstr(j, "left_lang", r->langs[0]);
    dpl_json_cstr(j, "right_lang", r->langs[1]);
    dpl_json_text(j, "left_title", line.titles[0]);
    dpl_json_text(j, "right_title", line.titles[1]);
    dpl_json_decimal(j, "probability", (double)link->probability);
    dpl_json_cstr(j, "state", dpl__state_name(dpl__served_link_state(f, number)));
}

/* ---- a comparison ------------------------------------------------------------------- */

typedef struct viewer {
    dpl__answer *answer;
    const dpl__mine_folder *f;
    dpl_tokens *tokens;
} viewer;

/* Two pages and what the lists say about them. */
typedef struct compared {
    const char *role;
    uint32_t run, pair; /* pair: DPL__NO_PAIR_OF_LINK: none */
    dpl_str ids[2], titles[2], words;
    double confidence, share[2];
    bool has_figures; /* confidence and shares are known */
} compared;

/* "Vulkane|volcanoes Magma|magma"; what is not like that is passed over. */
static size_t read_words(dpl__shared_word out[DPL__MOST_MARKED], const dpl_ctx *ctx, dpl_str s)
{
    size_t n = 0;
    while (s.n && n < DPL__MOST_MARKED) {
        const char *end = memchr(s.data, ' ', s.n);
        const dpl_str word = {s.data, end ? (size_t)(end - s.data) : s.n};
        const char *bar = word.n ? memchr(word.data, '|', word.n) : NULL;
        if (bar && bar > word.data && bar + 1 < word.data + word.n && dpl__is_utf8(ctx, word)) {
            const size_t left = (size_t)(bar - word.data);
            out[n++] = (dpl__shared_word){{{word.data, left}, {bar + 1, word.n - left - 1}}};
        }
        s = end ? (dpl_str){end + 1, s.n - word.n - 1} : (dpl_str){s.data, 0};
    }
    return n;
}

static dpl_str text_of(const dpl__mine_folder *f, uint32_t run, int side, dpl_str id)
{
    assert(run < f->runs.n);
    const dpl_collection *c = f->runs.data[run].docs[side];
    uint32_t doc;
    if (!c || !dpl_collection_find_doc(c, id, &doc))
        return (dpl_str){NULL, 0};
    return dpl_collection_doc(c, doc).text;
}

/* The sentences of the pair, in the arena; damaged ones are passed over. */
static bool list_sentences(dpl__view_input *in, const viewer *v, uint32_t pair)
{
    const dpl__mine_folder *f = v->f;
    const dpl__served_pair *p = &f->pairs.data[pair];
    const dpl__mapped *m = &f->runs.data[p->run].sentences;
    dpl__view_sentence *out =
        dpl__arena_alloc(&v->answer->arena, ((size_t)p->n_sentences + 1) * sizeof *out);
    size_t at[2] = {0}, n = 0;
    dpl__sentence_line line;
    if (!out)
        return false;
    for (uint32_t r = p->lines; r != DPL__NO_RANGE; r = f->lines.data[r].next) {
        dpl_str lines = {m->data + f->lines.data[r].begin, f->lines.data[r].n_bytes};
        while (n < p->n_sentences && dpl__sentence_line_next(&line, &lines)) {
            dpl__view_sentence *s = &out[n];
            *s = (dpl__view_sentence){.text = {line.sides[0], line.sides[1]},
                                      .score = line.score};
            n += dpl__is_utf8(v->answer->ctx, line.sides[0]) &&
                 dpl__is_utf8(v->answer->ctx, line.sides[1]);
            for (int side = 0; side < 2; side++)
                if (!dpl__find_sentence(in->text[side], line.sides[side], &at[side],
                                        &s->begin[side], &s->end[side]))
                    s->begin[side] = s->end[side] = 0;
        }
    }
    in->sentences = out;
    in->n_sentences = n;
    return true;
}

static void put_marks(dpl_json *j, const char *key, const dpl__mark *marks, size_t n,
                      unsigned first)
{
    dpl_json_begin(j, key, '[');
    for (size_t i = 0; i < n; i++) {
        dpl_json_begin(j, NULL, '[');
        dpl_json_number(j, NULL, marks[i].begin);
        dpl_json_number(j, NULL, marks[i].end);
        dpl_json_number(j, NULL, (uint64_t)marks[i].number + first);
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, ']');
}

static bool put_page(dpl_json *j, const viewer *v, const compared *c,
                     const dpl__link_view *view, int side)
{
    const dpl__served_run *r = &v->f->runs.data[c->run];
    const dpl_str site = r->docs[side] ? dpl__collection_site(r->docs[side]) : (dpl_str){0};
    const dpl_str address = dpl__page_address(&v->answer->arena, site, c->titles[side]);
    if (!address.data)
        return false;
    dpl_json_begin(j, side ? "right" : "left", '{');
    dpl_json_text(j, "id", c->ids[side]);
    dpl_json_cstr(j, "lang", r->langs[side]);
    dpl_json_text(j, "title", c->titles[side]);
    dpl_json_text(j, "address", address);
    if (r->docs[side])
        dpl_json_text(j, "lead", view->lead[side]);
    else
        dpl_json_null(j, "lead");
    dpl_json_bool(j, "is_cut", view->is_cut[side]);
    put_marks(j, "words", view->words[side], view->n_words[side], 0);
    put_marks(j, "aligned", view->aligned[side], view->n_aligned[side], 1);
    dpl_json_end(j, '}');
    return true;
}

static void put_sentences(dpl_json *j, const dpl__link_view *view)
{
    dpl_json_begin(j, "sentences", '[');
    for (size_t i = 0; i < view->n_sentences; i++) {
        const dpl__view_sentence *s = &view->sentences[i];
        dpl_json_begin(j, NULL, '{');
        dpl_json_number(j, "number", i + 1);
        dpl_json_text(j, "left", s->text[0]);
        dpl_json_text(j, "right", s->text[1]);
        dpl_json_decimal(j, "score", s->score);
        dpl_json_bool(j, "is_in_leads", s->is_in_leads);
        put_marks(j, "left_words", s->words[0], s->n_words[0], 0);
        put_marks(j, "right_words", s->words[1], s->n_words[1], 0);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
}

static void put_pair_of(dpl_json *j, const viewer *v, const compared *c)
{
    dpl_json_cstr(j, "role", c->role);
    if (c->pair == DPL__NO_PAIR_OF_LINK) {
        dpl_json_null(j, "pair");
        dpl_json_null(j, "confidence");
        dpl_json_null(j, "state");
        dpl_json_number(j, "n_sentences", 0);
    } else {
        dpl_json_number(j, "pair", c->pair);
        dpl_json_decimal(j, "confidence",
                         c->has_figures ? c->confidence
                                        : (double)v->f->pairs.data[c->pair].confidence);
        dpl_json_cstr(j, "state", dpl__state_name(v->f->states[c->pair]));
        dpl_json_number(j, "n_sentences", v->f->pairs.data[c->pair].n_sentences);
    }
    if (c->has_figures) {
        dpl_json_decimal(j, "left_share", c->share[0]);
        dpl_json_decimal(j, "right_share", c->share[1]);
    }
}

static dpl_status put_comparison(dpl_json *j, const viewer *v, const compared *c,
                                 dpl_error *err)
{
    dpl__shared_word words[DPL__MOST_MARKED];
    dpl__link_view view;
    dpl__view_input in = {.words = words,
                          .n_words = read_words(words, v->answer->ctx, c->words)};
    for (int side = 0; side < 2; side++) {
        in.text[side] = text_of(v->f, c->run, side, c->ids[side]);
        in.lang[side] = v->f->runs.data[c->run].langs[side];
    }
    if (c->pair != DPL__NO_PAIR_OF_LINK && !list_sentences(&in, v, c->pair))
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__link_view_make(&view, &v->answer->arena, v->answer->ctx, v->tokens, &in, err));
    dpl_json_begin(j, NULL, '{');
    put_pair_of(j, v, c);
    dpl_json_begin(j, "shared_words", '[');
    for (size_t i = 0; i < in.n_words; i++) {
        dpl_json_begin(j, NULL, '[');
        dpl_json_text(j, NULL, words[i].side[0]);
        dpl_json_text(j, NULL, words[i].side[1]);
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, ']');
    for (int side = 0; side < 2; side++)
        DPL_TRY(dpl__need(put_page(j, v, c, &view, side), err));
    put_sentences(j, &view);
    dpl_json_end(j, '}');
    return DPL_OK;
}

/* ---- one link ----------------------------------------------------------------------- */

/* What looks better for the page of a side; false: nothing does. */
static bool better_of(compared *out, const dpl__mine_folder *f, const dpl__served_link *link,
                      const dpl__link_line *line, int side)
{
    if (!line->better_ids[side].n)
        return false;
    *out = (compared){.role = side ? "better_left" : "better_right",
                      .run = link->run,
                      .words = line->words[1 + side],
                      .confidence = line->confidence[1 + side],
                      .share = {line->share[1 + side][0], line->share[1 + side][1]},
                      .has_figures = line->has_figures[1 + side]};
    for (int k = 0; k < 2; k++) {
        const bool is_kept = k == side;
        out->ids[k] = is_kept ? line->ids[k] : line->better_ids[side];
        out->titles[k] = is_kept ? line->titles[k] : line->better_titles[side];
    }
    out->pair = dpl__find_pair(f, out->ids, link->run);
    return true;
}

static dpl_status put_comparisons(dpl_json *j, const viewer *v, uint32_t number, dpl_error *err)
{
    const dpl__served_link *link = &v->f->links.all.data[number];
    const dpl__link_line line = dpl__link_line_of(link);
    compared c = {.role = "link",
                  .run = link->run,
                  .pair = link->pair,
                  .ids = {line.ids[0], line.ids[1]},
                  .titles = {line.titles[0], line.titles[1]},
                  .words = line.words[0],
                  .confidence = line.confidence[0],
                  .share = {line.share[0][0], line.share[0][1]},
                  .has_figures = line.has_figures[0]};
    if (link->is_suspicious)
        dpl_json_decimal(j, "cosine", line.cosine);
    dpl_json_begin(j, "comparisons", '[');
    DPL_TRY(put_comparison(j, v, &c, err));
    for (int side = 0; side < 2; side++)
        if (better_of(&c, v->f, link, &line, side))
            DPL_TRY(put_comparison(j, v, &c, err));
    dpl_json_end(j, ']');
    return DPL_OK;
}

static bool check_link(dpl__answer *a, const dpl__mine_folder *f, uint64_t number)
{
    if (number < f->links.all.n)
        return true;
    dpl__answer_error(a, 404, "not-found", "there is no link %llu: they are numbered from 0",
                      (unsigned long long)number);
    return false;
}

void dpl__get_link(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__mine_folder *f = call->site->mine;
    if (!check_link(a, f, call->number) || !dpl__refresh(a, f))
        return;
    dpl_error err = {0};
    viewer v = {.answer = a, .f = f};
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl_status status = dpl_tokens_new(&v.tokens, a->ctx, &o, &err);
    if (status == DPL_OK) {
        dpl_json j = dpl__answer_json(a);
        put_link(&j, f, (uint32_t)call->number);
        status = put_comparisons(&j, &v, (uint32_t)call->number, &err);
        dpl_json_end(&j, '}');
    }
    dpl_tokens_free(v.tokens);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
}

void dpl__put_link_judgement(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    dpl__mine_folder *f = call->site->mine;
    if (!check_link(a, f, call->number))
        return;
    const dpl__served_link *link = &f->links.all.data[call->number];
    const dpl__link_line line = dpl__link_line_of(link);
    if (!dpl__judge(a, app, call, line.ids, link->run))
        return;
    dpl_json j = dpl__answer_json(a);
    put_link(&j, f, (uint32_t)call->number);
    dpl_json_end(&j, '}');
}

/* ---- a list of links ---------------------------------------------------------------- */

typedef struct filter {
    dpl_str langs[2], part;
    double least;   /* probability */
    unsigned kind;  /* 0: any; 1: missing; 2: suspicious */
    unsigned state; /* 0: any; else one more than dpl__verdict_of_pair */
    uint64_t offset, limit;
} filter;

static bool read_filter(filter *out, const dpl__parameters *p, dpl__answer *a)
{
    static const char *const kinds[] = {"all", "missing", "suspicious", NULL};
    static const char *const states[] = {"all", "open", "accepted", "rejected", NULL};
    *out = (filter){.limit = 50};
    return dpl__parameter_choice(&out->kind, p, "kind", kinds, a) &&
           dpl__parameter_choice(&out->state, p, "state", states, a) &&
           dpl__parameter_text(&out->langs[0], p, "left_lang", 11, a) &&
           dpl__parameter_text(&out->langs[1], p, "right_lang", 11, a) &&
           dpl__parameter_text(&out->part, p, "q", 256, a) &&
           dpl__parameter_share(&out->least, p, "min_probability", a) &&
           dpl__parameter_count(&out->offset, p, "offset", 0, UINT32_MAX, a) &&
           dpl__parameter_count(&out->limit, p, "limit", 1, DPL__MOST_LISTED, a);
}

static bool passes(const dpl__mine_folder *f, uint32_t number, const filter *w)
{
    const dpl__served_link *link = &f->links.all.data[number];
    /* six digits are all that the file has */
    if (floor((double)link->probability * 1e6 + 0.5) / 1e6 < w->least ||
        (w->kind && link->is_suspicious != (w->kind == 2)) ||
        (w->state && dpl__served_link_state(f, number) + 1u != w->state))
        return false;
    for (int side = 0; side < 2; side++)
        if (w->langs[side].n &&
            !dpl__str_eq(w->langs[side], dpl__cstr(f->runs.data[link->run].langs[side])))
            return false;
    if (!w->part.n)
        return true;
    const dpl__link_line line = dpl__link_line_of(link);
    return dpl__has_part(line.ids[0], w->part) || dpl__has_part(line.ids[1], w->part) ||
           dpl__has_part(line.titles[0], w->part) || dpl__has_part(line.titles[1], w->part);
}

void dpl__get_links(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__mine_folder *f = call->site->mine;
    filter w;
    if (!read_filter(&w, &call->parameters, a) || !dpl__refresh(a, f))
        return;
    dpl_json j = dpl__answer_json(a);
    uint64_t total = 0;
    dpl_json_begin(&j, "links", '[');
    for (uint32_t i = 0; i < f->links.all.n; i++) {
        if (!passes(f, i, &w))
            continue;
        if (total >= w.offset && total - w.offset < w.limit) {
            dpl_json_begin(&j, NULL, '{');
            put_link(&j, f, i);
            dpl_json_end(&j, '}');
        }
        total++;
    }
    dpl_json_end(&j, ']');
    dpl_json_number(&j, "total", total);
    dpl_json_number(&j, "offset", w.offset);
    dpl_json_end(&j, '}');
}

/* ---- as lines of text --------------------------------------------------------------- */

/* Which lines: links to add, links to remove, every link with its judgement. */
enum { ROWS_ADD, ROWS_REMOVE, ROWS_ALL };

static void put(dpl__answer *a, dpl_str s, char end)
{
    static const char unknown[] = "\xEF\xBF\xBD";
    for (size_t i = 0; i < s.n && !a->text.has_failed;) {
        const size_t n = dpl__utf8_first((dpl_str){s.data + i, s.n - i});
        const bool is_good = n && (uint8_t)s.data[i] >= 0x20;
        if (!dpl__vec_append(a->ctx, &a->text.bytes, is_good ? s.data + i : unknown,
                             is_good ? n : 3))
            a->text.has_failed = true;
        i += n ? n : 1;
    }
    if (!a->text.has_failed && !dpl__vec_push(a->ctx, &a->text.bytes, end))
        a->text.has_failed = true;
}

static void put_row(dpl__answer *a, const dpl__mine_folder *f, const compared *c,
                    const char *kind, unsigned state)
{
    for (int side = 0; side < 2; side++)
        put(a, c->titles[side].n ? c->titles[side] : c->ids[side], '\t');
    put(a, dpl__cstr(dpl__verdict_of_pair_name(state)), '\t');
    put(a, dpl__cstr(kind), '\t');
    put(a, c->ids[0], '\t');
    put(a, c->ids[1], '\t');
    put(a, dpl__cstr(f->runs.data[c->run].langs[0]), '\t');
    put(a, dpl__cstr(f->runs.data[c->run].langs[1]), '\n');
}

static bool is_wanted(unsigned rows, bool is_suspicious, unsigned state)
{
    return rows == ROWS_ALL ||
           (rows == ROWS_ADD && !is_suspicious && state == DPL__JUDGED_ACCEPT) ||
           (rows == ROWS_REMOVE && is_suspicious && state == DPL__JUDGED_REJECT);
}

/* A pair may look better for the pages of two links: it is written once. */
static void put_better_rows(dpl__answer *a, const dpl__mine_folder *f, uint32_t number,
                            unsigned rows, uint8_t *is_written)
{
    const dpl__served_link *link = &f->links.all.data[number];
    const dpl__link_line line = dpl__link_line_of(link);
    for (int side = 0; side < 2; side++) {
        compared c;
        if (!better_of(&c, f, link, &line, side) || c.pair == DPL__NO_PAIR_OF_LINK ||
            is_written[c.pair] || !is_wanted(rows, false, f->states[c.pair] % 3u))
            continue;
        is_written[c.pair] = 1;
        put_row(a, f, &c, "better", f->states[c.pair] % 3u);
    }
}

void dpl__get_links_tsv(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    static const char *const names[] = {"add", "remove", "all", NULL};
    static const char head[] = "left_title\tright_title\tjudgement\tkind\tleft_id\tright_id\t"
                               "left_lang\tright_lang";
    dpl__mine_folder *f = call->site->mine;
    unsigned rows = ROWS_ADD;
    if (!dpl__parameter_choice(&rows, &call->parameters, "rows", names, a) ||
        !dpl__refresh(a, f))
        return;
    uint8_t *is_written = dpl__arena_alloc(&a->arena, f->pairs.n + 1);
    if (!is_written) {
        a->text.has_failed = true;
        return;
    }
    memset(is_written, 0, f->pairs.n + 1);
    a->status = 200;
    a->type = "text/tab-separated-values; charset=utf-8";
    for (const char *p = head, *end; *p; p = end + (*end == '\t')) {
        end = p + strcspn(p, "\t");
        put(a, (dpl_str){p, (size_t)(end - p)}, *end ? '\t' : '\n');
    }
    for (uint32_t i = 0; i < f->links.all.n; i++) {
        const dpl__served_link *link = &f->links.all.data[i];
        const dpl__link_line line = dpl__link_line_of(link);
        const unsigned state = dpl__served_link_state(f, i);
        const compared c = {.run = link->run,
                            .ids = {line.ids[0], line.ids[1]},
                            .titles = {line.titles[0], line.titles[1]}};
        if (is_wanted(rows, link->is_suspicious, state))
            put_row(a, f, &c, kind_of(link), state);
        if (rows != ROWS_REMOVE)
            put_better_rows(a, f, i, rows, is_written);
    }
}
