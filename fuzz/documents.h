/*
 * documents.h - what the fuzz targets of files that are one document share.
 */
#ifndef DPL_FUZZ_DOCUMENTS_H
#define DPL_FUZZ_DOCUMENTS_H

#include "readers.h"

/* Reads the bytes as a file of this name by every policy: texts are valid UTF-8, and nothing
 * but the policy that stops may fail. */
static inline void fuzz_read_document(const char *name, dpl_reader_options o, dpl_str bytes,
                                      void (*check)(const dpl_doc *doc))
{
    o.from = DPL_FORMAT_DIR;
    for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
        o.on_error = (dpl_on_error)policy;
        dpl__batch batch;
        dpl__batch_init(&batch, fuzz_ctx(), &o);
        dpl__chunk chunk = {.file = "fuzz", .member = name, .line = 1, .is_last = true};
        chunk.bytes.data = calloc(1, bytes.n + DPL__PAD);
        FUZZ_CHECK(chunk.bytes.data != NULL);
        chunk.bytes.n = bytes.n;
        if (bytes.n)
            memcpy(chunk.bytes.data, bytes.data, bytes.n);
        dpl_error err = {0};
        dpl_status status = dpl__format_dir.parse(&batch, &chunk, &err);
        FUZZ_CHECK(status == DPL_OK ||
                   ((status == DPL_E_FORMAT || status == DPL_E_UNSUPPORTED) && err.text[0]));
        FUZZ_CHECK(status == DPL_OK || policy != DPL_ON_ERROR_SKIP);
        for (size_t i = 0; i < batch.docs.n; i++) {
            const dpl_doc *doc = &batch.docs.data[i];
            FUZZ_CHECK(fuzz_is_utf8(doc->id) && fuzz_is_utf8(doc->title));
            FUZZ_CHECK(fuzz_is_utf8(doc->lang) && fuzz_is_utf8(doc->text) && doc->text.n);
            if (check)
                check(doc);
        }
        free(chunk.bytes.data);
        dpl__batch_clear(&batch);
    }
}

#endif
