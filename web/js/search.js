/*
 * search.js - the start page, the ranked list of similar documents, and the way from neighbour to
 * neighbour.
 *
 * A source is what similar documents are searched for: a text of the reader's ("text/KEY") or an
 * indexed document ("doc/ROW"). The address holds the source and the sources before it
 * (via=KEY,ROW ...), so that back, forward, bookmarks and reload work.
 */

/* ---- texts of the reader ---------------------------------------------------------------- */

const readerTexts = new Map();

function keepText(text, name, lang) {
    let hash = 2166136261;
    const all = `${lang}\0${text}`;
    for (let i = 0; i < all.length; i++) hash = Math.imul(hash ^ all.charCodeAt(i), 16777619);
    const key = `${(hash >>> 0).toString(36)}${text.length.toString(36)}`;
    readerTexts.set(key, {text, name, lang});
    try { /* for a reload; a store that is full or forbidden does no harm */
        if (text.length < 1e6) sessionStorage.setItem(`doppel-text-${key}`, JSON.stringify({text, name, lang}));
    } catch { /* see above */ }
    return key;
}

function keptText(key) {
    if (!readerTexts.has(key)) {
        try {
            const stored = sessionStorage.getItem(`doppel-text-${key}`);
            if (stored) readerTexts.set(key, JSON.parse(stored));
        } catch { /* as if it were not there */ }
    }
    return readerTexts.get(key) || null;
}

/* ---- sources ---------------------------------------------------------------------------- */

const isRow = (word) => /^\d{1,10}$/.test(word);

function makeSource(kind, name) {
    const path = `${kind}/${name}`;
    return kind === 'doc' ? {kind, path, row: Number(name), token: name} : {kind, path, key: name, token: `t${name}`};
}

function sourceOfToken(token) {
    return isRow(token) ? makeSource('doc', token) : makeSource('text', token.slice(1));
}

const viaOf = (params) => (params.get('via') || '').split(',').filter(Boolean);
const withVia = (path, via) => `#/${path}${via.length ? `?via=${via.slice(-12).join(',')}` : ''}`;

/* Address of a neighbour, from a source with the way that led to it. */
const walkTo = (row, source, via) => withVia(`doc/${row}`, [...via, source.token]);

async function describeSource(source, signal) {
    if (source.kind === 'text') {
        const kept = keptText(source.key);
        if (!kept) throw new ApiError('The text is gone', 'The browser no longer has the text of this search.',
                                      'Paste it again on the start page.');
        return {title: kept.name || beginning(kept.text), lang: kept.lang || '', text: kept.text, isText: true};
    }
    return app.document(source.row, signal);
}

/* options: top, terms, and only: a row, for that hit alone, with its passages */
function findHits(source, options, signal) {
    if (source.kind === 'doc') {
        const only = options.only === undefined ? '' : `&only=${options.only}&passages=true`;
        return app.get(`documents/${source.row}/similar?top=${options.top}&terms=${options.terms}${only}`, signal);
    }
    const kept = keptText(source.key);
    const body = {text: kept.text, top: options.top, terms: options.terms};
    if (options.only !== undefined) Object.assign(body, {only: options.only, passages: true});
    if (kept.lang) body.lang = kept.lang;
    return app.once(`query ${source.key} ${JSON.stringify(options)}`, () => app.api.call('POST', 'query', body, signal));
}

const mostHits = () => (app.info.limits || {}).top || 100;

function crumbs(via, current) {
    if (!via.length) return null;
    const items = via.map((token, i) => {
        const source = sourceOfToken(token);
        const link = h('a', {href: withVia(source.path, via.slice(0, i)), dir: 'auto'}, '…');
        const kept = source.kind === 'text' ? keptText(source.key) : null;
        if (source.kind === 'text') link.textContent = kept ? kept.name || beginning(kept.text, 30) : 'your text';
        else app.title(source.row).then((title) => { link.textContent = title; }, () => { link.textContent = `document ${source.row}`; });
        return h('li', null, link);
    });
    return h('nav', {'aria-label': 'way to this document'}, h('ol', {class: 'crumbs'}, items,
        h('li', null, h('span', {'aria-current': 'page', dir: 'auto'}, withoutOverrides(current)))));
}

