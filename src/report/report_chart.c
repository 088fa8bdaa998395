/*
 * report_chart.c - histograms become SVG.
 *
 * A drawing is as wide as the page lets it be: places along x are percentages, along y pixels,
 * so that text keeps its size on a phone. Outlines cannot have percentages; they stand in an
 * inner drawing of 1000 units that is stretched. Over each bin lies an invisible area whose
 * title gives the numbers.
 */
#include "report/report.h"

#include "report/markup.h"

#include <math.h>

enum { WIDTH = 1000, TOP = 18, BOTTOM = 22 };

/* What is seen of the plane: x from low to high, y from 0 to most. */
typedef struct frame {
    double low, high, most;
    int height;   /* of the plot, in pixels */
    bool is_root; /* y grows with the square root of a count */
} frame;

/* ---- places ------------------------------------------------------------------------- */

/* Can it be drawn? */
static bool has_range(const dpl__histogram *h)
{
    return h->low >= -1e6 && h->high <= 1e6 && h->high - h->low >= 1e-6;
}

/* Position from 0 to 1; values outside are moved to the edge. */
static double across(const frame *f, double x)
{
    assert(f->low < f->high);
    double share = (x - f->low) / (f->high - f->low);
    return share > 0 ? fmin(share, 1) : 0;
}

/* Pixels from the top of the plot. */
static double down(const frame *f, double count)
{
    assert(count >= 0 && f->most > 0);
    double share = count / f->most;
    return f->height * (1 - (f->is_root ? sqrt(share) : share));
}

static double bin_at(const dpl__histogram *h, int bin)
{
    assert(bin >= 0 && bin <= DPL__BINS);
    return h->low + (h->high - h->low) * bin / DPL__BINS;
}

static void frame_add(frame *f, const dpl__histogram *h)
{
    if (!has_range(h))
        return;
    bool is_first = f->low == f->high;
    f->low = is_first ? h->low : fmin(f->low, h->low);
    f->high = is_first ? h->high : fmax(f->high, h->high);
    for (int i = 0; i < DPL__BINS; i++)
        f->most = fmax(f->most, (double)h->n[i]);
}

/* An empty frame is drawn from 0 to 1. */
static void frame_end(frame *f)
{
    if (f->low == f->high)
        f->high = f->low + 1;
    f->most = fmax(f->most, 1);
}

/* The largest of 1, 2, 5, 10, 20, ... that is not above x; x > 0. */
static double nice(double x)
{
    assert(x > 0);
    double power = 1;
    while (power * 10 <= x)
        power *= 10;
    while (power > x)
        power /= 10;
    return power * 5 <= x ? power * 5 : power * 2 <= x ? power * 2 : power;
}

/* ---- parts of a drawing ------------------------------------------------------------- */

static void put_level(dpl_output *o, const frame *f, double count)
{
    double y = TOP + down(f, count);
    dpl__markup_put(o,
                    "<line class=\"grid\" x2=\"100%\" y1=\"$\" y2=\"$\"/>"
                    "<text x=\"-8\" y=\"$\" text-anchor=\"end\">$</text>",
                    dpl__as_place(y), dpl__as_place(y), dpl__as_place(y + 4),
                    dpl__as_count(count < 0x1p64 ? (uint64_t)count : UINT64_MAX));
}

/* Lines along which y is the same, with their counts in the margin. */
static void put_grid(dpl_output *o, const frame *f)
{
    double step = fmax(nice(f->most / 2), 1);
    for (double count = step; count <= f->most && !f->is_root; count += step)
        put_level(o, f, count);
    double last = 0;
    for (int third = 1; third <= 3 && f->is_root; third++) {
        double count = nice(f->most * third * third / 9);
        if (count >= last + 1)
            put_level(o, f, last = count);
    }
}

static void put_ticks(dpl_output *o, const frame *f)
{
    double step = nice((f->high - f->low) / 4);
    int digits = step < 0.01 ? 3 : step < 0.1 ? 2 : step < 1;
    double bottom = TOP + f->height;
    dpl__markup_put(o, "<line class=\"base\" x2=\"100%\" y1=\"$\" y2=\"$\"/>",
                    dpl__as_place(bottom), dpl__as_place(bottom));
    for (double i = ceil(f->low / step - 1e-9); i * step <= f->high + step * 1e-9; i++) {
        double share = across(f, i * step);
        dpl__markup_put(o, "<text x=\"$%\" y=\"$\" text-anchor=\"$\">$</text>",
                        dpl__as_place(100 * share), dpl__as_place(bottom + 16),
                        dpl__as_name(share < 0.02   ? "start"
                                     : share > 0.98 ? "end"
                                                    : "middle"),
                        dpl__as_fixed(i * step, digits));
    }
}

