#!/usr/bin/env python3
"""Writes a WARC file from folders of HTML pages, as a crawler would have stored them.

    bench/warc/make.py OUT.warc[.gz] N DIR...

The pages of a folder are those of one site. Each has a request, a response and a metadata record;
one response in fifty is an image or a redirect, and every second page travels compressed. With
".gz", every record is a member of its own, as in Common Crawl.
"""
import gzip
import os
import sys


def record(kind, url, content_type, body):
    head = ('WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n'
            'WARC-Date: 2023-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:%s>\r\n'
            'Content-Type: %s\r\nContent-Length: %d\r\n\r\n' %
            (kind, url, url, content_type, len(body)))
    return head.encode() + body + b'\r\n\r\n'


def response(status, content_type, body, more=''):
    head = 'HTTP/1.1 %s\r\nContent-Type: %s\r\n%s\r\n' % (status, content_type, more)
    return head.encode() + body


def pages(folders):
    for folder in folders:
        for root, dirs, files in sorted(os.walk(folder)):
            for name in sorted(files):
                if name.endswith(('.html', '.htm', '.xhtml')):
                    path = os.path.join(root, name)
                    yield os.path.basename(folder.rstrip('/')), os.path.relpath(path, folder), path


def main():
    out, most, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    n_html = 0
    with open(out, 'wb') as f:
        def write(data):
            f.write(gzip.compress(data, 6) if out.endswith('.gz') else data)
        write(record('warcinfo', '', 'application/warc-fields', b'software: make.py\r\n'))
        for i, (host, name, path) in enumerate(pages(folders)):
            if i == most:
                break
            url = 'http://%s.example/%s' % (host, name)
            body = open(path, 'rb').read()
            n_html += len(body)
            write(record('request', url, 'application/http; msgtype=request',
                         ('GET /%s HTTP/1.1\r\n\r\n' % name).encode()))
            more = ''
            if i % 2:
                body = gzip.compress(body, 6)
                more = 'Content-Encoding: gzip\r\n'
            write(record('response', url, 'application/http; msgtype=response',
                         response('200 OK', 'text/html', body, more)))
            if i % 50 == 0:
                write(record('response', url + '.png', 'application/http; msgtype=response',
                             response('200 OK', 'image/png', b'\x89PNG' + bytes(2000))))
                write(record('response', url + '.old', 'application/http; msgtype=response',
                             response('301 Moved', 'text/html', b'<p>moved')))
            write(record('metadata', url, 'application/warc-fields', b'fetchTimeMs: 12\r\n'))
    print('%d bytes of HTML' % n_html)


main()