/* ---- the start page --------------------------------------------------------------------- */

function languageSelect(languages) {
    return h('select', {'aria-label': 'language of the text'}, h('option', {value: ''}, 'detect'),
             languages.filter((l) => l.lang !== 'und').map((l) => h('option', {value: l.lang}, languageName(l.lang))));
}

function askForm() {
    const info = app.info;
    let name = '';
    const status = h('span', {class: 'small soft', 'aria-live': 'polite'});
    const area = h('textarea', {id: 'ask-text', placeholder: 'Paste a text of any length, or drop a file here',
                                'aria-label': 'text to search for', spellcheck: 'false', dir: 'auto'});
    const language = languageSelect(info.languages);
    const chooser = h('input', {type: 'file', id: 'ask-file', class: 'away', tabindex: -1, 'aria-label': 'text file',
                                accept: '.txt,.md,.csv,.tsv,.json,.html,.htm,.xml,.srt,.vtt,.docx,.odt,.epub,text/*'});
    const drop = h('div', {class: 'drop'}, area);
    const describe = () => {
        const words = area.value.trim() ? area.value.trim().split(/\s+/).length : 0;
        status.textContent = words ? `${name ? `${name}: ` : ''}${plural(words, 'word')}` : '';
    };
    const takeFile = async (file) => {
        if (!file) return;
        const most = info.limits && info.limits.body ? info.limits.body * .9 : 5e7;
        if (file.size > most) {
            status.textContent = `${file.name} has ${bytes(file.size)}; at most ${bytes(most)} can be searched for`;
            return;
        }
        let text;
        try {
            text = await textOfFile(file);
        } catch (error) {
            status.textContent = error instanceof ApiError ? error.message : `${file.name} cannot be read: it is damaged`;
            return;
        }
        name = file.name;
        area.value = text;
        describe();
        go.focus();
    };
    const search = () => {
        const text = area.value;
        if (!text.trim()) {
            status.textContent = 'Paste a text first.';
            area.focus();
            return;
        }
        location.hash = `#/text/${keepText(text, name, language.value)}`;
    };
    const go = h('button', {class: 'button main', type: 'submit'}, 'Find similar ', h('kbd', null, 'Ctrl ↵'));
    area.addEventListener('input', () => { name = ''; describe(); });
    area.addEventListener('keydown', (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) search(); });
    chooser.addEventListener('change', () => { takeFile(chooser.files[0]); chooser.value = ''; });
    drop.addEventListener('dragover', (event) => { event.preventDefault(); drop.classList.add('over'); });
    drop.addEventListener('dragleave', () => drop.classList.remove('over'));
    drop.addEventListener('drop', (event) => {
        drop.classList.remove('over');
        if (event.dataTransfer.files.length) {
            event.preventDefault();
            takeFile(event.dataTransfer.files[0]);
        }
    });
    const last = app.lastText && keptText(app.lastText);
    if (last) {
        area.value = last.text;
        name = last.name;
        language.value = last.lang;
        describe();
    }
    return h('form', {class: 'card', onsubmit: (event) => { event.preventDefault(); search(); }},
        h('h2', null, 'Search with a text'), drop,
        h('div', {class: 'row'}, go,
          h('button', {class: 'button', type: 'button', onclick: () => chooser.click()}, 'Open a file …'), chooser,
          h('label', {class: 'inline'}, 'Language', language), status));
}

