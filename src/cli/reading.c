/*
 * reading.c - doppel help reading: formats of documents, their fields, and the options of all
 * commands that read documents.
 */
#include "cli/help.h"
#include "cli/shared.h"

#include "doppel/text.h"

static const dpl_reader_options defaults = DPL_INIT(dpl_reader_options);

static const cli_option options[] = {CLI_ALL_READER_OPTIONS(defaults), {0}};

static const cli_item examples[] = {
    {"doppel import news.jsonl.zst --fields id=url,text=body -o news.dpl",
     "one JSON object per line; its fields have other names"},
    {"doppel import --fields id,lang,url,text crawl.tsv -o crawl.dpl",
     "tab-separated columns; url is kept with the document"},
    {"doppel mine de/ en/ --encoding windows-1252 -o de-en", "folders of text files"},
    {0},
};

const cli_command cli_reading = {
    .name = "reading",
    .summary = "how documents are read: formats, fields, and options",
    .about =
        "Commands that read documents take them in any of these formats. The format is "
        "detected "
        "from the name and the first bytes; set it with --from. Files compressed with gzip, "
        "zstd, bzip2 or xz are read as they are; - is standard input. A collection made by "
        "'doppel import' is read as it is, without these options."
        "\n"
        "\n"
        "    jsonl, json  an object for each document, on lines or in an array\n"
        "    csv, tsv     a record or a line for each document\n"
        "    docenc       a line for each document, its text in base64\n"
        "    wiki         a MediaWiki XML dump; pages become plain text\n"
        "    warc         a web archive\n"
        "    zim          a ZIM file of Kiwix\n"
        "    dir          a file for each document, or a folder of them: HTML, Markdown, "
        "EPUB,\n"
        "                 DOCX, ODT, PDF, SRT, VTT, XLIFF, PO or plain text"
        "\n"
        "\n"
        "A document has an id, which must be unique, a language, a title and a text; other "
        "fields are kept with it. --fields names the fields or columns that hold them. Where "
        "no field has the language it is detected from the text."
        "\n"
        "\n"
        "A record that cannot be read (invalid UTF-8, broken JSON, a missing field, a repeated "
        "id) is an error with its file and line. --on-error=replace turns invalid UTF-8 into "
        "U+FFFD, --on-error=skip drops all such records; both count them. Documents without "
        "text are always dropped and counted.",
    .options = options,
    .examples = examples,
    .see_also = "doppel-import(1)",
};
