/*
 * compare.js - two texts side by side with their matching passages.
 *
 * Marks of a passage have the same colour on both sides and a band between them. Hover or focus
 * shows both ends; choosing a passage scrolls both panes until its two ends stand at the same height.
 * Scrolling one pane moves the other by interpolation between passages in the same order.
 */

/* Passages in the order of the left text, as UTF-16 spans. */
function convertPassages(leftText, rightText, passages) {
    const sorted = [...passages].sort((a, b) => a.query[0] - b.query[0] || a.document[0] - b.document[0]);
    const left = utf16Spans(leftText, sorted.map((p) => p.query));
    const right = utf16Spans(rightText, sorted.map((p) => p.document));
    return sorted.map((p, i) => ({index: i, score: p.score, left: left[i], right: right[i]}));
}

class Comparison {
    /* left, right: {title node, lang, text or null}; passages as convertPassages() makes them;
     * front: what stands before the buttons */
    constructor(left, right, passages, terms, ...front) {
        this.left = left;
        this.right = right;
        this.passages = passages;
        this.now = -1;
        this.leader = null; /* the pane that the reader scrolls */
        this.isLinked = true;
        this.frame = 0;
        this.element = h('div', {class: 'compare'}, this.makeBar(terms, front), this.makeBody());
    }

    makeBar(terms, front) {
        const n = this.passages.length;
        this.position = h('span', {class: 'num', 'aria-live': 'polite'}, n ? plural(n, 'passage') : 'no matching passages');
        const step = (by, label, key, d) => h('button', {class: 'icon', type: 'button', disabled: !n,
            'aria-label': label, title: `${label} (${key})`, onclick: () => this.step(by)}, icon(d));
        this.modeButtons = ['texts', 'passages'].map((mode) => h('button', {class: 'button small', type: 'button',
            'aria-pressed': 'false', disabled: mode === 'passages' && !n, onclick: () => this.setMode(mode)},
            mode === 'texts' ? 'Whole texts' : 'Passages only'));
        this.linkButton = h('button', {class: 'button small', type: 'button', 'aria-pressed': 'true',
            disabled: !n, title: 'the other text follows when you scroll', onclick: () => {
                this.isLinked = !this.isLinked;
                this.linkButton.setAttribute('aria-pressed', this.isLinked);
            }}, 'Scroll together');
        return h('div', {class: 'bar-row'}, front, front.length ? h('span', {class: 'spring'}) : null,
            h('div', {class: 'stepper'}, step(-1, 'previous passage', 'p', 'M6 15l6-6 6 6'),
              step(1, 'next passage', 'n', 'M6 9l6 6 6-6'), this.position),
            h('div', {class: 'row', role: 'group', 'aria-label': 'view'}, this.modeButtons, this.linkButton),
            termList(terms, (term, button) => this.showTerm(term, button)));
    }

    makeBody() {
        this.body = h('div', {class: 'panes'});
        this.panes = {left: this.makePane('left', this.left), right: this.makePane('right', this.right)};
        this.gutter = svg('svg', {class: 'gutter', 'aria-hidden': 'true'});
        this.list = null;
        this.body.append(this.head('left', this.left), this.panes.left, this.gutter,
                         this.head('right', this.right), this.panes.right);
        return this.body;
    }

    head(side, doc) {
        return h('div', {class: `pane-head head-${side}`}, knownBadge(doc.lang), h('div', {class: 'title'}, doc.title),
                 doc.n_words !== undefined && h('span', {class: 'small soft num'}, plural(doc.n_words, 'word')),
                 doc.link);
    }