/* A field that lists indexed documents while one types. */
function documentFinder(signal) {
    const input = h('input', {type: 'search', id: 'find-document', placeholder: 'Part of a title or id', autocomplete: 'off',
                              'aria-label': 'find a document by title', 'aria-controls': 'found-documents'});
    const list = h('ul', {id: 'found-documents'});
    const note = h('p', {class: 'small soft', 'aria-live': 'polite'});
    const fill = async () => {
        const q = input.value.trim();
        try {
            const answer = await app.get(`documents?limit=12&q=${encodeURIComponent(q)}`, signal);
            if (input.value.trim() !== q) return;
            list.replaceChildren(...answer.documents.map((doc) => h('li', null, h('a', {href: `#/doc/${doc.row}`},
                badge(doc.lang), h('span', {class: 'grow'}, titleText(doc))))));
            note.textContent = !answer.total ? 'No title or id has this in it.'
                : answer.total > answer.documents.length ? `${count(answer.total)} documents; the first ${answer.documents.length} are shown.` : '';
        } catch (error) {
            if (error.name !== 'AbortError') note.textContent = error.message;
        }
    };
    input.addEventListener('input', debounce(fill, 120));
    const move = (event) => {
        const links = [...list.querySelectorAll('a')];
        const at = links.indexOf(document.activeElement);
        const next = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : null;
        if (next === null) return;
        event.preventDefault();
        (next < 0 ? input : links[Math.min(next, links.length - 1)] || input).focus();
    };
    input.addEventListener('keydown', (event) => {
        const first = list.querySelector('a');
        if (event.key === 'Enter' && first) first.click();
        else move(event);
    });
    list.addEventListener('keydown', move);
    fill();
    return h('div', {class: 'card finder'}, h('h2', null, 'Start from a document'), input, list, note);
}

