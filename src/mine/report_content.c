/*
 * report_content.c - fills in the report from a finished run.
 *
 * Pairs are shown from the bottom, from the middle and from the top of the confidences, by the
 * length of a screen or two each: doubtful ones first, which say most about the rest. The words
 * that match are those for which the lexicon has an entry both ways, or that are the same, best
 * first, each once.
 */
#include "mine/report_content.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_PAIRS = 3, SHOWN_BEADS = 12, SHOWN_WORDS = 24, N_SAMPLES = 3, LINKED_WORDS = 500 };

/* Less probable translations are not shown. */
static const double least_strength = 0.1;

typedef struct content {
    dpl_ctx *ctx;
    const dpl__pair_run *run;
    dpl__arena arena; /* what the report points to */
    dpl_tokens *tokens;
    dpl__report report;
    dpl__report_doc_pair *docs; /* that are shown */
} content;

/* ---- words that match --------------------------------------------------------------- */

typedef struct place {
    uint32_t begin, end, word; /* word of the lexicon, UINT32_MAX: not there */
    uint64_t text;             /* hash of the term */
    bool is_taken;
} place;

typedef DPL_VEC(place) places;

static dpl_status find_places(content *s, places *out, dpl_str text, int side, dpl_error *err)
{
    const dpl_lexicon *l = s->run->lexicon;
    dpl_token token;
    dpl_status status;
    out->n = 0;
    DPL_TRY(dpl_tokens_start(s->tokens, text, s->run->corpus.lang[side], err));
    while ((status = dpl_tokens_next(s->tokens, &token, err)) == DPL_OK) {
        place p = {token.begin, token.end, UINT32_MAX,
                   dpl__hash(token.term.data, token.term.n, 0), false};
        uint32_t word;
        if (side ? dpl_lexicon_find_target(l, token.term, &word)
                 : dpl_lexicon_find_source(l, token.term, &word))
            p.word = word;
        DPL_TRY(dpl__need(dpl__vec_push(s->ctx, out, p), err));
    }
    return status == DPL_END ? DPL_OK : status;
}

static double probability(const dpl_lexicon *l, uint32_t source, uint32_t target)
{
    const float *p;
    size_t n;
    const uint32_t *targets = dpl_lexicon_row(l, source, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (targets[i] == target)
            return (double)p[i];
    return 0;
}

static double strength(const dpl_lexicon *l, const place *left, const place *right)
{
    if (left->text == right->text)
        return 1;
    if (left->word == UINT32_MAX || right->word == UINT32_MAX)
        return 0;
    return probability(l, left->word, right->word);
}

typedef struct candidate {
    double p;
    uint32_t left, right; /* places */
} candidate;

DPL__ORDER(by_strength, candidate, DPL__FALLING(p) DPL__RISING(left) DPL__RISING(right))

/* Links of a bead, the strongest first, each word in one of them. */
static dpl_status add_links(content *s, dpl__report_bead *bead, places sides[2], dpl_error *err)
{
    size_t n_left = dpl__min(sides[0].n, (size_t)LINKED_WORDS),
           n_right = dpl__min(sides[1].n, (size_t)LINKED_WORDS);
    DPL_VEC(candidate) all = {0};
    dpl__report_link *links =
        dpl__arena_alloc(&s->arena, (dpl__min(n_left, n_right) + 1) * sizeof *links);
    bool has_room = links != NULL;
    for (uint32_t i = 0; i < n_left; i++)
        for (uint32_t j = 0; j < n_right && has_room; j++) {
            double p = strength(s->run->lexicon, &sides[0].data[i], &sides[1].data[j]);
            if (p > least_strength)
                has_room = dpl__vec_push(s->ctx, &all, ((candidate){p, i, j}));
        }
    dpl__vec_sort(&all, by_strength);
    bead->links = links;
    for (size_t k = 0; k < all.n && has_room; k++) {
        place *left = &sides[0].data[all.data[k].left],
              *right = &sides[1].data[all.data[k].right];
        if (left->is_taken || right->is_taken)
            continue;
        left->is_taken = right->is_taken = true;
        links[bead->n_links++] = (dpl__report_link){
            {left->begin, right->begin}, {left->end, right->end}, (float)all.data[k].p};
    }
    dpl__vec_clear(s->ctx, &all);
    return dpl__need(has_room, err);
}

/* ---- document pairs ----------------------------------------------------------------- */

static dpl_status take(void *user, const dpl_aligned_docs *a, dpl_error *err)
{
    content *s = user;
    dpl__report_doc_pair *shown = &s->docs[a->pair];
    size_t n = dpl__min(a->n_beads, (size_t)SHOWN_BEADS);
    dpl__report_bead *beads = dpl__arena_alloc(&s->arena, (n + 1) * sizeof *beads);
    places sides[2] = {{0}, {0}};
    dpl_status status = dpl__need(beads, err);
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        const dpl_bead *b = &a->beads[i];
        const uint32_t at[2] = {b->left, b->right}, count[2] = {b->n_left, b->n_right};
        const uint32_t doc[2] = {a->docs.left, a->docs.right};
        beads[i] = (dpl__report_bead){.score = (double)b->score};
        if (b->verdict != DPL_VERDICT_KEPT)
            beads[i].reason = dpl_verdict_name(b->verdict);
        for (int side = 0; side < 2 && status == DPL_OK; side++) {
            uint32_t first = a->units[side][at[side]];
            beads[i].text[side] =
                dpl_sentences_text(s->run->corpus.c[side], doc[side], first,
                                   a->units[side][at[side] + count[side]] - first);
            status = find_places(s, &sides[side], beads[i].text[side], side, err);
        }
        if (status == DPL_OK)
            status = add_links(s, &beads[i], sides, err);
    }
    shown->beads = beads;
    shown->n_beads = n;
    shown->n_more = a->n_beads - n;
    dpl__vec_clear(s->ctx, &sides[0], &sides[1]);
    return status;
}

