/*
 * error.c - fills the caller's error record.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

const char *dpl_status_name(dpl_status status)
{
    switch (status) {
    case DPL_OK: return "ok";
    case DPL_END: return "end";
    case DPL_E_NOMEM: return "out of memory";
    case DPL_E_LIMIT: return "over the memory limit";
    case DPL_E_IO: return "input or output failed";
    case DPL_E_FORMAT: return "damaged input";
    case DPL_E_USAGE: return "wrong usage";
    case DPL_E_UNSUPPORTED: return "not supported";
    case DPL_E_STOPPED: return "stopped";
    case DPL_E_NOTHING: return "nothing in common";
    }
    return "unknown status";
}

/* Control characters of a hostile file name or input must not reach a terminal, and the text
 * must stay one line. */
static void make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++)
        if (*p < 0x20 || *p == 0x7F)
            *p = '?';
}

static void fill(dpl_error *err, dpl_status status, int sys_errno, const char *fmt, va_list ap)
{
    if (!err)
        return;
    *err = (dpl_error){.status = status, .sys_errno = sys_errno};
    int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
    if (sys_errno && n >= 0 && (size_t)n < sizeof err->text) {
        char reason[128] = "";
        if (strerror_r(sys_errno, reason, sizeof reason) != 0)
            snprintf(reason, sizeof reason, "error %d", sys_errno);
        snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", reason);
    }
    make_printable(err->text);
}

dpl_status dpl__fail(dpl_error *err, dpl_status status, const char *fmt, ...)
{
    assert(status < 0);
    va_list ap;
    va_start(ap, fmt);
    fill(err, status, 0, fmt, ap);
    va_end(ap);
    return status;
}

dpl_status dpl__fail_code(dpl_error *err, dpl_status status, const char *code, const char *fmt,
                          ...)
{
    assert(status < 0);
    va_list ap;
    va_start(ap, fmt);
    fill(err, status, 0, fmt, ap);
    va_end(ap);
    return dpl__code(err, status, code);
}

dpl_status dpl__fail_errno(dpl_error *err, int sys_errno, const char *fmt, ...)
{
    assert(sys_errno > 0);
    dpl_status status = sys_errno == ENOMEM ? DPL_E_NOMEM : DPL_E_IO;
    va_list ap;
    va_start(ap, fmt);
    fill(err, status, sys_errno, fmt, ap);
    va_end(ap);
    return status;
}

dpl_status dpl__fail_nomem(dpl_error *err)
{
    return dpl__fail(err, DPL_E_NOMEM, "out of memory");
}

void dpl__error_place(dpl_error *err, uint64_t line, uint64_t column, uint64_t offset)
{
    if (err) {
        err->line = line;
        err->column = column;
        err->offset = offset;
    }
}

void dpl__hint(dpl_error *err, const char *fmt, ...)
{
    if (!err)
        return;
    assert(err->status < 0); /* a hint belongs to a failure */
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->hint, sizeof err->hint, fmt, ap);
    va_end(ap);
    make_printable(err->hint);
}

dpl_status dpl__code(dpl_error *err, dpl_status status, const char *code)
{
    assert(strlen(code) < sizeof err->code);
    if (err)
        snprintf(err->code, sizeof err->code, "%s", code);
    return status;
}