/* The part of the histogram between two values: steps, nothing where nothing was counted. */
static void put_steps(dpl_output *o, const frame *f, const dpl__histogram *h, double from,
                      double to, const char *name)
{
    dpl__markup_put(o, "<path class=\"$\" d=\"", dpl__as_name(name));
    bool is_down = true; /* at the baseline */
    for (int i = 0; i < DPL__BINS && has_range(h); i++) {
        double left = fmax(bin_at(h, i), from), right = fmin(bin_at(h, i + 1), to);
        if (!(left < right) || h->n[i] == 0) {
            if (!is_down)
                dpl__markup_put(o, "V$", dpl__as_place(f->height));
            is_down = true;
            continue;
        }
        if (is_down)
            dpl__markup_put(o, "M$ $", dpl__as_place(WIDTH * across(f, left)),
                            dpl__as_place(f->height));
        is_down = false;
        dpl__markup_put(o, "V$H$", dpl__as_place(down(f, (double)h->n[i])),
                        dpl__as_place(WIDTH * across(f, right)));
    }
    if (!is_down)
        dpl__markup_put(o, "V$", dpl__as_place(f->height));
    dpl__markup_raw(o, "\"/>");
}

static void begin_steps(dpl_output *o, const frame *f)
{
    dpl__markup_put(o,
                    "<svg y=\"$\" width=\"100%\" height=\"$\" viewBox=\"0 0 $ $\" "
                    "preserveAspectRatio=\"none\">",
                    dpl__as_place(TOP), dpl__as_place(f->height), dpl__as_place(WIDTH),
                    dpl__as_place(f->height));
}

/* The area over a bin, and what its title begins with; ends with "</title></rect>". */
static void begin_area(dpl_output *o, const frame *f, const dpl__histogram *h, int bin)
{
    double left = across(f, bin_at(h, bin)), right = across(f, bin_at(h, bin + 1));
    dpl__markup_put(o,
                    "<rect class=\"area\" x=\"$%\" y=\"$\" width=\"$%\" height=\"$\">"
                    "<title>$ to $: ",
                    dpl__as_place(100 * left), dpl__as_place(TOP),
                    dpl__as_place(100 * (right - left)), dpl__as_place(f->height),
                    dpl__as_fixed(bin_at(h, bin), 3), dpl__as_fixed(bin_at(h, bin + 1), 3));
}

/* The drawing and the beginning of its title; ids are distinct on the page. */
static void begin_chart(dpl_output *o, const frame *f, const char *kind, size_t id)
{
    dpl__markup_put(o,
                    "<svg class=\"chart\" height=\"$\" role=\"img\" aria-labelledby=\"$-$\">"
                    "<title id=\"$-$\">",
                    dpl__as_place(TOP + f->height + BOTTOM), dpl__as_name(kind),
                    dpl__as_place((double)id), dpl__as_name(kind), dpl__as_place((double)id));
}

/* ---- what histograms say ------------------------------------------------------------- */

uint64_t dpl__histogram_total(const dpl__histogram *h)
{
    uint64_t total = 0;
    for (int i = 0; i < DPL__BINS; i++)
        total = total + h->n[i] < total ? UINT64_MAX : total + h->n[i];
    return total;
}

/* Half of the things are below it; NAN when there are none. */
static double median(const dpl__histogram *h)
{
    double half = 0, sum = 0;
    for (int i = 0; i < DPL__BINS; i++)
        half += (double)h->n[i] / 2;
    for (int i = 0; i < DPL__BINS; i++) {
        double n = (double)h->n[i];
        if (n > 0 && sum + n >= half)
            return bin_at(h, i) + (half - sum) / n * (h->high - h->low) / DPL__BINS;
        sum += n;
    }
    return NAN;
}

/* ---- rounds ------------------------------------------------------------------------- */

