/*
 * overview.js - the collection in figures.
 */

function card(title, note, ...content) {
    return h('section', {class: 'card'}, h('h2', null, title), note && h('p', {class: 'small soft'}, note), content);
}

async function overviewView(view) {
    view.title('Overview');
    const info = app.info;
    const tiles = [];
    if (info.languages.length) tiles.push(card('Languages', null, barTable('documents per language', info.languages.map((l) =>
        ({label: [badge(l.lang), ' ', languageName(l.lang)], value: l.documents, text: count(l.documents)})))));
    if (info.index && info.index.receipt.sampled) tiles.push(card('Similarity of neighbours',
        'How similar each document is to its nearest one. Copies and translations stand on the right.',
        histogram({from: 0, to: 1, counts: info.index.receipt.nearest}, 'histogram of the similarity to the nearest document',
                  (low, high, n) => `${score(low)} to ${score(high)}: ${plural(n, 'document')}`)));
    if (info.index && info.index.parts.length) tiles.push(card('Where the bytes are', null,
        barTable('bytes per section', [...info.index.parts].sort((a, b) => b.bytes - a.bytes).map((s) =>
            ({label: h('span', {title: s.about || null}, s.name), value: s.bytes, text: bytes(s.bytes)})))));
    if (info.mine) {
        tiles.push(card('Confidence of pairs', 'Estimated probability that a pair is a translation.',
            histogram(info.mine.confidence, 'histogram of the confidence of pairs',
                      (low, high, n) => `${score(low)} to ${score(high)}: ${plural(n, 'pair')}`)));
        tiles.push(card('Pairs of languages', null, barTable('pairs of documents per pair of languages', info.mine.language_pairs.map((p) =>
            ({label: [badge(p.left_lang), ' ', badge(p.right_lang)], value: p.n_pairs, text: count(p.n_pairs)})))));
    }
    const facts = [];
    if (info.index) {
        facts.push(['hash function', info.index.function], ['distinct codes', count(info.index.slots)],
                   ['checksum', `${info.index.checksum} bits`], ['texts inside', info.texts ? 'yes' : 'no'],
                   ['lexicon inside', info.lexicon ? 'yes' : 'no']);
        if (info.documents) facts.push(['bytes per document', count(Math.round(info.index.bytes / info.documents))]);
    }
    if (facts.length) tiles.push(card('What is inside', null, h('table', null, h('tbody', null, facts.map(([name, value]) =>
        h('tr', null, h('th', {scope: 'row'}, name), h('td', {class: 'num'}, value)))))));
    view.show(h('div', null, h('h1', {tabindex: -1}, 'Overview of ', h('bdi', {dir: 'auto'}, info.name)), figures(info), h('div', {class: 'tiles'}, tiles)));
}
