/*
 * translations.c - wordings become words and weights.
 *
 * A wording goes through the tokens stage, so that words are the same as in documents. Function
 * words before a headword ("to", "die", "se") and placeholders ("sth.", "jdm.") are dropped. A
 * single remaining word is a headword or a translation; headwords of several words are skipped.
 * The weight of a translation of several words ("house boat") is divided among its content
 * words (no stop words, phrase_words at most).
 *
 * Weights, where there are no probabilities: the translation at place k of sense s in an
 * article with n examples weighs (1 + n) / (s k), because dictionaries begin with what is most
 * common, and give most examples for it; those of several words half as much, in equal parts.
 * Weights of several articles are added. Rows are scaled to 1 later.
 *
 * On help pages, German to English with freedict-deu-eng (share of pages with the right
 * partner, with stems): 0.971 without translations of several words, 0.980 with half the
 * weight, 0.978 with all of it; other weights (1/k over all senses, k^-1/2, equal ones, all
 * without examples) are within 0.003 of each other. In the other direction parts only do harm
 * (0.957 without, 0.911 with): hundreds of compounds have "language" in their translation.
 * Hence they are kept apart.
 */
#include "lexicon/translations.h"

#include "base/ctx.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/sort_words.h"
#include "tokens/stopwords.h"

enum {
    MOST_WORDS = 12, /* of any wording */
    PAD = 64         /* bytes that segmentation reads behind a text */
};

/* ---- function words ----------------------------------------------------------------- */

typedef struct function_words {
    const char *lang;
    const char *leading;  /* before a word: articles, "to", reflexive pronouns */
    const char *anywhere; /* placeholders for any other word */
} function_words;

static const function_words function_word_lists[] = {
    {"en", " to a an the be ", " sb sb's sth sg smb smth somebody something oneself one's "},
    {"de", " der die das ein eine sich zu ", " jd jdm jdn jds jmd jmdm jmdn jmds etw "},
    {"fr", " le la les un une des se ", " qn qc qch "},
    {"es", " el la los las un una se ", " algn "},
    {"it", " il lo la i gli le un uno una ", " qn qc qcn qco "},
    {"pt", " o a os as um uma ", " alg "},
    {"nl", " de het een zich te ", " iem iets "},
    {"sv", " en ett att ", " ngn ngt "},
    {"da", " en et at ", " ngn ngt "},
    {"nb", " en ei et \xC3\xA5 ", " noen noe "},
    {"nn", " ein ei eit \xC3\xA5 ", ""},
    {"hu", " a az egy ", " vki vkit vkinek vkivel vmi vmit vminek vmivel "},
    {"ca", " el la els les un una ", ""},
    {"ro", " a un o ", ""},
    {"pl", "", " kogo\xC5\x9B co\xC5\x9B czego\xC5\x9B komu\xC5\x9B "},
};

static const function_words *find_function_words(const char *lang)
{
    for (size_t i = 0; i < DPL_LEN(function_word_lists); i++)
        if (strcmp(lang, function_word_lists[i].lang) == 0)
            return &function_word_lists[i];
    return NULL;
}

/* The list has a blank on both sides of each word. */
static bool is_listed(const char *list, dpl_str word)
{
    for (const char *at = list; (at = strchr(at, ' ')) && at[1]; at++)
        if (strncmp(at + 1, word.data, word.n) == 0 && at[1 + word.n] == ' ')
            return true;
    return false;
}

/* "l'eau" -> "eau". */
static dpl_str cut_elision(const char *lang, dpl_str word)
{
    bool elides = strcmp(lang, "fr") == 0 || strcmp(lang, "it") == 0 || strcmp(lang, "ca") == 0;
    if (elides && word.n > 2 && word.data[1] == '\'' && strchr("ls", word.data[0]))
        return (dpl_str){word.data + 2, word.n - 2};
    return word;
}

/* ---- a wording ---------------------------------------------------------------------- */

typedef struct words {
    dpl_str all[MOST_WORDS];
    size_t n;
    bool is_long; /* there were more */
} words;

/* "-ness", "Haus...". */
static bool is_affix(dpl_str s)
{
    static const char *const marks[] = {"-", "...", "\u2026"};
    for (size_t i = 0; i < DPL_LEN(marks); i++) {
        size_t n = strlen(marks[i]);
        if (s.n >= n &&
            (memcmp(s.data, marks[i], n) == 0 || memcmp(s.data + s.n - n, marks[i], n) == 0))
            return true;
    }
    return false;
}

