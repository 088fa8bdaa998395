/*
 * names.c - which words are names, and which names of two sides are the same.
 *
 * Cost: a pass of the tokenizer over the texts; then, for each name of one side, a bound of the
 * score with each kind of name of the other: those with as many consonants of each group and
 * as many vowels. Kinds are taken from the highest bound on, until none can be better than what
 * was found: few names are compared letter by letter.
 */
#include "mine/names.h"

#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "mine/sounds.h"
#include "par/pool.h"
#include "unicode/romanize.h"
#include "unicode/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <unicode/uchar.h>

#define NONE UINT32_MAX

enum { BLOCK = 16 };

/* ---- names of a side ------------------------------------------------------------------ */

typedef struct counts {
    uint32_t n_inside, n_capital; /* occurrences inside a sentence; capitalised ones */
    /* Words that are written together with it, before and behind, in most of its occurrences:
     * the winner of a vote (Boyer and Moore 1981), and how often it is really there. */
    struct neighbour {
        uint32_t term, votes, n;
    } beside[2];
    uint32_t n_all; /* occurrences */
} counts;

/* Whether what is before a word may begin a sentence or a quotation. */
static bool is_opened(dpl_str text, uint32_t at)
{
    while (at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '\n'))
        at--;
    if (at == 0)
        return true;
    unsigned char c = (unsigned char)text.data[at - 1];
    return strchr(".!?:;\"'([-", c) || (c >= 0x80 && at >= 3 && text.data[at - 3] == '\xE2') ||
           (c >= 0x80 && at >= 2 && text.data[at - 2] == '\xC2');
}

static bool is_upper_at(dpl_str text, uint32_t at)
{
    uint32_t c;
    dpl__utf8_decode((const uint8_t *)text.data + at, &c);
    return u_isupper((UChar32)c);
}

static void vote(struct neighbour *b, uint32_t term)
{
    if (!b->votes)
        b->term = term;
    b->votes = b->term == term ? b->votes + 1 : b->votes - 1;
}

/* Scripts without blanks are cut into words by a dictionary, which cuts names into pieces. */
static void count_neighbours(counts *of, const uint32_t *terms, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        counts *c = &of[terms[i]];
        c->n_all++;
        c->beside[0].n += i > 0 && c->beside[0].votes && c->beside[0].term == terms[i - 1];
        c->beside[1].n += i + 1 < n && c->beside[1].votes && c->beside[1].term == terms[i + 1];
    }
}

/* Tokens of a document in the collection are those that its text has. */
static dpl_status count_doc(counts *of, const dpl__comparable *p, int side, uint32_t doc,
                            dpl_tokens *tokens, dpl_error *err)
{
    size_t n, i = 0;
    const uint32_t *terms = dpl_collection_tokens(p->c[side], doc, &n);
    const dpl_str text = dpl_collection_doc(p->c[side], doc).text;
    dpl_token token;
    dpl_status status;
    uint32_t sentence = NONE, end = NONE;
    DPL_TRY(dpl_tokens_start(tokens, text, p->lang[side], err));
    while ((status = dpl_tokens_next(tokens, &token, err)) == DPL_OK && i < n) {
        counts *c = &of[terms[i++]];
        if (token.begin == end) {
            vote(&c->beside[0], terms[i - 2]);
            vote(&of[terms[i - 2]].beside[1], terms[i - 1]);
        }
        end = token.end;
        bool is_first = token.sentence != sentence;
        sentence = token.sentence;
        if (is_first || is_opened(text, token.begin))
            continue;
        c->n_inside++;
        c->n_capital += is_upper_at(text, token.begin);
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status count_capitals(counts *of, const dpl__comparable *p, int side, dpl_error *err)
{
    dpl_tokens *tokens = NULL;
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = p->is_stemmed);
    dpl_status status;
    DPL_TRY(dpl_tokens_new(&tokens, p->ctx, &o, err));
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(p->c[side])->n_docs; doc++)
        if (!p->skip[side][doc] &&
            (status = count_doc(of, p, side, doc, tokens, err)) != DPL_OK)
            goto done;
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(p->c[side])->n_docs; doc++) {
        size_t n;
        const uint32_t *terms = dpl_collection_tokens(p->c[side], doc, &n);
        if (!p->skip[side][doc])
            count_neighbours(of, terms, n);
    }
    status = DPL_OK;
