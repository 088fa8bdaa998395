/*
 * message.c - answers under construction, and the parts of a request's target.
 */
#include "serve/message.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/options.h"
#include "doppel/options.h"
#include "unicode/unicode.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- answers -------------------------------------------------------------------------- */

/* Policy of every answer but the page: nothing of it may run or be framed. */
static const char strict_policy[] = "default-src 'none'; frame-ancestors 'none'";

void dpl__answer_init(dpl__answer *a, dpl_ctx *ctx)
{
    *a = (dpl__answer){.ctx = ctx, .text = {.ctx = ctx}};
    dpl__arena_init(&a->arena, ctx);
    dpl__answer_reset(a);
}

void dpl__answer_reset(dpl__answer *a)
{
    dpl__arena_reset(&a->arena);
    a->text.bytes.n = 0;
    a->text.has_failed = false;
    a->fixed = (dpl_str){0};
    a->status = 0;
    a->type = "application/json";
    a->policy = strict_policy;
    a->allow = NULL;
    a->route = 0;
    a->is_cacheable = false;
}

void dpl__answer_clear(dpl__answer *a)
{
    dpl__arena_clear(&a->arena);
    dpl__vec_clear(a->ctx, &a->text.bytes);
}

dpl_str dpl__answer_body(const dpl__answer *a)
{
    return a->fixed.data ? a->fixed : (dpl_str){a->text.bytes.data, a->text.bytes.n};
}

dpl_json dpl__answer_json(dpl__answer *a)
{
    a->status = 200;
    a->text.bytes.n = 0;
    dpl_json j = dpl__json_into(&a->text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    return j;
}

static void put_error(dpl__answer *a, const char *code, const char *message, const char *hint)
{
    dpl_json j = dpl__answer_json(a);
    dpl_json_begin(&j, "error", '{');
    dpl_json_cstr(&j, "code", code);
    dpl_json_cstr(&j, "message", message);
    if (*hint)
        dpl_json_cstr(&j, "hint", hint);
    dpl_json_end(&j, '}');
    dpl_json_end(&j, '}');
}

void dpl__answer_error(dpl__answer *a, unsigned status, const char *code, const char *fmt, ...)
{
    char message[600];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    put_error(a, code, message, "");
    a->status = status;
}

void dpl__answer_failure(dpl__answer *a, dpl_status status, const dpl_error *err)
{
    const bool is_full = status == DPL_E_NOMEM || status == DPL_E_LIMIT;
    const bool is_request = status == DPL_E_USAGE;
    put_error(a,
              is_full      ? "busy"
              : is_request ? "bad-request"
                           : "failed",
              err->text[0] ? err->text : dpl_status_name(status), err->hint);
    a->status = is_full ? 503 : is_request ? 400 : 500;
}

/* ---- text ------------------------------------------------------------------------------ */

bool dpl__digits(uint64_t *out, dpl_str s)
{
    if (s.n == 0 || s.n > 18)
        return false;
    const uint64_t n = dpl__take_digits(&s);
    if (s.n == 0)
        *out = n;
    return s.n == 0;
}

/* Titles of a whole index are searched so: what is common, another first letter, is fast. */
bool dpl__has_part(dpl_str text, dpl_str part)
{
    if (!part.n)
        return true;
    const char low = dpl__to_lower(part.data[0]);
    const char high = low >= 'a' && low <= 'z' ? (char)(low & ~0x20) : low;
    for (size_t i = 0; i + part.n <= text.n; i++) {
        if (text.data[i] != low && text.data[i] != high)
            continue;
        size_t k = 1;
        while (k < part.n && dpl__to_lower(text.data[i + k]) == dpl__to_lower(part.data[k]))
            k++;
        if (k == part.n)
            return true;
    }
    return false;
}

bool dpl__has_type(dpl_str content_type, const char *type)
{
    const size_t n = strlen(type);
    if (content_type.n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((content_type.data[i] | 0x20) != (type[i] | 0x20))
            return false;
    return content_type.n == n || content_type.data[n] == ';' || content_type.data[n] == ' ' ||
           content_type.data[n] == '\t';
}

/* ---- the target ------------------------------------------------------------------------ */

/* Percent-decoding into the arena; `+` is a blank in a query. Not valid: data is NULL. */
static dpl_str decode(dpl_str s, bool is_query, dpl__answer *a)
{
    char *to = dpl__arena_alloc(&a->arena, s.n + 1);
    size_t n = 0;
    if (!to)
        return (dpl_str){0};
    for (size_t i = 0; i < s.n; i++) {
        if (s.data[i] != '%') {
            to[n++] = is_query && s.data[i] == '+' ? ' ' : s.data[i];
            continue;
        }
        if (s.n - i < 3 || dpl__hex_digit(s.data[i + 1]) < 0 ||
            dpl__hex_digit(s.data[i + 2]) < 0)
            return (dpl_str){0};
        to[n++] = (char)(dpl__hex_digit(s.data[i + 1]) << 4 | dpl__hex_digit(s.data[i + 2]));
        i += 2;
    }
    to[n] = 0;
    dpl_str out = {to, n};
    return dpl__is_utf8(a->ctx, out) ? out : (dpl_str){0};
}

static bool bad_encoding(dpl__answer *a)
{
    dpl__answer_error(a, 400, "bad-request", "the path or query is not percent-encoded UTF-8");
    return false;
}

/* The part of *s in front of the first c, which is taken away from it with c. */
static dpl_str cut(dpl_str *s, char c)
{
    const char *at = s->n ? memchr(s->data, c, s->n) : NULL;
    dpl_str part = {s->data, at ? (size_t)(at - s->data) : s->n};
    const size_t taken = part.n + (at ? 1 : 0);
    *s = (dpl_str){s->data ? s->data + taken : NULL, s->n - taken};
    return part;
}

bool dpl__target_parse(dpl_str *path, dpl__parameters *out, dpl_str target, dpl__answer *a)
{
    out->n = 0;
    *path = decode(cut(&target, '?'), false, a);
    if (!path->data)
        return bad_encoding(a);
    while (target.n) {
        dpl_str value = cut(&target, '&');
        if (!value.n)
            continue;
        if (out->n == DPL__MOST_PARAMETERS) {
            dpl__answer_error(a, 400, "bad-request", "too many parameters");
            return false;
        }
        dpl__parameter *p = &out->at[out->n++];
        p->name = decode(cut(&value, '='), true, a);
        p->value = decode(value, true, a);
        if (!p->name.data || !p->value.data)
            return bad_encoding(a);
    }
    return true;
}

bool dpl__path_matches(const char *pattern, dpl_str path, dpl_str *part)
{
    size_t i = 0;
    *part = (dpl_str){0};
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (i == path.n || path.data[i++] != *pattern)
                return false;
            continue;
        }
        const size_t begin = i;
        while (i < path.n && path.data[i] != '/')
            i++;
        *part = (dpl_str){path.data + begin, i - begin};
        if (!part->n)
            return false;
    }
    return i == path.n;
}

