/*
 * plot.c - plots as a script for gnuplot that reads the tables beside it.
 *
 * The script stays beside the tables, so that anybody can change it and draw again. Eight
 * colours that people with any colour vision can tell apart (Okabe and Ito), each with a mark
 * and a dash of its own, so that a print in grey can be read as well. Every picture is drawn
 * twice, as .svg and .png.
 */
#include "lab/plot.h"

#include "lab/experiment_table.h"

#include "doppel/file.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>

extern char **environ;

static const char head[] = "# Draws the tables beside it. Run in this folder: gnuplot %s.gp\n"
                           "set datafile separator \"\\t\"\n"
                           "set datafile missing NaN\n"
                           "set encoding utf8\n"
                           "set border 3 lc rgb '#444444'\n"
                           "set tics nomirror out\n"
                           "set grid lc rgb '#dddddd' lt 1 lw 0.5\n"
                           "set key Left reverse opaque width -1 samplen 2.5 spacing 1.15\n"
                           "set style line 1 lc rgb '#0072B2' pt 7 ps 0.9 lw 2 dt 1\n"
                           "set style line 2 lc rgb '#D55E00' pt 5 ps 0.9 lw 2 dt (8,3)\n"
                           "set style line 3 lc rgb '#009E73' pt 9 ps 1.0 lw 2 dt (3,3)\n"
                           "set style line 4 lc rgb '#CC79A7' pt 13 ps 1.1 lw 2 dt (8,3,2,3)\n"
                           "set style line 5 lc rgb '#E69F00' pt 4 ps 0.9 lw 2 dt (12,4)\n"
                           "set style line 6 lc rgb '#56B4E9' pt 6 ps 0.9 lw 2 dt (2,2)\n"
                           "set style line 7 lc rgb '#000000' pt 2 ps 1.0 lw 2 dt 1\n"
                           "set style line 8 lc rgb '#888888' pt 8 ps 0.9 lw 2 dt (5,2)\n"
                           "set style fill solid 0.85 border lc rgb '#444444'\n"
                           "set style data linespoints\n";

enum { COLOURS = 8 };

static void append(dpl__lab *lab, const char *fmt, ...) DPL_PRINTF(2, 3);

static void append(dpl__lab *lab, const char *fmt, ...)
{
    char text[2000];
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < sizeof text);
    if (!dpl__vec_append(lab->ctx, &lab->plots, text, (size_t)n))
        lab->failed = DPL_E_NOMEM;
}

/* Within double quotes of the script. Between backquotes gnuplot runs a command, even there. */
static const char *quoted(char out[300], const char *text)
{
    size_t n = 0;
    for (; *text && n + 5 < 300; text++) {
        if (*text == '`') {
            memcpy(out + n, "\\140", 4);
            n += 4;
            continue;
        }
        if (*text == '"' || *text == '\\')
            out[n++] = '\\';
        out[n++] = *text;
    }
    out[n] = 0;
    return out;
}

static void set_range(dpl__lab *lab, const char *axis, double least, double most)
{
    if (least < most)
        append(lab, "set %srange [%g:%g]\n", axis, least, most);
    else
        append(lab, "set %srange [*:*]\n", axis);
}

static void set_axes(dpl__lab *lab, const dpl__lab_plot *p)
{
    char text[300];
    append(lab, "set xlabel \"%s\"\n", quoted(text, p->x_label));
    append(lab, "set ylabel \"%s\"\n", quoted(text, p->y_label));
    append(lab, "%sset logscale x\n%sset logscale y\n", p->x_log ? "" : "un",
           p->y_log ? "" : "un");
    if (p->x_step > 0)
        append(lab, "set xtics %s%g\n", p->x_log ? "1, " : "", p->x_step);
    else
        append(lab, "set xtics autofreq\n");
    const bool is_short = p->x_min < p->x_max && p->x_max <= 1e5;
    append(lab, "set format x \"%s\"\n", p->x_log && !is_short ? "%.0s%c" : "%g");
    append(lab, "set format y \"%%g\"\n");
    append(lab, "set format y \"%s\"\n", p->y_log && p->y_min >= 1 ? "10^{%L}" : "%h");
    set_range(lab, "x", p->x_min, p->x_max);
    set_range(lab, "y", p->y_min, p->y_max);
    append(lab, "set key inside vertical\nset key %s\n", p->legend ? p->legend : "top right");
}

/* "1:(...)": rows of other curves become gaps. */
static void put_using(dpl__lab *lab, const dpl__lab_curve *c, unsigned column)
{
    char text[300];
    if (c->rows)
        append(lab, "(strcol(1) eq \"%s\" ? column(%u) : NaN)", quoted(text, c->rows), column);
    else
        append(lab, "%u", column);
}

static void put_title(dpl__lab *lab, const dpl__lab_curve *c)
{
    char text[300];
    if (c->title)
        append(lab, "title \"%s\" noenhanced", quoted(text, c->title));
    else
        append(lab, "notitle");
}

