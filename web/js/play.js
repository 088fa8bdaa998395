/*
 * play.js - the playground: aligns two texts, removes duplicates of a file, makes or opens an
 * index, all in the page. Files come by drop, by choice or pasted, and go nowhere.
 */

const playLanguages = ['ar', 'bg', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko',
                       'la', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'];
const bookFormats = [['TMX', 'tmx', 3], ['TSV', 'tsv', 0], ['Bilingual EPUB', 'epub', 8], ['Bilingual page', 'html', 7], ['XLIFF', 'xlf', 6], ['JSON Lines', 'jsonl', 1]];
const play = {sides: [newSide(), newSide()], dedup: {file: null}, aligned: null, saved: null /* for tests */};

function newSide() {
    return {text: '', file: null, lang: ''};
}

const isPlayground = () => byId('play-data') !== null;

/* ---- files ------------------------------------------------------------------------------ */

async function unpackGzip(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Text of another encoding as UTF-8; packed formats stay as they are. */
function toUtf8(bytes) {
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return bytes;
    const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
    if (mark) return new TextEncoder().encode(new TextDecoder(mark).decode(bytes));
    try {
        new TextDecoder('utf-8', {fatal: true}).decode(bytes);
        return bytes;
    } catch {
        return new TextEncoder().encode(new TextDecoder('windows-1252').decode(bytes));
    }
}

/* A file of the reader's as {name, bytes}, as the module takes it. */
async function takeFile(file, isRaw) {
    let bytes = new Uint8Array(await file.arrayBuffer()), name = file.name.replace(/[/\\]/g, '_');
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
        bytes = await unpackGzip(bytes);
        name = name.replace(/\.gz$/i, '');
    }
    if (/\.pdf$/i.test(name)) throw new ApiError('A PDF file', 'This page cannot read PDF. Save its text first, for example with pdftotext.');
    if (/\.(zst|xz|bz2|7z|rar)$/i.test(name)) throw new ApiError('A packed file', 'Unpack it first: of the packed formats this page reads gzip only.');
    return {name: name.replace(/\.(md|markdown)$/i, '.txt'), bytes: isRaw ? bytes : toUtf8(bytes)};
}

function saveFile(name, bytes, type) {
    const url = URL.createObjectURL(new Blob([bytes], {type}));
    const link = h('a', {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
    play.saved = {name, bytes};
}

/* An area that takes a dropped file, with a button to choose one. */
function dropArea(id, label, take, isMany, ...content) {
    const input = h('input', {type: 'file', id, class: 'away', multiple: isMany, 'aria-label': label, onchange: () => input.files.length && give([...input.files])});
    const note = h('span', {class: 'small soft', 'aria-live': 'polite'});
    const give = async (files) => {
        note.textContent = '';
        try {
            await take(isMany ? files : files[0]);
        } catch (error) {
            note.textContent = error.message;
        }
        input.value = '';
    };
    const area = h('div', {class: 'drop',
        ondragover: (event) => { event.preventDefault(); area.classList.add('over'); },
        ondragleave: () => area.classList.remove('over'),
        ondrop: (event) => { event.preventDefault(); area.classList.remove('over'); if (event.dataTransfer.files.length) give([...event.dataTransfer.files]); }},
        ...content, h('div', {class: 'row'}, h('button', {class: 'button small', type: 'button', onclick: () => input.click()}, label), input, note));
    return area;
}

/* ---- calls of the module, in a worker ------------------------------------------------------ */

function playBody() {
    const {module} = wasmApi;
    return new Uint8Array(module.memory.buffer, module.play_body(), module.play_body_size()).slice();
}

function playAnswer(failed) {
    const answer = JSON.parse(new TextDecoder().decode(playBody()));
    if (failed) throw new ApiError('That did not work', answer.error);
    return answer;
}

function guarded(work) {
    try {
        return work();
    } catch (error) {
        if (error instanceof ApiError) throw error;
        throw new ApiError('The page ran out of memory or met an error', String(error), 'Reload it and try a smaller text.');
    }
}

/* Names are ids of documents, so files are at the root of the module's file system. */
function clearFiles() {
    const {files} = wasmApi;
    for (const name of files.inside('/')) files.removeAll(name);
    files.folder('/tmp');
}

const withTexts = (texts, call, ...done) => (texts.length ? wasmApi.withText(texts[0], (place) => withTexts(texts.slice(1), call, ...done, place)) : call(...done));

/* What workers are asked for. Files are {name, bytes}. */
const playJobs = {
    align(sides, isOnePerLine) {
        const {files, module} = wasmApi;
        clearFiles();
        for (const side of sides) files.add(`/${side.name}`, side.bytes);
        return withTexts([...sides.map((side) => side.name), ...sides.map((side) => side.lang)], (...places) =>
            playAnswer(module.play_align(...places, isOnePerLine ? 1 : 0)));
    },
    save(format) {
        const failed = wasmApi.module.play_save(format);
        return failed ? playAnswer(failed) : playBody();
    },
    dedup(file, unit, threshold) {
        const {files, module} = wasmApi;
        clearFiles();
        files.add(`/${file.name}`, file.bytes);
        const result = withTexts([file.name], (place) => playAnswer(module.play_dedup(place, unit, threshold)));
        result.tableName = result.n_parts > 0 ? 'parts.tsv' : 'clusters.tsv';
        result.table = files.read(`/out/${result.tableName}`);
        result.kept = files.read(result.kept_path || '');
        return result;
    },
    /* The bytes of a pocket of these files. */
    index(list) {
        const {files, module} = wasmApi;
        clearFiles();
        files.folder('/in');
        for (const file of list) files.add(`/in/${file.name}`, file.bytes);
        const path = list.length === 1 && /\.(jsonl|json|csv|tsv)$/i.test(list[0].name) ? `/in/${list[0].name}` : '/in';
        withTexts([path, '/pocket.dpl'], (...places) => playAnswer(module.play_index(...places)));
        return files.read('/pocket.dpl');
    },
};

const playWorkers = isWorker ? {} : {align: new PlayWorker(), dedup: new PlayWorker(), index: new PlayWorker()};

/* Calls a job and shows in `out` how far it is, with a button that ends it. Answers the value with the seconds it took, or null when it was ended. */
async function workOn(out, what, worker, name, values) {
    const bar = h('progress', {max: 1, 'aria-label': what}), stageName = h('p', {class: 'small soft', 'aria-live': 'off'});
    const box = loadingNotice(what, () => { worker.stop(); out.replaceChildren(); });
    box.classList.add('work');
    box.firstChild.replaceWith(bar);
    box.insertBefore(stageName, box.lastChild);
    out.replaceChildren(box);
    const begin = performance.now();
    try {
        const value = await worker.call(name, values, (stage, share) => {
            stageName.textContent = stage;
            if (share === null) bar.removeAttribute('value');
            else bar.value = share;
        });
        return {value, elapsed: (performance.now() - begin) / 1000};
    } catch (error) {
        if (error.name === 'AbortError') return null;
        throw error;
    }
}

function alignSides(out, isOnePerLine) {
    const sides = play.sides.map(({text, file, lang}, i) => ({lang, name: file ? file.name : i ? 'translation.txt' : 'text.txt',
                                                              bytes: file ? file.bytes : new TextEncoder().encode(text)}));
    if (sides[0].name === sides[1].name) sides[1].name = `2-${sides[1].name}`;
    return workOn(out, 'Aligning …', playWorkers.align, 'align', [sides, isOnePerLine]);
}

/* ---- two texts side by side --------------------------------------------------------------- */

function sideCard(i, changed) {
    const side = play.sides[i], name = i ? 'Translation' : 'Text';
    const area = h('textarea', {id: `align-text-${i}`, 'aria-label': name, dir: 'auto', spellcheck: 'false',
        placeholder: `${i ? 'and its translation' : 'Paste a text'}, or drop a file: EPUB, Word, OpenDocument, HTML, text`,
        oninput: () => { side.text = area.value; side.file = null; show(); }});
    const chosen = h('p', {class: 'chosen small'});
    const show = () => {
        chosen.replaceChildren(...(side.file ? [h('strong', null, side.file.name), ` ${bytes(side.file.bytes.length)} `,
            h('button', {class: 'button plain small', type: 'button', onclick: () => { side.file = null; show(); }}, 'Remove')] : []));
        area.hidden = side.file !== null;
        changed();
    };
    const lang = h('select', {'aria-label': `language of the ${name.toLowerCase()}`, onchange: () => { side.lang = lang.value; }},
        h('option', {value: ''}, 'language: detect'), playLanguages.map((code) => h('option', {value: code}, languageName(code))));
    area.value = side.text;
    lang.value = side.lang;
    const card = h('div', {class: 'card'}, h('h2', null, name),
        dropArea(`align-file-${i}`, 'Choose a file', async (file) => { side.file = await takeFile(file); show(); }, false, area, chosen), h('div', {class: 'row'}, lang));
    show();
    return card;
}

const verdictWords = {alone: 'no counterpart', short: 'too short', identical: 'both sides are the same', length: 'lengths differ', words: 'words do not match',
                      language: 'another language', score: 'low score'};

function beadRow([left, right, value, verdict, section], langs) {
    const cell = (text, lang) => h('div', {dir: 'auto', lang: lang === 'und' ? null : lang}, text || h('span', {class: 'soft'}, '–'));
    return h('li', {class: `bead${verdict === 'kept' ? '' : ' weak'}${section === 2 ? ' section' : section ? ' paragraph' : ''}`},
        cell(left, langs[0]), cell(right, langs[1]), h('span', {class: 'num small soft', title: verdictWords[verdict] || null}, verdict === 'kept' ? score(value) : verdictWords[verdict] || verdict));
}

/* Rows come as they are scrolled to. */
function beadList(beads, langs) {
    const list = h('ol', {class: 'beads', 'aria-label': 'aligned sentences'}), end = h('p', {class: 'end'});
    let n = 0;
    const more = () => {
        list.append(...beads.slice(n, n + 200).map((bead) => beadRow(bead, langs)));
        n = Math.min(n + 200, beads.length);
        if (n === beads.length) watcher.disconnect();
    };
    const watcher = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) more(); }, {rootMargin: '1200px'});
    more();
    if (n < beads.length) watcher.observe(end);
    return h('div', null, list, end);
}