DPL__ORDER_POINTERS(by_confidence, dpl__doc_candidate,
                    DPL__FALLING(confidence) DPL__FALLING(match.margin) DPL__RISING(docs.left))

/* The pairs to be shown: from the bottom, which a reader wants to see first, around the middle,
 * at the top. */
static size_t choose(const dpl__doc_candidate **out, const dpl__doc_candidate **sorted,
                     size_t n, int sample)
{
    size_t count = dpl__min(n / N_SAMPLES + 1, (size_t)SHOWN_PAIRS);
    size_t first = sample == 0 ? n - count : sample == 1 ? (n - count) / 2 : 0;
    for (size_t i = 0; i < count; i++)
        out[i] = sorted[first + i];
    return count;
}

static dpl_status add_samples(content *s, dpl_error *err)
{
    static const char *const names[] = {"Doubtful", "Median", "Best"};
    static const char *const what[] = {"The pairs with the lowest confidence that were taken.",
                                       "Pairs in the middle of all pairs taken.",
                                       "The pairs with the highest confidence."};
    const dpl__doc_candidate_vec *pairs = &s->run->final.found.pairs;
    const dpl__comparable *p = &s->run->corpus;
    size_t n = pairs->n, n_shown = 0;
    if (n == 0)
        return DPL_OK;
    const dpl__doc_candidate **sorted = dpl__arena_alloc(&s->arena, n * sizeof *sorted);
    dpl__report_samples *samples = dpl__arena_alloc(&s->arena, N_SAMPLES * sizeof *samples);
    s->docs = dpl__arena_alloc(&s->arena, N_SAMPLES * SHOWN_PAIRS * sizeof *s->docs);
    DPL_TRY(dpl__need(sorted && samples && s->docs, err));
    for (size_t i = 0; i < n; i++)
        sorted[i] = &pairs->data[i];
    qsort(sorted, n, sizeof *sorted, by_confidence);
    size_t numbers[N_SAMPLES * SHOWN_PAIRS];
    for (int k = 0; k < N_SAMPLES; k++) {
        const dpl__doc_candidate *chosen[SHOWN_PAIRS];
        size_t count = choose(chosen, sorted, n, k);
        samples[k] = (dpl__report_samples){names[k], what[k], s->docs + n_shown, count};
        for (size_t i = 0; i < count; i++, n_shown++) {
            dpl_doc left = dpl_collection_doc(p->c[0], chosen[i]->docs.left),
                    right = dpl_collection_doc(p->c[1], chosen[i]->docs.right);
            numbers[n_shown] = (size_t)(chosen[i] - pairs->data);
            s->docs[n_shown] = (dpl__report_doc_pair){.id = {left.id, right.id},
                                                      .title = {left.title, right.title},
                                                      .confidence = chosen[i]->confidence,
                                                      .cosine = (double)chosen[i]->match.score};
        }
    }
    s->report.samples = samples;
    s->report.n_samples = N_SAMPLES;
    return dpl__aligned_each(s->run->beads.aligned, numbers, n_shown, take, s, err);
}

/* ---- words of the lexicon ----------------------------------------------------------- */

typedef struct counted {
    uint64_t count;
    uint32_t word;
} counted;

DPL__ORDER(by_count, counted, DPL__FALLING(count) DPL__RISING(word))

static void add_translations(dpl__report_word *w, const dpl_lexicon *l, int side, uint32_t word)
{
    const float *p;
    size_t n;
    const uint32_t *to =
        side ? dpl_lexicon_back_row(l, word, &p, &n) : dpl_lexicon_row(l, word, &p, &n);
    while (w->n_to < DPL_LEN(w->to)) {
        size_t best = n;
        double most = 0;
        for (size_t i = 0; i < n; i++) {
            double x = (double)p[i];
            bool is_behind = w->n_to == 0 || x < w->to[w->n_to - 1].p;
            if (x > most && is_behind) {
                most = x;
                best = i;
            }
        }
        if (best == n)
            return;
        w->to[w->n_to].word = dpl_lexicon_written(l, !side, to[best]);
        w->to[w->n_to++].p = most;
    }
}

