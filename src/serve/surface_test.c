#include "serve/index_answers.h"
#include "test.h"

DPL_TEST(surface, stems_become_words_of_the_text)
{
    static const char text[] =
        "Translucent paper, carpets and CARS. Happy H\xC3\xA4user \xE2\x80\x93 "
        "Gr\xC3\xB6\xC3\x9F"
        "e; \xD0\x92\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD\xD1\x8B, "
        "housekeeping, houses \xFF\xC3";
    static const struct {
        const char *stem, *word;
    } cases[] = {{"transluc", "Translucent"},
                 {"car", "CARS"},
                 {"happi", "Happy"},
                 {"haus", "H\xC3\xA4user"},
                 {"gross", "Gr\xC3\xB6\xC3\x9F"
                           "e"},
                 {"\xD0\xB2\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD",
                  "\xD0\x92\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD\xD1\x8B"},
                 {"hous", "houses"},
                 {"paper", "paper"},
                 {"nowhere", "nowhere"},
                 {"two words", "two words"},
                 {"", ""}};
    dpl_str stems[DPL_LEN(cases)], words[DPL_LEN(cases)];
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        stems[i] = dpl__cstr(cases[i].stem);
    dpl__surface_words(words, stems, DPL_LEN(cases), (dpl_str){text, sizeof text - 1});
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_STR(words[i], cases[i].word);
    dpl__surface_words(words, stems, DPL_LEN(cases), (dpl_str){0});
    CHECK_STR(words[0], "transluc");
}
