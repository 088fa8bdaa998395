#include "base/hash.h"
#include "doppel/text.h"
#include "unicode/langid.h"
#include "unicode/unicode.h"

#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *code, *text;
} texts[] = {
    {"en", "The ferry leaves at seven in the morning and comes back before it gets dark."},
    {"de", "Die Fähre fährt um sieben Uhr morgens ab und kommt zurück, bevor es dunkel wird."},
    {"fr", "Le bac part à sept heures du matin et revient avant la tombée de la nuit."},
    {"es", "El barco sale a las siete de la mañana y vuelve antes de que se haga de noche."},
    {"it", "Il traghetto parte alle sette del mattino e torna prima che faccia buio."},
    {"pt", "A balsa sai às sete da manhã e volta antes que a noite caia sobre o rio."},
    {"nl",
     "De veerboot vertrekt om zeven uur 's ochtends en komt terug voor het donker wordt."},
    {"sv", "Färjan går klockan sju på morgonen och kommer tillbaka innan det blir mörkt."},
    {"nb", "Fergen går klokken sju om morgenen og kommer ikke tilbake før det blir mørkt ute."},
    {"fi", "Lautta lähtee aamulla kello seitsemän ja palaa ennen kuin tulee pimeä."},
    {"pl", "Prom odpływa o siódmej rano i wraca, zanim zrobi się ciemno."},
    {"cs", "Trajekt odjíždí v sedm hodin ráno a vrací se dříve, než se setmí."},
    {"hu", "A komp reggel hétkor indul, és sötétedés előtt mindig visszatér a kikötőbe."},
    {"ru", "Паром отходит в семь часов утра и возвращается до наступления темноты."},
    {"uk", "Пором відходить о сьомій годині ранку і повертається до настання темряви."},
    {"el", "Το πλοίο φεύγει στις επτά το πρωί και γυρίζει πριν νυχτώσει."},
    {"he", "המעבורת יוצאת בשבע בבוקר וחוזרת לפני רדת החשכה."},
    {"ar", "تغادر العبارة في الساعة السابعة صباحا وتعود قبل حلول الظلام."},
    {"zh", "渡轮早上七点开航，天黑以前回来，船上有茶和点心。"},
    {"ja", "フェリーは朝七時に出発し、暗くなる前に戻ってきます。"},
    {"ko", "배는 아침 일곱 시에 떠나서 어두워지기 전에 돌아옵니다."},
    {"th", "เรือข้ามฟากออกตอนเจ็ดโมงเช้าและกลับมาก่อนมืด"},
    /* only the full tables have these: the libraries are linked in the right order */
    {"eo", "La pramo foriras je la sepa matene kaj revenas antaŭ ol mallumiĝos."},
    {"la", "Navis hora septima mane proficiscitur et ante noctem in portum revertitur."},
};

DPL_TEST(language, one_sentence_is_enough_for_the_languages_of_our_examples)
{
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        dpl_lang lang = dpl_lang_identify(dpl__cstr(texts[i].text));
        CHECK_STR(dpl__cstr(lang.code), texts[i].code);
        CHECK(lang.confidence > 0.5f && lang.confidence <= 1);
    }
}

DPL_TEST(language, text_without_words_has_none)
{
    static const char *const none[] = {
        "",   " ",      "\n",    "12345",        "3.14 -- 2.72 ...",
        "!?", "€ 5,00", "→ ← ↑", "\xEF\xBF\xBD", "😀😀😀"};
    for (size_t i = 0; i < DPL_LEN(none); i++) {
        dpl_lang lang = dpl_lang_identify(dpl__cstr(none[i]));
        CHECK_STR(dpl__cstr(lang.code), "und");
        CHECK(lang.confidence == 0);
    }
    CHECK_STR(dpl__cstr(dpl_lang_identify((dpl_str){0}).code), "und");
}

