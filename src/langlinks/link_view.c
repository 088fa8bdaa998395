/*
 * link_view.c - leads, marks and a choice of sentences of two pages.
 *
 * Sentences that stand in a lead are marked there with a number; a sentence pair that is not
 * wholly in both leads is listed below them, with its number. Of the others the ones with the
 * best score are listed, long ones rather than short ones. Cost: the sentences of both
 * documents, the words of what is shown.
 */
#include "langlinks/link_view.h"

#include "base/hash.h"
#include "tokens/classes.h"
#include "unicode/unicode.h"

typedef struct maker {
    dpl__link_view *view;
    dpl__arena *arena;
    dpl_ctx *ctx;
    dpl_tokens *tokens;
    const dpl__view_input *in;
    size_t lead_begin[2]; /* bytes of the text */
    dpl__marks marks;     /* scratch */
} maker;

/* ---- sentences -------------------------------------------------------------------------- */

static bool touches_lead(const maker *m, const dpl__view_sentence *s, int side)
{
    assert(s->begin[side] <= s->end[side]);
    return s->begin[side] < s->end[side] && s->end[side] > m->lead_begin[side] &&
           s->begin[side] < m->lead_begin[side] + m->view->lead[side].n;
}

static bool is_in_lead(const maker *m, const dpl__view_sentence *s, int side)
{
    return touches_lead(m, s, side) && s->begin[side] >= m->lead_begin[side] &&
           s->end[side] <= m->lead_begin[side] + m->view->lead[side].n;
}

/* How much a sentence pair tells: short ones are in many pages. */
static double weight_of(const dpl__view_sentence *s)
{
    enum { LONG = 80 };
    return s->score * (double)dpl__min(dpl__min(s->text[0].n, s->text[1].n), (size_t)LONG);
}

/* The best of the others so far; of equal ones the first. */
static void keep_best(size_t *best, size_t *n_best, const dpl__view_sentence *all, size_t i)
{
    size_t at = *n_best;
    while (at > 0 && weight_of(&all[best[at - 1]]) < weight_of(&all[i]))
        at--;
    if (at == DPL__VIEW_MORE_SENTENCES)
        return;
    if (*n_best < DPL__VIEW_MORE_SENTENCES)
        ++*n_best;
    memmove(best + at + 1, best + at, (*n_best - 1 - at) * sizeof *best);
    best[at] = i;
}

/* Moves the chosen ones to the front, in their order. */
static size_t choose_sentences(const maker *m)
{
    dpl__view_sentence *all = m->in->sentences;
    size_t best[DPL__VIEW_MORE_SENTENCES], n_best = 0, n_lead = 0, n = 0;
    for (size_t i = 0; i < m->in->n_sentences; i++)
        if (!touches_lead(m, &all[i], 0) && !touches_lead(m, &all[i], 1))
            keep_best(best, &n_best, all, i);
    for (size_t i = 0; i < m->in->n_sentences; i++) {
        bool is_chosen = false;
        for (size_t k = 0; k < n_best; k++)
            is_chosen = is_chosen || best[k] == i;
        if (touches_lead(m, &all[i], 0) || touches_lead(m, &all[i], 1))
            is_chosen = n_lead++ < DPL__VIEW_LEAD_SENTENCES;
        if (is_chosen)
            all[n++] = all[i];
    }
    return n;
}

/* ---- marks ------------------------------------------------------------------------------ */

static dpl_status take_marks(dpl__mark **out, size_t *n, maker *m, dpl_error *err)
{
    *out = dpl__arena_alloc(m->arena, (m->marks.n + 1) * sizeof **out);
    DPL_TRY(dpl__need(*out, err));
    if (m->marks.n)
        memcpy(*out, m->marks.data, m->marks.n * sizeof **out);
    *n = m->marks.n;
    m->marks.n = 0;
    return DPL_OK;
}

static dpl_status mark_words(dpl__mark **out, size_t *n, maker *m, dpl_str text, int side,
                             dpl_error *err)
{
    assert(side == 0 || side == 1);
    dpl_str words[DPL__MOST_MARKED];
    const size_t n_words = dpl__min(m->in->n_words, (size_t)DPL__MOST_MARKED);
    for (size_t i = 0; i < n_words; i++)
        words[i] = m->in->words[i].side[side];
    const dpl__marker marker = {m->ctx, m->tokens, m->in->lang[side], words, n_words};
    DPL_TRY(dpl__mark_words(&m->marks, &marker, text, err));
    return take_marks(out, n, m, err);
}

/* Sentences of one side are in no order where those of the other side are: they are inserted.
 * Ones that overlap what is marked already are left out. */
static dpl_status mark_sentences(maker *m, int side, dpl_error *err)
{
    const dpl__link_view *v = m->view;
    const size_t from = m->lead_begin[side], to = from + v->lead[side].n;
    for (size_t i = 0; i < v->n_sentences; i++) {
        const dpl__view_sentence *s = &v->sentences[i];
        if (!touches_lead(m, s, side))
            continue;
        const size_t begin = s->begin[side] > from ? s->begin[side] - from : 0;
        const size_t end = dpl__min(s->end[side], to) - from;
        const dpl__mark new = {(uint32_t)begin, (uint32_t)end, (uint32_t)i};
        size_t at = m->marks.n;
        while (at > 0 && m->marks.data[at - 1].begin >= begin)
            at--;
        if ((at > 0 && m->marks.data[at - 1].end > begin) ||
            (at < m->marks.n && m->marks.data[at].begin < end))
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &m->marks, new), err));
        memmove(m->marks.data + at + 1, m->marks.data + at, (m->marks.n - 1 - at) * sizeof new);
        m->marks.data[at] = new;
    }
    return take_marks(&m->view->aligned[side], &m->view->n_aligned[side], m, err);
}

