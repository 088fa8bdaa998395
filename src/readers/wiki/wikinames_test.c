#include "readers/wiki/wikinames.h"

#include "test.h"

static dpl__wiki_prefix prefix(const char *name)
{
    size_t lang;
    return dpl__wiki_prefix_of(dpl__cstr(name), NULL, &lang);
}

DPL_TEST(wikinames, namespaces_are_known_in_many_languages_and_any_case)
{
    static const char *const files[] = {"File",    "image",  "DATEI",    "Fichier", "Файл",
                                        "ФАЙЛ",    "Αρχείο", "ファイル", "文件",    "Tập tin",
                                        "tập_tin", " File ", "_file",    "پرونده",  "चित्र"};
    static const char *const categories[] = {"Category", "Kategorie", "CATÉGORIE", "Категория",
                                             "カテゴリ", "Thể loại",  "رده"};
    static const char *const others[] = {"",  " ",    "Help", "Datei Diskussion", "Fil e",
                                         "|", "wikt", "a b",  "\xC4\xB0"};
    for (size_t i = 0; i < DPL_LEN(files); i++)
        CHECK_EQ(prefix(files[i]), DPL__WIKI_FILE);
    for (size_t i = 0; i < DPL_LEN(categories); i++)
        CHECK_EQ(prefix(categories[i]), DPL__WIKI_CATEGORY);
    for (size_t i = 0; i < DPL_LEN(others); i++)
        CHECK_EQ(prefix(others[i]), DPL__WIKI_PLAIN);
    CHECK_EQ(dpl__wiki_prefix_of((dpl_str){"\0file", 5}, NULL, &(size_t){0}), DPL__WIKI_PLAIN);
}

DPL_TEST(wikinames, every_language_is_found)
{
    for (size_t i = 0; i < DPL__WIKI_LANGUAGES; i++) {
        const char *code = dpl__wiki_language(i);
        size_t lang = DPL__WIKI_LANGUAGES;
        CHECK_EQ(dpl__wiki_prefix_of(dpl__cstr(code), NULL, &lang), DPL__WIKI_LANGUAGE);
        CHECK_EQ(lang, i);
    }
    CHECK_EQ(prefix("De"), DPL__WIKI_LANGUAGE);
    CHECK_EQ(prefix("xx"), DPL__WIKI_PLAIN);
}

DPL_TEST(wikinames, redirects_are_known_in_many_languages)
{
    static const char *const redirects[] = {"#REDIRECT [[a]]",      " \n#redirect:[[a]]",
                                            "#Redirect[[a]] {{R}}", "#WEITERLEITUNG [[a]]",
                                            "#REDIRECTION[[a]]",    "#перенаправление [[a]]",
                                            "#重定向 [[a]]",        "#تغییر_مسیر [[a]]"};
    static const char *const others[] = {"",
                                         "#",
                                         "#REDIRECT",
                                         "[[a]]",
                                         "#REDIRECT a",
                                         "#Punkt [[a]]",
                                         "# [[a]]",
                                         "a #REDIRECT [[b]]",
                                         "#REDIRECT ["};
    for (size_t i = 0; i < DPL_LEN(redirects); i++)
        CHECK(dpl__wiki_is_redirect(dpl__cstr(redirects[i])));
    for (size_t i = 0; i < DPL_LEN(others); i++)
        CHECK(!dpl__wiki_is_redirect(dpl__cstr(others[i])));
}

DPL_TEST(wikinames, titles_of_other_namespaces_are_told_from_articles)
{
    static const char *const others[] = {"Talk:A",      "User:B",          "user talk:B",
                                         "Wikipedia:C", "Template_talk:D", "Portal:E"};
    static const char *const articles[] = {"", "A", "2001: A Space Odyssey", "Small talk: B",
                                           ": C"};
    for (size_t i = 0; i < DPL_LEN(others); i++)
        CHECK(!dpl__wiki_is_article_title(dpl__cstr(others[i]), NULL));
    for (size_t i = 0; i < DPL_LEN(articles); i++)
        CHECK(dpl__wiki_is_article_title(dpl__cstr(articles[i]), NULL));
}