/* `text` over and over, then `tail`; the caller frees. */
static dpl_str repeated(const char *text, size_t times, const char *tail)
{
    size_t n_text = strlen(text), n_tail = strlen(tail), n = (n_text + 1) * times + n_tail;
    char *all = malloc(n), *p = all;
    for (size_t i = 0; i < times; i++) {
        memcpy(p, text, n_text);
        p += n_text;
        *p++ = '\n';
    }
    memcpy(p, tail, n_tail);
    return (dpl_str){all, n};
}

DPL_TEST(language, long_texts_are_sampled_from_beginning_to_end)
{
    for (size_t i = 0; i < DPL_LEN(texts); i++)
        for (size_t times = 5; times < 3000; times *= 7) {
            dpl_str text = repeated(texts[i].text, times, "");
            dpl_lang lang = dpl_lang_identify(text);
            free((char *)text.data);
            CHECK_STR(dpl__cstr(lang.code), texts[i].code);
        }
    /* a foreign first paragraph does not decide */
    dpl_str german = repeated(texts[1].text, 40, "");
    char mixed[8192];
    int n = snprintf(mixed, sizeof mixed, "%s %s\n%.*s", texts[0].text, texts[0].text,
                     (int)german.n, german.data);
    free((char *)german.data);
    CHECK_STR(dpl__cstr(dpl_lang_identify((dpl_str){mixed, (size_t)n}).code), "de");
}

/* Help that is translated in part: all three pieces of the smallest sample are English. */
DPL_TEST(language, english_in_a_text_with_foreign_letters_is_not_believed_at_once)
{
    static const char english[] =
        "Choose the menu item and press the button to open the dialog of "
        "the settings, which shows all of them.\n";
    static const char spanish[] =
        "La configuración está en el menú de opciones, y allí también se "
        "eligió la página que mostrará después el número.\n";
    char text[4096];
    size_t n = 0;
    for (int i = 0; i < 11; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", i % 5 == 0 ? english : spanish);
    CHECK_STR(dpl__cstr(dpl_lang_identify((dpl_str){text, n}).code), "es");
    CHECK_STR(dpl__cstr(dpl_lang_identify((dpl_str){text, sizeof english - 1}).code), "en");
}

DPL_TEST(language, any_valid_utf8_of_any_length_is_looked_at_safely)
{
    const uint64_t seed = 20240611;
    dpl__rng rng = {seed};
    for (int round = 0; round < 400; round++) {
        size_t n = dpl__rng_below(&rng, round % 4 ? 300 : 20000), at = 0;
        char *text = malloc(n + 1); /* exactly, so that a sanitizer sees every byte too far */
        uint32_t top = round % 3 == 0 ? 0x110000 : round % 3 == 1 ? 0x3000 : 0x250;
        while (at + 4 <= n) {
            uint32_t c = (uint32_t)dpl__rng_below(&rng, top);
            if (c >= 0xD800 && c < 0xE000)
                continue;
            at += dpl__utf8_encode(text + at, c);
        }
        dpl_lang lang = dpl_lang_identify((dpl_str){text, at});
        free(text);
        if (strlen(lang.code) > 11 || !(lang.confidence >= 0 && lang.confidence <= 1))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu round %d", (unsigned long long)seed,
                           round);
    }
}

static void *identify_all(void *failures)
{
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < DPL_LEN(texts); i++) {
            dpl_lang told = dpl_lang_identify(dpl__cstr(texts[i].text));
            dpl_lang named = dpl_lang_canonical(dpl__cstr(i % 2 ? texts[i].code : "Esperanto"));
            if (strcmp(told.code, texts[i].code) ||
                strcmp(named.code, i % 2 ? texts[i].code : "eo"))
                ++*(int *)failures;
        }
    return NULL;
}

DPL_TEST(language, many_threads_may_ask_at_once)
{
    pthread_t threads[4];
    int failures[4] = {0};
    for (size_t i = 0; i < DPL_LEN(threads); i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, identify_all, &failures[i]), 0);
    for (size_t i = 0; i < DPL_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < DPL_LEN(threads); i++)
        CHECK_EQ(failures[i], 0);
}

