#include "unicode/langwords.h"

#include "base/hash.h"
#include "doppel/text.h"
#include "unicode/unicode.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char english[] =
    "The ferry leaves the harbour at seven in the morning, and it is back before the night. It "
    "was built by the people of the island, who had no other way to get to the market with "
    "what "
    "they had to sell. There are not many of them who still use it, but those that do would "
    "not "
    "be without it. ";
static const char german[] =
    "Die Fähre verlässt den Hafen um sieben Uhr am Morgen und ist vor der Nacht wieder da. Sie "
    "wurde von den Leuten der Insel gebaut, die keinen anderen Weg hatten, um mit dem, was sie "
    "zu verkaufen hatten, auf den Markt zu kommen. Es sind nicht mehr viele, die sie noch "
    "nehmen, aber die es tun, wollen nicht ohne sie sein. ";
static const char slovak[] =
    "Trajekt odchádza z prístavu o siedmej hodine ráno a vracia sa pred nocou. Postavili ho "
    "ľudia z ostrova, ktorí nemali inú možnosť, ako sa dostať na trh s tým, čo chceli predať. "
    "Každý má právo na to, aby ho použil, a nikto nesmie byť zbavený tejto slobody. Nie je ich "
    "veľa, ale tí, ktorí ho používajú, by bez neho nechceli byť. ";

/* Twice, so that there is enough for three pieces. */
static dpl_str twice(char *out, size_t size, const char *a, const char *b)
{
    const int n = snprintf(out, size, "%s%s%s%s", a, a, b, b);
    return (dpl_str){out, (size_t)n};
}

DPL_TEST(langwords, answers_where_all_of_the_text_is_in_one_language)
{
    char text[4096];
    CHECK_STR(dpl__cstr(dpl__lang_of_words(twice(text, sizeof text, english, ""))), "en");
    CHECK_STR(dpl__cstr(dpl__lang_of_words(twice(text, sizeof text, german, german))), "de");
}

DPL_TEST(langwords, has_no_answer_where_there_is_doubt)
{
    char text[4096];
    CHECK(!dpl__lang_of_words((dpl_str){0}));
    CHECK(!dpl__lang_of_words((dpl_str){english, 200}));
    CHECK(!dpl__lang_of_words(twice(text, sizeof text, english, german)));
    CHECK(!dpl__lang_of_words(twice(text, sizeof text, slovak, slovak))); /* not Czech */
    static char numbers[2000];
    for (size_t i = 0; i < sizeof numbers; i++)
        numbers[i] = i % 7 ? (char)('0' + i % 10) : ' ';
    CHECK(!dpl__lang_of_words((dpl_str){numbers, sizeof numbers}));
    memset(numbers, 'a', sizeof numbers); /* one word that never ends */
    CHECK(!dpl__lang_of_words((dpl_str){numbers, sizeof numbers}));
    for (size_t i = 0; i + 4 <= sizeof numbers; i += 4) /* one word over and over */
        memcpy(numbers + i, "the ", 4);
    CHECK(!dpl__lang_of_words((dpl_str){numbers, sizeof numbers}));
}

DPL_TEST(langwords, looks_at_any_valid_utf8_safely)
{
    const uint64_t seed = 4;
    dpl__rng rng = {seed};
    for (int round = 0; round < 500; round++) {
        size_t n = 480 + dpl__rng_below(&rng, 2000), at = 0;
        char *text = malloc(n); /* exactly, so that a sanitizer sees every byte too far */
        const uint32_t top = round % 2 ? 0x110000 : 0x460;
        while (at + 4 <= n) {
            const uint32_t c = (uint32_t)dpl__rng_below(&rng, top);
            if (c < 0xD800 || c >= 0xE000)
                at += dpl__utf8_encode(text + at, c);
        }
        char *fitting = realloc(text, at);
        (void)dpl__lang_of_words((dpl_str){fitting, at});
        free(fitting);
    }
}

static bool is_other(const char *text, const char *lang)
{
    return dpl__lang_is_other(dpl__cstr(text), dpl__cstr(lang));
}

DPL_TEST(langwords, a_sentence_in_another_language_is_told_by_its_function_words)
{
    static const char *const sentences[3][2] = {
        {"en", "You can use the arrow keys to move from one cell to the next."},
        {"de", "Mit den Pfeiltasten gelangen Sie von einer Zelle zu der anderen."},
        {"fr",
         "Vous pouvez vous servir des touches pour passer d'une cellule dans une autre."}};
    for (int text = 0; text < 3; text++)
        for (int lang = 0; lang < 3; lang++)
            CHECK_EQ(is_other(sentences[text][1], sentences[lang][0]), text != lang);
}

DPL_TEST(langwords, names_and_titles_do_not_make_a_sentence_foreign)
{
    CHECK(!is_other("Er las \"The Lord of the Rings\" und fand es nicht so gut.", "de"));
    CHECK(!is_other("BETWEEN x AND y", "de"));
    CHECK(!is_other("Berlin Hamburg London Paris Madrid Rom", "fr"));
    CHECK(!is_other("", "de"));
    CHECK(!is_other("You can use the arrow keys to move from one cell to the next.", "xx"));
    CHECK(!is_other("You can use the arrow keys to move from one cell to the next.", ""));
    char edge[241]; /* a letter of two bytes where the part that is looked at ends */
    memset(edge, ' ', sizeof edge);
    memcpy(edge + 239, "\xC3\xA4", 2);
    CHECK(!dpl__lang_is_other((dpl_str){edge, sizeof edge}, dpl__cstr("de")));
}
