/*
 * files.js - the text of a file that a reader drops: plain text, HTML, Word, OpenDocument, EPUB; a server reads PDF.
 *
 * Packed files are ZIP archives of XML, which the browser unpacks and parses; nothing in them runs,
 * and nothing that they refer to is fetched.
 */

const endOf = (name) => name.toLowerCase().replace(/^.*\./, '');

/* Members of a ZIP archive: a function from a name to its text, or null. */
function openZip(data) {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    let end = data.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
    if (end < 0) throw new ApiError('The file is damaged', 'Its directory is missing.');
    const members = new Map();
    let at = view.getUint32(end + 16, true);
    for (let i = view.getUint16(end + 10, true); i > 0; i--) {
        const n = view.getUint16(at + 28, true), decoder = new TextDecoder();
        members.set(decoder.decode(data.subarray(at + 46, at + 46 + n)), {method: view.getUint16(at + 10, true),
            size: view.getUint32(at + 20, true), place: view.getUint32(at + 42, true)});
        at += 46 + n + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return async (name) => {
        const member = members.get(name);
        if (!member) return null;
        const begin = member.place + 30 + view.getUint16(member.place + 26, true) + view.getUint16(member.place + 28, true);
        const packed = data.subarray(begin, begin + member.size);
        if (member.method === 0) return new TextDecoder().decode(packed);
        return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
    };
}

const parseXml = (text) => new DOMParser().parseFromString(text || '', 'application/xml');
const elements = (root, name) => [...root.getElementsByTagNameNS('*', name)];

/* Paragraphs of an HTML body, without scripts and styles. */
function textOfHtml(text) {
    const body = new DOMParser().parseFromString(text, 'text/html').body;
    const blocks = new Set(['P', 'DIV', 'LI', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'TR', 'BLOCKQUOTE', 'SECTION', 'ARTICLE', 'PRE', 'DT', 'DD', 'FIGCAPTION', 'BR', 'HR']);
    const out = [];
    const walk = (node) => {
        if (node.nodeType === Node.TEXT_NODE) out.push(node.data.replace(/\s+/g, ' '));
        if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE|TEMPLATE|HEAD|SVG|NAV)$/i.test(node.tagName)) return;
        const isBlock = blocks.has(node.tagName);
        if (isBlock) out.push('\n');
        for (const child of node.childNodes) walk(child);
        if (isBlock) out.push('\n');
    };
    for (const child of body.childNodes) walk(child);
    return out.join('').replace(/ *\n\s*/g, '\n\n').trim();
}

async function textOfWord(member) {
    const paragraphs = elements(parseXml(await member('word/document.xml')), 'p');
    return paragraphs.map((p) => [...p.getElementsByTagNameNS('*', '*')].map((e) =>
        ({t: e.textContent, tab: '\t', br: '\n'})[e.localName] || '').join('')).filter(Boolean).join('\n\n');
}

async function textOfOpenDocument(member) {
    const body = elements(parseXml(await member('content.xml')), 'text')[0];
    return body ? [...body.getElementsByTagNameNS('*', '*')].filter((e) => e.localName === 'p' || e.localName === 'h')
        .map((e) => e.textContent.trim()).filter(Boolean).join('\n\n') : '';
}

async function textOfBook(member) {
    const root = elements(parseXml(await member('META-INF/container.xml')), 'rootfile')[0];
    const path = root ? root.getAttribute('full-path') : '', folder = path.replace(/[^/]*$/, '');
    const book = parseXml(await member(path));
    const items = new Map(elements(book, 'item').map((item) => [item.getAttribute('id'), item.getAttribute('href')]));
    const parts = [];
    for (const item of elements(book, 'itemref')) {
        const href = decodeURIComponent(items.get(item.getAttribute('idref')) || '');
        const text = await member(new URL(folder + href, 'file:///').pathname.slice(1)) || await member(folder + href);
        if (text) parts.push(textOfHtml(text));
    }
    return parts.join('\n\n');
}

const isPdf = (data) => [0x25, 0x50, 0x44, 0x46].every((byte, i) => data[i] === byte);

/* The text of a dropped file; a server reads PDF. */
async function textOfFile(file) {
    const data = new Uint8Array(await file.arrayBuffer());
    if (isPdf(data)) {
        if (app.api.isOffline) throw new ApiError('A PDF file', `${file.name} is a PDF file: save its text first, for example with pdftotext`);
        return (await app.api.call('POST', `text?name=${encodeURIComponent(file.name.slice(-80))}`, file)).text;
    }
    if (data[0] === 0x50 && data[1] === 0x4b) {
        const member = openZip(data);
        const text = await (/^(docx|docm|dotx)$/.test(endOf(file.name)) ? textOfWord(member) : /^(odt|ott)$/.test(endOf(file.name)) ? textOfOpenDocument(member)
            : endOf(file.name) === 'epub' ? textOfBook(member) : '');
        if (text.trim()) return text;
    }
    const text = new TextDecoder('utf-8').decode(data).replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
    if (text.includes('\0') || (data[0] === 0x50 && data[1] === 0x4b)) throw new ApiError('Not a text', `${file.name} is not a text file`);
    return /^(html?|xhtml)$/.test(endOf(file.name)) ? textOfHtml(text) : text;
}
