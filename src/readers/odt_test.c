#include "readers/files_test.h"

#include "test.h"

#define DOCUMENT(head, body)                                                                   \
    "<office:document>" head "<office:body><office:text>" body                                 \
    "</office:text></office:body></office:document>"

/* What is read of the body of a flat file. */
#define CHECK_BODY(body, expected)                                                             \
    CHECK_IN_FOLDER("x.fodt", DPL_STR(DOCUMENT("", body)), NULL, "x.fodt||" expected "|\n")

DPL_TEST(odt, paragraphs_and_headings_are_lines)
{
    CHECK_BODY("<text:h>One</text:h>no<text:p>two  <text:span>three</text:span>\nfour</text:p>"
               "<text:p/><text:p>five</text:p>no",
               "One\ntwo three four\nfive");
    CHECK_BODY("<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>"
               "<text:p>b</text:p>",
               "a\nb");
    CHECK_BODY("<text:p>a<text:s/>b<text:tab/>c<text:s/><text:s/>d<text:line-break/>e</text:p>",
               "a b c d\ne");
    CHECK_BODY("<text:p>a<x:box><text:p>b</text:p></x:box>c</text:p>", "a\nb\nc");
}

DPL_TEST(odt, what_is_not_read_is_left_out_with_all_that_is_in_it)
{
    CHECK_BODY("<text:p>a<office:annotation><text:p>no</text:p></office:annotation>b</text:p>",
               "ab");
    CHECK_BODY("<text:tracked-changes><x><text:p>no</text:p></x><text:p>no</text:p>"
               "</text:tracked-changes><text:p>a</text:p>",
               "a");
    CHECK_BODY("<text:p>a<text:ruby><text:ruby-base>b</text:ruby-base><text:ruby-text>no"
               "</text:ruby-text></text:ruby><text:hidden-text>no</text:hidden-text></text:p>",
               "ab");
    CHECK_BODY("<text:p>a<draw:frame><svg:title>no</svg:title><svg:desc>no</svg:desc>"
               "<text:p>b</text:p></draw:frame></text:p>",
               "a\nb");
    CHECK_BODY("<office:forms><text:p>no</text:p></office:forms><office:scripts><text:p>no"
               "</text:p></office:scripts><text:p>a</text:p>",
               "a");
    /* only the outermost one ends it */
    CHECK_BODY("<text:p>a<svg:desc><svg:desc>no</svg:desc>no</svg:desc>b</text:p>", "ab");
}

#define NOTE(citation, text)                                                                   \
    "<text:note><text:note-citation>" citation "</text:note-citation><text:note-body>" text    \
    "</text:note-body></text:note>"

DPL_TEST(odt, notes_stand_behind_the_paragraph_they_belong_to)
{
    CHECK_BODY("<text:p>a" NOTE("1", "<text:p>x</text:p>") "b</text:p><text:p>c</text:p>",
               "ab\nx\nc");
    CHECK_BODY("<text:p>a" NOTE("1", "<text:p>x</text:p><text:p>y</text:p>") "b" NOTE(
                   "2", "<text:p>z</text:p>") "</text:p><text:p>c</text:p>",
               "ab\nx\ny\nz\nc");
    CHECK_BODY("<text:p>a<x:box><text:p>b" NOTE("1", "<text:p>x</text:p>") "</text:p></x:box>c"
                                                                           "</text:p>",
               "a\nb\nc\nx"); /* behind the outer one */
    CHECK_BODY("<text:p>" NOTE(
                   "1", "<text:p>x" NOTE("2", "<text:p>y</text:p>") "</text:p>") "a</text:p>",
               "a\nx\ny");
}

#define META(fields) "<office:meta>" fields "</office:meta>"

