/*
 * main.js - the address says what is shown; themes; keys; start.
 */

const app = {
    api: null,
    info: null,
    view: null,
    lastText: null,
    pairList: null,
    linkList: null,
    answers: new Map(),   /* of requests for the index, which does not change; the oldest goes first */
    documents: new Map(), /* row -> document as a list had it */

    /* An answer that does not change: from the cache, or from the call. */
    async once(key, call) {
        if (this.answers.has(key)) return this.answers.get(key);
        const answer = await call();
        this.answers.set(key, answer);
        if (this.answers.size > 60) this.answers.delete(this.answers.keys().next().value);
        return answer;
    },
    get(path, signal) {
        return this.once(path, () => this.api.call('GET', path, undefined, signal));
    },
    async document(row, signal) {
        const doc = await this.get(`documents/${row}`, signal);
        this.documents.set(row, doc);
        return doc;
    },
    learn(documents) {
        for (const doc of documents) if (!this.documents.has(doc.row)) this.documents.set(doc.row, doc);
    },
    async title(row) {
        return titleOf(this.documents.get(row) || await this.document(row));
    },
    /* Goes to an address without a new entry of the history. */
    replace(hash) {
        history.replaceState({isSeen: true}, '', hash);
        this.render();
    },
    render() {
        return render();
    },
};

/* ---- views ------------------------------------------------------------------------------ */

function route(parts) {
    const [first, second, third] = parts;
    const info = app.info, hasIndex = info.kind === 'index';
    const hasLinks = Boolean(info.mine && info.mine.links);
    if (isPlayground()) {
        const own = {align: alignView, dedup: dedupView, pocket: pocketView}[first || (hasIndex ? '' : 'align')];
        if (own) return own;
    }
    if (!first) return hasIndex ? startView : (view) => (hasLinks ? linksView : pairsView)(view, null);
    if (first === 'overview') return overviewView;
    if (first === 'pairs' && info.mine && (!second || isRow(second))) return (view) => pairsView(view, second ? Number(second) : null);
    if (first === 'links' && hasLinks && (!second || isRow(second))) return (view) => linksView(view, second ? Number(second) : null);
    if (!hasIndex) return null;
    if (first === 'documents') return documentsView;
    if (first === 'read' && isRow(second || '')) return (view) => readView(view, Number(second));
    if ((first === 'text' && /^[0-9a-z]+$/.test(second || '')) || (first === 'doc' && isRow(second || ''))) {
        const source = makeSource(first, second);
        if (third === undefined) return (view) => resultsView(view, source);
        if (isRow(third)) return (view) => compareView(view, source, Number(third));
    }
    return null;
}

/* What a view may do with the page while it is the current one. */
class View {
    constructor(params) {
        this.params = params;
        this.controller = new AbortController();
        this.signal = this.controller.signal;
        this.leaving = [];
        this.keyMap = {};
    }

    get isCurrent() { return app.view === this; }

    title(text) {
        if (this.isCurrent) document.title = text ? `${text} · doppel` : `${app.info ? app.info.name + ' · ' : ''}doppel`;
    }

    loading(text) {
        if (!this.isCurrent) return;
        byId('main').classList.remove('wide');
        byId('main').replaceChildren(loadingNotice(text, () => {
            this.controller.abort();
            byId('main').replaceChildren(notice('Cancelled', null,
                h('button', {class: 'button', type: 'button', onclick: () => render()}, 'Try again'),
                h('a', {class: 'button', href: '#/'}, 'Start page')));
        }));
    }

    show(content, options = {}) {
        if (!this.isCurrent) return;
        const main = byId('main');
        main.classList.toggle('wide', Boolean(options.isWide));
        main.replaceChildren(content);
        const heading = main.querySelector('h1');
        if (heading && !app.isFirst) heading.focus({preventScroll: true});
        this.settled();
    }

    settled() {
        const place = app.isBack ? places.get(location.hash) || 0 : 0;
        if (!this.isSettled) scrollTo(0, place);
        this.isSettled = true;
        app.isFirst = false;
        document.body.dataset.ready = location.hash || '#/';
    }

    fail(error) {
        if (!this.isCurrent) return;
        byId('main').classList.remove('wide');
        byId('main').replaceChildren(errorNotice(error, () => render()));
        this.settled();
    }

    keys(map) { if (this.isCurrent) this.keyMap = map; }

    onleave(f) { this.leaving.push(f); }

    leave() {
        this.controller.abort();
        for (const f of this.leaving) f();
    }
}

const places = new Map(); /* how far each address was scrolled */

async function render() {
    const [path, query] = (location.hash || '#/').slice(1).split('?');
    const parts = path.split('/').filter(Boolean);
    app.isBack = Boolean(history.state && history.state.isSeen); /* a new address has no state yet */
    history.replaceState({isSeen: true}, '');
    if (app.view) app.view.leave();
    const view = app.view = new View(new URLSearchParams(query || ''));
    delete document.body.dataset.ready;
    showNavigation(parts[0] || '');
    try {
        const show = route(parts);
        if (!show) throw new ApiError('Not found', 'There is nothing at this address.');
        await show(view);
    } catch (error) {
        if (error.name === 'AbortError') return;
        if (!(error instanceof ApiError)) console.error(error);
        view.fail(error);
    }
}