done:
    dpl_tokens_free(tokens);
    return status;
}

typedef struct name {
    uint32_t term;
    float log_df;
    float familiar; /* consonants that the characters of other names count for */
    dpl__sounds sound, backwards;
} name;

typedef DPL_VEC(name) name_vec;

static dpl__sounds reversed(const dpl__sounds *s)
{
    dpl__sounds r = *s;
    for (size_t i = 0; i < s->n; i++)
        r.letters[i] = s->letters[s->n - 1u - i];
    return r;
}

static uint32_t n_consonants(const dpl__sound_prices *p, const dpl__sounds *s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += p->drop[s->letters[i]] >= 1;
    return n;
}

/* Whether a term of a side is a name. */
static bool is_name(const dpl__names *out, const counts *c, int side)
{
    return !out->has_case[side] ||
           (c->n_capital && c->n_capital >= DPL__P(mine, name_capitals) * (double)c->n_inside);
}

/* Where the names of a side are looked for. */
typedef struct finding {
    dpl__names *out;
    const dpl__comparable *corpus;
    const dpl__sound_prices *p;
    int side;
    dpl__romanizer *romanizer;
    counts *of; /* each term */
} finding;

/* A term in Latin letters, with what is nearly always written together with it. */
static size_t spell(char letters[3 * DPL__ROMANIZED], const finding *f, uint32_t term)
{
    const dpl_collection *c = f->corpus->c[f->side];
    const counts *of = &f->of[term];
    const double least_n = DPL__P(mine, name_together) * of->n_all;
    size_t n = 0;
    if (of->beside[0].votes && of->beside[0].n >= least_n)
        n += dpl__romanize(f->romanizer, letters + n,
                           dpl_collection_term(c, of->beside[0].term));
    n += dpl__romanize(f->romanizer, letters + n, dpl_collection_term(c, term));
    if (of->beside[1].votes && of->beside[1].n >= least_n)
        n += dpl__romanize(f->romanizer, letters + n,
                           dpl_collection_term(c, of->beside[1].term));
    return n;
}

static dpl_status add_name(name_vec *to, const finding *f, uint32_t term, dpl_error *err)
{
    char letters[3 * DPL__ROMANIZED];
    const dpl__gram_names *grams = &f->out->grams[f->side];
    name x = {.term = term};
    x.log_df = (float)dpl__log(dpl__names_doc_count(f->out, f->side, term));
    const size_t n = grams->n ? dpl__romanize(f->romanizer, letters, grams->texts[term])
                              : spell(letters, f, term);
    x.sound = dpl__sounds_of(f->p, (dpl_str){letters, n});
    if (x.sound.is_number ||
        x.sound.n + n_consonants(f->p, &x.sound) < (uint32_t)DPL__P(mine, name_sounds))
        return DPL_OK;
    x.backwards = reversed(&x.sound);
    f->out->is_name[f->side][term] = 1;
    f->out->n_names[f->side]++;
    return dpl__need(dpl__vec_push(f->out->ctx, to, x), err);
}

