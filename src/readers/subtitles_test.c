#include "readers/files_test.h"

#include "test.h"

#include <stdio.h>

#define CHECK_SRT(text, expected) CHECK_IN_FOLDER("x.srt", DPL_STR(text), NULL, expected)
#define CHECK_VTT(text, expected)                                                              \
    CHECK_IN_FOLDER("x.vtt", DPL_STR("WEBVTT\n\n" text), NULL, expected)
#define T "00:00:01,000 --> 00:00:02,000\n"

DPL_TEST(subtitles, lines_of_a_cue_are_a_paragraph_and_markup_goes)
{
    CHECK_SRT("1\n" T "<i>The keeper</i>\n{\\an8}opens <font color=\"red\">it</font>.\n\n2\n" T
              "I <3 it.\n",
              "x.srt||The keeper opens it.\nI <3 it.|\n");
    CHECK_SRT("\xEF\xBB\xBF"
              "1\r\n" T "A.\r\n\r\n2\r\n" T "B.\r\n",
              "x.srt||A.\nB.|\n");
}

DPL_TEST(subtitles, sentences_go_on_in_the_next_cue)
{
    CHECK_SRT("1\n" T "The keeper opens\n\n2\n" T "the gates,\n\n3\n" T "Ann says.\n",
              "x.srt||The keeper opens the gates,\nAnn says.|\n");
    CHECK_SRT("1\n" T "The keeper...\n\n2\n" T "...opens it.\n",
              "x.srt||The keeper opens it.|\n");
    CHECK_SRT("1\n" T "It is open.\n\n2\n" T "e-mails come.\n",
              "x.srt||It is open.\ne-mails come.|\n");
}

DPL_TEST(subtitles, dashes_and_voices_are_other_speakers)
{
    CHECK_SRT("1\n" T "- Who is there?\n– Ann.\n", "x.srt||Who is there?\nAnn.|\n");
    CHECK_VTT("00:01.000 --> 00:02.000 line:0\n<v Ben>Who?</v>\n<v.loud Ann>Me &amp; you.\n",
              "x.vtt||Who?\nMe & you.|\n");
}

DPL_TEST(subtitles, vtt_has_comments_styles_names_and_captions_that_roll)
{
    CHECK_VTT("NOTE one\ntwo\n\nSTYLE\n::cue { color: red }\n\nname\n00:01.000 --> 00:02.000\n"
              "one two\n\n00:02.000 --> 00:03.000\none two\nthree <00:02.500><c>four</c>\n",
              "x.vtt||one two three four|\n");
    CHECK_IN_FOLDER("x.txt.vtt",
                    DPL_STR("WEBVTT\nLanguage: de\n\n00:01.000 --> 00:02.000\nA.\n"), NULL,
                    "x.txt.vtt||A.|\n");
}

