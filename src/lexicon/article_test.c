#include "lexicon/article.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------------ */

/* "head|head > 1.1 word|1.2 word|2.1 word": sense and place before each translation. */
static const char *parsed(const char *text, const char *indexed)
{
    static char out[1000];
    dpl_ctx *ctx = test_ctx(1);
    dpl__article a = {0};
    dpl_str words[8];
    size_t n = 0;
    for (const char *at = indexed; *at; n++) {
        words[n] = (dpl_str){at, strcspn(at, "|")};
        at += words[n].n + (at[words[n].n] == '|');
    }
    CHECK(dpl__article_parse(&a, ctx, dpl__cstr(text), words, n));
    int at = 0;
    for (size_t i = 0; i < a.heads.n; i++) {
        dpl_str s = dpl__wording_text(&a, &a.heads.data[i]);
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%.*s", i ? "|" : "", (int)s.n,
                       s.data);
    }
    at += snprintf(out + at, sizeof out - (size_t)at, " >");
    for (size_t i = 0; i < a.translations.n; i++) {
        const dpl__wording *t = &a.translations.data[i];
        dpl_str s = dpl__wording_text(&a, t);
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%u.%u %.*s", i ? "|" : " ",
                       t->sense, t->place, (int)s.n, s.data);
    }
    dpl__article_clear(&a, ctx);
    test_ctx_done(ctx);
    return out;
}

#define CHECK_PARSED(text, indexed, expected)                                                  \
    CHECK_STR(dpl__cstr(parsed((text), (indexed))), expected)

/* ---- shapes ------------------------------------------------------------------------- */

DPL_TEST(article, has_translations_between_commas_and_semicolons)
{
    CHECK_PARSED("wal /val/ <n, masc>\nwhale <n>, sea beast; leviathan\n", "wal",
                 "wal > 1.1 whale|1.2 sea beast|1.3 leviathan");
    CHECK_PARSED("wal\n\xE9\xAF\xA8\xE3\x80\x81\xE3\x81\x8F\xE3\x81\x98\xE3\x82\x89\n", "wal",
                 "wal > 1.1 \xE9\xAF\xA8|1.2 \xE3\x81\x8F\xE3\x81\x98\xE3\x82\x89");
    CHECK_PARSED("wal\nwhale / leviathan", "wal", "wal > 1.1 whale|1.2 leviathan");
    CHECK_PARSED("and/or\nund/oder", "andor", "and/or > 1.1 und/oder");
}

DPL_TEST(article, has_numbered_senses)
{
    CHECK_PARSED("cinta /T/\n1. bond, tie\n2. ribbon\n", "cinta",
                 "cinta > 1.1 bond|1.2 tie|2.1 ribbon");
    CHECK_PARSED("taarifa <n>\n1.\nstatement\n2.\nnews\n", "taarifa",
                 "taarifa > 1.1 statement|2.1 news");
    CHECK_PARSED("stiff <Adj>\n 1.  sztywny\n 2.  [wiatr]  silny\n", "stiff",
                 "stiff > 1.1 sztywny|2.1 silny");
    CHECK_PARSED("great /greIt/\nI.  <Adj> 1.  wielki\n 2.  du\nII.  <Adv>  znako\n", "great",
                 "great > 1.1 wielki|2.1 du|3.1 znako");
}

DPL_TEST(article, has_no_use_for_definitions)
{
    CHECK_PARSED("szpada /a/ <n>\nepee\n(dawniej) bron kluta\n", "szpada", "szpada > 1.1 epee");
    CHECK_PARSED("landmark\n1. A, B\nnotable location\n2. C\nfeature\n", "landmark",
                 "landmark > 1.1 A|1.2 B|2.1 C");
    CHECK_PARSED("bul <n>\ndiploma\n1. getuigschrift\n2. papier\n", "bul", "bul > 1.1 diploma");
    CHECK_PARSED("delen <v>\n1. A\n1. samen\n2. B\n2. in stukken\n", "delen",
                 "delen > 1.1 A|2.1 B");
    CHECK_PARSED("Loewe\n1. lew 2.\nWappentier\n 3.\nPerson\n2. Lew\nTierkreis\n", "loewe",
                 "Loewe > 1.1 lew|2.1 Lew");
}

DPL_TEST(article, has_no_use_for_examples_notes_and_references)
{
    CHECK_PARSED("auch\nany\n         Note: + adjective\n      \"Ich auch.\"  - Me too.\n"
                 "   Synonyms: {ein bisschen}\n\n see: {auch nicht}\n",
                 "auch", "auch > 1.1 any");
    CHECK_PARSED("min.\nI.\n   See also: {minimum}\n  minimum\n", "min", "min. > 1.1 minimum");
    CHECK_PARSED("wal\n      \"Ein Wal!\"  - A whale!\n", "wal", "wal >");
}

