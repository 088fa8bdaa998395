/*
 * wasi.js - the system that the WebAssembly module sees: files in memory, a clock, nothing else.
 *
 * A file is an array of bytes in a map of paths; folders are paths, too. Nothing is read from or
 * written to anywhere else. Names follow wasi_snapshot_preview1.
 */

const WASI = {OK: 0, BADF: 8, EXIST: 20, INVAL: 28, ISDIR: 31, NOENT: 44, NOSYS: 52, NOTDIR: 54, NOTEMPTY: 55};

class MemoryFiles {
    constructor() {
        this.nodes = new Map([['/', {isFolder: true, id: 1}], ['/tmp', {isFolder: true, id: 2}]]);
        this.lastId = 2;
        /* Descriptors: the standard streams go nowhere, 3 is the root. */
        this.open = new Map([[3, {path: '/', node: this.nodes.get('/')}]]);
    }

    add(path, bytes) {
        const node = {bytes, n: bytes.length, id: ++this.lastId};
        this.nodes.set(path, node);
        return node;
    }

    folder(path) {
        this.nodes.set(path, {isFolder: true, id: ++this.lastId});
    }

    read(path) {
        const node = this.nodes.get(path);
        return node && !node.isFolder ? node.bytes.slice(0, node.n) : null;
    }

    inside(path) {
        const begin = path === '/' ? '/' : `${path}/`;
        return [...this.nodes.keys()].filter((name) => name !== path && name.startsWith(begin) && !name.slice(begin.length).includes('/'));
    }

    removeAll(path) {
        for (const name of [...this.nodes.keys()]) if (name === path || name.startsWith(`${path}/`)) this.nodes.delete(name);
    }

    resize(node, n) {
        if (n > node.bytes.length) {
            const larger = new Uint8Array(Math.max(n, 2 * node.bytes.length, 4096));
            larger.set(node.bytes.subarray(0, node.n));
            node.bytes = larger;
        } else if (n < node.n) {
            node.bytes.fill(0, n, node.n);
        }
        node.n = n;
    }

    descriptor(file) {
        let fd = 4;
        while (this.open.has(fd)) fd++;
        this.open.set(fd, file);
        return fd;
    }
}

