/*
 * worker.js - long work of the playground in threads of their own: the page stays usable, shows how
 * far the work is, and can end it.
 *
 * A worker runs the script of the page itself, from a Blob, with the module that the page has
 * compiled. Where there is no document the script answers calls by name (play.js has the jobs).
 */

const isWorker = typeof document === 'undefined';
const scriptText = isWorker ? null : document.currentScript.textContent;

/* Does one call at a time; the module keeps its state from call to call. */
class PlayWorker {
    constructor() {
        this.thread = null;
        this.current = null;
    }

    begin() {
        const url = URL.createObjectURL(new Blob([scriptText], {type: 'text/javascript'}));
        this.thread = new Worker(url);
        URL.revokeObjectURL(url);
        this.thread.postMessage({compiled: wasmApi.compiled});
        this.thread.onmessage = ({data}) => this.hear(data);
        this.thread.onerror = (event) => {
            event.preventDefault();
            this.end(new ApiError('The page ran out of memory or met an error', event.message || '', 'Reload it and try a smaller text.'));
        };
    }

    hear({stage, share, value, failure}) {
        if (!this.current) return;
        if (stage) return this.current.progress(stage, share);
        const {resolve, reject} = this.current;
        this.current = null;
        if (failure) reject(new ApiError(...failure));
        else resolve(value);
    }

    /* progress(stage, share): share is null where it is not known. */
    call(name, values, progress = () => {}) {
        if (this.current) this.stop();
        return new Promise((resolve, reject) => {
            this.current = {resolve, reject, progress};
            if (!this.thread) this.begin();
            this.thread.postMessage({name, values});
        });
    }

    /* Ends the work that goes on, and what the module knew with it. */
    stop() {
        this.end(new DOMException('cancelled', 'AbortError'));
    }

    end(error) {
        if (this.thread) this.thread.terminate();
        this.thread = null;
        if (this.current) this.current.reject(error);
        this.current = null;
    }
}

/* What a worker does: the first message has the module, each later one is a call. */
function answerPage() {
    let ready = null;
    wasmApi.progress = (stage, share) => postMessage({stage, share});
    onmessage = async ({data}) => {
        if (data.compiled) {
            ready = wasmApi.instantiate(data.compiled);
            return;
        }
        try {
            await ready;
            const value = guarded(() => playJobs[data.name](...data.values));
            postMessage({value});
        } catch (error) {
            postMessage({failure: [error.title || 'The work failed', error.message, error.hint]});
        }
    };
}