static dpl_status find_names(name_vec *to, dpl__names *out, const dpl__sound_prices *p,
                             const dpl__comparable *corpus, int side, dpl_error *err)
{
    const dpl_collection *c = corpus->c[side];
    const uint32_t n = dpl_collection_get_sizes(c)->n_terms;
    const double most = DPL__P(mine, name_docs) * (double)corpus->n_docs[side];
    counts *of = dpl__calloc(out->ctx, (size_t)n + 1, sizeof *of);
    finding f = {.out = out, .corpus = corpus, .p = p, .side = side, .of = of};
    uint64_t n_capital = 0;
    dpl_status status;
    DPL__STEP(dpl__need(of, err));
    if ((status = count_capitals(of, corpus, side, err)) != DPL_OK ||
        (status = dpl__romanizer_new(&f.romanizer, out->ctx, err)) != DPL_OK)
        goto done;
    for (uint32_t t = 0; t < n; t++)
        n_capital += of[t].n_capital;
    out->has_case[side] = (double)n_capital > DPL__P(mine, name_share) *
                                                  (double)dpl_collection_get_sizes(c)->n_tokens;
    if (!out->has_case[side] &&
        (status = dpl__gram_names_find(&out->grams[side], corpus, side, err)) != DPL_OK)
        goto done;
    const bool has_grams = out->grams[side].n > 0;
    const uint32_t n_names = out->n_terms[side] = has_grams ? out->grams[side].n : n;
    out->is_name[side] = dpl__calloc(out->ctx, (size_t)n_names + 1, 1);
    DPL__STEP(dpl__need(out->is_name[side], err));
    for (uint32_t t = 0; t < n_names && to->n < (size_t)DPL__P(mine, most_names); t++)
        if ((has_grams || is_name(out, &of[t], side)) &&
            dpl__names_doc_count(out, side, t) <= most &&
            (status = add_name(to, &f, t, err)) != DPL_OK)
            goto done;
done:
    dpl__romanizer_free(f.romanizer);
    dpl__free(out->ctx, of);
    return status;
}

/* ---- links ------------------------------------------------------------------------------ */

/* The best of the pivot's names for each name of the other side; and the same with the pivot's
 * names spelled backwards. */
typedef struct choice {
    uint32_t other; /* place of the pivot's name; NONE: none is alike */
    float score;
    float second;  /* score of the next n-gram that has no part in common with the best one */
    bool is_first; /* of all that chose it, the one with the best score */
} choice;

enum { DF_BINS = 512, DF_BINS_PER_UNIT = 20, N_LOGS = 32768 };

/* The pivot's names [begin, end) with the same counts of letters (sounds.h). */
typedef struct kind {
    uint64_t letters;
    uint32_t begin, end;
    float most; /* of the score, less the price: half the weight, and what is familiar */
} kind;

enum { BOUNDS = 128, BOUNDS_PER_UNIT = 8 };

/* A worker's own: kinds by the bound of their score with a name. */
typedef struct bounds {
    uint32_t first[BOUNDS], *next; /* next: of each kind */
} bounds;

typedef struct linking {
    const dpl__sound_prices *p;
    uint32_t n_below[DF_BINS + 1]; /* names of the other side with a lower logarithm of df */
    float *log;                    /* of whole numbers */
    float log_n;
    float least;                     /* score that is taken for nothing */
    float per_price, per_rarity;     /* of the score */
    const name_vec *names;           /* [0]: of the pivot */
    const dpl__gram_names *grams[2]; /* of the names; empty: they are words */
    choice *best[2];                 /* of each name of the other side; [1]: by chance */
    DPL_VEC(kind) kinds;             /* of the names of the pivot; none of n-grams */
    DPL_VEC(float) dfs;              /* logarithms of df that names of the pivot have */
    bounds *of_worker;
} linking;

/* How unlikely it is that a name of the other side is in about as many documents by chance. */
static float rarity_of(const linking *l, float df, float other)
{
    const float d = fabsf(df - other) + 0.5f / DF_BINS_PER_UNIT;
    const int low = (int)((df - d) * DF_BINS_PER_UNIT),
              high = (int)((df + d) * DF_BINS_PER_UNIT) + 1;
    const uint32_t n =
        l->n_below[high < DF_BINS ? high : DF_BINS] - l->n_below[low > 0 ? low : 0];
    return l->log_n - l->log[n < N_LOGS ? n : N_LOGS - 1];
}

/* How much two names have in common, in consonants: long names that are alike are rarely so by
 * chance, nor are frequent ones that are in as many documents. Scores below `least` may be 0.
 */
