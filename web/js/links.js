/*
 * links.js - the links of a mine run that knew some: which are missing, which are suspicious. Two
 * pages side by side with what speaks for them; accept or reject; lists of what was decided.
 *
 * Filters stand in the address, as those of pairs do. A comparison has the leads of both pages:
 * aligned sentences are underlined and numbered, shared words are marked, and nothing depends on
 * colour alone.
 */

const LINK_PIECE = 100;

const linkFilters = (params) => Object.fromEntries(['kind', 'state', 'left_lang', 'right_lang', 'q'].map((name) => [name, params.get(name) || '']));

function linkAddress(link, filters) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) if (value !== '') params.set(name, value);
    return `#/links${link === null ? '' : `/${link}`}${params.size ? `?${params}` : ''}`;
}

/* What a judgement means: a missing link is accepted or rejected, a suspicious one right or wrong. */
const linkStates = {missing: {accepted: 'accepted', rejected: 'rejected', open: 'not judged'},
                    suspicious: {accepted: 'link is right', rejected: 'link is wrong', open: 'not judged'}};

/* The links that match the filters, as far as they are loaded. */
class LinkList {
    constructor(filters) {
        this.filters = filters;
        this.key = JSON.stringify(filters);
        this.links = [];
        this.total = 0;
    }

    async more(signal) {
        const params = new URLSearchParams({limit: LINK_PIECE, offset: this.links.length});
        for (const [name, value] of Object.entries(this.filters)) if (value !== '') params.set(name, value);
        const answer = await app.api.call('GET', `links?${params}`, undefined, signal);
        const known = new Set(this.links.map((l) => l.link));
        this.links.push(...answer.links.filter((l) => !known.has(l.link)));
        this.total = answer.total;
    }
}

const pageOf = (link, side) => ({title: link[`${side}_title`], id: link[`${side}_id`], lang: link[`${side}_lang`]});

function linkEntry(link, current, filters) {
    const isSuspicious = link.kind === 'suspicious';
    const [name, sign] = stateSigns[link.state] || stateSigns.open;
    const text = linkStates[link.kind][link.state];
    return h('li', {'data-link': link.link}, h('a', {href: linkAddress(link.link, filters), 'aria-current': link.link === current ? 'true' : null},
        h('span', {class: `state ${name}`, role: 'img', 'aria-label': text, title: text}, sign),
        h('span', null, h('span', {class: 't'}, titleText(pageOf(link, 'left'))), h('span', {class: 't soft'}, titleText(pageOf(link, 'right')))),
        h('span', {class: 'num soft kind'}, probability(link.probability), h('br'), isSuspicious ? 'suspicious' : 'missing')));
}

/* ---- texts with marks ------------------------------------------------------------------- */

/* Nodes of text[from, to) with its marked words. */
function wordNodes(text, words, from, to) {
    const nodes = [];
    let at = from;
    for (const {begin, end, number} of words) {
        const first = Math.max(begin, at), last = Math.min(end, to);
        if (first >= last) continue;
        nodes.push(text.slice(at, first), h('mark', {'data-word': number}, text.slice(first, last)));
        at = last;
    }
    nodes.push(text.slice(at, to));
    return nodes.map((node) => (typeof node === 'string' ? node.replaceAll('\u001d', '') : node)).filter((node) => node !== ''); /* marks of sections */
}

/* [begin, end, number] in bytes to the same in UTF-16. */
function marksOf(text, marks) {
    const spans = utf16Spans(text, marks.map(([begin, end]) => [begin, end]));
    return marks.map(([, , number], i) => ({begin: spans[i][0], end: spans[i][1], number}));
}

function leadNodes(page) {
    if (page.lead === null || page.lead === '') return [h('span', {class: 'soft'}, page.lead === null ? 'the text is not here any more' : 'no text')];
    const words = marksOf(page.lead, page.words), nodes = [];
    let at = 0;
    for (const {begin, end, number} of marksOf(page.lead, page.aligned)) {
        nodes.push(...wordNodes(page.lead, words, at, begin), h('sup', {class: 'place'}, number, '\u2060'),
                   h('span', {class: 'aligned'}, wordNodes(page.lead, words, begin, end)));
        at = end;
    }
    nodes.push(...wordNodes(page.lead, words, at, page.lead.length));
    if (page.is_cut) nodes.push('\u2009…');
    return nodes;
}

