#include "readers/bitext/bitext_rows_test.h"
#include "readers/files_test.h"

#include "test.h"

static const dpl_str XLIFF = {
    "<xliff version='1.2'><file source-language='en' target-language='de-DE' original='a'>"
    "<trans-unit><source>One <x id='1' ctype='lb'/>two</source><target>Eins <ph>&lt;b></ph>zwei"
    "</target></trans-unit>\n<trans-unit><source>Three</source></trans-unit></file>"
    "<file source-language='en' target-language='fr' original='b'><trans-unit><source>Four"
    "</source><target>Quatre</target></trans-unit></file></xliff>",
    0};

static dpl_str xliff(void)
{
    return dpl__cstr(XLIFF.data);
}

/* ---- documents -------------------------------------------------------------------------- */

DPL_TEST(xliff, each_file_is_a_document_of_its_translations)
{
    CHECK_IN_FOLDER("x.xlf", xliff(), NULL, "x.xlf||Eins zwei|\nx.xlf#b||Quatre|\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .side = DPL_SIDE_SOURCE);
    CHECK_IN_FOLDER("x.xlf", xliff(), &o, "x.xlf||One two\nThree|\nx.xlf#b||Four|\n");
}

DPL_TEST(xliff, the_side_is_that_of_the_language_asked_for)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang = "en");
    CHECK_IN_FOLDER("x.xlf", xliff(), &o, "x.xlf||One two\nThree|\nx.xlf#b||Four|\n");
    o.lang = "de";
    dump d = dump_in_folder("x.xlf", xliff(), &o);
    CHECK_STR(dpl__cstr(d.text),
              "x.xlf||Eins zwei|\n! 'DIR/one/x.xlf': it translates from 'en' into 'fr'\n");
    CHECK_STR(dpl__cstr(d.err.code), "bilingual-side");
    o = (dpl_reader_options)DPL_INIT(dpl_reader_options, .only_lang = "de");
    d = dump_in_folder("x.xlf", xliff(), &o);
    CHECK_STR(dpl__cstr(d.text), "x.xlf||Eins zwei|\n");
    CHECK_DROPPED(d, LANGUAGE, 1);
}

DPL_TEST(xliff, version_2_joins_the_segments_of_a_unit)
{
    CHECK_IN_FOLDER(
        "x.xlf",
        DPL_STR("<xliff version='2.0' srcLang='en' trgLang='de'><file><unit>"
                "<mtc:matches xmlns:mtc='m'><mtc:match><source>no</source><target>"
                "nein</target></mtc:match></mtc:matches><segment><source>One.</source>"
                "<target>Eins.</target></segment><ignorable><source>  </source>"
                "</ignorable><segment><source>Two<cp hex='0009'/>.</source><target>"
                "Zwei<cp hex='0009'/>.</target></segment></unit><unit><segment>"
                "<source>x</source><target>Drei</target></segment></unit></file>"
                "</xliff>"),
        NULL, "x.xlf||Eins. Zwei .\nDrei|\n");
}