static float score_of(const linking *l, const name *a, const name *b, bool is_chance,
                      float least)
{
    const float mean = (a->sound.weight + b->sound.weight) / 2,
                df = l->per_rarity * rarity_of(l, a->log_df, b->log_df) + a->familiar +
                     b->familiar;
    const float most = (mean + df - l->least - least) / l->per_price;
    if (dpl__sounds_bound(l->p, a->sound.kind, b->sound.kind) > most)
        return 0;
    const float score =
        mean + df - l->least -
        l->per_price *
            dpl__sounds_price(l->p, is_chance ? &a->backwards : &a->sound, &b->sound, most);
    return score > 0 ? score : 0;
}

/* Whether two n-grams may be the same name: one contains the other. Always true for words. */
static bool is_same(const dpl__gram_names *grams, const name_vec *names, size_t a, size_t b)
{
    if (!grams->n)
        return true;
    const dpl_str x = grams->texts[names->data[a].term], y = grams->texts[names->data[b].term];
    const dpl_str *longer = x.n > y.n ? &x : &y, *shorter = x.n > y.n ? &y : &x;
    for (size_t i = 0; i + shorter->n <= longer->n; i++)
        if (memcmp(longer->data + i, shorter->data, shorter->n) == 0)
            return true;
    return false;
}

/* Takes a candidate that is better than the best one so far, or the second. */
static void consider(choice *best, size_t i, float score, const dpl__gram_names *grams,
                     const name_vec *names)
{
    if (score <= best->second)
        return;
    const bool is_other = best->other != NONE && !is_same(grams, names, best->other, i);
    if (score > best->score) {
        best->second = is_other ? best->score : best->second;
        best->other = (uint32_t)i;
        best->score = score;
    } else if (is_other)
        best->second = score;
}

/* Each name in its order: the best and the second n-gram. */
static void choose_in_order(choice *best, const linking *l, const name *of, bool is_chance)
{
    for (size_t k = 0; k < l->names[0].n; k++) {
        const float score = score_of(l, &l->names[0].data[k], of, is_chance, best->second);
        if (score > best->second)
            consider(best, k, score, l->grams[0], &l->names[0]);
    }
}

/* The best of a kind; ties: the lowest term. */
static void choose_of_kind(choice *best, const linking *l, const name *of, const kind *x,
                           bool is_chance)
{
    const name *names = l->names[0].data;
    for (uint32_t k = x->begin; k < x->end; k++) {
        const float score = score_of(l, &names[k], of, is_chance, best->score);
        if (score > best->score || (score >= best->score && best->other != NONE &&
                                    names[k].term < names[best->other].term)) {
            best->other = k;
            best->score = score;
        }
    }
}

/* The highest rarity that a name has with one of the pivot. */
static float most_rarity(const linking *l, const name *of)
{
    float most = 0;
    for (size_t i = 0; i < l->dfs.n; i++)
        most = fmaxf(most, rarity_of(l, l->dfs.data[i], of->log_df));
    return most;
}

/* Chooses among kinds of names, the one with the highest bound first. */
static void choose_by_kind(choice best[2], const linking *l, const name *of, bounds *x)
{
    const float own =
        of->sound.weight / 2 + of->familiar + l->per_rarity * most_rarity(l, of) - l->least;
    for (int b = 0; b < BOUNDS; b++)
        x->first[b] = NONE;
    for (uint32_t k = 0; k < l->kinds.n; k++) {
        const kind *one = &l->kinds.data[k];
        const float bound =
            own + one->most -
            l->per_price * dpl__sounds_bound(l->p, one->letters, of->sound.kind);
        if (bound <= 0)
            continue;
        const int b = (int)dpl__min((size_t)(bound * BOUNDS_PER_UNIT), BOUNDS - 1);
        x->next[k] = x->first[b];
        x->first[b] = k;
    }
    for (int b = BOUNDS - 1; b >= 0; b--)
        for (uint32_t k = x->first[b]; k != NONE; k = x->next[k])
            for (int i = 0; i < 2; i++)
                if (b == BOUNDS - 1 || (float)(b + 1) / BOUNDS_PER_UNIT >= best[i].score)
                    choose_of_kind(&best[i], l, of, &l->kinds.data[k], i);
}