function comparisonTable(c) {
    const cell = (page, nodes) => h('td', {dir: 'auto', lang: page.lang && page.lang !== 'und' ? page.lang : null}, nodes);
    const rows = [h('tr', {class: 'lead-row'}, cell(c.left, leadNodes(c.left)), cell(c.right, leadNodes(c.right)), h('td', {class: 'num'}, ''))];
    for (const s of c.sentences) {
        if (s.is_in_leads) continue;
        const side = (name) => cell(c[name], [h('sup', {class: 'place'}, s.number, ' '), wordNodes(s[name], marksOf(s[name], s[`${name}_words`]), 0, s[name].length)]);
        rows.push(h('tr', null, side('left'), side('right'), h('td', {class: 'num'}, score(s.score))));
    }
    const table = h('table', {class: 'sentences leads'}, h('caption', {class: 'away'}, 'leads and aligned sentences'),
        h('thead', null, h('tr', null, h('th', {scope: 'col'}, languageName(c.left.lang)), h('th', {scope: 'col'}, languageName(c.right.lang)),
                          h('th', {class: 'num', scope: 'col'}, rows.length > 1 ? 'score' : ''))),
        h('tbody', null, rows));
    const light = (word) => {
        for (const mark of table.querySelectorAll('mark')) mark.classList.toggle('on', mark.dataset.word === word);
    };
    table.addEventListener('pointerover', (event) => light((event.target.closest('mark') || {dataset: {}}).dataset.word));
    table.addEventListener('pointerleave', () => light(undefined));
    return table;
}

/* ---- a link ----------------------------------------------------------------------------- */

function pageHead(page) {
    const title = titleText(page);
    return h('div', null, badge(page.lang), ' ', h('bdi', {class: 'small soft'}, page.id), h('h2', null, page.address
        ? h('a', {href: page.address, target: '_blank', rel: 'noreferrer noopener', title: page.address}, title, h('span', {class: 'away'}, ' (opens the page)'),
            h('span', {class: 'outward', 'aria-hidden': 'true'}, '\u2009↗'))
        : title));
}

function comparisonParts(c) {
    const facts = [];
    if (c.pair !== null) facts.push(plural(c.n_sentences, 'aligned sentence'));
    if (c.left_share !== undefined) facts.push(`they cover ${percent(c.left_share)} and ${percent(c.right_share)} of the words`);
    const words = c.shared_words.map(([left, right]) => h('li', {class: 'term'}, h('bdi', {lang: c.left.lang}, left),
        h('span', {class: 'arrow', 'aria-label': 'and'}, '–'), h('bdi', {lang: c.right.lang}, right)));
    return [h('div', {class: 'titles'}, pageHead(c.left), pageHead(c.right)),
            facts.length ? h('p', {class: 'small soft evidence'}, facts.join('; ')) : null,
            words.length ? h('ul', {class: 'terms', 'aria-label': 'shared words'}, words) : null, comparisonTable(c)];
}

/* A pair that looks better than a suspicious link, with a judgement of its own. */
function betterPart(link, c, canJudge, judgePair) {
    const kept = c.role === 'better_right' ? c.left : c.right;
    const isAccepted = c.state === 'accepted';
    return h('section', {class: 'better', 'aria-label': 'what looks better'}, h('div', {class: 'row case'},
        h('h3', {class: 'grow'}, 'Looks better for ', titleText(kept)),
        c.confidence !== null && h('span', {class: 'small soft num'}, `confidence ${probability(c.confidence)}`),
        c.pair !== null && h('button', {class: 'button small accept', type: 'button', 'aria-pressed': isAccepted, disabled: !canJudge,
            onclick: () => judgePair(c, isAccepted ? 'open' : 'accept')}, isAccepted ? '✓ Accepted' : 'Accept this link')), comparisonParts(c));
}

/* note: what was done last, empty for nothing. */
function linkDetail(link, note, canJudge, {judge, judgePair}) {
    const isSuspicious = link.kind === 'suspicious';
    const [first, ...others] = link.comparisons;
    const label = isSuspicious ? `probably wrong: ${probability(link.probability)}` : `confidence ${probability(link.probability)}`;
    const button = (what, state, text, key) => h('button', {class: `button ${what}`, type: 'button', id: `judge-${what}`,
        'aria-pressed': link.state === state, disabled: !canJudge, onclick: () => judge(what)}, text, ' ', h('kbd', null, key));
    return h('article', {class: 'pair link', 'aria-label': 'link'},
        h('div', {class: 'row'}, h('div', {class: 'score'}, bar(link.probability, label), h('strong', {class: 'num'}, label)),
          h('span', {class: 'small soft'}, isSuspicious ? `suspicious link; cosine of the two pages ${score(link.cosine)}` : 'missing link: neither page has one')),
        isSuspicious ? h('h3', {class: 'case'}, 'Linked now') : null, comparisonParts(first),
        others.map((c) => betterPart(link, c, canJudge, judgePair)),
        h('div', {class: 'judge'}, button('accept', 'accepted', isSuspicious ? 'Link is right' : 'Accept', 'a'),
          button('reject', 'rejected', isSuspicious ? 'Link is wrong' : 'Reject', 'r'),
          h('button', {class: 'button', type: 'button', id: 'judge-open', disabled: !canJudge || link.state === 'open',
                       onclick: () => judge('open')}, 'Undo', ' ', h('kbd', null, 'u')),
          note ? h('span', {class: 'small done', id: 'done'}, note)
              : others.some((c) => c.pair !== null) && h('span', {class: 'small soft by-key'}, h('kbd', null, 'b'), ' accepts what looks better'),
          !canJudge && h('span', {class: 'small soft'}, 'This folder is served for reading only.')));
}

