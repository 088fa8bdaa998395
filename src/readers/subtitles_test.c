#include "readers/files_test.h"

#include "test.h"

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
