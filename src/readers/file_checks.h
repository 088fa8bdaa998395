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

#include "doppel/text.h"

#include "io/sections.h"

/* Every string is one character or more, none of them a control character. Cost: one pass. */
dpl_status dpl__check_names(const dpl_file *f, const char *section, const dpl__strings *names,
                            dpl_error *err);
/* order[i] is the number of the i-th string in byte order, each below the number of strings:
 * the strings must rise, so that none is there twice. On all threads. */
dpl_status dpl__check_order(const dpl_file *f, const char *section, const dpl__strings *strings,
                            const uint32_t *order, dpl_error *err);
/* Checks that no id occurs twice, in any order, with a table of 4 to 8 bytes per id. */
dpl_status dpl__check_unique(const dpl_file *f, const char *section, const dpl__strings *ids,
                             dpl_error *err);
/* Both for ids that come from the caller; name is what messages call them. */
dpl_status dpl__check_ids(dpl_ctx *ctx, const char *name, const dpl__strings *ids,
                          dpl_error *err);
/* Could dpl_lang_canonical have said so? 2 to 11 small letters. Which of them are languages
 * changes with ICU, and is not asked. Codes become parts of file names. */
static inline bool dpl__is_lang_code(dpl_str text)
{
    enum { LEAST = 2, MOST = sizeof((dpl_lang *)0)->code - 1 };
    for (size_t i = 0; i < text.n; i++)
        if (text.data[i] < 'a' || text.data[i] > 'z')
            return false;
    return text.n >= LEAST && text.n <= MOST;
}
/* Every string is such a code. */
dpl_status dpl__check_langs(const dpl_file *f, const char *section, const dpl__strings *langs,
                            dpl_error *err);
/* A section that is one such code, or empty. */
dpl_status dpl__get_lang(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err);
/* A section that is one text: valid UTF-8 without control characters. */
dpl_status dpl__get_text(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err);
/* Every string is empty or one JSON object. On all threads. */
dpl_status dpl__check_objects(const dpl_file *f, const char *section,
                              const dpl__strings *strings, dpl_error *err);
/* A section that is one JSON object, without control characters even between its tokens. */
dpl_status dpl__get_json(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err);

#endif
