"""Tables go to every library unchanged."""

import doppel
import pytest

pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def rows(mined):
    return [tuple(r) for r in mined.sentences]


def test_every_way_gives_the_same_rows(mined, rows):
    table = mined.sentences
    assert len(table) == len(rows) == mined.summary["sentence_pairs"]
    assert table.to_polars().rows() == rows
    assert [tuple(r.values()) for r in table.to_arrow().to_pylist()] == rows
    assert [tuple(r) for r in table.to_pandas().itertuples(index=False)] == rows
    assert list(zip(*table.to_dict().values())) == rows
    assert [tuple(table[i]) for i in range(len(table))] == rows
    assert [tuple(r) for r in table[2:5]] == rows[2:5]
    assert tuple(table[-1]) == rows[-1]


def test_duckdb_reads_a_table(mined, rows):
    duckdb = pytest.importorskip("duckdb")
    t = mined.sentences.to_arrow()  # noqa: F841
    assert duckdb.sql("select count(*), min(score) from t").fetchall()[0][0] == len(rows)


def test_batches_are_as_small_as_asked(de, en, rows):
    table = doppel.mine(de, en).sentences
    batches = list(table.batches(100))
    assert [len(b[0]) for b in batches[:-1]] == [100] * (len(batches) - 1)
    assert [v for b in batches for v in b[2].to_list()] == [r[2] for r in rows]


def test_columns_are_buffers(mined):
    score = mined.pairs["confidence"]
    view = memoryview(score)
    assert view.format == "d" and view.readonly and view.shape == (len(mined.pairs),)
    array = np.asarray(score)
    assert array.dtype == "f8" and array.tolist() == score.to_list()
    with pytest.raises(ValueError):
        array[0] = 1
    with pytest.raises(BufferError):
        memoryview(mined.pairs["left_id"])
    assert mined.pairs.to_numpy("left_id").dtype == object
    assert pl.Series(score).to_list() == score.to_list()
    assert pa.array(mined.pairs["left_id"]).to_pylist() == mined.pairs["left_id"].to_list()


def test_columns_outlive_their_table(de, en):
    column = doppel.mine(de, en).pairs["left_id"]
    frame = doppel.mine(de, en).sentences.to_polars()
    assert column[0] == "de-0001"
    assert frame["left_id"][0] == "de-0001"


def test_nulls_and_booleans(de, en, fr):
    groups = doppel.mine(de, en, fr, pivot="en").groups
    assert groups["fr"].null_count == groups.to_polars()["fr"].null_count() > 0
    assert groups.to_arrow()["fr"].null_count == groups["fr"].null_count
    documents = doppel.dedup(["Ein Text über Häuser, der doppelt da ist, steht hier nun."] * 2 +
                             ["Ein anderer Text, der nur einmal da ist, steht daneben hier."],
                             lang="de").documents
    frame = documents.to_polars()
    assert frame["keep"].dtype == pl.Boolean and frame["keep"].to_list() == [True, False, True]
    assert np.asarray(documents["keep"]).dtype == bool
    assert documents["kind"].to_list() == [None, "copy", None]


def test_many_nulls_before_the_first_text():
    texts = [f"Dokument {i} über {i * 7} Dinge, die es {i * 13} mal gibt." for i in range(1000)]
    texts.append(texts[0])
    table = doppel.dedup(texts, lang="de", threshold=1.0).documents
    kinds = table["kind"].to_list()
    assert len(kinds) == 1001 and kinds.count("copy") == 1 and kinds.count(None) == 1000
    assert table.to_polars()["kind"].to_list() == kinds
    assert table.to_arrow()["kind"].to_pylist() == kinds


def test_an_empty_table():
    table = doppel.pairs([[1.0, 0.0], [0.0, 1.0]], threshold=0.9)
    assert len(table) == 0 and not table
    assert table.to_polars().shape == (0, 3)
    assert table.to_arrow().num_rows == 0
    assert list(table) == [] and list(table.batches()) is not None


def test_streams_are_released_unused(mined):
    for _ in range(3):
        mined.pairs.__arrow_c_stream__()
        mined.pairs.__arrow_c_schema__()
        mined.pairs["left_id"].__arrow_c_array__()


def test_looks(mined):
    assert "left_id" in repr(mined.pairs)
    assert mined.pairs.schema["confidence"] == "float64"
    with pytest.raises(KeyError, match="the columns are"):
        mined.pairs["score"]
    with pytest.raises(IndexError):
        mined.pairs[10**6]