function showNavigation(current) {
    const info = app.info;
    const entries = isPlayground() ? [['align', 'Align'], ['dedup', 'Deduplicate'], ['pocket', 'Index'],
                                      ...(info.kind === 'index' ? [['', 'Search'], ['documents', 'Documents']] : [])]
                    : info.kind === 'index' ? [['', 'Search'], ['documents', 'Documents'], ['overview', 'Overview']]
                                          : [...(info.mine.links ? [['links', 'Links']] : []), ['pairs', 'Pairs'], ['overview', 'Overview']];
    const here = {text: '', doc: '', read: 'documents'}[current] ?? current;
    const at = info.kind !== 'index' && here === '' ? entries[0][0] : here;
    byId('nav').replaceChildren(...entries.map(([name, text]) => h('a', {href: `#/${name}`, 'aria-current': at === name ? 'page' : null}, text)));
}

/* ---- themes ----------------------------------------------------------------------------- */

const themes = ['auto', 'light', 'dark'];

function storedTheme() {
    try {
        const theme = localStorage.getItem('doppel-theme');
        return themes.includes(theme) ? theme : 'auto';
    } catch {
        return 'auto';
    }
}

function setTheme(theme) {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
        localStorage.setItem('doppel-theme', theme);
    } catch { /* it lasts as long as the page, then */ }
    const icons = {auto: ['M12 3a9 9 0 1 0 0 18z', 'M12 3a9 9 0 0 1 0 18'],
                   light: ['M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z', 'M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19'],
                   dark: ['M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z']};
    const button = byId('theme-button');
    button.replaceChildren(icon(...icons[theme]));
    if (theme === 'auto') button.querySelector('path').setAttribute('fill', 'currentColor');
    const label = {auto: 'colours of the system', light: 'light colours', dark: 'dark colours'}[theme];
    button.setAttribute('aria-label', `Theme: ${label}`);
    button.title = `Theme: ${label} (t)`;
}

const nextTheme = () => setTheme(themes[(themes.indexOf(storedTheme()) + 1) % themes.length]);

/* ---- keys ------------------------------------------------------------------------------- */

const keyHelp = [
    ['/', 'find a document by title'], ['s', 'go to the text field'], ['j k', 'next and previous document, pair or link'], ['↵', 'open'],
    ['n p', 'next and previous passage'], ['v', 'whole texts or passages only'], ['w', 'neighbours of the document on the right'],
    ['a r u', 'accept, reject, undo (pairs, links)'], ['b', 'accept what looks better than a link'], ['Esc', 'back to the list'], ['t', 'light and dark'], ['?', 'this list'],
];

function showHelp() {
    const dialog = byId('help');
    if (dialog.open) return;
    dialog.replaceChildren(h('h2', {id: 'help-title'}, 'Keyboard'), h('dl', null, keyHelp.map(([keys, what]) =>
        [h('dt', null, keys.split(' ').map((key) => [h('kbd', null, key), ' '])), h('dd', null, what)])),
        h('button', {class: 'button', type: 'button', autofocus: true, onclick: () => dialog.close()}, 'Close'));
    dialog.showModal();
}

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    const target = event.target;
    if (target.matches && target.matches('input, textarea, select')) {
        if (event.key === 'Escape') target.blur();
        return;
    }
    const isScrolling = target.closest && target.closest('.pane, .passages') && event.key.startsWith('Arrow');
    const map = {'?': showHelp, t: nextTheme, ...(app.view ? app.view.keyMap : {})};
    const action = Object.hasOwn(map, event.key) && !isScrolling ? map[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
}

/* ---- start ------------------------------------------------------------------------------ */

async function start() {
    setTheme(storedTheme());
    byId('theme-button').addEventListener('click', nextTheme);
    byId('help-button').addEventListener('click', showHelp);
    document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); byId('main').focus(); });
    byId('main').replaceChildren(loadingNotice('Opening the collection …'));
    try {
        app.api = wasmApi.isHere() ? wasmApi : httpApi;
        await app.api.open((share) => announce(`opening: ${percent(share)}`));
        app.info = isPlayground() ? JSON.parse(byId('play-data').textContent) : await app.api.call('GET', 'info');
    } catch (error) {
        console.error(error);
        byId('main').replaceChildren(errorNotice(error, () => location.reload()));
        document.body.dataset.ready = 'error';
        return;
    }
    byId('footer').replaceChildren(`${app.info.name} · doppel ${app.info.version} · `,
        isPlayground() ? 'everything happens in this page; nothing leaves your browser' : app.api.isOffline ? 'this page holds the whole index and works without a network' : 'this page loads nothing from other servers');
    /* for the console and for tests: the answers of docs/reference/openapi.yaml */
    window.doppel = {play, call: (method, path, body) => app.api.call(method, path, body)};
    app.isFirst = true;
    document.addEventListener('keydown', onKey);
    history.scrollRestoration = 'manual';
    addEventListener('scroll', debounce(() => places.set(document.body.dataset.ready, scrollY), 100), {passive: true});
    addEventListener('hashchange', () => render());
    await render();
}

if (isWorker) answerPage();
else start();
