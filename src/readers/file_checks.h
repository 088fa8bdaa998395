/*
 * file_checks.h - checks of what our files name and say: ids, languages, settings.
 *
 * A checksum proves that a file is what somebody wrote, not that we did. Ids and languages end
 * up between tabs in rows and in terminals, settings in JSON; so files that hold control
 * characters there, or one id twice, are refused when they are opened. The rule for ids is that
 * of the readers (record.c).
 */
#ifndef DPL_READERS_FILE_CHECKS_H
#define DPL_READERS_FILE_CHECKS_H

#include "io/sections.h"

/* Every string is one character or more, none of them a control character. Cost: one pass. */
dpl_status dpl__check_names(const dpl_file *f, const char *section, const dpl__strings *names,
                            dpl_error *err);
/* order[i] is the number of the i-th string in byte order, each below the number of strings:
 * the strings must rise, so that none is there twice. On all threads. */
dpl_status dpl__check_order(const dpl_file *f, const char *section, const dpl__strings *strings,
                            const uint32_t *order, dpl_error *err);
/* No id is there twice, without an order: through a table of 4 to 8 bytes per id. */
dpl_status dpl__check_unique(const dpl_file *f, const char *section, const dpl__strings *ids,
                             dpl_error *err);
/* Both for ids that come from the caller; name is what messages call them. */
dpl_status dpl__check_ids(dpl_ctx *ctx, const char *name, const dpl__strings *ids,
                          dpl_error *err);
/* A section that is one text: valid UTF-8 without control characters. */
dpl_status dpl__get_text(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err);
/* A section that is one JSON object, without control characters even between its tokens. */
dpl_status dpl__get_json(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err);

#endif
