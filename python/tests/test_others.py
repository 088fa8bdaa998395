"""align, dedup, reuse, lexicons."""

import json
import pathlib

import doppel
import pytest
from conftest import SAMPLE

BITEXT = SAMPLE / "parallel.de-en.tsv"


def read_bitext():
    return [tuple(line.rstrip("\n").split("\t")[:2]) for line in BITEXT.open(encoding="utf-8")]


# ---- align ------------------------------------------------------------------------------


def test_align_gives_the_bytes_of_the_command(command, mined, by_command, tmp_path, de, en):
    command("align", by_command / "pairs.tsv", SAMPLE / "de.jsonl", SAMPLE / "en.jsonl", "-o",
            tmp_path / "a.tsv")
    ids = [(p.left_id, p.right_id) for p in mined.pairs]
    for pairs in (mined.pairs, ids):
        doppel.align(de, en, pairs).save(tmp_path / "b.tsv")
        assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()


def test_align_with_a_lexicon(command, mined, by_command, tmp_path, de, en):
    mined.lexicon.save(tmp_path / "l.dpl")
    command("align", by_command / "pairs.tsv", SAMPLE / "de.jsonl", SAMPLE / "en.jsonl", "--stem",
            "--lexicon", tmp_path / "l.dpl", "-o", tmp_path / "a.tsv")
    result = doppel.align(de, en, mined.pairs, lexicon=mined.lexicon, stem=True)
    result.save(tmp_path / "b.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()
    assert result.summary["pairs"] == len(mined.pairs)


def test_all_beads_cover_both_documents():
    found = doppel.align(["Eins ist da. Zwei ist da."], ["One is there. Two is there. And three."],
                         langs="de,en", select="all")
    assert sum(r.n_left for r in found) == 2 and sum(r.n_right for r in found) == 3


def test_align_needs_documents_that_are_there(de, en):
    with pytest.raises(KeyError, match="nobody"):
        doppel.align(de, en, [("nobody", "en-0001")])
    with pytest.raises(ValueError, match="as many"):
        doppel.align(["ein Text."], ["one.", "two."], langs="de,en")


def test_align_files(tmp_path):
    (tmp_path / "a.txt").write_text("Das Haus ist alt.\nEs steht am See.\n")
    (tmp_path / "b.txt").write_text("The house is old.\nIt stands by the lake.\n")
    found = doppel.align(pathlib.Path(tmp_path / "a.txt"), tmp_path / "b.txt",
                         langs="de,en", one_per_line=True, filter=False)
    assert [r.right_sentence for r in found] == ["The house is old.", "It stands by the lake."]


# ---- dedup ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def doubled(de):
    return de + [{**d, "id": d["id"] + "-copy", "text": d["text"] + " Ende."} for d in de[:30]]


def test_dedup_gives_the_bytes_of_the_command(command, doubled, tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(d) + "\n" for d in doubled))
    command("dedup", path, "-o", tmp_path / "out", "--threshold=0.7")
    result = doppel.dedup(doubled, threshold=0.7)
    result.save(tmp_path / "clusters.tsv")
    assert (tmp_path / "clusters.tsv").read_bytes() == (
        tmp_path / "out" / "clusters.tsv").read_bytes()
    assert result.summary["removed"] == 30 == len(result.removed)
    assert len(result.pairs) >= 30


def test_filter_keeps_the_form(doubled):
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    frame = pl.DataFrame(doubled)
    kept = doppel.dedup(frame, threshold=0.7).filter(frame)
    assert isinstance(kept, pl.DataFrame) and len(kept) == len(doubled) - 30
    other = pd.DataFrame(doubled)
    assert doppel.dedup(other, threshold=0.7).filter(other)["id"].tolist() == kept["id"].to_list()
    assert [d["id"] for d in doppel.dedup(doubled, threshold=0.7).filter(doubled)] == kept[
        "id"].to_list()
    table = frame.to_arrow()
    assert doppel.dedup(table, threshold=0.7).filter(table)["id"].to_pylist() == kept["id"].to_list()
    texts = [d["text"] for d in doubled]
    assert len(doppel.dedup(texts, threshold=0.7, lang="de").filter(texts)) == len(kept)


