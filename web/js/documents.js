/*
 * documents.js - the list of all documents, and one document to read.
 */

async function documentsView(view) {
    const size = 50;
    const q = view.params.get('q') || '', lang = view.params.get('lang') || '';
    const offset = Math.max(0, Number(view.params.get('offset')) || 0);
    const address = (changes) => {
        const params = new URLSearchParams();
        for (const [name, value] of Object.entries({q, lang, offset, ...changes})) if (value) params.set(name, value);
        return `#/documents${params.size ? `?${params}` : ''}`;
    };
    view.title('Documents');
    if (!byId('documents-list')) view.loading('Loading the list …');
    const answer = await app.get(`documents?limit=${size}&offset=${offset}&q=${encodeURIComponent(q)}${lang ? `&lang=${encodeURIComponent(lang)}` : ''}`, view.signal);
    app.learn(answer.documents);
    const list = h('div', {id: 'documents-list'}, answer.total === 0
        ? notice('No such document', q ? `No title or id has “${q}” in it.` : 'The collection is empty.')
        : h('ol', {class: 'hits', start: offset + 1}, answer.documents.map((doc) => h('li', {class: 'hit'},
            h('span', {class: 'rank'}, badge(doc.lang)),
            h('div', null, h('div', {class: 'title'}, h('a', {class: 'open', href: `#/doc/${doc.row}`}, titleText(doc))),
              h('div', {class: 'meta'}, h('bdi', null, doc.id), h('span', {class: 'num'}, plural(doc.n_words, 'word')))),
            h('div', {class: 'side'}, h('a', {class: 'button small', href: `#/read/${doc.row}`}, 'Read'))))));
    const pages = answer.total > size ? h('nav', {class: 'row', 'aria-label': 'pages'},
        h('a', {class: 'button', href: offset ? address({offset: Math.max(0, offset - size)}) : null, 'aria-disabled': offset ? null : 'true'}, '← Previous'),
        h('span', {class: 'num soft'}, `${count(offset + 1)} to ${count(Math.min(offset + size, answer.total))} of ${count(answer.total)}`),
        h('a', {class: 'button', href: offset + size < answer.total ? address({offset: offset + size}) : null,
                'aria-disabled': offset + size < answer.total ? null : 'true'}, 'Next →')) : null;
    const old = byId('documents-list');
    if (old && document.activeElement && document.activeElement.id === 'documents-query') { /* keep the field and its cursor */
        old.replaceWith(list);
        byId('documents-pages').replaceChildren(...flat([pages]));
        byId('documents-count').textContent = plural(answer.total, 'document');
        view.settled();
    } else {
        const input = h('input', {type: 'search', id: 'documents-query', value: q, placeholder: 'Part of a title or id', 'aria-label': 'filter by title'});
        const select = h('select', {'aria-label': 'language', onchange: () => { location.hash = address({lang: select.value, offset: 0}); }},
            h('option', {value: ''}, 'all languages'), app.info.languages.map((l) =>
                h('option', {value: l.lang, selected: l.lang === lang}, `${languageName(l.lang)} (${count(l.documents)})`)));
        input.addEventListener('input', debounce(() => {
            const params = new URLSearchParams();
            if (input.value.trim()) params.set('q', input.value.trim());
            if (select.value) params.set('lang', select.value);
            app.replace(`#/documents${params.size ? `?${params}` : ''}`);
        }, 150));
        view.show(h('div', null, h('h1', {tabindex: -1}, 'Documents'),
            h('div', {class: 'filters'}, h('div', {class: 'grow'}, input), select,
              h('span', {id: 'documents-count', class: 'soft small', 'aria-live': 'polite'}, plural(answer.total, 'document'))),
            list, h('div', {id: 'documents-pages', class: 'chips'}, pages)));
    }
    view.keys({'/': () => byId('documents-query').focus(), j: () => moveAmong('.hit a.open', 1), k: () => moveAmong('.hit a.open', -1),
               ArrowDown: () => moveAmong('.hit a.open', 1), ArrowUp: () => moveAmong('.hit a.open', -1)});
}

async function readView(view, row) {
    const via = viaOf(view.params);
    view.loading('Loading the document …');
    const doc = await app.document(row, view.signal);
    view.title(titleOf(doc));
    const box = h('article', {class: 'text reading'});
    if (typeof doc.text === 'string') renderText(box, doc.text, doc.lang, []);
    else box.append(notice('No text', 'This index was built without texts: titles and words only.'));
    view.show(h('div', null, crumbs(via, titleOf(doc)), h('h1', {tabindex: -1}, titleText(doc)),
        h('p', {class: 'lead'}, badge(doc.lang), ' ', plural(doc.n_words, 'word'), ' · ', idPart(doc.id)),
        h('p', {class: 'chips'}, h('a', {class: 'button main', href: withVia(`doc/${row}`, via)}, 'Find similar documents')), box));
    view.keys({w: () => { location.hash = withVia(`doc/${row}`, via); }});
}
