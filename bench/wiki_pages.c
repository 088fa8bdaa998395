/*
 * wiki_pages.c - made-up articles out of aligned sentences.
 *
 * An article has a subject with a name of its own, a topic (a range of the rows: neighbours
 * there are from the same text) and some other articles it mentions, popular ones more often.
 * It is a first sentence of one of twelve kinds, then paragraphs of two to six rows that follow
 * each other, four of five of them from the topic. Names and numbers that both sides of a row
 * have are replaced by those of the article, so that few sentences repeat and every article
 * adds words, as in an encyclopedia. A third of the subjects has two names, one in each
 * language.
 *
 * The two articles of a pair share 30 to 100 % of the shorter one; the rest is of the same
 * topic and names, but of other sentences. Lengths are log-normal.
 *
 * Around it: an infobox, links, references, section titles, a picture, sometimes a table,
 * categories; about 5 links, 1.4 references and 2 templates a kilobyte, as in the excerpt of
 * the English Wikipedia that the readers are tested with.
 */
#define _POSIX_C_SOURCE 200809L
#include "wiki_pages.h"

#include "base/base.h"
#include "base/hash.h"
#include "base/maths.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text --------------------------------------------------------------------------- */

void page_put(page_text *t, const char *data, size_t n)
{
    if (t->cap - t->n < n) {
        size_t cap = t->cap ? t->cap : 4096;
        while (cap - t->n < n)
            cap *= 2;
        char *more = realloc(t->data, cap);
        if (!more) {
            fputs("wikis: out of memory\n", stderr);
            exit(1);
        }
        t->data = more;
        t->cap = cap;
    }
    if (n)
        memcpy(t->data + t->n, data, n);
    t->n += n;
}

void page_puts(page_text *t, const char *s)
{
    page_put(t, s, strlen(s));
}

void page_printf(page_text *t, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n > 0)
        page_put(t, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void page_put_xml(page_text *t, const char *data, size_t n)
{
    size_t begin = 0;
    for (size_t i = 0; i < n; i++) {
        const char *as = data[i] == '<' ? "&lt;" : data[i] == '>' ? "&gt;" : "&amp;";
        if (data[i] != '<' && data[i] != '>' && data[i] != '&')
            continue;
        page_put(t, data + begin, i - begin);
        page_puts(t, as);
        begin = i + 1;
    }
    page_put(t, data + begin, n - begin);
}

void page_clear(page_text *t)
{
    free(t->data);
    *t = (page_text){0};
}

/* Without characters that mean something in wikitext. */
static void put_plain(page_text *t, const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("[]{}|'=*#<>_~:;", data[i]))
            page_put(t, data + i, 1);
}

/* ---- rows --------------------------------------------------------------------------- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool is_replaceable(const char *word, size_t n)
{
    if (isdigit((unsigned char)word[0])) {
        for (size_t i = 0; i < n; i++)
            if (!isdigit((unsigned char)word[i]))
                return false;
        return n >= 2;
    }
    return n >= 3 && word[0] >= 'A' && word[0] <= 'Z';
}

/* Where the same word stands in the other side, from `from` on; n_text if nowhere. */
static uint32_t find_word(const char *text, uint32_t n_text, const char *word, uint32_t n)
{
    for (uint32_t i = 0; i + n <= n_text; i++) {
        bool begins = i == 0 || !is_word_byte(text[i - 1]);
        bool ends = i + n == n_text || !is_word_byte(text[i + n]);
        if (begins && ends && memcmp(text + i, word, n) == 0)
            return i;
    }
    return n_text;
}

static bool is_taken(const wiki_row *row, uint32_t right)
{
    for (uint32_t i = 0; i < row->n_slots; i++)
        if (row->slots[i].begin[1] == right)
            return true;
    return false;
}

void wiki_row_find_slots(wiki_row *row)
{
    const char *left = row->text[0];
    row->n_slots = 0;
    for (uint32_t i = 0; i < row->n[0] && row->n_slots < ROW_SLOTS;) {
        uint32_t end = i;
        while (end < row->n[0] && is_word_byte(left[end]))
            end++;
        if (end > i && is_replaceable(left + i, end - i)) {
            uint32_t at = find_word(row->text[1], row->n[1], left + i, end - i);
            if (at < row->n[1] && !is_taken(row, at))
                row->slots[row->n_slots++] = (row_slot){{i, at}, end - i};
        }
        i = end + 1;
    }
}