/* ---- the list --------------------------------------------------------------------------- */

function linksProgress(links) {
    const n = links.n_missing + links.n_suspicious, judged = links.n_accepted + links.n_rejected;
    return h('div', {class: 'progress', id: 'judged'}, bar(n ? judged / n : 0, 'share of links judged'),
        h('span', {class: 'num'}, `${count(judged)} of ${count(n)} judged`));
}

function linkFilterBar(filters, mine) {
    const go = (changes) => { location.hash = linkAddress(null, {...filters, ...changes}); };
    const select = (label, name, options) => {
        const box = h('select', {'aria-label': label, id: `filter-${name}`, onchange: () => go({[name]: box.value})},
            options.map(([value, text]) => h('option', {value, selected: value === filters[name]}, text)));
        return h('label', {class: 'inline'}, label, box);
    };
    const search = h('input', {type: 'search', value: filters.q, placeholder: 'title or id', 'aria-label': 'title or id',
        onchange: () => go({q: search.value.trim()})});
    const languages = mine.language_pairs.length > 1 ? (() => {
        const box = h('select', {'aria-label': 'languages', onchange: () => {
            const [left_lang, right_lang] = box.value ? box.value.split(' ') : ['', ''];
            go({left_lang, right_lang});
        }}, h('option', {value: ''}, 'all'), mine.language_pairs.map((p) => h('option', {value: `${p.left_lang} ${p.right_lang}`,
            selected: p.left_lang === filters.left_lang && p.right_lang === filters.right_lang}, `${p.left_lang} – ${p.right_lang}`)));
        return h('label', {class: 'inline'}, 'Languages', box);
    })() : null;
    const {n_missing, n_suspicious} = mine.links;
    const file = (rows, name, text) => h('a', {class: 'button small', href: `/api/v1/links.tsv?rows=${rows}`, download: name}, text);
    return h('form', {class: 'filters', onsubmit: (event) => { event.preventDefault(); go({q: search.value.trim()}); }, 'aria-label': 'filters'},
        select('Links', 'kind', [['', 'missing and suspicious'], ['missing', `missing (${count(n_missing)})`], ['suspicious', `suspicious (${count(n_suspicious)})`]]),
        select('Show', 'state', [['', 'all'], ['open', 'not judged'], ['accepted', 'accepted or right'], ['rejected', 'rejected or wrong']]), languages, search,
        h('span', {class: 'row exports'}, h('span', {class: 'small soft'}, 'Save'), file('add', 'links-to-add.tsv', 'links to add'),
          file('remove', 'links-to-remove.tsv', 'links to remove'), file('all', 'links.tsv', 'all, with judgements')));
}

/* The list on the left, as far as it is loaded, and a button for more. */
function linkListElement(view, links, current, filters) {
    const list = h('ol', {class: 'pair-list', 'aria-label': 'links'}, links.links.map((l) => linkEntry(l, current, filters)));
    const addMore = () => {
        const rest = links.total - links.links.length;
        if (rest <= 0) return;
        const button = h('button', {class: 'button small', type: 'button', onclick: async () => {
            button.disabled = true;
            const from = links.links.length;
            await links.more(view.signal);
            item.remove();
            list.append(...links.links.slice(from).map((l) => linkEntry(l, current, filters)));
            addMore();
        }}, `Show more of ${count(rest)}`);
        const item = h('li', {class: 'chips'}, button);
        list.append(item);
    };
    addMore();
    return list;
}

