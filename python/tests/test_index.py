"""doppel.Index: what the command finds, in tables."""

import json

import doppel
import pytest
from conftest import SAMPLE


@pytest.fixture(scope="module")
def index(de):
    return doppel.Index.build(de, texts=True)


def test_a_document_finds_itself(index, de):
    hits = index.search(de[:20], top=3)
    assert hits.columns == ["query_id", "rank", "id", "title", "lang", "score"]
    best = {h.query_id: h for h in hits if h.rank == 1}
    assert [best[d["id"]].id for d in de[:20]] == [d["id"] for d in de[:20]]
    assert all(h.score > 0.99 for h in best.values())


def test_a_text_and_a_list_of_texts(index, de):
    assert index.search(de[0]["text"], top=1)[0].id == de[0]["id"]
    hits = index.search([d["text"] for d in de[:3]], top=1)
    assert [(h.query_id, h.id) for h in hits] == [(i, de[i]["id"]) for i in range(3)]


def test_the_file_is_that_of_the_command(command, de, tmp_path):
    command("index", "build", SAMPLE / "de.jsonl", "-o", tmp_path / "a.pocket")
    doppel.Index.build(de, out=tmp_path / "b.pocket")
    assert (tmp_path / "a.pocket").read_bytes() == (tmp_path / "b.pocket").read_bytes()
    index = doppel.open(tmp_path / "a.pocket")
    assert isinstance(index, doppel.Index) and len(index) == len(de)
    (tmp_path / "q.jsonl").write_text(json.dumps(de[4]) + "\n")
    found = command("query", tmp_path / "a.pocket", tmp_path / "q.jsonl").stdout
    assert index.search([de[4]], top=1)[0].id in found


def test_entries_and_texts(index, de):
    assert index["de-0002"].title == de[1]["title"]
    assert index.text("de-0002").split() == de[1]["text"].split()
    assert "de-0002" in index and "x" not in index
    with pytest.raises(KeyError):
        index["x"]
    with pytest.raises(IndexError):
        index[10**6]
    [german] = index.summary["languages"]
    assert german["lang"] == "de" and german["documents"] == len(de)


def test_neighbours_and_reasons(index, de):
    near = index.like("de-0002", top=5)
    assert "de-0002" not in near["id"].to_list()
    reasons = index.explain(de[1]["text"], top=1)[0]
    assert reasons.id == "de-0002" and reasons.terms
    assert reasons.passages is None or all(p[1] > p[0] for p in reasons.passages)
    words = [t[0] for t in reasons.terms]
    assert all(isinstance(w, str) for w in words)


def test_adding_and_deleting(de, tmp_path):
    index = doppel.Index.build(de[:50], out=tmp_path / "x.pocket")
    index.add(de[50:])
    doppel.Index.build(de, out=tmp_path / "y.pocket")
    assert (tmp_path / "x.pocket").read_bytes() == (tmp_path / "y.pocket").read_bytes()
    index.delete(["de-0001"])
    assert "de-0001" not in index and len(index) == len(de) - 1
    with pytest.raises(doppel.UsageError):
        index.delete(["nobody"])
    with pytest.raises(ValueError, match="need ids"):
        index.add(["a text"])


def test_across_languages(de, en, mined, tmp_path):
    index = doppel.Index.build(en, lexicon=[mined.lexicon], stem=True)
    hits = index.search(de, top=1)
    pairs = {p.left_id: p.right_id for p in mined.pairs}
    right = sum(pairs.get(h.query_id) == h.id for h in hits if h.query_id in pairs)
    assert right > 0.8 * len(pairs)


def test_an_index_without_texts_says_so(de):
    index = doppel.Index.build(de[:5])
    with pytest.raises(doppel.UnsupportedError):
        index.text("de-0001")