static void put_curve(dpl__lab *lab, const dpl__lab_plot *p, size_t i)
{
    static const char *const with[] = {"linespoints", "lines", "lines", "points", "", "steps"};
    const dpl__lab_curve *c = &p->curves[i];
    const size_t colour = (c->colour ? c->colour - 1 : i) % COLOURS + 1;
    append(lab, "\"%s.tsv\" every ::1 using ", p->table->name);
    put_using(lab, c, c->x);
    append(lab, ":");
    put_using(lab, c, c->y);
    append(lab, " with %s ls %zu %s", with[c->style], colour,
           c->style == DPL_LAB_DASHED ? "dt (4,4) lw 1.5 " : "");
    put_title(lab, c);
    if (c->low) {
        append(lab, ", \\\n     \"%s.tsv\" every ::1 using ", p->table->name);
        put_using(lab, c, c->x);
        append(lab, ":");
        put_using(lab, c, c->y);
        append(lab, ":%u:%u with yerrorbars ls %zu lw 1 notitle", c->low, c->high, colour);
    }
    if (c->label) {
        append(lab, ", \\\n     \"%s.tsv\" every ::1 using ", p->table->name);
        put_using(lab, c, c->x);
        append(lab, ":");
        put_using(lab, c, c->y);
        append(lab, ":(strcol(%u)) with labels offset 0.5,%s left font \",8\" notitle",
               c->label, c->label_below ? "-0.6" : "0.7");
    }
}

static bool is_bars(const dpl__lab_plot *p)
{
    return p->n_curves && p->curves[0].style == DPL_LAB_BARS;
}

/* The cell of a column, from 1; a row ends with a line end. */
static dpl_str cell_of(const char *row, const char *end, unsigned column)
{
    for (; column > 1; column--) {
        const char *tab = memchr(row, '\t', (size_t)(end - row));
        if (!tab)
            return (dpl_str){end, 0};
        row = tab + 1;
    }
    const char *tab = memchr(row, '\t', (size_t)(end - row));
    return (dpl_str){row, (size_t)((tab ? tab : end) - row)};
}

/* Groups of bars have the names that the first curve has in its column x. */
static void put_groups(dpl__lab *lab, const dpl__lab_plot *p)
{
    const dpl__bytes *cells = &p->table->cells;
    const dpl__lab_curve *c = &p->curves[0];
    const char *at = cells->data, *stop = at + cells->n, *end;
    unsigned n = 0;
    append(lab, "set xtics (");
    for (; at < stop && (end = memchr(at, '\n', (size_t)(stop - at))) != NULL; at = end + 1) {
        const dpl_str first = cell_of(at, end, 1), name = cell_of(at, end, c->x);
        char text[100], out[300];
        if (c->rows &&
            (first.n != strlen(c->rows) || memcmp(first.data, c->rows, first.n) != 0))
            continue;
        snprintf(text, sizeof text, "%.*s", (int)dpl__min(name.n, sizeof text - 1), name.data);
        append(lab, "%s\"%s\" %u", n ? ", " : "", quoted(out, text), n + 1);
        n++;
    }
    append(lab, ")\n");
}

/* All curves as bars: gnuplot's histograms take them in the order of the rows, so each curve is
 * a block of its own, picked from the table. Fills differ in grey as well. */
static void put_histogram(dpl__lab *lab, const dpl__lab_plot *p)
{
    static const char *const fills[] = {"solid 0.9", "pattern 4", "solid 0.3", "pattern 1"};
    char text[300];
    put_groups(lab, p);
    append(lab, "set style data boxes\nset boxwidth %g\n", 0.8 / (double)p->n_curves);
    append(lab, "do for [i = 1:%zu] { eval sprintf(\"n%%d = 0\", i) }\n", p->n_curves);
    append(lab, "plot ");
    for (size_t i = 0; i < p->n_curves; i++) {
        const dpl__lab_curve *c = &p->curves[i];
        const double shift =
            ((double)i - 0.5 * (double)(p->n_curves - 1)) * 0.8 / (double)p->n_curves;
        append(lab, "%s\"%s.tsv\" every ::1 using (", i ? ", \\\n     " : "", p->table->name);
        if (c->rows)
            append(lab, "strcol(1) eq \"%s\" ? ", quoted(text, c->rows));
        append(lab, "(n%zu = n%zu + 1) + %g", i + 1, i + 1, shift);
        append(lab, "%s):", c->rows ? " : NaN" : "");
        put_using(lab, c, c->y);
        append(lab, " with boxes ls %zu dt 1 lw 1 fill %s ",
               (c->colour ? c->colour - 1 : i) % COLOURS + 1, fills[i % DPL_LEN(fills)]);
        put_title(lab, c);
    }
    append(lab, "\nset style data linespoints\nset xtics autofreq\n");
}

