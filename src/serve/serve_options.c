/*
 * serve_options.c - the options of a server.
 */
#include "base/options.h"
#include "serve/access_log.h"

#include "doppel/serve.h"

static const dpl_option options[] = {
    {DPL__OPTION(TEXT, "bind", dpl_serve_options, bind), .value = "ADDRESS",
     .standard = "127.0.0.1",
     .help = "listen on this address; 0.0.0.0 or :: means all of the machine's"},
    {DPL__OPTION(COUNT, "port", dpl_serve_options, port), .value = "N", .max = 65535,
     .help = "listen on this TCP port; 0: one that is free"},
    {DPL__OPTION(TEXT, "hosts", dpl_serve_options, hosts), .value = "NAME,...",
     .help = "answer requests for these host names, too; without it only those for addresses "
             "and localhost are answered"},
    {DPL__OPTION(SIZE, "max-record", dpl_serve_options, max_record), .value = "SIZE", .min = 1,
     .max = 1 << 30, .standard = "4M, at most a 64th of the memory",
     .help = "refuse requests with a larger body"},
    {DPL__OPTION(COUNT, "timeout", dpl_serve_options, timeout), .value = "SECONDS", .min = 1,
     .max = 86400, .standard = "30",
     .help =
         "close a connection when a request and its answer, or the wait for one, take longer"},
    {DPL__OPTION(COUNT, "connections", dpl_serve_options, connections), .value = "N", .min = 4,
     .max = 1000000, .standard = "1024",
     .help = "maximum number of open connections; above three quarters of it, the longest idle "
             "ones are closed"},
    {DPL__OPTION(COUNT, "server-threads", dpl_serve_options, server_threads), .value = "N",
     .min = 1, .max = 1024, .help = "threads that answer"},
    {DPL__OPTION(FILE_IN, "token", dpl_serve_options, token), .value = "FILE",
     .help = "answer only requests with the token that is the first line of FILE, as "
             "'Authorization: Bearer TOKEN' or as the password of any user"},
    {DPL__OPTION(FLAG, "read-only", dpl_serve_options, read_only),
     .help = "accept no judgements about pairs"},
    {DPL__OPTION(CHOICE, "log-format", dpl_serve_options, log_format), .value = "FORMAT",
     .choice = dpl__log_format_name,
     .help = "format of the access log: Common Log Format, or a JSON object a line"},
    {DPL__OPTION(OTHER, "log", dpl_serve_options, log),
     .help = "takes the lines of the access log"},
    {DPL__OPTION(OTHER, "log-user", dpl_serve_options, log_user),
     .help = "first argument of log"},
    {DPL__OPTION(OTHER, "note", dpl_serve_options, note),
     .help = "takes lines about files that were changed"},
    {DPL__OPTION(OTHER, "note-user", dpl_serve_options, note_user),
     .help = "first argument of note"},
};
DPL__OPTION_TABLE(serve, dpl_serve_options, options)
