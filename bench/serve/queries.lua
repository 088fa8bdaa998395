-- For wrk: POST /api/v1/query with a text of 300 words, another one each time. A line of the file named
-- by $QUERIES is a text.
local texts = {}
for line in io.lines(os.getenv("QUERIES")) do
    texts[#texts + 1] = line
end
local n = 0
local headers = {["Content-Type"] = "text/plain"}

function init(args)
    math.randomseed(os.time() + tonumber(tostring({}):sub(8), 16) % 100000)
    n = math.random(#texts)
end

function request()
    n = n % #texts + 1
    return wrk.format("POST", "/api/v1/query", headers, texts[n])
end

function done(summary, latency)
    io.write(string.format("requests/s %.0f  p50 %.2f ms  p99 %.2f ms  max %.1f ms  errors %d\n",
        summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, latency.max / 1000,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status
            + summary.errors.timeout))
end