    makePane(side, doc) {
        const pane = h('section', {class: `pane text ${side}`, tabindex: 0,
                                   'aria-label': side === 'left' ? 'first text' : 'second text'});
        if (doc.text === null || doc.text === undefined)
            pane.append(notice('No text', 'This index was built without texts: titles and words only.'));
        else
            this[`${side}Marks`] = renderText(pane, doc.text, doc.lang, this.passages.map((p) =>
                ({from: p[side][0], to: p[side][1], index: p.index})));
        if (!this[`${side}Marks`]) this[`${side}Marks`] = new Map();
        const indexOf = (event) => {
            const mark = event.target.closest && event.target.closest('mark');
            if (!mark) return -1;
            const indices = mark.dataset.passage.split(' ').map(Number); /* of several: the one after the current */
            return indices[(indices.indexOf(event.type === 'click' ? this.now : -1) + 1) % indices.length];
        };
        pane.addEventListener('pointerover', (event) => this.light(indexOf(event)));
        pane.addEventListener('pointerleave', () => this.light(-1));
        pane.addEventListener('focusin', (event) => this.light(indexOf(event)));
        pane.addEventListener('click', (event) => indexOf(event) >= 0 && this.select(indexOf(event), side));
        pane.addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && indexOf(event) >= 0) this.select(indexOf(event), side);
        });
        for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
            pane.addEventListener(type, () => { this.leader = side; }, {passive: true});
        pane.addEventListener('scroll', () => this.scrolled(side), {passive: true});
        return pane;
    }

    /* To be called when the element stands in the page. */
    shown() {
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.body);
        this.setMode(this.passages.length && matchMedia('(max-width: 48rem)').matches ? 'passages' : 'texts');
        if (this.passages.length) this.select(0, null, false);
        this.draw();
    }

    closed() {
        if (this.observer) this.observer.disconnect();
        if (CSS.highlights) CSS.highlights.delete('term');
    }

    setMode(mode) {
        this.mode = mode;
        this.modeButtons[0].setAttribute('aria-pressed', mode === 'texts');
        this.modeButtons[1].setAttribute('aria-pressed', mode === 'passages');
        this.linkButton.hidden = mode !== 'texts';
        if (mode === 'passages' && !this.list) this.list = this.makeList();
        const body = mode === 'passages' ? this.list : this.body;
        const old = this.element.lastElementChild;
        if (old !== body) old.replaceWith(body);
        if (this.now >= 0) this.select(this.now, null, false);
        this.draw();
    }

    makeList() {
        const around = (text, [from, to], lang) => {
            const before = text.slice(Math.max(0, from - 70), from).replace(from > 70 ? /^\S*\s/ : /^/, '');
            const after = text.slice(to, to + 70).replace(to + 70 < text.length ? /\s\S*$/ : /$/, '');
            return h('div', {class: 'text'}, h('p', {dir: 'auto', lang: lang || null},
                h('span', null, (from > 70 ? '… ' : '') + before.trimStart()), h('mark', null, text.slice(from, to)),
                h('span', null, after.trimEnd() + (to + 70 < text.length ? ' …' : ''))));
        };
        return h('ol', {class: 'passages', tabindex: 0, 'aria-label': 'matching passages'}, this.passages.map((p) => {
            const item = h('li', {'data-passage': p.index}, h('span', {class: 'rank', title: `score ${score(p.score)}`}, p.index + 1),
                           around(this.left.text, p.left, this.left.lang), around(this.right.text, p.right, this.right.lang));
            item.style.setProperty('--hue', hueOfPassage(p.index));
            return item;
        }));
    }

    marks(i) {
        return [...(this.leftMarks.get(i) || []), ...(this.rightMarks.get(i) || [])];
    }

    light(i) {
        if (i === this.lit) return;
        for (const mark of this.marks(this.lit)) mark.classList.remove('on');
        for (const mark of this.marks(i)) mark.classList.add('on');
        this.lit = i;
        this.draw();
    }

    step(by) {
        const n = this.passages.length;
        if (n) this.select(this.now < 0 ? (by > 0 ? 0 : n - 1) : (this.now + by + n) % n, null);
    }

    /* Makes a passage the current one; origin: the pane that stays where it is, or null. */
    select(i, origin, isSpoken = true) {
        for (const mark of this.marks(this.now)) mark.classList.remove('now');
        this.now = i;
        for (const mark of this.marks(i)) mark.classList.add('now');
        if (isSpoken) this.position.textContent = `passage ${i + 1} of ${this.passages.length}`;
        if (this.list) for (const item of this.list.children) item.classList.toggle('now', Number(item.dataset.passage) === i);
        if (this.mode === 'passages') {
            if (isSpoken) this.list.children[i].scrollIntoView({block: 'nearest'});
            return;
        }
        this.leader = null;
        const left = (this.leftMarks.get(i) || [])[0], right = (this.rightMarks.get(i) || [])[0];
        let height = this.panes.left.clientHeight * .25;
        if (origin) {
            const mark = origin === 'left' ? left : right;
            height = mark.getBoundingClientRect().top - this.panes[origin].getBoundingClientRect().top;
        }
        /* Heights change while paragraphs come into sight, so it takes a few frames. */
        const settle = (turns) => {
            const moved = this.place('left', left, height) + this.place('right', right, height);
            if (turns && moved > 1) requestAnimationFrame(() => settle(turns - 1));
            this.draw();
        };
        settle(5);
        setTimeout(() => this.now === i && !this.leader && this.mode === 'texts' && settle(5), 200);
    }

    place(side, mark, height) {
        if (!mark) return 0;
        const pane = this.panes[side];
        const before = pane.scrollTop;
        pane.scrollTop += mark.getBoundingClientRect().top - pane.getBoundingClientRect().top - height;
        return Math.abs(pane.scrollTop - before);
    }

    /* Where a passage begins in its pane, without laying out what is not in sight. */
    placeOf(side, i) {
        const mark = (this[`${side}Marks`].get(i) || [])[0];
        if (!mark) return null;
        const p = mark.parentElement;
        let before = 0;
        for (let node = mark.previousSibling; node; node = node.previousSibling) before += node.textContent.length;
        return p.offsetTop + p.offsetHeight * before / Math.max(1, p.textContent.length);
    }

    /* Pairs of heights that rise on both sides: the best passages first. */
    anchors() {
        const chosen = [[0, 0], [this.panes.left.scrollHeight, this.panes.right.scrollHeight]];
        for (const p of [...this.passages].sort((a, b) => b.score - a.score)) {
            const a = this.placeOf('left', p.index), b = this.placeOf('right', p.index);
            if (a === null || b === null) continue;
            const at = chosen.findIndex((c) => c[0] > a);
            if (at > 0 && chosen[at - 1][0] < a && chosen[at - 1][1] < b && b < chosen[at][1]) chosen.splice(at, 0, [a, b]);
        }
        return chosen;
    }

    scrolled(side) {
        if (!this.frame) this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            if (this.isLinked && this.leader === side && this.passages.length) this.follow(side);
            this.draw();
        });
    }

    follow(side) {
        const from = side === 'left' ? 0 : 1, to = 1 - from;
        const pane = this.panes[side], other = this.panes[side === 'left' ? 'right' : 'left'];
        const line = pane.clientHeight * .3, at = pane.scrollTop + line;
        if (!this.anchorTime || performance.now() - this.anchorTime > 250) { /* layout changes while one scrolls */
            this.anchorCache = this.anchors();
            this.anchorTime = performance.now();
        }
        const anchors = this.anchorCache;
        let k = anchors.findIndex((c) => c[from] > at);
        if (k < 1) k = anchors.length - 1;
        const a = anchors[k - 1], b = anchors[k];
        const share = (at - a[from]) / Math.max(1, b[from] - a[from]);
        other.scrollTop = a[to] + share * (b[to] - a[to]) - line;
    }

    /* The bands between the panes. */
    draw() {
        const width = this.gutter.clientWidth;
        if (this.mode !== 'texts' || !width || !this.gutter.isConnected) return;
        const top = this.gutter.getBoundingClientRect().top, height = this.gutter.clientHeight;
        const extent = (side, i) => {
            const marks = this[`${side}Marks`].get(i);
            if (!marks) return null;
            const firstBox = marks[0].parentElement.getBoundingClientRect();
            const lastBox = marks[marks.length - 1].parentElement.getBoundingClientRect();
            if (firstBox.top > top + height) return [height + 40, height + 60];
            if (lastBox.bottom < top) return [-60, -40];
            return [marks[0].getBoundingClientRect().top - top,
                    marks[marks.length - 1].getBoundingClientRect().bottom - top];
        };
        const bands = [];
        for (const p of this.passages) {
            const a = extent('left', p.index), b = extent('right', p.index);
            if (!a || !b || (a[1] < 0 && b[1] < 0) || (a[0] > height && b[0] > height)) continue;
            const isFar = (a[1] < 0 || a[0] > height) || (b[1] < 0 || b[0] > height);
            if (isFar && p.index !== this.now && p.index !== this.lit) continue;
            const m = width / 2;
            const band = svg('path', {d: `M0 ${a[0]}C${m} ${a[0]} ${m} ${b[0]} ${width} ${b[0]}V${b[1]}` +
                                         `C${m} ${b[1]} ${m} ${a[1]} 0 ${a[1]}Z`});
            band.style.setProperty('--hue', hueOfPassage(p.index));
            if (p.index === this.now || p.index === this.lit) band.classList.add('on');
            bands.push(band);
        }
        this.gutter.replaceChildren(...bands);
    }

    /* Underlines a word on both sides and goes to its first place. */
    showTerm(term, button) {
        if (!CSS.highlights || typeof Highlight === 'undefined') return;
        const wasOn = button.getAttribute('aria-pressed') === 'true';
        for (const other of this.element.querySelectorAll('button.term')) other.setAttribute('aria-pressed', 'false');
        CSS.highlights.delete('term');
        if (wasOn) return;
        button.setAttribute('aria-pressed', 'true');
        if (this.mode !== 'texts') this.setMode('texts');
        const left = wordRanges(this.panes.left, term.query), right = wordRanges(this.panes.right, term.document);
        CSS.highlights.set('term', new Highlight(...left, ...right));
        this.leader = null;
        const height = this.panes.left.clientHeight * .25;
        for (const [side, ranges] of [['left', left], ['right', right]])
            if (ranges.length) this.place(side, ranges[0], height);
        announce(`${term.query}: ${plural(left.length, 'place')} on the left, ${plural(right.length, 'place')} on the right`);
    }

    keys() {
        return {n: () => this.step(1), p: () => this.step(-1), v: () => this.passages.length && this.setMode(this.mode === 'texts' ? 'passages' : 'texts')};
    }
}
