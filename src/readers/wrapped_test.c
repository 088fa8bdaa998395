#include "readers/wrapped.h"

#include "readers/wiki/dump_test.h"

#include "test.h"

static const char *const wrapped =
    "The keeper opens the lower gates when the water in the chamber\n"
    "stands as high as the river below.  A boat comes in, and the gates\n"
    "are closed behind it; then the upper sluices let the water in.\n"
    "\n"
    "What to bring:\n"
    "- a rope of twenty metres, which must not be older than two years\n"
    "  and has to be dry\n"
    "- a boat hook\n"
    "\n"
    "A gate lasts for eighty years, if it is painted every year with oil-\n"
    "based paint.\n";

static const char *const joined =
    "The keeper opens the lower gates when the water in the chamber stands as high as the "
    "river below. A boat comes in, and the gates are closed behind it; then the upper sluices "
    "let the water in.\n"
    "\n"
    "What to bring:\n"
    "- a rope of twenty metres, which must not be older than two years and has to be dry\n"
    "- a boat hook\n"
    "\n"
    "A gate lasts for eighty years, if it is painted every year with oil-based paint.";

DPL_TEST(wrapped, lines_of_a_paragraph_are_joined)
{
    char text[1024];
    strcpy(text, wrapped);
    CHECK(dpl__is_wrapped(dpl__cstr(text)));
    text[dpl__unwrap(text, strlen(text))] = 0;
    CHECK_STR(dpl__cstr(text), joined);
}

DPL_TEST(wrapped, paragraphs_and_sentences_on_lines_of_their_own_are_not)
{
    static const char *const texts[] = {
        "Short.\nA line that is a good deal longer than the first.\nAnother.\nThe last of "
        "them all, which is again long.\nEnd.\n",
        "one\ntwo\nthree\nfour\nfive\nsix\n",
        "",
        "\n\n\n",
        "A single line.",
    };
    for (size_t i = 0; i < DPL_LEN(texts); i++)
        CHECK(!dpl__is_wrapped(dpl__cstr(texts[i])));
}

DPL_TEST(wrapped, a_short_text_in_a_narrow_column_is_joined)
{
    char text[] = "The keeper opens the lower gates\n"
                  "when the water stands as high as\n"
                  "the river below. A boat comes in,\n"
                  "and the gates are closed.\n"
                  "\n"
                  "Then the upper sluices let the\n"
                  "water in, and the boat rises with\n"
                  "it to the upper canal.\n";
    CHECK(dpl__is_wrapped(dpl__cstr(text)));
    text[dpl__unwrap(text, strlen(text))] = 0;
    CHECK_STR(dpl__cstr(text),
              "The keeper opens the lower gates when the water stands as high as the river "
              "below. A boat comes in, and the gates are closed.\n\n"
              "Then the upper sluices let the water in, and the boat rises with it to the "
              "upper canal.");
}

/* German nouns begin with a capital letter: two lines in five here. */
DPL_TEST(wrapped, a_narrow_column_of_german_is_joined)
{
    char text[] = "Der Wärter öffnet die unteren\n"
                  "Tore, sobald das Wasser so hoch\n"
                  "steht wie der Fluss. Ein Boot\n"
                  "kommt herein, und hinter dem\n"
                  "Boot schließen sich die beiden\n"
                  "Tore wieder.\n"
                  "\n"
                  "Dann lassen die Klappen in den\n"
                  "Toren das Wasser ein, und mit\n"
                  "ihm steigt das Boot.\n";
    CHECK(dpl__is_wrapped(dpl__cstr(text)));
    text[dpl__unwrap(text, strlen(text))] = 0;
    CHECK_STR(
        dpl__cstr(text),
        "Der Wärter öffnet die unteren Tore, sobald das Wasser so hoch steht wie der "
        "Fluss. Ein Boot kommt herein, und hinter dem Boot schließen sich die beiden Tore "
        "wieder.\n\n"
        "Dann lassen die Klappen in den Toren das Wasser ein, und mit ihm steigt das Boot.");
}

DPL_TEST(wrapped, narrow_poems_and_lists_are_not)
{
    static const char *const texts[] = {
        /* lines that begin with a capital letter, most of them full */
        "The water rises, stone by stone,\nThe keeper walks the wall alone,\n"
        "And where the heron used to stand\nThe river takes the lower land.\n",
        /* lines of a sentence that are as long as they like */
        "the boat\nthat nobody had tied to the post\nwent\nwith the water in the night\n"
        "and was not seen\nagain\n",
        "a rope of twenty metres\na boat hook\noil-based paint for the gates\ntwo lamps\n"
        "a tin of grease for the sluices\n",
        /* a sentence a line */
        "The gates are of oak wood.\nThey are painted in May.\nThe keeper has two sons.\n"
        "Both of them are sailors.\n",
        /* an item a line, of about the same length */
        "gate, 4 metres, of oak wood\npost, 2 metres, of oak wood\nbeam, 6 metres, of elm\n"
        "rope, 20 metres, of hemp\n",
    };
    for (size_t i = 0; i < DPL_LEN(texts); i++)
        CHECK(!dpl__is_wrapped(dpl__cstr(texts[i])));
}

DPL_TEST(wrapped, chinese_lines_are_joined_without_a_blank)
{
    char text[] = "\xE6\xB0\xB4\xE9\x97\xB8\n\xE5\xBC\x80\xE4\xBA\x86\n";
    size_t n = dpl__unwrap(text, strlen(text));
    CHECK_STR(((dpl_str){text, n}), "\xE6\xB0\xB4\xE9\x97\xB8\xE5\xBC\x80\xE4\xBA\x86");
}

DPL_TEST(wrapped, a_soft_hyphen_at_the_end_of_a_line_goes)
{
    char text[] = "sig\xC2\xAD\nnature\n";
    size_t n = dpl__unwrap(text, strlen(text));
    CHECK_STR(((dpl_str){text, n}), "signature");
}

DPL_TEST(wrapped, the_option_decides_over_what_is_detected)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .wrapped = DPL_WRAPPED_NO);
    dump d = dump_bytes("a.txt", wrapped, strlen(wrapped), &o);
    CHECK(strstr(d.text, "chamber\nstands"));
    o.wrapped = DPL_WRAPPED_YES;
    d = DUMP_TEXT("a.txt", "a  b\nc d\n\ne\n", &o);
    CHECK(strstr(d.text, "||a b c d\n\ne|\n"));
}
