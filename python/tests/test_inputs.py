"""Documents of every library and in every layout of texts are the same documents."""

import itertools

import doppel
import pytest

pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

ROWS = [{"id": f"d{i}", "lang": "de", "title": None if i % 3 else f"Titel {i}",
         "text": f"Der {i}. Text über Straßen und Häuser, lang genug für eine Sicht. " * (i % 4)}
        for i in range(50)]


def read(source, **columns):
    """What the library reads from it."""
    return [(d.id, d.lang, d.title, d.text) for d in doppel.Collection.make(source, **columns)]


@pytest.fixture(scope="module")
def expected():
    found = read(ROWS)
    assert len(found) == 37  # those without text are left out
    return found


def frames():
    df = pl.DataFrame(ROWS)
    table = df.to_arrow()
    yield "polars", df
    yield "polars, several chunks", pl.concat([df[:7], df[7:20], df[20:]], rechunk=False)
    yield "polars, a slice", pl.concat([df, df])[:50]
    yield "polars, lazy", df.lazy()
    yield "polars, categories", df.with_columns(pl.col("lang").cast(pl.Categorical),
                                                pl.col("id").cast(pl.Categorical))
    yield "pandas", pd.DataFrame(ROWS)
    yield "pandas, objects", pd.DataFrame(ROWS, dtype=object)
    yield "pyarrow", table
    yield "pyarrow, one batch", pa.Table.from_pylist(ROWS).to_batches()[0]
    yield "pyarrow, sliced", pa.concat_tables([table, table]).slice(0, 50)
    yield "pyarrow, reader", pa.RecordBatchReader.from_batches(table.schema,
                                                               table.to_batches(max_chunksize=7))
    for kind in (pa.string(), pa.large_string(), pa.string_view(),
                 pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.large_string())):
        fields = [pa.field(n, kind) for n in ("id", "lang", "title", "text")]
        yield f"pyarrow, {kind}", pa.Table.from_pylist(ROWS, pa.schema(fields))
    yield "dict of lists", {name: [row[name] for row in ROWS] for name in ROWS[0]}
    yield "list of dicts", ROWS
    yield "generator", (row for row in ROWS)
    yield "tuples", [(r["id"], r["text"], r["lang"], r["title"]) for r in ROWS]


@pytest.mark.parametrize("name,source", list(frames()), ids=lambda x: x if isinstance(x, str) else "")
def test_every_library_gives_the_same_documents(name, source, expected):
    assert read(source) == expected


def test_duckdb(expected):
    duckdb = pytest.importorskip("duckdb")
    rows = pl.DataFrame(ROWS)  # noqa: F841
    assert read(duckdb.sql("select * from rows")) == expected


def test_a_sliced_struct_array(expected):
    batch = pa.Table.from_pylist(ROWS + ROWS).to_batches()[0].slice(50, 50)
    array = batch.to_struct_array()
    assert read(array) == expected


def test_columns_have_other_names():
    rows = [{"nr": 7, "body": "Ein Text über Häuser.", "l": "de"}]
    for source in (rows, pl.DataFrame(rows), pd.DataFrame(rows)):
        assert read(source, id="nr", text="body", lang="l") == [("7", "de", "",
                                                                 "Ein Text über Häuser.")]
    with pytest.raises(KeyError, match="body"):
        read(pl.DataFrame(rows), text="corpus")


@pytest.mark.parametrize("make", [list, tuple, iter, np.array, pl.Series, pd.Series, pa.array])
def test_texts_alone_are_numbered(make):
    texts = ["Der erste Text.", "Der zweite Text.", "Der dritte."]
    assert [(d.id, d.text) for d in doppel.Collection.make(make(texts), lang="de")] == [
        ("0", texts[0]), ("1", texts[1]), ("2", texts[2])]


def test_integer_and_null_ids():
    df = pl.DataFrame({"id": [10, 2**40, -3], "text": ["eins.", "zwei.", "drei."]})
    assert [d.id for d in doppel.Collection.make(df, lang="de")] == ["10", str(2**40), "-3"]


def test_null_texts_are_left_out():
    df = pl.DataFrame({"text": ["Ein Satz.", None, "Noch einer."]})
    assert [d.id for d in doppel.Collection.make(df, lang="de")] == ["0", "2"]


def test_columns_that_are_no_texts_are_refused():
    df = pl.DataFrame({"text": [[1, 2], [3]]})
    with pytest.raises(TypeError, match="not text"):
        doppel.Collection.make(df)


def test_what_a_generator_raises_comes_out():
    def documents():
        yield "Ein Text."
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError, match="database"):
        doppel.Collection.make(documents(), lang="de")


def test_things_that_are_no_documents():
    with pytest.raises(TypeError):
        doppel.Collection.make([1, 2, 3])
    with pytest.raises(TypeError):
        doppel.Collection.make(["a", 2], lang="de")


def test_paths_and_bytes(tmp_path, de):
    path = tmp_path / "de.jsonl"
    path.write_bytes(open("examples/sample/de.jsonl", "rb").read())
    from_path = read(path)
    assert from_path == read(path.read_bytes()) == read(str(path))
    assert [d[0] for d in from_path] == [d["id"] for d in de]


def test_collections_are_saved_and_opened(tmp_path, de):
    c = doppel.Collection.make(de)
    c.save(tmp_path / "c.dpl")
    again = doppel.open(tmp_path / "c.dpl")
    assert isinstance(again, doppel.Collection)
    assert len(again) == len(c) == len(de)
    assert again["de-0002"].title == de[1]["title"]
    assert "de-0002" in again and "x" not in again
    assert c.settings["stem"] is False
    doppel.Collection.make(de, out=tmp_path / "d.dpl")
    assert (tmp_path / "c.dpl").read_bytes() == (tmp_path / "d.dpl").read_bytes()


def test_large_generators_stream():
    n = 20000
    docs = ((str(i), f"Dokument Nummer {i} von vielen.") for i in itertools.count())
    c = doppel.Collection.make(itertools.islice(docs, n), lang="de")
    assert len(c) == n
