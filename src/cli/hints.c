/*
 * hints.c - the table of hints: code of a library error, what to try.
 *
 * In the order of the pipeline. A hint is one line, lower case, no full stop, and names options
 * as they are typed. A code without a row is no fault: the error's own text is all there is.
 */
#include "cli/hints.h"

#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static const struct row {
    const char *code, *hint;
} rows[] = {
    /* ---- everywhere ---------------------------------------------------------------------- */
    {"memory", "set a larger limit with --memory"},
    {"memory-temp", "--temp=DIR puts temporary files elsewhere; a larger --memory makes them "
                    "smaller"},
    {"update-options", "without --update all documents are imported"},
    {"output-is-input", "write to another file"},
    {"unknown-section", "the file was written by a newer version: use that"},
    {"not-a-collection", "'doppel import' makes a collection from documents"},
    {"not-a-part",
     "'doppel import', 'sign' and 'pairs' make part files, each of one part of the work"},
    {"parts-other-run",
     "all parts of a run have the same inputs and options; for another run, remove the folder"},
    {"parts-differ",
     "merge the parts of one run: the same inputs, options and number of parts"},
    {"parts-decided",
     "give all parts the same limit of memory, and do not change the inputs meanwhile"},
    {"part-missing",
     "run the command that made the others again, for the parts that are missing"},
    {"not-a-lexicon", "'doppel lexicon' makes a lexicon from parallel text, documents or "
                      "dictionaries"},
    {"not-vectors", "'doppel vectors' makes vectors from a collection"},
    {"no-http", "install libmicrohttpd-dev and build doppel again"},
    {"port-in-use", "--port=N chooses another port, --port=0 one that is free"},
    {"port-not-allowed", "ports below 1024 are the system's: choose another with --port"},
    {"bad-address", "--bind takes a numeric address, such as 127.0.0.1 or ::1"},
    {"bad-token", "head -c 24 /dev/urandom | base64 >FILE makes one"},
    {"not-a-run", "'doppel mine IN... -o DIR' makes such a folder"},
    /* ---- text ---------------------------------------------------------------------------- */
    {"unknown-format",
     "set the format with --from=jsonl, json, csv, tsv, wiki, docenc, or dir for text"},
    {"file-pdf",
     "the Debian package poppler-utils has pdftotext; with it doppel reads PDF files"},
    {"file-postscript",
     "ps2txt FILE.ps FILE.txt (package ghostscript) makes a text file of it"},
    {"file-djvu", "djvutxt FILE.djvu FILE.txt (package djvulibre-bin) makes a text file of it"},
    {"file-mobi", "ebook-convert FILE.mobi FILE.epub (package calibre) makes a book of it that "
                  "can be read"},
    {"file-chm", "extract_chmLib FILE.chm FOLDER (package libchm-bin) makes a folder of pages"},
    {"file-office", "catdoc FILE >FILE.txt (package catdoc) makes a text file of DOC and RTF; "
                    "LibreOffice saves all of them as DOCX or ODT, which are read"},
    {"file-slides", "LibreOffice exports it as HTML, which is read"},
    {"file-spreadsheet", "xlsx2csv FILE >FILE.csv (package xlsx2csv), or LibreOffice, makes a "
                         "table that can be read"},
    {"file-parquet", "python3 -m doppel import FILE -o FILE.dpl reads it; without that "
                     "package: python3 -c \"import pandas; pandas.read_parquet('FILE')"
                     ".to_json('FILE.jsonl', orient='records', lines=True)\""},
    {"file-orc", "python3 -c \"import pandas; pandas.read_orc('FILE').to_json('FILE.jsonl', "
                 "orient='records', lines=True)\" makes JSON Lines of it"},
    {"file-avro", "avro-tools tojson FILE writes JSON Lines"},
    {"file-numpy", "'doppel sign' and 'doppel pairs' take an array of numbers"},
    {"file-doppel", "'doppel show FILE' says what it is"},
    {"file-archive", "unpack it; a folder of files is read as it is"},
    {"file-packed", "unpack it first; gzip, zstd, bzip2 and xz are read as they are"},
    {"file-image", "tesseract FILE FILE (package tesseract-ocr) makes a text file of a page"},
    {"file-sqlite", "sqlite3 -json FILE 'select id, text from TABLE' writes JSON"},
    {"file-binary", "--on-error=skip leaves such files of a folder out and counts them"},
    {"input-binary",
     "documents are text in one of many formats: 'doppel help reading' lists them"},
    {"bilingual-side", "--side=source or --side=target chooses the texts that are read"},
    {"no-documents", "set the format with --from=FORMAT, and the field with the text with "
                     "--fields=text=NAME; 'doppel help reading' explains both"},
    {"no-files", "'doppel help reading' lists the types of files that are read in a folder"},
    {"bad-record", "--on-error=skip drops such records and counts them"},
    {"bad-row", "--on-error=skip drops such rows and counts them"},
    {"bad-utf8", "--on-error=replace keeps going and counts the replacements; --on-error=skip "
                 "drops such records"},
    {"bad-encoding", "--encoding=NAME converts it; --on-error=replace keeps going and counts "
                     "the replacements; --on-error=skip drops such records"},
    {"bad-columns", "--fields=id,text,... names the columns in order; '-' drops one"},
    {"csv-columns", "put a field that contains a separator, a quote or a line break in quotes"},
    {"missing-id", "set the field of the id with --fields=id=NAME; --fields=id= numbers the "
                   "documents by line"},
    {"missing-text", "set the field of the text with --fields=text=NAME"},
    {"json-array", "--from=json reads an array of objects"},
    {"xml-encoding", "iconv -t UTF-8 converts it; then the XML declaration has to say so"},
    {"long-record",
     "--max-record=SIZE allows longer ones; --on-error=skip drops and counts them"},
    {"duplicate-id", "--on-error=skip keeps the first one and counts the others"},
    {"duplicate-id-late", "with a larger --memory it is found where it stands"},
    {"memory-records", "set a larger --memory or a smaller --max-record"},
    {"no-partner", "plain text comes in pairs: LEFT RIGHT LEFT RIGHT ...; one file with both "
                   "sides is tab-separated, TMX or gettext"},
    {"no-partner-catalogue",
     "without English, catalogues come in pairs: LEFT RIGHT LEFT RIGHT ..."},
    {"catalogue-language", "with English as one language, each catalogue holds both sides; "
                           "without, catalogues come in pairs: LEFT RIGHT"},
    {"lines-differ", "line N of one file is the translation of line N of the other; "
                     "--on-error=skip leaves out the lines without a partner"},
    {"memory-keyed", "set a larger --memory; the right one of two files is held"},
    {"bitext-languages", "set both languages with --langs"},
    /* ---- lexicon ------------------------------------------------------------------------- */
    {"memory-lexicon",
     "set a larger --memory, or drop the least probable lines of the lexicon"},
    {"memory-training", "set a larger --memory, fewer --threads, or a smaller --max-words; or "
                        "train on less text first and on the rest with --lexicon"},
    {"lexicon-languages", "set the languages with --langs"},
    {"lexicon-no-model",
     "'doppel lexicon train' makes a lexicon with an alignment model, unless "
     "'--no-model' is given"},
    {"align-languages",
     "without --langs the languages are the lexicon's; the left side is in its "
     "first language, --fields=2,1 exchanges the columns of a table"},
    {"mixed-stems", "--stem reduces the words of all of them to stems"},
    /* ---- translate ----------------------------------------------------------------------- */
    {"not-phrases", "'doppel lexicon phrases' makes a phrase model from parallel text"},
    {"translator", "it must answer each line that it reads with one line, and write it out at "
                   "once; --timeout=SECONDS gives it more time"},
    /* ---- vectors ------------------------------------------------------------------------- */
    {"direction-source", "--direction=source, or auto"},
    {"direction-target", "--direction=target, or auto"},
    {"lexicon-other-languages", "'doppel lexicon train' makes one between other languages"},
    {"lexicon-columns",
     "the lexicon's two columns are in the order of --lexicon-langs; one of them must be the "
     "collection's"},
    {"lexicon-no-terms", "terms are stems if the collection was made with '--stem'"},
    {"npy-type", "numpy.save(file, array.astype('<f4')) writes what can be read"},
    {"npy-order", "numpy.save(file, numpy.ascontiguousarray(array)) writes rows"},
    {"not-stemmed",
     "--stem reduces the words of raw documents to stems; 'doppel import --stem' makes a "
     "collection of stems"},
    {"memory-terms", "set a larger --memory; --min-count=N drops rare terms"},
    {"other-space",
     "make both with the same options, from collections made with the same ones"},
    {"other-language",
     "project one side into the language of the other with --lexicon, or both "
     "into a third"},
    /* ---- signatures and pairs ------------------------------------------------------------ */
    {"other-signatures", "sign both with the same options"},
    /* ---- dedup --------------------------------------------------------------------------- */
    {"select-field", "--select=newest:field=NAME or --select=highest:field=NAME names it"},
    /* ---- index --------------------------------------------------------------------------- */
    {"not-an-index", "'doppel index build' makes an index from documents or a collection"},
    {"no-texts", "'doppel index build --texts' keeps the texts"},
    {"no-vectors", "build the index without '--no-vectors'"},
    {"no-postings", "build the index without '--no-vectors' and '--no-postings'"},
    {"other-words", "import all of them with the same options, or give the raw documents"},
    {"same-id", "ids of several inputs get the names of these in front, which another id has "
                "already; 'doppel index add' replaces documents"},
    {"no-document", "'doppel show POCKET --top N' lists ids"},
    {"lexicon-pivot", "give lexicons that share a language, or build several indexes"},
    {"index-lexicon-languages", "--lexicon-langs=de,en names the languages of its columns"},
    {"memory-search", "set a larger --memory, or a higher --threshold"},
    {"memory-neighbours", "set a larger --memory, or fewer neighbours with --top or --margin"},
    {"memory-assignment", "set a higher --threshold or a larger --memory, or use "
                          "--select=one-to-one without the knob optimal"},
    {"needs-vectors", "give vectors instead of signatures, or --method=brute:no-verify"},
    /* ---- sentences ----------------------------------------------------------------------- */
    {"pairs-swapped", "exchange LEFT and RIGHT: the first column of PAIRS has the left ids"},
    {"no-file-language", "set the languages with --langs"},
    {"format-per-pair", "a file of this format holds one document pair: there is one for each"},
    {"sentence-format", "the format of the documents is set with --from"},
    /* ---- mine ---------------------------------------------------------------------------- */
    {"nothing-learned", "give a start with --dictionary or --lexicon"},
    {"one-language", "'doppel pairs' finds near-duplicates in one language"},
    {"both-one-language", "'doppel pairs' finds near-duplicates in one language; --langs "
                          "sets another language than was detected"},
    {"undetected-language", "'doppel import --lang' makes a collection with a given language"},
    {"mixed-collection",
     "give the documents that it was made from, or set the languages of two "
     "inputs with --langs"},
    {"sides-stemmed",
     "'doppel import --stem' makes a collection of stems, as documents are read "
     "here; --no-stem reads them as they are"},
    {"collection-and-files", "give the documents that the collection was made from"},
    {"lexicon-without-languages", "'doppel lexicon import --langs X,Y' makes a "
                                  "lexicon that has its languages"},
    {"stream-read-twice", "write the documents to a file first"},
    {"links-language", "give the tables of these two wikis, or wb_items_per_site of Wikidata"},
    {"links-unknown", "a link is a line of left and right id or title, as in pairs.tsv"},
    {"links-swapped", "exchange the inputs, or the first two columns of the links"},
    {"known-unknown", "ids are those of pairs.tsv"},
    {"known-sentences",
     "a sentence has the id of its document, '#' and its number, as in pairs.tsv; "
     "--unit=document compares documents"},
    {"pivot", "--pivot chooses another pivot language"},
    {"resume-other-run", "without --resume the run starts from the beginning"},
    {"resume-damaged", "without --resume the run starts from the beginning"},
    {"no-work-files", "'doppel mine' leaves them in the folder of two languages, such as "
                      "OUT/de-en of a run of many languages"},
    {"no-such-document", "ids are those of pairs.tsv"},
    {"folder-in-use", "wait for the other run, or write to another folder with -o"},
    {"file-in-use", "run it again when the other one is done"},
    {"lexicon-languages-unknown", "set them with --lexicon-langs=X,Y"},
    {"folder-foreign", "write to another folder with -o"},
    {"input-in-work", "copy it, or write to another folder with -o"},
    /* ---- page ---------------------------------------------------------------------------- */
    {"no-wasm",
     "install clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, and build doppel again"},
    {"page-stems", "add --texts, or leave out --stem"},
    {"page-size", "leave out --texts, or serve the index: 'doppel serve X.pocket'"},
};