/* ---- numbers of a world --------------------------------------------------------------- */

/* Purposes of chance: each has a sequence of its own. */
enum {
    TOPIC = 16,
    LENGTH,
    SIDE_LENGTH,
    SHARED,
    KIND,
    MENTIONED,
    NAME_STYLE,
    GIVEN_NAME,
    NAME_TRANSLATED,
    PARAGRAPH,
    MARKUP,
    FIGURE,
    SEE,
    SEE_2
};

static uint64_t number_of(const wiki_world *w, uint64_t i, unsigned what)
{
    return dpl__mix(dpl__mix(w->seed * 0x100000001B3u + what) ^ (i * 0x9E3779B97F4A7C15u));
}

double wiki_chance(const wiki_world *w, uint64_t i, unsigned what)
{
    return (double)(number_of(w, i, what) >> 11) / 9007199254740992.0;
}

static uint32_t pick(const wiki_world *w, uint64_t i, unsigned what, uint32_t n)
{
    return (uint32_t)(wiki_chance(w, i, what) * n);
}

uint32_t wiki_article(const wiki_world *w, int side, uint32_t i)
{
    return i < w->n_paired || side == 0 ? i : i - w->n_paired + w->n_side;
}

/* ---- names -------------------------------------------------------------------------- */

/* Every number below 10^9 has a word of its own: digits to the base of 80 syllables. */
static void put_word(page_text *t, uint64_t number, bool is_long)
{
    static const char onsets[] = "bdfgklmnprstvwzh", vowels[] = "aeiou";
    bool is_first = true;
    do {
        unsigned digit = (unsigned)(number % 80);
        char syllable[2] = {onsets[digit / 5], vowels[digit % 5]};
        if (is_first)
            syllable[0] = (char)(syllable[0] - 32);
        page_put(t, syllable, 2);
        is_first = false;
        number /= 80;
    } while (number);
    page_puts(t, is_long ? "rn" : "s");
}

/* The word that only this article and those that mention it have. */
static void put_own_word(page_text *t, const wiki_world *w, int side, uint32_t article)
{
    uint64_t number = article;
    if (side == 1 && wiki_chance(w, article, NAME_TRANSLATED) < 1.0 / 3)
        number += w->n_articles;
    put_word(t, number + 6400, article % 2);
}

static void put_name(page_text *t, const wiki_world *w, int side, uint32_t article)
{
    if (wiki_chance(w, article, NAME_STYLE) < 0.4) { /* a person */
        double x = wiki_chance(w, article, GIVEN_NAME);
        put_word(t, (uint64_t)(x * x * 1500), false);
        page_puts(t, " ");
    }
    put_own_word(t, w, side, article);
}

void wiki_put_title(page_text *out, const wiki_world *w, int side, uint32_t article)
{
    put_name(out, w, side, article);
}

/* Mentioned article j of an article; the subject itself is the first. Those with a low number
 * are popular; numbers are spread by a factor without common divisor. */
static uint32_t mentioned(const wiki_world *w, uint32_t article, uint32_t j)
{
    if (j == 0)
        return article;
    double x = wiki_chance(w, (uint64_t)article * 64 + j, MENTIONED);
    uint64_t rank = (uint64_t)(x * x * x * w->n_articles);
    return (uint32_t)(rank * 2147483647u % w->n_articles);
}

/* ---- an article ----------------------------------------------------------------------- */

typedef struct lead_kind {
    const char *lang[2]; /* German, English: place or person, year or number */
} lead_kind;

static const lead_kind kinds[] = {
    {{"ist eine Gemeinde in %s mit %u Einwohnern.",
      "is a municipality in %s with %u inhabitants."}},
    {{"ist ein Fluss in %s und %u Kilometer lang.", "is a river in %s, %u kilometres long."}},
    {{"war ein Politiker aus %s, geboren %u.", "was a politician from %s, born in %u."}},
    {{"ist eine Schauspielerin aus %s, geboren %u.", "is an actress from %s, born in %u."}},
    {{"ist ein Album von %s aus dem Jahr %u.", "is an album by %s from the year %u."}},
    {{"ist ein Film von %s aus dem Jahr %u.", "is a film by %s from the year %u."}},
    {{"ist eine Pflanzenart, die %s im Jahr %u beschrieb.",
      "is a species of plant that %s described in %u."}},
    {{"ist ein Berg in %s von %u Metern Höhe.", "is a mountain in %s, %u metres high."}},
    {{"ist ein Verein aus %s, gegründet %u.", "is a club from %s, founded in %u."}},
    {{"war eine Schlacht bei %s im Jahr %u.", "was a battle near %s in the year %u."}},
    {{"ist ein Bahnhof in %s, eröffnet %u.", "is a railway station in %s, opened in %u."}},
    {{"ist ein Roman von %s, erschienen %u.", "is a novel by %s, published in %u."}},
};