function cleanPath(base, name) {
    const parts = [];
    for (const part of `${name.startsWith('/') ? '' : base}/${name}`.split('/')) {
        if (part === '..') parts.pop();
        else if (part && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
}

/* The functions of WASI over these files; those that are not here answer that they do not exist. */
function systemImports(memory, files) {
    const view = () => new DataView(memory().buffer);
    const decoder = new TextDecoder();
    const path = (fd, place, n) => cleanPath(files.open.get(fd).path, decoder.decode(new Uint8Array(memory().buffer, place, n)));
    const kind = (node) => (node.isFolder ? 3 : 4);
    const stat = (node, out) => {
        const v = view();
        for (let i = 0; i < 64; i += 8) v.setBigUint64(out + i, 0n, true);
        v.setBigUint64(out, 1n, true);
        v.setBigUint64(out + 8, BigInt(node.id), true);
        v.setUint8(out + 16, kind(node));
        v.setBigUint64(out + 24, 1n, true);
        v.setBigUint64(out + 32, BigInt(node.n || 0), true);
        return WASI.OK;
    };
    const vectors = function* (place, n) {
        for (let i = 0; i < n; i++) yield [view().getUint32(place + 8 * i, true), view().getUint32(place + 8 * i + 4, true)];
    };
    const read = (file, vecs, n, at, out) => {
        let done = 0;
        for (const [to, size] of vectors(vecs, n)) {
            const most = Math.max(0, Math.min(size, file.node.n - at - done));
            new Uint8Array(memory().buffer, to, most).set(file.node.bytes.subarray(at + done, at + done + most));
            done += most;
            if (most < size) break;
        }
        view().setUint32(out, done, true);
        return done;
    };
    const write = (file, vecs, n, at, out) => {
        let done = 0;
        for (const [from, size] of vectors(vecs, n)) {
            if (at + done + size > file.node.n) files.resize(file.node, at + done + size);
            file.node.bytes.set(new Uint8Array(memory().buffer, from, size), at + done);
            done += size;
        }
        view().setUint32(out, done, true);
        return done;
    };
    const withFile = (act) => (fd, ...rest) => {
        const file = files.open.get(fd);
        return file && !file.node.isFolder ? act(file, ...rest) : WASI.BADF;
    };
    const known = {
        clock_time_get(id, precision, out) {
            view().setBigUint64(out, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
            return WASI.OK;
        },
        environ_sizes_get(n, size) {
            view().setUint32(n, 0, true);
            view().setUint32(size, 0, true);
            return WASI.OK;
        },
        environ_get: () => WASI.OK,
        random_get(place, n) {
            new Uint8Array(memory().buffer, place, n).fill(7); /* results never depend on it */
            return WASI.OK;
        },
        fd_prestat_get(fd, out) {
            if (fd !== 3) return WASI.BADF;
            view().setUint32(out, 0, true);
            view().setUint32(out + 4, 1, true);
            return WASI.OK;
        },
        fd_prestat_dir_name(fd, place) {
            view().setUint8(place, 47);
            return WASI.OK;
        },
        fd_fdstat_get(fd, out) {
            const file = files.open.get(fd);
            if (!file && fd > 2) return WASI.BADF;
            const v = view();
            for (let i = 0; i < 24; i += 8) v.setBigUint64(out + i, 0n, true);
            v.setUint8(out, file ? kind(file.node) : 2);
            v.setBigUint64(out + 8, (1n << 30n) - 1n, true);
            v.setBigUint64(out + 16, (1n << 30n) - 1n, true);
            return WASI.OK;
        },
        fd_fdstat_set_flags: () => WASI.OK,
        fd_advise: () => WASI.OK,
        fd_allocate: () => WASI.OK,
        fd_sync: () => WASI.OK,
        fd_datasync: () => WASI.OK,
        fd_close: (fd) => (files.open.delete(fd) ? WASI.OK : WASI.BADF),
        fd_filestat_get(fd, out) {
            const file = files.open.get(fd);
            return file ? stat(file.node, out) : WASI.BADF;
        },
        fd_filestat_set_size: withFile((file, size) => {
            files.resize(file.node, Number(size));
            return WASI.OK;
        }),
        fd_filestat_set_times: () => WASI.OK,
        fd_read: withFile((file, vecs, n, out) => {
            file.at += read(file, vecs, n, file.at, out);
            return WASI.OK;
        }),
        fd_pread: withFile((file, vecs, n, at, out) => {
            read(file, vecs, n, Number(at), out);
            return WASI.OK;
        }),
        fd_write(fd, vecs, n, out) {
            const file = files.open.get(fd);
            if (!file) {
                let done = 0;
                for (const [, size] of vectors(vecs, n)) done += size;
                view().setUint32(out, done, true);
                return fd < 3 ? WASI.OK : WASI.BADF;
            }
            if (file.isAppending) file.at = file.node.n;
            file.at += write(file, vecs, n, file.at, out);
            return WASI.OK;
        },
        fd_pwrite: withFile((file, vecs, n, at, out) => {
            write(file, vecs, n, Number(at), out);
            return WASI.OK;
        }),
        fd_seek: withFile((file, offset, whence, out) => {
            const at = Number(offset) + [0, file.at, file.node.n][whence];
            if (at < 0) return WASI.INVAL;
            file.at = at;
            view().setBigUint64(out, BigInt(at), true);
            return WASI.OK;
        }),
        fd_tell: withFile((file, out) => {
            view().setBigUint64(out, BigInt(file.at), true);
            return WASI.OK;
        }),
        fd_readdir(fd, to, room, cookie, out) {
            const folder = files.open.get(fd);
            if (!folder || !folder.node.isFolder) return WASI.NOTDIR;
            const names = files.inside(folder.path).sort();
            const bytes = new Uint8Array(memory().buffer, to, room);
            let at = 0;
            for (let i = Number(cookie); i < names.length && at < room; i++) {
                const name = new TextEncoder().encode(names[i].slice(folder.path === '/' ? 1 : folder.path.length + 1));
                const entry = new Uint8Array(24 + name.length);
                const v = new DataView(entry.buffer);
                const node = files.nodes.get(names[i]);
                v.setBigUint64(0, BigInt(i + 1), true);
                v.setBigUint64(8, BigInt(node.id), true);
                v.setUint32(16, name.length, true);
                v.setUint8(20, kind(node));
                entry.set(name, 24);
                bytes.set(entry.subarray(0, room - at), at);
                at += Math.min(entry.length, room - at);
            }
            view().setUint32(out, at, true);
            return WASI.OK;
        },
        path_open(fd, lookup, place, n, flags, rights, inheriting, fdflags, out) {
            const name = path(fd, place, n);
            let node = files.nodes.get(name);
            if (node && flags & 1 && flags & 4) return WASI.EXIST;
            if (!node && !(flags & 1)) return WASI.NOENT;
            if (node && flags & 2 && !node.isFolder) return WASI.NOTDIR;
            if (!node && !files.nodes.has(name.replace(/\/[^/]*$/, '') || '/')) return WASI.NOENT;
            if (!node) node = files.add(name, new Uint8Array(0));
            else if (flags & 8 && !node.isFolder) files.resize(node, 0);
            view().setUint32(out, files.descriptor({path: name, node, at: 0, isAppending: (fdflags & 1) !== 0}), true);
            return WASI.OK;
        },
        path_filestat_get(fd, flags, place, n, out) {
            const node = files.nodes.get(path(fd, place, n));
            return node ? stat(node, out) : WASI.NOENT;
        },
        path_filestat_set_times: () => WASI.OK,
        path_create_directory(fd, place, n) {
            const name = path(fd, place, n);
            if (files.nodes.has(name)) return WASI.EXIST;
            files.folder(name);
            return WASI.OK;
        },
        path_remove_directory(fd, place, n) {
            const name = path(fd, place, n);
            if (!files.nodes.has(name)) return WASI.NOENT;
            if (files.inside(name).length) return WASI.NOTEMPTY;
            files.nodes.delete(name);
            return WASI.OK;
        },
        path_unlink_file(fd, place, n) {
            const name = path(fd, place, n), node = files.nodes.get(name);
            if (!node) return WASI.NOENT;
            if (node.isFolder) return WASI.ISDIR;
            files.nodes.delete(name); /* who has it open keeps it */
            return WASI.OK;
        },
        path_rename(fd, place, n, toFd, toPlace, toN) {
            const from = path(fd, place, n), to = path(toFd, toPlace, toN);
            if (!files.nodes.has(from)) return WASI.NOENT;
            for (const name of [...files.nodes.keys()]) {
                if (name !== from && !name.startsWith(`${from}/`)) continue;
                files.nodes.set(to + name.slice(from.length), files.nodes.get(name));
                files.nodes.delete(name);
            }
            return WASI.OK;
        },
        path_readlink: () => WASI.INVAL,
        sched_yield: () => WASI.OK,
    };
    return new Proxy(known, {get: (functions, name) => functions[name] || (() => WASI.NOSYS)});
}