static void drop_word(words *w, size_t i)
{
    w->n--;
    memmove(&w->all[i], &w->all[i + 1], (w->n - i) * sizeof *w->all);
}

static void drop_function_words(words *w, const char *lang)
{
    const function_words *l = find_function_words(lang);
    for (size_t i = 0; l && i < w->n && w->n > 1;)
        if (is_listed(l->anywhere, w->all[i]))
            drop_word(w, i);
        else
            i++;
    while (l && w->n > 1 && is_listed(l->leading, w->all[0]))
        drop_word(w, 0);
    if (w->n)
        w->all[0] = cut_elision(lang, w->all[0]);
}

/* The words of a wording, folded; borrowed until the next call. */
static dpl_status split(words *out, dpl__translations *g, int side, dpl_str wording,
                        dpl_error *err)
{
    *out = (words){0};
    g->padded.n = g->folded.n = 0;
    if (is_affix(wording))
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(g->ctx, &g->padded, wording.n + PAD), err));
    memcpy(g->padded.data, wording.data, wording.n);
    memset(g->padded.data + wording.n, 0, PAD);
    dpl_str text = {g->padded.data, wording.n};
    const char *lang = *g->lang[side] ? g->lang[side] : "und";
    DPL_TRY(dpl__segment(g->segmenter, text, lang, &g->spans, err));
    size_t ends[MOST_WORDS];
    for (size_t i = 0; i < g->spans.n && !out->is_long; i++) {
        dpl_str term, word = {text.data + g->spans.data[i].begin,
                              g->spans.data[i].end - g->spans.data[i].begin};
        DPL_TRY(dpl__fold(g->folders[side], word, &term, err));
        out->is_long = out->n == MOST_WORDS;
        if (term.n == 0 || out->is_long)
            continue;
        DPL_TRY(dpl__need(dpl__vec_append(g->ctx, &g->folded, term.data, term.n) &&
                              dpl__vec_push(g->ctx, &g->folded, '\0'),
                          err));
        ends[out->n++] = g->folded.n - 1;
    }
    for (size_t i = 0, begin = 0; i < out->n; begin = ends[i++] + 1)
        out->all[i] = (dpl_str){g->folded.data + begin, ends[i] - begin};
    drop_function_words(out, g->lang[side]);
    return DPL_OK;
}

/* ---- an article --------------------------------------------------------------------- */

static dpl_status add_cells(dpl__translations *g, dpl__cells *to, dpl_str word, double weight,
                            dpl_error *err)
{
    dpl__cell cell = {.p = (float)weight};
    DPL_TRY(dpl__terms_number(&g->words[DPL__RIGHT], word, &cell.col, err));
    for (size_t i = 0; i < g->heads.n; i++) {
        cell.row = g->heads.data[i];
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, to, cell), err));
    }
    return DPL_OK;
}

static dpl_status add_phrase(dpl__translations *g, const words *w, double weight,
                             dpl_error *err)
{
    const dpl_str *content[MOST_WORDS];
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!dpl__stop_has(g->lang[DPL__RIGHT], w->all[i]))
            content[n++] = &w->all[i];
    for (size_t i = 0; i < n && n <= (size_t)DPL__P(lexicon, phrase_words) && !w->is_long; i++)
        DPL_TRY(add_cells(g, &g->parts, *content[i],
                          weight * DPL__P(lexicon, phrase_share) / (double)n, err));
    return DPL_OK;
}

static dpl_status add_translation(dpl__translations *g, const dpl__article *a,
                                  const dpl__wording *t, dpl_error *err)
{
    words w;
    double weight = (1.0 + a->n_examples) / ((double)t->sense * (double)t->place);
    DPL_TRY(split(&w, g, DPL__RIGHT, dpl__wording_text(a, t), err));
    if (w.n == 1 && !w.is_long)
        return add_cells(g, &g->cells[DPL__LEFT], w.all[0], weight, err);
    g->n_phrases += w.n > 1;
    return w.n > 1 ? add_phrase(g, &w, weight, err) : DPL_OK;
}

