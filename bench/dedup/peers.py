#!/usr/bin/env python3
"""Near-duplicates of a file of JSON Lines by other programs, from reading to pairs.

    peers.py topn|datasketch DOCS.jsonl THRESHOLD

topn: scikit-learn's TfidfVectorizer and sparse_dot_topn, cosine. datasketch: MinHash of the set
of words with 128 permutations, and MinHashLSH. One thread. Prints seconds of CPU and of the
clock, without imports, and the number of pairs.
"""
import json
import sys
import time


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def topn(path, threshold):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    def run():
        rows = TfidfVectorizer().fit_transform(read(path))
        found = sp_matmul_topn(rows, rows.T.tocsr(), top_n=300, threshold=threshold, n_threads=1)
        return (found.nnz - rows.shape[0]) // 2

    return run


def datasketch(path, threshold):
    from datasketch import MinHash, MinHashLSH

    def run():
        lsh = MinHashLSH(threshold=threshold, num_perm=128)
        n = 0
        for i, text in enumerate(read(path)):
            m = MinHash(num_perm=128)
            m.update_batch({w.encode("utf-8") for w in text.lower().split()})
            n += len(lsh.query(m))
            lsh.insert(i, m)
        return n

    return run


def main():
    name, path, threshold = sys.argv[1:]
    run = {"topn": topn, "datasketch": datasketch}[name](path, float(threshold))
    core, wall = time.process_time(), time.perf_counter()
    found = run()
    print(f"{time.process_time() - core:.2f} {time.perf_counter() - wall:.2f} {found}")


main()
