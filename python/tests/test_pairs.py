"""doppel.pairs on documents and vectors."""

import doppel
import pytest
from conftest import SAMPLE

np = pytest.importorskip("numpy")


def cosines(a, b):
    a = a / np.linalg.norm(a, axis=1, keepdims=True)
    b = b / np.linalg.norm(b, axis=1, keepdims=True)
    return a @ b.T


@pytest.fixture(scope="module")
def arrays():
    random = np.random.default_rng(1)
    return (random.normal(size=(60, 16)).astype("f4"), random.normal(size=(80, 16)).astype("f4"))


@pytest.mark.parametrize("options", [{}, {"stem": True, "threshold": 0.1, "select": "mutual"},
                                     {"select": "best", "top": 2, "threshold": 0.05,
                                      "method": "exact"}])
def test_documents_give_the_bytes_of_the_command(command, tmp_path, de, options):
    flags = [f"--{k}={v}" if v is not True else f"--{k}" for k, v in options.items()]
    command("pairs", SAMPLE / "de.jsonl", SAMPLE / "de.jsonl", "-o", tmp_path / "a.tsv", *flags)
    doppel.pairs(de, de, **options).save(tmp_path / "b.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()


def test_a_lexicon_projects_one_side(command, tmp_path, de, en, mined):
    mined.lexicon.save(tmp_path / "de-en.dpl")
    command("pairs", SAMPLE / "de.jsonl", SAMPLE / "en.jsonl", "--lexicon", tmp_path / "de-en.dpl",
            "--stem", "--select=mutual", "-o", tmp_path / "a.tsv")
    for lexicon in (mined.lexicon, tmp_path / "de-en.dpl"):
        found = doppel.pairs(de, en, lexicon=lexicon, stem=True, select="mutual")
        found.save(tmp_path / "b.tsv")
        assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()
    assert len(found) > 50


def test_ngrams(command, tmp_path, de, en, mined):
    mined.lexicon.save(tmp_path / "l.dpl")
    command("pairs", SAMPLE / "de.jsonl", SAMPLE / "en.jsonl", "--method=ngram:matching=2", "--lexicon",
            tmp_path / "l.dpl", "--stem", "-o", tmp_path / "a.tsv")
    doppel.pairs(de, en, method="ngram:matching=2", lexicon=mined.lexicon, stem=True).save(tmp_path / "b.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()


@pytest.mark.parametrize("kind", ["f4", "f8", "f2"])
@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_dense_arrays(arrays, kind, layout):
    a, b = (x.astype(kind) for x in arrays)
    if layout == "F":
        a, b = np.asfortranarray(a), np.asfortranarray(b)
    elif layout == "strided":
        a, b = np.repeat(a, 2, axis=0)[::2], np.repeat(b, 2, axis=1)[:, ::2]
    found = doppel.pairs(a, b, threshold=0.5, method="exact")
    true = cosines(a.astype("f8"), b.astype("f8"))
    left, right = np.nonzero(true >= 0.5)
    assert set(zip(left.tolist(), right.tolist())) == {(p.left_id, p.right_id) for p in found}
    assert np.allclose(np.asarray(found["score"]),
                       true[np.asarray(found["left_id"]), np.asarray(found["right_id"])], atol=1e-3)


def test_margin_and_mutual(arrays):
    found = doppel.pairs(*arrays, threshold=0.0, select="mutual", margin=4)
    best = cosines(*arrays)
    assert len(found) > 0
    assert found.summary["pairs"] == len(found)
    assert all(best[p.left_id].max() > 0 for p in found)


def test_ids_of_rows(arrays):
    a, b = arrays
    found = doppel.pairs(a, b, threshold=0.5, left_ids=[f"l{i}" for i in range(60)],
                         right_ids=range(100, 180))
    plain = doppel.pairs(a, b, threshold=0.5)
    assert [(p.left_id, p.right_id) for p in found] == [
        (f"l{p.left_id}", str(p.right_id + 100)) for p in plain]


def test_zero_rows_do_not_shift_numbers():
    a = np.array([[0, 0], [1, 0], [0, 0], [0, 1]], dtype="f4")
    assert [(p.left_id, p.right_id) for p in doppel.pairs(a, a, threshold=0.9)] == [(1, 1), (3, 3)]


def test_bad_arrays():
    with pytest.raises(doppel.FormatError) as e:
        doppel.pairs(np.array([[1, np.nan]], dtype="f4"))
    assert e.value.line == 1 and e.value.column == 2
    with pytest.raises((TypeError, ValueError)):
        doppel.pairs(np.array(["a", "b"]).view("U1").reshape(1, 2).astype("S1"))


@pytest.mark.parametrize("index", ["i4", "i8"])
@pytest.mark.parametrize("kind", ["f4", "f8", "i8"])
def test_sparse_matrices(index, kind):
    scipy = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(2)
    x = (random.random((70, 50)) > 0.9) * random.integers(1, 5, (70, 50))
    m = scipy.csr_matrix(x.astype(kind))
    m.indices, m.indptr = m.indices.astype(index), m.indptr.astype(index)
    found = doppel.pairs(m, threshold=0.4, method="exact")
    with np.errstate(invalid="ignore"):
        true = np.triu(cosines(x.astype("f8"), x.astype("f8")), 1)
    left, right = np.nonzero(true >= 0.4)
    assert {(p.left_id, p.right_id) for p in found} == set(zip(left.tolist(), right.tolist()))
    assert list(doppel.pairs(scipy.csc_matrix(m), threshold=0.4, method="exact")) == list(found)


def test_sparse_arrays_that_are_wrong():
    scipy = pytest.importorskip("scipy.sparse")
    m = scipy.csr_matrix(np.eye(3, dtype="f4"))
    m.indices = np.array([0, 1, 7], dtype="i4")
    with pytest.raises(ValueError):
        doppel.pairs(m)


def test_vectors_of_files(tmp_path, arrays, command):
    np.save(tmp_path / "a.npy", arrays[0])
    np.save(tmp_path / "b.npy", arrays[1])
    command("pairs", tmp_path / "a.npy", tmp_path / "b.npy", "--threshold=0.5", "-o",
            tmp_path / "a.tsv")
    doppel.pairs(tmp_path / "a.npy", doppel.open(tmp_path / "b.npy"),
                 threshold=0.5).save(tmp_path / "b.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()


def test_vectors_of_a_collection(de, tmp_path):
    c = doppel.Collection.make(de, stem=True)
    v = doppel.Vectors.of(c, weighting="tf-idf")
    v.save(tmp_path / "v.dpl")
    again = doppel.open(tmp_path / "v.dpl")
    assert len(again) == len(v)
    assert list(doppel.pairs(v, threshold=0.1)) == list(doppel.pairs(again, threshold=0.1))


def test_an_empty_side_is_an_error():
    with pytest.raises(doppel.UsageError):
        doppel.pairs([], ["ein Text"])
