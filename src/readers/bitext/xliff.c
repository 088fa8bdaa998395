/*
 * xliff.c - XLIFF 1.2 and 2.x: source and target of each segment.
 *
 *     1.2  <file source-language="en" target-language="de" original="a.html"><body>
 *            <trans-unit id="1"><source>Hello <g id="1">world</g></source>
 *                               <target>Hallo <g id="1">Welt</g></target></trans-unit>
 *     2.0  <xliff srcLang="en" trgLang="de" version="2.0"><file id="f1"><unit id="1">
 *            <segment><source>Hello</source><target>Hallo</target></segment></unit></file>
 *
 * Only the sides of a unit or segment itself count, not those of alternatives (<alt-trans>,
 * <mtc:match>). Inside, <bpt>, <ept>, <ph>, <it> and <ut> hold markup of the original format,
 * which is left out; <sub> in them is text again. A target whose state says that nobody has
 * translated it yet is none. Cost: Expat's, and one copy of the text.
 */
#include "readers/bitext/xliff.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

#include <stdlib.h>

static void copy(char *out, size_t room, const char *value)
{
    if (value && strlen(value) < room)
        strcpy(out, value);
}

static void start_file(dpl__xliff *x, const char **attributes)
{
    x->original[0] = '\0';
    copy(x->original, sizeof x->original, dpl__xml_attribute(attributes, "original"));
    if (x->is_2)
        return;
    x->source_lang[0] = x->target_lang[0] = '\0';
    copy(x->source_lang, sizeof x->source_lang,
         dpl__xml_attribute(attributes, "source-language"));
    copy(x->target_lang, sizeof x->target_lang,
         dpl__xml_attribute(attributes, "target-language"));
}

/* States of a target that is still a copy of its source, or nothing. */
static bool is_untranslated(const char *state)
{
    static const char *const states[] = {"new", "initial", "needs-translation", NULL};
    return state && dpl__is_in_list(state, states);
}

static void begin_segment(dpl__xliff *x, const char *name, const char **attributes)
{
    x->segment = x->depth;
    x->texts[0].n = x->texts[1].n = 0;
    x->is_ignorable = strcmp(name, "ignorable") == 0;
    x->has_source = x->is_long = false;
    x->is_untranslated = is_untranslated(dpl__xml_attribute(attributes, "state"));
    x->line = dpl__xml_parser_line(x->parser);
}

static dpl_status add(dpl__xliff *x, const char *p, size_t n, dpl_error *err)
{
    if (!x->to || x->is_long || (x->code && !x->sub))
        return DPL_OK;
    if (x->max_record && x->texts[0].n + x->texts[1].n + n > x->max_record) {
        x->is_long = true;
        return DPL_OK;
    }
    return dpl__need(dpl__vec_append(x->ctx, x->to, p, n), err);
}

static dpl_status start_inline(dpl__xliff *x, const char *name, const char **attributes,
                               dpl_error *err)
{
    static const char *const codes[] = {"bpt", "ept", "ph", "it", "ut", NULL};
    if (dpl__is_in_list(name, codes)) {
        if (!x->code)
            x->code = x->depth;
    } else if (strcmp(name, "sub") == 0 && x->code && !x->sub) {
        x->sub = x->depth;
        return add(x, " ", 1, err);
    } else if (strcmp(name, "x") == 0) {
        const char *type = dpl__xml_attribute(attributes, "ctype");
        return type && strcmp(type, "lb") == 0 ? add(x, " ", 1, err) : DPL_OK;
    } else if (strcmp(name, "cp") == 0) {
        const char *hex = dpl__xml_attribute(attributes, "hex");
        const unsigned long c = hex ? strtoul(hex, NULL, 16) : 0;
        if (c < 0x20) /* controls are what it is for */
            return add(x, " ", 1, err);
    }
    return DPL_OK;
}

static dpl_status start_root(dpl__xliff *x, const char *name, const char **attributes,
                             dpl_error *err)
{
    if (strcmp(name, "xliff") != 0)
        return dpl__fail(err, DPL_E_FORMAT,
                         "it is no XLIFF file: its first element is not <xliff>");
    const char *version = dpl__xml_attribute(attributes, "version");
    x->is_2 = version && strncmp(version, "1.", 2) != 0;
    copy(x->source_lang, sizeof x->source_lang, dpl__xml_attribute(attributes, "srcLang"));
    copy(x->target_lang, sizeof x->target_lang, dpl__xml_attribute(attributes, "trgLang"));
    return DPL_OK;
}