static dpl_status number_heads(dpl__translations *g, const dpl__article *a, dpl_error *err)
{
    g->heads.n = 0;
    for (size_t i = 0; i < a->heads.n; i++) {
        words w;
        uint32_t number;
        DPL_TRY(split(&w, g, DPL__LEFT, dpl__wording_text(a, &a->heads.data[i]), err));
        if (w.n != 1)
            continue;
        DPL_TRY(dpl__terms_number(&g->words[DPL__LEFT], w.all[0], &number, err));
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, &g->heads, number), err));
    }
    return DPL_OK;
}

dpl_status dpl__translations_add_article(dpl__translations *g, const dpl__article *a,
                                         dpl_error *err)
{
    g->n_read++;
    if (a->translations.n == 0)
        return DPL_OK;
    DPL_TRY(number_heads(g, a, err));
    size_t n = g->cells[DPL__LEFT].n + g->parts.n;
    for (size_t i = 0; g->heads.n && i < a->translations.n; i++)
        DPL_TRY(add_translation(g, a, &a->translations.data[i], err));
    g->n_used += g->cells[DPL__LEFT].n + g->parts.n > n;
    return DPL_OK;
}

/* ---- single words ------------------------------------------------------------------- */

static dpl_status number_word(dpl__translations *g, int side, dpl_str word, uint32_t *out,
                              dpl_error *err)
{
    dpl_str term;
    DPL_TRY(dpl__fold(g->folders[side], word, &term, err));
    return term.n && !dpl__has_control(term)
               ? dpl__terms_number(&g->words[side], term, out, err)
               : DPL_END;
}

dpl_status dpl__translations_add_pair(dpl__translations *g, dpl_str left, dpl_str right,
                                      float p, dpl_error *err)
{
    dpl__cell cell = {.p = p};
    dpl_status status = number_word(g, DPL__LEFT, left, &cell.row, err);
    if (status == DPL_OK)
        status = number_word(g, DPL__RIGHT, right, &cell.col, err);
    if (status != DPL_OK)
        return status == DPL_END ? DPL_OK : status;
    g->n_used++;
    return dpl__need(dpl__vec_push(g->ctx, &g->cells[DPL__LEFT], cell), err);
}

/* ---- the whole ---------------------------------------------------------------------- */

dpl_status dpl__translations_open(dpl__translations *g, dpl_ctx *ctx, dpl_error *err)
{
    *g = (dpl__translations){.ctx = ctx};
    for (int side = 0; side < 2; side++)
        dpl__terms_init(&g->words[side], ctx);
    DPL_TRY(dpl__segmenter_new(&g->segmenter, ctx, err));
    DPL_TRY(dpl__folder_new(&g->folders[DPL__LEFT], ctx, NULL, err));
    return dpl__folder_new(&g->folders[DPL__RIGHT], ctx, NULL, err);
}

void dpl__translations_close(dpl__translations *g)
{
    if (!g->ctx)
        return;
    for (int side = 0; side < 2; side++) {
        dpl__folder_free(g->folders[side]);
        dpl__terms_clear(&g->words[side]);
        dpl__vec_clear(g->ctx, &g->cells[side], &g->counts[side]);
    }
    dpl__segmenter_free(g->segmenter);
    dpl__vec_clear(g->ctx, &g->parts, &g->spans, &g->padded, &g->folded, &g->heads);
    *g = (dpl__translations){0};
}

dpl_status dpl__translations_languages(dpl__translations *g, const char *left,
                                       const char *right, dpl_error *err)
{
    const char *langs[2] = {left, right};
    for (int side = 0; side < 2; side++) {
        assert(strlen(langs[side]) < sizeof g->lang[side]);
        memcpy(g->lang[side], langs[side], strlen(langs[side]) + 1);
        const char *lang = *langs[side] ? langs[side] : "und";
        DPL_TRY(dpl__folder_language(g->folders[side], lang, err));
    }
    return DPL_OK;
}

dpl_status dpl__translations_check_memory(const dpl__translations *g, uint64_t n_more,
                                          const char *name, dpl_error *err)
{
    uint64_t n =
        n_more + (g->cells[0].cap + g->cells[1].cap + g->parts.cap) * sizeof(dpl__cell) +
        dpl__terms_bytes(&g->words[DPL__LEFT]) + dpl__terms_bytes(&g->words[DPL__RIGHT]);
    if (n <= g->ctx->memory)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                          "'%s' does not fit into %llu MiB of memory", name,
                          (unsigned long long)(g->ctx->memory >> 20));
}