def test_filter_of_datasets(doubled):
    datasets = pytest.importorskip("datasets")
    expected = [d["id"] for d in doppel.dedup(doubled, threshold=0.7).filter(doubled)]
    whole = datasets.Dataset.from_list(doubled)
    kept = doppel.dedup(whole, threshold=0.7).filter(whole)
    assert isinstance(kept, datasets.Dataset) and list(kept["id"]) == expected
    stream = whole.to_iterable_dataset()
    assert [d["id"] for d in doppel.dedup(stream, threshold=0.7).filter(stream)] == expected


def test_filter_of_a_relation(doubled, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(d) + "\n" for d in doubled))
    rows = duckdb.read_json(str(path))
    expected = [d["id"] for d in doppel.dedup(doubled, threshold=0.7).filter(doubled)]
    assert doppel.dedup(rows, threshold=0.7).filter(rows)["id"].to_pylist() == expected
    with pytest.raises(TypeError, match="cannot filter"):
        doppel.dedup(doubled, threshold=0.7).filter(iter(doubled))


def test_the_newest_is_kept(doubled):
    pl = pytest.importorskip("polars")
    dated = [{**d, "day": f"2020-01-{1 + i % 28:02}"} for i, d in enumerate(doubled)]
    for source in (dated, pl.DataFrame(dated)):
        result = doppel.dedup(source, threshold=0.7, select="newest:field=day")
        assert result.summary["kept"] == len(doubled) - 30


def test_dedup_against_others(de):
    result = doppel.dedup(de[:20], against=de[10:40])
    assert result.summary["contaminated"] == 10
    assert result.removed == {d["id"] for d in de[10:20]}


def test_dedup_only_against_others_keeps_copies_of_each_other(de):
    copies = [{**d, "id": f"copy-{i}"} for i, d in enumerate(de[:15])]
    result = doppel.dedup(de[:20] + copies, against=de[10:40], only_against=True)
    assert result.removed == {d["id"] for d in de[10:20] + copies[10:]}
    assert len(result.filter(de[:20] + copies)) == result.summary["kept"] == 20
    assert result.summary["removed"] == result.summary["copies"] == 15
    assert result.summary["clusters"] == result.summary["contaminated"] == 10
    assert len(result.clusters) == 10
    with pytest.raises(doppel.UsageError, match="applies only with against"):
        doppel.dedup(de[:20], only_against=True)


def test_contamination_says_where_and_how(de):
    item = " ".join(de[5]["text"].split()[:40])
    train = [{"id": "a", "text": item}, {"id": "b", "text": item.replace(" ", "\n", 9)},
             {"id": "c", "text": f"{de[7]['text']} {item} {de[8]['text']}"}, de[9]]
    result = doppel.dedup(train, against=[{"id": "t", "text": item}], only_against=True, lang="de")
    assert [(h.item_id, h.id, h.how) for h in result.contamination] == [
        ("t", "a", "verbatim"), ("t", "b", "rewrapped"), ("t", "c", "embedded")]
    hit = result.contamination[2]
    assert train[2]["text"].encode()[hit.begin:hit.end].decode() == item.strip(" .,")
    assert result.removed == {"a", "b", "c"}


def test_clusters_are_lists_of_ids(doubled):
    found = doppel.dedup(doubled, threshold=0.7).clusters
    assert len(found) == 30
    assert all(len(ids) == 2 and ids[0] == kept == ids[1] + "-copy" for kept, ids in found.items())


def test_dedup_in_a_folder(doubled, tmp_path):
    result = doppel.dedup(doubled, threshold=0.7, out=tmp_path / "out")
    assert (tmp_path / "out" / "clusters.tsv").exists()
    assert result.summary["kept_path"]


def test_a_state_remembers_what_was_seen(doubled, tmp_path):
    whole = doppel.dedup(doubled, threshold=0.7)
    first = doppel.dedup(doubled[:60], threshold=0.7, state=tmp_path / "seen.dpl")
    second = doppel.dedup(doubled[60:], threshold=0.7, state=tmp_path / "seen.dpl")
    assert (first.summary["seen"], second.summary["seen"]) == (0, 60)
    assert second.clusters == whole.clusters and second.removed == whole.removed


# ---- reuse ------------------------------------------------------------------------------


