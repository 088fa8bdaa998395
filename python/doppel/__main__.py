"""python -m doppel: the command line, with inputs of data frame libraries for `import`."""

import os
import sys


def main(argv=None):
    """Run the command line; the answer is its exit status."""
    from doppel import _core

    argv = sys.argv[1:] if argv is None else list(argv)
    sys.stdout.flush()
    return _core.cli(["doppel", *argv])


if __name__ == "__main__":
    sys.exit(main())
