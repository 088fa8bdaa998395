/*
 * charts.js - histograms as inline SVG.
 */

/* {from, to, counts} as columns; `describe(low, high, n)` is the text of a column. */
function histogram(data, label, describe) {
    const width = 420, height = 170, bottom = 22, left = 34, top = 8;
    const most = Math.max(1, ...data.counts);
    const step = (width - left) / data.counts.length;
    const scale = (height - bottom - top) / most;
    const chart = svg('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
    for (const share of [.5, 1]) {
        const y = height - bottom - most * scale * share;
        chart.append(svg('line', {x1: left, x2: width, y1: y, y2: y}),
                     svg('text', {x: left - 6, y: y + 4, 'text-anchor': 'end'}, count(Math.round(most * share))));
    }
    data.counts.forEach((n, i) => {
        const low = data.from + (data.to - data.from) * i / data.counts.length;
        const high = data.from + (data.to - data.from) * (i + 1) / data.counts.length;
        const tall = n ? Math.max(1.5, n * scale) : 0;
        const x = left + i * step;
        chart.append(svg('g', null,
            svg('rect', {x: x + step * .08, width: step * .84, y: height - bottom - tall, height: tall, rx: Math.min(2, step / 5)}),
            svg('rect', {class: 'hit-area', x, width: step, y: top, height: height - bottom - top},
                svg('title', null, describe(low, high, n)))));
    });
    chart.append(svg('line', {x1: left, x2: width, y1: height - bottom, y2: height - bottom}));
    for (const share of [0, .25, .5, .75, 1]) {
        const value = data.from + (data.to - data.from) * share;
        const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
        chart.append(svg('text', {x: left + (width - left) * share, y: height - 6, 'text-anchor': anchor},
                         String(Math.round(value * 100) / 100)));
    }
    return chart;
}

/* Rows of a table with a bar each: [{label, value, text}]. */
function barTable(caption, rows) {
    const most = Math.max(1e-9, ...rows.map((row) => row.value));
    return h('table', null, h('caption', {class: 'away'}, caption), h('tbody', null, rows.map((row) =>
        h('tr', null, h('th', {scope: 'row'}, row.label),
          h('td', {class: 'wide'}, bar(row.value / most, row.text)),
          h('td', {class: 'num'}, row.text)))));
}
