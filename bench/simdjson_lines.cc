/*
 * simdjson_lines.cc - reads every text with the on-demand parser, keeps none.
 */
#include "simdjson_lines.h"

#include <simdjson.h>

bool bench_simdjson(const char *data, size_t n, size_t *n_text)
{
    simdjson::ondemand::parser parser;
    parser.threaded = false;
    simdjson::ondemand::document_stream lines;
    *n_text = 0;
    if (parser.iterate_many(data, n, 4u << 20).get(lines))
        return false;
    for (auto line : lines) {
        std::string_view text;
        if (line["text"].get_string().get(text))
            return false;
        *n_text += text.size();
    }
    return true;
}