static const char *const headings[][2] = {
    {"Geschichte", "History"},       {"Leben", "Life"},
    {"Geographie", "Geography"},     {"Bevölkerung", "Population"},
    {"Wirtschaft", "Economy"},       {"Kultur", "Culture"},
    {"Rezeption", "Reception"},      {"Aufbau", "Structure"},
    {"Verbreitung", "Distribution"}, {"Handlung", "Plot"},
    {"Hintergrund", "Background"},   {"Auszeichnungen", "Awards"},
};

typedef struct article {
    const wiki_world *w;
    int side;
    bool is_german; /* of the patterns; any language but German has the English ones */
    uint32_t number, n_mentioned;
    size_t topic, n_topic; /* rows */
    uint64_t n_done;       /* pieces of markup so far */
} article;

static double markup_chance(article *a)
{
    uint64_t key = ((uint64_t)a->number * 2 + (uint64_t)a->side) * 65536 + a->n_done++;
    return wiki_chance(a->w, key, MARKUP);
}

static void put_link(page_text *t, const article *a, uint32_t to)
{
    page_puts(t, "[[");
    wiki_put_title(t, a->w, a->side, to);
    page_puts(t, "]]");
}

static void put_reference(page_text *t, article *a)
{
    unsigned year = 1950 + (unsigned)(markup_chance(a) * 75);
    page_printf(t, "<ref>{{%s|url=https://example.org/%08x|title=",
                a->is_german ? "Internetquelle" : "cite web",
                (unsigned)(markup_chance(a) * 4e9));
    put_word(t, (uint64_t)(markup_chance(a) * 1e6), true);
    page_printf(t, " %u|date=%u-0%u-1%u}}</ref>", year, year, 1 + year % 9, year % 10);
}

/* A name or number in place of the word of a row; `key` says which, the same in both wikis. */
static void put_replacement(page_text *t, article *a, bool is_number, size_t n, uint64_t key)
{
    const wiki_world *w = a->w;
    if (is_number) {
        unsigned least = 1;
        for (size_t i = 1; i < n && i < 6; i++)
            least *= 10;
        page_printf(t, "%u", least + pick(w, key, FIGURE, 9 * least));
        return;
    }
    double x = wiki_chance(w, key, FIGURE); /* the subject and the first ones more often */
    uint32_t other = mentioned(w, a->number, (uint32_t)(x * x * a->n_mentioned));
    if (other != a->number && markup_chance(a) < 0.7)
        put_link(t, a, other);
    else
        put_own_word(t, w, a->side, other);
}

