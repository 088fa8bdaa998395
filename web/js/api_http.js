/*
 * api_http.js - answers from the server that sent the page (docs/reference/openapi.yaml).
 *
 * An API is one function: call(method, path, body, signal) -> promise of the JSON answer.
 * api_wasm.js has the same without a server.
 */

class ApiError extends Error {
    constructor(title, message, hint, status) {
        super(message);
        this.title = title;
        this.hint = hint;
        this.status = status;
    }
}

function answerError(status, answer) {
    const error = (answer && answer.error) || {};
    const titles = {404: 'Not found', 413: 'The text is too long', 403: 'Not allowed', 503: 'The server is busy'};
    return new ApiError(titles[status] || 'The server refused this', error.message || `HTTP status ${status}`,
                        error.hint, status);
}

const httpApi = {
    isOffline: false,
    async open() {},
    async call(method, path, body, signal) {
        const request = {method, signal, headers: {Accept: 'application/json'}, cache: 'no-store'};
        if (body !== undefined) {
            const isFile = body instanceof Blob;
            request.headers['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
            request.body = isFile ? body : JSON.stringify(body);
        }
        let response;
        try {
            response = await fetch(`/api/v1/${path}`, request);
        } catch (error) {
            if (error.name === 'AbortError') throw error;
            throw new ApiError('The server does not answer',
                               'doppel serve has stopped, or the connection is down.',
                               'Start it again, then try once more: nothing you typed is lost.');
        }
        let answer = null;
        try {
            answer = await response.json();
        } catch (error) {
            if (error.name === 'AbortError') throw error;
        }
        if (!response.ok) throw answerError(response.status, answer);
        if (answer === null) throw new ApiError('The answer is damaged', 'The server sent something that is not JSON.');
        return answer;
    },
};