static dpl_status mark_side(maker *m, int side, dpl_error *err)
{
    dpl__link_view *v = m->view;
    DPL_TRY(mark_words(&v->words[side], &v->n_words[side], m, v->lead[side], side, err));
    DPL_TRY(mark_sentences(m, side, err));
    for (size_t i = 0; i < v->n_sentences; i++) {
        dpl__view_sentence *s = &m->in->sentences[i];
        if (!s->is_in_leads)
            DPL_TRY(
                mark_words(&s->words[side], &s->n_words[side], m, s->text[side], side, err));
    }
    return DPL_OK;
}

dpl_status dpl__link_view_make(dpl__link_view *out, dpl__arena *arena, dpl_ctx *ctx,
                               dpl_tokens *tokens, const dpl__view_input *in, dpl_error *err)
{
    maker m = {.view = out, .arena = arena, .ctx = ctx, .tokens = tokens, .in = in};
    *out = (dpl__link_view){.sentences = in->sentences};
    for (int side = 0; side < 2; side++) {
        out->lead[side] = dpl__lead(in->text[side], &out->is_cut[side]);
        m.lead_begin[side] =
            in->text[side].n ? (size_t)(out->lead[side].data - in->text[side].data) : 0;
    }
    out->n_sentences = choose_sentences(&m);
    for (size_t i = 0; i < out->n_sentences; i++) {
        dpl__view_sentence *s = &in->sentences[i];
        s->is_in_leads = is_in_lead(&m, s, 0) && is_in_lead(&m, s, 1);
        s->n_words[0] = s->n_words[1] = 0;
    }
    dpl_status status;
    DPL__STEP(mark_side(&m, 0, err));
    DPL__STEP(mark_side(&m, 1, err));
done:
    dpl__vec_clear(ctx, &m.marks);
    return status;
}

/* ---- the lead --------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == DPL_SECTION_MARK;
}

static dpl_str skip_blanks(dpl_str s)
{
    size_t i = 0;
    while (i < s.n && is_blank(s.data[i]))
        i++;
    return (dpl_str){s.data + i, s.n - i};
}

static dpl_str ended_at(dpl_str s, size_t n)
{
    while (n && is_blank(s.data[n - 1]))
        n--;
    return (dpl_str){s.data, n};
}

dpl_str dpl__lead(dpl_str text, bool *is_cut)
{
    const dpl__classes *classes = dpl__classes_init();
    const dpl_str s = text.n ? skip_blanks(text) : (dpl_str){"", 0};
    size_t n_chars = 0, blank = 0, whole = 0, at = 0;
    *is_cut = false;
    while (at < s.n) {
        uint32_t c;
        const size_t n = dpl__utf8_first((dpl_str){s.data + at, s.n - at});
        if (!n || (s.data[at] == DPL_SECTION_MARK && n_chars >= DPL__LEAD_SHORT) ||
            (s.data[at] == '\n' && n_chars >= DPL__LEAD_LEAST))
            return ended_at(s, at);
        dpl__utf8_decode((const uint8_t *)s.data + at, &c);
        if (dpl__word_class(classes, c) != DPL__W_EXTEND) {
            whole = at; /* a character with its marks may end here */
            if (n_chars == DPL__LEAD_MOST)
                break;
        }
        if (is_blank(s.data[at]))
            blank = at;
        if (n_chars < DPL__LEAD_MOST)
            n_chars++;
        if (at > 8 * (size_t)DPL__LEAD_MOST) /* nothing but marks */
            break;
        at += n;
    }
    if (at >= s.n)
        return ended_at(s, s.n);
    *is_cut = true;
    if (is_blank(s.data[whole]))
        return ended_at(s, whole);
    return ended_at(s, blank > whole / 2 ? blank : whole);
}

/* ---- marked words ----------------------------------------------------------------------- */

static dpl_status hash_word(uint64_t *out, const dpl__marker *m, dpl_str word, dpl_error *err)
{
    dpl_token token;
    *out = 0;
    DPL_TRY(dpl_tokens_start(m->tokens, word, m->lang, err));
    const dpl_status status = dpl_tokens_next(m->tokens, &token, err);
    if (status == DPL_OK)
        *out = dpl__hash(token.term.data, token.term.n, 0);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__mark_words(dpl__marks *out, const dpl__marker *m, dpl_str text, dpl_error *err)
{
    uint64_t hashes[DPL__MOST_MARKED];
    dpl_token token;
    dpl_status status;
    const size_t n_words = dpl__min(m->n_words, (size_t)DPL__MOST_MARKED);
    if (!n_words || !text.n)
        return DPL_OK;
    for (size_t i = 0; i < n_words; i++)
        DPL_TRY(hash_word(&hashes[i], m, m->words[i], err));
    DPL_TRY(dpl_tokens_start(m->tokens, text, m->lang, err));
    while ((status = dpl_tokens_next(m->tokens, &token, err)) == DPL_OK) {
        const uint64_t hash = dpl__hash(token.term.data, token.term.n, 0);
        for (uint32_t i = 0; i < n_words; i++) {
            const dpl__mark mark = {token.begin, token.end, i};
            if (hashes[i] != hash)
                continue;
            DPL_TRY(dpl__need(dpl__vec_push(m->ctx, out, mark), err));
            break;
        }
    }
    return status == DPL_END ? DPL_OK : status;
}
