"""python -m doppel: the command line. ``import`` also reads what polars or pyarrow read."""

import os
import sys

from doppel._sources import read_table, table_kind


def _kind(argument):
    return None if argument.startswith("-") else table_kind(argument)


def _pipe(table):
    """A path that the command line reads the table's rows from, as JSON Lines."""
    import threading

    from doppel import _core
    from doppel._context import current

    rows = _core.input_arrow(table.__arrow_c_stream__(), None,
                             lambda names: ((None,) * 4, None), None)
    read, write = os.pipe()

    def send():
        try:
            _core.input_spool(current()._handle, None, rows, f"/dev/fd/{write}")
        except Exception:  # the command line has failed: it says why
            pass
        os.close(write)

    threading.Thread(target=send, daemon=True).start()
    return f"/dev/fd/{read}"


def main(argv=None):
    """Run the command line; the answer is its exit status."""
    from doppel import _core

    argv = sys.argv[1:] if argv is None else list(argv)
    if argv[:1] == ["import"]:
        for i, argument in enumerate(argv[1:], 1):
            kind = _kind(argument)
            if kind is None or argv[i - 1] in ("-o", "--output") or not os.path.exists(argument):
                continue
            try:
                argv[i] = _pipe(read_table(argument, kind))
            except Exception as error:
                print(f"doppel import: {error}", file=sys.stderr)
                return 1 if isinstance(error, ImportError) else 3
    sys.stdout.flush()
    return _core.cli(["doppel", *argv])


if __name__ == "__main__":
    sys.exit(main())