static dpl_status choose_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    (void)err;
    const linking *l = user;
    const size_t end = dpl__min((block + 1) * BLOCK, l->names[1].n);
    for (size_t i = block * BLOCK; i < end; i++) {
        choice best[2] = {{.other = NONE}, {.other = NONE}};
        if (l->grams[0]->n)
            for (int is_chance = 0; is_chance < 2; is_chance++)
                choose_in_order(&best[is_chance], l, &l->names[1].data[i], is_chance);
        else
            choose_by_kind(best, l, &l->names[1].data[i], &l->of_worker[worker]);
        for (int is_chance = 0; is_chance < 2; is_chance++)
            l->best[is_chance][i] = best[is_chance];
    }
    return DPL_OK;
}

/* For each name of the pivot, the best-scored name that chose it; ties: the first. */
static void find_first(choice *best, const linking *l, choice *of_pivot)
{
    const size_t n = l->names[1].n;
    for (size_t k = 0; k < l->names[0].n; k++)
        of_pivot[k] = (choice){.other = NONE};
    for (size_t i = 0; i < n; i++)
        if (best[i].other != NONE)
            consider(&of_pivot[best[i].other], i, best[i].score, l->grams[1], &l->names[1]);
    for (size_t i = 0; i < n; i++)
        best[i].is_first = best[i].other != NONE && of_pivot[best[i].other].other == i;
}

/* Among so many n-grams some are always like a name: what counts is how far the best one is
 * from the second, and half of its score. */
static void take_leads(choice *best, const linking *l, const choice *of_pivot)
{
    for (size_t i = 0; i < l->names[1].n && (l->grams[0]->n || l->grams[1]->n); i++) {
        choice *c = &best[i];
        const float second = !c->is_first     ? 0
                             : l->grams[0]->n ? c->second
                                              : of_pivot[c->other].second;
        if (!c->is_first)
            c->other = NONE;
        c->score = 1.5f * c->score - second;
    }
}

enum { BINS = 64, PER_UNIT = 4 };

static int bin_of(float score)
{
    const int bin = (int)(score * PER_UNIT);
    return bin < BINS ? bin : BINS - 1;
}

/* For each bin of scores, the share of links beyond those expected by chance. Pooled to be
 * monotone. */
static void measure_chance(double p[BINS], const linking *l, bool is_first)
{
    double n[2][BINS] = {{0}}, above[2] = {0, 0};
    for (int is_chance = 0; is_chance < 2; is_chance++)
        for (size_t i = 0; i < l->names[1].n; i++)
            if (l->best[is_chance][i].other != NONE &&
                l->best[is_chance][i].is_first == is_first)
                n[is_chance][bin_of(l->best[is_chance][i].score)]++;
    for (int b = BINS - 1; b >= 0; b--) {
        above[0] = n[0][b] + (b + 1 < BINS ? n[0][b + 1] / 2 : 0) + (b ? n[0][b - 1] / 2 : 0);
        above[1] = n[1][b] + (b + 1 < BINS ? n[1][b + 1] / 2 : 0) + (b ? n[1][b - 1] / 2 : 0);
        p[b] = above[0] > 0 ? 1 - (above[1] + 0.5) / (above[0] + 0.5) : 0;
    }
    for (int b = 1; b < BINS; b++)
        p[b] = fmax(p[b], p[b - 1]);
}