static void start_side(dpl__xliff *x, bool is_target, const char **attributes)
{
    x->side = x->depth;
    x->to = &x->texts[is_target];
    x->to->n = 0;
    x->code = x->sub = 0;
    x->has_source |= !is_target;
    if (is_target && is_untranslated(dpl__xml_attribute(attributes, "state")))
        x->is_untranslated = true;
}

static dpl_status start(void *user, const char *name, const char **attributes, dpl_error *err)
{
    dpl__xliff *x = user;
    static const char *const segments[] = {"segment", "ignorable", NULL};
    if (++x->depth == 1)
        return start_root(x, name, attributes, err);
    if (x->side)
        return start_inline(x, name, attributes, err);
    if (!x->unit && strcmp(name, "file") == 0) {
        start_file(x, attributes);
        return x->on_file ? x->on_file(x->user, err) : DPL_OK;
    }
    if (!x->unit && strcmp(name, x->is_2 ? "unit" : "trans-unit") == 0) {
        x->unit = x->depth;
        x->n_units++;
        if (!x->is_2)
            begin_segment(x, name, attributes);
    } else if (x->is_2 && x->unit && x->depth == x->unit + 1 &&
               dpl__is_in_list(name, segments)) {
        begin_segment(x, name, attributes);
    } else if (x->segment && x->depth == x->segment + 1) {
        const bool is_target = strcmp(name, "target") == 0;
        if (is_target || strcmp(name, "source") == 0)
            start_side(x, is_target, attributes);
    }
    return DPL_OK;
}

static dpl_status give(dpl__xliff *x, dpl_error *err)
{
    if (x->is_long) {
        dpl__fail(err, DPL_E_LIMIT, "longer than %llu bytes",
                  (unsigned long long)x->max_record);
        dpl__error_place(err, x->line, 0, 0);
        return DPL_E_LIMIT;
    }
    if (!x->has_source)
        return DPL_OK;
    dpl__xliff_segment s = {.source = {x->texts[0].data, x->texts[0].n},
                            .target = {x->texts[1].data, x->texts[1].n},
                            .unit = x->n_units,
                            .is_ignorable = x->is_ignorable,
                            .line = x->line};
    if (x->is_untranslated)
        s.target.n = 0;
    if (x->is_ignorable && !s.target.n) /* the same in both, by the standard */
        s.target = s.source;
    return x->on_segment(x->user, &s, err);
}

static dpl_status end(void *user, const char *name, dpl_error *err)
{
    dpl__xliff *x = user;
    (void)name;
    const unsigned depth = x->depth--;
    if (depth == x->sub) {
        dpl_status status = add(x, " ", 1, err);
        x->sub = 0;
        return status;
    }
    if (depth == x->code)
        x->code = 0;
    if (depth == x->side) {
        x->side = 0;
        x->to = NULL;
    }
    dpl_status status = DPL_OK;
    if (depth == x->segment) {
        x->segment = 0;
        status = give(x, err);
    }
    if (depth == x->unit)
        x->unit = 0;
    return status;
}

static dpl_status text(void *user, dpl_str s, dpl_error *err)
{
    return add(user, s.data, s.n, err);
}

dpl_status dpl__xliff_begin(dpl__xliff *x, dpl_error *err)
{
    const dpl__xml xml = {
        .start = start, .end = end, .text = text, .user = x, .encoding = x->encoding};
    return dpl__xml_parser_new(&x->parser, x->ctx, &xml, err);
}

dpl_status dpl__xliff_feed(dpl__xliff *x, dpl_str bytes, bool is_last, dpl_error *err)
{
    return dpl__xml_parser_feed(x->parser, bytes, is_last, err);
}

void dpl__xliff_end(dpl__xliff *x)
{
    dpl__xml_parser_free(x->parser);
    dpl__vec_clear(x->ctx, &x->texts[0], &x->texts[1]);
}

bool dpl__is_xliff(dpl_str start_of_file)
{
    static const char tag[] = "<xliff";
    const size_t n = dpl__min(start_of_file.n, 1024);
    if (!n || dpl__trim(start_of_file).n == 0 || dpl__trim(start_of_file).data[0] != '<')
        return false;
    for (size_t i = 0; i + sizeof tag <= n; i++)
        if (memcmp(start_of_file.data + i, tag, sizeof tag - 1) == 0)
            return true;
    return false;
}
