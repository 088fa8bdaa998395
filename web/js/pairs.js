/*
 * pairs.js - the pairs of a mine run: browse, filter by confidence, accept or reject.
 *
 * Filters stand in the address; the list is loaded in pieces while one walks down.
 */

const PAIR_PIECE = 100;

const pairFilters = (params) => ({
    min_confidence: params.get('min_confidence') || '', max_confidence: params.get('max_confidence') || '',
    state: params.get('state') || '', order: params.get('order') || '', left_lang: params.get('left_lang') || '',
    right_lang: params.get('right_lang') || '', q: params.get('q') || '',
});

function pairAddress(pair, filters) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) if (value !== '' && value !== undefined) params.set(name, value);
    return `#/pairs${pair === null ? '' : `/${pair}`}${params.size ? `?${params}` : ''}`;
}

const stateSigns = {accepted: ['accept', '✓', 'accepted'], rejected: ['reject', '✗', 'rejected'], open: ['', '·', 'not judged']};

function stateSign(state) {
    const [name, sign, text] = stateSigns[state] || stateSigns.open;
    return h('span', {class: `state ${name}`, role: 'img', 'aria-label': text, title: text}, sign);
}

/* The pairs that match the filters, as far as they are loaded. */
class PairList {
    constructor(filters) {
        this.filters = filters;
        this.key = JSON.stringify(filters);
        this.pairs = [];
        this.total = 0;
        this.isLoaded = false;
    }

    async more(signal) {
        const params = new URLSearchParams({limit: PAIR_PIECE, offset: this.pairs.length});
        for (const [name, value] of Object.entries(this.filters)) if (value !== '') params.set(name, value);
        const answer = await app.api.call('GET', `pairs?${params}`, undefined, signal);
        const known = new Set(this.pairs.map((p) => p.pair));
        this.pairs.push(...answer.pairs.filter((p) => !known.has(p.pair)));
        this.total = answer.total;
        this.isLoaded = true;
        return answer.pairs.length;
    }
}

function pairEntry(p, current, filters) {
    return h('li', {'data-pair': p.pair}, h('a', {href: pairAddress(p.pair, filters), 'aria-current': p.pair === current ? 'true' : null},
        stateSign(p.state),
        h('span', null, h('span', {class: 't'}, titleText({title: p.left_title, id: p.left_id, lang: p.left_lang})),
          h('span', {class: 't soft'}, titleText({title: p.right_title, id: p.right_id, lang: p.right_lang}))),
        h('span', {class: 'num soft'}, probability(p.confidence))));
}

function judgedProgress(mine) {
    const judged = mine.n_accepted + mine.n_rejected;
    return h('div', {class: 'progress', id: 'judged'}, bar(mine.n_pairs ? judged / mine.n_pairs : 0, 'share of pairs judged'),
        h('span', {class: 'num'}, `${count(judged)} of ${count(mine.n_pairs)} judged: `,
          h('span', {class: 'state accept'}, count(mine.n_accepted)), ' accepted, ',
          h('span', {class: 'state reject'}, count(mine.n_rejected)), ' rejected'));
}

function pairFilterBar(filters, mine) {
    const go = (changes) => { location.hash = pairAddress(null, {...filters, ...changes}); };
    const select = (label, name, options) => {
        const box = h('select', {'aria-label': label, onchange: () => go({[name]: box.value})},
            options.map(([value, text]) => h('option', {value, selected: value === filters[name]}, text)));
        return h('label', {class: 'inline'}, label, box);
    };
    const range = (label, name, standard) => {
        const value = filters[name] === '' ? standard : filters[name];
        const shown = h('output', {class: 'num'}, score(Number(value)));
        const input = h('input', {type: 'range', min: 0, max: 1, step: .01, value, 'aria-label': `${label} confidence`,
            oninput: () => { shown.textContent = score(Number(input.value)); },
            onchange: () => go({[name]: Number(input.value) === Number(standard) ? '' : input.value})});
        return h('label', {class: 'inline'}, label, input, shown);
    };
    const languages = mine.language_pairs.length > 1 ? (() => {
        const box = h('select', {'aria-label': 'languages', onchange: () => {
            const [left_lang, right_lang] = box.value ? box.value.split(' ') : ['', ''];
            go({left_lang, right_lang});
        }}, h('option', {value: ''}, 'all'), mine.language_pairs.map((p) => h('option', {value: `${p.left_lang} ${p.right_lang}`,
            selected: p.left_lang === filters.left_lang && p.right_lang === filters.right_lang}, `${p.left_lang} – ${p.right_lang}`)));
        return h('label', {class: 'inline'}, 'Languages', box);
    })() : null;
    return h('form', {class: 'filters', onsubmit: (event) => event.preventDefault(), 'aria-label': 'filters'},
        h('span', {class: 'row'}, h('span', {class: 'small soft'}, 'Confidence'), range('from', 'min_confidence', '0'), range('to', 'max_confidence', '1')),
        select('Show', 'state', [['', 'all pairs'], ['open', 'not judged'], ['accepted', 'accepted'], ['rejected', 'rejected']]),
        select('Order', 'order', [['', 'lowest confidence first'], ['confidence', 'highest confidence first'], ['file', 'as in pairs.tsv']]),
        languages);
}