DPL_TEST(language, every_answer_is_a_canonical_code)
{
    size_t n = 0;
    for (; dpl__lang_identifiable(n); n++) {
        const char *code = dpl__lang_identifiable(n);
        CHECK_STR(dpl__cstr(dpl_lang_canonical(dpl__cstr(code)).code), code);
    }
    CHECK(n > 150);
}

static const struct {
    const char *name, *code;
} names[] = {
    {"de", "de"},          {"DE", "de"},
    {" de\n", "de"},       {"deu", "de"},
    {"ger", "de"},         {"GER", "de"},
    {"de-AT", "de"},       {"de_DE.UTF-8", "de"},
    {"de@euro", "de"},     {"de,en;q=0.5", "de"},
    {"deu_1996", "de"},    {"de-Latn-DE-1996", "de"},
    {"German", "de"},      {"GERMAN", "de"},
    {"Deutsch", "de"},     {"français", "fr"},
    {"FRANÇAIS", "fr"},    {"русский", "ru"},
    {"日本語", "ja"},      {"Norwegian", "nb"},
    {"no", "nb"},          {"nb", "nb"},
    {"nob", "nb"},         {"nn", "nn"},
    {"Zulu", "zu"},        {"Haitian Creole", "ht"},
    {"iw", "he"},          {"in", "id"},
    {"jw", "jv"},          {"fil", "tl"},
    {"tl", "tl"},          {"sh", "sr"},
    {"bs", "bs"},          {"hr", "hr"},
    {"sr-Latn", "sr"},     {"zh-Hant", "zh"},
    {"cmn_hans", "zh"},    {"zh-yue", "yue"},
    {"zh-min-nan", "nan"}, {"i-klingon", "tlh"},
    {"pes_1", "fa"},       {"ceb", "ceb"},
    {"arb", "ar"},         {"acu", "acu"},
    {"acu_1", "acu"},      {"und", "und"},
    {"mul", "und"},        {"zxx", "und"},
    {"", "und"},           {" ", "und"},
    {"C", "und"},          {"POSIX", "und"},
    {"xx", "und"},         {"d", "und"},
    {"d1", "und"},         {"007", "und"},
    {"deutch", "und"},     {"x-own", "und"},
    {"-de", "und"},        {"\xFF\xFE", "und"},
    {"Ger\xC3", "und"},    {"no such language at all", "und"},
};

DPL_TEST(language, names_from_outside_become_codes)
{
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        dpl_lang lang = dpl_lang_canonical(dpl__cstr(names[i].name));
        if (strcmp(lang.code, names[i].code))
            dpl__test_fail(__FILE__, __LINE__, "'%s' is '%s', expected '%s'", names[i].name,
                           lang.code, names[i].code);
        CHECK((lang.confidence == 0) == (strcmp(lang.code, "und") == 0));
    }
    CHECK_STR(dpl__cstr(dpl_lang_canonical((dpl_str){0}).code), "und");
}

DPL_TEST(language, any_bytes_may_be_given_as_a_name)
{
    const uint64_t seed = 7;
    dpl__rng rng = {seed};
    static const char alphabet[] = "deuDEzhNO-_.@,; 019\xC3\xA4\xE6\x97\xA5\xFF";
    for (int round = 0; round < 20000; round++) {
        char name[300];
        size_t n = dpl__rng_below(&rng, round % 10 ? 12 : sizeof name);
        for (size_t i = 0; i < n; i++)
            name[i] = alphabet[dpl__rng_below(&rng, sizeof alphabet)];
        dpl_lang lang = dpl_lang_canonical((dpl_str){name, n});
        dpl_lang again = dpl_lang_canonical(dpl__cstr(lang.code));
        if (strcmp(lang.code, again.code))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu round %d: %s, then %s",
                           (unsigned long long)seed, round, lang.code, again.code);
    }
}
