"""What the tests share: the sample's documents, the command line, a folder."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE = TOP / "examples" / "sample"


@pytest.fixture(autouse=True)
def at_the_top(monkeypatch):
    """Examples name files from the repository's folder."""
    monkeypatch.chdir(TOP)


@pytest.fixture(scope="session")
def command():
    """Runs the command line: $DOPPEL, or the one in the package."""
    program = [os.environ["DOPPEL"]] if "DOPPEL" in os.environ else [sys.executable, "-m", "doppel"]

    def run(*args, check=True, **more):
        return subprocess.run([*program, *map(str, args)], check=check, capture_output=True, text=True,
                              **more)

    return run


def read_sample(lang):
    with open(SAMPLE / f"{lang}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="session")
def de():
    return read_sample("de")


@pytest.fixture(scope="session")
def en():
    return read_sample("en")


@pytest.fixture(scope="session")
def fr():
    return read_sample("fr")


@pytest.fixture(scope="session")
def mined(de, en):
    import doppel

    return doppel.mine(de, en)


@pytest.fixture(scope="session")
def by_command(command, tmp_path_factory):
    """The folder of `doppel mine` on the sample."""
    folder = tmp_path_factory.mktemp("mine") / "out"
    command("mine", SAMPLE / "de.jsonl", SAMPLE / "en.jsonl", "-o", folder, "--quiet")
    return folder