function baseName() {
    const names = play.sides.map((side) => (side.file ? side.file.name.replace(/\.[^.]*$/, '') : null)).filter(Boolean);
    return names.length ? names.join('-') : 'aligned';
}

async function saveAligned(ending, format) {
    const content = await playWorkers.align.call('save', [format]);
    saveFile(`${baseName()}.${ending}`, content, ending === 'epub' ? 'application/epub+zip' : 'application/octet-stream');
}

function alignedPart(result) {
    const langs = [result.left.lang, result.right.lang], beads = result.beads;
    const kept = beads.filter((bead) => bead[3] === 'kept').length;
    const box = h('div', null), find = h('input', {type: 'search', 'aria-label': 'find in both texts', placeholder: 'find in both texts'});
    const which = h('select', {'aria-label': 'which rows'}, [['all', 'all rows'], ['kept', 'pairs only'], ['rest', 'what is left over']].map(([value, text]) => h('option', {value}, text)));
    const fill = () => {
        const words = find.value.trim().toLowerCase();
        box.replaceChildren(beadList(beads.filter((bead) => (which.value === 'all' || (bead[3] === 'kept') === (which.value === 'kept')) &&
            (!words || bead[0].toLowerCase().includes(words) || bead[1].toLowerCase().includes(words))), langs));
    };
    which.addEventListener('change', fill);
    find.addEventListener('input', debounce(fill, 150));
    fill();
    const facts = [['sentences left', count(result.left.n_sentences)], ['sentences right', count(result.right.n_sentences)], ['sentence pairs', count(kept)],
                   ['languages', langs.map(languageName).join(' – ')], ['time', `${result.elapsed.toFixed(1)} s`]];
    return h('section', {'aria-label': 'result'}, h('dl', {class: 'figures'}, facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', {class: 'num'}, value)))),
        h('div', {class: 'chips saves'}, 'Save as', bookFormats.map(([text, ending, format]) =>
            h('button', {class: 'button small', type: 'button', 'data-format': ending, onclick: () => saveAligned(ending, format).catch((error) => box.replaceChildren(errorNotice(error)))}, text))),
        h('div', {class: 'chips'}, which, find), box);
}

const playExample = [
    'The lighthouse keeper had not spoken to anyone for eleven days. On the twelfth, a boat came. It carried 40 litres of oil, three letters and a dog.\n\nHe read the letters twice. The first came from his sister in Hamburg, who wrote about the harbour and the price of bread. The second was a bill. The third had no sender.\n\nThe dog slept beside the stove. In the morning it barked at the fog, and the keeper laughed for the first time since 1911.',
    'Der Leuchtturmwärter hatte seit elf Tagen mit niemandem gesprochen. Am zwölften kam ein Boot. Es brachte 40 Liter Öl, drei Briefe und einen Hund.\n\nEr las die Briefe zweimal. Der erste kam von seiner Schwester in Hamburg. Sie schrieb über den Hafen und den Brotpreis. Der zweite war eine Rechnung. Der dritte hatte keinen Absender.\n\nDer Hund schlief neben dem Ofen. Am Morgen bellte er den Nebel an, und der Wärter lachte zum ersten Mal seit 1911.'];

async function alignView(view) {
    view.title('Align');
    const lines = h('input', {type: 'checkbox', id: 'align-lines'});
    const out = h('div', {id: 'aligned', 'aria-live': 'polite'}, play.aligned ? alignedPart(play.aligned) : null);
    const button = h('button', {class: 'button main', type: 'submit', id: 'align-go'}, 'Align');
    const changed = () => { button.disabled = play.sides.some((side) => !side.file && !side.text.trim()); };
    const run = async () => {
        play.aligned = null;
        try {
            const done = await alignSides(out, lines.checked);
            if (!done) return;
            play.aligned = {...done.value, elapsed: done.elapsed};
            out.replaceChildren(alignedPart(play.aligned));
            announce(`${plural(play.aligned.beads.length, 'row')} aligned`);
        } catch (error) {
            out.replaceChildren(errorNotice(error, run));
        }
    };
    const again = () => view.isCurrent && render();
    const example = () => { play.sides = playExample.map((text) => ({...newSide(), text})); play.aligned = null; };
    const isExample = view.params.has('example') && !play.aligned; /* #/align?example */
    if (isExample) example();
    view.show(h('div', null, h('h1', {tabindex: -1}, 'Align a text and its translation'),
        h('p', {class: 'lead'}, 'Sentence by sentence, without a dictionary: words are learned from the two texts. Everything happens in this page; nothing leaves your browser.'),
        h('form', {class: 'play', onsubmit: (event) => { event.preventDefault(); run(); }},
            h('div', {class: 'sides'}, sideCard(0, changed), sideCard(1, changed)),
            h('div', {class: 'row'}, button,
                h('button', {class: 'button', type: 'button', id: 'align-example', onclick: () => { example(); again(); }}, 'Try an example'),
                h('button', {class: 'button', type: 'button', onclick: () => { play.sides.reverse(); play.aligned = null; again(); }}, 'Swap'),
                h('label', {class: 'inline'}, lines, 'one sentence per line'))), out));
    changed();
    if (isExample) await run();
}

/* ---- duplicates ------------------------------------------------------------------------- */

function removedRow([id, kept, value, kind, text, other]) {
    return h('li', {class: 'bead'}, h('div', null, h('p', {class: 'small soft'}, `removed: ${id}`), beginning(text, 300)),
        h('div', null, h('p', {class: 'small soft'}, `kept: ${kept}`), beginning(other, 300)), h('span', {class: 'num small soft'}, `${kind} ${score(value)}`));
}

function dedupedPart(result, file) {
    const isParts = result.n_parts > 0;
    const facts = isParts ? [['lines or paragraphs', count(result.n_parts)], ['removed', count(result.n_parts_removed)], ['different ones', count(result.n_distinct)]]
        : [['documents', count(result.n_docs)], ['kept', count(result.n_kept)], ['removed', count(result.n_removed)], ['copies', count(result.n_copies)], ['clusters', count(result.n_clusters)]];
    facts.push(['time', `${result.elapsed.toFixed(1)} s`]);
    const {tableName, table, kept} = result;
    const ending = (result.kept_path || '').replace(/^.*?kept/, '');
    return h('section', {'aria-label': 'result'}, h('dl', {class: 'figures'}, facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', {class: 'num'}, value)))),
        h('div', {class: 'chips saves'}, kept && h('button', {class: 'button small', type: 'button', id: 'save-kept', onclick: () => saveFile(`${file.name.replace(/\.[^.]*$/, '')}-kept${ending}`, kept, 'application/octet-stream')}, 'Save what is kept'),
            h('button', {class: 'button small', type: 'button', onclick: () => saveFile(tableName, table, 'text/tab-separated-values')}, tableName)),
        h('ol', {class: 'beads'}, result.removed.slice(0, 200).map(removedRow)),
        result.removed.length > 200 && h('p', {class: 'soft'}, `The first 200 are shown; ${tableName} has all.`));
}

async function dedupView(view) {
    view.title('Deduplicate');
    const state = play.dedup, out = h('div', {id: 'deduped', 'aria-live': 'polite'}), chosen = h('p', {class: 'chosen'});
    const unit = h('select', {id: 'dedup-unit', 'aria-label': 'what is removed'}, ['documents', 'paragraphs', 'lines'].map((name, i) => h('option', {value: i}, `duplicate ${name}`)));
    const least = h('input', {type: 'number', id: 'dedup-least', min: .1, max: 1, step: .05, value: .8});
    const run = async () => {
        if (!state.file) return;
        try {
            const done = await workOn(out, 'Comparing …', playWorkers.dedup, 'dedup', [state.file, Number(unit.value), Number(least.value) || .8]);
            if (done) out.replaceChildren(dedupedPart({...done.value, elapsed: done.elapsed}, state.file));
        } catch (error) {
            out.replaceChildren(errorNotice(error, run));
        }
    };
    unit.addEventListener('change', run);
    least.addEventListener('change', run);
    const take = async (file) => {
        state.file = await takeFile(file);
        chosen.textContent = `${state.file.name}, ${bytes(state.file.bytes.length)}`;
        if (/\.txt$/i.test(state.file.name)) unit.value = 2;
        await run();
    };
    view.show(h('div', null, h('h1', {tabindex: -1}, 'Remove duplicates'),
        h('p', {class: 'lead'}, 'Copies and near-duplicates of a collection: JSON Lines, CSV or TSV with a document on each line; of a text file, lines that recur. Nothing leaves your browser.'),
        h('div', {class: 'card play'}, dropArea('dedup-file', 'Choose a file', take, false, h('p', {class: 'target'}, 'Drop a file here'), chosen),
            h('div', {class: 'row'}, unit, h('label', {class: 'inline'}, 'least similarity', least))), out));
}

/* ---- pockets ------------------------------------------------------------------------------ */

async function openPocket(name, pocket) {
    const {module} = wasmApi;
    const place = module.page_index(pocket.length);
    if (!place) throw new ApiError('Not enough memory', `The index has ${bytes(pocket.length)}.`);
    new Uint8Array(module.memory.buffer, place, pocket.length).set(pocket);
    const failure = wasmApi.withText(name, (text) => module.page_open(pocket.length, text));
    if (failure) throw new ApiError('The index cannot be opened', wasmApi.textAt(failure));
    app.answers.clear();
    app.documents.clear();
    app.info = await wasmApi.call('GET', 'info');
}

/* Does a file begin as those do that doppel writes? */
async function isOurs(file) {
    const begin = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    return [0x89, 0x44, 0x50, 0x4c].every((byte, i) => begin[i] === byte);
}

/* Opens the pocket, or makes one of the files; false when that was ended. */
async function takePocket(out, list) {
    const isPocket = list.length === 1 && await isOurs(list[0]), taken = [];
    for (const file of list) taken.push(await takeFile(file, isPocket));
    const done = isPocket ? {value: taken[0].bytes} : await workOn(out, 'Making the index …', playWorkers.index, 'index', [taken]);
    if (done) await openPocket(list.length === 1 ? taken[0].name : plural(list.length, 'file'), done.value);
    return done !== null;
}

async function pocketView(view) {
    view.title('Search');
    const out = h('div', {id: 'pocket-state', 'aria-live': 'polite'});
    const take = async (files) => {
        try {
            if (await takePocket(out, files)) location.hash = '#/';
        } catch (error) {
            out.replaceChildren(errorNotice(error, () => out.replaceChildren()));
        }
    };
    view.show(h('div', null, h('h1', {tabindex: -1}, 'Search with a whole text'),
        h('p', {class: 'lead'}, 'Similar documents, and passages that a text shares with them. Drop documents (files, or JSON Lines, CSV, TSV), or a pocket index that doppel index build made. Nothing leaves your browser.'),
        h('div', {class: 'card play'}, dropArea('pocket-file', 'Choose files', take, true, h('p', {class: 'target'}, 'Drop documents or a pocket here'))), out));
}
