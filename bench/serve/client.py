"""Texts to a server over some connections, where there is no wrk; prints what queries.lua prints.

    client.py ADDRESS QUERIES.txt SECONDS CONNECTIONS

It takes more of a core than wrk does: what the server takes of one does not depend on it.
"""
import selectors
import socket
import sys
import time
import urllib.parse

address, path, seconds, n_connections = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
where = urllib.parse.urlsplit(address)
requests = []
for line in open(path, 'rb'):
    head = (f'POST /api/v1/query HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: text/plain\r\n'
            f'Content-Length: {len(line) - 1}\r\n\r\n')
    requests.append(head.encode() + line[:-1])


class Connection:
    def __init__(self, number):
        self.socket = socket.create_connection((where.hostname, where.port))
        self.next = number * len(requests) // n_connections
        self.send()

    def send(self):
        self.data, self.began = b'', time.perf_counter()
        self.socket.sendall(requests[self.next])
        self.next = (self.next + 1) % len(requests)

    def receive(self):
        """None while the answer is not complete, then whether it is a good one."""
        self.data += self.socket.recv(1 << 16)
        head, end, body = self.data.partition(b'\r\n\r\n')
        if not end:
            return None
        n = int(head.lower().split(b'content-length:')[1].split(b'\r\n')[0])
        return head.startswith(b'HTTP/1.1 200') if len(body) >= n else None


selector = selectors.DefaultSelector()
for i in range(n_connections):
    connection = Connection(i)
    selector.register(connection.socket, selectors.EVENT_READ, connection)
times, n_errors, began = [], 0, time.perf_counter()
while time.perf_counter() - began < seconds:
    for key, _ in selector.select(1):
        good = key.data.receive()
        if good is None:
            continue
        times.append(time.perf_counter() - key.data.began)
        n_errors += not good
        key.data.send()
spent = time.perf_counter() - began
times.sort()
print(f'requests/s {len(times) / spent:.0f}  p50 {1e3 * times[len(times) // 2]:.2f} ms  '
      f'p99 {1e3 * times[len(times) * 99 // 100]:.2f} ms  max {1e3 * times[-1]:.1f} ms  errors {n_errors}')