/* One kind of picture: terminal, output, plot. */
static void put_picture(dpl__lab *lab, const dpl__lab_plot *p, const char *name, bool is_png)
{
    append(lab, "%s",
           is_png ? "set terminal pngcairo size 960,640 font 'Sans,12'\n"
                  : "set terminal svg size 720,480 dynamic font 'Sans,12' "
                    "background 'white'\n");
    append(lab, "set output '%s.%s'\n", name, is_png ? "png" : "svg");
    if (is_bars(p)) {
        put_histogram(lab, p);
    } else {
        append(lab, "plot ");
        for (size_t i = 0; i < p->n_curves; i++) {
            append(lab, "%s", i ? ", \\\n     " : "");
            put_curve(lab, p, i);
        }
        char text[300];
        if (p->line_label)
            append(lab, ", \\\n     %g with lines lc rgb '#000000' lw 3 title \"%s\"", p->line,
                   quoted(text, p->line_label));
        append(lab, "\n");
    }
    append(lab, "unset output\n");
}

void dpl__lab_draw(dpl__lab *lab, const dpl__lab_plot *p)
{
    char name[200], text[300], title[300];
    snprintf(name, sizeof name, "%s%s%s", lab->about->name, p->more ? "-" : "",
             p->more ? p->more : "");
    snprintf(title, sizeof title, "%s, %s: %s", lab->about->paper, lab->about->item,
             lab->about->title);
    if (!lab->plots.n)
        append(lab, head, lab->about->name);
    append(lab, "\n# %s\n", name);
    append(lab, "set title \"%s\" noenhanced\n", quoted(text, p->title ? p->title : title));
    set_axes(lab, p);
    put_picture(lab, p, name, false);
    put_picture(lab, p, name, true);
    dpl_str kept = dpl__arena_copy(&lab->arena, dpl__cstr(name));
    if (!kept.data || !dpl__vec_push(lab->ctx, &lab->pictures, kept.data))
        lab->failed = DPL_E_NOMEM;
}

const char *dpl__lab_picture(const dpl__lab *lab, size_t i)
{
    return i < lab->pictures.n ? lab->pictures.data[i] : NULL;
}

/* ---- rendering ------------------------------------------------------------------------ */

/* Runs `renderer NAME.gp` in the folder; what it prints is dropped. 0, an errno, or -1 when it
 * failed by itself. */
static int run(const dpl__lab *lab, const char *script)
{
    char shell[] = "sh", flag[] = "-c", name[] = "doppel",
         line[] = "cd \"$1\" && exec \"$2\" \"$3\" >/dev/null 2>&1 </dev/null";
    char *arguments[] = {shell,
                         flag,
                         line,
                         name,
                         (char *)(uintptr_t)lab->folder,
                         (char *)(uintptr_t)lab->set->renderer,
                         (char *)(uintptr_t)script,
                         NULL};
    pid_t pid;
    const int error = posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ);
    if (error)
        return error;
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    if (!WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status) == 127 ? ENOENT : WEXITSTATUS(status) ? -1 : 0;
}

/* Pictures of an earlier run would not show these numbers. */
static void remove_pictures(const dpl__lab *lab)
{
    static const char *const endings[] = {"svg", "png"};
    for (size_t i = 0; dpl__lab_picture(lab, i); i++)
        for (size_t k = 0; k < DPL_LEN(endings); k++) {
            char path[4300];
            snprintf(path, sizeof path, "%s/%s.%s", lab->folder, dpl__lab_picture(lab, i),
                     endings[k]);
            remove(path);
        }
}

static void render(dpl__lab *lab, const char *script)
{
    const int error = run(lab, script);
    char text[300];
    if (!error)
        return;
    snprintf(text, sizeof text, "cannot draw with '%s': %s", lab->set->renderer,
             error < 0         ? "it failed"
             : error == ENOENT ? "there is no such program"
                               : strerror(error));
    lab->no_picture = dpl__arena_copy(&lab->arena, dpl__cstr(text)).data;
}

dpl_status dpl__lab_render(dpl__lab *lab, dpl_error *err)
{
    if (!lab->plots.n)
        return DPL_OK;
    char path[4200], script[200];
    remove_pictures(lab);
    snprintf(script, sizeof script, "%s.gp", lab->about->name);
    snprintf(path, sizeof path, "%s/%s", lab->folder, script);
    dpl_output *out = NULL;
    DPL_TRY(dpl_output_new(&out, lab->ctx, path, err));
    dpl_output_write(out, lab->plots.data, lab->plots.n);
    dpl_status status = dpl_output_finish(out, err);
    dpl_output_free(out);
    if (status == DPL_OK && lab->set->renderer)
        render(lab, script);
    else if (status == DPL_OK)
        lab->no_picture = "no program to draw with was given";
    return status;
}