const char *cli_hint_for(const char *code)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].code, code) == 0)
            return rows[i].hint;
    for (const cli_item *h = cli_this->hints; h && h->name; h++)
        if (strcmp(h->name, code) == 0)
            return h->text;
    return NULL;
}

static const cli_command *find_command(const char *name, size_t n)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strlen(cli_commands[i]->name) == n && memcmp(cli_commands[i]->name, name, n) == 0)
            return cli_commands[i];
    return NULL;
}

static bool is_in(const cli_option *table, const char *name, size_t n)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (!o->knob_of && strlen(o->name) == n && memcmp(o->name, name, n) == 0)
            return true;
    return false;
}

static bool takes(const cli_command *command, const char *name, size_t n)
{
    return is_in(cli_common_options, name, n) || is_in(command->options, name, n);
}

/* Whether the command takes all options that the part of a hint names. What stands in single
 * quotes is another command ("'doppel import --lang'") or a file. */
static bool fits(const cli_command *command, const char *p, const char *end)
{
    bool is_quoted = false;
    for (; p + 2 < end; p++) {
        is_quoted ^= *p == '\'';
        if (is_quoted || p[0] != '-' || p[1] != '-')
            continue;
        const size_t n = strspn(p + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
        if (n && !takes(command, p + 2, n))
            return false;
        p += 1 + n;
    }
    return true;
}

static void append(char *out, size_t n_out, const char *p, size_t n)
{
    const size_t n_there = strlen(out);
    if (n_there + n < n_out)
        snprintf(out + n_there, n_out - n_there, "%.*s", (int)n, p);
}

const char *cli_hint_as(char *out, size_t n_out, const char *command, const char *code)
{
    const char *hint = cli_hint_for(code);
    const cli_command *c = command ? find_command(command, strlen(command)) : NULL;
    if (!hint)
        return NULL;
    if (!c) {
        snprintf(out, n_out, "%s", hint);
        return out;
    }
    out[0] = '\0';
    for (const char *p = hint, *end; *p; p = *end ? end + 2 : end) {
        end = strstr(p, "; ");
        end = end ? end : p + strlen(p);
        if (!fits(c, p, end))
            continue;
        append(out, n_out, "; ", out[0] ? 2 : 0);
        append(out, n_out, p, (size_t)(end - p));
    }
    return out[0] ? out : NULL;
}

bool cli_hint_at(size_t i, const char **code, const char **hint)
{
    if (i >= sizeof rows / sizeof *rows)
        return false;
    *code = rows[i].code;
    *hint = rows[i].hint;
    return true;
}
