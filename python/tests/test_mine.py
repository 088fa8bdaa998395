"""doppel.mine gives what the command gives, whatever the documents come from."""

import signal
import subprocess
import sys

import doppel
import pytest
from conftest import SAMPLE


def same_bytes(result, folder, tmp_path):
    result.pairs.write_tsv(tmp_path / "pairs.tsv", 3)
    result.sentences.write_tsv(tmp_path / "sentences.tsv", 5)
    for name in ("pairs.tsv", "sentences.tsv"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_dicts_give_the_bytes_of_the_command(mined, by_command, tmp_path):
    same_bytes(mined, by_command, tmp_path)
    mined.save(tmp_path / "saved")
    for name in ("pairs.tsv", "sentences.tsv", "lexicon.tsv.zst"):
        assert (tmp_path / "saved" / name).read_bytes() == (by_command / name).read_bytes()


def test_paths_give_the_bytes_of_the_command(by_command, tmp_path):
    result = doppel.mine(SAMPLE / "de.jsonl", str(SAMPLE / "en.jsonl"))
    same_bytes(result, by_command, tmp_path)


def test_threads_and_memory_change_nothing(de, en, by_command, tmp_path):
    with doppel.Context(threads=1, memory="64M", cpu="scalar"):
        same_bytes(doppel.mine(de, en), by_command, tmp_path)


def test_an_output_folder_has_all_files(de, en, tmp_path, by_command):
    result = doppel.mine(de, en, out=tmp_path / "out")
    assert result.folder == str(tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {p.name for p in by_command.iterdir()}


def test_a_saved_run_opens_again(mined, tmp_path):
    mined.save(tmp_path / "run")
    again = doppel.open(tmp_path / "run")
    assert again.languages == ["de", "en"]
    assert [tuple(r[:2]) for r in again.pairs] == [tuple(r[:2]) for r in mined.pairs]
    assert again.sentences["left_sentence"].to_list() == mined.sentences["left_sentence"].to_list()
    assert again.lexicon["vulkan"] == mined.lexicon["vulkan"]
    assert again.summary["pairs"] == len(again.pairs) == len(mined.pairs)
    assert again.report.html == mined.report.html
    with pytest.raises(FileExistsError):
        mined.save(tmp_path / "run")


def test_temporary_files_go_with_the_result(de, en, tmp_path):
    with doppel.Context(temp=str(tmp_path)):
        result = doppel.mine(de, en)
        assert list(tmp_path.iterdir())
        pairs = result.pairs
        n = len(pairs)
        del result
        assert not list(tmp_path.iterdir())
        assert len(list(pairs)) == n  # the result lives as long as its tables


def test_temporary_files_of_a_killed_process_are_removed_by_the_next(de, en, tmp_path):
    program = f"""
import os, doppel
def die(*args):
    os.kill(os.getpid(), 9)
with doppel.Context(temp={str(tmp_path)!r}, progress=die):
    doppel.mine({str(SAMPLE / "de.jsonl")!r}, {str(SAMPLE / "en.jsonl")!r})
"""
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir())
    with doppel.Context(temp=str(tmp_path)):
        doppel.dedup(de[:5])
    assert not list(tmp_path.iterdir())


def test_more_languages_give_groups(de, en, fr, tmp_path, command):
    result = doppel.mine([de, en, fr], pivot="en")
    assert result.languages == ["de", "en", "fr"]
    assert set(result.groups.columns) == {"de", "en", "fr"}
    assert [run.right_lang for run in result.runs] == ["en", "en", "fr"]
    result.save(tmp_path / "saved")
    again = doppel.open(tmp_path / "saved")
    assert list(again.groups) == list(result.groups)
    files = [SAMPLE / f"{lang}.jsonl" for lang in ("de", "en", "fr")]
    command("mine", *files, "-o", tmp_path / "out", "--quiet", "--pivot=en")
    for name in ("pairs.tsv", "sentences.tsv", "groups.tsv"):
        assert (tmp_path / "saved" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_one_table_of_mixed_languages(de, en):
    result = doppel.mine(de + en)
    assert result.languages == ["de", "en"]
    assert len(result.runs) == 1


def test_documents_without_ids_are_numbered_from_0(de, en):
    result = doppel.mine([d["text"] for d in de], [d["text"] for d in en])
    assert result.pairs.schema["left_id"] == "uint32"
    row = result.pairs[0]
    assert de[row.left_id]["id"] == "de-0001"
    assert en[row.right_id]["id"] == "en-0050"


def test_a_lexicon_to_begin_with(mined, de, en):
    result = doppel.mine(de, en, lexicon=mined.lexicon, rounds=1)
    assert len(result.pairs) > 60


def test_nothing_in_common_gives_nothing():
    try:
        result = doppel.mine(["eins zwei"], ["alpha beta"], langs="de,en")
    except doppel.NothingError as e:
        assert e.hint
    else:
        assert len(result.pairs) == 0 == len(list(result.sentences))


def test_one_language_is_refused_with_a_hint_for_python(de):
    with pytest.raises(doppel.UsageError) as e:
        doppel.mine(de, de)
    assert "doppel.pairs" in e.value.hint


def test_unknown_options_are_named():
    with pytest.raises(TypeError, match="rounds"):
        doppel.mine(["a"], ["b"], round=3)
    with pytest.raises(doppel.UsageError, match="rounds"):
        doppel.mine(["a"], ["b"], rounds=-3)


def test_html_of_results(mined):
    assert "<table>" in mined._repr_html_()
    assert "<iframe" in mined.report._repr_html_()
    assert "<td>" in mined.pairs._repr_html_()
    assert "de-en" in repr(mined)


def test_passages_have_the_columns_of_the_file(de, en, tmp_path):
    def sections(docs, heading):
        return [{**d, "text": f"\u001d{heading} {i}\n\n{d['text']}"} for i, d in enumerate(docs)]

    result = doppel.mine(sections(de, "Kapitel"), sections(en, "Chapter"), out=tmp_path / "out")
    lines = (tmp_path / "out" / "passages.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    assert {row[8].split()[0] for row in rows} == {"Kapitel"}
    for table in (result.passages, result.runs[0].passages, doppel.MineResult(tmp_path / "out").passages):
        assert table.columns[-2:] == ["left_heading", "right_heading"]
        assert [(r.left_id, r.right_id, int(r.left_begin), int(r.right_end), r.left_heading, r.right_heading)
                for r in table] == [(r[0], r[1], int(r[4]), int(r[7]), r[8], r[9]) for r in rows]