function figures(info) {
    const pairs = [['documents', count(info.documents || 0)], ['languages', count(info.languages.length)]];
    if (info.index) pairs.push(['size of the index', bytes(info.index.bytes)]);
    if (info.index && info.index.words) pairs.splice(1, 0, ['words', count(info.index.words)]);
    if (info.mine) pairs.push(['pairs', count(info.mine.n_pairs)]);
    return h('dl', {class: 'figures'}, pairs.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', {class: 'num'}, value))));
}

async function startView(view) {
    const info = app.info;
    view.title('');
    const crossing = info.lexicon ? ' Documents in other languages are found through the lexicon of the index.' : '';
    view.show(h('div', null, h('h1', {tabindex: -1}, 'Find similar documents'),
        h('p', {class: 'lead'}, `${plural(info.documents, 'document')} of ${info.name} in ${info.languages.length > 1 ?
            plural(info.languages.length, 'language') : languageName((info.languages[0] || {}).lang)}.${crossing}`),
        h('div', {class: 'ask'}, askForm(), documentFinder(view.signal)), figures(info)));
    view.keys({'/': () => byId('find-document').focus(), s: () => byId('ask-text').focus()});
}

/* ---- ranked hits ------------------------------------------------------------------------ */

/* The terms of a hit with stems as they stand in the texts, as far as those are known. */
function surfaceTerms(hit, queryText, documentText) {
    return (hit.terms || []).map((term) => {
        const query = surfaceOf(queryText, term.query);
        const document = documentText !== undefined ? surfaceOf(documentText, term.document)
            : term.query === term.document ? query : term.document_word;
        return {query, document, weight: hit.score ? term.weight / hit.score : 0};
    });
}

function hitItem(hit, rank, source, via, text) {
    const compare = withVia(`${source.path}/${hit.row}`, via);
    return h('li', {class: 'hit', 'data-lang': hit.lang, 'data-row': hit.row},
        h('span', {class: 'rank'}, rank),
        h('div', null, h('div', {class: 'title'}, h('a', {href: compare, class: 'open'}, titleText(hit))),
          h('div', {class: 'meta'}, badge(hit.lang), h('span', {class: 'num'}, plural(hit.n_words, 'word')), idPart(hit.id)),
          termList(surfaceTerms(hit, text))),
        h('div', {class: 'side'}, h('div', {class: 'score'}, bar(hit.score), h('strong', {class: 'num'}, score(hit.score))),
          h('div', {class: 'links'}, h('a', {class: 'button small', href: compare}, 'Side by side'),
            h('a', {class: 'button small', href: walkTo(hit.row, source, via)}, 'Its neighbours'))));
}

function howFound(answer) {
    const q = answer.query;
    const parts = [plural(q.n_words, 'word'), duration(answer.micros), `${plural(q.n_candidates, 'document')} compared`];
    if (q.method === 'exact') parts.push('exact search');
    else if (typeof q.recall === 'number') parts.push(`estimated recall ${percent(q.recall)}`);
    return parts.join(' · ');
}

/* Buttons that show the hits of one language only. */
function languageChips(hits, list) {
    const counts = new Map();
    for (const hit of hits) counts.set(hit.lang, (counts.get(hit.lang) || 0) + 1);
    if (counts.size < 2) return null;
    const choose = (lang, chosen) => {
        for (const button of chips.children) button.setAttribute('aria-pressed', button === chosen);
        for (const item of list.children) item.hidden = lang !== null && item.dataset.lang !== lang;
    };
    const chip = (lang, ...content) => {
        const button = h('button', {class: 'button small', type: 'button', 'aria-pressed': lang === null,
                                    onclick: () => choose(lang, button)}, content);
        return button;
    };
    const chips = h('div', {class: 'chips', role: 'group', 'aria-label': 'languages'}, chip(null, `All ${hits.length}`),
        [...counts].sort((a, b) => b[1] - a[1]).map(([lang, n]) => chip(lang, badge(lang), ` ${n}`)));
    return chips;
}

function moveAmong(selector, by) {
    const links = [...document.querySelectorAll(selector)].filter((link) => link.offsetParent !== null);
    if (!links.length) return;
    const at = links.indexOf(document.activeElement);
    const link = links[Math.max(0, Math.min(links.length - 1, at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by))];
    link.focus();
    link.scrollIntoView({block: 'nearest'});
}

/* What of a text also occurs in documents, where the index has texts; null: not asked. */
async function findPassages(source, signal) {
    const kept = source.kind === 'text' ? keptText(source.key) : null;
    if (!kept || !app.info.texts) return null;
    const body = kept.lang ? {text: kept.text, lang: kept.lang} : {text: kept.text};
    try {
        return await app.once(`passages ${source.key}`, () => app.api.call('POST', 'passages', body, signal));
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        return null; /* the similar documents are shown without them */
    }
}

/* The share that is reused, the sources by what they explain, and the passages of each. */
function reusedPart(found, source, via) {
    if (!found || !found.passages.length) return null;
    const of = (id) => found.passages.filter((p) => p.source.id === id);
    const line = (p) => h('li', {class: 'small'}, h('b', null, p.kind), ` ${score(p.similarity)} `,
                          h('bdi', {dir: 'auto'}, beginning(p.query.text)));
    return h('section', {class: 'reused', 'aria-label': 'reused passages'},
        h('h2', null, `${percent(found.coverage.share)} of the words are in passages of ${plural(found.sources.length, 'document')}`),
        h('ol', null, found.sources.map((s) => h('li', null,
            h('a', {href: withVia(`${source.path}/${s.row}`, via)}, titleText(s)), ' ', knownBadge(s.lang),
            h('span', {class: 'soft small'}, ` ${plural(s.n_words, 'word')}, ${s.n_new_words} of them in no source before it`),
            h('ul', null, of(s.id).map(line))))));
}

async function resultsView(view, source) {
    const via = viaOf(view.params);
    const top = Math.min(Number(view.params.get('top')) || 20, mostHits());
    if (source.kind === 'text') app.lastText = source.key;
    view.loading('Searching …');
    const from = await describeSource(source, view.signal);
    const [answer, reused] = await Promise.all([findHits(source, {top, terms: 8}, view.signal), findPassages(source, view.signal)]);
    app.learn(answer.hits);
    const title = from.isText ? from.title : titleOf(from);
    view.title(title);
    const list = h('ol', {class: 'hits'}, answer.hits.map((hit, i) => hitItem(hit, i + 1, source, via, from.text)));
    const isMore = answer.hits.length >= top && top < mostHits();
    const more = new URLSearchParams(view.params);
    more.set('top', Math.min(2 * top, mostHits()));
    view.show(h('div', null, crumbs(via, title),
        h('h1', {tabindex: -1}, h('bdi', {dir: 'auto'}, title)),
        h('p', {class: 'lead'}, knownBadge(answer.query.lang || from.lang), ' ', howFound(answer)),
        h('p', {class: 'chips'}, from.isText ? h('a', {class: 'button small', href: '#/'}, 'Change the text')
            : h('a', {class: 'button small', href: withVia(`read/${source.row}`, via)}, 'Read the document')),
        reusedPart(reused, source, via),
        languageChips(answer.hits, list),
        answer.hits.length ? list : reused && reused.passages.length ? null : notice('Nothing similar', from.isText
            ? 'No document of the collection shares enough words with this text. Longer texts are found more surely.'
            : 'This document has no similar one in the collection.', h('a', {class: 'button', href: '#/'}, 'Search again')),
        isMore && h('p', {class: 'chips'}, h('a', {class: 'button', href: `#/${source.path}?${more}`}, 'Show more'))));
    announce(plural(answer.hits.length, 'similar document'));
    view.keys({j: () => moveAmong('.hit a.open', 1), k: () => moveAmong('.hit a.open', -1), ArrowDown: () => moveAmong('.hit a.open', 1),
               ArrowUp: () => moveAmong('.hit a.open', -1)});
}

/* ---- side by side ----------------------------------------------------------------------- */

function rail(hits, current, source, via) {
    return h('nav', {class: 'rail', 'aria-label': 'similar documents'}, h('h2', null, plural(hits.length, 'similar document')),
        h('ol', null, hits.map((hit) => h('li', null, h('a', {href: withVia(`${source.path}/${hit.row}`, via),
            'aria-current': hit.row === current ? 'true' : null},
            h('div', {class: 'line'}, badge(hit.lang), h('span', {class: 'grow'}, titleText(hit)), h('span', {class: 'num soft'}, score(hit.score))),
            bar(hit.score))))));
}

async function compareView(view, source, row) {
    const via = viaOf(view.params);
    if (source.kind === 'text') app.lastText = source.key;
    view.loading('Comparing …');
    const from = await describeSource(source, view.signal);
    const [doc, answer, found] = await Promise.all([app.document(row, view.signal), findHits(source, {top: 20, terms: 8}, view.signal),
        findHits(source, {top: mostHits(), terms: 12, only: row}, view.signal)]);
    app.learn(answer.hits);
    const hit = found.hits.find((candidate) => candidate.row === row);
    const title = from.isText ? from.title : titleOf(from);
    view.title(`${title} and ${titleOf(doc)}`);
    const hasBoth = typeof from.text === 'string' && typeof doc.text === 'string';
    const passages = hit && hasBoth ? convertPassages(from.text, doc.text, hit.passages || []) : [];
    const left = {title: h('bdi', {dir: 'auto'}, title), lang: from.isText ? answer.query.lang : from.lang, text: from.text,
                  n_words: from.isText ? answer.query.n_words : from.n_words};
    const right = {title: titleText(doc), lang: doc.lang, text: doc.text, n_words: doc.n_words,
                   link: h('a', {class: 'button small', href: walkTo(row, source, via), title: 'documents similar to this one'}, 'Its neighbours')};
    const terms = hit ? surfaceTerms(hit, from.text, doc.text) : [];
    const back = withVia(source.path, via);
    const comparison = new Comparison(left, right, passages, terms,
        h('a', {class: 'button small', href: back}, '← All similar documents'),
        hit ? h('strong', {class: 'num'}, `similarity ${score(hit.score)}`) : h('span', {class: 'soft'}, 'not among the similar documents'));
    const heading = h('h1', {class: 'away', tabindex: -1}, `${title} and ${titleOf(doc)}`);
    view.show(h('div', null, heading, crumbs(via, title), h('div', {class: answer.hits.length ? 'bench' : 'bench alone'},
        answer.hits.length ? rail(answer.hits, row, source, via) : null, comparison.element)), {isWide: true});
    comparison.shown();
    view.onleave(() => comparison.closed());
    const go = (by) => {
        const at = answer.hits.findIndex((candidate) => candidate.row === row);
        const next = answer.hits[at + by];
        if (next) location.hash = withVia(`${source.path}/${next.row}`, via);
    };
    view.keys({...comparison.keys(), j: () => go(1), k: () => go(-1), Escape: () => { location.hash = back; },
               w: () => { location.hash = walkTo(row, source, via); }});
    const current = document.querySelector('.rail [aria-current]');
    if (current) current.scrollIntoView({block: 'nearest'});
}
