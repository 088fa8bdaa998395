/*
 * pdf.c - PDF files, where the program pdftotext (Poppler) is installed: the text it gives, in
 * reading order, with paragraphs joined from their lines and without the numbers of pages.
 *
 * Nothing of PDF is read here, and the library is not linked with anything that does. Cost: the
 * program's, which is started once for each file.
 */
#include "readers/dir.h"

#include "base/ascii.h"
#include "io/external_filter.h"
#include "readers/reader.h"
#include "readers/wrapped.h"

enum { SECONDS = 120, PAGE = '\f', LONGEST_NUMBER = 8 };

static bool is_pdf(dpl_str start)
{
    return dpl__begins_with(start, "%PDF-");
}

static bool is_line_of_number(dpl_str line)
{
    size_t n = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (line.data[i] < '0' || line.data[i] > '9')
            return false;
        n++;
    }
    return n && n <= LONGEST_NUMBER;
}

/* Where the page ends without the number that is its last line. */
static const char *without_number(const char *page, const char *end)
{
    while (end > page && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    const char *line = end;
    while (line > page && line[-1] != '\n')
        line--;
    return is_line_of_number((dpl_str){line, (size_t)(end - line)}) ? line : end;
}

/* Pages without their numbers, each from a new line, in place: a paragraph may go on there. */
static dpl_str join_pages(dpl_str text)
{
    char *const begin = (char *)(uintptr_t)text.data, *out = begin;
    const char *const end = text.data + text.n;
    for (const char *page = text.data; page < end;) {
        const char *next = memchr(page, PAGE, (size_t)(end - page));
        if (!next)
            next = end;
        const size_t n = (size_t)(without_number(page, next) - page);
        if (n && out != begin && out[-1] != '\n')
            *out++ = '\n';
        assert(out <= page); /* a page break was there */
        memmove(out, page, n);
        out += n;
        page = next + (next < end);
    }
    return (dpl_str){begin, (size_t)(out - begin)};
}

static dpl_status refuse(dpl__batch *batch, const dpl__chunk *chunk, dpl_status status,
                         dpl_error *err)
{
    if (status == DPL_E_UNSUPPORTED) {
        const dpl_status bad =
            dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_FILE_TYPE, err,
                            "it is a PDF file, and pdftotext is not installed");
        return bad == DPL_END ? bad : dpl__code(err, bad, "file-pdf");
    }
    if (status == DPL_E_LIMIT)
        return dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_LONG, err,
                               "its text is longer than a document may be");
    return dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_MALFORMED, err,
                           "pdftotext cannot read it: it is damaged, or protected");
}

static dpl_status parse_pdf(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                            dpl_str bytes, dpl_error *err)
{
    const dpl__filter filter = {.program = "pdftotext",
                                .options = "-q -enc UTF-8 - -",
                                .seconds = SECONDS,
                                .most = batch->options->max_record};
    dpl_doc doc = {.id = id};
    dpl_error fault = {0};
    const dpl_status status = dpl__filter_run(&doc.text, &batch->arena, &filter, bytes, &fault);
    if (status == DPL_E_UNSUPPORTED || status == DPL_E_FORMAT || status == DPL_E_LIMIT)
        return refuse(batch, chunk, status, err);
    if (status != DPL_OK) {
        *err = fault;
        return status;
    }
    DPL_TRY(dpl__record_utf8(batch, chunk, 1, 1, &doc.text, err));
    doc.text = join_pages(doc.text);
    if (batch->options->wrapped != DPL_WRAPPED_NO)
        doc.text.n = dpl__unwrap((char *)(uintptr_t)doc.text.data, doc.text.n);
    return dpl__batch_add(batch, chunk, 0, &doc, err);
}

const dpl__filetype dpl__filetype_pdf = {.endings = (const char *const[]){".pdf", NULL},
                                         .is_binary = true,
                                         .program = "pdftotext",
                                         .sniff = is_pdf,
                                         .parse = parse_pdf};