DPL_TEST(article, loses_brackets_of_all_kinds)
{
    CHECK_PARSED("wal\n [zool.] whale <n> (Cetacea [order (old)]), {see: fish} beast\n", "wal",
                 "wal > 1.1 whale|1.2 beast");
    CHECK_PARSED("kiki\n(noun (common) (x))\n (verb)\nto miss a chance\n", "kiki",
                 "kiki > 1.1 to miss a chance");
    CHECK_PARSED("farbe\ncolo(u)r\n", "farbe", "farbe > 1.1 color");
    CHECK_PARSED("farbe\nhue (not\n2. closed\n", "farbe", "farbe > 1.1 hue");
    CHECK_PARSED("waganga <n>\n\n Plural of {mganga}: healer\n", "waganga",
                 "waganga > 1.1 healer");
    CHECK_PARSED("sprache\nlanguage <n>lang.,  /l/\n", "sprache",
                 "sprache > 1.1 language|1.2 lang.");
}

DPL_TEST(article, loses_pronunciation)
{
    CHECK_PARSED("vague //v@g// //VAG// <adj>\nvague /v, x/, dim\n", "vague",
                 "vague > 1.1 vague|1.2 dim");
    CHECK_PARSED("a /b c\nd", "a b c", "a /b c > 1.1 d");
}

DPL_TEST(article, may_be_indented_and_wrapped)
{
    CHECK_PARSED("auf\n {prp} [x]\n   when I asked a follow-up\nquestion; on\nrequest\n\n",
                 "auf", "auf > 1.1 when I asked a follow-up\nquestion|1.2 on\nrequest");
}

/* ---- headwords ---------------------------------------------------------------------- */

DPL_TEST(article, has_the_headwords_that_the_index_has)
{
    CHECK_PARSED("swap, swop /sw/\nchange\n", "swap|swop", "swap|swop > 1.1 change");
    CHECK_PARSED("Gut, dass du da bist\nwelcome\n", "gut dass du da bist",
                 "gut dass du da bist > 1.1 welcome");
    CHECK_PARSED("proditio /p/ (proditionis /q/ <gen>) <n>\nVerrat\n", "proditio|proditionis",
                 "proditio|proditionis > 1.1 Verrat");
    CHECK_PARSED("cam-and-roller\nNocke\n", "camandroller", "cam-and-roller > 1.1 Nocke");
    CHECK_PARSED("\xC3\x84pfel\napples\n", "\xC3\xA4pfel|\xC3\xA4pfel",
                 "\xC3\x84pfel > 1.1 apples");
}

DPL_TEST(article, may_lack_its_headword)
{
    CHECK_PARSED("whale, leviathan\n", "wal", "wal > 1.1 whale|1.2 leviathan");
    CHECK_PARSED("", "wal", "wal >");
    CHECK_PARSED("\n\n", "", " >");
}

DPL_TEST(article, counts_its_examples)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__article a = {0};
    dpl_str word = DPL_STR("wal");
    CHECK(dpl__article_parse(&a, ctx, DPL_STR("wal\nwhale\n  \"Wal!\" - Whale!\n \"Da!\"\n"),
                             &word, 1));
    CHECK_EQ(a.n_examples, 2);
    dpl__article_clear(&a, ctx);
    test_ctx_done(ctx);
}

/* Whatever the text, wordings are pieces of the article's text, in order, not empty. */
DPL_TEST(article, of_any_bytes_has_wordings_in_its_text)
{
    static const char letters[] = "ab1.2 \n\n/([{<>}]),;\"I:~-";
    uint64_t seed = 20260411;
    dpl_ctx *ctx = test_ctx(1);
    dpl__article a = {0};
    for (int round = 0; round < 5000; round++) {
        char text[80];
        size_t n = dpl__mix(seed + (uint64_t)round) % sizeof text;
        for (size_t i = 0; i < n; i++)
            text[i] =
                letters[dpl__mix(seed * 31 + (uint64_t)round * 100 + i) % (sizeof letters - 1)];
        dpl_str word = {text, n ? 1 : 0};
        CHECK(dpl__article_parse(&a, ctx, (dpl_str){text, n}, &word, 1));
        for (size_t i = 0; i < a.translations.n; i++) {
            const dpl__wording *t = &a.translations.data[i];
            if (t->begin >= t->end || t->end > a.text.n || !t->sense || !t->place)
                dpl__test_fail(__FILE__, __LINE__, "seed %llu round %d",
                               (unsigned long long)seed, round);
        }
    }
    dpl__article_clear(&a, ctx);
    test_ctx_done(ctx);
}