static dpl_status take_links(dpl__names *out, const linking *l, dpl_error *err)
{
    double p[2][BINS];
    for (int is_first = 0; is_first < 2; is_first++)
        measure_chance(p[is_first], l, is_first);
    for (size_t i = 0; i < l->names[1].n; i++) {
        const choice *c = &l->best[0][i];
        if (c->other == NONE)
            continue;
        dpl__name_link link = {{l->names[0].data[c->other].term, l->names[1].data[i].term},
                               (float)p[c->is_first][bin_of(c->score)]};
        if ((double)link.p >= DPL__P(mine, name_sure) &&
            !dpl__vec_push(out->ctx, &out->links, link))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

DPL__ORDER(by_terms, dpl__name_link, DPL__RISING(term[0]) DPL__RISING(term[1]))

static void count_frequencies(linking *l)
{
    const name_vec *others = &l->names[1];
    for (size_t i = 0; i < others->n; i++) {
        const int bin = (int)(others->data[i].log_df * DF_BINS_PER_UNIT) + 1;
        l->n_below[bin < DF_BINS ? bin : DF_BINS]++;
    }
    for (int b = 1; b <= DF_BINS; b++)
        l->n_below[b] += l->n_below[b - 1];
    for (uint32_t n = 0; n < N_LOGS; n++)
        l->log[n] = (float)dpl__log(n + 1.0);
    l->log_n = (float)dpl__log((double)others->n + 1);
    l->least = (float)DPL__P(mine, sound_least);
    l->per_price = (float)DPL__P(mine, sound_price);
    l->per_rarity = (float)DPL__P(mine, name_df);
}

/* Names are written with few of all characters: those of likely links. */
static dpl_status find_familiar(name_vec *names, const dpl__names *links, int side, int at,
                                dpl_error *err)
{
    const dpl__gram_names *grams = &links->grams[side];
    if (!grams->n)
        return DPL_OK;
    uint32_t *chosen = dpl__alloc(links->ctx, (links->links.n + 1) * sizeof *chosen);
    float *share = dpl__alloc(links->ctx, ((size_t)grams->n + 1) * sizeof *share);
    dpl_status status = DPL_OK;
    size_t n = 0;
    for (size_t i = 0; i < links->links.n && chosen; i++)
        if ((double)links->links.data[i].p >= DPL__P(mine, gram_sure))
            chosen[n++] = links->links.data[i].term[at];
    if (!chosen || !share)
        status = dpl__fail_nomem(err);
    else
        status = dpl__gram_names_familiar(share, grams, chosen, n, err);
    for (size_t i = 0; i < names->n && status == DPL_OK; i++)
        names->data[i].familiar =
            (float)DPL__P(mine, gram_familiar) * share[names->data[i].term];
    dpl__free(links->ctx, share, chosen);
    return status;
}

DPL__ORDER(by_kind, name, DPL__RISING(sound.kind) DPL__RISING(term))

DPL__RISING_NUMBERS(rising, float)

static dpl_status find_dfs(linking *l, dpl_ctx *ctx, dpl_error *err)
{
    const name_vec *names = &l->names[0];
    size_t n = 0;
    for (size_t k = 0; k < names->n; k++)
        DPL_TRY(dpl__need(dpl__vec_push(ctx, &l->dfs, names->data[k].log_df), err));
    dpl__vec_sort(&l->dfs, rising);
    for (size_t k = 0; k < l->dfs.n; k++)
        if (!n || l->dfs.data[k] > l->dfs.data[n - 1])
            l->dfs.data[n++] = l->dfs.data[k];
    l->dfs.n = n;
    return DPL_OK;
}

/* Sorts the pivot's names by kind; n-grams keep their order. */
static dpl_status find_kinds(linking *l, dpl_ctx *ctx, dpl_error *err)
{
    const name_vec *names = &l->names[0];
    const unsigned n_workers = dpl_ctx_threads(ctx);
    if (l->grams[0]->n)
        return DPL_OK;
    DPL_TRY(find_dfs(l, ctx, err));
    dpl__vec_sort(names, by_kind);
    for (uint32_t k = 0; k < names->n; k++) {
        const name *x = &names->data[k];
        const float most = x->sound.weight / 2 + x->familiar;
        const kind new = {x->sound.kind, k, k, 0};
        if (!k || new.letters != l->kinds.data[l->kinds.n - 1].letters)
            DPL_TRY(dpl__need(dpl__vec_push(ctx, &l->kinds, new), err));
        kind *last = &l->kinds.data[l->kinds.n - 1];
        last->end = k + 1;
        last->most = most > last->most ? most : last->most;
    }
    l->of_worker = dpl__calloc(ctx, n_workers, sizeof *l->of_worker);
    DPL_TRY(dpl__need(l->of_worker, err));
    for (unsigned w = 0; w < n_workers; w++) {
        l->of_worker[w].next = dpl__alloc(ctx, (l->kinds.n + 1) * sizeof(uint32_t));
        DPL_TRY(dpl__need(l->of_worker[w].next, err));
    }
    return DPL_OK;
}

static dpl_status link_names(dpl__names *out, const dpl__sound_prices *p,
                             const name_vec names[2], dpl_error *err)
{
    const int pivot = out->corpus->pivot;
    linking l = {.p = p, .names = names, .grams = {&out->grams[pivot], &out->grams[!pivot]}};
    const size_t n = names[1].n, n_pivot = names[0].n;
    choice *of_pivot = dpl__alloc(out->ctx, (n_pivot + 1) * sizeof *of_pivot);
    dpl_status status;
    for (int i = 0; i < 2; i++)
        l.best[i] = dpl__alloc(out->ctx, (n + 1) * sizeof *l.best[i]);
    l.log = dpl__alloc(out->ctx, N_LOGS * sizeof *l.log);
    DPL__STEP(dpl__need(of_pivot && l.best[0] && l.best[1] && l.log, err));
    count_frequencies(&l);
    DPL__STEP(find_kinds(&l, out->ctx, err));
    DPL__STEP(dpl__parallel_for(out->ctx, (n + BLOCK - 1) / BLOCK, &l, choose_block, err));
    for (int i = 0; i < 2; i++) {
        find_first(l.best[i], &l, of_pivot);
        take_leads(l.best[i], &l, of_pivot);
    }
    DPL__STEP(take_links(out, &l, err));
    dpl__vec_sort(&out->links, by_terms);
done:
    for (unsigned w = 0; l.of_worker && w < dpl_ctx_threads(out->ctx); w++)
        dpl__free(out->ctx, l.of_worker[w].next);
    for (int i = 0; i < 2; i++)
        dpl__free(out->ctx, l.best[i]);
    dpl__vec_clear(out->ctx, &l.kinds, &l.dfs);
    dpl__free(out->ctx, l.of_worker, l.log, of_pivot);
    return status;
}

dpl_status dpl__names_find(dpl__names *out, const dpl__comparable *p, dpl_error *err)
{
    *out = (dpl__names){.ctx = p->ctx, .corpus = p};
    dpl__sound_prices price;
    name_vec names[2] = {{0}, {0}};
    dpl__sound_prices_set(&price);
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = find_names(&names[side != p->pivot], out, &price, p, side, err);
    if (status == DPL_OK)
        status = link_names(out, &price, names, err);
    const bool has_grams = out->grams[0].n || out->grams[1].n;
    for (int turn = 0; turn < (int)DPL__P(mine, gram_turns) && has_grams; turn++) {
        for (int side = 0; side < 2 && status == DPL_OK; side++)
            status = find_familiar(&names[side != p->pivot], out, side, side != p->pivot, err);
        out->links.n = 0;
        if (status == DPL_OK)
            status = link_names(out, &price, names, err);
    }
    for (int i = 0; i < 2; i++)
        dpl__vec_clear(p->ctx, &names[i]);
    if (status != DPL_OK)
        dpl__names_clear(out);
    return status;
}

void dpl__names_clear(dpl__names *names)
{
    if (!names->ctx)
        return;
    for (int side = 0; side < 2; side++) {
        dpl__free(names->ctx, names->is_name[side]);
        dpl__gram_names_clear(&names->grams[side]);
    }
    dpl__vec_clear(names->ctx, &names->links);
    *names = (dpl__names){0};
}

const uint32_t *dpl__names_row(const dpl__names *names, int side, uint32_t doc, size_t *n)
{
    const dpl__gram_names *grams = &names->grams[side];
    const uint32_t *in_doc;
    if (!grams->n)
        return dpl_collection_row(names->corpus->c[side], doc, &in_doc, n);
    *n = grams->begin[doc + 1] - grams->begin[doc];
    return grams->ids + grams->begin[doc];
}

uint32_t dpl__names_doc_count(const dpl__names *names, int side, uint32_t term)
{
    return names->grams[side].n ? names->grams[side].df[term]
                                : dpl_collection_doc_count(names->corpus->c[side], term);
}