static void put_row(page_text *t, article *a, const wiki_row *row, uint64_t key)
{
    const wiki_world *w = a->w;
    const char *text = row->text[a->side];
    uint32_t at = 0, order[ROW_SLOTS];
    for (uint32_t i = 0; i < row->n_slots; i++) { /* in the order of this side */
        uint32_t j = i;
        for (; j > 0 && row->slots[order[j - 1]].begin[a->side] > row->slots[i].begin[a->side];
             j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (uint32_t i = 0; i < row->n_slots; i++) {
        const row_slot *s = &row->slots[order[i]];
        uint32_t begin = s->begin[a->side];
        put_plain(t, text + at, begin - at);
        put_replacement(t, a, isdigit((unsigned char)text[begin]), s->n,
                        key * ROW_SLOTS + order[i]);
        at = begin + s->n;
    }
    put_plain(t, text + at, row->n[a->side] - at);
    if (wiki_chance(w, key, SEE) < 0.3) {
        page_puts(t, a->is_german ? " (siehe " : " (see ");
        put_link(t, a, mentioned(w, a->number, 1 + pick(w, key, SEE_2, a->n_mentioned)));
        page_puts(t, ")");
    }
    if (markup_chance(a) < 0.17)
        put_reference(t, a);
    page_puts(t, " ");
}

/* Paragraph `key`, whose sentences are the same in both wikis. */
static void put_paragraph(page_text *t, article *a, uint64_t key)
{
    const wiki_world *w = a->w;
    uint64_t k = (uint64_t)a->number * 4096 + key;
    size_t n = 2 + pick(w, k, PARAGRAPH, 5), from = a->topic, room = a->n_topic;
    if (wiki_chance(w, k + ((uint64_t)1 << 50), PARAGRAPH) < 0.2) {
        from = 0;
        room = w->n_rows;
    }
    from += (size_t)(wiki_chance(w, k + ((uint64_t)1 << 51), PARAGRAPH) * (double)room);
    for (size_t i = 0; i < n; i++)
        put_row(t, a, &w->rows[(from + i) % w->n_rows], k * 8 + i);
    page_puts(t, "\n\n");
}

static void put_lead(page_text *t, article *a)
{
    const wiki_world *w = a->w;
    const lead_kind *kind = &kinds[pick(w, a->number, KIND, DPL_LEN(kinds))];
    page_text other = {0};
    put_link(&other, a, mentioned(w, a->number, 1));
    page_put(&other, "", 1);
    page_puts(t, "'''");
    wiki_put_title(t, w, a->side, a->number);
    page_puts(t, "''' ");
    char line[400];
    const char *pattern = kind->lang[a->is_german ? 0 : 1];
    const char *hole = strstr(pattern, "%s");
    page_put(t, pattern, (size_t)(hole - pattern));
    page_puts(t, other.data);
    hole += 2;
    const char *figure = strstr(hole, "%u");
    page_put(t, hole, (size_t)(figure - hole));
    snprintf(line, sizeof line, "%u", 1200 + pick(w, a->number, FIGURE, 820));
    page_puts(t, line);
    page_puts(t, figure + 2);
    page_puts(t, " ");
    page_clear(&other);
}

static void put_infobox(page_text *t, article *a)
{
    uint32_t kind = pick(a->w, a->number, KIND, DPL_LEN(kinds));
    page_printf(t, "{{Infobox %u\n| name = ", kind);
    wiki_put_title(t, a->w, a->side, a->number);
    page_printf(t,
                "\n| image = %x.jpg\n| area = {{convert|%u|km2}}\n| date = {{nowrap|%u}}\n}}\n",
                a->number, 1 + a->number % 900, 1200 + pick(a->w, a->number, FIGURE, 820));
}

static void put_table(page_text *t, article *a)
{
    page_puts(t, "{| class=\"wikitable\"\n! Nr. !! Name !! Jahr\n");
    for (uint32_t i = 1; i < 6; i++) {
        page_printf(t, "|-\n| %u || ", i);
        put_link(t, a, mentioned(a->w, a->number, i + 8));
        page_printf(t, " || %u\n", 1900 + (a->number + i * 7) % 120);
    }
    page_puts(t, "|}\n\n");
}

static void put_end(page_text *t, article *a)
{
    page_printf(t, "== %s ==\n<references />\n\n== %s ==\n",
                a->is_german ? "Einzelnachweise" : "References",
                a->is_german ? "Weblinks" : "External links");
    page_printf(t, "* [https://example.org/%08x ", a->number * 2654435761u);
    wiki_put_title(t, a->w, a->side, a->number);
    page_puts(t, "]\n\n");
    for (uint32_t i = 0; i < 3; i++)
        page_printf(t, "[[%s:%s %u]]\n", a->is_german ? "Kategorie" : "Category",
                    a->is_german ? "Thema" : "Topic",
                    i ? (a->number * 31 + i) % 5000 : (uint32_t)(a->topic / 100));
}

/* Normally distributed, nearly: the sum of twelve. */
static double normal_of(const wiki_world *w, uint32_t number)
{
    double sum = -6;
    for (uint64_t i = 0; i < 12; i++)
        sum += wiki_chance(w, (uint64_t)number * 12 + i, LENGTH);
    return sum;
}

/* Bytes of wikitext that an article should have: log-normal, the two sides of a pair alike. */
static double wanted_bytes(const wiki_world *w, int side, uint32_t number)
{
    const double sigma = 0.9;
    double own = 0.7 + 0.6 * wiki_chance(w, (uint64_t)number * 2 + (uint64_t)side, SIDE_LENGTH);
    return w->mean_bytes * own * dpl__exp(sigma * normal_of(w, number) - sigma * sigma / 2);
}

static article start_article(const wiki_world *w, int side, uint32_t number)
{
    enum { TOPIC_ROWS = 2000 };
    size_t n_topics = w->n_rows / TOPIC_ROWS + 1;
    size_t topic = (size_t)(wiki_chance(w, number, TOPIC) * (double)n_topics);
    article a = {.w = w, .side = side, .number = number};
    a.is_german = strcmp(w->lang[side], "de") == 0;
    a.n_topic = w->n_rows / n_topics;
    a.topic = topic * a.n_topic;
    a.n_mentioned = 4 + (uint32_t)(wanted_bytes(w, 0, number) / 300);
    a.n_mentioned = a.n_mentioned > 60 ? 60 : a.n_mentioned;
    return a;
}

/* Paragraphs that a text of so many bytes has. */
static uint64_t count_paragraphs(double bytes)
{
    enum { FIXED = 500, PARAGRAPH_BYTES = 460, MOST = 900 };
    double n = (bytes - FIXED) / PARAGRAPH_BYTES + 0.5;
    return n < 1 ? 1 : n > MOST ? MOST : (uint64_t)n;
}

/* Shared paragraphs have keys from 0, own ones from 1024 or 2048. */
void wiki_put_article(page_text *out, const wiki_world *w, int side, uint32_t number)
{
    article a = start_article(w, side, number);
    uint64_t n[2] = {count_paragraphs(wanted_bytes(w, 0, number)),
                     count_paragraphs(wanted_bytes(w, 1, number))};
    double share = 0.3 + 0.7 * wiki_chance(w, number, SHARED);
    uint64_t n_shared = (uint64_t)(share * (double)(n[0] < n[1] ? n[0] : n[1]) + 0.5);
    uint64_t own = 1024 * (uint64_t)(1 + side), shared = 0;
    put_infobox(out, &a);
    if (markup_chance(&a) < 0.5)
        page_printf(out, "[[%s:%x.jpg|thumb|%u]]\n", a.is_german ? "Datei" : "File", number,
                    number);
    put_lead(out, &a);
    for (uint64_t i = 0; i < n[side]; i++) {
        if (i % 3 == 2)
            page_printf(out, "== %s ==\n",
                        headings[(number + i) % DPL_LEN(headings)][a.is_german ? 0 : 1]);
        bool is_shared =
            markup_chance(&a) * (double)(n[side] - i) < (double)(n_shared - shared);
        put_paragraph(out, &a, is_shared ? shared++ : own++);
        if (i == 3 && wiki_chance(w, number, MARKUP) < 0.3)
            put_table(out, &a);
    }
    put_end(out, &a);
}

/* ---- other pages ---------------------------------------------------------------------- */

void wiki_put_talk(page_text *out, const wiki_world *w, int side, uint32_t i)
{
    article a = start_article(w, side, wiki_article(w, side, i));
    page_puts(out, "{{Archiv}}\n== ");
    wiki_put_title(out, w, side, a.number);
    page_puts(out, " ==\n");
    put_paragraph(out, &a, 3072);
    put_paragraph(out, &a, 3073);
    page_puts(out, "--[[User:X|X]] 12:00, 1. Jan. 2020\n");
}

void wiki_put_list(page_text *out, const wiki_world *w, int side, uint32_t i)
{
    for (uint32_t j = 0; j < 40; j++) {
        page_puts(out, "* [[");
        wiki_put_title(out, w, side, mentioned(w, wiki_article(w, side, i), 1 + j));
        page_printf(out, "]] (%u)\n", 1900 + (i + j) % 120);
    }
}

void wiki_put_meanings(page_text *out, const wiki_world *w, int side, uint32_t i)
{
    article a = start_article(w, side, wiki_article(w, side, i));
    for (uint32_t j = 0; j < 4; j++) {
        page_puts(out, "* ");
        put_link(out, &a, mentioned(w, a.number, 1 + j));
        page_puts(out, ", ");
        put_row(out, &a, &w->rows[(a.topic + j) % w->n_rows], (uint64_t)i * 8 + j);
        page_puts(out, "\n");
    }
    page_puts(out, a.is_german ? "{{Begriffsklärung}}\n" : "{{disambiguation}}\n");
}
