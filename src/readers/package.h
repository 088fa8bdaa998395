/*
 * package.h - documents that are ZIP files with XML in them: EPUB, DOCX, ODT.
 *
 * One file is one record: what cannot be read meets the policy for bad records, with the member
 * in the message. All that is unpacked of a file counts against max_record, so a small file
 * cannot grow without end; archives inside of it are never opened.
 */
#ifndef DPL_READERS_PACKAGE_H
#define DPL_READERS_PACKAGE_H

#include "io/zip.h"
#include "readers/reader.h"
#include "readers/xml.h"

typedef struct dpl__package {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    dpl_str id; /* of the file */
    dpl__zip zip;
    uint64_t n_left; /* bytes that may still be unpacked */
} dpl__package;

bool dpl__package_has(const dpl__package *p, dpl_str name);
/* The bytes of a member, in the batch's arena. DPL_END: the policy dropped the file. */
dpl_status dpl__package_read(dpl__package *p, dpl_str name, dpl_str *out, dpl_error *err);
/* The same through an XML parser; a member that is not there is like an empty one. */
dpl_status dpl__package_parse(dpl__package *p, dpl_str name, const dpl__xml *xml,
                              dpl_error *err);
/* The policy for a file that cannot be read. */
DPL_COLD dpl_status dpl__package_bad(dpl__package *p, dpl_drop drop, dpl_error *err,
                                     const char *fmt, ...) DPL_PRINTF(4, 5);

/* Takes dc:title and dc:language of a member with metadata, as far as they are there. */
dpl_status dpl__package_metadata(dpl__package *p, dpl_str name, dpl_doc *doc, dpl_error *err);

/* Adds the documents of the file; DPL_END when the policy dropped it. */
dpl_status dpl__epub_parse(dpl__package *p, dpl_error *err);
dpl_status dpl__docx_parse(dpl__package *p, dpl_str main, dpl_error *err);
dpl_status dpl__odt_parse(dpl__package *p, dpl_error *err);

/* A language that the document has as its default only, for want of a better one: templates set
 * it, whatever is written into them. Leaves doc->lang empty when the text tells its own. */
void dpl__default_language(dpl_doc *doc, const char *lang);

#endif
