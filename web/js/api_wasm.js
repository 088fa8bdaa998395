/*
 * api_wasm.js - answers without a server: index and query code stand in the page.
 *
 * `doppel index build --page` writes both as gzip in Base64, in blocks of data (script elements
 * that are no scripts). They are unpacked piece by piece into the memory of the module, which is
 * the library's own code (web/wasm/module.c) and gives the same JSON as the server.
 */

function bytesOfBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const out = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
    return out;
}

/* Unpacks the blocks of a class in turn, and takes them out of the page. */
async function unpackBlocks(className, take) {
    const blocks = [...document.getElementsByClassName(className)];
    if (typeof DecompressionStream === 'undefined') throw new ApiError('This browser is too old', 'It cannot unpack the index of this page.');
    const stream = new DecompressionStream('gzip');
    const writing = (async () => {
        const writer = stream.writable.getWriter();
        for (const block of blocks) {
            await writer.write(bytesOfBase64(block.textContent));
            block.remove();
        }
        await writer.close();
    })();
    const reader = stream.readable.getReader();
    for (;;) {
        const {value, done} = await reader.read();
        if (done) break;
        take(value);
    }
    await writing;
}

const segmenters = {};

/* What the module imports: see web/wasm/icu.c. */
function pageImports(memory) {
    const decoder = new TextDecoder();
    return {
        normalize(from, n, to, most) {
            let text = '';
            const units = new Uint16Array(memory().buffer, from, n);
            for (let i = 0; i < n; i += 8192) text += String.fromCharCode(...units.subarray(i, i + 8192));
            text = text.normalize('NFC');
            if (text.length > most) return -1;
            const out = new Uint16Array(memory().buffer, to, text.length);
            for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
            return text.length;
        },
        segment(from, n, isSwedish, to, most) {
            const locale = isSwedish ? 'sv' : 'en';
            segmenters[locale] ||= new Intl.Segmenter(locale, {granularity: 'word'});
            const text = decoder.decode(new Uint8Array(memory().buffer, from, n));
            const out = new Uint32Array(memory().buffer, to, most);
            let at = 0, count = 0;
            for (const piece of segmenters[locale].segment(text)) {
                for (const letter of piece.segment) {
                    const c = letter.codePointAt(0);
                    at += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
                }
                if (count === most) return -1;
                out[count++] = at * 2 + (piece.isWordLike ? 1 : 0);
            }
            return count;
        },
    };
}

const wasmApi = {
    isOffline: true,
    compiled: null,
    module: null,
    progress: () => {}, /* (stage, share or null), while the module works */
    files: null, /* what the module has as its file system */
    isHere: () => byId('pocket-data') !== null || isPlayground(),

    async open(progress) {
        await this.load();
        if (isPlayground()) return;
        const {module} = this, about = JSON.parse(byId('pocket-data').textContent);
        if (about.n_stems) module.page_stems(await this.unpackTo(module.page_alloc(about.n_stems), 'pocket-stems', about.n_stems, () => {}), about.n_stems);
        await this.unpackTo(module.page_index(about.n_bytes), 'pocket-block', about.n_bytes, progress);
        const failure = this.withText(about.name, (name) => module.page_open(about.n_bytes, name));
        if (failure) throw new ApiError('The index cannot be opened', this.textAt(failure));
    },

    async load() {
        const parts = [];
        await unpackBlocks('pocket-code', (part) => parts.push(part));
        const code = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
        parts.reduce((at, part) => { code.set(part, at); return at + part.length; }, 0);
        await this.instantiate(await WebAssembly.compile(code));
    },

    async instantiate(compiled) {
        let instance = null;
        const memory = () => instance.exports.memory;
        const progress = (stage, done, total) => this.progress(this.textAt(stage), total ? done / total : null);
        this.files = new MemoryFiles();
        const imports = {page: {...pageImports(memory), progress}, wasi_snapshot_preview1: systemImports(memory, this.files)};
        this.compiled = compiled;
        instance = await WebAssembly.instantiate(compiled, imports);
        this.module = instance.exports;
        this.module._initialize();
    },

    /* Unpacks blocks of a class to a place of the module's memory, and answers it. */
    async unpackTo(place, className, size, progress) {
        if (!place) throw new ApiError('Not enough memory', `The index of this page has ${bytes(size)}.`);
        let n = 0;
        await unpackBlocks(className, (part) => {
            if (n + part.length > size) throw new ApiError('The page is damaged', 'It holds more data than it says.');
            new Uint8Array(this.module.memory.buffer, place + n, part.length).set(part);
            n += part.length;
            progress(n / size);
        });
        if (n !== size) throw new ApiError('The page is damaged', 'A part of the index is missing.');
        return place;
    },

    /* Copies strings to the module for the time of a call. */
    withText(text, call) {
        const encoded = new TextEncoder().encode(text);
        const place = this.module.page_alloc(encoded.length + 1);
        if (!place) throw new ApiError('Not enough memory', 'The text is too long for this page.');
        const room = new Uint8Array(this.module.memory.buffer, place, encoded.length + 1);
        room.set(encoded);
        room[encoded.length] = 0;
        try {
            return call(place, encoded.length);
        } finally {
            this.module.page_free(place);
        }
    },

    textAt(place) {
        const all = new Uint8Array(this.module.memory.buffer);
        return new TextDecoder().decode(all.subarray(place, all.indexOf(0, place)));
    },

    async call(method, path, body, signal) {
        await new Promise((resolve) => setTimeout(resolve)); /* what says "searching" appears first */
        if (signal && signal.aborted) throw new DOMException('cancelled', 'AbortError');
        let status, text;
        try {
            status = this.withText(method, (m) => this.withText(`/api/v1/${path}`, (target) =>
                this.withText(body === undefined ? '' : JSON.stringify(body), (b, n) => this.module.page_answer(m, target, b, n))));
            const place = this.module.page_body(), n = this.module.page_body_size();
            text = new TextDecoder().decode(new Uint8Array(this.module.memory.buffer, place, n));
        } catch (error) {
            if (error instanceof ApiError) throw error;
            throw new ApiError('The query code failed', String(error), 'Reload the page.');
        }
        const answer = JSON.parse(text);
        if (status !== 200) throw answerError(status, answer);
        return answer;
    },
};
