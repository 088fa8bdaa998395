/*
 * text.js - texts of any length with marked passages.
 *
 * The server counts bytes of UTF-8, a browser counts UTF-16 units: utf16Places() converts. A text
 * is cut into paragraphs of limited length; the browser lays out only those in sight
 * (content-visibility), so that 100,000 words open as fast as 100.
 */

/* From rising byte offsets to offsets in the string. */
function utf16Places(text, byteOffsets) {
    const places = new Array(byteOffsets.length);
    let at = 0, n = 0;
    for (let i = 0; i < byteOffsets.length; i++) {
        while (n < byteOffsets[i] && at < text.length) {
            const unit = text.charCodeAt(at);
            if (unit < 0x80) n += 1;
            else if (unit < 0x800) n += 2;
            else if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) {
                n += 4; /* a pair of surrogates */
                at++;
            } else n += 3;
            at++;
        }
        places[i] = at;
    }
    return places;
}

/* Spans [begin, end] in bytes, in any order, to the same in UTF-16. */
function utf16Spans(text, spans) {
    const offsets = [...new Set(spans.flat())].sort((a, b) => a - b);
    const places = utf16Places(text, offsets);
    const place = new Map(offsets.map((offset, i) => [offset, places[i]]));
    return spans.map(([begin, end]) => [place.get(begin), place.get(end)]);
}

/* Where the paragraphs of a text begin and end; long ones are cut at a blank. */
function paragraphs(text, longest = 2500) {
    const pieces = [];
    for (let begin = 0; begin < text.length;) {
        let end = text.indexOf('\n', begin);
        if (end < 0) end = text.length;
        for (let from = begin, first = true; from < end; first = false) {
            let to = end;
            if (end - from > longest) {
                to = text.lastIndexOf(' ', from + longest) + 1;
                if (to <= from + longest / 2) to = from + longest;
                const unit = text.charCodeAt(to);
                if (unit >= 0xdc00 && unit < 0xe000) to++; /* not between surrogates */
            }
            if (text.slice(from, to).trim()) pieces.push({from, to, isContinued: !first});
            from = to;
        }
        begin = end + 1;
    }
    return pieces;
}

const HUES = [250, 95, 150, 330, 45, 200];
const hueOfPassage = (i) => HUES[i % HUES.length];

/* The stretches of [from, to) with the marks that cover each, in order. sorted: by their begin. */
function stretches(from, to, sorted) {
    const inside = sorted.filter((mark) => mark.from < to && mark.to > from);
    const edges = new Set([from, to]);
    for (const mark of inside) {
        edges.add(Math.max(from, mark.from));
        edges.add(Math.min(to, mark.to));
    }
    const places = [...edges].sort((a, b) => a - b);
    return places.slice(1).map((end, i) => ({from: places[i], to: end,
        marks: inside.filter((mark) => mark.from <= places[i] && mark.to >= end)}));
}

/*
 * Fills `box` with the paragraphs of the text. marks: {from, to, index}; they may overlap. Returns
 * per index its mark elements.
 */
function renderText(box, text, lang, marks) {
    const sorted = [...marks].sort((a, b) => a.from - b.from || b.to - a.to);
    const longest = Math.max(0, ...sorted.map((mark) => mark.to - mark.from));
    const elements = new Map();
    const fragment = document.createDocumentFragment();
    let first = 0; /* the first mark that may reach into what follows */
    for (const piece of paragraphs(text)) {
        const p = h('p', {dir: 'auto', lang: lang && lang !== 'und' ? lang : null, class: piece.isContinued ? 'cont' : null});
        p.style.containIntrinsicSize = `auto ${Math.ceil((piece.to - piece.from) / 62) * 1.72}rem`;
        while (first < sorted.length && sorted[first].from + longest <= piece.from) first++;
        let last = first;
        while (last < sorted.length && sorted[last].from < piece.to) last++;
        for (const part of stretches(piece.from, piece.to, sorted.slice(first, last))) {
            const content = text.slice(part.from, part.to);
            if (!part.marks.length || !content.trim()) {
                p.append(content);
                continue;
            }
            const indices = part.marks.map((mark) => mark.index);
            const isFirst = indices.some((index) => !elements.has(index));
            const mark = h('mark', {'data-passage': indices.join(' '), '--hue': hueOfPassage(indices[0]), tabindex: isFirst ? 0 : null,
                                    title: `passage ${indices.map((index) => index + 1).join(', ')}`}, content);
            for (const index of indices) elements.set(index, [...(elements.get(index) || []), mark]);
            p.append(mark);
        }
        fragment.append(p);
    }
    box.replaceChildren(fragment);
    return elements;
}

/* Places that match in the elements' text, as ranges for the highlight of the browser. */
function matchRanges(root, pattern, most) {
    const ranges = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && ranges.length < most) {
        const node = walker.currentNode;
        for (const found of node.data.matchAll(pattern)) {
            const range = document.createRange();
            range.setStart(node, found.index);
            range.setEnd(node, found.index + found[0].length);
            ranges.push(range);
        }
    }
    return ranges;
}

/* Places of a word; where there are none, of words that begin with it: it may be a stem. */
function wordRanges(root, word, most = 2000) {
    const escaped = word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
    const begin = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}[\\p{L}\\p{N}\\p{M}]*`, 'giu');
    const ranges = matchRanges(root, whole, most);
    return ranges.length ? ranges : matchRanges(root, begin, most);
}

/* A stem as it stands in a text: the first word that begins with it; stems may be without the accents of
 * their words. */
function surfaceOf(text, stem) {
    if (typeof text !== 'string' || stem.length < 3) return stem;
    const escaped = stem.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const word = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}[\\p{L}\\p{N}\\p{M}]*`, 'iu');
    const part = text.slice(0, 100000);
    const found = word.exec(part) || word.exec(part.replace(/[\u00c0-\u017f]/g, (letter) => letter.normalize('NFD')[0]));
    return found && found[0].length < stem.length + 8 ? part.substr(found.index, found[0].length) : stem;
}

/* The first words of a text, for headings. */
function beginning(text, length = 70) {
    const line = text.slice(0, 4 * length).replace(/\s+/g, ' ').trim();
    if (line.length <= length) return line;
    const cut = line.lastIndexOf(' ', length);
    return line.slice(0, cut > length / 2 ? cut : length) + ' …';
}