function sentenceTable(pair) {
    if (!pair.sentences.length) return notice('No sentence pairs', 'The alignment of this pair gave no sentence pair that passed the filter.');
    const cell = (text, lang) => h('td', {dir: 'auto', lang: lang && lang !== 'und' ? lang : null}, text);
    return h('table', {class: 'sentences'}, h('caption', {class: 'away'}, 'aligned sentences'),
        h('thead', null, h('tr', null, h('th', {scope: 'col'}, languageName(pair.left_lang)), h('th', {scope: 'col'}, languageName(pair.right_lang)),
                          h('th', {class: 'num', scope: 'col'}, 'score'))),
        h('tbody', null, pair.sentences.map((s) => h('tr', null, cell(s.left, pair.left_lang), cell(s.right, pair.right_lang),
                                                    h('td', {class: 'num'}, score(s.score))))));
}

/* Both whole texts; sentences that are aligned are its passages. */
function pairComparison(pair) {
    const passages = pair.sentences.filter((s) => s.left_span && s.right_span)
        .map((s) => ({query: s.left_span, document: s.right_span, score: s.score}));
    return new Comparison(
        {title: titleText({title: pair.left_title, id: pair.left_id, lang: pair.left_lang}), lang: pair.left_lang, text: pair.left_text},
        {title: titleText({title: pair.right_title, id: pair.right_id, lang: pair.right_lang}), lang: pair.right_lang, text: pair.right_text},
        convertPassages(pair.left_text, pair.right_text, passages), []);
}

function pairDetail(view, pair, mine, judge) {
    const head = (side) => h('div', null, badge(pair[`${side}_lang`]), ' ', h('bdi', {class: 'small soft'}, pair[`${side}_id`]),
        h('h2', null, titleText({title: pair[`${side}_title`], id: pair[`${side}_id`], lang: pair[`${side}_lang`]})));
    const button = (what, state, text, key) => h('button', {class: `button ${what}`, type: 'button', id: `judge-${what}`,
        'aria-pressed': pair.state === state, disabled: !mine.can_judge, onclick: () => judge(what)}, text, ' ', h('kbd', null, key));
    const body = h('div', null, sentenceTable(pair));
    const hasTexts = typeof pair.left_text === 'string' && typeof pair.right_text === 'string';
    let comparison = null;
    const whole = h('button', {class: 'button small', type: 'button', 'aria-pressed': 'false', onclick: () => {
        const isOn = whole.getAttribute('aria-pressed') !== 'true';
        whole.setAttribute('aria-pressed', isOn);
        if (isOn) {
            comparison = pairComparison(pair);
            body.replaceChildren(comparison.element);
            comparison.shown();
        } else {
            comparison.closed();
            body.replaceChildren(sentenceTable(pair));
        }
    }}, 'Whole texts');
    view.onleave(() => comparison && comparison.closed());
    return h('article', {class: 'pair', 'aria-label': 'pair'},
        h('div', {class: 'row'}, h('div', {class: 'score'}, bar(pair.confidence, `confidence ${probability(pair.confidence)}`), h('strong', {class: 'num'}, `confidence ${probability(pair.confidence)}`)),
          h('span', {class: 'soft small'}, plural(pair.n_sentences, 'sentence pair')), hasTexts && whole),
        h('div', {class: 'titles'}, head('left'), head('right')), body,
        h('div', {class: 'judge'}, button('accept', 'accepted', 'Accept', 'a'), button('reject', 'rejected', 'Reject', 'r'),
          h('button', {class: 'button', type: 'button', id: 'judge-open', disabled: !mine.can_judge || pair.state === 'open',
                       onclick: () => judge('open')}, 'Undo', ' ', h('kbd', null, 'u')),
          !mine.can_judge && h('span', {class: 'small soft'}, 'This folder is served for reading only.')));
}