def test_reuse(de):
    text = "Vorweg ein paar eigene Worte. " + de[3]["text"]
    found = doppel.reuse(text, de)
    assert {p.source_id for p in found.passages} == {de[3]["id"]}
    assert sum(found.summary[k] for k in ("verbatim", "edited", "reordered", "translated")) == len(found.passages)
    assert "<html" in found.report.html


# ---- lexicons ---------------------------------------------------------------------------


def test_training_gives_the_bytes_of_the_command(command, tmp_path):
    command("lexicon", "train", BITEXT, "--langs=de,en", "-o",
            tmp_path / "a.dpl")
    pl = pytest.importorskip("polars")
    rows = read_bitext()
    frame = pl.DataFrame({"left": [r[0] for r in rows], "right": [r[1] for r in rows]})
    for source in (rows, iter(rows), frame, BITEXT, {"left": frame["left"].to_list(),
                                                     "right": frame["right"].to_list()}):
        doppel.Lexicon.train(source, langs="de,en").save(tmp_path / "b.dpl")
        assert (tmp_path / "a.dpl").read_bytes() == (tmp_path / "b.dpl").read_bytes()


def test_words_of_a_lexicon(mined):
    lexicon = mined.lexicon
    assert lexicon.source_lang == "de" and lexicon.has_stems
    assert "volcano" in "".join(lexicon["Vulkane"])
    assert "vulkan" in lexicon.reverse("volcanoes")
    assert lexicon.get("quatschwort") is None
    with pytest.raises(KeyError, match="vulkan"):
        lexicon["Vulkam"]
    assert len(lexicon.entries) == len(lexicon)
    assert {r.source for r in lexicon.entries} >= {"vulkan"}


def test_words_are_aligned(tmp_path):
    lexicon = doppel.Lexicon.train(read_bitext(), langs="de,en")
    (left, right, links), = lexicon.align([("Das Wasser ist kalt", "The water is cold")])
    assert left == ["Das", "Wasser", "ist", "kalt"]
    assert (1, 1) in links
    lexicon.save(tmp_path / "l.dpl")
    assert isinstance(doppel.open(tmp_path / "l.dpl"), doppel.Lexicon)


def test_learning_from_documents(de, en):
    lexicon = doppel.Lexicon.learn(de, en)
    assert (lexicon.source_lang, lexicon.target_lang) == ("de", "en")


def test_dictionaries(tmp_path):
    (tmp_path / "d.tsv").write_text("Haus\thouse\nHaus\tbuilding\n")
    lexicon = doppel.Lexicon.from_dictionaries(tmp_path / "d.tsv", langs="de,en")
    assert set(lexicon["haus"]) == {"house", "building"}


# ---- measures ---------------------------------------------------------------------------


def test_measures_of_pairs_are_those_of_the_command(command, mined, by_command):
    gold = SAMPLE / "gold.de-en.tsv"
    said = json.loads(command("eval", "pairs", gold, by_command / "pairs.tsv", "--json").stdout)
    rows = [tuple(line.rstrip("\n").split("\t")) for line in gold.open()]
    for true, found in ((gold, mined), (str(gold), mined.pairs), (rows, list(mined.pairs)),
                        ({"left_id": [r[0] for r in rows], "right_id": [r[1] for r in rows]}, mined)):
        measured = doppel.eval("pairs", true, found)
        assert all(measured[key] == pytest.approx(said[key], abs=1e-6) for key in said if key in measured)
        assert measured["f1"] == 1 and "mismatch" not in measured
    assert "no id" in doppel.eval("pairs", rows, [("x", "y")])["mismatch"]


def test_measures_of_clusters(doubled):
    pa = pytest.importorskip("pyarrow")
    gold = {d["id"]: d["id"].removesuffix("-copy") for d in doubled}
    result = doppel.dedup(doubled, threshold=0.7)
    for found in (result, result.documents, pa.table(result.documents)):
        measured = doppel.eval("clusters", gold, found)
        assert (measured["documents"], measured["gold"], measured["found"]) == (130, 30, 30)
        assert measured["f1"] == measured["adjusted_rand_index"] == 1
    with pytest.raises(ValueError, match="pairs or clusters"):
        doppel.eval("words", {}, {})