/* Words from the middle of the frequencies: the most frequent ones say little. */
static dpl_status add_words(content *s, int side, dpl_error *err)
{
    const dpl_lexicon *l = s->run->lexicon;
    if (!l)
        return DPL_OK;
    uint32_t n =
        side ? dpl_lexicon_get_sizes(l)->n_targets : dpl_lexicon_get_sizes(l)->n_sources;
    counted *all = dpl__alloc(s->ctx, ((size_t)n + 1) * sizeof *all);
    dpl__report_word *words = dpl__arena_alloc(&s->arena, (size_t)SHOWN_WORDS * sizeof *words);
    if (!all || !words) {
        dpl__free(s->ctx, all);
        return dpl__fail_nomem(err);
    }
    for (uint32_t w = 0; w < n; w++)
        all[w] = (counted){dpl_lexicon_count(l, side, w), w};
    qsort(all, n, sizeof *all, by_count);
    size_t first = n / 50, step = n / 200 + 1, count = 0;
    for (size_t i = first; i < n && count < SHOWN_WORDS; i += step) {
        dpl__report_word w = {.word = dpl_lexicon_written(l, side, all[i].word),
                              .count = all[i].count};
        add_translations(&w, l, side, all[i].word);
        if (w.n_to)
            words[count++] = w;
    }
    s->report.words[side] = words;
    s->report.n_words[side] = count;
    dpl__free(s->ctx, all);
    return DPL_OK;
}

/* ---- numbers ------------------------------------------------------------------------ */

static dpl_status add_rounds(content *s, dpl_error *err)
{
    const size_t n = s->run->summary.n_rounds;
    dpl__report_round *rounds = dpl__arena_alloc(&s->arena, n * sizeof *rounds);
    DPL_TRY(dpl__need(rounds, err));
    for (size_t i = 0; i < n; i++)
        rounds[i] = (dpl__report_round){dpl__pair_run_cosines(s->run, i)[0],
                                        dpl__pair_run_cosines(s->run, i)[1]};
    s->report.rounds = rounds;
    return DPL_OK;
}

static dpl_status add_reasons(content *s, dpl_error *err)
{
    const dpl__dropped_reason *from = s->run->dropped.reasons;
    dpl__report_reason *reasons = dpl__arena_alloc(&s->arena, DPL__N_DROPPED * sizeof *reasons);
    DPL_TRY(dpl__need(reasons, err));
    size_t n = 0;
    for (unsigned i = 1; i < DPL__N_DROPPED; i++) {
        if (i >= DPL_N_VERDICTS && !from[i].n) /* of formats that may not be there */
            continue;
        reasons[n] = (dpl__report_reason){from[i].name, from[i].what, from[i].n, {{{0}}}};
        for (size_t k = 0; k < from[i].examples.n; k++)
            for (int side = 0; side < 2; side++)
                reasons[n].examples[k][side] = from[i].examples.at[k].text[side];
        n++;
    }
    s->report.reasons = reasons;
    s->report.n_reasons = n;
    return DPL_OK;
}

static dpl_status fill_in(content *s, const char *dir, dpl_error *err)
{
    const dpl_mine_run *m = &s->run->summary;
    dpl__report *r = &s->report;
    const dpl_mine_options *o = &s->run->settings.options;
    char title[400], path[4200];
    snprintf(title, sizeof title, "%s and %s", s->run->sides[0].code, s->run->sides[1].code);
    *r = (dpl__report){.title = title,
                       .run = {&dpl_mine_run_figures, m, NULL, NULL},
                       .threshold = m->is_empty ? o->confidence : m->least_confidence,
                       .confidence = s->run->final.confidence,
                       .command = o->command,
                       .skipped = m->skipped,
                       .version = dpl_version()};
    for (int side = 0; side < 2; side++) {
        r->lang[side] = s->run->corpus.lang[side];
        r->path[side] = dpl_input_name(s->run->task.inputs[side]);
        DPL_TRY(add_words(s, side, err));
    }
    DPL_TRY(add_rounds(s, err));
    DPL_TRY(add_reasons(s, err));
    DPL_TRY(add_samples(s, err));
    snprintf(path, sizeof path, "%s/report.html", dir);
    return dpl__report_write(s->ctx, path, r, err);
}

dpl_status dpl__write_report(const char *dir, const dpl__pair_run *run, dpl_error *err)
{
    content s = {.ctx = run->ctx, .run = run};
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = run->corpus.is_stemmed);
    dpl__arena_init(&s.arena, s.ctx);
    dpl_status status = dpl_tokens_new(&s.tokens, s.ctx, &o, err);
    if (status == DPL_OK)
        status = fill_in(&s, dir, err);
    dpl_tokens_free(s.tokens);
    dpl__arena_clear(&s.arena);
    return status;
}
