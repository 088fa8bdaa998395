/*
 * dom.js - making elements, and the small parts that every view uses.
 *
 * No string ever becomes markup: h() takes strings as text nodes, and nothing here or elsewhere
 * uses innerHTML. Styles that depend on data are set through the CSSOM, which the policy allows.
 */

/* h('a', {href: '#/', class: 'x', onclick: f}, 'text', [more, nodes]) */
function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props || {})) {
        if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (name.startsWith('--')) element.style.setProperty(name, value);
        else if (name === 'width') element.style.width = value;
        else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
    }
    element.append(...flat(children));
    return element;
}

function flat(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

function svg(tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...flat(children));
    return element;
}

const byId = (id) => document.getElementById(id);

/* ---- words and numbers ---------------------------------------------------------------- */

const numberFormat = new Intl.NumberFormat('en');
const count = (n) => numberFormat.format(n);
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many || one + 's'}`;
const percent = (x) => `${Math.round(100 * x)} %`;
const score = (x) => x.toFixed(2);
const probability = (x) => x.toFixed(3);

function bytes(n) {
    const units = ['B', 'kB', 'MB', 'GB'];
    let unit = 0;
    while (n >= 1000 && unit < 3) {
        n /= 1000;
        unit++;
    }
    return `${unit && n < 100 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

function duration(micros) {
    return micros < 1000 ? `${Math.round(micros)} µs` : micros < 1e6 ? `${(micros / 1000).toFixed(1)} ms`
                                                                    : `${(micros / 1e6).toFixed(1)} s`;
}

const languageNames = (() => {
    try {
        return new Intl.DisplayNames(['en'], {type: 'language'});
    } catch {
        return null;
    }
})();

function languageName(lang) {
    if (!lang || lang === 'und') return 'language not known';
    try {
        return (languageNames && languageNames.of(lang)) || lang;
    } catch {
        return lang; /* not a code that the browser knows */
    }
}

/* Characters that reorder their surroundings have no place in a title. */
const withoutOverrides = (title) => title.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

function titleOf(doc) {
    return withoutOverrides(doc.title || '').trim() || doc.id || `document ${doc.row}`;
}

/* ---- parts ---------------------------------------------------------------------------- */

/* A hue from the code, the same everywhere. */
function hueOf(lang) {
    const known = {de: 255, en: 25, fr: 300, es: 60, it: 150, pt: 170, nl: 40, pl: 350, ru: 200, hu: 130,
                   cs: 320, sv: 230, zh: 10, ja: 340, ar: 100, he: 220, uk: 90};
    if (lang in known) return known[lang];
    let hash = 7;
    for (const letter of lang) hash = (hash * 31 + letter.codePointAt(0)) % 360;
    return hash;
}

function badge(lang) {
    const code = lang || 'und';
    return h('abbr', {class: 'badge', title: languageName(code), '--hue': hueOf(code)}, code === 'und' ? '?' : code);
}

const knownBadge = (lang) => (lang && lang !== 'und' ? badge(lang) : null);

/* A title as it stands in a list or heading: its own direction, its own language. */
function titleText(doc) {
    return h('bdi', {dir: 'auto', lang: doc.lang || null}, titleOf(doc));
}

function bar(value, label) {
    const share = Math.max(0, Math.min(1, value));
    return h('div', {class: 'bar', role: 'img', 'aria-label': label || `similarity ${score(value)}`},
             h('i', {width: `${100 * share}%`}));
}

/* The words that carry the similarity; `onpick(term)` makes them buttons. */
function termList(terms, onpick) {
    if (!terms || !terms.length) return null;
    const top = Math.max(...terms.map((term) => term.weight), 1e-9);
    return h('ul', {class: 'terms', 'aria-label': 'words that carry the similarity'}, terms.map((term) => {
        const same = term.query.toLowerCase() === term.document.toLowerCase();
        const words = same ? [h('bdi', null, term.query)]
                           : [h('bdi', null, term.query), h('span', {class: 'arrow', 'aria-label': 'translates to'}, '→'),
                              h('bdi', null, term.document)];
        const props = {class: 'term', '--weight': (.05 + .2 * term.weight / top).toFixed(3),
                       title: `${percent(term.weight)} of the similarity`};
        if (!onpick) return h('li', props, words);
        const button = h('button', {...props, type: 'button', 'aria-pressed': 'false',
                                    onclick: () => onpick(term, button)}, words);
        return h('li', null, button);
    }));
}

function notice(title, text, ...buttons) {
    return h('div', {class: 'notice'}, h('h2', null, title), text && h('p', null, text),
             buttons.length ? h('div', {class: 'row'}, buttons) : null);
}

function errorNotice(error, retry) {
    const box = notice(error.title || 'This did not work', error.message,
                       retry && h('button', {class: 'button', type: 'button', onclick: retry}, 'Try again'),
                       h('a', {class: 'button', href: '#/'}, 'Start page'));
    if (error.hint) box.insertBefore(h('p', {class: 'small'}, error.hint), box.querySelector('.row'));
    box.classList.add('error');
    box.setAttribute('role', 'alert');
    return box;
}

function loadingNotice(text, cancel) {
    return h('div', {class: 'notice loading', role: 'status'}, h('div', {class: 'spinner'}), h('p', null, text),
             cancel && h('div', {class: 'row'},
                         h('button', {class: 'button', type: 'button', onclick: cancel}, 'Cancel')));
}

/* The id of a document; an address is a link, and so is a page of the site that this page is part of (tools/site). */
function idPart(id) {
    const site = byId('site-data');
    const address = /^https?:\/\//.test(id) ? id : site && /\.html$/.test(id) ? JSON.parse(site.textContent).folder + id : null;
    return h('bdi', null, address ? h('a', {href: address, rel: 'noreferrer'}, id) : id);
}

function announce(text) {
    byId('announce').textContent = text;
}

/* An icon of lines, 24 units wide. */
function icon(...paths) {
    return svg('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'}, paths.map((d) => svg('path', {d})));
}

function debounce(f, milliseconds) {
    let timer = 0;
    return (...args) => {
        clearTimeout(timer);
        timer = setTimeout(() => f(...args), milliseconds);
    };
}
