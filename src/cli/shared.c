/*
 * shared.c - values of options that several commands have.
 */
#include "cli/shared.h"

#include "doppel/text.h"

#include <string.h>

bool cli_parse_langs(const cli_option *o, void *place, const char *value)
{
    const char **langs = place;
    char *left = cli_keep(value);
    if (!left)
        return false;
    char *comma = strchr(left, ','), *right = comma ? comma + 1 : left;
    if (comma)
        *comma = 0;
    if ((!comma && !o->takes_one) || strchr(right, ',') || (!*left && !*right))
        return cli_bad_value(o, value, "two languages, such as de,en");
    langs[0] = *left ? left : NULL;
    langs[1] = *right ? right : NULL;
    return true;
}

bool cli_parse_fields(const cli_option *o, void *place, const char *value)
{
    dpl_reader_options *r = place;
    const struct {
        const char *name, **key;
    } fields[] = {{"id", &r->id_key},
                  {"lang", &r->lang_key},
                  {"title", &r->title_key},
                  {"text", &r->text_key}};
    char *text = cli_keep(value);
    if (!text)
        return false;
    if (!strchr(text, '=')) {
        r->columns = text;
        return true;
    }
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = 0;
        char *key = strchr(text, '=');
        size_t i = 0;
        if (key)
            *key++ = 0;
        while (i < sizeof fields / sizeof *fields && strcmp(fields[i].name, text) != 0)
            i++;
        if (!key || i == sizeof fields / sizeof *fields)
            return cli_bad_value(o, value,
                                 "id, lang, title or text and the name of a field, such "
                                 "as id=url,text=body, or names of columns");
        *fields[i].key = key;
    }
    return true;
}