DPL_TEST(xliff, faults_name_their_place_and_entities_are_refused)
{
    CHECK_IN_FOLDER("x.xlf", DPL_STR("<xliff>\n<file>"), NULL,
                    "! 'DIR/one/x.xlf' line 2: malformed XML: no element found at column 7\n");
    CHECK_IN_FOLDER("x.xlf", DPL_STR("<tmx/>"), NULL,
                    "! 'DIR/one/x.xlf': it is no XLIFF file: its first element is not "
                    "<xliff>\n");
    CHECK_IN_FOLDER(
        "x.xlf",
        DPL_STR("<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]>"
                "<xliff>&b;</xliff>"),
        NULL,
        "! 'DIR/one/x.xlf' line 1: it declares XML entities, which are not accepted "
        "at column 25\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_DROPPED(dump_in_folder("x.xlf", DPL_STR("<xliff>"), &o), MALFORMED, 1);
    CHECK_IN_FOLDER(
        "x.xlf",
        DPL_STR("<?xml version='1.0' encoding='iso-8859-1'?><xliff><file><trans-unit>"
                "<source>\xE9t\xE9</source></trans-unit></file></xliff>"),
        NULL, "x.xlf||été|\n");
}

DPL_TEST(catalogue_file, both_sides_have_the_same_paragraphs)
{
    static const char po[] = "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n"
                             "msgid \"_Open\\nfile\"\nmsgstr \"Datei\\n\"\n\" ö_ffnen\"\n\n"
                             "msgid \"%d boat\"\nmsgid_plural \"%d boats\"\n"
                             "msgstr[0] \"%d Boot\"\nmsgstr[1] \"%d Boote\"\n\n"
                             "#, fuzzy\nmsgid \"rise\"\nmsgstr \"fallen\"\n\n"
                             "#~ msgid \"old\"\n#~ msgstr \"alt\"\n";
    CHECK_IN_FOLDER("x.po", DPL_STR(po), NULL, "x.po||Datei öffnen\n%d Boot\n%d Boote|\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang = "en");
    CHECK_IN_FOLDER("x.po", DPL_STR(po), &o, "x.po||Open file\n%d boat\n%d boats\nrise|\n");
    o.lang = "fr";
    CHECK_IN_FOLDER("x.po", DPL_STR(po), &o,
                    "! 'DIR/one/x.po': it translates from 'en' into 'de'\n");
    o.side = DPL_SIDE_TARGET; /* then it is French, whatever the header says */
    CHECK_IN_FOLDER("x.po", DPL_STR(po), &o, "x.po||Datei öffnen\n%d Boot\n%d Boote|\n");
}

DPL_TEST(catalogue_file, an_entry_that_cannot_be_read_is_one_record)
{
    static const char po[] = "msgid \"a\"\nmsgstr \"A\n\nmsgid \"b\"\nmsgstr \"B\"\n";
    CHECK_IN_FOLDER(
        "x.po", DPL_STR(po), NULL,
        "! 'DIR/one/x.po' line 2: a string without its closing quote at column 8\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    dump d = dump_in_folder("x.po", DPL_STR(po), &o);
    CHECK_STR(dpl__cstr(d.text), "x.po||B|\n");
    CHECK_DROPPED(d, MALFORMED, 1);
}

DPL_TEST(catalogue_file, a_file_that_cannot_be_read_at_all_meets_the_policy)
{
    static const char po[] =
        "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=dje-8\\n\"\n";
    CHECK_IN_FOLDER("x.po", DPL_STR(po), NULL,
                    "! 'DIR/one/x.po': unknown character set 'dje-8'\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    dump d = dump_in_folder("x.po", DPL_STR(po), &o);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, MALFORMED, 1);
}

/* ---- parallel text ---------------------------------------------------------------------- */

DPL_TEST(bitext_xliff, segments_with_a_translation_are_rows_in_any_pieces)
{
    const dpl_str texts[] = {xliff()};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options);
    rows_dump d = dump_with_all_pieces(&dpl__bitext_xliff, texts, &o);
    CHECK_STR(dpl__cstr(d.text), "One  two|Eins zwei\nFour|Quatre\n");
    CHECK_EQ(d.counts.n_alone, 1);
}

DPL_TEST(bitext_xliff, languages_choose_the_direction_and_the_files)
{
    const dpl_str texts[] = {xliff()};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    rows_dump d = dump_with_all_pieces(&dpl__bitext_xliff, texts, &o);
    CHECK_STR(dpl__cstr(d.text), "Eins zwei|One  two\n");
    CHECK_EQ(d.counts.n_alone, 2);
}

DPL_TEST(bitext_xliff, faults_meet_the_policy)
{
    const dpl_str texts[] = {DPL_STR("<xliff><file><trans-unit><source>a</source><target>b"
                                     "</target></trans-unit>\n<x></file>")};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options);
    rows_dump d = dump_with_all_pieces(&dpl__bitext_xliff, texts, &o);
    CHECK_STR(dpl__cstr(d.text),
              "a|b\n! 'left' line 2: malformed XML: mismatched tag at column "
              "6\n");
    o.on_error = DPL_ON_ERROR_SKIP;
    d = dump_with_all_pieces(&dpl__bitext_xliff, texts, &o);
    CHECK_STR(dpl__cstr(d.text), "a|b\n");
    CHECK_EQ(d.counts.n_skipped, 1);
    o = (dpl_bitext_options)DPL_INIT(dpl_bitext_options, .max_record = 4);
    const dpl_str longer[] = {xliff()};
    CHECK_STR(dpl__cstr(dump_with_all_pieces(&dpl__bitext_xliff, longer, &o).text),
              "! 'left' line 1: longer than 4 bytes\n");
}

DPL_TEST(bitext_xliff, every_allocation_may_fail)
{
    const char *paths[] = {DPL_TEST_SOURCE "/examples/formats/strings.xliff"};
    check_row_allocations(paths, 1, NULL);
}