/* ---- parameters ------------------------------------------------------------------------ */

/* The first one of that name, NULL when there is none. */
static const dpl__parameter *find(const dpl__parameters *p, const char *name)
{
    const dpl_str wanted = dpl__cstr(name);
    for (size_t i = 0; i < p->n; i++)
        if (dpl__str_eq(p->at[i].name, wanted))
            return &p->at[i];
    return NULL;
}

bool dpl__parameter_text(dpl_str *out, const dpl__parameters *p, const char *name, size_t most,
                         dpl__answer *a)
{
    const dpl__parameter *found = find(p, name);
    if (!found)
        return true;
    *out = found->value;
    if (dpl__utf8_length(*out) <= most)
        return true;
    dpl__answer_error(a, 400, "bad-request", "'%s' must be at most %zu characters", name, most);
    return false;
}

bool dpl__parameter_count(uint64_t *out, const dpl__parameters *p, const char *name,
                          uint64_t least, uint64_t most, dpl__answer *a)
{
    const dpl__parameter *found = find(p, name);
    if (!found)
        return true;
    if (dpl__digits(out, found->value) && *out >= least && *out <= most)
        return true;
    dpl__answer_error(a, 400, "bad-request", "'%s' must be a whole number from %llu to %llu",
                      name, (unsigned long long)least, (unsigned long long)most);
    return false;
}

bool dpl__parameter_share(double *out, const dpl__parameters *p, const char *name,
                          dpl__answer *a)
{
    const dpl__parameter *found = find(p, name);
    if (!found)
        return true;
    if (dpl__parse_real(out, found->value) && *out >= 0 && *out <= 1)
        return true;
    dpl__answer_error(a, 400, "bad-request", "'%s' must be a number from 0 to 1", name);
    return false;
}

bool dpl__parameter_choice(unsigned *out, const dpl__parameters *p, const char *name,
                           const char *const *choices, dpl__answer *a)
{
    const dpl__parameter *found = find(p, name);
    if (!found)
        return true;
    char list[200] = "";
    size_t n = 0;
    for (unsigned i = 0; choices[i]; i++) {
        if (dpl__str_eq(found->value, dpl__cstr(choices[i]))) {
            *out = i;
            return true;
        }
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", choices[i]);
        assert(n < sizeof list);
    }
    dpl__answer_error(a, 400, "bad-request", "'%s' must be one of: %s", name, list);
    return false;
}

bool dpl__parameter_bool(bool *out, const dpl__parameters *p, const char *name, dpl__answer *a)
{
    static const char *const choices[] = {"false", "true", NULL};
    unsigned choice = *out;
    if (!dpl__parameter_choice(&choice, p, name, choices, a))
        return false;
    *out = choice != 0;
    return true;
}
