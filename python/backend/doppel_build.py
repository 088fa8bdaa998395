"""Build backend: scikit-build-core, and for an sdist a copy of the library's sources.

The package is built from the repository it stands in: CMakeLists.txt takes the library from the
folder above. An sdist has no folder above, so build_sdist puts the sources into libdoppel/ while
it packs, and the CMakeLists.txt takes them from there if that folder exists.
"""

import contextlib
import pathlib
import shutil

from scikit_build_core import build as _build
from scikit_build_core.build import *  # noqa: F401,F403

_HERE = pathlib.Path(__file__).resolve().parent.parent
_COPY = _HERE / "libdoppel"
_PARTS = ["CMakeLists.txt", "include", "src", "web", "tools/hardening.cmake", "LICENSE"]


def _skip(folder, names):
    return [n for n in names if n.endswith("_test.c") or n == "cuda"]


@contextlib.contextmanager
def _sources():
    top = _HERE.parent
    is_ours = not _COPY.exists() and (top / "include" / "doppel" / "doppel.h").exists()
    if is_ours:
        for part in _PARTS:
            source, target = top / part, _COPY / part
            if source.is_dir():
                shutil.copytree(source, target, ignore=_skip)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
    try:
        yield
    finally:
        if is_ours:
            shutil.rmtree(_COPY, ignore_errors=True)


def build_sdist(sdist_directory, config_settings=None):
    with _sources():
        return _build.build_sdist(sdist_directory, config_settings)