DPL_TEST(subtitles, what_is_none_is_refused_with_its_line)
{
    CHECK_SRT("Just text.\n", "! 'DIR/one/x.srt' line 1: neither the number nor the time of a "
                              "subtitle\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_DROPPED(dump_in_folder("x.srt", DPL_STR("Just text.\n"), &o), MALFORMED, 1);
    CHECK_DROPPED(dump_in_folder("x.srt", DPL_STR("1\n" T), &o), EMPTY, 1);
    CHECK_SRT("1\n" T "a\n\nb\n", "x.srt||a b|\n"); /* a blank line inside of a cue */
}

DPL_TEST(subtitles, are_detected_by_their_first_lines)
{
    dump d = dump_bytes("a", "1\n" T "One.\n", sizeof("1\n" T "One.\n") - 1, NULL);
    CHECK_EQ(d.counts.n_docs, 1);
    CHECK_EQ(DUMP_TEXT("b", "WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n", NULL).counts.n_docs,
             1);
}

/* ---- a line of text -----------------------------------------------------------------------
 */

DPL_TEST(subtitles, only_what_can_be_markup_goes)
{
    CHECK_SRT("1\n" T
              "<I>a</I> <B>b</B> <u>c</u> <s>d</s> <F1>e</F> <c>f</c> <r>g</r> <L>h</L>\n",
              "x.srt||a b c d e f g h|\n");
    CHECK_SRT("1\n" T "1 <a> 2 <x> 3 <ii 4\n", "x.srt||1 <a> 2 <x> 3 <ii 4|\n");
    CHECK_SRT("1\n" T "a <i\n", "x.srt||a <i|\n");
    CHECK_SRT("1\n" T "{\\i1}a{\\i0} {b} {\\c\n", "x.srt||a {b} {\\c|\n");
    CHECK_SRT("1\n" T "a <00:01.000>b\n", "x.srt||a <00:01.000>b|\n");
    CHECK_VTT("00:01.000 --> 00:02.000\na <00:01.000>b<9>c<:>\n", "x.vtt||a bc<:>|\n");
    CHECK_SRT("1\n" T "a\t  b \x01 c\n", "x.srt||a b c|\n"); /* one blank for many */
    CHECK_SRT("1\n" T "a <i> </i> b\n", "x.srt||a b|\n");
}

DPL_TEST(subtitles, entities_are_of_vtt_alone)
{
    CHECK_SRT("1\n" T "a &amp; b &lt;\n", "x.srt||a &amp; b &lt;|\n");
    CHECK_VTT("00:01.000 --> 00:02.000\na &amp; b&nbsp;c &lt;i&gt; &#32; &#65;&x; &\n",
              "x.vtt||a & b\xC2\xA0"
              "c <i> A&x; &|\n");
}

/* Two cues, and what becomes of their texts. */
static void check_cues(const char *a, const char *b, const char *expected)
{
    char file[300], all[300];
    const int n = snprintf(file, sizeof file, "1\n" T "%s\n\n2\n" T "%s\n", a, b);
    snprintf(all, sizeof all, "x.srt||%s|\n", expected);
    CHECK_IN_FOLDER("x.srt", ((dpl_str){file, (size_t)n}), NULL, all);
}

DPL_TEST(subtitles, a_sentence_goes_on_unless_it_ends_or_the_next_begins)
{
    static const char *const ends[] = {".", "!",  "?",  ":",  ")", "]", "\"",
                                       "…", "。", "！", "？", "♪", "”", "»"};
    char a[20], expected[40];
    for (size_t i = 0; i < DPL_LEN(ends); i++) {
        snprintf(a, sizeof a, "One%s", ends[i]);
        snprintf(expected, sizeof expected, "One%s\ntwo", ends[i]);
        check_cues(a, "two", expected);
    }
    static const char *const others[] = {",", ";", "-", "(", "…x"};
    for (size_t i = 0; i < DPL_LEN(others); i++) {
        snprintf(a, sizeof a, "One%s", others[i]);
        snprintf(expected, sizeof expected, "One%s two", others[i]);
        check_cues(a, "two", expected);
    }
    check_cues("One", "Two", "One\nTwo");
    check_cues("One", "2", "One\n2");
    check_cues("One", "été", "One été");
    check_cues("One", "Été", "One\nÉté");
    check_cues("One", "<i> two</i>", "One two"); /* behind markup and blanks */
    check_cues("One", "<i><b>Two</b></i>", "One\nTwo");
    check_cues("One", "<i></i>", "One");
    check_cues("One <b>", "{\\}", "One"); /* markup of three characters */
    check_cues("One", "<i> Two</i>", "One\nTwo");
    check_cues("One", "{\\an8}two", "One two");
}

DPL_TEST(subtitles, dots_on_both_sides_of_a_break_go)
{
    check_cues("One...", "...two", "One two");
    check_cues("One…", "…two", "One two");
    check_cues("One…", "... Two", "One Two");
    check_cues("One.", "...two", "One. two");
    check_cues("One", "…two", "One two");
    check_cues("One...", "two", "One...\ntwo");
    check_cues("One....", "...two", "One. two");
    check_cues("...", "...two", "two");
    CHECK_SRT("1\n" T "...two\n", "x.srt||...two|\n"); /* nothing is before it */
}

DPL_TEST(subtitles, a_dash_begins_a_line_of_its_own)
{
    check_cues("One", "- two", "One\ntwo");
    check_cues("One", "‐two", "One\ntwo");
    check_cues("One", "—  two", "One\ntwo");
    CHECK_SRT("1\n" T "One\n-two\nthree\n", "x.srt||One\ntwo three|\n");
    CHECK_SRT("1\n" T "One\n--> two\n", "x.srt||One --> two|\n"); /* an arrow, and no time */
    CHECK_SRT("1\n" T "One\n<v two\n", "x.srt||One\n<v two|\n");
}

/* ---- the file -----------------------------------------------------------------------------
 */

DPL_TEST(subtitles, times_begin_with_a_digit_and_have_an_arrow)
{
    CHECK_SRT("1\n0:01 --> 0:02\none\n", "x.srt||one|\n");
    CHECK_SRT("1\n1 --> 2 x\none\n", "x.srt||one|\n"); /* nine characters at the least */
    CHECK_SRT("1\n1 -->  2\none\n", "! 'DIR/one/x.srt' line 2: neither the number nor the time "
                                    "of a subtitle\n");
    CHECK_SRT("1\n" T "one\n0:01 - -> 0:02\n", "x.srt||one 0:01 - -> 0:02|\n");
    CHECK_SRT("1\n" T "one\n\n2\n" T "\n3\n" T "two\n", "x.srt||one two|\n");
    CHECK_SRT("1x\n" T "one\n",
              "! 'DIR/one/x.srt' line 1: neither the number nor the time of a "
              "subtitle\n");
    CHECK_SRT("\n\n12\n\n" T "one\n\n3\n", "x.srt||one|\n");
}

DPL_TEST(subtitles, rolling_captions_repeat_a_line_in_vtt_alone)
{
    check_cues("one two", "one two", "one two one two");
    CHECK_VTT("00:01.000 --> 00:02.000\none\ntwo\n\n00:02.000 --> 00:03.000\ntwo\nthree\n\n"
              "00:03.000 --> 00:04.000\none\n",
              "x.vtt||one two three one|\n");
}

DPL_TEST(subtitles, comments_end_with_a_blank_line)
{
    CHECK_VTT("REGION\nid:x\n\nNOTE\n\nSTYLE x\n00:01.000 --> 00:02.000\nno\n\n"
              "00:01.000 --> 00:02.000\nNOTE yes\n",
              "x.vtt||NOTE yes|\n");
    CHECK_SRT("1\n" T "one\n\nNOTE two\n", "x.srt||one NOTE two|\n");
}

/* The first line decides, and the header has fields until a blank line. */
DPL_TEST(subtitles, the_header_of_vtt_may_name_the_language)
{
    static const char de[] = "WEBVTT - x\nKind: captions\nLanguage:  fr \n\n"
                             "00:01.000 --> 00:02.000\nThe keeper opens the gates.\n";
    const dpl_reader_options only = DPL_INIT(dpl_reader_options, .only_lang = "fr");
    CHECK_IN_FOLDER("x.vtt", DPL_STR(de), &only, "x.vtt||The keeper opens the gates.|\n");
    static const char none[] = "WEBVTT\n\nLanguage: fr\n\n00:01.000 --> 00:02.000\n"
                               "The keeper opens the gates.\n";
    CHECK_IN_FOLDER("x.vtt", DPL_STR(none), &only, "");
}

DPL_TEST(subtitles, other_files_do_not_look_like_them)
{
    static const struct {
        const char *bytes;
        bool is_one;
    } cases[] = {{"1\n" T "one\n", true},
                 {" 12 \r\n 00:01.000 --> 00:02.000 \r\none\n", true},
                 {"1\n00:01.000 -> 00:02.000\none\n", false},
                 {"x\n" T "one\n", false},
                 {"\n" T "one\n", false},
                 {"1\n00:01.000 --> 00:02.000", false},
                 {"WEBVT\n" T "one\n", false}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dump d = dump_bytes("a", cases[i].bytes, strlen(cases[i].bytes), NULL);
        CHECK_EQ(strstr(d.text, "-->") == NULL && strstr(d.text, "->") == NULL &&
                     d.counts.n_docs == 1,
                 cases[i].is_one);
    }
}
