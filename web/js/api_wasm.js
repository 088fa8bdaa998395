/*
 * api_wasm.js - answers without a server: placeholder until the query code is compiled.
 */
const wasmApi = {
    isOffline: true,
    isHere: () => document.getElementById('pocket-data') !== null,
    async open() {},
    async call() { throw new ApiError('Not built', 'This page was built without the query code.'); },
};
