"""python -m doppel, docstrings, the notebook."""

import doctest
import importlib
import os
import pathlib
import pkgutil
import subprocess
import sys

import doppel
import pytest

MODULES = sorted(m.name for m in pkgutil.iter_modules(doppel.__path__)
                 if m.name not in ("_core", "spark", "__main__"))


@pytest.mark.parametrize("name", ["doppel"] + [f"doppel.{m}" for m in MODULES])
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_examples_of_the_manual():
    failed, n = doctest.testfile(str(pathlib.Path("docs/guides/python.md").resolve()), module_relative=False)
    assert failed == 0 and n > 20
    failed, n = doctest.testfile(str(pathlib.Path("README.md").resolve()), module_relative=False)
    assert failed == 0 and n > 5


def test_stubs_are_those_of_the_package():
    pytest.importorskip("mypy")
    here = pathlib.Path(__file__).parent
    place = pathlib.Path(doppel.__file__).parent.parent
    env = {**os.environ, **({} if place.name == "site-packages" else {"MYPYPATH": str(place)})}
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "doppel", "--ignore-missing-stub",
                           "--concise", "--ignore-unused-allowlist", "--mypy-config-file",
                           here / "stubtest.ini", "--allowlist", here / "stubtest.allow"],
                          capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout


def run(*args):
    return subprocess.run([sys.executable, "-m", "doppel", *map(str, args)], capture_output=True,
                          text=True)


def test_the_command_line_is_there():
    done = run("--version")
    assert done.returncode == 0 and done.stdout.startswith("doppel ")
    assert run("nonsense").returncode == 2


@pytest.mark.parametrize("kind", ["parquet", "arrow", "feather", "csv"])
def test_import_of_tables(tmp_path, de, kind):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(de)
    path = tmp_path / f"de.{kind}"
    {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "feather": frame.write_ipc,
     "csv": frame.write_csv}[kind](path)
    done = run("import", path, "-o", tmp_path / "a.dpl", "--quiet")
    assert done.returncode == 0, done.stderr
    assert [d.text for d in doppel.open(tmp_path / "a.dpl")] == [
        d.text for d in doppel.Collection.make(de)]


def test_import_of_a_table_with_options(tmp_path, de):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame([{"nr": d["id"], "body": d["text"]} for d in de])
    frame.write_parquet(tmp_path / "x.parquet")
    done = run("import", tmp_path / "x.parquet", "-o", tmp_path / "x.dpl", "--fields=id=nr,text=body",
               "--lang=de", "--stem")
    assert done.returncode == 0, done.stderr
    c = doppel.open(tmp_path / "x.dpl")
    assert c[0].id == de[0]["id"] and c[0].lang == "de" and c.settings["stem"]
    done = run("import", tmp_path / "x.parquet", "-o", tmp_path / "y.dpl")
    assert done.returncode == 3 and "text" in done.stderr and "Traceback" not in done.stderr


def test_the_notebook():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    path = pathlib.Path("docs/start/python-tutorial.ipynb")
    book = nbformat.read(path, as_version=4)
    client.NotebookClient(book, timeout=120, kernel_name="python3",
                          resources={"metadata": {"path": str(path.parent)}}).execute()
    assert all(o.output_type != "error" for c in book.cells if c.cell_type == "code"
               for o in c.outputs)
