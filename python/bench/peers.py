"""dedup and pairs beside other packages: same documents, core seconds, memory, recall.

    python bench/peers.py FILE.jsonl [DOCUMENTS]

Near-duplicates: the first documents of the file (key "text"), and a copy of every tenth with one
word in sixty left out. What counts as true are the pairs with a Jaccard similarity of at least 0.8 of
their sets of 5-word shingles, found by comparing all documents that share a shingle. Each program finds
pairs with its own idea of similarity at 0.8; recall and precision are against the true pairs. Similar
rows: tf-idf vectors of scikit-learn, all pairs with a cosine of at least 0.5.

Each program runs in a process of its own: core seconds (user and system) are of that process without
reading the documents, and memory is what it had at the most beyond them. Programs that are not installed
are left out. semhash and text-dedup need a model or a data set from a server: left out without.
"""

import json
import multiprocessing
import re
import resource
import sys

SHINGLE, THRESHOLD, COSINE = 5, 0.8, 0.5


def read(path, n):
    texts = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if len(texts) == n:
                break
            texts.append(json.loads(line)["text"])
    copies = []
    for text in texts[::10]:
        words = text.split()
        copies.append(" ".join(w for i, w in enumerate(words) if i % 60 != 11))
    return texts + copies


def words_of(text):
    return re.findall(r"\w+", text.lower())


def shingles(text):
    words = words_of(text)
    return {" ".join(words[i:i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))}


def true_pairs(texts):
    sets = [shingles(t) for t in texts]
    at = {}
    for i, s in enumerate(sets):
        for x in s:
            at.setdefault(x, []).append(i)
    common = {}
    for docs in at.values():
        if len(docs) > 1:
            for a in range(len(docs)):
                for b in docs[a + 1:]:
                    common[docs[a], b] = common.get((docs[a], b), 0) + 1
    return {(a, b) for (a, b), n in common.items()
            if n / (len(sets[a]) + len(sets[b]) - n) >= THRESHOLD}


# ---- near-duplicates ------------------------------------------------------------------------


def by_doppel(texts):
    import doppel

    # Copies stand for each other: every pair within a cluster of copies counts.
    found = doppel.dedup(texts, lang="en", threshold=THRESHOLD, measure=f"jaccard:shingle={SHINGLE}")
    pairs = {tuple(sorted((p.left_id, p.right_id))) for p in found.pairs}
    clusters = {}
    for row in found.documents:
        clusters.setdefault(row.cluster, []).append(row.id)
    for ids in clusters.values():
        pairs |= {(a, b) for i, a in enumerate(sorted(ids)) for b in sorted(ids)[i + 1:]}
    return pairs


def by_datasketch(texts):
    from datasketch import MinHash, MinHashLSH

    lsh, pairs = MinHashLSH(threshold=THRESHOLD, num_perm=128), set()
    for i, text in enumerate(texts):
        m = MinHash(num_perm=128)
        m.update_batch([s.encode() for s in shingles(text)])
        pairs |= {(j, i) for j in lsh.query(m)}
        lsh.insert(i, m)
    return pairs


def by_rensa(texts):
    from rensa import RMinHash, RMinHashLSH

    lsh, pairs = RMinHashLSH(threshold=THRESHOLD, num_perm=128, num_bands=16), set()
    for i, text in enumerate(texts):
        m = RMinHash(num_perm=128, seed=42)
        m.update(list(shingles(text)))
        pairs |= {(j, i) for j in lsh.query(m)}
        lsh.insert(i, m)
    return pairs


def by_semhash(texts):
    from semhash import SemHash

    found = SemHash.from_records(records=texts).self_deduplicate(threshold=0.95)
    at = {}
    for i, t in enumerate(texts):
        at.setdefault(t, i)
    return {tuple(sorted((at[d.record], at[o]))) for d in found.filtered for o, _ in d.duplicates
            if at[d.record] != at[o]}


# ---- similar rows -----------------------------------------------------------------------------


def tfidf(texts):
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(min_df=2, dtype="float32").fit_transform(texts)


def rows_by_doppel(matrix):
    import doppel

    return {(p.left_id, p.right_id)
            for p in doppel.pairs(matrix, threshold=COSINE, method="exact")}


def rows_by_topn(matrix):
    from sparse_dot_topn import sp_matmul_topn

    found = sp_matmul_topn(matrix, matrix.T.tocsr(), top_n=matrix.shape[0], threshold=COSINE,
                           n_threads=2).tocoo()
    return {(int(a), int(b)) for a, b in zip(found.row, found.col) if a < b}


# ---- measuring --------------------------------------------------------------------------------


def used():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime, r.ru_maxrss / 1024


def work(function, argument, pipe):
    try:
        before, memory = used()
        found = function(argument)
        after, peak = used()
        pipe.send((found, after - before, peak - memory))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {str(error).splitlines()[0][:80]}")


def measure(name, function, argument, true):
    here, there = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=work,
                                                        args=(function, argument, there))
    child.start()
    there.close()
    try:
        answer = here.recv()
    except EOFError:
        answer = "ended without an answer"
    child.join()
    if isinstance(answer, str):
        print(f"{name:16} {answer}")
        return
    found, seconds, memory = answer
    right = len(found & true)
    print(f"{name:16} {seconds:8.2f} core s {memory:8.0f} MiB   recall "
          f"{right / max(1, len(true)):.4f}   precision {right / max(1, len(found)):.4f}   "
          f"{len(found)} pairs")


def main():
    texts = read(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000)
    true = true_pairs(texts)
    print(f"{len(texts)} documents, {sum(map(len, texts)) / 1e6:.1f} MB, {len(true)} pairs with a "
          f"Jaccard similarity of {THRESHOLD} or more")
    for name, function in (("doppel.dedup", by_doppel), ("datasketch", by_datasketch),
                           ("rensa", by_rensa), ("semhash", by_semhash)):
        measure(name, function, texts, true)
    try:
        matrix = tfidf(texts)
    except ImportError:
        print("similar rows    scikit-learn is not installed")
        return
    product = (matrix @ matrix.T).tocoo()
    true = {(int(a), int(b)) for a, b, x in zip(product.row, product.col, product.data)
            if a < b and x >= COSINE}
    print(f"{matrix.shape[0]} rows of {matrix.nnz / matrix.shape[0]:.0f} terms, {len(true)} pairs with "
          f"a cosine of {COSINE} or more")
    for name, function in (("doppel.pairs", rows_by_doppel), ("sparse_dot_topn", rows_by_topn)):
        measure(name, function, matrix, true)


if __name__ == "__main__":
    main()