async function linksView(view, chosen) {
    const mine = app.info.mine, filters = linkFilters(view.params);
    view.title('Links');
    if (!app.linkList || app.linkList.key !== JSON.stringify(filters)) {
        view.loading('Loading links …');
        const fresh = new LinkList(filters);
        await fresh.more(view.signal);
        app.linkList = fresh;
    }
    const links = app.linkList;
    const isNarrow = matchMedia('(max-width: 48rem)').matches;
    const current = chosen !== null ? chosen : isNarrow || !links.links.length ? null : links.links[0].link;
    const link = current === null ? null : await app.api.call('GET', `links/${current}`, undefined, view.signal);

    const go = async (by) => {
        const at = links.links.findIndex((l) => l.link === current);
        if (at + by >= links.links.length && links.links.length < links.total) await links.more(view.signal);
        const next = links.links[at + by];
        if (next) location.hash = linkAddress(next.link, filters);
        else announce(by > 0 ? 'last link' : 'first link');
        return Boolean(next);
    };
    const guard = async (f) => {
        if (!link || !mine.can_judge) return;
        try {
            await f();
        } catch (error) {
            if (error.name !== 'AbortError') view.fail(error);
        }
    };
    const openBetter = () => (link ? link.comparisons.slice(1).filter((c) => c.pair !== null && c.state === 'open') : []);
    const judge = (what) => guard(async () => {
        await putLink(what);
        if (link.kind === 'suspicious' && what === 'reject') tell('Link to remove.');
        else announce(linkStates[link.kind][link.state]);
        if (what !== 'reject') app.linkNote = null;
        /* a wrong link: there may be a better one to accept before the next */
        const isDone = what !== 'open' && !(what === 'reject' && openBetter().length);
        if (!isDone || !await go(1)) app.render();
    });
    const putPair = async (c, what) => {
        const answer = await app.api.call('PUT', `pairs/${c.pair}/judgement`, {judgement: what});
        countJudgement(mine, c.state, answer.state);
        c.state = answer.state;
    };
    const putLink = async (what) => {
        const answer = await app.api.call('PUT', `links/${current}/judgement`, {judgement: what});
        countJudgement(mine.links, link.state, answer.state);
        if (link.kind === 'missing') countJudgement(mine, link.state, answer.state); /* it is a pair, too */
        link.state = answer.state;
        const known = links.links.find((l) => l.link === current);
        if (known) known.state = answer.state;
    };
    /* Says what was done, also to those who see it, until another link is shown. */
    const tell = (text) => {
        app.linkNote = {link: current, text};
        announce(text);
    };
    /* A page has one counterpart: whoever accepts a better one finds the link wrong. */
    const judgePair = (c, what) => guard(async () => {
        await putPair(c, what);
        const isReplaced = what === 'accept' && link.state === 'open';
        if (isReplaced) await putLink('reject');
        const name = `${c.left.title || c.left.id} – ${c.right.title || c.right.id}`;
        tell(what === 'accept' ? `Link to add: ${name}. ${link.state === 'rejected' ? 'The link that is there now is to be removed.' : ''}` : `Not judged any more: ${name}.`);
        app.render();
    });
    const acceptBetter = () => {
        const next = openBetter()[0];
        if (next) {
            judgePair(next, 'accept');
            return;
        }
        if (!link || link.kind !== 'suspicious') return;
        tell(link.comparisons.slice(1).some((c) => c.pair !== null) ? 'What looks better is judged already.' : 'There is no better link to accept.');
        app.render();
    };

    const list = linkListElement(view, links, current, filters);
    const note = app.linkNote && app.linkNote.link === current ? app.linkNote.text : '';
    const isEmpty = !links.links.length;
    view.show(h('div', null,
        h('div', {class: 'row'}, h('h1', {tabindex: -1, class: 'grow'}, plural(links.total, 'link')), linksProgress(mine.links)),
        chosen !== null && isNarrow ? h('p', null, h('a', {class: 'button small', href: linkAddress(null, filters)}, '← All links')) : linkFilterBar(filters, mine),
        isEmpty ? notice('No links', 'No link passes these filters.', h('a', {class: 'button', href: '#/links'}, 'Show all links'))
            : h('div', {class: chosen !== null ? 'review open' : 'review'}, list, link && linkDetail(link, note, mine.can_judge, {judge, judgePair}))),
        {isWide: true, keepFocus: chosen !== null});
    const entry = list.querySelector('[aria-current]');
    if (entry && !isNarrow) list.scrollTop = Math.max(0, entry.offsetTop - list.offsetTop - list.clientHeight / 3);
    view.keys({j: () => go(1), k: () => go(-1), a: () => judge('accept'), r: () => judge('reject'), u: () => judge('open'), b: acceptBetter});
}
