/*
 * talk.c - error lines, hints, notes, the status line, and output that is not lost silently.
 */
#include "cli/talk.h"

#include "cli/hints.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
    const char *program;
    const char *speaker; /* the command's name */
    bool is_quiet;
    bool status_is_drawn;
    bool prints_to_stderr;
    int output_errno; /* of the first write that failed */
} talk = {.program = "doppel"};

static int exit_code(dpl_status status)
{
    switch (status) {
    case DPL_OK:
    case DPL_END: return CLI_DONE;
    case DPL_E_USAGE: return CLI_USAGE;
    case DPL_E_FORMAT: return CLI_DAMAGED;
    case DPL_E_STOPPED: return CLI_INTERRUPTED;
    default: return CLI_FAILED;
    }
}

/* ---- the terminal ------------------------------------------------------------------- */

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static bool has_colour(void)
{
    const char *no = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    return is_terminal() && !(no && *no);
}

unsigned cli_width(int fd)
{
    struct winsize size;
    if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long n = columns ? strtol(columns, NULL, 10) : 0;
    return n > 0 && n < 10000 ? (unsigned)n : 80;
}

bool cli_shows_status(void)
{
    /* a job in the background must not write over the prompt */
    return !talk.is_quiet && is_terminal() && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

void cli_status(const char *line)
{
    static const char erase[] = "\r\033[K";
    if ((!line && !talk.status_is_drawn) || (line && !cli_shows_status()))
        return;
    fprintf(stderr, "%s%s", erase, line ? line : "");
    fflush(stderr);
    talk.status_is_drawn = line != NULL;
}

/* ---- talk --------------------------------------------------------------------------- */

void cli_talk_as(const char *command)
{
    talk.speaker = command;
}

void cli_talk_less(void)
{
    talk.is_quiet = true;
}

/* One line; control characters of a hostile file name must not reach the terminal. */
static void say(const char *fmt, va_list ap)
{
    char line[2048];
    vsnprintf(line, sizeof line, fmt, ap);
    for (unsigned char *p = (unsigned char *)line; *p; p++)
        if (*p < 0x20 || *p == 0x7F)
            *p = '?';
    fprintf(stderr, "%s\n", line);
}

static void say_label(const char *colour, const char *label, const char *more)
{
    cli_status(NULL);
    bool has = has_colour();
    fprintf(stderr, "%s%s%s%s:%s ", has ? colour : "", label, more ? " " : "", more ? more : "",
            has ? "\033[0m" : "");
}

void cli_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_label("\033[1;31m", talk.program, talk.speaker);
    say(fmt, ap);
    va_end(ap);
}

void cli_hint(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_label("\033[36m", "hint", NULL);
    say(fmt, ap);
    va_end(ap);
}

void cli_note(const char *fmt, ...)
{
    if (talk.is_quiet)
        return;
    va_list ap;
    va_start(ap, fmt);
    cli_status(NULL);
    say(fmt, ap);
    va_end(ap);
}

int cli_fail(const dpl_error *err)
{
    bool was_stopped = err->status == DPL_E_STOPPED;
    cli_error("%s", was_stopped    ? "interrupted"
                    : err->text[0] ? err->text
                                   : dpl_status_name(err->status));
    char room[400];
    const char *hint = cli_hint_as(room, sizeof room, talk.speaker, err->code);
    if (err->hint[0] && !was_stopped)
        cli_hint("%s", err->hint);
    if (hint && !was_stopped)
        cli_hint("%s", hint);
    return exit_code(err->status);
}

int cli_no_memory(void)
{
    return cli_fail(&(dpl_error){.status = DPL_E_NOMEM});
}

/* ---- data --------------------------------------------------------------------------- */

static FILE *output(void)
{
    if (talk.prints_to_stderr)
        cli_status(NULL);
    return talk.prints_to_stderr ? stderr : stdout;
}

void cli_print(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (vfprintf(output(), fmt, ap) < 0 && !talk.output_errno)
        talk.output_errno = errno;
    va_end(ap);
}

void cli_write(const void *data, size_t n)
{
    if (n && fwrite(data, 1, n, output()) != n && !talk.output_errno)
        talk.output_errno = errno;
}

void cli_print_to_stderr(void)
{
    talk.prints_to_stderr = true;
}

/* ---- begin and end ------------------------------------------------------------------ */

void cli_talk_begin(const char *name)
{
    talk.program = name;
    /* A descriptor that is closed would be taken by the first file we open. The one put there
     * instead is opened the wrong way round, so that using it still fails. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* over `ulimit -f`: an error with the file's name */
#endif
    setlocale(LC_CTYPE, "C.UTF-8"); /* for wcwidth; our text is UTF-8 whatever the user's is */
}

int cli_talk_end(int code)
{
    cli_status(NULL);
    if (fflush(stdout) != 0 && !talk.output_errno)
        talk.output_errno = errno;
    if (!talk.output_errno)
        return code;
    if (talk.output_errno != EPIPE)
        cli_error("cannot write to standard output: %s", strerror(talk.output_errno));
    return code == CLI_DONE ? CLI_FAILED : code;
}
