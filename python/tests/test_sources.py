"""Files and objects with columns: read piece by piece, everywhere."""

import doppel
import pytest

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")
datasets = pytest.importorskip("datasets")

FORMS = ["parquet", "parquet folder", "feather", "pyarrow dataset", "batches", "frames", "lazy",
         "scan", "datasets", "shuffled datasets", "stream of datasets", "reader"]


def make(form, rows, folder):
    """The rows in this form, with a column that nobody reads."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{**row, "numbers": [1.5, 2.5]} for row in rows]
    table = pa.Table.from_pylist(rows)
    if form == "parquet":
        parquet.write_table(table, folder / "docs.parquet", row_group_size=16)
        return folder / "docs.parquet"
    if form == "parquet folder":
        for i in range(0, len(rows), 30):
            parquet.write_table(table.slice(i, 30), folder / f"part-{i:05}.parquet")
        (folder / "_SUCCESS").touch()
        return folder
    if form == "feather":
        pl.DataFrame(rows).write_ipc(folder / "docs.feather")
        return folder / "docs.feather"
    if form == "pyarrow dataset":
        return ds.dataset(make("parquet folder", rows, folder))
    if form == "batches":
        return iter(table.to_batches(max_chunksize=7))
    if form == "frames":
        return (pl.DataFrame(rows[i:i + 7]) for i in range(0, len(rows), 7))
    if form == "lazy":
        return pl.DataFrame(rows).lazy()
    if form == "scan":
        return pl.scan_parquet(make("parquet", rows, folder))
    if form == "datasets":
        return datasets.Dataset.from_list(rows)
    if form == "shuffled datasets":
        order = list(range(1, len(rows), 2)) + list(range(0, len(rows), 2))
        turned = [None] * len(rows)
        for i, row in zip(order, rows):
            turned[i] = row
        return datasets.Dataset.from_list(turned).select(order)
    if form == "stream of datasets":
        return datasets.Dataset.from_list(rows).to_iterable_dataset()
    return table.to_reader(max_chunksize=9)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_documents(form, de, tmp_path):
    expected = [(d.id, d.lang, d.text) for d in doppel.Collection.make(de)]
    found = doppel.Collection.make(make(form, de, tmp_path))
    assert [(d.id, d.lang, d.text) for d in found] == expected
    if form not in ("batches", "frames"):  # whose columns are not known before they are read
        named = [{"nr": d["id"], "l": d["lang"], "body": d["text"]} for d in de]
        found = doppel.Collection.make(make(form, named, tmp_path / "named"), id="nr", text="body",
                                       lang="l")
        assert [(d.id, d.lang, d.text) for d in found] == expected


@pytest.mark.parametrize("form", FORMS)
def test_dedup_index_and_reuse_take_every_form(form, de, tmp_path):
    copies = de[:60] + [{**d, "id": d["id"] + "-copy"} for d in de[:30]]
    expected = doppel.dedup(copies)
    result = doppel.dedup(make(form, copies, tmp_path / "a"), against=make(form, de[90:], tmp_path / "b"))
    assert result.removed == expected.removed and len(result.removed) == 30
    assert result.summary["against"] == len(de) - 90
    index = doppel.Index.build(make(form, de, tmp_path / "c"))
    assert len(index) == len(de)
    found = doppel.reuse(make(form, de[3:5], tmp_path / "d"), make(form, de, tmp_path / "e"))
    assert {(p.query_id, p.source_id) for p in found.passages} >= {(d["id"], d["id"]) for d in de[3:5]}


@pytest.mark.parametrize("form", FORMS)
def test_pairs_align_search_and_contamination_take_every_form(form, de, en, mined, tmp_path):
    copies = en + [{**d, "id": d["id"] + "-copy"} for d in en[:9]]
    assert len(doppel.pairs(make(form, copies, tmp_path / "a"), threshold=.9)) == 9
    left, right = make(form, de, tmp_path / "b"), make(form, en, tmp_path / "c")
    assert len(doppel.pairs(left, right, lexicon=mined.lexicon, stem=True, threshold=.3)) > 60
    aligned = doppel.align(make(form, de[:1], tmp_path / "d"), make(form, en, tmp_path / "e"), [("de-0001", "en-0050")])
    assert aligned[0].right_sentence == "Volcanoes seldom erupt without warning."
    found = doppel.Index.build(en).search(make(form, en[2:5], tmp_path / "f"), top=1)
    assert [hit.id for hit in found] == [d["id"] for d in en[2:5]]
    result = doppel.dedup(make(form, en, tmp_path / "g"), against=make(form, en[:7], tmp_path / "h"), only_against=True)
    assert [hit.how for hit in result.contamination] == ["verbatim"] * 7


@pytest.mark.parametrize("form", ["parquet folder", "batches", "lazy", "datasets"])
def test_lexicons_are_learnt_from_every_form(form, de, en, tmp_path):
    learnt = doppel.Lexicon.learn(make(form, de, tmp_path / "a"), make(form, en, tmp_path / "b"))
    assert len(learnt) == len(doppel.Lexicon.learn(de, en))


@pytest.mark.parametrize("form", ["parquet folder", "batches", "lazy", "datasets"])
def test_mine_takes_every_form(form, de, en, fr, mined, tmp_path):
    found = doppel.mine(make(form, de, tmp_path / "de"), make(form, en, tmp_path / "en"))
    assert list(found.pairs) == list(mined.pairs)
    many = doppel.mine(make(form, de, tmp_path / "de3"), make(form, en, tmp_path / "en3"),
                       make(form, fr, tmp_path / "fr3"), pivot="en")
    assert len(many.groups) >= 70


def test_kept_rows_of_files_and_datasets_are_tables(de, tmp_path):
    copies = de[:20] + [{**d, "id": d["id"] + "-copy"} for d in de[:10]]
    for form in ("parquet", "parquet folder", "pyarrow dataset", "lazy", "scan"):
        source = make(form, copies, tmp_path / form)
        kept = doppel.dedup(source).filter(source)
        assert len(kept) == 20 and "numbers" in (getattr(kept, "column_names", None) or kept.columns)


def test_a_missing_column_is_named(de, tmp_path):
    with pytest.raises(KeyError, match="no column 'corpus'"):
        doppel.dedup(make("parquet", de, tmp_path), text="corpus")


def test_a_folder_of_other_files_is_a_folder_of_texts(tmp_path):
    (tmp_path / "a.txt").write_text("Ein Text, der kein Parquet ist.")
    assert len(doppel.Collection.make(tmp_path, lang="de")) == 1