static void put_round(dpl_output *o, const frame *f, const dpl__report_round *r, size_t index)
{
    double best = median(&r->best), second = median(&r->second);
    dpl__markup_put(o,
                    "</span><span>median of the best <b class=\"num\">$</b></span>"
                    "<span>of the second best <b class=\"num\">$</b></span></figcaption>\n",
                    dpl__as_fixed(best, 2), dpl__as_fixed(second, 2));
    begin_chart(o, f, "cosines", index + 1);
    dpl__markup_put(
        o,
        "Round $: cosines of $ documents with their best counterpart, median $, and "
        "with their second best, median $</title>\n",
        dpl__as_count(index), dpl__as_count(dpl__histogram_total(&r->best)),
        dpl__as_fixed(best, 2), dpl__as_fixed(second, 2));
    put_grid(o, f);
    begin_steps(o, f);
    put_steps(o, f, &r->second, -INFINITY, INFINITY, "chance");
    put_steps(o, f, &r->best, -INFINITY, INFINITY, "signal");
    dpl__markup_raw(o, "</svg>\n");
    put_ticks(o, f);
    bool is_shared = r->best.low == r->second.low && r->best.high == r->second.high;
    for (int i = 0; i < DPL__BINS && is_shared && has_range(&r->best); i++) {
        if (r->best.n[i] == 0 && r->second.n[i] == 0)
            continue;
        begin_area(o, f, &r->best, i);
        dpl__markup_put(o, "best $, second best $</title></rect>", dpl__as_count(r->best.n[i]),
                        dpl__as_count(r->second.n[i]));
    }
    dpl__markup_raw(o, "</svg></figure>\n");
}

void dpl__chart_rounds(dpl_output *o, const dpl__report *r, dpl_figure_value rounds,
                       const char *basis)
{
    frame f = {.height = 104};
    for (size_t i = 0; i < rounds.number; i++) {
        frame_add(&f, &r->rounds[i].best);
        frame_add(&f, &r->rounds[i].second);
    }
    frame_end(&f);
    for (size_t i = 0; i < rounds.number; i++) {
        const dpl_figures round = dpl_figure_element(&r->run, rounds, i);
        dpl__markup_put(o, "<figure class=\"round\"><figcaption><strong>Round $</strong><span>",
                        dpl__as_count(i));
        dpl__markup_figures(o, &round, i, basis);
        put_round(o, &f, &r->rounds[i], i);
    }
}

/* ---- confidence --------------------------------------------------------------------- */

static void put_threshold(dpl_output *o, const frame *f, double threshold)
{
    double share = across(f, threshold);
    bool is_right = share > 0.7;
    dpl__markup_put(o,
                    "<line class=\"cut\" x1=\"$%\" x2=\"$%\" y1=\"4\" y2=\"$\"/>"
                    "<text class=\"cut\" x=\"$%\" dx=\"$\" y=\"13\" text-anchor=\"$\">"
                    "threshold $</text>\n",
                    dpl__as_place(100 * share), dpl__as_place(100 * share),
                    dpl__as_place(TOP + f->height), dpl__as_place(100 * share),
                    dpl__as_place(is_right ? -6 : 6), dpl__as_name(is_right ? "end" : "start"),
                    dpl__as_fixed(threshold, 2));
}

void dpl__chart_confidence(dpl_output *o, const dpl__histogram *h, double threshold)
{
    frame f = {.height = 150, .is_root = true};
    frame_add(&f, h);
    frame_end(&f);
    bool has_threshold = isfinite(threshold);
    double cut = has_threshold ? threshold : -INFINITY;
    begin_chart(o, &f, "confidence", 1);
    dpl__markup_put(o, "Confidence of $ candidates, threshold at $</title>\n",
                    dpl__as_count(dpl__histogram_total(h)), dpl__as_fixed(threshold, 2));
    put_grid(o, &f);
    begin_steps(o, &f);
    put_steps(o, &f, h, -INFINITY, cut, "chance");
    put_steps(o, &f, h, cut, INFINITY, "signal");
    dpl__markup_raw(o, "</svg>\n");
    put_ticks(o, &f);
    if (has_threshold)
        put_threshold(o, &f, threshold);
    for (int i = 0; i < DPL__BINS && has_range(h); i++) {
        if (h->n[i] == 0)
            continue;
        begin_area(o, &f, h, i);
        dpl__markup_put(o, "$</title></rect>", dpl__as_count(h->n[i]));
    }
    dpl__markup_raw(o, "</svg>\n");
}