DPL_TEST(odt, title_and_language_are_the_first_of_the_metadata)
{
    CHECK_IN_FOLDER("x.fodt",
                    DPL_STR(DOCUMENT(META("<dc:title> T  <b>1</b> </dc:title><dc:title>no"
                                          "</dc:title><dc:creator>no</dc:creator>"),
                                     "<text:p>a</text:p>")),
                    NULL, "x.fodt|T|a|\n");
    static const char doc[] =
        DOCUMENT(META("<dc:language>fr-FR</dc:language>"), "<text:p>1 2</text:p>");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .only_lang = "fr");
    CHECK_IN_FOLDER("x.fodt", DPL_STR(doc), &o, "x.fodt||1 2|\n");
    /* outside of the metadata these are text of the styles, or no text at all */
    CHECK_BODY("<dc:title>no</dc:title><text:p>a<dc:title>b</dc:title></text:p>", "ab");
}

#define STYLE(family, language)                                                                \
    "<style:default-style style:family='" family                                               \
    "'><style:text-properties fo:language='" language "'/></style:default-style>"

/* lang "": of none. */
static void check_language(dpl_str doc, const char *lang)
{
    static const char *const langs[] = {"fr", "de", "en", "it"};
    for (size_t i = 0; i < DPL_LEN(langs); i++) {
        dpl_reader_options o = DPL_INIT(dpl_reader_options, .only_lang = langs[i]);
        const dump d = dump_in_folder("x.fodt", doc, &o);
        if (d.counts.n_docs != (strcmp(langs[i], lang) == 0))
            dpl__test_fail(__FILE__, __LINE__, "'%.*s' is in %s or not, expected '%s'",
                           (int)doc.n, doc.data, langs[i], lang);
    }
}

#define ENGLISH "<text:p>The keeper opens the gates of the lock in the morning.</text:p>"

DPL_TEST(odt, the_language_of_the_styles_counts_where_the_text_does_not_tell)
{
    check_language(DPL_STR(DOCUMENT(STYLE("paragraph", "fr"), "<text:p>1 2</text:p>")), "fr");
    check_language(DPL_STR(DOCUMENT(STYLE("paragraph", "fr"), ENGLISH)), "en");
    check_language(DPL_STR(DOCUMENT(STYLE("table", "fr"), "<text:p>1 2</text:p>")), "");
    check_language(DPL_STR(DOCUMENT(STYLE("paragraph", "none"), "<text:p>1 2</text:p>")), "");
    check_language(DPL_STR(DOCUMENT("<style:text-properties fo:language='fr'/>" STYLE(
                                        "paragraph", "de") "<style:text-properties "
                                                           "fo:language='fr'/>",
                                    "<text:p>1 2</text:p>")),
                   "de"); /* of the default style only */
    check_language(DPL_STR(DOCUMENT(
                       "<style:default-style style:family='paragraph'><x/>"
                       "<style:text-properties x='it' fo:language='de'/></style:default-style>"
                       "<style:style><style:text-properties fo:language='fr'/></style:style>",
                       "<text:p>1 2</text:p>")),
                   "de");
    check_language(DPL_STR(DOCUMENT(STYLE("paragraph", "a-language-that-is-too-long"),
                                    "<text:p>1 2</text:p>")),
                   "");
    check_language(
        DPL_STR(DOCUMENT(META("<dc:language>it</dc:language>") STYLE("paragraph", "fr"),
                         "<text:p>1 2</text:p>")),
        "it");
    /* in the body they are formats of what is there */
    check_language(DPL_STR(DOCUMENT("", STYLE("paragraph", "fr") "<text:p>1 2</text:p>")), "");
}

DPL_TEST(odt, a_malformed_file_is_refused_or_skipped_whole)
{
    CHECK_IN_FOLDER("x.fodt", DPL_STR("<office:document>\n<text:p>a</text:q>"), NULL,
                    "! 'DIR/one/x.fodt' line 2: malformed XML: mismatched tag at column 12\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    const dump d = dump_in_folder("x.fodt", DPL_STR("<office:document>"), &o);
    CHECK_DROPPED(d, MALFORMED, 1);
    CHECK_EQ(d.counts.n_docs, 0);
    /* the declaration is not believed: the text is UTF-8 by now */
    CHECK_IN_FOLDER("x.fodt",
                    DPL_STR("<?xml version='1.0' encoding='ISO-8859-1'?>" DOCUMENT(
                        "", "<text:p>\xC3\xA4</text:p>")),
                    NULL, "x.fodt||\xC3\xA4|\n");
}