async function pairsView(view, chosen) {
    const mine = app.info.mine, filters = pairFilters(view.params);
    view.title('Pairs');
    if (!app.pairList || app.pairList.key !== JSON.stringify(filters)) {
        view.loading('Loading pairs …');
        app.pairList = new PairList(filters);
        await app.pairList.more(view.signal);
    } else if (!app.pairList.isLoaded) await app.pairList.more(view.signal);
    const pairList = app.pairList;
    const isNarrow = matchMedia('(max-width: 48rem)').matches;
    const current = chosen !== null ? chosen : isNarrow || !pairList.pairs.length ? null : pairList.pairs[0].pair;
    const pair = current === null ? null : await app.api.call('GET', `pairs/${current}`, undefined, view.signal);

    const list = h('ol', {class: 'pair-list', 'aria-label': 'pairs'}, pairList.pairs.map((p) => pairEntry(p, current, filters)));
    const addMore = () => {
        const rest = pairList.total - pairList.pairs.length;
        if (rest <= 0) return;
        const button = h('button', {class: 'button small', type: 'button', onclick: async () => {
            button.disabled = true;
            const from = pairList.pairs.length;
            await pairList.more(view.signal);
            item.remove();
            list.append(...pairList.pairs.slice(from).map((p) => pairEntry(p, current, filters)));
            addMore();
        }}, `Show more of ${count(rest)}`);
        const item = h('li', {class: 'chips'}, button);
        list.append(item);
    };
    addMore();

    const go = async (by) => {
        const at = pairList.pairs.findIndex((p) => p.pair === current);
        if (at + by >= pairList.pairs.length && pairList.pairs.length < pairList.total) await pairList.more(view.signal);
        const next = pairList.pairs[at + by];
        if (next) location.hash = pairAddress(next.pair, filters);
        else announce(by > 0 ? 'last pair' : 'first pair');
    };
    const judge = async (what) => {
        if (!pair || !mine.can_judge) return;
        try {
            const answer = await app.api.call('PUT', `pairs/${current}/judgement`, {judgement: what});
            countJudgement(mine, pair.state, answer.state);
            const known = pairList.pairs.find((p) => p.pair === current);
            if (known) known.state = answer.state;
            announce(stateSigns[answer.state][2]);
            if (what !== 'open' && pairList.pairs.some((p, i) => p.pair === current && i + 1 < pairList.total)) await go(1);
            else app.render();
        } catch (error) {
            if (error.name !== 'AbortError') view.fail(error);
        }
    };
    const isEmpty = !pairList.pairs.length;
    view.show(h('div', null,
        h('div', {class: 'row'}, h('h1', {tabindex: -1, class: 'grow'}, plural(pairList.total, 'pair')), judgedProgress(mine)),
        chosen !== null && isNarrow ? h('p', null, h('a', {class: 'button small', href: pairAddress(null, filters)}, '← All pairs')) : pairFilterBar(filters, mine),
        isEmpty ? notice('No pairs', 'No pair passes these filters.', h('a', {class: 'button', href: '#/pairs'}, 'Show all pairs'))
            : h('div', {class: chosen !== null ? 'review open' : 'review'}, list, pair && pairDetail(view, pair, mine, judge))),
        {isWide: true, keepFocus: chosen !== null});
    const entry = list.querySelector('[aria-current]');
    if (entry && !isNarrow) list.scrollTop = Math.max(0, entry.offsetTop - list.offsetTop - list.clientHeight / 3);
    view.keys({j: () => go(1), k: () => go(-1), a: () => judge('accept'), r: () => judge('reject'), u: () => judge('open')});
}

function countJudgement(mine, before, after) {
    if (before === 'accepted') mine.n_accepted--;
    if (before === 'rejected') mine.n_rejected--;
    if (after === 'accepted') mine.n_accepted++;
    if (after === 'rejected') mine.n_rejected++;
}
